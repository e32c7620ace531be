/* bench/html_time.c - how long the cases of a family take and how steady they are: a row a case, grouped by preset. */
#include "bench/html_section.h"
#include "bench/text.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 24, MAX_SAMPLES = 60 }; /* px of a row; samples drawn in it */

/* What the caption says of the samples. */
typedef struct extent {
    size_t least_samples, most_samples, least_launches, most_launches;
    uint32_t shown, total;
    bool software;
} extent;

/* Both axes of the rows of a preset. */
typedef struct axes {
    double slowest; /* ns, at the end of the bars */
    double range;   /* share of the median at the ends of the spread axis */
} axes;

/* The largest of the round ranges that the spread of the cases asks for; single far samples do not count. */
static double round_range(double spread)
{
    static const double ranges[] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
    size_t i = 0;
    while (i + 1 < sizeof ranges / sizeof *ranges && spread > ranges[i])
        i++;
    return ranges[i];
}

static size_t sample_count(const cmd_html_entry *entry)
{
    size_t count = 0;
    for (size_t l = 0; l < cmd_html_launch_count(entry); l++)
        count += json_array_size(cmd_html_launch_samples(entry, l));
    return count;
}

static extent extent_of(const cmd_html_data *data, const cmd_html_family *family)
{
    extent e = {.least_samples = SIZE_MAX, .least_launches = SIZE_MAX};
    for (uint32_t i = family->first; i < family->first + family->count; i++) {
        const cmd_html_entry *entry = data->order[i];
        if (!cmd_html_timed(entry) || e.total++ >= CMD_SHOWN_ROWS)
            continue;
        size_t samples = sample_count(entry), launches = cmd_html_launch_count(entry);
        e.shown++;
        e.least_samples = samples < e.least_samples ? samples : e.least_samples;
        e.most_samples = samples > e.most_samples ? samples : e.most_samples;
        e.least_launches = launches < e.least_launches ? launches : e.least_launches;
        e.most_launches = launches > e.most_launches ? launches : e.most_launches;
        const char *comparable = cmd_html_text_at(entry->timing, "comparable");
        e.software = e.software || (comparable != NULL && strstr(comparable, "software") != NULL);
    }
    return e;
}

/* Place of a time on the spread axis, %; 50 is the median. */
static double spread_at(const cmd_html_entry *entry, double range, double ns)
{
    double place = 50.0 + 50.0 * (ns / entry->median - 1.0) / range;
    return fmin(fmax(place, 0.0), 100.0);
}

/* At most MAX_SAMPLES of all samples: every k-th of them in order of size. Spread over the height by a fixed rule. */
static void draw_samples(cmd_html *html, const cmd_html_entry *entry, const axes *a)
{
    double beyond_low = 0.0, beyond_high = 0.0;
    size_t total = sample_count(entry), step = (total + MAX_SAMPLES - 1) / MAX_SAMPLES, index = 0;
    for (size_t l = 0; l < cmd_html_launch_count(entry); l++) {
        size_t count;
        double *samples = cmd_html_numbers_of(cmd_html_launch_samples(entry, l), &count);
        for (size_t i = 0; i < count; i++, index++) {
            double off = samples[i] / entry->median - 1.0;
            beyond_low = fmax(beyond_low, -off);
            beyond_high = fmax(beyond_high, off);
            if (index % step != 0 || fabs(off) > a->range)
                continue;
            double part = (double)index * 0.6180339887;
            cmd_html_add(html, "<circle class=\"sample\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"1.6\"/>",
                         spread_at(entry, a->range, samples[i]), 5.0 + 14.0 * (part - floor(part)));
        }
        free(samples);
    }
    if (beyond_low > a->range)
        cmd_html_raw(html, "<text class=\"out\" x=\"0\" dx=\"-9\" y=\"17\">\xe2\x80\xb9</text>");
    if (beyond_high > a->range)
        cmd_html_raw(html, "<text class=\"out\" x=\"100%\" dx=\"3\" y=\"17\">\xe2\x80\xba</text>");
}

static void draw_spread(cmd_html *html, const cmd_html_entry *entry, const axes *a)
{
    char min[CMD_HTML_NUMBER], max[CMD_HTML_NUMBER], name[CMD_CASE_TEXT];
    cmd_html_format_time(entry->min, min);
    cmd_html_format_time(entry->max, max);
    cmd_html_case_text(entry, name);
    cmd_html_add(html,
                 "<svg role=\"img\" height=\"%d\"><title>%s: %zu samples from %s to %s</title>"
                 "<line class=\"zero\" x1=\"50%%\" x2=\"50%%\" y1=\"0\" y2=\"%d\"/>",
                 ROW, name, sample_count(entry), min, max, ROW);
    if (isfinite(entry->min) && isfinite(entry->max))
        cmd_html_add(html, "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"12\" y2=\"12\"/>",
                     spread_at(entry, a->range, entry->min), spread_at(entry, a->range, entry->max));
    if (isfinite(entry->p25) && isfinite(entry->p75)) {
        double from = spread_at(entry, a->range, entry->p25), to = spread_at(entry, a->range, entry->p75);
        cmd_html_add(html, "<rect class=\"box\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"4\" height=\"16\" rx=\"2\"/>", from,
                     fmax(to - from, 0.0));
    }
    draw_samples(html, entry, a);
    for (size_t l = 0; cmd_html_launch_count(entry) > 1 && l < cmd_html_launch_count(entry) && l < MAX_SAMPLES; l++) {
        double median = cmd_html_launch_median(entry, l);
        if (isfinite(median))
            cmd_html_add(html, "<use href=\"#m3\" class=\"launch\" x=\"%.2f%%\" y=\"12\"/>",
                         spread_at(entry, a->range, median));
    }
    cmd_html_raw(html, "</svg>");
}

