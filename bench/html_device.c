/* bench/html_device.c - what the devices are and can do, and which files the page was made from. */
#include "bench/html_section.h"
#include "bench/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_DEVICES = 8 };

typedef enum fact_kind { TEXT, BYTES, COUNT, YES_NO, VERSION, HEX, NS, RATE_BYTES, RATE_FLOPS } fact_kind;

typedef struct fact {
    const char *key, *name;
    fact_kind kind;
} fact;

static const fact device_facts[] = {
    {"type", "type", TEXT},
    {"driver", "driver", TEXT},
    {"api_version", "Vulkan", VERSION},
    {"uuid", "UUID", TEXT},
    {"vendor_id", "vendor", HEX},
    {"device_id", "device", HEX},
    {"heap_bytes", "memory heap", BYTES},
    {"max_allocation_bytes", "largest allocation", BYTES},
    {"max_storage_bytes", "largest storage binding", BYTES},
    {"shared_memory_bytes", "shared memory of a workgroup", BYTES},
    {"push_constant_bytes", "push constants", BYTES},
    {"max_workgroup_invocations", "invocations of a workgroup", COUNT},
    {"subgroup_size", "subgroup size", COUNT},
    {"queue_family", "queue family", COUNT},
    {"timestamp_valid_bits", "timestamp bits", COUNT},
    {"timestamp_period_ns", "timestamp period", NS},
    {"scalar_block_layout", "scalar block layout", YES_NO},
    {"subgroup_shuffle", "subgroup shuffle", YES_NO},
    {"float16_storage", "16-bit float storage", YES_NO},
    {"denorm_preserve_f32", "keeps subnormals", YES_NO},
    {"denorm_flush_f32", "flushes subnormals", YES_NO},
    {"rounding_rte_f32", "rounds to nearest even", YES_NO},
    {"signed_zero_inf_nan_f32", "keeps signed zero, inf, NaN", YES_NO},
};

static const fact ceiling_facts[] = {
    {"copy_bytes_per_s", "copy, measured", RATE_BYTES}, {"fill_bytes_per_s", "fill, measured", RATE_BYTES},
    {"read_bytes_per_s", "read, measured", RATE_BYTES}, {"fma_flops", "multiply-add, measured", RATE_FLOPS},
    {"empty_pair_ns", "empty timestamp pair", NS},
};

static void format_fact(const fact *row, const json_t *object, char *text, size_t bytes)
{
    const json_t *value = json_object_get(object, row->key);
    double number = cmd_html_count_at(object, row->key);
    uint32_t word = number >= 0.0 && number <= 4294967295.0 ? (uint32_t)number : 0;
    char short_text[CMD_HTML_NUMBER];
    cmd_copy(text, bytes, "no data");
    if (row->kind == TEXT && json_is_string(value)) {
        cmd_copy(text, bytes, json_string_value(value));
        return;
    }
    if (row->kind == YES_NO && json_is_boolean(value))
        cmd_copy(text, bytes, json_is_true(value) ? "yes" : "no");
    if (row->kind == TEXT || row->kind == YES_NO || !isfinite(number))
        return;
    if (row->kind == VERSION) {
        (void)snprintf(text, bytes, "%u.%u.%u", word >> 22 & 0x7fu, word >> 12 & 0x3ffu, word & 0xfffu);
    } else if (row->kind == HEX) {
        (void)snprintf(text, bytes, "0x%04x", word);
    } else if (row->kind == COUNT) {
        (void)snprintf(text, bytes, "%.0f", number);
    } else {
        if (row->kind == BYTES)
            cmd_html_format_bytes(number, short_text);
        else if (row->kind == NS)
            cmd_html_format_time(number, short_text);
        else
            cmd_html_format_si(number, row->kind == RATE_BYTES ? "B/s" : "flop/s", short_text);
        cmd_copy(text, bytes, short_text);
    }
}

/* The last result of a device: with ceilings if any has them. */
static const cmd_html_result *result_of(const cmd_html_data *data, uint32_t device, bool ceilings)
{
    const cmd_html_result *found = NULL;
    for (uint32_t i = 0; i < data->result_count; i++) {
        const cmd_html_result *result = &data->results[i];
        bool fits = ceilings ? result->ceilings != NULL : true;
        if (result->device_index == device && fits)
            found = result;
    }
    return found;
}

