/* bench/cmd_compare.c - `vfxbench compare A.json B.json`: did B become slower? The work is in compare.c and
 * compare_pair.c. */
#include "bench/commands.h"
#include "bench/compare.h"
#include "bench/report.h"
#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

static vfx_status set_across(const cmd_values *across, cmd_compare_rule *rule)
{
    static const char *const names[] = {"device", "driver", "workload", "shader"};
    enum { KINDS = sizeof names / sizeof *names };
    bool *const members[KINDS] = {&rule->device, &rule->driver, &rule->workload, &rule->shader};
    for (uint32_t i = 0; i < across->count; i++) {
        uint32_t kind = 0;
        while (kind < KINDS && strcmp(across->items[i], names[kind]) != 0)
            kind++;
        if (kind == KINDS)
            return vfx_fail(VFX_USAGE, "--across: '%.60s' is not one of device, driver, workload, shader",
                            across->items[i]);
        *members[kind] = true;
    }
    return VFX_OK;
}

static vfx_status set_rule(const cmd_options *options, cmd_compare_rule *rule)
{
    *rule = (cmd_compare_rule){.threshold = options->threshold / 100.0,
                               .min_change_ns = options->min_change * 1e3,
                               .software = options->allow_software};
    VFX_TRY(set_across(&options->across, rule));
    if (options->globs.count < 2)
        return vfx_fail(VFX_USAGE, "compare takes two results of time: vfxbench compare A.json B.json");
    if (options->json && options->md)
        return vfx_fail(VFX_USAGE, "--json and --md: one of them can be printed; --md with -o FILE writes JSON too");
    return options->output != NULL ? vfx_check_writable(options->output) : VFX_OK;
}

static vfx_status write_json(const cmd_options *options, const cmd_comparison *comparison, int code)
{
    char *text = NULL;
    json_t *report = cmd_report_create(options);
    (void)json_object_del(report, "device"); /* of no device of this machine */
    vfx_status status = cmd_compare_report(comparison, report, code);
    if (status == VFX_OK)
        status = cmd_json_dump(report, &text);
    if (status == VFX_OK && options->output != NULL)
        status = vfx_write_file(options->output, text, strlen(text));
    if (status == VFX_OK && options->json)
        fputs(text, stdout);
    free(text);
    json_decref(report);
    return status;
}

static vfx_status write_outputs(const cmd_options *options, const cmd_comparison *comparison, int code)
{
    if (options->json || options->output != NULL)
        VFX_TRY(write_json(options, comparison, code));
    return options->json ? VFX_OK : cmd_compare_print(comparison, stdout, options->md, options->quiet);
}

/* Everything; what it fills is the caller's to free. */
static vfx_status compare_files(const cmd_options *options, cmd_result results[2], cmd_comparison *comparison,
                                int *code)
{
    cmd_compare_rule rule;
    VFX_TRY(set_rule(options, &rule));
    for (uint32_t i = 0; i < 2; i++)
        VFX_TRY(cmd_result_read(&results[i], options->globs.items[i]));
    VFX_TRY(cmd_compare_results(&results[0], &results[1], &rule, options->globs.items + 2, options->globs.count - 2,
                                comparison));
    *code = cmd_compare_exit(comparison, options->fail_on_inconclusive, options->fail_on_missing);
    return write_outputs(options, comparison, *code);
}

int cmd_compare(const cmd_options *options)
{
    cmd_result results[2] = {{0}, {0}};
    cmd_comparison comparison = {0};
    int code = CMD_EXIT_OK;
    vfx_status status = compare_files(options, results, &comparison, &code);
    if (status != VFX_OK) {
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
        code = cmd_exit_of(status, true);
    }
    cmd_comparison_free(&comparison);
    cmd_result_free(&results[0]);
    cmd_result_free(&results[1]);
    return code;
}
