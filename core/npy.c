/* core/npy.c - see npy.h. The header is a Python dictionary in text; the reader does not parse Python but looks for
 * the exact dtype that the writer would have written, blanks aside (NumPy's own files have the same form). */
#include "core/npy.h"

#include "core/platform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREFIX = 10, /* magic (6), version (2), header length (2) */
    ALIGN = 64,  /* of the data in the file */
    HEADER_BYTES = 8192,
    DIGITS = 24
};

static const unsigned char magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};

/* ------------------------------------------------------------------------------------------ dtype */

/* Text that grows; `full` once something did not fit. */
typedef struct text {
    char bytes[HEADER_BYTES];
    size_t used;
    bool full;
} text;

static void put(text *t, const char *format, ...) VFX_PRINTF(2, 3);

static void put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof t->bytes - t->used)
        t->full = true;
    else
        t->used += (size_t)length;
}

/* Bytes, NumPy type and stored components of a field. */
static size_t field_bytes(const vfx_field *field, const char **type, uint32_t *components)
{
    *components = field->components;
    switch (field->type) {
    case VFX_FIELD_F32:
        *type = "<f4";
        return 4u * (size_t)field->components;
    case VFX_FIELD_U32:
        *type = "<u4";
        return 4u * (size_t)field->components;
    case VFX_FIELD_I32:
        *type = "<i4";
        return 4u * (size_t)field->components;
    case VFX_FIELD_F16:
        *type = "<f2";
        return 2u * (size_t)field->components;
    case VFX_FIELD_OCT16:
        *type = "<i2";
        *components = 2;
        return 4;
    case VFX_FIELD_UNORM8:
        *type = "|u1";
        *components = 4;
        return 4;
    }
    return 0;
}

/* A gap as NumPy writes it: an unnamed void field. */
static void put_gap(text *t, size_t bytes)
{
    if (bytes > 0)
        put(t, "%s('', '|V%zu')", t->used > 1 ? ", " : "", bytes);
}

/* "[('position', '<f4', (3,)), ('radius', '<f4')]" */
static vfx_status put_dtype(text *t, const vfx_buffer *buffer)
{
    if (buffer->field_count == 0) {
        put(t, "'|V%u'", buffer->stride);
        return VFX_OK;
    }
    size_t end = 0; /* of the fields so far */
    put(t, "[");
    for (uint32_t i = 0; i < buffer->field_count; i++) {
        const vfx_field *field = &buffer->fields[i];
        const char *type = "";
        uint32_t components = 0;
        size_t bytes = field_bytes(field, &type, &components);
        if (field->offset < end || field->offset > buffer->stride || bytes > buffer->stride - field->offset)
            return vfx_fail(VFX_USAGE, "buffer %s: field %s is out of order, overlaps another or leaves the record",
                            buffer->name, field->name);
        put_gap(t, field->offset - end);
        put(t, "%s('%s', '%s'", t->used > 1 ? ", " : "", field->name, type);
        if (components > 1)
            put(t, ", (%u,)", components);
        put(t, ")");
        end = field->offset + bytes;
    }
    put_gap(t, buffer->stride - end);
    put(t, "]");
    if (t->full)
        return vfx_fail(VFX_USAGE, "buffer %s has too many fields for an .npy header", buffer->name);
    return VFX_OK;
}

/* The header's numbers and the records' are both little-endian. */
static vfx_status check_host(const char *path)
{
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    return low == 1 ? VFX_OK : vfx_fail(VFX_UNSUPPORTED, "%s: .npy files need a little-endian host", path);
}

