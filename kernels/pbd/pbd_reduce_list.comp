/* pbd_reduce_list.comp - METRIC of parts, of variant list. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_reduce.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_STATUS, statuses)
PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)

/* Of all substeps. */
uint pbd_violations(uint i)
{
    uint sum = 0u;
    for (uint substep = 0u; substep < params.substeps; ++substep) {
        sum += statuses[pbd_substep_at(substep) + i].w;
    }
    return sum;
}

/* Of the last substep; the last key of a grid is the bin's. */
void pbd_count_cells(inout pbd_metric sum)
{
    uint cells = pbd_cells(), at = (params.substeps - 1u) * (cells + 1u), end = pbd_is_hashed() ? cells : cells - 1u;
    for (uint first = pbd_thread(); first < end; first += AHEAD * frame.count) {
        uint ahead[AHEAD];
        for (uint k = 0u; k < AHEAD; ++k) {
            ahead[k] = counts[at + min(first + k * frame.count, end - 1u)];
        }
        for (uint k = 0u; k < AHEAD; ++k) { /* the last cell may come again */
            sum.worst_cell = max(sum.worst_cell, ahead[k]);
        }
    }
}

void main()
{
    pbd_reduce();
}
