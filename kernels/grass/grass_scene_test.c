/* grass_scene_test.c - the host's side of the grass: record layout, instances, terrain and mask, what happens with
 * files that are none, phases and wind of every frame, what validate refuses. */
#include "core/test.h"

#include "core/field.h"
#include "core/hash.h"
#include "core/params.h"
#include "core/platform.h"
#include "core/run.h"
#include "kernels/grass/grass.h"

#include <math.h>

#define assert_near(a, b, limit)                                                                   \
    do {                                                                                           \
        double near_a = (double)(a), near_b = (double)(b);                                         \
        if (!(fabs(near_a - near_b) <= (limit)))                                                   \
            fail_msg("%s = %.17g, %s = %.17g, limit %g", #a, near_a, #b, near_b, (double)(limit)); \
    } while (0)

/* Defaults of variant 0 with one more preset's or --set's assignments. */
static grass_params *make_case(vfx_case *kase, const char *set)
{
    assert_vfx_ok(vfx_case_init(kase, &grass_kernel, &grass_kernel.variants[0], "ci"));
    assert_vfx_ok(vfx_case_set_list(kase, set));
    return (grass_params *)(void *)kase->words;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ------------------------------------------------------------------------------------------- layout */

static const vfx_field *field_of(uint32_t row, const char *name)
{
    for (uint32_t i = 0; i < grass_kernel.buffers[row].field_count; i++)
        if (strcmp(grass_kernel.buffers[row].fields[i].name, name) == 0)
            return &grass_kernel.buffers[row].fields[i];
    fail_msg("no field %s", name);
    return NULL;
}

#define assert_field(row, record, member, kind, amount)                                                          \
    do {                                                                                                         \
        const vfx_field *field = field_of(row, #member);                                                         \
        if (field->offset != offsetof(record, member) || field->type != (kind) || field->components != (amount)) \
            fail_msg("%s of %s: offset %u, %u components", #member, #record, field->offset, field->components);  \
    } while (0)

static void records_have_their_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(grass_instance), 32);
    assert_int_equal(sizeof(grass_blade), 16);
    assert_int_equal(sizeof(grass_vertex), 32);
    assert_int_equal(sizeof(grass_packed), 16);
    assert_int_equal(sizeof(grass_motion), 16);
    assert_field(GRASS_BUFFER_INSTANCE, grass_instance, pivot, VFX_FIELD_F32, 3);
    assert_field(GRASS_BUFFER_INSTANCE, grass_instance, yaw, VFX_FIELD_F16, 2);
    assert_field(GRASS_BUFFER_INSTANCE, grass_instance, size, VFX_FIELD_F16, 2);
    assert_field(GRASS_BUFFER_INSTANCE, grass_instance, surface, VFX_FIELD_OCT16, 2);
    assert_field(GRASS_BUFFER_INSTANCE, grass_instance, id, VFX_FIELD_U32, 1);
    assert_field(GRASS_BUFFER_INSTANCE, grass_instance, zero, VFX_FIELD_U32, 1);
    assert_field(GRASS_BUFFER_BLADE, grass_blade, kappa, VFX_FIELD_F32, 2);
    assert_field(GRASS_BUFFER_BLADE, grass_blade, gust, VFX_FIELD_F32, 1);
    assert_field(GRASS_BUFFER_BLADE, grass_blade, random, VFX_FIELD_F32, 1);
    assert_field(GRASS_BUFFER_VERTEX, grass_vertex, position, VFX_FIELD_F32, 3);
    assert_field(GRASS_BUFFER_VERTEX, grass_vertex, shade, VFX_FIELD_UNORM8, 4);
    assert_field(GRASS_BUFFER_VERTEX, grass_vertex, normal, VFX_FIELD_F32, 3);
    assert_field(GRASS_BUFFER_VERTEX, grass_vertex, gradient, VFX_FIELD_F32, 1);
    assert_field(GRASS_BUFFER_PACKED, grass_packed, offset_xy, VFX_FIELD_F16, 2);
    assert_field(GRASS_BUFFER_PACKED, grass_packed, offset_z, VFX_FIELD_F16, 2);
    assert_field(GRASS_BUFFER_PACKED, grass_packed, normal, VFX_FIELD_OCT16, 2);
    assert_field(GRASS_BUFFER_PACKED, grass_packed, shade, VFX_FIELD_UNORM8, 4);
    assert_field(GRASS_BUFFER_MOTION, grass_motion, position, VFX_FIELD_F32, 3);
    assert_field(GRASS_BUFFER_MOTION, grass_motion, zero, VFX_FIELD_F32, 1);
}

static void counts_and_names(void **state)
{
    (void)state;
    vfx_case kase;
    char text[96];
    make_case(&kase, "blades=10,rows=5,leaves=3");
    assert_int_equal(grass_instance_count(&kase), 10);
    assert_int_equal(grass_leaf_count(&kase), 30);
    assert_int_equal(grass_vertex_count(&kase), 300);
    assert_int_equal(grass_motion_count(&kase), 0);
    assert_vfx_ok(vfx_case_set(&kase, "motion=on"));
    assert_int_equal(grass_motion_count(&kase), 300);
    grass_describe_vertex(&kase, (4 * 3 + 2) * 10 + 2 * 3 + 1, text, sizeof text);
    assert_string_equal(text, "blade 4, leaf 2, row 3, right");
    grass_describe_vertex(&kase, 0, text, sizeof text);
    assert_string_equal(text, "blade 0, leaf 0, row 0, left");
    grass_describe_leaf(&kase, 14, text, sizeof text);
    assert_string_equal(text, "blade 4, leaf 2");
    make_case(&kase, "blades=4M,rows=64,leaves=64");
    assert_true(grass_vertex_count(&kase) == 4000000ull * 64 * 128);
}

/* ------------------------------------------------------------------------------------------ numbers */

static void halves_are_the_nearest(void **state)
{
    (void)state;
    static const struct {
        double x;
        uint32_t code;
    } rows[] = {{1.0, 0x3c00},           {-2.0, 0xc000},          {0.0, 0},
                {65504.0, 0x7bff},       {0x1p-14, 0x0400},       {0x1p-15, 0},
                {1.0 / 3.0, 0x3555},     {1.0 + 0x1p-11, 0x3c00}, {1.0 + 3 * 0x1p-11, 0x3c02},
                {2.0 - 0x1p-12, 0x4000}, {0.03, 0x27ae}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(grass_half(rows[i].x), rows[i].code);
    for (uint32_t code = 0x0400; code < 0x7c00; code++) {
        assert_int_equal(grass_half(grass_half_value(code)), code);
        assert_int_equal(grass_half(grass_half_value(code | 0x8000u)), code | 0x8000u);
    }
    const vfx_field *size = field_of(GRASS_BUFFER_INSTANCE, "size"); /* core's decoder agrees */
    for (uint32_t code = 0; code < 0x7c00; code += 7) {
        grass_instance instance = {.size = code | (code | 0x8000u) << 16};
        double values[4];
        assert_int_equal(vfx_field_decode(size, &instance, values), 2);
        assert_near(values[0], grass_half_value(code), 0);
        assert_near(values[1], grass_half_value(code | 0x8000u), 0);
    }
}

static void quarter_turns_are_exact(void **state)
{
    (void)state;
    static const double quarters[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int k = -64; k <= 64; k++) {
        double d[2];
        grass_direction(k / 4.0, d);
        assert_near(d[0], quarters[k & 3][0], 0);
        assert_near(d[1], quarters[k & 3][1], 0);
    }
    for (uint32_t i = 0; i < 4096; i++) {
        double turns = (i * 37 % 4096) / 4096.0 - 0.5, a[2], b[2];
        grass_direction(turns, a);
        grass_direction(turns + 0.25, b);
        assert_true(b[0] == -a[1] && b[1] == a[0]);
        assert_near(a[0], cos(6.283185307179586 * turns), 2e-15);
        assert_near(a[1], sin(6.283185307179586 * turns), 2e-15);
    }
}

/* ---------------------------------------------------------------------------------------- instances */

static void jitter_stays_in_its_cells(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, "blades=1111,per_m2=16");
    kase.seed = 5;
    double cell = 0.25, sum = 0.0;
    for (uint32_t i = 0; i < 1111; i++) { /* 34 cells a side */
        grass_instance instance = grass_instance_of(&kase, i);
        double x = (double)instance.pivot.x / cell + 17 - i % 34, y = (double)instance.pivot.y / cell + 17 - i / 34;
        assert_true(x >= 0.0 && x <= 1.0 && y >= 0.0 && y <= 1.0);
        assert_near(x, (vfx_pcg3d(i, 16, 5).x >> 8) * 0x1p-24, 1e-5);
        assert_near(y, (vfx_pcg3d(i, 16, 5).y >> 8) * 0x1p-24, 1e-5);
        assert_int_equal(instance.id, i);
        assert_int_equal(instance.zero, 0);
        sum += x;
    }
    assert_near(sum / 1111, 0.5, 0.03);
}

static void looks_come_from_the_hash(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, "height_spread=0.4,width=0.05");
    for (uint32_t i = 0; i < 500; i++) {
        grass_instance instance = grass_instance_of(&kase, i);
        vfx_hash3 look = vfx_pcg3d(i, GRASS_STREAM_SCENE_LOOK, kase.seed);
        double yaw = 6.283185307179586 * vfx_hash_unit(look.x);
        assert_near(grass_half_value(instance.yaw & 0xffffu), cos(yaw), 2.5e-4);
        assert_near(grass_half_value(instance.yaw >> 16), sin(yaw), 2.5e-4);
        assert_near(grass_half_value(instance.size & 0xffffu), 0.6 + 0.8 * vfx_hash_unit(look.y), 5e-4);
        assert_int_equal(instance.size >> 16, grass_half((double)0.05f));
    }
}

/* G14: grid placement in a flat field puts every instance on a multiple of the cell, among them whole metres. */
static void a_grid_is_snapped(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, "blades=100,per_m2=1,relief=0,placement=grid");
    for (uint32_t i = 0; i < 100; i++) {
        grass_instance instance = grass_instance_of(&kase, i);
        assert_true(instance.pivot.x == (float)(int)(i % 10) - 5.0f);
        assert_true(instance.pivot.y == (float)(int)(i / 10) - 5.0f);
        assert_true(instance.pivot.z == 0.0f && !signbit(instance.pivot.z));
        assert_int_equal(instance.surface, 0); /* straight up */
    }
    make_case(&kase, "blades=99,per_m2=64,relief=0,placement=grid");
    assert_true(grass_instance_of(&kase, 98).pivot.x == 3 * 0.125f);
    make_case(&kase, "blades=9,per_m2=1,relief=0,placement=grid"); /* an odd side has a middle */
    assert_true(grass_instance_of(&kase, 4).pivot.x == 0.0f && grass_instance_of(&kase, 4).pivot.y == 0.0f);
}

