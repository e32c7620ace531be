/* bench/launch_plan_test.c - the plan of a launch survives its way through a command line; anything else is refused.
 * Lines of the wire come out as they went in, whole, and what is none is named. */
#include "core/test.h"

#include "bench/launch.h"

static void test_round_trip(void **state)
{
    (void)state;
    cmd_launch launch, again;
    char *text;
    assert_vfx_ok(cmd_launch_create(&launch, 3, 4, 2));
    launch.cases[1].check = false;
    assert_vfx_ok(cmd_launch_format(&launch, &text));
    assert_string_equal(text, "3:2?,3,0?,1?");
    assert_vfx_ok(cmd_launch_parse(text, 4, &again));
    assert_int_equal(again.number, 3);
    assert_int_equal(again.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(again.cases[i].entry, launch.cases[i].entry);
        assert_int_equal(again.cases[i].check, launch.cases[i].check);
    }
    free(text);
    cmd_launch_free(&launch);
    cmd_launch_free(&again);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",      "1",     "1:",   ":0",    "0:0", "1:4",         "1:0,",
                                        "1:0x",  "1:0??", "1:-1", "1 :0",  "x:0", "1:0,0,0,0,0", "1:99999999999",
                                        "1:0;1", "-1:0",  "1:?",  "1:0, 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cmd_launch launch;
        if (cmd_launch_parse(wrong[i], 4, &launch) != VFX_USAGE || launch.cases != NULL)
            fail_msg("'%s' was taken for a plan", wrong[i]);
    }
}

static void feed(cmd_wire_reader *reader, const char *text)
{
    assert_vfx_ok(cmd_wire_feed(reader, text, strlen(text)));
}

static void test_lines(void **state)
{
    (void)state;
    cmd_wire_reader reader = {0};
    json_t *line;
    feed(&reader, "{\"type\": \"a\"}\n{\"ty");
    assert_vfx_ok(cmd_wire_next(&reader, &line));
    assert_string_equal(json_string_value(json_object_get(line, "type")), "a");
    json_decref(line);
    assert_vfx_ok(cmd_wire_next(&reader, &line));
    assert_null(line);
    feed(&reader, "pe\": \"b\"}\n");
    assert_vfx_ok(cmd_wire_next(&reader, &line));
    assert_string_equal(json_string_value(json_object_get(line, "type")), "b");
    json_decref(line);
    for (size_t i = 0; i < 100000; i++) /* a line longer than the first room for it */
        feed(&reader, "x");
    feed(&reader, "\n{}\n7\n{\"type\": \"c\"}\n");
    for (size_t i = 0; i < 3; i++)
        assert_vfx_fails(cmd_wire_next(&reader, &line), VFX_IO, "no report");
    assert_vfx_ok(cmd_wire_next(&reader, &line));
    assert_non_null(line);
    json_decref(line);
    cmd_wire_free(&reader);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
                                          cmocka_unit_test(test_lines)};
VFX_TEST_MAIN(tests)
