/* pbd_contact_ref.c - the stage iterate: pairs in contact, their offsets and friction, and where a slot goes. Nothing
 * is accumulated on the way: what the device keeps from iteration to iteration (PUSH, TALLY) is recomputed here from
 * the positions of the trace. Compiled twice over `real`. */
#include "kernels/pbd/pbd_real.h"

/* -------------------------------------------------------------------------------------------- pairs */

/* pbd_direction of the header, for the slot with the smaller id. */
static real3 hashed_direction(const pbd_world *w, uint32_t low, uint32_t high, real *off)
{
    const uint32_t in[3] = {low, high, PBD_STREAM_DIRECTION ^ w->ref->frame->seed};
    uint32_t word[3];
    reference_pcg3d(in, word);
    const real z = 2 * ((real)(word[0] >> 8) * (real)0x1p-24) - 1, turns = (real)(word[1] >> 8) * (real)0x1p-24;
    const real q = real_sqrt(real_max(1 - z * z, 0));
    *off = 40 * U + 2 * U / real_max(q, (real)0x1p-12);
    return real3_make(q * real_cos_turns(turns), q * real_sin_turns(turns), z);
}

static real weight_of(const pbd_world *w, uint64_t i, uint64_t j)
{
    const real mi = (real)w->sorted[i].mass, mj = (real)w->sorted[j].mass;
    const real percent = (real)w->params->unyielding_percent;
    const bool fixed_i = pbd_is_unyielding(w, i), fixed_j = pbd_is_unyielding(w, j);
    real share = mi / (mi + mj);
    if (fixed_j && !fixed_i)
        share = real_mix(share, 0, percent);
    if (fixed_i && !fixed_j)
        share = real_mix(share, 1, percent);
    return 1 - share;
}

/* Where the two stand to each other; `hit` and `ill` for the overlap alone. */
pbd_pair VFX_REF(pbd_pair_of)(const pbd_world *w, uint32_t time, uint64_t i, uint64_t j)
{
    const real3 d = real3_sub(pbd_position_of(w, time, i), pbd_position_of(w, time, j));
    const real distance = real3_length(d), off = (3 * U + ROOT) * distance;
    pbd_pair pair = {.distance = distance, .weight = weight_of(w, i, j)};
    pair.reach = (real)pbd_trace_of(w, time, i)->radius + (real)pbd_trace_of(w, time, j)->radius;
    if (pbd_is_binned(w, i) || pbd_is_binned(w, j))
        return pair;
    pair.ill = real_abs(distance - EPSILON) <= off;
    if (distance > EPSILON) {
        pair.normal = pbd_over(d, distance);
        pair.off_normal = 4 * U + ROOT + QUOTIENT;
    } else {
        const uint32_t a = w->sorted[i].id, b = w->sorted[j].id;
        pair.distance = 0;
        pair.normal = hashed_direction(w, a < b ? a : b, a < b ? b : a, &pair.off_normal);
        if (a > b)
            pair.normal = real3_scale(pair.normal, -1);
    }
    pair.overlap = pair.reach - pair.distance;
    pair.off_overlap = U * pair.reach + (pair.distance > 0 ? off : 0) + U * real_abs(pair.overlap);
    pair.hit = pair.overlap > EPSILON && (distance > EPSILON || w->params->coincident == PBD_COINCIDENT_SEPARATE);
    if (real_abs(pair.overlap - EPSILON) <= pair.off_overlap)
        pair.ill = true;
    return pair;
}

/* ----------------------------------------------------------------------------------------- friction */

/* The slip of a pair since the start of the substep, across its normal. */
typedef struct slip {
    real3 across;
    real length, off; /* off: of either */
} slip;

static slip slip_of(const pbd_world *w, uint32_t time, uint64_t i, uint64_t j, const pbd_pair *pair)
{
    const real3 own = real3_sub(pbd_position_of(w, time, i), pbd_position_of(w, 0, i));
    const real3 other = real3_sub(pbd_position_of(w, time, j), pbd_position_of(w, 0, j));
    const real3 s = real3_sub(own, other);
    slip t = {.across = real3_reject(s, pair->normal)};
    t.length = real3_length(t.across);
    t.off = 2 * U * (real3_length(own) + real3_length(other)) + real3_length(s) * (2 * pair->off_normal + 8 * U);
    return t;
}

