/* bench/result.c - see result.h. */
#include "bench/result.h"
#include "bench/text.h"
#include "core/platform.h"
#include "core/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RESULT_BYTES = 1 << 28, WHERE_BYTES = 512, ID_BYTES = 256, MAX_PASSES = 256 };

/* Times within it leave room for ratios and products. */
static const double least_ns = 1e-3, most_ns = 1e15;

double cmd_result_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *cmd_result_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || (unsigned char)c == 0x7f;
}

void cmd_make_plain(char *text)
{
    for (; *text != '\0'; text++)
        *text = is_control(*text) ? '?' : *text;
}

/* Text that is printed: no control characters. */
static vfx_status get_plain(const json_t *object, const char *where, const char *key, const char **text)
{
    VFX_TRY(cmd_json_get_text(object, where, key, text));
    for (const char *c = *text; *c != '\0'; c++) {
        if (is_control(*c))
            return vfx_fail(VFX_IO, "%s: \"%s\" holds control characters", where, key);
    }
    return VFX_OK;
}

static vfx_status get_bool(const json_t *object, const char *where, const char *key, bool *value)
{
    const json_t *found = json_object_get(object, key);
    *value = json_is_true(found);
    return json_is_boolean(found) ? VFX_OK : vfx_fail(VFX_IO, "%s: \"%s\" is missing or not true or false", where, key);
}

/* A time; NaN for null, which writers put where there was none. */
static vfx_status get_ns(const json_t *object, const char *where, const char *key, double *ns)
{
    const json_t *found = json_object_get(object, key);
    *ns = (double)NAN;
    if (json_is_null(found))
        return VFX_OK;
    VFX_TRY(cmd_json_get_number(object, where, key, ns));
    return *ns >= least_ns && *ns <= most_ns
               ? VFX_OK
               : vfx_fail(VFX_IO, "%s: \"%s\" is %.6g, not a time of %g to %g ns", where, key, *ns, least_ns, most_ns);
}

/* An object of texts, as parameters are. */
static vfx_status check_texts(const json_t *object, const char *where, const char *key)
{
    json_t *rows, *value;
    const char *name;
    VFX_TRY(cmd_json_get_object(object, where, key, &rows));
    json_object_foreach(rows, name, value)
    {
        if (!json_is_string(value))
            return vfx_fail(VFX_IO, "%s: %s of \"%s\" is not text", where, name, key);
    }
    return VFX_OK;
}

/* ---------------------------------------------------------------------------------------- launches */

static vfx_status take_state(cmd_result_case *kase, const json_t *launch, const char *where)
{
    const char *state;
    VFX_TRY(cmd_json_get_text(launch, where, "state", &state));
    if (strcmp(state, "unstable") == 0)
        kase->unstable++;
    else if (strcmp(state, "power-capped") == 0)
        kase->capped++;
    else if (strcmp(state, "steady") != 0)
        return vfx_fail(VFX_IO, "%s: \"state\" is '%.40s', not steady, unstable or power-capped", where, state);
    return VFX_OK;
}

/* What the launches say of the device, two readings each: before and after. */
typedef struct readings {
    double probe[2 * VFX_RANK_MOST], clock[2 * VFX_RANK_MOST];
    uint32_t probe_count, clock_count;
} readings;

static vfx_status take_readings(const json_t *launch, const char *where, readings *read)
{
    static const char *const probes[] = {"probe_before_ns", "probe_after_ns"}, *const times[] = {"before", "after"};
    const json_t *sensors = json_object_get(launch, "sensors");
    for (size_t i = 0; i < 2; i++) {
        double ns = (double)NAN, mhz = cmd_result_number(json_object_get(sensors, times[i]), "clock_mhz");
        if (json_object_get(launch, probes[i]) != NULL)
            VFX_TRY(get_ns(launch, where, probes[i], &ns));
        if (!isnan(ns))
            read->probe[read->probe_count++] = ns;
        if (mhz > 0.0)
            read->clock[read->clock_count++] = mhz;
    }
    return VFX_OK;
}

