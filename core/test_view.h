/* core/test_view.h - what *_view_test.c files share: a case computed by the float reference, its picture, and how far
 * two pictures are apart. */
#ifndef VFX_TEST_VIEW_H
#define VFX_TEST_VIEW_H

#include "core/test.h"

#include "core/params.h"
#include "core/raster.h"
#include "core/run.h"

enum { WIDTH = 384, HEIGHT = 216 }; /* of the goldens */

typedef struct drawing {
    vfx_case kase;
    vfx_feed feed;
    vfx_host host;
    vfx_ref ref;
} drawing;

/* Frame `frames` of the case, whose parameters are set. `computed`: the last frames, which are run; those before are
 * only fed (for families without state). */
static void drawing_compute(drawing *d, uint32_t frames, uint32_t computed)
{
    const vfx_kernel *kernel = d->kase.kernel;
    assert_vfx_ok(vfx_case_validate(&d->kase));
    if (kernel->load != NULL)
        assert_vfx_ok(kernel->load(&d->kase));
    assert_vfx_ok(vfx_feed_create(&d->feed, &d->kase, NULL));
    assert_vfx_ok(vfx_host_create(&d->host, &d->kase, d->kase.variant->buffers));
    kernel->init(&d->kase, d->host.buffer, d->host.image);
    for (uint32_t i = computed; i < frames; i++)
        vfx_feed_next(&d->feed);
    assert_vfx_ok(vfx_run_cpu(&d->kase, &d->feed, &d->host, computed, false, true));
    vfx_ref_view(&d->ref, &d->feed.kase, &d->feed.frame, NULL, &d->host, NULL);
}

static void drawing_destroy(drawing *d)
{
    vfx_host_destroy(&d->host);
    vfx_feed_destroy(&d->feed);
    if (d->kase.kernel->unload != NULL)
        d->kase.kernel->unload(&d->kase);
}

static vfx_picture draw(const drawing *d, const vfx_view *view, uint32_t width, uint32_t height)
{
    vfx_raster *raster;
    vfx_picture picture;
    assert_vfx_ok(vfx_raster_create(&raster, width, height));
    assert_vfx_ok(view->draw(&d->ref, raster));
    assert_vfx_ok(vfx_raster_finish(raster, &picture));
    vfx_raster_destroy(raster);
    return picture;
}

/* Pixels with a channel that differs by more than `off` steps of 255. */
static uint32_t different(const vfx_picture *a, const vfx_picture *b, int off)
{
    assert_true(a->width == b->width && a->height == b->height);
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        const uint8_t *x = &a->rgb[3 * i], *y = &b->rgb[3 * i];
        count += abs(x[0] - y[0]) > off || abs(x[1] - y[1]) > off || abs(x[2] - y[2]) > off;
    }
    return count;
}

#endif
