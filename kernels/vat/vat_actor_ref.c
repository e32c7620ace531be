/* vat_actor_ref.c - the first half of the vat reference: whose vertex a slot is, and what the actor's record says, be
 * it in a buffer or in the source's images. The rules are those in vat_shared.h. Compiled twice over `real`. */
#include "kernels/vat/vat_real.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------- view */

vat_view VFX_REF(vat_view_of)(const vfx_ref *ref)
{
    const vfx_frame *frame = ref->frame;
    const vat_params *params = VFX_CASE_PARAMS(ref->kase, vat_params);
    vat_view view = {0};
    view.ref = ref;
    view.params = params;
    view.variant = (vat_variant)(ref->kase->variant - ref->kase->kernel->variants);
    view.format = params->format;
    view.kind = view.variant == VAT_TEXTURE                                        ? (uint32_t)VAT_KIND_SOURCE
                : view.variant == VAT_BLEND_VARIANT || view.variant == VAT_ADVANCE ? (uint32_t)VAT_KIND_YAW
                                                                                   : params->kind;
    view.vertices = (uint32_t)VAT_VERTICES(*frame);
    view.frames = (uint32_t)VAT_FRAMES(*frame);
    view.clips = (uint32_t)VAT_CLIPS(*frame);
    view.bones = (uint32_t)VAT_BONES(*frame);
    view.weights = (uint32_t)VAT_WEIGHTS(*frame);
    view.parts = (uint32_t)VAT_PARTS(*frame);
    view.batch = (uint64_t)VAT_BATCH(*frame);
    view.drawn = (uint64_t)VAT_DRAWN(*frame);
    view.batches = view.batch > 0 ? (view.drawn + view.batch - 1) / view.batch : 0;
    const vec4 *low = &frame->host[0], *step = &frame->host[1];
    view.map_min[0] = (real)low->x;
    view.map_min[1] = (real)low->y;
    view.map_min[2] = (real)low->z;
    view.map_step[0] = (real)step->x;
    view.map_step[1] = (real)step->y;
    view.map_step[2] = (real)step->z;
    return view;
}

/* ----------------------------------------------------------------------------------------- who */

bool VFX_REF(vat_last_actor)(const vat_view *view, uint64_t record, uint32_t *actor)
{
    if (record >= view->batch)
        return false;
    for (uint64_t back = 0; back < view->batches; back++) { /* the second finds one: only one batch is partial */
        const uint32_t iteration = (uint32_t)(view->batches - 1 - back);
        const uint64_t b = (uint32_t)(iteration + view->ref->frame->index) % view->batches;
        const uint64_t found = b * view->batch + record;
        if (found >= view->drawn)
            continue;
        *actor = (uint32_t)found;
        return found < view->params->actors;
    }
    return false;
}

/* Actor in the item list: the buffer, or the source's image. */
static uint32_t item_at(const vat_view *view, uint64_t item)
{
    if (view->variant == VAT_TEXTURE) {
        const uint16_t *texel = (const uint16_t *)view->ref->image[VAT_IMAGE_ITEM] + 4 * item;
        return (uint32_t)texel[0] | (uint32_t)texel[1] << 16;
    }
    return item < view->ref->count[VAT_BUFFER_ITEM] ? ((const uint32_t *)view->ref->in[VAT_BUFFER_ITEM])[item]
                                                    : UINT32_MAX;
}

static vat_spot equipment_spot(const vat_view *view, uint64_t slot)
{
    const vat_part_range *parts = view->ref->in[VAT_BUFFER_PART], *part = NULL;
    for (uint32_t p = 0; p < view->parts && p < view->ref->count[VAT_BUFFER_PART]; p++)
        if (parts[p].first_slot <= slot)
            part = &parts[p];
    vat_spot spot = {0};
    if (part == NULL || part->vertices == 0)
        return spot;
    const uint64_t e = slot - part->first_slot;
    spot.actor = item_at(view, part->first_item + e / part->vertices);
    spot.vertex = part->first_vertex + (uint32_t)(e % part->vertices);
    spot.there = spot.actor < view->params->actors && spot.vertex < view->vertices;
    return spot;
}

vat_spot VFX_REF(vat_spot_of_slot)(const vat_view *view, uint64_t slot)
{
    if (view->params->equipment != 0)
        return equipment_spot(view, slot);
    vat_spot spot = {0};
    if (view->vertices == 0)
        return spot;
    spot.vertex = (uint32_t)(slot % view->vertices);
    spot.there = VFX_REF(vat_last_actor)(view, slot / view->vertices, &spot.actor);
    return spot;
}

/* ---------------------------------------------------------------------------------------- when */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static vat_when when_of_word(const vat_view *view, uint32_t word)
{
    const vat_clip_range *clips = view->ref->in[VAT_BUFFER_CLIP];
    const vat_clip_range *clip = &clips[least(word >> 24, view->clips - 1)];
    const uint32_t i = (word & 0xffffffu) >> 8, last = view->frames - 1;
    vat_when when;
    when.a = least(clip->first + least(i, clip->frames - 1), last);
    when.b = least(clip->first + least(i + 1, clip->frames - 1), last);
    when.w = view->variant == VAT_NEAREST ? 0 : word & 255u;
    return when;
}

static vat_when when_of_frame(const vat_view *view, uint32_t frame)
{
    const vat_when when = {least(frame, view->frames - 1), least(frame, view->frames - 1), 0};
    return when;
}

/* ------------------------------------------------------------------------------------- records */

/* Sine and cosine of the shader: 7.6e-9 before rounding, then relative roundings, see vat_where_ref.c. */
static void set_yaw(vat_actor *actor, real turns)
{
    const real c = real_cos_turns(turns), s = real_sin_turns(turns);
    const real turn[3][3] = {{c, 0, s}, {0, 1, 0}, {-s, 0, c}};
    memcpy(actor->turn, turn, sizeof turn);
    actor->turn_error = (real)7.6e-9;
}

