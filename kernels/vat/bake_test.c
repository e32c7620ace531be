/* bake_test.c - codes (V2), odd sizes and folders (V5), loops (V4), source sampling, errors (V12), bones and refusals
 * of the baker: on hand-made frames and on the built-in model, whose poses have closed forms. Folders that are damaged
 * in every way come last. */
#include "core/test.h"

#include "core/image.h"
#include "core/platform.h"
#include "kernels/vat/bake_internal.h"
#include "kernels/vat/gltf.h"
#include "kernels/vat/tube.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TUBE_VERTICES = 60, FORMATS = 5 };

static char folder[VFX_TEST_PATH], out[VFX_TEST_PATH];

static int setup(void **state)
{
    (void)state;
    vfx_test_folder(folder);
    vfx_test_path(out, folder, "bake");
    return 0;
}

static void remove_out(void)
{
    char command[VFX_TEST_PATH + 16];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", out);
    assert_int_equal(system(command), 0);
}

static int teardown(void **state)
{
    (void)state;
    remove_out();
    return rmdir(folder); /* fails if anything was left behind */
}

/* In [0, 1). */
static double random_unit(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) * 0x1p-24;
}

/* ------------------------------------------------------------------------------------- hand-made bakes */

/* Random positions in a box of -0.9..0.7 x 0..1 x 0.25 (flat), random unit normals, one clip, one part. */
static void make_frames(vat_bake *bake, vat_format format, uint32_t vertices, uint32_t frames)
{
    size_t count = (size_t)vertices * frames;
    uint32_t seed = vertices * 31 + frames;
    *bake = (vat_bake){.format = format,
                       .vertices = vertices,
                       .frames = frames,
                       .clip_count = 1,
                       .part_count = 1,
                       .index_count = 3,
                       .scale = 0.5};
    bake->positions = calloc(count, sizeof *bake->positions);
    bake->normals = calloc(count, sizeof *bake->normals);
    bake->clips = calloc(1, sizeof *bake->clips);
    bake->parts = calloc(1, sizeof *bake->parts);
    bake->indices = calloc(3, sizeof *bake->indices);
    bake->uv = calloc(vertices, sizeof *bake->uv);
    assert_true(bake->positions && bake->normals && bake->clips && bake->parts && bake->indices && bake->uv);
    for (size_t i = 0; i < count; i++) {
        double z = 2 * random_unit(&seed) - 1, turn = 6.283185307179586 * random_unit(&seed), r = sqrt(1 - z * z);
        const double n[3] = {r * cos(turn), r * sin(turn), z};
        const double p[3] = {1.6 * random_unit(&seed) - 0.9, random_unit(&seed), 0.25};
        for (int a = 0; a < 3; a++) {
            bake->positions[i][a] = (float)p[a];
            bake->normals[i][a] = (float)n[a];
        }
    }
    bake->clips[0] = (vat_clip){.name = "only \xc3\xa9",
                                .source = 4,
                                .frames = frames,
                                .fps = 12.5,
                                .duration = (frames - 1) / 12.5,
                                .loop = true,
                                .loop_closure = 0.125};
    bake->clips[0].temporal = (vat_error){1.0 / 3, 1.0 / 7};
    bake->parts[0] =
        (vat_part){.name = "part", .node = VAT_NONE, .skin = VAT_NONE, .vertex_count = vertices, .index_count = 3};
    bake->indices[1] = vertices - 1;
    for (uint32_t v = 0; v < vertices; v++) {
        bake->uv[v][0] = (uint16_t)(v * 77);
        bake->uv[v][1] = (uint16_t)(65535 - v);
    }
    vat_measure_boxes(bake);
    bake->loop_closure = 0.125;
    bake->temporal = bake->clips[0].temporal;
}

/* All bones near the identity, so that they leave the vertices of frame 0 in the box; no two numbers alike for long. */
static void add_bones(vat_bake *bake)
{
    bake->bones = 3;
    bake->influences = 4;
    bake->bone = calloc((size_t)bake->frames * 3, sizeof *bake->bone);
    bake->bind = calloc(bake->vertices, sizeof *bake->bind);
    bake->joints = calloc((size_t)bake->vertices * 4, sizeof *bake->joints);
    bake->weights = calloc((size_t)bake->vertices * 4, sizeof *bake->weights);
    assert_true(bake->bone && bake->bind && bake->joints && bake->weights);
    for (uint32_t i = 0; i < bake->frames * 36; i++)
        bake->bone[i / 12][i % 12] = (float)(i % 97) * 2e-7f + (i % 12 % 5 == 0 ? 1 : 0);
    for (uint32_t v = 0; v < bake->vertices; v++) {
        memcpy(bake->bind[v][0], bake->positions[v], sizeof bake->bind[v][0]);
        bake->bind[v][1][v % 3] = 1;
        bake->joints[v * 4 + 1] = 2;
        bake->weights[v * 4] = 65000;
        bake->weights[v * 4 + 1] = 535;
    }
}

static void add_skins(vat_bake *bake)
{
    uint8_t rgba[2][24];
    for (uint32_t i = 0; i < 48; i++)
        rgba[i / 24][i % 24] = (uint8_t)(i * 5 % 256); /* colours below transparent alphas too */
    assert_vfx_ok(vat_bake_add_skin(bake, "a", 3, 2, rgba[0]));
    assert_vfx_ok(vat_bake_add_skin(bake, "b", 3, 2, rgba[1]));
}

/* With texels or bones and all that a folder holds. */
static void make_bake(vat_bake *bake, vat_format format, uint32_t vertices, uint32_t frames)
{
    vat_sampler none = {0};
    make_frames(bake, format, vertices, frames);
    size_t bytes = (size_t)vertices * frames * vat_texel_bytes(format);
    if (format == VAT_BONES) {
        add_bones(bake);
        vat_encode_map(bake, format, false, bake->map_min, bake->map_step);
    } else {
        bake->texels = malloc(bytes);
        assert_non_null(bake->texels);
        assert_vfx_ok(vat_bake_encode(bake, format, bake->texels, bake->map_min, bake->map_step));
        vat_measure_encoding(&none, bake);
    }
    bake->bytes = bytes;
    add_skins(bake);
}

/* ------------------------------------------------------------------------------------------------ codes */

static double degrees_between(const double a[3], const float b[3])
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += (a[i] - b[i]) * (a[i] - b[i]);
    return 2 * asin(sqrt(square) / 2) * 57.29577951308232;
}

/* V2: positions to half a step per axis, their rms to 2 % of what uniform rounding gives; normals to their bound. */
static void test_codes(void **state)
{
    (void)state;
    static const double normal_limit[] = {0.64, 0.5, 0.003, 1e-5}, most[] = {65535, 255, 65535, 0};
    for (int format = VAT_U16OCT8; format <= VAT_F32; format++) {
        vat_bake bake;
        make_bake(&bake, (vat_format)format, 1000, 50);
        double squares[3] = {0}, worst_normal = 0;
        size_t count = 50000;
        for (size_t i = 0; i < count; i++) {
            double p[3], n[3];
            vat_bake_decode(bake.texels + i * vat_texel_bytes(bake.format), bake.format, bake.map_min, bake.map_step, p,
                            n);
            for (int a = 0; a < 3; a++) {
                double off = fabs(p[a] - (double)bake.positions[i][a]);
                assert_true(off <= (format == VAT_F32 ? 0 : 0.5001 * (double)bake.map_step[a]));
                squares[a] += off * off;
            }
            assert_true(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-12);
            worst_normal = fmax(worst_normal, degrees_between(n, bake.normals[i]));
        }
        assert_true(worst_normal <= normal_limit[format]);
        for (int a = 0; format != VAT_F32 && a < 2; a++) {
            double step = (double)bake.map_step[a], range = format == VAT_RGBA8 ? 2 : bake.box_max[a] - bake.box_min[a];
            assert_true(fabs(step / (range / most[format]) - 1) < 1e-6);
            assert_true(fabs(sqrt(squares[a] / (double)count) / (step / sqrt(12.0)) - 1) < 0.02);
        }
        assert_true(fabs(bake.normal.worst - worst_normal) < 1e-9);
        vat_bake_free(&bake);
    }
}

