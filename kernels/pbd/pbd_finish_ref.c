/* pbd_finish_ref.c - the two ends of a substep: the stage predict (forces, a step of time) and the stage finish
 * (velocities from positions, bounces, contacts as they are left). Compiled twice over `real`. */
#include "kernels/pbd/pbd_real.h"

/* ------------------------------------------------------------------------------------------ predict */

static real3 acceleration(const vfx_ref *ref, real3 x)
{
    const pbd_params *params = pbd_params_of(ref);
    const real3 gravity = real3_make(0, 0, -(real)params->gravity);
    const real3 sight = real3_sub(real3_make(0, 0, (real)PBD_CENTRE_Z(*ref->frame)), x);
    const real distance = real3_length(sight);
    const real falloff = real_max(1 - distance / (real)params->attract_radius, 0);
    if (!(distance >= TINY))
        return gravity;
    return real3_add_scaled(gravity, (real)params->attract * falloff / distance, sight);
}

/* Shortens v to the length `most` (0: no limit). *off: of the result, as a length. */
static real3 capped(real3 v, real most, real *off)
{
    const real length = real3_length(v);
    if (!(most > 0) || length <= most * (1 - 8 * ROOT))
        return v;
    *off += (4 * U + ROOT + QUOTIENT) * length; /* also where rounding takes the other branch */
    return length > most ? real3_scale(v, most / length) : v;
}

pbd_moved VFX_REF(pbd_predicted)(const vfx_ref *ref, uint32_t substep, uint64_t index)
{
    const pbd_params *params = pbd_params_of(ref);
    const pbd_world w = VFX_REF(pbd_world_of)(ref, substep);
    const pbd_particle state = VFX_REF(pbd_state_of)(&w, index);
    const real3 x = real3_of(state.position);
    real3 v = real3_of(state.velocity);
    real off = 0;
    if ((state.flags & PBD_UNYIELDING) == 0) {
        const real3 a = acceleration(ref, x);
        /* The cancelling part of the falloff is off by the size of its terms. */
        const real pull = real_abs((real)params->attract) + real_abs((real)params->gravity);
        off = w.h * pull * (12 * U + 2 * ROOT + 2 * QUOTIENT) + 3 * U * (real3_length(v) + w.h * real3_length(a));
        if (params->attract > 0 || params->attract < 0) {
            const real distance = real3_length(real3_sub(real3_make(0, 0, (real)PBD_CENTRE_Z(*ref->frame)), x));
            off += w.h * pull * (6 * U + ROOT + QUOTIENT) * distance / (real)params->attract_radius;
        }
        v = real3_scale(real3_add_scaled(v, w.h, a), (real)PBD_DRAG(*ref->frame));
        v = capped(v, (real)params->max_speed, &off);
    }
    pbd_moved p = {.value = real3_add_scaled(x, w.h, v)};
    p.slack = w.h * (off + 2 * U * real3_length(v)) + U * real3_length(p.value);
    return p;
}

void VFX_REF(pbd_predict_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const uint64_t n = pbd_params_of(ref)->particles;
    pbd_predict *out = ref->out[PBD_BUFFER_PREDICT];
    for (uint64_t item = first; item < first + count; item++) {
        const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)(item / n));
        const pbd_moved p = VFX_REF(pbd_predicted)(ref, w.substep, item % n);
        out[item].position = vec3_of(p.value);
        out[item].key = VFX_REF(pbd_key_of)(&w, w.predict[item % n].position); /* of the position that is there */
        if (ref->ill[PBD_BUFFER_PREDICT] != NULL)
            ref->ill[PBD_BUFFER_PREDICT][item] = 0;
    }
}

/* ----------------------------------------------------------------------------------------- velocity */

/* From the start of the substep to `time`, per second. */
static real3 speed_to(const pbd_world *w, uint32_t time, uint64_t i, real *off)
{
    const real3 moved = real3_sub(pbd_position_of(w, time, i), pbd_position_of(w, 0, i));
    *off += (U + QUOTIENT) * real3_length(moved) / w->h;
    return pbd_over(moved, w->h);
}

