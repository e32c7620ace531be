/* bench/text.h - text for people: appending, numbers with a prefix, and tables as aligned columns or Markdown. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include "core/status.h"

#include <stdint.h>
#include <stdio.h>

/* Appends to the NUL-terminated `text` of `bytes` capacity; what does not fit is cut. */
void cmd_append(char *text, size_t bytes, const char *format, ...) VFX_PRINTF(3, 4);

/* Copies; what does not fit is cut. */
void cmd_copy(char *text, size_t bytes, const char *from);

/* "1.23 G", "45.6 M", "789"; "-" when not finite. Three significant digits. */
void cmd_format_si(double value, char *text, size_t bytes);

/* `value` with the printf format (one double), "-" when not finite. */
void cmd_format_number(const char *format, double value, char *text, size_t bytes);

enum { CMD_TABLE_COLUMNS = 16 };

/* Rows of text cells. Zeroed is empty. The first row is the heading. */
typedef struct cmd_table {
    char **cells; /* row * CMD_TABLE_COLUMNS + column; NULL: empty */
    uint32_t row_count, column_count;
    bool right[CMD_TABLE_COLUMNS]; /* column is aligned to the right */
} cmd_table;

vfx_status cmd_table_row(cmd_table *table) VFX_MUST_USE; /* begins a row */
/* Sets a cell of a row that is there to a copy of `text`. */
vfx_status cmd_table_put(cmd_table *table, uint32_t row, uint32_t column, const char *text) VFX_MUST_USE;
/* The same in the last row. */
vfx_status cmd_table_cell(cmd_table *table, uint32_t column, const char *text) VFX_MUST_USE;
void cmd_table_print(const cmd_table *table, FILE *out, bool markdown);
void cmd_table_free(cmd_table *table);

#endif
