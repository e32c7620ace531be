/* kernels/vat/tube_skin.c - the two skins of the built-in model (see tube.h), in integers, so that they are the same on
 * every machine. A wrong layer, a swapped axis and a shifted texel can all be told from a picture. */
#include "kernels/vat/tube.h"

#include <assert.h>

void vat_tube_skin(uint32_t layer, uint8_t *rgba)
{
    assert(layer < VAT_TUBE_SKINS);
    for (uint32_t y = 0; y < VAT_TUBE_SKIN_SIDE; y++)
        for (uint32_t x = 0; x < VAT_TUBE_SKIN_SIDE; x++) {
            uint8_t *texel = rgba + 4 * (y * VAT_TUBE_SKIN_SIDE + x);
            const bool light = layer == 0 ? (x / 8 + y / 8) % 2 : (x + y) / 8 % 2; /* checks, diagonal stripes */
            const uint32_t low = light ? 112 : 48, ramp_x = low + 2 * x, ramp_y = low + 2 * y; /* at most 238 */
            texel[0] = (uint8_t)(layer == 0 ? low : ramp_y + 17);
            texel[1] = (uint8_t)ramp_x;
            texel[2] = (uint8_t)(layer == 0 ? ramp_y + 17 : low);
            texel[3] = 255;
        }
}
