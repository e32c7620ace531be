/* bake_read.c - a bake's folder back into memory (format: bake_write.c). Files are found by the names of the table,
 * never by what the manifest calls them, so that none outside of the folder is opened; size and checksum must be the
 * manifest's before a byte is used, and indices and numbers are checked after. */
#include "core/image.h"
#include "core/platform.h"
#include "kernels/vat/bake_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t max_image_bytes = (size_t)3 << 30;

/* The manifest's row of a file. */
static vfx_status find_row(const vat_at *root, const char *name, vat_at *row)
{
    vat_at files;
    uint32_t count;
    VFX_TRY(vat_at_array(root, "files", VAT_MAX_SKINS + 64, &files, &count));
    for (uint32_t i = 0; i < count; i++) {
        *row = vat_at_element(&files, i);
        const char *text = json_string_value(json_object_get(row->value, "name"));
        if (text != NULL && strcmp(text, name) == 0)
            return VFX_OK;
    }
    return vfx_fail(VFX_IO, "%s: /files: %s is not among them", root->file, name);
}

/* The bytes of a file whose size and checksum are its row's; free() them. */
static vfx_status load_file(const vat_at *root, const char *folder, const char *name, size_t most, char *path,
                            void **data, size_t *bytes)
{
    vat_at row, crc, size;
    char text[9];
    VFX_TRY(find_row(root, name, &row));
    crc = vat_at_member(&row, "crc32");
    size = vat_at_member(&row, "bytes");
    if (!json_is_string(crc.value) || !json_is_integer(size.value))
        return vat_at_fail(&row, "must have bytes and crc32");
    const json_int_t stated = json_integer_value(size.value);
    if (stated < 0 || (uint64_t)stated > most)
        return vfx_fail(VFX_IO, "%s: %s: %" JSON_INTEGER_FORMAT " bytes; %s can have %zu", root->file, size.path,
                        stated, name, most);
    VFX_TRY(vat_file_path(path, folder, name));
    VFX_TRY(vfx_read_file(path, (size_t)stated, data, bytes));
    vat_file_crc(*data, *bytes, text);
    vfx_status status = VFX_OK;
    if ((uint64_t)stated != *bytes)
        status = vfx_fail(VFX_IO, "%s has %zu bytes; %s: %s: %" JSON_INTEGER_FORMAT, path, *bytes, root->file,
                          size.path, stated);
    else if (strcmp(json_string_value(crc.value), text) != 0)
        status = vfx_fail(VFX_IO, "%s is damaged: its checksum is %s; %s: %s: %.16s", path, text, root->file, crc.path,
                          json_string_value(crc.value));
    if (status != VFX_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------- contents */

/* Word `i` of an array in the host's order. */
static void put_word(uint8_t *data, size_t i, uint32_t word, uint32_t value)
{
    uint16_t two = (uint16_t)value;
    if (word == 1)
        data[i] = (uint8_t)value;
    else if (word == 2)
        memcpy(data + 2 * i, &two, sizeof two);
    else
        memcpy(data + 4 * i, &value, sizeof value);
}

static vfx_status read_raw(const vat_at *root, const char *folder, const vat_file_row *row, size_t words,
                           vat_bake *bake)
{
    char path[VAT_PATH_BYTES];
    void *data = NULL;
    size_t bytes = 0;
    VFX_TRY(load_file(root, folder, row->name, words * row->word, path, &data, &bytes));
    vfx_status status = VFX_OK;
    uint8_t *array = NULL;
    if (bytes != words * row->word)
        status = vfx_fail(VFX_IO, "%s has %zu bytes, %zu are wanted by the counts in %s", path, bytes,
                          words * row->word, root->file);
    else if ((array = malloc(bytes + 1)) == NULL)
        status = vfx_fail(VFX_MEMORY, "out of memory for %s", path);
    for (size_t i = 0; status == VFX_OK && i < words; i++) {
        const uint8_t *from = (const uint8_t *)data + i * row->word;
        uint32_t value = 0;
        for (uint32_t b = 0; b < row->word; b++)
            value |= (uint32_t)from[b] << 8 * b;
        put_word(array, i, row->word, value);
    }
    free(data);
    if (status == VFX_OK)
        vat_file_adopt(bake, row, array);
    return status;
}

static vfx_status read_png(const vat_at *root, const char *folder, const char *name, uint32_t width, uint32_t height,
                           uint32_t bits, vfx_rgba *image)
{
    char path[VAT_PATH_BYTES];
    void *data = NULL;
    size_t bytes = 0;
    VFX_TRY(load_file(root, folder, name, max_image_bytes, path, &data, &bytes));
    vfx_status status = vfx_rgba_decode(path, data, bytes, image);
    free(data);
    VFX_TRY(status);
    if (image->width == width && image->height == height && image->bits == bits)
        return VFX_OK;
    status = vfx_fail(VFX_IO, "%s is %u x %u of %u bits, wanted are %u x %u of %u bits", path, image->width,
                      image->height, image->bits, width, height, bits);
    vfx_rgba_free(image);
    return status;
}

static vfx_status read_image(const vat_at *root, const char *folder, const vat_file_row *row, size_t words,
                             vat_bake *bake)
{
    vat_layout layout;
    vfx_rgba image;
    VFX_TRY(vat_layout_of(bake, &layout));
    VFX_TRY(read_png(root, folder, row->name, layout.width, layout.height, 8 * row->word, &image));
    if (bake->texels == NULL)
        bake->texels = calloc(words + 1, row->word); /* shared by the images of one bake */
    size_t texels = (size_t)bake->frames * bake->vertices, per_texel = vat_texel_bytes(bake->format) / row->word;
    for (size_t i = 0; bake->texels != NULL && i < texels; i++) {
        const uint16_t *pixel = image.samples + vat_layout_at(&layout, bake, i) * 4;
        for (uint32_t c = 0; c < 4; c++)
            put_word(bake->texels, i * per_texel + row->plane * (size_t)4 + c, row->word,
                     row->opaque && c == 3 ? 0 : pixel[c]);
    }
    vfx_rgba_free(&image);
    return bake->texels != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for %s", row->name);
}

static vfx_status read_rows(const vat_at *root, const char *folder, vat_bake *bake)
{
    for (uint32_t i = 0; i < vat_file_row_count; i++) {
        const vat_file_row *row = &vat_file_rows[i];
        size_t words;
        if ((row->formats >> bake->format & 1u) == 0)
            continue;
        if (!vat_file_words(bake, row, &words))
            return vfx_fail(VFX_IO, "%s: its counts are too large for %s", root->file, row->name);
        VFX_TRY(row->image ? read_image(root, folder, row, words, bake) : read_raw(root, folder, row, words, bake));
    }
    return VFX_OK;
}

static vfx_status read_skins(const vat_at *root, const char *folder, vat_bake *bake)
{
    uint32_t layers = bake->skin_layers, width = bake->skin_width, height = bake->skin_height;
    bake->skin_layers = 0;
    vfx_status status = VFX_OK;
    for (uint32_t layer = 0; status == VFX_OK && layer < layers; layer++) {
        char name[VAT_NAME_BYTES];
        vfx_rgba image;
        vat_skin_name(layer, name);
        VFX_TRY(read_png(root, folder, name, width, height, 8, &image));
        size_t samples = (size_t)width * height * 4;
        uint8_t *rgba = malloc(samples);
        if (rgba == NULL)
            status = vfx_fail(VFX_MEMORY, "out of memory for %s", name);
        for (size_t i = 0; rgba != NULL && i < samples; i++)
            rgba[i] = (uint8_t)image.samples[i];
        if (rgba != NULL)
            status = vat_bake_add_skin(bake, name, width, height, rgba);
        free(rgba);
        vfx_rgba_free(&image);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------- what they say */

static vfx_status check_finite(const char *file, const char *what, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return vfx_fail(VFX_IO, "%s: number %zu of %s is not finite", file, i, what);
    return VFX_OK;
}

/* Bakers make normals unit: shaders rely on their having a direction. `stride`: floats from one to the next. */
static vfx_status check_unit(const char *file, const char *what, const float *normals, size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double x = normals[i * stride], y = normals[i * stride + 1], z = normals[i * stride + 2];
        if (fabs(x * x + y * y + z * z - 1) > 1e-3)
            return vfx_fail(VFX_IO, "%s: normal %zu of %s has no unit length", file, i, what);
    }
    return VFX_OK;
}

/* Is a position in the box, give or take `slack`? */
static bool in_box(const vat_bake *bake, const double position[3], const double slack[3])
{
    for (int a = 0; a < 3; a++)
        if (!(position[a] >= bake->box_min[a] - slack[a] && position[a] <= bake->box_max[a] + slack[a]))
            return false;
    return true;
}

/* Largest coordinate of the box, m. */
static double reach_of(const vat_bake *bake)
{
    double reach = 0;
    for (int a = 0; a < 3; a++)
        reach = fmax(reach, fmax(fabs(bake->box_min[a]), fabs(bake->box_max[a])));
    return reach;
}

/* Shaders multiply two entries for a cofactor and square that for a length: the fourth power must be a float, and far
 * from the largest. Moves much longer than the model is large leave nothing of it. */
static vfx_status check_matrices(const char *file, const vat_bake *bake)
{
    const double most_entry = 1e8, most_move = 1e6 * fmax(reach_of(bake), 1);
    const size_t count = (size_t)bake->frames * bake->bones * 12;
    for (size_t i = 0; i < count; i++) {
        const double most = i % 4 == 3 ? most_move : most_entry, value = (double)bake->bone[i / 12][i % 12];
        if (!(fabs(value) <= most))
            return vfx_fail(VFX_IO,
                            "%s: number %zu of bones.bin is %g: over %g no model needs; if it is one, bake it with "
                            "a smaller --scale",
                            file, i, value, most);
    }
    return VFX_OK;
}

static vfx_status check_pose(const char *file, const vat_bake *bake, uint32_t frame, uint32_t vertex)
{
    const double slack = 0.01 * bake->extent + 1e-4 * reach_of(bake) + 1e-7, slacks[3] = {slack, slack, slack};
    double position[3], normal[3];
    vat_bones_decode(bake, frame, vertex, position, normal);
    if (in_box(bake, position, slacks))
        return VFX_OK;
    return vfx_fail(VFX_IO, "%s: bones.bin puts vertex %u in frame %u at (%g, %g, %g), outside of /box", file, vertex,
                    frame, position[0], position[1], position[2]);
}

/* All vertices of the first frame, and in every frame one of each bone, which has more of it than others have: as much
 * work as there is data. */
static vfx_status check_poses(const char *file, const vat_bake *bake)
{
    uint32_t(*chosen)[2] = calloc(bake->bones, sizeof *chosen); /* weight, vertex */
    if (chosen == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for %u bones", file, bake->bones);
    vfx_status status = VFX_OK;
    for (uint32_t v = 0; status == VFX_OK && v < bake->vertices; v++) {
        for (uint32_t k = 0; k < bake->influences; k++) {
            const size_t i = (size_t)v * bake->influences + k;
            uint32_t *best = chosen[bake->joints[i]];
            if (bake->weights[i] > best[0]) {
                best[0] = bake->weights[i];
                best[1] = v;
            }
        }
        status = check_pose(file, bake, 0, v);
    }
    for (uint32_t frame = 0; status == VFX_OK && frame < bake->frames; frame++)
        for (uint32_t bone = 0; status == VFX_OK && bone < bake->bones; bone++)
            if (chosen[bone][0] > 0)
                status = check_pose(file, bake, frame, chosen[bone][1]);
    free(chosen);
    return status;
}

static vfx_status check_bones(const char *file, const vat_bake *bake)
{
    size_t values = (size_t)bake->vertices * bake->influences;
    for (size_t i = 0; i < values; i++)
        if (bake->joints[i] >= bake->bones)
            return vfx_fail(VFX_IO, "%s: joint %zu is bone %u of %u", file, i, bake->joints[i], bake->bones);
    for (uint32_t v = 0; v < bake->vertices; v++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < bake->influences; k++)
            sum += bake->weights[(size_t)v * bake->influences + k];
        if (sum != 65535)
            return vfx_fail(VFX_IO, "%s: the weights of vertex %u sum to %u, not 65535", file, v, sum);
    }
    VFX_TRY(check_finite(file, "bones.bin", &bake->bone[0][0], (size_t)bake->frames * bake->bones * 12));
    VFX_TRY(check_finite(file, "bind.bin", &bake->bind[0][0][0], (size_t)bake->vertices * 6));
    VFX_TRY(check_unit(file, "bind.bin", bake->bind[0][1], 6, bake->vertices));
    VFX_TRY(check_matrices(file, bake));
    return check_poses(file, bake);
}

/* Of texels whose numbers can lie beside the box: f32, and rgba8 from -1 to 1. */
static vfx_status check_positions(const char *file, const vat_bake *bake)
{
    const size_t bytes = vat_texel_bytes(bake->format), count = (size_t)bake->frames * bake->vertices;
    const double rounding = 1e-6 * reach_of(bake);
    double slack[3];
    for (int a = 0; a < 3; a++)
        slack[a] = rounding + (bake->format == VAT_F32 ? 0 : (double)bake->map_step[a]);
    for (size_t i = 0; i < count; i++) {
        double position[3];
        for (int a = 0; a < 3; a++)
            position[a] = bake->format == VAT_F32 ? (double)bake->positions[i][a]
                                                  : (double)bake->map_min[a] +
                                                        (double)bake->map_step[a] * bake->texels[i * bytes + (size_t)a];
        if (!in_box(bake, position, slack))
            return vfx_fail(VFX_IO, "%s: texel %zu is at (%g, %g, %g), outside of /box", file, i, position[0],
                            position[1], position[2]);
    }
    return VFX_OK;
}

/* Texels of the format f32 are the unquantised frames. */
static vfx_status unpack_floats(const char *file, vat_bake *bake)
{
    size_t count = (size_t)bake->frames * bake->vertices;
    bake->positions = malloc(count * sizeof *bake->positions);
    bake->normals = malloc(count * sizeof *bake->normals);
    if (bake->positions == NULL || bake->normals == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for its frames", file);
    for (size_t i = 0; i < count; i++) {
        memcpy(bake->positions[i], bake->texels + i * 32, sizeof *bake->positions);
        memcpy(bake->normals[i], bake->texels + i * 32 + 16, sizeof *bake->normals);
    }
    VFX_TRY(check_finite(file, "the positions", &bake->positions[0][0], count * 3));
    VFX_TRY(check_finite(file, "the normals", &bake->normals[0][0], count * 3));
    VFX_TRY(check_unit(file, "the frames", &bake->normals[0][0], 3, count));
    return check_positions(file, bake);
}

/* Octahedral codes are -127..127 or -32767..32767: decoders need not clamp. */
static vfx_status check_codes(const char *file, const vat_bake *bake)
{
    const size_t bytes = vat_texel_bytes(bake->format), count = (size_t)bake->frames * bake->vertices;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *texel = bake->texels + i * bytes;
        const bool least8 = texel[6] == 0x80 || texel[7] == 0x80;
        const bool least16 = bake->format == VAT_RGBA16 &&
                             ((texel[8] == 0 && texel[9] == 0x80) || (texel[10] == 0 && texel[11] == 0x80));
        if (bake->format == VAT_RGBA16 ? least16 : least8)
            return vfx_fail(VFX_IO, "%s: the normal of texel %zu has the least code, which no baker writes", file, i);
    }
    return VFX_OK;
}

static vfx_status check_contents(const char *file, vat_bake *bake)
{
    for (uint32_t i = 0; i < bake->index_count; i++)
        if (bake->indices[i] >= bake->vertices)
            return vfx_fail(VFX_IO, "%s: index %u is vertex %u of %u", file, i, bake->indices[i], bake->vertices);
    if (bake->format == VAT_F32)
        return unpack_floats(file, bake);
    if (bake->format == VAT_U16OCT8 || bake->format == VAT_RGBA16)
        return check_codes(file, bake);
    if (bake->format == VAT_RGBA8)
        return check_positions(file, bake);
    return bake->format == VAT_BONES ? check_bones(file, bake) : VFX_OK;
}

/* -------------------------------------------------------------------------------------------------- folder */

static vfx_status read_folder(const char *folder, vat_bake *bake, json_t **manifest)
{
    char path[VAT_PATH_BYTES];
    void *text = NULL;
    size_t bytes = 0;
    json_error_t error;
    VFX_TRY(vat_file_path(path, folder, VAT_MANIFEST));
    VFX_TRY(vfx_read_file(path, VAT_MANIFEST_BYTES, &text, &bytes));
    *manifest = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!json_is_object(*manifest))
        return vfx_fail(VFX_IO, "%s: line %d, column %d: %s", path, *manifest != NULL ? 1 : error.line,
                        *manifest != NULL ? 1 : error.column, *manifest != NULL ? "no JSON object" : error.text);
    const vat_at root = {path, *manifest, ""};
    VFX_TRY(vat_manifest_read(&root, bake));
    VFX_TRY(read_rows(&root, folder, bake));
    VFX_TRY(read_skins(&root, folder, bake));
    return check_contents(path, bake);
}

vfx_status vat_bake_read(const char *folder, vat_bake *bake)
{
    json_t *manifest = NULL;
    memset(bake, 0, sizeof *bake);
    vfx_status status = read_folder(folder, bake, &manifest);
    json_decref(manifest);
    if (status != VFX_OK)
        vat_bake_free(bake);
    return status;
}
