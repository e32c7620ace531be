/* kernels/vat/gltf_buffer.c - where the binary data of a glTF file comes from: a .glb's chunk, base64 text, a file
 * beside it. A URI is hostile until shown otherwise: no absolute paths, no "..", no links, only regular files. */
#include "kernels/vat/gltf_internal.h"

#include "core/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------------------------------ base64 */

/* 0..63, or -1. */
static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* `text` is what follows the comma of a data URI. */
static vfx_status decode_base64(const gltf_at *at, const char *text, gltf_buffer *buffer)
{
    size_t length = strlen(text);
    for (int i = 0; i < 2 && length > 0 && text[length - 1] == '='; i++)
        length--;
    if (length % 4 == 1)
        return gltf_fail(at, VFX_IO, "its base64 text is cut short");
    VFX_TRY(gltf_allocate(at, length / 4 * 3 + 3, 1, &buffer->owned));
    buffer->data = buffer->owned;
    uint32_t word = 0;
    for (size_t i = 0; i < length; i++) {
        const int digit = base64_digit(text[i]);
        if (digit < 0)
            return gltf_fail(at, VFX_IO, "character %zu of its data is not base64", i);
        word = word << 6 | (uint32_t)digit;
        if (i % 4 != 0)
            buffer->owned[buffer->available++] = (uint8_t)(word >> (6 - 2 * (i % 4)));
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- files */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Percent-decodes a relative URI. `path` has room for as many bytes as the URI. */
static vfx_status decode_uri(const gltf_at *at, const char *uri, char *path)
{
    for (; *uri != '\0'; uri++) {
        *path = *uri;
        if (*uri == '%') {
            const int high = hex_digit(uri[1]), low = high < 0 ? -1 : hex_digit(uri[2]);
            if (low < 0 || high * 16 + low == 0)
                return gltf_fail(at, VFX_IO, "'%%' must be followed by two hexadecimal digits other than 00");
            *path = (char)(high * 16 + low);
            uri += 2;
        }
        if ((unsigned char)*path < 0x20 || *path == 0x7f || *path == '\\' || *path == ':')
            return gltf_fail(at, VFX_IO,
                             "a relative path with '/' between folders is needed, without control "
                             "characters, '\\' and ':'");
        path++;
    }
    *path = '\0';
    return VFX_OK;
}

/* Each part of `path`, below its first `start` bytes, must be a plain name that is no link; the last a regular file. */
static vfx_status check_path(const gltf_at *at, char *path, size_t start)
{
    struct stat facts;
    for (char *name = path + start, *end; name != NULL; name = end) {
        end = strchr(name, '/');
        const size_t length = end != NULL ? (size_t)(end - name) : strlen(name);
        if (length == 0 || (length == 2 && memcmp(name, "..", 2) == 0))
            return gltf_fail(at, VFX_IO, "leads out of the file's folder: only relative paths below it are read");
        if (end != NULL)
            *end = '\0';
        if (lstat(path, &facts) != 0)
            return gltf_fail(at, VFX_IO, "there is no file %s", path);
        if (S_ISLNK(facts.st_mode))
            return gltf_fail(at, VFX_IO, "%s is a symbolic link, which may lead anywhere: put the file there", path);
        if (end == NULL && !S_ISREG(facts.st_mode))
            return gltf_fail(at, VFX_IO, "%s is no regular file", path);
        if (end != NULL)
            *end++ = '/';
    }
    return VFX_OK;
}

static vfx_status read_uri(const gltf_at *at, const char *uri, char *path, gltf_buffer *buffer)
{
    gltf_file *file = at->file;
    const size_t start = strlen(file->folder) + 1;
    memcpy(path, file->folder, start - 1);
    path[start - 1] = '/';
    VFX_TRY(decode_uri(at, uri, path + start));
    VFX_TRY(check_path(at, path, start));
    void *data;
    if (vfx_read_file(path, GLTF_MAX_BYTES - file->read_bytes, &data, &buffer->available) != VFX_OK)
        return gltf_fail(at, VFX_IO, "%s", vfx_message());
    buffer->data = buffer->owned = data;
    file->read_bytes += buffer->available;
    return VFX_OK;
}

static vfx_status read_file(const gltf_at *at, const char *uri, gltf_buffer *buffer)
{
    if (at->file->folder == NULL)
        return gltf_fail(at, VFX_IO, "refers to a file, but the model comes from memory: embed the data");
    char *path;
    VFX_TRY(gltf_allocate(at, strlen(at->file->folder) + strlen(uri) + 2, 1, &path));
    vfx_status status = read_uri(at, uri, path, buffer);
    free(path);
    return status;
}

/* ----------------------------------------------------------------------------------------- buffers */

/* Many buffers of one file are read once. */
static bool share_file(gltf_file *file, const char *uri, gltf_buffer *buffer)
{
    for (const gltf_buffer *other = file->buffers; other != buffer; other++)
        if (other->uri != NULL && strcmp(other->uri, uri) == 0) {
            buffer->data = other->data;
            buffer->available = other->available;
            return true;
        }
    return false;
}

static vfx_status read_data_uri(const gltf_at *at, const char *uri, gltf_buffer *buffer)
{
    static const char marker[] = ";base64,";
    const char *comma = strchr(uri, ',');
    const size_t head = sizeof marker - 1;
    if (comma == NULL || (size_t)(comma + 1 - uri) < head || memcmp(comma + 1 - head, marker, head) != 0)
        return gltf_fail(at, VFX_IO, "a data URI must be base64: \"data:application/octet-stream;base64,...\"");
    return decode_base64(at, comma + 1, buffer);
}

/* Loads all that there is of buffer `index`. */
static vfx_status load(gltf_file *file, const gltf_at *at, uint32_t index, gltf_buffer *buffer)
{
    const gltf_at uri_at = gltf_member(at, "uri");
    if (!gltf_there(&uri_at)) {
        if (index > 0 || file->chunk == NULL)
            return gltf_fail(&uri_at, VFX_IO, "is missing, and only buffer 0 of a .glb with a BIN chunk needs none");
        buffer->data = file->chunk;
        buffer->available = file->chunk_bytes;
        return VFX_OK;
    }
    const char *uri;
    VFX_TRY(gltf_text(&uri_at, &uri));
    if (strncmp(uri, "data:", 5) == 0)
        return read_data_uri(&uri_at, uri, buffer);
    buffer->uri = uri;
    return share_file(file, uri, buffer) ? VFX_OK : read_file(&uri_at, uri, buffer);
}

vfx_status gltf_read_buffers(gltf_file *file)
{
    const gltf_at root = gltf_root(file);
    gltf_at array, at;
    uint32_t count;
    VFX_TRY(gltf_array(&root, "buffers", &array, &count));
    if (count > GLTF_MAX_BUFFERS)
        return gltf_fail(&array, VFX_IO, "%u buffers, at most %d are read", count, GLTF_MAX_BUFFERS);
    VFX_TRY(gltf_allocate(&array, count, sizeof *file->buffers, &file->buffers));
    for (uint32_t i = 0; i < count; i++) {
        gltf_buffer *buffer = &file->buffers[i];
        uint64_t length;
        VFX_TRY(gltf_object(&array, i, &at));
        const gltf_at length_at = gltf_member(&at, "byteLength");
        VFX_TRY(gltf_uint(&length_at, GLTF_MAX_BYTES, &length));
        file->buffer_count = i + 1;
        VFX_TRY(load(file, &at, i, buffer));
        if (length > buffer->available)
            return gltf_fail(&length_at, VFX_IO, "%llu bytes are declared, but there are only %zu",
                             (unsigned long long)length, buffer->available);
        buffer->bytes = (size_t)length;
    }
    return VFX_OK;
}

void gltf_free_buffers(gltf_file *file)
{
    for (uint32_t i = 0; i < file->buffer_count; i++)
        free(file->buffers[i].owned);
    free(file->buffers);
}
