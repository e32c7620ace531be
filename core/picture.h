/* core/picture.h - pictures for people: 8-bit sRGB, three channels, row 0 on top. Images that are data are in image.h.
 */
#ifndef VFX_PICTURE_H
#define VFX_PICTURE_H

#include "core/status.h"

#include <stdint.h>

enum { VFX_MAX_PICTURE_SIDE = 8192 }; /* pixels, width and height */

/* A zeroed struct is an empty picture. */
typedef struct vfx_picture {
    uint32_t width, height;
    uint8_t *rgb; /* width * height * 3, row after row, sRGB-encoded */
} vfx_picture;

/* A black picture. USAGE for a side of 0 or above VFX_MAX_PICTURE_SIDE, MEMORY. On failure *picture is zeroed. */
vfx_status vfx_picture_create(vfx_picture *picture, uint32_t width, uint32_t height) VFX_MUST_USE;
/* Frees and zeroes; fine for an empty picture. */
void vfx_picture_free(vfx_picture *picture);

/* Reads an 8-bit RGB PNG, and no other: what a golden is compared with must not have been converted. IO naming the file
 * and what is wrong with it (not there, no PNG, damaged, cut short, other bits or channels, too large). */
vfx_status vfx_picture_read(const char *path, vfx_picture *picture) VFX_MUST_USE;
/* Writes an 8-bit RGB PNG under a temporary name and renames it, so that a failure leaves nothing half-written. The
 * same picture gives the same bytes. IO naming the file. */
vfx_status vfx_picture_write(const char *path, const vfx_picture *picture) VFX_MUST_USE;

/* Copies `from` into `to` with its top left corner at (x, y); what falls outside is left out. */
void vfx_picture_paste(vfx_picture *to, const vfx_picture *from, uint32_t x, uint32_t y);

#endif
