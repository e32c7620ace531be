/* tube_test.c - the pose code against the built-in model's closed forms (V1), and what the built-in model promises: any
 * vertex count, all poses within [-1, 1], clips that loop or do not, two readable skins. */
#include "core/test.h"

#include "kernels/vat/tube.h"

#include <math.h>

static const uint32_t counts[] = {VAT_TUBE_LEAST, 49, 55, 56, 57, 120, 500, 1000};
enum { COUNTS = sizeof counts / sizeof *counts };

/* A model with its pose and room for the vertices. */
typedef struct stage {
    vat_model model;
    vat_pose pose;
    double (*positions)[3], (*normals)[3];
} stage;

static void stage_make(stage *s, uint32_t count)
{
    assert_vfx_ok(vat_tube_create(count, &s->model));
    assert_vfx_ok(vat_pose_create(&s->pose, &s->model));
    s->positions = calloc(count, sizeof *s->positions);
    s->normals = calloc(count, sizeof *s->normals);
    assert_true(s->positions && s->normals);
}

static void stage_free(stage *s)
{
    free(s->positions);
    free(s->normals);
    vat_pose_destroy(&s->pose);
    vat_model_free(&s->model);
}

static void pose_at(stage *s, int32_t clip, double t)
{
    vat_pose_at(&s->pose, &s->model, clip, t);
    vat_pose_vertices(&s->pose, &s->model, s->positions, s->normals);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double duration_of(const stage *s, int32_t clip)
{
    return clip == VAT_NONE ? 0 : s->model.clips[clip].duration;
}

/* Largest distance between two poses of a clip, m. */
static double gap(stage *s, int32_t clip, double t0, double t1)
{
    const uint32_t n = s->model.vertex_count;
    double(*first)[3] = malloc(n * sizeof *first), worst = 0;
    assert_non_null(first);
    pose_at(s, clip, t0);
    memcpy(first, s->positions, n * sizeof *first);
    pose_at(s, clip, t1);
    for (uint32_t v = 0; v < n; v++)
        worst = fmax(worst, distance(first[v], s->positions[v]));
    free(first);
    return worst;
}

/* ------------------------------------------------------------------------------------------- V1 */

/* 1e-6 of the extent is the promise (V1); the extent is at least 1 m (seen below). */
static void compare_at(stage *s, int32_t clip, double t)
{
    pose_at(s, clip, t);
    for (uint32_t v = 0; v < s->model.vertex_count; v++) {
        double position[3], normal[3];
        vat_tube_point(&s->model, clip, t, v, position, normal);
        if (!(distance(position, s->positions[v]) <= 1e-6))
            fail_msg("clip %d, t = %g, vertex %u: (%g %g %g), not (%g %g %g)", (int)clip, t, v, s->positions[v][0],
                     s->positions[v][1], s->positions[v][2], position[0], position[1], position[2]);
        if (!(distance(normal, s->normals[v]) <= 1e-6))
            fail_msg("clip %d, t = %g, vertex %u: normal (%g %g %g), not (%g %g %g)", (int)clip, t, v, s->normals[v][0],
                     s->normals[v][1], s->normals[v][2], normal[0], normal[1], normal[2]);
    }
}

/* On every key, just beside it, between keys, before the first and after the last. */
static void compare_clip(stage *s, int32_t clip, int times)
{
    const double duration = duration_of(s, clip);
    for (int i = 0; i <= times; i++)
        compare_at(s, clip, -0.3 + (duration + 0.6) * i / times);
    if (clip == VAT_NONE)
        return;
    const vat_model_clip *c = &s->model.clips[clip];
    for (uint32_t i = c->first_channel; i < c->first_channel + c->channel_count; i++)
        for (uint32_t k = 0; k < s->model.channels[i].key_count; k++) {
            const double key = s->model.channels[i].times[k];
            compare_at(s, clip, key);
            compare_at(s, clip, key - 1e-9);
            compare_at(s, clip, key + 1e-9);
        }
}

static void skinning_equals_the_closed_form(void **state)
{
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        stage s;
        stage_make(&s, counts[i]);
        for (int32_t clip = VAT_NONE; clip < (int32_t)s.model.clip_count; clip++)
            compare_clip(&s, clip, 100);
        stage_free(&s);
    }
}

