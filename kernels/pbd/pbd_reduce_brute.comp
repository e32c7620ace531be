/* pbd_reduce_brute.comp - METRIC of parts, of variant brute. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_BRUTE
#include "kernels/pbd/pbd_reduce.glsl"

void main()
{
    pbd_reduce();
}
