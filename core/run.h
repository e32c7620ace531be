/* core/run.h - one request, one result: the two frame loops (run_gpu.c on a device, run_cpu.c on the reference)
 * and the feed of per-frame input that both drink from. */
#ifndef VFX_RUN_H
#define VFX_RUN_H

#include "core/compare.h"
#include "core/kernel.h"
#include "core/params.h"

struct vfx_gpu;

/* Is it carried from frame to frame? */
static inline bool vfx_role_is_state(vfx_role role)
{
    return role == VFX_STATE_PING_PONG || role == VFX_STATE;
}

/* Is it what a run leaves, to be compared and hashed? */
static inline bool vfx_role_is_result(vfx_role role)
{
    return vfx_role_is_state(role) || role == VFX_OUTPUT;
}

/* Does the case's variant bind this buffer or image row, and does frame_input fill it? */
static inline bool vfx_buffer_is_fed(const vfx_case *kase, uint32_t row)
{
    return (kase->variant->buffers >> row & 1u) != 0 && kase->kernel->buffers[row].role == VFX_FRAME_INPUT;
}

static inline bool vfx_image_is_fed(const vfx_case *kase, uint32_t row)
{
    return (kase->variant->images >> row & 1u) != 0 && kase->kernel->images[row].per_frame;
}

/* ------------------------------------------------------------------------------- per-frame feed */

/* Frame k's parameters, frame block, FRAME_INPUT records and per-frame texels, for k = 1, 2, ... in order. */
typedef struct vfx_feed {
    vfx_case kase; /* parameters as of `frame` */
    const vfx_at_list *at;
    vfx_frame frame;
    void *host;
    void *input[VFX_MAX_BUFFERS]; /* FRAME_INPUT records, canonical */
    void *image[VFX_MAX_IMAGES];  /* texels of the per-frame images */
    bool params_changed;          /* by --at in this frame */
} vfx_feed;

vfx_status vfx_feed_create(vfx_feed *feed, const vfx_case *kase, const vfx_at_list *at) VFX_MUST_USE;
void vfx_feed_destroy(vfx_feed *feed);
/* Advances to the next frame. */
void vfx_feed_next(vfx_feed *feed);

/* ---------------------------------------------------------------------------------- host buffers */

/* Host records of every buffer of a case's variant, and image texels. */
typedef struct vfx_host {
    void *buffer[VFX_MAX_BUFFERS];
    uint64_t count[VFX_MAX_BUFFERS];
    size_t bytes[VFX_MAX_BUFFERS];
    void *image[VFX_MAX_IMAGES];
    size_t image_bytes[VFX_MAX_IMAGES];
    uint8_t *ill[VFX_MAX_BUFFERS]; /* where vfx_run_cpu leaves the last frame's marks; borrowed, NULL: nowhere */
} vfx_host;

/* Allocates (zeroed) the buffers of `mask` (bit i: row i) and the variant's images; kernel->init fills them. MEMORY or
 * UNSUPPORTED (sizes overflow) on failure. */
vfx_status vfx_host_create(vfx_host *host, const vfx_case *kase, uint32_t mask) VFX_MUST_USE;
void vfx_host_destroy(vfx_host *host);
/* Hash of the results that `host` holds, in row order. */
uint64_t vfx_host_hash(const vfx_case *kase, const vfx_host *host);
/* Bytes of one texel. */
uint32_t vfx_format_bytes(vfx_format format);
/* Zeroed memory, never NULL on success; MEMORY naming `what` on failure. */
vfx_status vfx_host_allocate(const char *what, size_t bytes, void **memory) VFX_MUST_USE;
/* Bytes of a buffer row's records, or of an image row's texels; UNSUPPORTED on overflow. */
vfx_status vfx_buffer_bytes(const vfx_case *kase, uint32_t row, size_t *bytes) VFX_MUST_USE;
vfx_status vfx_image_bytes(const vfx_case *kase, uint32_t row, size_t *bytes) VFX_MUST_USE;
/* What the host gives in every frame: bytes of the FRAME_INPUT records, and of the per-frame images. */
vfx_status vfx_upload_bytes(const vfx_case *kase, uint64_t *records, uint64_t *images) VFX_MUST_USE;

/* --------------------------------------------------------------------------------- the CPU loop */

/* Runs the reference from `host` (state after frame feed->frame.index) for `frames` frames; feed advances along. On
 * return `host` is the state after the last frame, in the same memory. It holds the variant's states and inputs; stages
 * that write none of its buffers are left out, so without outputs only the states are computed. With `once_stages` the
 * once-only stages run first, in the first of these frames. Stages see prev = the states before the frame, in = out =
 * `host`. */
vfx_status vfx_run_cpu(const vfx_case *kase, vfx_feed *feed, vfx_host *host, uint32_t frames, bool in_double,
                       bool once_stages) VFX_MUST_USE;

/* What a stage works on: the variant's buffers of prev, in and out (each may be NULL), images of `in`; ill is NULL. */
void vfx_ref_view(vfx_ref *ref, const vfx_case *kase, const vfx_frame *frame, const vfx_host *prev, const vfx_host *in,
                  const vfx_host *out);

/* --------------------------------------------------------------------------------- the GPU loop */

/* The passes of a frame in the order in which they run: start with {0}, end at pass = pass_count. Blocks of passes with
 * substeps come round again. */
typedef struct vfx_pass_step {
    uint32_t pass, substep;
} vfx_pass_step;
vfx_pass_step vfx_pass_step_next(const vfx_case *kase, vfx_pass_step step);
/* How often a pass is dispatched in a frame: repeats times substeps. */
uint32_t vfx_pass_runs(const vfx_case *kase, const vfx_pass *pass);

