/* core/pass_step.c - the order of a frame's passes, blocks with substeps included; see run.h. */
#include "core/run.h"

static uint32_t substeps_of(const vfx_case *kase, uint32_t pass)
{
    const vfx_pass *row = &kase->variant->passes[pass];
    return row->substeps != NULL ? row->substeps(kase) : 1;
}

static bool same_block(const vfx_variant *variant, uint32_t a, uint32_t b)
{
    return variant->passes[a].substeps != NULL && variant->passes[a].substeps == variant->passes[b].substeps;
}

vfx_pass_step vfx_pass_step_next(const vfx_case *kase, vfx_pass_step step)
{
    const vfx_variant *variant = kase->variant;
    uint32_t first = step.pass;
    if (step.pass + 1 < variant->pass_count && same_block(variant, step.pass, step.pass + 1))
        return (vfx_pass_step){step.pass + 1, step.substep};
    if (step.substep + 1 >= substeps_of(kase, step.pass))
        return (vfx_pass_step){step.pass + 1, 0};
    while (first > 0 && same_block(variant, first - 1, step.pass))
        first--;
    return (vfx_pass_step){first, step.substep + 1};
}

uint32_t vfx_pass_runs(const vfx_case *kase, const vfx_pass *pass)
{
    return (pass->repeats != NULL ? pass->repeats(kase) : 1) * (pass->substeps != NULL ? pass->substeps(kase) : 1);
}
