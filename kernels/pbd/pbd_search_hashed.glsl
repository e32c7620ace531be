/* pbd_search_hashed.glsl - the search of variant hashed: 27 cells without bounds, each through its bucket. A bucket
 * holds several cells, so that what it gives is compared with the cell in question: no pair comes twice. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_START, starts)
PBD_BUFFER(readonly, uvec4, PBD_BINDING_CELL, cells)

/* What the including pass does with a candidate and its ball; `entry` is its place in the list of variant list. */
void pbd_visit(uint j, vec4 ball, uint entry);

/* Visits the candidates of this particle and returns how many it looked at. */
uint pbd_search()
{
    ivec3 first = pbd_free_cell(pbd_ball.xyz) - 1;
    uint looked = 0u, cells_at = pbd_substep_at(frame.substep);
    for (uint cell = 0u; cell < 27u; ++cell) {
        ivec3 g = first + ivec3(cell % 3u, cell / 3u % 3u, cell / 9u);
        uint at = pbd_cells_at() + pbd_bucket(g), end = starts[at + 1u];
        for (uint j = starts[at]; j < end; ++j) {
            if (j != pbd_slot) {
                ++looked;
                if (cells[cells_at + j].xyz == uvec3(g)) {
                    pbd_visit(j, pbd_ball_of(j), 0u);
                }
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
