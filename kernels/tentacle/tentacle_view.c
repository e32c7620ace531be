/* tentacle_view.c - pictures of the tentacles: the whole colony as its mesh, and one entity close by, half of it as
 * mesh and half as the chains that carry it. Only what the frame's records hold is drawn, whichever variant made them;
 * the colours come from the particles. */
#include "kernels/tentacle/tentacle.h"

#include "core/hash.h"
#include "core/raster.h"

#include <math.h>

static const double tan_half_fov = 0.25; /* of both cameras */
static const double fov = 0.48995732625; /* rad, 2 atan of that */
static const double width_to_height = 16.0 / 9.0;
static const double root_reach = 0.25;  /* m from an entity to its roots */
static const double widest = 7.0;       /* m from the middle that the picture of a large colony shows */
static const double most_corners = 3e6; /* of the mesh, drawn in one picture */
static const float body_radius = 0.26f; /* m, of the ball that stands for an entity */
enum { MOST_CLOSE = 12 };               /* tentacles in the picture of one entity */

enum { PALETTE = 8 };
/* Linear albedo; neighbouring numbers differ. */
static const float palette[PALETTE][3] = {{0.05f, 0.36f, 0.42f}, {0.62f, 0.14f, 0.12f}, {0.10f, 0.18f, 0.58f},
                                          {0.72f, 0.40f, 0.06f}, {0.34f, 0.12f, 0.56f}, {0.20f, 0.46f, 0.12f},
                                          {0.62f, 0.12f, 0.40f}, {0.06f, 0.48f, 0.30f}};
static const float glow_colour[3] = {1.0f, 0.38f, 0.08f};
/* Of an entity's ball by its state: idle, preparing, jumping. */
static const float state_colour[TENTACLE_STATE_COUNT][3] = {
    {0.08f, 0.16f, 0.24f}, {0.60f, 0.07f, 0.03f}, {0.50f, 0.50f, 0.46f}};

static const tentacle_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, tentacle_params);
}

/* ------------------------------------------------------------------------------------- the mesh of a frame */

/* The triangle list of a frame, whichever variant made it. */
typedef struct mesh {
    const tentacle_params *params;
    const tentacle_particle *particles;
    const tentacle_vertex *vertices; /* either these */
    const tentacle_packed *packed;   /* or these */
    uint64_t vertex_count;
    const uint32_t *index; /* NULL: corner k is vertex k */
} mesh;

static mesh mesh_of(const vfx_ref *ref)
{
    mesh m = {.params = params_of(ref),
              .particles = ref->in[TENTACLE_BUFFER_PARTICLE],
              .vertices = ref->in[TENTACLE_BUFFER_VERTEX],
              .packed = ref->in[TENTACLE_BUFFER_PACKED],
              .index = ref->in[TENTACLE_BUFFER_INDEX]};
    m.vertex_count = ref->count[m.vertices != NULL ? TENTACLE_BUFFER_VERTEX : TENTACLE_BUFFER_PACKED];
    if (ref->in[TENTACLE_BUFFER_CORNER] != NULL) {
        m.vertices = ref->in[TENTACLE_BUFFER_CORNER];
        m.vertex_count = ref->count[TENTACLE_BUFFER_CORNER];
        m.index = NULL;
    }
    return m;
}

static uint64_t tube_corners(const tentacle_params *params) /* of one tentacle */
{
    return 6 * (uint64_t)params->sides * (params->particles - 1);
}

static uint64_t cap_corners(const tentacle_params *params)
{
    return params->cap ? 3 * (uint64_t)params->sides : 0;
}

static float snorm16(uint32_t code)
{
    int32_t value = (int32_t)(code & 0xffffu) - (code & 0x8000u ? 0x10000 : 0);
    return fmaxf((float)value / 32767.0f, -1.0f);
}

/* Unit vector of an octahedral code. */
static void unpack_normal(uint32_t code, float normal[3])
{
    float x = snorm16(code), y = snorm16(code >> 16), z = 1.0f - fabsf(x) - fabsf(y);
    float length = 0.0f;
    normal[0] = z < 0.0f ? copysignf(1.0f - fabsf(y), x) : x;
    normal[1] = z < 0.0f ? copysignf(1.0f - fabsf(x), y) : y;
    normal[2] = z;
    for (int i = 0; i < 3; i++)
        length += normal[i] * normal[i];
    for (int i = 0; i < 3; i++)
        normal[i] /= sqrtf(length); /* at least 1/3 */
}

