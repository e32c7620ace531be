/* bench/dump_read.c - reading of dump folders. A dump may come from another machine, build or hand: every key, number,
 * file name and hash is checked, and a message names the file and what is wrong with it. */
#include "bench/dump.h"
#include "bench/session.h"
#include "bench/text.h"
#include "core/npy.h"
#include "core/platform.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_MANIFEST_BYTES = 64 << 20, MAX_DUMP_FRAMES = 10000000 };

/* A missing manifest may be a folder too high: `run --dump` of several cases makes one folder each. The first, by name,
 * of the folders in it that hold a dump; false: none. */
static bool find_dump_below(const char *folder, char *found, size_t bytes)
{
    DIR *stream = opendir(folder);
    *found = '\0';
    if (stream == NULL)
        return false;
    for (const struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        char path[CMD_DUMP_PATH + 300];
        int length = snprintf(path, sizeof path, "%s/%s/manifest.json", folder, entry->d_name);
        bool is_dump = entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
        if (is_dump && (*found == '\0' || strcmp(entry->d_name, found) < 0))
            cmd_copy(found, bytes, entry->d_name);
    }
    (void)closedir(stream);
    return *found != '\0';
}

static vfx_status load_manifest(cmd_dump_reader *reader, const char *folder)
{
    int length = snprintf(reader->folder, sizeof reader->folder, "%s", folder);
    if (length <= 0 || (size_t)length >= sizeof reader->folder)
        return vfx_fail(VFX_IO, "dump folder: the path is empty or longer than %d bytes", CMD_DUMP_PATH - 1);
    (void)snprintf(reader->manifest_path, sizeof reader->manifest_path, "%s/manifest.json", folder);
    void *data;
    size_t bytes;
    char below[256];
    if (access(reader->manifest_path, F_OK) != 0 && find_dump_below(folder, below, sizeof below))
        return vfx_fail(VFX_IO, "%s holds several dumps; name one, e.g. %s/%s", folder, folder, below);
    VFX_TRY(vfx_read_file(reader->manifest_path, MAX_MANIFEST_BYTES, &data, &bytes));
    json_error_t error;
    reader->manifest = json_loadb(data, bytes, JSON_REJECT_DUPLICATES, &error);
    free(data);
    if (reader->manifest == NULL)
        return vfx_fail(VFX_IO, "%s: line %d: %s", reader->manifest_path, error.line, error.text);
    const char *schema;
    uint32_t version;
    VFX_TRY(cmd_json_get_text(reader->manifest, reader->manifest_path, "schema", &schema));
    VFX_TRY(cmd_json_get_u32(reader->manifest, reader->manifest_path, "schema_version", &version));
    if (strcmp(schema, "vfxbench-dump") != 0 || version != CMD_DUMP_SCHEMA)
        return vfx_fail(VFX_IO, "%s: schema %.64s version %" PRIu32 " is not vfxbench-dump version %d",
                        reader->manifest_path, schema, version, CMD_DUMP_SCHEMA);
    return VFX_OK;
}

/* Finds the case named "family/variant/preset" and fills reader->kase with its defaults. */
static vfx_status find_case(cmd_dump_reader *reader, const vfx_kernel *const kernels[], uint32_t kernel_count)
{
    const char *name;
    VFX_TRY(cmd_json_get_text(reader->manifest, reader->manifest_path, "case", &name));
    for (uint32_t k = 0; k < kernel_count; k++) {
        for (uint32_t v = 0; v < kernels[k]->variant_count; v++) {
            for (uint32_t p = 0; p < kernels[k]->preset_count; p++) {
                char candidate[512];
                (void)snprintf(candidate, sizeof candidate, "%s/%s/%s", kernels[k]->name, kernels[k]->variants[v].name,
                               kernels[k]->presets[p].name);
                if (strcmp(name, candidate) == 0)
                    return vfx_case_init(&reader->kase, kernels[k], &kernels[k]->variants[v],
                                         kernels[k]->presets[p].name);
            }
        }
    }
    return vfx_fail(VFX_IO, "%s: this build has no case '%.200s'", reader->manifest_path, name);
}

