/* kernels/vat/gltf_json.c - typed, checked access to the JSON of a glTF file. A gltf_at carries its path, so that every
 * message says where in the file the trouble is; all numbers are doubles until they are asked for as integers. */
#include "kernels/vat/gltf_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double max_integer = 9007199254740992.0; /* 2^53: beyond, doubles are no integers any more */

/* ----------------------------------------------------------------------------------------- parsing */

/* jansson's parser recurses: nesting is limited before it sees the text. */
static vfx_status check_depth(const gltf_file *file, const char *text, size_t bytes)
{
    uint32_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < bytes; i++) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > GLTF_MAX_DEPTH)
                return vfx_fail(VFX_IO, "%s: JSON nested deeper than %d levels at byte %zu", file->name, GLTF_MAX_DEPTH,
                                i);
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        }
    }
    return VFX_OK;
}

/* Messages quote the file: without control characters. */
static void make_printable(char *text)
{
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c == 0x7f)
            *c = '?';
}

vfx_status gltf_parse(gltf_file *file, const char *text, size_t bytes)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (bytes >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        bytes -= 3;
    }
    while (bytes > 0 && text[bytes - 1] == '\0') /* wrong, but common, padding of a .glb's chunk */
        bytes--;
    VFX_TRY(check_depth(file, text, bytes));
    json_error_t error;
    file->root = json_loadb(text, bytes, JSON_DECODE_INT_AS_REAL, &error);
    if (file->root == NULL) {
        if (json_error_code(&error) == json_error_out_of_memory)
            return vfx_fail(VFX_MEMORY, "%s: no memory for its JSON", file->name);
        make_printable(error.text);
        return vfx_fail(VFX_IO, "%s: line %d, column %d: %s", file->name, error.line, error.column, error.text);
    }
    if (!json_is_object(file->root))
        return vfx_fail(VFX_IO, "%s: /: no JSON object", file->name);
    return VFX_OK;
}

/* -------------------------------------------------------------------------------------- navigation */

vfx_status gltf_fail(const gltf_at *at, vfx_status status, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    make_printable(text);
    return vfx_fail(status, "%s: %s: %s", at->file->name, at->path[0] != '\0' ? at->path : "/", text);
}

gltf_at gltf_root(gltf_file *file)
{
    return (gltf_at){.file = file, .value = file->root};
}

static gltf_at step_to(const gltf_at *at, json_t *value, const char *key)
{
    gltf_at next = {.file = at->file, .value = value};
    /* 16 bytes of `key` are enough for an index; longer keys are the reader's own and few */
    snprintf(next.path, sizeof next.path, "%.*s/%s", GLTF_PATH_BYTES - 32, at->path, key);
    return next;
}

gltf_at gltf_member(const gltf_at *at, const char *key)
{
    return step_to(at, json_object_get(at->value, key), key);
}

gltf_at gltf_element(const gltf_at *array, uint32_t index)
{
    char key[16];
    snprintf(key, sizeof key, "%u", index);
    return step_to(array, json_array_get(array->value, index), key);
}

vfx_status gltf_array(const gltf_at *at, const char *key, gltf_at *array, uint32_t *count)
{
    *array = gltf_member(at, key);
    *count = 0;
    if (!gltf_there(array))
        return VFX_OK;
    if (!json_is_array(array->value))
        return gltf_fail(array, VFX_IO, "must be an array");
    if (json_array_size(array->value) > INT32_MAX)
        return gltf_fail(array, VFX_IO, "has too many elements");
    *count = (uint32_t)json_array_size(array->value);
    return VFX_OK;
}

vfx_status gltf_object(const gltf_at *array, uint32_t index, gltf_at *object)
{
    *object = gltf_element(array, index);
    return json_is_object(object->value) ? VFX_OK : gltf_fail(object, VFX_IO, "must be an object");
}

gltf_at gltf_listed(gltf_file *file, const char *list, uint32_t index)
{
    const gltf_at root = gltf_root(file), array = gltf_member(&root, list);
    return gltf_element(&array, index);
}

uint32_t gltf_count(gltf_file *file, const char *list)
{
    const size_t size = json_array_size(json_object_get(file->root, list));
    return size > INT32_MAX ? INT32_MAX : (uint32_t)size;
}

/* ------------------------------------------------------------------------------------------ values */

vfx_status gltf_uint(const gltf_at *at, uint64_t max, uint64_t *value)
{
    if (!gltf_there(at))
        return gltf_fail(at, VFX_IO, "is missing");
    if (!json_is_real(at->value))
        return gltf_fail(at, VFX_IO, "must be an integer");
    const double x = json_real_value(at->value);
    if (!(x >= 0 && x <= max_integer && floor(x) == x) || (uint64_t)x > max)
        return gltf_fail(at, VFX_IO, "%.17g: must be an integer from 0 to %llu", x, (unsigned long long)max);
    *value = (uint64_t)x;
    return VFX_OK;
}

vfx_status gltf_uint_or(const gltf_at *at, const char *key, uint64_t def, uint64_t max, uint64_t *value)
{
    const gltf_at member = gltf_member(at, key);
    *value = def;
    return gltf_there(&member) ? gltf_uint(&member, max, value) : VFX_OK;
}

vfx_status gltf_index(const gltf_at *at, const char *list, uint32_t *index)
{
    const uint32_t count = gltf_count(at->file, list);
    uint64_t value = 0;
    *index = GLTF_NONE;
    VFX_TRY(gltf_uint(at, UINT32_MAX - 1, &value));
    if (value >= count)
        return gltf_fail(at, VFX_IO, "%llu: there are only %u %s", (unsigned long long)value, count, list);
    *index = (uint32_t)value;
    return VFX_OK;
}

