/* core/ceiling.c - what the device can do at most: copy, fill, read, fused multiply-add, and an empty dispatch,
 * measured with small built-in passes between timestamps. Each row is repeated and its median taken; a warm-up comes
 * first. */
#include "core/pipeline.h"
#include "core/platform.h"
#include "core/stats.h"
#include "core/timer.h"

#include <math.h>

VFX_SPIRV_DECLARE(ceiling_copy)
VFX_SPIRV_DECLARE(ceiling_fill)
VFX_SPIRV_DECLARE(ceiling_read)
VFX_SPIRV_DECLARE(ceiling_fma)
VFX_SPIRV_DECLARE(ceiling_empty)

enum { WORKGROUP = 256, MOST_REPEATS = 32, FMA_FLOPS_PER_STEP = 32 };

typedef struct ceiling_row {
    const vfx_spirv *spirv;
    size_t result;       /* offset in vfx_ceilings */
    uint32_t quads;      /* bytes moved by an invocation / 16 */
    uint32_t quads_read; /* of the source buffer, per invocation: fixes the invocation count */
    bool arithmetic, empty;
} ceiling_row;

static const ceiling_row rows[] = {
    {&ceiling_copy_spirv, offsetof(vfx_ceilings, copy_bytes_per_s), 2, 1, false, false},
    {&ceiling_fill_spirv, offsetof(vfx_ceilings, fill_bytes_per_s), 1, 1, false, false},
    {&ceiling_read_spirv, offsetof(vfx_ceilings, read_bytes_per_s), 4, 4, false, false},
    {&ceiling_fma_spirv, offsetof(vfx_ceilings, fma_flops), 0, 1, true, false},
    {&ceiling_empty_spirv, offsetof(vfx_ceilings, empty_pair_ns), 0, 1, false, true},
};

typedef struct bench {
    vfx_gpu *gpu;
    vfx_vk_buffer source, target;
    vfx_vk_layout layout;
    VkDescriptorSet set;
    VkPipeline pipelines[VFX_COUNT(rows)];
    VkQueryPool queries;
    size_t bytes; /* of source and target */
    uint32_t repeats, fma_threads, fma_steps;
    uint64_t warm_up_ns;
} bench;

