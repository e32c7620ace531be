/* bake_write.c - a bake as a folder. Format, version 1 (V vertices, F frames, flat index i = frame * V + vertex):
 *
 * manifest.json, written last into a sibling folder that is then renamed, so that a folder with one is whole:
 *   version 1; model (file name); format, sampling (names as the options have them); scale (of all positions);
 * vertices, frames, indices (counts); extent (m); box {min, max} (m, of the unquantised positions of all stored
 * frames); map_min, map_step (position = map_min + map_step * code, a float each; a flat axis has step 0; unused by
 * f32, bones); clips [{name, source (animation of the model, -1: rest pose), first, frames, fps, duration, loop, box,
 *     temporal {worst, rms}, loop_closure}]; parts [{name, first_vertex, vertex_count, first_index, index_count}];
 *   errors {quantisation {worst, rms}, temporal {worst, rms}, normal {worst, rms}, loop_closure}: shares of extent,
 * normal in degrees, as bake_measure.c defines them; bones {count, influences} with the format bones; skins {width,
 * height, layers}; bytes (of the texels, or of bones.bin to bind.bin); files [{name, kind, bytes, crc32 (zlib's, 8
 * lower-case hexadecimal digits), and of a PNG width, height, bits; of texels in a PNG layout}].
 *
 * Images are PNGs of colour type RGBA without ancillary chunks, 8 or 16 bits, whose samples are numbers:
 *   u16oct8  texels.png    16: position codes x, y, z; octahedral normal, x in the low byte, y in the high one (snorm8)
 *   rgba8    position.png   8: codes x, y, z, 255        normal.png   8: (n + 1) / 2 * 255 of x, y, z, 255
 *   rgba16   position.png  16: codes x, y, z, 65535      normal.png  16: octahedral x, y (snorm16), 0, 65535
 *   The opaque alpha is for viewers: in memory that word is 0.
 *   layout "wrapped": texel i at x = i % width, y = i / width; width = min(V F, 4096), or 16384 where that is too
 * small; the rest of the last row is 0. "frames-by-vertices" (rgba8 with V and F up to 16384): x = frame, y = vertex.
 * Raw files are little-endian:
 *   f32      texels.bin    8 f32 a vertex-frame: position, 0, normal, 0
 *   bones    bones.bin     12 f32 per frame and bone: rows of a 3x4 matrix from bind position to model space
 *            joints.bin, weights.bin   u16 per vertex and influence; weights of a vertex sum to 65535
 *            bind.bin      6 f32 a vertex: bind position, bind normal
 *   all      indices.bin   u32, triangles          uv.bin   2 u16 a vertex: floor(fract(uv) * 65536)
 *            skin_0.png, skin_1.png ...            8-bit RGBA, a layer each */
#include "core/image.h"
#include "core/platform.h"
#include "kernels/vat/bake_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------- JSON */

