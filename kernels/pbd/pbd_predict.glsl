/* pbd_predict.glsl - PREDICT: forces, drag, caps, and where a particle would go without contacts. */
#ifndef PBD_PREDICT_GLSL
#define PBD_PREDICT_GLSL

#include "kernels/pbd/pbd_state.glsl"

PBD_BUFFER(readonly, vec4, PBD_BINDING_VELOCITY, velocities)
PBD_BUFFER(writeonly, uvec4, PBD_BINDING_PREDICT, predicts)

vec3 pbd_state_velocity(uint i)
{
    return frame.substep == 0u ? uintBitsToFloat(particles[params.particles + i].xyz)
                               : velocities[pbd_substep_at(frame.substep - 1u) + i].xyz;
}

bool pbd_state_unyielding(uint i)
{
    if (params.unyielding == 0.0) {
        return false;
    }
    uint flags = frame.substep == 0u ? particles[2u * params.particles + i].y
                                     : sorteds[pbd_substep_at(frame.substep - 1u) + i].z;
    return (flags & PBD_UNYIELDING) != 0u;
}

vec3 pbd_acceleration(vec3 x)
{
    precise vec3 result = vec3(0.0, 0.0, -params.gravity);
    if (params.attract != 0.0) {
        precise vec3 to = vec3(0.0, 0.0, PBD_CENTRE_Z(frame)) - x;
        float d = pbd_length(to);
        if (d >= PBD_TINY) {
            precise float falloff = max(1.0 - d / params.attract_radius, 0.0);
            result += to * (params.attract * falloff / d);
        }
    }
    return result;
}

/* p of particle i. */
vec3 pbd_predict_of(uint i)
{
    float h = PBD_STEP(frame);
    vec3 x = pbd_state_ball(i).xyz;
    precise vec3 v = pbd_state_velocity(i);
    if (!pbd_state_unyielding(i)) {
        v = (v + pbd_acceleration(x) * h) * PBD_DRAG(frame);
        if (params.max_speed > 0.0) {
            v = pbd_cap(v, params.max_speed);
        }
    }
    precise vec3 p = x + v * h;
    return p;
}

void pbd_predict_store(uint i, vec3 p, uint key)
{
    predicts[pbd_substep_at(frame.substep) + i] = uvec4(floatBitsToUint(p), key);
}

#endif
