/* bench/compare_rates_test.c - the verdicts on synthetic suites whose truth is known: how often nothing is called
 * slower, how often something is found. Every number comes from an integer hash, so a rate is the same on every
 * machine; it is printed, and held against the promise of bench/README.md. */
#include "core/test.h"

#include "bench/compare.h"
#include "core/hash.h"

#include <math.h>

enum { CASES = 32, TRIALS = 4000, POWER_TRIALS = 1000, RUNS = 5, MOST = 12 };

static const cmd_compare_rule usual = {.threshold = 0.03, .min_change_ns = 2000};

typedef enum shape { PLAIN, BIMODAL, DRIFT } shape;

/* What a machine does to a case whose true time is 0.2 to 0.82 ms. */
typedef struct machine {
    const char *name;
    uint32_t a_count, b_count; /* launches */
    double run, launch;        /* noise within and between launches, standard deviations as shares */
    shape shape;
    double size;    /* BIMODAL: how much slower every third launch is; DRIFT: the last launch than the first */
    double quantum; /* launch medians are multiples of this share: ties; 0: none */
    double slower;  /* case 7 of B is slower by so much */
} machine;

/* ---------------------------------------------------------------------------------------- generator */

/* Standard normal, from two hash words: Box and Muller 1958. */
static double normal(uint32_t id, uint32_t stream, uint32_t seed)
{
    vfx_hash3 h = vfx_pcg3d(id, stream, seed);
    return sqrt(-2.0 * log((h.x + 1.0) * 0x1p-32)) * cos(6.283185307179586 * h.y * 0x1p-32);
}

/* Nearly standard normal and cheap: the sum of six uniform numbers. */
static double nearly_normal(uint32_t id, uint32_t stream, uint32_t seed)
{
    vfx_hash3 h = vfx_pcg3d(id, stream, seed);
    uint32_t sum = (h.x & 0xffffu) + (h.x >> 16) + (h.y & 0xffffu) + (h.y >> 16) + (h.z & 0xffffu) + (h.z >> 16);
    return (sum * 0x1p-16 - 3.0) * 1.4142135623730951;
}

/* The median over the runs of a launch. */
static double median_of_runs(double true_ns, double noise, uint32_t id, uint32_t seed)
{
    double runs[RUNS];
    for (uint32_t r = 0; r < RUNS; r++) {
        double ns = true_ns * (1.0 + noise * nearly_normal(id, r, seed));
        uint32_t at = r;
        for (; at > 0 && runs[at - 1] > ns; at--)
            runs[at] = runs[at - 1];
        runs[at] = ns;
    }
    return runs[RUNS / 2];
}

static double make_launch(const machine *m, double true_ns, uint32_t launch, uint32_t count, uint32_t id, uint32_t seed)
{
    double factor = 1.0 + m->launch * normal(id, 100, seed);
    if (m->shape == BIMODAL && vfx_hash_random(id, 101, seed) < 1.0 / 3.0)
        factor += m->size;
    if (m->shape == DRIFT)
        factor += m->size * launch / (count - 1.0);
    double ns = median_of_runs(true_ns * fmax(factor, 0.1), m->run, id, seed);
    double quantum = m->quantum * true_ns;
    return quantum > 0.0 ? quantum * floor(ns / quantum + 0.5) : ns;
}

typedef struct suite {
    double a[CASES][MOST], b[CASES][MOST];
    cmd_change changes[CASES];
} suite;

static double true_ns(uint32_t kase)
{
    return 200e3 + 20e3 * kase;
}

static void make_side(const machine *m, double launches[CASES][MOST], uint32_t count, double slower, uint32_t side,
                      uint32_t trial)
{
    for (uint32_t c = 0; c < CASES; c++) {
        for (uint32_t l = 0; l < count; l++)
            launches[c][l] = make_launch(m, true_ns(c) * (c == 7 ? 1.0 + slower : 1.0), l, count,
                                         (side * CASES + c) * MOST + l, trial + 1);
    }
}

static void judge(suite *s, const machine *m, uint32_t first, uint32_t cases, uint32_t others)
{
    for (uint32_t c = 0; c < cases; c++)
        s->changes[c] = (cmd_change){s->a[first + c], s->b[first + c], m->a_count, m->b_count};
    assert_vfx_ok(cmd_changes_judge(s->changes, cases, others, &usual));
}

/* ------------------------------------------------------------------------------------------- rates */

