/* grass_stage.glsl - a workgroup's leaves in shared memory, for fused, trig and packed: what the vertices of a leaf
 * share, and what its rows share with those of all leaves. The vertices of a leaf are never staged together, so the
 * size does not depend on leaves: 80 B a lane, and 4 B a row. Include after local_size. */
#ifndef GRASS_STAGE_GLSL
#define GRASS_STAGE_GLSL

#include "kernels/grass/grass_swing.glsl"
#include "kernels/grass/grass_vertex.glsl"

GRASS_BUFFER(writeonly, GRASS_BINDING_MOTION, motions)

shared vec4 stage_root[gl_WorkGroupSize.x];    /* root, height */
shared vec4 stage_across[gl_WorkGroupSize.x];  /* e_w, kappa */
shared vec4 stage_surface[gl_WorkGroupSize.x]; /* n, e_w . kappa */
shared vec4 stage_curve[gl_WorkGroupSize.x];   /* kappa . kappa, twist, lift */
shared uvec4 stage_rest[gl_WorkGroupSize.x];   /* rho and width as bits, r0 as unorm8 */
shared uint stage_shade[ROWS];                 /* what `shade` of a row does not take from the leaf */

uint grass_stage_first()
{
    return frame.first + gl_WorkGroupID.x * gl_WorkGroupSize.x;
}

/* Leaves of this workgroup that exist: fewer than lanes in the last workgroup. */
uint grass_stage_count()
{
    return min(max(frame.count, grass_stage_first()) - grass_stage_first(), gl_WorkGroupSize.x);
}

/* Every lane calls this, for one of the two times; a barrier must follow. Lanes beyond the end repeat the last leaf. */
grass_place grass_stage_leaf(uint time)
{
    uint lane = gl_LocalInvocationID.x;
    uint leaf = min(grass_stage_first() + lane, frame.count - 1u);
    uint k = grass_leaf_number(leaf);
    grass_instance instance = grass_load(leaf);
    grass_place place = grass_place_of(instance, k);
    grass_swing swing = grass_swing_of(instance, k, place, time);
    grass_curve curve = grass_curve_of(swing.kappa, place.across);
    stage_root[lane] = vec4(place.root, place.height);
    stage_across[lane] = vec4(place.across, swing.kappa);
    stage_surface[lane] = vec4(place.surface, curve.along);
    stage_curve[lane] = vec4(curve.square, curve.twist, curve.lift);
    stage_rest[lane] = uvec4(floatBitsToUint(vec3(swing.rest, place.width)), grass_unorm8(place.random));
    return place;
}

grass_curve grass_stage_curve(uint lane)
{
    vec4 curve = stage_curve[lane];
    return grass_curve(stage_across[lane].zw, curve.x, stage_surface[lane].w, curve.zw, curve.y);
}

/* Positions at t - dt of the workgroup's vertices, in address order. Every lane calls this, last: it stages the leaves
 * anew. */
void grass_store_motion()
{
    barrier();
    grass_stage_leaf(GRASS_TIME_BEFORE);
    barrier();
    uint end = grass_stage_count() * LEAF_VERTICES;
    uint first = grass_stage_first() * LEAF_VERTICES;
    for (uint n = gl_LocalInvocationID.x; n < end; n += gl_WorkGroupSize.x) {
        uint lane = n / LEAF_VERTICES;
        uint in_leaf = n - lane * LEAF_VERTICES;
        vec4 root = stage_root[lane];
        float z = grass_row_height(grass_share(in_leaf >> 1u), root.w);
        float lateral = grass_lateral(in_leaf & 1u, uintBitsToFloat(stage_rest[lane].z));
        grass_curve curve = grass_stage_curve(lane);
        grass_arc arc = grass_arc_of(curve.square, z, root.w);
        vec3 bent = grass_vertex_bent(curve, arc, z, root.w, stage_across[lane].xy, lateral);
        motions[first + n] = grass_motion_pack(grass_motion(grass_position(root.xyz, bent), 0.0))[0];
    }
}

#endif
