/* grass_trig.comp - variant `trig`: `fused` with radius, cosine and sine in place of the polynomials. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define GRASS_TRIG
#include "kernels/grass/grass_fused.glsl"
