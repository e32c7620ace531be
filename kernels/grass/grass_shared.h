/* grass_shared.h - parameters, records, constants and the rules of the grass family, read by shaders, reference, host.
 * Right-handed, z up, metres, angles in turns (0 = +x, 0.25 = +y). Blade axes: X = width, Y = face normal, Z = root
 *   to tip.
 * Stateless: a frame is a function of the instances, the parameters and frame.host, so every frame is checked alone.
 * Shader and reference are written apart; the comments here are what they agree on.
 *
 * INDICES. K = leaves, R = rows, V = 2 R.  leaf = instance * K + k;  vertex = leaf * V + row * 2 + column.
 *   V = 16: 14 triangles over 7 segments; no index buffer. A vertex of 32 B is quads 2 vertex and 2 vertex + 1.
 *
 * PLACE of a leaf (root, e_w, rho0, h, width, randoms). "unit" = v * inversesqrt(v.v).
 *   n    = oct16 decode of instance.surface; X0 = unit of instance.yaw (two halves: cos, sin; not exactly unit).
 *   K = 1: root = pivot, h = height * size.x, width = size.y, lean = 0, X0 as it is; nothing below of K > 1 is
 *     evaluated.
 *   K > 1: blend(l, c0) = l * (1 - coherence) + c0 * coherence, l = number of leaf k, c0 = that of leaf 0 (both exact
 *          at coherence 0 and 1). The disc offset and r0 are never blended.
 *     root   = pivot + (d, -(n.xy . d) / n.z), d = clump_radius * sqrt(PLACE.x) * dir(PLACE.y); the z offset is 0
 *              where n.z < GRASS_SLOPE_GUARD
 *     X0     = X0 turned by blend(PLACE.z - 1/2, 0) turns (so each leaf keeps the instance's yaw at coherence 1)
 *     h      = height * size.x * (GRASS_LEAF_LOW + (GRASS_LEAF_HIGH - GRASS_LEAF_LOW) * blend(LOOK.z, LOOK.z of leaf
 *       0))
 *     width  = size.y
 *     lean   = clump_lean * (2 blend(LOOK.y, LOOK.y of leaf 0) - 1), see bmin below
 *   Straightening. align = slope: X = X0 - n.xy * (X0 . n.xy) / (1 + n.z), the horizontal part of the world
 *     image of X under the smallest turn that takes z to n (X0 unchanged where 1 + n.z < GRASS_DEGENERATE);
 *     e_w = unit X, but X0 where X.X < GRASS_DEGENERATE^2. align = upright: e_w = X0.
 *     Every blade is straightened: its vertex is (lateral e_w, z), and rho0 = (-e_w.y, e_w.x) is its Yw.
 *   Vertex: lateral = (column - 1/2) * width; share = row == R - 1 ? 1 : row * GRASS_ROW_STEP; z = share * h;
 *     g_v = share (= clamp(z / h, 0, 1)).
 *
 * RANDOMS, 24 bits: word >> 8 times 2^-24, word from pcg3d(instance.id, stream | k << 8, frame.seed); streams below.
 *   random = hash:  (r1, r2, r3) = MOTION.xyz, blended with leaf 0's if K > 1; r0 = LOOK.x.
 *   random = fract: (r1, r2, r3) = per axis x = 100.0f * pivot, x - floor(x), at most GRASS_BELOW_ONE; of the
 *                   instance's pivot for all its leaves (not blended), in float; r0 = LOOK.x.
 *
 * FLOAT BY DEFINITION. These are defined in float, unfused, in the order written, in the reference's double build too
 * (they feed floor() or a large lattice coordinate): x above; q below, from the float p, w, c_w, c_z, pan and r1.
 * noise3 itself is evaluated in `real` at the float q; lattice and hash are integers.
 *
 * GUST. p = root (K > 1: per component root * (1 - coherence) + pivot * coherence); w = wind direction; t = (-w.y,
 *   w.x).
 *   along = (p.x * w.x + p.y * w.y) * GRASS_SCALE_ALONG;  across = (p.x * t.x + p.y * t.y) * noise_scale
 *   early = (r1 - 0.5) * stagger
 *   wind = frame: q = ((along - c_w) + early, across, p.z * noise_scale + c_z)
 *   wind = world: q = (((along + early) * w.x + across * t.x) - pan.x, ((along + early) * w.y + across * t.y) - pan.y,
 *                 p.z * noise_scale + c_z)
 *   g = s s (3 - 2 s), s = clamp((noise3(q) - gust_low) * GRASS_GUST_SLOPE, 0, 1)
 *   noise3: cell = floor(q), f = q - cell, corner i = (int(cell) + corner) & 255 per axis,
 *   pcg3d(ix, iy, iz ^ frame.seed << 8), h = word x >> 28; a = h < 8 ? f.x : f.y;
 *   b = h < 4 ? f.y : h == 12 or 14 ? f.x : f.z; value = (h & 1 ? -a : a) + (h & 2 ? -b : b) with f relative to the
 *     corner;
 *   fade f^3 (f (f 6 - 15) + 10); interpolate x, y, z as a + t (b - a). Golden values: grass_device_test.c.
 *
 * MOTION of a leaf:
 *   o = mix(sway_slow sinT(phs + r2), sway_fast sinT(phf + r2), g);  gt = clamp(g + o, 0, 1)
 *   da = mix(turn_slow sinT(phs + r3), turn_fast sinT(phf + r3), g), turns;  (c, s) = dir(da)
 *   wi = (w.x c - w.y s, w.x s + w.y c), rho = the same turn of rho0: exact under quarter turns, and the wind angle
 *   itself is never needed.  bmin = clamp(bend_min + lean, 0, bend_max)
 *   beta = mix(bmin, bend_max, gt) * mix(rho, wi, gt);  kappa = beta * (GRASS_HALF_PI / h);  |beta| <= bend_max <= 1
 *
 *   From here on only kappa, h and PLACE are used, so that `expand` gives the bits of `fused`: where |beta| is named
 *   below, |beta|^2 is (kappa.kappa) (h / GRASS_HALF_PI)^2, and D = unit kappa.
 *
 * BEND, relative to the root. v = lateral e_w, u = z^2 (kappa.kappa), sigma = 1 - v.kappa, degree-4 F and
 *   G.
 *   bent = (v + kappa * (z^2 F sigma), z G sigma); position = root + bent. kappa = 0 and z = 0 give (v, z) bit for
 *     bit.
 *   A = (e_w - kappa * ((e_w.kappa) z^2 F), -(e_w.kappa) z G); B = (kappa * (z G), 1 - u F); N = A x B.
 *   Pass `trig`: bent from r = 1 / |kappa|, direction D, cos and sin of z |kappa|, F = (1 - cos) / u,
 *   G = sin / sqrt u in the frame; where |beta|^2 < GRASS_DEGENERATE^2 it takes the closed form.
 *   shape = lerp (negative control): bent = mix((v, z), arc at kappa1, |beta|), kappa1 = kappa / |beta|; (v, z) where
 *   |beta|^2 < GRASS_DEGENERATE^2. Its normal is that of the arc.
 *
 * NORMAL. normal = frame: N. normal = arc: (-cos(alpha) D, sin(alpha)), alpha = z |kappa|, with D = rho
 *   where |beta|^2 < GRASS_DEGENERATE^2 (records near it are ill-conditioned). Both point to the convex side of a
 *     rest bend (-Yw).
 *   sign: facing = front +1, back -1, camera: +1 where M . (camera - position) >= 0, else -1, M = N or arc normal
 *   before the blend (ill-conditioned where |M . (camera - position)| < 1e-5 |camera - position|). arc gets no further
 *     flip.
 *   blended = mix(sign * M, n, normal_blend); result = unit blended, n where its square < GRASS_DEGENERATE.
 *
 * SHADE. q = g_v^2: ao = mix(0.25, 1, q), specular = 0.35 q, roughness = mix(0.9, 0.5, q), random = r0, each unorm8
 *   (floor(x * 255 + 0.5)). Base colour, at shading time: mix(GRASS_GREEN_DARK, GRASS_GREEN_LIGHT, r0).
 *
 * MOTION VECTORS (motion = 1). Position at t - dt: the same evaluation with GRASS_BEFORE_* instead of GRASS_NOW_* and
 *   this frame's parameters. motion = 0: buffer `motion` has count 0 and is not touched. Equals the position of frame
 *   k - 1 bitwise within a variant unless a parameter but `wind_angle` changed in between.
 *
 * PASSES (constants 1.. = rows, leaves, wind, normal in all of them; other choices are uniform branches on params).
 *   variant     pass = shader grass_<pass>.comp   threads          reads            writes
 *   per-vertex  per_vertex                        vertices         instance         vertex, motion   (all V times)
 *   two-pass    blade, then expand                leaves; vertices instance; +blade blade; vertex, motion
 *   fused       fused                             leaves           instance         vertex, motion
 *   packed      packed                            leaves           instance         packed, motion
 *   trig        trig                              leaves           instance         vertex, motion   (sine and cosine)
 *   `blade` and the first half of fused, packed, trig: an invocation per leaf. `expand` reads kappa, gust and r0 from
 *   blade and evaluates only PLACE (no gust); for motion it evaluates the leaf at t - dt in full, and
 *   likewise where normal = arc needs rho. fused: workgroup of L invocations stages its L leaves in shared memory,
 *   barrier, then lane n of the group stores quad n, n + L, ... of the group's contiguous 2 L V quads (position quad
 *   even, normal quad odd).
 *   fused, per-vertex and two-pass agree bitwise. The reference always starts from the instance (it never reads
 *   blade): stage `blade` writes BLADE, stage `vertex` (items = leaves) writes VERTEX, PACKED, MOTION.
 *
 * HOST. grass_frame_input integrates in double: before frame 1 the phases are rate * start and wind angle that of
 *   frame 1; each frame adds rate * dt (this frame's parameters), BEFORE_* are the values held until then. c_w += pan
 *   dt, c_z += drift dt, both wrapped to [0, 256); pan vector += w pan dt, each component wrapped to [0, 256) (the
 *   lattice period: w c_w itself cannot be wrapped); phases wrapped to [0, 1). A float that rounds to the period
 *   becomes 0.
 *   w = dir(wind_angle) in double from a first-octant argument, so that quarter turns are exact swaps and signs.
 *
 * SCENE (host only; GRASS_SCENE streams). Square field centred on the origin, side = n * cell, n = ceil(sqrt blades),
 *   cell = 1 / sqrt(per_m2). Instance i, id = i: cell (i % n, i / n); placement = jitter: uniform in the cell
 *   (SCENE_SPOT.xy); grid: the multiple of `cell` (cell index - floor(n / 2)) * cell. Mask (host parameter `density`,
 *     PNG over the field,
 *   value / maximum = chance): kept if SCENE_SPOT.z < chance, else up to GRASS_TRIES spots uniform over the field
 *   (stream SCENE_TRY | attempt << 8: xy the spot, z the chance), else the centre of the brightest texel. Ground: host
 *   parameter `terrain` (8- or 16-bit grey PNG over the field, row 0 at +y, bilinear at texel centres, clamped, value
 *   / maximum * relief metres) or, when empty, hills: relief * (noise3(x, y, 0) of wavelength hill_size + half of one
 *     at half that),
 *   in double with the run's seed; relief = 0 is exactly flat. n = normal from central differences one texel, or
 *   hill_size / 64, to each side. yaw: SCENE_LOOK.x turns; size.x = 1 + height_spread (2 SCENE_LOOK.y - 1); size.y =
 *     width. */
