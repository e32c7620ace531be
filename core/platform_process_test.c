/* core/platform_process_test.c - children that report, exit, crash, hang, start children of their own; a parent that is
 * interrupted takes them along. */
#include "core/test.h"

#include "core/platform.h"
#include "core/platform_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000 };

static vfx_process *start(const char *script)
{
    vfx_process *process;
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)script, NULL};
    assert_vfx_ok(vfx_process_start(&process, "/bin/sh", argv));
    return process;
}

/* Reads to the end of the reports. */
static void read_all(vfx_process *process, char *text, size_t bytes)
{
    size_t used = 0, got = 1;
    while (got > 0) {
        assert_true(used + 1 < bytes);
        assert_vfx_ok(vfx_process_read(process, text + used, bytes - used - 1, &got, PATIENCE_MS));
        used += got;
    }
    text[used] = '\0';
}

static void assert_end(vfx_process *process, uint32_t grace_ms, int code, int signal_number, bool stopped)
{
    vfx_process_exit how;
    vfx_process_end(process, grace_ms, &how);
    assert_int_equal(how.code, code);
    assert_int_equal(how.signal, signal_number);
    assert_int_equal(how.stopped, stopped);
}

static void test_reports(void **state)
{
    (void)state;
    char text[256];
    vfx_process *process = start("echo out >/dev/null; printf one >&3; printf ' two' >&3; cat; exit 7");
    read_all(process, text, sizeof text);
    assert_string_equal(text, "one two");
    assert_end(process, PATIENCE_MS, 7, 0, false);
}

static void test_crash(void **state)
{
    (void)state;
    char text[256];
    vfx_process_exit how;
    vfx_process *process = start("printf half >&3; kill -SEGV $$");
    read_all(process, text, sizeof text);
    assert_string_equal(text, "half");
    vfx_process_end(process, PATIENCE_MS, &how);
    assert_int_equal(how.signal, SIGSEGV);
    vfx_process_exit_format(&how, text, sizeof text);
    assert_non_null(strstr(text, "signal 11 ("));
}

static bool is_gone(long pid)
{
    const struct timespec pause = {0, 10000000};
    for (int i = 0; i < 500; i++) {
        char path[64], line[256] = "";
        (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            return true;
        if (fgets(line, sizeof line, file) == NULL)
            line[0] = '\0';
        (void)fclose(file);
        const char *after = strrchr(line, ')');
        if (after != NULL && after[2] == 'Z') /* dead, and its parent has not asked yet */
            return true;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

/* A child that says nothing, and the one that it started, are both gone afterwards. */
static void test_hang(void **state)
{
    (void)state;
    char text[64];
    size_t got;
    vfx_process *process = start("sleep 600 3>&- & echo $! >&3; sleep 600");
    assert_vfx_ok(vfx_process_read(process, text, sizeof text - 1, &got, PATIENCE_MS));
    text[got] = '\0';
    long grandchild = strtol(text, NULL, 10);
    assert_true(grandchild > 0);
    assert_vfx_fails(vfx_process_read(process, text, sizeof text, &got, 100), VFX_TIMEOUT, "said nothing for 0.1 s");
    assert_end(process, 0, -1, SIGKILL, true);
    assert_true(is_gone(grandchild));
}

static void test_no_program(void **state)
{
    (void)state;
    vfx_process *process;
    char *argv[] = {(char *)"x", NULL};
    assert_vfx_fails(vfx_process_start(&process, "/nonexistent/x", argv), VFX_IO, "cannot start /nonexistent/x: ");
    assert_null(process);
}

static void test_own_program(void **state)
{
    (void)state;
    char path[VFX_TEST_PATH];
    assert_vfx_ok(vfx_own_program("./platform_process_test", path, sizeof path));
    assert_int_equal(access(path, X_OK), 0);
    assert_vfx_fails(vfx_own_program("x", path, 2), VFX_IO, "cannot tell the path");
}

/* A signal to the parent ends it, by that signal, after the child. */
static void test_interrupted(void **state)
{
    (void)state;
    int ends[2], how = 0;
    char text[64] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        size_t got;
        (void)signal(SIGTERM, SIG_DFL);
        vfx_process *process = start("echo $$ >&3; sleep 600");
        if (vfx_process_read(process, text, sizeof text, &got, PATIENCE_MS) != VFX_OK ||
            write(ends[1], text, got) < 0 || vfx_process_read(process, text, sizeof text, &got, 10000) == VFX_OK)
            _exit(1);
        _exit(2);
    }
    ssize_t length = read(ends[0], text, sizeof text - 1);
    assert_true(length > 0);
    assert_int_equal(kill(parent, SIGTERM), 0);
    assert_int_equal(waitpid(parent, &how, 0), parent);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
    assert_true(is_gone(strtol(text, NULL, 10)));
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_reports),    cmocka_unit_test(test_crash),       cmocka_unit_test(test_hang),
    cmocka_unit_test(test_no_program), cmocka_unit_test(test_own_program), cmocka_unit_test(test_interrupted),
};
VFX_TEST_MAIN(tests)