pbd_grip VFX_REF(pbd_grip_of)(real fixed, real kinetic, pbd_pressed load, real z, real off_z)
{
    const real most = fixed * load.depth - load.spent, slide = kinetic * load.depth - load.spent;
    const real rounding = 8 * U * (fixed * load.depth + kinetic * load.depth + load.spent) + load.off_spent;
    const real off_most = off_z + fixed * load.off_depth + rounding, off_slide = kinetic * load.off_depth + rounding;
    pbd_grip grip = {.off_spent = load.off_spent};
    if (!(z >= TINY)) {
        grip.off = TINY + off_z; /* a slip of which nothing is left is cancelled or not */
        return grip;
    }
    const real share = real_clamp(slide / z, 0, 1), jump = (1 - share) * z;
    grip.share = z < most ? 1 : share;
    grip.off = grip.share < 1 ? 2 * off_z * share + off_slide : off_z + 2 * U * z;
    grip.off_spent = grip.share < 1 ? off_slide : load.off_spent + off_z + 2 * U * z;
    if (z < TINY + off_z)
        grip.off += TINY + off_z;
    if (real_abs(z - most) <= off_most) { /* the two branches differ by the jump */
        grip.ill = jump > 4 * off_most;
        grip.off += grip.ill ? 0 : jump;
        grip.off_spent += grip.ill ? 0 : jump;
    }
    return grip;
}

/* ------------------------------------------------------------------------------- what a pair does */

/* A pair at iteration k: its contact, its slip and what friction leaves of it. */
typedef struct touch {
    pbd_pair pair;
    slip slip;
    pbd_grip grip;
    bool ill; /* of friction, now or before */
} touch;

/* variant list: the contact of a pair that has pressed goes on, with an overlap of 0. */
static void linger(pbd_pair *pair, real pressed)
{
    if (pair->hit || !(pressed > 0) || !(pair->distance > EPSILON))
        return;
    pair->hit = true;
    pair->overlap = 0;
    pair->off_overlap = 0;
}

static touch touch_of(const pbd_world *w, uint32_t k, uint64_t i, uint64_t j)
{
    const real fixed = (real)w->params->friction_static, kinetic = (real)w->params->friction_kinetic;
    const bool lasting = w->variant == PBD_LIST;
    touch t = {.pair = VFX_REF(pbd_pair_of)(w, k + 1, i, j)};
    if (!pbd_rubs(w->params) || (!lasting && !t.pair.hit))
        return t;
    pbd_pressed load = {0};
    bool ill_pair = false, ill_grip = false;
    for (uint32_t time = lasting ? 1 : k + 1; time <= k + 1; time++) {
        t = (touch){.pair = VFX_REF(pbd_pair_of)(w, time, i, j)};
        ill_pair = ill_pair || t.pair.ill;
        if (t.pair.hit)
            load.depth += t.pair.overlap, load.off_depth += t.pair.off_overlap;
        if (lasting)
            linger(&t.pair, load.depth);
        if (!t.pair.hit)
            continue;
        t.slip = slip_of(w, time, i, j, &t.pair);
        t.grip = VFX_REF(pbd_grip_of)(fixed, kinetic, load, t.slip.length, t.slip.off);
        ill_grip = ill_grip || t.grip.ill;
        load.spent += t.grip.share * t.slip.length;
        load.off_spent = t.grip.off_spent;
    }
    t.pair.ill = ill_pair;
    t.ill = ill_grip;
    return t;
}

/* w o n - t (w f), and its bound. */
static real3 offset_of(const touch *t, real *off)
{
    const pbd_pair *pair = &t->pair;
    const real3 push = real3_scale(pair->normal, pair->weight * pair->overlap);
    const real3 drag = real3_scale(real3_scale(t->slip.across, t->grip.share), pair->weight);
    const real slid = t->grip.share * t->slip.length, turned = pair->overlap * (pair->off_normal + 3 * U);
    *off = pair->weight * (pair->off_overlap + turned + t->grip.off + 2 * U * slid) +
           12 * U * (pair->overlap + slid); /* of the weight */
    return real3_sub(push, drag);
}

/* ------------------------------------------------------------------------------------------ iterate */

static pbd_tally contacts_of(const pbd_world *w, uint32_t k, uint64_t i)
{
    pbd_walk walk = VFX_REF(pbd_walk_at)(w, i, k + 1);
    pbd_tally tally = {0};
    for (uint64_t j = 0; VFX_REF(pbd_walk_next)(&walk, &j);) {
        const pbd_pair pair = touch_of(w, k, i, j).pair;
        tally.contacts += pair.hit;
        tally.unsure += pair.ill;
    }
    return tally;
}

/* The larger of two counts. *ill: another may be, if the unsure contacts are otherwise. */
static uint32_t larger_tally(pbd_tally a, pbd_tally b, bool *ill)
{
    const uint32_t larger = a.contacts > b.contacts ? a.contacts : b.contacts;
    *ill = *ill || a.contacts + a.unsure > larger || b.contacts + b.unsure > larger;
    return larger;
}

