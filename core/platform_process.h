/* core/platform_process.h - a child process that reports to us through a pipe: started, read with a limit, ended with
 * its whole group. While a child lives, signals that end a program (Ctrl-C, termination, a closed terminal) wait until
 * the child is dead and then take their course, so that no child outlives its parent. */
#ifndef VFX_PLATFORM_PROCESS_H
#define VFX_PLATFORM_PROCESS_H

#include "core/status.h"

#include <stdint.h>

typedef struct vfx_process vfx_process;

/* How a child ended. */
typedef struct vfx_process_exit {
    int code;     /* exit code; -1: it was ended by `signal` */
    int signal;   /* 0: none */
    bool stopped; /* we killed it */
} vfx_process_exit;

/* Path that starts the running program again, the same file even if another one has taken its place meanwhile. IO when
 * the system does not tell and argv0 has no folder in it. */
vfx_status vfx_own_program(const char *argv0, char *path, size_t bytes) VFX_MUST_USE;

/* Starts `program` in a process group of its own: no input, its standard output goes where our errors go, and its
 * reports (vfx_process_report) come to us. IO naming the program and the reason; *process is NULL then. */
vfx_status vfx_process_start(vfx_process **process, const char *program, char *const argv[]) VFX_MUST_USE;

/* Waits for bytes from the child. *count = 0: it sends nothing more. TIMEOUT: nothing came for `timeout_ms`. */
vfx_status vfx_process_read(vfx_process *process, char *data, size_t room, size_t *count,
                            uint32_t timeout_ms) VFX_MUST_USE;

/* Gives the child `grace_ms` to end by itself, kills it and its group then, and frees *process. NULL is fine. */
void vfx_process_end(vfx_process *process, uint32_t grace_ms, vfx_process_exit *how);

/* In the child: sends bytes to the parent. IO when there is none to hear them. */
vfx_status vfx_process_report(const char *data, size_t bytes) VFX_MUST_USE;

/* "exit code 3", "signal 11 (Segmentation fault)", "killed". */
void vfx_process_exit_format(const vfx_process_exit *how, char *text, size_t bytes);

#endif