/* Setters. Out of memory leaves the key out; write_manifest() notices that it cannot be dumped or read. */
static void set(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static void set_count(json_t *object, const char *key, uint64_t value)
{
    set(object, key, json_integer((json_int_t)value));
}

/* Names that are no UTF-8 lose what is not ASCII. */
static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *value = json_string(text);
    char plain[256];
    if (value == NULL) {
        size_t length = strlen(text) < sizeof plain ? strlen(text) : sizeof plain - 1;
        for (size_t i = 0; i < length; i++)
            plain[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
        plain[length] = '\0';
        value = json_string(plain);
    }
    set(object, key, value);
}

static json_t *vector(double x, double y, double z)
{
    json_t *array = json_array();
    (void)json_array_append_new(array, json_real(x));
    (void)json_array_append_new(array, json_real(y));
    (void)json_array_append_new(array, json_real(z));
    return array;
}

static void set_floats(json_t *object, const char *key, const float v[3])
{
    set(object, key, vector((double)v[0], (double)v[1], (double)v[2]));
}

static void set_box(json_t *object, const double least[3], const double most[3])
{
    json_t *box = json_object();
    set(box, "min", vector(least[0], least[1], least[2]));
    set(box, "max", vector(most[0], most[1], most[2]));
    set(object, "box", box);
}

static void set_error(json_t *object, const char *key, vat_error error)
{
    json_t *value = json_object();
    set(value, "worst", json_real(error.worst));
    set(value, "rms", json_real(error.rms));
    set(object, key, value);
}

static json_t *clips_json(const vat_bake *bake)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        const vat_clip *clip = &bake->clips[i];
        json_t *row = json_object();
        set_text(row, "name", clip->name);
        set(row, "source", json_integer(clip->source));
        set_count(row, "first", clip->first);
        set_count(row, "frames", clip->frames);
        set(row, "fps", json_real(clip->fps));
        set(row, "duration", json_real(clip->duration));
        set(row, "loop", json_boolean(clip->loop));
        set_box(row, clip->box_min, clip->box_max);
        set_error(row, "temporal", clip->temporal);
        set(row, "loop_closure", json_real(clip->loop_closure));
        (void)json_array_append_new(array, row);
    }
    return array;
}

static json_t *parts_json(const vat_bake *bake)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < bake->part_count; i++) {
        const vat_part *part = &bake->parts[i];
        json_t *row = json_object();
        set_text(row, "name", part->name);
        set_count(row, "first_vertex", part->first_vertex);
        set_count(row, "vertex_count", part->vertex_count);
        set_count(row, "first_index", part->first_index);
        set_count(row, "index_count", part->index_count);
        (void)json_array_append_new(array, row);
    }
    return array;
}

static json_t *manifest_json(const vat_bake *bake, const char *model_name)
{
    json_t *root = json_object(), *errors = json_object(), *skins = json_object();
    set_count(root, "version", VAT_BAKE_VERSION);
    set_text(root, "model", model_name);
    set_text(root, "format", vat_format_names[bake->format]);
    set_text(root, "sampling", vat_sampling_names[bake->sampling]);
    set(root, "scale", json_real(bake->scale));
    set_count(root, "vertices", bake->vertices);
    set_count(root, "frames", bake->frames);
    set_count(root, "indices", bake->index_count);
    set(root, "extent", json_real(bake->extent));
    set_box(root, bake->box_min, bake->box_max);
    set_floats(root, "map_min", bake->map_min);
    set_floats(root, "map_step", bake->map_step);
    set(root, "clips", clips_json(bake));
    set(root, "parts", parts_json(bake));
    set_error(errors, "quantisation", bake->quantisation);
    set_error(errors, "temporal", bake->temporal);
    set_error(errors, "normal", bake->normal);
    set(errors, "loop_closure", json_real(bake->loop_closure));
    set(root, "errors", errors);
    if (bake->format == VAT_BONES) {
        json_t *bones = json_object();
        set_count(bones, "count", bake->bones);
        set_count(bones, "influences", bake->influences);
        set(root, "bones", bones);
    }
    set_count(skins, "width", bake->skin_width);
    set_count(skins, "height", bake->skin_height);
    set_count(skins, "layers", bake->skin_layers);
    set(root, "skins", skins);
    set_count(root, "bytes", bake->bytes);
    set(root, "files", json_array());
    return root;
}

/* -------------------------------------------------------------------------------------------- files */

/* Adds the file's row to root["files"], with the checksum of what is on the disk. */
static vfx_status add_file(json_t *root, const char *folder, const char *name, const char *kind, const vfx_rgba *image,
                           const char *layout)
{
    char path[VAT_PATH_BYTES], crc[9];
    void *data = NULL;
    size_t bytes = 0;
    VFX_TRY(vat_file_path(path, folder, name));
    VFX_TRY(vfx_read_file(path, SIZE_MAX, &data, &bytes));
    vat_file_crc(data, bytes, crc);
    free(data);
    json_t *row = json_object();
    set_text(row, "name", name);
    set_text(row, "kind", kind);
    if (image != NULL) {
        set_count(row, "width", image->width);
        set_count(row, "height", image->height);
        set_count(row, "bits", image->bits);
    }
    if (layout != NULL)
        set_text(row, "layout", layout);
    set_count(row, "bytes", bytes);
    set_text(row, "crc32", crc);
    (void)json_array_append_new(json_object_get(root, "files"), row);
    return VFX_OK;
}

