/* bench/html_failures.c - what failed, first on the page and at length; times to doubt; what was not run and why. */
#include "bench/html_section.h"

#include <math.h>
#include <string.h>

enum { SHOWN_ROWS = 12 };

/* The check rows that have failed values. */
static void add_failed_checks(cmd_html *html, const json_t *checks)
{
    size_t shown = 0, failed = 0;
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *row = json_array_get(checks, i);
        const char *buffer = cmd_html_text_at(row, "buffer"), *field = cmd_html_text_at(row, "field");
        const char *limit = cmd_html_text_at(row, "limit");
        char share[CMD_HTML_NUMBER], values[CMD_HTML_NUMBER];
        if (!(cmd_html_count_at(row, "failed") > 0.0) || failed++ >= SHOWN_ROWS)
            continue;
        cmd_html_format_percent(cmd_html_number_at(row, "worst_gpu"), share);
        bool infinite = json_is_null(json_object_get(row, "worst_gpu"));
        cmd_html_format_si(cmd_html_count_at(row, "failed"), "", values);
        cmd_html_add(html, "%s<li><span class=\"id\">%s.%s</span>: %s values over the limit, worst %s%s",
                     shown++ == 0 ? "" : "\n", buffer, field, values, infinite ? "not finite" : share,
                     infinite ? "" : " of it");
        cmd_html_add(html, " <small>(%s)</small></li>", limit != NULL ? limit : "no data");
    }
    if (failed > SHOWN_ROWS)
        cmd_html_add(html, "<li>and %zu more fields</li>", failed - SHOWN_ROWS);
}

/* The sweeps that failed. */
static void add_failed_sweeps(cmd_html *html, const json_t *sweeps)
{
    size_t failed = 0;
    for (size_t i = 0; i < json_array_size(sweeps); i++) {
        const json_t *part = json_array_get(sweeps, i);
        const char *state = cmd_html_text_at(part, "state"), *reason = cmd_html_text_at(part, "reason");
        bool bad = state == NULL ||
                   (strcmp(state, "pass") != 0 && strcmp(state, "skipped") != 0 && strcmp(state, "unsupported") != 0);
        if (!bad || failed++ >= SHOWN_ROWS)
            continue;
        cmd_html_add(html, "<li>sweep <span class=\"id\">%s</span>: %s%s%s</li>", cmd_html_text_at(part, "id"),
                     state != NULL ? state : "no data", reason != NULL ? ", " : "", reason);
    }
    if (failed > SHOWN_ROWS)
        cmd_html_add(html, "<li>and %zu more sweeps</li>", failed - SHOWN_ROWS);
}

static void add_failure(cmd_html *html, const cmd_html_entry *entry)
{
    const char *repro = cmd_html_text_at(entry->object, "repro");
    cmd_html_add(html,
                 "<article class=\"card failure\"><h3><span class=\"badge bad\">%s</span><span class=\"id\">%s/%s/%s"
                 "</span></h3><p><small>%s%s%s, <code>%s</code>, from <span class=\"id\">%s</span></small></p>\n",
                 entry->state, entry->family, entry->variant, entry->preset, entry->extra,
                 *entry->extra != '\0' ? "; " : "", entry->result->device, entry->result->git, entry->result->path);
    if (entry->reason != NULL)
        cmd_html_add(html, "<pre>%s</pre>\n", entry->reason);
    else
        cmd_html_raw(html, "<p class=\"soft\">The result gives no reason.</p>\n");
    cmd_html_raw(html, "<ul>");
    add_failed_checks(html, cmd_html_array_at(entry->object, "checks"));
    add_failed_sweeps(html, cmd_html_array_at(entry->object, "sweeps"));
    cmd_html_raw(html, "</ul>\n");
    if (repro != NULL)
        cmd_html_add(html, "<p><small>Repeat with</small></p><pre>%s</pre>\n", repro);
    cmd_html_raw(html, "</article>\n");
}

