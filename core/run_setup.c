/* core/run_setup.c - the device resources of a run: buffers with guards, images, pipelines, sets, queries; and
 * the reset to the start state. */
#include "core/run_internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t device_bytes(size_t bytes)
{
    return (uint64_t)bytes + 2u * VFX_GUARD_BYTES;
}

static vfx_status create_buffer(vfx_run *run, uint32_t row)
{
    const vfx_buffer *buffer = &run->kase.kernel->buffers[row];
    vfx_run_buffer *own = &run->buffers[row];
    bool mapped = buffer->role == VFX_FRAME_INPUT && run->upload == VFX_UPLOAD_MAPPED;
    VFX_TRY(vfx_buffer_bytes(&run->kase, row, &own->bytes));
    own->copies = buffer->role == VFX_STATE_PING_PONG || mapped ? 2 : 1;
    for (uint32_t i = 0; i < own->copies; ++i)
        VFX_TRY(vfx_vk_buffer_create(run->gpu, &own->device[i], device_bytes(own->bytes),
                                     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, mapped ? VFX_MEMORY_SHARED : VFX_MEMORY_DEVICE,
                                     buffer->name));
    if (vfx_role_is_state(buffer->role))
        VFX_TRY(vfx_vk_buffer_create(run->gpu, &own->initial, device_bytes(own->bytes), 0, VFX_MEMORY_DEVICE,
                                     buffer->name));
    return VFX_OK;
}

/* Does a stage need this output of another on the way from state to state? */
static bool is_read(const vfx_kernel *kernel, uint32_t row)
{
    uint32_t reads = 0;
    for (uint32_t i = 0; i < kernel->stage_count; ++i)
        reads |= kernel->stages[i].reads;
    return reads >> row & 1u;
}

/* The start state: init, then the f32 reference up to start_frame, or the caller's own state. */
static vfx_status make_start(vfx_run *run)
{
    const vfx_case *kase = &run->kase;
    bool runs_reference = run->request.start_frame > 0 && !run->request.start_state;
    uint32_t mask = 0;
    for (uint32_t row = 0; row < kase->kernel->buffer_count; ++row) {
        vfx_role role = kase->kernel->buffers[row].role;
        bool between = role == VFX_FRAME_INPUT || role == VFX_SCRATCH || is_read(kase->kernel, row);
        if (vfx_run_uses(run, row) && (vfx_role_is_state(role) || role == VFX_INPUT || (runs_reference && between)))
            mask |= 1u << row;
    }
    VFX_TRY(vfx_host_create(&run->start, kase, mask));
    kase->kernel->init(kase, run->start.buffer, run->start.image);
    if (run->request.start_state) {
        for (uint32_t row = 0; row < kase->kernel->buffer_count; ++row)
            if (vfx_run_uses(run, row) && vfx_role_is_state(kase->kernel->buffers[row].role))
                memcpy(run->start.buffer[row], run->request.start_state->buffer[row], run->start.bytes[row]);
        return VFX_OK;
    }
    if (!runs_reference)
        return VFX_OK;
    vfx_feed feed;
    VFX_TRY(vfx_feed_create(&feed, kase, run->request.at));
    vfx_status status = vfx_run_cpu(kase, &feed, &run->start, run->request.start_frame, false, true);
    vfx_feed_destroy(&feed);
    return status;
}

static vfx_status upload_start(vfx_run *run)
{
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row) {
        const vfx_buffer *buffer = &run->kase.kernel->buffers[row];
        bool state = vfx_role_is_state(buffer->role);
        if (!vfx_run_uses(run, row) || !(state || buffer->role == VFX_INPUT))
            continue;
        vfx_layout_to_device(buffer, run->scratch, run->start.buffer[row], run->start.count[row]);
        vfx_vk_buffer *to = state ? &run->buffers[row].initial : &run->buffers[row].device[0];
        VFX_TRY(vfx_vk_upload(run->gpu, &run->transfer, to, state ? 0 : VFX_RECORDS_OFFSET, run->scratch,
                              run->buffers[row].bytes));
    }
    for (uint32_t row = 0; row < run->kase.kernel->image_count; ++row) {
        if (!(run->kase.variant->images >> row & 1))
            continue;
        uint32_t size[3];
        run->kase.kernel->images[row].size(&run->kase, size);
        VFX_TRY(vfx_vk_image_create(run->gpu, &run->images[row], &run->kase.kernel->images[row], size,
                                    run->start.image[row]));
    }
    return VFX_OK;
}

