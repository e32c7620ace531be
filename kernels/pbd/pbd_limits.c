/* pbd_limits.c - the stages of the reference, and the check rows of the pbd family: which limit each output field has,
 * and why. The scales are in pbd_limit_ref.c and pbd_metric_ref.c.
 *
 * A free run is judged by the same limits, which hold for frames of which each starts from the other side's state: two
 * piles that differ by a rounding part within frames, so the family's free_run_frames is 0 and only invariants speak.
 */
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_ref.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------- stages */

static uint64_t substeps_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params)->substeps;
}

static uint32_t block_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params)->substeps;
}

static uint64_t slots_of(const vfx_case *kase)
{
    return substeps_of(kase) * VFX_CASE_PARAMS(kase, pbd_params)->particles;
}

static uint64_t moves_of(const vfx_case *kase)
{
    return slots_of(kase) * VFX_CASE_PARAMS(kase, pbd_params)->iterations;
}

static uint64_t one(const vfx_case *kase)
{
    (void)kase;
    return 1;
}

#define BIT(row) (1u << PBD_BUFFER_##row)
#define GRID_READS (BIT(PREDICT) | BIT(COUNT) | BIT(START) | BIT(SLOT))
#define SLOT_READS (GRID_READS | BIT(SORTED) | BIT(TRACE) | BIT(CELL) | BIT(LIST) | BIT(STATUS))

const vfx_stage pbd_stages[PBD_STAGE_COUNT] = {
    {.name = "predict",
     .writes = BIT(PREDICT),
     .reads = BIT(PREDICT) | BIT(TRACE) | BIT(VELOCITY) | BIT(SORTED),
     .items = slots_of,
     .f64 = pbd_predict_ref_f64,
     .f32 = pbd_predict_ref_f32,
     .substeps = block_of},
    {.name = "grid",
     .writes = BIT(COUNT) | BIT(START) | BIT(SLOT),
     .reads = GRID_READS | BIT(SORTED),
     .items = substeps_of,
     .f64 = pbd_grid_ref_f64,
     .f32 = pbd_grid_ref_f32,
     .substeps = block_of},
    {.name = "sort",
     .writes = BIT(SORTED) | BIT(CELL) | BIT(TRACE),
     .reads = GRID_READS | BIT(SORTED) | BIT(TRACE) | BIT(VELOCITY),
     .items = substeps_of,
     .f64 = pbd_sort_ref_f64,
     .f32 = pbd_sort_ref_f32,
     .substeps = block_of},
    {.name = "list",
     .writes = BIT(LIST) | BIT(STATUS),
     .reads = SLOT_READS,
     .items = slots_of,
     .f64 = pbd_list_ref_f64,
     .f32 = pbd_list_ref_f32,
     .substeps = block_of},
    {.name = "iterate",
     .writes = BIT(TRACE) | BIT(STATUS),
     .reads = SLOT_READS,
     .items = moves_of,
     .f64 = pbd_iterate_ref_f64,
     .f32 = pbd_iterate_ref_f32,
     .substeps = block_of},
    {.name = "finish",
     .writes = BIT(PARTICLE) | BIT(VELOCITY) | BIT(CONTACT),
     .reads = SLOT_READS,
     .items = slots_of,
     .f64 = pbd_finish_ref_f64,
     .f32 = pbd_finish_ref_f32,
     .substeps = block_of},
    {.name = "metric",
     .writes = BIT(METRIC),
     .reads = BIT(CONTACT) | BIT(COUNT) | BIT(STATUS),
     .items = one,
     .f64 = pbd_metric_ref_f64,
     .f32 = pbd_metric_ref_f32},
};

/* ------------------------------------------------------------------------------------------- checks */

#define U 0x1p-24 /* one rounding */

/* Does an obstacle stand where rounding reaches? A fall of a substep that a collider undoes leaves the position some 8u
 * of its length off, and marked where that turns an obstacle's normal by more than 0.05: with a dt of minutes, all. */
