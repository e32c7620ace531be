/* grass_whole.glsl - for passes with an invocation per vertex: the whole vertex record, and its way to memory. The
 * workgroup's vertices go through shared memory (8 KiB at 256), so that consecutive lanes store consecutive quads.
 * Include after local_size. */
#ifndef GRASS_WHOLE_GLSL
#define GRASS_WHOLE_GLSL

#include "kernels/grass/grass_place.glsl"
#include "kernels/grass/grass_vertex.glsl"

GRASS_BUFFER(writeonly, GRASS_BINDING_VERTEX, vertices)
GRASS_BUFFER(writeonly, GRASS_BINDING_MOTION, motions)

shared uvec4 stage[2u * gl_WorkGroupSize.x];

/* Row and column of a vertex within its leaf. */
uvec2 grass_vertex_at(uint vertex)
{
    uint in_leaf = vertex % LEAF_VERTICES;
    return uvec2(in_leaf >> 1u, in_leaf & 1u);
}

grass_vertex grass_whole_vertex(grass_place place, vec2 kappa, vec2 rest, float random, uvec2 at)
{
    float share = grass_share(at.x);
    float z = grass_row_height(share, place.height);
    grass_curve curve = grass_curve_of(kappa, place.across);
    grass_arc arc = grass_arc_of(curve.square, z, place.height);
    vec3 bent = grass_vertex_bent(curve, arc, z, place.height, place.across, grass_lateral(at.y, place.width));
    vec3 position = grass_position(place.root, bent);
    vec3 normal = grass_blade_normal(curve, arc, place.across, rest, place.height);
    return grass_vertex(position, grass_row_shade(share) | grass_unorm8(random) << 24u,
                        grass_normal_of(normal, place.surface, position), share);
}

/* The position alone, at t - dt. */
void grass_put_motion(uint vertex, grass_place place, vec2 kappa, uvec2 at)
{
    float z = grass_row_height(grass_share(at.x), place.height);
    grass_curve curve = grass_curve_of(kappa, place.across);
    grass_arc arc = grass_arc_of(curve.square, z, place.height);
    vec3 bent = grass_vertex_bent(curve, arc, z, place.height, place.across, grass_lateral(at.y, place.width));
    motions[vertex] = grass_motion_pack(grass_motion(grass_position(place.root, bent), 0.0))[0];
}

void grass_stage_vertex(grass_vertex vertex)
{
    uvec4 quads[2] = grass_vertex_pack(vertex);
    stage[2u * gl_LocalInvocationID.x] = quads[0];
    stage[2u * gl_LocalInvocationID.x + 1u] = quads[1];
}

/* Every lane calls this, after a barrier; `first` is the workgroup's first vertex. */
void grass_store_staged(uint first)
{
    for (uint quad = gl_LocalInvocationID.x; quad < stage.length(); quad += gl_WorkGroupSize.x) {
        if (first + quad / 2u < frame.count) {
            vertices[2u * first + quad] = stage[quad];
        }
    }
}

#endif
