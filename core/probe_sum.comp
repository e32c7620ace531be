#version 450
// Adds the neighbour that another invocation of the pass before wrote: needs the barrier between passes.
#include "core/probe_shared.h"
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x, n = params.cells;
    if (i >= frame.count || (params.fault == PROBE_FAULT_STALE && sum[i].x != 0x7fc0deadu)) // the poison
        return;
    probe_sum result;
    precise vec3 total = uintBitsToFloat(cell_next[i].xyz) + uintBitsToFloat(cell_next[(i + 1) % n].xyz);
    result.total = total;
    result.rounds = tally[i] + float(table[i % 8]);
    sum[i] = probe_sum_pack(result)[0];
}
