/* pbd_shared.h - parameters, records, constants and the rules of the pbd family, read by shaders, reference and host.
 * Right-handed, z up, metres, seconds, kilograms. N particles, S substeps, I iterations, T = S (I + 2) trace slots.
 * Shader and reference are written apart; the comments here are what they agree on. All float expressions in the
 *   order
 * written, without contraction, unless a comment says "any order".
 *
 * A frame is S substeps of h = PBD_STEP(frame) = dt / S. Substep r = frame.substep:
 *   clear -> predict -> scan -> scatter -> gather -> iterate x I -> finish;  after the last substep: reduce -> total.
 *   Everything a substep leaves is kept at offset r of its buffer, so that each part is checked alone, from what the
 *     device itself
 *   had before it: PREDICT, SORTED, CELL, STATUS, VELOCITY at r N; START, COUNT at r (cells + 1); SLOT at r cells
 *   capacity; TRACE at r (I + 2) N; LIST at r N list_capacity. RANK, ARRIVAL, BLOCK, TALLY, PUSH are reused.
 *   The state after substep r < S - 1 is (TRACE slot I + 1, VELOCITY, SORTED) of r; after the last it is PARTICLE.
 *
 * DOMAIN. lo = (-size_x / 2, -size_y / 2, 0) = PBD_LO, c = PBD_CELL (the `cell` parameter or the largest diameter (1
 *   + skin)), n = cells per axis.
 *   Cell of p, in float: g = clamp(int(floor((p - lo) * PBD_INV_CELL)), 0, n - 1) per axis. `hashed` does not clamp.
 *   outside: any coordinate of p < lo or > lo + size. outside = clamp: treated like the others. outside = bin: has no
 *     contacts with particles, colliders still hold it. Counted either way (METRIC.outside), not with hashed.
 *   key (sorted variants and cells-capped): ((gz + 1) * (ny + 2) + gy + 1) * (nx + 1) + gx + 1: a padding cell before
 *     each row of x and empty
 *     rows around, so that key - 1 .. key + 1 is a row of three cells without any clamp. cells = (nx + 1) (ny + 2)
 *       (nz + 2) + 1.
 *     A binned particle has key cells - 1 (the last one, reached by no row).
 *   key (hashed): pbd_hash(g) & (buckets - 1), pbd_hash = (g.x * 73856093) ^ (g.y * 19349663) ^ (g.z * 83492791) in
 *     u32; cells = buckets.
 *
 * ORDER. Sorted variants (cells-sorted, rows, list, hashed) keep particles in slots by key, then by id (ordered = 1)
 *   or by arrival; the state is
 *   stored in that order too. brute and cells-capped keep the order of the state: slot = index.
 *   START[k] = particles with a key below k (exclusive scan of COUNT), START[cells] = N.
 *
 * PREDICT (particle i of the state before the substep: x, v, mass m, radius R).
 *   a = (0, 0, -gravity) + attraction; attraction = attract * falloff(d) * (centre - x) / d, d = |centre - x|,
 *     falloff = max(1 - d / attract_radius, 0);
 *     none where d < PBD_TINY or attract = 0. centre = PBD_CENTRE.
 *   v1 = (v + a * h) * PBD_DRAG (= 1 / (1 + drag h), host); max_speed > 0: v1 *= min(1, max_speed / |v1|).
 *   p = x + v1 * h. Unyielding particles: v1 = v and p = x + v * h without forces and caps.
 *
 * CONTACT of slots i, j at positions of one trace slot: d = xi - xj, l = |d|, overlap o = (Ri + Rj) - l. In contact
 *   where l > PBD_EPSILON and
 *   o > PBD_EPSILON; n = d / l. share = mi / (mi + mj); only j unyielding: mix(share, 0, percent); only i: mix(share,
 *     1, percent); both: as it is;
 *   percent = unyielding_percent. weight w = 1 - share.
 *   Coincident (l <= PBD_EPSILON): coincident = skip: no contact. separate: contact with l = 0 and n = the unit
 *     vector
 *     pbd_direction(min id, max id), times +1 for the smaller id and -1 for the larger; then o = Ri + Rj.
 *   pbd_direction(a, b): pcg3d(a, b, PBD_STREAM_DIRECTION ^ seed) -> z = 2 ux - 1, angle uy turns: (sqrt(1 - z z)
 *     cos, sqrt(1 - z z) sin, z); ux, uy
 *     from the upper 24 bits.
 *
 * SEARCH. Candidates of i at iteration k: the cells around the cell of xi as it is now (TRACE slot k + 1), though the
 *   grid is that of the substep's start.
 *   Order (and so the order of every sum): z, then y, then x of the cells, rising; within a cell slot order. brute:
 *     all j rising, j != i.
 *   cells-capped: SLOT[key * capacity + s], s < min(COUNT[key], capacity), the entries of a cell rising by id where
 *     ordered = 1.
 *   list: built at iteration 0 from the same order: j with l < Ri + Rj + skin, at most list_capacity (more are
 *     dropped and counted);
 *     LIST[k * N + i], k < LISTED[i]. Later iterations go through the list. Violation: |x - x at iteration 0| > skin
 *       / 2.
 *   hashed: 27 cells g + (-1..1)^3, each through its bucket; j only if its own cell (CELL) is that cell.
 *
 * ITERATE (positions of trace slot k + 1 -> slot k + 2; k = 0..I-1). solver = conserving runs the pass twice per
 *   iteration: the even run only
 *   writes TALLY (contacts of each slot), the odd one moves; k = frame.iteration / 2 then, frame.iteration otherwise.
 *   source:     x' = x + (sum of w o n) / D, D = count * relaxation, or max(that, 1) with clamp.
 *   conserving: x' = x + sum of (w o n) / Dij, Dij = max(tally_i, tally_j) * relaxation, or max(that, 1) with clamp.
 *   No contact: x' = x. friction (friction_static or friction_kinetic > 0), added to the same sum before the
 *     division, per contact:
 *     s = (xi - yi) - (xj - yj), y = trace slot 0 (start of the substep); t = s - n * dot(s, n); z = |t|; z <
 *       PBD_TINY: none.
 *     normal depth A = o; f = z < friction_static * A ? 1 : min(friction_kinetic * A / z, 1); term - w * t * f.
 *     list: A = sum of o over the iterations so far, this one included (PUSH[k N + i], LIST's layout); a listed pair
 *       with A > 0 and without contact now
 *     counts as one with o = 0. SLID likewise sums the slip cancelled: z < friction_static * A - SLID ? f = 1 : f =
 *       clamp((friction_kinetic * A - SLID) / z, 0, 1);
 *     then SLID += f * z.
 *   Then, unless unyielding, colliders in order: see COLLIDE. STATUS: contacts = count of this iteration, collided |=
 *     count > 0.
 *
 * COLLIDE (x', start y, collider q with velocity u): phi, n = signed distance (> 0 where allowed) and its unit
 *   gradient at x';
 *   e = R - phi; e > 0: x' += n e; then slip s = (x' - y) - u h, t = s - n dot(s, n), z = |t| >= PBD_TINY: x' -= t *
 *     f with f as for contacts, A = e and the
 *   collider's own coefficients.
 *   plane: phi = dot(n, x) - offset. box_in (walls): of the nearest face inwards (x, y, z; low before high; smallest
 *     phi first wins), moved in all
 *     three axes: each axis in turn is treated as two planes. box_out, sphere, capsule: exact distances; inside a
 *       box_out the nearest face (first of equals).
 *   torus (the analytic SDF): length(length(q.xy) - major, q.z) - minor, normal analytic. grid (sampled SDF):
 *     trilinear phi of SDF at x in the volume, gradient
 *     of the same trilinear function, unit; outside the volume: none.
 *
 * FINISH. push = x_last - p, max_push > 0: push *= min(1, max_push * h / |push|) (for the velocity alone); v = ((p +
 *   push) - y) / h; unyielding: v = 0.
 *   max_speed > 0: v *= min(1, max_speed / |v|). bounce (restitution > 0): over candidates j with l <= (Ri + Rj) *
 *     PBD_TOUCH at x_last, l > PBD_EPSILON (list: listed ones; others: SEARCH at x_last):
 *     before = dot(u1_i - u1_j, n), u1 = (p - y) / h; now = dot(v_i - v_j, n) with v before any bounce, both (x_last
 *       - y) / h without caps;
 *     before < -2 gravity h: add n * w * max(-restitution * before - now, 0); v += sum / number of such j.
 *       Unyielding: none.
 *     Colliders likewise: phi <= R * PBD_TOUCH, before = dot(u1 - u, n), v += n * max(-e_q * before - dot(v - u, n),
 *       0).
 *   measure = 1: CONTACT of i at x_last: contacts, deepest overlap, candidates tested; else CONTACT.contacts =
 *     STATUS.contacts and the rest 0.
 *   The state of slot i: x_last, v, and mass, radius, id, flags as they were.
 *
 * METRIC. Sums over all particles, any order: momentum, centre of mass, kinetic energy; maximum and mean square of
 *   depth; counts.
 *
 * PASSES (specialisation constants 1.. = solver, ordered).
 *   pass                      threads               does
 *   clear                     cells + 1             COUNT = 0
 *   predict                   N                     PREDICT, KEY; RANK = atomicAdd(COUNT[KEY], 1); KEY, COUNT not
 *     with brute
 *   scan_blocks, scan_sums, scan_add                START from COUNT: blocks of PBD_SCAN cells, one workgroup for the
 *     sums, add
 *   scatter                   N                     ARRIVAL[START[key] + RANK] = i
 *   insert                    N                     cells-capped: SLOT[key capacity + RANK] = i where RANK < capacity
 *   arrange                   cells                 cells-capped: the entries of a cell by id, where ordered = 1
 *   gather                    N                     slot of i (by id within its cell), SORTED, TRACE slots 0 and 1;
 *     brute, capped: slot = i
 *   iterate_<search>          N                     ITERATE
 *   finish_<search>           N                     FINISH
 *   reduce, total             N; PBD_REDUCE         METRIC by fixed trees: a workgroup's partial sums, then one
 *     workgroup */
