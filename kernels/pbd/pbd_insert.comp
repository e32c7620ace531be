/* pbd_insert.comp - variant cells-capped: the first particles to arrive take the slots of their cell; the others are
 * dropped, as the source does it. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_cell.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_PREDICT, predicts)
PBD_BUFFER(readonly, uint, PBD_BINDING_RANK, ranks)
PBD_BUFFER(writeonly, uint, PBD_BINDING_SLOT, slots)

void main()
{
    uint i = pbd_thread();
    if (i >= frame.count) {
        return;
    }
    uvec4 predict = predicts[pbd_substep_at(frame.substep) + i];
    uint rank = ranks[i];
    if (rank < params.capacity && !pbd_binned(uintBitsToFloat(predict.xyz))) {
        slots[(frame.substep * pbd_cells() + predict.w) * params.capacity + rank] = i;
    }
}
