/* bench/cmd_run.c - `vfxbench run`: runs cases and keeps what they compute. */
#include "bench/commands.h"
#include "bench/dump.h"
#include "bench/figures.h"
#include "bench/picture_run.h"
#include "bench/session.h"
#include "bench/text.h"
#include "core/platform.h"

#include <inttypes.h>
#include <string.h>

/* What the observer of a run needs and finds out. */
typedef struct runner {
    const vfx_case *kase;
    cmd_dump *dump; /* NULL: none wanted */
    cmd_images images;
    uint64_t hash;                          /* of the last frame seen */
    unsigned char metrics[VFX_MAX_METRICS]; /* its figures */
} runner;

static vfx_status observe(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    (void)prev;
    runner *r = user;
    VFX_TRY(cmd_check_results(r->kase, feed->frame.index, now));
    uint32_t figures = cmd_figures_row(r->kase);
    if (feed->frame.index == r->kase->frames)
        r->hash = vfx_host_hash(r->kase, now);
    if (figures != UINT32_MAX)
        memcpy(r->metrics, now->buffer[figures], r->kase->kernel->metrics->stride);
    if (r->dump != NULL)
        VFX_TRY(cmd_dump_frame(r->dump, feed->frame.index, now));
    return cmd_images_frame(&r->images, feed, now);
}

/* The dump folder of a case: the one given, or with several cases a folder in it for each. */
static void dump_folder(const cmd_session *session, const cmd_entry *entry, char *folder, size_t bytes)
{
    if (session->entry_count == 1) {
        cmd_copy(folder, bytes, session->options->dump);
        return;
    }
    char name[CMD_CASE_NAME + CMD_AXIS_LABEL];
    cmd_entry_file_name(entry, name, sizeof name);
    (void)snprintf(folder, bytes, "%s/%s", session->options->dump, name);
}

/* --capture: the last frame if the user says which that is, else the first, which is there at once. */
static uint32_t captured_frame(const cmd_session *session, const vfx_case *kase)
{
    return session->options->frames > 0 ? kase->frames : 1;
}

static vfx_status run_on_device(cmd_session *session, const cmd_entry *entry, const vfx_case *kase, runner *r)
{
    vfx_override overrides[CMD_MAX_SHADERS];
    vfx_run_request request = cmd_session_request(session, kase, &entry->at, overrides);
    request.read_every = session->options->every;
    request.poison = true;
    if (session->options->capture) { /* one frame alone, from the reference's state before it */
        request.start_frame = captured_frame(session, kase) - 1;
        request.frames = 1;
        request.poison = false;
    }
    vfx_run *run = NULL;
    VFX_TRY(vfx_gpu_supports(session->gpu, kase));
    vfx_status status = vfx_run_create(&run, session->gpu, &request);
    if (status == VFX_OK)
        status = vfx_run_gpu(run, session->options->capture ? NULL : observe, r, NULL);
    vfx_run_destroy(run);
    char first[1024];
    uint32_t messages = vfx_gpu_messages(session->gpu, first, sizeof first);
    if (status == VFX_OK && messages > 0)
        return vfx_fail(VFX_MISMATCH, "%" PRIu32 " validation messages, the first: %s", messages, first);
    return status;
}

/* Runs a loaded case, with a dump if one is wanted. */
static vfx_status run_case(cmd_session *session, const cmd_entry *entry, const vfx_case *kase, const char *folder,
                           runner *r)
{
    cmd_dump dump = {0};
    vfx_status status = VFX_OK;
    if (folder != NULL) {
        r->dump = &dump;
        status = cmd_dump_begin(&dump, folder, kase, &entry->at, session->options->every, vfx_gpu_info(session->gpu));
        cmd_session_report_program(session, kase, dump.manifest);
    }
    if (status == VFX_OK)
        status = run_on_device(session, entry, kase, r);
    if (status == VFX_OK && folder != NULL)
        status = cmd_dump_end(&dump);
    if (folder != NULL)
        cmd_dump_free(&dump);
    return status;
}

