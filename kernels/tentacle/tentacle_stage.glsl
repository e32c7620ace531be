/* tentacle_stage.glsl - a workgroup's cross-sections in shared memory, so that its lanes can then write the
 * workgroup's contiguous part of the vertex buffer in address order, whatever the number of sides.
 * 64 B per lane and the ring's angles: 16.3 KiB at 256 lanes. Needs SIDES. */
#ifndef TENTACLE_STAGE_GLSL
#define TENTACLE_STAGE_GLSL

#include "kernels/tentacle/tentacle.glsl"

shared vec4 stage_position[gl_WorkGroupSize.x]; /* w: radius */
shared vec4 stage_right[gl_WorkGroupSize.x];    /* w: v */
shared vec4 stage_up[gl_WorkGroupSize.x];       /* w: unused */
shared vec4 stage_forward[gl_WorkGroupSize.x]; /* w: 0 */
shared vec4 stage_angle[TENTACLE_MOST_RING];    /* cos, sin, u; w: unused */

/* Every lane calls this once, with its own particle's ring; a barrier must follow. */
void tentacle_stage_ring(tentacle_ring ring)
{
    uint lane = gl_LocalInvocationID.x;
    stage_position[lane] = vec4(ring.position, ring.radius);
    stage_right[lane] = vec4(ring.right, ring.v);
    stage_up[lane] = vec4(ring.up, ring.v);
    stage_forward[lane] = vec4(ring.forward, 0.0);
    for (uint i = lane; i <= SIDES; i += gl_WorkGroupSize.x) {
        stage_angle[i] = vec4(tentacle_angle(i, SIDES), ring.v);
    }
}

uint tentacle_stage_first()
{
    return frame.first + gl_WorkGroupID.x * gl_WorkGroupSize.x;
}

/* Rings of this workgroup that exist: fewer than lanes in the last workgroup. */
uint tentacle_stage_rings()
{
    return min(max(frame.count, tentacle_stage_first()) - tentacle_stage_first(), gl_WorkGroupSize.x);
}

/* Lane and ring position of the workgroup's n-th vertex; divisors are constants. */
uvec2 tentacle_stage_vertex(uint n)
{
    uint lane = params.seam != 0u ? n / (SIDES + 1u) : n / SIDES;
    return uvec2(lane, n - lane * (SIDES + params.seam));
}

vec3 tentacle_stage_normal(uvec2 at)
{
    return tentacle_normal(stage_right[at.x].xyz, stage_up[at.x].xyz, stage_angle[at.y].xyz);
}

#endif