vfx_status gltf_index_or_none(const gltf_at *at, const char *key, const char *list, uint32_t *index)
{
    const gltf_at member = gltf_member(at, key);
    *index = GLTF_NONE;
    return gltf_there(&member) ? gltf_index(&member, list, index) : VFX_OK;
}

vfx_status gltf_numbers(const gltf_at *at, const char *key, uint32_t count, double *values)
{
    gltf_at array;
    uint32_t length;
    VFX_TRY(gltf_array(at, key, &array, &length));
    if (!gltf_there(&array))
        return VFX_OK;
    if (length != count)
        return gltf_fail(&array, VFX_IO, "has %u elements, must have %u", length, count);
    for (uint32_t i = 0; i < count; i++) {
        const gltf_at element = gltf_element(&array, i);
        if (!json_is_real(element.value))
            return gltf_fail(&element, VFX_IO, "must be a number");
        values[i] = json_real_value(element.value);
        if (!(fabs(values[i]) <= 3.4028234663852886e38)) /* what a float holds, as in accessors */
            return gltf_fail(&element, VFX_IO, "%g is too large", values[i]);
    }
    return VFX_OK;
}

vfx_status gltf_bool_or(const gltf_at *at, const char *key, bool def, bool *value)
{
    const gltf_at member = gltf_member(at, key);
    *value = gltf_there(&member) ? json_is_true(member.value) : def;
    return !gltf_there(&member) || json_is_boolean(member.value) ? VFX_OK
                                                                 : gltf_fail(&member, VFX_IO, "must be true or false");
}

vfx_status gltf_text(const gltf_at *at, const char **text)
{
    if (!gltf_there(at))
        return gltf_fail(at, VFX_IO, "is missing");
    *text = json_string_value(at->value);
    return *text != NULL ? VFX_OK : gltf_fail(at, VFX_IO, "must be a string");
}

void gltf_name(const gltf_at *at, const char *what, uint32_t number, char name[VAT_NAME_BYTES])
{
    const char *text = json_string_value(json_object_get(at->value, "name"));
    if (text == NULL || *text == '\0') {
        snprintf(name, VAT_NAME_BYTES, "%s%u", what, number);
        return;
    }
    size_t bytes = strlen(text);
    if (bytes >= VAT_NAME_BYTES) {
        bytes = VAT_NAME_BYTES - 1;
        while (bytes > 0 && ((unsigned char)text[bytes] & 0xc0) == 0x80) /* not within a UTF-8 character */
            bytes--;
    }
    memcpy(name, text, bytes);
    name[bytes] = '\0';
    for (size_t i = 0; i < bytes; i++) { /* C0, DEL, and C1, which are c2 80..c2 9f: names are printed */
        const unsigned char c = (unsigned char)name[i], next = (unsigned char)name[i + 1];
        if (c == 0xc2 && next >= 0x80 && next < 0xa0)
            name[i] = name[i + 1] = '?';
        else if (c < 0x20 || c == 0x7f)
            name[i] = '?';
    }
}

/* ------------------------------------------------------------------------------------------ memory */

/* Counts `bytes` against what a file of this size may ask for. */
static vfx_status spend(const gltf_at *at, size_t bytes)
{
    gltf_file *file = at->file;
    size_t allowed = SIZE_MAX;
    if (!vfx_mul_size(file->read_bytes, GLTF_BYTES_PER_BYTE, &allowed) ||
        !vfx_add_size(allowed, GLTF_FREE_BYTES, &allowed))
        allowed = SIZE_MAX;
    if (bytes > allowed - file->used_bytes)
        return gltf_fail(at, VFX_IO,
                         "asks for %zu bytes of memory more, out of proportion to the %zu bytes of the file", bytes,
                         file->read_bytes);
    file->used_bytes += bytes;
    return VFX_OK;
}

vfx_status gltf_allocate(const gltf_at *at, size_t count, size_t size, void *pointer)
{
    size_t bytes;
    if (!vfx_mul_size(count, size, &bytes))
        return gltf_fail(at, VFX_IO, "%zu rows of %zu bytes are too many", count, size);
    VFX_TRY(spend(at, bytes));
    void *memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (memory == NULL)
        return gltf_fail(at, VFX_MEMORY, "no memory for %zu bytes", bytes);
    memcpy(pointer, &memory, sizeof memory); /* whatever type the caller's pointer has */
    return VFX_OK;
}

vfx_status gltf_grow(const gltf_at *at, void *pointer, uint32_t *room, uint32_t count, size_t more, size_t size)
{
    size_t wanted, bytes;
    if (!vfx_add_size(count, more, &wanted) || wanted > INT32_MAX)
        return gltf_fail(at, VFX_IO, "%zu more rows are too many", more);
    if (wanted <= *room)
        return VFX_OK;
    if (wanted < (size_t)*room * 2)
        wanted = (size_t)*room * 2;
    if (wanted > UINT32_MAX || !vfx_mul_size(wanted, size, &bytes))
        return gltf_fail(at, VFX_IO, "%zu more rows are too many", more);
    VFX_TRY(spend(at, bytes - *room * size));
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    memory = realloc(memory, bytes);
    if (memory == NULL)
        return gltf_fail(at, VFX_MEMORY, "no memory for %zu bytes", bytes);
    memset((char *)memory + *room * size, 0, bytes - *room * size);
    memcpy(pointer, &memory, sizeof memory);
    *room = (uint32_t)wanted;
    return VFX_OK;
}
