/* tentacle_mesh_ring.comp - variant `ring`, the plain one: an invocation per particle writes its whole ring. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle_mesh.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SIDES = 5;

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_VERTEX, uvec4, vertices)

void put_vertex(uint at, tentacle_vertex vertex)
{
    uvec4 quads[3] = tentacle_vertex_pack(vertex);
    vertices[3u * at] = quads[0];
    vertices[3u * at + 1u] = quads[1];
    vertices[3u * at + 2u] = quads[2];
}

void main()
{
    uint particle = frame.first + gl_GlobalInvocationID.x;
    if (particle >= frame.count) {
        return;
    }
    tentacle_ring ring = tentacle_load_ring(particle);
    uint ring_vertices = SIDES + params.seam;
    for (uint i = 0u; i < ring_vertices; i++) {
        put_vertex(particle * ring_vertices + i, tentacle_ring_vertex(ring, tentacle_angle(i, SIDES)));
    }
    if (params.cap != 0u && tentacle_is_tip(particle)) {
        put_vertex(tentacle_apex_index(particle / params.particles, SIDES), tentacle_apex(ring));
    }
}
