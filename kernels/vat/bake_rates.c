/* bake_rates.c - which clips a bake has, at which rates, which of them loop, and their frames. The rates are the only
 * thing that is searched for, and only with max_error: a clip whose temporal error is over it gets twice its rate,
 * again and again, until all clips are under it or the frames run out. */
#include "core/suggest.h"
#include "kernels/vat/bake_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_FPS = 30, LONGEST = 86400; /* LONGEST: s, of a clip */
static const double CLOSED_SHARE = 0.01;               /* of the extent: poses that near make a loop */
static const char REST_POSE[] = "rest pose";

/* ------------------------------------------------------------------------------------------------- clips */

static bool is_named(const char *const names[], uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Every name must be a clip of the model. */
static vfx_status check_names(const vat_model *model, const char *what, const char *const names[], uint32_t count)
{
    const char **known = calloc((size_t)model->clip_count + 1, sizeof *known);
    vfx_status status = known != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for clip names");
    for (uint32_t i = 0; status == VFX_OK && i < model->clip_count; i++)
        known[i] = model->clips[i].name;
    for (uint32_t i = 0; status == VFX_OK && i < count; i++) {
        char hint[512];
        if (is_named(known, model->clip_count, names[i]))
            continue;
        vfx_suggest(names[i], known, model->clip_count, hint, sizeof hint);
        status = vfx_fail(VFX_USAGE, "%s '%s': the model has no such clip; %s", what, names[i],
                          model->clip_count > 0 ? hint : "it has none at all");
    }
    free(known);
    return status;
}

/* The chosen clips in the model's order; the rest pose for a model without any. */
vfx_status vat_choose_clips(vat_bake *bake, const vat_model *model, const vat_bake_options *options)
{
    VFX_TRY(check_names(model, "--clip", options->clip_names, options->clip_name_count));
    if (options->loop == VAT_LOOP_NAMED)
        VFX_TRY(check_names(model, "--loop", options->loop_names, options->loop_name_count));
    bake->clips = calloc((size_t)model->clip_count + 1, sizeof *bake->clips);
    if (bake->clips == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %u clips", model->clip_count);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const vat_model_clip *from = &model->clips[i];
        if (options->clip_name_count > 0 && !is_named(options->clip_names, options->clip_name_count, from->name))
            continue;
        if (!(from->duration <= LONGEST))
            return vfx_fail(VFX_UNSUPPORTED, "clip '%s' lasts %g s; clips of at most %g s are baked", from->name,
                            from->duration, LONGEST);
        vat_clip *clip = &bake->clips[bake->clip_count++];
        memcpy(clip->name, from->name, sizeof clip->name);
        clip->source = (int32_t)i;
        clip->duration = from->duration;
    }
    if (model->clip_count == 0) {
        bake->clips[0].source = VAT_NONE;
        memcpy(bake->clips[0].name, REST_POSE, sizeof REST_POSE);
        bake->clip_count = 1;
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------------- rates */

/* A bake on its way: what is not the bake's. */
typedef struct work {
    const vat_bake_options *options;
    vat_sampler *sampler;
    double *rates;   /* asked of each clip, frames a second */
    double *gaps;    /* of each clip: its last pose from its first, m */
    vat_sum *errors; /* temporal, of each clip, m; count 0: to be measured */
} work;

/* Frames of all clips, for their rates. */
static vfx_status plan_clips(const work *w, vat_bake *bake)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        vat_clip *clip = &bake->clips[i];
        if (!vat_clip_plan(clip, bake->sampling, w->rates[i]))
            return vfx_fail(VFX_UNSUPPORTED, "clip '%s' lasts %g s: at %g frames a second it has over %d frames",
                            clip->name, clip->duration, w->rates[i], VAT_MAX_FRAMES);
        clip->first = (uint32_t)total;
        total += clip->frames;
        if (total > VAT_MAX_FRAMES)
            return vfx_fail(VFX_UNSUPPORTED,
                            "%d frames are not enough for the first %u of %u clips; lower --fps, or choose with --clip",
                            VAT_MAX_FRAMES, i + 1, bake->clip_count);
    }
    bake->frames = (uint32_t)total;
    uint32_t most = w->options->max_frames;
    if (most > 0 && total > most)
        return vfx_fail(VFX_USAGE, "%u frames at these rates, --max-frames is %u", bake->frames, most);
    return VFX_OK;
}

/* (Re)allocates the unquantised frames. */
static vfx_status allocate_frames(vat_bake *bake)
{
    size_t count = (size_t)bake->frames * bake->vertices, bytes = 0, bone_bytes = 0;
    bool fits = vfx_mul_size(bake->frames, bake->vertices, &count) &&
                vfx_mul_size(count, sizeof *bake->positions, &bytes) &&
                vfx_mul_size((size_t)bake->frames * sizeof *bake->bone, bake->bones, &bone_bytes);
    free(bake->positions);
    free(bake->normals);
    free(bake->bone);
    bool bones = bake->joints != NULL;
    bake->positions = fits ? malloc(bytes + 1) : NULL;
    bake->normals = fits ? malloc(bytes + 1) : NULL;
    bake->bone = fits && bones ? malloc(bone_bytes + 1) : NULL;
    if (bake->positions == NULL || bake->normals == NULL || (bones && bake->bone == NULL))
        return vfx_fail(VFX_MEMORY, "out of memory for %u frames of %u vertices", bake->frames, bake->vertices);
    return VFX_OK;
}

/* The source's fixed map cannot hold everything. */
static vfx_status check_range(const work *w, const vat_bake *bake)
{
    double most = 0;
    if (!isfinite(bake->extent))
        return vfx_fail(VFX_UNSUPPORTED, "the model's positions are larger than a float holds");
    const double *least = bake->box_min, *greatest = bake->box_max;
    for (int a = 0; a < 3; a++)
        most = fmax(most, fmax(-least[a], greatest[a]));
    if (bake->format != VAT_RGBA8 || w->options->fit || most <= 1)
        return VFX_OK;
    double fitting = w->sampler->scale / most, unit = pow(10, floor(log10(fitting)) - 2);
    return vfx_fail(
        VFX_USAGE,
        "rgba8 holds positions within -1 .. 1 m; this model spans %.4g .. %.4g, %.4g .. %.4g, %.4g .. %.4g m "
        "(extent %.4g m): add --scale %.3g to shrink it into that range, or --fit to use its bounding box",
        least[0], greatest[0], least[1], greatest[1], least[2], greatest[2], bake->extent,
        floor(fitting / unit) * unit);
}

static void decide_loops(const work *w, vat_bake *bake)
{
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        vat_clip *clip = &bake->clips[i];
        switch (w->options->loop) {
        case VAT_LOOP_AUTO:
            clip->loop = w->gaps[i] <= CLOSED_SHARE * bake->extent;
            break;
        case VAT_LOOP_ALL:
        case VAT_LOOP_NONE:
            clip->loop = w->options->loop == VAT_LOOP_ALL;
            break;
        case VAT_LOOP_NAMED:
            clip->loop = is_named(w->options->loop_names, w->options->loop_name_count, clip->name);
            break;
        }
    }
}

