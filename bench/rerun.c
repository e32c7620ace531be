/* bench/rerun.c - the command line that measures the doubtful cases of a result again, made from the one that the
 * result records: the same options, fewer cases, more launches, another output file. Values that came from the
 * environment are not in a result; whoever set them has to set them again. */
#include "bench/compare.h"
#include "bench/options.h"

#include <stdlib.h>
#include <string.h>

/* Options that the new command line has its own of, or no use for; each takes a value. */
static const char *const replaced[] = {"launches", "output", "exclude"};

static const cmd_option *find_option(const char *token)
{
    uint32_t count;
    const cmd_option *rows = cmd_option_rows(&count);
    size_t length = strcspn(token, "=");
    for (uint32_t i = 0; i < count; i++) {
        bool longer = strncmp(token, "--", 2) == 0 && strlen(rows[i].name) == length - 2 &&
                      strncmp(token + 2, rows[i].name, length - 2) == 0;
        if (longer || (rows[i].letter != 0 && token[1] == rows[i].letter && token[2] == '\0'))
            return &rows[i];
    }
    return NULL;
}

static bool is_replaced(const char *token, const cmd_option *option)
{
    size_t length = strcspn(token, "=");
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        if ((option != NULL && strcmp(option->name, replaced[i]) == 0) ||
            (strncmp(token, "--", 2) == 0 && strlen(replaced[i]) == length - 2 &&
             strncmp(token + 2, replaced[i], length - 2) == 0))
            return true;
    }
    return false;
}

/* A word of a POSIX shell, quoted where it needs to be. */
static void print_word(FILE *out, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (*word != '\0' && word[strspn(word, safe)] == '\0') {
        fprintf(out, " %s", word);
        return;
    }
    fputs(" '", out);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc((unsigned char)*word < 0x20 || *word == 0x7f ? '?' : *word, out);
    }
    fputc('\'', out);
}

static const cmd_result_case *case_of(const cmd_compare_row *row, const cmd_comparison *c, const cmd_result *result)
{
    return result == c->a ? row->a : row->b;
}

/* Did a case that is measured again run this override, "family.pass=FILE"? Another would be refused. */
static bool has_override(const cmd_comparison *c, const cmd_result *result, const char *value)
{
    size_t family = strcspn(value, "."), end = strcspn(value, "=");
    for (uint32_t i = 0; i < c->row_count; i++) {
        const cmd_result_case *kase = case_of(&c->rows[i], c, result);
        if (!cmd_compare_again(&c->rows[i]) || strncmp(kase->id, value, family) != 0 || kase->id[family] != '/')
            continue;
        const json_t *rows = json_object_get(kase->object, "shaders");
        for (size_t k = 0; k < json_array_size(rows); k++) {
            const char *pass = cmd_result_text(json_array_get(rows, k), "pass");
            if (family < end && strlen(pass) == end - family - 1 &&
                strncmp(pass, value + family + 1, strlen(pass)) == 0)
                return true;
        }
    }
    return false;
}

/* The options that stay, and with `globs` what selected the cases. False: an option is unknown, and with it where its
 * value would be. */
static bool print_options(FILE *out, const cmd_comparison *c, const cmd_result *result, bool globs)
{
    size_t count = json_array_size(result->command);
    bool only_globs = false; /* behind "--" */
    for (size_t i = 2; i < count; i++) {
        const char *token = json_string_value(json_array_get(result->command, i));
        bool is_glob = only_globs || token[0] != '-' || token[1] == '\0';
        if (!is_glob && strcmp(token, "--") == 0)
            only_globs = true;
        else if (is_glob && globs)
            print_word(out, token);
        if (is_glob || only_globs)
            continue;
        const cmd_option *option = find_option(token);
        bool drop = is_replaced(token, option) && !(globs && option != NULL && strcmp(option->name, "exclude") == 0);
        bool alone = option != NULL && option->type == CMD_FLAG;
        const char *value = strchr(token, '=');
        if (option == NULL && !drop)
            return false;
        bool next = !alone && value == NULL && i + 1 < count;
        if (next)
            value = json_string_value(json_array_get(result->command, ++i));
        if (drop)
            continue;
        if (strcmp(option->name, "shader") == 0 && value != NULL && !has_override(c, result, next ? value : value + 1))
            continue;
        print_word(out, token);
        if (next)
            print_word(out, value);
    }
    return true;
}

/* Name of the case without its point of the axes, which the kept --axis options bring back. */
static size_t base_length(const char *id)
{
    return strcspn(id, "[");
}

/* Prints each case once, or nothing with `out` NULL; returns how many. */
static uint32_t print_cases(FILE *out, const cmd_comparison *c)
{
    uint32_t cases = 0;
    for (uint32_t i = 0; i < c->row_count; i++) {
        const char *id = c->rows[i].id;
        bool wanted = cmd_compare_again(&c->rows[i]);
        for (uint32_t k = 0; wanted && k < i; k++)
            wanted = !cmd_compare_again(&c->rows[k]) || base_length(c->rows[k].id) != base_length(id) ||
                     strncmp(c->rows[k].id, id, base_length(id)) != 0;
        if (!wanted)
            continue;
        char word[256];
        (void)snprintf(word, sizeof word, "%.*s", (int)base_length(id), id);
        cases++;
        if (out != NULL)
            print_word(out, word);
    }
    return cases;
}

/* "new.json" becomes "new-again.json". */
static void print_output(FILE *out, const char *path)
{
    size_t length = strlen(path);
    bool json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    char *word = malloc(length + sizeof "-again.json");
    if (word == NULL)
        return;
    (void)snprintf(word, length + sizeof "-again.json", "%.*s-again.json", (int)(json ? length - 5 : length), path);
    fputs(" -o", out);
    print_word(out, word);
    free(word);
}

static bool print_command(FILE *out, const cmd_comparison *c, const cmd_result *result)
{
    const char *program = json_string_value(json_array_get(result->command, 0));
    const char *verb = json_string_value(json_array_get(result->command, 1));
    if (program == NULL || verb == NULL || strcmp(verb, "time") != 0)
        return false;
    print_word(out, program);
    fputs(" time", out);
    uint32_t cases = print_cases(NULL, c);
    bool globs = cases > CMD_MAX_VALUES; /* more than a command line takes */
    if (cases > 0 && !globs)
        (void)print_cases(out, c);
    if (cases == 0 || !print_options(out, c, result, globs))
        return false;
    fprintf(out, " --launches %d", CMD_RERUN_LAUNCHES);
    print_output(out, result->path);
    return true;
}

vfx_status cmd_rerun_format(const cmd_comparison *comparison, const cmd_result *result, char **text)
{
    size_t bytes = 0;
    char *buffer = NULL;
    *text = NULL;
    FILE *out = open_memstream(&buffer, &bytes);
    if (out == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a command line");
    bool known = print_command(out, comparison, result);
    bool written = ferror(out) == 0;
    if (fclose(out) != 0 || !written) {
        free(buffer);
        return vfx_fail(VFX_MEMORY, "out of memory for a command line");
    }
    if (known) {
        memmove(buffer, buffer + 1, strlen(buffer)); /* the blank before the first word */
        *text = buffer;
    } else {
        free(buffer);
    }
    return VFX_OK;
}
