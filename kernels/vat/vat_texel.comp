/* vat_texel.comp - variant `texel`: integer texel fetches, two frames blended in the shader. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/vat/vat_image.glsl"
#include "kernels/vat/vat_decode.glsl"
