/* core/pipeline.h - compute pipelines and descriptor sets of a variant, or of a small built-in pass. Core only. */
#ifndef VFX_PIPELINE_H
#define VFX_PIPELINE_H

#include "core/buffer.h"
#include "core/image_gpu.h"
#include "core/vk.h"

enum { VFX_MAX_BINDINGS = 1 + 2 * VFX_MAX_BUFFERS + VFX_MAX_IMAGES };

/* One binding of a layout. */
typedef struct vfx_vk_binding {
    uint32_t binding;
    VkDescriptorType type;
} vfx_vk_binding;

/* One descriptor of a set: a buffer range, or an image. */
typedef struct vfx_vk_resource {
    uint32_t binding;
    VkDescriptorType type;
    VkBuffer buffer;
    VkDeviceSize offset, range;
    const vfx_vk_image *image;
} vfx_vk_resource;

/* Set layout and pipeline layout (push constants: the frame block) shared by the passes of a variant. */
typedef struct vfx_vk_layout {
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
    VkDescriptorPool pool;
} vfx_vk_layout;

vfx_status vfx_vk_layout_create(vfx_gpu *gpu, vfx_vk_layout *layout, const vfx_vk_binding *bindings, uint32_t count,
                                uint32_t sets) VFX_MUST_USE;
void vfx_vk_layout_destroy(vfx_gpu *gpu, vfx_vk_layout *layout);

/* A set of the layout with all its resources written. */
vfx_status vfx_vk_set_create(vfx_gpu *gpu, const vfx_vk_layout *layout, const vfx_vk_resource *resources,
                             uint32_t count, VkDescriptorSet *set) VFX_MUST_USE;

/* Pipeline from SPIR-V words; constants[i] is specialisation constant i (0 is the workgroup size). `name` for messages.
 */
vfx_status vfx_vk_pipeline_create(vfx_gpu *gpu, const vfx_vk_layout *layout, const uint32_t *words, size_t bytes,
                                  const uint32_t *constants, uint32_t constant_count, const char *name,
                                  VkPipeline *pipeline) VFX_MUST_USE;

/* The same with creation flags. */
vfx_status vfx_vk_pipeline_create_flagged(vfx_gpu *gpu, const vfx_vk_layout *layout, const uint32_t *words,
                                          size_t bytes, const uint32_t *constants, uint32_t constant_count,
                                          const char *name, VkPipelineCreateFlags flags,
                                          VkPipeline *pipeline) VFX_MUST_USE;

/* Push constants and dispatches for `threads` invocations in groups of `workgroup`, at most `most_groups` of them in
 * one dispatch. The pipeline and set are bound. `frame` gives the block; first and count are filled in. */
void vfx_vk_dispatch(VkCommandBuffer commands, const vfx_vk_layout *layout, const vfx_frame *frame, uint32_t threads,
                     uint32_t workgroup, uint32_t most_groups);

#endif
