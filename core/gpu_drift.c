/* core/gpu_drift.c - see gpu_drift.h. The arithmetic is that of the fma ceiling, in a smaller amount. */
#include "core/gpu_drift.h"

#include "core/pipeline.h"
#include "core/platform.h"
#include "core/timer.h"

#include <math.h>
#include <stdlib.h>

VFX_SPIRV_DECLARE(ceiling_fma)

enum { WORKGROUP = 256, REPEATS = 5, TARGET_BYTES = 65536 };

struct vfx_drift {
    vfx_gpu *gpu;
    vfx_vk_buffer target; /* bound, never written */
    vfx_vk_layout layout;
    VkDescriptorSet set;
    VkPipeline pipeline;
    VkQueryPool queries;
    uint32_t threads, steps;
};

static vfx_status create_all(vfx_drift *d)
{
    vfx_vk_binding binding = {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    uint32_t workgroup = WORKGROUP;
    VFX_TRY(vfx_vk_buffer_create(d->gpu, &d->target, TARGET_BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                 VFX_MEMORY_DEVICE, "drift probe"));
    VFX_TRY(vfx_vk_layout_create(d->gpu, &d->layout, &binding, 1, 1));
    vfx_vk_resource resource = {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, d->target.buffer, 0, VK_WHOLE_SIZE, NULL};
    VFX_TRY(vfx_vk_set_create(d->gpu, &d->layout, &resource, 1, &d->set));
    VFX_TRY(vfx_vk_pipeline_create(d->gpu, &d->layout, ceiling_fma_spirv.words, ceiling_fma_spirv.bytes, &workgroup, 1,
                                   "drift probe", &d->pipeline));
    VkQueryPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = 2 * REPEATS};
    VFX_VK(vkCreateQueryPool(d->gpu->device, &pool, NULL, &d->queries));
    return VFX_OK;
}

vfx_status vfx_drift_create(vfx_drift **drift, vfx_gpu *gpu)
{
    bool software = gpu->info.type == VFX_DEVICE_CPU;
    *drift = NULL;
    if (gpu->info.timestamp_valid_bits == 0)
        return vfx_fail(VFX_UNSUPPORTED, "%s has no timestamps on its compute queue", gpu->info.name);
    vfx_drift *d = calloc(1, sizeof *d);
    if (!d)
        return vfx_fail(VFX_MEMORY, "out of memory for the drift probe");
    d->gpu = gpu;
    d->threads = software ? 1u << 13 : 1u << 20;
    d->steps = software ? 256 : 512;
    vfx_status status = create_all(d);
    if (status != VFX_OK)
        vfx_drift_destroy(d);
    else
        *drift = d;
    return status;
}

void vfx_drift_destroy(vfx_drift *drift)
{
    if (!drift)
        return;
    if (!drift->gpu->hung) {
        vkDestroyQueryPool(drift->gpu->device, drift->queries, NULL);
        vkDestroyPipeline(drift->gpu->device, drift->pipeline, NULL);
        vfx_vk_layout_destroy(drift->gpu, &drift->layout);
        vfx_vk_buffer_destroy(drift->gpu, &drift->target);
    }
    free(drift);
}

vfx_status vfx_drift_measure(vfx_drift *d, double *ns)
{
    VkCommandBuffer commands;
    vfx_stamp stamps[2 * REPEATS];
    vfx_frame block = {.index = 1, .seed = 1, .iteration = d->steps};
    *ns = NAN;
    VFX_TRY(vfx_vk_begin(d->gpu, &commands));
    vkCmdResetQueryPool(commands, d->queries, 0, 2 * REPEATS);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, d->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, d->layout.pipeline, 0, 1, &d->set, 0, NULL);
    for (uint32_t i = 0; i < REPEATS; ++i) {
        vfx_vk_full_barrier(commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, d->queries, 2 * i);
        vfx_vk_dispatch(commands, &d->layout, &block, d->threads, WORKGROUP, d->gpu->info.max_workgroup_count);
        vfx_vk_full_barrier(commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, d->queries, 2 * i + 1);
    }
    uint64_t start = vfx_clock_ns();
    VFX_TRY(vfx_vk_submit_wait(d->gpu, commands));
    double host_ns = (double)(vfx_clock_ns() - start);
    VFX_VK(vkGetQueryPoolResults(d->gpu->device, d->queries, 0, 2 * REPEATS, sizeof stamps, stamps, sizeof *stamps,
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
    for (uint32_t i = 0; i < REPEATS; ++i) {
        vfx_interval_state state;
        double one = vfx_interval_ns(stamps[2 * i], stamps[2 * i + 1], d->gpu->info.timestamp_valid_bits,
                                     d->gpu->info.timestamp_period_ns, host_ns, &state);
        if (!(*ns <= one))
            *ns = isnan(one) ? *ns : one;
    }
    return VFX_OK;
}
