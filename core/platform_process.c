/* core/platform_process.c - see platform_process.h. The POSIX version. */
#include "core/platform_process.h"

#include "core/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ; /* POSIX names it, no header declares it */

enum {
    REPORT_FILE = 3,   /* the child's end of the pipe */
    ABOVE_REPORT = 10, /* our own files are kept away from that number */
    GLANCE_MS = 50     /* how often a wait looks for signals */
};

struct vfx_process {
    pid_t pid; /* and its group */
    int reports;
    sigset_t mask; /* ours before the child */
};

static void ending_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGHUP);
}

vfx_status vfx_own_program(const char *argv0, char *path, size_t bytes)
{
    static const char self[] = "/proc/self/exe"; /* of whoever opens it: a child that is about to become the program */
    const char *from = access(self, X_OK) == 0 ? self : strchr(argv0, '/') != NULL ? argv0 : NULL;
    if (from == NULL || strlen(from) >= bytes)
        return vfx_fail(VFX_IO, "cannot tell the path of this program; start it with its folder, as ./%s", argv0);
    (void)snprintf(path, bytes, "%s", from);
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- start */

/* A pipe whose ends are above REPORT_FILE and are closed in every child. */
static bool open_pipe(int ends[2])
{
    int raw[2];
    if (pipe(raw) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, ABOVE_REPORT);
    int reason = errno;
    (void)close(raw[0]);
    (void)close(raw[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0)
            (void)close(ends[i]);
    }
    errno = reason;
    return false;
}

/* Returns an errno value. */
static int spawn(vfx_process *process, const char *program, char *const argv[], int report_end)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        error = error != 0 ? error : posix_spawn_file_actions_adddup2(&files, 2, 1);
        error = error != 0 ? error : posix_spawn_file_actions_adddup2(&files, report_end, REPORT_FILE);
        error = error != 0 ? error : posix_spawnattr_setsigmask(&attributes, &process->mask);
        error =
            error != 0 ? error : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        error = error != 0 ? error : posix_spawn(&process->pid, program, &files, &attributes, argv, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

vfx_status vfx_process_start(vfx_process **process, const char *program, char *const argv[])
{
    int ends[2] = {-1, -1};
    sigset_t ending;
    *process = calloc(1, sizeof **process);
    if (*process == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory to start %s", program);
    int error = open_pipe(ends) ? 0 : errno;
    if (error == 0) {
        ending_signals(&ending);
        (void)sigprocmask(SIG_BLOCK, &ending, &(*process)->mask);
        error = spawn(*process, program, argv, ends[1]);
        (void)close(ends[1]);
        (*process)->reports = ends[0];
        if (error != 0) {
            (void)close(ends[0]);
            (void)sigprocmask(SIG_SETMASK, &(*process)->mask, NULL);
        }
    }
    if (error == 0)
        return VFX_OK;
    free(*process);
    *process = NULL;
    return vfx_fail(VFX_IO, "cannot start %s: %s", program, strerror(error));
}

/* -------------------------------------------------------------------------------------------- wait */

/* Has one of the signals that end a program come while the child lived? */
static bool must_end(const vfx_process *process)
{
    sigset_t pending;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    if (sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigismember(&pending, signals[i]) == 1 && sigismember(&process->mask, signals[i]) == 0)
            return true;
    }
    return false;
}

/* Kills the child and lets the signal act, which as a rule ends us here. */
static vfx_status give_way(vfx_process *process)
{
    (void)kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    process->pid = 0;
    (void)sigprocmask(SIG_SETMASK, &process->mask, NULL);
    return vfx_fail(VFX_IO, "interrupted");
}

vfx_status vfx_process_read(vfx_process *process, char *data, size_t room, size_t *count, uint32_t timeout_ms)
{
    uint64_t end = vfx_clock_ns() + (uint64_t)timeout_ms * 1000000u;
    *count = 0;
    for (;;) {
        struct pollfd file = {.fd = process->reports, .events = POLLIN};
        int ready = poll(&file, 1, GLANCE_MS);
        if (must_end(process))
            return give_way(process);
        if (ready > 0) {
            ssize_t got = read(process->reports, data, room);
            if (got >= 0) {
                *count = (size_t)got;
                return VFX_OK;
            }
        }
        if (ready != 0 && errno != EINTR && errno != EAGAIN)
            return vfx_fail(VFX_IO, "cannot hear a child process: %s", strerror(errno));
        if (vfx_clock_ns() >= end)
            return vfx_fail(VFX_TIMEOUT, "a child process said nothing for %.3g s", timeout_ms / 1e3);
    }
}

/* Reaps the child if it ends within `grace_ms`. */
static bool reap(vfx_process *process, uint32_t grace_ms, int *state)
{
    const struct timespec glance = {0, 5000000};
    uint64_t end = vfx_clock_ns() + (uint64_t)grace_ms * 1000000u;
    for (;;) {
        pid_t got = waitpid(process->pid, state, WNOHANG);
        if (got == process->pid || (got < 0 && errno != EINTR))
            return true;
        if (vfx_clock_ns() >= end || must_end(process))
            return false;
        (void)nanosleep(&glance, NULL);
    }
}

void vfx_process_end(vfx_process *process, uint32_t grace_ms, vfx_process_exit *how)
{
    int state = 0;
    *how = (vfx_process_exit){.code = -1, .stopped = true};
    if (process == NULL)
        return;
    if (process->pid > 0) {
        how->stopped = !reap(process, grace_ms, &state);
        (void)kill(-process->pid, SIGKILL); /* what it started too */
        while (how->stopped && waitpid(process->pid, &state, 0) < 0 && errno == EINTR)
            continue;
        how->code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
        how->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    }
    (void)close(process->reports);
    sigset_t mask = process->mask;
    free(process);
    (void)sigprocmask(SIG_SETMASK, &mask, NULL); /* a signal that waited acts here */
}

/* ------------------------------------------------------------------------------------ in the child */

vfx_status vfx_process_report(const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t wrote = write(REPORT_FILE, data, bytes);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return vfx_fail(VFX_IO, "cannot report to the parent process: %s", strerror(errno));
        data += wrote;
        bytes -= (size_t)wrote;
    }
    return VFX_OK;
}

void vfx_process_exit_format(const vfx_process_exit *how, char *text, size_t bytes)
{
    if (how->stopped)
        (void)snprintf(text, bytes, "killed");
    else if (how->signal != 0)
        (void)snprintf(text, bytes, "signal %d (%s)", how->signal, strsignal(how->signal));
    else
        (void)snprintf(text, bytes, "exit code %d", how->code);
}
