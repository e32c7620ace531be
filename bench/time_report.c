/* bench/time_report.c - one launch of a case as JSON. See time_report.h; bench/README.md describes the keys. */
#include "bench/time_report.h"

#include <math.h>
#include <string.h>

double cmd_number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *cmd_text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* Buffer whose records are the items of a case: its first output, else its first state. UINT32_MAX: none. */
static uint32_t item_buffer(const vfx_case *kase)
{
    uint32_t state = UINT32_MAX;
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++) {
        vfx_role role = kase->kernel->buffers[i].role;
        if ((kase->variant->buffers >> i & 1u) == 0)
            continue;
        if (role == VFX_OUTPUT)
            return i;
        if (state == UINT32_MAX && vfx_role_is_state(role))
            state = i;
    }
    return state;
}

/* What a frame does, as declared; how fast that is follows from the launches. */
static void report_work(json_t *block, const vfx_case *kase)
{
    static const char why[] = "nothing declared";
    vfx_traffic traffic = cmd_traffic_of(kase);
    bool fills = traffic.bytes_read <= 0.05 * traffic.bytes_written;
    uint32_t buffer = item_buffer(kase);
    double items = NAN;
    if (buffer != UINT32_MAX)
        items = (double)cmd_case_batches(kase) * (double)kase->kernel->buffers[buffer].count(kase);
    json_t *rates = cmd_json_object(block, "rates");
    cmd_json_number(rates, "bytes_read", traffic.bytes_read, why);
    cmd_json_number(rates, "bytes_written", traffic.bytes_written, why);
    cmd_json_number(rates, "flops", traffic.flops, why);
    cmd_json_text(rates, "ceiling", fills ? "fill" : "copy");
    cmd_json_text(rates, "item", buffer != UINT32_MAX ? kase->kernel->buffers[buffer].name : "");
    cmd_json_number(rates, "items", items, why);
}

/* {"Register Count": 40, ...} in the driver's words. */
static void report_statistics(json_t *pass, const cmd_timing *timing, uint32_t p)
{
    if (timing->statistics == NULL || timing->statistic_count[p] == 0) {
        const char *why = *timing->no_statistics != '\0' ? timing->no_statistics : "the driver has none";
        cmd_json_text(pass, "statistics", NULL);
        cmd_json_text(pass, "statistics_reason", why);
        return;
    }
    json_t *rows = cmd_json_object(pass, "statistics");
    for (uint32_t i = 0; i < timing->statistic_count[p]; i++) {
        const vfx_statistic *row = &timing->statistics[(size_t)p * CMD_STATISTICS + i];
        cmd_json_number(rows, row->name, row->value, "not finite");
    }
}

static void report_passes(json_t *block, const vfx_case *kase, const cmd_timing *timing)
{
    json_t *passes = cmd_json_array(block, "passes");
    for (uint32_t p = 0; p < kase->variant->pass_count; p++) {
        const vfx_pass *row = &kase->variant->passes[p];
        json_t *pass = cmd_json_append(passes);
        cmd_json_text(pass, "name", row->name);
        cmd_json_bool(pass, "once", row->once);
        cmd_json_u32(pass, "workgroup", row->workgroup);
        cmd_json_u32(pass, "repeats", vfx_pass_runs(kase, row));
        report_statistics(pass, timing, p);
    }
}

/* The passes of a launch: medians, and the samples on their way to the case's passes. */
static void report_launch_passes(json_t *launch, const vfx_case *kase, const cmd_timing *timing)
{
    json_t *passes = cmd_json_array(launch, "passes");
    for (uint32_t p = 0; p < timing->pass_count; p++) {
        json_t *pass = cmd_json_append(passes), *samples;
        cmd_json_text(pass, "name", kase->variant->passes[p].name);
        cmd_json_number(pass, "median_ns", timing->pass_ns[p],
                        kase->variant->passes[p].once
                            ? "runs before the first frame, not in it"
                            : "no run had usable stamps around it, or there was no time for one");
        samples = cmd_json_array(pass, "samples_ns");
        for (uint32_t r = 0; r < timing->pass_runs; r++) {
            double ns = timing->pass_samples_ns[(size_t)r * timing->pass_count + p];
            (void)json_array_append_new(samples, isfinite(ns) ? json_real(ns) : json_null());
        }
    }
}

