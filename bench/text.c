/* bench/text.c - text for people. */
#include "bench/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cmd_append(char *text, size_t bytes, const char *format, ...)
{
    size_t used = strlen(text);
    if (used + 1 >= bytes)
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + used, bytes - used, format, args);
    va_end(args);
}

void cmd_copy(char *text, size_t bytes, const char *from)
{
    *text = '\0';
    cmd_append(text, bytes, "%s", from);
}

void cmd_format_si(double value, char *text, size_t bytes)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    size_t i = 0;
    if (!isfinite(value)) {
        (void)snprintf(text, bytes, "-");
        return;
    }
    while (fabs(value) >= 999.5 && i + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1000.0;
        i++;
    }
    (void)snprintf(text, bytes, "%.3g%s", value, prefixes[i]);
}

void cmd_format_number(const char *format, double value, char *text, size_t bytes)
{
    (void)snprintf(text, bytes, "-");
    if (!isfinite(value))
        return;
    *text = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(text, bytes, format, value);
#pragma GCC diagnostic pop
}

vfx_status cmd_table_row(cmd_table *table)
{
    size_t count, bytes;
    if (!vfx_mul_size((size_t)table->row_count + 1, CMD_TABLE_COLUMNS, &count) ||
        !vfx_mul_size(count, sizeof *table->cells, &bytes))
        return vfx_fail(VFX_MEMORY, "a table is too large");
    char **cells = realloc(table->cells, bytes);
    if (cells == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a table");
    table->cells = cells;
    for (size_t i = count - CMD_TABLE_COLUMNS; i < count; i++)
        cells[i] = NULL;
    table->row_count++;
    return VFX_OK;
}

vfx_status cmd_table_put(cmd_table *table, uint32_t row, uint32_t column, const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a table");
    char **cell = &table->cells[(size_t)row * CMD_TABLE_COLUMNS + column];
    free(*cell);
    *cell = strcpy(copy, text);
    if (column >= table->column_count)
        table->column_count = column + 1;
    return VFX_OK;
}

vfx_status cmd_table_cell(cmd_table *table, uint32_t column, const char *text)
{
    return cmd_table_put(table, table->row_count - 1, column, text);
}

static const char *cell_text(const cmd_table *table, uint32_t row, uint32_t column)
{
    const char *text = table->cells[(size_t)row * CMD_TABLE_COLUMNS + column];
    return text != NULL ? text : "";
}

static void print_cells(const cmd_table *table, FILE *out, uint32_t row, const int width[], bool markdown)
{
    for (uint32_t c = 0; c < table->column_count; c++) {
        bool last = c + 1 == table->column_count && !markdown;
        int padded = table->right[c] ? width[c] : last ? 0 : -width[c];
        fprintf(out, "%s%*s", markdown ? "| " : c > 0 ? "  " : "", padded, cell_text(table, row, c));
        if (markdown)
            fputc(' ', out);
    }
    fputs(markdown ? "|\n" : "\n", out);
}

void cmd_table_print(const cmd_table *table, FILE *out, bool markdown)
{
    int width[CMD_TABLE_COLUMNS] = {0};
    for (uint32_t r = 0; r < table->row_count; r++) {
        for (uint32_t c = 0; c < table->column_count; c++) {
            int length = (int)strlen(cell_text(table, r, c));
            width[c] = length > width[c] ? length : width[c];
        }
    }
    for (uint32_t r = 0; r < table->row_count; r++) {
        print_cells(table, out, r, width, markdown);
        for (uint32_t c = 0; markdown && r == 0 && c < table->column_count; c++)
            fputs(table->right[c] ? "|---:" : "|---", out);
        if (markdown && r == 0)
            fputs("|\n", out);
    }
}

void cmd_table_free(cmd_table *table)
{
    for (size_t i = 0; i < (size_t)table->row_count * CMD_TABLE_COLUMNS; i++)
        free(table->cells[i]);
    free(table->cells);
    memset(table, 0, sizeof *table);
}
