/* bench/dump.h - a dump folder: every buffer of chosen frames as <buffer>.<frame, 6 digits>.npy and a manifest.json
 * that says how it was made. Written by `run --dump`, read by `verify --against`. A manifest is written last, so a
 * folder with one is complete. */
#ifndef BENCH_DUMP_H
#define BENCH_DUMP_H

#include "bench/json.h"
#include "core/gpu.h"
#include "core/run.h"

enum { CMD_DUMP_SCHEMA = 1, CMD_DUMP_PATH = 4096 };

/* --------------------------------------------------------------------------------------- writing */

typedef struct cmd_dump {
    char folder[CMD_DUMP_PATH];
    const vfx_case *kase;
    json_t *manifest;
    uint32_t frames; /* frames dumped so far */
} cmd_dump;

/* Makes the folder, removes an older manifest and begins the new one, to which the caller may add. `device` may be
 * NULL. `kase` must outlive the dump. cmd_dump_free in any case. */
vfx_status cmd_dump_begin(cmd_dump *dump, const char *folder, const vfx_case *kase, const vfx_at_list *at,
                          uint32_t every, const vfx_device_info *device) VFX_MUST_USE;
/* Writes the buffers of `host` that are there as those of frame `frame`. */
vfx_status cmd_dump_frame(cmd_dump *dump, uint32_t frame, const vfx_host *host) VFX_MUST_USE;
/* Writes the manifest. */
vfx_status cmd_dump_end(cmd_dump *dump) VFX_MUST_USE;
void cmd_dump_free(cmd_dump *dump);

/* --------------------------------------------------------------------------------------- reading */

typedef struct cmd_dump_reader {
    char folder[CMD_DUMP_PATH];
    char manifest_path[CMD_DUMP_PATH + 32];
    json_t *manifest;
    vfx_case kase; /* case, parameters and storage limit of the manifest, validated; the asset is loaded */
    vfx_at_list at;
    char device[256]; /* name of the device that made it, "" if none */
    bool loaded;      /* kase.asset is there */
    uint32_t *frames; /* dumped frames, ascending */
    uint32_t frame_count;
    uint32_t mask;                  /* bit i: buffer row i is in the dump */
    json_t *files[VFX_MAX_BUFFERS]; /* borrowed: file rows of a buffer */
} cmd_dump_reader;

/* Opens a dump made for one of these kernels and checks all of the manifest: schema, case, every parameter within its
 * range, --at list, per buffer its fields, count, file names and frames, and that no result of the variant is missing.
 * IO naming the file and what is wrong. cmd_dump_close in any case. */
vfx_status cmd_dump_open(cmd_dump_reader *reader, const char *folder, const vfx_kernel *const kernels[],
                         uint32_t kernel_count) VFX_MUST_USE;
/* Reads the records of reader->frames[index] into host, which has the buffers of reader->mask; checks each hash. */
vfx_status cmd_dump_read(const cmd_dump_reader *reader, uint32_t index, const vfx_host *host) VFX_MUST_USE;
void cmd_dump_close(cmd_dump_reader *reader);

/* ---------------------------------------------------------------------------------------- shared */

/* "particle.000012.npy" */
void cmd_dump_file_name(const vfx_buffer *buffer, uint32_t frame, char *name, size_t bytes);
const char *cmd_field_type_name(vfx_field_type type);
const char *cmd_role_name(vfx_role role);

#endif
