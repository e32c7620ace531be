/* kernels/vat/gltf.c - see gltf.h. The two containers, .glb and .gltf, and the order in which things are read. */
#include "kernels/vat/gltf_internal.h"

#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 12, CHUNK_BYTES = 8 };
static const uint32_t glb_magic = 0x46546c67, json_chunk = 0x4e4f534a, bin_chunk = 0x004e4942;

static uint32_t read_u32(const uint8_t *data)
{
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

/* ------------------------------------------------------------------------------------------- chunks */

/* The chunk at `offset`; *next becomes the offset behind it. */
static vfx_status find_chunk(const gltf_file *file, const uint8_t *data, size_t bytes, size_t offset, uint32_t *kind,
                             const uint8_t **chunk, size_t *chunk_bytes)
{
    if (bytes - offset < CHUNK_BYTES)
        return vfx_fail(VFX_IO, "%s: cut short: a chunk begins at byte %zu of %zu", file->name, offset, bytes);
    const uint32_t length = read_u32(data + offset);
    *kind = read_u32(data + offset + 4);
    if (length > bytes - offset - CHUNK_BYTES)
        return vfx_fail(VFX_IO, "%s: the chunk at byte %zu says that it has %u bytes, but only %zu follow", file->name,
                        offset, length, bytes - offset - CHUNK_BYTES);
    if (length % 4 != 0)
        return vfx_fail(VFX_IO, "%s: the chunk at byte %zu has %u bytes, no multiple of 4", file->name, offset, length);
    *chunk = data + offset + CHUNK_BYTES;
    *chunk_bytes = length;
    return VFX_OK;
}

/* A .glb: a JSON chunk, then possibly a BIN chunk; what follows is ignored, as the standard asks. */
static vfx_status open_glb(gltf_file *file, const uint8_t *data, size_t bytes)
{
    if (bytes < HEADER_BYTES)
        return vfx_fail(VFX_IO, "%s: cut short within its header: %zu bytes", file->name, bytes);
    const uint32_t version = read_u32(data + 4), length = read_u32(data + 8);
    if (version != 2)
        return vfx_fail(VFX_IO, "%s: a .glb of version %u, only 2 is read", file->name, version);
    if (length > bytes || length < HEADER_BYTES)
        return vfx_fail(VFX_IO, "%s: cut short: its header says %u bytes, but there are %zu", file->name, length,
                        bytes);
    const uint8_t *text, *chunk;
    size_t text_bytes, chunk_bytes;
    uint32_t kind;
    VFX_TRY(find_chunk(file, data, length, HEADER_BYTES, &kind, &text, &text_bytes));
    if (kind != json_chunk)
        return vfx_fail(VFX_IO, "%s: its first chunk is not JSON, but type 0x%08x", file->name, kind);
    const size_t next = HEADER_BYTES + CHUNK_BYTES + text_bytes;
    if (next < length) {
        VFX_TRY(find_chunk(file, data, length, next, &kind, &chunk, &chunk_bytes));
        if (kind == bin_chunk) {
            file->chunk = chunk;
            file->chunk_bytes = chunk_bytes;
        }
    }
    return gltf_parse(file, (const char *)text, text_bytes);
}

static vfx_status open_file(gltf_file *file, const uint8_t *data, size_t bytes)
{
    if (bytes >= 4 && read_u32(data) == glb_magic)
        return open_glb(file, data, bytes);
    return gltf_parse(file, (const char *)data, bytes);
}

/* ------------------------------------------------------------------------------------------ document */

/* Version 2, and no required extension that changes what is read here. */
static vfx_status check_asset(gltf_file *file)
{
    /* By their beginning: what is not looked at anyway, and integers as positions, which are read. */
    static const char *const harmless[] = {"KHR_materials_", "KHR_lights_punctual", "KHR_texture_basisu",
                                           "EXT_texture_",   "MSFT_texture_dds",    "KHR_mesh_quantization"};
    const gltf_at root = gltf_root(file), asset = gltf_member(&root, "asset"), at = gltf_member(&asset, "version");
    const char *text;
    gltf_at array;
    uint32_t count;
    VFX_TRY(gltf_text(&at, &text));
    if (strncmp(text, "2.", 2) != 0)
        return gltf_fail(&at, VFX_IO, "\"%.16s\": only version 2 is read", text);
    VFX_TRY(gltf_array(&root, "extensionsRequired", &array, &count));
    for (uint32_t i = 0; i < count; i++) {
        const gltf_at element = gltf_element(&array, i);
        bool known = false;
        VFX_TRY(gltf_text(&element, &text));
        for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
            known = known || strncmp(text, harmless[k], strlen(harmless[k])) == 0;
        if (!known)
            return gltf_fail(&element, VFX_UNSUPPORTED, "the file needs the extension %.64s: export it without", text);
    }
    return VFX_OK;
}

static vfx_status read_document(gltf_file *file, const uint8_t *data, size_t bytes)
{
    VFX_TRY(open_file(file, data, bytes));
    VFX_TRY(check_asset(file));
    VFX_TRY(gltf_read_buffers(file));
    VFX_TRY(gltf_read_nodes(file));
    VFX_TRY(gltf_read_skins(file));
    VFX_TRY(gltf_read_parts(file));
    return gltf_read_clips(file);
}

vfx_status vat_gltf_decode(const char *name, const void *data, size_t bytes, const char *folder, vat_model *model)
{
    gltf_file file = {.name = name, .folder = folder, .read_bytes = bytes, .model = model};
    memset(model, 0, sizeof *model);
    if (bytes > GLTF_MAX_BYTES)
        return vfx_fail(VFX_IO, "%s: %zu bytes, at most %zu are read", name, bytes, GLTF_MAX_BYTES);
    const vfx_status status = read_document(&file, data, bytes);
    gltf_free_buffers(&file);
    json_decref(file.root);
    free(file.node_of);
    free(file.in_scene);
    free(file.fallback);
    if (status != VFX_OK)
        vat_model_free(model);
    return status;
}

/* The folder of `path` in malloc'ed memory. */
static vfx_status find_folder(const char *path, char **folder)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 1 : slash == path ? 0 : (size_t)(slash - path);
    *folder = malloc(length + 1);
    if (*folder == NULL)
        return vfx_fail(VFX_MEMORY, "%s: no memory for %zu bytes", path, length + 1);
    memcpy(*folder, slash == NULL ? "." : path, length);
    (*folder)[length] = '\0';
    return VFX_OK;
}

vfx_status vat_gltf_read(const char *path, vat_model *model)
{
    void *data;
    size_t bytes;
    char *folder;
    memset(model, 0, sizeof *model);
    VFX_TRY(vfx_read_file(path, GLTF_MAX_BYTES, &data, &bytes));
    vfx_status status = find_folder(path, &folder);
    if (status == VFX_OK) {
        status = vat_gltf_decode(path, data, bytes, folder, model);
        free(folder);
    }
    free(data);
    return status;
}
