/* pbd_invariants.c - properties that any frame of particles must have, whoever computed it. All in double and from the
 * results of that frame alone. */
#include "core/params.h"
#include "kernels/pbd/pbd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const pbd_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, pbd_params);
}

static double dot(vec3 a, vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* "slot 12: <what> is <value>, wanted <wanted>"; returns false. */
static bool fails(uint64_t slot, const char *what, double value, double wanted, char *why, size_t bytes)
{
    (void)snprintf(why, bytes, "slot %llu: %s is %.9g, wanted %.9g", (unsigned long long)slot, what, value, wanted);
    return false;
}

/* The same of the whole frame. */
static bool total_fails(const char *what, double value, double wanted, char *why, size_t bytes)
{
    (void)snprintf(why, bytes, "%s is %.9g, wanted %.9g", what, value, wanted);
    return false;
}

/* Records of the last substep; `each` of them in one substep. */
static const void *last_substep(const vfx_ref *ref, uint32_t row, uint64_t each)
{
    const char *records = ref->in[row];
    return records + (params_of(ref)->substeps - 1u) * each * ref->kase->kernel->buffers[row].stride;
}

/* ------------------------------------------------------------------------------------------- finite */

static bool finite3(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool finite_holds(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_particle *state = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_trace *trace = ref->in[PBD_BUFFER_TRACE];
    const pbd_metric *metric = ref->in[PBD_BUFFER_METRIC];
    for (uint64_t i = 0; i < ref->count[PBD_BUFFER_PARTICLE]; i++)
        if (!finite3(state[i].position) || !finite3(state[i].velocity))
            return fails(i, "a position or velocity", NAN, 0.0, why, bytes);
    for (uint64_t i = 0; i < ref->count[PBD_BUFFER_TRACE]; i++)
        if (!finite3(trace[i].position))
            return fails(i, "a position of the trace", NAN, 0.0, why, bytes);
    return metric->non_finite == 0 || total_fails("METRIC.non_finite", metric->non_finite, 0.0, why, bytes);
}

/* --------------------------------------------------------------------------------------------- ids */

static bool ids_hold(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_particle *state = ref->in[PBD_BUFFER_PARTICLE];
    uint64_t n = ref->count[PBD_BUFFER_PARTICLE];
    uint8_t *seen = calloc(n, 1);
    bool holds = seen != NULL;
    if (!holds)
        (void)snprintf(why, bytes, "out of memory for %llu marks", (unsigned long long)n);
    for (uint64_t i = 0; holds && i < n; i++) {
        holds = state[i].id < n && !seen[state[i].id];
        if (!holds)
            (void)snprintf(why, bytes, "slot %llu: id %u is not one of 0..%llu, or another slot has it too",
                           (unsigned long long)i, state[i].id, (unsigned long long)(n - 1u));
        else
            seen[state[i].id] = 1;
    }
    free(seen);
    return holds;
}

/* ------------------------------------------------------------------------------------------- walls */

/* The walls are the last collider, unless there is an obstacle, which may push a particle through them. They bring it
 * back to within a few roundings of a coordinate: of the domain, and of where the last iteration had it before. */
static bool walls_hold(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_params *params = params_of(ref);
    const uint64_t n = pbd_particle_count(ref->kase);
    const pbd_particle *state = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_trace *before = last_substep(ref, PBD_BUFFER_TRACE, (params->iterations + 2ull) * n);
    const double half_x = 0.5 * (double)params->size_x, half_y = 0.5 * (double)params->size_y;
    const double deepest = 2.0 * (double)pbd_largest_radius(ref->kase) * (1.0 + (double)params->friction_static);
    const double domain = half_x + half_y + (double)params->size_z + deepest / (double)params->relaxation;
    if (!params->walls || params->obstacle != PBD_OBSTACLE_NONE)
        return true;
    for (uint64_t i = 0; i < n; i++) {
        const pbd_particle *p = &state[i];
        const vec3 from = before[params->iterations * n + i].position;
        const double x = (double)p->position.x, y = (double)p->position.y, z = (double)p->position.z;
        const double far = fabs((double)from.x) + fabs((double)from.y) + fabs((double)from.z);
        const double room =
            fmin(fmin(half_x - fabs(x), half_y - fabs(y)), fmin(z, (double)params->size_z - z)) - (double)p->radius;
        if ((p->flags & PBD_UNYIELDING) == 0u && !(room >= -1e-6 * (domain + far)))
            return fails(i, "distance to the walls", room, 0.0, why, bytes);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------- ranges */

/* START is the scan of COUNT, and COUNT counts every particle. */
static bool ranges_hold(const vfx_ref *ref, char *why, size_t bytes)
{
    const uint32_t *count = ref->in[PBD_BUFFER_COUNT], *start = ref->in[PBD_BUFFER_START];
    const uint64_t keys = pbd_cells(ref->kase) + 1u, n = pbd_particle_count(ref->kase);
    for (uint32_t r = 0; count != NULL && r < params_of(ref)->substeps; r++) {
        uint64_t sum = 0;
        for (uint64_t k = 0; k < keys; k++) {
            if (start != NULL && start[r * keys + k] != sum)
                return fails(k, "START of the cell", start[r * keys + k], (double)sum, why, bytes);
            sum += count[r * keys + k];
        }
        if (sum != n || count[r * keys + keys - 1u] != 0u)
            return total_fails("sum of COUNT", (double)sum, (double)n, why, bytes);
    }
    return true;
}

/* ----------------------------------------------------------------------------------------- velocity */

/* Where nothing caps or bounces, v h is the way of the last substep: a difference and a division. */
static bool velocity_holds(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_params *params = params_of(ref);
    const uint64_t n = pbd_particle_count(ref->kase), slots = params->iterations + 2ull;
    const pbd_particle *state = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_trace *start = last_substep(ref, PBD_BUFFER_TRACE, slots * n), *end = start + (slots - 1u) * n;
    const double h = (double)PBD_STEP(*ref->frame);
    if (params->max_push > 0.0f || params->max_speed > 0.0f || params->restitution > 0.0f)
        return true;
    for (uint64_t i = 0; i < n; i++) {
        const bool moves = (state[i].flags & PBD_UNYIELDING) == 0u;
        const float *a = &start[i].position.x, *b = &end[i].position.x, *v = &state[i].velocity.x;
        for (int axis = 0; axis < 3; axis++) {
            const double wanted = moves ? ((double)b[axis] - (double)a[axis]) / h : 0.0;
            if (!(fabs((double)v[axis] - wanted) <= 5e-7 * fabs(wanted) + 1e-30))
                return fails(i, "velocity", (double)v[axis], wanted, why, bytes);
        }
    }
    return true;
}

/* -------------------------------------------------------------------------------------------- sums */

/* METRIC against direct sums over the particles. */
static bool sums_hold(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_particle *state = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_contact *contact = ref->in[PBD_BUFFER_CONTACT];
    const pbd_metric *metric = ref->in[PBD_BUFFER_METRIC];
    const uint64_t n = pbd_particle_count(ref->kase);
    double momentum[3] = {0.0, 0.0, 0.0}, size = 0.0, contacts = 0.0, candidates = 0.0;
    for (uint64_t i = 0; i < n; i++) {
        const double mass = (double)state[i].mass;
        momentum[0] += mass * (double)state[i].velocity.x;
        momentum[1] += mass * (double)state[i].velocity.y;
        momentum[2] += mass * (double)state[i].velocity.z;
        size += mass * sqrt(dot(state[i].velocity, state[i].velocity));
        contacts += contact[i].contacts;
        candidates += contact[i].candidates;
    }
    const double sum[3] = {(double)metric->momentum.x, (double)metric->momentum.y, (double)metric->momentum.z};
    const double slack = 1e-6 * size * sqrt((double)n / 256.0 + 16.0); /* float sums of parts */
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(sum[axis] - momentum[axis]) <= slack))
            return total_fails("METRIC.momentum", sum[axis], momentum[axis], why, bytes);
    if (metric->contacts != (uint32_t)contacts)
        return total_fails("METRIC.contacts", metric->contacts, contacts, why, bytes);
    return candidates > UINT32_MAX || metric->candidates == (uint32_t)candidates ||
           total_fails("METRIC.candidates", metric->candidates, candidates, why, bytes);
}

/* ------------------------------------------------------------------------------------------ dropped */

/* What is dropped is what exceeds the capacities, no more and no less. */
static bool dropped_holds(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_params *params = params_of(ref);
    const pbd_metric *metric = ref->in[PBD_BUFFER_METRIC];
    const uint64_t n = pbd_particle_count(ref->kase), cells = pbd_cells(ref->kase);
    double excess = 0.0;
    if (pbd_variant_of(ref->kase) == PBD_CAPPED) {
        const uint32_t *count = last_substep(ref, PBD_BUFFER_COUNT, cells + 1u);
        const uint64_t used = cells - (params->outside == PBD_OUTSIDE_BIN); /* the bin drops nothing */
        for (uint64_t k = 0; k < used; k++)
            excess += count[k] > params->capacity ? count[k] - params->capacity : 0u;
    } else if (pbd_variant_of(ref->kase) == PBD_LIST) {
        const pbd_status *status = last_substep(ref, PBD_BUFFER_STATUS, n);
        for (uint64_t i = 0; i < n; i++)
            excess += status[i].listed > params->list_capacity ? status[i].listed - params->list_capacity : 0u;
    }
    return fabs(metric->dropped - excess) <= 0.0 || total_fails("METRIC.dropped", metric->dropped, excess, why, bytes);
}

/* --------------------------------------------------------------------------------------------- pile */

/* Pinned for a pile that has come to rest in a box, where it is low: a frame's iterations bear the weight of few
 * layers, and the source's solver lets higher piles sink into themselves. Seen, with 5,000 and 20,000 particles in 4.5
 * layers: rms of the deepest overlaps 0.43 R (conserving 0.57, in 4.9 layers 0.62; 8 substeps 0.01), centre of mass
 * 0.66 to 0.68 of the closest packing's (conserving 0.57 and 0.53; 8 substeps 1.2). PILE_LOW: where every distance is
 * shorter by a share s, the same particles fill (1 - s)^3 of the volume, and between walls that is height. s = 0.57 R /
 * 2 R for all of them, the deepest ones' share, leaves 0.37, though most contacts are less deep. A pile of three layers
 * or more that has fallen into one is at 1/3 or below. */
#define PILE_SECONDS 1.5 /* after which it rests */
#define PILE_FALL 0.0115 /* of the largest radius: a substep's fall for each iteration; 0.011 by default */
#define PILE_LAYERS 5.0  /* heights in largest diameters, of the closest packing */
#define PILE_DEPTH 0.7   /* of the largest radius: rms of the deepest overlaps */
#define PILE_LOW 0.37    /* height of the centre of mass, of that in the closest packing */
#define PILE_HIGH 1.5    /* the same; of the largest radius where there is less than a layer */
#define PILE_OUTRUN 0.01 /* violations, of moves on a list: 4 in 10,000 seen, a third where lists are lost */
#define PILE_SPREAD 2.0  /* largest radius over the smallest, up to which the capacities are made for it */

static bool is_plain_pile(const vfx_ref *ref)
{
    const pbd_params *params = params_of(ref);
    const bool plain = params->scene == PBD_SCENE_PILE && params->floor && params->walls && params->measure &&
                       params->obstacle == PBD_OBSTACLE_NONE && ref->kase->asset == NULL;
    const bool still = fabsf(params->slope) <= 0.0f && fabsf(params->attract) <= 0.0f && params->unyielding <= 0.0f &&
                       params->speed <= 0.0f && params->gravity >= 5.0f;
    const double h = (double)PBD_STEP(*ref->frame), fall = (double)params->gravity * h * h / params->iterations;
    return plain && still && fall <= PILE_FALL * (double)pbd_largest_radius(ref->kase) && params->relaxation >= 0.5f &&
           params->relaxation <= 1.0f && ref->frame->index * (double)ref->frame->dt >= PILE_SECONDS;
}

/* Value of a parameter in kase, and its default. */
static uint32_t set_to(const vfx_case *kase, const char *name, uint32_t *def)
{
    const vfx_param *param = vfx_param_find(kase->kernel, name);
    *def = (uint32_t)param->def;
    return kase->words[param - kase->kernel->params];
}

/* Nothing is dropped, unless from a cell or a skin that the capacities are not made for. */
static bool pile_fits(const vfx_ref *ref, double spread, char *why, size_t bytes)
{
    const pbd_params *params = params_of(ref);
    const pbd_metric *metric = ref->in[PBD_BUFFER_METRIC];
    const char *name = pbd_variant_of(ref->kase) == PBD_LIST ? "list_capacity" : "capacity";
    const float skin = (float)vfx_param_find(ref->kase->kernel, "skin")->def;
    uint32_t def, capacity = set_to(ref->kase, name, &def);
    if (metric->dropped == 0u || spread > PILE_SPREAD || params->cell > 0.0f || params->skin > skin)
        return true;
    if (capacity >= def)
        return total_fails("METRIC.dropped", metric->dropped, 0.0, why, bytes);
    (void)snprintf(why, bytes, "METRIC.dropped is %u, wanted 0: %s = %u is too small for this pile, the default is %u",
                   metric->dropped, name, capacity, def);
    return false;
}

/* Few outrun their lists, if the skin is no thinner than by default. */
static bool pile_keeps_lists(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_params *params = params_of(ref);
    const pbd_metric *metric = ref->in[PBD_BUFFER_METRIC];
    const float skin = (float)vfx_param_find(ref->kase->kernel, "skin")->def;
    const double moves = (double)pbd_particle_count(ref->kase) * params->substeps * (params->iterations - 1u);
    return metric->violations <= PILE_OUTRUN * moves || params->skin < skin ||
           total_fails("METRIC.violations", metric->violations, floor(PILE_OUTRUN * moves), why, bytes);
}

static bool pile_holds(const vfx_ref *ref, char *why, size_t bytes)
{
    const pbd_params *params = params_of(ref);
    const pbd_metric *metric = ref->in[PBD_BUFFER_METRIC];
    const pbd_particle *state = ref->in[PBD_BUFFER_PARTICLE];
    double volume = 0.0, largest = (double)pbd_largest_radius(ref->kase), smallest = largest;
    if (!is_plain_pile(ref))
        return true;
    if (metric->non_finite > 0u)
        return total_fails("METRIC.non_finite", metric->non_finite, 0.0, why, bytes);
    if (metric->outside > 0u)
        return total_fails("METRIC.outside", metric->outside, 0.0, why, bytes);
    for (uint64_t i = 0; i < pbd_particle_count(ref->kase); i++) {
        volume += 4.18879 * (double)state[i].radius * (double)state[i].radius * (double)state[i].radius;
        smallest = fmin(smallest, (double)state[i].radius);
    }
    const double half = 0.5 * volume / 0.74 / ((double)params->size_x * (double)params->size_y);
    const double height = (double)metric->centre.z, depth = (double)metric->depth_rms;
    if (2.0 * half > PILE_LAYERS * 2.0 * largest)
        return true;
    if (!pile_fits(ref, largest / smallest, why, bytes) || !pile_keeps_lists(ref, why, bytes))
        return false;
    if (!(depth <= PILE_DEPTH * largest))
        return total_fails("METRIC.depth_rms", depth, PILE_DEPTH * largest, why, bytes);
    if (!(height >= PILE_LOW * half))
        return total_fails("height of the centre of mass", height, PILE_LOW * half, why, bytes);
    const double highest = PILE_HIGH * fmax(half, largest);
    return height <= highest || total_fails("height of the centre of mass", height, highest, why, bytes);
}

const vfx_invariant pbd_invariants[PBD_INVARIANT_COUNT] = {
    {"finite", finite_holds, "4.9: no parameters within their ranges make a number that is none"},
    {"ids", ids_hold, "particles are neither lost nor doubled"},
    {"walls", walls_hold, "the walls are the last thing that moves a particle"},
    {"ranges", ranges_hold, "START is the exclusive scan of COUNT, which counts every particle"},
    {"velocity", velocity_holds, "v = (x - y) / h where nothing caps it"},
    {"sums", sums_hold, "METRIC is of the state and of CONTACT"},
    {"dropped", dropped_holds, "nothing is dropped unless a capacity is exceeded, and then as much"},
    {"pile", pile_holds, "a pile at rest: pinned bands of penetration and height"},
};
