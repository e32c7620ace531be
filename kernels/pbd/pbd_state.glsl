/* pbd_state.glsl - the state before a substep: that of the frame before, or what the substep before left (FRAME). */
#ifndef PBD_STATE_GLSL
#define PBD_STATE_GLSL

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_PARTICLE, particles)
PBD_BUFFER(, uvec4, PBD_BINDING_SORTED, sorteds)
PBD_BUFFER(, vec4, PBD_BINDING_TRACE, traces)

/* Position and radius. */
vec4 pbd_state_ball(uint i)
{
    if (frame.substep == 0u) {
        return uintBitsToFloat(particles[i]);
    }
    return traces[pbd_trace_at(frame.substep - 1u, params.iterations + 1u) + i];
}

/* mass (as bits), id, flags, index i. */
uvec4 pbd_state_rest(uint i)
{
    if (frame.substep == 0u) {
        uint n = params.particles;
        return uvec4(particles[n + i].w, particles[2u * n + i].xy, i);
    }
    uvec4 before = sorteds[pbd_substep_at(frame.substep - 1u) + i];
    return uvec4(before.xy, before.z & ~PBD_BINNED, i);
}

uint pbd_state_id(uint i)
{
    return frame.substep == 0u ? particles[2u * params.particles + i].x
                               : sorteds[pbd_substep_at(frame.substep - 1u) + i].y;
}

#endif
