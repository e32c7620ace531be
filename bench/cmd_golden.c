/* bench/cmd_golden.c - `vfxbench golden check` and `golden bless`: pictures of results against stored ones. */
#include "bench/commands.h"
#include "bench/golden_bless.h"
#include "bench/golden_check.h"
#include "bench/golden_select.h"
#include "bench/text.h"
#include "core/platform.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef VFX_SOURCE_DIR
#define VFX_SOURCE_DIR "."
#endif

/* What one invocation works on: session.entries[i] is the case of selection.choices[i]. */
typedef struct goldens {
    cmd_session session;
    cmd_golden_selection selection;
    bool bless;
    char folder[CMD_GOLDEN_PATH]; /* of the goldens */
    const char *out;              /* of the failures' pictures */
    cmd_table table;              /* --md */
} goldens;

/* ----------------------------------------------------------------------------------------- the plan */

/* The first argument may be `check` or `bless`; the others are globs. */
static bool take_word(const cmd_options *options, cmd_values *globs)
{
    *globs = options->globs;
    const char *word = globs->count > 0 ? globs->items[0] : "";
    bool bless = strcmp(word, "bless") == 0;
    if (!bless && strcmp(word, "check") != 0)
        return false;
    globs->count--;
    memmove(globs->items, globs->items + 1, globs->count * sizeof *globs->items);
    return bless;
}

static vfx_status check_options(const goldens *g, const cmd_options *options)
{
    if (g->bless && options->shader.count > 0)
        return vfx_fail(VFX_USAGE, "goldens are not blessed while a shader is overridden; leave out --shader");
    if (!g->bless && options->reason != NULL)
        return vfx_fail(VFX_USAGE, "--reason belongs to golden bless; golden check writes no golden");
    return g->bless ? cmd_golden_check_reason(options->reason) : VFX_OK;
}

/* --goldens, else ./goldens where it is, else that of the source tree this program was built from. */
static vfx_status choose_folder(goldens *g)
{
    static const char here[] = "goldens", source[] = VFX_SOURCE_DIR "/goldens";
    const char *given = g->session.options->goldens;
    vfx_names names = {0};
    if (given == NULL && vfx_list_folder(here, &names) == VFX_OK && names.exists)
        given = here;
    vfx_names_free(&names);
    cmd_copy(g->folder, sizeof g->folder, given != NULL ? given : source);
    if (g->bless)
        return VFX_OK;
    vfx_status status = vfx_list_folder(g->folder, &names);
    bool exists = names.exists;
    vfx_names_free(&names);
    return status != VFX_OK || exists ? status : vfx_fail(VFX_IO, "there is no folder %s; see --goldens", g->folder);
}

