/* bench/options_test.c - parsing, refusals, environment and help of the one option table. */
#include "core/test.h"

#include "bench/options.h"
#include "core/gpu.h"
#include "core/run.h"

static const cmd_verb verify = {"verify", CMD_VERIFY, NULL, "checks", "*/*/ci", "  vfxbench verify\n"};
static const cmd_verb time_verb = {"time", CMD_TIME, NULL, "times", "*/*/default", "  vfxbench time\n"};

/* The caller's environment must not decide what these tests see. */
static int forget_variables(void **state)
{
    (void)state;
    uint32_t count;
    const cmd_option *rows = cmd_option_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        char name[64];
        cmd_option_variable(&rows[i], name, sizeof name);
        unsetenv(name);
    }
    return 0;
}

/* Parses "vfxbench verb <words>", NULL-terminated. */
static vfx_status parse(cmd_options *options, const cmd_verb *verb, const char *const words[])
{
    static char storage[16][64];
    static char *argv[18];
    int argc = 2;
    argv[0] = argv[1] = storage[0];
    for (int i = 0; words[i] != NULL; i++) {
        assert_true(strlen(words[i]) < sizeof storage[i]);
        argv[argc++] = strcpy(storage[i], words[i]);
    }
    return cmd_options_parse(options, verb, argc, argv, 2);
}

#define PARSE(options, verb, ...) parse(options, verb, (const char *const[]){__VA_ARGS__, NULL})

static void test_every_type(void **state)
{
    (void)state;
    cmd_options o;
    assert_vfx_ok(PARSE(&o, &verify, "tentacle/*/ci", "--frames", "7", "--dt=0.25", "--set", "a=1", "--set=b=2",
                        "--mode", "free-run", "-o", "x.json", "--allow-cpu", "-v", "vat/*", "--", "--odd"));
    assert_int_equal(o.globs.count, 3);
    assert_string_equal(o.globs.items[1], "vat/*");
    assert_string_equal(o.globs.items[2], "--odd");
    assert_int_equal(o.frames, 7);
    assert_float_equal(o.dt, 0.25, 0.0);
    assert_int_equal(o.set.count, 2);
    assert_string_equal(o.set.items[1], "b=2");
    assert_int_equal(o.mode, VFX_FREE_RUN);
    assert_string_equal(o.output, "x.json");
    assert_true(o.allow_cpu && o.verbose && !o.require_device);
    assert_true(cmd_option_given(&o, "frames"));
    assert_false(cmd_option_given(&o, "seed"));
    cmd_options_free(&o);
}

static void test_defaults(void **state)
{
    (void)state;
    cmd_options o;
    assert_vfx_ok(parse(&o, &verify, (const char *const[]){NULL}));
    assert_int_equal(o.validation, VFX_VALIDATION_AUTO);
    assert_int_equal(o.mode, VFX_STEP_LOCKED);
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.frames, 0);
    assert_float_equal(o.fence_timeout, 10.0, 0.0);
    assert_vfx_ok(PARSE(&o, &verify, "--validation", "require"));
    assert_int_equal(o.validation, VFX_VALIDATION_REQUIRE);
    assert_vfx_ok(PARSE(&o, &verify, "--validation", "off"));
    assert_int_equal(o.validation, VFX_VALIDATION_OFF);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct {
        const char *words[3];
        const char *part;
    } rows[] = {{{"--frobs", NULL}, "unknown option '--frobs'; see vfxbench verify --help"},
                {{"--frobs=1", NULL}, "unknown option '--frobs'"},
                {{"-x", NULL}, "unknown option '-x'"},
                {{"--frame", "3", NULL}, "unknown option '--frame'"},
                {{"--frames2", NULL}, "unknown option '--frames2'"},
                {{"--runs", "3", NULL}, "does not apply to 'verify'"},
                {{"--frames", NULL}, "--frames needs a value"},
                {{"--frames", "0", NULL}, "--frames: 0 is out of range"},
                {{"--frames", "-1", NULL}, "out of range"},
                {{"--frames", "1.5", NULL}, "not a whole number"},
                {{"--frames", "7x", NULL}, "not a whole number"},
                {{"--frames", "nan", NULL}, "out of range"},
                {{"--frames", "1e30", NULL}, "out of range"},
                {{"--frames", " 3", NULL}, "not a whole number"},
                {{"--frames=", NULL}, "empty"},
                {{"--dt", "inf", NULL}, "out of range"},
                {{"--dt", "0", NULL}, "out of range"},
                {{"--seed", "4294967296", NULL}, "out of range"},
                {{"--mode", "fast", NULL}, "step-locked, free-run, repeat"},
                {{"--allow-cpu=maybe", NULL}, "--allow-cpu: 'maybe'"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cmd_options o;
        assert_vfx_fails(parse(&o, &verify, rows[i].words), VFX_USAGE, rows[i].part);
        cmd_options_free(&o);
    }
}

