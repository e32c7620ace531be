/* core/flip.c - see flip.h. Sections and symbols are the paper's: section 4.1 the colour pipeline, 4.2 the feature
 * pipeline, 4.3 how they are brought together. */
#include "core/flip.h"

#include "core/flip_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double q_c = 0.7, p_c = 0.4, p_t = 0.95, q_f = 0.5; /* section 4.3 and 4.1.4 */

/* ----------------------------------------------------------------------------------------- colours */

/* Linear sRGB and CIE XYZ (IEC 61966-2-1, white D65). */
static const double xyz_from_rgb[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
static const double rgb_from_xyz[3][3] = {
    {3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}};
static const double white[3] = {0.9504700, 1.0000001, 1.0888300};

static void multiply(const double m[3][3], const double v[3], double result[3])
{
    for (int i = 0; i < 3; i++)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static double linear_from_srgb(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

/* The opponent space that contrast sensitivity is known in, linear in light: achromatic, red-green, blue-yellow. */
static void ycxcz_from_rgb(const double rgb[3], double ycxcz[3])
{
    double xyz[3];
    multiply(xyz_from_rgb, rgb, xyz);
    double x = xyz[0] / white[0], y = xyz[1] / white[1], z = xyz[2] / white[2];
    ycxcz[0] = 116.0 * y - 16.0;
    ycxcz[1] = 500.0 * (x - y);
    ycxcz[2] = 200.0 * (y - z);
}

/* Clamped to what a monitor can show. */
static void rgb_from_ycxcz(const double ycxcz[3], double rgb[3])
{
    double y = (ycxcz[0] + 16.0) / 116.0;
    const double xyz[3] = {white[0] * (y + ycxcz[1] / 500.0), white[1] * y, white[2] * (y - ycxcz[2] / 200.0)};
    multiply(rgb_from_xyz, xyz, rgb);
    for (int i = 0; i < 3; i++)
        rgb[i] = fmin(fmax(rgb[i], 0.0), 1.0);
}

/* CIELab's compression of a share of white. */
static double lab_curve(double t)
{
    const double knee = 6.0 / 29.0;
    return t > knee * knee * knee ? cbrt(t) : t / (3.0 * knee * knee) + 4.0 / 29.0;
}

/* CIELab; dark colours look less colourful (Hunt effect). */
static void hunt_lab_from_rgb(const double rgb[3], double lab[3])
{
    double xyz[3];
    multiply(xyz_from_rgb, rgb, xyz);
    double x = lab_curve(xyz[0] / white[0]), y = lab_curve(xyz[1] / white[1]), z = lab_curve(xyz[2] / white[2]);
    lab[0] = 116.0 * y - 16.0;
    lab[1] = 0.01 * lab[0] * 500.0 * (x - y);
    lab[2] = 0.01 * lab[0] * 200.0 * (y - z);
}

/* HyAB: distance of lightness plus distance of chromaticity; to the power q_c. */
static double colour_distance(const double a[3], const double b[3])
{
    double hyab = fabs(a[0] - b[0]) + sqrt((a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    return pow(hyab, q_c);
}

/* The largest colour distance there is: green from blue. */
static double largest_colour_distance(void)
{
    double green[3], blue[3];
    hunt_lab_from_rgb((const double[3]){0.0, 1.0, 0.0}, green);
    hunt_lab_from_rgb((const double[3]){0.0, 0.0, 1.0}, blue);
    return colour_distance(green, blue);
}

/* Distances up to p_c of the largest spread over 0 .. p_t, the others over the rest up to 1. */
static double redistribute(double distance, double largest)
{
    double knee = p_c * largest;
    return distance < knee ? p_t / knee * distance : p_t + (distance - knee) / (largest - knee) * (1.0 - p_t);
}

/* ---------------------------------------------------------------------------------------- pictures */

/* What the eye has of a picture; planes of width * height. */
typedef struct seen {
    float *lab[3];       /* Hunt-adjusted CIELab of the blurred picture */
    float *edge, *point; /* how much of one there is */
} seen;

enum { SEEN_PLANES = 5, WORK_PLANES = 5, PLANES = 2 * SEEN_PLANES + WORK_PLANES };

typedef struct workspace {
    uint32_t width, height;
    size_t count; /* width * height */
    vfx_flip_filters filters;
    float *memory; /* of all planes */
    seen reference, test;
    float *ycxcz[3], *between, *second; /* of the picture that is looked at now */
} workspace;

static vfx_status workspace_create(workspace *work, const vfx_picture *picture, double ppd)
{
    size_t bytes = 0;
    *work = (workspace){.width = picture->width, .height = picture->height};
    bool fits = vfx_mul_size(picture->width, picture->height, &work->count) &&
                vfx_mul_size(work->count, sizeof(float) * PLANES, &bytes);
    work->memory = fits ? malloc(bytes) : NULL;
    if (work->memory == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory to compare pictures of %u x %u pixels", picture->width,
                        picture->height);
    float **const planes[PLANES] = {&work->reference.lab[0], &work->reference.lab[1], &work->reference.lab[2],
                                    &work->reference.edge,   &work->reference.point,  &work->test.lab[0],
                                    &work->test.lab[1],      &work->test.lab[2],      &work->test.edge,
                                    &work->test.point,       &work->ycxcz[0],         &work->ycxcz[1],
                                    &work->ycxcz[2],         &work->between,          &work->second};
    for (size_t i = 0; i < PLANES; i++)
        *planes[i] = work->memory + i * work->count;
    vfx_flip_filters_make(&work->filters, ppd);
    return VFX_OK;
}

static void filter(const workspace *work, const vfx_flip_taps *rows, const vfx_flip_taps *columns, int channel,
                   float *to)
{
    vfx_flip_filter(rows, columns, work->width, work->height, work->ycxcz[channel], work->between, to);
}

static void split(const workspace *work, const vfx_picture *picture)
{
    double linear[256];
    for (int i = 0; i < 256; i++)
        linear[i] = linear_from_srgb(i / 255.0);
    for (size_t i = 0; i < work->count; i++) {
        const uint8_t *rgb = picture->rgb + 3 * i;
        double ycxcz[3];
        ycxcz_from_rgb((const double[3]){linear[rgb[0]], linear[rgb[1]], linear[rgb[2]]}, ycxcz);
        for (int c = 0; c < 3; c++)
            work->ycxcz[c][i] = (float)ycxcz[c];
    }
}

/* Section 4.1.1 to 4.1.3. */
static void see_colours(const workspace *work, seen *s)
{
    const vfx_flip_filters *f = &work->filters;
    filter(work, &f->achromatic, &f->achromatic, 0, s->lab[0]);
    filter(work, &f->red_green, &f->red_green, 1, s->lab[1]);
    filter(work, &f->blue_yellow[0], &f->blue_yellow[0], 2, s->lab[2]);
    filter(work, &f->blue_yellow[1], &f->blue_yellow[1], 2, work->second);
    for (size_t i = 0; i < work->count; i++) {
        float blue_yellow = f->share * s->lab[2][i] + (1.0f - f->share) * work->second[i];
        double rgb[3], lab[3];
        rgb_from_ycxcz((const double[3]){(double)s->lab[0][i], (double)s->lab[1][i], (double)blue_yellow}, rgb);
        hunt_lab_from_rgb(rgb, lab);
        for (int c = 0; c < 3; c++)
            s->lab[c][i] = (float)lab[c];
    }
}

/* Section 4.2: the length of the gradient, or of the second derivatives, of the achromatic channel as 0 .. 1. */
static void see_feature(const workspace *work, const vfx_flip_taps *feature, float *to)
{
    filter(work, feature, &work->filters.smooth, 0, to);
    filter(work, &work->filters.smooth, feature, 0, work->second);
    for (size_t i = 0; i < work->count; i++)
        to[i] = sqrtf(to[i] * to[i] + work->second[i] * work->second[i]) / 116.0f;
}

static void see(const workspace *work, const vfx_picture *picture, seen *s)
{
    split(work, picture);
    see_colours(work, s);
    see_feature(work, &work->filters.edge, s->edge);
    see_feature(work, &work->filters.point, s->point);
}

/* ------------------------------------------------------------------------------------------ errors */

static double colour_error(const workspace *work, size_t i, double largest)
{
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
        a[c] = (double)work->reference.lab[c][i];
        b[c] = (double)work->test.lab[c][i];
    }
    return redistribute(colour_distance(a, b), largest);
}

static double feature_error(const workspace *work, size_t i)
{
    double edge = fabs((double)work->reference.edge[i] - (double)work->test.edge[i]);
    double point = fabs((double)work->reference.point[i] - (double)work->test.point[i]);
    return pow(fmax(edge, point) / sqrt(2.0), q_f);
}

static void find_errors(const workspace *work, float *errors)
{
    double largest = largest_colour_distance();
    for (size_t i = 0; i < work->count; i++) {
        double error = pow(colour_error(work, i, largest), 1.0 - feature_error(work, i));
        errors[i] = (float)fmin(error, 1.0);
    }
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Of sorted errors. */
static double weighted_quantile(const float *sorted, size_t count, double sum, double share)
{
    double below = 0.0;
    for (size_t i = 0; i < count; i++) {
        below += (double)sorted[i];
        if (below >= share * sum)
            return (double)sorted[i];
    }
    return (double)sorted[count - 1];
}

static void find_statistics(vfx_flip *flip, float *sorted, size_t count)
{
    double sum = 0.0;
    memcpy(sorted, flip->error, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    for (size_t i = 0; i < count; i++)
        sum += (double)sorted[i];
    flip->mean = sum / (double)count;
    flip->min = (double)sorted[0];
    flip->max = (double)sorted[count - 1];
    flip->weighted_q1 = weighted_quantile(sorted, count, sum, 0.25);
    flip->weighted_median = weighted_quantile(sorted, count, sum, 0.5);
    flip->weighted_q3 = weighted_quantile(sorted, count, sum, 0.75);
    flip->weighted_p99 = weighted_quantile(sorted, count, sum, 0.99);
}

/* ---------------------------------------------------------------------------------------- the whole */

static vfx_status check_pictures(const vfx_picture *reference, const vfx_picture *test, double ppd)
{
    if (reference->width != test->width || reference->height != test->height)
        return vfx_fail(VFX_USAGE, "cannot compare pictures of %u x %u and %u x %u pixels", reference->width,
                        reference->height, test->width, test->height);
    if (reference->rgb == NULL || test->rgb == NULL)
        return vfx_fail(VFX_USAGE, "cannot compare pictures: they are empty");
    if (!(ppd >= VFX_FLIP_MIN_PPD && ppd <= VFX_FLIP_MAX_PPD))
        return vfx_fail(VFX_USAGE, "cannot compare pictures at %g pixels per degree: %g .. %g are possible", ppd,
                        VFX_FLIP_MIN_PPD, VFX_FLIP_MAX_PPD);
    return VFX_OK;
}

vfx_status vfx_flip_compare(const vfx_picture *reference, const vfx_picture *test, double ppd, vfx_flip *flip)
{
    workspace work;
    memset(flip, 0, sizeof *flip);
    VFX_TRY(check_pictures(reference, test, ppd));
    VFX_TRY(workspace_create(&work, reference, ppd));
    vfx_status status = VFX_OK;
    flip->error = malloc(work.count * sizeof *flip->error);
    if (flip->error == NULL) {
        status = vfx_fail(VFX_MEMORY, "out of memory to compare pictures of %u x %u pixels", work.width, work.height);
    } else {
        flip->width = work.width;
        flip->height = work.height;
        see(&work, reference, &work.reference);
        see(&work, test, &work.test);
        find_errors(&work, flip->error);
        find_statistics(flip, work.second, work.count);
    }
    free(work.memory);
    return status;
}

void vfx_flip_free(vfx_flip *flip)
{
    free(flip->error);
    memset(flip, 0, sizeof *flip);
}
