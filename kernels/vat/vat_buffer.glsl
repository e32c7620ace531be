/* vat_buffer.glsl - texels of the bake from a storage buffer: frame after frame, or with VAT_VERTEX_MAJOR vertex after
 * vertex. The buffer is seen as pairs of words and as quads, so that no load is wider than the texel. */
#ifndef VAT_BUFFER_GLSL
#define VAT_BUFFER_GLSL

#include "kernels/vat/vat_local.glsl"

VAT_BUFFER(readonly, uvec2, VAT_BINDING_TEXEL, texel_pairs)
VAT_BUFFER(readonly, uvec4, VAT_BINDING_TEXEL, texel_quads)

uint vat_texel_index(uint vertex, uint at_frame)
{
#ifdef VAT_VERTEX_MAJOR
    return vertex * uint(VAT_FRAMES(frame)) + at_frame;
#else
    return at_frame * uint(VAT_VERTICES(frame)) + vertex;
#endif
}

vat_texel vat_texel_at(uint vertex, uint at_frame)
{
    uint i = vat_texel_index(vertex, at_frame);
    if (FORMAT == VAT_FORMAT_F32) {
        return vat_texel(uvec3(0u), uintBitsToFloat(texel_quads[2u * i].xyz),
                         uintBitsToFloat(texel_quads[2u * i + 1u].xyz));
    }
    if (FORMAT == VAT_FORMAT_RGBA16) {
        uvec4 quad = texel_quads[i];
        return vat_texel(vat_code_of(quad.xy), vec3(0.0), vat_octahedral16(quad.z));
    }
    uvec2 pair = texel_pairs[i];
    if (FORMAT == VAT_FORMAT_RGBA8) {
        return vat_texel(vat_code_of(pair), vec3(0.0),
                         vat_normal8(uvec3(pair.y & 255u, pair.y >> 8u & 255u, pair.y >> 16u & 255u)));
    }
    return vat_texel(vat_code_of(pair), vec3(0.0), vat_octahedral8(pair.y >> 16u));
}

/* Of one clip. */
vat_local vat_local_in(uint vertex, vat_when when)
{
    return vat_between(vat_texel_at(vertex, when.a), vat_texel_at(vertex, when.b), when.w);
}

#ifndef VAT_TWO_CLIPS
vat_local vat_local_at(uint vertex, vat_when when)
{
    return vat_local_in(vertex, when);
}
#endif

#endif
