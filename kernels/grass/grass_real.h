/* grass_real.h - what the reference's own files share, over `real`: a leaf's place, its motion, its vertices. Private
 * to grass_*_ref.c, each of which is compiled twice (core/refmath.h). */
#ifndef GRASS_REAL_H
#define GRASS_REAL_H

#include "kernels/grass/grass_ref.h"

#include "core/refmath.h"
#include "kernels/grass/grass_shared.h"

/* Where and how big a leaf is, and its random numbers. */
typedef struct grass_place {
    real3 pivot;    /* of the instance, m */
    real3 root;     /* of the leaf, m */
    real3 normal;   /* of the surface, unit */
    real2 yaw;      /* X0, unit width axis before alignment */
    real2 across;   /* e_w, unit width axis of the straightened leaf */
    real2 rest;     /* rho0 = Yw */
    real straight;  /* length of X before it is made unit; 1 with align = upright */
    real height;    /* h, m */
    real width;     /* m */
    real lean;      /* added to bend_min */
    real random[4]; /* r0..r3, [0, 1) */
} grass_place;

/* How a leaf moves at one time. */
typedef struct grass_sway {
    float q[3];     /* where the noise is sampled */
    real rise;      /* (noise - gust_low) * slope, before the clamp */
    real gust;      /* g, 0..1 */
    real drive;     /* g + o, before the clamp */
    real intensity; /* gt, 0..1 */
    real turn;      /* da, turns */
    real2 wind;     /* wi, unit */
    real2 rest;     /* rho, unit */
    real strength;  /* mix(bmin, bmax, gt), quarter circles */
    real2 blend;    /* mix(rho, wi, gt), length <= 1 */
    real2 beta;     /* strength * blend */
    real2 kappa;    /* 1/m */
} grass_sway;

/* A point of a bent leaf. */
typedef struct grass_point {
    real share;     /* z / h = g_v */
    real z;         /* m */
    real lateral;   /* m */
    real sigma;     /* 1 - v.kappa */
    real3 bent;     /* m from the root */
    real3 position; /* m */
} grass_point;

/* Its normal, and what decides it. */
typedef struct grass_facet {
    real3 side;    /* M: N or the arc normal, unit */
    real facing;   /* M . (camera - position) / |camera - position|; 0 where the camera sits on the vertex */
    real sign;     /* +1 or -1 */
    real3 blended; /* before it is made unit */
    real3 normal;  /* unit */
} grass_facet;

/* How far correct float arithmetic may stray in what all vertices of a leaf share. */
typedef struct grass_error {
    real root;      /* m */
    real across;    /* rad */
    real rest;      /* rad */
    real gust;      /* of gt */
    real direction; /* of the blend's direction, rad */
    real strength;  /* quarter circles */
    real beta;      /* quarter circles */
} grass_error;

enum { GRASS_SHADES = 4 };

static inline const grass_params *grass_params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, grass_params);
}

static inline uint64_t grass_leaf_vertices(const vfx_ref *ref)
{
    return 2 * (uint64_t)grass_params_of(ref)->rows;
}

/* grass_ref.c */
grass_place VFX_REF(grass_place_of)(const vfx_ref *ref, uint64_t leaf);
grass_sway VFX_REF(grass_sway_of)(const vfx_ref *ref, const grass_place *place, bool before);
/* r0 of a leaf, as in its place. */
real VFX_REF(grass_color_random)(const vfx_ref *ref, uint64_t leaf);

/* grass_vertex_ref.c */
/* Share of the height at which a row lies. */
real VFX_REF(grass_share_of)(const vfx_ref *ref, uint32_t row);
grass_point VFX_REF(grass_point_of)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway, uint32_t row,
                                    uint32_t column);
grass_facet VFX_REF(grass_facet_of)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway,
                                    const grass_point *point);
/* Values in [0, 1] that become the bytes of VERTEX or PACKED. */
void VFX_REF(grass_shades_of)(real share, real random, real shades[GRASS_SHADES]);
void VFX_REF(grass_packed_shades_of)(real share, real random, uint32_t column, real shades[GRASS_SHADES]);

/* grass_limit_ref.c: the error bounds of a leaf, and where a correct float implementation may take another branch. */
grass_error VFX_REF(grass_error_of)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway);
bool VFX_REF(grass_place_ill)(const vfx_ref *ref, const grass_place *place);
bool VFX_REF(grass_facet_ill)(const vfx_ref *ref, const grass_sway *sway, const grass_error *e,
                              const grass_point *point, const grass_facet *facet);

#endif
