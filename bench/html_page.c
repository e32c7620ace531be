/* bench/html_page.c - the page: its head with the verdict, its parts in order, and what the parts share. */
#include "bench/html_section.h"
#include "bench/text.h"

#include <math.h>
#include <string.h>

bool cmd_html_timed(const cmd_html_entry *entry)
{
    return !entry->superseded && isfinite(entry->median);
}

void cmd_html_case_text(const cmd_html_entry *entry, char text[CMD_CASE_TEXT])
{
    *text = '\0';
    cmd_append(text, CMD_CASE_TEXT, "%s/%s", entry->variant, entry->preset);
    if (*entry->extra != '\0')
        cmd_append(text, CMD_CASE_TEXT, " (%s)", entry->extra);
}

void cmd_html_case(cmd_html *html, const cmd_html_entry *entry)
{
    cmd_html_add(html, "<span class=\"id\">%s/%s</span>", entry->variant, entry->preset);
    if (*entry->extra != '\0')
        cmd_html_add(html, " <small>%s</small>", entry->extra);
}

/* ------------------------------------------------------------------------------------------- tables */

void cmd_html_table_open(cmd_html *html, const char *label, const char *const head[])
{
    cmd_html_add(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><thead><tr>",
                 label);
    for (size_t i = 0; head[i] != NULL; i++) {
        bool number = *head[i] == '#';
        cmd_html_raw(html, number ? "<th scope=\"col\" class=\"num\">" : "<th scope=\"col\">");
        cmd_html_add(html, "<button type=\"button\">%s</button></th>", head[i] + (number ? 1 : 0));
    }
    cmd_html_raw(html, "</tr></thead><tbody>\n");
}

void cmd_html_number_cell(cmd_html *html, double value, const char *text)
{
    if (isfinite(value))
        cmd_html_add(html, "<td class=\"num\" data-v=\"%.9g\">%s</td>", value, text);
    else
        cmd_html_add(html, "<td class=\"num soft\" data-v=\"\">%s</td>", text);
}

void cmd_html_table_close(cmd_html *html)
{
    cmd_html_raw(html, "</tbody></table></div>\n");
}

/* -------------------------------------------------------------------------------------------- parts */

/* How the cases ended; superseded ones are not counted. */
typedef struct counts {
    uint32_t cases, pass, bad, other, timed, compared;
} counts;

static counts count_of(const cmd_html_data *data, uint32_t first, uint32_t count)
{
    counts sum = {0};
    for (uint32_t i = first; i < first + count; i++) {
        const cmd_html_entry *entry = data->order[i];
        if (entry->superseded)
            continue;
        bool pass = strcmp(entry->state, "pass") == 0;
        sum.cases++;
        sum.pass += pass;
        sum.bad += entry->bad;
        sum.other += !pass && !entry->bad;
        sum.timed += isfinite(entry->median) ? 1u : 0u;
        sum.compared += cmd_html_array_at(entry->object, "checks") != NULL;
    }
    return sum;
}

static void tile(cmd_html *html, const char *kind, uint32_t number, const char *name)
{
    cmd_html_add(html, "<div class=\"tile %s\"><b>%u</b><span>%s</span></div>", kind, (unsigned)number, name);
}

/* "NVIDIA H200 and llvmpipe" */
static void device_names(const cmd_html_data *data, char *text, size_t bytes)
{
    uint32_t named = 0;
    *text = '\0';
    for (uint32_t i = 0; i < data->result_count; i++) {
        if (data->results[i].device_index < named || strcmp(data->results[i].device, "no data") == 0)
            continue;
        cmd_append(text, bytes, "%s%s", *text != '\0' ? ", " : "", data->results[i].device);
        named = data->results[i].device_index + 1;
    }
    if (*text == '\0')
        cmd_append(text, bytes, "no device named");
}

