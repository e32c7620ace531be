/* bench/html_test.c - the parts of a report that need no device and no browser: escaping, numbers, scales, laws, and
 * what becomes of results that hold nothing or nonsense. */
#include "core/test.h"

#include "bench/html_section.h"
#include "core/platform.h"

#include <float.h>
#include <math.h>

#define assert_text(html, expected)                   \
    do {                                              \
        assert_vfx_ok(cmd_html_status(&(html)));      \
        assert_string_equal((html).text, (expected)); \
        cmd_html_free(&(html));                       \
    } while (0)

static void test_escaping(void **state)
{
    (void)state;
    cmd_html html = {0};
    const char *volatile nothing = NULL;
    cmd_html_add(&html, "<b title=\"%s\">", "a\"b'c<d>&e");
    assert_text(html, "<b title=\"a&quot;b&#39;c&lt;d&gt;&amp;e\">");
    cmd_html_text(&html, "\xc2\xb5s \xe2\x88\x9d \xf0\x9f\x99\x82\n");
    assert_text(html, "\xc2\xb5s \xe2\x88\x9d \xf0\x9f\x99\x82\n");
    /* a stray byte, a cut sequence, an overlong one, a surrogate, a control character, a direction override */
    cmd_html_text(&html, "\xff|\xe2\x88|\xc0\xaf|\xed\xa0\x80|\x01|\xe2\x80\xae|");
#define BAD "\xef\xbf\xbd"
    assert_text(html, BAD "|" BAD BAD "|" BAD BAD "|" BAD BAD BAD "|" BAD "|" BAD "|");
    cmd_html_add(&html, "%s%s|%d %u %zu %.2f %g%%", nothing, "", -3, 7u, (size_t)9, 1.5, (double)NAN);
    assert_text(html, "|-3 7 9 1.50 0%");
    cmd_html_add(&html, "%.1f", (double)INFINITY);
    assert_text(html, "0.0");
    cmd_html_add(&html, "%.0f", DBL_MAX);
    assert_int_equal(html.bytes, 309);
    cmd_html_free(&html);
}

static void test_png(void **state)
{
    (void)state;
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="};
    for (size_t i = 0; i < 5; i++) {
        cmd_html html = {0};
        char text[64];
        (void)snprintf(text, sizeof text, "data:image/png;base64,%s", expected[i]);
        cmd_html_png(&html, "foob", i);
        assert_text(html, text);
    }
}

