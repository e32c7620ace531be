/* bench/upload.h - how long a frame's inputs take from the host's records to the device, in the upload mode of the
 * case. Measured in runs of its own after the frame times, which it therefore cannot disturb. */
#ifndef BENCH_UPLOAD_H
#define BENCH_UPLOAD_H

#include "bench/session.h"
#include "core/stats.h"

/* Of a frame; zeroed: nothing is uploaded. */
typedef struct cmd_upload {
    uint64_t bytes;    /* records and texels */
    char mode[32];     /* "single", "regions", "per-instance", "mapped"; "texture": images; "single + texture": both */
    vfx_stats host_ns; /* writing and recording; making the records (frame_input) is not in it */
    vfx_stats gpu_ns;  /* the copies; 0 where the mode needs none; no samples where the device has no timestamps */
} cmd_upload;

/* Measures a case whose asset is loaded: one run to warm up, then a few of some frames each, a sample per frame. Stops
 * early, after one run, where `wall_ns` have passed. Leaves *upload zeroed if the case uploads nothing. */
vfx_status cmd_upload_measure(const cmd_session *session, const cmd_entry *entry, const vfx_case *kase, double wall_ns,
                              cmd_upload *upload) VFX_MUST_USE;

/* object["upload"], null if nothing is uploaded. */
void cmd_upload_report(json_t *object, const cmd_upload *upload);

#endif
