/* pbd_ref_test.c - the pbd reference against what the maths says: pairs, rows and heaps in closed form, the search
 * against all pairs, conserved quantities, bounces and sliding, colliders; and the float reference against the limits
 * of the check rows. P1 and so on are the properties of the specification. The fixture builds its own scene and its own
 * record, so that nothing here depends on the family's host code. */
#include "core/test.h"

#include "core/compare.h"
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_ref.h"

#include <math.h>

/* ----------------------------------------------------------------------------- a record to test with */

VFX_FIELDS(pbd_particle, PBD_PARTICLE)
VFX_FIELDS(pbd_predict, PBD_PREDICT)
VFX_FIELDS(pbd_velocity, PBD_VELOCITY)
VFX_FIELDS(pbd_sorted, PBD_SORTED)
VFX_FIELDS(pbd_trace, PBD_TRACE)
VFX_FIELDS(pbd_status, PBD_STATUS)
VFX_FIELDS(pbd_contact, PBD_CONTACT)
VFX_FIELDS(pbd_metric, PBD_METRIC)
#define WORD(name, text) static const vfx_field name##_fields[] = {{text, VFX_FIELD_U32, 1, 0, "1", text}};
WORD(count, "count")
WORD(start, "start")
WORD(slot, "index")
WORD(list, "slot")
static const vfx_field cell_fields[] = {{"cell", VFX_FIELD_U32, 4, 0, "1", "cell"}};

