/* grass_per_vertex.comp - variant `per-vertex`, the form of a vertex shader: an invocation per vertex evaluates
 * everything of its leaf again. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/grass/grass_swing.glsl"
#include "kernels/grass/grass_whole.glsl"

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
        grass_swing swing = grass_swing_of(instance, k, place, GRASS_TIME_NOW);
        grass_stage_vertex(grass_whole_vertex(place, swing.kappa, swing.rest, place.random, at));
        if (params.motion != 0u) {
            grass_put_motion(vertex, place, grass_swing_of(instance, k, place, GRASS_TIME_BEFORE).kappa, at);
        }
    }
    barrier();
    grass_store_staged(first);
}
