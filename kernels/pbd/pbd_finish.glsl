/* pbd_finish.glsl - velocities from positions, caps, bounces, what is left of the overlaps, and the state (FINISH).
 * Include after the search. */
#ifndef PBD_FINISH_GLSL
#define PBD_FINISH_GLSL

#include "kernels/pbd/pbd_collide.glsl"

PBD_BUFFER(writeonly, uvec4, PBD_BINDING_PARTICLE + 1, particles)
PBD_BUFFER(writeonly, vec4, PBD_BINDING_VELOCITY, velocities)
PBD_BUFFER(writeonly, uvec4, PBD_BINDING_CONTACT, contacts)

uint pbd_contacts = 0u;
float pbd_depth = 0.0;
uint pbd_bounces = 0u;
vec3 pbd_gain = vec3(0.0); /* sum over the bounces */

vec3 pbd_trace_position(uint slot, uint j)
{
    return traces[pbd_trace_at(frame.substep, slot) + j].xyz;
}

/* Velocities of the substep: before the contacts (to slot 1), and with them (to the last slot). */
vec3 pbd_velocity_to(uint slot, uint j)
{
    precise vec3 result = (pbd_trace_position(slot, j) - pbd_trace_position(0u, j)) / PBD_STEP(frame);
    return result;
}

bool pbd_bounces_off_others()
{
    return RESTITUTION > 0.0 && !pbd_is_unyielding();
}

void pbd_bounce(uint j, pbd_pair pair)
{
    uint last = params.iterations + 1u;
    vec3 n = pbd_normal(pair);
    precise vec3 came = pbd_velocity_to(1u, pbd_slot) - pbd_velocity_to(1u, j);
    precise vec3 leaves = pbd_velocity_to(last, pbd_slot) - pbd_velocity_to(last, j);
    float before = vfx_dot(came, n);
    if (before < pbd_slowest_bounce()) {
        precise float gain = max(-RESTITUTION * before - vfx_dot(leaves, n), 0.0);
        precise vec3 sum = pbd_gain + n * (pbd_weight(j) * gain);
        pbd_gain = sum;
        ++pbd_bounces;
    }
}

void pbd_visit(uint j, vec4 ball, uint entry)
{
    pbd_pair pair = pbd_pair_of(ball);
    precise float most = pair.reach * PBD_TOUCH;
    bool touches = pair.overlap > PBD_EPSILON;
    bool bounces = pbd_bounces_off_others() && pair.distance > PBD_EPSILON && pair.distance <= most;
    if (!touches && !bounces) {
        return;
    }
#ifdef PBD_MEETS_BINNED
    if ((pbd_rest_of(j).z & PBD_BINNED) != 0u) {
        return;
    }
#endif
    if (touches) {
        ++pbd_contacts;
        pbd_depth = max(pbd_depth, pair.overlap);
    }
    if (bounces) {
        pbd_bounce(j, pair);
    }
}

/* v before any bounce. */
vec3 pbd_velocity_capped()
{
    float h = PBD_STEP(frame);
    vec3 x = pbd_ball.xyz, y = pbd_trace_position(0u, pbd_slot);
    precise vec3 v = (x - y) / h;
    if (params.max_push > 0.0) {
        vec3 p = pbd_trace_position(1u, pbd_slot);
        precise vec3 push = x - p;
        precise float most = params.max_push * h;
        float far = pbd_length(push);
        if (far > most) {
            v = ((p + push * (most / far)) - y) / h;
        }
    }
    return params.max_speed > 0.0 ? pbd_cap(v, params.max_speed) : v;
}

void pbd_store_finish(vec3 v, uint looked, uint dropped)
{
    uint n = params.particles;
    if (!pbd_last_substep()) {
        velocities[pbd_substep_at(frame.substep) + pbd_slot] = vec4(v, 0.0);
        return;
    }
    particles[pbd_slot] = floatBitsToUint(pbd_ball);
    particles[n + pbd_slot] = uvec4(floatBitsToUint(v), pbd_rest.x);
    particles[2u * n + pbd_slot] = uvec4(pbd_rest.y, pbd_rest.z & ~PBD_BINNED, 0u, 0u);
    bool measured = MEASURE != 0u;
    uint number = measured ? pbd_contacts : statuses[pbd_substep_at(frame.substep) + pbd_slot].x;
    contacts[pbd_slot] = uvec4(number, measured ? floatBitsToUint(pbd_depth) : 0u, measured ? looked : 0u, dropped);
}

/* The whole pass for one particle. */
void pbd_finish(uint slot)
{
    pbd_load_self(slot, params.iterations + 1u, true);
#ifdef PBD_LISTED
    pbd_load_listed();
#endif
    bool measures = MEASURE != 0u && pbd_last_substep();
    uint looked = 0u;
    if (!pbd_is_binned() && (measures || pbd_bounces_off_others())) {
        looked = pbd_search();
    }
    precise vec3 v = vec3(0.0);
    if (!pbd_is_unyielding()) {
        v = pbd_velocity_capped();
        if (pbd_bounces > 0u) {
            v += pbd_gain / float(pbd_bounces);
        }
        if (RESTITUTION > 0.0) {
            v = pbd_bounce_off(v, pbd_velocity_to(1u, slot), pbd_ball);
        }
    }
    pbd_store_finish(v, looked, pbd_dropped());
}

#endif
