/* tentacle_step.glsl - one particle's next state from the previous frame's (README.md, One frame), for `update` and
 * `fused`. Reads its own particle, parent, child and root at k - 1, and the entity of frame k. */
#ifndef TENTACLE_STEP_GLSL
#define TENTACLE_STEP_GLSL

#include "kernels/tentacle/tentacle.glsl"
#include "kernels/tentacle/tentacle_orientation.glsl"

TENTACLE_BUFFER(readonly, TENTACLE_BINDING_PARTICLE, uvec4, particle_prev)
TENTACLE_BUFFER(readonly, TENTACLE_BINDING_ROOT, uvec4, roots)
TENTACLE_BUFFER(readonly, TENTACLE_BINDING_ENTITY, uvec4, entities)

TENTACLE_LOADER(tentacle_load_prev, particle_prev)

vec3 tentacle_load_prev_position(uint i)
{
    return uintBitsToFloat(particle_prev[tentacle_stream(0u, i)].xyz);
}

tentacle_root tentacle_load_root(uint tentacle)
{
    uint at = 3u * tentacle;
    return tentacle_root_unpack(uvec4[](roots[at], roots[at + 1u], roots[at + 2u]));
}

tentacle_entity tentacle_load_entity(uint entity)
{
    uvec4 quads[8];
    for (uint q = 0u; q < quads.length(); q++) {
        quads[q] = entities[quads.length() * entity + q];
    }
    return tentacle_entity_unpack(quads);
}

/* Phase in turns at share s of the length; whole waves are dropped before anything is added, which is exact. */
float tentacle_phase(float clock, float waves, float s, float psi)
{
    precise float lag = waves * s;
    precise float result = clock - (lag - floor(lag)) + psi;
    return result;
}

/* Acceleration of a particle that is not a root; s is its share of the length, base_* the base frame. */
vec3 tentacle_acceleration(vec3 position, vec3 parent, vec3 parent_forward, float s, float psi, tentacle_entity entity,
                           vec3 base_forward, vec3 base_right)
{
    precise vec3 gravity = vec3(0.0, 0.0, -TENTACLE_GRAVITY) * entity.gravity;
    precise vec3 straighten = base_forward * entity.straighten;
    /* (P - p) + L nP: both are short, so nothing is lost far from the origin. */
    precise vec3 stiffen = ((parent - position) + parent_forward * params.rest_length) * entity.stiffen;
    precise vec3 to_camera = vec3(params.cam_x, params.cam_y, params.cam_z) - position;
    precise vec3 look = vfx_unit_or(to_camera, to_camera) * entity.look;
    vec2 wave = vfx_dir_turns(tentacle_phase(entity.wriggle_phase, params.wriggle_waves, s, psi)); /* (+1/4, +0) */
    precise float amplitude = entity.wriggle * s;
    precise float side = TENTACLE_WRIGGLE_SIDE * wave.x;
    precise vec3 wriggle = (vfx_cross(base_forward, base_right) * wave.y + base_right * side) * amplitude;
    precise vec3 sum = gravity + straighten + stiffen + look + wriggle;
    return sum;
}

/* Moves a root with its entity: from the local offset, or (attach=delta) by the step from frame k - 1 to k. */
void tentacle_move_root(inout tentacle_particle particle, tentacle_root root, tentacle_entity entity, vec3 base_forward,
                        vec3 base_right)
{
    precise vec3 forward = base_forward;
    precise vec3 right = base_right;
    precise vec3 arm = vfx_quat_rotate(entity.rotation, root.offset);
    if (params.attach == TENTACLE_ATTACH_DELTA) {
        vec4 delta = vfx_quat_mul(entity.rotation, vfx_quat_conjugate(entity.rotation_prev));
        precise vec3 arm_prev = particle.position - entity.translation_prev;
        arm = vfx_quat_rotate(delta, arm_prev);
        forward = vfx_quat_rotate(delta, base_forward);
        right = vfx_quat_rotate(delta, base_right);
    }
    precise vec3 position = entity.translation + arm;
    particle.position = position;
    particle.velocity = vec3(0.0);
    particle.forward = vfx_unit_or(forward, base_forward);
    particle.right = vfx_unit_or(vfx_reject(right, particle.forward), base_right);
}

/* Steers, moves and turns a particle that is not a root. `i` is its index. */
void tentacle_move_link(inout tentacle_particle particle, uint i, float s, float psi, tentacle_entity entity,
                        vec3 base_forward, vec3 base_right)
{
    tentacle_particle parent = tentacle_load_prev(i - 1u);
    precise vec3 link = particle.position - parent.position;
    precise vec3 tangent = link; /* from parent to child; at the tip from the parent */
    if (!tentacle_is_tip(i)) {
        tangent = tentacle_load_prev_position(i + 1u) - parent.position;
    }
    vec3 acceleration = tentacle_acceleration(particle.position, parent.position, parent.forward, s, psi, entity,
                                              base_forward, base_right);
    precise vec3 velocity = (particle.velocity + acceleration * frame.dt) * TENTACLE_DAMPING(frame);
    /* q - P; where it vanishes the parent's forward gives the direction. */
    precise vec3 reach = link + velocity * frame.dt;
    precise float guard = TENTACLE_STRETCH_GUARD * params.rest_length;
    precise float guard_square = guard * guard;
    vec3 direction = vfx_dot(reach, reach) < guard_square ? parent.forward : vfx_unit_or(reach, parent.forward);
    precise vec3 position = parent.position + direction * params.rest_length;

    vec3 forward = vfx_unit_or(tangent, particle.forward);
    vec3 chord = vfx_unit_or(link, link);
    particle.right = tentacle_right(parent.right, parent.forward, forward, chord, particle.right);
    particle.forward = forward;
    particle.velocity = velocity;
    particle.position = position;
}

/* State of particle i in frame k. */
tentacle_particle tentacle_step(uint i)
{
    uint tentacle = i / params.particles;
    uint joint = i - tentacle * params.particles;
    precise float s = tentacle_is_tip(i) ? 1.0 : float(joint) / float(params.particles - 1u);
    tentacle_root root = tentacle_load_root(tentacle);
    tentacle_entity entity = tentacle_load_entity(root.entity);
    tentacle_particle particle = tentacle_load_prev(i);

    vec3 base_forward, base_right;
    if (params.attach == TENTACLE_ATTACH_DELTA) {
        tentacle_particle base = tentacle_load_prev(i - joint);
        base_forward = base.forward;
        base_right = base.right;
    } else {
        vec4 rotation = vfx_quat_mul(entity.rotation, root.rotation);
        base_forward = vfx_quat_rotate(rotation, vec3(0.0, 0.0, 1.0));
        base_right = vfx_quat_rotate(rotation, vec3(1.0, 0.0, 0.0));
    }
    if (joint == 0u) {
        tentacle_move_root(particle, root, entity, base_forward, base_right);
    } else {
        tentacle_move_link(particle, i, s, root.phase, entity, base_forward, base_right);
    }

    float pulse = vfx_sin_turns(tentacle_phase(entity.pulsate_phase, params.pulsate_waves, s, root.phase));
    precise float radius = params.radius * (1.0 - params.taper * s) * (1.0 + entity.pulsate * pulse);
    particle.radius = radius;
    precise float emissive = entity.emissive * (0.5 + 0.5 * pulse);
    particle.emissive = emissive;
    precise float arc_length = float(joint) * params.rest_length;
    particle.arc_length = arc_length;
    particle.zero = 0.0;
    return particle;
}

#endif
