/* core/gate_test.c - the gates for pictures: what must pass passes at the right gate, and each kind of damage fails for
 * the reason that is there for it. */
#include "core/test.h"

#include "core/gate.h"
#include "core/platform.h"

#include <math.h>

enum { WIDTH = 384, HEIGHT = 216 };
static const char data_folder[] = VFX_SOURCE_DIR "/../shared/data/flip";
/* Those of a view that says nothing else. */
static const vfx_gate_limits usual = {0.01, 0.15, 0.10, 16, 32};
/* Met by everything. */
static const vfx_gate_limits loose = {1.0, 1.0, 1.0, UINT32_MAX, 255};

/* -------------------------------------------------------------------------------------- pictures */

static vfx_picture create(uint32_t width, uint32_t height, int grey)
{
    vfx_picture picture;
    assert_vfx_ok(vfx_picture_create(&picture, width, height));
    memset(picture.rgb, grey, (size_t)width * height * 3);
    return picture;
}

static vfx_picture copy_of(const vfx_picture *from)
{
    vfx_picture picture = create(from->width, from->height, 0);
    vfx_picture_paste(&picture, from, 0, 0);
    return picture;
}

static uint8_t *pixel(vfx_picture *picture, uint32_t x, uint32_t y)
{
    return picture->rgb + 3 * ((size_t)y * picture->width + x);
}

/* Lit balls and thin blades on a floor under a sky, moved right by `shift` pixels. */
static vfx_picture scene(double shift)
{
    static const double light[3] = {0.48, -0.64, 0.6};
    vfx_picture picture = create(WIDTH, HEIGHT, 0);
    for (uint32_t py = 0; py < HEIGHT; py++)
        for (uint32_t px = 0; px < WIDTH; px++) {
            double x = px - shift, y = py, colour[3] = {90.0 + y / 3.0, 120.0 + y / 4.0, 200.0 - y / 4.0};
            if (y > 130.0)
                for (int c = 0; c < 3; c++)
                    colour[c] = 60.0 + 15.0 * c + (fmod(floor(x / 12.0) + floor(y / 9.0), 2.0) == 0.0 ? 30.0 : 0.0);
            for (int i = 0; i < 12; i++) {
                double r = 8.0 + 3 * (i % 5), dx = (x - 20.0 - 31.0 * i) / r, dy = (y - 60.0 - 17.0 * (i % 7)) / r;
                double height = 1.0 - dx * dx - dy * dy;
                if (height > 0.0)
                    for (int c = 0; c < 3; c++) {
                        double lit = dx * light[0] + dy * light[1] + sqrt(height) * light[2];
                        colour[c] = 25.0 + fmax(lit, 0.0) * (80.0 + 50.0 * ((i + c) % 4));
                    }
            }
            for (int i = 0; i < 60; i++)
                if (y > 150.0 && fabs(x - 6.4 * i - 0.1 * (y - 150.0) * (i % 5)) < 1.0)
                    colour[1] = 90.0 + y / 2.0;
            for (int c = 0; c < 3; c++)
                pixel(&picture, px, py)[c] = (uint8_t)fmin(fmax(colour[c], 0.0), 255.0);
        }
    return picture;
}

static void invert_block(vfx_picture *picture, uint32_t left, uint32_t top, uint32_t side)
{
    for (uint32_t y = top; y < top + side; y++)
        for (uint32_t x = left; x < left + side; x++)
            for (int c = 0; c < 3; c++) /* far from what was there, even from a middle grey */
                pixel(picture, x, y)[c] = (uint8_t)(pixel(picture, x, y)[c] + 128);
}

/* Compares, frees the actual picture, wants the gate and (of a failure) each part of `why`. */
static vfx_gate_result expect(const vfx_picture *golden, vfx_picture actual, const vfx_gate_limits *limits,
                              vfx_gate gate, const char *part)
{
    vfx_gate_result result;
    assert_vfx_ok(vfx_gate_compare(golden, &actual, limits, &result));
    vfx_picture_free(&actual);
    if (result.gate != gate || strstr(result.why, part) == NULL)
        fail_msg("gate %s (\"%s\"), wanted %s (\"%s\")", vfx_gate_names[result.gate], result.why, vfx_gate_names[gate],
                 part);
    assert_true((result.why[0] != '\0') == (gate == VFX_GATE_FAILED));
    return result;
}

