/* vat_actor.glsl - the instance records: where an actor stands, when it is and what tints it. */
#ifndef VAT_ACTOR_GLSL
#define VAT_ACTOR_GLSL

#include "kernels/vat/vat_where.glsl"

/* Kind source, from a buffer or an image. */
vat_actor vat_actor_source(vec3 position, float angle, uint r, uint g)
{
    precise float turns = angle * VAT_TURNS_PER_RADIAN;
    uint tint = r >> 24u | (g & 0xffffu) << 8u | (r >> 16u & 255u) << 24u;
    return vat_actor(vat_place_turned(position, turns, 1.0, false), vat_when_whole(r & 0xffffu), tint);
}

#ifdef VAT_ACTOR_IMAGE

layout(binding = VAT_BINDING_TRANSFORM) uniform sampler2DArray transform_image;
layout(binding = VAT_BINDING_CUSTOM) uniform usampler2DArray custom_image;

vat_actor vat_actor_at(uint actor)
{
    ivec3 at = ivec3(actor % VAT_ROW, actor / VAT_ROW, 0);
    vec4 transform = texelFetch(transform_image, at, 0);
    uvec4 custom = texelFetch(custom_image, at, 0);
    return vat_actor_source(transform.xyz, transform.w, custom.x | custom.y << 16u, custom.z | custom.w << 16u);
}

#else

VAT_BUFFER(readonly, uvec4, VAT_BINDING_INSTANCE, instances)

vat_actor vat_actor_yaw(uint actor)
{
    vat_instance i = vat_instance_unpack(uvec4[](instances[2u * actor], instances[2u * actor + 1u]));
    bool mirrored = (i.flags & VAT_FLAG_MIRROR) != 0u;
    return vat_actor(vat_place_turned(i.position, i.yaw, i.scale, mirrored), vat_when_of(i.frame), i.tint);
}

#ifdef VAT_ONLY_KIND

vat_actor vat_actor_at(uint actor)
{
    return vat_actor_yaw(actor);
}

#else

VAT_BUFFER(readonly, uvec4, VAT_BINDING_SCALE2D, scaled_instances)
VAT_BUFFER(readonly, uvec4, VAT_BINDING_BILLBOARD, billboards)
VAT_BUFFER(readonly, uvec4, VAT_BINDING_MATRIX, matrices)
VAT_BUFFER(readonly, uvec4, VAT_BINDING_SOURCE, source_instances)

vat_actor vat_actor_at(uint actor)
{
    uint at = 2u * actor;
    if (KIND == VAT_KIND_SCALE2D) {
        vat_scale2d i = vat_scale2d_unpack(uvec4[](scaled_instances[at], scaled_instances[at + 1u]));
        return vat_actor(vat_place_scaled(i.position, i.yaw, i.width, i.height), vat_when_of(i.frame), i.tint);
    }
    if (KIND == VAT_KIND_BILLBOARD) {
        vat_billboard i = vat_billboard_unpack(uvec4[](billboards[at], billboards[at + 1u]));
        return vat_actor(vat_place_billboard(i.position, i.scale), vat_when_of(i.frame), i.tint);
    }
    if (KIND == VAT_KIND_MATRIX) {
        at = 4u * actor;
        vat_matrix i = vat_matrix_unpack(
            uvec4[](matrices[at], matrices[at + 1u], matrices[at + 2u], matrices[at + 3u]));
        return vat_actor(vat_place_matrix(i.row0, i.row1, i.row2), vat_when_of(i.frame), i.tint);
    }
    if (KIND == VAT_KIND_SOURCE) {
        vat_source_instance i = vat_source_instance_unpack(uvec4[](source_instances[at], source_instances[at + 1u]));
        return vat_actor_source(i.position, i.angle, i.r, i.g);
    }
    return vat_actor_yaw(actor);
}

#endif
#endif

#endif
