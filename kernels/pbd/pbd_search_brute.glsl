/* pbd_search_brute.glsl - the search of variant brute: everyone. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#define PBD_MEETS_BINNED

#include "kernels/pbd/pbd_pair.glsl"

/* What the including pass does with a candidate and its ball; `entry` is its place in the list of variant list. */
void pbd_visit(uint j, vec4 ball, uint entry);

/* Visits the candidates of this particle and returns how many it looked at. */
uint pbd_search()
{
    for (uint j = 0u; j < params.particles; ++j) {
        if (j != pbd_slot) {
            pbd_visit(j, pbd_ball_of(j), 0u);
        }
    }
    return params.particles - 1u;
}

uint pbd_dropped()
{
    return 0u;
}

#endif
