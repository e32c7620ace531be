/* core/run_device_test.c - the frame loop and the verifier on a real Vulkan device, with the probe kernel: everything a
 * record can ask for, and every fault the harness promises to catch. */
#include "core/test_device.h"

#include "core/params.h"
#include "core/probe_test.h"
#include "core/run.h"

#include <math.h>

static vfx_case make_case(const char *set)
{
    vfx_case kase;
    assert_vfx_ok(vfx_case_init(&kase, &probe_kernel, &probe_variants[0], "ci"));
    assert_vfx_ok(vfx_case_set_list(&kase, set));
    return kase;
}

static vfx_status verify(const char *set, vfx_mode mode, vfx_run_request request, vfx_verify_result *result)
{
    vfx_case kase = make_case(set);
    request.kase = &kase;
    if (!request.frames)
        request.frames = 8;
    return vfx_verify(gpu, &request, mode, result);
}

static void verify_passes(const char *set, vfx_mode mode, vfx_run_request request)
{
    vfx_verify_result result;
    vfx_status status = verify(set, mode, request, &result);
    if (status != VFX_OK)
        fail_msg("%s: %s %s", set, vfx_message(), result.failure);
    assert_no_messages();
}

static void verify_fails_in(vfx_mode mode, const char *set, vfx_run_request request, const char *part)
{
    vfx_verify_result result;
    vfx_status status = verify(set, mode, request, &result);
    if (status != VFX_MISMATCH)
        fail_msg("%s: got %s, wanted a mismatch", set, vfx_status_name(status));
    if (!strstr(result.failure, part))
        fail_msg("%s: failure \"%s\" lacks \"%s\"", set, result.failure, part);
}

static void verify_fails(const char *set, vfx_run_request request, const char *part)
{
    verify_fails_in(VFX_STEP_LOCKED, set, request, part);
}

static void test_modes_pass(void **state)
{
    (void)state;
    need_device();
    verify_passes("cells=1000", VFX_STEP_LOCKED, (vfx_run_request){0});
    verify_passes("cells=1", VFX_STEP_LOCKED, (vfx_run_request){0});
    verify_passes("cells=1000", VFX_FREE_RUN, (vfx_run_request){0});
    verify_passes("cells=1000", VFX_REPEAT, (vfx_run_request){0});
    verify_passes("cells=1000", VFX_STEP_LOCKED, (vfx_run_request){.start_frame = 5, .frames = 3});
    verify_passes("cells=70000,rounds=8", VFX_STEP_LOCKED, (vfx_run_request){.frames = 1, .sample_items = 1024});
}

static void test_upload_modes_and_workgroups(void **state)
{
    (void)state;
    need_device();
    for (uint32_t i = 0; vfx_upload_names[i]; ++i) {
        char set[64];
        snprintf(set, sizeof set, "upload=%s", vfx_upload_names[i]);
        verify_passes(set, VFX_STEP_LOCKED, (vfx_run_request){0});
        verify_passes(set, VFX_FREE_RUN, (vfx_run_request){.frames = 20, .read_every = 20}); /* batches in flight */
    }
    for (uint32_t workgroup = 32; workgroup <= 256; workgroup *= 2)
        verify_passes("cells=777", VFX_STEP_LOCKED, (vfx_run_request){.workgroup = workgroup});
}

/* A shader whose lanes work in groups says so, and no workgroup that would split a group runs. */
static void test_workgroup_multiple(void **state)
{
    (void)state;
    need_device();
    vfx_pass passes[VFX_COUNT(probe_passes)];
    memcpy(passes, probe_passes, sizeof passes);
    passes[2].workgroup_multiple = 32;
    vfx_variant variant = probe_variants[0];
    variant.passes = passes;
    vfx_case kase = make_case("cells=777");
    kase.variant = &variant;
    vfx_verify_result result;
    vfx_run_request request = {.kase = &kase, .frames = 2};
    const uint32_t good[] = {0, 32, 96};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        request.workgroup = good[i];
        assert_vfx_ok(vfx_verify(gpu, &request, VFX_STEP_LOCKED, &result));
    }
    request.workgroup = 48;
    assert_vfx_fails(vfx_verify(gpu, &request, VFX_STEP_LOCKED, &result), VFX_USAGE,
                     "pass 'round': workgroups of 48 invocations, wanted a multiple of 32");
    assert_no_messages();
}

