/* pbd_search_capped.glsl - the search of variant cells-capped: 27 cells with so many slots each, as in the source. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)
PBD_BUFFER(readonly, uint, PBD_BINDING_RANK, ranks)
PBD_BUFFER(readonly, uint, PBD_BINDING_SLOT, slots)

/* What the including pass does with a candidate; `entry` is its place in the list of variant list. */
void pbd_visit(uint j, vec4 ball, uint entry);

/* Visits the candidates of this particle and returns how many it looked at. */
uint pbd_search()
{
    uint key = pbd_bounded_key(pbd_bounded_cell(pbd_ball.xyz)), looked = 0u;
    uint first = key - pbd_key_z() - pbd_key_y() - 1u, cells_first = frame.substep * pbd_cells();
    for (uint cell = 0u; cell < 27u; ++cell) {
        uint k = first + cell / 9u * pbd_key_z() + cell / 3u % 3u * pbd_key_y() + cell % 3u;
        uint at = (cells_first + k) * params.capacity;
        uint end = at + min(counts[pbd_cells_at() + k], params.capacity);
        for (; at < end; ++at) {
            uint j = slots[at];
            if (j != pbd_slot) {
                ++looked;
                pbd_visit(j, pbd_ball_of(j), 0u);
            }
        }
    }
    return looked;
}

/* 1: not in its cell. */
uint pbd_dropped()
{
    return !pbd_is_binned() && ranks[pbd_slot] >= params.capacity ? 1u : 0u;
}

#endif
