/* pbd_reduce_brute.comp - METRIC of parts, of variant brute. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_reduce.glsl"

uint pbd_violations(uint i)
{
    return 0u;
}

void pbd_count_cells(inout pbd_metric sum)
{
}

void main()
{
    pbd_reduce();
}
