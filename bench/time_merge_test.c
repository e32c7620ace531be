/* bench/time_merge_test.c - launches put together: medians of medians, pooled samples, passes, rates, what is gravest;
 * numbers that cannot be true are named, others are not. */
#include "core/test.h"

#include "bench/time_report.h"

#include <math.h>

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

static vfx_traffic gigabyte(const vfx_case *kase)
{
    (void)kase;
    return (vfx_traffic){5e8, 5e8, 2e9};
}

static const vfx_pass passes[] = {{.name = "index", .once = true}, {.name = "update", .traffic = gigabyte}};
static const vfx_variant variant = {.name = "plain", .passes = passes, .pass_count = 2, .buffers = 1};
static const vfx_buffer buffers[] = {{.name = "leaf", .role = VFX_OUTPUT, .count = ten}};
static const vfx_kernel ivy = {.name = "ivy", .buffers = buffers, .buffer_count = 1, .batches = three};
static const vfx_case kase = {.kernel = &ivy, .variant = &variant};

/* Launch `number` with these samples, in ms; every pass sample is `pass_ms`. */
static json_t *launch_of(uint32_t number, const double *ms, uint32_t runs, double pass_ms, cmd_drift_state drift,
                         const char *stop, double ceiling)
{
    double samples[8], series[] = {ms[0] * 1e6, ms[0] * 2e6}, pass_samples[] = {NAN, pass_ms * 1e6};
    cmd_timing timing = {.samples_ns = samples,
                         .runs = runs,
                         .series_ns = series,
                         .frames = 2,
                         .pass_ns = {NAN, pass_ms * 1e6},
                         .pass_samples_ns = pass_samples,
                         .pass_count = 2,
                         .pass_runs = 1,
                         .warmup_runs = 1,
                         .warmup_ns = 3e8,
                         .gpu_ns = 1e9,
                         .wall_ns = 2e9,
                         .probe_before_ns = 100.0,
                         .probe_after_ns = 101.0,
                         .drift = drift,
                         .first_ns = 5e5,
                         .sustained_ns = 7e5,
                         .stop = stop};
    for (uint32_t i = 0; i < runs; i++)
        samples[i] = ms[i] * 1e6;
    assert_true(vfx_stats_of(samples, runs, &timing.stats));
    const vfx_ceilings ceilings = {.copy_bytes_per_s = ceiling, .empty_pair_ns = 1000.0 * number};
    json_t *object = json_object();
    cmd_time_report(object, &kase, &timing, number, &ceilings, false, "none here");
    return object;
}

static void near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%.17g instead of %.17g", value, wanted);
}

static double at(const json_t *object, const char *key)
{
    return cmd_number_at(object, key);
}

