/* bench/compare_pair_test.c - two results against each other: what is compared and what is refused, what is said, what
 * is printed and what the program exits with. */
#include "core/test.h"

#include "bench/compare.h"
#include "bench/states.h"
#include "core/platform.h"

#include <math.h>
#include <sys/wait.h>

static const cmd_compare_rule usual = {.threshold = 0.03, .min_change_ns = 2000};

/* ---------------------------------------------------------------------------------------- documents */

/* A result of `time` without cases. */
static json_t *make_document(void)
{
    return json_loads("{\"schema_version\": 2, \"verb\": \"time\", \"tool\": {\"version\": \"0.1\", \"git\": \"abc\"}, "
                      "\"host\": {\"system\": \"Linux\", \"release\": \"6.1\"}, "
                      "\"command\": [\"vfxbench\", \"time\", \"ivy/*\", \"-o\", \"new.json\"], "
                      "\"ceilings\": {\"copy_bytes_per_s\": 1e12}, "
                      "\"device\": {\"name\": \"Thing\", \"driver\": \"Driver 1\", \"uuid\": \"u\", "
                      "\"driver_uuid\": \"d\", \"software\": false}, \"cases\": []}",
                      0, NULL);
}

/* A case of `launches` launches around `ns`, one pass "grow" that takes all of it but 100 us, which "index" does. */
static json_t *add_case(json_t *document, const char *id, double ns, uint32_t launches)
{
    json_t *kase = json_loads("{\"state\": \"pass\", \"reason\": null, \"parameters\": {\"leaves\": \"3\"}, "
                              "\"host_parameters\": {\"asset\": \"\"}, \"at\": [], \"frames\": 8, \"dt\": 0.0166, "
                              "\"seed\": 1, \"workgroup\": 0, \"shaders\": [], \"checked\": true}",
                              0, NULL);
    cmd_json_text(kase, "id", id);
    json_t *timing = cmd_json_object(kase, "timing"), *rows = cmd_json_array(timing, "launches");
    for (uint32_t i = 0; i < launches; i++) {
        json_t *row = cmd_json_append(rows);
        cmd_json_number(row, "median_ns", ns * (1.0 + 0.0004 * i), "");
        cmd_json_text(row, "state", "steady");
        cmd_json_number(row, "probe_before_ns", 1e6, "");
    }
    json_t *passes = cmd_json_array(timing, "passes"), *index = cmd_json_append(passes);
    cmd_json_text(index, "name", "index");
    cmd_json_number(index, "median_ns", 100e3, "");
    json_t *grow = cmd_json_append(passes);
    cmd_json_text(grow, "name", "grow");
    cmd_json_number(grow, "median_ns", ns - 100e3, "");
    (void)json_array_append_new(json_object_get(document, "cases"), kase);
    return kase;
}

/* Two documents and what is compared of them. */
typedef struct pair {
    json_t *a, *b;
    cmd_result results[2];
    cmd_comparison comparison;
} pair;

static void open_pair(pair *p)
{
    memset(p, 0, sizeof *p);
    p->a = make_document();
    p->b = make_document();
}

static void close_pair(pair *p)
{
    cmd_comparison_free(&p->comparison);
    cmd_result_free(&p->results[0]);
    cmd_result_free(&p->results[1]);
}

static const cmd_comparison *compare_globs(pair *p, cmd_compare_rule rule, const char *const *globs, uint32_t count)
{
    assert_vfx_ok(cmd_result_take(&p->results[0], "a.json", p->a));
    assert_vfx_ok(cmd_result_take(&p->results[1], "b.json", p->b));
    assert_vfx_ok(cmd_compare_results(&p->results[0], &p->results[1], &rule, globs, count, &p->comparison));
    return &p->comparison;
}

static const cmd_comparison *compare(pair *p, cmd_compare_rule rule)
{
    return compare_globs(p, rule, NULL, 0);
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in: %s", part, text);
}

/* --------------------------------------------------------------------------------- verdicts and exits */

