/* vat_scene.c - the actors of a case: a plan by integer hash, and every frame's instances from it by the rule of
 * ADVANCE in vat_shared.h, packed as the case's transform kind wants them. */
#include "core/hash.h"
#include "core/run.h"
#include "kernels/vat/vat.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { VAT_PARAM_KIND = offsetof(vat_params, kind) / 4 };

/* ---------------------------------------------------------------------------------------------- plan */

/* Clip and start cursor from two hash words. */
static uint32_t frame_word(const vfx_case *kase, uint32_t clip_word, uint32_t cursor_word)
{
    const uint32_t clip = clip_word % vat_clip_total(kase);
    return clip << 24 | cursor_word % vat_clip_range_of(kase, clip).period;
}

vat_instance vat_plan_of(const vfx_case *kase, uint32_t i)
{
    const vat_params *params = vat_params_of(kase);
    const vfx_hash3 spot = vfx_pcg3d(i, VAT_STREAM_SPOT, kase->seed), play = vfx_pcg3d(i, VAT_STREAM_PLAY, kase->seed),
                    look = vfx_pcg3d(i, VAT_STREAM_LOOK, kase->seed),
                    other = vfx_pcg3d(i, VAT_STREAM_OTHER, kase->seed),
                    carry = vfx_pcg3d(i, VAT_STREAM_CARRY, kase->seed);
    const uint32_t side = (uint32_t)ceil(sqrt((double)params->actors));
    const double middle = side / 2.0, spacing = (double)params->spacing;
    const double x = i % side - middle + 0.5 * (vfx_hash_unit(spot.x) - 0.5),
                 z = i / side - middle + 0.5 * (vfx_hash_unit(spot.y) - 0.5);
    const uint32_t layers = vat_asset_of(kase) != NULL ? vat_asset_of(kase)->bake.skin_layers : 1;
    return (vat_instance){
        .position = {(float)(x * spacing), 0.0f, (float)(z * spacing)},
        .yaw = (float)(spot.z >> 16) / 65536.0f,
        .scale = (float)(1.0 + (double)params->scale_spread * (2.0 * vfx_hash_unit(look.z) - 1.0)),
        .frame = frame_word(kase, play.x, play.y),
        .tint = (look.x & 0xffffffu) | look.y % layers << 24,
        .flags = (other.z >> 8) % 4 == 0 ? VAT_FLAG_MIRROR | carry.x << 24 : carry.x << 24,
    };
}

/* A clip's cursor, so many frames on. */
static uint32_t moved_on(const vfx_case *kase, uint32_t frame, uint32_t k)
{
    const vat_clip_range range = vat_clip_range_of(kase, frame >> 24);
    return (frame & 0xff000000u) | ((frame & 0xffffffu) + k * range.step) % range.period;
}

static uint32_t turn_of(const vfx_case *kase)
{
    const double turns = (double)vat_params_of(kase)->turn * (double)kase->dt;
    return (uint32_t)lround((turns - floor(turns)) * 65536.0) & 0xffffu;
}

vat_instance vat_instance_at(const vfx_case *kase, const vat_instance *plan, uint32_t k)
{
    vat_instance now = *plan;
    now.yaw = (float)(((uint32_t)(plan->yaw * 65536.0f) + k * turn_of(kase)) & 0xffffu) / 65536.0f;
    now.frame = moved_on(kase, plan->frame, k);
    return now;
}

/* --------------------------------------------------------------------------------------- other kinds */

/* Height is 0.5 to 1.5 of the width. A fourth is mirrored in x, a fourth in z, some in both: those are turned. */
static vat_scale2d scale2d_of(const vfx_case *kase, const vat_instance *now, uint32_t i)
{
    const vfx_hash3 h = vfx_pcg3d(i, VAT_STREAM_CARRY, kase->seed);
    const double stretch = (0.5 + vfx_hash_unit(h.y)) * ((h.z >> 8) % 4 == 0 ? -1.0 : 1.0);
    return (vat_scale2d){.position = now->position,
                         .yaw = now->yaw,
                         .width = now->flags & VAT_FLAG_MIRROR ? -now->scale : now->scale,
                         .height = (float)((double)now->scale * stretch),
                         .frame = now->frame,
                         .tint = now->tint};
}

