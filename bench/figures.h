/* bench/figures.h - the figures that a family computes of a frame (vfx_kernel.metrics), for people and for files. */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include "bench/session.h"

/* Row of the metrics in kernel->buffers; UINT32_MAX: the family has none, or the variant does not bind them. */
uint32_t cmd_figures_row(const vfx_case *kase);

/* Prints the record's fields in lines of their own, object["metrics"] = {name: number or numbers}. Both do nothing for
 * a family without metrics. */
void cmd_figures_say(const cmd_session *session, const vfx_case *kase, const void *record);
void cmd_figures_report(json_t *object, const vfx_case *kase, const void *record);

/* Units of work in the frame whose figures these are; 0: unknown. */
double cmd_figures_work(const vfx_case *kase, const void *record);
/* What one of them takes in a frame of `frame_ns`: object["work"]. Nothing where the work is unknown. */
void cmd_work_report(json_t *object, const vfx_case *kase, const void *record, double frame_ns);

#endif
