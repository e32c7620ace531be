/* bench/cmd_time.c - `vfxbench time`: check first, then sample, then set the times against what was declared and what
 * the device can do. */
#include "bench/check.h"
#include "bench/commands.h"
#include "bench/figures.h"
#include "bench/time_table.h"
#include "bench/timing.h"
#include "core/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHECKED = 256, SAMPLE_ITEMS = 65536 };

/* The verdict on a variant's `ci` case, kept so that other presets of it need no second check. */
typedef struct verdict {
    const vfx_variant *variant;
    cmd_state state;
    bool refused; /* a usage error, see cmd_check */
    char failure[1024];
} verdict;

typedef struct timer_state {
    cmd_session *session;
    cmd_check *check; /* scratch */
    verdict verdicts[MAX_CHECKED];
    uint32_t verdict_count;
    bool refused; /* a case was a usage error, of which vfx_message() speaks */
    vfx_ceilings ceilings;
    cmd_table table;
} timer_state;

/* The full check of the variant's `ci` case, with the overrides and workgroup size that will be timed. */
static void check_variant(timer_state *t, const cmd_entry *entry, verdict *out)
{
    cmd_entry ci = {0};
    out->variant = entry->kase.variant;
    out->failure[0] = '\0';
    vfx_status status = vfx_case_init(&ci.kase, entry->kase.kernel, entry->kase.variant, "ci");
    if (status != VFX_OK) {
        out->state = cmd_state_of(status);
        cmd_copy(out->failure, sizeof out->failure, vfx_message());
        return;
    }
    ci.kase.storage_limit = entry->kase.storage_limit;
    vfx_case_name(&ci.kase, ci.name, sizeof ci.name);
    cmd_check_run(t->session, &ci, VFX_STEP_LOCKED, t->check);
    out->state = t->check->state;
    out->refused = t->check->refused;
    cmd_copy(out->failure, sizeof out->failure, t->check->failure);
}

static const verdict *verdict_of(timer_state *t, const cmd_entry *entry)
{
    for (uint32_t i = 0; i < t->verdict_count; i++) {
        if (t->verdicts[i].variant == entry->kase.variant)
            return &t->verdicts[i];
    }
    verdict *next = &t->verdicts[t->verdict_count < MAX_CHECKED ? t->verdict_count++ : MAX_CHECKED - 1];
    check_variant(t, entry, next);
    return next;
}

/* At the timed size: one frame is right for a sample of its elements, and two runs of it give the same hash. The
 * message says what failed. */
static vfx_status check_size(timer_state *t, const cmd_entry *entry, const vfx_case *kase)
{
    vfx_override overrides[CMD_MAX_SHADERS];
    vfx_run_request request = cmd_session_request(t->session, kase, &entry->at, overrides);
    request.frames = 1;
    request.poison = true;
    vfx_verify_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory", entry->name);
    cmd_progress(t->session, "time %s: checking the size", entry->name);
    request.sample_items = SAMPLE_ITEMS;
    vfx_status status = vfx_verify(t->session->gpu, &request, VFX_STEP_LOCKED, result);
    if (status == VFX_OK)
        status = vfx_verify(t->session->gpu, &request, VFX_REPEAT, result);
    if (status == VFX_MISMATCH && result->failure[0] != '\0')
        status = vfx_fail(VFX_MISMATCH, "%s: %s", entry->name, result->failure);
    free(result);
    return status;
}

static cmd_timing_rule rule_of(const cmd_options *options)
{
    return (cmd_timing_rule){.min_runs = options->runs,
                             .min_gpu_ns = options->min_time * 1e9,
                             .warmup_ns = 300e6,
                             .relative_iqr = 0.02,
                             .cap_ns = options->max_time * 1e9};
}

