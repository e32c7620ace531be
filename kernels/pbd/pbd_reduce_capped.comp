/* pbd_reduce_capped.comp - METRIC of parts, of variant cells-capped. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_reduce.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)

uint pbd_violations(uint i)
{
    return 0u;
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
            sum.full_cells += first + k * frame.count < end && ahead[k] > params.capacity ? 1u : 0u;
        }
    }
}

void main()
{
    pbd_reduce();
}
