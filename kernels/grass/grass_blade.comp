/* grass_blade.comp - first pass of variant `two-pass`: an invocation per leaf writes what its vertices share. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/grass/grass_swing.glsl"

GRASS_BUFFER(writeonly, GRASS_BINDING_BLADE, blades)

void main()
{
    uint leaf = frame.first + gl_GlobalInvocationID.x;
    if (leaf >= frame.count) {
        return;
    }
    uint k = grass_leaf_number(leaf);
    grass_instance instance = grass_load(leaf);
    grass_place place = grass_place_of(instance, k);
    grass_swing swing = grass_swing_of(instance, k, place, GRASS_TIME_NOW);
    blades[leaf] = grass_blade_pack(grass_blade(swing.kappa, swing.gust, place.random))[0];
}
