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
} vfx_vk_image;

/* Creates the image of a row and uploads `texels` (width x height x layers, tightly packed); afterwards it is ready for
 * shader reads. UNSUPPORTED with "needs ..., device offers ..." where size or format do not fit. */
vfx_status vfx_vk_image_create(vfx_gpu *gpu, vfx_vk_image *image, const vfx_image *row, const uint32_t size[3],
                               const void *texels) VFX_MUST_USE;
void vfx_vk_image_destroy(vfx_gpu *gpu, vfx_vk_image *image);

#endif
