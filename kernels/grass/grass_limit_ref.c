/* grass_limit_ref.c - how far correct float arithmetic may stray from the truth, record by record: the scales of the
 * check rows and the marks of records in which another branch may be taken. First-order error bounds carried along the
 * formulas of grass_ref.c and grass_vertex_ref.c; README.md derives every number. Compiled twice like them. */
#include "kernels/grass/grass_real.h"

#include <string.h>

#define U ((real)0x1p-24)          /* one rounding of a float, relative */
#define SINE_ERROR ((real)0x1p-11) /* of the device's own sin and cos: all that Vulkan promises; variant trig */
#define NOISE_ERROR (64 * U)       /* of noise3 at a given q */
#define NOISE_SLOPE ((real)4)      /* of noise3 along an axis */
#define SURFACE_ERROR (16 * U)     /* of a component of the decoded surface normal */
#define CODE_STEP ((real)1.31e-4)  /* rad; one step in both coordinates of an octahedral code */
#define BYTE_MIDDLE ((real)2e-4)   /* codes: how near to the middle between two either may be taken */
#define TINY ((real)1e-30)         /* what a flush of subnormals may add, generously */

/* Error bounds of what all vertices of a leaf share. */
typedef struct leaf_error {
    real root;      /* m */
    real across;    /* rad */
    real gust;      /* of gt */
    real direction; /* of the blend's direction, rad */
    real strength;  /* quarter circles */
    real beta;      /* quarter circles */
} leaf_error;

static bool is_clump(const vfx_ref *ref)
{
    return grass_params_of(ref)->leaves > 1;
}

static bool is_trig(const vfx_ref *ref)
{
    return ref->kase->variant != NULL && strcmp(ref->kase->variant->name, "trig") == 0;
}

static real largest(real3 v)
{
    return real_max(real_abs(v.x), real_max(real_abs(v.y), real_abs(v.z)));
}

/* --------------------------------------------------------------------------------------- place */

static real across_error(const vfx_ref *ref, const grass_place *place)
{
    const real yaw = is_clump(ref) ? 40 * U : 8 * U;
    if (grass_params_of(ref)->align != GRASS_ALIGN_SLOPE)
        return yaw;
    const real flat = real2_length(real2_make(place->normal.x, place->normal.y));
    const real down = real_max(1 + place->normal.z, (real)GRASS_DEGENERATE);
    const real image = 2 * yaw + 4 * U + 4 * SURFACE_ERROR * flat / down;
    return image / real_max(place->straight, (real)GRASS_DEGENERATE) + 8 * U;
}

static real root_error(const vfx_ref *ref, const grass_place *place)
{
    if (!is_clump(ref))
        return 0;
    const real radius = (real)grass_params_of(ref)->clump_radius, up = place->normal.z;
    const real rise = up < (real)GRASS_SLOPE_GUARD ? 0 : (1 + 1 / up) / up;
    return radius * U * (24 + 40 * rise) + U * largest(place->root);
}

bool VFX_REF(grass_place_ill)(const vfx_ref *ref, const grass_place *place)
{
    const real edge = (real)1e-3;
    const bool slope = grass_params_of(ref)->align == GRASS_ALIGN_SLOPE;
    if (slope && (1 + place->normal.z < edge || place->straight < edge))
        return true;
    return is_clump(ref) && real_abs(place->normal.z - (real)GRASS_SLOPE_GUARD) < (real)1e-5;
}

/* -------------------------------------------------------------------------------------- motion */

/* Of the gust g. A single blade's q is the same float on both sides; that of a leaf follows its root. */
static real gust_error(const vfx_ref *ref, const grass_place *place, const grass_sway *sway)
{
    const grass_params *params = grass_params_of(ref);
    real noise = NOISE_ERROR;
    if (is_clump(ref)) {
        const real scale = (real)params->noise_scale, p = real_max(largest(place->root), largest(place->pivot));
        const real moved = 2 * scale * (2 * root_error(ref, place) + 4 * U * p);
        const real rounded = 4 * U * (4 * scale * p + (real)params->stagger);
        for (int axis = 0; axis < 3; axis++)
            noise += NOISE_SLOPE * (moved + rounded + 4 * U * real_abs((real)sway->q[axis]));
    }
    const real rise = (real)GRASS_GUST_SLOPE(*ref->frame) * (noise + 2 * U) + 2 * U * (1 + real_abs(sway->rise));
    if (sway->rise < -rise || sway->rise > 1 + rise)
        return 0;
    return real_min(1, (real)1.5 * rise + 4 * U);
}

