/* bench/report_views.h - other forms of the result document, for spreadsheets and for continuous integration. They are
 * made from its JSON and say nothing that is not in it. */
#ifndef BENCH_REPORT_VIEWS_H
#define BENCH_REPORT_VIEWS_H

#include "bench/json.h"

/* RFC 4180: one heading, one row per case; numbers with 17 digits, empty where there is none. *text is malloc'ed. The
 * columns are the rows of a table in report_csv.c. MEMORY. */
vfx_status cmd_report_csv(const json_t *report, char **text) VFX_MUST_USE;

/* JUnit XML: one suite, one test case per case. *text is malloc'ed. MEMORY. */
vfx_status cmd_report_junit(const json_t *report, char **text) VFX_MUST_USE;

#endif
