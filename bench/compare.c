/* bench/compare.c - the verdict on each case of a suite, from launch medians alone: no files, no output. A verdict
 * other than `same` needs a change that matters (both thresholds) and one that is no accident of the launches (rank
 * test). */
#include "bench/compare.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>

#define VERDICT_TEXT(ident, text) text,
static const char *const verdict_names[] = {CMD_VERDICT_LIST(VERDICT_TEXT)};

const char *cmd_verdict_name(cmd_verdict verdict)
{
    return (unsigned)verdict < CMD_VERDICT_COUNT ? verdict_names[verdict] : "unknown";
}

static bool has_enough(const cmd_change *change)
{
    return change->a_count >= CMD_LEAST_LAUNCHES && change->b_count >= CMD_LEAST_LAUNCHES;
}

static vfx_status median_of(const double *values, uint32_t count, double *median)
{
    vfx_stats stats;
    if (!vfx_stats_of(values, count, &stats))
        return vfx_fail(VFX_MEMORY, "out of memory for the median of %u launches", (unsigned)count);
    *median = stats.median;
    return VFX_OK;
}

static vfx_status set_medians(cmd_change *change)
{
    VFX_TRY(median_of(change->a, change->a_count, &change->a_ns));
    VFX_TRY(median_of(change->b, change->b_count, &change->b_ns));
    change->change = change->b_ns / change->a_ns - 1.0;
    change->p_slower = change->p_faster = change->holm_slower = change->holm_faster = (double)NAN;
    change->slower_from = change->suspect_from = (double)NAN;
    change->suspect = 0;
    change->verdict = CMD_INCONCLUSIVE;
    return VFX_OK;
}

/* The least slowdown that the test would have seen, which needs B's launches to be multiplied by `factor`, and that
 * matters. B's median is moved to A's first. */
static double seen_from(const cmd_change *change, const cmd_compare_rule *rule, double factor)
{
    double from = factor * (change->b_ns / change->a_ns) - 1.0;
    return fmax(from, fmax(rule->threshold, rule->min_change_ns / change->a_ns));
}

static vfx_status test_change(vfx_rank *rank, cmd_change *change, uint32_t family, const cmd_compare_rule *rule)
{
    const double levels[2] = {CMD_COMPARE_LEVEL / family, CMD_COMPARE_LEVEL};
    double factors[2];
    vfx_rank_result result;
    VFX_TRY(vfx_rank_test(rank, change->a, change->a_count, change->b, change->b_count, &result));
    VFX_TRY(vfx_rank_factors(rank, change->a, change->a_count, change->b, change->b_count, levels, 2, factors));
    change->p_slower = result.p_greater;
    change->p_faster = result.p_less;
    change->slower_from = seen_from(change, rule, factors[0]);
    change->suspect_from = seen_from(change, rule, factors[1]);
    return VFX_OK;
}

static void decide(cmd_change *change, const cmd_compare_rule *rule)
{
    double share = fabs(change->change), ns = fabs(change->b_ns - change->a_ns);
    bool matters = share > rule->threshold && ns > rule->min_change_ns, slower = change->b_ns > change->a_ns;
    double p = slower ? change->p_slower : change->p_faster, holm = slower ? change->holm_slower : change->holm_faster;
    change->verdict = CMD_SAME;
    if (!matters || p > CMD_COMPARE_LEVEL)
        return;
    change->verdict = slower ? CMD_SLOWER : CMD_FASTER;
    if (holm > CMD_COMPARE_LEVEL) { /* on its own it would count, in this suite it does not */
        change->verdict = CMD_INCONCLUSIVE;
        change->suspect = slower ? 1 : -1;
    }
}

/* Corrects p[0..n) of the tested cases and puts them back. */
static vfx_status correct(cmd_change *changes, uint32_t count, uint32_t tested, uint32_t family, double *p)
{
    for (int slower = 0; slower <= 1; slower++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (has_enough(&changes[i]))
                p[n++] = slower ? changes[i].p_slower : changes[i].p_faster;
        }
        VFX_TRY(vfx_holm(p, tested, family, p + tested));
        n = tested;
        for (uint32_t i = 0; i < count; i++) {
            if (has_enough(&changes[i]))
                *(slower ? &changes[i].holm_slower : &changes[i].holm_faster) = p[n++];
        }
    }
    return VFX_OK;
}

static vfx_status test_all(vfx_rank *rank, cmd_change *changes, uint32_t count, uint32_t others,
                           const cmd_compare_rule *rule, double *p)
{
    uint32_t tested = 0;
    for (uint32_t i = 0; i < count; i++) {
        VFX_TRY(set_medians(&changes[i]));
        tested += has_enough(&changes[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (has_enough(&changes[i]))
            VFX_TRY(test_change(rank, &changes[i], tested + others, rule));
    }
    VFX_TRY(correct(changes, count, tested, tested + others, p));
    for (uint32_t i = 0; i < count; i++) {
        if (has_enough(&changes[i]))
            decide(&changes[i], rule);
    }
    return VFX_OK;
}

vfx_status cmd_changes_judge(cmd_change *changes, uint32_t count, uint32_t others, const cmd_compare_rule *rule)
{
    vfx_rank rank = {0};
    double *p = calloc(2 * (size_t)count + 1, sizeof *p);
    if (p == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the tests of %u cases", (unsigned)count);
    vfx_status status = test_all(&rank, changes, count, others, rule, p);
    free(p);
    vfx_rank_free(&rank);
    return status;
}
