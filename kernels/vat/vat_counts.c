/* vat_counts.c - sizes of a case: vertices, frames, clips, batches, slots, images; and what a record is, for messages.
 * Without an asset they are guesses: the built-in model's vertices, one frame, one clip. */
#include "kernels/vat/vat.h"

#include <math.h>
#include <stdio.h>

vat_variant vat_variant_of(const vfx_case *kase)
{
    return kase->variant != NULL ? (vat_variant)(kase->variant - kase->kernel->variants) : VAT_TEXEL;
}

uint32_t vat_kind_of(const vfx_case *kase)
{
    switch (vat_variant_of(kase)) {
    case VAT_TEXTURE:
        return VAT_KIND_SOURCE;
    case VAT_BLEND_VARIANT:
    case VAT_ADVANCE:
        return VAT_KIND_YAW;
    default:
        return vat_params_of(kase)->kind;
    }
}

uint32_t vat_vertex_total(const vfx_case *kase)
{
    return vat_asset_of(kase) != NULL ? vat_asset_of(kase)->bake.vertices : vat_params_of(kase)->vertices;
}

uint32_t vat_frame_total(const vfx_case *kase)
{
    return vat_asset_of(kase) != NULL ? vat_asset_of(kase)->bake.frames : 1;
}

uint32_t vat_clip_total(const vfx_case *kase)
{
    return vat_asset_of(kase) != NULL ? vat_asset_of(kase)->bake.clip_count : 1;
}

vat_clip_range vat_clip_range_of(const vfx_case *kase, uint32_t clip)
{
    const vat_asset *asset = vat_asset_of(kase);
    if (asset == NULL || asset->bake.clip_count == 0)
        return (vat_clip_range){.first = 0, .frames = 1, .period = 1, .step = 0};
    const vat_clip *row = &asset->bake.clips[clip < asset->bake.clip_count ? clip : asset->bake.clip_count - 1];
    const double step = row->fps * (double)vat_params_of(kase)->speed * (double)kase->dt * 256.0;
    return (vat_clip_range){.first = row->first,
                            .frames = row->frames,
                            .period = row->frames > 1 ? (row->frames - 1) * 256u : 1u,
                            .step = step < 16777216.0 ? (uint32_t)lround(step) : 16777216u};
}

uint32_t vat_drawn(const vfx_case *kase)
{
    const vat_params *params = vat_params_of(kase);
    return params->visible != 0 && params->visible < params->actors ? params->visible : params->actors;
}

/* Bytes of a batch that an actor takes in the output. */
static uint64_t actor_bytes(const vfx_case *kase)
{
    if (vat_variant_of(kase) == VAT_BOUNDS_VARIANT)
        return sizeof(vat_bounds);
    return (uint64_t)vat_vertex_total(kase) *
           (vat_params_of(kase)->vertex_format == VAT_VERTEX_PACKED ? sizeof(vat_packed) : sizeof(vat_vertex));
}

uint32_t vat_batch(const vfx_case *kase)
{
    const vat_params *params = vat_params_of(kase);
    uint64_t batch = vat_drawn(kase);
    if (params->equipment)
        return (uint32_t)batch; /* one batch, whatever its size */
    if (params->batch != 0 && params->batch < batch)
        batch = params->batch;
    const uint64_t bound = kase->storage_limit != 0 ? kase->storage_limit / actor_bytes(kase) : batch;
    const uint64_t threads = vat_variant_of(kase) == VAT_BOUNDS_VARIANT ? VAT_BOUNDS_LANES : vat_vertex_total(kase);
    batch = bound < batch ? bound : batch;
    batch = UINT32_MAX / threads < batch ? UINT32_MAX / threads : batch;
    if (batch == 0)
        return 1; /* then the buffer itself says that it does not fit */
    const uint64_t batches = (vat_drawn(kase) + batch - 1) / batch; /* as equal as can be */
    return (uint32_t)((vat_drawn(kase) + batches - 1) / batches);
}

uint32_t vat_batches(const vfx_case *kase)
{
    const uint32_t batch = vat_batch(kase), drawn = vat_drawn(kase);
    return drawn / batch + (drawn % batch != 0);
}

uint64_t vat_slot_count(const vfx_case *kase)
{
    const vat_asset *asset = vat_asset_of(kase);
    if (vat_params_of(kase)->equipment && asset != NULL)
        return asset->slots;
    return (uint64_t)vat_batch(kase) * vat_vertex_total(kase);
}

void vat_wrapped_size(uint64_t texels, uint32_t layers, uint32_t size[3])
{
    size[0] = texels < VAT_ROW ? (uint32_t)texels : VAT_ROW;
    size[1] = (uint32_t)((texels + VAT_ROW - 1) / VAT_ROW);
    size[2] = layers;
}

void vat_texel_image_size(const vfx_case *kase, uint32_t layers, bool frames_wide, uint32_t size[3])
{
    const uint64_t texels = (uint64_t)vat_frame_total(kase) * vat_vertex_total(kase);
    vat_wrapped_size(texels, layers, size);
    if (frames_wide) {
        size[0] = vat_frame_total(kase);
        size[1] = vat_vertex_total(kase);
    }
}

void vat_describe_actor(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    const bool batched = vat_variant_of(kase) == VAT_BOUNDS_VARIANT && vat_batches(kase) > 1;
    snprintf(text, bytes, "actor %llu%s", (unsigned long long)record, batched ? " of the batch" : "");
}

void vat_describe_slot(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    const vat_asset *asset = vat_asset_of(kase);
    const unsigned long long slot = record;
    if (!vat_params_of(kase)->equipment || asset == NULL) {
        const uint32_t vertices = vat_vertex_total(kase);
        snprintf(text, bytes, "actor %llu%s, vertex %llu", slot / vertices,
                 vat_batches(kase) > 1 ? " of the batch" : "", slot % vertices);
        return;
    }
    uint32_t part = 0;
    while (part + 1 < asset->part_count && asset->parts[part + 1].first_slot <= record)
        part++;
    const vat_part_range *range = &asset->parts[part];
    snprintf(text, bytes, "part %u (%s), carrier %llu, vertex %llu", part, asset->bake.parts[part].name,
             (slot - range->first_slot) / range->vertices, (slot - range->first_slot) % range->vertices);
}
