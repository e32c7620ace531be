/* bake.c - a bake from a model and options, and its ownership. Which frames: bake_rates.c and bake_sample.c; codes:
 * bake_encode.c; errors: bake_measure.c; bones: bake_bones.c; the folder: bake_write.c and bake_read.c. */
#include "kernels/vat/bake_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void vat_bake_free(vat_bake *bake)
{
    free(bake->clips);
    free(bake->parts);
    free(bake->positions);
    free(bake->normals);
    free(bake->texels);
    free(bake->indices);
    free(bake->uv);
    free(bake->bone);
    free(bake->bind);
    free(bake->joints);
    free(bake->weights);
    free(bake->skin);
    memset(bake, 0, sizeof *bake);
}

vfx_status vat_bake_add_skin(vat_bake *bake, const char *name, uint32_t width, uint32_t height, const uint8_t *rgba)
{
    size_t bytes, total;
    if (width == 0 || height == 0 || !vfx_mul_size(width, height, &bytes) || !vfx_mul_size(bytes, 4, &bytes) ||
        !vfx_mul_size(bytes, (size_t)bake->skin_layers + 1, &total))
        return vfx_fail(VFX_USAGE, "skin %s: %u x %u is no size of an image", name, width, height);
    if (bake->plain_skin) {
        bake->skin_layers = 0;
        bake->plain_skin = false;
        total = bytes;
    }
    if (bake->skin_layers > 0 && (width != bake->skin_width || height != bake->skin_height))
        return vfx_fail(VFX_USAGE, "skin %s is %u x %u, the first one is %u x %u; layers of one array have one size",
                        name, width, height, bake->skin_width, bake->skin_height);
    if (bake->skin_layers == VAT_MAX_SKINS)
        return vfx_fail(VFX_USAGE, "skin %s: a bake holds at most %d skins", name, VAT_MAX_SKINS);
    uint8_t *grown = realloc(bake->skin, total);
    if (grown == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the skin %s", name);
    memcpy(grown + (total - bytes), rgba, bytes);
    bake->skin = grown;
    bake->skin_width = width;
    bake->skin_height = height;
    bake->skin_layers++;
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------------ create */

/* floor(fract(u) * 65536) */
static uint16_t encode_uv(float u)
{
    double fraction = (double)u - floor((double)u);
    return (uint16_t)fmin(floor(fraction * 65536), 65535); /* fraction is 1 for u just below 0 */
}

static vfx_status copy_static(vat_bake *bake, const vat_model *model)
{
    bake->vertices = model->vertex_count;
    bake->index_count = model->index_count;
    bake->part_count = model->part_count;
    bake->parts = calloc((size_t)model->part_count + 1, sizeof *bake->parts);
    bake->indices = calloc((size_t)model->index_count + 1, sizeof *bake->indices);
    bake->uv = calloc((size_t)model->vertex_count + 1, sizeof *bake->uv);
    if (bake->parts == NULL || bake->indices == NULL || bake->uv == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %u indices of %u vertices", model->index_count,
                        model->vertex_count);
    if (model->part_count > 0)
        memcpy(bake->parts, model->parts, model->part_count * sizeof *bake->parts);
    if (model->index_count > 0)
        memcpy(bake->indices, model->indices, model->index_count * sizeof *bake->indices);
    for (uint32_t v = 0; v < model->vertex_count; v++)
        for (int k = 0; k < 2; k++)
            bake->uv[v][k] = encode_uv(model->vertices[v].uv[k]);
    static const uint8_t white[4] = {255, 255, 255, 255};
    bake->skin = malloc(sizeof white);
    if (bake->skin == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a skin");
    memcpy(bake->skin, white, sizeof white);
    bake->skin_width = bake->skin_height = bake->skin_layers = 1;
    bake->plain_skin = true;
    return VFX_OK;
}

static vfx_status check_options(const vat_model *model, const vat_bake_options *options)
{
    if (!(options->fps >= 0) || isinf(options->fps))
        return vfx_fail(VFX_USAGE, "%g frames a second: wanted is a rate over 0", options->fps);
    if (!(options->max_error >= 0) || !(options->scale >= 0) || isinf(options->scale))
        return vfx_fail(VFX_USAGE, "a largest error of %g %% and a scale of %g: wanted are numbers over 0",
                        options->max_error, options->scale);
    if (options->format == VAT_BONES && model->target_count > 0)
        return vfx_fail(VFX_USAGE, "format bones: the model has morph targets, which no bone can move; choose another");
    if (model->vertex_count == 0)
        return vfx_fail(VFX_USAGE, "the model has no vertices to bake");
    return VFX_OK;
}

/* Texels, or the size of the bones that take their place. */
static vfx_status encode(vat_bake *bake, const vat_bake_options *options)
{
    vat_encode_map(bake, bake->format, bake->format == VAT_RGBA8 && !options->fit, bake->map_min, bake->map_step);
    if (bake->format == VAT_BONES) {
        uint64_t vertex_bytes = bake->influences * (uint64_t)4 + sizeof *bake->bind;
        bake->bytes = (uint64_t)bake->frames * bake->bones * sizeof *bake->bone + bake->vertices * vertex_bytes;
        return VFX_OK;
    }
    size_t bytes;
    if (!vfx_mul_size((size_t)bake->frames * bake->vertices, vat_texel_bytes(bake->format), &bytes) ||
        (bake->texels = malloc(bytes)) == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the texels of %u frames of %u vertices", bake->frames,
                        bake->vertices);
    vat_encode_texels(bake, bake->format, bake->map_min, bake->map_step, bake->texels);
    bake->bytes = bytes;
    return VFX_OK;
}

static vfx_status create(const vat_model *model, const vat_bake_options *options, vat_sampler *sampler, vat_bake *bake)
{
    bake->format = options->format;
    bake->sampling = options->sampling;
    VFX_TRY(check_options(model, options));
    VFX_TRY(copy_static(bake, model));
    VFX_TRY(vat_choose_clips(bake, model, options));
    VFX_TRY(vat_bones_create(bake, model));
    if (bake->format == VAT_BONES && bake->joints == NULL)
        return vfx_fail(VFX_UNSUPPORTED, "format bones: the model has more bones than 16 bits count; choose another");
    VFX_TRY(vat_sampler_create(sampler, model, options));
    bake->scale = sampler->scale;
    VFX_TRY(vat_sample_clips(bake, sampler, options));
    VFX_TRY(encode(bake, options));
    if (!options->unmeasured)
        vat_measure_encoding(sampler, bake);
    return VFX_OK;
}

vfx_status vat_bake_create(const vat_model *model, const vat_bake_options *options, vat_bake *bake)
{
    vat_sampler sampler = {0};
    memset(bake, 0, sizeof *bake);
    vfx_status status = create(model, options, &sampler, bake);
    vat_sampler_destroy(&sampler);
    if (status != VFX_OK)
        vat_bake_free(bake);
    return status;
}
