/* pbd_queue.glsl - nine rows of three cells, each one range of slots (variants rows and list). The pair test does not
 * branch: every candidate is written to the lane's queue in shared memory, and stays there if it is near. So lanes
 * wait for each other only by the lengths of rows, and then once by the number of hits. Whoever includes it has defined
 * PBD_QUEUE, the hits that a lane holds before it takes them: few, as shared memory is taken from the cache, but more
 * than a lane mostly finds. Shared memory: 4 (PBD_QUEUE + 1) B a lane. */
#ifndef PBD_QUEUE_GLSL
#define PBD_QUEUE_GLSL

#extension GL_EXT_control_flow_attributes : require

#define PBD_MOSTLY_NEAR
#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_START, starts)

const uint PBD_ROWS = 9u, PBD_LAST_ROW = PBD_ROWS - 1u;
const uint PBD_AHEAD = 3u; /* candidates whose loads are under way together */

/* What is not near is written behind the last hit: one more than the queue holds. */
shared uint queue[gl_WorkGroupSize.x * PBD_QUEUE + gl_WorkGroupSize.x];

/* Is a ball near enough for the queue? `square` is that of its distance, `reach` the sum of the radii. */
bool pbd_near(float square, float reach);

/* Takes a hit out of the queue; order is that of the candidates. */
void pbd_take(uint j, vec4 ball);

/* Puts slot j at the end of the queue, which is moved on if it is near. */
void pbd_push(uint j, vec4 other, bool exists, inout uint hits)
{
    precise vec3 offset = pbd_ball.xyz - other.xyz;
    precise float reach = pbd_ball.w + other.w;
    queue[hits * gl_WorkGroupSize.x + gl_LocalInvocationID.x] = j;
    hits += pbd_near(pbd_square(offset), reach) && j != pbd_slot && exists ? 1u : 0u;
}

/* Queues what is near among the slots from j on, before `stop`. */
void pbd_push_range(uint j, uint stop, inout uint hits)
{
    for (; j < stop; j += PBD_AHEAD) {
        vec4 balls[PBD_AHEAD];
        [[unroll]] for (uint k = 0u; k < PBD_AHEAD; ++k) {
            balls[k] = pbd_ball_of(min(j + k, stop - 1u));
        }
        [[unroll]] for (uint k = 0u; k < PBD_AHEAD; ++k) {
            pbd_push(j + k, balls[k], j + k < stop, hits);
        }
    }
}

void pbd_take_all(uint hits)
{
    for (uint hit = 0u; hit < hits; ++hit) {
        uint j = queue[hit * gl_WorkGroupSize.x + gl_LocalInvocationID.x];
        pbd_take(j, pbd_ball_of(j));
    }
}

/* Queues and takes what is near, and returns how many it looked at. */
uint pbd_search_rows()
{
    uint key = pbd_bounded_key(pbd_bounded_cell(pbd_ball.xyz)), looked = 0u, hits = 0u;
    uint at = pbd_cells_at() + key - pbd_key_z() - pbd_key_y() - 1u;
    uint next = starts[at], next_end = starts[at + 3u];
    for (uint row = 0u; row < PBD_ROWS; ++row) {
        uint j = next, end = next_end;
        if (row < PBD_LAST_ROW) { /* the next row's ends are under way while this one is looked at */
            at += row == 2u || row == 5u ? pbd_key_z() - 2u * pbd_key_y() : pbd_key_y();
            next = starts[at];
            next_end = starts[at + 3u];
        }
        looked += end - j - (pbd_slot >= j && pbd_slot < end ? 1u : 0u);
        do { /* as many candidates at a time as there is room for */
            uint stop = min(end, j + (PBD_QUEUE - hits));
            pbd_push_range(j, stop, hits);
            j = stop;
            if (hits == PBD_QUEUE || row == PBD_LAST_ROW) {
                pbd_take_all(hits);
                hits = 0u;
            }
        } while (j < end);
    }
    return looked;
}

#endif
