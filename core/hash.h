/* core/hash.h - the integer hash of the host side (init, per-frame input), so that a scene depends on the seed and on
 * nothing else. pcg3d: Jarzynski and Olano, Hash Functions for GPU Rendering, JCGT 9(3), 2020. The shaders' version is
 * in math.glsl, the reference's in refmath.h; their golden values agree. */
#ifndef VFX_HASH_H
#define VFX_HASH_H

#include <stdint.h>

typedef struct vfx_hash3 {
    uint32_t x, y, z;
} vfx_hash3;

static inline vfx_hash3 vfx_pcg3d(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t a = 1664525u, c = 1013904223u;
    x = x * a + c;
    y = y * a + c;
    z = z * a + c;
    x += y * z;
    y += z * x;
    z += x * y;
    x ^= x >> 16;
    y ^= y >> 16;
    z ^= z >> 16;
    x += y * z;
    y += z * x;
    z += x * y;
    return (vfx_hash3){x, y, z};
}

/* A hash word as a number in [0, 1), exact in float: its upper 24 bits. */
static inline double vfx_hash_unit(uint32_t word)
{
    return (word >> 8) * 0x1p-24;
}

/* Random number in [0, 1) of item `id` in the numbered stream `stream` of a run. */
static inline double vfx_hash_random(uint32_t id, uint32_t stream, uint32_t seed)
{
    return vfx_hash_unit(vfx_pcg3d(id, stream, seed).x);
}

#endif
