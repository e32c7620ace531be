/* pbd_reduce_list.comp - METRIC of parts, of variant list. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_LISTED
#include "kernels/pbd/pbd_reduce.glsl"

void main()
{
    pbd_reduce();
}
