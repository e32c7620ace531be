/* bench/cmd_info.c - `vfxbench info`: the devices, their limits that matter, and which of the selected cases each can
 * run. All devices are shown, software ones too; --device narrows it to one. */
#include "bench/commands.h"
#include "bench/session.h"
#include "bench/text.h"
#include "core/select_device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_device(const cmd_session *session, const vfx_device_info *info)
{
    cmd_say(session, true, "%" PRIu32 ": %s (%s)%s\n", info->index, info->name, vfx_device_type_name(info->type),
            info->type == VFX_DEVICE_CPU ? ", needs --allow-cpu or --device" : "");
    cmd_say(session, true, "   driver %s, Vulkan %" PRIu32 ".%" PRIu32 ".%" PRIu32 ", UUID %s\n", info->driver,
            info->api_version >> 22 & 0x7fu, info->api_version >> 12 & 0x3ffu, info->api_version & 0xfffu, info->uuid);
    cmd_say(session, true,
            "   storage buffer %.0f MiB, allocation %.0f MiB, heap %.0f MiB, workgroup %" PRIu32
            ", shared memory %" PRIu32 " B, subgroup %" PRIu32 "\n",
            (double)info->max_storage_bytes / 0x1p20, (double)info->max_allocation_bytes / 0x1p20,
            (double)info->heap_bytes / 0x1p20, info->max_workgroup_invocations, info->shared_memory_bytes,
            info->subgroup_size);
    cmd_say(session, true,
            "   timestamps %" PRIu32 " bits of %.4g ns; scalar layout %s, subgroup shuffle %s, 16-bit "
            "storage %s\n",
            info->timestamp_valid_bits, info->timestamp_period_ns, info->scalar_block_layout ? "yes" : "no",
            info->subgroup_shuffle ? "yes" : "no", info->float16_storage ? "yes" : "no");
    if (!info->usable)
        cmd_say(session, true, "   not usable: %s\n", info->reason);
}

/* Opens the device and asks it about every selected case. */
static vfx_status ask_cases(cmd_session *session, const vfx_device_info *info, json_t *object)
{
    vfx_gpu *gpu = NULL;
    vfx_gpu_desc desc = {.device = info->uuid, .allow_cpu = true, .validation = VFX_VALIDATION_OFF};
    VFX_TRY(vfx_gpu_create(&gpu, &desc));
    json_t *rows = cmd_json_array(object, "cases");
    enum { SHOWN = 6 };
    uint32_t can = 0, cannot = 0;
    for (uint32_t i = 0; i < session->entry_count; i++) {
        const cmd_entry *entry = &session->entries[i];
        vfx_case kase = entry->kase; /* not loaded: a family answers as well as it can without its files */
        kase.storage_limit = vfx_storage_limit(info);
        vfx_status status = vfx_gpu_supports(gpu, &kase);
        json_t *row = cmd_json_append(rows);
        cmd_json_text(row, "id", entry->name);
        cmd_json_bool(row, "supported", status == VFX_OK);
        cmd_json_text(row, "reason", status == VFX_OK ? NULL : vfx_message());
        *(status == VFX_OK ? &can : &cannot) += 1;
        if (status != VFX_OK && (cannot <= SHOWN || session->options->verbose))
            cmd_say(session, true, "   cannot run %s: %s\n", entry->name, vfx_message());
        else if (status == VFX_OK && session->options->verbose)
            cmd_say(session, true, "   can run %s\n", entry->name);
    }
    if (cannot > SHOWN && !session->options->verbose)
        cmd_say(session, true, "   ... and %" PRIu32 " more; --json lists them\n", cannot - SHOWN);
    cmd_say(session, true, "   runs %" PRIu32 " of %" PRIu32 " cases\n", can, session->entry_count);
    vfx_gpu_destroy(gpu);
    return VFX_OK;
}

static vfx_status show_devices(cmd_session *session)
{
    vfx_device_info *list = NULL;
    uint32_t count = 0, first = 0, usable = 0;
    VFX_TRY(vfx_devices(&list, &count));
    if (session->options->device != NULL) {
        vfx_status status = vfx_select_device(list, count, session->options->device, true, &first);
        if (status != VFX_OK) {
            free(list);
            return status;
        }
        count = first + 1;
    }
    json_t *devices = cmd_json_array(session->report, "devices");
    for (uint32_t i = first; i < count; i++) {
        json_t *holder = cmd_json_append(devices);
        cmd_report_device(holder, "device", &list[i]);
        print_device(session, &list[i]);
        bool opened = list[i].usable && ask_cases(session, &list[i], holder) == VFX_OK;
        if (list[i].usable && !opened) {
            cmd_json_text(holder, "reason", vfx_message());
            cmd_say(session, true, "   cannot be opened: %s\n", vfx_message());
        }
        usable += opened ? 1u : 0u;
    }
    free(list);
    return usable > 0 ? VFX_OK : vfx_fail(VFX_UNSUPPORTED, "none of the devices can run anything; reasons above");
}

int cmd_info(const cmd_options *options)
{
    cmd_session session;
    vfx_status status = cmd_session_plan(&session, options, true);
    if (status == VFX_OK)
        status = show_devices(&session);
    return cmd_session_close(&session, status);
}