#define BUFFER(row, record, bytes)                   \
    [PBD_BUFFER_##row] = {.name = #record,           \
                          .stride = (bytes),         \
                          .fields = record##_fields, \
                          .role = VFX_OUTPUT,        \
                          .field_count = VFX_COUNT(record##_fields)}
static const vfx_buffer buffers[PBD_BUFFER_TOTAL] = {
    BUFFER(PARTICLE, pbd_particle, sizeof(pbd_particle)),
    BUFFER(PREDICT, pbd_predict, sizeof(pbd_predict)),
    BUFFER(COUNT, count, 4),
    BUFFER(START, start, 4),
    BUFFER(SLOT, slot, 4),
    BUFFER(LIST, list, 4),
    BUFFER(CELL, cell, 16),
    BUFFER(SORTED, pbd_sorted, sizeof(pbd_sorted)),
    BUFFER(TRACE, pbd_trace, sizeof(pbd_trace)),
    BUFFER(STATUS, pbd_status, sizeof(pbd_status)),
    BUFFER(VELOCITY, pbd_velocity, sizeof(pbd_velocity)),
    BUFFER(CONTACT, pbd_contact, sizeof(pbd_contact)),
    BUFFER(METRIC, pbd_metric, sizeof(pbd_metric)),
};
static const vfx_variant variants[PBD_VARIANT_COUNT] = {{.name = "brute"},        {.name = "cells-capped"},
                                                        {.name = "cells-sorted"}, {.name = "rows"},
                                                        {.name = "list"},         {.name = "hashed"}};
static const vfx_kernel kernel = {.name = "pbd",
                                  .buffers = buffers,
                                  .buffer_count = PBD_BUFFER_TOTAL,
                                  .variants = variants,
                                  .variant_count = PBD_VARIANT_COUNT};

/* ---------------------------------------------------------------------------------------- the fixture */

enum { MOST_COLLIDERS = 4 };

/* Records of one run: `now` after the frame, `prev` before it. */
typedef struct scene {
    vfx_case kase;
    vfx_frame frame;
    pbd_params *params; /* of kase */
    void *now[PBD_BUFFER_TOTAL];
    uint64_t count[PBD_BUFFER_TOTAL];
    pbd_particle *prev;
    pbd_collider colliders[MOST_COLLIDERS];
    uint32_t collider_count;
    float cell; /* m; 0: the largest diameter (with skin) */
} scene;

static scene scene_make(uint32_t variant, uint32_t particles)
{
    scene s = {.kase = {.kernel = &kernel, .variant = &variants[variant], .dt = 1.0f / 60, .seed = 5}};
    pbd_params p;
#define FROM_F32(value) (float)(value)
#define FROM_U32(value) (value)
#define FROM_BOOL(value) (value)
#define DEFAULT_P(TYPE, name, def, lo, hi, flags, help) p.name = FROM_##TYPE(def);
#define DEFAULT_E(name, enumeration, def, flags, help) p.name = def;
    PBD_PARAMS(DEFAULT_P, DEFAULT_E)
    p.particles = particles;
    p.size_x = p.size_y = p.size_z = 4;
    p.gravity = 0;
    p.iterations = 1;
    memcpy(s.kase.words, &p, sizeof p);
    s.prev = calloc(particles, sizeof *s.prev);
    assert_non_null(s.prev);
    for (uint32_t i = 0; i < particles; i++)
        s.prev[i] = (pbd_particle){.radius = 0.1f, .mass = 1, .id = i, .position = {0, 0, 1}};
    return s;
}

static pbd_params *params_of(scene *s)
{
    return (pbd_params *)(void *)s->kase.words;
}

static uint64_t cells_of(const scene *s, const pbd_params *p)
{
    const uint32_t variant = pbd_variant_of(&s->kase);
    const vfx_frame f = s->frame;
    if (variant == PBD_BRUTE || variant == PBD_HASHED)
        return variant == PBD_BRUTE ? 0 : p->buckets;
    return ((uint64_t)PBD_CELLS_X(f) + 1) * ((uint64_t)PBD_CELLS_Y(f) + 2) * ((uint64_t)PBD_CELLS_Z(f) + 2) + 2;
}

static void fill_frame(scene *s)
{
    const pbd_params *p = params_of(s);
    float largest = 0;
    for (uint32_t i = 0; i < p->particles; i++)
        largest = fmaxf(largest, 2 * s->prev[i].radius);
    const bool listed = pbd_variant_of(&s->kase) == PBD_LIST, hashed = pbd_variant_of(&s->kase) == PBD_HASHED;
    const float skin = p->skin * largest, cell = s->cell > 0 ? s->cell : listed ? largest + skin : largest;
    vfx_frame *f = &s->frame;
    f->dt = s->kase.dt;
    f->seed = s->kase.seed;
    f->host[0] = (vec4){-p->size_x / 2, -p->size_y / 2, f->dt / (float)p->substeps, 0};
    f->host[0].w = 1 / (1 + p->drag * f->host[0].z);
    f->host[1] = (vec4){cell, 1 / cell, skin, (float)s->collider_count};
    f->host[2] = (vec4){hashed ? 0 : ceilf(p->size_x / cell), hashed ? 0 : ceilf(p->size_y / cell),
                        hashed ? 0 : ceilf(p->size_z / cell), 1};
}

static void count_records(scene *s)
{
    const pbd_params *p = params_of(s);
    const uint32_t variant = pbd_variant_of(&s->kase);
    const uint64_t n = p->particles, sn = p->substeps * n, cells = cells_of(s, p);
    const bool sorted = variant != PBD_BRUTE && variant != PBD_CAPPED;
    s->count[PBD_BUFFER_PARTICLE] = n;
    s->count[PBD_BUFFER_PREDICT] = s->count[PBD_BUFFER_SORTED] = s->count[PBD_BUFFER_STATUS] = sn;
    s->count[PBD_BUFFER_COUNT] = variant == PBD_BRUTE ? 0 : p->substeps * (cells + 1);
    s->count[PBD_BUFFER_START] = sorted ? p->substeps * (cells + 1) : 0;
    s->count[PBD_BUFFER_SLOT] = variant == PBD_CAPPED ? p->substeps * cells * p->capacity : 0;
    s->count[PBD_BUFFER_TRACE] = (p->iterations + 2) * sn;
    s->count[PBD_BUFFER_CELL] = variant == PBD_HASHED ? sn : 0;
    s->count[PBD_BUFFER_LIST] = variant == PBD_LIST ? sn * p->list_capacity : 0;
    s->count[PBD_BUFFER_VELOCITY] = sn - n;
    s->count[PBD_BUFFER_CONTACT] = n;
    s->count[PBD_BUFFER_METRIC] = 1;
}

static void *poisoned(size_t bytes)
{
    uint32_t *words = malloc(bytes + 4);
    assert_non_null(words);
    for (size_t i = 0; i < bytes / 4; i++)
        words[i] = VFX_POISON_WORD;
    return words;
}

static void allocate(scene *s)
{
    fill_frame(s);
    count_records(s);
    for (uint32_t row = 0; row < PBD_BUFFER_TOTAL; row++)
        if (s->count[row] > 0 && s->now[row] == NULL)
            s->now[row] = poisoned((size_t)s->count[row] * buffers[row].stride);
}

static void scene_free(scene *s)
{
    for (uint32_t row = 0; row < PBD_BUFFER_TOTAL; row++)
        if (row != PBD_BUFFER_SDF)
            free(s->now[row]);
    free(s->prev);
}

static vfx_ref view(const scene *s, void *const out[PBD_BUFFER_TOTAL])
{
    vfx_ref ref = {.kase = &s->kase, .frame = &s->frame};
    for (uint32_t row = 0; row < PBD_BUFFER_TOTAL; row++) {
        ref.in[row] = s->now[row];
        ref.out[row] = out[row];
        ref.count[row] = s->count[row];
    }
    ref.prev[PBD_BUFFER_PARTICLE] = s->prev;
    ref.in[PBD_BUFFER_COLLIDER] = s->colliders;
    return ref;
}

/* One frame as the CPU loop runs it. `prev` stays. */
static void run(scene *s, bool in_double)
{
    allocate(s);
    const vfx_ref ref = view(s, s->now);
    const uint32_t substeps = params_of(s)->substeps;
    for (uint32_t r = 0; r < substeps; r++)
        for (uint32_t k = 0; k < PBD_STAGE_COUNT; k++) {
            const vfx_stage *stage = &pbd_stages[k];
            const uint64_t items = stage->items(&s->kase) / (stage->substeps != NULL ? substeps : 1);
            if (stage->substeps != NULL || r + 1 == substeps)
                (in_double ? stage->f64 : stage->f32)(&ref, stage->substeps != NULL ? r * items : 0, items);
        }
}

static pbd_particle *particles_of(scene *s)
{
    return s->now[PBD_BUFFER_PARTICLE];
}

static void advance(scene *s, uint32_t frames, bool in_double)
{
    for (uint32_t k = 0; k < frames; k++) {
        s->frame.index++;
        run(s, in_double);
        memcpy(s->prev, particles_of(s), params_of(s)->particles * sizeof *s->prev);
    }
}

/* The particle with this id after the frame. */
static const pbd_particle *by_id(scene *s, uint32_t id)
{
    for (uint32_t i = 0; i < params_of(s)->particles; i++)
        if (particles_of(s)[i].id == id)
            return &particles_of(s)[i];
    fail_msg("particle %u is lost", id);
    return NULL;
}

static const pbd_contact *contact_by_id(scene *s, uint32_t id)
{
    return (const pbd_contact *)s->now[PBD_BUFFER_CONTACT] + (by_id(s, id) - particles_of(s));
}

static const pbd_status *status_by_id(scene *s, uint32_t id)
{
    const uint64_t last = (params_of(s)->substeps - 1) * (uint64_t)params_of(s)->particles;
    return (const pbd_status *)s->now[PBD_BUFFER_STATUS] + last + (by_id(s, id) - particles_of(s));
}

static const pbd_metric *metric_of(scene *s)
{
    return s->now[PBD_BUFFER_METRIC];
}

static void near(double a, double b, double limit)
{
    if (!(fabs(a - b) <= limit))
        fail_msg("%.9g is not %.9g within %g (off by %g)", a, b, limit, a - b);
}

static double distance(vec3 a, vec3 b)
{
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

/* A fixed sequence of numbers in [0, 1). */
static float noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) * 0x1p-24f;
}

static void scatter(scene *s, float low, float high, float spread, uint32_t seed)
{
    for (uint32_t i = 0; i < params_of(s)->particles; i++) {
        pbd_particle *p = &s->prev[i];
        p->radius = 0.1f * (1 - spread * noise(&seed));
        p->mass = 0.5f + noise(&seed);
        p->position = (vec3){low + (high - low) * noise(&seed), low + (high - low) * noise(&seed),
                             1 + low + (high - low) * noise(&seed)};
        p->velocity = (vec3){noise(&seed) - 0.5f, noise(&seed) - 0.5f, noise(&seed) - 0.5f};
    }
}

static pbd_collider plane_make(float x, float z, float offset)
{
    return (pbd_collider){.kind = PBD_COLLIDER_PLANE, .place = {x, 0, z}, .extent = {offset, 0, 0}};
}

/* -------------------------------------------------------------------------------------- P1 .. P6: pairs */

/* Two particles on the x axis, `apart` from each other. */
static scene pair_make(uint32_t variant, float apart)
{
    scene s = scene_make(variant, 2);
    s.prev[0].position = (vec3){-apart / 2, 0.05f, 1};
    s.prev[1].position = (vec3){apart / 2, 0.05f, 1};
    return s;
}

static void test_pair_parts_in_one_iteration(void **state) /* P1 */
{
    (void)state;
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++)
        for (uint32_t in_double = 0; in_double < 2; in_double++) {
            scene s = pair_make(variant, 0.14f);
            run(&s, in_double != 0);
            near(by_id(&s, 0)->position.x, -0.1, 7.5e-9);
            near(by_id(&s, 1)->position.x, 0.1, 7.5e-9);
            near(distance(by_id(&s, 0)->position, by_id(&s, 1)->position), (double)0.1f + 0.1f, 1.5e-8);
            assert_int_equal(((const pbd_status *)s.now[PBD_BUFFER_STATUS])[0].contacts, 1);
            assert_int_equal(((const pbd_status *)s.now[PBD_BUFFER_STATUS])[1].collided, 1);
            scene_free(&s);
        }
}

static void test_pair_parts_by_mass(void **state) /* P2 */
{
    (void)state;
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++) {
        scene s = pair_make(variant, 0.1f);
        s.prev[1].mass = 3;
        run(&s, true);
        const double left = by_id(&s, 0)->position.x, right = by_id(&s, 1)->position.x;
        near(left, -0.05 - 0.075, 2e-8);
        near(right, 0.05 + 0.025, 2e-8);
        near(left + 3 * right, -0.05 + 3 * 0.05, 4e-8);
        near(by_id(&s, 0)->velocity.x, -0.075 * 60, 1e-5);
        scene_free(&s);
    }
}

