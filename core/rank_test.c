/* core/rank_test.c - the rank test against every way of dealing out the numbers, against published tables, under ties;
 * its power by trying factors; Holm by hand. */
#include "core/test.h"

#include "core/hash.h"
#include "core/rank.h"

#include <math.h>

/* In double, which assert_float_equal() is not. */
static void assert_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g", value, wanted);
}

/* 2 U by its definition. */
static int twice_u_of(const double *a, uint32_t n, const double *b, uint32_t m)
{
    int u = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++)
            u += b[j] > a[i] ? 2 : b[j] == a[i];
    return u;
}

/* Both p-values from all choices of m of the n + m numbers. */
static void brute_force(const double *values, uint32_t n, uint32_t m, int twice_u, double *greater, double *less)
{
    double all = 0.0, up = 0.0, down = 0.0;
    for (uint32_t mask = 0; mask < 1u << (n + m); mask++) {
        double a[12], b[12];
        uint32_t x = 0, y = 0;
        for (uint32_t i = 0; i < n + m; i++) {
            if ((mask >> i & 1u) != 0)
                b[y++] = values[i];
            else
                a[x++] = values[i];
        }
        if (y != m)
            continue;
        int u = twice_u_of(a, n, b, m);
        all += 1.0;
        up += u >= twice_u;
        down += u <= twice_u;
    }
    *greater = up / all;
    *less = down / all;
}

static void check_against_all_ways(vfx_rank *rank, const double *values, uint32_t n, uint32_t m)
{
    vfx_rank_result result;
    double greater, less;
    int twice_u = twice_u_of(values, n, values + n, m);
    brute_force(values, n, m, twice_u, &greater, &less);
    assert_vfx_ok(vfx_rank_test(rank, values, n, values + n, m, &result));
    assert_near(result.u, 0.5 * twice_u, 0.0);
    if (fabs(result.p_greater - greater) > 1e-14 || fabs(result.p_less - less) > 1e-14)
        fail_msg("%u against %u: p %.17g and %.17g, by all ways %.17g and %.17g", n, m, result.p_greater, result.p_less,
                 greater, less);
}

/* All sizes up to 6 against 6, numbers from few to many kinds: from mostly ties to none. */
static void test_all_ways(void **state)
{
    (void)state;
    static const double kinds[] = {1, 2, 3, 5, 8, 1e6};
    vfx_rank rank = {0};
    for (uint32_t n = 1; n <= 6; n++) {
        for (uint32_t m = 1; m <= 6; m++) {
            for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
                for (uint32_t trial = 0; trial < 3; trial++) {
                    double values[12];
                    for (uint32_t i = 0; i < n + m; i++)
                        values[i] = floor(kinds[k] * vfx_hash_random(i, n * 100 + m * 10 + k, trial + 1));
                    check_against_all_ways(&rank, values, n, m);
                }
            }
        }
    }
    vfx_rank_free(&rank);
}

/* Every order of 4 and 5 numbers, equal ones included, gives what the definition does; so the chance of a p-value at or
 * below any level is at most that level. */
static void test_level_is_kept(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 2, 3, 4, 4, 4, 7, 9};
    double p[126];
    uint32_t count = 0;
    vfx_rank rank = {0};
    for (uint32_t mask = 0; mask < 1u << 9; mask++) {
        double a[9], b[9];
        uint32_t x = 0, y = 0;
        for (uint32_t i = 0; i < 9; i++) {
            if ((mask >> i & 1u) != 0)
                b[y++] = values[i];
            else
                a[x++] = values[i];
        }
        if (y != 5)
            continue;
        vfx_rank_result result;
        assert_vfx_ok(vfx_rank_test(&rank, a, 4, b, 5, &result));
        p[count++] = result.p_greater;
    }
    assert_int_equal(count, 126);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t below = 0;
        for (uint32_t j = 0; j < count; j++)
            below += p[j] <= p[i] + 1e-12;
        assert_true(below / 126.0 <= p[i] + 1e-12);
    }
    vfx_rank_free(&rank);
}