typedef struct vfx_override {
    char pass[64]; /* pass name, or "" for none */
    const uint32_t *words;
    size_t bytes;
} vfx_override;

/* Where the timestamps of a run are: around each frame's passes, after each pass, or around the copies of a frame's
 * inputs. The last never replays: what it times is written anew in every frame. */
typedef enum vfx_stamps { VFX_STAMPS_NONE, VFX_STAMPS_FRAME, VFX_STAMPS_PASS, VFX_STAMPS_UPLOAD } vfx_stamps;

/* Timestamps of one run, in ns; NaN where a stamp was invalid or is not among the run's. */
typedef struct vfx_run_times {
    double *frame_ns; /* frames */
    double *pass_ns;  /* frames * pass_count, NULL unless VFX_STAMPS_PASS: pass_ns[frame * pass_count + pass] */
    /* frames, NULL unless VFX_STAMPS_UPLOAD. Host: writing the frame's records and texels to where the device or a
     * command takes them from, and recording the commands; making them (frame_input) is not in it. GPU: the copies; 0
     * where the mode needs none. */
    double *upload_host_ns, *upload_gpu_ns;
    uint32_t frames, pass_count;
    double host_ns;   /* submit to last fence */
    uint32_t invalid; /* intervals that were not usable */
} vfx_run_times;

typedef struct vfx_run_request {
    const vfx_case *kase;
    const vfx_at_list *at;       /* may be NULL */
    uint32_t start_frame;        /* 0: from init; else the f32 reference runs up to here first */
    const vfx_host *start_state; /* STATE records at start_frame (a dump's), instead of the reference's; may be NULL */
    uint32_t frames;             /* device frames after start_frame */
    uint32_t read_every;         /* observer sees every so many frames and the last one; 0: only the last */
    bool poison;                 /* refill outputs and next states with VFX_POISON_WORD before every frame */
    vfx_stamps stamps;
    uint32_t workgroup;   /* 0: the pass row's own */
    uint32_t most_groups; /* workgroups of one dispatch; 0: as the device allows. A pass with more is split */
    const vfx_override *overrides;
    uint32_t override_count;
    uint32_t sample_items;    /* verify: check about so many items of each stage, spread evenly; 0: all */
    uint32_t yardstick_every; /* verify, step-locked: f32 reference in every so many frames, from the first; 0: never */
    bool skip_barriers;       /* leave out the barriers between passes: the missing-barrier fault test */
} vfx_run_request;

/* Called after frame feed->frame.index with the device's records: `prev` before and `now` after the frame
 * (prev is only filled when read_every is 1; INPUT and FRAME_INPUT records are in `now`). */
typedef vfx_status vfx_observer(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now);

/* A run holds the pipelines, buffers and command buffers of one case on one device; it can be repeated. */
typedef struct vfx_run vfx_run;
/* A case without storage_limit gets the device's. */
vfx_status vfx_run_create(vfx_run **run, struct vfx_gpu *gpu, const vfx_run_request *request) VFX_MUST_USE;
void vfx_run_destroy(vfx_run *run);
/* From the start state, all frames. `observer` and `times` may be NULL. UNSUPPORTED names what the device lacks,
 * MISMATCH a guard word overwritten. */
vfx_status vfx_run_gpu(vfx_run *run, vfx_observer *observer, void *user, vfx_run_times *times) VFX_MUST_USE;
/* Hash of the results that the last vfx_run_gpu() left on the device (vfx_host_hash of them). */
vfx_status vfx_run_hash(vfx_run *run, uint64_t *hash) VFX_MUST_USE;
/* Reads the records of a row that the last vfx_run_gpu() left into `records`, which has room for all of them. */
vfx_status vfx_run_read(vfx_run *run, uint32_t row, void *records) VFX_MUST_USE;
void vfx_run_times_free(vfx_run_times *times);

/* What the driver's compiler says about a pass, under its own names: "Register Count", "Spill Size", ... */
typedef struct vfx_statistic {
    char name[64];
    double value;
} vfx_statistic;
/* At most `room` rows. UNSUPPORTED where the device does not tell. */
vfx_status vfx_run_statistics(vfx_run *run, uint32_t pass, vfx_statistic *rows, uint32_t room,
                              uint32_t *count) VFX_MUST_USE;

/* ----------------------------------------------------------------------------------- verification */

typedef enum vfx_mode { VFX_STEP_LOCKED, VFX_FREE_RUN, VFX_REPEAT } vfx_mode;

/* Result of verifying one run. */
typedef struct vfx_verify_result {
    vfx_check_result checks[VFX_MAX_CHECKS];
    uint32_t frames;                        /* frames compared */
    uint32_t failed_check;                  /* row of the first failing check; UINT32_MAX: none */
    char failure[2048];                     /* its text, or the invariant's, guard's or hash's; "" when all passed */
    uint64_t hash;                          /* of the final STATE and OUTPUT records */
    double cpu_ns;                          /* spent in the reference */
    unsigned char metrics[VFX_MAX_METRICS]; /* record of kernel->metrics after the last frame seen */
} vfx_verify_result;

/* Runs and compares; OK and MISMATCH both fill *result. Stops at the first failing frame. */
vfx_status vfx_verify(struct vfx_gpu *gpu, const vfx_run_request *request, vfx_mode mode,
                      vfx_verify_result *result) VFX_MUST_USE;

#endif