static vfx_status take_launch(cmd_result_case *kase, const json_t *launch, const char *where, readings *read)
{
    double ns;
    VFX_TRY(get_ns(launch, where, "median_ns", &ns));
    VFX_TRY(take_state(kase, launch, where));
    if (isnan(ns))
        kase->unusable++;
    else
        kase->launch_ns[kase->launch_count++] = ns;
    return take_readings(launch, where, read);
}

static vfx_status take_launches(cmd_result_case *kase, const json_t *timing, const char *where)
{
    json_t *launches;
    readings read = {.probe_count = 0};
    VFX_TRY(cmd_json_get_array(timing, where, "launches", &launches));
    size_t count = json_array_size(launches);
    if (count < 1 || count > VFX_RANK_MOST)
        return vfx_fail(VFX_IO, "%s: \"launches\" has %zu rows, not 1 to %d", where, count, VFX_RANK_MOST);
    for (size_t i = 0; i < count; i++) {
        char inner[WHERE_BYTES + 64];
        const json_t *launch = json_array_get(launches, i);
        (void)snprintf(inner, sizeof inner, "%s: launches[%zu]", where, i);
        if (!json_is_object(launch))
            return vfx_fail(VFX_IO, "%s is not an object", inner);
        VFX_TRY(take_launch(kase, launch, inner, &read));
    }
    vfx_stats probe, clock;
    if (!vfx_stats_of(read.probe, read.probe_count, &probe) || !vfx_stats_of(read.clock, read.clock_count, &clock))
        return vfx_fail(VFX_MEMORY, "%s: out of memory", where);
    kase->probe_ns = probe.median;
    kase->clock_mhz = clock.median;
    return VFX_OK;
}

static vfx_status take_passes(cmd_result_case *kase, const json_t *timing, const char *where)
{
    json_t *passes;
    VFX_TRY(cmd_json_get_array(timing, where, "passes", &passes));
    if (json_array_size(passes) > MAX_PASSES)
        return vfx_fail(VFX_IO, "%s: \"passes\" has %zu rows, at most %d are read", where, json_array_size(passes),
                        MAX_PASSES);
    for (size_t i = 0; i < json_array_size(passes); i++) {
        char inner[WHERE_BYTES + 64];
        const char *name;
        double ns;
        const json_t *pass = json_array_get(passes, i);
        (void)snprintf(inner, sizeof inner, "%s: passes[%zu]", where, i);
        VFX_TRY(get_plain(pass, inner, "name", &name));
        VFX_TRY(get_ns(pass, inner, "median_ns", &ns));
    }
    kase->passes = passes;
    return VFX_OK;
}

/* The block "timing": launches, or in old files the one launch that there was. */
static vfx_status take_timing(cmd_result_case *kase, const char *where)
{
    char inner[WHERE_BYTES + 32];
    json_t *timing, *frame;
    (void)snprintf(inner, sizeof inner, "%s: timing", where);
    VFX_TRY(cmd_json_get_object(kase->object, where, "timing", &timing));
    if (json_object_get(timing, "launches") != NULL) {
        VFX_TRY(take_launches(kase, timing, inner));
    } else {
        VFX_TRY(cmd_json_get_object(timing, inner, "frame_ns", &frame));
        (void)snprintf(inner, sizeof inner, "%s: timing.frame_ns", where);
        VFX_TRY(get_ns(frame, inner, "median", &kase->launch_ns[0]));
        kase->launch_count = isnan(kase->launch_ns[0]) ? 0u : 1u;
        kase->unusable = 1 - kase->launch_count;
        (void)snprintf(inner, sizeof inner, "%s: timing", where);
    }
    kase->timed = kase->launch_count > 0;
    return take_passes(kase, timing, inner);
}

/* ------------------------------------------------------------------------------------------- cases */

