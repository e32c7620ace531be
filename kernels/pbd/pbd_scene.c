/* pbd_scene.c - frame 0: where the particles of each scene are, how heavy and how large, and the sampled distance
 * field. From integer hashes of id and seed and from +, -, *, / and square roots alone, but for the cube root of a
 * radius. */
#include "core/hash.h"
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEAVY_ONE_IN = 16, SPHERE_TRIES = 64, FIT_STEPS = 4000 };
#define FIT_FACTOR 0.995         /* of the spacing, until all particles have a place */
#define SPHERE_FILL 0.3          /* share of the sphere of `attract` that particles fill, at most */
#define OBSTACLE_SHARE (1.0 / 8) /* of the domain's smallest side */

static const pbd_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params);
}

/* --------------------------------------------------------------------------------------- descriptions */

static void describe(const vfx_case *kase, uint64_t record, const char *what, char *text, size_t bytes)
{
    uint64_t n = pbd_particle_count(kase);
    int used = 0;
    if (params_of(kase)->substeps > 1)
        used = snprintf(text, bytes, "substep %llu, ", (unsigned long long)(record / n));
    if (used >= 0 && (size_t)used < bytes)
        (void)snprintf(text + used, bytes - (size_t)used, "%s %llu", what, (unsigned long long)(record % n));
}

void pbd_describe_slot(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    describe(kase, record, "slot", text, bytes);
}

void pbd_describe_particle(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    describe(kase, record, "particle", text, bytes);
}

void pbd_describe_trace(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    uint64_t n = pbd_particle_count(kase), slots = params_of(kase)->iterations + 2ull;
    (void)snprintf(text, bytes, "substep %llu, trace slot %llu, slot %llu", (unsigned long long)(record / n / slots),
                   (unsigned long long)(record / n % slots), (unsigned long long)(record % n));
}

/* ------------------------------------------------------------------------------------------- lattice */

/* Rows of places, x fastest: a cubic lattice, or the closest packing (each layer and each row shifted). */
typedef struct lattice {
    double spacing;
    double step[3];  /* of a place along x, a row along y, a layer along z; in spacings */
    double shift[2]; /* of every other row along x; of every other layer along x and, a third of a row, along y */
    double margin;   /* from the domain's sides, m */
    double jitter;   /* in spacings, to either side */
    uint64_t n[3];
} lattice;

/* Places that fit into the domain at this spacing, at least one along each axis. */
static uint64_t count_places(const vfx_case *kase, lattice *grid)
{
    const pbd_params *params = params_of(kase);
    const double size[3] = {(double)params->size_x, (double)params->size_y, (double)params->size_z};
    const double shift[3] = {grid->shift[0], grid->shift[1], 0.0};
    for (int axis = 0; axis < 3; axis++) {
        double room = size[axis] - 2.0 * grid->margin - (shift[axis] + 2.0 * grid->jitter) * grid->spacing;
        double places = floor(room / (grid->step[axis] * grid->spacing)) + 1.0;
        grid->n[axis] = !(places > 1.0) ? 1u : places > 1e6 ? 1000000u : (uint64_t)places;
    }
    return grid->n[0] * grid->n[1] * grid->n[2];
}

/* The scene's lattice: its own spacing, or what is needed to place all particles. */
static lattice make_lattice(const vfx_case *kase)
{
    const double diameter = 2.0 * (double)pbd_largest_radius(kase);
    lattice grid = {.spacing = 1.05 * diameter, .step = {1, 1, 1}, .margin = 0.5 * diameter, .jitter = 0.12};
    if (params_of(kase)->scene == PBD_SCENE_PACKED) {
        grid.spacing = 1.04 * diameter; /* a little over 33 candidates in 27 cells of the diameter */
        grid.step[1] = sqrt(0.75);
        grid.step[2] = sqrt(2.0 / 3.0);
        grid.shift[0] = 0.5;
        grid.shift[1] = sqrt(0.75) / 3.0;
        grid.jitter = 0.13;
    } else if (params_of(kase)->scene == PBD_SCENE_INCLINE) {
        grid.spacing = 1.5 * diameter; /* no contacts at the start */
        grid.jitter = 0.05;
    }
    for (int i = 0; i < FIT_STEPS && count_places(kase, &grid) < params_of(kase)->particles; i++)
        grid.spacing *= FIT_FACTOR;
    return grid;
}