static void expect_only(const vfx_picture *golden, vfx_picture actual, const vfx_gate_limits *limits, vfx_gate gate,
                        const char *part)
{
    vfx_gate_result result = expect(golden, actual, limits, gate, part);
    vfx_gate_free(&result);
}

/* ------------------------------------------------------------------------------------------ passing */

static void gates_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(vfx_gate_names[VFX_GATE_IDENTICAL], "identical");
    assert_string_equal(vfx_gate_names[VFX_GATE_WITHIN_1], "within 1");
    assert_string_equal(vfx_gate_names[VFX_GATE_FLIP], "flip");
    assert_string_equal(vfx_gate_names[VFX_GATE_FAILED], "failed");
}

/* Even where no limit could be met. */
static void identical_pictures_pass(void **state)
{
    (void)state;
    const vfx_gate_limits none = {-1.0, -1.0, -1.0, 0, 0};
    vfx_picture golden = scene(0.0);
    vfx_gate_result result = expect(&golden, copy_of(&golden), &none, VFX_GATE_IDENTICAL, "");
    assert_true(result.different == 0 && result.largest == 0 && result.blob == 0 && result.flip.error == NULL);
    vfx_gate_free(&result);
    vfx_picture_free(&golden);
}

/* FLIP's mean of such noise is above the limit. */
static void noise_of_one_step_passes(void **state)
{
    (void)state;
    vfx_picture golden = scene(0.0), actual = copy_of(&golden), same = copy_of(&golden);
    uint32_t seed = 1;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 3; i++) {
        seed = seed * 1664525u + 1013904223u;
        int value = actual.rgb[i] + ((seed >> 16 & 1u) != 0 ? 1 : -1);
        actual.rgb[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    vfx_flip flip;
    assert_vfx_ok(vfx_flip_compare(&golden, &actual, VFX_FLIP_PPD, &flip));
    assert_true(flip.mean > usual.mean);
    vfx_flip_free(&flip);
    vfx_gate_result result = expect(&golden, actual, &usual, VFX_GATE_WITHIN_1, "");
    assert_true(result.different > WIDTH * HEIGHT / 2 && result.largest == 1 && result.flip.error == NULL);
    vfx_gate_free(&result);

    pixel(&same, 100, 50)[1] ^= 2u; /* a single channel of one pixel by 2: FLIP is asked */
    result = expect(&golden, same, &usual, VFX_GATE_FLIP, "");
    assert_true(result.different == 1 && result.largest == 2 && result.blob == 0);
    assert_true(result.flip.error != NULL && result.flip.width == WIDTH && result.flip.mean < 1e-4);
    vfx_gate_free(&result);
    assert_true(result.flip.error == NULL);
    vfx_picture_free(&golden);
}

/* ------------------------------------------------------------------------------------------ failing */

/* Its mean is far below the limit. */
static void a_block_that_is_wholly_wrong_fails(void **state)
{
    (void)state;
    const vfx_gate_limits blob_only = {0.01, 1.0, 1.0, 16, 32};
    vfx_picture golden = scene(0.0), actual = copy_of(&golden), small = copy_of(&golden);
    invert_block(&actual, 200, 100, 8);
    vfx_picture same = copy_of(&actual);
    vfx_gate_result result = expect(&golden, actual, &blob_only, VFX_GATE_FAILED,
                                    "64 connected pixels are off by more than 32, limit 16 pixels");
    assert_true(result.flip.mean < 0.01 && result.different == 64 && result.largest >= 128 && result.blob == 64);
    assert_null(strstr(result.why, "FLIP"));
    vfx_gate_free(&result);
    expect_only(&golden, same, &usual, VFX_GATE_FAILED, "64 connected pixels");
    invert_block(&small, 200, 100, 4);
    expect_only(&golden, small, &blob_only, VFX_GATE_FLIP, "");
    vfx_picture_free(&golden);
}

static void a_shift_of_one_pixel_fails(void **state)
{
    (void)state;
    const vfx_gate_limits mean_only = {0.01, 1.0, 1.0, UINT32_MAX, 255};
    vfx_picture golden = scene(0.0);
    vfx_gate_result result = expect(&golden, scene(1.0), &usual, VFX_GATE_FAILED, ", limit 0.01");
    char mean[64];
    print_message("shifted: %s\n", result.why);
    snprintf(mean, sizeof mean, "FLIP mean %.6g, limit 0.01", result.flip.mean);
    assert_non_null(strstr(result.why, mean));
    vfx_gate_free(&result);
    expect_only(&golden, scene(1.0), &mean_only, VFX_GATE_FAILED, "FLIP mean");
    vfx_picture_free(&golden);
}

static void the_pairs_of_flip_are_judged(void **state)
{
    (void)state;
    static const struct {
        const char *name, *part;
        vfx_gate gate;
    } rows[] = {{"a_ref", "", VFX_GATE_IDENTICAL},
                {"a_noise1", "", VFX_GATE_WITHIN_1},
                {"a_shift1", "FLIP mean 0.0861", VFX_GATE_FAILED},
                {"a_block8", "64 connected pixels", VFX_GATE_FAILED},
                {"a_red10", "FLIP mean 0.1258", VFX_GATE_FAILED}};
    char path[VFX_TEST_PATH];
    vfx_names names;
    vfx_picture golden, actual;
    assert_vfx_ok(vfx_list_folder(data_folder, &names));
    bool there = names.exists;
    vfx_names_free(&names);
    if (!there)
        skip();
    vfx_test_path(path, data_folder, "a_ref.png");
    assert_vfx_ok(vfx_picture_read(path, &golden));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int length = snprintf(path, sizeof path, "%s/%s.png", data_folder, rows[i].name);
        assert_true(length > 0 && length < VFX_TEST_PATH);
        assert_vfx_ok(vfx_picture_read(path, &actual));
        expect_only(&golden, actual, &usual, rows[i].gate, rows[i].part);
    }
    vfx_picture_free(&golden);
}