/* Shares of the suites. */
typedef struct rates {
    double slower, faster, inconclusive; /* with any such verdict on a case that did not change */
    double found, doubted;               /* where case 7 is slower; is inconclusive */
} rates;

static rates measure(const machine *m, uint32_t trials)
{
    rates r = {0};
    static suite s;
    for (uint32_t t = 0; t < trials; t++) {
        uint32_t count[CMD_VERDICT_COUNT] = {0};
        make_side(m, s.a, m->a_count, 0.0, 0, t);
        make_side(m, s.b, m->b_count, m->slower, 1, t);
        judge(&s, m, 0, CASES, 0);
        for (uint32_t c = 0; c < CASES; c++)
            count[s.changes[c].verdict] += c != 7 || !(m->slower > 0.0) ? 1 : 0;
        r.slower += (count[CMD_SLOWER] > 0) / (double)trials;
        r.faster += (count[CMD_FASTER] > 0) / (double)trials;
        r.inconclusive += (count[CMD_INCONCLUSIVE] > 0) / (double)trials;
        r.found += (s.changes[7].verdict == CMD_SLOWER) / (double)trials;
        r.doubted += (s.changes[7].verdict == CMD_INCONCLUSIVE) / (double)trials;
    }
    if (m->slower > 0.0)
        printf("  %-44s +%.0f %%: slower %5.1f %%, inconclusive %5.1f %%; false slower %.2f %%\n", m->name,
               100.0 * m->slower, 100.0 * r.found, 100.0 * r.doubted, 100.0 * r.slower);
    else
        printf("  %-44s false slower %.2f %%, false faster %.2f %%, any inconclusive %.1f %% of suites\n", m->name,
               100.0 * r.slower, 100.0 * r.faster, 100.0 * r.inconclusive);
    return r;
}

/* Nothing changed: at most 2.5 % of suites say slower, at most 2.5 % faster. */
static void test_false_alarms(void **state)
{
    (void)state;
    static const machine machines[] = {
        {"5 x 5, no launch noise", 5, 5, 0.01, 0.0, PLAIN},
        {"5 x 5, 1 % launch noise", 5, 5, 0.01, 0.01, PLAIN},
        {"5 x 5, 3 % launch noise", 5, 5, 0.01, 0.03, PLAIN},
        {"5 x 5, 10 % launch noise", 5, 5, 0.01, 0.10, PLAIN},
        {"5 x 5, 3 % launch noise, ties", 5, 5, 0.01, 0.03, PLAIN, 0.0, 0.02},
        {"10 x 10, 1 % launch noise", 10, 10, 0.01, 0.01, PLAIN},
        {"10 x 10, 3 % launch noise", 10, 10, 0.01, 0.03, PLAIN},
        {"10 x 10, 10 % launch noise", 10, 10, 0.01, 0.10, PLAIN},
        {"10 x 10, 3 % launch noise, ties", 10, 10, 0.01, 0.03, PLAIN, 0.0, 0.02},
        {"10 x 10, 10 % launch noise, ties", 10, 10, 0.01, 0.10, PLAIN, 0.0, 0.04},
        {"10 x 10, two modes 20 % apart", 10, 10, 0.01, 0.01, BIMODAL, 0.20},
        {"10 x 10, both drift by 10 %", 10, 10, 0.01, 0.01, DRIFT, 0.10},
        {"5 x 10, 10 % launch noise", 5, 10, 0.01, 0.10, PLAIN},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        rates r = measure(&machines[i], TRIALS);
        assert_true(r.slower <= 0.025 && r.faster <= 0.025);
    }
}