/* Everything that makes two cases the same work has the type that the comparison expects. */
static vfx_status check_workload(const json_t *object, const char *where)
{
    static const char *const numbers[] = {"frames", "seed", "workgroup"};
    uint32_t number;
    json_t *at, *shaders;
    double dt;
    VFX_TRY(check_texts(object, where, "parameters"));
    VFX_TRY(check_texts(object, where, "host_parameters"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        VFX_TRY(cmd_json_get_u32(object, where, numbers[i], &number));
    VFX_TRY(cmd_json_get_number(object, where, "dt", &dt));
    VFX_TRY(cmd_json_get_array(object, where, "at", &at));
    VFX_TRY(cmd_json_get_array(object, where, "shaders", &shaders));
    for (size_t i = 0; i < json_array_size(shaders); i++) {
        const char *text;
        const json_t *row = json_array_get(shaders, i);
        VFX_TRY(cmd_json_get_text(row, where, "pass", &text));
        VFX_TRY(cmd_json_get_text(row, where, "hash", &text));
    }
    return VFX_OK;
}

static vfx_status take_case(cmd_result *result, size_t index, cmd_result_case *kase)
{
    char where[WHERE_BYTES];
    kase->object = json_array_get(json_object_get(result->root, "cases"), index);
    kase->probe_ns = kase->clock_mhz = (double)NAN;
    (void)snprintf(where, sizeof where, "%.200s: cases[%zu]", result->path, index);
    if (!json_is_object(kase->object))
        return vfx_fail(VFX_IO, "%s is not an object", where);
    VFX_TRY(get_plain(kase->object, where, "id", &kase->id));
    if (*kase->id == '\0' || strlen(kase->id) >= ID_BYTES)
        return vfx_fail(VFX_IO, "%s: \"id\" is empty or longer than %d bytes", where, ID_BYTES - 1);
    (void)snprintf(where, sizeof where, "%.200s: case %s", result->path, kase->id);
    VFX_TRY(get_plain(kase->object, where, "state", &kase->state));
    kase->reason = cmd_result_text(kase->object, "reason");
    VFX_TRY(check_workload(kase->object, where));
    kase->lost = (uint32_t)json_array_size(json_object_get(kase->object, "launches_lost"));
    if (strcmp(kase->state, "pass") != 0)
        return VFX_OK;
    VFX_TRY(get_bool(kase->object, where, "checked", &kase->checked));
    return take_timing(kase, where);
}

static int by_id(const void *x, const void *y)
{
    return strcmp((*(cmd_result_case *const *)x)->id, (*(cmd_result_case *const *)y)->id);
}

static vfx_status take_cases(cmd_result *result)
{
    json_t *rows;
    VFX_TRY(cmd_json_get_array(result->root, result->path, "cases", &rows));
    size_t count = json_array_size(rows);
    if (count > CMD_RESULT_CASES)
        return vfx_fail(VFX_IO, "%s: %zu cases, at most %d are read", result->path, count, CMD_RESULT_CASES);
    result->cases = calloc(count + 1, sizeof *result->cases);
    result->by_id = calloc(count + 1, sizeof(cmd_result_case *));
    if (result->cases == NULL || result->by_id == NULL)
        return vfx_fail(VFX_MEMORY, "%s: out of memory for %zu cases", result->path, count);
    for (size_t i = 0; i < count; i++) {
        VFX_TRY(take_case(result, i, &result->cases[i]));
        result->by_id[i] = &result->cases[i];
    }
    result->case_count = (uint32_t)count;
    qsort(result->by_id, count, sizeof(cmd_result_case *), by_id);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(result->by_id[i - 1]->id, result->by_id[i]->id) == 0)
            return vfx_fail(VFX_IO, "%s: case %s is there twice", result->path, result->by_id[i]->id);
    }
    return VFX_OK;
}