/* Normals that lie on edges and corners of the octahedron, and near its fold. */
static void test_special_normals(void **state)
{
    (void)state;
    const float map_min[3] = {0, 0, 0}, map_step[3] = {1, 1, 1};
    for (int i = 0; i < 5 * 5 * 5 * 5; i++) {
        static const float near[] = {0, 1, -1, 1e-7f, -0.003f};
        float n[3] = {near[i % 5], near[i / 5 % 5], near[i / 25 % 5] + near[i / 125]}, p[3] = {0, 0, 0};
        float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(length > 0))
            continue;
        for (int a = 0; a < 3; a++)
            n[a] /= length;
        vat_bake bake = {.vertices = 1, .frames = 1, .positions = &p, .normals = &n};
        for (int format = VAT_U16OCT8; format <= VAT_F32; format++) {
            static const double limit[] = {0.64, 0.5, 0.003, 1e-5};
            uint8_t texel[32];
            double q[3], m[3];
            vat_encode_texels(&bake, (vat_format)format, map_min, map_step, texel);
            vat_bake_decode(texel, (vat_format)format, map_min, map_step, q, m);
            assert_true(degrees_between(m, n) <= limit[format]);
        }
    }
}

/* The bytes themselves: order, unused ones, the source's map. */
static void test_texel_bytes(void **state)
{
    (void)state;
    float p[3] = {-1, 1, 0.001f}, n[3] = {0, 0, 1};
    vat_bake bake = {
        .vertices = 1, .frames = 1, .positions = &p, .normals = &n, .box_min = {-1, -1, -1}, .box_max = {1, 1, 1}};
    float least[3], step[3];
    uint8_t texel[32];
    uint16_t words[8];
    assert_vfx_ok(vat_bake_encode(&bake, VAT_RGBA8, texel, least, step));
    assert_memory_equal(texel, ((const uint8_t[]){0, 255, 128, 0, 128, 128, 255, 0}), 8);
    assert_true(least[0] == -1 && fabsf(step[0] - 2.0f / 255) < 1e-9f);
    n[2] = 0;
    n[0] = -1;
    assert_vfx_ok(vat_bake_encode(&bake, VAT_U16OCT8, texel, least, step));
    memcpy(words, texel, 8);
    assert_true(words[0] == 0 && words[1] == 65535 && words[3] == 0x0081); /* x = -127 in the low byte */
    assert_vfx_ok(vat_bake_encode(&bake, VAT_RGBA16, texel, least, step));
    memcpy(words, texel, 16);
    assert_true(words[3] == 0 && words[4] == 0x8001 && words[5] == 0 && words[6] == 0 && words[7] == 0);
    bake.box_max[1] = 1.5; /* no longer within [-1, 1]: over the box */
    assert_vfx_ok(vat_bake_encode(&bake, VAT_RGBA8, texel, least, step));
    assert_true(fabsf(step[1] - 2.5f / 255) < 1e-8f && texel[1] == 204);
    assert_vfx_fails(vat_bake_encode(&bake, VAT_BONES, texel, least, step), VFX_USAGE, "bones");
    bake.positions = NULL;
    assert_vfx_fails(vat_bake_encode(&bake, VAT_F32, texel, least, step), VFX_USAGE, "not there");
}

/* An axis without range, and a model that is one point: code 0, no division by zero, exact. */
static void test_flat_axes(void **state)
{
    (void)state;
    float p[2][3] = {{5, -3, 2}, {5, -3, 2.5f}}, n[2][3] = {{0, 1, 0}, {0, 1, 0}};
    for (uint32_t vertices = 1; vertices <= 2; vertices++) {
        vat_clip clip = {.frames = 1};
        vat_bake bake = {
            .vertices = vertices, .frames = 1, .clip_count = 1, .clips = &clip, .positions = p, .normals = n};
        vat_measure_boxes(&bake);
        assert_true(bake.extent == (vertices == 1 ? 0 : 0.5));
        for (int format = VAT_U16OCT8; format <= VAT_RGBA16; format++) {
            float least[3], step[3];
            uint8_t texels[2 * 32];
            double q[3], m[3];
            assert_vfx_ok(vat_bake_encode(&bake, (vat_format)format, texels, least, step));
            assert_true(step[0] == 0 && step[1] == 0 && (vertices == 1) == (step[2] == 0));
            vat_bake_decode(texels, (vat_format)format, least, step, q, m);
            assert_true(q[0] == 5 && q[1] == -3 && q[2] == 2);
        }
    }
    assert_true(vat_sum_error(&(vat_sum){1, 1, 1}, 0).worst == 0);
}

/* --------------------------------------------------------------------------------------- there and back */

#define assert_same(a, b, count)                                      \
    do {                                                              \
        assert_true((a) != NULL && (b) != NULL);                      \
        assert_memory_equal((a), (b), (size_t)(count) * sizeof *(a)); \
    } while (0)

static void assert_equal_bakes(const vat_bake *a, const vat_bake *b)
{
    assert_true(a->format == b->format && a->sampling == b->sampling && a->vertices == b->vertices);
    assert_true(a->frames == b->frames && a->clip_count == b->clip_count && a->part_count == b->part_count);
    assert_true(a->index_count == b->index_count && a->extent == b->extent && a->scale == b->scale);
    assert_same(a->box_min, b->box_min, 3);
    assert_same(a->box_max, b->box_max, 3);
    assert_same(a->map_min, b->map_min, 3);
    assert_same(a->map_step, b->map_step, 3);
    for (uint32_t i = 0; i < a->clip_count; i++) {
        const vat_clip *x = &a->clips[i], *y = &b->clips[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->source == y->source && x->first == y->first && x->frames == y->frames && x->fps == y->fps);
        assert_true(x->duration == y->duration && x->loop == y->loop && x->loop_closure == y->loop_closure);
        assert_true(x->temporal.worst == y->temporal.worst && x->temporal.rms == y->temporal.rms);
        assert_same(x->box_min, y->box_min, 3);
        assert_same(x->box_max, y->box_max, 3);
    }
    for (uint32_t i = 0; i < a->part_count; i++) {
        const vat_part *x = &a->parts[i], *y = &b->parts[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->first_vertex == y->first_vertex && x->vertex_count == y->vertex_count);
        assert_true(x->first_index == y->first_index && x->index_count == y->index_count);
    }
    assert_same(a->indices, b->indices, a->index_count);
    assert_same(a->uv, b->uv, a->vertices);
    assert_true(a->skin_width == b->skin_width && a->skin_height == b->skin_height && a->skin_layers == b->skin_layers);
    assert_same(a->skin, b->skin, a->skin_width * a->skin_height * 4 * a->skin_layers);
    assert_true(a->quantisation.worst == b->quantisation.worst && a->normal.rms == b->normal.rms);
    assert_true(a->temporal.rms == b->temporal.rms && a->loop_closure == b->loop_closure && a->bytes == b->bytes);
    if (a->format != VAT_BONES) {
        assert_same(a->texels, b->texels, (size_t)a->frames * a->vertices * vat_texel_bytes(a->format));
        return;
    }
    assert_true(a->bones == b->bones && a->influences == b->influences && b->texels == NULL);
    assert_same(a->bone, b->bone, a->bones * a->frames);
    assert_same(a->bind, b->bind, a->vertices);
    assert_same(a->joints, b->joints, a->vertices * a->influences);
    assert_same(a->weights, b->weights, a->vertices * a->influences);
}

