/* bake_manifest.c - reads a bake's manifest (format: bake_write.c) and trusts nothing in it: every number is checked
 * before it counts, sizes or indexes anything, and every message has the JSON path. */
#include "kernels/vat/bake_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CLIPS = 65535, MAX_PARTS = 65536, MAX_BONES = 65535, MAX_SIDE = 16384, MAX_INDICES = 3 << 26 };

/* --------------------------------------------------------------------------------------------- values */

vfx_status vat_at_fail(const vat_at *at, const char *wanted)
{
    return vfx_fail(VFX_IO, "%s: %s: %s", at->file, at->path[0] != '\0' ? at->path : "/", wanted);
}

/* Paths are short: the keys are this file's own. */
vat_at vat_at_member(const vat_at *object, const char *key)
{
    vat_at at = {object->file, json_object_get(object->value, key), ""};
    (void)snprintf(at.path, sizeof at.path, "%.80s/%.40s", object->path, key);
    return at;
}

vat_at vat_at_element(const vat_at *array, size_t index)
{
    vat_at at = {array->file, json_array_get(array->value, index), ""};
    (void)snprintf(at.path, sizeof at.path, "%.80s/%zu", array->path, index);
    return at;
}

vfx_status vat_at_u32(const vat_at *object, const char *key, uint32_t least, uint32_t most, uint32_t *value)
{
    vat_at at = vat_at_member(object, key);
    json_int_t number = json_integer_value(at.value);
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, "must be a whole number from %u to %u", least, most);
    if (!json_is_integer(at.value) || number < (json_int_t)least || number > (json_int_t)most)
        return vat_at_fail(&at, wanted);
    *value = (uint32_t)number;
    return VFX_OK;
}

static vfx_status get_number(const vat_at *at, double *value)
{
    *value = json_number_value(at->value);
    return json_is_number(at->value) && isfinite(*value) ? VFX_OK : vat_at_fail(at, "must be a number");
}

vfx_status vat_at_number(const vat_at *object, const char *key, double *value)
{
    vat_at at = vat_at_member(object, key);
    return get_number(&at, value);
}

vfx_status vat_at_array(const vat_at *object, const char *key, uint32_t most, vat_at *array, uint32_t *count)
{
    *array = vat_at_member(object, key);
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, "must be an array of at most %u elements", most);
    if (!json_is_array(array->value) || json_array_size(array->value) > most)
        return vat_at_fail(array, wanted);
    *count = (uint32_t)json_array_size(array->value);
    return VFX_OK;
}

vfx_status vat_at_vector(const vat_at *object, const char *key, double value[3])
{
    vat_at array;
    uint32_t count;
    VFX_TRY(vat_at_array(object, key, 3, &array, &count));
    if (count != 3)
        return vat_at_fail(&array, "must have 3 elements");
    for (size_t i = 0; i < 3; i++) {
        vat_at at = vat_at_element(&array, i);
        VFX_TRY(get_number(&at, &value[i]));
        if (fabs(value[i]) > (double)FLT_MAX)
            return vat_at_fail(&at, "must fit into a float");
    }
    return VFX_OK;
}

vfx_status vat_at_name(const vat_at *object, const char *key, char name[VAT_NAME_BYTES])
{
    vat_at at = vat_at_member(object, key);
    const char *text = json_string_value(at.value);
    if (text == NULL || strlen(text) >= VAT_NAME_BYTES)
        return vat_at_fail(&at, "must be text of at most 63 bytes");
    (void)snprintf(name, VAT_NAME_BYTES, "%s", text);
    return VFX_OK;
}

vfx_status vat_at_choice(const vat_at *object, const char *key, const char *const names[], uint32_t *value)
{
    vat_at at = vat_at_member(object, key);
    const char *text = json_string_value(at.value);
    char wanted[128] = "must be one of";
    for (uint32_t i = 0; names[i] != NULL; i++) {
        size_t used = strlen(wanted);
        if (text != NULL && strcmp(text, names[i]) == 0) {
            *value = i;
            return VFX_OK;
        }
        (void)snprintf(wanted + used, sizeof wanted - used, " %s", names[i]);
    }
    return vat_at_fail(&at, wanted);
}

/* --------------------------------------------------------------------------------------------- pieces */

static vfx_status get_error(const vat_at *object, const char *key, vat_error *error)
{
    vat_at at = vat_at_member(object, key);
    VFX_TRY(vat_at_number(&at, "worst", &error->worst));
    return vat_at_number(&at, "rms", &error->rms);
}

