/* pbd_scene_test.c - the host's side of the particles: counts and cells, frame 0 of every scene, particles from a file,
 * colliders and constants of every frame, what validate and load refuse. */
#include "core/test.h"

#include "core/params.h"
#include "core/platform.h"
#include "core/run.h"
#include "kernels/pbd/pbd.h"

#include <math.h>

#define assert_near(a, b, limit)                                                                   \
    do {                                                                                           \
        double near_a = (double)(a), near_b = (double)(b);                                         \
        if (!(fabs(near_a - near_b) <= (limit)))                                                   \
            fail_msg("%s = %.17g, %s = %.17g, limit %g", #a, near_a, #b, near_b, (double)(limit)); \
    } while (0)

static const double pi = 3.14159265358979323846;

static pbd_params *make_case(vfx_case *kase, uint32_t variant, const char *set)
{
    assert_vfx_ok(vfx_case_init(kase, &pbd_kernel, &pbd_kernel.variants[variant], "ci"));
    assert_vfx_ok(vfx_case_set_list(kase, set));
    return (pbd_params *)(void *)kase->words;
}

static uint64_t count_of(const vfx_case *kase, uint32_t row)
{
    return pbd_kernel.buffers[row].count(kase);
}

static double distance(vec3 a, vec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* -------------------------------------------------------------------------------------------- counts */

static void counts_follow_the_header(void **state)
{
    (void)state;
    vfx_case kase;
    pbd_params *p = make_case(&kase, PBD_LIST,
                              "particles=100,substeps=3,iterations=5,cell=0.5,size_x=2,size_y=1.2,"
                              "size_z=0.9,list_capacity=7,capacity=9,skin=0.05");
    uint64_t cells = 5 * 5 * 4 + 2; /* nx, ny, nz = 4, 3, 2 */
    assert_int_equal(pbd_cells(&kase), cells);
    assert_int_equal(count_of(&kase, PBD_BUFFER_PARTICLE), 100);
    assert_int_equal(count_of(&kase, PBD_BUFFER_PREDICT), 300);
    assert_int_equal(count_of(&kase, PBD_BUFFER_TRACE), 3 * 7 * 100);
    assert_int_equal(count_of(&kase, PBD_BUFFER_START), 3 * (cells + 1));
    assert_int_equal(count_of(&kase, PBD_BUFFER_SLOT), 3 * cells * 9);
    assert_int_equal(count_of(&kase, PBD_BUFFER_LIST), 3 * 100 * 7);
    assert_int_equal(count_of(&kase, PBD_BUFFER_PUSH), 100 * 7);
    assert_int_equal(count_of(&kase, PBD_BUFFER_VELOCITY), 200);
    assert_int_equal(count_of(&kase, PBD_BUFFER_TALLY), 1);
    assert_int_equal(count_of(&kase, PBD_BUFFER_COLLIDER), 2);
    assert_int_equal(count_of(&kase, PBD_BUFFER_SDF), 1);
    p->solver = PBD_SOLVER_CONSERVING;
    p->obstacle = PBD_OBSTACLE_GRID;
    p->floor = 0;
    assert_int_equal(count_of(&kase, PBD_BUFFER_TALLY), 100);
    assert_int_equal(count_of(&kase, PBD_BUFFER_COLLIDER), 2);
    assert_int_equal(count_of(&kase, PBD_BUFFER_SDF), 32768);
    kase.variant = &pbd_kernel.variants[PBD_HASHED];
    p->buckets = 64;
    assert_int_equal(pbd_cells(&kase), 64);
}

static void cells_hold_diameter_and_skin(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, PBD_SORTED, "mass_high=8,skin=0.25");
    double radius = cbrt(3 * 8 / (4 * pi * 1000));
    assert_near(pbd_largest_radius(&kase), radius, 1e-8);
    assert_true(pbd_cell_side(&kase) == 2.0f * pbd_largest_radius(&kase));
    assert_near(pbd_skin(&kase), 0.5 * radius, 1e-8);
    kase.variant = &pbd_kernel.variants[PBD_LIST];
    assert_true(pbd_cell_side(&kase) == 2.0f * pbd_largest_radius(&kase) + pbd_skin(&kase));
    make_case(&kase, PBD_LIST, "cell=0.4");
    assert_true(pbd_cell_side(&kase) == 0.4f);
}

/* ------------------------------------------------------------------------------------------- frame 0 */

static void masses_make_radii(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, PBD_SORTED, "mass_low=2,mass_high=6,density=500,size_spread=0.3,unyielding=0.25,speed=3");
    double mean = 0, fixed = 0;
    for (uint32_t i = 0; i < 1500; i++) {
        pbd_particle p = pbd_particle_of(&kase, i), again = pbd_particle_of(&kase, i);
        double full = cbrt(3 * (double)p.mass / (4 * pi * 500));
        assert_memory_equal(&p, &again, sizeof p);
        assert_int_equal(p.id, i);
        assert_true(p.mass >= 2 && p.mass <= 6 && p.radius <= pbd_largest_radius(&kase));
        assert_true((double)p.radius <= full * 1.000001 && (double)p.radius >= 0.7 * full * 0.999999);
        assert_near(distance(p.velocity, (vec3){0, 0, 0}), p.flags ? 0 : 3, 1e-5);
        mean += (double)p.mass / 1500;
        fixed += p.flags == PBD_UNYIELDING ? 1.0 / 1500 : 0;
    }
    assert_near(mean, 4, 0.1);
    assert_near(fixed, 0.25, 0.04);
    pbd_particle first = pbd_particle_of(&kase, 7);
    kase.seed++;
    pbd_particle other = pbd_particle_of(&kase, 7);
    assert_true(first.mass != other.mass && first.position.x != other.position.x);
}

