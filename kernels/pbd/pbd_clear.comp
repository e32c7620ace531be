/* pbd_clear.comp - first pass of a substep, of the variants with cells: no particle in any. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(writeonly, uint, PBD_BINDING_COUNT, counts)

void main()
{
    uint k = pbd_thread();
    if (k < frame.count) {
        counts[pbd_cells_at() + k] = 0u;
    }
}
