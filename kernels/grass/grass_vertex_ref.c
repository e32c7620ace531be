/* grass_vertex_ref.c - the vertices of a leaf on the CPU: bend, tangent frame, normal, shading, and the stage that
 * stores them. Compiled twice over `real`, like grass_ref.c. */
#include "kernels/grass/grass_real.h"

#define DEGENERATE ((real)GRASS_DEGENERATE)

/* ---------------------------------------------------------------------------------------- bend */

static real sinc(real x)
{
    return x > 0 ? real_sin(x) / x : 1;
}

/* F = (1 - cos a) / a^2 = sinc(a / 2)^2 / 2 with a = sqrt u: nothing cancels. */
static real bend_f(real u)
{
    const real s = sinc(real_sqrt(u) / 2);
    return s * s / 2;
}

/* G = sin a / a. */
static real bend_g(real u)
{
    return sinc(real_sqrt(u));
}

/* The point (v, z) of the straight leaf, bent; relative to the root. */
static real3 bend_point(real2 v, real z, real2 kappa)
{
    const real u = z * z * real2_dot(kappa, kappa);
    const real sigma = 1 - real2_dot(v, kappa);
    const real2 flat = real2_add_scaled(v, z * z * bend_f(u) * sigma, kappa);
    return real3_make(flat.x, flat.y, z * bend_g(u) * sigma);
}

/* Frame A, B, N of a bend. */
typedef struct bend_frame {
    real3 across, along, normal;
} bend_frame;

static bend_frame frame_of(real2 across, real z, real2 kappa)
{
    const real u = z * z * real2_dot(kappa, kappa), edge = real2_dot(across, kappa);
    const real f = bend_f(u), g = bend_g(u);
    const real2 a = real2_add_scaled(across, -edge * z * z * f, kappa);
    bend_frame frame;
    frame.across = real3_make(a.x, a.y, -edge * z * g);
    frame.along = real3_make(kappa.x * z * g, kappa.y * z * g, 1 - u * f);
    frame.normal = real3_cross(frame.across, frame.along);
    return frame;
}

/* The negative control: straight from the rest point to the point of a full quarter-circle bend. */
static real3 lerp_point(real2 v, real z, real2 beta, real2 kappa)
{
    const real3 straight = real3_make(v.x, v.y, z);
    const real amount = real2_length(beta);
    if (amount * amount < DEGENERATE * DEGENERATE)
        return straight;
    const real3 quarter = bend_point(v, z, real2_scale(kappa, 1 / amount));
    return real3_mix(straight, quarter, amount);
}

real VFX_REF(grass_share_of)(const vfx_ref *ref, uint32_t row)
{
    return row == grass_params_of(ref)->rows - 1 ? 1 : (real)row * (real)GRASS_ROW_STEP(*ref->frame);
}

grass_point VFX_REF(grass_point_of)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway, uint32_t row,
                                    uint32_t column)
{
    const grass_params *params = grass_params_of(ref);
    grass_point point;
    point.share = VFX_REF(grass_share_of)(ref, row);
    point.z = point.share * place->height;
    point.lateral = ((real)column - (real)0.5) * place->width;
    const real2 v = real2_scale(place->across, point.lateral);
    point.sigma = 1 - real2_dot(v, sway->kappa);
    point.bent = params->shape == GRASS_SHAPE_LERP ? lerp_point(v, point.z, sway->beta, sway->kappa)
                                                   : bend_point(v, point.z, sway->kappa);
    point.position = real3_add(place->root, point.bent);
    return point;
}

/* -------------------------------------------------------------------------------------- normal */

/* Normal of the arc: radial on the convex side, whatever way the leaf is turned. */
static real3 arc_normal(const grass_sway *sway, real z)
{
    const bool bent = !(real2_dot(sway->beta, sway->beta) < DEGENERATE * DEGENERATE);
    const real2 direction = bent ? real2_unit(sway->beta) : sway->rest;
    const real alpha = z * real2_length(sway->kappa), c = real_cos(alpha);
    return real3_make(-c * direction.x, -c * direction.y, real_sin(alpha));
}

grass_facet VFX_REF(grass_facet_of)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway,
                                    const grass_point *point)
{
    const grass_params *params = grass_params_of(ref);
    grass_facet facet;
    facet.side = params->normal == GRASS_NORMAL_ARC ? arc_normal(sway, point->z)
                                                    : frame_of(place->across, point->z, sway->kappa).normal;

    const real3 camera = real3_make((real)params->cam_x, (real)params->cam_y, (real)params->cam_z);
    const real3 sight = real3_sub(camera, point->position);
    const real towards = real3_dot(facet.side, sight), distance = real3_length(sight);
    facet.facing = distance > 0 ? towards / distance : 0;
    facet.sign = params->facing == GRASS_FACING_BACK                        ? (real)-1
                 : params->facing == GRASS_FACING_CAMERA && !(towards >= 0) ? (real)-1
                                                                            : (real)1;

    facet.blended = real3_mix(real3_scale(facet.side, facet.sign), place->normal, (real)params->normal_blend);
    facet.normal = real3_dot(facet.blended, facet.blended) < DEGENERATE ? place->normal : real3_unit(facet.blended);
    return facet;
}

/* ------------------------------------------------------------------------------------- shading */

void VFX_REF(grass_shades_of)(real share, real random, real shades[GRASS_SHADES])
{
    const real q = share * share;
    shades[0] = real_mix((real)GRASS_AO_ROOT, 1, q);
    shades[1] = (real)GRASS_SPECULAR_TIP * q;
    shades[2] = real_mix((real)GRASS_ROUGHNESS_ROOT, (real)GRASS_ROUGHNESS_TIP, q);
    shades[3] = random;
}

