/* core/compare_test.c - the value rules at the edges of float, field decoding, and the running result of a check. */
#include "core/test.h"

#include "core/compare.h"

#include <float.h>
#include <math.h>

#define SMALLEST_NORMAL FLT_MIN
#define SUBNORMAL 0x1p-140f

static const vfx_tolerance exact = {0};
static const vfx_tolerance loose = {.abs = 1e30, .rel = 0.99, .ulp = 0x7fffffff, .scaled = 1e30, .scaled_ulp = 1e30};

/* -------------------------------------------------------------------------------------- ulp and values */

static void ulp_distance(void **state)
{
    (void)state;
    static const struct {
        float a, b;
        uint32_t ulp;
    } rows[] = {
        {1.0f, 1.0f, 0},
        {1.0f, 1.0f + FLT_EPSILON, 1},
        {1.0f, 1.0f - FLT_EPSILON / 2, 1},
        {2.0f, 2.0f - FLT_EPSILON, 1},
        {-1.0f, -1.0f - FLT_EPSILON, 1},
        {0.0f, -0.0f, 0},
        {0.0f, SUBNORMAL, 0}, /* subnormals count as zero */
        {-SUBNORMAL, SUBNORMAL, 0},
        {0.0f, SMALLEST_NORMAL, 1},
        {SUBNORMAL, SMALLEST_NORMAL, 1},
        {-SMALLEST_NORMAL, SMALLEST_NORMAL, 2}, /* across zero */
        {-1.0f, 1.0f, 2u * (0x3f800000u - 0x007fffffu)},
        {FLT_MAX, -FLT_MAX, 2u * (0x7f7fffffu - 0x007fffffu)},
        {FLT_MAX, INFINITY, UINT32_MAX}, /* not 1 */
        {INFINITY, INFINITY, UINT32_MAX},
        {NAN, NAN, UINT32_MAX},
        {NAN, 0.0f, UINT32_MAX},
        {0.0f, -INFINITY, UINT32_MAX},
    };
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        uint32_t forth = vfx_ulp_distance(rows[i].a, rows[i].b), back = vfx_ulp_distance(rows[i].b, rows[i].a);
        if (forth != rows[i].ulp || back != rows[i].ulp)
            fail_msg("ulp(%a, %a) = %u, wanted %u", (double)rows[i].a, (double)rows[i].b, forth, rows[i].ulp);
    }
}

static void ulp_spacing(void **state)
{
    (void)state;
    assert_true(vfx_ulp_of(1.0) == (double)FLT_EPSILON);
    assert_true(vfx_ulp_of(-1.9) == (double)FLT_EPSILON);
    assert_true(vfx_ulp_of(2.0) == 2.0 * (double)FLT_EPSILON);
    assert_true(vfx_ulp_of(0.0) == 0x1p-149);
    assert_true(vfx_ulp_of((double)SMALLEST_NORMAL) == 0x1p-149);
    assert_true(vfx_ulp_of(1e-300) == 0x1p-149);
    assert_true(isnan(vfx_ulp_of(NAN)) && isnan(vfx_ulp_of(INFINITY)));
}

