#version 450
// Arithmetic ceiling: 16 independent chains of fused multiply-adds, frame.iteration steps of each: 32 flop a step.
#include "core/shared.h"
layout(local_size_x_id = 0) in;
layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
layout(binding = 2) restrict writeonly buffer target_block { uvec4 target[]; };
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    vec4 a = vec4(float(i & 255u)) * 0.001, b = a + 0.25, c = a + 0.5, d = a + 0.75;
    vec4 m = vec4(0.999, 0.998, 0.997, 0.996), n = vec4(0.0001) * float(frame.seed);
    for (uint k = 0; k < frame.iteration; ++k) {
        a = fma(a, m, n);
        b = fma(b, m, n);
        c = fma(c, m, n);
        d = fma(d, m, n);
    }
    vec4 sum = a + b + c + d;
    if (sum.x == -1.0) // never: all terms are positive
        target[i] = floatBitsToUint(sum);
}
