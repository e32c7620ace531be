/* vat_buffer.comp - variant `buffer`: the same texels from a storage buffer. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_decode.glsl"
