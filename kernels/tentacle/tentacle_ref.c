/* tentacle_ref.c - the tentacle family on the CPU: what the shaders are checked against. Slow, plain and separate; it
 * shares records and constants with them, never logic. Compiled twice over `real` (core/refmath.h).
 *
 * Frame k of the update reads only the state of frame k - 1 and the entities of frame k, so items may run in any order.
 * The marks (`ill`) say where a correct fp32 implementation may differ by more than the limits; README.md derives them.
 */
#include "kernels/tentacle/tentacle_ref.h"

#include "core/refmath.h"
#include "kernels/tentacle/tentacle_shared.h"

#define DEGENERATE ((real)TENTACLE_DEGENERATE)

/* Squared length of the vector that a method divides by, below which its result is marked; see README.md. */
static const real ill_below[] = {
    [TENTACLE_ORIENTATION_UP] = (real)0.05,   /* up x t1 */
    [TENTACLE_ORIENTATION_PROJ] = (real)0.05, /* r - t1 (r.t1) */
    [TENTACLE_ORIENTATION_CHORD] = (real)0.1, /* (c.t1) r - c (r.t1) */
    [TENTACLE_ORIENTATION_ROT] = (real)0.3,   /* t0 + t1 */
    [TENTACLE_ORIENTATION_DR] = (real)0.25,   /* t1 - reflected t0 */
};

/* ------------------------------------------------------------------------------ reading records */

static const tentacle_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, tentacle_params);
}

static const tentacle_particle *previous(const vfx_ref *ref, uint64_t particle)
{
    return (const tentacle_particle *)ref->prev[TENTACLE_BUFFER_PARTICLE] + particle;
}

static const tentacle_root *root_of(const vfx_ref *ref, uint64_t tentacle)
{
    return (const tentacle_root *)ref->in[TENTACLE_BUFFER_ROOT] + tentacle;
}

static const tentacle_entity *entity_of(const vfx_ref *ref, uint64_t tentacle)
{
    return (const tentacle_entity *)ref->in[TENTACLE_BUFFER_ENTITY] + root_of(ref, tentacle)->entity;
}

/* A particle's place: its tentacle, joint 0..n-1, and sj = joint / (n - 1). */
typedef struct place {
    uint64_t tentacle;
    uint32_t joint;
    real share;
} place;

static place place_of(const vfx_ref *ref, uint64_t particle)
{
    const uint32_t n = params_of(ref)->particles;
    place at = {particle / n, (uint32_t)(particle % n), 0};
    at.share = (real)at.joint / (real)(n - 1);
    return at;
}

/* ------------------------------------------------------------------------------------- the base */

/* The base of a tentacle: where its root is in frame k, and the axes n_e, r_e, u_e that its joints feel. */
typedef struct base {
    real3 position, forward, right; /* the root particle of frame k */
    real3 axis_n, axis_r, axis_u;   /* entity-side forward, right, up */
} base;

static base base_absolute(const vfx_ref *ref, uint64_t tentacle)
{
    const tentacle_root *root = root_of(ref, tentacle);
    const tentacle_entity *entity = entity_of(ref, tentacle);
    const real4 turn = real4_of(entity->rotation), local = real4_of(root->rotation);
    base b;
    b.position = real3_add(quaternion_rotate(turn, real3_of(root->offset)), real3_of(entity->translation));
    b.axis_n = quaternion_rotate(turn, quaternion_rotate(local, real3_make(0, 0, 1)));
    b.axis_r = quaternion_rotate(turn, quaternion_rotate(local, real3_make(1, 0, 0)));
    b.axis_u = quaternion_rotate(turn, quaternion_rotate(local, real3_make(0, 1, 0)));
    b.forward = b.axis_n;
    b.right = b.axis_r;
    return b;
}

/* The root of frame k - 1 moved by the entity's delta; the axes are still those of k - 1. */
static base base_delta(const vfx_ref *ref, uint64_t tentacle)
{
    const tentacle_entity *entity = entity_of(ref, tentacle);
    const tentacle_particle *root = previous(ref, tentacle * params_of(ref)->particles);
    const real4 turn =
        quaternion_multiply(real4_of(entity->rotation), quaternion_conjugate(real4_of(entity->rotation_prev)));
    const real3 arm = real3_sub(real3_of(root->position), real3_of(entity->translation_prev));
    base b;
    b.axis_n = real3_of(root->forward);
    b.axis_r = real3_of(root->right);
    b.axis_u = real3_cross(b.axis_n, b.axis_r);
    b.position = real3_add(quaternion_rotate(turn, arm), real3_of(entity->translation));
    b.forward = quaternion_rotate(turn, b.axis_n);
    b.right = quaternion_rotate(turn, b.axis_r);
    return b;
}

