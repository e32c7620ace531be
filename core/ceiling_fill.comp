#version 450
// Fill ceiling: 16 bytes written per invocation.
#include "core/shared.h"
layout(local_size_x_id = 0) in;
layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
layout(binding = 2) restrict writeonly buffer target_block { uvec4 target[]; };
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i < frame.count)
        target[i] = uvec4(i, frame.seed, ~i, frame.index);
}