#ifndef PBD_SHARED_H
#define PBD_SHARED_H

#include "core/shared.h"

#define PBD_EPSILON 1e-5f /* m: distance and overlap below which the source sees no contact */
#define PBD_TINY 1e-9f    /* m: slip or distance without a direction */
#define PBD_TOUCH 1.001f  /* of the radii: touching, for restitution */
#define PBD_SCAN 1024u    /* cells of a block of the scan */
#define PBD_PARTIALS 256u /* workgroups' partial sums at most */
#define PBD_SDF_SIDE 32u  /* samples of the sampled SDF, each axis */
#define PBD_MAX_COLLIDERS 8u
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
    P(F32, friction_static, 0, 0, 10, VFX_LIVE, "static friction between particles and on colliders") \
    P(F32, friction_kinetic, 0, 0, 10, VFX_LIVE, "kinetic friction, at most the static one") \
    P(F32, restitution, 0, 0, 1, VFX_LIVE, "restitution between particles and on colliders") \
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
    F(u32, listed, 0, z, "1", "neighbours listed; variant list") \
    F(u32, violations, 0, w, "1", "iterations in which it had moved more than half the skin; variant list")
#define PBD_CONTACT(F) \
    F(u32, contacts, 0, x, "1", "overlaps above PBD_EPSILON at the end") \
    F(f32, depth, 0, y, "m", "deepest of them, 0 for none") \
    F(u32, candidates, 0, z, "1", "other particles that the search looked at") \
    F(u32, dropped, 0, w, "1", "1: dropped from its cell (cells-capped); neighbours not listed (list)")
#define PBD_HISTOGRAM_BINS 16u
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
    F(u32, non_finite, 3, z, "1", "particles with a coordinate that is not finite; left out of the sums") \
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
#define PBD_CELLS_X(f) ((f).host[2].x)    /* nx */
#define PBD_CELLS_Y(f) ((f).host[2].y)
#define PBD_CELLS_Z(f) ((f).host[2].z)
#define PBD_CENTRE_Z(f) ((f).host[2].w)   /* centre of the attraction: (0, 0, this), m */

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
    PBD_BUFFER_BLOCK,    /* SCRATCH, u32: sums of the scan's blocks */
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
    PBD_BUFFER_PARTIAL,  /* SCRATCH, pbd_metric, PBD_PARTIALS */
    PBD_BUFFER_METRIC,   /* METRIC, 1 */
    PBD_BUFFER_TOTAL
};
#endif
#endif
