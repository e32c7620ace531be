/* bench/compare.h - two results of `time`, case by case: slower, faster, the same, inconclusive or not comparable. What
 * counts and why is in bench/README.md, "What `compare` says". */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench/result.h"

enum { CMD_LEAST_LAUNCHES = 4, CMD_RERUN_LAUNCHES = 10, CMD_MAX_NOTES = 16 };

/* Most false `slower` in a whole suite in which nothing changed, as a share of such suites; the same for `faster`. Also
 * the p-value from which on a case alone is a suspect. */
#define CMD_COMPARE_LEVEL 0.025

/* In the order of the table. */
#define CMD_VERDICT_LIST(V)             \
    V(SLOWER, "slower")                 \
    V(INCONCLUSIVE, "inconclusive")     \
    V(FASTER, "faster")                 \
    V(NOT_COMPARABLE, "not comparable") \
    V(SAME, "same")
#define CMD_VERDICT_ENUM(ident, text) CMD_##ident,
typedef enum cmd_verdict { CMD_VERDICT_LIST(CMD_VERDICT_ENUM) CMD_VERDICT_COUNT } cmd_verdict;

const char *cmd_verdict_name(cmd_verdict verdict);

typedef struct cmd_compare_rule {
    double threshold;                      /* changes up to this share of A do not matter */
    double min_change_ns;                  /* nor do changes up to this */
    bool device, driver, workload, shader; /* --across: compared although they differ */
    bool software;                         /* --allow-software */
} cmd_compare_rule;

/* ------------------------------------------------------------------- the numbers of one case (compare.c) */

typedef struct cmd_change {
    const double *a, *b; /* launch medians, ns */
    uint32_t a_count, b_count;
    /* filled by cmd_changes_judge */
    double a_ns, b_ns, change;        /* medians of the launch medians; b_ns / a_ns - 1 */
    double p_slower, p_faster;        /* of the rank test; NaN: too few launches for it */
    double holm_slower, holm_faster;  /* corrected for the whole suite */
    double slower_from, suspect_from; /* see cmd_changes_judge; INFINITY: no slowdown whatever, NaN: not tested */
    int suspect;                      /* inconclusive since it may be slower, 1, or faster, -1 */
    cmd_verdict verdict;
} cmd_change;

/* Judges the cases of one suite together. `others`: tests beyond those at hand that belong to the suite.
 * slower_from: the smallest d so that B would have been `slower` if its launches scattered as they do around 1 + d
 * times A's median; suspect_from: the same for not having passed as `same`. Both at least the thresholds. */
vfx_status cmd_changes_judge(cmd_change *changes, uint32_t count, uint32_t others,
                             const cmd_compare_rule *rule) VFX_MUST_USE;

/* ----------------------------------------------------------------------- two results (compare_pair.c) */

typedef struct cmd_compare_row {
    const char *id;
    const cmd_result_case *a, *b; /* NULL: the file has no such case */
    const cmd_change *change;     /* NULL: not comparable */
    cmd_verdict verdict;
    bool missing;     /* has times in one of the files only */
    char reason[512]; /* why there is no verdict; "" where there is one */
    char notes[512];  /* what to know of its times; "" if nothing */
} cmd_compare_row;

typedef struct cmd_comparison {
    const cmd_result *a, *b;
    cmd_compare_rule rule;
    cmd_compare_row *rows; /* sorted: by verdict, within it the largest slowdown first */
    cmd_change *changes;   /* those of the comparable rows */
    uint32_t row_count, change_count, missing;
    uint32_t family; /* tests that the correction is for */
    uint32_t count[CMD_VERDICT_COUNT];
    bool software; /* either device is: nothing fails */
    char notes[CMD_MAX_NOTES][256];
    uint32_t note_count;
} cmd_comparison;

/* Compares the cases whose ids match any of the globs, or all without any. Both results must outlive it. USAGE when no
 * case matches. cmd_comparison_free in any case. */
vfx_status cmd_compare_results(const cmd_result *a, const cmd_result *b, const cmd_compare_rule *rule,
                               const char *const globs[], uint32_t glob_count, cmd_comparison *out) VFX_MUST_USE;
void cmd_comparison_free(cmd_comparison *comparison);

/* What the program exits with: 2 for `slower` and, where asked for, 3 for what may be slower, 1 for times that only one
 * file has; 77 when nothing could be compared. Software devices: nothing but the 1. */
int cmd_compare_exit(const cmd_comparison *comparison, bool fail_on_inconclusive, bool fail_on_missing);

/* Would more launches settle this row? */
bool cmd_compare_again(const cmd_compare_row *row);

/* ------------------------------------------------------------------------ output (compare_show.c,
 * compare_report.c, rerun.c) */

/* Tables, notes and commands for people; `quiet`: only what is slower, and nothing without it. */
vfx_status cmd_compare_print(const cmd_comparison *comparison, FILE *out, bool markdown, bool quiet) VFX_MUST_USE;
/* The same as keys of `report`, exit code included. */
vfx_status cmd_compare_report(const cmd_comparison *comparison, json_t *report, int exit_code) VFX_MUST_USE;

/* Pass `index` of A's, then those that only B has. False: there is none. A time that a file lacks is NaN. */
typedef struct cmd_pass_change {
    const char *name;
    double a_ns, b_ns;
} cmd_pass_change;
bool cmd_compare_pass(const cmd_compare_row *row, size_t index, cmd_pass_change *pass);

/* The command line that made `result`, restricted to the rows that cmd_compare_again() names, with CMD_RERUN_LAUNCHES
 * and another output file. free(*text). *text = NULL: no such row, or the recorded one cannot be understood. */
vfx_status cmd_rerun_format(const cmd_comparison *comparison, const cmd_result *result, char **text) VFX_MUST_USE;

#endif
