/* bench/compare_pair.c - which cases of two results may be compared, and what to know when they are. The verdicts are
 * compare.c's. */
#include "bench/compare.h"
#include "bench/states.h"
#include "bench/text.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A drift probe or a ceiling that differs by more tells of another clock. */
static const double clock_share = 0.03;

/* ------------------------------------------------------------------------------------- whole files */

static void add_note(cmd_comparison *c, const char *format, ...) VFX_PRINTF(2, 3);
static void add_note(cmd_comparison *c, const char *format, ...)
{
    if (c->note_count == CMD_MAX_NOTES)
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->notes[c->note_count], sizeof c->notes[0], format, args);
    va_end(args);
    cmd_make_plain(c->notes[c->note_count++]);
}

/* A note per key of two objects whose texts differ. */
static void note_texts(cmd_comparison *c, const char *what, const json_t *a, json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach(b, key, value)
    {
        const char *in_a = cmd_result_text(a, key), *in_b = cmd_result_text(b, key);
        if (json_is_string(value) && strcmp(in_a, in_b) != 0)
            add_note(c, "%s %s: %.80s in A, %.80s in B", what, key, *in_a != '\0' ? in_a : "unknown", in_b);
    }
}

static void note_environment(cmd_comparison *c)
{
    static const struct {
        const char *key, *what;
    } ceilings[] = {{"copy_bytes_per_s", "B/s copied"}, {"fma_flops", "flop/s"}};
    note_texts(c, "tool", c->a->tool, c->b->tool);
    note_texts(c, "host", c->a->host, c->b->host);
    note_texts(c, "clocks", json_object_get(c->a->root, "clocks"), json_object_get(c->b->root, "clocks"));
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        double a = cmd_result_number(c->a->ceilings, ceilings[i].key);
        double b = cmd_result_number(c->b->ceilings, ceilings[i].key);
        if (a > 0.0 && b > 0.0 && fabs(b / a - 1.0) > clock_share)
            add_note(c, "the device itself reached %.3g %s in A, %.3g in B (%+.1f %%)", a, ceilings[i].what, b,
                     100.0 * (b / a - 1.0));
    }
}

static bool texts_differ(const json_t *a, const json_t *b, const char *key)
{
    return strcmp(cmd_result_text(a, key), cmd_result_text(b, key)) != 0;
}

/* What keeps all cases of the two files from being compared, "" if nothing; what is overridden becomes a note. */
static void match_devices(cmd_comparison *c, char *reason, size_t bytes)
{
    const json_t *a = c->a->device, *b = c->b->device;
    *reason = '\0';
    if (a == NULL || b == NULL) {
        cmd_append(reason, bytes, "%s names no device", a == NULL ? "A" : "B");
        return;
    }
    c->software = c->a->software || c->b->software;
    if (c->software && !c->rule.software) {
        cmd_append(reason, bytes,
                   "software device: its times tell more of the host than of the kernel "
                   "(--allow-software)");
        return;
    }
    char text[400] = "";
    bool other = texts_differ(a, b, "name") || texts_differ(a, b, "uuid");
    if (other)
        cmd_append(text, sizeof text, "other device: %.80s %.36s in A, %.80s %.36s in B", c->a->device_name,
                   cmd_result_text(a, "uuid"), c->b->device_name, cmd_result_text(b, "uuid"));
    else if (texts_differ(a, b, "driver") || texts_differ(a, b, "driver_uuid"))
        cmd_append(text, sizeof text, "other driver: %.80s %.36s in A, %.80s %.36s in B", c->a->driver,
                   cmd_result_text(a, "driver_uuid"), c->b->driver, cmd_result_text(b, "driver_uuid"));
    if (*text != '\0' && !(other ? c->rule.device : c->rule.driver))
        cmd_append(reason, bytes, "%s (--across %s)", text, other ? "device" : "driver");
    else if (*text != '\0')
        add_note(c, "%s", text);
}

/* --------------------------------------------------------------------------------- what cases do */