static void test_order_and_family(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    static const double factors[] = {1.0, 1.1, 0.8, 1.3, 1.01};
    static const char *const ids[] = {"ivy/a", "ivy/b", "ivy/c", "ivy/d", "ivy/e"};
    for (size_t i = 0; i < 5; i++) {
        add_case(p.a, ids[i], 1e6, 10);
        add_case(p.b, ids[i], 1e6 * factors[i], 10);
    }
    add_case(p.a, "ivy/gone", 1e6, 10);
    add_case(p.b, "ivy/new", 1e6, 10);
    const cmd_comparison *c = compare(&p, usual);
    static const char *const order[] = {"ivy/d", "ivy/b", "ivy/c", "ivy/gone", "ivy/new", "ivy/e", "ivy/a"};
    static const cmd_verdict verdicts[] = {CMD_SLOWER,         CMD_SLOWER, CMD_FASTER, CMD_NOT_COMPARABLE,
                                           CMD_NOT_COMPARABLE, CMD_SAME,   CMD_SAME};
    assert_int_equal(c->row_count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(c->rows[i].id, order[i]);
        assert_int_equal(c->rows[i].verdict, verdicts[i]);
    }
    assert_int_equal(c->family, 7); /* those in one file only count */
    assert_int_equal(c->missing, 2);
    assert_true(fabs(c->rows[0].change->change - 0.3) < 1e-12);
    assert_string_equal(c->rows[3].reason, "not in B");
    assert_string_equal(c->rows[4].reason, "not in A");
    assert_int_equal(cmd_compare_exit(c, false, false), CMD_EXIT_REGRESSION);
    assert_int_equal(cmd_compare_exit(c, false, true), CMD_EXIT_MISMATCH);
    close_pair(&p);
}

/* One case 1 ms in A and `factor` times that in B, among `others` that stay. */
static int exit_of(double factor, uint32_t launches, uint32_t others, bool fail_on_inconclusive)
{
    pair p;
    open_pair(&p);
    add_case(p.a, "ivy/x", 1e6, launches);
    add_case(p.b, "ivy/x", 1e6 * factor, launches);
    for (uint32_t i = 0; i < others; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "ivy/%u", i);
        add_case(p.a, id, 1e6, launches);
        add_case(p.b, id, 1e6, launches);
    }
    int code = cmd_compare_exit(compare(&p, usual), fail_on_inconclusive, true);
    close_pair(&p);
    return code;
}

static void test_exit_codes(void **state)
{
    (void)state;
    assert_int_equal(exit_of(1.0, 10, 31, true), CMD_EXIT_OK);
    assert_int_equal(exit_of(1.1, 10, 31, false), CMD_EXIT_REGRESSION);
    assert_int_equal(exit_of(0.9, 10, 31, true), CMD_EXIT_OK); /* faster never fails */
    assert_int_equal(exit_of(1.1, 5, 31, false), CMD_EXIT_OK);
    assert_int_equal(exit_of(1.1, 5, 31, true), CMD_EXIT_INCONCLUSIVE);
    assert_int_equal(exit_of(0.9, 5, 31, true), CMD_EXIT_OK); /* maybe faster: certainly not slower */
    assert_int_equal(exit_of(1.1, 5, 0, false), CMD_EXIT_REGRESSION);
    assert_int_equal(exit_of(1.0, 3, 0, false), CMD_EXIT_OK);
    assert_int_equal(exit_of(1.0, 3, 0, true), CMD_EXIT_INCONCLUSIVE);
}

/* ---------------------------------------------------------------------------------- not comparable */

/* Sets a key of the document, of its device or of its only case, by "where.key". */
static void change(json_t *document, const char *where, const char *value)
{
    json_t *object = document;
    if (strncmp(where, "device.", 7) == 0)
        object = json_object_get(document, "device");
    else if (strncmp(where, "case.", 5) == 0)
        object = json_array_get(json_object_get(document, "cases"), 0);
    json_t *parsed = json_loads(value, JSON_DECODE_ANY, NULL);
    assert_non_null(parsed);
    (void)json_object_set_new(object, strchr(where, '.') + 1, parsed);
}

