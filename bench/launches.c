/* bench/launches.c - the parent of the launches. See launches.h, and wire.h for what it hears. */
#include "bench/launches.h"
#include "bench/time_report.h"
#include "core/platform.h"
#include "core/platform_process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 10000, CHUNK = 65536 };

/* What is known of a planned case. */
typedef struct outcome {
    json_t *object;  /* as the first launch that completed it reported, with the later ones' times; NULL: none yet */
    json_t *lost;    /* launches that it has no time from; NULL: none */
    bool done;       /* no more launches: it failed, cannot run or hung */
    cmd_state state; /* of the last lost launch */
    char reason[1024];
} outcome;

typedef struct parent {
    cmd_session *session;
    outcome *outcomes; /* by planned case */
    cmd_launch launch; /* what is left of the current one */
    uint32_t current;  /* case that the child is at; UINT32_MAX: none */
    bool ended;        /* the child said so */
    vfx_status failed; /* it gave up, with vfx_message() */
    char why[1024];
} parent;

/* ------------------------------------------------------------------------------------- what is lost */

static cmd_state state_named(const char *name)
{
    for (uint32_t i = 0; i < CMD_STATE_COUNT; i++) {
        if (strcmp(name, cmd_state_name((cmd_state)i)) == 0)
            return (cmd_state)i;
    }
    return CMD_STATE_INFRA;
}

/* The case has no time from this launch. */
static void lose(parent *p, uint32_t entry, cmd_state state, const char *reason)
{
    outcome *out = &p->outcomes[entry];
    out->lost = out->lost != NULL ? out->lost : json_array();
    json_t *row = cmd_json_append(out->lost);
    cmd_json_u32(row, "launch", p->launch.number);
    cmd_json_text(row, "state", cmd_state_name(state));
    cmd_json_text(row, "reason", reason);
    out->state = state;
    (void)snprintf(out->reason, sizeof out->reason, "%s", reason);
    out->done = out->done || state == CMD_STATE_TIMEOUT; /* waiting for it again would take as long again */
    cmd_progress_clear(p->session);
    fprintf(stderr, "vfxbench: launch %" PRIu32 " of %" PRIu32 " of %s lost: %s\n", p->launch.number,
            p->session->options->launches, p->session->entries[entry].name, reason);
}