static void test_live_parameters(void **state)
{
    (void)state;
    need_device();
    vfx_case kase = make_case("gain=0.5");
    vfx_at_list at = {0};
    vfx_verify_result with, without;
    assert_vfx_ok(vfx_at_parse(&kase, "4:gain=1.5", &at));
    vfx_run_request request = {.kase = &kase, .frames = 8};
    assert_vfx_ok(vfx_verify(gpu, &request, VFX_STEP_LOCKED, &without));
    request.at = &at;
    assert_vfx_ok(vfx_verify(gpu, &request, VFX_STEP_LOCKED, &with));
    assert_true(with.hash != without.hash);
    request.start_frame = 5; /* the change lies before the start: it must hold all the same */
    request.frames = 3;
    vfx_verify_result late;
    assert_vfx_ok(vfx_verify(gpu, &request, VFX_STEP_LOCKED, &late));
    assert_no_messages();
}

static void test_faults_are_caught(void **state)
{
    (void)state;
    need_device();
    vfx_run_request plain = {0};
    verify_fails("fault=constant", plain, "value");
    verify_fails("fault=constant", plain, "17");
    verify_fails("fault=beyond", plain, "guard");
    verify_fails("fault=unwritten", plain, "999");
    verify_fails("fault=nan", plain, "frame 3");
    verify_fails("fault=stuck", plain, "rounds");
    verify_fails("fault=late", plain, "frame 3"); /* the frame before left the right bits there */
    verify_fails("fault=input", plain, "input buffer 'weight'");
    verify_fails("fault=far", plain, "guard");
    verify_fails_in(VFX_FREE_RUN, "fault=nan", (vfx_run_request){.read_every = 1}, "frame 3");
    verify_fails_in(VFX_REPEAT, "fault=stale", plain, "different bits");
    verify_fails("cells=70000,fault=unwritten", (vfx_run_request){.frames = 1, .sample_items = 512}, "69999");
    verify_fails("cells=70000,fault=late", (vfx_run_request){.frames = 3, .sample_items = 512}, "69999");
    verify_fails("gain=0", plain, "invariant 'gain'");
    verify_fails("marks=0.2", plain, "20.1 % of records are ill-conditioned, allowed 10 %");
    verify_passes("marks=0.05", VFX_STEP_LOCKED, plain);
    verify_fails_in(VFX_FREE_RUN, "marks=0.2", plain, "20.1 % of records are ill-conditioned");
    verify_passes("marks=0.05", VFX_FREE_RUN, plain);
}

/* A shader that is right for all but one parameter: a probe_table in place of probe_sum leaves `sum` unwritten. */
static void test_override(void **state)
{
    (void)state;
    need_device();
    vfx_override override = {"sum", probe_round_spirv.words, probe_round_spirv.bytes};
    verify_fails("", (vfx_run_request){.overrides = &override, .override_count = 1}, "sum");
    override = (vfx_override){"sum", probe_sum_spirv.words, probe_sum_spirv.bytes};
    verify_passes("", VFX_STEP_LOCKED, (vfx_run_request){.overrides = &override, .override_count = 1});
}

static void test_missing_barrier_is_reported(void **state)
{
    (void)state;
    need_device();
    if (!vfx_gpu_validating(gpu))
        skip();
    vfx_verify_result result;
    (void)verify("", VFX_STEP_LOCKED, (vfx_run_request){.skip_barriers = true, .frames = 2}, &result);
    char first[512];
    assert_true(vfx_gpu_messages(gpu, first, sizeof first) > 0);
    assert_non_null(strstr(first, "SYNC-HAZARD"));
}

static void test_too_large_is_unsupported(void **state)
{
    (void)state;
    need_device();
    vfx_verify_result result;
    assert_vfx_fails(verify("cells=2000000000", VFX_STEP_LOCKED, (vfx_run_request){0}, &result), VFX_UNSUPPORTED,
                     "needs");
    assert_non_null(strstr(vfx_message(), "device offers"));
}

static vfx_status take_hash(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    (void)prev;
    uint64_t *hash = user;
    *hash = vfx_host_hash(&feed->kase, now);
    return VFX_OK;
}

/* A pass with more workgroups than a dispatch may have is split. */
static void test_dispatches_are_split(void **state)
{
    (void)state;
    need_device();
    verify_passes("cells=3001", VFX_STEP_LOCKED, (vfx_run_request){.most_groups = 2});
    verify_passes("cells=3001", VFX_STEP_LOCKED, (vfx_run_request){.most_groups = 1, .workgroup = 64});
}

/* Timed runs replay the recorded inputs; what they leave must be what the observed run left. Frames are more than fit
 * one batch. Stamps around a frame must agree with those around its passes. */
