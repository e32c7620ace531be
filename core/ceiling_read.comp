#version 450
// Read ceiling: four quads read per invocation, each load of a workgroup consecutive; the sum is stored only where it has
// a value that the filled source never gives, so that the loads cannot be dropped.
#include "core/shared.h"
layout(local_size_x_id = 0) in;
layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
layout(binding = 1) restrict readonly buffer source_block { uvec4 source[]; };
layout(binding = 2) restrict writeonly buffer target_block { uvec4 target[]; };
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i >= frame.count)
        return;
    uint base = (i / gl_WorkGroupSize.x) * gl_WorkGroupSize.x * 4 + gl_LocalInvocationID.x;
    uvec4 sum = uvec4(0);
    for (uint k = 0; k < 4; ++k)
        sum ^= source[base + k * gl_WorkGroupSize.x];
    if (sum == uvec4(0x13579bdfu, frame.seed, 1, 2))
        target[i] = sum;
}
