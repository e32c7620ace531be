/* bench/options.c - what is made from the option table (option_rows.h): parsing and environment; help is in help.c. */
#include "bench/options.h"
#include "bench/option_rows.h"
#include "core/platform.h"
#include "core/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(options, option, type) ((type *)(void *)((char *)(options) + (option)->offset))

enum { ROW_COUNT = sizeof rows / sizeof *rows, VARIABLE_BYTES = 64 };
_Static_assert(ROW_COUNT <= 64, "cmd_options.given has a bit per row");

bool cmd_option_given(const cmd_options *options, const char *name)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return (options->given >> i & 1u) != 0;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------- values */

static vfx_status set_flag(cmd_options *options, const cmd_option *row, const char *origin, const char *text)
{
    static const char *const words[] = {"0", "off", "false", "1", "on", "true"};
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i]) == 0) {
            *MEMBER(options, row, bool) = i >= 3;
            return VFX_OK;
        }
    }
    return vfx_fail(VFX_USAGE, "%s: '%s' is not one of 1, on, true, 0, off, false", origin, text);
}

static vfx_status set_number(cmd_options *options, const cmd_option *row, const char *origin, const char *text)
{
    char *end = NULL;
    errno = 0;
    double value = strtod(text, &end);
    bool whole = row->type == CMD_U32;
    if (end == text || *end != '\0' || isspace((unsigned char)*text) ||
        (whole && isfinite(value) && value != floor(value)))
        return vfx_fail(VFX_USAGE, "%s: '%s' is not a %snumber", origin, text, whole ? "whole " : "");
    if (!(value >= row->min && value <= row->max))
        return vfx_fail(VFX_USAGE, "%s: %s is out of range %.10g to %.10g", origin, text, row->min, row->max);
    if (whole)
        *MEMBER(options, row, uint32_t) = (uint32_t)value;
    else
        *MEMBER(options, row, double) = value;
    return VFX_OK;
}

static vfx_status set_choice(cmd_options *options, const cmd_option *row, const char *origin, const char *text)
{
    char allowed[256] = "";
    for (uint32_t i = 0; row->names[i] != NULL; i++) {
        if (strcmp(text, row->names[i]) == 0) {
            *MEMBER(options, row, uint32_t) = i;
            return VFX_OK;
        }
        size_t used = strlen(allowed);
        (void)snprintf(allowed + used, sizeof allowed - used, "%s%s", i == 0 ? "" : ", ", row->names[i]);
    }
    return vfx_fail(VFX_USAGE, "%s: '%s' is not one of %s", origin, text, allowed);
}

static vfx_status add_value(cmd_values *values, const char *origin, const char *text)
{
    if (values->count == CMD_MAX_VALUES)
        return vfx_fail(VFX_USAGE, "%s: given more than %d times", origin, CMD_MAX_VALUES);
    values->items[values->count++] = text;
    return VFX_OK;
}

/* Stores one value; `origin` names it in messages ("--frames", "VFXBENCH_FRAMES"). */
static vfx_status set_value(cmd_options *options, const cmd_option *row, const char *origin, const char *text)
{
    if (*text == '\0' && row->type != CMD_VALUES)
        return vfx_fail(VFX_USAGE, "%s: the value is empty", origin);
    switch (row->type) {
    case CMD_FLAG:
        return set_flag(options, row, origin, text);
    case CMD_U32:
    case CMD_F64:
        return set_number(options, row, origin, text);
    case CMD_CHOICE:
        return set_choice(options, row, origin, text);
    case CMD_TEXT:
        *MEMBER(options, row, const char *) = text;
        return VFX_OK;
    case CMD_VALUES:
        return add_value(MEMBER(options, row, cmd_values), origin, text);
    }
    return VFX_OK;
}

static void set_defaults(cmd_options *options)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].type == CMD_U32 || rows[i].type == CMD_CHOICE)
            *MEMBER(options, &rows[i], uint32_t) = (uint32_t)rows[i].def;
        else if (rows[i].type == CMD_F64)
            *MEMBER(options, &rows[i], double) = rows[i].def;
    }
}

/* -------------------------------------------------------------------------------------- environment */

#define VARIABLE_PREFIX "VFXBENCH_"

void cmd_option_variable(const cmd_option *row, char *name, size_t bytes)
{
    (void)snprintf(name, bytes, VARIABLE_PREFIX "%s", row->name);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
}

/* A variable that is no option's is a typing error: it would silently change nothing. `name` has no value behind it. */
static vfx_status check_variable(const cmd_verb *verb, const char *name)
{
    static const size_t prefix = sizeof VARIABLE_PREFIX - 1;
    char names[ROW_COUNT][VARIABLE_BYTES], hint[256];
    const char *close[ROW_COUNT];
    size_t count = 0;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        cmd_option_variable(&rows[i], names[count], sizeof names[count]);
        if (rows[i].help == NULL)
            continue;
        if (strcmp(name, names[count]) == 0)
            return VFX_OK;
        if (vfx_name_is_close(name + prefix, names[count] + prefix)) {
            close[count] = names[count];
            count++;
        }
    }
    (void)snprintf(hint, sizeof hint, "see vfxbench %s --help", verb->name);
    if (count > 0)
        vfx_suggest(name, close, count, hint, sizeof hint);
    return vfx_fail(VFX_USAGE, "the environment variable %s belongs to no option; %s", name, hint);
}