static void large_and_odd_counts_too(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 16385);
    for (int32_t clip = 0; clip < (int32_t)s.model.clip_count; clip++)
        for (int i = 0; i <= 5; i++)
            compare_at(&s, clip, duration_of(&s, clip) * i / 4.7);
    stage_free(&s);
}

/* ------------------------------------------------------------------------------------------- the model */

static void it_has_the_count_asked_for(void **state)
{
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        vat_model model;
        assert_vfx_ok(vat_tube_create(counts[i], &model));
        assert_int_equal(model.vertex_count, counts[i]);
        assert_int_equal(model.part_count, 3);
        vat_model_free(&model);
        assert_null(model.vertices);
    }
    vat_model model;
    assert_vfx_fails(vat_tube_create(VAT_TUBE_LEAST - 1, &model), VFX_USAGE, "47 vertices: give 48 to");
    assert_vfx_fails(vat_tube_create(VAT_MAX_VERTICES + 1, &model), VFX_USAGE, "4194305 vertices");
    assert_null(model.nodes);
}

/* Normals point away from the middle of their (convex) part. */
static void normals_point_outward(void **state)
{
    (void)state;
    vat_model m;
    assert_vfx_ok(vat_tube_create(500, &m));
    for (uint32_t p = 0; p < m.part_count; p++) {
        const vat_part *part = &m.parts[p];
        double middle[3] = {0};
        for (uint32_t i = 0; i < part->vertex_count; i++)
            for (int k = 0; k < 3; k++)
                middle[k] += m.vertices[part->first_vertex + i].position[k] / part->vertex_count;
        for (uint32_t i = 0; i < part->vertex_count; i++) {
            const vat_bind *v = &m.vertices[part->first_vertex + i];
            const double *n = v->normal, *o = v->position;
            assert_true(n[0] * (o[0] - middle[0]) + n[1] * (o[1] - middle[1]) + n[2] * (o[2] - middle[2]) > 0);
            assert_true(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-12);
        }
    }
    vat_model_free(&m);
}

/* Every triangle is turned as its normals in bind space; every vertex of whole rings, sword and shield is used. */
static void triangles_face_as_their_normals(void **state)
{
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        vat_model m;
        assert_vfx_ok(vat_tube_create(counts[i], &m));
        uint8_t *used = calloc(m.vertex_count, 1);
        assert_non_null(used);
        for (uint32_t k = 0; k < m.index_count; k += 3) {
            const vat_bind *a = &m.vertices[m.indices[k]], *b = &m.vertices[m.indices[k + 1]],
                           *c = &m.vertices[m.indices[k + 2]];
            const double *p = a->position, *q = b->position, *r = c->position;
            const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, f[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
            const double n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
            const double along = n[0] * (a->normal[0] + b->normal[0] + c->normal[0]) +
                                 n[1] * (a->normal[1] + b->normal[1] + c->normal[1]) +
                                 n[2] * (a->normal[2] + b->normal[2] + c->normal[2]);
            assert_true(along > -1e-12); /* 0: where the top's ring is a point */
            for (uint32_t j = 0; j < 3; j++)
                used[m.indices[k + j]] = 1;
        }
        const uint32_t body = m.parts[0].vertex_count, whole = body - body % 8;
        for (uint32_t v = 0; v < m.vertex_count; v++)
            assert_true(used[v] || (v >= whole && v < body));
        free(used);
        vat_model_free(&m);
    }
}

