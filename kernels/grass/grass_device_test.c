/* grass_device_test.c - what must hold on a device whatever its arithmetic, mostly bit for bit: variants agree, the
 * workgroup size and repetition change nothing, symmetries of the maths (G1, G2, G7, G13) are exact, hash and noise
 * are the host's (G12); and the bend of a million blades is within 5e-7 of their height. Tests of single formulas
 * place their own instances, in a copy of the record. */
#include "core/test_device.h"

#include "core/hash.h"
#include "core/params.h"
#include "core/run.h"
#include "kernels/grass/grass.h"
#include "kernels/grass/grass_ref.h"

#include <math.h>

#define FUSED "fused"
static const char *const whole_vertices[] = {FUSED, "per-vertex", "two-pass", "trig"};

/* ------------------------------------------------------------------------------------------- running */

static const vfx_variant *variant_named(const char *name)
{
    for (uint32_t i = 0; i < grass_kernel.variant_count; ++i)
        if (strcmp(grass_kernel.variants[i].name, name) == 0)
            return &grass_kernel.variants[i];
    fail_msg("no variant %s", name);
    return NULL;
}

/* Runs two frames from preset ci with `set`; `kernel` is the record or a copy with another init. */
static void take_with(picture *p, const vfx_kernel *kernel, const char *variant, const char *set, uint32_t seed,
                      const vfx_override *override)
{
    *p = (picture){0};
    assert_vfx_ok(vfx_case_init(&p->kase, kernel, variant_named(variant), "ci"));
    assert_vfx_ok(vfx_case_set_list(&p->kase, set));
    p->kase.seed = seed;
    assert_vfx_ok(vfx_case_validate(&p->kase));
    take_picture(p, (vfx_run_request){.frames = 2, .overrides = override, .override_count = override ? 1 : 0});
}

static void take(picture *p, const char *variant, const char *set)
{
    take_with(p, &grass_kernel, variant, set, 1, NULL);
}

static void drop(picture *p)
{
    vfx_host_destroy(&p->host);
}

static const grass_params *params_of(const picture *p)
{
    return VFX_CASE_PARAMS(&p->kase, grass_params);
}

static void verify_passes(const vfx_kernel *kernel, const char *variant, const char *set, vfx_mode mode)
{
    vfx_case kase;
    assert_vfx_ok(vfx_case_init(&kase, kernel, variant_named(variant), "ci"));
    assert_vfx_ok(vfx_case_set_list(&kase, set));
    vfx_verify_result result;
    vfx_run_request request = {.kase = &kase, .frames = 2, .read_every = 1};
    if (vfx_verify(gpu, &request, mode, &result) != VFX_OK)
        fail_msg("%s, %s: %s", variant, set, result.failure);
}

static void assert_same(const picture *a, const picture *b, uint32_t row, const char *set)
{
    assert_true(a->host.bytes[row] == b->host.bytes[row]);
    if (a->host.bytes[row] > 0 && memcmp(a->host.buffer[row], b->host.buffer[row], a->host.bytes[row]) != 0)
        fail_msg("%s and %s differ in %s (%s)", a->kase.variant->name, b->kase.variant->name,
                 grass_kernel.buffers[row].name, set);
}

/* ------------------------------------------------------------------------------------------ variants */

/* Every branch of the shaders, and sizes that fill no workgroup. */
static const char *const sets[] = {
    "motion=on",
    "motion=on,leaves=5,blades=211",
    "motion=on,leaves=64,blades=7,coherence=0.5,rows=3",
    "motion=on,leaves=3,coherence=1,clump_lean=0.7,clump_radius=2",
    "motion=on,rows=2",
    "motion=on,rows=64,blades=131",
    "motion=on,normal=arc",
    "motion=on,normal=arc,leaves=4,blades=301,turn_slow=0.3",
    "wind=world,pan=3,wind_angle=0.3",
    "motion=on,random=fract",
    "motion=on,align=upright,facing=back,normal_blend=0.1",
    "motion=on,facing=camera,leaves=2",
    "motion=on,shape=lerp",
    "motion=on,shape=lerp,normal=arc,facing=camera,random=fract,wind=world,placement=grid,leaves=2,rows=5",
    "blades=1",
};

