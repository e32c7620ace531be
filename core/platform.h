/* core/platform.h - everything that depends on the operating system: clocks, folders, files. One file per platform. */
#ifndef VFX_PLATFORM_H
#define VFX_PLATFORM_H

#include "core/status.h"

#include <stdint.h>

/* Monotonic clock, ns. */
uint64_t vfx_clock_ns(void);

/* Operating system, its release, processor architecture; "unknown" where it does not say. */
typedef struct vfx_host_facts {
    char system[64], release[64], machine[64];
} vfx_host_facts;
void vfx_describe_host(vfx_host_facts *facts);

/* Entry `index` of the environment, "NAME=value"; NULL behind the last. */
const char *vfx_environment(size_t index);

/* Ends the program at once with what was printed, without the exit handlers of libraries and drivers, which may wait
 * for a device for ever. */
void vfx_leave(int code) __attribute__((noreturn));

/* True if the stream (1 stdout, 2 stderr) is a terminal. */
bool vfx_is_terminal(int stream);

/* Makes a folder and its parents; fine if it exists. IO naming the path and the reason. */
vfx_status vfx_make_folder(const char *path) VFX_MUST_USE;

/* Whole file into malloc'ed memory (a NUL is appended, not counted). IO naming the path and the reason; files over
 * `max_bytes` are refused. */
vfx_status vfx_read_file(const char *path, size_t max_bytes, void **data, size_t *bytes) VFX_MUST_USE;

/* OK if vfx_write_file to this path can work; leaves nothing behind and does not touch the target. IO naming the path
 * and the reason. */
vfx_status vfx_check_writable(const char *path) VFX_MUST_USE;

/* Writes a temporary file beside the target and renames it, so that a failure leaves nothing half-written and the old
 * file whole. A symbolic link stays, its target is replaced. What exists and is no regular file (/dev/null, a FIFO) is
 * written into. */
vfx_status vfx_write_file(const char *path, const void *data, size_t bytes) VFX_MUST_USE;

/* The same for a file that consists of several pieces of memory. */
typedef struct vfx_part {
    const void *data;
    size_t bytes;
} vfx_part;
vfx_status vfx_write_file_parts(const char *path, const vfx_part *parts, size_t count) VFX_MUST_USE;

#endif
