/* grass_ref_test.c - the grass reference against what the maths says: closed forms, symmetries, statistics, and the
 * float build against its own limits. G1 and so on are the properties of README.md. The fixture builds its own
 * scene, so that nothing here depends on the family's host code. Bends are measured from the root: pivots lie at the
 * origin. */
#include "core/test.h"

#ifndef VFX_REAL_IS_DOUBLE
#define VFX_REAL_IS_DOUBLE 1
#endif
#include "kernels/grass/grass_real.h"

#define PI 3.14159265358979323846
#define ROUNDING 0x1p-24 /* u of README.md */

static void near(double a, double b, double limit)
{
    if (!(fabs(a - b) <= limit))
        fail_msg("%.12g is not %.12g within %g (off by %g)", a, b, limit, a - b);
}

/* A fixed sequence of numbers in [0, 1). */
static double dice(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t x = *seed ^ *seed >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 13;
    return (x >> 8) * 0x1p-24;
}

static double between(uint32_t *seed, double low, double high)
{
    return low + (high - low) * dice(seed);
}

/* -------------------------------------------------------------------------------- the fixture */

typedef struct scene {
    vfx_case kase;
    vfx_variant variant;
    vfx_frame frame;
    uint64_t leaves, vertices;
    grass_instance *instance;
    grass_blade *blade;
    grass_vertex *vertex;
    grass_packed *packed;
    grass_motion *motion;
    uint8_t *ill[GRASS_BUFFER_COUNT];
} scene;

static grass_params default_params(uint32_t blades)
{
    grass_params p;
#define FROM_F32(value) (float)(value)
#define FROM_U32(value) (value)
#define FROM_BOOL(value) (value)
#define DEFAULT_P(TYPE, name, def, lo, hi, flags, help) p.name = FROM_##TYPE(def);
#define DEFAULT_E(name, enumeration, def, flags, help) p.name = def;
    GRASS_PARAMS(DEFAULT_P, DEFAULT_E)
    p.blades = blades;
    p.motion = 1;
    return p;
}

static void *allocate(uint64_t count, size_t bytes)
{
    void *memory = calloc((size_t)count, bytes);
    assert_non_null(memory);
    return memory;
}

/* Scale of one record. */
static double scale_of(vfx_scales_fn *scales, const vfx_ref *ref, uint64_t record)
{
    double scale;
    scales(ref, record, 1, &scale);
    return scale;
}

static grass_params *params_in(scene *s)
{
    return (grass_params *)(void *)s->kase.words;
}

/* What the host derives from parameters. */
static void scene_refresh(scene *s)
{
    const grass_params *p = params_in(s);
    s->frame.host[4].x = (float)((double)p->noise_scale / (double)p->stretch);
    s->frame.host[4].y = (float)(1 / ((double)p->gust_high - (double)p->gust_low));
    s->frame.host[4].z = (float)(1.0 / (p->rows - 1));
}

/* Wind direction in turns at both times; pan of the world frame follows. */
static void scene_wind(scene *s, double turns, double pan, double drift, double slow, double fast)
{
    const double x = (double)real_cos_turns((real)turns), y = (double)real_sin_turns((real)turns);
    s->frame.host[0] = (vec4){(float)pan, (float)drift, (float)slow, (float)fast};
    s->frame.host[1] = (vec4){(float)x, (float)y, (float)(pan * x), (float)(pan * y)};
    s->frame.host[2] = s->frame.host[0];
    s->frame.host[3] = s->frame.host[1];
}

static uint32_t yaw_word(double turns)
{
    return half_encode(real_cos_turns((real)turns)) | half_encode(real_sin_turns((real)turns)) << 16;
}

static uint32_t size_word(double height, double width)
{
    return half_encode((real)height) | half_encode((real)width) << 16;
}

/* All instances at the origin, on flat ground, yaw 0, height scale 1, width 1/32 m; wind from -x. */
static void scene_create(scene *s, grass_params params)
{
    memset(s, 0, sizeof *s);
    memcpy(s->kase.words, &params, sizeof params);
    s->variant.name = "fused";
    s->kase.variant = &s->variant;
    s->leaves = (uint64_t)params.blades * params.leaves;
    s->vertices = s->leaves * 2 * params.rows;
    s->instance = allocate(params.blades, sizeof *s->instance);
    s->blade = allocate(s->leaves, sizeof *s->blade);
    s->vertex = allocate(s->vertices, sizeof *s->vertex);
    s->packed = allocate(s->vertices, sizeof *s->packed);
    s->motion = allocate(s->vertices, sizeof *s->motion);
    for (int b = 0; b < GRASS_BUFFER_COUNT; b++)
        s->ill[b] = allocate(s->vertices, 1);
    for (uint32_t i = 0; i < params.blades; i++) {
        s->instance[i].id = i;
        s->instance[i].yaw = yaw_word(0);
        s->instance[i].size = size_word(1, 0x1p-5);
        s->instance[i].surface = octahedral_encode(real3_make(0, 0, 1));
    }
    scene_wind(s, 0, 0, 0, 0, 0);
    scene_refresh(s);
}

static void scene_destroy(scene *s)
{
    free(s->instance);
    free(s->blade);
    free(s->vertex);
    free(s->packed);
    free(s->motion);
    for (int b = 0; b < GRASS_BUFFER_COUNT; b++)
        free(s->ill[b]);
}

static vfx_ref scene_ref(const scene *s)
{
    vfx_ref ref = {0};
    ref.kase = &s->kase;
    ref.frame = &s->frame;
    ref.in[GRASS_BUFFER_INSTANCE] = s->instance;
    ref.out[GRASS_BUFFER_BLADE] = s->blade;
    ref.out[GRASS_BUFFER_VERTEX] = s->vertex;
    ref.out[GRASS_BUFFER_PACKED] = s->packed;
    ref.out[GRASS_BUFFER_MOTION] = s->motion;
    for (int b = 0; b < GRASS_BUFFER_COUNT; b++)
        ref.ill[b] = s->ill[b];
    return ref;
}

static void scene_run(const scene *s)
{
    const vfx_ref ref = scene_ref(s);
    grass_blade_ref_f64(&ref, 0, s->leaves);
    grass_vertex_ref_f64(&ref, 0, s->leaves);
}

/* Still air (g = 0) or full wind (g = 1), no oscillation: gt = g, and beta is bend_min rho0 or bend_max w. */
static void make_steady(grass_params *p, bool windy)
{
    p->gust_low = windy ? -3 : 2; /* beyond the range of the noise */
    p->gust_high = windy ? -2 : 3;
    p->sway_slow = p->sway_fast = p->turn_slow = p->turn_fast = 0;
}

/* Middle of a row of a leaf. */
static void middle(const grass_vertex *row, double at[3])
{
    at[0] = ((double)row[0].position.x + (double)row[1].position.x) / 2;
    at[1] = ((double)row[0].position.y + (double)row[1].position.y) / 2;
    at[2] = ((double)row[0].position.z + (double)row[1].position.z) / 2;
}

