/* core/test_device.h - what *_device_test.c files share: the device, VFXBENCH_DEVICE or the best one, CPU devices
 * allowed (without any the tests skip, or fail when VFXBENCH_REQUIRE_DEVICE=1), and what holds for every family. */
#ifndef VFX_TEST_DEVICE_H
#define VFX_TEST_DEVICE_H

#include "core/test.h"

#include "core/gpu.h"
#include "core/params.h"
#include "core/run.h"

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

/* The variant's `ci` case with `set`, loaded. */
static inline void make_ci_case(vfx_case *kase, const vfx_kernel *kernel, uint32_t variant, const char *set)
{
    assert_vfx_ok(vfx_case_init(kase, kernel, &kernel->variants[variant], "ci"));
    assert_vfx_ok(vfx_case_set_list(kase, set));
    assert_vfx_ok(vfx_case_validate(kase));
    kase->storage_limit = vfx_storage_limit(vfx_gpu_info(gpu));
    if (kernel->load)
        assert_vfx_ok(kernel->load(kase));
}

static inline void drop_ci_case(vfx_case *kase)
{
    if (kase->kernel->load)
        kase->kernel->unload(kase);
}

/* The records that a run of a case leaves. */
typedef struct picture {
    vfx_case kase;
    vfx_host host;
} picture;

/* Observer: keeps the last frame observed. */
static inline vfx_status keep(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    (void)feed, (void)prev;
    picture *p = user;
    for (uint32_t row = 0; row < VFX_MAX_BUFFERS; ++row)
        if (p->host.bytes[row] > 0)
            memcpy(p->host.buffer[row], now->buffer[row], p->host.bytes[row]);
    return VFX_OK;
}

/* Runs p->kase as `request` says (its case is filled in) and keeps the last frame. */
static inline void take_picture(picture *p, vfx_run_request request)
{
    assert_vfx_ok(vfx_host_create(&p->host, &p->kase, p->kase.variant->buffers));
    request.kase = &p->kase;
    request.poison = true;
    vfx_run *run;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    assert_vfx_ok(vfx_run_gpu(run, keep, p, NULL));
    vfx_run_destroy(run);
}

/* Two runs of any variant leave the same bits. */
static inline void assert_runs_repeat(const vfx_kernel *kernel, const char *set, uint32_t frames)
{
    for (uint32_t i = 0; i < kernel->variant_count; ++i) {
        vfx_case kase;
        make_ci_case(&kase, kernel, i, set);
        vfx_verify_result result;
        vfx_run_request request = {.kase = &kase, .frames = frames};
        assert_vfx_ok(vfx_verify(gpu, &request, VFX_REPEAT, &result));
        drop_ci_case(&kase);
    }
    assert_no_messages();
}

/* Workgroup size is no part of any variant's result. Large ones need more shared memory than some devices have. */
static inline void assert_workgroups_do_not_matter(const vfx_kernel *kernel, const char *set, uint32_t frames)
{
    for (uint32_t i = 0; i < kernel->variant_count; ++i) {
        vfx_case kase;
        uint64_t first = 0, hash;
        make_ci_case(&kase, kernel, i, set);
        for (uint32_t workgroup = 32; workgroup <= 256; workgroup *= 2) {
            vfx_run_request request = {.kase = &kase, .frames = frames, .workgroup = workgroup, .poison = true};
            vfx_run *run;
            vfx_status status = vfx_run_create(&run, gpu, &request);
            if (status == VFX_UNSUPPORTED && workgroup > 128)
                continue;
            assert_vfx_ok(status);
            assert_vfx_ok(vfx_run_gpu(run, NULL, NULL, NULL));
            assert_vfx_ok(vfx_run_hash(run, &hash));
            vfx_run_destroy(run);
            if (first != 0 && hash != first)
                fail_msg("%s, %s, workgroup %u: another result", kase.variant->name, set, workgroup);
            first = hash;
        }
        drop_ci_case(&kase);
    }
    assert_no_messages();
}

#define VFX_DEVICE_TEST_MAIN(tests)                                      \
    int main(void)                                                       \
    {                                                                    \
        return cmocka_run_group_tests(tests, open_device, close_device); \
    }

#endif