/* -------------------------------------------------------------------------- sets and pipelines */

static uint32_t fill_resources(const vfx_run *run, uint32_t parity, vfx_vk_resource *out)
{
    uint32_t n = 0;
    out[n++] = (vfx_vk_resource){0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, run->params.buffer, 0, VK_WHOLE_SIZE, NULL};
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row) {
        if (!vfx_run_uses(run, row))
            continue;
        const vfx_buffer *buffer = &run->kase.kernel->buffers[row];
        const vfx_run_buffer *own = &run->buffers[row];
        VkDeviceSize range = own->bytes + VFX_GUARD_BYTES;
        uint32_t first = own->copies == 2 ? parity : 0;
        out[n++] = (vfx_vk_resource){buffer->binding,
                                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     own->device[first].buffer,
                                     VFX_RECORDS_OFFSET,
                                     range,
                                     NULL};
        if (buffer->role == VFX_STATE_PING_PONG)
            out[n++] = (vfx_vk_resource){buffer->binding + 1,
                                         VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         own->device[1 - parity].buffer,
                                         VFX_RECORDS_OFFSET,
                                         range,
                                         NULL};
    }
    for (uint32_t row = 0; row < run->kase.kernel->image_count; ++row)
        if (run->kase.variant->images >> row & 1)
            out[n++] = (vfx_vk_resource){run->kase.kernel->images[row].binding,
                                         VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                         VK_NULL_HANDLE,
                                         0,
                                         0,
                                         &run->images[row]};
    return n;
}

static vfx_status create_sets(vfx_run *run)
{
    vfx_vk_resource resources[VFX_MAX_BINDINGS];
    vfx_vk_binding bindings[VFX_MAX_BINDINGS];
    uint32_t count = fill_resources(run, 0, resources);
    for (uint32_t i = 0; i < count; ++i)
        bindings[i] = (vfx_vk_binding){resources[i].binding, resources[i].type};
    VFX_TRY(vfx_vk_layout_create(run->gpu, &run->layout, bindings, count, 2));
    for (uint32_t parity = 0; parity < 2; ++parity) {
        fill_resources(run, parity, resources);
        VFX_TRY(vfx_vk_set_create(run->gpu, &run->layout, resources, count, &run->sets[parity]));
    }
    return VFX_OK;
}

static const vfx_override *find_override(const vfx_run_request *request, const char *pass)
{
    for (uint32_t i = 0; i < request->override_count; ++i)
        if (strcmp(request->overrides[i].pass, pass) == 0)
            return &request->overrides[i];
    return NULL;
}

static vfx_status check_workgroup(const vfx_run *run, const vfx_pass *pass, uint32_t workgroup)
{
    const vfx_device_info *info = &run->gpu->info;
    uint32_t shared = pass->shared_bytes ? pass->shared_bytes(&run->kase, workgroup) : 0;
    if (pass->workgroup_multiple && workgroup % pass->workgroup_multiple != 0)
        return vfx_fail(VFX_USAGE, "pass '%s': workgroups of %u invocations, wanted a multiple of %u", pass->name,
                        workgroup, pass->workgroup_multiple);
    if (workgroup > info->max_workgroup_invocations)
        return vfx_fail(VFX_UNSUPPORTED, "pass '%s': needs workgroups of %u invocations, device offers %u", pass->name,
                        workgroup, info->max_workgroup_invocations);
    if (shared > info->shared_memory_bytes)
        return vfx_fail(VFX_UNSUPPORTED,
                        "pass '%s': needs %u bytes of shared memory in workgroups of %u, device offers %u", pass->name,
                        shared, workgroup, info->shared_memory_bytes);
    return VFX_OK;
}

vfx_status vfx_run_create_pipeline(vfx_run *run, uint32_t index, VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
    const vfx_pass *pass = &run->kase.variant->passes[index];
    uint32_t constants[1 + VFX_MAX_SPEC] = {run->workgroups[index]}, count = 1;
    for (; count <= VFX_MAX_SPEC && pass->spec[count - 1]; ++count) {
        const vfx_param *param = vfx_param_find(run->kase.kernel, pass->spec[count - 1]);
        constants[count] = run->kase.words[param - run->kase.kernel->params];
    }
    const vfx_override *override = find_override(&run->request, pass->name);
    return vfx_vk_pipeline_create_flagged(run->gpu, &run->layout, override ? override->words : pass->spirv->words,
                                          override ? override->bytes : pass->spirv->bytes, constants, count, pass->name,
                                          flags, pipeline);
}