static void to_floats(vec3 v, float floats[3])
{
    floats[0] = v.x;
    floats[1] = v.y;
    floats[2] = v.z;
}

/* Position and normal of a corner of the triangle list; false where its index leads nowhere. */
static bool corner_of(const mesh *m, uint64_t corner, vfx_raster_vertex *vertex)
{
    uint64_t at = m->index != NULL ? m->index[corner] : corner;
    if (at >= m->vertex_count)
        return false;
    if (m->vertices != NULL) {
        to_floats(m->vertices[at].position, vertex->position);
        to_floats(m->vertices[at].normal, vertex->normal);
    } else {
        to_floats(m->packed[at].position, vertex->position);
        unpack_normal(m->packed[at].normal, vertex->normal);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------- colour */

/* A tentacle has a colour of its own, lighter towards the tip; the pulses that run along it glow. */
static void paint(const mesh *m, uint64_t particle, float whitened, vfx_raster_vertex *vertex)
{
    const float *own = palette[particle / m->params->particles % PALETTE];
    float share = (float)(particle % m->params->particles) / (float)(m->params->particles - 1);
    float white = whitened + (1.0f - whitened) * 0.25f * share * share;
    float emissive = fminf(fmaxf(m->particles[particle].emissive, 0.0f), 2.0f);
    for (int i = 0; i < 3; i++) {
        vertex->colour[i] = own[i] + (0.80f - own[i]) * white;
        vertex->glow[i] = 0.9f * emissive * emissive * glow_colour[i];
    }
}

/* Draws corners [first, first + count) of the triangle list. */
static void draw_corners(const mesh *m, vfx_raster *raster, uint64_t first, uint64_t count, float whitened)
{
    for (uint64_t corner = first; corner < first + count; corner += 3) {
        vfx_raster_vertex triangle[3];
        bool there = true;
        for (uint32_t i = 0; i < 3 && there; i++) {
            there = corner_of(m, corner + i, &triangle[i]);
            paint(m, tentacle_corner_particle(m->params, corner + i), whitened, &triangle[i]);
        }
        if (there)
            vfx_raster_triangle(raster, triangle);
    }
}

static void draw_tube(const mesh *m, vfx_raster *raster, uint64_t tentacle, float whitened)
{
    uint64_t tube = tube_corners(m->params), cap = cap_corners(m->params);
    draw_corners(m, raster, tentacle * tube, tube, whitened);
    draw_corners(m, raster, m->params->tentacles * tube + tentacle * cap, cap, whitened);
}

/* The ball that carries the tentacles, in the colour of its state. */
static void draw_body(const vfx_ref *ref, vfx_raster *raster, uint64_t entity)
{
    const tentacle_entity *entities = ref->in[TENTACLE_BUFFER_ENTITY];
    if (entities == NULL || entity >= ref->count[TENTACLE_BUFFER_ENTITY])
        return;
    float centre[3];
    const float *colour = state_colour[entities[entity].state < TENTACLE_STATE_COUNT ? entities[entity].state : 0];
    to_floats(entities[entity].translation, centre);
    vfx_raster_sphere(raster, centre, body_radius, colour, (const float[3]){0.0f, 0.0f, 0.0f});
}

/* ------------------------------------------------------------------------------------------- camera */

/* How far a tentacle reaches from its entity at rest, m. */
static double reach_of(const tentacle_params *params)
{
    return root_reach + (double)params->rest_length * (params->particles - 1.0) + (double)params->radius;
}

/* Evening light over dark ground, so that glow shows. */
static void set_light(vfx_scene *scene)
{
    vfx_scene_default(scene);
    const vfx_scene evening = {
        .up = {0.0, 0.0, 1.0},
        .fov = fov,
        .sun = {-0.80, -0.30, 0.60},
        .sun_light = {1.05f, 0.86f, 0.62f},
        .sky_light = {0.17f, 0.22f, 0.32f},
        .sky = {{0.40f, 0.36f, 0.38f}, {0.07f, 0.10f, 0.22f}},
        .ground = true,
        .grid = 1.0,
        .ground_colour = {0.15f, 0.17f, 0.20f},
    };
    *scene = evening;
}

/* Directions of a camera that looks along -toward. */
typedef struct camera {
    double toward[3], right[3], up[3];
} camera;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static camera camera_of(const double toward[3])
{
    double flat = sqrt(toward[0] * toward[0] + toward[1] * toward[1]);
    double x = -toward[1] / flat, y = toward[0] / flat;
    return (camera){{toward[0], toward[1], toward[2]}, {x, y, 0.0}, {-toward[2] * y, toward[2] * x, flat}};
}

/* Distance from the target at which a ball at `offset` from it is just within the picture. */
static double distance_for(const camera *c, const double offset[3], double radius)
{
    double across = (fabs(dot(offset, c->right)) + radius) / (tan_half_fov * width_to_height);
    double above = (fabs(dot(offset, c->up)) + radius) / tan_half_fov;
    return dot(offset, c->toward) + fmax(across, above);
}

static void aim(vfx_scene *scene, const camera *c, const double target[3], double distance)
{
    for (int i = 0; i < 3; i++) {
        scene->target[i] = scene->centre[i] = target[i];
        scene->eye[i] = target[i] + distance * c->toward[i];
    }
}

/* ------------------------------------------------------------------------------------------- colony */

/* The whole colony, or the middle of a large one. */
static void colony_scene(const vfx_ref *ref, vfx_scene *scene)
{
    const camera c = camera_of((const double[3]){0.4300, -0.7448, 0.5101});
    double reach = reach_of(params_of(ref)), distance = 0.0, away = 0.0, target[3] = {0.0, 0.0, 1.0};
    uint64_t entities = tentacle_entity_count(ref->kase);
    for (uint64_t entity = 0; entity < entities; entity++) {
        tentacle_pose home = tentacle_entity_pose(ref->kase, (uint32_t)entity, 0);
        double size = sqrt(home.translation[0] * home.translation[0] + home.translation[1] * home.translation[1]);
        if (size <= widest)
            away = fmax(away, size);
    }
    for (int i = 0; i < 2; i++)
        target[i] = 0.2 * away * c.toward[i]; /* what is near looks large */
    for (uint64_t entity = 0; entity < entities; entity++) {
        tentacle_pose home = tentacle_entity_pose(ref->kase, (uint32_t)entity, 0);
        double *p = home.translation, size = sqrt(p[0] * p[0] + p[1] * p[1]);
        const double offset[3] = {p[0] - target[0], p[1] - target[1], 0.0};
        if (size <= widest)
            distance = fmax(distance, distance_for(&c, offset, 0.69 * reach));
    }
    set_light(scene);
    aim(scene, &c, target, distance);
    scene->radius = away + 1.1 * reach;
    if (away > 0.6 * widest) { /* the field goes on */
        scene->radius = 2.5 * widest + reach;
        scene->fog = 6.0 * widest + 2.0 * distance;
    }
}

/* Which tentacles of a large colony are drawn: all that are near, ever fewer further off, so that about as many corners
 * are drawn as one can wait for. */
static bool is_kept(const vfx_ref *ref, const vfx_scene *scene, uint64_t tentacle)
{
    const tentacle_params *params = params_of(ref);
    double corners = (double)(tube_corners(params) + cap_corners(params));
    double share = most_corners / (corners * params->tentacles);
    if (share >= 1.0)
        return true;
    const tentacle_pose home = tentacle_entity_pose(ref->kase, (uint32_t)(tentacle / params->tentacles_per_entity), 0);
    double x = home.translation[0] - scene->target[0], y = home.translation[1] - scene->target[1];
    /* with 2 m between entities; the logarithm of the field's size is about 3 */
    double full = most_corners / corners * 4.0 / params->tentacles_per_entity / (2.0 * 3.14159 * 3.0);
    return vfx_hash_random((uint32_t)tentacle, 0, 0) < fmax(share / 8.0, full / fmax(x * x + y * y, 1e-9));
}

static vfx_status draw_colony(const vfx_ref *ref, vfx_raster *raster)
{
    const mesh m = mesh_of(ref);
    vfx_scene scene;
    colony_scene(ref, &scene);
    vfx_raster_scene(raster, &scene);
    uint64_t last = UINT64_MAX;
    for (uint64_t tentacle = 0; tentacle < m.params->tentacles; tentacle++) {
        uint64_t entity = tentacle / m.params->tentacles_per_entity;
        if (!is_kept(ref, &scene, tentacle))
            continue;
        draw_tube(&m, raster, tentacle, 0.0f);
        if (entity != last)
            draw_body(ref, raster, entity);
        last = entity;
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- chains */

/* The edges of the mesh: rings, and what joins them if `joined`. */
static void draw_edges(const mesh *m, vfx_raster *raster, uint64_t tentacle, bool joined, const float colour[3])
{
    uint64_t first = tentacle * tube_corners(m->params), end = first + tube_corners(m->params);
    uint64_t last_segment = end - 6 * (uint64_t)m->params->sides;
    for (uint64_t corner = first; corner < end; corner += 6) { /* a side of a segment: a, b, a+V, a+V, b, b+V */
        vfx_raster_vertex a, b, c, d;
        if (!corner_of(m, corner, &a) || !corner_of(m, corner + 1, &b) || !corner_of(m, corner + 2, &c) ||
            !corner_of(m, corner + 5, &d))
            continue;
        vfx_raster_line(raster, a.position, b.position, 1.4f, colour);
        if (joined)
            vfx_raster_line(raster, a.position, c.position, 1.4f, colour);
        if (corner >= last_segment)
            vfx_raster_line(raster, c.position, d.position, 1.4f, colour);
    }
}

/* Particles as balls, parents as rods, velocities as threads. */
static void draw_chain(const mesh *m, vfx_raster *raster, uint64_t tentacle)
{
    static const float link[3] = {0.85f, 0.85f, 0.85f}, thread[3] = {0.95f, 0.30f, 0.04f};
    static const double seconds = 0.06; /* of movement that a thread is long */
    for (uint64_t joint = 0; joint < m->params->particles; joint++) {
        uint64_t particle = tentacle * m->params->particles + joint;
        const tentacle_particle *own = &m->particles[particle];
        const vec3 p = own->position, v = own->velocity;
        float from[3], parent[3];
        const float to[3] = {(float)((double)p.x + seconds * (double)v.x), (float)((double)p.y + seconds * (double)v.y),
                             (float)((double)p.z + seconds * (double)v.z)};
        vfx_raster_vertex look;
        paint(m, particle, 0.0f, &look);
        to_floats(p, from);
        vfx_raster_sphere(raster, from, 0.24f * m->params->rest_length, look.colour, look.glow);
        vfx_raster_line(raster, from, to, 1.6f, thread);
        if (joint == 0)
            continue;
        to_floats(own[-1].position, parent);
        vfx_raster_line(raster, parent, from, 2.4f, link);
    }
}

/* The entity in the middle of the list. */
static uint64_t close_entity(const vfx_ref *ref)
{
    return tentacle_entity_count(ref->kase) / 2;
}

static void chains_scene(const vfx_ref *ref, vfx_scene *scene)
{
    const camera c = camera_of((const double[3]){0.3300, -0.8165, 0.4738});
    double reach = reach_of(params_of(ref));
    const tentacle_pose pose = tentacle_entity_pose(ref->kase, (uint32_t)close_entity(ref), ref->frame->index);
    set_light(scene);
    aim(scene, &c, pose.translation, distance_for(&c, (const double[3]){0.0, 0.0, 0.0}, 0.68 * reach));
    scene->radius = 1.2 * reach;
    scene->grid = 0.5;
}

static vfx_status draw_chains(const vfx_ref *ref, vfx_raster *raster)
{
    static const float edge[3] = {0.02f, 0.02f, 0.03f};
    const mesh m = mesh_of(ref);
    vfx_scene scene;
    chains_scene(ref, &scene);
    vfx_raster_scene(raster, &scene);
    uint64_t entity = close_entity(ref), each = m.params->tentacles_per_entity;
    draw_body(ref, raster, entity);
    for (uint64_t i = 0; i < each && i < MOST_CLOSE && entity * each + i < m.params->tentacles; i++) {
        uint64_t tentacle = entity * each + i;
        if (i % 2 == 0) {
            draw_tube(&m, raster, tentacle, 0.25f);
            draw_edges(&m, raster, tentacle, true, edge);
        } else {
            draw_chain(&m, raster, tentacle);
            draw_edges(&m, raster, tentacle, false, palette[tentacle % PALETTE]);
        }
    }
    return VFX_OK;
}

const vfx_view tentacle_views[TENTACLE_VIEW_COUNT] = {
    {.name = "colony",
     .summary = "64 tentacles on 8 entities: tubes, each in its own colour, and the pulses that glow along them.",
     .preset = "golden",
     .set = "tentacles_per_entity=8,radius=0.05,cap=on",
     .frames = {60, 150, 200},
     .draw = draw_colony},
    {.name = "chains",
     .summary = "One entity close by: every other tentacle as mesh, the others as particles, parents and rings.",
     .preset = "golden",
     .set = "tentacles_per_entity=8,radius=0.05,cap=on",
     .frames = {60, 150, 200},
     .draw = draw_chains},
};
