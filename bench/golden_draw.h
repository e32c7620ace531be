/* bench/golden_draw.h - the golden frames of a view as pictures: from what a device computes, and from what the CPU
 * reference computes. */
#ifndef BENCH_GOLDEN_DRAW_H
#define BENCH_GOLDEN_DRAW_H

#include "bench/picture_run.h"

/* Pictures by row of view->frames; empty ones were not drawn. */
typedef struct cmd_golden_frames {
    const vfx_view *view;
    vfx_picture pictures[VFX_MAX_VIEW_FRAMES];
} cmd_golden_frames;

/* Draws all golden frames of a loaded case in the size of goldens: the device computes them in one run, or, where the
 * view says so, only the last frames of each in a run of its own. What was drawn before a failure stays. UNSUPPORTED
 * when the device cannot run the case or holds its output in batches only. cmd_golden_frames_free in any case. */
vfx_status cmd_golden_draw_device(const cmd_session *session, const vfx_case *kase, const vfx_view *view,
                                  cmd_golden_frames *frames) VFX_MUST_USE;
/* The same from the float reference alone. */
vfx_status cmd_golden_draw_reference(const vfx_case *kase, const vfx_view *view,
                                     cmd_golden_frames *frames) VFX_MUST_USE;
void cmd_golden_frames_free(cmd_golden_frames *frames);

#endif
