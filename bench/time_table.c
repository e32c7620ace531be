/* bench/time_table.c - numbers of a timed case for people and for files. */
#include "bench/time_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

/* a / b, NaN unless b is positive. */
static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : (double)NAN;
}

cmd_rates cmd_rates_of(const vfx_case *kase, double median_ns, const vfx_ceilings *ceilings)
{
    cmd_rates rates = {.traffic = cmd_traffic_of(kase), .item = "", .items = NAN};
    double seconds = median_ns / 1e9;
    bool fills = rates.traffic.bytes_read <= 0.05 * rates.traffic.bytes_written;
    rates.bytes = rates.traffic.bytes_read + rates.traffic.bytes_written;
    rates.bytes_per_s = ratio(rates.bytes, seconds);
    rates.flops_per_s = ratio(rates.traffic.flops, seconds);
    rates.ceiling = fills ? "fill" : "copy";
    rates.ceiling_share = ratio(rates.bytes_per_s, fills ? ceilings->fill_bytes_per_s : ceilings->copy_bytes_per_s);
    rates.floor_ns = 1e9 * ratio(rates.bytes, ceilings->copy_bytes_per_s);
    uint32_t buffer = item_buffer(kase);
    if (buffer != UINT32_MAX) {
        rates.item = kase->kernel->buffers[buffer].name;
        rates.items = (double)cmd_case_batches(kase) * (double)kase->kernel->buffers[buffer].count(kase);
    }
    rates.items_per_s = ratio(rates.items, seconds);
    return rates;
}

void cmd_time_implausible(const vfx_case *kase, const cmd_timing *timing, const vfx_ceilings *ceilings, bool noisy,
                          char *text, size_t bytes)
{
    cmd_rates rates = cmd_rates_of(kase, timing->stats.median, ceilings);
    uint32_t longest = 0;
    *text = '\0';
    for (uint32_t p = 1; p < timing->pass_count; p++) {
        if (!(timing->pass_ns[p] <= timing->pass_ns[longest])) /* a NaN gives way */
            longest = isfinite(timing->pass_ns[p]) ? p : longest;
    }
    if (!noisy && timing->pass_count > 0 && timing->stats.median < timing->pass_ns[longest])
        cmd_append(text, bytes, "implausible: a frame of %.4g ms is shorter than its pass %s of %.4g ms",
                   timing->stats.median / 1e6, kase->variant->passes[longest].name, timing->pass_ns[longest] / 1e6);
    if (rates.ceiling_share > 1.2)
        cmd_append(text, bytes, "%s%.4g GB/s are %.2f times what the device's %s reaches, unless a cache holds it all",
                   *text != '\0' ? "; " : "implausible: ", rates.bytes_per_s / 1e9, rates.ceiling_share, rates.ceiling);
}

/* -------------------------------------------------------------------------------------------- table */

vfx_status cmd_time_head(cmd_table *table)
{
    static const char *const head[] = {"case", "ms/frame", "runs",     "IQR %",   "p95 ms",   "GB/frame",
                                       "GB/s", "ceiling",  "floor ms", "items/s", "passes ms"};
    VFX_TRY(cmd_table_row(table));
    for (uint32_t c = 0; c < sizeof head / sizeof *head; c++) {
        VFX_TRY(cmd_table_cell(table, c, head[c]));
        table->right[c] = c >= 1 && c <= 8;
    }
    return VFX_OK;
}

static vfx_status number_cell(cmd_table *table, uint32_t column, const char *format, double value)
{
    char text[64];
    cmd_format_number(format, value, text, sizeof text);
    return cmd_table_cell(table, column, text);
}

/* "update 0.101, mesh 0.234": the passes that run every frame. */
static void format_passes(const vfx_case *kase, const cmd_timing *timing, char *text, size_t bytes)
{
    *text = '\0';
    for (uint32_t p = 0; p < timing->pass_count; p++) {
        char ms[32];
        if (kase->variant->passes[p].once)
            continue;
        cmd_format_number("%.4g", timing->pass_ns[p] / 1e6, ms, sizeof ms);
        cmd_append(text, bytes, "%s%s %s", *text != '\0' ? ", " : "", kase->variant->passes[p].name, ms);
    }
}

vfx_status cmd_time_row(cmd_table *table, const char *name, const vfx_case *kase, const cmd_timing *timing,
                        const vfx_ceilings *ceilings)
{
    cmd_rates rates = cmd_rates_of(kase, timing->stats.median, ceilings);
    char text[512], share[32], items[32];
    VFX_TRY(cmd_table_row(table));
    VFX_TRY(cmd_table_cell(table, 0, name));
    VFX_TRY(number_cell(table, 1, "%.4f", timing->stats.median / 1e6));
    VFX_TRY(number_cell(table, 2, "%.0f", (double)timing->runs));
    double iqr = timing->stats.n > 1 ? vfx_stats_relative_iqr(&timing->stats) : (double)NAN;
    VFX_TRY(number_cell(table, 3, "%.1f", 100.0 * iqr));
    VFX_TRY(number_cell(table, 4, "%.4f", timing->stats.p95 / 1e6));
    VFX_TRY(number_cell(table, 5, "%.4g", rates.bytes / 1e9));
    VFX_TRY(number_cell(table, 6, "%.4g", rates.bytes_per_s / 1e9));
    cmd_format_number("%.0f %%", 100.0 * rates.ceiling_share, share, sizeof share);
    (void)snprintf(text, sizeof text, "%s %s", share, rates.ceiling);
    VFX_TRY(cmd_table_cell(table, 7, text));
    VFX_TRY(number_cell(table, 8, "%.4f", rates.floor_ns / 1e6));
    cmd_format_si(rates.items_per_s, items, sizeof items);
    (void)snprintf(text, sizeof text, "%s %s", items, rates.item);
    VFX_TRY(cmd_table_cell(table, 9, text));
    format_passes(kase, timing, text, sizeof text);
    return cmd_table_cell(table, 10, text);
}

