/* bench/picture_run.c - from the records of a frame to a picture, and the pictures of `run --image`. */
#include "bench/picture_run.h"
#include "bench/text.h"
#include "core/platform.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool cmd_view_draws(const vfx_view *view, const vfx_variant *variant)
{
    return view->draws == NULL || view->draws(variant);
}

const vfx_view *cmd_view_find(const vfx_kernel *kernel, const vfx_variant *variant, const char *name)
{
    for (uint32_t i = 0; i < kernel->view_count; i++) {
        const vfx_view *view = &kernel->views[i];
        if ((name == NULL || strcmp(view->name, name) == 0) && cmd_view_draws(view, variant))
            return view;
    }
    return NULL;
}

uint32_t cmd_view_last_frame(const vfx_view *view)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && view->frames[i] != 0; i++)
        last = view->frames[i];
    return last;
}

vfx_status cmd_draw_frame(const vfx_view *view, const vfx_feed *feed, const vfx_host *now, vfx_raster *raster,
                          vfx_picture *picture)
{
    vfx_ref ref;
    *picture = (vfx_picture){0};
    VFX_TRY(cmd_check_results(&feed->kase, feed->frame.index, now));
    vfx_ref_view(&ref, &feed->kase, &feed->frame, NULL, now, NULL);
    VFX_TRY(view->draw(&ref, raster));
    return vfx_raster_finish(raster, picture);
}

/* ------------------------------------------------------------------------------------- run --image */

static const char suffix[] = ".png";

/* "1280x720" */
static vfx_status parse_size(const char *text, uint32_t size[2])
{
    const char *at = text;
    for (uint32_t i = 0; i < 2; i++) {
        char *end = NULL;
        unsigned long side = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
        bool whole = end != NULL && *end == (i == 0 ? 'x' : '\0');
        if (!whole || side < 1 || side > VFX_MAX_PICTURE_SIDE)
            return vfx_fail(VFX_USAGE,
                            "--size: '%s' is not WIDTHxHEIGHT with sides of 1 to %d pixels, such as 1280x720", text,
                            VFX_MAX_PICTURE_SIDE);
        size[i] = (uint32_t)side;
        at = end + 1;
    }
    return VFX_OK;
}

static vfx_status picture_size(const cmd_options *options, uint32_t size[2])
{
    return parse_size(options->size != NULL ? options->size : "1280x720", size);
}

/* No selected case has the view: the message tells those that there are. */
static vfx_status refuse_view(const cmd_session *session)
{
    char views[512] = "";
    for (uint32_t i = 0; i < session->entry_count; i++) {
        const vfx_kernel *kernel = session->entries[i].kase.kernel;
        if (i > 0 && kernel == session->entries[i - 1].kase.kernel)
            continue;
        cmd_append(views, sizeof views, "%s%s has", views[0] != '\0' ? "; " : "", kernel->name);
        for (uint32_t v = 0; v < kernel->view_count; v++)
            cmd_append(views, sizeof views, "%s %s", v > 0 ? "," : "", kernel->views[v].name);
        if (kernel->view_count == 0)
            cmd_append(views, sizeof views, " none");
    }
    return vfx_fail(VFX_USAGE, "--view: no selected case can be drawn by a view '%s'; %s; see vfxbench list",
                    session->options->view, views);
}

vfx_status cmd_images_check(const cmd_session *session)
{
    const cmd_options *options = session->options;
    if (options->image == NULL && (options->view != NULL || options->size != NULL))
        return vfx_fail(VFX_USAGE, "--view and --size say how to draw; add --image FILE.png");
    if (options->image == NULL)
        return VFX_OK;
    size_t length = strlen(options->image), end = strlen(suffix);
    if (length <= end || length >= CMD_PICTURE_PATH - CMD_CASE_NAME ||
        strcmp(options->image + length - end, suffix) != 0)
        return vfx_fail(VFX_USAGE, "--image: '%.100s' is not the name of a .png file", options->image);
    uint32_t size[2];
    VFX_TRY(picture_size(options, size));
    for (uint32_t i = 0; options->view != NULL && i <= session->entry_count; i++) {
        if (i == session->entry_count)
            return refuse_view(session);
        const vfx_case *kase = &session->entries[i].kase;
        if (cmd_view_find(kase->kernel, kase->variant, options->view) != NULL)
            break;
    }
    return VFX_OK;
}

/* The name for a frame, without a number unless there is one picture a frame. */
static void name_picture(cmd_images *images, uint32_t frame)
{
    if (images->numbered)
        (void)snprintf(images->path, sizeof images->path, "%s.%06" PRIu32 "%s", images->stem, frame, suffix);
    else
        (void)snprintf(images->path, sizeof images->path, "%s%s", images->stem, suffix);
}

vfx_status cmd_images_begin(cmd_images *images, const cmd_session *session, const cmd_entry *entry)
{
    const cmd_options *options = session->options;
    const vfx_case *kase = &entry->kase;
    uint32_t size[2];
    *images = (cmd_images){0};
    if (options->image == NULL)
        return VFX_OK;
    images->view = cmd_view_find(kase->kernel, kase->variant, options->view);
    if (images->view == NULL)
        return vfx_fail(VFX_UNSUPPORTED, "family %s has no view%s%s that draws variant %s; see vfxbench list",
                        kase->kernel->name, options->view != NULL ? " " : "",
                        options->view != NULL ? options->view : "", kase->variant->name);
    (void)snprintf(images->stem, sizeof images->stem, "%.*s", (int)(strlen(options->image) - strlen(suffix)),
                   options->image);
    if (session->entry_count > 1) {
        char name[CMD_CASE_NAME + CMD_AXIS_LABEL];
        cmd_entry_file_name(entry, name, sizeof name);
        cmd_append(images->stem, sizeof images->stem, "-%s", name);
    }
    images->numbered = options->every > 0;
    images->files = json_array();
    name_picture(images, kase->frames);
    VFX_TRY(vfx_check_writable(images->path));
    VFX_TRY(picture_size(options, size));
    return vfx_raster_create(&images->raster, size[0], size[1]);
}

vfx_status cmd_images_frame(cmd_images *images, const vfx_feed *feed, const vfx_host *now)
{
    bool wanted = images->numbered || feed->frame.index == feed->kase.frames;
    if (images->view == NULL || !wanted)
        return VFX_OK;
    vfx_picture picture;
    vfx_status status = cmd_draw_frame(images->view, feed, now, images->raster, &picture);
    name_picture(images, feed->frame.index);
    if (status == VFX_OK)
        status = vfx_picture_write(images->path, &picture);
    vfx_picture_free(&picture);
    json_t *file = status == VFX_OK ? cmd_json_append(images->files) : NULL;
    cmd_json_u32(file, "frame", feed->frame.index);
    cmd_json_text(file, "file", images->path);
    return status;
}

void cmd_images_report(const cmd_images *images, json_t *object)
{
    if (images->view == NULL)
        return;
    cmd_json_text(object, "view", images->view->name);
    (void)json_object_set(object, "images", images->files);
}

void cmd_images_end(cmd_images *images)
{
    vfx_raster_destroy(images->raster);
    json_decref(images->files);
    *images = (cmd_images){0};
}
