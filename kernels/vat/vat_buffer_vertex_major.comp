/* vat_buffer_vertex_major.comp - variant `buffer-vertex-major`: `buffer` with the frames of a vertex side by side. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_VERTEX_MAJOR
#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_decode.glsl"
