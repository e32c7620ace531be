/* kernels/vat/model.c - ownership and checking of a vat_model (see model.h). vat_model_check() is the one gate between
 * whatever made a model (a file, code) and the pose code, which indexes without looking again. */
#include "kernels/vat/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far a sum of weights or the length of a quaternion may be from 1: readers renormalise in double. */
static const double UNIT_SLACK = 1e-6;

void vat_model_free(vat_model *model)
{
    for (uint32_t i = 0; model->targets && i < model->target_count; i++) {
        free(model->targets[i].position);
        free(model->targets[i].normal);
    }
    for (uint32_t i = 0; model->channels && i < model->channel_count; i++) {
        free(model->channels[i].times);
        free(model->channels[i].values);
    }
    free(model->nodes);
    free(model->skins);
    free(model->joints);
    free(model->inverse_bind);
    free(model->weights);
    free(model->parts);
    free(model->vertices);
    free(model->indices);
    free(model->targets);
    free(model->channels);
    free(model->clips);
    memset(model, 0, sizeof *model);
}

void vat_model_warn(vat_model *model, const char *format, ...)
{
    size_t used = strnlen(model->warnings, sizeof model->warnings - 1);
    if (used > 0 && used + 1 < sizeof model->warnings)
        model->warnings[used++] = '\n';
    va_list args;
    va_start(args, format);
    vsnprintf(model->warnings + used, sizeof model->warnings - used, format, args);
    va_end(args);
}

/* ------------------------------------------------------------------------------------------- checking */

/* "NAME: node 3: ..." */
static vfx_status wrong(const char *name, const char *what, size_t row, const char *format, ...)
    VFX_PRINTF(4, 5) VFX_MUST_USE;
static vfx_status wrong(const char *name, const char *what, size_t row, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return vfx_fail(VFX_IO, "%s: %s %zu: %s", name, what, row, text);
}

static bool finite_all(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool is_unit(const double q[4])
{
    return fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1) <= UNIT_SLACK;
}

static bool in_range(uint32_t first, uint32_t count, uint32_t total)
{
    return first <= total && count <= total - first;
}

static bool is_terminated(const char name[VAT_NAME_BYTES])
{
    return memchr(name, 0, VAT_NAME_BYTES) != NULL;
}

/* Counts within bounds, and an array behind every count. */
static vfx_status check_arrays(const vat_model *m, const char *name)
{
    if (m->node_count == 0 || m->node_count > VAT_MAX_NODES)
        return vfx_fail(VFX_IO, "%s: %u nodes, must be 1 to %d", name, m->node_count, VAT_MAX_NODES);
    if (m->vertex_count == 0 || m->vertex_count > VAT_MAX_VERTICES)
        return vfx_fail(VFX_IO, "%s: %u vertices, must be 1 to %d", name, m->vertex_count, VAT_MAX_VERTICES);
    const struct {
        const char *what;
        const void *array;
        uint32_t count;
    } rows[] = {
        {"nodes", m->nodes, m->node_count},
        {"skins", m->skins, m->skin_count},
        {"joints", m->joints, m->joint_count},
        {"inverse bind matrices", m->inverse_bind, m->joint_count},
        {"morph weights", m->weights, m->weight_count},
        {"parts", m->parts, m->part_count},
        {"vertices", m->vertices, m->vertex_count},
        {"indices", m->indices, m->index_count},
        {"morph targets", m->targets, m->target_count},
        {"channels", m->channels, m->channel_count},
        {"clips", m->clips, m->clip_count},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0 && !rows[i].array)
            return vfx_fail(VFX_IO, "%s: %u %s, but there is no array of them", name, rows[i].count, rows[i].what);
    if (!finite_all(m->weights, m->weight_count))
        return vfx_fail(VFX_IO, "%s: a default morph weight is not finite", name);
    return VFX_OK;
}

static vfx_status check_nodes(const vat_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        const vat_node *node = &m->nodes[i];
        if (!is_terminated(node->name))
            return wrong(name, "node", i, "its name has no end");
        if (node->parent != VAT_NONE && (node->parent < 0 || (uint32_t)node->parent >= i))
            return wrong(name, "node", i, "parent %d does not come before it", (int)node->parent);
        if (node->has_matrix
                ? !finite_all(node->matrix, 16)
                : !(finite_all(node->translation, 3) && finite_all(node->rotation, 4) && finite_all(node->scale, 3)))
            return wrong(name, "node", i, "its transform is not finite");
        if (!node->has_matrix && !is_unit(node->rotation))
            return wrong(name, "node", i, "its rotation is not a unit quaternion");
        if (!in_range(node->first_weight, node->weight_count, m->weight_count))
            return wrong(name, "node", i, "morph weights %u + %u of %u", node->first_weight, node->weight_count,
                         m->weight_count);
    }
    return VFX_OK;
}

