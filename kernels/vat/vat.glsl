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

/* Layers of an image of texels; other images have one layer, the first. */
const int VAT_POSITIONS = 0, VAT_NORMALS = 1;

/* Texel `i` of an image in wrapped rows. */
ivec3 vat_in_rows(uint i)
{
    return ivec3(i % VAT_ROW, i / VAT_ROW, VAT_POSITIONS);
}

uvec2 vat_halves(uint word)
{
    return uvec2(word & 0xffffu, word >> 16u);
}

/* Of two low halves; the bits above them do not count. */
uint vat_word(uvec2 halves)
{
    return vat_halves(halves.x).x | halves.y << 16u;
}

/* Frames of all clips together, their indices and the weight of the second in 1/256. */
struct vat_when {
    uint a, b, w;
};

vat_clip_range vat_clip_at(uint clip)
{
    return vat_clip_range_unpack(uvec4[](clips[clip]));
}

/* Of one frame alone. */
vat_when vat_when_whole(uint a)
{
    return vat_when(a, a, 0u);
}

/* Of a frame word: clip << 24 | cursor. A cursor lies within its clip, but a clip of one frame has no second one. */
vat_when vat_when_of(uint word)
{
    vat_clip_range clip = vat_clip_at(word >> 24u);
    uint i = word >> 8u & 0xffffu;
    uint a = clip.first + i;
    return vat_when(a, i + 1u < clip.frames ? a + 1u : a, word & 255u);
}

#endif
