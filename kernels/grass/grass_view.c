/* grass_view.c - pictures of the grass: a meadow over which gusts run, and tufts close by, with the arcs that their
 * leaves should follow and the normals. Blades are drawn from the frame's vertices, whichever variant made them; the
 * ground is the one that the instances stand on. */
#include "kernels/grass/grass.h"

#include "core/hash.h"
#include "core/raster.h"

#include <math.h>

static const double fov = 0.48995732625; /* rad; the tangent of its half is 1/4 */
static const double widest = 26.0;       /* m of a field that the meadow shows at most */
static const double most_leaves = 4e4;   /* of a larger field, drawn in one picture */
enum {
    GROUND_CELLS = 120, /* of the ground's triangles, a side */
    MOST_SEGMENTS = 8,  /* of a drawn blade */
    MOST_FOCUS = 12,    /* leaves with arcs and normals */
    ARC_STEPS = 24
};

/* Linear albedo. */
static const float dark[3] = {GRASS_GREEN_DARK_R, GRASS_GREEN_DARK_G, GRASS_GREEN_DARK_B};
static const float light[3] = {GRASS_GREEN_LIGHT_R, GRASS_GREEN_LIGHT_G, GRASS_GREEN_LIGHT_B};
static const float windy[3] = {0.86f, 0.74f, 0.36f};
static const float soil[3] = {0.11f, 0.18f, 0.05f};
static const float heath[3] = {0.19f, 0.23f, 0.08f};

static const grass_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, grass_params);
}

static float mixed(float a, float b, float share)
{
    return a + (b - a) * share;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* ------------------------------------------------------------------------------- the blades of a frame */

typedef struct blades {
    const grass_params *params;
    const grass_instance *instances;
    const grass_vertex *vertices; /* either these */
    const grass_packed *packed;   /* or these */
    uint64_t leaves;
    uint32_t rows;
} blades;

static blades blades_of(const vfx_ref *ref)
{
    blades b = {.params = params_of(ref),
                .instances = ref->in[GRASS_BUFFER_INSTANCE],
                .vertices = ref->in[GRASS_BUFFER_VERTEX],
                .packed = ref->in[GRASS_BUFFER_PACKED],
                .rows = params_of(ref)->rows};
    if (b.instances != NULL && (b.vertices != NULL || b.packed != NULL))
        b.leaves = grass_leaf_count(ref->kase);
    return b;
}

static const grass_instance *instance_of(const blades *b, uint64_t leaf)
{
    return &b->instances[leaf / b->params->leaves];
}

static float snorm16(uint32_t code)
{
    int32_t value = (int32_t)(code & 0xffffu) - (code & 0x8000u ? 0x10000 : 0);
    return fmaxf((float)value / 32767.0f, -1.0f);
}

/* Unit vector of an octahedral code. */
static vec3 unpack_normal(uint32_t code)
{
    float x = snorm16(code), y = snorm16(code >> 16), z = 1.0f - fabsf(x) - fabsf(y);
    vec3 n = {x, y, z};
    if (z < 0.0f)
        n = (vec3){copysignf(1.0f - fabsf(y), x), copysignf(1.0f - fabsf(x), y), z};
    float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z); /* at least the root of 1/3 */
    return (vec3){n.x / length, n.y / length, n.z / length};
}

/* A vertex as all variants have it. */
typedef struct blade_vertex {
    vec3 position, normal;
    float random, occlusion; /* r0; 0 dark .. 1 open */
} blade_vertex;

static blade_vertex vertex_of(const blades *b, uint64_t leaf, uint32_t row, uint32_t column)
{
    uint64_t at = leaf * 2 * b->rows + 2 * row + column;
    if (b->vertices != NULL) {
        const grass_vertex *v = &b->vertices[at];
        return (blade_vertex){v->position, v->normal, (float)(v->shade >> 24) / 255.0f,
                              (float)(v->shade & 255u) / 255.0f};
    }
    const grass_packed *v = &b->packed[at];
    const vec3 pivot = instance_of(b, leaf)->pivot;
    const vec3 position = {pivot.x + (float)grass_half_value(v->offset_xy & 0xffffu),
                           pivot.y + (float)grass_half_value(v->offset_xy >> 16),
                           pivot.z + (float)grass_half_value(v->offset_z & 0xffffu)};
    return (blade_vertex){position, unpack_normal(v->normal), (float)(v->shade >> 8 & 255u) / 255.0f,
                          (float)(v->shade >> 24) / 255.0f};
}

/* Middle of a row, m. */
static void middle_of(const blades *b, uint64_t leaf, uint32_t row, double middle[3])
{
    const vec3 l = vertex_of(b, leaf, row, 0).position, r = vertex_of(b, leaf, row, 1).position;
    middle[0] = 0.5 * ((double)l.x + (double)r.x);
    middle[1] = 0.5 * ((double)l.y + (double)r.y);
    middle[2] = 0.5 * ((double)l.z + (double)r.z);
}

