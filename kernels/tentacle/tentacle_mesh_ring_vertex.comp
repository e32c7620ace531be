/* tentacle_mesh_ring_vertex.comp - variant `ring-vertex`: an invocation per vertex (rings first, then apexes). The
 * workgroup's vertices go through shared memory, so that consecutive lanes store consecutive 16-byte quads. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle_mesh.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SIDES = 5;

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_VERTEX, uvec4, vertices)

shared uvec4 stage[3u * gl_WorkGroupSize.x];

tentacle_vertex vertex_of(uint index)
{
    uint first_apex = tentacle_apex_index(0u, SIDES);
    if (index >= first_apex) {
        uint tentacle = index - first_apex;
        return tentacle_apex(tentacle_load_ring((tentacle + 1u) * params.particles - 1u));
    }
    uint particle = params.seam != 0u ? index / (SIDES + 1u) : index / SIDES; /* constant divisors */
    uint i = index - particle * (SIDES + params.seam);
    return tentacle_ring_vertex(tentacle_load_ring(particle), tentacle_angle(i, SIDES));
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint first = frame.first + gl_WorkGroupID.x * gl_WorkGroupSize.x;
    if (first + lane < frame.count) {
        uvec4 quads[3] = tentacle_vertex_pack(vertex_of(first + lane));
        stage[3u * lane] = quads[0];
        stage[3u * lane + 1u] = quads[1];
        stage[3u * lane + 2u] = quads[2];
    }
    barrier();
    for (uint quad = lane; quad < stage.length(); quad += gl_WorkGroupSize.x) {
        if (first + quad / 3u < frame.count) {
            vertices[3u * first + quad] = stage[quad];
        }
    }
}
