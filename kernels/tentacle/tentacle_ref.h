/* tentacle_ref.h - the CPU reference of the tentacle family: stage functions and check scales, in double (_f64, the
 * truth) and float (_f32, the yardstick), compiled from one tentacle_ref.c. */
#ifndef TENTACLE_REF_H
#define TENTACLE_REF_H

#include "core/kernel.h"

/* Stages; the items of all three are the particles.
 * update: prev[PARTICLE], in[ROOT], in[ENTITY] -> out[PARTICLE]; ill[PARTICLE] (may be NULL) gets TENTACLE_ILL_ bits.
 * mesh:   in[PARTICLE] (this frame's) -> those of out[VERTEX], out[PACKED], out[CORNER] that are not NULL.
 * index:  -> out[INDEX]; once. */
enum { TENTACLE_ILL_POSITION = 1, TENTACLE_ILL_FORWARD = 2, TENTACLE_ILL_RIGHT = 4 };
vfx_stage_fn tentacle_update_ref_f64, tentacle_update_ref_f32;
vfx_stage_fn tentacle_mesh_ref_f64, tentacle_mesh_ref_f32;
vfx_stage_fn tentacle_index_ref_f64, tentacle_index_ref_f32;

/* Scales of check rows (vfx_check.scale). Those of PARTICLE read prev, in[ROOT], in[ENTITY] and out[PARTICLE]; those of
 * the mesh read in[PARTICLE]. Units: those of the field. README.md says why they are what they are. */
double tentacle_position_scale_f64(const vfx_ref *ref, uint64_t record); /* max(|p|, L) */
double tentacle_position_scale_f32(const vfx_ref *ref, uint64_t record);
double tentacle_velocity_scale_f64(const vfx_ref *ref, uint64_t record); /* max(|v|, |acc| dt); 0 at a root */
double tentacle_velocity_scale_f32(const vfx_ref *ref, uint64_t record);
double tentacle_radius_scale_f64(const vfx_ref *ref, uint64_t record); /* r0 (1 + Ap (1 + kp)) */
double tentacle_radius_scale_f32(const vfx_ref *ref, uint64_t record);
double tentacle_emissive_scale_f64(const vfx_ref *ref, uint64_t record); /* E (1 + kp) */
double tentacle_emissive_scale_f32(const vfx_ref *ref, uint64_t record);
double tentacle_vertex_scale_f64(const vfx_ref *ref, uint64_t record); /* max(|p|, R): VERTEX and PACKED */
double tentacle_vertex_scale_f32(const vfx_ref *ref, uint64_t record);
double tentacle_corner_scale_f64(const vfx_ref *ref, uint64_t record); /* the same for CORNER */
double tentacle_corner_scale_f32(const vfx_ref *ref, uint64_t record);

#endif
