/* pbd_gather.glsl - what a particle takes along to its slot. */
#ifndef PBD_GATHER_GLSL
#define PBD_GATHER_GLSL

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_state.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_PREDICT, predicts)

uvec4 pbd_predicted(uint i)
{
    return predicts[pbd_substep_at(frame.substep) + i];
}

void pbd_gather_store(uint i, vec3 p, uint slot)
{
    vec4 ball = pbd_state_ball(i);
    uvec4 rest = pbd_state_rest(i);
    rest.z |= pbd_binned(p) ? PBD_BINNED : 0u;
    sorteds[pbd_substep_at(frame.substep) + slot] = rest;
    traces[pbd_trace_at(frame.substep, 0u) + slot] = ball;
    traces[pbd_trace_at(frame.substep, 1u) + slot] = vec4(p, ball.w);
}

#endif
