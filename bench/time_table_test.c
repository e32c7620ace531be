/* bench/time_table_test.c - numbers that cannot be true are named, others are not. */
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

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_implausible)};
VFX_TEST_MAIN(tests)
