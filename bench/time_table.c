/* bench/time_table.c - see time_table.h. */
#include "bench/time_table.h"
#include "bench/time_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------- table */

vfx_status cmd_time_head(cmd_table *table)
{
    static const char *const head[] = {"case",     "ms/frame", "launches", "spread %", "runs",    "IQR %",    "p95 ms",
                                       "GB/frame", "GB/s",     "ceiling",  "floor ms", "items/s", "passes ms"};
    VFX_TRY(cmd_table_row(table));
    for (uint32_t c = 0; c < sizeof head / sizeof *head; c++) {
        VFX_TRY(cmd_table_cell(table, c, head[c]));
        table->right[c] = c >= 1 && c <= 10;
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
static void format_passes(const json_t *timing, char *text, size_t bytes)
{
    const json_t *passes = json_object_get(timing, "passes");
    *text = '\0';
    for (size_t p = 0; p < json_array_size(passes); p++) {
        const json_t *pass = json_array_get(passes, p);
        char ms[32];
        if (json_is_true(json_object_get(pass, "once")))
            continue;
        cmd_format_number("%.4g", cmd_number_at(pass, "median_ns") / 1e6, ms, sizeof ms);
        cmd_append(text, bytes, "%s%s %s", *text != '\0' ? ", " : "", cmd_text_at(pass, "name"), ms);
    }
}

/* "tentacle/ring/ci (3 batches)" */
static void format_name(const json_t *object, char *text, size_t bytes)
{
    double batches = cmd_number_at(object, "batches");
    cmd_copy(text, bytes, cmd_text_at(object, "id"));
    if (batches > 1.0)
        cmd_append(text, bytes, " (%.0f batches)", batches);
}

/* The columns that follow from what was declared, from column 7 on. */
static vfx_status rate_cells(cmd_table *table, const json_t *rates)
{
    char text[512], share[32], items[32];
    double bytes = cmd_number_at(rates, "bytes_read") + cmd_number_at(rates, "bytes_written");
    VFX_TRY(number_cell(table, 7, "%.4g", bytes / 1e9));
    VFX_TRY(number_cell(table, 8, "%.4g", cmd_number_at(rates, "bytes_per_s") / 1e9));
    cmd_format_number("%.0f %%", 100.0 * cmd_number_at(rates, "ceiling_share"), share, sizeof share);
    (void)snprintf(text, sizeof text, "%s %s", share, cmd_text_at(rates, "ceiling"));
    VFX_TRY(cmd_table_cell(table, 9, text));
    VFX_TRY(number_cell(table, 10, "%.4f", cmd_number_at(rates, "floor_ns") / 1e6));
    cmd_format_si(cmd_number_at(rates, "items_per_s"), items, sizeof items);
    (void)snprintf(text, sizeof text, "%s %s", items, cmd_text_at(rates, "item"));
    return cmd_table_cell(table, 11, text);
}

vfx_status cmd_time_row(cmd_table *table, const json_t *object)
{
    const json_t *timing = json_object_get(object, "timing"), *stats = json_object_get(timing, "frame_ns");
    char text[512];
    VFX_TRY(cmd_table_row(table));
    format_name(object, text, sizeof text);
    VFX_TRY(cmd_table_cell(table, 0, text));
    VFX_TRY(number_cell(table, 1, "%.4f", cmd_number_at(timing, "median_ns") / 1e6));
    VFX_TRY(number_cell(table, 2, "%.0f", (double)json_array_size(json_object_get(timing, "launches"))));
    VFX_TRY(number_cell(table, 3, "%.1f", 100.0 * cmd_number_at(timing, "launch_spread")));
    VFX_TRY(number_cell(table, 4, "%.0f", cmd_number_at(timing, "runs")));
    double iqr = cmd_number_at(timing, "runs") > 1.0 ? cmd_number_at(stats, "relative_iqr") : (double)NAN;
    VFX_TRY(number_cell(table, 5, "%.1f", 100.0 * iqr));
    VFX_TRY(number_cell(table, 6, "%.4f", cmd_number_at(stats, "p95") / 1e6));
    VFX_TRY(rate_cells(table, json_object_get(timing, "rates")));
    format_passes(timing, text, sizeof text);
    return cmd_table_cell(table, 12, text);
}

void cmd_time_upload_format(const json_t *object, char *text, size_t bytes)
{
    const json_t *upload = json_object_get(json_object_get(object, "timing"), "upload");
    char host[32], gpu[32], size[32];
    uint64_t count = 0;
    *text = '\0';
    if (!json_is_object(upload) || cmd_json_get_u64(upload, "upload", "bytes", &count) != VFX_OK)
        return;
    cmd_format_number("%.3g", cmd_number_at(json_object_get(upload, "host_ms"), "median"), host, sizeof host);
    cmd_format_number("%.3g", cmd_number_at(json_object_get(upload, "gpu_ms"), "median"), gpu, sizeof gpu);
    cmd_format_si((double)count, size, sizeof size);
    cmd_append(text, bytes, "%s ms host, %s ms GPU, %s%sB (%s)", host, gpu, size, count < 1000 ? " " : "",
               cmd_text_at(upload, "mode"));
}

vfx_status cmd_time_upload_cell(cmd_table *table, const json_t *object)
{
    enum { COLUMN = 13 };
    char text[128];
    cmd_time_upload_format(object, text, sizeof text);
    if (*text == '\0')
        return VFX_OK;
    VFX_TRY(cmd_table_put(table, 0, COLUMN, "upload"));
    return cmd_table_cell(table, COLUMN, text);
}

/* -------------------------------------------------------------------------------------------- lines */

/* The launches whose clock moved, and what a capped one began with. */
static void say_drift(const cmd_session *session, const json_t *object)
{
    const json_t *timing = json_object_get(object, "timing"), *launches = json_object_get(timing, "launches");
    const char *state = cmd_text_at(timing, "state");
    if (strcmp(state, "steady") == 0)
        return;
    size_t marked = 0, count = json_array_size(launches);
    char capped[128] = "";
    for (size_t i = 0; i < count; i++) {
        const json_t *launch = json_array_get(launches, i);
        marked += strcmp(cmd_text_at(launch, "state"), "steady") != 0;
        if (strcmp(cmd_text_at(launch, "state"), "power-capped") == 0)
            (void)snprintf(capped, sizeof capped, "; launch %.0f: %.4g ms in the first 50 ms, %.4g ms sustained",
                           cmd_number_at(launch, "launch"), cmd_number_at(launch, "first_50ms_ns") / 1e6,
                           cmd_number_at(launch, "sustained_ns") / 1e6);
    }
    cmd_say(session, false, "%s  %s: the drift probe changed by more than %.0f %% in %zu of %zu launches%s\n",
            cmd_text_at(object, "id"), state, 100.0 * CMD_DRIFT, marked, count, capped);
}

void cmd_time_say(const cmd_session *session, const json_t *object)
{
    const json_t *timing = json_object_get(object, "timing"), *work = json_object_get(object, "work");
    bool software = strcmp(cmd_text_at(timing, "comparable"), "yes") != 0;
    const char *id = cmd_text_at(object, "id");
    char text[512], amount[32];
    cmd_time_implausible(timing, software, text, sizeof text);
    if (*text != '\0')
        cmd_say(session, true, "%s  %s\n", id, text);
    if (!software)
        say_drift(session, object);
    cmd_format_si(cmd_number_at(work, "units"), amount, sizeof amount);
    if (work != NULL)
        cmd_say(session, false, "%s  %.3g ps per %s (%s in a frame)\n", id, cmd_number_at(work, "ps_each"),
                cmd_text_at(work, "unit"), amount);
    const json_t *cpu = json_object_get(object, "cpu");
    if (cpu != NULL)
        cmd_say(session, false,
                "%s  CPU reference %.4g ms/frame (one thread, plain loops): the device is %.3g times as fast\n", id,
                cmd_number_at(cpu, "frame_ns") / 1e6, cmd_number_at(cpu, "gpu_is_faster_by"));
    cmd_time_upload_format(object, text, sizeof text);
    if (*text != '\0' && !session->options->md)
        cmd_say(session, false, "%s  upload: %s\n", id, text);
}
