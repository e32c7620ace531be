/* pbd_device_test.c - what must hold on a device whatever its arithmetic. All six searches find the contacts that all
 * pairs have, in ten thousand small configurations (P7, P9, P10); state does not hang on repetition, workgroups or the
 * order of the input (P19); shifted, mirrored and permuted scenes have the same contacts (P20); bad input is refused by
 * name and small cases are right (P21). Scenes are given as if they were read from an `input` file: row i is id i. */
#include "core/test_device.h"

#include "core/hash.h"
#include "core/platform.h"
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_rows.h"

#include <math.h>
#include <sys/wait.h>

#define FREE "iterations=1,gravity=0,walls=off,floor=off," /* the predictions are the positions */

/* ------------------------------------------------------------------------------------------- running */

/* Rows as of an `input` file. */
typedef struct cast {
    pbd_asset asset;
    uint32_t count;
} cast;

static cast cast_make(uint32_t count)
{
    cast c = {.asset = {.rows = calloc(count, sizeof *c.asset.rows)}, .count = count};
    assert_non_null(c.asset.rows);
    return c;
}

/* A case of preset ci with these particles; without a cast, the scene's own. */
static void make_case(vfx_case *kase, const vfx_kernel *kernel, uint32_t variant, cast *c, const char *set)
{
    assert_vfx_ok(vfx_case_init(kase, kernel, &kernel->variants[variant], "ci"));
    assert_vfx_ok(vfx_case_set_list(kase, set));
    if (c != NULL) {
        char count[32];
        (void)snprintf(count, sizeof count, "particles=%u", c->count);
        assert_vfx_ok(vfx_case_set(kase, count));
        kase->asset = &c->asset;
    }
    assert_vfx_ok(vfx_case_validate(kase));
}

static const pbd_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params);
}

static const pbd_particle *particles_of(const picture *p)
{
    return p->host.buffer[PBD_BUFFER_PARTICLE];
}

static const pbd_metric *metric_of(const picture *p)
{
    return p->host.buffer[PBD_BUFFER_METRIC];
}

/* slots[id] = where the particle lies; every id once. */
static uint32_t *slots_by_id(const picture *p)
{
    const uint32_t n = params_of(&p->kase)->particles;
    uint32_t *slots = malloc(n * sizeof *slots);
    assert_non_null(slots);
    memset(slots, 0xff, n * sizeof *slots);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t id = particles_of(p)[i].id;
        if (id >= n || slots[id] != UINT32_MAX)
            fail_msg("%s: slot %u holds id %u, which is none or was there before", p->kase.variant->name, i, id);
        slots[id] = i;
    }
    return slots;
}

/* A fixed sequence of numbers in [0, 1). */
static double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) * 0x1p-24;
}

/* ---------------------------------------------------------------------------- P7, P9, P10: small configurations */

/* Each configuration is a cluster of MEMBERS around a corner of cells that is shared by no other: ANCHORS of them all
 * over the domain and on all of its sides, FAR ones up to 1e9 m away. A quarter of all coordinates lie on faces of
 * cells, some particles on others. Contacts show whether a search found a set: their number, and where they move a
 * particle. No pair is within 1 mm of touching or parting, so at relaxation 1 each contact moves its particle by 60 um
 * or more, a direction of its own, and positions are held to 1 um: one neighbour for another would be seen. Far away
 * positions are too coarse for that, and so are moves at relaxation 100, where the contacts that are left at the end
 * are compared instead; with `list` the list itself is compared too. */
enum { MEMBERS = 5, GAP = 5, ANCHORS = 8 * 10 * 12, FAR = 64, FULL = ANCHORS + FAR };
#define RADIUS 0.1f /* the largest */
#define SKIN 0.02   /* of variant list: a tenth of the largest diameter */

typedef struct field {
    cast c;
    uint32_t clusters;
    float cell, size[3], low[3];
} field;

/* Row of a cluster's member: neighbours in space are none in the state. */
static uint32_t row_of(const field *f, uint32_t cluster, uint32_t member)
{
    return (uint32_t)((cluster * MEMBERS + member) * 7ull % f->c.count); /* no multiple of 7 */
}

static vec3 place_of(const float row[8])
{
    return (vec3){row[0], row[1], row[2]};
}

