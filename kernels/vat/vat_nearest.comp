/* vat_nearest.comp - variant `nearest`: `texel` without a second frame, as the source plays. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_WHOLE_FRAMES
#include "kernels/vat/vat_image.glsl"
#include "kernels/vat/vat_decode.glsl"
