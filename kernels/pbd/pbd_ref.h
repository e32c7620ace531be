/* pbd_ref.h - the CPU reference of the pbd family: stages, check rows and scales, in double (_f64, the truth) and
 * float (_f32, the yardstick), compiled from the same files: pbd_search_ref.c (cells, order, lists),
 * pbd_contact_ref.c (pairs, iterations), pbd_collide_ref.c (colliders), pbd_finish_ref.c (start and end of a substep),
 * pbd_metric_ref.c (the frame's figures) and pbd_limit_ref.c (scales).
 *
 * Every stage starts from what is in ref->in: in a step-locked check the device's own results, so that each part is
 * checked alone; in a free run its own, the items in rising order and the stages substep by substep. */
#ifndef PBD_REF_H
#define PBD_REF_H

#include "core/kernel.h"

/* Stages. Records of a buffer that a stage writes but does not compute are copied from in to out.
 * predict: prev[PARTICLE] or the substep before -> PREDICT. Items: S N, by index of the state.
 * grid:    PREDICT -> COUNT, START, SLOT. Items: S.
 * sort:    state, PREDICT, START -> SORTED, CELL, TRACE slots 0 and 1. Items: S.
 * list:    TRACE slot 1, START -> LIST, STATUS.listed. Items: S N, by slot, as in all later stages.
 * iterate: TRACE slots up to k + 1 -> TRACE slot k + 2; with the last k STATUS. Items: S I N.
 * finish:  TRACE -> VELOCITY, or with the last substep PARTICLE and CONTACT. Items: S N.
 * metric:  PARTICLE, CONTACT, COUNT, STATUS -> METRIC. One item.
 * ill[] of a written buffer, where not NULL, is set to 0 or to marks: where a branch lies within rounding. */
enum {
    PBD_ILL_CONTACT = 1, /* contact, friction, collider or bounce */
    PBD_ILL_SKIN = 2     /* STATUS: moved by half the skin */
};
vfx_stage_fn pbd_predict_ref_f64, pbd_predict_ref_f32;
vfx_stage_fn pbd_grid_ref_f64, pbd_grid_ref_f32;
vfx_stage_fn pbd_sort_ref_f64, pbd_sort_ref_f32;
vfx_stage_fn pbd_list_ref_f64, pbd_list_ref_f32;
vfx_stage_fn pbd_iterate_ref_f64, pbd_iterate_ref_f32;
vfx_stage_fn pbd_finish_ref_f64, pbd_finish_ref_f32;
vfx_stage_fn pbd_metric_ref_f64, pbd_metric_ref_f32;

/* Scales of check rows (vfx_check.scale): the largest error that correct float arithmetic can cause in this record, to
 * first order, as a function of the truth; all go with the rule scaled = 1. Units: those of the field. */
typedef double pbd_scale_fn(const vfx_ref *ref, uint64_t record);
pbd_scale_fn pbd_predict_scale_f64, pbd_predict_scale_f32;   /* PREDICT position, m */
pbd_scale_fn pbd_trace_scale_f64, pbd_trace_scale_f32;       /* TRACE position, m; 0 (bitwise) in slots 0 and 1 */
pbd_scale_fn pbd_velocity_scale_f64, pbd_velocity_scale_f32; /* VELOCITY velocity, m/s */
pbd_scale_fn pbd_particle_scale_f64, pbd_particle_scale_f32; /* PARTICLE velocity, m/s */
pbd_scale_fn pbd_depth_scale_f64, pbd_depth_scale_f32;       /* CONTACT depth, m */
pbd_scale_fn pbd_momentum_scale_f64, pbd_momentum_scale_f32; /* METRIC momentum, kg m/s */
pbd_scale_fn pbd_kinetic_scale_f64, pbd_kinetic_scale_f32;
pbd_scale_fn pbd_centre_scale_f64, pbd_centre_scale_f32;
pbd_scale_fn pbd_mass_scale_f64, pbd_mass_scale_f32;
pbd_scale_fn pbd_depth_rms_scale_f64, pbd_depth_rms_scale_f32;
pbd_scale_fn pbd_speed_rms_scale_f64, pbd_speed_rms_scale_f32;

/* The pieces that tests want by themselves. */
typedef struct pbd_surface_probe {
    double phi, normal[3];
    int there; /* 0: outside the volume of a sampled SDF, or without a gradient */
} pbd_surface_probe;
/* in[COLLIDER][row] (box_in: its face 0..5, x low, x high, y low, ...) at x. */
void pbd_surface_ref_f64(const vfx_ref *ref, uint32_t row, uint32_t face, const double x[3], pbd_surface_probe *out);
void pbd_surface_ref_f32(const vfx_ref *ref, uint32_t row, uint32_t face, const double x[3], pbd_surface_probe *out);

/* pbd_limits.c */
enum { PBD_STAGE_COUNT = 7, PBD_CHECK_COUNT = 50 };
extern const vfx_stage pbd_stages[PBD_STAGE_COUNT];
extern const vfx_check pbd_checks[PBD_CHECK_COUNT];

#endif
