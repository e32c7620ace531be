/* core/flip_test.c - FLIP against the numbers of the authors' own program (../shared/data/flip, where it is there),
 * against values computed by hand, and against itself. */
#include "core/test.h"

#include "core/flip.h"
#include "core/platform.h"

#include <math.h>

static const char data_folder[] = VFX_SOURCE_DIR "/../shared/data/flip";

static void near(const char *what, double got, double wanted, double limit)
{
    if (!(fabs(got - wanted) <= limit))
        fail_msg("%s is %.9g, wanted %.9g within %g", what, got, wanted, limit);
}

/* -------------------------------------------------------------------------------------- pictures */

static vfx_picture uniform(uint32_t width, uint32_t height, uint8_t r, uint8_t g, uint8_t b)
{
    vfx_picture picture;
    assert_vfx_ok(vfx_picture_create(&picture, width, height));
    for (size_t i = 0; i < (size_t)width * height; i++) {
        picture.rgb[3 * i] = r;
        picture.rgb[3 * i + 1] = g;
        picture.rgb[3 * i + 2] = b;
    }
    return picture;
}

/* Coloured waves, and noise of `noise` steps at most. */
static vfx_picture waves(uint32_t width, uint32_t height, double phase, uint32_t noise)
{
    vfx_picture picture = uniform(width, height, 0, 0, 0);
    uint32_t seed = 1;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < 3; c++) {
                seed = seed * 1664525u + 1013904223u;
                double wave = sin(0.11 * x * (c + 1) + phase) * cos(0.07 * y * (4 - c)) * 100.0;
                picture.rgb[((size_t)y * width + x) * 3 + c] = (uint8_t)(110.0 + wave + (seed >> 16) % (noise + 1));
            }
    return picture;
}

static vfx_picture read_data(const char *name)
{
    char path[VFX_TEST_PATH];
    vfx_picture picture;
    int length = snprintf(path, sizeof path, "%s/%s.png", data_folder, name);
    assert_true(length > 0 && length < VFX_TEST_PATH);
    assert_vfx_ok(vfx_picture_read(path, &picture));
    return picture;
}

static vfx_flip compare_and_free(vfx_picture reference, vfx_picture test, double ppd)
{
    vfx_flip flip;
    assert_vfx_ok(vfx_flip_compare(&reference, &test, ppd, &flip));
    assert_true(flip.width == reference.width && flip.height == reference.height);
    vfx_picture_free(&reference);
    vfx_picture_free(&test);
    return flip;
}

/* ---------------------------------------------------------------------------- the authors' numbers */

static void check_row(const char *line)
{
    char a[64], b[64];
    double ppd, mean, q1, median, q3, min, max;
    if (sscanf(line, "%63[^,],%63[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf", a, b, &ppd, &mean, &q1, &median, &q3, &min, &max) !=
        9)
        fail_msg("cannot read the row \"%s\"", line);
    vfx_flip flip = compare_and_free(read_data(a), read_data(b), ppd);
    print_message("%s, %s: mean %.6f, weighted quartiles %.6f %.6f %.6f, 99th percentile %.6f\n", a, b, flip.mean,
                  flip.weighted_q1, flip.weighted_median, flip.weighted_q3, flip.weighted_p99);
    near("mean", flip.mean, mean, 1e-3);
    near("min", flip.min, min, 1e-3);
    near("max", flip.max, max, 1e-3);
    near("weighted_q1", flip.weighted_q1, q1, 2e-3);
    near("weighted_median", flip.weighted_median, median, 2e-3);
    near("weighted_q3", flip.weighted_q3, q3, 2e-3);
    vfx_flip_free(&flip);
}

static void the_authors_numbers_come_out(void **state)
{
    (void)state;
    char path[VFX_TEST_PATH];
    void *text = NULL;
    size_t bytes;
    uint32_t rows = 0;
    vfx_names names;
    assert_vfx_ok(vfx_list_folder(data_folder, &names));
    bool there = names.exists;
    vfx_names_free(&names);
    if (!there)
        skip();
    vfx_test_path(path, data_folder, "expected.csv");
    assert_vfx_ok(vfx_read_file(path, 65536, &text, &bytes));
    char *line = strtok(text, "\n");
    assert_non_null(line);
    assert_string_equal(line, "reference,test,ppd,mean,weighted_q1,weighted_median,weighted_q3,min,max");
    while ((line = strtok(NULL, "\n")) != NULL) {
        check_row(line);
        rows++;
    }
    assert_int_equal(rows, 7);
    free(text);
}

