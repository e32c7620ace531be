/* pbd_search_list.glsl - the search of variant list: what the list holds. Entry e of all particles lies together, so
 * that neighbouring lanes read neighbouring words. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#extension GL_EXT_control_flow_attributes : require

#ifndef PBD_MOSTLY_NEAR
#define PBD_MOSTLY_NEAR /* candidates: what no branch spares */
#endif
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(, uint, PBD_BINDING_LIST, lists)
PBD_BUFFER(, vec2, PBD_BINDING_PUSH, pushes)

const uint PBD_ENTRIES = 3u; /* visited together */

uint pbd_listed; /* neighbours of this particle within the skin, listed or not */

/* What the including pass does with a candidate; `entry` is its place in the list. */
void pbd_visit(uint j, vec4 ball, uint entry);

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

/* Visits the listed neighbours of this particle and returns how many they are. Loads of several balls, and of the entries
 * after them, are under way together. Entries beyond the last are read, not used. */
uint pbd_search()
{
    uint end = min(pbd_listed, params.list_capacity), last = params.list_capacity - 1u;
    uint entries[PBD_ENTRIES];
    [[unroll]] for (uint k = 0u; k < PBD_ENTRIES; ++k) {
        entries[k] = lists[pbd_list_at(min(k, last))];
    }
    for (uint first = 0u; first < end; first += PBD_ENTRIES) {
        uint slots[PBD_ENTRIES];
        vec4 balls[PBD_ENTRIES];
        [[unroll]] for (uint k = 0u; k < PBD_ENTRIES; ++k) {
            slots[k] = first + k < end ? entries[k] : pbd_slot;
            balls[k] = pbd_ball_of(slots[k]);
            entries[k] = lists[pbd_list_at(min(first + PBD_ENTRIES + k, last))];
        }
        [[unroll]] for (uint k = 0u; k < PBD_ENTRIES; ++k) {
            if (first + k < end) {
                pbd_visit(slots[k], balls[k], first + k);
            }
        }
    }
    return end;
}

/* Neighbours that the list did not hold. */
uint pbd_dropped()
{
    return max(pbd_listed, params.list_capacity) - params.list_capacity;
}

#endif
