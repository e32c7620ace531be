/* bench/select.h - which cases a command line names: globs on "family/variant/preset". Works on any table of
 * kernels, so that tests can bring their own. */
#ifndef BENCH_SELECT_H
#define BENCH_SELECT_H

#include "bench/options.h"
#include "core/kernel.h"

enum { CMD_CASE_NAME = 256 }; /* bytes of a case name, terminator included */

/* One selected case, not yet given its parameters. */
typedef struct cmd_choice {
    const vfx_kernel *kernel;
    const vfx_variant *variant;
    const vfx_preset *preset;
} cmd_choice;

/* In table order (family, variant, preset), each case once. */
typedef struct cmd_selection {
    cmd_choice *choices;
    uint32_t count;
} cmd_selection;

/* Selects what matches any of `globs` (or `default_glob` when there are none) and none of `exclude`. USAGE when a
 * glob or an exclusion matches nothing or nothing is left, with what exists. */
vfx_status cmd_select(const vfx_kernel *const kernels[], uint32_t kernel_count, const cmd_values *globs,
                      const cmd_values *exclude, const char *default_glob, cmd_selection *selection) VFX_MUST_USE;
void cmd_selection_free(cmd_selection *selection);

/* "family/variant/preset" */
void cmd_choice_name(const cmd_choice *choice, char *name, size_t bytes);

#endif
