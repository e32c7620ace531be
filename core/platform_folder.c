/* core/platform_folder.c - see platform.h: listing folders, and folders that appear as a whole. The POSIX version. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "core/platform.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* a, then b; NULL without memory. */
static char *joined(const char *a, const char *b)
{
    size_t bytes = strlen(a) + strlen(b) + 1;
    char *text = malloc(bytes);
    if (text != NULL)
        (void)snprintf(text, bytes, "%s%s", a, b);
    return text;
}

/* ------------------------------------------------------------------------------------------ listing */

void vfx_names_free(vfx_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    memset(names, 0, sizeof *names);
}

static bool add_name(vfx_names *names, const char *name)
{
    size_t bytes;
    if (!vfx_mul_size(names->count + 1, sizeof *names->items, &bytes))
        return false;
    char **grown = realloc(names->items, bytes);
    if (grown == NULL)
        return false;
    names->items = grown;
    names->items[names->count] = joined(name, "");
    return names->items[names->count++] != NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

vfx_status vfx_list_folder(const char *path, vfx_names *names)
{
    memset(names, 0, sizeof *names);
    DIR *folder = opendir(path);
    if (folder == NULL && errno == ENOENT)
        return VFX_OK;
    if (folder == NULL)
        return vfx_fail(VFX_IO, "cannot read the folder %s: %s", path, strerror(errno));
    names->exists = true;
    bool memory = true;
    const struct dirent *entry;
    errno = 0;
    while (memory && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            memory = add_name(names, entry->d_name);
        errno = memory ? 0 : ENOMEM;
    }
    int reason = errno;
    (void)closedir(folder);
    if (reason != 0)
        return vfx_fail(reason == ENOMEM ? VFX_MEMORY : VFX_IO, "cannot read the folder %s: %s", path,
                        strerror(reason));
    if (names->count > 0)
        qsort(names->items, names->count, sizeof *names->items, compare_names);
    return VFX_OK;
}

/* --------------------------------------------------------------------------------- folders as a whole */

/* A folder and the files in it; what cannot be removed stays. */
static void remove_folder(const char *path)
{
    vfx_names names;
    if (vfx_list_folder(path, &names) == VFX_OK) {
        for (size_t i = 0; i < names.count; i++) {
            char *base = joined(path, "/");
            char *file = base != NULL ? joined(base, names.items[i]) : NULL;
            if (file != NULL)
                (void)unlink(file);
            free(file);
            free(base);
        }
    }
    vfx_names_free(&names);
    (void)rmdir(path);
}

/* The path without slashes at its end, and with symbolic links followed where it exists; NULL without memory. */
static char *plain_path(const char *path)
{
    char *real = realpath(path, NULL);
    if (real != NULL)
        return real;
    char *copy = joined(path, "");
    for (size_t length = copy != NULL ? strlen(copy) : 0; length > 1 && copy[length - 1] == '/'; length--)
        copy[length - 1] = '\0';
    return copy;
}

/* Refuses what a rename would fail on, or succeed at and leave the caller's shell in a removed folder. */
static vfx_status check_place(const char *path)
{
    struct stat place, here;
    if (stat(path, &place) == 0 && stat(".", &here) == 0 && place.st_dev == here.st_dev && place.st_ino == here.st_ino)
        return vfx_fail(VFX_USAGE, "cannot replace %s: it is the working directory; choose another folder", path);
    if (stat(path, &place) != 0 && errno == ENOENT && lstat(path, &place) == 0)
        return vfx_fail(VFX_IO, "cannot make the folder %s: it is a symbolic link that leads nowhere", path);
    return VFX_OK;
}

vfx_status vfx_folder_begin(vfx_folder *folder, const char *path)
{
    memset(folder, 0, sizeof *folder);
    if (*path == '\0')
        return vfx_fail(VFX_IO, "cannot make a folder: the path is empty");
    folder->path = plain_path(path);
    if (folder->path != NULL)
        VFX_TRY(check_place(folder->path));
    char *pattern = folder->path != NULL ? joined(folder->path, ".XXXXXX") : NULL;
    if (pattern == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the path %s", path);
    if (mkdtemp(pattern) == NULL) {
        free(pattern);
        return vfx_fail(VFX_IO, "cannot make the folder %s: %s", folder->path, strerror(errno));
    }
    folder->temporary = pattern;
    mode_t mask = umask(0);
    (void)umask(mask);
    if (chmod(pattern, 0777 & ~mask) != 0)
        return vfx_fail(VFX_IO, "cannot set the rights of %s: %s", pattern, strerror(errno));
    return VFX_OK;
}

vfx_status vfx_folder_commit(vfx_folder *folder)
{
    if (rename(folder->temporary, folder->path) == 0) { /* nothing was there, or an empty folder */
        free(folder->temporary);
        folder->temporary = NULL;
        return VFX_OK;
    }
    int reason = errno;
    char *old = reason == ENOTEMPTY || reason == EEXIST ? joined(folder->temporary, ".old") : NULL;
    if (old == NULL || rename(folder->path, old) != 0) {
        free(old);
        return vfx_fail(VFX_IO, "cannot replace %s: %s", folder->path, strerror(reason));
    }
    vfx_status status = VFX_OK;
    if (rename(folder->temporary, folder->path) != 0) {
        status = vfx_fail(VFX_IO, "cannot replace %s: %s", folder->path, strerror(errno));
        (void)rename(old, folder->path);
    } else {
        remove_folder(old);
        free(folder->temporary);
        folder->temporary = NULL;
    }
    free(old);
    return status;
}

void vfx_folder_end(vfx_folder *folder)
{
    if (folder->temporary != NULL)
        remove_folder(folder->temporary);
    free(folder->temporary);
    free(folder->path);
    memset(folder, 0, sizeof *folder);
}
