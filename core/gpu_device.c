/* core/gpu_device.c - what a physical device offers, whether a case fits on it, and the few command-buffer helpers
 * that every Vulkan file of the core uses. */
#include "core/vk.h"

#include "core/buffer.h"
#include "core/params.h"
#include "core/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASELINE_INVOCATIONS = 256, BASELINE_SHARED_BYTES = 32768, BASELINE_STORAGE_BUFFERS = 8 };

void vfx_vulkan_headers(uint32_t version[3])
{
    version[0] = VK_API_VERSION_MAJOR(VK_HEADER_VERSION_COMPLETE);
    version[1] = VK_API_VERSION_MINOR(VK_HEADER_VERSION_COMPLETE);
    version[2] = VK_HEADER_VERSION;
}

static vfx_device_type device_type(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return VFX_DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return VFX_DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return VFX_DEVICE_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return VFX_DEVICE_CPU;
    default:
        return VFX_DEVICE_OTHER;
    }
}

static void uuid_text(const uint8_t uuid[VK_UUID_SIZE], char text[37])
{
    char *at = text;
    for (unsigned i = 0; i < VK_UUID_SIZE; ++i)
        at += sprintf(at, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
}

/* First family that computes; of several the one with the most valid timestamp bits. UINT32_MAX if none. */
static void choose_queue(VkPhysicalDevice physical, vfx_device_info *info)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = VFX_COUNT(families);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    info->queue_family = UINT32_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
            continue;
        if (info->queue_family == UINT32_MAX || families[i].timestampValidBits > info->timestamp_valid_bits) {
            info->queue_family = i;
            info->timestamp_valid_bits = families[i].timestampValidBits;
        }
    }
}

static void describe_limits(const VkPhysicalDeviceProperties *properties, vfx_device_info *info)
{
    const VkPhysicalDeviceLimits *limits = &properties->limits;
    snprintf(info->name, sizeof info->name, "%s", properties->deviceName);
    info->type = device_type(properties->deviceType);
    info->vendor_id = properties->vendorID;
    info->device_id = properties->deviceID;
    info->api_version = properties->apiVersion;
    info->driver_version = properties->driverVersion;
    info->max_storage_bytes = limits->maxStorageBufferRange;
    info->max_uniform_bytes = limits->maxUniformBufferRange;
    info->max_workgroup_invocations = limits->maxComputeWorkGroupInvocations;
    if (limits->maxComputeWorkGroupSize[0] < info->max_workgroup_invocations)
        info->max_workgroup_invocations = limits->maxComputeWorkGroupSize[0];
    info->max_workgroup_count = limits->maxComputeWorkGroupCount[0];
    info->shared_memory_bytes = limits->maxComputeSharedMemorySize;
    info->push_constant_bytes = limits->maxPushConstantsSize;
    info->timestamp_period_ns = (double)limits->timestampPeriod;
}

bool vfx_vk_has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) != VK_SUCCESS || count == 0)
        return false;
    VkExtensionProperties *rows = calloc(count, sizeof *rows);
    if (rows && vkEnumerateDeviceExtensionProperties(physical, NULL, &count, rows) >= 0)
        for (uint32_t i = 0; i < count && !found; ++i)
            found = strcmp(rows[i].extensionName, name) == 0;
    free(rows);
    return found;
}

static void judge(const VkPhysicalDeviceLimits *limits, vfx_device_info *info)
{
    const char *reason = "";
    if (info->api_version < VK_API_VERSION_1_2)
        reason = "needs Vulkan 1.2";
    else if (!info->scalar_block_layout)
        reason = "needs the feature scalarBlockLayout";
    else if (info->queue_family == UINT32_MAX)
        reason = "needs a compute queue";
    else if (info->max_workgroup_invocations < BASELINE_INVOCATIONS)
        reason = "needs workgroups of 256 invocations";
    else if (info->shared_memory_bytes < BASELINE_SHARED_BYTES)
        reason = "needs 32 KiB of shared memory";
    else if (limits->maxPerStageDescriptorStorageBuffers < BASELINE_STORAGE_BUFFERS)
        reason = "needs 8 storage buffers per stage";
    snprintf(info->reason, sizeof info->reason, "%s", reason);
    info->usable = !*reason;
}

