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
uvec4 pbd_rest;   /* of SORTED; 0 where the particles are plain and pbd_load_self() is told that this will do */
uint pbd_ball_at; /* where the balls of the others are: a trace slot */

bool pbd_is_plain()
{
    return PBD_PLAIN(frame) != 0.0;
}

/* What slot j holds besides its positions. */
uvec4 pbd_rest_of(uint j)
{
    return sorteds[pbd_substep_at(frame.substep) + j];
}

void pbd_load_self(uint slot, uint trace_slot, bool needs_rest)
{
    pbd_slot = slot;
    pbd_ball_at = pbd_trace_at(frame.substep, trace_slot);
    pbd_ball = traces[pbd_ball_at + slot];
    pbd_rest = needs_rest || !pbd_is_plain() ? pbd_rest_of(slot) : uvec4(0u);
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
    float distance; /* 0: coincident, not farther apart than PBD_EPSILON */
    float inverse;  /* 1 / distance, of others */
    float reach;    /* sum of the radii */
    float overlap;  /* in contact where above PBD_EPSILON */
};

float pbd_square(vec3 v)
{
    precise float result = fma(v.x, v.x, fma(v.y, v.y, v.z * v.z));
    return result;
}

/* Of another ball. */
pbd_pair pbd_pair_of(vec4 other)
{
    precise vec3 offset = pbd_ball.xyz - other.xyz;
    float square = pbd_square(offset), inverse = inversesqrt(square);
    precise float reach = pbd_ball.w + other.w, distance = square * inverse, overlap = reach - distance;
    if (square <= PBD_EPSILON * PBD_EPSILON) {
        distance = 0.0;
        overlap = params.coincident == PBD_COINCIDENT_SEPARATE ? reach : 0.0;
    }
    return pbd_pair(offset, distance, inverse, reach, overlap);
}

vec4 pbd_ball_of(uint j)
{
    return traces[pbd_ball_at + j];
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

/* The pair of slot j with an offset where there was none: n = offset inverse, the unit vector from j to this one. */
pbd_pair pbd_directed(pbd_pair pair, uint j)
{
    if (pair.distance == 0.0) {
        pair.offset = pbd_direction(pbd_rest_of(pbd_slot).y, pbd_rest_of(j).y);
        pair.inverse = 1.0;
    }
    return pair;
}

vec3 pbd_normal(pbd_pair pair)
{
    precise vec3 result = pair.offset * pair.inverse;
    return result;
}

/* w: this one's part of the way, against slot j. */
float pbd_weight(uint j)
{
    if (pbd_is_plain()) {
        return 0.5;
    }
    uvec4 other = pbd_rest_of(j);
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