static void test_formats(void **state)
{
    (void)state;
    char text[CMD_HTML_NUMBER];
    static const struct {
        double ns;
        const char *text;
    } times[] = {{0.0, "0 ns"},
                 {4608.0, "4.61 \xc2\xb5s"},
                 {149921.6, "150 \xc2\xb5s"},
                 {999.6, "1.00 \xc2\xb5s"},
                 {2.5e6, "2.50 ms"},
                 {1e10, "10 s"},
                 {1e30, "1.00e+21 s"},
                 {(double)NAN, "no data"},
                 {-(double)INFINITY, "no data"},
                 {1e-5, "1.00e-05 ns"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        cmd_html_format_time(times[i].ns, text);
        assert_string_equal(text, times[i].text);
    }
    cmd_html_format_si(4.268e12, "B/s", text);
    assert_string_equal(text, "4.27 TB/s");
    cmd_html_format_si(150000.0, "", text);
    assert_string_equal(text, "150 k");
    cmd_html_format_si(7.0, "", text);
    assert_string_equal(text, "7");
    cmd_html_format_si(DBL_MAX, "flop/s", text);
    assert_non_null(strstr(text, "Pflop/s"));
    cmd_html_format_bytes(49152.0, text);
    assert_string_equal(text, "48 KiB");
    cmd_html_format_percent(0.8502, text);
    assert_string_equal(text, "85.0 %");
}

/* A scale holds its values, in order, and its ticks are within it and rise. */
static void check_scale(const double *values, size_t count, bool log, bool zero)
{
    double ticks[CMD_SCALE_TICKS];
    cmd_scale scale = cmd_scale_of(values, count, log, zero);
    assert_true(isfinite(scale.lo) && isfinite(scale.hi) && scale.lo < scale.hi && (!log || scale.lo > 0.0));
    for (size_t i = 0; i < count; i++) {
        double at = cmd_scale_at(&scale, values[i]);
        bool usable = isfinite(values[i]) && (!log || values[i] > 0.0);
        assert_true(usable ? at >= 0.0 && at <= 1.0 : isnan(at));
        if (usable && fabs(values[i]) < 1e299 && (!log || values[i] > 1e-299)) /* beyond that it is cut */
            assert_true(fabs(cmd_scale_beyond(&scale, values[i]) - at) < 1e-9);
    }
    for (uint32_t wanted = 0; wanted < 20; wanted++) {
        uint32_t ticked = cmd_scale_ticks(&scale, wanted, ticks);
        assert_in_range(ticked, 2, CMD_SCALE_TICKS);
        for (uint32_t i = 0; i < ticked; i++) {
            double at = cmd_scale_beyond(&scale, ticks[i]);
            assert_true(at > -1e-6 && at < 1.0 + 1e-6);
            assert_true(i == 0 || ticks[i] > ticks[i - 1]);
        }
    }
}

static void test_scales(void **state)
{
    (void)state;
    static const double sets[][4] = {{1.0, 2.0, 3.0, 4.0},
                                     {0.0, 0.0, 0.0, 0.0},
                                     {7.0, 7.0, 7.0, 7.0},
                                     {-5.0, 3.0, -1.0, 0.5},
                                     {1e-300, 1e300, 1.0, 10.0},
                                     {-DBL_MAX, DBL_MAX, 0.0, 1.0},
                                     {DBL_MIN, DBL_MIN, 5e-324, 5e-324},
                                     {100000.0, 150000.0, 100000.0, 150000.0},
                                     {1.0, 1.0 + 1e-15, 1.0, 1.0}};
    double broken[4] = {(double)NAN, (double)INFINITY, -(double)INFINITY, (double)NAN};
    for (unsigned options = 0; options < 4; options++) {
        for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
            for (size_t count = 0; count <= 4; count++)
                check_scale(sets[i], count, (options & 1) != 0, (options & 2) != 0);
        }
        check_scale(broken, 4, (options & 1) != 0, (options & 2) != 0);
    }
    double ticks[CMD_SCALE_TICKS];
    cmd_scale log = cmd_scale_of((const double[]){2e3, 4e5}, 2, true, false);
    assert_true(log.lo == 2e3 && fabs(log.hi - 5e5) < 1e-6);
    assert_int_equal(cmd_scale_ticks(&log, 3, ticks), 2); /* 10 k, 100 k */
    assert_true(fabs(ticks[0] - 1e4) < 1e-6 && fabs(ticks[1] - 1e5) < 1e-6);
    cmd_scale linear = cmd_scale_of((const double[]){13.0, 87.0}, 2, false, true);
    assert_true(linear.lo == 0.0 && linear.hi == 100.0);
    assert_int_equal(cmd_scale_ticks(&linear, 5, ticks), 6);
    assert_true(ticks[1] == 20.0);
}

static void test_fits(void **state)
{
    (void)state;
    double x[] = {10.0, 100.0, 1000.0, 10000.0, (double)NAN, -1.0}, y[6];
    for (size_t i = 0; i < 6; i++)
        y[i] = 3.0 * pow(x[i], 1.5);
    cmd_fit power = cmd_fit_of(x, y, 6);
    assert_true(power.valid && fabs(power.exponent - 1.5) < 1e-9 && fabs(power.factor - 3.0) < 1e-9);
    assert_true(power.worst < 1e-9 && power.fixed == 0.0);
    for (size_t i = 0; i < 6; i++)
        y[i] = 80.0 + 0.5 * x[i];
    cmd_fit line = cmd_fit_of(x, y, 6);
    assert_true(line.valid && line.exponent == 1.0 && fabs(line.fixed - 80.0) < 1e-6);
    assert_true(fabs(cmd_fit_at(&line, 20.0) - 90.0) < 1e-6);
    assert_false(cmd_fit_of(x, y, 2).valid);
    assert_false(cmd_fit_of(x, y, 0).valid);
    const double steep[] = {5.0, 95.0, 995.0, 9995.0}; /* x - 5: a line with less than nothing at 0 */
    assert_true(cmd_fit_of(x, steep, 4).fixed == 0.0);
    const double same[] = {5.0, 5.0, 5.0}, falling[] = {9.0, 3.0, 1.0};
    assert_false(cmd_fit_of(same, x, 3).valid);
    assert_true(cmd_fit_of(x, falling, 3).exponent < 0.0);
}

