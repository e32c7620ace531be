/* pbd_search_rows.glsl - the search of variant rows: nine rows of cells through a queue. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

const uint PBD_QUEUE = 10u;
#include "kernels/pbd/pbd_queue.glsl"

/* What the including pass does with a candidate and its ball; `entry` is its place in the list of variant list. */
void pbd_visit(uint j, vec4 ball, uint entry);

/* Leaves room to bounces, and as much to rounding: what is queued is tested again. */
bool pbd_near(float square, float reach)
{
    precise float most = reach * (PBD_TOUCH * PBD_TOUCH);
    precise float most_square = most * most;
    return square <= most_square;
}

void pbd_take(uint j, vec4 ball)
{
    pbd_visit(j, ball, 0u);
}

/* Visits the near candidates of this particle and returns how many it looked at. */
uint pbd_search()
{
    return pbd_search_rows();
}

uint pbd_dropped()
{
    return 0u;
}

#endif
