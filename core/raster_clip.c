/* core/raster_clip.c - cuts triangles and segments by planes before they become fixed-point: what is behind the eye has
 * no place on the screen, and what is far off it would overflow the integers. */
#include "core/raster_internal.h"

static double side_of(const double plane[4], const double position[3])
{
    return plane[0] * position[0] + plane[1] * position[1] + plane[2] * position[2] + plane[3];
}

/* Where the edge from `in` to `out` meets the plane. Always from the inside out, so that two triangles that share the
 * edge get the same point. */
static vfx_corner cut(const vfx_corner *in, const vfx_corner *out, double in_side, double out_side)
{
    const double t = in_side / (in_side - out_side);
    vfx_corner corner;
    for (int i = 0; i < 3; i++)
        corner.position[i] = in->position[i] + (out->position[i] - in->position[i]) * t;
    for (int i = 0; i < VFX_ATTRIBUTES; i++)
        corner.attribute[i] = vfx_mixf(in->attribute[i], out->attribute[i], (float)t);
    return corner;
}

/* Sutherland and Hodgman's way round the polygon. */
static int clip_plane(const vfx_corner *from, int count, const double plane[4], vfx_corner *to)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const vfx_corner *a = &from[i], *b = &from[(i + 1) % count];
        const double a_side = side_of(plane, a->position), b_side = side_of(plane, b->position);
        if (a_side >= 0.0)
            to[kept++] = *a;
        if (a_side >= 0.0 && b_side < 0.0)
            to[kept++] = cut(a, b, a_side, b_side);
        else if (a_side < 0.0 && b_side >= 0.0)
            to[kept++] = cut(b, a, b_side, a_side);
    }
    return kept;
}

int vfx_clip(vfx_corner corners[VFX_POLYGON], const double planes[][4], int plane_count)
{
    vfx_corner next[VFX_POLYGON];
    int count = 3;
    for (int p = 0; p < plane_count && count >= 3; p++) {
        int outside = 0;
        for (int i = 0; i < count; i++)
            outside += !(side_of(planes[p], corners[i].position) >= 0.0);
        if (outside == 0)
            continue;
        count = clip_plane(corners, count, planes[p], next);
        memcpy(corners, next, (size_t)count * sizeof *next);
    }
    return count >= 3 ? count : 0;
}

bool vfx_clip_segment(double from[3], double to[3], const double planes[][4], int plane_count)
{
    for (int p = 0; p < plane_count; p++) {
        const double a = side_of(planes[p], from), b = side_of(planes[p], to);
        if (a < 0.0 && b < 0.0)
            return false;
        if (a >= 0.0 && b >= 0.0)
            continue;
        double *in = a >= 0.0 ? from : to, *out = a >= 0.0 ? to : from;
        const double t = a >= 0.0 ? a / (a - b) : b / (b - a);
        for (int i = 0; i < 3; i++)
            out[i] = in[i] + (out[i] - in[i]) * t;
    }
    return true;
}
