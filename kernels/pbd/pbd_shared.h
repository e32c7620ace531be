/* pbd_shared.h - parameters, records, constants and the rules of the pbd family, read by shaders, reference and host.
 * Right-handed, z up, metres, seconds, kilograms. N particles, S substeps, I iterations.
 * Shader and reference are written apart; the comments here are what they agree on. Float expressions are evaluated in
 * the order written, without contraction, unless a comment says "any order" or "any form", which may use fma and
 * inversesqrt. mix(a, b, t) = a (1 - t) + b t; |a| of a vector is the square root of dot(a, a), both in float.
 *
 * FRAME. S substeps of h = PBD_STEP(frame) = dt / S each. Substep r = frame.substep:
 *     clear -> predict -> scan -> scatter -> gather -> iterate x I -> finish;  after the last one: reduce -> total.
 *   What a substep leaves is kept at offset r of its buffer, so that each part is checked alone, from what the device
 *   itself had before it: PREDICT, SORTED, CELL, STATUS and VELOCITY at r N; COUNT and START at r (cells + 1); SLOT at
 *   r cells capacity; TRACE slot s at (r (I + 2) + s) N; LIST at r N list_capacity. RANK, BLOCK, ARRIVAL, PUSH and
 *   TALLY are reused by each substep. CONTACT is of the last substep alone.
 *   The state after substep r < S - 1 is (TRACE slot I + 1, VELOCITY, SORTED) of r, its flags without PBD_BINNED; after
 *   the last one it is PARTICLE.
 *
 * DOMAIN. lo = (PBD_LO_X, PBD_LO_Y, 0) = (-size_x / 2, -size_y / 2, 0), hi = lo + size, cells of side c = PBD_CELL, n
 *   of them per axis = PBD_CELLS_X, _Y, _Z.
 *   Cell g of a position p, per axis: t = floor((p - lo) * PBD_INV_CELL), all in float; g = 0 where not t > 0 (so also
 *     for NaN), n - 1 where t >= n, else int(t). `hashed` has no bounds: g = int(t) where |t| < 1e9, else +-1000000000
 *     with the sign of t, and 0 for NaN.
 *   p is outside where a coordinate is not >= lo and <= hi (so also for NaN). outside = clamp: treated like the others.
 *     outside = bin: such a p (TRACE slot 1) puts the particle in the bin: PBD_BINNED in SORTED.flags, no contacts
 *     with particles, no candidates, for this substep; colliders still hold it. `hashed` knows no outside.
 *   key of a cell, all but hashed: ((gz + 1) * (ny + 2) + gy + 1) * (nx + 1) + gx + 1. There is a padding cell before
 *     each row of x and there are empty rows all around, so that keys key - 1 .. key + 1 are a row of three cells
 *     without any clamp, and so are those of the eight rows around. cells = (nx + 1) (ny + 2) (nz + 2) + 2; the
 *     last key, cells - 1, is the bin's, which no row reaches. The bin is no cell: nothing in it is inserted (SLOT)
 *     or dropped.
 *   key, hashed: pbd_hash(g) & (buckets - 1), pbd_hash = (g.x * 73856093) ^ (g.y * 19349663) ^ (g.z * 83492791) in
 *     u32; cells = buckets. PBD_CELLS_X is 0 then.
 *   key, brute: 0; neither COUNT nor cells.
 *
 * ORDER. cells-sorted, rows, list and hashed keep particles in slots by key, then by id (ordered = 1) or by arrival;
 *   the state is stored in that order too. brute and cells-capped keep the order of the state: slot = index.
 *   START[k] = particles with a key below k (exclusive scan of COUNT), k = 0..cells; START[cells] = N, COUNT[cells] =
 *   0.
 *
 * PREDICT (particle i of the state before the substep: position x, velocity v).
 *   a = (0, 0, -gravity) + attraction; e = (0, 0, PBD_CENTRE_Z) - x, d = |e|; attraction = e * (attract *
 *     max(1 - d / attract_radius, 0) / d), none where not d >= PBD_TINY or attract = 0.
 *   v1 = (v + a * h) * PBD_DRAG (= 1 / (1 + drag h), by the host); max_speed > 0 and |v1| > max_speed:
 *     v1 *= max_speed / |v1|.
 *   p = x + v1 * h. Unyielding particles: p = x + v * h, without forces and caps.
 *
 * CONTACT of slots i, j at positions of one trace slot: d = xi - xj, l = |d| in any form, overlap o = (Ri + Rj) - l.
 *   In contact where l > PBD_EPSILON and o > PBD_EPSILON, neither binned; n = d / l in any form.
 *   Coincident (l <= PBD_EPSILON): coincident = skip: no contact. separate: o = Ri + Rj, in contact where o >
 *     PBD_EPSILON; n = pbd_direction(smaller id, larger id), times -1 for the one with the larger id.
 *   share = mi / (mi + mj); only j unyielding: mix(share, 0, percent); only i: mix(share, 1, percent); both or none: as
 *     it is; percent = unyielding_percent. Weight w = 1 - share.
 *   pbd_direction(a, b): u = pcg3d(a, b, PBD_STREAM_DIRECTION ^ seed) >> 8, times 2^-24; z = 2 u.x - 1, q = sqrt(max(1
 *     - z * z, 0)), angle u.y turns: (q cos, q sin, z).
 *
 * SEARCH. Candidates of i at iteration k: the 27 cells around the cell of xi as it is now (TRACE slot k + 1), though
 *   the grid is that of the substep's start; never i itself.
 *   Order (and so the order of every sum): z, then y, then x of the cells, rising; within a cell slot order.
 *   brute: all j rising.
 *   cells-capped: SLOT[key * capacity + s], s < min(COUNT[key], capacity); the entries of a cell by id where ordered =
 *     1. Which ones of an overfull cell are dropped is up to their arrival.
 *   hashed: the 27 cells g + (-1..1)^3, each through its bucket; only those whose own cell (CELL) is that cell.
 *   list: made at iteration 0, from the same order: those with dot(d, d) < r * r, r = (Ri + Rj) + skin. All are counted
 *     (STATUS.listed), the first list_capacity are listed: LIST[e * N + i], e < min(listed, list_capacity). Iteration
 *     0 already works on the list, and so do all later ones and FINISH. Violation, at k >= 1, of particles not binned:
 *     |x - x of TRACE slot 1| > skin / 2. skin = PBD_SKIN.
 *
 * ITERATE (positions of TRACE slot k + 1 -> slot k + 2; k = 0..I-1). solver = conserving runs the pass twice per
 *   iteration: the even run only writes TALLY (contacts of each slot), the odd one moves; k = frame.iteration / 2 then,
 *   frame.iteration otherwise.
 *   source:     x' = x + (sum of w o n) / D, D = count * relaxation, or max(that, 1) with clamp.
 *   conserving: x' = x + sum of (w o n) / Dij, Dij = max(tally_i, tally_j) * relaxation, or max(that, 1) with clamp.
 *   No contact: x' = x. The product w o n in any order.
 *   friction (friction_static > 0; the kinetic one is not above it): per contact, before the division, (t * f) * w is taken from
 *     w o n: s = (xi - yi) - (xj - yj), y = TRACE slot 0 (start of the substep); t = s - n * dot(s, n); z = |t|; none
 *     where not z >= PBD_TINY. f = z < friction_static * o ? 1 : min(friction_kinetic * o / z, 1).
 *   friction with list: each listed pair keeps (A, SLID), 0 before iteration 0 (PUSH, in LIST's layout). A += o in
 *     every iteration; f = z < friction_static * A - SLID ? 1 : max((friction_kinetic * A - SLID) / z, 0), with
 *     the A that includes this o; then SLID += f * z. A pair with A > 0 that is not in contact now, and has l >
 *     PBD_EPSILON, is a contact with o = 0, n = d / l in every respect: count, TALLY and STATUS include it.
 *   Then, unless unyielding, the colliders in order: COLLIDE.
 *   STATUS.contacts = count of the last iteration; collided = 1 where count > 0 in any iteration, else 0.
 *
 * COLLIDE (x', start y, collider q with velocity u): phi, n = signed distance (> 0 where allowed) and its unit gradient
 *   at x'. e = R - phi; e > 0: x' += n * e; then s = (x' - y) - u * h, t = s - n * dot(s, n), z = |t|; z >= PBD_TINY:
 *   x' -= t * f, f = z < q.friction_static * e ? 1 : min(q.friction_kinetic * e / z, 1).
 *   plane:   n = place, phi = dot(n, x) - extent.x.
 *   box_in:  six planes in turn, each with its own move: x low, x high, y low, y high, z low, z high. Low: phi = x -
 *     place, n = +axis; high: phi = extent - x, n = -axis.
 *   sphere:  phi = |x - place| - extent.x.
 *   capsule: b = extent - place, s = dot(x - place, b) / dot(b, b) clamped to 0..1, dot(b, b) > 0; phi =
 *     |x - (place + b * s)| - round.
 *   box_out: d = x - clamp(x, place, extent), l = |d|; l >= PBD_TINY: phi = l, n = d / l. Else inside: phi = - the
 *     distance to the nearest face, n outwards of it, the first of equals in the order of box_in.
 *   torus (axis z): q = x - place, m = |q.xy|, radial = q.xy / m, a = m - extent.x, l = |(a, q.z)|, phi = l - extent.y,
 *     n = (radial * a, q.z) / l. radial = (1, 0) where m < PBD_TINY.
 *   grid (sampled distances): t = ((x - place) + round / 2) * ((PBD_SDF_SIDE - 1) / round) per axis; none unless all
 *     0 <= t <= PBD_SDF_SIDE - 1. i = min(int(t), PBD_SDF_SIDE - 2), f = t - i; phi trilinear, along x, then y, then z
 *     (each mix); n = unit vector of the gradient of that function (any order).
 *   A direction of length l < PBD_TINY (sphere, capsule, torus, grid's gradient) is n = +z.
 *
 * FINISH (x = TRACE slot I + 1, p = slot 1, y = slot 0). v = (x - y) / h; max_push > 0 and |x - p| > max_push * h:
 *   v = ((p + (x - p) * (max_push * h / |x - p|)) - y) / h. Unyielding: v = 0. max_speed > 0 and |v| > max_speed: v *=
 *   max_speed / |v|.
 *   Bounces, not of unyielding ones, u1 = (p - y) / h and u2 = (x - y) / h of either slot; "fast" = before < -2
 *     |gravity| h.
 *   restitution > 0: over candidates j at x with PBD_EPSILON < l <= (Ri + Rj) * PBD_TOUCH, neither binned: n = d / l,
 *     before = dot(u1_i - u1_j, n), now = dot(u2_i - u2_j, n); fast: sum += n * (w * max(-restitution * before - now,
 *     0)), number += 1. v += sum / number where number > 0.
 *   Then colliders q in order with restitution e > 0 and phi <= R * PBD_TOUCH at x (box_in: its six planes in turn):
 *     before = dot(u1 - u, n); fast: v += n * max(-e * before - dot(v - u, n), 0).
 *   CONTACT, last substep. measure = 1: contacts and deepest overlap of i at x, and the candidates looked at (hashed:
 *     all of the 27 buckets but i, each as often as it is met; list: those listed). measure = 0: contacts =
 *     STATUS.contacts, depth and candidates 0. dropped either way.
 *   The state of slot i: x, v, and mass, radius, id, flags (without PBD_BINNED) as they were.
 *
 * METRIC, of the state after the frame. Sums in any order; particles whose position or velocity is not finite count as
 *   non_finite and nowhere else, so means are over the N - non_finite others (0 where there are none). centre = sum of
 *   m x / sum of m. outside: positions by DOMAIN's rule; 0 with hashed. contacts, candidates, depth, dropped: of
 *   CONTACT. violations: of STATUS, all substeps. worst_cell: COUNT of the last substep, but of the bin; hashed: of
 *   buckets; brute: 0. full_cells: those with COUNT > capacity, cells-capped alone.
 *
 * PASSES. Specialisation constants 1 to 6: solver, ordered, obstacle, friction_static, restitution, measure.
 *   pass (shader pbd_<pass>)   threads                    does
 *   clear                      cells + 1                  COUNT = 0
 *   predict, predict_brute     N                          PREDICT; RANK = atomicAdd(COUNT[key], 1), but for brute
 *   scan_blocks                32 PBD_BLOCKS(cells)       BLOCK = sum of each PBD_SCAN entries of COUNT
 *   scan_sums                  1                          BLOCK = exclusive scan of BLOCK
 *   scan_add                   32 PBD_BLOCKS(cells)       START = scan within the block, plus BLOCK
 *   scatter                    N                          ARRIVAL[START[key] + RANK] = i; sorted variants
 *   insert                     N                          cells-capped: SLOT[key capacity + RANK] = i, RANK < capacity
 *   arrange                    cells - 1, not the bin     cells-capped: the entries of a cell by id, where ordered = 1
 *   gather, _hashed, _direct   N                          SORTED, TRACE slots 0 and 1 at the slot of i; hashed: CELL
 *                                                         too; direct (brute, cells-capped): slot = i
 *   iterate_<search>           N, 1 or 2 I times          ITERATE; of list, all runs but the first
 *   iterate_first              N                          list: makes the list, and the first run of ITERATE
 *   finish_<search>            N                          FINISH
 *   reduce, _brute, _capped, _list  32 PBD_PARTS(N)       PARTIAL: METRIC of a part of the particles and cells
 *   total                      1                          METRIC from PARTIAL
 *   All work with any workgroup size that is a multiple of 32, and the results do not depend on it. */