static vfx_status get_box(const vat_at *object, double least[3], double most[3])
{
    vat_at at = vat_at_member(object, "box");
    VFX_TRY(vat_at_vector(&at, "min", least));
    VFX_TRY(vat_at_vector(&at, "max", most));
    for (int a = 0; a < 3; a++)
        if (least[a] > most[a])
            return vat_at_fail(&at, "min must not be over max");
    return VFX_OK;
}

/* first + count <= total, count >= least */
static vfx_status get_range(const vat_at *object, const char *first_key, const char *count_key, uint32_t least,
                            uint32_t total, uint32_t *first, uint32_t *count)
{
    VFX_TRY(vat_at_u32(object, first_key, 0, total, first));
    return vat_at_u32(object, count_key, least, total - *first, count);
}

static vfx_status get_clip(const vat_at *at, const vat_bake *bake, vat_clip *clip)
{
    vat_at source = vat_at_member(at, "source"), loop = vat_at_member(at, "loop"), fps = vat_at_member(at, "fps");
    json_int_t index = json_integer_value(source.value);
    VFX_TRY(vat_at_name(at, "name", clip->name));
    if (!json_is_integer(source.value) || index < VAT_NONE || index > INT32_MAX)
        return vat_at_fail(&source, "must be a whole number from -1");
    clip->source = (int32_t)index;
    VFX_TRY(get_range(at, "first", "frames", 1, bake->frames, &clip->first, &clip->frames));
    VFX_TRY(vat_at_number(at, "fps", &clip->fps));
    VFX_TRY(vat_at_number(at, "duration", &clip->duration));
    if (!(clip->fps > 0) || !(clip->duration >= 0))
        return vat_at_fail(&fps, "must be over 0, and the duration not under it");
    if (!json_is_boolean(loop.value))
        return vat_at_fail(&loop, "must be true or false");
    clip->loop = json_is_true(loop.value);
    VFX_TRY(get_box(at, clip->box_min, clip->box_max));
    VFX_TRY(get_error(at, "temporal", &clip->temporal));
    return vat_at_number(at, "loop_closure", &clip->loop_closure);
}

static vfx_status get_clips(const vat_at *root, vat_bake *bake)
{
    vat_at array;
    VFX_TRY(vat_at_array(root, "clips", MAX_CLIPS, &array, &bake->clip_count));
    if (bake->clip_count == 0)
        return vat_at_fail(&array, "must have a clip");
    bake->clips = calloc(bake->clip_count, sizeof *bake->clips);
    if (bake->clips == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for %u clips", root->file, bake->clip_count);
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        vat_at at = vat_at_element(&array, i);
        VFX_TRY(get_clip(&at, bake, &bake->clips[i]));
    }
    return VFX_OK;
}

