/* pbd.c - the record of the pbd family: particles that collide, by position based dynamics. Only rows; what the
 * functions in them do is in pbd_sizes.c (how many), pbd_traffic.c, pbd_scene.c (frame 0), pbd_frame.c (colliders and
 * constants of a frame), pbd_validate.c, pbd_limits.c (stages of the reference, checks) and pbd_invariants.c. */
#include "kernels/pbd/pbd.h"

#include "kernels/pbd/pbd_ref.h"
#include "kernels/pbd/pbd_rows.h"

/* -------------------------------------------------------------------------------- parameters, presets */

VFX_ENUM_NAMES(pbd_solver, PBD_SOLVER)
VFX_ENUM_NAMES(pbd_scene, PBD_SCENE)
VFX_ENUM_NAMES(pbd_outside, PBD_OUTSIDE)
VFX_ENUM_NAMES(pbd_coincident, PBD_COINCIDENT)
VFX_ENUM_NAMES(pbd_obstacle, PBD_OBSTACLE)

static const vfx_param params[] = {PBD_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
_Static_assert(sizeof(pbd_params) == 4 * sizeof params / sizeof *params, "row i is word i");

static const vfx_host_param host_params[] = {
    {PBD_INPUT_PARAM, "", NULL,
     "particles of frame 0: a .npy file of N x 8 32-bit floats, x y z vx vy vz mass radius; empty: the scene's"},
    {VFX_UPLOAD_PARAM, "single", vfx_upload_names, "how the colliders of a frame reach the device"},
};

/* Equal particles in close packing, in a box that they fill: cell = diameter, about 33 candidates each. */
#define PACKED "scene=packed,size_spread=0,gravity=0,measure=off,particles="

static const vfx_preset presets[] = {
    {"ci", "particles=1500,size_x=2,size_y=1.8,size_z=0.9,buckets=1024", 120,
     "small: a box so full that all touch, then a pile of a few layers"},
    {"golden", "particles=3000,size_x=2.6,size_y=2.6,size_z=2.2", 60, "3,000 in a box: pictures"},
    {"default", "size_x=6,size_y=6", 120, "20,000 in a box"},
    {"pile", "size_x=6,size_y=6", 300, "the same, until it rests"},
    {"attract", "scene=attract,particles=10,size_z=4,gravity=0,attract=20,attract_radius=4,drag=0.5,floor=off", 240,
     "the source's: 10 particles drawn to the centre"},
    {"mixed",
     "scene=mixed,particles=3000,size_x=3,size_y=3,size_z=9,mass_low=0.1,mass_high=10,unyielding=0.02,max_push=4,"
     "capacity=64,list_capacity=192",
     240, "masses 1:100, some that do not yield"},
    {"incline",
     "scene=incline,particles=1000,size_x=12,size_y=4,size_z=5,slope=0.05,friction_static=0.25,friction_kinetic=0.2",
     120, "a slope of 18 degrees on which they slide"},
    {"packed-1k", PACKED "1000,size_x=1.25,size_y=1.25,size_z=1.25", 60, "close packing, 1,000"},
    {"packed-16k", PACKED "16000,size_x=3,size_y=3,size_z=3,buckets=16384", 60, "close packing, 16,000"},
    {"packed-64k", PACKED "65536,size_x=4.75,size_y=4.75,size_z=4.75,buckets=65536", 60, "close packing, 65,536"},
    {"packed-256k", PACKED "262144,size_x=7.45,size_y=7.45,size_z=7.45,buckets=262144", 40, "close packing, 262,144"},
    {"packed-1m", PACKED "1M,size_x=11.6,size_y=11.6,size_z=11.6,buckets=1048576", 20, "close packing, 1,000,000"},
    {"packed-4m", PACKED "4M,size_x=18.35,size_y=18.35,size_z=18.35,buckets=4194304", 10, "close packing, 4,000,000"},
    {"stress", PACKED "4M,size_x=18.35,size_y=18.35,size_z=18.35,buckets=4194304", 10, "the same"},
    {"odd",
     "particles=613,iterations=3,substeps=2,size_x=2.1,size_y=1.7,size_z=2.3,cell=0.31,mass_low=0.5,mass_high=2,"
     "density=700,size_spread=0.35,unyielding=0.05,unyielding_percent=0.8,relaxation=0.9,gravity=7,drag=0.1,"
     "attract=1.5,attract_radius=3,speed=0.7,max_speed=2,max_push=3,friction_static=0.6,friction_kinetic=0.4,"
     "restitution=0.3,slope=0.03,obstacle_speed=0.5,skin=0.2,capacity=24,list_capacity=64,buckets=256,"
     "solver=conserving,scene=mixed,outside=bin,coincident=skip,obstacle=torus,clamp=on,walls=off,floor=off,"
     "ordered=off,measure=off,upload=regions",
     30, "for checks: no parameter has its default; ordered = off: not the same bits each time"},
};

/* --------------------------------------------------------------------------------------------- buffers */

VFX_FIELDS(pbd_particle, PBD_PARTICLE)
VFX_FIELDS(pbd_collider, PBD_COLLIDER)
VFX_FIELDS(pbd_predict, PBD_PREDICT)
VFX_FIELDS(pbd_sorted, PBD_SORTED)
VFX_FIELDS(pbd_trace, PBD_TRACE)
VFX_FIELDS(pbd_status, PBD_STATUS)
VFX_FIELDS(pbd_velocity, PBD_VELOCITY)
VFX_FIELDS(pbd_contact, PBD_CONTACT)
VFX_FIELDS(pbd_metric, PBD_METRIC)
static const vfx_field sdf_fields[] = {{"distance", VFX_FIELD_F32, 1, 0, "m", "to the obstacle's surface"}};
static const vfx_field count_fields[] = {{"count", VFX_FIELD_U32, 1, 0, "1", "particles of the cell"}};
static const vfx_field rank_fields[] = {{"rank", VFX_FIELD_U32, 1, 0, "1", "arrival within the cell"}};
static const vfx_field block_fields[] = {{"sum", VFX_FIELD_U32, 1, 0, "1", "particles of a block of cells, or before"}};
static const vfx_field start_fields[] = {{"start", VFX_FIELD_U32, 1, 0, "1", "particles with a smaller key"}};
static const vfx_field arrival_fields[] = {{"index", VFX_FIELD_U32, 1, 0, "1", "index in the state"}};
static const vfx_field slot_fields[] = {{"index", VFX_FIELD_U32, 1, 0, "1", "index in the state"}};
static const vfx_field cell_fields[] = {{"cell", VFX_FIELD_U32, 4, 0, "1", "g.x, g.y, g.z as u32, 0"}};
static const vfx_field list_fields[] = {{"slot", VFX_FIELD_U32, 1, 0, "1", "slot of a neighbour"}};
static const vfx_field push_fields[] = {{"pushed", VFX_FIELD_F32, 1, 0, "m", "overlaps removed from a pair so far"},
                                        {"slid", VFX_FIELD_F32, 1, 4, "m", "slip cancelled of it so far"}};
static const vfx_field tally_fields[] = {{"contacts", VFX_FIELD_U32, 1, 0, "1", "contacts of the slot"}};

#define FIELDS(record) sizeof(record), record##_fields, VFX_COUNT(record##_fields)
#define WORDS(fields, bytes) bytes, fields, VFX_COUNT(fields)
#define ROW(text, BINDING, role, columns, count, about, names)                              \
    {                                                                                       \
        text, PBD_BINDING_##BINDING, role, VFX_RECORDS, columns, count, about, names, false \
    }
#define PARTIAL_ROW(text, BINDING, columns, count, about)                                       \
    {                                                                                           \
        text, PBD_BINDING_##BINDING, VFX_OUTPUT, VFX_RECORDS, columns, count, about, NULL, true \
    }
static const vfx_buffer buffers[PBD_BUFFER_TOTAL] = {
    {"particle", PBD_BINDING_PARTICLE, VFX_STATE_PING_PONG, VFX_STREAMS, FIELDS(pbd_particle), pbd_particle_count,
     "particles", pbd_describe_particle, false},
    ROW("collider", COLLIDER, VFX_FRAME_INPUT, FIELDS(pbd_collider), pbd_collider_count, "floor, walls, obstacle",
        NULL),
    ROW("sdf", SDF, VFX_INPUT, WORDS(sdf_fields, 4), pbd_sdf_count, "sampled distances; obstacle = grid", NULL),
    ROW("predict", PREDICT, VFX_OUTPUT, FIELDS(pbd_predict), pbd_slots, "predictions, by index of the state",
        pbd_describe_particle),
    ROW("count", COUNT, VFX_OUTPUT, WORDS(count_fields, 4), pbd_start_count, "particles of each cell", NULL),
    ROW("rank", RANK, VFX_SCRATCH, WORDS(rank_fields, 4), pbd_particle_count, "arrivals", NULL),
    ROW("block", BLOCK, VFX_SCRATCH, WORDS(block_fields, 4), pbd_block_count, "of the scan", NULL),
    ROW("start", START, VFX_OUTPUT, WORDS(start_fields, 4), pbd_start_count, "first slot of each cell", NULL),
    ROW("arrival", ARRIVAL, VFX_SCRATCH, WORDS(arrival_fields, 4), pbd_particle_count, "indices by cell", NULL),
    PARTIAL_ROW("slot", SLOT, WORDS(slot_fields, 4), pbd_slot_count, "entries of the cells, a fixed number each"),
    ROW("sorted", SORTED, VFX_OUTPUT, FIELDS(pbd_sorted), pbd_slots, "what a slot holds besides positions",
        pbd_describe_slot),
    ROW("trace", TRACE, VFX_OUTPUT, FIELDS(pbd_trace), pbd_trace_slots, "positions before, during and after iterating",
        pbd_describe_trace),
    ROW("cell", CELL, VFX_OUTPUT, WORDS(cell_fields, 16), pbd_slots, "cells of the slots, without bounds",
        pbd_describe_slot),
    PARTIAL_ROW("list", LIST, WORDS(list_fields, 4), pbd_list_count, "neighbours within the skin"),
    ROW("push", PUSH, VFX_SCRATCH, WORDS(push_fields, 8), pbd_push_count, "friction's memory of each listed pair",
        NULL),
    ROW("tally", TALLY, VFX_SCRATCH, WORDS(tally_fields, 4), pbd_tally_count, "contacts; solver = conserving", NULL),
    ROW("status", STATUS, VFX_OUTPUT, FIELDS(pbd_status), pbd_slots, "contacts while iterating", pbd_describe_slot),
    ROW("velocity", VELOCITY, VFX_OUTPUT, FIELDS(pbd_velocity), pbd_velocity_count,
        "velocities after every substep but the last", pbd_describe_slot),
    ROW("contact", CONTACT, VFX_OUTPUT, FIELDS(pbd_contact), pbd_particle_count, "contacts at the end of the frame",
        pbd_describe_particle),
    {"partial", PBD_BINDING_PARTIAL, VFX_SCRATCH, VFX_RECORDS, sizeof(pbd_metric), pbd_metric_fields,
     VFX_COUNT(pbd_metric_fields), pbd_partial_count, "metric of a part", NULL, false},
    ROW("metric", METRIC, VFX_OUTPUT, FIELDS(pbd_metric), pbd_metric_count, "figures of the frame", NULL),
};

/* --------------------------------------------------------------------------------------------- passes */

VFX_SPIRV_DECLARE(pbd_clear)
VFX_SPIRV_DECLARE(pbd_predict)
VFX_SPIRV_DECLARE(pbd_predict_brute)
VFX_SPIRV_DECLARE(pbd_scan_blocks)
VFX_SPIRV_DECLARE(pbd_scan_sums)
VFX_SPIRV_DECLARE(pbd_scan_add)
VFX_SPIRV_DECLARE(pbd_scatter)
VFX_SPIRV_DECLARE(pbd_insert)
VFX_SPIRV_DECLARE(pbd_arrange)
VFX_SPIRV_DECLARE(pbd_gather)
VFX_SPIRV_DECLARE(pbd_gather_hashed)
VFX_SPIRV_DECLARE(pbd_gather_direct)
VFX_SPIRV_DECLARE(pbd_iterate_brute)
VFX_SPIRV_DECLARE(pbd_iterate_capped)
VFX_SPIRV_DECLARE(pbd_iterate_sorted)
VFX_SPIRV_DECLARE(pbd_iterate_first)
VFX_SPIRV_DECLARE(pbd_iterate_rows)
VFX_SPIRV_DECLARE(pbd_iterate_list)
VFX_SPIRV_DECLARE(pbd_iterate_hashed)
VFX_SPIRV_DECLARE(pbd_finish_brute)
VFX_SPIRV_DECLARE(pbd_finish_capped)
VFX_SPIRV_DECLARE(pbd_finish_sorted)
VFX_SPIRV_DECLARE(pbd_finish_rows)
VFX_SPIRV_DECLARE(pbd_finish_list)
VFX_SPIRV_DECLARE(pbd_finish_hashed)
VFX_SPIRV_DECLARE(pbd_reduce)
VFX_SPIRV_DECLARE(pbd_reduce_brute)
VFX_SPIRV_DECLARE(pbd_reduce_capped)
VFX_SPIRV_DECLARE(pbd_reduce_list)
VFX_SPIRV_DECLARE(pbd_total)

/* Specialisation constants 1 to 6 of all passes. */
#define PASS(pass, count, group, traffic_of, ...)                                               \
    {                                                                                           \
        .name = #pass, .spirv = &pbd_##pass##_spirv, .threads = count, .workgroup = group,      \
        .spec = {"solver", "ordered", "obstacle", "friction_static", "restitution", "measure"}, \
        .workgroup_multiple = PBD_LANES, .traffic = pbd_##traffic_of##_traffic, __VA_ARGS__     \
    }
#define IN_SUBSTEP .substeps = pbd_substeps
#define CLEAR PASS(clear, pbd_clear_threads, 256, clear, IN_SUBSTEP)
#define PREDICT(pass, group) PASS(pass, pbd_particle_count, group, predict, IN_SUBSTEP)
#define SCAN                                                                                            \
    PASS(scan_blocks, pbd_scan_threads, 256, scan_blocks, IN_SUBSTEP, .shared_bytes = pbd_scan_shared), \
        PASS(scan_sums, pbd_one_thread, 256, scan_sums, IN_SUBSTEP, .shared_bytes = pbd_scan_shared),   \
        PASS(scan_add, pbd_scan_threads, 128, scan_add, IN_SUBSTEP, .shared_bytes = pbd_scan_add_shared)
#define SCATTER PASS(scatter, pbd_particle_count, 256, scatter, IN_SUBSTEP)
#define GATHER(pass) PASS(pass, pbd_particle_count, 128, gather, IN_SUBSTEP)
#define ITERATE(pass, ...) \
    PASS(pass, pbd_particle_count, 128, iterate, IN_SUBSTEP, .repeats = pbd_iterations, __VA_ARGS__)
#define FINISH(pass, ...) PASS(pass, pbd_particle_count, 128, finish, IN_SUBSTEP, __VA_ARGS__)
#define QUEUED .shared_bytes = pbd_queue_shared
#define UNQUEUED .shared_bytes = NULL
#define REDUCE(pass)                                                               \
    PASS(pass, pbd_reduce_threads, 64, reduce, .shared_bytes = pbd_reduce_shared), \
        PASS(total, pbd_one_thread, 256, total, .shared_bytes = pbd_total_shared)

static const vfx_pass brute_passes[] = {
    PREDICT(predict_brute, 128),    GATHER(gather_direct), ITERATE(iterate_brute, UNQUEUED),
    FINISH(finish_brute, UNQUEUED), REDUCE(reduce_brute),
};
static const vfx_pass capped_passes[] = {
    CLEAR,
    PREDICT(predict, 256),
    PASS(insert, pbd_particle_count, 256, insert, IN_SUBSTEP),
    PASS(arrange, pbd_arrange_threads, 128, arrange, IN_SUBSTEP),
    GATHER(gather_direct),
    PASS(iterate_capped, pbd_particle_count, 256, iterate, IN_SUBSTEP, .repeats = pbd_iterations, UNQUEUED),
    FINISH(finish_capped, UNQUEUED),
    REDUCE(reduce_capped),
};
static const vfx_pass sorted_passes[] = {
    CLEAR,
    PREDICT(predict, 256),
    SCAN,
    SCATTER,
    GATHER(gather),
    ITERATE(iterate_sorted, UNQUEUED),
    FINISH(finish_sorted, UNQUEUED),
    REDUCE(reduce),
};
static const vfx_pass rows_passes[] = {
    CLEAR,
    PREDICT(predict, 256),
    SCAN,
    SCATTER,
    GATHER(gather),
    ITERATE(iterate_rows, QUEUED),
    FINISH(finish_rows, QUEUED),
    REDUCE(reduce),
};
static const vfx_pass list_passes[] = {
    CLEAR,
    PREDICT(predict, 256),
    SCAN,
    SCATTER,
    GATHER(gather),
    PASS(iterate_first, pbd_particle_count, 128, iterate, IN_SUBSTEP, QUEUED),
    PASS(iterate_list, pbd_particle_count, 128, iterate, IN_SUBSTEP, .repeats = pbd_sweeps, UNQUEUED),
    FINISH(finish_list, UNQUEUED),
    REDUCE(reduce_list),
};
static const vfx_pass hashed_passes[] = {
    CLEAR,
    PREDICT(predict, 256),
    SCAN,
    SCATTER,
    GATHER(gather_hashed),
    ITERATE(iterate_hashed, UNQUEUED),
    FINISH(finish_hashed, UNQUEUED),
    REDUCE(reduce),
};

/* ------------------------------------------------------------------------------------------- variants */

#define BIT(row) (1u << PBD_BUFFER_##row)
#define COMMON                                                                                                       \
    (BIT(PARTICLE) | BIT(COLLIDER) | BIT(SDF) | BIT(PREDICT) | BIT(SORTED) | BIT(TRACE) | BIT(TALLY) | BIT(STATUS) | \
     BIT(VELOCITY) | BIT(CONTACT) | BIT(PARTIAL) | BIT(METRIC))
#define COUNTED (COMMON | BIT(COUNT) | BIT(RANK))
#define RANGES (COUNTED | BIT(BLOCK) | BIT(START) | BIT(ARRIVAL))
#define VARIANT(text, bound, rows, about)                                                               \
    {                                                                                                   \
        .name = text, .summary = about, .buffers = bound, .passes = rows, .pass_count = VFX_COUNT(rows) \
    }
static const vfx_variant variants[PBD_VARIANT_COUNT] = {
    VARIANT("brute", COMMON, brute_passes, "all pairs, up to 8,192 particles"),
    VARIANT("cells-capped", COUNTED | BIT(SLOT), capped_passes, "the source's grid: a fixed number of slots a cell"),
    VARIANT("cells-sorted", RANGES, sorted_passes, "particles sorted by cell; 27 ranges"),
    VARIANT("rows", RANGES, rows_passes, "the same; 9 ranges of three cells, hits queued"),
    VARIANT("list", RANGES | BIT(LIST) | BIT(PUSH), list_passes, "neighbours within a skin listed in iteration 1"),
    VARIANT("hashed", RANGES | BIT(CELL), hashed_passes, "no domain: cells hashed into buckets"),
};

/* ------------------------------------------------------------------------------------------ the record */

const vfx_kernel pbd_kernel = {
    .name = "pbd",
    .summary = "particles that collide, by position based dynamics",
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
    .stages = pbd_stages,
    .stage_count = PBD_STAGE_COUNT,
    .checks = pbd_checks,
    .check_count = PBD_CHECK_COUNT,
    .invariants = pbd_invariants,
    .invariant_count = PBD_INVARIANT_COUNT,
    .views = pbd_views,
    .view_count = PBD_VIEW_COUNT,
    .sweep_start = 3, /* with contacts; brute makes every frame dear */
    .sweep_frames = 2,
    .free_run_frames = 0, /* piles that differ by a rounding part within frames: see pbd_limits.c */
    .validate = pbd_validate,
    .load = pbd_load,
    .unload = pbd_unload,
    .init = pbd_init,
    .host_bytes = pbd_host_bytes,
    .frame_input = pbd_frame_input,
    .metrics = &buffers[PBD_BUFFER_METRIC],
    .work = pbd_work,
    .work_unit = "candidate pair",
};