/* Mirrored where flagged, sheared and stretched, tilted by a quarter turn at most about x, then turned by yaw. */
static vat_matrix matrix_of(const vfx_case *kase, const vat_instance *now, uint32_t i)
{
    const vfx_hash3 h = vfx_pcg3d(i, VAT_STREAM_CARRY, kase->seed);
    const double yaw = 2.0 * pi * (double)now->yaw, tilt = pi * (vfx_hash_unit(h.y) - 0.5), s = (double)now->scale;
    const double shear = vfx_hash_unit(h.z) - 0.5, mirror = now->flags & VAT_FLAG_MIRROR ? -1.0 : 1.0;
    const double c = cos(yaw), n = sin(yaw), ct = cos(tilt), st = sin(tilt);
    const double turn[3][3] = {{c, n * st, n * ct}, {0.0, ct, -st}, {-n, c * st, c * ct}};
    const double own[3][3] = {{mirror * s, shear * s, 0.0}, {0.0, 0.75 * s, 0.0}, {0.0, 0.0, 1.25 * s}};
    const float place[3] = {now->position.x, now->position.y, now->position.z};
    vec4 rows[3];
    for (int r = 0; r < 3; r++) {
        double row[3] = {0};
        for (int col = 0; col < 3; col++)
            for (int k = 0; k < 3; k++)
                row[col] += turn[r][k] * own[k][col];
        rows[r] = (vec4){(float)row[0], (float)row[1], (float)row[2], place[r]};
    }
    return (vat_matrix){
        .row0 = rows[0], .row1 = rows[1], .row2 = rows[2], .frame = now->frame, .tint = now->tint, .flags = now->flags};
}

static vat_source_instance source_of(const vfx_case *kase, const vat_instance *now)
{
    const vat_clip_range range = vat_clip_range_of(kase, now->frame >> 24);
    const uint32_t frame = (now->frame & 0xffffffu) >> 8;
    const uint32_t all = range.first + (frame < range.frames ? frame : range.frames - 1);
    return (vat_source_instance){.position = now->position,
                                 .angle = (float)(2.0 * pi * (double)now->yaw),
                                 .r = all | (now->tint >> 24) << 16 | (now->tint & 255u) << 24,
                                 .g = (now->tint >> 8 & 255u) | (now->tint >> 16 & 255u) << 8};
}

static vat_blend blend_of(const vfx_case *kase, const vat_instance *now, uint32_t i, uint32_t k)
{
    const vfx_hash3 other = vfx_pcg3d(i, VAT_STREAM_OTHER, kase->seed),
                    play = vfx_pcg3d(i, VAT_STREAM_PLAY, kase->seed);
    const uint32_t eighths = (play.z >> 16) % 9; /* 0 and 1 among them */
    return (vat_blend){.position = now->position,
                       .yaw = now->yaw,
                       .scale = now->scale,
                       .frame_a = now->frame,
                       .frame_b = moved_on(kase, frame_word(kase, other.x, other.y), k),
                       .tint = now->tint,
                       .weight = (float)eighths / 8.0f,
                       .flags = now->flags};
}

/* ------------------------------------------------------------------------------------- the frame block */

/* Basis of a camera that looks along -back, no roll. */
static void camera_basis(const vat_params *params, vec4 *right, vec4 *up, vec4 *back)
{
    const double yaw = 2.0 * pi * (double)params->cam_yaw, pitch = 2.0 * pi * (double)params->cam_pitch;
    const double c = cos(yaw), s = sin(yaw), cp = cos(pitch), sp = sin(pitch);
    *right = (vec4){(float)c, 0.0f, (float)-s, right->w};
    *up = (vec4){(float)(-s * sp), (float)cp, (float)(-c * sp), up->w};
    *back = (vec4){(float)(s * cp), (float)sp, (float)(c * cp), back->w};
}

static void fill_block(const vfx_case *kase, vfx_frame *frame)
{
    const vat_asset *asset = vat_asset_of(kase);
    frame->host[0] = (vec4){asset->map_min[0], asset->map_min[1], asset->map_min[2], (float)asset->bake.vertices};
    frame->host[1] = (vec4){asset->map_step[0] / 256.0f, asset->map_step[1] / 256.0f, asset->map_step[2] / 256.0f,
                            (float)asset->bake.frames};
    frame->host[2].w = (float)asset->bake.clip_count;
    frame->host[3].w = (float)asset->bake.bones;
    frame->host[4].w = (float)(asset->bake.influences / 4);
    camera_basis(vat_params_of(kase), &frame->host[2], &frame->host[3], &frame->host[4]);
    frame->host[5] =
        (vec4){(float)vat_batch(kase), (float)vat_drawn(kase), (float)turn_of(kase), (float)asset->part_count};
}

/* --------------------------------------------------------------------------------------- frame input */

/* Carried from frame to frame: the plan. */
typedef struct host_plan {
    uint32_t made;
    uint32_t padding[7];
    vat_instance plan[];
} host_plan;

size_t vat_host_bytes(const vfx_case *kase)
{
    return sizeof(host_plan) + (size_t)vat_params_of(kase)->actors * sizeof(vat_instance);
}

