/* bench/scaling.h - how the time of a swept case grows along its first numeric axis. */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include "bench/session.h"

/* report["scaling"] from the cases of the report, which are the session's entries in their order, and a line for each
 * row: of every case and combination of the other axes one. Nothing without a numeric axis. */
vfx_status cmd_scaling_report(const cmd_session *session) VFX_MUST_USE;

#endif