#ifndef PBD_SHARED_H
#define PBD_SHARED_H

#include "core/shared.h"

#define PBD_EPSILON 1e-5f /* m: distance and overlap below which the source sees no contact */
#define PBD_TINY 1e-9f    /* m: slip or distance without a direction */
#define PBD_TOUCH 1.001f  /* of the radii: touching, for restitution */
#define PBD_LANES 32u     /* invocations that share a block of the scan or a part of the reduction */
#define PBD_SCAN 512u     /* entries of a block of the scan; the cells + 1 entries have so many blocks: */
#define PBD_BLOCKS(cells) (((cells) + PBD_SCAN) / PBD_SCAN)
#define PBD_PARTIALS 2048u /* parts of the reduction at most; n particles have so many: */
#define PBD_PARTS(n) ((n) < 256u * PBD_PARTIALS ? ((n) + 255u) / 256u : PBD_PARTIALS)
#define PBD_SDF_SIDE 32u  /* samples of the sampled SDF, each axis */
#define PBD_BRUTE_MOST 8192u
#define PBD_UNYIELDING 1u /* flag of a particle */

#define PBD_STREAM_DIRECTION 7u
#define PBD_STREAM_PLACE 0u  /* position */
#define PBD_STREAM_MASS 1u   /* mass, size factor, unyielding */
#define PBD_STREAM_SPEED 2u  /* velocity */

