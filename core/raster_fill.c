/* core/raster_fill.c - writes samples: which ones a triangle covers, by exact integers, and which a sphere covers, by
 * one ray each; the nearer of two wins, the first of two equals. */
#include "core/raster_internal.h"

/* How a triangle's attributes become a sample. */
typedef struct vfx_paint {
    const vfx_point *corner[3];
    float step[2][VFX_ATTRIBUTES]; /* corner 1 and 2 less corner 0 */
    uint32_t albedo, glow;         /* of a triangle of one colour */
    bool one_colour, no_glow, unlit;
} vfx_paint;

static void paint_set(vfx_paint *paint, const vfx_point points[3], bool turned)
{
    paint->corner[0] = &points[0];
    paint->corner[1] = &points[turned ? 2 : 1];
    paint->corner[2] = &points[turned ? 1 : 2];
    bool one_colour = true, no_glow = true;
    for (int i = 0; i < VFX_ATTRIBUTES; i++) {
        const float first = points[0].attribute[i];
        for (int k = 0; k < 2; k++) {
            paint->step[k][i] = paint->corner[k + 1]->attribute[i] - first;
            one_colour = one_colour && (i < 3 || i >= 6 || paint->step[k][i] == 0.0f);
            no_glow = no_glow && (i < 6 || (first == 0.0f && paint->step[k][i] == 0.0f));
        }
    }
    paint->one_colour = one_colour;
    paint->no_glow = no_glow;
    paint->albedo = vfx_pack_albedo(points[0].attribute + 3);
    paint->glow = 0;
}

/* Attributes `first` and the two after it, where corners 1 and 2 have the shares s and t. */
static inline void mix(const vfx_paint *paint, int first, float s, float t, float value[3])
{
    const float *start = paint->corner[0]->attribute + first;
    const float *one = paint->step[0] + first, *two = paint->step[1] + first;
    value[0] = start[0] + s * one[0] + t * two[0];
    value[1] = start[1] + s * one[1] + t * two[1];
    value[2] = start[2] + s * one[2] + t * two[2];
}

static void paint_sample(const vfx_paint *paint, float s, float t, vfx_sample *sample)
{
    float value[3];
    sample->albedo = paint->albedo;
    sample->glow = paint->glow;
    sample->normal = VFX_NORMAL_UNLIT;
    if (paint->unlit)
        return;
    mix(paint, 0, s, t, value);
    sample->normal = vfx_pack_normal(value);
    if (!paint->one_colour) {
        mix(paint, 3, s, t, value);
        sample->albedo = vfx_pack_albedo(value);
    }
    if (!paint->no_glow) {
        mix(paint, 6, s, t, value);
        sample->glow = vfx_pack_glow(value);
    }
}

/* One row of samples, columns first..last, of sample `s` of each pixel. */
static void fill_row(vfx_raster *raster, const vfx_edges *edges, const vfx_paint *paint, int32_t row, int s,
                     int32_t first, int32_t last)
{
    const int32_t y = row * VFX_FIXED + vfx_sample_y[s];
    const int64_t x = (int64_t)first * VFX_FIXED + vfx_sample_x[s];
    double inverse[3], share[2], step[2];
    for (int i = 0; i < 3; i++)
        inverse[i] = paint->corner[i]->inverse_depth;
    for (int i = 0; i < 2; i++) {
        share[i] = (double)(edges->a[i + 1] * x + edges->b[i + 1] * y + edges->c[i + 1]) * edges->share;
        step[i] = (double)(edges->a[i + 1] * VFX_FIXED) * edges->share;
    }
    vfx_sample *sample = &raster->samples[((size_t)row * raster->width + (size_t)first) * VFX_SAMPLES + (size_t)s];
    for (int32_t i = 0; i <= last - first; i++, sample += VFX_SAMPLES) {
        const double u = share[0] + step[0] * i, v = share[1] + step[1] * i;
        const double depth = inverse[0] + u * (inverse[1] - inverse[0]) + v * (inverse[2] - inverse[0]);
        if (!((float)depth > sample->inverse_depth))
            continue;
        sample->inverse_depth = (float)depth;
        paint_sample(paint, (float)(u * inverse[1] / depth), (float)(v * inverse[2] / depth), sample);
    }
}

