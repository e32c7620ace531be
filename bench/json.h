/* bench/json.h - the JSON habits of reports and manifests over jansson: non-finite numbers are null with a reason,
 * 64-bit integers are decimal strings, any bytes make valid text, and reading names what is wrong. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include "core/status.h"

#include <jansson.h>
#include <stdint.h>

/* Writers. They set object[key]. Out of memory leaves the key out, and a NULL object is let pass, so that building a
 * document needs no checks; cmd_json_dump() reports the shortage. */
void cmd_json_text(json_t *object, const char *key, const char *text); /* NULL: null. Not UTF-8: '?' for such bytes */
void cmd_json_u64(json_t *object, const char *key, uint64_t value);    /* decimal string */
void cmd_json_u32(json_t *object, const char *key, uint32_t value);    /* number */
void cmd_json_bool(json_t *object, const char *key, bool value);
/* A number; when not finite null, and key_reason = reason. */
void cmd_json_number(json_t *object, const char *key, double value, const char *reason);
/* Array of numbers; non-finite ones are null. */
json_t *cmd_json_numbers(const double *values, size_t count);
/* Adds a new object or array under the key and returns it (borrowed), or NULL. */
json_t *cmd_json_object(json_t *object, const char *key);
json_t *cmd_json_array(json_t *object, const char *key);
/* Appends a new object to the array and returns it (borrowed), or NULL. */
json_t *cmd_json_append(json_t *array);
/* Text of the value, indented, 17 digits, ending in a newline; free() it. MEMORY on failure. */
vfx_status cmd_json_dump(const json_t *value, char **text) VFX_MUST_USE;

/* Readers. `where` names the file in messages; IO when the key is missing or of another type. */
vfx_status cmd_json_get_text(const json_t *object, const char *where, const char *key, const char **text) VFX_MUST_USE;
vfx_status cmd_json_get_u64(const json_t *object, const char *where, const char *key, uint64_t *value) VFX_MUST_USE;
vfx_status cmd_json_get_u32(const json_t *object, const char *where, const char *key, uint32_t *value) VFX_MUST_USE;
vfx_status cmd_json_get_number(const json_t *object, const char *where, const char *key, double *value) VFX_MUST_USE;
vfx_status cmd_json_get_array(const json_t *object, const char *where, const char *key, json_t **array) VFX_MUST_USE;
vfx_status cmd_json_get_object(const json_t *object, const char *where, const char *key, json_t **value) VFX_MUST_USE;

#endif