static double distance(vec3 a, vec3 b)
{
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

/* May rounding decide whether they touch, are coincident or are listed? */
static bool is_unsure(const float a[8], const float b[8])
{
    const double l = distance(place_of(a), place_of(b)), overlap = (double)a[7] + b[7] - l;
    return (l > 0 && l < 1e-4) || fabs(overlap) < 1e-3 || fabs(overlap + SKIN) < 1e-4;
}

static void place_near(const field *f, uint32_t cluster, uint32_t *seed, float row[8])
{
    static const uint32_t anchors[3] = {8, 10, 12};
    const uint32_t inner = f->clusters - FAR, anchor = cluster * 17 % ANCHORS, far = cluster - inner;
    const uint32_t at[3] = {anchor % anchors[0], anchor / anchors[0] % anchors[1], anchor / anchors[0] / anchors[1]};
    const int direction[3] = {(int)(far % 3) - 1, (int)(far / 3 % 3) - 1, far % 13 < 6 ? -1 : 1};
    for (int axis = 0; axis < 3; axis++) {
        const double on_face = noise(seed), where = noise(seed);
        const double offset = on_face < 0.25 ? floor(3 * where) - 1 : 1.1 * where - 0.55;
        if (cluster < inner)
            row[axis] = (float)(f->low[axis] + (at[axis] * GAP + offset) * f->cell);
        else
            row[axis] = (float)(direction[axis] * pow(10, 3 + far % 7) + offset * f->cell);
    }
    row[6] = (float)(0.5 + noise(seed));
    row[7] = RADIUS * (float)(1 - 0.4 * noise(seed));
}

static void place_member(const field *f, uint32_t cluster, uint32_t member, uint32_t *seed)
{
    float *row = f->c.asset.rows[row_of(f, cluster, member)];
    for (int attempt = 0; attempt < 1000; attempt++) {
        bool unsure = false;
        place_near(f, cluster, seed, row);
        if (member > 0 && noise(seed) < 0.06)
            memcpy(row, f->c.asset.rows[row_of(f, cluster, member - 1)], 3 * sizeof *row);
        for (uint32_t other = 0; other < member; other++)
            unsure = unsure || is_unsure(row, f->c.asset.rows[row_of(f, cluster, other)]);
        if (!unsure)
            return;
    }
    fail_msg("no place for member %u of cluster %u", member, cluster);
}

static field field_make(uint32_t clusters, float cell, uint32_t seed)
{
    field f = {.c = cast_make(clusters * MEMBERS), .clusters = clusters, .cell = cell};
    static const float gaps[3] = {7, 9, 11};
    for (int axis = 0; axis < 3; axis++)
        f.size[axis] = gaps[axis] * GAP * cell;
    f.low[0] = -0.5f * f.size[0], f.low[1] = -0.5f * f.size[1];
    f.c.asset.largest = RADIUS;
    for (uint32_t i = 0; i < clusters * MEMBERS; i++)
        place_member(&f, i / MEMBERS, i % MEMBERS, &seed);
    f.c.asset.rows[row_of(&f, 0, 0)][7] = RADIUS * 0.99f;
    return f;
}

static bool is_outside(const field *f, const float x[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (!(x[axis] >= f->low[axis] && x[axis] <= f->low[axis] + f->size[axis]))
            return true;
    return false;
}

/* ----------------------------------------------------------------------------------------- all pairs, in double */

/* What a frame of one iteration does to a particle. */
typedef struct wanted {
    uint32_t contacts, listed; /* of the cluster: bit k is member k */
    double position[3];
} wanted;

static uint32_t bits_in(uint32_t mask)
{
    uint32_t bits = 0;
    for (; mask != 0; mask &= mask - 1)
        bits++;
    return bits;
}

/* Unit vector from row b to row a, as of a contact. */
static void normal_of(const vfx_case *kase, const field *f, uint32_t a, uint32_t b, double n[3])
{
    const float *x = f->c.asset.rows[a], *y = f->c.asset.rows[b];
    const double l = distance(place_of(x), place_of(y));
    for (int axis = 0; axis < 3 && l > 0; axis++)
        n[axis] = ((double)x[axis] - y[axis]) / l;
    if (l > 0)
        return;
    const vfx_hash3 hash = vfx_pcg3d(a < b ? a : b, a < b ? b : a, PBD_STREAM_DIRECTION ^ kase->seed);
    const double z = 2 * vfx_hash_unit(hash.x) - 1, q = sqrt(1 - z * z), turn = 2 * PBD_PI * vfx_hash_unit(hash.y);
    const double sign = a < b ? 1 : -1;
    n[0] = sign * q * cos(turn), n[1] = sign * q * sin(turn), n[2] = sign * z;
}

static bool is_binned(const vfx_case *kase, const field *f, uint32_t row)
{
    return params_of(kase)->outside == PBD_OUTSIDE_BIN && pbd_variant_of(kase) != PBD_HASHED &&
           is_outside(f, f->c.asset.rows[row]);
}

/* Who touches whom, and who is within the skin. */
static void find_contacts(const vfx_case *kase, const field *f, uint32_t cluster, wanted out[MEMBERS])
{
    memset(out, 0, MEMBERS * sizeof *out);
    for (uint32_t k = 0; k < MEMBERS; k++)
        for (uint32_t m = 0; m < MEMBERS; m++) {
            const uint32_t i = row_of(f, cluster, k), j = row_of(f, cluster, m);
            const float *a = f->c.asset.rows[i], *b = f->c.asset.rows[j];
            const double l = distance(place_of(a), place_of(b)), reach = (double)a[7] + b[7];
            if (k == m || is_binned(kase, f, i) || is_binned(kase, f, j))
                continue;
            if (l < reach && (l > 0 || params_of(kase)->coincident == PBD_COINCIDENT_SEPARATE))
                out[k].contacts |= 1u << m;
            if (l < reach + SKIN)
                out[k].listed |= 1u << m;
        }
}

static double divisor_of(const pbd_params *params, uint32_t contacts)
{
    const double divisor = contacts * (double)params->relaxation;
    return params->clamp ? fmax(divisor, 1) : divisor;
}

static void expect_cluster(const vfx_case *kase, const field *f, uint32_t cluster, wanted out[MEMBERS])
{
    const pbd_params *params = params_of(kase);
    find_contacts(kase, f, cluster, out);
    for (uint32_t k = 0; k < MEMBERS; k++) {
        const uint32_t i = row_of(f, cluster, k), own = bits_in(out[k].contacts);
        const float *a = f->c.asset.rows[i];
        for (int axis = 0; axis < 3; axis++)
            out[k].position[axis] = (double)a[axis];
        for (uint32_t m = 0; m < MEMBERS; m++) {
            const uint32_t j = row_of(f, cluster, m), other = bits_in(out[m].contacts);
            const float *b = f->c.asset.rows[j];
            double n[3];
            if ((out[k].contacts >> m & 1u) == 0)
                continue;
            normal_of(kase, f, i, j, n);
            const double overlap = (double)a[7] + b[7] - distance(place_of(a), place_of(b)),
                         weight = b[6] / ((double)a[6] + b[6]);
            const bool pair = params->solver == PBD_SOLVER_CONSERVING;
            const double divisor = divisor_of(params, pair && other > own ? other : own);
            for (int axis = 0; axis < 3; axis++)
                out[k].position[axis] += n[axis] * weight * overlap / divisor;
        }
    }
}

/* ------------------------------------------------------------------------------------------ the device's answers */

/* A run of a field. */
typedef struct answer {
    picture p;
    const field *f;
    uint32_t *slots;
    const char *set;
} answer;

static void check_position(const answer *a, uint32_t id, const double want[3])
{
    const vec3 at = particles_of(&a->p)[a->slots[id]].position;
    const double x[3] = {(double)at.x, (double)at.y, (double)at.z};
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(x[axis] - want[axis]) <= 1e-6 + 0x1p-23 * fabs(want[axis])))
            fail_msg("%s, %s: particle %u moves to %.9g %.9g %.9g, by all pairs to %.9g %.9g %.9g",
                     a->p.kase.variant->name, a->set, id, x[0], x[1], x[2], want[0], want[1], want[2]);
}

