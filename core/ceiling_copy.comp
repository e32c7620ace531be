#version 450
// Copy ceiling: 16 bytes read and written per invocation, consecutive invocations on consecutive quads.
#include "core/shared.h"
layout(local_size_x_id = 0) in;
layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
layout(binding = 1) restrict readonly buffer source_block { uvec4 source[]; };
layout(binding = 2) restrict writeonly buffer target_block { uvec4 target[]; };
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i < frame.count)
        target[i] = source[i];
}
