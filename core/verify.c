/* core/verify.c - compares a device run with the reference, frame by frame.
 *
 * step-locked: every stage starts from the device's own buffers of that frame (prev and earlier stages' outputs), so
 *   errors do not add up and the limits are those of one frame.
 * free-run:    double and float references run beside the device from the same start; marks are the double one's.
 * repeat:      two device runs must leave the same bits. */
#include "core/run.h"

#include "core/gpu.h"
#include "core/metrics.h"
#include "core/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct verifier {
    const vfx_run_request *request;
    const vfx_case *kase; /* with the device's storage limit */
    vfx_mode mode;
    vfx_verify_result *result;
    vfx_host truth, single; /* double and float reference; outputs of the stages, or whole free-run worlds */
    vfx_feed truth_feed, single_feed;
    bool measures_single; /* the float reference is computed in this frame */
    uint8_t *ill[VFX_MAX_BUFFERS];
} verifier;

/* ------------------------------------------------------------------------------------- one frame */

static uint32_t used_writes(const verifier *v, const vfx_stage *stage)
{
    return stage->writes & v->kase->variant->buffers;
}

/* All items of a stage, or about sample_items of them in 64 evenly spread spans. */
static void run_stage(const verifier *v, const vfx_stage *stage, vfx_stage_fn *fn, const vfx_ref *ref)
{
    uint64_t items = stage->items(ref->kase), wanted = v->request->sample_items;
    if (wanted == 0 || wanted >= items) {
        fn(ref, 0, items);
        return;
    }
    uint64_t spans = 64, span = wanted / spans ? wanted / spans : 1;
    for (uint64_t i = 0; i < spans; ++i) {
        uint64_t first = (items - span) / (spans - 1) * i;
        fn(ref, i + 1 == spans ? items - span : first, span);
    }
}

/* Was this truth record computed? With sampling, most are still poison. */
static bool computed(const vfx_buffer *buffer, const void *truth, uint64_t record)
{
    uint32_t word;
    memcpy(&word, (const char *)truth + record * buffer->stride, 4);
    return word != VFX_POISON_WORD;
}

static void compare_spans(const verifier *v, const vfx_check *check, const vfx_ref *ref, bool free_run,
                          const void *device, vfx_check_result *result)
{
    const vfx_buffer *buffer = &v->kase->kernel->buffers[check->buffer];
    const void *truth = v->truth.buffer[check->buffer];
    const void *single = v->measures_single ? v->single.buffer[check->buffer] : NULL;
    uint64_t count = v->truth.count[check->buffer];
    if (!v->request->sample_items) {
        vfx_compare_field(check, ref, free_run, device, truth, single, 0, count, result);
        return;
    }
    for (uint64_t i = 0; i < count;) {
        uint64_t end = i;
        while (end < count && computed(buffer, truth, end))
            ++end;
        if (end > i)
            vfx_compare_field(check, ref, free_run, device, truth, single, i, end - i, result);
        i = end > i ? end : i + 1;
    }
}

static bool is_written(const verifier *v, uint32_t row, const vfx_stage *stage)
{
    return used_writes(v, stage) >> row & 1;
}

static void note_failure(verifier *v, uint32_t row)
{
    if (v->result->failed_check != UINT32_MAX)
        return;
    v->result->failed_check = row;
    vfx_check_format(&v->kase->kernel->checks[row], v->kase, &v->result->checks[row], v->result->failure,
                     sizeof v->result->failure);
}

/* Compares the rows of the stage's buffers. */
static void check_stage(verifier *v, const vfx_stage *stage, const vfx_ref *ref, const vfx_host *now)
{
    for (uint32_t i = 0; i < v->kase->kernel->check_count; ++i) {
        const vfx_check *check = &v->kase->kernel->checks[i];
        if (!is_written(v, check->buffer, stage))
            continue;
        bool free_run = v->mode == VFX_FREE_RUN;
        compare_spans(v, check, ref, free_run, now->buffer[check->buffer], &v->result->checks[i]);
        if (v->result->checks[i].failed)
            note_failure(v, i);
    }
}

static void step_locked_stage(verifier *v, const vfx_feed *feed, const vfx_stage *stage, const vfx_host *prev,
                              const vfx_host *now)
{
    const vfx_kernel *kernel = v->kase->kernel;
    for (uint32_t row = 0; row < kernel->buffer_count; ++row) {
        if (!is_written(v, row, stage))
            continue;
        uint32_t *words[2] = {v->truth.buffer[row], v->single.buffer[row]};
        for (uint32_t side = 0; side < (v->measures_single ? 2u : 1u); ++side)
            for (size_t i = 0; i < v->truth.bytes[row] / 4; ++i)
                words[side][i] = VFX_POISON_WORD;
        memset(v->ill[row], 0, v->truth.count[row]);
    }
    vfx_ref ref;
    uint64_t start = vfx_clock_ns();
    if (v->measures_single) {
        vfx_ref_view(&ref, &feed->kase, &feed->frame, prev, now, &v->single);
        run_stage(v, stage, stage->f32, &ref);
    }
    vfx_ref_view(&ref, &feed->kase, &feed->frame, prev, now, &v->truth);
    memcpy(ref.ill, v->ill, sizeof ref.ill);
    run_stage(v, stage, stage->f64, &ref);
    v->result->cpu_ns += (double)(vfx_clock_ns() - start);
    check_stage(v, stage, &ref, now);
}

