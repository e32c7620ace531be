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
 * `max_bytes` are refused, and what is no regular file. */
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

/* ------------------------------------------------------------------------------ folders as a whole (platform_folder.c)
 */

/* Names of what is in a folder, without . and .., sorted. */
typedef struct vfx_names {
    char **items;
    size_t count;
    bool exists; /* false: there is nothing of that path */
} vfx_names;

/* OK with exists = false where nothing is; IO naming the path for what is no folder or cannot be read. vfx_names_free
 * in any case. */
vfx_status vfx_list_folder(const char *path, vfx_names *names) VFX_MUST_USE;
void vfx_names_free(vfx_names *names);

/* A folder of files that appears as a whole or not at all: its files are written into `temporary`, a sibling. */
typedef struct vfx_folder {
    char *path; /* with symbolic links followed */
    char *temporary;
} vfx_folder;

/* Makes the temporary folder; the parent must exist. IO naming the path and the reason; USAGE for
 * the working directory, which a new one at its path would not be. vfx_folder_end in any case. */
vfx_status vfx_folder_begin(vfx_folder *folder, const char *path) VFX_MUST_USE;
/* Puts the temporary folder at `path`. The caller has looked at what is there: its files are removed, and it is put
 * back if anything fails. IO naming the path and the reason. */
vfx_status vfx_folder_commit(vfx_folder *folder) VFX_MUST_USE;
/* Removes a temporary folder that was not committed, with its files. */
void vfx_folder_end(vfx_folder *folder);

#endif
