/* figures_test.c - a family's figures of a frame and its units of work, as JSON and for a variant without them. */
#include "core/test.h"

#include "bench/figures.h"

#include <math.h>

typedef struct figure {
    vec3 sum;
    uint32_t pairs;
} figure;

static const vfx_field fields[] = {{"sum", VFX_FIELD_F32, 3, 0, "m", "a sum"},
                                   {"pairs", VFX_FIELD_U32, 1, 12, "1", "pairs"}};
static const vfx_buffer buffers[] = {
    {.name = "state"},
    {.name = "figure", .role = VFX_OUTPUT, .stride = sizeof(figure), .fields = fields, .field_count = 2}};
static const vfx_variant variants[] = {{.name = "with", .buffers = 3}, {.name = "without", .buffers = 1}};

static double work_of(const vfx_case *kase, const void *metrics)
{
    (void)kase;
    return 4.0 * ((const figure *)metrics)->pairs;
}

static const vfx_kernel kernel = {
    .name = "test", .buffers = buffers, .metrics = &buffers[1], .work = work_of, .work_unit = "pair"};

static void figures_are_numbers(void **state)
{
    (void)state;
    const figure record = {{0.5f, -2.0f, 3.0f}, 4000000000u};
    vfx_case kase = {.kernel = &kernel, .variant = &variants[0]};
    json_t *object = json_object();
    cmd_figures_report(object, &kase, &record);
    json_t *metrics = json_object_get(object, "metrics"), *sum = json_object_get(metrics, "sum");
    assert_int_equal(json_array_size(sum), 3);
    assert_true(json_number_value(json_array_get(sum, 1)) == -2.0);
    assert_true(json_number_value(json_object_get(metrics, "pairs")) == 4000000000.0);
    json_decref(object);
}

static void work_is_shared_out(void **state)
{
    (void)state;
    figure record = {{0, 0, 0}, 250};
    vfx_case kase = {.kernel = &kernel, .variant = &variants[0]};
    json_t *object = json_object();
    cmd_work_report(object, &kase, &record, 5.0); /* ns */
    json_t *work = json_object_get(object, "work");
    assert_true(fabs(json_number_value(json_object_get(work, "ps_each")) - 5.0) <= 1e-12);
    assert_string_equal(json_string_value(json_object_get(work, "unit")), "pair");
    json_decref(object);
    object = json_object();
    record.pairs = 0; /* unknown */
    cmd_work_report(object, &kase, &record, 5.0);
    assert_int_equal(json_object_size(object), 0);
    json_decref(object);
}

static void a_variant_may_have_none(void **state)
{
    (void)state;
    const figure record = {{0, 0, 0}, 1};
    vfx_case kase = {.kernel = &kernel, .variant = &variants[1]};
    json_t *object = json_object();
    assert_int_equal(cmd_figures_row(&kase), UINT32_MAX);
    cmd_figures_report(object, &kase, &record);
    cmd_work_report(object, &kase, &record, 1.0);
    assert_int_equal(json_object_size(object), 0);
    json_decref(object);
    kase.variant = &variants[0];
    assert_int_equal(cmd_figures_row(&kase), 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(figures_are_numbers),
    cmocka_unit_test(work_is_shared_out),
    cmocka_unit_test(a_variant_may_have_none),
};

VFX_TEST_MAIN(tests)
