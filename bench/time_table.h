/* bench/time_table.h - timed cases for people: rows of a table and lines below a case, from the result's JSON. */
#ifndef BENCH_TIME_TABLE_H
#define BENCH_TIME_TABLE_H

#include "bench/session.h"
#include "bench/text.h"

/* The heading, and one row for a case of the result that was timed. */
vfx_status cmd_time_head(cmd_table *table) VFX_MUST_USE;
vfx_status cmd_time_row(cmd_table *table, const json_t *object) VFX_MUST_USE;

/* The last row's cell on its upload, if it has one; the first makes the column. For Markdown, where no line tells it.
 */
vfx_status cmd_time_upload_cell(cmd_table *table, const json_t *object) VFX_MUST_USE;

/* "0.97 ms host, 0.19 ms GPU, 9.22 MB (single)"; "" if nothing is uploaded. */
void cmd_time_upload_format(const json_t *object, char *text, size_t bytes);

/* What the table has no room for: warnings, lost launches, a clock that moved, work, upload. */
void cmd_time_say(const cmd_session *session, const json_t *object);

#endif