/* With sampling most records are not compared: at least all of them must be written and finite. */
static void scan_results(verifier *v, const vfx_feed *feed, const vfx_host *now)
{
    for (uint32_t row = 0; row < v->kase->kernel->buffer_count && !v->result->failure[0]; ++row) {
        const vfx_buffer *buffer = &v->kase->kernel->buffers[row];
        if (!now->buffer[row] || !vfx_role_is_result(buffer->role))
            continue;
        uint64_t record;
        const vfx_field *bad = vfx_find_unusable(buffer, now->buffer[row], now->count[row], &record);
        if (bad)
            snprintf(v->result->failure, sizeof v->result->failure,
                     "frame %u: buffer '%s', record %llu, field %s was not written or is not finite", feed->frame.index,
                     buffer->name, (unsigned long long)record, bad->name);
    }
}

/* Invariants on the device's frame and on the reference's. */
static void check_invariants(verifier *v, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    vfx_host mixed = *now; /* the reference's outputs where it has them */
    for (uint32_t row = 0; row < v->kase->kernel->buffer_count; ++row)
        if (v->truth.buffer[row])
            mixed.buffer[row] = v->truth.buffer[row];
    const struct {
        const char *whose;
        const vfx_host *host;
    } sides[] = {{"device", now}, {"reference", &mixed}};
    for (uint32_t i = 0; i < VFX_COUNT(sides) && !v->result->failure[0]; ++i) {
        if (i == 1 && v->mode == VFX_STEP_LOCKED)
            break; /* its stages started from the device's buffers: they are no frame of one piece */
        vfx_ref ref;
        char why[512];
        const char *name = NULL;
        vfx_ref_view(&ref, &feed->kase, &feed->frame, prev, sides[i].host, NULL);
        if (!vfx_invariants_check(&ref, &name, why, sizeof why))
            snprintf(v->result->failure, sizeof v->result->failure,
                     "frame %u: invariant '%s' does not hold for the %s: %s", feed->frame.index, name, sides[i].whose,
                     why);
    }
}

static vfx_status advance_references(verifier *v, uint32_t frames)
{
    uint64_t start = vfx_clock_ns();
    bool first = v->truth_feed.frame.index == 0;
    VFX_TRY(vfx_run_cpu(v->kase, &v->truth_feed, &v->truth, frames, true, first));
    VFX_TRY(vfx_run_cpu(v->kase, &v->single_feed, &v->single, frames, false, first));
    v->result->cpu_ns += (double)(vfx_clock_ns() - start);
    return VFX_OK;
}

static void keep_metrics(verifier *v, const vfx_host *now)
{
    const vfx_kernel *kernel = v->kase->kernel;
    uint32_t row = kernel->metrics != NULL ? (uint32_t)(kernel->metrics - kernel->buffers) : 0;
    if (kernel->metrics != NULL && now->buffer[row] != NULL)
        memcpy(v->result->metrics, now->buffer[row], kernel->metrics->stride);
}

static bool measures_single(const verifier *v, uint32_t frame)
{
    uint32_t every = v->request->yardstick_every;
    return v->mode == VFX_FREE_RUN || (every > 0 && (frame - v->request->start_frame - 1) % every == 0);
}

static vfx_status verify_frame(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    verifier *v = user;
    const vfx_kernel *kernel = v->kase->kernel;
    if (feed->frame.index == v->request->start_frame + v->request->frames)
        v->result->hash = vfx_host_hash(v->kase, now);
    keep_metrics(v, now);
    v->measures_single = measures_single(v, feed->frame.index);
    if (v->mode == VFX_REPEAT)
        return VFX_OK;
    if (v->mode == VFX_FREE_RUN)
        VFX_TRY(advance_references(v, feed->frame.index - v->truth_feed.frame.index));
    bool compares = v->mode == VFX_STEP_LOCKED || feed->frame.index <= kernel->free_run_frames;
    for (uint32_t i = 0; i < kernel->stage_count && compares; ++i) {
        const vfx_stage *stage = &kernel->stages[i];
        if (!used_writes(v, stage))
            continue;
        if (v->mode == VFX_STEP_LOCKED) {
            step_locked_stage(v, feed, stage, prev, now);
        } else {
            vfx_ref ref;
            vfx_ref_view(&ref, &feed->kase, &feed->frame, prev, now, &v->truth);
            memcpy(ref.ill, v->ill, sizeof ref.ill); /* of this frame, by the double reference */
            check_stage(v, stage, &ref, now);
        }
    }
    ++v->result->frames;
    if (v->request->sample_items)
        scan_results(v, feed, now);
    if (!v->result->failure[0])
        check_invariants(v, feed, prev, now);
    return v->result->failure[0] ? vfx_fail(VFX_MISMATCH, "%s", v->result->failure) : VFX_OK;
}

