/* bench/picture_run.h - frames as pictures: which view draws a case, drawing of a frame's records, and the files of
 * `run --image`. */
#ifndef BENCH_PICTURE_RUN_H
#define BENCH_PICTURE_RUN_H

#include "bench/session.h"
#include "core/raster.h"
#include "core/view.h"

enum { CMD_PICTURE_PATH = 4096 };

/* Can the view draw what the variant computes? */
bool cmd_view_draws(const vfx_view *view, const vfx_variant *variant);
/* The family's view of this name (NULL: the first) that draws the variant, or NULL. */
const vfx_view *cmd_view_find(const vfx_kernel *kernel, const vfx_variant *variant, const char *name);
/* The last frame that a golden shows. */
uint32_t cmd_view_last_frame(const vfx_view *view);

/* Draws the records `now` of the feed's frame. MISMATCH naming buffer, record and field, before anything is drawn, when
 * a result was not written or is not finite. The caller frees *picture. */
vfx_status cmd_draw_frame(const vfx_view *view, const vfx_feed *feed, const vfx_host *now, vfx_raster *raster,
                          vfx_picture *picture) VFX_MUST_USE;

/* ------------------------------------------------------------------------------------- run --image */

/* Pictures of one case. Zeroed: none are wanted. */
typedef struct cmd_images {
    const vfx_view *view;
    vfx_raster *raster;
    bool numbered;
    char stem[CMD_PICTURE_PATH];      /* what all names begin with */
    char path[CMD_PICTURE_PATH + 16]; /* of the newest picture */
    json_t *files;                    /* of all: frame and file */
} cmd_images;

/* Are --image, --view, --size right, and has any of the selected cases the view? USAGE. */
vfx_status cmd_images_check(const cmd_session *session) VFX_MUST_USE;
/* UNSUPPORTED when no such view draws the case, IO when the pictures could not be written. cmd_images_end in any case.
 */
vfx_status cmd_images_begin(cmd_images *images, const cmd_session *session, const cmd_entry *entry) VFX_MUST_USE;
/* Draws and writes FILE.png, or FILE.000060.png with --every. */
vfx_status cmd_images_frame(cmd_images *images, const vfx_feed *feed, const vfx_host *now) VFX_MUST_USE;
/* object["view"] and ["images"]. */
void cmd_images_report(const cmd_images *images, json_t *object);
void cmd_images_end(cmd_images *images);

#endif
