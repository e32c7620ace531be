/* bake_bones.c - what skinning in the shader needs: a matrix per bone and frame, influences and bind positions per
 * vertex. Bones are the joints of all skins in the model's order, then one bone for each rigid part. */
#include "kernels/vat/bake_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4, MANY = VAT_MAX_INFLUENCES, MAX_BONES = 65535 };
static const double WHOLE = 65535; /* weights are unorm16 */

static uint32_t count_bones(const vat_model *model)
{
    uint32_t count = model->joint_count;
    for (uint32_t i = 0; i < model->part_count; i++)
        count += model->parts[i].skin == VAT_NONE ? 1 : 0;
    return count;
}

static uint32_t count_influences(const vat_model *model)
{
    for (uint32_t v = 0; v < model->vertex_count; v++) {
        int used = 0;
        for (int k = 0; k < MANY; k++)
            used += model->vertices[v].weight[k] > 0 ? 1 : 0;
        if (used > FEW)
            return MANY;
    }
    return FEW;
}

/* Weights whose sum is 1 as whole numbers that sum to 65535: rounded, and the largest takes the rest. */
static void encode_weights(const double *weights, uint32_t count, uint16_t *codes)
{
    int32_t sum = 0;
    uint32_t largest = 0;
    for (uint32_t k = 0; k < count; k++) {
        codes[k] = (uint16_t)lround(fmax(0, fmin(1, weights[k])) * WHOLE);
        sum += codes[k];
        if (codes[k] > codes[largest])
            largest = k;
    }
    codes[largest] = (uint16_t)(codes[largest] + (int32_t)WHOLE - sum);
}

/* The vertex's influences that have a weight, side by side; unused ones are bone 0 with weight 0. */
static void store_influences(vat_bake *bake, const vat_bind *bind, uint32_t vertex, uint32_t first_bone)
{
    uint16_t *joints = bake->joints + (size_t)vertex * bake->influences;
    double weights[MANY] = {0};
    uint32_t used = 0;
    for (int k = 0; k < MANY; k++) {
        if (!(bind->weight[k] > 0))
            continue;
        joints[used] = (uint16_t)(first_bone + bind->joint[k]);
        weights[used++] = bind->weight[k];
    }
    encode_weights(weights, bake->influences, bake->weights + (size_t)vertex * bake->influences);
}

static void store_vertices(vat_bake *bake, const vat_model *model)
{
    uint32_t rigid = model->joint_count;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const vat_part *part = &model->parts[p];
        for (uint32_t i = 0; i < part->vertex_count; i++) {
            uint32_t v = part->first_vertex + i;
            const vat_bind *bind = &model->vertices[v];
            for (int a = 0; a < 3; a++) {
                bake->bind[v][0][a] = (float)bind->position[a];
                bake->bind[v][1][a] = (float)bind->normal[a];
            }
            if (part->skin != VAT_NONE) {
                store_influences(bake, bind, v, model->skins[part->skin].first_joint);
            } else {
                bake->joints[(size_t)v * bake->influences] = (uint16_t)rigid;
                bake->weights[(size_t)v * bake->influences] = (uint16_t)WHOLE;
            }
        }
        rigid += part->skin == VAT_NONE ? 1 : 0;
    }
}

vfx_status vat_bones_create(vat_bake *bake, const vat_model *model)
{
    uint32_t bones = count_bones(model);
    if (model->target_count > 0 || bones > MAX_BONES)
        return VFX_OK;
    bake->bones = bones;
    bake->influences = count_influences(model);
    size_t values = (size_t)bake->vertices * bake->influences; /* at most 2^22 * 8 */
    bake->joints = calloc(values + 1, sizeof *bake->joints);
    bake->weights = calloc(values + 1, sizeof *bake->weights);
    bake->bind = calloc((size_t)bake->vertices + 1, sizeof *bake->bind);
    if (bake->joints == NULL || bake->weights == NULL || bake->bind == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the bones of %u vertices", bake->vertices);
    store_vertices(bake, model);
    return VFX_OK;
}

/* Rows 0..2 of a column-major 4x4, times the model's scale. */
static void store_matrix(const double m[16], double scale, float out[12])
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out[row * 4 + column] = (float)(m[column * 4 + row] * scale);
}

void vat_bones_store(const vat_sampler *sampler, float (*bones)[12])
{
    const vat_model *model = sampler->model;
    for (uint32_t j = 0; j < model->joint_count; j++)
        store_matrix(sampler->pose.joint[j], sampler->scale, *bones++);
    for (uint32_t p = 0; p < model->part_count; p++)
        if (model->parts[p].skin == VAT_NONE)
            store_matrix(sampler->pose.global[model->parts[p].node], sampler->scale, *bones++);
}

void vat_bones_decode(const vat_bake *bake, uint32_t frame, uint32_t vertex, double position[3], double normal[3])
{
    double m[12] = {0};
    const uint16_t *joints = bake->joints + (size_t)vertex * bake->influences;
    const uint16_t *weights = bake->weights + (size_t)vertex * bake->influences;
    for (uint32_t k = 0; k < bake->influences; k++) {
        const float *bone = bake->bone[(size_t)frame * bake->bones + joints[k]];
        for (int i = 0; weights[k] > 0 && i < 12; i++)
            m[i] += weights[k] / WHOLE * bone[i];
    }
    const float *p = bake->bind[vertex][0], *n = bake->bind[vertex][1];
    for (int a = 0; a < 3; a++)
        position[a] = m[4 * a] * p[0] + m[4 * a + 1] * p[1] + m[4 * a + 2] * p[2] + m[4 * a + 3];
    double cofactor[3][3], square = 0;
    for (int r = 0; r < 3; r++) {
        const double *a = m + 4 * ((r + 1) % 3), *b = m + 4 * ((r + 2) % 3);
        for (int c = 0; c < 3; c++)
            cofactor[r][c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
    double determinant = m[0] * cofactor[0][0] + m[1] * cofactor[0][1] + m[2] * cofactor[0][2];
    for (int a = 0; a < 3; a++) {
        normal[a] = cofactor[a][0] * n[0] + cofactor[a][1] * n[1] + cofactor[a][2] * n[2];
        square += normal[a] * normal[a];
    }
    double length = determinant < 0 ? -sqrt(square) : sqrt(square);
    for (int a = 0; a < 3; a++)
        normal[a] = square > 0 ? normal[a] / length : n[a];
}