vfx_status cmd_time_upload_cell(cmd_table *table, const cmd_timing *timing)
{
    enum { COLUMN = 11 };
    char text[128];
    cmd_upload_format(&timing->upload, text, sizeof text);
    if (*text == '\0')
        return VFX_OK;
    VFX_TRY(cmd_table_put(table, 0, COLUMN, "upload"));
    return cmd_table_cell(table, COLUMN, text);
}

/* --------------------------------------------------------------------------------------------- JSON */

static void report_rates(json_t *block, const cmd_rates *rates)
{
    static const char why[] = "nothing declared, or no ceiling";
    json_t *object = cmd_json_object(block, "rates");
    cmd_json_number(object, "bytes_read", rates->traffic.bytes_read, why);
    cmd_json_number(object, "bytes_written", rates->traffic.bytes_written, why);
    cmd_json_number(object, "flops", rates->traffic.flops, why);
    cmd_json_number(object, "bytes_per_s", rates->bytes_per_s, why);
    cmd_json_number(object, "flops_per_s", rates->flops_per_s, why);
    cmd_json_text(object, "ceiling", rates->ceiling);
    cmd_json_number(object, "ceiling_share", rates->ceiling_share, why);
    cmd_json_number(object, "floor_ns", rates->floor_ns, why);
    cmd_json_text(object, "item", rates->item);
    cmd_json_number(object, "items", rates->items, why);
    cmd_json_number(object, "items_per_s", rates->items_per_s, why);
}

static void report_passes(json_t *block, const vfx_case *kase, const cmd_timing *timing)
{
    json_t *passes = cmd_json_array(block, "passes");
    for (uint32_t p = 0; p < timing->pass_count; p++) {
        const vfx_pass *row = &kase->variant->passes[p];
        json_t *pass = cmd_json_append(passes);
        cmd_json_text(pass, "name", row->name);
        cmd_json_bool(pass, "once", row->once);
        cmd_json_u32(pass, "workgroup", row->workgroup);
        cmd_json_u32(pass, "repeats", vfx_pass_runs(kase, row));
        cmd_json_number(pass, "median_ns", timing->pass_ns[p],
                        row->once ? "runs before the first frame, not in it" : "no run had usable stamps around it");
        json_t *samples = cmd_json_array(pass, "samples_ns");
        for (uint32_t r = 0; r < timing->pass_runs; r++) {
            double ns = timing->pass_samples_ns[(size_t)r * timing->pass_count + p];
            (void)json_array_append_new(samples, isfinite(ns) ? json_real(ns) : json_null());
        }
    }
}

void cmd_time_report(json_t *object, const vfx_case *kase, const cmd_timing *timing, const vfx_ceilings *ceilings,
                     bool software)
{
    json_t *block = cmd_json_object(object, "timing");
    cmd_json_text(block, "clock", "gpu");
    cmd_json_text(block, "comparable", software ? "software device, not comparable" : "yes");
    cmd_json_text(block, "sample", "one run of all frames: ns per frame");
    cmd_report_stats(block, "frame_ns", &timing->stats);
    (void)json_object_set_new(block, "samples_ns", cmd_json_numbers(timing->samples_ns, timing->runs));
    (void)json_object_set_new(block, "frame_series_ns", cmd_json_numbers(timing->series_ns, timing->frames));
    cmd_json_u32(block, "runs", timing->runs);
    cmd_json_text(block, "stop", timing->stop);
    cmd_json_u32(block, "invalid_intervals", timing->invalid);
    cmd_json_u32(block, "warmup_runs", timing->warmup_runs);
    cmd_json_number(block, "warmup_ns", timing->warmup_ns, "not measured");
    cmd_json_number(block, "gpu_ns", timing->gpu_ns, "not measured");
    cmd_json_number(block, "wall_ns", timing->wall_ns, "not measured");
    cmd_json_number(block, "empty_pair_ns", ceilings->empty_pair_ns, "could not be measured");
    char implausible[512];
    cmd_time_implausible(kase, timing, ceilings, false, implausible, sizeof implausible);
    cmd_json_text(block, "warning", *implausible != '\0' ? implausible : NULL);
    cmd_rates rates = cmd_rates_of(kase, timing->stats.median, ceilings);
    report_rates(block, &rates);
    report_passes(block, kase, timing);
    cmd_upload_report(block, &timing->upload);
}
