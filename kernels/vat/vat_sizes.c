/* vat_sizes.c - count and size functions of the rows in vat.c: records of the buffers, threads and shared memory of the
 * passes, sizes of the images. */
#include "kernels/vat/vat.h"
#include "kernels/vat/vat_rows.h"

static bool is_16(const vfx_case *kase)
{
    return vat_params_of(kase)->format == VAT_FORMAT_U16OCT8 || vat_params_of(kase)->format == VAT_FORMAT_RGBA16;
}

/* -------------------------------------------------------------------------------------------- counts */

static uint64_t one_kind(const vfx_case *kase, uint32_t kind)
{
    return vat_kind_of(kase) == kind ? vat_params_of(kase)->actors : 0;
}

uint64_t vat_yaw_count(const vfx_case *kase)
{
    return one_kind(kase, VAT_KIND_YAW);
}

uint64_t vat_scale2d_count(const vfx_case *kase)
{
    return one_kind(kase, VAT_KIND_SCALE2D);
}

uint64_t vat_billboard_count(const vfx_case *kase)
{
    return one_kind(kase, VAT_KIND_BILLBOARD);
}

uint64_t vat_matrix_count(const vfx_case *kase)
{
    return one_kind(kase, VAT_KIND_MATRIX);
}

uint64_t vat_source_count(const vfx_case *kase)
{
    return one_kind(kase, VAT_KIND_SOURCE);
}

uint64_t vat_actor_count(const vfx_case *kase)
{
    return vat_params_of(kase)->actors;
}

uint64_t vat_clip_count(const vfx_case *kase)
{
    return vat_clip_total(kase);
}

uint64_t vat_uv_count(const vfx_case *kase)
{
    return vat_vertex_total(kase);
}

uint64_t vat_texel_count(const vfx_case *kase)
{
    uint64_t bytes = vat_texel_bytes((vat_format)vat_params_of(kase)->format);
    return (vat_frame_total(kase) * (uint64_t)vat_vertex_total(kase) * bytes + 15) / 16;
}

uint64_t vat_bone_count(const vfx_case *kase)
{
    const vat_asset *asset = vat_asset_of(kase);
    return asset != NULL ? (uint64_t)asset->bake.frames * asset->bake.bones : 1;
}

uint64_t vat_weight_count(const vfx_case *kase)
{
    const vat_asset *asset = vat_asset_of(kase);
    return (uint64_t)vat_vertex_total(kase) * (asset != NULL ? asset->bake.influences / 4 : 1);
}

uint64_t vat_part_count(const vfx_case *kase)
{
    return vat_asset_of(kase) != NULL ? vat_asset_of(kase)->part_count : 0;
}

uint64_t vat_item_count(const vfx_case *kase)
{
    return vat_asset_of(kase) != NULL ? vat_asset_of(kase)->items : 0;
}

uint64_t vat_full_count(const vfx_case *kase)
{
    return vat_is_packed(kase) ? 0 : vat_slot_count(kase);
}

uint64_t vat_packed_count(const vfx_case *kase)
{
    return vat_is_packed(kase) ? vat_slot_count(kase) : 0;
}

uint64_t vat_bounds_count(const vfx_case *kase)
{
    return vat_batch(kase);
}

uint64_t vat_bounds_threads(const vfx_case *kase)
{
    return (uint64_t)vat_batch(kase) * VAT_BOUNDS_LANES;
}

uint64_t vat_decode_threads(const vfx_case *kase)
{
    const uint64_t entries = vat_params_of(kase)->equipment ? vat_item_count(kase) : vat_batch(kase);
    return entries * VAT_LANES;
}

/* ------------------------------------------------------------------------------------- shared memory */

/* A full vertex of each invocation, see vat_store.glsl; also where vertices are packed. */
uint32_t vat_decode_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return (uint32_t)sizeof(vat_vertex) * workgroup;
}

/* A box of each invocation, padded by a word, see vat_bounds.comp. */
uint32_t vat_bounds_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return 4u * (VAT_BOUNDS_WORDS + 1u) * workgroup;
}

/* -------------------------------------------------------------------------------------------- images */

/* One texel where the case does not use the image. */
static void size_if(const vfx_case *kase, bool used, uint32_t layers, bool frames_wide, uint32_t size[3])
{
    size[0] = size[1] = size[2] = 1;
    if (used)
        vat_texel_image_size(kase, layers, frames_wide, size);
}

void vat_texel16_size(const vfx_case *kase, uint32_t size[3])
{
    size_if(kase, is_16(kase), vat_params_of(kase)->format == VAT_FORMAT_U16OCT8 ? 1 : 2, false, size);
}

void vat_texel8_size(const vfx_case *kase, uint32_t size[3])
{
    size_if(kase, vat_params_of(kase)->format == VAT_FORMAT_RGBA8, 2, false, size);
}

void vat_texel32_size(const vfx_case *kase, uint32_t size[3])
{
    size_if(kase, vat_params_of(kase)->format == VAT_FORMAT_F32, 2, false, size);
}

void vat_linear8_size(const vfx_case *kase, uint32_t size[3])
{
    size_if(kase, vat_params_of(kase)->format == VAT_FORMAT_RGBA8, 2, true, size);
}

void vat_linear16_size(const vfx_case *kase, uint32_t size[3])
{
    size_if(kase, is_16(kase), vat_params_of(kase)->format == VAT_FORMAT_U16OCT8 ? 1 : 2, true, size);
}

void vat_skin_size(const vfx_case *kase, uint32_t size[3])
{
    const vat_asset *asset = vat_asset_of(kase);
    size[0] = asset != NULL ? asset->bake.skin_width : 1;
    size[1] = asset != NULL ? asset->bake.skin_height : 1;
    size[2] = asset != NULL ? asset->bake.skin_layers : 1;
}

void vat_actor_image_size(const vfx_case *kase, uint32_t size[3])
{
    vat_wrapped_size(vat_actor_count(kase), 1, size);
}

void vat_item_image_size(const vfx_case *kase, uint32_t size[3])
{
    vat_wrapped_size(vat_item_count(kase) > 0 ? vat_item_count(kase) : 1, 1, size);
}