static void store_source(const vfx_case *kase, const vat_instance *now, uint32_t i, void *const buffers[],
                         void *const images[])
{
    const vat_source_instance source = source_of(kase, now);
    if (vat_variant_of(kase) != VAT_TEXTURE) {
        ((vat_source_instance *)buffers[VAT_BUFFER_SOURCE])[i] = source;
        return;
    }
    const uint16_t custom[4] = {(uint16_t)source.r, (uint16_t)(source.r >> 16), (uint16_t)source.g,
                                (uint16_t)(source.g >> 16)};
    const vec4 transform = {source.position.x, source.position.y, source.position.z, source.angle};
    memcpy((char *)images[VAT_IMAGE_TRANSFORM] + (size_t)i * sizeof transform, &transform, sizeof transform);
    memcpy((char *)images[VAT_IMAGE_CUSTOM] + (size_t)i * sizeof custom, custom, sizeof custom);
}

static void store_instance(const vfx_case *kase, const vat_instance *now, uint32_t i, uint32_t k, void *const buffers[],
                           void *const images[])
{
    if (vat_variant_of(kase) == VAT_BLEND_VARIANT) {
        ((vat_blend *)buffers[VAT_BUFFER_BLEND])[i] = blend_of(kase, now, i, k);
        return;
    }
    switch (vat_kind_of(kase)) {
    case VAT_KIND_YAW:
        ((vat_instance *)buffers[VAT_BUFFER_INSTANCE])[i] = *now;
        break;
    case VAT_KIND_SCALE2D:
        ((vat_scale2d *)buffers[VAT_BUFFER_SCALE2D])[i] = scale2d_of(kase, now, i);
        break;
    case VAT_KIND_BILLBOARD:
        ((vat_billboard *)buffers[VAT_BUFFER_BILLBOARD])[i] = (vat_billboard){.position = now->position,
                                                                              .scale = now->scale,
                                                                              .frame = now->frame,
                                                                              .tint = now->tint,
                                                                              .flags = now->flags};
        break;
    case VAT_KIND_MATRIX:
        ((vat_matrix *)buffers[VAT_BUFFER_MATRIX])[i] = matrix_of(kase, now, i);
        break;
    default:
        store_source(kase, now, i, buffers, images);
        break;
    }
}

void vat_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[])
{
    host_plan *plans = host;
    const uint32_t actors = vat_params_of(kase)->actors;
    fill_block(kase, frame);
    if (vat_variant_of(kase) == VAT_ADVANCE)
        return;
    for (uint32_t i = 0; !plans->made && i < actors; i++)
        plans->plan[i] = vat_plan_of(kase, i);
    plans->made = 1;
    for (uint32_t i = 0; i < actors; i++) {
        const vat_instance now = vat_instance_at(kase, &plans->plan[i], frame->index);
        store_instance(kase, &now, i, frame->index, buffers, images);
    }
}

/* ---------------------------------------------------------------------------------------- validate */

/* UNSUPPORTED: a sweep leaves these values out, and of several variants the others run. What a variant merely does not
 * read (the format of `bones`, the vertex format of `bounds`) is not refused. */
static vfx_status check_variant(const vfx_case *kase, const vat_params *params)
{
    const vat_variant variant = vat_variant_of(kase);
    if (params->kind != vat_kind_of(kase) && params->kind != VAT_KIND_YAW)
        return vfx_fail(VFX_UNSUPPORTED, "kind=%s: variant %s has instances of its own; leave kind at yaw",
                        kase->kernel->params[VAT_PARAM_KIND].names[params->kind], kase->variant->name);
    if (variant == VAT_FILTERED && params->format == VAT_FORMAT_F32)
        return vfx_fail(VFX_UNSUPPORTED, "format=f32: variant filtered wants unorm texels; choose another format");
    if (variant == VAT_BOUNDS_VARIANT && params->equipment)
        return vfx_fail(VFX_UNSUPPORTED, "equipment=on: variant bounds measures whole actors; leave equipment off");
    return VFX_OK;
}

vfx_status vat_validate(const vfx_case *kase)
{
    const vat_params *params = vat_params_of(kase);
    if (params->visible > params->actors)
        return vfx_fail(VFX_USAGE, "visible = %u is more than actors = %u", params->visible, params->actors);
    if (params->equipment && params->batch != 0)
        return vfx_fail(VFX_USAGE, "equipment=on is drawn in one batch: leave batch at 0");
    const char *model = vat_text_of(kase, VAT_MODEL_PARAM), *folder = vat_text_of(kase, VAT_ASSET_PARAM);
    if (*model != '\0' && *folder != '\0')
        return vfx_fail(VFX_USAGE, "model=%s and asset=%s: give one of them", model, folder);
    return kase->variant != NULL ? check_variant(kase, params) : VFX_OK;
}