static double distance3(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ------------------------------------------------------------------------ hash, noise, codes */

/* G12. */
static void g12_golden_values(void **state)
{
    (void)state;
    static const uint32_t rows[3][6] = {{0, 0, 0, 0x9bafd7c6u, 0xa8e88a6bu, 0x3f15482cu},
                                        {1, 2, 3, 0xfa9f79a6u, 0x48f2f44cu, 0x596f5ab1u},
                                        {255, 255, 255, 0x1aa9a7f1u, 0xf1499b36u, 0xb66b4c35u}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[3];
        reference_pcg3d(rows[i], out);
        assert_memory_equal(out, rows[i] + 3, sizeof out);
    }
    const float at[3] = {1.5f, 2.25f, 3.75f}, again[3] = {257.5f, 2.25f, 3.75f}, below[3] = {1.5f, -253.75f, 3.75f};
    const float zero[3] = {0, 0, 0}, lattice[3] = {-7, 12, 300};
    assert_true(grass_noise_ref_f64(at, 0) == -0.137939453125);
    assert_true(grass_noise_ref_f32(at, 0) == -0.137939453125);
    assert_true(grass_noise_ref_f64(again, 0) == -0.137939453125);
    assert_true(grass_noise_ref_f64(below, 0) == -0.137939453125);
    assert_true(grass_noise_ref_f64(zero, 0) == 0 && grass_noise_ref_f64(lattice, 9) == 0);
    assert_true(grass_noise_ref_f64(at, 1) != grass_noise_ref_f64(at, 0));
    for (int axis = 0; axis < 3; axis++) { /* the period is no shorter */
        float half[3] = {at[0], at[1], at[2]};
        half[axis] += 128;
        assert_true(grass_noise_ref_f64(half, 0) != grass_noise_ref_f64(at, 0));
    }
}

/* The twelve edge directions and the four repeated ones, by hand; and which of them a lattice point has,
 * felt by the slope of the noise there: with the seed, across the origin, and with the period 256 and no shorter. */
static void noise_gradients(void **state)
{
    (void)state;
    static const int rows[16][3] = {{1, 1, 0},  {-1, 1, 0},  {1, -1, 0}, {-1, -1, 0}, {1, 0, 1},  {-1, 0, 1},
                                    {1, 0, -1}, {-1, 0, -1}, {0, 1, 1},  {0, -1, 1},  {0, 1, -1}, {0, -1, -1},
                                    {1, 1, 0},  {0, -1, 1},  {-1, 1, 0}, {0, -1, -1}};
    for (uint32_t h = 0; h < 16; h++)
        for (int axis = 0; axis < 3; axis++) {
            real f[3] = {0, 0, 0};
            f[axis] = 1;
            assert_true(reference_gradient(h, f) == rows[h][axis]);
        }
    uint32_t dices = 3;
    for (int i = 0; i < 300; i++) {
        const int at[3] = {(int)(dice(&dices) * 600) - 300, (int)(dice(&dices) * 600) - 300, (int)(dice(&dices) * 600)};
        const uint32_t seed = (uint32_t)i % 5;
        const uint32_t in[3] = {(uint32_t)at[0] & 255u, (uint32_t)at[1] & 255u, ((uint32_t)at[2] & 255u) ^ seed << 8};
        uint32_t word[3];
        reference_pcg3d(in, word);
        for (int axis = 0; axis < 3; axis++) {
            float q[3] = {(float)at[0], (float)at[1], (float)at[2]};
            q[axis] += 0x1p-12f;
            near(grass_noise_ref_f64(q, seed) * 0x1p12, rows[word[0] >> 28][axis], 1e-5);
        }
    }
}

/* Statistics of the noise, and the error of the float build: the number in README.md. */
static void noise_statistics(void **state)
{
    (void)state;
    enum { POINTS = 400000 };
    uint32_t seed = 1;
    double sum = 0, squares = 0, worst = 0, steepest = 0;
    for (int i = 0; i < POINTS; i++) {
        const float q[3] = {(float)between(&seed, -200, 200), (float)between(&seed, -200, 200),
                            (float)between(&seed, 0, 256)};
        const double value = grass_noise_ref_f64(q, 3);
        sum += value;
        squares += value * value;
        worst = fmax(worst, fabs(grass_noise_ref_f32(q, 3) - value));
        double slopes = 0;
        for (int axis = 0; axis < 3; axis++) {
            float moved[3] = {q[0], q[1], q[2]};
            moved[axis] += 0x1p-10f;
            slopes += fabs(grass_noise_ref_f64(moved, 3) - value) / (double)(moved[axis] - q[axis]);
        }
        steepest = fmax(steepest, slopes);
    }
    print_message("  noise3 in float: %.2f roundings off; steepest %.2f\n", worst / ROUNDING, steepest);
    near(sum / POINTS, 0, 3e-3);
    near(sqrt(squares / POINTS), 0.270, 3e-3);
    assert_true(worst < 64 * ROUNDING);
    assert_true(steepest > 4 && steepest < 6);
}

static void half_codes(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x7c00u; code++) {
        const real value = half_decode(code), next = half_decode(code + 1);
        assert_int_equal(half_encode(value), code);
        if (code != 0)
            assert_int_equal(half_encode(-value), code | 0x8000u);
        if (code < 0x7bffu) { /* the middle goes to the even code, what is beside it does not */
            const real centre = (value + next) / 2;
            assert_int_equal(half_encode(centre), code + (code & 1u));
            assert_int_equal(half_encode(centre * (1 - (real)1e-9)), code);
            assert_int_equal(half_encode(centre * (1 + (real)1e-9)), code + 1);
        }
    }
    assert_int_equal(half_encode(1), 0x3c00);
    assert_int_equal(half_encode((real)65519.9), 0x7bff);
    assert_int_equal(half_encode(65520), 0x7c00);
    assert_true(half_decode(0x7c00) > 70000 && half_decode(0xfe00) != half_decode(0xfe00));
    assert_int_equal(unorm8_encode((real)0.5), 128);
    assert_int_equal(unorm8_encode((real)1.5), 255);
    assert_int_equal(unorm8_encode((real)0.25), 64);
}

/* ---------------------------------------------------------------------------------------- bend */

/* A random bend of a leaf of height 1: b in [0, 1] in any direction. */
static grass_bend random_bend(uint32_t *seed, double *b)
{
    const double yaw = 2 * PI * dice(seed), wind = 2 * PI * dice(seed);
    *b = dice(seed);
    grass_bend bend = {.lateral = between(seed, -0.05, 0.05), .z = dice(seed)};
    bend.across[0] = cos(yaw);
    bend.across[1] = sin(yaw);
    bend.kappa[0] = PI / 2 * *b * cos(wind);
    bend.kappa[1] = PI / 2 * *b * sin(wind);
    return bend;
}

/* G1: bit for bit. */
static void g1_no_bend_is_identity(void **state)
{
    (void)state;
    uint32_t seed = 4;
    for (int i = 0; i < 1000; i++) {
        double b;
        grass_bend bend = random_bend(&seed, &b);
        bend.kappa[0] = bend.kappa[1] = 0;
        grass_bent bent;
        grass_bend_ref_f64(&bend, &bent);
        assert_true(bent.point[0] == bend.lateral * bend.across[0]);
        assert_true(bent.point[1] == bend.lateral * bend.across[1]);
        assert_true(bent.point[2] == bend.z);
        grass_bend_ref_f32(&bend, &bent);
        assert_true(bent.point[0] == (double)((float)bend.lateral * (float)bend.across[0]));
        assert_true(bent.point[2] == (double)(float)bend.z);
    }
}

/* G2: the root row is where it is without any bend, bit for bit, in any wind. */
static void g2_roots_do_not_move(void **state)
{
    (void)state;
    scene s;
    uint32_t seed = 5;
    scene_create(&s, default_params(200));
    for (uint32_t i = 0; i < 200; i++) {
        s.instance[i].yaw = yaw_word(dice(&seed));
        s.instance[i].pivot = (vec3){(float)between(&seed, -9, 9), (float)between(&seed, -9, 9), 1};
    }
    scene_run(&s);
    grass_vertex *first = allocate(s.vertices, sizeof *first);
    memcpy(first, s.vertex, (size_t)s.vertices * sizeof *first);
    scene_wind(&s, 0.3, 17.5, 3.25, 0.7, 0.2);
    params_in(&s)->bend_max = 1;
    scene_run(&s);
    bool moved = false;
    for (uint64_t i = 0; i < s.vertices; i++) {
        if (i % 16 < 2)
            assert_memory_equal(&first[i].position, &s.vertex[i].position, sizeof(vec3));
        else
            moved = moved || memcmp(&first[i].position, &s.vertex[i].position, sizeof(vec3)) != 0;
    }
    assert_true(moved);
    free(first);
    scene_destroy(&s);
}

/* Length of the centre line of the first leaf, every chord corrected to its arc of da = (pi/2) b / segments. */
static double arc_length_of(const scene *s, double b)
{
    const uint32_t rows = (uint32_t)(s->vertices / s->leaves / 2);
    const double half = PI / 2 * b / (rows - 1) / 2, correction = half > 0 ? half / sin(half) : 1;
    double length = 0, last[3], next[3];
    middle(s->vertex, last);
    for (uint32_t row = 1; row < rows; row++) {
        middle(s->vertex + 2 * (size_t)row, next);
        length += distance3(last, next) * correction;
        memcpy(last, next, sizeof last);
    }
    return length;
}

/* G3, with the straight interpolation as the negative control; both in wind and at rest. */
static void g3_length_is_kept(void **state)
{
    (void)state;
    for (int step = 0; step <= 20; step++) {
        for (int windy = 0; windy < 2; windy++) {
            const double b = step / 20.0;
            grass_params p = default_params(1);
            make_steady(&p, windy != 0);
            p.bend_min = p.bend_max = (float)b;
            scene s;
            scene_create(&s, p);
            scene_run(&s);
            near(arc_length_of(&s, b), 0.5, 1e-6 * 0.5);
            params_in(&s)->shape = GRASS_SHAPE_LERP;
            scene_run(&s);
            if (step == 10)
                assert_true(arc_length_of(&s, b) < 0.5 * 0.97);
            double tip[3]; /* on the chord from (0, h) to the quarter circle's (2 h / pi, 2 h / pi) */
            middle(s.vertex + 14, tip);
            near(hypot(tip[0], tip[1]), b * 2 * 0.5 / PI, 1e-6);
            near(tip[2], (1 - b) * 0.5 + b * 2 * 0.5 / PI, 1e-6);
            if (step == 0)
                near(arc_length_of(&s, b), 0.5, 1e-7);
            scene_destroy(&s);
        }
    }
}

