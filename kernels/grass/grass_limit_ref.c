/* grass_limit_ref.c - how far correct float arithmetic may stray from the truth, record by record: the scales of the
 * check rows and the marks of records in which another branch may be taken. First-order error bounds carried along the
 * formulas of grass_ref.c and grass_vertex_ref.c; README.md derives every number. Compiled twice like them. */
#include "kernels/grass/grass_real.h"

#include <string.h>

#define U ((real)0x1p-24)         /* one rounding of a float, relative */
#define SINE_ERROR (16 * U)       /* of sinT at an angle of up to a quarter turn that is itself rounded; variant trig */
#define TRIG_ERROR (36 * U)       /* of z^2 F and z G from radius and half angle, relative; variant trig */
#define NOISE_ERROR (64 * U)      /* of noise3 at a given q */
#define NOISE_SLOPE ((real)6)     /* of noise3, summed over the axes */
#define SURFACE_ERROR (16 * U)    /* of a component of the decoded surface normal */
#define CODE_STEP ((real)1.31e-4) /* rad; one step in both coordinates of an octahedral code */
#define BYTE_MIDDLE ((real)2e-4)  /* codes: how near to the middle between two either may be taken */
#define TINY ((real)1e-30)        /* what a flush of subnormals may add, generously */

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

/* Distance of neighbouring floats at x. */
static real float_step(real x)
{
    int exponent = 0;
    (void)real_frexp(x, &exponent); /* x = [1/2, 1) 2^exponent */
    return real_ldexp(1, exponent - 24);
}

/* Of the noise because q differs: that of a leaf of a clump follows its root. A single blade's is the same float. */
static real moved_noise_error(const vfx_ref *ref, const grass_place *place, const grass_sway *sway)
{
    const grass_params *params = grass_params_of(ref);
    if (!is_clump(ref))
        return 0;
    const real scale = (real)params->noise_scale, p = real_max(largest(place->root), largest(place->pivot));
    const real moved = 2 * scale * (2 * root_error(ref, place) + 4 * U * p);
    const real rounded = 4 * U * (4 * scale * p + 2 * (real)params->stagger);
    const int sums[2][3] = {{2, 0, 1}, {1, 1, 1}}; /* as large as q, each a step off at most; by params->wind */
    real most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const real step = float_step(real_abs((real)sway->q[axis]) + (real)params->stagger);
        most = real_max(most, moved + rounded + (real)sums[params->wind][axis] * step);
    }
    return NOISE_SLOPE * most;
}

/* Of the gust g: the steepest slope of the smoothstep within reach. */
static real gust_error(const vfx_ref *ref, const grass_place *place, const grass_sway *sway)
{
    const real noise = NOISE_ERROR + moved_noise_error(ref, place, sway);
    const real rise = (real)GRASS_GUST_SLOPE(*ref->frame) * (noise + 2 * U) + 2 * U * (1 + real_abs(sway->rise));
    if (sway->rise < -rise || sway->rise > 1 + rise)
        return 0;
    const real steepest = real_clamp((real)0.5, sway->rise - rise, sway->rise + rise);
    const real slope = 6 * steepest * (1 - steepest);
    return real_min(1, slope * rise + 4 * U);
}

/* Of one of the two oscillations, whose argument is a sum of up to 2 turns. */
static real wave_error(const vfx_ref *ref, float slow, float fast, real gust)
{
    const real wave = is_clump(ref) ? 32 * U : 16 * U;
    return ((real)slow + (real)fast) * gust + wave * real_max((real)slow, (real)fast);
}

/* Of bend_min + lean, clamped. */
static real lean_error(const vfx_ref *ref, const grass_place *place)
{
    const grass_params *params = grass_params_of(ref);
    if (!is_clump(ref))
        return 0;
    const real error = 8 * U * ((real)params->clump_lean + (real)params->bend_min);
    const real leant = (real)params->bend_min + place->lean;
    return leant < -error || leant > (real)params->bend_max + error ? 0 : error;
}

grass_error VFX_REF(grass_error_of)(const vfx_ref *ref, const grass_place *place, const grass_sway *sway)
{
    const grass_params *params = grass_params_of(ref);
    const real gust = gust_error(ref, place, sway);
    grass_error e;
    e.root = root_error(ref, place);
    e.across = across_error(ref, place);
    e.gust = gust + wave_error(ref, params->sway_slow, params->sway_fast, gust) + 2 * U;
    if (sway->drive < -e.gust || sway->drive > 1 + e.gust)
        e.gust = 0;
    const real turn = wave_error(ref, params->turn_slow, params->turn_fast, gust) + 2 * U;
    e.rest = e.across + REAL_TWO_PI * turn + 16 * U;

    const real most = (real)params->bend_max;
    const real least = real_clamp((real)params->bend_min + place->lean, 0, most);
    e.strength = (most - least) * e.gust + lean_error(ref, place) + 4 * U * sway->strength;
    const real apart = real2_length(real2_add_scaled(sway->wind, -1, sway->rest));
    const real blend = apart * e.gust + e.rest + 4 * U;
    e.beta = real2_length(sway->blend) * e.strength + sway->strength * blend;
    e.direction = real_min(2, blend / real_max(real2_length(sway->blend), TINY));
    return e;
}

