/* pbd_queue.glsl - nine rows of three cells, each one range of slots (variants rows and list). The pair test does not
 * branch: every candidate is written to the lane's queue in shared memory, and stays there if it is near. So lanes
 * wait for each other only by the lengths of rows, and then once by the number of hits. Shared memory: 64 B a lane. */
#ifndef PBD_QUEUE_GLSL
#define PBD_QUEUE_GLSL

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_pair.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_START, starts)

const uint PBD_QUEUE = 16u; /* hits that a lane holds before it takes them */

shared uint queue[gl_WorkGroupSize.x * PBD_QUEUE];

/* Is a ball near enough for the queue? `square` is that of its distance, `reach` the sum of the radii. */
bool pbd_near(float square, float reach);

/* Takes a hit out of the queue; order is that of the candidates. */
void pbd_take(uint j);

/* Queues and takes what is near, and returns how many it looked at. */
uint pbd_search_rows()
{
    uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;
    uint key = pbd_bounded_key(pbd_bounded_cell(pbd_ball.xyz)), looked = 0u, hits = 0u;
    uint first = pbd_cells_at() + key - pbd_key_z() - pbd_key_y() - 1u;
    for (uint row = 0u; row < 9u; ++row) {
        uint at = first + row / 3u * pbd_key_z() + row % 3u * pbd_key_y();
        uint j = starts[at], end = starts[at + 3u];
        looked += end - j - (pbd_slot >= j && pbd_slot < end ? 1u : 0u);
        do {
            for (; j < end && hits < PBD_QUEUE; ++j) {
                vec4 other = traces[pbd_ball_at + j];
                precise vec3 offset = pbd_ball.xyz - other.xyz;
                precise float reach = pbd_ball.w + other.w;
                queue[hits * lanes + lane] = j;
                hits += pbd_near(vfx_dot(offset, offset), reach) && j != pbd_slot ? 1u : 0u;
            }
            if (hits == PBD_QUEUE || row == 8u) {
                for (uint hit = 0u; hit < hits; ++hit) {
                    pbd_take(queue[hit * lanes + lane]);
                }
                hits = 0u;
            }
        } while (j < end);
    }
    return looked;
}

#endif
