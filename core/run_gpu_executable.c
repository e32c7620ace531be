/* core/run_gpu_executable.c - what the driver's compiler says about the passes of a run: registers, spills, sizes. The
 * pipelines that are asked are made for it and dropped, so that those that run are compiled as always. */
#include "core/run_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_STATISTICS = 64 };

static double value_of(const VkPipelineExecutableStatisticKHR *row)
{
    switch (row->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return row->value.b32 ? 1.0 : 0.0;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return (double)row->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        return (double)row->value.u64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
        return row->value.f64;
    default:
        return 0.0;
    }
}

/* Statistics of the pipeline's first executable: a compute pipeline has one. */
static vfx_status read_statistics(vfx_run *run, VkPipeline pipeline, vfx_statistic *rows, uint32_t room,
                                  uint32_t *count)
{
    VkPipelineInfoKHR of_pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    VkPipelineExecutableInfoKHR of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    uint32_t executables = 0, found = MOST_STATISTICS;
    VFX_VK(vkGetPipelineExecutablePropertiesKHR(run->gpu->device, &of_pipeline, &executables, NULL));
    if (executables == 0)
        return VFX_OK;
    VkPipelineExecutableStatisticKHR *all = calloc(MOST_STATISTICS, sizeof *all);
    if (!all)
        return vfx_fail(VFX_MEMORY, "out of memory for pipeline statistics");
    for (uint32_t i = 0; i < MOST_STATISTICS; ++i)
        all[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    VkResult result = vkGetPipelineExecutableStatisticsKHR(run->gpu->device, &of, &found, all);
    if (result == VK_SUCCESS || result == VK_INCOMPLETE) {
        for (uint32_t i = 0; i < found && *count < room; ++i, ++*count) {
            snprintf(rows[*count].name, sizeof rows->name, "%.*s", (int)sizeof rows->name - 1, all[i].name);
            rows[*count].value = value_of(&all[i]);
        }
        result = VK_SUCCESS;
    }
    free(all);
    return vfx_vk_check(result, "vkGetPipelineExecutableStatisticsKHR", __FILE__, __LINE__);
}

vfx_status vfx_run_statistics(vfx_run *run, uint32_t pass, vfx_statistic *rows, uint32_t room, uint32_t *count)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    *count = 0;
    if (!run->gpu->executable_statistics)
        return vfx_fail(VFX_UNSUPPORTED, "the device does not offer VK_KHR_pipeline_executable_properties");
    VFX_TRY(vfx_run_create_pipeline(run, pass, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, &pipeline));
    vfx_status status = read_statistics(run, pipeline, rows, room, count);
    vkDestroyPipeline(run->gpu->device, pipeline, NULL);
    return status;
}