static vfx_status data_bytes(const char *path, const vfx_buffer *buffer, uint64_t count, size_t *bytes)
{
    if (count > SIZE_MAX || !vfx_mul_size((size_t)count, buffer->stride, bytes))
        return vfx_fail(VFX_IO, "%s: %llu records of %u bytes are more than memory can address", path,
                        (unsigned long long)count, buffer->stride);
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------ write */

static vfx_status write_with(text *header, const char *path, const vfx_buffer *buffer, const void *records,
                             uint64_t count)
{
    size_t bytes = 0;
    VFX_TRY(data_bytes(path, buffer, count, &bytes));
    text *dtype = calloc(1, sizeof *dtype);
    if (dtype == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the header of %s", path);
    vfx_status status = put_dtype(dtype, buffer);
    put(header, "{'descr': %s, 'fortran_order': False, 'shape': (%llu,), }", dtype->bytes, (unsigned long long)count);
    free(dtype);
    VFX_TRY(status);
    while ((PREFIX + header->used + 1) % ALIGN != 0 && !header->full)
        put(header, " ");
    put(header, "\n");
    if (header->full)
        return vfx_fail(VFX_USAGE, "buffer %s has too many fields for an .npy header", buffer->name);
    unsigned char prefix[PREFIX];
    memcpy(prefix, magic, sizeof magic);
    prefix[8] = (unsigned char)(header->used & 0xffu);
    prefix[9] = (unsigned char)(header->used >> 8);
    const vfx_part parts[] = {{prefix, sizeof prefix}, {header->bytes, header->used}, {records, bytes}};
    return vfx_write_file_parts(path, parts, VFX_COUNT(parts));
}

vfx_status vfx_npy_write(const char *path, const vfx_buffer *buffer, const void *records, uint64_t count)
{
    VFX_TRY(check_host(path));
    text *header = calloc(1, sizeof *header);
    if (header == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the header of %s", path);
    vfx_status status = write_with(header, path, buffer, records, count);
    free(header);
    return status;
}

/* ------------------------------------------------------------------------------------------- read */

/* Magic, version and header text without its blanks, NUL-terminated. */
static vfx_status read_header(FILE *file, const char *path, text *header)
{
    unsigned char prefix[PREFIX];
    size_t got = fread(prefix, 1, sizeof prefix, file);
    if (got == 0 && ferror(file))
        return vfx_fail(VFX_IO, "cannot read %s: %s", path, strerror(errno));
    if (got < 6 || memcmp(prefix, magic, 6) != 0)
        return vfx_fail(VFX_IO, "%s is not an .npy file", path);
    if (got < sizeof prefix)
        return vfx_fail(VFX_IO, "%s is truncated: the header is incomplete", path);
    if (prefix[6] != magic[6] || prefix[7] != magic[7])
        return vfx_fail(VFX_IO, "%s is .npy version %u.%u, only 1.0 is read", path, prefix[6], prefix[7]);
    size_t length = (size_t)prefix[8] | (size_t)prefix[9] << 8;
    if (length >= sizeof header->bytes)
        return vfx_fail(VFX_IO, "%s has a header of %zu bytes, at most %zu are read", path, length,
                        sizeof header->bytes - 1);
    if (fread(header->bytes, 1, length, file) != length)
        return vfx_fail(VFX_IO, "%s is truncated: the header is incomplete", path);
    for (size_t i = 0; i < length; i++)
        if (header->bytes[i] != ' ' && header->bytes[i] != '\n')
            header->bytes[header->used++] = header->bytes[i];
    header->bytes[header->used] = '\0';
    return VFX_OK;
}

/* Bytes of the dtype behind "'descr':" at `descr` (NULL: there is none) that a message quotes: a text to its closing
 * quote, a list of fields to its closing bracket. At most 300. */
static int dtype_length(const char *descr)
{
    enum { KEY = 8, MOST = 300 };
    if (descr == NULL)
        return MOST;
    const char *dtype = descr + KEY;
    const char *end = *dtype == '[' ? strchr(dtype, ']') : *dtype == '\'' ? strchr(dtype + 1, '\'') : NULL;
    return end != NULL && end - dtype < MOST ? (int)(end - dtype) + 1 : MOST;
}

/* Compares the header (without blanks) with what the row and the count demand. */
static vfx_status check_header(const char *path, const text *header, text *wanted, const vfx_buffer *buffer,
                               uint64_t count)
{
    VFX_TRY(put_dtype(wanted, buffer));
    size_t length = 0;
    for (size_t i = 0; i < wanted->used; i++)
        if (wanted->bytes[i] != ' ')
            wanted->bytes[length++] = wanted->bytes[i];
    wanted->bytes[length] = '\0';

    static const char key[] = "'descr':";
    const char *descr = strstr(header->bytes, key);
    if (descr == NULL || strncmp(descr + sizeof key - 1, wanted->bytes, length) != 0)
        return vfx_fail(VFX_IO, "%s holds other records than buffer %s: dtype %.*s, wanted %.300s", path, buffer->name,
                        dtype_length(descr), descr != NULL ? descr + sizeof key - 1 : "none", wanted->bytes);
    const char *rest = descr + sizeof key - 1 + length; /* behind the dtype */
    if (strstr(rest, "'fortran_order':False") == NULL)
        return vfx_fail(VFX_IO, "%s is in Fortran order", path);
    const char *shape = strstr(rest, "'shape':");
    char expected[DIGITS + 16];
    int expected_length = snprintf(expected, sizeof expected, "'shape':(%llu,)", (unsigned long long)count);
    if (shape == NULL || strncmp(shape, expected, (size_t)expected_length) != 0)
        return vfx_fail(VFX_IO, "%s has another number of records: %.40s, wanted (%llu,)", path,
                        shape != NULL ? shape + 8 : "no shape", (unsigned long long)count);
    return VFX_OK;
}

static vfx_status read_records(FILE *file, const char *path, void *records, size_t bytes)
{
    size_t got = bytes > 0 ? fread(records, 1, bytes, file) : 0;
    if (ferror(file))
        return vfx_fail(VFX_IO, "cannot read %s: %s", path, strerror(errno));
    if (got != bytes)
        return vfx_fail(VFX_IO, "%s is truncated: %zu of %zu bytes of records", path, got, bytes);
    if (fgetc(file) != EOF)
        return vfx_fail(VFX_IO, "%s goes on after its last record", path);
    return VFX_OK;
}

static vfx_status read_with(text headers[2], FILE *file, const char *path, const vfx_buffer *buffer, void *records,
                            uint64_t count)
{
    size_t bytes = 0;
    VFX_TRY(data_bytes(path, buffer, count, &bytes));
    VFX_TRY(read_header(file, path, &headers[0]));
    VFX_TRY(check_header(path, &headers[0], &headers[1], buffer, count));
    return read_records(file, path, records, bytes);
}

vfx_status vfx_npy_read(const char *path, const vfx_buffer *buffer, void *records, uint64_t count)
{
    VFX_TRY(check_host(path));
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return vfx_fail(VFX_IO, "cannot open %s: %s", path, strerror(errno));
    text *headers = calloc(2, sizeof *headers);
    vfx_status status = headers != NULL ? read_with(headers, file, path, buffer, records, count)
                                        : vfx_fail(VFX_MEMORY, "out of memory for the header of %s", path);
    free(headers);
    (void)fclose(file);
    return status;
}

/* ------------------------------------------------------------------------------------------ floats */

static vfx_status check_floats(const char *path, const text *header, const char *counted, uint64_t rows,
                               uint64_t columns)
{
    char expected[2 * DIGITS + 16];
    const char *descr = strstr(header->bytes, "'descr':"), *shape = strstr(header->bytes, "'shape':");
    if (descr == NULL || strncmp(descr + 8, "'<f4'", 5) != 0)
        return vfx_fail(VFX_IO, "%s does not hold 32-bit floats: dtype %.*s, wanted '<f4'", path, dtype_length(descr),
                        descr != NULL ? descr + 8 : "none");
    if (strstr(header->bytes, "'fortran_order':False") == NULL)
        return vfx_fail(VFX_IO, "%s is in Fortran order", path);
    int length = snprintf(expected, sizeof expected, "'shape':(%llu,%llu)", (unsigned long long)rows,
                          (unsigned long long)columns);
    if (shape == NULL || strncmp(shape, expected, (size_t)length) != 0)
        return vfx_fail(VFX_IO, "%s has another shape: %.*s, wanted (%llu,%llu), as many rows as %s says", path,
                        shape != NULL ? (int)strcspn(shape + 8, ")") + 1 : 8, shape != NULL ? shape + 8 : "no shape",
                        (unsigned long long)rows, (unsigned long long)columns, counted);
    return VFX_OK;
}

vfx_status vfx_npy_read_floats(const char *path, const char *counted, uint64_t rows, uint64_t columns, float *values)
{
    VFX_TRY(check_host(path));
    size_t bytes = 0;
    if (rows > SIZE_MAX || columns > SIZE_MAX || !vfx_mul_size((size_t)rows, (size_t)columns, &bytes) ||
        !vfx_mul_size(bytes, sizeof *values, &bytes))
        return vfx_fail(VFX_IO, "%s: more floats than memory can address", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return vfx_fail(VFX_IO, "cannot open %s: %s", path, strerror(errno));
    text *header = calloc(1, sizeof *header);
    vfx_status status = header != NULL ? read_header(file, path, header)
                                       : vfx_fail(VFX_MEMORY, "out of memory for the header of %s", path);
    if (status == VFX_OK)
        status = check_floats(path, header, counted, rows, columns);
    if (status == VFX_OK)
        status = read_records(file, path, values, bytes);
    free(header);
    (void)fclose(file);
    return status;
}