/* ------------------------------------------------------------------------------------ hand-made cases */

/* The largest colour distance: CIELab of sRGB's green is (87.7347, -86.1827, 83.1793), of blue (32.2970, 79.1875,
 * -107.8602); Hunt's adjustment multiplies a and b by L / 100, HyAB is 203.2973, to the power 0.7. */
static const double largest_distance = 41.27548;
/* Features that are float's rounding, some 1e-8, count with their square root. */
static const double float_noise = 1e-4;

/* Of black against a uniform grey: lightness is all the difference, nothing is blurred, there are no features. */
static double grey_error(uint32_t grey)
{
    double s = grey / 255.0, linear = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
    double lightness = linear > 216.0 / 24389.0 ? 116.0 * cbrt(linear) - 16.0 : linear * 24389.0 / 27.0;
    double share = pow(lightness, 0.7) / largest_distance;
    return share < 0.4 ? share / 0.4 * 0.95 : 0.95 + (share - 0.4) / 0.6 * 0.05;
}

static void uniform_pictures_differ_by_their_lightness(void **state)
{
    (void)state;
    for (uint32_t grey = 0; grey < 256; grey += 5) {
        uint8_t g = (uint8_t)grey;
        vfx_flip flip = compare_and_free(uniform(9, 5, 0, 0, 0), uniform(9, 5, g, g, g), VFX_FLIP_PPD);
        near("mean", flip.mean, grey_error(grey), float_noise);
        near("min", flip.min, flip.mean, 1e-6);
        near("max", flip.max, flip.mean, 1e-6);
        near("weighted_q1", flip.weighted_q1, flip.mean, 1e-6);
        near("weighted_p99", flip.weighted_p99, flip.mean, 1e-6);
        vfx_flip_free(&flip);
    }
    vfx_flip flip = compare_and_free(uniform(9, 5, 0, 255, 0), uniform(9, 5, 0, 0, 255), VFX_FLIP_PPD);
    near("green against blue", flip.min, 1.0, 1e-6);
    vfx_flip_free(&flip);
}

/* Black against dark grey with a white bar. Far from the bar's ends, at most 10 pixels, errors are those of uniform
 * pictures. The bar of 160 has 3.3 .. 5 % of the sum of the errors, that of 8 has less than 0.8 %. */
static void weighted_quantiles_share_the_sum(void **state)
{
    (void)state;
    static const uint32_t bars[] = {160, 8};
    enum { WIDTH = 8000, GREY = 60 };
    for (int i = 0; i < 2; i++) {
        vfx_picture test = uniform(WIDTH, 1, GREY, GREY, GREY);
        memset(test.rgb + 3 * 1000, 255, 3 * (size_t)bars[i]);
        vfx_flip flip = compare_and_free(uniform(WIDTH, 1, 0, 0, 0), test, VFX_FLIP_PPD);
        near("first pixel", (double)flip.error[0], grey_error(GREY), float_noise);
        near("weighted_q1", flip.weighted_q1, grey_error(GREY), float_noise);
        near("weighted_median", flip.weighted_median, grey_error(GREY), float_noise);
        near("weighted_q3", flip.weighted_q3, grey_error(GREY), float_noise);
        near("weighted_p99", flip.weighted_p99, grey_error(i == 0 ? 255 : GREY), float_noise);
        assert_true(flip.max > 0.96 && flip.max <= 1.0);
        vfx_flip_free(&flip);
    }
}

/* Sum of the errors up to a value, as a share of all. */
static double share_up_to(const vfx_flip *flip, double value, bool included)
{
    double part = 0.0, all = 0.0;
    for (size_t i = 0; i < (size_t)flip->width * flip->height; i++) {
        double e = (double)flip->error[i];
        all += e;
        part += e < value || (included && e == value) ? e : 0.0;
    }
    return part / all;
}

