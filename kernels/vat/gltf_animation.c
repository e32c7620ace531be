/* kernels/vat/gltf_animation.c - animations of a glTF file become clips: one channel for each animated property of a
 * node, with its own copy of times and values. */
#include "kernels/vat/gltf_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Per node and path: number + 1 of the last animation that moved it. */
typedef struct seen {
    uint32_t path[4];
} seen;

/* *found becomes the number of the text in `names`, or `count`; a missing member is number 0 where that is allowed. */
static vfx_status read_word(const gltf_at *at, const char *const *names, uint32_t count, uint32_t *found)
{
    const char *text;
    VFX_TRY(gltf_text(at, &text));
    for (*found = 0; *found < count && strcmp(text, names[*found]) != 0; ++*found)
        ;
    return VFX_OK;
}

static vfx_status read_times(const gltf_at *sampler, vat_channel *channel)
{
    const gltf_at at = gltf_member(sampler, "input");
    uint32_t index;
    VFX_TRY(gltf_index(&at, "accessors", &index));
    VFX_TRY(gltf_read_accessor(at.file, index, "SCALAR", GLTF_F32, 0, &channel->times, &channel->key_count));
    const gltf_at accessor = gltf_listed(at.file, "accessors", index);
    if (channel->times[0] < 0)
        return gltf_fail(&accessor, VFX_IO, "time 0 is %g s, must not be negative", channel->times[0]);
    for (uint32_t i = 1; i < channel->key_count; i++)
        if (!(channel->times[i] > channel->times[i - 1]))
            return gltf_fail(&accessor, VFX_IO, "time %u is %g s after %g s: times must rise", i, channel->times[i],
                             channel->times[i - 1]);
    return VFX_OK;
}

/* Rotations become unit quaternions; tangents stay. */
static vfx_status normalise_rotations(const gltf_at *accessor, vat_channel *channel)
{
    const size_t width = channel->interpolation == VAT_CUBIC ? 12 : 4,
                 value = channel->interpolation == VAT_CUBIC ? 4 : 0;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        double *q = channel->values + i * width + value;
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length > 1e-6))
            return gltf_fail(accessor, VFX_IO, "the rotation of key %u is zero, must be a unit quaternion", i);
        for (int k = 0; k < 4; k++)
            q[k] /= length;
    }
    return VFX_OK;
}

static vfx_status read_values(const gltf_at *sampler, vat_channel *channel)
{
    static const char *const types[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
    const gltf_at at = gltf_member(sampler, "output");
    uint32_t index, count;
    uint64_t expected = (uint64_t)channel->key_count * (channel->interpolation == VAT_CUBIC ? 3 : 1);
    if (channel->path == VAT_WEIGHTS)
        expected *= channel->components; /* < 2^31 * 3 * 2^31 */
    VFX_TRY(gltf_index(&at, "accessors", &index));
    const gltf_at accessor = gltf_listed(at.file, "accessors", index);
    if (expected > INT32_MAX)
        return gltf_fail(&accessor, VFX_IO, "%llu values would be needed, too many", (unsigned long long)expected);
    VFX_TRY(gltf_read_accessor(at.file, index, types[channel->path], GLTF_F32 | GLTF_UNORM | GLTF_SNORM,
                               (uint32_t)expected, &channel->values, &count));
    return channel->path == VAT_ROTATION ? normalise_rotations(&accessor, channel) : VFX_OK;
}

static vfx_status read_sampler(const gltf_at *sampler, vat_channel *channel)
{
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const gltf_at at = gltf_member(sampler, "interpolation");
    uint32_t kind = VAT_LINEAR;
    if (gltf_there(&at))
        VFX_TRY(read_word(&at, names, 3, &kind));
    if (kind > VAT_CUBIC)
        return gltf_fail(&at, VFX_IO, "must be LINEAR, STEP or CUBICSPLINE");
    channel->interpolation = (vat_interpolation)kind;
    VFX_TRY(read_times(sampler, channel));
    return read_values(sampler, channel);
}

/* What the channel moves. *skip: nothing that is read here (a target of an extension). */
static vfx_status read_target(const gltf_at *at, uint32_t clip, seen *nodes, vat_channel *channel, bool *skip)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    const gltf_at target = gltf_member(at, "target"), path_at = gltf_member(&target, "path");
    vat_model *model = at->file->model;
    uint32_t node, path;
    VFX_TRY(read_word(&path_at, names, 4, &path));
    VFX_TRY(gltf_index_or_none(&target, "node", "nodes", &node));
    *skip = node == GLTF_NONE;
    if (*skip)
        return VFX_OK;
    if (path > VAT_WEIGHTS)
        return gltf_fail(&path_at, VFX_IO, "must be translation, rotation, scale or weights");
    channel->node = at->file->node_of[node];
    channel->path = (vat_path)path;
    const vat_node *moved = &model->nodes[channel->node];
    if (moved->has_matrix && path != VAT_WEIGHTS)
        return gltf_fail(&target, VFX_IO, "node %u has a matrix: only nodes without one can be animated", node);
    channel->components = path == VAT_WEIGHTS ? moved->weight_count : path == VAT_ROTATION ? 4 : 3;
    if (channel->components == 0)
        return gltf_fail(&target, VFX_IO, "node %u has no morph targets whose weights could be animated", node);
    if (nodes[channel->node].path[path] == clip + 1)
        return gltf_fail(&target, VFX_IO, "%s of node %u is animated twice", names[path], node);
    nodes[channel->node].path[path] = clip + 1;
    return VFX_OK;
}