static vfx_status create_pipelines(vfx_run *run)
{
    const vfx_variant *variant = run->kase.variant;
    for (uint32_t i = 0; i < variant->pass_count; ++i) {
        const vfx_pass *pass = &variant->passes[i];
        run->workgroups[i] = run->request.workgroup ? run->request.workgroup : pass->workgroup;
        VFX_TRY(check_workgroup(run, pass, run->workgroups[i]));
        VFX_TRY(vfx_run_create_pipeline(run, i, 0, &run->pipelines[i]));
    }
    return VFX_OK;
}

/* -------------------------------------------------------------------------------------- batches */

static vfx_status create_batches(vfx_run *run)
{
    run->batch_frames = vfx_run_batch_frames(run);
    bool stamps = run->request.stamps != VFX_STAMPS_NONE && run->gpu->info.timestamp_valid_bits;
    if (run->request.stamps == VFX_STAMPS_UPLOAD)
        stamps = stamps && vfx_run_copies_inputs(run);
    uint32_t frame_passes = 0;
    for (vfx_pass_step at = {0}; at.pass < run->kase.variant->pass_count; at = vfx_pass_step_next(&run->kase, at))
        frame_passes += !run->kase.variant->passes[at.pass].once;
    run->queries_per_frame = !stamps ? 0 : run->request.stamps == VFX_STAMPS_PASS ? frame_passes + 1 : 2;
    uint32_t queries = run->batch_frames * run->queries_per_frame;
    run->stamps = calloc(queries ? queries : 1, sizeof *run->stamps);
    if (!run->stamps)
        return vfx_fail(VFX_MEMORY, "out of memory for %u timestamps", queries);
    if (queries) {
        VkQueryPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                      .queryCount = queries * VFX_IN_FLIGHT};
        VFX_VK(vkCreateQueryPool(run->gpu->device, &pool, NULL, &run->queries));
    }
    for (uint32_t i = 0; i < VFX_IN_FLIGHT; ++i) {
        VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = run->gpu->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
        VFX_VK(vkAllocateCommandBuffers(run->gpu->device, &allocate, &run->batches[i].commands));
        VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        VFX_VK(vkCreateFence(run->gpu->device, &fence, NULL, &run->batches[i].fence));
    }
    return VFX_OK;
}

static void find_once_outputs(vfx_run *run)
{
    uint32_t every_frame = 0;
    for (uint32_t i = 0; i < run->kase.kernel->stage_count; ++i) {
        const vfx_stage *stage = &run->kase.kernel->stages[i];
        if (stage->once)
            run->once_outputs |= stage->writes;
        else
            every_frame |= stage->writes;
    }
    run->once_outputs &= ~every_frame;
}

vfx_status vfx_run_setup(vfx_run *run)
{
    size_t largest = 0;
    VFX_TRY(vfx_gpu_supports(run->gpu, &run->kase));
    VFX_TRY(make_start(run));
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row) {
        if (!vfx_run_uses(run, row))
            continue;
        VFX_TRY(create_buffer(run, row));
        if (run->buffers[row].bytes > largest)
            largest = run->buffers[row].bytes;
    }
    size_t whole = (size_t)device_bytes(largest), chunk = (size_t)64 << 20;
    run->scratch = malloc(whole);
    if (!run->scratch)
        return vfx_fail(VFX_MEMORY, "out of memory for %zu bytes", whole);
    VFX_TRY(vfx_vk_buffer_create(run->gpu, &run->transfer, whole < chunk ? whole : chunk, 0, VFX_MEMORY_READBACK,
                                 "transfer"));
    VFX_TRY(vfx_vk_buffer_create(run->gpu, &run->params, sizeof run->kase.words, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                 VFX_MEMORY_DEVICE, "parameters"));
    find_once_outputs(run);
    VFX_TRY(upload_start(run));
    VFX_TRY(create_sets(run));
    VFX_TRY(create_pipelines(run));
    VFX_TRY(vfx_run_create_tape(run));
    return create_batches(run);
}

/* ---------------------------------------------------------------------------------------- reset */