/* G4: the tip of a quarter circle; the tangent there is level. */
static void g4_quarter_circle(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        grass_params p = default_params(1);
        make_steady(&p, true);
        p.bend_max = 1;
        scene s;
        scene_create(&s, p);
        s.instance[0].yaw = yaw_word(k * 0.37);
        scene_wind(&s, k / 16.0, 0, 0, 0, 0);
        scene_run(&s);
        double tip[3], before[3];
        middle(s.vertex + 14, tip);
        middle(s.vertex + 12, before);
        const double reach = 2 * 0.5 / PI;
        near(tip[0], reach * cos(2 * PI * k / 16), 1e-6 * 0.5);
        near(tip[1], reach * sin(2 * PI * k / 16), 1e-6 * 0.5);
        near(tip[2], reach, 1e-6 * 0.5);
        near(atan2(tip[2] - before[2], hypot(tip[0] - before[0], tip[1] - before[1])), PI / 28, 1e-5);
        scene_destroy(&s);
    }
}

/* G5, G6, G9 on random bends, in double. */
static void g5_g6_g9_bend_geometry(void **state)
{
    (void)state;
    uint32_t seed = 6;
    for (int i = 0; i < 20000; i++) {
        double b;
        const grass_bend bend = random_bend(&seed, &b);
        grass_bent bent;
        grass_bend_ref_f64(&bend, &bent);

        const double size = hypot(bend.kappa[0], bend.kappa[1]), r = 1 / size;
        const double wind[3] = {bend.kappa[0] * r, bend.kappa[1] * r, 0};
        const double d = bend.lateral * (bend.across[0] * wind[0] + bend.across[1] * wind[1]);
        const double e = bend.lateral * (bend.across[1] * wind[0] - bend.across[0] * wind[1]);
        if (b >= 0.05) { /* in the plane of the bend the centre lies at distance r down-wind */
            near(hypot(dot3(bent.point, wind) - r, bent.point[2]), r - d, 1e-9 * r);
            near(bent.point[1] * wind[0] - bent.point[0] * wind[1], e, 1e-9);
            near(atan2(bent.point[2], r - dot3(bent.point, wind)), bend.z * size, 1e-9);
        }

        const double c = cos(i * 0.1), t = sin(i * 0.1);
        grass_bend turned = bend;
        turned.across[0] = c * bend.across[0] - t * bend.across[1];
        turned.across[1] = t * bend.across[0] + c * bend.across[1];
        turned.kappa[0] = c * bend.kappa[0] - t * bend.kappa[1];
        turned.kappa[1] = t * bend.kappa[0] + c * bend.kappa[1];
        grass_bent other;
        grass_bend_ref_f64(&turned, &other);
        near(other.point[0], c * bent.point[0] - t * bent.point[1], 1e-12);
        near(other.point[1], t * bent.point[0] + c * bent.point[1], 1e-12);
        near(other.point[2], bent.point[2], 1e-12);
        near(other.normal[0], c * bent.normal[0] - t * bent.normal[1], 1e-12);

        near(dot3(bent.across, bent.across), 1, 1e-12);
        near(dot3(bent.along, bent.along), 1, 1e-12);
        near(dot3(bent.normal, bent.normal), 1, 1e-12);
        near(dot3(bent.across, bent.along), 0, 1e-12);
        const double step = 1e-6, sigma = 1 - d * size;
        grass_bend beside = bend, above = bend;
        beside.lateral += step;
        above.z += step;
        grass_bent right, up;
        grass_bend_ref_f64(&beside, &right);
        grass_bend_ref_f64(&above, &up);
        for (int axis = 0; axis < 3; axis++) {
            near((right.point[axis] - bent.point[axis]) / step, bent.across[axis], 1e-5);
            near((up.point[axis] - bent.point[axis]) / step / sigma, bent.along[axis], 1e-5);
        }
        const double turn = bent.across[0] * bent.along[1] - bent.across[1] * bent.along[0];
        near(bent.normal[2], turn, 1e-12); /* right-handed */
    }
}

/* The closed form against radius, sine and cosine, written out, where those are well conditioned. */
static void bend_is_a_circle(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        double b;
        const grass_bend bend = random_bend(&seed, &b);
        if (b < 0.05)
            continue;
        const double h = 1, r = 2 * (h / b) / PI, alpha = bend.z / r;
        const double w[2] = {bend.kappa[0] * r, bend.kappa[1] * r}, t[2] = {-w[1], w[0]};
        const double v[2] = {bend.lateral * bend.across[0], bend.lateral * bend.across[1]};
        const double d = v[0] * w[0] + v[1] * w[1], e = v[0] * t[0] + v[1] * t[1];
        const double x = r - (r - d) * cos(alpha), z = (r - d) * sin(alpha);
        grass_bent bent;
        grass_bend_ref_f64(&bend, &bent);
        near(bent.point[0], w[0] * x + t[0] * e, 1e-12);
        near(bent.point[1], w[1] * x + t[1] * e, 1e-12);
        near(bent.point[2], z, 1e-12);
    }
}

/* G15 and the landmark of a weak bend. */
static void g15_monotonic(void **state)
{
    (void)state;
    double x = 0, z = 1;
    for (int i = 0; i <= 10000; i++) {
        const grass_bend bend = {.across = {0, 1}, .z = 1, .kappa = {PI / 2 * i / 10000, 0}};
        grass_bent bent;
        grass_bend_ref_f64(&bend, &bent);
        assert_true(bent.point[0] >= x - 1e-12 && bent.point[2] <= z + 1e-12);
        x = bent.point[0];
        z = bent.point[2];
        if (i == 10)
            near(x, PI / 4 * 1e-3, 1e-8);
    }
    assert_true(x > 0.6 && z < 0.65);
}

/* For the float yardstick: 5e-7 h over a million bends, b = 0 and b = 1e-6 among them; and the
 * same points as halves within 5e-4 h. */
static void bend_in_float(void **state)
{
    (void)state;
    uint32_t seed = 8;
    double worst = 0, worst_half = 0;
    for (int i = 0; i < 1000000; i++) {
        double b;
        grass_bend bend = random_bend(&seed, &b);
        const double tiny = i % 10 == 0 ? 0 : i % 10 == 1 ? 1e-6 / b : 1;
        bend.kappa[0] = (double)(float)(bend.kappa[0] * tiny);
        bend.kappa[1] = (double)(float)(bend.kappa[1] * tiny);
        bend.across[0] = (double)(float)bend.across[0];
        bend.across[1] = (double)(float)bend.across[1];
        bend.lateral = (double)(float)bend.lateral;
        bend.z = (double)(float)bend.z;
        grass_bent truth, single;
        grass_bend_ref_f64(&bend, &truth);
        grass_bend_ref_f32(&bend, &single);
        worst = fmax(worst, distance3(truth.point, single.point));
        for (int axis = 0; axis < 3; axis++) {
            const double half = (double)half_decode(half_encode((real)truth.point[axis]));
            worst_half = fmax(worst_half, fabs(half - truth.point[axis]));
        }
    }
    assert_true(worst <= 5e-7 && worst > 1e-8);
    assert_true(worst_half <= 5e-4 && worst_half > 1e-4);
}

/* -------------------------------------------------------------------------------- whole kernel */

/* A field of random instances: places, yaws, sizes, slopes up to `tilt`. */
static void scatter(scene *s, uint32_t *seed, double reach, double tilt)
{
    const grass_params *p = params_in(s);
    for (uint32_t i = 0; i < p->blades; i++) {
        grass_instance *instance = &s->instance[i];
        instance->pivot = (vec3){(float)between(seed, -reach, reach), (float)between(seed, -reach, reach),
                                 (float)between(seed, -0.1 * reach, 0.1 * reach)};
        instance->yaw = yaw_word(dice(seed));
        instance->size = size_word(between(seed, 0.7, 1.3), 0.03);
        const double slope = tilt * dice(seed), to = 2 * PI * dice(seed);
        const real3 n = real3_make((real)(sin(slope) * cos(to)), (real)(sin(slope) * sin(to)), (real)cos(slope));
        instance->surface = octahedral_encode(n);
        instance->id = i;
    }
}

static uint32_t turned_yaw(uint32_t yaw) /* (x, y) to (-y, x) */
{
    return ((yaw >> 16) ^ 0x8000u) | (yaw & 0xffffu) << 16;
}

static uint32_t turned_normal(uint32_t code)
{
    return ((~(code >> 16) + 1u) & 0xffffu) | (code & 0xffffu) << 16;
}

static vec4 turned_wind(vec4 w)
{
    return (vec4){-w.y, w.x, -w.w, w.z};
}