static void draw_row(cmd_html *html, const cmd_html_entry *entry, const axes *a)
{
    char median[CMD_HTML_NUMBER];
    cmd_html_format_time(entry->median, median);
    cmd_html_add(html, "<div class=\"r\"><div class=\"n\">%s", entry->variant);
    if (*entry->extra != '\0')
        cmd_html_add(html, " <small>%s</small>", entry->extra);
    cmd_html_add(
        html,
        "</div><svg role=\"img\" height=\"%d\"><title>%s/%s: median %s</title><rect class=\"rail\" width=\"100%%\" "
        "y=\"11\" height=\"2\"/><rect class=\"bar\" width=\"%.2f%%\" y=\"5\" height=\"14\" rx=\"2\"/></svg>",
        ROW, entry->variant, entry->preset, median, 100.0 * entry->median / a->slowest);
    draw_spread(html, entry, a);
    cmd_html_add(html, "<div class=\"v\">%s</div></div>\n", median);
}

/* Of the preset that begins at `from`. */
static axes axes_of(const cmd_html_data *data, const cmd_html_family *family, uint32_t from)
{
    axes a = {0};
    double spread = 0.0;
    for (uint32_t i = from; i < family->first + family->count; i++) {
        const cmd_html_entry *entry = data->order[i];
        if (strcmp(entry->preset, data->order[from]->preset) != 0)
            break;
        if (!cmd_html_timed(entry))
            continue;
        a.slowest = fmax(a.slowest, entry->median);
        spread = fmax(spread, fmax(entry->p95 - entry->median, entry->median - entry->min) / entry->median);
    }
    a.range = round_range(spread);
    return a;
}

static void caption_of(const extent *e, char *text, size_t bytes)
{
    *text = '\0';
    cmd_append(
        text, bytes,
        "Bars: median time of a frame, from 0 to the slowest case of its preset, from GPU timestamps around "
        "every frame; %s. Right: distance of the samples from that median, in a range of its own for each preset; "
        "box: middle half, line: least to greatest of ",
        e->most_launches > 1 ? "the median of the medians of its launches, which are the diamonds" : "one launch");
    if (e->least_samples == e->most_samples)
        cmd_append(text, bytes, "%zu samples", e->most_samples);
    else
        cmd_append(text, bytes, "%zu to %zu samples", e->least_samples, e->most_samples);
    if (e->most_launches > 1 && e->least_launches == e->most_launches)
        cmd_append(text, bytes, " of %zu launches", e->most_launches);
    else if (e->most_launches > 1)
        cmd_append(text, bytes, " of %zu to %zu launches", e->least_launches, e->most_launches);
    cmd_append(text, bytes, ", dots: at most %d of them, \xe2\x80\xb9 \xe2\x80\xba: some lie outside.", MAX_SAMPLES);
    if (e->software)
        cmd_append(text, bytes, " Times of a software device say nothing about a GPU.");
    if (e->total > e->shown)
        cmd_append(text, bytes, " %u more cases are in the table of all numbers.", (unsigned)(e->total - e->shown));
}

/* The name of a preset, with the ends of the spread axis above that axis. */
static void draw_preset(cmd_html *html, const char *name, const axes *a)
{
    char range[CMD_HTML_NUMBER];
    cmd_html_format_percent(a->range, range);
    cmd_html_add(html,
                 "<div class=\"r preset\"><h4>%s</h4><span></span><span class=\"ends\"><span>\xe2\x88\x92%s</span>"
                 "<span>+%s</span></span><span></span></div>\n",
                 name, range, range);
}

void cmd_html_distribution(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    extent e = extent_of(data, family);
    axes a = {0};
    char text[1024];
    const char *preset = NULL;
    uint32_t shown = 0;
    if (e.shown == 0)
        return;
    cmd_figure_open(html, "times", "Time per frame");
    cmd_html_raw(html, "<div class=\"r top\"><span>variant</span><span>median, from 0</span><span class=\"middle\">"
                       "samples around the median</span><span class=\"v\">median</span></div>\n");
    for (uint32_t i = family->first; i < family->first + family->count && shown < e.shown; i++) {
        const cmd_html_entry *entry = data->order[i];
        if (!cmd_html_timed(entry))
            continue;
        if (preset == NULL || strcmp(preset, entry->preset) != 0) {
            preset = entry->preset;
            a = axes_of(data, family, i);
            draw_preset(html, preset, &a);
        }
        draw_row(html, entry, &a);
        shown++;
    }
    caption_of(&e, text, sizeof text);
    cmd_figure_close(html, text);
}
