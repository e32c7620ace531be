/* core/raster_light.c - how much of the sun, of the sky and of the lit ground a point sees, asked from the depth maps.
 * Each of a pixel's four samples asks for other directions and other points of the shadow's edge, so that a pixel has
 * many of both; nothing is random. */
#include "core/raster_internal.h"

void vfx_taps_set(float taps[VFX_SUN_TAPS][2])
{
    double turn[2] = {1.0, 0.0};
    for (int i = 0; i < VFX_SUN_TAPS; i++) {
        const double away = sqrt((i + 0.5) / VFX_SUN_TAPS);
        taps[i][0] = (float)(away * turn[0]);
        taps[i][1] = (float)(away * turn[1]);
        vfx_golden_turn(turn);
    }
}

typedef struct vfx_place {
    float u, v; /* texels */
    float w;    /* m towards the light */
} vfx_place;

static inline vfx_place place_of(const vfx_map *map, const float position[3])
{
    const float half = 0.5f * (float)map->side;
    return (vfx_place){vfx_dot3f(map->across[0], position) + half, vfx_dot3f(map->across[1], position) + half,
                       vfx_dot3f(map->toward, position)};
}

/* Index of the texel up left of a point, and how far the point is from that texel's middle; false outside the map. */
static inline bool texel_of(const vfx_map *map, float u, float v, size_t *texel, float away[2])
{
    const float limit = (float)(map->side - 1);
    u -= 0.5f;
    v -= 0.5f;
    if (!(u >= 0.0f && v >= 0.0f && u < limit && v < limit))
        return false;
    const int32_t column = (int32_t)u, row = (int32_t)v;
    away[0] = u - (float)column;
    away[1] = v - (float)row;
    *texel = (size_t)row * (size_t)map->side + (size_t)column;
    return true;
}

static inline float blend(const float away[2], bool a, bool b, bool c, bool d)
{
    const float s = away[0], t = away[1];
    return (1.0f - t) * ((a ? 1.0f - s : 0.0f) + (b ? s : 0.0f)) + t * ((c ? 1.0f - s : 0.0f) + (d ? s : 0.0f));
}

/* Share of the light that reaches a place from above, mixed between the four nearest texels. Outside the map all does.
 */
static inline float from_top(const vfx_map *map, float u, float v, float w)
{
    size_t at;
    float away[2];
    if (!texel_of(map, u, v, &at, away))
        return 1.0f;
    const float *above = &map->top[at], *below = above + map->side;
    return blend(away, above[0] <= w, above[1] <= w, below[0] <= w, below[1] <= w);
}

static inline float from_bottom(const vfx_map *map, float u, float v, float w)
{
    size_t at;
    float away[2];
    if (!texel_of(map, u, v, &at, away))
        return 1.0f;
    const float *above = &map->bottom[at], *below = above + map->side;
    return blend(away, above[0] >= w, above[1] >= w, below[0] >= w, below[1] >= w);
}

/* Depth at the nearest texel. */
static float depth_at(const vfx_map *map, float u, float v)
{
    const float limit = (float)map->side;
    if (!(u >= 0.0f && v >= 0.0f && u < limit && v < limit))
        return -VFX_NOTHING;
    return map->top[(size_t)(int32_t)v * (size_t)map->side + (size_t)(int32_t)u];
}

