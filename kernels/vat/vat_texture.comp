/* vat_texture.comp - variant `texture`: instances and item list from images too, in the source's packing. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_ONLY_KIND VAT_KIND_SOURCE
#define VAT_ACTOR_IMAGE
#define VAT_ITEM_IMAGE
#define VAT_WHOLE_FRAMES
#include "kernels/vat/vat_image.glsl"
#include "kernels/vat/vat_decode.glsl"