/* The list has the wanted members, each once, and nobody else. */
static void check_list(const answer *a, uint32_t cluster, uint32_t id, uint32_t want)
{
    const uint32_t n = a->f->c.count, slot = a->slots[id];
    const uint32_t *list = a->p.host.buffer[PBD_BUFFER_LIST];
    const pbd_status *status = a->p.host.buffer[PBD_BUFFER_STATUS];
    uint32_t got = 0, listed = status[slot].listed;
    for (uint32_t e = 0; e < listed && e < params_of(&a->p.kase)->list_capacity; e++)
        for (uint32_t m = 0; m < MEMBERS; m++)
            got |= list[e * n + slot] == a->slots[row_of(a->f, cluster, m)] ? 1u << m : 0;
    if (got != want || listed != bits_in(want))
        fail_msg("list, %s: particle %u lists %u, members %#x of the cluster, wanted %#x", a->set, id, listed, got,
                 want);
}

/* Contacts and deepest overlap at the end, from where the device left them. Within rounding either count is right. */
static void check_measured(const answer *a, uint32_t cluster, uint32_t member)
{
    const pbd_contact *contacts = a->p.host.buffer[PBD_BUFFER_CONTACT];
    const uint32_t i = row_of(a->f, cluster, member), slot = a->slots[i];
    uint32_t least = 0, most = 0;
    double depth = 0;
    for (uint32_t m = 0; m < MEMBERS; m++) {
        const uint32_t j = row_of(a->f, cluster, m);
        const pbd_particle *x = &particles_of(&a->p)[slot], *y = &particles_of(&a->p)[a->slots[j]];
        const double l = distance(x->position, y->position), overlap = (double)x->radius + y->radius - l;
        if (m == member || is_binned(&a->p.kase, a->f, i) || is_binned(&a->p.kase, a->f, j))
            continue;
        if (l <= (double)PBD_EPSILON && params_of(&a->p.kase)->coincident == PBD_COINCIDENT_SKIP)
            continue;
        least += overlap > 2e-5;
        most += overlap > 0;
        depth = fmax(depth, overlap);
    }
    const pbd_contact *got = &contacts[slot];
    if (got->contacts < least || got->contacts > most || fabs(got->depth - depth) > 2e-5)
        fail_msg("%s, %s: particle %u ends with %u contacts, deepest %g; by all pairs %u to %u, %g",
                 a->p.kase.variant->name, a->set, i, got->contacts, (double)got->depth, least, most, depth);
}

