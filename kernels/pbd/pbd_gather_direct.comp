/* pbd_gather_direct.comp - brute and cells-capped: the particles stay in the order of the state. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_gather.glsl"

void main()
{
    uint i = pbd_thread();
    if (i < frame.count) {
        pbd_gather_store(i, uintBitsToFloat(pbd_predicted(i).xyz), i);
    }
}
