/* vat_local.glsl - LOCAL: what the texels of a format mean, and the blend of two frames. */
#ifndef VAT_LOCAL_GLSL
#define VAT_LOCAL_GLSL

#include "kernels/vat/vat.glsl"

const vec3 VAT_UP = vec3(0.0, 1.0, 0.0);

/* A vertex-frame as stored. */
struct vat_texel {
    uvec3 code;    /* integer formats */
    vec3 position; /* f32, m */
    vec3 normal;   /* decoded, any length */
};

/* A vertex of the model at an actor's time; the normal has any length but 0. */
struct vat_local {
    vec3 position; /* as stored: a blended code, or m */
    vec3 normal;
};

/* Integers below 2^23 plus 2^23, as floats: the bits are the fraction, so nothing is converted (which costs several times
 * an addition), and differences of two are exact. */
vec3 vat_lifted(uvec3 v)
{
    return uintBitsToFloat(v | 0x4b000000u);
}

const float VAT_LIFT = 8388608.0;

/* |a| with the sign of b. */
vec2 vat_copy_sign(vec2 a, vec2 b)
{
    return uintBitsToFloat((floatBitsToUint(a) & 0x7fffffffu) | (floatBitsToUint(b) & 0x80000000u));
}

uvec2 vat_halves(uint word)
{
    return uvec2(word & 0xffffu, word >> 16u);
}

/* Position codes of formats u16oct8, rgba8 and rgba16 from the first two words of a texel. */
uvec3 vat_code_of(uvec2 words)
{
    if (FORMAT == VAT_FORMAT_RGBA8) {
        return uvec3(words.x & 255u, words.x >> 8u & 255u, words.x >> 16u & 255u);
    }
    return uvec3(vat_halves(words.x), words.y & 0xffffu);
}

/* The code between two frames: a multiple of 1/256 below 2^16, and so exact. */
vec3 vat_code_blend(uvec3 a, uvec3 b, uint w)
{
    vec3 first = vat_lifted(a);
    precise float share = float(w) * (1.0 / 256.0);
    precise vec3 result = fma(vat_lifted(b) - first, vec3(share), first - VAT_LIFT);
    return result;
}

/* f32 positions; the shares of the frames are exact. */
vec3 vat_position_blend(vec3 a, vec3 b, uint w)
{
    precise float share = float(w) * (1.0 / 256.0);
    precise vec3 result = fma(b, vec3(share), a * (1.0 - share));
    return result;
}

/* Direction of two snorm octahedral codes plus `limit` + 1, each 1..2 limit + 1 (no baker stores -limit - 1, and no
 * folder with one is read): exact, and longer than 0. */
vec3 vat_octahedral(uvec2 code, float limit)
{
    precise vec2 xy = vat_lifted(uvec3(code, 0u)).xy - (VAT_LIFT + limit + 1.0);
    precise float z = limit - abs(xy.x) - abs(xy.y);
    precise vec2 folded = xy - vat_copy_sign(vec2(max(-z, 0.0)), xy);
    return vec3(folded, z);
}

/* Two snorm8 in the low half of a word, x in the low byte. */
vec3 vat_octahedral8(uint word)
{
    return vat_octahedral(uvec2(word & 255u, word >> 8u & 255u) ^ 128u, 127.0);
}

/* Two snorm16, x in the low half. */
vec3 vat_octahedral16(uint word)
{
    return vat_octahedral(vat_halves(word) ^ 32768u, 32767.0);
}

/* 2 c / 255 - 1, times 255. */
vec3 vat_normal8(uvec3 code)
{
    return vec3(ivec3(2u * code) - 255);
}

float vat_dot(vec3 a, vec3 b)
{
    precise float result = fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
    return result;
}

/* Is a stored normal made unit before it is blended? */
const bool VAT_UNIT_NORMALS = FORMAT == VAT_FORMAT_U16OCT8 || FORMAT == VAT_FORMAT_RGBA16;

/* Normal between two frames, of any length: where they oppose each other the first one, and +y if it has none. */
vec3 vat_normal_blend(vec3 a, vec3 b, uint w)
{
    precise vec2 share = vec2(float(256u - w), float(w));
    precise float least = VAT_DEGENERATE * 65536.0;
    if (VAT_UNIT_NORMALS) {
        share *= inversesqrt(vec2(vat_dot(a, a), vat_dot(b, b)));
    }
    if (FORMAT == VAT_FORMAT_RGBA8) {
        least *= 255.0 * 255.0; /* of vat_normal8 */
    }
    precise vec3 blend = fma(b, vec3(share.y), a * share.x);
    if (vat_dot(blend, blend) < least) {
        blend = vfx_unit_or(a, VAT_UP);
    }
    return blend;
}

vat_local vat_between(vat_texel a, vat_texel b, uint w)
{
    vec3 position = FORMAT == VAT_FORMAT_F32 ? vat_position_blend(a.position, b.position, w)
                                             : vat_code_blend(a.code, b.code, w);
    return vat_local(position, vat_normal_blend(a.normal, b.normal, w));
}

#endif