static vfx_status get_parts(const vat_at *root, vat_bake *bake)
{
    vat_at array;
    VFX_TRY(vat_at_array(root, "parts", MAX_PARTS, &array, &bake->part_count));
    if (bake->part_count == 0)
        return vat_at_fail(&array, "must have a part");
    bake->parts = calloc(bake->part_count, sizeof *bake->parts);
    if (bake->parts == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for %u parts", root->file, bake->part_count);
    for (uint32_t i = 0; i < bake->part_count; i++) {
        vat_part *part = &bake->parts[i];
        vat_at at = vat_at_element(&array, i);
        part->node = part->skin = VAT_NONE;
        VFX_TRY(vat_at_name(&at, "name", part->name));
        VFX_TRY(get_range(&at, "first_vertex", "vertex_count", 1, bake->vertices, &part->first_vertex,
                          &part->vertex_count));
        VFX_TRY(
            get_range(&at, "first_index", "index_count", 0, bake->index_count, &part->first_index, &part->index_count));
    }
    return VFX_OK;
}

/* Codes reach from one side of the box to the other, within a step and a float's rounding; with rgba8 also from -1 to 1
 * around it. Formats without codes have no map. */
static bool is_map(const vat_bake *bake, int axis)
{
    const double start = bake->map_min[axis], step = bake->map_step[axis];
    const double least = bake->box_min[axis], most = bake->box_max[axis];
    if (bake->format == VAT_F32 || bake->format == VAT_BONES)
        return fabs(start) <= 0 && fabs(step - 1) <= 0;
    const double end = start + step * (bake->format == VAT_RGBA8 ? 255 : 65535);
    const double slack = step + 1e-6 * fmax(fabs(least), fabs(most)) + (double)FLT_MIN;
    if (!(step >= 0) || !isfinite(end))
        return false;
    if (bake->format == VAT_RGBA8 && least >= -1 && most <= 1 && fabs(start + 1) <= 0 && fabs(end - 1) <= 1e-6)
        return true;
    return fabs(start - least) <= slack && fabs(end - most) <= slack;
}

/* The box, its largest side and how codes lie in it. */
static vfx_status get_maps(const vat_at *root, vat_bake *bake)
{
    const vat_at extent = vat_at_member(root, "extent"), map = vat_at_member(root, "map_step");
    double least[3], step[3];
    VFX_TRY(vat_at_vector(root, "map_min", least));
    VFX_TRY(vat_at_vector(root, "map_step", step));
    for (int a = 0; a < 3; a++) {
        bake->map_min[a] = (float)least[a];
        bake->map_step[a] = (float)step[a];
    }
    VFX_TRY(get_box(root, bake->box_min, bake->box_max));
    VFX_TRY(vat_at_number(root, "extent", &bake->extent));
    double side = 0;
    for (int a = 0; a < 3; a++) {
        side = fmax(side, bake->box_max[a] - bake->box_min[a]);
        if (!is_map(bake, a))
            return vat_at_fail(&map, "must lead from /map_min to the other side of /box (f32 and bones: 1, from 0)");
    }
    return fabs(bake->extent - side) <= 1e-9 * side ? VFX_OK : vat_at_fail(&extent, "must be the largest side of /box");
}

static vfx_status get_errors(const vat_at *root, vat_bake *bake)
{
    vat_at errors = vat_at_member(root, "errors");
    VFX_TRY(get_error(&errors, "quantisation", &bake->quantisation));
    VFX_TRY(get_error(&errors, "temporal", &bake->temporal));
    VFX_TRY(get_error(&errors, "normal", &bake->normal));
    VFX_TRY(vat_at_number(&errors, "loop_closure", &bake->loop_closure));
    vat_at bytes = vat_at_member(root, "bytes");
    if (!json_is_integer(bytes.value) || json_integer_value(bytes.value) < 0)
        return vat_at_fail(&bytes, "must be a whole number");
    bake->bytes = (uint64_t)json_integer_value(bytes.value);
    return VFX_OK;
}

vfx_status vat_manifest_read(const vat_at *root, vat_bake *bake)
{
    uint32_t version, format, sampling;
    VFX_TRY(vat_at_u32(root, "version", VAT_BAKE_VERSION, VAT_BAKE_VERSION, &version));
    VFX_TRY(vat_at_choice(root, "format", vat_format_names, &format));
    VFX_TRY(vat_at_choice(root, "sampling", vat_sampling_names, &sampling));
    bake->format = (vat_format)format;
    bake->sampling = (vat_sampling)sampling;
    VFX_TRY(vat_at_u32(root, "vertices", 1, VAT_MAX_VERTICES, &bake->vertices));
    VFX_TRY(vat_at_u32(root, "frames", 1, VAT_MAX_FRAMES, &bake->frames));
    VFX_TRY(vat_at_u32(root, "indices", 0, MAX_INDICES, &bake->index_count));
    VFX_TRY(vat_at_number(root, "scale", &bake->scale));
    VFX_TRY(get_maps(root, bake));
    VFX_TRY(get_clips(root, bake));
    VFX_TRY(get_parts(root, bake));
    VFX_TRY(get_errors(root, bake));
    if (bake->format == VAT_BONES) {
        vat_at bones = vat_at_member(root, "bones");
        VFX_TRY(vat_at_u32(&bones, "count", 1, MAX_BONES, &bake->bones));
        VFX_TRY(vat_at_u32(&bones, "influences", 4, VAT_MAX_INFLUENCES, &bake->influences));
        if (bake->influences != 4 && bake->influences != VAT_MAX_INFLUENCES)
            return vat_at_fail(&bones, "influences must be 4 or 8");
    }
    vat_at skins = vat_at_member(root, "skins");
    VFX_TRY(vat_at_u32(&skins, "width", 1, MAX_SIDE, &bake->skin_width));
    VFX_TRY(vat_at_u32(&skins, "height", 1, MAX_SIDE, &bake->skin_height));
    return vat_at_u32(&skins, "layers", 1, VAT_MAX_SKINS, &bake->skin_layers);
}