static vfx_status check_variables(const cmd_verb *verb)
{
    const char *entry;
    for (size_t i = 0; (entry = vfx_environment(i)) != NULL; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(entry, "="), entry);
        if (strncmp(name, VARIABLE_PREFIX, sizeof VARIABLE_PREFIX - 1) == 0)
            VFX_TRY(check_variable(verb, name));
    }
    return VFX_OK;
}

/* Splits at ';' in place and adds the parts. */
static vfx_status set_values_from(cmd_options *options, const cmd_option *row, const char *name, char *text)
{
    while (text != NULL) {
        char *next = strchr(text, ';');
        if (next != NULL)
            *next++ = '\0';
        if (*text != '\0')
            VFX_TRY(set_value(options, row, name, text));
        text = next;
    }
    return VFX_OK;
}

static vfx_status read_environment(cmd_options *options, const cmd_verb *verb)
{
    VFX_TRY(check_variables(verb));
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        char name[VARIABLE_BYTES];
        cmd_option_variable(&rows[i], name, sizeof name);
        bool read = cmd_option_applies(&rows[i], verb) && rows[i].help != NULL;
        const char *text = read ? getenv(name) : NULL;
        if (text == NULL || *text == '\0')
            continue;
        char *copy = malloc(strlen(text) + 1);
        if (copy == NULL)
            return vfx_fail(VFX_MEMORY, "out of memory for %s", name);
        options->environment[options->environment_count++] = strcpy(copy, text);
        VFX_TRY(rows[i].type == CMD_VALUES ? set_values_from(options, &rows[i], name, copy)
                                           : set_value(options, &rows[i], name, copy));
        options->given |= UINT64_C(1) << i;
        options->from_environment |= UINT64_C(1) << i;
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------- command line */

/* Row of "--name", "--name=value" or "-x"; USAGE with a hint when there is none for this verb. */
static vfx_status find_row(const cmd_verb *verb, const char *argument, uint32_t *index)
{
    size_t length = strcspn(argument, "=");
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        bool longer = strncmp(argument, "--", 2) == 0 && strlen(rows[i].name) == length - 2 &&
                      strncmp(argument + 2, rows[i].name, length - 2) == 0;
        bool letter = rows[i].letter != 0 && argument[1] == rows[i].letter && argument[2] == '\0';
        if (!longer && !letter)
            continue;
        if (!cmd_option_applies(&rows[i], verb))
            return vfx_fail(VFX_USAGE, "option '%.*s' does not apply to '%s'; see vfxbench %s --help", (int)length,
                            argument, verb->name, verb->name);
        *index = i;
        return VFX_OK;
    }
    return vfx_fail(VFX_USAGE, "unknown option '%.*s'; see vfxbench %s --help", (int)length, argument, verb->name);
}

/* Parses the option at argv[*i] and moves *i to its last argument. */
static vfx_status parse_option(cmd_options *options, const cmd_verb *verb, int argc, char *const argv[], int *i)
{
    uint32_t index = 0;
    VFX_TRY(find_row(verb, argv[*i], &index));
    const cmd_option *row = &rows[index];
    char origin[64];
    (void)snprintf(origin, sizeof origin, "--%s", row->name);
    const char *value = strchr(argv[*i], '=');
    if (value != NULL)
        value++;
    else if (row->type == CMD_FLAG)
        value = "1";
    else if (*i + 1 < argc)
        value = argv[++*i];
    else
        return vfx_fail(VFX_USAGE, "%s needs a value: --%s %s", origin, row->name, row->placeholder);
    uint64_t bit = UINT64_C(1) << index;
    if (row->type == CMD_VALUES && (options->from_environment & bit) != 0)
        MEMBER(options, row, cmd_values)->count = 0;
    options->from_environment &= ~bit;
    options->given |= bit;
    return set_value(options, row, origin, value);
}

vfx_status cmd_options_parse(cmd_options *options, const cmd_verb *verb, int argc, char *const argv[], int first)
{
    memset(options, 0, sizeof *options);
    options->verb = verb;
    options->argc = argc;
    options->argv = argv;
    set_defaults(options);
    VFX_TRY(read_environment(options, verb));
    bool only_globs = false;
    for (int i = first; i < argc; i++) {
        if (!only_globs && strcmp(argv[i], "--") == 0)
            only_globs = true;
        else if (!only_globs && argv[i][0] == '-' && argv[i][1] != '\0')
            VFX_TRY(parse_option(options, verb, argc, argv, &i));
        else
            VFX_TRY(add_value(&options->globs, "arguments", argv[i]));
    }
    return VFX_OK;
}

void cmd_options_free(cmd_options *options)
{
    for (uint32_t i = 0; i < options->environment_count; i++)
        free(options->environment[i]);
    options->environment_count = 0;
}

const cmd_option *cmd_option_rows(uint32_t *count)
{
    *count = ROW_COUNT;
    return rows;
}

const char *cmd_mode_name(uint32_t mode)
{
    return mode <= VFX_REPEAT ? mode_names[mode] : "unknown";
}