static void test_three_launches(void **state)
{
    (void)state;
    static const double one[] = {1.0, 1.2, 1.1}, two[] = {2.0, 2.0, 2.0}, three_ms[] = {1.5, 1.4, 1.6, 1.5};
    json_t *object = launch_of(1, one, 3, 0.8, CMD_STEADY, "steady", 1e12);
    json_t *b = launch_of(2, two, 3, 1.0, CMD_POWER_CAPPED, "cap", 2e12);
    json_t *c = launch_of(3, three_ms, 4, 0.9, CMD_UNSTABLE, "stable", 1e12);
    json_t *work = cmd_json_object(object, "work");
    cmd_json_number(work, "units", 1e6, "");
    cmd_json_number(cmd_json_object(object, "cpu"), "frame_ns", 3e9, "");
    assert_true(cmd_time_join(object, b) && cmd_time_join(object, c));
    assert_vfx_ok(cmd_time_finish(object));
    const json_t *timing = json_object_get(object, "timing"), *stats = json_object_get(timing, "frame_ns");
    const json_t *launches = json_object_get(timing, "launches"), *second = json_array_get(launches, 1);
    assert_int_equal(json_array_size(launches), 3);
    near(at(timing, "median_ns"), 1.5e6);
    near(at(timing, "launch_spread"), (2.0 - 1.1) / 1.5);
    assert_string_equal(cmd_text_at(stats, "n"), "10");
    near(at(stats, "median"), 1.5e6);
    near(at(stats, "max"), 2e6);
    assert_int_equal(json_array_size(json_object_get(timing, "samples_ns")), 10);
    near(json_number_value(json_array_get(json_object_get(timing, "samples_ns"), 3)), 2e6);
    assert_string_equal(cmd_text_at(timing, "state"), "power-capped");
    assert_string_equal(cmd_text_at(timing, "stop"), "cap");
    near(at(timing, "runs"), 10.0);
    near(at(timing, "warmup_ns"), 9e8);
    near(at(timing, "empty_pair_ns"), 2000.0);
    near(at(second, "launch"), 2.0);
    near(at(second, "median_ns"), 2e6);
    assert_string_equal(cmd_text_at(second, "state"), "power-capped");
    near(at(second, "first_50ms_ns"), 5e5);
    near(at(second, "sustained_ns"), 7e5);
    near(at(second, "probe_after_ns"), 101.0);
    assert_null(json_object_get(second, "frame_series_ns"));
    assert_null(json_object_get(json_array_get(launches, 0), "first_50ms_ns"));
    const json_t *series = json_object_get(timing, "frame_series_ns");
    near(json_number_value(json_array_get(series, 1)), 3e6); /* of 2, 4 and 3 ms */
    const json_t *once = json_array_get(json_object_get(timing, "passes"), 0);
    const json_t *update = json_array_get(json_object_get(timing, "passes"), 1);
    assert_true(json_is_null(json_object_get(once, "median_ns")));
    assert_string_equal(cmd_text_at(once, "median_ns_reason"), "runs before the first frame, not in it");
    near(at(update, "median_ns"), 0.9e6);
    assert_int_equal(json_array_size(json_object_get(update, "samples_ns")), 3);
    const json_t *rates = json_object_get(timing, "rates");
    near(at(rates, "bytes_per_s"), 1e9 / 1.5e-3);
    near(at(rates, "flops_per_s"), 2e9 / 1.5e-3);
    /* of its own launch's ceiling: 0.909, 0.25, 0.667 */
    near(at(rates, "ceiling_share"), 1e9 / 1.5e-3 / 1e12);
    near(at(rates, "floor_ns"), 1e6);
    near(at(rates, "items"), 30.0); /* a frame makes the records of all its batches */
    near(at(rates, "items_per_s"), 30.0 / 1.5e-3);
    near(at(work, "ps_each"), 1.5e6 * 1e3 / 1e6);
    near(at(json_object_get(object, "cpu"), "gpu_is_faster_by"), 2000.0);
    assert_true(json_is_null(json_object_get(second, "sensors")));
    assert_string_equal(cmd_text_at(second, "sensors_reason"), "none here");
    json_decref(object);
    json_decref(b);
    json_decref(c);
}

/* One launch has no spread, and a case without times stays as it is. */
static void test_one_launch(void **state)
{
    (void)state;
    static const double ms[] = {1.0, 3.0, 2.0};
    json_t *object = launch_of(1, ms, 3, 0.5, CMD_STEADY, "runs", 1e12), *none = json_object();
    assert_vfx_ok(cmd_time_finish(object));
    const json_t *timing = json_object_get(object, "timing");
    near(at(timing, "median_ns"), 2e6);
    assert_true(json_is_null(json_object_get(timing, "launch_spread")));
    assert_string_equal(cmd_text_at(timing, "launch_spread_reason"), "fewer than two launches");
    assert_string_equal(cmd_text_at(timing, "state"), "steady");
    assert_string_equal(cmd_text_at(timing, "stop"), "runs");
    assert_vfx_ok(cmd_time_finish(none));
    assert_int_equal(json_object_size(none), 0);
    assert_false(cmd_time_join(object, none));
    assert_false(cmd_time_join(none, object));
    json_decref(object);
    json_decref(none);
}

static void expect(double frame_ms, double pass_ms, double ceiling, bool noisy, const char *part)
{
    char text[512];
    json_t *object = launch_of(1, &frame_ms, 1, pass_ms, CMD_STEADY, "cap", ceiling);
    assert_vfx_ok(cmd_time_finish(object));
    cmd_time_implausible(json_object_get(object, "timing"), noisy, text, sizeof text);
    if ((part == NULL) != (*text == '\0') || (part != NULL && strstr(text, part) == NULL))
        fail_msg("frame %g ms, pass %g ms, ceiling %g: \"%s\"", frame_ms, pass_ms, ceiling, text);
    json_decref(object);
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

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_three_launches), cmocka_unit_test(test_one_launch),
                                          cmocka_unit_test(test_implausible)};
VFX_TEST_MAIN(tests)
