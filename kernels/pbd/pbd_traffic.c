/* pbd_traffic.c - declared traffic of the passes: compulsory bytes of one run, every input byte once, every output byte
 * once. What depends on where particles are (candidates, lists, friction's pairs) is not known to the host and left
 * out: the neighbours' records are among the N that a pass reads anyway, list entries are not counted. */
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_rows.h"

enum {
    PAIR_FLOPS = 20, /* distance, overlap, weight, sum */
    PAIRS = 33,      /* candidates a particle in a packed scene; not for brute */
    PREDICT_FLOPS = 25,
    FINISH_FLOPS = 20,
    METRIC_FLOPS = 30
};

static double particles_of(const vfx_case *kase)
{
    return (double)pbd_particle_count(kase);
}

static double cells_of(const vfx_case *kase)
{
    return (double)pbd_cells(kase) + 1.0;
}

static double pairs_of(const vfx_case *kase)
{
    double n = particles_of(kase);
    return pbd_variant_of(kase) == PBD_BRUTE ? n * (n - 1.0) : n * PAIRS;
}

/* What a search reads besides the particles: the ranges, or the slots, of the cells. */
static double grid_bytes(const vfx_case *kase)
{
    switch (pbd_variant_of(kase)) {
    case PBD_BRUTE:
        return 0.0;
    case PBD_CAPPED: /* COUNT, and an entry a particle */
        return 4.0 * cells_of(kase) + 4.0 * particles_of(kase);
    case PBD_HASHED: /* START, and CELL */
        return 4.0 * cells_of(kase) + 16.0 * particles_of(kase);
    default:
        return 4.0 * cells_of(kase);
    }
}

vfx_traffic pbd_clear_traffic(const vfx_case *kase)
{
    return (vfx_traffic){0.0, 4.0 * cells_of(kase), 0.0};
}

/* Positions and velocities, and flags where some are unyielding, in, PREDICT out; but for brute RANK and the counters
 * too. */
vfx_traffic pbd_predict_traffic(const vfx_case *kase)
{
    double n = particles_of(kase), cells = pbd_variant_of(kase) == PBD_BRUTE ? 0.0 : 4.0 * cells_of(kase);
    double rank = cells > 0.0 ? 4.0 * n : 0.0;
    double state = VFX_CASE_PARAMS(kase, pbd_params)->unyielding > 0.0f ? 48.0 : 32.0;
    return (vfx_traffic){state * n + cells, 16.0 * n + rank + cells, PREDICT_FLOPS * n};
}

vfx_traffic pbd_scan_blocks_traffic(const vfx_case *kase)
{
    return (vfx_traffic){4.0 * cells_of(kase), 4.0 * (double)pbd_block_count(kase), cells_of(kase)};
}

vfx_traffic pbd_scan_sums_traffic(const vfx_case *kase)
{
    double blocks = (double)pbd_block_count(kase);
    return (vfx_traffic){4.0 * blocks, 4.0 * blocks, blocks};
}

vfx_traffic pbd_scan_add_traffic(const vfx_case *kase)
{
    return (vfx_traffic){4.0 * cells_of(kase) + 4.0 * (double)pbd_block_count(kase), 4.0 * cells_of(kase),
                         cells_of(kase)};
}

/* Key, RANK and START in, an index out. */
vfx_traffic pbd_scatter_traffic(const vfx_case *kase)
{
    double n = particles_of(kase);
    return (vfx_traffic){8.0 * n + 4.0 * cells_of(kase), 4.0 * n, 0.0};
}

/* Key and RANK in, an index out. */
vfx_traffic pbd_insert_traffic(const vfx_case *kase)
{
    double n = particles_of(kase);
    return (vfx_traffic){8.0 * n, 4.0 * n, 0.0};
}

/* COUNT, entries and their ids in, entries out. */
vfx_traffic pbd_arrange_traffic(const vfx_case *kase)
{
    double n = particles_of(kase);
    return (vfx_traffic){4.0 * cells_of(kase) + 8.0 * n, 4.0 * n, 0.0};
}

/* State and PREDICT in (sorted: ARRIVAL and START too), SORTED and two slots of TRACE out, hashed CELL too. */
vfx_traffic pbd_gather_traffic(const vfx_case *kase)
{
    double n = particles_of(kase), order = 0.0;
    uint32_t variant = pbd_variant_of(kase);
    if (variant != PBD_BRUTE && variant != PBD_CAPPED)
        order = 4.0 * n + 4.0 * cells_of(kase);
    return (vfx_traffic){64.0 * n + order, (variant == PBD_HASHED ? 64.0 : 48.0) * n, 0.0};
}

/* A slot of TRACE in, SORTED too unless particles are plain, and with friction where they started; a slot of TRACE out,
 * STATUS in one of the runs. With solver = conserving every other run writes TALLY instead. What a list holds is not
 * known beforehand and left out. */
vfx_traffic pbd_iterate_traffic(const vfx_case *kase)
{
    const pbd_params *params = VFX_CASE_PARAMS(kase, pbd_params);
    double n = particles_of(kase), runs = (double)params->iterations;
    double written = 16.0 * n + 16.0 * n / runs;
    if (params->solver == PBD_SOLVER_CONSERVING)
        written = 0.5 * (written + 4.0 * n);
    double read = 16.0 + (pbd_is_plain(kase) ? 0.0 : 16.0) + (params->friction_static > 0.0f ? 16.0 : 0.0);
    return (vfx_traffic){read * n + grid_bytes(kase), written, PAIR_FLOPS * pairs_of(kase)};
}

/* Two slots of TRACE, a third for caps and bounces, SORTED and STATUS in, the state and CONTACT out. */
vfx_traffic pbd_finish_traffic(const vfx_case *kase)
{
    const pbd_params *params = VFX_CASE_PARAMS(kase, pbd_params);
    double n = particles_of(kase);
    bool sweeps = params->measure || params->restitution > 0.0f;
    double read = params->max_push > 0.0f || params->restitution > 0.0f ? 80.0 : 64.0;
    return (vfx_traffic){read * n + (sweeps ? grid_bytes(kase) : 0.0), 64.0 * n,
                         FINISH_FLOPS * n + (sweeps ? PAIR_FLOPS * pairs_of(kase) : 0.0)};
}

/* Positions, velocities and CONTACT in, of list STATUS too, and COUNT. */
vfx_traffic pbd_reduce_traffic(const vfx_case *kase)
{
    double n = particles_of(kase), cells = pbd_variant_of(kase) == PBD_BRUTE ? 0.0 : 4.0 * cells_of(kase);
    double read = pbd_variant_of(kase) == PBD_LIST ? 64.0 : 48.0;
    return (vfx_traffic){read * n + cells, sizeof(pbd_metric) * (double)pbd_partial_count(kase), METRIC_FLOPS * n};
}

vfx_traffic pbd_total_traffic(const vfx_case *kase)
{
    double parts = (double)pbd_partial_count(kase);
    return (vfx_traffic){sizeof(pbd_metric) * parts, sizeof(pbd_metric), 32.0 * parts};
}
