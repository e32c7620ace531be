/* grass_vertex.glsl - SHADE, and one vertex of a leaf from its place and curvature: the record that per-vertex and
 * two-pass write, and that fused, trig and packed put together from the same functions. */
#ifndef GRASS_VERTEX_GLSL
#define GRASS_VERTEX_GLSL

#include "kernels/grass/grass_bend.glsl"

/* Ambient occlusion, specular and roughness of a row: the low three bytes of `shade`. */
uint grass_row_shade(float share)
{
    precise float q = share * share;
    precise float specular = GRASS_SPECULAR_TIP * q;
    return grass_unorm8(grass_mix(GRASS_AO_ROOT, 1.0, q)) | grass_unorm8(specular) << 8u |
        grass_unorm8(grass_mix(GRASS_ROUGHNESS_ROOT, GRASS_ROUGHNESS_TIP, q)) << 16u;
}

/* z of a row, m. */
float grass_row_height(float share, float height)
{
    precise float result = share * height;
    return result;
}

/* Lateral offset of a column, m; half of the width is exact. */
float grass_lateral(uint column, float width)
{
    precise float result = 0.5 * width;
    return column == 0u ? -result : result;
}

/* Vertex relative to the root; `arc` is that of the curve at z. */
vec3 grass_vertex_bent(grass_curve curve, grass_arc arc, float z, float height, vec2 across, float lateral)
{
    if (params.shape == GRASS_SHAPE_LERP) {
        return grass_bent_lerp(curve, z, height, across, lateral);
    }
    return grass_bent(curve.kappa, curve.along, arc, across, lateral);
}

vec3 grass_position(vec3 root, vec3 bent)
{
    precise vec3 result = root + bent;
    return result;
}

#endif
