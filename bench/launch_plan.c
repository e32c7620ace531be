/* bench/launch_plan.c - the cases of a launch, as rows and as the text that a child process gets. See launch.h. */
#include "bench/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_BYTES = 16 }; /* of one case in the text */

static vfx_status allocate(cmd_launch *launch, uint32_t number, uint32_t room)
{
    *launch = (cmd_launch){.number = number, .cases = calloc(room, sizeof *launch->cases)};
    return launch->cases != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for %" PRIu32 " cases", room);
}

vfx_status cmd_launch_create(cmd_launch *launch, uint32_t number, uint32_t entries, uint32_t first)
{
    VFX_TRY(allocate(launch, number, entries));
    for (uint32_t i = 0; i < entries; i++)
        launch->cases[i] = (cmd_launch_case){(uint32_t)(((uint64_t)first + i) % entries), true};
    launch->count = entries;
    return VFX_OK;
}

void cmd_launch_free(cmd_launch *launch)
{
    free(launch->cases);
    *launch = (cmd_launch){0};
}

vfx_status cmd_launch_format(const cmd_launch *launch, char **text)
{
    size_t bytes = ROW_BYTES * ((size_t)launch->count + 1);
    *text = malloc(bytes);
    if (*text == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the plan of a launch");
    size_t used = (size_t)snprintf(*text, bytes, "%" PRIu32 ":", launch->number);
    for (uint32_t i = 0; i < launch->count; i++)
        used += (size_t)snprintf(*text + used, bytes - used, "%s%" PRIu32 "%s", i > 0 ? "," : "",
                                 launch->cases[i].entry, launch->cases[i].check ? "?" : "");
    return VFX_OK;
}

/* The number at *text, which is moved behind it; UINT32_MAX: none. */
static uint32_t take_number(const char **text)
{
    char *end = NULL;
    if (**text < '0' || **text > '9')
        return UINT32_MAX;
    errno = 0;
    unsigned long value = strtoul(*text, &end, 10);
    *text = end;
    return errno == 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool parse_rows(const char *text, uint32_t entries, cmd_launch *launch)
{
    for (bool more = true; more;) {
        uint32_t entry = take_number(&text);
        if (entry >= entries || launch->count >= entries)
            return false;
        bool check = *text == '?';
        launch->cases[launch->count++] = (cmd_launch_case){entry, check};
        text += check;
        more = *text == ',';
        text += more;
    }
    return *text == '\0';
}

vfx_status cmd_launch_parse(const char *text, uint32_t entries, cmd_launch *launch)
{
    const char *at = text;
    uint32_t number = take_number(&at);
    VFX_TRY(allocate(launch, number, entries > 0 ? entries : 1));
    if (number != UINT32_MAX && number > 0 && *at == ':' && parse_rows(at + 1, entries, launch))
        return VFX_OK;
    cmd_launch_free(launch);
    return vfx_fail(VFX_USAGE, "'%.40s' is no plan of a launch of %" PRIu32 " cases", text, entries);
}
