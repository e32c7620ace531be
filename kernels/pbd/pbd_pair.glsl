/* pbd_pair.glsl - a particle and another one: are they in contact, along which direction, and which of them gives way
 * (CONTACT). */
#ifndef PBD_PAIR_GLSL
#define PBD_PAIR_GLSL

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(, vec4, PBD_BINDING_TRACE, traces)
PBD_BUFFER(readonly, uvec4, PBD_BINDING_SORTED, sorteds)
PBD_BUFFER(, uvec4, PBD_BINDING_STATUS, statuses)

/* The particle of this invocation. */
uint pbd_slot;
vec4 pbd_ball;    /* position, radius */
uvec4 pbd_rest;   /* of SORTED */
uint pbd_ball_at; /* where the balls of the others are: a trace slot */

void pbd_load_self(uint slot, uint trace_slot)
{
    pbd_slot = slot;
    pbd_ball_at = pbd_trace_at(frame.substep, trace_slot);
    pbd_ball = traces[pbd_ball_at + slot];
    pbd_rest = sorteds[pbd_substep_at(frame.substep) + slot];
}

bool pbd_is_binned()
{
    return (pbd_rest.z & PBD_BINNED) != 0u;
}

bool pbd_is_unyielding()
{
    return (pbd_rest.z & PBD_UNYIELDING) != 0u;
}

struct pbd_pair {
    vec3 offset;    /* from the other to this one */
    float distance;
    float reach;    /* sum of the radii */
    float overlap;  /* in contact where above PBD_EPSILON */
};

pbd_pair pbd_pair_of(uint j)
{
    vec4 other = traces[pbd_ball_at + j];
    precise vec3 offset = pbd_ball.xyz - other.xyz;
    float distance = pbd_length(offset);
    precise float reach = pbd_ball.w + other.w, overlap = reach - distance;
    if (distance <= PBD_EPSILON) {
        overlap = params.coincident == PBD_COINCIDENT_SEPARATE ? reach : 0.0;
    }
    return pbd_pair(offset, distance, reach, overlap);
}

/* What slot j holds besides its positions. Only brute meets binned ones. */
uvec4 pbd_rest_of(uint j)
{
    return sorteds[pbd_substep_at(frame.substep) + j];
}

/* Where coincident particles part: the same direction for both, by ids, of opposite signs. */
vec3 pbd_direction(uint own, uint other)
{
    uvec3 words = vfx_pcg3d(uvec3(min(own, other), max(own, other), PBD_STREAM_DIRECTION ^ frame.seed)) >> 8u;
    precise vec2 u = vec2(words.xy) * (1.0 / 16777216.0);
    precise float z = 2.0 * u.x - 1.0;
    precise float flat_length = sqrt(max(1.0 - z * z, 0.0));
    precise vec2 xy = flat_length * vfx_dir_turns(u.y);
    return own < other ? vec3(xy, z) : -vec3(xy, z);
}

/* n: unit vector from the other to this one. */
vec3 pbd_normal(pbd_pair pair, uvec4 other)
{
    precise vec3 normal = pair.offset / pair.distance;
    if (pair.distance <= PBD_EPSILON) {
        normal = pbd_direction(pbd_rest.y, other.y);
    }
    return normal;
}

/* w: this one's part of the way. */
float pbd_weight(uvec4 other)
{
    float own_mass = uintBitsToFloat(pbd_rest.x);
    precise float share = own_mass / (own_mass + uintBitsToFloat(other.x));
    bool own = pbd_is_unyielding(), others = (other.z & PBD_UNYIELDING) != 0u;
    if (own != others) {
        float percent = params.unyielding_percent;
        share = share * (1.0 - percent) + (own ? percent : 0.0);
    }
    precise float weight = 1.0 - share;
    return weight;
}

#endif
