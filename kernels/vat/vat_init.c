/* vat_init.c - static inputs of a case: clip table, texels as buffers and images, bones, parts and items, skins. */
#include "kernels/vat/vat.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------- buffers */

static void fill_clips(const vfx_case *kase, vat_clip_range *clips)
{
    for (uint32_t i = 0; i < vat_clip_total(kase); i++)
        clips[i] = vat_clip_range_of(kase, i);
}

static void fill_uv(const vat_bake *bake, uint32_t *uv)
{
    for (uint32_t i = 0; i < bake->vertices; i++)
        uv[i] = bake->uv[i][0] | (uint32_t)bake->uv[i][1] << 16;
}

static uint32_t texel_bytes(const vfx_case *kase)
{
    return vat_texel_bytes((vat_format)vat_params_of(kase)->format);
}

/* Device words are little-endian 32-bit words of the texel bytes. */
static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void fill_texels(const vfx_case *kase, uint32_t *words)
{
    const vat_asset *asset = vat_asset_of(kase);
    const uint32_t vertices = asset->bake.vertices, frames = asset->bake.frames, bytes = texel_bytes(kase);
    const bool vertex_major = vat_variant_of(kase) == VAT_BUFFER_VERTEX_MAJOR;
    for (uint32_t frame = 0; frame < frames; frame++)
        for (uint32_t vertex = 0; vertex < vertices; vertex++) {
            const size_t from = (size_t)frame * vertices + vertex;
            const size_t to = vertex_major ? (size_t)vertex * frames + frame : from;
            for (uint32_t i = 0; i < bytes / 4; i++)
                words[to * (bytes / 4) + i] = word_at(asset->texels + from * bytes + 4 * i);
        }
}

static void fill_bones(const vat_bake *bake, void *const buffers[])
{
    memcpy(buffers[VAT_BUFFER_BONE], bake->bone, (size_t)bake->frames * bake->bones * sizeof *bake->bone);
    vat_bind_vertex *bind = buffers[VAT_BUFFER_BIND];
    vat_weight *weight = buffers[VAT_BUFFER_WEIGHT];
    for (uint32_t i = 0; i < bake->vertices; i++) {
        const float *position = bake->bind[i][0], *normal = bake->bind[i][1];
        bind[i] = (vat_bind_vertex){.position = {position[0], position[1], position[2]},
                                    .normal = {normal[0], normal[1], normal[2]}};
    }
    const uint16_t *j = bake->joints, *w = bake->weights;
    for (uint32_t i = 0; i < bake->vertices * (bake->influences / 4); i++, j += 4, w += 4)
        weight[i] = (vat_weight){.joints01 = j[0] | (uint32_t)j[1] << 16,
                                 .joints23 = j[2] | (uint32_t)j[3] << 16,
                                 .weights01 = w[0] | (uint32_t)w[1] << 16,
                                 .weights23 = w[2] | (uint32_t)w[3] << 16};
}

/* The item list as words, and as texels of (low half, high half, 0, 0); either may be NULL. */
static void fill_items(const vfx_case *kase, uint32_t *words, uint16_t (*texels)[4])
{
    const vat_asset *asset = vat_asset_of(kase);
    uint32_t filled[VAT_MAX_PARTS] = {0};
    for (uint32_t i = 0; i < vat_drawn(kase); i++) {
        const vat_instance plan = vat_plan_of(kase, i);
        for (uint32_t part = 0; part < asset->part_count; part++) {
            if (!vat_carries(&plan, part))
                continue;
            const size_t item = (size_t)asset->parts[part].first_item + filled[part]++;
            if (words != NULL)
                words[item] = i;
            if (texels != NULL) {
                texels[item][0] = (uint16_t)i;
                texels[item][1] = (uint16_t)(i >> 16);
            }
        }
    }
}

/* -------------------------------------------------------------------------------------------- images */