static bool obstacle_is_lost(const vfx_case *kase)
{
    const pbd_params *params = VFX_CASE_PARAMS(kase, pbd_params);
    const double h = (double)kase->dt / params->substeps;
    const double fall = (fabs((double)params->gravity) + fabs((double)params->attract)) * h * h;
    return params->obstacle != PBD_OBSTACLE_NONE && 8.0 * U * fall > 0.05 * pbd_obstacle_size(kase);
}

/* Pairs within rounding of the overlap, of the friction cone or of the speed at which a branch is taken. A pair marks
 * two records, and of few records (a sweep has two frames of the particles) a few pairs are more than one in a
 * thousand. Two unyielding ones are pushed apart until their overlap is below PBD_EPSILON and stay there for good: some
 * 6 contacts of each, each within the overlap's 13u l of PBD_EPSILON as often as that is of it. */
static double ill_share(const vfx_case *kase)
{
    const pbd_params *params = VFX_CASE_PARAMS(kase, pbd_params);
    const double pairs = 6.0 / params->particles, frozen = (double)params->unyielding * (double)params->unyielding;
    const double settled = 6.0 * 13.0 * U * 2.0 * (double)pbd_largest_radius(kase) / (double)PBD_EPSILON;
    const double share = 0.001 + pairs + frozen * settled;
    return share > 0.999 || obstacle_is_lost(kase) ? 1.0 : share;
}

#define EXACT    \
    {            \
        .abs = 0 \
    }
#define SCALED      \
    {               \
        .scaled = 1 \
    }
#define CHECK(row, name, limit, ...)                                                             \
    {                                                                                            \
        .buffer = PBD_BUFFER_##row, .field = name, .step = limit, .free_run = limit, __VA_ARGS__ \
    }
#define COPIED(row, name) CHECK(row, name, EXACT, .reason = "copied, or padding")

static const char count_reason[] = "integers, of float comparisons and conversions that are the same on both sides";
static const char branch_reason[] = "integers; contacts within rounding of PBD_EPSILON are marked";
static const char trace_reason[] =
    "slots 0, 1: copied. Else u = 2^-24: of an overlap u (Ri + Rj) + 12u l (differences 1u, dot 3u halved, root 9u by "
    "Vulkan; less by inversesqrt), of n 18u, of w 12u; friction: the slip's 2u of its terms and twice the normal's; a "
    "sum's n u; 7u of "
    "quotient and divisor, 1u of the position; colliders: distance and turn of the normal, a bound carried along";
static const char speed_reason[] =
    "6u of (x - y) / h; capped: 18u of the length and 1u of the position, over h; bounce: 18u of the normal times the "
    "speeds, 12u of the weight, of the quotient 5u";
static const char sum_reason[] =
    "roundings along the way of a term: 8 of its own, one an addition of an invocation, 32 in a part, then over the "
    "parts; times u times the sum of the sizes; rms: a quotient 5u and a root 9u";