/* Appends the keys in which two objects of texts differ, with their values. */
static void list_texts(json_t *a, json_t *b, char *text, size_t bytes)
{
    const char *key;
    json_t *value;
    json_object_foreach(a, key, value)
    {
        const json_t *other = json_object_get(b, key);
        if (other == NULL)
            cmd_append(text, bytes, ", %s only in A", key);
        else if (!json_equal(value, other))
            cmd_append(text, bytes, ", %s %.60s in A, %.60s in B", key, json_string_value(value),
                       json_string_value(other));
    }
    json_object_foreach(b, key, value)
    {
        if (json_object_get(a, key) == NULL)
            cmd_append(text, bytes, ", %s only in B", key);
    }
}

static void list_workload(const json_t *a, const json_t *b, char *text, size_t bytes)
{
    static const char *const numbers[] = {"frames", "dt", "seed"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double in_a = cmd_result_number(a, numbers[i]), in_b = cmd_result_number(b, numbers[i]);
        if (in_a != in_b)
            cmd_append(text, bytes, ", %s %.9g in A, %.9g in B", numbers[i], in_a, in_b);
    }
    list_texts(json_object_get(a, "parameters"), json_object_get(b, "parameters"), text, bytes);
    list_texts(json_object_get(a, "host_parameters"), json_object_get(b, "host_parameters"), text, bytes);
    if (!json_equal(json_object_get(a, "at"), json_object_get(b, "at")))
        cmd_append(text, bytes, ", --at changes");
}

/* Overrides of a case that `b` has not, by pass and hash. */
static void list_overrides(const json_t *a, const json_t *b, const char *file, char *text, size_t bytes)
{
    for (size_t i = 0; i < json_array_size(a); i++) {
        const json_t *row = json_array_get(a, i);
        bool found = false;
        for (size_t k = 0; k < json_array_size(b); k++)
            found = found || (!texts_differ(row, json_array_get(b, k), "pass") &&
                              !texts_differ(row, json_array_get(b, k), "hash"));
        if (!found)
            cmd_append(text, bytes, ", pass %s overridden in %s by %.80s", cmd_result_text(row, "pass"), file,
                       cmd_result_text(row, "file"));
    }
}

static void list_shaders(const json_t *a, const json_t *b, char *text, size_t bytes)
{
    const json_t *in_a = json_object_get(a, "shaders"), *in_b = json_object_get(b, "shaders");
    double size_a = cmd_result_number(a, "workgroup"), size_b = cmd_result_number(b, "workgroup");
    if (size_a != size_b)
        cmd_append(text, bytes, ", workgroup %.0f in A, %.0f in B", size_a, size_b);
    list_overrides(in_a, in_b, "A", text, bytes);
    list_overrides(in_b, in_a, "B", text, bytes);
}

static void add_case_note(cmd_compare_row *row, const char *format, ...) VFX_PRINTF(2, 3);
static void add_case_note(cmd_compare_row *row, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cmd_append(row->notes, sizeof row->notes, "%s%s", *row->notes != '\0' ? "; " : "", text);
}

/* Where two cases differ: a reason, or with its --across a note. */
static void match_kind(cmd_compare_row *row, const char *kind, bool across, const char *differences)
{
    if (*differences == '\0' || *row->reason != '\0')
        return;
    if (across)
        add_case_note(row, "other %s: %s", kind, differences + 2);
    else
        cmd_append(row->reason, sizeof row->reason, "other %s: %s (--across %s)", kind, differences + 2, kind);
}

static void match_work(const cmd_comparison *c, cmd_compare_row *row)
{
    char text[400] = "";
    list_workload(row->a->object, row->b->object, text, sizeof text);
    match_kind(row, "workload", c->rule.workload, text);
    *text = '\0';
    list_shaders(row->a->object, row->b->object, text, sizeof text);
    match_kind(row, "shader", c->rule.shader, text);
}

/* ----------------------------------------------------------------------------------------- notes */

static void note_launches(cmd_compare_row *row, const char *file, const cmd_result_case *kase)
{
    const struct {
        uint32_t count;
        const char *what;
    } counts[] = {{kase->unstable, "unstable"},
                  {kase->capped, "power-capped"},
                  {kase->unusable, "without a time"},
                  {kase->lost, "lost"}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].count > 0)
            add_case_note(row, "%" PRIu32 " of %" PRIu32 " launches %s in %s", counts[i].count,
                          kase->launch_count + kase->unusable + kase->lost, counts[i].what, file);
    }
}

