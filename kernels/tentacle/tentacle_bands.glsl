/* tentacle_bands.glsl - the non-indexed output of the `bands` ladder: six corners per side of a segment, in the order
 * of the index buffer, and behind all segments the cap's corners. */
#ifndef TENTACLE_BANDS_GLSL
#define TENTACLE_BANDS_GLSL

#include "kernels/tentacle/tentacle_mesh.glsl"

TENTACLE_BUFFER(writeonly, TENTACLE_BINDING_CORNER, uvec4, corners)

void tentacle_put_corner(uint at, tentacle_vertex vertex)
{
    uvec4 quads[3] = tentacle_vertex_pack(vertex);
    corners[3u * at] = quads[0];
    corners[3u * at + 1u] = quads[1];
    corners[3u * at + 2u] = quads[2];
}

/* Side i of a segment: a, b on its near ring, a_far, b_far on its far ring. */
void tentacle_put_side(uint segment, uint i, uint sides, tentacle_vertex a, tentacle_vertex b, tentacle_vertex a_far,
                       tentacle_vertex b_far)
{
    uint at = 6u * (sides * segment + i);
    tentacle_put_corner(at, a);
    tentacle_put_corner(at + 1u, b);
    tentacle_put_corner(at + 2u, a_far);
    tentacle_put_corner(at + 3u, a_far);
    tentacle_put_corner(at + 4u, b);
    tentacle_put_corner(at + 5u, b_far);
}

/* The tip fan (cap=1). */
void tentacle_put_cap(uint tentacle, tentacle_ring tip, uint sides)
{
    uint at = 6u * sides * tentacle_segment_count() + 3u * sides * tentacle;
    tentacle_vertex apex = tentacle_apex(tip);
    for (uint i = 0u; i < sides; i++) {
        uint end = tentacle_side_end(i, sides);
        tentacle_put_corner(at + 3u * i, tentacle_ring_vertex(tip, tentacle_angle(i, sides)));
        tentacle_put_corner(at + 3u * i + 1u, tentacle_ring_vertex(tip, tentacle_angle(end, sides)));
        tentacle_put_corner(at + 3u * i + 2u, apex);
    }
}

#endif