/* B differs like this; which --across lets it pass; what is said. */
static void refuse(const char *where, const char *value, const char *across, const char *part)
{
    static const char *const kinds[] = {"device", "driver", "workload", "shader"};
    for (uint32_t k = 0; k <= 4; k++) {
        pair p;
        cmd_compare_rule rule = usual;
        bool *const members[] = {&rule.device, &rule.driver, &rule.workload, &rule.shader};
        if (k < 4)
            *members[k] = true;
        open_pair(&p);
        add_case(p.a, "ivy/x", 1e6, 10);
        add_case(p.b, "ivy/x", 1e6, 10);
        change(p.b, where, value);
        const cmd_comparison *c = compare(&p, rule);
        bool passes = k < 4 && strcmp(kinds[k], across) == 0;
        if (passes != (c->rows[0].verdict == CMD_SAME))
            fail_msg("%s = %s with --across %s: %s", where, value, k < 4 ? kinds[k] : "nothing", c->rows[0].reason);
        char said[1400];
        (void)snprintf(said, sizeof said, "%s%s%s", c->rows[0].reason, c->rows[0].notes, c->notes[0]);
        has(said, part);
        assert_int_equal(cmd_compare_exit(c, true, true), passes ? CMD_EXIT_OK : CMD_EXIT_SKIP);
        if (!passes)
            has(c->rows[0].reason, "(--across ");
        close_pair(&p);
    }
}

static void test_differences(void **state)
{
    (void)state;
    refuse("device.uuid", "\"v\"", "device", "other device: Thing u in A, Thing v in B");
    refuse("device.name", "\"Else\"", "device", "Else u in B");
    refuse("device.driver", "\"Driver 2\"", "driver", "other driver: Driver 1 d in A, Driver 2 d in B");
    refuse("device.driver_uuid", "\"e\"", "driver", "Driver 1 e in B");
    refuse("case.parameters", "{\"leaves\": \"4\"}", "workload", "other workload: leaves 3 in A, 4 in B");
    refuse("case.parameters", "{}", "workload", "leaves only in A");
    refuse("case.parameters", "{\"leaves\": \"3\", \"new\": \"1\"}", "workload", "new only in B");
    refuse("case.host_parameters", "{\"asset\": \"fox\"}", "workload", "asset  in A, fox in B");
    refuse("case.frames", "9", "workload", "frames 8 in A, 9 in B");
    refuse("case.dt", "0.02", "workload", "dt 0.0166 in A, 0.02 in B");
    refuse("case.seed", "2", "workload", "seed 1 in A, 2 in B");
    refuse("case.at", "[{\"frame\": 3}]", "workload", "--at changes");
    refuse("case.workgroup", "64", "shader", "other shader: workgroup 0 in A, 64 in B");
    refuse("case.shaders", "[{\"pass\": \"grow\", \"hash\": \"1\", \"file\": \"mine.spv\"}]", "shader",
           "pass grow overridden in B by mine.spv");
}

/* An override of the same code from another path is the same. */
static void test_same_override(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    add_case(p.a, "ivy/x", 1e6, 10);
    add_case(p.b, "ivy/x", 1e6, 10);
    change(p.a, "case.shaders", "[{\"pass\": \"grow\", \"hash\": \"1\", \"file\": \"a.spv\"}]");
    change(p.b, "case.shaders", "[{\"pass\": \"grow\", \"hash\": \"1\", \"file\": \"b.spv\"}]");
    assert_int_equal(compare(&p, usual)->rows[0].verdict, CMD_SAME);
    close_pair(&p);
}