/* Numbers without ties whose U is `u`. */
static void make_u(double *a, uint32_t n, double *b, uint32_t m, uint32_t u)
{
    for (uint32_t i = 0; i < n; i++)
        a[i] = i + 1.0;
    for (uint32_t j = 0; j < m; j++) { /* b[j] is above `above` a's */
        uint32_t above = u < n ? u : n;
        u -= above;
        b[j] = above + 0.5 + 0.001 * (j + 1);
    }
}

/* Critical values of the two-sided 5 % test: P(U <= u) <= 0.025 < P(U <= u + 1). Mann and Whitney's table as extended
 * by Milton 1964. */
static void test_published_table(void **state)
{
    (void)state;
    static const uint32_t rows[][3] = {{4, 4, 0},    {5, 5, 2},    {6, 6, 5},    {7, 7, 8},    {8, 8, 13},
                                       {9, 9, 17},   {10, 10, 23}, {12, 12, 37}, {5, 10, 8},   {10, 5, 8},
                                       {15, 15, 64}, {10, 20, 55}, {20, 10, 55}, {20, 20, 127}};
    vfx_rank rank = {0};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double a[20], b[20];
        vfx_rank_result at, next;
        make_u(a, rows[r][0], b, rows[r][1], rows[r][2]);
        assert_vfx_ok(vfx_rank_test(&rank, a, rows[r][0], b, rows[r][1], &at));
        assert_near(at.u, rows[r][2], 0.0);
        make_u(a, rows[r][0], b, rows[r][1], rows[r][2] + 1);
        assert_vfx_ok(vfx_rank_test(&rank, a, rows[r][0], b, rows[r][1], &next));
        if (!(at.p_less <= 0.025 && next.p_less > 0.025))
            fail_msg("%u against %u, U = %u: %g, then %g", rows[r][0], rows[r][1], rows[r][2], at.p_less, next.p_less);
    }
    vfx_rank_free(&rank);
}