/* Word `i` of an array in the host's order. */
static uint32_t word_at(const uint8_t *data, size_t i, uint32_t word)
{
    uint16_t two;
    uint32_t four;
    switch (word) {
    case 1:
        return data[i];
    case 2:
        memcpy(&two, data + 2 * i, sizeof two);
        return two;
    default:
        memcpy(&four, data + 4 * i, sizeof four);
        return four;
    }
}

static vfx_status write_raw(const vat_bake *bake, const vat_file_row *row, const char *path, size_t words)
{
    const uint8_t *data = vat_file_data(bake, row);
    size_t bytes = words * row->word;
    uint8_t *out = malloc(bytes + 1);
    if (out == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %s", path);
    for (size_t i = 0; i < words; i++)
        for (uint32_t b = 0; b < row->word; b++)
            out[i * row->word + b] = (uint8_t)(word_at(data, i, row->word) >> 8 * b & 0xffu);
    vfx_status status = vfx_write_file(path, out, bytes);
    free(out);
    return status;
}

static vfx_status write_image(const vat_bake *bake, const vat_file_row *row, const char *path, const vat_layout *layout,
                              vfx_rgba *image)
{
    size_t texels = (size_t)bake->frames * bake->vertices, per_texel = vat_texel_bytes(bake->format) / row->word;
    *image = (vfx_rgba){layout->width, layout->height, 8 * row->word, row->word == 1 ? 255 : 65535, NULL};
    image->samples = calloc((size_t)layout->width * layout->height * 4, sizeof *image->samples);
    if (image->samples == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %s", path);
    for (size_t i = 0; i < texels; i++) {
        uint16_t *pixel = image->samples + vat_layout_at(layout, bake, i) * 4;
        for (uint32_t c = 0; c < 4; c++)
            pixel[c] = (uint16_t)word_at(bake->texels, i * per_texel + row->plane * (size_t)4 + c, row->word);
        if (row->opaque)
            pixel[3] = (uint16_t)image->maximum;
    }
    vfx_status status = vfx_rgba_write(path, image);
    vfx_rgba_free(image);
    *image = (vfx_rgba){layout->width, layout->height, 8 * row->word, 0, NULL};
    return status;
}

static vfx_status write_rows(const vat_bake *bake, const char *folder, json_t *root)
{
    char path[VAT_PATH_BYTES];
    for (uint32_t i = 0; i < vat_file_row_count; i++) {
        const vat_file_row *row = &vat_file_rows[i];
        size_t words;
        vat_layout layout;
        vfx_rgba image;
        if ((row->formats >> bake->format & 1u) == 0)
            continue;
        VFX_TRY(vat_file_path(path, folder, row->name));
        if (!vat_file_words(bake, row, &words))
            return vfx_fail(VFX_MEMORY, "%s is too large", path);
        if (row->image) {
            VFX_TRY(vat_layout_of(bake, &layout));
            VFX_TRY(write_image(bake, row, path, &layout, &image));
        } else {
            VFX_TRY(write_raw(bake, row, path, words));
        }
        const char *name = !row->image ? NULL : layout.by_vertex ? "frames-by-vertices" : "wrapped";
        VFX_TRY(add_file(root, folder, row->name, row->kind, row->image ? &image : NULL, name));
    }
    return VFX_OK;
}

static vfx_status write_skins(const vat_bake *bake, const char *folder, json_t *root)
{
    size_t samples = (size_t)bake->skin_width * bake->skin_height * 4;
    uint16_t *wide = calloc(samples + 1, sizeof *wide);
    vfx_status status = wide != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for a skin");
    for (uint32_t layer = 0; status == VFX_OK && layer < bake->skin_layers; layer++) {
        char name[VAT_NAME_BYTES], path[VAT_PATH_BYTES];
        vfx_rgba image = {bake->skin_width, bake->skin_height, 8, 255, wide};
        for (size_t i = 0; i < samples; i++)
            wide[i] = bake->skin[layer * samples + i];
        vat_skin_name(layer, name);
        status = vat_file_path(path, folder, name);
        if (status == VFX_OK)
            status = vfx_rgba_write(path, &image);
        if (status == VFX_OK)
            status = add_file(root, folder, name, "skin", &image, NULL);
    }
    free(wide);
    return status;
}

static vfx_status write_manifest(const char *folder, const json_t *root)
{
    char path[VAT_PATH_BYTES];
    VFX_TRY(vat_file_path(path, folder, VAT_MANIFEST));
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    if (text == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %s", path);
    vfx_status status = vfx_write_file(path, text, strlen(text));
    free(text);
    return status;
}

/* -------------------------------------------------------------------------------------------- folder */

/* Is `name` one of the files that the manifest lists, or the manifest? */
static bool is_listed(const json_t *manifest, const char *name)
{
    size_t index;
    const json_t *row;
    json_array_foreach(json_object_get(manifest, "files"), index, row)
    {
        const char *listed = json_string_value(json_object_get(row, "name"));
        if (listed != NULL && strcmp(listed, name) == 0)
            return true;
    }
    return strcmp(name, VAT_MANIFEST) == 0;
}

/* USAGE where the folder holds anything that no earlier bake wrote. */
static vfx_status check_contents(const char *folder, const vfx_names *names)
{
    char path[VAT_PATH_BYTES];
    VFX_TRY(vat_file_path(path, folder, VAT_MANIFEST));
    void *text = NULL;
    size_t bytes = 0;
    json_t *manifest = NULL; /* NULL: unreadable, so not ours */
    if (vfx_read_file(path, VAT_MANIFEST_BYTES, &text, &bytes) == VFX_OK)
        manifest = json_loadb(text, bytes, 0, NULL);
    free(text);
    bool ours =
        json_is_integer(json_object_get(manifest, "version")) && json_is_string(json_object_get(manifest, "sampling"));
    vfx_status status = VFX_OK;
    for (size_t i = 0; status == VFX_OK && i < names->count; i++)
        if (!ours || !is_listed(manifest, names->items[i]))
            status = vfx_fail(VFX_USAGE,
                              "%s holds %s, which is not of an earlier bake; nothing was written: choose "
                              "another folder",
                              folder, names->items[i]);
    json_decref(manifest);
    return status;
}

static vfx_status check_replaceable(const char *folder)
{
    vfx_names names;
    vfx_status status = vfx_list_folder(folder, &names);
    if (status == VFX_OK && names.count > 0)
        status = check_contents(folder, &names);
    vfx_names_free(&names);
    return status;
}

vfx_status vat_bake_check_folder(const char *folder)
{
    vfx_folder place = {0};
    VFX_TRY(check_replaceable(folder));
    vfx_status status = vfx_folder_begin(&place, folder);
    vfx_folder_end(&place);
    return status;
}

vfx_status vat_bake_write(const vat_bake *bake, const char *folder, const char *model_name)
{
    vfx_folder place = {0};
    VFX_TRY(check_replaceable(folder));
    json_t *root = manifest_json(bake, model_name);
    vfx_status status = vfx_folder_begin(&place, folder);
    if (status == VFX_OK)
        status = write_rows(bake, place.temporary, root);
    if (status == VFX_OK)
        status = write_skins(bake, place.temporary, root);
    if (status == VFX_OK)
        status = write_manifest(place.temporary, root);
    if (status == VFX_OK)
        status = vfx_folder_commit(&place);
    vfx_folder_end(&place);
    json_decref(root);
    return status;
}
