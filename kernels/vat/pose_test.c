/* pose_test.c - the pose code on models of a few nodes and vertices: keys (linear, shorter arc, step, cubic, clamped),
 * T * R * S down the tree, joints, morph targets, normals of scaled and mirrored things (V6), nothing but finite
 * numbers for collapsed ones; and every kind of model that vat_model_check() must refuse. Closed forms of a whole
 * animated model: tube_test.c. */
#include "core/test.h"

#include "kernels/vat/model.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { ROOM = 16 }; /* rows of every array of a test model */

/* ------------------------------------------------------------------------------------------- models to test with */

/* `nodes` identity nodes in a chain, one rigid part of `vertices` vertices on the last one, one empty clip. */
static void make(vat_model *m, uint32_t nodes, uint32_t vertices)
{
    *m = (vat_model){.node_count = nodes, .part_count = 1, .vertex_count = vertices, .clip_count = 1};
    m->nodes = calloc(ROOM, sizeof *m->nodes);
    m->skins = calloc(ROOM, sizeof *m->skins);
    m->joints = calloc(ROOM, sizeof *m->joints);
    m->inverse_bind = calloc(ROOM, sizeof *m->inverse_bind);
    m->weights = calloc(ROOM, sizeof *m->weights);
    m->parts = calloc(ROOM, sizeof *m->parts);
    m->vertices = calloc(ROOM, sizeof *m->vertices);
    m->indices = calloc(ROOM, sizeof *m->indices);
    m->targets = calloc(ROOM, sizeof *m->targets);
    m->channels = calloc(ROOM, sizeof *m->channels);
    m->clips = calloc(ROOM, sizeof *m->clips);
    assert_true(m->nodes && m->skins && m->joints && m->inverse_bind && m->weights && m->parts && m->vertices &&
                m->indices && m->targets && m->channels && m->clips);
    for (int32_t i = 0; i < (int32_t)nodes; i++)
        m->nodes[i] = (vat_node){.parent = i - 1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    m->parts[0] = (vat_part){.node = (int32_t)nodes - 1, .skin = VAT_NONE, .vertex_count = vertices};
    for (uint32_t i = 0; i < vertices; i++)
        m->vertices[i].normal[1] = 1;
}

/* Appends a channel to clip 0. */
static void animate(vat_model *m, uint32_t node, vat_path path, vat_interpolation interpolation, uint32_t keys,
                    const double *times, const double *values)
{
    const uint32_t components[] = {3, 4, 3, m->nodes[node].weight_count};
    const size_t count = (size_t)keys * components[path] * (interpolation == VAT_CUBIC ? 3 : 1);
    vat_channel *c = &m->channels[m->channel_count++];
    *c = (vat_channel){node, path, interpolation, keys, components[path], NULL, NULL};
    c->times = malloc(keys * sizeof *times);
    c->values = malloc(count * sizeof *values);
    assert_true(c->times && c->values);
    memcpy(c->times, times, keys * sizeof *times);
    memcpy(c->values, values, count * sizeof *values);
    m->clips[0].channel_count++;
    m->clips[0].duration = fmax(m->clips[0].duration, times[keys - 1]);
}

/* Adds a skin over all nodes with identity inverse binds and makes part 0 skinned, fully to joint 0. */
static void skin(vat_model *m)
{
    m->skin_count = 1;
    m->joint_count = m->skins[0].joint_count = m->node_count;
    for (uint32_t i = 0; i < m->node_count; i++) {
        m->joints[i] = i;
        for (int k = 0; k < 4; k++)
            m->inverse_bind[i][5 * k] = 1;
    }
    m->parts[0].skin = 0;
    for (uint32_t v = 0; v < m->vertex_count; v++)
        m->vertices[v].weight[0] = 1;
}

/* Adds `count` morph targets to part 0, all deltas zero. */
static void morph(vat_model *m, uint32_t count)
{
    m->target_count = m->weight_count = m->parts[0].target_count = m->nodes[m->parts[0].node].weight_count = count;
    for (uint32_t i = 0; i < count; i++) {
        m->targets[i].position = calloc(m->vertex_count, sizeof *m->targets[i].position);
        m->targets[i].normal = calloc(m->vertex_count, sizeof *m->targets[i].normal);
        assert_true(m->targets[i].position && m->targets[i].normal);
    }
}

static double (*positions)[3], (*normals)[3];

/* Checks the model and poses it into `pose`, `positions` and `normals`. */
static void pose_at(vat_pose *pose, const vat_model *m, int32_t clip, double t)
{
    static double room[2][ROOM][3];
    positions = room[0];
    normals = room[1];
    assert_vfx_ok(vat_model_check(m, "test"));
    assert_vfx_ok(vat_pose_create(pose, m));
    vat_pose_at(pose, m, clip, t);
    vat_pose_vertices(pose, m, positions, normals);
}

/* The same, and the pose thrown away. */
static void vertices_at(const vat_model *m, int32_t clip, double t)
{
    vat_pose pose;
    pose_at(&pose, m, clip, t);
    vat_pose_destroy(&pose);
}

/* Value `first`.. of node `node`'s local translation, rotation, scale at time t. */
static void local_at(const vat_model *m, uint32_t node, int first, int count, double t, double *out)
{
    vat_pose pose;
    pose_at(&pose, m, 0, t);
    memcpy(out, pose.local[node] + first, (size_t)count * sizeof *out);
    vat_pose_destroy(&pose);
}

static void assert_near(const double *a, const double *b, int count, double limit)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= limit))
            fail_msg("value %d is %.12g, not %.12g", i, a[i], b[i]);
}
#define ASSERT_NEAR3(a, ...) assert_near((a), (const double[3]){__VA_ARGS__}, 3, 1e-12)

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Uniform in -1..1, the same on every machine. */
static double any(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void any_unit(uint32_t *seed, int count, double *v)
{
    double length;
    do {
        for (int i = 0; i < count; i++)
            v[i] = any(seed);
        length = sqrt(dot(v, v, count));
    } while (length < 0.1);
    for (int i = 0; i < count; i++)
        v[i] /= length;
}

/* ------------------------------------------------------------------------------------------- keys */

static void linear_is_straight_and_clamped(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 1, 1);
    const double times[] = {0.5, 1, 3}, values[] = {1, 2, 3, 2, 0, 3, -2, 8, 5}, one_time[] = {2}, one[] = {4, 5, 6};
    animate(&m, 0, VAT_TRANSLATION, VAT_LINEAR, 3, times, values);
    animate(&m, 0, VAT_SCALE, VAT_LINEAR, 1, one_time, one);
    static const struct {
        double t, wanted[3];
    } rows[] = {{-9, {1, 2, 3}},    {0, {1, 2, 3}},      {0.5, {1, 2, 3}}, {0.625, {1.25, 1.5, 3}}, {1, {2, 0, 3}},
                {1.5, {1, 2, 3.5}}, {2.5, {-1, 6, 4.5}}, {3, {-2, 8, 5}},  {100, {-2, 8, 5}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got[3];
        local_at(&m, 0, 0, 3, rows[i].t, got);
        assert_near(got, rows[i].wanted, 3, 1e-14);
        local_at(&m, 0, 7, 3, rows[i].t, got);
        assert_near(got, one, 3, 0);
    }
    vat_model_free(&m);
}

/* From a to b over one second, at time t. */
static void turned(const double a[4], const double b[4], double t, double out[4])
{
    vat_model m;
    make(&m, 1, 1);
    double values[8];
    memcpy(values, a, 4 * sizeof *a);
    memcpy(values + 4, b, 4 * sizeof *b);
    animate(&m, 0, VAT_ROTATION, VAT_LINEAR, 2, (const double[2]){0, 1}, values);
    local_at(&m, 0, 3, 4, t, out);
    vat_model_free(&m);
}

/* Unit length, constant speed along the great circle, the same from both ends, ends met, b as good as -b, at most a
 * quarter of a circle of quaternions (half a turn). */
static void rotations_take_the_shorter_arc_at_constant_speed(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 100; i++) {
        double a[4], b[4], minus_b[4], got[4], back[4], mirrored[4];
        any_unit(&seed, 4, a);
        any_unit(&seed, 4, b);
        for (int k = 0; k < 4; k++)
            minus_b[k] = -b[k];
        const double arc = acos(fmin(fabs(dot(a, b, 4)), 1));
        for (int k = 0; k <= 10; k++) {
            const double t = k / 10.0;
            turned(a, b, t, got);
            assert_true(fabs(dot(got, got, 4) - 1) < 1e-12);
            assert_true(fabs(fabs(dot(a, got, 4)) - cos(arc * t)) < 1e-7);
            assert_true(fabs(fabs(dot(b, got, 4)) - cos(arc * (1 - t))) < 1e-7);
            turned(a, minus_b, t, mirrored);
            assert_true(fabs(fabs(dot(got, mirrored, 4)) - 1) < 1e-12);
            turned(b, a, 1 - t, back);
            assert_true(fabs(fabs(dot(got, back, 4)) - 1) < 1e-12);
        }
    }
}

