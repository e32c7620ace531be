#version 450
// Repeated: counts its iterations.
#include "core/probe_shared.h"
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i < frame.count && (params.fault != PROBE_FAULT_STUCK || frame.iteration == 0))
        tally[i] += float(frame.iteration + 1);
}
