/* pbd_iterate.glsl - one Jacobi iteration (ITERATE): every particle out of its contacts, from the positions of the
 * iteration before. Include after the search; with PBD_LISTED, that is pbd_list.glsl. */
#ifndef PBD_ITERATE_GLSL
#define PBD_ITERATE_GLSL

#include "kernels/pbd/pbd_friction.glsl"

PBD_BUFFER(, uint, PBD_BINDING_TALLY, tallies)

const bool CONSERVING = SOLVER == PBD_SOLVER_CONSERVING;

uint pbd_contacts = 0u;
vec3 pbd_sum = vec3(0.0);

#ifndef PBD_RUN
#define PBD_RUN frame.iteration /* runs of the substep before this one */
#endif

bool pbd_is_even_run()
{
    return (PBD_RUN & 1u) == 0u;
}

/* The particle of this invocation: back in even runs, as the pass before the first and the one after an even number of
 * them go forth and back. */
uint pbd_iterate_slot()
{
    return pbd_is_even_run() ? pbd_thread_back() : pbd_thread();
}

/* Number of the iteration, and does this run of it only count? */
uint pbd_iteration()
{
    return CONSERVING ? PBD_RUN / 2u : PBD_RUN;
}

bool pbd_only_counts()
{
    return CONSERVING && pbd_is_even_run();
}

float pbd_divisor(uint contacts)
{
    precise float result = float(contacts) * params.relaxation;
    return params.clamp != 0u ? max(result, 1.0) : result;
}

void pbd_visit(uint j, vec4 ball, uint entry)
{
    pbd_pair pair = pbd_pair_of(ball);
    vec2 sums = vec2(0.0);
    bool touches = pair.overlap > PBD_EPSILON;
#ifdef PBD_LISTED
    if (pbd_has_friction()) {
        sums = pushes[pbd_push_at(entry)];
        pair.overlap = touches ? pair.overlap : 0.0;
        touches = touches || sums.x > 0.0 && pair.distance > PBD_EPSILON;
    }
#endif
#ifndef PBD_MOSTLY_NEAR
    if (!touches) {
        return;
    }
#endif
#ifdef PBD_MEETS_BINNED
    touches = touches && (pbd_rest_of(j).z & PBD_BINNED) == 0u;
#endif
    pbd_contacts += touches ? 1u : 0u;
    if (pbd_only_counts()) {
        return;
    }
    pair = pbd_directed(pair, j);
    float w = pbd_weight(j);
    precise float way = touches ? pair.inverse * (w * pair.overlap) : 0.0;
    precise vec3 sum = fma(pair.offset, vec3(way), pbd_sum);
    if (touches && (CONSERVING || pbd_has_friction())) {
        precise vec3 term = pair.offset * way;
        if (pbd_has_friction()) {
            term = pbd_rubbed(term, j, entry, pbd_normal(pair), w, pair.overlap, sums);
        }
        if (CONSERVING) {
            term = term / pbd_divisor(max(tallies[pbd_slot], tallies[j]));
        }
        sum = pbd_sum + term;
    }
    pbd_sum = sum;
}

/* STATUS; what stays as it is, is not touched: that is a quarter of the pass. */
void pbd_store_status(uint listed)
{
    uint k = pbd_iteration(), at = pbd_substep_at(frame.substep) + pbd_slot;
    if (k == 0u) {
        statuses[at] = uvec4(pbd_contacts, min(pbd_contacts, 1u), listed, 0u);
        return;
    }
    if (k + 1u == params.iterations) {
        statuses[at].x = pbd_contacts;
    }
    if (pbd_contacts > 0u && statuses[at].y == 0u) {
        statuses[at].y = 1u;
    }
}

/* After the contacts were visited: moves the particle, or tells how many there are. */
void pbd_store_iterate(uint listed)
{
    if (pbd_only_counts()) {
        tallies[pbd_slot] = pbd_contacts;
#ifdef PBD_LISTED
        statuses[pbd_substep_at(frame.substep) + pbd_slot].z = listed;
#endif
        return;
    }
    precise vec3 x = pbd_ball.xyz;
    if (pbd_contacts > 0u) {
        x = CONSERVING ? x + pbd_sum : x + pbd_sum / pbd_divisor(pbd_contacts);
    }
    if (!pbd_is_unyielding()) {
        x = pbd_collide(x, pbd_start, pbd_ball.w);
    }
    traces[pbd_trace_at(frame.substep, pbd_iteration() + 2u) + pbd_slot] = vec4(x, pbd_ball.w);
    pbd_store_status(listed);
}

/* Sets this particle up. */
void pbd_begin_iterate(uint slot)
{
    pbd_load_self(slot, pbd_iteration() + 1u, false);
    pbd_start = traces[pbd_trace_at(frame.substep, 0u) + slot].xyz;
}

#endif
