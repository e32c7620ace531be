/* tentacle_mesh_bands_march.comp - variant `bands-march` (B-ring of the ladder): an invocation per tentacle marches
 * from root to tip and keeps the previous ring, V ring vertices per segment and V for the root. */
#version 450
#extension GL_EXT_control_flow_attributes : require
#include "core/shared.h"
#include "kernels/tentacle/tentacle_bands.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SIDES = 5;

/* The vertex that closes the last side: the first one, with u = 1 at a seam. */
tentacle_vertex closing(tentacle_vertex first)
{
    if (params.seam != 0u) {
        first.u = 1.0;
    }
    return first;
}

void main()
{
    uint tentacle = frame.first + gl_GlobalInvocationID.x;
    if (tentacle >= frame.count) {
        return;
    }
    uint root = tentacle * params.particles;
    tentacle_ring ring = tentacle_load_ring(root);
    tentacle_vertex previous[SIDES];
    [[unroll]] for (uint i = 0u; i < SIDES; i++) {
        previous[i] = tentacle_ring_vertex(ring, tentacle_angle(i, SIDES));
    }
    for (uint joint = 1u; joint < params.particles; joint++) {
        uint segment = root - tentacle + joint - 1u;
        ring = tentacle_load_ring(root + joint);
        tentacle_vertex next_first = tentacle_ring_vertex(ring, tentacle_angle(0u, SIDES));
        tentacle_vertex near_first = previous[0];
        tentacle_vertex a_far = next_first;
        [[unroll]] for (uint i = 0u; i < SIDES - 1u; i++) {
            tentacle_vertex b_far = tentacle_ring_vertex(ring, tentacle_angle(i + 1u, SIDES));
            tentacle_put_side(segment, i, SIDES, previous[i], previous[i + 1u], a_far, b_far);
            previous[i] = a_far;
            a_far = b_far;
        }
        tentacle_put_side(segment, SIDES - 1u, SIDES, previous[SIDES - 1u], closing(near_first), a_far,
                          closing(next_first));
        previous[SIDES - 1u] = a_far;
    }
    if (params.cap != 0u) {
        tentacle_put_cap(tentacle, ring, SIDES);
    }
}