static base base_of(const vfx_ref *ref, uint64_t tentacle)
{
    return params_of(ref)->attach == TENTACLE_ATTACH_DELTA ? base_delta(ref, tentacle) : base_absolute(ref, tentacle);
}

/* ----------------------------------------------------------------------------------- the motion */

/* Sum of the forces per mass on a joint >= 1, m/s^2. */
static real3 acceleration(const vfx_ref *ref, uint64_t particle)
{
    const tentacle_params *params = params_of(ref);
    const place at = place_of(ref, particle);
    const tentacle_entity *entity = entity_of(ref, at.tentacle);
    const base b = base_of(ref, at.tentacle);
    const tentacle_particle *parent = previous(ref, particle - 1);
    const real3 p = real3_of(previous(ref, particle)->position);

    const real3 gravity = real3_make(0, 0, -(real)TENTACLE_GRAVITY * (real)entity->gravity);
    const real3 straighten = real3_scale(b.axis_n, (real)entity->straighten);

    /* P - p first: it is nearly exact, whereas P + L nP would be rounded at the size of P. */
    const real3 link = real3_sub(real3_of(parent->position), p);
    const real3 stiffen = real3_scale(real3_add_scaled(link, (real)params->rest_length, real3_of(parent->forward)),
                                      (real)entity->stiffen);

    const real3 sight = real3_sub(real3_make((real)params->cam_x, (real)params->cam_y, (real)params->cam_z), p);
    const real distance = real3_length(sight);
    const real3 look = distance > 0 ? real3_scale(sight, (real)entity->look / distance) : real3_make(0, 0, 0);

    const real phase =
        (real)entity->wriggle_phase - (real)params->wriggle_waves * at.share + (real)root_of(ref, at.tentacle)->phase;
    const real amplitude = (real)entity->wriggle * at.share;
    const real3 wriggle_up = real3_scale(b.axis_u, amplitude * real_sin_turns(phase));
    const real3 wriggle_side =
        real3_scale(b.axis_r, amplitude * (real)TENTACLE_WRIGGLE_SIDE * real_sin_turns(phase + (real)0.25));

    real3 sum = real3_add(gravity, straighten);
    sum = real3_add(sum, stiffen);
    sum = real3_add(sum, look);
    return real3_add(sum, real3_add(wriggle_up, wriggle_side));
}

/* Position and steering velocity of a joint >= 1 in frame k. */
static void move_joint(const vfx_ref *ref, uint64_t particle, real3 *position, real3 *velocity, bool *ill)
{
    const real dt = (real)ref->frame->dt, rest = (real)params_of(ref)->rest_length;
    const tentacle_particle *own = previous(ref, particle), *parent = previous(ref, particle - 1);
    const real3 acc = acceleration(ref, particle), anchor = real3_of(parent->position);

    const real3 faster = real3_add_scaled(real3_of(own->velocity), dt, acc);
    *velocity = real3_scale(faster, (real)TENTACLE_DAMPING(*ref->frame));

    const real3 free = real3_add_scaled(real3_of(own->position), dt, *velocity);
    const real3 link = real3_sub(free, anchor);
    const real length = real3_length(link);
    const real3 direction = length < (real)TENTACLE_STRETCH_GUARD * rest ? real3_of(parent->forward) : real3_unit(link);
    *position = real3_add_scaled(anchor, rest, direction);

    /* A rounding of the free position is enlarged by rest / length. */
    const real size = real_max(real3_length(*position), rest);
    const real rounding = 1 + dt * (5 * real3_length(*velocity) + 35 * dt * real3_length(acc)) / size;
    if (rest * rounding > 6 * length)
        *ill = true;
}

/* ------------------------------------------------------------------------------ the orientation */

/* Forward of a joint >= 1: along the neighbours of frame k - 1; along the last link at the tip. */
static real3 forward_of(const vfx_ref *ref, uint64_t particle, bool *ill)
{
    const tentacle_params *params = params_of(ref);
    const bool tip = place_of(ref, particle).joint == params->particles - 1;
    const tentacle_particle *before = previous(ref, particle - 1);
    const tentacle_particle *after = previous(ref, tip ? particle : particle + 1);
    const real3 along = real3_sub(real3_of(after->position), real3_of(before->position));
    const real length = real3_length(along), rest = (real)params->rest_length;
    if (!(length > 0))
        return real3_of(previous(ref, particle)->forward);
    /* "Zero length" may also be read as short against the rest length; the two readings differ here. */
    if (length * length < 4 * DEGENERATE * rest * rest)
        *ill = true;
    return real3_unit(along);
}

