/* bench/html_roofline.c - declared work of the cases of a family against what the device can do: a plot a device. */
#include "bench/html_section.h"
#include "bench/text.h"

#include <math.h>
#include <stdlib.h>

/* A case as a point. */
typedef struct point {
    const cmd_html_entry *entry;
    double intensity; /* flop a byte */
    double flops_per_s;
} point;

static bool point_of(const cmd_html_entry *entry, uint32_t device, point *p)
{
    const json_t *rates = json_object_get(entry->timing, "rates");
    double bytes = cmd_html_number_at(rates, "bytes_read") + cmd_html_number_at(rates, "bytes_written");
    p->entry = entry;
    p->intensity = cmd_html_number_at(rates, "flops") / bytes;
    p->flops_per_s = cmd_html_number_at(rates, "flops_per_s");
    return cmd_html_timed(entry) && entry->result->device_index == device && bytes > 0.0 && p->intensity > 0.0 &&
           p->flops_per_s > 0.0 && isfinite(p->intensity) && isfinite(p->flops_per_s);
}

/* The last ceilings measured on a device; NULL for none. */
static const cmd_html_result *ceilings_of(const cmd_html_data *data, uint32_t device)
{
    const cmd_html_result *found = NULL;
    for (uint32_t i = 0; i < data->result_count; i++) {
        if (data->results[i].device_index == device && data->results[i].ceilings != NULL)
            found = &data->results[i];
    }
    return found;
}

/* The sloped line of a rate of bytes up to the flat one at `flops`, named near its lower end. */
static void draw_slope(const cmd_plot *plot, const char *kind, double rate, double flops, const char *name, double dy)
{
    char text[CMD_HTML_NUMBER], label[128];
    double end = isfinite(flops) && flops > 0.0 ? flops / rate : plot->x.scale.hi;
    if (!(rate > 0.0) || !isfinite(rate))
        return;
    double from = fmax(plot->x.scale.lo, plot->y.scale.lo / rate);
    cmd_plot_line(plot, kind, 0, from, from * rate, end, end * rate);
    cmd_html_format_si(rate, "B/s", text);
    (void)snprintf(label, sizeof label, "%s %s", name, text);
    if (dy != 0.0)
        cmd_plot_text(plot, from * 1.12, from * 1.12 * rate, "start", dy, label);
}

static void draw_roof(const cmd_plot *plot, const json_t *ceilings)
{
    char text[CMD_HTML_NUMBER], label[128];
    double copy = cmd_html_number_at(ceilings, "copy_bytes_per_s"), flops = cmd_html_number_at(ceilings, "fma_flops");
    draw_slope(plot, "roof", copy, flops, "copy", 18.0);
    if (flops > 0.0 && isfinite(flops)) {
        double from = copy > 0.0 && isfinite(copy) ? flops / copy : plot->x.scale.lo;
        cmd_plot_line(plot, "roof", 0, from, flops, plot->x.scale.hi, flops);
        cmd_html_format_si(flops, "flop/s", text);
        (void)snprintf(label, sizeof label, "multiply-add %s", text);
        cmd_plot_text(plot, plot->x.scale.hi, flops, "end", -8.0, label);
    }
}

static void set_scales(cmd_plot *plot, const point *points, uint32_t count, const json_t *ceilings)
{
    double *x = calloc((size_t)count + 3, sizeof *x), *y = calloc((size_t)count + 3, sizeof *y);
    double copy = cmd_html_number_at(ceilings, "copy_bytes_per_s"), flops = cmd_html_number_at(ceilings, "fma_flops");
    for (uint32_t i = 0; x != NULL && y != NULL && i < count; i++) {
        x[i] = points[i].intensity;
        y[i] = points[i].flops_per_s;
    }
    if (x != NULL && y != NULL) {
        x[count] = 2.5 * flops / copy; /* NaN is left out */
        y[count] = 1.6 * flops;
    }
    bool made = x != NULL && y != NULL;
    plot->x.scale = cmd_scale_of(x, made ? (size_t)count + 1 : 0, true, false);
    plot->y.scale = cmd_scale_of(y, made ? (size_t)count + 1 : 0, true, false);
    plot->html->failed = plot->html->failed || !made;
    free(x);
    free(y);
}

/* Every variant among the points once, in the order of the points. */
static void draw_legend(cmd_html *html, const point *points, uint32_t count)
{
    uint32_t shown = 0;
    cmd_legend_open(html);
    for (uint32_t i = 0; i < count && shown < CMD_SHOWN_SERIES; i++) {
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = points[j].entry->variant_index == points[i].entry->variant_index;
        if (seen)
            continue;
        cmd_legend_series(html, points[i].entry->variant_index, points[i].entry->variant, NULL);
        shown++;
    }
    cmd_legend_close(html);
}

static void draw_points(const cmd_plot *plot, const point *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char name[CMD_CASE_TEXT], rate[CMD_HTML_NUMBER], tip[CMD_CASE_TEXT + CMD_HTML_NUMBER + 64];
        cmd_html_case_text(points[i].entry, name);
        cmd_html_format_si(points[i].flops_per_s, "flop/s", rate);
        (void)snprintf(tip, sizeof tip, "%s: %s at %.3g flop a byte", name, rate, points[i].intensity);
        cmd_plot_mark(plot, points[i].entry->variant_index, points[i].intensity, points[i].flops_per_s, tip);
    }
}

static void draw_figure(cmd_html *html, const cmd_html_data *data, uint32_t device, const point *points, uint32_t count)
{
    const cmd_html_result *measured = ceilings_of(data, device);
    char title[256];
    cmd_plot plot = {.html = html, .height = 320.0};
    plot.x = (cmd_axis){.kind = CMD_AXIS_SI, .unit = "", .label = "declared flop a byte"};
    plot.y = (cmd_axis){.kind = CMD_AXIS_SI, .unit = "flop/s", .label = "compute rate"};
    set_scales(&plot, points, count, measured != NULL ? measured->ceilings : NULL);
    (void)snprintf(title, sizeof title, "Roofline on %.200s", points[0].entry->result->device);
    cmd_figure_open(html, "plot roofline", title);
    cmd_plot_open(&plot, title, "Both axes are logarithmic; the line is what the device can reach.");
    if (measured != NULL)
        draw_roof(&plot, measured->ceilings);
    draw_points(&plot, points, count);
    cmd_plot_close(&plot);
    draw_legend(html, points, count);
    cmd_figure_close(html,
                     measured != NULL
                         ? "Declared operations and compulsory bytes of a frame over its median time; the line is "
                           "the rate of a copy and of a multiply-add kernel, measured on the device in the newest "
                           "result. Far below the line: latency, launches or extra traffic, not a ceiling."
                         : "Declared operations and compulsory bytes of a frame over its median time; no result of "
                           "this device holds its ceilings.");
}

void cmd_html_roofline(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    point *points = calloc(family->count, sizeof *points);
    html->failed = html->failed || points == NULL;
    for (uint32_t device = 0; points != NULL && device < data->device_count; device++) {
        uint32_t count = 0;
        for (uint32_t i = family->first; i < family->first + family->count && count < CMD_SHOWN_LINES; i++)
            count += point_of(data->order[i], device, &points[count]) ? 1u : 0u;
        if (count > 0)
            draw_figure(html, data, device, points, count);
    }
    free(points);
}
