/* bench/compare_show.c - a comparison for people, as text or as Markdown for a pull request. */
#include "bench/compare.h"
#include "bench/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct shower {
    const cmd_comparison *c;
    FILE *out;
    bool md;
} shower;

/* Copies text from a file so that neither a Markdown table nor a page takes it for its own. */
static void escape(const shower *s, const char *from, char *text, size_t bytes)
{
    *text = '\0';
    for (; *from != '\0'; from++) {
        if (s->md && (*from == '<' || *from == '&'))
            cmd_append(text, bytes, "%s", *from == '<' ? "&lt;" : "&amp;");
        else
            cmd_append(text, bytes, "%s%c", s->md && strchr("|`*_[\\", *from) != NULL ? "\\" : "", *from);
    }
}

static vfx_status put_text(const shower *s, cmd_table *table, uint32_t column, const char *text)
{
    char escaped[2048];
    escape(s, text, escaped, sizeof escaped);
    return cmd_table_cell(table, column, escaped);
}

static vfx_status put_number(cmd_table *table, uint32_t column, const char *format, double value)
{
    char text[48];
    cmd_format_number(format, value, text, sizeof text);
    return cmd_table_cell(table, column, text);
}

static vfx_status put_heads(cmd_table *table, const char *const heads[], uint32_t count, const char *right)
{
    VFX_TRY(cmd_table_row(table));
    for (uint32_t i = 0; i < count; i++) {
        table->right[i] = right[i] == 'r';
        VFX_TRY(cmd_table_cell(table, i, heads[i]));
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- cases */

/* "4.1 %", "4.1 % *" where it would only have been inconclusive, "-" for what was not tested. */
static vfx_status put_seen(cmd_table *table, uint32_t column, const cmd_change *change)
{
    bool slower = isfinite(change->slower_from);
    return put_number(table, column, slower ? "%.1f %%" : "%.1f %% *",
                      100.0 * (slower ? change->slower_from : change->suspect_from));
}

static vfx_status put_row(const shower *s, cmd_table *table, const cmd_compare_row *row)
{
    const cmd_change *change = row->change;
    char remarks[1100] = "", launches[32];
    cmd_append(remarks, sizeof remarks, "%s%s%s", row->reason, *row->reason != '\0' && *row->notes != '\0' ? "; " : "",
               row->notes);
    VFX_TRY(cmd_table_row(table));
    VFX_TRY(cmd_table_cell(table, 0, cmd_verdict_name(row->verdict)));
    VFX_TRY(put_text(s, table, 1, row->id));
    if (change != NULL) {
        double p = change->b_ns >= change->a_ns ? change->holm_slower : change->holm_faster;
        (void)snprintf(launches, sizeof launches, "%" PRIu32 "/%" PRIu32, change->a_count, change->b_count);
        VFX_TRY(put_number(table, 2, "%.4f", change->a_ns / 1e6));
        VFX_TRY(put_number(table, 3, "%.4f", change->b_ns / 1e6));
        VFX_TRY(put_number(table, 4, "%+.1f %%", 100.0 * change->change));
        VFX_TRY(put_number(table, 5, "%.2g", p));
        VFX_TRY(put_seen(table, 6, change));
        VFX_TRY(cmd_table_cell(table, 7, launches));
    }
    return put_text(s, table, 8, remarks);
}

/* The table of the rows with these verdicts (bits); nothing without any. */
static vfx_status show_rows(const shower *s, unsigned verdicts)
{
    static const char *const heads[] = {"verdict", "case", "A ms", "B ms", "change", "p", "could see", "launches", ""};
    cmd_table table = {0};
    uint32_t count = 0;
    vfx_status status = put_heads(&table, heads, sizeof heads / sizeof *heads, "llrrrrrrl");
    for (uint32_t i = 0; status == VFX_OK && i < s->c->row_count; i++) {
        if ((verdicts >> s->c->rows[i].verdict & 1u) == 0)
            continue;
        status = put_row(s, &table, &s->c->rows[i]);
        count++;
    }
    if (status == VFX_OK && count > 0)
        cmd_table_print(&table, s->out, s->md);
    cmd_table_free(&table);
    return status;
}

/* The same rows, folded in Markdown. */
static vfx_status show_folded(const shower *s, cmd_verdict verdict)
{
    if (s->c->count[verdict] == 0)
        return VFX_OK;
    fprintf(s->out, "\n<details><summary>%" PRIu32 " %s</summary>\n\n", s->c->count[verdict],
            cmd_verdict_name(verdict));
    VFX_TRY(show_rows(s, 1u << verdict));
    fputs("\n</details>\n", s->out);
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------ passes */

static vfx_status put_pass(const shower *s, cmd_table *table, const cmd_pass_change *pass)
{
    VFX_TRY(cmd_table_row(table));
    VFX_TRY(put_text(s, table, 0, pass->name));
    VFX_TRY(put_number(table, 1, "%.2f", pass->a_ns / 1e3));
    VFX_TRY(put_number(table, 2, "%.2f", pass->b_ns / 1e3));
    VFX_TRY(put_number(table, 3, "%+.2f", (pass->b_ns - pass->a_ns) / 1e3));
    return put_number(table, 4, "%+.1f %%", 100.0 * (pass->b_ns / pass->a_ns - 1.0));
}

static vfx_status show_passes(const shower *s, const cmd_compare_row *row)
{
    static const char *const heads[] = {"pass", "A us", "B us", "change us", "change"};
    char id[600];
    cmd_table table = {0};
    cmd_pass_change pass;
    vfx_status status = put_heads(&table, heads, sizeof heads / sizeof *heads, "lrrrr");
    for (size_t i = 0; status == VFX_OK && cmd_compare_pass(row, i, &pass); i++)
        status = put_pass(s, &table, &pass);
    escape(s, row->id, id, sizeof id);
    fprintf(s->out, "\n%s, %+.1f %%:\n%s", id, 100.0 * row->change->change, s->md ? "\n" : "");
    if (status == VFX_OK)
        cmd_table_print(&table, s->out, s->md);
    cmd_table_free(&table);
    return status;
}

/* Where the time went, for each case that moved. */
static vfx_status show_moved(const shower *s, bool quiet)
{
    for (uint32_t i = 0; i < s->c->row_count; i++) {
        const cmd_compare_row *row = &s->c->rows[i];
        if (row->verdict == CMD_SLOWER || (row->verdict == CMD_FASTER && !quiet))
            VFX_TRY(show_passes(s, row));
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------- what is around */

static void show_file(const shower *s, const char *name, const cmd_result *result)
{
    char path[2048], plain[1024], device[512], driver[512], git[256];
    cmd_copy(plain, sizeof plain, result->path);
    cmd_make_plain(plain);
    escape(s, plain, path, sizeof path);
    escape(s, result->device_name, device, sizeof device);
    escape(s, result->driver, driver, sizeof driver);
    escape(s, cmd_result_text(result->tool, "git"), git, sizeof git);
    fprintf(s->out, "%s%s  %s: %s, %s%s; vfxbench %.40s\n", s->md ? "* " : "", name, path,
            result->device != NULL ? device : "no device", driver, result->software ? " (software)" : "", git);
}

static void show_summary(const shower *s)
{
    const cmd_comparison *c = s->c;
    fputs(s->md ? "\n**" : "\n", s->out);
    for (uint32_t i = 0; i < CMD_VERDICT_COUNT; i++)
        fprintf(s->out, "%s%" PRIu32 " %s", i > 0 ? ", " : "", c->count[i], cmd_verdict_name((cmd_verdict)i));
    fputs(s->md ? "**" : "", s->out);
    if (c->missing > 0)
        fprintf(s->out, "; %" PRIu32 " with times in one file only", c->missing);
    fputs(c->software ? "; software device: nothing fails\n" : "\n", s->out);
}

static void show_legend(const shower *s)
{
    const cmd_compare_rule *rule = &s->c->rule;
    if (s->c->change_count == 0 || s->c->family == 0)
        return;
    fprintf(s->out,
            "\nA change counts above %.3g %% and %.3g us, if the exact rank test of the launch medians confirms it (p, "
            "corrected for\nthe %" PRIu32
            " tests of the suite, at most %g). could see: the smallest slowdown that would "
            "have been `slower`, with *\nonly `inconclusive`.\n",
            100.0 * rule->threshold, rule->min_change_ns / 1e3, s->c->family, CMD_COMPARE_LEVEL);
}

static void show_notes(const shower *s)
{
    fputs(s->md && s->c->note_count > 0 ? "\n" : "", s->out);
    for (uint32_t i = 0; i < s->c->note_count; i++) {
        char text[1024];
        escape(s, s->c->notes[i], text, sizeof text);
        fprintf(s->out, "%s%s\n", s->md ? "* " : "note: ", text);
    }
}

static vfx_status show_command(const shower *s, const char *name, const cmd_result *result)
{
    char *text;
    VFX_TRY(cmd_rerun_format(s->c, result, &text));
    if (text != NULL)
        fprintf(s->out, "  %s\n", text);
    else
        fprintf(s->out, "  # the command line of %s with --launches %d\n", name, CMD_RERUN_LAUNCHES);
    free(text);
    return VFX_OK;
}

/* How to settle what is inconclusive. */
static vfx_status show_again(const shower *s)
{
    uint32_t again = 0;
    for (uint32_t i = 0; i < s->c->row_count; i++)
        again += cmd_compare_again(&s->c->rows[i]) ? 1 : 0;
    if (again == 0)
        return VFX_OK;
    fprintf(s->out,
            "\n%" PRIu32
            " inconclusive. To settle them measure B again, and A for a sharper answer or where it has too "
            "few launches,\neach with its own program:\n%s",
            again, s->md ? "```\n" : "");
    VFX_TRY(show_command(s, "B", s->c->b));
    if (strcmp(s->c->a->path, s->c->b->path) != 0)
        VFX_TRY(show_command(s, "A", s->c->a));
    fputs(s->md ? "```\n" : "", s->out);
    return VFX_OK;
}

static vfx_status show_all(const shower *s)
{
    const unsigned folded = 1u << CMD_SAME | 1u << CMD_NOT_COMPARABLE;
    show_file(s, "A", s->c->a);
    show_file(s, "B", s->c->b);
    show_notes(s);
    if (s->md)
        show_summary(s);
    fputc('\n', s->out);
    VFX_TRY(show_rows(s, s->md ? ~folded : ~0u));
    VFX_TRY(show_moved(s, false));
    if (s->md) {
        VFX_TRY(show_folded(s, CMD_NOT_COMPARABLE));
        VFX_TRY(show_folded(s, CMD_SAME));
    }
    show_legend(s);
    VFX_TRY(show_again(s));
    if (!s->md)
        show_summary(s);
    return VFX_OK;
}

vfx_status cmd_compare_print(const cmd_comparison *comparison, FILE *out, bool markdown, bool quiet)
{
    const shower s = {comparison, out, markdown};
    if (!quiet)
        return show_all(&s);
    VFX_TRY(show_rows(&s, 1u << CMD_SLOWER));
    return show_moved(&s, true);
}
