/* core/stats.h - order statistics of timing samples. */
#ifndef VFX_STATS_H
#define VFX_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Quantiles by linear interpolation between order statistics (position q (n - 1)). MAD is the raw median absolute
 * deviation; stdev has n - 1 in the denominator (0 for n = 1). All NaN when n = 0. Unit is the samples' own. */
typedef struct vfx_stats {
    size_t n;       /* finite samples */
    size_t dropped; /* non-finite samples, left out */
    double min, p25, median, p75, p95, p99, max, mad, mean, stdev;
} vfx_stats;

/* Does not change `samples`. Returns false (and all NaN) if memory ran out. */
bool vfx_stats_of(const double *samples, size_t count, vfx_stats *stats);

/* (p75 - p25) / median; NaN when the median is 0 or undefined. */
double vfx_stats_relative_iqr(const vfx_stats *stats);

#endif
