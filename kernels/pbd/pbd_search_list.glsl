/* pbd_search_list.glsl - the search of variant list: what the list holds. Entry e of all particles lies together, so
 * that neighbouring lanes read neighbouring words. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(, uint, PBD_BINDING_LIST, lists)
PBD_BUFFER(, vec2, PBD_BINDING_PUSH, pushes)

uint pbd_listed; /* neighbours of this particle within the skin, listed or not */

/* What the including pass does with a candidate; `entry` is its place in the list. */
void pbd_visit(uint j, uint entry);

uint pbd_list_at(uint entry)
{
    return (frame.substep * params.list_capacity + entry) * params.particles + pbd_slot;
}

/* Sums of the contact over the iterations so far, without substeps: overlap, slip cancelled. */
uint pbd_push_at(uint entry)
{
    return entry * params.particles + pbd_slot;
}

void pbd_load_listed()
{
    pbd_listed = statuses[pbd_substep_at(frame.substep) + pbd_slot].z;
}

/* Visits the listed neighbours of this particle and returns how many they are. */
uint pbd_search()
{
    uint end = min(pbd_listed, params.list_capacity);
    for (uint entry = 0u; entry < end; ++entry) {
        pbd_visit(lists[pbd_list_at(entry)], entry);
    }
    return end;
}

/* Neighbours that the list did not hold. */
uint pbd_dropped()
{
    return max(pbd_listed, params.list_capacity) - params.list_capacity;
}

#endif
