/* pbd_search_sorted.glsl - the search of variant cells-sorted: 27 cells, each a range of slots. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_START, starts)

/* What the including pass does with a candidate; `entry` is its place in the list of variant list. */
void pbd_visit(uint j, vec4 ball, uint entry);

/* Visits the candidates of this particle and returns how many it looked at. */
uint pbd_search()
{
    uint key = pbd_bounded_key(pbd_bounded_cell(pbd_ball.xyz)), looked = 0u;
    uint first = pbd_cells_at() + key - pbd_key_z() - pbd_key_y() - 1u;
    for (uint cell = 0u; cell < 27u; ++cell) {
        uint at = first + cell / 9u * pbd_key_z() + cell / 3u % 3u * pbd_key_y() + cell % 3u;
        uint end = starts[at + 1u];
        for (uint j = starts[at]; j < end; ++j) {
            if (j != pbd_slot) {
                ++looked;
                pbd_visit(j, pbd_ball_of(j), 0u);
            }
        }
    }
    return looked;
}

uint pbd_dropped()
{
    return 0u;
}

#endif
