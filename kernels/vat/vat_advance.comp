/* vat_advance.comp - first pass of variant `advance`: the instances of this frame from those of frame 0, so that the
 * host uploads none. Yaw and cursor move in integers; the rest is copied. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/vat/vat.glsl"

VAT_BUFFER(readonly, uvec4, VAT_BINDING_PLAN, plans)
VAT_BUFFER(writeonly, uvec4, VAT_BINDING_INSTANCE, actors)

/* In 65536ths of a turn, which wrap with the word. */
float advance_yaw(float yaw)
{
    precise float steps = yaw * 65536.0;
    uint turned = uint(steps) + frame.index * uint(VAT_TURN(frame)) & 0xffffu;
    precise float result = float(turned) * (1.0 / 65536.0);
    return result;
}

uint advance_frame(uint word)
{
    vat_clip_range clip = vat_clip_at(word >> 24u);
    uint cursor = ((word & 0xffffffu) + frame.index * clip.step) % clip.period;
    return word & 0xff000000u | cursor;
}

void main()
{
    uint actor = frame.first + gl_GlobalInvocationID.x;
    if (actor >= frame.count) {
        return;
    }
    vat_instance instance = vat_instance_unpack(uvec4[](plans[2u * actor], plans[2u * actor + 1u]));
    instance.yaw = advance_yaw(instance.yaw);
    instance.frame = advance_frame(instance.frame);
    uvec4 quads[2] = vat_instance_pack(instance);
    actors[2u * actor] = quads[0];
    actors[2u * actor + 1u] = quads[1];
}
