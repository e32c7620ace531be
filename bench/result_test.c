/* bench/result_test.c - reading results: what is taken from old and new ones, and the message for everything that can
 * be wrong with a file from elsewhere. */
#include "core/test.h"

#include "bench/result.h"
#include "core/platform.h"

#include <math.h>

#define LAUNCH(median, state) \
    "{\"launch\": 1, \"median_ns\": " median ", \"samples_ns\": [1, null], \"state\": " state "}"
#define STEADY(median) LAUNCH(median, "\"steady\"")
#define CASE(id, timing)                                                                                \
    "{\"id\": \"" id "\", \"state\": \"pass\", \"reason\": null, \"parameters\": {\"leaves\": \"3\"}, " \
    "\"host_parameters\": {\"asset\": \"\"}, \"at\": [], \"frames\": 8, \"dt\": 0.0166, \"seed\": 1, "  \
    "\"workgroup\": 0, \"shaders\": [], \"checked\": true, \"timing\": " timing "}"
#define TIMING(launches)                                                                     \
    "{\"launches\": [" launches "], \"passes\": [{\"name\": \"grow\", \"median_ns\": 900}, " \
    "{\"name\": \"once\", \"median_ns\": null}]}"
#define OLD_TIMING(median) "{\"frame_ns\": {\"median\": " median "}, \"samples_ns\": [1], \"passes\": []}"
#define DEVICE \
    "{\"name\": \"Thing\", \"driver\": \"Driver 1\", \"uuid\": \"u\", \"driver_uuid\": \"d\", \"software\": false}"
#define FILE_OF(version, cases)                                                                                  \
    "{\"schema_version\": " version ", \"verb\": \"time\", \"tool\": {\"version\": \"0.1\", \"git\": \"abc\"}, " \
    "\"host\": {\"system\": \"Linux\"}, \"command\": [\"vfxbench\", \"time\"], \"device\": " DEVICE ", "         \
    "\"cases\": [" cases "]}"
#define GOOD FILE_OF("2", CASE("ivy/plain/ci", TIMING(STEADY("1000") ", " STEADY("1010.5"))))

static vfx_status take(cmd_result *result, const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("%s at %d in %s", error.text, error.position, text);
    return cmd_result_take(result, "file.json", root);
}

static void test_launches(void **state)
{
    (void)state;
    cmd_result r;
    assert_vfx_ok(take(
        &r,
        FILE_OF("2",
                CASE("ivy/plain/ci",
                     TIMING(STEADY("1000") ", " LAUNCH("1200", "\"unstable\"") ", " LAUNCH(
                         "null",
                         "\"steady\"") ", "
                                       "{\"median_ns\": 1100, \"state\": \"power-capped\", \"probe_before_ns\": 10, "
                                       "\"probe_after_ns\": 14, \"sensors\": {\"before\": {\"clock_mhz\": 1500}, "
                                       "\"after\": {\"clock_mhz\": null}}}")) ", " CASE("ivy/plain/big",
                                                                                        TIMING(STEADY("5"))))));
    assert_int_equal(r.case_count, 2);
    const cmd_result_case *kase = cmd_result_find(&r, "ivy/plain/ci");
    assert_non_null(kase);
    assert_true(kase->timed && kase->checked);
    assert_int_equal(kase->launch_count, 3);
    assert_true(kase->launch_ns[0] == 1000.0 && kase->launch_ns[1] == 1200.0 && kase->launch_ns[2] == 1100.0);
    assert_int_equal(kase->unusable, 1);
    assert_int_equal(kase->unstable, 1);
    assert_int_equal(kase->capped, 1);
    assert_true(kase->probe_ns == 12.0 && kase->clock_mhz == 1500.0);
    assert_int_equal(json_array_size(kase->passes), 2);
    assert_true(isnan(cmd_result_find(&r, "ivy/plain/big")->probe_ns));
    assert_null(cmd_result_find(&r, "ivy/plain/c"));
    assert_string_equal(r.device_name, "Thing");
    assert_false(r.software);
    cmd_result_free(&r);
}

/* Before launches there was one, and a result may have none that is usable. */
static void test_old(void **state)
{
    (void)state;
    cmd_result r;
    assert_vfx_ok(take(&r, FILE_OF("1", CASE("a", OLD_TIMING("1234")) ", " CASE("b", OLD_TIMING("null")))));
    assert_true(r.cases[0].timed && r.cases[0].launch_count == 1 && r.cases[0].launch_ns[0] == 1234.0);
    assert_true(!r.cases[1].timed && r.cases[1].unusable == 1);
    cmd_result_free(&r);
}