/* What a transport of the parent's right onto t1 works on. */
typedef struct bend {
    real3 t0, t1; /* parent's forward of k - 1, own forward of k */
    real3 r;      /* parent's right of k - 1 */
    real3 c;      /* unit chord from the parent of k - 1; zero if the two coincide */
} bend;

static real3 reflect(real3 v, real3 normal) /* |normal| > 0, any length */
{
    return real3_add_scaled(v, -2 * real3_dot(normal, v) / real3_dot(normal, normal), normal);
}

/* Each method gives a vector that is right up to its length and a remainder along t1, and in *health the squared length
 * of what it divides by. Under DEGENERATE it failed (except where noted). */
static real3 carry_up(const bend *b, real *health)
{
    const real3 side = real3_cross(real3_make(0, 0, 1), b->t1);
    *health = real3_dot(side, side);
    return side;
}

static real3 carry_proj(const bend *b, real *health)
{
    const real3 flat = real3_reject(b->r, b->t1);
    *health = real3_dot(flat, flat);
    return flat;
}

static real3 carry_chord(const bend *b, real *health)
{
    const real across = real3_dot(b->c, b->t1);
    if (across * across < DEGENERATE) {
        *health = 0;
        return b->r;
    }
    const real3 flat = real3_add_scaled(b->r, -real3_dot(b->r, b->t1) / across, b->c);
    *health = real_min(1, real3_dot(flat, flat)) * across * across;
    return flat;
}

static real3 carry_rot(const bend *b, real *health)
{
    const real3 sum = real3_add(b->t0, b->t1);
    const real cosine = real3_dot(b->t0, b->t1);
    *health = real3_dot(sum, sum);
    if (*health < DEGENERATE)
        return b->r;
    return real3_add_scaled(b->r, -real3_dot(b->r, b->t1) / (1 + cosine), sum);
}

/* *health is 0 only without a chord; where t1 equals the reflected t0 the first reflection is kept: not a failure. */
static real3 carry_dr(const bend *b, real *health, bool *ill)
{
    *health = real3_dot(b->c, b->c);
    if (*health < DEGENERATE)
        return b->r;
    const real3 r1 = reflect(b->r, b->c), t1 = reflect(b->t0, b->c);
    const real3 difference = real3_sub(b->t1, t1);
    const real squared = real3_dot(difference, difference);
    if (squared < ill_below[TENTACLE_ORIENTATION_DR])
        *ill = true;
    return squared < DEGENERATE ? r1 : reflect(r1, difference);
}

/* The particle's own previous right made perpendicular to t1; if that has no direction either, the coordinate axis
 * farthest from t1 (the first of equals). */
static real3 fallback_right(const tentacle_particle *own, real3 t1)
{
    const real3 flat = real3_reject(real3_of(own->right), t1);
    if (real3_dot(flat, flat) >= DEGENERATE)
        return flat;
    const real x = real_abs(t1.x), y = real_abs(t1.y), z = real_abs(t1.z);
    const real3 axis = x <= y && x <= z ? real3_make(1, 0, 0) : y <= z ? real3_make(0, 1, 0) : real3_make(0, 0, 1);
    return real3_reject(axis, t1);
}

static real3 right_of(const vfx_ref *ref, uint64_t particle, real3 forward, bool *ill)
{
    const tentacle_particle *own = previous(ref, particle), *parent = previous(ref, particle - 1);
    const real rest = (real)params_of(ref)->rest_length;
    const uint32_t method = params_of(ref)->orientation;
    const real3 chord = real3_sub(real3_of(own->position), real3_of(parent->position));
    const real length = real3_length(chord);
    const bend b = {real3_of(parent->forward), forward, real3_of(parent->right),
                    length > 0 ? real3_unit(chord) : real3_make(0, 0, 0)};
    const bool uses_chord = method == TENTACLE_ORIENTATION_CHORD || method == TENTACLE_ORIENTATION_DR;
    if (uses_chord && length > 0 && length * length < DEGENERATE * rest * rest)
        *ill = true; /* two readings of "zero", as in forward_of */

    real health = 0;
    real3 right = b.r;
    switch (method) {
    case TENTACLE_ORIENTATION_UP:
        right = carry_up(&b, &health);
        break;
    case TENTACLE_ORIENTATION_PROJ:
        right = carry_proj(&b, &health);
        break;
    case TENTACLE_ORIENTATION_CHORD:
        right = carry_chord(&b, &health);
        break;
    case TENTACLE_ORIENTATION_ROT:
        right = carry_rot(&b, &health);
        break;
    default:
        right = carry_dr(&b, &health, ill);
        break;
    }
    if (health < ill_below[method])
        *ill = true;
    const real3 flat = real3_reject(right, forward);
    if (health < DEGENERATE || real3_dot(flat, flat) < DEGENERATE) {
        *ill = true;
        return real3_unit(real3_reject(real3_unit(fallback_right(own, forward)), forward));
    }
    return real3_unit(real3_reject(real3_unit(flat), forward));
}