static void statistics_are_those_of_the_errors(void **state)
{
    (void)state;
    vfx_flip flip = compare_and_free(waves(61, 47, 0.0, 9), waves(61, 47, 0.3, 31), VFX_FLIP_PPD);
    const double quantiles[][2] = {
        {0.25, flip.weighted_q1}, {0.5, flip.weighted_median}, {0.75, flip.weighted_q3}, {0.99, flip.weighted_p99}};
    double sum = 0.0, min = 1.0, max = 0.0;
    for (size_t i = 0; i < 61 * 47; i++) {
        sum += (double)flip.error[i];
        min = fmin(min, (double)flip.error[i]);
        max = fmax(max, (double)flip.error[i]);
    }
    near("mean", flip.mean, sum / (61 * 47), 1e-12);
    near("min", flip.min, min, 0.0);
    near("max", flip.max, max, 0.0);
    for (int i = 0; i < 4; i++) {
        assert_true(share_up_to(&flip, quantiles[i][1], false) < quantiles[i][0]);
        assert_true(share_up_to(&flip, quantiles[i][1], true) >= quantiles[i][0] - 1e-9);
    }
    assert_true(flip.min < flip.weighted_q1 && flip.weighted_q3 < flip.weighted_p99 && flip.weighted_p99 < flip.max);
    vfx_flip_free(&flip);
}

/* ----------------------------------------------------------------- the formulas, slow and in two dimensions */

enum { PLAIN_WIDTH = 23, PLAIN_HEIGHT = 17, PLAIN_COUNT = PLAIN_WIDTH * PLAIN_HEIGHT };

static const double to_xyz[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};

/* Shares of white's X, Y, Z. */
static void plain_xyz(const double rgb[3], double xyz[3])
{
    for (int i = 0; i < 3; i++)
        xyz[i] = (to_xyz[i][0] * rgb[0] + to_xyz[i][1] * rgb[1] + to_xyz[i][2] * rgb[2]) /
                 (to_xyz[i][0] + to_xyz[i][1] + to_xyz[i][2]);
}

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The other way, by Cramer's rule. */
static double plain_channel(const double xyz[3], int channel)
{
    double m[3][3], with[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[i][j] = to_xyz[i][j] / (to_xyz[i][0] + to_xyz[i][1] + to_xyz[i][2]);
            with[i][j] = j == channel ? xyz[i] : m[i][j];
        }
    return determinant(with) / determinant(m);
}