static void value_rules(void **state)
{
    (void)state;
    const vfx_tolerance abs1 = {.abs = 0.5}, rel1 = {.rel = 0.1}, ulp2 = {.ulp = 2}, scaled = {.scaled = 0.01},
                        scaled_ulp = {.scaled_ulp = 2}, either = {.abs = 1e-6, .rel = 1e-3};
    assert_true(vfx_value_agrees(&abs1, 1.0f, 1.5f, 0));
    assert_false(vfx_value_agrees(&abs1, 1.0f, 1.50001f, 0));
    assert_true(vfx_value_agrees(&rel1, 100.0f, 110.0f, 0));
    assert_false(vfx_value_agrees(&rel1, 100.0f, 112.0f, 0));
    assert_true(vfx_value_agrees(&rel1, 0.0f, -0.0f, 0)); /* limit 0, error 0 */
    assert_false(vfx_value_agrees(&rel1, 0.0f, 1e-20f, 0));
    assert_true(vfx_value_agrees(&ulp2, 1.0f, 1.0f + 2 * FLT_EPSILON, 0));
    assert_false(vfx_value_agrees(&ulp2, 1.0f, 1.0f + 3 * FLT_EPSILON, 0));
    assert_true(vfx_value_agrees(&ulp2, -SMALLEST_NORMAL, SMALLEST_NORMAL, 0));
    assert_true(vfx_value_agrees(&scaled, 1.0f, 1.5f, 50.0));
    assert_false(vfx_value_agrees(&scaled, 1.0f, 1.5f, 49.0));
    assert_false(vfx_value_agrees(&scaled, 1.0f, 1.5f, 0.0));
    assert_false(vfx_value_agrees(&scaled, 1.0f, 1.5f, NAN));
    assert_false(vfx_value_agrees(&scaled, 1.0f, 1.0f, NAN));
    assert_false(vfx_value_agrees(&scaled, 1.0f, 1.5f, INFINITY)); /* an infinite limit is no limit */
    assert_true(vfx_value_agrees(&scaled_ulp, 0.0f, 2 * FLT_EPSILON, 1.0));
    assert_false(vfx_value_agrees(&scaled_ulp, 0.0f, 2.1f * FLT_EPSILON, 1.0));
    assert_true(vfx_value_agrees(&either, 0.0f, 1e-7f, 0));
    assert_true(vfx_value_agrees(&either, 1000.0f, 1000.5f, 0));
    assert_false(vfx_value_agrees(&either, 1000.0f, 1002.0f, 0));

    assert_true(vfx_value_agrees(&exact, 1.5f, 1.5f, 0));
    assert_false(vfx_value_agrees(&exact, 1.5f, 1.5f + FLT_EPSILON, 0));
    assert_false(vfx_value_agrees(&exact, 0.0f, -0.0f, 0)); /* bit for bit */
    assert_false(vfx_value_agrees(&exact, 0.0f, SUBNORMAL, 0));
    assert_true(vfx_value_agrees(&exact, SUBNORMAL, SUBNORMAL, 0));
}

static void non_finite_values_never_agree(void **state)
{
    (void)state;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    const float others[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0f, FLT_MAX};
    for (size_t i = 0; i < VFX_COUNT(bad); i++) {
        for (size_t j = 0; j < VFX_COUNT(others); j++) {
            assert_false(vfx_value_agrees(&exact, bad[i], others[j], 1.0));
            assert_false(vfx_value_agrees(&loose, bad[i], others[j], 1.0));
            assert_false(vfx_value_agrees(&loose, others[j], bad[i], 1.0));
        }
    }
    assert_true(vfx_value_agrees(&loose, FLT_MAX, -FLT_MAX, FLT_MAX));
}

static void angles(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 3, 0}, minus_x[3] = {-2, 0, 0}, zero[3] = {0}, bad[3] = {NAN, 0, 0};
    const double near_x[3] = {1, 1e-9, 0}, endless[3] = {INFINITY, 0, 0};
    assert_true(vfx_angle_between(x, x) == 0.0);
    assert_true(fabs(vfx_angle_between(x, y) - acos(0.0)) < 1e-15);
    assert_true(fabs(vfx_angle_between(x, minus_x) - 2 * acos(0.0)) < 1e-15);
    assert_true(fabs(vfx_angle_between(x, near_x) - 1e-9) < 1e-15); /* acos would give 0 */
    assert_true(isnan(vfx_angle_between(x, zero)) && isnan(vfx_angle_between(bad, x)));
    assert_true(isnan(vfx_angle_between(x, endless)));
}

/* ---------------------------------------------------------------------------------------- decoding */

