/* tentacle_mesh_ring_packed.comp - variant `ring-packed`: 16-byte vertices (position, octahedral normal). An
 * invocation per particle stages its cross-section; then the lanes write the workgroup's vertices in address order. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle_mesh.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SIDES = 5;

#include "kernels/tentacle/tentacle_stage.glsl"

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_PACKED, uvec4, packed_vertices)

void put_vertex(uint at, vec3 position, vec3 normal)
{
    packed_vertices[at] = tentacle_packed_pack(tentacle_packed(position, vfx_oct_encode(normal)))[0];
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint first = tentacle_stage_first();
    bool exists = first + lane < frame.count;
    uint particle = exists ? first + lane : first; /* lanes beyond the end repeat the first ring */
    tentacle_ring ring = tentacle_load_ring(particle);
    tentacle_stage_ring(ring);
    barrier();

    uint ring_vertices = SIDES + params.seam;
    uint end = tentacle_stage_rings() * ring_vertices;
    for (uint n = lane; n < end; n += gl_WorkGroupSize.x) {
        uvec2 at = tentacle_stage_vertex(n);
        vec3 normal = tentacle_stage_normal(at);
        vec4 centre = stage_position[at.x];
        put_vertex(first * ring_vertices + n, tentacle_surface(centre.xyz, centre.w, normal),
                   tentacle_tilt(normal, stage_forward[at.x].xyz));
    }
    if (params.cap != 0u && exists && tentacle_is_tip(particle)) {
        tentacle_vertex apex = tentacle_apex(ring);
        put_vertex(tentacle_apex_index(particle / params.particles, SIDES), apex.position, apex.normal);
    }
}
