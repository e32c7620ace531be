/* tentacle_shared.h - parameters, records and constants of the tentacle family, read by shaders, reference and host.
 * z up, metres, right-handed. A base frame has z = forward (n), x = right (r), y = up (u). Angles of phases in turns. */
#ifndef TENTACLE_SHARED_H
#define TENTACLE_SHARED_H

#include "core/shared.h"

#define TENTACLE_GRAVITY 9.81f         /* m/s^2, along -z */
#define TENTACLE_DEGENERATE 1e-4f      /* squared length of a unitless vector below which it has no direction */
#define TENTACLE_STRETCH_GUARD 1e-6f   /* |q - P| below this many rest lengths has no direction */
#define TENTACLE_MOST_RING 17          /* vertices of a ring at most: 16 sides and the seam */
#define TENTACLE_WRIGGLE_SIDE 0.6f     /* amplitude of the wriggle along right, relative to that along up */

/* Hash streams: random number = pcg3d(id, stream, seed).x >> 8 times 2^-24. */
#define TENTACLE_STREAM_PHASE 0u   /* id = tentacle: psi, turns */
#define TENTACLE_STREAM_YAW 1u     /* id = entity: yaw at frame 0, turns */
#define TENTACLE_STREAM_STAGGER 2u /* id = entity: start of the state clock, cycles */

#define TENTACLE_STATES(V) V(TENTACLE_STATES_OFF, 0, "off") V(TENTACLE_STATES_GLOBAL, 1, "global") V(TENTACLE_STATES_ENTITY, 2, "entity")
#define TENTACLE_ATTACH(V) V(TENTACLE_ATTACH_ABSOLUTE, 0, "absolute") V(TENTACLE_ATTACH_DELTA, 1, "delta")
#define TENTACLE_ORIENTATION(V) V(TENTACLE_ORIENTATION_UP, 0, "up") V(TENTACLE_ORIENTATION_PROJ, 1, "proj") V(TENTACLE_ORIENTATION_CHORD, 2, "chord") \
    V(TENTACLE_ORIENTATION_ROT, 3, "rot") V(TENTACLE_ORIENTATION_DR, 4, "dr")
/* States of an entity (record field `state`); with states=off it stays idle. */
#define TENTACLE_STATE(V) V(TENTACLE_IDLE, 0, "idle") V(TENTACLE_PREPARING, 1, "preparing") V(TENTACLE_JUMPING, 2, "jumping")