static void decoding(void **state)
{
    (void)state;
    const uint32_t words[4] = {0x3f800000u, 0xfffffffeu, 0xc0003c00u, 0x7c010001u};
    double v[4];
    const vfx_field f32 = {"a", VFX_FIELD_F32, 1, 0, "", ""}, u32 = {"b", VFX_FIELD_U32, 2, 0, "", ""},
                    i32 = {"c", VFX_FIELD_I32, 1, 4, "", ""}, f16 = {"d", VFX_FIELD_F16, 4, 8, "", ""};
    assert_int_equal(vfx_field_decode(&f32, words, v), 1);
    assert_true(v[0] == 1.0);
    assert_int_equal(vfx_field_decode(&u32, words, v), 2);
    assert_true(v[0] == 1065353216.0 && v[1] == 4294967294.0);
    assert_int_equal(vfx_field_decode(&i32, words, v), 1);
    assert_true(v[0] == -2.0);
    assert_int_equal(vfx_field_decode(&f16, words, v), 4);
    assert_true(v[0] == 1.0 && v[1] == -2.0 && v[2] == 0x1p-24 && isnan(v[3]));
    const uint32_t halves[2] = {0x7bff0400u, 0xfc008000u};
    const vfx_field four = {"e", VFX_FIELD_F16, 4, 0, "", ""};
    vfx_field_decode(&four, halves, v);
    assert_true(v[0] == 0x1p-14 && v[1] == 65504.0 && v[2] == 0.0 && signbit(v[2]) && v[3] == -(double)INFINITY);

    const uint32_t colour = 0xff800033u;
    const vfx_field unorm = {"f", VFX_FIELD_UNORM8, 4, 0, "", ""};
    assert_int_equal(vfx_field_decode(&unorm, &colour, v), 4);
    assert_true(v[0] == 0.2 && v[1] == 0.0 && v[2] == 128.0 / 255.0 && v[3] == 1.0);
    assert_int_equal(vfx_field_bits(&unorm, &colour, 2), 0x80);
    assert_int_equal(vfx_field_bits(&f16, words, 1), 0xc000);
}

static void octahedral_decoding(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        double x, y, z;
    } rows[] = {
        {0x00000000u, 0, 0, 1},  {0x00007fffu, 1, 0, 0},  {0x7fff0000u, 0, 1, 0},
        {0x00008001u, -1, 0, 0}, {0x00008000u, -1, 0, 0}, {0x7fff7fffu, 0, 0, -1}, /* corner */
        {0x80018001u, 0, 0, -1},
    };
    const vfx_field oct = {"n", VFX_FIELD_OCT16, 2, 0, "", ""};
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        double v[4];
        assert_int_equal(vfx_field_decode(&oct, &rows[i].code, v), 3);
        if (fabs(v[0] - rows[i].x) > 1e-12 || fabs(v[1] - rows[i].y) > 1e-12 || fabs(v[2] - rows[i].z) > 1e-12)
            fail_msg("%08x gave %g %g %g", rows[i].code, v[0], v[1], v[2]);
    }
    const uint32_t lower = 0x60006000u; /* x = y = 0.75: z = -0.5, folded to (0.25, 0.25) */
    double v[4];
    vfx_field_decode(&oct, &lower, v);
    assert_true(v[2] < 0 && v[0] > 0 && fabs(v[0] - v[1]) < 1e-12 && fabs(v[0] / v[2] + 0.5) < 1e-3);
}

/* ------------------------------------------------------------------------------------- whole checks */

typedef struct item {
    float position[3];
    uint32_t id;
    float normal[3];
    uint32_t code; /* OCT16 */
} item;

enum { ITEMS = 8 };

static uint64_t item_count(const vfx_case *kase)
{
    (void)kase;
    return ITEMS;
}

static const vfx_field fields[] = {
    {"position", VFX_FIELD_F32, 3, 0, "m", ""},
    {"id", VFX_FIELD_U32, 1, 12, "1", ""},
    {"normal", VFX_FIELD_F32, 3, 16, "1", ""},
    {"code", VFX_FIELD_OCT16, 2, 28, "1", ""},
};
static const vfx_buffer buffers[] = {
    {.name = "item",
     .binding = 1,
     .role = VFX_OUTPUT,
     .stride = sizeof(item),
     .fields = fields,
     .field_count = VFX_COUNT(fields),
     .count = item_count},
};
static const vfx_kernel kernel = {.name = "toy", .buffers = buffers, .buffer_count = 1, .free_run_frames = 5};
static const vfx_variant variant = {.name = "basic", .buffers = 1};