static vfx_status check_word(const cmd_dump_reader *reader, const vfx_param *param, uint32_t word)
{
    double value = vfx_param_value(param, word);
    if (value >= param->min && value <= param->max)
        return VFX_OK;
    return vfx_fail(VFX_IO, "%s: parameter %s is out of range %g to %g", reader->manifest_path, param->name, param->min,
                    param->max);
}

static vfx_status read_parameters(cmd_dump_reader *reader)
{
    const char *where = reader->manifest_path;
    const vfx_kernel *kernel = reader->kase.kernel;
    json_t *words, *host;
    VFX_TRY(cmd_json_get_object(reader->manifest, where, "parameter_words", &words));
    if (json_object_size(words) != kernel->param_count)
        return vfx_fail(VFX_IO, "%s: %zu parameters, but family %s has %" PRIu32, where, json_object_size(words),
                        kernel->name, kernel->param_count);
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        VFX_TRY(cmd_json_get_u32(words, where, kernel->params[i].name, &reader->kase.words[i]));
        VFX_TRY(check_word(reader, &kernel->params[i], reader->kase.words[i]));
    }
    VFX_TRY(cmd_json_get_object(reader->manifest, where, "host_parameters", &host));
    for (uint32_t i = 0; i < kernel->host_param_count; i++) {
        const char *text;
        char assignment[2 * VFX_MAX_VALUE];
        VFX_TRY(cmd_json_get_text(host, where, kernel->host_params[i].name, &text));
        int length = snprintf(assignment, sizeof assignment, "%s=%s", kernel->host_params[i].name, text);
        if (length < 0 || (size_t)length >= sizeof assignment || vfx_case_set(&reader->kase, assignment) != VFX_OK)
            return vfx_fail(VFX_IO, "%s: host parameter %s has no valid value", where, kernel->host_params[i].name);
    }
    return VFX_OK;
}

static vfx_status read_at(cmd_dump_reader *reader)
{
    const char *where = reader->manifest_path;
    json_t *rows;
    VFX_TRY(cmd_json_get_array(reader->manifest, where, "at", &rows));
    if (json_array_size(rows) > VFX_MAX_AT)
        return vfx_fail(VFX_IO, "%s: more than %d entries in \"at\"", where, VFX_MAX_AT);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        vfx_at *at = &reader->at.rows[reader->at.count++];
        const char *name;
        VFX_TRY(cmd_json_get_text(row, where, "parameter", &name));
        VFX_TRY(cmd_json_get_u32(row, where, "frame", &at->frame));
        VFX_TRY(cmd_json_get_u32(row, where, "word", &at->word));
        const vfx_param *param = vfx_param_find(reader->kase.kernel, name);
        if (param == NULL || (param->flags & VFX_LIVE) == 0)
            return vfx_fail(VFX_IO, "%s: \"at\" changes '%.64s', which is no live parameter", where, name);
        VFX_TRY(check_word(reader, param, at->word));
        at->row = (uint32_t)(param - reader->kase.kernel->params);
    }
    return VFX_OK;
}