/* Within [-1, 1] in every pose, and never small; uv within (0, 1). */
static void every_pose_is_within_the_unit_cube(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 500);
    double largest = 0, lowest = INFINITY, highest = -INFINITY;
    for (int32_t clip = VAT_NONE; clip < (int32_t)s.model.clip_count; clip++)
        for (int i = 0; i <= 200; i++) {
            double low = INFINITY, high = -INFINITY;
            pose_at(&s, clip, duration_of(&s, clip) * i / 200);
            for (uint32_t v = 0; v < s.model.vertex_count; v++) {
                for (int k = 0; k < 3; k++)
                    largest = fmax(largest, fabs(s.positions[v][k]));
                low = fmin(low, s.positions[v][1]);
                high = fmax(high, s.positions[v][1]);
            }
            assert_true(high - low > 0.6);
            lowest = fmin(lowest, low);
            highest = fmax(highest, high);
        }
    assert_true(largest <= 1 && largest > 0.7);
    assert_true(highest - lowest >= 1); /* the extent */
    for (uint32_t v = 0; v < s.model.vertex_count; v++)
        for (int k = 0; k < 2; k++)
            assert_true(s.model.vertices[v].uv[k] > 0 && s.model.vertices[v].uv[k] < 1);
    stage_free(&s);
}

static void clips_loop_or_do_not(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double seconds;
        bool loop, steps;
    } rows[] = {{"sway", 1.37, true, false},
                {"strike", 0.77, false, false},
                {"step", 1.13, false, true},
                {"curl", 1.58, false, false},
                {"still", 0, true, false}};
    stage s;
    stage_make(&s, 120);
    assert_int_equal(s.model.clip_count, sizeof rows / sizeof *rows);
    for (int32_t i = 0; i < (int32_t)s.model.clip_count; i++) {
        const vat_model_clip *clip = &s.model.clips[i];
        assert_string_equal(clip->name, rows[i].name);
        assert_true(fabs(clip->duration - rows[i].seconds) < 1e-12);
        const double closure = gap(&s, i, 0, clip->duration);
        assert_true(rows[i].loop ? closure == 0 : closure > 0.03); /* a loop closes within 1 % of the extent */
        double jump = 0;
        for (int k = 0; k < 400; k++)
            jump = fmax(jump, gap(&s, i, clip->duration * k / 400, clip->duration * (k + 1) / 400));
        assert_true(rows[i].steps ? jump > 0.2 : jump < 0.05);
    }
    stage_free(&s);
}

static void skins_can_be_told_apart(void **state)
{
    (void)state;
    enum { TEXELS = VAT_TUBE_SKIN_SIDE * VAT_TUBE_SKIN_SIDE };
    static uint8_t skin[VAT_TUBE_SKINS][TEXELS][4];
    for (uint32_t layer = 0; layer < VAT_TUBE_SKINS; layer++)
        vat_tube_skin(layer, &skin[layer][0][0]);
    for (int i = 0; i < TEXELS; i++) {
        assert_memory_not_equal(skin[0][i], skin[1][i], 4);
        assert_memory_not_equal(skin[0][i], skin[2][i], 4);
        assert_memory_not_equal(skin[1][i], skin[2][i], 4);
    }
    static const uint8_t corner[VAT_TUBE_SKINS][4] = {{48, 48, 65, 128}, {65, 48, 48, 160}, {48, 65, 48, 192}};
    for (int layer = 0; layer < VAT_TUBE_SKINS; layer++) {
        assert_int_equal(skin[layer][TEXELS - 1][3], layer == 0 ? 128 : 255); /* alpha, the last texel's */
        assert_memory_equal(skin[layer][0], corner[layer], 4);
        assert_memory_not_equal(skin[layer][1], skin[layer][0], 4);                  /* along x */
        assert_memory_not_equal(skin[layer][VAT_TUBE_SKIN_SIDE], skin[layer][0], 4); /* along y */
        assert_memory_not_equal(skin[layer][VAT_TUBE_SKIN_SIDE], skin[layer][1], 4); /* x is not y */
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(skinning_equals_the_closed_form),
    cmocka_unit_test(large_and_odd_counts_too),
    cmocka_unit_test(it_has_the_count_asked_for),
    cmocka_unit_test(normals_point_outward),
    cmocka_unit_test(triangles_face_as_their_normals),
    cmocka_unit_test(every_pose_is_within_the_unit_cube),
    cmocka_unit_test(clips_loop_or_do_not),
    cmocka_unit_test(skins_can_be_told_apart),
};
VFX_TEST_MAIN(tests)