/* Takes the case off what is left of the launch. False: it was not on it. */
static bool take(parent *p, uint32_t entry)
{
    cmd_launch *launch = &p->launch;
    for (uint32_t i = 0; i < launch->count; i++) {
        if (launch->cases[i].entry != entry)
            continue;
        memmove(&launch->cases[i], &launch->cases[i + 1], (launch->count - i - 1) * sizeof *launch->cases);
        launch->count--;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------ what is heard */

static void hear_case(parent *p, uint32_t entry, json_t *object)
{
    outcome *out = &p->outcomes[entry];
    cmd_state state = state_named(cmd_text_at(object, "state"));
    p->current = UINT32_MAX;
    if (!take(p, entry))
        return;
    if (state == CMD_STATE_PASS && out->object != NULL) {
        if (!cmd_time_join(out->object, object))
            lose(p, entry, CMD_STATE_CRASH, "the launch reported no times");
    } else if (state == CMD_STATE_PASS || out->object == NULL) {
        out->object = json_incref(object);
        out->done = state != CMD_STATE_PASS;
    } else {
        lose(p, entry, state, cmd_text_at(object, "reason"));
    }
}

static void hear_failure(parent *p, const json_t *line)
{
    p->failed = VFX_VULKAN;
    for (int i = 0; i < VFX_STATUS_COUNT; i++) {
        if (strcmp(vfx_status_name((vfx_status)i), cmd_text_at(line, "status")) == 0 && i != VFX_OK)
            p->failed = (vfx_status)i;
    }
    (void)snprintf(p->why, sizeof p->why, "%s", cmd_text_at(line, "text"));
}

static vfx_status hear(parent *p, json_t *line)
{
    const char *type = cmd_text_at(line, "type"), *text = cmd_text_at(line, "text");
    json_t *report = p->session->report;
    uint32_t entry = UINT32_MAX;
    bool of_case = strcmp(type, "begin") == 0 || strcmp(type, "case") == 0;
    if (of_case && (cmd_json_get_u32(line, "a launch", "case", &entry) != VFX_OK || entry >= p->session->entry_count))
        return vfx_fail(VFX_IO, "a launch speaks of a case that is not planned");
    if (strcmp(type, "begin") == 0)
        p->current = entry;
    else if (strcmp(type, "case") == 0)
        hear_case(p, entry, json_object_get(line, "object"));
    else if (strcmp(type, "progress") == 0)
        cmd_progress(p->session, "launch %" PRIu32 " of %" PRIu32 ": %s", p->launch.number,
                     p->session->options->launches, text);
    else if (strcmp(type, "say") == 0)
        cmd_say(p->session, true, "%s", text);
    else if (strcmp(type, "device") == 0 && json_is_null(json_object_get(report, "device")))
        (void)json_object_set(report, "device", json_object_get(line, "device"));
    else if (strcmp(type, "ceilings") == 0 && json_object_get(report, "ceilings") == NULL)
        (void)json_object_set(report, "ceilings", json_object_get(line, "ceilings"));
    else if (strcmp(type, "failed") == 0)
        hear_failure(p, line);
    p->ended = p->ended || strcmp(type, "end") == 0;
    return VFX_OK;
}

/* Everything the child says until it says no more. */
static vfx_status listen(parent *p, vfx_process *child)
{
    cmd_wire_reader reader = {0};
    char chunk[CHUNK];
    size_t got = 1;
    uint32_t limit_ms = (uint32_t)(p->session->options->case_limit * 1e3);
    vfx_status status = VFX_OK;
    while (status == VFX_OK && got > 0) {
        json_t *line = NULL;
        status = vfx_process_read(child, chunk, sizeof chunk, &got, limit_ms);
        if (status == VFX_OK)
            status = cmd_wire_feed(&reader, chunk, got);
        while (status == VFX_OK && (status = cmd_wire_next(&reader, &line)) == VFX_OK && line != NULL) {
            status = hear(p, line);
            json_decref(line);
        }
    }
    cmd_wire_free(&reader);
    return status;
}

/* ----------------------------------------------------------------------------------------- launches */

/* The command line of this program with the launch put in behind the verb. free() *argv, not what it points to. */
static vfx_status child_arguments(const cmd_options *options, char *plan, char ***argv)
{
    static char option[] = "--launch-child";
    *argv = calloc((size_t)options->argc + 3, sizeof **argv);
    if (*argv == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a command line");
    (*argv)[0] = options->argv[0];
    (*argv)[1] = options->argv[1];
    (*argv)[2] = option;
    (*argv)[3] = plan;
    for (int i = 2; i < options->argc; i++)
        (*argv)[i + 2] = options->argv[i];
    return VFX_OK;
}

static vfx_status start(const parent *p, vfx_process **child)
{
    const cmd_options *options = p->session->options;
    char program[4096], *plan = NULL, **argv = NULL;
    VFX_TRY(vfx_own_program(options->argv[0], program, sizeof program));
    vfx_status status = cmd_launch_format(&p->launch, &plan);
    if (status == VFX_OK)
        status = child_arguments(options, plan, &argv);
    if (status == VFX_OK)
        status = vfx_process_start(child, program, argv);
    free(argv);
    free(plan);
    return status;
}

/* One child for what is left of the launch, of which it takes off what it completes, and the case that it dies of. */
static vfx_status run_child(parent *p)
{
    vfx_process *child = NULL;
    vfx_process_exit how;
    char reason[1024], ending[128];
    p->current = UINT32_MAX;
    p->ended = false;
    p->failed = VFX_OK;
    VFX_TRY(start(p, &child));
    vfx_status status = listen(p, child);
    (void)snprintf(reason, sizeof reason, "%s", vfx_message());
    vfx_process_end(child, status == VFX_OK ? GRACE_MS : 0, &how);
    if (p->failed != VFX_OK)
        return vfx_fail(p->failed, "%s", p->why);
    if (status == VFX_OK && p->ended)
        return VFX_OK;
    vfx_process_exit_format(&how, ending, sizeof ending);
    if (status == VFX_OK)
        (void)snprintf(reason, sizeof reason, "the process ended early: %s", ending);
    uint32_t at = p->current;
    if (at != UINT32_MAX && take(p, at)) {
        lose(p, at, status == VFX_TIMEOUT ? CMD_STATE_TIMEOUT : CMD_STATE_CRASH, reason);
        return VFX_OK;
    }
    return vfx_fail(status == VFX_TIMEOUT ? VFX_TIMEOUT : VFX_VULKAN, "%s", reason);
}

/* Launch p->launch. What ends it before it has come to a case is returned for the first launch, and costs the others
 * theirs. */
static vfx_status run_launch(parent *p)
{
    while (p->launch.count > 0) {
        uint32_t before = p->launch.count;
        vfx_status status = run_child(p);
        if (status == VFX_USAGE || (status != VFX_OK && p->launch.number == 1 && p->launch.count == before))
            return status;
        if (status == VFX_OK && p->launch.count < before)
            continue;
        char reason[1024];
        (void)snprintf(reason, sizeof reason, "%s", status != VFX_OK ? vfx_message() : "the launch completed no case");
        while (p->launch.count > 0) {
            uint32_t entry = p->launch.cases[0].entry;
            (void)take(p, entry);
            lose(p, entry, CMD_STATE_NOT_RUN, reason);
        }
    }
    return VFX_OK;
}

/* Launch `number` of what is not done, from another case on than the one before. */
static vfx_status plan_launch(parent *p, uint32_t number)
{
    uint32_t entries = p->session->entry_count, launches = p->session->options->launches;
    uint32_t step = entries / launches > 0 ? entries / launches : 1;
    VFX_TRY(cmd_launch_create(&p->launch, number, entries, (uint32_t)((uint64_t)step * (number - 1) % entries)));
    for (uint32_t i = 0; i < entries; i++) {
        if (p->outcomes[i].done)
            (void)take(p, i);
    }
    for (uint32_t i = 0; i < p->launch.count; i++)
        p->launch.cases[i].check = p->outcomes[p->launch.cases[i].entry].object == NULL;
    return VFX_OK;
}

/* The report's rows, in the planned order. */
static void record_all(parent *p)
{
    for (uint32_t i = 0; i < p->session->entry_count; i++) {
        outcome *out = &p->outcomes[i];
        json_t *object = out->object;
        if (object != NULL)
            cmd_session_adopt(p->session, object, state_named(cmd_text_at(object, "state")));
        else
            object = cmd_session_record_entry(p->session, &p->session->entries[i],
                                              out->lost != NULL ? out->state : CMD_STATE_NOT_RUN, out->reason);
        if (out->lost != NULL)
            (void)json_object_set(object, "launches_lost", out->lost);
    }
}

/* Nothing could be run; vfx_message() says why. */
static void record_failure(parent *p, vfx_status status)
{
    char reason[1024];
    (void)snprintf(reason, sizeof reason, "%s", vfx_message());
    for (uint32_t i = 0; i < p->session->entry_count; i++)
        (void)cmd_session_record_entry(p->session, &p->session->entries[i], cmd_state_of(status), reason);
}

vfx_status cmd_launches_run(cmd_session *session)
{
    parent p = {.session = session, .outcomes = calloc(session->entry_count, sizeof *p.outcomes)};
    vfx_status status = p.outcomes != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for the launches");
    for (uint32_t k = 1; status == VFX_OK && k <= session->options->launches; k++) {
        status = plan_launch(&p, k);
        if (status == VFX_OK)
            status = run_launch(&p);
        cmd_launch_free(&p.launch);
    }
    if (status == VFX_OK)
        record_all(&p);
    else if (status != VFX_USAGE && p.outcomes != NULL)
        record_failure(&p, status);
    for (uint32_t i = 0; p.outcomes != NULL && i < session->entry_count; i++) {
        json_decref(p.outcomes[i].object);
        json_decref(p.outcomes[i].lost);
    }
    free(p.outcomes);
    return status;
}
