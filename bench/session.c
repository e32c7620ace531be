/* bench/session.c - the common part of the verbs. */
#include "bench/session.h"
#include "bench/text.h"
#include "core/field.h"
#include "core/platform.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------- plan */

/* A change behind the last frame would silently change nothing. */
static vfx_status check_at_frames(const cmd_entry *entry)
{
    for (uint32_t i = 0; i < entry->at.count; i++) {
        if (entry->at.rows[i].frame > entry->kase.frames)
            return vfx_fail(VFX_USAGE, "--at %" PRIu32 ":...: %s ends with frame %" PRIu32 "; see --frames",
                            entry->at.rows[i].frame, entry->name, entry->kase.frames);
    }
    return VFX_OK;
}

/* Gives the entry its place in the sweep, and its name. */
static vfx_status set_point(cmd_entry *entry, const cmd_axes *axes, uint32_t point)
{
    entry->point = point;
    VFX_TRY(cmd_axes_label(axes, point, entry->label));
    for (uint32_t i = 0; i < axes->count; i++) {
        char assignment[2 * CMD_AXIS_TEXT + 2];
        (void)snprintf(assignment, sizeof assignment, "%s=%s", axes->rows[i].name,
                       axes->rows[i].values[cmd_axes_value(axes, point, i)]);
        VFX_TRY(vfx_case_set(&entry->kase, assignment));
    }
    if (axes->count > 0)
        cmd_append(entry->name, sizeof entry->name, "[%s]", entry->label);
    return VFX_OK;
}

/* The choice with the command line's parameters, validated. */
static vfx_status build_entry(cmd_entry *entry, const cmd_choice *choice, const cmd_options *options,
                              const cmd_axes *axes, uint32_t point)
{
    memset(entry, 0, sizeof *entry);
    cmd_choice_name(choice, entry->name, sizeof entry->name);
    VFX_TRY(vfx_case_init(&entry->kase, choice->kernel, choice->variant, choice->preset->name));
    for (uint32_t i = 0; i < options->set.count; i++)
        VFX_TRY(vfx_case_set(&entry->kase, options->set.items[i]));
    VFX_TRY(set_point(entry, axes, point));
    if (options->frames > 0)
        entry->kase.frames = options->frames;
    if (options->dt > 0.0)
        entry->kase.dt = (float)options->dt;
    if (cmd_option_given(options, "seed"))
        entry->kase.seed = options->seed;
    for (uint32_t i = 0; i < options->at.count; i++)
        VFX_TRY(vfx_at_parse(&entry->kase, options->at.items[i], &entry->at));
    VFX_TRY(check_at_frames(entry));
    vfx_status status = vfx_case_validate(&entry->kase);
    if (status != VFX_OK && status != VFX_UNSUPPORTED) /* an unsupported case is reported when its turn comes */
        return status;
    return vfx_at_validate(&entry->kase, &entry->at);
}

/* No selected case runs the override: the message tells the passes of one that is. */
static vfx_status refuse_shader(const cmd_session *session, const cmd_shader *shader)
{
    const cmd_entry *entry = &session->entries[0];
    char passes[512] = "";
    for (uint32_t i = session->entry_count; i-- > 0;) { /* the first of its family, if any */
        if (session->entries[i].kase.kernel == shader->kernel)
            entry = &session->entries[i];
    }
    for (uint32_t i = 0; i < entry->kase.variant->pass_count; i++)
        cmd_append(passes, sizeof passes, "%s%s", i > 0 ? ", " : "", entry->kase.variant->passes[i].name);
    return vfx_fail(VFX_USAGE, "--shader %s: no selected case has a pass '%s' of %s; %s has: %s", shader->path,
                    shader->override.pass, shader->kernel->name, entry->name, passes);
}

/* An override that no selected case runs would silently test nothing. */
static vfx_status check_shaders_used(const cmd_session *session)
{
    for (uint32_t s = 0; s < session->shaders.count; s++) {
        cmd_shaders one = {.items = {session->shaders.items[s]}, .count = 1};
        vfx_override overrides[CMD_MAX_SHADERS];
        bool used = false;
        for (uint32_t i = 0; i < session->entry_count; i++)
            used = used || cmd_shaders_for(&one, &session->entries[i].kase, overrides) > 0;
        if (!used)
            return refuse_shader(session, &one.items[0]);
    }
    return VFX_OK;
}

