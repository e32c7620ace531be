/* grass_scene.c - the host's side of the grass: how many there are of everything, where instances stand, and the wind
 * and the phases of every frame. Every instance is a function of its number; the phases are integrated, so that a
 * changed speed bends them but never makes them jump. */
#include "kernels/grass/grass.h"

#include "core/hash.h"

#include <math.h>

static const double two_pi = 6.28318530717958647692;

static const grass_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, grass_params);
}

/* ------------------------------------------------------------------------------------------- counts */

uint64_t grass_instance_count(const vfx_case *kase)
{
    return params_of(kase)->blades;
}

uint64_t grass_leaf_count(const vfx_case *kase)
{
    return grass_instance_count(kase) * params_of(kase)->leaves;
}

uint64_t grass_vertex_count(const vfx_case *kase)
{
    return grass_leaf_count(kase) * 2 * params_of(kase)->rows;
}

uint64_t grass_motion_count(const vfx_case *kase)
{
    return params_of(kase)->motion ? grass_vertex_count(kase) : 0;
}

/* ------------------------------------------------------------------------------------------ numbers */

void grass_direction(double turns, double direction[2])
{
    double quarters = floor(4.0 * turns + 0.5);
    double rest = two_pi * (turns - quarters / 4.0); /* within an eighth of a turn */
    double c = cos(rest), s = sin(rest);
    const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    const double *chosen = turned[(int)(quarters - 4.0 * floor(quarters / 4.0))];
    direction[0] = chosen[0];
    direction[1] = chosen[1];
}

uint32_t grass_half(double x)
{
    enum { SMALLEST = -14 }; /* exponent of the smallest normal half */
    double size = fabs(x);
    if (size < ldexp(1.0, SMALLEST))
        return 0;
    int exponent;
    (void)frexp(size, &exponent); /* size = [1/2, 1) * 2^exponent */
    exponent--;
    uint32_t mantissa = (uint32_t)nearbyint(ldexp(size, 10 - exponent)); /* 1024..2048; 2048 carries on its own */
    return ((uint32_t)(exponent - SMALLEST) << 10) + mantissa + (x < 0.0 ? 0x8000u : 0u);
}

double grass_half_value(uint32_t code)
{
    int exponent = (int)(code >> 10 & 31u);
    double mantissa = (code & 1023u) + (exponent > 0 ? 1024.0 : 0.0);
    double size = ldexp(mantissa, (exponent > 0 ? exponent : 1) - 25);
    return code & 0x8000u ? -size : size;
}

static uint32_t half_pair(double low, double high)
{
    return grass_half(low) | grass_half(high) << 16;
}

/* Octahedral code of a unit vector that points up (z > 0). */
static uint32_t octahedral(const double n[3])
{
    double sum = fabs(n[0]) + fabs(n[1]) + n[2];
    uint32_t x = (uint32_t)lround(n[0] / sum * 32767.0) & 0xffffu, y = (uint32_t)lround(n[1] / sum * 32767.0) & 0xffffu;
    return x | y << 16;
}

/* ---------------------------------------------------------------------------------------- instances */

/* Spots anywhere in the field, until the mask keeps one. */
static void try_spots(const vfx_case *kase, uint32_t i, double spot[2])
{
    const grass_asset *asset = kase->asset;
    double side = grass_field_of(kase).side;
    for (uint32_t attempt = 0; attempt < GRASS_TRIES; attempt++) {
        vfx_hash3 h = vfx_pcg3d(i, GRASS_STREAM_SCENE_TRY | attempt << 8, kase->seed);
        spot[0] = (vfx_hash_unit(h.x) - 0.5) * side;
        spot[1] = (vfx_hash_unit(h.y) - 0.5) * side;
        if (vfx_hash_unit(h.z) < grass_chance(kase, spot[0], spot[1]))
            return;
    }
    grass_texel_centre(kase, &asset->density, asset->brightest_x, asset->brightest_y, spot);
}

static void place_instance(const vfx_case *kase, uint32_t i, double spot[2])
{
    grass_field field = grass_field_of(kase);
    vfx_hash3 h = vfx_pcg3d(i, GRASS_STREAM_SCENE_SPOT, kase->seed);
    const double cell[2] = {i % field.cells, i / field.cells}, jitter[2] = {vfx_hash_unit(h.x), vfx_hash_unit(h.y)};
    for (int axis = 0; axis < 2; axis++)
        spot[axis] = params_of(kase)->placement == GRASS_PLACEMENT_GRID
                         ? (cell[axis] - floor(field.cells / 2.0)) * field.cell
                         : (cell[axis] + jitter[axis] - field.cells / 2.0) * field.cell;
    if (!(vfx_hash_unit(h.z) < grass_chance(kase, spot[0], spot[1])))
        try_spots(kase, i, spot);
}

grass_instance grass_instance_of(const vfx_case *kase, uint32_t i)
{
    const grass_params *params = params_of(kase);
    double spot[2], yaw[2], normal[3];
    place_instance(kase, i, spot);
    grass_ground_normal(kase, spot[0], spot[1], normal);
    vfx_hash3 look = vfx_pcg3d(i, GRASS_STREAM_SCENE_LOOK, kase->seed);
    grass_direction(vfx_hash_unit(look.x), yaw);
    double height = 1.0 + (double)params->height_spread * (2.0 * vfx_hash_unit(look.y) - 1.0);
    return (grass_instance){
        .pivot = {(float)spot[0], (float)spot[1], (float)grass_ground_height(kase, spot[0], spot[1])},
        .yaw = half_pair(yaw[0], yaw[1]),
        .size = half_pair(height, (double)params->width),
        .surface = octahedral(normal),
        .id = i,
    };
}

