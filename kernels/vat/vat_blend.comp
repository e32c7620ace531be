/* vat_blend.comp - variant `blend`: every actor shows a mix of two clips. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_ONLY_KIND VAT_KIND_YAW
#define VAT_OWN_ACTOR
#define VAT_TWO_CLIPS
#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_where.glsl"

VAT_BUFFER(readonly, uvec4, VAT_BINDING_BLEND, blends)

/* The second clip of this invocation's actor, and its weight. */
vat_when other_when;
float other_weight;

vat_actor vat_actor_at(uint actor)
{
    uint at = 3u * actor;
    vat_blend blend = vat_blend_unpack(uvec4[](blends[at], blends[at + 1u], blends[at + 2u]));
    other_when = vat_when_of(blend.frame_b);
    other_weight = blend.weight;
    bool mirrored = (blend.flags & VAT_FLAG_MIRROR) != 0u;
    return vat_actor(vat_place_turned(blend.position, blend.yaw, blend.scale, mirrored), vat_when_of(blend.frame_a),
                     blend.tint);
}

/* The normal has any length. */
vat_local vat_local_at(uint vertex, vat_when when)
{
    vat_local a = vat_local_in(vertex, when), b = vat_local_in(vertex, other_when);
    vec3 from = vfx_unit_or(a.normal, VAT_UP);
    vec3 to = vfx_unit_or(b.normal, VAT_UP);
    precise vec3 position = a.position * (1.0 - other_weight) + b.position * other_weight;
    precise vec3 normal = from * (1.0 - other_weight) + to * other_weight;
    return vat_local(position, vfx_dot(normal, normal) < VAT_DEGENERATE ? from : normal);
}

#include "kernels/vat/vat_decode.glsl"