static void mixed_masses_are_two(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, PBD_SORTED, "scene=mixed,mass_low=0.1,mass_high=10");
    uint32_t heavy = 0;
    for (uint32_t i = 0; i < 1600; i++) {
        float mass = pbd_particle_of(&kase, i).mass;
        assert_true(mass == 0.1f || mass == 10.0f);
        heavy += mass == 10.0f;
    }
    assert_int_equal(heavy, 100);
}

/* All inside the walls, whatever the scene. */
static void scenes_are_inside(void **state)
{
    (void)state;
    static const char *const sets[] = {"scene=pile", "scene=packed", "scene=mixed", "scene=pile,particles=20000",
                                       "scene=attract,particles=10,size_x=4,size_y=4,size_z=4"};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        vfx_case kase;
        pbd_params *params = make_case(&kase, PBD_SORTED, sets[s]);
        for (uint32_t i = 0; i < params->particles; i++) {
            pbd_particle p = pbd_particle_of(&kase, i);
            float r = p.radius * 0.9999f;
            assert_true(fabsf(p.position.x) <= 0.5f * params->size_x - r);
            assert_true(fabsf(p.position.y) <= 0.5f * params->size_y - r);
            assert_true(p.position.z >= r && p.position.z <= params->size_z - r);
        }
    }
}

/* About 4.2 contacts and 34 particles in 27 cells, away from the walls. */
static void packing_is_as_dense_as_it_should(void **state)
{
    (void)state;
    enum { N = 4000 };
    static pbd_particle p[N];
    vfx_case kase;
    pbd_params *params = make_case(&kase, PBD_SORTED, "");
    assert_vfx_ok(vfx_case_init(&kase, &pbd_kernel, kase.variant, "packed-16k"));
    assert_int_equal(params->particles, 16000);
    void *buffers[VFX_MAX_BUFFERS] = {0}, *images[VFX_MAX_IMAGES] = {0};
    pbd_particle *all = calloc(16000, sizeof *all);
    assert_non_null(all);
    buffers[PBD_BUFFER_PARTICLE] = all;
    pbd_init(&kase, buffers, images);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < 16000 && kept < N; i++) /* the middle of the box */
        if (fabsf(all[i].position.x) < 0.9f && fabsf(all[i].position.y) < 0.9f &&
            fabsf(all[i].position.z - 1.5f) < 0.9f)
            p[kept++] = all[i];
    double contacts = 0, inner = 0, diameter = 2 * (double)all[0].radius;
    for (uint32_t i = 0; i < kept; i++) {
        if (fabsf(p[i].position.x) > 0.7f || fabsf(p[i].position.y) > 0.7f || fabsf(p[i].position.z - 1.5f) > 0.7f)
            continue;
        inner++;
        for (uint32_t j = 0; j < kept; j++)
            contacts += j != i && distance(p[i].position, p[j].position) < diameter;
    }
    free(all);
    assert_true(inner > 500);
    assert_near(contacts / inner, 4.2, 0.4);
    assert_near(inner / (1.4 * 1.4 * 1.4) * 27 * diameter * diameter * diameter, 34, 1.5);
}