/* Returns the contacts of the cluster. */
static uint32_t check_cluster(const answer *a, uint32_t cluster)
{
    const pbd_params *params = params_of(&a->p.kase);
    const pbd_status *status = a->p.host.buffer[PBD_BUFFER_STATUS];
    wanted want[MEMBERS];
    uint32_t sum = 0;
    expect_cluster(&a->p.kase, a->f, cluster, want);
    for (uint32_t k = 0; k < MEMBERS; k++) {
        const uint32_t id = row_of(a->f, cluster, k), contacts = bits_in(want[k].contacts);
        const pbd_status *got = &status[a->slots[id]];
        if (got->contacts != contacts || got->collided != (contacts > 0))
            fail_msg("%s, %s: particle %u has %u contacts (collided %u), by all pairs %u", a->p.kase.variant->name,
                     a->set, id, got->contacts, got->collided, contacts);
        check_position(a, id, want[k].position);
        if (pbd_variant_of(&a->p.kase) == PBD_LIST)
            check_list(a, cluster, id, want[k].listed);
        if (params->measure)
            check_measured(a, cluster, k);
        sum += contacts;
    }
    return sum;
}

/* Inside the domain, equal order gives equal bits: of those variants that have the order of the cells. */
static void check_bits(const answer *a, const answer *first)
{
    const field *f = a->f;
    uint32_t compared = 0;
    for (uint32_t i = 0; i < f->clusters * MEMBERS; i += MEMBERS) {
        bool inside = true;
        for (uint32_t k = 0; k < MEMBERS; k++)
            inside = inside && !is_outside(f, f->c.asset.rows[row_of(f, i / MEMBERS, k)]);
        for (uint32_t k = 0; k < MEMBERS && inside; k++, compared++) {
            const uint32_t id = row_of(f, i / MEMBERS, k);
            const pbd_particle *x = &particles_of(&a->p)[a->slots[id]], *y = &particles_of(&first->p)[first->slots[id]];
            if (memcmp(x, y, sizeof *x) != 0)
                fail_msg("%s and %s, %s: other bits in particle %u", a->p.kase.variant->name,
                         first->p.kase.variant->name, a->set, id);
        }
    }
    assert_true(compared >= f->clusters);
}

static answer ask(field *f, uint32_t variant, const char *set)
{
    char all[512];
    answer a = {.f = f, .set = set};
    (void)snprintf(all, sizeof all, FREE "size_x=%.9g,size_y=%.9g,size_z=%.9g,capacity=64,list_capacity=16,%s",
                   (double)f->size[0], (double)f->size[1], (double)f->size[2], set);
    make_case(&a.p.kase, &pbd_kernel, variant, &f->c, all);
    take_picture(&a.p, (vfx_run_request){.frames = 1});
    a.slots = slots_by_id(&a.p);
    assert_int_equal(metric_of(&a.p)->dropped, 0);
    return a;
}

static void answer_free(answer *a)
{
    vfx_host_destroy(&a->p.host);
    free(a->slots);
}

