/* core/run_cpu_test.c - feed, host buffers and the CPU loop on a toy family: a ring of cells in which each takes its
 * left neighbour's value (so that reading a half-written state would show), a counter in place, and an output. */
#include "core/test.h"

#include "core/run.h"

enum { CELL, TALLY, BASE, PUSH, SUM, UNUSED, BUFFERS };

#define TOY_PARAMS(P, E)                 \
    P(U32, cells, 5, 1, 100, 0, "cells") \
    P(F32, gain, 1, 0, 100, VFX_LIVE, "factor")

typedef struct toy_params {
    TOY_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} toy_params;

static const vfx_param params[] = {TOY_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};

static uint64_t cell_count(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, toy_params)->cells;
}

static uint64_t absurd_count(const vfx_case *kase)
{
    (void)kase;
    return UINT64_MAX / 8u;
}

static uint64_t no_count(const vfx_case *kase)
{
    (void)kase;
    return 0;
}

static const vfx_buffer buffers[BUFFERS] = {
    [CELL] = {.name = "cell", .role = VFX_STATE_PING_PONG, .stride = 4, .count = cell_count},
    [TALLY] = {.name = "tally", .role = VFX_STATE, .stride = 4, .count = cell_count},
    [BASE] = {.name = "base", .role = VFX_INPUT, .stride = 4, .count = cell_count},
    [PUSH] = {.name = "push", .role = VFX_FRAME_INPUT, .stride = 4, .count = cell_count},
    [SUM] = {.name = "sum", .role = VFX_OUTPUT, .stride = 4, .count = cell_count},
    [UNUSED] = {.name = "unused", .role = VFX_OUTPUT, .stride = 4, .count = cell_count},
};

static void cell_size(const vfx_case *kase, uint32_t size[3])
{
    size[0] = VFX_CASE_PARAMS(kase, toy_params)->cells;
    size[1] = 3;
    size[2] = 2;
}

static void absurd_size(const vfx_case *kase, uint32_t size[3])
{
    (void)kase;
    size[0] = size[1] = size[2] = UINT32_MAX;
}

enum { HEIGHT, ABSURD, TIDE };
static const vfx_image images[] = {
    [HEIGHT] = {.name = "height", .format = VFX_RGBA16_UNORM, .size = cell_size},
    [ABSURD] = {.name = "absurd", .format = VFX_R8_UNORM, .size = absurd_size},
    [TIDE] = {.name = "tide", .format = VFX_R16_UNORM, .size = cell_size, .per_frame = true},
};

/* sum[i] = 1000 + frame; the once-only stage, whose row stands last on purpose. */
static void base_stage(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++)
        ((float *)ref->out[SUM])[i] = 1000.0f + (float)ref->frame->index;
}

/* cell[i] = left neighbour of the previous frame + gain * push[i] */
static void cell_stage(const vfx_ref *ref, uint64_t first, uint64_t count, float scale)
{
    const float *prev = ref->prev[CELL], *push = ref->in[PUSH];
    float gain = VFX_CASE_PARAMS(ref->kase, toy_params)->gain;
    for (uint64_t i = first; i < first + count; i++) {
        ((float *)ref->out[CELL])[i] = prev[(i + ref->count[CELL] - 1) % ref->count[CELL]] + scale * gain * push[i];
        ref->ill[CELL][i] = 1;
    }
}

static void cell_f64(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    cell_stage(ref, first, count, 1.0f);
}

static void cell_f32(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    cell_stage(ref, first, count, 0.5f);
}

/* tally[i] += this frame's cell; sum[i] += base[i] * frame. Needs the cell stage's result. */
static void sum_stage(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const float *cell = ref->in[CELL], *tally = ref->prev[TALLY], *base = ref->in[BASE];
    assert_null(ref->out[UNUSED]);
    assert_int_equal(((const uint16_t *)ref->image[TIDE])[29], ref->frame->index * 10); /* this frame's texels */
    for (uint64_t i = first; i < first + count; i++) {
        ((float *)ref->out[TALLY])[i] = tally[i] + cell[i];
        ((float *)ref->out[SUM])[i] += base[i] * (float)ref->frame->index;
    }
}

static void never_stage(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    (void)ref, (void)first, (void)count;
    fail_msg("a stage that writes nothing of the variant ran");
}

static const vfx_stage stages[] = {
    {"cell", false, 1u << CELL, cell_count, cell_f64, cell_f32},
    {"sum", false, 1u << TALLY | 1u << SUM | 1u << UNUSED, cell_count, sum_stage, sum_stage},
    {"never", false, 1u << UNUSED, cell_count, never_stage, never_stage},
    {"base", true, 1u << SUM, cell_count, base_stage, base_stage},
};

static size_t host_bytes(const vfx_case *kase)
{
    (void)kase;
    return sizeof(uint32_t);
}

