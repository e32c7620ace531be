/* bench/report.c - the result document. See harness schema: README.md, "The result file". */
#include "bench/report.h"
#include "bench/report_views.h"
#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

#ifndef VFX_VERSION
#define VFX_VERSION "unknown"
#endif
#ifndef VFX_GIT_ID
#define VFX_GIT_ID "unknown"
#endif

void cmd_report_tool(json_t *object, const char *key)
{
    json_t *tool = cmd_json_object(object, key);
    cmd_json_text(tool, "name", "vfxbench");
    cmd_json_text(tool, "version", VFX_VERSION);
    cmd_json_text(tool, "git", VFX_GIT_ID);
}

static void add_host(json_t *report)
{
    json_t *host = cmd_json_object(report, "host");
    vfx_host_facts facts;
    vfx_describe_host(&facts);
    cmd_json_text(host, "system", facts.system);
    cmd_json_text(host, "release", facts.release);
    cmd_json_text(host, "machine", facts.machine);
}

static void add_device_limits(json_t *device, const vfx_device_info *info)
{
    cmd_json_u64(device, "max_storage_bytes", info->max_storage_bytes);
    cmd_json_u64(device, "max_uniform_bytes", info->max_uniform_bytes);
    cmd_json_u64(device, "max_allocation_bytes", info->max_allocation_bytes);
    cmd_json_u64(device, "heap_bytes", info->heap_bytes);
    cmd_json_u32(device, "max_workgroup_invocations", info->max_workgroup_invocations);
    cmd_json_u32(device, "max_workgroup_count", info->max_workgroup_count);
    cmd_json_u32(device, "shared_memory_bytes", info->shared_memory_bytes);
    cmd_json_u32(device, "push_constant_bytes", info->push_constant_bytes);
    cmd_json_u32(device, "subgroup_size", info->subgroup_size);
    cmd_json_u32(device, "queue_family", info->queue_family);
    cmd_json_u32(device, "timestamp_valid_bits", info->timestamp_valid_bits);
    cmd_json_number(device, "timestamp_period_ns", info->timestamp_period_ns, "the driver gave no finite period");
    cmd_json_bool(device, "scalar_block_layout", info->scalar_block_layout);
    cmd_json_bool(device, "subgroup_shuffle", info->subgroup_shuffle);
    cmd_json_bool(device, "float16_storage", info->float16_storage);
    cmd_json_bool(device, "denorm_preserve_f32", info->denorm_preserve_f32);
    cmd_json_bool(device, "denorm_flush_f32", info->denorm_flush_f32);
    cmd_json_bool(device, "rounding_rte_f32", info->rounding_rte_f32);
    cmd_json_bool(device, "signed_zero_inf_nan_f32", info->signed_zero_inf_nan_f32);
}

void cmd_report_device(json_t *object, const char *key, const vfx_device_info *info)
{
    if (info == NULL) {
        cmd_json_text(object, key, NULL);
        return;
    }
    json_t *device = cmd_json_object(object, key);
    cmd_json_u32(device, "index", info->index);
    cmd_json_text(device, "name", info->name);
    cmd_json_text(device, "type", vfx_device_type_name(info->type));
    cmd_json_bool(device, "software", info->type == VFX_DEVICE_CPU);
    cmd_json_text(device, "driver", info->driver);
    cmd_json_text(device, "uuid", info->uuid);
    cmd_json_text(device, "driver_uuid", info->driver_uuid);
    cmd_json_u32(device, "vendor_id", info->vendor_id);
    cmd_json_u32(device, "device_id", info->device_id);
    cmd_json_u32(device, "api_version", info->api_version);
    cmd_json_u32(device, "driver_version", info->driver_version);
    cmd_json_bool(device, "usable", info->usable);
    cmd_json_text(device, "reason", info->usable ? NULL : info->reason);
    add_device_limits(device, info);
}

