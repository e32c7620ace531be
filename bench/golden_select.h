/* bench/golden_select.h - which goldens a command line names: globs on "family/variant/view". Works on any table of
 * kernels, so that tests can bring their own. */
#ifndef BENCH_GOLDEN_SELECT_H
#define BENCH_GOLDEN_SELECT_H

#include "bench/select.h"

/* A view of a variant that it draws. */
typedef struct cmd_golden_choice {
    const vfx_kernel *kernel;
    const vfx_variant *variant;
    const vfx_view *view;
} cmd_golden_choice;

typedef struct cmd_golden_selection {
    cmd_golden_choice *choices; /* in table order, each once */
    uint32_t count;
} cmd_golden_selection;

/* Selects what matches any of `globs` (NULL-free; `fallback` when there are none) and none of `exclude`.
 * `first_variants`: each view that is matched by any variant once, with the variant whose case its goldens show. USAGE
 * when a glob or an exclusion matches nothing, or nothing is left. cmd_golden_selection_free in any case. */
vfx_status cmd_golden_select(const vfx_kernel *const kernels[], uint32_t kernel_count, const cmd_values *globs,
                             const cmd_values *exclude, const char *fallback, bool first_variants,
                             cmd_golden_selection *selection) VFX_MUST_USE;
void cmd_golden_selection_free(cmd_golden_selection *selection);

/* "family/variant/view" */
void cmd_golden_choice_name(const cmd_golden_choice *choice, char *name, size_t bytes);

#endif
