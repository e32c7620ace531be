/* bench/html_plot.c - axes, marks, lines and legends. */
#include "bench/html_plot.h"

#include <math.h>

void cmd_plot_shapes(cmd_html *html)
{
    static const char *const paths[CMD_PLOT_SHAPES] = {"M0-4.6A4.6 4.6 0 1 1 0 4.6 4.6 4.6 0 1 1 0-4.6Z",
                                                       "M-4-4H4V4H-4Z",
                                                       "M0-5.4L5.2 4H-5.2Z",
                                                       "M0-5.8L5.8 0 0 5.8-5.8 0Z",
                                                       "M0 5.4L5.2-4H-5.2Z",
                                                       "M-2-5.4H2V-2H5.4V2H2V5.4H-2V2H-5.4V-2H-2Z",
                                                       "M-5-2.9L0-5.8 5-2.9V2.9L0 5.8-5 2.9Z"};
    cmd_html_raw(html, "<svg class=\"defs\" aria-hidden=\"true\" focusable=\"false\"><defs>");
    for (unsigned i = 0; i < CMD_PLOT_SHAPES; i++)
        cmd_html_add(html, "<path id=\"m%u\" d=\"%s\"/>", i, paths[i]);
    cmd_html_raw(html, "</defs></svg>\n");
}

void cmd_figure_open(cmd_html *html, const char *kind, const char *title)
{
    cmd_html_add(html, "<figure class=\"%s\"><h3>%s</h3>\n", kind, title);
}

void cmd_figure_close(cmd_html *html, const char *caption)
{
    cmd_html_add(html, "<figcaption>%s</figcaption></figure>\n", caption);
}

void cmd_axis_format(const cmd_axis *axis, double value, char text[CMD_HTML_NUMBER])
{
    if (axis->kind == CMD_AXIS_TIME)
        cmd_html_format_time(value, text);
    else if (axis->kind == CMD_AXIS_PERCENT)
        cmd_html_format_percent(value, text);
    else
        cmd_html_format_si(value, axis->unit, text);
}

/* Place in the field, % from the left; px from the top. */
static double place_x(const cmd_plot *plot, double x)
{
    return 100.0 * cmd_scale_at(&plot->x.scale, x);
}

static double place_y(const cmd_plot *plot, double y)
{
    return plot->height * (1.0 - cmd_scale_at(&plot->y.scale, y));
}

