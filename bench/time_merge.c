/* bench/time_merge.c - the launches of a case put together, at the level of the JSON that they report. See
 * time_report.h. */
#include "bench/text.h"
#include "bench/time_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of all launches in a row. Zeroed is empty; free(values). */
typedef struct numbers {
    double *values;
    size_t count;
} numbers;

static vfx_status add_numbers(numbers *list, const json_t *array)
{
    size_t more = json_array_size(array), count, bytes;
    if (!vfx_add_size(list->count, more, &count) || !vfx_mul_size(count + 1, sizeof *list->values, &bytes))
        return vfx_fail(VFX_MEMORY, "too many samples");
    double *grown = realloc(list->values, bytes);
    if (grown == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the samples of all launches");
    list->values = grown;
    for (size_t i = 0; i < more; i++) {
        const json_t *value = json_array_get(array, i);
        list->values[list->count++] = json_is_number(value) ? json_number_value(value) : (double)NAN;
    }
    return VFX_OK;
}

/* Statistics of a few numbers; all NaN if memory is out. */
static vfx_stats stats_of(const double *values, size_t count)
{
    vfx_stats stats;
    (void)vfx_stats_of(values, count, &stats);
    return stats;
}

/* values[i] = launches[i][key], NaN where it is no number; returns how many there are. */
static size_t column(const json_t *launches, const char *key, double values[CMD_MAX_LAUNCHES])
{
    size_t count = json_array_size(launches);
    for (size_t i = 0; i < count && i < CMD_MAX_LAUNCHES; i++)
        values[i] = cmd_number_at(json_array_get(launches, i), key);
    return count < CMD_MAX_LAUNCHES ? count : CMD_MAX_LAUNCHES;
}

static double median_of(const json_t *launches, const char *key)
{
    double values[CMD_MAX_LAUNCHES];
    return stats_of(values, column(launches, key, values)).median;
}

static double sum_of(const json_t *launches, const char *key)
{
    double values[CMD_MAX_LAUNCHES], sum = 0.0;
    size_t count = column(launches, key, values);
    for (size_t i = 0; i < count; i++)
        sum += isfinite(values[i]) ? values[i] : 0.0;
    return sum;
}

/* The gravest text under a key, where `order` counts up to NULL. */
static const char *gravest(const json_t *launches, const char *key, const char *const order[])
{
    size_t worst = 0;
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const char *text = cmd_text_at(json_array_get(launches, i), key);
        for (size_t k = 0; order[k] != NULL; k++)
            worst = strcmp(order[k], text) == 0 && k > worst ? k : worst;
    }
    return order[worst];
}

bool cmd_time_join(json_t *into, const json_t *from)
{
    json_t *launches = json_object_get(json_object_get(into, "timing"), "launches");
    json_t *launch = json_array_get(json_object_get(json_object_get(from, "timing"), "launches"), 0);
    return json_is_array(launches) && launch != NULL && json_array_size(launches) < CMD_MAX_LAUNCHES &&
           json_array_append(launches, launch) == 0;
}

/* ------------------------------------------------------------------------------------------- parts */

static vfx_status pool_samples(json_t *timing, const json_t *launches)
{
    numbers all = {0};
    vfx_stats stats;
    vfx_status status = VFX_OK;
    for (size_t i = 0; status == VFX_OK && i < json_array_size(launches); i++)
        status = add_numbers(&all, json_object_get(json_array_get(launches, i), "samples_ns"));
    if (status == VFX_OK && !vfx_stats_of(all.values, all.count, &stats))
        status = vfx_fail(VFX_MEMORY, "out of memory for statistics");
    if (status == VFX_OK) {
        cmd_report_stats(timing, "frame_ns", &stats);
        (void)json_object_set_new(timing, "samples_ns", cmd_json_numbers(all.values, all.count));
    }
    free(all.values);
    return status;
}

