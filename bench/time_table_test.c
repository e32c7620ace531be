/* bench/time_table_test.c - numbers that cannot be true are named, others are not; uploads and batches are shown. */
#include "core/test.h"

#include "bench/time_table.h"

#include <math.h>

static vfx_traffic gigabyte(const vfx_case *kase)
{
    (void)kase;
    return (vfx_traffic){5e8, 5e8, 0.0};
}

static const vfx_pass passes[] = {{.name = "index", .once = true}, {.name = "update", .traffic = gigabyte}};
static const vfx_variant variant = {.name = "plain", .passes = passes, .pass_count = 2};
static const vfx_kernel ivy = {.name = "ivy"};
static const vfx_case kase = {.kernel = &ivy, .variant = &variant};

static void expect(double frame_ms, double pass_ms, double ceiling, bool noisy, const char *part)
{
    char text[512];
    const cmd_timing timing = {.stats = {.median = frame_ms * 1e6}, .pass_count = 2, .pass_ns = {NAN, pass_ms * 1e6}};
    const vfx_ceilings ceilings = {.copy_bytes_per_s = ceiling};
    cmd_time_implausible(&kase, &timing, &ceilings, noisy, text, sizeof text);
    if ((part == NULL) != (*text == '\0') || (part != NULL && strstr(text, part) == NULL))
        fail_msg("frame %g ms, pass %g ms, ceiling %g: \"%s\"", frame_ms, pass_ms, ceiling, text);
}

static void test_implausible(void **state)
{
    (void)state;
    expect(1.0, 0.9, 1e12, false, NULL);
    expect(1.0, NAN, 1e12, false, NULL);
    expect(1.0, 0.9, 0.0, false, NULL);     /* no ceiling measured */
    expect(1.0, 0.9, 0.85e12, false, NULL); /* 1.18 times the ceiling */
    expect(1.0, 0.9, 0.8e12, false, "implausible: 1000 GB/s are 1.25 times what the device's copy reaches");
    expect(1.0, 1.1, 1e12, false, "implausible: a frame of 1 ms is shorter than its pass update of 1.1 ms");
    expect(1.0, 1.1, 0.5e12, false, "; 1000 GB/s are 2.00 times");
    expect(1.0, 1.1, 1e12, true, NULL);
    expect(1.0, 1.1, 0.5e12, true, "implausible: 1000 GB/s are 2.00 times");
}

static void expect_upload(uint64_t bytes, const char *mode, double gpu_ns, const char *wanted)
{
    char text[128];
    cmd_upload upload = {.bytes = bytes, .host_ns = {.median = 0.97e6}, .gpu_ns = {.median = gpu_ns}};
    (void)snprintf(upload.mode, sizeof upload.mode, "%s", mode);
    cmd_upload_format(&upload, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void test_upload_line(void **state)
{
    (void)state;
    expect_upload(0, "", NAN, "");
    expect_upload(9216000, "single", 0.19e6, "0.97 ms host, 0.19 ms GPU, 9.22 MB (single)");
    expect_upload(896, "mapped", 0.0, "0.97 ms host, 0 ms GPU, 896 B (mapped)");
    expect_upload(24000, "texture", NAN, "0.97 ms host, - ms GPU, 24 kB (texture)");
}

/* The column is there from the first case on that uploads something; rows before it stay empty in it. */
static void test_upload_column(void **state)
{
    (void)state;
    cmd_table table = {0};
    cmd_timing none = {0}, some = {.upload = {.bytes = 5, .mode = "single"}};
    assert_vfx_ok(cmd_time_head(&table));
    const uint32_t columns = table.column_count;
    assert_vfx_ok(cmd_table_row(&table));
    assert_vfx_ok(cmd_time_upload_cell(&table, &none));
    assert_int_equal(table.column_count, columns);
    assert_vfx_ok(cmd_table_row(&table));
    assert_vfx_ok(cmd_time_upload_cell(&table, &some));
    assert_int_equal(table.column_count, columns + 1);
    assert_string_equal(table.cells[columns], "upload");
    assert_null(table.cells[CMD_TABLE_COLUMNS + columns]);
    assert_non_null(strstr(table.cells[2 * CMD_TABLE_COLUMNS + columns], "5 B (single)"));
    cmd_table_free(&table);
}

static uint64_t ten(const vfx_case *unused)
{
    (void)unused;
    return 10;
}

static uint32_t three(const vfx_case *unused)
{
    (void)unused;
    return 3;
}

/* A frame makes the records of all its batches. */
static void test_items_of_batches(void **state)
{
    (void)state;
    static const vfx_buffer rows[] = {{.name = "leaf", .role = VFX_OUTPUT, .count = ten}};
    static const vfx_kernel batched = {.name = "ivy", .buffers = rows, .buffer_count = 1, .batches = three};
    static const vfx_variant bound = {.name = "plain", .buffers = 1};
    const vfx_case one = {.kernel = &batched, .variant = &bound};
    const vfx_ceilings ceilings = {0};
    assert_float_equal(cmd_rates_of(&one, 1e9, &ceilings).items, 30.0, 0.0);
    assert_float_equal(cmd_rates_of(&one, 1e9, &ceilings).items_per_s, 30.0, 1e-9);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_implausible), cmocka_unit_test(test_upload_line),
                                          cmocka_unit_test(test_upload_column),
                                          cmocka_unit_test(test_items_of_batches)};
VFX_TEST_MAIN(tests)
