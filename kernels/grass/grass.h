/* grass.h - what the family shows to the table of kernels, to its own files and to tests: the record, the counts, the
 * terrain and the scene. Where a function takes a case, it reads the parameters, the seed and the loaded images. */
#ifndef GRASS_H
#define GRASS_H

#include "core/image.h"
#include "core/kernel.h"
#include "kernels/grass/grass_shared.h"

extern const vfx_kernel grass_kernel;

/* ------------------------------------------------------------------------------------------- counts */

uint64_t grass_instance_count(const vfx_case *kase); /* blades, or clumps */
uint64_t grass_leaf_count(const vfx_case *kase);
uint64_t grass_vertex_count(const vfx_case *kase);
uint64_t grass_motion_count(const vfx_case *kase); /* 0 with motion = 0 */

/* What a record is, for messages (vfx_buffer.describe): "blade 12, leaf 0, row 3, left". */
void grass_describe_instance(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void grass_describe_leaf(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void grass_describe_vertex(const vfx_case *kase, uint64_t record, char *text, size_t bytes);

/* ------------------------------------------------------------------------------------------ terrain */

#define GRASS_TERRAIN_PARAM "terrain"
#define GRASS_DENSITY_PARAM "density"

/* The images of a case, in kase->asset. One that was not asked for has no samples. */
typedef struct grass_asset {
    vfx_grey terrain, density;
    uint32_t brightest_x, brightest_y; /* texel of `density`, the first of the brightest */
} grass_asset;

/* The square field, centred on the origin. */
typedef struct grass_field {
    uint32_t cells; /* n, a side */
    double cell;    /* m */
    double side;    /* m */
} grass_field;
grass_field grass_field_of(const vfx_case *kase);

/* Height of the ground, m, and its unit normal at (x, y), m. */
double grass_ground_height(const vfx_case *kase, double x, double y);
void grass_ground_normal(const vfx_case *kase, double x, double y, double normal[3]);

/* Chance that a spot keeps its instance, 0..1: the mask's texel there; 1 without a mask. */
double grass_chance(const vfx_case *kase, double x, double y);

/* Middle of a texel of an image over the field, m. */
void grass_texel_centre(const vfx_case *kase, const vfx_grey *image, uint32_t column, uint32_t row, double spot[2]);

/* Reads the images that the host parameters name. IO naming the file and what is wrong with it. */
vfx_status grass_load(vfx_case *kase) VFX_MUST_USE;
void grass_unload(vfx_case *kase);

/* -------------------------------------------------------------------------------------------- scene */

/* (cos, sin) of an angle in turns; under quarter turns the same two numbers, swapped and signed. */
void grass_direction(double turns, double direction[2]);

/* Half float nearest to x, |x| <= 65504. Below the normal halves it is 0: some devices flush those. */
uint32_t grass_half(double x);
/* Value of a finite half, the low 16 bits of `code`. */
double grass_half_value(uint32_t code);

/* Instance i of the field. */
grass_instance grass_instance_of(const vfx_case *kase, uint32_t i);

/* The record's functions; contracts in core/kernel.h. */
vfx_status grass_validate(const vfx_case *kase) VFX_MUST_USE;
void grass_init(const vfx_case *kase, void *const buffers[], void *const images[]);
size_t grass_host_bytes(const vfx_case *kase);
void grass_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[]);

/* ------------------------------------------------------------------------------------------- checks */

enum { GRASS_INVARIANT_COUNT = 4 };
extern const vfx_invariant grass_invariants[GRASS_INVARIANT_COUNT];

/* --------------------------------------------------------------------------------------------- views */

enum { GRASS_VIEW_COUNT = 2 };
extern const vfx_view grass_views[GRASS_VIEW_COUNT];

#endif
