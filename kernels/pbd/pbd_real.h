/* pbd_real.h - what the reference's own files share, over `real`: a substep's records, the walk over the candidates of
 * a slot, pairs, and values with an error bound. Private to pbd_*_ref.c, each of which is compiled twice
 * (core/refmath.h).
 *
 * The bounds (`slack`) are first-order: U is one rounding of a float, ROOT what a square root may be off, QUOTIENT a
 * division; the last two are Vulkan's (4.5 ulp: 2 of inversesqrt and 2.5 of a division; and 2.5 ulp), not IEEE's. */
#ifndef PBD_REAL_H
#define PBD_REAL_H

#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_ref.h"

#include "core/refmath.h"
#include "kernels/pbd/pbd_shared.h"

#define U ((real)0x1p-24)
#define ROOT (9 * U)
#define QUOTIENT (5 * U)
#define EPSILON ((real)PBD_EPSILON)
#define TINY ((real)PBD_TINY)

/* The records of one substep; NULL where the variant has no such buffer. */
typedef struct pbd_world {
    const vfx_ref *ref;
    const pbd_params *params;
    uint32_t variant, substep;
    uint64_t n, cells;
    const pbd_predict *predict;                  /* N, by index of the state */
    const pbd_sorted *sorted;                    /* N, by slot like all that follow */
    const pbd_trace *trace;                      /* (I + 2) N */
    const uint32_t *count, *start, *slot, *list; /* cells + 1, cells + 1, cells capacity, N list_capacity */
    const uvec4 *cell;
    const pbd_status *status;
    real h; /* s */
} pbd_world;

/* A vector with what float arithmetic may be off by (a length), and whether it hangs on a branch within rounding. */
typedef struct pbd_moved {
    real3 value;
    real slack;
    bool ill;
} pbd_moved;

/* Two slots at positions of one trace slot. */
typedef struct pbd_pair {
    bool hit;                     /* in contact */
    bool ill;                     /* may be or not be in contact */
    real3 normal;                 /* from j to i, unit; zero where there is none */
    real distance;                /* 0 for a coincident pair that is separated */
    real reach;                   /* Ri + Rj */
    real overlap;                 /* reach - distance, also where negative */
    real weight;                  /* 1 - share */
    real off_overlap, off_normal; /* bounds */
} pbd_pair;

/* Contacts of a slot, and how many pairs may be one or not. */
typedef struct pbd_tally {
    uint32_t contacts, unsure;
} pbd_tally;

/* What presses two together: the normal depth, and how much of what friction may hold has been used up. */
typedef struct pbd_pressed {
    real depth, spent;
    real off_depth, off_spent;
} pbd_pressed;

/* The share f of a slip that friction cancels. */
typedef struct pbd_grip {
    real share;
    real off;       /* of t f, as a length */
    real off_spent; /* of what is used up afterwards */
    bool ill;       /* rounding decides between two answers */
} pbd_grip;

/* Candidates of a slot, one after the other. */
typedef struct pbd_walk {
    const pbd_world *world;
    uint64_t self;
    int32_t cell[3];   /* around which; hashed: g */
    uint32_t part;     /* rows or cells already begun */
    uint64_t at, end;  /* within the present one */
    uint32_t time;     /* trace slot in which those far apart are passed over; 0: none are */
    uint32_t looked;   /* candidates so far; hashed: particles of other cells too */
    int32_t wanted[3]; /* hashed: the true cell */
} pbd_walk;

/* pbd_search_ref.c */
pbd_world VFX_REF(pbd_world_of)(const vfx_ref *ref, uint32_t substep);
/* Cell of a position, float by definition. */
void VFX_REF(pbd_cell_of)(const pbd_world *w, vec3 p, int32_t g[3]);
uint32_t VFX_REF(pbd_key_of)(const pbd_world *w, vec3 p);
bool VFX_REF(pbd_is_outside)(const pbd_world *w, vec3 p);
bool VFX_REF(pbd_is_binned_at)(const pbd_world *w, vec3 p);
/* The particle at an index of the state before the substep; flags without PBD_BINNED. */
pbd_particle VFX_REF(pbd_state_of)(const pbd_world *w, uint64_t index);
/* Over the grid, from the cell of p. */
pbd_walk VFX_REF(pbd_walk_grid)(const pbd_world *w, uint64_t i, vec3 p);
/* Over the grid, past those that are far apart at `time`, or over the whole list of the variant list. */
pbd_walk VFX_REF(pbd_walk_at)(const pbd_world *w, uint64_t i, uint32_t time);
bool VFX_REF(pbd_walk_next)(pbd_walk *walk, uint64_t *j);

/* pbd_contact_ref.c; `time` is a trace slot. */
pbd_pair VFX_REF(pbd_pair_of)(const pbd_world *w, uint32_t time, uint64_t i, uint64_t j);
/* Friction on a slip of length z. */
pbd_grip VFX_REF(pbd_grip_of)(real fixed, real kinetic, pbd_pressed load, real z, real off_z);
/* Position of slot i after iteration k, and its contacts in it. */
pbd_moved VFX_REF(pbd_iterate)(const pbd_world *w, uint32_t k, uint64_t i, pbd_tally *tally);

/* pbd_collide_ref.c */
typedef struct pbd_surface {
    bool there;
    bool ill;
    real phi;
    real3 normal;
    real off;  /* bound of phi for an exact position */
    real bend; /* by how much the normal turns with the position, 1/m */
} pbd_surface;
uint32_t VFX_REF(pbd_faces)(const pbd_collider *q);
pbd_surface VFX_REF(pbd_surface_of)(const pbd_world *w, const pbd_collider *q, uint32_t face, real3 x);
void VFX_REF(pbd_collide)(const pbd_world *w, uint64_t i, pbd_moved *x);

/* pbd_finish_ref.c */
pbd_moved VFX_REF(pbd_predicted)(const vfx_ref *ref, uint32_t substep, uint64_t index);
pbd_moved VFX_REF(pbd_final_velocity)(const pbd_world *w, uint64_t i);
real VFX_REF(pbd_deepest)(const pbd_world *w, uint64_t i, pbd_contact *contact, bool *ill); /* returns its bound */

/* ----------------------------------------------------------------------------------- small helpers */

static inline real3 pbd_over(real3 a, real divisor)
{
    return real3_make(a.x / divisor, a.y / divisor, a.z / divisor);
}

static inline const pbd_params *pbd_params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, pbd_params);
}

static inline const pbd_trace *pbd_trace_of(const pbd_world *w, uint32_t time, uint64_t i)
{
    return w->trace + (uint64_t)time * w->n + i;
}

static inline real3 pbd_position_of(const pbd_world *w, uint32_t time, uint64_t i)
{
    return real3_of(pbd_trace_of(w, time, i)->position);
}

static inline bool pbd_rubs(const pbd_params *params)
{
    return params->friction_static > 0 || params->friction_kinetic > 0;
}

static inline bool pbd_is_unyielding(const pbd_world *w, uint64_t i)
{
    return (w->sorted[i].flags & PBD_UNYIELDING) != 0;
}

static inline bool pbd_is_binned(const pbd_world *w, uint64_t i)
{
    return (w->sorted[i].flags & PBD_BINNED) != 0;
}

#endif