/* ------------------------------------------------------------------------------------------- ground */

/* The noise of grass_shared.h once more, in three dimensions and by its letter. */
static double noise3(double x, double y, double z, uint32_t seed)
{
    double q[3] = {x, y, z}, t[3], corner[2][2][2];
    int64_t cell[3];
    for (int i = 0; i < 3; i++) {
        cell[i] = (int64_t)floor(q[i]);
        q[i] -= floor(q[i]);
        t[i] = q[i] * q[i] * q[i] * (q[i] * (q[i] * 6 - 15) + 10);
    }
    for (int i = 0; i < 8; i++) {
        int c[3] = {i & 1, i >> 1 & 1, i >> 2};
        double f[3] = {q[0] - c[0], q[1] - c[1], q[2] - c[2]};
        uint32_t h = vfx_pcg3d((uint32_t)(cell[0] + c[0]) & 255u, (uint32_t)(cell[1] + c[1]) & 255u,
                               ((uint32_t)(cell[2] + c[2]) & 255u) ^ seed << 8)
                         .x >>
                     28;
        double a = h < 8 ? f[0] : f[1], b = h < 4 ? f[1] : h == 12 || h == 14 ? f[0] : f[2];
        corner[c[2]][c[1]][c[0]] = (h & 1 ? -a : a) + (h & 2 ? -b : b);
    }
    double plane[2];
    for (int k = 0; k < 2; k++) {
        double row[2];
        for (int j = 0; j < 2; j++)
            row[j] = corner[k][j][0] + t[0] * (corner[k][j][1] - corner[k][j][0]);
        plane[k] = row[0] + t[1] * (row[1] - row[0]);
    }
    return plane[0] + t[2] * (plane[1] - plane[0]);
}