/* ------------------------------------------------------------------------------------ the whole run */

static vfx_status make_references(verifier *v)
{
    const vfx_case *kase = v->kase;
    if (v->mode == VFX_REPEAT)
        return VFX_OK;
    uint32_t mask = kase->variant->buffers;
    for (uint32_t row = 0; row < kase->kernel->buffer_count; ++row) {
        vfx_role role = kase->kernel->buffers[row].role;
        if (v->mode == VFX_STEP_LOCKED && (role == VFX_INPUT || role == VFX_FRAME_INPUT || role == VFX_SCRATCH))
            mask &= ~(1u << row);
    }
    VFX_TRY(vfx_host_create(&v->truth, kase, mask));
    VFX_TRY(vfx_host_create(&v->single, kase, v->mode == VFX_FREE_RUN || v->request->yardstick_every > 0 ? mask : 0));
    for (uint32_t row = 0; row < kase->kernel->buffer_count; ++row)
        if (mask >> row & 1) {
            v->ill[row] = calloc(v->truth.count[row] ? v->truth.count[row] : 1, 1);
            if (!v->ill[row])
                return vfx_fail(VFX_MEMORY, "out of memory for the marks of '%s'", kase->kernel->buffers[row].name);
        }
    if (v->mode == VFX_STEP_LOCKED)
        return VFX_OK;
    memcpy(v->truth.ill, v->ill, sizeof v->ill);
    kase->kernel->init(kase, v->truth.buffer, v->truth.image);
    kase->kernel->init(kase, v->single.buffer, v->single.image);
    VFX_TRY(vfx_feed_create(&v->truth_feed, kase, v->request->at));
    return vfx_feed_create(&v->single_feed, kase, v->request->at);
}

/* The second run finds the outputs of frames before where the first found poison: what reads its own output differs. */
static vfx_status compare_hashes(verifier *v, struct vfx_gpu *gpu, const vfx_run_request *request)
{
    uint64_t first = v->result->hash;
    vfx_run_request plain = *request;
    plain.poison = false;
    vfx_run *run;
    VFX_TRY(vfx_run_create(&run, gpu, &plain));
    vfx_status status = vfx_run_gpu(run, verify_frame, v, NULL);
    vfx_run_destroy(run);
    VFX_TRY(status);
    v->result->frames = 2 * request->frames;
    if (v->result->hash == first)
        return VFX_OK;
    snprintf(v->result->failure, sizeof v->result->failure,
             "two runs of %u frames left different bits: hash %016llx, then %016llx", request->frames,
             (unsigned long long)first, (unsigned long long)v->result->hash);
    return vfx_fail(VFX_MISMATCH, "%s", v->result->failure);
}

/* Shares of records let off are judged over the whole run. */
static vfx_status judge_shares(verifier *v)
{
    for (uint32_t i = 0; i < v->kase->kernel->check_count; ++i)
        if (vfx_check_failed(&v->kase->kernel->checks[i], v->kase, &v->result->checks[i])) {
            note_failure(v, i);
            return vfx_fail(VFX_MISMATCH, "%s", v->result->failure);
        }
    return VFX_OK;
}

static vfx_status run_all(verifier *v, struct vfx_gpu *gpu, vfx_run_request *own)
{
    vfx_run *run;
    VFX_TRY(vfx_gpu_supports(gpu, v->kase));
    VFX_TRY(make_references(v));
    VFX_TRY(vfx_run_create(&run, gpu, own));
    vfx_status status = vfx_run_gpu(run, verify_frame, v, NULL);
    if (status == VFX_OK && v->mode == VFX_REPEAT)
        status = compare_hashes(v, gpu, own);
    else if (status == VFX_OK)
        status = judge_shares(v);
    vfx_run_destroy(run);
    if (status == VFX_MISMATCH && !v->result->failure[0])
        snprintf(v->result->failure, sizeof v->result->failure, "%s", vfx_message());
    return status;
}

vfx_status vfx_verify(struct vfx_gpu *gpu, const vfx_run_request *request, vfx_mode mode, vfx_verify_result *result)
{
    *result = (vfx_verify_result){.failed_check = UINT32_MAX};
    vfx_run_request own = *request;
    vfx_case kase = *request->kase;
    if (kase.storage_limit == 0)
        kase.storage_limit = vfx_storage_limit(vfx_gpu_info(gpu));
    own.kase = &kase;
    own.stamps = VFX_STAMPS_NONE;
    own.poison = true;
    own.read_every = mode == VFX_STEP_LOCKED ? 1 : mode == VFX_REPEAT ? 0 : request->read_every;
    verifier v = {.request = &own, .kase = &kase, .mode = mode, .result = result};
    vfx_status status = run_all(&v, gpu, &own);
    vfx_host_destroy(&v.truth);
    vfx_host_destroy(&v.single);
    vfx_feed_destroy(&v.truth_feed);
    vfx_feed_destroy(&v.single_feed);
    for (uint32_t row = 0; row < VFX_MAX_BUFFERS; ++row)
        free(v.ill[row]);
    return status;
}