static double quarter(const vfx_case *kase)
{
    (void)kase;
    return 0.25;
}

static double scale_of_record(const vfx_ref *ref, uint64_t record)
{
    assert_int_equal(ref->frame->index, 12);
    return (double)record;
}

/* The same for records in a row. */
static void scales_of_records(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    for (uint64_t i = 0; i < count; i++)
        scales[i] = scale_of_record(ref, first + i);
}

static const vfx_check position_check = {
    .buffer = 0, .field = "position", .step = {.abs = 0.01}, .free_run = {.abs = 10}, .reason = "because"};
static const vfx_check id_check = {.buffer = 0, .field = "id", .reason = "exact"};
static const vfx_check normal_check = {.buffer = 0, .field = "normal", .step = {.angle = 1e-3}, .reason = "angle"};
static const vfx_check code_check = {.buffer = 0, .field = "code", .step = {.angle = 1e-3}, .reason = "angle"};
static const vfx_check ill_check = {.buffer = 0, .field = "position", .step = {.abs = 0.01}, .ill_share = quarter};
static const vfx_check scaled_check = {
    .buffer = 0, .field = "position", .step = {.scaled = 0.1}, .scale = scale_of_record};
static const vfx_check scales_check = {
    .buffer = 0, .field = "position", .step = {.scaled = 0.1}, .scales = scales_of_records};

/* Everything a comparison needs, with device = truth = yardstick at first. */
typedef struct bench {
    vfx_case kase;
    vfx_frame frame;
    vfx_ref ref;
    item device[ITEMS], truth[ITEMS], yardstick[ITEMS];
    uint8_t ill[ITEMS];
    vfx_check_result result;
} bench;

static void bench_init(bench *b)
{
    *b = (bench){.kase = {.kernel = &kernel, .variant = &variant, .preset = "ci"}, .frame = {.index = 12}};
    b->ref = (vfx_ref){.kase = &b->kase, .frame = &b->frame, .ill = {b->ill}};
    for (uint32_t i = 0; i < ITEMS; i++)
        b->truth[i] = (item){{(float)i, 1.0f, -1.0f}, 100 + i, {0.0f, 0.0f, 1.0f}, 0};
    memcpy(b->device, b->truth, sizeof b->truth);
    memcpy(b->yardstick, b->truth, sizeof b->truth);
}

static bool bench_fails(bench *b, const vfx_check *check)
{
    b->result = (vfx_check_result){0};
    vfx_compare_field(check, &b->ref, false, b->device, b->truth, b->yardstick, 0, ITEMS, &b->result);
    return vfx_check_failed(check, &b->kase, &b->result);
}

static void equal_buffers_pass(void **state)
{
    (void)state;
    const vfx_check *const checks[] = {&position_check, &id_check, &normal_check, &code_check, &ill_check};
    for (size_t i = 0; i < VFX_COUNT(checks); i++) {
        bench b;
        bench_init(&b);
        assert_false(bench_fails(&b, checks[i]));
        assert_int_equal(b.result.records, ITEMS);
        assert_int_equal(b.result.compared, checks[i] == &position_check || checks[i] == &ill_check ? 24 : 8);
        assert_int_equal(b.result.histogram[0], b.result.compared);
        assert_true(b.result.worst_device == 0.0 && b.result.worst_float == 0.0);
    }
}