/* Each limit alone, just below the value, at it, and as no number at all. */
static void every_limit_counts(void **state)
{
    (void)state;
    vfx_picture golden = scene(0.0);
    vfx_gate_result all = expect(&golden, scene(1.0), &loose, VFX_GATE_FLIP, "");
    static const char *const names[] = {"FLIP mean ", "FLIP weighted third quartile ",
                                        "FLIP weighted 99th percentile "};
    const double values[] = {all.flip.mean, all.flip.weighted_q3, all.flip.weighted_p99};
    for (int i = 0; i < 3; i++) {
        const double tries[] = {values[i], values[i] * 0.9, (double)NAN};
        for (int k = 0; k < 3; k++) {
            char numbers[128];
            vfx_gate_limits limits = loose;
            limits.blob = 1000; /* more than the largest, but less than all errors together */
            *(i == 0 ? &limits.mean : i == 1 ? &limits.weighted_q3 : &limits.weighted_p99) = tries[k];
            snprintf(numbers, sizeof numbers, "%s%.6g, limit %.6g", names[i], values[i], tries[k]);
            vfx_gate_result result = expect(&golden, scene(1.0), &limits, k == 0 ? VFX_GATE_FLIP : VFX_GATE_FAILED, "");
            assert_string_equal(result.why, k == 0 ? "" : numbers); /* and nothing else */
            vfx_gate_free(&result);
        }
    }
    const vfx_gate_limits none = {0.0, 0.0, 0.0, 0, 0};
    vfx_gate_result result = expect(&golden, scene(1.0), &none, VFX_GATE_FAILED, "connected pixels");
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(result.why, names[i]));
    assert_true(strlen(result.why) < sizeof result.why - 200);
    vfx_gate_free(&result);
    vfx_gate_free(&all);
    vfx_picture_free(&golden);
}

/* Single pixels that are wrong pass while they are few, and fail when they are more than a blob may have. */
static void few_pixels_have_no_quantiles(void **state)
{
    (void)state;
    vfx_gate_limits limits = {0.01, 0.15, 0.10, 16, 32};
    for (uint32_t wrong = 1; wrong <= 24; wrong += 23) {
        vfx_picture golden, actual;
        assert_vfx_ok(vfx_picture_create(&golden, 384, 216));
        assert_vfx_ok(vfx_picture_create(&actual, 384, 216));
        for (uint32_t i = 0; i < wrong; i++)
            memset(actual.rgb + 3 * ((size_t)(20 + 40 * (i / 6)) * 384 + 20 + 50 * (i % 6)), 255, 3);
        vfx_gate_result result;
        assert_vfx_ok(vfx_gate_compare(&golden, &actual, &limits, &result));
        assert_int_equal(result.blob, 1);
        assert_true(result.flip.weighted_p99 > limits.weighted_p99);
        assert_int_equal(result.gate, wrong == 1 ? VFX_GATE_FLIP : VFX_GATE_FAILED);
        vfx_gate_free(&result);
        vfx_picture_free(&golden);
        vfx_picture_free(&actual);
    }
}

