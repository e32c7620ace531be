/* grass_fused.comp - variant `fused`: everything in one dispatch, what a leaf's vertices share evaluated once. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/grass/grass_fused.glsl"
