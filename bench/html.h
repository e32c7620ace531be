/* bench/html.h - text of an HTML page: a buffer that grows, and appending in which every %s is escaped, so that no
 * name, reason or message of a result file can become markup. */
#ifndef BENCH_HTML_H
#define BENCH_HTML_H

#include "core/status.h"

#include <stdint.h>

/* A zeroed struct is empty. What does not fit into memory is left out; cmd_html_status() tells. */
typedef struct cmd_html {
    char *text; /* NUL-terminated; NULL while empty */
    size_t bytes, capacity;
    bool failed;          /* memory ran out */
    uint32_t ids;         /* given out so far, see html_plot.c */
    size_t picture_bytes; /* embedded so far, see html_picture.c */
} cmd_html;

enum { CMD_HTML_NUMBER = 64 }; /* bytes of the texts of the cmd_html_format_* functions */

/* Appends. The format itself is markup and goes in as it is. Conversions: %s (escaped; NULL is nothing), %d, %u, %zu,
 * %g and %f with a precision, %%. A number that is not finite becomes 0, because it would make an attribute invalid. */
void cmd_html_add(cmd_html *html, const char *format, ...) VFX_PRINTF(2, 3);
/* Appends as it is. */
void cmd_html_raw(cmd_html *html, const char *markup);
/* Appends text: & < > " ' as entities, other control characters than line ends and bytes that are no UTF-8 as U+FFFD,
 * and so are the characters that would turn the direction of the text around them. */
void cmd_html_text(cmd_html *html, const char *text);
/* Appends "data:image/png;base64,...". */
void cmd_html_png(cmd_html *html, const void *data, size_t bytes);
/* OK, or MEMORY. */
vfx_status cmd_html_status(const cmd_html *html) VFX_MUST_USE;
void cmd_html_free(cmd_html *html);

/* Numbers for people, three or four significant digits with a unit; "no data" when not finite. */
void cmd_html_format_time(double ns, char text[CMD_HTML_NUMBER]);                    /* "149.9 µs" */
void cmd_html_format_si(double value, const char *unit, char text[CMD_HTML_NUMBER]); /* "4.27 TB/s" */
void cmd_html_format_bytes(double value, char text[CMD_HTML_NUMBER]);                /* "1.5 GiB" */
void cmd_html_format_percent(double share, char text[CMD_HTML_NUMBER]);              /* 0.85: "85 %" */

#endif
