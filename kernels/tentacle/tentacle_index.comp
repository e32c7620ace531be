/* tentacle_index.comp - pass `index`, run once: the static triangle list over the ring vertices. One invocation per
 * particle writes the segment between its parent and itself; a tip also writes the cap's fan. */
#version 450
#include "core/shared.h"
#include "kernels/tentacle/tentacle.glsl"

layout(local_size_x_id = 0) in;

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_INDEX, uint, indices)

/* Side i of the segment that ends at this particle: (a, b, a + ring), (a + ring, b, b + ring). */
void put_side(uint at, uint a, uint b, uint ring)
{
    indices[at] = a;
    indices[at + 1u] = b;
    indices[at + 2u] = a + ring;
    indices[at + 3u] = a + ring;
    indices[at + 4u] = b;
    indices[at + 5u] = b + ring;
}

void main()
{
    uint particle = frame.first + gl_GlobalInvocationID.x;
    uint tentacle = particle / params.particles;
    if (particle >= frame.count || particle == tentacle * params.particles) {
        return; /* beyond the end, or a root: no segment ends there */
    }
    uint sides = params.sides;
    uint ring = sides + params.seam;
    uint segment = particle - 1u - tentacle;
    uint base = (particle - 1u) * ring;
    for (uint i = 0u; i < sides; i++) {
        put_side(6u * (sides * segment + i), base + i, base + tentacle_side_end(i, sides), ring);
    }
    if (params.cap != 0u && tentacle_is_tip(particle)) {
        uint at = 6u * sides * tentacle_segment_count() + 3u * sides * tentacle;
        for (uint i = 0u; i < sides; i++) {
            indices[at + 3u * i] = base + ring + i;
            indices[at + 3u * i + 1u] = base + ring + tentacle_side_end(i, sides);
            indices[at + 3u * i + 2u] = tentacle_apex_index(tentacle, sides);
        }
    }
}
