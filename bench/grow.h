/* bench/grow.h - text that grows: files that are built in memory and written as a whole. */
#ifndef BENCH_GROW_H
#define BENCH_GROW_H

#include "core/status.h"

/* Zeroed is empty; free(text). Out of memory sticks: what follows is dropped, and `failed` says so. */
typedef struct cmd_grow {
    char *text; /* NUL behind it; NULL: empty */
    size_t length, room;
    bool failed;
} cmd_grow;

void cmd_grow_bytes(cmd_grow *grow, const char *bytes, size_t count);
void cmd_grow_text(cmd_grow *grow, const char *text);
/* At most 255 bytes: numbers and names of our own. */
void cmd_grow_format(cmd_grow *grow, const char *format, ...) VFX_PRINTF(2, 3);

#endif