static void hills_are_the_noise(void **state)
{
    (void)state;
    assert_near(noise3(1.5, 2.25, 3.75, 0), -0.137939453, 1e-9); /* as in grass_ref_test.c */
    vfx_case kase;
    make_case(&kase, "relief=7,hill_size=8");
    kase.seed = 3;
    double lowest = 0, highest = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        double x = (i % 50) * 1.37 - 31, y = (i / 50) * 1.11 - 19;
        double want = 7 * (noise3(x / 8, y / 8, 0, 3) + 0.5 * noise3(x / 4, y / 4, 0, 3));
        double height = grass_ground_height(&kase, x, y);
        assert_near(height, want, 1e-12);
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
    }
    assert_true(lowest < -1 && highest > 1);
    vfx_case other = kase;
    other.seed = 4;
    assert_true(fabs(grass_ground_height(&kase, 3, 5) - grass_ground_height(&other, 3, 5)) > 1e-6);
    grass_instance a = grass_instance_of(&kase, 77), b = grass_instance_of(&kase, 77);
    assert_memory_equal(&a, &b, sizeof a);
}

static void without_relief_it_is_flat(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, "relief=0");
    for (uint32_t i = 0; i < 1111; i++) {
        grass_instance instance = grass_instance_of(&kase, i);
        assert_true(instance.pivot.z == 0.0f && !signbit(instance.pivot.z));
        assert_int_equal(instance.surface, 0);
    }
}

