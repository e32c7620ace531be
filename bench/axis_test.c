/* bench/axis_test.c - ranges and lists of a sweep, their combinations and names, what is refused; how times grow. */
#include "core/test.h"

#include "bench/axis.h"

#include <math.h>

static vfx_status parse(cmd_axes *axes, const char *const texts[])
{
    cmd_values values = {{NULL}, 0};
    for (; texts[values.count] != NULL; values.count++)
        values.items[values.count] = texts[values.count];
    return cmd_axes_parse(axes, &values);
}

#define PARSE(axes, ...) parse(axes, (const char *const[]){__VA_ARGS__, NULL})

static void expect(const char *text, const char *wanted, bool numeric)
{
    cmd_axes axes;
    char got[1024] = "";
    assert_vfx_ok(PARSE(&axes, text));
    for (uint32_t i = 0; i < axes.rows[0].count; i++) {
        size_t used = strlen(got);
        (void)snprintf(got + used, sizeof got - used, "%s%s", i > 0 ? " " : "", axes.rows[0].values[i]);
    }
    assert_string_equal(got, wanted);
    assert_int_equal(axes.rows[0].numeric, numeric);
    assert_string_equal(axes.rows[0].name, "n");
}

static void test_values(void **state)
{
    (void)state;
    expect("n=1k:16k:*2", "1000 2000 4000 8000 16000", true);
    expect("n=1k:15k:*2", "1000 2000 4000 8000", true);
    expect("n=100:1M:*10", "100 1000 10000 100000 1000000", true);
    expect("n=0.1:0.5:+0.1", "0.1 0.2 0.3 0.4 0.5", true);
    expect("n=0:4:+2", "0 2 4", false); /* 0 has no logarithm */
    expect("n=3:3:*2", "3", true);
    expect("n=1k,5k,1M", "1k 5k 1M", true);
    expect("n=5,3", "5 3", false);
    expect("n=off,global", "off global", false);
    expect("n=off", "off", false);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"n",         "=1",         "n=",         "n=1,,2",    "n=1:2",     "n=1:2:3",
                                        "n=2:1:*2",  "n=1:2:*1",   "n=0:2:*2",   "n=1:2:+0",  "n=1:2:+-1", "n=1:x:*2",
                                        "n=1:2:*2x", "n=1:100:+1", "n=nan:2:*2", "n=1:inf:*2"};
    cmd_axes axes;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (PARSE(&axes, wrong[i]) != VFX_USAGE || strstr(vfx_message(), wrong[i]) == NULL)
            fail_msg("'%s': %s", wrong[i], vfx_message());
    }
    assert_vfx_fails(PARSE(&axes, "n=1,2", "m=1", "n=3"), VFX_USAGE, "n has an axis already");
    assert_vfx_fails(PARSE(&axes, "a=1:64:+1", "b=1:64:+1", "c=1:64:+1"), VFX_USAGE, "262144 combinations");
}

static void test_points(void **state)
{
    (void)state;
    cmd_axes axes;
    char label[CMD_AXIS_LABEL];
    static const char *const labels[] = {"s=off,n=1", "s=off,n=2", "s=off,n=4", "s=on,n=1", "s=on,n=2", "s=on,n=4"};
    assert_vfx_ok(PARSE(&axes, "s=off,on", "n=1:4:*2"));
    assert_int_equal(cmd_axes_points(&axes), 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_vfx_ok(cmd_axes_label(&axes, i, label));
        assert_string_equal(label, labels[i]);
    }
    assert_int_equal(cmd_axes_first_numeric(&axes), 1);
    assert_vfx_ok(PARSE(&axes, "s=off,on", "n=7"));
    assert_int_equal(cmd_axes_first_numeric(&axes), UINT32_MAX); /* one value is no axis to grow along */
    cmd_axes none = {0};
    assert_int_equal(cmd_axes_points(&none), 1);
    assert_vfx_ok(cmd_axes_label(&none, 0, label));
    assert_string_equal(label, "");
}

static void test_growth(void **state)
{
    (void)state;
    static const double x[] = {1e3, 2e3, 4e3, 8e3, 16e3};
    static const double line[] = {3.0, 6.0, 12.0, 24.0, 48.0}, flat[] = {5.0, 5.0, 5.0, 5.0, 5.0};
    static const double knee[] = {5.0, 5.5, 7.0, 13.0, 26.0}, holes[] = {NAN, 6.0, 0.0, 24.0, INFINITY};
    cmd_growth growth = cmd_growth_of(x, line, 5);
    assert_true(fabs(growth.exponent - 1.0) < 1e-12 && fabs(growth.knee - 1e3) < 1e-6 && growth.points == 5);
    growth = cmd_growth_of(x, flat, 5);
    assert_true(fabs(growth.exponent) < 1e-12 && isnan(growth.knee));
    growth = cmd_growth_of(x, knee, 5); /* local exponents 0.14, 0.35, 0.89, 1 */
    assert_true(fabs(growth.knee - 4e3) < 1e-6);
    assert_true(growth.exponent > 0.5 && growth.exponent < 0.7);
    growth = cmd_growth_of(x, holes, 5);
    assert_true(growth.points == 2 && fabs(growth.exponent - 1.0) < 1e-12 && fabs(growth.knee - 2e3) < 1e-6);
    growth = cmd_growth_of(x, line, 1);
    assert_true(isnan(growth.exponent) && isnan(growth.knee) && growth.points == 1);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_refused),
                                          cmocka_unit_test(test_points), cmocka_unit_test(test_growth)};
VFX_TEST_MAIN(tests)
