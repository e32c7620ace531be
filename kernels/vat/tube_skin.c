/* kernels/vat/tube_skin.c - the three skins of the built-in model (see tube.h), in integers, so that they are the same
 * on every machine. A wrong layer, a swapped axis and a shifted texel can all be told from a picture. Alpha is not 255
 * everywhere: it goes where the colour goes. */
#include "kernels/vat/tube.h"

#include <assert.h>

void vat_tube_skin(uint32_t layer, uint8_t *rgba)
{
    assert(layer < VAT_TUBE_SKINS);
    for (uint32_t y = 0; y < VAT_TUBE_SKIN_SIDE; y++)
        for (uint32_t x = 0; x < VAT_TUBE_SKIN_SIDE; x++) {
            uint8_t *texel = rgba + 4 * (y * VAT_TUBE_SKIN_SIDE + x);
            const uint32_t stripes[VAT_TUBE_SKINS] = {x / 8 + y / 8, (x + y) / 8,
                                                      x / 16}; /* checks, diagonal, upright */
            const bool light = stripes[layer] % 2;
            const uint32_t low = light ? 112 : 48, ramp_x = low + 2 * x, ramp_y = low + 2 * y + 17; /* at most 255 */
            const uint32_t colours[VAT_TUBE_SKINS][3] = {
                {low, ramp_x, ramp_y}, {ramp_y, ramp_x, low}, {ramp_x, ramp_y, low}};
            for (int c = 0; c < 3; c++)
                texel[c] = (uint8_t)colours[layer][c];
            texel[3] = (uint8_t)(light ? 255 : 128 + 32 * layer);
        }
}
