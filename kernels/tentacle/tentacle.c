/* tentacle.c - the record of the tentacle family: particle chains that follow their parent's previous frame, and the
 * tube mesh around them. Only rows, and the formulas of declared traffic; what the functions in the rows do is in
 * tentacle_scene.c (host), tentacle_ref.c (reference), tentacle_invariants.c and tentacle_view.c. */
#include "kernels/tentacle/tentacle.h"

#include "kernels/tentacle/tentacle_ref.h"

/* -------------------------------------------------------------------------------- parameters, presets */

VFX_ENUM_NAMES(tentacle_states, TENTACLE_STATES)
VFX_ENUM_NAMES(tentacle_attach, TENTACLE_ATTACH)
VFX_ENUM_NAMES(tentacle_orientation, TENTACLE_ORIENTATION)

static const vfx_param params[] = {TENTACLE_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
_Static_assert(sizeof(tentacle_params) == 4 * sizeof params / sizeof *params, "row i is word i");

static const vfx_host_param host_params[] = {
    {VFX_UPLOAD_PARAM, "single", vfx_upload_names, "how entities reach the device every frame"},
};

static const vfx_preset presets[] = {
    {"ci", "tentacles=67,particles=21", 240, "small, uneven sizes; all three states pass by frame 225"},
    {"golden", "tentacles=64,particles=21", 200, "pictures at frames 60, 150 and 200"},
    {"default", "", 300, "2,000 tentacles of 21 particles"},
    {"15k", "tentacles=15k", 60, "15,000 tentacles, 3 million triangles"},
    {"100k", "tentacles=100k", 60, "100,000 tentacles: the largest whose triangle lists fit one 4 GiB binding"},
    {"150k", "tentacles=150k", 60, "150,000 tentacles, 30 million triangles"},
    {"stress", "tentacles=300k", 60, "300,000 tentacles"},
    {"odd",
     "tentacles=131,particles=13,sides=7,tentacles_per_entity=7,rest_length=0.08,radius=0.02,taper=0.6,drag=2.5,"
     "gravity=0.7,straighten=9,stiffen=90,look=2,wriggle=5,wriggle_hz=0.9,pulsate=0.2,pulsate_hz=1.7,emissive=0.6,"
     "wriggle_waves=2,pulsate_waves=3,yaw_rate=-0.2,cam_x=1,cam_y=-3,cam_z=0.5,states=off,orientation=rot,seam=on,cap="
     "on,"
     "tilt=on",
     120, "for checks: no parameter has its default"},
};

/* -------------------------------------------------------------------------------------------- buffers */

VFX_FIELDS(tentacle_particle, TENTACLE_PARTICLE)
VFX_FIELDS(tentacle_root, TENTACLE_ROOT)
VFX_FIELDS(tentacle_entity, TENTACLE_ENTITY)
VFX_FIELDS(tentacle_vertex, TENTACLE_VERTEX)
VFX_FIELDS(tentacle_packed, TENTACLE_PACKED)
static const vfx_field tentacle_index_fields[] = {
    {"index", VFX_FIELD_U32, 1, 0, "1", "vertex of a corner; three corners a triangle"}};

#define FIELDS(record) sizeof(record), record##_fields, VFX_COUNT(record##_fields)
static const vfx_buffer buffers[TENTACLE_BUFFER_COUNT] = {
    {"particle", TENTACLE_BINDING_PARTICLE, VFX_STATE_PING_PONG, VFX_STREAMS, FIELDS(tentacle_particle),
     tentacle_particle_count, "chain particles, root to tip, tentacle after tentacle", tentacle_describe_particle},
    {"root", TENTACLE_BINDING_ROOT, VFX_INPUT, VFX_RECORDS, FIELDS(tentacle_root), tentacle_tentacle_count,
     "where tentacles sit on their entities", NULL},
    {"entity", TENTACLE_BINDING_ENTITY, VFX_FRAME_INPUT, VFX_RECORDS, FIELDS(tentacle_entity), tentacle_entity_count,
     "transforms, weights and phases of the frame", NULL},
    {"vertex", TENTACLE_BINDING_VERTEX, VFX_OUTPUT, VFX_RECORDS, FIELDS(tentacle_vertex), tentacle_vertex_count,
     "ring vertices, then apexes", tentacle_describe_vertex},
    {"packed", TENTACLE_BINDING_PACKED, VFX_OUTPUT, VFX_RECORDS, FIELDS(tentacle_packed), tentacle_vertex_count,
     "the same vertices in 16 bytes", tentacle_describe_vertex},
    {"corner", TENTACLE_BINDING_CORNER, VFX_OUTPUT, VFX_RECORDS, FIELDS(tentacle_vertex), tentacle_index_count,
     "triangle list without indices, segment after segment, then caps", tentacle_describe_corner},
    {"index", TENTACLE_BINDING_INDEX, VFX_OUTPUT, VFX_RECORDS, sizeof(uint32_t), tentacle_index_fields,
     VFX_COUNT(tentacle_index_fields), tentacle_index_count, "triangle list over the vertices, written once",
     tentacle_describe_corner},
};

/* -------------------------------------------------------------------------------------------- traffic */

/* Compulsory: every input byte once, every output byte once. Flops: counted in the shaders. */
enum {
    UPDATE_FLOPS = 120,   /* a particle's step */
    TRANSPORT_FLOPS = 15, /* double reflection on top */
    RING_FLOPS = 20,      /* a ring vertex from (cos, sin) */
    ANGLE_FLOPS = 30      /* (cos, sin) by two polynomials, where a variant does not keep them */
};

static double counted(const vfx_case *kase, uint32_t row)
{
    return (double)buffers[row].count(kase);
}

static double all_bytes(const vfx_case *kase, uint32_t row)
{
    return counted(kase, row) * buffers[row].stride;
}

static vfx_traffic update_traffic(const vfx_case *kase)
{
    bool dr = VFX_CASE_PARAMS(kase, tentacle_params)->orientation == TENTACLE_ORIENTATION_DR;
    double state = all_bytes(kase, TENTACLE_BUFFER_PARTICLE);
    double inputs = all_bytes(kase, TENTACLE_BUFFER_ROOT) + all_bytes(kase, TENTACLE_BUFFER_ENTITY);
    double flops = dr ? UPDATE_FLOPS + TRANSPORT_FLOPS : UPDATE_FLOPS;
    return (vfx_traffic){state + inputs, state, flops * counted(kase, TENTACLE_BUFFER_PARTICLE)};
}

/* Radius, arc length, right and forward share quads with the rest, so a mesh reads whole particles. */
static vfx_traffic ring_traffic(const vfx_case *kase)
{
    return (vfx_traffic){all_bytes(kase, TENTACLE_BUFFER_PARTICLE), all_bytes(kase, TENTACLE_BUFFER_VERTEX),
                         (RING_FLOPS + ANGLE_FLOPS) * counted(kase, TENTACLE_BUFFER_VERTEX)};
}

/* Without uv the quad of velocity and arc length is not needed. */
static vfx_traffic packed_traffic(const vfx_case *kase)
{
    return (vfx_traffic){0.75 * all_bytes(kase, TENTACLE_BUFFER_PARTICLE), all_bytes(kase, TENTACLE_BUFFER_PACKED),
                         RING_FLOPS * counted(kase, TENTACLE_BUFFER_PACKED)};
}

/* Every particle once in, particles and vertices out: the mesh reads registers. */
static vfx_traffic fused_traffic(const vfx_case *kase)
{
    vfx_traffic update = update_traffic(kase), ring = ring_traffic(kase);
    return (vfx_traffic){update.bytes_read, update.bytes_written + ring.bytes_written,
                         update.flops + RING_FLOPS * counted(kase, TENTACLE_BUFFER_VERTEX)};
}

static vfx_traffic index_traffic(const vfx_case *kase)
{
    return (vfx_traffic){0.0, all_bytes(kase, TENTACLE_BUFFER_INDEX), 0.0};
}

/* The ladder: the variants differ in how often they evaluate a ring vertex. */
static vfx_traffic corner_traffic(const vfx_case *kase, double evaluations)
{
    return (vfx_traffic){all_bytes(kase, TENTACLE_BUFFER_PARTICLE), all_bytes(kase, TENTACLE_BUFFER_CORNER),
                         (RING_FLOPS + ANGLE_FLOPS) * evaluations};
}

static double sides_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, tentacle_params)->sides;
}