/* One case of 32 became slower. */
static void test_power(void **state)
{
    (void)state;
    static const struct {
        machine machine;
        double found, found_or_doubted; /* at least */
    } rows[] = {
        {{"10 x 10, 3 % launch noise", 10, 10, 0.01, 0.03, PLAIN, 0.0, 0.0, 0.05}, 0.30, 0.80},
        {{"10 x 10, 3 % launch noise", 10, 10, 0.01, 0.03, PLAIN, 0.0, 0.0, 0.10}, 0.95, 0.99},
        {{"10 x 10, 3 % launch noise", 10, 10, 0.01, 0.03, PLAIN, 0.0, 0.0, 0.20}, 0.99, 0.99},
        {{"10 x 10, 3 % launch noise, ties", 10, 10, 0.01, 0.03, PLAIN, 0.0, 0.02, 0.10}, 0.95, 0.99},
        {{"10 x 10, 1 % launch noise", 10, 10, 0.01, 0.01, PLAIN, 0.0, 0.0, 0.05}, 0.95, 0.99},
        {{"10 x 10, two modes 20 % apart", 10, 10, 0.01, 0.01, BIMODAL, 0.20, 0.0, 0.20}, 0.0, 0.80},
        {{"10 x 10, both drift by 10 %", 10, 10, 0.01, 0.01, DRIFT, 0.10, 0.0, 0.10}, 0.80, 0.95},
        {{"5 x 5, 3 % launch noise", 5, 5, 0.01, 0.03, PLAIN, 0.0, 0.0, 0.10}, 0.0, 0.95},
        {{"5 x 5, 3 % launch noise", 5, 5, 0.01, 0.03, PLAIN, 0.0, 0.0, 0.20}, 0.0, 0.99},
        {{"3 x 10, 1 % launch noise", 3, 10, 0.01, 0.01, PLAIN, 0.0, 0.0, 0.20}, 0.0, 1.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rates r = measure(&rows[i].machine, POWER_TRIALS);
        assert_true(r.found >= rows[i].found && r.found + r.doubted >= rows[i].found_or_doubted - 1e-9);
        assert_true(r.slower <= 0.04);    /* 2.5 %, within what chance does to so few suites */
        if (rows[i].machine.a_count < 10) /* 5 against 5 cannot tell in a suite of 32, nor 3 against 10 ever */
            assert_true(r.found == 0.0);
    }
}

/* The two stages together: 5 x 5 for all, then only the suspects of it again with 10 launches, against the same old A
 * or a new one. The suspects were chosen by looking at the old A, so a test of them alone against it would be biased:
 * that is why cases that B lacks count as tests. */
static void test_two_stages(void **state)
{
    (void)state;
    static const machine five = {"", 5, 5, 0.01, 0.03, PLAIN};
    static const machine old_a = {"", 5, 10, 0.01, 0.03, PLAIN}, new_a = {"", 10, 10, 0.01, 0.03, PLAIN};
    double alarms = 0.0, biased = 0.0, fresh = 0.0;
    static suite s, again;
    for (uint32_t t = 0; t < TRIALS; t++) {
        bool alarm[3] = {false, false, false};
        make_side(&five, s.a, 5, 0.0, 0, t);
        make_side(&five, s.b, 5, 0.0, 1, t);
        judge(&s, &five, 0, CASES, 0);
        uint32_t suspects[CASES], count = 0;
        for (uint32_t c = 0; c < CASES; c++) {
            if (s.changes[c].verdict == CMD_INCONCLUSIVE)
                suspects[count++] = c;
        }
        if (count == 0)
            continue;
        make_side(&new_a, again.a, 10, 0.0, 2, t); /* case by case as many as are needed, the rest is not looked at */
        make_side(&new_a, again.b, 10, 0.0, 3, t);
        suite pick;
        for (int stage = 0; stage < 3; stage++) {
            for (uint32_t i = 0; i < count; i++) {
                memcpy(pick.a[i], stage < 2 ? s.a[suspects[i]] : again.a[suspects[i]], sizeof pick.a[i]);
                memcpy(pick.b[i], again.b[suspects[i]], sizeof pick.b[i]);
            }
            judge(&pick, stage < 2 ? &old_a : &new_a, 0, count, stage == 0 ? CASES - count : 0);
            for (uint32_t i = 0; i < count; i++)
                alarm[stage] = alarm[stage] || pick.changes[i].verdict == CMD_SLOWER;
        }
        alarms += alarm[0] / (double)TRIALS;
        biased += alarm[1] / (double)TRIALS;
        fresh += alarm[2] / (double)TRIALS;
    }
    printf("  suspects again, old A: false slower %.2f %%; were the rest forgotten: %.2f %%; new A: %.2f %%\n",
           100.0 * alarms, 100.0 * biased, 100.0 * fresh);
    assert_true(alarms <= 0.025 && fresh <= 0.025);
}

/* ------------------------------------------------------------------------------------ single verdicts */

static cmd_change judge_one(const double *a, uint32_t a_count, const double *b, uint32_t b_count, uint32_t others,
                            const cmd_compare_rule *rule)
{
    cmd_change change = {a, b, a_count, b_count};
    assert_vfx_ok(cmd_changes_judge(&change, 1, others, rule));
    return change;
}

static void expect(const double *a, const double *b, uint32_t count, uint32_t others, cmd_verdict verdict, int suspect)
{
    cmd_change change = judge_one(a, count, b, count, others, &usual);
    assert_string_equal(cmd_verdict_name(change.verdict), cmd_verdict_name(verdict));
    assert_int_equal(change.suspect, suspect);
}

static void test_single(void **state)
{
    (void)state;
    static const double base[] = {1e6, 1.001e6, 1.002e6, 1.003e6, 1.004e6};
    static const double slow[] = {1.06e6, 1.061e6, 1.062e6, 1.063e6, 1.064e6};
    static const double little[] = {1.02e6, 1.021e6, 1.022e6, 1.023e6, 1.024e6};
    static const double tiny[] = {20e3, 20e3, 20e3, 20e3, 20e3}, tiny_slow[] = {21.9e3, 21.9e3, 21.9e3, 21.9e3, 21.9e3};
    expect(base, slow, 5, 0, CMD_SLOWER, 0);
    expect(slow, base, 5, 0, CMD_FASTER, 0);
    expect(base, base, 5, 0, CMD_SAME, 0);
    expect(base, little, 5, 0, CMD_SAME, 0);    /* certain, but within 3 % */
    expect(tiny, tiny_slow, 5, 0, CMD_SAME, 0); /* 9.5 %, but within 2 us */
    expect(base, slow, 5, 5, CMD_SLOWER, 0);    /* 6 tests: 6 / 252 < 0.025 */
    expect(base, slow, 5, 6, CMD_INCONCLUSIVE, 1);
    expect(slow, base, 5, 6, CMD_INCONCLUSIVE, -1);
    expect(base, slow, 4, 0, CMD_SLOWER, 0); /* 1 / 70 */
    expect(base, slow, 4, 1, CMD_INCONCLUSIVE, 1);
    expect(base, slow, 3, 0, CMD_INCONCLUSIVE, 0);
    expect(base, base, 3, 0, CMD_INCONCLUSIVE, 0);
    expect(base, base, 1, 0, CMD_INCONCLUSIVE, 0);
}

/* slower_from and suspect_from: B moved to A's median and then by that much is what they say, a little less is not. */
static void test_seen_from(void **state)
{
    (void)state;
    static const machine m = {"", 10, 10, 0.01, 0.03, PLAIN};
    static suite s;
    for (uint32_t t = 0; t < 20; t++) {
        make_side(&m, s.a, 10, 0.0, 0, t);
        make_side(&m, s.b, 10, 0.3, 1, t);
        cmd_change change = judge_one(s.a[7], 10, s.b[7], 10, 31, &usual);
        assert_true(change.slower_from >= change.suspect_from && change.suspect_from >= usual.threshold);
        for (int side = -1; side <= 1; side += 2) {
            double moved[10], shift = (1.0 + change.slower_from + side * 1e-7) * change.a_ns / change.b_ns;
            for (uint32_t i = 0; i < 10; i++)
                moved[i] = s.b[7][i] * shift;
            cmd_change there = judge_one(s.a[7], 10, moved, 10, 31, &usual);
            assert_int_equal(there.verdict == CMD_SLOWER, side > 0);
            shift = (1.0 + change.suspect_from + side * 1e-7) * change.a_ns / change.b_ns;
            for (uint32_t i = 0; i < 10; i++)
                moved[i] = s.b[7][i] * shift;
            there = judge_one(s.a[7], 10, moved, 10, 31, &usual);
            assert_int_equal(there.verdict != CMD_SAME, side > 0);
        }
    }
    cmd_change five = judge_one(s.a[0], 5, s.b[0], 5, 31, &usual);
    assert_true(isinf(five.slower_from) && isfinite(five.suspect_from));
    cmd_change three = judge_one(s.a[0], 3, s.b[0], 5, 31, &usual);
    assert_true(isnan(three.slower_from) && isnan(three.suspect_from) && isnan(three.p_slower));
    static const double exact[] = {10e3, 10e3, 10e3, 10e3}; /* no scatter: the thresholds are what is left */
    cmd_change small = judge_one(exact, 4, exact, 4, 0, &usual);
    assert_true(fabs(small.slower_from - 0.2) < 1e-12); /* 2 us of 10 */
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_single), cmocka_unit_test(test_seen_from),
                                          cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_power),
                                          cmocka_unit_test(test_two_stages)};
VFX_TEST_MAIN(tests)