/* Normals point up and stand on the slope; their code decodes to them. */
static void normals_stand_on_the_ground(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, "relief=20,hill_size=10");
    const vfx_field *surface = field_of(GRASS_BUFFER_INSTANCE, "surface");
    double flattest = 1.0;
    for (uint32_t i = 0; i < 1111; i++) {
        grass_instance instance = grass_instance_of(&kase, i);
        double x = (double)instance.pivot.x, y = (double)instance.pivot.y, n[3], code[4], step = 0.1;
        grass_ground_normal(&kase, x, y, n);
        const double along_x[3] = {
            step, 0, grass_ground_height(&kase, x + step / 2, y) - grass_ground_height(&kase, x - step / 2, y)};
        const double along_y[3] = {
            0, step, grass_ground_height(&kase, x, y + step / 2) - grass_ground_height(&kase, x, y - step / 2)};
        assert_near(dot(n, n), 1, 1e-12);
        assert_true(n[2] > 0);
        assert_near(dot(n, along_x) / step, 0, 0.02);
        assert_near(dot(n, along_y) / step, 0, 0.02);
        assert_int_equal(vfx_field_decode(surface, &instance, code), 3);
        for (int axis = 0; axis < 3; axis++)
            assert_near(code[axis], n[axis], 1e-4);
        flattest = fmin(flattest, n[2]);
    }
    assert_true(flattest < 0.8);
}

/* ---------------------------------------------------------------------------------------- PNG files */

/* A temporary folder with a terrain and a mask in it. */
typedef struct place {
    char folder[VFX_TEST_PATH], terrain[VFX_TEST_PATH], density[VFX_TEST_PATH];
} place;

static void place_make(place *p)
{
    vfx_test_folder(p->folder);
    vfx_test_path(p->terrain, p->folder, "terrain.png");
    vfx_test_path(p->density, p->folder, "density.png");
}

static void place_remove(const place *p)
{
    vfx_test_remove(p->terrain);
    vfx_test_remove(p->density);
    vfx_test_remove(p->folder);
}

static void set_path(vfx_case *kase, const char *param, const char *path)
{
    char assignment[VFX_TEST_PATH + 16];
    snprintf(assignment, sizeof assignment, "%s=%s", param, path);
    assert_vfx_ok(vfx_case_set(kase, assignment));
}

static void write_image(const char *path, uint32_t width, uint32_t height, uint32_t bits, uint16_t *samples)
{
    const vfx_grey image = {width, height, bits, bits == 8 ? 255 : 65535, samples};
    assert_vfx_ok(vfx_grey_write(path, &image));
}

