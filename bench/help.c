/* bench/help.c - --help of a verb, from the rows of options.c. */
#include "bench/options.h"

bool cmd_option_applies(const cmd_option *row, const cmd_verb *verb)
{
    return (row->verbs & verb->bit) != 0;
}

void cmd_help(FILE *out, const cmd_verb *verb)
{
    const char *explained = "A GLOB selects cases by name, family/variant/preset; '*' also crosses the slashes.";
    fprintf(out, "vfxbench %s - %s\n\nusage: vfxbench %s [options] %s\n%s", verb->name, verb->summary, verb->name,
            verb->arguments != NULL ? verb->arguments : "[GLOB...]",
            verb->explained != NULL ? verb->explained : explained);
    if (verb->default_glob != NULL)
        fprintf(out, " Without one: %s", verb->default_glob);
    fprintf(out, "\n\noptions (each also as an environment variable, e.g. VFXBENCH_ALLOW_CPU=1):\n");
    uint32_t count;
    const cmd_option *rows = cmd_option_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (!cmd_option_applies(&rows[i], verb) || rows[i].help == NULL)
            continue;
        char left[64], letter[8] = "";
        if (rows[i].letter != 0)
            (void)snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
        (void)snprintf(left, sizeof left, "%s--%s%s%s", letter, rows[i].name, *rows[i].placeholder ? " " : "",
                       rows[i].placeholder);
        fprintf(out, "  %-32s %s", left, rows[i].help);
        if (rows[i].type == CMD_CHOICE)
            fprintf(out, " (default %s)", rows[i].names[(size_t)rows[i].def]);
        else if ((rows[i].type == CMD_U32 || rows[i].type == CMD_F64) && rows[i].def != 0.0)
            fprintf(out, " (default %g)", rows[i].def);
        fputc('\n', out);
    }
    fprintf(out, "\nexamples:\n%s", verb->examples);
}
