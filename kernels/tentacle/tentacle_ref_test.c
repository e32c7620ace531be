/* tentacle_ref_test.c - the tentacle reference against what the maths says: closed forms, exact consequences of the
 * one-frame lag, topology, and inputs that have no direction. T3 and so on are the properties of the specification.
 * The fixture builds its own scene, so that nothing here depends on the family's host code. Scenes lie near the
 * origin, where a float record resolves 1e-7 of a link. */
#include "core/test.h"

#include "kernels/tentacle/tentacle_ref.h"
#include "kernels/tentacle/tentacle_shared.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ------------------------------------------------------------------------------ small vectors */

typedef struct v3 {
    double x, y, z;
} v3;

static v3 v3_of(vec3 a)
{
    return (v3){a.x, a.y, a.z};
}

static vec3 to_vec3(v3 a)
{
    return (vec3){(float)a.x, (float)a.y, (float)a.z};
}

static v3 sub(v3 a, v3 b)
{
    return (v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static v3 mad(v3 a, double s, v3 b)
{
    return (v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static v3 cross(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double length(v3 a)
{
    return sqrt(dot(a, a));
}

static v3 unit(v3 a)
{
    return mad((v3){0, 0, 0}, 1 / length(a), a);
}

/* v turned by `angle` about the unit vector `axis`. */
static v3 turned(v3 v, v3 axis, double angle)
{
    const v3 flat = mad(mad((v3){0, 0, 0}, cos(angle), v), sin(angle), cross(axis, v));
    return mad(flat, dot(axis, v) * (1 - cos(angle)), axis);
}

static double distance(vec3 a, vec3 b)
{
    return length(sub(v3_of(a), v3_of(b)));
}

/* Signed angle from a to b about `axis`, rad. */
static double angle_about(v3 a, v3 b, v3 axis)
{
    return atan2(dot(cross(a, b), axis), dot(a, b));
}

static void near(double a, double b, double limit)
{
    if (!(fabs(a - b) <= limit))
        fail_msg("%.9g is not %.9g within %g (off by %g)", a, b, limit, a - b);
}

/* A fixed sequence of numbers in [-1, 1). */
static double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) * 0x1p-23 - 1;
}

static v3 noise_direction(uint32_t *seed)
{
    for (;;) {
        const v3 v = {noise(seed), noise(seed), noise(seed)};
        if (dot(v, v) < 1 && dot(v, v) > 0.01)
            return unit(v);
    }
}

/* Unit quaternion whose rotation has these images of z and x (orthonormal). */
static vec4 frame_quaternion(v3 forward, v3 right)
{
    const v3 up = cross(forward, right);
    /* Columns right, up, forward. The largest of the four squared components avoids a small divisor. */
    const double m[3][3] = {{right.x, up.x, forward.x}, {right.y, up.y, forward.y}, {right.z, up.z, forward.z}};
    const double w = 1 + m[0][0] + m[1][1] + m[2][2], x = 1 + m[0][0] - m[1][1] - m[2][2];
    const double y = 1 - m[0][0] + m[1][1] - m[2][2], z = 1 - m[0][0] - m[1][1] + m[2][2];
    double q[4];
    if (w >= x && w >= y && w >= z) {
        q[0] = m[2][1] - m[1][2], q[1] = m[0][2] - m[2][0], q[2] = m[1][0] - m[0][1], q[3] = w;
    } else if (x >= y && x >= z) {
        q[0] = x, q[1] = m[1][0] + m[0][1], q[2] = m[0][2] + m[2][0], q[3] = m[2][1] - m[1][2];
    } else if (y >= z) {
        q[0] = m[1][0] + m[0][1], q[1] = y, q[2] = m[2][1] + m[1][2], q[3] = m[0][2] - m[2][0];
    } else {
        q[0] = m[0][2] + m[2][0], q[1] = m[2][1] + m[1][2], q[2] = z, q[3] = m[1][0] - m[0][1];
    }
    const double s = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (vec4){(float)(q[0] * s), (float)(q[1] * s), (float)(q[2] * s), (float)(q[3] * s)};
}

/* -------------------------------------------------------------------------------- the fixture */

typedef struct scene {
    vfx_case kase;
    vfx_frame frame;
    tentacle_params params;
    uint64_t particles, vertices, indices;
    uint32_t ring;
    tentacle_particle *prev, *next;
    tentacle_root *root;
    tentacle_entity *entity; /* one */
    tentacle_vertex *vertex, *corner;
    tentacle_packed *packed;
    uint32_t *index;
    uint8_t *ill;
} scene;

static tentacle_params default_params(uint32_t particles)
{
    tentacle_params p;
#define FROM_F32(value) (float)(value)
#define FROM_U32(value) (value)
#define FROM_BOOL(value) (value)
#define DEFAULT_P(TYPE, name, def, lo, hi, flags, help) p.name = FROM_##TYPE(def);
#define DEFAULT_E(name, enumeration, def, flags, help) p.name = def;
    TENTACLE_PARAMS(DEFAULT_P, DEFAULT_E)
    p.tentacles = 1;
    p.particles = particles;
    return p;
}

static void *allocate(uint64_t count, size_t bytes)
{
    void *memory = calloc((size_t)count, bytes);
    assert_non_null(memory);
    return memory;
}

/* All weights 0, entity at the origin unturned, base forward z and right x. */
static void scene_create(scene *s, tentacle_params params, double dt, double drag)
{
    memset(s, 0, sizeof *s);
    s->params = params;
    memcpy(s->kase.words, &params, sizeof params);
    s->frame.dt = s->kase.dt = (float)dt;
    s->frame.host[0].x = (float)exp(-drag * dt);
    s->particles = (uint64_t)params.tentacles * params.particles;
    s->ring = params.sides + (params.seam != 0 ? 1 : 0);
    s->vertices = s->particles * s->ring + (params.cap != 0 ? params.tentacles : 0);
    s->indices = (uint64_t)params.tentacles * params.sides * (6 * (params.particles - 1) + (params.cap != 0 ? 3 : 0));
    s->prev = allocate(s->particles, sizeof *s->prev);
    s->next = allocate(s->particles, sizeof *s->next);
    s->root = allocate(params.tentacles, sizeof *s->root);
    s->entity = allocate(1, sizeof *s->entity);
    s->vertex = allocate(s->vertices, sizeof *s->vertex);
    s->packed = allocate(s->vertices, sizeof *s->packed);
    s->corner = allocate(s->indices, sizeof *s->corner);
    s->index = allocate(s->indices, sizeof *s->index);
    s->ill = allocate(s->particles, 1);
    s->entity->rotation.w = s->entity->rotation_prev.w = 1;
    for (uint32_t t = 0; t < params.tentacles; t++)
        s->root[t].rotation.w = 1;
}

static void scene_destroy(scene *s)
{
    free(s->prev);
    free(s->next);
    free(s->root);
    free(s->entity);
    free(s->vertex);
    free(s->packed);
    free(s->corner);
    free(s->index);
    free(s->ill);
}

static vfx_ref scene_ref(const scene *s)
{
    vfx_ref ref = {0};
    ref.kase = &s->kase;
    ref.frame = &s->frame;
    ref.prev[TENTACLE_BUFFER_PARTICLE] = s->prev;
    ref.in[TENTACLE_BUFFER_PARTICLE] = s->prev;
    ref.in[TENTACLE_BUFFER_ROOT] = s->root;
    ref.in[TENTACLE_BUFFER_ENTITY] = s->entity;
    ref.out[TENTACLE_BUFFER_PARTICLE] = s->next;
    ref.out[TENTACLE_BUFFER_VERTEX] = s->vertex;
    ref.out[TENTACLE_BUFFER_PACKED] = s->packed;
    ref.out[TENTACLE_BUFFER_CORNER] = s->corner;
    ref.out[TENTACLE_BUFFER_INDEX] = s->index;
    ref.ill[TENTACLE_BUFFER_PARTICLE] = s->ill;
    return ref;
}

/* One frame; afterwards `prev` is the new state. */
static void scene_step(scene *s)
{
    const vfx_ref ref = scene_ref(s);
    s->frame.index++;
    tentacle_update_ref_f64(&ref, 0, s->particles);
    tentacle_particle *swap = s->prev;
    s->prev = s->next;
    s->next = swap;
}

static void scene_steps(scene *s, uint32_t frames)
{
    for (uint32_t k = 0; k < frames; k++)
        scene_step(s);
}

static void scene_mesh(scene *s)
{
    const vfx_ref ref = scene_ref(s);
    tentacle_mesh_ref_f64(&ref, 0, s->particles);
    tentacle_index_ref_f64(&ref, 0, s->particles);
}

/* Straight from the root along `forward`; the root's frame is set to it. */
static void pose_straight(scene *s, uint32_t tentacle, v3 at, v3 forward, v3 right)
{
    tentacle_root *root = &s->root[tentacle];
    root->offset = to_vec3(at);
    root->rotation = frame_quaternion(forward, right);
    for (uint32_t j = 0; j < s->params.particles; j++) {
        tentacle_particle *p = &s->prev[(uint64_t)tentacle * s->params.particles + j];
        memset(p, 0, sizeof *p);
        p->position = to_vec3(mad(at, j * (double)s->params.rest_length, forward));
        p->forward = to_vec3(forward);
        p->right = to_vec3(right);
        p->arc_length = (float)j * s->params.rest_length;
        p->radius = s->params.radius;
    }
}

/* The first tentacle along given points with consistent forwards, rights the projections of the root's. */
static void pose_curve(scene *s, const v3 *points, v3 root_forward, v3 root_right)
{
    const uint32_t n = s->params.particles;
    pose_straight(s, 0, points[0], root_forward, root_right);
    for (uint32_t j = 1; j < n; j++) {
        const v3 forward = unit(sub(points[j + 1 < n ? j + 1 : j], points[j - 1]));
        v3 right = mad(root_right, -dot(root_right, forward), forward);
        if (length(right) < 0.1)
            right = mad(root_forward, -dot(root_forward, forward), forward);
        s->prev[j].position = to_vec3(points[j]);
        s->prev[j].forward = to_vec3(forward);
        s->prev[j].right = to_vec3(unit(right));
    }
}

/* T4 and finiteness of every word. */
static void check_frames(const scene *s)
{
    for (uint64_t i = 0; i < s->particles; i++) {
        float words[16];
        memcpy(words, &s->prev[i], sizeof words);
        for (int w = 0; w < 16; w++)
            if (!isfinite(words[w]))
                fail_msg("particle %u, word %d, frame %u: %g", (unsigned)i, w, s->frame.index, (double)words[w]);
        const v3 right = v3_of(s->prev[i].right), forward = v3_of(s->prev[i].forward);
        near(length(right), 1, 1e-6);
        near(length(forward), 1, 1e-6);
        near(dot(right, forward), 0, 1e-6);
    }
}

static double link_length(const scene *s, uint32_t joint)
{
    return distance(s->prev[joint].position, s->prev[joint - 1].position);
}

static void set_idle_weights(tentacle_entity *entity)
{
    entity->straighten = 14;
    entity->stiffen = 60;
    entity->gravity = 1;
    entity->wriggle = 8;
    entity->pulsate = 0.1f;
    entity->emissive = 0.25f;
}

/* A busy scene: `tentacles` around a turning, moving entity, all forces on; random directions. */
static void pose_busy(scene *s, uint32_t *seed)
{
    set_idle_weights(s->entity);
    s->entity->look = 6;
    for (uint32_t t = 0; t < s->params.tentacles; t++) {
        const v3 forward = noise_direction(seed), side = noise_direction(seed);
        const v3 right = unit(mad(side, -dot(side, forward), forward));
        pose_straight(s, t, mad((v3){0, 0, 0}, 0.25, forward), forward, right);
        s->root[t].phase = (float)(0.5 + 0.5 * noise(seed));
    }
}

static void drive_busy(scene *s)
{
    const double t = (s->frame.index + 1) * (double)s->frame.dt;
    s->entity->rotation_prev = s->entity->rotation;
    s->entity->translation_prev = s->entity->translation;
    s->entity->rotation = (vec4){0, 0, (float)sin(0.3 * t), (float)cos(0.3 * t)};
    s->entity->translation = (vec3){(float)(0.3 * sin(2 * t)), (float)(0.2 * t), (float)(1 + 0.3 * cos(3 * t))};
    s->entity->wriggle_phase = (float)(0.6 * t - floor(0.6 * t));
    s->entity->pulsate_phase = (float)(0.8 * t - floor(0.8 * t));
}

/* ----------------------------------------------------------------------- topology, rings, uv */

/* T1: the pattern of the specification, for V = 5: 0 1 5 / 5 1 6 ... 4 0 9 / 9 0 5; a second tentacle behind a root. */
static void t1_index_pattern(void **state)
{
    (void)state;
    tentacle_params p = default_params(3);
    p.tentacles = 2;
    scene s;
    scene_create(&s, p, 1 / 60.0, 4);
    scene_mesh(&s);
    static const uint32_t first[30] = {0, 1, 5, 5, 1, 6, 1, 2, 6, 6, 2, 7, 2, 3, 7,
                                       7, 3, 8, 3, 4, 8, 8, 4, 9, 4, 0, 9, 9, 0, 5};
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(s.index[i], first[i]);
        assert_int_equal(s.index[30 + i], first[i] + 5);
        assert_int_equal(s.index[60 + i], first[i] + 15); /* not + 10: no segment ends at a root */
        assert_int_equal(s.index[90 + i], first[i] + 20);
    }
    scene_destroy(&s);

    p.seam = p.cap = 1;
    scene_create(&s, p, 1 / 60.0, 4);
    scene_mesh(&s);
    static const uint32_t last_side[6] = {4, 5, 10, 10, 5, 11};
    assert_memory_equal(s.index + 24, last_side, sizeof last_side);
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(s.index[120 + 15 * t + 3 * i], (3 * t + 2) * 6 + i);
            assert_int_equal(s.index[120 + 15 * t + 3 * i + 1], (3 * t + 2) * 6 + i + 1);
            assert_int_equal(s.index[120 + 15 * t + 3 * i + 2], 36 + t);
        }
    scene_destroy(&s);
}

/* Counts of the triangles' directed edges: every one once; edges without an opposite are the boundary. */
static void count_topology(const scene *s, uint32_t *boundary, int64_t *euler)
{
    const size_t v = (size_t)s->vertices;
    uint8_t *edge = allocate(v * v, 1), *used = allocate(v, 1);
    for (uint64_t i = 0; i < s->indices; i++) {
        const uint32_t a = s->index[i], b = s->index[i % 3 == 2 ? i - 2 : i + 1];
        assert_true(a < v && b < v && a != b);
        assert_int_equal(edge[a * v + b]++, 0);
        used[a] = 1;
    }
    uint32_t edges = 0, vertices = 0;
    *boundary = 0;
    for (size_t a = 0; a < v; a++) {
        vertices += used[a];
        for (size_t b = 0; b < v; b++) {
            const bool forth = edge[a * v + b] != 0, back = edge[b * v + a] != 0;
            edges += a < b && (forth || back);
            *boundary += forth && !back;
        }
    }
    *euler = (int64_t)vertices - edges + (int64_t)s->indices / 3;
    free(edge);
    free(used);
}

static void t1_surface_is_a_tube(void **state)
{
    (void)state;
    for (uint32_t option = 0; option < 4; option++)
        for (uint32_t sides = 3; sides <= 16; sides += sides < 6 ? 1 : 5) {
            const bool seam = (option & 1) != 0, cap = (option & 2) != 0;
            const uint32_t n = sides == 4 ? 2 : 5, tentacles = 3;
            tentacle_params p = default_params(n);
            p.tentacles = tentacles;
            p.sides = sides;
            p.seam = seam;
            p.cap = cap;
            scene s;
            scene_create(&s, p, 1 / 60.0, 4);
            memset(s.index, 0xff, s.indices * sizeof *s.index); /* an unwritten index fails the range check */
            scene_mesh(&s);
            uint32_t boundary;
            int64_t euler;
            count_topology(&s, &boundary, &euler);
            const uint32_t rims = (cap ? 1 : 2) * sides, slit = seam ? 2 * (n - 1 + (cap ? 1 : 0)) : 0;
            assert_int_equal(boundary, tentacles * (rims + slit));
            assert_int_equal(euler, seam || cap ? tentacles : 0); /* discs, or open tubes */
            scene_destroy(&s);
        }
}

static v3 corner_at(const scene *s, uint64_t i)
{
    return v3_of(s->vertex[s->index[i]].position);
}

/* T2: counter-clockwise seen from outside, on a bent tube with all options. */
static void t2_outward_winding(void **state)
{
    (void)state;
    for (uint32_t option = 0; option < 8; option++) {
        tentacle_params p = default_params(21);
        p.tentacles = 3;
        p.seam = option & 1;
        p.cap = option >> 1 & 1;
        p.tilt = option >> 2;
        scene s;
        uint32_t seed = 7;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_busy(&s, &seed);
        for (uint32_t k = 0; k < 30; k++) {
            drive_busy(&s);
            scene_step(&s);
        }
        scene_mesh(&s);
        for (uint64_t i = 0; i < s.indices; i += 3) {
            const v3 a = corner_at(&s, i), b = corner_at(&s, i + 1), c = corner_at(&s, i + 2);
            const v3 face = unit(cross(sub(b, a), sub(c, a)));
            double outward = 0;
            for (uint64_t k = i; k < i + 3; k++)
                outward += dot(face, v3_of(s.vertex[s.index[k]].normal));
            assert_true(outward > 0.5);
        }
        scene_destroy(&s);
    }
}

/* T3 ring radius and centroid, T18 uv, the tilted normal, the apex, the packed form. */
static void t3_t18_rings(void **state)
{
    (void)state;
    for (uint32_t option = 0; option < 8; option++) {
        tentacle_params p = default_params(6);
        p.seam = option & 1;
        p.cap = option >> 1 & 1;
        p.tilt = option >> 2;
        p.sides = 7;
        scene s;
        uint32_t seed = 3;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_busy(&s, &seed);
        for (uint32_t k = 0; k < 10; k++) {
            drive_busy(&s);
            scene_step(&s);
        }
        scene_mesh(&s);
        const double slope = 0.85 * 0.03 / (5 * 0.05), tilt = p.tilt != 0 ? slope : 0;
        for (uint32_t j = 0; j < 6; j++) {
            const tentacle_particle *q = &s.prev[j];
            const tentacle_vertex *ring = s.vertex + j * s.ring;
            const v3 centre = v3_of(q->position), forward = v3_of(q->forward), right = v3_of(q->right);
            v3 sum = {0, 0, 0};
            for (uint32_t i = 0; i < s.ring; i++) {
                const v3 arm = sub(v3_of(ring[i].position), centre), normal = v3_of(ring[i].normal);
                near(length(arm), (double)q->radius, 1e-6);
                near(dot(arm, forward), 0, 1e-6);
                const double turn = angle_about(right, arm, forward) / (2 * PI) - i / 7.0;
                near(turn - round(turn), 0, 1e-5); /* theta increases about forward from right */
                near(length(normal), 1, 1e-6);
                near(dot(normal, unit(arm)), 1 / sqrt(1 + tilt * tilt), 1e-5);
                near(dot(normal, forward), tilt / sqrt(1 + tilt * tilt), 1e-6);
                assert_memory_equal(&ring[i].binormal, &q->forward, sizeof(vec3));
                near((double)ring[i].u, i / 7.0, 1e-7);
                near((double)ring[i].v, j * 0.05 / (2 * PI * 0.03), 1e-6);
                assert_memory_equal(&s.packed[j * s.ring + i].position, &ring[i].position, sizeof(vec3));
                if (i < 7)
                    sum = mad(sum, 1 / 7.0, arm);
            }
            near(length(sum), 0, 1e-6);
            if (p.seam != 0) {
                assert_memory_equal(&ring[7].position, &ring[0].position, sizeof(vec3));
                assert_true(ring[7].u == 1 && ring[0].u == 0);
            }
        }
        if (p.cap != 0) {
            const tentacle_vertex *apex = s.vertex + 6 * s.ring;
            const tentacle_particle *tip = &s.prev[5];
            const v3 top = mad(v3_of(tip->position), (double)tip->radius, v3_of(tip->forward));
            near(length(sub(v3_of(apex->position), top)), 0, 1e-6);
            assert_memory_equal(&apex->normal, &tip->forward, sizeof(vec3));
            assert_memory_equal(&apex->binormal, &tip->right, sizeof(vec3));
            assert_true(apex->u == 0.5f);
            near((double)apex->v, ((double)tip->arc_length + (double)tip->radius) / (2 * PI * 0.03), 1e-6);
        }
        scene_destroy(&s);
    }
}

/* T8: the triangle list is the rings seen through the index, bit for bit, in every combination of options. */
static void t8_corners_are_the_indexed_ring(void **state)
{
    (void)state;
    for (uint32_t option = 0; option < 8; option++) {
        tentacle_params p = default_params(7);
        p.tentacles = 4;
        p.seam = option & 1;
        p.cap = option >> 1 & 1;
        p.tilt = option >> 2;
        scene s;
        uint32_t seed = 11;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_busy(&s, &seed);
        scene_mesh(&s);
        for (uint64_t i = 0; i < s.indices; i++)
            assert_memory_equal(&s.corner[i], &s.vertex[s.index[i]], sizeof(tentacle_vertex));
        scene_destroy(&s);
    }
}

/* T9: items one by one in a shuffled order give the same bits; a single output wanted changes nothing either. */
static void t9_order_of_items_is_free(void **state)
{
    (void)state;
    tentacle_params p = default_params(21);
    p.tentacles = 5;
    p.cap = 1;
    scene a, b;
    uint32_t seed = 5;
    scene_create(&a, p, 1 / 60.0, 4);
    scene_create(&b, p, 1 / 60.0, 4);
    pose_busy(&a, &seed);
    seed = 5;
    pose_busy(&b, &seed);
    for (uint32_t k = 0; k < 20; k++) {
        drive_busy(&a);
        drive_busy(&b);
        scene_step(&a);
        const vfx_ref ref = scene_ref(&b);
        for (uint64_t i = 0; i < b.particles; i++)
            tentacle_update_ref_f64(&ref, (i * 64 + 17) % b.particles, 1); /* 64 and 105 share no factor */
        b.frame.index++;
        tentacle_particle *swap = b.prev;
        b.prev = b.next;
        b.next = swap;
        assert_memory_equal(a.prev, b.prev, a.particles * sizeof *a.prev);
    }
    scene_mesh(&a);
    vfx_ref ref = scene_ref(&b);
    for (uint32_t only = TENTACLE_BUFFER_VERTEX; only <= TENTACLE_BUFFER_CORNER; only++) {
        vfx_ref one = ref;
        for (uint32_t row = TENTACLE_BUFFER_VERTEX; row <= TENTACLE_BUFFER_CORNER; row++)
            one.out[row] = row == only ? ref.out[row] : NULL;
        for (uint64_t i = 0; i < b.particles; i++)
            tentacle_mesh_ref_f64(&one, (i * 64 + 17) % b.particles, 1);
    }
    for (uint64_t i = 0; i < b.particles; i++)
        tentacle_index_ref_f64(&ref, (i * 64 + 17) % b.particles, 1);
    assert_memory_equal(a.vertex, b.vertex, a.vertices * sizeof *a.vertex);
    assert_memory_equal(a.packed, b.packed, a.vertices * sizeof *a.packed);
    assert_memory_equal(a.corner, b.corner, a.indices * sizeof *a.corner);
    assert_memory_equal(a.index, b.index, a.indices * sizeof *a.index);
    scene_destroy(&a);
    scene_destroy(&b);
}

/* -------------------------------------------------------------------------------- orientation */

/* T4 in a busy scene, for every method; and the guards stay rare there. */
static void t4_frames_are_orthonormal(void **state)
{
    (void)state;
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++) {
        tentacle_params p = default_params(21);
        p.tentacles = 10;
        p.orientation = method;
        scene s;
        uint32_t seed = 1;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_busy(&s, &seed);
        for (uint32_t k = 0; k < 120; k++) {
            drive_busy(&s);
            scene_step(&s);
            check_frames(&s);
        }
        scene_destroy(&s);
    }
}

