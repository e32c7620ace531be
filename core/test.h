/* core/test.h - what every *_test.c starts with: cmocka with the headers it needs, a group runner, and a temporary
 * folder. A test file includes this first and ends with
 *     static const struct CMUnitTest tests[] = {cmocka_unit_test(...), ...};
 *     VFX_TEST_MAIN(tests) */
#ifndef VFX_TEST_H
#define VFX_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VFX_TEST_MAIN(tests)                              \
    int main(void)                                        \
    {                                                     \
        return cmocka_run_group_tests(tests, NULL, NULL); \
    }

/* The call must succeed; prints its message if it does not. */
#define assert_vfx_ok(call)                                                                 \
    do {                                                                                    \
        vfx_status vfx_test_status = (call);                                                \
        if (vfx_test_status != VFX_OK)                                                      \
            fail_msg("%s: %s: %s", #call, vfx_status_name(vfx_test_status), vfx_message()); \
    } while (0)

/* The call must fail with this status and a message that contains `part`. */
#define assert_vfx_fails(call, status, part)                                                                     \
    do {                                                                                                         \
        vfx_status vfx_test_status = (call);                                                                     \
        if (vfx_test_status != (status))                                                                         \
            fail_msg("%s: got %s, wanted %s", #call, vfx_status_name(vfx_test_status), vfx_status_name(status)); \
        if (strstr(vfx_message(), (part)) == NULL)                                                               \
            fail_msg("%s: message \"%s\" lacks \"%s\"", #call, vfx_message(), (part));                           \
    } while (0)

enum { VFX_TEST_PATH = 512 };

/* Makes a fresh empty folder below $TMPDIR (or /tmp) and writes its path. Remove it with vfx_test_remove(). */
static inline void vfx_test_folder(char path[VFX_TEST_PATH])
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(path, VFX_TEST_PATH, "%s/vfxtest-XXXXXX", base != NULL && *base != '\0' ? base : "/tmp");
    assert_true(length > 0 && length < VFX_TEST_PATH);
    assert_non_null(mkdtemp(path));
}

/* Writes "folder/name". */
static inline void vfx_test_path(char path[VFX_TEST_PATH], const char *folder, const char *name)
{
    int length = snprintf(path, VFX_TEST_PATH, "%s/%s", folder, name);
    assert_true(length > 0 && length < VFX_TEST_PATH);
}

/* Removes a file or an empty folder; fine if it does not exist. */
static inline void vfx_test_remove(const char *path)
{
    (void)remove(path);
}

#endif
