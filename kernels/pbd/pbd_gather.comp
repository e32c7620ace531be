/* pbd_gather.comp - the data of the particles, not their indices, in order of cells (cells-sorted, rows, list). */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_slot.glsl"

void main()
{
    uint i = pbd_thread();
    if (i < frame.count) {
        uvec4 predict = pbd_predicted(i);
        pbd_gather_store(i, uintBitsToFloat(predict.xyz), pbd_slot_of(i, predict.w));
    }
}