static void test_variants_agree(void **state)
{
    (void)state;
    need_device();
    for (size_t i = 0; i < VFX_COUNT(sets); ++i) {
        picture fused, other;
        take(&fused, FUSED, sets[i]);
        assert_true(fused.host.bytes[GRASS_BUFFER_VERTEX] > 0);
        for (size_t k = 1; k < 3; ++k) {
            take(&other, whole_vertices[k], sets[i]);
            assert_same(&fused, &other, GRASS_BUFFER_VERTEX, sets[i]);
            assert_same(&fused, &other, GRASS_BUFFER_MOTION, sets[i]);
            drop(&other);
        }
        take(&other, "packed", sets[i]);
        assert_same(&fused, &other, GRASS_BUFFER_MOTION, sets[i]);
        drop(&other);
        drop(&fused);
    }
    assert_no_messages();
}

static void test_runs_repeat(void **state)
{
    (void)state;
    need_device();
    assert_runs_repeat(&grass_kernel, "motion=on,leaves=3", 20);
}

static void test_workgroups_do_not_matter(void **state)
{
    (void)state;
    need_device();
    assert_workgroups_do_not_matter(&grass_kernel, "motion=on", 2);
    assert_workgroups_do_not_matter(&grass_kernel, "motion=on,leaves=7,rows=5,normal=arc,blades=200", 2);
}

/* ---------------------------------------------------------------------------------------- symmetries */

/* G1: without bend a blade is straight up from its root row, bit for bit; also where its normal or its point would be
 * made from the direction of the bend, which it lacks. */
static void test_no_bend_is_the_identity(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[] = {
        "bend_min=0,bend_max=0,motion=on",
        "bend_min=0,bend_max=0,leaves=5,rows=5",
        "bend_min=0,bend_max=0,normal=arc,motion=on",
        "bend_min=0,bend_max=0,shape=lerp,motion=on",
        "bend_min=0,bend_max=0,normal=arc,shape=lerp,leaves=3",
    };
    for (size_t i = 0; i < VFX_COUNT(whole_vertices) * VFX_COUNT(lists); ++i) {
        const char *set = lists[i % VFX_COUNT(lists)];
        bool clump = strstr(set, "leaves") != NULL;
        picture p;
        take(&p, whole_vertices[i / VFX_COUNT(lists)], set);
        verify_passes(&grass_kernel, p.kase.variant->name, set, VFX_STEP_LOCKED); /* the normals */
        const grass_instance *instance = p.host.buffer[GRASS_BUFFER_INSTANCE];
        const grass_vertex *vertex = p.host.buffer[GRASS_BUFFER_VERTEX];
        const grass_motion *motion = p.host.buffer[GRASS_BUFFER_MOTION];
        uint32_t rows = params_of(&p)->rows, columns = 2 * rows;
        for (uint64_t v = 0; v < p.host.count[GRASS_BUFFER_VERTEX]; ++v) {
            uint32_t row = (uint32_t)(v % columns) / 2;
            const vec3 *at = &vertex[v].position, *root = &vertex[v - 2 * row].position;
            assert_memory_equal(at, root, 2 * sizeof(float)); /* x, y */
            if (clump)
                continue;
            const grass_instance *mine = &instance[v / columns];
            float height = params_of(&p)->height * (float)grass_half_value(mine->size & 0xffffu);
            float step = (float)(1.0 / (rows - 1)), share = (float)row * step;
            float z = (row == rows - 1 ? 1.0f : share) * height, up = mine->pivot.z + z;
            assert_memory_equal(&at->z, &up, sizeof up);
            assert_memory_equal(&motion[v].position, at, sizeof *at);
        }
        drop(&p);
    }
    assert_no_messages();
}

