/* kernels/vat/pose.c - poses of a vat_model (see model.h), after glTF 2.0 sections 3.5.3 and 3.7.3 and its appendix C:
 * keys to local transforms, T * R * S down the tree, joint matrices, linear blend skinning. All matrices are affine:
 * only rows 0..2 of the column-major 4x4 are computed, row 3 is 0 0 0 1. A checked model (vat_model_check) is taken for
 * granted. */
#include "kernels/vat/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRANSLATION = 0, ROTATION = 3, SCALE = 7, LOCAL = 10 }; /* layout of vat_pose.local */

/* Determinants below this share of the product of the columns' lengths count as zero: their sign is rounding noise. */
static const double FLAT = 1e-12;

/* ------------------------------------------------------------------------------------------- work space */

vfx_status vat_pose_create(vat_pose *pose, const vat_model *model)
{
    memset(pose, 0, sizeof *pose);
    /* one element more than needed: a count may be 0 */
    pose->local = calloc((size_t)model->node_count + 1, sizeof *pose->local);
    pose->global = calloc((size_t)model->node_count + 1, sizeof *pose->global);
    pose->weights = calloc((size_t)model->weight_count + 1, sizeof *pose->weights);
    pose->joint = calloc((size_t)model->joint_count + 1, sizeof *pose->joint);
    if (pose->local && pose->global && pose->weights && pose->joint)
        return VFX_OK;
    vat_pose_destroy(pose);
    return vfx_fail(VFX_MEMORY, "no memory for a pose of %u nodes and %u joints", model->node_count,
                    model->joint_count);
}

void vat_pose_destroy(vat_pose *pose)
{
    free(pose->local);
    free(pose->global);
    free(pose->weights);
    free(pose->joint);
    memset(pose, 0, sizeof *pose);
}

/* ------------------------------------------------------------------------------------------- keys */

