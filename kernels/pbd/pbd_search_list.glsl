/* pbd_search_list.glsl - the search of variant list: what the list holds. Entry e of all particles lies together, so
 * that neighbouring lanes read neighbouring words. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#ifndef PBD_MOSTLY_NEAR
#define PBD_MOSTLY_NEAR /* candidates: what no branch spares */
#endif
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(, uint, PBD_BINDING_LIST, lists)
PBD_BUFFER(, vec2, PBD_BINDING_PUSH, pushes)

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

/* Visits the listed neighbours of this particle and returns how many they are. The next ball and the entry after it are
 * under way while one is looked at. */
uint pbd_search()
{
    uint end = min(pbd_listed, params.list_capacity);
    if (end == 0u) {
        return 0u;
    }
    uint j = lists[pbd_list_at(0u)], next = lists[pbd_list_at(min(1u, end - 1u))];
    vec4 ball = pbd_ball_of(j);
    for (uint entry = 0u; entry < end; ++entry) {
        uint now = j;
        vec4 now_ball = ball;
        j = next;
        ball = pbd_ball_of(j);
        next = lists[pbd_list_at(min(entry + 2u, end - 1u))];
        pbd_visit(now, now_ball, entry);
    }
    return end;
}

/* Neighbours that the list did not hold. */
uint pbd_dropped()
{
    return max(pbd_listed, params.list_capacity) - params.list_capacity;
}

#endif
