/* core/vk.h - the Vulkan side of an opened device, for the core's Vulkan files only. */
#ifndef VFX_VK_H
#define VFX_VK_H

#include "core/gpu.h"

#include <volk.h>

enum { VFX_MAX_DEVICES = 16 };

/* An instance and, once opened, one device with one compute queue. */
struct vfx_gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceLimits limits;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    vfx_device_info info;
    bool validating;
    bool labels;                /* names and regions are wanted, and the extension is there */
    bool executable_statistics; /* VK_KHR_pipeline_executable_properties is on */
    uint64_t fence_timeout_ns;
    double batch_budget_ns;
    bool hung;               /* a fence timed out or the device was lost: nothing of it is touched again */
    uint32_t messages;       /* validation messages since last asked */
    char first_message[512]; /* the first of them */
};

/* Records call, result and place; OUT_OF_*_MEMORY -> MEMORY, DEVICE_LOST -> LOST, TIMEOUT -> TIMEOUT. */
vfx_status vfx_vk_check(VkResult result, const char *call, const char *file, int line) VFX_MUST_USE;
#define VFX_VK(call) VFX_TRY(vfx_vk_check((call), #call, __FILE__, __LINE__))

const char *vfx_vk_result_name(VkResult result);

/* Instance level, in gpu_device.c: fills `info` from a physical device. */
void vfx_vk_describe(VkPhysicalDevice physical, uint32_t index, vfx_device_info *info);

/* True if the physical device has the extension. */
bool vfx_vk_has_extension(VkPhysicalDevice physical, const char *name);

/* Names for debuggers (gpu_labels.c). `handle` is the object, cast; regions nest. */
void vfx_vk_name(const vfx_gpu *gpu, VkObjectType type, uint64_t handle, const char *name);
void vfx_vk_label_begin(const vfx_gpu *gpu, VkCommandBuffer commands, const char *name);
void vfx_vk_label_end(const vfx_gpu *gpu, VkCommandBuffer commands);

/* A primary command buffer of the device's pool, begun for one submission. */
vfx_status vfx_vk_begin(vfx_gpu *gpu, VkCommandBuffer *commands) VFX_MUST_USE;
/* Ends, submits, waits up to the fence timeout, frees. */
vfx_status vfx_vk_submit_wait(vfx_gpu *gpu, VkCommandBuffer commands) VFX_MUST_USE;
/* Waits for a fence up to the fence timeout. */
vfx_status vfx_vk_wait(vfx_gpu *gpu, VkFence fence) VFX_MUST_USE;
/* All commands, all memory: the barrier at the edges of a frame. */
void vfx_vk_full_barrier(VkCommandBuffer commands);
/* Compute to compute: the barrier between the passes of a frame. */
void vfx_vk_compute_barrier(VkCommandBuffer commands);

#endif