static void first_worst_and_histogram(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.device[1].position[0] += 0.001f; /* ratio 0.1 */
    b.device[2].position[1] += 0.004f; /* 0.4 */
    b.device[3].position[2] += 0.015f; /* 1.5: first failure */
    b.device[5].position[0] += 0.5f;   /* 50: worst */
    b.device[6].position[0] += 0.1f;   /* 10 */
    b.yardstick[4].position[0] += 0.005f;
    assert_true(bench_fails(&b, &position_check));
    assert_int_equal(b.result.failed, 3);
    assert_int_equal(b.result.first.frame, 12);
    assert_int_equal(b.result.first.record, 3);
    assert_int_equal(b.result.first.component, 2);
    assert_true(b.result.first.device == (double)b.device[3].position[2] && b.result.first.truth == -1.0);
    assert_string_equal(b.result.first.rule, "abs");
    assert_int_equal(b.result.worst.record, 5);
    assert_true(fabs(b.result.worst_device - 50.0) < 0.01);
    assert_true(b.result.worst.limit == 0.01 && fabs(b.result.worst.error - 0.5) < 1e-6);
    assert_true(fabs(b.result.worst_float - 0.5) < 0.01);
    const uint64_t histogram[VFX_HISTOGRAM_BINS] = {19, 1, 0, 1, 0, 1, 1, 1};
    assert_memory_equal(b.result.histogram, histogram, sizeof histogram);

    /* the looser free-run rule, a part of the records, results that add up, no yardstick */
    vfx_check_result sum = {0};
    vfx_compare_field(&position_check, &b.ref, true, b.device, b.truth, NULL, 0, ITEMS, &sum);
    assert_int_equal(sum.failed, 0);
    vfx_compare_field(&position_check, &b.ref, false, b.device, b.truth, NULL, 5, 1, &sum);
    assert_int_equal(sum.failed, 1);
    assert_int_equal(sum.first.record, 5);
    assert_int_equal(sum.records, ITEMS + 1);
}

static void nan_and_unwritten_fail(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.device[7].position[1] = NAN;
    assert_true(bench_fails(&b, &position_check));
    assert_int_equal(b.result.failed, 1);
    assert_true(isinf(b.result.worst_device) && isnan(b.result.first.device));
    assert_false(b.result.first.unwritten);
    b.truth[7].position[1] = NAN; /* the reference agrees: still wrong */
    assert_true(bench_fails(&b, &position_check));
    b.device[7].position[1] = INFINITY;
    b.truth[7].position[1] = INFINITY;
    assert_true(bench_fails(&b, &position_check));

    bench_init(&b);
    const uint32_t poison = VFX_POISON_WORD;
    memcpy(&b.device[7].position[1], &poison, sizeof poison);
    memcpy(&b.device[7].id, &poison, sizeof poison);
    memcpy(&b.device[7].normal[0], &poison, sizeof poison);
    b.device[7].code = poison;
    assert_true(bench_fails(&b, &position_check) && b.result.first.unwritten);
    assert_true(bench_fails(&b, &id_check) && b.result.first.unwritten);
    assert_true(bench_fails(&b, &normal_check) && b.result.first.unwritten);
    assert_true(bench_fails(&b, &code_check) && b.result.first.unwritten);
}

static void integers_are_exact(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.truth[3].id = 16777216u; /* these two are equal as floats */
    b.device[3].id = 16777217u;
    assert_true(bench_fails(&b, &id_check));
    assert_int_equal(b.result.failed, 1);
    assert_true(b.result.first.error == 1.0 && b.result.first.limit == 0.0);
    assert_true(isinf(b.result.worst_device));
    assert_string_equal(b.result.first.rule, "equal");
    b.device[3].id = b.truth[3].id = UINT32_MAX;
    assert_false(bench_fails(&b, &id_check));
}

