/* core/flip.h - FLIP for low dynamic range: how different two pictures look to a person who flips between them.
 * Source: Andersson, Nilsson, Akenine-Moller, Oskarsson, Astrom, Fairchild: "FLIP: A Difference Evaluator for
 * Alternating Images", Proc. ACM Comput. Graph. Interact. Tech. 3(2), 2020. */
#ifndef VFX_FLIP_H
#define VFX_FLIP_H

#include "core/picture.h"

#define VFX_FLIP_PPD 67.0 /* pixels per degree: a 0.7 m wide 3840-pixel monitor seen from 0.7 m */
/* What the filters are made for: below, a feature is far smaller than a pixel. */
#define VFX_FLIP_MIN_PPD 1.0
#define VFX_FLIP_MAX_PPD 1000.0

/* Per-pixel errors in [0, 1], 0 where nobody sees a difference, and their statistics. Weighted quantile q: the error
 * below which lies the share q of the sum of all errors (0 where that sum is 0). */
typedef struct vfx_flip {
    uint32_t width, height;
    float *error; /* width * height, row after row */
    double mean, min, max;
    double weighted_q1, weighted_median, weighted_q3, weighted_p99;
} vfx_flip;

/* USAGE when the sizes differ, a picture is empty or ppd is not in VFX_FLIP_MIN_PPD .. VFX_FLIP_MAX_PPD, MEMORY. On
 * failure *flip is zeroed. */
vfx_status vfx_flip_compare(const vfx_picture *reference, const vfx_picture *test, double ppd,
                            vfx_flip *flip) VFX_MUST_USE;
void vfx_flip_free(vfx_flip *flip);

#endif
