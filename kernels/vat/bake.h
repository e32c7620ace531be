/* bake.h - a model's clips sampled into frames, encoded into texels, measured, written to a folder and read back.
 * V vertices, F frames of all clips together; frame-major: texel = frame * V + vertex. */
#ifndef VAT_BAKE_H
#define VAT_BAKE_H

#include "kernels/vat/model.h"

/* Texels of a vertex-frame; fields in the order of the words. "snorm n" codes round(x * (2^(n-1) - 1)). Octahedral
 * codes of a unit vector as in core's oct16, with n-bit halves, x low. */
typedef enum vat_format {
    VAT_U16OCT8, /* 8 B: 3 x u16 position over the box, snorm8 octahedral normal (x low byte) in the 4th u16 */
    VAT_RGBA8,   /* 8 B: position rgb8 + 0, normal rgb8 + 0 over [-1, 1] */
    VAT_RGBA16,  /* 16 B: 3 x u16 position over the box + 0, snorm16 octahedral normal 2 x u16 + 0 + 0 */
    VAT_F32,     /* 32 B: position f32x3 + 0, normal f32x3 + 0 */
    VAT_BONES    /* no texels: 3x4 f32 row-major matrices of each bone and frame, 48 B */
} vat_format;
extern const char *const vat_format_names[]; /* NULL-terminated, in enum order: "u16oct8", "rgba8", ... */

typedef enum vat_sampling {
    VAT_CLOSED,     /* n = max(1, round(duration fps)) intervals, frames 0..n: the last is frame 0 (loop) or the end */
    VAT_SOURCE,     /* n = max(1, ceil(duration fps)) frames, frame k at k / fps, clamped, no closing frame */
    VAT_SOURCE_LATE /* frame k at (k + 1) / fps */
} vat_sampling;
extern const char *const vat_sampling_names[]; /* "closed", "source", "source-late" */

typedef enum vat_loop { VAT_LOOP_AUTO, VAT_LOOP_ALL, VAT_LOOP_NONE, VAT_LOOP_NAMED } vat_loop;

typedef struct vat_bake_options {
    vat_format format;
    vat_sampling sampling;
    double fps;          /* > 0; 0: 30 */
    double max_error;    /* percent of the extent, 0: none. Then each clip's rate is doubled from fps until met */
    uint32_t max_frames; /* of all clips together; 0: 65535 */
    vat_loop loop;
    const char *const *loop_names, *const *clip_names; /* clip_names empty: all */
    uint32_t loop_name_count, clip_name_count;
    bool fit;        /* rgba8: over the bounding box instead of [-1, 1] */
    double scale;    /* uniform factor on all positions of the model, > 0; 0: 1 */
    bool unmeasured; /* leaves all errors but loop_closure 0: much faster; not with max_error */
    void (*progress)(void *user, double share, const char *what); /* may be NULL */
    void *user;
} vat_bake_options;

/* Errors as shares of the extent (largest side of the bounding box over all frames), normals in degrees. */
typedef struct vat_error {
    double worst, rms;
} vat_error;

typedef struct vat_clip {
    char name[VAT_NAME_BYTES];
    int32_t source;         /* clip of the model, VAT_NONE: rest pose */
    uint32_t first, frames; /* stored frames, closing frame included */
    double fps;             /* stored frames a second: exactly (frames - 1) / duration for VAT_CLOSED */
    double duration;        /* s */
    bool loop;
    double box_min[3], box_max[3];
    vat_error temporal;  /* against 60 Hz evaluation, stored frames lerped (before quantisation) */
    double loop_closure; /* last pose against the first; worst share of the extent */
} vat_clip;

typedef struct vat_bake {
    vat_format format;
    vat_sampling sampling;
    uint32_t vertices, frames, clip_count, part_count, index_count;
    double box_min[3], box_max[3]; /* over all frames */
    float map_min[3], map_step[3]; /* decoded = map_min + map_step * code, code 0..255 or 0..65535 */
    double extent;
    double scale; /* that the model's positions were multiplied by; the bind positions were not */
    vat_clip *clips;
    vat_part *parts;       /* first_vertex and vertex_count count in the bake's vertices */
    float (*positions)[3]; /* frames * vertices, unquantised; NULL after reading a quantised folder */
    float (*normals)[3];
    uint8_t *texels; /* frames * vertices * vat_texel_bytes(format); NULL for VAT_BONES */
    uint32_t *indices;
    uint16_t (*uv)[2]; /* per vertex: unorm16 of the fraction of uv (floor(fract(u) * 65536)) */
    /* VAT_BONES, and kept in memory for every format of a model without morph targets: */
    uint32_t bones, influences; /* influences: 4 or 8 */
    float (*bone)[12];          /* frames * bones, row-major 3x4 */
    float (*bind)[2][3];        /* per vertex: position, normal */
    uint16_t *joints, *weights; /* vertices * influences; weights are unorm16 that sum to 65535 */
    /* skins: layers of equal size, RGBA8 */
    uint32_t skin_width, skin_height, skin_layers;
    uint8_t *skin;
    bool plain_skin; /* the one white layer stands for none: the first skin added replaces it */
    vat_error quantisation, temporal, normal;
    double loop_closure;
    uint64_t bytes; /* of texels, or bones and their static data */
} vat_bake;

uint32_t vat_texel_bytes(vat_format format);

/* Samples, encodes and measures. USAGE for unknown clip names, a model out of [-1, 1] with rgba8 (naming the extent),
 * morph targets with bones, a max_error that max_frames does not reach; UNSUPPORTED over 65535 frames; MEMORY. Without
 * skins one white 1 x 1 layer is given. */
vfx_status vat_bake_create(const vat_model *model, const vat_bake_options *options, vat_bake *bake) VFX_MUST_USE;
void vat_bake_free(vat_bake *bake);
/* Adds a layer; all must have the first one's size. */
vfx_status vat_bake_add_skin(vat_bake *bake, const char *name, uint32_t width, uint32_t height,
                             const uint8_t *rgba) VFX_MUST_USE;

/* Texels of another format from bake->positions and ->normals (USAGE where those are NULL or `format` is bones).
 * map_min and map_step are that format's; rgba8 is over the box unless everything lies within [-1, 1]. texels: frames *
 * vertices * vat_texel_bytes(format). */
vfx_status vat_bake_encode(const vat_bake *bake, vat_format format, uint8_t *texels, float map_min[3],
                           float map_step[3]) VFX_MUST_USE;
/* Position (m) and unit normal that a vertex-frame's texels stand for, in double. */
void vat_bake_decode(const uint8_t *texel, vat_format format, const float map_min[3], const float map_step[3],
                     double position[3], double normal[3]);

/* Folder: manifest.json + images or .bin files, each with its CRC-32. Written to a sibling folder first, then renamed,
 * so that a failure leaves nothing half-written. `model_name`: for the manifest. USAGE if `folder` exists and holds
 * anything but an earlier bake, or is the working directory. */
vfx_status vat_bake_write(const vat_bake *bake, const char *folder, const char *model_name) VFX_MUST_USE;
/* The refusals of vat_bake_write ahead of time; leaves nothing behind. The folder's parent must exist. */
vfx_status vat_bake_check_folder(const char *folder) VFX_MUST_USE;
/* IO naming the file and JSON path for anything malformed, cut short, with a wrong checksum, or that no baker says: a
 * map that does not span the box, positions or bones that lead out of it. */
vfx_status vat_bake_read(const char *folder, vat_bake *bake) VFX_MUST_USE;

#endif
