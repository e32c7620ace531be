/* bench/launch.c - see launch.h. */
#include "bench/launch.h"
#include "bench/check.h"
#include "bench/cpu_time.h"
#include "bench/figures.h"
#include "bench/text.h"
#include "bench/time_report.h"
#include "core/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHECKED = 256, SAMPLE_ITEMS = 65536, QUICK_FRAMES = 20 };

/* The verdict on a variant's `ci` case, kept so that other presets of it need no second check. */
typedef struct verdict {
    const vfx_variant *variant;
    cmd_state state;
    bool refused; /* a usage error, see cmd_check */
    char failure[1024];
} verdict;

typedef struct launcher {
    cmd_session *session;
    const cmd_launch *launch;
    cmd_check *check; /* scratch */
    verdict verdicts[MAX_CHECKED];
    uint32_t verdict_count;
    bool refused; /* a case was a usage error, of which vfx_message() speaks */
    vfx_ceilings ceilings;
    cmd_probes probes;
    char no_sensors[128]; /* why there are none */
} launcher;

/* --------------------------------------------------------------------------------------------- check */

static bool on_software(const cmd_session *session)
{
    return vfx_gpu_info(session->gpu)->type == VFX_DEVICE_CPU;
}

/* Software devices are timed to see that it works; the whole check would take longer than all the rest. */
static bool checks_quickly(const cmd_session *session)
{
    uint32_t extent = session->options->check;
    return extent == CMD_CHECK_QUICK || (extent == CMD_CHECK_AUTO && on_software(session));
}

/* The check of the variant's `ci` case, with the overrides and workgroup size that will be timed. */
static void check_variant(launcher *t, const cmd_entry *entry, verdict *out)
{
    cmd_entry ci = {0};
    cmd_options options = *t->session->options;
    cmd_session session = *t->session; /* shares everything but the options */
    session.options = &options;
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
    if (checks_quickly(t->session)) {
        options.no_sweeps = true;
        ci.kase.frames = ci.kase.frames < QUICK_FRAMES ? ci.kase.frames : QUICK_FRAMES;
    }
    cmd_check_run(&session, &ci, VFX_STEP_LOCKED, t->check);
    out->state = t->check->state;
    out->refused = t->check->refused;
    cmd_copy(out->failure, sizeof out->failure, t->check->failure);
}

static const verdict *verdict_of(launcher *t, const cmd_entry *entry)
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
static vfx_status check_size(launcher *t, const cmd_entry *entry, const vfx_case *kase)
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

/* ---------------------------------------------------------------------------------------------- time */

static cmd_timing_rule rule_of(const cmd_session *session)
{
    const cmd_options *options = session->options;
    double most = options->max_time > 0.0 ? options->max_time : on_software(session) ? 1.0 : 15.0;
    return (cmd_timing_rule){.min_runs = options->runs,
                             .min_gpu_ns = options->min_time * 1e9,
                             .warmup_ns = 300e6,
                             .relative_iqr = 0.02,
                             .median_move = 0.005,
                             .cap_ns = most * 1e9};
}

static vfx_status sample_case(launcher *t, const cmd_entry *entry, const vfx_case *kase, cmd_timing *timing)
{
    cmd_timing_rule rule = rule_of(t->session);
    VFX_TRY(cmd_timing_run(t->session, entry, kase, &rule, &t->probes, timing));
    if (t->launch->number > 1) /* the upload is measured once */
        return VFX_OK;
    return cmd_upload_measure(t->session, entry, kase, 0.2 * rule.cap_ns, &timing->upload);
}