static void unit_vectors_by_angle(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.device[2].normal[0] = 0.0009f;
    assert_false(bench_fails(&b, &normal_check));
    assert_true(fabs(b.result.worst_device - 0.9) < 0.001);
    b.device[2].normal[0] = 0.0011f;
    assert_true(bench_fails(&b, &normal_check));
    assert_string_equal(b.result.first.rule, "angle");
    assert_int_equal(b.result.first.component, 0);

    b.device[2] = b.truth[2];
    b.device[2].normal[2] = 1.00002f; /* right direction, wrong length */
    assert_true(bench_fails(&b, &normal_check));
    assert_string_equal(b.result.first.rule, "length");
    b.device[2].normal[2] = 1.000005f;
    assert_false(bench_fails(&b, &normal_check));
    b.device[2].normal[2] = 0.0f; /* no direction */
    assert_true(bench_fails(&b, &normal_check));

    b.device[4].code = 32; /* 32 / 32767 rad */
    assert_false(bench_fails(&b, &code_check));
    b.device[4].code = 34;
    assert_true(bench_fails(&b, &code_check));
    const vfx_check code_exact = {.buffer = 0, .field = "code"};
    b.device[4].code = 0x00008000u; /* another code of the same vector */
    b.truth[4].code = 0x00008001u;
    assert_true(bench_fails(&b, &code_exact));
}

static void scale_by_record(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.device[5].position[0] += 0.4f; /* limit 0.5 */
    assert_false(bench_fails(&b, &scaled_check));
    b.device[3].position[0] += 0.4f; /* limit 0.3 */
    assert_true(bench_fails(&b, &scaled_check));
    assert_int_equal(b.result.first.record, 3);
    b.device[0].position[0] += 0.1f; /* limit 0 */
    assert_true(bench_fails(&b, &scaled_check));
    assert_true(isinf(b.result.worst_device) && b.result.worst.record == 0);
}

/* Scales of records in a row: asked for from the first record that differs, in spans. */
static void scales_in_a_row(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static item device[MANY], truth[MANY];
    bench b;
    bench_init(&b);
    for (uint32_t i = 0; i < MANY; i++) {
        truth[i] = (item){{1.0f, 2.0f, 3.0f}, i, {0.0f, 0.0f, 1.0f}, 0};
        device[i] = truth[i];
        if (i >= 20 && i % 3 == 0) /* ratio 1e-3 / (0.1 i) */
            device[i].position[1] += 1e-3f;
    }
    vfx_check_result one = {0}, row = {0};
    vfx_compare_field(&scaled_check, &b.ref, false, device, truth, device, 7, MANY - 7, &one);
    vfx_compare_field(&scales_check, &b.ref, false, device, truth, device, 7, MANY - 7, &row);
    assert_int_equal(row.compared, 3 * (MANY - 7));
    assert_memory_equal(row.histogram, one.histogram, sizeof one.histogram);
    assert_true(row.worst_device == one.worst_device && row.worst_float == one.worst_float);
    assert_int_equal(row.worst.record, 21);
    device[999].position[0] += 200.0f; /* limit 99.9 */
    vfx_compare_field(&scales_check, &b.ref, false, device, truth, NULL, 0, MANY, &row);
    assert_int_equal(row.failed, 1);
    assert_int_equal(row.first.record, 999);
}

static void ill_conditioned_records(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.ill[1] = b.ill[2] = 1;
    b.device[1].position[0] += 1.0f;
    b.yardstick[1].position[0] += 1.0f;
    b.device[2].position[1] += 1.0f;
    assert_false(bench_fails(&b, &ill_check)); /* 2 of 8 let off */
    assert_int_equal(b.result.ill, 2);
    assert_int_equal(b.result.failed, 0);
    assert_int_equal(b.result.compared, 18);
    assert_true(b.result.worst_float == 0.0);
    assert_true(bench_fails(&b, &position_check)); /* a row without a share lets nothing off */
    assert_int_equal(b.result.ill, 0);

    b.ill[3] = 1; /* 3 of 8 marks are too many, even where the values are right */
    assert_true(bench_fails(&b, &ill_check));
    assert_int_equal(b.result.failed, 0);
    char text[2048];
    vfx_check_format(&ill_check, &b.kase, &b.result, text, sizeof text);
    assert_non_null(strstr(text, "37.5 % of records are ill-conditioned, allowed 25 %"));

    b.device[3].position[2] = -1.0f;
    b.device[2].position[1] = NAN; /* a mark does not excuse NaN */
    assert_true(bench_fails(&b, &ill_check));
    assert_int_equal(b.result.failed, 1);
    b.ref.ill[0] = NULL;
    assert_true(bench_fails(&b, &ill_check));
    assert_int_equal(b.result.ill, 0);
}