static void test_plot(void **state)
{
    (void)state;
    cmd_html html = {0};
    cmd_plot plot = {.html = &html, .height = 100.0};
    plot.x.scale = (cmd_scale){1.0, 100.0, true};
    plot.y.scale = (cmd_scale){0.0, 10.0, false};
    cmd_plot_mark(&plot, 9, 10.0, 5.0, "a<b");
    assert_text(html, "<use href=\"#m2\" class=\"mark c1\" x=\"50.00%\" y=\"50.0\"><title>a&lt;b</title></use>\n");
    cmd_html_raw(&html, "-");
    cmd_plot_mark(&plot, 0, (double)NAN, 5.0, ""); /* nothing for what is no place */
    cmd_plot_mark(&plot, 0, -1.0, 5.0, "");
    cmd_plot_mark(&plot, 0, 1.0, (double)INFINITY, "");
    cmd_plot_line(&plot, "fit", 0, 0.0, 1.0, 10.0, 1.0);
    cmd_plot_line(&plot, "fit", 0, 1.0, 11.0, 100.0, 12.0); /* nothing for a line outside */
    cmd_plot_line(&plot, "fit", 0, 1.0, -1.0, 100.0, -1.0);
    assert_text(html, "-");
    cmd_plot_line(&plot, "fit", 3, 1.0, -10.0, 100.0, 10.0); /* enters the field half way */
    assert_text(html, "<line class=\"fit c3\" x1=\"50.00%\" y1=\"100.0\" x2=\"100.00%\" y2=\"0.0\"/>\n");
}

/* ------------------------------------------------------------------------------------------- results */

/* Writes the text as a result file, makes its page. */
static vfx_status page_of(const char *text, cmd_html *page, cmd_html_data *data)
{
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH];
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "result.json");
    assert_vfx_ok(vfx_write_file(path, text, strlen(text)));
    cmd_values paths = {.items = {path, path}, .count = 2};
    vfx_status status = cmd_html_load(data, &paths);
    memset(page, 0, sizeof *page);
    if (status == VFX_OK)
        cmd_html_page(page, data, NULL);
    cmd_html_data_free(data);
    vfx_test_remove(path);
    vfx_test_remove(folder);
    return status == VFX_OK ? cmd_html_status(page) : status;
}

static void test_refused(void **state)
{
    (void)state;
    cmd_html page;
    cmd_html_data data;
    assert_vfx_fails(page_of("", &page, &data), VFX_IO, "not valid JSON");
    assert_vfx_fails(page_of("{\"schema_version\": 1, ", &page, &data), VFX_IO, "line 1");
    assert_vfx_fails(page_of("[]", &page, &data), VFX_IO, "holds no object");
    assert_vfx_fails(page_of("{}", &page, &data), VFX_IO, "schema_version");
    assert_vfx_fails(page_of("{\"schema_version\": 3, \"cases\": []}", &page, &data), VFX_IO, "schema version 3");
    assert_vfx_fails(page_of("{\"schema_version\": 1, \"cases\": {}}", &page, &data), VFX_IO, "\"cases\"");
    cmd_values missing = {.items = {"/nonexistent/result.json"}, .count = 1};
    assert_vfx_fails(cmd_html_load(&data, &missing), VFX_IO, "/nonexistent/result.json");
    cmd_html_data_free(&data);
}

/* Whatever the values are, there is a page, and it has no number that is none. */
static void check_nonsense(const char *text)
{
    cmd_html page;
    cmd_html_data data;
    assert_vfx_ok(page_of(text, &page, &data));
    static const char *const never[] = {"=\"nan", "=\"-nan", "=\"inf", "(null)", "<evil", ">nan", ">inf"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        if (strstr(page.text, never[i]) != NULL)
            fail_msg("%s in the page of %s", never[i], text);
    }
    assert_non_null(strstr(page.text, "</html>"));
    cmd_html_free(&page);
}

