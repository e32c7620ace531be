/* bench/dump.c - writing of dump folders. */
#include "bench/dump.h"
#include "bench/report.h"
#include "core/npy.h"
#include "core/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *cmd_field_type_name(vfx_field_type type)
{
    switch (type) {
    case VFX_FIELD_F32:
        return "f32";
    case VFX_FIELD_U32:
        return "u32";
    case VFX_FIELD_I32:
        return "i32";
    case VFX_FIELD_F16:
        return "f16";
    case VFX_FIELD_OCT16:
        return "oct16";
    case VFX_FIELD_UNORM8:
        return "unorm8";
    }
    return "unknown";
}

const char *cmd_role_name(vfx_role role)
{
    switch (role) {
    case VFX_STATE_PING_PONG:
    case VFX_STATE:
        return "state";
    case VFX_INPUT:
        return "input";
    case VFX_FRAME_INPUT:
        return "frame-input";
    case VFX_OUTPUT:
        return "output";
    case VFX_SCRATCH:
        return "scratch";
    }
    return "unknown";
}

void cmd_dump_file_name(const vfx_buffer *buffer, uint32_t frame, char *name, size_t bytes)
{
    (void)snprintf(name, bytes, "%s.%06" PRIu32 ".npy", buffer->name, frame);
}

static void add_words(json_t *manifest, const vfx_case *kase)
{
    json_t *words = cmd_json_object(manifest, "parameter_words");
    for (uint32_t i = 0; i < kase->kernel->param_count; i++)
        cmd_json_u32(words, kase->kernel->params[i].name, kase->words[i]);
}

static void add_device(json_t *manifest, const vfx_device_info *info)
{
    if (info == NULL) {
        cmd_json_text(manifest, "device", NULL);
        return;
    }
    json_t *device = cmd_json_object(manifest, "device");
    cmd_json_text(device, "name", info->name);
    cmd_json_text(device, "type", vfx_device_type_name(info->type));
    cmd_json_text(device, "driver", info->driver);
    cmd_json_text(device, "uuid", info->uuid);
    cmd_json_text(device, "driver_uuid", info->driver_uuid);
}

/* One buffer block without files yet; they are appended frame by frame. */
static void add_buffer(json_t *buffers, const vfx_buffer *row, uint64_t count)
{
    json_t *buffer = cmd_json_append(buffers);
    cmd_json_text(buffer, "name", row->name);
    cmd_json_text(buffer, "role", cmd_role_name(row->role));
    cmd_json_u32(buffer, "stride", row->stride);
    cmd_json_u64(buffer, "count", count);
    json_t *fields = cmd_json_array(buffer, "fields");
    for (uint32_t i = 0; i < row->field_count; i++) {
        json_t *field = cmd_json_append(fields);
        cmd_json_text(field, "name", row->fields[i].name);
        cmd_json_text(field, "type", cmd_field_type_name(row->fields[i].type));
        cmd_json_u32(field, "components", row->fields[i].components);
        cmd_json_u32(field, "offset", row->fields[i].offset);
        cmd_json_text(field, "unit", row->fields[i].unit);
        cmd_json_text(field, "meaning", row->fields[i].meaning);
    }
    cmd_json_array(buffer, "files");
}

/* An older dump's manifest would make the folder look complete while the new one is written, or after it failed. */
static vfx_status remove_manifest(const char *folder)
{
    char path[CMD_DUMP_PATH + 32];
    (void)snprintf(path, sizeof path, "%s/manifest.json", folder);
    if (remove(path) != 0 && errno != ENOENT)
        return vfx_fail(VFX_IO, "cannot remove the older %s: %s", path, strerror(errno));
    return VFX_OK;
}

vfx_status cmd_dump_begin(cmd_dump *dump, const char *folder, const vfx_case *kase, const vfx_at_list *at,
                          uint32_t every, const vfx_device_info *device)
{
    memset(dump, 0, sizeof *dump);
    int length = snprintf(dump->folder, sizeof dump->folder, "%s", folder);
    if (length <= 0 || (size_t)length >= sizeof dump->folder)
        return vfx_fail(VFX_USAGE, "--dump: the path is empty or longer than %d bytes", CMD_DUMP_PATH - 1);
    VFX_TRY(vfx_make_folder(folder));
    VFX_TRY(remove_manifest(folder));
    dump->kase = kase;
    dump->manifest = json_object();
    char name[512];
    vfx_case_name(kase, name, sizeof name);
    cmd_json_text(dump->manifest, "schema", "vfxbench-dump");
    cmd_json_u32(dump->manifest, "schema_version", CMD_DUMP_SCHEMA);
    cmd_report_tool(dump->manifest, "tool");
    cmd_json_text(dump->manifest, "case", name);
    cmd_report_parameters(dump->manifest, kase);
    add_words(dump->manifest, kase);
    cmd_report_at(dump->manifest, "at", kase, at);
    cmd_json_u32(dump->manifest, "seed", kase->seed);
    cmd_json_number(dump->manifest, "dt", (double)kase->dt, "not a finite step");
    cmd_json_u32(dump->manifest, "frames", kase->frames);
    cmd_json_u32(dump->manifest, "every", every);
    cmd_json_u64(dump->manifest, "storage_limit", kase->storage_limit);
    add_device(dump->manifest, device);
    cmd_json_array(dump->manifest, "buffers");
    return VFX_OK;
}

/* The block of this buffer, made when its first frame arrives. */
static json_t *buffer_block(cmd_dump *dump, const vfx_buffer *row, uint64_t count)
{
    json_t *buffers = json_object_get(dump->manifest, "buffers");
    for (size_t i = 0; i < json_array_size(buffers); i++) {
        json_t *block = json_array_get(buffers, i);
        const char *name = json_string_value(json_object_get(block, "name"));
        if (name != NULL && strcmp(name, row->name) == 0)
            return block;
    }
    add_buffer(buffers, row, count);
    return json_array_get(buffers, json_array_size(buffers) - 1);
}

vfx_status cmd_dump_frame(cmd_dump *dump, uint32_t frame, const vfx_host *host)
{
    const vfx_kernel *kernel = dump->kase->kernel;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        const vfx_buffer *row = &kernel->buffers[i];
        if (host->buffer[i] == NULL)
            continue;
        char name[256], path[CMD_DUMP_PATH + 256];
        cmd_dump_file_name(row, frame, name, sizeof name);
        (void)snprintf(path, sizeof path, "%s/%s", dump->folder, name);
        VFX_TRY(vfx_npy_write(path, row, host->buffer[i], host->count[i]));
        json_t *files = json_object_get(buffer_block(dump, row, host->count[i]), "files");
        json_t *file = cmd_json_append(files);
        cmd_json_u32(file, "frame", frame);
        cmd_json_text(file, "file", name);
        cmd_report_hash(file, vfx_hash(VFX_HASH_START, host->buffer[i], host->bytes[i]));
    }
    dump->frames++;
    return VFX_OK;
}

vfx_status cmd_dump_end(cmd_dump *dump)
{
    char path[CMD_DUMP_PATH + 32], *text;
    (void)snprintf(path, sizeof path, "%s/manifest.json", dump->folder);
    VFX_TRY(cmd_json_dump(dump->manifest, &text));
    vfx_status status = vfx_write_file(path, text, strlen(text));
    free(text);
    return status;
}

void cmd_dump_free(cmd_dump *dump)
{
    json_decref(dump->manifest);
    memset(dump, 0, sizeof *dump);
}