/* A field of 8 m, a map of 4 x 2 texels of 2 x 4 m: centres at x = -3, -1, 1, 3 and y = 2, -2. */
static void terrain_is_bilinear(void **state)
{
    (void)state;
    uint16_t samples[8] = {0, 65535, 0, 13107, 32768, 0, 65535, 0};
    static const struct {
        double x, y, height; /* of 10 m */
    } rows[] = {
        {-3, 2, 0},
        {-1, 2, 10},
        {3, 2, 2},
        {1, -2, 10},
        {-3, -2, 10 * 32768 / 65535.0}, /* centres */
        {-2, 2, 5},
        {-1, 0, 5},
        {2, 2, 1},
        {0, 0, 5},
        {-1.5, 2, 7.5},
        {-4, 4, 0},
        {4, 4, 2},
        {100, 100, 2},
        {4, -4, 0},
        {-100, -2, 10 * 32768 / 65535.0}, /* edges */
        {-1, 1, 7.5},
        {-2, 0, 0.25 * (10 + 10 * 32768 / 65535.0)},
    };
    vfx_case kase;
    place p;
    place_make(&p);
    write_image(p.terrain, 4, 2, 16, samples);
    make_case(&kase, "blades=64,per_m2=1,relief=10");
    set_path(&kase, "terrain", p.terrain);
    assert_vfx_ok(grass_load(&kase));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(grass_ground_height(&kase, rows[i].x, rows[i].y), rows[i].height, 1e-12);
    double n[3], length = sqrt(1 + (10.0 / 8) * (10.0 / 8));
    grass_ground_normal(&kase, -1, 2, n); /* 0 on both sides; below 0, above clamped to 10: slope over 8 m */
    assert_near(n[0], 0, 1e-12);
    assert_near(n[1], -10.0 / 8 / length, 1e-12);
    assert_near(n[2], 1 / length, 1e-12);
    grass_instance instance = grass_instance_of(&kase, 9);
    assert_near(instance.pivot.z, grass_ground_height(&kase, (double)instance.pivot.x, (double)instance.pivot.y), 1e-5);
    assert_vfx_ok(vfx_case_set(&kase, "relief=0")); /* flat all the same */
    assert_near(grass_ground_height(&kase, 0, 0), 0, 0);
    assert_int_equal(grass_instance_of(&kase, 9).surface, 0);
    grass_unload(&kase);
    place_remove(&p);
}

/* The same picture in 8 bits: value / maximum. */
static void eight_bits_reach_as_high(void **state)
{
    (void)state;
    uint16_t samples[2] = {255, 51};
    vfx_case kase;
    place p;
    place_make(&p);
    write_image(p.terrain, 2, 1, 8, samples);
    make_case(&kase, "blades=64,per_m2=1,relief=10");
    set_path(&kase, "terrain", p.terrain);
    assert_vfx_ok(grass_load(&kase));
    assert_near(grass_ground_height(&kase, -2, 1), 10, 1e-12);
    assert_near(grass_ground_height(&kase, 2, -3), 2, 1e-12);
    grass_unload(&kase);
    assert_null(kase.asset);
    grass_unload(&kase);
    place_remove(&p);
}

/* Left half white, right half black but for nothing: every instance moves to the left, and those that the mask keeps
 * stay where they would stand without it. */
static void the_mask_keeps_instances(void **state)
{
    (void)state;
    uint16_t samples[4] = {255, 0, 128, 0};
    vfx_case kase, bare;
    place p;
    place_make(&p);
    write_image(p.density, 2, 2, 8, samples);
    make_case(&kase, "blades=4k,relief=0");
    bare = kase;
    set_path(&kase, "density", p.density);
    assert_vfx_ok(grass_load(&kase));
    uint32_t stayed = 0, below = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        vec3 with = grass_instance_of(&kase, i).pivot, without = grass_instance_of(&bare, i).pivot;
        assert_true(with.x <= 0.0f);
        bool stays = with.x == without.x && with.y == without.y;
        bool keeps =
            vfx_hash_unit(vfx_pcg3d(i, GRASS_STREAM_SCENE_SPOT, kase.seed).z) < (without.x >= 0.0f   ? 0.0
                                                                                 : without.y >= 0.0f ? 1.0
                                                                                                     : 128 / 255.0);
        assert_int_equal(stays, keeps);
        stayed += stays;
        below += with.y < 0.0f;
    }
    assert_near(stayed / 4000.0, 0.25 + 0.125, 0.03);
    assert_near(below / 4000.0, 1.0 / 3.0, 0.03); /* half as dense as above */
    grass_unload(&kase);
    place_remove(&p);
}

