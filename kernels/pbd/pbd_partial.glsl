/* pbd_partial.glsl - how the words of two METRIC records add up on the way: the squares of depth and speed and the
 * centre are sums there. Word = 4 quad + lane of PBD_METRIC. */
#ifndef PBD_PARTIAL_GLSL
#define PBD_PARTIAL_GLSL

#include "kernels/pbd/pbd.glsl"

const uint PBD_WORDS = 32u;
/* momentum to mass, depth_rms, speed_rms: sums of floats */
const uint PBD_FLOAT_WORDS = 0xffu | 1u << 9u | 1u << 18u;
/* depth_max (not negative: its bits compare alike), worst_cell, most_contacts */
const uint PBD_MOST_WORDS = 1u << 8u | 1u << 16u | 1u << 19u;

uint pbd_joined(uint word, uint a, uint b)
{
    if ((PBD_FLOAT_WORDS >> word & 1u) != 0u) {
        precise float sum = uintBitsToFloat(a) + uintBitsToFloat(b);
        return floatBitsToUint(sum);
    }
    return (PBD_MOST_WORDS >> word & 1u) != 0u ? max(a, b) : a + b;
}

#endif