static void equal_near_and_opposite_rotations_are_finite(void **state)
{
    (void)state;
    static const double rows[][4] = {{0, 0, 0, 1}, {0, 0, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    const double a[4] = {0, 0, 0, 1};
    for (int i = 0; i < 5; i++) {
        double got[4];
        turned(a, rows[i], 0.25, got);
        assert_true(fabs(dot(got, got, 4) - 1) < 1e-12);
        assert_true(fabs(got[3] - cos(i < 2 ? 0 : PI / 8)) < 1e-12);
    }
    for (double angle = 1e-3; angle > 1e-14; angle /= 10) {
        double got[4];
        turned(a, (const double[4]){sin(angle), 0, 0, cos(angle)}, 0.25, got);
        assert_true(fabs(got[0] / (angle / 4) - 1) < 1e-7);
    }
}

static void steps_hold(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 1, 1);
    const double times[] = {1, 2, 4}, places[] = {1, 1, 1, 5, 6, 7, 9, 9, 9};
    const double turns[] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0};
    animate(&m, 0, VAT_TRANSLATION, VAT_STEP, 3, times, places);
    animate(&m, 0, VAT_ROTATION, VAT_STEP, 3, times, turns);
    static const struct {
        double t;
        int key;
    } rows[] = {{0, 0}, {1, 0}, {1.9999999, 0}, {2, 1}, {3.9999999, 1}, {4, 2}, {5, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got[7];
        local_at(&m, 0, 0, 7, rows[i].t, got);
        assert_near(got, places + 3 * rows[i].key, 3, 0);
        assert_near(got + 3, turns + 4 * rows[i].key, 4, 0);
    }
    vat_model_free(&m);
}

/* Keys taken from a cubic polynomial, its derivatives as tangents: the polynomial comes back, whatever the intervals.
 */
static void cubic_keys_give_their_polynomial_back(void **state)
{
    (void)state;
    static const double p[3][4] = {{1, -2, 0.5, 0.25}, {0, 3, -1, 0.125}, {-4, 0, 2, -0.5}};
    static const double times[] = {0.5, 0.75, 2, 5};
    double values[4][3][3];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            const double t = times[k], slope = p[i][1] + t * (2 * p[i][2] + t * 3 * p[i][3]);
            values[k][0][i] = values[k][2][i] = slope;
            values[k][1][i] = p[i][0] + t * (p[i][1] + t * (p[i][2] + t * p[i][3]));
        }
    for (int i = 0; i < 3; i++)
        values[0][0][i] = values[3][2][i] = 1e6; /* used by nothing */
    vat_model m;
    make(&m, 1, 1);
    animate(&m, 0, VAT_TRANSLATION, VAT_CUBIC, 4, times, &values[0][0][0]);
    for (int n = -10; n <= 110; n++) {
        const double t = 0.5 + 4.5 * n / 100, c = fmin(fmax(t, 0.5), 5);
        double got[3], wanted[3];
        for (int i = 0; i < 3; i++)
            wanted[i] = p[i][0] + c * (p[i][1] + c * (p[i][2] + c * p[i][3]));
        local_at(&m, 0, 0, 3, t, got);
        assert_near(got, wanted, 3, 1e-11);
    }
    vat_model_free(&m);
}