#ifndef GRASS_SHARED_H
#define GRASS_SHARED_H

#include "core/shared.h"

#define GRASS_HALF_PI 1.57079632679f
#define GRASS_DEGENERATE 1e-6f       /* length of a unitless vector, or |beta|, below which it has no direction */
#define GRASS_SLOPE_GUARD 0.1f       /* n.z below which leaves of a clump stay at the pivot's height */
#define GRASS_BELOW_ONE 0.99999994f  /* largest float below 1 */
#define GRASS_LEAF_LOW 0.7f          /* height factors of the leaves of a clump */
#define GRASS_LEAF_HIGH 1.15f
#define GRASS_PERIOD 256             /* lattice period of the noise, noise units */
#define GRASS_TRIES 32u              /* spots tried against the density mask */
#define GRASS_AO_ROOT 0.25f
#define GRASS_SPECULAR_TIP 0.35f
#define GRASS_ROUGHNESS_ROOT 0.9f
#define GRASS_ROUGHNESS_TIP 0.5f
#define GRASS_GREEN_DARK_R 0.11f     /* base colours, linear RGB, at r0 = 0 and r0 = 1 */
#define GRASS_GREEN_DARK_G 0.24f
#define GRASS_GREEN_DARK_B 0.04f
#define GRASS_GREEN_LIGHT_R 0.34f
#define GRASS_GREEN_LIGHT_G 0.47f
#define GRASS_GREEN_LIGHT_B 0.10f

