/* core/platform.c - see platform.h. The POSIX version; only this and platform_folder.c ask the operating system. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "core/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ; /* POSIX names it, no header declares it */

uint64_t vfx_clock_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool vfx_is_terminal(int stream)
{
    return isatty(stream) == 1;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Makes one level; the parents exist. */
static vfx_status make_level(const char *path)
{
    if (mkdir(path, 0777) == 0 || is_folder(path))
        return VFX_OK;
    return vfx_fail(VFX_IO, "cannot make folder %s: %s", path, strerror(errno == EEXIST ? ENOTDIR : errno));
}

vfx_status vfx_make_folder(const char *path)
{
    if (*path == '\0')
        return vfx_fail(VFX_IO, "cannot make a folder: the path is empty");
    size_t length = strlen(path);
    char *prefix = malloc(length + 1);
    if (prefix == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the path %s", path);
    memcpy(prefix, path, length + 1);
    vfx_status status = VFX_OK;
    for (size_t i = 1; i < length && status == VFX_OK; i++) {
        if (prefix[i] != '/')
            continue;
        prefix[i] = '\0';
        status = make_level(prefix);
        prefix[i] = '/';
    }
    if (status == VFX_OK)
        status = make_level(prefix);
    free(prefix);
    return status;
}

/* Reads to the end of the stream, at most max_bytes, into *data (grown as needed, one byte more than *bytes). */
static vfx_status read_stream(FILE *file, const char *path, size_t max_bytes, char **data, size_t *bytes)
{
    size_t room = 0, used = 0;
    for (;;) {
        if (used + 1 >= room) { /* always one byte free for the NUL */
            size_t larger;
            if (!vfx_mul_size(room, 2, &larger))
                return vfx_fail(VFX_MEMORY, "%s is too large", path);
            larger = larger < 65536 ? 65536 : larger;
            char *grown = realloc(*data, larger);
            if (grown == NULL)
                return vfx_fail(VFX_MEMORY, "out of memory reading %s (%zu bytes so far)", path, used);
            *data = grown;
            room = larger;
        }
        size_t got = fread(*data + used, 1, room - used - 1, file);
        used += got;
        if (used > max_bytes)
            return vfx_fail(VFX_IO, "%s is larger than the %zu bytes allowed for it", path, max_bytes);
        if (ferror(file))
            return vfx_fail(VFX_IO, "cannot read %s: %s", path, strerror(errno));
        if (got == 0)
            break;
    }
    (*data)[used] = '\0';
    *bytes = used;
    return VFX_OK;
}

/* Opens a regular file. What is none, a FIFO say, might never come to an end, or wait for ever to be opened. */
static vfx_status open_regular(const char *path, FILE **file)
{
    struct stat info;
    int number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (number < 0)
        return vfx_fail(VFX_IO, "cannot open %s: %s", path, strerror(errno));
    vfx_status status = VFX_OK;
    if (fstat(number, &info) != 0)
        status = vfx_fail(VFX_IO, "cannot read %s: %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        status =
            vfx_fail(VFX_IO, "cannot read %s: it is %s", path, S_ISDIR(info.st_mode) ? "a folder" : "no regular file");
    else if ((*file = fdopen(number, "rb")) == NULL)
        status = vfx_fail(VFX_IO, "cannot open %s: %s", path, strerror(errno));
    if (status != VFX_OK)
        (void)close(number);
    return status;
}

vfx_status vfx_read_file(const char *path, size_t max_bytes, void **data, size_t *bytes)
{
    FILE *file = NULL;
    VFX_TRY(open_regular(path, &file));
    char *text = NULL;
    size_t length = 0;
    vfx_status status = read_stream(file, path, max_bytes, &text, &length);
    (void)fclose(file);
    if (status != VFX_OK) {
        free(text);
        return status;
    }
    *data = text;
    *bytes = length;
    return VFX_OK;
}

/* Where a write goes: with symbolic links followed, a regular or new file is replaced by a temporary one beside it;
 * anything else that exists (device node, FIFO) is written into as it is. */
typedef struct destination {
    char *path;      /* malloc'ed */
    char *temporary; /* malloc'ed; NULL: write into `path` itself */
    mode_t mode;     /* of the new file */
} destination;

static void free_destination(destination *to)
{
    free(to->path);
    free(to->temporary);
}

static char *joined(const char *a, const char *b)
{
    size_t bytes = strlen(a) + strlen(b) + 1;
    char *text = malloc(bytes);
    if (text != NULL)
        (void)snprintf(text, bytes, "%s%s", a, b);
    return text;
}

/* free_destination in any case. */
static vfx_status find_destination(const char *path, destination *to)
{
    struct stat target;
    bool exists = stat(path, &target) == 0;
    bool link = !exists && lstat(path, &target) == 0; /* one that leads nowhere yet */
    *to = (destination){NULL, NULL, 0666};
    if (exists && S_ISDIR(target.st_mode))
        return vfx_fail(VFX_IO, "cannot write %s: it is a folder", path);
    if (exists && S_ISREG(target.st_mode)) {
        to->mode = target.st_mode & 0777;
        to->path = realpath(path, NULL);
    }
    bool replaced = to->path != NULL || (!exists && !link);
    if (to->path == NULL)
        to->path = joined(path, "");
    if (to->path != NULL && replaced)
        to->temporary = joined(to->path, ".XXXXXX");
    if (to->path == NULL || (replaced && to->temporary == NULL))
        return vfx_fail(VFX_MEMORY, "out of memory for the path %s", path);
    if (!exists) {
        mode_t mask = umask(0);
        (void)umask(mask);
        to->mode &= ~mask;
    }
    return VFX_OK;
}

/* Writes the parts and closes; errno tells why it failed. */
static bool write_parts(FILE *file, const vfx_part *parts, size_t count)
{
    if (file == NULL)
        return false;
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = parts[i].bytes == 0 || fwrite(parts[i].data, 1, parts[i].bytes, file) == parts[i].bytes;
    int reason = errno;
    if (fclose(file) != 0)
        return false;
    if (!good)
        errno = reason;
    return good;
}

/* A fresh file to->temporary, which gets its last characters here; NULL and errno on failure. */
static FILE *open_temporary(destination *to)
{
    int file = mkstemp(to->temporary);
    if (file < 0)
        return NULL;
    FILE *stream = fchmod(file, to->mode) == 0 ? fdopen(file, "wb") : NULL;
    if (stream == NULL) {
        int reason = errno;
        (void)close(file);
        (void)remove(to->temporary);
        errno = reason;
    }
    return stream;
}

vfx_status vfx_check_writable(const char *path)
{
    destination to;
    vfx_status status = find_destination(path, &to);
    if (status == VFX_OK && to.temporary != NULL) {
        FILE *file = open_temporary(&to);
        if (file == NULL)
            status = vfx_fail(VFX_IO, "cannot write %s: %s", path, strerror(errno));
        else if (fclose(file) != 0 || remove(to.temporary) != 0)
            status = vfx_fail(VFX_IO, "cannot write beside %s: %s", path, strerror(errno));
    } else if (status == VFX_OK && access(to.path, W_OK) != 0 && errno != ENOENT) {
        status = vfx_fail(VFX_IO, "cannot write %s: %s", path, strerror(errno));
    }
    free_destination(&to);
    return status;
}

vfx_status vfx_write_file_parts(const char *path, const vfx_part *parts, size_t count)
{
    destination to;
    vfx_status status = find_destination(path, &to);
    if (status == VFX_OK) {
        FILE *file = to.temporary != NULL ? open_temporary(&to) : fopen(to.path, "wb");
        bool opened = file != NULL;
        bool good = write_parts(file, parts, count);
        if (good && to.temporary != NULL)
            good = rename(to.temporary, to.path) == 0;
        if (!good) {
            status = vfx_fail(VFX_IO, "cannot write %s: %s", path, strerror(errno));
            if (opened && to.temporary != NULL)
                (void)remove(to.temporary);
        }
    }
    free_destination(&to);
    return status;
}

vfx_status vfx_write_file(const char *path, const void *data, size_t bytes)
{
    const vfx_part part = {data, bytes};
    return vfx_write_file_parts(path, &part, 1);
}

void vfx_describe_host(vfx_host_facts *facts)
{
    struct utsname name;
    bool known = uname(&name) >= 0;
    snprintf(facts->system, sizeof facts->system, "%.63s", known ? name.sysname : "unknown");
    snprintf(facts->release, sizeof facts->release, "%.63s", known ? name.release : "unknown");
    snprintf(facts->machine, sizeof facts->machine, "%.63s", known ? name.machine : "unknown");
}

const char *vfx_environment(size_t index)
{
    for (size_t i = 0; environ != NULL && environ[i] != NULL; i++) {
        if (i == index)
            return environ[i];
    }
    return NULL;
}

void vfx_leave(int code)
{
    (void)fflush(NULL);
    _exit(code);
}
