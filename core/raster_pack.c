/* core/raster_pack.c - samples in 16 bytes: normals as octahedral codes, albedo in 11 + 11 + 10 bits, glow with a
 * common exponent; and the two curves that the standard library could compute differently from machine to machine. */
#include "core/raster_internal.h"

/* [-1, 1] to 16 bits. */
static uint32_t half_of(float value)
{
    const int32_t code = (int32_t)vfx_floorf(vfx_clampf(value, -1.0f, 1.0f) * 32767.0f + 0.5f);
    return (uint32_t)code & 0xffffu;
}

static float of_half(uint32_t code)
{
    const int32_t value = (int32_t)(code & 0xffffu);
    return (float)(value >= 0x8000 ? value - 0x10000 : value) / 32767.0f;
}

uint32_t vfx_pack_normal(const float normal[3])
{
    const float sum = fabsf(normal[0]) + fabsf(normal[1]) + fabsf(normal[2]);
    if (!(sum > 0.0f) || !isfinite(sum))
        return 0; /* (0, 0, 1) */
    float u = normal[0] / sum, v = normal[1] / sum;
    if (normal[2] < 0.0f) {
        const float folded_u = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        v = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
        u = folded_u;
    }
    return half_of(u) | half_of(v) << 16;
}

void vfx_unpack_normal(uint32_t code, float normal[3])
{
    float u = of_half(code), v = of_half(code >> 16);
    const float w = 1.0f - fabsf(u) - fabsf(v);
    if (w < 0.0f) {
        const float folded_u = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        v = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
        u = folded_u;
    }
    const float scale = 1.0f / sqrtf(u * u + v * v + w * w);
    normal[0] = u * scale;
    normal[1] = v * scale;
    normal[2] = w * scale;
}

uint32_t vfx_pack_albedo(const float colour[3])
{
    const uint32_t red = (uint32_t)(vfx_clampf(colour[0], 0.0f, 1.0f) * 2047.0f + 0.5f);
    const uint32_t green = (uint32_t)(vfx_clampf(colour[1], 0.0f, 1.0f) * 2047.0f + 0.5f);
    const uint32_t blue = (uint32_t)(vfx_clampf(colour[2], 0.0f, 1.0f) * 1023.0f + 0.5f);
    return red | green << 11 | blue << 22;
}

void vfx_unpack_albedo(uint32_t code, float colour[3])
{
    colour[0] = (float)(code & 2047u) / 2047.0f;
    colour[1] = (float)(code >> 11 & 2047u) / 2047.0f;
    colour[2] = (float)(code >> 22) / 1023.0f;
}

/* 2^exponent for exponents of normal floats. */
static float power_of_2(int exponent)
{
    const uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Nine bits of each channel are worth up to 2^(exponent - 15); below 2^-16 there is no light. */
uint32_t vfx_pack_glow(const float glow[3])
{
    const float largest = vfx_clampf(vfx_maxf(glow[0], vfx_maxf(glow[1], glow[2])), 0.0f, 65000.0f);
    if (!(largest > 1.0f / 65536.0f))
        return 0;
    uint32_t bits;
    memcpy(&bits, &largest, sizeof bits);
    int exponent = (int)(bits >> 23) - 127 + 1; /* largest < 2^exponent */
    if (largest * power_of_2(9 - exponent) >= 511.5f)
        exponent++;
    const float scale = power_of_2(9 - exponent);
    uint32_t code = (uint32_t)(exponent + 15) << 27;
    for (int i = 0; i < 3; i++)
        code |= (uint32_t)(vfx_clampf(glow[i], 0.0f, 65000.0f) * scale + 0.5f) << (9 * i);
    return code;
}

void vfx_unpack_glow(uint32_t code, float glow[3])
{
    const float scale = power_of_2((int)(code >> 27) - 15 - 9);
    for (int i = 0; i < 3; i++)
        glow[i] = (float)(code >> (9 * i) & 511u) * scale;
}

double vfx_tangent(double angle)
{
    double sine = angle, cosine = 1.0, s = angle, c = 1.0;
    for (int i = 1; i < 16; i++) {
        c *= -angle * angle / (double)((2 * i - 1) * (2 * i));
        s *= -angle * angle / (double)((2 * i) * (2 * i + 1));
        cosine += c;
        sine += s;
    }
    return sine / cosine;
}

/* x^2.4 = x^2 (x^2)^(1/5), the fifth root by Newton's method from above. */
static double power_2_4(double x)
{
    const double square = x * x;
    double root = 1.0;
    for (int i = 0; i < 60; i++)
        root = (4.0 * root + square / (root * root * root * root)) / 5.0;
    return square * root;
}

void vfx_srgb_limits(float limits[VFX_SRGB_STEPS])
{
    for (int i = 0; i < VFX_SRGB_STEPS; i++) {
        const double code = ((double)i + 0.5) / 255.0;
        limits[i] = (float)(code <= 0.04045 ? code / 12.92 : power_2_4((code + 0.055) / 1.055));
    }
}