static void test_states(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    add_case(p.a, "ivy/x", 1e6, 10);
    add_case(p.b, "ivy/x", 1e6, 10);
    change(p.b, "case.state", "\"fail\"");
    change(p.b, "case.reason", "\"vertex 3\\u001b[2J is wrong\"");
    const cmd_comparison *c = compare(&p, usual);
    assert_int_equal(c->rows[0].verdict, CMD_NOT_COMPARABLE);
    assert_string_equal(c->rows[0].reason, "fail in B: vertex 3?[2J is wrong");
    assert_int_equal(c->missing, 1);
    assert_int_equal(cmd_compare_exit(c, false, true), CMD_EXIT_MISMATCH);
    close_pair(&p);
}

static void test_no_device(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    add_case(p.a, "ivy/x", 1e6, 10);
    add_case(p.b, "ivy/x", 1e6, 10);
    (void)json_object_set_new(p.a, "device", json_null());
    assert_string_equal(compare(&p, usual)->rows[0].reason, "A names no device");
    close_pair(&p);
}

static void test_software(void **state)
{
    (void)state;
    for (int allowed = 0; allowed <= 1; allowed++) {
        pair p;
        cmd_compare_rule rule = usual;
        rule.software = allowed != 0;
        open_pair(&p);
        add_case(p.a, "ivy/x", 1e6, 10);
        add_case(p.b, "ivy/x", 2e6, 10);
        change(p.a, "device.software", "true");
        change(p.b, "device.software", "true");
        const cmd_comparison *c = compare(&p, rule);
        assert_int_equal(c->rows[0].verdict, allowed ? CMD_SLOWER : CMD_NOT_COMPARABLE);
        if (!allowed)
            has(c->rows[0].reason, "--allow-software");
        assert_true(c->software);
        assert_int_equal(cmd_compare_exit(c, true, true), CMD_EXIT_OK); /* never gated */
        close_pair(&p);
    }
}

static void test_selection(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    static const char *const ids[] = {"ivy/x", "ivy/y", "oak/x"};
    for (size_t i = 0; i < 3; i++) {
        add_case(p.a, ids[i], 1e6, 5);
        add_case(p.b, ids[i], 1e6, 5);
    }
    static const char *const globs[] = {"ivy/*"}, *const none[] = {"elm/*"};
    const cmd_comparison *c = compare_globs(&p, usual, globs, 1);
    assert_int_equal(c->row_count, 2);
    assert_int_equal(c->family, 2);
    cmd_comparison other;
    assert_vfx_fails(cmd_compare_results(&p.results[0], &p.results[1], &usual, none, 1, &other), VFX_USAGE,
                     "no case of a.json or b.json matches");
    cmd_comparison_free(&other);
    close_pair(&p);
    open_pair(&p);
    assert_vfx_ok(cmd_result_take(&p.results[0], "a.json", p.a));
    assert_vfx_ok(cmd_result_take(&p.results[1], "b.json", p.b));
    assert_vfx_fails(cmd_compare_results(&p.results[0], &p.results[1], &usual, NULL, 0, &p.comparison), VFX_USAGE,
                     "is there to compare");
    close_pair(&p);
}

static void test_notes(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    add_case(p.a, "ivy/x", 1e6, 5);
    json_t *kase = add_case(p.b, "ivy/x", 1e6, 5);
    cmd_json_bool(kase, "checked", false);
    json_t *launches = json_object_get(json_object_get(kase, "timing"), "launches");
    cmd_json_text(json_array_get(launches, 0), "state", "unstable");
    cmd_json_text(json_array_get(launches, 1), "state", "power-capped");
    cmd_json_text(json_array_get(launches, 2), "state", "power-capped");
    for (size_t i = 0; i < 5; i++)
        cmd_json_number(json_array_get(launches, i), "probe_before_ns", 1.1e6, "");
    (void)json_object_set_new(kase, "launches_lost", json_loads("[{}]", 0, NULL));
    cmd_json_text(json_object_get(p.b, "tool"), "git", "def");
    cmd_json_text(json_object_get(p.b, "host"), "release", "6.2");
    cmd_json_number(json_object_get(p.b, "ceilings"), "copy_bytes_per_s", 0.9e12, "");
    const cmd_comparison *c = compare(&p, usual);
    assert_int_equal(c->rows[0].verdict, CMD_SAME);
    assert_string_equal(c->rows[0].notes,
                        "1 of 6 launches unstable in B; 2 of 6 launches power-capped in B; 1 of 6 "
                        "launches lost in B; not checked in B; drift probe +10.0 % in B: the device's "
                        "clock differs");
    assert_int_equal(c->note_count, 3);
    assert_string_equal(c->notes[0], "tool git: abc in A, def in B");
    assert_string_equal(c->notes[1], "host release: 6.1 in A, 6.2 in B");
    assert_string_equal(c->notes[2], "the device itself reached 1e+12 B/s copied in A, 9e+11 in B (-10.0 %)");
    close_pair(&p);
}

