/* grass_fused.glsl - the body of `fused` and `trig`: an invocation per leaf evaluates it into shared memory; then each
 * lane computes and stores one 16-byte quad of the workgroup's contiguous vertices per step, position and normal in
 * turn. The bits are those of per-vertex. 20.3 KiB of shared memory at 256. Include after local_size. */
#ifndef GRASS_FUSED_GLSL
#define GRASS_FUSED_GLSL

#include "kernels/grass/grass_stage.glsl"

GRASS_BUFFER(writeonly, GRASS_BINDING_VERTEX, vertices)

/* Quad n of the workgroup's vertices. Both kinds share the arc; a warp holds both, so nothing branches on the kind. */
uvec4 grass_quad(uint n)
{
    uint lane = n / (2u * LEAF_VERTICES);
    uint in_leaf = n - lane * (2u * LEAF_VERTICES);
    uint row = in_leaf >> 2u;
    uint column = in_leaf >> 1u & 1u;
    vec4 root = stage_root[lane];
    uvec4 rest = stage_rest[lane];
    vec2 across = stage_across[lane].xy;
    grass_curve curve = grass_stage_curve(lane);
    float share = grass_share(row);
    float z = grass_row_height(share, root.w);
    grass_arc arc = grass_arc_of(curve.square, z, root.w);
    float lateral = grass_lateral(column, uintBitsToFloat(rest.z));
    vec3 position = grass_position(root.xyz, grass_vertex_bent(curve, arc, z, root.w, across, lateral));
    vec3 normal = grass_blade_normal(curve, arc, across, uintBitsToFloat(rest.xy), root.w);
    uvec4 quads[2] = grass_vertex_pack(grass_vertex(position, stage_shade[row] | rest.w << 24u,
                                                    grass_normal_of(normal, stage_surface[lane].xyz, position), share));
    return (in_leaf & 1u) == 0u ? quads[0] : quads[1];
}

void main()
{
    grass_stage_leaf(GRASS_TIME_NOW);
    for (uint row = gl_LocalInvocationID.x; row < ROWS; row += gl_WorkGroupSize.x) {
        stage_shade[row] = grass_row_shade(grass_share(row));
    }
    barrier();
    uint end = 2u * LEAF_VERTICES * grass_stage_count();
    uint first = 2u * LEAF_VERTICES * grass_stage_first();
    for (uint n = gl_LocalInvocationID.x; n < end; n += gl_WorkGroupSize.x) {
        vertices[first + n] = grass_quad(n);
    }
    if (params.motion != 0u) {
        grass_store_motion();
    }
}

#endif
