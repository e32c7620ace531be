/* pbd_view.c - pictures of the particles: balls in their box by speed, and balls around an obstacle by what they touch.
 * Colours come from the particles' own numbers, never from their place in the state, whose order the variants choose.
 */
#include "kernels/pbd/pbd.h"

#include "core/hash.h"
#include "core/raster.h"

#include <math.h>
#include <string.h>

enum { MOST_BALLS = 40000, AROUND = 64, ACROSS = 24 }; /* drawn in one picture; quads of a curved obstacle */

static const double pi = 3.14159265358979323846;
static const float dark[3] = {0.0f, 0.0f, 0.0f};
static const float edge[3] = {0.10f, 0.11f, 0.13f};
static const float obstacle_colour[3] = {0.52f, 0.50f, 0.46f};
static const float floor_colour[3] = {0.30f, 0.29f, 0.27f};

typedef struct stop {
    double at;
    float colour[3]; /* linear albedo */
} stop;

/* From rest to fast, m/s. */
static const stop speeds[] = {{0.0, {0.02f, 0.07f, 0.22f}},
                              {0.4, {0.03f, 0.26f, 0.45f}},
                              {1.2, {0.16f, 0.52f, 0.38f}},
                              {2.5, {0.78f, 0.55f, 0.10f}},
                              {5.0, {0.82f, 0.14f, 0.05f}}};
/* Contacts of a ball. */
static const stop contacts[] = {{0.0, {0.72f, 0.70f, 0.66f}},
                                {3.0, {0.80f, 0.52f, 0.08f}},
                                {6.0, {0.70f, 0.12f, 0.12f}},
                                {10.0, {0.16f, 0.04f, 0.26f}}};

static const pbd_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, pbd_params);
}

/* Between two stops; the first one for what is below, or no number. */
static void colour_of(const stop *stops, size_t count, double value, float colour[3])
{
    memcpy(colour, stops[0].colour, sizeof stops[0].colour);
    for (size_t i = 1; i < count && value > stops[i - 1].at; i++) {
        double share = fmin((value - stops[i - 1].at) / (stops[i].at - stops[i - 1].at), 1.0);
        for (int c = 0; c < 3; c++)
            colour[c] = stops[i - 1].colour[c] + (float)share * (stops[i].colour[c] - stops[i - 1].colour[c]);
    }
}

/* ------------------------------------------------------------------------------------------- the scene */

static void set_scene(const vfx_ref *ref, vfx_raster *raster)
{
    const pbd_params *params = params_of(ref);
    double half[3] = {0.5 * (double)params->size_x, 0.5 * (double)params->size_y, 0.5 * (double)params->size_z};
    double radius = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    static const double towards[3] = {0.50, -0.78, 0.375};
    vfx_scene scene;
    vfx_scene_default(&scene);
    scene.fov = 0.49;
    scene.ground = params->floor != 0 && params->slope == 0.0f;
    scene.grid = exp2(floor(log2(0.4 * radius)));
    scene.centre[2] = half[2];
    scene.radius = radius;
    scene.target[2] = 0.72 * half[2];
    for (int i = 0; i < 3; i++)
        scene.eye[i] = scene.target[i] + towards[i] * radius * 3.3;
    vfx_raster_scene(raster, &scene);
}

static void draw_quad(vfx_raster *raster, float corners[4][3], const float colour[3])
{
    vfx_raster_vertex vertices[4] = {0};
    for (int i = 0; i < 4; i++) {
        memcpy(vertices[i].position, corners[i], sizeof corners[i]);
        memcpy(vertices[i].colour, colour, sizeof vertices[i].colour);
    }
    vfx_raster_mesh(raster, vertices, 4, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
}

/* Corner i of a box: bit a of i says which end of axis a. */
static void corner_of(const float low[3], const float high[3], uint32_t i, float corner[3])
{
    for (uint32_t axis = 0; axis < 3; axis++)
        corner[axis] = (i >> axis & 1u) != 0 ? high[axis] : low[axis];
}

static void draw_edges(vfx_raster *raster, const float low[3], const float high[3])
{
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            float from[3], to[3];
            if ((i >> axis & 1u) != 0)
                continue;
            corner_of(low, high, i, from);
            corner_of(low, high, i | 1u << axis, to);
            vfx_raster_line(raster, from, to, 1.6f, edge);
        }
}