static void other_sizes_are_a_mismatch(void **state)
{
    (void)state;
    vfx_picture a = create(8, 4, 0), b = create(4, 8, 0), empty = {0};
    vfx_gate_result result;
    assert_vfx_fails(vfx_gate_compare(&a, &b, &loose, &result), VFX_MISMATCH,
                     "golden picture has 8 x 4 pixels, the actual one 4 x 8");
    assert_int_equal(result.gate, VFX_GATE_FAILED);
    vfx_gate_free(&result);
    assert_vfx_fails(vfx_gate_compare(&a, &empty, &loose, &result), VFX_MISMATCH, "0 x 0");
    assert_vfx_fails(vfx_gate_compare(&empty, &empty, &loose, &result), VFX_USAGE, "empty");
    assert_int_equal(result.gate, VFX_GATE_FAILED);
    vfx_gate_free(&result);
    vfx_picture_free(&a);
    vfx_picture_free(&b);
}

/* ------------------------------------------------------------------------------------------ the blob */

/* Pixels of the largest blob where `map` has an x, with lines of equal length. */
static uint32_t blob_of(const char *map, int difference, uint32_t off)
{
    uint32_t width = (uint32_t)strcspn(map, "\n"), height = (uint32_t)(strlen(map) / (width + 1));
    vfx_gate_limits limits = loose;
    vfx_picture golden = create(width, height, 100), actual = create(width, height, 100);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (map[y * (width + 1) + x] == 'x') /* one channel is enough, up or down */
                pixel(&actual, x, y)[(x + y) % 3] = (uint8_t)(100 + (x % 2 == 0 ? difference : -difference));
    vfx_gate_result result;
    limits.off = off;
    assert_vfx_ok(vfx_gate_compare(&golden, &actual, &limits, &result));
    uint32_t blob = result.blob;
    vfx_gate_free(&result);
    vfx_picture_free(&golden);
    vfx_picture_free(&actual);
    return blob;
}

static void pixels_that_touch_are_one_blob(void **state)
{
    (void)state;
    static const struct {
        uint32_t blob;
        const char *map;
    } rows[] = {
        {0, "....\n....\n"},
        {1, "x...\n....\n...x\n"},
        {1, "x.x.x\n.....\nx.x.x\n"},
        {4, "x...\n.x..\n..x.\n...x\n"},             /* by corners */
        {4, "...x\n..x.\n.x..\nx...\n"},             /* and the other ones */
        {2, "...x\nx...\nx...\n...x\n"},             /* not around the border */
        {3, "..x\nx..\nx..\nx..\n...\n"},            /* the end of a row does not touch the next */
        {16, "xxxx\nxxxx\nxxxx\nxxxx\n"},            /* all */
        {16, "xxxxx\nx...x\nx.x.x\nx...x\nxxxxx\n"}, /* a ring, and a point alone within it */
        {11, "x.x\nx.x\nx.x\nx.x\nx.x\n.x.\n...\nxxx\n"},
        {22, "xxxxxx\n.....x\nxxxx.x\nx..x.x\nx....x\n.xxxxx\n"}, /* wound up */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t blob = blob_of(rows[i].map, 50, 32);
        if (blob != rows[i].blob)
            fail_msg("the largest blob of\n%shas %u pixels, wanted %u", rows[i].map, blob, rows[i].blob);
    }
}

/* `off` itself is not yet wrong, and as many pixels as the limit still pass. */
static void the_limits_of_a_blob_are_within(void **state)
{
    (void)state;
    assert_int_equal(blob_of("xx\nxx\n", 32, 32), 0);
    assert_int_equal(blob_of("xx\nxx\n", 33, 32), 4);
    assert_int_equal(blob_of("xx\nxx\n", 1, 0), 4);
    vfx_picture golden = scene(0.0);
    for (uint32_t limit = 63; limit <= 64; limit++) {
        vfx_gate_limits limits = loose;
        vfx_picture actual = copy_of(&golden);
        invert_block(&actual, WIDTH - 8, HEIGHT - 8, 8); /* in the corner */
        limits.off = 32;
        limits.blob = limit;
        expect_only(&golden, actual, &limits, limit == 64 ? VFX_GATE_FLIP : VFX_GATE_FAILED, "");
    }
    vfx_picture_free(&golden);
}