/* push[i] = number of calls so far, which proves that `host` is carried along. */
static void frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const rows[], void *const texels[])
{
    uint32_t *calls = host;
    *calls += 1;
    assert_int_equal(frame->index, *calls);
    assert_true(frame->host[0].x == 0.0f); /* fresh every frame */
    frame->host[0].x = 7.0f;
    assert_null(rows[CELL]);
    assert_null(texels[HEIGHT]);
    ((uint16_t *)texels[TIDE])[29] = (uint16_t)(frame->index * 10);
    for (uint64_t i = 0; i < cell_count(kase); i++)
        ((float *)rows[PUSH])[i] = (float)*calls;
}

static const vfx_kernel kernel = {
    .name = "toy",
    .params = params,
    .param_count = VFX_COUNT(params),
    .buffers = buffers,
    .buffer_count = VFX_COUNT(buffers),
    .images = images,
    .image_count = VFX_COUNT(images),
    .stages = stages,
    .stage_count = VFX_COUNT(stages),
    .host_bytes = host_bytes,
    .frame_input = frame_input,
};
static const vfx_variant variant = {
    .name = "basic", .buffers = (1u << UNUSED) - 1u, .images = 1u << HEIGHT | 1u << TIDE};

static vfx_case toy_case(void)
{
    vfx_case kase = {.kernel = &kernel, .variant = &variant, .preset = "ci", .frames = 3, .dt = 0.5f, .seed = 9};
    kase.words[0] = vfx_param_word(&params[0], 5);
    kase.words[1] = vfx_param_word(&params[1], 1);
    return kase;
}

/* Cells 0..4, base 10. */
static vfx_host toy_host(const vfx_case *kase)
{
    vfx_host host;
    assert_vfx_ok(vfx_host_create(&host, kase, variant.buffers));
    for (uint32_t i = 0; i < 5; i++) {
        ((float *)host.buffer[CELL])[i] = (float)i;
        ((float *)host.buffer[BASE])[i] = 10.0f;
    }
    return host;
}

static void host_buffers(void **state)
{
    (void)state;
    vfx_case kase = toy_case();
    vfx_host host;
    assert_vfx_ok(vfx_host_create(&host, &kase, 1u << CELL | 1u << SUM));
    assert_int_equal(host.bytes[CELL], 20);
    assert_int_equal(host.count[SUM], 5);
    assert_non_null(host.buffer[SUM]);
    assert_null(host.buffer[TALLY]);
    assert_int_equal(host.image_bytes[0], 5 * 3 * 2 * 8);
    assert_non_null(host.image[0]);
    assert_null(host.image[1]);
    assert_true(((float *)host.buffer[CELL])[4] == 0.0f);
    vfx_host_destroy(&host);
    assert_null(host.buffer[CELL]);
    vfx_host_destroy(&host); /* twice is fine */
}

static void sizes_that_overflow(void **state)
{
    (void)state;
    static const vfx_buffer rows[] = {{.name = "giant", .stride = 16, .count = absurd_count},
                                      {.name = "large", .stride = 4, .count = absurd_count},
                                      {.name = "empty", .stride = 4, .count = no_count}};
    static const vfx_kernel giant = {
        .name = "giant", .buffers = rows, .buffer_count = 3, .images = images, .image_count = 2};
    vfx_case kase = toy_case();
    kase.kernel = &giant;
    static const vfx_variant none = {.name = "none"};
    kase.variant = &none;
    size_t bytes = 0;
    vfx_host host;
    assert_vfx_fails(vfx_buffer_bytes(&kase, 0, &bytes), VFX_UNSUPPORTED, "giant");
    assert_vfx_fails(vfx_host_create(&host, &kase, 1u), VFX_UNSUPPORTED, "giant");
    assert_vfx_fails(vfx_image_bytes(&kase, 1, &bytes), VFX_UNSUPPORTED, "absurd");
    assert_vfx_ok(vfx_host_create(&host, &kase, 4u));
    assert_int_equal(host.bytes[2], 0);
    assert_non_null(host.buffer[2]);
    vfx_host_destroy(&host);
}

static void feed_frames(void **state)
{
    (void)state;
    vfx_case kase = toy_case();
    vfx_at_list at = {0};
    assert_vfx_ok(vfx_at_parse(&kase, "2:gain=4", &at));
    vfx_feed feed;
    assert_vfx_ok(vfx_feed_create(&feed, &kase, &at));
    assert_int_equal(feed.frame.index, 0);
    vfx_feed_next(&feed);
    assert_int_equal(feed.frame.index, 1);
    assert_int_equal(feed.frame.seed, 9);
    assert_true(feed.frame.dt == 0.5f && feed.frame.host[0].x == 7.0f);
    assert_false(feed.params_changed);
    assert_true(((float *)feed.input[PUSH])[4] == 1.0f);
    vfx_feed_next(&feed);
    assert_true(feed.params_changed);
    assert_true(VFX_CASE_PARAMS(&feed.kase, toy_params)->gain == 4.0f);
    vfx_feed_next(&feed);
    assert_false(feed.params_changed);
    assert_true(((float *)feed.input[PUSH])[0] == 3.0f);
    assert_int_equal(((uint16_t *)feed.image[TIDE])[29], 30);
    assert_null(feed.image[HEIGHT]);
    uint64_t records, texels;
    assert_vfx_ok(vfx_upload_bytes(&kase, &records, &texels));
    assert_int_equal(records, 5 * 4);
    assert_int_equal(texels, 5 * 3 * 2 * 2);
    vfx_feed_destroy(&feed);
    vfx_feed_destroy(&feed);
}

