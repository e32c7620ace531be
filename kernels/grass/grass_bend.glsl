/* grass_bend.glsl - BEND and NORMAL: a vertex of a leaf with a known curvature. All variants call these functions with
 * the same bits. With GRASS_TRIG the arc comes from its radius, cosine and sine. */
#ifndef GRASS_BEND_GLSL
#define GRASS_BEND_GLSL

#include "kernels/grass/grass.glsl"

const float GRASS_BEND_PER_CURVATURE = 0.636619772368; /* |beta| = |kappa| h times this: 2 / pi */

struct grass_curve {
    vec2 kappa;   /* 1/m */
    float square; /* kappa . kappa */
    float along;  /* e_w . kappa */
    vec2 lift;    /* kappa (e_w . kappa) */
    float twist;  /* z of e_w x kappa */
};

/* At height z: u = z^2 kappa . kappa. */
struct grass_arc {
    float fall;  /* z^2 F, m^2 */
    float rise;  /* z G, m */
    float level; /* 1 - u F, cosine of the angle alpha */
};

grass_curve grass_curve_of(vec2 kappa, vec2 across)
{
    float along = grass_dot2(across, kappa);
    precise vec2 lift = kappa * along;
    precise float twist = across.x * kappa.y - across.y * kappa.x;
    return grass_curve(kappa, grass_dot2(kappa, kappa), along, lift, twist);
}

/* |beta|^2 is so small that kappa has no direction. */
bool grass_is_straight(float square, float height)
{
    precise float bend = height * GRASS_BEND_PER_CURVATURE;
    precise float bend_square = square * (bend * bend);
    return bend_square < GRASS_DEGENERATE * GRASS_DEGENERATE;
}

grass_arc grass_arc_closed(float square, float z)
{
    precise float zz = z * z;
    precise float u = zz * square;
    precise float f =
        fma(u, fma(u, fma(u, fma(u, 2.63293351318e-7, -2.47763251875e-5), 0.00138886833496), -0.041666661462), 0.5);
    precise float g =
        fma(u, fma(u, fma(u, fma(u, 2.60891838024e-6, -0.000198111068341), 0.00833308809484), -0.166666604599), 1.0);
    precise float fall = zz * f;
    precise float rise = z * g;
    precise float level = fma(-u, f, 1.0);
    return grass_arc(fall, rise, level);
}

/* From r = 1 / |kappa| and the half angle: 1 - cos = 2 sin^2 of it loses nothing where the arc is nearly flat. */
grass_arc grass_arc_trig(float square, float z)
{
    precise float radius = inversesqrt(square);
    precise float half_turns = z * (square * radius) * 0.0795774715459; /* alpha / (4 pi) */
    vec2 half_dir = vfx_dir_turns(half_turns);
    precise float drop = 2.0 * half_dir.y * half_dir.y; /* 1 - cos(alpha) */
    precise float fall = radius * radius * drop;
    precise float rise = radius * (2.0 * half_dir.y * half_dir.x);
    precise float level = 1.0 - drop;
    return grass_arc(fall, rise, level);
}

grass_arc grass_arc_of(float square, float z, float height)
{
#ifdef GRASS_TRIG
    if (!grass_is_straight(square, height)) {
        return grass_arc_trig(square, z);
    }
#endif
    return grass_arc_closed(square, z);
}

/* Vertex of the arc relative to the root: (v + kappa (z^2 F sigma), z G sigma), v = lateral e_w. */
vec3 grass_bent(vec2 kappa, float along, grass_arc arc, vec2 across, float lateral)
{
    precise float sigma = fma(-lateral, along, 1.0);
    precise vec2 horizontal = fma(kappa, vec2(arc.fall * sigma), lateral * across);
    precise float up = arc.rise * sigma;
    return vec3(horizontal, up);
}

/* shape = lerp: straight from the upright vertex to that of a full quarter circle. */
vec3 grass_bent_lerp(grass_curve curve, float z, float height, vec2 across, float lateral)
{
    precise vec2 v = lateral * across;
    vec3 upright = vec3(v, z);
    if (grass_is_straight(curve.square, height)) {
        return upright;
    }
    precise float radius = inversesqrt(curve.square);
    precise float bend = curve.square * radius * (height * GRASS_BEND_PER_CURVATURE);
    precise vec2 kappa = curve.kappa * (radius * (GRASS_HALF_PI / height));
    float square = grass_dot2(kappa, kappa);
    vec3 full = grass_bent(kappa, grass_dot2(across, kappa), grass_arc_of(square, z, height), across, lateral);
    precise vec3 result = upright + bend * (full - upright);
    return result;
}

/* Unit normal of the blade before sign and blend. N = A x B multiplied out, with (z G)^2 - z^2 F (1 - u F) = z^2 F. */
vec3 grass_blade_normal(grass_curve curve, grass_arc arc, vec2 across, vec2 rest, float height)
{
    if (NORMAL == GRASS_NORMAL_ARC) {
        precise float radius = inversesqrt(max(curve.square, VFX_TINY_SQUARE)); /* finite at kappa = 0 */
        precise vec2 unit = curve.kappa * radius;
        precise vec2 horizontal = -arc.level * (grass_is_straight(curve.square, height) ? rest : unit);
        precise float slope = arc.rise * (curve.square * radius); /* sin(alpha) */
        return vec3(horizontal, slope);
    }
    precise vec2 n = fma(curve.lift, vec2(arc.fall), across * arc.level);
    precise float up = curve.twist * arc.rise;
    return vec3(n.y, -n.x, up);
}

/* Two-sided sign and blend with the surface normal; may have no length. */
vec3 grass_blended(vec3 normal, vec3 surface, vec3 position)
{
    float side = params.facing == GRASS_FACING_BACK ? -1.0 : 1.0;
    if (params.facing == GRASS_FACING_CAMERA) {
        precise vec3 to_camera = vec3(params.cam_x, params.cam_y, params.cam_z) - position;
        side = vfx_dot(normal, to_camera) >= 0.0 ? 1.0 : -1.0;
    }
    precise float share = side * (1.0 - params.normal_blend);
    precise vec3 blended = fma(surface, vec3(params.normal_blend), normal * share);
    return blended;
}

/* The unit normal that is stored. */
vec3 grass_normal_of(vec3 normal, vec3 surface, vec3 position)
{
    vec3 blended = grass_blended(normal, surface, position);
    float square = vfx_dot(blended, blended);
    precise vec3 unit = blended * inversesqrt(square);
    return square < GRASS_DEGENERATE ? surface : unit;
}

/* Its octahedral code, for which no unit length is needed. */
uint grass_normal_code(vec3 normal, vec3 surface, vec3 position)
{
    vec3 blended = grass_blended(normal, surface, position);
    return vfx_oct_encode(vfx_dot(blended, blended) < GRASS_DEGENERATE ? surface : blended);
}

#endif
