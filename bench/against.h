/* bench/against.h - compares a device with a dump of another device, driver or build (verify --against DIR). */
#ifndef BENCH_AGAINST_H
#define BENCH_AGAINST_H

#include "bench/check.h"
#include "bench/dump.h"

/* Result of a comparison with a dump. The dump's records take the place of the truth. */
typedef struct cmd_against {
    cmd_state state;
    char failure[CMD_FAILURE];
    vfx_check_result checks[VFX_MAX_CHECKS];
    uint32_t equal;  /* dumped frames whose results were bitwise equal */
    uint32_t step;   /* others compared in the step tolerance: one frame from the dump's own previous frame */
    uint32_t free;   /* others compared in the free-run tolerance: all frames from the start */
    uint32_t beyond; /* others behind kernel->free_run_frames, where elements of a free run say nothing */
    double wall_ns;
} cmd_against;

/* Runs the dump's case on the session's device and compares every dumped frame: frame 1, and every frame whose
 * predecessor is in the dump too, in the step tolerance; the others in the free-run tolerance. *entry gets the dump's
 * case. A status other than OK means that the dump is unreadable. */
vfx_status cmd_against_run(const cmd_session *session, const char *folder, cmd_entry *entry,
                           cmd_against *against) VFX_MUST_USE;

#endif
