/* bench/cmd_verify.c - `vfxbench verify`: the device against the CPU reference, or against a dump. */
#include "bench/against.h"
#include "bench/check.h"
#include "bench/commands.h"
#include "bench/figures.h"
#include "bench/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------ printing */

static vfx_status fill_rows(cmd_table *table, const vfx_kernel *kernel, const vfx_check_result checks[], bool free_run)
{
    static const char *const head[] = {"    field", "GPU error", "float error", "values", "limit"};
    VFX_TRY(cmd_table_row(table));
    for (uint32_t c = 0; c < 5; c++)
        VFX_TRY(cmd_table_cell(table, c, head[c]));
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        const vfx_check *check = &kernel->checks[i];
        char text[256];
        if (checks[i].records == 0)
            continue;
        VFX_TRY(cmd_table_row(table));
        (void)snprintf(text, sizeof text, "    %s.%s", kernel->buffers[check->buffer].name, check->field);
        VFX_TRY(cmd_table_cell(table, 0, text));
        cmd_format_number("%.3g", checks[i].worst_device, text, sizeof text);
        VFX_TRY(cmd_table_cell(table, 1, text));
        cmd_format_number("%.3g", checks[i].worst_float, text, sizeof text);
        VFX_TRY(cmd_table_cell(table, 2, text));
        (void)snprintf(text, sizeof text, "%" PRIu64, checks[i].compared);
        VFX_TRY(cmd_table_cell(table, 3, text));
        vfx_tolerance_format(free_run ? &check->free_run : &check->step, text, sizeof text);
        VFX_TRY(cmd_table_cell(table, 4, text));
    }
    return VFX_OK;
}

/* --verbose: every check row; errors as shares of the limit. */
static void print_rows(const cmd_session *session, const vfx_kernel *kernel, const vfx_check_result checks[],
                       bool free_run)
{
    if (!session->options->verbose || !cmd_speaks(session, false))
        return;
    cmd_table table = {.right = {[1] = true, [2] = true, [3] = true}};
    if (fill_rows(&table, kernel, checks, free_run) == VFX_OK && table.row_count > 1)
        cmd_table_print(&table, stdout, false);
    cmd_table_free(&table);
}

/* A share of a limit: "0.31", "1.25e+04", "inf". */
static void format_share(double share, char text[32])
{
    (void)snprintf(text, 32, share > 100.0 ? "%.3g" : "%.2f", share);
}

/* A sweep in one line of at most SWEEP_LINE characters, below the line of its case; the JSON has all of it. */
static void print_part(const cmd_session *session, const cmd_entry *entry, const cmd_part *part)
{
    enum { SWEEP_LINE = 160 };
    char line[2 * SWEEP_LINE], share[32];
    (void)snprintf(line, sizeof line, "    %-11s %s  %" PRIu32 " frames", cmd_state_name(part->state),
                   part->name + strlen(entry->name) + 1, part->frames);
    format_share(part->worst, share);
    if (part->compared && (part->reason[0] == '\0' || part->worst > 1.0)) /* else the reason is another */
        cmd_append(line, sizeof line, "  worst %s", share);
    if (part->reason[0] != '\0')
        cmd_append(line, sizeof line, ": %s", part->reason);
    if (strlen(line) > SWEEP_LINE)
        (void)snprintf(line + SWEEP_LINE - 3, 4, "...");
    cmd_say(session, part->state != CMD_STATE_PASS && part->state != CMD_STATE_SKIPPED, "%s\n", line);
}

static void print_parts(const cmd_session *session, const cmd_entry *entry, const cmd_check *check)
{
    for (uint32_t i = 1; i < check->part_count; i++) {
        if (check->parts[i].state != CMD_STATE_PASS || session->options->verbose)
            print_part(session, entry, &check->parts[i]);
    }
}

/* "worst 0.31 of limit (particle.position), float 0.12" */
static void format_worst(const cmd_check *check, const vfx_kernel *kernel, char *text, size_t bytes)
{
    uint32_t row = cmd_check_worst(check, kernel);
    *text = '\0';
    if (row == UINT32_MAX)
        return;
    char device[32], host[32];
    format_share(check->checks[row].worst_device, device);
    format_share(check->checks[row].worst_float, host);
    cmd_append(text, bytes, "  worst %s of limit (%s.%s), float %s", device,
               kernel->buffers[kernel->checks[row].buffer].name, kernel->checks[row].field, host);
}

static void print_check(const cmd_session *session, const cmd_entry *entry, const cmd_check *check, vfx_mode mode)
{
    char worst[256], sweeps[96] = "", batches[32] = "";
    format_worst(check, entry->kase.kernel, worst, sizeof worst);
    if (check->sweeps > 0)
        (void)snprintf(sweeps, sizeof sweeps, " + %" PRIu32 " sweeps", check->sweeps - check->sweeps_skipped);
    if (check->batches > 1)
        (void)snprintf(batches, sizeof batches, " of %" PRIu32 " batches", check->batches);
    bool bad = check->state != CMD_STATE_PASS && check->state != CMD_STATE_UNSUPPORTED;
    if (check->state == CMD_STATE_UNSUPPORTED)
        cmd_say(session, false, "%-11s %s\n", cmd_state_name(check->state), check->failure);
    else
        cmd_say(session, bad, "%-11s %s  %" PRIu32 " frames%s%s%s  %.1f s\n", cmd_state_name(check->state), entry->name,
                check->frames, batches, sweeps, worst, check->wall_ns / 1e9);
    if (check->frames > 0)
        cmd_figures_say(session, &entry->kase, check->metrics);
    print_rows(session, entry->kase.kernel, check->checks, mode == VFX_FREE_RUN);
    print_parts(session, entry, check);
    if (bad)
        cmd_say(session, true, "%s\n  repeat with: %s\n", check->failure, check->repro);
}