static void the_lowest_layer_lies_on_the_slope(void **state)
{
    (void)state;
    static const char *const slopes[] = {"slope=0.05", "slope=-0.08"};
    for (int s = 0; s < 2; s++) {
        vfx_case kase;
        pbd_params *params = make_case(&kase, PBD_SORTED, "scene=incline,particles=1000,size_x=12,size_y=4,size_z=8");
        assert_vfx_ok(vfx_case_set(&kase, slopes[s]));
        vfx_feed feed;
        assert_vfx_ok(vfx_feed_create(&feed, &kase, NULL));
        vfx_feed_next(&feed);
        const pbd_collider *plane = feed.input[PBD_BUFFER_COLLIDER];
        assert_int_equal(plane->kind, PBD_COLLIDER_PLANE);
        double edge = (s == 0 ? -0.5 : 0.5) * (double)params->size_x;
        assert_near((double)plane->place.x * edge, (double)plane->extent.x, 1e-6); /* at z = 0 there */
        assert_near(distance(plane->place, (vec3){0, 0, 0}), 1, 1e-7);
        uint32_t touching = 0;
        for (uint32_t i = 0; i < 1000; i++) {
            pbd_particle p = pbd_particle_of(&kase, i);
            double gap = (double)plane->place.x * (double)p.position.x + (double)plane->place.z * (double)p.position.z -
                         (double)plane->extent.x - (double)p.radius;
            assert_true(gap >= -2e-6);
            touching += gap <= 2e-6;
        }
        assert_int_equal(touching, 1000);
        vfx_feed_destroy(&feed);
    }
}

/* -------------------------------------------------------------------------------------- frame input */

static void constants_are_rounded_once(void **state)
{
    (void)state;
    vfx_case kase;
    pbd_params *p = make_case(&kase, PBD_LIST, "substeps=3,drag=0.7,size_x=2,size_y=3,size_z=5");
    vfx_feed feed;
    assert_vfx_ok(vfx_feed_create(&feed, &kase, NULL));
    vfx_feed_next(&feed);
    const vfx_frame *f = &feed.frame;
    assert_true(PBD_LO_X(*f) == -1.0f && PBD_LO_Y(*f) == -1.5f && PBD_CENTRE_Z(*f) == 2.5f);
    assert_true(PBD_STEP(*f) == (float)((double)kase.dt / 3));
    assert_true(PBD_DRAG(*f) == (float)(1 / (1 + (double)p->drag * (double)PBD_STEP(*f))));
    assert_true(PBD_INV_CELL(*f) == (float)(1 / (double)PBD_CELL(*f)) && PBD_CELL(*f) == pbd_cell_side(&kase));
    assert_true(PBD_SKIN(*f) == pbd_skin(&kase) && PBD_COLLIDERS(*f) == 2.0f);
    assert_near(PBD_CELLS_X(*f), ceil(2 / (double)PBD_CELL(*f)), 0);
    assert_near(PBD_CELLS_Y(*f), ceil(3 / (double)PBD_CELL(*f)), 0);
    assert_near(PBD_CELLS_Z(*f), ceil(5 / (double)PBD_CELL(*f)), 0);
    vfx_feed_destroy(&feed);
    make_case(&kase, PBD_HASHED, "");
    assert_vfx_ok(vfx_feed_create(&feed, &kase, NULL));
    vfx_feed_next(&feed);
    assert_true(PBD_CELLS_X(feed.frame) == 0.0f);
    vfx_feed_destroy(&feed);
}

/* A box of half extent 0.2 between walls at +-1: it moves on by its velocity, and never beyond 0.8. */
static void the_obstacle_turns_back(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, PBD_SORTED, "obstacle=box,obstacle_speed=7,size_x=2,size_y=2,size_z=1.6,friction_static=0.3");
    vfx_feed feed;
    assert_vfx_ok(vfx_feed_create(&feed, &kase, NULL));
    double x = 0, farthest = 0, turns = 0, before = 7;
    for (uint32_t k = 1; k <= 200; k++) {
        vfx_feed_next(&feed);
        const pbd_collider *box = (const pbd_collider *)feed.input[PBD_BUFFER_COLLIDER] + 2;
        double centre = 0.5 * ((double)box->place.x + (double)box->extent.x), v = (double)box->velocity.x;
        assert_int_equal(box->kind, PBD_COLLIDER_BOX_OUT);
        assert_near((double)box->extent.x - (double)box->place.x, 0.4, 1e-6);
        assert_near(0.5 * ((double)box->place.z + (double)box->extent.z), 0.8, 1e-6);
        assert_near(centre - x, v * (double)kase.dt, 2e-7);
        assert_true(fabs(v) <= 7.00001 && box->friction_static == 0.3f);
        turns += v * before < 0;
        before = v;
        x = centre;
        farthest = fmax(farthest, fabs(x));
    }
    assert_near(farthest, 0.8, 1e-6);
    assert_near(turns, 14, 1); /* 23.3 m in ways of 1.6 m */
    vfx_feed_destroy(&feed);
}

