/* tentacle_fused.comp - variant `fused`: update and ring in one dispatch, which saves reading the particles again.
 * An invocation per particle computes and stages it; then each lane computes and stores one 16-byte quad of the
 * workgroup's contiguous vertices per step. The bits are those of `update` and `ring`. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle_step.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SIDES = 5;

#include "kernels/tentacle/tentacle_stage.glsl"

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_PARTICLE_NEXT, uvec4, particle_next)
TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_VERTEX, uvec4, vertices)

void put_particle(uint i, uvec4 quads[4])
{
    particle_next[tentacle_stream(0u, i)] = quads[0];
    particle_next[tentacle_stream(1u, i)] = quads[1];
    particle_next[tentacle_stream(2u, i)] = quads[2];
    particle_next[tentacle_stream(3u, i)] = quads[3];
}

/* Quad n of the workgroup's vertices: (position, u), (normal, v), (forward, 0) in turn. Without branches: a warp
 * holds all three kinds. */
uvec4 vertex_quad(uint n)
{
    uint vertex = n / 3u;
    uint quad = n - 3u * vertex;
    uvec2 at = tentacle_stage_vertex(vertex);
    vec3 normal = tentacle_stage_normal(at);
    vec4 centre = stage_position[at.x];
    vec4 forward = stage_forward[at.x];
    vec4 first = vec4(tentacle_surface(centre.xyz, centre.w, normal), stage_angle[at.y].z);
    vec4 second = vec4(tentacle_tilt(normal, forward.xyz), stage_right[at.x].w);
    return floatBitsToUint(quad == 0u ? first : quad == 1u ? second : forward);
}

void put_apex(uint tentacle, tentacle_ring tip)
{
    uvec4 quads[3] = tentacle_vertex_pack(tentacle_apex(tip));
    uint at = 3u * tentacle_apex_index(tentacle, SIDES);
    vertices[at] = quads[0];
    vertices[at + 1u] = quads[1];
    vertices[at + 2u] = quads[2];
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint first = tentacle_stage_first();
    bool exists = first + lane < frame.count;
    uint i = exists ? first + lane : first; /* lanes beyond the end repeat the first particle */
    tentacle_particle particle = tentacle_step(i);
    tentacle_ring ring = tentacle_ring_of(particle);
    tentacle_stage_ring(ring);
    if (exists) {
        put_particle(i, tentacle_particle_pack(particle));
    }
    barrier();

    uint ring_quads = 3u * (SIDES + params.seam);
    uint end = tentacle_stage_rings() * ring_quads;
    for (uint n = lane; n < end; n += gl_WorkGroupSize.x) {
        vertices[first * ring_quads + n] = vertex_quad(n);
    }
    if (params.cap != 0u && exists && tentacle_is_tip(i)) {
        put_apex(i / params.particles, ring);
    }
}
