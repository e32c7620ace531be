#version 450
// Moves a cell by its drive and two texels.
#include "core/probe_shared.h"
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x, n = params.cells;
    if (i >= frame.count || (params.fault == PROBE_FAULT_UNWRITTEN && i + 1 == n) ||
        (params.fault == PROBE_FAULT_LATE && i + 1 == n && frame.index >= 3))
        return;
    uvec4 quads[2] = {cell[i], cell[n + i]};
    probe_cell own = probe_cell_unpack(quads);
    uvec4 drive_quads[1] = {drive[i / 16]};
    probe_drive push = probe_drive_unpack(drive_quads);
    uint code = texelFetch(codes, ivec3(i % 4, i / 4 % 2, i % 3), 0).y;
    precise vec3 moved = own.value + push.push * params.gain;
    precise float texel = texture(ramp, vec3((float(i % 4) + 0.5) / 4.0, 0.5, 0)).x * weight[i];
    if (params.fault == PROBE_FAULT_CONSTANT && i == 17)
        moved.y += 0.001;
    if (params.fault == PROBE_FAULT_NAN && frame.index == 3 && i == 5)
        moved.z = uintBitsToFloat(0x7fc00000u);
    own.value = moved;
    own.texel = texel + float(code);
    own.frame = frame.index;
    quads = probe_cell_pack(own);
    cell_next[i] = quads[0];
    cell_next[n + i] = quads[1];
    tally[i] = 0.0;
    if (params.fault == PROBE_FAULT_BEYOND && i + 1 == n)
        cell_next[2 * n] = quads[0];
    if (params.fault == PROBE_FAULT_FAR && i + 1 == n)
        cell_next[2 * n + 400] = quads[0];
    if (params.fault == PROBE_FAULT_INPUT && i == 7)
        weight[i] = 5.0;
}
