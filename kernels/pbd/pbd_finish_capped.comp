/* pbd_finish_capped.comp - FINISH of variant cells-capped. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_search_capped.glsl"

#include "kernels/pbd/pbd_finish.glsl"

void main()
{
    if (pbd_thread() < frame.count) {
        pbd_finish(pbd_thread_back());
    }
}