static double length4(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/* Along the shorter arc from a to b (unit quaternions; b and -b are the same rotation), u in 0..1. */
static void slerp(const double a[4], const double b[4], double u, double out[4])
{
    const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    double difference[4], sum[4];
    for (int i = 0; i < 4; i++) {
        difference[i] = sign * b[i] - a[i];
        sum[i] = sign * b[i] + a[i];
    }
    const double arc = 2 * atan2(length4(difference), length4(sum)); /* 0..pi/2, exact also for small arcs */
    const bool same = arc < 1e-9;                                    /* sine and arc agree: a straight line will do */
    const double wa = same ? 1 - u : sin(arc * (1 - u)) / sin(arc), wb = same ? u : sin(arc * u) / sin(arc);
    for (int i = 0; i < 4; i++)
        out[i] = wa * a[i] + sign * wb * b[i];
}

/* The last key at or before t, 0 where t is before all. */
static uint32_t key_before(const vat_channel *channel, double t)
{
    uint32_t low = 0, high = channel->key_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (channel->times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Hermite cubic between keys k and k + 1, u in 0..1 of `interval` seconds; tangents are per second. */
static void cubic(const vat_channel *channel, uint32_t k, double u, double interval, double *out)
{
    const uint32_t n = channel->components;
    const double *from = channel->values + (size_t)k * 3 * n, *to = from + (size_t)3 * n;
    const double u2 = u * u, u3 = u2 * u;
    for (uint32_t i = 0; i < n; i++) {
        const double value0 = from[n + i], out_tangent = from[2 * n + i];
        const double in_tangent = to[i], value1 = to[n + i];
        out[i] = (2 * u3 - 3 * u2 + 1) * value0 + (u3 - 2 * u2 + u) * interval * out_tangent +
                 (3 * u2 - 2 * u3) * value1 + (u3 - u2) * interval * in_tangent;
    }
}

static void normalize4(double q[4], const double fallback[4])
{
    const double length = length4(q);
    for (int i = 0; i < 4; i++)
        q[i] = length > 0 ? q[i] / length : fallback[i];
}

/* The channel's `components` values at time t. */
static void sample(const vat_channel *channel, double t, double *out)
{
    const uint32_t n = channel->components, k = key_before(channel, t);
    const size_t stride = (size_t)n * (channel->interpolation == VAT_CUBIC ? 3 : 1);
    const double *held = channel->values + k * stride + (channel->interpolation == VAT_CUBIC ? n : 0);
    const bool between = t > channel->times[k] && k + 1 < channel->key_count; /* else on a key or outside of them */
    if (!between || channel->interpolation == VAT_STEP) {
        memcpy(out, held, n * sizeof *out);
        return;
    }
    const double interval = channel->times[k + 1] - channel->times[k], u = (t - channel->times[k]) / interval;
    if (channel->interpolation == VAT_CUBIC)
        cubic(channel, k, u, interval, out);
    else if (channel->path == VAT_ROTATION)
        slerp(held, held + 4, u, out);
    else
        for (uint32_t i = 0; i < n; i++)
            out[i] = (1 - u) * held[i] + u * held[n + i];
    if (channel->path == VAT_ROTATION)
        normalize4(out, held);
}

/* ------------------------------------------------------------------------------------------- the tree */

static void from_trs(const double local[LOCAL], double m[16])
{
    const double *q = local + ROTATION, *scale = local + SCALE;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double columns[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
        {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
        {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)},
    };
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            m[4 * column + row] = columns[column][row] * scale[column];
        m[4 * column + 3] = 0;
    }
    memcpy(m + 12, local + TRANSLATION, 3 * sizeof *m);
    m[15] = 1;
}

/* out = a * b; out is neither. */
static void multiply(const double a[16], const double b[16], double out[16])
{
    for (int column = 0; column < 4; column++) {
        const double *v = b + 4 * column;
        for (int row = 0; row < 3; row++)
            out[4 * column + row] =
                a[row] * v[0] + a[4 + row] * v[1] + a[8 + row] * v[2] + (column == 3 ? a[12 + row] : 0);
        out[4 * column + 3] = column == 3;
    }
}

/* Every node's own values, then what the clip's channels say. */
static void animate(vat_pose *pose, const vat_model *model, int32_t clip, double t)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        memcpy(pose->local[i] + TRANSLATION, model->nodes[i].translation, 3 * sizeof(double));
        memcpy(pose->local[i] + ROTATION, model->nodes[i].rotation, 4 * sizeof(double));
        memcpy(pose->local[i] + SCALE, model->nodes[i].scale, 3 * sizeof(double));
    }
    if (model->weight_count > 0)
        memcpy(pose->weights, model->weights, model->weight_count * sizeof *pose->weights);
    if (clip == VAT_NONE)
        return;
    assert(clip >= 0 && (uint32_t)clip < model->clip_count);
    const vat_model_clip *c = &model->clips[clip];
    for (uint32_t i = 0; i < c->channel_count; i++) {
        const vat_channel *channel = &model->channels[c->first_channel + i];
        static const int offset[] = {TRANSLATION, ROTATION, SCALE};
        sample(channel, t,
               channel->path == VAT_WEIGHTS ? pose->weights + model->nodes[channel->node].first_weight
                                            : pose->local[channel->node] + offset[channel->path]);
    }
}

void vat_pose_at(vat_pose *pose, const vat_model *model, int32_t clip, double t)
{
    animate(pose, model, clip, t);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const vat_node *node = &model->nodes[i];
        double own[16];
        if (node->has_matrix)
            memcpy(own, node->matrix, sizeof own);
        else
            from_trs(pose->local[i], own);
        if (node->parent == VAT_NONE)
            memcpy(pose->global[i], own, sizeof own);
        else
            multiply(pose->global[node->parent], own, pose->global[i]);
    }
    for (uint32_t i = 0; i < model->joint_count; i++)
        multiply(pose->global[model->joints[i]], model->inverse_bind[i], pose->joint[i]);
}

