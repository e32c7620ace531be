/* bench/figures.c - see figures.h. */
#include "bench/figures.h"
#include "bench/text.h"
#include "core/field.h"

#include <string.h>

uint32_t cmd_figures_row(const vfx_case *kase)
{
    if (kase->kernel->metrics == NULL)
        return UINT32_MAX;
    uint32_t row = (uint32_t)(kase->kernel->metrics - kase->kernel->buffers);
    return (kase->variant->buffers >> row & 1u) != 0 ? row : UINT32_MAX;
}

/* "momentum 0.25 0 -1.5 kg m/s" */
static void format_field(const vfx_field *field, const void *record, char *text, size_t bytes)
{
    double values[4];
    uint32_t count = vfx_field_decode(field, record, values);
    bool whole = field->type == VFX_FIELD_U32 || field->type == VFX_FIELD_I32;
    cmd_copy(text, bytes, field->name);
    for (uint32_t c = 0; c < count; c++) {
        char number[32];
        cmd_format_number(whole ? "%.0f" : "%.5g", values[c], number, sizeof number);
        cmd_append(text, bytes, " %s", number);
    }
    if (strcmp(field->unit, "1") != 0)
        cmd_append(text, bytes, " %s", field->unit);
}

void cmd_figures_say(const cmd_session *session, const vfx_case *kase, const void *record)
{
    enum { LINE = 116 };
    char line[2 * LINE] = "", text[LINE];
    if (cmd_figures_row(kase) == UINT32_MAX)
        return;
    const vfx_buffer *row = kase->kernel->metrics;
    for (uint32_t i = 0; i < row->field_count; i++) {
        format_field(&row->fields[i], record, text, sizeof text);
        if (line[0] != '\0' && strlen(line) + strlen(text) > LINE) {
            cmd_say(session, false, "    %s\n", line);
            line[0] = '\0';
        }
        cmd_append(line, sizeof line, "%s%s", line[0] != '\0' ? ", " : "", text);
    }
    cmd_say(session, false, "    %s\n", line);
}

void cmd_figures_report(json_t *object, const vfx_case *kase, const void *record)
{
    if (cmd_figures_row(kase) == UINT32_MAX)
        return;
    const vfx_buffer *row = kase->kernel->metrics;
    json_t *metrics = cmd_json_object(object, "metrics");
    for (uint32_t i = 0; i < row->field_count; i++) {
        double values[4];
        uint32_t count = vfx_field_decode(&row->fields[i], record, values);
        if (count == 1)
            cmd_json_number(metrics, row->fields[i].name, values[0], "not finite");
        else
            (void)json_object_set_new(metrics, row->fields[i].name, cmd_json_numbers(values, count));
    }
}

double cmd_figures_work(const vfx_case *kase, const void *record)
{
    if (cmd_figures_row(kase) == UINT32_MAX || kase->kernel->work == NULL)
        return 0.0;
    return kase->kernel->work(kase, record);
}

void cmd_work_report(json_t *object, const vfx_case *kase, const void *record, double frame_ns)
{
    double work = cmd_figures_work(kase, record);
    if (!(work > 0.0))
        return;
    json_t *block = cmd_json_object(object, "work");
    cmd_json_text(block, "unit", kase->kernel->work_unit);
    cmd_json_number(block, "units", work, "not finite");
    cmd_json_number(block, "ps_each", 1e3 * frame_ns / work, "no usable sample");
}