/* T5: a straight chain along an axis keeps the root's right bit for bit (up has a right of its own). */
static void t5_straight_chain(void **state)
{
    (void)state;
    for (uint32_t method = TENTACLE_ORIENTATION_PROJ; method <= TENTACLE_ORIENTATION_DR; method++) {
        tentacle_params p = default_params(21);
        p.orientation = method;
        scene s;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
        for (uint32_t j = 1; j < 21; j++)
            s.prev[j].right = (vec3){0.6f, -0.8f, 0}; /* wrong at first */
        scene_steps(&s, 20);
        static const vec3 x = {1, 0, 0};
        for (uint32_t j = 0; j < 21; j++)
            assert_true(distance(s.prev[j].right, x) == 0);
        scene_destroy(&s);
    }
}

/* A static curl of `total` rad in 20 steps in the xz plane, right at 45 degrees from it; phi of the last joint but one,
 * after `frames` frames: the tip's forward is only one-sided. */
static double curl_phi(uint32_t method, double total, double phi)
{
    enum { N = 22 };
    const double step = total / (N - 2), rest = 0.05, radius = rest / (2 * sin(step / 2));
    tentacle_params p = default_params(N);
    p.orientation = method;
    scene s;
    v3 points[N];
    for (uint32_t j = 0; j < N; j++)
        points[j] = (v3){radius * (1 - cos(j * step)), 0, radius * sin(j * step)};
    scene_create(&s, p, 1 / 60.0, 4);
    pose_curve(&s, points, (v3){0, 0, 1}, (v3){cos(phi), sin(phi), 0});
    scene_steps(&s, N);
    const v3 forward = v3_of(s.prev[N - 2].forward), right = v3_of(s.prev[N - 2].right);
    const v3 in_plane = cross((v3){0, 1, 0}, forward);
    const double result = angle_about(in_plane, right, forward);
    scene_destroy(&s);
    return result;
}

