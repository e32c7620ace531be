/* grass.glsl - what every grass shader needs: parameters, specialisation constants, indices, randoms and the small
 * vector functions. What each rule means stands in grass_shared.h. */
#ifndef GRASS_GLSL
#define GRASS_GLSL

#include "core/math.glsl"
#include "kernels/grass/grass_shared.h"

VFX_PARAMS(GRASS_PARAMS)

layout(constant_id = 1) const uint ROWS = 8;
layout(constant_id = 2) const uint LEAVES = 1;
layout(constant_id = 3) const uint WIND = 0;   /* GRASS_WIND_... */
layout(constant_id = 4) const uint NORMAL = 0; /* GRASS_NORMAL_... */
const uint LEAF_VERTICES = 2u * ROWS;

#define GRASS_BUFFER(access, number, name)                                                                             \
    layout(std430, binding = number) restrict access buffer name##_block { uvec4 name[]; };

GRASS_BUFFER(readonly, GRASS_BINDING_INSTANCE, instances)

grass_instance grass_load(uint leaf)
{
    uint at = 2u * (leaf / LEAVES);
    return grass_instance_unpack(uvec4[](instances[at], instances[at + 1u]));
}

/* Number of the leaf within its clump (k). */
uint grass_leaf_number(uint leaf)
{
    return leaf - leaf / LEAVES * LEAVES;
}

/* Three randoms in [0, 1), exact multiples of 2^-24. */
vec3 grass_random(uint id, uint stream, uint k)
{
    precise vec3 result = vec3(vfx_pcg3d(uvec3(id, stream | k << 8u, frame.seed)) >> 8u) * (1.0 / 16777216.0);
    return result;
}

/* Share of the height at which a row lies (g_v). */
float grass_share(uint row)
{
    precise float result = float(row) * GRASS_ROW_STEP(frame);
    return row == ROWS - 1u ? 1.0 : result;
}

/* a at t = 0 and b at t = 1, both exactly. Named blend with t = coherence: leaf's own value and that of leaf 0. */
float grass_mix(float a, float b, float t)
{
    precise float result = a * (1.0 - t) + b * t;
    return result;
}

vec2 grass_mix2(vec2 a, vec2 b, float t)
{
    precise vec2 result = a * (1.0 - t) + b * t;
    return result;
}

vec3 grass_mix3(vec3 a, vec3 b, float t)
{
    precise vec3 result = a * (1.0 - t) + b * t;
    return result;
}

float grass_dot2(vec2 a, vec2 b)
{
    precise float result = a.x * b.x + a.y * b.y;
    return result;
}

vec2 grass_unit2(vec2 v)
{
    precise vec2 result = v * inversesqrt(grass_dot2(v, v));
    return result;
}

/* v turned by the angle whose (cos, sin) is `by`. */
vec2 grass_turn(vec2 v, vec2 by)
{
    precise vec2 result = vec2(v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x);
    return result;
}

/* Unit vector of an oct16 code. Unlike vfx_oct_decode it adds and folds in integers, where a quarter turn of the code
 * is exactly a quarter turn of the vector. */
vec3 grass_surface(uint code)
{
    ivec2 xy = max(ivec2(int(code << 16u), int(code)) >> 16, ivec2(-32767));
    int z = 32767 - abs(xy.x) - abs(xy.y);
    int back = max(-z, 0);
    xy += mix(ivec2(-back), ivec2(back), lessThan(xy, ivec2(0)));
    vec3 v = vec3(xy, z); /* |x| + |y| + |z| is 32767, never 0 */
    precise vec3 result = v * inversesqrt(vfx_dot(v, v));
    return result;
}

/* unorm8 code of x in [0, 1]. */
uint grass_unorm8(float x)
{
    precise float result = floor(x * 255.0 + 0.5);
    return uint(result);
}

#endif