/* G2: the root row is where it is without any bend, bit for bit. */
static void test_roots_stay(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[][2] = {
        {"bend_min=0,bend_max=0", "bend_min=0.5,bend_max=1,start=7,sway_slow=1,turn_fast=0.5,motion=on"},
        {"leaves=5,clump_radius=3,bend_min=0,bend_max=0",
         "leaves=5,clump_radius=3,bend_min=0.5,bend_max=1,wind_angle=0.7,motion=on"},
        {"leaves=2,wind=world,bend_min=0,bend_max=0",
         "leaves=2,wind=world,shape=lerp,bend_min=0.5,bend_max=1,motion=on"},
    };
    for (size_t i = 0; i < VFX_COUNT(whole_vertices) * VFX_COUNT(lists); ++i) {
        const char *variant = whole_vertices[i / VFX_COUNT(lists)];
        picture still, blown;
        take(&still, variant, lists[i % VFX_COUNT(lists)][0]);
        take(&blown, variant, lists[i % VFX_COUNT(lists)][1]);
        const grass_vertex *a = still.host.buffer[GRASS_BUFFER_VERTEX], *b = blown.host.buffer[GRASS_BUFFER_VERTEX];
        const grass_motion *before = blown.host.buffer[GRASS_BUFFER_MOTION];
        uint64_t per_leaf = 2 * params_of(&still)->rows;
        for (uint64_t v = 0; v < still.host.count[GRASS_BUFFER_VERTEX]; v += per_leaf)
            for (uint64_t column = 0; column < 2; ++column) {
                assert_memory_equal(&a[v + column].position, &b[v + column].position, sizeof(vec3));
                assert_memory_equal(&a[v + column].position, &before[v + column].position, sizeof(vec3));
            }
        uint64_t tip = per_leaf - 1;
        assert_true(memcmp(&a[tip].position, &b[tip].position, sizeof(vec3)) != 0); /* there was a wind */
        drop(&still);
        drop(&blown);
    }
    assert_no_messages();
}

/* The same instances after a quarter turn: (x, y) to (-y, x). */
static void init_turned(const vfx_case *kase, void *const buffers[], void *const images[])
{
    grass_init(kase, buffers, images);
    grass_instance *instances = buffers[GRASS_BUFFER_INSTANCE];
    for (uint64_t i = 0; i < grass_instance_count(kase); ++i) {
        grass_instance *it = &instances[i];
        it->pivot = (vec3){-it->pivot.y, it->pivot.x, it->pivot.z};
        it->yaw = ((it->yaw >> 16) ^ 0x8000u) | (it->yaw & 0xffffu) << 16;
        it->surface = ((~(it->surface >> 16) + 1u) & 0xffffu) | (it->surface & 0xffffu) << 16;
    }
}

static bool is_turned(vec3 a, vec3 b)
{
    return b.x == -a.y && b.y == a.x && b.z == a.z;
}

/* G7: single blades and wind turned by a quarter give the turned field, bit for bit. */
static void test_quarter_turn(void **state)
{
    (void)state;
    need_device();
    vfx_kernel turned_kernel = grass_kernel;
    turned_kernel.init = init_turned;
    for (size_t i = 0; i < VFX_COUNT(whole_vertices) * 2; ++i) {
        const char *variant = whole_vertices[i / 2];
        char set[2][128];
        for (int k = 0; k < 2; ++k) /* angles that floats hold exactly */
            snprintf(set[k], sizeof set[k], "motion=on,normal=%s,relief=20,hill_size=10,wind_angle=%s",
                     i % 2 ? "arc" : "frame", k ? "0.4375" : "0.1875");
        picture plain, turned;
        take_with(&plain, &grass_kernel, variant, set[0], 1, NULL);
        take_with(&turned, &turned_kernel, variant, set[1], 1, NULL);
        const grass_vertex *a = plain.host.buffer[GRASS_BUFFER_VERTEX], *b = turned.host.buffer[GRASS_BUFFER_VERTEX];
        const grass_motion *c = plain.host.buffer[GRASS_BUFFER_MOTION], *d = turned.host.buffer[GRASS_BUFFER_MOTION];
        for (uint64_t v = 0; v < plain.host.count[GRASS_BUFFER_VERTEX]; ++v)
            if (!is_turned(a[v].position, b[v].position) || !is_turned(a[v].normal, b[v].normal) ||
                !is_turned(c[v].position, d[v].position) || a[v].shade != b[v].shade)
                fail_msg("%s, vertex %llu: not the turned one", variant, (unsigned long long)v);
        drop(&plain);
        drop(&turned);
    }
    assert_no_messages();
}