/* Of one of the two oscillations, whose argument is a sum of up to 2 turns. */
static real wave_error(const vfx_ref *ref, float slow, float fast, real gust)
{
    const real wave = is_clump(ref) ? 32 * U : 16 * U;
    return ((real)slow + (real)fast) * gust + wave * real_max((real)slow, (real)fast);
}

static leaf_error leaf_error_of(const vfx_ref *ref, const grass_place *place, const grass_sway *sway)
{
    const grass_params *params = grass_params_of(ref);
    const real gust = gust_error(ref, place, sway);
    leaf_error e;
    e.root = root_error(ref, place);
    e.across = across_error(ref, place);
    e.gust = gust + wave_error(ref, params->sway_slow, params->sway_fast, gust) + 2 * U;
    if (sway->drive < -e.gust || sway->drive > 1 + e.gust)
        e.gust = 0;
    const real turn = wave_error(ref, params->turn_slow, params->turn_fast, gust) + 2 * U;
    const real axes = e.across + 2 * REAL_TWO_PI * turn + 16 * U;

    const real most = (real)params->bend_max;
    const real least = real_clamp((real)params->bend_min + place->lean, 0, most);
    const real lean = is_clump(ref) ? 8 * U * ((real)params->clump_lean + least) : 0;
    e.strength = (most - least) * e.gust + lean + 4 * U * sway->strength;
    const real apart = real2_length(real2_add_scaled(sway->wind, -1, sway->rest));
    const real blend = apart * e.gust + axes + 4 * U;
    e.beta = real2_length(sway->blend) * e.strength + sway->strength * blend;
    e.direction = real_min(2, blend / real_max(real2_length(sway->blend), TINY));
    return e;
}

/* Is |beta| so near the smallest that has a direction that either side may be taken? */
static bool may_be_straight(const grass_sway *sway, const leaf_error *e)
{
    const real amount = real2_length(sway->beta);
    return amount + e->beta > 0 && amount < 2 * (real)GRASS_DEGENERATE + 2 * e->beta;
}

bool VFX_REF(grass_bend_ill)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway)
{
    const leaf_error e = leaf_error_of(ref, place, sway);
    return grass_params_of(ref)->shape == GRASS_SHAPE_LERP && may_be_straight(sway, &e);
}

/* -------------------------------------------------------------------------------------- vertex */

/* Of the angle z |kappa|, in length and in direction, rad. */
static real angle_error(const grass_sway *sway, const grass_point *point, const leaf_error *e)
{
    return (real)GRASS_HALF_PI * point->share * (e->beta + 16 * U * real2_length(sway->beta));
}

/* Of the vertex relative to its root, m. */
static real bent_error(const vfx_ref *ref, const grass_sway *sway, const grass_point *point, const leaf_error *e)
{
    const real z = point->z, side = real_abs(point->lateral), angle = angle_error(sway, point, e);
    const real high = z * real_abs(point->sigma);
    real error = angle * (high + 2 * side) + 12 * U * (high + side) + 3 * side * e->across;
    if (grass_params_of(ref)->shape == GRASS_SHAPE_LERP)
        error += e->beta * (4 * z + 6 * side) + 12 * U * (z + 2 * side);
    if (is_trig(ref) && !(real2_length(sway->beta) < (real)GRASS_DEGENERATE / 2))
        error += (SINE_ERROR + 8 * U) * (1 / real2_length(sway->kappa) + side);
    return error + TINY;
}

/* Of N or of the arc normal. */
static real side_error(const vfx_ref *ref, const grass_sway *sway, const grass_point *point, const leaf_error *e)
{
    const real angle = angle_error(sway, point, e), sine = is_trig(ref) ? 4 * SINE_ERROR : 0;
    if (grass_params_of(ref)->normal == GRASS_NORMAL_ARC)
        return 2 * angle + 2 * e->direction + 16 * U + sine;
    return 4 * angle + 2 * e->across + 16 * U + sine;
}

static real normal_error(const vfx_ref *ref, const grass_sway *sway, const grass_point *point, const leaf_error *e,
                         const grass_facet *facet)
{
    const real share = (real)grass_params_of(ref)->normal_blend;
    const real blended = (1 - share) * side_error(ref, sway, point, e) + share * SURFACE_ERROR + 4 * U;
    return real_min(2, blended / real_max(real3_length(facet->blended), (real)1e-3) + 8 * U);
}

