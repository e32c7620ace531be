/* vat.glsl - what every vat shader needs: parameters, specialisation constants, and WHEN: which two frames an actor
 * shows. What each rule means stands in vat_shared.h. A shader for one kind only defines VAT_ONLY_KIND before. */
#ifndef VAT_GLSL
#define VAT_GLSL

#include "core/math.glsl"
#include "kernels/vat/vat_shared.h"

VFX_PARAMS(VAT_PARAMS)

layout(constant_id = 1) const uint FORMAT = 0; /* VAT_FORMAT_... */
#ifdef VAT_ONLY_KIND
const uint KIND = VAT_ONLY_KIND;
#else
layout(constant_id = 2) const uint KIND = 0; /* VAT_KIND_... */
#endif
layout(constant_id = 3) const uint VERTEX = 0; /* VAT_VERTEX_... */

#define VAT_BUFFER(access, type, number, name)                                                                         \
    layout(std430, binding = number) restrict access buffer name##_block { type name[]; };

VAT_BUFFER(readonly, uvec4, VAT_BINDING_CLIP, clips)

/* Frames of all clips together, their indices and the weight of the second in 1/256. */
struct vat_when {
    uint a, b, w;
};

vat_clip_range vat_clip_at(uint clip)
{
    return vat_clip_range_unpack(uvec4[](clips[min(clip, uint(VAT_CLIPS(frame)) - 1u)]));
}

/* Of a frame word: clip << 24 | cursor. */
vat_when vat_when_of(uint word)
{
    vat_clip_range clip = vat_clip_at(word >> 24u);
    uint last = clip.frames - 1u;
    uint i = word >> 8u & 0xffffu;
    uint a = clip.first + min(i, last);
#ifdef VAT_NEAREST
    return vat_when(a, a, 0u);
#else
    return vat_when(a, clip.first + min(i + 1u, last), word & 255u);
#endif
}

/* Of the source's packing, whose frames are whole and counted through all clips. */
vat_when vat_when_whole(uint number)
{
    uint a = min(number, uint(VAT_FRAMES(frame)) - 1u);
    return vat_when(a, a, 0u);
}

#endif