static void test_unyielding_ones_stay(void **state) /* P3 */
{
    (void)state;
    scene s = pair_make(PBD_SORTED, 0.1f);
    s.prev[0].flags = PBD_UNYIELDING;
    run(&s, true);
    near(by_id(&s, 0)->position.x, -0.05, 1e-9);
    near(by_id(&s, 1)->position.x, 0.15, 1e-8);
    near(by_id(&s, 0)->velocity.x, 0, 0);
    params_of(&s)->unyielding_percent = 0.5f; /* share = mix(1/2, 0, 1/2) for the other */
    run(&s, true);
    near(by_id(&s, 1)->position.x, 0.05 + 0.075, 1e-8);
    near(by_id(&s, 0)->position.x, -0.05 - 0.025, 1e-8);
    s.prev[1].flags = PBD_UNYIELDING; /* both: as if neither were */
    s.prev[1].mass = 3;
    run(&s, true);
    near(by_id(&s, 0)->position.x, -0.05 - 0.075, 1e-8);
    near(by_id(&s, 1)->velocity.x, 0, 0);
    scene_free(&s);
}

static void test_relaxation_divides(void **state) /* P4 */
{
    (void)state;
    const float relaxation[] = {0.5f, 1, 2};
    for (uint32_t i = 0; i < 3; i++) {
        scene s = pair_make(PBD_ROWS, 0.1f);
        params_of(&s)->relaxation = relaxation[i];
        run(&s, true);
        near(by_id(&s, 0)->position.x, -0.05 - 0.05 / (double)relaxation[i], 1e-8);
        params_of(&s)->clamp = 1;
        run(&s, true);
        near(by_id(&s, 0)->position.x, -0.05 - 0.05 / fmax((double)relaxation[i], 1), 1e-8);
        scene_free(&s);
    }
}

static void test_three_in_a_row(void **state) /* P5 */
{
    (void)state;
    for (uint32_t solver = 0; solver < 2; solver++) {
        scene s = scene_make(PBD_LIST, 3);
        params_of(&s)->solver = solver;
        for (uint32_t i = 0; i < 3; i++)
            s.prev[i].position = (vec3){0.15f * ((float)i - 1), 0, 1};
        run(&s, true);
        const double outer =
            solver == PBD_SOLVER_SOURCE ? 0.025 : 0.0125; /* o / 2, over 1 or over the larger count 2 */
        near(by_id(&s, 0)->position.x, -0.15 - outer, 1.5e-8);
        near(by_id(&s, 1)->position.x, 0, 1e-9);
        near(by_id(&s, 2)->position.x, 0.15 + outer, 1.5e-8);
        scene_free(&s);
    }
}

static void test_coincident_ones_part(void **state) /* P6 */
{
    (void)state;
    const uint32_t particles[] = {2, 64};
    for (uint32_t i = 0; i < 2; i++) {
        scene s = scene_make(PBD_SORTED, particles[i]);
        run(&s, true);
        double sum[3] = {0};
        for (uint32_t k = 0; k < particles[i]; k++) {
            const vec3 x = by_id(&s, k)->position;
            assert_true(isfinite(x.x) && isfinite(x.y) && isfinite(x.z));
            sum[0] += x.x, sum[1] += x.y, sum[2] += (double)x.z - 1;
        }
        for (uint32_t axis = 0; axis < 3; axis++)
            near(sum[axis], 0, 2e-7 * particles[i]);
        near(distance(by_id(&s, 0)->position, s.prev[0].position) > 1e-3, 1, 0);
        if (particles[i] == 2)
            near(distance(by_id(&s, 0)->position, by_id(&s, 1)->position), 0.2, 2e-7);
        params_of(&s)->coincident = PBD_COINCIDENT_SKIP;
        run(&s, true);
        near(distance(by_id(&s, 0)->position, s.prev[0].position), 0, 0);
        assert_int_equal(contact_by_id(&s, 0)->contacts, 0);
        scene_free(&s);
    }
}

static void test_full_cells_drop(void **state) /* P6 */
{
    (void)state;
    scene s = scene_make(PBD_CAPPED, 64);
    run(&s, true);
    assert_int_equal(metric_of(&s)->dropped, 64 - 16);
    assert_int_equal(metric_of(&s)->worst_cell, 64);
    assert_int_equal(metric_of(&s)->full_cells, 1);
    assert_int_equal(contact_by_id(&s, 15)->dropped, 0);
    assert_int_equal(contact_by_id(&s, 16)->dropped, 1);
    scene_free(&s);
    s = scene_make(PBD_LIST, 64);
    run(&s, true);
    assert_int_equal(metric_of(&s)->dropped, 64 * (63 - 48));
    assert_int_equal(contact_by_id(&s, 5)->candidates, 48);
    scene_free(&s);
}

/* ----------------------------------------------------------------------------------------- the search */

/* The same scene with each variant. */
static scene crowd_make(uint32_t variant, uint32_t particles)
{
    scene s = scene_make(variant, particles);
    pbd_params *p = params_of(&s);
    p->iterations = 3;
    p->capacity = 64;
    p->list_capacity = 256;
    p->buckets = 16;
    scatter(&s, -0.4f, 0.5f, 0.3f, 7);
    for (uint32_t i = 0; i < particles; i++)
        s.prev[i].id = (i * 37) % particles; /* particles: no multiple of 37 */
    return s;
}

/* P7, P8, P9, P10. Cells of one diameter are the smallest that find all: those of P8's refused cases do not. */
static void test_variants_find_what_brute_force_finds(void **state)
{
    (void)state;
    scene all = crowd_make(PBD_BRUTE, 300);
    all.prev[17].position = (vec3){-2, -2, 0}; /* corners, faces, outside, far away */
    all.prev[18].position = (vec3){2, 2, 4};
    all.prev[19].position = (vec3){-2.05f, -1.95f, -0.05f};
    all.prev[20].position = (vec3){1e6f, -1e6f, 1e6f};
    all.prev[21].position = (vec3){2.02f, 2.05f, 4.1f};
    params_of(&all)->iterations = 1; /* later ones search a grid that the particles have left */
    run(&all, true);
    for (uint32_t variant = PBD_CAPPED; variant < PBD_VARIANT_COUNT; variant++) {
        scene s = crowd_make(variant, 300);
        memcpy(s.prev, all.prev, 300 * sizeof *s.prev);
        params_of(&s)->iterations = 1;
        run(&s, true);
        uint32_t contacts = 0;
        for (uint32_t id = 0; id < 300; id++) {
            assert_int_equal(status_by_id(&s, id)->contacts, status_by_id(&all, id)->contacts);
            near(distance(by_id(&s, id)->position, by_id(&all, id)->position), 0, 4e-7);
            contacts += status_by_id(&s, id)->contacts;
        }
        assert_true(contacts > 600);
        assert_int_equal(metric_of(&s)->outside, variant == PBD_HASHED ? 0 : metric_of(&all)->outside);
        scene_free(&s);
    }
    scene_free(&all);
}

static void test_a_cell_below_the_diameter_loses_pairs(void **state) /* P8: why it is refused */
{
    (void)state;
    scene s = pair_make(PBD_SORTED, 0.19f);
    s.cell = 0.08f;
    run(&s, true);
    assert_int_equal(metric_of(&s)->contacts, 0);
    scene_free(&s);
}

