/* core/run_input.c - what the host gives a run frame by frame: the tape that keeps it for replay, how it is written
 * there, and the commands that take it to the device, one way for each upload mode. Per-frame images always go by one
 * copy command each. */
#include "core/run_internal.h"

#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

/* Regions or update commands of one submission: a driver keeps them all in memory. A frame may have more. */
enum { MOST_COPIES = 1 << 16 };

vfx_upload vfx_run_upload_mode(const vfx_case *kase)
{
    const char *value = vfx_case_host(kase, VFX_UPLOAD_PARAM);
    for (uint32_t i = 0; value && vfx_upload_names[i]; ++i)
        if (strcmp(value, vfx_upload_names[i]) == 0)
            return (vfx_upload)i;
    return VFX_UPLOAD_SINGLE;
}

/* Does the device copy records from the tape itself? In the other modes the host does: into commands, or bound memory.
 */
static bool copies_records(const vfx_run *run)
{
    return run->upload == VFX_UPLOAD_SINGLE || run->upload == VFX_UPLOAD_REGIONS;
}

/* ----------------------------------------------------------------------------------------- the tape */

/* Lays out a slot: the fed rows and images, each at a multiple of 16 bytes. */
static vfx_status lay_out_slot(vfx_run *run, uint64_t *largest_count)
{
    vfx_tape *tape = &run->tape;
    const vfx_kernel *kernel = run->kase.kernel;
    *largest_count = 0;
    for (uint32_t row = 0; row < kernel->buffer_count; ++row) {
        if (!vfx_buffer_is_fed(&run->kase, row))
            continue;
        uint64_t count = run->buffers[row].bytes / kernel->buffers[row].stride;
        tape->offset[row] = tape->slot_bytes;
        tape->slot_bytes += (run->buffers[row].bytes + 15) & ~(size_t)15;
        tape->records += count;
        if (count > *largest_count)
            *largest_count = count;
    }
    for (uint32_t row = 0; row < kernel->image_count; ++row) {
        size_t bytes;
        if (!vfx_image_is_fed(&run->kase, row))
            continue;
        VFX_TRY(vfx_image_bytes(&run->kase, row, &bytes));
        tape->image_offset[row] = tape->slot_bytes;
        tape->slot_bytes += (bytes + 15) & ~(size_t)15;
        tape->image_bytes[row] = bytes;
    }
    return VFX_OK;
}

vfx_status vfx_run_create_tape(vfx_run *run)
{
    vfx_tape *tape = &run->tape;
    uint64_t largest_count;
    VFX_TRY(lay_out_slot(run, &largest_count));
    uint64_t fit = tape->slot_bytes ? ((uint64_t)VFX_TAPE_MIB << 20) / tape->slot_bytes : VFX_MAX_BATCH * 64u;
    tape->slots = fit < VFX_IN_FLIGHT ? VFX_IN_FLIGHT : (uint32_t)fit;
    tape->complete = run->request.frames <= tape->slots;
    if (tape->complete)
        tape->slots = run->request.frames;
    tape->blocks = calloc(tape->slots, sizeof *tape->blocks);
    tape->words = calloc(tape->slots, sizeof *tape->words);
    tape->params_changed = calloc(tape->slots, sizeof *tape->params_changed);
    size_t regions = run->upload == VFX_UPLOAD_REGIONS && largest_count ? (size_t)largest_count : 1;
    run->regions = calloc(regions, sizeof *run->regions);
    if (!tape->blocks || !tape->words || !tape->params_changed || !run->regions)
        return vfx_fail(VFX_MEMORY, "out of memory for the inputs of %u frames", tape->slots);
    /* Where the host reads the records back out of the tape, that must not be slow memory. */
    if (tape->slot_bytes)
        VFX_TRY(vfx_vk_buffer_create(run->gpu, &tape->staging, tape->slot_bytes * tape->slots, 0,
                                     copies_records(run) ? VFX_MEMORY_STAGING : VFX_MEMORY_READBACK, "frame inputs"));
    return VFX_OK;
}

uint32_t vfx_run_batch_frames(const vfx_run *run)
{
    const vfx_tape *tape = &run->tape;
    uint64_t frames = tape->complete ? tape->slots : tape->slots / VFX_IN_FLIGHT;
    if (frames > VFX_MAX_BATCH)
        frames = VFX_MAX_BATCH;
    if (tape->records == 0)
        return (uint32_t)frames;
    if (run->upload == VFX_UPLOAD_MAPPED)
        return 1; /* the host writes the memory that the frame before last read */
    if (run->upload != VFX_UPLOAD_SINGLE && frames * tape->records > MOST_COPIES)
        frames = tape->records < MOST_COPIES ? MOST_COPIES / tape->records : 1;
    return (uint32_t)frames;
}

