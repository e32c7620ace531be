/* pbd.h - what the family shows to the table of kernels, to its own files and to tests: the record, the variants and
 * the counts. Where a function takes a case, it reads the parameters only. */
#ifndef PBD_H
#define PBD_H

#include "core/kernel.h"
#include "kernels/pbd/pbd_shared.h"

extern const vfx_kernel pbd_kernel;

/* Rows of pbd_kernel.variants, in order. */
enum { PBD_BRUTE, PBD_CAPPED, PBD_SORTED, PBD_ROWS, PBD_LIST, PBD_HASHED, PBD_VARIANT_COUNT };

/* Which of them a case runs. Precondition: kase->variant is a row of kase->kernel. */
static inline uint32_t pbd_variant_of(const vfx_case *kase)
{
    return (uint32_t)(kase->variant - kase->kernel->variants);
}

/* Names of the one field of the buffers that are plain words: COUNT "count", START "start", SLOT "index",
 * CELL "cell" (4 components), LIST "slot". */

/* ------------------------------------------------------------------------------------------- counts */

uint64_t pbd_particle_count(const vfx_case *kase); /* N */
uint64_t pbd_cells(const vfx_case *kase);          /* cells of the case's variant, padding and bin included; brute: 0 */
uint64_t pbd_slots(const vfx_case *kase);          /* S N: one record a slot and substep */
uint64_t pbd_trace_slots(const vfx_case *kase);    /* S (I + 2) N */

/* -------------------------------------------------------------------------------------------- scene */

#define PBD_INPUT_PARAM "input" /* host parameter: particles of frame 0 from a file */

/* What a case was loaded with, in kase->asset; without `input` the case has none. */
typedef struct pbd_asset {
    float (*rows)[8]; /* N rows: x y z, vx vy vz, mass, radius; the ids are their numbers */
    float largest;    /* radius, m */
    bool alike;       /* all masses are equal */
} pbd_asset;

/* Largest radius of the case's particles: an upper bound of the scene's, or that of the asset. m */
float pbd_largest_radius(const vfx_case *kase);
/* Cell side and skin in effect, as PBD_CELL and PBD_SKIN have them. m */
float pbd_cell_side(const vfx_case *kase);
float pbd_skin(const vfx_case *kase);
/* nx, ny, nz; not hashed. Saturates far above what validate lets pass. */
void pbd_cells_each(const vfx_case *kase, uint32_t n[3]);

/* Particle `id` at frame 0. */
pbd_particle pbd_particle_of(const vfx_case *kase, uint32_t id);
/* Sample of the obstacle's distance field: a box. x, y, z < PBD_SDF_SIDE. m */
float pbd_sdf_sample(const vfx_case *kase, uint32_t x, uint32_t y, uint32_t z);
/* Half extent of the obstacle (box, grid), radius (sphere), outermost radius (torus, capsule across). m */
double pbd_obstacle_size(const vfx_case *kase);
/* Side of the sampled volume. m */
double pbd_sdf_width(const vfx_case *kase);
/* What a record is, for messages: "slot 12", "substep 1, slot 12". */
void pbd_describe_slot(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void pbd_describe_trace(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void pbd_describe_particle(const vfx_case *kase, uint64_t record, char *text, size_t bytes);

/* The record's functions; contracts in core/kernel.h. */
vfx_status pbd_validate(const vfx_case *kase) VFX_MUST_USE;
vfx_status pbd_load(vfx_case *kase) VFX_MUST_USE;
void pbd_unload(vfx_case *kase);
void pbd_init(const vfx_case *kase, void *const buffers[], void *const images[]);
size_t pbd_host_bytes(const vfx_case *kase);
void pbd_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[]);

enum { PBD_INVARIANT_COUNT = 8 };
extern const vfx_invariant pbd_invariants[PBD_INVARIANT_COUNT];

enum { PBD_VIEW_COUNT = 2 };
extern const vfx_view pbd_views[PBD_VIEW_COUNT]; /* pbd_view.c */

#endif
