/* grass_invariants.c - properties that any grass frame must have, whoever computed it. All in double, from the
 * instances and the outputs of that frame alone; none of it follows the wind. */
#include "kernels/grass/grass.h"

#include "core/hash.h"

#include <math.h>
#include <stdio.h>

static const double unit_limit = 1e-6;  /* |normal| - 1: inversesqrt of 2 ulp, and three roundings */
static const double place_limit = 5e-7; /* of |position|: two roundings of each coordinate, and a half's of the width */

static const grass_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, grass_params);
}

static double length(vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* |a - b| */
static double distance(vec3 a, vec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Writes "blade 12, leaf 0, row 3, left: <what> is <value>, allowed <limit>" and returns false. */
static bool fails(const vfx_ref *ref, uint64_t vertex, const char *what, double value, double limit, char *why,
                  size_t why_bytes)
{
    char who[96];
    grass_describe_vertex(ref->kase, vertex, who, sizeof who);
    snprintf(why, why_bytes, "%s: %s is %.9g, allowed %.9g", who, what, value, limit);
    return false;
}

/* ------------------------------------------------------------------------------------------- finite */

static bool finite_floats(const vfx_ref *ref, uint32_t row, const char *name, char *why, size_t why_bytes)
{
    const float *values = ref->in[row];
    const vfx_buffer *buffer = &ref->kase->kernel->buffers[row];
    uint64_t lanes = buffer->stride / 4;
    for (uint64_t i = 0; values != NULL && i < ref->count[row] * lanes; i++) {
        bool packed_word = row == GRASS_BUFFER_VERTEX && i % lanes == 3; /* shade */
        if (packed_word || isfinite(values[i]))
            continue;
        char who[96];
        buffer->describe(ref->kase, i / lanes, who, sizeof who);
        snprintf(why, why_bytes, "%s: lane %llu of %s is %g", who, (unsigned long long)(i % lanes), name,
                 (double)values[i]);
        return false;
    }
    return true;
}

static bool finite_half(uint32_t code)
{
    return (code >> 10 & 31u) != 31u;
}

/* G11 */
static bool finite_holds(const vfx_ref *ref, char *why, size_t why_bytes)
{
    if (!finite_floats(ref, GRASS_BUFFER_BLADE, "blade", why, why_bytes) ||
        !finite_floats(ref, GRASS_BUFFER_VERTEX, "vertex", why, why_bytes) ||
        !finite_floats(ref, GRASS_BUFFER_MOTION, "motion", why, why_bytes))
        return false;
    const grass_packed *packed = ref->in[GRASS_BUFFER_PACKED];
    for (uint64_t i = 0; packed != NULL && i < ref->count[GRASS_BUFFER_PACKED]; i++)
        if (!finite_half(packed[i].offset_xy) || !finite_half(packed[i].offset_xy >> 16) ||
            !finite_half(packed[i].offset_z))
            return fails(ref, i, "offset", (double)INFINITY, 65504.0, why, why_bytes);
    return true;
}

/* --------------------------------------------------------------------------------------------- bend */

/* Height of a leaf, m. */
static double leaf_height(const vfx_ref *ref, uint64_t leaf)
{
    const grass_params *params = params_of(ref);
    const grass_instance *instance = (const grass_instance *)ref->in[GRASS_BUFFER_INSTANCE] + leaf / params->leaves;
    double height = (double)params->height * grass_half_value(instance->size & 0xffffu);
    if (params->leaves == 1)
        return height;
    uint32_t k = (uint32_t)(leaf % params->leaves), seed = ref->frame->seed;
    double own = vfx_hash_unit(vfx_pcg3d(instance->id, GRASS_STREAM_LOOK | k << 8, seed).z);
    double first = vfx_hash_unit(vfx_pcg3d(instance->id, GRASS_STREAM_LOOK, seed).z);
    double share = own + (first - own) * (double)params->coherence;
    return height * ((double)GRASS_LEAF_LOW + ((double)GRASS_LEAF_HIGH - (double)GRASS_LEAF_LOW) * share);
}

static vec3 middle(const grass_vertex *pair)
{
    return (vec3){0.5f * (pair[0].position.x + pair[1].position.x), 0.5f * (pair[0].position.y + pair[1].position.y),
                  0.5f * (pair[0].position.z + pair[1].position.z)};
}

/* |beta| of a leaf from its kappa. */
static bool kappa_holds(const vfx_ref *ref, uint64_t leaf, char *why, size_t why_bytes)
{
    const grass_params *params = params_of(ref);
    const grass_blade *blade = (const grass_blade *)ref->in[GRASS_BUFFER_BLADE] + leaf;
    double kappa = hypot((double)blade->kappa.x, (double)blade->kappa.y);
    double beta = kappa * leaf_height(ref, leaf) / (double)GRASS_HALF_PI;
    double limit = (double)params->bend_max * (1.0 + 1e-6) + 1e-12;
    return beta <= limit || fails(ref, leaf * 2 * params->rows, "|beta|", beta, limit, why, why_bytes);
}

/* The chord of a centre line of length h is h sin(a / 2) / (a / 2), a = |beta| quarter turns: no shorter than at
 * bend_max, and no longer than h. */
static bool chord_holds(const vfx_ref *ref, uint64_t leaf, char *why, size_t why_bytes)
{
    const grass_params *params = params_of(ref);
    uint64_t vertices = 2 * (uint64_t)params->rows, last = leaf * vertices + vertices - 2;
    const grass_vertex *vertex = ref->in[GRASS_BUFFER_VERTEX];
    vec3 root = middle(vertex + leaf * vertices), tip = middle(vertex + last);
    double h = leaf_height(ref, leaf), half_angle = 0.5 * (double)GRASS_HALF_PI * (double)params->bend_max;
    double slack = 2e-6 * h + place_limit * (length(root) + length(tip)), chord = distance(root, tip);
    double shortest = half_angle > 0.0 ? h * sin(half_angle) / half_angle : h;
    if (!(chord >= shortest - slack))
        return fails(ref, last, "distance from root to tip", chord, shortest - slack, why, why_bytes);
    return chord <= h + slack || fails(ref, last, "distance from root to tip", chord, h + slack, why, why_bytes);
}

/* G11: |beta| <= bend_max. The straight interpolation of shape = lerp has no such chord. */
static bool bend_holds(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const grass_params *params = params_of(ref);
    uint64_t leaves = (uint64_t)params->blades * params->leaves;
    bool arc = params->shape == GRASS_SHAPE_ARC && ref->in[GRASS_BUFFER_VERTEX] != NULL;
    for (uint64_t i = 0; i < leaves; i++) {
        if (ref->in[GRASS_BUFFER_BLADE] != NULL && !kappa_holds(ref, i, why, why_bytes))
            return false;
        if (arc && !chord_holds(ref, i, why, why_bytes))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------ normals */

static bool normals_hold(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const grass_vertex *vertex = ref->in[GRASS_BUFFER_VERTEX];
    for (uint64_t i = 0; vertex != NULL && i < ref->count[GRASS_BUFFER_VERTEX]; i++) {
        double off = fabs(length(vertex[i].normal) - 1.0);
        if (!(off <= unit_limit))
            return fails(ref, i, "|normal| - 1", off, unit_limit, why, why_bytes);
    }
    return true;
}

/* -------------------------------------------------------------------------------------------- roots */

/* The root row of a leaf: centred on the pivot (in a clump: inside its disc), as wide as the blade, at gradient 0, and
 * where it was at t - dt. `vertex` is its left end. */
static bool root_holds(const vfx_ref *ref, uint64_t vertex, char *why, size_t why_bytes)
{
    const grass_params *params = params_of(ref);
    const grass_vertex *pair = (const grass_vertex *)ref->in[GRASS_BUFFER_VERTEX] + vertex;
    const grass_motion *before = ref->in[GRASS_BUFFER_MOTION];
    const grass_instance *instance =
        (const grass_instance *)ref->in[GRASS_BUFFER_INSTANCE] + vertex / (2 * (uint64_t)params->rows) / params->leaves;
    double width = grass_half_value(instance->size >> 16);
    vec3 root = middle(pair);
    double slack = place_limit * (length(root) + width);
    double disc = params->leaves > 1 ? (double)params->clump_radius * (1.0 + 1e-6) : 0.0;
    double off = hypot((double)root.x - (double)instance->pivot.x, (double)root.y - (double)instance->pivot.y);
    if (!(off <= disc + slack))
        return fails(ref, vertex, "distance of the root from the pivot", off, disc + slack, why, why_bytes);
    double wide = fabs(distance(pair[0].position, pair[1].position) - width);
    if (!(wide <= 2.0 * slack))
        return fails(ref, vertex, "error of the width at the root", wide, 2.0 * slack, why, why_bytes);
    double rise = fabs((double)root.z - (double)instance->pivot.z);
    if (params->leaves == 1 && !(rise <= 0.0))
        return fails(ref, vertex, "height of the root above the pivot", rise, 0.0, why, why_bytes);
    if (!(fabsf(pair[0].gradient) <= 0.0f))
        return fails(ref, vertex, "gradient at the root", (double)pair[0].gradient, 0.0, why, why_bytes);
    for (uint64_t i = 0; before != NULL && ref->count[GRASS_BUFFER_MOTION] > 0 && i < 2; i++) {
        double moved = distance(pair[i].position, before[vertex + i].position);
        if (!(moved <= 0.0))
            return fails(ref, vertex + i, "movement of the root in a frame", moved, 0.0, why, why_bytes);
    }
    return true;
}

/* The same for offsets in halves, whose two ends are exact opposites. */
static bool packed_root_holds(const vfx_ref *ref, uint64_t vertex, char *why, size_t why_bytes)
{
    const grass_params *params = params_of(ref);
    const grass_packed *pair = (const grass_packed *)ref->in[GRASS_BUFFER_PACKED] + vertex;
    double x[2], y[2];
    for (int i = 0; i < 2; i++) {
        x[i] = grass_half_value(pair[i].offset_xy & 0xffffu);
        y[i] = grass_half_value(pair[i].offset_xy >> 16);
    }
    double reach = params->leaves > 1 ? (double)params->clump_radius : 0.0;
    double off = 0.5 * hypot(x[0] + x[1], y[0] + y[1]), limit = reach + 5e-4 * (reach + (double)params->width);
    if (!(off <= limit))
        return fails(ref, vertex, "distance of the root from the pivot", off, limit, why, why_bytes);
    double rise = fabs(grass_half_value(pair[0].offset_z & 0xffffu));
    return params->leaves > 1 || rise <= 0.0 || fails(ref, vertex, "height of the root", rise, 0.0, why, why_bytes);
}

/* G2: whatever the wind does, the root row stays. */
static bool roots_hold(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const grass_params *params = params_of(ref);
    uint64_t vertices = 2 * (uint64_t)params->rows, leaves = (uint64_t)params->blades * params->leaves;
    for (uint64_t i = 0; i < leaves; i++) {
        if (ref->in[GRASS_BUFFER_VERTEX] != NULL && !root_holds(ref, i * vertices, why, why_bytes))
            return false;
        if (ref->in[GRASS_BUFFER_PACKED] != NULL && !packed_root_holds(ref, i * vertices, why, why_bytes))
            return false;
    }
    return true;
}

const vfx_invariant grass_invariants[GRASS_INVARIANT_COUNT] = {
    {"finite", finite_holds, "G11: no parameters within their ranges make a number that is none"},
    {"bend", bend_holds, "G11: |beta| <= bend_max, as a curvature and as the chord from root to tip"},
    {"unit-normals", normals_hold, "the blended normal ends with a normalisation"},
    {"roots", roots_hold, "G2: vertices at z = 0 do not move, whatever the bend"},
};