#define PBD_SOLVER(V) V(PBD_SOLVER_SOURCE, 0, "source") V(PBD_SOLVER_CONSERVING, 1, "conserving")
#define PBD_SCENE(V) V(PBD_SCENE_PILE, 0, "pile") V(PBD_SCENE_ATTRACT, 1, "attract") V(PBD_SCENE_MIXED, 2, "mixed") \
    V(PBD_SCENE_INCLINE, 3, "incline") V(PBD_SCENE_PACKED, 4, "packed")
#define PBD_OUTSIDE(V) V(PBD_OUTSIDE_CLAMP, 0, "clamp") V(PBD_OUTSIDE_BIN, 1, "bin")
#define PBD_COINCIDENT(V) V(PBD_COINCIDENT_SEPARATE, 0, "separate") V(PBD_COINCIDENT_SKIP, 1, "skip")
#define PBD_OBSTACLE(V) V(PBD_OBSTACLE_NONE, 0, "none") V(PBD_OBSTACLE_SPHERE, 1, "sphere") \
    V(PBD_OBSTACLE_CAPSULE, 2, "capsule") V(PBD_OBSTACLE_BOX, 3, "box") V(PBD_OBSTACLE_TORUS, 4, "torus") \
    V(PBD_OBSTACLE_GRID, 5, "grid")
