/* pbd_cell.glsl - cells of positions, their keys, and what is outside the domain (DOMAIN). Whatever a position holds,
 * its key is within the buffers. */
#ifndef PBD_CELL_GLSL
#define PBD_CELL_GLSL

#include "kernels/pbd/pbd.glsl"

bool pbd_is_hashed()
{
    return PBD_CELLS_X(frame) == 0.0;
}

vec3 pbd_low()
{
    return vec3(PBD_LO_X(frame), PBD_LO_Y(frame), 0.0);
}

/* Cell of p in units of cells, before it is brought into bounds. */
vec3 pbd_cell_floor(vec3 p)
{
    precise vec3 result = floor((p - pbd_low()) * PBD_INV_CELL(frame));
    return result;
}

/* Of t as pbd_cell_floor() gives it, a whole number or none. */
int pbd_bounded_axis(float t, float n)
{
    precise float last = n - 1.0;
    return t >= 0.0 ? int(min(t, last)) : 0;
}

ivec3 pbd_bounded_cell(vec3 p)
{
    vec3 t = pbd_cell_floor(p);
    return ivec3(pbd_bounded_axis(t.x, PBD_CELLS_X(frame)), pbd_bounded_axis(t.y, PBD_CELLS_Y(frame)),
                 pbd_bounded_axis(t.z, PBD_CELLS_Z(frame)));
}

int pbd_free_axis(float t)
{
    const float most = 1e9;
    return abs(t) <= most ? int(t) : t > most ? int(most) : t < -most ? int(-most) : 0;
}

/* Variant hashed. */
ivec3 pbd_free_cell(vec3 p)
{
    vec3 t = pbd_cell_floor(p);
    return ivec3(pbd_free_axis(t.x), pbd_free_axis(t.y), pbd_free_axis(t.z));
}

/* What a step along y and z adds to the key. */
uint pbd_key_y()
{
    return uint(PBD_CELLS_X(frame)) + 1u;
}

uint pbd_key_z()
{
    return (uint(PBD_CELLS_Y(frame)) + 2u) * pbd_key_y();
}

uint pbd_bounded_key(ivec3 g)
{
    return uint(g.z + 1) * pbd_key_z() + uint(g.y + 1) * pbd_key_y() + uint(g.x + 1);
}

uint pbd_bucket(ivec3 g)
{
    uvec3 u = uvec3(g) * uvec3(73856093u, 19349663u, 83492791u);
    return (u.x ^ u.y ^ u.z) & params.buckets - 1u;
}

bool pbd_outside(vec3 p)
{
    vec3 low = pbd_low();
    precise vec3 high = low + vec3(params.size_x, params.size_y, params.size_z);
    return !(all(greaterThanEqual(p, low)) && all(lessThanEqual(p, high)));
}

/* Is a particle that is predicted there without contacts? */
bool pbd_binned(vec3 p)
{
    return params.outside == PBD_OUTSIDE_BIN && !pbd_is_hashed() && pbd_outside(p);
}

/* Key of a particle that is predicted there. */
uint pbd_key(vec3 p)
{
    if (pbd_is_hashed()) {
        return pbd_bucket(pbd_free_cell(p));
    }
    return pbd_binned(p) ? pbd_bin() : pbd_bounded_key(pbd_bounded_cell(p));
}

#endif
