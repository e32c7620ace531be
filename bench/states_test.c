/* bench/states_test.c - the exit codes are a contract: every rule of it is pinned here. */
#include "core/test.h"

#include "bench/states.h"

static cmd_tally tally_of(cmd_state a, cmd_state b)
{
    cmd_tally tally = {{0}};
    tally.count[a]++;
    tally.count[b]++;
    return tally;
}

static int exit_of(cmd_state a, cmd_state b)
{
    cmd_tally tally = tally_of(a, b);
    return cmd_tally_exit(&tally, false, false);
}

static void test_priority(void **state)
{
    (void)state;
    const int order[] = {5, 4, 1, 2, 3, 0};
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = i; j < 6; j++) {
            assert_int_equal(cmd_exit_worse(order[i], order[j]), order[i]);
            assert_int_equal(cmd_exit_worse(order[j], order[i]), order[i]);
        }
    }
}

static void test_every_state(void **state)
{
    (void)state;
    const struct {
        cmd_state state;
        const char *name;
        int code; /* beside a pass */
    } rows[] = {{CMD_STATE_PASS, "pass", 0},
                {CMD_STATE_EXPECTED_FAIL, "expected-fail", 0},
                {CMD_STATE_FAIL, "fail", 1},
                {CMD_STATE_UNEXPECTED_PASS, "unexpected-pass", 1},
                {CMD_STATE_UNSUPPORTED, "unsupported", 0},
                {CMD_STATE_SKIPPED, "skipped", 0},
                {CMD_STATE_FLAKY, "flaky", 1},
                {CMD_STATE_CRASH, "crash", 4},
                {CMD_STATE_TIMEOUT, "timeout", 4},
                {CMD_STATE_LOST, "device-lost", 4},
                {CMD_STATE_NOT_RUN, "not-run", 4},
                {CMD_STATE_INFRA, "infra-error", 5}};
    assert_int_equal(sizeof rows / sizeof *rows, CMD_STATE_COUNT);
    for (size_t i = 0; i < CMD_STATE_COUNT; i++) {
        assert_string_equal(cmd_state_name(rows[i].state), rows[i].name);
        assert_int_equal(exit_of(rows[i].state, CMD_STATE_PASS), rows[i].code);
    }
    assert_int_equal(exit_of(CMD_STATE_FAIL, CMD_STATE_LOST), 4);
    assert_int_equal(exit_of(CMD_STATE_INFRA, CMD_STATE_LOST), 5);
}

static void test_skips(void **state)
{
    (void)state;
    cmd_tally all = tally_of(CMD_STATE_UNSUPPORTED, CMD_STATE_SKIPPED);
    assert_int_equal(cmd_tally_exit(&all, false, false), 77);
    assert_int_equal(cmd_tally_exit(&all, true, false), 1);
    assert_int_equal(cmd_tally_exit(&all, false, true), 5);
    cmd_tally some = tally_of(CMD_STATE_UNSUPPORTED, CMD_STATE_PASS);
    assert_int_equal(cmd_tally_exit(&some, false, false), 0);
    assert_int_equal(cmd_tally_exit(&some, true, false), 1);
    assert_int_equal(cmd_tally_exit(&some, false, true), 0);
    cmd_tally lost = tally_of(CMD_STATE_UNSUPPORTED, CMD_STATE_LOST);
    assert_int_equal(cmd_tally_exit(&lost, true, false), 4);
}

static void test_statuses(void **state)
{
    (void)state;
    assert_int_equal(cmd_exit_of(VFX_USAGE, false), 64);
    assert_int_equal(cmd_exit_of(VFX_UNSUPPORTED, false), 77);
    assert_int_equal(cmd_exit_of(VFX_UNSUPPORTED, true), 5);
    assert_int_equal(cmd_exit_of(VFX_VULKAN, false), 5);
    assert_int_equal(cmd_exit_of(VFX_IO, false), 5);
    assert_int_equal(cmd_exit_of(VFX_MEMORY, false), 5);
    assert_int_equal(cmd_exit_of(VFX_MISMATCH, false), 1);
    assert_int_equal(cmd_exit_of(VFX_TIMEOUT, false), 4);
    assert_int_equal(cmd_exit_of(VFX_LOST, false), 4);
    assert_int_equal(cmd_state_of(VFX_TIMEOUT), CMD_STATE_TIMEOUT);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_priority), cmocka_unit_test(test_every_state),
                                          cmocka_unit_test(test_skips), cmocka_unit_test(test_statuses)};
VFX_TEST_MAIN(tests)
