/* bench/time_table_test.c - the table of timed cases, and their uploads. */
#include "core/test.h"

#include "bench/time_table.h"

#include <math.h>

static json_t *parse(const char *text)
{
    json_t *object = json_loads(text, 0, NULL);
    assert_non_null(object);
    return object;
}

static void expect_upload(const char *upload, const char *wanted)
{
    char text[128], document[512];
    (void)snprintf(document, sizeof document, "{\"timing\": {\"upload\": %s}}", upload);
    json_t *object = parse(document);
    cmd_time_upload_format(object, text, sizeof text);
    assert_string_equal(text, wanted);
    json_decref(object);
}

static void test_upload_line(void **state)
{
    (void)state;
    expect_upload("null", "");
    expect_upload("{\"mode\": \"single\", \"bytes\": \"9216000\", \"host_ms\": {\"median\": 0.97}, \"gpu_ms\": "
                  "{\"median\": 0.19}}",
                  "0.97 ms host, 0.19 ms GPU, 9.22 MB (single)");
    expect_upload("{\"mode\": \"mapped\", \"bytes\": \"896\", \"host_ms\": {\"median\": 0.97}, \"gpu_ms\": "
                  "{\"median\": 0}}",
                  "0.97 ms host, 0 ms GPU, 896 B (mapped)");
    expect_upload("{\"mode\": \"texture\", \"bytes\": \"24000\", \"host_ms\": {\"median\": 0.97}, \"gpu_ms\": "
                  "{\"median\": null}}",
                  "0.97 ms host, - ms GPU, 24 kB (texture)");
}

/* The column is there from the first case on that uploads something; rows before it stay empty in it. */
static void test_upload_column(void **state)
{
    (void)state;
    cmd_table table = {0};
    json_t *none = parse("{\"timing\": {}}");
    json_t *some = parse("{\"timing\": {\"upload\": {\"bytes\": \"5\", \"mode\": \"single\"}}}");
    assert_vfx_ok(cmd_time_head(&table));
    const uint32_t columns = table.column_count;
    assert_vfx_ok(cmd_table_row(&table));
    assert_vfx_ok(cmd_time_upload_cell(&table, none));
    assert_int_equal(table.column_count, columns);
    assert_vfx_ok(cmd_table_row(&table));
    assert_vfx_ok(cmd_time_upload_cell(&table, some));
    assert_int_equal(table.column_count, columns + 1);
    assert_string_equal(table.cells[columns], "upload");
    assert_null(table.cells[CMD_TABLE_COLUMNS + columns]);
    assert_non_null(strstr(table.cells[2 * CMD_TABLE_COLUMNS + columns], "5 B (single)"));
    cmd_table_free(&table);
    json_decref(none);
    json_decref(some);
}

/* Every column from the key that it stands for. */
static void test_row(void **state)
{
    (void)state;
    static const char *const wanted[] = {"ivy/plain/ci (3 batches)",
                                         "1.5000",
                                         "2",
                                         "60.0",
                                         "20",
                                         "7.0",
                                         "1.9000",
                                         "1.5",
                                         "1000",
                                         "67 % copy",
                                         "1.0000",
                                         "20 k leaf",
                                         "update 0.9"};
    cmd_table table = {0};
    json_t *object =
        parse("{\"id\": \"ivy/plain/ci\", \"batches\": 3, \"timing\": {\"median_ns\": 1.5e6, \"launch_spread\": 0.6,"
              "\"launches\": [{}, {}], \"runs\": 20, \"frame_ns\": {\"relative_iqr\": 0.07, \"p95\": 1.9e6},"
              "\"rates\": {\"bytes_read\": 1e9, \"bytes_written\": 5e8, \"bytes_per_s\": 1e12, \"ceiling\": \"copy\","
              "\"ceiling_share\": 0.67, \"floor_ns\": 1e6, \"items_per_s\": 2e4, \"item\": \"leaf\"},"
              "\"passes\": [{\"name\": \"index\", \"once\": true, \"median_ns\": null},"
              "{\"name\": \"update\", \"once\": false, \"median_ns\": 0.9e6}]}}");
    assert_vfx_ok(cmd_time_head(&table));
    assert_vfx_ok(cmd_time_row(&table, object));
    for (uint32_t c = 0; c < sizeof wanted / sizeof *wanted; c++) {
        if (strcmp(table.cells[CMD_TABLE_COLUMNS + c], wanted[c]) != 0)
            fail_msg("%s: '%s' instead of '%s'", table.cells[c], table.cells[CMD_TABLE_COLUMNS + c], wanted[c]);
    }
    cmd_table_free(&table);
    json_decref(object);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_upload_line), cmocka_unit_test(test_upload_column),
                                          cmocka_unit_test(test_row)};
VFX_TEST_MAIN(tests)