static vfx_traffic bands_traffic(const vfx_case *kase) /* 4 corners a side */
{
    return corner_traffic(kase, 4.0 * sides_of(kase) * (double)tentacle_segment_count(kase));
}

static vfx_traffic bands_cached_traffic(const vfx_case *kase) /* an edge of 2 a side, and the first one again */
{
    return corner_traffic(kase, 2.0 * (sides_of(kase) + 1.0) * (double)tentacle_segment_count(kase));
}

static vfx_traffic bands_unrolled_traffic(const vfx_case *kase) /* an edge of 2 a side */
{
    return corner_traffic(kase, 2.0 * sides_of(kase) * (double)tentacle_segment_count(kase));
}

static vfx_traffic bands_march_traffic(const vfx_case *kase) /* every ring once */
{
    return corner_traffic(kase, sides_of(kase) * counted(kase, TENTACLE_BUFFER_PARTICLE));
}

/* ------------------------------------------------------------------------------------ passes, variants */

VFX_SPIRV_DECLARE(tentacle_index)
VFX_SPIRV_DECLARE(tentacle_update)
VFX_SPIRV_DECLARE(tentacle_fused)
VFX_SPIRV_DECLARE(tentacle_mesh_ring)
VFX_SPIRV_DECLARE(tentacle_mesh_ring_vertex)
VFX_SPIRV_DECLARE(tentacle_mesh_ring_packed)
VFX_SPIRV_DECLARE(tentacle_mesh_bands)
VFX_SPIRV_DECLARE(tentacle_mesh_bands_cached)
VFX_SPIRV_DECLARE(tentacle_mesh_bands_march)
VFX_SPIRV_DECLARE(tentacle_mesh_bands_unrolled)

