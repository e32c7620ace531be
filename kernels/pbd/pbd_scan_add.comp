/* pbd_scan_add.comp - last of three passes from COUNT to START: the scan within each block, plus what lies before the
 * block. 32 lanes share a block; it is loaded and stored in address order and turned in shared memory, where each lane
 * has a run of PBD_SCAN / 32 entries, one word of padding after each run. Shared memory: 72 B a lane. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)
PBD_BUFFER(readonly, uint, PBD_BINDING_BLOCK, blocks)
PBD_BUFFER(writeonly, uint, PBD_BINDING_START, starts)

const uint RUN = PBD_SCAN / PBD_LANES;
const uint STRIDE = RUN + 1u;

shared uint stage[gl_WorkGroupSize.x * STRIDE];
shared uint stage_sum[gl_WorkGroupSize.x];

void main()
{
    uint local = gl_LocalInvocationID.x, lane = local % PBD_LANES, first_lane = local - lane;
    uint block = pbd_thread() / PBD_LANES;
    bool exists = pbd_thread() < frame.count;
    uint first = block * PBD_SCAN, entries = pbd_cells() + 1u, at = pbd_cells_at();
    uint base = first_lane * STRIDE, own = local * STRIDE;
    for (uint i = lane; i < PBD_SCAN; i += PBD_LANES) {
        stage[base + i + i / RUN] = first + i < entries ? counts[at + first + i] : 0u;
    }
    barrier();
    uint sum = 0u;
    for (uint i = 0u; i < RUN; ++i) {
        uint value = stage[own + i];
        stage[own + i] = sum;
        sum += value;
    }
    stage_sum[local] = sum;
    barrier();
    uint before = exists ? blocks[block] : sum; /* unused */
    for (uint i = first_lane; i < local; ++i) {
        before += stage_sum[i];
    }
    for (uint i = 0u; i < RUN; ++i) {
        stage[own + i] += before;
    }
    barrier();
    for (uint i = lane; exists && i < PBD_SCAN && first + i < entries; i += PBD_LANES) {
        starts[at + first + i] = stage[base + i + i / RUN];
    }
}
