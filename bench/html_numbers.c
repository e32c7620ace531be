/* bench/html_numbers.c - all numbers of the timed cases of a family, in one table that sorts. */
#include "bench/html_section.h"
#include "bench/text.h"

#include <math.h>

static void add_share(cmd_html *html, const json_t *rates)
{
    char text[CMD_HTML_NUMBER + 32];
    double share = cmd_html_number_at(rates, "ceiling_share");
    const char *ceiling = cmd_html_text_at(rates, "ceiling");
    cmd_html_format_percent(share, text);
    if (isfinite(share) && ceiling != NULL)
        cmd_append(text, sizeof text, " of %s", ceiling);
    cmd_html_number_cell(html, share, text);
}

static void add_rate(cmd_html *html, double value, const char *unit)
{
    char text[CMD_HTML_NUMBER];
    cmd_html_format_si(value, unit, text);
    cmd_html_number_cell(html, value, text);
}

static void add_row(cmd_html *html, const cmd_html_entry *entry)
{
    const json_t *rates = json_object_get(entry->timing, "rates");
    char text[CMD_HTML_NUMBER];
    size_t launches = cmd_html_launch_count(entry), samples = 0;
    for (size_t l = 0; l < launches; l++)
        samples += json_array_size(cmd_html_launch_samples(entry, l));
    cmd_html_raw(html, "<tr><td>");
    cmd_html_case(html, entry);
    cmd_html_raw(html, "</td>");
    cmd_html_format_time(entry->median, text);
    cmd_html_number_cell(html, entry->median, text);
    double iqr = (entry->p75 - entry->p25) / entry->median;
    cmd_html_format_percent(iqr, text);
    cmd_html_number_cell(html, iqr, text);
    cmd_html_format_time(entry->p95, text);
    cmd_html_number_cell(html, entry->p95, text);
    cmd_html_add(html, "<td class=\"num\" data-v=\"%zu\">%zu / %zu</td>", samples, launches, samples);
    double bytes = cmd_html_number_at(rates, "bytes_read") + cmd_html_number_at(rates, "bytes_written");
    cmd_html_format_si(bytes, "B", text);
    cmd_html_number_cell(html, bytes, text);
    add_rate(html, cmd_html_number_at(rates, "bytes_per_s"), "B/s");
    add_share(html, rates);
    add_rate(html, cmd_html_number_at(rates, "flops_per_s"), "flop/s");
    double items = cmd_html_number_at(rates, "items_per_s");
    add_rate(html, items > 0.0 ? items : (double)NAN, "/s");
    cmd_html_raw(html, "</tr>\n");
}

void cmd_html_numbers(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family)
{
    static const char *const head[] = {"case",     "#median",    "#IQR",   "#p95",     "#launches / samples",
                                       "#traffic", "#bandwidth", "#share", "#compute", "#items",
                                       NULL};
    uint32_t total = 0, shown = 0;
    for (uint32_t i = family->first; i < family->first + family->count; i++)
        total += cmd_html_timed(data->order[i]);
    if (total == 0)
        return;
    cmd_html_add(html, "<details class=\"card\"><summary>All numbers of %u timed case%s</summary>", (unsigned)total,
                 total == 1 ? "" : "s");
    cmd_html_table_open(html, "All numbers", head);
    for (uint32_t i = family->first; i < family->first + family->count && shown < CMD_SHOWN_LINES; i++) {
        if (!cmd_html_timed(data->order[i]))
            continue;
        add_row(html, data->order[i]);
        shown++;
    }
    cmd_html_table_close(html);
    if (total > shown)
        cmd_html_add(html, "<p class=\"soft\">%u more are in the result files.</p>", (unsigned)(total - shown));
    cmd_html_raw(html, "<p><small>Median, interquartile range and 95th percentile of the time of a frame. Traffic: the "
                       "bytes a frame has to read and write at least, as declared by its passes; bandwidth and compute "
                       "follow from it and the median. Share: of the device's own copy or fill rate, measured in the "
                       "same invocation.</small></p></details>\n");
}
