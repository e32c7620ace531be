/* bench/html_checks.c - how near the results of a family are to their limits: a row a field, its worst case. */
#include "bench/html_section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A check row of a case. */
typedef struct check {
    const json_t *row;
    const cmd_html_entry *entry;
    const char *buffer, *field;
    double share; /* of the limit; infinite when not finite in the file, NaN where there is none */
} check;

static const char *text_or(const json_t *row, const char *key)
{
    const char *text = cmd_html_text_at(row, key);
    return text != NULL ? text : "no data";
}

static int compare(const void *left, const void *right)
{
    const check *a = left, *b = right;
    int order = strcmp(a->buffer, b->buffer);
    order = order != 0 ? order : strcmp(a->field, b->field);
    double x = isnan(a->share) ? -1.0 : a->share, y = isnan(b->share) ? -1.0 : b->share;
    order = order != 0 ? order : (x < y) - (x > y);
    return order != 0 ? order : (a->entry->order > b->entry->order) - (a->entry->order < b->entry->order);
}

static size_t row_count(const cmd_html_entry *entry)
{
    return entry->superseded ? 0 : json_array_size(cmd_html_array_at(entry->object, "checks"));
}

static check *collect(const cmd_html_data *data, const cmd_html_family *family, size_t *count)
{
    size_t total = 0;
    *count = 0;
    for (uint32_t i = family->first; i < family->first + family->count; i++)
        total += row_count(data->order[i]);
    check *list = calloc(total + 1, sizeof *list);
    for (uint32_t i = family->first; list != NULL && i < family->first + family->count; i++) {
        const json_t *checks = cmd_html_array_at(data->order[i]->object, "checks");
        for (size_t r = 0; r < row_count(data->order[i]); r++) {
            const json_t *row = json_array_get(checks, r);
            bool infinite = json_is_null(json_object_get(row, "worst_gpu"));
            list[(*count)++] = (check){row, data->order[i], text_or(row, "buffer"), text_or(row, "field"),
                                       infinite ? (double)INFINITY : cmd_html_number_at(row, "worst_gpu")};
        }
    }
    if (list != NULL)
        qsort(list, *count, sizeof *list, compare);
    return list;
}

/* The worst share as text and as a bar. */
static void add_share(cmd_html *html, double share, bool failed)
{
    char text[CMD_HTML_NUMBER];
    cmd_html_format_percent(share, text);
    if (isinf(share))
        (void)snprintf(text, sizeof text, "not finite");
    double width = isinf(share) ? 100.0 : isnan(share) ? 0.0 : fmin(100.0 * share, 100.0);
    cmd_html_add(html, "<td class=\"num\" data-v=\"%.9g\">", isinf(share) ? 1e300 : isnan(share) ? -1.0 : share);
    if (failed)
        cmd_html_raw(html, "<span class=\"failcell\">\xe2\x9c\x95 ");
    cmd_html_text(html, text);
    cmd_html_raw(html, failed ? "</span>" : "");
    cmd_html_raw(html, failed ? "<span class=\"meter over\">" : "<span class=\"meter\">");
    cmd_html_add(html, "<i style=\"width:%.1f%%\"></i></span></td>", width);
}

/* Checks of one field, the worst first. */
static void add_row(cmd_html *html, const check *list, size_t count)
{
    double compared = 0.0, failed = 0.0, host = (double)NAN;
    char text[CMD_HTML_NUMBER];
    for (size_t i = 0; i < count; i++) {
        double values = cmd_html_count_at(list[i].row, "compared"), bad = cmd_html_count_at(list[i].row, "failed");
        compared += isfinite(values) ? values : 0.0;
        failed += isfinite(bad) ? bad : 0.0;
        host = fmax(host, cmd_html_number_at(list[i].row, "worst_float_cpu"));
    }
    cmd_html_add(html, "<tr><td><span class=\"id\">%s.%s</span></td>", list->buffer, list->field);
    add_share(html, list->share, failed > 0.0 || list->share > 1.0);
    cmd_html_format_percent(host, text);
    cmd_html_number_cell(html, host, text);
    cmd_html_raw(html, "<td>");
    cmd_html_case(html, list->entry);
    cmd_html_raw(html, "</td>");
    cmd_html_format_si(compared, "", text);
    cmd_html_number_cell(html, compared, text);
    cmd_html_format_si(failed, "", text);
    cmd_html_number_cell(html, failed, text);
    cmd_html_add(html, "<td>%s</td></tr>\n", text_or(list->row, "limit"));
}

void cmd_html_checks(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    static const char *const head[] = {
        "field", "#worst, of the limit", "#float on the CPU", "worst in", "#values", "#over", "limit", NULL};
    size_t count, rows = 0;
    check *list = collect(data, family, &count);
    html->failed = html->failed || list == NULL;
    if (list != NULL && count > 0) {
        cmd_figure_open(html, "checks", "Distance from the reference");
        cmd_html_table_open(html, "Distance from the reference", head);
        for (size_t i = 0, next; i < count && rows < CMD_SHOWN_LINES; i = next, rows++) {
            for (next = i + 1; next < count && strcmp(list[i].buffer, list[next].buffer) == 0 &&
                               strcmp(list[i].field, list[next].field) == 0;)
                next++;
            add_row(html, &list[i], next - i);
        }
        cmd_html_table_close(html);
        cmd_figure_close(html,
                         "Largest difference between the device and the reference in double precision, as a share "
                         "of what the check allows, over all compared values of all cases; beside it that of the "
                         "same reference in float on the CPU, a yardstick for what rounding alone does.");
    }
    free(list);
}
