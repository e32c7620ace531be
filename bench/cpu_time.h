/* bench/cpu_time.h - what the CPU reference takes for the frames that the device was timed on. It is written to be
 * read, not to be fast: the ratio says what plain code on one core would cost, not what a CPU can do. */
#ifndef BENCH_CPU_TIME_H
#define BENCH_CPU_TIME_H

#include "bench/session.h"

/* object["cpu"]: a frame of the float reference from the start of the loaded case: one frame to warm up, then up to
 * five, or as many as begin within two seconds. */
vfx_status cmd_cpu_time(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase,
                        json_t *object) VFX_MUST_USE;

#endif
