/* core/suggest.h - "did you mean": close names for a name that does not exist. */
#ifndef VFX_SUGGEST_H
#define VFX_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* True if the names differ by few typing errors for their length, or one contains the other. */
bool vfx_name_is_close(const char *typed, const char *name);

/* Writes "did you mean a, b?" with the close ones of `names`, or "known: ..." with all of them if none is close.
 * Cut with "..." if it does not fit. */
void vfx_suggest(const char *typed, const char *const names[], size_t count, char *text, size_t bytes);

#endif
