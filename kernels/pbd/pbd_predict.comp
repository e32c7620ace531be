/* pbd_predict.comp - PREDICT, and the counting half of the sort by cells: how many particles are in a cell, and which
 * of them came when. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_predict.glsl"

PBD_BUFFER(, uint, PBD_BINDING_COUNT, counts)
PBD_BUFFER(writeonly, uint, PBD_BINDING_RANK, ranks)

void main()
{
    uint i = pbd_thread();
    if (i >= frame.count) {
        return;
    }
    vec3 p = pbd_predict_of(i);
    uint key = pbd_key(p);
    pbd_predict_store(i, p, key);
    ranks[i] = atomicAdd(counts[pbd_cells_at() + key], 1u);
}
