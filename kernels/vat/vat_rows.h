/* vat_rows.h - the functions that the rows of vat.c name: counts, image sizes, traffic, shared memory. For vat.c alone.
 */
#ifndef VAT_ROWS_H
#define VAT_ROWS_H

#include "core/kernel.h"

uint64_t vat_yaw_count(const vfx_case *kase);
uint64_t vat_scale2d_count(const vfx_case *kase);
uint64_t vat_billboard_count(const vfx_case *kase);
uint64_t vat_matrix_count(const vfx_case *kase);
uint64_t vat_source_count(const vfx_case *kase);
uint64_t vat_actor_count(const vfx_case *kase);
uint64_t vat_clip_count(const vfx_case *kase);
uint64_t vat_uv_count(const vfx_case *kase);
uint64_t vat_texel_count(const vfx_case *kase);
uint64_t vat_bone_count(const vfx_case *kase);
uint64_t vat_weight_count(const vfx_case *kase);
uint64_t vat_part_count(const vfx_case *kase);
uint64_t vat_item_count(const vfx_case *kase);
uint64_t vat_full_count(const vfx_case *kase);
uint64_t vat_packed_count(const vfx_case *kase);
uint64_t vat_bounds_count(const vfx_case *kase);
uint64_t vat_bounds_threads(const vfx_case *kase);
uint64_t vat_decode_threads(const vfx_case *kase);
void vat_texel16_size(const vfx_case *kase, uint32_t size[3]);
void vat_texel8_size(const vfx_case *kase, uint32_t size[3]);
void vat_texel32_size(const vfx_case *kase, uint32_t size[3]);
void vat_linear8_size(const vfx_case *kase, uint32_t size[3]);
void vat_linear16_size(const vfx_case *kase, uint32_t size[3]);
void vat_skin_size(const vfx_case *kase, uint32_t size[3]);
void vat_actor_image_size(const vfx_case *kase, uint32_t size[3]);
void vat_item_image_size(const vfx_case *kase, uint32_t size[3]);
vfx_traffic vat_lerp_traffic(const vfx_case *kase);
vfx_traffic vat_nearest_traffic(const vfx_case *kase);
vfx_traffic vat_blend_traffic(const vfx_case *kase);
vfx_traffic vat_bones_traffic(const vfx_case *kase);
vfx_traffic vat_bounds_traffic(const vfx_case *kase);
vfx_traffic vat_advance_traffic(const vfx_case *kase);
uint32_t vat_decode_shared(const vfx_case *kase, uint32_t workgroup);
uint32_t vat_bounds_shared(const vfx_case *kase, uint32_t workgroup);

#endif
