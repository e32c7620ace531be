/* bench/result.h - reading what `time -o` wrote. A result may come from another machine, version or hand: every key
 * that is used is checked here, and a message names the file, the case and the key. */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include "bench/json.h"
#include "core/rank.h"

enum { CMD_RESULT_OLDEST = 1, CMD_RESULT_NEWEST = 2, CMD_RESULT_CASES = 16384 }; /* schema versions; most cases */

/* One case. Texts and objects belong to the result. */
typedef struct cmd_result_case {
    const char *id, *state, *reason; /* reason: "" if none */
    const json_t *object;            /* its parameters, frames, ... are of the right types */
    bool checked;                    /* its results were checked before it was timed */
    bool timed;                      /* passed, and has at least one usable launch */
    double launch_ns[VFX_RANK_MOST]; /* of each usable launch: the median over its runs of the time per frame */
    uint32_t launch_count;
    uint32_t unusable, unstable, capped, lost; /* launches: without a time; by their state; that did not finish */
    double probe_ns, clock_mhz;                /* medians of the drift probes and of the core clock; NaN: none */
    json_t *passes;                            /* rows with "name" and "median_ns"; NULL: none */
} cmd_result_case;

typedef struct cmd_result {
    const char *path;
    json_t *root;
    json_t *tool, *host, *command;    /* command: array of texts */
    const json_t *device;             /* NULL: nothing could run */
    const json_t *ceilings;           /* NULL: none */
    const char *device_name, *driver; /* "" without a device */
    bool software;
    cmd_result_case *cases; /* in the file's order */
    cmd_result_case **by_id;
    uint32_t case_count;
} cmd_result;

/* Reads a result of `time`: one launch per case in version 1, "launches" from version 2 on. IO for everything that is
 * wrong with the file. cmd_result_free in any case; `path` must outlive it. */
vfx_status cmd_result_read(cmd_result *result, const char *path) VFX_MUST_USE;
/* The same from a document at hand, which it takes over; `path` names it in messages. */
vfx_status cmd_result_take(cmd_result *result, const char *path, json_t *root) VFX_MUST_USE;
void cmd_result_free(cmd_result *result);

/* NULL: no such case. */
const cmd_result_case *cmd_result_find(const cmd_result *result, const char *id);

/* Number under a key, NaN if it is none; text, "" if it is none. */
double cmd_result_number(const json_t *object, const char *key);
const char *cmd_result_text(const json_t *object, const char *key);

/* Replaces control characters, so that no file can steer a terminal. */
void cmd_make_plain(char *text);

#endif
