/* tentacle_scene.c - the host's side of the tentacles: how many there are of everything, where entities and roots
 * stand, the state machine, the first pose and what reaches the device every frame.
 *
 * Every quantity but the two phases is a function of the frame index, so any frame can be replayed alone. */
#include "kernels/tentacle/tentacle.h"

#include "core/hash.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double golden_turns = 0.61803398874989484820; /* Fibonacci azimuth step, turns */
static const double grid_spacing = 2.0;                    /* m between entities */
static const double entity_height = 1.0;                   /* m */
static const double root_sphere = 0.25;                    /* m, radius of the hemisphere that carries the roots */

#define WEIGHTS(ws, wk, wg, wc, ww, fw, ap, fp, e)                                                               \
    {                                                                                                            \
        .straighten = (ws), .stiffen = (wk), .gravity = (wg), .look = (wc), .wriggle = (ww), .wriggle_hz = (fw), \
        .pulsate = (ap), .pulsate_hz = (fp), .emissive = (e)                                                     \
    }

/* Only their order is given by what they imitate: idle wavers, preparing is faster, brighter, straighter, jumping
 * is calm. */
const tentacle_state_row tentacle_states[TENTACLE_STATE_COUNT] = {
    [TENTACLE_IDLE] = {"idle", 2.0, WEIGHTS(14, 60, 1, 0, 8, 0.6, 0.10, 0.8, 0.25)},
    [TENTACLE_PREPARING] = {"preparing", 1.0, WEIGHTS(60, 600, 1, 6, 2, 0.6, 0.18, 3.0, 1.0)},
    [TENTACLE_JUMPING] = {"jumping", 0.75, WEIGHTS(16, 120, 1, 0, 2, 0.4, 0.03, 0.4, 0.15)},
};

/* ------------------------------------------------------------------------------------------- counts */

static const tentacle_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, tentacle_params);
}

uint32_t tentacle_ring_size(const tentacle_params *params)
{
    return params->sides + params->seam;
}

uint64_t tentacle_tentacle_count(const vfx_case *kase)
{
    return params_of(kase)->tentacles;
}

uint64_t tentacle_entity_count(const vfx_case *kase)
{
    const tentacle_params *params = params_of(kase);
    return ((uint64_t)params->tentacles + params->tentacles_per_entity - 1) / params->tentacles_per_entity;
}

uint64_t tentacle_particle_count(const vfx_case *kase)
{
    return tentacle_tentacle_count(kase) * params_of(kase)->particles;
}

uint64_t tentacle_segment_count(const vfx_case *kase)
{
    return tentacle_tentacle_count(kase) * (params_of(kase)->particles - 1);
}

uint64_t tentacle_vertex_count(const vfx_case *kase)
{
    const tentacle_params *params = params_of(kase);
    return tentacle_particle_count(kase) * tentacle_ring_size(params) + params->cap * tentacle_tentacle_count(kase);
}

uint64_t tentacle_index_count(const vfx_case *kase)
{
    const tentacle_params *params = params_of(kase);
    uint64_t tube = 6 * tentacle_segment_count(kase) * params->sides;
    return tube + 3 * tentacle_tentacle_count(kase) * params->sides * params->cap;
}

uint64_t tentacle_corner_particle(const tentacle_params *params, uint64_t corner)
{
    /* Triangles (a, b, a+V), (a+V, b, b+V): is the corner on the child's ring? */
    static const uint8_t on_child[6] = {0, 0, 1, 1, 0, 1};
    uint64_t links = params->particles - 1;
    uint64_t tube = 6 * links * params->tentacles * params->sides;
    if (corner >= tube) /* cap fan: the tip */
        return ((corner - tube) / (3 * params->sides) + 1) * params->particles - 1;
    uint64_t segment = corner / (6 * params->sides);
    return segment / links * params->particles + segment % links + on_child[corner % 6];
}

/* ------------------------------------------------------------------------------------ state machine */

tentacle_moment tentacle_moment_at(double clock)
{
    tentacle_moment moment = {.state = TENTACLE_IDLE, .time = fmod(clock, TENTACLE_CYCLE)};
    while (moment.state + 1 < TENTACLE_STATE_COUNT && moment.time >= tentacle_states[moment.state].duration)
        moment.time -= tentacle_states[moment.state++].duration;
    const tentacle_weights *now = &tentacle_states[moment.state].weights;
    const tentacle_weights *before =
        &tentacle_states[(moment.state + TENTACLE_STATE_COUNT - 1) % TENTACLE_STATE_COUNT].weights;
    double x = fmin(moment.time / TENTACLE_BLEND, 1.0);
    double rest = 1.0 - x * x * (3.0 - 2.0 * x); /* of the old state; smoothstep */
#define BLEND_WEIGHT(name) moment.weights.name = now->name + (before->name - now->name) * rest;
    TENTACLE_WEIGHTS(BLEND_WEIGHT)
    return moment;
}

