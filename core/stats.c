/* core/stats.c - see stats.h. */
#include "core/stats.h"

#include "core/status.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted samples, n >= 1. */
static double quantile(const double *sorted, size_t n, double q)
{
    double position = q * (double)(n - 1);
    size_t below = (size_t)position;
    if (below + 1 >= n)
        return sorted[n - 1];
    double part = position - (double)below;
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

static double mean_of(const double *samples, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i];
    return sum / (double)n;
}

static double stdev_of(const double *samples, size_t n, double mean)
{
    if (n < 2)
        return 0.0;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (samples[i] - mean) * (samples[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

/* Fills *stats from n >= 1 finite samples, which are overwritten. */
static void fill(double *samples, size_t n, vfx_stats *stats)
{
    qsort(samples, n, sizeof *samples, ascending);
    stats->min = samples[0];
    stats->p25 = quantile(samples, n, 0.25);
    stats->median = quantile(samples, n, 0.5);
    stats->p75 = quantile(samples, n, 0.75);
    stats->p95 = quantile(samples, n, 0.95);
    stats->p99 = quantile(samples, n, 0.99);
    stats->max = samples[n - 1];
    stats->mean = mean_of(samples, n);
    stats->stdev = stdev_of(samples, n, stats->mean);
    for (size_t i = 0; i < n; i++)
        samples[i] = fabs(samples[i] - stats->median);
    qsort(samples, n, sizeof *samples, ascending);
    stats->mad = quantile(samples, n, 0.5);
}

bool vfx_stats_of(const double *samples, size_t count, vfx_stats *stats)
{
    *stats = (vfx_stats){.min = NAN,
                         .p25 = NAN,
                         .median = NAN,
                         .p75 = NAN,
                         .p95 = NAN,
                         .p99 = NAN,
                         .max = NAN,
                         .mad = NAN,
                         .mean = NAN,
                         .stdev = NAN};
    if (count == 0)
        return true;
    size_t bytes;
    double *finite = vfx_mul_size(count, sizeof *finite, &bytes) ? malloc(bytes) : NULL;
    if (finite == NULL)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(samples[i]))
            finite[n++] = samples[i];
    stats->n = n;
    stats->dropped = count - n;
    if (n > 0)
        fill(finite, n, stats);
    free(finite);
    return true;
}

double vfx_stats_relative_iqr(const vfx_stats *stats)
{
    if (stats->median == 0.0)
        return NAN;
    return (stats->p75 - stats->p25) / stats->median;
}