/* --------------------------------------------------------------------------------------- update */

static void store_pulse(const vfx_ref *ref, place at, tentacle_particle *out)
{
    const tentacle_params *params = params_of(ref);
    const tentacle_entity *entity = entity_of(ref, at.tentacle);
    const real phase =
        (real)entity->pulsate_phase - (real)params->pulsate_waves * at.share + (real)root_of(ref, at.tentacle)->phase;
    const real wave = real_sin_turns(phase);
    const real thin = (real)params->radius * (1 - (real)params->taper * at.share);
    out->radius = (float)(thin * (1 + (real)entity->pulsate * wave));
    out->emissive = (float)((real)entity->emissive * ((real)0.5 + (real)0.5 * wave));
    out->arc_length = (float)((real)at.joint * (real)params->rest_length);
    out->zero = 0;
}

static void update_particle(const vfx_ref *ref, uint64_t particle)
{
    const place at = place_of(ref, particle);
    tentacle_particle *out = (tentacle_particle *)ref->out[TENTACLE_BUFFER_PARTICLE] + particle;
    real3 position, velocity, forward, right;
    bool ill_position = false, ill_forward = false, ill_right = false;
    if (at.joint == 0) {
        const base b = base_of(ref, at.tentacle);
        position = b.position;
        velocity = real3_make(0, 0, 0);
        /* Moved by deltas the pair would drift apart, so a root too ends with Gram-Schmidt. */
        forward = real3_unit(b.forward);
        right = real3_unit(real3_reject(b.right, forward));
    } else {
        move_joint(ref, particle, &position, &velocity, &ill_position);
        forward = forward_of(ref, particle, &ill_forward);
        right = right_of(ref, particle, forward, &ill_right);
    }
    out->position = vec3_of(position);
    out->velocity = vec3_of(velocity);
    out->right = vec3_of(right);
    out->forward = vec3_of(forward);
    store_pulse(ref, at, out);
    if (ref->ill[TENTACLE_BUFFER_PARTICLE] != NULL)
        ref->ill[TENTACLE_BUFFER_PARTICLE][particle] =
            (uint8_t)((ill_position ? TENTACLE_ILL_POSITION : 0) | (ill_forward ? TENTACLE_ILL_FORWARD : 0) |
                      (ill_right ? TENTACLE_ILL_RIGHT : 0));
}

void VFX_REF(tentacle_update_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    for (uint64_t particle = first; particle < first + count; particle++)
        update_particle(ref, particle);
}

/* --------------------------------------------------------------------------------- check scales */

double VFX_REF(tentacle_position_scale)(const vfx_ref *ref, uint64_t record)
{
    const tentacle_particle *out = (const tentacle_particle *)ref->out[TENTACLE_BUFFER_PARTICLE] + record;
    return (double)real_max(real3_length(real3_of(out->position)), (real)params_of(ref)->rest_length);
}

double VFX_REF(tentacle_velocity_scale)(const vfx_ref *ref, uint64_t record)
{
    const tentacle_particle *out = (const tentacle_particle *)ref->out[TENTACLE_BUFFER_PARTICLE] + record;
    if (place_of(ref, record).joint == 0)
        return 0;
    const real gained = (real)ref->frame->dt * real3_length(acceleration(ref, record));
    return (double)real_max(real3_length(real3_of(out->velocity)), gained);
}

double VFX_REF(tentacle_radius_scale)(const vfx_ref *ref, uint64_t record)
{
    const tentacle_params *params = params_of(ref);
    const double amplitude = entity_of(ref, place_of(ref, record).tentacle)->pulsate;
    return params->radius * (1 + amplitude * (1 + params->pulsate_waves));
}

double VFX_REF(tentacle_emissive_scale)(const vfx_ref *ref, uint64_t record)
{
    const double amplitude = entity_of(ref, place_of(ref, record).tentacle)->emissive;
    return amplitude * (1 + params_of(ref)->pulsate_waves);
}