/* V5: every format; one vertex, one frame, one above a power of two, more vertices or frames than an image is high. */
static void test_folder_round_trip(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1},    {3, 1},     {1, 3},     {257, 5},
                                        {4097, 2}, {16385, 1}, {16385, 2}, {1, 16385}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int format = 0; format < FORMATS; format++) {
            vat_bake bake, back;
            make_bake(&bake, (vat_format)format, sizes[s][0], sizes[s][1]);
            assert_vfx_ok(vat_bake_write(&bake, out, "a/b.glb")); /* replaces the one before */
            assert_vfx_ok(vat_bake_read(out, &back));
            assert_equal_bakes(&bake, &back);
            assert_true((back.positions != NULL) == (format == VAT_F32));
            if (format == VAT_F32) {
                assert_same(bake.positions, back.positions, bake.frames * bake.vertices);
                assert_same(bake.normals, back.normals, bake.frames * bake.vertices);
            }
            vat_bake_free(&back);
            vat_bake_free(&bake);
        }
    }
}

static void read_png(const char *name, vfx_rgba *image)
{
    char path[VFX_TEST_PATH];
    (void)snprintf(path, sizeof path, "%.400s/%s", out, name);
    assert_vfx_ok(vfx_rgba_read(path, image));
}

/* V11: the source's images have a column for each frame and a row for each vertex; the others have rows of 4096. */
static void test_image_layouts(void **state)
{
    (void)state;
    vat_bake bake;
    vfx_rgba image;
    make_bake(&bake, VAT_RGBA8, 100, 7);
    assert_vfx_ok(vat_bake_write(&bake, out, "x"));
    static const char *const names[] = {"position.png", "normal.png"};
    for (int plane = 0; plane < 2; plane++) {
        read_png(names[plane], &image);
        assert_true(image.width == 7 && image.height == 100 && image.bits == 8);
        for (size_t frame = 0; frame < 7; frame++)
            for (size_t v = 0; v < 100; v++)
                for (size_t c = 0; c < 4; c++)
                    assert_int_equal(image.samples[(v * 7 + frame) * 4 + c],
                                     c == 3 ? 255 : bake.texels[(frame * 100 + v) * 8 + (size_t)plane * 4 + c]);
        vfx_rgba_free(&image);
    }
    vat_bake_free(&bake);
    make_bake(&bake, VAT_U16OCT8, 3000, 3);
    assert_vfx_ok(vat_bake_write(&bake, out, "x"));
    read_png("texels.png", &image);
    assert_true(image.width == 4096 && image.height == 3 && image.bits == 16);
    assert_memory_equal(image.samples, bake.texels, 9000 * 8);
    for (size_t i = 36000; i < 4096 * 3 * 4; i++)
        assert_int_equal(image.samples[i], 0);
    vfx_rgba_free(&image);
    vat_bake_free(&bake);
    static const struct {
        vat_format format;
        uint32_t vertices, frames, width, height;
    } rows[] = {{VAT_RGBA8, 16384, 16384, 16384, 16384}, {VAT_RGBA8, 16385, 2, 4096, 9},
                {VAT_U16OCT8, 4095, 1, 4095, 1},         {VAT_U16OCT8, 4096, 16384, 4096, 16384},
                {VAT_U16OCT8, 4097, 16384, 16384, 4097}, {VAT_RGBA16, 16384, 16384, 16384, 16384}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vat_bake one = {.format = rows[i].format, .vertices = rows[i].vertices, .frames = rows[i].frames};
        vat_layout layout;
        assert_vfx_ok(vat_layout_of(&one, &layout));
        assert_true(layout.width == rows[i].width && layout.height == rows[i].height);
    }
    vat_layout layout;
    const vat_bake large = {.format = VAT_RGBA16, .vertices = 16385, .frames = 16384};
    assert_vfx_fails(vat_layout_of(&large, &layout), VFX_USAGE, "16384 frames of 16385 vertices");
}

/* -------------------------------------------------------------------------------------- the built-in model */

