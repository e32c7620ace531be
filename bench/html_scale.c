/* bench/html_scale.c - scales, ticks and laws. */
#include "bench/html_scale.h"

#include <float.h>
#include <math.h>

static bool usable(double value, bool log)
{
    return isfinite(value) && (!log || value > 0.0);
}

/* The step of 1, 2 or 5 times a power of ten that divides `span` into at most `wanted` parts. */
static double round_step(double span, double wanted)
{
    double raw = span / wanted;
    double power = pow(10.0, floor(log10(raw)));
    double digit = raw / power;
    return power * (digit <= 1.0001 ? 1.0 : digit <= 2.0001 ? 2.0 : digit <= 5.0001 ? 5.0 : 10.0);
}

/* The next of 1, 2, 5, 10 times a power of ten at or below (up: above) a positive value. */
static double round_log(double value, bool up)
{
    static const double digits[] = {1.0, 2.0, 5.0, 10.0};
    double power = pow(10.0, floor(log10(value)));
    double digit = value / power, found = up ? 10.0 : 1.0;
    for (int i = 0; i < 4; i++) {
        double candidate = digits[up ? 3 - i : i];
        if (up ? candidate >= digit * (1.0 - 1e-9) : candidate <= digit * (1.0 + 1e-9))
            found = candidate;
    }
    double result = found * power;
    return isfinite(result) && result > 0.0 ? result : value;
}

cmd_scale cmd_scale_of(const double *values, size_t count, bool log, bool zero)
{
    double lo = DBL_MAX, hi = -DBL_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!usable(values[i], log))
            continue;
        lo = fmin(lo, values[i]);
        hi = fmax(hi, values[i]);
    }
    const double most = 1e300; /* so that no difference overflows */
    lo = fmax(fmin(lo, most), log ? 1e-300 : -most);
    hi = fmax(fmin(hi, most), log ? 1e-300 : -most);
    if (log) {
        cmd_scale scale =
            lo > hi ? (cmd_scale){1.0, 10.0, true} : (cmd_scale){round_log(lo, false), round_log(hi, true), true};
        if (!(scale.hi > scale.lo)) {
            scale.lo /= 2.0;
            scale.hi *= 2.0;
        }
        return scale;
    }
    if (lo > hi)
        return (cmd_scale){0.0, 1.0, false};
    if (zero) {
        lo = fmin(lo, 0.0);
        hi = fmax(hi, 0.0);
    }
    if (!(hi - lo > fabs(hi) * 1e-12)) {
        lo -= zero && lo == 0.0 ? 0.0 : fmax(fabs(lo) * 0.1, 1e-300);
        hi += fmax(fabs(hi) * 0.1, lo == 0.0 && hi == 0.0 ? 1.0 : 1e-300);
    }
    double step = round_step(hi - lo, 5.0);
    return (cmd_scale){step * floor(lo / step + 1e-9), step * ceil(hi / step - 1e-9), false};
}

double cmd_scale_beyond(const cmd_scale *scale, double value)
{
    if (!usable(value, scale->log))
        return (double)NAN;
    if (scale->log)
        return (log(value) - log(scale->lo)) / (log(scale->hi) - log(scale->lo));
    return (value - scale->lo) / (scale->hi - scale->lo);
}

double cmd_scale_at(const cmd_scale *scale, double value)
{
    double place = cmd_scale_beyond(scale, value);
    return isnan(place) ? place : fmin(fmax(place, 0.0), 1.0);
}

static uint32_t log_ticks(const cmd_scale *scale, uint32_t wanted, double ticks[CMD_SCALE_TICKS])
{
    static const double digits[] = {1.0, 2.0, 5.0};
    double decades = log10(scale->hi) - log10(scale->lo);
    int per = 3.0 * decades <= (double)wanted ? 3 : 1;
    int skip = per == 3 ? 1 : (int)ceil(decades / (double)wanted); /* decades from tick to tick */
    int first = (int)floor(log10(scale->lo) + 1e-9), last = (int)ceil(log10(scale->hi));
    uint32_t count = 0;
    for (int e = first; e <= last && count<CMD_SCALE_TICKS; e += skip> 0 ? skip : 1) {
        for (int d = 0; d < per && count < CMD_SCALE_TICKS; d++) {
            double tick = digits[d] * pow(10.0, e);
            if (tick >= scale->lo * (1.0 - 1e-9) && tick <= scale->hi * (1.0 + 1e-9))
                ticks[count++] = tick;
        }
    }
    return count;
}

