/* bench/check.h - the full check of one case: the run itself and, in step-locked mode, a sweep over every value of
 * every boolean, enumeration and named host parameter. `verify` prints it; `time` demands it before it times anything.
 */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "bench/session.h"

enum { CMD_MAX_PARTS = 192, CMD_PART_NAME = 384, CMD_FAILURE = 4096 };

/* The run, or one value of a sweep. */
typedef struct cmd_part {
    char name[CMD_PART_NAME]; /* "tentacle/ring/ci", "tentacle/ring/ci orientation=up" */
    cmd_state state;
    uint32_t frames;
    bool compared; /* any value */
    double worst;  /* largest GPU error / limit */
    char reason[512];
} cmd_part;

typedef struct cmd_check {
    cmd_state state;                         /* the gravest of the parts */
    bool refused;                            /* the case is a usage error, of which vfx_message() speaks */
    char failure[CMD_FAILURE];               /* of the first part that is not a pass: its text; "" if all passed */
    char repro[2048];                        /* command line of the case, which runs that part again */
    vfx_check_result checks[VFX_MAX_CHECKS]; /* over all parts */
    uint32_t frames;                         /* of the run */
    uint32_t batches;                        /* of a frame of the run; 0: it did not start */
    uint32_t sweeps, sweeps_skipped;         /* values swept; skipped because the family forbids the combination */
    uint64_t hash;                           /* of the run's last frame */
    unsigned char metrics[VFX_MAX_METRICS];  /* of the same, see vfx_kernel.metrics */
    double cpu_ns, wall_ns;
    cmd_part parts[CMD_MAX_PARTS];
    uint32_t part_count;
} cmd_check;

/* Checks entry->kase on the session's device in `mode`. Everything that happens is in *check. The struct is large:
 * allocate it. */
void cmd_check_run(const cmd_session *session, const cmd_entry *entry, vfx_mode mode, cmd_check *check);

/* Row of the check that used the largest share of its limit, or UINT32_MAX when none compared anything. */
uint32_t cmd_check_worst(const cmd_check *check, const vfx_kernel *kernel);

#endif
