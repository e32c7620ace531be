/* bake_measure.c - how wrong a bake is: between its frames, at the end of a loop, and in its codes.
 *
 * Temporal error of a clip: at t = k / 60 s for k = 0, 1, ... below the duration, and at the duration, the model's pose
 * (double) is compared with what a player shows that lerps the stored, unquantised frames: f = t * fps, i = floor(f),
 * w = f - i, frame i * (1 - w) + frame i+1 * w.
 *   VAT_CLOSED: i is clamped to 0 .. frames - 2, so that the duration shows the closing frame.
 *   VAT_SOURCE, VAT_SOURCE_LATE: the player takes frame k for the time k / fps. A looping clip wraps after its last
 *     frame (frames i mod n and i+1 mod n: the loop lasts n / fps), another one stays on it.
 * Distances of all vertices at all these times give worst and rms, later divided by the extent. */
#include "kernels/vat/bake_internal.h"

#include <math.h>

static const double RATE = 60;                   /* Hz, of the truth */
static const double DEGREES = 57.29577951308232; /* of a radian */

void vat_sum_add(vat_sum *sum, double value)
{
    sum->worst = fmax(sum->worst, value);
    sum->squares += value * value;
    sum->count += 1;
}

void vat_sum_join(vat_sum *sum, const vat_sum *other)
{
    sum->worst = fmax(sum->worst, other->worst);
    sum->squares += other->squares;
    sum->count += other->count;
}

vat_error vat_sum_error(const vat_sum *sum, double unit)
{
    if (!(unit > 0) || !(sum->count > 0))
        return (vat_error){0, 0};
    return (vat_error){sum->worst / unit, sqrt(sum->squares / sum->count) / unit};
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* ---------------------------------------------------------------------------------------------- temporal */

/* The two frames that a player shows at time t, and how much of the second. */
static void shown_at(const vat_clip *clip, vat_sampling sampling, double t, uint32_t frame[2], double *weight)
{
    double f = t * clip->fps, i = floor(f), last = clip->frames - 1.0;
    if (sampling == VAT_CLOSED)
        i = fmax(0, fmin(i, last - 1));
    bool wraps = sampling != VAT_CLOSED && clip->loop;
    for (int k = 0; k < 2; k++) {
        double at = wraps ? fmod(i + k, clip->frames) : fmin(i + k, last);
        frame[k] = clip->first + (uint32_t)at;
    }
    *weight = f - i;
}

static void measure_time(const vat_sampler *sampler, const vat_bake *bake, const vat_clip *clip, double t, vat_sum *sum)
{
    uint32_t frame[2];
    double w;
    shown_at(clip, bake->sampling, t, frame, &w);
    const float(*a)[3] = (const float(*)[3])bake->positions + (size_t)frame[0] * bake->vertices;
    const float(*b)[3] = (const float(*)[3])bake->positions + (size_t)frame[1] * bake->vertices;
    double worst = 0, squares = 0;
    for (uint32_t v = 0; v < bake->vertices; v++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = (double)a[v][k] * (1 - w) + (double)b[v][k] * w - sampler->position[v][k];
            square += d * d;
        }
        worst = square > worst ? square : worst;
        squares += square;
    }
    vat_sum one = {sqrt(worst), squares, bake->vertices};
    vat_sum_join(sum, &one);
}

vat_sum vat_measure_temporal(vat_sampler *sampler, const vat_bake *bake, const vat_clip *clip)
{
    vat_sum sum = {0};
    for (uint32_t k = 0; k == 0 || k / RATE < clip->duration; k++) {
        vat_sampler_progress(sampler, k / RATE, clip->duration, clip->name);
        vat_sampler_pose(sampler, clip->source, k / RATE);
        measure_time(sampler, bake, clip, k / RATE, &sum);
    }
    if (clip->duration > 0) {
        vat_sampler_pose(sampler, clip->source, clip->duration);
        measure_time(sampler, bake, clip, clip->duration, &sum);
    }
    return sum;
}

/* ------------------------------------------------------------------------------------------------- loops */

double vat_measure_closure(vat_sampler *sampler, const vat_clip *clip)
{
    double worst = 0;
    uint32_t count = sampler->model->vertex_count;
    vat_sampler_pose(sampler, clip->source, 0);
    for (uint32_t v = 0; v < count; v++)
        for (int a = 0; a < 3; a++)
            sampler->other[v][a] = sampler->position[v][a];
    vat_sampler_pose(sampler, clip->source, clip->duration);
    for (uint32_t v = 0; v < count; v++)
        worst = fmax(worst, distance(sampler->position[v], sampler->other[v]));
    return worst;
}

double vat_measure_jump(const vat_bake *bake, const vat_clip *clip)
{
    const float(*first)[3] = (const float(*)[3])bake->positions + (size_t)clip->first * bake->vertices;
    const float(*last)[3] = first + (size_t)(clip->frames - 1) * bake->vertices;
    double worst = 0;
    for (uint32_t v = 0; v < bake->vertices; v++) {
        double a[3] = {first[v][0], first[v][1], first[v][2]}, b[3] = {last[v][0], last[v][1], last[v][2]};
        worst = fmax(worst, distance(a, b));
    }
    return worst;
}

/* ------------------------------------------------------------------------------------------------- codes */

/* Angle between unit vectors, degrees; exact also for small ones. */
static double angle(const double a[3], const double b[3])
{
    return 2 * asin(fmin(1, distance(a, b) / 2)) * DEGREES;
}

void vat_measure_encoding(const vat_sampler *sampler, vat_bake *bake)
{
    vat_sum moved = {0}, turned = {0};
    size_t bytes = vat_texel_bytes(bake->format);
    for (uint32_t frame = 0; frame < bake->frames; frame++) {
        vat_sampler_progress(sampler, frame, bake->frames, "codes");
        for (uint32_t v = 0; v < bake->vertices; v++) {
            size_t i = (size_t)frame * bake->vertices + v;
            double position[3], normal[3];
            if (bake->format == VAT_BONES)
                vat_bones_decode(bake, frame, v, position, normal);
            else
                vat_bake_decode(bake->texels + i * bytes, bake->format, bake->map_min, bake->map_step, position,
                                normal);
            const float *p = bake->positions[i], *n = bake->normals[i];
            vat_sum_add(&moved, distance(position, (const double[3]){p[0], p[1], p[2]}));
            vat_sum_add(&turned, angle(normal, (const double[3]){n[0], n[1], n[2]}));
        }
    }
    bake->quantisation = vat_sum_error(&moved, bake->extent);
    bake->normal = vat_sum_error(&turned, 1);
}
