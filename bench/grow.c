/* bench/grow.c - see grow.h. */
#include "bench/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cmd_grow_bytes(cmd_grow *grow, const char *bytes, size_t count)
{
    size_t needed, room = grow->room > 0 ? grow->room : 4096;
    bool fits = vfx_add_size(grow->length, count, &needed) && vfx_add_size(needed, 1, &needed);
    while (fits && room < needed)
        fits = vfx_mul_size(room, 2, &room);
    char *grown = fits && room != grow->room ? realloc(grow->text, room) : grow->text;
    grow->failed = grow->failed || !fits || grown == NULL;
    if (grow->failed)
        return;
    grow->text = grown;
    grow->room = room;
    memcpy(grow->text + grow->length, bytes, count);
    grow->length += count;
    grow->text[grow->length] = '\0';
}

void cmd_grow_text(cmd_grow *grow, const char *text)
{
    cmd_grow_bytes(grow, text, strlen(text));
}

void cmd_grow_format(cmd_grow *grow, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cmd_grow_text(grow, text);
}