static void test_binned_ones_have_no_contacts(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++) {
        scene s = pair_make(variant, 0.1f);
        params_of(&s)->outside = PBD_OUTSIDE_BIN;
        for (uint32_t i = 0; i < 2; i++) /* into the last corner */
            s.prev[i].position = (vec3){1.95f + 0.1f * (float)i, 1.95f, 3.95f};
        run(&s, true);
        assert_int_equal(metric_of(&s)->contacts, 0); /* hashed knows no outside, and they part */
        near(distance(by_id(&s, 0)->position, s.prev[0].position) > 0, variant == PBD_HASHED, 0);
        assert_int_equal(metric_of(&s)->outside, variant == PBD_HASHED ? 0 : 1);
        scene_free(&s);
    }
}

static void test_slots_go_by_key_then_id(void **state)
{
    (void)state;
    scene s = crowd_make(PBD_SORTED, 300);
    params_of(&s)->substeps = 2;
    run(&s, false);
    const pbd_sorted *sorted = s.now[PBD_BUFFER_SORTED];
    const pbd_predict *predict = s.now[PBD_BUFFER_PREDICT];
    const uint32_t *start = s.now[PBD_BUFFER_START];
    const uint64_t cells = cells_of(&s, params_of(&s));
    for (uint32_t r = 0; r < 2; r++) {
        assert_int_equal(start[r * (cells + 1) + cells], 300);
        for (uint32_t i = 1; i < 300; i++) {
            const pbd_sorted *a = &sorted[r * 300 + i - 1], *b = a + 1;
            const uint32_t low = predict[r * 300 + a->index].key, high = predict[r * 300 + b->index].key;
            assert_true(low < high || (low == high && a->id < b->id));
        }
    }
    scene_free(&s);
}

static void test_cells_and_keys(void **state)
{
    (void)state;
    scene s = scene_make(PBD_ROWS, 3); /* 20 cells of 0.2 m an axis */
    s.prev[0].position = (vec3){-1.9f, -1.7f, 0.7f};
    s.prev[1].position = (vec3){-9, 0.1f, 9};
    s.prev[2].position = (vec3){2, 2, 4};
    run(&s, true);
    const pbd_predict *predict = s.now[PBD_BUFFER_PREDICT];
    assert_int_equal(predict[0].key, ((3 + 1) * 22 + 1 + 1) * 21 + 0 + 1);
    assert_int_equal(predict[1].key, ((19 + 1) * 22 + 10 + 1) * 21 + 0 + 1);
    assert_int_equal(predict[2].key, ((19 + 1) * 22 + 19 + 1) * 21 + 19 + 1);
    params_of(&s)->outside = PBD_OUTSIDE_BIN;
    run(&s, true);
    assert_int_equal(predict[1].key, 21 * 22 * 22 + 1);
    assert_int_equal(predict[2].key, ((19 + 1) * 22 + 19 + 1) * 21 + 19 + 1);
    scene_free(&s);

    s = scene_make(PBD_HASHED, 1);
    s.prev[0].position = (vec3){-2.1f, -2.5f, 1e30f};
    run(&s, true);
    const uvec4 *cell = s.now[PBD_BUFFER_CELL];
    assert_int_equal((int32_t)cell->x, -1);
    assert_int_equal((int32_t)cell->y, -3);
    assert_int_equal(cell->z, 1000000000);
    predict = s.now[PBD_BUFFER_PREDICT];
    assert_int_equal(predict->key,
                     (((uint32_t)-1 * 73856093u) ^ ((uint32_t)-3 * 19349663u) ^ (1000000000u * 83492791u)) &
                         (params_of(&s)->buckets - 1));
    scene_free(&s);
}

static void test_figures(void **state)
{
    (void)state;
    scene s = scene_make(PBD_SORTED, 8);
    params_of(&s)->outside = PBD_OUTSIDE_BIN;
    params_of(&s)->coincident = PBD_COINCIDENT_SKIP;
    for (uint32_t i = 0; i < 5; i++) /* five in the bin, two that touch, one alone */
        s.prev[i].position = (vec3){9, 9, 9};
    s.prev[5].position = (vec3){0.05f, 0.05f, 1.05f};
    s.prev[6].position = (vec3){0.15f, 0.05f, 1.05f};
    s.prev[7].position = (vec3){-1, -1, 1};
    s.prev[5].flags = s.prev[6].flags = PBD_UNYIELDING;
    s.prev[7].velocity.z = 3;
    params_of(&s)->relaxation = 100; /* they hardly part */
    run(&s, true);
    const pbd_metric *m = metric_of(&s);
    assert_int_equal(m->worst_cell, 2);
    assert_int_equal(m->outside, 5);
    assert_int_equal(m->histogram0.x, 6);
    assert_int_equal(m->histogram0.y, 2);
    assert_int_equal(m->contacts, 2);
    assert_int_equal(m->most_contacts, 1);
    near(m->depth_max, 0.099, 1e-6);
    near(m->depth_rms, 0.099 / 2, 1e-6);
    near(m->mass, 8, 0);
    near(m->kinetic, 4.5, 1e-5);
    near(m->speed_rms, 3 / sqrt(8), 1e-5);
    near(m->momentum.z, 3, 1e-5);
    near(m->centre.x, (5 * 9 + 0.2 - 1) / 8, 1e-5);
    scene_free(&s);
}

/* ------------------------------------------------------------------------------- conserved quantities */

static double momentum_drift(uint32_t solver)
{
    scene s = crowd_make(PBD_ROWS, 300);
    params_of(&s)->solver = solver;
    double before[3] = {0};
    for (uint32_t i = 0; i < 300; i++) {
        before[0] += (double)s.prev[i].mass * s.prev[i].velocity.x;
        before[1] += (double)s.prev[i].mass * s.prev[i].velocity.y;
        before[2] += (double)s.prev[i].mass * s.prev[i].velocity.z;
    }
    run(&s, true);
    const vec3 after = metric_of(&s)->momentum;
    const double x = after.x - before[0], y = after.y - before[1], z = after.z - before[2];
    scene_free(&s);
    return sqrt(x * x + y * y + z * z);
}

static void
test_symmetric_divisors_conserve(void **state) /* P11; speeds are up to 5 m/s, positions rounded at 1e-7 m */
{
    (void)state;
    const double conserving = momentum_drift(PBD_SOLVER_CONSERVING), source = momentum_drift(PBD_SOLVER_SOURCE);
    assert_true(conserving < 2e-4);
    assert_true(source > 100 * conserving);
}

static double energy(const pbd_particle *p, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)p[i].mass / 2 *
               ((double)p[i].velocity.x * p[i].velocity.x + (double)p[i].velocity.y * p[i].velocity.y +
                (double)p[i].velocity.z * p[i].velocity.z);
    return sum;
}

static void test_collisions_lose_energy(void **state) /* P12 */
{
    (void)state;
    for (uint32_t k = 0; k <= 20; k++) { /* from head-on to barely touching */
        scene s = pair_make(PBD_SORTED, 0.21f);
        s.prev[0].velocity.x = 1;
        s.prev[1].velocity.x = -1;
        s.prev[1].position.y += 0.01f * (float)k;
        const double before = energy(s.prev, 2), step = 2.0 / 60;
        run(&s, true);
        const double grown = energy(particles_of(&s), 2) / before - 1;
        assert_true(grown <= (k == 0 ? 1e-6 : step / 0.1 * (step / 0.1)));
        if (k == 0)
            assert_true(grown < -0.1);
        scene_free(&s);
    }
}