static void draw_axes(const cmd_plot *plot)
{
    double ticks[CMD_SCALE_TICKS];
    char text[CMD_HTML_NUMBER];
    uint32_t count = cmd_scale_ticks(&plot->y.scale, plot->y.scale.log ? 10 : 6, ticks);
    for (uint32_t i = 0; i < count; i++) {
        cmd_axis_format(&plot->y, ticks[i], text);
        double y = place_y(plot, ticks[i]);
        cmd_html_add(plot->html,
                     "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                     "<text class=\"tick\" x=\"0\" dx=\"-8\" y=\"%.1f\" dy=\".32em\" text-anchor=\"end\">%s</text>",
                     y, y, y, text);
    }
    cmd_html_add(plot->html, "<line class=\"axis\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", plot->height,
                 plot->height);
    if (plot->x.label == NULL)
        return;
    count = cmd_scale_ticks(&plot->x.scale, 6, ticks);
    for (uint32_t i = 0; i < count; i++) {
        cmd_axis_format(&plot->x, ticks[i], text);
        double x = place_x(plot, ticks[i]);
        cmd_html_add(plot->html,
                     "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"%.1f\"/>"
                     "<text class=\"tick\" x=\"%.2f%%\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                     x, x, plot->height, x, plot->height + 18.0, text);
    }
}

void cmd_plot_open(cmd_plot *plot, const char *title, const char *description)
{
    unsigned id = plot->html->ids++;
    cmd_html_add(plot->html,
                 "<div class=\"ylabel\">%s</div><div class=\"field\"><svg role=\"img\" height=\"%.0f\" "
                 "aria-labelledby=\"t%u d%u\"><title id=\"t%u\">%s</title><desc id=\"d%u\">%s</desc>\n",
                 plot->y.label, plot->height, id, id, id, title, id, description);
    draw_axes(plot);
    cmd_html_raw(plot->html, "\n");
}

/* Cuts the part of a + t (b - a), t in from..to, that is within 0..1. */
static void cut(double a, double b, double *from, double *to)
{
    double step = b - a;
    if (step == 0.0) {
        if (a < 0.0 || a > 1.0)
            *to = -1.0;
        return;
    }
    double enter = (step > 0.0 ? 0.0 - a : 1.0 - a) / step, leave = (step > 0.0 ? 1.0 - a : 0.0 - a) / step;
    *from = fmax(*from, enter);
    *to = fmin(*to, leave);
}

void cmd_plot_line(const cmd_plot *plot, const char *kind, uint32_t series, double x0, double y0, double x1, double y1)
{
    double ax = cmd_scale_beyond(&plot->x.scale, x0), ay = cmd_scale_beyond(&plot->y.scale, y0);
    double bx = cmd_scale_beyond(&plot->x.scale, x1), by = cmd_scale_beyond(&plot->y.scale, y1);
    double from = 0.0, to = 1.0;
    if (!isfinite(ax) || !isfinite(ay) || !isfinite(bx) || !isfinite(by))
        return;
    cut(ax, bx, &from, &to);
    cut(ay, by, &from, &to);
    if (!(from < to))
        return;
    cmd_html_add(plot->html, "<line class=\"%s c%u\" x1=\"%.2f%%\" y1=\"%.1f\" x2=\"%.2f%%\" y2=\"%.1f\"/>\n", kind,
                 (unsigned)(series % CMD_PLOT_COLOURS), 100.0 * (ax + from * (bx - ax)),
                 plot->height * (1.0 - ay - from * (by - ay)), 100.0 * (ax + to * (bx - ax)),
                 plot->height * (1.0 - ay - to * (by - ay)));
}

void cmd_plot_mark(const cmd_plot *plot, uint32_t series, double x, double y, const char *tooltip)
{
    if (isnan(cmd_scale_at(&plot->x.scale, x)) || isnan(cmd_scale_at(&plot->y.scale, y)))
        return;
    cmd_html_add(plot->html, "<use href=\"#m%u\" class=\"mark c%u\" x=\"%.2f%%\" y=\"%.1f\"><title>%s</title></use>\n",
                 (unsigned)(series % CMD_PLOT_SHAPES), (unsigned)(series % CMD_PLOT_COLOURS), place_x(plot, x),
                 place_y(plot, y), tooltip);
}

void cmd_plot_text(const cmd_plot *plot, double x, double y, const char *anchor, double dy, const char *text)
{
    if (isnan(cmd_scale_at(&plot->x.scale, x)) || isnan(cmd_scale_at(&plot->y.scale, y)))
        return;
    cmd_html_add(plot->html, "<text class=\"note\" x=\"%.2f%%\" y=\"%.1f\" dy=\"%.0f\" text-anchor=\"%s\">%s</text>\n",
                 place_x(plot, x), place_y(plot, y), dy, anchor, text);
}

void cmd_plot_close(const cmd_plot *plot)
{
    cmd_html_raw(plot->html, "</svg></div>\n");
    if (plot->x.label != NULL)
        cmd_html_add(plot->html, "<div class=\"xlabel\">%s</div>\n", plot->x.label);
}

void cmd_legend_open(cmd_html *html)
{
    cmd_html_raw(html, "<ul class=\"legend\">");
}

void cmd_legend_series(cmd_html *html, uint32_t series, const char *name, const char *note)
{
    cmd_html_add(html,
                 "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><use href=\"#m%u\" class=\"key c%u\" "
                 "x=\"7\" y=\"7\"/></svg>%s",
                 (unsigned)(series % CMD_PLOT_SHAPES), (unsigned)(series % CMD_PLOT_COLOURS), name);
    if (note != NULL)
        cmd_html_add(html, " <small>%s</small>", note);
    cmd_html_raw(html, "</li>");
}

void cmd_legend_close(cmd_html *html)
{
    cmd_html_raw(html, "</ul>\n");
}