/* ------------------------------------------------------------------------------------------- vertices */

void vat_pose_matrix(const vat_pose *pose, const vat_model *model, const vat_part *part, uint32_t vertex, double m[16])
{
    if (part->skin == VAT_NONE) {
        memcpy(m, pose->global[part->node], 16 * sizeof *m);
        return;
    }
    const vat_bind *bind = &model->vertices[vertex];
    double(*joints)[16] = pose->joint + model->skins[part->skin].first_joint;
    memset(m, 0, 16 * sizeof *m);
    for (int k = 0; k < VAT_MAX_INFLUENCES; k++) {
        const double weight = bind->weight[k];
        if (weight == 0)
            continue;
        const double *joint = joints[bind->joint[k]];
        for (int i = 0; i < 16; i++)
            m[i] += weight * joint[i];
    }
}

static bool unit3(const double v[3], double out[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0 && isfinite(length)))
        return false;
    for (int i = 0; i < 3; i++)
        out[i] = v[i] / length;
    return true;
}

/* Unit normal: n by the inverse transpose of m's 3x3 part, which is its cofactor matrix over the determinant. A flat m
 * still has a cofactor matrix unless it has collapsed to a line or point: then m * n, n itself, or up. Never NaN. */
static void turn_normal(const double m[16], const double n[3], double out[3])
{
    const double *a = m, *b = m + 4, *c = m + 8; /* columns */
    const double bc[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    const double ca[3] = {c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]};
    const double ab[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    double sign = 1;
    if (determinant < 0) {
        const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2],
                     cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        sign = determinant < -FLAT * sqrt(aa) * sqrt(bb) * sqrt(cc) ? -1 : 1;
    }
    double turned[3], moved[3];
    for (int i = 0; i < 3; i++) {
        turned[i] = sign * (bc[i] * n[0] + ca[i] * n[1] + ab[i] * n[2]);
        moved[i] = a[i] * n[0] + b[i] * n[1] + c[i] * n[2];
    }
    static const double up[3] = {0, 1, 0};
    if (!unit3(turned, out) && !unit3(moved, out) && !unit3(n, out))
        memcpy(out, up, sizeof up);
}

/* Adds the part's morph targets to one vertex's bind position and normal. */
static void morph(const vat_pose *pose, const vat_model *model, const vat_part *part, uint32_t vertex,
                  double position[3], double normal[3])
{
    const double *weights = pose->weights + model->nodes[part->node].first_weight;
    const uint32_t row = vertex - part->first_vertex;
    for (uint32_t k = 0; k < part->target_count; k++) {
        const vat_target *target = &model->targets[part->first_target + k];
        if (weights[k] == 0)
            continue;
        for (int i = 0; i < 3; i++) {
            position[i] += target->position ? weights[k] * target->position[row][i] : 0;
            normal[i] += target->normal ? weights[k] * target->normal[row][i] : 0;
        }
    }
}

void vat_pose_vertices(const vat_pose *pose, const vat_model *model, double (*positions)[3], double (*normals)[3])
{
    for (uint32_t p = 0; p < model->part_count; p++) {
        const vat_part *part = &model->parts[p];
        for (uint32_t v = part->first_vertex; v < part->first_vertex + part->vertex_count; v++) {
            double m[16], position[3], normal[3];
            memcpy(position, model->vertices[v].position, sizeof position);
            memcpy(normal, model->vertices[v].normal, sizeof normal);
            morph(pose, model, part, v, position, normal);
            vat_pose_matrix(pose, model, part, v, m);
            for (int i = 0; i < 3; i++)
                positions[v][i] = m[i] * position[0] + m[4 + i] * position[1] + m[8 + i] * position[2] + m[12 + i];
            turn_normal(m, normal, normals[v]);
        }
    }
}
