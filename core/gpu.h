/* core/gpu.h - devices without their Vulkan types: enumeration, selection rules, opening, validation messages,
 * whether a case fits, and the measured ceilings. The Vulkan side of vfx_gpu is in core/vk.h. */
#ifndef VFX_GPU_H
#define VFX_GPU_H

#include "core/kernel.h"

typedef struct vfx_gpu vfx_gpu;

/* Invocations of a pass at most: the index of the last lane of the last workgroup still fits 32 bits. */
#define VFX_MAX_THREADS (UINT32_MAX - 65536u)

typedef enum vfx_device_type {
    VFX_DEVICE_DISCRETE,
    VFX_DEVICE_INTEGRATED,
    VFX_DEVICE_VIRTUAL,
    VFX_DEVICE_OTHER,
    VFX_DEVICE_CPU
} vfx_device_type;

typedef struct vfx_device_info {
    uint32_t index; /* in the loader's order */
    char name[256];
    char driver[256]; /* driver name and info */
    char uuid[37];    /* 8-4-4-4-12 hex text */
    char driver_uuid[37];
    vfx_device_type type;
    uint32_t vendor_id, device_id, api_version, driver_version;
    uint64_t max_storage_bytes; /* of one storage-buffer binding */
    uint64_t max_uniform_bytes;
    uint64_t max_allocation_bytes;
    uint64_t heap_bytes; /* largest device-local heap */
    uint32_t max_workgroup_invocations, max_workgroup_count, shared_memory_bytes;
    uint32_t push_constant_bytes;
    uint32_t subgroup_size;
    uint32_t queue_family, timestamp_valid_bits;
    double timestamp_period_ns;
    bool scalar_block_layout, subgroup_shuffle, float16_storage;
    bool denorm_preserve_f32, denorm_flush_f32, rounding_rte_f32, signed_zero_inf_nan_f32;
    bool usable;      /* meets the baseline: Vulkan 1.2, scalarBlockLayout, a compute queue, ... */
    char reason[128]; /* why not usable */
} vfx_device_info;

const char *vfx_device_type_name(vfx_device_type type); /* "discrete", ..., "cpu" */

typedef enum vfx_validation { VFX_VALIDATION_OFF, VFX_VALIDATION_AUTO, VFX_VALIDATION_REQUIRE } vfx_validation;

/* Version of the Vulkan headers this was built with: major, minor, patch. */
void vfx_vulkan_headers(uint32_t version[3]);

/* All devices. *list is malloc'ed. UNSUPPORTED with a message when there is no Vulkan loader, driver or device. */
vfx_status vfx_devices(vfx_device_info **list, uint32_t *count) VFX_MUST_USE;

typedef struct vfx_gpu_desc {
    const char *device; /* UUID, name substring (case-insensitive) or index; NULL: the best */
    bool allow_cpu;     /* CPU devices may be chosen without being asked for by UUID or name */
    vfx_validation validation;
    bool labels;               /* name objects and regions for debuggers, where the extension is there */
    uint32_t fence_timeout_ms; /* 0: 10 s */
    uint32_t batch_budget_ms;  /* longest predicted submission; 0: 100 ms */
} vfx_gpu_desc;

/* Opens a device. UNSUPPORTED: nothing suitable (message says what to do); VULKAN: a call failed, or
 * validation=require without the layer. */
vfx_status vfx_gpu_create(vfx_gpu **gpu, const vfx_gpu_desc *desc) VFX_MUST_USE;
void vfx_gpu_destroy(vfx_gpu *gpu);
const vfx_device_info *vfx_gpu_info(const vfx_gpu *gpu);
bool vfx_gpu_validating(const vfx_gpu *gpu);

/* Validation messages since the last call; copies the first one's text. */
uint32_t vfx_gpu_messages(vfx_gpu *gpu, char *first, size_t bytes);

/* Bytes of records that one storage buffer of the device may hold: what vfx_case.storage_limit is for it. */
uint64_t vfx_storage_limit(const vfx_device_info *info);

/* OK, or UNSUPPORTED "needs X, device offers Y". */
vfx_status vfx_gpu_supports(const vfx_gpu *gpu, const vfx_case *kase) VFX_MUST_USE;

/* Best sustained rates of small built-in passes, measured now: median of several runs. */
typedef struct vfx_ceilings {
    double copy_bytes_per_s; /* read + write, 16 B per lane */
    double fill_bytes_per_s; /* write */
    double read_bytes_per_s;
    double fma_flops;     /* flop/s */
    double empty_pair_ns; /* an empty dispatch between two timestamps: the floor of any time */
    double buffer_bytes;  /* size of the measured buffers */
} vfx_ceilings;
vfx_status vfx_measure_ceilings(vfx_gpu *gpu, vfx_ceilings *ceilings) VFX_MUST_USE;

#endif