/* Hash streams of pcg3d(id, stream | k << 8, seed); k = leaf of the clump, or attempt. */
#define GRASS_STREAM_MOTION 0u      /* r1 early/late, r2 phase of the intensity, r3 phase of the angle */
#define GRASS_STREAM_LOOK 1u        /* r0 colour, lean, height factor of a leaf */
#define GRASS_STREAM_PLACE 2u       /* disc radius, disc angle, yaw of a leaf */
#define GRASS_STREAM_SCENE_SPOT 16u /* x, y in the cell, chance */
#define GRASS_STREAM_SCENE_TRY 17u  /* x, y in the field, chance */
#define GRASS_STREAM_SCENE_LOOK 18u /* yaw, height */

#define GRASS_WIND(V) V(GRASS_WIND_FRAME, 0, "frame") V(GRASS_WIND_WORLD, 1, "world")
#define GRASS_RANDOM(V) V(GRASS_RANDOM_HASH, 0, "hash") V(GRASS_RANDOM_FRACT, 1, "fract")
#define GRASS_NORMAL(V) V(GRASS_NORMAL_FRAME, 0, "frame") V(GRASS_NORMAL_ARC, 1, "arc")
#define GRASS_SHAPE(V) V(GRASS_SHAPE_ARC, 0, "arc") V(GRASS_SHAPE_LERP, 1, "lerp")
#define GRASS_FACING(V) V(GRASS_FACING_FRONT, 0, "front") V(GRASS_FACING_BACK, 1, "back") \
    V(GRASS_FACING_CAMERA, 2, "camera")
