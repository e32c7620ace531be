/* core/run_gpu.c - THE frame loop on a device. Frames are recorded in batches, two of them in flight; a batch ends
 * where an observer wants to see the buffers. One frame:
 *
 *   full barrier, inputs (FRAME_INPUT, per-frame images, parameters, poison), full barrier,
 *   stamp, pass, barrier, pass, ..., full barrier, stamp
 *
 * Runs that time the upload have their stamps around the inputs instead, so that these never lie in a frame's time. */
#include "core/run_internal.h"

#include "core/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ recording */

void vfx_run_record_passes(vfx_run *run, VkCommandBuffer commands, const vfx_frame *block, bool once, uint32_t parity,
                           uint32_t stamp)
{
    bool first = true;
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, run->layout.pipeline, 0, 1, &run->sets[parity], 0,
                            NULL);
    for (vfx_pass_step at = {0}; at.pass < run->kase.variant->pass_count; at = vfx_pass_step_next(&run->kase, at)) {
        const vfx_pass *pass = &run->kase.variant->passes[at.pass];
        uint32_t repeats = pass->repeats ? pass->repeats(&run->kase) : 1;
        vfx_frame own = *block;
        own.substep = at.substep;
        if (pass->once == once) {
            vfx_vk_label_begin(run->gpu, commands, pass->name);
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, run->pipelines[at.pass]);
        }
        for (own.iteration = 0; pass->once == once && own.iteration < repeats; ++own.iteration) {
            if (!first && !run->request.skip_barriers)
                vfx_vk_compute_barrier(commands);
            first = false;
            vfx_vk_dispatch(commands, &run->layout, &own, (uint32_t)pass->threads(&run->kase), run->workgroups[at.pass],
                            run->request.most_groups ? run->request.most_groups : run->gpu->info.max_workgroup_count);
        }
        if (pass->once == once)
            vfx_vk_label_end(run->gpu, commands);
        if (pass->once == once && stamp != UINT32_MAX && run->request.stamps == VFX_STAMPS_PASS)
            vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, run->queries, ++stamp);
    }
}

/* Refills what this frame must write: outputs, scratch and the next states. */
static void record_poison(vfx_run *run, VkCommandBuffer commands, uint32_t parity)
{
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row) {
        vfx_role role = run->kase.kernel->buffers[row].role;
        const vfx_run_buffer *own = &run->buffers[row];
        if (!vfx_run_uses(run, row) || own->bytes == 0 || (run->once_outputs >> row & 1))
            continue;
        if (role != VFX_OUTPUT && role != VFX_SCRATCH && role != VFX_STATE_PING_PONG)
            continue;
        VkBuffer buffer = own->device[role == VFX_STATE_PING_PONG ? 1 - parity : 0].buffer;
        vkCmdFillBuffer(commands, buffer, VFX_RECORDS_OFFSET, own->bytes, VFX_POISON_WORD);
    }
}

static void write_stamp(vfx_run *run, VkCommandBuffer commands, uint32_t query)
{
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, run->queries, query);
}

/* Records frame `frame` (0-based) whose inputs are in tape slot `slot`; `query` is its first query. */
static void record_frame(vfx_run *run, VkCommandBuffer commands, uint32_t frame, uint32_t slot, uint32_t query)
{
    uint32_t parity = frame & 1;
    bool stamps = run->queries_per_frame > 0, of_upload = stamps && run->request.stamps == VFX_STAMPS_UPLOAD;
    char label[32];
    snprintf(label, sizeof label, "frame %u", run->request.start_frame + frame + 1);
    vfx_vk_label_begin(run->gpu, commands, label);
    vfx_vk_full_barrier(commands);
    if (of_upload)
        write_stamp(run, commands, query);
    vfx_run_record_inputs(run, commands, frame, slot);
    if (of_upload) {
        vfx_vk_full_barrier(commands);
        write_stamp(run, commands, query + 1);
    }
    if (run->tape.params_changed[slot])
        vkCmdUpdateBuffer(commands, run->params.buffer, 0, sizeof run->tape.words[slot], run->tape.words[slot]);
    if (run->request.poison)
        record_poison(run, commands, parity);
    vfx_vk_full_barrier(commands);
    if (stamps && !of_upload)
        write_stamp(run, commands, query);
    vfx_run_record_passes(run, commands, &run->tape.blocks[slot], false, parity, stamps ? query : UINT32_MAX);
    vfx_vk_full_barrier(commands);
    if (stamps && run->request.stamps == VFX_STAMPS_FRAME)
        write_stamp(run, commands, query + 1);
    vfx_vk_label_end(run->gpu, commands);
}