static void t5_planar_curl(void **state)
{
    (void)state;
    static const double totals[3] = {PI / 2, PI, 2 * PI};
    for (int i = 0; i < 3; i++) {
        const double biased = atan(1 / pow(cos(totals[i] / 20), 20));
        near(curl_phi(TENTACLE_ORIENTATION_DR, totals[i], PI / 4), PI / 4, 1e-5);
        near(curl_phi(TENTACLE_ORIENTATION_ROT, totals[i], PI / 4), PI / 4, 1e-5);
        near(curl_phi(TENTACLE_ORIENTATION_CHORD, totals[i], PI / 4), PI / 4, 1e-5);
        near(curl_phi(TENTACLE_ORIENTATION_PROJ, totals[i], PI / 4), biased, 1e-5);
    }
    /* The figures of the specification. */
    near(curl_phi(TENTACLE_ORIENTATION_PROJ, PI, PI / 4) * 180 / PI, 52.0, 0.06);
    near(curl_phi(TENTACLE_ORIENTATION_PROJ, 2 * PI, PI / 4) * 180 / PI, 69.9, 0.06);
}

/* Largest distance of right along one helix turn in `steps` steps from the curve's exact rotation-minimising frame,
 * which turns back against the curve's normal by the torsion times the length: a slope of -c / speed per rad. */
