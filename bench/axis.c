/* bench/axis.c - see axis.h. */
#include "bench/axis.h"
#include "bench/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number with an optional k or M behind it at *text, which is moved behind it. */
static bool take_number(const char **text, double *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtod(*text, &end);
    if (end == *text || errno != 0 || !isfinite(*value))
        return false;
    if (*end == 'k' || *end == 'M')
        *value *= *end++ == 'k' ? 1e3 : 1e6;
    *text = end;
    return true;
}

static vfx_status add_value(cmd_axis *axis, const char *option, const char *text, size_t length)
{
    if (axis->count == CMD_AXIS_VALUES)
        return vfx_fail(VFX_USAGE, "--axis %s: more than %d values", option, CMD_AXIS_VALUES);
    if (length == 0 || length >= CMD_AXIS_TEXT)
        return vfx_fail(VFX_USAGE, "--axis %s: a value is empty or longer than %d characters", option,
                        CMD_AXIS_TEXT - 1);
    char *value = axis->values[axis->count];
    memcpy(value, text, length);
    value[length] = '\0';
    const char *end = value;
    bool number = take_number(&end, &axis->numbers[axis->count]) && *end == '\0';
    if (!number)
        axis->numbers[axis->count] = NAN;
    axis->count++;
    return VFX_OK;
}

/* "a:b:*k" and "a:b:+k": false if the text is not of this form. */
static bool parse_range(const char *text, double *a, double *b, char *step, double *k)
{
    if (!take_number(&text, a) || *text++ != ':' || !take_number(&text, b) || *text++ != ':')
        return false;
    *step = *text++;
    return (*step == '*' || *step == '+') && take_number(&text, k) && *text == '\0';
}

static vfx_status add_range(cmd_axis *axis, const char *option, const char *text)
{
    double a, b, k;
    char step, value[CMD_AXIS_TEXT];
    if (!parse_range(text, &a, &b, &step, &k))
        return vfx_fail(VFX_USAGE, "--axis %s: a range is FIRST:LAST:*FACTOR or FIRST:LAST:+STEP, as in 1k:64k:*2",
                        option);
    bool ends = a <= b && (step == '*' ? a > 0.0 && k > 1.0 : k > 0.0);
    if (!ends)
        return vfx_fail(VFX_USAGE, "--axis %s: the range must rise: FIRST <= LAST, a factor over 1 or a step over 0",
                        option);
    double slack = 1e-9 * fabs(b);
    for (uint32_t i = 0;; i++) {
        double at = step == '*' ? a * pow(k, (double)i) : a + k * (double)i;
        if (!(at <= b + slack))
            return VFX_OK;
        (void)snprintf(value, sizeof value, "%.9g", at);
        VFX_TRY(add_value(axis, option, value, strlen(value)));
    }
}

static vfx_status parse_axis(cmd_axis *axis, const char *option)
{
    size_t length = strcspn(option, "=");
    if (option[length] != '=' || length == 0 || length >= sizeof axis->name)
        return vfx_fail(VFX_USAGE, "--axis %s: write NAME=VALUES, as in tentacles=1k:64k:*2 or states=off,global",
                        option);
    memcpy(axis->name, option, length);
    const char *text = option + length + 1;
    if (strchr(text, ':') != NULL) {
        VFX_TRY(add_range(axis, option, text));
    } else {
        for (const char *at = text;; at += strcspn(at, ",") + 1) {
            VFX_TRY(add_value(axis, option, at, strcspn(at, ",")));
            if (at[strcspn(at, ",")] == '\0')
                break;
        }
    }
    axis->numeric = true;
    for (uint32_t i = 0; i < axis->count; i++)
        axis->numeric = axis->numeric && axis->numbers[i] > (i > 0 ? axis->numbers[i - 1] : 0.0);
    return VFX_OK;
}

vfx_status cmd_axes_parse(cmd_axes *axes, const cmd_values *texts)
{
    memset(axes, 0, sizeof *axes);
    double points = 1.0;
    for (uint32_t i = 0; i < texts->count; i++) {
        if (axes->count == CMD_MAX_AXES)
            return vfx_fail(VFX_USAGE, "--axis: given more than %d times", CMD_MAX_AXES);
        cmd_axis *axis = &axes->rows[axes->count];
        VFX_TRY(parse_axis(axis, texts->items[i]));
        for (uint32_t k = 0; k < axes->count; k++) {
            if (strcmp(axes->rows[k].name, axis->name) == 0)
                return vfx_fail(VFX_USAGE, "--axis %s: %s has an axis already", texts->items[i], axis->name);
        }
        points *= axis->count;
        axes->count++;
    }
    if (points > CMD_AXIS_POINTS)
        return vfx_fail(VFX_USAGE, "--axis: %.0f combinations, at most %d", points, CMD_AXIS_POINTS);
    return VFX_OK;
}

uint32_t cmd_axes_points(const cmd_axes *axes)
{
    uint32_t points = 1;
    for (uint32_t i = 0; i < axes->count; i++)
        points *= axes->rows[i].count;
    return points;
}

uint32_t cmd_axes_value(const cmd_axes *axes, uint32_t point, uint32_t axis)
{
    for (uint32_t i = axes->count; i-- > axis + 1;)
        point /= axes->rows[i].count;
    return point % axes->rows[axis].count;
}

vfx_status cmd_axes_label(const cmd_axes *axes, uint32_t point, char label[CMD_AXIS_LABEL])
{
    char text[CMD_MAX_AXES * (2 * CMD_AXIS_TEXT + 2)] = "";
    for (uint32_t i = 0; i < axes->count; i++)
        cmd_append(text, sizeof text, "%s%s=%s", i > 0 ? "," : "", axes->rows[i].name,
                   axes->rows[i].values[cmd_axes_value(axes, point, i)]);
    if (strlen(text) >= CMD_AXIS_LABEL)
        return vfx_fail(VFX_USAGE, "--axis: '%s' is too long for the name of a case", text);
    cmd_copy(label, CMD_AXIS_LABEL, text);
    return VFX_OK;
}

uint32_t cmd_axes_first_numeric(const cmd_axes *axes)
{
    for (uint32_t i = 0; i < axes->count; i++) {
        if (axes->rows[i].numeric && axes->rows[i].count > 1)
            return i;
    }
    return UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------- growth */

cmd_growth cmd_growth_of(const double *x, const double *y, uint32_t count)
{
    cmd_growth growth = {.exponent = NAN, .knee = NAN};
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, last_x = NAN, last_y = NAN;
    for (uint32_t i = 0; i < count; i++) {
        if (!(isfinite(y[i]) && y[i] > 0.0 && x[i] > 0.0))
            continue;
        double u = log(x[i]), v = log(y[i]);
        if (growth.points > 0 && isnan(growth.knee) && (v - last_y) / (u - last_x) > 0.8)
            growth.knee = exp(last_x);
        growth.points++;
        last_x = u;
        last_y = v;
        n += 1.0;
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    double spread = n * sxx - sx * sx;
    if (growth.points >= 2 && spread > 0.0)
        growth.exponent = (n * sxy - sx * sy) / spread;
    return growth;
}