static real divisor_of(const pbd_world *w, uint32_t contacts)
{
    const real divisor = (real)contacts * (real)w->params->relaxation;
    return w->params->clamp ? real_max(divisor, 1) : divisor;
}

pbd_moved VFX_REF(pbd_iterate)(const pbd_world *w, uint32_t k, uint64_t i, pbd_tally *tally)
{
    const bool symmetric = w->params->solver == PBD_SOLVER_CONSERVING;
    const pbd_tally own = symmetric ? contacts_of(w, k, i) : (pbd_tally){0};
    pbd_moved x = {.value = pbd_position_of(w, k + 1, i)};
    pbd_walk walk = VFX_REF(pbd_walk_at)(w, i, k + 1);
    real3 sum = real3_make(0, 0, 0);
    real sum_sizes = 0, slack = 0;
    *tally = (pbd_tally){0};
    for (uint64_t j = 0; VFX_REF(pbd_walk_next)(&walk, &j);) {
        const touch t = touch_of(w, k, i, j);
        tally->unsure += t.pair.ill;
        x.ill = x.ill || t.pair.ill || t.ill;
        if (!t.pair.hit)
            continue;
        real off = 0, divisor = 1;
        const real3 offset = offset_of(&t, &off);
        tally->contacts++;
        if (symmetric)
            divisor = divisor_of(w, larger_tally(own, contacts_of(w, k, j), &x.ill));
        sum = real3_add(sum, pbd_over(offset, divisor));
        sum_sizes += real3_length(offset) / divisor;
        slack += off / divisor;
    }
    if (tally->contacts > 0) {
        const real divisor = symmetric ? 1 : divisor_of(w, tally->contacts);
        x.value = real3_add(x.value, pbd_over(sum, divisor));
        x.slack = (slack + ((real)tally->contacts + QUOTIENT / U + 2) * U * sum_sizes) / divisor;
        x.slack += U * real3_length(x.value);
    }
    if (!pbd_is_unyielding(w, i))
        VFX_REF(pbd_collide)(w, i, &x);
    return x;
}

static void store_status(const pbd_world *w, uint64_t i, pbd_tally tally)
{
    const uint32_t last = w->params->iterations - 1;
    const uint64_t record = w->substep * w->n + i;
    pbd_status status = {.contacts = tally.contacts, .collided = tally.contacts > 0};
    bool ill_contact = tally.unsure > 0, ill_skin = false;
    for (uint32_t k = 0; k < last; k++) {
        if (!status.collided) {
            const pbd_tally earlier = contacts_of(w, k, i);
            status.collided = earlier.contacts > 0;
            ill_contact = ill_contact || earlier.unsure > 0;
        }
        if (w->variant != PBD_LIST || pbd_is_binned(w, i))
            continue;
        const real3 moved = real3_sub(pbd_position_of(w, k + 2, i), pbd_position_of(w, 1, i));
        const real distance = real3_length(moved), half = (real)PBD_SKIN(*w->ref->frame) / 2;
        status.violations += distance > half;
        ill_skin = ill_skin || real_abs(distance - half) < (3 * U + ROOT) * distance; /* not 0: that is exact */
    }
    if (w->variant == PBD_LIST)
        status.listed = w->status[i].listed;
    ((pbd_status *)w->ref->out[PBD_BUFFER_STATUS])[record] = status;
    if (w->ref->ill[PBD_BUFFER_STATUS] != NULL)
        w->ref->ill[PBD_BUFFER_STATUS][record] =
            (uint8_t)((ill_contact ? PBD_ILL_CONTACT : 0) | (ill_skin ? PBD_ILL_SKIN : 0));
}

void VFX_REF(pbd_iterate_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const pbd_params *params = pbd_params_of(ref);
    const uint64_t n = params->particles, iterations = params->iterations;
    pbd_trace *trace = ref->out[PBD_BUFFER_TRACE];
    for (uint64_t item = first; item < first + count; item++) {
        const uint64_t i = item % n, k = item / n % iterations, r = item / n / iterations;
        const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)r);
        const uint64_t record = (r * (iterations + 2) + k + 2) * n + i;
        pbd_tally tally;
        const pbd_moved x = VFX_REF(pbd_iterate)(&w, (uint32_t)k, i, &tally);
        for (uint64_t time = 0; k == 0 && time < 2; time++) /* the slots that `sort` wrote */
            trace[record - (2 - time) * n] = *pbd_trace_of(&w, (uint32_t)time, i);
        trace[record] = (pbd_trace){vec3_of(x.value), pbd_trace_of(&w, 0, i)->radius};
        if (ref->ill[PBD_BUFFER_TRACE] != NULL)
            ref->ill[PBD_BUFFER_TRACE][record] = x.ill;
        if (k + 1 == iterations)
            store_status(&w, i, tally);
    }
}