void cmd_report_ceilings(json_t *object, const char *key, const vfx_ceilings *ceilings)
{
    static const char why[] = "could not be measured";
    json_t *rows = cmd_json_object(object, key);
    cmd_json_number(rows, "copy_bytes_per_s", ceilings->copy_bytes_per_s, why);
    cmd_json_number(rows, "fill_bytes_per_s", ceilings->fill_bytes_per_s, why);
    cmd_json_number(rows, "read_bytes_per_s", ceilings->read_bytes_per_s, why);
    cmd_json_number(rows, "fma_flops", ceilings->fma_flops, why);
    cmd_json_number(rows, "empty_pair_ns", ceilings->empty_pair_ns, why);
    cmd_json_number(rows, "buffer_bytes", ceilings->buffer_bytes, why);
}

json_t *cmd_report_create(const cmd_options *options)
{
    json_t *report = json_object();
    cmd_json_u32(report, "schema_version", CMD_SCHEMA_VERSION);
    cmd_report_tool(report, "tool");
    cmd_json_text(report, "verb", options->verb->name);
    json_t *command = cmd_json_array(report, "command");
    for (int i = 0; i < options->argc; i++) {
        json_t *holder = json_object(); /* cmd_json_text copes with any bytes, json_array_append does not */
        cmd_json_text(holder, "a", options->argv[i]);
        (void)json_array_append(command, json_object_get(holder, "a"));
        json_decref(holder);
    }
    add_host(report);
    cmd_report_device(report, "device", NULL);
    cmd_json_array(report, "cases");
    return report;
}

void cmd_report_parameters(json_t *object, const vfx_case *kase)
{
    json_t *parameters = cmd_json_object(object, "parameters");
    for (uint32_t i = 0; i < kase->kernel->param_count; i++) {
        char text[64];
        vfx_param_format(&kase->kernel->params[i], kase->words[i], text, sizeof text);
        cmd_json_text(parameters, kase->kernel->params[i].name, text);
    }
    json_t *host = cmd_json_object(object, "host_parameters");
    for (uint32_t i = 0; i < kase->kernel->host_param_count; i++)
        cmd_json_text(host, kase->kernel->host_params[i].name, kase->host_values[i]);
}

void cmd_report_at(json_t *object, const char *key, const vfx_case *kase, const vfx_at_list *at)
{
    json_t *rows = cmd_json_array(object, key);
    for (uint32_t i = 0; i < at->count; i++) {
        const vfx_param *param = &kase->kernel->params[at->rows[i].row];
        char text[64];
        vfx_param_format(param, at->rows[i].word, text, sizeof text);
        json_t *row = cmd_json_append(rows);
        cmd_json_u32(row, "frame", at->rows[i].frame);
        cmd_json_text(row, "parameter", param->name);
        cmd_json_text(row, "value", text);
        cmd_json_u32(row, "word", at->rows[i].word);
    }
}

json_t *cmd_report_case(json_t *report, const vfx_case *kase, const vfx_at_list *at, cmd_state state,
                        const char *reason)
{
    char name[512];
    vfx_case_name(kase, name, sizeof name);
    json_t *object = cmd_json_append(json_object_get(report, "cases"));
    cmd_json_text(object, "id", name);
    cmd_json_text(object, "state", cmd_state_name(state));
    cmd_json_text(object, "reason", reason != NULL && *reason != '\0' ? reason : NULL);
    cmd_report_parameters(object, kase);
    cmd_report_at(object, "at", kase, at);
    cmd_json_u32(object, "frames", kase->frames);
    cmd_json_number(object, "dt", (double)kase->dt, "not a finite step");
    cmd_json_u32(object, "seed", kase->seed);
    return object;
}