static vfx_status build_entries(cmd_session *session, const cmd_selection *selection)
{
    uint32_t points = cmd_axes_points(&session->axes);
    size_t count;
    if (!vfx_mul_size(selection->count, points, &count) || count > CMD_AXIS_POINTS)
        return vfx_fail(VFX_USAGE, "%" PRIu32 " cases at %" PRIu32 " points of the axes, at most %d altogether",
                        selection->count, points, CMD_AXIS_POINTS);
    session->entries = calloc(count, sizeof *session->entries);
    if (session->entries == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %zu cases", count);
    for (uint32_t i = 0; i < count; i++) {
        VFX_TRY(build_entry(&session->entries[i], &selection->choices[i / points], session->options, &session->axes,
                            i % points));
        session->entry_count = i + 1;
    }
    return check_shaders_used(session);
}

vfx_status cmd_session_plan(cmd_session *session, const cmd_options *options, bool with_cases)
{
    memset(session, 0, sizeof *session);
    session->options = options;
    session->report = cmd_report_create(options);
    const char *const files[] = {options->output, options->csv, options->junit};
    session->unwritable = true; /* known before hours of work, not after */
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] != NULL)
            VFX_TRY(vfx_check_writable(files[i]));
    }
    session->unwritable = false;
    VFX_TRY(cmd_shaders_load(&session->shaders, vfx_kernels, vfx_kernel_count, &options->shader));
    VFX_TRY(cmd_axes_parse(&session->axes, &options->axis));
    if (!with_cases)
        return VFX_OK;
    cmd_selection selection;
    vfx_status status = cmd_select(vfx_kernels, vfx_kernel_count, &options->globs, &options->exclude,
                                   options->verb->default_glob, &selection);
    if (status == VFX_OK)
        status = build_entries(session, &selection);
    cmd_selection_free(&selection);
    return status;
}

vfx_status cmd_session_open(cmd_session *session, vfx_validation validation)
{
    const cmd_options *options = session->options;
    vfx_gpu_desc desc = {.device = options->device,
                         .allow_cpu = options->allow_cpu,
                         .validation = validation,
                         .labels = options->verb->bit != CMD_TIME, /* no more in a timed run than needed */
                         .fence_timeout_ms = (uint32_t)ceil(options->fence_timeout * 1000.0)};
    vfx_status status = vfx_gpu_create(&session->gpu, &desc);
    if (status == VFX_OK) {
        cmd_report_device(session->report, "device", vfx_gpu_info(session->gpu));
        for (uint32_t i = 0; i < session->entry_count; i++)
            session->entries[i].kase.storage_limit = vfx_storage_limit(vfx_gpu_info(session->gpu));
        return VFX_OK;
    }
    char reason[1024];
    cmd_copy(reason, sizeof reason, vfx_message());
    for (uint32_t i = 0; i < session->entry_count; i++)
        (void)cmd_session_record_entry(session, &session->entries[i], cmd_state_of(status), reason);
    return status;
}

int cmd_session_close(cmd_session *session, vfx_status status)
{
    const cmd_options *options = session->options;
    int code = CMD_EXIT_OK;
    cmd_progress_clear(session);
    if (status != VFX_OK) {
        code = cmd_exit_of(status, options->require_device);
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
    } else {
        code = cmd_tally_exit(&session->tally, options->fail_on_skip, options->require_device);
    }
    bool reports = code != CMD_EXIT_USAGE && !session->unwritable;
    if (reports && cmd_report_finish(session->report, options, &session->tally, code) != VFX_OK) {
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
        code = cmd_exit_worse(code == CMD_EXIT_SKIP ? CMD_EXIT_OK : code, CMD_EXIT_INFRA);
    }
    json_decref(session->report);
    vfx_gpu_destroy(session->gpu);
    cmd_shaders_free(&session->shaders);
    free(session->entries);
    memset(session, 0, sizeof *session);
    return code;
}

/* -------------------------------------------------------------------------------------------- cases */