/* At a key the slope just before is the in-tangent, just after the out-tangent. */
static void cubic_tangents_are_on_their_sides(void **state)
{
    (void)state;
    const double times[] = {0, 2, 3}, h = 1e-6;
    const double values[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, -1, 2, 0.5, 7, 7, 7, 3, -4, 2, 1, 1, 1, 0, 0, 0, 8, 8, 8};
    vat_model m;
    make(&m, 1, 1);
    animate(&m, 0, VAT_SCALE, VAT_CUBIC, 3, times, values);
    double before[3], at[3], after[3];
    local_at(&m, 0, 7, 3, 2 - h, before);
    local_at(&m, 0, 7, 3, 2, at);
    local_at(&m, 0, 7, 3, 2 + h, after);
    for (int i = 0; i < 3; i++) {
        assert_true(at[i] == 7);
        assert_true(fabs((at[i] - before[i]) / h - values[9 + i]) < 1e-3);
        assert_true(fabs((after[i] - at[i]) / h - values[15 + i]) < 1e-3);
    }
    vat_model_free(&m);
}

static void cubic_rotations_are_unit_and_never_undefined(void **state)
{
    (void)state;
    const double s = sin(0.5), c = cos(0.5), times[] = {0, 1, 2};
    const double values[] = {0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1, 0, /* to a turn with far tangents, then to its negative */
                             1, 1, 0, 0, 0, s, 0, c, 0, 0, 0, 0, 0, 0, 0, 0, 0, -s, 0, -c, 0, 0, 0, 0};
    vat_model m;
    make(&m, 1, 1);
    animate(&m, 0, VAT_ROTATION, VAT_CUBIC, 3, times, values);
    for (int n = 0; n <= 200; n++) {
        double got[4];
        local_at(&m, 0, 3, 4, n / 100.0, got);
        assert_true(fabs(dot(got, got, 4) - 1) < 1e-12);
    }
    double middle[4]; /* (q - q) / 2: no direction; the key before stays */
    local_at(&m, 0, 3, 4, 1.5, middle);
    assert_near(middle, (const double[4]){0, s, 0, c}, 4, 0);
    vat_model_free(&m);
}

/* ------------------------------------------------------------------------------------------- tree and skins */

static void nodes_are_translation_rotation_scale(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 2, 1);
    const double quarter[] = {0, 0, sqrt(0.5), sqrt(0.5)}, by[] = {2, 3, 4}, to[] = {10, 20, 30}, point[] = {1, 1, 1};
    memcpy(m.vertices[0].position, point, sizeof point);
    memcpy(m.nodes[1].translation, to, sizeof to);
    memcpy(m.nodes[1].rotation, quarter, sizeof quarter);
    memcpy(m.nodes[1].scale, by, sizeof by);
    vertices_at(&m, VAT_NONE, 0);
    ASSERT_NEAR3(positions[0], 10 - 3, 20 + 2, 30 + 4);
    memcpy(m.nodes[0].translation, to, sizeof to); /* and the parent's after the child's */
    memcpy(m.nodes[0].rotation, quarter, sizeof quarter);
    memcpy(m.nodes[0].scale, by, sizeof by);
    vertices_at(&m, VAT_NONE, 0);
    ASSERT_NEAR3(positions[0], 10 - 3 * 22, 20 + 2 * 7, 30 + 4 * 34);
    vat_model_free(&m);
}

