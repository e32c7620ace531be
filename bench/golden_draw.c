/* bench/golden_draw.c - runs a view's case and draws its golden frames. */
#include "bench/golden_draw.h"
#include "bench/golden.h"

#include <inttypes.h>

/* What the observer of a run needs. */
typedef struct drawer {
    cmd_golden_frames *frames;
    vfx_raster *raster;
} drawer;

static bool has_frame(const vfx_view *view, uint32_t row)
{
    return row < VFX_MAX_VIEW_FRAMES && view->frames[row] != 0;
}

static vfx_status draw(const drawer *d, const vfx_feed *feed, const vfx_host *now)
{
    const vfx_view *view = d->frames->view;
    for (uint32_t i = 0; has_frame(view, i); i++) {
        if (view->frames[i] == feed->frame.index && d->frames->pictures[i].rgb == NULL)
            return cmd_draw_frame(view, feed, now, d->raster, &d->frames->pictures[i]);
    }
    return VFX_OK;
}

void cmd_golden_frames_free(cmd_golden_frames *frames)
{
    for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES; i++)
        vfx_picture_free(&frames->pictures[i]);
}

/* Frame 0 of the reference. Destroy both in any case. */
static vfx_status begin_reference(const vfx_case *kase, vfx_host *host, vfx_feed *feed)
{
    static const vfx_at_list nothing;
    VFX_TRY(vfx_host_create(host, kase, kase->variant->buffers));
    kase->kernel->init(kase, host->buffer, host->image);
    return vfx_feed_create(feed, kase, &nothing);
}

/* ------------------------------------------------------------------------------------------- device */

static vfx_status observe(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    (void)prev;
    return draw(user, feed, now);
}

/* Frames (start, start + count] on the device, which shows every `every`-th and the last. `state`: as of `start`. */
static vfx_status run_device(const cmd_session *session, const vfx_case *kase, uint32_t start, const vfx_host *state,
                             uint32_t count, uint32_t every, drawer *d)
{
    static const vfx_at_list nothing;
    vfx_override overrides[CMD_MAX_SHADERS];
    vfx_run_request request = cmd_session_request(session, kase, &nothing, overrides);
    request.start_frame = start;
    request.start_state = start > 0 ? state : NULL;
    request.frames = count;
    request.read_every = every;
    request.poison = true;
    vfx_run *run = NULL;
    VFX_TRY(vfx_run_create(&run, session->gpu, &request));
    vfx_status status = vfx_run_gpu(run, observe, d, NULL);
    vfx_run_destroy(run);
    return status;
}

/* Largest step that meets every golden frame: their greatest common divisor. */
static uint32_t common_step(const vfx_view *view)
{
    uint32_t step = 0;
    for (uint32_t i = 0; has_frame(view, i); i++) {
        uint32_t a = view->frames[i];
        while (a != 0) {
            uint32_t rest = step % a;
            step = a;
            a = rest;
        }
    }
    return step;
}

/* A golden's last frames from where the reference of the golden's own variant has brought it: all variants start alike.
 */
static vfx_status draw_last_frames(const cmd_session *session, const vfx_case *kase, const vfx_case *shown, drawer *d)
{
    const vfx_view *view = d->frames->view;
    vfx_host host = {0};
    vfx_feed feed = {0};
    vfx_status status = begin_reference(shown, &host, &feed);
    for (uint32_t i = 0; has_frame(view, i) && status == VFX_OK; i++) {
        uint32_t frame = view->frames[i], count = frame < view->device_frames ? frame : view->device_frames;
        uint32_t done = feed.frame.index, start = frame - count;
        if (start > done)
            status = vfx_run_cpu(shown, &feed, &host, start - done, false, done == 0);
        if (status == VFX_OK)
            status = run_device(session, kase, start, &host, count, 0, d);
    }
    vfx_feed_destroy(&feed);
    vfx_host_destroy(&host);
    return status;
}

static vfx_status draw_device(const cmd_session *session, const vfx_case *kase, drawer *d)
{
    const vfx_view *view = d->frames->view;
    uint32_t batches = cmd_case_batches(kase);
    VFX_TRY(vfx_gpu_supports(session->gpu, kase));
    if (batches > 1)
        return vfx_fail(VFX_UNSUPPORTED,
                        "the device holds a frame's output in %" PRIu32 " batches, of which a picture "
                        "would show the last only",
                        batches);
    if (view->device_frames == 0)
        return run_device(session, kase, 0, NULL, cmd_view_last_frame(view), common_step(view), d);
    vfx_case shown;
    VFX_TRY(cmd_golden_case(kase->kernel, cmd_golden_variant(kase->kernel, view), view, &shown));
    VFX_TRY(cmd_case_load(&shown));
    vfx_status status = draw_last_frames(session, kase, &shown, d);
    cmd_case_unload(&shown);
    return status;
}

vfx_status cmd_golden_draw_device(const cmd_session *session, const vfx_case *kase, const vfx_view *view,
                                  cmd_golden_frames *frames)
{
    *frames = (cmd_golden_frames){.view = view};
    drawer d = {.frames = frames};
    vfx_status status = vfx_raster_create(&d.raster, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT);
    if (status == VFX_OK)
        status = draw_device(session, kase, &d);
    vfx_raster_destroy(d.raster);
    return status;
}

/* ---------------------------------------------------------------------------------------- reference */

static vfx_status run_reference(const vfx_case *kase, vfx_feed *feed, vfx_host *host, const drawer *d)
{
    const vfx_view *view = d->frames->view;
    for (uint32_t i = 0; has_frame(view, i); i++) {
        uint32_t done = feed->frame.index;
        VFX_TRY(vfx_run_cpu(kase, feed, host, view->frames[i] - done, false, done == 0));
        VFX_TRY(draw(d, feed, host));
    }
    return VFX_OK;
}

static vfx_status draw_reference(const vfx_case *kase, const drawer *d)
{
    vfx_host host = {0};
    vfx_feed feed = {0};
    vfx_status status = begin_reference(kase, &host, &feed);
    if (status == VFX_OK)
        status = run_reference(kase, &feed, &host, d);
    vfx_feed_destroy(&feed);
    vfx_host_destroy(&host);
    return status;
}

vfx_status cmd_golden_draw_reference(const vfx_case *kase, const vfx_view *view, cmd_golden_frames *frames)
{
    *frames = (cmd_golden_frames){.view = view};
    drawer d = {.frames = frames};
    vfx_status status = vfx_raster_create(&d.raster, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT);
    if (status == VFX_OK)
        status = draw_reference(kase, &d);
    vfx_raster_destroy(d.raster);
    return status;
}