/* Kinds of a collider record. */
#define PBD_COLLIDER_PLANE 0u
#define PBD_COLLIDER_BOX_IN 1u
#define PBD_COLLIDER_BOX_OUT 2u
#define PBD_COLLIDER_SPHERE 3u
#define PBD_COLLIDER_CAPSULE 4u
#define PBD_COLLIDER_TORUS 5u
#define PBD_COLLIDER_GRID 6u

#define PBD_PARAMS(P, E) \
    P(U32, particles, 20000, 1, 16777216, 0, "particles (N)") \
    P(U32, iterations, 4, 1, 16, 0, "collision iterations a substep (I)") \
    P(U32, substeps, 1, 1, 16, 0, "substeps a frame (S)") \
    P(F32, size_x, 4, 1e-3, 1e4, 0, "domain, m") \
    P(F32, size_y, 4, 1e-3, 1e4, 0, "domain, m") \
    P(F32, size_z, 6, 1e-3, 1e4, 0, "domain, m") \
    P(F32, cell, 0, 0, 1e3, 0, "side of a cell, m; 0: the largest diameter, and the skin with variant list") \
    P(F32, mass_low, 1, 1e-6, 1e6, 0, "least mass, kg") \
    P(F32, mass_high, 1, 1e-6, 1e6, 0, "greatest mass, kg") \
    P(F32, density, 1000, 1e-3, 1e6, 0, "density, kg/m3: radius = cbrt(3 mass / (4 pi density))") \
    P(F32, size_spread, 0.2, 0, 0.9, 0, "radii are scaled by 1 - this to 1") \
    P(F32, unyielding, 0, 0, 1, 0, "share of unyielding particles") \
    P(F32, unyielding_percent, 1, 0, 1, VFX_LIVE, "how far the others give way to unyielding ones") \
    P(F32, relaxation, 1, 1e-3, 100, VFX_LIVE, "RelaxationAmount; below 1 it over-relaxes") \
    P(F32, gravity, 9.81, -1000, 1000, VFX_LIVE, "gravity, m/s2, down") \
    P(F32, drag, 0, 0, 1000, VFX_LIVE, "drag, 1/s") \
    P(F32, attract, 0, -1e4, 1e4, VFX_LIVE, "attraction to the centre, m/s2") \
    P(F32, attract_radius, 10, 1e-3, 1e4, VFX_LIVE, "distance at which the attraction ends, m") \
    P(F32, speed, 0, 0, 1e3, 0, "speed of the particles at the start, m/s") \
    P(F32, max_speed, 0, 0, 1e4, VFX_LIVE, "cap on speed, m/s; 0: none") \
    P(F32, max_push, 0, 0, 1e4, VFX_LIVE, "cap on the speed that depenetration gives, m/s; 0: none") \
    P(F32, friction_static, 0, 0, 10, 0, "static friction between particles and on colliders") \
    P(F32, friction_kinetic, 0, 0, 10, 0, "kinetic friction, at most the static one") \
    P(F32, restitution, 0, 0, 1, 0, "restitution between particles and on colliders") \
    P(F32, slope, 0, -0.2, 0.2, 0, "tilt of the floor about y, turns; scene incline") \
    P(F32, obstacle_speed, 0, -100, 100, VFX_LIVE, "speed of the obstacle along x, m/s; it turns back at the walls") \
    P(F32, skin, 0.1, 0, 1, 0, "skin of the neighbour list, of the largest diameter; variant list") \
    P(U32, capacity, 16, 1, 64, 0, "slots of a cell; variant cells-capped") \
    P(U32, list_capacity, 48, 1, 256, 0, "neighbours listed at most; variant list") \
    P(U32, buckets, 4096, 16, 16777216, 0, "buckets, a power of two; variant hashed") \
    E(solver, pbd_solver, PBD_SOLVER_SOURCE, 0, "division of the offsets: by own contacts, or symmetric") \
    E(scene, pbd_scene, PBD_SCENE_PILE, 0, "what is where at frame 0") \
    E(outside, pbd_outside, PBD_OUTSIDE_CLAMP, 0, "particles outside the domain: in border cells, or without contacts") \
    E(coincident, pbd_coincident, PBD_COINCIDENT_SEPARATE, 0, "particles at the same spot") \
    E(obstacle, pbd_obstacle, PBD_OBSTACLE_NONE, 0, "a collider in the middle of the domain") \
    P(BOOL, clamp, 0, 0, 1, 0, "divisor at least 1") \
    P(BOOL, walls, 1, 0, 1, 0, "the domain's sides are walls") \
    P(BOOL, floor, 1, 0, 1, 0, "a plane at z = 0, tilted by slope") \
    P(BOOL, ordered, 1, 0, 1, 0, "particles of a cell by id: results do not depend on atomics") \
    P(BOOL, measure, 1, 0, 1, 0, "contacts are measured at the end of a frame")