static void bake_tube(const vat_bake_options *options, vat_bake *bake)
{
    vat_model model;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    assert_vfx_ok(vat_bake_create(&model, options, bake));
    vat_model_free(&model);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* How many frames, at which rate. */
static void test_clip_plans(void **state)
{
    (void)state;
    static const struct {
        double duration, fps;
        vat_sampling sampling;
        uint32_t frames;
        double stored;
    } rows[] = {
        {1, 30, VAT_CLOSED, 31, 30},        {0.71, 8, VAT_CLOSED, 7, 6 / 0.71}, {0.68, 8, VAT_CLOSED, 6, 5 / 0.68},
        {0.01, 8, VAT_CLOSED, 2, 1 / 0.01}, {0, 8, VAT_CLOSED, 1, 8},           {1, 30, VAT_SOURCE, 30, 30},
        {0.71, 8, VAT_SOURCE, 6, 8},        {0.76, 8, VAT_SOURCE_LATE, 7, 8},   {0, 8, VAT_SOURCE, 1, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vat_clip clip = {.duration = rows[i].duration};
        assert_true(vat_clip_plan(&clip, rows[i].sampling, rows[i].fps));
        assert_int_equal(clip.frames, rows[i].frames);
        assert_true(fabs(clip.fps - rows[i].stored) < 1e-12);
    }
    vat_clip clip = {.duration = 0.71};
    assert_true(vat_clip_plan(&clip, VAT_CLOSED, 8));
    assert_true(fabs(vat_clip_time(&clip, VAT_CLOSED, 6) - 0.71) < 1e-15);
    assert_true(vat_clip_plan(&clip, VAT_SOURCE_LATE, 8));
    assert_true(vat_clip_time(&clip, VAT_SOURCE, 5) == 0.625 && vat_clip_time(&clip, VAT_SOURCE_LATE, 1) == 0.25);
    assert_true(vat_clip_time(&clip, VAT_SOURCE_LATE, 5) == 0.71);
    clip.duration = 65535;
    assert_false(vat_clip_plan(&clip, VAT_CLOSED, 1));
    clip.duration = 1e300;
    assert_false(vat_clip_plan(&clip, VAT_SOURCE, 1e300));
}

/* Every frame is the pose of its time, in all samplings; V4: the closing frame of a loop is its first, bit by bit. */
static void test_frames(void **state)
{
    (void)state;
    vat_model model;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    for (int sampling = VAT_CLOSED; sampling <= VAT_SOURCE_LATE; sampling++) {
        const vat_bake_options options = {.sampling = (vat_sampling)sampling, .fps = 11, .unmeasured = true};
        vat_bake bake;
        bake_tube(&options, &bake);
        uint32_t next = 0, loops = 0;
        for (uint32_t i = 0; i < bake.clip_count; i++) {
            const vat_clip *clip = &bake.clips[i];
            bool closed = sampling == VAT_CLOSED && clip->loop && clip->frames > 1;
            loops += clip->loop ? 1 : 0;
            assert_int_equal(clip->first, next);
            next += clip->frames;
            for (uint32_t k = 0; k < clip->frames - (closed ? 1 : 0); k++) {
                double t = sampling == VAT_CLOSED ? k / clip->fps
                                                  : fmin((k + (sampling == VAT_SOURCE_LATE)) / 11.0, clip->duration);
                for (uint32_t v = 0; v < bake.vertices; v++) {
                    double p[3], n[3];
                    const float *q = bake.positions[(size_t)(clip->first + k) * bake.vertices + v];
                    vat_tube_point(&model, (int32_t)i, t, v, p, n);
                    assert_true(distance(p, (const double[]){q[0], q[1], q[2]}) < 1e-6 * bake.extent);
                    assert_true(degrees_between(n, bake.normals[(size_t)(clip->first + k) * bake.vertices + v]) < 1e-3);
                }
            }
            size_t row = bake.vertices * sizeof *bake.positions, last = clip->first + clip->frames - 1;
            if (closed) {
                assert_memory_equal(bake.positions + last * bake.vertices, bake.positions + clip->first * bake.vertices,
                                    row);
                assert_memory_equal(bake.normals + last * bake.vertices, bake.normals + clip->first * bake.vertices,
                                    row);
                assert_memory_equal(bake.texels + last * bake.vertices * 8,
                                    bake.texels + clip->first * bake.vertices * 8, bake.vertices * (size_t)8);
                assert_memory_equal(bake.bone + last * bake.bones, bake.bone + clip->first * bake.bones,
                                    bake.bones * sizeof *bake.bone);
            }
        }
        assert_int_equal(next, bake.frames);
        assert_true(loops > 0 && loops < bake.clip_count);
        vat_bake_free(&bake);
    }
    vat_model_free(&model);
}

static void test_loop_choice(void **state)
{
    (void)state;
    vat_model model;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    const char *name = model.clips[1].name;
    for (int loop = VAT_LOOP_AUTO; loop <= VAT_LOOP_NAMED; loop++) {
        const vat_bake_options options = {.loop = (vat_loop)loop, .loop_names = &name, .loop_name_count = 1, .fps = 5};
        vat_bake bake;
        assert_vfx_ok(vat_bake_create(&model, &options, &bake));
        for (uint32_t i = 0; i < bake.clip_count; i++) {
            const vat_clip *clip = &bake.clips[i];
            double gap = 0, first[3], last[3], n[3];
            for (uint32_t v = 0; v < model.vertex_count; v++) {
                vat_tube_point(&model, (int32_t)i, 0, v, first, n);
                vat_tube_point(&model, (int32_t)i, clip->duration, v, last, n);
                gap = fmax(gap, distance(first, last));
            }
            assert_true(fabs(clip->loop_closure - gap / bake.extent) < 1e-9);
            const bool wanted[] = {gap <= 0.01 * bake.extent, true, false, i == 1};
            assert_int_equal(clip->loop, wanted[loop]);
            const float(*frames)[3] = (const float(*)[3])bake.positions + (size_t)clip->first * bake.vertices;
            const float *end = frames[(size_t)(clip->frames - 1) * bake.vertices];
            if (wanted[loop]) /* also where the clip does not end where it starts */
                assert_memory_equal(end, frames[0], bake.vertices * sizeof *frames);
            vat_tube_point(&model, (int32_t)i, wanted[loop] ? 0 : clip->duration, 0, last, n);
            assert_true(distance(last, (const double[]){end[0], end[1], end[2]}) < 1e-6 * bake.extent);
        }
        vat_bake_free(&bake);
    }
    vat_model_free(&model);
}

/* A second reckoning of a clip's temporal error, by the closed forms and the rule of bake_measure.c in other words. */
static vat_error temporal_of(const vat_model *model, const vat_bake *bake, uint32_t c, vat_sampling sampling)
{
    const vat_clip *clip = &bake->clips[c];
    uint32_t n = clip->frames;
    double worst = 0, squares = 0, count = 0;
    for (uint32_t k = 0;; k++) {
        double t = fmin(k / 60.0, clip->duration), f = t * clip->fps;
        uint32_t i = (uint32_t)f, a = i, b = i + 1;
        if (sampling == VAT_CLOSED || !clip->loop) {
            a = a < n ? a : n - 1;
            b = b < n ? b : n - 1;
        } else {
            a %= n;
            b %= n;
        }
        for (uint32_t v = 0; v < bake->vertices; v++) {
            double p[3], q[3], m[3];
            const float *x = bake->positions[(size_t)(clip->first + a) * bake->vertices + v];
            const float *y = bake->positions[(size_t)(clip->first + b) * bake->vertices + v];
            vat_tube_point(model, (int32_t)c, t, v, p, m);
            for (int d = 0; d < 3; d++)
                q[d] = (double)x[d] + ((double)y[d] - (double)x[d]) * (f - i);
            worst = fmax(worst, distance(p, q));
            squares += distance(p, q) * distance(p, q);
            count++;
        }
        if (t >= clip->duration)
            return (vat_error){worst / bake->extent, sqrt(squares / count) / bake->extent};
    }
}

/* V12 */
static void test_temporal_error(void **state)
{
    (void)state;
    vat_model model;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    for (int sampling = VAT_CLOSED; sampling <= VAT_SOURCE_LATE; sampling++) {
        static const double rates[] = {8, 15, 30, 60};
        double before = 1e30;
        for (int r = 0; r < 4; r++) {
            const vat_bake_options options = {.sampling = (vat_sampling)sampling, .fps = rates[r]};
            vat_bake bake;
            assert_vfx_ok(vat_bake_create(&model, &options, &bake));
            double worst = 0;
            for (uint32_t i = 0; i < bake.clip_count; i++) {
                vat_error again = temporal_of(&model, &bake, i, bake.sampling);
                assert_true(fabs(again.worst - bake.clips[i].temporal.worst) < 1e-6);
                assert_true(fabs(again.rms - bake.clips[i].temporal.rms) < 1e-6);
                worst = fmax(worst, again.worst);
            }
            assert_true(fabs(worst - bake.temporal.worst) < 1e-6 && bake.temporal.rms < bake.temporal.worst);
            if (sampling == VAT_CLOSED) {
                assert_true(bake.clips[0].loop && bake.clips[0].temporal.worst < before);
                before = bake.clips[0].temporal.worst;
            }
            vat_bake_free(&bake);
        }
    }
    vat_model_free(&model);
}

/* Rates rise until an independent check is content, and no further; clips that are good enough keep theirs. */
static void test_max_error(void **state)
{
    (void)state;
    vat_model model;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    const char *names[] = {model.clips[0].name, model.clips[4].name}; /* the loop and the still one */
    vat_bake_options options = {.fps = 8, .max_error = 0.5, .clip_names = names, .clip_name_count = 2};
    vat_bake bake, plain;
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_true(temporal_of(&model, &bake, 0, VAT_CLOSED).worst <= 0.005);
    assert_int_equal(bake.clips[1].frames, 1);
    options.max_error = 0;
    while (options.fps * 3 < bake.clips[0].fps)
        options.fps *= 2; /* the rate before the one found */
    assert_vfx_ok(vat_bake_create(&model, &options, &plain));
    assert_true(plain.clips[0].temporal.worst > 0.005 && plain.frames < bake.frames);
    options.max_error = 0.5;
    options.fps = 8;
    options.max_frames = bake.frames;
    vat_bake_free(&plain);
    vat_bake_free(&bake);
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    options.max_frames = bake.frames - 1;
    vat_bake_free(&bake);
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_USAGE, "--max-error 0.5 % is not reached");
    assert_non_null(strstr(vfx_message(), names[0]));
    assert_null(bake.clips);
    options.max_error = 0;
    options.max_frames = 3;
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_USAGE, "--max-frames is 3");
    options.max_frames = 0;
    options.fps = 50000;
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_UNSUPPORTED, "frames");
    vat_model_free(&model);
}

/* The figures of a quantised bake are those of its texels; `unmeasured` leaves them out and changes nothing else. */
static void test_encoding_error(void **state)
{
    (void)state;
    for (int format = VAT_U16OCT8; format <= VAT_F32; format++) {
        vat_bake_options options = {.format = (vat_format)format, .fps = 10, .scale = 0.5};
        vat_bake bake, quick;
        bake_tube(&options, &bake);
        double worst = 0, squares = 0, turned = 0;
        size_t count = (size_t)bake.frames * bake.vertices;
        for (size_t i = 0; i < count; i++) {
            double p[3], n[3];
            const float *q = bake.positions[i];
            vat_bake_decode(bake.texels + i * vat_texel_bytes(bake.format), bake.format, bake.map_min, bake.map_step, p,
                            n);
            double off = distance(p, (const double[]){q[0], q[1], q[2]});
            worst = fmax(worst, off);
            squares += off * off;
            turned = fmax(turned, degrees_between(n, bake.normals[i]));
        }
        assert_true(fabs(bake.quantisation.worst - worst / bake.extent) < 1e-12);
        assert_true(fabs(bake.quantisation.rms - sqrt(squares / (double)count) / bake.extent) < 1e-12);
        assert_true(fabs(bake.normal.worst - turned) < 1e-9);
        options.unmeasured = true;
        bake_tube(&options, &quick);
        assert_memory_equal(bake.texels, quick.texels, bake.bytes);
        assert_true(quick.quantisation.worst == 0 && quick.temporal.worst == 0 && quick.normal.worst == 0);
        vat_bake_free(&quick);
        vat_bake_free(&bake);
    }
}

