/* bench/timing.c - sampling. Pipelines and memory are made before the warm-up, and nothing but runs happens between the
 * warm-up and the last sample, because an idle GPU lowers its clock. */
#include "bench/timing.h"
#include "bench/figures.h"
#include "core/platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The two runs of a case: whole frames are stamped in one, every pass in the other. */
typedef struct sampler {
    const cmd_session *session;
    const cmd_timing_rule *rule;
    const char *name;
    const vfx_pass *passes;
    cmd_timing *timing;
    vfx_run *frame_run, *pass_run;
    const cmd_probes *probes;
    double *series;      /* CMD_SERIES_RUNS rows of `frames` */
    uint64_t begin;      /* clock at the start */
    uint64_t busy_until; /* clock at the end of the device's last work */
} sampler;

const char *cmd_timing_stop(const cmd_timing_rule *rule, const cmd_timing_progress *progress)
{
    if (progress->runs >= 1 && progress->wall_ns >= rule->cap_ns)
        return "cap";
    if (progress->runs >= CMD_MAX_RUNS)
        return "runs";
    if (progress->runs < rule->min_runs || progress->gpu_ns < rule->min_gpu_ns)
        return NULL;
    if (progress->relative_iqr <= rule->relative_iqr)
        return "steady";
    return progress->median_move <= rule->median_move ? "stable" : NULL;
}

bool cmd_timing_doubled(const cmd_timing_rule *rule, uint32_t runs)
{
    uint32_t at = rule->min_runs > 4 ? 2 * rule->min_runs : 8;
    while (at < runs)
        at *= 2;
    return at == runs;
}

cmd_drift_state cmd_drift_of(double before_ns, double after_ns, bool software)
{
    double change = (after_ns - before_ns) / before_ns;
    if (!(fabs(change) > CMD_DRIFT))
        return CMD_STEADY;
    return change > 0.0 && !software ? CMD_POWER_CAPPED : CMD_UNSTABLE;
}

const char *cmd_drift_name(cmd_drift_state state)
{
    static const char *const names[] = {"steady", "unstable", "power-capped"};
    return names[state];
}

bool cmd_timing_cooled(uint64_t busy_until, uint64_t now)
{
    return now > busy_until && now - busy_until > UINT64_C(1000000000);
}

vfx_traffic cmd_traffic_of(const vfx_case *kase)
{
    vfx_traffic sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < kase->variant->pass_count; i++) {
        const vfx_pass *pass = &kase->variant->passes[i];
        if (pass->once || pass->traffic == NULL)
            continue;
        double repeats = (double)vfx_pass_runs(kase, pass);
        vfx_traffic traffic = pass->traffic(kase);
        sum.bytes_read += repeats * traffic.bytes_read;
        sum.bytes_written += repeats * traffic.bytes_written;
        sum.flops += repeats * traffic.flops;
    }
    return sum;
}

