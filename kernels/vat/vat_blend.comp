/* vat_blend.comp - variant `blend`: every actor shows a mix of two clips. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_ONLY_KIND VAT_KIND_YAW
#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_store.glsl"
#include "kernels/vat/vat_where.glsl"
#include "kernels/vat/vat_who.glsl"

VAT_BUFFER(readonly, uvec4, VAT_BINDING_BLEND, blends)

/* t of b; the normal has any length. */
vat_local mix_clips(vat_local a, vat_local b, float t)
{
    vec3 from = vfx_unit_or(a.normal, VAT_UP);
    vec3 to = vfx_unit_or(b.normal, VAT_UP);
    precise vec3 position = a.position * (1.0 - t) + b.position * t;
    precise vec3 normal = from * (1.0 - t) + to * t;
    return vat_local(position, vfx_dot(normal, normal) < VAT_DEGENERATE ? from : normal);
}

void main()
{
    uint first = vat_first_thread();
    uint end = vat_thread_end();
    uint thread = first + gl_LocalInvocationID.x;
    if (thread < end) {
        vat_who who = vat_who_of(thread);
        uint at = 3u * who.actor;
        vat_blend blend = vat_blend_unpack(uvec4[](blends[at], blends[at + 1u], blends[at + 2u]));
        bool mirrored = (blend.flags & VAT_FLAG_MIRROR) != 0u;
        vat_place place = vat_place_turned(blend.position, blend.yaw, blend.scale, mirrored);
        vat_local local = mix_clips(vat_local_at(who.vertex, vat_when_of(blend.frame_a)),
                                    vat_local_at(who.vertex, vat_when_of(blend.frame_b)), blend.weight);
        vat_put(thread, who.vertex, blend.tint, vat_point(place, local.position), vat_normal(place, local.normal));
    }
    vat_store_staged(first, end);
}