static vfx_status submit_batch(vfx_run *run, uint32_t index, uint32_t first, uint32_t count)
{
    vfx_batch *batch = &run->batches[index];
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VFX_VK(vkBeginCommandBuffer(batch->commands, &begin));
    uint32_t query = index * run->batch_frames * run->queries_per_frame;
    if (run->queries_per_frame)
        vkCmdResetQueryPool(batch->commands, run->queries, query, count * run->queries_per_frame);
    for (uint32_t i = 0; i < count; ++i)
        record_frame(run, batch->commands, first + i, (first + i) % run->tape.slots,
                     query + i * run->queries_per_frame);
    VFX_VK(vkEndCommandBuffer(batch->commands));
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &batch->commands};
    VFX_VK(vkResetFences(run->gpu->device, 1, &batch->fence));
    batch->first = first;
    batch->count = count;
    batch->submitted_ns = vfx_clock_ns();
    VFX_VK(vkQueueSubmit(run->gpu->queue, 1, &submit, batch->fence));
    batch->pending = true;
    return VFX_OK;
}

/* --------------------------------------------------------------------------------- stamps, waiting */

static double interval(const vfx_run *run, const vfx_stamp *begin, const vfx_stamp *end, double host_ns,
                       vfx_run_times *times)
{
    vfx_interval_state state;
    double ns = vfx_interval_ns(*begin, *end, run->gpu->info.timestamp_valid_bits, run->gpu->info.timestamp_period_ns,
                                host_ns, &state);
    if (state != VFX_INTERVAL_VALID)
        ++times->invalid;
    return ns;
}

static vfx_status collect_stamps(vfx_run *run, const vfx_batch *batch, uint32_t index, double host_ns,
                                 vfx_run_times *times)
{
    uint32_t per_frame = run->queries_per_frame, passes = run->kase.variant->pass_count;
    if (!per_frame || !times)
        return VFX_OK;
    uint32_t total = batch->count * per_frame;
    VkResult result = vkGetQueryPoolResults(run->gpu->device, run->queries, index * run->batch_frames * per_frame,
                                            total, total * sizeof *run->stamps, run->stamps, sizeof *run->stamps,
                                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    if (result != VK_NOT_READY) /* then the availability words say which */
        VFX_TRY(vfx_vk_check(result, "vkGetQueryPoolResults", __FILE__, __LINE__));
    for (uint32_t i = 0; i < batch->count; ++i) {
        const vfx_stamp *stamp = &run->stamps[i * per_frame];
        if (times->upload_gpu_ns) {
            times->upload_gpu_ns[batch->first + i] = interval(run, stamp, stamp + 1, host_ns, times);
            continue;
        }
        times->frame_ns[batch->first + i] = interval(run, stamp, stamp + per_frame - 1, host_ns, times);
        if (!times->pass_ns)
            continue;
        double *pass_ns = &times->pass_ns[(batch->first + i) * passes];
        memset(pass_ns, 0, passes * sizeof *pass_ns); /* once passes are no part of a frame */
        for (vfx_pass_step at = {0}; at.pass < passes; at = vfx_pass_step_next(&run->kase, at)) {
            if (run->kase.variant->passes[at.pass].once)
                continue;
            pass_ns[at.pass] += interval(run, stamp, stamp + 1, host_ns, times);
            ++stamp;
        }
    }
    return VFX_OK;
}

static vfx_status wait_batch(vfx_run *run, uint32_t index, vfx_run_times *times)
{
    vfx_batch *batch = &run->batches[index];
    if (!batch->pending)
        return VFX_OK;
    VFX_TRY(vfx_vk_wait(run->gpu, batch->fence));
    batch->pending = false;
    double host_ns = (double)(vfx_clock_ns() - batch->submitted_ns);
    run->frame_estimate_ns = host_ns / batch->count;
    return collect_stamps(run, batch, index, host_ns, times);
}

/* --------------------------------------------------------------------------------------- reading */

static bool guard_intact(const char *bytes)
{
    for (size_t i = 0; i < VFX_GUARD_BYTES; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, 4);
        if (word != VFX_GUARD_WORD)
            return false;
    }
    return true;
}

