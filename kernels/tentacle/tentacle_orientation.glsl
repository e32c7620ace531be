/* tentacle_orientation.glsl - how a particle's right vector follows its parent's, with all guards. */
#ifndef TENTACLE_ORIENTATION_GLSL
#define TENTACLE_ORIENTATION_GLSL

#include "kernels/tentacle/tentacle.glsl"

/* Mirrors v in the plane through 0 with this normal; square = |normal|^2. */
vec3 tentacle_reflect(vec3 v, vec3 normal, float square)
{
    precise float scale = 2.0 * vfx_dot(v, normal) / square;
    precise vec3 result = v - normal * scale;
    return result;
}

/* The methods below return the carried vector, of any length, and in `health` the squared length of the vector that they
 * divided by: below TENTACLE_DEGENERATE the method has no answer. */
vec3 tentacle_carry_chord(vec3 right, vec3 t1, vec3 chord, out float health)
{
    precise float along = vfx_dot(chord, t1);
    precise float square = along * along;
    precise vec3 result = right - chord * (vfx_dot(right, t1) / along);
    health = square;
    return result;
}

/* |t0 + t1|^2 = 2 (1 + t0.t1), without the cancellation near a half turn. */
vec3 tentacle_carry_rotation(vec3 right, vec3 t0, vec3 t1, out float health)
{
    precise vec3 sum = t0 + t1;
    precise float square = vfx_dot(sum, sum);
    precise vec3 result = right - sum * (2.0 * vfx_dot(right, t1) / square);
    health = square;
    return result;
}

/* Double reflection: in the plane across the chord, then in the one that takes the mirrored t0 to t1. */
vec3 tentacle_carry_double(vec3 right, vec3 t0, vec3 t1, vec3 chord, out float health)
{
    precise float chord_square = vfx_dot(chord, chord);
    vec3 right_once = tentacle_reflect(right, chord, chord_square);
    precise vec3 difference = t1 - tentacle_reflect(t0, chord, chord_square);
    precise float square = vfx_dot(difference, difference);
    vec3 right_twice = tentacle_reflect(right_once, difference, square);
    health = chord_square;
    return square < TENTACLE_DEGENERATE ? right_once : right_twice;
}

/* The parent's right carried from its tangent t0 to t1 by the chosen method. `chord` is a unit vector, or 0 where particle
 * and parent coincide. */
vec3 tentacle_carry(vec3 right, vec3 t0, vec3 t1, vec3 chord, out float health)
{
    switch (params.orientation) {
    case TENTACLE_ORIENTATION_CHORD:
        return tentacle_carry_chord(right, t1, chord, health);
    case TENTACLE_ORIENTATION_ROT:
        return tentacle_carry_rotation(right, t0, t1, health);
    case TENTACLE_ORIENTATION_DR:
        return tentacle_carry_double(right, t0, t1, chord, health);
    }
    /* up: z x t1 */
    vec3 result = params.orientation == TENTACLE_ORIENTATION_UP ? vec3(-t1.y, t1.x, 0.0) : vfx_reject(right, t1);
    health = vfx_dot(result, result);
    return result;
}

/* The end of every method: normalise, one Gram-Schmidt step against t, normalise. False where v has no direction
 * across t, or no health. */
bool tentacle_square_up(vec3 v, float health, vec3 t, out vec3 result)
{
    precise float square = vfx_dot(v, v);
    precise vec3 unit = v * inversesqrt(square);
    precise vec3 across = vfx_reject(unit, t);
    precise float across_square = vfx_dot(across, across);
    precise vec3 squared_up = across * inversesqrt(across_square);
    result = squared_up;
    return health >= TENTACLE_DEGENERATE && square >= TENTACLE_DEGENERATE && across_square >= TENTACLE_DEGENERATE;
}

/* The coordinate axis farthest from t: the last resort, always at least 54 degrees away from it. */
vec3 tentacle_far_axis(vec3 t)
{
    vec3 size = abs(t);
    bool x = size.x <= size.y && size.x <= size.z;
    bool y = !x && size.y <= size.z;
    return vec3(bvec3(x, y, !x && !y));
}

/* New right vector, unit and perpendicular to t1: the parent's carried along, else the particle's own previous one. */
vec3 tentacle_right(vec3 parent_right, vec3 t0, vec3 t1, vec3 chord, vec3 own_right)
{
    vec3 right;
    float health;
    vec3 carried = tentacle_carry(parent_right, t0, t1, chord, health);
    if (tentacle_square_up(carried, health, t1, right)) {
        return right;
    }
    vec3 own = vfx_reject(own_right, t1);
    if (tentacle_square_up(own, vfx_dot(own, own), t1, right)) {
        return right;
    }
    vec3 last = vfx_reject(tentacle_far_axis(t1), t1);
    tentacle_square_up(last, vfx_dot(last, last), t1, right);
    return right;
}

#endif
