/* core/params_test.c - parameters from text: ranges, types, suffixes, lists, presets, changes during a run. */
#include "core/test.h"

#include "core/params.h"
#include "core/suggest.h"

#include <math.h>

#define TOY_MODE(V) V(TOY_UP, 0, "up") V(TOY_DOWN, 1, "down") V(TOY_SIDEWAYS, 2, "sideways")
#define TOY_PARAMS(P, E)                                  \
    P(U32, items, 2000, 1, 4000000, 0, "number of items") \
    P(I32, shift, -3, -10, 10, 0, "steps")                \
    P(F32, drag, 4, 0.1f, 100, VFX_LIVE, "drag, 1/s")     \
    P(F32, length, 0.05, 1e-4, 10, 0, "rest length, m")   \
    E(mode, toy_mode, TOY_DOWN, VFX_LIVE, "direction")    \
    P(BOOL, cap, 0, 0, 1, 0, "close the end")             \
    P(U32, top, 0, 0, 4294967295.0, 0, "full range")

VFX_ENUM(TOY_MODE)
VFX_ENUM_NAMES(toy_mode, TOY_MODE)

typedef struct toy_params {
    TOY_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} toy_params;

static const vfx_param params[] = {TOY_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
static const vfx_host_param host_params[] = {
    {"map", "flat.png", NULL, "height map"},
    {VFX_UPLOAD_PARAM, "single", vfx_upload_names, "upload mode"},
};
static const vfx_preset presets[] = {
    {"ci", "items=67,mode=sideways", 20, "small"},
    {"default", "", 60, "as the source has it"},
    {"broken", "items=0", 1, "a preset that contradicts its rows"},
};

static vfx_status refuse_odd(const vfx_case *kase)
{
    if (VFX_CASE_PARAMS(kase, toy_params)->items % 2u == 1u)
        return vfx_fail(VFX_USAGE, "items must be even");
    return VFX_OK;
}

static const vfx_kernel kernel = {
    .name = "toy",
    .params = params,
    .param_count = VFX_COUNT(params),
    .host_params = host_params,
    .host_param_count = VFX_COUNT(host_params),
    .presets = presets,
    .preset_count = VFX_COUNT(presets),
    .validate = refuse_odd,
};
static const vfx_variant variant = {.name = "basic"};

static vfx_case fresh(void)
{
    vfx_case kase;
    assert_vfx_ok(vfx_case_init(&kase, &kernel, &variant, "default"));
    return kase;
}

static void defaults_and_presets(void **state)
{
    (void)state;
    vfx_case kase = fresh();
    const toy_params *p = VFX_CASE_PARAMS(&kase, toy_params);
    assert_int_equal(p->items, 2000);
    assert_int_equal(p->shift, -3);
    assert_true(p->drag == 4.0f && p->length == 0.05f);
    assert_int_equal(p->mode, TOY_DOWN);
    assert_int_equal(kase.frames, 60);
    assert_int_equal(kase.seed, 1);
    assert_true(kase.dt == 1.0f / 60.0f);
    assert_string_equal(vfx_case_host(&kase, "map"), "flat.png");
    assert_string_equal(vfx_case_host(&kase, VFX_UPLOAD_PARAM), "single");
    assert_null(vfx_case_host(&kase, "items"));

    assert_vfx_ok(vfx_case_init(&kase, &kernel, &variant, "ci"));
    assert_int_equal(p->items, 67);
    assert_int_equal(p->mode, TOY_SIDEWAYS);
    char text[64];
    vfx_case_name(&kase, text, sizeof text);
    assert_string_equal(text, "toy/basic/ci");
    assert_vfx_fails(vfx_case_init(&kase, &kernel, &variant, "defualt"), VFX_USAGE, "did you mean default?");
    assert_vfx_fails(vfx_case_init(&kase, &kernel, &variant, "huge"), VFX_USAGE, "ci, default, broken");
    assert_vfx_fails(vfx_case_init(&kase, &kernel, &variant, "broken"), VFX_USAGE, "items");
}

/* What is accepted, and the word's value afterwards. */
static void accepted_values(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double value;
    } rows[] = {
        {"items=1", 1},
        {"items=4M", 4000000},
        {"items=15k", 15000},
        {"items=1.5k", 1500},
        {"items=1e3", 1000},
        {"items=4000000", 4000000},
        {"items=+7", 7},
        {"shift=-10", -10},
        {"shift=10", 10},
        {"drag=0.1", 0.1f},
        {"drag=.5", 0.5},
        {"drag=1e2", 100},
        {"length=1e-4", 1e-4f},
        {"length=0.0001", 1e-4f},
        {"mode=up", TOY_UP},
        {"mode=sideways", TOY_SIDEWAYS},
        {"cap=on", 1},
        {"cap=false", 0},
        {"cap=true", 1},
        {"cap=0", 0},
        {"top=4294967295", 4294967295.0},
    };
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        vfx_case kase = fresh();
        assert_vfx_ok(vfx_case_set(&kase, rows[i].set));
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].set, "="), rows[i].set);
        const vfx_param *param = vfx_param_find(&kernel, name);
        assert_non_null(param);
        double value = vfx_param_value(param, kase.words[param - params]);
        if (value != rows[i].value)
            fail_msg("%s gave %.17g", rows[i].set, value);
    }
}