/* State, ping-pong, 48 B, layout STREAMS. */
#define PBD_PARTICLE(F) \
    F(vec3, position, 0, xyz, "m", "centre") \
    F(f32, radius, 0, w, "m", "collision radius") \
    F(vec3, velocity, 1, xyz, "m/s", "velocity") \
    F(f32, mass, 1, w, "kg", "mass") \
    F(u32, id, 2, x, "1", "id, never changes") \
    F(u32, flags, 2, y, "1", "PBD_UNYIELDING") \
    F(u32, zero0, 2, z, "1", "padding, 0") \
    F(u32, zero1, 2, w, "1", "padding, 0")
/* Result of predict, by index of the state. */
#define PBD_PREDICT(F) \
    F(vec3, position, 0, xyz, "m", "predicted position p") \
    F(u32, key, 0, w, "1", "cell key; 0 with brute")
#define PBD_VELOCITY(F) \
    F(vec3, velocity, 0, xyz, "m/s", "velocity after the substep") \
    F(u32, zero, 0, w, "1", "padding, 0")
/* What a slot holds besides its positions. */
#define PBD_SORTED(F) \
    F(f32, mass, 0, x, "kg", "mass") \
    F(u32, id, 0, y, "1", "id") \
    F(u32, flags, 0, z, "1", "flags; bit 31: binned, without contacts") \
    F(u32, index, 0, w, "1", "index in the state before the substep")
