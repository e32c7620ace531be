/* bench/wire.h - what a launch of `time` tells the process that started it: one JSON object per line, each with a
 * "type".
 *
 *   device    "device": the block of the result file
 *   ceilings  "ceilings"
 *   begin     "case": index of the planned case that is being worked on now
 *   progress  "text": one line; also the sign of life
 *   say       "text": for the user
 *   case      "case", "object": a case as in the result file, its "timing" with this launch only
 *   failed    "status", "text": why there is no more
 *   end       all that was asked for has been tried, or the device is gone */
#ifndef BENCH_WIRE_H
#define BENCH_WIRE_H

#include "bench/json.h"

/* The child's end. Zeroed is right. */
typedef struct cmd_wire {
    uint64_t progress_ns; /* clock when the last progress was sent */
} cmd_wire;

/* Sends {"type": type} with `line`'s members, and drops `line`, which may be NULL. Nobody listening ends the process,
 * which then has no purpose. */
void cmd_wire_send(const char *type, json_t *line);
void cmd_wire_text(const char *type, const char *text);
/* At most four lines a second: more would be work between the samples. */
void cmd_wire_progress(cmd_wire *wire, const char *text);

/* The parent's end: bytes in, lines out. Zeroed is empty. */
typedef struct cmd_wire_reader {
    char *bytes;
    size_t used, room;
} cmd_wire_reader;

/* IO when a line is longer than any can be. */
vfx_status cmd_wire_feed(cmd_wire_reader *reader, const char *bytes, size_t count) VFX_MUST_USE;
/* The next whole line, *line = NULL if there is none; IO when it is no such object. json_decref(*line). */
vfx_status cmd_wire_next(cmd_wire_reader *reader, json_t **line) VFX_MUST_USE;
void cmd_wire_free(cmd_wire_reader *reader);

#endif
