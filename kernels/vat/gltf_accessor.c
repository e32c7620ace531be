/* kernels/vat/gltf_accessor.c - typed arrays of a glTF file, as doubles. All bounds are checked before the first byte
 * is read; bytes are put together one by one, so that neither alignment nor byte order of the host matter. */
#include "kernels/vat/gltf_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct component {
    uint32_t code; /* in the file */
    uint32_t bytes;
    bool is_signed, is_float;
    double maximum; /* of the integer: what normalised values are divided by */
} component;

static const component components[] = {
    {5120, 1, true, false, 127},    {5121, 1, false, false, 255},        {5122, 2, true, false, 32767},
    {5123, 2, false, false, 65535}, {5125, 4, false, false, 4294967295}, {5126, 4, true, true, 0},
};

/* A range of bytes that lies within a buffer. */
typedef struct slice {
    const uint8_t *data;
    size_t bytes, stride; /* stride 0: none given */
    size_t offset;        /* in the buffer */
} slice;

/* An accessor whose bounds have been checked. data NULL: zeros. */
typedef struct accessor {
    const component *component;
    bool normalised;
    uint32_t count, width; /* elements; components of each */
    const uint8_t *data;
    size_t stride;
} accessor;

/* ------------------------------------------------------------------------------------------ layout */

static vfx_status find_component(const gltf_at *at, const component **found)
{
    const gltf_at member = gltf_member(at, "componentType");
    uint64_t code;
    VFX_TRY(gltf_uint(&member, UINT32_MAX, &code));
    for (size_t i = 0; i < sizeof components / sizeof *components; i++)
        if (components[i].code == code) {
            *found = &components[i];
            return VFX_OK;
        }
    return gltf_fail(&member, VFX_IO, "%llu is no component type", (unsigned long long)code);
}

/* The bytes of buffer view `index`. */
static vfx_status find_slice(gltf_file *file, uint32_t index, slice *view)
{
    const gltf_at at = gltf_listed(file, "bufferViews", index), buffer_at = gltf_member(&at, "buffer"),
                  length_at = gltf_member(&at, "byteLength");
    uint32_t buffer;
    uint64_t offset, length, stride;
    VFX_TRY(gltf_index(&buffer_at, "buffers", &buffer));
    VFX_TRY(gltf_uint(&length_at, GLTF_MAX_BYTES, &length));
    VFX_TRY(gltf_uint_or(&at, "byteOffset", 0, GLTF_MAX_BYTES, &offset));
    VFX_TRY(gltf_uint_or(&at, "byteStride", 0, 252, &stride));
    const size_t bytes = file->buffers[buffer].bytes;
    if (offset > bytes || length > bytes - offset)
        return gltf_fail(&at, VFX_IO, "bytes %llu to %llu of buffer %u, which has %zu", (unsigned long long)offset,
                         (unsigned long long)(offset + length), buffer, bytes);
    *view = (slice){file->buffers[buffer].data + offset, (size_t)length, (size_t)stride, (size_t)offset};
    return VFX_OK;
}

/* `count` elements of `bytes` bytes from the member bufferView and byteOffset of `at`; *stride is the distance between
 * them, `packed`: `bytes`, whatever the view says. */
static vfx_status find_elements(const gltf_at *at, uint32_t count, size_t bytes, size_t alignment, bool packed,
                                const uint8_t **data, size_t *stride)
{
    const gltf_at view_at = gltf_member(at, "bufferView"), offset_at = gltf_member(at, "byteOffset");
    uint32_t index;
    uint64_t offset = 0;
    slice view = {0};
    VFX_TRY(gltf_index(&view_at, "bufferViews", &index));
    VFX_TRY(find_slice(at->file, index, &view));
    VFX_TRY(gltf_uint_or(at, "byteOffset", 0, GLTF_MAX_BYTES, &offset));
    if ((view.offset + offset) % alignment != 0)
        return gltf_fail(&offset_at, VFX_IO, "%llu with the view's %zu is no multiple of %zu, the component's size",
                         (unsigned long long)offset, view.offset, alignment);
    *stride = packed || view.stride == 0 ? bytes : view.stride;
    if (*stride < bytes || *stride % alignment != 0)
        return gltf_fail(&view_at, VFX_IO, "its byteStride is %zu, which does not suit elements of %zu bytes", *stride,
                         bytes);
    /* count < 2^32 and stride < 2^8: no overflow in 64 bits */
    const uint64_t needed = offset + (uint64_t)*stride * (count - 1) + bytes;
    if (needed > view.bytes)
        return gltf_fail(at, VFX_IO, "%u elements end at byte %llu of buffer view %u, which has %zu", count,
                         (unsigned long long)needed, index, view.bytes);
    *data = view.data + offset;
    return VFX_OK;
}

/* -------------------------------------------------------------------------------------------- values */

static double read_component(const component *c, const uint8_t *data)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < c->bytes; i++)
        bits |= (uint32_t)data[i] << (8 * i);
    if (c->is_float) {
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    const double value = bits;
    return c->is_signed && value > c->maximum ? value - 2 * (c->maximum + 1) : value;
}

static double read_value(const accessor *a, const uint8_t *data)
{
    const double value = read_component(a->component, data);
    if (!a->normalised || a->component->is_float)
        return value;
    return fmax(value / a->component->maximum, -1);
}

