/* core/refmath.h - mathematics of the CPU references, over a type `real` that is double (the truth) or float (the
 * yardstick). Each reference file is compiled twice, with -DVFX_REAL_IS_DOUBLE=1 and =0, and names its exported
 * functions VFX_REF(name): name_f64 and name_f32. Written apart from math.glsl on purpose: libm instead of polynomials,
 * divisions and square roots instead of reciprocals. Plain formulas; speed does not matter here.
 *
 * Inputs are float records: convert with real3_of / real4_of, compute in real, round once with vec3_of / vec4_of. */
#ifndef VFX_REFMATH_H
#define VFX_REFMATH_H

#include "core/shared.h"

#include <math.h>

#ifndef VFX_REAL_IS_DOUBLE
#error "compile references with -DVFX_REAL_IS_DOUBLE=1 and again with -DVFX_REAL_IS_DOUBLE=0"
#endif

#if VFX_REAL_IS_DOUBLE
typedef double real;
#define VFX_REF(name) name##_f64
#define VFX_LIBM(name) name
#else
typedef float real;
#define VFX_REF(name) name##_f32
#define VFX_LIBM(name) name##f
#endif

#define real_sqrt VFX_LIBM(sqrt)
#define real_exp VFX_LIBM(exp)
#define real_pow VFX_LIBM(pow)
#define real_sin VFX_LIBM(sin)
#define real_cos VFX_LIBM(cos)
#define real_acos VFX_LIBM(acos)
#define real_atan2 VFX_LIBM(atan2)
#define real_abs VFX_LIBM(fabs)
#define real_floor VFX_LIBM(floor)
#define real_round VFX_LIBM(round)
#define real_rint VFX_LIBM(rint)
#define real_ldexp VFX_LIBM(ldexp)
#define real_frexp VFX_LIBM(frexp)
#define real_max VFX_LIBM(fmax)
#define real_min VFX_LIBM(fmin)

#define REAL_TWO_PI ((real)6.283185307179586476925286766559)

typedef struct real3 {
    real x, y, z;
} real3;

typedef struct real4 { /* also a quaternion x i + y j + z k + w */
    real x, y, z, w;
} real4;

/* ------------------------------------------------------------------------------------- scalars */

static inline real real_clamp(real x, real low, real high)
{
    return x < low ? low : x > high ? high : x;
}

static inline real real_mix(real a, real b, real t)
{
    return a + (b - a) * t;
}

/* 3 t^2 - 2 t^3 of t clamped to [0, 1]. */
static inline real real_smoothstep(real t)
{
    t = real_clamp(t, 0, 1);
    return t * t * (3 - 2 * t);
}

/* x minus the nearest integer, in [-1/2, 1/2]. Exact: the difference of a float and its nearest integer is a float. */
static inline real real_turns_reduce(real turns)
{
    return turns - real_round(turns);
}

/* sin(2 pi x). The reductions to [-1/8, 1/8] turns are exact, so that only 2 pi r is rounded before libm. */
static inline real real_sin_turns(real turns)
{
    const real r = real_turns_reduce(turns), a = real_abs(r);
    real s;
    if (a <= (real)0.125)
        s = real_sin(REAL_TWO_PI * a);
    else if (a <= (real)0.375)
        s = real_cos(REAL_TWO_PI * ((real)0.25 - a));
    else
        s = real_sin(REAL_TWO_PI * ((real)0.5 - a));
    return r < 0 ? -s : s;
}

/* cos(2 pi x), likewise. */
static inline real real_cos_turns(real turns)
{
    const real a = real_abs(real_turns_reduce(turns));
    if (a <= (real)0.125)
        return real_cos(REAL_TWO_PI * a);
    if (a <= (real)0.375)
        return real_sin(REAL_TWO_PI * ((real)0.25 - a));
    return -real_cos(REAL_TWO_PI * ((real)0.5 - a));
}

/* -------------------------------------------------------------------------------- integer hash */

/* Three words that depend on three: pcg3d of Jarzynski and Olano (JCGT 9(3), 2020). */
static inline void reference_pcg3d(const uint32_t in[3], uint32_t out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = in[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            out[i] += out[(i + 1) % 3] * out[(i + 2) % 3];
        for (int i = 0; i < 3 && round == 0; i++)
            out[i] ^= out[i] >> 16;
    }
}

/* --------------------------------------------------------------------------------------- noise */