/* ------------------------------------------------------------------------------------- for the eyes */

/* CIE L*. */
static double lightness(const uint8_t *rgb)
{
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    double y = 0.0;
    for (int c = 0; c < 3; c++) {
        double s = rgb[c] / 255.0;
        y += weights[c] * (s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
    }
    return y > 216.0 / 24389.0 ? 116.0 * cbrt(y) - 16.0 : y * 24389.0 / 27.0;
}

static void heat_rises_evenly(void **state)
{
    (void)state;
    enum { STEPS = 65, REST = 3 };
    float errors[STEPS + REST];
    vfx_flip flip = {.width = STEPS + REST, .height = 1, .error = errors};
    vfx_picture heat;
    for (int i = 0; i < STEPS; i++)
        errors[i] = (float)i / (STEPS - 1);
    errors[STEPS] = -1.0f;
    errors[STEPS + 1] = 7.0f;
    errors[STEPS + 2] = NAN;
    assert_vfx_ok(vfx_gate_heat(&flip, &heat));
    assert_true(heat.width == STEPS + REST && heat.height == 1);
    double first = lightness(pixel(&heat, 0, 0)), last = lightness(pixel(&heat, STEPS - 1, 0));
    double even = (last - first) / (STEPS - 1);
    assert_true(first < 5.0 && last > 90.0);
    for (uint32_t i = 1; i < STEPS; i++) {
        double rise = lightness(pixel(&heat, i, 0)) - lightness(pixel(&heat, i - 1, 0));
        if (!(rise > 0.4 * even && rise < 1.6 * even))
            fail_msg("lightness rises by %g at step %u, %g on average", rise, i, even);
    }
    const uint8_t *top = pixel(&heat, STEPS - 1, 0);
    assert_true(top[0] > 200 && top[1] > 200 && top[2] < 200); /* yellow */
    assert_memory_equal(pixel(&heat, STEPS, 0), pixel(&heat, 0, 0), 3);
    assert_memory_equal(pixel(&heat, STEPS + 1, 0), top, 3);
    assert_memory_equal(pixel(&heat, STEPS + 2, 0), top, 3);
    vfx_picture_free(&heat);
    flip.width = 0;
    assert_vfx_fails(vfx_gate_heat(&flip, &heat), VFX_USAGE, "0 x 1");
    assert_null(heat.rgb);
}

static void a_sheet_shows_all_three(void **state)
{
    (void)state;
    vfx_picture a = create(5, 4, 10), b = create(6, 2, 20), c = create(7, 3, 30), sheet;
    assert_vfx_ok(vfx_gate_sheet(&a, &b, &c, &sheet));
    assert_true(sheet.width == 5 + 6 + 7 + 2 * 4 && sheet.height == 4);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < sheet.width; x++) {
            int wanted = x < 5 ? 10 : x >= 9 && x < 15 && y < 2 ? 20 : x >= 19 && x < 26 && y < 3 ? 30 : 128;
            for (int k = 0; k < 3; k++)
                assert_int_equal(pixel(&sheet, x, y)[k], wanted);
        }
    vfx_picture_free(&sheet);
    vfx_picture wide = create(VFX_MAX_PICTURE_SIDE, 1, 0);
    assert_vfx_fails(vfx_gate_sheet(&wide, &wide, &wide, &sheet), VFX_USAGE, "24584 x 1");
    assert_null(sheet.rgb);
    vfx_picture_free(&wide);
    vfx_picture_free(&a);
    vfx_picture_free(&b);
    vfx_picture_free(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gates_have_their_names),
    cmocka_unit_test(identical_pictures_pass),
    cmocka_unit_test(noise_of_one_step_passes),
    cmocka_unit_test(a_block_that_is_wholly_wrong_fails),
    cmocka_unit_test(a_shift_of_one_pixel_fails),
    cmocka_unit_test(the_pairs_of_flip_are_judged),
    cmocka_unit_test(every_limit_counts),
    cmocka_unit_test(few_pixels_have_no_quantiles),
    cmocka_unit_test(other_sizes_are_a_mismatch),
    cmocka_unit_test(pixels_that_touch_are_one_blob),
    cmocka_unit_test(the_limits_of_a_blob_are_within),
    cmocka_unit_test(heat_rises_evenly),
    cmocka_unit_test(a_sheet_shows_all_three),
};

VFX_TEST_MAIN(tests)