/* ------------------------------------------------------------------------------------------ output */

static void print_to(const cmd_comparison *c, bool markdown, bool quiet, char *text, size_t bytes)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_vfx_ok(cmd_compare_print(c, file, markdown, quiet));
    rewind(file);
    text[fread(text, 1, bytes - 1, file)] = '\0';
    (void)fclose(file);
}

static void make_mixed(pair *p)
{
    open_pair(p);
    static const double factors[] = {1.0, 1.2, 1.1};
    static const char *const ids[] = {"ivy/a_b", "ivy/b", "ivy/c"};
    for (uint32_t i = 0; i < 3; i++) {
        add_case(p->a, ids[i], 1e6, 10);
        add_case(p->b, ids[i], 1e6 * factors[i], i == 2 ? 3 : 10);
    }
}

static void test_text(void **state)
{
    (void)state;
    static char text[16384];
    pair p;
    make_mixed(&p);
    const cmd_comparison *c = compare(&p, usual);
    print_to(c, false, false, text, sizeof text);
    has(text, "\nslower ");
    has(text, " 1.0018  1.2022  +20.0 %");
    has(text, "\nivy/b, +20.0 %:\n");
    has(text, "\nindex  100.00   100.00      +0.00   +0.0 %\ngrow   900.00  1100.00    +200.00  +22.2 %\n");
    has(text, "10 against 3 launches, at least 4 of each are needed");
    has(text, "\n1 slower, 1 inconclusive, 0 faster, 0 not comparable, 1 same\n");
    has(text, "  vfxbench time ivy/c --launches 10 -o b-again.json\n");
    has(text, "  vfxbench time ivy/c --launches 10 -o a-again.json\n");
    assert_null(strstr(text, "<details>"));
    print_to(c, false, true, text, sizeof text);
    has(text, "ivy/b");
    assert_null(strstr(text, "ivy/a"));
    assert_null(strstr(text, "again"));
    close_pair(&p);
}

static void test_markdown(void **state)
{
    (void)state;
    static char text[16384];
    pair p;
    make_mixed(&p);
    print_to(compare(&p, usual), true, false, text, sizeof text);
    has(text, "\n**1 slower, 1 inconclusive, 0 faster, 0 not comparable, 1 same**\n");
    has(text, "\n| slower ");
    has(text, "<details><summary>1 same</summary>");
    has(text, "ivy/a\\_b");
    const char *fold = strstr(text, "<details>");
    assert_true(strstr(text, "| slower ") < fold && strstr(text, "ivy/a") > fold);
    close_pair(&p);
}

static void test_json(void **state)
{
    (void)state;
    pair p;
    make_mixed(&p);
    json_t *report = json_object();
    assert_vfx_ok(cmd_compare_report(compare(&p, usual), report, 2));
    const json_t *rows = json_object_get(report, "cases"), *first = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(cmd_result_text(first, "id"), "ivy/b");
    assert_string_equal(cmd_result_text(first, "verdict"), "slower");
    assert_true(fabs(cmd_result_number(first, "change") - 0.2) < 1e-12);
    assert_true(cmd_result_number(first, "p_slower") < 1e-5);
    assert_int_equal(json_array_size(json_object_get(first, "passes")), 2);
    const json_t *second = json_array_get(rows, 1);
    assert_true(json_is_null(json_object_get(second, "p_slower")));
    has(cmd_result_text(second, "p_slower_reason"), "too few launches");
    const json_t *summary = json_object_get(report, "summary");
    assert_true(cmd_result_number(summary, "slower") == 1.0 && cmd_result_number(summary, "exit_code") == 2.0);
    has(cmd_result_text(json_object_get(report, "again"), "b"), "ivy/c --launches 10");
    json_decref(report);
    close_pair(&p);
}

