/* vat_bones.comp - variant `bones`: skinning in the shader, the alternative to a baked vertex animation. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_METRES
#include "kernels/vat/vat_local.glsl"
#include "kernels/vat/vat_where.glsl"

VAT_BUFFER(readonly, uvec4, VAT_BINDING_BONE, bones)
VAT_BUFFER(readonly, uvec4, VAT_BINDING_WEIGHT, weights)
VAT_BUFFER(readonly, uvec4, VAT_BINDING_BIND, binds)

/* sum += share * bone. Shares are integers below 2^24, and therefore exact. (glslc dies of a precise sum = f(sum).) */
void add_bone(inout vat_bone sum, uint at_frame, uint joint, uint share)
{
    uint count = uint(VAT_BONES(frame));
    uint at = 3u * (at_frame * count + min(joint, count - 1u));
    vat_bone bone = vat_bone_unpack(uvec4[](bones[at], bones[at + 1u], bones[at + 2u]));
    precise vec4 row0 = sum.row0 + float(share) * bone.row0;
    precise vec4 row1 = sum.row1 + float(share) * bone.row1;
    precise vec4 row2 = sum.row2 + float(share) * bone.row2;
    sum = vat_bone(row0, row1, row2);
}

void add_influence(inout vat_bone sum, vat_when when, uint joint, uint weight)
{
    if (weight != 0u) {
        add_bone(sum, when.a, joint, weight * (256u - when.w));
        if (when.w != 0u) {
            add_bone(sum, when.b, joint, weight * when.w);
        }
    }
}

/* The vertex's matrix between two frames. */
vat_bone skinned(uint vertex, vat_when when)
{
    vat_bone sum = vat_bone(vec4(0.0), vec4(0.0), vec4(0.0));
    uint count = uint(VAT_WEIGHTS(frame));
    for (uint n = 0u; n < count; n++) {
        vat_weight four = vat_weight_unpack(uvec4[](weights[vertex * count + n]));
        uvec4 joint = uvec4(vat_halves(four.joints01), vat_halves(four.joints23));
        uvec4 weight = uvec4(vat_halves(four.weights01), vat_halves(four.weights23));
        add_influence(sum, when, joint.x, weight.x);
        add_influence(sum, when, joint.y, weight.y);
        add_influence(sum, when, joint.z, weight.z);
        add_influence(sum, when, joint.w, weight.w);
    }
    const float whole = 1.0 / (65535.0 * 256.0);
    precise vec4 row0 = sum.row0 * whole;
    precise vec4 row1 = sum.row1 * whole;
    precise vec4 row2 = sum.row2 * whole;
    return vat_bone(row0, row1, row2);
}

vat_local vat_local_at(uint vertex, vat_when when)
{
    vat_bone m = skinned(vertex, when);
    vat_bind_vertex bind = vat_bind_vertex_unpack(uvec4[](binds[2u * vertex], binds[2u * vertex + 1u]));
    precise vec3 position = vec3(vfx_dot(m.row0.xyz, bind.position), vfx_dot(m.row1.xyz, bind.position),
                                 vfx_dot(m.row2.xyz, bind.position)) + vec3(m.row0.w, m.row1.w, m.row2.w);
    vec3 normal = vat_cofactor(m.row0.xyz, m.row1.xyz, m.row2.xyz, bind.normal);
    return vat_local(position, vfx_unit_or(normal, bind.normal));
}

#include "kernels/vat/vat_decode.glsl"
