/* pbd_scan_sums.comp - second of three passes from COUNT to START: the sums of the blocks become the number of
 * particles before each block. One workgroup of any size; each lane has a run of blocks. Shared memory: 4 B a lane. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(, uint, PBD_BINDING_BLOCK, blocks)

shared uint stage_sum[gl_WorkGroupSize.x];

void main()
{
    uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;
    uint count = PBD_BLOCKS(pbd_cells()), run = (count + lanes - 1u) / lanes;
    uint first = min(lane * run, count), end = min(first + run, count);
    uint own = 0u;
    for (uint block = first; block < end; ++block) {
        own += blocks[block];
    }
    uint sum = own;
    stage_sum[lane] = sum;
    barrier();
    for (uint reach = 1u; reach < lanes; reach *= 2u) {
        uint below = lane >= reach ? stage_sum[lane - reach] : 0u;
        barrier();
        sum += below;
        stage_sum[lane] = sum;
        barrier();
    }
    uint before = sum - own;
    for (uint block = first; block < end; ++block) {
        uint value = blocks[block];
        blocks[block] = before;
        before += value;
    }
}