/* Adds what passed since `begin` to the frame's upload time, if that is wanted. */
static void count_upload(vfx_run *run, uint32_t frame, uint64_t begin)
{
    if (run->upload_host_ns)
        run->upload_host_ns[frame] += (double)(vfx_clock_ns() - begin);
}

void vfx_run_fill_slot(vfx_run *run, vfx_feed *feed, uint32_t frame)
{
    const vfx_kernel *kernel = run->kase.kernel;
    vfx_tape *tape = &run->tape;
    uint32_t slot = frame % tape->slots;
    char *at = tape->staging.mapped; /* NULL: there is nothing to copy */
    at = at != NULL ? at + (size_t)slot * tape->slot_bytes : NULL;
    vfx_feed_next(feed);
    tape->blocks[slot] = feed->frame;
    tape->params_changed[slot] = feed->params_changed || (frame == 0 && run->request.start_frame > 0);
    memcpy(tape->words[slot], feed->kase.words, sizeof feed->kase.words);
    uint64_t begin = vfx_clock_ns();
    for (uint32_t row = 0; at != NULL && row < kernel->buffer_count; ++row)
        if (vfx_buffer_is_fed(&run->kase, row))
            vfx_layout_to_device(&kernel->buffers[row], at + tape->offset[row], feed->input[row],
                                 run->buffers[row].bytes / kernel->buffers[row].stride);
    if (!copies_records(run))
        begin = vfx_clock_ns(); /* the tape is our own; a program would record or write from its records */
    for (uint32_t row = 0; at != NULL && row < kernel->image_count; ++row)
        if (vfx_image_is_fed(&run->kase, row))
            memcpy(at + tape->image_offset[row], feed->image[row], tape->image_bytes[row]);
    count_upload(run, frame, begin);
}

/* ---------------------------------------------------------------------------------------- the upload */

static void record_records(vfx_run *run, VkCommandBuffer commands, uint32_t row, uint32_t slot, uint32_t parity)
{
    const uint32_t stride = run->kase.kernel->buffers[row].stride;
    vfx_run_buffer *own = &run->buffers[row];
    VkDeviceSize from = (VkDeviceSize)slot * run->tape.slot_bytes + run->tape.offset[row];
    const char *data = (const char *)run->tape.staging.mapped + from;
    VkBuffer to = own->device[0].buffer;
    uint64_t count = own->bytes / stride;
    switch (run->upload) {
    case VFX_UPLOAD_SINGLE:
        run->regions[0] = (VkBufferCopy){from, VFX_RECORDS_OFFSET, own->bytes};
        vkCmdCopyBuffer(commands, run->tape.staging.buffer, to, 1, run->regions);
        break;
    case VFX_UPLOAD_REGIONS:
        for (uint64_t i = 0; i < count; ++i)
            run->regions[i] = (VkBufferCopy){from + i * stride, VFX_RECORDS_OFFSET + i * stride, stride};
        vkCmdCopyBuffer(commands, run->tape.staging.buffer, to, (uint32_t)count, run->regions);
        break;
    case VFX_UPLOAD_PER_INSTANCE:
        for (uint64_t i = 0; i < count; ++i)
            vkCmdUpdateBuffer(commands, to, VFX_RECORDS_OFFSET + i * stride, stride, data + i * stride);
        break;
    case VFX_UPLOAD_MAPPED:
        memcpy((char *)own->device[parity].mapped + VFX_RECORDS_OFFSET, data, own->bytes);
        break;
    }
}

void vfx_run_record_inputs(vfx_run *run, VkCommandBuffer commands, uint32_t frame, uint32_t slot)
{
    uint64_t begin = vfx_clock_ns();
    for (uint32_t row = 0; row < run->kase.kernel->buffer_count; ++row)
        if (vfx_buffer_is_fed(&run->kase, row) && run->buffers[row].bytes)
            record_records(run, commands, row, slot, frame & 1);
    for (uint32_t row = 0; row < run->kase.kernel->image_count; ++row)
        if (vfx_image_is_fed(&run->kase, row))
            vfx_vk_image_record(commands, &run->images[row], run->tape.staging.buffer,
                                (VkDeviceSize)slot * run->tape.slot_bytes + run->tape.image_offset[row]);
    count_upload(run, frame, begin);
}

bool vfx_run_copies_inputs(const vfx_run *run)
{
    uint64_t texels = 0;
    for (uint32_t row = 0; row < run->kase.kernel->image_count; ++row)
        texels += run->tape.image_bytes[row];
    return texels || (run->tape.records && run->upload != VFX_UPLOAD_MAPPED);
}
