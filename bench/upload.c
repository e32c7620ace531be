/* bench/upload.c - see upload.h. */
#include "bench/upload.h"
#include "bench/text.h"
#include "core/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 60, MOST_RUNS = 5 };

/* Bytes and mode; bytes 0: none. */
static vfx_status describe(const vfx_case *kase, cmd_upload *upload)
{
    uint64_t records, images;
    VFX_TRY(vfx_upload_bytes(kase, &records, &images));
    upload->bytes = records + images;
    if (records > 0) {
        const char *mode = vfx_case_host(kase, VFX_UPLOAD_PARAM);
        cmd_append(upload->mode, sizeof upload->mode, "%s", mode != NULL ? mode : vfx_upload_names[0]);
    }
    if (images > 0)
        cmd_append(upload->mode, sizeof upload->mode, "%stexture", records > 0 ? " + " : "");
    return VFX_OK;
}

/* Appends the frames of one run to the samples. */
static vfx_status take_run(vfx_run *run, uint32_t frames, double *host_ns, double *gpu_ns)
{
    vfx_run_times times = {0};
    vfx_status status = vfx_run_gpu(run, NULL, NULL, &times);
    if (status == VFX_OK) {
        memcpy(host_ns, times.upload_host_ns, frames * sizeof *host_ns);
        memcpy(gpu_ns, times.upload_gpu_ns, frames * sizeof *gpu_ns);
    }
    vfx_run_times_free(&times);
    return status;
}

static vfx_status take_all(vfx_run *run, uint32_t frames, double wall_ns, double *samples, cmd_upload *upload)
{
    double *host_ns = samples, *gpu_ns = samples + (size_t)MOST_RUNS * frames;
    uint64_t begin = vfx_clock_ns();
    uint32_t runs = 0;
    VFX_TRY(take_run(run, frames, host_ns, gpu_ns)); /* warm-up: overwritten */
    do {
        VFX_TRY(take_run(run, frames, host_ns + (size_t)runs * frames, gpu_ns + (size_t)runs * frames));
        runs++;
    } while (runs < MOST_RUNS && (double)(vfx_clock_ns() - begin) < wall_ns);
    if (!vfx_stats_of(host_ns, (size_t)runs * frames, &upload->host_ns) ||
        !vfx_stats_of(gpu_ns, (size_t)runs * frames, &upload->gpu_ns))
        return vfx_fail(VFX_MEMORY, "out of memory for statistics");
    return VFX_OK;
}

vfx_status cmd_upload_measure(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase, double wall_ns,
                              cmd_upload *upload)
{
    memset(upload, 0, sizeof *upload);
    VFX_TRY(describe(kase, upload));
    if (upload->bytes == 0)
        return VFX_OK;
    cmd_progress(session, "time %s: upload", entry->name);
    vfx_override overrides[CMD_MAX_SHADERS];
    vfx_run_request request = cmd_session_request(session, kase, &entry->at, overrides);
    request.stamps = VFX_STAMPS_UPLOAD;
    request.frames = kase->frames < MOST_FRAMES ? kase->frames : MOST_FRAMES;
    double *samples = calloc((size_t)2 * MOST_RUNS * request.frames, sizeof *samples);
    vfx_run *run = NULL;
    vfx_status status = samples != NULL ? vfx_run_create(&run, session->gpu, &request)
                                        : vfx_fail(VFX_MEMORY, "%s: out of memory for samples", entry->name);
    if (status == VFX_OK)
        status = take_all(run, request.frames, wall_ns, samples, upload);
    vfx_run_destroy(run);
    free(samples);
    return status;
}

static void report_ms(json_t *object, const char *key, const vfx_stats *ns)
{
    json_t *row = cmd_json_object(object, key);
    cmd_json_number(row, "median", ns->median / 1e6, "no usable sample");
    cmd_json_number(row, "mad", ns->mad / 1e6, "no usable sample");
}

void cmd_upload_report(json_t *object, const cmd_upload *upload)
{
    if (upload->bytes == 0) {
        cmd_json_text(object, "upload", NULL);
        return;
    }
    json_t *row = cmd_json_object(object, "upload");
    cmd_json_text(row, "mode", upload->mode);
    cmd_json_u64(row, "bytes", upload->bytes);
    report_ms(row, "host_ms", &upload->host_ns);
    report_ms(row, "gpu_ms", &upload->gpu_ns);
}