#define GRASS_ALIGN(V) V(GRASS_ALIGN_SLOPE, 0, "slope") V(GRASS_ALIGN_UPRIGHT, 1, "upright")
#define GRASS_PLACEMENT(V) V(GRASS_PLACEMENT_JITTER, 0, "jitter") V(GRASS_PLACEMENT_GRID, 1, "grid")

/* validate: gust_low < gust_high, bend_min <= bend_max, every buffer's quads and every pass fit 32 bits. */
#define GRASS_PARAMS(P, E) \
    P(U32, blades, 100000, 1, 4000000, 0, "instances: blades, or clumps of `leaves` leaves") \
    P(U32, rows, 8, 2, 64, 0, "rows of a blade (R), two vertices each") \
    P(U32, leaves, 1, 1, 64, 0, "leaves per instance (K)") \
    P(F32, height, 0.5, 1e-3, 10, 0, "height of the blade mesh, m") \
    P(F32, width, 0.03, 1e-3, 1, 0, "width of a blade, m, rounded to half") \
    P(F32, height_spread, 0.3, 0, 0.9, 0, "instance heights lie in 1 -+ this, times height") \
    P(F32, clump_radius, 0.15, 0, 10, 0, "disc that holds the roots of a clump, m; with leaves > 1") \
    P(F32, clump_lean, 0.1, 0, 1, 0, "spread of the rest bend among the leaves of a clump; with leaves > 1") \
    P(F32, coherence, 0, 0, 1, 0, "how far the leaves of a clump agree; 1: they move as one") \
    P(F32, per_m2, 64, 0.01, 10000, 0, "instances per square metre of field") \
    P(F32, relief, 3, 0, 1000, 0, "height range of the terrain, m; 0: flat") \
    P(F32, hill_size, 40, 0.1, 10000, 0, "wavelength of the built-in hills, m") \
    P(F32, start, 0, 0, 1e6, 0, "time of frame 0, s") \
    P(F32, wind_angle, 0.125, -16, 16, VFX_LIVE, "direction that the wind blows to (a), turns") \
    P(F32, noise_scale, 0.12, 1e-4, 10, 0, "noise units per metre (s)") \
    P(F32, stretch, 2, 1, 100, 0, "stretch of the gusts along the wind (S)") \
    P(F32, pan, 0.6, -100, 100, VFX_LIVE, "speed of the gusts (v), noise units/s") \
    P(F32, drift, 0.15, -100, 100, VFX_LIVE, "change of the gusts (c_z rate), noise units/s") \
    P(F32, gust_low, -0.25, -1, 1, VFX_LIVE, "noise that gives calm (e0)") \
    P(F32, gust_high, 0.45, -1, 1, VFX_LIVE, "noise that gives full wind (e1)") \
    P(F32, bend_min, 0.18, 0, 1, VFX_LIVE, "bend in calm (bmin), quarter circles") \
    P(F32, bend_max, 0.9, 0, 1, VFX_LIVE, "bend in full wind (bmax), quarter circles") \
    P(F32, sway_slow, 0.10, 0, 1, VFX_LIVE, "oscillation of the intensity in calm (As)") \
    P(F32, sway_fast, 0.05, 0, 1, VFX_LIVE, "oscillation of the intensity in full wind (Af)") \
    P(F32, turn_slow, 0.03, 0, 0.5, VFX_LIVE, "oscillation of the angle in calm (Bs), turns") \
    P(F32, turn_fast, 0.015, 0, 0.5, VFX_LIVE, "oscillation of the angle in full wind (Bf), turns") \
    P(F32, slow_hz, 0.35, 0, 100, VFX_LIVE, "frequency in calm, Hz") \
    P(F32, fast_hz, 2.1, 0, 100, VFX_LIVE, "frequency in full wind, Hz") \
    P(F32, stagger, 0.35, 0, 16, VFX_LIVE, "early/late offset of the gusts (delta), noise units") \
    P(F32, normal_blend, 0.6, 0, 1, VFX_LIVE, "weight of the surface normal") \
    P(F32, cam_x, 0, -1e4, 1e4, VFX_LIVE, "camera x, m; with facing=camera") \
    P(F32, cam_y, -8, -1e4, 1e4, VFX_LIVE, "camera y, m") \
    P(F32, cam_z, 2, -1e4, 1e4, VFX_LIVE, "camera z, m") \
    E(wind, grass_wind, GRASS_WIND_FRAME, 0, "frame in which the gusts are sampled: the wind's or the world's") \
    E(random, grass_random, GRASS_RANDOM_HASH, 0, "per-blade randoms: a hash, or the fraction of the position in cm") \
    E(normal, grass_normal, GRASS_NORMAL_FRAME, 0, "normal of the bent surface (frame), or of the arc alone") \
    E(shape, grass_shape, GRASS_SHAPE_ARC, 0, "arc, or the straight interpolation that shortens the blade") \
    E(facing, grass_facing, GRASS_FACING_FRONT, 0, "two-sided sign of the normal") \
    E(align, grass_align, GRASS_ALIGN_SLOPE, 0, "instances aligned to the slope and straightened, or upright") \
    E(placement, grass_placement, GRASS_PLACEMENT_JITTER, 0, "spots jittered in their cells, or snapped to a grid") \
    P(BOOL, motion, 0, 0, 1, 0, "also write positions at t - dt")