/* ------------------------------------------------------------------------------- bounces, friction, heaps */

static void test_drop_bounces(void **state) /* P15 */
{
    (void)state;
    const float restitution[] = {0, 0.5f, 0.8f};
    for (uint32_t k = 0; k < 3; k++) {
        scene s = scene_make(PBD_SORTED, 1);
        pbd_params *p = params_of(&s);
        p->gravity = 9.81f;
        p->substeps = 16;
        p->restitution = restitution[k];
        s.colliders[0] = plane_make(0, 1, 0);
        s.colliders[0].restitution = restitution[k];
        s.collider_count = 1;
        s.prev[0].position.z = 1.1f; /* 1 m above the floor */
        double top = 0;
        bool fell = false;
        for (uint32_t frame = 0; frame < 120; frame++) {
            advance(&s, 1, true);
            fell = fell || s.prev[0].velocity.z > 0 || s.prev[0].position.z < 0.1001f;
            top = fell ? fmax(top, s.prev[0].position.z) : top;
        }
        near(top - 0.1, (double)restitution[k] * (double)restitution[k], 0.02);
        if (k == 0)
            near(s.prev[0].velocity.z, 0, 1e-4);
        scene_free(&s);
    }
}

static void test_particles_bounce_off_each_other(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++) {
        scene s = pair_make(variant, 0.21f);
        params_of(&s)->restitution = 0.5f;
        params_of(&s)->skin = 0.5f;
        s.prev[0].velocity.x = 1;
        s.prev[1].mass = 3;
        run(&s, true);
        near(by_id(&s, 0)->velocity.x, 0.25 - 0.75 * 0.5, 1e-5); /* of the elastic formula with e = 1/2 */
        near(by_id(&s, 1)->velocity.x, 0.25 + 0.25 * 0.5, 1e-5);
        scene_free(&s);
    }
}

/* Distance slid in 1 s on a plane tilted by `slope` radians, from rest. */
static double slide(double slope, float fixed, float kinetic)
{
    scene s = scene_make(PBD_SORTED, 1);
    pbd_params *p = params_of(&s);
    p->gravity = 9.81f;
    p->substeps = 4;
    s.colliders[0] = plane_make((float)sin(slope), (float)cos(slope), 0);
    s.colliders[0].friction_static = fixed;
    s.colliders[0].friction_kinetic = kinetic;
    s.collider_count = 1;
    s.prev[0].position = (vec3){(float)(0.1 * sin(slope)), 0, (float)(0.1 * cos(slope))};
    const vec3 start = s.prev[0].position;
    advance(&s, 60, true);
    const double slid = distance(s.prev[0].position, start);
    scene_free(&s);
    return slid;
}

static void test_slow_ones_do_not_bounce(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 2; k++) { /* below and above 2 g h = 0.327 m/s */
        scene s = pair_make(PBD_SORTED, 0.2001f);
        params_of(&s)->gravity = 9.81f;
        params_of(&s)->restitution = 1;
        s.prev[0].velocity.x = 0.15f + 0.03f * (float)k;
        s.prev[1].velocity.x = -s.prev[0].velocity.x;
        run(&s, true);
        assert_true(k == 0 ? fabsf(by_id(&s, 1)->velocity.x) < 0.01f : by_id(&s, 1)->velocity.x > 0.17f);
        scene_free(&s);
    }
}

static void test_incline(void **state) /* P14 */
{
    (void)state;
    const double slope = 0.4, pull = 9.81 * (sin(slope) - 0.2 * cos(slope)) / 2;
    near(slide(slope, 0.5f, 0.2f), 0, 1e-3); /* tan 0.4 = 0.42 */
    near(slide(slope, 0.4f, 0.2f), pull, 0.05 * pull);
    near(slide(slope, 0, 0), 9.81 * sin(slope) / 2, 0.05 * 9.81 * sin(slope) / 2);
}

/* One particle slides over another that is held: how much of its sideways step of 1 cm is left. */
static double rubbed(uint32_t variant, uint32_t iterations, float fixed, float kinetic)
{
    scene s = scene_make(variant, 2);
    pbd_params *p = params_of(&s);
    p->iterations = iterations;
    p->friction_static = fixed;
    p->friction_kinetic = kinetic;
    s.prev[0].flags = PBD_UNYIELDING;
    s.prev[0].position = (vec3){0, 0, 0.9f};
    s.prev[1].position = (vec3){0, 0, 1.1f};
    s.prev[1].velocity = (vec3){0.6f, 0, -1.2f};
    run(&s, true);
    const double x = by_id(&s, 1)->position.x;
    scene_free(&s);
    return x;
}

static void test_pairs_rub(void **state)
{
    (void)state;
    const double free_slip = rubbed(PBD_SORTED, 1, 0, 0);
    near(free_slip, 0.0105, 1e-3); /* pushed out along the tilted normal */
    assert_true(rubbed(PBD_SORTED, 1, 1, 1) < 0.2 * free_slip);
    const double some = rubbed(PBD_SORTED, 1, 0.1f, 0.1f);
    near(free_slip - some, 0.1 * 0.02, 3e-4); /* kinetic * overlap */
    /* In a list what a pair has pressed counts on: without new overlap, what static friction holds stays held. */
    near(rubbed(PBD_LIST, 1, 0.1f, 0.1f), some, 1e-7);
    assert_true(fabs(rubbed(PBD_LIST, 4, 0.1f, 0.1f) - some) < 3e-4);
    assert_true(rubbed(PBD_LIST, 4, 1, 1) < 0.02 * free_slip);
}

static void test_slip_is_of_the_two(void **state)
{
    (void)state;
    scene s = pair_make(PBD_LIST, 0.15f); /* side by side and together: no slip */
    params_of(&s)->friction_static = params_of(&s)->friction_kinetic = 1;
    s.prev[0].velocity.z = s.prev[1].velocity.z = 1;
    run(&s, true);
    near(by_id(&s, 0)->velocity.z, 1, 1e-5);
    s.prev[1].velocity.z = -1; /* against each other: what is left is along the tilted normal */
    run(&s, true);
    assert_true(by_id(&s, 0)->velocity.z < 0.5f);
    near(by_id(&s, 1)->velocity.z + by_id(&s, 0)->velocity.z, 0, 1e-5);
    scene_free(&s);
}

/* With a list a pair that has pressed once is in contact until the end of the substep. */
static void test_listed_pairs_linger(void **state)
{
    (void)state;
    for (uint32_t rubs = 0; rubs < 2; rubs++) {
        scene s = pair_make(PBD_LIST, 0.15f);
        params_of(&s)->iterations = 3;
        params_of(&s)->friction_kinetic = params_of(&s)->friction_static = 0.1f * (float)rubs;
        run(&s, true);
        assert_int_equal(status_by_id(&s, 0)->contacts, rubs);
        assert_int_equal(status_by_id(&s, 0)->collided, 1);
        near(by_id(&s, 1)->position.x, 0.1, 1e-7);
        scene_free(&s);
    }
}

