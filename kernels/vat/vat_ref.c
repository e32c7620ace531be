/* vat_ref.c - the stages of the vat reference: actors moved on, vertices and boxes stored. Slow, plain and separate
 * from the shaders; the rules are those in vat_shared.h. Compiled twice over `real`. */
#include "kernels/vat/vat_real.h"

/* ------------------------------------------------------------------------------------- advance */

static vat_instance advanced(const vfx_ref *ref, const vat_instance *plan)
{
    const uint32_t k = ref->frame->index, clips = (uint32_t)VAT_CLIPS(*ref->frame);
    const uint32_t wanted = plan->frame >> 24, cursor = plan->frame & 0xffffffu;
    const vat_clip_range *clip =
        (const vat_clip_range *)ref->in[VAT_BUFFER_CLIP] + (wanted < clips ? wanted : clips - 1);
    const uint32_t angle = (uint32_t)(plan->yaw * 65536.0f) + k * (uint32_t)VAT_TURN(*ref->frame);
    const uint32_t period = clip->period > 0 ? clip->period : 1;
    vat_instance now = *plan;
    now.yaw = (float)(angle & 0xffffu) / 65536.0f;
    now.frame = wanted << 24 | (cursor + k * clip->step) % period;
    return now;
}

void VFX_REF(vat_advance_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const vat_instance *plan = ref->in[VAT_BUFFER_PLAN];
    vat_instance *out = ref->out[VAT_BUFFER_ACTOR];
    for (uint64_t i = first; i < first + count; i++)
        out[i] = advanced(ref, &plan[i]);
}

/* -------------------------------------------------------------------------------------- colour */

static uint32_t colour_of(const vat_view *view, uint32_t tint, uint32_t uv)
{
    const vat_bake *bake = &vat_asset_of(view->ref->kase)->bake;
    const uint32_t width = bake->skin_width, height = bake->skin_height, layers = bake->skin_layers;
    const uint32_t layer = tint >> 24 < layers ? tint >> 24 : layers - 1;
    const uint32_t x = (uv & 0xffffu) * width >> 16, y = (uv >> 16) * height >> 16;
    const uint8_t *skin =
        (const uint8_t *)view->ref->image[VAT_IMAGE_SKIN] + 4 * (((size_t)layer * height + y) * width + x);
    uint32_t word = (uint32_t)skin[3] << 24;
    for (uint32_t i = 0; i < 3; i++)
        word |= ((tint >> 8 * i & 255u) * skin[i] + 127) / 255 << 8 * i;
    return word;
}

/* -------------------------------------------------------------------------------------- decode */

static void store_full(const vat_view *view, uint64_t slot, const vat_actor *actor, uint32_t vertex,
                       const vat_point *point)
{
    vat_vertex *out = (vat_vertex *)view->ref->out[VAT_BUFFER_VERTEX] + slot;
    out->position = vec3_of(point->position);
    out->uv = ((const uint32_t *)view->ref->in[VAT_BUFFER_UV])[vertex];
    out->normal = vec3_of(point->normal);
    out->colour = colour_of(view, actor->tint, out->uv);
}

static void store_packed(const vat_view *view, uint64_t slot, const vat_point *point)
{
    vat_packed *out = (vat_packed *)view->ref->out[VAT_BUFFER_PACKED] + slot;
    out->position = vec3_of(point->position);
    out->normal = octahedral_encode(point->normal);
}

void VFX_REF(vat_decode_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const vat_view view = VFX_REF(vat_view_of)(ref);
    const bool packed = view.params->vertex_format == VAT_VERTEX_PACKED;
    uint8_t *ill = ref->ill[packed ? VAT_BUFFER_PACKED : VAT_BUFFER_VERTEX];
    for (uint64_t slot = first; slot < first + count; slot++) {
        const vat_spot spot = VFX_REF(vat_spot_of_slot)(&view, slot);
        if (!spot.there)
            continue;
        const vat_actor actor = VFX_REF(vat_actor_of)(&view, spot.actor);
        const vat_point point = VFX_REF(vat_point_of)(&view, &actor, spot.vertex);
        if (packed)
            store_packed(&view, slot, &point);
        else
            store_full(&view, slot, &actor, spot.vertex, &point);
        if (ill != NULL)
            ill[slot] = point.ill;
    }
}

/* -------------------------------------------------------------------------------------- bounds */

static void widen(vat_bounds *box, vec3 p)
{
    const float at[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        box->min[i] = at[i] < box->min[i] ? at[i] : box->min[i];
        box->max[i] = at[i] > box->max[i] ? at[i] : box->max[i];
    }
}

void VFX_REF(vat_bounds_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const vat_view view = VFX_REF(vat_view_of)(ref);
    for (uint64_t record = first; record < first + count; record++) {
        uint32_t index;
        if (!VFX_REF(vat_last_actor)(&view, record, &index))
            continue;
        const vat_actor actor = VFX_REF(vat_actor_of)(&view, index);
        vat_bounds box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (uint32_t vertex = 0; vertex < view.vertices; vertex++)
            widen(&box, vec3_of(VFX_REF(vat_point_of)(&view, &actor, vertex).position));
        ((vat_bounds *)ref->out[VAT_BUFFER_BOUNDS])[record] = box;
    }
}