/* Two half floats in one word, the first in the low half: packHalf2x16 / unpackHalf2x16, a field of type F16. The
 * encode must round to nearest. */
#define VFX_TYPE_half2 VFX_TYPE_u32
#define VFX_LOAD_half2(w) (w)
#define VFX_STORE_half2(v) (v)
#define VFX_FIELD_OF_half2 VFX_FIELD_F16, 2

/* Input, 32 B. */
#define GRASS_INSTANCE(F) \
    F(vec3, pivot, 0, xyz, "m", "root of the blade, or centre of the clump") \
    F(half2, yaw, 0, w, "1", "(cos, sin) of the direction of the width axis before alignment") \
    F(half2, size, 1, x, "1, m", "height scale, width") \
    F(oct16, surface, 1, y, "1", "unit surface normal") \
    F(u32, id, 1, z, "1", "hash id") \
    F(u32, zero, 1, w, "1", "padding, 0")

/* Output of two-pass, 16 B a leaf. */
#define GRASS_BLADE(F) \
    F(vec2, kappa, 0, xy, "1/m", "curvature vector") \
    F(f32, gust, 0, z, "1", "gt, intensity with oscillation, 0..1") \
    F(f32, random, 0, w, "1", "r0, exact")

/* Output, 32 B. */
#define GRASS_VERTEX(F) \
    F(vec3, position, 0, xyz, "m", "world position") \
    F(unorm8x4, shade, 0, w, "1", "ambient occlusion, specular, roughness, random r0") \
    F(vec3, normal, 1, xyz, "1", "unit normal, blended with the surface normal") \
    F(f32, gradient, 1, w, "1", "g_v: 0 at the root, 1 at the tip")