static vfx_status check_skins(const vat_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->skin_count; i++) {
        const vat_skin *skin = &m->skins[i];
        if (skin->joint_count == 0)
            return wrong(name, "skin", i, "it has no joints");
        if (!in_range(skin->first_joint, skin->joint_count, m->joint_count))
            return wrong(name, "skin", i, "joints %u + %u of %u", skin->first_joint, skin->joint_count, m->joint_count);
    }
    for (uint32_t i = 0; i < m->joint_count; i++) {
        if (m->joints[i] >= m->node_count)
            return wrong(name, "joint", i, "node %u of %u", m->joints[i], m->node_count);
        if (!finite_all(m->inverse_bind[i], 16))
            return wrong(name, "joint", i, "its inverse bind matrix is not finite");
    }
    return VFX_OK;
}

/* One vertex of a part whose skin has `joints` joints (0: rigid). */
static vfx_status check_vertex(const vat_bind *v, uint32_t row, uint32_t joints, const char *name)
{
    if (!(finite_all(v->position, 3) && finite_all(v->normal, 3) && isfinite(v->uv[0]) && isfinite(v->uv[1])))
        return wrong(name, "vertex", row, "its position, normal or uv is not finite");
    double sum = 0;
    for (int k = 0; k < VAT_MAX_INFLUENCES; k++) {
        if (!(v->weight[k] >= 0 && v->weight[k] <= 1 + UNIT_SLACK))
            return wrong(name, "vertex", row, "joint weight %g, must be 0 to 1", v->weight[k]);
        if (joints > 0 && v->joint[k] >= joints)
            return wrong(name, "vertex", row, "joint %u of a skin of %u joints", v->joint[k], joints);
        sum += v->weight[k];
    }
    if (joints > 0 && !(fabs(sum - 1) <= UNIT_SLACK))
        return wrong(name, "vertex", row, "its joint weights sum to %.9g, must be 1", sum);
    if (joints == 0 && sum != 0)
        return wrong(name, "vertex", row, "it has joint weights, but its part is rigid");
    return VFX_OK;
}

/* The vertices, indices and morph targets of one part whose ranges are right. */
static vfx_status check_part_content(const vat_model *m, const vat_part *part, const char *name)
{
    const uint32_t joints = part->skin == VAT_NONE ? 0 : m->skins[part->skin].joint_count;
    for (uint32_t i = 0; i < part->vertex_count; i++)
        VFX_TRY(check_vertex(&m->vertices[part->first_vertex + i], part->first_vertex + i, joints, name));
    for (uint32_t i = 0; i < part->index_count; i++) {
        const uint32_t index = m->indices[part->first_index + i];
        if (index < part->first_vertex || index - part->first_vertex >= part->vertex_count)
            return wrong(name, "index", part->first_index + i, "vertex %u is not one of its part's, %u + %u", index,
                         part->first_vertex, part->vertex_count);
    }
    for (uint32_t i = 0; i < part->target_count; i++) {
        const vat_target *target = &m->targets[part->first_target + i];
        const size_t count = (size_t)part->vertex_count * 3;
        if ((target->position && !finite_all(&target->position[0][0], count)) ||
            (target->normal && !finite_all(&target->normal[0][0], count)))
            return wrong(name, "morph target", part->first_target + i, "a delta is not finite");
    }
    return VFX_OK;
}

