#version 450
// Once: a static table of squares.
#include "core/probe_shared.h"
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i < frame.count)
        table[i] = i * i;
}