/* Two skinned parts or one, rigid children: the bones give every vertex its pose; so does a scaled model. */
static void test_bones(void **state)
{
    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        vat_bake_options options = {.format = VAT_BONES, .fps = 10, .scale = scaled ? 0.25 : 0};
        vat_bake bake, back;
        bake_tube(&options, &bake);
        assert_true(bake.texels == NULL && bake.bones > 3 && (bake.influences == 4 || bake.influences == 8));
        assert_true(bake.quantisation.worst < 5e-5 && bake.normal.worst < 0.02); /* weights of 16 bits */
        assert_true(fabs(bake.extent / 2 - (scaled ? 0.25 : 1)) < (scaled ? 0.25 : 1));
        double worst = 0;
        for (uint32_t frame = 0; frame < bake.frames; frame++) {
            for (uint32_t v = 0; v < bake.vertices; v++) {
                double p[3], n[3];
                const float *q = bake.positions[(size_t)frame * bake.vertices + v];
                vat_bones_decode(&bake, frame, v, p, n);
                worst = fmax(worst, distance(p, (const double[]){q[0], q[1], q[2]}));
                assert_true(degrees_between(n, bake.normals[(size_t)frame * bake.vertices + v]) < 0.02);
            }
        }
        assert_true(fabs(worst / bake.extent - bake.quantisation.worst) < 1e-12);
        for (uint32_t v = 0; v < bake.vertices; v++) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < bake.influences; k++)
                sum += bake.weights[v * bake.influences + k];
            assert_int_equal(sum, 65535);
        }
        assert_vfx_ok(vat_bake_write(&bake, out, "tube"));
        assert_vfx_ok(vat_bake_read(out, &back));
        assert_equal_bakes(&bake, &back);
        vat_bake_free(&back);
        vat_bake_free(&bake);
    }
    vat_model model;
    vat_bake bake;
    const vat_bake_options options = {.format = VAT_BONES}, texels = {.fps = 5, .unmeasured = true};
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    model.targets = calloc(1, sizeof *model.targets);
    model.target_count = 1;
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_USAGE, "morph targets");
    assert_vfx_ok(vat_bake_create(&model, &texels, &bake));
    assert_true(bake.bone == NULL && bake.bones == 0 && bake.texels != NULL);
    vat_bake_free(&bake);
    vat_model_free(&model);
}

/* V7: the vertices of a second skin follow its joints, not those of the first. */
static void test_second_skin(void **state)
{
    (void)state;
    vat_model model;
    vat_bake bake;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    uint32_t count = model.joint_count;
    assert_int_equal(model.skin_count, 1);
    model.skins = realloc(model.skins, 2 * sizeof *model.skins);
    model.joints = realloc(model.joints, 2 * count * sizeof *model.joints);
    model.inverse_bind = realloc(model.inverse_bind, 2 * count * sizeof *model.inverse_bind);
    assert_true(model.skins && model.joints && model.inverse_bind);
    model.skins[1] = (vat_skin){count, count};
    for (uint32_t i = 0; i < count; i++) {
        model.joints[count + i] = model.joints[i];
        memcpy(model.inverse_bind[count + i], model.inverse_bind[i], sizeof *model.inverse_bind);
        model.inverse_bind[i][12] += 5; /* where the first skin would put them */
    }
    model.skin_count = 2;
    model.joint_count = 2 * count;
    for (uint32_t p = 0; p < model.part_count; p++)
        if (model.parts[p].skin == 0)
            model.parts[p].skin = 1;
    const vat_bake_options options = {.format = VAT_BONES, .fps = 10};
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_true(bake.bones > 2 * count && bake.quantisation.worst < 5e-5);
    vat_bake_free(&bake);
    vat_model_free(&model);
}

/* Clips by name in the model's order; a model without clips has one frame (V5: F = 1). */
static void test_clip_choice(void **state)
{
    (void)state;
    vat_model model;
    vat_bake bake;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    const char *names[] = {model.clips[2].name, model.clips[0].name};
    vat_bake_options options = {.fps = 5, .clip_names = names, .clip_name_count = 2, .unmeasured = true};
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_int_equal(bake.clip_count, 2);
    assert_true(bake.clips[0].source == 0 && bake.clips[1].source == 2);
    assert_string_equal(bake.clips[1].name, names[0]);
    vat_bake_free(&bake);
    char wrong[VAT_NAME_BYTES + 1];
    (void)snprintf(wrong, sizeof wrong, "%sx", names[1]);
    names[0] = wrong;
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_USAGE, "did you mean");
    assert_non_null(strstr(vfx_message(), wrong));
    options.clip_name_count = 0;
    options.loop = VAT_LOOP_NAMED;
    options.loop_names = names;
    options.loop_name_count = 1;
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_USAGE, "--loop");
    uint32_t clips = model.clip_count;
    model.clip_count = 0;
    options.loop = VAT_LOOP_AUTO;
    options.unmeasured = false;
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_true(bake.frames == 1 && bake.clip_count == 1 && bake.clips[0].source == VAT_NONE && bake.clips[0].loop);
    assert_true(bake.temporal.worst < 1e-6 && bake.clips[0].duration == 0 && bake.clips[0].fps == 5);
    assert_true(bake.skin_layers == 1 && bake.skin_width == 1 && bake.skin[0] == 255 && bake.skin[3] == 255);
    vat_bake_free(&bake);
    model.clip_count = clips;
    vat_model_free(&model);
}

/* rgba8: the fixed map, what it refuses, and that the scale it asks for works. */
static void test_rgba8_range(void **state)
{
    (void)state;
    vat_model model;
    vat_bake bake;
    vat_bake_options options = {.format = VAT_RGBA8, .fps = 5, .scale = 3.7, .unmeasured = true};
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    assert_vfx_fails(vat_bake_create(&model, &options, &bake), VFX_USAGE, "or --fit");
    const char *advice = strstr(vfx_message(), "--scale ");
    assert_non_null(advice);
    options.scale = strtod(advice + 8, NULL);
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_true(bake.map_min[0] == -1 && bake.map_min[2] == -1 && bake.scale == options.scale);
    double reach = 0;
    for (int a = 0; a < 3; a++)
        reach = fmax(reach, fmax(-bake.box_min[a], bake.box_max[a]));
    assert_true(reach <= 1 && reach > 0.98); /* no smaller than it must be */
    vat_bake_free(&bake);
    options.scale = 3.7;
    options.fit = true;
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_true(bake.map_min[0] == (float)bake.box_min[0] && bake.box_max[1] - bake.box_min[1] > 1);
    vat_bake_free(&bake);
    options.scale = 1;
    options.fit = false;
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_true(bake.map_min[0] == -1);
    vat_bake_free(&bake);
    vat_model_free(&model);
}

