/* bench/report_views_test.c - the result as CSV and as JUnit XML: every cell and every escape, byte by byte. */
#include "core/test.h"

#include "bench/report_views.h"

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, 0, &error);
    if (value == NULL)
        fail_msg("%s", error.text);
    return value;
}

static const char verified[] =
    "{\"verb\": \"verify\", \"tool\": {\"version\": \"1\", \"git\": \"<a>\"}, \"device\": {\"name\": \"A & B\"},"
    "\"cases\": ["
    "{\"id\": \"ivy/plain/ci[n=1,s=a]\", \"state\": \"pass\", \"reason\": null, \"frames\": 3, \"dt\": 0.1,"
    " \"seed\": 1, \"host_wall_ns\": 1.5e9, \"mode\": \"step-locked\", \"frames_compared\": 3,"
    " \"checks\": [{}, {}], \"sweeps\": [], \"hash\": \"18446744073709551615\", \"cpu_reference_ns\": null,"
    " \"axes\": {\"n\": \"1\", \"s\": \"a\"}},"
    "{\"id\": \"ivy/plain/x\", \"state\": \"fail\", \"reason\": \"a \\\"b\\\", <c>\\nd's\\u0001\", \"repro\": \"run & "
    "see\"},"
    "{\"id\": \"odd\", \"state\": \"timeout\", \"reason\": \"hung\"},"
    "{\"id\": \"ivy/cut\", \"state\": \"unsupported\", \"reason\": \"needs x\"}]}";

static void test_csv(void **state)
{
    (void)state;
    char *text;
    json_t *report = parse(verified);
    assert_vfx_ok(cmd_report_csv(report, &text));
    assert_string_equal(
        text, "id,state,reason,frames,dt_s,seed,host_wall_ns,mode,frames_compared,checks,sweeps,hash,cpu_reference_ns,"
              "n,s\r\n"
              "\"ivy/plain/ci[n=1,s=a]\",pass,,3,0.10000000000000001,1,1500000000,step-locked,3,2,0,"
              "18446744073709551615,,1,a\r\n"
              "ivy/plain/x,fail,\"a \"\"b\"\", <c>\nd's\x01\",,,,,,,0,0,,,,\r\n"
              "odd,timeout,hung,,,,,,,0,0,,,,\r\n"
              "ivy/cut,unsupported,needs x,,,,,,,0,0,,,,\r\n");
    free(text);
    json_decref(report);
}

static void test_csv_of_times(void **state)
{
    (void)state;
    char *text;
    json_t *report =
        parse("{\"verb\": \"time\", \"cases\": [{\"id\": \"a/b/c\", \"state\": \"pass\", \"checked\": true,"
              "\"timing\": {\"median_ns\": 0.3, \"launches\": [{}, {}], \"frame_ns\": {\"p95\": 7.0},"
              "\"rates\": {\"item\": \"leaf\"}}}]}");
    assert_vfx_ok(cmd_report_csv(report, &text));
    char *row = strstr(text, "\r\n");
    assert_non_null(row);
    assert_ptr_equal(strstr(text, "id,state,reason,frames,dt_s,seed,host_wall_ns,checked,median_ns,"), text);
    assert_string_equal(row, "\r\na/b/c,pass,,,,,,true,0.29999999999999999,,2,0,,,,,,,,7,,,,,,,,,,,,,,,leaf,,,,,\r\n");
    size_t commas[2] = {0, 0};
    for (const char *c = text; *c != '\0'; c++)
        commas[c > row] += *c == ',';
    assert_int_equal(commas[0], commas[1]);
    free(text);
    json_decref(report);
}

static void test_junit(void **state)
{
    (void)state;
    char *text;
    json_t *report = parse(verified);
    assert_vfx_ok(cmd_report_junit(report, &text));
    assert_string_equal(
        text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<testsuites name=\"vfxbench\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.500\">\n"
              "  <testsuite name=\"verify\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.500\">\n"
              "    <properties>\n"
              "      <property name=\"version\" value=\"1\"/>\n"
              "      <property name=\"git\" value=\"&lt;a&gt;\"/>\n"
              "      <property name=\"device\" value=\"A &amp; B\"/>\n"
              "      <property name=\"driver\" value=\"\"/>\n"
              "    </properties>\n"
              "    <testcase classname=\"ivy.plain\" name=\"ci[n=1,s=a]\" time=\"1.500\"/>\n"
              "    <testcase classname=\"ivy.plain\" name=\"x\" time=\"0.000\">\n"
              "      <failure message=\"a &quot;b&quot;, &lt;c&gt;\" type=\"fail\">a &quot;b&quot;, "
              "&lt;c&gt;&#10;d&#39;s?&#10;repeat with: run &amp; see</failure>\n"
              "    </testcase>\n"
              "    <testcase classname=\"odd\" name=\"odd\" time=\"0.000\">\n"
              "      <error message=\"hung\" type=\"timeout\">hung</error>\n"
              "    </testcase>\n"
              "    <testcase classname=\"ivy.cut\" name=\"ivy/cut\" time=\"0.000\">\n"
              "      <skipped message=\"needs x\"/>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "</testsuites>\n");
    free(text);
    json_decref(report);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_csv), cmocka_unit_test(test_csv_of_times),
                                          cmocka_unit_test(test_junit)};
VFX_TEST_MAIN(tests)
