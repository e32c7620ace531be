/* bench/launch.h - one launch of `time`: ceilings, then each of its cases checked if need be, warmed up, sampled. It
 * happens in this process, which is a child of the one that the user started, or that one itself. */
#ifndef BENCH_LAUNCH_H
#define BENCH_LAUNCH_H

#include "bench/session.h"

typedef struct cmd_launch_case {
    uint32_t entry; /* index in session->entries */
    bool check;     /* false: it has passed in an earlier launch */
} cmd_launch_case;

typedef struct cmd_launch {
    uint32_t number; /* from 1 */
    cmd_launch_case *cases;
    uint32_t count;
} cmd_launch;

/* Every case of the session once, from entry `first` on and around, all to be checked; cmd_launch_free. */
vfx_status cmd_launch_create(cmd_launch *launch, uint32_t number, uint32_t entries, uint32_t first) VFX_MUST_USE;
void cmd_launch_free(cmd_launch *launch);

/* As the hidden option takes it: "2:3,0?" is launch 2 of entry 3 and entry 0, which is to be checked first. free() the
 * text; parsing says USAGE for anything else. */
vfx_status cmd_launch_format(const cmd_launch *launch, char **text) VFX_MUST_USE;
vfx_status cmd_launch_parse(const char *text, uint32_t entries, cmd_launch *launch) VFX_MUST_USE;

/* Runs the launch on the open session. Cases are recorded in the report in its order, "timing" with one launch; with
 * session->wire they are sent too, and what follows a case that took the device along is left to others. */
vfx_status cmd_launch_run(cmd_session *session, const cmd_launch *launch) VFX_MUST_USE;

#endif