#define TENTACLE_PARAMS(P, E) \
    P(U32, tentacles, 2000, 1, 4000000, 0, "number of tentacles") \
    P(U32, particles, 21, 2, 64, 0, "particles per tentacle (n), the root included") \
    P(U32, sides, 5, 3, 16, 0, "sides of the tube (V)") \
    P(U32, tentacles_per_entity, 10, 1, 1000, 0, "tentacles that one entity carries") \
    P(F32, rest_length, 0.05, 1e-4, 10, 0, "rest distance of neighbouring particles (L), m") \
    P(F32, radius, 0.03, 1e-5, 10, 0, "tube radius at the root (r0), m") \
    P(F32, taper, 0.85, 0, 1, 0, "share of the radius lost from root to tip") \
    P(F32, drag, 4, 0, 100, VFX_LIVE, "drag coefficient (c), 1/s") \
    P(F32, gravity, 1, -100, 100, VFX_LIVE, "weight of gravity (wg), times 9.81 m/s^2; with states=off") \
    P(F32, straighten, 14, 0, 10000, VFX_LIVE, "force along the base forward (ws), m/s^2; with states=off") \
    P(F32, stiffen, 60, 0, 1000000, VFX_LIVE, "pull toward the parent's forward (wk), 1/s^2; with states=off") \
    P(F32, look, 0, -10000, 10000, VFX_LIVE, "force toward the camera (wc), m/s^2; with states=off") \
    P(F32, wriggle, 8, 0, 10000, VFX_LIVE, "sine force across the base forward (ww), m/s^2; with states=off") \
    P(F32, wriggle_hz, 0.6, 0, 100, VFX_LIVE, "wriggle frequency, Hz; with states=off") \
    P(F32, pulsate, 0.1, 0, 1, VFX_LIVE, "relative radius amplitude (Ap); with states=off") \
    P(F32, pulsate_hz, 0.8, 0, 100, VFX_LIVE, "pulsate frequency, Hz; with states=off") \
    P(F32, emissive, 0.25, 0, 100, VFX_LIVE, "emissive amplitude (E); with states=off") \
    P(F32, wriggle_waves, 1, 0, 16, 0, "wriggle waves over the length (kw), turns") \
    P(F32, pulsate_waves, 1, 0, 16, 0, "pulsate waves over the length (kp), turns") \
    P(F32, yaw_rate, 0.05, -10, 10, 0, "entity yaw rate, turns/s") \
    P(F32, cam_x, 0, -1e4, 1e4, VFX_LIVE, "camera x, m") \
    P(F32, cam_y, -8, -1e4, 1e4, VFX_LIVE, "camera y, m") \
    P(F32, cam_z, 2, -1e4, 1e4, VFX_LIVE, "camera z, m") \
    E(states, tentacle_states, TENTACLE_STATES_ENTITY, 0, "state machine: off, one clock for all, or staggered per entity") \
    E(attach, tentacle_attach, TENTACLE_ATTACH_ABSOLUTE, 0, "root from the entity transform, or moved by its per-frame delta") \
    E(orientation, tentacle_orientation, TENTACLE_ORIENTATION_DR, 0, "how the right vector follows the parent's") \
    P(BOOL, seam, 0, 0, 1, 0, "one more vertex per ring, so that u reaches 1") \
    P(BOOL, cap, 0, 0, 1, 0, "close the tip with a fan around an apex vertex") \
    P(BOOL, tilt, 0, 0, 1, 0, "tilt ring normals by the taper's slope")

/* State, ping-pong, streams. Particle index = tentacle * particles + joint; joint 0 is the root. */
#define TENTACLE_PARTICLE(F) \
    F(vec3, position, 0, xyz, "m", "centre of the ring") \
    F(f32, radius, 0, w, "m", "ring radius, pulsate included") \
    F(vec3, velocity, 1, xyz, "m/s", "steering velocity; 0 at the root") \
    F(f32, arc_length, 1, w, "m", "rest arc length from the root, joint * rest_length") \
    F(vec3, right, 2, xyz, "1", "unit right vector") \
    F(f32, emissive, 2, w, "1", "emissive intensity") \
    F(vec3, forward, 3, xyz, "1", "unit tangent, root to tip") \
    F(f32, zero, 3, w, "1", "padding, 0")

/* Input: where a tentacle sits on its entity. */
#define TENTACLE_ROOT(F) \
    F(vec3, offset, 0, xyz, "m", "root in the entity's frame") \
    F(f32, phase, 0, w, "turns", "phase of wriggle and pulsate (psi)") \
    F(vec4, rotation, 1, xyzw, "1", "unit quaternion (x, y, z, w): base frame to entity frame") \
    F(u32, entity, 2, x, "1", "entity index") \
    F(u32, zero0, 2, y, "1", "padding, 0") \
    F(u32, zero1, 2, z, "1", "padding, 0") \
    F(u32, zero2, 2, w, "1", "padding, 0")

