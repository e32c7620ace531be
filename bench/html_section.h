/* bench/html_section.h - the parts of the page, in the order in which they appear. Each appends itself, and nothing
 * where the results hold nothing for it. */
#ifndef BENCH_HTML_SECTION_H
#define BENCH_HTML_SECTION_H

#include "bench/html.h"
#include "bench/html_data.h"
#include "bench/html_plot.h"

enum {
    CMD_SHOWN_ROWS = 48,     /* cases in a figure */
    CMD_SHOWN_SERIES = 24,   /* series in a figure */
    CMD_SHOWN_LINES = 1000,  /* rows of a table */
    CMD_SHOWN_FAILURES = 200 /* failures told at length */
};

/* The page from doctype to the end. goldens: the folder of golden pictures, NULL for none. */
void cmd_html_page(cmd_html *html, const cmd_html_data *data, const char *goldens);

/* html_style.c: the style sheet and the script. */
void cmd_html_style(cmd_html *html);
void cmd_html_script(cmd_html *html);

/* html_failures.c: what failed, at length; then what was not run and why. */
void cmd_html_failures(cmd_html *html, const cmd_html_data *data);
void cmd_html_skips(cmd_html *html, const cmd_html_data *data);

/* Of one family. */
void cmd_html_pictures(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family, const char *goldens);
void cmd_html_distribution(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);
void cmd_html_passes(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);
void cmd_html_scaling(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);
void cmd_html_roofline(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);
void cmd_html_history(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);
void cmd_html_numbers(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);
void cmd_html_checks(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family);

/* html_device.c: device facts, one column a device; the result files. */
void cmd_html_devices(cmd_html *html, const cmd_html_data *data);
void cmd_html_files(cmd_html *html, const cmd_html_data *data);

/* Is this entry one to show times of: timed, and not superseded? */
bool cmd_html_timed(const cmd_html_entry *entry);
/* "ring/100k", "ring/100k (sides=6)": the entry within its family; markup. */
void cmd_html_case(cmd_html *html, const cmd_html_entry *entry);
/* The same as text. */
enum { CMD_CASE_TEXT = 512 };
void cmd_html_case_text(const cmd_html_entry *entry, char text[CMD_CASE_TEXT]);

/* A table that scrolls in a box of its own and sorts when its heads are clicked. head: names, the last NULL; a name
 * that begins with '#' is a column of numbers. */
void cmd_html_table_open(cmd_html *html, const char *label, const char *const head[]);
/* A cell of numbers that sorts by `value`. */
void cmd_html_number_cell(cmd_html *html, double value, const char *text);
void cmd_html_table_close(cmd_html *html);

#endif
