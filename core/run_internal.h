/* core/run_internal.h - the inside of a vfx_run, shared by run_setup.c (resources), run_input.c (what the host gives
 * per frame) and run_gpu.c (the frame loop). */
#ifndef VFX_RUN_INTERNAL_H
#define VFX_RUN_INTERNAL_H

#include "core/buffer.h"
#include "core/image_gpu.h"
#include "core/pipeline.h"
#include "core/run.h"
#include "core/timer.h"
#include "core/vk.h"

enum {
    VFX_IN_FLIGHT = 2,   /* batches recorded or running at once */
    VFX_MAX_BATCH = 256, /* frames of one submission at most */
    VFX_TAPE_MIB = 256   /* frame inputs kept on the host side for replay, at most */
};

/* Device copies of one buffer row. */
typedef struct vfx_run_buffer {
    vfx_vk_buffer device[2]; /* ping-pong states and mapped frame inputs have two */
    uint32_t copies;
    vfx_vk_buffer initial; /* STATE roles: the start state, for repeated runs */
    size_t bytes;          /* of the records */
} vfx_run_buffer;

/* Everything the host gives per frame, recorded once so that repeated runs need no host work: a ring of `slots`
 * frames; when it holds all frames of a run it is replayed. */
typedef struct vfx_tape {
    uint32_t slots;
    bool complete; /* slots hold every frame of the run */
    vfx_frame *blocks;
    uint32_t (*words)[VFX_MAX_PARAMS];
    bool *params_changed;
    size_t slot_bytes;
    size_t offset[VFX_MAX_BUFFERS];      /* of a FRAME_INPUT row within a slot */
    size_t image_offset[VFX_MAX_IMAGES]; /* of a per-frame image within a slot */
    size_t image_bytes[VFX_MAX_IMAGES];  /* 0: not per frame */
    uint64_t records;                    /* FRAME_INPUT records of a slot, all rows */
    vfx_vk_buffer staging;
} vfx_tape;

/* One submission in flight. */
typedef struct vfx_batch {
    VkCommandBuffer commands;
    VkFence fence;
    bool pending;
    uint32_t first, count; /* frames, 0-based within the run */
    uint64_t submitted_ns;
} vfx_batch;

struct vfx_run {
    vfx_gpu *gpu;
    vfx_run_request request;
    vfx_case kase;
    vfx_upload upload;
    vfx_run_buffer buffers[VFX_MAX_BUFFERS];
    vfx_vk_image images[VFX_MAX_IMAGES];
    vfx_vk_buffer params;   /* uniform */
    vfx_vk_buffer transfer; /* staging for uploads and reads, host-cached */
    void *scratch;          /* one buffer with its guards, device layout */
    vfx_vk_layout layout;
    VkDescriptorSet sets[2]; /* by parity: frame k uses sets[(k - 1) & 1] */
    VkPipeline pipelines[VFX_MAX_PASSES];
    uint32_t workgroups[VFX_MAX_PASSES];
    uint32_t once_outputs; /* bit i: buffer row i is written by once passes only */
    VkQueryPool queries;
    uint32_t queries_per_frame, batch_frames;
    vfx_stamp *stamps; /* of one batch */
    vfx_batch batches[VFX_IN_FLIGHT];
    VkBufferCopy *regions; /* VFX_UPLOAD_REGIONS */
    vfx_tape tape;
    vfx_host start; /* frame start_frame: states, inputs, images */
    vfx_host prev, now;
    bool has_observer_hosts;
    double *upload_host_ns;   /* while a run wants it (VFX_STAMPS_UPLOAD): the times' own array, else NULL */
    double frame_estimate_ns; /* of the last finished batch */
};

/* run_setup.c */
vfx_status vfx_run_setup(vfx_run *run) VFX_MUST_USE;
/* Puts the device into the start state: states from their initial copies, outputs poisoned, guards, once passes. */
vfx_status vfx_run_reset(vfx_run *run) VFX_MUST_USE;
/* The pipeline of pass `index`, whose workgroup size is set. */
vfx_status vfx_run_create_pipeline(vfx_run *run, uint32_t index, VkPipelineCreateFlags flags,
                                   VkPipeline *pipeline) VFX_MUST_USE;
/* Offset of buffer row `row`'s records within its device buffer. */
#define VFX_RECORDS_OFFSET ((VkDeviceSize)VFX_GUARD_BYTES)

/* run_input.c */
vfx_upload vfx_run_upload_mode(const vfx_case *kase);
vfx_status vfx_run_create_tape(vfx_run *run) VFX_MUST_USE;
/* Frames of one submission at most: as many as the tape, the upload mode and the driver's memory allow. */
uint32_t vfx_run_batch_frames(const vfx_run *run);
/* Advances the feed by one frame into its tape slot. `frame` is 0-based within the run. */
void vfx_run_fill_slot(vfx_run *run, vfx_feed *feed, uint32_t frame);
/* Records the upload of the frame's records and texels from its tape slot. */
void vfx_run_record_inputs(vfx_run *run, VkCommandBuffer commands, uint32_t frame, uint32_t slot);
/* Are there commands that copy inputs? Mapped records need none. */
bool vfx_run_copies_inputs(const vfx_run *run);

/* run_gpu.c: records the passes of one frame (or the once passes) with barriers between them. `stamp` is the index of
 * the next query or UINT32_MAX. */
void vfx_run_record_passes(vfx_run *run, VkCommandBuffer commands, const vfx_frame *block, bool once, uint32_t parity,
                           uint32_t stamp);

/* True if the variant binds the row. */
static inline bool vfx_run_uses(const vfx_run *run, uint32_t row)
{
    return run->kase.variant->buffers >> row & 1;
}

#endif