/* Reports and prints how a case ended. `folder`: of its dump, NULL: none. */
static void report_run(cmd_session *session, const cmd_entry *entry, const runner *r, vfx_status status,
                       uint32_t batches, const char *folder, double wall)
{
    char seconds[32], of[32] = "", kept[2 * CMD_PICTURE_PATH] = "";
    cmd_state state = cmd_state_of(status);
    const char *reason = status != VFX_OK ? vfx_message() : "";
    json_t *object = cmd_session_record_entry(session, entry, state, reason);
    cmd_json_number(object, "host_wall_ns", wall, "not measured");
    if (status != VFX_OK) {
        cmd_say(session, state != CMD_STATE_UNSUPPORTED, "%s  %s: %s\n", entry->name, cmd_state_name(state), reason);
        return;
    }
    if (session->options->capture) {
        cmd_json_u32(object, "captured_frame", captured_frame(session, &entry->kase));
        cmd_say(session, false, "%-11s %s  frame %" PRIu32 " alone  (nothing read, not checked)\n", "ran", entry->name,
                captured_frame(session, &entry->kase));
        return;
    }
    cmd_report_batches(object, batches);
    cmd_report_hash(object, r->hash);
    cmd_figures_report(object, &entry->kase, r->metrics);
    cmd_json_text(object, "dump", folder);
    cmd_images_report(&r->images, object);
    cmd_format_number("%.1f s", wall / 1e9, seconds, sizeof seconds);
    if (batches > 1)
        (void)snprintf(of, sizeof of, " of %" PRIu32 " batches", batches);
    if (folder != NULL)
        cmd_append(kept, sizeof kept, "  dump %s", folder);
    if (r->images.view != NULL)
        cmd_append(kept, sizeof kept, "  image %s", r->images.path);
    cmd_say(session, false, "%-11s %s  %" PRIu32 " frames%s  hash %016" PRIx64 "  %s%s  (not checked; see verify)\n",
            "ran", entry->name, entry->kase.frames, of, r->hash, seconds, kept);
    cmd_figures_say(session, &entry->kase, r->metrics);
}

/* Runs and reports a case; only a usage error is returned, which ends the program. */
static vfx_status run_entry(cmd_session *session, const cmd_entry *entry)
{
    char folder[CMD_DUMP_PATH];
    uint64_t begin = vfx_clock_ns();
    uint32_t batches = 1;
    bool dumps = session->options->dump != NULL;
    if (dumps)
        dump_folder(session, entry, folder, sizeof folder);
    cmd_progress(session, "run %s", entry->name);
    vfx_case kase = entry->kase;
    runner r = {.kase = &kase};
    vfx_status status = cmd_images_begin(&r.images, session, entry);
    if (status == VFX_OK)
        status = cmd_case_load(&kase);
    if (status == VFX_OK) {
        batches = cmd_case_batches(&kase);
        status = run_case(session, entry, &kase, dumps ? folder : NULL, &r);
        cmd_case_unload(&kase);
    }
    if (status != VFX_USAGE)
        report_run(session, entry, &r, status, batches, dumps ? folder : NULL, (double)(vfx_clock_ns() - begin));
    cmd_images_end(&r.images);
    return status == VFX_USAGE ? status : VFX_OK;
}

int cmd_run(const cmd_options *options)
{
    cmd_session session;
    vfx_status status = cmd_session_plan(&session, options, true);
    if (status == VFX_OK && cmd_option_given(options, "every") && options->dump == NULL && options->image == NULL)
        status = vfx_fail(VFX_USAGE, "--every says how often to dump or draw; add --dump DIR or --image FILE.png");
    if (status == VFX_OK)
        status = cmd_images_check(&session);
    if (status == VFX_OK && options->capture && (options->dump != NULL || options->image != NULL))
        status = vfx_fail(VFX_USAGE, "--capture reads nothing back; leave out --dump and --image");
    if (status == VFX_OK)
        status = cmd_session_open(&session, (vfx_validation)options->validation);
    for (uint32_t i = 0; status == VFX_OK && i < session.entry_count; i++) {
        if (session.casualties)
            cmd_session_not_run(&session, &session.entries[i]);
        else
            status = run_entry(&session, &session.entries[i]);
    }
    return cmd_session_close(&session, status);
}
