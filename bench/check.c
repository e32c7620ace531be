/* bench/check.c - one case: run, sweep, validation messages. */
#include "bench/check.h"
#include "bench/text.h"
#include "core/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { YARDSTICK_EVERY = 4 }; /* frames of the case itself: the float reference is for information, and dear */

/* What the parts of one case share. */
typedef struct checker {
    const cmd_session *session;
    const cmd_entry *entry;
    vfx_mode mode;
    vfx_verify_result *result; /* scratch */
    cmd_check *check;
} checker;

/* How bad a state is when the parts of a case are summed up. */
static int gravity(cmd_state state)
{
    static const cmd_state order[] = {CMD_STATE_SKIPPED, CMD_STATE_PASS,    CMD_STATE_UNSUPPORTED, CMD_STATE_FAIL,
                                      CMD_STATE_NOT_RUN, CMD_STATE_TIMEOUT, CMD_STATE_LOST,        CMD_STATE_INFRA};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++) {
        if (order[i] == state)
            return i;
    }
    return 0;
}

static void merge_results(cmd_check *check, const vfx_kernel *kernel, const vfx_verify_result *result)
{
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        vfx_check_result *sum = &check->checks[i];
        const vfx_check_result *part = &result->checks[i];
        bool first = sum->records == 0;
        if (part->records > 0 && (first || !(part->worst_device <= sum->worst_device))) {
            sum->worst_device = part->worst_device;
            sum->worst = part->worst;
        }
        if (part->records > 0 && (first || !(part->worst_float <= sum->worst_float)))
            sum->worst_float = part->worst_float;
        if (part->failed > 0 && sum->failed == 0)
            sum->first = part->first;
        sum->compared += part->compared;
        sum->failed += part->failed;
        sum->records += part->records;
        sum->ill += part->ill;
        for (uint32_t bin = 0; bin < VFX_HISTOGRAM_BINS; bin++)
            sum->histogram[bin] += part->histogram[bin];
    }
}

/* Largest share of a limit among the rows of one result. */
static double worst_of(const vfx_kernel *kernel, const vfx_check_result checks[])
{
    double worst = 0.0;
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        if (checks[i].records > 0 && !(checks[i].worst_device <= worst))
            worst = checks[i].worst_device;
    }
    return worst;
}

static uint64_t compared_of(const vfx_kernel *kernel, const vfx_check_result checks[])
{
    uint64_t compared = 0;
    for (uint32_t i = 0; i < kernel->check_count; i++)
        compared += checks[i].compared + checks[i].ill;
    return compared;
}

/* Behind "<name>: ", where the text begins with it. */
static const char *without_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2 : text;
}

/* Records how a part ended. `text`: the whole of what went wrong. */
static void end_part(checker *c, cmd_part *part, cmd_state state, const char *text)
{
    cmd_check *check = c->check;
    text = without_name(text, c->entry->name); /* the part's name says it */
    part->state = state;
    if (gravity(state) > gravity(check->state))
        check->state = state;
    if (state == CMD_STATE_PASS)
        return;
    (void)snprintf(part->reason, sizeof part->reason, "%.*s", (int)strcspn(text, "\n"), text);
    if (check->failure[0] != '\0' || state == CMD_STATE_SKIPPED)
        return;
    char extra[64] = "";
    if (c->mode != VFX_STEP_LOCKED)
        (void)snprintf(extra, sizeof extra, " --mode %s", cmd_mode_name(c->mode));
    (void)snprintf(check->failure, sizeof check->failure, "%s: %s", part->name, text);
    cmd_repro(c->session, "verify", &c->entry->kase, &c->entry->at, extra, check->repro, sizeof check->repro);
}

/* The state of a part whose vfx_verify() returned `status`; *text gets what went wrong. */
static cmd_state judge(checker *c, const vfx_case *kase, vfx_status status, char *text, size_t bytes)
{
    const vfx_verify_result *result = c->result;
    char first[1024] = "";
    uint32_t messages = vfx_gpu_messages(c->session->gpu, first, sizeof first);
    cmd_copy(text, bytes, result->failure[0] != '\0' ? result->failure : vfx_message());
    if (status != VFX_OK)
        return cmd_state_of(status);
    if (messages > 0) {
        (void)snprintf(text, bytes, "%" PRIu32 " validation messages, the first: %s", messages, first);
        return CMD_STATE_FAIL;
    }
    if (c->mode == VFX_STEP_LOCKED && compared_of(kase->kernel, result->checks) == 0) {
        (void)snprintf(text, bytes, "nothing was compared: no check row covers a buffer of this variant");
        return CMD_STATE_FAIL;
    }
    return CMD_STATE_PASS;
}