/* Check and time the loaded case. The ci verdict comes first and ends it as a MISMATCH or whatever it was. */
static cmd_state time_case(timer_state *t, const cmd_entry *entry, const vfx_case *kase, cmd_timing *timing,
                           char *reason, size_t bytes)
{
    bool checks = !t->session->options->unchecked;
    vfx_status status = vfx_gpu_supports(t->session->gpu, kase);
    cmd_state state = cmd_state_of(status);
    if (status == VFX_OK && checks) {
        const verdict *ci = verdict_of(t, entry);
        state = ci->state;
        status = ci->refused ? VFX_USAGE : VFX_OK;
        (void)snprintf(reason, bytes, "not timed, its check did not pass: %s", ci->failure);
    }
    if (state == CMD_STATE_PASS) {
        status = checks ? check_size(t, entry, kase) : VFX_OK;
        cmd_timing_rule rule = rule_of(t->session->options);
        if (status == VFX_OK)
            status = cmd_timing_run(t->session, entry, kase, &rule, timing);
        if (status == VFX_OK)
            status = cmd_upload_measure(t->session, entry, kase, 0.2 * rule.cap_ns, &timing->upload);
        state = cmd_state_of(status);
        *reason = '\0';
    }
    if (status != VFX_OK)
        cmd_copy(reason, bytes, vfx_message());
    t->refused = status == VFX_USAGE;
    if (status == VFX_OK && state == CMD_STATE_PASS && timing->stats.n == 0) {
        state = CMD_STATE_UNSUPPORTED;
        (void)snprintf(reason, bytes,
                       "untimed: none of %" PRIu32 " runs had usable timestamps (%" PRIu32 " intervals were not)",
                       timing->runs, timing->invalid);
    }
    return state;
}

/* The numbers of a case that was timed. */
static void show_times(timer_state *t, const cmd_entry *entry, const vfx_case *kase, const cmd_timing *timing,
                       json_t *object)
{
    const cmd_options *options = t->session->options;
    bool software = vfx_gpu_info(t->session->gpu)->type == VFX_DEVICE_CPU;
    char text[512], name[CMD_CASE_NAME + 32];
    uint32_t batches = cmd_case_batches(kase);
    cmd_time_report(object, kase, timing, &t->ceilings, software);
    cmd_report_batches(object, batches);
    cmd_figures_report(object, kase, timing->metrics);
    cmd_work_report(object, kase, timing->metrics, timing->stats.median);
    cmd_time_implausible(kase, timing, &t->ceilings, software, text, sizeof text);
    if (*text != '\0')
        cmd_say(t->session, true, "%s  %s\n", entry->name, text);
    if (!options->md)
        cmd_figures_say(t->session, kase, timing->metrics);
    cmd_work_say(t->session, entry->name, kase, timing->metrics, timing->stats.median);
    cmd_upload_format(&timing->upload, text, sizeof text);
    if (*text != '\0' && !options->md)
        cmd_say(t->session, false, "%s  upload: %s\n", entry->name, text);
    cmd_copy(name, sizeof name, entry->name);
    if (batches > 1)
        cmd_append(name, sizeof name, " (%" PRIu32 " batches)", batches);
    if (cmd_time_row(&t->table, name, kase, timing, &t->ceilings) != VFX_OK ||
        (options->md && cmd_time_upload_cell(&t->table, timing) != VFX_OK))
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
}

/* Records how a case ended, with the numbers if it was timed. */
static void report_entry(timer_state *t, const cmd_entry *entry, const vfx_case *kase, const cmd_timing *timing,
                         cmd_state state, const char *reason, double wall)
{
    json_t *object = cmd_session_record(t->session, &entry->kase, &entry->at, state, reason);
    cmd_json_bool(object, "checked", !t->session->options->unchecked);
    cmd_json_number(object, "host_wall_ns", wall, "not measured");
    if (state == CMD_STATE_PASS)
        show_times(t, entry, kase, timing, object);
    else
        cmd_say(t->session, state != CMD_STATE_UNSUPPORTED, "%s  %s: %s\n", entry->name, cmd_state_name(state), reason);
}

