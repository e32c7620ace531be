/* core/gate.h - is a picture the golden one? The gates, in order: identical pixels pass; every channel within 1
 * passes; otherwise FLIP's mean, weighted third quartile and 99th percentile and the largest blob of wholly wrong
 * pixels must all be within their limits. The two quantiles are left out while all errors together are no more than
 * those of `blob` wholly wrong pixels: they are shares of that sum, and a single pixel of an edge would decide. */
#ifndef VFX_GATE_H
#define VFX_GATE_H

#include "core/flip.h"

/* Limits of the third gate. */
typedef struct vfx_gate_limits {
    double mean;         /* FLIP */
    double weighted_q3;  /* FLIP */
    double weighted_p99; /* FLIP */
    uint32_t blob;       /* pixels that touch by a side or corner, each with a channel that is off by more than `off` */
    uint32_t off;        /* steps of 255 */
} vfx_gate_limits;

typedef enum vfx_gate { VFX_GATE_IDENTICAL, VFX_GATE_WITHIN_1, VFX_GATE_FLIP, VFX_GATE_FAILED } vfx_gate;

typedef struct vfx_gate_result {
    vfx_gate gate;      /* the gate that it passed, or FAILED */
    uint32_t different; /* pixels */
    uint32_t largest;   /* difference of a channel, steps of 255 */
    uint32_t blob;      /* pixels of the largest blob */
    vfx_flip flip;      /* zeroed unless FLIP was needed */
    char why[512];      /* of a failure: which limits are not met, with both numbers; "" otherwise */
} vfx_gate_result;

extern const char *const vfx_gate_names[]; /* "identical", "within 1", "flip", "failed" */

/* Compares. OK fills *result whatever the gate says; MISMATCH when the sizes differ, MEMORY. Free it in any case. */
vfx_status vfx_gate_compare(const vfx_picture *golden, const vfx_picture *actual, const vfx_gate_limits *limits,
                            vfx_gate_result *result) VFX_MUST_USE;
void vfx_gate_free(vfx_gate_result *result);

/* The FLIP errors as a heat map, dark where nothing is seen to bright yellow where everything is. */
vfx_status vfx_gate_heat(const vfx_flip *flip, vfx_picture *heat) VFX_MUST_USE;
/* Golden, actual and heat map side by side with a thin gap. */
vfx_status vfx_gate_sheet(const vfx_picture *golden, const vfx_picture *actual, const vfx_picture *heat,
                          vfx_picture *sheet) VFX_MUST_USE;

#endif