static void test_known_values(void **state)
{
    (void)state;
    static const double low[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, high[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    static const double men[] = {19, 22, 16, 29, 24}, women[] = {20, 11, 17, 12};
    static const double same[] = {3, 3, 3, 3};
    vfx_rank rank = {0};
    vfx_rank_result r;
    assert_vfx_ok(vfx_rank_test(&rank, low, 5, high, 5, &r));
    assert_near(r.p_greater, 1.0 / 252.0, 1e-15);
    assert_near(r.p_less, 1.0, 1e-15);
    assert_vfx_ok(vfx_rank_test(&rank, high, 10, low, 10, &r));
    assert_near(r.p_less * 184756.0, 1.0, 1e-12);
    assert_vfx_ok(vfx_rank_test(&rank, women, 4, men, 5, &r));
    assert_near(r.u, 17.0, 0.0);
    assert_near(r.p_greater, 7.0 / 126.0, 1e-15);
    assert_vfx_ok(vfx_rank_test(&rank, same, 4, same, 4, &r));
    assert_near(r.u, 8.0, 0.0);
    assert_near(r.p_greater, 1.0, 0.0);
    assert_near(r.p_less, 1.0, 0.0);
    vfx_rank_free(&rank);
}

/* The largest sizes: no overflow, halves add up. */
static void test_largest(void **state)
{
    (void)state;
    double a[VFX_RANK_MOST], b[VFX_RANK_MOST];
    for (uint32_t i = 0; i < VFX_RANK_MOST; i++) {
        a[i] = i;
        b[i] = VFX_RANK_MOST - 1.0 - i; /* the same numbers: all tied in pairs */
    }
    vfx_rank rank = {0};
    vfx_rank_result r;
    assert_vfx_ok(vfx_rank_test(&rank, a, VFX_RANK_MOST, b, VFX_RANK_MOST, &r));
    assert_near(r.p_greater, r.p_less, 1e-12);
    assert_true(r.p_greater > 0.5 && r.p_greater < 0.51);
    for (uint32_t i = 0; i < VFX_RANK_MOST; i++)
        b[i] = a[i] + 0.5;
    assert_vfx_ok(vfx_rank_test(&rank, a, VFX_RANK_MOST, b, VFX_RANK_MOST, &r));
    double top = (double)VFX_RANK_MOST * VFX_RANK_MOST;
    double z = (r.u - 0.5 - top / 2.0) / sqrt(top * (2.0 * VFX_RANK_MOST + 1.0) / 12.0);
    assert_near(r.p_greater, 0.5 * erfc(z / sqrt(2.0)), 1e-4); /* the normal approximation is good here */
    vfx_rank_free(&rank);
}

static void test_refusals(void **state)
{
    (void)state;
    double values[VFX_RANK_MOST + 1] = {0};
    vfx_rank rank = {0};
    vfx_rank_result r;
    assert_vfx_fails(vfx_rank_test(&rank, values, 0, values, 1, &r), VFX_USAGE, "not 0 and 1");
    assert_vfx_fails(vfx_rank_test(&rank, values, 1, values, VFX_RANK_MOST + 1, &r), VFX_USAGE, "1 to 128");
    values[1] = NAN;
    assert_vfx_fails(vfx_rank_test(&rank, values, 2, values, 1, &r), VFX_USAGE, "number 1");
    values[1] = INFINITY;
    assert_vfx_fails(vfx_rank_test(&rank, values, 1, values, 2, &r), VFX_USAGE, "number 1");
    vfx_rank_free(&rank);
}

/* Just beyond the factor the test reaches the level, just below it does not. */
static void test_factor(void **state)
{
    (void)state;
    static const double levels[] = {0.2, 0.025, 0.005, 0.0008, 1e-5};
    vfx_rank rank = {0};
    for (uint32_t n = 2; n <= 12; n++) {
        for (uint32_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            double a[12], b[12], scaled[12], factor;
            uint32_t m = 2 + (n * 7 + l) % 11;
            for (uint32_t i = 0; i < n; i++)
                a[i] = 1.0 + 0.1 * vfx_hash_random(i, n, l);
            for (uint32_t j = 0; j < m; j++)
                b[j] = 1.0 + 0.1 * vfx_hash_random(j, n + 100, l);
            assert_vfx_ok(vfx_rank_factors(&rank, a, n, b, m, &levels[l], 1, &factor));
            bool found = isfinite(factor);
            for (int side = -1; side <= 1; side += 2) {
                vfx_rank_result r;
                for (uint32_t j = 0; j < m; j++)
                    scaled[j] = b[j] * (found ? factor * (1.0 + 1e-9 * side) : 100.0);
                assert_vfx_ok(vfx_rank_test(&rank, a, n, scaled, m, &r));
                assert_int_equal(r.p_greater <= levels[l], found && side > 0);
            }
        }
    }
    vfx_rank_free(&rank);
}

static void test_holm(void **state)
{
    (void)state;
    static const double p[] = {0.04, 0.01, 0.03, 0.005};
    static const double by_hand[] = {0.06, 0.03, 0.06, 0.02}, of_ten[] = {0.28, 0.09, 0.24, 0.05};
    double adjusted[4];
    assert_vfx_ok(vfx_holm(p, 4, 4, adjusted));
    for (size_t i = 0; i < 4; i++)
        assert_near(adjusted[i], by_hand[i], 1e-15);
    assert_vfx_ok(vfx_holm(p, 4, 10, adjusted));
    for (size_t i = 0; i < 4; i++)
        assert_near(adjusted[i], of_ten[i], 1e-15);
    assert_vfx_ok(vfx_holm(p, 1, 40, adjusted));
    assert_near(adjusted[0], 1.0, 0.0);
    assert_vfx_ok(vfx_holm(p, 0, 0, adjusted));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_ways),        cmocka_unit_test(test_level_is_kept),
                                          cmocka_unit_test(test_published_table), cmocka_unit_test(test_known_values),
                                          cmocka_unit_test(test_largest),         cmocka_unit_test(test_refusals),
                                          cmocka_unit_test(test_factor),          cmocka_unit_test(test_holm)};
VFX_TEST_MAIN(tests)
