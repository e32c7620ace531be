/* core/stats_test.c - statistics against values worked out by hand. */
#include "core/test.h"

#include "core/stats.h"

#include <math.h>

static void close_to(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-12 * fmax(1.0, fabs(wanted))))
        fail_msg("%.17g, wanted %.17g", value, wanted);
}

static void all_nan(const vfx_stats *s)
{
    const double values[] = {s->min, s->p25, s->median, s->p75, s->p95, s->p99, s->max, s->mad, s->mean, s->stdev};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(isnan(values[i]));
}

static void none(void **state)
{
    (void)state;
    vfx_stats s;
    assert_true(vfx_stats_of(NULL, 0, &s));
    assert_int_equal(s.n, 0);
    all_nan(&s);
    assert_true(isnan(vfx_stats_relative_iqr(&s)));
    const double bad[] = {NAN, INFINITY, -INFINITY};
    assert_true(vfx_stats_of(bad, 3, &s));
    assert_int_equal(s.n, 0);
    assert_int_equal(s.dropped, 3);
    all_nan(&s);
}

static void one(void **state)
{
    (void)state;
    const double sample = 7.0;
    vfx_stats s;
    assert_true(vfx_stats_of(&sample, 1, &s));
    assert_int_equal(s.n, 1);
    assert_true(s.min == 7 && s.p25 == 7 && s.median == 7 && s.p99 == 7 && s.max == 7 && s.mean == 7);
    assert_true(s.mad == 0 && s.stdev == 0);
    assert_true(vfx_stats_relative_iqr(&s) == 0);
}

static void two(void **state)
{
    (void)state;
    const double samples[] = {3.0, 1.0};
    vfx_stats s;
    assert_true(vfx_stats_of(samples, 2, &s));
    assert_true(samples[0] == 3.0); /* left alone */
    close_to(s.min, 1);
    close_to(s.p25, 1.5);
    close_to(s.median, 2);
    close_to(s.p75, 2.5);
    close_to(s.p95, 2.9);
    close_to(s.p99, 2.98);
    close_to(s.max, 3);
    close_to(s.mad, 1);
    close_to(s.mean, 2);
    close_to(s.stdev, sqrt(2.0));
    close_to(vfx_stats_relative_iqr(&s), 0.5);
}

/* Sorted: 1 2 4 5 9 12 16 30. Positions: p25 1.75, median 3.5, p75 5.25, p95 6.65, p99 6.93. Distances from the median
 * 7: 2 2 3 5 5 6 9 23, so MAD 5. Sum 79; squares about 9.875: 646.875. */
static void eight_with_gaps(void **state)
{
    (void)state;
    const double samples[] = {16, NAN, 1, 30, 5, INFINITY, 2, 9, 4, 12};
    vfx_stats s;
    assert_true(vfx_stats_of(samples, 10, &s));
    assert_int_equal(s.n, 8);
    assert_int_equal(s.dropped, 2);
    close_to(s.min, 1);
    close_to(s.p25, 3.5);
    close_to(s.median, 7);
    close_to(s.p75, 13);
    close_to(s.p95, 16 + 0.65 * 14);
    close_to(s.p99, 16 + 0.93 * 14);
    close_to(s.max, 30);
    close_to(s.mad, 5);
    close_to(s.mean, 9.875);
    close_to(s.stdev, sqrt(646.875 / 7.0));
    close_to(vfx_stats_relative_iqr(&s), 9.5 / 7.0);
}

static void extremes(void **state)
{
    (void)state;
    const double around_zero[] = {-1, 0, 1};
    vfx_stats s;
    assert_true(vfx_stats_of(around_zero, 3, &s));
    assert_true(s.median == 0 && isnan(vfx_stats_relative_iqr(&s)));
    assert_false(vfx_stats_of(around_zero, SIZE_MAX, &s)); /* no such memory */
    all_nan(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(none),     cmocka_unit_test(one), cmocka_unit_test(two), cmocka_unit_test(eight_with_gaps),
    cmocka_unit_test(extremes),
};
VFX_TEST_MAIN(tests)
