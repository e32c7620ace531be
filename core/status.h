/* core/status.h - result values and the one message channel.
 *
 * The function that detects a failure calls vfx_fail() once, with everything a user needs to act; callers
 * only pass the status up with VFX_TRY. The last message stays readable until the next vfx_fail(). */
#ifndef VFX_STATUS_H
#define VFX_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#define VFX_STATUS_LIST(S)                                                                          \
    S(OK, "ok")                                                                                     \
    S(USAGE, "usage")             /* the caller's arguments are wrong */                            \
    S(UNSUPPORTED, "unsupported") /* this device or build cannot do it */                           \
    S(VULKAN, "vulkan")           /* a Vulkan call failed */                                        \
    S(IO, "io")                   /* a file cannot be read, parsed or written */                    \
    S(MEMORY, "memory")           /* host or device memory exhausted */                             \
    S(MISMATCH, "mismatch")       /* numbers differ beyond their limits, or a validation message */ \
    S(TIMEOUT, "timeout")         /* a fence did not signal in time */                              \
    S(LOST, "device-lost")        /* the device was lost */

#define VFX_STATUS_ENUM(ident, text) VFX_##ident,
typedef enum vfx_status { VFX_STATUS_LIST(VFX_STATUS_ENUM) VFX_STATUS_COUNT } vfx_status;

#define VFX_MUST_USE __attribute__((warn_unused_result))
#define VFX_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))

/* Passes any failure up unchanged. */
#define VFX_TRY(call)                       \
    do {                                    \
        vfx_status vfx_try_status = (call); \
        if (vfx_try_status != VFX_OK)       \
            return vfx_try_status;          \
    } while (0)

/* Text of a status, e.g. "device-lost". Never NULL. */
const char *vfx_status_name(vfx_status status);

/* Records the message (at most 1023 bytes, longer is cut with "...") and returns `status`. */
vfx_status vfx_fail(vfx_status status, const char *format, ...) VFX_PRINTF(2, 3) VFX_MUST_USE;

/* The message of the last vfx_fail(), "" if none. */
const char *vfx_message(void);

/* a * b and a + b with overflow reported as false; *result is untouched then. */
bool vfx_mul_size(size_t a, size_t b, size_t *result);
bool vfx_add_size(size_t a, size_t b, size_t *result);

#endif