const cmd_result_case *cmd_result_find(const cmd_result *result, const char *id)
{
    cmd_result_case wanted = {.id = id}, *key = &wanted;
    cmd_result_case **found = result->case_count > 0
                                  ? bsearch(&key, result->by_id, result->case_count, sizeof(cmd_result_case *), by_id)
                                  : NULL;
    return found != NULL ? *found : NULL;
}

/* -------------------------------------------------------------------------------------------- file */

static vfx_status take_device(cmd_result *result)
{
    static const char *const texts[] = {"name", "driver", "uuid", "driver_uuid"};
    char where[WHERE_BYTES];
    result->device = json_object_get(result->root, "device");
    result->device_name = result->driver = "";
    (void)snprintf(where, sizeof where, "%.200s: device", result->path);
    if (json_is_null(result->device)) {
        result->device = NULL;
        return VFX_OK;
    }
    if (!json_is_object(result->device))
        return vfx_fail(VFX_IO, "%s is missing or not an object", where);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text;
        VFX_TRY(get_plain(result->device, where, texts[i], &text));
    }
    result->device_name = cmd_result_text(result->device, "name");
    result->driver = cmd_result_text(result->device, "driver");
    return get_bool(result->device, where, "software", &result->software);
}

static vfx_status take_command(cmd_result *result)
{
    json_t *command;
    VFX_TRY(cmd_json_get_array(result->root, result->path, "command", &command));
    for (size_t i = 0; i < json_array_size(command); i++) {
        if (!json_is_string(json_array_get(command, i)))
            return vfx_fail(VFX_IO, "%s: \"command\"[%zu] is not text", result->path, i);
    }
    result->command = command;
    return VFX_OK;
}

static vfx_status check_version(const cmd_result *result)
{
    uint32_t version;
    VFX_TRY(cmd_json_get_u32(result->root, result->path, "schema_version", &version));
    if (version < CMD_RESULT_OLDEST || version > CMD_RESULT_NEWEST)
        return vfx_fail(VFX_IO, "%s: \"schema_version\" is %" PRIu32 ", this program reads %d to %d", result->path,
                        version, CMD_RESULT_OLDEST, CMD_RESULT_NEWEST);
    const char *verb;
    VFX_TRY(cmd_json_get_text(result->root, result->path, "verb", &verb));
    if (strcmp(verb, "time") != 0)
        return vfx_fail(VFX_IO, "%s: a result of '%.40s', not of 'time': it has no times", result->path, verb);
    return VFX_OK;
}

vfx_status cmd_result_take(cmd_result *result, const char *path, json_t *root)
{
    json_t *tool, *host;
    const char *text;
    *result = (cmd_result){.path = path, .root = root};
    if (!json_is_object(root))
        return vfx_fail(VFX_IO, "%s: not an object, as results are", path);
    VFX_TRY(check_version(result));
    VFX_TRY(cmd_json_get_object(root, path, "tool", &tool));
    VFX_TRY(get_plain(tool, path, "version", &text));
    VFX_TRY(get_plain(tool, path, "git", &text));
    VFX_TRY(cmd_json_get_object(root, path, "host", &host));
    result->tool = tool;
    result->host = host;
    result->ceilings = json_object_get(root, "ceilings");
    VFX_TRY(take_device(result));
    VFX_TRY(take_command(result));
    return take_cases(result);
}

vfx_status cmd_result_read(cmd_result *result, const char *path)
{
    void *data;
    size_t bytes;
    json_error_t error;
    *result = (cmd_result){.path = path};
    VFX_TRY(vfx_read_file(path, MAX_RESULT_BYTES, &data, &bytes));
    json_t *root = json_loadb(data, bytes, JSON_REJECT_DUPLICATES, &error);
    free(data);
    if (root == NULL)
        return vfx_fail(VFX_IO, "%s: line %d: %s", path, error.line, error.text);
    return cmd_result_take(result, path, root);
}

void cmd_result_free(cmd_result *result)
{
    free(result->cases);
    free(result->by_id);
    json_decref(result->root);
    memset(result, 0, sizeof *result);
}
