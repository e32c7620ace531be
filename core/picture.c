/* core/picture.c - see picture.h. libpng's simplified API turns whatever it is given (16 bits, palettes, grey, alpha, a
 * gamma) into what it is asked for without a word. So the file's chunks are looked at first, and only those that hold
 * the pixels are handed on: what comes back are the values that the file has. */
#include "core/picture.h"

#include "core/platform.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    CHANNELS = 3,
    SIGNATURE_BYTES = 8,
    CHUNK_FRAME = 12, /* length, type and checksum of a chunk, 4 bytes each; its data lie before the checksum */
    HEADER_BYTES = 13 /* data of IHDR: width, height, depth, colour type, three methods */
};
static const size_t max_file_bytes = (size_t)256 << 20; /* more than the largest picture needs, uncompressed */

static bool is_side(uint32_t side)
{
    return side > 0 && side <= VFX_MAX_PICTURE_SIDE;
}

vfx_status vfx_picture_create(vfx_picture *picture, uint32_t width, uint32_t height)
{
    size_t bytes;
    memset(picture, 0, sizeof *picture);
    if (!is_side(width) || !is_side(height))
        return vfx_fail(VFX_USAGE, "cannot make a picture of %u x %u pixels: a side has 1 .. %d", width, height,
                        VFX_MAX_PICTURE_SIDE);
    bool fits = vfx_mul_size(width, height, &bytes) && vfx_mul_size(bytes, CHANNELS, &bytes);
    uint8_t *rgb = fits ? calloc(1, bytes) : NULL;
    if (rgb == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a picture of %u x %u pixels", width, height);
    *picture = (vfx_picture){width, height, rgb};
    return VFX_OK;
}

void vfx_picture_free(vfx_picture *picture)
{
    free(picture->rgb);
    memset(picture, 0, sizeof *picture);
}

/* ------------------------------------------------------------------------------------------ reading */

static uint32_t load_be(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_type(const unsigned char *type, const char *name)
{
    return memcmp(type, name, 4) == 0;
}

/* `header` points to the data of IHDR. */
static vfx_status check_header(const char *path, const unsigned char *header)
{
    static const char *const names[] = {"grey", NULL, "RGB", "palette", "grey and alpha", NULL, "RGBA"};
    uint32_t width = load_be(header), height = load_be(header + 4), depth = header[8], colour = header[9];
    const char *name = colour < sizeof names / sizeof *names ? names[colour] : NULL;
    if (name == NULL || width == 0 || height == 0)
        return vfx_fail(VFX_IO, "cannot read %s: it is damaged (%u x %u pixels of colour type %u)", path, width, height,
                        colour);
    if (depth != 8 || colour != PNG_COLOR_TYPE_RGB)
        return vfx_fail(VFX_IO,
                        "cannot read %s: it is a PNG of %u-bit %s; only 8-bit RGB is read, nothing is converted", path,
                        depth, name);
    if (!is_side(width) || !is_side(height))
        return vfx_fail(VFX_IO, "cannot read %s: it has %u x %u pixels, at most %d x %d are read", path, width, height,
                        VFX_MAX_PICTURE_SIDE, VFX_MAX_PICTURE_SIDE);
    return VFX_OK;
}

/* Length of the data of the chunk at `at`, which lies in the file as a whole and is sound. */
static vfx_status check_chunk(const char *path, const unsigned char *data, size_t bytes, size_t at, size_t *length)
{
    size_t left = bytes - at;
    const unsigned char *type = data + at + 4;
    *length = left >= CHUNK_FRAME ? load_be(data + at) : 0;
    if (left < CHUNK_FRAME || *length > left - CHUNK_FRAME)
        return vfx_fail(VFX_IO, "cannot read %s: it is cut short (after %zu bytes)", path, bytes);
    if (crc32(0, type, (uInt)*length + 4) != load_be(type + 4 + *length))
        return vfx_fail(VFX_IO, "cannot read %s: it is damaged (wrong checksum of the chunk at byte %zu)", path, at);
    return VFX_OK;
}

/* Checks all chunks and moves those that hold the pixels together; *bytes is what is left. The others (gamma, profiles,
 * texts) say how to show or name the pixels, which the values themselves do not depend on. */
static vfx_status keep_pixels(const char *path, unsigned char *data, size_t *bytes)
{
    if (*bytes < SIGNATURE_BYTES || png_sig_cmp(data, 0, SIGNATURE_BYTES) != 0)
        return vfx_fail(VFX_IO, "cannot read %s: it is no PNG file", path);
    size_t at = SIGNATURE_BYTES, kept = SIGNATURE_BYTES, length = 0;
    for (bool ended = false; !ended; at += length + CHUNK_FRAME) {
        VFX_TRY(check_chunk(path, data, *bytes, at, &length));
        const unsigned char *type = data + at + 4;
        if (at == SIGNATURE_BYTES && (!is_type(type, "IHDR") || length != HEADER_BYTES))
            return vfx_fail(VFX_IO, "cannot read %s: it is damaged (no header)", path);
        if (at == SIGNATURE_BYTES)
            VFX_TRY(check_header(path, type + 4));
        if (is_type(type, "tRNS"))
            return vfx_fail(VFX_IO, "cannot read %s: it has a transparent colour; only plain 8-bit RGB is read", path);
        ended = is_type(type, "IEND");
        if ((*type & 0x20u) != 0) /* a small first letter: the pixels can be had without it */
            continue;
        memmove(data + kept, data + at, length + CHUNK_FRAME);
        kept += length + CHUNK_FRAME;
    }
    *bytes = kept;
    return VFX_OK;
}

/* Warnings count: with only pixels in the file, each is about them. */
static vfx_status decode(const char *path, const unsigned char *data, size_t bytes, vfx_picture *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool good = png_image_begin_read_from_memory(&image, data, bytes) != 0;
    vfx_status status = VFX_OK;
    if (good) {
        image.format = PNG_FORMAT_RGB;
        status = vfx_picture_create(picture, image.width, image.height);
        good = status != VFX_OK || png_image_finish_read(&image, NULL, picture->rgb, 0, NULL) != 0;
    }
    if (!good || (status == VFX_OK && image.warning_or_error != 0))
        status = vfx_fail(VFX_IO, "cannot read %s: it is damaged (%s)", path, image.message);
    if (status != VFX_OK)
        vfx_picture_free(picture);
    png_image_free(&image);
    return status;
}

vfx_status vfx_picture_read(const char *path, vfx_picture *picture)
{
    void *data = NULL;
    size_t bytes = 0;
    memset(picture, 0, sizeof *picture);
    VFX_TRY(vfx_read_file(path, max_file_bytes, &data, &bytes));
    vfx_status status = keep_pixels(path, data, &bytes);
    if (status == VFX_OK)
        status = decode(path, data, bytes, picture);
    free(data);
    return status;
}

/* ------------------------------------------------------------------------------------------ writing */

vfx_status vfx_picture_write(const char *path, const vfx_picture *picture)
{
    if (picture->rgb == NULL || !is_side(picture->width) || !is_side(picture->height))
        return vfx_fail(VFX_USAGE, "cannot write %s: no picture of 1 .. %d pixels a side", path, VFX_MAX_PICTURE_SIDE);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = picture->width, .height = picture->height, .format = PNG_FORMAT_RGB};
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image); /* enough for any such picture */
    void *data = malloc(bytes);
    if (data == NULL)
        return vfx_fail(VFX_MEMORY, "cannot write %s: out of memory", path);
    vfx_status status = png_image_write_to_memory(&image, data, &bytes, 0, picture->rgb, 0, NULL) != 0
                            ? vfx_write_file(path, data, bytes)
                            : vfx_fail(VFX_IO, "cannot write %s: %s", path, image.message);
    png_image_free(&image);
    free(data);
    return status;
}

/* ------------------------------------------------------------------------------------------ pasting */

void vfx_picture_paste(vfx_picture *to, const vfx_picture *from, uint32_t x, uint32_t y)
{
    if (x >= to->width || y >= to->height || from->rgb == NULL)
        return;
    uint32_t width = from->width < to->width - x ? from->width : to->width - x;
    uint32_t height = from->height < to->height - y ? from->height : to->height - y;
    for (uint32_t row = 0; row < height; row++)
        memcpy(to->rgb + ((size_t)(y + row) * to->width + x) * CHANNELS,
               from->rgb + (size_t)row * from->width * CHANNELS, (size_t)width * CHANNELS);
}
