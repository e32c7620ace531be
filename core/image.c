/* core/image.c - see image.h. libpng reports errors by a longjmp out of whatever it does: everything that must survive
 * one lives in a struct that the function with the setjmp did not declare, and is freed after it. */
#include "core/image.h"

#include "core/platform.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE_BYTES = 8, MAX_TEXT = 200, FAST_LEVEL = 1 };
static const size_t max_file_bytes = (size_t)3 << 30; /* more than the largest image needs, uncompressed */
/* Weights of Rec. 709, in 1/100000; blue has the rest. */
static const png_fixed_point red_weight = 21260, green_weight = 71520;

/* vfx_grey or vfx_rgba: `channels` samples a pixel, 1 or 4. */
typedef struct picture {
    uint32_t width, height, bits, channels;
    uint16_t *samples;
} picture;

/* What libpng's callbacks see. */
typedef struct codec {
    jmp_buf jump;
    char warning[MAX_TEXT], error[MAX_TEXT]; /* the last of each */
    bool memory;                             /* an allocation of ours failed */
    png_structp png;
    png_infop info;
    const unsigned char *input; /* reading: what is left of the file */
    size_t input_bytes;
    unsigned char *output; /* writing: malloc'ed */
    size_t output_bytes, output_room;
    picture image; /* reading: the result; writing: a copy of the struct */
} codec;

static void on_error(png_structp png, png_const_charp text)
{
    codec *c = png_get_error_ptr(png);
    snprintf(c->error, sizeof c->error, "%s", text);
    longjmp(c->jump, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    codec *c = png_get_error_ptr(png);
    snprintf(c->warning, sizeof c->warning, "%s", text);
}

/* ------------------------------------------------------------------------------------------ reading */

static void read_bytes(png_structp png, png_bytep to, size_t bytes)
{
    codec *c = png_get_io_ptr(png);
    if (bytes > c->input_bytes)
        png_error(png, "the file is cut short");
    memcpy(to, c->input, bytes);
    c->input += bytes;
    c->input_bytes -= bytes;
}

/* One or four channels of 8 or 16 bits, whatever the file holds. */
static void set_transformations(codec *c)
{
    int colour = png_get_color_type(c->png, c->info);
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(c->png);
    if (colour == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(c->png, c->info) < 8)
        png_set_expand_gray_1_2_4_to_8(c->png);
    if (c->image.channels == 4) {
        png_set_gray_to_rgb(c->png);
        if (png_get_valid(c->png, c->info, PNG_INFO_tRNS) != 0)
            png_set_tRNS_to_alpha(c->png);
        else if ((colour & PNG_COLOR_MASK_ALPHA) == 0)
            png_set_add_alpha(c->png, 0xffff, PNG_FILLER_AFTER); /* of the 8 or 16 bits that the file has */
        return;
    }
    if (colour & PNG_COLOR_MASK_COLOR)
        png_set_rgb_to_gray_fixed(c->png, PNG_ERROR_ACTION_NONE, red_weight, green_weight);
    png_set_strip_alpha(c->png);
}

/* Allocates the samples for the size in the header. */
static void prepare_image(codec *c)
{
    png_uint_32 width = png_get_image_width(c->png, c->info), height = png_get_image_height(c->png, c->info);
    if (width > VFX_MAX_IMAGE_SIDE || height > VFX_MAX_IMAGE_SIDE) {
        char text[MAX_TEXT];
        snprintf(text, sizeof text, "%lu x %lu pixels, at most %d x %d are read", (unsigned long)width,
                 (unsigned long)height, VFX_MAX_IMAGE_SIDE, VFX_MAX_IMAGE_SIDE);
        png_error(c->png, text);
    }
    size_t count, bytes;
    c->memory = !vfx_mul_size(width, height, &count) || !vfx_mul_size(count, c->image.channels, &count) ||
                !vfx_mul_size(count, sizeof(uint16_t), &bytes);
    if (!c->memory)
        c->image.samples = malloc(bytes);
    c->memory = c->image.samples == NULL;
    if (c->memory)
        png_error(c->png, "out of memory");
    c->image.width = width;
    c->image.height = height;
    c->image.bits = png_get_bit_depth(c->png, c->info) == 16 ? 16 : 8;
}

/* Samples of a row. */
static size_t row_samples(const picture *image)
{
    return (size_t)image->width * image->channels;
}

/* Rows lie where their samples will; interlaced images take several passes over them. */
static void read_rows(codec *c)
{
    int passes = png_set_interlace_handling(c->png);
    png_read_update_info(c->png, c->info);
    if (png_get_rowbytes(c->png, c->info) != row_samples(&c->image) * (c->image.bits / 8))
        png_error(c->png, "unexpected row size");
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t row = 0; row < c->image.height; row++)
            png_read_row(c->png, (png_bytep)(c->image.samples + row * row_samples(&c->image)), NULL);
    png_read_end(c->png, NULL);
}

