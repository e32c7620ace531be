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
    vec3 position; /* m */
    vec3 normal;
};

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

/* 256 times the code between two frames: exact, below 2^24. */
vec3 vat_code_blend(uvec3 a, uvec3 b, uint w)
{
    return vec3(a * (256u - w) + b * w);
}

vec3 vat_map(vec3 code)
{
    precise vec3 result = VAT_MAP_MIN(frame) + VAT_MAP_STEP(frame) * code;
    return result;
}

/* f32 positions; the shares of the frames are exact. */
vec3 vat_position_blend(vec3 a, vec3 b, uint w)
{
    precise float share = float(w) * (1.0 / 256.0);
    precise vec3 result = a * (1.0 - share) + b * share;
    return result;
}

/* Unit normal of two snorm octahedral codes, each -limit..limit; folded in integers, which is exact. */
vec3 vat_octahedral(ivec2 code, int limit)
{
    ivec2 xy = max(code, ivec2(-limit));
    int z = limit - abs(xy.x) - abs(xy.y);
    int back = max(-z, 0);
    xy += ivec2(xy.x < 0 ? back : -back, xy.y < 0 ? back : -back);
    return vfx_unit_or(vec3(xy, z), VAT_UP);
}

/* Two snorm8 in the low half of a word, x in the low byte. */
vec3 vat_octahedral8(uint word)
{
    return vat_octahedral(ivec2(int(word << 24u), int(word << 16u)) >> 24, 127);
}

/* Two snorm16, x in the low half. */
vec3 vat_octahedral16(uint word)
{
    return vat_octahedral(ivec2(int(word << 16u), int(word)) >> 16, 32767);
}

/* 2 c / 255 - 1, times 255. */
vec3 vat_normal8(uvec3 code)
{
    return vec3(ivec3(2u * code) - 255);
}

/* Normal between two frames, of any length: where they oppose each other the first one, and +y if it has none. */
vec3 vat_normal_blend(vec3 a, vec3 b, uint w)
{
    precise vec3 blend = a * float(256u - w) + b * float(w);
    float least = VAT_DEGENERATE * 65536.0;
    if (FORMAT == VAT_FORMAT_RGBA8) {
        least *= 255.0 * 255.0; /* of vat_normal8 */
    }
    return vfx_dot(blend, blend) < least ? vfx_unit_or(a, VAT_UP) : blend;
}

vat_local vat_between(vat_texel a, vat_texel b, uint w)
{
    vec3 position;
    if (FORMAT == VAT_FORMAT_F32) {
        position = vat_position_blend(a.position, b.position, w);
    } else {
        position = vat_map(vat_code_blend(a.code, b.code, w));
    }
    return vat_local(position, vat_normal_blend(a.normal, b.normal, w));
}

#endif