/* -------------------------------------------------------------------------------------------- texts */

static void texts(void **state)
{
    (void)state;
    char text[2048];
    const vfx_tolerance scaled_ulp = {.scaled_ulp = 8}, two = {.abs = 1e-5, .ulp = 4}, angle = {.angle = 0.001};
    vfx_tolerance_format(&scaled_ulp, text, sizeof text);
    assert_string_equal(text, "|a-b| <= 8 ulp(scale)");
    vfx_tolerance_format(&two, text, sizeof text);
    assert_string_equal(text, "|a-b| <= 1e-05 or ulp(a,b) <= 4");
    vfx_tolerance_format(&angle, text, sizeof text);
    assert_string_equal(text, "angle(a,b) <= 0.001 rad");
    vfx_tolerance_format(&exact, text, sizeof text);
    assert_string_equal(text, "a = b bit for bit");
    vfx_tolerance_format(&two, text, 6);
    assert_string_equal(text, "|a-b|");

    bench b;
    bench_init(&b);
    b.device[3].position[2] = -0.9f;
    assert_true(bench_fails(&b, &position_check));
    vfx_check_format(&position_check, &b.kase, &b.result, text, sizeof text);
    static const char *const parts[] = {
        "toy/basic/ci: buffer item, field position, first failure: frame 12, record 3, component 2",
        "device  -0.899999976 (-0x1.cccccc",
        "truth   -1 (-0x1p+0)",
        "differ  0.1",
        "limit 0.01 by the rule \"abs\"",
        "1 of 24 values in 8 records failed",
        "0: 23",
        "<=16: 1",
        "step-locked rule: |a-b| <= 0.01",
        "free-run rule: |a-b| <= 10",
        "reason: because"};
    for (size_t i = 0; i < VFX_COUNT(parts); i++)
        if (strstr(text, parts[i]) == NULL)
            fail_msg("\"%s\" is missing in:\n%s", parts[i], text);
    char tiny[16];
    vfx_check_format(&position_check, &b.kase, &b.result, tiny, sizeof tiny);
    assert_int_equal(strlen(tiny), sizeof tiny - 1);

    const uint32_t poison = VFX_POISON_WORD;
    memcpy(&b.device[0].position[0], &poison, sizeof poison);
    assert_true(bench_fails(&b, &position_check));
    vfx_check_format(&position_check, &b.kase, &b.result, text, sizeof text);
    assert_non_null(strstr(text, "never written: the word still holds the poison 0x7fc0dead"));
}

static void hashes(void **state)
{
    (void)state;
    assert_true(vfx_hash(VFX_HASH_START, "", 0) == VFX_HASH_START);
    assert_true(vfx_hash(VFX_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cull); /* published test vectors */
    assert_true(vfx_hash(VFX_HASH_START, "foobar", 6) == 0x85944171f73967e8ull);
    assert_true(vfx_hash(vfx_hash(VFX_HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8ull);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ulp_distance),
    cmocka_unit_test(ulp_spacing),
    cmocka_unit_test(value_rules),
    cmocka_unit_test(non_finite_values_never_agree),
    cmocka_unit_test(angles),
    cmocka_unit_test(decoding),
    cmocka_unit_test(octahedral_decoding),
    cmocka_unit_test(equal_buffers_pass),
    cmocka_unit_test(first_worst_and_histogram),
    cmocka_unit_test(nan_and_unwritten_fail),
    cmocka_unit_test(integers_are_exact),
    cmocka_unit_test(unit_vectors_by_angle),
    cmocka_unit_test(scale_by_record),
    cmocka_unit_test(scales_in_a_row),
    cmocka_unit_test(ill_conditioned_records),
    cmocka_unit_test(texts),
    cmocka_unit_test(hashes),
};
VFX_TEST_MAIN(tests)
