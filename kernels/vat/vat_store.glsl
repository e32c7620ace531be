/* vat_store.glsl - COLOUR, and a vertex's way to memory. Full vertices go through shared memory (8 KiB at 256), so that
 * consecutive lanes store consecutive quads; a packed vertex is one quad. Include after local_size. */
#ifndef VAT_STORE_GLSL
#define VAT_STORE_GLSL

#include "kernels/vat/vat_local.glsl"

VAT_BUFFER(readonly, uint, VAT_BINDING_UV, uvs)
VAT_BUFFER(writeonly, uvec4, VAT_BINDING_VERTEX, vertices)
VAT_BUFFER(writeonly, uvec4, VAT_BINDING_PACKED, packed_vertices)
layout(binding = VAT_BINDING_SKIN) uniform usampler2DArray skins;

shared uvec4 stage[2u * gl_WorkGroupSize.x];

/* Where a quad lies: the lowest bits are changed, so that neither writing nor reading meets a bank twice. */
uint vat_stage_at(uint quad)
{
    return quad ^ (quad >> 3u & 7u);
}

/* Tint times skin, 4 x unorm8. */
uint vat_colour(uint uv, uint tint)
{
    uvec3 size = uvec3(textureSize(skins, 0));
    uvec2 at = uvec2((uv & 0xffffu) * size.x >> 16u, (uv >> 16u) * size.y >> 16u);
    uvec4 skin = texelFetch(skins, ivec3(at, min(tint >> 24u, size.z - 1u)), 0);
    uvec3 colour = (uvec3(tint & 255u, tint >> 8u & 255u, tint >> 16u & 255u) * skin.rgb + 127u) / 255u;
    return colour.r | colour.g << 8u | colour.b << 16u | skin.a << 24u;
}

/* As vfx_oct_encode(), which see, in fewer instructions: codes are scaled before they are folded. */
uint vat_oct_encode(vec3 n)
{
    precise float stretch = 32767.0 / (abs(n.x) + abs(n.y) + abs(n.z));
    precise vec2 code = n.xy * stretch;
    precise vec2 folded = vat_copy_sign(32767.0 - abs(code.yx), code);
    precise vec2 lifted = (n.z < 0.0 ? folded : code) + 12582912.0;
    uvec2 rounded = floatBitsToUint(lifted) & 0xffffu;
    return rounded.x | rounded.y << 16u;
}

/* A vertex for slot `slot`; the normal of any length. After full vertices vat_store_staged() must follow. */
void vat_put(uint slot, uint vertex, uint tint, vec3 position, vec3 normal)
{
    if (VERTEX == VAT_VERTEX_PACKED) {
        packed_vertices[slot] = vat_packed_pack(vat_packed(position, vat_oct_encode(normal)))[0];
        return;
    }
    uint uv = uvs[vertex];
    vec3 unit = vfx_unit_or(normal, vec3(0.0, 1.0, 0.0));
    uvec4 quads[2] = vat_vertex_pack(vat_vertex(position, uv, unit, vat_colour(uv, tint)));
    stage[vat_stage_at(2u * gl_LocalInvocationID.x)] = quads[0];
    stage[vat_stage_at(2u * gl_LocalInvocationID.x + 1u)] = quads[1];
}

/* Every lane of the workgroup calls this; `count` lanes of this one's group have put the full vertices of the slots from
 * `slot` on. */
void vat_store_staged(uint slot, uint count)
{
    uint lane = gl_LocalInvocationID.x % VAT_LANES, first_lane = gl_LocalInvocationID.x - lane;
    barrier();
    for (uint quad = lane; quad < 2u * count; quad += VAT_LANES) {
        vertices[2u * slot + quad] = stage[vat_stage_at(2u * first_lane + quad)];
    }
    barrier();
}

#endif
