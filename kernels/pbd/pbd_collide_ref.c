/* pbd_collide_ref.c - colliders: signed distances with their unit gradients, and what one does to a particle. Compiled
 * twice over `real`. */
#include "kernels/pbd/pbd_real.h"

/* Of axes x, y, z. */
static real part(real3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static real3 along(uint32_t axis, real length)
{
    return real3_make(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

/* Faces of a box: x low, x high, y low, y high, z low, z high. */
enum { FACES = 6 };

static real face_distance(const pbd_collider *q, uint32_t face, real3 x)
{
    const uint32_t axis = face / 2;
    if (face % 2 == 0)
        return part(x, axis) - part(real3_of(q->place), axis);
    return part(real3_of(q->extent), axis) - part(x, axis);
}

/* Bound of a difference of two such points. */
static real rounding(const pbd_collider *q, real3 x)
{
    return U * (real3_length(x) + real3_length(real3_of(q->place)) + real3_length(real3_of(q->extent)));
}

/* -------------------------------------------------------------------------------------------- kinds */

/* From a vector that points away from a skeleton `thick` deep inside the surface. */
static pbd_surface from_arm(real3 arm, real thick, real off)
{
    const real distance = real3_length(arm);
    pbd_surface s = {.there = true, .phi = distance - thick, .normal = real3_make(0, 0, 1)};
    if (distance >= TINY)
        s.normal = pbd_over(arm, distance);
    s.off = off + (3 * U + ROOT) * distance + U * real_abs(s.phi);
    s.bend = 1 / real_max(distance, TINY);
    return s;
}

static pbd_surface plane_surface(const pbd_collider *q, real3 x)
{
    const real3 n = real3_of(q->place);
    const pbd_surface s = {.there = true,
                           .phi = real3_dot(n, x) - (real)q->extent.x,
                           .normal = n,
                           .off = 4 * U * (real3_length(n) * real3_length(x) + real_abs((real)q->extent.x))};
    return s;
}

static pbd_surface wall_surface(const pbd_collider *q, uint32_t face, real3 x)
{
    const pbd_surface s = {.there = true,
                           .phi = face_distance(q, face, x),
                           .normal = along(face / 2, face % 2 == 0 ? 1 : -1),
                           .off = U * real_abs(face_distance(q, face, x))};
    return s;
}

static pbd_surface box_surface(const pbd_collider *q, real3 x)
{
    const real3 low = real3_of(q->place), high = real3_of(q->extent);
    const real3 inner =
        real3_make(real_clamp(x.x, low.x, high.x), real_clamp(x.y, low.y, high.y), real_clamp(x.z, low.z, high.z));
    const real3 d = real3_sub(x, inner);
    const real distance = real3_length(d);
    if (distance >= TINY) {
        pbd_surface s = from_arm(d, 0, 0);
        const bool face = (d.x < 0 || d.x > 0) + (d.y < 0 || d.y > 0) + (d.z < 0 || d.z > 0) == 1;
        if (face)
            s.bend = 0;
        return s;
    }
    pbd_surface s = {.there = true, .off = rounding(q, x)};
    real nearest = INFINITY, second = INFINITY;
    for (uint32_t face = 0; face < FACES; face++) {
        const real inside = face_distance(q, face, x);
        second = real_min(second, real_max(inside, nearest));
        if (!(inside < nearest))
            continue;
        nearest = inside;
        s.normal = along(face / 2, face % 2 == 0 ? -1 : 1);
    }
    s.phi = -nearest;
    s.ill = second - nearest <= 4 * s.off;
    return s;
}

static pbd_surface capsule_surface(const pbd_collider *q, real3 x)
{
    const real3 place = real3_of(q->place), b = real3_sub(real3_of(q->extent), place);
    const real square = real3_dot(b, b);
    const real share = square > 0 ? real_clamp(real3_dot(real3_sub(x, place), b) / square, 0, 1) : 0;
    const real3 axis = real3_add_scaled(place, share, b);
    return from_arm(real3_sub(x, axis), (real)q->round, 16 * rounding(q, x));
}

static pbd_surface torus_surface(const pbd_collider *q, real3 x)
{
    const real3 d = real3_sub(x, real3_of(q->place));
    const real m = real_sqrt(d.x * d.x + d.y * d.y), a = m - (real)q->extent.x;
    const real c = m < TINY ? 1 : d.x / m, s = m < TINY ? 0 : d.y / m;
    pbd_surface ring = from_arm(real3_make(c * a, s * a, d.z), (real)q->extent.y, 16 * rounding(q, x));
    ring.bend += real_abs(a) / real_max(real3_length(real3_make(a, 0, d.z)), TINY) / real_max(m, TINY);
    return ring;
}

/* Trilinear distance of eight samples at the fractions f, and its gradient per voxel. */
static real trilinear(const real sample[8], const real f[3], real gradient[3])
{
    real value = 0;
    gradient[0] = gradient[1] = gradient[2] = 0;
    for (uint32_t corner = 0; corner < 8; corner++) {
        real share[3], slope[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            const bool upper = (corner >> axis & 1u) != 0;
            share[axis] = upper ? f[axis] : 1 - f[axis];
            slope[axis] = upper ? 1 : -1;
        }
        value += share[0] * share[1] * share[2] * sample[corner];
        gradient[0] += slope[0] * share[1] * share[2] * sample[corner];
        gradient[1] += share[0] * slope[1] * share[2] * sample[corner];
        gradient[2] += share[0] * share[1] * slope[2] * sample[corner];
    }
    return value;
}

static pbd_surface grid_surface(const pbd_world *w, const pbd_collider *q, real3 x)
{
    const float *samples = w->ref->in[PBD_BUFFER_SDF];
    const real side = (real)q->round, voxels = (real)(PBD_SDF_SIDE - 1);
    pbd_surface s = {.there = true, .normal = real3_make(0, 0, 1)};
    real f[3], sample[8], gradient[3], size = 0, curve = 0;
    uint32_t base[3];
    const real edge = 8 * (rounding(q, x) + U * side) * voxels / side;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const real t = ((part(x, axis) - part(real3_of(q->place), axis)) + side / 2) * (voxels / side);
        if (!(t >= 0 && t <= voxels)) {
            s.there = false;
            s.ill = t > -edge && t < voxels + edge;
            return s;
        }
        base[axis] = (uint32_t)real_min(real_floor(t), voxels - 1);
        f[axis] = t - (real)base[axis];
        s.ill = s.ill || f[axis] < edge || f[axis] > 1 - edge;
    }
    for (uint32_t corner = 0; corner < 8; corner++) {
        const uint32_t at[3] = {base[0] + (corner & 1u), base[1] + (corner >> 1 & 1u), base[2] + (corner >> 2)};
        sample[corner] = (real)samples[(at[2] * PBD_SDF_SIDE + at[1]) * PBD_SDF_SIDE + at[0]];
        size = real_max(size, real_abs(sample[corner]));
    }
    s.phi = trilinear(sample, f, gradient);
    const real3 g = real3_make(gradient[0], gradient[1], gradient[2]);
    const real steep = real3_length(g);
    for (uint32_t corner = 0; corner < 8; corner++)
        curve = real_max(curve, real_abs(sample[corner] - s.phi));
    if (steep >= TINY)
        s.normal = pbd_over(g, steep);
    s.off = 24 * U * size + 2 * steep * edge;
    s.bend = 8 * curve / real_max(steep, TINY) * voxels / side;
    return s;
}

uint32_t VFX_REF(pbd_faces)(const pbd_collider *q)
{
    return q->kind == PBD_COLLIDER_BOX_IN ? FACES : 1;
}

pbd_surface VFX_REF(pbd_surface_of)(const pbd_world *w, const pbd_collider *q, uint32_t face, real3 x)
{
    switch (q->kind) {
    case PBD_COLLIDER_PLANE:
        return plane_surface(q, x);
    case PBD_COLLIDER_BOX_IN:
        return wall_surface(q, face, x);
    case PBD_COLLIDER_BOX_OUT:
        return box_surface(q, x);
    case PBD_COLLIDER_SPHERE:
        return from_arm(real3_sub(x, real3_of(q->place)), (real)q->extent.x, rounding(q, x));
    case PBD_COLLIDER_CAPSULE:
        return capsule_surface(q, x);
    case PBD_COLLIDER_TORUS:
        return torus_surface(q, x);
    default:
        return grid_surface(w, q, x);
    }
}

void VFX_REF(pbd_surface_ref)(const vfx_ref *ref, uint32_t row, uint32_t face, const double x[3],
                              pbd_surface_probe *out)
{
    const pbd_world w = VFX_REF(pbd_world_of)(ref, 0);
    const pbd_collider *q = (const pbd_collider *)ref->in[PBD_BUFFER_COLLIDER] + row;
    const pbd_surface s = VFX_REF(pbd_surface_of)(&w, q, face, real3_make((real)x[0], (real)x[1], (real)x[2]));
    out->there = s.there;
    out->phi = (double)s.phi;
    out->normal[0] = (double)s.normal.x;
    out->normal[1] = (double)s.normal.y;
    out->normal[2] = (double)s.normal.z;
}

/* ---------------------------------------------------------------------------------------- collision */

/* How far a normal at a place that is `slack` off may be turned, as a length of its difference. */
static real turn_of(const pbd_surface *s, real slack)
{
    return real_min(2, s->bend * slack + (s->bend > 0 ? 4 * U + 2 * ROOT + QUOTIENT + s->bend * s->off : 0));
}

static void collide_face(const pbd_world *w, uint64_t i, const pbd_collider *q, uint32_t face, pbd_moved *x)
{
    const pbd_surface s = VFX_REF(pbd_surface_of)(w, q, face, x->value);
    const real radius = (real)pbd_trace_of(w, 0, i)->radius, depth = radius - s.phi;
    const real off_depth = x->slack + s.off + U * real_abs(depth);
    if (depth <= -off_depth || (!s.there && !s.ill))
        return;
    x->ill = x->ill || s.ill || s.bend * (x->slack + s.off) > (real)0.05;
    if (!(depth > 0 && s.there)) { /* within rounding of it: moves by no more */
        x->slack += off_depth;
        return;
    }
    const real turn = turn_of(&s, x->slack);
    x->value = real3_add_scaled(x->value, depth, s.normal);
    x->slack += s.off + depth * (turn + 2 * U) + U * real_abs(depth) + 2 * U * real3_length(x->value);

    const real3 moved = real3_sub(x->value, pbd_position_of(w, 0, i));
    const real3 carried = real3_scale(real3_of(q->velocity), w->h), slip = real3_sub(moved, carried);
    const real3 across = real3_reject(slip, s.normal);
    const real z = real3_length(across);
    const real off_z =
        x->slack + 2 * U * (real3_length(moved) + real3_length(carried)) + real3_length(slip) * (2 * turn + 8 * U);
    const real fixed = (real)q->friction_static, kinetic = (real)q->friction_kinetic;
    const pbd_pressed load = {.depth = depth, .off_depth = off_depth};
    const pbd_grip grip = VFX_REF(pbd_grip_of)(fixed, kinetic, load, z, off_z);
    if (!(fixed > 0 || kinetic > 0))
        return;
    x->ill = x->ill || grip.ill;
    x->value = real3_add_scaled(x->value, -grip.share, across);
    x->slack += grip.off + 2 * U * real3_length(x->value);
}

void VFX_REF(pbd_collide)(const pbd_world *w, uint64_t i, pbd_moved *x)
{
    const pbd_collider *rows = w->ref->in[PBD_BUFFER_COLLIDER];
    for (uint32_t row = 0; row < (uint32_t)PBD_COLLIDERS(*w->ref->frame); row++)
        for (uint32_t face = 0; face < VFX_REF(pbd_faces)(&rows[row]); face++)
            collide_face(w, i, &rows[row], face, x);
}
