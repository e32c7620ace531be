/* vat_filtered.comp - variant `filtered`: the sampler blends the positions of two frames, which lie side by side in the
 * image; its weights have 8 fractional bits. The normal is that of the first frame. Not for format f32. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/vat/vat_local.glsl"

layout(binding = VAT_BINDING_LINEAR8) uniform sampler2DArray linear8;
layout(binding = VAT_BINDING_LINEAR16) uniform sampler2DArray linear16;

/* Integer codes of a unorm texel. */
uvec4 code_of(vec4 texel, float most)
{
    precise vec4 result = floor(texel * most + 0.5);
    return uvec4(result);
}

vec3 normal_at(ivec2 at)
{
    if (FORMAT == VAT_FORMAT_RGBA8) {
        return vat_normal8(code_of(texelFetch(linear8, ivec3(at, 1), 0), 255.0).xyz);
    }
    if (FORMAT == VAT_FORMAT_RGBA16) {
        uvec4 code = code_of(texelFetch(linear16, ivec3(at, 1), 0), 65535.0);
        return vat_octahedral16(code.x | code.y << 16u);
    }
    return vat_octahedral8(code_of(texelFetch(linear16, ivec3(at, 0), 0), 65535.0).w);
}

vat_local vat_local_at(uint vertex, vat_when when)
{
    float most = FORMAT == VAT_FORMAT_RGBA8 ? 255.0 : 65535.0;
    float offset = when.b > when.a ? float(when.w) : 0.0;
    precise float x = (float(when.a) + offset * (1.0 / 256.0) + 0.5) / VAT_FRAMES(frame);
    precise float y = (float(vertex) + 0.5) / VAT_VERTICES(frame);
    vec3 at = vec3(x, y, 0.0);
    vec3 texel = FORMAT == VAT_FORMAT_RGBA8 ? textureLod(linear8, at, 0.0).xyz : textureLod(linear16, at, 0.0).xyz;
    vec3 normal = normal_at(ivec2(when.a, vertex));
    precise vec3 code = texel * most;
    return vat_local(code, vat_normal_blend(normal, normal, 0u));
}

#include "kernels/vat/vat_decode.glsl"
