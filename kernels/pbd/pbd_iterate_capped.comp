/* pbd_iterate_capped.comp - ITERATE of variant cells-capped. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_search_capped.glsl"

#include "kernels/pbd/pbd_iterate.glsl"

void main()
{
    if (pbd_thread() >= frame.count) {
        return;
    }
    uint slot = pbd_iterate_slot();
    pbd_begin_iterate(slot);
    if (!pbd_is_binned()) {
        pbd_search();
    }
    pbd_store_iterate(0u);
}
