/* vat_bone_ref.c - skinning on the CPU: weighted bone matrices of two frames, and how a matrix turns a normal. The
 * rules are those in vat_shared.h. Compiled twice over `real`. */
#include "kernels/vat/vat_real.h"

#include <string.h>

#define U VAT_U

static uint32_t half_of(uint32_t word, uint32_t i)
{
    return word >> 16 * (i % 2) & 0xffffu;
}

/* ------------------------------------------------------------------------------------- matrices */

static void get_rows(const vat_bone *bone, real rows[3][4])
{
    const vec4 in[3] = {bone->row0, bone->row1, bone->row2};
    for (int i = 0; i < 3; i++) {
        rows[i][0] = (real)in[i].x;
        rows[i][1] = (real)in[i].y;
        rows[i][2] = (real)in[i].z;
        rows[i][3] = (real)in[i].w;
    }
}

/* Adds one influence; `size` collects the magnitudes. */
static void add_influence(const vat_view *view, const vat_when *when, uint32_t joint, uint32_t code, real matrix[3][4],
                          real size[3][4])
{
    const vat_bone *bones = view->ref->in[VAT_BUFFER_BONE];
    const uint32_t last = view->bones > 0 ? view->bones - 1 : 0;
    const size_t bone = joint < last ? joint : last;
    const real weight = (real)code / 65535, w = (real)when->w / 256;
    real a[3][4], b[3][4];
    get_rows(&bones[(size_t)when->a * view->bones + bone], a);
    get_rows(&bones[(size_t)when->b * view->bones + bone], b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            matrix[i][j] += weight * (a[i][j] * (1 - w) + b[i][j] * w);
            size[i][j] += weight * (real_abs(a[i][j]) * (1 - w) + real_abs(b[i][j]) * w);
        }
}

static void blend_bones(const vat_view *view, const vat_when *when, uint32_t vertex, real matrix[3][4], real size[3][4])
{
    const vat_weight *weights = view->ref->in[VAT_BUFFER_WEIGHT];
    memset(matrix, 0, 3 * sizeof *matrix);
    memset(size, 0, 3 * sizeof *size);
    for (uint32_t k = 0; k < 4 * view->weights; k++) {
        const vat_weight *four = &weights[(size_t)vertex * view->weights + k / 4];
        const bool low = k % 4 < 2;
        const uint32_t code = half_of(low ? four->weights01 : four->weights23, k);
        if (code > 0)
            add_influence(view, when, half_of(low ? four->joints01 : four->joints23, k), code, matrix, size);
    }
}

/* -------------------------------------------------------------------------------------- normals */

/* Cofactor (i, j) of m; with `sum` the two products are added, for magnitudes. */
static real cofactor(real m[3][3], int i, int j, bool sum)
{
    const int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return m[r][c] * m[s][d] + (sum ? 1 : -1) * m[r][d] * m[s][c];
}

void VFX_REF(vat_turn_normal)(real m[3][3], real size[3][3], real relative, real3 normal, real given, vat_point *point)
{
    const real n[3] = {normal.x, normal.y, normal.z};
    const real entry = 2 * relative + 3 * U; /* of a cofactor, as a share of its magnitude */
    real turned[3] = {0}, magnitude = 0, norm = 0, det = 0, det_size = 0;
    for (int i = 0; i < 3; i++) {
        real row = 0;
        for (int j = 0; j < 3; j++) {
            const real k = cofactor(m, i, j, false), k_size = cofactor(size, i, j, true);
            turned[i] += k * n[j];
            row += k_size * real_abs(n[j]);
            norm += k * k;
            det += i == 0 ? m[0][j] * k : 0;
            det_size += i == 0 ? size[0][j] * k_size : 0;
        }
        magnitude += row * row;
    }
    const real3 v = real3_make(turned[0], turned[1], turned[2]);
    const real length = real3_length(v), sign = det > 0 ? 1 : det < 0 ? -1 : 0;
    const real error = real_sqrt(norm) * given + (entry + 4 * U) * real_sqrt(magnitude);
    point->ill = point->ill || (det_size > 0 && real_abs(det) <= (entry + relative + 4 * U) * det_size) ||
                 (length > 0 && length <= 4 * error);
    if (!(length > 0) || !(real_abs(sign) > 0)) {
        point->normal = normal;
        point->normal_error = given;
        return;
    }
    point->normal = real3_scale(v, sign / length);
    point->normal_error = error / length + VAT_UNIT_ERROR;
}

/* ------------------------------------------------------------------------------------- skinning */

vat_point VFX_REF(vat_skinned_of)(const vat_view *view, const vat_when *when, uint32_t vertex)
{
    /* An entry: weight / 65535 (5 u), two products, their sum, the product with the weight, up to 8 additions. */
    const real relative = (8 + 4 * (real)view->weights) * U;
    const vat_bind_vertex *bind = (const vat_bind_vertex *)view->ref->in[VAT_BUFFER_BIND] + vertex;
    const real p[4] = {(real)bind->position.x, (real)bind->position.y, (real)bind->position.z, 1};
    real matrix[3][4], size[3][4], flat[3][3], flat_size[3][3], at[3] = {0}, error[3] = {0};
    blend_bones(view, when, vertex, matrix, size);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            at[i] += matrix[i][j] * p[j];
            error[i] += (relative + 4 * U) * size[i][j] * real_abs(p[j]);
        }
        memcpy(flat[i], matrix[i], sizeof flat[i]);
        memcpy(flat_size[i], size[i], sizeof flat_size[i]);
    }
    vat_point point = {0};
    point.position = real3_make(at[0], at[1], at[2]);
    point.part = real3_make(real_abs(at[0]), real_abs(at[1]), real_abs(at[2]));
    point.position_error = real3_make(error[0], error[1], error[2]);
    VFX_REF(vat_turn_normal)(flat, flat_size, relative, real3_of(bind->normal), 0, &point);
    return point;
}
