/* refmath_test.c - the references' mathematics against independent values. In double unless the build says otherwise.
 */
#include "core/test.h"

#ifndef VFX_REAL_IS_DOUBLE
#define VFX_REAL_IS_DOUBLE 1
#endif
#include "core/refmath.h"

#define EPSILON (VFX_REAL_IS_DOUBLE ? 4e-16 : 2e-7)

static void near(double a, double b, double limit)
{
    if (!(fabs(a - b) <= limit))
        fail_msg("%.17g is not %.17g within %g", a, b, limit);
}

static void turns_are_exact_at_quarters_and_eighths(void **state)
{
    (void)state;
    for (int whole = -3; whole <= 3; whole++) {
        const real k = (real)whole;
        assert_true(real_sin_turns(k) == 0 && real_cos_turns(k) == 1);
        assert_true(real_sin_turns(k + (real)0.25) == 1 && real_cos_turns(k + (real)0.25) == 0);
        assert_true(real_sin_turns(k + (real)0.5) == 0 && real_cos_turns(k + (real)0.5) == -1);
        assert_true(real_sin_turns(k + (real)0.75) == -1 && real_cos_turns(k + (real)0.75) == 0);
        near((double)real_sin_turns(k + (real)0.125), 0.70710678118654752, EPSILON);
        near((double)real_cos_turns(k + (real)0.375), -0.70710678118654752, EPSILON);
    }
}

static void turns_agree_with_libm(void **state)
{
    (void)state;
    for (int i = -2000; i <= 2000; i++) {
        const double x = i / 1024.0; /* exact in both types */
        near((double)real_sin_turns((real)x), sin(6.283185307179586477 * x), EPSILON * 8);
        near((double)real_cos_turns((real)x), cos(6.283185307179586477 * x), EPSILON * 8);
    }
}

static void large_turns_lose_nothing(void **state)
{
    (void)state;
    assert_true(real_sin_turns((real)4096.125) == real_sin_turns((real)0.125));
    assert_true(real_cos_turns((real)-4095.875) == real_cos_turns((real)0.125));
}

static void quaternions_rotate(void **state)
{
    (void)state;
    /* A quarter turn about z, given three times too long: x goes to y, y to -x. */
    const real half = real_sqrt((real)0.5) * 3;
    const real4 quarter = {0, 0, half, half};
    const real3 y = quaternion_rotate(quarter, real3_make(1, 0, 0));
    near((double)y.x, 0, EPSILON);
    near((double)y.y, 1, EPSILON);
    /* First b (about x), then a (about z): z -> -y -> x. */
    const real4 about_x = {half, 0, 0, half};
    const real3 x = quaternion_rotate(quaternion_multiply(quarter, about_x), real3_make(0, 0, 1));
    near((double)x.x, 1, EPSILON);
    near((double)x.z, 0, EPSILON);
    const real4 none = quaternion_multiply(quarter, quaternion_conjugate(quarter));
    near((double)none.w, 9, 32 * EPSILON);
    near((double)none.z, 0, 32 * EPSILON);
}

static void vectors_are_right_handed(void **state)
{
    (void)state;
    const real3 up = real3_cross(real3_make(0, 0, 1), real3_make(1, 0, 0));
    assert_true(up.x == 0 && up.y == 1 && up.z == 0);
    const real3 c = real3_cross(real3_make(1, 2, 3), real3_make(5, 7, 11));
    assert_true(c.x == 1 && c.y == 4 && c.z == -3);
    const real3 flat = real3_reject(real3_make(1, 2, 3), real3_make(0, 0, 1));
    assert_true(flat.x == 1 && flat.y == 2 && flat.z == 0);
}

static void snorm16_codes(void **state)
{
    (void)state;
    assert_int_equal(snorm16_encode(1), 0x7fff);
    assert_int_equal(snorm16_encode(2), 0x7fff);
    assert_int_equal(snorm16_encode(-1), 0x8001);
    assert_int_equal(snorm16_encode(0), 0);
    assert_true(snorm16_decode(0x7fff) == 1 && snorm16_decode(0x8001) == -1 && snorm16_decode(0x8000) == -1);
    for (int32_t code = -32767; code <= 32767; code += 7) {
        const uint32_t word = (uint32_t)code & 0xffffu;
        assert_int_equal(snorm16_encode(snorm16_decode(word)), word);
    }
}

static void octahedral_codes_are_near_and_stable(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 40000; i++) { /* Fibonacci directions */
        const double z = 1 - (i + 0.5) / 20000, r = sqrt(1 - z * z), phi = 2.399963229728653 * i;
        const real3 v = real3_make((real)(r * cos(phi)), (real)(r * sin(phi)), (real)z);
        const uint32_t code = octahedral_encode(v);
        const real3 back = octahedral_decode(code);
        const double error = (double)real3_length(real3_sub(v, back));
        worst = error > worst ? error : worst;
        assert_int_equal(octahedral_encode(back), code);
    }
    assert_true(worst < 7e-5 && worst > 3e-5);
    const real3 down = octahedral_decode(octahedral_encode(real3_make(0, 0, -1)));
    assert_true(down.x == 0 && down.y == 0 && down.z == -1);
    /* (1, -2, -3) / 6 unfolds to (1 - 2/6, -(1 - 1/6)); 21844.67 and -27305.83 in steps. */
    assert_int_equal(octahedral_encode(real3_make(1, -2, -3)), 21845u | (uint32_t)(65536 - 27306) << 16);
}

static void hash_golden_values(void **state)
{
    (void)state;
    /* pcg3d by hand for 0, 0, 0: c = 1013904223; c + c^2 in each word mod 2^32, and so on. */
    const uint32_t in[3] = {0, 0, 0};
    uint32_t out[3];
    reference_pcg3d(in, out);
    const uint64_t c = 1013904223u, m = 0xffffffffu;
    uint64_t x = (c + c * c) & m, y = (c + c * x) & m, z = (c + x * y) & m;
    x ^= x >> 16;
    y ^= y >> 16;
    z ^= z >> 16;
    x = (x + y * z) & m;
    y = (y + z * x) & m;
    z = (z + x * y) & m;
    assert_true(out[0] == x && out[1] == y && out[2] == z);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(turns_are_exact_at_quarters_and_eighths),
    cmocka_unit_test(turns_agree_with_libm),
    cmocka_unit_test(large_turns_lose_nothing),
    cmocka_unit_test(quaternions_rotate),
    cmocka_unit_test(vectors_are_right_handed),
    cmocka_unit_test(snorm16_codes),
    cmocka_unit_test(octahedral_codes_are_near_and_stable),
    cmocka_unit_test(hash_golden_values),
};
VFX_TEST_MAIN(tests)
