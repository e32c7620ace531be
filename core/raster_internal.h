/* core/raster_internal.h - what the files of the raster share: the samples, the camera, depth maps, packing.
 *
 * One way through: raster.c takes the calls and turns world into view space; raster_clip.c cuts what is behind the eye
 * or far off the screen; raster_cover.c says which samples a triangle covers; raster_fill.c writes samples, four a
 * pixel; raster_map.c fills depth maps seen from the sun and from the sky; raster_light.c asks those maps how much
 * light a point gets; raster_finish.c turns samples into pixels.
 *
 * Only + - * / and sqrt are used on floating point numbers, so that every IEEE machine computes the same. */
#ifndef VFX_RASTER_INTERNAL_H
#define VFX_RASTER_INTERNAL_H

#include "core/raster.h"

#include <math.h>
#include <string.h>

enum {
    VFX_SAMPLES = 4,     /* of a pixel, at vfx_sample_x and _y */
    VFX_FIXED = 256,     /* steps of a fixed-point coordinate in a pixel or texel */
    VFX_GUARD = 16384,   /* pixels either side of the middle beyond which triangles are cut */
    VFX_ATTRIBUTES = 9,  /* normal, colour, glow */
    VFX_CLIP_PLANES = 5, /* at most */
    VFX_POLYGON = 3 + VFX_CLIP_PLANES,
    VFX_SRGB_STEPS = 255,
    VFX_SUN_MAP = 0, /* index of the map that looks from the sun; those from the sky follow */
    VFX_SKY_MAPS = 24,
    VFX_MAPS = 1 + VFX_SKY_MAPS,
    VFX_SUN_SIDE = 1536, /* texels */
    VFX_SKY_SIDE = 256,
    VFX_BATCH = 2048, /* things drawn into one map before the next, so that it stays in the cache */
    VFX_SUN_TAPS = 32 /* points of a shadow's edge, a quarter of them for each sample */
};

#define VFX_SKY_MAP (VFX_SUN_MAP + 1) /* the first from the sky */
#define VFX_NOTHING 1e30f             /* depth in a map where nothing is */
#define VFX_SUN_ANGLE 0.03f           /* half width of a shadow's soft edge, of the distance from what throws it */
#define VFX_SUN_SOFTEST 0.012f        /* largest half width, of the map */

/* Codes in vfx_sample.normal that no packed normal has (its halves are never -32768). */
#define VFX_NORMAL_SKY 0x80008000u   /* nothing was drawn there */
#define VFX_NORMAL_UNLIT 0x80008001u /* a line */

/* Where the samples of a pixel lie, in fixed-point steps from its top left corner: a rotated grid, so that edges that
 * are nearly upright or level still pass all four one by one. */
static const int32_t vfx_sample_x[VFX_SAMPLES] = {96, 224, 32, 160};
static const int32_t vfx_sample_y[VFX_SAMPLES] = {32, 96, 160, 224};

typedef struct vfx_sample {
    float inverse_depth; /* 1 / distance along the view direction, 1/m; 0: infinitely far */
    uint32_t normal;     /* world space, octahedral, two 16-bit halves; or a code from above */
    uint32_t albedo;     /* linear, 11 + 11 + 10 bits */
    uint32_t glow;       /* linear, 9 + 9 + 9 bits and a common exponent of 5 */
} vfx_sample;

/* A corner on its way to the screen. */
typedef struct vfx_corner {
    double position[3]; /* view space: right, up, forward, m; or a map's */
    float attribute[VFX_ATTRIBUTES];
} vfx_corner;

/* A corner on the screen. */
typedef struct vfx_point {
    int32_t x, y;         /* fixed-point */
    double inverse_depth; /* 1/m */
    float attribute[VFX_ATTRIBUTES];
} vfx_point;

typedef struct vfx_camera {
    double eye[3];
    double right[3], up[3], forward[3]; /* unit vectors */
    double focal;                       /* pixels a thing of 1 m takes up at 1 m */
    double near_depth;                  /* m */
    double half_width, half_height;     /* pixels */
    double planes[VFX_CLIP_PLANES][4];  /* inside where a x + b y + c z + d >= 0: near, and the guard band */
} vfx_camera;

