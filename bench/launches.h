/* bench/launches.h - several launches of `time`, each a fresh process, put together to one result. */
#ifndef BENCH_LAUNCHES_H
#define BENCH_LAUNCHES_H

#include "bench/launch.h"

/* Runs options->launches of them, cases in an order that turns from launch to launch; fills the session's report and
 * tally as if it had all happened here. A child that crashes or hangs costs the launch of the case that it was at, and
 * a new one goes on with the rest. Returns what ended all of it: USAGE that only loading a case shows, no device. */
vfx_status cmd_launches_run(cmd_session *session) VFX_MUST_USE;

/* The program's part in a child: the launch of options->launch_child, reported to the parent. Returns the exit code. */
int cmd_launch_child(const cmd_options *options);

#endif
