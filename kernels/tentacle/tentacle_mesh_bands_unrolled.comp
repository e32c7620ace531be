/* tentacle_mesh_bands_unrolled.comp - variant `bands-unrolled` (C of the ladder): as `bands-cached`, but the number of
 * sides is a constant, the loop is unrolled and the first edge is used again at the wrap, 2 V ring vertices. */
#version 450
#extension GL_EXT_control_flow_attributes : require
#include "core/shared.h"
#include "kernels/tentacle/tentacle_bands.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SIDES = 5;

void main()
{
    uint segment = frame.first + gl_GlobalInvocationID.x;
    if (segment >= frame.count) {
        return;
    }
    uint tentacle = segment / (params.particles - 1u);
    uint particle = segment + tentacle; /* at the near end */
    tentacle_ring near = tentacle_load_ring(particle);
    tentacle_ring far = tentacle_load_ring(particle + 1u);
    vec3 angle = tentacle_angle(0u, SIDES);
    tentacle_vertex first = tentacle_ring_vertex(near, angle);
    tentacle_vertex first_far = tentacle_ring_vertex(far, angle);
    tentacle_vertex a = first;
    tentacle_vertex a_far = first_far;
    [[unroll]] for (uint i = 0u; i < SIDES - 1u; i++) {
        angle = tentacle_angle(i + 1u, SIDES);
        tentacle_vertex b = tentacle_ring_vertex(near, angle);
        tentacle_vertex b_far = tentacle_ring_vertex(far, angle);
        tentacle_put_side(segment, i, SIDES, a, b, a_far, b_far);
        a = b;
        a_far = b_far;
    }
    if (params.seam != 0u) { /* the seam vertex differs from the first in u alone */
        first.u = 1.0;
        first_far.u = 1.0;
    }
    tentacle_put_side(segment, SIDES - 1u, SIDES, a, first, a_far, first_far);
    if (params.cap != 0u && tentacle_is_tip(particle + 1u)) {
        tentacle_put_cap(tentacle, far, SIDES);
    }
}
