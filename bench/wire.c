/* bench/wire.c - see wire.h. */
#include "bench/wire.h"
#include "core/platform.h"
#include "core/platform_process.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MIB = 512, NOBODY_LISTENS = 5 };

void cmd_wire_send(const char *type, json_t *line)
{
    json_t *whole = line != NULL ? line : json_object();
    cmd_json_text(whole, "type", type);
    char *text = json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(whole);
    bool heard =
        text != NULL && vfx_process_report(text, strlen(text)) == VFX_OK && vfx_process_report("\n", 1) == VFX_OK;
    free(text);
    if (!heard)
        vfx_leave(NOBODY_LISTENS);
}

void cmd_wire_text(const char *type, const char *text)
{
    json_t *line = json_object();
    cmd_json_text(line, "text", text);
    cmd_wire_send(type, line);
}

void cmd_wire_progress(cmd_wire *wire, const char *text)
{
    uint64_t now = vfx_clock_ns();
    if (wire->progress_ns != 0 && now - wire->progress_ns < 250000000u)
        return;
    wire->progress_ns = now;
    cmd_wire_text("progress", text);
}

vfx_status cmd_wire_feed(cmd_wire_reader *reader, const char *bytes, size_t count)
{
    size_t needed, room = reader->room != 0 ? reader->room : 65536;
    if (!vfx_add_size(reader->used, count, &needed) || needed > (size_t)MOST_MIB << 20)
        return vfx_fail(VFX_IO, "a launch sent a line of more than %d MiB", MOST_MIB);
    while (room < needed)
        room *= 2;
    char *grown = room != reader->room ? realloc(reader->bytes, room) : reader->bytes;
    if (grown == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for what a launch reports");
    reader->bytes = grown;
    reader->room = room;
    memcpy(reader->bytes + reader->used, bytes, count);
    reader->used = needed;
    return VFX_OK;
}

vfx_status cmd_wire_next(cmd_wire_reader *reader, json_t **line)
{
    const char *end = reader->used > 0 ? memchr(reader->bytes, '\n', reader->used) : NULL;
    *line = NULL;
    if (end == NULL)
        return VFX_OK;
    size_t length = (size_t)(end - reader->bytes);
    *line = json_loadb(reader->bytes, length, 0, NULL);
    reader->used -= length + 1;
    memmove(reader->bytes, end + 1, reader->used);
    if (json_string_value(json_object_get(*line, "type")) != NULL)
        return VFX_OK;
    json_decref(*line);
    *line = NULL;
    return vfx_fail(VFX_IO, "a launch sent something that is no report");
}

void cmd_wire_free(cmd_wire_reader *reader)
{
    free(reader->bytes);
    memset(reader, 0, sizeof *reader);
}
