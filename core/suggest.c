/* core/suggest.c - see suggest.h. */
#include "core/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 48 }; /* longer names are never close */

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance: insertions, deletions and replacements that turn a into b. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    size_t b_length = strlen(b);
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smallest(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[b_length];
}

bool vfx_name_is_close(const char *typed, const char *name)
{
    size_t typed_length = strlen(typed), name_length = strlen(name);
    if (typed_length == 0 || typed_length > LONGEST || name_length > LONGEST)
        return false;
    if (typed_length >= 3 && (strstr(name, typed) != NULL || (name_length >= 3 && strstr(typed, name) != NULL)))
        return true;
    size_t allowed = typed_length <= 3 ? 1 : typed_length <= 7 ? 2 : 3;
    return edit_distance(typed, name) <= allowed;
}

/* Appends as much as fits; returns the new length, `bytes` when it did not fit. */
static size_t append(char *text, size_t bytes, size_t used, const char *more)
{
    if (used >= bytes)
        return bytes;
    int length = snprintf(text + used, bytes - used, "%s", more);
    return length < 0 || (size_t)length >= bytes - used ? bytes : used + (size_t)length;
}

void vfx_suggest(const char *typed, const char *const names[], size_t count, char *text, size_t bytes)
{
    if (bytes == 0)
        return;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || vfx_name_is_close(typed, names[i]);
    size_t used = append(text, bytes, 0, any ? "did you mean " : "known: ");
    const char *separator = "";
    for (size_t i = 0; i < count; i++) {
        if (any && !vfx_name_is_close(typed, names[i]))
            continue;
        used = append(text, bytes, used, separator);
        used = append(text, bytes, used, names[i]);
        separator = ", ";
    }
    used = append(text, bytes, used, count == 0 ? "none" : any ? "?" : "");
    if (used == bytes && bytes > 3)
        memcpy(text + bytes - 4, "...", 4);
}