static void assert_turned(vec3 a, vec3 b)
{
    if (!(b.x == -a.y && b.y == a.x && b.z == a.z))
        fail_msg("(%a, %a, %a) turned is (%a, %a, %a)", (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
                 (double)b.z);
}

/* G7: everything turned by a quarter gives the turned result, bit for bit, in both builds. */
static void g7_quarter_turn(void **state)
{
    (void)state;
    for (int single = 0; single < 2; single++) {
        for (uint32_t normal = 0; normal < 2; normal++) {
            grass_params p = default_params(300);
            p.normal = normal;
            scene s, t;
            uint32_t seed = 9;
            scene_create(&s, p);
            scene_create(&t, p);
            scatter(&s, &seed, 20, 1);
            scene_wind(&s, 0.21, 31, 2, 0.3, 0.9);
            t.frame = s.frame;
            t.frame.host[1] = turned_wind(s.frame.host[1]);
            t.frame.host[3] = turned_wind(s.frame.host[3]);
            for (uint32_t i = 0; i < 300; i++) {
                t.instance[i] = s.instance[i];
                t.instance[i].pivot = (vec3){-s.instance[i].pivot.y, s.instance[i].pivot.x, s.instance[i].pivot.z};
                t.instance[i].yaw = turned_yaw(s.instance[i].yaw);
                t.instance[i].surface = turned_normal(s.instance[i].surface);
            }
            vfx_stage_fn *const stage = single != 0 ? grass_vertex_ref_f32 : grass_vertex_ref_f64;
            const vfx_ref a = scene_ref(&s), b = scene_ref(&t);
            stage(&a, 0, s.leaves);
            stage(&b, 0, t.leaves);
            for (uint64_t i = 0; i < s.vertices; i++) {
                assert_turned(s.vertex[i].position, t.vertex[i].position);
                assert_turned(s.vertex[i].normal, t.vertex[i].normal);
                assert_turned(s.motion[i].position, t.motion[i].position);
                assert_int_equal(s.vertex[i].shade, t.vertex[i].shade);
            }
            scene_destroy(&s);
            scene_destroy(&t);
        }
    }
}

/* G8: moved down-wind by D and later by D s / (v S), the gust is the same; moved up-wind it is not. */
static void g8_gusts_travel_down_wind(void **state)
{
    (void)state;
    for (uint32_t wind = 0; wind < 2; wind++) {
        enum { BLADES = 400 };
        grass_params p = default_params(BLADES);
        p.wind = wind;
        p.sway_slow = p.sway_fast = 0;
        scene s;
        uint32_t seed = 10;
        scene_create(&s, p);
        scatter(&s, &seed, 10, 0);
        scene_wind(&s, 0.125, 5, 1.5, 0, 0);
        scene_run(&s);
        float before[BLADES];
        for (int i = 0; i < BLADES; i++)
            before[i] = s.blade[i].gust;
        const double distance = 2.5, pan = distance * 0.12 / 2; /* D s / S */
        double backwards = 0;
        for (int way = -1; way <= 1; way += 2) {
            for (int i = 0; i < BLADES; i++) {
                s.instance[i].pivot.x += (float)(distance * sqrt(0.5)) * (way < 0 ? -1 : 2); /* from -D to +D */
                s.instance[i].pivot.y += (float)(distance * sqrt(0.5)) * (way < 0 ? -1 : 2);
            }
            scene_wind(&s, 0.125, 5 + pan, 1.5, 0, 0);
            scene_run(&s);
            for (int i = 0; i < BLADES; i++) {
                if (way > 0)
                    near((double)s.blade[i].gust, (double)before[i], 1e-5);
                else
                    backwards = fmax(backwards, fabs((double)s.blade[i].gust - (double)before[i]));
            }
        }
        assert_true(backwards > 0.1);
        scene_destroy(&s);
    }
}

/* The two frames agree where the wind blows along x, and differ elsewhere. */
static void wind_frames(void **state)
{
    (void)state;
    double apart = 0;
    for (int k = 0; k < 2; k++) {
        scene s;
        uint32_t seed = 11;
        scene_create(&s, default_params(200));
        scatter(&s, &seed, 10, 0);
        scene_wind(&s, k * 0.1, 5, 1.5, 0, 0);
        float gust[200];
        scene_run(&s);
        for (int i = 0; i < 200; i++)
            gust[i] = s.blade[i].gust;
        params_in(&s)->wind = GRASS_WIND_WORLD;
        scene_run(&s);
        for (int i = 0; i < 200; i++) {
            if (k == 0)
                near((double)s.blade[i].gust, (double)gust[i], 1e-5);
            apart = fmax(apart, fabs((double)s.blade[i].gust - (double)gust[i]));
        }
        scene_destroy(&s);
    }
    assert_true(apart > 0.1);
}

/* G10: rest opposite to wind. The leaf passes through the vertical; no step is longer than the Lipschitz bound. */
static void g10_opposite_rest(void **state)
{
    (void)state;
    enum { STEPS = 2000 };
    grass_params p = default_params(1);
    p.sway_slow = p.sway_fast = p.turn_slow = p.turn_fast = 0;
    p.bend_min = 0.6f;
    scene s;
    scene_create(&s, p);
    s.instance[0].yaw = yaw_word(0.25); /* X = +y, so the rest direction Y is -x, against the wind */
    grass_vertex last[16];
    double gust = 0, upright = 1;
    for (int step = 0; step <= STEPS; step++) {
        /* rise = (noise - low) slope with a noise of 0 at the lattice point of the origin, r1 apart. */
        params_in(&s)->stagger = 0;
        params_in(&s)->gust_low = -(float)step / STEPS;
        s.frame.host[4].y = 1;
        scene_run(&s);
        const double gt = (double)s.blade[0].gust;
        /* |dbeta| <= (bmax - bmin) dgt + 2 bmax dgt; a vertex moves at most pi/2 (h / 2 + 2 half widths) times that. */
        const double bend = (0.3 + 2 * 0.9) * (gt - gust) + 1e-6, bound = PI / 2 * (0.25 + 0x1p-5) * bend;
        for (int i = 0; i < 16; i++) {
            const vec3 a = s.vertex[i].position, b = last[i].position;
            assert_true(isfinite(a.x) && isfinite(a.y) && isfinite(a.z) && isfinite(s.vertex[i].normal.x));
            if (step > 0)
                assert_true(hypot(hypot((double)(a.x - b.x), (double)(a.y - b.y)), (double)(a.z - b.z)) <= bound);
        }
        double tip[3];
        middle(s.vertex + 14, tip);
        near(tip[1], 0, 1e-6); /* it does not spin round */
        upright = fmin(upright, hypot((double)s.blade[0].kappa.x, (double)s.blade[0].kappa.y));
        if (step == 0)
            assert_true(tip[0] < -0.2);
        if (step == STEPS)
            assert_true(tip[0] > 0.29 && gt > 0.9999);
        gust = gt;
        memcpy(last, s.vertex, sizeof last);
    }
    assert_true(upright < 5e-3);
    scene_destroy(&s);
}

static bool all_finite(const void *records, size_t bytes, size_t skip)
{
    const unsigned char *at = records;
    for (size_t i = 0; i < bytes / 4; i++) {
        float value;
        memcpy(&value, at + 4 * i, sizeof value);
        if (i % 8 != skip && !isfinite(value))
            return false;
    }
    return true;
}

/* G11: any height, slope, bend; also surfaces that leave the width axis no direction. */
static void g11_bounded_and_finite(void **state)
{
    (void)state;
    uint32_t seed = 12;
    for (int round = 0; round < 60; round++) {
        grass_params p = default_params(60);
        p.leaves = 1 + (uint32_t)(round % 3);
        p.height = (float)pow(10, between(&seed, -3, 1));
        p.bend_max = round % 4 == 0 ? 0 : (float)dice(&seed);
        p.bend_min = (float)(dice(&seed) * (double)p.bend_max);
        p.normal = (uint32_t)round % 2;
        p.shape = (uint32_t)round / 2 % 2;
        p.facing = (uint32_t)round / 4 % 3;
        p.normal_blend = round % 5 == 0 ? 0.5f : (float)dice(&seed);
        scene s;
        scene_create(&s, p);
        scatter(&s, &seed, 50, PI);
        s.instance[0].surface = octahedral_encode(real3_make(1, 0, 0)); /* vertical, along the width axis */
        s.instance[0].yaw = yaw_word(0);
        s.instance[1].surface = octahedral_encode(real3_make(0, 0, -1));
        s.instance[2].pivot = (vec3){p.cam_x, p.cam_y, p.cam_z};
        scene_wind(&s, dice(&seed), 256 * dice(&seed), 256 * dice(&seed), dice(&seed), dice(&seed));
        scene_run(&s);
        for (uint64_t leaf = 0; leaf < s.leaves; leaf++) {
            const grass_blade *blade = &s.blade[leaf];
            const vfx_ref ref = scene_ref(&s);
            const grass_place place = grass_place_of_f64(&ref, leaf);
            const double beta = hypot((double)blade->kappa.x, (double)blade->kappa.y) * (double)place.height * 2 / PI;
            assert_true(beta <= (double)p.bend_max * (1 + 1e-6));
            assert_true(blade->gust >= 0 && blade->gust <= 1 && blade->random >= 0 && blade->random < 1);
            near((double)real2_length(place.across), 1, 1e-12);
        }
        assert_true(all_finite(s.vertex, (size_t)s.vertices * sizeof *s.vertex, 3));
        assert_true(all_finite(s.motion, (size_t)s.vertices * sizeof *s.motion, 8));
        for (uint64_t i = 0; i < s.vertices; i++) {
            const vec3 n = s.vertex[i].normal;
            near((double)(n.x * n.x + n.y * n.y + n.z * n.z), 1, 1e-6);
        }
        assert_true(s.ill[GRASS_BUFFER_VERTEX][16 * p.leaves] ==
                    GRASS_ILL_PLACE); /* instance 1 has no direction: marked */
        scene_destroy(&s);
    }
}

/* G13: rows = 8 and rows = 15 share every second row, bit for bit. */
static void g13_rows(void **state)
{
    (void)state;
    grass_params p = default_params(100);
    scene coarse, fine;
    scene_create(&coarse, p);
    p.rows = 15;
    scene_create(&fine, p);
    uint32_t seed = 13;
    scatter(&coarse, &seed, 20, 0.5);
    memcpy(fine.instance, coarse.instance, 100 * sizeof *fine.instance);
    for (int single = 0; single < 2; single++) {
        vfx_stage_fn *const stage = single != 0 ? grass_vertex_ref_f32 : grass_vertex_ref_f64;
        const vfx_ref a = scene_ref(&coarse), b = scene_ref(&fine);
        stage(&a, 0, 100);
        stage(&b, 0, 100);
        for (uint32_t blade = 0; blade < 100; blade++)
            for (uint32_t i = 0; i < 16; i++)
                assert_memory_equal(&coarse.vertex[blade * 16 + i], &fine.vertex[blade * 30 + i / 2 * 4 + i % 2],
                                    sizeof(grass_vertex));
    }
    scene_destroy(&coarse);
    scene_destroy(&fine);
}

/* --------------------------------------------------------------------------------- the randoms */

/* Chi-square of one random number over the instances, 16 bins. */
static double chi_square(const scene *s, int which)
{
    const vfx_ref ref = scene_ref(s);
    double counts[16] = {0}, expected = (double)s->leaves / 16, sum = 0;
    for (uint64_t leaf = 0; leaf < s->leaves; leaf++) {
        const double value = (double)grass_place_of_f64(&ref, leaf).random[which];
        assert_true(value >= 0 && value < 1);
        counts[(int)(value * 16)]++;
    }
    for (int bin = 0; bin < 16; bin++)
        sum += (counts[bin] - expected) * (counts[bin] - expected) / expected;
    return sum;
}

/* G14: on a flat field of whole metres the hash is uniform (p > 0.001: below 37.7 of 15 degrees of freedom), the
 * fraction of the position is one number. */
static void g14_randoms(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, default_params(4096));
    for (uint32_t i = 0; i < 4096; i++)
        s.instance[i].pivot = (vec3){(float)(i % 64) - 32, (float)(i / 64) - 32, 0};
    for (uint32_t seed = 0; seed < 4; seed++) {
        s.frame.seed = seed;
        for (int which = 0; which < 4; which++)
            assert_true(chi_square(&s, which) < 37.7);
    }
    params_in(&s)->random = GRASS_RANDOM_FRACT;
    for (int which = 1; which < 4; which++)
        assert_true(chi_square(&s, which) == 15 * 4096);
    assert_true(chi_square(&s, 0) < 37.7);

    s.instance[0].pivot = (vec3){-1e-12f, 0.0025f, 1.005f}; /* the first rounds up to 1 */
    const vfx_ref ref = scene_ref(&s);
    const grass_place place = grass_place_of_f64(&ref, 0);
    const float x = 100.0f * 1.005f;
    assert_true(place.random[1] == (real)GRASS_BELOW_ONE);
    assert_true(place.random[2] == (real)(100.0f * 0.0025f) && place.random[3] == (real)(x - 100.0f));
    scene_destroy(&s);
}