/* Sine of the angle between the vertical and the line from root to tip: an eighth of a turn for a quarter circle. */
static double lean_of(const blades *b, uint64_t leaf)
{
    double root[3], tip[3];
    middle_of(b, leaf, 0, root);
    middle_of(b, leaf, b->rows - 1, tip);
    double x = tip[0] - root[0], y = tip[1] - root[1], z = tip[2] - root[2];
    double chord = x * x + y * y + z * z;
    return chord > 0.0 ? sqrt((x * x + y * y) / chord) : 0.0;
}

/* A blade is thin: where the eye sees the other side, the light that comes through it counts. The normal is turned to
 * just the eye's side of the blade. */
static void turn_normals(vfx_raster_vertex corners[3], const double eye[3])
{
    float side[2][3], own[3], square = 0.0f, away = 0.0f;
    for (int i = 0; i < 3; i++) {
        side[0][i] = corners[1].position[i] - corners[0].position[i];
        side[1][i] = corners[2].position[i] - corners[0].position[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        own[i] = side[0][j] * side[1][k] - side[0][k] * side[1][j];
        square += own[i] * own[i];
        away += own[i] * (corners[0].position[i] - (float)eye[i]);
    }
    for (int c = 0; c < 3 && square > 0.0f; c++) {
        float *n = corners[c].normal, facing = n[0] * own[0] + n[1] * own[1] + n[2] * own[2];
        if (facing * away <= 0.0f)
            continue;
        for (int i = 0; i < 3; i++)
            n[i] -= 1.2f * facing / square * own[i];
    }
}

/* Draws a leaf in `segments` pieces; `tint` is mixed into its own colour by `share`. */
static void draw_leaf(const blades *b, vfx_raster *raster, const vfx_scene *scene, uint64_t leaf, uint32_t segments,
                      const float tint[3], float share)
{
    vfx_raster_vertex pair[2][2];
    for (uint32_t i = 0; i <= segments; i++) {
        uint32_t row = (uint32_t)((uint64_t)i * (b->rows - 1) / segments);
        for (uint32_t column = 0; column < 2; column++) {
            const blade_vertex v = vertex_of(b, leaf, row, column);
            vfx_raster_vertex to = {.position = {v.position.x, v.position.y, v.position.z},
                                    .normal = {v.normal.x, v.normal.y, v.normal.z}};
            for (int k = 0; k < 3; k++)
                to.colour[k] = mixed(mixed(dark[k], light[k], 0.35f + 0.3f * v.random), tint[k], share) *
                               (0.6f + 0.4f * v.occlusion);
            pair[i % 2][column] = to;
        }
        if (i == 0)
            continue;
        const vfx_raster_vertex *low = pair[(i + 1) % 2], *high = pair[i % 2];
        vfx_raster_vertex triangles[2][3] = {{low[0], low[1], high[0]}, {high[0], low[1], high[1]}};
        for (int t = 0; t < 2; t++) {
            turn_normals(triangles[t], scene->eye);
            vfx_raster_triangle(raster, triangles[t]);
        }
    }
}

/* ------------------------------------------------------------------------------------------- ground */

static void ground_vertex(const vfx_ref *ref, double x, double y, vfx_raster_vertex *vertex)
{
    double normal[3], half = 0.5 * grass_field_of(ref->kase).side;
    double outside = fmax(fmax(fabs(x), fabs(y)) - half, 0.0), share = clamp(outside / (0.05 * half), 0.0, 1.0);
    grass_ground_normal(ref->kase, x, y, normal);
    *vertex = (vfx_raster_vertex){.position = {(float)x, (float)y, (float)grass_ground_height(ref->kase, x, y)}};
    for (int i = 0; i < 3; i++) {
        vertex->normal[i] = (float)normal[i];
        vertex->colour[i] = mixed(soil[i], heath[i], (float)share);
    }
}

/* The ground around (x, y), `reach` to each side. */
static void draw_ground(const vfx_ref *ref, vfx_raster *raster, double x, double y, double reach)
{
    vfx_raster_vertex rows[2][GROUND_CELLS + 1];
    for (int j = 0; j <= GROUND_CELLS; j++) {
        vfx_raster_vertex *far = rows[j % 2], *near = rows[(j + 1) % 2];
        for (int i = 0; i <= GROUND_CELLS; i++)
            ground_vertex(ref, x + reach * (2.0 * i / GROUND_CELLS - 1.0), y + reach * (2.0 * j / GROUND_CELLS - 1.0),
                          &far[i]);
        for (int i = 0; i < GROUND_CELLS && j > 0; i++) {
            const vfx_raster_vertex triangles[2][3] = {{near[i], near[i + 1], far[i]},
                                                       {far[i], near[i + 1], far[i + 1]}};
            vfx_raster_triangle(raster, triangles[0]);
            vfx_raster_triangle(raster, triangles[1]);
        }
    }
}

/* Sky, sun, and the eye `distance` from a spot of the ground. */
static void set_scene(const vfx_ref *ref, vfx_scene *scene, const double spot[2], const double toward[3],
                      const double sun[3], double distance)
{
    double height = grass_ground_height(ref->kase, spot[0], spot[1]);
    *scene = (vfx_scene){
        .up = {0.0, 0.0, 1.0},
        .fov = fov,
        .sun = {sun[0], sun[1], sun[2]},
        .sun_light = {0.92f, 0.77f, 0.55f},
        .sky_light = {0.31f, 0.37f, 0.45f},
        .sky = {{0.60f, 0.68f, 0.76f}, {0.18f, 0.36f, 0.66f}},
    };
    for (int i = 0; i < 3; i++)
        scene->target[i] = scene->centre[i] = i < 2 ? spot[i] : height;
    for (int i = 0; i < 3; i++)
        scene->eye[i] = scene->target[i] + distance * toward[i];
    double clear = grass_ground_height(ref->kase, scene->eye[0], scene->eye[1]) + 0.1 * distance;
    scene->eye[2] = fmax(scene->eye[2], clear);
}

/* ------------------------------------------------------------------------------------------- meadow */

/* Is a leaf drawn that stands at `offset` from the middle of the picture? None is beyond `reach`; of a field of `area`
 * with more leaves than one can wait for, all that are near are, and ever fewer further off. */
static bool is_kept(const blades *b, uint64_t leaf, const double offset[2], double reach, double area)
{
    double square = offset[0] * offset[0] + offset[1] * offset[1];
    if (!(fabs(offset[0]) < reach && fabs(offset[1]) < reach))
        return false;
    /* square of the distance to which all are drawn; those beyond it are about five times as many */
    double full = most_leaves / (double)b->leaves * area / 6.0;
    return (double)b->leaves <= most_leaves || vfx_hash_random((uint32_t)leaf, 0, 0) < full / fmax(square, 1e-9);
}

static vfx_status draw_meadow(const vfx_ref *ref, vfx_raster *raster)
{
    static const double toward[3] = {0.22, -0.93, 0.30}, sun[3] = {-0.80, 0.25, 0.52};
    const blades b = blades_of(ref);
    double side = grass_field_of(ref->kase).side, shown = fmin(side, widest), reach = 2.5 * shown;
    uint32_t segments = b.rows - 1 < MOST_SEGMENTS ? b.rows - 1 : MOST_SEGMENTS;
    vfx_scene scene;
    set_scene(ref, &scene, (const double[2]){0.0, 0.0}, toward, sun, 1.46 * shown);
    scene.target[2] += 0.02 * shown;
    scene.radius = 0.0; /* no shadows: those of so many thin blades are noise */
    scene.fog = 12.0 * shown;
    vfx_raster_scene(raster, &scene);
    draw_ground(ref, raster, scene.target[0], scene.target[1], reach);
    for (uint64_t leaf = 0; leaf < b.leaves; leaf++) {
        const vec3 p = instance_of(&b, leaf)->pivot;
        if (!is_kept(&b, leaf, (const double[2]){(double)p.x, (double)p.y}, reach, side * side))
            continue;
        float gust = (float)clamp((lean_of(&b, leaf) - 0.18) / 0.42, 0.0, 1.0);
        draw_leaf(&b, raster, &scene, leaf, segments, windy, gust);
    }
    return VFX_OK;
}

/* -------------------------------------------------------------------------------------------- tufts */

/* The circle's arc that leaves the root straight up and goes through the tip, half as long again as the leaf: a leaf
 * that is bent as it should be lies on it. */
static void draw_arc(const blades *b, vfx_raster *raster, uint64_t leaf)
{
    static const float colour[3] = {0.80f, 0.05f, 0.02f};
    double root[3], tip[3];
    middle_of(b, leaf, 0, root);
    middle_of(b, leaf, b->rows - 1, tip);
    double x = tip[0] - root[0], y = tip[1] - root[1], z = tip[2] - root[2], flat = sqrt(x * x + y * y);
    double end = 1.5 * 2.0 * atan2(flat, z), radius = (flat * flat + z * z) / (2.0 * flat);
    if (!(flat > 0.0) || !isfinite(radius))
        return;
    float from[3] = {(float)root[0], (float)root[1], (float)root[2]};
    for (int i = 1; i <= ARC_STEPS; i++) {
        double angle = end * i / ARC_STEPS, off = radius * (1.0 - cos(angle)) / flat;
        const float to[3] = {(float)(root[0] + x * off), (float)(root[1] + y * off),
                             (float)(root[2] + radius * sin(angle))};
        vfx_raster_line(raster, from, to, 1.6f, colour);
        for (int k = 0; k < 3; k++)
            from[k] = to[k];
    }
}

/* A thread along the normal from the middle of each row. */
static void draw_normals(const blades *b, vfx_raster *raster, uint64_t leaf)
{
    static const float colour[3] = {0.05f, 0.30f, 0.95f};
    double length = 0.12 * (double)b->params->height;
    for (uint32_t row = 0; row < b->rows; row++) {
        double middle[3];
        middle_of(b, leaf, row, middle);
        const vec3 n = vertex_of(b, leaf, row, 0).normal;
        const float from[3] = {(float)middle[0], (float)middle[1], (float)middle[2]};
        const float to[3] = {(float)(middle[0] + length * (double)n.x), (float)(middle[1] + length * (double)n.y),
                             (float)(middle[2] + length * (double)n.z)};
        vfx_raster_line(raster, from, to, 1.6f, colour);
    }
}

/* The instance nearest to the middle of the field. */
static uint64_t middle_instance(const vfx_ref *ref, const blades *b)
{
    uint64_t nearest = 0;
    double least = INFINITY;
    for (uint64_t i = 0; b->instances != NULL && i < grass_instance_count(ref->kase); i++) {
        const vec3 p = b->instances[i].pivot;
        double away = (double)p.x * (double)p.x + (double)p.y * (double)p.y;
        nearest = away < least ? i : nearest;
        least = fmin(away, least);
    }
    return nearest;
}

static vfx_status draw_tufts(const vfx_ref *ref, vfx_raster *raster)
{
    static const double toward[3] = {0.35, -0.88, 0.30}, sun[3] = {-0.75, -0.60, 0.60};
    static const float pale[3] = {0.78f, 0.76f, 0.34f}, dim[3] = {0.16f, 0.30f, 0.10f};
    const blades b = blades_of(ref);
    uint64_t middle = middle_instance(ref, &b), each = b.params->leaves;
    uint32_t segments = b.rows - 1 < 2 * MOST_SEGMENTS ? b.rows - 1 : 2 * MOST_SEGMENTS;
    const grass_field field = grass_field_of(ref->kase);
    double height = (double)b.params->height, shown = 2.2 * height;
    const vec3 spot = b.leaves > 0 ? b.instances[middle].pivot : (vec3){0.0f, 0.0f, 0.0f};
    vfx_scene scene;
    set_scene(ref, &scene, (const double[2]){(double)spot.x, (double)spot.y}, toward, sun, 1.75 * shown);
    scene.target[2] += 0.62 * height;
    scene.radius = 1.2 * shown;
    scene.fog = 20.0 * shown;
    vfx_raster_scene(raster, &scene);
    draw_ground(ref, raster, scene.target[0], scene.target[1], 6.0 * shown);
    for (uint64_t leaf = 0; leaf < b.leaves; leaf++) {
        const vec3 p = instance_of(&b, leaf)->pivot;
        const double offset[2] = {(double)p.x - scene.target[0], (double)p.y - scene.target[1]};
        double near = offset[0] * toward[0] + offset[1] * toward[1];
        bool chosen = leaf / each == middle && leaf % each < MOST_FOCUS;
        if (!chosen && near > -0.4 * field.cell) /* in front of the tuft in the middle */
            continue;
        if (!chosen && !is_kept(&b, leaf, offset, 2.0 * shown, field.side * field.side))
            continue;
        draw_leaf(&b, raster, &scene, leaf, segments, chosen ? pale : dim, chosen ? 0.7f : 0.35f);
        if (chosen) {
            draw_arc(&b, raster, leaf);
            draw_normals(&b, raster, leaf);
        }
    }
    return VFX_OK;
}

const vfx_view grass_views[GRASS_VIEW_COUNT] = {
    {.name = "meadow",
     .summary = "Gusts run over a meadow: the further a blade is bent, the lighter it is.",
     .preset = "golden",
     .set = "per_m2=30,height=0.8,width=0.09,normal_blend=0.9,relief=1.5,hill_size=20,noise_scale=0.25",
     .frames = {30, 90, 150},
     .draw = draw_meadow},
    {.name = "tufts",
     .summary = "Tufts close by, and on the middle ones the circle's arc that a leaf should follow, and its normals.",
     .preset = "golden",
     .set = "blades=100,leaves=7,rows=12,height=0.7,width=0.045,per_m2=2.5,clump_radius=0.2,relief=0.3,hill_size=5,"
            "noise_scale=0.3,bend_min=0.4,bend_max=1,normal_blend=0.2",
     .frames = {30, 90, 150},
     .draw = draw_tufts,
     /* packed offsets move the edges of blades and threads by up to 0.2 mm: 0.12 */
     .weighted_p99 = 0.15},
};