static void draw_box(vfx_raster *raster, const float low[3], const float high[3])
{
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t first = side << axis, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
            float corners[4][3];
            corner_of(low, high, first, corners[0]);
            corner_of(low, high, first | u, corners[1]);
            corner_of(low, high, first | u | v, corners[2]);
            corner_of(low, high, first | v, corners[3]);
            draw_quad(raster, corners, obstacle_colour);
        }
}

/* Point of a torus around z: `ring` and `tube` are its radii; angles in turns. */
static vfx_raster_vertex torus_point(const vec3 *place, double ring, double tube, double u, double v)
{
    double out = cos(2.0 * pi * v), up = sin(2.0 * pi * v), x = cos(2.0 * pi * u), y = sin(2.0 * pi * u);
    vfx_raster_vertex vertex = {.position = {(float)((double)place->x + (ring + tube * out) * x),
                                             (float)((double)place->y + (ring + tube * out) * y),
                                             (float)((double)place->z + tube * up)},
                                .normal = {(float)(out * x), (float)(out * y), (float)up}};
    memcpy(vertex.colour, obstacle_colour, sizeof vertex.colour);
    return vertex;
}

static void draw_torus(vfx_raster *raster, const pbd_collider *q)
{
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ACROSS; j++) {
            vfx_raster_vertex v[4];
            for (int k = 0; k < 4; k++) {
                double u = (i + (k == 1 || k == 2)) / (double)AROUND, w = (j + k / 2) / (double)ACROSS;
                v[k] = torus_point(&q->place, (double)q->extent.x, (double)q->extent.y, u, w);
            }
            vfx_raster_mesh(raster, v, 4, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
        }
}

