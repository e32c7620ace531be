/* pbd_frame.c - what changes from frame to frame: the colliders, one of which may move, and the frame's constants. */
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_rows.h"

#include <math.h>

static const pbd_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params);
}

/* Carried from frame to frame. */
typedef struct host_obstacle {
    double x;      /* of its centre, m */
    uint32_t back; /* 1: it moves against obstacle_speed */
} host_obstacle;

size_t pbd_host_bytes(const vfx_case *kase)
{
    (void)kase;
    return sizeof(host_obstacle);
}

/* ----------------------------------------------------------------------------------------- obstacle */

/* Moves on by a frame; where its side reaches a wall it stays there and turns back. Returns its velocity, m/s. */
static double advance(const vfx_case *kase, host_obstacle *obstacle)
{
    const double dt = (double)kase->dt, before = obstacle->x;
    const double limit = fmax(0.5 * (double)params_of(kase)->size_x - pbd_obstacle_size(kase), 0.0);
    const double speed = (double)params_of(kase)->obstacle_speed;
    double x = before + (obstacle->back ? -speed : speed) * dt;
    if (fabs(x) > limit) {
        x = x < 0.0 ? -limit : limit;
        obstacle->back = !obstacle->back;
    }
    obstacle->x = x;
    return (x - before) / dt;
}

/* The obstacle around (x, 0, middle), `size` from its centre to its side. */
static void shape_obstacle(const vfx_case *kase, double x, pbd_collider *c)
{
    const double size = pbd_obstacle_size(kase), z = 0.5 * (double)params_of(kase)->size_z;
    const vec3 centre = {(float)x, 0.0f, (float)z};
    c->place = centre;
    switch (params_of(kase)->obstacle) {
    case PBD_OBSTACLE_SPHERE:
        c->kind = PBD_COLLIDER_SPHERE;
        c->extent.x = (float)size;
        break;
    case PBD_OBSTACLE_CAPSULE: /* across the domain along y */
        c->kind = PBD_COLLIDER_CAPSULE;
        c->place.y = (float)-size;
        c->extent = (vec3){centre.x, (float)size, centre.z};
        c->round = (float)size;
        break;
    case PBD_OBSTACLE_BOX:
        c->kind = PBD_COLLIDER_BOX_OUT;
        c->place = (vec3){(float)(x - size), (float)-size, (float)(z - size)};
        c->extent = (vec3){(float)(x + size), (float)size, (float)(z + size)};
        break;
    case PBD_OBSTACLE_TORUS:
        c->kind = PBD_COLLIDER_TORUS;
        c->extent.x = (float)(0.75 * size);
        c->extent.y = (float)(0.25 * size);
        break;
    default:
        c->kind = PBD_COLLIDER_GRID;
        c->round = (float)pbd_sdf_width(kase);
        break;
    }
}

/* ---------------------------------------------------------------------------------------- colliders */

/* A collider at rest with the case's restitution and friction. */
static pbd_collider plain(const pbd_params *params, uint32_t kind)
{
    return (pbd_collider){.kind = kind,
                          .restitution = params->restitution,
                          .friction_static = params->friction_static,
                          .friction_kinetic = params->friction_kinetic};
}

/* Floor, walls, obstacle; those that the case has. `c` has room for pbd_collider_count(). */
static void fill_colliders(const vfx_case *kase, host_obstacle *obstacle, pbd_collider *c)
{
    const pbd_params *params = params_of(kase);
    if (params->floor) { /* through z = 0 where the tilted plane is lowest in the domain */
        const double turn = 2.0 * PBD_PI * (double)params->slope;
        *c = plain(params, PBD_COLLIDER_PLANE);
        c->place = (vec3){(float)-sin(turn), 0.0f, (float)cos(turn)};
        c->extent.x = (float)(0.5 * (double)params->size_x * fabs(sin(turn)));
        c++;
    }
    if (params->walls) {
        const vec3 half = {0.5f * params->size_x, 0.5f * params->size_y, params->size_z};
        *c = plain(params, PBD_COLLIDER_BOX_IN);
        c->place = (vec3){-half.x, -half.y, 0.0f};
        c->extent = half;
        c++;
    }
    if (params->obstacle != PBD_OBSTACLE_NONE) {
        const double velocity = advance(kase, obstacle);
        *c = plain(params, 0u);
        c->velocity.x = (float)velocity;
        shape_obstacle(kase, obstacle->x, c);
    }
}

/* -------------------------------------------------------------------------------------------- frame */

bool pbd_is_plain(const vfx_case *kase)
{
    const pbd_params *params = params_of(kase);
    const pbd_asset *asset = kase->asset;
    const bool alike = asset != NULL ? asset->alike : params->mass_low == params->mass_high;
    return alike && params->unyielding == 0.0f && params->outside == PBD_OUTSIDE_CLAMP;
}

void pbd_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[])
{
    (void)images;
    const pbd_params *params = params_of(kase);
    const float step = (float)((double)kase->dt / params->substeps), cell = pbd_cell_side(kase);
    uint32_t n[3] = {0, 0, 0};
    if (pbd_variant_of(kase) != PBD_HASHED)
        pbd_cells_each(kase, n);
    frame->host[0] = (vec4){-0.5f * params->size_x, -0.5f * params->size_y, step,
                            (float)(1.0 / (1.0 + (double)params->drag * (double)step))};
    frame->host[1] = (vec4){cell, (float)(1.0 / (double)cell), pbd_skin(kase), (float)pbd_collider_count(kase)};
    frame->host[2] = (vec4){(float)n[0], (float)n[1], (float)n[2], 0.5f * params->size_z};
    frame->host[3] = (vec4){pbd_is_plain(kase) ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f};
    if (buffers[PBD_BUFFER_COLLIDER] != NULL)
        fill_colliders(kase, host, buffers[PBD_BUFFER_COLLIDER]);
}