static double plain_root(double t)
{
    return t > 216.0 / 24389.0 ? cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

static void plain_lab(const double opponent[3], double lab[3])
{
    double y = (opponent[0] + 16.0) / 116.0, rgb[3], xyz[3];
    const double blurred[3] = {y + opponent[1] / 500.0, y, y - opponent[2] / 200.0};
    for (int c = 0; c < 3; c++) {
        rgb[c] = plain_channel(blurred, c);
        rgb[c] = rgb[c] < 0.0 ? 0.0 : rgb[c] > 1.0 ? 1.0 : rgb[c];
    }
    plain_xyz(rgb, xyz);
    lab[0] = 116.0 * plain_root(xyz[1]) - 16.0;
    lab[1] = 5.0 * lab[0] * (plain_root(xyz[0]) - plain_root(xyz[1]));
    lab[2] = 2.0 * lab[0] * (plain_root(xyz[1]) - plain_root(xyz[2]));
}

/* What kernels are made of: 0..2 contrast sensitivity of a channel, 3 and 4 edges, 5 and 6 points along x and y. */
static double kernel_at(int kind, double x, double y, double ppd)
{
    static const double table[3][4] = {{1, 0.0047, 0, 1e-5}, {1, 0.0053, 0, 1e-5}, {34.1, 0.04, 13.5, 0.025}};
    const double pi = acos(-1.0), s = 0.5 * 0.082 * ppd, r2 = x * x + y * y, t = kind % 2 == 1 ? x : y;
    if (kind >= 3)
        return (kind < 5 ? -t : t * t / (s * s) - 1.0) * exp(-r2 / (2.0 * s * s));
    const double *a = table[kind], d2 = r2 / (ppd * ppd);
    return a[0] * sqrt(pi / a[1]) * exp(-pi * pi * d2 / a[1]) + a[2] * sqrt(pi / a[3]) * exp(-pi * pi * d2 / a[3]);
}

static int within(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* The kernel over the plane at (x, y); positive and negative parts each sum to 1. */
static double plain_filter(int kind, const double *plane, int x, int y, double ppd)
{
    int radius = (int)ceil(kind < 3 ? 3.0 * sqrt(0.04 / (2.0 * acos(-1.0) * acos(-1.0))) * ppd : 1.5 * 0.082 * ppd);
    double sum[2] = {0.0, 0.0}, weights[2] = {0.0, 0.0};
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            double weight = kernel_at(kind, dx, dy, ppd);
            int sign = weight < 0.0;
            weights[sign] += fabs(weight);
            sum[sign] += weight * plane[within(y + dy, PLAIN_HEIGHT) * PLAIN_WIDTH + within(x + dx, PLAIN_WIDTH)];
        }
    return sum[0] / weights[0] + (weights[1] > 0.0 ? sum[1] / weights[1] : 0.0);
}

/* Lab and lengths of edge and point of each pixel. */
static void plain_see(const vfx_picture *picture, double ppd, double seen[PLAIN_COUNT][5])
{
    double planes[3][PLAIN_COUNT];
    for (int i = 0; i < PLAIN_COUNT; i++) {
        double rgb[3], xyz[3];
        for (int c = 0; c < 3; c++) {
            double s = picture->rgb[3 * i + c] / 255.0;
            rgb[c] = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
        }
        plain_xyz(rgb, xyz);
        planes[0][i] = 116.0 * xyz[1] - 16.0;
        planes[1][i] = 500.0 * (xyz[0] - xyz[1]);
        planes[2][i] = 200.0 * (xyz[1] - xyz[2]);
    }
    for (int i = 0; i < PLAIN_COUNT; i++) {
        double value[7];
        for (int kind = 0; kind < 7; kind++)
            value[kind] = plain_filter(kind, planes[kind < 3 ? kind : 0], i % PLAIN_WIDTH, i / PLAIN_WIDTH, ppd);
        plain_lab(value, seen[i]);
        seen[i][3] = hypot(value[3], value[4]) / 116.0;
        seen[i][4] = hypot(value[5], value[6]) / 116.0;
    }
}

static double plain_error(const double a[5], const double b[5])
{
    double hyab = fabs(a[0] - b[0]) + hypot(a[1] - b[1], a[2] - b[2]);
    double share = pow(hyab, 0.7) / largest_distance;
    double colour = share < 0.4 ? share / 0.4 * 0.95 : 0.95 + (share - 0.4) / 0.6 * 0.05;
    double feature = sqrt(fmax(fabs(a[3] - b[3]), fabs(a[4] - b[4])) / sqrt(2.0));
    return pow(colour, 1.0 - feature);
}

/* Saturated colours at random, blocks of `block` pixels: blurred, some are more than a monitor can show. */
static vfx_picture confetti(uint32_t seed, uint32_t block)
{
    vfx_picture picture = uniform(PLAIN_WIDTH, PLAIN_HEIGHT, 0, 0, 0);
    for (uint32_t y = 0; y < PLAIN_HEIGHT; y++)
        for (uint32_t x = 0; x < PLAIN_WIDTH; x++)
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t h = (x / block * 73856093u ^ y / block * 19349663u ^ c * 83492791u ^ seed) * 2654435761u;
                picture.rgb[(y * PLAIN_WIDTH + x) * 3 + c] = (h >> 15 & 1u) != 0 ? 255 : 0;
            }
    return picture;
}