static double helix_error(uint32_t method, uint32_t steps)
{
    const uint32_t n = steps + 2; /* the tip's one-sided forward is not looked at */
    const double a = 0.2, c = 0.08, turn = 2 * PI / steps, speed = sqrt(a * a + c * c);
    v3 *points = allocate(n, sizeof *points);
    for (uint32_t j = 0; j < n; j++)
        points[j] = (v3){a * cos(j * turn), a * sin(j * turn), c * j * turn};
    tentacle_params p = default_params(n);
    p.orientation = method;
    p.rest_length = (float)length(sub(points[1], points[0]));
    scene s;
    scene_create(&s, p, 1 / 60.0, 4);
    pose_curve(&s, points, (v3){0, a / speed, c / speed}, (v3){-1, 0, 0}); /* right = the normal at 0 */
    scene_steps(&s, n);
    double worst = 0;
    for (uint32_t j = 0; j <= steps; j++) {
        const double t = j * turn, angle = -t * c / speed;
        const v3 normal = {-cos(t), -sin(t), 0}, tangent = {-a / speed * sin(t), a / speed * cos(t), c / speed};
        const v3 exact = mad(mad((v3){0, 0, 0}, cos(angle), normal), sin(angle), cross(tangent, normal));
        worst = fmax(worst, length(sub(v3_of(s.prev[j].right), exact)));
    }
    free(points);
    scene_destroy(&s);
    return worst;
}

/* Orders with central-difference tangents: PROJ 1, CHORD, ROT and DR 2, DR far below ROT (its own error is of fourth
 * order; what is left is the tilt of the tangents). */
static void orders_on_a_helix(void **state)
{
    (void)state;
    static const struct {
        uint32_t method;
        double order;
    } rows[] = {{TENTACLE_ORIENTATION_PROJ, 1},
                {TENTACLE_ORIENTATION_CHORD, 2},
                {TENTACLE_ORIENTATION_ROT, 2},
                {TENTACLE_ORIENTATION_DR, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double coarse = helix_error(rows[i].method, 20), fine = helix_error(rows[i].method, 80);
        near(log2(coarse / fine) / 2, rows[i].order, 0.1);
    }
    assert_true(helix_error(TENTACLE_ORIENTATION_DR, 20) * 5 < helix_error(TENTACLE_ORIENTATION_ROT, 20));
}

/* T7: joint j has its final right from frame j on and not before; the final one is the serial sweep of minimal
 * rotations (here by the axis-and-angle formula). */
static void t7_frames_converge(void **state)
{
    (void)state;
    enum { N = 12 };
    tentacle_params p = default_params(N);
    p.orientation = TENTACLE_ORIENTATION_ROT;
    scene s;
    v3 points[N], sweep[N];
    points[0] = (v3){0, 0, 0};
    for (uint32_t j = 1; j < N; j++)
        points[j] = mad(points[j - 1], 0.05, unit((v3){sin(0.5 * j), cos(0.7 * j) - 1, 1}));
    scene_create(&s, p, 1 / 60.0, 4);
    pose_curve(&s, points, (v3){0, 0, 1}, (v3){1, 0, 0});
    sweep[0] = (v3){1, 0, 0};
    for (uint32_t j = 1; j < N; j++) {
        const v3 t0 = v3_of(s.prev[j - 1].forward), t1 = v3_of(s.prev[j].forward), axis = unit(cross(t0, t1));
        sweep[j] = turned(sweep[j - 1], axis, acos(dot(t0, t1)));
        const v3 wrong = cross(t1, v3_of(s.prev[j].right)); /* start a quarter turn away */
        s.prev[j].right = to_vec3(unit(mad(wrong, 0.3, v3_of(s.prev[j].right))));
    }
    for (uint32_t k = 1; k < N + 2; k++) {
        scene_step(&s);
        for (uint32_t j = 0; j < N; j++) {
            const double error = length(sub(v3_of(s.prev[j].right), sweep[j]));
            if (j <= k)
                near(error, 0, 5e-6);
            else
                assert_true(error > 1e-3);
        }
    }
    scene_destroy(&s);
}

/* One joint with an unsymmetric bend: parent 1, own 2, child 3 of a chain of 4. Leaves the new state in `prev`. */
static void pose_joint(scene *s, uint32_t method, v3 forward, v3 right, v3 chord, v3 beyond)
{
    tentacle_params p = default_params(4);
    p.orientation = method;
    scene_create(s, p, 1 / 60.0, 4);
    pose_straight(s, 0, (v3){0, 0, 0}, forward, right);
    s->prev[2].position = to_vec3(mad(v3_of(s->prev[1].position), 0.05, chord));
    s->prev[3].position = to_vec3(mad(v3_of(s->prev[2].position), 0.05, beyond));
}

/* Each method against its geometric meaning, on random bends of up to about 90 degrees: DR is the rotation by twice the
 * angle between the normals of its two mirrors, ROT the smallest rotation; PROJ keeps to the plane of r and t1, CHORD
 * to that of r and c; UP is level. */
static void transports_mean_what_they_say(void **state)
{
    (void)state;
    uint32_t seed = 4;
    for (uint32_t i = 0; i < 2000; i++) {
        const v3 t0 = noise_direction(&seed), side = noise_direction(&seed);
        const v3 r0 = unit(mad(side, -dot(side, t0), t0));
        const v3 c = unit(mad(t0, 0.7, noise_direction(&seed))), beyond = unit(mad(c, 0.7, noise_direction(&seed)));
        scene s;
        pose_joint(&s, i % 5, t0, r0, c, beyond);
        scene_step(&s);
        check_frames(&s);
        const v3 t1 = v3_of(s.prev[2].forward), r1 = v3_of(s.prev[2].right);
        const v3 mirrored = mad(t0, -2 * dot(t0, c), c), mirror = unit(sub(t1, mirrored));
        switch (i % 5) {
        case TENTACLE_ORIENTATION_UP:
            near(r1.z, 0, 2e-6);
            assert_true(dot(cross((v3){0, 0, 1}, t1), r1) > 0);
            break;
        case TENTACLE_ORIENTATION_PROJ:
            near(dot(cross(r0, t1), r1), 0, 2e-6);
            assert_true(dot(r0, r1) > 0);
            break;
        case TENTACLE_ORIENTATION_CHORD: {
            const v3 exact = unit(mad(r0, -dot(r0, t1) / dot(c, t1), c));
            near(length(sub(r1, exact)), 0, 2e-5 / fabs(dot(c, t1)));
            near(dot(cross(r0, c), r1), 0, 2e-6 / fabs(dot(c, t1)));
            break;
        }
        case TENTACLE_ORIENTATION_ROT: {
            const v3 axis = unit(cross(t0, t1));
            near(length(sub(r1, turned(r0, axis, acos(dot(t0, t1))))), 0, 2e-5);
            break;
        }
        default: {
            const v3 axis = unit(cross(c, mirror));
            if (length(sub(t1, mirrored)) > 0.5 && length(cross(c, mirror)) > 0.01)
                near(length(sub(r1, turned(r0, axis, 2 * acos(dot(c, mirror))))), 0, 2e-5);
            break;
        }
        }
        scene_destroy(&s);
    }
}

/* Every method ends with one Gram-Schmidt step: a parent's right that leans on its forward does not spoil T4. */
static void t4_leaning_parent(void **state)
{
    (void)state;
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++) {
        scene s;
        pose_joint(&s, method, (v3){0, 0, 1}, (v3){1, 0, 0}, unit((v3){1, 2, 4}), unit((v3){-1, 1, 3}));
        s.prev[1].right = to_vec3(unit((v3){1, 0, 0.01}));
        scene_step(&s);
        check_frames(&s);
        scene_destroy(&s);
    }
}

