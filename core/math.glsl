/* core/math.glsl - maths that shaders of several families share: hash, gradient noise, sine in turns, vectors,
 * quaternions and octahedral codes.
 *
 * Every result is `precise`: no multiply-add contraction, so that two shaders which call the same function with
 * the same bits get the same bits. `precise` ends at a function call, therefore each function declares its own
 * result so, and callers do the same. The built-ins dot, cross, length and normalize leave the order of their
 * operations to the driver and are not used; inversesqrt is exact to 2 ulp, which only changes a length. */
#ifndef VFX_MATH_GLSL
#define VFX_MATH_GLSL

const float VFX_TINY_SQUARE = 1e-37; /* squared lengths up to here count as zero (smallest normal float: 1.2e-38) */

/* pcg3d (Jarzynski and Olano 2020): three hashed words from three. */
uvec3 vfx_pcg3d(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

/* Gradient of lattice corner `at` (one of the 12 edge directions) times f, the offset from that corner. */
float vfx_noise3_corner(uvec3 at, vec3 f, uint seed)
{
    uint h = vfx_pcg3d(uvec3(at.xy & 255u, at.z & 255u ^ seed << 8u)).x >> 28u;
    float a = h < 8u ? f.x : f.y;
    float b = h < 4u ? f.y : h == 12u || h == 14u ? f.x : f.z;
    precise float result = ((h & 1u) != 0u ? -a : a) + ((h & 2u) != 0u ? -b : b);
    return result;
}

/* The noise on the edge of the cell along x that starts at its corner (0, y, z). */
float vfx_noise3_edge(uvec3 at, vec3 f, float fade, uint y, uint z, uint seed)
{
    precise vec3 near = f - vec3(0.0, float(y), float(z)), far = f - vec3(1.0, float(y), float(z));
    float a = vfx_noise3_corner(at + uvec3(0u, y, z), near, seed);
    precise float result = a + fade * (vfx_noise3_corner(at + uvec3(1u, y, z), far, seed) - a);
    return result;
}

/* Gradient noise of period 256 per axis, about [-1, 1]; 0 at lattice points. Precondition: |q| < 2^31. */
float vfx_noise3(vec3 q, uint seed)
{
    precise vec3 cell = floor(q), f = q - cell;
    precise vec3 fade = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    uvec3 at = uvec3(ivec3(cell));
    float near = vfx_noise3_edge(at, f, fade.x, 0u, 0u, seed), far = vfx_noise3_edge(at, f, fade.x, 0u, 1u, seed);
    precise float low = near + fade.y * (vfx_noise3_edge(at, f, fade.x, 1u, 0u, seed) - near);
    precise float high = far + fade.y * (vfx_noise3_edge(at, f, fade.x, 1u, 1u, seed) - far);
    precise float result = low + fade.z * (high - low);
    return result;
}

/* sin(2 pi x) for x in turns, error 7.6e-9 before rounding. */
float vfx_sin_turns(float x)
{
    precise float turn = x - floor(x + 0.5);                                      /* [-1/2, 1/2) */
    precise float fold = abs(turn) > 0.25 ? (turn > 0.0 ? 0.5 : -0.5) - turn : turn; /* [-1/4, 1/4] */
    precise float y = fold * fold;
    precise float series =
        6.28318530718 + y * (-41.3416868446 + y * (81.6028477463 + y * (-76.5892503116 + y * 39.8179876605)));
    precise float result = fold * series;
    return result;
}

/* (cos, sin) of an angle in turns. */
vec2 vfx_dir_turns(float x)
{
    precise float quarter_on = x + 0.25;
    return vec2(vfx_sin_turns(quarter_on), vfx_sin_turns(x));
}

float vfx_dot(vec3 a, vec3 b)
{
    precise float result = a.x * b.x + a.y * b.y + a.z * b.z;
    return result;
}

vec3 vfx_cross(vec3 a, vec3 b)
{
    precise vec3 result = a.yzx * b.zxy - a.zxy * b.yzx;
    return result;
}

/* v / |v|, or `fallback` where v has no length. */
vec3 vfx_unit_or(vec3 v, vec3 fallback)
{
    precise float square = vfx_dot(v, v);
    precise vec3 unit = v * inversesqrt(square);
    return square > VFX_TINY_SQUARE ? unit : fallback;
}

/* Component of v perpendicular to the unit vector t (one Gram-Schmidt step). */
vec3 vfx_reject(vec3 v, vec3 t)
{
    precise float along = vfx_dot(v, t);
    precise vec3 result = v - t * along;
    return result;
}

/* Quaternions are (x, y, z, w). The product a b rotates by b first. */
vec4 vfx_quat_mul(vec4 a, vec4 b)
{
    precise vec3 imaginary = b.xyz * a.w + a.xyz * b.w + vfx_cross(a.xyz, b.xyz);
    precise float real = a.w * b.w - vfx_dot(a.xyz, b.xyz);
    return vec4(imaginary, real);
}

vec4 vfx_quat_conjugate(vec4 q)
{
    return vec4(-q.xyz, q.w);
}

/* v rotated by the unit quaternion q. */
vec3 vfx_quat_rotate(vec4 q, vec3 v)
{
    precise vec3 twice = 2.0 * vfx_cross(q.xyz, v);
    precise vec3 result = v + twice * q.w + vfx_cross(q.xyz, twice);
    return result;
}

/* Unit vector to two snorm16 in one word, x in the low half (Cigolle et al. 2014). Works for any length but 0.
 * Adding 1.5 * 2^23 rounds to the nearest integer and leaves it in the low bits, in two's complement. */
uint vfx_oct_encode(vec3 n)
{
    precise float sum = abs(n.x) + abs(n.y) + abs(n.z);
    precise vec2 flat_xy = n.xy / sum;
    precise vec2 folded = (1.0 - abs(flat_xy.yx)) * vec2(flat_xy.x < 0.0 ? -1.0 : 1.0, flat_xy.y < 0.0 ? -1.0 : 1.0);
    precise vec2 square = clamp(n.z < 0.0 ? folded : flat_xy, -1.0, 1.0);
    precise vec2 rounded = square * 32767.0 + 12582912.0;
    uvec2 code = floatBitsToUint(rounded) & 0xffffu;
    return code.x | code.y << 16u;
}

vec3 vfx_oct_decode(uint code)
{
    ivec2 words = ivec2(int(code << 16u), int(code)) >> 16;
    precise vec2 square = max(vec2(words) / 32767.0, vec2(-1.0));
    precise float z = 1.0 - abs(square.x) - abs(square.y);
    precise float back = max(-z, 0.0);
    precise vec2 xy = square + vec2(square.x < 0.0 ? back : -back, square.y < 0.0 ? back : -back);
    return vfx_unit_or(vec3(xy, z), vec3(0.0, 0.0, 1.0));
}

#endif
