/* vat_load.c - what a case plays: the built-in model, a glTF file baked in memory, or a baked folder; texels in the
 * case's format; and, with equipment, which actor carries which part. */
#include "core/hash.h"
#include "kernels/vat/gltf.h"
#include "kernels/vat/tube.h"
#include "kernels/vat/vat.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CLIPS = 256, MAX_LAYERS = 256 }; /* 8 bits in an instance */

const vat_asset *vat_asset_of(const vfx_case *kase)
{
    return kase->asset;
}

const char *vat_text_of(const vfx_case *kase, const char *name)
{
    for (uint32_t i = 0; i < kase->kernel->host_param_count; i++)
        if (strcmp(kase->kernel->host_params[i].name, name) == 0)
            return kase->host_values[i];
    return "";
}

/* ------------------------------------------------------------------------------------------- baking */

static vfx_status bake_in_memory(const vfx_case *kase, const vat_model *model, vat_bake *bake)
{
    const vat_bake_options options = {
        .format = VAT_U16OCT8, .fps = (double)vat_params_of(kase)->fps, .unmeasured = true};
    return vat_bake_create(model, &options, bake);
}

static vfx_status load_file(const vfx_case *kase, const char *path, vat_bake *bake)
{
    vat_model model = {0};
    VFX_TRY(vat_gltf_read(path, &model));
    vfx_status status = bake_in_memory(kase, &model, bake);
    vat_model_free(&model);
    return status;
}

static vfx_status load_tube(const vfx_case *kase, vat_bake *bake)
{
    static const char *const names[VAT_TUBE_SKINS] = {"tube skin 0", "tube skin 1", "tube skin 2"};
    vat_model model = {0};
    VFX_TRY(vat_tube_create(vat_params_of(kase)->vertices, &model));
    vfx_status status = bake_in_memory(kase, &model, bake);
    vat_model_free(&model);
    uint8_t *rgba = malloc(4u * VAT_TUBE_SKIN_SIDE * VAT_TUBE_SKIN_SIDE);
    if (status == VFX_OK && rgba == NULL)
        status = vfx_fail(VFX_MEMORY, "out of memory for a skin of the built-in model");
    for (uint32_t layer = 0; status == VFX_OK && layer < VAT_TUBE_SKINS; layer++) {
        vat_tube_skin(layer, rgba);
        status = vat_bake_add_skin(bake, names[layer], VAT_TUBE_SKIN_SIDE, VAT_TUBE_SKIN_SIDE, rgba);
    }
    free(rgba);
    return status;
}

/* -------------------------------------------------------------------------------------------- texels */

/* A folder holds texels of one format, or bones; what it was baked from is gone. */
static vfx_status folder_texels(const vfx_case *kase, const char *folder, vat_asset *asset)
{
    const vat_bake *bake = &asset->bake;
    const bool plays_bones = vat_variant_of(kase) == VAT_BONES_VARIANT;
    if (plays_bones && bake->format != VAT_BONES)
        return vfx_fail(VFX_UNSUPPORTED, "asset '%s' holds %s: variant bones wants one baked with --format bones",
                        folder, vat_format_names[bake->format]);
    if (plays_bones)
        return VFX_OK;
    if (bake->format == VAT_BONES)
        return vfx_fail(VFX_UNSUPPORTED, "asset '%s' holds bones: only variant bones plays it", folder);
    if ((uint32_t)bake->format != vat_params_of(kase)->format)
        return vfx_fail(VFX_UNSUPPORTED, "asset '%s' holds %s: add --set format=%s", folder,
                        vat_format_names[bake->format], vat_format_names[bake->format]);
    asset->texels = bake->texels;
    memcpy(asset->map_min, bake->map_min, sizeof asset->map_min);
    memcpy(asset->map_step, bake->map_step, sizeof asset->map_step);
    return VFX_OK;
}

