/* grass_swing.glsl - GUST and MOTION: how far and where to a leaf bends at a time. `at` is GRASS_TIME_NOW or
 * GRASS_TIME_BEFORE: which quads of frame.host hold the clocks and the wind. */
#ifndef GRASS_SWING_GLSL
#define GRASS_SWING_GLSL

#include "kernels/grass/grass_place.glsl"

struct grass_swing {
    vec2 kappa; /* curvature vector, 1/m */
    vec2 rest;  /* unit, rest direction with the oscillation (rho) */
    float gust; /* gt */
};

/* (r1, r2, r3): early/late, phase of the intensity, phase of the angle. */
vec3 grass_motion_random(grass_instance instance, uint k)
{
    if (params.random == GRASS_RANDOM_FRACT) {
        precise vec3 x = instance.pivot * 100.0;
        precise vec3 fraction = x - floor(x);
        return min(fraction, vec3(GRASS_BELOW_ONE));
    }
    vec3 random = grass_random(instance.id, GRASS_STREAM_MOTION, k);
    if (LEAVES == 1u) {
        return random;
    }
    return grass_mix3(random, grass_random(instance.id, GRASS_STREAM_MOTION, 0u), params.coherence);
}

/* g of the leaf. The noise position q is float by definition: the order of these operations is part of the contract. */
float grass_gust(grass_place place, float r1, vec4 clock, vec4 wind)
{
    vec3 p = place.root;
    if (LEAVES > 1u) {
        p = grass_mix3(place.root, place.pivot, params.coherence);
    }
    vec2 w = wind.xy;
    vec2 t = vec2(-w.y, w.x);
    precise float along = (p.x * w.x + p.y * w.y) * GRASS_SCALE_ALONG(frame);
    precise float across = (p.x * t.x + p.y * t.y) * params.noise_scale;
    precise float early = (r1 - 0.5) * params.stagger;
    precise float up = p.z * params.noise_scale + clock.y;
    precise vec3 q;
    if (WIND == GRASS_WIND_FRAME) {
        q = vec3((along - clock.x) + early, across, up);
    } else {
        q = vec3(((along + early) * w.x + across * t.x) - wind.z, ((along + early) * w.y + across * t.y) - wind.w, up);
    }
    precise float ramp = (vfx_noise3(q, frame.seed) - params.gust_low) * GRASS_GUST_SLOPE(frame);
    precise float s = clamp(ramp, 0.0, 1.0);
    precise float result = s * s * (3.0 - 2.0 * s);
    return result;
}

/* Oscillation of amplitude slow..fast in calm..gust; the clocks in turns. */
float grass_sway(float slow, float fast, vec4 clock, float phase, float gust)
{
    precise float slow_turns = clock.z + phase;
    precise float fast_turns = clock.w + phase;
    precise float slow_part = slow * vfx_sin_turns(slow_turns);
    precise float fast_part = fast * vfx_sin_turns(fast_turns);
    return grass_mix(slow_part, fast_part, gust);
}

grass_swing grass_swing_of(grass_instance instance, uint k, grass_place place, uint at)
{
    vec4 clock = frame.host[at]; /* c_w, c_z, phs, phf */
    vec4 wind = frame.host[at + 1u]; /* w, pan vector */
    vec3 random = grass_motion_random(instance, k);
    float gust = grass_gust(place, random.x, clock, wind);
    precise float swayed = gust + grass_sway(params.sway_slow, params.sway_fast, clock, random.y, gust);
    precise float strength = clamp(swayed, 0.0, 1.0);
    vec2 by = vfx_dir_turns(grass_sway(params.turn_slow, params.turn_fast, clock, random.z, gust));
    vec2 wind_to = grass_turn(wind.xy, by);
    vec2 rest = grass_turn(vec2(-place.across.y, place.across.x), by);
    precise float leant = params.bend_min + place.lean;
    precise float bend_min = clamp(leant, 0.0, params.bend_max);
    float bend = grass_mix(bend_min, params.bend_max, strength);
    precise vec2 beta = bend * grass_mix2(rest, wind_to, strength);
    precise vec2 kappa = beta * (GRASS_HALF_PI / place.height);
    return grass_swing(kappa, rest, strength);
}

#endif