static pbd_moved velocity_before_bounce(const pbd_world *w, uint64_t i)
{
    const uint32_t last = w->params->iterations + 1;
    const real3 x = pbd_position_of(w, last, i), p = pbd_position_of(w, 1, i), y = pbd_position_of(w, 0, i);
    const real most = (real)w->params->max_push * w->h;
    pbd_moved v = {.value = real3_make(0, 0, 0)};
    if (pbd_is_unyielding(w, i))
        return v;
    real off = 0;
    const real3 push = real3_sub(x, p), kept = capped(push, most, &off);
    if (off > 0) { /* capped, or within rounding of it */
        const real3 end = real3_add(p, kept);
        v.value = pbd_over(real3_sub(end, y), w->h);
        v.slack = (off + 2 * U * real3_length(push) + U * real3_length(end)) / w->h;
        v.slack += (U + QUOTIENT) * real3_length(v.value);
    } else {
        v.value = speed_to(w, last, i, &v.slack);
    }
    v.value = capped(v.value, (real)w->params->max_speed, &v.slack);
    return v;
}

/* ----------------------------------------------------------------------------------------- bounces */

/* Fast enough to bounce? *ill: within rounding of it. */
static bool is_fast(const pbd_world *w, real before, real off, bool *ill)
{
    const real threshold = -2 * real_abs((real)w->params->gravity) * w->h;
    *ill = *ill || real_abs(before - threshold) <= off + 4 * U * real_abs(threshold);
    return before < threshold;
}

static void bounce_off_particles(const pbd_world *w, uint64_t i, pbd_moved *v)
{
    const uint32_t last = w->params->iterations + 1;
    const real e = (real)w->params->restitution;
    pbd_walk walk = VFX_REF(pbd_walk_at)(w, i, last);
    real3 sum = real3_make(0, 0, 0);
    real sizes = 0, slack = 0, number = 0;
    for (uint64_t j = 0; e > 0 && VFX_REF(pbd_walk_next)(&walk, &j);) {
        const pbd_pair pair = VFX_REF(pbd_pair_of)(w, last, i, j);
        const real reach = pair.reach * (real)PBD_TOUCH;
        if (pbd_is_binned(w, i) || pbd_is_binned(w, j) || pair.distance <= EPSILON)
            continue;
        const real unsure = 2 * pair.off_overlap + 4 * U * reach;
        if (pair.distance > reach + unsure)
            continue;
        real off = 0;
        const real3 predicted = real3_sub(speed_to(w, 1, i, &off), speed_to(w, 1, j, &off));
        const real3 present = real3_sub(speed_to(w, last, i, &off), speed_to(w, last, j, &off));
        const real before = real3_dot(predicted, pair.normal), now = real3_dot(present, pair.normal);
        off += (real3_length(predicted) + real3_length(present)) * (pair.off_normal + 5 * U);
        bool ill = pair.distance > reach - unsure;
        if (!is_fast(w, before, off, &ill) || pair.distance > reach) {
            v->ill = v->ill || (ill && before < 0 && pair.distance <= reach + unsure);
            continue;
        }
        const real gain = pair.weight * real_max(-e * before - now, 0);
        v->ill = v->ill || ill;
        sum = real3_add_scaled(sum, gain, pair.normal);
        sizes += gain;
        slack += 2 * off + 12 * U * real_max(-e * before - now, 0) + gain * (pair.off_normal + 4 * U);
        number += 1;
    }
    if (!(number > 0))
        return;
    v->value = real3_add(v->value, pbd_over(sum, number));
    v->slack += (slack + (number * U + QUOTIENT) * sizes) / number + U * real3_length(v->value);
}

static void bounce_off_face(const pbd_world *w, uint64_t i, const pbd_collider *q, uint32_t face, pbd_moved *v)
{
    const uint32_t last = w->params->iterations + 1;
    const real radius = (real)pbd_trace_of(w, 0, i)->radius * (real)PBD_TOUCH;
    const pbd_surface s = VFX_REF(pbd_surface_of)(w, q, face, pbd_position_of(w, last, i));
    const real unsure = s.off + 2 * U * radius;
    if (s.phi > radius + unsure || (!s.there && !s.ill))
        return;
    const real3 u = real3_of(q->velocity);
    real off = 0;
    const real3 predicted = real3_sub(speed_to(w, 1, i, &off), u), present = real3_sub(v->value, u);
    const real turn = s.bend > 0 ? real_min(2, 4 * U + 2 * ROOT + QUOTIENT + s.bend * s.off) : 0;
    const real before = real3_dot(predicted, s.normal), now = real3_dot(present, s.normal);
    off += (real3_length(predicted) + real3_length(present)) * (turn + 6 * U) + v->slack;
    bool ill = s.ill || real_abs(s.phi - radius) <= unsure;
    const bool fast = is_fast(w, before, off, &ill);
    const real gain = real_max(-(real)q->restitution * before - now, 0);
    v->ill = v->ill || (ill && (fast || gain > 0));
    if (!fast || s.phi > radius || !s.there)
        return;
    v->value = real3_add_scaled(v->value, gain, s.normal);
    v->slack += 2 * off + gain * (turn + 4 * U) + U * real3_length(v->value);
}