/* Check and time the loaded case. The ci verdict comes first and ends it as a MISMATCH or whatever it was. */
static cmd_state time_case(launcher *t, const cmd_entry *entry, const vfx_case *kase, bool checks, cmd_timing *timing,
                           char *reason, size_t bytes)
{
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
        if (status == VFX_OK)
            status = sample_case(t, entry, kase, timing);
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

/* --cpu: once is enough, and it is the first launch that has the time. */
static void report_cpu(launcher *t, const cmd_entry *entry, const vfx_case *kase, json_t *object)
{
    if (!t->session->options->cpu || t->launch->number > 1)
        return;
    if (cmd_cpu_time(t->session, entry, kase, object) != VFX_OK)
        fprintf(stderr, "vfxbench: %s: no CPU time: %s\n", entry->name, vfx_message());
}

/* The numbers of a case that was timed. */
static void report_times(launcher *t, const vfx_case *kase, const cmd_timing *timing, json_t *object)
{
    cmd_time_report(object, kase, timing, t->launch->number, &t->ceilings, on_software(t->session), t->no_sensors);
    cmd_report_batches(object, cmd_case_batches(kase));
    cmd_figures_report(object, kase, timing->metrics);
    cmd_work_report(object, kase, timing->metrics, timing->stats.median);
    if (t->launch->number == 1 && !t->session->options->md)
        cmd_figures_say(t->session, kase, timing->metrics);
}

static void send_case(const cmd_session *session, uint32_t entry, json_t *object)
{
    if (session->wire == NULL)
        return;
    json_t *line = json_object();
    cmd_json_u32(line, "case", entry);
    if (object != NULL)
        (void)json_object_set(line, "object", object);
    cmd_wire_send(object != NULL ? "case" : "begin", line);
}

/* Records how a case ended, with the numbers if it was timed. */
static void report_entry(launcher *t, const cmd_launch_case *row, const vfx_case *kase, const cmd_timing *timing,
                         cmd_state state, const char *reason, double wall)
{
    const cmd_entry *entry = &t->session->entries[row->entry];
    const char *extent = checks_quickly(t->session) ? "quick" : "full";
    json_t *object = cmd_session_record_entry(t->session, entry, state, reason);
    cmd_json_bool(object, "checked", !t->session->options->unchecked);
    cmd_json_text(object, "check", t->session->options->unchecked ? NULL : extent);
    cmd_json_number(object, "host_wall_ns", wall, "not measured");
    if (state == CMD_STATE_PASS) {
        report_times(t, kase, timing, object);
        report_cpu(t, entry, kase, object);
    } else if (t->launch->number == 1) {
        cmd_say(t->session, state != CMD_STATE_UNSUPPORTED, "%s  %s: %s\n", entry->name, cmd_state_name(state), reason);
    }
    send_case(t->session, row->entry, object);
}

static void time_entry(launcher *t, const cmd_launch_case *row)
{
    const cmd_entry *entry = &t->session->entries[row->entry];
    bool checks = row->check && !t->session->options->unchecked;
    char reason[1200] = "";
    cmd_timing timing = {0};
    uint64_t begin = vfx_clock_ns();
    send_case(t->session, row->entry, NULL);
    vfx_case kase = entry->kase;
    vfx_status status = cmd_case_load(&kase);
    cmd_state state = cmd_state_of(status);
    if (status != VFX_OK)
        cmd_copy(reason, sizeof reason, vfx_message());
    else
        state = time_case(t, entry, &kase, checks, &timing, reason, sizeof reason);
    t->refused = t->refused || status == VFX_USAGE;
    if (!t->refused)
        report_entry(t, row, &kase, &timing, state, reason, (double)(vfx_clock_ns() - begin));
    cmd_timing_free(&timing);
    if (status == VFX_OK)
        cmd_case_unload(&kase);
}

/* ------------------------------------------------------------------------------------------ launch */

/* The ceilings, once; without them the shares are "-". */
static vfx_status measure_ceilings(launcher *t)
{
    cmd_progress(t->session, "time: measuring copy and fill ceilings");
    vfx_status status = vfx_measure_ceilings(t->session->gpu, &t->ceilings);
    if (status == VFX_UNSUPPORTED || status == VFX_MEMORY) {
        fprintf(stderr, "vfxbench: no ceilings: %s\n", vfx_message());
        memset(&t->ceilings, 0, sizeof t->ceilings);
        return VFX_OK;
    }
    cmd_report_ceilings(t->session->report, "ceilings", &t->ceilings);
    if (status == VFX_OK && t->session->wire != NULL) {
        json_t *line = json_object();
        cmd_report_ceilings(line, "ceilings", &t->ceilings);
        cmd_wire_send("ceilings", line);
    }
    return status;
}

static vfx_status run(launcher *t)
{
    cmd_session *session = t->session;
    VFX_TRY(measure_ceilings(t));
    vfx_status status = vfx_drift_create(&t->probes.drift, session->gpu);
    t->probes.sensors = vfx_sensors_open(vfx_gpu_info(session->gpu)->uuid, t->no_sensors, sizeof t->no_sensors);
    if (status != VFX_OK && status != VFX_UNSUPPORTED)
        return status;
    t->probes.statistics = t->launch->number == 1;
    for (uint32_t i = 0; i < t->launch->count && !t->refused; i++) {
        if (!session->casualties)
            time_entry(t, &t->launch->cases[i]);
        else if (session->wire == NULL)
            cmd_session_not_run(session, &session->entries[t->launch->cases[i].entry]);
    }
    return t->refused ? VFX_USAGE : VFX_OK;
}

vfx_status cmd_launch_run(cmd_session *session, const cmd_launch *launch)
{
    launcher *t = calloc(1, sizeof *t);
    cmd_check *check = malloc(sizeof *check);
    vfx_status status;
    if (t == NULL || check == NULL) {
        status = vfx_fail(VFX_MEMORY, "out of memory for timing");
    } else {
        t->session = session;
        t->launch = launch;
        t->check = check;
        status = run(t);
        vfx_drift_destroy(t->probes.drift);
        vfx_sensors_close(t->probes.sensors);
    }
    free(check);
    free(t);
    return status;
}