/* x + 1/4 is rounded in the cosine unless x is a multiple of 2^-16, as the plan's yaw is: 2^-24 turns. */
static void set_odd_yaw(vat_actor *actor, real turns)
{
    set_yaw(actor, turns);
    actor->turn_error += REAL_TWO_PI * VAT_U;
}

static void set_instance(const vat_view *view, const vat_instance *in, vat_actor *actor)
{
    actor->position = real3_of(in->position);
    actor->scale = (real)in->scale;
    actor->own.x = (in->flags & VAT_FLAG_MIRROR) != 0 ? -1 : 1;
    actor->tint = in->tint;
    actor->when[0] = when_of_word(view, in->frame);
    set_yaw(actor, (real)in->yaw);
}

static void set_scale2d(const vat_view *view, const vat_scale2d *in, vat_actor *actor)
{
    actor->position = real3_of(in->position);
    actor->own = real3_make((real)in->width, 1, (real)in->height);
    actor->tint = in->tint;
    actor->when[0] = when_of_word(view, in->frame);
    set_yaw(actor, (real)in->yaw);
}

static void set_billboard(const vat_view *view, const vat_billboard *in, vat_actor *actor)
{
    const vec4 *right = &view->ref->frame->host[2], *up = &view->ref->frame->host[3];
    const vec4 *back = &view->ref->frame->host[4];
    const real turn[3][3] = {{(real)right->x, (real)up->x, (real)back->x},
                             {(real)right->y, (real)up->y, (real)back->y},
                             {(real)right->z, (real)up->z, (real)back->z}};
    memcpy(actor->turn, turn, sizeof turn);
    actor->position = real3_of(in->position);
    actor->scale = (real)in->scale;
    actor->tint = in->tint;
    actor->when[0] = when_of_word(view, in->frame);
}

static void set_matrix(const vat_view *view, const vat_matrix *in, vat_actor *actor)
{
    const vec4 *rows[3] = {&in->row0, &in->row1, &in->row2};
    for (int i = 0; i < 3; i++) {
        actor->row[i][0] = (real)rows[i]->x;
        actor->row[i][1] = (real)rows[i]->y;
        actor->row[i][2] = (real)rows[i]->z;
        actor->row[i][3] = (real)rows[i]->w;
    }
    actor->position = real3_make(actor->row[0][3], actor->row[1][3], actor->row[2][3]);
    actor->tint = in->tint;
    actor->when[0] = when_of_word(view, in->frame);
}

/* The source's record, from the buffer or from the two images. */
static vat_source_instance source_at(const vat_view *view, uint32_t actor)
{
    if (view->variant != VAT_TEXTURE)
        return ((const vat_source_instance *)view->ref->in[VAT_BUFFER_SOURCE])[actor];
    const vec4 transform = ((const vec4 *)view->ref->image[VAT_IMAGE_TRANSFORM])[actor];
    const uint16_t *custom = (const uint16_t *)view->ref->image[VAT_IMAGE_CUSTOM] + 4 * (size_t)actor;
    vat_source_instance in = {0};
    in.position = (vec3){transform.x, transform.y, transform.z};
    in.angle = transform.w;
    in.r = (uint32_t)custom[0] | (uint32_t)custom[1] << 16;
    in.g = (uint32_t)custom[2] | (uint32_t)custom[3] << 16;
    return in;
}

static void set_source(const vat_view *view, const vat_source_instance *in, vat_actor *actor)
{
    const float turns = in->angle * VAT_TURNS_PER_RADIAN; /* float by definition */
    actor->position = real3_of(in->position);
    actor->tint = in->r >> 24 | (in->g & 0xffffu) << 8 | (in->r >> 16 & 255u) << 24;
    actor->when[0] = when_of_frame(view, in->r & 0xffffu);
    set_odd_yaw(actor, (real)turns);
}

static void set_blend(const vat_view *view, const vat_blend *in, vat_actor *actor)
{
    const vat_instance first = {in->position, in->yaw, in->scale, in->frame_a, in->tint, in->flags};
    set_instance(view, &first, actor);
    actor->when[1] = when_of_word(view, in->frame_b);
    actor->weight = (real)in->weight;
}

vat_actor VFX_REF(vat_actor_of)(const vat_view *view, uint32_t index)
{
    const void *const *in = view->ref->in;
    vat_actor actor = {0};
    actor.kind = view->kind;
    actor.scale = 1;
    actor.own = real3_make(1, 1, 1);
    if (view->variant == VAT_BLEND_VARIANT)
        set_blend(view, (const vat_blend *)in[VAT_BUFFER_BLEND] + index, &actor);
    else if (view->variant == VAT_ADVANCE)
        set_instance(view, (const vat_instance *)in[VAT_BUFFER_ACTOR] + index, &actor);
    else if (view->kind == VAT_KIND_YAW)
        set_instance(view, (const vat_instance *)in[VAT_BUFFER_INSTANCE] + index, &actor);
    else if (view->kind == VAT_KIND_SCALE2D)
        set_scale2d(view, (const vat_scale2d *)in[VAT_BUFFER_SCALE2D] + index, &actor);
    else if (view->kind == VAT_KIND_BILLBOARD)
        set_billboard(view, (const vat_billboard *)in[VAT_BUFFER_BILLBOARD] + index, &actor);
    else if (view->kind == VAT_KIND_MATRIX)
        set_matrix(view, (const vat_matrix *)in[VAT_BUFFER_MATRIX] + index, &actor);
    else {
        const vat_source_instance source = source_at(view, index);
        set_source(view, &source, &actor);
    }
    return actor;
}
