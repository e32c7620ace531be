/* bench/html_history.c - the same case in the results of several commits: a line a case, its time as a share of what it
 * took at its first commit. */
#include "bench/html_section.h"
#include "bench/text.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A case that was timed at two commits or more. */
typedef struct track {
    const cmd_html_entry *entry; /* the newest */
    double *times;               /* a commit: median over its results, ns; NaN where it was not timed */
    double first, last;
} track;

typedef struct tracks {
    track *items;
    double *times;
    uint32_t count;
    const char **commits; /* their ids, in order */
    uint32_t commit_count;
} tracks;

static double median_at(cmd_html_entry *const *list, uint32_t count, uint32_t commit)
{
    double values[64];
    size_t found = 0;
    vfx_stats stats = {.median = (double)NAN};
    for (uint32_t i = 0; i < count && found < sizeof values / sizeof *values; i++) {
        if (list[i]->result->commit_index == commit && isfinite(list[i]->median))
            values[found++] = list[i]->median;
    }
    if (found > 0)
        (void)vfx_stats_of(values, found, &stats);
    return stats.median;
}

/* The entries of one key, if they make a track. */
static void add_track(tracks *t, cmd_html_entry *const *list, uint32_t count)
{
    track *next = &t->items[t->count];
    uint32_t timed = 0;
    next->times = &t->times[(size_t)t->count * t->commit_count];
    next->entry = list[count - 1];
    for (uint32_t c = 0; c < t->commit_count; c++) {
        next->times[c] = median_at(list, count, c);
        if (isnan(next->times[c]))
            continue;
        next->first = timed == 0 ? next->times[c] : next->first;
        next->last = next->times[c];
        timed++;
    }
    t->count += timed > 1;
}

/* Takes out the commits at which none of the cases was timed. */
static void drop_empty(tracks *t)
{
    uint32_t kept = 0, stride = t->commit_count;
    for (uint32_t c = 0; c < stride; c++) {
        bool used = false;
        for (uint32_t i = 0; i < t->count && !used; i++)
            used = !isnan(t->items[i].times[c]);
        if (!used)
            continue;
        for (uint32_t i = 0; i < t->count; i++)
            t->items[i].times[kept] = t->items[i].times[c];
        t->commits[kept++] = t->commits[c];
    }
    t->commit_count = kept;
}

static int compare_change(const void *left, const void *right)
{
    const track *a = left, *b = right;
    double x = fabs(log(a->last / a->first)), y = fabs(log(b->last / b->first));
    return x == y ? strcmp(a->entry->key, b->entry->key) : (x < y) - (x > y);
}

static bool collect(tracks *t, const cmd_html_data *data, const cmd_html_family *family)
{
    size_t cells, bytes;
    t->commit_count = data->commit_count;
    if (!vfx_mul_size(family->count, t->commit_count, &cells) || !vfx_mul_size(cells, sizeof(double), &bytes))
        return false;
    t->items = calloc(family->count, sizeof *t->items);
    t->times = malloc(bytes);
    t->commits = calloc(t->commit_count, sizeof *t->commits);
    if (t->items == NULL || t->times == NULL || t->commits == NULL)
        return false;
    for (uint32_t i = 0; i < data->result_count; i++)
        t->commits[data->results[i].commit_index] = data->results[i].git;
    for (uint32_t i = 0, next; i < data->entry_count; i = next) {
        for (next = i + 1; next < data->entry_count && strcmp(data->by_key[i]->key, data->by_key[next]->key) == 0;)
            next++;
        if (next - i > 1 && strcmp(data->by_key[i]->family, family->name) == 0)
            add_track(t, &data->by_key[i], next - i);
    }
    drop_empty(t);
    qsort(t->items, t->count, sizeof *t->items, compare_change);
    return true;
}

static void draw_track(const cmd_plot *plot, const tracks *t, uint32_t index)
{
    const track *line = &t->items[index];
    uint32_t before = UINT32_MAX;
    for (uint32_t c = 0; c < t->commit_count; c++) {
        char name[CMD_CASE_TEXT], time[CMD_HTML_NUMBER], tip[CMD_CASE_TEXT + 256];
        if (isnan(line->times[c]))
            continue;
        double y = line->times[c] / line->first;
        if (before != UINT32_MAX)
            cmd_plot_line(plot, "link", index, before, line->times[before] / line->first, c, y);
        cmd_html_case_text(line->entry, name);
        cmd_html_format_time(line->times[c], time);
        (void)snprintf(tip, sizeof tip, "%s at %.40s: %s", name, t->commits[c], time);
        cmd_plot_mark(plot, index, c, y, tip);
        before = c;
    }
}