#define PBD_BINNED 0x80000000u
/* A position in time: slot 0 the start y, slot 1 the prediction p, slot k + 2 after iteration k. */
#define PBD_TRACE(F) \
    F(vec3, position, 0, xyz, "m", "position") \
    F(f32, radius, 0, w, "m", "radius")
#define PBD_STATUS(F) \
    F(u32, contacts, 0, x, "1", "contacts in the last iteration") \
    F(u32, collided, 0, y, "1", "1: a contact in any iteration") \
    F(u32, listed, 0, z, "1", "neighbours within the skin, also those beyond list_capacity; variant list") \
    F(u32, violations, 0, w, "1", "iterations after the first in which it had moved more than half the skin; variant list")
#define PBD_CONTACT(F) \
    F(u32, contacts, 0, x, "1", "overlaps above PBD_EPSILON at the end") \
    F(f32, depth, 0, y, "m", "deepest of them, 0 for none") \
    F(u32, candidates, 0, z, "1", "other particles that the search looked at") \
    F(u32, dropped, 0, w, "1", "1: dropped from its cell (cells-capped); neighbours beyond list_capacity (list)")
/* One record: figures of the frame. */
#define PBD_METRIC(F) \
    F(vec3, momentum, 0, xyz, "kg m/s", "sum of mass times velocity") \
    F(f32, kinetic, 0, w, "J", "kinetic energy") \
    F(vec3, centre, 1, xyz, "m", "centre of mass") \
    F(f32, mass, 1, w, "kg", "mass of all") \
    F(f32, depth_max, 2, x, "m", "deepest overlap") \
    F(f32, depth_rms, 2, y, "m", "root of the mean square of the particles' deepest overlaps") \
    F(u32, contacts, 2, z, "1", "contacts, each counted from both sides") \
    F(u32, candidates, 2, w, "1", "pairs that the search looked at, from both sides") \
    F(u32, dropped, 3, x, "1", "particles or neighbours dropped by full cells or lists") \
    F(u32, outside, 3, y, "1", "particles outside the domain") \
    F(u32, non_finite, 3, z, "1", "particles whose position or velocity is not finite; left out of all else") \
    F(u32, violations, 3, w, "1", "list violations") \
    F(u32, worst_cell, 4, x, "1", "most particles in a cell") \
    F(u32, full_cells, 4, y, "1", "cells over capacity; variant cells-capped") \
    F(f32, speed_rms, 4, z, "m/s", "root of the mean square speed") \
    F(u32, most_contacts, 4, w, "1", "most contacts of a particle") \
    F(uvec4, histogram0, 5, xyzw, "1", "particles with 0, 1, 2, 3 contacts") \
    F(uvec4, histogram4, 6, xyzw, "1", "with 4, 5, 6, 7") \
    F(uvec4, histogram8, 7, xyzw, "1", "with 8, 9, 10, 11 or more")
