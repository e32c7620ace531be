/* core/field.h - reads the fields of records: words, bits and decoded values. */
#ifndef VFX_FIELD_H
#define VFX_FIELD_H

#include "core/kernel.h"

/* The 4-byte word that holds a component. */
uint32_t vfx_field_word(const vfx_field *field, const void *record, uint32_t component);

/* Raw bits of a stored component: a 32-bit word, a half, a byte; OCT16: the whole word. */
uint32_t vfx_field_bits(const vfx_field *field, const void *record, uint32_t component);

/* Decodes the field of one record into up to 4 doubles; returns how many (OCT16: 3). Integers are exact. */
uint32_t vfx_field_decode(const vfx_field *field, const void *record, double values[4]);

/* First field of the records that still holds poison, or a float that is not finite; NULL if all are usable. */
const vfx_field *vfx_find_unusable(const vfx_buffer *buffer, const void *records, uint64_t count, uint64_t *record);

#endif
