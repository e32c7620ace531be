/* bench/html_data.c - reading result files, and what is known of a case by itself. */
#include "bench/html_data.h"
#include "bench/report.h"
#include "bench/states.h"
#include "core/platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 200 }; /* bytes of an id that are shown */
static const size_t max_file_bytes = (size_t)512 << 20;
static const char no_data[] = "no data";

/* ------------------------------------------------------------------------------------------- values */

double cmd_html_number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *cmd_html_text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

const json_t *cmd_html_array_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_array(value) ? value : NULL;
}

double cmd_html_count_at(const json_t *object, const char *key)
{
    const char *text = cmd_html_text_at(object, key);
    char *end = NULL;
    if (text == NULL)
        return cmd_html_number_at(object, key);
    double value = strtod(text, &end);
    return *text >= '0' && *text <= '9' && *end == '\0' && isfinite(value) ? value : (double)NAN;
}

double *cmd_html_numbers_of(const json_t *array, size_t *count)
{
    size_t bytes, size = json_array_size(array);
    *count = 0;
    if (size == 0 || !vfx_mul_size(size, sizeof(double), &bytes))
        return NULL;
    double *numbers = malloc(bytes);
    for (size_t i = 0; numbers != NULL && i < size; i++) {
        const json_t *value = json_array_get(array, i);
        if (json_is_number(value) && isfinite(json_number_value(value)))
            numbers[(*count)++] = json_number_value(value);
    }
    return numbers;
}

static const char *text_or(const json_t *object, const char *key)
{
    const char *text = cmd_html_text_at(object, key);
    return text != NULL && *text != '\0' ? text : no_data;
}

/* ------------------------------------------------------------------------------------------- timing */

size_t cmd_html_launch_count(const cmd_html_entry *entry)
{
    size_t launches = json_array_size(cmd_html_array_at(entry->timing, "launches"));
    return launches > 0 ? launches : entry->timing != NULL ? 1 : 0;
}

const json_t *cmd_html_launch_samples(const cmd_html_entry *entry, size_t launch)
{
    const json_t *launches = cmd_html_array_at(entry->timing, "launches");
    const json_t *holder = json_array_size(launches) > 0 ? json_array_get(launches, launch) : entry->timing;
    return cmd_html_array_at(holder, "samples_ns");
}

double cmd_html_launch_median(const cmd_html_entry *entry, size_t launch)
{
    const json_t *launches = cmd_html_array_at(entry->timing, "launches");
    if (json_array_size(launches) == 0)
        return entry->median;
    return cmd_html_number_at(json_array_get(launches, launch), "median_ns");
}

/* What the file says; from the samples where it says nothing. */
static void read_times(cmd_html_entry *entry)
{
    const json_t *stats = json_object_get(entry->timing, "frame_ns");
    vfx_stats of = {0};
    size_t count;
    double *samples = cmd_html_numbers_of(cmd_html_launch_samples(entry, 0), &count);
    (void)vfx_stats_of(samples, count, &of);
    free(samples);
    const struct {
        const char *key;
        double *value;
        double otherwise;
    } rows[] = {{"median", &entry->median, of.median}, {"min", &entry->min, of.min}, {"p25", &entry->p25, of.p25},
                {"p75", &entry->p75, of.p75},          {"p95", &entry->p95, of.p95}, {"max", &entry->max, of.max}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = cmd_html_number_at(stats, rows[i].key);
        value = isfinite(value) ? value : rows[i].otherwise;
        *rows[i].value = entry->timing != NULL && value > 0.0 ? value : (double)NAN;
    }
}

/* ------------------------------------------------------------------------------------------ entries */

/* Cuts the id at its first two slashes. */
static vfx_status split_name(cmd_html_entry *entry)
{
    static const char dash[] = "-";
    const char *id = cmd_html_text_at(entry->object, "id");
    size_t length = strlen(id != NULL ? id : no_data);
    length = length > MAX_NAME ? MAX_NAME : length;
    entry->name = calloc(1, length + 1);
    if (entry->name == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
    memcpy(entry->name, id != NULL ? id : no_data, length);
    char *first = strchr(entry->name, '/');
    char *second = first != NULL ? strchr(first + 1, '/') : NULL;
    entry->family = entry->name;
    entry->variant = first != NULL ? first + 1 : dash;
    entry->preset = second != NULL ? second + 1 : dash;
    if (first != NULL)
        *first = '\0';
    if (second != NULL)
        *second = '\0';
    return VFX_OK;
}

static bool is_bad(const char *state)
{
    static const cmd_state good[] = {CMD_STATE_PASS, CMD_STATE_EXPECTED_FAIL, CMD_STATE_UNSUPPORTED, CMD_STATE_SKIPPED};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (strcmp(state, cmd_state_name(good[i])) == 0)
            return false;
    }
    return true;
}