/* What is refused, and a part of the message that must be there. */
static void refused_values(void **state)
{
    (void)state;
    static const struct {
        const char *set, *part;
    } rows[] = {
        {"items=1e12", "parameter items: \"1e12\" is out of range; allowed: 1 .. 4000000"},
        {"items=0", "out of range"},
        {"items=-1", "out of range"},
        {"items=1e999", "out of range"},
        {"items=4001k", "out of range"},
        {"items=1.5", "whole number"},
        {"shift=0.5", "whole number"},
        {"shift=-11", "-10 .. 10"},
        {"top=4294967296", "out of range"},
        {"items=nan", "not a finite"},
        {"drag=nan", "not a finite"},
        {"drag=inf", "not a finite"},
        {"drag=-infinity", "not a finite"},
        {"drag=0.0999", "0.1 .. 100"},
        {"drag=1e300", "out of range"},
        {"length=0.00009", "0.0001 .. 10"},
        {"items=12x", "not a finite"},
        {"items=12kk", "not a finite"},
        {"items=12k ", "not a finite"},
        {"items= 12", "not a finite"},
        {"items=0x10", "not a finite"},
        {"items=", "not a finite"},
        {"items=1e", "not a finite"},
        {"items=--1", "not a finite"},
        {"items=12=3", "not a finite"},
        {"mode=left", "up, down, sideways"},
        {"mode=1", "up, down, sideways"},
        {"cap=yes", "on, off"},
        {"cap=2", "on, off"},
        {"items", "name=value"},
        {"=3", "name=value"},
        {"", "name=value"},
        {"itmes=3", "did you mean items?"},
        {"zzz=3", "items, shift, drag, length, mode, cap, top, map, upload"},
        {"upload=sinlge", "single, regions, per-instance, mapped"},
        {"a_name_that_is_longer_than_any_parameter_could_ever_be_in_this_program=1", "too long"},
    };
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        vfx_case kase = fresh(), before = kase;
        assert_vfx_fails(vfx_case_set(&kase, rows[i].set), VFX_USAGE, rows[i].part);
        assert_memory_equal(&kase, &before, sizeof kase);
    }
}

static void host_values(void **state)
{
    (void)state;
    vfx_case kase = fresh();
    assert_vfx_ok(vfx_case_set(&kase, "map=some folder/a=b.png"));
    assert_string_equal(vfx_case_host(&kase, "map"), "some folder/a=b.png");
    assert_vfx_ok(vfx_case_set(&kase, "upload=per-instance"));
    assert_string_equal(vfx_case_host(&kase, "upload"), "per-instance");

    char text[4 + VFX_MAX_VALUE + 1] = "map=";
    memset(text + 4, 'x', VFX_MAX_VALUE);
    text[4 + VFX_MAX_VALUE] = '\0';
    assert_vfx_fails(vfx_case_set(&kase, text), VFX_USAGE, "256 bytes, at most 255");
    text[4 + VFX_MAX_VALUE - 1] = '\0';
    assert_vfx_ok(vfx_case_set(&kase, text));
    assert_int_equal(strlen(vfx_case_host(&kase, "map")), VFX_MAX_VALUE - 1);
}

