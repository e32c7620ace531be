/* bake_files.c - the table of a bake's files, read by writer and reader alike, and how texels lie in an image. */
#include "kernels/vat/bake_internal.h"
#include "core/image.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define BIT(format) (1u << (format))
enum { TEXELS = 1u << VAT_BONES, ALL = (1u << (VAT_BONES + 1)) - 1 };
_Static_assert(VAT_BONES == 4, "ALL covers every format");

/* kind, name, formats, data, word, image, plane, opaque */
const vat_file_row vat_file_rows[] = {
    {"texels", "texels.png", BIT(VAT_U16OCT8), VAT_DATA_TEXELS, 2, true, 0, false},
    {"position", "position.png", BIT(VAT_RGBA8), VAT_DATA_TEXELS, 1, true, 0, true},
    {"normal", "normal.png", BIT(VAT_RGBA8), VAT_DATA_TEXELS, 1, true, 1, true},
    {"position", "position.png", BIT(VAT_RGBA16), VAT_DATA_TEXELS, 2, true, 0, true},
    {"normal", "normal.png", BIT(VAT_RGBA16), VAT_DATA_TEXELS, 2, true, 1, true},
    {"texels", "texels.bin", BIT(VAT_F32), VAT_DATA_TEXELS, 4, false, 0, false},
    {"bones", "bones.bin", BIT(VAT_BONES), VAT_DATA_BONES, 4, false, 0, false},
    {"joints", "joints.bin", BIT(VAT_BONES), VAT_DATA_JOINTS, 2, false, 0, false},
    {"weights", "weights.bin", BIT(VAT_BONES), VAT_DATA_WEIGHTS, 2, false, 0, false},
    {"bind", "bind.bin", BIT(VAT_BONES), VAT_DATA_BIND, 4, false, 0, false},
    {"indices", "indices.bin", ALL, VAT_DATA_INDICES, 4, false, 0, false},
    {"uv", "uv.bin", ALL, VAT_DATA_UV, 2, false, 0, false},
};
const uint32_t vat_file_row_count = sizeof vat_file_rows / sizeof *vat_file_rows;

bool vat_file_words(const vat_bake *bake, const vat_file_row *row, size_t *words)
{
    size_t frames = bake->frames, vertices = bake->vertices, count = 0, bytes;
    bool fits = true;
    switch (row->data) {
    case VAT_DATA_TEXELS:
        fits = vfx_mul_size(frames, vertices, &count) &&
               vfx_mul_size(count, vat_texel_bytes(bake->format) / row->word, &count);
        break;
    case VAT_DATA_BONES:
        fits = vfx_mul_size(frames, bake->bones, &count) && vfx_mul_size(count, 12, &count);
        break;
    case VAT_DATA_JOINTS:
    case VAT_DATA_WEIGHTS:
        fits = vfx_mul_size(vertices, bake->influences, &count);
        break;
    case VAT_DATA_BIND:
        fits = vfx_mul_size(vertices, 6, &count);
        break;
    case VAT_DATA_INDICES:
        count = bake->index_count;
        break;
    case VAT_DATA_UV:
        fits = vfx_mul_size(vertices, 2, &count);
        break;
    }
    *words = count;
    return fits && vfx_mul_size(count, row->word, &bytes);
}

const void *vat_file_data(const vat_bake *bake, const vat_file_row *row)
{
    const void *arrays[] = {[VAT_DATA_TEXELS] = bake->texels, [VAT_DATA_BONES] = bake->bone,
                            [VAT_DATA_JOINTS] = bake->joints, [VAT_DATA_WEIGHTS] = bake->weights,
                            [VAT_DATA_BIND] = bake->bind,     [VAT_DATA_INDICES] = bake->indices,
                            [VAT_DATA_UV] = bake->uv};
    return arrays[row->data];
}

void vat_file_adopt(vat_bake *bake, const vat_file_row *row, void *data)
{
    switch (row->data) {
    case VAT_DATA_TEXELS:
        bake->texels = data;
        break;
    case VAT_DATA_BONES:
        bake->bone = data;
        break;
    case VAT_DATA_JOINTS:
        bake->joints = data;
        break;
    case VAT_DATA_WEIGHTS:
        bake->weights = data;
        break;
    case VAT_DATA_BIND:
        bake->bind = data;
        break;
    case VAT_DATA_INDICES:
        bake->indices = data;
        break;
    case VAT_DATA_UV:
        bake->uv = data;
        break;
    }
}

/* ------------------------------------------------------------------------------------------------ images */

vfx_status vat_layout_of(const vat_bake *bake, vat_layout *layout)
{
    uint64_t texels = (uint64_t)bake->frames * bake->vertices, most = VFX_MAX_IMAGE_SIDE;
    layout->by_vertex = bake->format == VAT_RGBA8 && bake->frames <= most && bake->vertices <= most;
    layout->width = bake->frames;
    layout->height = bake->vertices;
    if (layout->by_vertex)
        return VFX_OK;
    uint64_t width = texels < VAT_IMAGE_ROW ? texels : VAT_IMAGE_ROW;
    if (texels > width * most)
        width = most;
    if (texels > width * most)
        return vfx_fail(VFX_USAGE,
                        "%u frames of %u vertices are too many for an image of %d x %d; bake fewer clips, or "
                        "--format f32 or bones",
                        bake->frames, bake->vertices, VFX_MAX_IMAGE_SIDE, VFX_MAX_IMAGE_SIDE);
    layout->width = (uint32_t)width;
    layout->height = (uint32_t)((texels + width - 1) / width);
    return VFX_OK;
}

size_t vat_layout_at(const vat_layout *layout, const vat_bake *bake, size_t texel)
{
    if (!layout->by_vertex)
        return texel;
    return texel % bake->vertices * layout->width + texel / bake->vertices;
}

/* ------------------------------------------------------------------------------------------------- names */

vfx_status vat_file_path(char path[VAT_PATH_BYTES], const char *folder, const char *name)
{
    int length = snprintf(path, VAT_PATH_BYTES, "%s/%s", folder, name);
    if (length < 0 || length >= VAT_PATH_BYTES)
        return vfx_fail(VFX_USAGE, "the path %s is too long", folder);
    return VFX_OK;
}

void vat_file_crc(const void *data, size_t bytes, char text[9])
{
    (void)snprintf(text, 9, "%08lx", crc32_z(0, data, bytes) & 0xfffffffful);
}

void vat_skin_name(uint32_t layer, char name[VAT_NAME_BYTES])
{
    (void)snprintf(name, VAT_NAME_BYTES, "skin_%u.png", layer);
}