static void run_timed(const vfx_case *kase, vfx_stamps stamps, uint64_t expected, double *frame_ns)
{
    vfx_run_request request = {.kase = kase, .frames = kase->frames, .stamps = stamps};
    vfx_run *run;
    uint64_t hash;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    for (int repeat = 0; repeat < 3; ++repeat) { /* the first fills the tape, the others replay it */
        vfx_run_times times;
        assert_vfx_ok(vfx_run_gpu(run, NULL, NULL, &times));
        assert_vfx_ok(vfx_run_hash(run, &hash));
        assert_true(hash == expected);
        assert_int_equal(times.frames, kase->frames);
        double total = 0;
        for (uint32_t i = 0; vfx_gpu_info(gpu)->timestamp_valid_bits && i < times.frames; ++i) {
            double sum = 0;
            for (uint32_t pass = 0; times.pass_ns && pass < times.pass_count; ++pass)
                sum += times.pass_ns[i * times.pass_count + pass];
            assert_true(times.frame_ns[i] > 0 && times.frame_ns[i] < times.host_ns);
            if (times.pass_ns)
                assert_true(fabs(sum - times.frame_ns[i]) < 1e-3 * times.frame_ns[i] + 1);
            total += times.frame_ns[i];
        }
        assert_true(total < times.host_ns && times.invalid == 0);
        *frame_ns = total / times.frames;
        vfx_run_times_free(&times);
    }
    vfx_run_destroy(run);
}

static void test_times_and_replay(void **state)
{
    (void)state;
    need_device();
    vfx_case kase = make_case("cells=5000");
    kase.frames = 300;
    vfx_run_request request = {.kase = &kase, .frames = kase.frames};
    vfx_run *run;
    uint64_t expected, again;
    double by_frame, by_pass;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    assert_vfx_ok(vfx_run_gpu(run, take_hash, &expected, NULL));
    assert_vfx_ok(vfx_run_hash(run, &again));
    assert_true(expected == again);
    vfx_run_destroy(run);
    run_timed(&kase, VFX_STAMPS_FRAME, expected, &by_frame);
    run_timed(&kase, VFX_STAMPS_PASS, expected, &by_pass);
    if (vfx_gpu_info(gpu)->timestamp_valid_bits && !(by_frame > 0.2 * by_pass))
        fail_msg("a frame takes %g ns, but its passes %g ns", by_frame, by_pass);
    assert_no_messages();
}

/* What the observer of the next test expects. */
typedef struct image_watch {
    uint32_t frames; /* seen so far */
    uint64_t storage_limit;
} image_watch;

static vfx_status watch_images(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    image_watch *watch = user;
    const uint16_t *given = feed->image[PROBE_TIDE], *shown = now->image[PROBE_TIDE];
    const probe_echo *was = prev->buffer[PROBE_ECHOES], *echo = now->buffer[PROBE_ECHOES];
    assert_int_equal(feed->kase.storage_limit, watch->storage_limit);
    for (uint64_t i = 0; i < now->count[PROBE_ECHOES]; ++i) {
        assert_int_equal(echo[i].texel.x, 3 * was[i].texel.x + (uint16_t)(4 * i * 257 + feed->frame.index * 4099));
        assert_int_equal(echo[i].texel.w, 3 * was[i].texel.w + given[4 * i + 3]);
        assert_int_equal(shown[4 * i + 1], given[4 * i + 1]);
    }
    ++watch->frames;
    return VFX_OK;
}

/* The device sees this frame's texels, all layers of them, and so does the reference. */
static void test_frame_images(void **state)
{
    (void)state;
    need_device();
    vfx_case kase = make_case("");
    vfx_run_request request = {.kase = &kase, .frames = 9, .read_every = 1};
    image_watch watch = {.storage_limit = vfx_storage_limit(vfx_gpu_info(gpu))};
    for (uint32_t start = 0; start < 8; start += 7) { /* the second starts behind frame 7 of the reference */
        vfx_run *run;
        request.start_frame = start;
        assert_vfx_ok(vfx_run_create(&run, gpu, &request));
        assert_vfx_ok(vfx_run_gpu(run, watch_images, &watch, NULL));
        vfx_run_destroy(run);
    }
    assert_int_equal(watch.frames, 18);
    assert_no_messages();
}

