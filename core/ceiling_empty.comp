#version 450
// Nothing: what a dispatch between two timestamps costs.
#include "core/shared.h"
layout(local_size_x_id = 0) in;
layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
void main() {}