static void a_matrix_is_taken_as_it_is(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 3, 1);
    const double sheared[16] = {1, 2, 0, 0, 0, 1, 3, 0, 4, 0, 1, 0, 5, 6, 7, 1};
    m.nodes[1].has_matrix = true;
    memcpy(m.nodes[1].matrix, sheared, sizeof sheared);
    m.nodes[1].translation[0] = 100; /* not read */
    m.nodes[0].translation[1] = 0.5;
    m.nodes[2].scale[2] = 2;
    const double point[] = {1, 1, 1};
    memcpy(m.vertices[0].position, point, sizeof point);
    vertices_at(&m, VAT_NONE, 0);
    ASSERT_NEAR3(positions[0], 1 + 4 * 2 + 5, 2 + 1 + 6 + 0.5, 3 + 2 + 7);
    vat_model_free(&m);
}

/* Eight joints of two skins that share nodes; the matrix of the vertex is what moves it; the mesh node does not count.
 */
static void joints_are_global_times_inverse_bind(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 10, 2);
    skin(&m);
    uint32_t seed = 7;
    for (uint32_t i = 0; i < m.node_count; i++) {
        any_unit(&seed, 4, m.nodes[i].rotation);
        for (int k = 0; k < 3; k++) {
            m.nodes[i].translation[k] = any(&seed);
            m.nodes[i].scale[k] = 1 + 0.5 * any(&seed);
            m.inverse_bind[i][12 + k] = any(&seed);
            m.inverse_bind[i][4 * k + 1] = any(&seed);
        }
    }
    m.skin_count = 2; /* the second one begins at joint 2 */
    m.skins[1] = (vat_skin){2, 8};
    m.parts[0].skin = 1;
    for (int k = 0; k < VAT_MAX_INFLUENCES; k++) {
        m.vertices[0].joint[k] = (uint16_t)(7 - k);
        m.vertices[0].weight[k] = (k + 1) / 36.0;
    }
    const double point[] = {0.3, -0.4, 0.5};
    memcpy(m.vertices[0].position, point, sizeof point);
    vat_pose pose;
    pose_at(&pose, &m, VAT_NONE, 0);
    double wanted[3] = {0}, matrix[16], by_matrix[3];
    for (int k = 0; k < VAT_MAX_INFLUENCES; k++) {
        const int node = 2 + 7 - k;
        const double *bind = m.inverse_bind[node], *global = pose.global[node];
        double local[3];
        for (int i = 0; i < 3; i++)
            local[i] = bind[i] * point[0] + bind[4 + i] * point[1] + bind[8 + i] * point[2] + bind[12 + i];
        for (int i = 0; i < 3; i++)
            wanted[i] += (k + 1) / 36.0 *
                         (global[i] * local[0] + global[4 + i] * local[1] + global[8 + i] * local[2] + global[12 + i]);
    }
    vat_pose_matrix(&pose, &m, &m.parts[0], 0, matrix);
    for (int i = 0; i < 3; i++)
        by_matrix[i] = matrix[i] * point[0] + matrix[4 + i] * point[1] + matrix[8 + i] * point[2] + matrix[12 + i];
    assert_near(positions[0], wanted, 3, 1e-9);
    assert_near(positions[0], by_matrix, 3, 1e-12);
    double before[3];
    memcpy(before, positions[0], sizeof before);
    m.parts[0].node = 0; /* the mesh hangs elsewhere: no difference */
    vertices_at(&m, VAT_NONE, 0);
    assert_near(positions[0], before, 3, 0);
    vat_pose_destroy(&pose);
    vat_model_free(&m);
}

/* ------------------------------------------------------------------------------------------- morph targets */

static void morph_targets_add_up_before_the_matrix(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 1, 2);
    morph(&m, 3);
    m.targets[0].position[1][0] = 2;
    m.targets[1].position[1][0] = 4;
    m.targets[0].normal[1][0] = 3;
    free(m.targets[2].position); /* all zero */
    m.targets[2].position = NULL;
    m.targets[2].normal[1][2] = 5;
    m.weights[0] = 0.5;
    m.nodes[0].scale[0] = 10;
    vertices_at(&m, VAT_NONE, 0);
    ASSERT_NEAR3(positions[0], 0, 0, 0);
    ASSERT_NEAR3(positions[1], 10, 0, 0);
    ASSERT_NEAR3(normals[0], 0, 1, 0); /* below: (1.5, 1, 0) by the inverse scale */
    ASSERT_NEAR3(normals[1], 0.15 / sqrt(1 + 0.15 * 0.15), 1 / sqrt(1 + 0.15 * 0.15), 0);
    const double times[] = {0, 2}, values[] = {0.5, 0, 0, -0.5, 1, 2};
    animate(&m, 0, VAT_WEIGHTS, VAT_LINEAR, 2, times, values);
    vertices_at(&m, 0, 1); /* weights 0, 0.5, 1 */
    ASSERT_NEAR3(positions[1], 20, 0, 0);
    ASSERT_NEAR3(normals[1], 0, 1 / sqrt(26), 5 / sqrt(26));
    vertices_at(&m, 0, 9);
    ASSERT_NEAR3(positions[1], 30, 0, 0);
    vertices_at(&m, VAT_NONE, 1); /* the defaults again */
    ASSERT_NEAR3(positions[1], 10, 0, 0);
    vat_model_free(&m);
}

