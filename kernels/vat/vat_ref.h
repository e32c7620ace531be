/* vat_ref.h - the CPU reference of the vat family: stage functions and check scales, in double (_f64, the truth) and
 * float (_f32, the yardstick), compiled from the same files: vat_ref.c (stages), vat_actor_ref.c (who and when),
 * vat_local_ref.c (texels), vat_bone_ref.c (skinning), vat_where_ref.c (transforms), vat_limit_ref.c (scales). */
#ifndef VAT_REF_H
#define VAT_REF_H

#include "core/kernel.h"

/* advance: items = actors; in[PLAN], in[CLIP] -> out[ACTOR].
 * decode:  items = slots; -> out[VERTEX] or out[PACKED], as vertex_format says. A slot that several batches cover has
 *          what the last of them in this frame's order leaves there. ill[] of the written buffer, where not NULL, is
 *          1 for a normal that may legitimately be another.
 * bounds:  items = records; -> out[BOUNDS].
 * Which variant's inputs are read is up to kase->variant, a row of kase->kernel->variants in the order of vat_variant;
 * kase->asset (a vat_asset) gives the extent and the size of the skins, everything else comes from `ref`. Records that
 * point beyond their buffers leave what was there. */
vfx_stage_fn vat_advance_ref_f64, vat_advance_ref_f32;
vfx_stage_fn vat_decode_ref_f64, vat_decode_ref_f32;
vfx_stage_fn vat_bounds_ref_f64, vat_bounds_ref_f32;

/* Scales of check rows (vfx_check.scale): the largest error that correct float arithmetic can cause in this record, to
 * first order; all go with the rule scaled = 1. */
typedef double vat_scale_fn(const vfx_ref *ref, uint64_t record);
vat_scale_fn vat_position_scale_f64, vat_position_scale_f32;           /* m; VERTEX and PACKED */
vat_scale_fn vat_normal_scale_f64, vat_normal_scale_f32;               /* VERTEX, per component */
vat_scale_fn vat_packed_normal_scale_f64, vat_packed_normal_scale_f32; /* PACKED, per component of the decoded vector */
vat_scale_fn vat_bounds_scale_f64, vat_bounds_scale_f32;               /* m */

#endif