#define INDEX_PASS                                                                                             \
    {                                                                                                          \
        .name = "index", .spirv = &tentacle_index_spirv, .threads = tentacle_particle_count, .workgroup = 256, \
        .once = true, .traffic = index_traffic                                                                 \
    }
#define UPDATE_PASS                                                                                             \
    {                                                                                                           \
        .name = "update", .spirv = &tentacle_update_spirv, .threads = tentacle_particle_count, .workgroup = 64, \
        .traffic = update_traffic                                                                               \
    }
/* Specialisation constant 1 = sides. */
#define MESH_PASS(pass, shader, count, group, bytes, shared)                                             \
    {                                                                                                    \
        .name = pass, .spirv = &shader##_spirv, .threads = count, .workgroup = group, .spec = {"sides"}, \
        .traffic = bytes, .shared_bytes = shared                                                         \
    }

/* tentacle_stage.glsl: four quads a lane, and the ring's angles. */
static uint32_t stage_bytes(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return 16u * (4u * workgroup + TENTACLE_MOST_RING);
}

/* A vertex a lane. */
static uint32_t vertex_bytes(const vfx_case *kase, uint32_t workgroup)
{
    (void)kase;
    return (uint32_t)sizeof(tentacle_vertex) * workgroup;
}

static const vfx_pass ring_passes[] = {
    INDEX_PASS, UPDATE_PASS, MESH_PASS("mesh", tentacle_mesh_ring, tentacle_particle_count, 256, ring_traffic, NULL)};
static const vfx_pass ring_vertex_passes[] = {
    INDEX_PASS, UPDATE_PASS,
    MESH_PASS("mesh", tentacle_mesh_ring_vertex, tentacle_vertex_count, 64, ring_traffic, vertex_bytes)};
static const vfx_pass ring_packed_passes[] = {
    INDEX_PASS, UPDATE_PASS,
    MESH_PASS("mesh", tentacle_mesh_ring_packed, tentacle_particle_count, 64, packed_traffic, stage_bytes)};
static const vfx_pass fused_passes[] = {
    INDEX_PASS, MESH_PASS("fused", tentacle_fused, tentacle_particle_count, 64, fused_traffic, stage_bytes)};
static const vfx_pass bands_passes[] = {
    UPDATE_PASS, MESH_PASS("mesh", tentacle_mesh_bands, tentacle_segment_count, 256, bands_traffic, NULL)};
static const vfx_pass bands_cached_passes[] = {
    UPDATE_PASS,
    MESH_PASS("mesh", tentacle_mesh_bands_cached, tentacle_segment_count, 256, bands_cached_traffic, NULL)};
static const vfx_pass bands_unrolled_passes[] = {
    UPDATE_PASS,
    MESH_PASS("mesh", tentacle_mesh_bands_unrolled, tentacle_segment_count, 256, bands_unrolled_traffic, NULL)};
/* One invocation per tentacle: workgroups of 16, so that the 67 tentacles of preset ci fill several. */
static const vfx_pass bands_march_passes[] = {
    UPDATE_PASS, MESH_PASS("mesh", tentacle_mesh_bands_march, tentacle_tentacle_count, 16, bands_march_traffic, NULL)};

#define BIT(row) (1u << TENTACLE_BUFFER_##row)
#define SIMULATION (BIT(PARTICLE) | BIT(ROOT) | BIT(ENTITY))
#define VARIANT(text, written, rows, about)                                                \
    {                                                                                      \
        .name = text, .summary = about, .buffers = SIMULATION | (written), .passes = rows, \
        .pass_count = VFX_COUNT(rows)                                                      \
    }

