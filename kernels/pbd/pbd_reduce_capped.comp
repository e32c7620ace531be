/* pbd_reduce_capped.comp - METRIC of parts, of variant cells-capped. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_CAPPED
#include "kernels/pbd/pbd_reduce.glsl"

void main()
{
    pbd_reduce();
}