/* Joints without a good direction are marked, straight ones are not. */
static void marks_where_ill(void **state)
{
    (void)state;
    static const struct {
        uint32_t method;
        v3 forward, right, chord, beyond;
        int marked;
    } rows[] = {
        {TENTACLE_ORIENTATION_UP, {0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}, 1},
        {TENTACLE_ORIENTATION_UP, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, 0},
        {TENTACLE_ORIENTATION_PROJ, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0.1}, 1},
        {TENTACLE_ORIENTATION_PROJ, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0.1}, 0},
        {TENTACLE_ORIENTATION_CHORD, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {1, 0, -2}, 1},
        {TENTACLE_ORIENTATION_CHORD, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, 0},
        {TENTACLE_ORIENTATION_ROT, {0, 0, 1}, {0, 1, 0}, {0.1, 0, -1}, {0.1, 0, -1}, 1},
        {TENTACLE_ORIENTATION_ROT, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0}, 0},
        {TENTACLE_ORIENTATION_DR, {0, 0, 1}, {1, 0, 0}, {1, 0, 0.05}, {-1, 0, 1}, 1},
        {TENTACLE_ORIENTATION_DR, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}, {1, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s;
        pose_joint(&s, rows[i].method, rows[i].forward, rows[i].right, unit(rows[i].chord), unit(rows[i].beyond));
        s.ill[2] = 7; /* must be written either way */
        scene_step(&s);
        if ((s.ill[2] & TENTACLE_ILL_RIGHT ? 1 : 0) != rows[i].marked || (s.ill[2] & TENTACLE_ILL_POSITION))
            fail_msg("row %d: mark is %d", (int)i, s.ill[2]);
        scene_destroy(&s);
    }
    /* A child a thousandth of a link away from its grandparent; a free position a tenth of a link from the parent. */
    scene s;
    pose_joint(&s, TENTACLE_ORIENTATION_ROT, (v3){0, 0, 1}, (v3){1, 0, 0}, (v3){0, 0, 1}, (v3){0, 0.02, -1});
    s.prev[3].position = to_vec3(mad(v3_of(s.prev[1].position), 0.0005, (v3){0, 1, 0}));
    scene_step(&s);
    assert_true((s.ill[2] & TENTACLE_ILL_FORWARD) && s.ill[1] == 0);
    scene_destroy(&s);
    pose_joint(&s, TENTACLE_ORIENTATION_ROT, (v3){0, 0, 1}, (v3){1, 0, 0}, (v3){0, 0, 1}, (v3){0, 0, 1});
    s.prev[2].position = to_vec3(mad(v3_of(s.prev[1].position), 0.005, (v3){0, 0, 1}));
    scene_step(&s);
    assert_true((s.ill[2] & TENTACLE_ILL_POSITION) && s.ill[1] == 0);
    scene_destroy(&s);
}

/* -------------------------------------------------------------------------------- the lag, rest */

/* T6: steady drag stretches every link to L + V dt; the tip is (n-1) frames behind the root, along the root's path. */
static void t6_steady_drag(void **state)
{
    (void)state;
    static const double rates[3] = {30, 60, 120};
    for (int i = 0; i < 3; i++)
        for (int fast = 0; fast < 2; fast++) {
            enum { N = 11 };
            const double dt = 1 / rates[i], speed = fast != 0 ? 10 : 1;
            const v3 ahead = unit((v3){1, -2, 2});
            const uint32_t frames = 15;
            scene s;
            scene_create(&s, default_params(N), dt, 4);
            pose_straight(&s, 0, (v3){0, 0, 0}, mad((v3){0, 0, 0}, -1, ahead), unit((v3){2, 2, 1}));
            const v3 start = mad((v3){0, 0, 0}, -speed * frames * dt * 0.5, ahead); /* half the way before the origin */
            for (uint32_t j = 0; j < N; j++)
                s.prev[j].position = to_vec3(mad(v3_of(s.prev[j].position), 1, start));
            for (uint32_t k = 1; k <= frames; k++) {
                s.entity->translation = to_vec3(mad(start, speed * k * dt, ahead));
                scene_step(&s);
            }
            const double limit = fast != 0 ? 1e-6 : 1e-5 * 0.05; /* at 10 m/s positions are up to 4 m: 2.4e-7 m */
            for (uint32_t j = 1; j < N; j++)
                near(link_length(&s, j), 0.05 + speed * dt, limit);
            const double lag = dot(sub(v3_of(s.prev[0].position), v3_of(s.prev[N - 1].position)), ahead);
            near(lag, (N - 1) * (0.05 + speed * dt), 10 * limit);
            scene_destroy(&s);
        }
}

/* T6: in any motion | |p_j - p_{j-1}| - L | <= how far the parent moved in this frame. */
static void t6_link_error_is_bounded(void **state)
{
    (void)state;
    tentacle_params p = default_params(21);
    p.tentacles = 10;
    scene s;
    uint32_t seed = 9;
    double worst = 0;
    scene_create(&s, p, 1 / 60.0, 4);
    pose_busy(&s, &seed);
    for (uint32_t k = 0; k < 120; k++) {
        drive_busy(&s);
        scene_step(&s);
        for (uint64_t i = 0; i < s.particles; i++) {
            if (i % 21 == 0)
                continue;
            const double error = fabs(distance(s.prev[i].position, s.prev[i - 1].position) - 0.05);
            const double moved = distance(s.prev[i - 1].position, s.next[i - 1].position);
            assert_true(error <= moved + 1e-5 * 0.05);
            worst = error > worst ? error : worst;
        }
    }
    assert_true(worst > 0.005); /* the bound was worth something */
    scene_destroy(&s);
}

/* T6: a root that spins at w about its own forward twists every link by w dt. */
static void t6_root_spin(void **state)
{
    (void)state;
    for (uint32_t method = TENTACLE_ORIENTATION_PROJ; method <= TENTACLE_ORIENTATION_DR; method++) {
        tentacle_params p = default_params(21);
        p.orientation = method;
        scene s;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
        for (uint32_t k = 1; k <= 40; k++) {
            const double half = PI * k / 60; /* 1 turn/s */
            s.entity->rotation = (vec4){0, 0, (float)sin(half), (float)cos(half)};
            scene_step(&s);
        }
        double total = 0;
        for (uint32_t j = 1; j < 21; j++) {
            const double twist = angle_about(v3_of(s.prev[j].right), v3_of(s.prev[j - 1].right), (v3){0, 0, 1});
            near(twist, 2 * PI / 60, 1e-5);
            total += twist;
        }
        near(total * 180 / PI, 120, 1e-4);
        scene_destroy(&s);
    }
}

