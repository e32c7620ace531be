/* grass_ref.c - a leaf of the grass family on the CPU: its place, its random numbers, the gust, the motion and the
 * curvature. Slow, plain and separate from the shaders; the rules are those in grass_shared.h. Compiled twice over
 * `real`.
 *
 * What feeds the noise is float by definition, in both builds, so that both sample the same lattice point. */
#include "kernels/grass/grass_real.h"

#define DEGENERATE ((real)GRASS_DEGENERATE)

/* ------------------------------------------------------------------------------ random numbers */

/* Three numbers in [0, 1) of leaf k of an instance. */
static real3 random3(const vfx_ref *ref, uint32_t id, uint32_t k, uint32_t stream)
{
    const uint32_t in[3] = {id, stream | k << 8, ref->frame->seed};
    uint32_t word[3];
    reference_pcg3d(in, word);
    const real unit = (real)0x1p-24;
    return real3_make((real)(word[0] >> 8) * unit, (real)(word[1] >> 8) * unit, (real)(word[2] >> 8) * unit);
}

/* The leaf's number drawn towards leaf 0's. */
static real agree(const vfx_ref *ref, real own, real first)
{
    const real coherence = (real)grass_params_of(ref)->coherence;
    return own * (1 - coherence) + first * coherence;
}

/* The fractional part of a coordinate in centimetres. */
static float fraction(float metres)
{
    const float x = 100.0f * metres;
    const float below = x - floorf(x);
    return below < GRASS_BELOW_ONE ? below : GRASS_BELOW_ONE;
}

/* r0 */
static real color_random(const vfx_ref *ref, const grass_instance *instance, uint32_t k)
{
    return random3(ref, instance->id, k, GRASS_STREAM_LOOK).x;
}

static void set_randoms(const vfx_ref *ref, const grass_instance *instance, uint32_t k, grass_place *place)
{
    const grass_params *params = grass_params_of(ref);
    place->random[0] = color_random(ref, instance, k);
    if (params->random == GRASS_RANDOM_FRACT) {
        place->random[1] = (real)fraction(instance->pivot.x);
        place->random[2] = (real)fraction(instance->pivot.y);
        place->random[3] = (real)fraction(instance->pivot.z);
        return;
    }
    real3 own = random3(ref, instance->id, k, GRASS_STREAM_MOTION);
    if (params->leaves > 1) {
        const real3 first = random3(ref, instance->id, 0, GRASS_STREAM_MOTION);
        own = real3_make(agree(ref, own.x, first.x), agree(ref, own.y, first.y), agree(ref, own.z, first.z));
    }
    place->random[1] = own.x;
    place->random[2] = own.y;
    place->random[3] = own.z;
}

/* --------------------------------------------------------------------------------------- place */

/* Leaf k of a clump: own root, yaw, height factor and lean. */
static void set_leaf(const vfx_ref *ref, const grass_instance *instance, uint32_t k, grass_place *place)
{
    const grass_params *params = grass_params_of(ref);
    const real3 spot = random3(ref, instance->id, k, GRASS_STREAM_PLACE);
    const real3 look = random3(ref, instance->id, k, GRASS_STREAM_LOOK);
    const real3 first = random3(ref, instance->id, 0, GRASS_STREAM_LOOK);

    const real radius = (real)params->clump_radius * real_sqrt(spot.x);
    const real2 disc = real2_make(radius * real_cos_turns(spot.y), radius * real_sin_turns(spot.y));
    const real3 n = place->normal;
    const real rise = n.z < (real)GRASS_SLOPE_GUARD ? 0 : -(n.x * disc.x + n.y * disc.y) / n.z;
    place->root = real3_add(place->pivot, real3_make(disc.x, disc.y, rise));

    place->yaw = real2_turn(place->yaw, agree(ref, spot.z - (real)0.5, 0));
    const real range = (real)GRASS_LEAF_HIGH - (real)GRASS_LEAF_LOW;
    place->height *= (real)GRASS_LEAF_LOW + range * agree(ref, look.z, first.z);
    place->lean = (real)params->clump_lean * (2 * agree(ref, look.y, first.y) - 1);
}