/* Every variant on a field. Returns the contacts. */
static uint32_t check_field(field *f, const char *set)
{
    answer first = {0};
    uint32_t contacts = 0;
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++) {
        answer a = ask(f, variant, set);
        contacts = 0;
        for (uint32_t cluster = 0; cluster < f->clusters; cluster++)
            contacts += check_cluster(&a, cluster);
        if (variant == PBD_CAPPED) { /* kept to the end */
            first = a;
            continue;
        }
        const bool same_cells = variant != PBD_LIST || params_of(&a.p.kase)->cell > 0;
        if (variant != PBD_BRUTE && params_of(&a.p.kase)->ordered && same_cells)
            check_bits(&a, &first);
        answer_free(&a);
    }
    answer_free(&first);
    assert_no_messages();
    return contacts;
}

static void test_searches_find_what_all_pairs_have(void **state)
{
    (void)state;
    need_device();
    static const struct {
        float cell; /* 0.2: the diameter, which is the default */
        const char *set;
    } rows[] = {
        {0.2f, "measure=off"},
        {0.25f, "measure=off,cell=0.25"},
        {0.2f, "measure=off,outside=bin"},
        {0.25f, "measure=off,cell=0.25,outside=bin,solver=conserving"},
        {0.23f, "cell=0.23,relaxation=100,coincident=skip"},
        {0.3f, "cell=0.3,relaxation=100,outside=bin"},
        {0.2f, "measure=off,solver=conserving,clamp=on,relaxation=0.7"},
        {0.2f, "measure=off,coincident=skip,ordered=off"},
        {0.25f, "measure=off,cell=0.25,buckets=512"},
        {0.22f, "measure=off,cell=0.22,solver=conserving,coincident=skip"},
    };
    uint32_t configurations = 0, contacts = 0;
    for (uint32_t i = 0; i < VFX_COUNT(rows); i++, configurations += FULL) {
        field f = field_make(FULL, rows[i].cell, 77 + i);
        contacts += check_field(&f, rows[i].set);
        free(f.c.asset.rows);
    }
    print_message("%u configurations of %u, %.2f contacts a particle\n", configurations, (unsigned)MEMBERS,
                  (double)contacts / configurations / MEMBERS);
    assert_true(configurations >= 10000 && 2 * contacts > MEMBERS * configurations);
}

/* P9: hundreds of particles share a bucket, and cells of one neighbourhood do too. */
static void test_sixteen_buckets(void **state)
{
    (void)state;
    need_device();
    field f = field_make(200, 0.25f, 5);
    answer a = ask(&f, PBD_HASHED, "cell=0.25,buckets=16,relaxation=100");
    for (uint32_t cluster = 0; cluster < f.clusters; cluster++)
        (void)check_cluster(&a, cluster);
    assert_true(metric_of(&a.p)->worst_cell >= f.c.count / 16);
    answer_free(&a);
    free(f.c.asset.rows);
    assert_no_messages();
}

/* ---------------------------------------------------------------------------------------------- P20: symmetries */

enum { CROWD = 400 };

/* A crowd in the middle of 8 x 8 x 8 m, on a grid of 2^-14 m: what shifts and mirrors do to it is exact, and so are the
 * differences of positions. */
static cast crowd_make(void)
{
    cast c = cast_make(CROWD);
    uint32_t seed = 9;
    c.asset.largest = 0.125f;
    for (uint32_t i = 0; i < CROWD; i++) {
        float *row = c.asset.rows[i];
        for (int axis = 0; axis < 3; axis++)
            row[axis] = (float)(floor((1.5 * noise(&seed) - 0.75) * 0x1p14) * 0x1p-14) + (axis == 2 ? 4.0f : 0.0f);
        row[6] = (float)(0.5 + noise(&seed));
        row[7] = 0.125f - 0.05f * (float)noise(&seed);
    }
    return c;
}

/* x' = sign x + shift; row i becomes row CROWD - 1 - i where `reversed`. */
typedef struct image {
    float sign[3], shift[3];
    bool reversed;
} image;

static cast crowd_image(const cast *c, const image *m)
{
    cast out = cast_make(CROWD);
    out.asset.largest = c->asset.largest;
    for (uint32_t i = 0; i < CROWD; i++) {
        float *row = out.asset.rows[m->reversed ? CROWD - 1 - i : i];
        memcpy(row, c->asset.rows[i], sizeof *c->asset.rows);
        for (int axis = 0; axis < 3; axis++)
            row[axis] = m->sign[axis] * row[axis] + m->shift[axis];
    }
    return out;
}