/* Value of one lattice corner's gradient at the offset f from it: one of 12 edge directions, by h = 0..15. */
static inline real reference_gradient(uint32_t h, const real f[3])
{
    const real first = h < 8 ? f[0] : f[1];
    const real second = h < 4 ? f[1] : h == 12 || h == 14 ? f[0] : f[2];
    return ((h & 1u) != 0 ? -first : first) + ((h & 2u) != 0 ? -second : second);
}

/* Gradient noise of the float point q, about [-1, 1], period 256 on each axis; 0 at lattice points. */
static inline real reference_noise3(const float q[3], uint32_t seed)
{
    real f[3], fade[3], value[8];
    uint32_t cell[3];
    for (int i = 0; i < 3; i++) {
        const real x = (real)q[i], whole = real_floor(x);
        f[i] = x - whole;
        fade[i] = f[i] * f[i] * f[i] * (f[i] * (f[i] * 6 - 15) + 10);
        cell[i] = (uint32_t)(whole - 256 * real_floor(whole / 256)); /* exact, and in range for any finite q */
    }
    for (uint32_t corner = 0; corner < 8; corner++) { /* bit i: the upper neighbour on axis i */
        real offset[3];
        uint32_t word[3];
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t upper = corner >> i & 1u;
            offset[i] = f[i] - (real)upper;
            word[i] = (cell[i] + upper) & 255u;
        }
        word[2] ^= seed << 8;
        reference_pcg3d(word, word);
        value[corner] = reference_gradient(word[0] >> 28, offset);
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 4u >> i; k++)
            value[k] = real_mix(value[2 * k], value[2 * k + 1], fade[i]);
    return value[0];
}

/* ---------------------------------------------------------------------------- halves and bytes */

/* Value of a half float; code in the low 16 bits. */
static inline real half_decode(uint32_t code)
{
    const real sign = (code & 0x8000u) != 0 ? (real)-1 : (real)1;
    const int exponent = (int)(code >> 10 & 31u);
    const real fraction = (real)(code & 1023u);
    if (exponent == 31)
        return fraction > 0 ? (real)NAN : sign * (real)INFINITY;
    return sign * (exponent == 0 ? real_ldexp(fraction, -24) : real_ldexp(1024 + fraction, exponent - 25));
}

/* Nearest half, ties to even; overflows to infinity. */
static inline uint32_t half_encode(real x)
{
    const uint32_t sign = x < 0 ? 0x8000u : 0u;
    const real size = real_abs(x);
    if (!(size < 65520))
        return sign | (size >= 65520 ? 0x7c00u : 0x7e00u);
    int exponent = 0;
    (void)real_frexp(size, &exponent); /* size = [1/2, 1) 2^exponent */
    const int step = exponent < -13 || size <= 0 ? -24 : exponent - 11;
    const uint32_t steps = (uint32_t)real_rint(real_ldexp(size, -step)); /* 0..2048: a carry walks into the exponent */
    return sign | ((uint32_t)(step + 24) * 1024u + steps);
}

/* Code of a value in [0, 1]. */
static inline uint32_t unorm8_encode(real x)
{
    return (uint32_t)real_floor(real_clamp(x, 0, 1) * 255 + (real)0.5);
}

/* ------------------------------------------------------------------------------------- vectors */

typedef struct real2 {
    real x, y;
} real2;

static inline real2 real2_make(real x, real y)
{
    const real2 v = {x, y};
    return v;
}

/* a + s b */
static inline real2 real2_add_scaled(real2 a, real s, real2 b)
{
    return real2_make(a.x + s * b.x, a.y + s * b.y);
}

static inline real2 real2_scale(real2 a, real s)
{
    return real2_make(a.x * s, a.y * s);
}

static inline real2 real2_mix(real2 a, real2 b, real t)
{
    return real2_make(real_mix(a.x, b.x, t), real_mix(a.y, b.y, t));
}

