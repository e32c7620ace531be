/* pbd_gather_hashed.comp - as pbd_gather.comp; the true cell goes along, as several share a bucket. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_slot.glsl"

PBD_BUFFER(writeonly, uvec4, PBD_BINDING_CELL, cells)

void main()
{
    uint i = pbd_thread();
    if (i < frame.count) {
        uvec4 predict = pbd_predicted(i);
        vec3 p = uintBitsToFloat(predict.xyz);
        uint slot = pbd_slot_of(i, predict.w);
        pbd_gather_store(i, p, slot);
        cells[pbd_substep_at(frame.substep) + slot] = uvec4(pbd_free_cell(p), 0u);
    }
}
