/* grass_place.glsl - PLACE: where a leaf stands, before any wind. */
#ifndef GRASS_PLACE_GLSL
#define GRASS_PLACE_GLSL

#include "kernels/grass/grass.glsl"

struct grass_place {
    vec3 pivot;   /* of the instance, m */
    vec3 offset;  /* root - pivot, m */
    vec3 root;    /* m */
    vec3 surface; /* unit normal of the ground (n) */
    vec2 across;  /* unit, direction of the width (e_w) */
    float height; /* m */
    float width;  /* m */
    float lean;   /* added to bend_min */
    float random; /* r0 */
};

/* Direction of the width of a blade that is aligned to the slope and then straightened; x0: before alignment. */
vec2 grass_across(vec2 x0, vec3 n)
{
    if (params.align == GRASS_ALIGN_UPRIGHT) {
        return x0;
    }
    precise float down = 1.0 + n.z;
    precise vec2 image = x0 - n.xy * (grass_dot2(x0, n.xy) / down);
    vec2 x = down < GRASS_DEGENERATE ? x0 : image;
    return grass_dot2(x, x) < GRASS_DEGENERATE * GRASS_DEGENERATE ? x0 : grass_unit2(x);
}

/* Root of a leaf relative to the clump's pivot: a spot on a disc, shifted in z onto the plane of the ground. */
vec3 grass_disc(vec3 random, vec3 n)
{
    precise vec2 d = params.clump_radius * sqrt(random.x) * vfx_dir_turns(random.y);
    precise float down = -grass_dot2(n.xy, d) / n.z;
    return vec3(d, n.z < GRASS_SLOPE_GUARD ? 0.0 : down);
}

grass_place grass_place_of(grass_instance instance, uint k)
{
    grass_place place;
    vec2 size = unpackHalf2x16(instance.size);
    vec2 x0 = grass_unit2(unpackHalf2x16(instance.yaw));
    vec3 look = grass_random(instance.id, GRASS_STREAM_LOOK, k);
    place.pivot = instance.pivot;
    place.surface = grass_surface(instance.surface);
    place.width = size.y;
    place.random = look.x;
    precise float height = params.height * size.x;
    if (LEAVES == 1u) {
        place.offset = vec3(0.0);
        place.root = instance.pivot;
        place.height = height;
        place.lean = 0.0;
    } else {
        vec3 random = grass_random(instance.id, GRASS_STREAM_PLACE, k);
        vec3 first = grass_random(instance.id, GRASS_STREAM_LOOK, 0u);
        place.offset = grass_disc(random, place.surface);
        precise vec3 root = instance.pivot + place.offset;
        precise float turns = random.z - 0.5;
        precise float factor = GRASS_LEAF_LOW +
            (GRASS_LEAF_HIGH - GRASS_LEAF_LOW) * grass_mix(look.z, first.z, params.coherence);
        precise float leaf_height = height * factor;
        precise float lean = params.clump_lean * (2.0 * grass_mix(look.y, first.y, params.coherence) - 1.0);
        x0 = grass_turn(x0, vfx_dir_turns(grass_mix(turns, 0.0, params.coherence)));
        place.root = root;
        place.height = leaf_height;
        place.lean = lean;
    }
    place.across = grass_across(x0, place.surface);
    return place;
}

#endif