static void morph_weights_can_be_cubic_and_skins_come_after(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 1, 1);
    morph(&m, 2);
    skin(&m);
    m.nodes[0].rotation[2] = m.nodes[0].rotation[3] = sqrt(0.5);
    m.targets[0].position[0][0] = m.targets[1].position[0][1] = 1;
    const double times[] = {0, 2}, values[] = {0, 0, 0, 0, 3, 0, -3, 0, 1, 4, 0, 0};
    animate(&m, 0, VAT_WEIGHTS, VAT_CUBIC, 2, times, values);
    vertices_at(&m, 0, 1); /* 0.5 * 1 + (1/8 * 3 + 1/8 * 3) * 2, 0.5 * 4 */
    ASSERT_NEAR3(positions[0], -2, 2, 0);
    vat_model_free(&m);
}

/* Two parts with one target each: weights, targets and rows of deltas are the part's own. */
static void parts_morph_by_their_own_targets(void **state)
{
    (void)state;
    vat_model m;
    make(&m, 2, 3);
    morph(&m, 2); /* both tables, then shared out */
    m.parts[0].vertex_count = 2;
    m.parts[1] = (vat_part){.node = 0, .skin = VAT_NONE, .first_vertex = 2, .vertex_count = 1};
    m.part_count = 2;
    m.parts[0].target_count = m.parts[1].target_count = 1;
    m.nodes[0].weight_count = m.nodes[1].weight_count = 1;
    m.parts[1].first_target = m.nodes[0].first_weight = 1;
    m.targets[0].position[1][0] = 1;
    m.targets[1].position[0][1] = 1;
    m.weights[0] = 2;
    m.weights[1] = 3;
    vertices_at(&m, VAT_NONE, 0);
    ASSERT_NEAR3(positions[0], 0, 0, 0);
    ASSERT_NEAR3(positions[1], 2, 0, 0);
    ASSERT_NEAR3(positions[2], 0, 3, 0);
    const double time = 0, value = 7;
    animate(&m, 0, VAT_WEIGHTS, VAT_STEP, 1, &time, &value);
    vertices_at(&m, 0, 0);
    ASSERT_NEAR3(positions[1], 2, 0, 0);
    ASSERT_NEAR3(positions[2], 0, 7, 0);
    vat_model_free(&m);
}

/* ------------------------------------------------------------------------------------------- normals (V6) */

/* For any matrix of either sign: at right angles to moved tangents, of unit length, on the side the normal's tip moves
 * to; as a rigid part's and as a joint's. */
static void normals_stay_at_right_angles_and_outside(void **state)
{
    (void)state;
    uint32_t seed = 3;
    int mirrored = 0;
    for (int n = 0; n < 400; n++) {
        vat_model m;
        make(&m, 1, 1);
        double a[16] = {0}, normal[3], tangents[2][3];
        for (int i = 0; i < 12; i++)
            a[i / 3 * 4 + i % 3] = any(&seed) * (n % 4 == 0 ? 100 : 1);
        a[15] = 1;
        m.nodes[0].has_matrix = true;
        memcpy(m.nodes[0].matrix, a, sizeof a);
        if (n % 2)
            skin(&m);
        any_unit(&seed, 3, normal);
        any_unit(&seed, 3, tangents[0]);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            tangents[1][i] = tangents[0][j] * normal[k] - tangents[0][k] * normal[j];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            tangents[0][i] = tangents[1][j] * normal[k] - tangents[1][k] * normal[j];
        }
        memcpy(m.vertices[0].normal, normal, sizeof normal);
        vertices_at(&m, VAT_NONE, 0);
        const double *got = normals[0];
        assert_true(fabs(dot(got, got, 3) - 1) < 1e-12);
        for (int k = 0; k < 3; k++) {
            const double *v = k < 2 ? tangents[k] : normal;
            const double moved[3] = {a[0] * v[0] + a[4] * v[1] + a[8] * v[2], a[1] * v[0] + a[5] * v[1] + a[9] * v[2],
                                     a[2] * v[0] + a[6] * v[1] + a[10] * v[2]};
            if (k < 2)
                assert_true(fabs(dot(got, moved, 3)) < 1e-9);
            else
                assert_true(dot(got, moved, 3) > 0);
        }
        mirrored += a[0] * (a[5] * a[10] - a[9] * a[6]) - a[4] * (a[1] * a[10] - a[9] * a[2]) +
                        a[8] * (a[1] * a[6] - a[5] * a[2]) <
                    0;
        vat_model_free(&m);
    }
    assert_in_range(mirrored, 100, 300);
}

static void normals_of_known_scales(void **state)
{
    (void)state;
    static const struct {
        double scale[3], normal[3], wanted[3]; /* both to be made unit */
    } rows[] = {
        {{2, 1, 1}, {1, 1, 0}, {1, 2, 0}},
        {{-1, 1, 1}, {1, 1, 0}, {-1, 1, 0}},
        {{-1, -1, 1}, {1, 1, 1}, {-1, -1, 1}},
        {{-1, -1, -1}, {1, 2, 3}, {-1, -2, -3}},
        {{-2, 1, 4}, {1, 1, 1}, {-2, 4, 1}},
        {{1e-4, 1e-4, 1e-4}, {1, 2, 3}, {1, 2, 3}},
        {{1e-40, 1e-40, 1e-40}, {1, 2, 3}, {1, 2, 3}},
        {{1e60, 1e60, -1e60}, {1, 2, 3}, {1, 2, -3}},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        vat_model m;
        make(&m, 1, 1);
        double wanted[3];
        for (int i = 0; i < 3; i++) {
            m.nodes[0].scale[i] = rows[n].scale[i];
            m.vertices[0].normal[i] = rows[n].normal[i] / sqrt(dot(rows[n].normal, rows[n].normal, 3));
            wanted[i] = rows[n].wanted[i] / sqrt(dot(rows[n].wanted, rows[n].wanted, 3));
        }
        vertices_at(&m, VAT_NONE, 0);
        assert_near(normals[0], wanted, 3, 1e-12);
        vat_model_free(&m);
    }
}

