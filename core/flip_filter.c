/* core/flip_filter.c - see flip_filter.h. */
#include "core/flip_filter.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
/* Widths of the contrast sensitivity functions in the frequency domain, squared degrees, and the weights of the two of
 * blue-yellow (table 1 of the paper). */
static const double achromatic_width = 0.0047, red_green_width = 0.0053;
static const double blue_yellow_width[2] = {0.04, 0.025}, blue_yellow_weight[2] = {34.1, 13.5};
static const double widest = 0.04;
static const double feature_width = 0.082; /* of a feature that the eye finds best, degrees */
static const double reach = 3.0;           /* radius of a filter, standard deviations */

/* ------------------------------------------------------------------------------------------- taps */

static void set_taps(vfx_flip_taps *taps, uint32_t radius, const double *values, double positive, double negative)
{
    memset(taps, 0, sizeof *taps);
    taps->radius = radius;
    for (uint32_t i = 0; i <= 2 * radius; i++)
        taps->tap[i] = (float)(values[i] / (values[i] > 0.0 ? positive : negative));
}

/* exp(-pi^2 x^2 / width), the Fourier transform of a Gaussian of frequency; returns the sum of the taps before they are
 * made to sum to 1. */
static double make_blur(vfx_flip_taps *taps, double width, double ppd)
{
    double values[2 * VFX_FLIP_MAX_RADIUS + 1], sum = 0.0;
    uint32_t radius = (uint32_t)ceil(reach * sqrt(widest / 2.0) / pi * ppd);
    for (uint32_t i = 0; i <= 2 * radius; i++) {
        double x = ((double)i - radius) / ppd;
        values[i] = exp(-pi * pi * x * x / width);
        sum += values[i];
    }
    set_taps(taps, radius, values, sum, sum);
    return sum;
}

/* A Gaussian of half a feature's width, or its first or second derivative. */
static void make_feature(vfx_flip_taps *taps, int derivative, double ppd)
{
    double values[2 * VFX_FLIP_MAX_RADIUS + 1], positive = 0.0, negative = 0.0;
    double deviation = 0.5 * feature_width * ppd;
    uint32_t radius = (uint32_t)ceil(reach * deviation);
    for (uint32_t i = 0; i <= 2 * radius; i++) {
        double x = ((double)i - radius) / deviation;
        double polynomial = derivative == 0 ? 1.0 : derivative == 1 ? -x : x * x - 1.0;
        values[i] = polynomial * exp(-x * x / 2.0);
        if (values[i] > 0.0)
            positive += values[i];
        else
            negative -= values[i];
    }
    set_taps(taps, radius, values, positive, negative > 0.0 ? negative : 1.0);
}

void vfx_flip_filters_make(vfx_flip_filters *filters, double ppd)
{
    double part[2];
    (void)make_blur(&filters->achromatic, achromatic_width, ppd);
    (void)make_blur(&filters->red_green, red_green_width, ppd);
    for (int i = 0; i < 2; i++) {
        double sum = make_blur(&filters->blue_yellow[i], blue_yellow_width[i], ppd);
        /* the two-dimensional one sums to the square */
        part[i] = blue_yellow_weight[i] * sqrt(pi / blue_yellow_width[i]) * sum * sum;
    }
    filters->share = (float)(part[0] / (part[0] + part[1]));
    make_feature(&filters->smooth, 0, ppd);
    make_feature(&filters->edge, 1, ppd);
    make_feature(&filters->point, 2, ppd);
}

/* --------------------------------------------------------------------------------------- filtering */

static void add_scaled(float *restrict to, const float *restrict from, float scale, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] += scale * from[i];
}

static void add_constant(float *to, float value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] += value;
}

/* a - b, within 0 .. most. */
static uint32_t difference(uint32_t a, uint32_t b, uint32_t most)
{
    uint32_t d = a > b ? a - b : 0;
    return d < most ? d : most;
}

/* Pixel x gets tap i times pixel x + i - radius: adds the whole row tap by tap. */
static void filter_row(const vfx_flip_taps *taps, uint32_t width, const float *from, float *to)
{
    memset(to, 0, width * sizeof *to);
    for (uint32_t i = 0; i <= 2 * taps->radius; i++) {
        uint32_t before = difference(taps->radius, i, width); /* pixels that look left of the row */
        uint32_t behind = difference(i, taps->radius, width); /* and right of it */
        add_constant(to, taps->tap[i] * from[0], before);
        add_scaled(to + before, from + behind, taps->tap[i], width - before - behind);
        add_constant(to + width - behind, taps->tap[i] * from[width - 1], behind);
    }
}

/* Row y, from the rows around it. */
static void filter_column(const vfx_flip_taps *taps, uint32_t width, uint32_t height, const float *from, uint32_t y,
                          float *to)
{
    memset(to, 0, width * sizeof *to);
    for (uint32_t i = 0; i <= 2 * taps->radius; i++) {
        uint32_t row = difference(y + i, taps->radius, height - 1);
        add_scaled(to, from + (size_t)row * width, taps->tap[i], width);
    }
}

void vfx_flip_filter(const vfx_flip_taps *along_rows, const vfx_flip_taps *along_columns, uint32_t width,
                     uint32_t height, const float *from, float *between, float *to)
{
    for (uint32_t y = 0; y < height; y++)
        filter_row(along_rows, width, from + (size_t)y * width, between + (size_t)y * width);
    for (uint32_t y = 0; y < height; y++)
        filter_column(along_columns, width, height, between, y, to + (size_t)y * width);
}