/* Layers of a texel image: the halves of a vertex-frame's bytes side by side, each a texel of `texel` bytes. */
static void fill_layers(const vfx_case *kase, uint32_t layers, size_t texel, bool frames_wide, uint8_t *image)
{
    const vat_asset *asset = vat_asset_of(kase);
    const uint32_t vertices = asset->bake.vertices, frames = asset->bake.frames;
    uint32_t size[3];
    vat_texel_image_size(kase, layers, frames_wide, size);
    for (uint32_t layer = 0; layer < layers; layer++)
        for (uint32_t frame = 0; frame < frames; frame++)
            for (uint32_t vertex = 0; vertex < vertices; vertex++) {
                const size_t from = (size_t)frame * vertices + vertex;
                const size_t to = frames_wide ? (size_t)vertex * frames + frame : from;
                memcpy(image + ((size_t)layer * size[0] * size[1] + to) * texel,
                       asset->texels + from * layers * texel + layer * texel, texel);
            }
}

/* Bytes of little-endian words as the host's own words of `width` bytes (2 or 4), in place. */
static void to_native(uint8_t *image, size_t bytes, uint32_t width)
{
    for (size_t i = 0; i + width <= bytes; i += width) {
        uint32_t word = 0;
        for (uint32_t k = 0; k < width; k++)
            word |= (uint32_t)image[i + k] << 8 * k;
        if (width == 2) {
            const uint16_t half = (uint16_t)word;
            memcpy(image + i, &half, 2);
        } else {
            memcpy(image + i, &word, 4);
        }
    }
}

static size_t image_bytes(const uint32_t size[3], size_t texel)
{
    return (size_t)size[0] * size[1] * size[2] * texel;
}

static void fill_images(const vfx_case *kase, void *const images[])
{
    const uint32_t format = vat_params_of(kase)->format;
    const uint32_t layers = format == VAT_FORMAT_U16OCT8 ? 1 : 2;
    const bool is16 = format == VAT_FORMAT_U16OCT8 || format == VAT_FORMAT_RGBA16;
    const struct {
        uint32_t row;
        bool used, frames_wide;
        size_t texel;
        uint32_t word;
    } rows[] = {{VAT_IMAGE_TEXEL16, is16, false, 8, 2},
                {VAT_IMAGE_TEXEL8, format == VAT_FORMAT_RGBA8, false, 4, 1},
                {VAT_IMAGE_TEXEL32, format == VAT_FORMAT_F32, false, 16, 4},
                {VAT_IMAGE_LINEAR8, format == VAT_FORMAT_RGBA8, true, 4, 1},
                {VAT_IMAGE_LINEAR16, is16, true, 8, 2}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t size[3];
        if (images[rows[i].row] == NULL || !rows[i].used)
            continue;
        fill_layers(kase, layers, rows[i].texel, rows[i].frames_wide, images[rows[i].row]);
        vat_texel_image_size(kase, layers, rows[i].frames_wide, size);
        if (rows[i].word > 1)
            to_native(images[rows[i].row], image_bytes(size, rows[i].texel), rows[i].word);
    }
    const vat_bake *bake = &vat_asset_of(kase)->bake;
    if (images[VAT_IMAGE_SKIN] != NULL)
        memcpy(images[VAT_IMAGE_SKIN], bake->skin,
               (size_t)4 * bake->skin_width * bake->skin_height * bake->skin_layers);
}

void vat_init(const vfx_case *kase, void *const buffers[], void *const images[])
{
    const vat_asset *asset = vat_asset_of(kase);
    vat_instance *plan = buffers[VAT_BUFFER_PLAN];
    for (uint32_t i = 0; plan != NULL && i < vat_params_of(kase)->actors; i++)
        plan[i] = vat_plan_of(kase, i);
    if (buffers[VAT_BUFFER_CLIP] != NULL)
        fill_clips(kase, buffers[VAT_BUFFER_CLIP]);
    if (buffers[VAT_BUFFER_UV] != NULL)
        fill_uv(&asset->bake, buffers[VAT_BUFFER_UV]);
    if (buffers[VAT_BUFFER_TEXEL] != NULL)
        fill_texels(kase, buffers[VAT_BUFFER_TEXEL]);
    if (buffers[VAT_BUFFER_BONE] != NULL)
        fill_bones(&asset->bake, buffers);
    if (buffers[VAT_BUFFER_PART] != NULL)
        memcpy(buffers[VAT_BUFFER_PART], asset->parts, asset->part_count * sizeof *asset->parts);
    if (asset->part_count > 0)
        fill_items(kase, buffers[VAT_BUFFER_ITEM], images[VAT_IMAGE_ITEM]);
    fill_images(kase, images);
}