/* Nearly no bend, and the normal of its direction: a few normals may be either of two, in both modes. */
static void test_marks_count_in_both_modes(void **state)
{
    (void)state;
    need_device();
    static const char set[] = "bend_min=0,bend_max=1e-6,normal=arc,wind_angle=0.125";
    for (uint32_t i = 0; i < grass_kernel.variant_count; ++i) {
        verify_passes(&grass_kernel, grass_kernel.variants[i].name, set, VFX_STEP_LOCKED);
        verify_passes(&grass_kernel, grass_kernel.variants[i].name, set, VFX_FREE_RUN);
    }
    assert_no_messages();
}

/* Pivots just below 0: in centimetres their fraction is the largest float below 1, or would round to 1. */
static void init_just_below(const vfx_case *kase, void *const buffers[], float centimetres)
{
    grass_init(kase, buffers, NULL);
    grass_instance *instances = buffers[GRASS_BUFFER_INSTANCE];
    float at = centimetres / 100.0f;
    for (uint64_t i = 0; i < grass_instance_count(kase); ++i)
        instances[i].pivot = (vec3){at, at, at};
}

static void init_below_one(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    init_just_below(kase, buffers, -0x1p-24f);
}

static void init_rounds_to_one(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    init_just_below(kase, buffers, -0x1p-40f);
}

static void init_zero(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    init_just_below(kase, buffers, 0.0f);
}

/* random = fract never draws a 1: a fraction that rounds to it is the largest float below (GRASS_BELOW_ONE). */
static void test_fractions_stay_below_one(void **state)
{
    (void)state;
    need_device();
    static const char set[] = "random=fract,stagger=16,relief=0,rows=2";
    vfx_kernel kernels[3] = {grass_kernel, grass_kernel, grass_kernel};
    kernels[0].init = init_below_one;
    kernels[1].init = init_rounds_to_one;
    kernels[2].init = init_zero;
    picture p[3];
    for (int k = 0; k < 3; ++k) {
        take_with(&p[k], &kernels[k], "two-pass", set, 1, NULL);
        for (uint32_t i = 0; i < grass_kernel.variant_count; ++i)
            verify_passes(&kernels[k], grass_kernel.variants[i].name, set, VFX_STEP_LOCKED);
    }
    const grass_blade *one = p[0].host.buffer[GRASS_BUFFER_BLADE], *two = p[1].host.buffer[GRASS_BUFFER_BLADE];
    assert_memory_equal(one, two, p[0].host.bytes[GRASS_BUFFER_BLADE]);
    assert_true(memcmp(one, p[2].host.buffer[GRASS_BUFFER_BLADE], p[0].host.bytes[GRASS_BUFFER_BLADE]) != 0);
    for (int k = 0; k < 3; ++k)
        drop(&p[k]);
    assert_no_messages();
}

/* ------------------------------------------------------------------------------------- motion vectors */

enum { TURN_FRAMES = 5 };

/* Positions of every frame of the last variant that stores whole vertices. */
typedef struct turning {
    const char *variant, *set;
    uint64_t vertices;
    vec3 *position[TURN_FRAMES + 1];
    bool moved;
} turning;