/* All of the case that makes it another when it changes. */
static json_t *facts_of(const json_t *object)
{
    static const char *const blocks[] = {"parameters", "host_parameters"};
    static const char *const singles[] = {"frames", "dt", "seed", "workgroup", "shaders", "at"};
    json_t *facts = json_object();
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (json_is_object(json_object_get(object, blocks[i])))
            (void)json_object_update_missing(facts, json_object_get(object, blocks[i]));
    }
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        json_t *value = json_object_get(object, singles[i]);
        if (value != NULL)
            (void)json_object_set(facts, singles[i], value);
    }
    const json_t *golden = json_object_get(object, "golden"); /* a case has several: one a view and frame */
    static const char *const picture[] = {"view", "frame"};
    for (size_t i = 0; i < sizeof picture / sizeof *picture; i++) {
        if (json_object_get(golden, picture[i]) != NULL)
            (void)json_object_set(facts, picture[i], json_object_get(golden, picture[i]));
    }
    return facts;
}

static vfx_status read_entry(cmd_html_entry *entry)
{
    const json_t *timing = json_object_get(entry->object, "timing");
    VFX_TRY(split_name(entry));
    entry->state = text_or(entry->object, "state");
    entry->reason = cmd_html_text_at(entry->object, "reason");
    entry->bad = is_bad(entry->state);
    entry->facts = facts_of(entry->object);
    entry->timing = json_is_object(timing) ? timing : NULL;
    read_times(entry);
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------ results */

static vfx_status parse(cmd_html_result *result)
{
    void *text;
    size_t bytes;
    json_error_t error;
    uint32_t version;
    json_t *cases;
    VFX_TRY(vfx_read_file(result->path, max_file_bytes, &text, &bytes));
    result->root = json_loadb(text, bytes, 0, &error);
    free(text);
    if (result->root == NULL)
        return vfx_fail(VFX_IO, "%s: not valid JSON, line %d: %s", result->path, error.line, error.text);
    if (!json_is_object(result->root))
        return vfx_fail(VFX_IO, "%s: not a result file of vfxbench: it holds no object", result->path);
    VFX_TRY(cmd_json_get_u32(result->root, result->path, "schema_version", &version));
    if (version < 1 || version > CMD_SCHEMA_VERSION) /* 1 has no launches */
        return vfx_fail(VFX_IO, "%s: schema version %u, but this program reads 1 to %d", result->path,
                        (unsigned)version, CMD_SCHEMA_VERSION);
    VFX_TRY(cmd_json_get_array(result->root, result->path, "cases", &cases));
    const json_t *device = json_object_get(result->root, "device");
    const json_t *ceilings = json_object_get(result->root, "ceilings");
    result->git = text_or(json_object_get(result->root, "tool"), "git");
    result->verb = text_or(result->root, "verb");
    result->device = text_or(device, "name");
    result->driver = text_or(device, "driver");
    result->ceilings = json_is_object(ceilings) ? ceilings : NULL;
    return VFX_OK;
}

/* Numbers the distinct devices and git ids. */
static void number_results(cmd_html_data *data)
{
    for (uint32_t i = 0; i < data->result_count; i++) {
        cmd_html_result *result = &data->results[i];
        result->device_index = data->device_count;
        result->commit_index = data->commit_count;
        for (uint32_t j = 0; j < i; j++) {
            const cmd_html_result *other = &data->results[j];
            if (strcmp(other->device, result->device) == 0 && strcmp(other->driver, result->driver) == 0)
                result->device_index = other->device_index;
            if (strcmp(other->git, result->git) == 0)
                result->commit_index = other->commit_index;
        }
        data->device_count += result->device_index == data->device_count;
        data->commit_count += result->commit_index == data->commit_count;
    }
}

static vfx_status read_entries(cmd_html_data *data)
{
    size_t total = 0;
    for (uint32_t i = 0; i < data->result_count; i++)
        total += json_array_size(json_object_get(data->results[i].root, "cases"));
    if (total > UINT32_MAX / 2)
        return vfx_fail(VFX_MEMORY, "too many cases for one report");
    data->entries = calloc(total > 0 ? total : 1, sizeof *data->entries);
    if (data->entries == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
    for (uint32_t i = 0; i < data->result_count; i++) {
        const json_t *cases = json_object_get(data->results[i].root, "cases");
        for (size_t c = 0; c < json_array_size(cases); c++) {
            cmd_html_entry *entry = &data->entries[data->entry_count];
            entry->order = data->entry_count++;
            entry->object = json_array_get(cases, c);
            entry->result = &data->results[i];
            VFX_TRY(read_entry(entry));
        }
    }
    return VFX_OK;
}

vfx_status cmd_html_load(cmd_html_data *data, const cmd_values *paths)
{
    memset(data, 0, sizeof *data);
    data->results = calloc(paths->count > 0 ? paths->count : 1, sizeof *data->results);
    if (data->results == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the results of a report");
    for (uint32_t i = 0; i < paths->count; i++) {
        data->results[i].path = paths->items[i];
        data->result_count = i + 1;
        VFX_TRY(parse(&data->results[i]));
    }
    number_results(data);
    VFX_TRY(read_entries(data));
    return cmd_html_index(data);
}

void cmd_html_data_free(cmd_html_data *data)
{
    for (uint32_t i = 0; i < data->entry_count; i++) {
        free(data->entries[i].name);
        free(data->entries[i].key);
        free(data->entries[i].extra);
        json_decref(data->entries[i].facts);
    }
    for (uint32_t i = 0; i < data->result_count; i++)
        json_decref(data->results[i].root);
    free(data->results);
    free(data->entries);
    free(data->order);
    free(data->by_key);
    free(data->families);
    memset(data, 0, sizeof *data);
}