static void the_formulas_agree(void **state)
{
    (void)state;
    static double seen[2][PLAIN_COUNT][5];
    for (uint32_t block = 1; block <= 9; block += 4)
        for (double ppd = 20.0; ppd <= 67.0; ppd += 47.0) {
            vfx_picture a = confetti(1, block), b = confetti(77, block);
            plain_see(&a, ppd, seen[0]);
            plain_see(&b, ppd, seen[1]);
            vfx_flip flip = compare_and_free(a, b, ppd);
            assert_true(flip.max > 0.3);
            for (int i = 0; i < PLAIN_COUNT; i++)
                near("error", (double)flip.error[i], plain_error(seen[0][i], seen[1][i]), float_noise);
            vfx_flip_free(&flip);
        }
}

/* ------------------------------------------------------------------------------------------ itself */

static void a_picture_does_not_differ_from_itself(void **state)
{
    (void)state;
    vfx_flip flip = compare_and_free(waves(70, 40, 0.0, 20), waves(70, 40, 0.0, 20), VFX_FLIP_PPD);
    for (size_t i = 0; i < 70 * 40; i++)
        assert_true(flip.error[i] == 0.0f);
    assert_true(flip.mean == 0.0 && flip.min == 0.0 && flip.max == 0.0 && flip.weighted_q1 == 0.0 &&
                flip.weighted_median == 0.0 && flip.weighted_q3 == 0.0 && flip.weighted_p99 == 0.0);
    vfx_flip_free(&flip);
    assert_null(flip.error);
    vfx_flip_free(&flip);
}

static void the_order_does_not_matter(void **state)
{
    (void)state;
    vfx_flip ab = compare_and_free(waves(70, 40, 0.0, 20), waves(70, 40, 0.5, 3), VFX_FLIP_PPD);
    vfx_flip ba = compare_and_free(waves(70, 40, 0.5, 3), waves(70, 40, 0.0, 20), VFX_FLIP_PPD);
    assert_memory_equal(ab.error, ba.error, 70 * 40 * sizeof *ab.error);
    assert_true(ab.mean == ba.mean && ab.mean > 0.05 && ab.weighted_p99 == ba.weighted_p99);
    vfx_flip_free(&ab);
    vfx_flip_free(&ba);
}

static vfx_picture mirrored(vfx_picture picture, bool swap)
{
    vfx_picture to =
        swap ? uniform(picture.height, picture.width, 0, 0, 0) : uniform(picture.width, picture.height, 0, 0, 0);
    for (uint32_t y = 0; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++) {
            size_t at = swap ? (size_t)x * to.width + y : (size_t)y * to.width + (to.width - 1 - x);
            memcpy(to.rgb + 3 * at, picture.rgb + ((size_t)y * picture.width + x) * 3, 3);
        }
    vfx_picture_free(&picture);
    return to;
}

/* Rows and columns, left and right are alike. */
static void directions_are_alike(void **state)
{
    (void)state;
    vfx_flip flip = compare_and_free(waves(50, 31, 0.0, 20), waves(50, 31, 0.5, 3), VFX_FLIP_PPD);
    vfx_flip left =
        compare_and_free(mirrored(waves(50, 31, 0.0, 20), false), mirrored(waves(50, 31, 0.5, 3), false), VFX_FLIP_PPD);
    vfx_flip turned =
        compare_and_free(mirrored(waves(50, 31, 0.0, 20), true), mirrored(waves(50, 31, 0.5, 3), true), VFX_FLIP_PPD);
    for (uint32_t y = 0; y < 31; y++)
        for (uint32_t x = 0; x < 50; x++) {
            double error = (double)flip.error[y * 50 + x];
            near("mirrored", (double)left.error[y * 50 + 49 - x], error, 1e-4);
            near("turned", (double)turned.error[x * 31 + y], error, 1e-4);
        }
    vfx_flip_free(&flip);
    vfx_flip_free(&left);
    vfx_flip_free(&turned);
}

