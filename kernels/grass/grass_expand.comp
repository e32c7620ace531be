/* grass_expand.comp - second pass of variant `two-pass`: an invocation per vertex bends it by its leaf's curvature.
 * The rest direction, which `blade` does not keep, and the curvature at t - dt are evaluated again where needed. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/grass/grass_swing.glsl"
#include "kernels/grass/grass_whole.glsl"

GRASS_BUFFER(readonly, GRASS_BINDING_BLADE, blades)

void main()
{
    uint first = frame.first + gl_WorkGroupID.x * gl_WorkGroupSize.x;
    uint vertex = first + gl_LocalInvocationID.x;
    if (vertex < frame.count) {
        uint leaf = vertex / LEAF_VERTICES;
        uint k = grass_leaf_number(leaf);
        uvec2 at = grass_vertex_at(vertex);
        grass_instance instance = grass_load(leaf);
        grass_place place = grass_place_of(instance, k);
        grass_blade blade = grass_blade_unpack(uvec4[](blades[leaf]));
        /* normal = frame does not look at rho */
        vec2 rest = NORMAL == GRASS_NORMAL_ARC ? grass_swing_of(instance, k, place, GRASS_TIME_NOW).rest : place.across;
        grass_stage_vertex(grass_whole_vertex(place, blade.kappa, rest, blade.random, at));
        if (params.motion != 0u) {
            grass_put_motion(vertex, place, grass_swing_of(instance, k, place, GRASS_TIME_BEFORE).kappa, at);
        }
    }
    barrier();
    grass_store_staged(first);
}