static void lists(void **state)
{
    (void)state;
    vfx_case kase = fresh();
    assert_vfx_ok(vfx_case_set_list(&kase, ""));
    assert_vfx_ok(vfx_case_set_list(&kase, "items=10,cap=on,map=x.png"));
    assert_int_equal(VFX_CASE_PARAMS(&kase, toy_params)->items, 10);
    assert_int_equal(VFX_CASE_PARAMS(&kase, toy_params)->cap, 1);
    vfx_case before = kase;
    assert_vfx_fails(vfx_case_set_list(&kase, "items=20,cap=maybe"), VFX_USAGE, "cap");
    assert_vfx_fails(vfx_case_set_list(&kase, "items=20,"), VFX_USAGE, "name=value");
    assert_vfx_fails(vfx_case_set_list(&kase, ",items=20"), VFX_USAGE, "name=value");
    assert_memory_equal(&kase, &before, sizeof kase);
    char text[1000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_vfx_fails(vfx_case_set_list(&kase, text), VFX_USAGE, "too long");
}

static void changes_during_a_run(void **state)
{
    (void)state;
    vfx_case kase = fresh();
    vfx_at_list list = {0};
    assert_vfx_ok(vfx_at_parse(&kase, "5:drag=8", &list));
    assert_vfx_ok(vfx_at_parse(&kase, "5:mode=up", &list));
    assert_vfx_ok(vfx_at_parse(&kase, "4294967295:drag=1", &list));
    assert_int_equal(list.count, 3);
    assert_vfx_fails(vfx_at_parse(&kase, "5:items=8", &list), VFX_USAGE, "live parameters of toy: drag, mode");
    assert_vfx_fails(vfx_at_parse(&kase, "5:map=8", &list), VFX_USAGE, "live parameters of toy: drag, mode");
    assert_vfx_fails(vfx_at_parse(&kase, "5:darg=8", &list), VFX_USAGE, "did you mean drag?");
    assert_vfx_fails(vfx_at_parse(&kase, "5:drag=1000", &list), VFX_USAGE, "out of range");
    static const char *const malformed[] = {"drag=8",
                                            ":drag=8",
                                            "0:drag=8",
                                            "-1:drag=8",
                                            "4294967296:drag=8",
                                            "5 :drag=8",
                                            "5.0:drag=8",
                                            "",
                                            "99999999999999999999:drag=8"};
    for (size_t i = 0; i < VFX_COUNT(malformed); i++)
        assert_vfx_fails(vfx_at_parse(&kase, malformed[i], &list), VFX_USAGE, "FRAME:name=value");
    assert_int_equal(list.count, 3);

    assert_false(vfx_at_apply(&list, 4, &kase));
    assert_true(vfx_at_apply(&list, 5, &kase));
    assert_true(VFX_CASE_PARAMS(&kase, toy_params)->drag == 8.0f);
    assert_int_equal(VFX_CASE_PARAMS(&kase, toy_params)->mode, TOY_UP);
    assert_false(vfx_at_apply(&list, 5, &kase)); /* already so */
    assert_false(vfx_at_apply(NULL, 5, &kase));

    while (list.count < VFX_MAX_AT)
        assert_vfx_ok(vfx_at_parse(&kase, "7:drag=2", &list));
    assert_vfx_fails(vfx_at_parse(&kase, "7:drag=2", &list), VFX_USAGE, "more than 32");
}

static void validation(void **state)
{
    (void)state;
    vfx_case kase = fresh();
    assert_vfx_ok(vfx_case_validate(&kase));
    kase.frames = 0;
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "frames");
    kase.frames = 1;
    const float bad[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t i = 0; i < VFX_COUNT(bad); i++) {
        kase.dt = bad[i];
        assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "dt");
    }
    kase.dt = 0.1f;
    assert_vfx_ok(vfx_case_set(&kase, "items=3"));
    assert_vfx_fails(vfx_case_validate(&kase), VFX_USAGE, "even");
}

static void formatting(void **state)
{
    (void)state;
    static const struct {
        const char *set, *text;
    } rows[] = {
        {"items=15k", "15000"},          {"shift=-4", "-4"}, {"length=0.05", "0.05"}, {"length=0.1", "0.1"},
        {"drag=33.333332", "33.333332"}, {"mode=up", "up"},  {"cap=1", "on"},         {"cap=0", "off"},
    };
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        vfx_case kase = fresh();
        assert_vfx_ok(vfx_case_set(&kase, rows[i].set));
        char name[32], text[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].set, "="), rows[i].set);
        const vfx_param *param = vfx_param_find(&kernel, name);
        vfx_param_format(param, kase.words[param - params], text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
    assert_null(vfx_param_find(&kernel, "item"));
    assert_string_equal(vfx_upload_names[VFX_UPLOAD_MAPPED], "mapped");
    assert_null(vfx_upload_names[VFX_UPLOAD_MAPPED + 1]);
}

static void suggestions(void **state)
{
    (void)state;
    assert_true(vfx_name_is_close("tentacels", "tentacles"));
    assert_true(vfx_name_is_close("radius", "base_radius"));
    assert_false(vfx_name_is_close("drag", "items"));
    assert_false(vfx_name_is_close("", "items"));
    const char *const names[] = {"verify", "time", "golden"};
    char text[64], tiny[12];
    vfx_suggest("tmie", names, 3, text, sizeof text);
    assert_string_equal(text, "did you mean time?");
    vfx_suggest("xyz", names, 3, text, sizeof text);
    assert_string_equal(text, "known: verify, time, golden");
    vfx_suggest("xyz", names, 3, tiny, sizeof tiny);
    assert_string_equal(tiny, "known: v...");
    vfx_suggest("xyz", names, 0, text, sizeof text);
    assert_string_equal(text, "known: none");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(defaults_and_presets), cmocka_unit_test(accepted_values), cmocka_unit_test(refused_values),
    cmocka_unit_test(host_values),          cmocka_unit_test(lists),           cmocka_unit_test(changes_during_a_run),
    cmocka_unit_test(validation),           cmocka_unit_test(formatting),      cmocka_unit_test(suggestions),
};
VFX_TEST_MAIN(tests)