/* Element `element` from `data`; IO where a value is not finite. */
static vfx_status read_element(const gltf_at *at, const accessor *a, const uint8_t *data, uint32_t element,
                               double *values)
{
    for (uint32_t k = 0; k < a->width; k++) {
        values[k] = read_value(a, data + k * a->component->bytes);
        if (!isfinite(values[k]))
            return gltf_fail(at, VFX_IO, "component %u of element %u is not finite", k, element);
    }
    return VFX_OK;
}

/* Puts the elements of `sparse` in their places. */
static vfx_status read_sparse(const gltf_at *sparse, const accessor *a, double *values)
{
    const gltf_at count_at = gltf_member(sparse, "count"), indices_at = gltf_member(sparse, "indices"),
                  values_at = gltf_member(sparse, "values");
    const component *kind = NULL;
    const uint8_t *indices, *data;
    uint64_t count;
    size_t index_stride, stride;
    VFX_TRY(gltf_uint(&count_at, a->count, &count));
    if (count == 0)
        return VFX_OK;
    VFX_TRY(find_component(&indices_at, &kind));
    if (kind->is_signed)
        return gltf_fail(&indices_at, VFX_IO, "its componentType must be 5121, 5123 or 5125");
    VFX_TRY(find_elements(&indices_at, (uint32_t)count, kind->bytes, kind->bytes, true, &indices, &index_stride));
    VFX_TRY(find_elements(&values_at, (uint32_t)count, (size_t)a->component->bytes * a->width, a->component->bytes,
                          true, &data, &stride));
    double last = -1;
    for (uint32_t i = 0; i < count; i++) {
        const double index = read_component(kind, indices + i * index_stride);
        if (!(index > last && index < a->count))
            return gltf_fail(&indices_at, VFX_IO, "index %u is %.0f: indices must rise and be less than %u", i, index,
                             a->count);
        VFX_TRY(read_element(&values_at, a, data + i * stride, i, values + (size_t)index * a->width));
        last = index;
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------ accessor */

static bool is_allowed(const component *c, bool normalised, unsigned allowed)
{
    if (c->is_float)
        return (allowed & GLTF_F32) != 0;
    if (c->bytes == 4)
        return !normalised && (allowed & GLTF_PLAIN32) != 0;
    if (normalised)
        return (allowed & (c->is_signed ? GLTF_SNORM : GLTF_UNORM)) != 0;
    if (c->is_signed)
        return (allowed & GLTF_PLAIN_S) != 0;
    return (allowed & (c->bytes == 1 ? GLTF_PLAIN8 : GLTF_PLAIN16)) != 0;
}

static vfx_status open_accessor(const gltf_at *at, const char *type, unsigned allowed, uint32_t expected, accessor *a)
{
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const gltf_at type_at = gltf_member(at, "type"), count_at = gltf_member(at, "count");
    const char *name;
    uint64_t count;
    VFX_TRY(gltf_text(&type_at, &name));
    if (strcmp(name, type) != 0)
        return gltf_fail(&type_at, VFX_IO, "\"%.16s\", but its use asks for \"%s\"", name, type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            a->width = types[i].width;
    VFX_TRY(find_component(at, &a->component));
    VFX_TRY(gltf_bool_or(at, "normalized", false, &a->normalised));
    if (!is_allowed(a->component, a->normalised, allowed))
        return gltf_fail(at, VFX_IO, "componentType %u%s does not suit its use", a->component->code,
                         a->normalised ? ", normalised," : "");
    VFX_TRY(gltf_uint(&count_at, INT32_MAX, &count));
    if (count == 0 || (expected > 0 && count != expected))
        return gltf_fail(&count_at, VFX_IO, "%llu elements, but its use asks for %u%s", (unsigned long long)count,
                         expected > 0 ? expected : 1, expected > 0 ? "" : " or more");
    a->count = (uint32_t)count;
    const gltf_at view_at = gltf_member(at, "bufferView");
    if (!gltf_there(&view_at))
        return VFX_OK;
    return find_elements(at, a->count, (size_t)a->component->bytes * a->width, a->component->bytes, false, &a->data,
                         &a->stride);
}

static vfx_status read_all(const gltf_at *at, const accessor *a, double *values)
{
    for (uint32_t i = 0; a->data != NULL && i < a->count; i++)
        VFX_TRY(read_element(at, a, a->data + i * a->stride, i, values + (size_t)i * a->width));
    const gltf_at sparse = gltf_member(at, "sparse");
    return gltf_there(&sparse) ? read_sparse(&sparse, a, values) : VFX_OK;
}

vfx_status gltf_read_accessor(gltf_file *file, uint32_t index, const char *type, unsigned allowed, uint32_t expected,
                              double **values, uint32_t *count)
{
    const gltf_at at = gltf_listed(file, "accessors", index);
    accessor a = {0};
    *values = NULL;
    VFX_TRY(open_accessor(&at, type, allowed, expected, &a));
    VFX_TRY(gltf_allocate(&at, (size_t)a.count * a.width, sizeof(double), values));
    const vfx_status status = read_all(&at, &a, *values);
    if (status != VFX_OK) {
        free(*values);
        *values = NULL;
        return status;
    }
    *count = a.count;
    return VFX_OK;
}
