/* tentacle_update.comp - pass `update`: the next state of every particle, one invocation each. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle_step.glsl"

layout(local_size_x_id = 0) in;

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_PARTICLE_NEXT, uvec4, particle_next)

void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i >= frame.count) {
        return;
    }
    uvec4 quads[4] = tentacle_particle_pack(tentacle_step(i));
    particle_next[tentacle_stream(0u, i)] = quads[0];
    particle_next[tentacle_stream(1u, i)] = quads[1];
    particle_next[tentacle_stream(2u, i)] = quads[2];
    particle_next[tentacle_stream(3u, i)] = quads[3];
}
