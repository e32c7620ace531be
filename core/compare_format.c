/* core/compare_format.c - the words of compare.h: rules, failures and histograms as text. */
#include "core/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that grows until `bytes` are full; what does not fit is cut. */
typedef struct writer {
    char *text;
    size_t bytes, used;
} writer;

static void put(writer *w, const char *format, ...) VFX_PRINTF(2, 3);

static void put(writer *w, const char *format, ...)
{
    if (w->used >= w->bytes)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(w->text + w->used, w->bytes - w->used, format, args);
    va_end(args);
    if (length > 0)
        w->used += (size_t)length;
}

void vfx_tolerance_format(const vfx_tolerance *t, char *text, size_t bytes)
{
    writer w = {text, bytes, 0};
    const char *separator = "";
    if (bytes > 0)
        text[0] = '\0';
    if (t->abs > 0.0) {
        put(&w, "|a-b| <= %g", t->abs);
        separator = " or ";
    }
    if (t->rel > 0.0) {
        put(&w, "%s|a-b| <= %g max(|a|,|b|)", separator, t->rel);
        separator = " or ";
    }
    if (t->ulp > 0) {
        put(&w, "%sulp(a,b) <= %u", separator, t->ulp);
        separator = " or ";
    }
    if (t->angle > 0.0) {
        put(&w, "%sangle(a,b) <= %g rad", separator, t->angle);
        separator = " or ";
    }
    if (t->scaled > 0.0) {
        put(&w, "%s|a-b| <= %g scale", separator, t->scaled);
        separator = " or ";
    }
    if (t->scaled_ulp > 0.0) {
        put(&w, "%s|a-b| <= %g ulp(scale)", separator, t->scaled_ulp);
        separator = " or ";
    }
    if (*separator == '\0')
        put(&w, "a = b bit for bit");
}

static void put_value(writer *w, const char *label, double value)
{
    put(w, "  %-7s %.9g (%a)\n", label, value, value);
}

static void put_sample(writer *w, const vfx_sample *s, bool angle)
{
    put_value(w, "device", s->device);
    if (s->unwritten)
        put(w, "          never written: the word still holds the poison 0x%08x\n", VFX_POISON_WORD);
    put_value(w, "truth", s->truth);
    if (!angle)
        put(w, "  %-7s %.9g\n", "differ", fabs(s->device - s->truth));
    put(w, "  %-7s %.9g, limit %.9g by the rule \"%s\"\n", "error", s->error, s->limit, s->rule != NULL ? s->rule : "");
}

static void put_histogram(writer *w, const vfx_check_result *result)
{
    static const char *const labels[VFX_HISTOGRAM_BINS] = {"0", "<=1/8", "<=1/4", "<=1/2", "<=1", "<=2", "<=16", ">16"};
    put(w, "  error/limit");
    for (int i = 0; i < VFX_HISTOGRAM_BINS; i++)
        put(w, "%s %s: %llu", i > 0 ? "," : "", labels[i], (unsigned long long)result->histogram[i]);
    put(w, "\n");
}

void vfx_check_format(const vfx_check *check, const vfx_case *kase, const vfx_check_result *result, char *text,
                      size_t bytes)
{
    writer w = {text, bytes, 0};
    if (bytes > 0)
        text[0] = '\0';
    const vfx_sample *s = result->failed > 0 ? &result->first : &result->worst;
    bool angle = s->rule != NULL && (strcmp(s->rule, "angle") == 0 || strcmp(s->rule, "length") == 0);
    bool let_off_too_many = result->failed == 0 && vfx_check_failed(check, kase, result);
    char rules[2][256];
    vfx_tolerance_format(&check->step, rules[0], sizeof rules[0]);
    vfx_tolerance_format(&check->free_run, rules[1], sizeof rules[1]);

    put(&w, "%s/%s/%s: buffer %s, field %s%s", kase->kernel->name, kase->variant->name, kase->preset,
        kase->kernel->buffers[check->buffer].name, check->field, angle ? " (as a vector)" : "");
    if (let_off_too_many) {
        put(&w, ": %.3g %% of records are ill-conditioned, allowed %g %%; no value is wrong\n",
            100.0 * (double)result->ill / (double)result->records, 100.0 * check->ill_share(kase));
    } else if (result->compared > 0) {
        const vfx_buffer *buffer = &kase->kernel->buffers[check->buffer];
        char name[128] = "";
        if (buffer->describe != NULL)
            buffer->describe(kase, s->record, name, sizeof name);
        put(&w, ", %s: frame %u, record %llu%s%s%s, component %u\n",
            result->failed > 0 ? "first failure" : "worst value", s->frame, (unsigned long long)s->record,
            *name ? " (" : "", name, *name ? ")" : "", s->component);
        put_sample(&w, s, angle);
    } else {
        put(&w, "\n");
    }
    put(&w, "  %llu of %llu values in %llu records failed; worst error/limit %.3g", (unsigned long long)result->failed,
        (unsigned long long)result->compared, (unsigned long long)result->records, result->worst_device);
    if (result->worst_float > 0.0) /* it may not have been computed */
        put(&w, " (reference in float: %.3g)", result->worst_float);
    put(&w, "\n");
    if (result->ill > 0)
        put(&w, "  %llu records let off as ill-conditioned, allowed share %g\n", (unsigned long long)result->ill,
            check->ill_share != NULL ? check->ill_share(kase) : 0.0);
    put_histogram(&w, result);
    put(&w, "  step-locked rule: %s\n", rules[0]);
    if (kase->kernel->free_run_frames > 0)
        put(&w, "  free-run rule: %s\n", rules[1]);
    put(&w, "  reason: %s\n", check->reason != NULL ? check->reason : "none given");
}
