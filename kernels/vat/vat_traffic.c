/* vat_traffic.c - declared traffic of the passes: compulsory bytes, every input byte once, every output byte once. A
 * pass that runs once for each batch declares the mean of its runs, each of which reads the baked frames anew. */
#include "kernels/vat/vat.h"
#include "kernels/vat/vat_rows.h"

enum {
    TEXEL_FLOPS = 60,  /* two frames decoded and blended */
    WHERE_FLOPS = 45,  /* instance transform of position and normal */
    BONES_FLOPS = 330, /* four pairs of matrices, cofactor */
    BOUNDS_FLOPS = 6
};

/* Means of one batch. */
static double drawn_share(const vfx_case *kase)
{
    return (double)vat_drawn(kase) / vat_batches(kase);
}

/* Vertices written. */
static double slots_share(const vfx_case *kase)
{
    if (vat_params_of(kase)->equipment)
        return (double)vat_slot_count(kase);
    return drawn_share(kase) * vat_vertex_total(kase);
}

/* Instances: the records of the case's kind, or the images of `texture`; with equipment the item list too. */
static double instance_bytes(const vfx_case *kase)
{
    static const double of_kind[] = {sizeof(vat_instance), sizeof(vat_scale2d), sizeof(vat_billboard),
                                     sizeof(vat_matrix), sizeof(vat_source_instance)};
    const vat_variant variant = vat_variant_of(kase);
    const double item = variant == VAT_TEXTURE ? 8.0 : 4.0; /* a word, or an RGBA16 texel */
    const double record = variant == VAT_BLEND_VARIANT ? sizeof(vat_blend)
                          : variant == VAT_TEXTURE     ? sizeof(vec4) + 8.0
                                                       : of_kind[vat_kind_of(kase)];
    return drawn_share(kase) * record + (double)vat_item_count(kase) * item;
}

/* Every baked byte once, or so many frames of each drawn actor where that is less. The source's packing has no
 * fraction, so it shows one frame. */
static double frame_bytes(const vfx_case *kase, double frames)
{
    const double shown = vat_kind_of(kase) == VAT_KIND_SOURCE ? 1.0 : frames;
    const double all = vat_frame_total(kase), touched = drawn_share(kase) * shown;
    return (all < touched ? all : touched) * vat_vertex_total(kase) *
           vat_texel_bytes((vat_format)vat_params_of(kase)->format);
}

/* Coordinates and skins, of full vertices only. */
static double look_bytes(const vfx_case *kase)
{
    uint32_t skin[3];
    vat_skin_size(kase, skin);
    return vat_is_packed(kase) ? 0.0 : 4.0 * vat_vertex_total(kase) + 4.0 * skin[0] * skin[1] * skin[2];
}

static vfx_traffic decode_traffic(const vfx_case *kase, double baked_bytes, double flops)
{
    return (vfx_traffic){instance_bytes(kase) + baked_bytes + look_bytes(kase),
                         slots_share(kase) * (vat_is_packed(kase) ? sizeof(vat_packed) : sizeof(vat_vertex)),
                         slots_share(kase) * (flops + WHERE_FLOPS)};
}

vfx_traffic vat_lerp_traffic(const vfx_case *kase)
{
    return decode_traffic(kase, frame_bytes(kase, 2.0), TEXEL_FLOPS);
}

vfx_traffic vat_nearest_traffic(const vfx_case *kase)
{
    return decode_traffic(kase, frame_bytes(kase, 1.0), TEXEL_FLOPS / 2);
}

vfx_traffic vat_blend_traffic(const vfx_case *kase)
{
    return decode_traffic(kase, frame_bytes(kase, 4.0), 2 * TEXEL_FLOPS);
}

vfx_traffic vat_bones_traffic(const vfx_case *kase)
{
    return decode_traffic(kase,
                          sizeof(vat_bone) * (double)vat_bone_count(kase) +
                              sizeof(vat_weight) * (double)vat_weight_count(kase) +
                              sizeof(vat_bind_vertex) * (double)vat_vertex_total(kase),
                          BONES_FLOPS);
}

vfx_traffic vat_bounds_traffic(const vfx_case *kase)
{
    const double vertices = drawn_share(kase) * vat_vertex_total(kase);
    return (vfx_traffic){instance_bytes(kase) + frame_bytes(kase, 2.0), drawn_share(kase) * sizeof(vat_bounds),
                         vertices * (TEXEL_FLOPS / 2 + WHERE_FLOPS / 2 + BOUNDS_FLOPS)};
}

vfx_traffic vat_advance_traffic(const vfx_case *kase)
{
    const double bytes = (double)vat_actor_count(kase) * sizeof(vat_instance);
    return (vfx_traffic){bytes, bytes, 0.0};
}