static void report_launch(json_t *launches, const vfx_case *kase, const cmd_timing *timing, uint32_t number,
                          const vfx_ceilings *ceilings)
{
    json_t *launch = cmd_json_append(launches);
    cmd_json_u32(launch, "launch", number);
    cmd_json_number(launch, "median_ns", timing->stats.median, "no usable sample");
    (void)json_object_set_new(launch, "samples_ns", cmd_json_numbers(timing->samples_ns, timing->runs));
    cmd_report_stats(launch, "frame_ns", &timing->stats);
    (void)json_object_set_new(launch, "frame_series_ns", cmd_json_numbers(timing->series_ns, timing->frames));
    report_launch_passes(launch, kase, timing);
    cmd_json_text(launch, "state", cmd_drift_name(timing->drift));
    cmd_json_number(launch, "probe_before_ns", timing->probe_before_ns, "not measured");
    cmd_json_number(launch, "probe_after_ns", timing->probe_after_ns, "not measured");
    if (timing->drift == CMD_POWER_CAPPED) {
        cmd_json_number(launch, "first_50ms_ns", timing->first_ns, "no usable sample");
        cmd_json_number(launch, "sustained_ns", timing->sustained_ns, "no usable sample");
    }
    cmd_json_u32(launch, "runs", timing->runs);
    cmd_json_text(launch, "stop", timing->stop);
    cmd_json_u32(launch, "invalid_intervals", timing->invalid);
    cmd_json_u32(launch, "warmup_runs", timing->warmup_runs);
    cmd_json_number(launch, "warmup_ns", timing->warmup_ns, "not measured");
    cmd_json_number(launch, "gpu_ns", timing->gpu_ns, "not measured");
    cmd_json_number(launch, "wall_ns", timing->wall_ns, "not measured");
    cmd_json_number(launch, "empty_pair_ns", ceilings->empty_pair_ns, "could not be measured");
    cmd_report_ceilings(launch, "ceilings", ceilings);
}

static void report_reading(json_t *object, const char *key, const vfx_reading *reading)
{
    static const char why[] = "the device does not tell";
    json_t *row = cmd_json_object(object, key);
    cmd_json_number(row, "clock_mhz", reading->clock_mhz, why);
    cmd_json_number(row, "memory_mhz", reading->memory_mhz, why);
    cmd_json_number(row, "power_w", reading->power_w, why);
    cmd_json_number(row, "temperature_c", reading->temperature_c, why);
}

static void report_sensors(json_t *launch, const cmd_timing *timing, const char *no_sensors)
{
    if (*no_sensors != '\0') {
        cmd_json_text(launch, "sensors", NULL);
        cmd_json_text(launch, "sensors_reason", no_sensors);
        return;
    }
    json_t *sensors = cmd_json_object(launch, "sensors");
    report_reading(sensors, "before", &timing->before);
    report_reading(sensors, "after", &timing->after);
}

void cmd_time_report(json_t *object, const vfx_case *kase, const cmd_timing *timing, uint32_t launch,
                     const vfx_ceilings *ceilings, bool software, const char *no_sensors)
{
    json_t *block = cmd_json_object(object, "timing");
    cmd_json_text(block, "clock", "gpu");
    cmd_json_text(block, "comparable", software ? "software device, not comparable" : "yes");
    cmd_json_text(block, "sample", "one run of all frames: ns per frame");
    json_t *launches = cmd_json_array(block, "launches");
    report_launch(launches, kase, timing, launch, ceilings);
    report_sensors(json_array_get(launches, 0), timing, no_sensors);
    report_work(block, kase);
    report_passes(block, kase, timing);
    cmd_upload_report(block, &timing->upload);
}