/* One texel of 256 has a faint chance: hardly a try hits it, so most instances end in its middle. */
static void the_brightest_texel_takes_the_rest(void **state)
{
    (void)state;
    static uint16_t samples[256];
    samples[3 * 16 + 12] = 9;
    samples[9 * 16 + 2] = 9; /* as bright, but later */
    vfx_case kase;
    place p;
    place_make(&p);
    write_image(p.density, 16, 16, 16, samples);
    make_case(&kase, "blades=256,per_m2=1,relief=0"); /* texels of 1 m */
    set_path(&kase, "density", p.density);
    assert_vfx_ok(grass_load(&kase));
    uint32_t middle = 0;
    for (uint32_t i = 0; i < 256; i++) {
        vec3 pivot = grass_instance_of(&kase, i).pivot;
        middle += pivot.x == 4.5f && pivot.y == 4.5f;
    }
    assert_true(middle > 200);
    grass_unload(&kase);
    place_remove(&p);
}

static void bad_files_are_named(void **state)
{
    (void)state;
    uint16_t black[4] = {0};
    vfx_case kase;
    place p;
    place_make(&p);
    make_case(&kase, "");
    set_path(&kase, "terrain", p.terrain);
    assert_vfx_fails(grass_load(&kase), VFX_IO, p.terrain); /* is not there */
    assert_vfx_fails(grass_load(&kase), VFX_IO, "terrain wants a grey PNG");
    assert_null(kase.asset);
    assert_vfx_ok(vfx_write_file(p.terrain, "GIF89a and so on", 16));
    assert_vfx_fails(grass_load(&kase), VFX_IO, "not a PNG file");
    assert_vfx_fails(grass_load(&kase), VFX_IO, p.terrain);
    write_image(p.terrain, 2, 2, 8, black); /* a black terrain is fine */
    assert_vfx_ok(grass_load(&kase));
    grass_unload(&kase);
    set_path(&kase, "density", p.density);
    assert_vfx_fails(grass_load(&kase), VFX_IO, p.density); /* the terrain is freed again */
    assert_vfx_fails(grass_load(&kase), VFX_IO, "density wants a grey PNG");
    write_image(p.density, 2, 2, 8, black);
    assert_vfx_fails(grass_load(&kase), VFX_IO, "black all over");
    assert_vfx_fails(grass_load(&kase), VFX_IO, p.density);
    assert_null(kase.asset);
    place_remove(&p);
}

/* -------------------------------------------------------------------------------------- frame input */

/* A run of the host's part. */
typedef struct scene_run {
    vfx_case kase;
    grass_params *params;
    vfx_at_list at;
    vfx_feed feed;
    const vfx_frame *frame;
} scene_run;

static void run_start(scene_run *run, const char *set)
{
    memset(run, 0, sizeof *run);
    run->params = make_case(&run->kase, set);
}

static void run_change(scene_run *run, const char *change)
{
    assert_vfx_ok(vfx_at_parse(&run->kase, change, &run->at));
}

static void run_begin(scene_run *run)
{
    assert_vfx_ok(vfx_feed_create(&run->feed, &run->kase, &run->at));
    run->frame = &run->feed.frame;
}

/* Distance on a circle of the period. */
static double apart(double a, double b, double period)
{
    return fabs(remainder(a - b, period));
}