void grass_init(const vfx_case *kase, void *const buffers[], void *const images[])
{
    (void)images;
    grass_instance *instances = buffers[GRASS_BUFFER_INSTANCE];
    for (uint32_t i = 0; instances != NULL && i < params_of(kase)->blades; i++)
        instances[i] = grass_instance_of(kase, i);
}

/* --------------------------------------------------------------------------------- per-frame input */

/* The eight numbers of a moment, as frame.host has them; carried from frame to frame. */
typedef struct host_wind {
    double pan, drift;    /* c_w, c_z, noise units in [0, 256) */
    double slow, fast;    /* phases, turns in [0, 1) */
    double wind[2];       /* w */
    double pan_vector[2]; /* noise units in [0, 256) */
    double started;       /* 0 before frame 1 */
} host_wind;

size_t grass_host_bytes(const vfx_case *kase)
{
    (void)kase;
    return sizeof(host_wind);
}

static double wrapped(double x, double period)
{
    double rest = x - period * floor(x / period);
    return rest < period ? rest : 0.0;
}

/* Moves on by `seconds` with the rates of this frame's parameters. */
static void advance(const grass_params *params, double seconds, host_wind *now)
{
    grass_direction((double)params->wind_angle, now->wind);
    double pan = (double)params->pan * seconds;
    now->pan = wrapped(now->pan + pan, GRASS_PERIOD);
    now->drift = wrapped(now->drift + (double)params->drift * seconds, GRASS_PERIOD);
    now->slow = wrapped(now->slow + (double)params->slow_hz * seconds, 1.0);
    now->fast = wrapped(now->fast + (double)params->fast_hz * seconds, 1.0);
    for (int axis = 0; axis < 2; axis++)
        now->pan_vector[axis] = wrapped(now->pan_vector[axis] + now->wind[axis] * pan, GRASS_PERIOD);
}

/* To float, still below the period. */
static float rounded(double x, float period)
{
    float value = (float)x;
    return value < period ? value : 0.0f;
}

/* Two quads of frame.host. */
static void store(const host_wind *moment, vec4 *quads)
{
    const float period = (float)GRASS_PERIOD;
    quads[0] = (vec4){rounded(moment->pan, period), rounded(moment->drift, period), rounded(moment->slow, 1.0f),
                      rounded(moment->fast, 1.0f)};
    quads[1] = (vec4){(float)moment->wind[0], (float)moment->wind[1], rounded(moment->pan_vector[0], period),
                      rounded(moment->pan_vector[1], period)};
}

void grass_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[])
{
    (void)buffers;
    (void)images;
    const grass_params *params = params_of(kase);
    host_wind *moment = host;
    if (moment->started < 1.0) {
        advance(params, (double)params->start, moment);
        moment->started = 1.0;
    }
    store(moment, frame->host + GRASS_TIME_BEFORE);
    advance(params, (double)kase->dt, moment);
    store(moment, frame->host + GRASS_TIME_NOW);
    GRASS_SCALE_ALONG(*frame) = (float)((double)params->noise_scale / (double)params->stretch);
    GRASS_GUST_SLOPE(*frame) = (float)(1.0 / ((double)params->gust_high - (double)params->gust_low));
    GRASS_ROW_STEP(*frame) = (float)(1.0 / (params->rows - 1.0));
}

/* ---------------------------------------------------------------------------------------- validate */

static vfx_status check_size(const char *what, const char *name, uint64_t count)
{
    if (count <= UINT32_MAX)
        return VFX_OK;
    return vfx_fail(VFX_USAGE,
                    "%s %s has %llu elements, shaders count in 32 bits (at most %lu); lower blades, leaves or rows",
                    what, name, (unsigned long long)count, (unsigned long)UINT32_MAX);
}

/* Device code addresses buffers by 16-byte quads. */
static vfx_status check_sizes(const vfx_case *kase)
{
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++) {
        const vfx_buffer *buffer = &kase->kernel->buffers[i];
        if (kase->variant->buffers >> i & 1u)
            VFX_TRY(check_size("buffer", buffer->name, buffer->count(kase) * (buffer->stride / 16)));
    }
    for (uint32_t i = 0; i < kase->variant->pass_count; i++) {
        const vfx_pass *pass = &kase->variant->passes[i];
        VFX_TRY(check_size("pass", pass->name, pass->threads(kase)));
    }
    return VFX_OK;
}

vfx_status grass_validate(const vfx_case *kase)
{
    const grass_params *params = params_of(kase);
    if (!(params->gust_low < params->gust_high))
        return vfx_fail(VFX_USAGE, "gust_low = %g must be below gust_high = %g: calm below full wind",
                        (double)params->gust_low, (double)params->gust_high);
    if (!isfinite((float)(1.0 / ((double)params->gust_high - (double)params->gust_low))))
        return vfx_fail(VFX_USAGE, "gust_low = %g and gust_high = %g are too close", (double)params->gust_low,
                        (double)params->gust_high);
    if (!(params->bend_min <= params->bend_max))
        return vfx_fail(VFX_USAGE, "bend_min = %g must not exceed bend_max = %g: calm bends least",
                        (double)params->bend_min, (double)params->bend_max);
    return kase->variant != NULL ? check_sizes(kase) : VFX_OK;
}
