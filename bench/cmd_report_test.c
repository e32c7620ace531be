/* bench/cmd_report_test.c - the verb as a user runs it, and its page in a browser: scripts/report_test.py. */
#include "core/test.h"

#include "core/platform.h"

#include <sys/wait.h>
#include <unistd.h>

/* Runs the program with these arguments in a shell; its exit code. What it prints goes into `said`. */
static int run(const char *arguments, const char *folder, char *said, size_t bytes)
{
    char command[2048], path[VFX_TEST_PATH];
    void *text = NULL;
    size_t length = 0;
    vfx_test_path(path, folder, "said");
    (void)snprintf(command, sizeof command, "cd '%s' && '" VFX_PROGRAM "' report %s >said 2>&1", folder, arguments);
    int status = system(command);
    assert_vfx_ok(vfx_read_file(path, 1 << 20, &text, &length));
    (void)snprintf(said, bytes, "%s", (const char *)text);
    free(text);
    vfx_test_remove(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool exists(const char *folder, const char *name)
{
    char path[VFX_TEST_PATH];
    vfx_test_path(path, folder, name);
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        (void)fclose(file);
    return file != NULL;
}

static void test_usage(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], said[4096], good[VFX_TEST_PATH];
    static const char result[] = "{\"schema_version\": 1, \"cases\": [{\"id\": \"a/b/c\", \"state\": \"pass\"}]}";
    vfx_test_folder(folder);
    vfx_test_path(good, folder, "good.json");
    assert_vfx_ok(vfx_write_file(good, result, sizeof result - 1));
    const struct {
        const char *arguments;
        int code;
        const char *part;
    } rows[] = {
        {"-o page.html", 64, "needs result files"},
        {"good.json", 64, "-o report.html"},
        {"good.json -o good.json", 64, "both a result and the output"},
        {"missing.json -o page.html", 5, "missing.json"},
        {"good.json missing.json -o page.html", 5, "missing.json"},
        {"good.json -o nowhere/page.html", 5, "nowhere/page.html"},
        {"good.json -o page.html --goldens nowhere", 5, "--goldens"},
        {"good.json --device 0 -o page.html", 64, "--device"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code = run(rows[i].arguments, folder, said, sizeof said);
        if (code != rows[i].code || strstr(said, rows[i].part) == NULL)
            fail_msg("report %s: exit code %d, said %s", rows[i].arguments, code, said);
        assert_false(exists(folder, "page.html")); /* a failure leaves nothing */
    }
    assert_int_equal(run("good.json -o page.html", folder, said, sizeof said), 0);
    assert_non_null(strstr(said, "page.html: 1 cases of 1 result file, "));
    assert_true(exists(folder, "page.html"));
    char page[VFX_TEST_PATH];
    vfx_test_path(page, folder, "page.html");
    vfx_test_remove(page);
    vfx_test_remove(good);
    assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
}

static void test_browser(void **state)
{
    (void)state;
    int status = system("python3 '" VFX_SOURCE_DIR "/scripts/report_test.py' --program '" VFX_PROGRAM "'");
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 77)
        skip();
    assert_int_equal(code, 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_usage), cmocka_unit_test(test_browser)};
VFX_TEST_MAIN(tests)