void vfx_vk_describe(VkPhysicalDevice physical, uint32_t index, vfx_device_info *info)
{
    *info = (vfx_device_info){.index = index};
    VkPhysicalDeviceProperties plain;
    vkGetPhysicalDeviceProperties(physical, &plain);
    describe_limits(&plain, info);
    choose_queue(physical, info);
    if (plain.apiVersion >= VK_API_VERSION_1_2) {
        VkPhysicalDeviceVulkan12Properties p12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
        VkPhysicalDeviceVulkan11Properties p11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                                  .pNext = &p12};
        VkPhysicalDeviceProperties2 p2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &p11};
        vkGetPhysicalDeviceProperties2(physical, &p2);
        VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        VkPhysicalDeviceVulkan11Features f11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                                .pNext = &f12};
        VkPhysicalDeviceFeatures2 f2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11};
        vkGetPhysicalDeviceFeatures2(physical, &f2);
        uuid_text(p11.deviceUUID, info->uuid);
        uuid_text(p11.driverUUID, info->driver_uuid);
        snprintf(info->driver, sizeof info->driver, "%.120s %.120s", p12.driverName, p12.driverInfo);
        info->max_allocation_bytes = p11.maxMemoryAllocationSize;
        info->subgroup_size = p11.subgroupSize;
        info->subgroup_shuffle = (p11.subgroupSupportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) &&
                                 (p11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
        info->float16_storage = f11.storageBuffer16BitAccess;
        info->scalar_block_layout = f12.scalarBlockLayout;
        info->denorm_preserve_f32 = p12.shaderDenormPreserveFloat32;
        info->denorm_flush_f32 = p12.shaderDenormFlushToZeroFloat32;
        info->rounding_rte_f32 = p12.shaderRoundingModeRTEFloat32;
        info->signed_zero_inf_nan_f32 = p12.shaderSignedZeroInfNanPreserveFloat32;
    }
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            memory.memoryHeaps[i].size > info->heap_bytes)
            info->heap_bytes = memory.memoryHeaps[i].size;
    judge(&plain.limits, info);
}

/* ------------------------------------------------------------------------------- does it fit? */

uint64_t vfx_storage_limit(const vfx_device_info *info)
{
    uint64_t guards = 2u * VFX_GUARD_BYTES, most = info->max_storage_bytes;
    if (info->max_allocation_bytes && info->max_allocation_bytes < most)
        most = info->max_allocation_bytes;
    return most > guards ? most - guards : 1; /* 0 would be no limit */
}

static vfx_status check_buffers(const vfx_device_info *info, const vfx_case *kase)
{
    double total = 0;
    for (uint32_t row = 0; row < kase->kernel->buffer_count; ++row) {
        if (!(kase->variant->buffers >> row & 1))
            continue;
        const vfx_buffer *buffer = &kase->kernel->buffers[row];
        size_t bytes;
        VFX_TRY(vfx_buffer_bytes(kase, row, &bytes));
        uint64_t bound = (uint64_t)bytes + VFX_GUARD_BYTES;
        if (bound > info->max_storage_bytes)
            return vfx_fail(VFX_UNSUPPORTED, "needs %llu bytes in storage buffer '%s', device offers %llu",
                            (unsigned long long)bound, buffer->name, (unsigned long long)info->max_storage_bytes);
        if (info->max_allocation_bytes && bound > info->max_allocation_bytes)
            return vfx_fail(VFX_UNSUPPORTED, "needs an allocation of %llu bytes for '%s', device offers %llu",
                            (unsigned long long)bound, buffer->name, (unsigned long long)info->max_allocation_bytes);
        bool state = vfx_role_is_state(buffer->role);
        total += (double)bound * (buffer->role == VFX_STATE_PING_PONG ? 3 : state ? 2 : 1);
    }
    if (total > 0.9 * (double)info->heap_bytes)
        return vfx_fail(VFX_UNSUPPORTED, "needs %.2f GB of device memory, device offers %.2f GB", total * 1e-9,
                        (double)info->heap_bytes * 1e-9);
    return VFX_OK;
}