static vfx_status encoded_texels(const vfx_case *kase, vat_asset *asset)
{
    const vat_bake *bake = &asset->bake;
    if (vat_variant_of(kase) == VAT_BONES_VARIANT) {
        if (bake->bones == 0)
            return vfx_fail(VFX_UNSUPPORTED, "bones cannot play this model: it has morph targets, or too many bones");
        return VFX_OK;
    }
    size_t bytes = vat_texel_bytes((vat_format)vat_params_of(kase)->format);
    if (!vfx_mul_size(bytes, bake->vertices, &bytes) || !vfx_mul_size(bytes, bake->frames, &bytes))
        return vfx_fail(VFX_UNSUPPORTED, "%u frames of %u vertices are too many", bake->frames, bake->vertices);
    asset->own = malloc(bytes);
    if (asset->own == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %zu bytes of texels", bytes);
    asset->texels = asset->own;
    return vat_bake_encode(bake, (vat_format)vat_params_of(kase)->format, asset->own, asset->map_min, asset->map_step);
}

/* ------------------------------------------------------------------------------------------ equipment */

/* There are 8 bits: parts 9, 17, ... go with part 1, and so on. */
bool vat_carries(const vat_instance *instance, uint32_t part)
{
    return part == 0 || (instance->flags >> (24 + (part - 1) % 8) & 1u);
}

static vfx_status share_parts(const vfx_case *kase, vat_asset *asset)
{
    const vat_bake *bake = &asset->bake;
    if (bake->part_count > VAT_MAX_PARTS)
        return vfx_fail(VFX_UNSUPPORTED, "equipment: the model has %u parts, at most %u can be told apart",
                        bake->part_count, VAT_MAX_PARTS);
    asset->part_count = bake->part_count;
    for (uint32_t part = 0; part < bake->part_count; part++)
        asset->parts[part] = (vat_part_range){
            .first_vertex = bake->parts[part].first_vertex, .vertices = bake->parts[part].vertex_count, 0, 0};
    uint32_t carriers[VAT_MAX_PARTS] = {0};
    for (uint32_t i = 0; i < vat_drawn(kase); i++) {
        vat_instance plan = vat_plan_of(kase, i);
        for (uint32_t part = 0; part < bake->part_count; part++)
            carriers[part] += vat_carries(&plan, part);
    }
    for (uint32_t part = 0; part < bake->part_count; part++) { /* sums below 2^47 */
        asset->parts[part].first_item = asset->items;
        asset->parts[part].first_slot = (uint32_t)asset->slots;
        asset->items += carriers[part];
        asset->slots += (uint64_t)carriers[part] * asset->parts[part].vertices;
    }
    if (asset->slots > UINT32_MAX)
        return vfx_fail(VFX_UNSUPPORTED, "equipment: %llu vertices; shaders count in 32 bits: lower actors or visible",
                        (unsigned long long)asset->slots);
    return VFX_OK;
}

/* ---------------------------------------------------------------------------------------------- load */

static vfx_status check_counts(const vat_bake *bake)
{
    if (bake->clip_count > MAX_CLIPS || bake->skin_layers > MAX_LAYERS)
        return vfx_fail(VFX_UNSUPPORTED, "%u clips and %u skins: instances number at most %d of each", bake->clip_count,
                        bake->skin_layers, MAX_CLIPS);
    return VFX_OK;
}

static vfx_status fill(const vfx_case *kase, vat_asset *asset)
{
    const char *model = vat_text_of(kase, VAT_MODEL_PARAM), *folder = vat_text_of(kase, VAT_ASSET_PARAM);
    if (*folder != '\0')
        VFX_TRY(vat_bake_read(folder, &asset->bake));
    else if (*model != '\0')
        VFX_TRY(load_file(kase, model, &asset->bake));
    else
        VFX_TRY(load_tube(kase, &asset->bake));
    VFX_TRY(check_counts(&asset->bake));
    VFX_TRY(*folder != '\0' ? folder_texels(kase, folder, asset) : encoded_texels(kase, asset));
    return vat_params_of(kase)->equipment ? share_parts(kase, asset) : VFX_OK;
}

vfx_status vat_load(vfx_case *kase)
{
    vat_asset *asset = calloc(1, sizeof *asset);
    if (asset == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the asset");
    kase->asset = asset;
    vfx_status status = fill(kase, asset);
    if (status != VFX_OK)
        vat_unload(kase);
    return status;
}

void vat_unload(vfx_case *kase)
{
    vat_asset *asset = kase->asset;
    if (asset == NULL)
        return;
    vat_bake_free(&asset->bake);
    free(asset->own);
    free(asset);
    kase->asset = NULL;
}