static double sum_of(const double *values, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static double elapsed_ns(const sampler *s)
{
    return (double)(vfx_clock_ns() - s->begin);
}

/* At least one run and rule->warmup_ns of GPU time; the host's time stands in where stamps are not usable. */
static vfx_status warm_up(sampler *s)
{
    cmd_timing *timing = s->timing;
    double warm = 0.0;
    do {
        vfx_run_times times = {0};
        cmd_progress(s->session, "time %s: warm-up", s->name);
        vfx_status status = vfx_run_gpu(s->frame_run, NULL, NULL, &times);
        double gpu = status == VFX_OK ? sum_of(times.frame_ns, times.frames) : 0.0;
        warm += isfinite(gpu) ? gpu : times.host_ns;
        timing->warmup_runs++;
        vfx_run_times_free(&times);
        VFX_TRY(status);
    } while (warm < s->rule->warmup_ns && elapsed_ns(s) < s->rule->cap_ns);
    timing->warmup_ns += warm;
    s->busy_until = vfx_clock_ns();
    return VFX_OK;
}

/* Again after a pause of the host (a stopped process, a suspended machine): an idle device lowers its clock. */
static vfx_status keep_warm(sampler *s)
{
    return cmd_timing_cooled(s->busy_until, vfx_clock_ns()) ? warm_up(s) : VFX_OK;
}

static vfx_status take_sample(sampler *s)
{
    cmd_timing *timing = s->timing;
    vfx_run_times times = {0};
    vfx_status status = vfx_run_gpu(s->frame_run, NULL, NULL, &times);
    if (status == VFX_OK && times.frames == timing->frames) {
        double gpu = sum_of(times.frame_ns, times.frames);
        timing->samples_ns[timing->runs] = gpu / (double)times.frames;
        timing->gpu_ns += isfinite(gpu) ? gpu : 0.0;
        timing->invalid += times.invalid;
        if (timing->runs < CMD_SERIES_RUNS)
            memcpy(s->series + (size_t)timing->runs * times.frames, times.frame_ns,
                   times.frames * sizeof *times.frame_ns);
        timing->runs++;
    } else if (status == VFX_OK) {
        status = vfx_fail(VFX_VULKAN, "%s: %" PRIu32 " frames were timed instead of %" PRIu32, s->name, times.frames,
                          timing->frames);
    }
    vfx_run_times_free(&times);
    s->busy_until = vfx_clock_ns();
    return status;
}

/* One run with stamps around the passes: a row of ns per frame and pass. */
static vfx_status take_passes(sampler *s)
{
    cmd_timing *timing = s->timing;
    vfx_run_times times = {0};
    vfx_status status = vfx_run_gpu(s->pass_run, NULL, NULL, &times);
    if (status == VFX_OK && times.pass_ns != NULL && times.pass_count == timing->pass_count) {
        double *row = timing->pass_samples_ns + (size_t)timing->pass_runs * timing->pass_count;
        for (uint32_t p = 0; p < timing->pass_count; p++) {
            double sum = 0.0, usable = 0.0;
            for (uint32_t f = 0; f < times.frames; f++) {
                double ns = times.pass_ns[(size_t)f * timing->pass_count + p];
                sum += isfinite(ns) ? ns : 0.0;
                usable += isfinite(ns) ? 1.0 : 0.0;
            }
            bool timed = usable > 0.0 && !s->passes[p].once; /* those run outside the frames */
            row[p] = timed ? sum / usable : (double)NAN;
        }
        timing->pass_runs++;
    }
    vfx_run_times_free(&times);
    return status;
}

/* How far the median of all samples is from that of their first half, as a share. */
static vfx_status median_move(const cmd_timing *timing, double *move)
{
    vfx_stats half;
    if (!vfx_stats_of(timing->samples_ns, timing->runs / 2, &half))
        return vfx_fail(VFX_MEMORY, "out of memory for statistics");
    *move = fabs(timing->stats.median - half.median) / half.median;
    return VFX_OK;
}

static vfx_status take_all(sampler *s)
{
    cmd_timing *timing = s->timing;
    double iqr = INFINITY;
    while (timing->stop == NULL) {
        cmd_progress(s->session, "time %s: run %" PRIu32 ", relative IQR %.1f %%", s->name, timing->runs + 1,
                     isfinite(iqr) ? 100.0 * iqr : 100.0);
        VFX_TRY(keep_warm(s));
        VFX_TRY(take_sample(s));
        if (timing->runs % 3 == 1 && s->pass_run != NULL && elapsed_ns(s) < s->rule->cap_ns)
            VFX_TRY(take_passes(s));
        if (!vfx_stats_of(timing->samples_ns, timing->runs, &timing->stats))
            return vfx_fail(VFX_MEMORY, "%s: out of memory for statistics", s->name);
        iqr = vfx_stats_relative_iqr(&timing->stats);
        cmd_timing_progress progress = {timing->runs, timing->gpu_ns, elapsed_ns(s), iqr, NAN};
        if (cmd_timing_doubled(s->rule, timing->runs))
            VFX_TRY(median_move(timing, &progress.median_move));
        timing->stop = cmd_timing_stop(s->rule, &progress);
    }
    return VFX_OK;
}

/* The samples between two probes, which see the clock that the samples saw. */
static vfx_status take_between_probes(sampler *s)
{
    cmd_timing *timing = s->timing;
    timing->probe_before_ns = timing->probe_after_ns = NAN;
    timing->before = vfx_sensors_read(s->probes->sensors);
    if (s->probes->drift != NULL)
        VFX_TRY(vfx_drift_measure(s->probes->drift, &timing->probe_before_ns));
    VFX_TRY(take_all(s));
    if (s->probes->drift != NULL)
        VFX_TRY(vfx_drift_measure(s->probes->drift, &timing->probe_after_ns));
    timing->after = vfx_sensors_read(s->probes->sensors);
    bool software = vfx_gpu_info(s->session->gpu)->type == VFX_DEVICE_CPU;
    timing->drift = cmd_drift_of(timing->probe_before_ns, timing->probe_after_ns, software);
    return VFX_OK;
}

/* Medians of the samples of the first 50 ms of GPU time (at least one) and of the last half. */
static vfx_status compare_ends(cmd_timing *timing)
{
    double gpu_ns = 0.0;
    uint32_t first = 0;
    vfx_stats stats;
    while (first < timing->runs && (first == 0 || gpu_ns < 50e6))
        gpu_ns += timing->samples_ns[first++] * (double)timing->frames;
    if (!vfx_stats_of(timing->samples_ns, first, &stats))
        return vfx_fail(VFX_MEMORY, "out of memory for statistics");
    timing->first_ns = stats.median;
    uint32_t half = timing->runs / 2;
    if (!vfx_stats_of(timing->samples_ns + half, timing->runs - half, &stats))
        return vfx_fail(VFX_MEMORY, "out of memory for statistics");
    timing->sustained_ns = stats.median;
    return VFX_OK;
}

/* Medians of the series and of the passes. */
static vfx_status summarise(sampler *s)
{
    cmd_timing *timing = s->timing;
    double column[CMD_MAX_RUNS];
    vfx_stats stats;
    uint32_t kept = timing->runs < CMD_SERIES_RUNS ? timing->runs : CMD_SERIES_RUNS;
    for (uint32_t f = 0; f < timing->frames; f++) {
        for (uint32_t r = 0; r < kept; r++)
            column[r] = s->series[(size_t)r * timing->frames + f];
        if (!vfx_stats_of(column, kept, &stats))
            return vfx_fail(VFX_MEMORY, "%s: out of memory for statistics", s->name);
        timing->series_ns[f] = stats.median;
    }
    for (uint32_t p = 0; p < timing->pass_count; p++) {
        for (uint32_t r = 0; r < timing->pass_runs; r++)
            column[r] = timing->pass_samples_ns[(size_t)r * timing->pass_count + p];
        if (!vfx_stats_of(column, timing->pass_runs, &stats))
            return vfx_fail(VFX_MEMORY, "%s: out of memory for statistics", s->name);
        timing->pass_ns[p] = stats.median;
    }
    return compare_ends(timing);
}

/* Registers and the like of every pass, as far as the driver tells; no time depends on it. */
static vfx_status take_statistics(sampler *s)
{
    cmd_timing *timing = s->timing;
    timing->statistics = calloc((size_t)timing->pass_count * CMD_STATISTICS, sizeof *timing->statistics);
    if (timing->statistics == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for statistics", s->name);
    for (uint32_t p = 0; p < timing->pass_count; p++) {
        vfx_status status = vfx_run_statistics(s->frame_run, p, timing->statistics + (size_t)p * CMD_STATISTICS,
                                               CMD_STATISTICS, &timing->statistic_count[p]);
        if (status == VFX_LOST || status == VFX_MEMORY)
            return status;
        if (status != VFX_OK)
            (void)snprintf(timing->no_statistics, sizeof timing->no_statistics, "%.255s", vfx_message());
    }
    return VFX_OK;
}

/* All memory and both runs, before any work is submitted. */
static vfx_status prepare(sampler *s, const vfx_run_request *request)
{
    cmd_timing *timing = s->timing;
    size_t series;
    if (!vfx_mul_size(timing->frames, CMD_SERIES_RUNS, &series))
        return vfx_fail(VFX_MEMORY, "%s: too many frames to time", s->name);
    timing->samples_ns = calloc(CMD_MAX_RUNS, sizeof *timing->samples_ns);
    timing->pass_samples_ns = calloc((size_t)CMD_MAX_RUNS * timing->pass_count, sizeof *timing->pass_samples_ns);
    timing->series_ns = calloc(timing->frames, sizeof *timing->series_ns);
    s->series = calloc(series, sizeof *s->series);
    if (timing->samples_ns == NULL || timing->pass_samples_ns == NULL || timing->series_ns == NULL || s->series == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for samples", s->name);
    vfx_run_request stamped = *request;
    stamped.stamps = VFX_STAMPS_FRAME;
    VFX_TRY(vfx_run_create(&s->frame_run, s->session->gpu, &stamped));
    stamped.stamps = VFX_STAMPS_PASS;
    vfx_status status = vfx_run_create(&s->pass_run, s->session->gpu, &stamped);
    if (status == VFX_MEMORY || status == VFX_UNSUPPORTED)
        return VFX_OK; /* no room for a second set of buffers: the frame times stand alone */
    return status;
}

vfx_status cmd_timing_run(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase,
                          const cmd_timing_rule *rule, const cmd_probes *probes, cmd_timing *timing)
{
    memset(timing, 0, sizeof *timing);
    timing->frames = kase->frames;
    timing->pass_count = kase->variant->pass_count;
    vfx_override overrides[CMD_MAX_SHADERS];
    vfx_run_request request = cmd_session_request(session, kase, &entry->at, overrides);
    sampler s = {.session = session,
                 .rule = rule,
                 .name = entry->name,
                 .passes = kase->variant->passes,
                 .timing = timing,
                 .probes = probes};
    vfx_status status = prepare(&s, &request);
    s.begin = vfx_clock_ns();
    if (status == VFX_OK)
        status = warm_up(&s);
    if (status == VFX_OK)
        status = take_between_probes(&s);
    if (status == VFX_OK)
        status = summarise(&s);
    if (status == VFX_OK && cmd_figures_row(kase) != UINT32_MAX)
        status = vfx_run_read(s.frame_run, cmd_figures_row(kase), timing->metrics);
    timing->wall_ns = elapsed_ns(&s);
    if (status == VFX_OK && probes->statistics)
        status = take_statistics(&s);
    vfx_run_destroy(s.pass_run);
    vfx_run_destroy(s.frame_run);
    free(s.series);
    return status;
}

void cmd_timing_free(cmd_timing *timing)
{
    free(timing->samples_ns);
    free(timing->pass_samples_ns);
    free(timing->series_ns);
    free(timing->statistics);
    memset(timing, 0, sizeof *timing);
}