vfx_status vfx_gpu_supports(const vfx_gpu *gpu, const vfx_case *kase)
{
    const vfx_device_info *info = &gpu->info;
    if ((kase->variant->features & VFX_NEEDS_SUBGROUP_SHUFFLE) && !info->subgroup_shuffle)
        return vfx_fail(VFX_UNSUPPORTED, "needs subgroup shuffles in compute, device offers none");
    if ((kase->variant->features & VFX_NEEDS_FLOAT16_STORAGE) && !info->float16_storage)
        return vfx_fail(VFX_UNSUPPORTED, "needs 16-bit storage, device offers none");
    for (uint32_t i = 0; i < kase->variant->pass_count; ++i)
        if (kase->variant->passes[i].workgroup > info->max_workgroup_invocations)
            return vfx_fail(VFX_UNSUPPORTED, "needs workgroups of %u invocations in pass '%s', device offers %u",
                            kase->variant->passes[i].workgroup, kase->variant->passes[i].name,
                            info->max_workgroup_invocations);
    for (uint32_t i = 0; i < kase->variant->pass_count; ++i) {
        uint64_t threads = kase->variant->passes[i].threads(kase);
        if (threads > VFX_MAX_THREADS)
            return vfx_fail(VFX_UNSUPPORTED, "needs %llu invocations in pass '%s', 32-bit indices offer %u",
                            (unsigned long long)threads, kase->variant->passes[i].name, VFX_MAX_THREADS);
    }
    uint32_t bindings = 0;
    for (uint32_t row = 0; row < kase->kernel->buffer_count; ++row)
        if (kase->variant->buffers >> row & 1)
            bindings += kase->kernel->buffers[row].role == VFX_STATE_PING_PONG ? 2 : 1;
    if (bindings > gpu->limits.maxPerStageDescriptorStorageBuffers)
        return vfx_fail(VFX_UNSUPPORTED, "needs %u storage buffers in a stage, device offers %u", bindings,
                        gpu->limits.maxPerStageDescriptorStorageBuffers);
    return check_buffers(info, kase);
}

/* ------------------------------------------------------------------------------------ commands */

vfx_status vfx_vk_begin(vfx_gpu *gpu, VkCommandBuffer *commands)
{
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = gpu->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    VFX_VK(vkAllocateCommandBuffers(gpu->device, &allocate, commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkResult result = vkBeginCommandBuffer(*commands, &begin);
    if (result != VK_SUCCESS)
        vkFreeCommandBuffers(gpu->device, gpu->pool, 1, commands);
    return vfx_vk_check(result, "vkBeginCommandBuffer", __FILE__, __LINE__);
}

vfx_status vfx_vk_wait(vfx_gpu *gpu, VkFence fence)
{
    VkResult result = vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, gpu->fence_timeout_ns);
    gpu->hung = gpu->hung || result == VK_TIMEOUT || result == VK_ERROR_DEVICE_LOST;
    if (result == VK_TIMEOUT)
        return vfx_fail(VFX_TIMEOUT, "the device did not finish within %.0f ms (--fence-timeout)",
                        (double)gpu->fence_timeout_ns * 1e-6);
    return vfx_vk_check(result, "vkWaitForFences", __FILE__, __LINE__);
}

static vfx_status submit_wait(vfx_gpu *gpu, VkCommandBuffer commands, VkFence *fence)
{
    VFX_VK(vkEndCommandBuffer(commands));
    VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VFX_VK(vkCreateFence(gpu->device, &create, NULL, fence));
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    VFX_VK(vkQueueSubmit(gpu->queue, 1, &submit, *fence));
    return vfx_vk_wait(gpu, *fence);
}

vfx_status vfx_vk_submit_wait(vfx_gpu *gpu, VkCommandBuffer commands)
{
    VkFence fence = VK_NULL_HANDLE;
    vfx_status status = submit_wait(gpu, commands, &fence);
    if (gpu->hung)
        return status; /* still in use by the device: leaked on purpose, the process is about to end */
    vkDestroyFence(gpu->device, fence, NULL);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commands);
    return status;
}

void vfx_vk_full_barrier(VkCommandBuffer commands)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

void vfx_vk_compute_barrier(VkCommandBuffer commands)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}
