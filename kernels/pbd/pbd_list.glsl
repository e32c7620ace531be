/* pbd_list.glsl - makes the list of variant list, as the first part of iteration 0: nine rows of cells through a queue,
 * which brings the lanes to store their entries together. */
#ifndef PBD_LIST_GLSL
#define PBD_LIST_GLSL

const uint PBD_QUEUE = 16u;
#include "kernels/pbd/pbd_queue.glsl"
#include "kernels/pbd/pbd_search_list.glsl"

bool pbd_near(float square, float reach)
{
    precise float most = reach + PBD_SKIN(frame);
    precise float most_square = most * most;
    return square < most_square;
}

void pbd_take(uint j, vec4 ball)
{
    if (pbd_listed < params.list_capacity) {
        lists[pbd_list_at(pbd_listed)] = j;
        if (FRICTION_STATIC > 0.0) {
            pushes[pbd_push_at(pbd_listed)] = vec2(0.0);
        }
        pbd_visit(j, ball, pbd_listed);
    }
    ++pbd_listed;
}

void pbd_make_list()
{
    pbd_listed = 0u;
    if (!pbd_is_binned()) {
        pbd_search_rows();
    }
}

#endif
