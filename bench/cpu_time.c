/* bench/cpu_time.c - see cpu_time.h. */
#include "bench/cpu_time.h"
#include "core/platform.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_FRAMES = 5 };
#define MOST_NS 2e9

static vfx_status time_frames(const vfx_case *kase, vfx_feed *feed, vfx_host *host, double *sum_ns, uint32_t *frames)
{
    VFX_TRY(vfx_run_cpu(kase, feed, host, 1, false, true)); /* with what runs once, and cold caches */
    while (*frames < MOST_FRAMES && *frames + 1 < kase->frames && *sum_ns < MOST_NS) {
        uint64_t begin = vfx_clock_ns();
        VFX_TRY(vfx_run_cpu(kase, feed, host, 1, false, false));
        *sum_ns += (double)(vfx_clock_ns() - begin);
        ++*frames;
    }
    return VFX_OK;
}

vfx_status cmd_cpu_time(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase, json_t *object)
{
    vfx_feed feed;
    vfx_host host;
    double sum_ns = 0.0;
    uint32_t frames = 0;
    cmd_progress(session, "time %s: the CPU reference", entry->name);
    VFX_TRY(vfx_feed_create(&feed, kase, &entry->at));
    vfx_status status = vfx_host_create(&host, kase, kase->variant->buffers);
    if (status == VFX_OK) {
        kase->kernel->init(kase, host.buffer, host.image);
        status = time_frames(kase, &feed, &host, &sum_ns, &frames);
        vfx_host_destroy(&host);
    }
    vfx_feed_destroy(&feed);
    VFX_TRY(status);
    json_t *block = cmd_json_object(object, "cpu");
    cmd_json_text(block, "what", "the float reference on one thread, plain loops");
    cmd_json_u32(block, "frames", frames);
    cmd_json_number(block, "frame_ns", frames > 0 ? sum_ns / frames : (double)NAN, "the case has one frame only");
    return VFX_OK;
}