static vfx_status read_channel(const gltf_at *animation, const gltf_at *at, uint32_t clip, seen *nodes)
{
    gltf_file *file = at->file;
    vat_model *model = file->model;
    const gltf_at index_at = gltf_member(at, "sampler");
    gltf_at samplers, sampler;
    uint32_t count;
    uint64_t index;
    bool skip;
    VFX_TRY(gltf_array(animation, "samplers", &samplers, &count));
    VFX_TRY(gltf_uint(&index_at, UINT32_MAX, &index));
    if (index >= count)
        return gltf_fail(&index_at, VFX_IO, "%llu: there are only %u samplers", (unsigned long long)index, count);
    VFX_TRY(gltf_object(&samplers, (uint32_t)index, &sampler));
    VFX_TRY(gltf_grow(at, &model->channels, &file->channel_room, model->channel_count, 1, sizeof *model->channels));
    vat_channel *channel = &model->channels[model->channel_count];
    VFX_TRY(read_target(at, clip, nodes, channel, &skip));
    if (skip)
        return VFX_OK;
    model->channel_count++; /* from here on the model frees its arrays */
    VFX_TRY(read_sampler(&sampler, channel));
    vat_model_clip *row = &model->clips[clip];
    row->channel_count++;
    row->duration = fmax(row->duration, channel->times[channel->key_count - 1]);
    return VFX_OK;
}

static vfx_status read_clip(gltf_file *file, const gltf_at *animations, uint32_t number, seen *nodes)
{
    vat_model *model = file->model;
    gltf_at at, channels, channel;
    uint32_t count;
    VFX_TRY(gltf_object(animations, number, &at));
    vat_model_clip *clip = &model->clips[number];
    gltf_name(&at, "clip", number, clip->name);
    clip->first_channel = model->channel_count;
    model->clip_count = number + 1;
    VFX_TRY(gltf_array(&at, "channels", &channels, &count));
    for (uint32_t i = 0; i < count; i++) {
        VFX_TRY(gltf_object(&channels, i, &channel));
        VFX_TRY(read_channel(&at, &channel, number, nodes));
    }
    if (clip->channel_count == 0)
        vat_model_warn(model, "clip %s moves nothing", clip->name);
    return VFX_OK;
}

vfx_status gltf_read_clips(gltf_file *file)
{
    const gltf_at root = gltf_root(file);
    gltf_at array;
    uint32_t count;
    seen *nodes;
    VFX_TRY(gltf_array(&root, "animations", &array, &count));
    if (count == 0)
        return VFX_OK;
    VFX_TRY(gltf_allocate(&array, count, sizeof *file->model->clips, &file->model->clips));
    VFX_TRY(gltf_allocate(&array, file->model->node_count, sizeof *nodes, &nodes));
    vfx_status status = VFX_OK;
    for (uint32_t i = 0; i < count && status == VFX_OK; i++)
        status = read_clip(file, &array, i, nodes);
    free(nodes);
    return status;
}