/* The series of the frames: of each frame the median over the launches, which need it no more. */
static vfx_status merge_series(json_t *timing, const json_t *launches)
{
    size_t frames = json_array_size(json_object_get(json_array_get(launches, 0), "frame_series_ns")), bytes;
    double *series = vfx_mul_size(frames + 1, sizeof *series, &bytes) ? malloc(bytes) : NULL;
    if (series == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a series of %zu frames", frames);
    for (size_t f = 0; f < frames; f++) {
        double values[CMD_MAX_LAUNCHES];
        size_t count = json_array_size(launches);
        for (size_t i = 0; i < count && i < CMD_MAX_LAUNCHES; i++) {
            const json_t *value = json_array_get(json_object_get(json_array_get(launches, i), "frame_series_ns"), f);
            values[i] = json_is_number(value) ? json_number_value(value) : (double)NAN;
        }
        series[f] = stats_of(values, count).median;
    }
    (void)json_object_set_new(timing, "frame_series_ns", cmd_json_numbers(series, frames));
    free(series);
    for (size_t i = 0; i < json_array_size(launches); i++)
        (void)json_object_del(json_array_get(launches, i), "frame_series_ns");
    return VFX_OK;
}

static vfx_status merge_pass(json_t *pass, size_t p, const json_t *launches)
{
    double values[CMD_MAX_LAUNCHES];
    numbers all = {0};
    size_t count = json_array_size(launches);
    const char *why = "no launch had usable stamps around it";
    for (size_t i = 0; i < count && i < CMD_MAX_LAUNCHES; i++) {
        json_t *own = json_array_get(json_object_get(json_array_get(launches, i), "passes"), p);
        values[i] = cmd_number_at(own, "median_ns");
        why = *cmd_text_at(own, "median_ns_reason") != '\0' ? cmd_text_at(own, "median_ns_reason") : why;
        vfx_status status = add_numbers(&all, json_object_get(own, "samples_ns"));
        (void)json_object_del(own, "samples_ns");
        if (status != VFX_OK) {
            free(all.values);
            return status;
        }
    }
    cmd_json_number(pass, "median_ns", stats_of(values, count).median, why);
    (void)json_object_set_new(pass, "samples_ns", cmd_json_numbers(all.values, all.count));
    free(all.values);
    return VFX_OK;
}

/* The share of the ceiling that the same launch measured; the median of the launches'. */
static double ceiling_share(const json_t *launches, const char *key, double bytes)
{
    double shares[CMD_MAX_LAUNCHES];
    size_t count = column(launches, "median_ns", shares);
    for (size_t i = 0; i < count; i++) {
        double ceiling = cmd_number_at(json_object_get(json_array_get(launches, i), "ceilings"), key);
        shares[i] = ceiling > 0.0 && shares[i] > 0.0 ? bytes / (shares[i] * 1e-9) / ceiling : (double)NAN;
    }
    return stats_of(shares, count).median;
}

static double ceiling_of(const json_t *launches, const char *key)
{
    double values[CMD_MAX_LAUNCHES];
    size_t count = json_array_size(launches) < CMD_MAX_LAUNCHES ? json_array_size(launches) : CMD_MAX_LAUNCHES;
    for (size_t i = 0; i < count; i++) {
        values[i] = cmd_number_at(json_object_get(json_array_get(launches, i), "ceilings"), key);
        values[i] = values[i] > 0.0 ? values[i] : (double)NAN;
    }
    return stats_of(values, count).median;
}

static void merge_rates(json_t *timing, const json_t *launches, double median_ns)
{
    static const char why[] = "nothing declared, or no ceiling";
    json_t *rates = json_object_get(timing, "rates");
    double seconds = median_ns > 0.0 ? median_ns * 1e-9 : (double)NAN;
    double bytes = cmd_number_at(rates, "bytes_read") + cmd_number_at(rates, "bytes_written");
    bool fills = strcmp(cmd_text_at(rates, "ceiling"), "fill") == 0;
    cmd_json_number(rates, "bytes_per_s", bytes / seconds, why);
    cmd_json_number(rates, "flops_per_s", cmd_number_at(rates, "flops") / seconds, why);
    cmd_json_number(rates, "ceiling_share",
                    ceiling_share(launches, fills ? "fill_bytes_per_s" : "copy_bytes_per_s", bytes), why);
    cmd_json_number(rates, "floor_ns", 1e9 * bytes / ceiling_of(launches, "copy_bytes_per_s"), why);
    cmd_json_number(rates, "items_per_s", cmd_number_at(rates, "items") / seconds, why);
}

void cmd_time_implausible(const json_t *timing, bool noisy, char *text, size_t bytes)
{
    const json_t *passes = json_object_get(timing, "passes"), *rates = json_object_get(timing, "rates");
    const json_t *longest = NULL;
    double frame = cmd_number_at(timing, "median_ns"), pass = 0.0, share = cmd_number_at(rates, "ceiling_share");
    *text = '\0';
    for (size_t p = 0; p < json_array_size(passes); p++) {
        double ns = cmd_number_at(json_array_get(passes, p), "median_ns");
        if (ns > pass) {
            pass = ns;
            longest = json_array_get(passes, p);
        }
    }
    if (!noisy && frame < pass)
        cmd_append(text, bytes, "implausible: a frame of %.4g ms is shorter than its pass %s of %.4g ms", frame / 1e6,
                   cmd_text_at(longest, "name"), pass / 1e6);
    if (share > 1.2)
        cmd_append(text, bytes, "%s%.4g GB/s are %.2f times what the device's %s reaches, unless a cache holds it all",
                   *text != '\0' ? "; " : "implausible: ", cmd_number_at(rates, "bytes_per_s") / 1e9, share,
                   cmd_text_at(rates, "ceiling"));
}

/* ------------------------------------------------------------------------------------------- whole */

static void merge_totals(json_t *timing, const json_t *launches)
{
    static const char *const stops[] = {"steady", "stable", "runs", "cap", NULL};
    static const char *const states[] = {"steady", "unstable", "power-capped", NULL};
    double medians[CMD_MAX_LAUNCHES];
    vfx_stats stats = stats_of(medians, column(launches, "median_ns", medians));
    double spread = stats.n > 1 ? (stats.max - stats.min) / stats.median : (double)NAN;
    cmd_json_number(timing, "median_ns", stats.median, "no usable sample");
    cmd_json_number(timing, "launch_spread", spread, "fewer than two launches");
    cmd_json_text(timing, "state", gravest(launches, "state", states));
    cmd_json_u32(timing, "runs", (uint32_t)sum_of(launches, "runs"));
    cmd_json_text(timing, "stop", gravest(launches, "stop", stops));
    cmd_json_u32(timing, "invalid_intervals", (uint32_t)sum_of(launches, "invalid_intervals"));
    cmd_json_u32(timing, "warmup_runs", (uint32_t)sum_of(launches, "warmup_runs"));
    cmd_json_number(timing, "warmup_ns", sum_of(launches, "warmup_ns"), "not measured");
    cmd_json_number(timing, "gpu_ns", sum_of(launches, "gpu_ns"), "not measured");
    cmd_json_number(timing, "wall_ns", sum_of(launches, "wall_ns"), "not measured");
    cmd_json_number(timing, "empty_pair_ns", median_of(launches, "empty_pair_ns"), "could not be measured");
}

vfx_status cmd_time_finish(json_t *object)
{
    json_t *timing = json_object_get(object, "timing");
    const json_t *launches = json_object_get(timing, "launches");
    if (json_array_size(launches) == 0)
        return VFX_OK;
    merge_totals(timing, launches);
    VFX_TRY(pool_samples(timing, launches));
    VFX_TRY(merge_series(timing, launches));
    json_t *passes = json_object_get(timing, "passes"), *work = json_object_get(object, "work");
    for (size_t p = 0; p < json_array_size(passes); p++)
        VFX_TRY(merge_pass(json_array_get(passes, p), p, launches));
    double median_ns = cmd_number_at(timing, "median_ns");
    merge_rates(timing, launches, median_ns);
    if (work != NULL)
        cmd_json_number(work, "ps_each", 1e3 * median_ns / cmd_number_at(work, "units"), "no usable sample");
    json_t *cpu = json_object_get(object, "cpu");
    if (cpu != NULL)
        cmd_json_number(cpu, "gpu_is_faster_by", cmd_number_at(cpu, "frame_ns") / median_ns, "no CPU time");
    char implausible[512];
    cmd_time_implausible(timing, false, implausible, sizeof implausible);
    cmd_json_text(timing, "warning", *implausible != '\0' ? implausible : NULL);
    return VFX_OK;
}
