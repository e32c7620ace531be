/* bench/states.c - states, their exit codes and the priority among exit codes. */
#include "bench/states.h"

#include <stddef.h>

#define CMD_STATE_TEXT(ident, text, code) text,
#define CMD_STATE_CODE(ident, text, code) code,
static const char *const state_names[] = {CMD_STATE_LIST(CMD_STATE_TEXT)};
static const int state_codes[] = {CMD_STATE_LIST(CMD_STATE_CODE)};

const char *cmd_state_name(cmd_state state)
{
    return (unsigned)state < CMD_STATE_COUNT ? state_names[state] : "unknown";
}

cmd_state cmd_state_of(vfx_status status)
{
    switch (status) {
    case VFX_OK:
        return CMD_STATE_PASS;
    case VFX_MISMATCH:
        return CMD_STATE_FAIL;
    case VFX_UNSUPPORTED:
        return CMD_STATE_UNSUPPORTED;
    case VFX_TIMEOUT:
        return CMD_STATE_TIMEOUT;
    case VFX_LOST:
        return CMD_STATE_LOST;
    case VFX_USAGE:
    case VFX_VULKAN:
    case VFX_IO:
    case VFX_MEMORY:
    case VFX_STATUS_COUNT:
        break;
    }
    return CMD_STATE_INFRA;
}

int cmd_exit_of(vfx_status status, bool device_required)
{
    if (status == VFX_USAGE)
        return CMD_EXIT_USAGE;
    int code = state_codes[cmd_state_of(status)];
    return code == CMD_EXIT_SKIP && device_required ? CMD_EXIT_INFRA : code;
}

/* Place in the order 5 > 4 > 1 > 2 > 3 > 0. */
static int exit_rank(int code)
{
    static const int order[] = {CMD_EXIT_OK,       CMD_EXIT_INCONCLUSIVE, CMD_EXIT_REGRESSION,
                                CMD_EXIT_MISMATCH, CMD_EXIT_CRASH,        CMD_EXIT_INFRA};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++) {
        if (order[i] == code)
            return i;
    }
    return (int)(sizeof order / sizeof *order); /* 64 and 77 end the program on their own */
}

int cmd_exit_worse(int a, int b)
{
    return exit_rank(a) >= exit_rank(b) ? a : b;
}

uint32_t cmd_tally_total(const cmd_tally *tally)
{
    uint32_t total = 0;
    for (size_t i = 0; i < CMD_STATE_COUNT; i++)
        total += tally->count[i];
    return total;
}

int cmd_tally_exit(const cmd_tally *tally, bool fail_on_skip, bool device_required)
{
    int code = CMD_EXIT_OK;
    uint32_t skips = 0;
    for (size_t i = 0; i < CMD_STATE_COUNT; i++) {
        if (state_codes[i] == CMD_EXIT_SKIP)
            skips += tally->count[i];
        else if (tally->count[i] > 0)
            code = cmd_exit_worse(code, state_codes[i]);
    }
    if (skips > 0 && skips == cmd_tally_total(tally) && device_required)
        return CMD_EXIT_INFRA;
    if (skips > 0 && fail_on_skip)
        return cmd_exit_worse(code, CMD_EXIT_MISMATCH);
    return skips > 0 && skips == cmd_tally_total(tally) ? CMD_EXIT_SKIP : code;
}
