/* bench/states.h - how a case can end and what the program exits with. Both are a contract with scripts: never
 * renumber. The rows below are the only place that says which state counts as what. */
#ifndef BENCH_STATES_H
#define BENCH_STATES_H

#include "core/status.h"

#include <stdint.h>

enum {
    CMD_EXIT_OK = 0,
    CMD_EXIT_MISMATCH = 1,     /* numbers, golden or a validation message */
    CMD_EXIT_REGRESSION = 2,   /* slower than before */
    CMD_EXIT_INCONCLUSIVE = 3, /* comparison without a verdict, with --fail-on-inconclusive */
    CMD_EXIT_CRASH = 4,        /* crash, timeout, device lost */
    CMD_EXIT_INFRA = 5,        /* memory, files, a Vulkan call, --require-device not met */
    CMD_EXIT_USAGE = 64,       /* wrong arguments, unknown case, nothing selected */
    CMD_EXIT_SKIP = 77         /* nothing could run and a device was not required */
};

/* S(identifier, text, exit code that a case in this state asks for) */
#define CMD_STATE_LIST(S)                                                                      \
    S(PASS, "pass", CMD_EXIT_OK)                                                               \
    S(EXPECTED_FAIL, "expected-fail", CMD_EXIT_OK)                                             \
    S(FAIL, "fail", CMD_EXIT_MISMATCH)                                                         \
    S(UNEXPECTED_PASS, "unexpected-pass", CMD_EXIT_MISMATCH)                                   \
    S(UNSUPPORTED, "unsupported", CMD_EXIT_SKIP) /* the device cannot */                       \
    S(SKIPPED, "skipped", CMD_EXIT_SKIP)         /* not applicable, or excluded by the user */ \
    S(FLAKY, "flaky", CMD_EXIT_MISMATCH)                                                       \
    S(CRASH, "crash", CMD_EXIT_CRASH)                                                          \
    S(TIMEOUT, "timeout", CMD_EXIT_CRASH)                                                      \
    S(LOST, "device-lost", CMD_EXIT_CRASH)                                                     \
    S(NOT_RUN, "not-run", CMD_EXIT_CRASH) /* a casualty of one of the three above */           \
    S(INFRA, "infra-error", CMD_EXIT_INFRA)

#define CMD_STATE_ENUM(ident, text, code) CMD_STATE_##ident,
typedef enum cmd_state { CMD_STATE_LIST(CMD_STATE_ENUM) CMD_STATE_COUNT } cmd_state;

/* "pass", "fail", ... Never NULL. */
const char *cmd_state_name(cmd_state state);

/* State of a case whose work returned `status`. */
cmd_state cmd_state_of(vfx_status status);

/* Exit code of a failure that ends the whole program. `device_required`: UNSUPPORTED is 5 instead of 77. */
int cmd_exit_of(vfx_status status, bool device_required);

/* The graver of two exit codes: 5 > 4 > 1 > 2 > 3 > 0. */
int cmd_exit_worse(int a, int b);

/* How many cases ended in each state. */
typedef struct cmd_tally {
    uint32_t count[CMD_STATE_COUNT];
} cmd_tally;

uint32_t cmd_tally_total(const cmd_tally *tally);
/* Exit code of a finished program. Skips count as 0; as 1 with `fail_on_skip`; if nothing but skips happened as 77,
 * or 5 with `device_required`. */
int cmd_tally_exit(const cmd_tally *tally, bool fail_on_skip, bool device_required);

#endif
