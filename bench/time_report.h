/* bench/time_report.h - a timed case as the JSON block "timing": what one launch measured, what was declared, and what
 * follows from all launches together. The table and the other outputs are made from this block. */
#ifndef BENCH_TIME_REPORT_H
#define BENCH_TIME_REPORT_H

#include "bench/timing.h"

enum { CMD_MAX_LAUNCHES = 100 };

/* object["timing"] with the facts of the case and one launch. `no_sensors`: why its readings are none. */
void cmd_time_report(json_t *object, const vfx_case *kase, const cmd_timing *timing, uint32_t launch,
                     const vfx_ceilings *ceilings, bool software, const char *no_sensors);

/* Moves the launch of `from`'s timing block behind those of `into`'s. False: there is none. */
bool cmd_time_join(json_t *into, const json_t *from);

/* Adds what follows from the launches: pooled statistics, the median of the launch medians and their spread, passes,
 * rates, a warning. Nothing without a timing block. */
vfx_status cmd_time_finish(json_t *object) VFX_MUST_USE;

/* Writes what cannot be true of these numbers, "" if nothing: a frame shorter than one of its passes, or more bytes per
 * second than 1.2 times the ceiling. `noisy` leaves the former out: software devices schedule like that. */
void cmd_time_implausible(const json_t *timing, bool noisy, char *text, size_t bytes);

/* Number under a key, NaN if it is none; text, "" if it is none. */
double cmd_number_at(const json_t *object, const char *key);
const char *cmd_text_at(const json_t *object, const char *key);

#endif
