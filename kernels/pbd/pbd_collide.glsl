/* pbd_collide.glsl - what colliders do to a particle: they push it out and hold it by friction (COLLIDE), and it
 * bounces off them (FINISH). */
#ifndef PBD_COLLIDE_GLSL
#define PBD_COLLIDE_GLSL

#include "kernels/pbd/pbd_surface.glsl"

/* Share of a slip of length z that friction cancels. sums: overlap (A), slip cancelled so far (SLID). */
float pbd_friction_share(float z, float of_static, float of_kinetic, vec2 sums)
{
    precise float sticks = of_static * sums.x - sums.y;
    precise float slides = (of_kinetic * sums.x - sums.y) / z;
    return z < sticks ? 1.0 : max(slides, 0.0); /* not above 1, as of_kinetic is not above of_static */
}

/* Slip along a surface of direction n. */
vec3 pbd_slip(vec3 s, vec3 n)
{
    precise vec3 result = s - n * vfx_dot(s, n);
    return result;
}

/* x after one side of collider q; y: where the particle was at the start of the substep. */
vec3 pbd_push_out(pbd_collider q, uint face, vec3 x, vec3 y, float radius)
{
    pbd_surface surface = pbd_surface_of(q, face, x);
    precise float depth = radius - surface.phi;
    precise vec3 result = x;
    if (depth > 0.0) {
        result = x + surface.normal * depth;
        precise vec3 s = (result - y) - q.velocity * PBD_STEP(frame);
        precise vec3 t = pbd_slip(s, surface.normal);
        float z = pbd_length(t);
        if (FRICTION_STATIC > 0.0 && z >= PBD_TINY) {
            result -= t * pbd_friction_share(z, q.friction_static, q.friction_kinetic, vec2(depth, 0.0));
        }
    }
    return result;
}

/* Is a ball clear of a plane, or of all sides of a box that holds it? */
bool pbd_is_clear(pbd_collider q, vec3 x, float radius)
{
    precise float plane = radius - (vfx_dot(q.place, x) - q.extent.x);
    precise vec3 above = radius - (x - q.place), below = radius - (q.extent - x);
    vec3 sides = max(above, below);
    float depth = q.kind == PBD_COLLIDER_PLANE ? plane : max(max(sides.x, sides.y), sides.z);
    return q.kind <= PBD_COLLIDER_BOX_IN && !(depth > 0.0);
}

/* x after all colliders in order. Most balls are far from any wall. */
vec3 pbd_collide(vec3 x, vec3 y, float radius)
{
    uint count = uint(PBD_COLLIDERS(frame));
    for (uint index = 0u; index < count; ++index) {
        pbd_collider q = pbd_collider_at(index);
        if (pbd_is_clear(q, x, radius)) {
            continue;
        }
        for (uint face = 0u; face < pbd_faces(q); ++face) {
            x = pbd_push_out(q, face, x, y, radius);
        }
    }
    return x;
}

/* Slowest approach along n that bounces; negative. */
float pbd_slowest_bounce()
{
    precise float result = -2.0 * abs(params.gravity) * PBD_STEP(frame);
    return result;
}

/* v after bouncing off what touches the ball; u1: velocity with which it came. */
vec3 pbd_bounce_off(vec3 v, vec3 u1, vec4 ball)
{
    uint count = uint(PBD_COLLIDERS(frame));
    precise vec3 result = v;
    precise float touch = ball.w * PBD_TOUCH;
    for (uint index = 0u; index < count; ++index) {
        pbd_collider q = pbd_collider_at(index);
        for (uint face = 0u; face < pbd_faces(q); ++face) {
            pbd_surface surface = pbd_surface_of(q, face, ball.xyz);
            precise vec3 came = u1 - q.velocity, leaves = result - q.velocity;
            float before = vfx_dot(came, surface.normal);
            if (surface.phi <= touch && before < pbd_slowest_bounce()) {
                precise float gain = max(-q.restitution * before - vfx_dot(leaves, surface.normal), 0.0);
                result += surface.normal * gain;
            }
        }
    }
    return result;
}

#endif