/* The committed baselines stay readable. */
static void test_baseline(void **state)
{
    (void)state;
    cmd_result r;
    assert_vfx_ok(cmd_result_read(&r, VFX_SOURCE_DIR "/bench/baselines/nvidia-h200/time-grass-1m.json"));
    assert_int_equal(r.case_count, 5);
    for (uint32_t i = 0; i < r.case_count; i++)
        assert_true(r.cases[i].timed && r.cases[i].launch_count >= 1);
    cmd_result_free(&r);
}

/* Replaces the first `from` in a good file by `to`. */
static void refuse(const char *from, const char *to, const char *part)
{
    static const char good[] = GOOD;
    char text[4 * sizeof good];
    const char *at = strstr(good, from);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    cmd_result r;
    assert_vfx_fails(take(&r, text), VFX_IO, part);
    if (strncmp(vfx_message(), "file.json", 9) != 0)
        fail_msg("no file name in: %s", vfx_message());
    cmd_result_free(&r);
}

/* What of a good file becomes what, and what is said. */
static const char *const wrong_files[][3] = {
    {"\"schema_version\": 2", "\"schema_version\": 3", "\"schema_version\" is 3, this program reads 1 to 2"},
    {"\"schema_version\": 2", "\"schema_version\": 0", "\"schema_version\" is 0"},
    {"\"schema_version\": 2", "\"schema_version\": \"2\"", "\"schema_version\""},
    {"\"schema_version\": 2, ", "", "\"schema_version\" is missing"},
    {"\"verb\": \"time\"", "\"verb\": \"verify\"", "a result of 'verify', not of 'time'"},
    {"\"verb\": \"time\"", "\"verb\": 1", "\"verb\""},
    {"\"git\": \"abc\"", "\"git\": null", "\"git\""},
    {"\"git\": \"abc\"", "\"git\": \"\\u001b[2J\"", "\"git\" holds control characters"},
    {"\"host\": {\"system\": \"Linux\"}", "\"host\": []", "\"host\" is missing or not an object"},
    {"\"command\": [\"vfxbench\"", "\"command\": [7", "\"command\"[0] is not text"},
    {"\"device\": {", "\"device\": 7, \"x\": {", "device is missing or not an object"},
    {"\"driver\": \"Driver 1\"", "\"driver\": false", "device: \"driver\""},
    {"\"uuid\": \"u\", ", "", "device: \"uuid\""},
    {"\"software\": false", "\"software\": \"no\"", "\"software\""},
    {"\"cases\": [", "\"cases\": 1, \"x\": [", "\"cases\""},
    {"\"cases\": [", "\"cases\": [null, ", "cases[0] is not an object"},
    {"\"id\": \"ivy/plain/ci\"", "\"id\": 7", "cases[0]: \"id\""},
    {"\"id\": \"ivy/plain/ci\"", "\"id\": \"\"", "\"id\" is empty"},
    {"\"id\": \"ivy/plain/ci\"", "\"id\": \"a\\nb\"", "\"id\" holds control characters"},
    {"\"state\": \"pass\"", "\"state\": null", "case ivy/plain/ci: \"state\""},
    {"\"parameters\": {\"leaves\": \"3\"}", "\"parameters\": {\"leaves\": 3}", "leaves of \"parameters\" is not text"},
    {"\"parameters\": {\"leaves\": \"3\"}", "\"parameters\": []", "\"parameters\" is missing or not an object"},
    {"\"host_parameters\": {", "\"other\": {", "\"host_parameters\""},
    {"\"at\": []", "\"at\": {}", "\"at\""},
    {"\"frames\": 8", "\"frames\": -8", "\"frames\""},
    {"\"frames\": 8", "\"frames\": 8.5", "\"frames\""},
    {"\"frames\": 8", "\"frames\": 5000000000", "\"frames\""},
    {"\"dt\": 0.0166", "\"dt\": null", "\"dt\""},
    {"\"seed\": 1", "\"seed\": \"1\"", "\"seed\""},
    {"\"shaders\": []", "\"shaders\": [{\"pass\": \"grow\"}]", "\"hash\""},
    {"\"shaders\": []", "\"shaders\": [7]", "\"pass\""},
    {"\"checked\": true", "\"checked\": 1", "\"checked\""},
    {"\"timing\": {", "\"timed\": {", "case ivy/plain/ci: \"timing\""},
    {"\"launches\": [", "\"launches\": 1, \"x\": [", "timing: \"launches\" is missing or not an array"},
    {"\"launches\": [{", "\"launches\": [], \"x\": [{", "\"launches\" has 0 rows"},
    {"\"launches\": [{", "\"launches\": [1, {", "timing: launches[0] is not an object"},
    {"\"median_ns\": 1000", "\"median_ns\": -1000", "launches[0]: \"median_ns\" is -1000, not a time"},
    {"\"median_ns\": 1000", "\"median_ns\": 0", "\"median_ns\" is 0, not a time"},
    {"\"median_ns\": 1000", "\"median_ns\": 1e300", "\"median_ns\" is 1e+300"},
    {"\"median_ns\": 1000", "\"median_ns\": \"1000\"", "launches[0]: \"median_ns\" is missing or not a number"},
    {"\"median_ns\": 1010.5", "\"median\": 1010.5", "launches[1]: \"median_ns\""},
    {"\"state\": \"steady\"", "\"state\": \"fine\"", "\"state\" is 'fine', not steady"},
    {"\"state\": \"steady\"", "\"state\": null", "launches[0]: \"state\""},
    {"\"samples_ns\": [1, null]", "\"probe_before_ns\": -1", "launches[0]: \"probe_before_ns\" is -1"},
    {"\"passes\": [", "\"passes\": 1, \"x\": [", "timing: \"passes\""},
    {"\"name\": \"grow\"", "\"name\": 1", "passes[0]: \"name\""},
    {"\"median_ns\": 900", "\"median_ns\": []", "passes[0]: \"median_ns\""},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_files / sizeof *wrong_files; i++)
        refuse(wrong_files[i][0], wrong_files[i][1], wrong_files[i][2]);
    cmd_result r;
    assert_vfx_fails(take(&r, FILE_OF("2", CASE("a", OLD_TIMING("1")) ", " CASE("b", OLD_TIMING("1")) ", " CASE(
                                               "a", OLD_TIMING("1")))),
                     VFX_IO, "case a is there twice");
    cmd_result_free(&r);
    assert_vfx_fails(take(&r, "[1]"), VFX_IO, "not an object, as results are");
    cmd_result_free(&r);
}

