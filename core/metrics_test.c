/* core/metrics_test.c - invariants run in order and the first one that fails is named. */
#include "core/test.h"

#include "core/metrics.h"

static bool always(const vfx_ref *ref, char *why, size_t why_bytes)
{
    (void)ref, (void)why, (void)why_bytes;
    return true;
}

/* Fails when the first word of buffer 0 exceeds 5. */
static bool small(const vfx_ref *ref, char *why, size_t why_bytes)
{
    uint32_t word = *(const uint32_t *)ref->in[0];
    if (word <= 5)
        return true;
    snprintf(why, why_bytes, "the word is %u", word);
    return false;
}

static bool silent(const vfx_ref *ref, char *why, size_t why_bytes)
{
    (void)why, (void)why_bytes;
    return *(const uint32_t *)ref->in[0] != 3;
}

static const vfx_invariant rows[] = {
    {"always", always, "trivially"}, {"small", small, "it was given"}, {"silent", silent, "not three"}};
static const vfx_kernel kernel = {.name = "toy", .invariants = rows, .invariant_count = VFX_COUNT(rows)};

static void first_failing_row(void **state)
{
    (void)state;
    const vfx_case kase = {.kernel = &kernel};
    const vfx_frame frame = {.index = 4};
    uint32_t word = 1;
    const vfx_ref ref = {.kase = &kase, .frame = &frame, .in = {&word}};
    char why[256] = "untouched";
    const char *name = NULL;
    assert_true(vfx_invariants_check(&ref, &name, why, sizeof why));
    assert_null(name);
    assert_string_equal(why, "untouched");
    word = 6;
    assert_false(vfx_invariants_check(&ref, &name, why, sizeof why));
    assert_string_equal(name, "small");
    assert_string_equal(why, "the word is 6 (it was given)");
    word = 3;
    assert_false(vfx_invariants_check(&ref, &name, why, sizeof why));
    assert_string_equal(name, "silent");
    assert_string_equal(why, "no detail given (not three)");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(first_failing_row),
};
VFX_TEST_MAIN(tests)
