/* core/field.c - see field.h. */
#include "core/field.h"
#include "core/compare.h"

#include <math.h>
#include <string.h>

static uint32_t word_at(const void *record, size_t offset)
{
    uint32_t word;
    memcpy(&word, (const unsigned char *)record + offset, sizeof word);
    return word;
}

/* Offset of the word that holds the component. */
static size_t word_offset(const vfx_field *field, uint32_t component)
{
    uint32_t word = component;
    if (field->type == VFX_FIELD_F16)
        word = component / 2u;
    else if (field->type == VFX_FIELD_OCT16 || field->type == VFX_FIELD_UNORM8)
        word = 0;
    return field->offset + 4u * (size_t)word;
}

uint32_t vfx_field_word(const vfx_field *field, const void *record, uint32_t component)
{
    return word_at(record, word_offset(field, component));
}

uint32_t vfx_field_bits(const vfx_field *field, const void *record, uint32_t component)
{
    uint32_t word = vfx_field_word(field, record, component);
    if (field->type == VFX_FIELD_F16)
        return word >> 16u * (component % 2u) & 0xffffu;
    if (field->type == VFX_FIELD_UNORM8)
        return word >> 8u * component & 0xffu;
    return word;
}

static double half_value(uint32_t bits)
{
    double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
    int exponent = (int)(bits >> 10 & 0x1fu);
    double fraction = (double)(bits & 0x3ffu);
    if (exponent == 31)
        return fraction != 0.0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, -24);
    return sign * ldexp(1024.0 + fraction, exponent - 25);
}

static double snorm16_value(uint32_t bits)
{
    double value = (bits & 0x8000u) != 0 ? (double)bits - 65536.0 : (double)bits;
    return fmax(value / 32767.0, -1.0);
}

/* Unit vector of an octahedral code: the lower hemisphere is folded outward over the square's diagonals. */
static void octahedral_value(uint32_t word, double unit[4])
{
    double x = snorm16_value(word & 0xffffu), y = snorm16_value(word >> 16);
    double z = 1.0 - fabs(x) - fabs(y);
    if (z < 0.0) {
        double folded = copysign(1.0 - fabs(y), x);
        y = copysign(1.0 - fabs(x), y);
        x = folded;
    }
    double length = sqrt(x * x + y * y + z * z);
    unit[0] = x / length;
    unit[1] = y / length;
    unit[2] = z / length;
}

uint32_t vfx_field_decode(const vfx_field *field, const void *record, double values[4])
{
    if (field->type == VFX_FIELD_OCT16) {
        octahedral_value(vfx_field_bits(field, record, 0), values);
        return 3;
    }
    uint32_t count = field->components < 4u ? field->components : 4u;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = vfx_field_bits(field, record, i);
        float number;
        int32_t integer;
        memcpy(&number, &bits, sizeof number);
        memcpy(&integer, &bits, sizeof integer);
        switch (field->type) {
        case VFX_FIELD_F32:
            values[i] = (double)number;
            break;
        case VFX_FIELD_I32:
            values[i] = (double)integer;
            break;
        case VFX_FIELD_F16:
            values[i] = half_value(bits);
            break;
        case VFX_FIELD_UNORM8:
            values[i] = (double)bits / 255.0;
            break;
        case VFX_FIELD_U32:
        case VFX_FIELD_OCT16:
            values[i] = (double)bits;
            break;
        }
    }
    return count;
}

const vfx_field *vfx_find_unusable(const vfx_buffer *buffer, const void *records, uint64_t count, uint64_t *record)
{
    for (uint64_t i = 0; i < count && !buffer->partial; ++i)
        for (uint32_t f = 0; f < buffer->field_count; ++f) {
            const vfx_field *field = &buffer->fields[f];
            const char *at = (const char *)records + i * buffer->stride;
            for (uint32_t c = 0; c < field->components; ++c) {
                uint32_t word = vfx_field_word(field, at, c);
                bool finite = field->type != VFX_FIELD_F32 || (word & 0x7f800000u) != 0x7f800000u;
                if (word == VFX_POISON_WORD || !finite) {
                    *record = i;
                    return field;
                }
            }
        }
    return NULL;
}