/* The numbers of a clump are those of its streams and leaves: none twice, neighbours unrelated. */
static void randoms_are_independent(void **state)
{
    (void)state;
    grass_params p = default_params(1024);
    p.leaves = 4;
    scene s;
    scene_create(&s, p);
    s.frame.seed = 7;
    for (int which = 0; which < 4; which++)
        assert_true(chi_square(&s, which) < 37.7);
    const vfx_ref ref = scene_ref(&s);
    double product[4][4] = {{0}}, next = 0;
    for (uint64_t leaf = 0; leaf < s.leaves; leaf++) {
        const grass_place place = grass_place_of_f64(&ref, leaf);
        const grass_place other = grass_place_of_f64(&ref, leaf ^ 1u);
        for (uint32_t stream = 0; stream < 2; stream++) { /* where they come from: motion, then look */
            const uint32_t in[3] = {(uint32_t)leaf / 4, stream | (uint32_t)(leaf % 4) << 8, s.frame.seed};
            uint32_t word[3];
            reference_pcg3d(in, word);
            for (int i = 0; i < (stream == 0 ? 3 : 1); i++)
                assert_true(place.random[stream == 0 ? i + 1 : 0] == (word[i] >> 8) * 0x1p-24);
        }
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++)
                product[a][b] += (double)((place.random[a] - (real)0.5) * (place.random[b] - (real)0.5));
        next += (double)((place.random[1] - (real)0.5) * (other.random[1] - (real)0.5));
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            near(product[a][b] / (double)s.leaves, a == b ? 1 / 12.0 : 0, 6e-3);
    near(next / (double)s.leaves, 0, 6e-3);
    scene_destroy(&s);
}

/* -------------------------------------------------------------------------- place and shading */

/* v turned by the smallest turn that takes z to the unit vector n. */
static void tilt_vector(const double n[3], const double v[3], double result[3])
{
    const double axis[3] = {-n[1], n[0], 0}, s2 = dot3(axis, axis), c = n[2]; /* |axis| = sine */
    const double cross[3] = {axis[1] * v[2], -axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]};
    const double along = dot3(axis, v) * (s2 > 0 ? (1 - c) / s2 : 0);
    for (int i = 0; i < 3; i++)
        result[i] = v[i] * c + cross[i] + axis[i] * along;
}

/* G16: an aligned instance, straightened and bent, is an upright one of the same yaw and height. */
static void g16_straightening(void **state)
{
    (void)state;
    scene s;
    uint32_t seed = 14;
    scene_create(&s, default_params(500));
    scatter(&s, &seed, 0, 1.2);
    scene_wind(&s, 0.4, 0, 0, 0.1, 0.2);
    scene_run(&s);
    const double z[3] = {0, 0, 1};
    for (uint32_t i = 0; i < 500; i++) {
        double x[3], up[3];
        const real3 normal = octahedral_decode(s.instance[i].surface);
        const double n[3] = {(double)normal.x, (double)normal.y, (double)normal.z};
        const double yaw = atan2((double)half_decode(s.instance[i].yaw >> 16), (double)half_decode(s.instance[i].yaw));
        const double local[3] = {cos(yaw), sin(yaw), 0};
        tilt_vector(n, local, x);
        tilt_vector(n, z, up);
        near(distance3(up, n), 0, 1e-12);
        near(dot3(x, n), 0, 1e-12);
        grass_bend bend = {.across = {x[0] / hypot(x[0], x[1]), x[1] / hypot(x[0], x[1])}};
        bend.kappa[0] = (double)s.blade[i].kappa.x;
        bend.kappa[1] = (double)s.blade[i].kappa.y;
        const double h = 0.5 * (double)half_decode(s.instance[i].size);
        const double width = (double)half_decode(s.instance[i].size >> 16);
        for (uint32_t v = 0; v < 16; v++) {
            bend.lateral = (v % 2 - 0.5) * width;
            bend.z = h * (v / 2) / 7;
            grass_bent bent;
            grass_bend_ref_f64(&bend, &bent);
            const vec3 p = s.vertex[16 * i + v].position;
            const vec3 pivot = s.instance[i].pivot;
            const double at[3] = {(double)p.x - (double)pivot.x, (double)p.y - (double)pivot.y,
                                  (double)p.z - (double)pivot.z};
            near(distance3(at, bent.point), 0, 1e-6 * h);
        }
    }
    params_in(&s)->align = GRASS_ALIGN_UPRIGHT;
    const vfx_ref ref = scene_ref(&s);
    for (uint32_t i = 0; i < 500; i++) {
        const grass_place place = grass_place_of_f64(&ref, i);
        assert_true(place.across.x == place.yaw.x && place.across.y == place.yaw.y);
        assert_true(place.rest.x == -place.yaw.y && place.rest.y == place.yaw.x);
    }
    scene_destroy(&s);
}

