/* bench/axis.h - sweeps: --axis name=values, every combination a case of its own, and how the time grows along one. */
#ifndef BENCH_AXIS_H
#define BENCH_AXIS_H

#include "bench/json.h"
#include "bench/options.h"

enum { CMD_MAX_AXES = 6, CMD_AXIS_VALUES = 64, CMD_AXIS_TEXT = 32, CMD_AXIS_LABEL = 128, CMD_AXIS_POINTS = 10000 };

/* One parameter and its values, as --set takes them; ranges are written out as numbers. */
typedef struct cmd_axis {
    char name[CMD_AXIS_TEXT];
    char values[CMD_AXIS_VALUES][CMD_AXIS_TEXT];
    double numbers[CMD_AXIS_VALUES]; /* NaN for words */
    uint32_t count;
    bool numeric; /* all of them are positive numbers that rise */
} cmd_axis;

/* Points are combinations, counted with the last axis fastest. Zeroed: one point without a name. */
typedef struct cmd_axes {
    cmd_axis rows[CMD_MAX_AXES];
    uint32_t count;
} cmd_axes;

/* "a:b:*k" (a, a k, a k^2, ... up to b), "a:b:+k", or a list "a,b,c"; numbers take k and M. USAGE naming the option and
 * what is wrong: no numbers, no end, too many values, a name given twice. */
vfx_status cmd_axes_parse(cmd_axes *axes, const cmd_values *texts) VFX_MUST_USE;
uint32_t cmd_axes_points(const cmd_axes *axes);
/* Index of the value that point `point` has on axis `axis`. */
uint32_t cmd_axes_value(const cmd_axes *axes, uint32_t point, uint32_t axis);
/* "tentacles=1000,sides=6", "" without axes. USAGE when it is too long for a name. */
vfx_status cmd_axes_label(const cmd_axes *axes, uint32_t point, char label[CMD_AXIS_LABEL]) VFX_MUST_USE;
/* The first axis along which growth has a meaning; UINT32_MAX: none. */
uint32_t cmd_axes_first_numeric(const cmd_axes *axes);

/* How y grows with x > 0 over `count` points in rising order of x. */
typedef struct cmd_growth {
    double exponent; /* slope of the least-squares line of log y over log x; NaN with fewer than two points */
    double knee;     /* first x from which on to the next one y grows with an exponent over 0.8; NaN: nowhere */
    uint32_t points; /* used: those with a finite positive y */
} cmd_growth;
cmd_growth cmd_growth_of(const double *x, const double *y, uint32_t count);

#endif