/* Flat: the plane's normal where the normal says which side, else what is left; lines, points, no normal: still unit.
 */
static void collapsed_matrices_leave_a_unit_normal(void **state)
{
    (void)state;
    static const struct {
        double scale[3], normal[3], wanted[3];
    } rows[] = {
        {{1, 0, 1}, {0, 1, 0}, {0, 1, 0}},         {{1, 0, 1}, {0, -1, 0}, {0, -1, 0}},
        {{1, 0, 1}, {0.6, 0.8, 0}, {0, 1, 0}},     {{1, 0, 1}, {1, 0, 0}, {1, 0, 0}},
        {{-3, 0, 1}, {1, 0, 0}, {-1, 0, 0}},       {{2, 0, 0}, {0.6, 0.8, 0}, {1, 0, 0}},
        {{0, 0, 0}, {0, 0.6, 0.8}, {0, 0.6, 0.8}}, {{1, 1, 1}, {0, 0, 0}, {0, 1, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}},         {{1e300, 1e300, 1e300}, {1, 0, 0}, {1, 0, 0}},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        vat_model m;
        make(&m, 1, 1);
        memcpy(m.nodes[0].scale, rows[n].scale, sizeof rows[n].scale);
        memcpy(m.vertices[0].normal, rows[n].normal, sizeof rows[n].normal);
        vertices_at(&m, VAT_NONE, 0);
        assert_near(normals[0], rows[n].wanted, 3, 1e-12);
        vat_model_free(&m);
    }
}

/* A flat matrix that is turned has a determinant of rounding noise: the side must not depend on it. */
static void flat_and_turned_keeps_its_side(void **state)
{
    (void)state;
    uint32_t seed = 11;
    for (int n = 0; n < 200; n++) {
        vat_model m;
        make(&m, 2, 1);
        any_unit(&seed, 4, m.nodes[0].rotation);
        any_unit(&seed, 4, m.nodes[1].rotation);
        m.nodes[0].scale[1] = 0; /* flattened by the parent, after the child's own turn */
        m.vertices[0].normal[1] = 0;
        any_unit(&seed, 3, m.vertices[0].normal);
        vertices_at(&m, VAT_NONE, 0);
        double flat[3], exact[3];
        memcpy(flat, normals[0], sizeof flat);
        m.nodes[0].scale[1] = 1e-6; /* nearly flat: no doubt about the side */
        vertices_at(&m, VAT_NONE, 0);
        memcpy(exact, normals[0], sizeof exact);
        assert_true(dot(flat, exact, 3) > 0.99);
        vat_model_free(&m);
    }
}

/* ------------------------------------------------------------------------------------------- models */

/* A model with everything: part 0 skinned, part 1 rigid with a morph target, a clip with all paths. */
static void make_all(vat_model *m)
{
    make(m, 4, 4);
    skin(m);
    m->parts[1] = (vat_part){.node = 3, .skin = VAT_NONE, .first_vertex = 3, .vertex_count = 1};
    m->parts[0].vertex_count = 3;
    m->parts[0].node = 2;
    m->part_count = 2;
    m->vertices[3].weight[0] = 0;
    m->index_count = m->parts[0].index_count = 3;
    m->indices[1] = 1;
    m->indices[2] = 2;
    m->target_count = m->weight_count = m->parts[1].target_count = m->nodes[3].weight_count = 1;
    m->targets[0].position = calloc(1, sizeof *m->targets[0].position);
    m->targets[0].normal = calloc(1, sizeof *m->targets[0].normal);
    assert_true(m->targets[0].position && m->targets[0].normal);
    const double times[] = {0, 1}, turns[] = {0, 0, 0, 1, 0, 1, 0, 0}, zeros[24] = {0};
    double cubic_turns[24] = {0};
    cubic_turns[4] = cubic_turns[17] = 1;
    animate(m, 0, VAT_TRANSLATION, VAT_LINEAR, 2, times, zeros);
    animate(m, 0, VAT_ROTATION, VAT_STEP, 2, times, turns);
    animate(m, 1, VAT_ROTATION, VAT_CUBIC, 2, times, cubic_turns);
    animate(m, 3, VAT_WEIGHTS, VAT_LINEAR, 2, times, zeros);
}

