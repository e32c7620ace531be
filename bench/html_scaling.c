/* bench/html_scaling.c - how the time of a frame grows with the size: for each variant the cases that differ in one
 * numeric parameter, or in several and in the items they make, with the law through them. */
#include "bench/html_section.h"
#include "bench/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char by_items[] = "the items in a frame";

/* A case with what it may be grouped by. */
typedef struct candidate {
    const cmd_html_entry *entry;
    char *fixed; /* device, variant and all facts that are no numeric parameters */
    double x;
} candidate;

/* Candidates first to first + count - 1 are points of one line. */
typedef struct series {
    uint32_t first, count;
    const char *x_name;
} series;

typedef struct scaling {
    candidate *candidates;
    series *lines;
    uint32_t count, line_count;
} scaling;

/* A parameter is text in a result; it is numeric when all of it is one number. */
static double numeric(const json_t *value)
{
    const char *text = json_string_value(value);
    char *end = NULL;
    double number = text != NULL ? strtod(text, &end) : (double)NAN;
    return text != NULL && end != text && *end == '\0' && isfinite(number) ? number : (double)NAN;
}

/* The text by which cases are grouped; NULL when out of memory. */
static char *fixed_text(const cmd_html_entry *entry)
{
    json_t *kept = json_deep_copy(entry->facts);
    const char *name;
    json_t *value;
    void *next;
    (void)json_object_set_new(kept, " variant", json_string(entry->variant));
    json_object_foreach_safe(kept, next, name, value)
    {
        if (!isnan(numeric(value)))
            (void)json_object_set_new(kept, name, json_null());
    }
    char *facts = kept != NULL ? json_dumps(kept, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    size_t bytes = facts != NULL ? strlen(facts) + 32 : 0;
    char *text = facts != NULL ? malloc(bytes) : NULL;
    if (text != NULL)
        (void)snprintf(text, bytes, "%u %s", (unsigned)entry->result->device_index, facts);
    free(facts);
    json_decref(kept);
    return text;
}

static int compare(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    int order = strcmp(a->fixed, b->fixed);
    return order != 0 ? order : (a->x > b->x) - (a->x < b->x);
}

static double items_of(const cmd_html_entry *entry)
{
    return cmd_html_number_at(json_object_get(entry->timing, "rates"), "items");
}

/* Name of the one numeric parameter in which the candidates differ, by_items if there are several or it is none, NULL
 * if that does not differ either. */
static const char *find_x(const candidate *list, uint32_t count)
{
    const char *name, *found = NULL;
    json_t *value;
    uint32_t differing = 0;
    json_object_foreach(list[0].entry->facts, name, value)
    {
        bool differs = false;
        for (uint32_t i = 1; i < count && !differs; i++)
            differs = numeric(json_object_get(list[i].entry->facts, name)) != numeric(value);
        if (differs && !isnan(numeric(value))) {
            found = name;
            differing++;
        }
    }
    if (differing == 1)
        return found;
    for (uint32_t i = 1; i < count; i++) {
        if (items_of(list[i].entry) > 0.0 && items_of(list[0].entry) > 0.0 &&
            items_of(list[i].entry) != items_of(list[0].entry))
            return by_items;
    }
    return NULL;
}

/* Cuts the sorted candidates into lines of at least three points. */
static void find_lines(scaling *s)
{
    for (uint32_t i = 0, next; i < s->count; i = next) {
        for (next = i + 1; next < s->count && strcmp(s->candidates[i].fixed, s->candidates[next].fixed) == 0;)
            next++;
        const char *x_name = next - i >= 3 ? find_x(&s->candidates[i], next - i) : NULL;
        if (x_name == NULL)
            continue;
        for (uint32_t j = i; j < next; j++) {
            const cmd_html_entry *entry = s->candidates[j].entry;
            double x = x_name == by_items ? items_of(entry) : numeric(json_object_get(entry->facts, x_name));
            s->candidates[j].x = x > 0.0 ? x : 0.0; /* 0 is not drawn */
        }
        qsort(&s->candidates[i], next - i, sizeof *s->candidates, compare);
        s->lines[s->line_count++] = (series){i, next - i, x_name};
    }
}

static bool collect(scaling *s, const cmd_html_data *data, const cmd_html_family *family)
{
    s->candidates = calloc(family->count, sizeof *s->candidates);
    s->lines = calloc(family->count, sizeof *s->lines);
    if (s->candidates == NULL || s->lines == NULL)
        return false;
    for (uint32_t i = family->first; i < family->first + family->count; i++) {
        if (!cmd_html_timed(data->order[i]))
            continue;
        candidate *next = &s->candidates[s->count];
        next->entry = data->order[i];
        next->fixed = fixed_text(data->order[i]);
        if (next->fixed == NULL)
            return false;
        s->count++;
    }
    qsort(s->candidates, s->count, sizeof *s->candidates, compare);
    find_lines(s);
    return true;
}

/* -------------------------------------------------------------------------------------------- drawing */

/* The law as straight pieces: a line with a fixed part is bent on logarithmic axes. */
static void draw_law(const cmd_plot *plot, const cmd_fit *fit, uint32_t colour, double from, double to)
{
    enum { PIECES = 24 };
    from = from > 0.0 ? from : plot->x.scale.lo;
    for (int i = 0; fit->valid && i < PIECES; i++) {
        double a = from * pow(to / from, (double)i / PIECES), b = from * pow(to / from, (double)(i + 1) / PIECES);
        cmd_plot_line(plot, "fit", colour, a, cmd_fit_at(fit, a), b, cmd_fit_at(fit, b));
    }
}

static void draw_line(const cmd_plot *plot, const scaling *s, const series *line, cmd_fit *fit)
{
    double x[CMD_SHOWN_LINES], y[CMD_SHOWN_LINES];
    uint32_t count = line->count < CMD_SHOWN_LINES ? line->count : CMD_SHOWN_LINES;
    for (uint32_t i = 0; i < count; i++) {
        x[i] = s->candidates[line->first + i].x;
        y[i] = s->candidates[line->first + i].entry->median;
    }
    uint32_t colour = s->candidates[line->first].entry->variant_index;
    *fit = cmd_fit_of(x, y, count);
    draw_law(plot, fit, colour, x[0], x[count - 1]);
    for (uint32_t i = 0; i < count; i++) {
        char name[CMD_CASE_TEXT], size[CMD_HTML_NUMBER], time[CMD_HTML_NUMBER],
            tip[CMD_CASE_TEXT + 2 * CMD_HTML_NUMBER + 16];
        cmd_html_case_text(s->candidates[line->first + i].entry, name);
        cmd_html_format_si(x[i], "", size);
        cmd_html_format_time(y[i], time);
        (void)snprintf(tip, sizeof tip, "%s: %s at %s", name, time, size);
        cmd_plot_mark(plot, colour, x[i], y[i], tip);
    }
}

static void draw_legend_row(cmd_html *html, const scaling *s, const series *line, const cmd_fit *fit)
{
    const cmd_html_entry *entry = s->candidates[line->first].entry;
    char note[192] = "too few sizes for a fit";
    if (fit->valid && fit->exponent == 1.0 && fit->fixed > 0.0) {
        char fixed[CMD_HTML_NUMBER], each[CMD_HTML_NUMBER];
        cmd_html_format_time(fit->fixed, fixed);
        cmd_html_format_time(fit->factor, each);
        (void)snprintf(note, sizeof note, "%s + %s each, within %.0f %%", fixed, each, 100.0 * fit->worst);
    } else if (fit->valid) {
        (void)snprintf(note, sizeof note, "\xe2\x88\x9d n^%.2f, within %.0f %%", fit->exponent, 100.0 * fit->worst);
    }
    cmd_legend_series(html, entry->variant_index, entry->variant, note);
}

/* Scales over all lines of this x. */
static bool fit_scales(cmd_plot *plot, const scaling *s, const char *x_name)
{
    double *x = calloc(s->count, sizeof *x), *y = calloc(s->count, sizeof *y);
    size_t count = 0;
    for (uint32_t l = 0; x != NULL && y != NULL && l < s->line_count; l++) {
        for (uint32_t i = 0; strcmp(s->lines[l].x_name, x_name) == 0 && i < s->lines[l].count; i++, count++) {
            x[count] = s->candidates[s->lines[l].first + i].x;
            y[count] = s->candidates[s->lines[l].first + i].entry->median;
        }
    }
    bool made = x != NULL && y != NULL;
    plot->x.scale = cmd_scale_of(x, made ? count : 0, true, false);
    plot->y.scale = cmd_scale_of(y, made ? count : 0, true, false);
    free(x);
    free(y);
    return made;
}

static void draw_figure(cmd_html *html, const scaling *s, const char *x_name)
{
    cmd_fit fits[CMD_SHOWN_SERIES];
    char title[256], caption[512];
    uint32_t drawn = 0;
    cmd_plot plot = {.html = html, .height = 320.0};
    plot.x.label = x_name;
    plot.y = (cmd_axis){.kind = CMD_AXIS_TIME, .label = "median time of a frame"};
    plot.x.kind = CMD_AXIS_SI;
    plot.x.unit = "";
    html->failed = html->failed || !fit_scales(&plot, s, x_name);
    (void)snprintf(title, sizeof title, "Scaling with %.200s", x_name);
    cmd_figure_open(html, "plot scaling", title);
    cmd_plot_open(&plot, title, "Both axes are logarithmic; a thin line is the law through a variant's points.");
    for (uint32_t l = 0; l < s->line_count && drawn < CMD_SHOWN_SERIES; l++) {
        if (strcmp(s->lines[l].x_name, x_name) == 0)
            draw_line(&plot, s, &s->lines[l], &fits[drawn++]);
    }
    cmd_plot_close(&plot);
    cmd_legend_open(html);
    drawn = 0;
    for (uint32_t l = 0; l < s->line_count && drawn < CMD_SHOWN_SERIES; l++) {
        if (strcmp(s->lines[l].x_name, x_name) == 0)
            draw_legend_row(html, s, &s->lines[l], &fits[drawn++]);
    }
    cmd_legend_close(html);
    (void)snprintf(
        caption, sizeof caption,
        "Median times of cases that differ in %s; the law is the nearer of a fixed time plus a time for each "
        "(least squares on the relative errors) and a power of n (on the logarithms), and behind it the "
        "largest relative distance of a point from it.",
        x_name == by_items ? "several parameters, against the items they make in a frame" : "this parameter only");
    cmd_figure_close(html, caption);
}

void cmd_html_scaling(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    scaling s = {0};
    html->failed = !collect(&s, data, family) || html->failed;
    for (uint32_t l = 0; l < s.line_count; l++) {
        bool drawn = false;
        for (uint32_t before = 0; before < l && !drawn; before++)
            drawn = strcmp(s.lines[before].x_name, s.lines[l].x_name) == 0;
        if (!drawn)
            draw_figure(html, &s, s.lines[l].x_name);
    }
    for (uint32_t i = 0; i < s.count; i++)
        free(s.candidates[i].fixed);
    free(s.candidates);
    free(s.lines);
}
