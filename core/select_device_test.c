/* core/select_device_test.c - the rules by which a device is chosen, on made-up lists. */
#include "core/test.h"

#include "core/select_device.h"

static const vfx_device_info infos[] = {
    {.index = 0,
     .name = "llvmpipe (LLVM 15.0.6)",
     .uuid = "aaaaaaaa-0000-0000-0000-000000000001",
     .type = VFX_DEVICE_CPU,
     .usable = true},
    {.index = 1,
     .name = "Small GPU",
     .uuid = "aaaaaaaa-0000-0000-0000-000000000002",
     .type = VFX_DEVICE_INTEGRATED,
     .usable = true},
    {.index = 2,
     .name = "Big GPU",
     .uuid = "aaaaaaaa-0000-0000-0000-000000000003",
     .type = VFX_DEVICE_DISCRETE,
     .usable = true},
    {.index = 3,
     .name = "Old thing",
     .uuid = "aaaaaaaa-0000-0000-0000-000000000004",
     .type = VFX_DEVICE_DISCRETE,
     .reason = "needs Vulkan 1.2"},
};

static void assert_chosen(const char *wanted, uint32_t count, bool allow_cpu, uint32_t expected)
{
    uint32_t chosen = 99;
    assert_vfx_ok(vfx_select_device(infos, count, wanted, allow_cpu, &chosen));
    assert_int_equal(chosen, expected);
}

static void test_best(void **state)
{
    (void)state;
    assert_chosen(NULL, 4, false, 2);
    assert_chosen("", 4, true, 2);
    assert_chosen(NULL, 2, false, 1);
    assert_chosen(NULL, 1, true, 0);
    uint32_t chosen;
    assert_vfx_fails(vfx_select_device(infos, 1, NULL, false, &chosen), VFX_UNSUPPORTED, "--allow-cpu");
    assert_vfx_fails(vfx_select_device(infos + 3, 1, NULL, true, &chosen), VFX_UNSUPPORTED, "baseline");
}

static void test_wanted(void **state)
{
    (void)state;
    uint32_t chosen;
    assert_chosen("LLVMPIPE", 4, false, 0); /* by name a CPU device needs no permission */
    assert_chosen("aaaaaaaa-0000-0000-0000-000000000001", 4, false, 0);
    assert_chosen("AAAAAAAA-0000-0000-0000-000000000002", 4, false, 1);
    assert_chosen("2", 4, false, 2);
    assert_chosen("0", 4, true, 0);
    assert_vfx_fails(vfx_select_device(infos, 4, "0", false, &chosen), VFX_UNSUPPORTED, "CPU device");
    assert_vfx_fails(vfx_select_device(infos, 4, "gpu", false, &chosen), VFX_USAGE, "matches 2");
    assert_vfx_fails(vfx_select_device(infos, 4, "nothing", true, &chosen), VFX_UNSUPPORTED, "nothing");
    assert_vfx_fails(vfx_select_device(infos, 4, "7", true, &chosen), VFX_UNSUPPORTED, "'7'");
    assert_vfx_fails(vfx_select_device(infos, 4, "old", true, &chosen), VFX_UNSUPPORTED, "Vulkan 1.2");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_best), cmocka_unit_test(test_wanted)};
VFX_TEST_MAIN(tests)