static void add_facts(cmd_html *html, const cmd_html_data *data, const fact *rows, size_t count, bool ceilings)
{
    uint32_t shown = data->device_count < SHOWN_DEVICES ? data->device_count : SHOWN_DEVICES;
    for (size_t i = 0; i < count; i++) {
        cmd_html_add(html, "<tr><th scope=\"row\">%s</th>", rows[i].name);
        for (uint32_t d = 0; d < shown; d++) {
            char text[256];
            const cmd_html_result *result = result_of(data, d, ceilings);
            const json_t *object = result == NULL ? NULL
                                   : ceilings     ? result->ceilings
                                                  : json_object_get(result->root, "device");
            format_fact(&rows[i], object, text, sizeof text);
            cmd_html_add(html, "<td>%s</td>", text);
        }
        cmd_html_raw(html, "</tr>\n");
    }
}

void cmd_html_devices(cmd_html *html, const cmd_html_data *data)
{
    uint32_t shown = data->device_count < SHOWN_DEVICES ? data->device_count : SHOWN_DEVICES;
    cmd_html_raw(html, "<section id=\"devices\"><div class=\"head\"><h2>Devices</h2></div><div class=\"card\">"
                       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Devices\">"
                       "<table class=\"facts\"><thead><tr><th></th>");
    for (uint32_t d = 0; d < shown; d++) {
        const cmd_html_result *result = result_of(data, d, false);
        cmd_html_add(html, "<th scope=\"col\">%s</th>", result->device);
    }
    cmd_html_raw(html, "</tr></thead><tbody>\n");
    add_facts(html, data, ceiling_facts, sizeof ceiling_facts / sizeof *ceiling_facts, true);
    add_facts(html, data, device_facts, sizeof device_facts / sizeof *device_facts, false);
    cmd_html_raw(html, "</tbody></table></div>");
    if (data->device_count > shown)
        cmd_html_add(html, "<p class=\"soft\">%u more devices are in the result files.</p>",
                     (unsigned)(data->device_count - shown));
    cmd_html_raw(html, "</div></section>\n");
}

/* The command line, cut where it gets long. */
static void add_command(cmd_html *html, const json_t *command)
{
    char text[512] = "";
    for (size_t i = 0; i < json_array_size(command); i++) {
        const char *word = json_string_value(json_array_get(command, i));
        cmd_append(text, sizeof text, "%s%s", i > 0 ? " " : "", word != NULL ? word : "?");
    }
    if (strlen(text) + 4 > sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    cmd_html_add(html, "<td><code>%s</code></td>", *text != '\0' ? text : "no data");
}

void cmd_html_files(cmd_html *html, const cmd_html_data *data)
{
    static const char *const head[] = {"file",   "verb",       "commit",  "device", "host",
                                       "#cases", "#exit code", "command", NULL};
    cmd_html_raw(html, "<section id=\"files\"><div class=\"head\"><h2>Result files</h2></div><div class=\"card\">");
    cmd_html_table_open(html, "Result files", head);
    for (uint32_t i = 0; i < data->result_count; i++) {
        const cmd_html_result *result = &data->results[i];
        const json_t *host = json_object_get(result->root, "host");
        const char *system = cmd_html_text_at(host, "system"), *machine = cmd_html_text_at(host, "machine");
        double code = cmd_html_number_at(json_object_get(result->root, "summary"), "exit_code");
        size_t cases = json_array_size(json_object_get(result->root, "cases"));
        char text[CMD_HTML_NUMBER];
        cmd_html_add(html, "<tr><td class=\"id\">%s</td><td>%s</td><td><code>%s</code></td><td>%s</td><td>%s %s</td>",
                     result->path, result->verb, result->git, result->device, system != NULL ? system : "no data",
                     machine);
        cmd_html_add(html, "<td class=\"num\" data-v=\"%zu\">%zu</td>", cases, cases);
        cmd_html_format_si(code, "", text);
        cmd_html_number_cell(html, code, text);
        add_command(html, cmd_html_array_at(result->root, "command"));
        cmd_html_raw(html, "</tr>\n");
    }
    cmd_html_table_close(html);
    cmd_html_raw(html, "</div></section>\n");
}