static void test_refused_options(void **state)
{
    (void)state;
    vat_model model;
    vat_bake bake;
    assert_vfx_ok(vat_tube_create(TUBE_VERTICES, &model));
    const vat_bake_options bad[] = {{.fps = -1},       {.fps = NAN},   {.fps = INFINITY},
                                    {.max_error = -1}, {.scale = NAN}, {.scale = -2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_vfx_fails(vat_bake_create(&model, &bad[i], &bake), VFX_USAGE, "wanted");
        assert_null(bake.parts);
    }
    const vat_bake_options huge = {.fps = 5, .scale = 1e300};
    assert_vfx_fails(vat_bake_create(&model, &huge, &bake), VFX_UNSUPPORTED, "float");
    model.clips[0].duration = 1e6;
    const vat_bake_options slow = {.fps = 1e-3};
    assert_vfx_fails(vat_bake_create(&model, &slow, &bake), VFX_UNSUPPORTED, model.clips[0].name);
    vat_model_free(&model);
}

static void test_skins(void **state)
{
    (void)state;
    static const uint8_t rgba[64] = {9};
    vat_bake bake;
    const vat_bake_options options = {.fps = 5, .unmeasured = true};
    bake_tube(&options, &bake);
    assert_vfx_ok(vat_bake_add_skin(&bake, "one", 2, 2, rgba)); /* takes the white one's place */
    assert_true(bake.skin_layers == 1 && bake.skin_width == 2 && bake.skin[0] == 9);
    assert_vfx_ok(vat_bake_add_skin(&bake, "two", 2, 2, rgba));
    assert_true(bake.skin_layers == 2 && bake.skin[16] == 9);
    assert_vfx_fails(vat_bake_add_skin(&bake, "three.png", 2, 1, rgba), VFX_USAGE,
                     "three.png is 2 x 1, the first one is 2 x 2");
    assert_vfx_fails(vat_bake_add_skin(&bake, "wide.png", 4, 2, rgba), VFX_USAGE, "wide.png is 4 x 2");
    assert_vfx_fails(vat_bake_add_skin(&bake, "four.png", 0, 2, rgba), VFX_USAGE, "four.png");
    assert_int_equal(bake.skin_layers, 2);
    vat_bake_free(&bake);
}

/* ------------------------------------------------------------------------------------------ real models */

/* The figures measured for the Fox of the glTF sample models. */
static void test_fox(void **state)
{
    (void)state;
    const char *path = VFX_SOURCE_DIR "/../shared/data/gltf/Fox.glb";
    vat_model model;
    vfx_names names;
    assert_vfx_ok(vfx_list_folder(VFX_SOURCE_DIR "/../shared/data/gltf", &names));
    bool there = names.exists;
    vfx_names_free(&names);
    if (!there)
        skip();
    assert_vfx_ok(vat_gltf_read(path, &model));
    const char *walk = "Walk";
    static const double rates[] = {8, 15, 30, 60};
    double before = 0.09;
    vat_bake bake;
    for (int r = 0; r < 4; r++) {
        const vat_bake_options options = {.fps = rates[r], .clip_names = &walk, .clip_name_count = 1};
        assert_vfx_ok(vat_bake_create(&model, &options, &bake));
        double worst = bake.temporal.worst;
        assert_true(worst < before && (r > 0 || worst > 0.05) && bake.quantisation.worst <= 2e-5);
        before = worst;
        vat_bake_free(&bake);
    }
    const vat_bake_options source = {.fps = 8, .sampling = VAT_SOURCE, .clip_names = &walk, .clip_name_count = 1};
    assert_vfx_ok(vat_bake_create(&model, &source, &bake));
    assert_true(bake.frames == 6 && fabs(bake.loop_closure - 0.12) < 0.005); /* the pop */
    vat_bake_free(&bake);
    const vat_bake_options rgba8 = {.format = VAT_RGBA8, .scale = 0.01};
    assert_vfx_ok(vat_bake_create(&model, &rgba8, &bake));
    assert_true(bake.quantisation.worst >= 0.003 && bake.quantisation.worst <= 0.0045);
    vat_bake_free(&bake);
    vat_model_free(&model);
}

/* -------------------------------------------------------------------------------------------- folders */

static void out_path(char path[VFX_TEST_PATH], const char *name)
{
    (void)snprintf(path, VFX_TEST_PATH, "%.400s/%.60s", out, name);
}

static size_t entries_of(const char *path)
{
    vfx_names names;
    assert_vfx_ok(vfx_list_folder(path, &names));
    size_t count = names.count;
    vfx_names_free(&names);
    return count;
}

/* An earlier bake is replaced whole; a folder with anything else is not touched; nothing is left beside it. */
static void test_replacing(void **state)
{
    (void)state;
    vat_bake bones, texels, back;
    char path[VFX_TEST_PATH];
    make_bake(&bones, VAT_BONES, 5, 2);
    make_bake(&texels, VAT_U16OCT8, 5, 2);
    remove_out();
    assert_vfx_ok(vat_bake_check_folder(out));
    assert_int_equal(entries_of(folder), 0);
    assert_vfx_ok(vfx_make_folder(out)); /* an empty folder will do */
    assert_vfx_ok(vat_bake_write(&bones, out, "x"));
    assert_int_equal(entries_of(out), 9);
    assert_vfx_ok(vat_bake_check_folder(out));
    assert_vfx_ok(vat_bake_write(&texels, out, "x"));
    assert_int_equal(entries_of(out), 6);
    assert_int_equal(entries_of(folder), 1);
    out_path(path, "letter.txt");
    assert_vfx_ok(vfx_write_file(path, "dear", 4));
    assert_vfx_fails(vat_bake_check_folder(out), VFX_USAGE, "letter.txt");
    assert_vfx_fails(vat_bake_write(&bones, out, "x"), VFX_USAGE, "letter.txt");
    assert_vfx_ok(vat_bake_read(out, &back));
    assert_equal_bakes(&texels, &back);
    vat_bake_free(&back);
    vfx_test_remove(path);
    out_path(path, "manifest.json");
    assert_vfx_ok(vfx_write_file(path, "{\"version\": 1, \"files\": []}", 27)); /* somebody else's manifest */
    assert_vfx_fails(vat_bake_write(&bones, out, "x"), VFX_USAGE, out);
    assert_int_equal(entries_of(out), 6);
    char other[VFX_TEST_PATH], manifest[VFX_TEST_PATH];
    vfx_test_path(other, folder, "other"); /* nothing but that in it */
    vfx_test_path(manifest, other, "manifest.json");
    assert_vfx_ok(vfx_make_folder(other));
    assert_vfx_ok(vfx_write_file(manifest, "{\"version\": 1, \"files\": []}", 27));
    assert_vfx_fails(vat_bake_write(&bones, other, "x"), VFX_USAGE, "manifest.json");
    vfx_test_remove(manifest);
    vfx_test_remove(other);
    out_path(path, "uv.bin");
    assert_vfx_fails(vat_bake_write(&bones, path, "x"), VFX_IO, path); /* a file */
    assert_vfx_fails(vat_bake_check_folder("/nonexistent/folder"), VFX_IO, "/nonexistent/folder");
    assert_vfx_fails(vat_bake_write(&bones, "/proc/bake", "x"), VFX_IO, "/proc/bake");
    assert_int_equal(entries_of(folder), 1);
    remove_out();
    const vat_bake large = {.format = VAT_U16OCT8, .vertices = 1 << 20, .frames = 4096}; /* fails half-way */
    assert_vfx_fails(vat_bake_write(&large, out, "x"), VFX_USAGE, "too many for an image");
    assert_int_equal(entries_of(folder), 0);
    vat_bake_free(&texels);
    vat_bake_free(&bones);
}

static void expect_refusal(const char *part)
{
    vat_bake bake;
    vfx_status status = vat_bake_read(out, &bake);
    if (status != VFX_IO || strstr(vfx_message(), part) == NULL)
        fail_msg("%s, \"%s\" lacks \"%s\"", vfx_status_name(status), status != VFX_OK ? vfx_message() : "", part);
    assert_true(bake.clips == NULL && bake.texels == NULL && bake.skin == NULL && bake.vertices == 0);
}

static void write_fresh(vat_format format)
{
    vat_bake bake;
    make_bake(&bake, format, 6, 3);
    remove_out();
    assert_vfx_ok(vat_bake_write(&bake, out, "x"));
    vat_bake_free(&bake);
}

/* Every file changed by a bit, cut, lengthened, missing. */
static void test_damaged_files(void **state)
{
    (void)state;
    for (int format = 0; format < FORMATS; format++) {
        write_fresh((vat_format)format);
        vfx_names names;
        assert_vfx_ok(vfx_list_folder(out, &names));
        for (size_t i = 0; i < names.count; i++) {
            char path[VFX_TEST_PATH];
            void *data;
            size_t bytes;
            if (strcmp(names.items[i], "manifest.json") == 0)
                continue;
            out_path(path, names.items[i]);
            assert_vfx_ok(vfx_read_file(path, 1 << 20, &data, &bytes));
            uint8_t *copy = data;
            copy[bytes / 2] ^= 4;
            assert_vfx_ok(vfx_write_file(path, copy, bytes));
            expect_refusal(names.items[i]);
            expect_refusal("/crc32");
            copy[bytes / 2] ^= 4;
            assert_vfx_ok(vfx_write_file(path, copy, bytes - 1));
            expect_refusal(names.items[i]);
            assert_vfx_ok(vfx_write_file(path, copy, bytes + 1)); /* and the NUL behind */
            expect_refusal(names.items[i]);
            vfx_test_remove(path);
            expect_refusal(names.items[i]);
            assert_vfx_ok(vfx_write_file(path, copy, bytes));
            free(data);
        }
        vfx_names_free(&names);
    }
    remove_out();
    expect_refusal("manifest.json");
}

/* Puts `text` (JSON) at the path of the manifest: keys and indices with slashes; "-": removes it. */
static void change_manifest(const char *where, const char *text)
{
    char path[VFX_TEST_PATH], keys[64], *key, *rest = keys;
    out_path(path, "manifest.json");
    json_t *root = json_load_file(path, 0, NULL), *at = root, *value = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(root);
    (void)snprintf(keys, sizeof keys, "%s", where + 1);
    while ((key = strtok_r(rest, "/", &rest)) != NULL) {
        bool last = *rest == '\0', array = json_is_array(at);
        size_t index = (size_t)strtol(key, NULL, 10);
        if (!last)
            at = array ? json_array_get(at, index) : json_object_get(at, key);
        else if (strcmp(text, "-") == 0)
            assert_int_equal(json_object_del(at, key), 0);
        else
            assert_int_equal(array ? json_array_set(at, index, value) : json_object_set(at, key, value), 0);
    }
    json_decref(value);
    assert_int_equal(json_dump_file(root, path, 0), 0);
    json_decref(root);
}

/* What is put where in a manifest, and what the message must have; NULL: the path itself. */
static const struct {
    const char *where, *value, *part; /* part NULL: `where` */
} damages[] = {
    {"/version", "2", NULL},
    {"/version", "\"1\"", NULL},
    {"/format", "\"rgba9\"", NULL},
    {"/sampling", "7", NULL},
    {"/vertices", "0", NULL},
    {"/vertices", "5", "/parts/0/vertex_count"},
    {"/vertices", "7", "wanted are 21 x 1"},
    {"/vertices", "4194305", NULL},
    {"/vertices", "1.5", NULL},
    {"/frames", "0", NULL},
    {"/frames", "65536", NULL},
    {"/frames", "2", NULL},
    {"/frames", "-3", NULL},
    {"/indices", "4", "indices.bin"},
    {"/indices", "4294967296", NULL},
    {"/extent", "\"wide\"", NULL},
    {"/extent", "-", NULL},
    {"/extent", "1e300", NULL},
    {"/extent", "-1", NULL},
    {"/extent", "0", NULL},
    {"/scale", "null", NULL},
    {"/map_min", "[1, 2]", NULL},
    {"/map_min/1", "1e300", NULL},
    {"/map_step/2", "\"a\"", NULL},
    {"/map_step/0", "-1e-5", "/map_step"},
    {"/map_step/0", "1e30", "/map_step"},
    {"/map_step/1", "0", "/map_step"},
    {"/map_min/0", "-0.8", "/map_step"},
    {"/box", "-", "/box/min"},
    {"/box/min/0", "9", "/box"},
    {"/box/max/0", "5", "/map_step"},
    {"/clips", "[]", NULL},
    {"/clips", "{}", NULL},
    {"/clips/0", "3", "/clips/0/name"},
    {"/clips/0/name", "-", NULL},
    {"/clips/0/source", "-2", NULL},
    {"/clips/0/first", "1", "/clips/0/frames"},
    {"/clips/0/frames", "4", NULL},
    {"/clips/0/frames", "0", NULL},
    {"/clips/0/fps", "0", NULL},
    {"/clips/0/duration", "-1", "/clips/0"},
    {"/clips/0/loop", "1", NULL},
    {"/clips/0/temporal", "-", NULL},
    {"/clips/0/loop_closure", "[]", NULL},
    {"/clips/0/box/max/2", "-8", "/clips/0/box"},
    {"/parts", "3", NULL},
    {"/parts", "[]", NULL},
    {"/parts/0/vertex_count", "0", NULL},
    {"/parts/0/vertex_count", "7", NULL},
    {"/parts/0/first_vertex", "7", NULL},
    {"/parts/0/index_count", "4", NULL},
    {"/parts/0/name", "\"0123456789012345678901234567890123456789012345678901234567890123\"", NULL},
    {"/errors", "-", NULL},
    {"/errors/normal/rms", "-", NULL},
    {"/errors/loop_closure", "-", NULL},
    {"/bytes", "-1", NULL},
    {"/skins/width", "0", NULL},
    {"/skins/width", "4", "skin_0.png"},
    {"/skins/height", "16385", NULL},
    {"/skins/layers", "0", NULL},
    {"/skins/layers", "3", "skin_2.png"},
    {"/files", "{}", NULL},
    {"/files", "[]", "texels.png"},
    {"/files/0/name", "\"../texels.png\"", "texels.png"},
    {"/files/0/name", "\"/etc/passwd\"", "texels.png"},
    {"/files/0/crc32", "5", "/files/0"},
    {"/files/0/crc32", "\"00000000\"", "/files/0/crc32"},
    {"/files/0/bytes", "1", "texels.png is larger than the 1 bytes"},
    {"/files/0/bytes", "4000000", "texels.png has "},
    {"/files/0/bytes", "4000000000", "/files/0/bytes"},
    {"/files/0/bytes", "-1", "/files/0/bytes"},
};

static void test_damaged_manifests(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        write_fresh(VAT_U16OCT8);
        change_manifest(damages[i].where, damages[i].value);
        expect_refusal(damages[i].part != NULL ? damages[i].part : damages[i].where);
    }
    char path[VFX_TEST_PATH];
    out_path(path, "manifest.json");
    assert_vfx_ok(vfx_write_file(path, "[1]", 3));
    expect_refusal("no JSON object");
    assert_vfx_ok(vfx_write_file(path, "{\"version\": 1,", 14));
    expect_refusal("line 1");
    write_fresh(VAT_RGBA8); /* as many texels, but the image lies on its side */
    change_manifest("/parts/0/vertex_count", "3");
    change_manifest("/clips/0/frames", "1");
    change_manifest("/vertices", "3");
    change_manifest("/frames", "6");
    expect_refusal("3 x 6 of 8 bits, wanted are 6 x 3");
}

