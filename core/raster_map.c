/* core/raster_map.c - depth maps: the world seen along a direction, without perspective, from outside the ball that
 * throws shadows. A point that lies deeper than its map says does not see that direction. One map looks from the sun,
 * small ones from all over the sky; some of these also keep what they would see from the other side, below: light comes
 * from everywhere, not from the sun only. */
#include "core/raster_internal.h"

#include <stdlib.h>

/* Directions on a spiral of equal areas from overhead to the horizon; a step turns by the golden angle. A pixel's
 * sample k asks maps k, k + 4, ..., which are spread over the whole sky. */
static void map_directions(const double up[3], double directions[VFX_MAPS][3])
{
    double across[2][3], turn[2] = {1.0, 0.0};
    vfx_across(up, across);
    for (int i = VFX_SKY_MAP; i < VFX_MAPS; i++) {
        const double height = 1.0 - (i - VFX_SKY_MAP + 0.5) / VFX_SKY_MAPS, aside = sqrt(1.0 - height * height);
        for (int k = 0; k < 3; k++)
            directions[i][k] = up[k] * height + aside * (across[0][k] * turn[0] + across[1][k] * turn[1]);
        vfx_golden_turn(turn);
    }
}

static void map_set(vfx_map *map, const double toward[3], const vfx_scene *scene)
{
    double across[2][3];
    vfx_across(toward, across);
    const double scale = 0.5 * (map->side - 2) / scene->radius;
    for (int i = 0; i < 3; i++) {
        map->rows[0][i] = across[0][i] * scale;
        map->rows[1][i] = across[1][i] * scale;
        map->rows[2][i] = toward[i];
        map->toward[i] = (float)toward[i];
        map->across[0][i] = (float)map->rows[0][i];
        map->across[1][i] = (float)map->rows[1][i];
    }
    map->texel = (float)(1.0 / scale);
    for (size_t i = 0; i < (size_t)map->side * (size_t)map->side; i++)
        map->top[i] = -VFX_NOTHING;
    for (size_t i = 0; i < (size_t)map->side * (size_t)map->side && map->bottom != NULL; i++)
        map->bottom[i] = VFX_NOTHING;
}

vfx_status vfx_maps_create(vfx_raster *raster)
{
    raster->casters = malloc(VFX_BATCH * sizeof *raster->casters);
    bool made = raster->casters != NULL;
    for (int i = 0; i < VFX_MAPS; i++) {
        vfx_map *map = &raster->maps[i];
        map->side = i == VFX_SUN_MAP ? VFX_SUN_SIDE : VFX_SKY_SIDE;
        const size_t bytes = (size_t)map->side * (size_t)map->side * sizeof *map->top;
        const bool both = i >= VFX_SKY_MAP && (i - VFX_SKY_MAP) / VFX_SAMPLES % 3 == 1;
        map->top = malloc(bytes);
        map->bottom = both ? malloc(bytes) : NULL;
        made = made && map->top != NULL && (map->bottom != NULL || !both);
    }
    return made ? VFX_OK : vfx_fail(VFX_MEMORY, "no memory for the depth maps of a picture's shadows");
}

void vfx_maps_destroy(vfx_raster *raster)
{
    for (int i = 0; i < VFX_MAPS; i++) {
        free(raster->maps[i].top);
        free(raster->maps[i].bottom);
    }
    free(raster->casters);
}

void vfx_maps_clear(vfx_raster *raster)
{
    double directions[VFX_MAPS][3];
    map_directions(raster->scene.up, directions);
    memcpy(directions[VFX_SUN_MAP], raster->scene.sun, sizeof raster->scene.sun);
    for (int i = 0; i < VFX_MAPS; i++)
        map_set(&raster->maps[i], directions[i], &raster->scene);
    raster->caster_count = 0;
}

/* ------------------------------------------------------------------------------------ drawing */

/* Texels (right, down) and metres towards the light, of a position from the ball's centre. */
static inline void to_map(const vfx_map *map, const double position[3], double placed[3])
{
    placed[0] = vfx_dot3(map->rows[0], position) + 0.5 * map->side;
    placed[1] = vfx_dot3(map->rows[1], position) + 0.5 * map->side;
    placed[2] = vfx_dot3(map->rows[2], position);
}

static inline void mark(vfx_map *map, size_t texel, float top, float bottom)
{
    map->top[texel] = top > map->top[texel] ? top : map->top[texel];
    if (map->bottom != NULL)
        map->bottom[texel] = bottom < map->bottom[texel] ? bottom : map->bottom[texel];
}

