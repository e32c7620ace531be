/* bench/time_device_test.c - launches of `time` on a device, as a user sees them: the result has one entry per process,
 * an interrupted program leaves no result and no child; and `run --capture`. On the device of VFXBENCH_DEVICE, else on
 * the best one. */
#include "core/test.h"

#include "bench/time_report.h"
#include "core/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[VFX_TEST_PATH], output[VFX_TEST_PATH], log_file[VFX_TEST_PATH];

static int setup(void **state)
{
    (void)state;
    vfx_test_folder(folder);
    vfx_test_path(output, folder, "result.json");
    vfx_test_path(log_file, folder, "log.txt");
    return setenv("VFXBENCH_ALLOW_CPU", "1", 1);
}

static int teardown(void **state)
{
    (void)state;
    vfx_test_remove(output);
    vfx_test_remove(log_file);
    return remove(folder);
}

/* Starts `vfxbench <words> -o result.json`, its messages in the log. */
static pid_t start(const char *const words[])
{
    char *argv[24] = {(char *)"vfxbench"};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    argv[argc++] = (char *)"-o";
    argv[argc++] = output;
    vfx_test_remove(output);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int file = open(log_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        (void)dup2(file, 1);
        (void)dup2(file, 2);
        (void)execv(VFX_PROGRAM, argv);
        _exit(127);
    }
    return child;
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

/* Result of a program that ends with this code; NULL if that is 77: nothing can run here. */
static json_t *finish(pid_t child, int code)
{
    int how = 0;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 77)
        skip();
    if (!WIFEXITED(how) || WEXITSTATUS(how) != code) {
        void *log = NULL;
        size_t bytes = 0;
        bool read = vfx_read_file(log_file, 1 << 20, &log, &bytes) == VFX_OK;
        fail_msg("status %#x instead of exit code %d:\n%s", (unsigned)how, code, read ? (const char *)log : "");
    }
    return json_load_file(output, 0, NULL);
}

static void test_two_launches(void **state)
{
    (void)state;
    json_t *report = finish(START("time", "tentacle/ring/ci", "tentacle/fused/ci", "--launches", "2", "--frames", "3",
                                  "--runs", "3", "--min-time", "0", "--max-time", "1"),
                            0);
    const json_t *cases = json_object_get(report, "cases"), *device = json_object_get(report, "device");
    assert_int_equal(json_integer_value(json_object_get(report, "schema_version")), 2);
    assert_int_equal(json_array_size(cases), 2);
    assert_true(*cmd_text_at(device, "uuid") != '\0');
    assert_true(cmd_number_at(json_object_get(report, "ceilings"), "copy_bytes_per_s") > 0.0);
    for (size_t c = 0; c < 2; c++) {
        const json_t *object = json_array_get(cases, c), *timing = json_object_get(object, "timing");
        const json_t *launches = json_object_get(timing, "launches");
        assert_string_equal(cmd_text_at(object, "id"), c == 0 ? "tentacle/ring/ci" : "tentacle/fused/ci");
        assert_string_equal(cmd_text_at(object, "state"), "pass");
        assert_int_equal(json_array_size(launches), 2);
        size_t samples = 0;
        double medians[2];
        for (size_t i = 0; i < 2; i++) {
            const json_t *launch = json_array_get(launches, i);
            assert_int_equal(json_integer_value(json_object_get(launch, "launch")), i + 1);
            samples += json_array_size(json_object_get(launch, "samples_ns"));
            medians[i] = cmd_number_at(launch, "median_ns");
            assert_true(medians[i] > 0.0);
            assert_true(cmd_number_at(launch, "probe_before_ns") > 0.0);
            assert_true(cmd_number_at(launch, "probe_after_ns") > 0.0);
            assert_true(cmd_number_at(launch, "warmup_ns") > 0.0 && cmd_number_at(launch, "runs") >= 3.0);
            assert_true(cmd_number_at(json_object_get(launch, "ceilings"), "fma_flops") > 0.0);
            assert_true(cmd_number_at(launch, "empty_pair_ns") > 0.0);
        }
        assert_int_equal(json_array_size(json_object_get(timing, "samples_ns")), samples);
        double middle = 0.5 * (medians[0] + medians[1]);
        assert_true(fabs(cmd_number_at(timing, "median_ns") - middle) <= 1e-9 * middle);
        assert_true(cmd_number_at(timing, "launch_spread") >= 0.0);
        assert_true(json_is_object(json_object_get(timing, "upload")));
        assert_null(json_object_get(object, "launches_lost"));
        const json_t *pass = json_array_get(json_object_get(timing, "passes"), 0);
        assert_true(json_is_object(json_object_get(pass, "statistics")) || *cmd_text_at(pass, "statistics_reason"));
    }
    json_decref(report);
}

/* The children of a process, as far as the system tells; -1: it does not. */
static int count_children(pid_t parent)
{
    char path[64];
    int count = 0;
    long child;
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    while (fscanf(file, "%ld", &child) == 1)
        count++;
    (void)fclose(file);
    return count;
}

static void test_interrupted(void **state)
{
    (void)state;
    const struct timespec glance = {0, 20000000};
    pid_t program = START("time", "tentacle/*/ci", "--launches", "9", "--max-time", "60");
    int how = 0, children = 0;
    for (int i = 0; i < 500 && (children = count_children(program)) == 0; i++)
        (void)nanosleep(&glance, NULL);
    if (children < 0)
        skip();
    assert_int_equal(children, 1);
    assert_int_equal(kill(program, SIGINT), 0);
    assert_int_equal(waitpid(program, &how, 0), program);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGINT);
    assert_int_equal(access(output, F_OK), -1);
}

/* One frame with nothing around it has no results, and is recorded as validation wants it. */
static void test_capture(void **state)
{
    (void)state;
    json_t *report = finish(START("run", "tentacle/ring/ci", "pbd/list/ci", "--capture", "--frames", "3"), 0);
    const json_t *cases = json_object_get(report, "cases");
    assert_int_equal(json_array_size(cases), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(cmd_text_at(json_array_get(cases, i), "state"), "pass");
        assert_int_equal(cmd_number_at(json_array_get(cases, i), "captured_frame"), 3);
        assert_null(json_object_get(json_array_get(cases, i), "hash"));
    }
    json_decref(report);
    assert_null(finish(START("run", "tentacle/ring/ci", "--capture", "--dump", folder), 64));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_capture), cmocka_unit_test(test_two_launches),
                                          cmocka_unit_test(test_interrupted)};

int main(void)
{
    return cmocka_run_group_tests(tests, setup, teardown);
}
