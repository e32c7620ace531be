#version 450
// Hash and noise of math.glsl for chosen inputs, to be compared with the host's versions bit for bit. Record i: two
// quads in, the position and the seed of the noise, then the three words to hash; one quad out, hash and noise.
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "core/math.glsl"

layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
layout(std430, binding = 1) restrict readonly buffer question_block { uvec4 question[]; };
layout(std430, binding = 2) restrict writeonly buffer answer_block { uvec4 answer[]; };

void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i < frame.count) {
        float noise = vfx_noise3(uintBitsToFloat(question[2u * i].xyz), question[2u * i].w);
        answer[i] = uvec4(vfx_pcg3d(question[2u * i + 1u].xyz), floatBitsToUint(noise));
    }
}