static void test_environment(void **state)
{
    (void)state;
    cmd_options o;
    setenv("VFXBENCH_ALLOW_CPU", "1", 1);
    setenv("VFXBENCH_SET", "a=1;b=2;", 1);
    setenv("VFXBENCH_FRAMES", "9", 1);
    setenv("VFXBENCH_RUNS", "nonsense", 1); /* not an option of verify */
    assert_vfx_ok(parse(&o, &verify, (const char *const[]){NULL}));
    assert_true(o.allow_cpu);
    assert_int_equal(o.set.count, 2);
    assert_string_equal(o.set.items[0], "a=1");
    assert_string_equal(o.set.items[1], "b=2");
    assert_int_equal(o.frames, 9);
    assert_true(cmd_option_given(&o, "frames"));
    cmd_options_free(&o);
    assert_vfx_ok(PARSE(&o, &verify, "--frames", "3", "--set", "c=3", "--set", "d=4", "--allow-cpu=off"));
    assert_int_equal(o.frames, 3); /* the command line wins */
    assert_int_equal(o.set.count, 2);
    assert_string_equal(o.set.items[0], "c=3");
    assert_false(o.allow_cpu);
    cmd_options_free(&o);
    assert_vfx_fails(parse(&o, &time_verb, (const char *const[]){NULL}), VFX_USAGE, "VFXBENCH_RUNS: 'nonsense'");
    cmd_options_free(&o);
    unsetenv("VFXBENCH_ALLOW_CPU");
    unsetenv("VFXBENCH_SET");
    unsetenv("VFXBENCH_FRAMES");
    unsetenv("VFXBENCH_RUNS");
}

static void test_variable_of_no_option(void **state)
{
    (void)state;
    cmd_options o;
    setenv("VFXBENCH_REQUIRE_DEVICE", "1", 1);
    setenv("VFXBENCH_MD", "1", 1); /* of another verb */
    assert_vfx_ok(parse(&o, &verify, (const char *const[]){NULL}));
    cmd_options_free(&o);
    setenv("VFXBENCH_DEVCE", "llvmpipe", 1);
    assert_vfx_fails(parse(&o, &verify, (const char *const[]){NULL}), VFX_USAGE,
                     "variable VFXBENCH_DEVCE belongs to no option; did you mean VFXBENCH_DEVICE?");
    cmd_options_free(&o);
    unsetenv("VFXBENCH_DEVCE");
    setenv("VFXBENCH_XYZZYXYZZY", "", 1);
    assert_vfx_fails(parse(&o, &verify, (const char *const[]){NULL}), VFX_USAGE, "see vfxbench verify --help");
    cmd_options_free(&o);
    unsetenv("VFXBENCH_XYZZYXYZZY");
    unsetenv("VFXBENCH_MD");
    unsetenv("VFXBENCH_REQUIRE_DEVICE");
}

static void test_too_many(void **state)
{
    (void)state;
    char storage[] = "x", *argv[CMD_MAX_VALUES + 3];
    for (int i = 0; i < CMD_MAX_VALUES + 3; i++)
        argv[i] = storage;
    cmd_options o;
    assert_vfx_ok(cmd_options_parse(&o, &verify, CMD_MAX_VALUES + 2, argv, 2));
    assert_vfx_fails(cmd_options_parse(&o, &verify, CMD_MAX_VALUES + 3, argv, 2), VFX_USAGE, "more than");
}

/* Help has a line for each row of the verb and none of the others. */
static void test_help(void **state)
{
    (void)state;
    static char text[16384];
    FILE *file = tmpfile();
    assert_non_null(file);
    cmd_help(file, &verify);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    uint32_t count;
    const cmd_option *rows = cmd_option_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        char option[64];
        snprintf(option, sizeof option, "--%s ", rows[i].name);
        bool applies = (rows[i].verbs & CMD_VERIFY) != 0;
        if ((strstr(text, option) != NULL) != applies)
            fail_msg("help of verify and --%s", rows[i].name);
        assert_true(rows[i].verbs != 0 && (rows[i].help == NULL || *rows[i].help != '\0'));
        for (uint32_t j = 0; j < i; j++) {
            assert_string_not_equal(rows[i].name, rows[j].name);
            assert_true(rows[i].letter == 0 || rows[i].letter != rows[j].letter);
        }
    }
    assert_non_null(strstr(text, "examples:\n  vfxbench verify\n"));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_type),
                                          cmocka_unit_test(test_defaults),
                                          cmocka_unit_test(test_refusals),
                                          cmocka_unit_test(test_environment),
                                          cmocka_unit_test(test_variable_of_no_option),
                                          cmocka_unit_test(test_too_many),
                                          cmocka_unit_test(test_help)};

int main(void)
{
    return cmocka_run_group_tests(tests, forget_variables, NULL);
}
