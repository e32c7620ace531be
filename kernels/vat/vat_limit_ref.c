/* vat_limit_ref.c - the scales of the check rows: the error bounds that vat_local_ref.c, vat_bone_ref.c and
 * vat_where_ref.c carry along, for one record. Compiled twice over `real`. */
#include "kernels/vat/vat_real.h"

#define U VAT_U
#define CODE_STEP ((real)1.31e-4) /* one step in both coordinates of an octahedral code, rad */
#define TINY ((real)1e-30)        /* what a flush of subnormals may add, generously */

/* 8 ulp of max(|x|, extent, distance to the origin), the promise for a rotated decode of exact texels. A sampler's
 * weights, skinning and a full matrix have other sources of error, so there the bound alone counts. */
static real promised(const vat_view *view, const vat_actor *actor, real3 position)
{
    if (view->variant == VAT_FILTERED || view->variant == VAT_BONES_VARIANT || actor->kind == VAT_KIND_MATRIX)
        return (real)INFINITY;
    const real extent = (real)vat_asset_of(view->ref->kase)->bake.extent;
    const real size = real_max(real_max(vat_largest(position), actor->scale * vat_largest(actor->own) * extent),
                               real3_length(actor->position));
    int exponent = 0;
    (void)real_frexp(size, &exponent); /* size = [1/2, 1) 2^exponent */
    return 8 * real_ldexp(1, exponent - 24);
}

/* The worst axis. */
static real position_limit(const vat_view *view, const vat_actor *actor, const vat_point *point)
{
    return real_min(vat_largest(point->position_error) + TINY, promised(view, actor, point->position));
}

static bool point_at(const vat_view *view, uint64_t slot, vat_actor *actor, vat_point *point)
{
    const vat_spot spot = VFX_REF(vat_spot_of_slot)(view, slot);
    if (!spot.there)
        return false;
    *actor = VFX_REF(vat_actor_of)(view, spot.actor);
    *point = VFX_REF(vat_point_of)(view, actor, spot.vertex);
    return true;
}

double VFX_REF(vat_position_scale)(const vfx_ref *ref, uint64_t record)
{
    const vat_view view = VFX_REF(vat_view_of)(ref);
    vat_actor actor;
    vat_point point;
    return point_at(&view, record, &actor, &point) ? (double)position_limit(&view, &actor, &point) : 0;
}

/* Rounded to float in both. */
double VFX_REF(vat_normal_scale)(const vfx_ref *ref, uint64_t record)
{
    const vat_view view = VFX_REF(vat_view_of)(ref);
    vat_actor actor;
    vat_point point;
    return point_at(&view, record, &actor, &point) ? (double)real_min(2, point.normal_error + U) : 0;
}

double VFX_REF(vat_packed_normal_scale)(const vfx_ref *ref, uint64_t record)
{
    return VFX_REF(vat_normal_scale)(ref, record) + (double)CODE_STEP;
}

/* A box moves no further than the vertex that moves most. */
double VFX_REF(vat_bounds_scale)(const vfx_ref *ref, uint64_t record)
{
    const vat_view view = VFX_REF(vat_view_of)(ref);
    uint32_t index;
    if (!VFX_REF(vat_last_actor)(&view, record, &index))
        return 0;
    const vat_actor actor = VFX_REF(vat_actor_of)(&view, index);
    real worst = 0;
    for (uint32_t vertex = 0; vertex < view.vertices; vertex++) {
        const vat_point point = VFX_REF(vat_point_of)(&view, &actor, vertex);
        worst = real_max(worst, position_limit(&view, &actor, &point));
    }
    return (double)worst;
}
