/* pbd_iterate_first.comp - ITERATE of variant list, first run of a substep: makes the list and goes through it. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_LISTED
#define PBD_RUN 0u
#include "kernels/pbd/pbd_list.glsl"

#include "kernels/pbd/pbd_iterate.glsl"

void main()
{
    if (pbd_thread() >= frame.count) {
        return;
    }
    uint slot = pbd_iterate_slot();
    pbd_begin_iterate(slot);
    pbd_make_list();
    pbd_store_iterate(pbd_listed);
}