static vfx_status motion_is_the_frame_before(void *user, const vfx_feed *feed, const vfx_host *prev,
                                             const vfx_host *now)
{
    (void)prev;
    turning *t = user;
    uint32_t k = feed->frame.index;
    const grass_vertex *vertex = now->buffer[GRASS_BUFFER_VERTEX];
    const grass_motion *motion = now->buffer[GRASS_BUFFER_MOTION];
    for (uint64_t v = 0; v < t->vertices; ++v) {
        if (vertex != NULL)
            t->position[k][v] = vertex[v].position;
        if (k > 1 && memcmp(&motion[v].position, &t->position[k - 1][v], sizeof(vec3)) != 0)
            fail_msg("%s, %s, frame %u, vertex %llu: its position at t - dt is not that of frame %u", t->variant,
                     t->set, k, (unsigned long long)v, k - 1);
        t->moved = t->moved || memcmp(&motion[v].position, &t->position[k][v], sizeof(vec3)) != 0;
    }
    return VFX_OK;
}

/* Positions at t - dt are those of the frame before, bit for bit, in a wind that turns in between. `packed` has no
 * positions of its own: its motion is that of two-pass, which comes before it. */
static void test_motion_in_a_turning_wind(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[] = {"motion=on", "motion=on,wind=world,leaves=3,blades=301",
                                        "motion=on,leaves=2,normal=arc,shape=lerp,blades=301"};
    for (uint32_t i = 0; i < VFX_COUNT(lists); ++i) {
        turning t = {.set = lists[i]};
        for (uint32_t k = 0; k < grass_kernel.variant_count; ++k) {
            vfx_case kase;
            vfx_at_list at = {0};
            assert_vfx_ok(vfx_case_init(&kase, &grass_kernel, &grass_kernel.variants[k], "ci"));
            assert_vfx_ok(vfx_case_set_list(&kase, t.set));
            assert_vfx_ok(vfx_at_parse(&kase, "2:wind_angle=0.4", &at));
            assert_vfx_ok(vfx_at_parse(&kase, "4:wind_angle=-0.7", &at));
            t.variant = kase.variant->name;
            t.vertices = grass_vertex_count(&kase);
            for (uint32_t f = 0; k == 0 && f <= TURN_FRAMES; ++f)
                assert_non_null(t.position[f] = calloc((size_t)t.vertices, sizeof(vec3)));
            vfx_run_request request = {
                .kase = &kase, .at = &at, .frames = TURN_FRAMES, .read_every = 1, .poison = true};
            vfx_run *run;
            assert_vfx_ok(vfx_run_create(&run, gpu, &request));
            assert_vfx_ok(vfx_run_gpu(run, motion_is_the_frame_before, &t, NULL));
            vfx_run_destroy(run);
        }
        assert_true(t.moved);
        for (uint32_t f = 0; f <= TURN_FRAMES; ++f)
            free(t.position[f]);
    }
    assert_no_messages();
}

/* Any code of a surface normal, overhangs and codes that no encoder makes among them. */
static void init_any_surface(const vfx_case *kase, void *const buffers[], void *const images[])
{
    grass_init(kase, buffers, images);
    grass_instance *instances = buffers[GRASS_BUFFER_INSTANCE];
    for (uint32_t i = 0; i < grass_instance_count(kase); ++i) {
        const vfx_hash3 dice = vfx_pcg3d(i, 5, 0);
        instances[i].surface = dice.y % 5 == 0 ? (dice.x & 0xffffu) | 0x80000000u : dice.x; /* y = -32768 */
    }
}

/* The ground of a scene never hangs over, but the format can say so: the device decodes it as the reference does. */
static void test_any_surface(void **state)
{
    (void)state;
    need_device();
    vfx_kernel any = grass_kernel;
    any.init = init_any_surface;
    static const char *const lists[] = {"blades=3000,rows=3", "blades=1000,rows=3,leaves=3,align=upright"};
    for (uint32_t i = 0; i < grass_kernel.variant_count * VFX_COUNT(lists); ++i) {
        vfx_case kase;
        assert_vfx_ok(vfx_case_init(&kase, &any, &grass_kernel.variants[i / VFX_COUNT(lists)], "ci"));
        assert_vfx_ok(vfx_case_set_list(&kase, lists[i % VFX_COUNT(lists)]));
        vfx_verify_result result;
        vfx_run_request request = {.kase = &kase, .frames = 1};
        if (vfx_verify(gpu, &request, VFX_STEP_LOCKED, &result) != VFX_OK)
            fail_msg("%s, %s: %s", kase.variant->name, lists[i % VFX_COUNT(lists)], result.failure);
    }
    assert_no_messages();
}