static const vfx_variant variants[] = {
    VARIANT("ring", BIT(VERTEX) | BIT(INDEX), ring_passes, "invocation per particle writes its ring; the plain one"),
    VARIANT("ring-vertex", BIT(VERTEX) | BIT(INDEX), ring_vertex_passes, "invocation per ring vertex"),
    VARIANT("ring-packed", BIT(PACKED) | BIT(INDEX), ring_packed_passes, "invocation per particle, 16-byte vertices"),
    VARIANT("fused", BIT(VERTEX) | BIT(INDEX), fused_passes, "update and ring in one pass"),
    VARIANT("bands", BIT(CORNER), bands_passes, "invocation per segment, four corners per side, no indices"),
    VARIANT("bands-cached", BIT(CORNER), bands_cached_passes, "bands that keeps the previous side's edge"),
    VARIANT("bands-march", BIT(CORNER), bands_march_passes, "invocation per tentacle that keeps the previous ring"),
    VARIANT("bands-unrolled", BIT(CORNER), bands_unrolled_passes,
            "bands-cached unrolled, first edge kept for the wrap"),
};

/* ------------------------------------------------------------------------------------ reference, checks */

static const vfx_stage stages[] = {
    {.name = "index",
     .once = true,
     .writes = BIT(INDEX),
     .items = tentacle_particle_count,
     .f64 = tentacle_index_ref_f64,
     .f32 = tentacle_index_ref_f32},
    {.name = "update",
     .writes = BIT(PARTICLE),
     .items = tentacle_particle_count,
     .f64 = tentacle_update_ref_f64,
     .f32 = tentacle_update_ref_f32},
    {.name = "mesh",
     .writes = BIT(VERTEX) | BIT(PACKED) | BIT(CORNER),
     .items = tentacle_particle_count,
     .f64 = tentacle_mesh_ref_f64,
     .f32 = tentacle_mesh_ref_f32},
};

/* Joints that fold so sharply that a rounding turns them: two in ten thousand at 60 Hz. */
static double ill_share(const vfx_case *kase)
{
    (void)kase;
    return 0.001;
}

/* `up` is the negative control: it has no direction wherever the tangent is vertical, so any number of its rights may
 * be marked; unmarked ones are compared as ever. */
static double right_share(const vfx_case *kase)
{
    bool up = VFX_CASE_PARAMS(kase, tentacle_params)->orientation == TENTACLE_ORIENTATION_UP;
    return up ? 1.0 : ill_share(kase);
}

#define EXACT    \
    {            \
        .abs = 0 \
    }
#define PARTICLE_CHECK(name, ...)                                      \
    {                                                                  \
        .buffer = TENTACLE_BUFFER_PARTICLE, .field = name, __VA_ARGS__ \
    }
/* The 48-byte vertex, stored once per ring vertex or once per triangle corner. */
#define VERTEX_CHECKS(row, position_scale)                                                                            \
    {.buffer = row,                                                                                                   \
     .field = "position",                                                                                             \
     .step = {.scaled_ulp = 4},                                                                                       \
     .free_run = {.abs = 6e-4},                                                                                       \
     .scale = position_scale,                                                                                         \
     .reason = "two sums of three terms, the largest of size max(|p|, R); computed from the device's own particle"},  \
        {.buffer = row, .field = "u", .step = {.ulp = 3}, .free_run = {.ulp = 3}, .reason = "one division, 2.5 ulp"}, \
        {.buffer = row,                                                                                               \
         .field = "normal",                                                                                           \
         .step = {.angle = 1e-6},                                                                                     \
         .free_run = {.angle = 2e-2},                                                                                 \
         .reason = "sum of two rounded products of components below 1; tilt adds one normalisation"},                 \
        {.buffer = row,                                                                                               \
         .field = "v",                                                                                                \
         .step = {.ulp = 6},                                                                                          \
         .free_run = {.rel = 1e-5},                                                                                   \
         .reason = "2 pi and its product half a step each, a division 2.5 ulp; at an apex one sum more"},             \
        {.buffer = row,                                                                                               \
         .field = "binormal",                                                                                         \
         .step = EXACT,                                                                                               \
         .free_run = {.angle = 2e-3},                                                                                 \
         .reason = "copied from the particle"},                                                                       \
    {                                                                                                                 \
        .buffer = row, .field = "zero", .step = EXACT, .free_run = EXACT, .reason = "padding"                         \
    }

