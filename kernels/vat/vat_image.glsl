/* vat_image.glsl - texels of the bake from images in wrapped rows. */
#ifndef VAT_IMAGE_GLSL
#define VAT_IMAGE_GLSL

#include "kernels/vat/vat_local.glsl"

layout(binding = VAT_BINDING_TEXEL16) uniform usampler2DArray texels16;
layout(binding = VAT_BINDING_TEXEL8) uniform usampler2DArray texels8;
layout(binding = VAT_BINDING_TEXEL32) uniform sampler2DArray texels32;

vat_texel vat_texel_at(uint vertex, uint at_frame)
{
    uint i = at_frame * uint(VAT_VERTICES(frame)) + vertex;
    ivec3 position = ivec3(i % VAT_ROW, i / VAT_ROW, 0);
    ivec3 normal = ivec3(position.xy, 1);
    if (FORMAT == VAT_FORMAT_RGBA8) {
        return vat_texel(texelFetch(texels8, position, 0).xyz, vec3(0.0),
                         vat_normal8(texelFetch(texels8, normal, 0).xyz));
    }
    if (FORMAT == VAT_FORMAT_RGBA16) {
        uvec2 code = texelFetch(texels16, normal, 0).xy;
        return vat_texel(texelFetch(texels16, position, 0).xyz, vec3(0.0), vat_octahedral16(code.x | code.y << 16u));
    }
    if (FORMAT == VAT_FORMAT_F32) {
        return vat_texel(uvec3(0u), texelFetch(texels32, position, 0).xyz, texelFetch(texels32, normal, 0).xyz);
    }
    uvec4 texel = texelFetch(texels16, position, 0);
    return vat_texel(texel.xyz, vec3(0.0), vat_octahedral8(texel.w));
}

vat_local vat_local_at(uint vertex, vat_when when)
{
    return vat_between(vat_texel_at(vertex, when.a), vat_texel_at(vertex, when.b), when.w);
}

#endif
