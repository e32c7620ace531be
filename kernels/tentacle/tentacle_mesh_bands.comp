/* tentacle_mesh_bands.comp - variant `bands` (A of the ladder): an invocation per segment loops over the sides and
 * computes the four corners of each, 4 V ring vertices per segment. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle_bands.glsl"

layout(local_size_x_id = 0) in;

void main()
{
    uint segment = frame.first + gl_GlobalInvocationID.x;
    if (segment >= frame.count) {
        return;
    }
    uint sides = params.sides;
    uint tentacle = segment / (params.particles - 1u);
    uint particle = segment + tentacle; /* at the near end */
    tentacle_ring near = tentacle_load_ring(particle);
    tentacle_ring far = tentacle_load_ring(particle + 1u);
    for (uint i = 0u; i < sides; i++) {
        uint end = tentacle_side_end(i, sides);
        tentacle_vertex a = tentacle_ring_vertex(near, tentacle_angle(i, sides));
        tentacle_vertex b = tentacle_ring_vertex(near, tentacle_angle(end, sides));
        tentacle_vertex a_far = tentacle_ring_vertex(far, tentacle_angle(i, sides));
        tentacle_vertex b_far = tentacle_ring_vertex(far, tentacle_angle(end, sides));
        tentacle_put_side(segment, i, sides, a, b, a_far, b_far);
    }
    if (params.cap != 0u && tentacle_is_tip(particle + 1u)) {
        tentacle_put_cap(tentacle, far, sides);
    }
}