static void note_case(cmd_compare_row *row)
{
    const cmd_result_case *a = row->a, *b = row->b;
    double probe = b->probe_ns / a->probe_ns - 1.0, clock = b->clock_mhz / a->clock_mhz - 1.0;
    note_launches(row, "A", a);
    note_launches(row, "B", b);
    if (!a->checked || !b->checked)
        add_case_note(row, "not checked%s", a->checked ? " in B" : b->checked ? " in A" : "");
    if (fabs(probe) > clock_share) /* not with NaN */
        add_case_note(row, "drift probe %+.1f %% in B: the device's clock differs", 100.0 * probe);
    if (fabs(clock) > clock_share)
        add_case_note(row, "core clock %.0f MHz in A, %.0f in B", a->clock_mhz, b->clock_mhz);
}

/* ------------------------------------------------------------------------------------------ pairs */

static void explain_state(cmd_compare_row *row, const char *file, const cmd_result_case *kase)
{
    if (kase->timed || *row->reason != '\0')
        return;
    if (strcmp(kase->state, cmd_state_name(CMD_STATE_PASS)) == 0)
        cmd_append(row->reason, sizeof row->reason, "no usable launch in %s", file);
    else
        cmd_append(row->reason, sizeof row->reason, "%s in %s%s%.200s", kase->state, file,
                   *kase->reason != '\0' ? ": " : "", kase->reason);
}

static void match_row(const cmd_comparison *c, const char *device_reason, cmd_compare_row *row)
{
    row->verdict = CMD_NOT_COMPARABLE;
    row->missing = (row->a != NULL && row->a->timed) != (row->b != NULL && row->b->timed);
    if (row->a == NULL || row->b == NULL) {
        cmd_append(row->reason, sizeof row->reason, "not in %s", row->a == NULL ? "A" : "B");
    } else {
        explain_state(row, "A", row->a);
        explain_state(row, "B", row->b);
        if (*row->reason == '\0')
            cmd_append(row->reason, sizeof row->reason, "%s", device_reason);
        match_work(c, row);
    }
    cmd_make_plain(row->reason);
    if (*row->reason != '\0')
        return;
    note_case(row);
    cmd_make_plain(row->notes);
}

static bool is_selected(const char *id, const char *const globs[], uint32_t glob_count)
{
    bool selected = glob_count == 0;
    for (uint32_t i = 0; i < glob_count; i++)
        selected = selected || fnmatch(globs[i], id, 0) == 0;
    return selected;
}

