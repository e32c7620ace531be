#version 450
// Gathers the texels of the per-frame image.
#include "core/probe_shared.h"
void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i < frame.count)
        echo[i] = 3u * echo[i] + texelFetch(tide, ivec3(i % PROBE_TIDE_WIDTH, i / PROBE_TIDE_WIDTH % PROBE_TIDE_HEIGHT,
                                                        i / (PROBE_TIDE_WIDTH * PROBE_TIDE_HEIGHT)), 0);
}
