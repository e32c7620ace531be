/* pbd_finish_hashed.comp - FINISH of variant hashed. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_search_hashed.glsl"

#include "kernels/pbd/pbd_finish.glsl"

void main()
{
    if (pbd_thread() < frame.count) {
        pbd_finish(pbd_thread_back());
    }
}
