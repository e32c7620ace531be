/* tentacle_orientation.glsl - how a particle's right vector follows its parent's (spec 2.6), with all guards. */
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

vec3 tentacle_carry_chord(vec3 right, vec3 t1, vec3 chord)
{
    precise float along = vfx_dot(chord, t1);
    precise float square = along * along;
    precise vec3 result = right - chord * (vfx_dot(right, t1) / along);
    return square < TENTACLE_DEGENERATE ? vec3(0.0) : result;
}

/* |t0 + t1|^2 = 2 (1 + t0.t1), without the cancellation near a half turn. */
vec3 tentacle_carry_rotation(vec3 right, vec3 t0, vec3 t1)
{
    precise vec3 sum = t0 + t1;
    precise float square = vfx_dot(sum, sum);
    precise vec3 result = right - sum * (2.0 * vfx_dot(right, t1) / square);
    return square < TENTACLE_DEGENERATE ? vec3(0.0) : result;
}

/* Double reflection: in the plane across the chord, then in the one that takes the mirrored t0 to t1. */
vec3 tentacle_carry_double(vec3 right, vec3 t0, vec3 t1, vec3 chord)
{
    precise float chord_square = vfx_dot(chord, chord);
    vec3 right_once = tentacle_reflect(right, chord, chord_square);
    precise vec3 difference = t1 - tentacle_reflect(t0, chord, chord_square);
    precise float square = vfx_dot(difference, difference);
    vec3 right_twice = tentacle_reflect(right_once, difference, square);
    if (chord_square < TENTACLE_DEGENERATE) {
        return vec3(0.0);
    }
    return square < TENTACLE_DEGENERATE ? right_once : right_twice;
}

/* The parent's right carried from its tangent t0 to t1 by the chosen method, of any length; 0 where the method has
 * no answer. `chord` is a unit vector, or 0 where particle and parent coincide. */
vec3 tentacle_carry(vec3 right, vec3 t0, vec3 t1, vec3 chord)
{
    switch (params.orientation) {
    case TENTACLE_ORIENTATION_UP:
        return vfx_cross(vec3(0.0, 0.0, 1.0), t1);
    case TENTACLE_ORIENTATION_PROJ:
        return vfx_reject(right, t1);
    case TENTACLE_ORIENTATION_CHORD:
        return tentacle_carry_chord(right, t1, chord);
    case TENTACLE_ORIENTATION_ROT:
        return tentacle_carry_rotation(right, t0, t1);
    default:
        return tentacle_carry_double(right, t0, t1, chord);
    }
}

/* The end of every method: normalise, one Gram-Schmidt step against t, normalise. False where v has no direction
 * across t. */
bool tentacle_square_up(vec3 v, vec3 t, out vec3 result)
{
    precise float square = vfx_dot(v, v);
    precise vec3 unit = v * inversesqrt(square);
    precise vec3 across = vfx_reject(unit, t);
    precise float across_square = vfx_dot(across, across);
    precise vec3 squared_up = across * inversesqrt(across_square);
    result = squared_up;
    return square >= TENTACLE_DEGENERATE && across_square >= TENTACLE_DEGENERATE;
}

/* The coordinate axis farthest from t: the last resort, always at least 54 degrees away from it. */
vec3 tentacle_far_axis(vec3 t)
{
    vec3 size = abs(t);
    if (size.x <= size.y && size.x <= size.z) {
        return vec3(1.0, 0.0, 0.0);
    }
    return size.y <= size.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
}

/* New right vector, unit and perpendicular to t1: the parent's carried along, else the particle's own previous one. */
vec3 tentacle_right(vec3 parent_right, vec3 t0, vec3 t1, vec3 chord, vec3 own_right)
{
    vec3 right;
    if (tentacle_square_up(tentacle_carry(parent_right, t0, t1, chord), t1, right)) {
        return right;
    }
    if (tentacle_square_up(vfx_reject(own_right, t1), t1, right)) {
        return right;
    }
    tentacle_square_up(vfx_reject(tentacle_far_axis(t1), t1), t1, right);
    return right;
}

#endif
