/* bench/scaling.c - see scaling.h. */
#include "bench/scaling.h"
#include "bench/time_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* "tentacle/ring/ci[sides=6]": the case and its values on the other axes. */
static void name_of(const cmd_session *session, const cmd_entry *entry, uint32_t axis, char *text, size_t bytes)
{
    bool any = false;
    vfx_case_name(&entry->kase, text, bytes);
    for (uint32_t i = 0; i < session->axes.count; i++) {
        const cmd_axis *row = &session->axes.rows[i];
        if (i == axis)
            continue;
        cmd_append(text, bytes, "%s%s=%s", any ? "," : "[", row->name,
                   row->values[cmd_axes_value(&session->axes, entry->point, i)]);
        any = true;
    }
    cmd_append(text, bytes, "%s", any ? "]" : "");
}

/* Do they differ in their value on `axis` alone? */
static bool same_row(const cmd_session *session, const cmd_entry *a, const cmd_entry *b, uint32_t axis)
{
    if (a->kase.variant != b->kase.variant || strcmp(a->kase.preset, b->kase.preset) != 0)
        return false;
    for (uint32_t i = 0; i < session->axes.count; i++) {
        if (i != axis && cmd_axes_value(&session->axes, a->point, i) != cmd_axes_value(&session->axes, b->point, i))
            return false;
    }
    return true;
}

/* The row that begins with entry `first`. */
static void report_row(const cmd_session *session, uint32_t first, uint32_t axis, json_t *rows)
{
    const cmd_axis *along = &session->axes.rows[axis];
    const json_t *cases = json_object_get(session->report, "cases");
    double times[CMD_AXIS_VALUES];
    char name[CMD_CASE_NAME], exponent[32], knee[32];
    for (uint32_t i = 0; i < along->count; i++)
        times[i] = NAN;
    for (uint32_t i = first; i < session->entry_count; i++) {
        const cmd_entry *entry = &session->entries[i];
        if (same_row(session, &session->entries[first], entry, axis))
            times[cmd_axes_value(&session->axes, entry->point, axis)] =
                cmd_number_at(json_object_get(json_array_get(cases, i), "timing"), "median_ns");
    }
    cmd_growth growth = cmd_growth_of(along->numbers, times, along->count);
    name_of(session, &session->entries[first], axis, name, sizeof name);
    json_t *row = cmd_json_append(rows);
    cmd_json_text(row, "case", name);
    cmd_json_text(row, "axis", along->name);
    (void)json_object_set_new(row, "values", cmd_json_numbers(along->numbers, along->count));
    (void)json_object_set_new(row, "median_ns", cmd_json_numbers(times, along->count));
    cmd_json_number(row, "exponent", growth.exponent, "fewer than two points were timed");
    cmd_json_number(row, "knee", growth.knee, "the time nowhere grows with an exponent over 0.8");
    if (growth.points < 2)
        return;
    cmd_format_number("%.2f", growth.exponent, exponent, sizeof exponent);
    cmd_format_number("in proportion from %.6g on", growth.knee, knee, sizeof knee);
    cmd_say(session, false, "%s  time ~ %s^%s over %" PRIu32 " points, %s\n", name, along->name, exponent,
            growth.points, isnan(growth.knee) ? "nowhere in proportion" : knee);
}

vfx_status cmd_scaling_report(const cmd_session *session)
{
    uint32_t axis = cmd_axes_first_numeric(&session->axes);
    const json_t *cases = json_object_get(session->report, "cases");
    if (axis == UINT32_MAX)
        return VFX_OK;
    if (json_array_size(cases) != session->entry_count)
        return vfx_fail(VFX_USAGE, "the result does not have a row for each case");
    json_t *rows = cmd_json_array(session->report, "scaling");
    for (uint32_t i = 0; i < session->entry_count; i++) {
        bool first = true;
        for (uint32_t k = 0; k < i && first; k++)
            first = !same_row(session, &session->entries[k], &session->entries[i], axis);
        if (first)
            report_row(session, i, axis, rows);
    }
    return VFX_OK;
}