float vfx_light_sun(const vfx_raster *raster, int s, const float position[3], const float normal[3])
{
    const vfx_map *map = &raster->maps[VFX_SUN_MAP];
    const float facing = vfx_dot3f(normal, map->toward), bias = 1.5f * map->texel;
    if (!(facing > 0.0f))
        return 0.0f;
    float lifted[3];
    for (int i = 0; i < 3; i++)
        lifted[i] = position[i] + normal[i] * bias;
    const vfx_place place = place_of(map, lifted);
    /* the plane through the point: how much nearer the light it gets with a texel */
    const float steep = -map->texel * map->texel / vfx_maxf(facing, 0.15f);
    const float du = vfx_dot3f(normal, map->across[0]) * steep, dv = vfx_dot3f(normal, map->across[1]) * steep;
    const float widest = VFX_SUN_SOFTEST * (float)map->side;
    float distance = 0.0f, blockers = 0.0f;
    for (int i = s; i < VFX_SUN_TAPS; i += VFX_SAMPLES) {
        const float x = raster->taps[i][0] * widest, y = raster->taps[i][1] * widest;
        const float over = depth_at(map, place.u + x, place.v + y) - (place.w + x * du + y * dv);
        if (over > 0.0f) {
            distance += over;
            blockers += 1.0f;
        }
    }
    if (blockers == 0.0f || blockers == (float)(VFX_SUN_TAPS / VFX_SAMPLES))
        return blockers == 0.0f ? 1.0f : 0.0f;
    const float soft = vfx_clampf(VFX_SUN_ANGLE * distance / blockers / map->texel, 1.0f, widest);
    float sum = 0.0f;
    for (int i = s; i < VFX_SUN_TAPS; i += VFX_SAMPLES) {
        const float x = raster->taps[i][0] * soft, y = raster->taps[i][1] * soft;
        sum += from_top(map, place.u + x, place.v + y, place.w + x * du + y * dv);
    }
    return sum * (float)VFX_SAMPLES / (float)VFX_SUN_TAPS;
}

float vfx_light_sky(const vfx_raster *raster, int s, const float position[3], const float normal[3])
{
    float all = 0.0f, seen = 0.0f;
    for (int i = VFX_SKY_MAP + s; i < VFX_MAPS; i += VFX_SAMPLES) {
        const vfx_map *map = &raster->maps[i];
        const float weight = vfx_dot3f(normal, map->toward);
        if (!(weight > 0.0f))
            continue;
        float lifted[3];
        for (int k = 0; k < 3; k++)
            lifted[k] = position[k] + (normal[k] + 0.5f * map->toward[k]) * map->texel;
        const vfx_place place = place_of(map, lifted);
        all += weight;
        seen += weight * from_top(map, place.u, place.v, place.w);
    }
    return all > 0.0f ? seen / all : 0.0f;
}

/* How bright the ground is below a point, along a map's direction: 1 where sun and sky reach it. */
static float ground_there(const vfx_raster *raster, const vfx_map *map, const float position[3], float height)
{
    const vfx_map *sun = &raster->maps[VFX_SUN_MAP], *overhead = &raster->maps[VFX_SKY_MAP];
    const float fall = vfx_maxf(height, 0.0f) / vfx_maxf(vfx_dot3f(map->toward, raster->sky_up), 1e-3f);
    float there[3];
    for (int k = 0; k < 3; k++)
        there[k] = position[k] - map->toward[k] * fall;
    const float bias = 2.0f * overhead->texel;
    const vfx_place in_sun = place_of(sun, there), under = place_of(overhead, there);
    return 0.7f * from_top(sun, in_sun.u, in_sun.v, in_sun.w + bias) +
           0.3f * from_top(overhead, under.u, under.v, under.w + bias);
}

float vfx_light_ground(const vfx_raster *raster, int s, const float position[3], const float normal[3], float height)
{
    float all = 0.0f, seen = 0.0f;
    for (int i = VFX_SKY_MAP + s; i < VFX_MAPS; i += VFX_SAMPLES) {
        const vfx_map *map = &raster->maps[i];
        const float weight = -vfx_dot3f(normal, map->toward);
        if (map->bottom == NULL || !(weight > 0.0f))
            continue;
        float lifted[3];
        for (int k = 0; k < 3; k++)
            lifted[k] = position[k] + (normal[k] - 0.5f * map->toward[k]) * map->texel;
        const vfx_place place = place_of(map, lifted);
        const float open = from_bottom(map, place.u, place.v, place.w);
        all += weight;
        if (open > 0.0f)
            seen += weight * open * (raster->scene.ground ? ground_there(raster, map, position, height) : 1.0f);
    }
    return all > 0.0f ? seen / all : 0.0f;
}