/* ------------------------------------------------------------------------------------------- verify */

static void report_check(cmd_session *session, const cmd_entry *entry, const cmd_check *check)
{
    json_t *object = cmd_session_record_entry(session, entry, check->state, check->failure);
    cmd_json_text(object, "mode", cmd_mode_name(session->options->mode));
    cmd_json_u32(object, "frames_compared", check->frames);
    cmd_report_batches(object, check->batches);
    cmd_report_hash(object, check->hash);
    if (check->frames > 0)
        cmd_figures_report(object, &entry->kase, check->metrics);
    cmd_json_number(object, "host_wall_ns", check->wall_ns, "not measured");
    cmd_json_number(object, "cpu_reference_ns", check->cpu_ns, "not measured");
    cmd_json_text(object, "repro", check->repro[0] != '\0' ? check->repro : NULL);
    cmd_report_checks(object, &entry->kase, check->checks);
    json_t *parts = cmd_json_array(object, "sweeps");
    for (uint32_t i = 1; i < check->part_count; i++) {
        json_t *part = cmd_json_append(parts);
        cmd_json_text(part, "id", check->parts[i].name);
        cmd_json_text(part, "state", cmd_state_name(check->parts[i].state));
        cmd_json_text(part, "reason", check->parts[i].reason[0] != '\0' ? check->parts[i].reason : NULL);
        cmd_json_u32(part, "frames", check->parts[i].frames);
        cmd_json_number(part, "worst_gpu", check->parts[i].worst, "not finite");
    }
}

static vfx_status verify_entries(cmd_session *session)
{
    cmd_check *check = malloc(sizeof *check);
    if (check == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the results of a case");
    vfx_mode mode = (vfx_mode)session->options->mode;
    vfx_status status = VFX_OK;
    for (uint32_t i = 0; status == VFX_OK && i < session->entry_count; i++) {
        const cmd_entry *entry = &session->entries[i];
        if (session->casualties) {
            cmd_session_not_run(session, entry);
            continue;
        }
        cmd_check_run(session, entry, mode, check);
        if (check->refused) {
            status = VFX_USAGE;
            continue;
        }
        report_check(session, entry, check);
        print_check(session, entry, check, mode);
    }
    free(check);
    return status;
}

static vfx_status verify_against(cmd_session *session)
{
    const char *folder = session->options->against;
    cmd_entry entry;
    cmd_against against;
    VFX_TRY(cmd_against_run(session, folder, &entry, &against));
    json_t *object = cmd_session_record(session, &entry.kase, &entry.at, against.state, against.failure);
    cmd_json_text(object, "against", folder);
    cmd_json_u32(object, "frames_equal", against.equal);
    cmd_json_u32(object, "frames_in_step_tolerance", against.step);
    cmd_json_u32(object, "frames_in_free_run_tolerance", against.free);
    cmd_json_u32(object, "frames_not_comparable", against.beyond);
    cmd_json_number(object, "host_wall_ns", against.wall_ns, "not measured");
    cmd_report_checks(object, &entry.kase, against.checks);
    bool bad = against.state != CMD_STATE_PASS;
    cmd_say(session, bad,
            "%-11s %s against %s, frames compared: %" PRIu32 " bitwise, %" PRIu32 " in the step tolerance, %" PRIu32
            " in the free-run tolerance, %" PRIu32 " not comparable  %.1f s\n",
            cmd_state_name(against.state), entry.name, folder, against.equal, against.step, against.free,
            against.beyond, against.wall_ns / 1e9);
    print_rows(session, entry.kase.kernel, against.checks, against.free > 0);
    if (bad)
        cmd_say(session, true, "%s\n", against.failure);
    return VFX_OK;
}

/* "12 passed, 1 failed, 2 unsupported": the states that occurred. */
static void print_summary(const cmd_session *session)
{
    char text[256] = "";
    for (uint32_t i = 0; i < CMD_STATE_COUNT; i++) {
        if (session->tally.count[i] > 0)
            cmd_append(text, sizeof text, "%s%" PRIu32 " %s", text[0] != '\0' ? ", " : "", session->tally.count[i],
                       cmd_state_name((cmd_state)i));
    }
    const vfx_device_info *info = vfx_gpu_info(session->gpu);
    cmd_say(session, false, "%s on %s, validation %s\n", text, info->name,
            vfx_gpu_validating(session->gpu) ? "on" : "off");
}

int cmd_verify(const cmd_options *options)
{
    cmd_session session;
    bool against = options->against != NULL;
    vfx_status status = cmd_session_plan(&session, options, !against);
    bool described = options->globs.count > 0 || options->set.count > 0 || options->at.count > 0 ||
                     options->axis.count > 0 || options->frames > 0 || options->dt > 0.0 ||
                     cmd_option_given(options, "seed");
    if (status == VFX_OK && against && described)
        status = vfx_fail(VFX_USAGE, "--against takes case, parameters, frames, dt and seed from the dump; leave out "
                                     "globs, --set, --axis, --at, --frames, --dt and --seed");
    if (status == VFX_OK)
        status = cmd_session_open(&session, (vfx_validation)options->validation);
    if (status == VFX_OK)
        status = against ? verify_against(&session) : verify_entries(&session);
    if (status == VFX_OK)
        print_summary(&session);
    return cmd_session_close(&session, status);
}