/* Depths seen along a direction, without perspective. Positions in it are from the centre of the scene's ball. */
typedef struct vfx_map {
    int32_t side;       /* texels */
    float *top;         /* side * side, metres towards the light; -1e30 where nothing is */
    float *bottom;      /* the same seen from the other side, 1e30 where nothing is; NULL: not kept */
    double rows[3][3];  /* world to texels right and down, and metres towards the light */
    float across[2][3]; /* the first two for lookups, */
    float toward[3];    /* and the third, a unit vector */
    float texel;        /* m */
} vfx_map;

/* A triangle, or a ball round the first corner, that waits to be drawn into the maps; from the centre of the scene's
 * ball, m. */
typedef struct vfx_caster {
    double corners[3][3];
    double radius; /* 0: a triangle */
} vfx_caster;

struct vfx_raster {
    uint32_t width, height;
    vfx_sample *samples; /* VFX_SAMPLES of a pixel side by side, pixels row after row */
    vfx_scene scene;     /* directions made unit vectors, values made finite */
    vfx_camera camera;
    vfx_map maps[VFX_MAPS];
    vfx_caster *casters; /* VFX_BATCH, the first caster_count wait */
    uint32_t caster_count;
    float sky_up[3];                  /* scene.up */
    float taps[VFX_SUN_TAPS][2];      /* points of a disc of radius 1, any part of them spread over it */
    float srgb_limit[VFX_SRGB_STEPS]; /* linear value at which code i ends and i + 1 begins */
};

/* ------------------------------------------------------------------------------------- vectors */