void VFX_REF(grass_packed_shades_of)(real share, real random, uint32_t column, real shades[GRASS_SHADES])
{
    shades[0] = share;
    shades[1] = random;
    shades[2] = (real)column;
    shades[3] = real_mix((real)GRASS_AO_ROOT, 1, share * share);
}

static uint32_t pack_bytes(const real shades[GRASS_SHADES])
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < GRASS_SHADES; i++)
        word |= unorm8_encode(shades[i]) << 8 * i;
    return word;
}

/* --------------------------------------------------------------------------------------- stage */

static void mark(const vfx_ref *ref, uint32_t buffer, uint64_t record, uint8_t ill)
{
    if (ref->ill[buffer] != NULL)
        ref->ill[buffer][record] = ill;
}

static void store_vertex(const vfx_ref *ref, uint64_t at, const grass_place *place, const grass_point *point,
                         const grass_facet *facet)
{
    real shades[GRASS_SHADES];
    VFX_REF(grass_shades_of)(point->share, place->random[0], shades);
    grass_vertex *out = (grass_vertex *)ref->out[GRASS_BUFFER_VERTEX] + at;
    out->position = vec3_of(point->position);
    out->shade = pack_bytes(shades);
    out->normal = vec3_of(facet->normal);
    out->gradient = (float)point->share;
}

static void store_packed(const vfx_ref *ref, uint64_t at, const grass_place *place, const grass_point *point,
                         const grass_facet *facet, uint32_t column)
{
    real shades[GRASS_SHADES];
    VFX_REF(grass_packed_shades_of)(point->share, place->random[0], column, shades);
    const real3 offset = real3_add(real3_sub(place->root, place->pivot), point->bent);
    grass_packed *out = (grass_packed *)ref->out[GRASS_BUFFER_PACKED] + at;
    out->offset_xy = half_encode(offset.x) | half_encode(offset.y) << 16;
    out->offset_z = half_encode(offset.z);
    out->normal = octahedral_encode(facet->normal);
    out->shade = pack_bytes(shades);
}

/* This frame's vertices of a leaf. */
static void store_now(const vfx_ref *ref, uint64_t leaf, const grass_place *place)
{
    const grass_sway sway = VFX_REF(grass_sway_of)(ref, place, false);
    const grass_error e = VFX_REF(grass_error_of)(ref, place, &sway);
    const uint8_t ill_leaf = VFX_REF(grass_place_ill)(ref, place) ? GRASS_ILL_PLACE : 0;
    const uint64_t start = leaf * grass_leaf_vertices(ref);
    for (uint32_t i = 0; i < grass_leaf_vertices(ref); i++) {
        const grass_point point = VFX_REF(grass_point_of)(ref, place, &sway, i / 2, i % 2);
        const grass_facet facet = VFX_REF(grass_facet_of)(ref, place, &sway, &point);
        const bool ill_normal = VFX_REF(grass_facet_ill)(ref, &sway, &e, &point, &facet);
        const uint8_t ill = (uint8_t)(ill_leaf | (ill_normal ? GRASS_ILL_NORMAL : 0));
        if (ref->out[GRASS_BUFFER_VERTEX] != NULL) {
            store_vertex(ref, start + i, place, &point, &facet);
            mark(ref, GRASS_BUFFER_VERTEX, start + i, ill);
        }
        if (ref->out[GRASS_BUFFER_PACKED] != NULL) {
            store_packed(ref, start + i, place, &point, &facet, i % 2);
            mark(ref, GRASS_BUFFER_PACKED, start + i, ill);
        }
    }
}

/* The same vertices one time step earlier. */
static void store_before(const vfx_ref *ref, uint64_t leaf, const grass_place *place)
{
    const grass_sway sway = VFX_REF(grass_sway_of)(ref, place, true);
    const uint8_t ill = VFX_REF(grass_place_ill)(ref, place) ? GRASS_ILL_PLACE : 0;
    const uint64_t start = leaf * grass_leaf_vertices(ref);
    for (uint32_t i = 0; i < grass_leaf_vertices(ref); i++) {
        grass_motion *out = (grass_motion *)ref->out[GRASS_BUFFER_MOTION] + start + i;
        out->position = vec3_of(VFX_REF(grass_point_of)(ref, place, &sway, i / 2, i % 2).position);
        out->zero = 0;
        mark(ref, GRASS_BUFFER_MOTION, start + i, ill);
    }
}

void VFX_REF(grass_vertex_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const bool now = ref->out[GRASS_BUFFER_VERTEX] != NULL || ref->out[GRASS_BUFFER_PACKED] != NULL;
    const bool before = ref->out[GRASS_BUFFER_MOTION] != NULL && grass_params_of(ref)->motion != 0;
    for (uint64_t leaf = first; leaf < first + count; leaf++) {
        const grass_place place = VFX_REF(grass_place_of)(ref, leaf);
        if (now)
            store_now(ref, leaf, &place);
        if (before)
            store_before(ref, leaf, &place);
    }
}

/* --------------------------------------------------------------------------------- for the tests */

static void copy3(real3 from, double to[3])
{
    to[0] = (double)from.x;
    to[1] = (double)from.y;
    to[2] = (double)from.z;
}

void VFX_REF(grass_bend_ref)(const grass_bend *in, grass_bent *out)
{
    const real2 across = real2_make((real)in->across[0], (real)in->across[1]);
    const real2 kappa = real2_make((real)in->kappa[0], (real)in->kappa[1]);
    const real2 v = real2_scale(across, (real)in->lateral);
    copy3(bend_point(v, (real)in->z, kappa), out->point);
    const bend_frame frame = frame_of(across, (real)in->z, kappa);
    copy3(frame.across, out->across);
    copy3(frame.along, out->along);
    copy3(frame.normal, out->normal);
}
