/* bench/compare_report.c - a comparison as JSON. See compare.h; bench/README.md describes the keys. */
#include "bench/compare.h"

#include <stdlib.h>
#include <string.h>

/* The row of `passes` called `name`; of several, that which comes after `skip` others. */
static const json_t *find_pass(const json_t *passes, const char *name, size_t skip)
{
    for (size_t i = 0; i < json_array_size(passes); i++) {
        const json_t *pass = json_array_get(passes, i);
        if (strcmp(cmd_result_text(pass, "name"), name) == 0 && skip-- == 0)
            return pass;
    }
    return NULL;
}

/* How many passes before `index` have its name. */
static size_t namesakes_before(const json_t *passes, size_t index)
{
    const char *name = cmd_result_text(json_array_get(passes, index), "name");
    size_t count = 0;
    for (size_t i = 0; i < index; i++)
        count += strcmp(cmd_result_text(json_array_get(passes, i), "name"), name) == 0 ? 1 : 0;
    return count;
}

bool cmd_compare_pass(const cmd_compare_row *row, size_t index, cmd_pass_change *pass)
{
    const json_t *a = row->a->passes, *b = row->b->passes;
    if (index < json_array_size(a)) {
        const json_t *in_a = json_array_get(a, index);
        const char *name = cmd_result_text(in_a, "name");
        const json_t *in_b = find_pass(b, name, namesakes_before(a, index));
        *pass = (cmd_pass_change){name, cmd_result_number(in_a, "median_ns"), cmd_result_number(in_b, "median_ns")};
        return true;
    }
    index -= json_array_size(a);
    for (size_t i = 0; i < json_array_size(b); i++) {
        const json_t *in_b = json_array_get(b, i);
        const char *name = cmd_result_text(in_b, "name");
        if (find_pass(a, name, namesakes_before(b, i)) == NULL && index-- == 0) {
            *pass = (cmd_pass_change){name, cmd_result_number(NULL, ""), cmd_result_number(in_b, "median_ns")};
            return true;
        }
    }
    return false;
}

static void report_file(json_t *files, const char *key, const cmd_result *result)
{
    json_t *file = cmd_json_object(files, key);
    cmd_json_text(file, "path", result->path);
    cmd_json_text(file, "git", cmd_result_text(result->tool, "git"));
    cmd_json_text(file, "version", cmd_result_text(result->tool, "version"));
    cmd_json_text(file, "device", result->device_name);
    cmd_json_text(file, "uuid", cmd_result_text(result->device, "uuid"));
    cmd_json_text(file, "driver", result->driver);
    cmd_json_bool(file, "software", result->software);
}

static void report_rule(json_t *report, const cmd_comparison *c)
{
    json_t *rule = cmd_json_object(report, "rule");
    cmd_json_number(rule, "threshold", c->rule.threshold, "none");
    cmd_json_number(rule, "min_change_ns", c->rule.min_change_ns, "none");
    cmd_json_number(rule, "level", CMD_COMPARE_LEVEL, "none");
    cmd_json_u32(rule, "least_launches", CMD_LEAST_LAUNCHES);
    cmd_json_u32(rule, "tests", c->family);
    cmd_json_bool(rule, "across_device", c->rule.device);
    cmd_json_bool(rule, "across_driver", c->rule.driver);
    cmd_json_bool(rule, "across_workload", c->rule.workload);
    cmd_json_bool(rule, "across_shader", c->rule.shader);
    cmd_json_bool(rule, "allow_software", c->rule.software);
}

static void report_passes(json_t *object, const cmd_compare_row *row)
{
    json_t *passes = cmd_json_array(object, "passes");
    cmd_pass_change pass;
    for (size_t i = 0; cmd_compare_pass(row, i, &pass); i++) {
        json_t *line = cmd_json_append(passes);
        cmd_json_text(line, "name", pass.name);
        cmd_json_number(line, "a_ns", pass.a_ns, "no time in A");
        cmd_json_number(line, "b_ns", pass.b_ns, "no time in B");
    }
}

static void report_change(json_t *object, const cmd_change *change)
{
    static const char few[] = "too few launches for a test", never[] = "no slowdown would have been";
    cmd_json_u32(object, "a_launches", change->a_count);
    cmd_json_u32(object, "b_launches", change->b_count);
    cmd_json_number(object, "a_ns", change->a_ns, "no time");
    cmd_json_number(object, "b_ns", change->b_ns, "no time");
    cmd_json_number(object, "change", change->change, "no time");
    cmd_json_number(object, "p_slower", change->p_slower, few);
    cmd_json_number(object, "p_faster", change->p_faster, few);
    cmd_json_number(object, "p_slower_corrected", change->holm_slower, few);
    cmd_json_number(object, "p_faster_corrected", change->holm_faster, few);
    cmd_json_number(object, "slower_from", change->slower_from, never);
    cmd_json_number(object, "suspect_from", change->suspect_from, never);
    cmd_json_text(object, "suspect", change->suspect == 0 ? NULL : change->suspect > 0 ? "slower" : "faster");
}

static void report_row(json_t *rows, const cmd_compare_row *row)
{
    json_t *object = cmd_json_append(rows);
    cmd_json_text(object, "id", row->id);
    cmd_json_text(object, "verdict", cmd_verdict_name(row->verdict));
    cmd_json_text(object, "reason", *row->reason != '\0' ? row->reason : NULL);
    cmd_json_text(object, "notes", *row->notes != '\0' ? row->notes : NULL);
    cmd_json_bool(object, "missing", row->missing);
    if (row->change == NULL)
        return;
    report_change(object, row->change);
    report_passes(object, row);
}

static vfx_status report_again(json_t *again, const cmd_comparison *c, const char *key, const cmd_result *result)
{
    char *text;
    VFX_TRY(cmd_rerun_format(c, result, &text));
    cmd_json_text(again, key, text);
    free(text);
    return VFX_OK;
}

vfx_status cmd_compare_report(const cmd_comparison *c, json_t *report, int exit_code)
{
    json_t *files = cmd_json_object(report, "files");
    report_file(files, "a", c->a);
    report_file(files, "b", c->b);
    report_rule(report, c);
    json_t *notes = cmd_json_array(report, "notes");
    for (uint32_t i = 0; i < c->note_count; i++)
        cmd_json_text(cmd_json_append(notes), "text", c->notes[i]);
    json_t *rows = cmd_json_array(report, "cases");
    for (uint32_t i = 0; i < c->row_count; i++)
        report_row(rows, &c->rows[i]);
    json_t *again = cmd_json_object(report, "again");
    VFX_TRY(report_again(again, c, "a", c->a));
    VFX_TRY(report_again(again, c, "b", c->b));
    json_t *summary = cmd_json_object(report, "summary");
    for (uint32_t i = 0; i < CMD_VERDICT_COUNT; i++)
        cmd_json_u32(summary, cmd_verdict_name((cmd_verdict)i), c->count[i]);
    cmd_json_u32(summary, "missing", c->missing);
    cmd_json_u32(summary, "exit_code", (uint32_t)exit_code);
    return VFX_OK;
}
