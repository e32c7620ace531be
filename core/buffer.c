/* core/buffer.c - see buffer.h. */
#include "core/vk.h"

#include "core/buffer.h"

#include <stdlib.h>
#include <string.h>

uint32_t vfx_vk_memory_type(const vfx_gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags required,
                            VkMemoryPropertyFlags preferred)
{
    uint32_t fallback = UINT32_MAX;
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; ++i) {
        VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[i].propertyFlags;
        if (!(allowed >> i & 1) || (flags & required) != required)
            continue;
        if ((flags & preferred) == preferred)
            return i;
        if (fallback == UINT32_MAX)
            fallback = i;
    }
    return fallback;
}

static vfx_status allocate(vfx_gpu *gpu, vfx_vk_buffer *buffer, vfx_memory_kind kind, const char *name)
{
    static const struct {
        VkMemoryPropertyFlags required, preferred;
    } kinds[] = {
        [VFX_MEMORY_DEVICE] = {0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
        [VFX_MEMORY_STAGING] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, 0},
        [VFX_MEMORY_READBACK] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                 VK_MEMORY_PROPERTY_HOST_CACHED_BIT},
        [VFX_MEMORY_SHARED] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                               VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    };
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->device, buffer->buffer, &needs);
    uint32_t type = vfx_vk_memory_type(gpu, needs.memoryTypeBits, kinds[kind].required, kinds[kind].preferred);
    if (type == UINT32_MAX)
        return vfx_fail(VFX_UNSUPPORTED, "no memory type for buffer '%s'", name);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    if (vkAllocateMemory(gpu->device, &info, NULL, &buffer->memory) != VK_SUCCESS)
        return vfx_fail(VFX_MEMORY, "out of device memory for buffer '%s' (%llu bytes)", name,
                        (unsigned long long)needs.size);
    VFX_VK(vkBindBufferMemory(gpu->device, buffer->buffer, buffer->memory, 0));
    if (kind != VFX_MEMORY_DEVICE)
        VFX_VK(vkMapMemory(gpu->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped));
    return VFX_OK;
}

vfx_status vfx_vk_buffer_create(vfx_gpu *gpu, vfx_vk_buffer *buffer, VkDeviceSize bytes, VkBufferUsageFlags usage,
                                vfx_memory_kind kind, const char *name)
{
    *buffer = (vfx_vk_buffer){.bytes = bytes};
    VkBufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                 .size = bytes,
                                 .usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    vfx_status status =
        vfx_vk_check(vkCreateBuffer(gpu->device, &create, NULL, &buffer->buffer), "vkCreateBuffer", __FILE__, __LINE__);
    if (status == VFX_OK)
        status = allocate(gpu, buffer, kind, name);
    if (status == VFX_OK)
        vfx_vk_name(gpu, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer->buffer, name);
    else
        vfx_vk_buffer_destroy(gpu, buffer);
    return status;
}

void vfx_vk_buffer_destroy(vfx_gpu *gpu, vfx_vk_buffer *buffer)
{
    if (gpu->hung)
        return;
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    vkFreeMemory(gpu->device, buffer->memory, NULL);
    *buffer = (vfx_vk_buffer){0};
}

/* Quad q of record i sits at q * count + i in streams, at i * quads + q in records. */
static void transpose(const vfx_buffer *row, char *to, const char *from, uint64_t count, bool to_device)
{
    size_t quads = row->stride / 16;
    for (size_t i = 0; i < count; ++i)
        for (size_t q = 0; q < quads; ++q) {
            size_t stream = 16 * (q * count + i), record = 16 * (i * quads + q);
            memcpy(to + (to_device ? stream : record), from + (to_device ? record : stream), 16);
        }
}

void vfx_layout_to_device(const vfx_buffer *row, void *device, const void *host, uint64_t count)
{
    if (row->layout == VFX_STREAMS)
        transpose(row, device, host, count, true);
    else
        memcpy(device, host, (size_t)count * row->stride);
}

void vfx_layout_to_host(const vfx_buffer *row, void *host, const void *device, uint64_t count)
{
    if (row->layout == VFX_STREAMS)
        transpose(row, host, device, count, false);
    else
        memcpy(host, device, (size_t)count * row->stride);
}

static vfx_status copy_chunk(vfx_gpu *gpu, VkBuffer from, VkDeviceSize from_offset, VkBuffer to, VkDeviceSize to_offset,
                             VkDeviceSize bytes)
{
    VkCommandBuffer commands;
    VFX_TRY(vfx_vk_begin(gpu, &commands));
    VkBufferCopy region = {.srcOffset = from_offset, .dstOffset = to_offset, .size = bytes};
    vfx_vk_full_barrier(commands);
    vkCmdCopyBuffer(commands, from, to, 1, &region);
    VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &to_host, 0, NULL, 0,
                         NULL);
    return vfx_vk_submit_wait(gpu, commands);
}

vfx_status vfx_vk_upload(vfx_gpu *gpu, const vfx_vk_buffer *staging, const vfx_vk_buffer *to, VkDeviceSize offset,
                         const void *data, size_t bytes)
{
    size_t chunk = (size_t)staging->bytes;
    for (size_t done = 0; done < bytes; done += chunk) {
        size_t part = bytes - done < chunk ? bytes - done : chunk;
        memcpy(staging->mapped, (const char *)data + done, part);
        VFX_TRY(copy_chunk(gpu, staging->buffer, 0, to->buffer, offset + done, part));
    }
    return VFX_OK;
}

vfx_status vfx_vk_download(vfx_gpu *gpu, const vfx_vk_buffer *staging, const vfx_vk_buffer *from, VkDeviceSize offset,
                           void *data, size_t bytes)
{
    size_t chunk = (size_t)staging->bytes;
    for (size_t done = 0; done < bytes; done += chunk) {
        size_t part = bytes - done < chunk ? bytes - done : chunk;
        VFX_TRY(copy_chunk(gpu, from->buffer, offset + done, staging->buffer, 0, part));
        memcpy((char *)data + done, staging->mapped, part);
    }
    return VFX_OK;
}
