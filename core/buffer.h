/* core/buffer.h - device buffers of a case: memory, guard words, layout conversion, staging transfers. Core only. */
#ifndef VFX_BUFFER_H
#define VFX_BUFFER_H

#include "core/compare.h"
#include "core/vk.h"

typedef struct vfx_vk_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize bytes; /* whole buffer, guards included */
    void *mapped;       /* host pointer of host-visible memory */
} vfx_vk_buffer;

typedef enum vfx_memory_kind {
    VFX_MEMORY_DEVICE,   /* device-local */
    VFX_MEMORY_STAGING,  /* host-visible, coherent: host writes, device reads */
    VFX_MEMORY_READBACK, /* host-visible, coherent, cached where offered: device writes, host reads */
    VFX_MEMORY_SHARED    /* host-visible, coherent, device-local where offered: host writes, shaders read */
} vfx_memory_kind;

/* MEMORY naming `name` and the size when it cannot be had. */
vfx_status vfx_vk_buffer_create(vfx_gpu *gpu, vfx_vk_buffer *buffer, VkDeviceSize bytes, VkBufferUsageFlags usage,
                                vfx_memory_kind kind, const char *name) VFX_MUST_USE;
void vfx_vk_buffer_destroy(vfx_gpu *gpu, vfx_vk_buffer *buffer);

/* Memory type with all of `required` and as many of `preferred` as there is; UINT32_MAX if none. */
uint32_t vfx_vk_memory_type(const vfx_gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags required,
                            VkMemoryPropertyFlags preferred);

/* Records <-> streams: copies `count` records between the host's layout and the device's. */
void vfx_layout_to_device(const vfx_buffer *row, void *device, const void *host, uint64_t count);
void vfx_layout_to_host(const vfx_buffer *row, void *host, const void *device, uint64_t count);

/* Moves bytes through `staging` (host-visible), in chunks of its size; `offset` within the device buffer. */
vfx_status vfx_vk_upload(vfx_gpu *gpu, const vfx_vk_buffer *staging, const vfx_vk_buffer *to, VkDeviceSize offset,
                         const void *data, size_t bytes) VFX_MUST_USE;
vfx_status vfx_vk_download(vfx_gpu *gpu, const vfx_vk_buffer *staging, const vfx_vk_buffer *from, VkDeviceSize offset,
                           void *data, size_t bytes) VFX_MUST_USE;
#endif
