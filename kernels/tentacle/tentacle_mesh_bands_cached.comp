/* tentacle_mesh_bands_cached.comp - variant `bands-cached` (B of the ladder): as `bands`, but the edge that a side
 * shares with the one before is kept, 2 V + 2 ring vertices per segment. */
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
    vec3 angle = tentacle_angle(0u, sides);
    tentacle_vertex a = tentacle_ring_vertex(near, angle);
    tentacle_vertex a_far = tentacle_ring_vertex(far, angle);
    for (uint i = 0u; i < sides; i++) {
        angle = tentacle_angle(tentacle_side_end(i, sides), sides);
        tentacle_vertex b = tentacle_ring_vertex(near, angle);
        tentacle_vertex b_far = tentacle_ring_vertex(far, angle);
        tentacle_put_side(segment, i, sides, a, b, a_far, b_far);
        a = b;
        a_far = b_far;
    }
    if (params.cap != 0u && tentacle_is_tip(particle + 1u)) {
        tentacle_put_cap(tentacle, far, sides);
    }
}
