/* pbd_iterate_list.comp - ITERATE of variant list, all runs of a substep but the first: goes through the list and sees
 * whether it still holds. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define PBD_LISTED
#define PBD_RUN (frame.iteration + 1u)
#include "kernels/pbd/pbd_search_list.glsl"

#include "kernels/pbd/pbd_iterate.glsl"

/* Has this particle moved so far from where the list was made that it may lack a contact? */
bool violates(vec3 made)
{
    precise vec3 way = pbd_ball.xyz - made;
    return !pbd_is_binned() && pbd_length(way) > PBD_SKIN(frame) / 2.0;
}

void main()
{
    if (pbd_thread() >= frame.count) {
        return;
    }
    uint slot = pbd_iterate_slot();
    pbd_begin_iterate(slot);
    pbd_load_listed();
    vec3 made = traces[pbd_trace_at(frame.substep, 1u) + slot].xyz;
    pbd_search();
    pbd_store_iterate(pbd_listed);
    if (pbd_iteration() > 0u && !pbd_only_counts() && violates(made)) {
        ++statuses[pbd_substep_at(frame.substep) + slot].w;
    }
}
