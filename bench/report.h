/* bench/report.h - the result file: one versioned JSON document, built while the program runs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/json.h"
#include "bench/options.h"
#include "bench/states.h"
#include "core/gpu.h"
#include "core/run.h"
#include "core/stats.h"

enum { CMD_SCHEMA_VERSION = 2 };

/* Name, version and git id of this program, as every file it writes carries them. */
void cmd_report_tool(json_t *object, const char *key);

/* The device block: name, ids, driver, type, limits and float controls. NULL: null. */
void cmd_report_device(json_t *object, const char *key, const vfx_device_info *info);
void cmd_report_ceilings(json_t *object, const char *key, const vfx_ceilings *ceilings);

/* A new document with tool, command line and host; device and cases follow. NULL when out of memory. */
json_t *cmd_report_create(const cmd_options *options);

/* Adds a case: id, parameters, --at changes, frames, dt, seed, state and reason. Returns it (borrowed) for more. */
json_t *cmd_report_case(json_t *report, const vfx_case *kase, const vfx_at_list *at, cmd_state state,
                        const char *reason);
/* Parameters and host parameters of a case as "parameters": {name: text} and "host_parameters". */
void cmd_report_parameters(json_t *object, const vfx_case *kase);
/* Rows of the --at list: frame, parameter, value, word. */
void cmd_report_at(json_t *object, const char *key, const vfx_case *kase, const vfx_at_list *at);
/* "checks": one row per check that compared something. */
void cmd_report_checks(json_t *kase_object, const vfx_case *kase, const vfx_check_result checks[]);
/* Order statistics, every one in ns. */
void cmd_report_stats(json_t *object, const char *key, const vfx_stats *stats);
/* object["batches"] where a frame has several. */
void cmd_report_batches(json_t *object, uint32_t batches);
/* A hash of records, as a decimal string. */
void cmd_report_hash(json_t *object, uint64_t hash);

/* Adds counts per state and the exit code, then writes to options->output and, with --json, to stdout. */
vfx_status cmd_report_finish(json_t *report, const cmd_options *options, const cmd_tally *tally,
                             int exit_code) VFX_MUST_USE;

#endif