const vfx_check pbd_checks[PBD_CHECK_COUNT] = {
    CHECK(PREDICT, "position", SCALED, .scale = pbd_predict_scale_f64,
          .reason = "1u of the position; of h times: 36u of |a|, 5u of the speed, 18u where it is capped"),
    CHECK(PREDICT, "key", EXACT, .reason = "float by definition, of the position that the device left"),
    CHECK(COUNT, "count", EXACT, .reason = count_reason),
    CHECK(START, "start", EXACT, .reason = count_reason),
    CHECK(SLOT, "index", EXACT, .reason = count_reason),
    COPIED(SORTED, "mass"),
    COPIED(SORTED, "id"),
    CHECK(SORTED, "flags", EXACT, .reason = "copied; bit 31 by float comparisons"),
    CHECK(SORTED, "index", EXACT, .reason = count_reason),
    CHECK(CELL, "cell", EXACT, .reason = count_reason),
    CHECK(TRACE, "position", SCALED, .scale = pbd_trace_scale_f64, .ill_share = ill_share, .reason = trace_reason),
    COPIED(TRACE, "radius"),
    CHECK(LIST, "slot", EXACT, .reason = "integers; within rounding of the skin the device's choice is taken"),
    CHECK(STATUS, "contacts", EXACT, .ill_share = ill_share, .ill_bits = PBD_ILL_CONTACT, .reason = branch_reason),
    CHECK(STATUS, "collided", EXACT, .ill_share = ill_share, .ill_bits = PBD_ILL_CONTACT, .reason = branch_reason),
    CHECK(STATUS, "listed", EXACT, .reason = "integers; within rounding of the skin the device's choice is taken"),
    CHECK(STATUS, "violations", EXACT, .ill_share = ill_share, .ill_bits = PBD_ILL_SKIN,
          .reason = "integers; within rounding of skin / 2 marked"),
    CHECK(VELOCITY, "velocity", SCALED, .scale = pbd_velocity_scale_f64, .ill_share = ill_share,
          .reason = speed_reason),
    COPIED(VELOCITY, "zero"),
    COPIED(PARTICLE, "position"),
    COPIED(PARTICLE, "radius"),
    CHECK(PARTICLE, "velocity", SCALED, .scale = pbd_particle_scale_f64, .ill_share = ill_share,
          .reason = speed_reason),
    COPIED(PARTICLE, "mass"),
    COPIED(PARTICLE, "id"),
    COPIED(PARTICLE, "flags"),
    COPIED(PARTICLE, "zero0"),
    COPIED(PARTICLE, "zero1"),
    CHECK(CONTACT, "contacts", EXACT, .ill_share = ill_share, .reason = branch_reason),
    CHECK(CONTACT, "depth", SCALED, .scale = pbd_depth_scale_f64, .ill_share = ill_share,
          .reason = "u (Ri + Rj) + 12u l, as any overlap"),
    CHECK(CONTACT, "candidates", EXACT, .reason = count_reason),
    CHECK(CONTACT, "dropped", EXACT, .reason = count_reason),
    CHECK(METRIC, "momentum", SCALED, .scale = pbd_momentum_scale_f64, .reason = sum_reason),
    CHECK(METRIC, "kinetic", SCALED, .scale = pbd_kinetic_scale_f64, .reason = sum_reason),
    CHECK(METRIC, "centre", SCALED, .scale = pbd_centre_scale_f64, .reason = sum_reason),
    CHECK(METRIC, "mass", SCALED, .scale = pbd_mass_scale_f64, .reason = sum_reason),
    CHECK(METRIC, "depth_max", EXACT, .reason = "one of the depths"),
    CHECK(METRIC, "depth_rms", SCALED, .scale = pbd_depth_rms_scale_f64, .reason = sum_reason),
    CHECK(METRIC, "contacts", EXACT, .reason = count_reason),
    CHECK(METRIC, "candidates", EXACT, .reason = count_reason),
    CHECK(METRIC, "dropped", EXACT, .reason = count_reason),
    CHECK(METRIC, "outside", EXACT, .reason = count_reason),
    CHECK(METRIC, "non_finite", EXACT, .reason = count_reason),
    CHECK(METRIC, "violations", EXACT, .reason = count_reason),
    CHECK(METRIC, "worst_cell", EXACT, .reason = count_reason),
    CHECK(METRIC, "full_cells", EXACT, .reason = count_reason),
    CHECK(METRIC, "speed_rms", SCALED, .scale = pbd_speed_rms_scale_f64, .reason = sum_reason),
    CHECK(METRIC, "most_contacts", EXACT, .reason = count_reason),
    CHECK(METRIC, "histogram0", EXACT, .reason = count_reason),
    CHECK(METRIC, "histogram4", EXACT, .reason = count_reason),
    CHECK(METRIC, "histogram8", EXACT, .reason = count_reason),
};
