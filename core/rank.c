/* core/rank.c - the rank test by counting. Its null distribution is the number of ways to choose which of the pooled
 * numbers are b's, per value of U: a recurrence over the pooled numbers in ascending order, one tie group at a time.
 * All terms are positive, so nothing cancels: a p-value is off by a few hundred roundings at most. See Mann and Whitney
 * 1947 for the recurrence without ties, Streitberg and Roehmel 1986 for the one with them. */
#include "core/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pooled {
    double value;
    bool is_b;
} pooled;

static int ascending(const void *x, const void *y)
{
    double a = ((const pooled *)x)->value, b = ((const pooled *)y)->value;
    return (a > b) - (a < b);
}

static int ascending_number(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void vfx_rank_free(vfx_rank *rank)
{
    free(rank->at_least);
    free(rank->ways);
    memset(rank, 0, sizeof *rank);
}

static uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Adds a group of `size` equal numbers above the `before` ones that ways[][] counts: ways[k * width + i] is how many
 * choices of k b's among the numbers so far have 2 U = i. Of t b's in the group, each is above all a's before, and
 * level with the group's own a's; t = 0 leaves ways[k] as it is. */
static void add_group(double *ways, size_t width, uint32_t a_count, uint32_t b_count, uint32_t before, uint32_t size)
{
    uint32_t top = at_most(before + size, b_count), low = before + size > a_count ? before + size - a_count : 0;
    for (uint32_t k = top + 1; k-- > low;) {
        double choose = 1.0; /* size over t */
        for (uint32_t t = 1; t <= at_most(size, k); t++) {
            choose = choose * (size - t + 1) / t;
            uint32_t b_before = k - t, a_before = before - b_before;
            if (b_before > before || a_before > a_count)
                continue;
            size_t shift = (size_t)t * (2 * a_before + (size - t)), end = 2 * (size_t)b_before * a_before;
            for (size_t i = 0; i <= end; i++)
                ways[k * width + i + shift] += choose * ways[b_before * width + i];
        }
    }
}

/* Counts of the whole: ways[b_count * width + i]. `groups` holds the sizes of the tie groups, NULL: all are 1. */
static double *count_ways(vfx_rank *rank, uint32_t a_count, uint32_t b_count, const uint32_t *groups)
{
    size_t width = 2 * (size_t)a_count * b_count + 1;
    memset(rank->ways, 0, (b_count + 1) * width * sizeof *rank->ways);
    rank->ways[0] = 1.0;
    uint32_t total = a_count + b_count;
    for (uint32_t before = 0, g = 0; before < total; g++) {
        uint32_t size = groups != NULL ? groups[g] : 1;
        add_group(rank->ways, width, a_count, b_count, before, size);
        before += size;
    }
    return rank->ways + b_count * width;
}

/* Makes scratch memory and at_least[] for these sizes. */
static vfx_status prepare(vfx_rank *rank, uint32_t a_count, uint32_t b_count)
{
    if (a_count < 1 || a_count > VFX_RANK_MOST || b_count < 1 || b_count > VFX_RANK_MOST)
        return vfx_fail(VFX_USAGE, "a rank test takes 1 to %d numbers a side, not %u and %u", VFX_RANK_MOST,
                        (unsigned)a_count, (unsigned)b_count);
    if (rank->a_count == a_count && rank->b_count == b_count)
        return VFX_OK;
    vfx_rank_free(rank);
    size_t width = 2 * (size_t)a_count * b_count + 1; /* the sizes are small: no overflow */
    rank->at_least = malloc((width + 1) * sizeof *rank->at_least);
    rank->ways = malloc((b_count + 1) * width * sizeof *rank->ways);
    if (rank->at_least == NULL || rank->ways == NULL) {
        vfx_rank_free(rank);
        return vfx_fail(VFX_MEMORY, "out of memory for a rank test of %u against %u", (unsigned)a_count,
                        (unsigned)b_count);
    }
    const double *ways = count_ways(rank, a_count, b_count, NULL);
    rank->at_least[width] = 0.0;
    for (size_t i = width; i-- > 0;)
        rank->at_least[i] = rank->at_least[i + 1] + ways[i];
    double all = rank->at_least[0];
    for (size_t i = 0; i < width; i++)
        rank->at_least[i] /= all;
    rank->a_count = a_count;
    rank->b_count = b_count;
    return VFX_OK;
}

static vfx_status check_finite(const double *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return vfx_fail(VFX_USAGE, "number %u of a rank test is not finite", (unsigned)i);
    }
    return VFX_OK;
}