/* Reads the copy of a row that frame `frames_done` left, and checks its guards. */
static vfx_status read_buffer(vfx_run *run, uint32_t row, uint32_t frames_done, void *records)
{
    const vfx_buffer *buffer = &run->kase.kernel->buffers[row];
    vfx_run_buffer *own = &run->buffers[row];
    uint32_t copy = buffer->role == VFX_STATE_PING_PONG ? frames_done & 1
                    : own->copies == 2                  ? (frames_done - 1) & 1
                                                        : 0;
    VFX_TRY(vfx_vk_download(run->gpu, &run->transfer, &own->device[copy], 0, run->scratch,
                            own->bytes + 2u * VFX_GUARD_BYTES));
    char *bytes = run->scratch;
    uint64_t count = buffer->count(&run->kase);
    if (!guard_intact(bytes) || !guard_intact(bytes + VFX_GUARD_BYTES + own->bytes))
        return vfx_fail(VFX_MISMATCH,
                        "frame %u: buffer '%s': a guard word %s its %llu records was overwritten "
                        "(out-of-bounds write)",
                        run->request.start_frame + frames_done, buffer->name, guard_intact(bytes) ? "behind" : "before",
                        (unsigned long long)count);
    vfx_layout_to_host(buffer, records, bytes + VFX_GUARD_BYTES, count);
    return VFX_OK;
}

/* An input that no longer holds what the host gave: a stray write of some pass. */
static vfx_status check_input(vfx_run *run, uint32_t row, const void *given, uint32_t frames_done)
{
    const char *now = run->now.buffer[row], *then = given;
    for (size_t i = 0; i < run->now.bytes[row]; ++i)
        if (now[i] != then[i])
            return vfx_fail(VFX_MISMATCH, "frame %u: input buffer '%s' was overwritten at record %zu",
                            run->request.start_frame + frames_done, run->kase.kernel->buffers[row].name,
                            i / run->kase.kernel->buffers[row].stride);
    return VFX_OK;
}

static vfx_status observe(vfx_run *run, const vfx_feed *feed, uint32_t frames_done, vfx_observer *observer, void *user)
{
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row) {
        vfx_role role = run->kase.kernel->buffers[row].role;
        if (!vfx_run_uses(run, row))
            continue;
        if (vfx_role_is_state(role)) {
            void *now = run->now.buffer[row];
            run->now.buffer[row] = run->prev.buffer[row];
            run->prev.buffer[row] = now;
        }
        VFX_TRY(read_buffer(run, row, frames_done, run->now.buffer[row]));
        if (role == VFX_INPUT || role == VFX_FRAME_INPUT)
            VFX_TRY(check_input(run, row, role == VFX_INPUT ? run->start.buffer[row] : feed->input[row], frames_done));
    }
    for (uint32_t row = 0; row < run->kase.kernel->image_count; ++row)
        if (vfx_image_is_fed(&run->kase, row))
            memcpy(run->now.image[row], feed->image[row], run->now.image_bytes[row]);
    return observer(user, feed, &run->prev, &run->now);
}

/* Host copies for the observer: `prev` holds states only, `now` everything; both start as the start state. */
static vfx_status prepare_hosts(vfx_run *run)
{
    const vfx_kernel *kernel = run->kase.kernel;
    uint32_t states = 0;
    for (uint32_t row = 0; row < kernel->buffer_count; ++row)
        if (vfx_run_uses(run, row) && vfx_role_is_state(kernel->buffers[row].role))
            states |= 1u << row;
    if (!run->has_observer_hosts) {
        run->has_observer_hosts = true;
        VFX_TRY(vfx_host_create(&run->now, &run->kase, run->kase.variant->buffers));
        VFX_TRY(vfx_host_create(&run->prev, &run->kase, states));
    }
    for (uint32_t row = 0; row < kernel->buffer_count; ++row)
        if (vfx_run_uses(run, row) && ((states >> row & 1) || kernel->buffers[row].role == VFX_INPUT))
            memcpy(run->now.buffer[row], run->start.buffer[row], run->start.bytes[row]);
    for (uint32_t row = 0; row < kernel->image_count; ++row)
        if (run->start.image[row] && run->now.image[row])
            memcpy(run->now.image[row], run->start.image[row], run->start.image_bytes[row]);
    return VFX_OK;
}

vfx_status vfx_run_hash(vfx_run *run, uint64_t *hash)
{
    VFX_TRY(prepare_hosts(run));
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row)
        if (vfx_run_uses(run, row) && vfx_role_is_result(run->kase.kernel->buffers[row].role))
            VFX_TRY(read_buffer(run, row, run->request.frames, run->now.buffer[row]));
    *hash = vfx_host_hash(&run->kase, &run->now);
    return VFX_OK;
}

vfx_status vfx_run_read(vfx_run *run, uint32_t row, void *records)
{
    return read_buffer(run, row, run->request.frames, records);
}

/* ------------------------------------------------------------------------------------- the loop */