static void test_moves_beyond_the_skin_are_counted(void **state)
{
    (void)state;
    const uint32_t iterations = 4;
    const float apart[] = {0.175f, 0.185f}; /* moved by 12.5 and 7.5 mm; half of the skin is 10 mm */
    for (uint32_t k = 0; k < 2; k++) {
        scene s = pair_make(PBD_LIST, apart[k]);
        params_of(&s)->iterations = iterations;
        run(&s, true);
        assert_int_equal(status_by_id(&s, 1)->violations, k == 0 ? iterations - 1 : 0);
        assert_int_equal(metric_of(&s)->violations, k == 0 ? 2 * (iterations - 1) : 0);
        scene_free(&s);
    }
}

/* A binned particle has no contacts to miss, so colliders may take it as far as they like. */
static void test_binned_ones_violate_no_skin(void **state)
{
    (void)state;
    for (uint32_t outside = 0; outside < 2; outside++) {
        scene s = scene_make(PBD_LIST, 1);
        params_of(&s)->iterations = 3;
        params_of(&s)->outside = outside;
        s.prev[0].position.x = 2.05f;
        s.colliders[0] = plane_make(-1, 0, -1.9f); /* to 1.8 m */
        s.collider_count = 1;
        run(&s, true);
        near(by_id(&s, 0)->position.x, 1.8, 1e-6);
        assert_int_equal(metric_of(&s)->violations, outside == PBD_OUTSIDE_BIN ? 0 : 2);
        scene_free(&s);
    }
}

static double heap_depth(uint32_t substeps)
{
    scene s = scene_make(PBD_ROWS, 200);
    pbd_params *p = params_of(&s);
    p->gravity = 9.81f;
    p->substeps = substeps;
    p->iterations = 8 / substeps;
    p->size_x = p->size_y = 0.8f;
    s.colliders[0] = (pbd_collider){.kind = PBD_COLLIDER_BOX_IN, .place = {-0.4f, -0.4f, 0}, .extent = {0.4f, 0.4f, 4}};
    s.collider_count = 1;
    for (uint32_t i = 0; i < 200; i++)
        s.prev[i].position =
            (vec3){0.2f * (float)(i % 4) - 0.3f, 0.2f * (float)(i / 4 % 4) - 0.29f, 0.11f + 0.2f * (float)(i / 16)};
    double sum = 0;
    advance(&s, 60, false);
    for (uint32_t frame = 0; frame < 10; frame++) {
        advance(&s, 1, false);
        sum += (double)metric_of(&s)->depth_rms;
    }
    scene_free(&s);
    return sum / 10;
}

static void test_substeps_stiffen(void **state) /* P16 */
{
    (void)state;
    double before = INFINITY;
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
        const double depth = heap_depth(substeps);
        assert_true(depth < before);
        before = depth;
    }
}

/* ------------------------------------------------------------------------------------------- caps */

static void test_speeds_are_capped(void **state)
{
    (void)state;
    scene s = pair_make(PBD_SORTED, 0.05f);
    pbd_params *p = params_of(&s);
    p->max_push = 0.5f;
    run(&s, true);
    near(by_id(&s, 1)->position.x, 0.1, 1e-7);
    near(by_id(&s, 1)->velocity.x, 0.5, 1e-6);
    p->max_push = 0;
    p->max_speed = 2;
    run(&s, true);
    near(by_id(&s, 1)->velocity.x, 2, 1e-6);
    scene_free(&s);
}

static void test_forces(void **state)
{
    (void)state;
    scene s = scene_make(PBD_SORTED, 1);
    pbd_params *p = params_of(&s);
    p->gravity = 10;
    p->drag = 6;
    p->attract = 4;
    p->attract_radius = 2;
    s.prev[0].position = (vec3){1, 0, 1}; /* the centre is (0, 0, 1): falloff 1/2 */
    run(&s, true);
    const double h = 1.0 / 60, damping = 1 / (1 + 6 * h);
    near(by_id(&s, 0)->velocity.x, -2 * h * damping, 1e-5);
    near(by_id(&s, 0)->velocity.z, -10 * h * damping, 1e-5);
    near(by_id(&s, 0)->position.z, 1 - 10 * h * h * damping, 1e-7);
    p->max_speed = 0.01f; /* already of the prediction */
    run(&s, true);
    near(distance(((pbd_predict *)s.now[PBD_BUFFER_PREDICT])->position, s.prev[0].position), 0.01 * h, 1e-7);
    scene_free(&s);
}

/* --------------------------------------------------------------------------------------- colliders */

static pbd_surface_probe probe(scene *s, const pbd_collider *q, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    pbd_surface_probe out;
    s->colliders[0] = *q;
    fill_frame(s);
    const vfx_ref ref = view(s, s->now);
    pbd_surface_ref_f64(&ref, 0, 0, at, &out);
    return out;
}

static void test_surfaces(void **state)
{
    (void)state;
    scene s = scene_make(PBD_BRUTE, 1);
    const pbd_collider sphere = {.kind = PBD_COLLIDER_SPHERE, .place = {1, 0, 0}, .extent = {0.5f, 0, 0}};
    near(probe(&s, &sphere, 1, 2, 0).phi, 1.5, 1e-12);
    near(probe(&s, &sphere, 1, 2, 0).normal[1], 1, 1e-12);
    near(probe(&s, &sphere, 1, 0, 0).normal[2], 1, 1e-12);
    const pbd_collider capsule = {
        .kind = PBD_COLLIDER_CAPSULE, .place = {0, 0, 0}, .extent = {2, 0, 0}, .round = 0.25f};
    near(probe(&s, &capsule, 1, 0, 1).phi, 0.75, 1e-12);
    near(probe(&s, &capsule, 5, 4, 0).phi, 4.75, 1e-12);
    near(probe(&s, &capsule, 5, 4, 0).normal[0], 0.6, 1e-12);
    const pbd_collider torus = {.kind = PBD_COLLIDER_TORUS, .place = {0, 0, 1}, .extent = {2, 0.5f, 0}};
    near(probe(&s, &torus, 0, 3, 1).phi, 0.5, 1e-12);
    near(probe(&s, &torus, 0, 1, 1).normal[1], -1, 1e-12);
    near(probe(&s, &torus, 0, 2, 3).normal[2], 1, 1e-12);
    near(probe(&s, &torus, 0, 0, 1).phi, 1.5, 1e-12);
    const pbd_collider box = {.kind = PBD_COLLIDER_BOX_OUT, .place = {-1, -1, -1}, .extent = {1, 2, 3}};
    near(probe(&s, &box, 4, 6, 0).phi, 5, 1e-12);
    near(probe(&s, &box, 4, 6, 0).normal[1], 0.8, 1e-12);
    near(probe(&s, &box, 0.75, 0, 0).phi, -0.25, 1e-12);
    near(probe(&s, &box, 0.75, 0, 0).normal[0], 1, 1e-12);
    near(probe(&s, &box, 0, 0.5, 1).normal[0], -1, 1e-12); /* low and high are equal: the first */
    scene_free(&s);
}