vfx_run_request cmd_session_request(const cmd_session *session, const vfx_case *kase, const vfx_at_list *at,
                                    vfx_override overrides[CMD_MAX_SHADERS])
{
    vfx_run_request request = {.kase = kase, .at = at, .frames = kase->frames};
    request.workgroup = session->options->workgroup;
    request.overrides = overrides;
    request.override_count = cmd_shaders_for(&session->shaders, kase, overrides);
    return request;
}

void cmd_session_report_program(const cmd_session *session, const vfx_case *kase, json_t *object)
{
    cmd_json_u32(object, "workgroup", session->options->workgroup);
    json_t *shaders = cmd_json_array(object, "shaders");
    for (uint32_t i = 0; i < session->shaders.count; i++) {
        const cmd_shader *shader = &session->shaders.items[i];
        if (!cmd_shader_applies(shader, kase))
            continue;
        json_t *row = cmd_json_append(shaders);
        cmd_json_text(row, "pass", shader->override.pass);
        cmd_json_text(row, "file", shader->path);
        cmd_report_hash(row, shader->hash);
    }
}

void cmd_entry_file_name(const cmd_entry *entry, char *text, size_t bytes)
{
    const vfx_case *kase = &entry->kase;
    (void)snprintf(text, bytes, "%s-%s-%s%s%s", kase->kernel->name, kase->variant->name, kase->preset,
                   entry->label[0] != '\0' ? "-" : "", entry->label);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
}

json_t *cmd_session_record(cmd_session *session, const vfx_case *kase, const vfx_at_list *at, cmd_state state,
                           const char *reason)
{
    session->tally.count[state]++;
    if (state == CMD_STATE_TIMEOUT || state == CMD_STATE_LOST)
        session->casualties = true;
    json_t *object = cmd_report_case(session->report, kase, at, state, reason);
    cmd_session_report_program(session, kase, object);
    return object;
}

json_t *cmd_session_record_entry(cmd_session *session, const cmd_entry *entry, cmd_state state, const char *reason)
{
    json_t *object = cmd_session_record(session, &entry->kase, &entry->at, state, reason);
    cmd_json_text(object, "id", entry->name);
    json_t *axes = session->axes.count > 0 ? cmd_json_object(object, "axes") : NULL;
    for (uint32_t i = 0; i < session->axes.count; i++)
        cmd_json_text(axes, session->axes.rows[i].name,
                      session->axes.rows[i].values[cmd_axes_value(&session->axes, entry->point, i)]);
    return object;
}

void cmd_session_adopt(cmd_session *session, json_t *object, cmd_state state)
{
    session->tally.count[state]++;
    (void)json_array_append(json_object_get(session->report, "cases"), object);
}

void cmd_session_not_run(cmd_session *session, const cmd_entry *entry)
{
    static const char why[] = "the device failed before";
    (void)cmd_session_record_entry(session, entry, CMD_STATE_NOT_RUN, why);
    cmd_say(session, true, "%-11s %s: %s\n", cmd_state_name(CMD_STATE_NOT_RUN), entry->name, why);
}

vfx_status cmd_check_results(const vfx_case *kase, uint32_t frame, const vfx_host *now)
{
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++) {
        const vfx_buffer *row = &kase->kernel->buffers[i];
        if (now->buffer[i] == NULL || !vfx_role_is_result(row->role))
            continue;
        uint64_t record;
        const vfx_field *field = vfx_find_unusable(row, now->buffer[i], now->count[i], &record);
        if (field != NULL)
            return vfx_fail(VFX_MISMATCH,
                            "frame %" PRIu32 ": buffer '%s', record %" PRIu64 ", field %s: unwritten or not finite",
                            frame, row->name, record, field->name);
    }
    return VFX_OK;
}

vfx_status cmd_case_load(vfx_case *kase)
{
    VFX_TRY(vfx_case_validate(kase));
    return kase->kernel->load != NULL ? kase->kernel->load(kase) : VFX_OK;
}

void cmd_case_unload(vfx_case *kase)
{
    if (kase->kernel->load != NULL && kase->kernel->unload != NULL)
        kase->kernel->unload(kase);
    kase->asset = NULL;
}

uint32_t cmd_case_batches(const vfx_case *kase)
{
    return kase->kernel->batches != NULL ? kase->kernel->batches(kase) : 1;
}