static void samples_are_distances_of_a_box(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, PBD_SORTED, "obstacle=grid,size_x=2,size_y=2,size_z=1.6");
    double half = pbd_obstacle_size(&kase), width = pbd_sdf_width(&kase), corner = 0.5 * width - half;
    double step = width / 31;
    assert_near(half, 0.2, 1e-7);
    assert_true(corner >= 2 * (double)pbd_largest_radius(&kase) * 0.999); /* a particle is seen before it touches */
    assert_near(pbd_sdf_sample(&kase, 0, 0, 0), corner * sqrt(3), 1e-6);
    assert_near(pbd_sdf_sample(&kase, 31, 15, 16), corner, 1e-6);
    assert_near(pbd_sdf_sample(&kase, 16, 31, 0), corner * sqrt(2), 1e-6);
    assert_near(pbd_sdf_sample(&kase, 15, 15, 16), 0.5 * step - half, 1e-6);
}

/* --------------------------------------------------------------------------------------------- input */

typedef struct place {
    char folder[VFX_TEST_PATH], file[VFX_TEST_PATH];
} place;

/* Writes a .npy file with this dtype and shape text and `bytes` of values. */
static void write_npy(const place *p, const char *dtype, const char *shape, const void *values, size_t bytes)
{
    unsigned char file[1024];
    char header[118 + 1];
    int used = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", dtype, shape);
    assert_true(used > 0 && used < 117 && bytes <= sizeof file - 128);
    memset(header + used, ' ', (size_t)(117 - used));
    header[117] = '\n';
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(file + 10, header, 118);
    memcpy(file + 128, values, bytes);
    assert_vfx_ok(vfx_write_file(p->file, file, 128 + bytes));
}

static void make_input_case(vfx_case *kase, uint32_t variant, const place *p, const char *set)
{
    char assignment[VFX_TEST_PATH + 16];
    make_case(kase, variant, set);
    (void)snprintf(assignment, sizeof assignment, "input=%s", p->file);
    assert_vfx_ok(vfx_case_set(kase, assignment));
    assert_vfx_ok(vfx_case_validate(kase));
}

static const float good[3][8] = {
    {0.1f, 0.2f, 0.3f, 1, 2, 3, 4, 0.05f}, {-0.5f, 0, 1, 0, 0, -1, 2, 0.25f}, {0, 0, 0.5f, 0, 0, 0, 1, 0.125f}};

static void particles_come_from_a_file(void **state)
{
    (void)state;
    place p;
    vfx_case kase;
    vfx_test_folder(p.folder);
    vfx_test_path(p.file, p.folder, "in.npy");
    write_npy(&p, "<f4", "(3, 8)", good, sizeof good);
    make_input_case(&kase, PBD_SORTED, &p, "particles=3");
    assert_vfx_ok(pbd_load(&kase));
    assert_true(pbd_largest_radius(&kase) == 0.25f && pbd_cell_side(&kase) == 0.5f);
    pbd_particle b = pbd_particle_of(&kase, 1);
    assert_true(b.position.x == -0.5f && b.position.z == 1.0f && b.velocity.z == -1.0f && b.mass == 2.0f);
    assert_true(b.radius == 0.25f && b.id == 1 && b.flags == 0);
    pbd_unload(&kase);
    assert_null(kase.asset);
    make_input_case(&kase, PBD_SORTED, &p, "particles=3,cell=0.3");
    assert_vfx_fails(pbd_load(&kase), VFX_USAGE, "cell = 0.3");
    assert_null(kase.asset);
    make_input_case(&kase, PBD_SORTED, &p, "particles=4");
    assert_vfx_fails(pbd_load(&kase), VFX_IO, "(3,8)");
    write_npy(&p, "<f8", "(3, 8)", good, sizeof good);
    make_input_case(&kase, PBD_SORTED, &p, "particles=3");
    assert_vfx_fails(pbd_load(&kase), VFX_IO, "'<f8'");
    write_npy(&p, "<f4", "(3, 8)", good, sizeof good - 4);
    assert_vfx_fails(pbd_load(&kase), VFX_IO, "truncated");
    vfx_test_remove(p.file);
    assert_vfx_fails(pbd_load(&kase), VFX_IO, p.file);
    vfx_test_remove(p.folder);
}

