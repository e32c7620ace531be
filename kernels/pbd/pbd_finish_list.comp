/* pbd_finish_list.comp - FINISH of variant list. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_LISTED
#include "kernels/pbd/pbd_search_list.glsl"

#include "kernels/pbd/pbd_finish.glsl"

void main()
{
    if (pbd_thread() < frame.count) {
        pbd_finish(pbd_thread_back());
    }
}