/* S(name, what is wrong, part of the message) */
#define SPOILED(S)                                                                                                   \
    S(no_nodes, m->node_count = 0, "0 nodes")                                                                        \
    S(many_nodes, m->node_count = VAT_MAX_NODES + 1, "65537 nodes")                                                  \
    S(no_vertices, m->vertex_count = 0, "0 vertices")                                                                \
    S(many_vertices, m->vertex_count = VAT_MAX_VERTICES + 1, "4194305 vertices")                                     \
    S(no_array, (free(m->indices), m->indices = NULL), "3 indices, but there is no array")                           \
    S(weight_nan, m->weights[0] = NAN, "default morph weight is not finite")                                         \
    S(node_name, memset(m->nodes[1].name, 'a', VAT_NAME_BYTES), "node 1: its name")                                  \
    S(own_parent, m->nodes[1].parent = 1, "node 1: parent 1 does not come before it")                                \
    S(later_parent, m->nodes[1].parent = 2, "node 1: parent 2")                                                      \
    S(negative_parent, m->nodes[1].parent = -2, "node 1: parent -2")                                                 \
    S(node_nan, m->nodes[2].translation[1] = NAN, "node 2: its transform is not finite")                             \
    S(scale_inf, m->nodes[2].scale[2] = INFINITY, "node 2: its transform is not finite")                             \
    S(matrix_nan, (m->nodes[2].has_matrix = true, m->nodes[2].matrix[15] = NAN), "node 2: its transform")            \
    S(not_unit, m->nodes[2].rotation[3] = 1.001, "node 2: its rotation is not a unit quaternion")                    \
    S(no_turn, m->nodes[2].rotation[3] = 0, "node 2: its rotation is not a unit quaternion")                         \
    S(node_weights, m->nodes[2].first_weight = UINT32_MAX, "node 2: morph weights 4294967295 + 0 of 1")              \
    S(weights_wrap, m->nodes[3].first_weight = UINT32_MAX, "node 3: morph weights")                                  \
    S(skin_empty, m->skins[0].joint_count = 0, "skin 0: it has no joints")                                           \
    S(skin_range, m->skins[0].first_joint = 1, "skin 0: joints 1 + 4 of 4")                                          \
    S(joint_node, m->joints[1] = 4, "joint 1: node 4 of 4")                                                          \
    S(bind_nan, m->inverse_bind[3][7] = NAN, "joint 3: its inverse bind matrix")                                     \
    S(part_name, memset(m->parts[1].name, 'a', VAT_NAME_BYTES), "part 1: its name")                                  \
    S(part_no_node, m->parts[1].node = VAT_NONE, "part 1: node -1 of 4")                                             \
    S(part_node, m->parts[1].node = 4, "part 1: node 4 of 4")                                                        \
    S(part_skin, m->parts[0].skin = 1, "part 0: skin 1 of 1")                                                        \
    S(part_odd_skin, m->parts[0].skin = -2, "part 0: skin -2 of 1")                                                  \
    S(part_gap, m->parts[1].first_vertex = 2, "part 1: vertices 2 + 1 of 4")                                         \
    S(part_long, m->parts[1].vertex_count = 2, "part 1: vertices 3 + 2 of 4")                                        \
    S(part_missing, m->part_count = 1, "4 vertices, but the parts hold 3")                                           \
    S(part_indices, m->parts[0].first_index = 1, "part 0: indices 1 + 3 of 3")                                       \
    S(part_triangles, m->parts[0].index_count = 2, "part 0: indices 0 + 2 of 3")                                     \
    S(part_targets, m->parts[1].first_target = 1, "part 1: morph targets 1 + 1 of 1, for 1 weights")                 \
    S(part_weights, m->parts[1].target_count = 0, "part 1: morph targets 0 + 0 of 1, for 1 weights")                 \
    S(position_nan, m->vertices[2].position[0] = NAN, "vertex 2: its position")                                      \
    S(normal_inf, m->vertices[2].normal[2] = -INFINITY, "vertex 2: its position, normal or uv")                      \
    S(uv_nan, m->vertices[2].uv[1] = NAN, "vertex 2: its position, normal or uv")                                    \
    S(joint_range, m->vertices[1].joint[7] = 4, "vertex 1: joint 4 of a skin of 4 joints")                           \
    S(weight_negative, (m->vertices[1].weight[0] = 1.5, m->vertices[1].weight[1] = -0.5), "vertex 1: joint weight")  \
    S(one_nan, m->vertices[1].weight[3] = NAN, "vertex 1: joint weight")                                             \
    S(weight_sum, m->vertices[1].weight[0] = 0.99, "vertex 1: its joint weights sum to 0.99")                        \
    S(rigid_weight, m->vertices[3].weight[1] = 1, "vertex 3: it has joint weights, but its part is rigid")           \
    S(other_index, m->indices[1] = 3, "index 1: vertex 3 is not one of its part's, 0 + 3")                           \
    S(target_nan, m->targets[0].position[0][1] = NAN, "morph target 0: a delta")                                     \
    S(target_inf, m->targets[0].normal[0][1] = INFINITY, "morph target 0: a delta")                                  \
    S(channel_node, m->channels[1].node = 4, "channel 1: node 4 of 4")                                               \
    S(channel_path, m->channels[1].path = (vat_path)4, "channel 1: unknown path")                                    \
    S(channel_kind, m->channels[1].interpolation = (vat_interpolation)3, "channel 1: unknown path or interpolation") \
    S(channel_width, m->channels[1].components = 3, "channel 1: 3 components, must be 4")                            \
    S(channel_no_weights, m->channels[3].node = 1, "channel 3: 1 components, must be 0")                             \
    S(channel_matrix, m->nodes[0].has_matrix = true, "channel 0: it moves node 0, which has a matrix")               \
    S(channel_empty, m->channels[1].key_count = 0, "channel 1: it has no keys")                                      \
    S(channel_lost, (free(m->channels[1].values), m->channels[1].values = NULL), "channel 1: it has no keys")        \
    S(time_nan, m->channels[1].times[0] = NAN, "channel 1: key 0: time")                                             \
    S(time_same, m->channels[1].times[1] = 0, "channel 1: key 1: time 0 s does not rise")                            \
    S(time_back, m->channels[1].times[1] = -1, "channel 1: key 1: time -1 s does not rise")                          \
    S(value_nan, m->channels[0].values[5] = NAN, "channel 0: key 1: a value is not finite")                          \
    S(tangent_nan, m->channels[2].values[23] = NAN, "channel 2: key 1: a value is not finite")                       \
    S(key_not_unit, m->channels[1].values[5] = 0.5, "channel 1: key 1: not a unit quaternion")                       \
    S(cubic_not_unit, m->channels[2].values[17] = 0.5, "channel 2: key 1: not a unit quaternion")                    \
    S(clip_name, memset(m->clips[0].name, 'a', VAT_NAME_BYTES), "clip 0: its name")                                  \
    S(clip_range, m->clips[0].first_channel = 1, "clip 0: channels 1 + 4 of 4")                                      \
    S(clip_short, m->clips[0].duration = 0.5, "clip 0: duration 0.5 s, but its last key is at 1 s")                  \
    S(clip_nan, m->clips[0].duration = NAN, "clip 0: duration nan s")

