/* core/gate.c - see gate.h. A mean over a whole picture does not notice a small part that is wholly wrong; the blob
 * does. Every limit is asked "is it met?", so that a NaN on either side is a failure. */
#include "core/gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, GAP = 4 /* pixels between the pictures of a sheet */, GAP_GREY = 128 };

const char *const vfx_gate_names[] = {
    [VFX_GATE_IDENTICAL] = "identical",
    [VFX_GATE_WITHIN_1] = "within 1",
    [VFX_GATE_FLIP] = "flip",
    [VFX_GATE_FAILED] = "failed",
};

/* ------------------------------------------------------------------------------------- differences */

/* Largest difference of a channel. */
static uint32_t pixel_difference(const vfx_picture *a, const vfx_picture *b, size_t pixel)
{
    uint32_t largest = 0;
    for (size_t i = CHANNELS * pixel; i < CHANNELS * pixel + CHANNELS; i++) {
        uint32_t d = (uint32_t)abs((int)a->rgb[i] - (int)b->rgb[i]);
        largest = d > largest ? d : largest;
    }
    return largest;
}

static void count_differences(const vfx_picture *golden, const vfx_picture *actual, vfx_gate_result *result)
{
    size_t count = (size_t)golden->width * golden->height;
    for (size_t i = 0; i < count; i++) {
        uint32_t d = pixel_difference(golden, actual, i);
        result->different += d > 0;
        result->largest = d > result->largest ? d : result->largest;
    }
}

/* Pixels that are wrong and not yet part of a blob, and those of the present blob whose neighbours are still to be
 * looked at. No pixel is on the stack twice, so it has room for all. */
typedef struct field {
    uint32_t width, height;
    uint8_t *wrong;
    uint32_t *stack, used;
} field;

static void push(field *f, uint32_t x, uint32_t y)
{
    uint32_t pixel = y * f->width + x; /* fits: sides are at most VFX_MAX_PICTURE_SIDE */
    if (f->wrong[pixel] == 0)
        return;
    f->wrong[pixel] = 0;
    f->stack[f->used++] = pixel;
}

/* Pixels of the blob that (x, y) belongs to; they are no longer wrong afterwards. */
static uint32_t take_blob(field *f, uint32_t x, uint32_t y)
{
    uint32_t count = 0;
    push(f, x, y);
    while (f->used > 0) {
        uint32_t pixel = f->stack[--f->used], px = pixel % f->width, py = pixel / f->width;
        count++;
        for (uint32_t ny = py > 0 ? py - 1 : 0; ny <= py + 1 && ny < f->height; ny++)
            for (uint32_t nx = px > 0 ? px - 1 : 0; nx <= px + 1 && nx < f->width; nx++)
                push(f, nx, ny);
    }
    return count;
}

static vfx_status find_blob(const vfx_picture *golden, const vfx_picture *actual, uint32_t off, uint32_t *blob)
{
    size_t count = (size_t)golden->width * golden->height, bytes = 0;
    bool fits = vfx_mul_size(count, sizeof(uint32_t), &bytes);
    field f = {golden->width, golden->height, malloc(count), fits ? malloc(bytes) : NULL, 0};
    vfx_status status = VFX_OK;
    *blob = 0;
    if (f.wrong == NULL || f.stack == NULL) {
        status = vfx_fail(VFX_MEMORY, "out of memory to compare pictures of %u x %u pixels", f.width, f.height);
    } else {
        for (size_t i = 0; i < count; i++)
            f.wrong[i] = pixel_difference(golden, actual, i) > off;
        for (uint32_t y = 0; y < f.height; y++)
            for (uint32_t x = 0; x < f.width; x++) {
                uint32_t pixels = take_blob(&f, x, y);
                *blob = pixels > *blob ? pixels : *blob;
            }
    }
    free(f.wrong);
    free(f.stack);
    return status;
}

/* ------------------------------------------------------------------------------------------ limits */

/* Adds to `why`; a text that does not fit is cut. */
static void add_reason(vfx_gate_result *result, const char *format, ...) VFX_PRINTF(2, 3);

static void add_reason(vfx_gate_result *result, const char *format, ...)
{
    size_t used = strlen(result->why), room = sizeof result->why;
    va_list args;
    if (used > 0 && used + 2 < room) {
        memcpy(result->why + used, "; ", 3);
        used += 2;
    }
    va_start(args, format);
    (void)vsnprintf(result->why + used, room - used, format, args);
    va_end(args);
}

static bool check_limit(vfx_gate_result *result, const char *name, double value, double limit)
{
    if (value <= limit)
        return true;
    add_reason(result, "FLIP %s %.6g, limit %.6g", name, value, limit);
    return false;
}