/* Horizontal image of the width axis under the smallest turn that takes z to the surface normal, made unit. */
static void set_axes(const vfx_ref *ref, grass_place *place)
{
    place->across = place->yaw;
    place->straight = 1;
    const real2 flat = real2_make(place->normal.x, place->normal.y);
    const real down = 1 + place->normal.z;
    if (grass_params_of(ref)->align == GRASS_ALIGN_SLOPE) {
        real2 image = place->yaw;
        if (!(down < DEGENERATE))
            image = real2_add_scaled(place->yaw, -real2_dot(place->yaw, flat) / down, flat);
        place->straight = real2_length(image);
        if (!(real2_dot(image, image) < DEGENERATE * DEGENERATE))
            place->across = real2_unit(image);
    }
    place->rest = real2_make(-place->across.y, place->across.x);
}

static const grass_instance *instance_of(const vfx_ref *ref, uint64_t leaf)
{
    return (const grass_instance *)ref->in[GRASS_BUFFER_INSTANCE] + leaf / grass_params_of(ref)->leaves;
}

real VFX_REF(grass_color_random)(const vfx_ref *ref, uint64_t leaf)
{
    return color_random(ref, instance_of(ref, leaf), (uint32_t)(leaf % grass_params_of(ref)->leaves));
}

grass_place VFX_REF(grass_place_of)(const vfx_ref *ref, uint64_t leaf)
{
    const grass_params *params = grass_params_of(ref);
    const uint32_t k = (uint32_t)(leaf % params->leaves);
    const grass_instance *instance = instance_of(ref, leaf);
    grass_place place;
    place.pivot = real3_of(instance->pivot);
    place.root = place.pivot;
    place.normal = octahedral_decode(instance->surface);
    place.yaw = real2_unit(real2_make(half_decode(instance->yaw), half_decode(instance->yaw >> 16)));
    place.height = (real)params->height * half_decode(instance->size);
    place.width = half_decode(instance->size >> 16);
    place.lean = 0;
    if (params->leaves > 1)
        set_leaf(ref, instance, k, &place);
    set_axes(ref, &place);
    set_randoms(ref, instance, k, &place);
    return place;
}

/* ---------------------------------------------------------------------------------------- gust */

/* The frame's numbers at one of its two times. */
typedef struct moment {
    float pan, drift, slow, fast, wind_x, wind_y, pan_x, pan_y;
} moment;

static moment moment_of(const vfx_frame *frame, bool before)
{
    const vfx_frame f = *frame;
    if (before) {
        const moment then = {GRASS_BEFORE_PAN(f),   GRASS_BEFORE_DRIFT(f),  GRASS_BEFORE_SLOW(f),
                             GRASS_BEFORE_FAST(f),  GRASS_BEFORE_WIND_X(f), GRASS_BEFORE_WIND_Y(f),
                             GRASS_BEFORE_PAN_X(f), GRASS_BEFORE_PAN_Y(f)};
        return then;
    }
    const moment now = {GRASS_NOW_PAN(f),    GRASS_NOW_DRIFT(f),  GRASS_NOW_SLOW(f),  GRASS_NOW_FAST(f),
                        GRASS_NOW_WIND_X(f), GRASS_NOW_WIND_Y(f), GRASS_NOW_PAN_X(f), GRASS_NOW_PAN_Y(f)};
    return now;
}

/* Where the gust is felt: the root, drawn towards the pivot. */
static vec3 felt_at(const vfx_ref *ref, const grass_place *place)
{
    if (grass_params_of(ref)->leaves == 1)
        return vec3_of(place->pivot);
    return vec3_of(real3_make(agree(ref, place->root.x, place->pivot.x), agree(ref, place->root.y, place->pivot.y),
                              agree(ref, place->root.z, place->pivot.z)));
}

