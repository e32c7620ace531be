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
    vat_texel texel;
    if (FORMAT == VAT_FORMAT_F32) {
        texel.position = uintBitsToFloat(texel_quads[2u * i].xyz);
        texel.normal = uintBitsToFloat(texel_quads[2u * i + 1u].xyz);
        return texel;
    }
    if (FORMAT == VAT_FORMAT_RGBA16) {
        uvec4 quad = texel_quads[i];
        texel.code = vat_code_of(quad.xy);
        texel.normal = vat_octahedral16(vat_halves(quad.z));
        return texel;
    }
    uvec2 pair = texel_pairs[i];
    texel.code = vat_code_of(pair);
    texel.normal = FORMAT == VAT_FORMAT_RGBA8 ? vat_normal8(vat_bytes(pair.y)) : vat_octahedral8(pair.y >> 16u);
    return texel;
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