/* T10: without weights and motion nothing moves: bit for bit along an axis, within rounding elsewhere. */
static void t10_rest(void **state)
{
    (void)state;
    tentacle_params p = default_params(21);
    p.rest_length = 0.0625f;
    scene s;
    scene_create(&s, p, 1 / 60.0, 4);
    pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
    scene_step(&s);
    tentacle_particle *start = allocate(s.particles, sizeof *start);
    memcpy(start, s.prev, s.particles * sizeof *start);
    scene_steps(&s, 100);
    assert_memory_equal(s.prev, start, s.particles * sizeof *start);

    pose_straight(&s, 0, (v3){0.1, 0.2, 0.3}, unit((v3){1, 2, 3}), unit((v3){2, -1, 0}));
    memcpy(start, s.prev, s.particles * sizeof *start);
    scene_steps(&s, 100);
    for (uint32_t j = 0; j < 21; j++) {
        near(distance(s.prev[j].position, start[j].position), 0, 2e-6);
        near(distance(s.prev[j].right, start[j].right), 0, 5e-6);
        near(length(v3_of(s.prev[j].velocity)), 0, 0);
    }
    free(start);
    scene_destroy(&s);
}

/* T11: under gravity alone a horizontal tentacle ends hanging straight down, all links L. */
static void t11_gravity_only(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, default_params(21), 1 / 60.0, 4);
    pose_straight(&s, 0, (v3){0, 0, 0}, (v3){1, 0, 0}, (v3){0, 1, 0});
    s.entity->gravity = 1;
    scene_steps(&s, 1200);
    for (uint32_t j = 1; j < 21; j++)
        near(link_length(&s, j), 0.05, 1e-5 * 0.05);
    near((double)s.prev[20].position.z, -1, 1e-5);
    near((double)s.prev[20].position.x, 0, 1e-5);
    /* v = dt acc D / (1 - D), within 1/c of gravity */
    const double d = (double)s.frame.host[0].x, terminal = (double)TENTACLE_GRAVITY / 60 * d / (1 - d);
    near((double)s.prev[20].velocity.z, -terminal, 1e-5 * terminal);
    scene_destroy(&s);
}

/* One frame against each force written out by hand; a joint in the middle of a straight vertical chain. */
static void forces_one_by_one(void **state)
{
    (void)state;
    const double dt = 1 / 64.0, d = exp(-4 * dt);
    tentacle_params p = default_params(11);
    p.cam_x = 3, p.cam_y = 0, p.cam_z = 0.25f; /* straight ahead of joint 5 in x */
    scene s;
    scene_create(&s, p, dt, 4);
    static const vec3 expected[] = {
        {0, 0, -9.81f},                                             /* gravity 1 */
        {0, 0, 14},                                                 /* straighten 14 along z */
        {3, 0, 0},                                                  /* stiffen 60, parent displaced by 0.05 in x */
        {6, 0, 0},                                                  /* look 6 */
        {8 * 0.5f * 0.6f * 0.70710678f, 8 * 0.5f * 0.70710678f, 0}, /* wriggle 8 at an eighth of a turn; u_e = y */
    };
    for (int force = 0; force < 5; force++) {
        pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
        memset(s.entity, 0, sizeof *s.entity);
        s.entity->rotation.w = 1;
        s.entity->gravity = force == 0;
        s.entity->straighten = force == 1 ? 14 : 0;
        s.entity->stiffen = force == 2 ? 60 : 0;
        s.entity->look = force == 3 ? 6 : 0;
        s.entity->wriggle = force == 4 ? 8 : 0;
        s.entity->wriggle_phase = 0.5f; /* 0.5 - 1 * 5/10 + 0.125 */
        s.root[0].phase = 0.125f;
        if (force == 2)
            s.prev[4].position.x += 0.05f;
        s.prev[5].velocity = (vec3){1, 2, 3};
        const v3 old = v3_of(s.prev[5].position), anchor = v3_of(s.prev[4].position);
        scene_step(&s);
        const v3 velocity = mad((v3){0, 0, 0}, d, mad((v3){1, 2, 3}, dt, v3_of(expected[force])));
        near(length(sub(v3_of(s.prev[5].velocity), velocity)), 0, 2e-6);
        const v3 link = unit(sub(mad(old, dt, velocity), anchor));
        near(length(sub(v3_of(s.prev[5].position), mad(anchor, 0.05, link))), 0, 1e-7);
    }
    scene_destroy(&s);
}

/* Radius and emissive at chosen phases; arc length; padding. */
static void pulse_formulas(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, default_params(11), 1 / 60.0, 4);
    pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
    s.entity->pulsate = 0.2f;
    s.entity->emissive = 0.5f;
    s.entity->pulsate_phase = 0.625f;
    s.root[0].phase = 0.125f;
    scene_step(&s);
    for (uint32_t j = 0; j < 11; j++) {
        const double wave = sin(2 * PI * (0.75 - j / 10.0));
        near((double)s.prev[j].radius, 0.03 * (1 - 0.85 * j / 10) * (1 + 0.2 * wave), 1e-8);
        near((double)s.prev[j].emissive, 0.5 * (0.5 + 0.5 * wave), 1e-7);
        near((double)s.prev[j].arc_length, j * 0.05, 1e-7);
        assert_true(s.prev[j].zero == 0);
    }
    scene_destroy(&s);
}

/* T13: absolute roots are the transform of the offset; roots moved by deltas drift little in 600 frames. */
static void t13_attachment(void **state)
{
    (void)state;
    for (uint32_t attach = 0; attach <= TENTACLE_ATTACH_DELTA; attach++) {
        tentacle_params p = default_params(5);
        p.attach = attach;
        scene s;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_straight(&s, 0, (v3){0.25, 0, 0}, (v3){1, 0, 0}, (v3){0, 0, -1});
        double worst = 0;
        for (uint32_t k = 1; k <= 600; k++) {
            const double half = PI * 0.05 * k / 60;
            s.entity->rotation_prev = s.entity->rotation;
            s.entity->translation_prev = s.entity->translation;
            s.entity->rotation = (vec4){0, 0, (float)sin(half), (float)cos(half)};
            s.entity->translation = (vec3){(float)(0.001 * k), 0, (float)(0.3 * sin(0.05 * k))};
            scene_step(&s);
            const v3 ahead = {cos(2 * half), sin(2 * half), 0};
            const v3 exact = mad(v3_of(s.entity->translation), 0.25, ahead);
            const double error = length(sub(v3_of(s.prev[0].position), exact));
            worst = error > worst ? error : worst;
            near(length(sub(v3_of(s.prev[0].forward), ahead)), 0, attach == TENTACLE_ATTACH_DELTA ? 1e-4 : 1e-6);
            near((double)s.prev[0].right.z, -1, 1e-5);
            near(length(v3_of(s.prev[0].forward)), 1, 1e-6); /* T4 holds at moved roots too */
            near(length(v3_of(s.prev[0].right)), 1, 1e-6);
            near(dot(v3_of(s.prev[0].right), v3_of(s.prev[0].forward)), 0, 1e-6);
            near(length(v3_of(s.prev[0].velocity)), 0, 0);
        }
        assert_true(worst <= (attach == TENTACLE_ATTACH_DELTA ? 1e-4 : 1e-6));
        scene_destroy(&s);
    }
}

/* ------------------------------------------------------------------------------ moved scenes */

/* A rigid motion: turn by `angle` about `axis`, then shift. */
typedef struct motion {
    v3 axis;
    double angle;
    v3 shift;
} motion;

static v3 moved(const motion *m, v3 point)
{
    return mad(turned(point, m->axis, m->angle), 1, m->shift);
}

/* The entity of frame k, a turning and swaying one, seen through the motion. */
static void place_entity(scene *s, const motion *m, uint32_t k)
{
    const v3 tilt = unit((v3){1, 2, 3});
    s->entity->rotation_prev = s->entity->rotation;
    s->entity->translation_prev = s->entity->translation;
    const v3 z = turned((v3){0, 0, 1}, tilt, 0.02 * k), x = turned((v3){1, 0, 0}, tilt, 0.02 * k);
    s->entity->rotation = frame_quaternion(turned(z, m->axis, m->angle), turned(x, m->axis, m->angle));
    s->entity->translation = to_vec3(moved(m, (v3){0.01 * sin(0.2 * k), 0.005 * k, 0.02 * sin(0.3 * k)}));
    s->entity->wriggle_phase = (float)fmod(0.013 * k, 1);
}