/* Output, 16 B. Instance = vertex / (K V), so that no pivot index is stored; bound 5e-4 (h + clump_radius if K > 1). */
#define GRASS_PACKED(F) \
    F(half2, offset_xy, 0, x, "m", "position minus the instance's pivot") \
    F(half2, offset_z, 0, y, "m", "the same, z; the upper half is 0") \
    F(oct16, normal, 0, z, "1", "as in the 32 B vertex") \
    F(unorm8x4, shade, 0, w, "1", "gradient g_v, random r0, column (side: 0 left, 1 right), ambient occlusion")

/* Output, 16 B a vertex, with motion = 1. */
#define GRASS_MOTION(F) \
    F(vec3, position, 0, xyz, "m", "world position at t - dt") \
    F(f32, zero, 0, w, "1", "padding, 0")

/* frame.host: constants that the host computes once a frame, in double, rounded once. */
#define GRASS_NOW_PAN(f) ((f).host[0].x)           /* c_w, noise units in [0, 256) */
#define GRASS_NOW_DRIFT(f) ((f).host[0].y)         /* c_z, noise units in [0, 256) */
#define GRASS_NOW_SLOW(f) ((f).host[0].z)          /* phs, turns in [0, 1) */
#define GRASS_NOW_FAST(f) ((f).host[0].w)          /* phf, turns in [0, 1) */
#define GRASS_NOW_WIND_X(f) ((f).host[1].x)        /* w */
#define GRASS_NOW_WIND_Y(f) ((f).host[1].y)
#define GRASS_NOW_PAN_X(f) ((f).host[1].z)         /* pan vector of wind = world, noise units in [0, 256) */
#define GRASS_NOW_PAN_Y(f) ((f).host[1].w)
#define GRASS_BEFORE_PAN(f) ((f).host[2].x)        /* the same eight at t - dt */
#define GRASS_BEFORE_DRIFT(f) ((f).host[2].y)
#define GRASS_BEFORE_SLOW(f) ((f).host[2].z)
#define GRASS_BEFORE_FAST(f) ((f).host[2].w)
#define GRASS_BEFORE_WIND_X(f) ((f).host[3].x)
#define GRASS_BEFORE_WIND_Y(f) ((f).host[3].y)
#define GRASS_BEFORE_PAN_X(f) ((f).host[3].z)
#define GRASS_BEFORE_PAN_Y(f) ((f).host[3].w)
#define GRASS_SCALE_ALONG(f) ((f).host[4].x)       /* noise_scale / stretch, 1/m */
#define GRASS_GUST_SLOPE(f) ((f).host[4].y)        /* 1 / (gust_high - gust_low) */
#define GRASS_ROW_STEP(f) ((f).host[4].z)          /* 1 / (R - 1): of R = 15 exactly half that of R = 8 (G13) */
/* For shaders that evaluate both times with one function: quads `at` and `at + 1` of frame.host. */
#define GRASS_TIME_NOW 0
#define GRASS_TIME_BEFORE 2

VFX_ENUM(GRASS_WIND)
VFX_ENUM(GRASS_RANDOM)
VFX_ENUM(GRASS_NORMAL)
VFX_ENUM(GRASS_SHAPE)
VFX_ENUM(GRASS_FACING)
VFX_ENUM(GRASS_ALIGN)
VFX_ENUM(GRASS_PLACEMENT)
VFX_RECORD(grass_instance, GRASS_INSTANCE, 2)
VFX_RECORD(grass_blade, GRASS_BLADE, 1)
VFX_RECORD(grass_vertex, GRASS_VERTEX, 2)
VFX_RECORD(grass_packed, GRASS_PACKED, 1)
VFX_RECORD(grass_motion, GRASS_MOTION, 1)

#ifndef VULKAN
typedef struct grass_params {
    GRASS_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} grass_params;

/* Rows of the family's buffers, in the order of grass.c; all in layout RECORDS. */
enum {
    GRASS_BUFFER_INSTANCE, /* INPUT, count = blades */
    GRASS_BUFFER_BLADE,    /* OUTPUT of two-pass, count = blades K */
    GRASS_BUFFER_VERTEX,   /* OUTPUT, count = blades K V */
    GRASS_BUFFER_PACKED,   /* OUTPUT of packed, count = blades K V */
    GRASS_BUFFER_MOTION,   /* OUTPUT of all, count = motion ? blades K V : 0 */
    GRASS_BUFFER_COUNT
};
#endif

#define GRASS_BINDING_INSTANCE 1
#define GRASS_BINDING_BLADE 2
#define GRASS_BINDING_VERTEX 3
#define GRASS_BINDING_PACKED 4
#define GRASS_BINDING_MOTION 5

#endif