static void test_nonsense(void **state)
{
    (void)state;
    static const char *const values[] = {"null", "true",  "-1", "0",    "1e308", "\"<evil>\"",
                                         "[]",   "[1,2]", "{}", "[{}]", "\"\"",  "[null, -5, 1e300, 2]"};
    static const char *const forms[] = {
        "{\"schema_version\": 1, \"cases\": []}",
        "{\"schema_version\": 1, \"cases\": [%s, %s]}",
        "{\"schema_version\": 1, \"tool\": %s, \"device\": %s, \"ceilings\": {\"copy_bytes_per_s\": 0}, \"cases\": "
        "[{}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": %s, \"state\": %s, \"parameters\": {\"n\": 1}}]}",
        "{\"schema_version\": 1, \"ceilings\": {\"copy_bytes_per_s\": %s, \"fma_flops\": %s}, \"cases\": [{\"id\": "
        "\"a/b/c\", \"state\": \"pass\", \"timing\": {\"frame_ns\": {\"median\": 5}, \"rates\": {\"bytes_read\": 1, "
        "\"bytes_written\": 0, \"flops\": 3, \"flops_per_s\": 7}}}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": \"a/b/c\", \"state\": \"pass\", \"timing\": {\"frame_ns\": "
        "{\"median\": %s, \"min\": %s}, \"samples_ns\": [1, 2]}}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": \"a/b/c\", \"timing\": {\"samples_ns\": %s, \"launches\": %s}}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": \"a/b/c\", \"timing\": {\"samples_ns\": [3], \"passes\": "
        "[{\"name\": "
        "%s, \"median_ns\": %s}, {\"median_ns\": 3}, {\"name\": \"x\", \"median_ns\": 1e308}]}}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": \"a/b/c\", \"state\": \"fail\", \"checks\": [{\"worst_gpu\": %s, "
        "\"failed\": %s}, 3]}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": \"../b/c\", \"state\": \"fail\", \"sweeps\": %s, \"golden\": "
        "{\"path\": %s, \"flip\": 3}}]}",
        "{\"schema_version\": 1, \"cases\": [{\"id\": \"a/b/1\", \"parameters\": {\"n\": %s}, \"timing\": "
        "{\"samples_ns\": "
        "[1]}}, {\"id\": \"a/b/2\", \"parameters\": {\"n\": \"2\"}, \"timing\": {\"samples_ns\": [2], \"rates\": %s}}, "
        "{\"id\": \"a/b/3\", \"parameters\": {\"n\": \"3\"}, \"timing\": {\"samples_ns\": [1e300]}}]}",
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (size_t a = 0; a < sizeof values / sizeof *values; a++) {
            for (size_t b = 0; b < sizeof values / sizeof *values; b++) {
                char text[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
                (void)snprintf(text, sizeof text, forms[f], values[a], values[b]);
#pragma GCC diagnostic pop
                check_nonsense(text);
            }
        }
    }
}

static void test_empty(void **state)
{
    (void)state;
    cmd_html page;
    cmd_html_data data;
    assert_vfx_ok(page_of("{\"schema_version\": 1, \"cases\": []}", &page, &data));
    assert_non_null(strstr(page.text, "The results hold no cases"));
    assert_non_null(strstr(page.text, "no data"));
    cmd_html_free(&page);
}

static void add_case(json_t *cases, unsigned number)
{
    char id[64];
    (void)snprintf(id, sizeof id, "ivy/v%u/p%u", number % 700, number / 700);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:{s:{s:f}, s:[f,f,f]}}", "id", id, "state",
                  number % 3 == 0   ? "fail"
                  : number % 3 == 1 ? "skipped"
                                    : "pass",
                  "reason", "because", "timing", "frame_ns", "median", 1.0 + number, "samples_ns", 1.0, 2.0, 3.0);
    assert_int_equal(json_array_append_new(cases, object), 0);
}

/* Ten thousand cases: a page of reasonable size that says what it leaves out, in reasonable time. */
static void test_many(void **state)
{
    (void)state;
    cmd_html page;
    cmd_html_data data;
    json_t *cases = json_array();
    for (unsigned i = 0; i < 10000; i++)
        add_case(cases, i);
    json_t *root = json_pack("{s:i, s:o}", "schema_version", 1, "cases", cases);
    char *text = json_dumps(root, JSON_COMPACT);
    uint64_t begin = vfx_clock_ns();
    assert_vfx_ok(page_of(text, &page, &data));
    assert_true(vfx_clock_ns() - begin < 20000000000u);
    assert_true(page.bytes < 4u << 20);
    assert_non_null(strstr(page.text, "3334 of 10000 cases failed"));
    assert_non_null(strstr(page.text, "more that failed"));
    assert_non_null(strstr(page.text, "more cases are in the table of all numbers"));
    cmd_html_free(&page);
    free(text);
    json_decref(root);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_escaping), cmocka_unit_test(test_png),
                                          cmocka_unit_test(test_formats),  cmocka_unit_test(test_scales),
                                          cmocka_unit_test(test_fits),     cmocka_unit_test(test_plot),
                                          cmocka_unit_test(test_refused),  cmocka_unit_test(test_nonsense),
                                          cmocka_unit_test(test_empty),    cmocka_unit_test(test_many)};
VFX_TEST_MAIN(tests)
