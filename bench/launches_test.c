/* bench/launches_test.c - the parent of the launches against children that do well, crash, hang, talk nonsense, refuse.
 * The children are this program again: with --launch-child it plays the one that the variable FAKE_CHILD names. */
#include "core/test.h"

#include "bench/launches.h"
#include "bench/time_report.h"
#include "core/platform_process.h"

#include <signal.h>
#include <time.h>

enum { CASES = 3 };

/* ------------------------------------------------------------------------------------------ children */

static void send_fake(uint32_t number, const cmd_launch_case *row, const char *state, const char *plan)
{
    json_t *line = json_object(), *object = cmd_json_object(line, "object");
    cmd_json_u32(line, "case", row->entry);
    cmd_json_text(object, "state", state);
    cmd_json_text(object, "reason", strcmp(state, "pass") == 0 ? NULL : "as told");
    cmd_json_bool(object, "was_checked", row->check);
    if (strcmp(state, "pass") == 0) {
        json_t *launch = cmd_json_append(cmd_json_array(cmd_json_object(object, "timing"), "launches"));
        cmd_json_u32(launch, "launch", number);
        cmd_json_text(launch, "plan", plan);
    }
    cmd_wire_send("case", line);
}

static void misbehave(const char *how)
{
    const struct timespec long_time = {600, 0};
    if (strcmp(how, "crash") == 0)
        (void)raise(SIGKILL);
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "hang") == 0)
        (void)nanosleep(&long_time, NULL);
    if (strcmp(how, "garbage") == 0) {
        if (vfx_process_report("{\"type\": \n\n", 11) != VFX_OK)
            exit(4);
        (void)nanosleep(&long_time, NULL);
    }
}

static void send_failure(const char *status)
{
    json_t *line = json_object();
    cmd_json_text(line, "status", status);
    cmd_json_text(line, "text", "as told");
    cmd_wire_send("failed", line);
}

/* FAKE_CHILD is "HOW LAUNCH CASE": misbehaves so at that case in that launch; 0: in each launch, any: -1. */
static int play_child(const char *plan)
{
    char how[16] = "", state[16] = "pass";
    unsigned in_launch = 0;
    int at_case = -1;
    cmd_launch launch;
    const char *fake = getenv("FAKE_CHILD");
    if (fake == NULL || sscanf(fake, "%15s %u %d", how, &in_launch, &at_case) != 3 ||
        cmd_launch_parse(plan, CASES, &launch) != VFX_OK)
        return 99;
    bool now = in_launch == 0 || in_launch == launch.number;
    if (now && at_case < 0 && (strcmp(how, "usage") == 0 || strcmp(how, "unsupported") == 0)) {
        send_failure(how);
        cmd_launch_free(&launch);
        return 1;
    }
    for (uint32_t i = 0; i < launch.count; i++) {
        bool here = now && (int)launch.cases[i].entry == at_case;
        if (now && at_case < 0)
            misbehave(how); /* before it says at what case it is */
        json_t *line = json_object();
        cmd_json_u32(line, "case", launch.cases[i].entry);
        cmd_wire_send("begin", line);
        if (here)
            misbehave(how);
        (void)snprintf(state, sizeof state, "%s", here ? how : "pass");
        send_fake(launch.number, &launch.cases[i], state, plan);
    }
    cmd_wire_send("end", NULL);
    cmd_launch_free(&launch);
    return 0;
}

/* ------------------------------------------------------------------------------------------- parents */

static const cmd_verb time_verb = {"time", CMD_TIME, NULL, "times", NULL, ""};
static cmd_session session;
static char *command[] = {(char *)"./launches_test", (char *)"time", NULL};

/* Runs three launches of three cases with such children. */
static vfx_status run(const char *fake, double limit)
{
    static cmd_options options;
    options = (cmd_options){.verb = &time_verb,
                            .argc = 2,
                            .argv = command,
                            .launches = 3,
                            .quiet = true,
                            .case_limit = limit,
                            .globs = {{"tentacle/ring/ci", "tentacle/fused/ci", "tentacle/bands/ci"}, CASES}};
    assert_int_equal(setenv("FAKE_CHILD", fake, 1), 0);
    assert_vfx_ok(cmd_session_plan(&session, &options, true));
    assert_int_equal(session.entry_count, CASES);
    return cmd_launches_run(&session);
}

static const json_t *the_case(size_t index)
{
    const json_t *object = json_array_get(json_object_get(session.report, "cases"), index);
    assert_non_null(object);
    return object;
}

/* "1:0?,1?,2? 2:1,2,0 ": the plans of the launches that the case has times from. */
static void expect_launches(size_t index, const char *state, const char *numbers, size_t lost)
{
    const json_t *object = the_case(index), *launches = json_object_get(json_object_get(object, "timing"), "launches");
    char got[64] = "";
    for (size_t i = 0; i < json_array_size(launches); i++) {
        size_t used = strlen(got);
        (void)snprintf(got + used, sizeof got - used, "%.0f", cmd_number_at(json_array_get(launches, i), "launch"));
    }
    if (strcmp(got, numbers) != 0 || strcmp(cmd_text_at(object, "state"), state) != 0 ||
        json_array_size(json_object_get(object, "launches_lost")) != lost)
        fail_msg("case %zu: %s, launches %s, lost %s", index, cmd_text_at(object, "state"), got,
                 json_dumps(json_object_get(object, "launches_lost"), JSON_ENCODE_ANY));
}