static answer ask_crowd(cast *c, uint32_t variant)
{
    answer a = {0};
    make_case(&a.p.kase, &pbd_kernel, variant, c,
              FREE "size_x=8,size_y=8,size_z=8,cell=0.28125,skin=0.1,capacity=64,list_capacity=64,measure=off");
    take_picture(&a.p, (vfx_run_request){.frames = 1});
    a.slots = slots_by_id(&a.p);
    assert_int_equal(metric_of(&a.p)->dropped, 0);
    return a;
}

/* Contacts of every particle are the same, and it moves as the image says. */
static void check_image(const answer *a, const answer *b, const image *m)
{
    const pbd_status *x = a->p.host.buffer[PBD_BUFFER_STATUS], *y = b->p.host.buffer[PBD_BUFFER_STATUS];
    uint32_t contacts = 0;
    for (uint32_t id = 0; id < CROWD; id++) {
        const uint32_t i = a->slots[id], j = b->slots[m->reversed ? CROWD - 1 - id : id];
        if (x[i].contacts != y[j].contacts || x[i].listed != y[j].listed)
            fail_msg("%s: particle %u has %u contacts (%u listed), in the image %u (%u)", a->p.kase.variant->name, id,
                     x[i].contacts, x[i].listed, y[j].contacts, y[j].listed);
        const vec3 p = particles_of(&a->p)[i].position, q = particles_of(&b->p)[j].position;
        const float from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
        for (int axis = 0; axis < 3; axis++) {
            const double want = (double)m->sign[axis] * from[axis] + m->shift[axis];
            if (!(fabs(to[axis] - want) <= 3e-6))
                fail_msg("%s: particle %u, axis %d: %.9g, its image %.9g instead of %.9g", a->p.kase.variant->name, id,
                         axis, (double)from[axis], (double)to[axis], want);
        }
        contacts += x[i].contacts;
    }
    assert_true(contacts > 3 * CROWD);
}

static void test_images_have_the_same_contacts(void **state)
{
    (void)state;
    need_device();
    static const image images[] = {
        {{1, 1, 1}, {0, 0, 0}, true},
        {{1, 1, 1}, {2.8125f, -1.40625f, 1.40625f}, false}, /* by 10, -5 and 5 cells */
        {{1, 1, 1}, {-3.375f, 0, -3.9375f}, false},         /* by 12 and 14, partly out of the domain */
        {{-1, 1, 1}, {0, 0, 0}, false},
        {{1, -1, 1}, {0, 0, 0}, true},
        {{-1, -1, -1}, {0, 0, 8}, false},
    };
    cast c = crowd_make();
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++) {
        answer a = ask_crowd(&c, variant);
        for (uint32_t i = 0; i < VFX_COUNT(images); i++) {
            cast moved = crowd_image(&c, &images[i]);
            answer b = ask_crowd(&moved, variant);
            check_image(&a, &b, &images[i]);
            answer_free(&b);
            free(moved.asset.rows);
        }
        answer_free(&a);
    }
    free(c.asset.rows);
    assert_no_messages();
}

/* ----------------------------------------------------------------------------------------- P19: determinism */

#define CROWDED                                                                                                 \
    "particles=500,size_x=0.9,size_y=0.8,size_z=1,cell=0.3,capacity=64,list_capacity=96,"                       \
    "substeps=2,iterations=3,restitution=0.4,friction_static=0.5,friction_kinetic=0.4,unyielding=0.05,speed=1," \
    "obstacle=sphere,obstacle_speed=1"
enum { LONG = 8 }; /* frames */

static uint64_t hash_of(const vfx_case *kase, uint32_t workgroup)
{
    vfx_run_request request = {.kase = kase, .frames = LONG, .workgroup = workgroup, .poison = true};
    vfx_run *run;
    uint64_t hash;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    assert_vfx_ok(vfx_run_gpu(run, NULL, NULL, NULL));
    assert_vfx_ok(vfx_run_hash(run, &hash));
    vfx_run_destroy(run);
    return hash;
}

static void test_runs_and_workgroups_do_not_matter(void **state)
{
    (void)state;
    need_device();
    static const char *const sets[] = {CROWDED, CROWDED ",solver=conserving"};
    static const uint32_t workgroups[] = {0, 0, 0, 64, 128, 256}; /* 0: each pass's own */
    for (uint32_t i = 0; i < PBD_VARIANT_COUNT; i++) {
        vfx_case kase;
        uint64_t first = 0;
        make_case(&kase, &pbd_kernel, i, NULL, sets[i % 2]);
        for (uint32_t k = 0; k < VFX_COUNT(workgroups); k++) {
            const uint64_t hash = hash_of(&kase, workgroups[k]);
            if (k > 0 && hash != first)
                fail_msg("%s, run %u, workgroup %u: hash %016llx, first %016llx", kase.variant->name, k, workgroups[k],
                         (unsigned long long)hash, (unsigned long long)first);
            first = hash;
        }
    }
    assert_no_messages();
}

