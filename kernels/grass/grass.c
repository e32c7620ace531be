/* grass.c - the record of the grass family: blades that wind gusts bend along a circle's arc, without state. Only rows,
 * and the formulas of declared traffic; what the functions in the rows do is in grass_scene.c and grass_terrain.c
 * (host), grass_ref.c (reference), grass_invariants.c and grass_view.c. */
#include "kernels/grass/grass.h"

#include "kernels/grass/grass_ref.h"

/* -------------------------------------------------------------------------------- parameters, presets */

VFX_ENUM_NAMES(grass_wind, GRASS_WIND)
VFX_ENUM_NAMES(grass_random, GRASS_RANDOM)
VFX_ENUM_NAMES(grass_normal, GRASS_NORMAL)
VFX_ENUM_NAMES(grass_shape, GRASS_SHAPE)
VFX_ENUM_NAMES(grass_facing, GRASS_FACING)
VFX_ENUM_NAMES(grass_align, GRASS_ALIGN)
VFX_ENUM_NAMES(grass_placement, GRASS_PLACEMENT)

static const vfx_param params[] = {GRASS_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
_Static_assert(sizeof(grass_params) == 4 * sizeof params / sizeof *params, "row i is word i");

static const vfx_host_param host_params[] = {
    {GRASS_TERRAIN_PARAM, "", NULL, "height map: grey PNG over the field, 8 or 16 bits, top row at +y; empty: hills"},
    {GRASS_DENSITY_PARAM, "", NULL, "mask: grey PNG over the field, white keeps every blade; empty: grass everywhere"},
};

static const vfx_preset presets[] = {
    {"ci", "blades=1111,wind_angle=0.06", 240, "small, an uneven size; wind on no axis or diagonal"},
    {"golden", "blades=20k", 240, "20,000 blades: pictures"},
    {"default", "", 300, "100,000 blades of 16 vertices"},
    {"1m", "blades=1M", 60, "a million blades: the size of the timing tables"},
    {"stress", "blades=4M", 60, "four million blades: 2 GB of vertices"},
    {"odd",
     "blades=131,rows=42,leaves=3,height=0.8,width=0.05,height_spread=0.5,clump_radius=0.3,clump_lean=0.4,"
     "coherence=0.3,per_m2=20,relief=5,hill_size=25,start=7.3,wind_angle=0.06,noise_scale=0.2,stretch=3,"
     "pan=0.9,drift=0.25,gust_low=-0.5,gust_high=0.6,bend_min=0.3,bend_max=0.8,sway_slow=0.2,sway_fast=0.1,"
     "turn_slow=0.06,turn_fast=0.04,slow_hz=0.5,fast_hz=1.7,stagger=0.7,normal_blend=0.3,cam_x=1,cam_y=-5,"
     "cam_z=1.5,wind=world,random=fract,normal=arc,shape=lerp,facing=camera,align=upright,placement=grid,"
     "motion=on",
     40, "for checks: no parameter has its default"},
};

/* -------------------------------------------------------------------------------------------- buffers */

VFX_FIELDS(grass_instance, GRASS_INSTANCE)
VFX_FIELDS(grass_blade, GRASS_BLADE)
VFX_FIELDS(grass_vertex, GRASS_VERTEX)
VFX_FIELDS(grass_packed, GRASS_PACKED)
VFX_FIELDS(grass_motion, GRASS_MOTION)

#define FIELDS(record) sizeof(record), record##_fields, VFX_COUNT(record##_fields)
static const vfx_buffer buffers[GRASS_BUFFER_COUNT] = {
    {"instance", GRASS_BINDING_INSTANCE, VFX_INPUT, VFX_RECORDS, FIELDS(grass_instance), grass_instance_count,
     "where blades (or clumps) stand, and their sizes", grass_describe_instance},
    {"blade", GRASS_BINDING_BLADE, VFX_OUTPUT, VFX_RECORDS, FIELDS(grass_blade), grass_leaf_count,
     "bend of every leaf, for the second of two passes", grass_describe_leaf},
    {"vertex", GRASS_BINDING_VERTEX, VFX_OUTPUT, VFX_RECORDS, FIELDS(grass_vertex), grass_vertex_count,
     "leaf after leaf, rows from the root, left and right", grass_describe_vertex},
    {"packed", GRASS_BINDING_PACKED, VFX_OUTPUT, VFX_RECORDS, FIELDS(grass_packed), grass_vertex_count,
     "the same vertices in 16 bytes", grass_describe_vertex},
    {"motion", GRASS_BINDING_MOTION, VFX_OUTPUT, VFX_RECORDS, FIELDS(grass_motion), grass_motion_count,
     "the same vertices' positions at t - dt; empty with motion=off", grass_describe_vertex},
};

/* -------------------------------------------------------------------------------------------- traffic */

/* Compulsory: every input byte once, every output byte once. */
enum {
    LEAF_FLOPS = 165,              /* noise 70, oscillation 50, blend 45 */
    POSITION_FLOPS = 30,           /* a bent vertex */
    NORMAL_FLOPS = 20,             /* its frame: 50 together */
    MOTION_LEAF_FLOPS = LEAF_FLOPS /* the leaf at t - dt */
};

static double all_bytes(const vfx_case *kase, uint32_t row)
{
    return (double)buffers[row].count(kase) * buffers[row].stride;
}

/* What a pass computes: so many leaves and vertices; with motion the same again at t - dt, without normals, where
 * `motion_leaves` says how many leaves (expand has those of this frame from memory). */
static double flops_of(const vfx_case *kase, double leaves, double motion_leaves)
{
    double vertices = (double)grass_vertex_count(kase), moved = (double)grass_motion_count(kase);
    return LEAF_FLOPS * leaves + (POSITION_FLOPS + NORMAL_FLOPS) * vertices + POSITION_FLOPS * moved +
           (moved > 0.0 ? MOTION_LEAF_FLOPS * motion_leaves : 0.0);
}

/* Instances in, vertices out; `leaves` evaluations of a leaf. */
static vfx_traffic mesh_traffic(const vfx_case *kase, uint32_t row, double leaves)
{
    return (vfx_traffic){all_bytes(kase, GRASS_BUFFER_INSTANCE),
                         all_bytes(kase, row) + all_bytes(kase, GRASS_BUFFER_MOTION), flops_of(kase, leaves, leaves)};
}

static vfx_traffic per_vertex_traffic(const vfx_case *kase) /* the leaf again for every vertex */
{
    return mesh_traffic(kase, GRASS_BUFFER_VERTEX, (double)grass_vertex_count(kase));
}

static vfx_traffic fused_traffic(const vfx_case *kase)
{
    return mesh_traffic(kase, GRASS_BUFFER_VERTEX, (double)grass_leaf_count(kase));
}

static vfx_traffic packed_traffic(const vfx_case *kase)
{
    return mesh_traffic(kase, GRASS_BUFFER_PACKED, (double)grass_leaf_count(kase));
}

static vfx_traffic blade_traffic(const vfx_case *kase)
{
    return (vfx_traffic){all_bytes(kase, GRASS_BUFFER_INSTANCE), all_bytes(kase, GRASS_BUFFER_BLADE),
                         LEAF_FLOPS * (double)grass_leaf_count(kase)};
}

static vfx_traffic expand_traffic(const vfx_case *kase)
{
    return (vfx_traffic){all_bytes(kase, GRASS_BUFFER_INSTANCE) + all_bytes(kase, GRASS_BUFFER_BLADE),
                         all_bytes(kase, GRASS_BUFFER_VERTEX) + all_bytes(kase, GRASS_BUFFER_MOTION),
                         flops_of(kase, 0.0, (double)grass_vertex_count(kase))};
}

/* ------------------------------------------------------------------------------------ passes, variants */

VFX_SPIRV_DECLARE(grass_per_vertex)
VFX_SPIRV_DECLARE(grass_blade)
VFX_SPIRV_DECLARE(grass_expand)
VFX_SPIRV_DECLARE(grass_fused)
VFX_SPIRV_DECLARE(grass_packed)
VFX_SPIRV_DECLARE(grass_trig)

/* Specialisation constants 1.. of all passes. Workgroups of 64 leaves or 256 vertices: the 1,111 blades of preset ci
 * fill several of each and begin one more. */
#define PASS(pass, count, group, bytes, ...)                                                        \
    {                                                                                               \
        .name = #pass, .spirv = &grass_##pass##_spirv, .threads = count, .workgroup = group,        \
        .spec = {"rows", "leaves", "wind", "normal"}, .traffic = bytes, .shared_bytes = __VA_ARGS__ \
    }

/* grass_stage.glsl: five quads a leaf and a word a row; packed keeps the offset of a leaf's root too. */
static uint32_t stage_bytes(const vfx_case *kase, uint32_t workgroup)
{
    return 80u * workgroup + 4u * VFX_CASE_PARAMS(kase, grass_params)->rows;
}

static uint32_t packed_stage_bytes(const vfx_case *kase, uint32_t workgroup)
{
    return stage_bytes(kase, workgroup) + 12u * workgroup;
}

static const vfx_pass fused_passes[] = {PASS(fused, grass_leaf_count, 64, fused_traffic, stage_bytes)};
static const vfx_pass per_vertex_passes[] = {PASS(per_vertex, grass_vertex_count, 256, per_vertex_traffic, NULL)};
static const vfx_pass two_passes[] = {PASS(blade, grass_leaf_count, 64, blade_traffic, NULL),
                                      PASS(expand, grass_vertex_count, 256, expand_traffic, NULL)};
static const vfx_pass packed_passes[] = {
    PASS(packed, grass_leaf_count, 32, packed_traffic, packed_stage_bytes, .workgroup_multiple = 2)};
static const vfx_pass trig_passes[] = {PASS(trig, grass_leaf_count, 64, fused_traffic, stage_bytes)};

#define BIT(row) (1u << GRASS_BUFFER_##row)
#define VARIANT_NEEDS(text, needs, written, rows, about)                                                       \
    {                                                                                                          \
        .name = text, .summary = about, .features = needs, .buffers = BIT(INSTANCE) | BIT(MOTION) | (written), \
        .passes = rows, .pass_count = VFX_COUNT(rows)                                                          \
    }

#define VARIANT(text, written, rows, about) VARIANT_NEEDS(text, 0, written, rows, about)

static const vfx_variant variants[] = {
    VARIANT("fused", BIT(VERTEX), fused_passes, "invocation per leaf, its vertices stored by the workgroup together"),
    VARIANT("per-vertex", BIT(VERTEX), per_vertex_passes, "invocation per vertex evaluates everything"),
    VARIANT("two-pass", BIT(BLADE) | BIT(VERTEX), two_passes, "bend per leaf to memory, then an invocation per vertex"),
    VARIANT_NEEDS("packed", VFX_NEEDS_SUBGROUP_SHUFFLE, BIT(PACKED), packed_passes, "fused, 16-byte vertices"),
    VARIANT("trig", BIT(VERTEX), trig_passes, "fused, with radius, sine and cosine for polynomials"),
};

/* ------------------------------------------------------------------------------------ reference, checks */

static const vfx_stage stages[] = {
    {.name = "blade",
     .writes = BIT(BLADE),
     .items = grass_leaf_count,
     .f64 = grass_blade_ref_f64,
     .f32 = grass_blade_ref_f32},
    {.name = "vertex",
     .writes = BIT(VERTEX) | BIT(PACKED) | BIT(MOTION),
     .items = grass_leaf_count,
     .f64 = grass_vertex_ref_f64,
     .f32 = grass_vertex_ref_f32},
};

/* Records that the reference marks may take another branch: ground too steep to straighten; normals alone with
 * facing=camera seen edge-on, and with normal=arc where a blade hardly bends. */
static double ill_share(const vfx_case *kase)
{
    (void)kase;
    return 0.01;
}

#define EXACT    \
    {            \
        .abs = 0 \
    }
/* There is no state: a frame far into a run has the limits of one checked alone. */
#define CHECK(row, name, limit, ...)                                                               \
    {                                                                                              \
        .buffer = GRASS_BUFFER_##row, .field = name, .step = limit, .free_run = limit, __VA_ARGS__ \
    }
#define SCALED      \
    {               \
        .scaled = 1 \
    }

/* Limits: README.md. A scale is the largest error of correct float arithmetic in that record, so that the rule is 1. */
static const vfx_check checks[] = {
    CHECK(BLADE, "kappa", SCALED, .scales = grass_kappa_scales_f64, .ill_share = ill_share, .ill_bits = GRASS_ILL_PLACE,
          .reason = "error of gust and of both directions, carried through the blend"),
    CHECK(BLADE, "gust", SCALED, .scales = grass_gust_scales_f64,
          .reason = "64u of the noise, times the slope of the smoothstep; the oscillation's 16u"),
    CHECK(BLADE, "random", EXACT, .reason = "24 bits of a hash"),

    CHECK(VERTEX, "position", SCALED, .scales = grass_position_scales_f64, .ill_share = ill_share,
          .ill_bits = GRASS_ILL_PLACE,
          .reason = "error of kappa, times the lever arm; the sum with the root rounds to 1 ulp of it"),
    CHECK(VERTEX, "shade", SCALED, .scales = grass_shade_scales_f64,
          .reason = "exact, but one code where a value lies in the middle between two"),
    CHECK(VERTEX, "normal", SCALED, .scales = grass_normal_scales_f64, .ill_share = ill_share,
          .reason = "error of the angle z |kappa|, and the blend's length as a divisor"),
    CHECK(VERTEX, "gradient", SCALED, .scales = grass_gradient_scales_f64,
          .reason = "one product of exact floats, rounded either way; 0 and 1 are exact"),

    CHECK(PACKED, "offset_xy", SCALED, .scales = grass_packed_xy_scales_f64, .ill_share = ill_share,
          .ill_bits = GRASS_ILL_PLACE,
          .reason = "nearest half of the position; either neighbour where the position lies between"),
    CHECK(PACKED, "offset_z", SCALED, .scales = grass_packed_z_scales_f64, .ill_share = ill_share,
          .ill_bits = GRASS_ILL_PLACE, .reason = "as offset_xy"),
    CHECK(PACKED, "normal", SCALED, .scales = grass_packed_normal_scales_f64, .ill_share = ill_share,
          .reason = "one step in both octahedral coordinates, 1.31e-4 rad, on top of the vertex's"),
    CHECK(PACKED, "shade", SCALED, .scales = grass_packed_shade_scales_f64, .reason = "as the vertex's"),

    CHECK(MOTION, "position", SCALED, .scales = grass_motion_scales_f64, .ill_share = ill_share,
          .ill_bits = GRASS_ILL_PLACE, .reason = "as the vertex's, at t - dt"),
    CHECK(MOTION, "zero", EXACT, .reason = "padding"),
};

/* ---------------------------------------------------------------------------------------- the record */

const vfx_kernel grass_kernel = {
    .name = "grass",
    .summary = "blades that wind gusts bend along a circle's arc; every frame from scratch",
    .params = params,
    .param_count = VFX_COUNT(params),
    .host_params = host_params,
    .host_param_count = VFX_COUNT(host_params),
    .presets = presets,
    .preset_count = VFX_COUNT(presets),
    .buffers = buffers,
    .buffer_count = VFX_COUNT(buffers),
    .variants = variants,
    .variant_count = VFX_COUNT(variants),
    .stages = stages,
    .stage_count = VFX_COUNT(stages),
    .checks = checks,
    .check_count = VFX_COUNT(checks),
    .invariants = grass_invariants,
    .invariant_count = GRASS_INVARIANT_COUNT,
    .views = grass_views,
    .view_count = GRASS_VIEW_COUNT,
    .sweep_start = 10, /* any frame would do: there is no state */
    .sweep_frames = 20,
    .free_run_frames = UINT32_MAX,
    .validate = grass_validate,
    .load = grass_load,
    .unload = grass_unload,
    .init = grass_init,
    .host_bytes = grass_host_bytes,
    .frame_input = grass_frame_input,
};