tentacle_moment tentacle_entity_moment(const vfx_case *kase, uint32_t entity, uint32_t frame)
{
    const tentacle_params *params = params_of(kase);
    double seconds = frame * (double)kase->dt;
    if (params->states == TENTACLE_STATES_OFF) {
        tentacle_moment moment = {.state = TENTACLE_IDLE, .time = seconds};
#define PARAM_WEIGHT(name) moment.weights.name = (double)params->name;
        TENTACLE_WEIGHTS(PARAM_WEIGHT)
        return moment;
    }
    if (params->states == TENTACLE_STATES_ENTITY)
        seconds += TENTACLE_CYCLE * vfx_hash_random(entity, TENTACLE_STREAM_STAGGER, kase->seed);
    return tentacle_moment_at(seconds);
}

/* --------------------------------------------------------------------------------- entities, roots */

void tentacle_rotate(const double q[4], const double v[3], double result[3])
{
    double t[3] = {2.0 * (q[1] * v[2] - q[2] * v[1]), 2.0 * (q[2] * v[0] - q[0] * v[2]),
                   2.0 * (q[0] * v[1] - q[1] * v[0])};
    result[0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
    result[1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
    result[2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

tentacle_pose tentacle_entity_pose(const vfx_case *kase, uint32_t entity, uint32_t frame)
{
    const tentacle_params *params = params_of(kase);
    uint32_t side = (uint32_t)ceil(sqrt((double)tentacle_entity_count(kase))); /* of the square grid */
    double middle = (side - 1) / 2.0;
    double yaw = vfx_hash_random(entity, TENTACLE_STREAM_YAW, kase->seed) +
                 (double)params->yaw_rate * (frame * (double)kase->dt);
    double half_angle = pi * fmod(yaw, 2.0); /* two turns: q and -q do not alternate */
    double height = entity_height;
    tentacle_moment moment = tentacle_entity_moment(kase, entity, frame);
    if (moment.state == TENTACLE_JUMPING) {
        double duration = tentacle_states[TENTACLE_JUMPING].duration;
        height += 0.5 * (double)TENTACLE_GRAVITY * moment.time * (duration - moment.time);
    }
    return (tentacle_pose){{0.0, 0.0, sin(half_angle), cos(half_angle)},
                           {grid_spacing * (entity % side - middle), grid_spacing * (entity / side - middle), height}};
}

tentacle_root tentacle_root_of(const vfx_case *kase, uint32_t tentacle)
{
    const tentacle_params *params = params_of(kase);
    uint32_t on_entity = tentacle % params->tentacles_per_entity;
    double z = 1.0 - (on_entity + 0.5) / params->tentacles_per_entity;
    double azimuth = 2.0 * pi * fmod(on_entity * golden_turns, 1.0);
    double across = sqrt(1.0 - z * z);
    double x = across * cos(azimuth), y = across * sin(azimuth);
    double norm = sqrt(2.0 * (1.0 + z)); /* of z cross outward, 1 + z dot outward: the minimal rotation */
    return (tentacle_root){
        .offset = {(float)(root_sphere * x), (float)(root_sphere * y), (float)(root_sphere * z)},
        .phase = (float)vfx_hash_random(tentacle, TENTACLE_STREAM_PHASE, kase->seed),
        .rotation = {(float)(-y / norm), (float)(x / norm), 0.0f, (float)((1.0 + z) / norm)},
        .entity = tentacle / params->tentacles_per_entity,
    };
}

/* ------------------------------------------------------------------------------------- first pose */

static vec3 rounded(const double v[3])
{
    return (vec3){(float)v[0], (float)v[1], (float)v[2]};
}

/* Base direction of a tentacle (`axis` of its own frame) in the world at frame 0. */
static void base_direction(const tentacle_pose *pose, const tentacle_root *root, const double axis[3], double world[3])
{
    const double rotation[4] = {root->rotation.x, root->rotation.y, root->rotation.z, root->rotation.w};
    double local[3];
    tentacle_rotate(rotation, axis, local);
    tentacle_rotate(pose->rotation, local, world);
    double length = sqrt(world[0] * world[0] + world[1] * world[1] + world[2] * world[2]);
    for (int i = 0; i < 3; i++)
        world[i] /= length;
}

/* Straight along the base forward, at rest; radius and emissive as pulsate leaves them at phase 0. */
static void init_tentacle(const vfx_case *kase, uint32_t tentacle, const tentacle_root *root,
                          tentacle_particle *particles)
{
    static const double x_axis[3] = {1.0, 0.0, 0.0}, z_axis[3] = {0.0, 0.0, 1.0};
    const tentacle_params *params = params_of(kase);
    const tentacle_pose pose = tentacle_entity_pose(kase, root->entity, 0);
    const tentacle_weights weights = tentacle_entity_moment(kase, root->entity, 0).weights;
    const double offset[3] = {root->offset.x, root->offset.y, root->offset.z};
    double start[3], forward[3], right[3];
    tentacle_rotate(pose.rotation, offset, start);
    base_direction(&pose, root, z_axis, forward);
    base_direction(&pose, root, x_axis, right);
    for (uint32_t joint = 0; joint < params->particles; joint++) {
        double share = joint / (params->particles - 1.0);
        double arc = joint * (double)params->rest_length;
        double wave = sin(2.0 * pi * ((double)root->phase - (double)params->pulsate_waves * share));
        double radius = (double)params->radius * (1.0 - (double)params->taper * share) * (1.0 + weights.pulsate * wave);
        double position[3];
        for (int i = 0; i < 3; i++)
            position[i] = pose.translation[i] + start[i] + arc * forward[i];
        particles[(uint64_t)tentacle * params->particles + joint] = (tentacle_particle){
            .position = rounded(position),
            .radius = (float)radius,
            .arc_length = (float)arc,
            .right = rounded(right),
            .emissive = (float)(weights.emissive * (0.5 + 0.5 * wave)),
            .forward = rounded(forward),
        };
    }
}

void tentacle_init(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    tentacle_root *roots = buffers[TENTACLE_BUFFER_ROOT];
    tentacle_particle *particles = buffers[TENTACLE_BUFFER_PARTICLE];
    for (uint32_t tentacle = 0; tentacle < params_of(kase)->tentacles; tentacle++) {
        tentacle_root root = tentacle_root_of(kase, tentacle);
        if (roots)
            roots[tentacle] = root;
        if (particles)
            init_tentacle(kase, tentacle, &root, particles);
    }
}

/* --------------------------------------------------------------------------------- per-frame input */

/* Carried from frame to frame: integrated, so that a changed rate bends a phase but never makes it jump. */
typedef struct host_entity {
    double wriggle_phase, pulsate_phase; /* turns, [0, 1) */
} host_entity;

size_t tentacle_host_bytes(const vfx_case *kase)
{
    return (size_t)tentacle_entity_count(kase) * sizeof(host_entity);
}

static double wrapped(double turns)
{
    return turns - floor(turns);
}

/* To float, still below 1. */
static float rounded_turns(double turns)
{
    float value = (float)turns;
    return value < 1.0f ? value : 0.0f;
}

static vec4 rounded_rotation(const double q[4])
{
    return (vec4){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

void tentacle_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                          void *const images[])
{
    (void)images;
    const tentacle_params *params = params_of(kase);
    host_entity *phases = host;
    tentacle_entity *entities = buffers[TENTACLE_BUFFER_ENTITY];
    double dt = (double)kase->dt;
    TENTACLE_DAMPING(*frame) = (float)exp(-(double)params->drag * dt);
    TENTACLE_INVERSE_SIDES(*frame) = (float)(1.0 / (double)params->sides);
    uint32_t count = entities ? (uint32_t)tentacle_entity_count(kase) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const tentacle_moment moment = tentacle_entity_moment(kase, i, frame->index);
        const tentacle_pose pose = tentacle_entity_pose(kase, i, frame->index);
        const tentacle_pose before = tentacle_entity_pose(kase, i, frame->index - 1);
        phases[i].wriggle_phase = wrapped(phases[i].wriggle_phase + moment.weights.wriggle_hz * dt);
        phases[i].pulsate_phase = wrapped(phases[i].pulsate_phase + moment.weights.pulsate_hz * dt);
        entities[i] = (tentacle_entity){
            .rotation = rounded_rotation(pose.rotation),
            .translation = rounded(pose.translation),
            .rotation_prev = rounded_rotation(before.rotation),
            .translation_prev = rounded(before.translation),
            .straighten = (float)moment.weights.straighten,
            .stiffen = (float)moment.weights.stiffen,
            .gravity = (float)moment.weights.gravity,
            .look = (float)moment.weights.look,
            .wriggle = (float)moment.weights.wriggle,
            .pulsate = (float)moment.weights.pulsate,
            .emissive = (float)moment.weights.emissive,
            .wriggle_phase = rounded_turns(phases[i].wriggle_phase),
            .pulsate_phase = rounded_turns(phases[i].pulsate_phase),
            .state_time = (float)moment.time,
            .state = moment.state,
        };
    }
}

/* ---------------------------------------------------------------------------------------- validate */

/* The explicit stiffen step needs wk dt^2 <= 1; blends lie between the states. */
static vfx_status check_stiffen(const vfx_case *kase, double stiffen, const char *where)
{
    double dt = (double)kase->dt;
    if (stiffen * dt * dt <= 1.0 + 1e-6) /* dt is a rounded float */
        return VFX_OK;
    return vfx_fail(VFX_USAGE,
                    "stiffen = %g 1/s^2 (%s) is unstable at dt = %g s: stiffen dt^2 = %g is above 1; "
                    "the largest dt allowed is %g s",
                    stiffen, where, dt, stiffen * dt * dt, 1.0 / sqrt(stiffen));
}

vfx_status tentacle_validate(const vfx_case *kase)
{
    const tentacle_params *params = params_of(kase);
    if (params->states == TENTACLE_STATES_OFF)
        VFX_TRY(check_stiffen(kase, (double)params->stiffen, "states=off"));
    for (uint32_t i = 0; params->states != TENTACLE_STATES_OFF && i < TENTACLE_STATE_COUNT; i++)
        VFX_TRY(check_stiffen(kase, tentacle_states[i].weights.stiffen, tentacle_states[i].name));
    return VFX_OK;
}
