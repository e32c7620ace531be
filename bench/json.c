/* bench/json.c - jansson with the habits of json.h. */
#include "bench/json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* json_object_set_new() accepts NULL for both and frees nothing then, which is what the writers rely on. */
static void set(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    size_t length = strlen(text);
    char *copy = value == NULL ? malloc(length + 1) : NULL;
    if (copy == NULL)
        return value;
    for (size_t i = 0; i <= length; i++)
        copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    value = json_string(copy);
    free(copy);
    return value;
}

void cmd_json_text(json_t *object, const char *key, const char *text)
{
    set(object, key, text != NULL ? text_value(text) : json_null());
}

void cmd_json_u64(json_t *object, const char *key, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    set(object, key, json_string(text));
}

void cmd_json_u32(json_t *object, const char *key, uint32_t value)
{
    set(object, key, json_integer((json_int_t)value));
}

void cmd_json_bool(json_t *object, const char *key, bool value)
{
    set(object, key, json_boolean(value));
}

void cmd_json_number(json_t *object, const char *key, double value, const char *reason)
{
    if (isfinite(value)) {
        set(object, key, json_real(value));
        return;
    }
    char reason_key[64];
    (void)snprintf(reason_key, sizeof reason_key, "%s_reason", key);
    set(object, key, json_null());
    cmd_json_text(object, reason_key, reason);
}

json_t *cmd_json_numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(array, isfinite(values[i]) ? json_real(values[i]) : json_null());
    return array;
}

json_t *cmd_json_object(json_t *object, const char *key)
{
    set(object, key, json_object());
    return json_object_get(object, key);
}

json_t *cmd_json_array(json_t *object, const char *key)
{
    set(object, key, json_array());
    return json_object_get(object, key);
}

json_t *cmd_json_append(json_t *array)
{
    (void)json_array_append_new(array, json_object());
    size_t count = json_array_size(array);
    return count > 0 ? json_array_get(array, count - 1) : NULL;
}

vfx_status cmd_json_dump(const json_t *value, char **text)
{
    char *dumped = value != NULL ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    size_t length = dumped != NULL ? strlen(dumped) : 0;
    *text = dumped != NULL ? realloc(dumped, length + 2) : NULL;
    if (*text == NULL) {
        free(dumped);
        return vfx_fail(VFX_MEMORY, "out of memory for JSON text");
    }
    memcpy(*text + length, "\n", 2);
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------ readers */

static vfx_status wrong(const char *where, const char *key, const char *expected)
{
    return vfx_fail(VFX_IO, "%s: \"%s\" is missing or not %s", where, key, expected);
}

vfx_status cmd_json_get_text(const json_t *object, const char *where, const char *key, const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text != NULL ? VFX_OK : wrong(where, key, "text");
}

vfx_status cmd_json_get_u64(const json_t *object, const char *where, const char *key, uint64_t *value)
{
    const char *text = json_string_value(json_object_get(object, key));
    char *end = NULL;
    if (text == NULL || *text < '0' || *text > '9')
        return wrong(where, key, "a decimal string");
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || parsed > UINT64_MAX)
        return wrong(where, key, "a decimal string of 64 bits");
    *value = (uint64_t)parsed;
    return VFX_OK;
}

vfx_status cmd_json_get_u32(const json_t *object, const char *where, const char *key, uint32_t *value)
{
    const json_t *number = json_object_get(object, key);
    json_int_t parsed = json_integer_value(number);
    if (!json_is_integer(number) || parsed < 0 || parsed > (json_int_t)UINT32_MAX)
        return wrong(where, key, "a whole number of 32 bits");
    *value = (uint32_t)parsed;
    return VFX_OK;
}

vfx_status cmd_json_get_number(const json_t *object, const char *where, const char *key, double *value)
{
    const json_t *number = json_object_get(object, key);
    *value = json_number_value(number);
    return json_is_number(number) ? VFX_OK : wrong(where, key, "a number");
}

vfx_status cmd_json_get_array(const json_t *object, const char *where, const char *key, json_t **array)
{
    *array = json_object_get(object, key);
    return json_is_array(*array) ? VFX_OK : wrong(where, key, "an array");
}

vfx_status cmd_json_get_object(const json_t *object, const char *where, const char *key, json_t **value)
{
    *value = json_object_get(object, key);
    return json_is_object(*value) ? VFX_OK : wrong(where, key, "an object");
}