uint32_t cmd_scale_ticks(const cmd_scale *scale, uint32_t wanted, double ticks[CMD_SCALE_TICKS])
{
    uint32_t count = 0;
    wanted = wanted < 2 ? 2 : wanted > CMD_SCALE_TICKS - 2 ? CMD_SCALE_TICKS - 2 : wanted;
    if (scale->log) {
        count = log_ticks(scale, wanted, ticks);
    } else {
        double step = round_step(scale->hi - scale->lo, (double)wanted);
        double first = ceil(scale->lo / step - 1e-9);
        for (; count < CMD_SCALE_TICKS && (first + count) * step <= scale->hi + step * 1e-9; count++)
            ticks[count] = (first + count) * step;
    }
    if (count < 2) {
        ticks[0] = scale->lo;
        ticks[1] = scale->hi;
        count = 2;
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------- laws */

double cmd_fit_at(const cmd_fit *fit, double x)
{
    return fit->fixed + fit->factor * pow(x, fit->exponent);
}

static bool is_point(double x, double y)
{
    return usable(x, true) && usable(y, true);
}

/* Judges the law; one that is not positive everywhere is none. */
static void judge(cmd_fit *fit, const double *x, const double *y, size_t count)
{
    fit->valid = isfinite(fit->fixed) && isfinite(fit->factor) && isfinite(fit->exponent) && fit->factor > 0.0 &&
                 fit->fixed >= 0.0;
    for (size_t i = 0; fit->valid && i < count; i++) {
        if (is_point(x[i], y[i]))
            fit->worst = fmax(fit->worst, fabs(y[i] / cmd_fit_at(fit, x[i]) - 1.0));
    }
}

static cmd_fit power_of(const double *x, const double *y, size_t count, double n)
{
    cmd_fit fit = {0};
    double sx = 0.0, sy = 0.0, xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < count; i++) {
        sx += is_point(x[i], y[i]) ? log(x[i]) : 0.0;
        sy += is_point(x[i], y[i]) ? log(y[i]) : 0.0;
    }
    for (size_t i = 0; i < count; i++) {
        double dx = is_point(x[i], y[i]) ? log(x[i]) - sx / n : 0.0;
        xx += dx * dx;
        xy += dx != 0.0 ? dx * (log(y[i]) - sy / n) : 0.0;
    }
    if (!(xx > 1e-12))
        return fit;
    fit.exponent = xy / xx;
    fit.factor = exp((sy - fit.exponent * sx) / n);
    judge(&fit, x, y, count);
    return fit;
}

/* Minimises the sum of ((fixed + factor x) / y - 1)^2. */
static cmd_fit line_of(const double *x, const double *y, size_t count)
{
    cmd_fit fit = {.exponent = 1.0};
    double uu = 0.0, uv = 0.0, vv = 0.0, u = 0.0, v = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!is_point(x[i], y[i]))
            continue;
        double a = 1.0 / y[i], b = x[i] / y[i];
        uu += a * a;
        uv += a * b;
        vv += b * b;
        u += a;
        v += b;
    }
    double determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-12 * uu * vv))
        return fit;
    fit.fixed = (u * vv - v * uv) / determinant;
    fit.factor = (uu * v - uv * u) / determinant;
    judge(&fit, x, y, count);
    return fit;
}

cmd_fit cmd_fit_of(const double *x, const double *y, size_t count)
{
    double n = 0.0;
    for (size_t i = 0; i < count; i++)
        n += is_point(x[i], y[i]) ? 1.0 : 0.0;
    if (n < 3.0)
        return (cmd_fit){0};
    cmd_fit power = power_of(x, y, count, n), line = line_of(x, y, count);
    return line.valid && (!power.valid || line.worst <= power.worst) ? line : power;
}