/* The others in a table of one line each. */
static void add_more_failures(cmd_html *html, const cmd_html_data *data, uint32_t total)
{
    static const char *const head[] = {"case", "state", NULL};
    uint32_t seen = 0;
    cmd_html_add(html, "<details class=\"card\"><summary>%u more that failed</summary>",
                 (unsigned)(total - CMD_SHOWN_FAILURES));
    cmd_html_table_open(html, "More failures", head);
    for (uint32_t i = 0; i < data->entry_count; i++) {
        const cmd_html_entry *entry = data->order[i];
        if (entry->superseded || !entry->bad || seen++ < CMD_SHOWN_FAILURES)
            continue;
        if (seen > CMD_SHOWN_FAILURES + CMD_SHOWN_LINES)
            break;
        cmd_html_add(html, "<tr><td class=\"id\">%s/%s/%s</td><td>%s</td></tr>\n", entry->family, entry->variant,
                     entry->preset, entry->state);
    }
    cmd_html_table_close(html);
    if (total > CMD_SHOWN_FAILURES + CMD_SHOWN_LINES)
        cmd_html_add(html, "<p class=\"soft\">The rest is in the result files: %u in all.</p>", (unsigned)total);
    cmd_html_raw(html, "</details>\n");
}

/* Timed cases whose result carries a warning. */
static void add_warnings(cmd_html *html, const cmd_html_data *data)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < data->entry_count; i++) {
        const cmd_html_entry *entry = data->order[i];
        const char *warning = cmd_html_text_at(entry->timing, "warning");
        if (warning == NULL || entry->superseded || shown++ >= CMD_SHOWN_FAILURES)
            continue;
        if (shown == 1)
            cmd_html_raw(html, "<div class=\"card warning\"><h3>Times to doubt</h3><ul>");
        cmd_html_add(html, "<li><span class=\"id\">%s/%s/%s</span>: %s</li>\n", entry->family, entry->variant,
                     entry->preset, warning);
    }
    if (shown > CMD_SHOWN_FAILURES)
        cmd_html_add(html, "<li>and %u more</li>", (unsigned)(shown - CMD_SHOWN_FAILURES));
    if (shown > 0)
        cmd_html_raw(html, "</ul></div>\n");
}

void cmd_html_failures(cmd_html *html, const cmd_html_data *data)
{
    uint32_t total = 0;
    cmd_html_raw(html, "<section id=\"failures\"><div class=\"head\"><h2>Failures</h2></div>\n");
    for (uint32_t i = 0; i < data->entry_count; i++) {
        if (data->order[i]->superseded || !data->order[i]->bad)
            continue;
        if (total++ < CMD_SHOWN_FAILURES)
            add_failure(html, data->order[i]);
    }
    if (total == 0)
        cmd_html_add(html, "<div class=\"card\"><p class=\"%s\">%s</p></div>\n", data->entry_count > 0 ? "allgood" : "",
                     data->entry_count > 0 ? "\xe2\x9c\x93 None." : "No data: the results hold no cases.");
    if (total > CMD_SHOWN_FAILURES)
        add_more_failures(html, data, total);
    add_warnings(html, data);
    cmd_html_raw(html, "</section>\n");
}

static bool was_skipped(const cmd_html_entry *entry)
{
    return !entry->superseded && !entry->bad && strcmp(entry->state, "pass") != 0;
}

void cmd_html_skips(cmd_html *html, const cmd_html_data *data)
{
    static const char *const head[] = {"case", "state", "reason", NULL};
    uint32_t total = 0, shown = 0;
    for (uint32_t i = 0; i < data->entry_count; i++)
        total += was_skipped(data->order[i]);
    if (total == 0)
        return;
    cmd_html_add(
        html,
        "<section id=\"skips\"><div class=\"head\"><h2>Skipped or unsupported</h2><span class=\"soft\">%u case%s"
        "</span></div><div class=\"card\">",
        (unsigned)total, total == 1 ? "" : "s");
    cmd_html_table_open(html, "Cases that were not run", head);
    for (uint32_t i = 0; i < data->entry_count && shown < CMD_SHOWN_LINES; i++) {
        const cmd_html_entry *entry = data->order[i];
        if (!was_skipped(entry))
            continue;
        shown++;
        cmd_html_add(html,
                     "<tr><td class=\"id\">%s/%s/%s</td><td><span class=\"badge\">%s</span></td><td>%s</td></tr>\n",
                     entry->family, entry->variant, entry->preset, entry->state,
                     entry->reason != NULL ? entry->reason : "no data");
    }
    cmd_html_table_close(html);
    if (total > shown)
        cmd_html_add(html, "<p class=\"soft\">%u more are in the result files.</p>", (unsigned)(total - shown));
    cmd_html_raw(html, "</div></section>\n");
}