/* In still air a leaf leans along Yw, its face normal, and both normals point to the convex side, -Yw. */
static void rest_direction_and_normals(void **state)
{
    (void)state;
    for (uint32_t normal = 0; normal < 2; normal++) {
        grass_params p = default_params(1);
        make_steady(&p, false);
        p.bend_min = 0.5f;
        p.normal = normal;
        p.normal_blend = 0;
        scene s;
        scene_create(&s, p);
        scene_run(&s);
        double tip[3];
        middle(s.vertex + 14, tip);
        near(tip[0], 0, 1e-7);
        assert_true(tip[1] > 0.1); /* X = +x, so Y = +y */
        near((double)s.vertex[0].normal.y, -1, 1e-6);
        near((double)s.vertex[15].normal.y, -sqrt(0.5), 1e-6);
        near((double)s.vertex[15].normal.z, sqrt(0.5), 1e-6);

        params_in(&s)->facing = GRASS_FACING_BACK;
        scene_run(&s);
        near((double)s.vertex[15].normal.z, -sqrt(0.5), 1e-6);
        params_in(&s)->facing = GRASS_FACING_CAMERA; /* at y = -8: the convex side */
        scene_run(&s);
        near((double)s.vertex[0].normal.y, -1, 1e-6);
        assert_true(s.ill[GRASS_BUFFER_VERTEX][0] == 0);
        params_in(&s)->cam_y = 8;
        params_in(&s)->cam_z = 0;
        scene_run(&s);
        near((double)s.vertex[0].normal.y, 1, 1e-6);
        params_in(&s)->cam_x = 8; /* in the plane of the root's face: either sign may come out */
        params_in(&s)->cam_y = 0;
        scene_run(&s);
        assert_true(s.ill[GRASS_BUFFER_VERTEX][0] == GRASS_ILL_NORMAL &&
                    s.ill[GRASS_BUFFER_PACKED][1] == GRASS_ILL_NORMAL);
        assert_true(s.ill[GRASS_BUFFER_VERTEX][14] == 0);

        params_in(&s)->facing = GRASS_FACING_FRONT;
        params_in(&s)->normal_blend = 0.5f;
        scene_run(&s);
        near((double)s.vertex[0].normal.y, -sqrt(0.5), 1e-6);
        near((double)s.vertex[0].normal.z, sqrt(0.5), 1e-6);
        params_in(&s)->normal_blend = 1;
        scene_run(&s);
        near((double)s.vertex[9].normal.z, 1, 1e-7);
        /* M opposite to the surface normal, half and half: no direction, so the surface normal. */
        params_in(&s)->normal_blend = 0.5f;
        s.instance[0].surface = octahedral_encode(real3_make(0, 1, 0));
        params_in(&s)->align = GRASS_ALIGN_UPRIGHT;
        scene_run(&s);
        near((double)s.vertex[0].normal.y, 1, 1e-6);
        assert_true(s.ill[GRASS_BUFFER_VERTEX][0] == GRASS_ILL_NORMAL);
        scene_destroy(&s);
    }
}

/* normal = arc: edge-wise bends are where it goes wrong, and beta = 0 is where it has only the rest direction. */
static void arc_normal_of_an_edgewise_bend(void **state)
{
    (void)state;
    grass_params p = default_params(1);
    make_steady(&p, true);
    p.normal_blend = 0;
    scene s;
    scene_create(&s, p); /* X = wind */
    scene_run(&s);
    near((double)s.vertex[15].normal.y, -1, 1e-6);
    params_in(&s)->normal = GRASS_NORMAL_ARC;
    scene_run(&s);
    near((double)s.vertex[15].normal.x, -cos(0.45 * PI), 1e-6);
    near((double)s.vertex[15].normal.z, sin(0.45 * PI), 1e-6);
    assert_true(s.ill[GRASS_BUFFER_VERTEX][15] == 0);
    params_in(&s)->bend_min = params_in(&s)->bend_max = 0;
    scene_run(&s);
    near((double)s.vertex[15].normal.y, -1, 1e-6);
    assert_true(s.ill[GRASS_BUFFER_VERTEX][15] == 0); /* exactly 0 on both sides */
    const struct {
        float bend;
        bool ill;
        double x; /* of the normal */
    } near_the_branch[] = {{1e-6f, true, 0}, {1.5e-6f, false, -1}, {0.5e-6f, false, 0}};
    for (size_t i = 0; i < VFX_COUNT(near_the_branch); i++) {
        params_in(&s)->bend_min = params_in(&s)->bend_max = near_the_branch[i].bend;
        scene_run(&s);
        assert_true(s.ill[GRASS_BUFFER_VERTEX][15] == (near_the_branch[i].ill ? GRASS_ILL_NORMAL : 0));
        if (!near_the_branch[i].ill)
            near((double)s.vertex[15].normal.x, near_the_branch[i].x, 1e-5);
    }
    scene_destroy(&s);
}

static void shading(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, default_params(1));
    scene_run(&s);
    const vfx_ref ref = scene_ref(&s);
    const double r0 = (double)grass_place_of_f64(&ref, 0).random[0];
    assert_true(s.blade[0].random == (float)r0);
    for (uint32_t i = 0; i < 16; i++) {
        const double share = (i / 2) / 7.0, q = share * share;
        near((double)s.vertex[i].gradient, share, 1e-7);
        const double codes[4] = {0.25 + 0.75 * q, 0.35 * q, 0.9 - 0.4 * q, r0},
                     packed[4] = {share, r0, i % 2, codes[0]};
        for (int byte = 0; byte < 4; byte++) {
            near(s.vertex[i].shade >> 8 * byte & 255u, codes[byte] * 255, 0.5001);
            near(s.packed[i].shade >> 8 * byte & 255u, packed[byte] * 255, 0.5001);
        }
        assert_int_equal(s.packed[i].normal, octahedral_encode(real3_of(s.vertex[i].normal)));
        assert_int_equal(s.packed[i].offset_z >> 16, 0);
        near((double)half_decode(s.packed[i].offset_xy), (double)s.vertex[i].position.x, 5e-4 * 0.5);
        near((double)half_decode(s.packed[i].offset_xy >> 16), (double)s.vertex[i].position.y, 5e-4 * 0.5);
        near((double)half_decode(s.packed[i].offset_z), (double)s.vertex[i].position.z, 5e-4 * 0.5);
    }
    assert_true(s.vertex[0].gradient == 0 && s.vertex[14].gradient == 1 && s.vertex[15].gradient == 1);
    /* Roughness 0.9 is code 229.5, and 0.5 is 127.5: either neighbour; the rows between are decided. */
    assert_true(scale_of(grass_shade_scales_f64, &ref, 0) > 0 && scale_of(grass_shade_scales_f64, &ref, 14) > 0);
    assert_true(scale_of(grass_gradient_scales_f64, &ref, 1) == 0 &&
                scale_of(grass_gradient_scales_f64, &ref, 15) == 0);
    assert_true(scale_of(grass_gradient_scales_f64, &ref, 8) == 0x1p-24); /* 4/7 */
    assert_true(scale_of(grass_shade_scales_f64, &ref, 6) == 0 &&
                scale_of(grass_packed_shade_scales_f64, &ref, 6) == 0);
    scene_destroy(&s);
}

/* Scales of many records are those of each: every leaf starts anew, wherever the first record lies. */
static void scales_in_a_row(void **state)
{
    (void)state;
    grass_params p = default_params(7);
    p.leaves = 3;
    scene s;
    scene_create(&s, p);
    uint32_t seed = 5;
    scatter(&s, &seed, 20, 0.5);
    scene_run(&s);
    const vfx_ref ref = scene_ref(&s);
    vfx_scales_fn *const all[] = {
        grass_position_scales_f64, grass_motion_scales_f64,        grass_normal_scales_f64,
        grass_shade_scales_f64,    grass_gradient_scales_f64,      grass_packed_xy_scales_f64,
        grass_packed_z_scales_f64, grass_packed_normal_scales_f64, grass_packed_shade_scales_f64};
    for (size_t f = 0; f < VFX_COUNT(all); f++) {
        double scales[300];
        const uint64_t first = 5, count = VFX_COUNT(scales);
        assert_true(first + count < s.vertices);
        all[f](&ref, first, count, scales);
        for (uint64_t i = 0; i < count; i++)
            assert_true(scales[i] == scale_of(all[f], &ref, first + i));
    }
    double kappa[20], gust[20];
    grass_kappa_scales_f64(&ref, 1, 20, kappa);
    grass_gust_scales_f64(&ref, 1, 20, gust);
    for (uint64_t i = 0; i < 20; i++) {
        assert_true(kappa[i] == scale_of(grass_kappa_scales_f64, &ref, 1 + i));
        assert_true(gust[i] == scale_of(grass_gust_scales_f64, &ref, 1 + i));
    }
    scene_destroy(&s);
}

/* Oscillations: amplitude, phase and the turn of wind and rest alike. */
static void oscillations(void **state)
{
    (void)state;
    for (int windy = 0; windy < 2; windy++) {
        grass_params p = default_params(50);
        make_steady(&p, windy != 0);
        p.sway_slow = 0.2f;
        p.sway_fast = 0.3f;
        p.turn_slow = 0.05f;
        p.turn_fast = 0.02f;
        scene s;
        scene_create(&s, p);
        scene_wind(&s, 0.125, 0, 0, 0.15, 0.65);
        scene_run(&s);
        const vfx_ref ref = scene_ref(&s);
        for (uint64_t i = 0; i < 50; i++) {
            const grass_place place = grass_place_of_f64(&ref, i);
            const double phase = windy != 0 ? 0.65 : 0.15, sway = windy != 0 ? 0.3 : 0.2;
            const double turn = (windy != 0 ? 0.02 : 0.05) * sin(2 * PI * (phase + (double)place.random[3]));
            const double gt = windy + sway * sin(2 * PI * (phase + (double)place.random[2]));
            const double kept = fmin(fmax(gt, 0), 1), strength = 0.18 + (0.9 - 0.18) * kept;
            const double wind = 2 * PI * (0.125 + turn), rest = 2 * PI * (0.25 + turn);
            const double scale = PI / 2 / 0.5 * strength;
            near((double)s.blade[i].gust, kept, 1e-6);
            near((double)s.blade[i].kappa.x, scale * (cos(rest) * (1 - kept) + cos(wind) * kept), 1e-5);
            near((double)s.blade[i].kappa.y, scale * (sin(rest) * (1 - kept) + sin(wind) * kept), 1e-5);
        }
        scene_destroy(&s);
    }
}