/* Distances to a box of half-sides 0.5, 0.6, 0.7 about (1, 0, 1), sampled in a volume of side 3. */
static float *box_samples(void)
{
    float *samples = malloc(sizeof *samples * PBD_SDF_SIDE * PBD_SDF_SIDE * PBD_SDF_SIDE);
    assert_non_null(samples);
    const double half[3] = {0.5, 0.6, 0.7};
    for (uint32_t i = 0; i < PBD_SDF_SIDE * PBD_SDF_SIDE * PBD_SDF_SIDE; i++) {
        const uint32_t at[3] = {i % PBD_SDF_SIDE, i / PBD_SDF_SIDE % PBD_SDF_SIDE, i / PBD_SDF_SIDE / PBD_SDF_SIDE};
        double square = 0, inside = -INFINITY;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double off = fabs(3.0 * at[axis] / (PBD_SDF_SIDE - 1) - 1.5) - half[axis];
            square += off > 0 ? off * off : 0;
            inside = fmax(inside, off);
        }
        samples[i] = (float)(inside > 0 ? sqrt(square) : inside);
    }
    return samples;
}

static void test_sampled_box_is_the_box(void **state) /* P18 */
{
    (void)state;
    scene s = scene_make(PBD_BRUTE, 1);
    const pbd_collider grid = {.kind = PBD_COLLIDER_GRID, .place = {1, 0, 1}, .round = 3};
    const pbd_collider box = {.kind = PBD_COLLIDER_BOX_OUT, .place = {0.5f, -0.6f, 0.3f}, .extent = {1.5f, 0.6f, 1.7f}};
    float *samples = box_samples();
    s.now[PBD_BUFFER_SDF] = samples;
    uint32_t seed = 3;
    const double voxel = 3.0 / (PBD_SDF_SIDE - 1);
    for (uint32_t i = 0; i < 2000; i++) {
        const double x = 1 + 2.9 * (noise(&seed) - 0.5f), y = 2.9 * (noise(&seed) - 0.5f),
                     z = 1 + 2.9 * (noise(&seed) - 0.5f);
        const pbd_surface_probe sampled = probe(&s, &grid, x, y, z), exact = probe(&s, &box, x, y, z);
        assert_true(sampled.there);
        near(sampled.phi, exact.phi, voxel * 0.5 * sqrt(3));
        if (exact.phi > 0 && fabs(y) < 0.5 && fabs(z - 1) < 0.6 && fabs(x - 1) > 0.7) { /* beside a face: linear */
            near(sampled.phi, exact.phi, 1e-5);
            near(sampled.normal[0], exact.normal[0], 1e-5);
        }
    }
    assert_false(probe(&s, &grid, 2.6, 0, 1).there);
    assert_false(probe(&s, &grid, 100, 0, 1).there);
    assert_false(probe(&s, &grid, 1, -1.51, 1).there);
    s.colliders[0] = grid; /* no ghost contact far outside */
    s.collider_count = 1;
    s.prev[0].position = (vec3){-1.9f, 0, 1};
    run(&s, true);
    near(distance(by_id(&s, 0)->position, s.prev[0].position), 0, 0);
    s.prev[0].position = (vec3){0.45f, 0, 1}; /* 5 cm before the face, radius 10 cm */
    run(&s, true);
    near(by_id(&s, 0)->position.x, 0.4, 1e-5);
    s.now[PBD_BUFFER_SDF] = NULL;
    free(samples);
    scene_free(&s);
}

static void test_moving_collider_carries(void **state)
{
    (void)state;
    scene s = scene_make(PBD_SORTED, 1);
    s.colliders[0] = plane_make(0, 1, 0.91f);
    s.colliders[0].velocity.x = 0.6f;
    s.colliders[0].friction_static = s.colliders[0].friction_kinetic = 10;
    s.collider_count = 1;
    run(&s, true);
    near(by_id(&s, 0)->position.x, 0.01, 1e-7); /* 0.6 m/s for a frame */
    near(by_id(&s, 0)->position.z, 1.01, 1e-6);
    scene_free(&s);
}

/* ---------------------------------------------------------------------------------------- the limits */

/* The float reference stands for a device: every stage in double from its records, judged by the check rows. Adds to
 * the records, and to those marked, of each row. */
static void judge(scene *s, uint64_t records[PBD_CHECK_COUNT], uint64_t marked[PBD_CHECK_COUNT])
{
    for (uint32_t k = 0; k < PBD_STAGE_COUNT; k++) {
        void *out[PBD_BUFFER_TOTAL] = {0};
        vfx_ref ref = view(s, out);
        for (uint32_t row = 0; row < PBD_BUFFER_TOTAL; row++) {
            if ((pbd_stages[k].writes >> row & 1u) == 0 || s->count[row] == 0)
                continue;
            ref.out[row] = out[row] = poisoned((size_t)s->count[row] * buffers[row].stride);
            ref.ill[row] = calloc((size_t)s->count[row], 1);
        }
        pbd_stages[k].f64(&ref, 0, pbd_stages[k].items(&s->kase));
        for (uint32_t c = 0; c < PBD_CHECK_COUNT; c++) {
            const vfx_check *check = &pbd_checks[c];
            if (out[check->buffer] == NULL)
                continue;
            vfx_check_result result = {0};
            vfx_compare_field(check, &ref, false, s->now[check->buffer], out[check->buffer], NULL, 0,
                              s->count[check->buffer], &result);
            if (result.failed > 0)
                fail_msg("%s, stage %s, %s.%s: %llu of %llu; record %llu: %.9g, truth %.9g, limit %g",
                         s->kase.variant->name, pbd_stages[k].name, buffers[check->buffer].name, check->field,
                         (unsigned long long)result.failed, (unsigned long long)result.compared,
                         (unsigned long long)result.first.record, result.first.device, result.first.truth,
                         result.first.limit);
            records[c] += result.records;
            marked[c] += result.ill;
        }
        for (uint32_t row = 0; row < PBD_BUFFER_TOTAL; row++) {
            free(out[row]);
            free(ref.ill[row]);
        }
    }
}

static scene busy_make(uint32_t variant)
{
    scene s = crowd_make(variant, 600);
    pbd_params *p = params_of(&s);
    p->buckets = 64;
    p->substeps = 2;
    p->gravity = 9.81f;
    p->drag = 0.1f;
    p->attract = 1;
    p->restitution = 0.5f;
    p->max_speed = 3;
    p->max_push = 2;
    scatter(&s, -0.8f, 0.8f, 0.3f, 11);
    for (uint32_t i = 0; i < 600; i += 50)
        s.prev[i].flags = PBD_UNYIELDING;
    s.colliders[0] = (pbd_collider){.kind = PBD_COLLIDER_BOX_IN, .place = {-1, -1, 0}, .extent = {1, 1, 4}};
    s.colliders[1] = (pbd_collider){
        .kind = PBD_COLLIDER_SPHERE, .place = {0.2f, 0.3f, 1}, .extent = {0.4f, 0, 0}, .velocity = {1, 0, 0}};
    s.colliders[2] =
        (pbd_collider){.kind = PBD_COLLIDER_BOX_OUT, .place = {-0.5f, -0.5f, 0.2f}, .extent = {-0.2f, 0, 0.4f}};
    s.colliders[3] = (pbd_collider){.kind = PBD_COLLIDER_TORUS, .place = {0.1f, 0.1f, 0.3f}, .extent = {0.5f, 0.1f, 0}};
    s.collider_count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        s.colliders[i].friction_static = 0.4f;
        s.colliders[i].friction_kinetic = 0.3f;
        s.colliders[i].restitution = 0.3f;
    }
    return s;
}

