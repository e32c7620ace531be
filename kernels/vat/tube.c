/* kernels/vat/tube.c - makes the built-in model (see tube.h; its measures and keys are in tube_keys.h): tests, presets
 * and goldens need a model of any vertex count and no file. Faces are counter-clockwise seen from outside, in bind
 * space. */
#include "kernels/vat/tube.h"

#include "kernels/vat/tube_keys.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Nodes in order. */
enum { ROOT, SPINE, SHIELD = SPINE + TUBE_SPINES, SWORD, BODY, NODES };

enum { CHANNELS = 4 + 7 + 6 + 5 + 5, MOST_KEYS = TUBE_SWAY_INTERVALS + 1 };

/* ------------------------------------------------------------------------------------------- shape */

/* Appends a flat face of `corners` (3 or 4) vertices in shield's or sword's space, in counter-clockwise order. */
static void add_face(vat_model *model, vat_part *part, int corners, const double *const *points)
{
    static const float last = 65535.0f / 65536; /* the last code of the baker's 16 bits */
    static const float uv[4][2] = {{0.05f, 0.05f}, {0.45f, 0.05f}, {last, last}, {0.05f, 0.45f}};
    const double *o = points[0], *a = points[1], *b = points[corners - 1];
    const double e[3] = {a[0] - o[0], a[1] - o[1], a[2] - o[2]}, f[3] = {b[0] - o[0], b[1] - o[1], b[2] - o[2]};
    const double normal[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const uint32_t first = part->first_vertex + part->vertex_count;
    for (int k = 0; k < corners; k++) {
        vat_bind *v = &model->vertices[first + (uint32_t)k];
        memcpy(v->position, points[k], sizeof v->position);
        memcpy(v->uv, uv[k], sizeof v->uv);
        for (int i = 0; i < 3; i++)
            v->normal[i] = normal[i] / length;
    }
    for (uint32_t k = 2; k < (uint32_t)corners; k++) {
        uint32_t *index = model->indices + model->index_count;
        index[0] = first;
        index[1] = first + k - 1;
        index[2] = first + k;
        model->index_count += 3;
    }
    part->vertex_count += (uint32_t)corners;
}

/* A blade along +z: three long sides and the base. */
static void add_sword(vat_model *model, vat_part *part)
{
    static const double a[3] = {0, 0.1, 0}, b[3] = {-0.06, -0.05, 0}, c[3] = {0.06, -0.05, 0}, tip[3] = {0, 0, 0.8};
    const double *const faces[4][3] = {{a, b, tip}, {b, c, tip}, {c, a, tip}, {a, c, b}};
    for (int i = 0; i < 4; i++)
        add_face(model, part, 3, faces[i]);
    assert(part->vertex_count == TUBE_SWORD_VERTICES);
}

/* A plate folded along y, its ridge towards +x, and its flat back. */
static void add_shield(vat_model *model, vat_part *part)
{
    static const double a[3] = {0, -0.35, -0.3}, b[3] = {0, -0.35, 0.3}, c[3] = {0, 0.35, 0.3}, d[3] = {0, 0.35, -0.3};
    static const double low[3] = {0.12, -0.35, 0}, high[3] = {0.12, 0.35, 0};
    const double *const faces[3][4] = {{a, b, c, d}, {low, high, c, b}, {low, a, d, high}};
    for (int i = 0; i < 3; i++)
        add_face(model, part, 4, faces[i]);
    assert(part->vertex_count == TUBE_SHIELD_VERTICES);
}

/* A vertex between two spine joints is shared by them, in proportion to its distance to the middles of their bones. */
static void bind_to_spine(vat_bind *v)
{
    const double bone = fmin(fmax(v->position[1] / TUBE_BONE - 0.5, 0), TUBE_SPINES - 1);
    const double low = fmin(floor(bone), TUBE_SPINES - 2);
    v->joint[0] = (uint16_t)low;
    v->joint[1] = (uint16_t)(low + 1);
    v->weight[0] = 1 - (bone - low);
    v->weight[1] = bone - low;
}

/* Rings of TUBE_SIDES vertices from the foot to the closed top, on x^4 + y^4 = 1 turned about the y axis; the last ring
 * has what is left. Triangles where all corners are there. */
static void add_body(vat_model *model, vat_part *part)
{
    const uint32_t count = part->vertex_count, rings = (count + TUBE_SIDES - 1) / TUBE_SIDES;
    const double height = TUBE_BONE * TUBE_SPINES;
    for (uint32_t i = 0; i < count; i++) {
        const double side = i % TUBE_SIDES, up = (double)(i / TUBE_SIDES) / (rings - 1);
        const double around = 2 * PI * side / TUBE_SIDES, wide = sqrt(sqrt(1 - up * up * up * up));
        const double slope[2] = {wide * wide * wide / TUBE_RADIUS, up * up * up / height};
        const double length = sqrt(slope[0] * slope[0] + slope[1] * slope[1]);
        vat_bind *v = &model->vertices[part->first_vertex + i];
        v->position[0] = TUBE_RADIUS * wide * cos(around);
        v->position[1] = height * up;
        v->position[2] = TUBE_RADIUS * wide * sin(around);
        v->normal[0] = slope[0] / length * cos(around);
        v->normal[1] = slope[1] / length;
        v->normal[2] = slope[0] / length * sin(around);
        v->uv[0] = (float)(0.02 + 0.96 * (1 - fabs(2 * side / TUBE_SIDES - 1))); /* there and back: no seam */
        v->uv[1] = (float)(0.02 + 0.96 * up);
        bind_to_spine(v);
        const uint32_t next = i % TUBE_SIDES == TUBE_SIDES - 1 ? i + 1 - TUBE_SIDES : i + 1;
        if (i + TUBE_SIDES >= count || next + TUBE_SIDES >= count)
            continue;
        const uint32_t quad[6] = {i, i + TUBE_SIDES, next, next, i + TUBE_SIDES, next + TUBE_SIDES};
        for (int k = 0; k < 6; k++)
            model->indices[model->index_count++] = part->first_vertex + quad[k];
    }
}

static void set_shape(vat_model *model)
{
    const uint32_t body = model->vertex_count - TUBE_SWORD_VERTICES - TUBE_SHIELD_VERTICES;
    vat_part *parts = model->parts;
    parts[0] = (vat_part){.name = "body", .node = BODY, .skin = 0, .vertex_count = body};
    add_body(model, &parts[0]);
    parts[0].index_count = model->index_count;
    parts[1] = (vat_part){.name = "sword", .node = SWORD, .skin = VAT_NONE, .first_vertex = body};
    parts[1].first_index = model->index_count;
    add_sword(model, &parts[1]);
    parts[1].index_count = model->index_count - parts[1].first_index;
    parts[2] = (vat_part){.name = "shield", .node = SHIELD, .skin = VAT_NONE};
    parts[2].first_vertex = body + TUBE_SWORD_VERTICES;
    parts[2].first_index = model->index_count;
    add_shield(model, &parts[2]);
    parts[2].index_count = model->index_count - parts[2].first_index;
}

/* ------------------------------------------------------------------------------------------- nodes */

/* Quaternion of a turn by `angle` (rad) about axis 0, 1 or 2. */
static void quaternion(int axis, double angle, double q[4])
{
    memset(q, 0, 4 * sizeof *q);
    q[axis] = sin(angle / 2);
    q[3] = cos(angle / 2);
}

static void set_nodes(vat_model *model)
{
    static const char *const names[NODES] = {"root", "spine0", "spine1", "spine2", "spine3", "shield", "sword", "body"};
    static const int32_t parents[NODES] = {VAT_NONE, ROOT, SPINE, SPINE + 1, SPINE + 2, SPINE + 1, SPINE + 3, ROOT};
    vat_node *nodes = model->nodes;
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (vat_node){.parent = parents[i], .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        snprintf(nodes[i].name, sizeof nodes[i].name, "%s", names[i]);
    }
    memcpy(nodes[ROOT].translation, tube_root_place, sizeof tube_root_place);
    for (int i = 0; i < 3; i++)
        nodes[ROOT].scale[i] = TUBE_ROOT_SCALE;
    for (int j = 0; j < TUBE_SPINES; j++) {
        nodes[SPINE + j].translation[1] = j > 0 ? TUBE_BONE : 0;
        model->joints[j] = (uint32_t)(SPINE + j);
        double *inverse = model->inverse_bind[j];
        inverse[0] = inverse[5] = inverse[10] = inverse[15] = 1;
        inverse[13] = -TUBE_BONE * j;
    }
    model->skins[0].joint_count = TUBE_SPINES;
    memcpy(nodes[SHIELD].translation, tube_shield_place, sizeof tube_shield_place);
    memcpy(nodes[SHIELD].scale, tube_shield_scale, sizeof tube_shield_scale);
    quaternion(0, TUBE_SHIELD_TILT, nodes[SHIELD].rotation);
    memcpy(nodes[SWORD].translation, tube_sword_place, sizeof tube_sword_place);
    nodes[BODY].translation[0] = 5; /* to be ignored: its vertices are moved by the joints */
    nodes[BODY].scale[1] = 3;
}

/* ------------------------------------------------------------------------------------------- clips */

static void begin_clip(vat_model *model, const char *name)
{
    vat_model_clip *clip = &model->clips[model->clip_count++];
    snprintf(clip->name, sizeof clip->name, "%s", name);
    clip->first_channel = model->channel_count;
}

/* Appends a channel with copies of `seconds` and `values` to the last clip. */
static vfx_status add_channel(vat_model *model, int node, vat_path path, vat_interpolation interpolation,
                              uint32_t key_count, const double *seconds, const double *values)
{
    assert(model->channel_count < CHANNELS);
    vat_model_clip *clip = &model->clips[model->clip_count - 1];
    vat_channel *channel = &model->channels[model->channel_count++];
    *channel = (vat_channel){.node = (uint32_t)node, .path = path, .interpolation = interpolation};
    channel->key_count = key_count;
    channel->components = path == VAT_ROTATION ? 4 : 3;
    const size_t value_count = (size_t)key_count * channel->components * (interpolation == VAT_CUBIC ? 3 : 1);
    channel->times = malloc(key_count * sizeof *seconds);
    channel->values = malloc(value_count * sizeof *values);
    if (!channel->times || !channel->values)
        return vfx_fail(VFX_MEMORY, "no memory for the built-in model's clips");
    memcpy(channel->times, seconds, key_count * sizeof *seconds);
    memcpy(channel->values, values, value_count * sizeof *values);
    clip->channel_count++;
    clip->duration = fmax(clip->duration, seconds[key_count - 1]);
    return VFX_OK;
}

/* The same rotations for every spine joint. */
static vfx_status add_bends(vat_model *model, vat_interpolation interpolation, uint32_t key_count,
                            const double *seconds, const double *angles)
{
    double values[MOST_KEYS][4];
    for (uint32_t k = 0; k < key_count; k++)
        quaternion(2, angles[k], values[k]);
    for (int j = 0; j < TUBE_SPINES; j++)
        VFX_TRY(add_channel(model, SPINE + j, VAT_ROTATION, interpolation, key_count, seconds, &values[0][0]));
    return VFX_OK;
}

static vfx_status add_sway(vat_model *model)
{
    begin_clip(model, "sway");
    for (int j = 0; j < TUBE_SPINES; j++) {
        double seconds[MOST_KEYS], values[MOST_KEYS][4];
        for (int k = 0; k < MOST_KEYS; k++) {
            const int phase = k % TUBE_SWAY_INTERVALS; /* the last key is the first one, to the bit */
            seconds[k] = TUBE_SWAY_SECONDS * k / TUBE_SWAY_INTERVALS;
            quaternion(2, TUBE_SWAY_AMPLITUDE * sin(2 * PI * phase / TUBE_SWAY_INTERVALS - TUBE_SWAY_LAG * j),
                       values[k]);
            for (int i = 0; i < 4; i++) /* every other one as its negative, the same turn: players take the short way */
                values[k][i] *= k % 2 ? -1 : 1;
        }
        VFX_TRY(add_channel(model, SPINE + j, VAT_ROTATION, VAT_LINEAR, MOST_KEYS, seconds, &values[0][0]));
    }
    return VFX_OK;
}

static vfx_status add_strike(vat_model *model)
{
    begin_clip(model, "strike");
    VFX_TRY(add_bends(model, VAT_LINEAR, TUBE_STRIKE_KEYS, tube_strike_seconds, tube_strike_bend));
    double swing[TUBE_STRIKE_KEYS][4], turn[2][4], places[2][3];
    for (int k = 0; k < TUBE_STRIKE_KEYS; k++)
        quaternion(0, tube_strike_swing[k], swing[k]);
    VFX_TRY(add_channel(model, SWORD, VAT_ROTATION, VAT_LINEAR, TUBE_STRIKE_KEYS, tube_strike_seconds, &swing[0][0]));
    const double ends[2] = {tube_strike_seconds[0], tube_strike_seconds[TUBE_STRIKE_KEYS - 1]};
    for (int k = 0; k < 2; k++) {
        quaternion(1, TUBE_STRIKE_TURN * k, turn[k]);
        for (int i = 0; i < 3; i++)
            places[k][i] = tube_root_place[i] + tube_strike_move[i] * k;
    }
    VFX_TRY(add_channel(model, ROOT, VAT_ROTATION, VAT_LINEAR, 2, ends, &turn[0][0]));
    return add_channel(model, ROOT, VAT_TRANSLATION, VAT_LINEAR, 2, ends, &places[0][0]);
}

static vfx_status add_step(vat_model *model)
{
    begin_clip(model, "step");
    const double *seconds = tube_step_seconds;
    VFX_TRY(add_bends(model, VAT_STEP, TUBE_STEP_KEYS, seconds, tube_step_bend));
    VFX_TRY(add_channel(model, SPINE + TUBE_SPINES - 1, VAT_SCALE, VAT_STEP, TUBE_STEP_KEYS, seconds,
                        &tube_step_tip[0][0]));
    return add_channel(model, SHIELD, VAT_SCALE, VAT_STEP, TUBE_STEP_KEYS, seconds, &tube_step_shield[0][0]);
}

/* Keys of cubics: values and derivatives of the polynomials in tube_keys.h at x = 0, 1, 0 (bend) and 0, 1 (place). */
static vfx_status add_curl(vat_model *model)
{
    begin_clip(model, "curl");
    const double s = sin(TUBE_CURL_BEND / 2), c = cos(TUBE_CURL_BEND / 2), half = TUBE_CURL_HALF, whole = 2 * half;
    const double z0 = (s + TUBE_CURL_Z0) / half, w0 = (c - 1 + TUBE_CURL_W0) / half; /* slopes on the way out */
    const double z1 = (s - TUBE_CURL_Z0 - TUBE_CURL_Z1) / half, w1 = (c - 1 - TUBE_CURL_W0) / half;
    const double bends[3][3][4] = {
        {{0, 0, -z0, -w0}, {0, 0, 0, 1}, {0, 0, z0, w0}},
        {{0, 0, z1, w1}, {0, 0, s, c}, {0, 0, -z1, -w1}},
        {{0, 0, -z0, -w0}, {0, 0, 0, 1}, {0, 0, z0, w0}},
    };
    const double seconds[3] = {0, half, whole}, ends[2] = {0, whole}, *o = tube_root_place;
    for (int j = 0; j < TUBE_SPINES; j++)
        VFX_TRY(add_channel(model, SPINE + j, VAT_ROTATION, VAT_CUBIC, 3, seconds, &bends[0][0][0]));
    const double places[2][3][3] = {
        {{0, 0, 0}, {o[0], o[1], o[2]}, {TUBE_CURL_X / whole, TUBE_CURL_Y / whole, 0}},
        {{-TUBE_CURL_X / whole, 0, 3 * TUBE_CURL_Z / whole}, {o[0], o[1], o[2] + TUBE_CURL_Z}, {0, 0, 0}},
    };
    return add_channel(model, ROOT, VAT_TRANSLATION, VAT_CUBIC, 2, ends, &places[0][0][0]);
}

static vfx_status add_still(vat_model *model)
{
    begin_clip(model, "still");
    const double zero = 0, bend = TUBE_STILL_BEND;
    VFX_TRY(add_bends(model, VAT_LINEAR, 1, &zero, &bend));
    double turn[4];
    quaternion(1, TUBE_STILL_TURN, turn);
    return add_channel(model, ROOT, VAT_ROTATION, VAT_LINEAR, 1, &zero, turn);
}

/* ------------------------------------------------------------------------------------------- all of it */

static vfx_status fill(vat_model *model, uint32_t vertex_count)
{
    model->nodes = calloc(NODES, sizeof *model->nodes);
    model->skins = calloc(1, sizeof *model->skins);
    model->joints = calloc(TUBE_SPINES, sizeof *model->joints);
    model->inverse_bind = calloc(TUBE_SPINES, sizeof *model->inverse_bind);
    model->parts = calloc(3, sizeof *model->parts);
    model->vertices = calloc(vertex_count, sizeof *model->vertices);
    model->indices = calloc((size_t)vertex_count * 6, sizeof *model->indices); /* two triangles a vertex at most */
    model->channels = calloc(CHANNELS, sizeof *model->channels);
    model->clips = calloc(TUBE_CLIPS, sizeof *model->clips);
    if (!model->nodes || !model->skins || !model->joints || !model->inverse_bind || !model->parts || !model->vertices ||
        !model->indices || !model->channels || !model->clips)
        return vfx_fail(VFX_MEMORY, "no memory for the built-in model of %u vertices", vertex_count);
    model->node_count = NODES;
    model->skin_count = 1;
    model->joint_count = TUBE_SPINES;
    model->part_count = 3;
    model->vertex_count = vertex_count;
    set_nodes(model);
    set_shape(model);
    VFX_TRY(add_sway(model));
    VFX_TRY(add_strike(model));
    VFX_TRY(add_step(model));
    VFX_TRY(add_curl(model));
    VFX_TRY(add_still(model));
    return vat_model_check(model, "built-in model");
}

vfx_status vat_tube_create(uint32_t vertex_count, vat_model *model)
{
    memset(model, 0, sizeof *model);
    if (vertex_count < VAT_TUBE_LEAST || vertex_count > VAT_MAX_VERTICES)
        return vfx_fail(VFX_USAGE, "the built-in model cannot have %u vertices: give %d to %d", vertex_count,
                        VAT_TUBE_LEAST, VAT_MAX_VERTICES);
    const vfx_status status = fill(model, vertex_count);
    if (status != VFX_OK)
        vat_model_free(model);
    return status;
}
