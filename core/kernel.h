/* core/kernel.h - the contract between the harness and a kernel family: one const vfx_kernel per family,
 * in which everything that repeats is a row. No code here. MUST and MAY say what a family has to give.
 *
 * A frame goes like this, on the GPU and on the CPU alike:
 *   params (after --at) -> frame_input() fills the frame block, the FRAME_INPUT buffers and the per-frame images
 *   -> passes (GPU) or stages (CPU reference) -> ping-pong states swap.
 * Host copies of buffers are always arrays of records; a device buffer may store one stream per quad instead. */
#ifndef VFX_KERNEL_H
#define VFX_KERNEL_H

#include "core/shared.h"
#include "core/status.h"
#include "core/view.h"

enum {
    VFX_MAX_PARAMS = 64,  /* parameter rows of a family: the parameter block is at most 256 bytes */
    VFX_MAX_HOST_PARAMS = 8,
    VFX_MAX_BUFFERS = 24, /* buffer rows of a family: masks of them have 32 bits */
    VFX_MAX_IMAGES = 12,
    VFX_MAX_PASSES = 24, /* passes of a variant */
    VFX_MAX_STAGES = 8,
    VFX_MAX_CHECKS = 64,
    VFX_MAX_SPEC = 8,
    VFX_MAX_METRICS = 512, /* bytes of the record of vfx_kernel.metrics */
    VFX_MAX_VALUE = 256 /* bytes of a host parameter's text, terminator included */
};

/* ---------------------------------------------------------------------------------- parameters */

typedef enum vfx_param_type { VFX_F32, VFX_I32, VFX_U32, VFX_BOOL, VFX_ENUMERATION } vfx_param_type;

/* One 4-byte word of the parameter block; row i is word i. Bounds are inclusive. */
typedef struct vfx_param {
    const char *name;
    vfx_param_type type;
    double def, min, max;
    unsigned flags;           /* VFX_LIVE */
    const char *const *names; /* VFX_ENUMERATION: text of the values 0..max */
    const char *help;         /* with the unit */
} vfx_param;

