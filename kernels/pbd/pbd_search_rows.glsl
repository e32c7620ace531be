/* pbd_search_rows.glsl - the search of variant rows: nine rows of cells through a queue. */
#ifndef PBD_SEARCH_GLSL
#define PBD_SEARCH_GLSL

#include "kernels/pbd/pbd_queue.glsl"

/* What the including pass does with a candidate; `entry` is its place in the list of variant list. */
void pbd_visit(uint j, uint entry);

/* Leaves a thousandth to rounding, and to bounces: what is queued is tested again. */
bool pbd_near(float square, float reach)
{
    float most = reach * PBD_TOUCH * 1.000001;
    return square <= most * most;
}

void pbd_take(uint j)
{
    pbd_visit(j, 0u);
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
