/* bench/timing_test.c - when sampling stops, what the drift probe's two times mean, when a device must be warmed up
 * again. */
#include "core/test.h"

#include "bench/timing.h"

#include <math.h>

static const cmd_timing_rule rule = {
    .min_runs = 10, .min_gpu_ns = 5e8, .relative_iqr = 0.02, .median_move = 0.005, .cap_ns = 15e9};

static void expect(uint32_t runs, double gpu_s, double wall_s, double iqr, double move, const char *wanted)
{
    const cmd_timing_progress progress = {runs, gpu_s * 1e9, wall_s * 1e9, iqr, move};
    const char *stop = cmd_timing_stop(&rule, &progress);
    if ((stop == NULL) != (wanted == NULL) || (wanted != NULL && strcmp(stop, wanted) != 0))
        fail_msg("%u runs, %g s, %g s, IQR %g, move %g: %s instead of %s", (unsigned)runs, gpu_s, wall_s, iqr, move,
                 stop != NULL ? stop : "on", wanted != NULL ? wanted : "on");
}

static void test_stop(void **state)
{
    (void)state;
    expect(9, 1.0, 1.0, 0.0, NAN, NULL);
    expect(10, 0.4, 1.0, 0.0, NAN, NULL);
    expect(10, 0.5, 1.0, 0.02, NAN, "steady");
    expect(10, 0.5, 1.0, 0.021, NAN, NULL);
    expect(20, 0.5, 1.0, 0.3, 0.005, "stable");
    expect(20, 0.5, 1.0, 0.3, 0.0051, NULL);
    expect(20, 0.4, 1.0, 0.3, 0.0, NULL);
    expect(20, 0.5, 1.0, NAN, NAN, NULL);
    expect(999, 100.0, 14.9, 0.3, NAN, NULL);
    expect(1000, 0.1, 14.9, 0.3, NAN, "runs");
    expect(1, 0.0, 15.0, INFINITY, NAN, "cap"); /* wins over all of it, but for one run */
    expect(0, 0.0, 99.0, INFINITY, NAN, NULL);
}

static void test_doubling(void **state)
{
    (void)state;
    const cmd_timing_rule few = {.min_runs = 1};
    for (uint32_t runs = 1; runs <= 200; runs++) {
        bool at = runs == 20 || runs == 40 || runs == 80 || runs == 160;
        bool at_few = runs == 8 || runs == 16 || runs == 32 || runs == 64 || runs == 128;
        assert_int_equal(cmd_timing_doubled(&rule, runs), at);
        assert_int_equal(cmd_timing_doubled(&few, runs), at_few);
    }
}

static void test_drift(void **state)
{
    (void)state;
    assert_string_equal(cmd_drift_name(cmd_drift_of(100.0, 103.0, false)), "steady");
    assert_string_equal(cmd_drift_name(cmd_drift_of(100.0, 97.0, false)), "steady");
    assert_string_equal(cmd_drift_name(cmd_drift_of(100.0, 103.1, false)), "power-capped");
    assert_string_equal(cmd_drift_name(cmd_drift_of(100.0, 103.1, true)), "unstable");
    assert_string_equal(cmd_drift_name(cmd_drift_of(100.0, 96.9, false)), "unstable");
    assert_string_equal(cmd_drift_name(cmd_drift_of(NAN, 96.9, false)), "steady");
    assert_string_equal(cmd_drift_name(cmd_drift_of(100.0, NAN, false)), "steady");
}

static void test_cooled(void **state)
{
    (void)state;
    const uint64_t second = 1000000000u;
    assert_false(cmd_timing_cooled(5 * second, 6 * second));
    assert_true(cmd_timing_cooled(5 * second, 6 * second + 1));
    assert_false(cmd_timing_cooled(5 * second, 4 * second));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_stop), cmocka_unit_test(test_doubling),
                                          cmocka_unit_test(test_drift), cmocka_unit_test(test_cooled)};
VFX_TEST_MAIN(tests)