#define VFX_TYPE_OF_F32 VFX_F32
#define VFX_TYPE_OF_I32 VFX_I32
#define VFX_TYPE_OF_U32 VFX_U32
#define VFX_TYPE_OF_BOOL VFX_BOOL
#define VFX_PARAM_ROW(TYPE, name, def, lo, hi, flags, help)                                                           \
    {#name, VFX_TYPE_OF_##TYPE, (double)(def), (double)(lo), (double)(hi), (flags), NULL, help},
#define VFX_ENUM_ROW(name, enumeration, def, flags, help)                                                             \
    {#name,                                                                                                           \
     VFX_ENUMERATION,                                                                                                 \
     (double)(def),                                                                                                   \
     0.0,                                                                                                             \
     (double)(sizeof(enumeration##_names) / sizeof(*enumeration##_names) - 1),                                        \
     (flags),                                                                                                         \
     enumeration##_names,                                                                                             \
     help},
#define VFX_ENUM_TEXT(ident, value, text) text,
/* `static const char *const tentacle_states_names[] = {...}` from its V-list; values must count up from 0. */
#define VFX_ENUM_NAMES(enumeration, LIST) static const char *const enumeration##_names[] = {LIST(VFX_ENUM_TEXT)};

/* A parameter that only the host reads (a path, an upload mode). With `names` the value is one of them. */
typedef struct vfx_host_param {
    const char *name;
    const char *def;
    const char *const *names; /* NULL-terminated list of allowed values, or NULL for any text */
    const char *help;
} vfx_host_param;

/* The host parameter of this name chooses how FRAME_INPUT buffers reach the device; see vfx_upload. */
#define VFX_UPLOAD_PARAM "upload"
typedef enum vfx_upload {
    VFX_UPLOAD_SINGLE,       /* one staging copy per buffer */
    VFX_UPLOAD_REGIONS,      /* one copy command with one region per record */
    VFX_UPLOAD_PER_INSTANCE, /* one update command per record */
    VFX_UPLOAD_MAPPED        /* the host writes the bound memory itself */
} vfx_upload;
extern const char *const vfx_upload_names[]; /* NULL-terminated, in enum order */

/* ------------------------------------------------------------------------------------- a case */

struct vfx_kernel;
struct vfx_variant;

/* One case: what is run. Copyable; `words` and `host_values` hold the parameters in row order. */
typedef struct vfx_case {
    const struct vfx_kernel *kernel;
    const struct vfx_variant *variant;
    const char *preset; /* preset name */
    uint32_t words[VFX_MAX_PARAMS];
    char host_values[VFX_MAX_HOST_PARAMS][VFX_MAX_VALUE];
    uint32_t frames; /* N */
    float dt;        /* s */
    uint32_t seed;
    void *asset; /* what kernel->load made (baked data, a height map), NULL until load ran; shared by copies */
    uint64_t storage_limit; /* bytes of records that one buffer of the device may hold; 0: unknown, no limit */
} vfx_case;

/* The family's typed view of the parameter words. */
#define VFX_CASE_PARAMS(kase, type) ((const type *)(const void *)(kase)->words)

/* A preset: overrides in --set syntax separated by commas ("tentacles=67,particles=21") and a frame count. */
typedef struct vfx_preset {
    const char *name;
    const char *set; /* "" for none */
    uint32_t frames;
    const char *summary;
} vfx_preset;

/* ---------------------------------------------------------------------------- buffers, images */

typedef enum vfx_field_type {
    VFX_FIELD_F32,
    VFX_FIELD_U32,
    VFX_FIELD_I32,
    VFX_FIELD_F16,     /* components packed two to a word */
    VFX_FIELD_OCT16,   /* one word: octahedral unit vector, 2 x snorm16, x in the low half; decodes to 3 components */
    VFX_FIELD_UNORM8   /* one word: 4 x unorm8 */
} vfx_field_type;

typedef struct vfx_field {
    const char *name;
    vfx_field_type type;
    uint32_t components; /* stored components (OCT16: 2) */
    uint32_t offset;     /* bytes from the start of the record */
    const char *unit;
    const char *meaning;
} vfx_field;

#define VFX_FIELD_OF_f32 VFX_FIELD_F32, 1
#define VFX_FIELD_OF_u32 VFX_FIELD_U32, 1
#define VFX_FIELD_OF_vec2 VFX_FIELD_F32, 2
#define VFX_FIELD_OF_vec3 VFX_FIELD_F32, 3
#define VFX_FIELD_OF_vec4 VFX_FIELD_F32, 4
#define VFX_FIELD_OF_uvec4 VFX_FIELD_U32, 4
#define VFX_FIELD_OF_oct16 VFX_FIELD_OCT16, 2
#define VFX_FIELD_OF_unorm8x4 VFX_FIELD_UNORM8, 4
#define VFX_LANE_xyzw 0
#define VFX_LANE_xyz 0
#define VFX_LANE_xy 0
#define VFX_LANE_x 0
#define VFX_LANE_y 1
#define VFX_LANE_yz 1
#define VFX_LANE_yzw 1
#define VFX_LANE_z 2
#define VFX_LANE_zw 2
#define VFX_LANE_w 3
#define VFX_FIELD_ROW(type, name, quad, lanes, unit, meaning)                                                         \
    {#name, VFX_FIELD_OF_##type, 16u * (quad) + 4u * VFX_LANE_##lanes, unit, meaning},
/* `static const vfx_field tentacle_particle_fields[] = {...}` from the record's F-list. */
#define VFX_FIELDS(record, LIST) static const vfx_field record##_fields[] = {LIST(VFX_FIELD_ROW)};

typedef enum vfx_role {
    VFX_STATE_PING_PONG, /* carried from frame to frame; two device buffers that swap: `binding` is the previous
                            frame (read), `binding + 1` this frame (written) */
    VFX_STATE,           /* carried from frame to frame, updated in place */
    VFX_INPUT,           /* filled once by init */
    VFX_FRAME_INPUT,     /* filled every frame by frame_input */
    VFX_OUTPUT,          /* written by the passes, compared */
    VFX_SCRATCH          /* written by the passes, not compared */
} vfx_role;

typedef enum vfx_layout {
    VFX_RECORDS, /* quad q of record i at i * quads + q (or plain words where the stride is no multiple of 16) */
    VFX_STREAMS  /* quad q of record i at q * count + i; stride a multiple of 16 */
} vfx_layout;

/* MUST: every field of every STATE and OUTPUT buffer has a check row. */
typedef struct vfx_buffer {
    const char *name;
    uint32_t binding; /* 1..; 0 is the parameter block. Rows that no variant binds together may share one */
    vfx_role role;
    vfx_layout layout;
    uint32_t stride; /* bytes per record, a multiple of 4 */
    const vfx_field *fields;
    uint32_t field_count;
    uint64_t (*count)(const vfx_case *); /* records; must not overflow for any parameters within their ranges. May
                                            choose a batch that kase->storage_limit holds, see vfx_kernel.batches */
    const char *summary;
    /* MAY: what record `record` is, for messages: "tentacle 12, joint 3". */
    void (*describe)(const vfx_case *, uint64_t record, char *text, size_t bytes);
    /* MAY: a result that the passes fill in part, by other results: the rest is not hashed and not looked at. The
     * checks see all records: what is unused, the reference copies from `in`. */
    bool partial;
} vfx_buffer;

typedef enum vfx_format {
    VFX_RGBA8_UNORM,
    VFX_RGBA8_UINT,
    VFX_RGBA16_UNORM,
    VFX_RGBA16_UINT,
    VFX_RGBA32_FLOAT,
    VFX_R16_UNORM,
    VFX_R8_UNORM
} vfx_format;

/* A sampled image (combined image sampler, clamp to edge, texel data tightly packed, layer after layer). One that is
 * per_frame is uploaded whole before each frame, with one copy command. Images are in no dump and in no hash, and are
 * not read back: like every input they follow from the case. */
typedef struct vfx_image {
    const char *name;
    uint32_t binding;
    vfx_format format;
    bool linear; /* linear filter; nearest otherwise. UINT and FLOAT formats: nearest only */
    void (*size)(const vfx_case *, uint32_t size[3]); /* width, height, layers */
    const char *summary;
    bool per_frame; /* texels come from frame_input, every frame; otherwise from init */
} vfx_image;

/* ---------------------------------------------------------------------------- passes, variants */

typedef struct vfx_spirv {
    const char *name;
    const uint32_t *words;
    size_t bytes;
} vfx_spirv;
/* SPIR-V of kernels/<family>/<ident>.comp, embedded by the build. */
#define VFX_SPIRV_DECLARE(ident) extern const vfx_spirv ident##_spirv;

/* Compulsory traffic of one run of a pass over all its invocations; of a repeated pass, the mean of its runs. */
typedef struct vfx_traffic {
    double bytes_read, bytes_written, flops;
} vfx_traffic;

typedef struct vfx_pass {
    const char *name; /* = the name in reports and of --shader family.pass */
    const vfx_spirv *spirv;
    uint64_t (*threads)(const vfx_case *);
    uint32_t workgroup;                    /* invocations, <= 256; specialisation constant 0 */
    uint32_t (*repeats)(const vfx_case *); /* NULL: once a frame; the shader sees frame.iteration */
    /* NULL: no. Neighbouring passes with the same function are repeated as a block, so many times; the shader sees
     * frame.substep. Each pass has its own repeats within. */
    uint32_t (*substeps)(const vfx_case *);
    bool once;                             /* runs only before frame 1 (static outputs); sees only dt and seed of the frame */
    const char *spec[VFX_MAX_SPEC];        /* parameter names: specialisation constants 1, 2, ... */
    vfx_traffic (*traffic)(const vfx_case *);
    uint32_t (*shared_bytes)(const vfx_case *, uint32_t workgroup); /* of shared memory; NULL: none */
    uint32_t workgroup_multiple; /* the shader needs workgroups that are a multiple of it; 0: any will do */
} vfx_pass;

enum { VFX_NEEDS_SUBGROUP_SHUFFLE = 1u << 0, VFX_NEEDS_FLOAT16_STORAGE = 1u << 1 };

typedef struct vfx_variant {
    const char *name;
    const char *summary;
    uint32_t features; /* VFX_NEEDS_... beyond the baseline device */
    uint32_t buffers;  /* bit i: buffer row i is bound */
    uint32_t images;   /* bit i: image row i is bound */
    const vfx_pass *passes;
    uint32_t pass_count;
} vfx_variant;

/* ------------------------------------------------------------------------ reference and checks */

/* What a reference stage works on: host records, indexed by buffer row. Pointers are NULL for buffers that the
 * variant does not use. prev: the state after the previous frame. in: this frame's contents as they stand before
 * the stage (in a step-locked check the device's own). out: where the stage writes; only its `writes` buffers.
 * ill[b][i] != 0 marks record i of buffer b as ill-conditioned: its branch or value may legitimately differ. The bits are
 * the family's: a check row says which of them concern its field. */
typedef struct vfx_ref {
    const vfx_case *kase; /* with the parameters of this frame */
    const vfx_frame *frame;
    const void *prev[VFX_MAX_BUFFERS];
    const void *in[VFX_MAX_BUFFERS];
    void *out[VFX_MAX_BUFFERS];
    uint8_t *ill[VFX_MAX_BUFFERS];
    uint64_t count[VFX_MAX_BUFFERS];
    const void *image[VFX_MAX_IMAGES];
} vfx_ref;

/* Computes items [first, first + count) of the stage. Items are independent of each other and of order. */
typedef void vfx_stage_fn(const vfx_ref *ref, uint64_t first, uint64_t count);

/* The reference: slow, plain, separate. Each <f>_ref.c is compiled twice over `real` (core/refmath.h):
 * f64 is the truth (rounded to float once, at the store), f32 the yardstick. In the CPU loop `in` and `out` are the
 * same memory and items run in rising order, so that an item finds in `in` what earlier ones wrote. */
typedef struct vfx_stage {
    const char *name;
    bool once;       /* only before frame 1, like its pass */
    uint32_t writes; /* bit i: buffer row i */
    uint64_t (*items)(const vfx_case *);
    vfx_stage_fn *f64, *f32;
    /* NULL: no. Neighbouring stages with the same function are a block, like passes: each has the items of all
     * substeps, one substep after the other, and the CPU loop runs the block substep by substep. */
    uint32_t (*substeps)(const vfx_case *);
    uint32_t reads; /* bit i: OUTPUT row i, which this stage must find in `in` where only the state is wanted */
} vfx_stage;

/* A value passes when both are finite and any one of the non-zero rules holds; all zero means bitwise equal. */
typedef struct vfx_tolerance {
    double abs;    /* |a - b| <= abs */
    double rel;    /* |a - b| <= rel * max(|a|, |b|) */
    uint32_t ulp;  /* steps on the float line */
    double angle;  /* whole field is a unit vector: angle between a and b, rad (lengths checked to 1e-5) */
    double scaled; /* |a - b| <= scaled * scale(record) */
    double scaled_ulp; /* |a - b| <= scaled_ulp * ulp(scale(record)) */
} vfx_tolerance;

/* scales[i] = scale of record first + i of the check's buffer; sees prev, in and out = truth. */
typedef void vfx_scales_fn(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales);

typedef struct vfx_check {
    uint32_t buffer;   /* buffer row */
    const char *field; /* field name */
    vfx_tolerance step; /* step-locked: one frame from the device's own state */
    vfx_tolerance free_run; /* after many frames from the same start; only used up to kernel->free_run_frames */
    double (*scale)(const vfx_ref *ref, uint64_t record); /* for the scaled rules; sees prev, in and out = truth */
    double (*ill_share)(const vfx_case *); /* largest share of records with these marks; NULL: marks do not count */
    const char *reason; /* where the limits come from */
    uint8_t ill_bits;   /* the marks (bits of vfx_ref.ill) that concern this field; 0: any */
    vfx_scales_fn *scales; /* instead of scale, where records in a row have most of the work in common */
} vfx_check;

/* MAY: a property of a frame's buffers (ref->in), run on GPU and CPU output alike. Writes why it fails. */
typedef struct vfx_invariant {
    const char *name;
    bool (*holds)(const vfx_ref *ref, char *why, size_t why_bytes);
    const char *reason;
} vfx_invariant;

/* --------------------------------------------------------------------------------- the record */

typedef struct vfx_kernel {
    const char *name, *summary; /* MUST */

    const vfx_param *params; /* MUST */
    uint32_t param_count;
    const vfx_host_param *host_params; /* MAY */
    uint32_t host_param_count;
    const vfx_preset *presets; /* MUST: `ci` and `default` among them */
    uint32_t preset_count;
    const vfx_buffer *buffers; /* MUST */
    uint32_t buffer_count;
    const vfx_image *images; /* MAY */
    uint32_t image_count;
    const vfx_variant *variants; /* MUST: at least one runs on the baseline device */
    uint32_t variant_count;
    const vfx_stage *stages; /* MUST: together they write every STATE and OUTPUT buffer */
    uint32_t stage_count;
    const vfx_check *checks; /* MUST */
    uint32_t check_count;
    const vfx_invariant *invariants; /* MAY */
    uint32_t invariant_count;
    const vfx_view *views; /* MAY: pictures, see core/view.h */
    uint32_t view_count;

    uint32_t sweep_start;     /* enum values are checked from this frame on, reached by the f32 reference */
    uint32_t sweep_frames;    /* for so many frames */
    uint32_t free_run_frames; /* per-element free-run comparison is meaningful up to here; UINT32_MAX: always */

    /* MAY: relations between parameters; vfx_fail(VFX_USAGE, ...) naming the parameter, or VFX_UNSUPPORTED for what the
     * variant cannot do: such a case is reported and the others go on. Sweeps leave out either. */
    vfx_status (*validate)(const vfx_case *);
    /* MAY: files and baked data of a case, kept in kase->asset; unload is called once if load succeeded. It may depend
     * on every parameter: each value of a sweep is a case of its own that is loaded anew, so load must be quick, or the
     * family keeps what it made. Other functions of the record see asset = NULL until load ran (`list`, `info`,
     * validate) and must cope: a count may then be a guess. */
    vfx_status (*load)(vfx_case *);
    void (*unload)(vfx_case *);
    /* MUST: frame 0. Fills the INPUT and STATE records (and texels of images that are not per_frame) from the
     * parameters and integer hashes of kase->seed only. Entries of unused buffers and images are NULL. */
    void (*init)(const vfx_case *, void *const buffers[], void *const images[]);
    /* MAY: bytes of zeroed host memory that frame_input carries from frame to frame within a run. */
    size_t (*host_bytes)(const vfx_case *);
    /* MAY: called once for each frame k = 1..N in order, before the frame: fills frame->host and the
     * FRAME_INPUT records and the per_frame texels from the parameters of that frame. Other entries are NULL. What is
     * not written keeps the frame before's value. */
    void (*frame_input)(const vfx_case *, void *host, vfx_frame *frame, void *const buffers[], void *const images[]);
    /* MAY: how many batches reuse one output range in a frame, where all of it would be more than
     * kase->storage_limit; part of every result. The passes have them as `repeats`, frame.iteration being the batch,
     * and `count` is that of one batch. Batches are as equal as can be: a frame's items are count * batches. */
    uint32_t (*batches)(const vfx_case *);
    /* MAY: the row of `buffers`, an OUTPUT of one record (at most VFX_MAX_METRICS), whose fields are shown as figures
     * of the last frame. */
    const vfx_buffer *metrics;
    /* MAY, with metrics: units of work in a frame, from that record (0: unknown), and what they are ("candidate pair"):
     * `time` shows the time of one. */
    double (*work)(const vfx_case *, const void *metrics);
    const char *work_unit;
} vfx_kernel;

#define VFX_COUNT(rows) (uint32_t)(sizeof(rows) / sizeof *(rows))

#endif