static vfx_status check_parts(const vat_model *m, const char *name)
{
    uint32_t next_vertex = 0;
    for (uint32_t i = 0; i < m->part_count; i++) {
        const vat_part *part = &m->parts[i];
        if (!is_terminated(part->name))
            return wrong(name, "part", i, "its name has no end");
        if (part->node < 0 || (uint32_t)part->node >= m->node_count)
            return wrong(name, "part", i, "node %d of %u", (int)part->node, m->node_count);
        if (part->skin != VAT_NONE && (part->skin < 0 || (uint32_t)part->skin >= m->skin_count))
            return wrong(name, "part", i, "skin %d of %u", (int)part->skin, m->skin_count);
        if (part->first_vertex != next_vertex || !in_range(part->first_vertex, part->vertex_count, m->vertex_count))
            return wrong(name, "part", i, "vertices %u + %u of %u: parts must follow each other without gaps",
                         part->first_vertex, part->vertex_count, m->vertex_count);
        next_vertex += part->vertex_count;
        if (!in_range(part->first_index, part->index_count, m->index_count) || part->index_count % 3 != 0)
            return wrong(name, "part", i, "indices %u + %u of %u", part->first_index, part->index_count,
                         m->index_count);
        if (!in_range(part->first_target, part->target_count, m->target_count) ||
            part->target_count != m->nodes[part->node].weight_count)
            return wrong(name, "part", i, "morph targets %u + %u of %u, for %u weights", part->first_target,
                         part->target_count, m->target_count, m->nodes[part->node].weight_count);
        VFX_TRY(check_part_content(m, part, name));
    }
    if (next_vertex != m->vertex_count)
        return vfx_fail(VFX_IO, "%s: %u vertices, but the parts hold %u", name, m->vertex_count, next_vertex);
    return VFX_OK;
}

static vfx_status check_keys(const vat_channel *c, uint32_t row, const char *name)
{
    for (uint32_t k = 0; k < c->key_count; k++) {
        if (!isfinite(c->times[k]) || (k > 0 && !(c->times[k] > c->times[k - 1])))
            return wrong(name, "channel", row, "key %u: time %g s does not rise", k, c->times[k]);
        const size_t width = (size_t)c->components * (c->interpolation == VAT_CUBIC ? 3 : 1);
        const double *key = c->values + k * width;
        if (!finite_all(key, width))
            return wrong(name, "channel", row, "key %u: a value is not finite", k);
        if (c->path == VAT_ROTATION && !is_unit(c->interpolation == VAT_CUBIC ? key + 4 : key))
            return wrong(name, "channel", row, "key %u: not a unit quaternion", k);
    }
    return VFX_OK;
}

static vfx_status check_channels(const vat_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->channel_count; i++) {
        const vat_channel *c = &m->channels[i];
        if (c->node >= m->node_count)
            return wrong(name, "channel", i, "node %u of %u", c->node, m->node_count);
        if ((unsigned)c->path > VAT_WEIGHTS || (unsigned)c->interpolation > VAT_CUBIC)
            return wrong(name, "channel", i, "unknown path or interpolation");
        const uint32_t wanted[] = {3, 4, 3, m->nodes[c->node].weight_count};
        if (c->components != wanted[c->path] || c->components == 0)
            return wrong(name, "channel", i, "%u components, must be %u and not 0", c->components, wanted[c->path]);
        if (m->nodes[c->node].has_matrix && c->path != VAT_WEIGHTS)
            return wrong(name, "channel", i, "it moves node %u, which has a matrix", c->node);
        if (c->key_count == 0 || !c->times || !c->values)
            return wrong(name, "channel", i, "it has no keys");
        VFX_TRY(check_keys(c, i, name));
    }
    return VFX_OK;
}

static vfx_status check_clips(const vat_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->clip_count; i++) {
        const vat_model_clip *clip = &m->clips[i];
        if (!is_terminated(clip->name))
            return wrong(name, "clip", i, "its name has no end");
        if (!in_range(clip->first_channel, clip->channel_count, m->channel_count))
            return wrong(name, "clip", i, "channels %u + %u of %u", clip->first_channel, clip->channel_count,
                         m->channel_count);
        double last = 0;
        for (uint32_t k = 0; k < clip->channel_count; k++) {
            const vat_channel *c = &m->channels[clip->first_channel + k];
            last = fmax(last, c->times[c->key_count - 1]);
        }
        if (!(fabs(clip->duration - last) <= 1e-9 * fmax(1, last)))
            return wrong(name, "clip", i, "duration %g s, but its last key is at %g s", clip->duration, last);
    }
    return VFX_OK;
}

vfx_status vat_model_check(const vat_model *model, const char *name)
{
    VFX_TRY(check_arrays(model, name));
    VFX_TRY(check_nodes(model, name));
    VFX_TRY(check_skins(model, name));
    VFX_TRY(check_parts(model, name));
    VFX_TRY(check_channels(model, name));
    return check_clips(model, name);
}