/* Its axis is along y. */
static void draw_capsule(vfx_raster *raster, const pbd_collider *q)
{
    const float ends[2][3] = {{q->place.x, q->place.y, q->place.z}, {q->extent.x, q->extent.y, q->extent.z}};
    for (int i = 0; i < 2; i++)
        vfx_raster_sphere(raster, ends[i], q->round, obstacle_colour, dark);
    for (int i = 0; i < AROUND; i++) {
        vfx_raster_vertex v[4] = {0};
        for (int k = 0; k < 4; k++) {
            double angle = 2.0 * pi * (i + (k == 1 || k == 2)) / AROUND;
            const float *end = ends[k / 2];
            v[k].normal[0] = (float)cos(angle);
            v[k].normal[2] = (float)sin(angle);
            for (int a = 0; a < 3; a++)
                v[k].position[a] = end[a] + q->round * v[k].normal[a];
            memcpy(v[k].colour, obstacle_colour, sizeof obstacle_colour);
        }
        vfx_raster_mesh(raster, v, 4, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
    }
}

/* The tilted floor, as wide as the domain; a level one is the ground. */
static void draw_plane(const vfx_ref *ref, vfx_raster *raster, const pbd_collider *q)
{
    const pbd_params *params = params_of(ref);
    if (params->slope == 0.0f)
        return;
    static const float signs[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    float corners[4][3];
    for (int i = 0; i < 4; i++) {
        corners[i][0] = signs[i][0] * params->size_x;
        corners[i][1] = signs[i][1] * params->size_y;
        corners[i][2] = (q->extent.x - q->place.x * corners[i][0] - q->place.y * corners[i][1]) / q->place.z;
    }
    draw_quad(raster, corners, floor_colour);
}

static void draw_collider(const vfx_ref *ref, vfx_raster *raster, const pbd_collider *q)
{
    const float low[3] = {q->place.x, q->place.y, q->place.z}, high[3] = {q->extent.x, q->extent.y, q->extent.z};
    float size = (float)pbd_obstacle_size(ref->kase);
    switch (q->kind) {
    case PBD_COLLIDER_PLANE:
        draw_plane(ref, raster, q);
        break;
    case PBD_COLLIDER_BOX_IN:
        draw_edges(raster, low, high);
        break;
    case PBD_COLLIDER_BOX_OUT:
        draw_box(raster, low, high);
        break;
    case PBD_COLLIDER_SPHERE:
        vfx_raster_sphere(raster, low, q->extent.x, obstacle_colour, dark);
        break;
    case PBD_COLLIDER_CAPSULE:
        draw_capsule(raster, q);
        break;
    case PBD_COLLIDER_TORUS:
        draw_torus(raster, q);
        break;
    default: /* the sampled box */
        draw_box(raster, (const float[3]){low[0] - size, low[1] - size, low[2] - size},
                 (const float[3]){low[0] + size, low[1] + size, low[2] + size});
        break;
    }
}

static void draw_scene(const vfx_ref *ref, vfx_raster *raster)
{
    const pbd_collider *colliders = ref->in[PBD_BUFFER_COLLIDER];
    set_scene(ref, raster);
    for (uint64_t i = 0; colliders != NULL && i < ref->count[PBD_BUFFER_COLLIDER]; i++)
        draw_collider(ref, raster, &colliders[i]);
}

/* ------------------------------------------------------------------------------------------- the views */

/* Of very many balls only some, chosen by their ids. */
static bool is_drawn(const vfx_ref *ref, const pbd_particle *particle)
{
    double share = (double)MOST_BALLS / (double)ref->count[PBD_BUFFER_PARTICLE];
    return share >= 1.0 || vfx_hash_random(particle->id, 0, 0) < share;
}

static void draw_ball(vfx_raster *raster, const pbd_particle *particle, const float colour[3])
{
    const float centre[3] = {particle->position.x, particle->position.y, particle->position.z};
    vfx_raster_sphere(raster, centre, particle->radius, colour, dark);
}

static vfx_status draw_speeds(const vfx_ref *ref, vfx_raster *raster)
{
    const pbd_particle *particles = ref->in[PBD_BUFFER_PARTICLE];
    draw_scene(ref, raster);
    for (uint64_t i = 0; i < ref->count[PBD_BUFFER_PARTICLE]; i++) {
        const vec3 *v = &particles[i].velocity;
        float colour[3];
        double speed = sqrt((double)v->x * (double)v->x + (double)v->y * (double)v->y + (double)v->z * (double)v->z);
        if (!is_drawn(ref, &particles[i]))
            continue;
        colour_of(speeds, VFX_COUNT(speeds), speed, colour);
        draw_ball(raster, &particles[i], colour);
    }
    return VFX_OK;
}

static vfx_status draw_contacts(const vfx_ref *ref, vfx_raster *raster)
{
    const pbd_particle *particles = ref->in[PBD_BUFFER_PARTICLE];
    const pbd_contact *contact = ref->in[PBD_BUFFER_CONTACT]; /* of the same slots */
    draw_scene(ref, raster);
    for (uint64_t i = 0; i < ref->count[PBD_BUFFER_PARTICLE]; i++) {
        float colour[3];
        if (!is_drawn(ref, &particles[i]))
            continue;
        colour_of(contacts, VFX_COUNT(contacts), contact != NULL ? (double)contact[i].contacts : 0.0, colour);
        draw_ball(raster, &particles[i], colour);
    }
    return VFX_OK;
}

/* FLIP: list also finds contacts of balls that left their cells within the frame, which the other searches miss. */
#define LIST_SEES_MORE 0.2

/* All but the slow one, whose reference would have to compute the start of every golden. */
static bool is_drawable(const vfx_variant *variant)
{
    return variant - pbd_kernel.variants != PBD_BRUTE;
}

const vfx_view pbd_views[PBD_VIEW_COUNT] = {
    {.name = "pile",
     .summary = "3,000 balls settle into a heap: yellow and green ones still move, blue ones rest.",
     .preset = "golden",
     .set = "",
     .frames = {30, 42, 60},
     .device_frames = 5,
     .draws = is_drawable,
     .draw = draw_speeds,
     .weighted_p99 = LIST_SEES_MORE},
    {.name = "torus",
     .summary = "A ring sweeps through balls of 1 to 10 kg: the darker a ball, the more it touches.",
     .preset = "golden",
     .set = "particles=760,size_x=3,size_y=2.6,size_z=2.4,mass_low=1,mass_high=10,obstacle=torus,"
            "obstacle_speed=2.5",
     .frames = {45, 52, 60},
     .device_frames = 5,
     .draws = is_drawable,
     .draw = draw_contacts,
     .weighted_p99 = LIST_SEES_MORE},
};