static const char *plan_of(size_t index, size_t launch)
{
    const json_t *launches = json_object_get(json_object_get(the_case(index), "timing"), "launches");
    return cmd_text_at(json_array_get(launches, launch), "plan");
}

static const char *lost_reason(size_t index)
{
    return cmd_text_at(json_array_get(json_object_get(the_case(index), "launches_lost"), 0), "reason");
}

static void test_good(void **state)
{
    (void)state;
    assert_vfx_ok(run("good 0 -1", 20));
    for (size_t i = 0; i < CASES; i++)
        expect_launches(i, "pass", "123", 0);
    assert_string_equal(plan_of(0, 0), "1:0?,1?,2?"); /* the first checks */
    assert_string_equal(plan_of(0, 1), "2:1,2,0");    /* the order turns */
    assert_string_equal(plan_of(2, 2), "3:2,0,1");
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_OK);
}

/* Only the case that it was at loses the launch; the rest of it goes on in another child. */
static void test_crash(void **state)
{
    (void)state;
    assert_vfx_ok(run("crash 2 1", 20));
    expect_launches(0, "pass", "123", 0);
    expect_launches(1, "pass", "13", 1);
    expect_launches(2, "pass", "123", 0);
    assert_non_null(strstr(lost_reason(1), "ended early: signal 9"));
    assert_string_equal(plan_of(0, 1), "2:2,0");
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_OK);
}

/* A case that has not passed its check yet is checked by the next launch. */
static void test_crash_of_the_first(void **state)
{
    (void)state;
    assert_vfx_ok(run("exit 1 0", 20));
    expect_launches(0, "pass", "23", 1);
    assert_non_null(strstr(lost_reason(0), "exit code 3"));
    assert_true(json_is_true(json_object_get(the_case(0), "was_checked")));
    assert_string_equal(plan_of(0, 0), "2:1,2,0?");
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_OK);
}

static void test_crash_always(void **state)
{
    (void)state;
    assert_vfx_ok(run("crash 0 2", 20));
    expect_launches(0, "pass", "123", 0);
    expect_launches(2, "crash", "", 3);
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_CRASH);
}

/* A hang is not waited for twice. */
static void test_hang(void **state)
{
    (void)state;
    assert_vfx_ok(run("hang 0 0", 0.4));
    expect_launches(0, "timeout", "", 1);
    expect_launches(1, "pass", "123", 0);
    assert_non_null(strstr(lost_reason(0), "said nothing for 0.4 s"));
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_CRASH);
}

static void test_garbage(void **state)
{
    (void)state;
    assert_vfx_ok(run("garbage 3 1", 20));
    expect_launches(1, "pass", "12", 1);
    expect_launches(2, "pass", "123", 0);
    assert_non_null(strstr(lost_reason(1), "no report"));
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_OK);
}

/* Before any case: the whole launch is lost, or the program ends if it was the first. */
static void test_no_case(void **state)
{
    (void)state;
    assert_vfx_ok(run("exit 2 -1", 20));
    for (size_t i = 0; i < CASES; i++)
        expect_launches(i, "pass", "13", 1);
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_OK);
    assert_vfx_fails(run("exit 1 -1", 20), VFX_VULKAN, "the process ended early: exit code 3");
    assert_int_equal(cmd_session_close(&session, VFX_VULKAN), CMD_EXIT_INFRA);
}

/* What fails its check is not launched again. */
static void test_failed_check(void **state)
{
    (void)state;
    assert_vfx_ok(run("fail 1 1", 20));
    expect_launches(1, "fail", "", 0);
    assert_string_equal(plan_of(0, 1), "2:2,0");
    assert_string_equal(cmd_text_at(the_case(1), "reason"), "as told");
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_MISMATCH);
}

/* A later launch that cannot do it costs only itself. */
static void test_failed_later(void **state)
{
    (void)state;
    assert_vfx_ok(run("infra-error 2 1", 20));
    expect_launches(1, "pass", "13", 1);
    assert_string_equal(lost_reason(1), "as told");
    assert_int_equal(cmd_session_close(&session, VFX_OK), CMD_EXIT_OK);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_vfx_fails(run("usage 1 -1", 20), VFX_USAGE, "as told");
    assert_int_equal(json_array_size(json_object_get(session.report, "cases")), 0);
    assert_int_equal(cmd_session_close(&session, VFX_USAGE), CMD_EXIT_USAGE);
    assert_vfx_fails(run("unsupported 1 -1", 20), VFX_UNSUPPORTED, "as told");
    assert_string_equal(cmd_text_at(the_case(2), "state"), "unsupported");
    assert_int_equal(cmd_session_close(&session, VFX_UNSUPPORTED), CMD_EXIT_SKIP);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_good),         cmocka_unit_test(test_crash),        cmocka_unit_test(test_crash_of_the_first),
    cmocka_unit_test(test_crash_always), cmocka_unit_test(test_hang),         cmocka_unit_test(test_garbage),
    cmocka_unit_test(test_no_case),      cmocka_unit_test(test_failed_check), cmocka_unit_test(test_failed_later),
    cmocka_unit_test(test_refusals),
};

int main(int argc, char *argv[])
{
    if (argc >= 4 && strcmp(argv[2], "--launch-child") == 0)
        return play_child(argv[3]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
