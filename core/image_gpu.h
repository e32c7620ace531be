/* core/image_gpu.h - sampled images of a case. Core only. */
#ifndef VFX_IMAGE_GPU_H
#define VFX_IMAGE_GPU_H

#include "core/buffer.h"
#include "core/vk.h"

typedef struct vfx_vk_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view; /* 2D array */
    VkSampler sampler;
    uint32_t size[3]; /* width, height, layers */
} vfx_vk_image;

/* Creates the image of a row and uploads `texels` (width x height x layers, tightly packed); afterwards it is ready for
 * shader reads. UNSUPPORTED with "needs ..., device offers ..." where size or format do not fit. */
vfx_status vfx_vk_image_create(vfx_gpu *gpu, vfx_vk_image *image, const vfx_image *row, const uint32_t size[3],
                               const void *texels) VFX_MUST_USE;
/* Records the upload of all texels from `offset` (a multiple of 16) of a buffer, old contents are dropped: the barriers
 * wait for all that comes before in the queue and hold back all that comes after. */
void vfx_vk_image_record(VkCommandBuffer commands, const vfx_vk_image *image, VkBuffer from, VkDeviceSize offset);
void vfx_vk_image_destroy(vfx_gpu *gpu, vfx_vk_image *image);

#endif
