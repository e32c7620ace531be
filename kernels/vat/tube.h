/* tube.h - the built-in model, made by code: a bending, swaying skinned tube (`body`) with two rigid children (`sword`
 * and `shield`), several clips and three skins. Its poses have closed forms, so that the skinning code can be checked.
 */
#ifndef VAT_TUBE_H
#define VAT_TUBE_H

#include "kernels/vat/model.h"

enum {
    VAT_TUBE_LEAST = 48, /* vertices */
    VAT_TUBE_SKIN_SIDE = 64,
    VAT_TUBE_SKINS = 3
};

/* A model of exactly `vertex_count` vertices (>= VAT_TUBE_LEAST), within [-1, 1] on every axis in every pose. Clips: a
 * looping one, one that does not loop, one with STEP keys, one with CUBICSPLINE keys, a still one of one key. */
vfx_status vat_tube_create(uint32_t vertex_count, vat_model *model) VFX_MUST_USE;

/* Analytic position (m) and unit normal of vertex `vertex` at time t of clip `clip`, without the pose code. */
void vat_tube_point(const vat_model *model, int32_t clip, double t, uint32_t vertex, double position[3],
                    double normal[3]);

/* Layer `layer` of its skins: VAT_TUBE_SKIN_SIDE^2 texels, RGBA8, row after row. */
void vat_tube_skin(uint32_t layer, uint8_t *rgba);

#endif