/* Runs one part; `label` is "" or " name=value". */
static void run_part(checker *c, const vfx_case *given, const char *label, uint32_t start, uint32_t frames)
{
    cmd_check *check = c->check;
    vfx_case kase = *given;
    vfx_override overrides[CMD_MAX_SHADERS];
    char text[CMD_FAILURE / 2];
    cmd_part *part = &check->parts[check->part_count++];
    (void)snprintf(part->name, sizeof part->name, "%s%s", c->entry->name, label);
    cmd_progress(c->session, "verify %s", part->name);
    vfx_status status = cmd_case_load(&kase);
    bool loaded = status == VFX_OK;
    if ((status == VFX_USAGE || status == VFX_UNSUPPORTED) && *label != '\0') {
        check->sweeps_skipped++;
        end_part(c, part, CMD_STATE_SKIPPED, vfx_message());
        return;
    }
    memset(c->result, 0, sizeof *c->result);
    if (loaded && check->part_count == 1)
        check->batches = cmd_case_batches(&kase);
    if (status == VFX_OK)
        status = vfx_gpu_supports(c->session->gpu, &kase);
    if (status == VFX_OK) {
        vfx_run_request request = cmd_session_request(c->session, &kase, &c->entry->at, overrides);
        request.start_frame = start;
        request.frames = frames;
        request.read_every = 1;
        request.poison = true;
        request.yardstick_every = *label == '\0' ? YARDSTICK_EVERY : 0;
        status = vfx_verify(c->session->gpu, &request, c->mode, c->result);
    }
    check->refused = check->refused || status == VFX_USAGE;
    cmd_state state = judge(c, &kase, status, text, sizeof text);
    end_part(c, part, state, text);
    merge_results(check, kase.kernel, c->result);
    part->frames = c->result->frames;
    part->worst = worst_of(kase.kernel, c->result->checks);
    for (uint32_t i = 0; i < kase.kernel->check_count; i++)
        part->compared = part->compared || c->result->checks[i].compared > 0;
    check->cpu_ns += c->result->cpu_ns;
    if (loaded)
        cmd_case_unload(&kase);
}

/* May the sweep go on? Not after the device hung or died, nor with more values than there is room for. */
static bool may_sweep(checker *c)
{
    cmd_check *check = c->check;
    if (check->state == CMD_STATE_LOST || check->state == CMD_STATE_TIMEOUT)
        return false;
    if (check->part_count < CMD_MAX_PARTS)
        return true;
    check->state = CMD_STATE_INFRA;
    (void)snprintf(check->failure, sizeof check->failure, "%s: more than %d values to sweep", c->entry->name,
                   CMD_MAX_PARTS);
    return false;
}

static void sweep_value(checker *c, const vfx_case *kase, const char *assignment)
{
    char label[VFX_MAX_VALUE + 64];
    (void)snprintf(label, sizeof label, " %s", assignment);
    c->check->sweeps++;
    run_part(c, kase, label, kase->kernel->sweep_start, kase->kernel->sweep_frames);
}

/* Every value of the boolean and enumeration parameters but the case's own. */
static void sweep_params(checker *c, const vfx_case *own)
{
    for (uint32_t i = 0; i < own->kernel->param_count; i++) {
        const vfx_param *param = &own->kernel->params[i];
        if (param->type != VFX_BOOL && param->type != VFX_ENUMERATION)
            continue;
        for (uint32_t value = 0; value <= (uint32_t)param->max && may_sweep(c); value++) {
            vfx_case kase = *own;
            char text[64], assignment[128];
            kase.words[i] = vfx_param_word(param, (double)value);
            vfx_param_format(param, kase.words[i], text, sizeof text);
            (void)snprintf(assignment, sizeof assignment, "%s=%s", param->name, text);
            if (kase.words[i] != own->words[i])
                sweep_value(c, &kase, assignment);
        }
    }
}

/* Every value of the host parameters that have names (upload modes) but the case's own. */
static void sweep_host_params(checker *c, const vfx_case *own)
{
    for (uint32_t i = 0; i < own->kernel->host_param_count; i++) {
        const vfx_host_param *param = &own->kernel->host_params[i];
        for (uint32_t v = 0; param->names != NULL && param->names[v] != NULL && may_sweep(c); v++) {
            vfx_case kase = *own;
            char assignment[VFX_MAX_VALUE + 32];
            cmd_copy(kase.host_values[i], sizeof kase.host_values[i], param->names[v]);
            (void)snprintf(assignment, sizeof assignment, "%s=%s", param->name, param->names[v]);
            if (strcmp(kase.host_values[i], own->host_values[i]) != 0)
                sweep_value(c, &kase, assignment);
        }
    }
}

void cmd_check_run(const cmd_session *session, const cmd_entry *entry, vfx_mode mode, cmd_check *check)
{
    memset(check, 0, sizeof *check);
    check->state = CMD_STATE_PASS;
    uint64_t begin = vfx_clock_ns();
    checker c = {session, entry, mode, malloc(sizeof *c.result), check};
    if (c.result == NULL) {
        check->state = CMD_STATE_INFRA;
        (void)snprintf(check->failure, sizeof check->failure, "%s: out of memory", entry->name);
        return;
    }
    char earlier[16];
    (void)vfx_gpu_messages(session->gpu, earlier, sizeof earlier); /* forget what came before */
    run_part(&c, &entry->kase, "", 0, entry->kase.frames);
    check->frames = c.result->frames;
    check->hash = c.result->hash;
    memcpy(check->metrics, c.result->metrics, sizeof check->metrics);
    bool ran = check->state == CMD_STATE_PASS || check->state == CMD_STATE_FAIL;
    bool sweeps = mode == VFX_STEP_LOCKED && !session->options->no_sweeps;
    if (sweeps && ran && entry->kase.kernel->sweep_frames > 0) {
        sweep_params(&c, &entry->kase);
        sweep_host_params(&c, &entry->kase);
    }
    free(c.result);
    check->wall_ns = (double)(vfx_clock_ns() - begin);
}

uint32_t cmd_check_worst(const cmd_check *check, const vfx_kernel *kernel)
{
    uint32_t row = UINT32_MAX;
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        if (check->checks[i].compared == 0)
            continue;
        if (row == UINT32_MAX || !(check->checks[i].worst_device <= check->checks[row].worst_device))
            row = i;
    }
    return row;
}