pbd_moved VFX_REF(pbd_final_velocity)(const pbd_world *w, uint64_t i)
{
    const pbd_collider *rows = w->ref->in[PBD_BUFFER_COLLIDER];
    pbd_moved v = velocity_before_bounce(w, i);
    if (pbd_is_unyielding(w, i))
        return v;
    bounce_off_particles(w, i, &v);
    for (uint32_t row = 0; row < (uint32_t)PBD_COLLIDERS(*w->ref->frame); row++)
        for (uint32_t face = 0; rows[row].restitution > 0 && face < VFX_REF(pbd_faces)(&rows[row]); face++)
            bounce_off_face(w, i, &rows[row], face, &v);
    return v;
}

/* ----------------------------------------------------------------------------------------- contacts */

/* Was slot i dropped from its cell, or how many neighbours were from its list? */
static uint32_t dropped_of(const pbd_world *w, uint64_t i)
{
    if (w->variant == PBD_LIST) {
        const uint32_t listed = w->status[i].listed, most = w->params->list_capacity;
        return listed > most ? listed - most : 0;
    }
    if (w->variant != PBD_CAPPED || pbd_is_binned(w, i))
        return 0;
    const uint64_t key = w->predict[i].key; /* slot = index */
    if (key >= w->cells || w->count[key] <= w->params->capacity)
        return 0;
    for (uint32_t s = 0; s < w->params->capacity; s++)
        if (w->slot[key * w->params->capacity + s] == i)
            return 0;
    return 1;
}

real VFX_REF(pbd_deepest)(const pbd_world *w, uint64_t i, pbd_contact *contact, bool *ill)
{
    const uint32_t last = w->params->iterations + 1;
    real depth = 0, off = 0;
    *contact = (pbd_contact){.dropped = dropped_of(w, i)};
    if (!w->params->measure) {
        contact->contacts = w->status[i].contacts;
        return 0;
    }
    pbd_walk walk = VFX_REF(pbd_walk_at)(w, i, last);
    for (uint64_t j = 0; VFX_REF(pbd_walk_next)(&walk, &j);) {
        const pbd_pair pair = VFX_REF(pbd_pair_of)(w, last, i, j);
        *ill = *ill || pair.ill;
        if (!pair.hit)
            continue;
        contact->contacts++;
        depth = real_max(depth, pair.overlap);
        off = real_max(off, pair.off_overlap);
    }
    contact->depth = (float)depth;
    contact->candidates = walk.looked;
    return off;
}

/* ------------------------------------------------------------------------------------------- finish */

static void store_particle(const pbd_world *w, uint64_t i, const pbd_moved *v)
{
    const vfx_ref *ref = w->ref;
    const pbd_trace *last = pbd_trace_of(w, w->params->iterations + 1, i);
    const pbd_sorted *sorted = &w->sorted[i];
    pbd_contact *contacts = ref->out[PBD_BUFFER_CONTACT];
    bool ill = false;
    ((pbd_particle *)ref->out[PBD_BUFFER_PARTICLE])[i] = (pbd_particle){
        .position = last->position,
        .radius = last->radius,
        .velocity = vec3_of(v->value),
        .mass = sorted->mass,
        .id = sorted->id,
        .flags = sorted->flags & ~PBD_BINNED,
    };
    if (ref->ill[PBD_BUFFER_PARTICLE] != NULL)
        ref->ill[PBD_BUFFER_PARTICLE][i] = v->ill;
    if (contacts != NULL)
        (void)VFX_REF(pbd_deepest)(w, i, &contacts[i], &ill);
    if (ref->ill[PBD_BUFFER_CONTACT] != NULL)
        ref->ill[PBD_BUFFER_CONTACT][i] = ill;
}

void VFX_REF(pbd_finish_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const pbd_params *params = pbd_params_of(ref);
    const uint64_t n = params->particles;
    for (uint64_t item = first; item < first + count; item++) {
        const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)(item / n));
        const pbd_moved v = VFX_REF(pbd_final_velocity)(&w, item % n);
        if (w.substep + 1 == params->substeps) {
            store_particle(&w, item % n, &v);
            continue;
        }
        ((pbd_velocity *)ref->out[PBD_BUFFER_VELOCITY])[item] = (pbd_velocity){.velocity = vec3_of(v.value)};
        if (ref->ill[PBD_BUFFER_VELOCITY] != NULL)
            ref->ill[PBD_BUFFER_VELOCITY][item] = v.ill;
    }
}
