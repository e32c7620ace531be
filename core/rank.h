/* core/rank.h - is one series of numbers larger than another? The rank test of Wilcoxon, Mann and Whitney with its
 * exact null distribution (no normal approximation, ties by mid-ranks), what it could have seen, and Holm's correction
 * for asking the same of many series. It assumes nothing about how the numbers are distributed. */
#ifndef VFX_RANK_H
#define VFX_RANK_H

#include "core/status.h"

#include <stdint.h>

enum { VFX_RANK_MOST = 128 }; /* numbers a side */

/* Scratch memory and the null distribution of the last sizes without ties. Zeroed is empty; vfx_rank_free at the end.
 */
typedef struct vfx_rank {
    uint32_t a_count, b_count; /* sizes that at_least[] is for */
    double *at_least;          /* P(2 U >= i), i = 0 .. 2 a_count b_count + 1 */
    double *ways;              /* scratch */
} vfx_rank;

void vfx_rank_free(vfx_rank *rank);

typedef struct vfx_rank_result {
    double u; /* pairs with b > a, an equal pair counts half: 0 .. a_count b_count */
    double
        p_greater; /* chance of such a u or a larger one, if a and b come from one distribution: small: b is larger */
    double p_less; /* the same of such a u or a smaller one */
} vfx_rank_result;

/* Tests a[0..a_count) against b[0..b_count): finite numbers, 1 to VFX_RANK_MOST of them. USAGE for others, MEMORY.
 * Under ties the distribution is that of all ways to deal out the numbers at hand. */
vfx_status vfx_rank_test(vfx_rank *rank, const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                         vfx_rank_result *result) VFX_MUST_USE;

/* Power: factors[i] = that beyond which every multiple of b would have had p_greater <= levels[i], as if no two numbers
 * were equal; INFINITY where these counts cannot reach the level at all. Numbers as above, and positive. */
vfx_status vfx_rank_factors(vfx_rank *rank, const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                            const double *levels, uint32_t level_count, double *factors) VFX_MUST_USE;

/* Holm's step-down correction: adjusted[i] <= level for p[0..count) rejects with at most `level` chance of any wrong
 * rejection, however the tests depend on each other. `family` >= count: tests that were or could have been made; those
 * beyond `count` are taken as not rejected. MEMORY. */
vfx_status vfx_holm(const double *p, uint32_t count, uint32_t family, double *adjusted) VFX_MUST_USE;

#endif
