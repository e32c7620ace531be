/* bench/report_test.c - the result document: what a reader relies on. */
#include "core/test.h"

#include "bench/report.h"
#include "bench/text.h"
#include "core/platform.h"

#include <math.h>

static const vfx_param params[] = {{"leaves", VFX_U32, 3.0, 1.0, 9.0, VFX_LIVE, NULL, "count"}};
static const vfx_variant variants[] = {{.name = "plain"}};
static const vfx_preset presets[] = {{"ci", "", 8, ""}};
static const vfx_buffer buffers[] = {{.name = "leaf"}};
static const vfx_check checks[] = {{.buffer = 0, .field = "position", .step = {.abs = 1e-3}, .reason = "because"},
                                   {.buffer = 0, .field = "unseen", .reason = "never compared"}};
static const vfx_kernel ivy = {.name = "ivy",
                               .params = params,
                               .param_count = 1,
                               .presets = presets,
                               .preset_count = 1,
                               .buffers = buffers,
                               .buffer_count = 1,
                               .variants = variants,
                               .variant_count = 1,
                               .checks = checks,
                               .check_count = 2};
static const cmd_verb verb = {"verify", CMD_VERIFY, NULL, "", NULL, ""};

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "(no text)";
}

static void test_numbers(void **state)
{
    (void)state;
    json_t *object = json_object();
    cmd_json_number(object, "a", 0.1, "why");
    cmd_json_number(object, "b", (double)NAN, "no sample");
    cmd_json_number(object, "c", (double)INFINITY, "too large");
    cmd_json_u64(object, "d", UINT64_MAX);
    cmd_json_text(object, "e", "caf\xe9");
    assert_true(json_is_real(json_object_get(object, "a")));
    assert_null(json_object_get(object, "a_reason"));
    assert_true(json_is_null(json_object_get(object, "b")));
    assert_string_equal(text_at(object, "b_reason"), "no sample");
    assert_true(json_is_null(json_object_get(object, "c")));
    assert_string_equal(text_at(object, "d"), "18446744073709551615");
    assert_string_equal(text_at(object, "e"), "caf?");
    uint64_t big;
    assert_vfx_ok(cmd_json_get_u64(object, "here", "d", &big));
    assert_true(big == UINT64_MAX);
    assert_vfx_fails(cmd_json_get_u64(object, "here", "a", &big), VFX_IO, "here: \"a\"");
    char *text;
    assert_vfx_ok(cmd_json_dump(object, &text));
    assert_non_null(strstr(text, "0.10000000000000001"));
    free(text);
    json_decref(object);
}

static void add_case(json_t *report, const vfx_case *kase)
{
    vfx_at_list at = {.rows = {{4, 0, 7}}, .count = 1};
    vfx_check_result results[VFX_MAX_CHECKS] = {
        {.compared = 12, .records = 4, .failed = 1, .worst_device = (double)INFINITY, .worst_float = 0.25}};
    json_t *object = cmd_report_case(report, kase, &at, CMD_STATE_FAIL, "off by one");
    cmd_report_checks(object, kase, results);
    cmd_report_hash(object, 0x8000000000000000u);
}

static void test_document(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], program[] = "vfxbench", odd[] = "\xff";
    char *argv[] = {program, odd};
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "result.json");
    cmd_options options = {.verb = &verb, .argc = 2, .argv = argv, .output = path};
    vfx_case kase;
    assert_vfx_ok(vfx_case_init(&kase, &ivy, &variants[0], "ci"));
    json_t *report = cmd_report_create(&options);
    add_case(report, &kase);
    cmd_tally tally = {{0}};
    tally.count[CMD_STATE_FAIL] = 1;
    assert_vfx_ok(cmd_report_finish(report, &options, &tally, 1));
    json_decref(report);

    json_t *read = json_load_file(path, 0, NULL);
    assert_non_null(read);
    assert_int_equal(json_integer_value(json_object_get(read, "schema_version")), CMD_SCHEMA_VERSION);
    assert_string_equal(json_string_value(json_array_get(json_object_get(read, "command"), 1)), "?");
    assert_true(json_is_null(json_object_get(read, "device")));
    json_t *object = json_array_get(json_object_get(read, "cases"), 0);
    assert_string_equal(text_at(object, "id"), "ivy/plain/ci");
    assert_string_equal(text_at(object, "state"), "fail");
    assert_string_equal(text_at(object, "reason"), "off by one");
    assert_string_equal(text_at(object, "hash"), "9223372036854775808");
    assert_string_equal(text_at(json_object_get(object, "parameters"), "leaves"), "3");
    assert_string_equal(text_at(json_array_get(json_object_get(object, "at"), 0), "value"), "7");
    json_t *rows = json_object_get(object, "checks");
    assert_int_equal(json_array_size(rows), 1); /* the row that compared nothing is left out */
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "worst_gpu")));
    assert_string_equal(text_at(json_array_get(rows, 0), "worst_gpu_reason"), "not finite");
    assert_string_equal(text_at(json_array_get(rows, 0), "compared"), "12");
    json_t *summary = json_object_get(read, "summary");
    assert_int_equal(json_integer_value(json_object_get(summary, "fail")), 1);
    assert_int_equal(json_integer_value(json_object_get(summary, "exit_code")), 1);
    json_decref(read);
    vfx_test_remove(path);
    vfx_test_remove(folder);
}

static void test_unwritable(void **state)
{
    (void)state;
    cmd_options options = {.verb = &verb, .output = "/nonexistent/folder/result.json"};
    cmd_tally tally = {{0}};
    json_t *report = cmd_report_create(&options);
    assert_vfx_fails(cmd_report_finish(report, &options, &tally, 0), VFX_IO, "/nonexistent/folder/result.json");
    json_decref(report);
}

static void test_text(void **state)
{
    (void)state;
    char text[32];
    cmd_format_si(1234567.0, text, sizeof text);
    assert_string_equal(text, "1.23 M");
    cmd_format_si(999.6, text, sizeof text);
    assert_string_equal(text, "1 k");
    cmd_format_si((double)NAN, text, sizeof text);
    assert_string_equal(text, "-");
    cmd_copy(text, 4, "abcdef");
    assert_string_equal(text, "abc");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_document),
                                          cmocka_unit_test(test_unwritable), cmocka_unit_test(test_text)};
VFX_TEST_MAIN(tests)