/* Place of particle `id`; where there are more particles than places they share them. */
static void place_on_lattice(const vfx_case *kase, const lattice *grid, uint32_t id, double place[3])
{
    const pbd_params *params = params_of(kase);
    const uint64_t at = id % (grid->n[0] * grid->n[1] * grid->n[2]);
    const uint64_t i[3] = {at % grid->n[0], at / grid->n[0] % grid->n[1], at / grid->n[0] / grid->n[1]};
    const double odd_row = (double)(i[1] & 1u), odd_layer = (double)(i[2] & 1u);
    const double shift[3] = {grid->shift[0] * fabs(odd_row - odd_layer), grid->shift[1] * odd_layer, 0.0};
    const double low[3] = {-0.5 * (double)params->size_x, -0.5 * (double)params->size_y, 0.0};
    const vfx_hash3 hash = vfx_pcg3d(id, PBD_STREAM_PLACE, kase->seed);
    const double unit[3] = {vfx_hash_unit(hash.x), vfx_hash_unit(hash.y), vfx_hash_unit(hash.z)};
    for (int axis = 0; axis < 3; axis++) {
        double along = (double)i[axis] * grid->step[axis] + shift[axis] + 2.0 * unit[axis] * grid->jitter;
        place[axis] = low[axis] + grid->margin + along * grid->spacing;
    }
}

/* -------------------------------------------------------------------------------------------- places */

/* Anywhere in a sphere in the middle of the domain, as the source spawns them. */
static void place_in_sphere(const vfx_case *kase, uint32_t id, double place[3])
{
    const pbd_params *params = params_of(kase);
    const double sides[3] = {(double)params->size_x, (double)params->size_y, (double)params->size_z};
    double radius = 0.25 * fmin(sides[0], fmin(sides[1], sides[2]));
    const double full = (double)pbd_largest_radius(kase) * cbrt(params->particles / SPHERE_FILL);
    radius = fmax(radius, full);
    double p[3] = {0.0, 0.0, 0.0};
    for (uint32_t attempt = 0; attempt < SPHERE_TRIES; attempt++) {
        const vfx_hash3 hash = vfx_pcg3d(id, PBD_STREAM_PLACE | attempt << 8, kase->seed);
        p[0] = 2.0 * vfx_hash_unit(hash.x) - 1.0;
        p[1] = 2.0 * vfx_hash_unit(hash.y) - 1.0;
        p[2] = 2.0 * vfx_hash_unit(hash.z) - 1.0;
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= 1.0)
            break;
    }
    for (int axis = 0; axis < 3; axis++)
        place[axis] = p[axis] * radius + (axis == 2 ? 0.5 * sides[2] : 0.0);
}

/* From the box of the lattice to the tilted floor: z becomes the distance from it, less the margin that every particle
 * of the lattice has, plus its own radius, so that the lowest layer touches. */
static void put_on_floor(const vfx_case *kase, const lattice *grid, double radius, double place[3])
{
    const double turn = 2.0 * PBD_PI * (double)params_of(kase)->slope, s = sin(turn), c = cos(turn);
    const double above = floor((place[2] - grid->margin) / grid->spacing) * grid->spacing + radius;
    const double edge = (s < 0.0 ? 0.5 : -0.5) * (double)params_of(kase)->size_x; /* where the floor is at z = 0 */
    place[2] = (place[0] - edge) * s / c;
    place[0] -= s * above;
    place[2] += c * above;
}

/* ---------------------------------------------------------------------------------------- particles */

static double mass_of(const vfx_case *kase, uint32_t id, double unit)
{
    const pbd_params *params = params_of(kase);
    const double low = (double)params->mass_low, high = (double)params->mass_high;
    if (params->scene == PBD_SCENE_MIXED)
        return id % HEAVY_ONE_IN == HEAVY_ONE_IN / 2 ? high : low;
    return low + (high - low) * unit;
}

static vec3 velocity_of(const vfx_case *kase, uint32_t id)
{
    const vfx_hash3 hash = vfx_pcg3d(id, PBD_STREAM_SPEED, kase->seed);
    double v[3] = {2.0 * vfx_hash_unit(hash.x) - 1.0, 2.0 * vfx_hash_unit(hash.y) - 1.0,
                   2.0 * vfx_hash_unit(hash.z) - 1.0};
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), speed = (double)params_of(kase)->speed;
    double scale = length > 0.0 ? speed / length : 0.0;
    return (vec3){(float)(v[0] * scale), (float)(v[1] * scale), (float)(v[2] * scale)};
}