/* P21 */
static void bad_particles_are_named(void **state)
{
    (void)state;
    static const struct {
        int row, column;
        float value;
        const char *part;
    } rows[] = {
        {1, 0, NAN, "particle 1: x is nan"},       {2, 5, INFINITY, "particle 2: vz is inf"},
        {0, 6, 0.0f, "particle 0: mass is 0"},     {1, 7, -0.1f, "particle 1: radius is -0.1"},
        {2, 7, INFINITY, "particle 2: radius is"}, {0, 6, NAN, "particle 0: mass is nan"},
        {1, 0, 3e38f, "particle 1: x is 3e+38"},   {0, 3, -2e9f, "particle 0: vx is -2e+09, must be -1e+09 to 1e+09"},
        {2, 6, 1e-40f, "particle 2: mass is"},     {1, 7, 501, "particle 1: radius is 501"},
    };
    place p;
    vfx_test_folder(p.folder);
    vfx_test_path(p.file, p.folder, "in.npy");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float bad[3][8];
        vfx_case kase;
        memcpy(bad, good, sizeof bad);
        bad[rows[i].row][rows[i].column] = rows[i].value;
        write_npy(&p, "<f4", "(3, 8)", bad, sizeof bad);
        make_input_case(&kase, PBD_SORTED, &p, "particles=3");
        assert_vfx_fails(pbd_load(&kase), VFX_USAGE, rows[i].part);
        assert_null(kase.asset);
    }
    vfx_test_remove(p.file);
    vfx_test_remove(p.folder);
}

/* ------------------------------------------------------------------------------------------ refusals */

static void validate_refuses(void **state)
{
    (void)state;
    static const struct {
        uint32_t variant;
        const char *set, *part;
    } rows[] = {
        {PBD_SORTED, "cell=0.1", "cell = 0.1"},
        {PBD_LIST, "cell=0.125", "lower skin"},
        {PBD_SORTED, "mass_low=2", "mass_low = 2"},
        {PBD_SORTED, "friction_kinetic=0.5,friction_static=0.4", "friction_kinetic = 0.5"},
        {PBD_HASHED, "buckets=1000", "buckets = 1000"},
        {PBD_SORTED, "size_y=0.1", "size_y = 0.1"},
        {PBD_LIST, "particles=16777216,list_capacity=256", "buffer list"},
        {PBD_SORTED, "particles=16777216,substeps=16,iterations=16", "buffer trace"},
        {PBD_SORTED, "size_x=1e4,size_y=1e4,size_z=1e4", "buffer count"},
        {PBD_CAPPED, "size_x=300,size_y=300,size_z=10,capacity=64", "buffer slot"},
        {PBD_SORTED, "size_x=1e4,mass_low=1e-6,mass_high=1e-6,density=1e6", "raise cell"},
    };
    vfx_case kase;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_case(&kase, rows[i].variant, rows[i].set);
        assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, rows[i].part);
    }
    make_case(&kase, PBD_SORTED, "size_y=0.1,walls=off");
    assert_vfx_ok(vfx_case_validate(&kase));
    make_case(&kase, PBD_BRUTE, "particles=8192");
    assert_vfx_ok(pbd_load(&kase));
    make_case(&kase, PBD_BRUTE, "particles=8193");
    assert_vfx_ok(vfx_case_validate(&kase));
    assert_vfx_fails(pbd_load(&kase), VFX_UNSUPPORTED, "8192");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_follow_the_header),
    cmocka_unit_test(cells_hold_diameter_and_skin),
    cmocka_unit_test(masses_make_radii),
    cmocka_unit_test(mixed_masses_are_two),
    cmocka_unit_test(scenes_are_inside),
    cmocka_unit_test(packing_is_as_dense_as_it_should),
    cmocka_unit_test(the_lowest_layer_lies_on_the_slope),
    cmocka_unit_test(constants_are_rounded_once),
    cmocka_unit_test(the_obstacle_turns_back),
    cmocka_unit_test(samples_are_distances_of_a_box),
    cmocka_unit_test(particles_come_from_a_file),
    cmocka_unit_test(bad_particles_are_named),
    cmocka_unit_test(validate_refuses),
};

VFX_TEST_MAIN(tests)
