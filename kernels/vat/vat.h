/* vat.h - what the family shows to the table of kernels, to its own files and to tests: the record, the asset that a
 * case plays, the counts and the scene. */
#ifndef VAT_H
#define VAT_H

#include "core/kernel.h"
#include "kernels/vat/bake.h"
#include "kernels/vat/vat_shared.h"

extern const vfx_kernel vat_kernel;

/* Rows of the family's variants, in the order of vat.c. */
typedef enum vat_variant {
    VAT_TEXEL,
    VAT_NEAREST,
    VAT_FILTERED,
    VAT_BUFFER,
    VAT_BUFFER_VERTEX_MAJOR,
    VAT_BONES_VARIANT,
    VAT_BOUNDS_VARIANT,
    VAT_BLEND_VARIANT,
    VAT_ADVANCE,
    VAT_TEXTURE,
    VAT_VARIANT_COUNT
} vat_variant;
vat_variant vat_variant_of(const vfx_case *kase);
/* The transform kind in effect, VAT_KIND_...: the parameter's, but source for `texture` and yaw for `blend`, `advance`.
 */
uint32_t vat_kind_of(const vfx_case *kase);

static inline const vat_params *vat_params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, vat_params);
}

static inline bool vat_is_packed(const vfx_case *kase)
{
    return vat_params_of(kase)->vertex_format == VAT_VERTEX_PACKED;
}

/* -------------------------------------------------------------------------------------------- asset */

#define VAT_MODEL_PARAM "model"
#define VAT_ASSET_PARAM "asset"

/* What a case plays, in kase->asset. */
typedef struct vat_asset {
    vat_bake bake;
    const uint8_t *texels; /* frames * vertices texels of the case's format: bake.texels, or `own` */
    uint8_t *own;
    float map_min[3], map_step[3];       /* per code, as in bake.h */
    vat_part_range parts[VAT_MAX_PARTS]; /* with equipment */
    uint32_t part_count, items;          /* 0 without */
    uint64_t slots;
} vat_asset;

/* Text of the host parameter `name`; "" if there is none. */
const char *vat_text_of(const vfx_case *kase, const char *name);

/* NULL until kernel->load ran. */
const vat_asset *vat_asset_of(const vfx_case *kase);

vfx_status vat_load(vfx_case *kase) VFX_MUST_USE;
void vat_unload(vfx_case *kase);

/* -------------------------------------------------------------------------------------------- counts */

/* V, F and C of the asset; without one, those of the built-in model (V), 1 and 1. */
uint32_t vat_vertex_total(const vfx_case *kase);
uint32_t vat_frame_total(const vfx_case *kase);
uint32_t vat_clip_total(const vfx_case *kase);
vat_clip_range vat_clip_range_of(const vfx_case *kase, uint32_t clip); /* row of the clip table; clamped */
uint32_t vat_drawn(const vfx_case *kase);                              /* A: actors that are decoded */
uint32_t vat_batch(const vfx_case *kase);      /* B: actors of one batch, as the parameter says or the device binds */
uint32_t vat_batches(const vfx_case *kase);    /* ceil(A / B) */
uint64_t vat_slot_count(const vfx_case *kase); /* vertices of the output: B V, or all parts' with equipment */

/* Width, height, layers of a texel image; frames_wide: frames x vertices, else wrapped at VAT_ROW. */
void vat_texel_image_size(const vfx_case *kase, uint32_t layers, bool frames_wide, uint32_t size[3]);
/* `texels` texels in rows of VAT_ROW. */
void vat_wrapped_size(uint64_t texels, uint32_t layers, uint32_t size[3]);

/* What a record is, for messages: "actor 12, vertex 3 (body)". */
void vat_describe_slot(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void vat_describe_actor(const vfx_case *kase, uint64_t record, char *text, size_t bytes);

/* -------------------------------------------------------------------------------------------- scene */

/* Actor i at frame 0, and what the rule of ADVANCE makes of it at frame k. */
vat_instance vat_plan_of(const vfx_case *kase, uint32_t i);
vat_instance vat_instance_at(const vfx_case *kase, const vat_instance *plan, uint32_t k);

/* Does an actor carry a part of the model? All carry part 0. */
bool vat_carries(const vat_instance *instance, uint32_t part);

/* The record's functions; contracts in core/kernel.h. */
vfx_status vat_validate(const vfx_case *kase) VFX_MUST_USE;
void vat_init(const vfx_case *kase, void *const buffers[], void *const images[]);
size_t vat_host_bytes(const vfx_case *kase);
void vat_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[]);

/* ------------------------------------------------------------------------------------------- checks */

/* In vat_limits.c, with the reference. */
enum { VAT_CHECK_COUNT = 14 };
extern const vfx_check vat_checks[VAT_CHECK_COUNT];
enum { VAT_INVARIANT_COUNT = 4 };
extern const vfx_invariant vat_invariants[VAT_INVARIANT_COUNT];

/* --------------------------------------------------------------------------------------------- views */

enum { VAT_VIEW_COUNT = 2 };
extern const vfx_view vat_views[VAT_VIEW_COUNT];

#endif