/* How many frames the next batch takes: within the budget, and not past the next frame to observe. */
static uint32_t next_batch(const vfx_run *run, uint32_t done, bool observed)
{
    uint32_t count = run->request.frames - done, every = run->request.read_every;
    double fit = run->frame_estimate_ns > 0 ? run->gpu->batch_budget_ns / run->frame_estimate_ns : 1;
    if (fit < count)
        count = fit < 1 ? 1 : (uint32_t)fit;
    if (count > run->batch_frames)
        count = run->batch_frames;
    if (observed && every && count > every - done % every)
        count = every - done % every;
    return count;
}

static vfx_status frame_loop(vfx_run *run, vfx_feed *feed, vfx_observer *observer, void *user, vfx_run_times *times)
{
    uint32_t done = 0, index = 0, every = run->request.read_every;
    while (done < run->request.frames) {
        VFX_TRY(wait_batch(run, index, times));
        uint32_t count = next_batch(run, done, observer != NULL);
        for (uint32_t i = 0; feed && i < count; ++i)
            vfx_run_fill_slot(run, feed, done + i);
        VFX_TRY(submit_batch(run, index, done, count));
        done += count;
        if (observer && (done == run->request.frames || (every && done % every == 0))) {
            for (uint32_t i = 0; i < VFX_IN_FLIGHT; ++i)
                VFX_TRY(wait_batch(run, (index + 1 + i) % VFX_IN_FLIGHT, times));
            VFX_TRY(observe(run, feed, done, observer, user));
        }
        index = (index + 1) % VFX_IN_FLIGHT;
    }
    for (uint32_t i = 0; i < VFX_IN_FLIGHT; ++i)
        VFX_TRY(wait_batch(run, (index + i) % VFX_IN_FLIGHT, times));
    return VFX_OK;
}

/* `count` values, NaN or 0; false: out of memory. */
static bool make_row(double **row, size_t count, double value)
{
    *row = calloc(count ? count : 1, sizeof **row);
    for (size_t i = 0; *row && i < count; ++i)
        (*row)[i] = value;
    return *row != NULL;
}

static vfx_status make_times(const vfx_run *run, vfx_run_times *times)
{
    uint32_t frames = run->request.frames, passes = run->kase.variant->pass_count;
    vfx_stamps stamps = run->request.stamps;
    *times = (vfx_run_times){.frames = frames, .pass_count = passes};
    bool made = make_row(&times->frame_ns, frames, NAN);
    if (stamps == VFX_STAMPS_PASS)
        made = make_row(&times->pass_ns, (size_t)frames * passes, NAN) && made;
    if (stamps == VFX_STAMPS_UPLOAD)
        made = make_row(&times->upload_host_ns, frames, 0) &&
               make_row(&times->upload_gpu_ns, frames, vfx_run_copies_inputs(run) ? NAN : 0.0) && made;
    if (made)
        return VFX_OK;
    vfx_run_times_free(times);
    return vfx_fail(VFX_MEMORY, "out of memory for the times of %u frames", frames);
}

/* Starts the feed at start_frame. */
static vfx_status start_feed(const vfx_run *run, vfx_feed *feed)
{
    VFX_TRY(vfx_feed_create(feed, &run->kase, run->request.at));
    for (uint32_t i = 0; i < run->request.start_frame; ++i)
        vfx_feed_next(feed);
    return VFX_OK;
}

vfx_status vfx_run_gpu(vfx_run *run, vfx_observer *observer, void *user, vfx_run_times *times)
{
    bool replay = !observer && run->request.stamps != VFX_STAMPS_UPLOAD && run->tape.complete &&
                  run->tape.blocks[run->request.frames - 1].index != 0;
    vfx_feed feed = {0};
    if (observer)
        VFX_TRY(prepare_hosts(run));
    VFX_TRY(vfx_run_reset(run));
    if (!replay)
        VFX_TRY(start_feed(run, &feed));
    vfx_status status = times ? make_times(run, times) : VFX_OK;
    if (status == VFX_OK) {
        uint64_t start = vfx_clock_ns();
        run->upload_host_ns = times ? times->upload_host_ns : NULL;
        status = frame_loop(run, replay ? NULL : &feed, observer, user, times);
        if (times)
            times->host_ns = (double)(vfx_clock_ns() - start);
        run->upload_host_ns = NULL;
    }
    vfx_feed_destroy(&feed);
    return status;
}

void vfx_run_times_free(vfx_run_times *times)
{
    free(times->frame_ns);
    free(times->pass_ns);
    free(times->upload_host_ns);
    free(times->upload_gpu_ns);
    *times = (vfx_run_times){0};
}
