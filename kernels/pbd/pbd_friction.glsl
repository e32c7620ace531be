/* pbd_friction.glsl - friction between particles, and with variant list what it remembers of a pair (ITERATE). */
#ifndef PBD_FRICTION_GLSL
#define PBD_FRICTION_GLSL

#include "kernels/pbd/pbd_collide.glsl"

vec3 pbd_start; /* y, where this particle was at the start of the substep */

bool pbd_has_friction()
{
    return FRICTION_STATIC > 0.0;
}

/* What friction takes from the slip past slot j; sums as in pbd_friction_share, brought up to date. */
vec3 pbd_friction(uint j, vec3 n, inout vec2 sums)
{
    vec3 other = traces[pbd_ball_at + j].xyz, other_start = traces[pbd_trace_at(frame.substep, 0u) + j].xyz;
    precise vec3 s = (pbd_ball.xyz - pbd_start) - (other - other_start);
    precise vec3 t = pbd_slip(s, n);
    float z = pbd_length(t);
    if (!(z >= PBD_TINY)) {
        return vec3(0.0);
    }
    precise float f = pbd_friction_share(z, FRICTION_STATIC, params.friction_kinetic, sums);
    precise float cancelled = sums.y + f * z;
    sums.y = cancelled;
    precise vec3 result = t * f;
    return result;
}

/* What friction leaves of `term`, which a contact of weight w with slot j moves this particle. */
vec3 pbd_rubbed(vec3 term, uint j, uint entry, vec3 n, float w, float overlap, vec2 sums)
{
    precise float overlaps = sums.x + overlap;
    sums.x = overlaps;
    precise vec3 result = term - pbd_friction(j, n, sums) * w;
#ifdef PBD_LISTED
    pushes[pbd_push_at(entry)] = sums;
#endif
    return result;
}

#endif