static void add_header(cmd_html *html, const cmd_html_data *data, const counts *sum)
{
    char devices[400];
    device_names(data, devices, sizeof devices);
    cmd_html_raw(html, "<header><p class=\"eyebrow\">vfxbench report</p>\n");
    if (sum->cases == 0)
        cmd_html_raw(html, "<h1>The results hold no cases</h1>\n");
    else if (sum->bad > 0)
        cmd_html_add(html, "<h1>%u of %u cases failed</h1>\n", (unsigned)sum->bad, (unsigned)sum->cases);
    else
        cmd_html_add(html, "<h1>No failures in %u case%s</h1>\n", (unsigned)sum->cases, sum->cases == 1 ? "" : "s");
    cmd_html_add(html, "<p class=\"lede\">%s. %u result file%s, %u commit%s, newest <code>%s</code>.</p>\n", devices,
                 (unsigned)data->result_count, data->result_count == 1 ? "" : "s", (unsigned)data->commit_count,
                 data->commit_count == 1 ? "" : "s",
                 data->result_count > 0 ? data->results[data->result_count - 1].git : "no data");
    cmd_html_raw(html, "<div class=\"tiles\">");
    tile(html, sum->bad > 0 ? "bad" : "", sum->bad, "failed");
    tile(html, sum->pass > 0 && sum->bad == 0 ? "good" : "", sum->pass, "passed");
    tile(html, "", sum->other, "skipped or unsupported");
    tile(html, "", sum->compared, "compared with a reference");
    tile(html, "", sum->timed, "timed");
    cmd_html_raw(html, "</div>\n<nav aria-label=\"Parts of the report\"><a href=\"#failures\">Failures</a>");
    for (uint32_t i = 0; i < data->family_count && i < CMD_SHOWN_ROWS; i++)
        cmd_html_add(html, "<a href=\"#f%u\">%s</a>", (unsigned)i, data->families[i].name);
    cmd_html_raw(html, "<a href=\"#devices\">Devices</a><a href=\"#files\">Result files</a></nav></header>\n");
}

static void add_family(cmd_html *html, const cmd_html_data *data, uint32_t index, const char *goldens)
{
    const cmd_html_family *family = &data->families[index];
    counts sum = count_of(data, family->first, family->count);
    cmd_html_add(html, "<section id=\"f%u\"><div class=\"head\"><h2>%s</h2><span class=\"soft\">", (unsigned)index,
                 family->name);
    cmd_html_add(html, "%u variant%s, %u case%s", (unsigned)family->variant_count,
                 family->variant_count == 1 ? "" : "s", (unsigned)sum.cases, sum.cases == 1 ? "" : "s");
    if (sum.timed > 0)
        cmd_html_add(html, ", %u timed", (unsigned)sum.timed);
    if (sum.bad > 0)
        cmd_html_add(html, "</span> <span class=\"badge bad\">%u failed", (unsigned)sum.bad);
    cmd_html_raw(html, "</span></div>\n");
    cmd_html_pictures(html, data, family, goldens);
    cmd_html_distribution(html, data, family);
    cmd_html_passes(html, data, family);
    cmd_html_scaling(html, data, family);
    cmd_html_roofline(html, data, family);
    cmd_html_history(html, data, family);
    cmd_html_checks(html, data, family);
    cmd_html_numbers(html, data, family);
    cmd_html_raw(html, "</section>\n");
}

void cmd_html_page(cmd_html *html, const cmd_html_data *data, const char *goldens)
{
    counts sum = count_of(data, 0, data->entry_count);
    cmd_html_raw(html, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                       "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                       "<title>vfxbench report</title>\n");
    cmd_html_style(html);
    cmd_html_raw(html, "</head><body>\n");
    cmd_plot_shapes(html);
    add_header(html, data, &sum);
    cmd_html_raw(html, "<main>\n");
    cmd_html_failures(html, data);
    for (uint32_t i = 0; i < data->family_count && i < CMD_SHOWN_ROWS; i++)
        add_family(html, data, i, goldens);
    if (data->family_count > CMD_SHOWN_ROWS)
        cmd_html_add(html, "<p class=\"soft\">%u more families are left out.</p>\n",
                     (unsigned)(data->family_count - CMD_SHOWN_ROWS));
    cmd_html_skips(html, data);
    cmd_html_devices(html, data);
    cmd_html_files(html, data);
    cmd_html_raw(html, "</main>\n<footer>Written by <code>vfxbench report</code>. One file, nothing is loaded from "
                       "elsewhere.</footer>\n");
    cmd_html_script(html);
    cmd_html_raw(html, "</body></html>\n");
}