/* The rows: A's cases, then those that only B has. */
static vfx_status make_rows(cmd_comparison *c, const char *const globs[], uint32_t glob_count)
{
    c->rows = calloc((size_t)c->a->case_count + c->b->case_count + 1, sizeof *c->rows);
    c->changes = calloc((size_t)c->a->case_count + 1, sizeof *c->changes);
    if (c->rows == NULL || c->changes == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for comparing %" PRIu32 " cases", c->a->case_count);
    for (uint32_t i = 0; i < c->a->case_count; i++) {
        const cmd_result_case *kase = &c->a->cases[i];
        if (is_selected(kase->id, globs, glob_count))
            c->rows[c->row_count++] = (cmd_compare_row){kase->id, kase, cmd_result_find(c->b, kase->id)};
    }
    for (uint32_t i = 0; i < c->b->case_count; i++) {
        const cmd_result_case *kase = &c->b->cases[i];
        if (is_selected(kase->id, globs, glob_count) && cmd_result_find(c->a, kase->id) == NULL)
            c->rows[c->row_count++] = (cmd_compare_row){kase->id, NULL, kase};
    }
    return c->row_count > 0 ? VFX_OK
                            : vfx_fail(VFX_USAGE, "no case of %s or %s %s", c->a->path, c->b->path,
                                       glob_count > 0 ? "matches" : "is there to compare");
}

/* Why a case with times on both sides has no verdict. */
static void explain_change(cmd_compare_row *row)
{
    const cmd_change *change = row->change;
    if (row->verdict != CMD_INCONCLUSIVE)
        return;
    if (change->suspect == 0)
        cmd_append(row->reason, sizeof row->reason,
                   "%" PRIu32 " against %" PRIu32 " launches, at least %d of each are needed", change->a_count,
                   change->b_count, CMD_LEAST_LAUNCHES);
    else
        cmd_append(row->reason, sizeof row->reason, "maybe %s: p = %.2g on its own, %.2g corrected for the suite",
                   change->suspect > 0 ? "slower" : "faster", change->suspect > 0 ? change->p_slower : change->p_faster,
                   change->suspect > 0 ? change->holm_slower : change->holm_faster);
}

static int by_verdict(const void *x, const void *y)
{
    const cmd_compare_row *a = x, *b = y;
    if (a->verdict != b->verdict)
        return (a->verdict > b->verdict) - (a->verdict < b->verdict);
    double in_a = a->change != NULL ? a->change->change : -2.0, in_b = b->change != NULL ? b->change->change : -2.0;
    return in_a != in_b ? (in_a < in_b) - (in_a > in_b) : strcmp(a->id, b->id);
}

static vfx_status judge_rows(cmd_comparison *c)
{
    uint32_t others = 0, tested = 0;
    for (uint32_t i = 0; i < c->row_count; i++) {
        cmd_compare_row *row = &c->rows[i];
        c->missing += row->missing;
        others += row->missing;
        if (*row->reason != '\0')
            continue;
        row->change = &c->changes[c->change_count];
        c->changes[c->change_count++] =
            (cmd_change){row->a->launch_ns, row->b->launch_ns, row->a->launch_count, row->b->launch_count};
    }
    VFX_TRY(cmd_changes_judge(c->changes, c->change_count, others, &c->rule));
    for (uint32_t i = 0; i < c->row_count; i++) {
        if (c->rows[i].change != NULL) {
            c->rows[i].verdict = c->rows[i].change->verdict;
            tested += isnan(c->rows[i].change->p_slower) ? 0 : 1;
            explain_change(&c->rows[i]);
        }
        c->count[c->rows[i].verdict]++;
    }
    c->family = tested + others;
    qsort(c->rows, c->row_count, sizeof *c->rows, by_verdict);
    return VFX_OK;
}

vfx_status cmd_compare_results(const cmd_result *a, const cmd_result *b, const cmd_compare_rule *rule,
                               const char *const globs[], uint32_t glob_count, cmd_comparison *out)
{
    char device_reason[512];
    memset(out, 0, sizeof *out);
    out->a = a;
    out->b = b;
    out->rule = *rule;
    VFX_TRY(make_rows(out, globs, glob_count));
    match_devices(out, device_reason, sizeof device_reason);
    note_environment(out);
    for (uint32_t i = 0; i < out->row_count; i++)
        match_row(out, device_reason, &out->rows[i]);
    return judge_rows(out);
}

void cmd_comparison_free(cmd_comparison *comparison)
{
    free(comparison->rows);
    free(comparison->changes);
    memset(comparison, 0, sizeof *comparison);
}

/* ---------------------------------------------------------------------------------------- exit code */

bool cmd_compare_again(const cmd_compare_row *row)
{
    return row->verdict == CMD_INCONCLUSIVE;
}

int cmd_compare_exit(const cmd_comparison *c, bool fail_on_inconclusive, bool fail_on_missing)
{
    int code = c->change_count > 0 || c->software ? CMD_EXIT_OK : CMD_EXIT_SKIP;
    bool maybe_slower = false;
    for (uint32_t i = 0; i < c->change_count; i++)
        maybe_slower = maybe_slower || (c->changes[i].verdict == CMD_INCONCLUSIVE && c->changes[i].suspect >= 0);
    if (fail_on_missing && c->missing > 0)
        code = CMD_EXIT_MISMATCH;
    if (c->software || code == CMD_EXIT_SKIP)
        return code;
    if (c->count[CMD_SLOWER] > 0)
        code = cmd_exit_worse(code, CMD_EXIT_REGRESSION);
    if (fail_on_inconclusive && maybe_slower)
        code = cmd_exit_worse(code, CMD_EXIT_INCONCLUSIVE);
    return code;
}