/* Short ids of at most six commits below the field. */
static void draw_commits(const cmd_plot *plot, const tracks *t)
{
    uint32_t step = (t->commit_count + 5) / 6;
    for (uint32_t c = 0; c < t->commit_count; c += step) {
        char text[10];
        cmd_copy(text, sizeof text, t->commits[c]);
        cmd_plot_text(plot, c, plot->y.scale.lo,
                      c == 0                     ? "start"
                      : c + 1 == t->commit_count ? "end"
                                                 : "middle",
                      18.0, text);
    }
}

static void add_table(cmd_html *html, const tracks *t)
{
    static const char *const head[] = {"case", "#first", "#last", "#change", NULL};
    cmd_html_raw(html, "<details><summary>Numbers</summary>");
    cmd_html_table_open(html, "History", head);
    for (uint32_t i = 0; i < t->count && i < CMD_SHOWN_LINES; i++) {
        const track *line = &t->items[i];
        double change = line->last / line->first - 1.0;
        char text[CMD_HTML_NUMBER], sign[CMD_HTML_NUMBER + 2];
        cmd_html_raw(html, "<tr><td>");
        cmd_html_case(html, line->entry);
        cmd_html_raw(html, "</td>");
        cmd_html_format_time(line->first, text);
        cmd_html_number_cell(html, line->first, text);
        cmd_html_format_time(line->last, text);
        cmd_html_number_cell(html, line->last, text);
        cmd_html_format_percent(change, text);
        (void)snprintf(sign, sizeof sign, "%s%s", change > 0.0 ? "+" : "", text);
        cmd_html_number_cell(html, change, sign);
        cmd_html_raw(html, "</tr>\n");
    }
    cmd_html_table_close(html);
    cmd_html_raw(html, "</details>");
}

static void draw_figure(cmd_html *html, const tracks *t)
{
    uint32_t shown = t->count < CMD_PLOT_COLOURS ? t->count : CMD_PLOT_COLOURS;
    size_t cells = (size_t)shown * t->commit_count;
    double *shares = malloc((cells + 1) * sizeof *shares);
    char caption[512] = "";
    html->failed = html->failed || shares == NULL;
    for (size_t i = 0; shares != NULL && i < cells; i++)
        shares[i] = t->items[i / t->commit_count].times[i % t->commit_count] / t->items[i / t->commit_count].first;
    cmd_plot plot = {.html = html, .height = 280.0};
    plot.x.scale = (cmd_scale){0.0, (double)(t->commit_count - 1), false};
    plot.y = (cmd_axis){.kind = CMD_AXIS_PERCENT, .label = "time of a frame, share of the first commit"};
    plot.y.scale = cmd_scale_of(shares, shares != NULL ? cells : 0, false, false);
    free(shares);
    cmd_figure_open(html, "plot history", "History");
    cmd_plot_open(&plot, "History", "Times of a case at each commit as shares of its time at the first one.");
    cmd_plot_line(&plot, "base", 0, 0.0, 1.0, (double)(t->commit_count - 1), 1.0);
    draw_commits(&plot, t);
    for (uint32_t i = 0; i < shown; i++)
        draw_track(&plot, t, i);
    cmd_plot_close(&plot);
    cmd_legend_open(html);
    for (uint32_t i = 0; i < shown; i++) {
        char name[CMD_CASE_TEXT], note[32];
        cmd_html_case_text(t->items[i].entry, name);
        (void)snprintf(note, sizeof note, "%+.1f %%", 100.0 * (t->items[i].last / t->items[i].first - 1.0));
        cmd_legend_series(html, i, name, note);
    }
    cmd_legend_close(html);
    add_table(html, t);
    cmd_append(caption, sizeof caption,
               "Median times at each commit over the median at the first commit of the case, in the order of the files "
               "on the command line; below 100 %% is faster.");
    if (t->count > shown)
        cmd_append(caption, sizeof caption, " The %u of %u cases that changed most.", (unsigned)shown,
                   (unsigned)t->count);
    cmd_figure_close(html, caption);
}

void cmd_html_history(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    tracks t = {0};
    if (data->commit_count < 2)
        return;
    html->failed = !collect(&t, data, family) || html->failed;
    if (t.count > 0)
        draw_figure(html, &t);
    free(t.items);
    free(t.times);
    free(t.commits);
}