/* ------------------------------------------------------------------------------------ measuring again */

/* Command line of B when ivy/x and ivy/y[leaves=3] are inconclusive, from what B records. */
static void again(const char *const *command, const char *wanted)
{
    pair p;
    open_pair(&p);
    static const char *const ids[] = {"ivy/x", "ivy/y[leaves=3]", "ivy/y[leaves=4]", "oak/z"};
    for (uint32_t i = 0; i < 4; i++) {
        add_case(p.a, ids[i], 1e6, 5);
        json_t *kase = add_case(p.b, ids[i], 1e6, i < 3 ? 3 : 5);
        (void)json_object_set_new(kase, "shaders",
                                  json_loads("[{\"pass\": \"grow\", \"hash\": \"1\", \"file\": \"g.spv\"}]", 0, NULL));
    }
    cmd_compare_rule rule = usual;
    rule.shader = true;
    json_t *words = json_array();
    for (uint32_t i = 0; command[i] != NULL; i++)
        (void)json_array_append_new(words, json_string(command[i]));
    (void)json_object_set_new(p.b, "command", words);
    char *text;
    assert_vfx_ok(cmd_rerun_format(compare(&p, rule), &p.results[1], &text));
    if (wanted == NULL || text == NULL)
        assert_ptr_equal(text, wanted);
    else
        assert_string_equal(text, wanted);
    free(text);
    close_pair(&p);
}

#define AGAIN(wanted, ...) again((const char *const[]){__VA_ARGS__, NULL}, wanted)

static void test_again(void **state)
{
    (void)state;
    AGAIN("vfxbench time ivy/x ivy/y --launches 10 -o b-again.json", "vfxbench", "time");
    AGAIN("./vfxbench time ivy/x ivy/y --frames 20 --unchecked --launches 10 -o b-again.json", "./vfxbench", "time",
          "ivy/*", "oak/*", "--frames", "20", "--unchecked", "-o", "b.json", "--exclude", "elm/*", "--launches", "5");
    AGAIN("vfxbench time ivy/x ivy/y --dt=0.01 --launches 10 -o b-again.json", "vfxbench", "time", "--dt=0.01",
          "--launches=5", "--output=b.json", "--exclude=a", "--", "-odd", "ivy/*");
    AGAIN("'my tools/vfxbench' time ivy/x ivy/y --set 'a=it'\\''s $x' --launches 10 -o b-again.json",
          "my tools/vfxbench", "time", "--set", "a=it's $x");
    AGAIN("vfxbench time ivy/x ivy/y --shader ivy.grow=g.spv --launches 10 -o b-again.json", "vfxbench", "time",
          "--shader", "ivy.grow=g.spv", "--shader", "oak.grow=g.spv", "--shader=ivy.other=g.spv");
    AGAIN(NULL, "vfxbench", "time", "--unheard-of", "x");
    AGAIN(NULL, "vfxbench", "verify");
    AGAIN(NULL, "vfxbench");
}

/* More cases than a command line takes: those that were asked for. */
static void test_again_many(void **state)
{
    (void)state;
    pair p;
    char *text;
    open_pair(&p);
    for (uint32_t i = 0; i < 129; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "ivy/%u", i);
        add_case(p.a, id, 1e6, 1);
        add_case(p.b, id, 1e6, 1);
    }
    (void)json_object_set_new(p.b, "command",
                              json_loads("[\"vfxbench\", \"time\", \"ivy/*\", \"--exclude\", \"ivy/x*\"]", 0, NULL));
    assert_vfx_ok(cmd_rerun_format(compare(&p, usual), &p.results[1], &text));
    assert_string_equal(text, "vfxbench time 'ivy/*' --exclude 'ivy/x*' --launches 10 -o b-again.json");
    free(text);
    close_pair(&p);
}