static void test_float_reference_is_within_the_limits(void **state)
{
    (void)state;
    uint64_t records[PBD_CHECK_COUNT] = {0}, marked[PBD_CHECK_COUNT] = {0};
    for (uint32_t variant = 0; variant < PBD_VARIANT_COUNT; variant++)
        for (uint32_t rubs = 0; rubs < 2; rubs++) {
            scene s = busy_make(variant);
            params_of(&s)->solver = rubs;
            params_of(&s)->friction_static = 0.5f * (float)rubs;
            params_of(&s)->friction_kinetic = 0.3f * (float)rubs;
            params_of(&s)->ordered = !rubs;
            for (uint32_t frame = 0; frame < 6; frame++) {
                run(&s, false);
                judge(&s, records, marked);
                memcpy(s.prev, particles_of(&s), 600 * sizeof *s.prev);
            }
            scene_free(&s);
        }
    for (uint32_t c = 0; c < PBD_CHECK_COUNT; c++) {
        assert_true(records[c] > 0);
        if (marked[c] > records[c] / 2000) /* half of what the rows allow */
            fail_msg("%s.%s: %llu of %llu records are marked", buffers[pbd_checks[c].buffer].name, pbd_checks[c].field,
                     (unsigned long long)marked[c], (unsigned long long)records[c]);
    }
}

/* A pair is marked where its overlap is within rounding of PBD_EPSILON, and only there. */
static void test_unsure_contacts_are_marked(void **state)
{
    (void)state;
    const float overlap[] = {0.9e-5f, 1e-5f, 1.1e-5f};
    for (uint32_t k = 0; k < 3; k++) {
        scene s = pair_make(PBD_SORTED, 0.2f - overlap[k]);
        run(&s, false);
        uint8_t marks[6] = {0};
        void *out[PBD_BUFFER_TOTAL] = {
            [PBD_BUFFER_TRACE] = calloc(6, sizeof(pbd_trace)), [PBD_BUFFER_STATUS] = calloc(2, sizeof(pbd_status))};
        vfx_ref ref = view(&s, out);
        ref.ill[PBD_BUFFER_TRACE] = marks;
        pbd_iterate_ref_f64(&ref, 0, 2);
        assert_int_equal(marks[4], k == 1 ? PBD_ILL_CONTACT : 0);
        assert_int_equal(marks[5], marks[4]);
        free(out[PBD_BUFFER_TRACE]);
        free(out[PBD_BUFFER_STATUS]);
        scene_free(&s);
    }
}

/* So are moves of half a skin within rounding; but not having moved at all is exact, also where the skin is 0. */
static void test_unsure_moves_are_marked(void **state)
{
    (void)state;
    const float apart[] = {0.175f, 0.18f, 0.3f, 0.3f}; /* moved by 12.5, 10, 0 and 0 mm */
    for (uint32_t k = 0; k < 4; k++) {
        scene s = pair_make(PBD_LIST, apart[k]);
        params_of(&s)->iterations = 2;
        if (k == 3)
            params_of(&s)->skin = 0;
        run(&s, true);
        uint8_t marks[2] = {0};
        void *out[PBD_BUFFER_TOTAL] = {
            [PBD_BUFFER_TRACE] = calloc(8, sizeof(pbd_trace)), [PBD_BUFFER_STATUS] = calloc(2, sizeof(pbd_status))};
        vfx_ref ref = view(&s, out);
        ref.ill[PBD_BUFFER_STATUS] = marks;
        pbd_iterate_ref_f64(&ref, 0, 4);
        assert_int_equal(marks[0] & PBD_ILL_SKIN, k == 1 ? PBD_ILL_SKIN : 0);
        free(out[PBD_BUFFER_TRACE]);
        free(out[PBD_BUFFER_STATUS]);
        scene_free(&s);
    }
}

/* Where arrival decides, any possible order is as good, and an impossible one is not. */
static void test_order_of_arrival_is_taken_over(void **state)
{
    (void)state;
    scene s = scene_make(PBD_SORTED, 3);
    params_of(&s)->ordered = 0;
    run(&s, false);
    pbd_sorted *sorted = s.now[PBD_BUFFER_SORTED];
    pbd_sorted kept[3];
    void *out[PBD_BUFFER_TOTAL] = {0};
    memcpy(kept, sorted, sizeof kept);
    sorted[0] = kept[2], sorted[2] = kept[0];
    out[PBD_BUFFER_SORTED] = calloc(3, sizeof *sorted);
    out[PBD_BUFFER_TRACE] = calloc(9, sizeof(pbd_trace));
    const vfx_ref ref = view(&s, out);
    pbd_sort_ref_f64(&ref, 0, 1);
    assert_memory_equal(out[PBD_BUFFER_SORTED], sorted, sizeof kept);
    sorted[0] = sorted[1]; /* one twice */
    pbd_sort_ref_f64(&ref, 0, 1);
    assert_memory_not_equal(out[PBD_BUFFER_SORTED], sorted, sizeof kept);
    free(out[PBD_BUFFER_SORTED]);
    free(out[PBD_BUFFER_TRACE]);
    scene_free(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pair_parts_in_one_iteration),
    cmocka_unit_test(test_pair_parts_by_mass),
    cmocka_unit_test(test_unyielding_ones_stay),
    cmocka_unit_test(test_relaxation_divides),
    cmocka_unit_test(test_three_in_a_row),
    cmocka_unit_test(test_coincident_ones_part),
    cmocka_unit_test(test_full_cells_drop),
    cmocka_unit_test(test_variants_find_what_brute_force_finds),
    cmocka_unit_test(test_a_cell_below_the_diameter_loses_pairs),
    cmocka_unit_test(test_binned_ones_have_no_contacts),
    cmocka_unit_test(test_slots_go_by_key_then_id),
    cmocka_unit_test(test_cells_and_keys),
    cmocka_unit_test(test_figures),
    cmocka_unit_test(test_symmetric_divisors_conserve),
    cmocka_unit_test(test_collisions_lose_energy),
    cmocka_unit_test(test_drop_bounces),
    cmocka_unit_test(test_particles_bounce_off_each_other),
    cmocka_unit_test(test_slow_ones_do_not_bounce),
    cmocka_unit_test(test_incline),
    cmocka_unit_test(test_pairs_rub),
    cmocka_unit_test(test_slip_is_of_the_two),
    cmocka_unit_test(test_listed_pairs_linger),
    cmocka_unit_test(test_moves_beyond_the_skin_are_counted),
    cmocka_unit_test(test_binned_ones_violate_no_skin),
    cmocka_unit_test(test_substeps_stiffen),
    cmocka_unit_test(test_speeds_are_capped),
    cmocka_unit_test(test_forces),
    cmocka_unit_test(test_surfaces),
    cmocka_unit_test(test_sampled_box_is_the_box),
    cmocka_unit_test(test_moving_collider_carries),
    cmocka_unit_test(test_float_reference_is_within_the_limits),
    cmocka_unit_test(test_unsure_contacts_are_marked),
    cmocka_unit_test(test_unsure_moves_are_marked),
    cmocka_unit_test(test_order_of_arrival_is_taken_over),
};
VFX_TEST_MAIN(tests)