/* Noise coordinates; float in the order written. */
static void sample_point(const vfx_ref *ref, const grass_place *place, const moment *m, float q[3])
{
    const grass_params *params = grass_params_of(ref);
    const vec3 p = felt_at(ref, place);
    const float wx = m->wind_x, wy = m->wind_y, tx = -wy, ty = wx;
    const float along = (p.x * wx + p.y * wy) * GRASS_SCALE_ALONG(*ref->frame);
    const float across = (p.x * tx + p.y * ty) * params->noise_scale;
    const float early = ((float)place->random[1] - 0.5f) * params->stagger;
    if (params->wind == GRASS_WIND_FRAME) {
        q[0] = (along - m->pan) + early;
        q[1] = across;
    } else {
        q[0] = ((along + early) * wx + across * tx) - m->pan_x;
        q[1] = ((along + early) * wy + across * ty) - m->pan_y;
    }
    q[2] = p.z * params->noise_scale + m->drift;
}

/* -------------------------------------------------------------------------------------- motion */

grass_sway VFX_REF(grass_sway_of)(const vfx_ref *ref, const grass_place *place, bool before)
{
    const grass_params *params = grass_params_of(ref);
    const moment m = moment_of(ref->frame, before);
    const real slow = (real)m.slow, fast = (real)m.fast;
    grass_sway sway;
    sample_point(ref, place, &m, sway.q);
    const real noise = reference_noise3(sway.q, ref->frame->seed);
    sway.rise = (noise - (real)params->gust_low) * (real)GRASS_GUST_SLOPE(*ref->frame);
    sway.gust = real_smoothstep(sway.rise);

    const real sway_calm = (real)params->sway_slow * real_sin_turns(slow + place->random[2]);
    const real sway_windy = (real)params->sway_fast * real_sin_turns(fast + place->random[2]);
    sway.drive = sway.gust + real_mix(sway_calm, sway_windy, sway.gust);
    sway.intensity = real_clamp(sway.drive, 0, 1);

    const real turn_calm = (real)params->turn_slow * real_sin_turns(slow + place->random[3]);
    const real turn_windy = (real)params->turn_fast * real_sin_turns(fast + place->random[3]);
    sway.turn = real_mix(turn_calm, turn_windy, sway.gust);
    sway.wind = real2_turn(real2_make((real)m.wind_x, (real)m.wind_y), sway.turn);
    sway.rest = real2_turn(place->rest, sway.turn);

    const real most = (real)params->bend_max;
    const real least = real_clamp((real)params->bend_min + place->lean, 0, most);
    sway.strength = real_mix(least, most, sway.intensity);
    sway.blend = real2_mix(sway.rest, sway.wind, sway.intensity);
    sway.beta = real2_scale(sway.blend, sway.strength);
    sway.kappa = real2_scale(sway.beta, (real)GRASS_HALF_PI / place->height);
    return sway;
}

void VFX_REF(grass_blade_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    grass_blade *out = ref->out[GRASS_BUFFER_BLADE];
    for (uint64_t leaf = first; leaf < first + count && out != NULL; leaf++) {
        const grass_place place = VFX_REF(grass_place_of)(ref, leaf);
        const grass_sway sway = VFX_REF(grass_sway_of)(ref, &place, false);
        out[leaf].kappa.x = (float)sway.kappa.x;
        out[leaf].kappa.y = (float)sway.kappa.y;
        out[leaf].gust = (float)sway.intensity;
        out[leaf].random = (float)place.random[0];
        if (ref->ill[GRASS_BUFFER_BLADE] != NULL)
            ref->ill[GRASS_BUFFER_BLADE][leaf] = VFX_REF(grass_place_ill)(ref, &place) ? GRASS_ILL_PLACE : 0;
    }
}

double VFX_REF(grass_noise_ref)(const float q[3], uint32_t seed)
{
    return (double)reference_noise3(q, seed);
}
