/* core/timer_test.c - intervals from fake counters. */
#include "core/test.h"

#include "core/kernel.h"
#include "core/timer.h"

#include <math.h>

#define BITS36 0xfffffffffull
#define SECOND 1e9

static const struct {
    const char *what;
    vfx_stamp begin, end;
    uint32_t valid_bits;
    double period_ns, host_ns;
    vfx_interval_state state;
    double ns; /* of a valid one */
} rows[] = {
    {"plain", {100, 1}, {1100, 1}, 64, 1.0, SECOND, VFX_INTERVAL_VALID, 1000.0},
    {"period 52.08", {100, 1}, {1100, 1}, 36, 52.08, SECOND, VFX_INTERVAL_VALID, 52080.0}, /* not 52000 */
    {"period 0.5", {100, 1}, {1101, 1}, 36, 0.5, SECOND, VFX_INTERVAL_VALID, 500.5},       /* not 0 */
    {"one tick", {7, 1}, {8, 1}, 36, 52.08, SECOND, VFX_INTERVAL_VALID, 52.08},
    {"as long as the host", {1, 1}, {1001, 1}, 64, 1.0, 1000.0, VFX_INTERVAL_VALID, 1000.0},
    {"36 bits wrap", {BITS36 - 9, 1}, {90, 1}, 36, 1.0, SECOND, VFX_INTERVAL_VALID, 100.0},
    {"36 bits wrap at 0.5", {BITS36 - 9, 1}, {90, 1}, 36, 0.5, SECOND, VFX_INTERVAL_VALID, 50.0},
    {"36 bits wrap at 52.08", {BITS36 - 9, 1}, {90, 1}, 36, 52.08, SECOND, VFX_INTERVAL_VALID, 5208.0},
    {"36 bits, last tick to the first", {BITS36, 1}, {1, 1}, 36, 52.08, SECOND, VFX_INTERVAL_VALID, 104.16},
    {"36 bits, wraps into its zero",
     {BITS36 - 9, 1},
     {BITS36 + 1, 1}, /* a driver that keeps a 37th bit */
     36,
     0.5,
     SECOND,
     VFX_INTERVAL_VALID,
     5.0},
    {"36 bits wrap, as long as the host", {BITS36 - 9, 1}, {90, 1}, 36, 52.08, 5208.0, VFX_INTERVAL_VALID, 5208.0},
    {"36 bits wrap, longer than the host", {BITS36 - 9, 1}, {90, 1}, 36, 52.08, 5207.0, VFX_INTERVAL_TOO_LONG, 0},
    {"36 bits wrap, junk above",
     {0xabc0000000000000u | (BITS36 - 9), 1},
     {0x1230000000000000u | 90, 1},
     36,
     1.0,
     SECOND,
     VFX_INTERVAL_VALID,
     100.0},
    {"64 bits wrap", {UINT64_MAX - 9, 1}, {90, 1}, 64, 1.0, SECOND, VFX_INTERVAL_VALID, 100.0},
    {"64 bits, large", {1, 1}, {1 + (1ull << 60), 1}, 64, 1e-3, 1e16, VFX_INTERVAL_VALID, 0x1p60 * 1e-3},
    {"other availability", {100, 5}, {1100, ~0ull}, 64, 1.0, SECOND, VFX_INTERVAL_VALID, 1000.0},

    {"equal", {100, 1}, {100, 1}, 64, 1.0, SECOND, VFX_INTERVAL_EQUAL, 0},
    {"equal in the valid bits", {0x1000000064u, 1}, {0x2000000064u, 1}, 36, 1.0, SECOND, VFX_INTERVAL_EQUAL, 0},
    {"zero begin", {0, 1}, {100, 1}, 64, 1.0, SECOND, VFX_INTERVAL_ZERO, 0},
    {"zero end", {100, 1}, {0, 1}, 64, 1.0, SECOND, VFX_INTERVAL_ZERO, 0},
    {"both zero", {0, 1}, {0, 1}, 64, 1.0, SECOND, VFX_INTERVAL_ZERO, 0},
    {"begin unavailable", {100, 0}, {1100, 1}, 64, 1.0, SECOND, VFX_INTERVAL_UNAVAILABLE, 0},
    {"end unavailable", {100, 1}, {1100, 0}, 64, 1.0, SECOND, VFX_INTERVAL_UNAVAILABLE, 0},
    {"reversed, 64 bits", {1100, 1}, {100, 1}, 64, 1.0, SECOND, VFX_INTERVAL_TOO_LONG, 0},
    {"reversed, 36 bits", {1100, 1}, {100, 1}, 36, 1.0, SECOND, VFX_INTERVAL_TOO_LONG, 0},
    {"reversed, 36 bits, 0.5", {1100, 1}, {100, 1}, 36, 0.5, 10 * SECOND, VFX_INTERVAL_TOO_LONG, 0},
    {"reversed, 36 bits, 52.08", {1100, 1}, {100, 1}, 36, 52.08, 60 * SECOND, VFX_INTERVAL_TOO_LONG, 0},
    {"36 bits at 52.08, just below a range", {100, 1}, {1100, 1}, 36, 52.08, 3578e9, VFX_INTERVAL_VALID, 52080.0},
    {"36 bits at 52.08, a whole range", {100, 1}, {1100, 1}, 36, 52.08, 3580e9, VFX_INTERVAL_TOO_LONG, 0},
    {"36 bits at 0.5, a whole range", {100, 1}, {1100, 1}, 36, 0.5, 35 * SECOND, VFX_INTERVAL_TOO_LONG, 0},
    {"zero and unavailable", {0, 0}, {1100, 1}, 36, 52.08, SECOND, VFX_INTERVAL_UNAVAILABLE, 0},
    {"0 valid bits, all else wrong", {0, 0}, {0, 0}, 0, NAN, NAN, VFX_INTERVAL_UNSUPPORTED, 0},
    {"longer than the host", {1, 1}, {1002, 1}, 64, 1.0, 1000.0, VFX_INTERVAL_TOO_LONG, 0},
    {"host waited a whole range", {100, 1}, {1100, 1}, 32, 1.0, 5 * SECOND, VFX_INTERVAL_TOO_LONG, 0},
    {"host unknown", {100, 1}, {1100, 1}, 64, 1.0, NAN, VFX_INTERVAL_TOO_LONG, 0},
    {"host zero", {100, 1}, {1100, 1}, 64, 1.0, 0.0, VFX_INTERVAL_TOO_LONG, 0},
    {"0 valid bits", {100, 1}, {1100, 1}, 0, 1.0, SECOND, VFX_INTERVAL_UNSUPPORTED, 0},
    {"65 valid bits", {100, 1}, {1100, 1}, 65, 1.0, SECOND, VFX_INTERVAL_UNSUPPORTED, 0},
    {"period 0", {100, 1}, {1100, 1}, 64, 0.0, SECOND, VFX_INTERVAL_UNSUPPORTED, 0},
    {"period negative", {100, 1}, {1100, 1}, 64, -1.0, SECOND, VFX_INTERVAL_UNSUPPORTED, 0},
    {"period NaN", {100, 1}, {1100, 1}, 64, NAN, SECOND, VFX_INTERVAL_UNSUPPORTED, 0},
    {"period infinite", {100, 1}, {1100, 1}, 64, INFINITY, SECOND, VFX_INTERVAL_UNSUPPORTED, 0},
};

static void intervals(void **state)
{
    (void)state;
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        vfx_interval_state got = VFX_INTERVAL_ZERO;
        double ns =
            vfx_interval_ns(rows[i].begin, rows[i].end, rows[i].valid_bits, rows[i].period_ns, rows[i].host_ns, &got);
        if (got != rows[i].state)
            fail_msg("%s: %s, wanted %s", rows[i].what, vfx_interval_state_name(got),
                     vfx_interval_state_name(rows[i].state));
        bool right = got == VFX_INTERVAL_VALID ? fabs(ns - rows[i].ns) <= 1e-12 * rows[i].ns : isnan(ns);
        if (!right)
            fail_msg("%s: %.17g ns, wanted %.17g", rows[i].what, ns, rows[i].ns);
    }
}

static void names(void **state)
{
    (void)state;
    for (int i = VFX_INTERVAL_VALID; i <= VFX_INTERVAL_TOO_LONG; i++)
        assert_string_not_equal(vfx_interval_state_name((vfx_interval_state)i), "unknown");
    assert_string_equal(vfx_interval_state_name((vfx_interval_state)99), "unknown");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(intervals),
    cmocka_unit_test(names),
};
VFX_TEST_MAIN(tests)