/* Big-endian bytes to samples, in place: from the end, as 8-bit samples grow. */
static void widen_rows(picture *image)
{
    for (uint32_t row = 0; row < image->height; row++) {
        uint16_t *samples = image->samples + row * row_samples(image);
        const unsigned char *bytes = (const unsigned char *)samples;
        for (size_t i = row_samples(image); i-- > 0;)
            samples[i] = (uint16_t)(image->bits == 8 ? bytes[i] : bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
}

/* False after an error of libpng. */
static bool decode(codec *c)
{
    if (setjmp(c->jump) != 0)
        return false;
    c->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, c, on_error, on_warning);
    c->info = c->png != NULL ? png_create_info_struct(c->png) : NULL;
    if (c->info == NULL) {
        c->memory = true;
        return false;
    }
    png_set_read_fn(c->png, c, read_bytes);
    png_set_user_limits(c->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* prepare_image has the better message */
    /* All ancillary chunks but tRNS: with a gamma, grey would not be the sum of the stored values. */
    png_set_keep_unknown_chunks(c->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(c->png, c->info);
    prepare_image(c);
    set_transformations(c);
    read_rows(c);
    widen_rows(&c->image);
    return true;
}

/* What went wrong, with libpng's last warning, which often is the reason. */
static vfx_status failed(const codec *c, const char *verb, const char *name)
{
    if (c->memory)
        return vfx_fail(VFX_MEMORY, "cannot %s %s: out of memory", verb, name);
    bool more = c->warning[0] != '\0';
    return vfx_fail(VFX_IO, "cannot %s %s: %s%s%s%s", verb, name, c->error, more ? " (" : "", c->warning,
                    more ? ")" : "");
}

/* Reads a picture of image->channels; on failure image->samples is NULL. */
static vfx_status decode_picture(const char *name, const void *data, size_t bytes, picture *image)
{
    if (bytes < SIGNATURE_BYTES || png_sig_cmp(data, 0, SIGNATURE_BYTES) != 0)
        return vfx_fail(VFX_IO, "cannot read %s: it is not a PNG file; any PNG will do, colours become grey", name);
    codec *c = calloc(1, sizeof *c);
    if (c == NULL)
        return vfx_fail(VFX_MEMORY, "cannot read %s: out of memory", name);
    c->input = data;
    c->input_bytes = bytes;
    c->image.channels = image->channels;
    vfx_status status = decode(c) ? VFX_OK : failed(c, "read", name);
    png_destroy_read_struct(&c->png, &c->info, NULL);
    if (status == VFX_OK)
        *image = c->image;
    else
        free(c->image.samples);
    free(c);
    return status;
}

vfx_status vfx_grey_decode(const char *name, const void *data, size_t bytes, vfx_grey *image)
{
    picture p = {.channels = 1};
    memset(image, 0, sizeof *image);
    VFX_TRY(decode_picture(name, data, bytes, &p));
    *image = (vfx_grey){p.width, p.height, p.bits, p.bits == 16 ? 65535 : 255, p.samples};
    return VFX_OK;
}

vfx_status vfx_rgba_decode(const char *name, const void *data, size_t bytes, vfx_rgba *image)
{
    picture p = {.channels = 4};
    memset(image, 0, sizeof *image);
    VFX_TRY(decode_picture(name, data, bytes, &p));
    *image = (vfx_rgba){p.width, p.height, p.bits, p.bits == 16 ? 65535 : 255, p.samples};
    return VFX_OK;
}

vfx_status vfx_grey_read(const char *path, vfx_grey *image)
{
    void *data = NULL;
    size_t bytes = 0;
    memset(image, 0, sizeof *image);
    VFX_TRY(vfx_read_file(path, max_file_bytes, &data, &bytes));
    vfx_status status = vfx_grey_decode(path, data, bytes, image);
    free(data);
    return status;
}

vfx_status vfx_rgba_read(const char *path, vfx_rgba *image)
{
    void *data = NULL;
    size_t bytes = 0;
    memset(image, 0, sizeof *image);
    VFX_TRY(vfx_read_file(path, max_file_bytes, &data, &bytes));
    vfx_status status = vfx_rgba_decode(path, data, bytes, image);
    free(data);
    return status;
}

void vfx_grey_free(vfx_grey *image)
{
    free(image->samples);
    memset(image, 0, sizeof *image);
}

void vfx_rgba_free(vfx_rgba *image)
{
    free(image->samples);
    memset(image, 0, sizeof *image);
}

/* ------------------------------------------------------------------------------------------ writing */

static void write_bytes(png_structp png, png_bytep from, size_t bytes)
{
    codec *c = png_get_io_ptr(png);
    size_t needed = 0, room = 0;
    bool fits = vfx_add_size(c->output_bytes, bytes, &needed);
    if (fits && needed > c->output_room) {
        fits = vfx_mul_size(needed, 2, &room);
        unsigned char *grown = fits ? realloc(c->output, room) : NULL;
        fits = grown != NULL;
        if (fits) {
            c->output = grown;
            c->output_room = room;
        }
    }
    if (!fits) {
        c->memory = true;
        png_error(png, "out of memory");
    }
    memcpy(c->output + c->output_bytes, from, bytes);
    c->output_bytes = needed;
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

/* One row as the file has it: one byte a sample, or two, the high one first. */
static void narrow_row(const picture *image, uint32_t row, unsigned char *bytes)
{
    const uint16_t *samples = image->samples + row * row_samples(image);
    for (size_t i = 0; i < row_samples(image); i++) {
        if (image->bits == 8) {
            bytes[i] = (unsigned char)(samples[i] & 0xffu);
        } else {
            bytes[2 * i] = (unsigned char)(samples[i] >> 8);
            bytes[2 * i + 1] = (unsigned char)(samples[i] & 0xffu);
        }
    }
}

/* False after an error of libpng. `row` holds one row of the file. */
static bool encode(codec *c, unsigned char *row)
{
    if (setjmp(c->jump) != 0)
        return false;
    c->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, c, on_error, on_warning);
    c->info = c->png != NULL ? png_create_info_struct(c->png) : NULL;
    if (c->info == NULL) {
        c->memory = true;
        return false;
    }
    png_set_write_fn(c->png, c, write_bytes, flush_bytes);
    int colour = c->image.channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_GRAY;
    if (c->image.channels == 4) {
        png_set_compression_level(c->png, FAST_LEVEL);
        png_set_filter(c->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    }
    png_set_IHDR(c->png, c->info, c->image.width, c->image.height, (int)c->image.bits, colour, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(c->png, c->info);
    for (uint32_t i = 0; i < c->image.height; i++) {
        narrow_row(&c->image, i, row);
        png_write_row(c->png, row);
    }
    png_write_end(c->png, NULL);
    return true;
}

static bool is_image(const picture *image)
{
    return image->samples != NULL && image->width > 0 && image->width <= VFX_MAX_IMAGE_SIDE && image->height > 0 &&
           image->height <= VFX_MAX_IMAGE_SIDE && (image->bits == 8 || image->bits == 16);
}

static vfx_status write_picture(const char *path, const picture *image)
{
    if (!is_image(image))
        return vfx_fail(VFX_USAGE, "cannot write %s: no image of 8 or 16 bits and 1 .. %d pixels a side", path,
                        VFX_MAX_IMAGE_SIDE);
    codec *c = calloc(1, sizeof *c);
    unsigned char *row = malloc(row_samples(image) * 2);
    vfx_status status = VFX_OK;
    if (c == NULL || row == NULL) {
        status = vfx_fail(VFX_MEMORY, "cannot write %s: out of memory", path);
    } else {
        c->image = *image;
        status = encode(c, row) ? vfx_write_file(path, c->output, c->output_bytes) : failed(c, "write", path);
        png_destroy_write_struct(&c->png, &c->info);
        free(c->output);
    }
    free(row);
    free(c);
    return status;
}

vfx_status vfx_grey_write(const char *path, const vfx_grey *image)
{
    return write_picture(path, &(picture){image->width, image->height, image->bits, 1, image->samples});
}

vfx_status vfx_rgba_write(const char *path, const vfx_rgba *image)
{
    return write_picture(path, &(picture){image->width, image->height, image->bits, 4, image->samples});
}