bool VFX_REF(grass_facet_ill)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway,
                              const grass_point *point, const grass_facet *facet)
{
    const grass_params *params = grass_params_of(ref);
    const leaf_error e = leaf_error_of(ref, place, sway);
    if (params->normal == GRASS_NORMAL_ARC && may_be_straight(sway, &e))
        return true;
    if (real3_length(facet->blended) < 2 * (real)1e-3)
        return true;
    if (params->facing != GRASS_FACING_CAMERA)
        return false;
    const real3 camera = real3_make((real)params->cam_x, (real)params->cam_y, (real)params->cam_z);
    const real distance = real3_length(real3_sub(camera, point->position));
    const real moved = bent_error(ref, sway, point, &e) + e.root + 4 * U * largest(point->position);
    const real unsure = (real)1e-5 + side_error(ref, sway, point, &e);
    return !(real_abs(facet->facing) * distance > unsure * distance + moved);
}

/* -------------------------------------------------------------------------------------- scales */

/* A vertex record and all that leads to it. */
typedef struct vertex {
    grass_place place;
    grass_sway sway;
    grass_point point;
    leaf_error error;
    uint32_t column;
} vertex;

static vertex vertex_of(const vfx_ref *ref, uint64_t record, bool before)
{
    const uint32_t i = (uint32_t)(record % grass_leaf_vertices(ref));
    vertex v;
    v.column = i % 2;
    v.place = VFX_REF(grass_place_of)(ref, record / grass_leaf_vertices(ref));
    v.sway = VFX_REF(grass_sway_of)(ref, &v.place, before);
    v.point = VFX_REF(grass_point_of)(ref, &v.place, &v.sway, i / 2, v.column);
    v.error = leaf_error_of(ref, &v.place, &v.sway);
    return v;
}

double VFX_REF(grass_kappa_scale)(const vfx_ref *ref, uint64_t record)
{
    const grass_place place = VFX_REF(grass_place_of)(ref, record);
    const grass_sway sway = VFX_REF(grass_sway_of)(ref, &place, false);
    const leaf_error e = leaf_error_of(ref, &place, &sway);
    const real beta = e.beta + 16 * U * real2_length(sway.beta);
    return (double)(beta * (real)GRASS_HALF_PI / place.height + TINY);
}

double VFX_REF(grass_gust_scale)(const vfx_ref *ref, uint64_t record)
{
    const grass_place place = VFX_REF(grass_place_of)(ref, record);
    const grass_sway sway = VFX_REF(grass_sway_of)(ref, &place, false);
    return (double)(leaf_error_of(ref, &place, &sway).gust + TINY);
}

static double position_scale(const vfx_ref *ref, uint64_t record, bool before)
{
    const vertex v = vertex_of(ref, record, before);
    return (double)(bent_error(ref, &v.sway, &v.point, &v.error) + v.error.root + 2 * U * largest(v.point.position));
}

double VFX_REF(grass_position_scale)(const vfx_ref *ref, uint64_t record)
{
    return position_scale(ref, record, false);
}

double VFX_REF(grass_motion_scale)(const vfx_ref *ref, uint64_t record)
{
    return position_scale(ref, record, true);
}

double VFX_REF(grass_packed_offset_scale)(const vfx_ref *ref, uint64_t record)
{
    const vertex v = vertex_of(ref, record, false);
    return (double)(2 * (bent_error(ref, &v.sway, &v.point, &v.error) + v.error.root));
}

double VFX_REF(grass_normal_scale)(const vfx_ref *ref, uint64_t record)
{
    const vertex v = vertex_of(ref, record, false);
    const grass_facet facet = VFX_REF(grass_facet_of)(ref, &v.place, &v.sway, &v.point);
    return (double)normal_error(ref, &v.sway, &v.point, &v.error, &facet);
}

double VFX_REF(grass_packed_normal_scale)(const vfx_ref *ref, uint64_t record)
{
    return VFX_REF(grass_normal_scale)(ref, record) + (double)CODE_STEP;
}

/* One code where some byte lies in the middle between two, else 0: bitwise. */
static double byte_step(const real shades[GRASS_SHADES])
{
    for (int i = 0; i < GRASS_SHADES; i++) {
        const real code = shades[i] * 255 + (real)0.5;
        if (real_abs(code - real_round(code)) < BYTE_MIDDLE)
            return 1.001 / 255;
    }
    return 0;
}

double VFX_REF(grass_shade_scale)(const vfx_ref *ref, uint64_t record)
{
    const vertex v = vertex_of(ref, record, false);
    real shades[GRASS_SHADES];
    VFX_REF(grass_shades_of)(v.point.share, v.place.random[0], shades);
    return byte_step(shades);
}

double VFX_REF(grass_packed_shade_scale)(const vfx_ref *ref, uint64_t record)
{
    const vertex v = vertex_of(ref, record, false);
    real shades[GRASS_SHADES];
    VFX_REF(grass_packed_shades_of)(v.point.share, v.place.random[0], v.column, shades);
    return byte_step(shades);
}