/* Per frame. */
#define PBD_COLLIDER(F) \
    F(vec3, place, 0, xyz, "m", "centre; plane: normal; box_in, box_out: low corner; capsule: one end") \
    F(u32, kind, 0, w, "1", "PBD_COLLIDER_...") \
    F(vec3, extent, 1, xyz, "m", "box: high corner; capsule: other end; sphere x: radius; torus: radii x, y; plane x: offset") \
    F(f32, round, 1, w, "m", "capsule: radius; grid: side of the volume") \
    F(vec3, velocity, 2, xyz, "m/s", "its velocity in this frame") \
    F(f32, restitution, 2, w, "1", "restitution on it") \
    F(f32, friction_static, 3, x, "1", "static friction on it") \
    F(f32, friction_kinetic, 3, y, "1", "kinetic friction on it") \
    F(u32, zero0, 3, z, "1", "padding, 0") \
    F(u32, zero1, 3, w, "1", "padding, 0")

/* frame.host */
#define PBD_LO_X(f) ((f).host[0].x)       /* lo, m; lo.z = 0 */
#define PBD_LO_Y(f) ((f).host[0].y)
#define PBD_STEP(f) ((f).host[0].z)       /* h, s */
#define PBD_DRAG(f) ((f).host[0].w)
#define PBD_CELL(f) ((f).host[1].x)       /* c, m */
#define PBD_INV_CELL(f) ((f).host[1].y)   /* 1 / c, rounded once */
#define PBD_SKIN(f) ((f).host[1].z)       /* skin, m */
#define PBD_COLLIDERS(f) ((f).host[1].w)  /* rows of the collider buffer, an exact float like the next ones */
#define PBD_CELLS_X(f) ((f).host[2].x)    /* nx; 0 with hashed */
#define PBD_CELLS_Y(f) ((f).host[2].y)
#define PBD_CELLS_Z(f) ((f).host[2].z)
#define PBD_CENTRE_Z(f) ((f).host[2].w)   /* centre of the attraction: (0, 0, this), m */
#define PBD_PLAIN(f) ((f).host[3].x)      /* 1: equal masses, none unyielding, no bin: weights are 1/2, flags 0 */