/* Step-locked limits: derived in README.md. Free-run limits: the chain forgets (drag, previous-frame
 * parents), so that positions stay together to a few thousandths of a link; `right` is carried along the chain and
 * keeps what a sharp joint made of a rounding (4e-3 rad between the float and the double reference over preset ci), and
 * so does the surface. */
static const vfx_check checks[] = {
    PARTICLE_CHECK("position", .step = {.scaled_ulp = 8}, .free_run = {.abs = 1e-4},
                   .scale = tentacle_position_scale_f64, .ill_share = ill_share, .ill_bits = TENTACLE_ILL_POSITION,
                   .reason = "q = p + dt v and P + L unit(q - P) are rounded at the size of |p|: below 2 ulp where |q "
                             "- P| is a link, 8 for stretched ones"),
    PARTICLE_CHECK("radius", .step = {.scaled = 3e-6}, .free_run = {.scaled = 3e-6}, .scale = tentacle_radius_scale_f64,
                   .reason = "the wave's argument is a float sum of up to 2 + kp turns; 51u of r0 (1 + Ap (1 + kp))"),
    PARTICLE_CHECK("velocity", .step = {.scaled = 1e-5}, .free_run = {.abs = 1e-3},
                   .scale = tentacle_velocity_scale_f64,
                   .reason = "two products and a sum, and an acceleration whose largest term (a sine of 2 + kw turns) "
                             "is off by 4.4e-6; the rest is for forces that cancel"),
    PARTICLE_CHECK("arc_length", .step = {.ulp = 1}, .free_run = {.ulp = 1},
                   .reason = "one product of exact floats, joint * rest_length"),
    PARTICLE_CHECK("right", .step = {.angle = 4e-6}, .free_run = {.angle = 2e-2}, .ill_share = right_share,
                   .ill_bits = TENTACLE_ILL_RIGHT | TENTACLE_ILL_FORWARD,
                   .reason = "up to 16 roundings of 6e-8 where a joint is sharpest without a mark; other orders and "
                             "wider divisions fit in the rest; up is exempt"),
    PARTICLE_CHECK("emissive", .step = {.scaled = 2e-6}, .free_run = {.scaled = 2e-6},
                   .scale = tentacle_emissive_scale_f64,
                   .reason = "the same argument, amplitude E / 2: 31u of E (1 + kp)"),
    PARTICLE_CHECK("forward", .step = {.angle = 4e-6}, .free_run = {.angle = 2e-3}, .ill_share = ill_share,
                   .ill_bits = TENTACLE_ILL_FORWARD,
                   .reason = "difference of exact positions, one inverse root: 2 roundings; marked where child and "
                             "grandparent coincide"),
    PARTICLE_CHECK("zero", .step = EXACT, .free_run = EXACT, .reason = "padding"),

    VERTEX_CHECKS(TENTACLE_BUFFER_VERTEX, tentacle_vertex_scale_f64),
    VERTEX_CHECKS(TENTACLE_BUFFER_CORNER, tentacle_corner_scale_f64),

    {.buffer = TENTACLE_BUFFER_PACKED,
     .field = "position",
     .step = {.scaled_ulp = 4},
     .free_run = {.abs = 6e-4},
     .scale = tentacle_vertex_scale_f64,
     .reason = "as the 48-byte vertex"},
    {.buffer = TENTACLE_BUFFER_PACKED,
     .field = "normal",
     .step = {.angle = 1.31e-4},
     .free_run = {.angle = 2.1e-2},
     .reason = "one step of 1/32767 in both octahedral coordinates is at most sqrt(18) / 32767 rad; 1e-6 arithmetic"},
    {.buffer = TENTACLE_BUFFER_INDEX, .field = "index", .step = EXACT, .free_run = EXACT, .reason = "integers"},
};

/* ---------------------------------------------------------------------------------------- the record */

const vfx_kernel tentacle_kernel = {
    .name = "tentacle",
    .summary = "particle chains that follow the parent's previous frame, and a tube mesh around them",
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
    .invariants = tentacle_invariants,
    .invariant_count = TENTACLE_INVARIANT_COUNT,
    .views = tentacle_views,
    .view_count = TENTACLE_VIEW_COUNT,
    .sweep_start = 170, /* a change of state and a jump lie within the sweep */
    .sweep_frames = 20,
    .free_run_frames = UINT32_MAX,
    .validate = tentacle_validate,
    .init = tentacle_init,
    .host_bytes = tentacle_host_bytes,
    .frame_input = tentacle_frame_input,
};
