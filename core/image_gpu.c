/* core/image_gpu.c - see image_gpu.h. */
#include "core/image_gpu.h"
#include "core/run.h"

#include <string.h>

static const VkFormat formats[] = {
    [VFX_RGBA8_UNORM] = VK_FORMAT_R8G8B8A8_UNORM,
    [VFX_RGBA8_UINT] = VK_FORMAT_R8G8B8A8_UINT,
    [VFX_RGBA16_UNORM] = VK_FORMAT_R16G16B16A16_UNORM,
    [VFX_RGBA16_UINT] = VK_FORMAT_R16G16B16A16_UINT,
    [VFX_RGBA32_FLOAT] = VK_FORMAT_R32G32B32A32_SFLOAT,
    [VFX_R16_UNORM] = VK_FORMAT_R16_UNORM,
    [VFX_R8_UNORM] = VK_FORMAT_R8_UNORM,
};

static vfx_status check_support(vfx_gpu *gpu, const vfx_image *row, const uint32_t size[3])
{
    uint32_t side = gpu->limits.maxImageDimension2D, layers = gpu->limits.maxImageArrayLayers;
    if (size[0] == 0 || size[1] == 0 || size[2] == 0)
        return vfx_fail(VFX_USAGE, "image '%s' is empty (%u x %u, %u layers)", row->name, size[0], size[1], size[2]);
    if (size[0] > side || size[1] > side || size[2] > layers)
        return vfx_fail(VFX_UNSUPPORTED, "image '%s': needs %u x %u and %u layers, device offers %u x %u and %u",
                        row->name, size[0], size[1], size[2], side, side, layers);
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(gpu->physical, formats[row->format], &properties);
    VkFormatFeatureFlags needs = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    if (row->linear)
        needs |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    if ((properties.optimalTilingFeatures & needs) != needs)
        return vfx_fail(VFX_UNSUPPORTED, "image '%s': needs its format sampled%s, device does not offer that",
                        row->name, row->linear ? " with linear filter" : "");
    return VFX_OK;
}

static vfx_status create_objects(vfx_gpu *gpu, vfx_vk_image *image, const vfx_image *row, const uint32_t size[3])
{
    VkImageCreateInfo create = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                .imageType = VK_IMAGE_TYPE_2D,
                                .format = formats[row->format],
                                .extent = {size[0], size[1], 1},
                                .mipLevels = 1,
                                .arrayLayers = size[2],
                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                .tiling = VK_IMAGE_TILING_OPTIMAL,
                                .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VFX_VK(vkCreateImage(gpu->device, &create, NULL, &image->image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->device, image->image, &needs);
    uint32_t type = vfx_vk_memory_type(gpu, needs.memoryTypeBits, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    if (type == UINT32_MAX || vkAllocateMemory(gpu->device, &allocate, NULL, &image->memory) != VK_SUCCESS)
        return vfx_fail(VFX_MEMORY, "out of device memory for image '%s' (%llu bytes)", row->name,
                        (unsigned long long)needs.size);
    VFX_VK(vkBindImageMemory(gpu->device, image->image, image->memory, 0));
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image->image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                  .format = create.format,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, size[2]}};
    VFX_VK(vkCreateImageView(gpu->device, &view, NULL, &image->view));
    VkFilter filter = row->linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .magFilter = filter,
                                   .minFilter = filter,
                                   .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    VFX_VK(vkCreateSampler(gpu->device, &sampler, NULL, &image->sampler));
    return VFX_OK;
}

static void transition(VkCommandBuffer commands, const vfx_vk_image *image, VkImageLayout from, VkImageLayout to)
{
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                    .oldLayout = from,
                                    .newLayout = to,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image->image,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, image->size[2]}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
}

void vfx_vk_image_record(VkCommandBuffer commands, const vfx_vk_image *image, VkBuffer from, VkDeviceSize offset)
{
    VkBufferImageCopy region = {.bufferOffset = offset,
                                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, image->size[2]},
                                .imageExtent = {image->size[0], image->size[1], 1}};
    transition(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, from, image->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    transition(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

static vfx_status upload(vfx_gpu *gpu, const vfx_vk_image *image, const vfx_vk_buffer *staging)
{
    VkCommandBuffer commands;
    VFX_TRY(vfx_vk_begin(gpu, &commands));
    vfx_vk_image_record(commands, image, staging->buffer, 0);
    return vfx_vk_submit_wait(gpu, commands);
}

vfx_status vfx_vk_image_create(vfx_gpu *gpu, vfx_vk_image *image, const vfx_image *row, const uint32_t size[3],
                               const void *texels)
{
    *image = (vfx_vk_image){.size = {size[0], size[1], size[2]}};
    VFX_TRY(check_support(gpu, row, size));
    size_t bytes = (size_t)size[0] * size[1] * size[2] * vfx_format_bytes(row->format);
    vfx_vk_buffer staging;
    VFX_TRY(vfx_vk_buffer_create(gpu, &staging, bytes, 0, VFX_MEMORY_STAGING, row->name));
    memcpy(staging.mapped, texels, bytes);
    vfx_status status = create_objects(gpu, image, row, size);
    if (status == VFX_OK)
        status = upload(gpu, image, &staging);
    vfx_vk_buffer_destroy(gpu, &staging);
    if (status != VFX_OK)
        vfx_vk_image_destroy(gpu, image);
    return status;
}

void vfx_vk_image_destroy(vfx_gpu *gpu, vfx_vk_image *image)
{
    if (gpu->hung)
        return;
    vkDestroySampler(gpu->device, image->sampler, NULL);
    vkDestroyImageView(gpu->device, image->view, NULL);
    vkDestroyImage(gpu->device, image->image, NULL);
    vkFreeMemory(gpu->device, image->memory, NULL);
    *image = (vfx_vk_image){0};
}
