/* pbd_sizes.c - count and thread functions of the rows in pbd.c, and the sizes they rest on: cells, skin, radii. Counts
 * never overflow: a domain of too many cells saturates far above what validate lets pass. */
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_rows.h"

#include <math.h>

#define MOST_CELLS 0x1p39 /* times substeps and capacity, still a sound count */
#define MOST_EACH 0x1p24

static const pbd_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params);
}

/* ------------------------------------------------------------------------------------------- lengths */

float pbd_largest_radius(const vfx_case *kase)
{
    const pbd_asset *asset = kase->asset;
    if (asset != NULL)
        return asset->largest;
    return (float)cbrt(3.0 * (double)params_of(kase)->mass_high / (4.0 * PBD_PI * (double)params_of(kase)->density));
}

float pbd_skin(const vfx_case *kase)
{
    return (float)((double)params_of(kase)->skin * 2.0 * (double)pbd_largest_radius(kase));
}

float pbd_cell_side(const vfx_case *kase)
{
    const float diameter = 2.0f * pbd_largest_radius(kase);
    if (params_of(kase)->cell > 0.0f)
        return params_of(kase)->cell;
    return pbd_variant_of(kase) == PBD_LIST ? diameter + pbd_skin(kase) : diameter;
}

void pbd_cells_each(const vfx_case *kase, uint32_t n[3])
{
    const pbd_params *params = params_of(kase);
    const double size[3] = {(double)params->size_x, (double)params->size_y, (double)params->size_z};
    for (int axis = 0; axis < 3; axis++) {
        double cells = ceil(size[axis] / (double)pbd_cell_side(kase));
        n[axis] = cells >= MOST_EACH ? (uint32_t)MOST_EACH : cells > 1.0 ? (uint32_t)cells : 1u;
    }
}

/* -------------------------------------------------------------------------------------------- counts */

uint64_t pbd_particle_count(const vfx_case *kase)
{
    return params_of(kase)->particles;
}

uint64_t pbd_cells(const vfx_case *kase)
{
    uint32_t n[3];
    if (pbd_variant_of(kase) == PBD_BRUTE)
        return 0;
    if (pbd_variant_of(kase) == PBD_HASHED)
        return params_of(kase)->buckets;
    pbd_cells_each(kase, n);
    double cells = (n[0] + 1.0) * (n[1] + 2.0) * (n[2] + 2.0) + 2.0;
    return cells < MOST_CELLS ? (uint64_t)cells : (uint64_t)MOST_CELLS;
}

uint64_t pbd_slots(const vfx_case *kase)
{
    return (uint64_t)params_of(kase)->substeps * pbd_particle_count(kase);
}

uint64_t pbd_trace_slots(const vfx_case *kase)
{
    return (params_of(kase)->iterations + 2ull) * pbd_slots(kase);
}

uint64_t pbd_collider_count(const vfx_case *kase)
{
    const pbd_params *params = params_of(kase);
    return (uint64_t)params->floor + params->walls + (params->obstacle != PBD_OBSTACLE_NONE);
}

uint64_t pbd_sdf_count(const vfx_case *kase)
{
    return params_of(kase)->obstacle == PBD_OBSTACLE_GRID ? PBD_SDF_SIDE * PBD_SDF_SIDE * PBD_SDF_SIDE : 1u;
}

uint64_t pbd_start_count(const vfx_case *kase)
{
    return params_of(kase)->substeps * (pbd_cells(kase) + 1u);
}

uint64_t pbd_block_count(const vfx_case *kase)
{
    return PBD_BLOCKS(pbd_cells(kase));
}

uint64_t pbd_slot_count(const vfx_case *kase)
{
    return params_of(kase)->substeps * pbd_cells(kase) * params_of(kase)->capacity;
}

uint64_t pbd_list_count(const vfx_case *kase)
{
    return pbd_slots(kase) * params_of(kase)->list_capacity;
}

uint64_t pbd_push_count(const vfx_case *kase)
{
    return pbd_particle_count(kase) * params_of(kase)->list_capacity;
}

uint64_t pbd_tally_count(const vfx_case *kase)
{
    return params_of(kase)->solver == PBD_SOLVER_CONSERVING ? pbd_particle_count(kase) : 1u;
}

uint64_t pbd_velocity_count(const vfx_case *kase)
{
    return (params_of(kase)->substeps - 1ull) * pbd_particle_count(kase);
}

uint64_t pbd_partial_count(const vfx_case *kase)
{
    return PBD_PARTS(params_of(kase)->particles);
}

uint64_t pbd_metric_count(const vfx_case *kase)
{
    (void)kase;
    return 1;
}

/* ------------------------------------------------------------------------------------------- threads */

uint64_t pbd_clear_threads(const vfx_case *kase)
{
    return pbd_cells(kase) + 1u;
}

/* All keys but the last, which is the bin's. */
uint64_t pbd_arrange_threads(const vfx_case *kase)
{
    return pbd_cells(kase) - 1u;
}

uint64_t pbd_scan_threads(const vfx_case *kase)
{
    return PBD_LANES * pbd_block_count(kase);
}

uint64_t pbd_reduce_threads(const vfx_case *kase)
{
    return PBD_LANES * pbd_partial_count(kase);
}

uint64_t pbd_one_thread(const vfx_case *kase)
{
    (void)kase;
    return 1;
}

/* ------------------------------------------------------------------------------------------- repeats */

uint32_t pbd_substeps(const vfx_case *kase)
{
    return params_of(kase)->substeps;
}

uint32_t pbd_iterations(const vfx_case *kase)
{
    return params_of(kase)->iterations * (params_of(kase)->solver == PBD_SOLVER_CONSERVING ? 2u : 1u);
}

uint32_t pbd_sweeps(const vfx_case *kase)
{
    return pbd_iterations(kase) - 1;
}

/* ------------------------------------------------------------------------------------ shared memory */

/* See the heads of the shaders. */
uint32_t pbd_scan_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return 4u * workgroup;
}

uint32_t pbd_scan_add_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return 72u * workgroup;
}

uint32_t pbd_queue_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return 68u * workgroup;
}

uint32_t pbd_reduce_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return (uint32_t)sizeof(pbd_metric) * workgroup;
}

uint32_t pbd_total_shared(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    (void)workgroup;
    return 4096u;
}

/* --------------------------------------------------------------------------------------------- work */

/* Candidates of all iterations: those at the end of the frame, in each of them. */
double pbd_work(const vfx_case *kase, const void *metrics)
{
    const pbd_metric *metric = metrics;
    return (double)metric->candidates * params_of(kase)->iterations * params_of(kase)->substeps;
}