static vfx_status make_entries(goldens *g)
{
    cmd_session *session = &g->session;
    session->entries = calloc(g->selection.count, sizeof *session->entries);
    if (session->entries == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %" PRIu32 " views", g->selection.count);
    for (uint32_t i = 0; i < g->selection.count; i++) {
        const cmd_golden_choice *choice = &g->selection.choices[i];
        cmd_entry *entry = &session->entries[i];
        cmd_golden_choice_name(choice, entry->name, sizeof entry->name);
        VFX_TRY(cmd_golden_case(choice->kernel, choice->variant, choice->view, &entry->kase));
        session->entry_count = i + 1;
    }
    return VFX_OK;
}

/* An override that no selected case runs would silently test nothing. */
static vfx_status check_shaders_used(const cmd_session *session)
{
    for (uint32_t s = 0; s < session->shaders.count; s++) {
        const cmd_shader *shader = &session->shaders.items[s];
        bool used = false;
        for (uint32_t i = 0; i < session->entry_count; i++)
            used = used || cmd_shader_applies(shader, &session->entries[i].kase);
        if (!used)
            return vfx_fail(VFX_USAGE, "--shader %s: no selected golden is of a variant with the pass '%s' of %s",
                            shader->path, shader->override.pass, shader->kernel->name);
    }
    return VFX_OK;
}

static vfx_status plan(goldens *g, const cmd_options *options)
{
    cmd_values globs;
    g->bless = take_word(options, &globs);
    g->out = options->out != NULL ? options->out : "golden-failures";
    VFX_TRY(cmd_session_plan(&g->session, options, false));
    VFX_TRY(check_options(g, options));
    VFX_TRY(cmd_golden_select(vfx_kernels, vfx_kernel_count, &globs, &options->exclude, options->verb->default_glob,
                              g->bless, &g->selection));
    VFX_TRY(make_entries(g));
    VFX_TRY(check_shaders_used(&g->session));
    return choose_folder(g);
}

/* ---------------------------------------------------------------------------------------- reporting */

static void report_flip(json_t *golden, const cmd_golden_result *result)
{
    static const char why[] = "FLIP was not needed";
    bool has = result->gate.flip.error != NULL;
    json_t *flip = cmd_json_object(golden, "flip");
    cmd_json_number(flip, "mean", has ? result->gate.flip.mean : NAN, why);
    cmd_json_number(flip, "weighted_q3", has ? result->gate.flip.weighted_q3 : NAN, why);
    cmd_json_number(flip, "weighted_p99", has ? result->gate.flip.weighted_p99 : NAN, why);
    json_t *limits = cmd_json_object(golden, "limits");
    cmd_json_number(limits, "mean", result->limits.mean, why);
    cmd_json_number(limits, "weighted_q3", result->limits.weighted_q3, why);
    cmd_json_number(limits, "weighted_p99", result->limits.weighted_p99, why);
    cmd_json_u32(limits, "blob_pixels", result->limits.blob);
    cmd_json_u32(limits, "off", result->limits.off);
}

static void report_material(json_t *golden, const cmd_golden_result *result)
{
    static const char *const names[] = {"actual", "heat", "sheet"};
    json_t *files = cmd_json_object(golden, "files");
    for (uint32_t i = 0; i < 3; i++) {
        char path[CMD_PICTURE_PATH + 16];
        (void)snprintf(path, sizeof path, "%s.%s.png", result->material, names[i]);
        cmd_json_text(files, names[i], path);
    }
}

/* One case of the report for each golden. */
static void report_result(goldens *g, const cmd_entry *entry, const vfx_view *view, const cmd_golden_result *result,
                          const char *repro)
{
    char name[CMD_CASE_NAME + 16];
    json_t *object = cmd_session_record(&g->session, &entry->kase, &entry->at, result->state, result->reason);
    json_t *golden = cmd_json_object(object, "golden");
    (void)snprintf(name, sizeof name, "%s-%03" PRIu32, entry->name, result->frame);
    cmd_json_text(golden, "name", name);
    cmd_json_text(golden, "view", view->name);
    cmd_json_u32(golden, "frame", result->frame);
    cmd_json_text(golden, "path", result->golden.path);
    if (result->golden.reason[0] != '\0') {
        cmd_json_text(golden, "blessed_by", result->golden.tool);
        cmd_json_text(golden, "blessed_reason", result->golden.reason);
        cmd_json_bool(golden, "shaders_as_blessed", result->golden.same_shaders);
    }
    cmd_json_text(golden, "gate", result->compared ? vfx_gate_names[result->gate.gate] : NULL);
    if (result->compared) {
        cmd_json_u32(golden, "pixels", result->golden.picture.width * result->golden.picture.height);
        cmd_json_u32(golden, "different_pixels", result->gate.different);
        cmd_json_u32(golden, "largest_difference", result->gate.largest);
        cmd_json_u32(golden, "blob_pixels", result->gate.blob);
        report_flip(golden, result);
    }
    if (result->material[0] != '\0')
        report_material(golden, result);
    cmd_json_text(object, "repro", result->state == CMD_STATE_PASS ? NULL : repro);
}

/* ----------------------------------------------------------------------------------------- printing */

/* "identical", "flip: mean 0.0012 of 0.01, ..." */
static void format_gate(const cmd_golden_result *result, char *text, size_t bytes)
{
    const vfx_gate_result *gate = &result->gate;
    cmd_copy(text, bytes, vfx_gate_names[gate->gate]);
    if (gate->gate == VFX_GATE_WITHIN_1)
        cmd_append(text, bytes, ": %" PRIu32 " pixels differ", gate->different);
    else if (gate->gate != VFX_GATE_IDENTICAL)
        cmd_append(text, bytes,
                   ": mean %.4f of %.2f, weighted q3 %.3f of %.2f, p99 %.3f of %.2f, blob %" PRIu32 " of %" PRIu32,
                   gate->flip.mean, result->limits.mean, gate->flip.weighted_q3, result->limits.weighted_q3,
                   gate->flip.weighted_p99, result->limits.weighted_p99, gate->blob, result->limits.blob);
}

/* Lines of a Markdown list, to paste into a pull request. */
static void print_details(const goldens *g, const cmd_entry *entry, const cmd_golden_result *result, const char *repro)
{
    const cmd_session *session = &g->session;
    const vfx_gate_result *gate = &result->gate;
    char verify[2048];
    if (result->golden.reason[0] != '\0')
        cmd_say(session, true, "  - golden: `%s`, blessed with %s: %s\n", result->golden.path, result->golden.tool,
                result->golden.reason);
    if (result->compared)
        cmd_say(session, true, "  - difference: %" PRIu32 " of %" PRIu32 " pixels, by up to %" PRIu32 " of 255\n",
                gate->different, result->golden.picture.width * result->golden.picture.height, gate->largest);
    if (result->material[0] != '\0')
        cmd_say(session, true,
                "  - pictures: `%s.sheet.png` (golden, device, difference), `.actual.png`, `.heat.png`\n",
                result->material);
    cmd_say(session, true, "  - repeat with: `%s`\n", repro);
    if (result->state == CMD_STATE_FAIL) {
        cmd_repro(session, "verify", &entry->kase, &entry->at, " --no-sweeps", verify, sizeof verify);
        cmd_say(session, true, "  - numbers behind it: `%s`\n", verify);
    }
}

static vfx_status add_row(goldens *g, const char *name, const cmd_golden_result *result)
{
    static const char *const head[] = {"golden", "state",     "gate",        "pixels",       "largest",
                                       "blob",   "FLIP mean", "weighted q3", "weighted p99", "reason"};
    const vfx_gate_result *gate = &result->gate;
    cmd_table *table = &g->table;
    char cells[10][1024] = {{0}};
    if (table->row_count == 0) {
        for (uint32_t c = 3; c < 9; c++)
            table->right[c] = true;
        VFX_TRY(cmd_table_row(table));
        for (uint32_t c = 0; c < 10; c++)
            VFX_TRY(cmd_table_cell(table, c, head[c]));
    }
    cmd_copy(cells[0], sizeof cells[0], name);
    cmd_copy(cells[1], sizeof cells[1], cmd_state_name(result->state));
    cmd_copy(cells[9], sizeof cells[9], result->reason);
    if (result->compared) {
        cmd_copy(cells[2], sizeof cells[2], vfx_gate_names[gate->gate]);
        (void)snprintf(cells[3], sizeof cells[3], "%" PRIu32, gate->different);
        (void)snprintf(cells[4], sizeof cells[4], "%" PRIu32, gate->largest);
        (void)snprintf(cells[5], sizeof cells[5], "%" PRIu32, gate->blob);
    }
    if (gate->flip.error != NULL) {
        (void)snprintf(cells[6], sizeof cells[6], "%.4f", gate->flip.mean);
        (void)snprintf(cells[7], sizeof cells[7], "%.3f", gate->flip.weighted_q3);
        (void)snprintf(cells[8], sizeof cells[8], "%.3f", gate->flip.weighted_p99);
    }
    VFX_TRY(cmd_table_row(table));
    for (uint32_t c = 0; c < 10; c++)
        VFX_TRY(cmd_table_cell(table, c, cells[c]));
    return VFX_OK;
}

static void print_result(goldens *g, const cmd_entry *entry, const cmd_golden_result *result, const char *repro)
{
    char name[CMD_CASE_NAME + 16], text[512];
    const char *state = cmd_state_name(result->state);
    bool markdown = g->session.options->md;
    (void)snprintf(name, sizeof name, "%s-%03" PRIu32, entry->name, result->frame);
    if (markdown && add_row(g, name, result) != VFX_OK)
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
    if (result->state == CMD_STATE_PASS) {
        format_gate(result, text, sizeof text);
        if (!markdown)
            cmd_say(&g->session, false, "%-11s %s  %s\n", state, name, text);
        return;
    }
    bool bad = result->state != CMD_STATE_UNSUPPORTED;
    cmd_say(&g->session, bad, "%-11s %s  %s\n", state, name, result->reason);
    if (bad)
        print_details(g, entry, result, repro);
}

/* "12 pass, 1 fail on llvmpipe, validation on, goldens in goldens" */
static void print_summary(const goldens *g)
{
    char text[256] = "";
    const cmd_session *session = &g->session;
    for (uint32_t i = 0; i < CMD_STATE_COUNT; i++) {
        if (session->tally.count[i] > 0)
            cmd_append(text, sizeof text, "%s%" PRIu32 " %s", text[0] != '\0' ? ", " : "", session->tally.count[i],
                       cmd_state_name((cmd_state)i));
    }
    if (session->gpu != NULL)
        cmd_append(text, sizeof text, " on %s, validation %s", vfx_gpu_info(session->gpu)->name,
                   vfx_gpu_validating(session->gpu) ? "on" : "off");
    cmd_say(session, false, "%s, goldens in %s\n", text, g->folder);
}

/* --------------------------------------------------------------------------------------------- verb */

/* A command that checks the view again on the same device. */
static void repeat_command(const goldens *g, const cmd_entry *entry, char *text, size_t bytes)
{
    const cmd_options *options = g->session.options;
    (void)snprintf(text, bytes, "vfxbench golden check %s --device %s", entry->name,
                   vfx_gpu_info(g->session.gpu)->uuid);
    for (uint32_t i = 0; i < options->shader.count; i++)
        cmd_append(text, bytes, " --shader '%s'", options->shader.items[i]);
    if (options->workgroup > 0)
        cmd_append(text, bytes, " --workgroup %" PRIu32, options->workgroup);
    if (options->goldens != NULL)
        cmd_append(text, bytes, " --goldens '%s'", options->goldens);
}

static vfx_status check_entry(goldens *g, const cmd_entry *entry, const vfx_view *view, cmd_golden_check *check)
{
    char repro[2048];
    cmd_progress(&g->session, "golden check %s", entry->name);
    repeat_command(g, entry, repro, sizeof repro);
    vfx_status status = cmd_golden_check_run(&g->session, entry, view, g->folder, g->out, check);
    for (uint32_t i = 0; i < check->count && status == VFX_OK; i++) {
        report_result(g, entry, view, &check->results[i], repro);
        print_result(g, entry, &check->results[i], repro);
    }
    cmd_golden_check_free(check);
    return status;
}

static vfx_status check_all(goldens *g)
{
    cmd_golden_check *check = malloc(sizeof *check);
    if (check == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the results of a view");
    vfx_status status = VFX_OK;
    for (uint32_t i = 0; i < g->session.entry_count && status == VFX_OK; i++) {
        if (g->session.casualties)
            cmd_session_not_run(&g->session, &g->session.entries[i]);
        else
            status = check_entry(g, &g->session.entries[i], g->selection.choices[i].view, check);
    }
    free(check);
    if (g->table.row_count > 0 && cmd_speaks(&g->session, false)) {
        puts(""); /* a table stands apart */
        cmd_table_print(&g->table, stdout, true);
        puts("");
    }
    return status;
}

static vfx_status bless_all(goldens *g)
{
    vfx_status status = VFX_OK;
    for (uint32_t i = 0; i < g->session.entry_count && status == VFX_OK; i++)
        status = cmd_golden_bless(&g->session, &g->session.entries[i], g->selection.choices[i].view, g->folder);
    return status;
}

int cmd_golden(const cmd_options *options)
{
    goldens *g = calloc(1, sizeof *g);
    if (g == NULL) {
        fprintf(stderr, "vfxbench: out of memory\n");
        return CMD_EXIT_INFRA;
    }
    vfx_status status = plan(g, options);
    if (status == VFX_OK && !g->bless)
        status = cmd_session_open(&g->session, (vfx_validation)options->validation);
    if (status == VFX_OK)
        status = g->bless ? bless_all(g) : check_all(g);
    if (status == VFX_OK)
        print_summary(g);
    int code = cmd_session_close(&g->session, status);
    cmd_golden_selection_free(&g->selection);
    cmd_table_free(&g->table);
    free(g);
    return code;
}
