/* vat_image.glsl - texels of the bake from images in wrapped rows; with VAT_WHOLE_FRAMES of the first frame alone. */
#ifndef VAT_IMAGE_GLSL
#define VAT_IMAGE_GLSL

#include "kernels/vat/vat_local.glsl"

layout(binding = VAT_BINDING_TEXEL16) uniform usampler2DArray texels16;
layout(binding = VAT_BINDING_TEXEL8) uniform usampler2DArray texels8;
layout(binding = VAT_BINDING_TEXEL32) uniform sampler2DArray texels32;

vat_texel vat_texel_at(uint vertex, uint at_frame)
{
    uint i = at_frame * uint(VAT_VERTICES(frame)) + vertex;
    ivec3 position = vat_in_rows(i);
    ivec3 normal = ivec3(position.xy, VAT_NORMALS);
    vat_texel texel;
    if (FORMAT == VAT_FORMAT_F32) {
        texel.position = texelFetch(texels32, position, 0).xyz;
        texel.normal = texelFetch(texels32, normal, 0).xyz;
        return texel;
    }
    if (FORMAT == VAT_FORMAT_RGBA8) {
        texel.code = texelFetch(texels8, position, 0).xyz;
        texel.normal = vat_normal8(texelFetch(texels8, normal, 0).xyz);
        return texel;
    }
    uvec4 code = texelFetch(texels16, position, 0);
    texel.code = code.xyz;
    texel.normal = FORMAT == VAT_FORMAT_RGBA16 ? vat_octahedral16(texelFetch(texels16, normal, 0).xy)
                                               : vat_octahedral8(code.w);
    return texel;
}

vat_local vat_local_at(uint vertex, vat_when when)
{
#ifdef VAT_WHOLE_FRAMES
    when = vat_when_whole(when.a);
#endif
    return vat_between(vat_texel_at(vertex, when.a), vat_texel_at(vertex, when.b), when.w);
}

#endif
