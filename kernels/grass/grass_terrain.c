/* grass_terrain.c - the ground and where grass grows on it: hills from noise, or a height map; a density mask. All in
 * double, on the host only: devices see the instances. */
#include "kernels/grass/grass.h"

#include "core/hash.h"
#include "core/params.h"

#include <math.h>
#include <stdlib.h>

static const double hill_steps = 64.0; /* the hills' normal is measured over hill_size / this to each side */

static const grass_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, grass_params);
}

static const grass_asset *asset_of(const vfx_case *kase)
{
    static const grass_asset none = {{0}, {0}, 0, 0};
    return kase->asset != NULL ? kase->asset : &none;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

grass_field grass_field_of(const vfx_case *kase)
{
    const grass_params *params = params_of(kase);
    grass_field field = {.cells = (uint32_t)ceil(sqrt((double)params->blades))};
    field.cell = 1.0 / sqrt((double)params->per_m2);
    field.side = field.cells * field.cell;
    return field;
}

/* -------------------------------------------------------------------------------------------- hills */

static double fade(double f)
{
    return f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
}

/* Gradient noise of grass_shared.h at (x, y, 0): between the lattice planes z = 0 and 1 only the first has weight. */
static double noise(double x, double y, uint32_t seed)
{
    double cell[2] = {floor(x), floor(y)}, corner[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t ix = (uint32_t)((int64_t)cell[0] + (i & 1u)) & (GRASS_PERIOD - 1u);
        uint32_t iy = (uint32_t)((int64_t)cell[1] + (i >> 1)) & (GRASS_PERIOD - 1u);
        double fx = x - cell[0] - (i & 1u), fy = y - cell[1] - (i >> 1);
        uint32_t h = vfx_pcg3d(ix, iy, seed << 8).x >> 28;
        double a = h < 8 ? fx : fy;
        double b = h < 4 ? fy : h == 12 || h == 14 ? fx : 0.0;
        corner[i] = (h & 1u ? -a : a) + (h & 2u ? -b : b);
    }
    double tx = fade(x - cell[0]), ty = fade(y - cell[1]);
    double low = corner[0] + tx * (corner[1] - corner[0]), high = corner[2] + tx * (corner[3] - corner[2]);
    return low + ty * (high - low);
}

static double hill_height(const vfx_case *kase, double x, double y)
{
    double size = (double)params_of(kase)->hill_size;
    return noise(x / size, y / size, kase->seed) + 0.5 * noise(2.0 * x / size, 2.0 * y / size, kase->seed);
}

/* ------------------------------------------------------------------------------------------- images */

/* Place in an image over the field, in texels from the top left corner of the image: texel (0, 0) is [0, 1) x [0, 1).
 */
static void image_place(const vfx_case *kase, const vfx_grey *image, double x, double y, double place[2])
{
    double side = grass_field_of(kase).side;
    place[0] = (0.5 + x / side) * image->width;
    place[1] = (0.5 - y / side) * image->height;
}

void grass_texel_centre(const vfx_case *kase, const vfx_grey *image, uint32_t column, uint32_t row, double spot[2])
{
    double side = grass_field_of(kase).side;
    spot[0] = ((column + 0.5) / image->width - 0.5) * side;
    spot[1] = (0.5 - (row + 0.5) / image->height) * side;
}

static double sample(const vfx_grey *image, uint32_t column, uint32_t row)
{
    return (double)image->samples[(size_t)row * image->width + column] / image->maximum;
}

/* Bilinear between texel centres, clamped at the edges. */
static double image_height(const vfx_case *kase, const vfx_grey *image, double x, double y)
{
    double place[2];
    image_place(kase, image, x, y, place);
    double px = clamp(place[0] - 0.5, 0.0, image->width - 1.0), py = clamp(place[1] - 0.5, 0.0, image->height - 1.0);
    uint32_t column = (uint32_t)px, row = (uint32_t)py;
    uint32_t right = column + 1 < image->width ? column + 1 : column, below = row + 1 < image->height ? row + 1 : row;
    double tx = px - column, ty = py - row;
    double top = sample(image, column, row) * (1.0 - tx) + sample(image, right, row) * tx;
    double bottom = sample(image, column, below) * (1.0 - tx) + sample(image, right, below) * tx;
    return top * (1.0 - ty) + bottom * ty;
}

double grass_chance(const vfx_case *kase, double x, double y)
{
    const vfx_grey *mask = &asset_of(kase)->density;
    if (mask->samples == NULL)
        return 1.0;
    double place[2];
    image_place(kase, mask, x, y, place);
    return sample(mask, (uint32_t)clamp(place[0], 0.0, mask->width - 1.0),
                  (uint32_t)clamp(place[1], 0.0, mask->height - 1.0));
}

/* ------------------------------------------------------------------------------------------- ground */

double grass_ground_height(const vfx_case *kase, double x, double y)
{
    double relief = (double)params_of(kase)->relief;
    const vfx_grey *map = &asset_of(kase)->terrain;
    if (relief <= 0.0)
        return 0.0; /* not -0 */
    return relief * (map->samples != NULL ? image_height(kase, map, x, y) : hill_height(kase, x, y));
}

void grass_ground_normal(const vfx_case *kase, double x, double y, double normal[3])
{
    const vfx_grey *map = &asset_of(kase)->terrain;
    double side = grass_field_of(kase).side, hill = (double)params_of(kase)->hill_size / hill_steps;
    double dx = map->samples != NULL ? side / map->width : hill;
    double dy = map->samples != NULL ? side / map->height : hill;
    double sx = (grass_ground_height(kase, x + dx, y) - grass_ground_height(kase, x - dx, y)) / (2.0 * dx);
    double sy = (grass_ground_height(kase, x, y + dy) - grass_ground_height(kase, x, y - dy)) / (2.0 * dy);
    double length = sqrt(sx * sx + sy * sy + 1.0);
    normal[0] = -sx / length;
    normal[1] = -sy / length;
    normal[2] = 1.0 / length;
}

/* --------------------------------------------------------------------------------------------- load */

/* Reads the image that a host parameter names; nothing if it is empty. */
static vfx_status load_image(const vfx_case *kase, const char *param, vfx_grey *image)
{
    const char *path = vfx_case_host(kase, param);
    if (path == NULL || path[0] == '\0')
        return VFX_OK;
    vfx_status status = vfx_grey_read(path, image);
    return status == VFX_IO ? vfx_fail(status, "%s; %s wants a grey PNG of 8 or 16 bits", vfx_message(), param)
                            : status;
}

static vfx_status find_brightest(const vfx_case *kase, grass_asset *asset)
{
    const vfx_grey *mask = &asset->density;
    uint16_t brightest = 0;
    for (size_t i = 0; i < (size_t)mask->width * mask->height; i++)
        if (mask->samples[i] > brightest) {
            brightest = mask->samples[i];
            asset->brightest_x = (uint32_t)(i % mask->width);
            asset->brightest_y = (uint32_t)(i / mask->width);
        }
    if (mask->samples != NULL && brightest == 0)
        return vfx_fail(VFX_IO, "%s %s is black all over: no blade could stand anywhere; paint where grass grows",
                        GRASS_DENSITY_PARAM, vfx_case_host(kase, GRASS_DENSITY_PARAM));
    return VFX_OK;
}

static void free_asset(grass_asset *asset)
{
    vfx_grey_free(&asset->terrain);
    vfx_grey_free(&asset->density);
    free(asset);
}

vfx_status grass_load(vfx_case *kase)
{
    grass_asset *asset = calloc(1, sizeof *asset);
    if (asset == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the terrain");
    vfx_status status = load_image(kase, GRASS_TERRAIN_PARAM, &asset->terrain);
    if (status == VFX_OK)
        status = load_image(kase, GRASS_DENSITY_PARAM, &asset->density);
    if (status == VFX_OK)
        status = find_brightest(kase, asset);
    if (status != VFX_OK) {
        free_asset(asset);
        return status;
    }
    kase->asset = asset;
    return VFX_OK;
}

void grass_unload(vfx_case *kase)
{
    if (kase->asset != NULL)
        free_asset(kase->asset);
    kase->asset = NULL;
}
