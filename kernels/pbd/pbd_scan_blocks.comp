/* pbd_scan_blocks.comp - first of three passes from COUNT to START: the sum of each block. 32 lanes share a block, so
 * that blocks do not depend on the workgroup size. Shared memory: 4 B a lane. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)
PBD_BUFFER(writeonly, uint, PBD_BINDING_BLOCK, blocks)

shared uint stage_sum[gl_WorkGroupSize.x];

void main()
{
    uint local = gl_LocalInvocationID.x, lane = local % PBD_LANES;
    uint block = pbd_thread() / PBD_LANES;
    uint first = block * PBD_SCAN, end = min(first + PBD_SCAN, pbd_cells()); /* none has key `cells` */
    uint at = pbd_cells_at(), sum = 0u;
    for (uint k = first + lane; k < end; k += PBD_LANES) {
        sum += counts[at + k];
    }
    stage_sum[local] = sum;
    barrier();
    if (lane == 0u && pbd_thread() < frame.count) {
        for (uint i = 1u; i < PBD_LANES; ++i) {
            sum += stage_sum[local + i];
        }
        blocks[block] = sum;
    }
}