static inline double vfx_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline float vfx_dot3f(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vfx_cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Makes v a unit vector; false, and v left alone, if it has no direction. */
static inline bool vfx_unit3(double v[3])
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0.0) || !isfinite(largest))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= largest;
    const double length = sqrt(vfx_dot3(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

/* Two unit vectors that make right angles with `axis` and each other; the first near x, or near y if the axis is. */
static inline void vfx_across(const double axis[3], double across[2][3])
{
    const bool along_x = fabs(axis[0]) > 0.9;
    const double start[3] = {along_x ? 0.0 : 1.0, along_x ? 1.0 : 0.0, 0.0};
    vfx_cross3(axis, start, across[1]);
    (void)vfx_unit3(across[1]);
    vfx_cross3(across[1], axis, across[0]);
}

/* Turns a vector of a plane by the golden angle: steps of it never bunch. */
static inline void vfx_golden_turn(double turn[2])
{
    const double cosine = -0.73736887807831990, sine = 0.67549029426152364, first = turn[0];
    turn[0] = first * cosine - turn[1] * sine;
    turn[1] = first * sine + turn[1] * cosine;
}

static inline float vfx_clampf(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static inline float vfx_maxf(float a, float b)
{
    return a > b ? a : b;
}

/* The whole number below x, for |x| < 2^31. */
static inline float vfx_floorf(float x)
{
    const float whole = (float)(int32_t)x;
    return whole > x ? whole - 1.0f : whole;
}

static inline float vfx_mixf(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* ------------------------------------------------------------------------------------- packing */

uint32_t vfx_pack_normal(const float normal[3]);
void vfx_unpack_normal(uint32_t code, float normal[3]);
uint32_t vfx_pack_albedo(const float colour[3]);
void vfx_unpack_albedo(uint32_t code, float colour[3]);
uint32_t vfx_pack_glow(const float glow[3]);
void vfx_unpack_glow(uint32_t code, float glow[3]);

/* ------------------------------------------------------------------------------------ coverage */

/* A triangle's edges as functions a x + b y + c that are positive inside, exact integers. A point on an edge belongs to
 * the triangle that has it as its top or left edge only. */
typedef struct vfx_edges {
    int64_t a[3], b[3], c[3]; /* edge i lies opposite corner i and has its value of twice the area there */
    int64_t least[3];         /* value that belongs to the triangle: 0 for top and left edges, else 1 */
    double share;             /* 1 / twice the area: value of edge i times this is the share of corner i */
    int32_t x_min, x_max, y_min, y_max;
    bool turned; /* corners 1 and 2 were swapped to go round the right way */
} vfx_edges;

/* A coordinate in fixed-point steps, to the nearest; the guard band holds where rounding has left a cut corner outside
 * it. */
static inline int32_t vfx_to_fixed(double pixels)
{
    const double limit = 2.0 * VFX_GUARD, held = pixels < -limit ? -limit : pixels > limit ? limit : pixels;
    return (int32_t)((held + limit) * VFX_FIXED + 0.5) - 2 * VFX_GUARD * VFX_FIXED;
}

static inline int32_t vfx_least3(const int32_t v[3])
{
    const int32_t low = v[0] < v[1] ? v[0] : v[1];
    return low < v[2] ? low : v[2];
}

static inline int32_t vfx_greatest3(const int32_t v[3])
{
    const int32_t high = v[0] > v[1] ? v[0] : v[1];
    return high > v[2] ? high : v[2];
}

/* True if a line of samples, VFX_FIXED apart from `offset` on, passes between two coordinates, both included. */
static inline bool vfx_samples_between(int32_t low, int32_t high, int32_t offset)
{
    const int32_t far_left = 4 * VFX_GUARD * VFX_FIXED; /* makes both positive */
    return (high - offset + far_left) / VFX_FIXED > (low - offset + far_left - 1) / VFX_FIXED;
}

/* False for a triangle without an area. */
bool vfx_edges_set(vfx_edges *edges, const int32_t x[3], const int32_t y[3]);

/* The columns of a row of `width` samples that are inside: the samples lie at (column * VFX_FIXED + offset_x, y). False
 * if there are none. */
bool vfx_edges_span(const vfx_edges *edges, int32_t offset_x, int32_t y, int32_t width, int32_t *first, int32_t *last);

/* The rows, of samples at row * VFX_FIXED + offset, from 0 to count - 1, between two fixed-point coordinates. The same
 * for columns. None if *first > *last. */
void vfx_rows_of(int32_t low, int32_t high, int32_t offset, int32_t count, int32_t *first, int32_t *last);

/* ------------------------------------------------------------------------------- clip and fill */

/* Cuts a triangle in corners[0..2] to the planes; returns the number of corners of what is left, 0 if nothing is. */
int vfx_clip(vfx_corner corners[VFX_POLYGON], const double planes[][4], int plane_count);
/* The same for a segment; false if nothing is left. */
bool vfx_clip_segment(double from[3], double to[3], const double planes[][4], int plane_count);

void vfx_fill_triangle(vfx_raster *raster, const vfx_point points[3]);
/* `centre` in view space. */
void vfx_fill_sphere(vfx_raster *raster, const double centre[3], double radius, const float colour[3],
                     const float glow[3]);
/* A triangle of one colour that is not lit. */
void vfx_fill_flat(vfx_raster *raster, const vfx_point points[3], uint32_t albedo);

/* ------------------------------------------------------------------------------------- light */

/* Maps and casters; destroy accepts half-made and zeroed ones. MEMORY. */
vfx_status vfx_maps_create(vfx_raster *raster) VFX_MUST_USE;
void vfx_maps_destroy(vfx_raster *raster);
/* Empties all maps and points them by the raster's scene. */
void vfx_maps_clear(vfx_raster *raster);
/* Puts a caster into the batch, and draws the batch when it is full. */
void vfx_maps_add(vfx_raster *raster, const vfx_caster *caster);
/* Draws what waits. */
void vfx_maps_flush(vfx_raster *raster);

/* Shares, 0 to 1, of the sun, the sky and the ground's brightness that a point sees; `s`: the sample of the pixel,
 * `position` from the centre of the scene's ball, `normal` a unit vector, `height` above the ground, m. */
float vfx_light_sun(const vfx_raster *raster, int s, const float position[3], const float normal[3]);
float vfx_light_sky(const vfx_raster *raster, int s, const float position[3], const float normal[3]);
float vfx_light_ground(const vfx_raster *raster, int s, const float position[3], const float normal[3], float height);
void vfx_taps_set(float taps[VFX_SUN_TAPS][2]);

/* ------------------------------------------------------------------------------------- helpers */

/* Tangent of an angle in (0, pi/2), the same on every machine. */
double vfx_tangent(double angle);
/* Linear value at which each sRGB code ends. */
void vfx_srgb_limits(float limits[VFX_SRGB_STEPS]);

#endif
