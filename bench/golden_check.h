/* bench/golden_check.h - the goldens of one view against what a device computed. */
#ifndef BENCH_GOLDEN_CHECK_H
#define BENCH_GOLDEN_CHECK_H

#include "bench/golden.h"
#include "bench/picture_run.h"
#include "core/gate.h"

/* How one golden fared. */
typedef struct cmd_golden_result {
    uint32_t frame;
    cmd_state state;
    char reason[1024]; /* "" for a pass */
    cmd_golden_file golden;
    bool compared; /* `gate` and `limits` are filled */
    vfx_gate_limits limits;
    vfx_gate_result gate;
    char material[CMD_PICTURE_PATH]; /* <material>.actual.png, .heat.png, .sheet.png show a failure; "": none */
} cmd_golden_result;

typedef struct cmd_golden_check {
    cmd_golden_result results[VFX_MAX_VIEW_FRAMES];
    uint32_t count;
} cmd_golden_check;

/* Reads the goldens of a view from `folder`, draws what the session's device computes for entry->kase (the view's case)
 * and compares. Pictures of failures go to `out`, which is made for the first. USAGE ends the program; everything else
 * that happens is in *check, which is large: allocate it. cmd_golden_check_free in any case. */
vfx_status cmd_golden_check_run(const cmd_session *session, const cmd_entry *entry, const vfx_view *view,
                                const char *folder, const char *out, cmd_golden_check *check) VFX_MUST_USE;
void cmd_golden_check_free(cmd_golden_check *check);

#endif