/* The farther away, the less is seen of a pattern of single pixels. */
static void details_vanish_with_distance(void **state)
{
    (void)state;
    double before = 1.0;
    for (double ppd = 10.0; ppd <= 320.0; ppd *= 2.0) {
        vfx_picture check = uniform(64, 64, 0, 0, 0), moved = uniform(64, 64, 0, 0, 0);
        for (uint32_t y = 0; y < 64; y++)
            for (uint32_t x = 0; x < 64; x++) {
                memset(check.rgb + (y * 64 + x) * 3, (x + y) % 2 == 0 ? 100 : 150, 3);
                memset(moved.rgb + (y * 64 + x) * 3, (x + y) % 2 == 0 ? 150 : 100, 3);
            }
        vfx_flip flip = compare_and_free(check, moved, ppd);
        double middle = (double)flip.error[32 * 64 + 32];
        assert_true(middle < before || (middle == 0.0 && before < 0.01));
        before = middle;
        vfx_flip_free(&flip);
    }
    assert_true(before < 0.01);
}

/* Whatever the size of picture and filter: errors are numbers of 0 .. 1. */
static void odd_sizes_and_distances_are_fine(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 30}, {30, 1}, {5, 3}, {19, 20}, {40, 41}};
    static const double distances[] = {VFX_FLIP_MIN_PPD, 2.5, VFX_FLIP_PPD, VFX_FLIP_MAX_PPD};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
            uint32_t width = sizes[s][0], height = sizes[s][1];
            vfx_flip flip = compare_and_free(waves(width, height, 0.0, 20), waves(width, height, 0.5, 3), distances[d]);
            for (size_t i = 0; i < (size_t)width * height; i++)
                assert_true(flip.error[i] >= 0.0f && flip.error[i] <= 1.0f);
            assert_true(flip.mean > 0.0 && flip.mean <= 1.0);
            vfx_flip_free(&flip);
        }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {0.0, -67.0, 0.99, 1000.5, (double)INFINITY, (double)NAN};
    vfx_picture a = uniform(4, 3, 1, 2, 3), wide = uniform(5, 3, 1, 2, 3), high = uniform(4, 4, 1, 2, 3), empty = {0};
    vfx_flip flip = {.width = 1, .mean = 1.0};
    assert_vfx_fails(vfx_flip_compare(&a, &wide, VFX_FLIP_PPD, &flip), VFX_USAGE, "4 x 3 and 5 x 3");
    assert_vfx_fails(vfx_flip_compare(&high, &a, VFX_FLIP_PPD, &flip), VFX_USAGE, "4 x 4 and 4 x 3");
    assert_true(flip.width == 0 && flip.error == NULL && flip.mean == 0.0);
    assert_vfx_fails(vfx_flip_compare(&empty, &empty, VFX_FLIP_PPD, &flip), VFX_USAGE, "empty");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        flip.width = 1;
        assert_vfx_fails(vfx_flip_compare(&a, &a, bad[i], &flip), VFX_USAGE, "pixels per degree");
        assert_true(flip.width == 0 && flip.error == NULL);
    }
    vfx_picture_free(&a);
    vfx_picture_free(&wide);
    vfx_picture_free(&high);
}

static void a_view_takes_a_moment(void **state)
{
    (void)state;
    vfx_picture a = waves(384, 216, 0.0, 20), b = waves(384, 216, 0.5, 3);
    uint64_t start = vfx_clock_ns();
    vfx_flip flip = compare_and_free(a, b, VFX_FLIP_PPD);
    print_message("384 x 216 pixels: %.1f ms\n", (double)(vfx_clock_ns() - start) * 1e-6);
    vfx_flip_free(&flip);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_authors_numbers_come_out),
    cmocka_unit_test(uniform_pictures_differ_by_their_lightness),
    cmocka_unit_test(weighted_quantiles_share_the_sum),
    cmocka_unit_test(statistics_are_those_of_the_errors),
    cmocka_unit_test(the_formulas_agree),
    cmocka_unit_test(a_picture_does_not_differ_from_itself),
    cmocka_unit_test(the_order_does_not_matter),
    cmocka_unit_test(directions_are_alike),
    cmocka_unit_test(details_vanish_with_distance),
    cmocka_unit_test(odd_sizes_and_distances_are_fine),
    cmocka_unit_test(bad_arguments_are_refused),
    cmocka_unit_test(a_view_takes_a_moment),
};

VFX_TEST_MAIN(tests)