void cmd_report_checks(json_t *kase_object, const vfx_case *kase, const vfx_check_result checks[])
{
    json_t *rows = cmd_json_array(kase_object, "checks");
    for (uint32_t i = 0; i < kase->kernel->check_count; i++) {
        const vfx_check *check = &kase->kernel->checks[i];
        const vfx_check_result *result = &checks[i];
        if (result->records == 0)
            continue;
        char rule[256];
        vfx_tolerance_format(&check->step, rule, sizeof rule);
        json_t *row = cmd_json_append(rows);
        cmd_json_text(row, "buffer", kase->kernel->buffers[check->buffer].name);
        cmd_json_text(row, "field", check->field);
        cmd_json_text(row, "limit", rule);
        cmd_json_text(row, "reason", check->reason);
        cmd_json_number(row, "worst_gpu", result->worst_device, "not finite");
        cmd_json_number(row, "worst_float_cpu", result->worst_float, "not finite");
        cmd_json_u64(row, "compared", result->compared);
        cmd_json_u64(row, "failed", result->failed);
        cmd_json_u64(row, "records", result->records);
        cmd_json_u64(row, "ill_conditioned", result->ill);
        json_t *worst = cmd_json_object(row, "worst");
        cmd_json_u32(worst, "frame", result->worst.frame);
        cmd_json_u64(worst, "record", result->worst.record);
        cmd_json_u32(worst, "component", result->worst.component);
        cmd_json_number(worst, "device", result->worst.device, "not finite");
        cmd_json_number(worst, "truth", result->worst.truth, "not finite");
        cmd_json_number(worst, "error", result->worst.error, "not finite");
        cmd_json_number(worst, "limit", result->worst.limit, "not finite");
    }
}

void cmd_report_stats(json_t *object, const char *key, const vfx_stats *stats)
{
    static const char why[] = "no usable sample";
    json_t *rows = cmd_json_object(object, key);
    cmd_json_u64(rows, "n", stats->n);
    cmd_json_u64(rows, "dropped", stats->dropped);
    cmd_json_number(rows, "min", stats->min, why);
    cmd_json_number(rows, "p25", stats->p25, why);
    cmd_json_number(rows, "median", stats->median, why);
    cmd_json_number(rows, "p75", stats->p75, why);
    cmd_json_number(rows, "p95", stats->p95, why);
    cmd_json_number(rows, "p99", stats->p99, why);
    cmd_json_number(rows, "max", stats->max, why);
    cmd_json_number(rows, "mad", stats->mad, why);
    cmd_json_number(rows, "mean", stats->mean, why);
    cmd_json_number(rows, "stdev", stats->stdev, why);
    cmd_json_number(rows, "relative_iqr", vfx_stats_relative_iqr(stats), why);
}

void cmd_report_batches(json_t *object, uint32_t batches)
{
    if (batches > 1)
        cmd_json_u32(object, "batches", batches);
}

void cmd_report_hash(json_t *object, uint64_t hash)
{
    cmd_json_u64(object, "hash", hash);
}

/* The document in another form, if the user named a file for it. */
static vfx_status write_view(const json_t *report, const char *path, vfx_status (*make)(const json_t *, char **))
{
    char *text = NULL;
    if (path == NULL)
        return VFX_OK;
    VFX_TRY(make(report, &text));
    vfx_status status = vfx_write_file(path, text, strlen(text));
    free(text);
    return status;
}

vfx_status cmd_report_finish(json_t *report, const cmd_options *options, const cmd_tally *tally, int exit_code)
{
    json_t *summary = cmd_json_object(report, "summary");
    for (uint32_t i = 0; i < CMD_STATE_COUNT; i++)
        cmd_json_u32(summary, cmd_state_name((cmd_state)i), tally->count[i]);
    cmd_json_u32(summary, "exit_code", (uint32_t)exit_code);
    char *text;
    VFX_TRY(cmd_json_dump(report, &text));
    vfx_status status = VFX_OK;
    if (options->output != NULL)
        status = vfx_write_file(options->output, text, strlen(text));
    if (options->json)
        fputs(text, stdout);
    free(text);
    if (status == VFX_OK)
        status = write_view(report, options->csv, cmd_report_csv);
    return status == VFX_OK ? write_view(report, options->junit, cmd_report_junit) : status;
}
