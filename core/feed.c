/* core/feed.c - what changes from frame to frame before the passes run: --at parameters, the frame block and the
 * FRAME_INPUT records and per-frame texels. Both frame loops drink from it, so that GPU and CPU see the same input. See
 * run.h. */
#include "core/run.h"

#include <stdlib.h>

static vfx_status create_all(vfx_feed *feed)
{
    const vfx_case *kase = &feed->kase;
    const vfx_kernel *kernel = kase->kernel;
    if (kernel->host_bytes != NULL)
        VFX_TRY(vfx_host_allocate("the per-frame host state", kernel->host_bytes(kase), &feed->host));
    size_t bytes = 0;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        if (!vfx_buffer_is_fed(kase, i))
            continue;
        VFX_TRY(vfx_buffer_bytes(kase, i, &bytes));
        VFX_TRY(vfx_host_allocate(kernel->buffers[i].name, bytes, &feed->input[i]));
    }
    for (uint32_t i = 0; i < kernel->image_count; i++) {
        if (!vfx_image_is_fed(kase, i))
            continue;
        VFX_TRY(vfx_image_bytes(kase, i, &bytes));
        VFX_TRY(vfx_host_allocate(kernel->images[i].name, bytes, &feed->image[i]));
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
    for (uint32_t i = 0; i < VFX_MAX_IMAGES; i++)
        free(feed->image[i]);
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
        kernel->frame_input(&feed->kase, feed->host, &feed->frame, feed->input, feed->image);
}
