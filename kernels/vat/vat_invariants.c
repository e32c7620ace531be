/* vat_invariants.c - what must hold for the output of any decode, device's or reference's, without knowing the right
 * numbers. */
#include "kernels/vat/vat.h"

#include <math.h>
#include <stdio.h>

static const vat_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, vat_params);
}

/* Largest distance of a decoded vertex from its actor's position, m. Scales are at most 1 + scale_spread; scale2d
 * stretches by 1.5 at most, the matrix kind by 1.25 (its sheared plane by 1.19); texels reach half a step further. */
static double reach(const vfx_ref *ref)
{
    const vat_asset *asset = vat_asset_of(ref->kase);
    const double slack = 1e-4 * asset->bake.extent; /* roundings, and weights of 16 bits */
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double far = fmax(fabs(asset->bake.box_min[axis]), fabs(asset->bake.box_max[axis]));
        const double reached = far + 0.5 * (double)asset->map_step[axis] + slack;
        square += reached * reached;
    }
    return sqrt(square) * 1.5 * (1.0 + (double)params_of(ref)->scale_spread);
}

static bool inside(const vfx_ref *ref, const float *point)
{
    const double side = ceil(sqrt((double)params_of(ref)->actors));
    const double field = (side / 2.0 + 0.5) * (double)params_of(ref)->spacing, far = reach(ref);
    return fabs((double)point[0]) <= field + far && fabs((double)point[1]) <= far &&
           fabs((double)point[2]) <= field + far;
}

/* Positions: vertex, packed or bounds, whatever the variant writes. */
static bool near_actors(const vfx_ref *ref, char *why, size_t why_bytes)
{
    static const struct {
        uint32_t row;
        size_t stride, points;
    } rows[] = {{VAT_BUFFER_VERTEX, sizeof(vat_vertex), 1},
                {VAT_BUFFER_PACKED, sizeof(vat_packed), 1},
                {VAT_BUFFER_BOUNDS, sizeof(vat_bounds), 2}};
    for (uint32_t r = 0; r < 3; r++) {
        const char *records = ref->in[rows[r].row];
        for (uint64_t i = 0; records != NULL && i < ref->count[rows[r].row]; i++)
            for (size_t k = 0; k < rows[r].points; k++) {
                const float *point = (const float *)(const void *)(records + i * rows[r].stride) + 3 * k;
                if (inside(ref, point))
                    continue;
                snprintf(why, why_bytes, "record %llu at (%g, %g, %g) m is more than %g m outside of the actors' field",
                         (unsigned long long)i, (double)point[0], (double)point[1], (double)point[2], reach(ref));
                return false;
            }
    }
    return true;
}

static bool unit_normals(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const vat_vertex *vertices = ref->in[VAT_BUFFER_VERTEX];
    for (uint64_t i = 0; vertices != NULL && i < ref->count[VAT_BUFFER_VERTEX]; i++) {
        const double x = (double)vertices[i].normal.x, y = (double)vertices[i].normal.y,
                     z = (double)vertices[i].normal.z;
        const double length = sqrt(x * x + y * y + z * z);
        if (fabs(length - 1.0) <= 5e-7)
            continue;
        snprintf(why, why_bytes, "vertex %llu has a normal of length %.9g", (unsigned long long)i, length);
        return false;
    }
    return true;
}

static bool ordered_bounds(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const vat_bounds *boxes = ref->in[VAT_BUFFER_BOUNDS];
    for (uint64_t i = 0; boxes != NULL && i < ref->count[VAT_BUFFER_BOUNDS]; i++)
        for (int axis = 0; axis < 3; axis++)
            if (!(boxes[i].min[axis] <= boxes[i].max[axis])) {
                snprintf(why, why_bytes, "box %llu: min %g above max %g on axis %d", (unsigned long long)i,
                         (double)boxes[i].min[axis], (double)boxes[i].max[axis], axis);
                return false;
            }
    return true;
}

static bool playing_actors(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const vat_instance *actors = ref->in[VAT_BUFFER_ACTOR];
    for (uint64_t i = 0; actors != NULL && i < ref->count[VAT_BUFFER_ACTOR]; i++) {
        const uint32_t clip = actors[i].frame >> 24, cursor = actors[i].frame & 0xffffffu;
        if (clip < vat_clip_total(ref->kase) && cursor < vat_clip_range_of(ref->kase, clip).period &&
            actors[i].yaw >= 0.0f && actors[i].yaw < 1.0f)
            continue;
        snprintf(why, why_bytes, "actor %llu plays clip %u at %u/256 frames, yaw %g turns", (unsigned long long)i, clip,
                 cursor, (double)actors[i].yaw);
        return false;
    }
    return true;
}

const vfx_invariant vat_invariants[VAT_INVARIANT_COUNT] = {
    {"near-actors", near_actors,
     "a vertex is no farther outside of the box that the actors stand in than the model reaches in any baked frame"},
    {"unit-normals", unit_normals,
     "normals are made unit last: 3u/2 of the squared length, 4u of inversesqrt, u of the product; 8u = 5e-7"},
    {"ordered-bounds", ordered_bounds, "a box has its least corner first"},
    {"playing-actors", playing_actors, "an actor's cursor lies within its clip, its yaw within a turn"},
};
