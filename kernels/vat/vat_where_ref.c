/* vat_where_ref.c - where a local point goes: the transform kinds on the CPU. The rules are those in vat_shared.h.
 * Compiled twice over `real`. */
#include "kernels/vat/vat_real.h"

#define U VAT_U
/* Sine and cosine, relative: fold * series to 4 u, a rounded coefficient, the last product. */
#define SINE_ROUNDING (5 * U)

static real3 product(real m[3][3], real3 v)
{
    return real3_make(m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                      m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z);
}

/* sum over j of |m_ij| v_j + extra |v_j|, v >= 0. */
static real3 magnitudes(const vat_actor *actor, real3 v, real extra)
{
    real out[3];
    for (int i = 0; i < 3; i++) {
        const real *m = actor->turn[i];
        out[i] = real_abs(m[0]) * v.x + real_abs(m[1]) * v.y + real_abs(m[2]) * v.z;
        out[i] += i == 1 ? 0 : extra * (v.x + v.z);
    }
    return real3_make(out[0], out[1], out[2]);
}

static real3 absolute(real3 v)
{
    return real3_make(real_abs(v.x), real_abs(v.y), real_abs(v.z));
}

static real3 times(real3 a, real3 b)
{
    return real3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* Rotation (or the camera's basis) and scales. */
static vat_point turned(vat_actor *actor, const vat_point *local)
{
    const real sine = actor->turn_error > 0 ? SINE_ROUNDING : 0;
    const real3 q = times(actor->own, local->position);
    const real3 x = real3_add(real3_scale(product(actor->turn, q), actor->scale), actor->position);
    /* A device may merge the map from codes and the transform: it turns the corner of the map and what the codes add.
     */
    const real3 size = times(absolute(actor->own), real3_add(absolute(local->position), local->part));
    /* own o p rounds once, the row's products and sums thrice, the scale once; the sum with the position below. */
    const real3 given = real3_add_scaled(times(absolute(actor->own), local->position_error), 5 * U + sine, size);
    const real3 from_given = magnitudes(actor, given, 0), from_turn = magnitudes(actor, size, actor->turn_error);
    const real3 plain = magnitudes(actor, size, 0);
    const real3 moved = real3_add(from_given, real3_sub(from_turn, plain));

    vat_point out = *local;
    out.position = x;
    /* A row's two products and the place of the corner are summed in any order: two roundings of partial sums and one
     * of the corner, none larger than |x| and the parts; and the truth's rounding to float. */
    const real3 corner = real3_add_scaled(real3_scale(moved, actor->scale), 3 * U * actor->scale, plain);
    out.position_error = real3_add_scaled(corner, 4 * U, absolute(x));

    const real3 m =
        real3_make(local->normal.x / actor->own.x, local->normal.y / actor->own.y, local->normal.z / actor->own.z);
    const real3 own = real3_make(1 / actor->own.x, 1 / actor->own.y, 1 / actor->own.z);
    const real3 n = product(actor->turn, m);
    const real length = real3_length(n);
    const real error = vat_largest(own) * local->normal_error + (10 * U + sine + 2 * actor->turn_error) * length;
    out.normal = length > 0 ? real3_scale(n, 1 / length) : local->normal;
    out.normal_error = (length > 0 ? error / length : 0) + VAT_UNIT_ERROR;
    return out;
}

static vat_point by_rows(vat_actor *actor, const vat_point *local)
{
    const real p[4] = {local->position.x, local->position.y, local->position.z, 1};
    const real e[4] = {local->position_error.x, local->position_error.y, local->position_error.z, 0};
    const real part[4] = {local->part.x, local->part.y, local->part.z, 0};
    real x[3] = {0}, error[3] = {0}, flat[3][3], size[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            x[i] += actor->row[i][j] * p[j];
            error[i] += real_abs(actor->row[i][j]) * (e[j] + 4 * U * (real_abs(p[j]) + part[j]));
        }
        for (int j = 0; j < 3; j++) {
            flat[i][j] = actor->row[i][j];
            size[i][j] = real_abs(actor->row[i][j]);
        }
    }
    vat_point out = *local;
    out.position = real3_make(x[0], x[1], x[2]);
    out.position_error = real3_add_scaled(real3_make(error[0], error[1], error[2]), U, absolute(out.position));
    VFX_REF(vat_turn_normal)(flat, size, 0, local->normal, local->normal_error, &out);
    return out;
}

vat_point VFX_REF(vat_world_of)(const vat_actor *actor, const vat_point *local)
{
    vat_actor own = *actor;
    return actor->kind == VAT_KIND_MATRIX ? by_rows(&own, local) : turned(&own, local);
}

vat_point VFX_REF(vat_point_of)(const vat_view *view, const vat_actor *actor, uint32_t vertex)
{
    const vat_point local = VFX_REF(vat_local_of)(view, actor, vertex);
    return VFX_REF(vat_world_of)(actor, &local);
}
