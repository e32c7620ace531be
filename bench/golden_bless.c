/* bench/golden_bless.c - draws goldens from the reference, says what changes, writes. Needs no device. */
#include "bench/golden_bless.h"
#include "bench/golden.h"
#include "bench/golden_draw.h"
#include "bench/text.h"
#include "core/gate.h"

#include <inttypes.h>
#include <string.h>

vfx_status cmd_golden_check_reason(const char *reason)
{
    if (reason == NULL || strspn(reason, " \t\n") == strlen(reason))
        return vfx_fail(VFX_USAGE, "pictures change only on purpose: add --reason 'a sentence why'");
    if (strlen(reason) >= CMD_GOLDEN_REASON)
        return vfx_fail(VFX_USAGE, "--reason is longer than %d bytes", CMD_GOLDEN_REASON - 1);
    return VFX_OK;
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        (void)fclose(file);
    return file != NULL;
}

/* Sets the new picture against the old golden: false if there is nothing to write. `what` says what changes. */
static vfx_status compare(const char *folder, const cmd_golden_key *key, const vfx_picture *picture, bool *changes,
                          char *what, size_t bytes)
{
    static const vfx_gate_limits limits; /* only the numbers count */
    cmd_golden_file old;
    vfx_gate_result gate = {0};
    *changes = true;
    vfx_status loaded = cmd_golden_load(folder, key, &old), status = VFX_OK;
    if (loaded != VFX_OK && exists(old.path)) {
        (void)snprintf(what, bytes, "replaces an unusable one: %.900s", vfx_message());
    } else if (loaded != VFX_OK) {
        (void)snprintf(what, bytes, "new");
    } else if ((status = vfx_gate_compare(&old.picture, picture, &limits, &gate)) == VFX_OK) {
        *changes = gate.gate != VFX_GATE_IDENTICAL;
        (void)snprintf(what, bytes, "off by up to %" PRIu32 " of 255 in %" PRIu32 " of %d pixels, FLIP mean %.4f",
                       gate.largest, gate.different, CMD_GOLDEN_WIDTH * CMD_GOLDEN_HEIGHT, gate.flip.mean);
        if (!*changes)
            (void)snprintf(what, bytes, "identical, left as it is");
    }
    vfx_gate_free(&gate);
    cmd_golden_free(&old);
    return status;
}

static void report(cmd_session *session, const cmd_entry *entry, const cmd_golden_key *key, const char *path,
                   vfx_status status, bool changes, const char *what)
{
    static const vfx_at_list nothing;
    cmd_state state = cmd_state_of(status);
    char reason[1024];
    cmd_copy(reason, sizeof reason, status != VFX_OK ? vfx_message() : "");
    json_t *object = cmd_session_record(session, &entry->kase, &nothing, state, reason);
    json_t *golden = cmd_json_object(object, "golden");
    cmd_json_text(golden, "view", key->view->name);
    cmd_json_u32(golden, "frame", key->frame);
    cmd_json_text(golden, "path", path);
    cmd_json_bool(golden, "written", status == VFX_OK && changes);
    cmd_json_text(golden, "change", what);
    if (status == VFX_OK)
        cmd_say(session, changes, "%-11s %s  %s\n", changes ? "blessed" : "unchanged", path, what);
    else
        cmd_say(session, true, "%-11s %s  %s\n", cmd_state_name(state), path, reason);
}

static void bless_frame(cmd_session *session, const cmd_entry *entry, const cmd_golden_key *key, const char *folder,
                        const vfx_picture *picture, vfx_status drawn)
{
    char path[CMD_GOLDEN_PATH] = "", what[1024] = "";
    bool changes = false;
    vfx_status status = drawn;
    if (status == VFX_OK)
        status = cmd_golden_path(folder, key, ".png", path);
    if (status == VFX_OK)
        status = compare(folder, key, picture, &changes, what, sizeof what);
    if (status == VFX_OK && changes)
        status = cmd_golden_save(folder, key, picture, session->options->reason);
    report(session, entry, key, path, status, changes, what);
}

vfx_status cmd_golden_bless(cmd_session *session, const cmd_entry *entry, const vfx_view *view, const char *folder)
{
    cmd_golden_frames frames = {0};
    vfx_case kase = entry->kase;
    cmd_progress(session, "golden bless %s", entry->name);
    vfx_status status = cmd_case_load(&kase);
    if (status == VFX_OK) {
        status = cmd_golden_draw_reference(&kase, view, &frames);
        cmd_case_unload(&kase);
    }
    for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && view->frames[i] != 0 && status != VFX_USAGE; i++) {
        cmd_golden_key key = {&entry->kase, view, view->frames[i]};
        bless_frame(session, entry, &key, folder, &frames.pictures[i], status);
    }
    cmd_golden_frames_free(&frames);
    return status == VFX_USAGE ? status : VFX_OK;
}
