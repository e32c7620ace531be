/* bench/html_passes.c - what the frames of a family are made of: a stacked bar a case. The seven passes that take most
 * have a colour of their own, the others share one. */
#include "bench/html_section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 256, MAX_PASSES = 64, COLOURED = 7, ROW = 26, BASE_WIDTH = 480 /* px, about, of a bar */ };

/* A pass of any case of the family. */
typedef struct pass_name {
    const char *name;
    double total;    /* share of its frames, summed over the cases */
    uint32_t colour; /* COLOURED: one of the others */
} pass_name;

typedef struct legend {
    pass_name passes[MAX_NAMES];
    uint32_t count, others;
} legend;

/* Time of a pass in a frame; NaN for one that does not run in every frame. */
static double pass_ns(const json_t *pass)
{
    double ns = cmd_html_number_at(pass, "median_ns");
    return !json_is_true(json_object_get(pass, "once")) && ns > 0.0 && isfinite(ns) ? ns : (double)NAN;
}

static size_t pass_count(const cmd_html_entry *entry)
{
    size_t count = json_array_size(cmd_html_array_at(entry->timing, "passes"));
    return count > MAX_PASSES ? MAX_PASSES : count;
}

static const json_t *pass_at(const cmd_html_entry *entry, size_t index)
{
    return json_array_get(cmd_html_array_at(entry->timing, "passes"), index);
}

/* Sum of the passes of a frame; 0 for a case that has less than two, of which there is nothing to tell. */
static double total_ns(const cmd_html_entry *entry)
{
    double sum = 0.0;
    uint32_t running = 0;
    for (size_t p = 0; cmd_html_timed(entry) && p < pass_count(entry); p++) {
        double ns = pass_ns(pass_at(entry, p));
        sum += isfinite(ns) ? ns : 0.0;
        running += isfinite(ns) ? 1u : 0u;
    }
    return running > 1 ? sum : 0.0;
}

static const char *name_of(const json_t *pass)
{
    const char *name = cmd_html_text_at(pass, "name");
    return name != NULL ? name : "no data";
}

static pass_name *find(legend *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->passes[i].name, name) == 0)
            return &list->passes[i];
    }
    return NULL;
}

static void add_pass(legend *list, const json_t *pass, double frame_ns)
{
    double ns = pass_ns(pass);
    pass_name *row = find(list, name_of(pass));
    if (isnan(ns) || (row == NULL && list->count == MAX_NAMES))
        return;
    if (row == NULL) {
        row = &list->passes[list->count++];
        *row = (pass_name){name_of(pass), 0.0, COLOURED};
    }
    row->total += ns / frame_ns;
}

/* The passes of the shown cases; the largest get colours, in the order in which they run. */
static uint32_t make_legend(legend *list, const cmd_html_data *data, const cmd_html_family *family)
{
    uint32_t shown = 0, next = 0;
    for (uint32_t i = family->first; i < family->first + family->count && shown < CMD_SHOWN_ROWS; i++) {
        const cmd_html_entry *entry = data->order[i];
        double sum = total_ns(entry);
        if (!(sum > 0.0))
            continue;
        shown++;
        for (size_t p = 0; p < pass_count(entry); p++)
            add_pass(list, pass_at(entry, p), sum);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t larger = 0;
        for (uint32_t j = 0; j < list->count; j++)
            larger += list->passes[j].total > list->passes[i].total ||
                      (list->passes[j].total == list->passes[i].total && j < i);
        bool coloured = larger < COLOURED || list->count <= COLOURED + 1;
        list->passes[i].colour = coloured && next <= COLOURED ? next++ : CMD_PLOT_COLOURS;
        list->others += !coloured;
    }
    return shown;
}

/* A segment from `left` on, both in % of the bar. */
static void draw_segment(cmd_html *html, const char *name, unsigned colour, double left, double width, double ns)
{
    char time[CMD_HTML_NUMBER];
    cmd_html_format_time(ns, time);
    cmd_html_add(html,
                 "<rect class=\"segment c%u\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"3\" height=\"20\"><title>%s: %s"
                 "</title></rect>",
                 colour, left, width, name, time);
    if (width * BASE_WIDTH / 100.0 > 7.0 * (double)strlen(name) + 12.0)
        cmd_html_add(html, "<text class=\"in\" x=\"%.2f%%\" dx=\"6\" y=\"17\">%s</text>", left, name);
}

static void draw_row(cmd_html *html, const cmd_html_entry *entry, legend *list)
{
    double left = 0.0, sum = total_ns(entry);
    char total[CMD_HTML_NUMBER], name[CMD_CASE_TEXT];
    cmd_html_format_time(sum, total);
    cmd_html_case_text(entry, name);
    cmd_html_add(html, "<div class=\"r\"><div class=\"n\">%s", entry->variant);
    if (*entry->extra != '\0')
        cmd_html_add(html, " <small>%s</small>", entry->extra);
    cmd_html_add(html, "</div><svg role=\"img\" height=\"%d\"><title>%s: passes of %s in all</title>", ROW, name,
                 total);
    for (size_t p = 0; p < pass_count(entry); p++) {
        const json_t *pass = pass_at(entry, p);
        const pass_name *row = find(list, name_of(pass));
        double ns = pass_ns(pass);
        if (isnan(ns))
            continue;
        draw_segment(html, name_of(pass), row != NULL ? row->colour : CMD_PLOT_COLOURS, left, 100.0 * ns / sum, ns);
        left += 100.0 * ns / sum;
    }
    cmd_html_add(html, "</svg><div class=\"v\">%s</div></div>\n", total);
}

static void draw_legend(cmd_html *html, const legend *list)
{
    cmd_legend_open(html);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->passes[i].colour < CMD_PLOT_COLOURS)
            cmd_html_add(
                html,
                "<li><svg class=\"swatch\" width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"c%u\" "
                "width=\"12\" height=\"12\" rx=\"3\"/></svg>%s</li>",
                (unsigned)list->passes[i].colour, list->passes[i].name);
    }
    if (list->others > 0)
        cmd_html_add(html,
                     "<li><svg class=\"swatch\" width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"c8\" "
                     "width=\"12\" height=\"12\" rx=\"3\"/></svg>%u others</li>",
                     (unsigned)list->others);
    cmd_legend_close(html);
}

void cmd_html_passes(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    legend *list = calloc(1, sizeof *list);
    const char *preset = NULL;
    uint32_t shown = 0, most = list != NULL ? make_legend(list, data, family) : 0;
    html->failed = html->failed || list == NULL;
    if (most > 0) {
        cmd_figure_open(html, "passes", "What a frame is made of");
        cmd_html_raw(
            html,
            "<div class=\"r top\"><span>variant</span><span>share of each pass, in the order in which they run</span>"
            "<span class=\"v\">all passes</span></div>\n");
        for (uint32_t i = family->first; i < family->first + family->count && shown < most; i++) {
            const cmd_html_entry *entry = data->order[i];
            if (!(total_ns(entry) > 0.0))
                continue;
            if (preset == NULL || strcmp(preset, entry->preset) != 0) {
                preset = entry->preset;
                cmd_html_add(html, "<h4>%s</h4>\n", preset);
            }
            draw_row(html, entry, list);
            shown++;
        }
        draw_legend(html, list);
        cmd_figure_close(html,
                         "Median time of each pass in a frame, all its repeats together, from runs of their own "
                         "with timestamps around the passes, as shares of their sum; the sum includes the "
                         "stamps and so may exceed the time of a frame. Left out: passes that run once before the "
                         "first frame, and cases of one pass.");
    }
    free(list);
}