/* The same particles, each with its id, in another order. */
static void init_permuted(const vfx_case *kase, void *const buffers[], void *const images[])
{
    pbd_init(kase, buffers, images);
    pbd_particle *particles = buffers[PBD_BUFFER_PARTICLE];
    for (uint32_t i = params_of(kase)->particles - 1, seed = 3; i > 0 && particles != NULL; i--) {
        const uint32_t other = (uint32_t)(noise(&seed) * (i + 1));
        const pbd_particle kept = particles[i];
        particles[i] = particles[other];
        particles[other] = kept;
    }
}

/* `brute` is left out: its sums go by the order of the state, as its rules say. */
static void test_order_of_input_does_not_matter(void **state)
{
    (void)state;
    need_device();
    vfx_kernel permuted = pbd_kernel;
    permuted.init = init_permuted;
    for (uint32_t variant = PBD_CAPPED; variant < PBD_VARIANT_COUNT; variant++) {
        answer a[2] = {0};
        for (uint32_t k = 0; k < 2; k++) {
            make_case(&a[k].p.kase, k == 0 ? &pbd_kernel : &permuted, variant, NULL, CROWDED);
            take_picture(&a[k].p, (vfx_run_request){.frames = LONG});
            a[k].slots = slots_by_id(&a[k].p);
        }
        assert_int_equal(metric_of(&a[0].p)->dropped, 0);
        assert_true(metric_of(&a[0].p)->contacts > 1500);
        for (uint32_t id = 0; id < 500; id++)
            if (memcmp(&particles_of(&a[0].p)[a[0].slots[id]], &particles_of(&a[1].p)[a[1].slots[id]],
                       sizeof(pbd_particle)) != 0)
                fail_msg("%s: particle %u ends elsewhere when the input is permuted", a[0].p.kase.variant->name, id);
        answer_free(&a[0]);
        answer_free(&a[1]);
    }
    assert_no_messages();
}

/* Without order results may differ between runs. On a device whose atomics come in order they do not: no failure. */
static void test_unordered_runs_may_differ(void **state)
{
    (void)state;
    need_device();
    enum { RUNS = 5 };
    for (uint32_t variant = PBD_CAPPED; variant < PBD_VARIANT_COUNT; variant++) {
        vfx_case kase;
        uint32_t others = 0;
        make_case(&kase, &pbd_kernel, variant, NULL, CROWDED ",ordered=off");
        const uint64_t first = hash_of(&kase, 32);
        for (uint32_t run = 1; run < RUNS; run++)
            others += hash_of(&kase, 32) != first;
        print_message("%s, ordered=off: %u of %d runs differ from the first%s\n", kase.variant->name, others, RUNS - 1,
                      others == 0 ? ": no difference was seen" : "");
    }
    assert_no_messages();
}

/* ------------------------------------------------------------------------------------ P21: bad and small input */

/* Right by the reference, all buffers of all frames. */
static void test_small_cases_are_right(void **state)
{
    (void)state;
    need_device();
    static const char *const sets[] = {
        "particles=1",
        "particles=2,size_x=0.125,size_y=0.125,size_z=0.125",                        /* one cell, between walls */
        "particles=40,size_x=0.001,size_y=0.001,size_z=0.001,walls=off,capacity=64", /* far below one */
        "particles=40,size_x=0.05,size_y=0.001,size_z=3,walls=off,outside=bin,solver=conserving",
        "particles=33,relaxation=0.001,mass_low=1e-6,mass_high=1e-6,density=1e-3,buckets=16",
    };
    for (uint32_t i = 0; i < VFX_COUNT(sets) * PBD_VARIANT_COUNT; i++) {
        vfx_case kase;
        vfx_verify_result result;
        make_case(&kase, &pbd_kernel, i % PBD_VARIANT_COUNT, NULL, sets[i / PBD_VARIANT_COUNT]);
        vfx_run_request request = {.kase = &kase, .frames = 4, .read_every = 1};
        if (vfx_verify(gpu, &request, VFX_STEP_LOCKED, &result) != VFX_OK)
            fail_msg("%s, %s: %s", kase.variant->name, sets[i / PBD_VARIANT_COUNT], result.failure);
    }
    assert_no_messages();
}