/* ----------------------------------------------------------------------------------------- printing */

bool cmd_speaks(const cmd_session *session, bool quiet_too)
{
    return !session->options->json && (quiet_too || !session->options->quiet);
}

/* To the process that this one is a launch of. */
static void send_text(const cmd_session *session, const char *type, const char *format, va_list args)
{
    char text[4096];
    (void)vsnprintf(text, sizeof text, format, args);
    if (strcmp(type, "progress") == 0)
        cmd_wire_progress(session->wire, text);
    else
        cmd_wire_text(type, text);
}

void cmd_say(const cmd_session *session, bool quiet_too, const char *format, ...)
{
    if (!cmd_speaks(session, quiet_too))
        return;
    cmd_progress_clear(session);
    va_list args;
    va_start(args, format);
    if (session->wire != NULL)
        send_text(session, "say", format, args);
    else
        (void)vprintf(format, args);
    va_end(args);
    (void)fflush(stdout);
}

void cmd_progress(const cmd_session *session, const char *format, ...)
{
    if (session->wire == NULL && (session->options->quiet || !vfx_is_terminal(2)))
        return;
    va_list args;
    va_start(args, format);
    if (session->wire != NULL) {
        send_text(session, "progress", format, args);
    } else {
        fputs("\r\033[K", stderr);
        (void)vfprintf(stderr, format, args);
        (void)fflush(stderr);
    }
    va_end(args);
}

void cmd_progress_clear(const cmd_session *session)
{
    if (session->wire == NULL && !session->options->quiet && vfx_is_terminal(2))
        fputs("\r\033[K", stderr);
}

/* Appends " --set name=value" where the case differs from its preset. */
static void append_differences(const vfx_case *kase, const vfx_case *base, char *text, size_t bytes)
{
    for (uint32_t i = 0; i < kase->kernel->param_count; i++) {
        char value[64];
        vfx_param_format(&kase->kernel->params[i], kase->words[i], value, sizeof value);
        if (kase->words[i] != base->words[i])
            cmd_append(text, bytes, " --set %s=%s", kase->kernel->params[i].name, value);
    }
    for (uint32_t i = 0; i < kase->kernel->host_param_count; i++) {
        if (strcmp(kase->host_values[i], base->host_values[i]) != 0)
            cmd_append(text, bytes, " --set '%s=%s'", kase->kernel->host_params[i].name, kase->host_values[i]);
    }
    if (kase->frames != base->frames)
        cmd_append(text, bytes, " --frames %" PRIu32, kase->frames);
    if (kase->dt < base->dt || kase->dt > base->dt)
        cmd_append(text, bytes, " --dt %.9g", (double)kase->dt);
    if (kase->seed != base->seed)
        cmd_append(text, bytes, " --seed %" PRIu32, kase->seed);
}

void cmd_repro(const cmd_session *session, const char *verb, const vfx_case *kase, const vfx_at_list *at,
               const char *extra, char *text, size_t bytes)
{
    char name[CMD_CASE_NAME];
    vfx_case base;
    vfx_case_name(kase, name, sizeof name);
    *text = '\0';
    cmd_append(text, bytes, "vfxbench %s %s", verb, name);
    if (session->gpu != NULL)
        cmd_append(text, bytes, " --device %s", vfx_gpu_info(session->gpu)->uuid);
    if (vfx_case_init(&base, kase->kernel, kase->variant, kase->preset) == VFX_OK)
        append_differences(kase, &base, text, bytes);
    for (uint32_t i = 0; at != NULL && i < at->count; i++) {
        const vfx_param *param = &kase->kernel->params[at->rows[i].row];
        char value[64];
        vfx_param_format(param, at->rows[i].word, value, sizeof value);
        cmd_append(text, bytes, " --at %" PRIu32 ":%s=%s", at->rows[i].frame, param->name, value);
    }
    for (uint32_t i = 0; i < session->options->shader.count; i++)
        cmd_append(text, bytes, " --shader '%s'", session->options->shader.items[i]);
    if (session->options->workgroup > 0)
        cmd_append(text, bytes, " --workgroup %" PRIu32, session->options->workgroup);
    cmd_append(text, bytes, "%s", extra);
}
