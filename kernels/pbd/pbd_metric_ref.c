/* pbd_metric_ref.c - the stage metric: the frame's figures, summed one particle after the other, and what sums of
 * floats in another order may be off by. Compiled twice over `real`. */
#include "kernels/pbd/pbd_real.h"

#include <math.h>

/* Sums over the particles that count, of values and of their sizes. */
typedef struct sums {
    uint64_t particles; /* finite ones */
    uint32_t non_finite, outside;
    real mass, kinetic, speed_square, depth_square;
    real3 momentum, moment; /* moment: sum of m x */
    real3 momentum_size, moment_size;
} sums;

static real3 sizes_of(real3 v)
{
    return real3_make(real_abs(v.x), real_abs(v.y), real_abs(v.z));
}

static bool is_finite(const pbd_particle *p)
{
    return isfinite(p->position.x) && isfinite(p->position.y) && isfinite(p->position.z) && isfinite(p->velocity.x) &&
           isfinite(p->velocity.y) && isfinite(p->velocity.z);
}

static void add_particle(sums *s, const pbd_particle *p, const pbd_contact *contact)
{
    const real3 x = real3_of(p->position), v = real3_of(p->velocity);
    const real mass = (real)p->mass, depth = (real)contact->depth;
    s->particles++;
    s->mass += mass;
    s->speed_square += real3_dot(v, v);
    s->kinetic += mass * real3_dot(v, v) / 2;
    s->depth_square += depth * depth;
    s->momentum = real3_add_scaled(s->momentum, mass, v);
    s->moment = real3_add_scaled(s->moment, mass, x);
    s->momentum_size = real3_add_scaled(s->momentum_size, mass, sizes_of(v));
    s->moment_size = real3_add_scaled(s->moment_size, mass, sizes_of(x));
}

static sums sums_of(const vfx_ref *ref)
{
    const pbd_world w = VFX_REF(pbd_world_of)(ref, 0);
    const pbd_particle *particles = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_contact *contacts = ref->in[PBD_BUFFER_CONTACT];
    sums s = {0};
    for (uint64_t i = 0; i < w.n; i++) {
        if (!is_finite(&particles[i])) {
            s.non_finite++;
            continue;
        }
        s.outside += VFX_REF(pbd_is_outside)(&w, particles[i].position);
        add_particle(&s, &particles[i], &contacts[i]);
    }
    return s;
}

/* ------------------------------------------------------------------------------------------- counts */

static uint32_t *bin_of(pbd_metric *m, uint32_t contacts)
{
    uvec4 *four = contacts < 4 ? &m->histogram0 : contacts < 8 ? &m->histogram4 : &m->histogram8;
    const uint32_t place = contacts < 11 ? contacts % 4 : 3;
    return place == 0 ? &four->x : place == 1 ? &four->y : place == 2 ? &four->z : &four->w;
}

static void count_contacts(const vfx_ref *ref, pbd_metric *m)
{
    const pbd_particle *particles = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_contact *contacts = ref->in[PBD_BUFFER_CONTACT];
    for (uint64_t i = 0; i < pbd_params_of(ref)->particles; i++) {
        if (!is_finite(&particles[i]))
            continue;
        m->contacts += contacts[i].contacts;
        m->candidates += contacts[i].candidates;
        m->dropped += contacts[i].dropped;
        if (contacts[i].contacts > m->most_contacts)
            m->most_contacts = contacts[i].contacts;
        if (contacts[i].depth > m->depth_max)
            m->depth_max = contacts[i].depth;
        ++*bin_of(m, contacts[i].contacts);
        for (uint32_t r = 0; r < pbd_params_of(ref)->substeps; r++)
            m->violations += VFX_REF(pbd_world_of)(ref, r).status[i].violations;
    }
}

static void count_crowds(const vfx_ref *ref, pbd_metric *m)
{
    const pbd_world w = VFX_REF(pbd_world_of)(ref, pbd_params_of(ref)->substeps - 1);
    const uint64_t cells = w.variant == PBD_HASHED || w.cells == 0 ? w.cells : w.cells - 1; /* without the bin */
    for (uint64_t key = 0; key < cells && w.count != NULL; key++) {
        if (w.count[key] > m->worst_cell)
            m->worst_cell = w.count[key];
        m->full_cells += w.variant == PBD_CAPPED && w.count[key] > w.params->capacity;
    }
}

void VFX_REF(pbd_metric_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    pbd_metric *out = ref->out[PBD_BUFFER_METRIC];
    if (first > 0 || count == 0)
        return;
    const sums s = sums_of(ref);
    const real particles = (real)(s.particles > 0 ? s.particles : 1);
    pbd_metric m = {.non_finite = s.non_finite, .outside = s.outside};
    m.momentum = vec3_of(s.momentum);
    m.kinetic = (float)s.kinetic;
    m.centre = vec3_of(pbd_over(s.moment, s.mass > 0 ? s.mass : 1));
    m.mass = (float)s.mass;
    m.speed_rms = (float)real_sqrt(s.speed_square / particles);
    m.depth_rms = (float)real_sqrt(s.depth_square / particles);
    count_contacts(ref, &m);
    count_crowds(ref, &m);
    *out = m;
    if (ref->ill[PBD_BUFFER_METRIC] != NULL)
        ref->ill[PBD_BUFFER_METRIC][0] = 0;
}

/* ------------------------------------------------------------------------------------------- limits */

/* Roundings on the way of one term through the sum: those of the term, the additions of an invocation, the fold of the
 * 32 invocations of a part (in any order), the additions over the parts and the fold of those. */
static real chain(const vfx_ref *ref)
{
    const uint64_t n = pbd_params_of(ref)->particles, parts = PBD_PARTS(n);
    const uint64_t own = (n + parts * PBD_LANES - 1) / (parts * PBD_LANES), over = (parts + PBD_LANES - 1) / PBD_LANES;
    return (real)(8 + own + over + 2 * PBD_LANES) * U;
}

static real most_of(real3 v)
{
    return real_max(v.x, real_max(v.y, v.z));
}

double VFX_REF(pbd_momentum_scale)(const vfx_ref *ref, uint64_t record)
{
    (void)record;
    return (double)(chain(ref) * most_of(sums_of(ref).momentum_size));
}

double VFX_REF(pbd_kinetic_scale)(const vfx_ref *ref, uint64_t record)
{
    (void)record;
    return (double)(chain(ref) * sums_of(ref).kinetic);
}

double VFX_REF(pbd_mass_scale)(const vfx_ref *ref, uint64_t record)
{
    (void)record;
    return (double)(chain(ref) * sums_of(ref).mass);
}

double VFX_REF(pbd_centre_scale)(const vfx_ref *ref, uint64_t record)
{
    (void)record;
    const sums s = sums_of(ref);
    return (double)((2 * chain(ref) + QUOTIENT + U) * most_of(s.moment_size) / (s.mass > 0 ? s.mass : 1));
}

double VFX_REF(pbd_depth_rms_scale)(const vfx_ref *ref, uint64_t record)
{
    (void)record;
    const sums s = sums_of(ref);
    const real rms = real_sqrt(s.depth_square / (real)(s.particles > 0 ? s.particles : 1));
    return (double)((chain(ref) + QUOTIENT + ROOT) * rms);
}

double VFX_REF(pbd_speed_rms_scale)(const vfx_ref *ref, uint64_t record)
{
    (void)record;
    const sums s = sums_of(ref);
    const real rms = real_sqrt(s.speed_square / (real)(s.particles > 0 ? s.particles : 1));
    return (double)((chain(ref) + QUOTIENT + ROOT) * rms);
}