static vfx_status create_all(bench *b)
{
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VFX_TRY(vfx_vk_buffer_create(b->gpu, &b->source, b->bytes, usage, VFX_MEMORY_DEVICE, "ceiling source"));
    VFX_TRY(vfx_vk_buffer_create(b->gpu, &b->target, b->bytes, usage, VFX_MEMORY_DEVICE, "ceiling target"));
    vfx_vk_binding bindings[] = {{1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    VFX_TRY(vfx_vk_layout_create(b->gpu, &b->layout, bindings, 2, 1));
    vfx_vk_resource resources[] = {{1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, b->source.buffer, 0, VK_WHOLE_SIZE, NULL},
                                   {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, b->target.buffer, 0, VK_WHOLE_SIZE, NULL}};
    VFX_TRY(vfx_vk_set_create(b->gpu, &b->layout, resources, 2, &b->set));
    uint32_t workgroup = WORKGROUP;
    for (uint32_t i = 0; i < VFX_COUNT(rows); ++i)
        VFX_TRY(vfx_vk_pipeline_create(b->gpu, &b->layout, rows[i].spirv->words, rows[i].spirv->bytes, &workgroup, 1,
                                       rows[i].spirv->name, &b->pipelines[i]));
    VkQueryPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = 2 * MOST_REPEATS};
    VFX_VK(vkCreateQueryPool(b->gpu->device, &pool, NULL, &b->queries));
    VkCommandBuffer commands;
    VFX_TRY(vfx_vk_begin(b->gpu, &commands));
    vkCmdFillBuffer(commands, b->source.buffer, 0, b->bytes, 0x3c5a9e71u); /* not zeros: those can run faster */
    vfx_vk_full_barrier(commands);
    return vfx_vk_submit_wait(b->gpu, commands);
}

static void destroy_all(bench *b)
{
    if (b->gpu->hung)
        return;
    vkDestroyQueryPool(b->gpu->device, b->queries, NULL);
    for (uint32_t i = 0; i < VFX_COUNT(rows); ++i)
        vkDestroyPipeline(b->gpu->device, b->pipelines[i], NULL);
    vfx_vk_layout_destroy(b->gpu, &b->layout);
    vfx_vk_buffer_destroy(b->gpu, &b->source);
    vfx_vk_buffer_destroy(b->gpu, &b->target);
}

static uint32_t threads_of(const bench *b, const ceiling_row *row)
{
    if (row->empty)
        return WORKGROUP;
    return row->arithmetic ? b->fma_threads : (uint32_t)(b->bytes / 16 / row->quads_read);
}

/* One submission with all repeats; samples[i] in ns, NaN where invalid. */
static vfx_status run_row(bench *b, uint32_t index, double *samples)
{
    const ceiling_row *row = &rows[index];
    VkCommandBuffer commands;
    vfx_stamp stamps[2 * MOST_REPEATS];
    VFX_TRY(vfx_vk_begin(b->gpu, &commands));
    vkCmdResetQueryPool(commands, b->queries, 0, 2 * b->repeats);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->pipelines[index]);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
    vfx_frame block = {.index = 1, .seed = 1, .iteration = b->fma_steps};
    for (uint32_t i = 0; i < b->repeats; ++i) {
        vfx_vk_full_barrier(commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, b->queries, 2 * i);
        vfx_vk_dispatch(commands, &b->layout, &block, threads_of(b, row), WORKGROUP, b->gpu->info.max_workgroup_count);
        vfx_vk_full_barrier(commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, b->queries, 2 * i + 1);
    }
    uint64_t start = vfx_clock_ns();
    VFX_TRY(vfx_vk_submit_wait(b->gpu, commands));
    double host_ns = (double)(vfx_clock_ns() - start);
    VFX_VK(vkGetQueryPoolResults(b->gpu->device, b->queries, 0, 2 * b->repeats, sizeof stamps, stamps, sizeof *stamps,
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
    for (uint32_t i = 0; i < b->repeats; ++i) {
        vfx_interval_state state;
        samples[i] = vfx_interval_ns(stamps[2 * i], stamps[2 * i + 1], b->gpu->info.timestamp_valid_bits,
                                     b->gpu->info.timestamp_period_ns, host_ns, &state);
    }
    return VFX_OK;
}

static vfx_status measure_row(bench *b, uint32_t index, vfx_ceilings *ceilings)
{
    const ceiling_row *row = &rows[index];
    double samples[MOST_REPEATS];
    uint64_t start = vfx_clock_ns();
    do
        VFX_TRY(run_row(b, index, samples));
    while (vfx_clock_ns() - start < b->warm_up_ns);
    VFX_TRY(run_row(b, index, samples));
    vfx_stats stats;
    if (!vfx_stats_of(samples, b->repeats, &stats))
        return vfx_fail(VFX_MEMORY, "out of memory for statistics");
    double work = row->arithmetic ? (double)b->fma_threads * b->fma_steps * FMA_FLOPS_PER_STEP
                                  : 16.0 * row->quads * threads_of(b, row);
    double *result = (double *)(void *)((char *)ceilings + row->result);
    *result = row->empty ? stats.median : work / (stats.median * 1e-9);
    return VFX_OK;
}

vfx_status vfx_measure_ceilings(vfx_gpu *gpu, vfx_ceilings *ceilings)
{
    bool software = gpu->info.type == VFX_DEVICE_CPU;
    *ceilings = (vfx_ceilings){0};
    if (!gpu->info.timestamp_valid_bits)
        return vfx_fail(VFX_UNSUPPORTED, "%s has no timestamps on its compute queue", gpu->info.name);
    uint64_t bytes = software ? 64u << 20 : 1u << 30;
    if (bytes > gpu->info.max_storage_bytes / 2)
        bytes = gpu->info.max_storage_bytes / 2;
    if (bytes > gpu->info.heap_bytes / 8)
        bytes = gpu->info.heap_bytes / 8;
    bench b = {.gpu = gpu,
               .bytes = (size_t)(bytes & ~(uint64_t)65535),
               .repeats = software ? 4 : MOST_REPEATS,
               .fma_threads = software ? 1u << 14 : 1u << 22,
               .fma_steps = software ? 256 : 512,
               .warm_up_ns = software ? 0 : 100000000u};
    ceilings->buffer_bytes = (double)b.bytes;
    vfx_status status = create_all(&b);
    for (uint32_t i = 0; i < VFX_COUNT(rows) && status == VFX_OK; ++i)
        status = measure_row(&b, i, ceilings);
    destroy_all(&b);
    return status;
}