/* Is |beta| so near the smallest that has a direction that either side may be taken? */
static bool is_undecided(const grass_sway *sway, const grass_error *e)
{
    const real least = (real)GRASS_DEGENERATE;
    return real_abs(real2_length(sway->beta) - least) <= e->beta + 32 * U * least;
}

/* -------------------------------------------------------------------------------------- vertex */

/* Of the angle z |kappa|, in length and in direction, rad. */
static real angle_error(const grass_sway *sway, const grass_point *point, const grass_error *e)
{
    return (real)GRASS_HALF_PI * point->share * (e->beta + 16 * U * real2_length(sway->beta));
}

/* Of the vertex relative to its root, m. */
static real bent_error(const vfx_ref *ref, const grass_sway *sway, const grass_point *point, const grass_error *e)
{
    const real z = point->z, side = real_abs(point->lateral), angle = angle_error(sway, point, e);
    const real high = z * real_abs(point->sigma);
    real error = angle * (high + 2 * side) + 12 * U * (high + side) + 3 * side * e->across;
    const bool lerp = grass_params_of(ref)->shape == GRASS_SHAPE_LERP;
    if (lerp)
        error += e->beta * (4 * z + 6 * side) + 12 * U * (z + 2 * side);
    if (lerp && is_undecided(sway, e)) /* upright on one side */
        error += (real)GRASS_DEGENERATE * (z + 2 * side);
    const real beta = real2_length(sway->beta), part = lerp ? beta : 1; /* of the arc at |kappa| / part */
    if (is_trig(ref) && !(beta < (real)GRASS_DEGENERATE / 2))
        error += TRIG_ERROR * part * (z + 2 * side);
    return error + TINY;
}

/* Of N or of the arc normal. */
static real side_error(const vfx_ref *ref, const grass_sway *sway, const grass_point *point, const grass_error *e)
{
    const real angle = angle_error(sway, point, e), sine = is_trig(ref) ? 4 * SINE_ERROR : 0;
    if (grass_params_of(ref)->normal == GRASS_NORMAL_ARC) {
        const bool straight = real2_length(sway->beta) < (real)GRASS_DEGENERATE;
        return angle + (straight ? e->rest : e->direction) + 16 * U + sine;
    }
    return angle + e->across + 16 * U + sine;
}

static real normal_error(const vfx_ref *ref, const grass_sway *sway, const grass_point *point, const grass_error *e,
                         const grass_facet *facet)
{
    const real share = (real)grass_params_of(ref)->normal_blend;
    const real blended = (1 - share) * side_error(ref, sway, point, e) + share * SURFACE_ERROR + 4 * U;
    return real_min(2, blended / real_max(real3_length(facet->blended), (real)1e-3) + 8 * U);
}

bool VFX_REF(grass_facet_ill)(const vfx_ref *ref, const grass_sway *sway, const grass_error *e,
                              const grass_point *point, const grass_facet *facet)
{
    const grass_params *params = grass_params_of(ref);
    if (params->normal == GRASS_NORMAL_ARC && is_undecided(sway, e))
        return true;
    if (real3_length(facet->blended) < 2 * (real)1e-3)
        return true;
    if (params->facing != GRASS_FACING_CAMERA)
        return false;
    const real3 camera = real3_make((real)params->cam_x, (real)params->cam_y, (real)params->cam_z);
    const real distance = real3_length(real3_sub(camera, point->position));
    const real moved = bent_error(ref, sway, point, e) + e->root + 4 * U * largest(point->position);
    const real unsure = (real)1e-5 + side_error(ref, sway, point, e);
    return !(real_abs(facet->facing) * distance > unsure * distance + moved);
}

/* -------------------------------------------------------------------------------------- scales */

/* A leaf record, with what it comes from. */
typedef struct leaf {
    grass_place place;
    grass_sway sway;
    grass_error error;
} leaf;

static leaf leaf_of(const vfx_ref *ref, uint64_t record, bool before)
{
    leaf l;
    l.place = VFX_REF(grass_place_of)(ref, record);
    l.sway = VFX_REF(grass_sway_of)(ref, &l.place, before);
    l.error = VFX_REF(grass_error_of)(ref, &l.place, &l.sway);
    return l;
}

void VFX_REF(grass_kappa_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    for (uint64_t i = 0; i < count; i++) {
        const leaf l = leaf_of(ref, first + i, false);
        const real beta = l.error.beta + 16 * U * real2_length(l.sway.beta);
        scales[i] = (double)(beta * (real)GRASS_HALF_PI / l.place.height + TINY);
    }
}

void VFX_REF(grass_gust_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    for (uint64_t i = 0; i < count; i++)
        scales[i] = (double)(leaf_of(ref, first + i, false).error.gust + TINY);
}

