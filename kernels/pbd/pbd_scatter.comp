/* pbd_scatter.comp - the particles by cell, in the order in which they arrived there. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_PREDICT, predicts)
PBD_BUFFER(readonly, uint, PBD_BINDING_RANK, ranks)
PBD_BUFFER(readonly, uint, PBD_BINDING_START, starts)
PBD_BUFFER(writeonly, uint, PBD_BINDING_ARRIVAL, arrivals)

void main()
{
    uint i = pbd_thread();
    if (i < frame.count) {
        uint key = predicts[pbd_substep_at(frame.substep) + i].w;
        arrivals[starts[pbd_cells_at() + key] + ranks[i]] = i;
    }
}