static void start_moved(scene *s, const motion *m, tentacle_params p, double gravity)
{
    const v3 camera = moved(m, (v3){0.3, -0.8, 0.2});
    p.cam_x = (float)camera.x, p.cam_y = (float)camera.y, p.cam_z = (float)camera.z;
    scene_create(s, p, 1 / 60.0, 4);
    place_entity(s, m, 0);
    place_entity(s, m, 0); /* the previous transform too */
    pose_straight(s, 0, (v3){0.1, 0, 0.05}, (v3){0, 0, 1}, (v3){1, 0, 0});
    for (uint32_t j = 0; j < p.particles; j++) {
        tentacle_particle *particle = &s->prev[j];
        particle->position = to_vec3(moved(m, v3_of(particle->position)));
        particle->forward = to_vec3(turned(v3_of(particle->forward), m->axis, m->angle));
        particle->right = to_vec3(turned(v3_of(particle->right), m->axis, m->angle));
    }
    s->entity->gravity = (float)gravity;
    s->entity->straighten = 14, s->entity->stiffen = 60, s->entity->look = 3, s->entity->wriggle = 8;
}

/* T15: scene, camera and gravity moved together give the moved result. Gravity is along z, so it is either kept (turns
 * about z), turned round with its weight (a half turn about x), or off (any turn). `up` knows the world's z: turns
 * about z only. */
static void t15_rigid_equivariance(void **state)
{
    (void)state;
    const motion still = {{0, 0, 1}, 0, {0, 0, 0}};
    const struct {
        motion m;
        double gravity, gravity_moved;
        bool upright;
    } rows[] = {
        {{{0, 0, 1}, 1.1, {0.2, -0.1, 0.3}}, 1, 1, true},
        {{{1, 0, 0}, PI, {0.1, 0.2, -0.1}}, 1, -1, false},
        {{{0.48, 0.6, 0.64}, 2.3, {-0.2, 0.1, 0.2}}, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++)
            for (uint32_t attach = 0; attach <= TENTACLE_ATTACH_DELTA; attach++) {
                if (method == TENTACLE_ORIENTATION_UP && !rows[i].upright)
                    continue;
                tentacle_params p = default_params(8);
                p.orientation = method, p.attach = attach;
                scene a, b;
                start_moved(&a, &still, p, rows[i].gravity);
                start_moved(&b, &rows[i].m, p, rows[i].gravity_moved);
                for (uint32_t k = 1; k <= 40; k++) {
                    place_entity(&a, &still, k), place_entity(&b, &rows[i].m, k);
                    scene_step(&a), scene_step(&b);
                }
                for (uint32_t j = 0; j < p.particles; j++) { /* the records round: 6e-8 m a frame, forgotten by drag */
                    const motion *m = &rows[i].m;
                    near(length(sub(moved(m, v3_of(a.prev[j].position)), v3_of(b.prev[j].position))), 0, 3e-6);
                    near(length(sub(turned(v3_of(a.prev[j].right), m->axis, m->angle), v3_of(b.prev[j].right))), 0,
                         2e-4);
                    near(length(sub(turned(v3_of(a.prev[j].forward), m->axis, m->angle), v3_of(b.prev[j].forward))), 0,
                         5e-5);
                }
                scene_destroy(&a);
                scene_destroy(&b);
            }
}

/* With deltas the joints feel the root's axes of the frame before, absolute those of this frame. */
static void base_axes_of_attachment(void **state)
{
    (void)state;
    for (uint32_t attach = 0; attach <= TENTACLE_ATTACH_DELTA; attach++) {
        tentacle_params p = default_params(3);
        p.attach = attach;
        scene s;
        scene_create(&s, p, 1 / 64.0, 0);
        pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
        s.entity->straighten = 64;
        s.entity->rotation = (vec4){0, 0.70710678f, 0, 0.70710678f}; /* z goes to x in this frame */
        scene_step(&s);
        const v3 expected = attach == TENTACLE_ATTACH_DELTA ? (v3){0, 0, 1} : (v3){1, 0, 0};
        near(length(sub(v3_of(s.prev[1].velocity), expected)), 0, 1e-6);
        near(length(sub(v3_of(s.prev[0].forward), (v3){1, 0, 0})), 0, 1e-6);
        scene_destroy(&s);
    }
}

/* ------------------------------------------------------------------------- without a direction */

/* T19: joints of 90, 120 and 180 degrees, the root's right in the bending plane and across it, for every method. */
static void t19_sharp_joints(void **state)
{
    (void)state;
    static const double degrees[3] = {90, 120, 180};
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++)
        for (int i = 0; i < 3; i++)
            for (int across = 0; across < 3; across++) {
                enum { N = 7 };
                const double bend = degrees[i] * PI / 180, phi = across * PI / 4;
                tentacle_params p = default_params(N);
                p.orientation = method;
                scene s;
                v3 points[N] = {{0, 0, 0}};
                for (uint32_t j = 1; j < N; j++)
                    points[j] = mad(points[j - 1], 0.05, j < 3 ? (v3){0, 0, 1} : (v3){sin(bend), 0, cos(bend)});
                scene_create(&s, p, 1 / 60.0, 4);
                pose_curve(&s, points, (v3){0, 0, 1}, (v3){cos(phi), sin(phi), 0});
                for (uint32_t k = 0; k < 30; k++) {
                    scene_step(&s);
                    check_frames(&s);
                }
                scene_destroy(&s);
            }
}

/* T19: forwards that turn by 90 or 180 degrees from one frame to the next, in every combination with the own previous
 * right, and a parent's right that lies along the new forward. */
static void t19_own_right_is_no_help(void **state)
{
    (void)state;
    static const v3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++)
        for (uint32_t i = 0; i < 36 * 36; i++) {
            const v3 t0 = axes[i % 6], r0 = axes[i / 6 % 6], t1 = axes[i / 36 % 6], r1 = axes[i / 216];
            if (dot(t0, r0) != 0 || dot(t1, r1) != 0)
                continue;
            for (int link = 0; link < 6; link++) {
                tentacle_params p = default_params(4);
                p.orientation = method;
                scene s;
                scene_create(&s, p, 1 / 60.0, 4);
                pose_straight(&s, 0, (v3){0, 0, 0}, t0, r0);
                s.prev[2].forward = to_vec3(t1);
                s.prev[2].right = to_vec3(r1);
                s.prev[2].position = to_vec3(mad(v3_of(s.prev[1].position), 0.05, axes[link]));
                s.prev[3].position = to_vec3(mad(v3_of(s.prev[2].position), 0.05, axes[(link + (int)i) % 6]));
                scene_step(&s);
                check_frames(&s);
                scene_destroy(&s);
            }
        }
}

/* T19: coincident particles, with the guards' own answers. */
static void t19_coincident_particles(void **state)
{
    (void)state;
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++) {
        tentacle_params p = default_params(6);
        p.orientation = method;
        scene s;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_straight(&s, 0, (v3){0, 0, 0}, unit((v3){1, 1, 1}), unit((v3){1, -1, 0}));
        const tentacle_particle three = s.prev[3];
        for (uint32_t j = 2; j < 6; j++)
            s.prev[j].position = s.prev[1].position; /* 1..5 at one place */
        scene_step(&s);
        check_frames(&s);
        /* Child and grandparent coincide: own previous forward. Own and parent coincide: along the parent's forward. */
        assert_memory_equal(&s.prev[3].forward, &three.forward, sizeof(vec3));
        near(distance(s.prev[3].position, s.next[2].position), 0.05, 1e-7);
        near(length(sub(unit(sub(v3_of(s.prev[3].position), v3_of(s.next[2].position))), v3_of(three.forward))), 0,
             1e-5);
        assert_true(s.ill[3] != 0);
        scene_steps(&s, 20);
        check_frames(&s);
        /* All particles at the camera: no direction to look in. */
        s.entity->look = 6;
        for (uint32_t j = 0; j < 6; j++)
            s.prev[j].position = (vec3){p.cam_x, p.cam_y, p.cam_z};
        scene_step(&s);
        check_frames(&s);
        scene_destroy(&s);
    }
}

/* The failure that the specification found: gravity exactly against the base at 30 Hz folds the chain. */
static void t19_folding_chain(void **state)
{
    (void)state;
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++) {
        tentacle_params p = default_params(21);
        p.orientation = method;
        scene s;
        scene_create(&s, p, 1 / 30.0, 4);
        pose_straight(&s, 0, (v3){0, 0, 0}, (v3){0, 0, 1}, (v3){1, 0, 0});
        s.entity->gravity = 1;
        uint32_t folded = 0;
        for (uint32_t k = 0; k < 300; k++) {
            for (uint32_t j = 1; j + 1 < 21; j++)
                folded += distance(s.prev[j + 1].position, s.prev[j - 1].position) == 0;
            scene_step(&s);
            check_frames(&s);
        }
        assert_true(folded > 0);
        scene_destroy(&s);
    }
}

