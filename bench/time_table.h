/* bench/time_table.h - a timed case as a table row and as the JSON timing block: rates, shares of the ceilings, floor.
 */
#ifndef BENCH_TIME_TABLE_H
#define BENCH_TIME_TABLE_H

#include "bench/text.h"
#include "bench/timing.h"

/* What follows from a median frame time, the declared traffic and the ceilings. NaN where it is not defined. */
typedef struct cmd_rates {
    vfx_traffic traffic; /* of a frame */
    double bytes;        /* read + written */
    double bytes_per_s;
    double flops_per_s;
    double ceiling_share; /* of the ceiling named next */
    const char *ceiling;  /* "copy", or "fill" when next to nothing is read */
    double floor_ns;      /* bytes at the copy ceiling */
    double items;         /* records of the buffer that the variant makes, all batches */
    double items_per_s;
    const char *item; /* that buffer's name, "" if none */
} cmd_rates;

cmd_rates cmd_rates_of(const vfx_case *kase, double median_ns, const vfx_ceilings *ceilings);

/* Writes what cannot be true of these numbers, "" if nothing: a frame shorter than one of its passes, or more bytes per
 * second than 1.2 times the ceiling. `noisy` leaves the former out: software devices schedule like that. */
void cmd_time_implausible(const vfx_case *kase, const cmd_timing *timing, const vfx_ceilings *ceilings, bool noisy,
                          char *text, size_t bytes);

/* The heading, and one row. */
vfx_status cmd_time_head(cmd_table *table) VFX_MUST_USE;
vfx_status cmd_time_row(cmd_table *table, const char *name, const vfx_case *kase, const cmd_timing *timing,
                        const vfx_ceilings *ceilings) VFX_MUST_USE;

/* The last row's cell on its upload, if it has one; the first makes the column. For tables, where no line tells it. */
vfx_status cmd_time_upload_cell(cmd_table *table, const cmd_timing *timing) VFX_MUST_USE;

/* object["timing"] with raw samples. */
void cmd_time_report(json_t *object, const vfx_case *kase, const cmd_timing *timing, const vfx_ceilings *ceilings,
                     bool software);

#endif
