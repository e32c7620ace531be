/* grass_ref.h - the CPU reference of the grass family: stage functions, check scales and the two formulas that tests
 * want by themselves, in double (_f64, the truth) and float (_f32, the yardstick), compiled from the same files:
 * grass_ref.c (a leaf), grass_vertex_ref.c (its vertices), grass_limit_ref.c (scales and marks). */
#ifndef GRASS_REF_H
#define GRASS_REF_H

#include "core/kernel.h"

/* Stages; the items of both are the leaves (blades * leaves). Both read in[INSTANCE] and the frame block.
 * blade:  -> out[BLADE] (or nothing if it is NULL).
 * vertex: -> those of out[VERTEX], out[PACKED], out[MOTION] that are not NULL; MOTION only with motion = 1.
 * ill[] of a written buffer, where not NULL, is set for every record: to 0 or a sum of marks. */
enum {
    GRASS_ILL_PLACE = 1, /* the width axis, or the root, may legitimately be another: all fields */
    GRASS_ILL_NORMAL = 2 /* only the normal may */
};
vfx_stage_fn grass_blade_ref_f64, grass_blade_ref_f32;
vfx_stage_fn grass_vertex_ref_f64, grass_vertex_ref_f32;

/* Scales of check rows (vfx_check.scales): the largest error that correct float arithmetic can cause in a record, to
 * first order, as a function of the truth; all go with the rule scaled = 1. They see in[INSTANCE] and the frame.
 * README.md derives them. Units: those of the field. */
vfx_scales_fn grass_kappa_scales_f64, grass_kappa_scales_f32;                 /* BLADE kappa, 1/m */
vfx_scales_fn grass_gust_scales_f64, grass_gust_scales_f32;                   /* BLADE gust */
vfx_scales_fn grass_position_scales_f64, grass_position_scales_f32;           /* VERTEX position, m */
vfx_scales_fn grass_normal_scales_f64, grass_normal_scales_f32;               /* VERTEX normal, per component */
vfx_scales_fn grass_shade_scales_f64, grass_shade_scales_f32;                 /* VERTEX shade: one code or 0 */
vfx_scales_fn grass_gradient_scales_f64, grass_gradient_scales_f32;           /* VERTEX gradient; 0: bitwise */
vfx_scales_fn grass_packed_xy_scales_f64, grass_packed_xy_scales_f32;         /* PACKED offset_xy, m; 0: bitwise */
vfx_scales_fn grass_packed_z_scales_f64, grass_packed_z_scales_f32;           /* PACKED offset_z, m */
vfx_scales_fn grass_packed_normal_scales_f64, grass_packed_normal_scales_f32; /* PACKED normal, per component */
vfx_scales_fn grass_packed_shade_scales_f64, grass_packed_shade_scales_f32;   /* PACKED shade: one code or 0 */
vfx_scales_fn grass_motion_scales_f64, grass_motion_scales_f32;               /* MOTION position, m */

/* The bend alone, shape = arc: a point `lateral` along the width axis and z up the blade. */
typedef struct grass_bend {
    double across[2]; /* e_w, unit */
    double lateral;   /* m, signed */
    double z;         /* m above the root */
    double kappa[2];  /* 1/m */
} grass_bend;
typedef struct grass_bent {
    double point[3];                       /* m from the root */
    double across[3], along[3], normal[3]; /* A, B, N */
} grass_bent;
void grass_bend_ref_f64(const grass_bend *in, grass_bent *out);
void grass_bend_ref_f32(const grass_bend *in, grass_bent *out); /* every input rounded to float first */

/* Gradient noise at q (noise units). */
double grass_noise_ref_f64(const float q[3], uint32_t seed);
double grass_noise_ref_f32(const float q[3], uint32_t seed);

#endif