/* Positions at t - dt are this frame's formulas with the other time, and nothing else is touched. */
static void motion_is_the_frame_before(void **state)
{
    (void)state;
    grass_params p = default_params(100);
    p.leaves = 2;
    scene s, t;
    uint32_t seed = 15;
    scene_create(&s, p);
    scene_create(&t, p);
    scatter(&s, &seed, 10, 0.4);
    memcpy(t.instance, s.instance, 100 * sizeof *t.instance);
    scene_wind(&s, 0.1, 4, 1, 0.2, 0.3);
    scene_wind(&t, 0.12, 4.01, 1.0025, 0.206, 0.335);
    t.frame.host[2] = s.frame.host[0];
    t.frame.host[3] = s.frame.host[1];
    scene_run(&s);
    scene_run(&t);
    for (uint64_t i = 0; i < s.vertices; i++) {
        assert_memory_equal(&t.motion[i].position, &s.vertex[i].position, sizeof(vec3));
        assert_true(t.motion[i].zero == 0);
    }
    assert_true(memcmp(&t.vertex[15].position, &s.vertex[15].position, sizeof(vec3)) != 0);
    params_in(&t)->motion = 0;
    memset(t.motion, 0x5a, (size_t)t.vertices * sizeof *t.motion);
    scene_run(&t);
    uint32_t word;
    memcpy(&word, &t.motion[0], sizeof word);
    assert_int_equal(word, 0x5a5a5a5a);
    scene_destroy(&s);
    scene_destroy(&t);
}

/* -------------------------------------------------------------------------------------- clumps */

static scene clumps(uint32_t blades, uint32_t leaves, double coherence)
{
    grass_params p = default_params(blades);
    p.leaves = leaves;
    p.coherence = (float)coherence;
    scene s;
    uint32_t seed = 16;
    scene_create(&s, p);
    scatter(&s, &seed, 10, 0.6);
    scene_wind(&s, 0.2, 4, 1, 0.2, 0.3);
    scene_run(&s);
    return s;
}

/* G17: what is only for clumps does nothing to single blades. */
static void g17_one_leaf_is_a_blade(void **state)
{
    (void)state;
    scene a = clumps(100, 1, 0), b = clumps(100, 1, 0.5);
    params_in(&b)->clump_radius = 3;
    params_in(&b)->clump_lean = 0.7f;
    scene_run(&b);
    assert_memory_equal(a.blade, b.blade, (size_t)a.leaves * sizeof *a.blade);
    assert_memory_equal(a.vertex, b.vertex, (size_t)a.vertices * sizeof *a.vertex);
    assert_memory_equal(a.packed, b.packed, (size_t)a.vertices * sizeof *a.packed);
    scene_destroy(&a);
    scene_destroy(&b);
}

/* G17: roots stay, in the tangent plane, spread over the disc. */
static void g17_roots(void **state)
{
    (void)state;
    scene s = clumps(300, 8, 0);
    double *roots = allocate(3 * s.leaves, sizeof *roots), squares = 0;
    for (uint64_t leaf = 0; leaf < s.leaves; leaf++)
        middle(s.vertex + 16 * leaf, roots + 3 * leaf);
    scene_wind(&s, 0.7, 14, 3, 0.9, 0.1);
    scene_run(&s);
    for (uint64_t leaf = 0; leaf < s.leaves; leaf++) {
        const grass_instance *instance = &s.instance[leaf / 8];
        const real3 n = octahedral_decode(instance->surface);
        double root[3];
        middle(s.vertex + 16 * leaf, root);
        near(distance3(root, roots + 3 * leaf), 0, 0);
        const double d[3] = {root[0] - (double)instance->pivot.x, root[1] - (double)instance->pivot.y,
                             root[2] - (double)instance->pivot.z};
        const double normal[3] = {(double)n.x, (double)n.y, (double)n.z};
        near(dot3(d, normal), 0, 2e-6);
        assert_true(hypot(d[0], d[1]) <= 0.15 + 2e-6);
        squares += d[0] * d[0] + d[1] * d[1];
        for (uint32_t i = 0; i < 16; i++) { /* packed: from the pivot of the clump */
            const vec3 at = s.vertex[16 * leaf + i].position;
            const grass_packed *packed = &s.packed[16 * leaf + i];
            near((double)half_decode(packed->offset_xy), (double)(at.x - instance->pivot.x), 5e-4 * (0.5 + 0.15));
            near((double)half_decode(packed->offset_xy >> 16), (double)(at.y - instance->pivot.y), 5e-4 * (0.5 + 0.15));
            near((double)half_decode(packed->offset_z), (double)(at.z - instance->pivot.z), 5e-4 * (0.5 + 0.15));
        }
    }
    near(squares / (double)s.leaves, 0.15 * 0.15 / 2, 0.15 * 0.15 * 0.02); /* uniform over the disc */
    free(roots);
    scene_destroy(&s);
}

/* G17: a leaf does not depend on the others: not on how many there are, nor on the order of items. */
static void g17_leaves_are_alone(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        scene eight = clumps(50, 8, 0.4 * c), four = clumps(50, 4, 0.4 * c);
        for (uint32_t i = 0; i < 50; i++)
            assert_memory_equal(&eight.vertex[i * 8 * 16], &four.vertex[i * 4 * 16], 4 * 16 * sizeof(grass_vertex));
        grass_vertex *all = allocate(eight.vertices, sizeof *all);
        memcpy(all, eight.vertex, (size_t)eight.vertices * sizeof *all);
        memset(eight.vertex, 0, (size_t)eight.vertices * sizeof *all);
        const vfx_ref ref = scene_ref(&eight);
        for (uint64_t leaf = eight.leaves; leaf-- > 0;)
            grass_vertex_ref_f64(&ref, leaf, 1);
        assert_memory_equal(eight.vertex, all, (size_t)eight.vertices * sizeof *all);
        free(all);
        scene_destroy(&eight);
        scene_destroy(&four);
    }
}

/* G17: spread of the bend directions inside clumps, 1 - |mean of unit vectors|, averaged; and heights. */
static void g17_coherence(void **state)
{
    (void)state;
    double last = 1;
    for (int step = 0; step <= 4; step++) {
        scene s = clumps(200, 8, step / 4.0);
        const vfx_ref ref = scene_ref(&s);
        double spread = 0;
        for (uint32_t i = 0; i < 200; i++) {
            double x = 0, y = 0;
            for (uint32_t k = 0; k < 8; k++) {
                const grass_blade *blade = &s.blade[8 * i + k];
                const double size = hypot((double)blade->kappa.x, (double)blade->kappa.y);
                x += (double)blade->kappa.x / size / 8;
                y += (double)blade->kappa.y / size / 8;
                const grass_place place = grass_place_of_f64(&ref, 8 * i + k);
                const double factor = (double)place.height / (0.5 * (double)half_decode(s.instance[i].size));
                assert_true(factor >= 0.7 - 1e-6 && factor <= 1.15 + 1e-6);
                assert_true(fabs((double)place.lean) <= 0.1 + 1e-6);
                if (step == 4)
                    assert_memory_equal(blade, &s.blade[8 * i], 3 * sizeof(float)); /* all but the colour r0 */
            }
            spread += (1 - hypot(x, y)) / 200;
        }
        assert_true(spread < last);
        if (step == 0)
            assert_true(spread > 0.1);
        last = spread;
        scene_destroy(&s);
    }
    assert_true(last < 1e-12);
}

/* --------------------------------------------------------------------------------- the limits */

enum { KAPPA, GUST, POSITION, NORMAL, OFFSET, PACKED_NORMAL, MOTION, SHADE, FIELDS };
static const char *const field_names[FIELDS] = {"kappa",  "gust",          "position", "normal",
                                                "offset", "packed normal", "motion",   "shade"};

typedef struct tally {
    double worst[FIELDS];
    uint64_t seen, marked;
} tally;

static void count_error(tally *t, int field, double error, double scale)
{
    const double ratio = error == 0 ? 0 : error / scale;
    if (!(ratio <= 1))
        fail_msg("%s: error %.9g is %g of its limit", field_names[field], error, ratio);
    t->worst[field] = fmax(t->worst[field], ratio);
}

static double farthest(vec3 a, vec3 b)
{
    return fmax(fabs((double)a.x - (double)b.x),
                fmax(fabs((double)a.y - (double)b.y), fabs((double)a.z - (double)b.z)));
}

static void count_half(tally *t, uint32_t a, uint32_t b, double scale)
{
    count_error(t, OFFSET, fabs((double)(half_decode(a) - half_decode(b))), scale);
}