#define SPOIL(name, change, part)          \
    static void spoil_##name(vat_model *m) \
    {                                      \
        (void)(change);                    \
    }
SPOILED(SPOIL)

static void wrong_models_are_refused(void **state)
{
    (void)state;
#define SPOIL_ROW(name, change, part) {#name, spoil_##name, part},
    static const struct {
        const char *name;
        void (*spoil)(vat_model *);
        const char *part;
    } rows[] = {SPOILED(SPOIL_ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vat_model m, good;
        make_all(&m);
        assert_vfx_ok(vat_model_check(&m, "good"));
        good = m; /* the counts, to free everything */
        rows[i].spoil(&m);
        const vfx_status status = vat_model_check(&m, "Bad.glb");
        if (status != VFX_IO)
            fail_msg("%s: %s", rows[i].name, vfx_status_name(status));
        if (!strstr(vfx_message(), rows[i].part) || strncmp(vfx_message(), "Bad.glb: ", 9) != 0)
            fail_msg("%s: \"%s\" lacks \"%s\"", rows[i].name, vfx_message(), rows[i].part);
        good.indices = m.indices;
        vat_model_free(&good);
    }
}

static void free_takes_anything(void **state)
{
    (void)state;
    vat_model m = {.channel_count = 3, .target_count = 2}; /* counted, not yet made */
    vat_model_free(&m);
    assert_int_equal(m.channel_count, 0);
    m.channels = calloc(3, sizeof *m.channels);
    m.channel_count = 3;
    vat_model_free(&m);
    assert_null(m.channels);
    vat_pose pose = {0};
    vat_pose_destroy(&pose);
}

static void warnings_are_lines_and_never_too_long(void **state)
{
    (void)state;
    vat_model m = {0};
    vat_model_warn(&m, "node %d has no name", 3);
    assert_string_equal(m.warnings, "node 3 has no name");
    vat_model_warn(&m, "second");
    assert_string_equal(m.warnings, "node 3 has no name\nsecond");
    for (int i = 0; i < 300; i++)
        vat_model_warn(&m, "%s", "abcdefgh");
    assert_int_equal(strlen(m.warnings), sizeof m.warnings - 1);
    assert_int_equal(strncmp(m.warnings, "node 3 has no name\nsecond\nabcdefgh\nabcdefgh\n", 44), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(linear_is_straight_and_clamped),
    cmocka_unit_test(rotations_take_the_shorter_arc_at_constant_speed),
    cmocka_unit_test(equal_near_and_opposite_rotations_are_finite),
    cmocka_unit_test(steps_hold),
    cmocka_unit_test(cubic_keys_give_their_polynomial_back),
    cmocka_unit_test(cubic_tangents_are_on_their_sides),
    cmocka_unit_test(cubic_rotations_are_unit_and_never_undefined),
    cmocka_unit_test(nodes_are_translation_rotation_scale),
    cmocka_unit_test(a_matrix_is_taken_as_it_is),
    cmocka_unit_test(joints_are_global_times_inverse_bind),
    cmocka_unit_test(morph_targets_add_up_before_the_matrix),
    cmocka_unit_test(morph_weights_can_be_cubic_and_skins_come_after),
    cmocka_unit_test(parts_morph_by_their_own_targets),
    cmocka_unit_test(normals_stay_at_right_angles_and_outside),
    cmocka_unit_test(normals_of_known_scales),
    cmocka_unit_test(collapsed_matrices_leave_a_unit_normal),
    cmocka_unit_test(flat_and_turned_keeps_its_side),
    cmocka_unit_test(wrong_models_are_refused),
    cmocka_unit_test(free_takes_anything),
    cmocka_unit_test(warnings_are_lines_and_never_too_long),
};
VFX_TEST_MAIN(tests)