/* A case that knows no storage limit gets the device's; one that does keeps its own. */
static void test_storage_limit(void **state)
{
    (void)state;
    need_device();
    vfx_case kase = make_case("");
    const vfx_device_info *info = vfx_gpu_info(gpu);
    assert_true(vfx_storage_limit(info) > 0 && vfx_storage_limit(info) < info->max_storage_bytes);
    image_watch watch = {.storage_limit = kase.storage_limit = 123456};
    vfx_run_request request = {.kase = &kase, .frames = 1, .read_every = 1};
    vfx_run *run;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    assert_vfx_ok(vfx_run_gpu(run, watch_images, &watch, NULL));
    vfx_run_destroy(run);
    assert_int_equal(watch.frames, 1);
}

/* Every upload mode is timed, also from a second run that could have replayed the first, and leaves what it should. */
static void time_upload(const char *mode, uint64_t expected)
{
    vfx_case kase = make_case("cells=4800"); /* 300 records a frame: synchronisation validation tracks each */
    char set[64];
    snprintf(set, sizeof set, "upload=%s", mode);
    assert_vfx_ok(vfx_case_set(&kase, set));
    uint32_t calls = 0;
    kase.asset = &calls;
    vfx_run_request request = {.kase = &kase, .frames = 6, .stamps = VFX_STAMPS_UPLOAD};
    vfx_run *run;
    uint64_t hash;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    for (int repeat = 0; repeat < 2; ++repeat) {
        vfx_run_times times;
        double host = 0, device = 0;
        assert_vfx_ok(vfx_run_gpu(run, NULL, NULL, &times));
        assert_vfx_ok(vfx_run_hash(run, &hash));
        assert_true(hash == expected);
        for (uint32_t i = 0; i < times.frames; ++i) {
            assert_true(isnan(times.frame_ns[i])); /* these runs have no stamps around their frames */
            assert_true(times.upload_host_ns[i] > 0);
            assert_true(!vfx_gpu_info(gpu)->timestamp_valid_bits || times.upload_gpu_ns[i] > 0);
            host += times.upload_host_ns[i];
            device += times.upload_gpu_ns[i];
        }
        assert_true(host < times.host_ns && !(device > times.host_ns));
        assert_int_equal(calls, (repeat + 1) * 6); /* nothing is replayed */
        assert_int_equal(times.invalid, 0);
        vfx_run_times_free(&times);
    }
    vfx_run_destroy(run);
}

static void test_upload_times(void **state)
{
    (void)state;
    need_device();
    vfx_case kase = make_case("cells=4800");
    vfx_run_request request = {.kase = &kase, .frames = 6};
    vfx_run *run;
    uint64_t expected, records, texels;
    assert_vfx_ok(vfx_run_create(&run, gpu, &request));
    assert_vfx_ok(vfx_run_gpu(run, take_hash, &expected, NULL));
    vfx_run_destroy(run);
    for (uint32_t i = 0; vfx_upload_names[i]; ++i)
        time_upload(vfx_upload_names[i], expected);
    assert_vfx_ok(vfx_upload_bytes(&kase, &records, &texels));
    assert_int_equal(records, 300 * sizeof(probe_drive));
    assert_int_equal(texels, 8 * PROBE_TIDE_WIDTH * PROBE_TIDE_HEIGHT * PROBE_TIDE_LAYERS);
    assert_no_messages();
}

static void test_ceilings(void **state)
{
    (void)state;
    need_device();
    if (!vfx_gpu_info(gpu)->timestamp_valid_bits)
        skip();
    vfx_ceilings ceilings;
    assert_vfx_ok(vfx_measure_ceilings(gpu, &ceilings));
    assert_true(ceilings.copy_bytes_per_s > 0 && ceilings.fill_bytes_per_s > 0 && ceilings.read_bytes_per_s > 0);
    assert_true(ceilings.fma_flops > 0 && ceilings.empty_pair_ns > 0);
    assert_no_messages();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_modes_pass),
    cmocka_unit_test(test_upload_modes_and_workgroups),
    cmocka_unit_test(test_workgroup_multiple),
    cmocka_unit_test(test_live_parameters),
    cmocka_unit_test(test_faults_are_caught),
    cmocka_unit_test(test_override),
    cmocka_unit_test(test_missing_barrier_is_reported),
    cmocka_unit_test(test_too_large_is_unsupported),
    cmocka_unit_test(test_dispatches_are_split),
    cmocka_unit_test(test_times_and_replay),
    cmocka_unit_test(test_frame_images),
    cmocka_unit_test(test_storage_limit),
    cmocka_unit_test(test_upload_times),
    cmocka_unit_test(test_ceilings),
};
VFX_DEVICE_TEST_MAIN(tests)