/* G13: 8 and 15 rows share every second row, bit for bit. */
static void test_rows_are_shared(void **state)
{
    (void)state;
    need_device();
    for (uint32_t i = 0; i < grass_kernel.variant_count; ++i) {
        bool packed = strcmp(grass_kernel.variants[i].name, "packed") == 0;
        uint32_t row = packed ? GRASS_BUFFER_PACKED : GRASS_BUFFER_VERTEX;
        size_t stride = packed ? sizeof(grass_packed) : sizeof(grass_vertex);
        picture coarse, fine;
        take(&coarse, grass_kernel.variants[i].name, "leaves=2,rows=8");
        take(&fine, grass_kernel.variants[i].name, "leaves=2,rows=15");
        const unsigned char *a = coarse.host.buffer[row], *b = fine.host.buffer[row];
        for (uint64_t v = 0; v < coarse.host.count[row]; ++v) {
            uint64_t same = v / 16 * 30 + v % 16 / 2 * 4 + v % 2;
            assert_memory_equal(a + v * stride, b + same * stride, stride);
        }
        drop(&coarse);
        drop(&fine);
    }
    assert_no_messages();
}

/* -------------------------------------------------------------------------------------- hash and noise */

VFX_SPIRV_DECLARE(probe_noise)

enum { GOLDEN = 3, QUESTIONS = 40000 };
/* What probe_noise.comp reads and writes. */
typedef struct question {
    float q[3];
    uint32_t noise_seed, hash[3], unused;
} question;
typedef struct answer {
    uint32_t hash[3];
    float noise;
} answer;
_Static_assert(sizeof(question) == sizeof(grass_instance) && sizeof(answer) == sizeof(grass_blade), "in their place");

static const question golden[GOLDEN] = {{{1.5f, 2.25f, 3.75f}, 0, {0, 0, 0}, 0},
                                        {{257.5f, 2.25f, 3.75f}, 0, {1, 2, 3}, 0},
                                        {{0, 0, 0}, 0, {255, 255, 255}, 0}};
static const answer golden_answer[GOLDEN] = {{{0x9bafd7c6u, 0xa8e88a6bu, 0x3f15482cu}, -0.137939453125f},
                                             {{0xfa9f79a6u, 0x48f2f44cu, 0x596f5ab1u}, -0.137939453125f},
                                             {{0x1aa9a7f1u, 0xf1499b36u, 0xb66b4c35u}, 0}};

/* The golden ones, a regular grid across the origin and the period, then points in a large box. */
static void init_questions(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    question *out = buffers[GRASS_BUFFER_INSTANCE];
    memcpy(out, golden, sizeof golden);
    for (uint32_t i = GOLDEN; i < grass_instance_count(kase); ++i) {
        bool grid = i < QUESTIONS / 2;
        vfx_hash3 dice = vfx_pcg3d(i, 77, 0);
        out[i] = (question){.noise_seed = i % 3 == 0 ? 0 : i % 7, .hash = {i, dice.x, i % 3 ? dice.y : i}};
        const uint32_t words[3] = {dice.x, dice.y, dice.z}, cell[3] = {i % 27, i / 27 % 27, i / 729};
        for (int axis = 0; axis < 3; ++axis)
            out[i].q[axis] =
                grid ? (float)cell[axis] * 19.375f - 256.0f : (float)((vfx_hash_unit(words[axis]) - 0.5) * 2000.0);
    }
}

