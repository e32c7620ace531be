/* pbd_iterate_list.comp - ITERATE of variant list, all runs of a substep but the first: goes through the list and sees
 * whether it still holds. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_LISTED
#define PBD_RUN (frame.iteration + 1u)
#include "kernels/pbd/pbd_search_list.glsl"

#include "kernels/pbd/pbd_iterate.glsl"

/* Has this particle moved so far that the list may lack a contact? */
bool violates()
{
    precise vec3 way = pbd_ball.xyz - traces[pbd_trace_at(frame.substep, 1u) + pbd_slot].xyz;
    return !pbd_is_binned() && pbd_length(way) > PBD_SKIN(frame) / 2.0;
}

void main()
{
    uint slot = pbd_thread();
    if (slot >= frame.count) {
        return;
    }
    pbd_begin_iterate(slot);
    pbd_load_listed();
    pbd_search();
    pbd_store_iterate(pbd_listed);
    if (pbd_iteration() > 0u && !pbd_only_counts() && violates()) {
        ++statuses[pbd_substep_at(frame.substep) + slot].w;
    }
}