static void reset_buffer(vfx_run *run, VkCommandBuffer commands, uint32_t row)
{
    vfx_run_buffer *own = &run->buffers[row];
    vfx_role role = run->kase.kernel->buffers[row].role;
    bool keeps = role == VFX_INPUT || role == VFX_FRAME_INPUT;
    for (uint32_t i = 0; i < own->copies; ++i) {
        VkBuffer buffer = own->device[i].buffer;
        vkCmdFillBuffer(commands, buffer, 0, VFX_GUARD_BYTES, VFX_GUARD_WORD);
        vkCmdFillBuffer(commands, buffer, VFX_RECORDS_OFFSET + own->bytes, VFX_GUARD_BYTES, VFX_GUARD_WORD);
        if (own->bytes == 0)
            continue;
        if (i == 0 && vfx_role_is_state(role)) {
            VkBufferCopy region = {.dstOffset = VFX_RECORDS_OFFSET, .size = own->bytes};
            vkCmdCopyBuffer(commands, own->initial.buffer, buffer, 1, &region);
        } else if (!keeps) {
            vkCmdFillBuffer(commands, buffer, VFX_RECORDS_OFFSET, own->bytes, VFX_POISON_WORD);
        }
    }
}

vfx_status vfx_run_reset(vfx_run *run)
{
    VkCommandBuffer commands;
    VFX_TRY(vfx_vk_begin(run->gpu, &commands));
    vfx_vk_full_barrier(commands);
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row)
        if (vfx_run_uses(run, row))
            reset_buffer(run, commands, row);
    vkCmdUpdateBuffer(commands, run->params.buffer, 0, sizeof run->kase.words, run->kase.words);
    vfx_vk_full_barrier(commands);
    vfx_frame block = {.index = run->request.start_frame, .dt = run->kase.dt, .seed = run->kase.seed};
    vfx_run_record_passes(run, commands, &block, true, 0, UINT32_MAX);
    return vfx_vk_submit_wait(run->gpu, commands);
}

/* ------------------------------------------------------------------------------ create, destroy */

vfx_status vfx_run_create(vfx_run **run, struct vfx_gpu *gpu, const vfx_run_request *request)
{
    *run = calloc(1, sizeof **run);
    if (!*run)
        return vfx_fail(VFX_MEMORY, "out of memory for a run");
    (*run)->gpu = gpu;
    (*run)->request = *request;
    (*run)->kase = *request->kase;
    if ((*run)->kase.storage_limit == 0)
        (*run)->kase.storage_limit = vfx_storage_limit(&gpu->info);
    (*run)->upload = vfx_run_upload_mode(request->kase);
    vfx_status status = vfx_run_setup(*run);
    if (status != VFX_OK) {
        vfx_run_destroy(*run);
        *run = NULL;
    }
    return status;
}

static void destroy_device_objects(vfx_run *run)
{
    vfx_gpu *gpu = run->gpu;
    for (uint32_t i = 0; i < VFX_IN_FLIGHT; ++i)
        if (run->batches[i].pending && vfx_vk_wait(gpu, run->batches[i].fence) != VFX_OK)
            return;
    if (gpu->hung)
        return;
    for (uint32_t i = 0; i < VFX_IN_FLIGHT; ++i) {
        if (run->batches[i].commands)
            vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &run->batches[i].commands);
        vkDestroyFence(gpu->device, run->batches[i].fence, NULL);
    }
    vkDestroyQueryPool(gpu->device, run->queries, NULL);
    for (uint32_t i = 0; i < VFX_MAX_PASSES; ++i)
        vkDestroyPipeline(gpu->device, run->pipelines[i], NULL);
    vfx_vk_layout_destroy(gpu, &run->layout);
    for (uint32_t i = 0; i < VFX_MAX_BUFFERS; ++i) {
        vfx_vk_buffer_destroy(gpu, &run->buffers[i].device[0]);
        vfx_vk_buffer_destroy(gpu, &run->buffers[i].device[1]);
        vfx_vk_buffer_destroy(gpu, &run->buffers[i].initial);
    }
    for (uint32_t i = 0; i < VFX_MAX_IMAGES; ++i)
        vfx_vk_image_destroy(gpu, &run->images[i]);
    vfx_vk_buffer_destroy(gpu, &run->params);
    vfx_vk_buffer_destroy(gpu, &run->transfer);
    vfx_vk_buffer_destroy(gpu, &run->tape.staging);
}

void vfx_run_destroy(vfx_run *run)
{
    if (!run)
        return;
    destroy_device_objects(run);
    vfx_host_destroy(&run->start);
    vfx_host_destroy(&run->prev);
    vfx_host_destroy(&run->now);
    free(run->tape.blocks);
    free(run->tape.words);
    free(run->tape.params_changed);
    free(run->regions);
    free(run->stamps);
    free(run->scratch);
    free(run);
}