/* More rows than are read. */
static void test_huge(void **state)
{
    (void)state;
    cmd_result r;
    json_t *root = json_loads(GOOD, 0, NULL), *cases = json_object_get(root, "cases");
    json_t *launches = json_object_get(json_object_get(json_array_get(cases, 0), "timing"), "launches");
    while (json_array_size(launches) <= VFX_RANK_MOST)
        (void)json_array_append(launches, json_array_get(launches, 0));
    assert_vfx_fails(cmd_result_take(&r, "file.json", root), VFX_IO, "\"launches\" has 129 rows, not 1 to 128");
    cmd_result_free(&r);
    root = json_loads(GOOD, 0, NULL);
    cases = json_object_get(root, "cases");
    json_t *passes = json_object_get(json_object_get(json_array_get(cases, 0), "timing"), "passes");
    while (json_array_size(passes) <= 256)
        (void)json_array_append(passes, json_array_get(passes, 0));
    assert_vfx_fails(cmd_result_take(&r, "file.json", root), VFX_IO, "\"passes\" has 257 rows");
    cmd_result_free(&r);
    root = json_loads(GOOD, 0, NULL);
    cases = json_object_get(root, "cases");
    while (json_array_size(cases) <= CMD_RESULT_CASES)
        (void)json_array_append(cases, json_array_get(cases, 0));
    assert_vfx_fails(cmd_result_take(&r, "file.json", root), VFX_IO, "16385 cases, at most 16384");
    cmd_result_free(&r);
}

static void refuse_file(const char *path, const char *text, const char *part)
{
    cmd_result r;
    assert_vfx_ok(vfx_write_file(path, text, strlen(text)));
    assert_vfx_fails(cmd_result_read(&r, path), VFX_IO, part);
    assert_non_null(strstr(vfx_message(), path));
    cmd_result_free(&r);
}

static void test_files(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH];
    cmd_result r;
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "result.json");
    assert_vfx_fails(cmd_result_read(&r, path), VFX_IO, path);
    cmd_result_free(&r);
    assert_vfx_fails(cmd_result_read(&r, folder), VFX_IO, folder);
    cmd_result_free(&r);
    refuse_file(path, "", "line 1");
    refuse_file(path, "{\n\"schema_version\": 2,\n", "line 3");
    refuse_file(path, "{\"schema_version\": NaN}", "line 1");
    refuse_file(path, "{\"schema_version\": 2, \"schema_version\": 2}", "duplicate");
    refuse_file(path, "{\"schema_version\": 1e999}", "line 1");
    assert_vfx_ok(vfx_write_file(path, GOOD, strlen(GOOD)));
    assert_vfx_ok(cmd_result_read(&r, path));
    assert_int_equal(r.cases[0].launch_count, 2);
    cmd_result_free(&r);
    vfx_test_remove(path);
    vfx_test_remove(folder);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_launches), cmocka_unit_test(test_old),
                                          cmocka_unit_test(test_baseline), cmocka_unit_test(test_refusals),
                                          cmocka_unit_test(test_huge),     cmocka_unit_test(test_files)};
VFX_TEST_MAIN(tests)
