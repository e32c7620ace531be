/* core/image.h - images as data: height maps and masks (grey), vertex animation textures and skins (RGBA), read from
 * and written to PNG files without any change of their values. Pictures (views, goldens) are not this file's business.
 */
#ifndef VFX_IMAGE_H
#define VFX_IMAGE_H

#include "core/status.h"

#include <stdint.h>

enum { VFX_MAX_IMAGE_SIDE = 16384 }; /* pixels, width and height */

/* Row 0 is the top row of the file. A zeroed struct is an empty image. */
typedef struct vfx_grey {
    uint32_t width, height;
    uint32_t bits;     /* 8 or 16 */
    uint32_t maximum;  /* value of white: 255 or 65535 */
    uint16_t *samples; /* width * height, row after row */
} vfx_grey;

/* Reads any PNG: 16-bit stays 16-bit, 8 bits and less become 8-bit (1, 2 and 4 bits are stretched to 0..255), a palette
 * is looked up, alpha and transparent colours are ignored. Colours become 0.2126 R + 0.7152 G + 0.0722 B of the stored
 * values, exact where R = G = B, else to 1 step of 255 or 4 of 65535; gamma, profiles and other ancillary data are
 * ignored. IO naming the file and libpng's reason if it is no PNG, damaged, cut short or larger than
 * VFX_MAX_IMAGE_SIDE; MEMORY. On failure *image is zeroed. */
vfx_status vfx_grey_read(const char *path, vfx_grey *image) VFX_MUST_USE;

/* The same from memory; `name` is what messages call it. */
vfx_status vfx_grey_decode(const char *name, const void *data, size_t bytes, vfx_grey *image) VFX_MUST_USE;

/* Writes a grey PNG of image->bits. USAGE for an image that is none (size, bits, samples missing or too large). */
vfx_status vfx_grey_write(const char *path, const vfx_grey *image) VFX_MUST_USE;

/* Frees and zeroes; fine for an empty image. */
void vfx_grey_free(vfx_grey *image);

/* The same with four samples a pixel: red, green, blue, alpha, each a number of its own (alpha multiplies nothing). */
typedef struct vfx_rgba {
    uint32_t width, height;
    uint32_t bits;     /* 8 or 16 */
    uint32_t maximum;  /* value of white and of opaque: 255 or 65535 */
    uint16_t *samples; /* width * height * 4, row after row */
} vfx_rgba;

/* As vfx_grey_read, but nothing is mixed: grey becomes red = green = blue, a missing alpha opaque, a transparent colour
 * alpha 0. */
vfx_status vfx_rgba_read(const char *path, vfx_rgba *image) VFX_MUST_USE;
vfx_status vfx_rgba_decode(const char *name, const void *data, size_t bytes, vfx_rgba *image) VFX_MUST_USE;

/* Writes an RGBA PNG of image->bits, lightly compressed: such data hardly gets smaller, and there is much of it. */
vfx_status vfx_rgba_write(const char *path, const vfx_rgba *image) VFX_MUST_USE;
void vfx_rgba_free(vfx_rgba *image);

#endif
