/* pbd_reduce.comp - METRIC of parts, of the variants that sort. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_reduce.glsl"

void main()
{
    pbd_reduce();
}