static void phases_are_rate_times_time(void **state)
{
    (void)state;
    scene_run run;
    run_start(&run, "start=1000,pan=-3.7,drift=90,slow_hz=0.35,fast_hz=99,wind_angle=0.1");
    run_begin(&run);
    double angle = 6.283185307179586 * (double)run.params->wind_angle, dt = (double)run.kase.dt;
    for (uint32_t k = 1; k <= 5000; k++) {
        vfx_feed_next(&run.feed);
        double time[2] = {1000 + k * dt, 1000 + (k - 1) * dt};
        const vec4 *now = run.frame->host;
        for (int moment = 0; moment < 2; moment++, now += GRASS_TIME_BEFORE) {
            double t = time[moment], pan = (double)run.params->pan * t;
            assert_near(apart(now[0].x, pan, 256), 0, 2e-5);
            assert_near(apart(now[0].y, (double)run.params->drift * t, 256), 0, 2e-5);
            assert_near(apart(now[0].z, (double)run.params->slow_hz * t, 1), 0, 2e-7);
            assert_near(apart(now[0].w, (double)run.params->fast_hz * t, 1), 0, 2e-7);
            assert_near(apart(now[1].z, pan * cos(angle), 256), 0, 2e-5);
            assert_near(apart(now[1].w, pan * sin(angle), 256), 0, 2e-5);
            assert_near(now[1].x, cos(angle), 1e-7);
            assert_near(now[1].y, sin(angle), 1e-7);
            const float turns[2] = {now[0].z, now[0].w}, units[4] = {now[0].x, now[0].y, now[1].z, now[1].w};
            for (int i = 0; i < 2; i++)
                assert_true(turns[i] >= 0.0f && turns[i] < 1.0f);
            for (int i = 0; i < 4; i++)
                assert_true(units[i] >= 0.0f && units[i] < 256.0f);
        }
    }
    vfx_feed_destroy(&run.feed);
}

/* 256 - 1.7e-8 is 256 in float: it becomes 0. */
static void a_rounded_period_is_zero(void **state)
{
    (void)state;
    scene_run run;
    run_start(&run, "pan=-1e-6,drift=-1e-6,wind_angle=0.125");
    run_begin(&run);
    vfx_feed_next(&run.feed);
    const vec4 *now = run.frame->host;
    assert_true(now[0].x == 0.0f && now[0].y == 0.0f && now[1].z == 0.0f && now[1].w == 0.0f);
    vfx_feed_destroy(&run.feed);
}

/* What is "before" in a frame is bit for bit what was "now" in the last one, whatever changes. */
static void before_is_the_last_now(void **state)
{
    (void)state;
    scene_run run;
    run_start(&run, "start=3,pan=20");
    run_change(&run, "5:pan=-100");
    run_change(&run, "9:wind_angle=0.4");
    run_change(&run, "9:slow_hz=30");
    run_change(&run, "12:drift=-7");
    run_begin(&run);
    vec4 last[2];
    for (uint32_t k = 1; k <= 30; k++) {
        vfx_feed_next(&run.feed);
        if (k == 1) /* before frame 1: the wind of frame 1 */
            assert_memory_equal(&run.frame->host[1].x, &run.frame->host[3].x, 2 * sizeof(float));
        else
            assert_memory_equal(run.frame->host + GRASS_TIME_BEFORE, last, sizeof last);
        memcpy(last, run.frame->host, sizeof last);
    }
    vfx_feed_destroy(&run.feed);
}

/* Changed rates move everything on by rate * dt, never by more: nothing jumps. */
static void live_changes_do_not_jump(void **state)
{
    (void)state;
    scene_run run;
    run_start(&run, "start=5000,pan=2,wind_angle=0.125");
    run_change(&run, "10:pan=0.5");
    run_change(&run, "20:wind_angle=0.625");
    run_change(&run, "30:fast_hz=7");
    run_begin(&run);
    double dt = (double)run.kase.dt;
    for (uint32_t k = 1; k <= 40; k++) {
        vfx_feed_next(&run.feed);
        const vec4 *now = run.frame->host, *before = now + GRASS_TIME_BEFORE;
        double pan = k < 10 ? 2.0 : 0.5, hz = k < 30 ? (double)2.1f : 7.0, w = k < 20 ? 0.70710678 : -0.70710678;
        assert_near(remainder((double)now[0].x - (double)before[0].x, 256), pan * dt, 4e-5);
        assert_near(remainder((double)now[1].z - (double)before[1].z, 256), w * pan * dt, 4e-5);
        assert_near(remainder((double)now[1].w - (double)before[1].w, 256), w * pan * dt, 4e-5);
        assert_near(remainder((double)now[0].w - (double)before[0].w, 1), hz * dt, 2e-7);
    }
    vfx_feed_destroy(&run.feed);
}

