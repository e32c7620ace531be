/* core/test_device.h - the device that *_device_test.c files share: VFXBENCH_DEVICE or the best one, CPU devices
 * allowed. Without any the tests skip, or fail when VFXBENCH_REQUIRE_DEVICE=1. */
#ifndef VFX_TEST_DEVICE_H
#define VFX_TEST_DEVICE_H

#include "core/test.h"

#include "core/gpu.h"

static vfx_gpu *gpu;

static int open_device(void **state)
{
    (void)state;
    const char *required = getenv("VFXBENCH_REQUIRE_DEVICE");
    vfx_gpu_desc desc = {.device = getenv("VFXBENCH_DEVICE"),
                         .allow_cpu = true,
                         .validation = VFX_VALIDATION_AUTO,
                         .fence_timeout_ms = 30000};
    if (vfx_gpu_create(&gpu, &desc) == VFX_OK)
        return 0;
    fprintf(stderr, "no device: %s\n", vfx_message());
    return required && strcmp(required, "1") == 0 ? -1 : 0;
}

static int close_device(void **state)
{
    (void)state;
    vfx_gpu_destroy(gpu);
    return 0;
}

static void need_device(void)
{
    if (!gpu)
        skip();
    (void)vfx_gpu_messages(gpu, NULL, 0);
}

static void assert_no_messages(void)
{
    char first[256];
    if (vfx_gpu_messages(gpu, first, sizeof first))
        fail_msg("validation: %s", first);
}

#define VFX_DEVICE_TEST_MAIN(tests)                                      \
    int main(void)                                                       \
    {                                                                    \
        return cmocka_run_group_tests(tests, open_device, close_device); \
    }

#endif