/* G12, on the device: golden values and the host's versions, bit for bit. */
static void test_hash_and_noise(void **state)
{
    (void)state;
    need_device();
    vfx_kernel asking = grass_kernel;
    asking.init = init_questions;
    vfx_override probe = {.pass = "blade", .words = probe_noise_spirv.words, .bytes = probe_noise_spirv.bytes};
    picture p;
    take_with(&p, &asking, "two-pass", "blades=40k,rows=2", 1, &probe);
    const question *asked = p.host.buffer[GRASS_BUFFER_INSTANCE];
    const answer *got = p.host.buffer[GRASS_BUFFER_BLADE];
    for (uint32_t i = 0; i < GOLDEN; ++i) {
        assert_memory_equal(got[i].hash, golden_answer[i].hash, sizeof got[i].hash);
        assert_true(got[i].noise == golden_answer[i].noise);
    }
    double largest = 0;
    for (uint32_t i = 0; i < QUESTIONS; ++i) {
        const vfx_hash3 hash = vfx_pcg3d(asked[i].hash[0], asked[i].hash[1], asked[i].hash[2]);
        const double noise = grass_noise_ref_f32(asked[i].q, asked[i].noise_seed);
        assert_memory_equal(got[i].hash, &hash, sizeof hash);
        if ((double)got[i].noise != noise)
            fail_msg("noise(%a, %a, %a) is %a, not %a", (double)asked[i].q[0], (double)asked[i].q[1],
                     (double)asked[i].q[2], (double)got[i].noise, noise);
        largest = fmax(largest, fabs(noise));
    }
    assert_true(largest > 0.7);
    drop(&p);
    assert_no_messages();
}

/* ------------------------------------------------------------------------------------------ the bend */

/* Flat, and every root at the origin: positions are bends, without the rounding of a place in the world. */
static void init_at_origin(const vfx_case *kase, void *const buffers[], void *const images[])
{
    grass_init(kase, buffers, images);
    grass_instance *instances = buffers[GRASS_BUFFER_INSTANCE];
    for (uint64_t i = 0; i < grass_instance_count(kase); ++i)
        instances[i].pivot = (vec3){0, 0, 0};
}

typedef struct bend_errors {
    double arc, trig, packed; /* largest error, share of the height */
    double least, most;       /* |beta| */
} bend_errors;

static double error_of(const double truth[3], double x, double y, double z)
{
    return sqrt((x - truth[0]) * (x - truth[0]) + (y - truth[1]) * (y - truth[1]) + (z - truth[2]) * (z - truth[2]));
}

/* Blade i of the pictures against the formula in double, from the device's own curvature. */
static void measure_blade(const picture *two, const picture *trig, const picture *half, uint64_t i, bend_errors *errors)
{
    const grass_params *params = params_of(two);
    const grass_instance *instance = (const grass_instance *)two->host.buffer[GRASS_BUFFER_INSTANCE] + i;
    const grass_blade *blade = (const grass_blade *)two->host.buffer[GRASS_BUFFER_BLADE] + i;
    const grass_vertex *vertex = (const grass_vertex *)two->host.buffer[GRASS_BUFFER_VERTEX] + i * 2 * params->rows;
    const grass_vertex *sine = (const grass_vertex *)trig->host.buffer[GRASS_BUFFER_VERTEX] + i * 2 * params->rows;
    const grass_packed *packed = (const grass_packed *)half->host.buffer[GRASS_BUFFER_PACKED] + i * 2 * params->rows;
    float height = params->height * (float)grass_half_value(instance->size & 0xffffu);
    double width = grass_half_value(instance->size >> 16), x = grass_half_value(instance->yaw & 0xffffu),
           y = grass_half_value(instance->yaw >> 16), kappa[2] = {(double)blade->kappa.x, (double)blade->kappa.y};
    double beta = hypot(kappa[0], kappa[1]) * (double)height / (double)GRASS_HALF_PI;
    errors->least = fmin(errors->least, beta);
    errors->most = fmax(errors->most, beta);
    for (uint32_t v = 0; v < 2 * params->rows; ++v) {
        float z = v / 2 == params->rows - 1 ? height : vertex[v].gradient * height;
        grass_bend bend = {{x / hypot(x, y), y / hypot(x, y)}, (v % 2 - 0.5) * width, (double)z, {kappa[0], kappa[1]}};
        grass_bent truth;
        grass_bend_ref_f64(&bend, &truth);
        const vec3 *at = &vertex[v].position, *sine_at = &sine[v].position;
        double arc = error_of(truth.point, (double)at->x, (double)at->y, (double)at->z);
        double by_sine = error_of(truth.point, (double)sine_at->x, (double)sine_at->y, (double)sine_at->z);
        double rounded = error_of(truth.point, grass_half_value(packed[v].offset_xy & 0xffffu),
                                  grass_half_value(packed[v].offset_xy >> 16), grass_half_value(packed[v].offset_z));
        errors->arc = fmax(errors->arc, arc / (double)height);
        errors->trig = fmax(errors->trig, by_sine / (double)height);
        errors->packed = fmax(errors->packed, rounded / (double)height);
    }
}