VFX_ENUM(PBD_SOLVER)
VFX_ENUM(PBD_SCENE)
VFX_ENUM(PBD_OUTSIDE)
VFX_ENUM(PBD_COINCIDENT)
VFX_ENUM(PBD_OBSTACLE)
VFX_RECORD(pbd_particle, PBD_PARTICLE, 3)
VFX_RECORD(pbd_predict, PBD_PREDICT, 1)
VFX_RECORD(pbd_velocity, PBD_VELOCITY, 1)
VFX_RECORD(pbd_sorted, PBD_SORTED, 1)
VFX_RECORD(pbd_trace, PBD_TRACE, 1)
VFX_RECORD(pbd_status, PBD_STATUS, 1)
VFX_RECORD(pbd_contact, PBD_CONTACT, 1)
VFX_RECORD(pbd_metric, PBD_METRIC, 8)
VFX_RECORD(pbd_collider, PBD_COLLIDER, 4)

#define PBD_BINDING_PARTICLE 1 /* and 2 */
#define PBD_BINDING_COLLIDER 3
#define PBD_BINDING_SDF 4
#define PBD_BINDING_PREDICT 5
#define PBD_BINDING_COUNT 6
#define PBD_BINDING_RANK 7
#define PBD_BINDING_BLOCK 8
#define PBD_BINDING_START 9
#define PBD_BINDING_ARRIVAL 10
#define PBD_BINDING_SLOT 11
#define PBD_BINDING_SORTED 12
#define PBD_BINDING_TRACE 13
#define PBD_BINDING_CELL 14
#define PBD_BINDING_LIST 15
#define PBD_BINDING_PUSH 16
#define PBD_BINDING_TALLY 17
#define PBD_BINDING_STATUS 18
#define PBD_BINDING_VELOCITY 19
#define PBD_BINDING_CONTACT 20
#define PBD_BINDING_PARTIAL 21
#define PBD_BINDING_METRIC 22

#ifndef VULKAN
typedef struct pbd_params {
    PBD_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} pbd_params;

/* Rows of the family's buffers, in the order of pbd.c. */
enum {
    PBD_BUFFER_PARTICLE, /* STATE_PING_PONG, STREAMS, count = N */
    PBD_BUFFER_COLLIDER, /* FRAME_INPUT, count = colliders of the scene */
    PBD_BUFFER_SDF,      /* INPUT, f32, PBD_SDF_SIDE^3, x fastest; with obstacle = grid, else 1 */
    PBD_BUFFER_PREDICT,  /* OUTPUT, S N */
    PBD_BUFFER_COUNT,    /* OUTPUT, u32, S (cells + 1): particles of each key; not brute */
    PBD_BUFFER_RANK,     /* SCRATCH, u32, N: arrival within the cell; not brute */
    PBD_BUFFER_BLOCK,    /* SCRATCH, u32, PBD_BLOCKS(cells): of the scan */
    PBD_BUFFER_START,    /* OUTPUT, u32, S (cells + 1); sorted variants */
    PBD_BUFFER_ARRIVAL,  /* SCRATCH, u32, N: indices by key, in order of arrival; sorted variants */
    PBD_BUFFER_SLOT,     /* OUTPUT of cells-capped, u32, S cells capacity: index; unused entries are not judged */
    PBD_BUFFER_SORTED,   /* OUTPUT, S N */
    PBD_BUFFER_TRACE,    /* OUTPUT, S (I + 2) N */
    PBD_BUFFER_CELL,     /* OUTPUT of hashed, uvec4 (g as u32, 0), S N */
    PBD_BUFFER_LIST,     /* OUTPUT of list, u32, S N list_capacity; unused entries are not judged */
    PBD_BUFFER_PUSH,     /* SCRATCH of list, f32 pairs (A, SLID) in LIST's layout, N list_capacity */
    PBD_BUFFER_TALLY,    /* SCRATCH, u32, N; 1 without solver = conserving */
    PBD_BUFFER_STATUS,   /* OUTPUT, S N */
    PBD_BUFFER_VELOCITY, /* OUTPUT, (S - 1) N: after all substeps but the last */
    PBD_BUFFER_CONTACT,  /* OUTPUT, N: of the last substep */
    PBD_BUFFER_PARTIAL,  /* SCRATCH, pbd_metric, PBD_PARTS(N) */
    PBD_BUFFER_METRIC,   /* METRIC, 1 */
    PBD_BUFFER_TOTAL
};
#endif
#endif