/* Largest error of a field of a vertex. */
typedef real vertex_limit(const vfx_ref *ref, const leaf *l, const grass_point *point);

/* Each leaf is evaluated once for all its vertices in the range. */
static void vertex_scales(const vfx_ref *ref, uint64_t first, uint64_t count, bool before, vertex_limit *limit,
                          double *scales)
{
    const uint64_t vertices = grass_leaf_vertices(ref);
    leaf l;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t in_leaf = (uint32_t)((first + i) % vertices);
        if (i == 0 || in_leaf == 0)
            l = leaf_of(ref, (first + i) / vertices, before);
        const grass_point point = VFX_REF(grass_point_of)(ref, &l.place, &l.sway, in_leaf / 2, in_leaf % 2);
        scales[i] = (double)limit(ref, &l, &point);
    }
}

static real position_limit(const vfx_ref *ref, const leaf *l, const grass_point *point)
{
    return bent_error(ref, &l->sway, point, &l->error) + l->error.root + 2 * U * largest(point->position);
}

/* Both sides take the nearest half of x: one step apart at most where the middle between two lies within the error, or
 * below the normal halves, whose rounding a device may choose; else the same. */
static real half_limit(real x, real error)
{
    int exponent = 0;
    (void)real_frexp(x, &exponent); /* |x| = [1/2, 1) 2^exponent */
    const bool normal = exponent >= -13;
    const real step = real_ldexp(1, normal ? exponent - 11 : -24), steps = real_abs(x) / step;
    const real from_middle = real_abs(steps - real_floor(steps) - (real)0.5) * step;
    return normal && from_middle > error ? 0 : step + 2 * error;
}

/* Of the offset from the pivot, before it is a half. */
static real3 offset_of(const leaf *l, const grass_point *point)
{
    return real3_add(real3_sub(l->place.root, l->place.pivot), point->bent);
}

static real packed_xy_limit(const vfx_ref *ref, const leaf *l, const grass_point *point)
{
    const real error = bent_error(ref, &l->sway, point, &l->error) + l->error.root;
    const real3 offset = offset_of(l, point);
    return real_max(half_limit(offset.x, error), half_limit(offset.y, error));
}

static real packed_z_limit(const vfx_ref *ref, const leaf *l, const grass_point *point)
{
    const real error = bent_error(ref, &l->sway, point, &l->error) + l->error.root;
    return half_limit(offset_of(l, point).z, error);
}

static real normal_limit(const vfx_ref *ref, const leaf *l, const grass_point *point)
{
    const grass_facet facet = VFX_REF(grass_facet_of)(ref, &l->place, &l->sway, point);
    return normal_error(ref, &l->sway, point, &l->error, &facet);
}

static real packed_normal_limit(const vfx_ref *ref, const leaf *l, const grass_point *point)
{
    return normal_limit(ref, l, point) + CODE_STEP;
}

void VFX_REF(grass_position_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    vertex_scales(ref, first, count, false, position_limit, scales);
}

void VFX_REF(grass_motion_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    vertex_scales(ref, first, count, true, position_limit, scales);
}

void VFX_REF(grass_packed_xy_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    vertex_scales(ref, first, count, false, packed_xy_limit, scales);
}

void VFX_REF(grass_packed_z_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    vertex_scales(ref, first, count, false, packed_z_limit, scales);
}

void VFX_REF(grass_normal_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    vertex_scales(ref, first, count, false, normal_limit, scales);
}

void VFX_REF(grass_packed_normal_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    vertex_scales(ref, first, count, false, packed_normal_limit, scales);
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

/* One product, rounded either way; the root's and the tip's are exact. */
void VFX_REF(grass_gradient_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t row = (uint32_t)((first + i) % grass_leaf_vertices(ref) / 2);
        const real share = VFX_REF(grass_share_of)(ref, row);
        scales[i] = share > 0 && share < 1 ? (double)float_step(share) : 0;
    }
}

/* Bytes come from the row, the column and r0 alone. */
static void shade_scales(const vfx_ref *ref, uint64_t first, uint64_t count, bool packed, double *scales)
{
    const uint64_t vertices = grass_leaf_vertices(ref);
    real random = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t in_leaf = (uint32_t)((first + i) % vertices);
        if (i == 0 || in_leaf == 0)
            random = VFX_REF(grass_color_random)(ref, (first + i) / vertices);
        const real share = VFX_REF(grass_share_of)(ref, in_leaf / 2);
        real shades[GRASS_SHADES];
        if (packed)
            VFX_REF(grass_packed_shades_of)(share, random, in_leaf % 2, shades);
        else
            VFX_REF(grass_shades_of)(share, random, shades);
        scales[i] = byte_step(shades);
    }
}

void VFX_REF(grass_shade_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    shade_scales(ref, first, count, false, scales);
}

void VFX_REF(grass_packed_shade_scales)(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    shade_scales(ref, first, count, true, scales);
}
