/* bench/html_scale.h - from numbers to places in a plot: linear and logarithmic scales with round ticks, and the law
 * through points. */
#ifndef BENCH_HTML_SCALE_H
#define BENCH_HTML_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CMD_SCALE_TICKS = 12 };

/* lo maps to 0 and hi to 1. Always usable: finite, lo < hi, both positive when logarithmic. */
typedef struct cmd_scale {
    double lo, hi;
    bool log;
} cmd_scale;

/* The scale that holds all usable values (finite, positive when `log`), with round ends. `zero`: a linear one begins at
 * 0. Without a usable value 0 to 1, or 1 to 10. */
cmd_scale cmd_scale_of(const double *values, size_t count, bool log, bool zero);
/* Place of a value: 0 to 1 within the scale, clamped to it outside; NaN for a value that is not usable. */
double cmd_scale_at(const cmd_scale *scale, double value);
/* The same without the clamping. */
double cmd_scale_beyond(const cmd_scale *scale, double value);
/* Writes round values within the scale, rising, and returns how many: about `wanted`, 2 to CMD_SCALE_TICKS. */
uint32_t cmd_scale_ticks(const cmd_scale *scale, uint32_t wanted, double ticks[CMD_SCALE_TICKS]);

/* A law through points: y = fixed + factor * x^exponent. Either a line (exponent 1, fixed >= 0) by least squares on the
 * relative errors, or a power (fixed 0) by least squares on the logarithms: the one that is nearer to its worst point.
 */
typedef struct cmd_fit {
    bool valid; /* from at least three points with two different x */
    double fixed, factor, exponent;
    double worst; /* largest |y / law - 1| */
} cmd_fit;
/* Points that are not positive and finite are left out. */
cmd_fit cmd_fit_of(const double *x, const double *y, size_t count);
double cmd_fit_at(const cmd_fit *fit, double x);

#endif