/* ----------------------------------------------------------------------------------------- program */

static char folder[VFX_TEST_PATH], a_path[VFX_TEST_PATH], b_path[VFX_TEST_PATH], out_path[VFX_TEST_PATH];

static void write_document(json_t *document, const char *path)
{
    char *text;
    assert_vfx_ok(cmd_json_dump(document, &text));
    assert_vfx_ok(vfx_write_file(path, text, strlen(text)));
    free(text);
    json_decref(document);
}

/* Exit code of "vfxbench compare" with these arguments, where A, B and O stand for the files. */
static int program(const char *arguments)
{
    char command[8 * VFX_TEST_PATH] = VFX_PROGRAM " compare";
    for (const char *c = arguments; *c != '\0'; c++) {
        const char *path = *c == 'A' ? a_path : *c == 'B' ? b_path : *c == 'O' ? out_path : NULL;
        size_t used = strlen(command);
        if (path != NULL)
            (void)snprintf(command + used, sizeof command - used, "'%s'", path);
        else
            (void)snprintf(command + used, sizeof command - used, "%c", *c);
    }
    (void)strncat(command, " >/dev/null 2>&1", sizeof command - strlen(command) - 1);
    int code = system(command);
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

static void test_program(void **state)
{
    (void)state;
    vfx_test_folder(folder);
    vfx_test_path(a_path, folder, "a.json");
    vfx_test_path(b_path, folder, "b.json");
    vfx_test_path(out_path, folder, "out.json");
    json_t *a = make_document(), *b = make_document();
    add_case(a, "ivy/x", 1e6, 10);
    add_case(b, "ivy/x", 1.1e6, 10);
    write_document(a, a_path);
    write_document(b, b_path);
    assert_int_equal(program(" A B"), 2);
    assert_int_equal(program(" B A"), 0);
    assert_int_equal(program(" A A"), 0);
    assert_int_equal(program(" A B --threshold 11"), 0);
    assert_int_equal(program(" A B --min-change 200"), 0);
    assert_int_equal(program(" A B --md"), 2);
    assert_int_equal(program(" A B ivy/x -q -o O"), 2);
    json_t *report = json_load_file(out_path, 0, NULL);
    assert_string_equal(cmd_result_text(report, "verb"), "compare");
    assert_true(cmd_result_number(report, "schema_version") >= 1.0);
    json_decref(report);
    assert_int_equal(program(" A O"), 5); /* that is no result of time */
    assert_int_equal(program(" A O.none"), 5);
    assert_int_equal(program(" A"), 64);
    assert_int_equal(program(""), 64);
    assert_int_equal(program(" A B oak/x"), 64);
    assert_int_equal(program(" A B --across moon"), 64);
    assert_int_equal(program(" A B --json --md"), 64);
    assert_int_equal(program(" A B --threshold -1"), 64);
    assert_int_equal(program(" A B -o /nonexistent/x.json"), 5);
    vfx_test_remove(a_path);
    vfx_test_remove(b_path);
    vfx_test_remove(out_path);
    vfx_test_remove(folder);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_and_family),
                                          cmocka_unit_test(test_exit_codes),
                                          cmocka_unit_test(test_differences),
                                          cmocka_unit_test(test_same_override),
                                          cmocka_unit_test(test_states),
                                          cmocka_unit_test(test_no_device),
                                          cmocka_unit_test(test_software),
                                          cmocka_unit_test(test_selection),
                                          cmocka_unit_test(test_notes),
                                          cmocka_unit_test(test_text),
                                          cmocka_unit_test(test_markdown),
                                          cmocka_unit_test(test_json),
                                          cmocka_unit_test(test_again),
                                          cmocka_unit_test(test_again_many),
                                          cmocka_unit_test(test_program)};
VFX_TEST_MAIN(tests)