static void write_rows(const char *path, const float rows[3][8])
{
    unsigned char file[128 + sizeof(float[3][8])];
    char header[118 + 1];
    (void)snprintf(header, sizeof header, "%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 8), }");
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(file + 10, header, 118);
    memcpy(file + 128, rows, sizeof(float[3][8]));
    assert_vfx_ok(vfx_write_file(path, file, sizeof file));
}

/* The program ends with an exit code that is none of success, and names what is wrong. */
static void assert_refused(const char *arguments, const char *part)
{
    char command[2 * VFX_TEST_PATH + 512], text[4096];
    const char *named = getenv("VFXBENCH_DEVICE");
    (void)snprintf(command, sizeof command, "'%s' run %s --frames 2 --device '%.100s' 2>&1", VFX_PROGRAM, arguments,
                   named != NULL && *named != '\0' ? named : "0");
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    const int status = pclose(stream);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 0 || strstr(text, part) == NULL)
        fail_msg("%s: status %#x, '%s' is wanted in:\n%s", command, (unsigned)status, part, text);
}

static void test_bad_parameters_are_named(void **state)
{
    (void)state;
    need_device();
    static const char *const rows[][2] = {
        {"particles=0", "particles"},
        {"relaxation=0", "relaxation"},
        {"relaxation=nan", "relaxation"},
        {"mass_low=0", "mass_low"},
        {"mass_high=inf", "mass_high"},
        {"density=inf", "density"},
        {"size_spread=1", "size_spread"},
        {"size_x=0", "size_x"},
        {"size_z=-1", "size_z"},
        {"size_y=0.1", "size_y"},
        {"cell=0.1", "cell"},
        {"iterations=0", "iterations"},
        {"mass_low=1e6", "mass_low"},
        {"substeps=17", "substeps"},
        {"buckets=100", "buckets"},
        {"capacity=0", "capacity"},
        {"particles=-1", "particles"},
        {"input=none.npy", "none.npy"},
        {"gravity=infinity", "gravity"},
        {"skin=2", "skin"},
    };
    for (uint32_t i = 0; i < VFX_COUNT(rows); i++) {
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "pbd/list/ci --set %s", rows[i][0]);
        assert_refused(arguments, rows[i][1]);
    }
}

static void test_bad_particles_are_named(void **state)
{
    (void)state;
    need_device();
    static const struct {
        uint32_t row, column;
        float value;
        const char *part;
    } rows[] = {
        {0, 0, NAN, "particle 0: x is nan"},         {2, 2, -INFINITY, "particle 2: z is -inf"},
        {1, 4, INFINITY, "particle 1: vy is inf"},   {1, 6, 0, "particle 1: mass is 0"},
        {2, 6, -1, "particle 2: mass is -1"},        {0, 6, NAN, "particle 0: mass is nan"},
        {1, 7, 0, "particle 1: radius is 0"},        {2, 7, INFINITY, "particle 2: radius is inf"},
        {0, 7, -0.1f, "particle 0: radius is -0.1"}, {1, 1, 3e38f, "particle 1: y is 3e+38"},
    };
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], arguments[VFX_TEST_PATH + 128];
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "in.npy");
    for (uint32_t i = 0; i < VFX_COUNT(rows); i++) {
        float bad[3][8] = {{0, 0, 0.1f, 0, 0, 0, 1, 0.05f}, {0.5f, 0, 0.1f, 0, 0, 0, 1, 0.05f}};
        memcpy(bad[2], (float[8]){0, 0.5f, 0.1f, 0, 0, 0, 1, 0.05f}, sizeof bad[2]);
        bad[rows[i].row][rows[i].column] = rows[i].value;
        write_rows(path, (const float(*)[8])bad);
        (void)snprintf(arguments, sizeof arguments, "pbd/rows/ci --set particles=3 --set 'input=%s'", path);
        assert_refused(arguments, rows[i].part);
    }
    vfx_test_remove(path);
    vfx_test_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_searches_find_what_all_pairs_have),
    cmocka_unit_test(test_sixteen_buckets),
    cmocka_unit_test(test_images_have_the_same_contacts),
    cmocka_unit_test(test_runs_and_workgroups_do_not_matter),
    cmocka_unit_test(test_order_of_input_does_not_matter),
    cmocka_unit_test(test_unordered_runs_may_differ),
    cmocka_unit_test(test_small_cases_are_right),
    cmocka_unit_test(test_bad_parameters_are_named),
    cmocka_unit_test(test_bad_particles_are_named),
};
VFX_DEVICE_TEST_MAIN(tests)