static void constants_are_rounded_once(void **state)
{
    (void)state;
    scene_run run;
    float step8, step15;
    run_start(&run, "noise_scale=0.7,stretch=3,gust_low=-0.1,gust_high=0.3,rows=15,wind_angle=0.25");
    run_change(&run, "2:gust_high=0.9");
    run_begin(&run);
    vfx_feed_next(&run.feed);
    const vfx_frame *f = run.frame;
    assert_true(GRASS_SCALE_ALONG(*f) == (float)((double)0.7f / (double)3.0f));
    assert_true(GRASS_GUST_SLOPE(*f) == (float)(1.0 / ((double)0.3f - (double)-0.1f)));
    assert_true(GRASS_NOW_WIND_X(*f) == 0.0f && GRASS_NOW_WIND_Y(*f) == 1.0f);
    assert_true(GRASS_BEFORE_WIND_X(*f) == 0.0f && GRASS_BEFORE_WIND_Y(*f) == 1.0f);
    step15 = GRASS_ROW_STEP(*f);
    vfx_feed_next(&run.feed);
    assert_true(GRASS_GUST_SLOPE(*f) == (float)(1.0 / ((double)0.9f - (double)-0.1f)));
    vfx_feed_destroy(&run.feed);
    run_start(&run, "rows=8");
    run_begin(&run);
    vfx_feed_next(&run.feed);
    step8 = GRASS_ROW_STEP(*run.frame);
    assert_true(step8 == 2.0f * step15 && step8 == (float)(1.0 / 7.0));
    vfx_feed_destroy(&run.feed);
}

/* ----------------------------------------------------------------------------------------- validate */

static void validate_refuses(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, "gust_low=0.5,gust_high=0.5");
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "gust_low");
    make_case(&kase, "gust_low=0.5,gust_high=0.4");
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "gust_high");
    make_case(&kase, "gust_low=0,gust_high=1e-40");
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "gust_high");
    make_case(&kase, "bend_min=0.95");
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "bend_min");
    make_case(&kase, "bend_min=0.9");
    assert_vfx_ok(vfx_case_validate(&kase));
    make_case(&kase, "blades=4M,leaves=34"); /* 4M * 34 * 16 vertices of 2 quads */
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "buffer vertex has");
    make_case(&kase, "blades=4M,leaves=33");
    assert_vfx_ok(vfx_case_validate(&kase));
    for (uint32_t i = 0; i < grass_kernel.variant_count; i++) {
        make_case(&kase, "blades=4M,leaves=64,rows=64");
        kase.variant = &grass_kernel.variants[i];
        assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "lower blades, leaves or rows");
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(records_have_their_layout), cmocka_unit_test(counts_and_names),
    cmocka_unit_test(halves_are_the_nearest),    cmocka_unit_test(quarter_turns_are_exact),
    cmocka_unit_test(jitter_stays_in_its_cells), cmocka_unit_test(looks_come_from_the_hash),
    cmocka_unit_test(a_grid_is_snapped),         cmocka_unit_test(hills_are_the_noise),
    cmocka_unit_test(without_relief_it_is_flat), cmocka_unit_test(normals_stand_on_the_ground),
    cmocka_unit_test(terrain_is_bilinear),       cmocka_unit_test(eight_bits_reach_as_high),
    cmocka_unit_test(the_mask_keeps_instances),  cmocka_unit_test(the_brightest_texel_takes_the_rest),
    cmocka_unit_test(bad_files_are_named),       cmocka_unit_test(phases_are_rate_times_time),
    cmocka_unit_test(a_rounded_period_is_zero),  cmocka_unit_test(before_is_the_last_now),
    cmocka_unit_test(live_changes_do_not_jump),  cmocka_unit_test(constants_are_rounded_once),
    cmocka_unit_test(validate_refuses),
};

VFX_TEST_MAIN(tests)
