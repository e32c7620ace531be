/* bench/timing.h - the sampling of one case: warm up, run until the numbers are steady, keep every sample. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include "bench/session.h"
#include "bench/upload.h"
#include "core/stats.h"

enum { CMD_MAX_RUNS = 1000, CMD_SERIES_RUNS = 15 };

/* When to stop. */
typedef struct cmd_timing_rule {
    uint32_t min_runs;
    double min_gpu_ns;   /* of all samples */
    double warmup_ns;    /* of continuous GPU work before the first sample */
    double relative_iqr; /* steady at or below */
    double cap_ns;       /* wall time, warm-up included: wins over everything above */
} cmd_timing_rule;

typedef struct cmd_timing {
    double *samples_ns; /* one per run: ns per frame, the mean over its frames; NaN where a stamp was unusable */
    uint32_t runs;
    double *series_ns; /* `frames` values: median over the first CMD_SERIES_RUNS runs of each frame's own time */
    uint32_t frames;
    vfx_stats stats;                /* of samples_ns */
    double pass_ns[VFX_MAX_PASSES]; /* ns per frame, median over the runs with stamps around passes; NaN: none */
    double *pass_samples_ns;        /* pass_runs * pass_count */
    uint32_t pass_count, pass_runs;
    uint32_t warmup_runs;
    double warmup_ns, gpu_ns, wall_ns;      /* GPU time of the warm-up and of the samples; wall time of it all */
    uint32_t invalid;                       /* intervals that were not usable */
    cmd_upload upload;                      /* filled by cmd_upload_measure, after the times */
    unsigned char metrics[VFX_MAX_METRICS]; /* of the last frame of the last sample, see vfx_kernel.metrics */
    const char *stop;                       /* why sampling ended: "steady", "cap", "runs" */
} cmd_timing;

/* Should sampling stop after `runs` samples? Returns the reason, or NULL to go on. */
const char *cmd_timing_stop(const cmd_timing_rule *rule, uint32_t runs, double gpu_ns, double wall_ns,
                            double relative_iqr);

/* Times the case, whose asset is loaded. After the first, fourth, seventh... sample comes a run
 * with stamps around its passes, which is no sample. cmd_timing_free in any case. */
vfx_status cmd_timing_run(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase,
                          const cmd_timing_rule *rule, cmd_timing *timing) VFX_MUST_USE;
void cmd_timing_free(cmd_timing *timing);

/* Declared compulsory traffic of a frame: the passes that run every frame, times their repeats. */
vfx_traffic cmd_traffic_of(const vfx_case *kase);

#endif
