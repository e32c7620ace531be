/* core/pipeline.c - see pipeline.h. */
#include "core/pipeline.h"

static vfx_status create_layouts(vfx_gpu *gpu, vfx_vk_layout *layout, const vfx_vk_binding *bindings, uint32_t count,
                                 uint32_t sets)
{
    VkDescriptorSetLayoutBinding rows[VFX_MAX_BINDINGS];
    VkDescriptorPoolSize sizes[VFX_MAX_BINDINGS];
    if (count > VFX_MAX_BINDINGS)
        return vfx_fail(VFX_UNSUPPORTED, "%u bindings, at most %d", count, VFX_MAX_BINDINGS);
    for (uint32_t i = 0; i < count; ++i) {
        rows[i] = (VkDescriptorSetLayoutBinding){.binding = bindings[i].binding,
                                                 .descriptorType = bindings[i].type,
                                                 .descriptorCount = 1,
                                                 .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        sizes[i] = (VkDescriptorPoolSize){bindings[i].type, sets};
    }
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = rows};
    VFX_VK(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, &layout->set));
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(vfx_frame)};
    VkPipelineLayoutCreateInfo pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .setLayoutCount = 1,
                                           .pSetLayouts = &layout->set,
                                           .pushConstantRangeCount = 1,
                                           .pPushConstantRanges = &push};
    VFX_VK(vkCreatePipelineLayout(gpu->device, &pipeline, NULL, &layout->pipeline));
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = sets,
                                       .poolSizeCount = count,
                                       .pPoolSizes = sizes};
    VFX_VK(vkCreateDescriptorPool(gpu->device, &pool, NULL, &layout->pool));
    return VFX_OK;
}

vfx_status vfx_vk_layout_create(vfx_gpu *gpu, vfx_vk_layout *layout, const vfx_vk_binding *bindings, uint32_t count,
                                uint32_t sets)
{
    *layout = (vfx_vk_layout){0};
    vfx_status status = create_layouts(gpu, layout, bindings, count, sets);
    if (status != VFX_OK)
        vfx_vk_layout_destroy(gpu, layout);
    return status;
}

void vfx_vk_layout_destroy(vfx_gpu *gpu, vfx_vk_layout *layout)
{
    if (gpu->hung)
        return;
    vkDestroyDescriptorPool(gpu->device, layout->pool, NULL);
    vkDestroyPipelineLayout(gpu->device, layout->pipeline, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, layout->set, NULL);
    *layout = (vfx_vk_layout){0};
}

vfx_status vfx_vk_set_create(vfx_gpu *gpu, const vfx_vk_layout *layout, const vfx_vk_resource *resources,
                             uint32_t count, VkDescriptorSet *set)
{
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = layout->pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &layout->set};
    VFX_VK(vkAllocateDescriptorSets(gpu->device, &allocate, set));
    for (uint32_t i = 0; i < count; ++i) {
        const vfx_vk_resource *resource = &resources[i];
        VkDescriptorBufferInfo buffer = {resource->buffer, resource->offset, resource->range};
        VkDescriptorImageInfo image = {0};
        if (resource->image)
            image = (VkDescriptorImageInfo){resource->image->sampler, resource->image->view,
                                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = *set,
                                      .dstBinding = resource->binding,
                                      .descriptorCount = 1,
                                      .descriptorType = resource->type,
                                      .pBufferInfo = &buffer,
                                      .pImageInfo = &image};
        vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    }
    return VFX_OK;
}

vfx_status vfx_vk_pipeline_create(vfx_gpu *gpu, const vfx_vk_layout *layout, const uint32_t *words, size_t bytes,
                                  const uint32_t *constants, uint32_t constant_count, const char *name,
                                  VkPipeline *pipeline)
{
    return vfx_vk_pipeline_create_flagged(gpu, layout, words, bytes, constants, constant_count, name, 0, pipeline);
}

vfx_status vfx_vk_pipeline_create_flagged(vfx_gpu *gpu, const vfx_vk_layout *layout, const uint32_t *words,
                                          size_t bytes, const uint32_t *constants, uint32_t constant_count,
                                          const char *name, VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
    VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    VkShaderModule module;
    VFX_VK(vkCreateShaderModule(gpu->device, &module_info, NULL, &module));
    VkSpecializationMapEntry entries[1 + VFX_MAX_SPEC];
    for (uint32_t i = 0; i < constant_count; ++i)
        entries[i] = (VkSpecializationMapEntry){i, 4 * i, 4};
    VkSpecializationInfo special = {constant_count, entries, 4 * constant_count, constants};
    VkComputePipelineCreateInfo create = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                          .flags = flags,
                                          .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                    .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                    .module = module,
                                                    .pName = "main",
                                                    .pSpecializationInfo = &special},
                                          .layout = layout->pipeline};
    VkResult result = vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &create, NULL, pipeline);
    vkDestroyShaderModule(gpu->device, module, NULL);
    if (result != VK_SUCCESS)
        return vfx_fail(result == VK_ERROR_DEVICE_LOST ? VFX_LOST : VFX_VULKAN, "pipeline of pass '%s' failed: %s",
                        name, vfx_vk_result_name(result));
    vfx_vk_name(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*pipeline, name);
    return VFX_OK;
}

void vfx_vk_dispatch(VkCommandBuffer commands, const vfx_vk_layout *layout, const vfx_frame *frame, uint32_t threads,
                     uint32_t workgroup, uint32_t most_groups)
{
    vfx_frame block = *frame;
    block.count = threads;
    uint32_t left = threads / workgroup + (threads % workgroup ? 1 : 0);
    for (block.first = 0; left > 0;) {
        uint32_t groups = left < most_groups ? left : most_groups;
        vkCmdPushConstants(commands, layout->pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof block, &block);
        vkCmdDispatch(commands, groups, 1, 1);
        block.first += groups * workgroup;
        left -= groups;
    }
}
