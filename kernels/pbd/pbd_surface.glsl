/* pbd_surface.glsl - signed distance and direction of the colliders (COLLIDE). */
#ifndef PBD_SURFACE_GLSL
#define PBD_SURFACE_GLSL

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_COLLIDER, colliders)
PBD_BUFFER(readonly, float, PBD_BINDING_SDF, sdf)

const float PBD_NOWHERE = 1e30; /* phi where a collider is not */
const vec3 PBD_UP = vec3(0.0, 0.0, 1.0); /* where there is no direction */

struct pbd_surface {
    float phi;
    vec3 normal;
};

pbd_collider pbd_collider_at(uint index)
{
    uint at = 4u * index;
    return pbd_collider_unpack(uvec4[](colliders[at], colliders[at + 1u], colliders[at + 2u], colliders[at + 3u]));
}

const uint PBD_SIDES = 6u; /* of a box */

/* Sides that act in turn. */
uint pbd_faces(pbd_collider q)
{
    return q.kind == PBD_COLLIDER_BOX_IN ? PBD_SIDES : 1u;
}

vec3 pbd_unit(vec3 v, float l)
{
    precise vec3 result = v / l;
    return l < PBD_TINY ? PBD_UP : result;
}

vec3 pbd_face_normal(uint face)
{
    float side = (face & 1u) == 0u ? 1.0 : -1.0;
    return vec3(face < 2u ? side : 0.0, face >> 1u == 1u ? side : 0.0, face >= 4u ? side : 0.0);
}

/* How far x is from a face of the box, inwards. */
float pbd_face_depth(pbd_collider q, uint face, vec3 x)
{
    precise vec3 above = x - q.place, below = q.extent - x;
    vec3 depth = (face & 1u) == 0u ? above : below;
    return face < 2u ? depth.x : face < 4u ? depth.y : depth.z;
}

pbd_surface pbd_ball_surface(vec3 from, float radius)
{
    float l = pbd_length(from);
    precise float phi = l - radius;
    return pbd_surface(phi, pbd_unit(from, l));
}

pbd_surface pbd_capsule_surface(pbd_collider q, vec3 x)
{
    precise vec3 bone = q.extent - q.place, from = x - q.place;
    float square = vfx_dot(bone, bone);
    precise float along = clamp(vfx_dot(from, bone) / square, 0.0, 1.0);
    precise vec3 off = x - (q.place + bone * along);
    return pbd_ball_surface(off, q.round);
}

pbd_surface pbd_box_surface(pbd_collider q, vec3 x)
{
    precise vec3 off = x - clamp(x, q.place, q.extent);
    float l = pbd_length(off);
    if (!(l < PBD_TINY)) {
        return pbd_surface(l, pbd_unit(off, l));
    }
    uint nearest = 0u;
    float least = pbd_face_depth(q, 0u, x);
    for (uint face = 1u; face < PBD_SIDES; ++face) {
        float depth = pbd_face_depth(q, face, x);
        nearest = depth < least ? face : nearest;
        least = min(depth, least);
    }
    return pbd_surface(-least, -pbd_face_normal(nearest));
}

pbd_surface pbd_torus_surface(pbd_collider q, vec3 x)
{
    precise vec3 from = x - q.place;
    float around = pbd_length(vec3(from.xy, 0.0));
    precise vec2 radial = from.xy / around;
    radial = around < PBD_TINY ? PBD_UP.zx : radial;
    precise float off_ring = around - q.extent.x;
    precise vec3 off = vec3(radial * off_ring, from.z);
    float l = pbd_length(vec3(off_ring, 0.0, from.z));
    precise float phi = l - q.extent.y;
    return pbd_surface(phi, pbd_unit(off, l));
}

/* mix() in a fixed form. */
vec4 pbd_mix(vec4 a, vec4 b, float t)
{
    precise vec4 result = a * (1.0 - t) + b * t;
    return result;
}

pbd_surface pbd_grid_surface(pbd_collider q, vec3 x)
{
    const float last = float(PBD_SDF_SIDE - 1u);
    precise vec3 t = ((x - q.place) + q.round / 2.0) * (last / q.round);
    if (!(all(greaterThanEqual(t, vec3(0.0))) && all(lessThanEqual(t, vec3(last))))) {
        return pbd_surface(PBD_NOWHERE, t);
    }
    uvec3 cell = min(uvec3(t), uvec3(PBD_SDF_SIDE - 2u));
    precise vec3 f = t - vec3(cell);
    uint at = (cell.z * PBD_SDF_SIDE + cell.y) * PBD_SDF_SIDE + cell.x, up = at + PBD_SDF_SIDE * PBD_SDF_SIDE;
    const uint y = PBD_SDF_SIDE;
    vec4 low = vec4(sdf[at], sdf[at + y], sdf[up], sdf[up + y]); /* (y, z) = 00, 10, 01, 11 */
    vec4 high = vec4(sdf[at + 1u], sdf[at + y + 1u], sdf[up + 1u], sdf[up + y + 1u]);
    precise vec4 slope_x = high - low;
    vec4 on_x = pbd_mix(low, high, f.x);
    vec4 on_y = pbd_mix(vec4(on_x.xz, slope_x.xz), vec4(on_x.yw, slope_x.yw), f.y); /* phi, slope along x at z = 0, 1 */
    precise vec2 slope_y = on_x.yw - on_x.xz;
    vec4 on_z = pbd_mix(vec4(on_y.xz, slope_y.xx), vec4(on_y.yw, slope_y.yy), f.z);
    precise float slope_z = on_y.y - on_y.x;
    vec3 gradient = vec3(on_z.yz, slope_z);
    return pbd_surface(on_z.x, pbd_unit(gradient, pbd_length(gradient)));
}

/* Collider q, or one of its sides, from x. */
pbd_surface pbd_surface_of(pbd_collider q, uint face, vec3 x)
{
    precise vec3 from = x - q.place;
    precise float above = vfx_dot(q.place, x) - q.extent.x;
    if (q.kind == PBD_COLLIDER_PLANE) {
        return pbd_surface(above, q.place);
    }
    if (q.kind == PBD_COLLIDER_BOX_IN) {
        return pbd_surface(pbd_face_depth(q, face, x), pbd_face_normal(face));
    }
    switch (OBSTACLE) { /* a constant: what is not there costs no registers */
    case PBD_OBSTACLE_SPHERE: return pbd_ball_surface(from, q.extent.x);
    case PBD_OBSTACLE_CAPSULE: return pbd_capsule_surface(q, x);
    case PBD_OBSTACLE_BOX: return pbd_box_surface(q, x);
    case PBD_OBSTACLE_TORUS: return pbd_torus_surface(q, x);
    case PBD_OBSTACLE_GRID: return pbd_grid_surface(q, x);
    default: return pbd_surface(PBD_NOWHERE, q.place);
    }
}

#endif
