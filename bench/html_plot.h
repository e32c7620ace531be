/* bench/html_plot.h - plots as plain SVG. Horizontal places are percentages and vertical ones pixels, so that a plot
 * takes the width that there is and its text keeps its size, on a phone too. Series differ in colour and in shape. */
#ifndef BENCH_HTML_PLOT_H
#define BENCH_HTML_PLOT_H

#include "bench/html.h"
#include "bench/html_scale.h"

enum { CMD_PLOT_COLOURS = 8, CMD_PLOT_SHAPES = 7 };

typedef enum cmd_axis_kind {
    CMD_AXIS_TIME,   /* ns */
    CMD_AXIS_SI,     /* with the axis' unit */
    CMD_AXIS_PERCENT /* 1 is 100 % */
} cmd_axis_kind;

typedef struct cmd_axis {
    cmd_scale scale;
    cmd_axis_kind kind;
    const char *unit;  /* of CMD_AXIS_SI, "" for none */
    const char *label; /* what is along the axis */
} cmd_axis;

/* An x-y plot with its axes and grid. Between the two calls its marks are added, then a legend. */
typedef struct cmd_plot {
    cmd_html *html;
    cmd_axis x, y;
    double height; /* px, of the field between the axes */
} cmd_plot;

/* The shapes that plots refer to: once in a page. */
void cmd_plot_shapes(cmd_html *html);

/* The heading of a figure, level 3, of class `kind`. cmd_figure_close writes the sentence below it that says how the
 * numbers were obtained; more may be added to it with cmd_figure_note before. */
void cmd_figure_open(cmd_html *html, const char *kind, const char *title);
void cmd_figure_close(cmd_html *html, const char *caption);

/* Opens the SVG and draws axes; `description` is for who cannot see it. x.label == NULL leaves out the x ticks. */
void cmd_plot_open(cmd_plot *plot, const char *title, const char *description);
/* A line between two points, cut where it leaves the field. `kind` is its class: "fit", "roof", "link". */
void cmd_plot_line(const cmd_plot *plot, const char *kind, uint32_t series, double x0, double y0, double x1, double y1);
/* A mark with a tooltip; nothing for a point that is not usable. */
void cmd_plot_mark(const cmd_plot *plot, uint32_t series, double x, double y, const char *tooltip);
/* Text in the field at a place. anchor: "start", "middle" or "end". */
void cmd_plot_text(const cmd_plot *plot, double x, double y, const char *anchor, double dy, const char *text);
void cmd_plot_close(const cmd_plot *plot);

void cmd_legend_open(cmd_html *html);
/* A series with its shape; `note` is in a lighter tone behind the name, NULL for none. */
void cmd_legend_series(cmd_html *html, uint32_t series, const char *name, const char *note);
void cmd_legend_close(cmd_html *html);

/* Text of a value on this axis. */
void cmd_axis_format(const cmd_axis *axis, double value, char text[CMD_HTML_NUMBER]);

#endif
