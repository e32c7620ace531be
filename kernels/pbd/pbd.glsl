/* pbd.glsl - what every pbd shader needs: parameters, specialisation constants, buffer declarations and where a
 * substep's records lie. What each rule means stands in pbd_shared.h. */
#ifndef PBD_GLSL
#define PBD_GLSL

#include "core/math.glsl"
#include "kernels/pbd/pbd_shared.h"

VFX_PARAMS(PBD_PARAMS)

layout(constant_id = 1) const uint SOLVER = 0;  /* PBD_SOLVER_... */
layout(constant_id = 2) const uint ORDERED = 1; /* cells by id */
layout(constant_id = 3) const uint OBSTACLE = 0; /* PBD_OBSTACLE_... */
layout(constant_id = 4) const float FRICTION_STATIC = 0.0; /* 0: no friction, as the kinetic one is not above it */
layout(constant_id = 5) const float RESTITUTION = 0.0;
layout(constant_id = 6) const uint MEASURE = 1; /* contacts at the end of a frame */

/* `access` is readonly, writeonly or empty. */
#define PBD_BUFFER(access, type, number, name)                                                                         \
    layout(std430, binding = number) restrict access buffer name##_block { type name[]; };

/* This invocation of the pass; nothing to do from frame.count on. */
uint pbd_thread()
{
    return frame.first + gl_GlobalInvocationID.x;
}

/* The same from the other end. Passes go forth and back in turn, so that each begins with what the one before has left in
 * the cache. Only for threads below frame.count. */
uint pbd_thread_back()
{
    return frame.count - 1u - pbd_thread();
}

bool pbd_last_substep()
{
    return frame.substep + 1u == params.substeps;
}

/* Offset of the records that a substep keeps for each particle. */
uint pbd_substep_at(uint substep)
{
    return substep * params.particles;
}

/* Offset of trace slot `slot` of a substep. */
uint pbd_trace_at(uint substep, uint slot)
{
    return (substep * (params.iterations + 2u) + slot) * params.particles;
}

/* Keys of the grid or buckets of the table. */
uint pbd_cells()
{
    uvec3 n = uvec3(PBD_CELLS_X(frame), PBD_CELLS_Y(frame), PBD_CELLS_Z(frame));
    return n.x == 0u ? params.buckets : (n.x + 1u) * (n.y + 2u) * (n.z + 2u) + 2u;
}

/* Last key of a grid: of particles that are in no cell. */
uint pbd_bin()
{
    return pbd_cells() - 1u;
}

/* Offset of COUNT and START of this substep. */
uint pbd_cells_at()
{
    return frame.substep * (pbd_cells() + 1u);
}

float pbd_length(vec3 v)
{
    precise float result = sqrt(vfx_dot(v, v));
    return result;
}

bool pbd_finite(vec3 v)
{
    const uvec3 all_bits = uvec3(0x7f800000u); /* of an exponent */
    return all(notEqual(floatBitsToUint(v) & all_bits, all_bits));
}

/* v, no longer than `most`. */
vec3 pbd_cap(vec3 v, float most)
{
    float now = pbd_length(v);
    precise vec3 result = v;
    if (now > most) {
        result = v * (most / now);
    }
    return result;
}

#endif
