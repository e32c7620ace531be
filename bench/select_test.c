/* bench/select_test.c - selection by glob over two invented families. */
#include "core/test.h"

#include "bench/select.h"

static const vfx_variant variants[] = {{.name = "plain"}, {.name = "packed"}};
static const vfx_preset presets[] = {{"ci", "", 1, ""}, {"default", "", 1, ""}};
static const vfx_kernel ivy = {
    .name = "ivy", .variants = variants, .variant_count = 2, .presets = presets, .preset_count = 2};
static const vfx_kernel moss = {
    .name = "moss", .variants = variants, .variant_count = 1, .presets = presets, .preset_count = 1};
static const vfx_kernel *const kernels[] = {&ivy, &moss};

/* Names of the selection, each followed by a blank. */
static vfx_status select_names(cmd_values globs, cmd_values exclude, const char *fallback, char *text, size_t bytes)
{
    cmd_selection selection;
    vfx_status status = cmd_select(kernels, 2, &globs, &exclude, fallback, &selection);
    *text = '\0';
    for (uint32_t i = 0; status == VFX_OK && i < selection.count; i++) {
        char name[CMD_CASE_NAME];
        cmd_choice_name(&selection.choices[i], name, sizeof name);
        strncat(text, name, bytes - strlen(text) - 1);
        strncat(text, " ", bytes - strlen(text) - 1);
    }
    cmd_selection_free(&selection);
    return status;
}

#define NONE ((cmd_values){.count = 0})
#define ONE(a) ((cmd_values){{a}, 1})
#define TWO(a, b) ((cmd_values){{a, b}, 2})

static void test_globs(void **state)
{
    (void)state;
    char text[1024];
    assert_vfx_ok(select_names(ONE("*"), NONE, NULL, text, sizeof text));
    assert_string_equal(text, "ivy/plain/ci ivy/plain/default ivy/packed/ci ivy/packed/default moss/plain/ci ");
    assert_vfx_ok(select_names(ONE("*/*/ci"), NONE, NULL, text, sizeof text));
    assert_string_equal(text, "ivy/plain/ci ivy/packed/ci moss/plain/ci ");
    assert_vfx_ok(select_names(ONE("ivy/p?cked/[cd]*"), NONE, NULL, text, sizeof text));
    assert_string_equal(text, "ivy/packed/ci ivy/packed/default ");
}

static void test_order_and_no_doubles(void **state)
{
    (void)state;
    char text[1024];
    assert_vfx_ok(select_names(TWO("moss/*", "*/ci"), NONE, NULL, text, sizeof text));
    assert_string_equal(text, "ivy/plain/ci ivy/packed/ci moss/plain/ci ");
}

static void test_exclude_and_default(void **state)
{
    (void)state;
    char text[1024];
    assert_vfx_ok(select_names(NONE, ONE("*/packed/*"), "*/*/ci", text, sizeof text));
    assert_string_equal(text, "ivy/plain/ci moss/plain/ci ");
    assert_vfx_fails(select_names(ONE("moss/*"), ONE("*"), NULL, text, sizeof text), VFX_USAGE, "nothing selected");
    assert_vfx_fails(select_names(NONE, NONE, NULL, text, sizeof text), VFX_USAGE, "name the case");
    /* an exclusion of what exists but is not selected is fine, one of nothing is a typing error */
    assert_vfx_ok(select_names(ONE("ivy/*"), ONE("moss/*"), NULL, text, sizeof text));
    assert_vfx_fails(select_names(ONE("*"), TWO("ivy/*", "mos/*"), NULL, text, sizeof text), VFX_USAGE,
                     "no case matches 'mos/*'");
}

static void test_unknown(void **state)
{
    (void)state;
    char text[1024];
    assert_vfx_fails(select_names(ONE("fern/*"), NONE, NULL, text, sizeof text), VFX_USAGE, "'fern/*'");
    assert_non_null(strstr(vfx_message(), "families: ivy, moss"));
    /* one wrong name among right ones is still an error */
    assert_vfx_fails(select_names(TWO("*", "ivy/plane/ci"), NONE, NULL, text, sizeof text), VFX_USAGE,
                     "variants plain, packed and the presets ci, default");
    assert_vfx_fails(select_names(ONE("ivy"), NONE, NULL, text, sizeof text), VFX_USAGE, "no case matches 'ivy'");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_globs), cmocka_unit_test(test_order_and_no_doubles),
                                          cmocka_unit_test(test_exclude_and_default), cmocka_unit_test(test_unknown)};
VFX_TEST_MAIN(tests)
