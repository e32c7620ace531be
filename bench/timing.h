/* bench/timing.h - the sampling of one case: warm up, run until the numbers are steady, keep every sample. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include "bench/session.h"
#include "bench/upload.h"
#include "core/gpu_drift.h"
#include "core/platform_sensors.h"
#include "core/stats.h"

enum { CMD_MAX_RUNS = 1000, CMD_SERIES_RUNS = 15, CMD_STATISTICS = 24 };

/* When to stop. */
typedef struct cmd_timing_rule {
    uint32_t min_runs;
    double min_gpu_ns;   /* of all samples */
    double warmup_ns;    /* of continuous GPU work before the first sample */
    double relative_iqr; /* steady at or below */
    double median_move;  /* stable at or below: how far the median has moved, as a share, while the runs doubled */
    double cap_ns;       /* wall time, warm-up included: wins over everything above */
} cmd_timing_rule;

/* What is known after some runs. */
typedef struct cmd_timing_progress {
    uint32_t runs;
    double gpu_ns, wall_ns;
    double relative_iqr;
    double median_move; /* NaN: the runs have not doubled yet */
} cmd_timing_progress;

/* What the drift probe says about a launch: it agreed with itself within CMD_DRIFT, or not, or (hardware only) the
 * device became slower under the case's load. */
typedef enum cmd_drift_state { CMD_STEADY, CMD_UNSTABLE, CMD_POWER_CAPPED } cmd_drift_state;
#define CMD_DRIFT 0.03

typedef struct cmd_timing {
    double *samples_ns; /* one per run: ns per frame, the mean over its frames; NaN where a stamp was unusable */
    uint32_t runs;
    double *series_ns; /* `frames` values: median over the first CMD_SERIES_RUNS runs of each frame's own time */
    uint32_t frames;
    vfx_stats stats;                /* of samples_ns */
    double pass_ns[VFX_MAX_PASSES]; /* ns per frame, median over the runs with stamps around passes; NaN: none */
    vfx_statistic *statistics;      /* CMD_STATISTICS rows per pass; NULL: none */
    uint32_t statistic_count[VFX_MAX_PASSES];
    char no_statistics[256]; /* why there are none */
    double *pass_samples_ns; /* pass_runs * pass_count */
    uint32_t pass_count, pass_runs;
    uint32_t warmup_runs;
    double warmup_ns, gpu_ns, wall_ns;      /* GPU time of the warm-ups and of the samples; wall time of it all */
    double probe_before_ns, probe_after_ns; /* the drift probe around the samples; NaN: not measured */
    vfx_reading before, after;              /* sensors, after the warm-up and after the last sample */
    cmd_drift_state drift;
    double first_ns, sustained_ns;          /* medians of the samples within the first 50 ms, and of the last half */
    uint32_t invalid;                       /* intervals that were not usable */
    cmd_upload upload;                      /* filled by cmd_upload_measure, after the times */
    unsigned char metrics[VFX_MAX_METRICS]; /* of the last frame of the last sample, see vfx_kernel.metrics */
    const char *stop;                       /* why sampling ended, see cmd_timing_stop */
} cmd_timing;

/* Should sampling stop? Returns the reason, or NULL to go on: "cap" (wall time), "runs" (CMD_MAX_RUNS); with the least
 * runs and GPU time met, "steady" (the samples' relative IQR) or "stable" (the median stays where it is). */
const char *cmd_timing_stop(const cmd_timing_rule *rule, const cmd_timing_progress *progress);

/* Is this a number of runs at which to compare the median with that of the first half? Twice as many each time,
 * beginning with twice rule->min_runs, or 8: a median that is looked at after every run would be still by chance. */
bool cmd_timing_doubled(const cmd_timing_rule *rule, uint32_t runs);

/* What is asked about the device's clock before and after the samples, each may be NULL; and afterwards. */
typedef struct cmd_probes {
    vfx_drift *drift;
    vfx_sensors *sensors;
    bool statistics; /* ask the driver's compiler about the passes too */
} cmd_probes;

/* State of a launch from its two probes; NaN says nothing and is steady. */
cmd_drift_state cmd_drift_of(double before_ns, double after_ns, bool software);
const char *cmd_drift_name(cmd_drift_state state); /* "steady", "unstable", "power-capped" */

/* Has the device been idle for so long that it must be warmed up again? Clock times in ns. */
bool cmd_timing_cooled(uint64_t busy_until, uint64_t now);

/* Times the case, whose asset is loaded. After the first, fourth, seventh... sample comes a run
 * with stamps around its passes, which is no sample. cmd_timing_free in any case. */
vfx_status cmd_timing_run(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase,
                          const cmd_timing_rule *rule, const cmd_probes *probes, cmd_timing *timing) VFX_MUST_USE;
void cmd_timing_free(cmd_timing *timing);

/* Declared compulsory traffic of a frame: the passes that run every frame, times their repeats. */
vfx_traffic cmd_traffic_of(const vfx_case *kase);

#endif
