/* vat_decode.comp - second pass of variant `advance`: `buffer`, of the instances that the first pass wrote. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_ONLY_KIND VAT_KIND_YAW
#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_decode.glsl"