/* -------------------------------------------------------------------------- marks and yardstick */

/* The float yardstick stays within the step-locked limits of README.md wherever the truth has no mark, and at most
 * 0.1 % of joints are marked in a busy scene. */
static void yardstick_within_limits(void **state)
{
    (void)state;
    for (uint32_t method = 0; method <= TENTACLE_ORIENTATION_DR; method++) {
        tentacle_params p = default_params(21);
        p.tentacles = 20;
        p.orientation = method;
        scene s;
        uint32_t seed = 2;
        uint64_t marked = 0, seen = 0;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_busy(&s, &seed);
        tentacle_particle *own = allocate(s.particles, sizeof *own);
        for (uint32_t k = 0; k < 120; k++) {
            drive_busy(&s);
            vfx_ref ref = scene_ref(&s);
            ref.out[TENTACLE_BUFFER_PARTICLE] = own;
            ref.ill[TENTACLE_BUFFER_PARTICLE] = NULL;
            tentacle_update_ref_f32(&ref, 0, s.particles);
            ref = scene_ref(&s);
            scene_step(&s);
            for (uint64_t i = 0; i < s.particles; i++) {
                const double ps = tentacle_position_scale_f64(&ref, i), vs = tentacle_velocity_scale_f64(&ref, i);
                const tentacle_particle *truth = &s.prev[i];
                near(distance(own[i].velocity, truth->velocity), 0, 1e-5 * vs);
                near((double)own[i].radius, (double)truth->radius, 3e-6 * tentacle_radius_scale_f64(&ref, i));
                near((double)own[i].emissive, (double)truth->emissive, 2e-6 * tentacle_emissive_scale_f64(&ref, i));
                near((double)own[i].arc_length, (double)truth->arc_length, 0);
                seen++;
                marked += s.ill[i] != 0;
                if (s.ill[i] != 0)
                    continue;
                near(distance(own[i].position, truth->position), 0, 8 * 0x1p-24 * ps); /* at least half of 8 ulp */
                near(distance(own[i].forward, truth->forward), 0, 4e-6);
                near(distance(own[i].right, truth->right), 0, 4e-6);
            }
        }
        if (method != TENTACLE_ORIENTATION_UP)
            assert_true(marked * 1000 <= seen);
        free(own);
        scene_destroy(&s);
    }
}

static double ulp_of(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 24);
}

/* x decoded as the packed normal is defined: octahedral, two snorm16. */
static v3 unpacked(uint32_t word)
{
    const double x = (int16_t)(word & 0xffffu) / 32767.0, y = (int16_t)(word >> 16) / 32767.0;
    const double z = 1 - fabs(x) - fabs(y);
    if (z >= 0)
        return unit((v3){x, y, z});
    return unit((v3){(1 - fabs(y)) * (x < 0 ? -1 : 1), (1 - fabs(x)) * (y < 0 ? -1 : 1), z});
}

/* The float mesh stays within the mesh limits. */
static void mesh_yardstick_within_limits(void **state)
{
    (void)state;
    double worst[5] = {0};
    for (uint32_t tilt = 0; tilt < 2; tilt++) {
        tentacle_params p = default_params(21);
        p.tentacles = 40;
        p.cap = p.seam = 1;
        p.tilt = tilt;
        scene s;
        uint32_t seed = 8;
        scene_create(&s, p, 1 / 60.0, 4);
        pose_busy(&s, &seed);
        for (uint32_t k = 0; k < 60; k++) {
            drive_busy(&s);
            scene_step(&s);
        }
        scene_mesh(&s);
        vfx_ref ref = scene_ref(&s);
        tentacle_vertex *vertex = allocate(s.vertices, sizeof *vertex);
        tentacle_packed *packed = allocate(s.vertices, sizeof *packed);
        ref.out[TENTACLE_BUFFER_VERTEX] = vertex;
        ref.out[TENTACLE_BUFFER_PACKED] = packed;
        ref.out[TENTACLE_BUFFER_CORNER] = NULL;
        tentacle_mesh_ref_f32(&ref, 0, s.particles);
        for (uint64_t i = 0; i < s.vertices; i++) {
            const tentacle_vertex *a = &vertex[i], *b = &s.vertex[i];
            const double position = ulp_of(tentacle_vertex_scale_f64(&ref, i));
            const v3 d = sub(v3_of(a->position), v3_of(b->position));
            const double axis = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
            const v3 back = unpacked(packed[i].normal), truth = unpacked(s.packed[i].normal);
            const double shares[5] = {axis / (4 * position), distance(a->normal, b->normal) / 1e-6,
                                      fabs((double)a->u - (double)b->u) / (3 * ulp_of((double)b->u)),
                                      fabs((double)a->v - (double)b->v) / (6 * ulp_of((double)b->v)),
                                      length(sub(back, truth)) / 1.31e-4};
            for (int row = 0; row < 5; row++)
                worst[row] = fmax(worst[row], shares[row]);
            near(length(sub(truth, unit(v3_of(b->normal)))), 0, 7e-5);
            assert_memory_equal(&a->binormal, &b->binormal, sizeof(vec3));
        }
        free(vertex);
        free(packed);
        scene_destroy(&s);
    }
    for (int row = 0; row < 5; row++)
        assert_true(worst[row] <= 1);
}

/* The scales of the mesh rows find the particle of a record. */
static void mesh_scales(void **state)
{
    (void)state;
    tentacle_params p = default_params(4);
    p.tentacles = 3;
    p.seam = p.cap = 1;
    scene s;
    scene_create(&s, p, 1 / 60.0, 4);
    for (uint64_t i = 0; i < s.particles; i++) {
        s.prev[i].position = (vec3){(float)i + 1, 0, 0};
        s.prev[i].forward = (vec3){0, 0, 1};
        s.prev[i].right = (vec3){1, 0, 0};
    }
    scene_mesh(&s);
    const vfx_ref ref = scene_ref(&s);
    for (uint64_t i = 0; i < s.vertices; i++) {
        const uint64_t particle = i < s.particles * s.ring ? i / s.ring : (i - s.particles * s.ring) * 4 + 3;
        near(tentacle_vertex_scale_f64(&ref, i), (double)particle + 1, 0);
    }
    for (uint64_t i = 0; i < s.indices; i++)
        near(tentacle_corner_scale_f64(&ref, i), tentacle_vertex_scale_f64(&ref, s.index[i]), 0);
    scene_destroy(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(t1_index_pattern),
    cmocka_unit_test(t1_surface_is_a_tube),
    cmocka_unit_test(t2_outward_winding),
    cmocka_unit_test(t3_t18_rings),
    cmocka_unit_test(t4_frames_are_orthonormal),
    cmocka_unit_test(t5_straight_chain),
    cmocka_unit_test(t5_planar_curl),
    cmocka_unit_test(orders_on_a_helix),
    cmocka_unit_test(transports_mean_what_they_say),
    cmocka_unit_test(t4_leaning_parent),
    cmocka_unit_test(marks_where_ill),
    cmocka_unit_test(t6_steady_drag),
    cmocka_unit_test(t6_link_error_is_bounded),
    cmocka_unit_test(t6_root_spin),
    cmocka_unit_test(t7_frames_converge),
    cmocka_unit_test(t8_corners_are_the_indexed_ring),
    cmocka_unit_test(t9_order_of_items_is_free),
    cmocka_unit_test(t10_rest),
    cmocka_unit_test(t11_gravity_only),
    cmocka_unit_test(forces_one_by_one),
    cmocka_unit_test(pulse_formulas),
    cmocka_unit_test(t13_attachment),
    cmocka_unit_test(t15_rigid_equivariance),
    cmocka_unit_test(base_axes_of_attachment),
    cmocka_unit_test(t19_sharp_joints),
    cmocka_unit_test(t19_own_right_is_no_help),
    cmocka_unit_test(t19_coincident_particles),
    cmocka_unit_test(t19_folding_chain),
    cmocka_unit_test(yardstick_within_limits),
    cmocka_unit_test(mesh_yardstick_within_limits),
    cmocka_unit_test(mesh_scales),
};
VFX_TEST_MAIN(tests)
