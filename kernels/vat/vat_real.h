/* vat_real.h - what the reference's own files share, over `real`: whose vertex a slot is, when, its local point and
 * where that goes. Private to vat_*_ref.c, each of which is compiled twice (core/refmath.h).
 *
 * Values carry bounds of the error that float arithmetic may make in them, to first order, with or without contraction
 * and with the terms of a sum in any order, the instance's position last. They serve the check scales; no value depends
 * on them. */
#ifndef VAT_REAL_H
#define VAT_REAL_H

#include "kernels/vat/vat_ref.h"

#include "core/refmath.h"
#include "kernels/vat/vat.h"

#include <stdbool.h>

#define VAT_U ((real)0x1p-24) /* one rounding of a float, relative */
/* Making a vector unit: inversesqrt to 2 ulp (4 u), half the square's 4 u, the product. */
#define VAT_UNIT_ERROR (8 * VAT_U)

/* What a stage works on, looked up once. */
typedef struct vat_view {
    const vfx_ref *ref;
    const vat_params *params;
    vat_variant variant;
    uint32_t format, kind;
    uint32_t vertices, frames, clips; /* V, F, C */
    uint32_t bones, weights, parts;
    uint64_t batch, drawn, batches; /* B, A, ceil(A / B) */
    real map_min[3], map_step[3];   /* m; per 1/256 code */
} vat_view;

/* A vertex of an actor. */
typedef struct vat_spot {
    uint32_t actor, vertex;
    bool there; /* false: no batch covers it, or a record points beyond its buffer */
} vat_spot;

/* Two frames of all clips and the second one's weight in 1/256. */
typedef struct vat_when {
    uint32_t a, b, w;
} vat_when;

/* An instance, whatever its kind: world = scale * turn * (own o p) + position, or row * (p, 1). */
typedef struct vat_actor {
    uint32_t kind;
    real3 position;   /* m */
    real scale;       /* > 0 */
    real3 own;        /* per axis, before the turn: mirror, width, height */
    real turn[3][3];  /* rows */
    real turn_error;  /* absolute, of sine and cosine, beside a relative one */
    real row[3][4];   /* kind = matrix */
    vat_when when[2]; /* [1]: of blend */
    real weight;      /* of [1]; 0 but for blend */
    uint32_t tint;    /* r | g << 8 | b << 16 | skin layer << 24 */
} vat_actor;

/* A point with its normal; of the model, or in the world. */
typedef struct vat_point {
    real3 position;       /* m */
    real3 normal;         /* unit */
    real3 position_error; /* m, per axis */
    real3 part;           /* m, per axis: what the codes add to the corner of their map; without codes |position| */
    real normal_error;    /* length of the difference */
    bool ill;             /* float arithmetic may take another branch for the normal */
} vat_point;

static inline real vat_largest(real3 v)
{
    return real_max(real_abs(v.x), real_max(real_abs(v.y), real_abs(v.z)));
}

/* vat_actor_ref.c */
vat_view VFX_REF(vat_view_of)(const vfx_ref *ref);
vat_spot VFX_REF(vat_spot_of_slot)(const vat_view *view, uint64_t slot);
/* Actor of record `record` of the batches' shared range: the last one in this frame's order; false if there is none. */
bool VFX_REF(vat_last_actor)(const vat_view *view, uint64_t record, uint32_t *actor);
vat_actor VFX_REF(vat_actor_of)(const vat_view *view, uint32_t actor);

/* vat_local_ref.c: one set of frames, and blend's two. */
vat_point VFX_REF(vat_local_of)(const vat_view *view, const vat_actor *actor, uint32_t vertex);

/* vat_bone_ref.c */
vat_point VFX_REF(vat_skinned_of)(const vat_view *view, const vat_when *when, uint32_t vertex);
/* sign(det) * cofactor(m) * normal made unit, `normal` where that has no length. `size`: bounds of |m|'s entries;
 * `relative`: error of an entry as a share of its bound; `given`: error of `normal`. Sets normal, normal_error, ill. */
void VFX_REF(vat_turn_normal)(real m[3][3], real size[3][3], real relative, real3 normal, real given, vat_point *point);

/* vat_where_ref.c */
vat_point VFX_REF(vat_world_of)(const vat_actor *actor, const vat_point *local);
/* The whole way. */
vat_point VFX_REF(vat_point_of)(const vat_view *view, const vat_actor *actor, uint32_t vertex);

#endif
