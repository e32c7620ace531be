/* core/run_cpu.c - the CPU frame loop: the reference's stages in order, frame after frame. See run.h. */
#include "core/run.h"

#include <stdlib.h>
#include <string.h>

/* Working memory of the loop: the states before the frame, and marks for buffers whose marks `host` does not want. */
typedef struct workspace {
    void *prev[VFX_MAX_BUFFERS];
    uint8_t *ill[VFX_MAX_BUFFERS];
} workspace;

static void workspace_destroy(workspace *work)
{
    for (uint32_t i = 0; i < VFX_MAX_BUFFERS; i++) {
        free(work->prev[i]);
        free(work->ill[i]);
    }
}

static vfx_status workspace_fill(workspace *work, const vfx_case *kase, const vfx_host *host)
{
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++) {
        const vfx_buffer *buffer = &kase->kernel->buffers[i];
        if (host->buffer[i] == NULL)
            continue;
        work->ill[i] = calloc(1, (size_t)host->count[i] + 1);
        if (vfx_role_is_state(buffer->role))
            work->prev[i] = malloc(host->bytes[i] + 1);
        if (work->ill[i] == NULL || (vfx_role_is_state(buffer->role) && work->prev[i] == NULL))
            return vfx_fail(VFX_MEMORY, "out of host memory: the reference needs %zu bytes to keep buffer %s",
                            host->bytes[i], buffer->name);
    }
    return VFX_OK;
}

/* Does the stage write a buffer that is there? Without outputs only what leads from state to state is computed. */
static bool is_wanted(const vfx_ref *ref, const vfx_stage *stage)
{
    for (uint32_t row = 0; row < ref->kase->kernel->buffer_count; row++)
        if ((stage->writes >> row & 1u) != 0 && ref->out[row] != NULL)
            return true;
    return false;
}

/* The stages first..end of a block, substep by substep; a plain stage is a block of one substep. */
static void run_block(const vfx_ref *ref, bool in_double, const vfx_stage *first, const vfx_stage *end)
{
    uint32_t substeps = first->substeps != NULL ? first->substeps(ref->kase) : 1;
    for (uint32_t substep = 0; substep < substeps; substep++)
        for (const vfx_stage *stage = first; stage < end; stage++) {
            uint64_t items = stage->items(ref->kase) / substeps;
            if (is_wanted(ref, stage))
                (in_double ? stage->f64 : stage->f32)(ref, substep * items, items);
        }
}

/* Runs the wanted stages: either the once-only ones or the others. */
static void run_stages(const vfx_ref *ref, bool in_double, bool once)
{
    const vfx_stage *stage = ref->kase->kernel->stages, *end = stage + ref->kase->kernel->stage_count;
    while (stage < end) {
        const vfx_stage *next = stage + 1;
        while (next < end && stage->substeps != NULL && next->substeps == stage->substeps && next->once == stage->once)
            next++;
        if (stage->once == once)
            run_block(ref, in_double, stage, next);
        stage = next;
    }
}

/* One frame: `host` holds the state before it, and the one after it on return. */
static void run_frame(const vfx_feed *feed, vfx_host *host, workspace *work, bool in_double, bool once_stages)
{
    const vfx_kernel *kernel = feed->kase.kernel;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        if (feed->input[i] != NULL && host->buffer[i] != NULL)
            memcpy(host->buffer[i], feed->input[i], host->bytes[i]);
        if (work->prev[i] != NULL)
            memcpy(work->prev[i], host->buffer[i], host->bytes[i]);
    }
    for (uint32_t i = 0; i < kernel->image_count; i++)
        if (feed->image[i] != NULL && host->image[i] != NULL)
            memcpy(host->image[i], feed->image[i], host->image_bytes[i]);
    vfx_ref ref;
    vfx_ref_view(&ref, &feed->kase, &feed->frame, NULL, host, host);
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        ref.prev[i] = work->prev[i];
        ref.ill[i] = host->ill[i] != NULL ? host->ill[i] : work->ill[i];
        if (ref.ill[i] != NULL)
            memset(ref.ill[i], 0, (size_t)host->count[i]);
    }
    if (once_stages)
        run_stages(&ref, in_double, true);
    run_stages(&ref, in_double, false);
}

vfx_status vfx_run_cpu(const vfx_case *kase, vfx_feed *feed, vfx_host *host, uint32_t frames, bool in_double,
                       bool once_stages)
{
    workspace work = {0};
    vfx_status status = workspace_fill(&work, kase, host);
    for (uint32_t i = 0; i < frames && status == VFX_OK; i++) {
        vfx_feed_next(feed);
        run_frame(feed, host, &work, in_double, once_stages && i == 0);
    }
    workspace_destroy(&work);
    return status;
}