static vfx_status read_run(cmd_dump_reader *reader)
{
    const char *where = reader->manifest_path;
    double dt;
    VFX_TRY(cmd_json_get_u32(reader->manifest, where, "seed", &reader->kase.seed));
    VFX_TRY(cmd_json_get_u32(reader->manifest, where, "frames", &reader->kase.frames));
    VFX_TRY(cmd_json_get_number(reader->manifest, where, "dt", &dt));
    reader->kase.dt = (float)dt;
    if (json_object_get(reader->manifest, "storage_limit") != NULL) /* older dumps have none */
        VFX_TRY(cmd_json_get_u64(reader->manifest, where, "storage_limit", &reader->kase.storage_limit));
    const char *device = json_string_value(json_object_get(json_object_get(reader->manifest, "device"), "name"));
    cmd_copy(reader->device, sizeof reader->device, device != NULL ? device : "");
    if (vfx_case_validate(&reader->kase) != VFX_OK) {
        char why[512];
        cmd_copy(why, sizeof why, vfx_message());
        return vfx_fail(VFX_IO, "%s: the parameters do not fit together: %s", where, why);
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------ buffers */

static vfx_status check_fields(const cmd_dump_reader *reader, const vfx_buffer *row, const json_t *block)
{
    const char *where = reader->manifest_path;
    json_t *fields;
    VFX_TRY(cmd_json_get_array(block, where, "fields", &fields));
    bool same = json_array_size(fields) == row->field_count;
    for (uint32_t i = 0; same && i < row->field_count; i++) {
        const json_t *field = json_array_get(fields, i);
        const char *name, *type;
        uint32_t components, offset;
        VFX_TRY(cmd_json_get_text(field, where, "name", &name));
        VFX_TRY(cmd_json_get_text(field, where, "type", &type));
        VFX_TRY(cmd_json_get_u32(field, where, "components", &components));
        VFX_TRY(cmd_json_get_u32(field, where, "offset", &offset));
        same = strcmp(name, row->fields[i].name) == 0 && strcmp(type, cmd_field_type_name(row->fields[i].type)) == 0 &&
               components == row->fields[i].components && offset == row->fields[i].offset;
    }
    return same ? VFX_OK : vfx_fail(VFX_IO, "%s: buffer %s has other fields than this build's", where, row->name);
}

/* The frames of a buffer's files: ascending, and named exactly as they are written. */
static vfx_status check_files(cmd_dump_reader *reader, const vfx_buffer *row, const json_t *files)
{
    const char *where = reader->manifest_path;
    size_t count = json_array_size(files);
    if (count == 0 || count > MAX_DUMP_FRAMES || (reader->frame_count > 0 && count != reader->frame_count))
        return vfx_fail(VFX_IO, "%s: buffer %s has %zu files, the first buffer %" PRIu32, where, row->name, count,
                        reader->frame_count);
    bool first = reader->frames == NULL;
    if (first && (reader->frames = calloc(count, sizeof *reader->frames)) == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %zu frame numbers", count);
    reader->frame_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const char *name;
        char expected[256];
        uint32_t frame;
        uint64_t hash;
        VFX_TRY(cmd_json_get_u32(json_array_get(files, i), where, "frame", &frame));
        VFX_TRY(cmd_json_get_text(json_array_get(files, i), where, "file", &name));
        VFX_TRY(cmd_json_get_u64(json_array_get(files, i), where, "hash", &hash));
        cmd_dump_file_name(row, frame, expected, sizeof expected);
        if (frame < 1 || frame > reader->kase.frames || (first && i > 0 && frame <= reader->frames[i - 1]) ||
            (!first && frame != reader->frames[i]) || strcmp(name, expected) != 0)
            return vfx_fail(VFX_IO, "%s: buffer %s: file %zu is not in order or not named %s", where, row->name, i + 1,
                            expected);
        reader->frames[i] = frame;
    }
    return VFX_OK;
}

static vfx_status read_buffer(cmd_dump_reader *reader, const json_t *block)
{
    const char *where = reader->manifest_path, *name;
    const vfx_kernel *kernel = reader->kase.kernel;
    VFX_TRY(cmd_json_get_text(block, where, "name", &name));
    uint32_t index = 0;
    while (index < kernel->buffer_count && strcmp(kernel->buffers[index].name, name) != 0)
        index++;
    if (index == kernel->buffer_count || (reader->kase.variant->buffers >> index & 1u) == 0 ||
        (reader->mask >> index & 1u) != 0)
        return vfx_fail(VFX_IO, "%s: buffer '%.64s' is unknown to this variant or listed twice", where, name);
    const vfx_buffer *row = &kernel->buffers[index];
    uint32_t stride;
    uint64_t count;
    VFX_TRY(cmd_json_get_u32(block, where, "stride", &stride));
    VFX_TRY(cmd_json_get_u64(block, where, "count", &count));
    if (stride != row->stride || count != row->count(&reader->kase))
        return vfx_fail(VFX_IO,
                        "%s: buffer %s has %" PRIu64 " records of %" PRIu32 " bytes, this build's case %" PRIu64
                        " of %" PRIu32,
                        where, name, count, stride, row->count(&reader->kase), row->stride);
    VFX_TRY(check_fields(reader, row, block));
    VFX_TRY(cmd_json_get_array(block, where, "files", &reader->files[index]));
    VFX_TRY(check_files(reader, row, reader->files[index]));
    reader->mask |= 1u << index;
    return VFX_OK;
}

/* Every result of the variant must be there, and there must be one: else nothing would be compared. */
static vfx_status check_complete(const cmd_dump_reader *reader)
{
    const vfx_kernel *kernel = reader->kase.kernel;
    bool any = false;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        bool bound = (reader->kase.variant->buffers >> i & 1u) != 0;
        if (!bound || !vfx_role_is_result(kernel->buffers[i].role))
            continue;
        if ((reader->mask >> i & 1u) == 0)
            return vfx_fail(VFX_IO, "%s: the dump lacks buffer '%s', a result of this variant", reader->manifest_path,
                            kernel->buffers[i].name);
        any = true;
    }
    return any ? VFX_OK : vfx_fail(VFX_IO, "%s: the dump holds no results", reader->manifest_path);
}

vfx_status cmd_dump_open(cmd_dump_reader *reader, const char *folder, const vfx_kernel *const kernels[],
                         uint32_t kernel_count)
{
    memset(reader, 0, sizeof *reader);
    VFX_TRY(load_manifest(reader, folder));
    VFX_TRY(find_case(reader, kernels, kernel_count));
    VFX_TRY(read_parameters(reader));
    VFX_TRY(read_at(reader));
    VFX_TRY(read_run(reader));
    VFX_TRY(cmd_case_load(&reader->kase)); /* counts may come from the asset */
    reader->loaded = true;
    json_t *buffers;
    VFX_TRY(cmd_json_get_array(reader->manifest, reader->manifest_path, "buffers", &buffers));
    for (size_t i = 0; i < json_array_size(buffers); i++)
        VFX_TRY(read_buffer(reader, json_array_get(buffers, i)));
    return check_complete(reader);
}

vfx_status cmd_dump_read(const cmd_dump_reader *reader, uint32_t index, const vfx_host *host)
{
    for (uint32_t i = 0; i < reader->kase.kernel->buffer_count; i++) {
        const vfx_buffer *row = &reader->kase.kernel->buffers[i];
        if ((reader->mask >> i & 1u) == 0)
            continue;
        char name[256], path[CMD_DUMP_PATH + 256];
        uint64_t hash;
        cmd_dump_file_name(row, reader->frames[index], name, sizeof name);
        (void)snprintf(path, sizeof path, "%s/%s", reader->folder, name);
        VFX_TRY(vfx_npy_read(path, row, host->buffer[i], host->count[i]));
        VFX_TRY(cmd_json_get_u64(json_array_get(reader->files[i], index), reader->manifest_path, "hash", &hash));
        if (vfx_hash(VFX_HASH_START, host->buffer[i], host->bytes[i]) != hash)
            return vfx_fail(VFX_IO, "%s: the contents do not have the hash that %s gives", path, reader->manifest_path);
    }
    return VFX_OK;
}

void cmd_dump_close(cmd_dump_reader *reader)
{
    if (reader->loaded)
        cmd_case_unload(&reader->kase);
    free(reader->frames);
    json_decref(reader->manifest);
    memset(reader, 0, sizeof *reader);
}