static inline real real2_dot(real2 a, real2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline real real2_length(real2 a)
{
    return real_sqrt(real2_dot(a, a));
}

/* a / |a|. Precondition: |a| > 0. */
static inline real2 real2_unit(real2 a)
{
    const real length = real2_length(a);
    return real2_make(a.x / length, a.y / length);
}

/* a turned anticlockwise. */
static inline real2 real2_turn(real2 a, real turns)
{
    const real c = real_cos_turns(turns), s = real_sin_turns(turns);
    return real2_make(a.x * c - a.y * s, a.x * s + a.y * c);
}

static inline real3 real3_make(real x, real y, real z)
{
    const real3 v = {x, y, z};
    return v;
}

static inline real3 real3_of(vec3 v)
{
    return real3_make((real)v.x, (real)v.y, (real)v.z);
}

/* The one rounding to float, at the store. */
static inline vec3 vec3_of(real3 v)
{
    const vec3 f = {(float)v.x, (float)v.y, (float)v.z};
    return f;
}

static inline real3 real3_add(real3 a, real3 b)
{
    return real3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline real3 real3_sub(real3 a, real3 b)
{
    return real3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline real3 real3_scale(real3 a, real s)
{
    return real3_make(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline real3 real3_add_scaled(real3 a, real s, real3 b)
{
    return real3_add(a, real3_scale(b, s));
}

static inline real3 real3_mix(real3 a, real3 b, real t)
{
    return real3_make(real_mix(a.x, b.x, t), real_mix(a.y, b.y, t), real_mix(a.z, b.z, t));
}

static inline real real3_dot(real3 a, real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline real3 real3_cross(real3 a, real3 b)
{
    return real3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline real real3_length(real3 a)
{
    return real_sqrt(real3_dot(a, a));
}

/* a / |a|. Precondition: |a| > 0; the caller decides what a zero vector means. */
static inline real3 real3_unit(real3 a)
{
    const real length = real3_length(a);
    return real3_make(a.x / length, a.y / length, a.z / length);
}

/* The part of a perpendicular to the unit vector n. */
static inline real3 real3_reject(real3 a, real3 n)
{
    return real3_add_scaled(a, -real3_dot(a, n), n);
}

/* --------------------------------------------------------------------------------- quaternions */

static inline real4 real4_of(vec4 v)
{
    const real4 r = {(real)v.x, (real)v.y, (real)v.z, (real)v.w};
    return r;
}

static inline vec4 vec4_of(real4 v)
{
    const vec4 f = {(float)v.x, (float)v.y, (float)v.z, (float)v.w};
    return f;
}

static inline real4 quaternion_conjugate(real4 q)
{
    const real4 r = {-q.x, -q.y, -q.z, q.w};
    return r;
}

/* Hamilton product: rotate by b first, then by a. */
static inline real4 quaternion_multiply(real4 a, real4 b)
{
    const real4 r = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return r;
}

/* q v q^-1: the exact rotation by the direction of q, whatever its length (a quaternion rounded to float is not unit:
 * | |q|^2 - 1 | <= 1.2e-7, by which formulas that assume a unit q differ from each other). Precondition: |q| > 0. */
static inline real3 quaternion_rotate(real4 q, real3 v)
{
    const real4 pure = {v.x, v.y, v.z, 0};
    const real4 r = quaternion_multiply(quaternion_multiply(q, pure), quaternion_conjugate(q));
    const real norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return real3_make(r.x / norm, r.y / norm, r.z / norm);
}

/* --------------------------------------------------------------------------- octahedral normals */

/* Code of a value in [-1, 1]: the nearest of the integers -32767..32767. */
static inline uint32_t snorm16_encode(real x)
{
    return (uint32_t)(int32_t)real_round(real_clamp(x, -1, 1) * 32767) & 0xffffu;
}

static inline real snorm16_decode(uint32_t code)
{
    const int32_t value = (int32_t)(code & 0xffffu) - ((code & 0x8000u) != 0 ? 0x10000 : 0);
    return real_max((real)value / 32767, -1);
}

/* Where the lower half of the octahedron unfolds to; zero counts as positive. */
static inline real octahedral_fold(real a, real b)
{
    return (1 - real_abs(b)) * (a < 0 ? (real)-1 : (real)1);
}

/* Two snorm16 in one word, x in the low half. Precondition: |v| > 0 (any length). */
static inline uint32_t octahedral_encode(real3 v)
{
    const real sum = real_abs(v.x) + real_abs(v.y) + real_abs(v.z);
    const real x = v.x / sum, y = v.y / sum;
    if (v.z < 0)
        return snorm16_encode(octahedral_fold(x, y)) | snorm16_encode(octahedral_fold(y, x)) << 16;
    return snorm16_encode(x) | snorm16_encode(y) << 16;
}

/* Unit vector of a code; worst distance to the encoded one is 7e-5 rad. */
static inline real3 octahedral_decode(uint32_t code)
{
    const real x = snorm16_decode(code), y = snorm16_decode(code >> 16);
    const real z = 1 - (real_abs(x) + real_abs(y)); /* the same bits when x and y change places */
    if (z < 0)
        return real3_unit(real3_make(octahedral_fold(x, y), octahedral_fold(y, x), z));
    return real3_unit(real3_make(x, y, z));
}

#endif