static bool limits_are_met(vfx_gate_result *result, const vfx_gate_limits *limits)
{
    const vfx_flip *flip = &result->flip;
    bool mean = check_limit(result, "mean", flip->mean, limits->mean);
    /* Of errors that add up to less than a blob may, quantiles say nothing: one pixel of an edge would decide. */
    double sum = flip->mean * flip->width * flip->height;
    bool slight = sum <= limits->blob;
    bool q3 = slight || check_limit(result, "weighted third quartile", flip->weighted_q3, limits->weighted_q3);
    bool p99 = slight || check_limit(result, "weighted 99th percentile", flip->weighted_p99, limits->weighted_p99);
    bool blob = result->blob <= limits->blob;
    if (!blob)
        add_reason(result, "%u connected pixels are off by more than %u, limit %u pixels", result->blob, limits->off,
                   limits->blob);
    return mean && q3 && p99 && blob;
}

/* ------------------------------------------------------------------------------------------ the gate */

static vfx_status check_pictures(const vfx_picture *golden, const vfx_picture *actual)
{
    if (golden->width != actual->width || golden->height != actual->height)
        return vfx_fail(VFX_MISMATCH, "the golden picture has %u x %u pixels, the actual one %u x %u", golden->width,
                        golden->height, actual->width, actual->height);
    if (golden->rgb == NULL || actual->rgb == NULL)
        return vfx_fail(VFX_USAGE, "cannot compare pictures: they are empty");
    return VFX_OK;
}

/* FAILED until a gate is passed, so that no failure on the way can look like IDENTICAL (0). */
vfx_status vfx_gate_compare(const vfx_picture *golden, const vfx_picture *actual, const vfx_gate_limits *limits,
                            vfx_gate_result *result)
{
    memset(result, 0, sizeof *result);
    result->gate = VFX_GATE_FAILED;
    VFX_TRY(check_pictures(golden, actual));
    count_differences(golden, actual, result);
    if (result->largest > limits->off)
        VFX_TRY(find_blob(golden, actual, limits->off, &result->blob));
    if (result->different == 0) {
        result->gate = VFX_GATE_IDENTICAL;
    } else if (result->largest <= 1) {
        result->gate = VFX_GATE_WITHIN_1;
    } else {
        VFX_TRY(vfx_flip_compare(golden, actual, VFX_FLIP_PPD, &result->flip));
        result->gate = limits_are_met(result, limits) ? VFX_GATE_FLIP : VFX_GATE_FAILED;
    }
    return VFX_OK;
}

void vfx_gate_free(vfx_gate_result *result)
{
    vfx_flip_free(&result->flip);
    memset(result, 0, sizeof *result);
}

/* ------------------------------------------------------------------------------------- for the eyes */

/* From nothing to all; lightness (CIE L*) rises by about the same from each to the next: 2, 20, 38, 55, 74, 94. */
static const uint8_t heat_colours[][CHANNELS] = {{6, 6, 18},    {66, 26, 110},  {148, 48, 126},
                                                 {222, 88, 90}, {247, 164, 74}, {252, 240, 150}};

static void heat_colour(double error, uint8_t *rgb)
{
    const uint32_t last = sizeof heat_colours / sizeof *heat_colours - 1;
    double place = error >= 0.0 && error < 1.0 ? error * last : error < 0.0 ? 0.0 : last; /* NaN glows */
    uint32_t below = place < last ? (uint32_t)place : last - 1;
    double share = place - below;
    for (int c = 0; c < CHANNELS; c++)
        rgb[c] = (uint8_t)(heat_colours[below][c] * (1.0 - share) + heat_colours[below + 1][c] * share + 0.5);
}

vfx_status vfx_gate_heat(const vfx_flip *flip, vfx_picture *heat)
{
    VFX_TRY(vfx_picture_create(heat, flip->width, flip->height));
    size_t count = (size_t)flip->width * flip->height;
    for (size_t i = 0; i < count; i++)
        heat_colour((double)flip->error[i], heat->rgb + CHANNELS * i);
    return VFX_OK;
}

vfx_status vfx_gate_sheet(const vfx_picture *golden, const vfx_picture *actual, const vfx_picture *heat,
                          vfx_picture *sheet)
{
    const vfx_picture *const parts[] = {golden, actual, heat};
    uint32_t width = 2 * GAP, height = 0, x = 0; /* fits: three sides of at most VFX_MAX_PICTURE_SIDE */
    for (int i = 0; i < 3; i++) {
        width += parts[i]->width;
        height = parts[i]->height > height ? parts[i]->height : height;
    }
    VFX_TRY(vfx_picture_create(sheet, width, height));
    memset(sheet->rgb, GAP_GREY, (size_t)width * height * CHANNELS);
    for (int i = 0; i < 3; i++) {
        vfx_picture_paste(sheet, parts[i], x, 0);
        x += parts[i]->width + GAP;
    }
    return VFX_OK;
}