static pbd_particle make_particle(const vfx_case *kase, const lattice *grid, uint32_t id)
{
    const pbd_params *params = params_of(kase);
    const vfx_hash3 look = vfx_pcg3d(id, PBD_STREAM_MASS, kase->seed);
    pbd_particle p = {.id = id};
    double place[3];
    p.mass = (float)mass_of(kase, id, vfx_hash_unit(look.x));
    double radius = cbrt(3.0 * (double)p.mass / (4.0 * PBD_PI * (double)params->density));
    p.radius = (float)(radius * (1.0 - (double)params->size_spread * vfx_hash_unit(look.y)));
    p.flags = vfx_hash_unit(look.z) < (double)params->unyielding ? PBD_UNYIELDING : 0u;
    if (p.flags == 0u)
        p.velocity = velocity_of(kase, id);
    if (params->scene == PBD_SCENE_ATTRACT)
        place_in_sphere(kase, id, place);
    else
        place_on_lattice(kase, grid, id, place);
    if (params->scene == PBD_SCENE_INCLINE)
        put_on_floor(kase, grid, (double)p.radius, place);
    p.position = (vec3){(float)place[0], (float)place[1], (float)place[2]};
    return p;
}

/* Row `id` of the `input` file; which of them are unyielding is the scene's. */
static pbd_particle read_particle(const vfx_case *kase, uint32_t id)
{
    const pbd_asset *asset = kase->asset;
    const float *row = asset->rows[id];
    const vfx_hash3 look = vfx_pcg3d(id, PBD_STREAM_MASS, kase->seed);
    return (pbd_particle){
        .position = {row[0], row[1], row[2]},
        .velocity = {row[3], row[4], row[5]},
        .mass = row[6],
        .radius = row[7],
        .id = id,
        .flags = vfx_hash_unit(look.z) < (double)params_of(kase)->unyielding ? PBD_UNYIELDING : 0u,
    };
}

pbd_particle pbd_particle_of(const vfx_case *kase, uint32_t id)
{
    if (kase->asset != NULL)
        return read_particle(kase, id);
    const lattice grid = make_lattice(kase);
    return make_particle(kase, &grid, id);
}

/* ---------------------------------------------------------------------------------- distance field */

double pbd_obstacle_size(const vfx_case *kase)
{
    const pbd_params *params = params_of(kase);
    return OBSTACLE_SHARE * fmin((double)params->size_x, fmin((double)params->size_y, (double)params->size_z));
}

double pbd_sdf_width(const vfx_case *kase)
{
    return 2.0 * (pbd_obstacle_size(kase) + 2.0 * (double)pbd_largest_radius(kase));
}

float pbd_sdf_sample(const vfx_case *kase, uint32_t x, uint32_t y, uint32_t z)
{
    const double half = pbd_obstacle_size(kase), width = pbd_sdf_width(kase);
    const uint32_t index[3] = {x, y, z};
    double outside = 0.0, nearest = -INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double d = fabs((index[axis] / (double)(PBD_SDF_SIDE - 1u) - 0.5) * width) - half;
        outside += d > 0.0 ? d * d : 0.0;
        nearest = fmax(nearest, d);
    }
    return (float)(nearest > 0.0 ? sqrt(outside) : nearest);
}

/* ----------------------------------------------------------------------------------------- frame 0 */

void pbd_init(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    const lattice grid = make_lattice(kase);
    pbd_particle *particles = buffers[PBD_BUFFER_PARTICLE];
    float *sdf = buffers[PBD_BUFFER_SDF];
    for (uint32_t i = 0; particles != NULL && i < params_of(kase)->particles; i++)
        particles[i] = kase->asset != NULL ? read_particle(kase, i) : make_particle(kase, &grid, i);
    if (sdf == NULL)
        return;
    sdf[0] = 0.0f;
    if (params_of(kase)->obstacle != PBD_OBSTACLE_GRID)
        return;
    for (uint32_t i = 0; i < PBD_SDF_SIDE * PBD_SDF_SIDE * PBD_SDF_SIDE; i++)
        sdf[i] =
            pbd_sdf_sample(kase, i % PBD_SDF_SIDE, i / PBD_SDF_SIDE % PBD_SDF_SIDE, i / (PBD_SDF_SIDE * PBD_SDF_SIDE));
}
