/* core/gpu_labels.c - names of objects and regions for graphics debuggers and profilers: they show "pass solve" instead
 * of a number. Nothing happens unless the device was opened with labels and the extension is there. */
#include "core/vk.h"

void vfx_vk_name(const vfx_gpu *gpu, VkObjectType type, uint64_t handle, const char *name)
{
    VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = type,
                                          .objectHandle = handle,
                                          .pObjectName = name};
    if (gpu->labels && vkSetDebugUtilsObjectNameEXT)
        (void)vkSetDebugUtilsObjectNameEXT(gpu->device, &info); /* a name that is missing changes nothing */
}

void vfx_vk_label_begin(const vfx_gpu *gpu, VkCommandBuffer commands, const char *name)
{
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    if (gpu->labels && vkCmdBeginDebugUtilsLabelEXT)
        vkCmdBeginDebugUtilsLabelEXT(commands, &label);
}

void vfx_vk_label_end(const vfx_gpu *gpu, VkCommandBuffer commands)
{
    if (gpu->labels && vkCmdEndDebugUtilsLabelEXT)
        vkCmdEndDebugUtilsLabelEXT(commands);
}