static void cpu_loop(void **state)
{
    (void)state;
    vfx_case kase = toy_case();
    vfx_at_list at = {0};
    assert_vfx_ok(vfx_at_parse(&kase, "2:gain=4", &at));
    vfx_feed feed;
    assert_vfx_ok(vfx_feed_create(&feed, &kase, &at));
    vfx_host host = toy_host(&kase);
    const float *cell = host.buffer[CELL], *tally = host.buffer[TALLY], *sum = host.buffer[SUM];

    assert_vfx_ok(vfx_run_cpu(&kase, &feed, &host, 1, true, true));
    const float cell1[] = {5, 1, 2, 3, 4}; /* left neighbour + 1 * 1 */
    assert_memory_equal(cell, cell1, sizeof cell1);
    assert_memory_equal(tally, cell1, sizeof cell1);
    assert_true(sum[0] == 1001.0f + 10.0f); /* once-only stage first, although its row is last */
    assert_true(((float *)host.buffer[PUSH])[0] == 1.0f);

    assert_vfx_ok(vfx_run_cpu(&kase, &feed, &host, 2, true, false));
    assert_int_equal(feed.frame.index, 3);
    /* frame 2: left + 4 * 2 = {12, 13, 9, 10, 11}; frame 3: left + 4 * 3 = {23, 24, 25, 21, 22} */
    const float cell3[] = {23, 24, 25, 21, 22};
    const float tally3[] = {5 + 12 + 23, 1 + 13 + 24, 2 + 9 + 25, 3 + 10 + 21, 4 + 11 + 22};
    assert_memory_equal(cell, cell3, sizeof cell3);
    assert_memory_equal(tally, tally3, sizeof tally3);
    assert_true(sum[0] == 1011.0f + 20.0f + 30.0f);
    assert_ptr_equal(host.buffer[CELL], cell); /* same memory */
    vfx_host_destroy(&host);
    vfx_feed_destroy(&feed);
}

static void cpu_loop_in_float(void **state)
{
    (void)state;
    vfx_case kase = toy_case();
    vfx_feed feed;
    assert_vfx_ok(vfx_feed_create(&feed, &kase, NULL));
    vfx_host host = toy_host(&kase);
    assert_vfx_ok(vfx_run_cpu(&kase, &feed, &host, 0, false, true));
    assert_int_equal(feed.frame.index, 0);
    assert_vfx_ok(vfx_run_cpu(&kase, &feed, &host, 1, false, false));
    const float cell1[] = {4.5f, 0.5f, 1.5f, 2.5f, 3.5f};
    assert_memory_equal(host.buffer[CELL], cell1, sizeof cell1);
    assert_true(((float *)host.buffer[SUM])[0] == 10.0f); /* without the once-only stage */
    vfx_host_destroy(&host);
    vfx_feed_destroy(&feed);

    assert_vfx_ok(vfx_feed_create(&feed, &kase, NULL));
    host = toy_host(&kase);
    assert_vfx_ok(vfx_run_cpu(&kase, &feed, &host, 2, false, true)); /* the once-only stage: in the first frame only */
    assert_true(((float *)host.buffer[SUM])[0] == 1001.0f + 10.0f + 20.0f);
    vfx_host_destroy(&host);
    vfx_feed_destroy(&feed);
}

static void reference_views(void **state)
{
    (void)state;
    vfx_case kase = toy_case();
    vfx_host host = toy_host(&kase), other = toy_host(&kase);
    vfx_frame frame = {.index = 3};
    vfx_ref ref;
    vfx_ref_view(&ref, &kase, &frame, NULL, &host, &other);
    assert_null(ref.prev[CELL]);
    assert_ptr_equal(ref.in[CELL], host.buffer[CELL]);
    assert_ptr_equal(ref.out[CELL], other.buffer[CELL]);
    assert_null(ref.in[UNUSED]);
    assert_null(ref.ill[CELL]);
    assert_int_equal(ref.count[CELL], 5);
    assert_int_equal(ref.count[UNUSED], 0);
    assert_ptr_equal(ref.image[0], host.image[0]);
    assert_ptr_equal(ref.frame, &frame);
    vfx_host_destroy(&host);
    vfx_host_destroy(&other);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(host_buffers), cmocka_unit_test(sizes_that_overflow), cmocka_unit_test(feed_frames),
    cmocka_unit_test(cpu_loop),     cmocka_unit_test(cpu_loop_in_float),   cmocka_unit_test(reference_views),
};
VFX_TEST_MAIN(tests)