/* Frame input: an entity in frame k with its blended weights. */
#define TENTACLE_ENTITY(F) \
    F(vec4, rotation, 0, xyzw, "1", "unit quaternion (x, y, z, w): entity to world") \
    F(vec3, translation, 1, xyz, "m", "entity position") \
    F(f32, straighten, 1, w, "m/s^2", "ws") \
    F(vec4, rotation_prev, 2, xyzw, "1", "rotation of frame k - 1") \
    F(vec3, translation_prev, 3, xyz, "m", "translation of frame k - 1") \
    F(f32, stiffen, 3, w, "1/s^2", "wk") \
    F(f32, gravity, 4, x, "1", "wg") \
    F(f32, look, 4, y, "m/s^2", "wc") \
    F(f32, wriggle, 4, z, "m/s^2", "ww") \
    F(f32, pulsate, 4, w, "1", "Ap") \
    F(f32, emissive, 5, x, "1", "E") \
    F(f32, wriggle_phase, 5, y, "turns", "fw t, integrated and wrapped to [0, 1)") \
    F(f32, pulsate_phase, 5, z, "turns", "fp t, integrated and wrapped to [0, 1)") \
    F(f32, state_time, 5, w, "s", "time in the state") \
    F(u32, state, 6, x, "1", "TENTACLE_STATE") \
    F(u32, zero0, 6, y, "1", "padding, 0") \
    F(u32, zero1, 6, z, "1", "padding, 0") \
    F(u32, zero2, 6, w, "1", "padding, 0") \
    F(uvec4, zero3, 7, xyzw, "1", "padding, 0")

/* Output, 48 B. Ring vertex i of particle p is vertex p * ring + i, ring = sides + seam; apex vertices (cap) follow
 * all rings, one per tentacle. Also the element of the non-indexed triangle list `corner`. */
#define TENTACLE_VERTEX(F) \
    F(vec3, position, 0, xyz, "m", "p + R normal (normal before tilt)") \
    F(f32, u, 0, w, "1", "i / sides") \
    F(vec3, normal, 1, xyz, "1", "outward unit normal") \
    F(f32, v, 1, w, "1", "arc length / (2 pi r0)") \
    F(vec3, binormal, 2, xyz, "1", "forward; right at an apex") \
    F(f32, zero, 2, w, "1", "padding, 0")

/* Output, 16 B; uv follow from the index. */
#define TENTACLE_PACKED(F) \
    F(vec3, position, 0, xyz, "m", "as in the 48 B vertex") \
    F(oct16, normal, 0, w, "1", "octahedral, 2 x snorm16, x in the low half")

/* frame.host: constants that the host computes once a frame. */
#define TENTACLE_DAMPING(f) ((f).host[0].x)       /* D = exp(-drag dt) */
#define TENTACLE_INVERSE_SIDES(f) ((f).host[0].y) /* 1 / sides: a device's division may depend on what is constant */

VFX_ENUM(TENTACLE_STATES)
VFX_ENUM(TENTACLE_ATTACH)
VFX_ENUM(TENTACLE_ORIENTATION)
VFX_ENUM(TENTACLE_STATE)
VFX_RECORD(tentacle_particle, TENTACLE_PARTICLE, 4)
VFX_RECORD(tentacle_root, TENTACLE_ROOT, 3)
VFX_RECORD(tentacle_entity, TENTACLE_ENTITY, 8)
VFX_RECORD(tentacle_vertex, TENTACLE_VERTEX, 3)
VFX_RECORD(tentacle_packed, TENTACLE_PACKED, 1)

#ifndef VULKAN
typedef struct tentacle_params {
    TENTACLE_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} tentacle_params;

/* Rows of the family's buffers, in the order of tentacle.c. */
enum {
    TENTACLE_BUFFER_PARTICLE,
    TENTACLE_BUFFER_ROOT,
    TENTACLE_BUFFER_ENTITY,
    TENTACLE_BUFFER_VERTEX,
    TENTACLE_BUFFER_PACKED,
    TENTACLE_BUFFER_CORNER,
    TENTACLE_BUFFER_INDEX,
    TENTACLE_BUFFER_COUNT
};
#endif

/* Bindings; the particle state takes two: previous frame (read), this frame (written). */
#define TENTACLE_BINDING_PARTICLE 1
#define TENTACLE_BINDING_PARTICLE_NEXT 2
#define TENTACLE_BINDING_ROOT 3
#define TENTACLE_BINDING_ENTITY 4
#define TENTACLE_BINDING_VERTEX 5
#define TENTACLE_BINDING_PACKED 6
#define TENTACLE_BINDING_CORNER 7
#define TENTACLE_BINDING_INDEX 8

#endif