/* Three corners within the guard band. */
static void fill(vfx_map *map, const double a[3], const double b[3], const double c[3])
{
    const double *from[3] = {a, b, c};
    int32_t x[3], y[3], row, last_row, first, last;
    for (int i = 0; i < 3; i++) {
        x[i] = vfx_to_fixed(from[i][0]);
        y[i] = vfx_to_fixed(from[i][1]);
    }
    const int32_t half = VFX_FIXED / 2;
    vfx_edges edges;
    if (!vfx_samples_between(vfx_least3(x), vfx_greatest3(x), half) ||
        !vfx_samples_between(vfx_least3(y), vfx_greatest3(y), half) || !vfx_edges_set(&edges, x, y))
        return;
    const double w = from[0][2], s_step = from[edges.turned ? 2 : 1][2] - w, t_step = from[edges.turned ? 1 : 2][2] - w;
    const double dx = ((double)edges.a[1] * s_step + (double)edges.a[2] * t_step) * edges.share;
    const double dy = ((double)edges.b[1] * s_step + (double)edges.b[2] * t_step) * edges.share;
    vfx_rows_of(edges.y_min, edges.y_max, half, map->side, &row, &last_row);
    for (; row <= last_row; row++) {
        if (!vfx_edges_span(&edges, half, row * VFX_FIXED + half, map->side, &first, &last))
            continue;
        const double start = w + dx * (first * VFX_FIXED + half - x[0]) + dy * (row * VFX_FIXED + half - y[0]);
        for (int32_t i = first; i <= last; i++) {
            const float value = (float)(start + dx * VFX_FIXED * (i - first));
            mark(map, (size_t)row * (size_t)map->side + (size_t)i, value, value);
        }
    }
}

static void clip_and_fill(vfx_map *map, double placed[3][3])
{
    const double g = VFX_GUARD;
    const double planes[4][4] = {{1, 0, 0, g}, {-1, 0, 0, g}, {0, 1, 0, g}, {0, -1, 0, g}};
    vfx_corner polygon[VFX_POLYGON];
    memset(polygon, 0, sizeof polygon);
    for (int i = 0; i < 3; i++)
        memcpy(polygon[i].position, placed[i], sizeof placed[i]);
    const int count = vfx_clip(polygon, planes, 4);
    for (int i = 1; i + 1 < count; i++)
        fill(map, polygon[0].position, polygon[i].position, polygon[i + 1].position);
}

static void draw_triangle(vfx_map *map, const vfx_caster *caster)
{
    const double g = VFX_GUARD, limit = map->side;
    double placed[3][3];
    int before[2] = {0, 0}, after[2] = {0, 0}, far_off = 0;
    for (int i = 0; i < 3; i++) {
        to_map(map, caster->corners[i], placed[i]);
        for (int k = 0; k < 2; k++) {
            before[k] += placed[i][k] < 0.0;
            after[k] += placed[i][k] > limit;
            far_off += placed[i][k] < -g || placed[i][k] > g;
        }
    }
    if (before[0] == 3 || before[1] == 3 || after[0] == 3 || after[1] == 3)
        return;
    if (far_off > 0)
        clip_and_fill(map, placed);
    else
        fill(map, placed[0], placed[1], placed[2]);
}

static int32_t first_texel(double from, double limit)
{
    return from <= 0.0 ? 0 : from >= limit ? (int32_t)limit : (int32_t)from;
}

static int32_t last_texel(double to, double limit)
{
    return to < 0.0 ? -1 : to >= limit ? (int32_t)limit - 1 : (int32_t)to;
}

static void draw_ball(vfx_map *map, const vfx_caster *caster)
{
    double placed[3];
    to_map(map, caster->corners[0], placed);
    const double texel = (double)map->texel, size = caster->radius / texel, limit = map->side;
    const int32_t bottom = last_texel(placed[1] + size, limit);
    for (int32_t row = first_texel(placed[1] - size, limit); row <= bottom; row++) {
        const double down = row + 0.5 - placed[1], chord = size * size - down * down;
        if (!(chord > 0.0))
            continue;
        const double aside = sqrt(chord);
        const int32_t right = last_texel(placed[0] + aside - 0.5, limit);
        for (int32_t i = first_texel(placed[0] - aside + 0.5, limit); i <= right; i++) {
            const double off = i + 0.5 - placed[0], rest = chord - off * off;
            const double thick = (rest > 0.0 ? sqrt(rest) : 0.0) * texel;
            mark(map, (size_t)row * (size_t)map->side + (size_t)i, (float)(placed[2] + thick),
                 (float)(placed[2] - thick));
        }
    }
}

void vfx_maps_flush(vfx_raster *raster)
{
    for (int m = 0; m < VFX_MAPS; m++)
        for (uint32_t i = 0; i < raster->caster_count; i++) {
            const vfx_caster *caster = &raster->casters[i];
            if (caster->radius > 0.0)
                draw_ball(&raster->maps[m], caster);
            else
                draw_triangle(&raster->maps[m], caster);
        }
    raster->caster_count = 0;
}

void vfx_maps_add(vfx_raster *raster, const vfx_caster *caster)
{
    raster->casters[raster->caster_count++] = *caster;
    if (raster->caster_count == VFX_BATCH)
        vfx_maps_flush(raster);
}
