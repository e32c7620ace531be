/* core/flip_filter.h - the filters of FLIP (flip.h): what the eye blurs, and where it finds edges and points. Private
 * to flip.c and flip_filter.c. All are products of one-dimensional filters, applied along the rows, then along the
 * columns. Source: sections 4.1.1 and 4.2 of the paper that flip.h names. */
#ifndef VFX_FLIP_FILTER_H
#define VFX_FLIP_FILTER_H

#include "core/flip.h"

/* Pixels on each side of the middle that the widest filter reaches at VFX_FLIP_MAX_PPD: 3 standard deviations of
 * sqrt(0.04 / 2) / pi degrees. */
enum { VFX_FLIP_MAX_RADIUS = 136 };

typedef struct vfx_flip_taps {
    uint32_t radius;
    float tap[2 * VFX_FLIP_MAX_RADIUS + 1]; /* the middle one is tap[radius] */
} vfx_flip_taps;

typedef struct vfx_flip_filters {
    /* Contrast sensitivity; taps sum to 1. Blue-yellow is the sum of two, the first with `share`, the other the rest.
     */
    vfx_flip_taps achromatic, red_green, blue_yellow[2];
    float share;
    /* Features: a Gaussian (sum 1), its first and second derivative (positive taps sum to 1, negative to -1). */
    vfx_flip_taps smooth, edge, point;
} vfx_flip_filters;

/* ppd in VFX_FLIP_MIN_PPD .. VFX_FLIP_MAX_PPD. */
void vfx_flip_filters_make(vfx_flip_filters *filters, double ppd);

/* Filters a plane of width * height; beyond its border the nearest pixel goes on. `between` is another plane, for what
 * lies between the two steps; the three planes are distinct. */
void vfx_flip_filter(const vfx_flip_taps *along_rows, const vfx_flip_taps *along_columns, uint32_t width,
                     uint32_t height, const float *from, float *between, float *to);

#endif
