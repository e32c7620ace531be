/* pbd_rows.h - the functions that the rows of pbd.c name: counts, threads, repeats, shared memory, traffic. For pbd.c
 * alone. */
#ifndef PBD_ROWS_H
#define PBD_ROWS_H

#include "core/kernel.h"

#define PBD_PI 3.14159265358979323846

uint64_t pbd_collider_count(const vfx_case *kase);
uint64_t pbd_sdf_count(const vfx_case *kase);
uint64_t pbd_start_count(const vfx_case *kase); /* of COUNT and START */
uint64_t pbd_block_count(const vfx_case *kase);
uint64_t pbd_slot_count(const vfx_case *kase);
uint64_t pbd_list_count(const vfx_case *kase);
uint64_t pbd_push_count(const vfx_case *kase);
uint64_t pbd_tally_count(const vfx_case *kase);
uint64_t pbd_velocity_count(const vfx_case *kase);
uint64_t pbd_partial_count(const vfx_case *kase);
uint64_t pbd_metric_count(const vfx_case *kase);

uint64_t pbd_clear_threads(const vfx_case *kase);
uint64_t pbd_arrange_threads(const vfx_case *kase);
uint64_t pbd_scan_threads(const vfx_case *kase);
uint64_t pbd_reduce_threads(const vfx_case *kase);
uint64_t pbd_one_thread(const vfx_case *kase);
uint32_t pbd_substeps(const vfx_case *kase);
bool pbd_is_plain(const vfx_case *kase); /* see PBD_PLAIN */
uint32_t pbd_iterations(const vfx_case *kase);
uint32_t pbd_sweeps(const vfx_case *kase); /* of the list, after the first run */

uint32_t pbd_scan_shared(const vfx_case *kase, uint32_t workgroup);
uint32_t pbd_scan_add_shared(const vfx_case *kase, uint32_t workgroup);
uint32_t pbd_queue_shared(const vfx_case *kase, uint32_t workgroup);
uint32_t pbd_reduce_shared(const vfx_case *kase, uint32_t workgroup);
uint32_t pbd_total_shared(const vfx_case *kase, uint32_t workgroup);

double pbd_work(const vfx_case *kase, const void *metrics);

vfx_traffic pbd_clear_traffic(const vfx_case *kase);
vfx_traffic pbd_predict_traffic(const vfx_case *kase);
vfx_traffic pbd_scan_blocks_traffic(const vfx_case *kase);
vfx_traffic pbd_scan_sums_traffic(const vfx_case *kase);
vfx_traffic pbd_scan_add_traffic(const vfx_case *kase);
vfx_traffic pbd_scatter_traffic(const vfx_case *kase);
vfx_traffic pbd_insert_traffic(const vfx_case *kase);
vfx_traffic pbd_arrange_traffic(const vfx_case *kase);
vfx_traffic pbd_gather_traffic(const vfx_case *kase);
vfx_traffic pbd_iterate_traffic(const vfx_case *kase);
vfx_traffic pbd_finish_traffic(const vfx_case *kase);
vfx_traffic pbd_reduce_traffic(const vfx_case *kase);
vfx_traffic pbd_total_traffic(const vfx_case *kase);

#endif
