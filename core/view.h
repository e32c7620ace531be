/* core/view.h - a row of a family's record that says how a frame becomes a picture, and of which frames goldens are
 * kept. Views are drawn on the CPU, with core/raster.h, from the records that a run leaves. */
#ifndef VFX_VIEW_H
#define VFX_VIEW_H

#include "core/status.h"

#include <stdint.h>

struct vfx_raster;
struct vfx_ref;
struct vfx_variant;

enum { VFX_MAX_VIEW_FRAMES = 8 };

typedef struct vfx_view {
    const char *name;    /* the goldens are goldens/<family>/<name>-<frame>.png, the frame with three digits */
    const char *summary; /* one sentence: what a person sees in it */
    const char *preset;  /* the case of its goldens, */
    const char *set;     /* and what it changes there, in --set syntax separated by commas; "" for nothing */
    uint32_t frames[VFX_MAX_VIEW_FRAMES]; /* frames of its goldens, rising; 0 ends */
    /* The device computes only the last so many frames of a golden, the f32 reference of the golden's variant those
     * before (frames must then lie further apart): for kernels where the smallest difference grows. 0: it computes all.
     */
    uint32_t device_frames;
    /* The variants that it can draw; NULL: all. The goldens are those of the first, and hold for all. */
    bool (*draws)(const struct vfx_variant *);
    /* Sets the scene (vfx_raster_scene) for whatever size the case has, and draws the frame's records: ref->in (states,
     * inputs, outputs) and ref->image. Device independent: no clock, no random numbers. */
    vfx_status (*draw)(const struct vfx_ref *ref, struct vfx_raster *raster);
    double weighted_q3, weighted_p99; /* FLIP limits of its goldens; 0: 0.15 and 0.10 */
} vfx_view;

#endif