/* A million blades of all bends: within 5e-7 of the height (trig 1e-6), and within 5e-4 as halves. stagger spreads the
 * gusts. */
static void test_bend_of_a_million_blades(void **state)
{
    (void)state;
    need_device();
    vfx_kernel at_origin = grass_kernel;
    at_origin.init = init_at_origin;
    enum { BATCHES = 10 };
    for (uint32_t batch = 0; batch < BATCHES; ++batch) {
        double least = batch == 1 ? 1 : batch == 2 ? 1e-6 : 0, most = batch == 0 ? 0 : batch == 2 ? 1e-6 : 1;
        char set[160];
        snprintf(set, sizeof set,
                 "blades=100k,relief=0,stagger=16,start=%u,height=%g,height_spread=0.9,bend_min=%g,bend_max=%g",
                 3 * batch, batch % 2 ? 10.0 : 0.7, least, most);
        picture two, trig, half;
        take_with(&two, &at_origin, "two-pass", set, batch, NULL);
        take_with(&trig, &at_origin, "trig", set, batch, NULL);
        take_with(&half, &at_origin, "packed", set, batch, NULL);
        bend_errors errors = {.least = 2};
        for (uint64_t i = 0; i < two.host.count[GRASS_BUFFER_BLADE]; ++i)
            measure_blade(&two, &trig, &half, i, &errors);
        if (!(errors.arc <= 5e-7) || !(errors.trig <= 1e-6) || !(errors.packed <= 5e-4))
            fail_msg("%s: error %g of the height, by sine and cosine %g, as halves %g", set, errors.arc, errors.trig,
                     errors.packed);
        assert_true(errors.most <= most * (1 + 1e-6) && errors.most >= most * 0.99);
        assert_true(errors.least <= 0.05 * most);
        print_message("|beta| %.2g..%.2g: largest error %.3g of the height, trig %.3g, as halves %.3g\n", errors.least,
                      errors.most, errors.arc, errors.trig, errors.packed);
        drop(&two);
        drop(&trig);
        drop(&half);
    }
    assert_no_messages();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_variants_agree),
    cmocka_unit_test(test_runs_repeat),
    cmocka_unit_test(test_workgroups_do_not_matter),
    cmocka_unit_test(test_no_bend_is_the_identity),
    cmocka_unit_test(test_roots_stay),
    cmocka_unit_test(test_quarter_turn),
    cmocka_unit_test(test_marks_count_in_both_modes),
    cmocka_unit_test(test_fractions_stay_below_one),
    cmocka_unit_test(test_motion_in_a_turning_wind),
    cmocka_unit_test(test_any_surface),
    cmocka_unit_test(test_rows_are_shared),
    cmocka_unit_test(test_hash_and_noise),
    cmocka_unit_test(test_bend_of_a_million_blades),
};
VFX_DEVICE_TEST_MAIN(tests)