static void time_entry(timer_state *t, const cmd_entry *entry)
{
    char reason[1200] = "";
    cmd_timing timing = {0};
    uint64_t begin = vfx_clock_ns();
    vfx_case kase = entry->kase;
    vfx_status status = cmd_case_load(&kase);
    cmd_state state = cmd_state_of(status);
    if (status != VFX_OK)
        cmd_copy(reason, sizeof reason, vfx_message());
    else
        state = time_case(t, entry, &kase, &timing, reason, sizeof reason);
    t->refused = t->refused || status == VFX_USAGE;
    if (!t->refused)
        report_entry(t, entry, &kase, &timing, state, reason, (double)(vfx_clock_ns() - begin));
    cmd_timing_free(&timing);
    if (status == VFX_OK)
        cmd_case_unload(&kase);
}

/* The ceilings, once; without them the shares are "-". */
static vfx_status measure_ceilings(timer_state *t)
{
    cmd_progress(t->session, "time: measuring copy and fill ceilings");
    vfx_status status = vfx_measure_ceilings(t->session->gpu, &t->ceilings);
    if (status == VFX_UNSUPPORTED || status == VFX_MEMORY) {
        fprintf(stderr, "vfxbench: no ceilings: %s\n", vfx_message());
        memset(&t->ceilings, 0, sizeof t->ceilings);
        return VFX_OK;
    }
    cmd_report_ceilings(t->session->report, "ceilings", &t->ceilings);
    return status;
}

static void print_results(const timer_state *t)
{
    const cmd_session *session = t->session;
    const vfx_device_info *info = vfx_gpu_info(session->gpu);
    if (!cmd_speaks(session, false))
        return;
    cmd_progress_clear(session);
    if (t->table.row_count > 1)
        cmd_table_print(&t->table, stdout, session->options->md);
    printf("\n%s, driver %s%s%s\n", info->name, info->driver,
           info->type == VFX_DEVICE_CPU ? " - software device, not comparable" : "",
           session->options->unchecked ? " - results not checked" : "");
    char copy[32], fill[32];
    cmd_format_si(t->ceilings.copy_bytes_per_s, copy, sizeof copy);
    cmd_format_si(t->ceilings.fill_bytes_per_s, fill, sizeof fill);
    printf("ceilings: copy %sB/s, fill %sB/s; empty timestamp pair %.2f us\n", copy, fill,
           t->ceilings.empty_pair_ns / 1e3);
}

/* The device failed before the first case; vfx_message() says how. */
static void record_not_run(cmd_session *session)
{
    char reason[1024];
    cmd_copy(reason, sizeof reason, vfx_message());
    for (uint32_t i = 0; i < session->entry_count; i++)
        (void)cmd_session_record(session, &session->entries[i].kase, &session->entries[i].at, CMD_STATE_NOT_RUN,
                                 reason);
}

static vfx_status time_entries(cmd_session *session)
{
    timer_state *t = calloc(1, sizeof *t);
    cmd_check *check = malloc(sizeof *check);
    vfx_status status = VFX_OK;
    if (t == NULL || check == NULL) {
        status = vfx_fail(VFX_MEMORY, "out of memory for timing");
    } else {
        t->session = session;
        t->check = check;
        status = measure_ceilings(t);
        if (status != VFX_OK)
            record_not_run(session);
        else
            status = cmd_time_head(&t->table);
        for (uint32_t i = 0; status == VFX_OK && i < session->entry_count; i++) {
            const cmd_entry *entry = &session->entries[i];
            if (session->casualties)
                cmd_session_not_run(session, entry);
            else
                time_entry(t, entry);
            status = t->refused ? VFX_USAGE : VFX_OK;
        }
        if (status == VFX_OK)
            print_results(t);
        cmd_table_free(&t->table);
    }
    free(check);
    free(t);
    return status;
}

int cmd_time(const cmd_options *options)
{
    cmd_session session;
    vfx_status status = cmd_session_plan(&session, options, true);
    if (status == VFX_OK)
        status = cmd_session_open(&session, VFX_VALIDATION_OFF); /* layers would be timed along */
    if (status == VFX_OK)
        status = time_entries(&session);
    return cmd_session_close(&session, status);
}
