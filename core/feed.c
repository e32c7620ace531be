/* core/feed.c - what changes from frame to frame before the passes run: --at parameters, the frame block and the
 * FRAME_INPUT records. Both frame loops drink from it, so that GPU and CPU see the same input. See run.h. */
#include "core/run.h"

#include <stdlib.h>

static vfx_status create_all(vfx_feed *feed)
{
    const vfx_case *kase = &feed->kase;
    const vfx_kernel *kernel = kase->kernel;
    if (kernel->host_bytes != NULL)
        VFX_TRY(vfx_host_allocate("the per-frame host state", kernel->host_bytes(kase), &feed->host));
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        bool used = (kase->variant->buffers >> i & 1u) != 0;
        if (!used || kernel->buffers[i].role != VFX_FRAME_INPUT)
            continue;
        size_t bytes = 0;
        VFX_TRY(vfx_buffer_bytes(kase, i, &bytes));
        VFX_TRY(vfx_host_allocate(kernel->buffers[i].name, bytes, &feed->input[i]));
    }
    return VFX_OK;
}

vfx_status vfx_feed_create(vfx_feed *feed, const vfx_case *kase, const vfx_at_list *at)
{
    VFX_TRY(vfx_at_validate(kase, at));
    *feed = (vfx_feed){.kase = *kase, .at = at};
    feed->frame.dt = kase->dt;
    feed->frame.seed = kase->seed;
    vfx_status status = create_all(feed);
    if (status != VFX_OK)
        vfx_feed_destroy(feed);
    return status;
}

void vfx_feed_destroy(vfx_feed *feed)
{
    for (uint32_t i = 0; i < VFX_MAX_BUFFERS; i++)
        free(feed->input[i]);
    free(feed->host);
    *feed = (vfx_feed){0};
}

void vfx_feed_next(vfx_feed *feed)
{
    const vfx_kernel *kernel = feed->kase.kernel;
    uint32_t index = feed->frame.index + 1u;
    feed->frame = (vfx_frame){.index = index, .dt = feed->kase.dt, .seed = feed->kase.seed};
    feed->params_changed = vfx_at_apply(feed->at, index, &feed->kase);
    if (kernel->frame_input != NULL)
        kernel->frame_input(&feed->kase, feed->host, &feed->frame, feed->input);
}
