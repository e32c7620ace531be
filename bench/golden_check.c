/* bench/golden_check.c - read, draw, compare, and show what differs. */
#include "bench/golden_check.h"
#include "bench/golden_draw.h"
#include "bench/text.h"
#include "core/platform.h"

#include <inttypes.h>
#include <string.h>

static vfx_gate_limits limits_of(const vfx_view *view)
{
    return (vfx_gate_limits){.mean = 0.01,
                             .weighted_q3 = view->weighted_q3 > 0.0 ? view->weighted_q3 : 0.15,
                             .weighted_p99 = view->weighted_p99 > 0.0 ? view->weighted_p99 : 0.10,
                             .blob = 16,
                             .off = 32};
}

static void end_result(cmd_golden_result *result, cmd_state state, const char *reason)
{
    result->state = state;
    cmd_copy(result->reason, sizeof result->reason, reason);
}

/* Reads all goldens; true if any of them can be compared with. */
static bool load_goldens(const cmd_entry *entry, const vfx_view *view, const char *folder, cmd_golden_check *check)
{
    vfx_case shown;
    bool any = false;
    const vfx_variant *variant = cmd_golden_variant(entry->kase.kernel, view);
    vfx_status made = cmd_golden_case(entry->kase.kernel, variant, view, &shown);
    for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && view->frames[i] != 0; i++) {
        cmd_golden_result *result = &check->results[check->count++];
        result->frame = view->frames[i];
        cmd_golden_key key = {&shown, view, result->frame};
        vfx_status status = made == VFX_OK ? cmd_golden_load(folder, &key, &result->golden) : made;
        if (status != VFX_OK)
            end_result(result, CMD_STATE_INFRA, vfx_message());
        any = any || status == VFX_OK;
    }
    return any;
}

/* ------------------------------------------------------------------------------------------- failures */

static vfx_status write_material(const cmd_golden_result *result, const char *what, const vfx_picture *picture)
{
    char path[CMD_PICTURE_PATH + 16];
    (void)snprintf(path, sizeof path, "%s.%s.png", result->material, what);
    return vfx_picture_write(path, picture);
}

/* What a person looks at: the device's picture, where it differs, and both beside the golden. */
static vfx_status show_failure(const cmd_golden_result *result, const vfx_picture *actual)
{
    vfx_picture heat = {0}, sheet = {0};
    vfx_status status = write_material(result, "actual", actual);
    if (status == VFX_OK)
        status = vfx_gate_heat(&result->gate.flip, &heat);
    if (status == VFX_OK)
        status = vfx_gate_sheet(&result->golden.picture, actual, &heat, &sheet);
    if (status == VFX_OK)
        status = write_material(result, "heat", &heat);
    if (status == VFX_OK)
        status = write_material(result, "sheet", &sheet);
    vfx_picture_free(&heat);
    vfx_picture_free(&sheet);
    return status;
}

static void fail_result(cmd_golden_result *result, const cmd_entry *entry, const vfx_view *view, const char *out,
                        const vfx_picture *actual)
{
    end_result(result, CMD_STATE_FAIL, result->gate.why);
    int length = snprintf(result->material, sizeof result->material, "%s/%s-%s-%s-%03" PRIu32, out,
                          entry->kase.kernel->name, entry->kase.variant->name, view->name, result->frame);
    vfx_status status = length > 0 && (size_t)length < sizeof result->material
                            ? vfx_make_folder(out)
                            : vfx_fail(VFX_IO, "--out: the path is too long");
    if (status == VFX_OK)
        status = show_failure(result, actual);
    if (status == VFX_OK)
        return;
    result->material[0] = '\0';
    result->state = CMD_STATE_INFRA;
    cmd_append(result->reason, sizeof result->reason, "; and its pictures cannot be written: %s", vfx_message());
}

/* -------------------------------------------------------------------------------------------- judging */

static void compare(cmd_golden_result *result, const cmd_entry *entry, const vfx_view *view, const char *out,
                    const vfx_picture *actual)
{
    result->limits = limits_of(view);
    vfx_status status = vfx_gate_compare(&result->golden.picture, actual, &result->limits, &result->gate);
    if (status != VFX_OK) {
        end_result(result, CMD_STATE_INFRA, vfx_message());
        return;
    }
    result->compared = true;
    if (result->gate.gate == VFX_GATE_FAILED)
        fail_result(result, entry, view, out, actual);
    else
        result->state = CMD_STATE_PASS;
}

/* Draws and compares with the loaded case. A validation message fails what would pass. */
static vfx_status draw_and_compare(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase,
                                   const vfx_view *view, const char *out, cmd_golden_check *check)
{
    cmd_golden_frames frames;
    char why[1024], first[800];
    (void)vfx_gpu_messages(session->gpu, first, sizeof first); /* forget what came before */
    vfx_status status = cmd_golden_draw_device(session, kase, view, &frames);
    cmd_copy(why, sizeof why, vfx_message());
    uint32_t messages = vfx_gpu_messages(session->gpu, first, sizeof first);
    for (uint32_t i = 0; i < check->count && status != VFX_USAGE; i++) {
        cmd_golden_result *result = &check->results[i];
        if (result->state == CMD_STATE_INFRA)
            continue;
        if (frames.pictures[i].rgb == NULL)
            end_result(result, status != VFX_OK ? cmd_state_of(status) : CMD_STATE_INFRA,
                       status != VFX_OK ? why : "the run showed no such frame");
        else
            compare(result, entry, view, out, &frames.pictures[i]);
        if (messages > 0 && result->state == CMD_STATE_PASS) {
            end_result(result, CMD_STATE_FAIL, "");
            (void)snprintf(result->reason, sizeof result->reason, "%" PRIu32 " validation messages, the first: %s",
                           messages, first);
        }
    }
    cmd_golden_frames_free(&frames);
    return status == VFX_USAGE ? status : VFX_OK;
}

vfx_status cmd_golden_check_run(const cmd_session *session, const cmd_entry *entry, const vfx_view *view,
                                const char *folder, const char *out, cmd_golden_check *check)
{
    memset(check, 0, sizeof *check);
    if (!load_goldens(entry, view, folder, check))
        return VFX_OK;
    vfx_case kase = entry->kase;
    vfx_status status = cmd_case_load(&kase);
    if (status == VFX_USAGE)
        return status;
    if (status == VFX_OK) {
        status = draw_and_compare(session, entry, &kase, view, out, check);
        cmd_case_unload(&kase);
        return status;
    }
    for (uint32_t i = 0; i < check->count; i++) {
        if (check->results[i].state != CMD_STATE_INFRA)
            end_result(&check->results[i], cmd_state_of(status), vfx_message());
    }
    return VFX_OK;
}

void cmd_golden_check_free(cmd_golden_check *check)
{
    for (uint32_t i = 0; i < check->count; i++) {
        cmd_golden_free(&check->results[i].golden);
        vfx_gate_free(&check->results[i].gate);
    }
    check->count = 0;
}
