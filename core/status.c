/* core/status.c - see status.h. The message buffer is the only global of the core besides volk's pointers. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char message[1024];

const char *vfx_status_name(vfx_status status)
{
#define VFX_STATUS_TEXT(ident, text) text,
    static const char *const names[] = {VFX_STATUS_LIST(VFX_STATUS_TEXT)};
    return (unsigned)status < VFX_STATUS_COUNT ? names[status] : "unknown";
}

vfx_status vfx_fail(vfx_status status, const char *format, ...)
{
    char text[sizeof message]; /* arguments may point into the old message */
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length >= (int)sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    memcpy(message, text, sizeof message);
    return status;
}

const char *vfx_message(void)
{
    return message;
}

bool vfx_mul_size(size_t a, size_t b, size_t *result)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *result = product;
    return true;
}

bool vfx_add_size(size_t a, size_t b, size_t *result)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *result = sum;
    return true;
}