/* Frames of all clips at the present rates, and the temporal errors that are not known yet. */
static vfx_status sample_once(work *w, vat_bake *bake)
{
    VFX_TRY(plan_clips(w, bake));
    VFX_TRY(allocate_frames(bake));
    vat_sample_frames(w->sampler, bake);
    vat_measure_boxes(bake); /* loops are decided by the extent with all end poses */
    VFX_TRY(check_range(w, bake));
    decide_loops(w, bake);
    vat_close_loops(bake);
    vat_measure_boxes(bake);
    for (uint32_t i = 0; i < bake->clip_count; i++)
        if (!(w->errors[i].count > 0) && (w->options->max_error > 0 || !w->options->unmeasured))
            w->errors[i] = vat_measure_temporal(w->sampler, bake, &bake->clips[i]);
    return VFX_OK;
}

/* Doubles the rate of every clip that is over max_error; false when none is. *over: the first one. */
static bool raise_rates(work *w, const vat_bake *bake, uint32_t *over)
{
    bool raised = false;
    for (uint32_t i = bake->clip_count; i-- > 0;) {
        if (!(w->errors[i].worst * 100 > w->options->max_error * bake->extent))
            continue;
        w->rates[i] *= 2;
        w->errors[i] = (vat_sum){w->errors[i].worst, 0, 0}; /* worst: for the message */
        *over = i;
        raised = true;
    }
    return raised;
}

static vfx_status sample(work *w, vat_bake *bake)
{
    VFX_TRY(sample_once(w, bake));
    uint32_t over = 0;
    while (w->options->max_error > 0 && raise_rates(w, bake, &over)) {
        double share = 100 * w->errors[over].worst / bake->extent, rate = w->rates[over] / 2;
        vfx_status status = plan_clips(w, bake);
        if (status == VFX_USAGE || status == VFX_UNSUPPORTED) {
            char reason[256];
            (void)snprintf(reason, sizeof reason, "%s", vfx_message());
            return vfx_fail(VFX_USAGE,
                            "--max-error %g %% is not reached: clip '%s' is at %.3g %% with %g frames a second, and "
                            "twice that is too much (%s)",
                            w->options->max_error, bake->clips[over].name, share, rate, reason);
        }
        VFX_TRY(status);
        VFX_TRY(sample_once(w, bake));
    }
    return VFX_OK;
}

static void store_errors(const work *w, vat_bake *bake)
{
    vat_sum all = {0};
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        vat_clip *clip = &bake->clips[i];
        clip->temporal = vat_sum_error(&w->errors[i], bake->extent);
        double gap = bake->sampling == VAT_CLOSED ? w->gaps[i] : vat_measure_jump(bake, clip);
        clip->loop_closure = bake->extent > 0 ? gap / bake->extent : 0;
        if (clip->loop)
            bake->loop_closure = fmax(bake->loop_closure, clip->loop_closure);
        vat_sum_join(&all, &w->errors[i]);
    }
    bake->temporal = vat_sum_error(&all, bake->extent);
}

vfx_status vat_sample_clips(vat_bake *bake, vat_sampler *sampler, const vat_bake_options *options)
{
    size_t count = bake->clip_count;
    work w = {options, sampler, calloc(count, sizeof *w.rates), calloc(count, sizeof *w.gaps),
              calloc(count, sizeof *w.errors)};
    vfx_status status = VFX_OK;
    if (w.rates == NULL || w.gaps == NULL || w.errors == NULL)
        status = vfx_fail(VFX_MEMORY, "out of memory for %u clips", bake->clip_count);
    for (uint32_t i = 0; status == VFX_OK && i < bake->clip_count; i++) {
        w.rates[i] = options->fps > 0 ? options->fps : DEFAULT_FPS;
        w.gaps[i] = vat_measure_closure(sampler, &bake->clips[i]);
    }
    if (status == VFX_OK)
        status = sample(&w, bake);
    if (status == VFX_OK)
        store_errors(&w, bake);
    free(w.rates);
    free(w.gaps);
    free(w.errors);
    return status;
}