static void count_bytes(tally *t, uint32_t a, uint32_t b, double scale)
{
    for (int byte = 0; byte < 4; byte++) {
        const int32_t x = (int32_t)(a >> 8 * byte & 255u), y = (int32_t)(b >> 8 * byte & 255u);
        count_error(t, SHADE, abs(x - y) / 255.0, scale);
    }
}

static void count_vertex(tally *t, const vfx_ref *ref, const scene *truth, const scene *own, uint64_t i)
{
    t->seen++;
    t->marked += truth->ill[GRASS_BUFFER_VERTEX][i] != 0;
    count_bytes(t, own->vertex[i].shade, truth->vertex[i].shade, scale_of(grass_shade_scales_f64, ref, i));
    count_bytes(t, own->packed[i].shade, truth->packed[i].shade, scale_of(grass_packed_shade_scales_f64, ref, i));
    assert_true(own->vertex[i].gradient == truth->vertex[i].gradient);
    if (truth->ill[GRASS_BUFFER_MOTION][i] == 0)
        count_error(t, MOTION, farthest(own->motion[i].position, truth->motion[i].position),
                    scale_of(grass_motion_scales_f64, ref, i));
    if ((truth->ill[GRASS_BUFFER_VERTEX][i] & GRASS_ILL_PLACE) != 0)
        return;
    count_error(t, POSITION, farthest(own->vertex[i].position, truth->vertex[i].position),
                scale_of(grass_position_scales_f64, ref, i));
    const double xy = scale_of(grass_packed_xy_scales_f64, ref, i);
    count_half(t, own->packed[i].offset_xy, truth->packed[i].offset_xy, xy);
    count_half(t, own->packed[i].offset_xy >> 16, truth->packed[i].offset_xy >> 16, xy);
    count_half(t, own->packed[i].offset_z, truth->packed[i].offset_z, scale_of(grass_packed_z_scales_f64, ref, i));
    if (truth->ill[GRASS_BUFFER_VERTEX][i] != 0)
        return;
    count_error(t, NORMAL, farthest(own->vertex[i].normal, truth->vertex[i].normal),
                scale_of(grass_normal_scales_f64, ref, i));
    count_error(t, PACKED_NORMAL,
                farthest(vec3_of(octahedral_decode(own->packed[i].normal)),
                         vec3_of(octahedral_decode(truth->packed[i].normal))),
                scale_of(grass_packed_normal_scales_f64, ref, i));
}

static void compare_builds(grass_params p, uint32_t *seed, double reach, double tilt, tally *t)
{
    scene truth, own;
    scene_create(&truth, p);
    scatter(&truth, seed, reach, tilt);
    scene_wind(&truth, dice(seed), 256 * dice(seed), 256 * dice(seed), dice(seed), dice(seed));
    truth.frame.host[2].x -= 0.01f;
    scene_create(&own, p);
    own.frame = truth.frame;
    memcpy(own.instance, truth.instance, p.blades * sizeof *own.instance);
    const vfx_ref single = scene_ref(&own), ref = scene_ref(&truth);
    grass_blade_ref_f32(&single, 0, own.leaves);
    grass_vertex_ref_f32(&single, 0, own.leaves);
    scene_run(&truth);
    for (uint64_t leaf = 0; leaf < truth.leaves; leaf++) {
        const grass_blade *a = &own.blade[leaf], *b = &truth.blade[leaf];
        assert_true(a->random == b->random);
        if (truth.ill[GRASS_BUFFER_BLADE][leaf] != 0)
            continue;
        const double off =
            fmax(fabs((double)a->kappa.x - (double)b->kappa.x), fabs((double)a->kappa.y - (double)b->kappa.y));
        count_error(t, KAPPA, off, scale_of(grass_kappa_scales_f64, &ref, leaf));
        count_error(t, GUST, fabs((double)a->gust - (double)b->gust), scale_of(grass_gust_scales_f64, &ref, leaf));
    }
    for (uint64_t i = 0; i < truth.vertices; i++)
        count_vertex(t, &ref, &truth, &own, i);
    scene_destroy(&truth);
    scene_destroy(&own);
}

static void print_tally(const char *what, const tally *t)
{
    print_message("  %s: share of the limit used:", what);
    for (int i = 0; i < FIELDS; i++)
        print_message(" %s %.2f", field_names[i], t->worst[i]);
    print_message("; marked %.3g %%\n", 100.0 * (double)t->marked / (double)t->seen);
}

/* The float build stays within the limits of README.md with the default parameters and every choice of the enums. */
static void yardstick_within_limits(void **state)
{
    (void)state;
    uint32_t seed = 17;
    for (uint32_t leaves = 1; leaves <= 5; leaves += 4) {
        tally t = {{0}, 0, 0};
        for (uint32_t k = 0; k < 144; k++) {
            grass_params p = default_params(60);
            p.leaves = leaves;
            p.wind = k % 2;
            p.random = k / 2 % 2;
            p.normal = k / 4 % 2;
            p.shape = k / 8 % 2;
            p.facing = k / 16 % 3;
            p.align = k / 48 % 3 == 2;
            p.coherence = leaves > 1 ? (float)dice(&seed) : 0;
            compare_builds(p, &seed, 20, 0.5, &t);
        }
        print_tally(leaves == 1 ? "blades" : "clumps", &t);
        assert_true(t.marked * 1000 <= t.seen * leaves);
    }
}

/* The same with parameters drawn from most of their ranges; marks may be many. */
static void yardstick_in_extremes(void **state)
{
    (void)state;
    uint32_t seed = 18;
    tally t = {{0}, 0, 0};
    for (uint32_t k = 0; k < 1500; k++) {
        grass_params p = default_params(8);
        p.leaves = 1 + k % 3;
        p.rows = 2 + k % 7;
        p.height = (float)pow(10, between(&seed, -3, 1));
        p.clump_radius = (float)pow(10, between(&seed, -2, 1));
        p.clump_lean = (float)dice(&seed);
        p.coherence = (float)dice(&seed);
        p.noise_scale = (float)pow(10, between(&seed, -4, 1));
        p.gust_low = (float)between(&seed, -1, 1);
        p.gust_high = p.gust_low + (float)pow(10, between(&seed, -5, 0));
        p.bend_max = (float)(k % 5 == 0 ? pow(10, between(&seed, -8, 0)) : dice(&seed));
        p.bend_min = (float)((double)p.bend_max * dice(&seed)) * (float)(k % 3 != 0);
        p.sway_slow = (float)dice(&seed);
        p.sway_fast = (float)dice(&seed);
        p.turn_slow = (float)dice(&seed) / 2;
        p.turn_fast = (float)dice(&seed) / 2;
        p.stagger = (float)(16 * dice(&seed));
        p.normal_blend = k % 4 == 0 ? 0.5f : (float)dice(&seed);
        p.wind = k / 2 % 2;
        p.random = k / 3 % 2;
        p.normal = k / 4 % 2;
        p.shape = k / 5 % 2;
        p.facing = k / 7 % 3;
        p.align = k / 11 % 2;
        compare_builds(p, &seed, pow(10, between(&seed, 0, 3.5)), PI, &t);
    }
    print_tally("extremes", &t);
    assert_true(t.marked < t.seen / 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(g12_golden_values),
    cmocka_unit_test(noise_gradients),
    cmocka_unit_test(noise_statistics),
    cmocka_unit_test(half_codes),
    cmocka_unit_test(g1_no_bend_is_identity),
    cmocka_unit_test(g2_roots_do_not_move),
    cmocka_unit_test(g3_length_is_kept),
    cmocka_unit_test(g4_quarter_circle),
    cmocka_unit_test(g5_g6_g9_bend_geometry),
    cmocka_unit_test(bend_is_a_circle),
    cmocka_unit_test(g15_monotonic),
    cmocka_unit_test(bend_in_float),
    cmocka_unit_test(g7_quarter_turn),
    cmocka_unit_test(g8_gusts_travel_down_wind),
    cmocka_unit_test(wind_frames),
    cmocka_unit_test(g10_opposite_rest),
    cmocka_unit_test(g11_bounded_and_finite),
    cmocka_unit_test(g13_rows),
    cmocka_unit_test(g14_randoms),
    cmocka_unit_test(randoms_are_independent),
    cmocka_unit_test(g16_straightening),
    cmocka_unit_test(rest_direction_and_normals),
    cmocka_unit_test(arc_normal_of_an_edgewise_bend),
    cmocka_unit_test(shading),
    cmocka_unit_test(scales_in_a_row),
    cmocka_unit_test(oscillations),
    cmocka_unit_test(motion_is_the_frame_before),
    cmocka_unit_test(g17_one_leaf_is_a_blade),
    cmocka_unit_test(g17_roots),
    cmocka_unit_test(g17_leaves_are_alone),
    cmocka_unit_test(g17_coherence),
    cmocka_unit_test(yardstick_within_limits),
    cmocka_unit_test(yardstick_in_extremes),
};
VFX_TEST_MAIN(tests)
