/* bench/report_csv.c - the result document as comma-separated values (RFC 4180). */
#include "bench/grow.h"
#include "bench/report_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OF_VERIFY = 1, OF_TIME = 2, OF_BOTH = 3 };

/* A column and where its value is; a member behind each dot, "#" counts an array. */
static const struct {
    const char *name, *path;
    int verbs;
} columns[] = {
    {"id", "id", OF_BOTH},
    {"state", "state", OF_BOTH},
    {"reason", "reason", OF_BOTH},
    {"frames", "frames", OF_BOTH},
    {"dt_s", "dt", OF_BOTH},
    {"seed", "seed", OF_BOTH},
    {"host_wall_ns", "host_wall_ns", OF_BOTH},
    {"mode", "mode", OF_VERIFY},
    {"frames_compared", "frames_compared", OF_VERIFY},
    {"checks", "checks.#", OF_VERIFY},
    {"sweeps", "sweeps.#", OF_VERIFY},
    {"hash", "hash", OF_VERIFY},
    {"cpu_reference_ns", "cpu_reference_ns", OF_VERIFY},
    {"checked", "checked", OF_TIME},
    {"median_ns", "timing.median_ns", OF_TIME},
    {"launch_spread", "timing.launch_spread", OF_TIME},
    {"launches", "timing.launches.#", OF_TIME},
    {"launches_lost", "launches_lost.#", OF_TIME},
    {"clock_state", "timing.state", OF_TIME},
    {"runs", "timing.runs", OF_TIME},
    {"stop", "timing.stop", OF_TIME},
    {"min_ns", "timing.frame_ns.min", OF_TIME},
    {"p25_ns", "timing.frame_ns.p25", OF_TIME},
    {"pooled_median_ns", "timing.frame_ns.median", OF_TIME},
    {"p75_ns", "timing.frame_ns.p75", OF_TIME},
    {"p95_ns", "timing.frame_ns.p95", OF_TIME},
    {"p99_ns", "timing.frame_ns.p99", OF_TIME},
    {"max_ns", "timing.frame_ns.max", OF_TIME},
    {"mad_ns", "timing.frame_ns.mad", OF_TIME},
    {"mean_ns", "timing.frame_ns.mean", OF_TIME},
    {"stdev_ns", "timing.frame_ns.stdev", OF_TIME},
    {"relative_iqr", "timing.frame_ns.relative_iqr", OF_TIME},
    {"bytes_read", "timing.rates.bytes_read", OF_TIME},
    {"bytes_written", "timing.rates.bytes_written", OF_TIME},
    {"flops", "timing.rates.flops", OF_TIME},
    {"bytes_per_s", "timing.rates.bytes_per_s", OF_TIME},
    {"flops_per_s", "timing.rates.flops_per_s", OF_TIME},
    {"ceiling", "timing.rates.ceiling", OF_TIME},
    {"ceiling_share", "timing.rates.ceiling_share", OF_TIME},
    {"floor_ns", "timing.rates.floor_ns", OF_TIME},
    {"item", "timing.rates.item", OF_TIME},
    {"items", "timing.rates.items", OF_TIME},
    {"items_per_s", "timing.rates.items_per_s", OF_TIME},
    {"empty_pair_ns", "timing.empty_pair_ns", OF_TIME},
    {"upload_host_ms", "timing.upload.host_ms.median", OF_TIME},
    {"upload_gpu_ms", "timing.upload.gpu_ms.median", OF_TIME},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static void add_text(cmd_grow *csv, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        cmd_grow_text(csv, text);
        return;
    }
    cmd_grow_text(csv, "\"");
    for (const char *c = text; *c != '\0'; c++)
        cmd_grow_bytes(csv, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    cmd_grow_text(csv, "\"");
}

static void add_value(cmd_grow *csv, const json_t *object, const char *path)
{
    const json_t *value = object;
    for (const char *at = path; *at != '\0' && *at != '#';) {
        char key[32];
        size_t length = strcspn(at, ".");
        memcpy(key, at, length);
        key[length] = '\0';
        value = json_object_get(value, key);
        at += length + (at[length] == '.');
    }
    if (path[strlen(path) - 1] == '#')
        cmd_grow_format(csv, "%zu", json_array_size(value));
    else if (json_is_integer(value))
        cmd_grow_format(csv, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        cmd_grow_format(csv, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        cmd_grow_text(csv, json_is_true(value) ? "true" : "false");
    else if (json_is_string(value))
        add_text(csv, json_string_value(value));
}

/* Names of the case's parameters become columns of their own where there are axes. */
static void add_axes(cmd_grow *csv, const json_t *report, const json_t *object)
{
    const json_t *first = json_array_get(json_object_get(report, "cases"), 0);
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(first, "axes"), name, value)
    {
        const char *text =
            object != NULL ? json_string_value(json_object_get(json_object_get(object, "axes"), name)) : name;
        cmd_grow_text(csv, ",");
        add_text(csv, text != NULL ? text : "");
    }
}

/* One row; the heading for NULL. */
static void add_row(cmd_grow *csv, const json_t *report, const json_t *object, int verb)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if ((columns[i].verbs & verb) == 0)
            continue;
        if (i > 0)
            cmd_grow_text(csv, ",");
        if (object == NULL)
            add_text(csv, columns[i].name);
        else
            add_value(csv, object, columns[i].path);
    }
    add_axes(csv, report, object);
    cmd_grow_text(csv, "\r\n");
}

vfx_status cmd_report_csv(const json_t *report, char **text)
{
    const char *verb = json_string_value(json_object_get(report, "verb"));
    int of = verb != NULL && strcmp(verb, "time") == 0 ? OF_TIME : OF_VERIFY;
    const json_t *cases = json_object_get(report, "cases");
    cmd_grow csv = {0};
    add_row(&csv, report, NULL, of);
    for (size_t i = 0; i < json_array_size(cases); i++)
        add_row(&csv, report, json_array_get(cases, i), of);
    *text = csv.text;
    if (!csv.failed)
        return VFX_OK;
    free(csv.text);
    *text = NULL;
    return vfx_fail(VFX_MEMORY, "out of memory for the result as CSV");
}
