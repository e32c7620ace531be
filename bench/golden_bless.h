/* bench/golden_bless.h - the only writer of goldens. */
#ifndef BENCH_GOLDEN_BLESS_H
#define BENCH_GOLDEN_BLESS_H

#include "bench/picture_run.h"

/* Draws the goldens of a view from the CPU reference of entry->kase (the view's case) and writes those that changed
 * into `folder`, with options->reason; prints and reports each. Nothing is written unless all could be drawn. Only
 * USAGE is returned, which ends the program. */
vfx_status cmd_golden_bless(cmd_session *session, const cmd_entry *entry, const vfx_view *view,
                            const char *folder) VFX_MUST_USE;

/* Is the reason one? USAGE. */
vfx_status cmd_golden_check_reason(const char *reason) VFX_MUST_USE;

#endif