/* Overwrites a raw file and its row in the manifest, so that only what it says is wrong. */
static void forge(const char *name, size_t at, const void *bytes, size_t count)
{
    char path[VFX_TEST_PATH], crc[9];
    void *data;
    size_t size, index;
    json_t *row;
    out_path(path, name);
    assert_vfx_ok(vfx_read_file(path, 1 << 20, &data, &size));
    assert_true(at + count <= size);
    memcpy((uint8_t *)data + at, bytes, count);
    assert_vfx_ok(vfx_write_file(path, data, size));
    vat_file_crc(data, size, crc);
    free(data);
    out_path(path, "manifest.json");
    json_t *root = json_load_file(path, 0, NULL);
    json_array_foreach(json_object_get(root, "files"), index, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
            (void)json_object_set_new(row, "crc32", json_string(crc));
    }
    assert_int_equal(json_dump_file(root, path, 0), 0);
    json_decref(root);
}

/* Octahedral codes that no baker writes, each of the two coordinates: shaders do not clamp them. */
static void test_least_codes(void **state)
{
    (void)state;
    static const struct {
        vat_format format;
        size_t high_byte, low_bytes;
    } rows[] = {{VAT_U16OCT8, 6, 0}, {VAT_U16OCT8, 7, 0}, {VAT_RGBA16, 9, 1}, {VAT_RGBA16, 11, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vat_bake bake;
        make_bake(&bake, rows[i].format, 6, 3);
        uint8_t *texel = bake.texels + 4 * (size_t)vat_texel_bytes(rows[i].format);
        texel[rows[i].high_byte] = 0x80;
        if (rows[i].low_bytes > 0)
            texel[rows[i].high_byte - 1] = 0;
        remove_out();
        assert_vfx_ok(vat_bake_write(&bake, out, "x"));
        vat_bake_free(&bake);
        expect_refusal("texel 4 has the least code");
    }
}

/* Right checksums around wrong contents. */
static void test_forged_files(void **state)
{
    (void)state;
    static const uint8_t six[] = {6, 0, 0, 0}, three[] = {3, 0}, nan_bits[] = {0, 0, 0xc0, 0x7f}, none[12] = {0};
    write_fresh(VAT_F32);
    forge("indices.bin", 8, six, 4);
    expect_refusal("index 2 is vertex 6 of 6");
    write_fresh(VAT_F32);
    forge("texels.bin", 32 * 5 + 4, nan_bits, 4);
    expect_refusal("number 16 of the positions");
    write_fresh(VAT_F32);
    forge("texels.bin", 16, nan_bits, 4);
    expect_refusal("number 0 of the normals");
    write_fresh(VAT_F32);
    forge("texels.bin", 32 * 7 + 16, none, sizeof none);
    expect_refusal("normal 7 of the frames");
    write_fresh(VAT_BONES);
    forge("joints.bin", 10, three, 2);
    expect_refusal("joint 5 is bone 3 of 3");
    write_fresh(VAT_BONES);
    forge("weights.bin", 8, three, 2);
    expect_refusal("weights of vertex 1");
    write_fresh(VAT_BONES);
    forge("bones.bin", 0, nan_bits, 4);
    expect_refusal("bones.bin is not finite");
    write_fresh(VAT_BONES);
    forge("bind.bin", 20, nan_bits, 4);
    expect_refusal("number 5 of bind.bin");
    write_fresh(VAT_BONES);
    forge("bind.bin", 24 * 2 + 12, none, sizeof none);
    expect_refusal("normal 2 of bind.bin");
    write_fresh(VAT_BONES);
    change_manifest("/bones/influences", "5");
    expect_refusal("4 or 8");
    write_fresh(VAT_BONES);
    change_manifest("/bones/count", "2");
    expect_refusal("bones.bin");
}

/* Good files that say what no model is: a user's mistake, not a kernel's, so they must not get as far as that. */
static void test_nonsense(void **state)
{
    (void)state;
    static const uint8_t far[4] = {0, 0, 0x10, 0x41} /* 9 */, huge[4] = {0x28, 0x6b, 0xee, 0x4c} /* 1.25e8 */;
    write_fresh(VAT_F32);
    forge("texels.bin", 32 * 5 + 4, far, 4);
    expect_refusal("texel 5 is at");
    write_fresh(VAT_F32);
    change_manifest("/map_step/1", "2");
    expect_refusal("/map_step");
    write_fresh(VAT_BONES);
    forge("bind.bin", 24 * 4, far, 4);
    expect_refusal("puts vertex 4 in frame 0 at");
    write_fresh(VAT_BONES);
    forge("bones.bin", 48 * 3 * 2 + 12, far, 4); /* the last frame's first bone: its move in x */
    expect_refusal("in frame 2 at");
    write_fresh(VAT_BONES);
    forge("bones.bin", 48 * 3 + 4, huge, 4);
    expect_refusal("number 37 of bones.bin is 1.25e+08");
    write_fresh(VAT_BONES);
    forge("bones.bin", 48 * 3 + 12, huge, 4);
    expect_refusal("over 1e+06 no model needs");
    vat_bake bake;
    make_bake(&bake, VAT_RGBA8, 6, 3);
    bake.texels[8 * 7] = 255; /* x = 1: of the map, not of the box */
    remove_out();
    assert_vfx_ok(vat_bake_write(&bake, out, "x"));
    vat_bake_free(&bake);
    expect_refusal("texel 7 is at (1, ");
}

/* Files that have no end: refused at once, not waited for. */
static void test_fifos(void **state)
{
    (void)state;
    static const char *const names[] = {"texels.png", "uv.bin", "skin_0.png", "manifest.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[VFX_TEST_PATH];
        write_fresh(VAT_U16OCT8);
        out_path(path, names[i]);
        vfx_test_remove(path);
        assert_int_equal(mkfifo(path, 0600), 0);
        expect_refusal("no regular file");
        if (i == 3) {
            assert_vfx_fails(vat_bake_check_folder(out), VFX_USAGE, out);
        }
    }
    remove_out();
}

/* Random bytes of the manifest: read, or refused with a message. */
static void test_mutated_manifests(void **state)
{
    (void)state;
    char path[VFX_TEST_PATH];
    void *data;
    size_t bytes;
    uint32_t seed = 5, good = 0;
    write_fresh(VAT_RGBA8);
    out_path(path, "manifest.json");
    assert_vfx_ok(vfx_read_file(path, 1 << 20, &data, &bytes));
    for (int i = 0; i < 300; i++) {
        char *copy = malloc(bytes);
        assert_non_null(copy);
        memcpy(copy, data, bytes);
        for (int k = 0; k < 2; k++)
            copy[(size_t)(random_unit(&seed) * (double)bytes)] =
                "0123456789{}[],\"-e.x"[(int)(random_unit(&seed) * 20)];
        assert_vfx_ok(vfx_write_file(path, copy, bytes));
        vat_bake bake;
        vfx_status status = vat_bake_read(out, &bake);
        assert_true(status == VFX_OK || status == VFX_IO || status == VFX_USAGE);
        good += status == VFX_OK ? 1 : 0;
        vat_bake_free(&bake);
        free(copy);
    }
    print_message("%u of 300 mutants are still bakes\n", good);
    free(data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_codes),
    cmocka_unit_test(test_special_normals),
    cmocka_unit_test(test_texel_bytes),
    cmocka_unit_test(test_flat_axes),
    cmocka_unit_test(test_folder_round_trip),
    cmocka_unit_test(test_image_layouts),
    cmocka_unit_test(test_clip_plans),
    cmocka_unit_test(test_frames),
    cmocka_unit_test(test_loop_choice),
    cmocka_unit_test(test_temporal_error),
    cmocka_unit_test(test_max_error),
    cmocka_unit_test(test_encoding_error),
    cmocka_unit_test(test_bones),
    cmocka_unit_test(test_second_skin),
    cmocka_unit_test(test_clip_choice),
    cmocka_unit_test(test_rgba8_range),
    cmocka_unit_test(test_refused_options),
    cmocka_unit_test(test_skins),
    cmocka_unit_test(test_fox),
    cmocka_unit_test(test_replacing),
    cmocka_unit_test(test_damaged_files),
    cmocka_unit_test(test_damaged_manifests),
    cmocka_unit_test(test_forged_files),
    cmocka_unit_test(test_least_codes),
    cmocka_unit_test(test_nonsense),
    cmocka_unit_test(test_fifos),
    cmocka_unit_test(test_mutated_manifests),
};

int main(void)
{
    return cmocka_run_group_tests(tests, setup, teardown);
}