/* Sizes of the groups of equal numbers, into groups[]; returns 2 U. */
static size_t rank_pooled(const pooled *sorted, uint32_t total, uint32_t *groups, bool *ties)
{
    size_t twice_u = 0;
    uint32_t a_before = 0, g = 0;
    *ties = false;
    for (uint32_t i = 0; i < total; g++) {
        uint32_t end = i, a = 0, b = 0;
        for (; end < total && sorted[end].value == sorted[i].value; end++) {
            b += sorted[end].is_b;
            a += !sorted[end].is_b;
        }
        twice_u += (size_t)b * (2 * a_before + a);
        a_before += a;
        groups[g] = end - i;
        *ties = *ties || end - i > 1;
        i = end;
    }
    return twice_u;
}

vfx_status vfx_rank_test(vfx_rank *rank, const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                         vfx_rank_result *result)
{
    pooled both[2 * VFX_RANK_MOST];
    uint32_t groups[2 * VFX_RANK_MOST], total = a_count + b_count;
    bool ties;
    VFX_TRY(prepare(rank, a_count, b_count));
    VFX_TRY(check_finite(a, a_count));
    VFX_TRY(check_finite(b, b_count));
    for (uint32_t i = 0; i < total; i++)
        both[i] = (pooled){i < a_count ? a[i] : b[i - a_count], i >= a_count};
    qsort(both, total, sizeof *both, ascending);
    size_t top = 2 * (size_t)a_count * b_count, twice_u = rank_pooled(both, total, groups, &ties);
    result->u = 0.5 * (double)twice_u;
    if (!ties) {
        result->p_greater = rank->at_least[twice_u];
        result->p_less = rank->at_least[top - twice_u]; /* the distribution is its own mirror image */
        return VFX_OK;
    }
    const double *ways = count_ways(rank, a_count, b_count, groups);
    double below = 0.0, above = 0.0; /* without the ways that give this very U */
    for (size_t i = 0; i < twice_u; i++)
        below += ways[i];
    for (size_t i = top; i > twice_u; i--)
        above += ways[i];
    double all = below + ways[twice_u] + above;
    result->p_greater = (above + ways[twice_u]) / all;
    result->p_less = (below + ways[twice_u]) / all;
    return VFX_OK;
}

vfx_status vfx_rank_factors(vfx_rank *rank, const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                            const double *levels, uint32_t level_count, double *factors)
{
    VFX_TRY(prepare(rank, a_count, b_count));
    size_t pairs = (size_t)a_count * b_count;
    double *ratios = malloc(pairs * sizeof *ratios);
    if (ratios == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the power of a rank test");
    for (size_t i = 0; i < pairs; i++)
        ratios[i] = a[i / b_count] / b[i % b_count];
    qsort(ratios, pairs, sizeof *ratios, ascending_number);
    for (uint32_t l = 0; l < level_count; l++) {
        size_t needed = 0; /* least U that reaches the level */
        while (needed <= pairs && rank->at_least[2 * needed] > levels[l])
            needed++;
        factors[l] = needed == 0      ? 0.0
                     : needed > pairs ? (double)INFINITY
                                      : ratios[needed - 1]; /* beyond: U >= needed */
    }
    free(ratios);
    return VFX_OK;
}

/* ---------------------------------------------------------------------------------------------- Holm */

typedef struct ranked {
    double p;
    uint32_t index;
} ranked;

static int ascending_p(const void *x, const void *y)
{
    double a = ((const ranked *)x)->p, b = ((const ranked *)y)->p;
    return (a > b) - (a < b);
}

vfx_status vfx_holm(const double *p, uint32_t count, uint32_t family, double *adjusted)
{
    size_t bytes;
    ranked *order = vfx_mul_size((size_t)count + 1, sizeof *order, &bytes) ? malloc(bytes) : NULL;
    if (order == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the correction of %u tests", (unsigned)count);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (ranked){p[i], i};
    qsort(order, count, sizeof *order, ascending_p);
    double highest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double value = order[i].p * (double)(family - i);
        highest = value > highest ? value : highest;
        adjusted[order[i].index] = highest < 1.0 ? highest : 1.0;
    }
    free(order);
    return VFX_OK;
}