static void fill(vfx_raster *raster, const vfx_edges *edges, const vfx_paint *paint)
{
    for (int s = 0; s < VFX_SAMPLES; s++) {
        int32_t row, last_row, first, last;
        vfx_rows_of(edges->y_min, edges->y_max, vfx_sample_y[s], (int32_t)raster->height, &row, &last_row);
        for (; row <= last_row; row++)
            if (vfx_edges_span(edges, vfx_sample_x[s], row * VFX_FIXED + vfx_sample_y[s], (int32_t)raster->width,
                               &first, &last))
                fill_row(raster, edges, paint, row, s, first, last);
    }
}

static void paint_and_fill(vfx_raster *raster, const vfx_point points[3], const uint32_t *unlit)
{
    const int32_t x[3] = {points[0].x, points[1].x, points[2].x};
    const int32_t y[3] = {points[0].y, points[1].y, points[2].y};
    vfx_edges edges;
    vfx_paint paint;
    if (!vfx_edges_set(&edges, x, y))
        return;
    paint_set(&paint, points, edges.turned);
    paint.unlit = unlit != NULL;
    paint.albedo = unlit != NULL ? *unlit : paint.albedo;
    fill(raster, &edges, &paint);
}

void vfx_fill_triangle(vfx_raster *raster, const vfx_point points[3])
{
    paint_and_fill(raster, points, NULL);
}

void vfx_fill_flat(vfx_raster *raster, const vfx_point points[3], uint32_t albedo)
{
    paint_and_fill(raster, points, &albedo);
}

/* The pixels from *low to *high that a ball's outline can touch along one axis: `across` and `depth` are its centre's
 * coordinates, and the outline's tangents go through the eye. The whole screen when the eye's plane cuts it. */
static void ball_extent(double across, double depth, double radius, double focal, double middle, double limit,
                        int32_t *low, int32_t *high)
{
    *low = 0;
    *high = (int32_t)limit - 1;
    const double gap = depth * depth - radius * radius;
    if (depth <= radius || gap <= 0.0)
        return;
    const double root = radius * sqrt(across * across + gap);
    const double from = middle + focal * (across * depth - root) / gap;
    const double to = middle + focal * (across * depth + root) / gap;
    *low = (int32_t)fmin(fmax(floor(from), 0.0), limit);
    *high = (int32_t)fmin(fmax(floor(to), -1.0), limit - 1.0);
}

/* The ray (x, y, 1) t meets the ball first at depth t; false if it does not, or not in front of the near plane. */
static bool ball_depth(const double centre[3], double gap, double x, double y, double near_depth, double *depth)
{
    const double a = x * x + y * y + 1.0, b = x * centre[0] + y * centre[1] + centre[2];
    const double inside = b * b - a * gap;
    if (!(inside >= 0.0))
        return false;
    *depth = (b - sqrt(inside)) / a;
    return *depth >= near_depth;
}

void vfx_fill_sphere(vfx_raster *raster, const double centre[3], double radius, const float colour[3],
                     const float glow[3])
{
    const vfx_camera *camera = &raster->camera;
    const uint32_t albedo = vfx_pack_albedo(colour), light = vfx_pack_glow(glow);
    const double gap = vfx_dot3(centre, centre) - radius * radius, focal = camera->focal;
    int32_t left, right, top, bottom;
    ball_extent(centre[0], centre[2], radius, focal, camera->half_width, raster->width, &left, &right);
    ball_extent(-centre[1], centre[2], radius, focal, camera->half_height, raster->height, &top, &bottom);
    for (int32_t row = top; row <= bottom; row++) {
        vfx_sample *sample = &raster->samples[((size_t)row * raster->width + (size_t)left) * VFX_SAMPLES];
        for (int32_t i = 0; i < (right - left + 1) * VFX_SAMPLES; i++, sample++) {
            const int s = i % VFX_SAMPLES;
            const double x = (left + i / VFX_SAMPLES + vfx_sample_x[s] / (double)VFX_FIXED - camera->half_width);
            const double y = (camera->half_height - row - vfx_sample_y[s] / (double)VFX_FIXED);
            double depth;
            if (!ball_depth(centre, gap, x / focal, y / focal, camera->near_depth, &depth))
                continue;
            if (!((float)(1.0 / depth) > sample->inverse_depth))
                continue;
            float normal[3];
            for (int k = 0; k < 3; k++)
                normal[k] =
                    (float)(camera->right[k] * (x / focal * depth - centre[0]) +
                            camera->up[k] * (y / focal * depth - centre[1]) + camera->forward[k] * (depth - centre[2]));
            *sample = (vfx_sample){(float)(1.0 / depth), vfx_pack_normal(normal), albedo, light};
        }
    }
}
