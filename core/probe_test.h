/* core/probe_test.h - the record and reference of the probe kernel (probe_shared.h), for device tests. */
#ifndef VFX_PROBE_TEST_H
#define VFX_PROBE_TEST_H

#include "core/kernel.h"
#include "core/probe_shared.h"

VFX_SPIRV_DECLARE(probe_table)
VFX_SPIRV_DECLARE(probe_step)
VFX_SPIRV_DECLARE(probe_round)
VFX_SPIRV_DECLARE(probe_sum)
VFX_SPIRV_DECLARE(probe_echo)
VFX_ENUM_NAMES(probe_fault, PROBE_FAULT)
VFX_FIELDS(probe_cell, PROBE_CELL)
VFX_FIELDS(probe_drive, PROBE_DRIVE)
VFX_FIELDS(probe_sum, PROBE_SUM)
VFX_FIELDS(probe_echo, PROBE_ECHO)

#define PROBE(kase) VFX_CASE_PARAMS(kase, probe_params)

static const vfx_param probe_param_rows[] = {PROBE_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
static const vfx_host_param probe_host_rows[] = {{VFX_UPLOAD_PARAM, "single", vfx_upload_names, "upload mode"}};
static const vfx_preset probe_presets[] = {{"ci", "cells=1000", 12, "small"}, {"default", "", 12, "default"}};
static const vfx_field probe_word_fields[] = {{"word", VFX_FIELD_U32, 1, 0, "1", "a word"}};
static const vfx_field probe_float_fields[] = {{"number", VFX_FIELD_F32, 1, 0, "1", "a number"}};

static uint64_t probe_cells(const vfx_case *kase)
{
    return PROBE(kase)->cells;
}

static uint64_t probe_drives(const vfx_case *kase)
{
    return (PROBE(kase)->cells + 15) / 16;
}

static uint64_t probe_table_count(const vfx_case *kase)
{
    (void)kase;
    return 300;
}

static uint64_t probe_echoes(const vfx_case *kase)
{
    (void)kase;
    return PROBE_TIDE_WIDTH * PROBE_TIDE_HEIGHT * PROBE_TIDE_LAYERS;
}

static uint32_t probe_rounds(const vfx_case *kase)
{
    return PROBE(kase)->rounds;
}

static const vfx_buffer probe_buffers[] = {
    {"cell", 1, VFX_STATE_PING_PONG, VFX_STREAMS, 32, probe_cell_fields, VFX_COUNT(probe_cell_fields), probe_cells, ""},
    {"weight", 3, VFX_INPUT, VFX_RECORDS, 4, probe_float_fields, 1, probe_cells, ""},
    {"drive", 4, VFX_FRAME_INPUT, VFX_RECORDS, 16, probe_drive_fields, VFX_COUNT(probe_drive_fields), probe_drives, ""},
    {"tally", 5, VFX_SCRATCH, VFX_RECORDS, 4, probe_float_fields, 1, probe_cells, ""},
    {"sum", 6, VFX_OUTPUT, VFX_RECORDS, 16, probe_sum_fields, VFX_COUNT(probe_sum_fields), probe_cells, ""},
    {"table", 7, VFX_OUTPUT, VFX_RECORDS, 4, probe_word_fields, 1, probe_table_count, ""},
    {"echo", 11, VFX_STATE, VFX_RECORDS, 16, probe_echo_fields, VFX_COUNT(probe_echo_fields), probe_echoes, ""},
};

static void probe_code_size(const vfx_case *kase, uint32_t size[3])
{
    (void)kase;
    size[0] = 4, size[1] = 2, size[2] = 3;
}

static void probe_ramp_size(const vfx_case *kase, uint32_t size[3])
{
    (void)kase;
    size[0] = 4, size[1] = 1, size[2] = 1;
}

static void probe_tide_size(const vfx_case *kase, uint32_t size[3])
{
    (void)kase;
    size[0] = PROBE_TIDE_WIDTH, size[1] = PROBE_TIDE_HEIGHT, size[2] = PROBE_TIDE_LAYERS;
}

static const vfx_image probe_images[] = {{"codes", 8, VFX_RGBA8_UINT, false, probe_code_size, "", false},
                                         {"ramp", 9, VFX_RGBA16_UNORM, true, probe_ramp_size, "", false},
                                         {"tide", 10, VFX_RGBA16_UINT, false, probe_tide_size, "", true}};

static vfx_traffic probe_traffic(const vfx_case *kase)
{
    return (vfx_traffic){32.0 * PROBE(kase)->cells, 32.0 * PROBE(kase)->cells, 8.0 * PROBE(kase)->cells};
}

static const vfx_pass probe_passes[] = {
    {"table", &probe_table_spirv, probe_table_count, 64, NULL, NULL, true, {NULL}, probe_traffic},
    {"step", &probe_step_spirv, probe_cells, 64, NULL, NULL, false, {NULL}, probe_traffic},
    {"round", &probe_round_spirv, probe_cells, 128, probe_rounds, NULL, false, {NULL}, probe_traffic},
    {"sum", &probe_sum_spirv, probe_cells, 256, NULL, NULL, false, {NULL}, probe_traffic},
    {"echo", &probe_echo_spirv, probe_echoes, 64, NULL, NULL, false, {NULL}, probe_traffic},
};
static const vfx_variant probe_variants[] = {
    {"plain", "", 0, (1u << PROBE_BUFFERS) - 1, (1u << PROBE_IMAGES) - 1, probe_passes, VFX_COUNT(probe_passes)}};

static void probe_step_ref(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const probe_cell *prev = ref->prev[PROBE_CELLS];
    const probe_drive *drive = ref->in[PROBE_DRIVES];
    const float *weight = ref->in[PROBE_WEIGHT];
    const uint8_t *codes = ref->image[PROBE_CODES];
    const uint16_t *ramp = ref->image[PROBE_RAMP];
    probe_cell *out = ref->out[PROBE_CELLS];
    double gain = (double)PROBE(ref->kase)->gain;
    for (uint64_t i = first; i < first + count; ++i) {
        const vec3 *value = &prev[i].value, *push = &drive[i / 16].push;
        uint64_t texel = (i % 3) * 8 + i / 4 % 2 * 4 + i % 4;
        out[i] = (probe_cell){.value = {(float)((double)value->x + gain * (double)push->x),
                                        (float)((double)value->y + gain * (double)push->y),
                                        (float)((double)value->z + gain * (double)push->z)},
                              .texel = (float)((double)weight[i] * ramp[4 * (i % 4)] / 65535.0 + codes[4 * texel + 1]),
                              .frame = ref->frame->index};
        if (ref->ill[PROBE_CELLS])
            ref->ill[PROBE_CELLS][i] = (double)i < (double)PROBE(ref->kase)->marks * (double)ref->count[PROBE_CELLS];
    }
}

static void probe_sum_ref(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const probe_cell *cell = ref->in[PROBE_CELLS];
    probe_sum *out = ref->out[PROBE_SUMS];
    uint64_t n = ref->count[PROBE_CELLS];
    for (uint64_t i = first; i < first + count; ++i) {
        const vec3 *a = &cell[i].value, *b = &cell[(i + 1) % n].value;
        uint32_t rounds = PROBE(ref->kase)->rounds;
        out[i] = (probe_sum){.total = {(float)((double)a->x + (double)b->x), (float)((double)a->y + (double)b->y),
                                       (float)((double)a->z + (double)b->z)},
                             .rounds = (float)(rounds * (rounds + 1) / 2 + (i % 8) * (i % 8))};
    }
}

static void probe_table_ref(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    uint32_t *out = ref->out[PROBE_TABLE];
    for (uint64_t i = first; i < first + count; ++i)
        out[i] = (uint32_t)(i * i);
}

static void probe_echo_ref(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const uint16_t *tide = ref->image[PROBE_TIDE];
    const probe_echo *prev = ref->prev[PROBE_ECHOES];
    probe_echo *out = ref->out[PROBE_ECHOES];
    for (uint64_t i = first; i < first + count; ++i) {
        const uvec4 *was = &prev[i].texel;
        out[i] = (probe_echo){{3u * was->x + tide[4 * i], 3u * was->y + tide[4 * i + 1], 3u * was->z + tide[4 * i + 2],
                               3u * was->w + tide[4 * i + 3]}};
    }
}

static const vfx_stage probe_stages[] = {
    {"table", true, 1u << PROBE_TABLE, probe_table_count, probe_table_ref, probe_table_ref},
    {"step", false, 1u << PROBE_CELLS, probe_cells, probe_step_ref, probe_step_ref},
    {"sum", false, 1u << PROBE_SUMS, probe_cells, probe_sum_ref, probe_sum_ref},
    {"echo", false, 1u << PROBE_ECHOES, probe_echoes, probe_echo_ref, probe_echo_ref},
};

static double probe_ill_share(const vfx_case *kase)
{
    (void)kase;
    return 0.1;
}

/* Holds until somebody sets gain to 0. */
static bool probe_gain_holds(const vfx_ref *ref, char *why, size_t why_bytes)
{
    snprintf(why, why_bytes, "gain is %g", (double)PROBE(ref->kase)->gain);
    return PROBE(ref->kase)->gain > 0;
}
static const vfx_invariant probe_invariants[] = {{"gain", probe_gain_holds, "for tests"}};

#define PROBE_EXACT(buffer, field)                                 \
    {                                                              \
        buffer, field, {0}, {0}, NULL, NULL, "integers, or copied" \
    }
static const vfx_check probe_checks[] = {
    {PROBE_CELLS,
     "value",
     {.abs = 1e-6},
     {.abs = 1e-5},
     NULL,
     probe_ill_share,
     "one product and one sum of numbers below 8"},
    {PROBE_CELLS, "texel", {.ulp = 2}, {.ulp = 2}, NULL, NULL, "a normalised texel times a weight plus an integer"},
    PROBE_EXACT(PROBE_CELLS, "frame"),
    PROBE_EXACT(PROBE_CELLS, "zero0"),
    PROBE_EXACT(PROBE_CELLS, "zero1"),
    PROBE_EXACT(PROBE_CELLS, "zero2"),
    {PROBE_SUMS, "total", {.ulp = 1}, {.abs = 2e-5}, NULL, NULL, "one correctly rounded sum"},
    PROBE_EXACT(PROBE_SUMS, "rounds"),
    PROBE_EXACT(PROBE_TABLE, "word"),
    PROBE_EXACT(PROBE_ECHOES, "texel"),
};

static void probe_init(const vfx_case *kase, void *const buffers[], void *const images[])
{
    probe_cell *cell = buffers[PROBE_CELLS];
    float *weight = buffers[PROBE_WEIGHT];
    uint8_t *codes = images[PROBE_CODES];
    uint16_t *ramp = images[PROBE_RAMP];
    for (uint32_t i = 0; i < PROBE(kase)->cells; ++i) {
        cell[i] = (probe_cell){.value = {(float)(i % 7), (float)(i % 5) * 0.25f, (float)(kase->seed % 3)}};
        weight[i] = (float)(i % 9) * 0.125f;
    }
    for (uint32_t i = 0; i < 4 * 2 * 3 * 4; ++i)
        codes[i] = (uint8_t)(i * 37);
    for (uint32_t i = 0; i < 4 * 4; ++i)
        ramp[i] = (uint16_t)(i * 4111);
}

static void probe_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                              void *const images[])
{
    (void)host;
    uint32_t *calls = kase->asset; /* a test may count them */
    if (calls)
        ++*calls;
    uint16_t *tide = images[PROBE_TIDE];
    for (uint32_t i = 0; i < 4 * probe_echoes(kase); ++i)
        tide[i] = (uint16_t)(i * 257 + frame->index * 4099);
    probe_drive *drive = buffers[PROBE_DRIVES];
    for (uint64_t i = 0; i < probe_drives(kase); ++i)
        drive[i] = (probe_drive){{0.01f * (float)frame->index, 0.02f * (float)(i % 3), -0.005f}, 0.125f};
}

static const vfx_kernel probe_kernel = {
    .name = "probe",
    .summary = "tests of the core",
    .params = probe_param_rows,
    .param_count = VFX_COUNT(probe_param_rows),
    .host_params = probe_host_rows,
    .host_param_count = VFX_COUNT(probe_host_rows),
    .presets = probe_presets,
    .preset_count = VFX_COUNT(probe_presets),
    .buffers = probe_buffers,
    .buffer_count = VFX_COUNT(probe_buffers),
    .images = probe_images,
    .image_count = VFX_COUNT(probe_images),
    .variants = probe_variants,
    .variant_count = VFX_COUNT(probe_variants),
    .stages = probe_stages,
    .stage_count = VFX_COUNT(probe_stages),
    .checks = probe_checks,
    .check_count = VFX_COUNT(probe_checks),
    .invariants = probe_invariants,
    .invariant_count = VFX_COUNT(probe_invariants),
    .sweep_start = 4,
    .sweep_frames = 4,
    .free_run_frames = UINT32_MAX,
    .init = probe_init,
    .frame_input = probe_frame_input,
};

#endif
