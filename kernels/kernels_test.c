/* kernels_test.c - is every family in the table, and is every record complete by the MUSTs of core/kernel.h?
 *
 * Each rule is a row of `rules`; it returns what it misses in a record, "" if nothing. The second half breaks a copy of
 * a record in one way at a time and wants the complaint. */
#include "core/test.h"

#include "core/params.h"
#include "kernels/kernels.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <sys/stat.h>

#ifndef VFX_SOURCE_DIR
#define VFX_SOURCE_DIR "."
#endif

typedef struct complaint {
    char text[512];
} complaint;

VFX_PRINTF(1, 2) static complaint says(const char *format, ...)
{
    complaint result;
    va_list args;
    va_start(args, format);
    vsnprintf(result.text, sizeof result.text, format, args);
    va_end(args);
    return result;
}

#define FINE says("%s", "")
/* Returns a complaint from the rule unless the condition holds. */
#define WANT(condition, ...)          \
    do {                              \
        if (!(condition))             \
            return says(__VA_ARGS__); \
    } while (0)
/* Returns another rule's complaint, if it has one. */
#define WANT_FINE(call)                \
    do {                               \
        complaint want_fine = (call);  \
        if (want_fine.text[0] != '\0') \
            return want_fine;          \
    } while (0)

/* -------------------------------------------------------------------------------------------- names */

static bool well_named(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    return name && name[0] != '\0' && strspn(name, allowed) == strlen(name);
}

/* Names and texts of rows that start `stride` bytes apart with a name; `text` is the offset of a const char *. */
static complaint check_rows(const char *what, const void *rows, size_t stride, uint32_t count, size_t text)
{
    const char *names[256];
    WANT(count <= 256, "%s: too many rows", what);
    for (uint32_t i = 0; i < count; i++) {
        const char *row = (const char *)rows + stride * i, *about;
        memcpy(&names[i], row, sizeof names[i]);
        memcpy(&about, row + text, sizeof about);
        WANT(well_named(names[i]), "%s row %u: no name of lower-case letters, digits, _ and -", what, i);
        WANT(about && about[0] != '\0', "%s %s: no text", what, names[i]);
        for (uint32_t j = 0; j < i; j++)
            WANT(strcmp(names[i], names[j]) != 0, "%s %s: two rows of this name", what, names[i]);
    }
    return FINE;
}
#define CHECK_ROWS(what, rows, count, type, text) \
    WANT_FINE(check_rows(what, rows, sizeof(type), count, offsetof(type, text)))

static complaint names_are_unique(const vfx_kernel *kernel)
{
    WANT(well_named(kernel->name) && kernel->summary && kernel->summary[0] != '\0', "no name or no summary");
    CHECK_ROWS("parameter", kernel->params, kernel->param_count, vfx_param, help);
    CHECK_ROWS("host parameter", kernel->host_params, kernel->host_param_count, vfx_host_param, help);
    CHECK_ROWS("preset", kernel->presets, kernel->preset_count, vfx_preset, summary);
    CHECK_ROWS("buffer", kernel->buffers, kernel->buffer_count, vfx_buffer, summary);
    CHECK_ROWS("image", kernel->images, kernel->image_count, vfx_image, summary);
    CHECK_ROWS("variant", kernel->variants, kernel->variant_count, vfx_variant, summary);
    CHECK_ROWS("stage", kernel->stages, kernel->stage_count, vfx_stage, name);
    CHECK_ROWS("invariant", kernel->invariants, kernel->invariant_count, vfx_invariant, reason);
    CHECK_ROWS("view", kernel->views, kernel->view_count, vfx_view, summary);
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        CHECK_ROWS(kernel->buffers[i].name, kernel->buffers[i].fields, kernel->buffers[i].field_count, vfx_field,
                   meaning);
    for (uint32_t i = 0; i < kernel->variant_count; i++)
        CHECK_ROWS(kernel->variants[i].name, kernel->variants[i].passes, kernel->variants[i].pass_count, vfx_pass,
                   name);
    for (uint32_t i = 0; i < kernel->host_param_count; i++)
        WANT(!vfx_param_find(kernel, kernel->host_params[i].name), "host parameter %s: also a parameter",
             kernel->host_params[i].name);
    return FINE;
}

/* ------------------------------------------------------------------------------ parameters, presets */

static complaint params_are_in_range(const vfx_kernel *kernel)
{
    WANT(kernel->param_count > 0 && kernel->param_count <= VFX_MAX_PARAMS, "no parameters, or too many");
    WANT(kernel->host_param_count <= VFX_MAX_HOST_PARAMS, "too many host parameters");
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const vfx_param *p = &kernel->params[i];
        WANT(isfinite(p->min) && isfinite(p->max) && p->min <= p->def && p->def <= p->max,
             "parameter %s: default outside its range", p->name);
        WANT((p->type == VFX_ENUMERATION) == (p->names != NULL), "parameter %s: names and type disagree", p->name);
        for (uint32_t value = 0; p->names && value <= (uint32_t)p->max; value++)
            WANT(well_named(p->names[value]), "parameter %s: value %u has no name", p->name, value);
    }
    for (uint32_t i = 0; i < kernel->host_param_count; i++) {
        const vfx_host_param *p = &kernel->host_params[i];
        bool known = p->def && !p->names;
        for (uint32_t j = 0; p->names && p->names[j]; j++)
            known = known || strcmp(p->names[j], p->def) == 0;
        WANT(known && strlen(p->def) < VFX_MAX_VALUE, "host parameter %s: default not allowed", p->name);
    }
    return FINE;
}

static bool has_preset(const vfx_kernel *kernel, const char *name)
{
    for (uint32_t i = 0; i < kernel->preset_count; i++)
        if (strcmp(kernel->presets[i].name, name) == 0)
            return true;
    return false;
}

static complaint presets_apply(const vfx_kernel *kernel)
{
    WANT(has_preset(kernel, "ci") && has_preset(kernel, "default"), "presets ci and default are a must");
    for (uint32_t i = 0; i < kernel->preset_count; i++)
        for (uint32_t j = 0; j < kernel->variant_count; j++) {
            vfx_case kase;
            const char *preset = kernel->presets[i].name;
            WANT(kernel->presets[i].frames > 0, "preset %s: no frames", preset);
            WANT(vfx_case_init(&kase, kernel, &kernel->variants[j], preset) == VFX_OK, "preset %s: %s", preset,
                 vfx_message());
            /* A size that a variant's counts cannot hold is a message for the user, not a defect; ci must hold. */
            bool must = strcmp(preset, "ci") == 0 || strcmp(preset, "default") == 0;
            vfx_status status = vfx_case_validate(&kase);
            WANT(status == VFX_OK || (status == VFX_USAGE && !must), "preset %s: %s", preset, vfx_message());
        }
    return FINE;
}

/* ------------------------------------------------------------------------------------------ buffers */

static bool compared(const vfx_buffer *buffer)
{
    return buffer->role == VFX_STATE || buffer->role == VFX_STATE_PING_PONG || buffer->role == VFX_OUTPUT;
}

static uint32_t field_bytes(const vfx_field *field)
{
    switch (field->type) {
    case VFX_FIELD_F16:
        return 4 * ((field->components + 1) / 2);
    case VFX_FIELD_OCT16:
    case VFX_FIELD_UNORM8:
        return 4;
    default:
        return 4 * field->components;
    }
}

/* A binding may serve several rows as long as no variant binds two of them. */
static complaint bindings_are_free(const vfx_kernel *kernel, const vfx_variant *variant)
{
    bool bound[256] = {true}; /* 0: the parameter block */
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        const vfx_buffer *b = &kernel->buffers[i];
        uint32_t bindings = b->role == VFX_STATE_PING_PONG ? 2 : 1;
        for (uint32_t k = b->binding; (variant->buffers >> i & 1u) && k < b->binding + bindings; k++) {
            WANT(k < 256 && !bound[k], "variant %s, buffer %s: binding %u is taken", variant->name, b->name, k);
            bound[k] = true;
        }
    }
    for (uint32_t i = 0; i < kernel->image_count; i++) {
        uint32_t binding = kernel->images[i].binding;
        if (!(variant->images >> i & 1u))
            continue;
        WANT(binding < 256 && !bound[binding], "variant %s, image %s: binding %u is taken", variant->name,
             kernel->images[i].name, binding);
        bound[binding] = true;
    }
    return FINE;
}

static complaint buffers_are_sound(const vfx_kernel *kernel)
{
    WANT(kernel->buffer_count > 0 && kernel->buffer_count <= VFX_MAX_BUFFERS, "no buffers, or too many");
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        const vfx_buffer *b = &kernel->buffers[i];
        uint32_t end = 0;
        WANT(b->stride > 0 && b->stride % (b->layout == VFX_STREAMS ? 16 : 4) == 0, "buffer %s: bad stride", b->name);
        WANT(b->count, "buffer %s: no count", b->name);
        for (uint32_t j = 0; j < b->field_count; j++) {
            WANT(b->fields[j].offset == end, "buffer %s: field %s leaves a gap or overlaps", b->name,
                 b->fields[j].name);
            end += field_bytes(&b->fields[j]);
        }
        WANT(end == b->stride, "buffer %s: fields fill %u of %u bytes", b->name, end, b->stride);
        WANT(b->role != VFX_FRAME_INPUT || kernel->frame_input, "buffer %s: no frame_input fills it", b->name);
    }
    WANT(kernel->image_count <= VFX_MAX_IMAGES, "too many images");
    for (uint32_t i = 0; i < kernel->image_count; i++) {
        WANT(kernel->images[i].size, "image %s: no size", kernel->images[i].name);
        WANT(!kernel->images[i].per_frame || kernel->frame_input, "image %s: no frame_input fills it",
             kernel->images[i].name);
    }
    for (uint32_t i = 0; i < kernel->variant_count; i++)
        WANT_FINE(bindings_are_free(kernel, &kernel->variants[i]));
    return FINE;
}

/* A count that wraps in 32 bits does not keep rising or falling while one parameter grows. */
static complaint counts_fit(const vfx_kernel *kernel)
{
    vfx_case kase;
    WANT(vfx_case_init(&kase, kernel, &kernel->variants[0], "ci") == VFX_OK, "%s", vfx_message());
    if (kernel->load) /* counts come from a loaded asset */
        return FINE;
    for (uint32_t i = 0; i < kernel->param_count; i++)
        kase.words[i] = vfx_param_word(&kernel->params[i], kernel->params[i].max);
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        for (uint32_t j = 0; j < kernel->param_count; j++) {
            const vfx_param *p = &kernel->params[j];
            uint64_t count[5];
            for (uint32_t step = 0; step < 5; step++) {
                double value = p->min + (p->max - p->min) * step / 4;
                kase.words[j] = vfx_param_word(p, p->type == VFX_F32 ? value : floor(value));
                count[step] = kernel->buffers[i].count(&kase);
                WANT(count[step] <= UINT64_MAX / 4096 / kernel->buffers[i].stride, "buffer %s: huge count at maxima",
                     kernel->buffers[i].name);
            }
            bool rising = true, falling = true;
            for (uint32_t step = 1; step < 5; step++) {
                rising = rising && count[step] >= count[step - 1];
                falling = falling && count[step] <= count[step - 1];
            }
            WANT(rising || falling, "buffer %s: count wraps as %s grows", kernel->buffers[i].name, p->name);
        }
    return FINE;
}

/* ---------------------------------------------------------------------------------- variants, passes */

static complaint pass_is_sound(const vfx_kernel *kernel, const vfx_variant *variant, const vfx_pass *pass)
{
    WANT(pass->spirv && pass->spirv->words && pass->spirv->bytes >= 20 && pass->spirv->bytes % 4 == 0,
         "variant %s, pass %s: no SPIR-V", variant->name, pass->name);
    WANT(pass->workgroup > 0 && pass->workgroup <= 256, "variant %s, pass %s: workgroup not in 1 .. 256", variant->name,
         pass->name);
    WANT(!pass->workgroup_multiple || pass->workgroup % pass->workgroup_multiple == 0,
         "variant %s, pass %s: workgroup %u is no multiple of %u", variant->name, pass->name, pass->workgroup,
         pass->workgroup_multiple);
    WANT(pass->threads && pass->traffic, "variant %s, pass %s: no threads or no traffic", variant->name, pass->name);
    for (uint32_t i = 0; i < VFX_MAX_SPEC && pass->spec[i]; i++) {
        const vfx_param *param = vfx_param_find(kernel, pass->spec[i]);
        WANT(param && !(param->flags & VFX_LIVE), "variant %s, pass %s: %s is no parameter that stays", variant->name,
             pass->name, pass->spec[i]);
    }
    return FINE;
}

static complaint variants_are_sound(const vfx_kernel *kernel)
{
    bool baseline = false;
    uint32_t used = 0;
    for (uint32_t i = 0; i < kernel->variant_count; i++) {
        const vfx_variant *v = &kernel->variants[i];
        baseline = baseline || v->features == 0;
        used |= v->buffers;
        WANT(v->buffers != 0 && v->buffers >> kernel->buffer_count == 0, "variant %s: binds no buffer row", v->name);
        WANT(v->images >> kernel->image_count == 0, "variant %s: binds no image row", v->name);
        WANT(v->pass_count > 0 && v->pass_count <= VFX_MAX_PASSES, "variant %s: no passes, or too many", v->name);
        for (uint32_t j = 0; j < v->pass_count; j++)
            WANT_FINE(pass_is_sound(kernel, v, &v->passes[j]));
    }
    WANT(baseline, "no variant runs on the baseline device");
    WANT(used == (1u << kernel->buffer_count) - 1, "a buffer is bound by no variant");
    return FINE;
}

static bool good_amount(double value)
{
    return isfinite(value) && value >= 0.0;
}

/* Rows of the variant's buffers that have records in the loaded case. */
static uint32_t filled_in(const vfx_case *kase)
{
    uint32_t filled = 0;
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++)
        if ((kase->variant->buffers >> i & 1u) && kase->kernel->buffers[i].count(kase) > 0)
            filled |= 1u << i;
    return filled;
}

/* The same in the loaded case itself, or with one switch or enumeration set to another value, or a number raised by
 * one: such a parameter may leave a buffer out. */
static uint32_t filled_at_all(const vfx_case *kase)
{
    const vfx_kernel *kernel = kase->kernel;
    uint32_t filled = filled_in(kase);
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const vfx_param *param = &kernel->params[i];
        uint32_t first = 0, last = (uint32_t)param->max;
        if (param->type == VFX_U32)
            first = last = kase->words[i] < last ? kase->words[i] + 1 : last;
        else if (param->type != VFX_BOOL && param->type != VFX_ENUMERATION)
            continue;
        for (uint32_t value = first; value <= last && filled != kase->variant->buffers; value++) {
            vfx_case other = *kase;
            other.asset = NULL;
            other.words[i] = vfx_param_word(param, (double)value);
            if (vfx_case_validate(&other) != VFX_OK || (kernel->load && kernel->load(&other) != VFX_OK))
                continue;
            filled |= filled_in(&other);
            if (kernel->load)
                kernel->unload(&other);
        }
    }
    return filled;
}

static complaint case_is_sound(const vfx_case *kase, bool sized)
{
    const vfx_kernel *kernel = kase->kernel;
    const char *name = kase->variant->name;
    uint32_t empty = sized ? kase->variant->buffers & ~filled_at_all(kase) : 0;
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        WANT(!(empty >> i & 1u), "variant %s: buffer %s is empty", name, kernel->buffers[i].name);
    for (uint32_t i = 0; i < kernel->stage_count; i++)
        WANT(kernel->stages[i].items(kase) > 0, "stage %s has no items", kernel->stages[i].name);
    for (uint32_t i = 0; i < kase->variant->pass_count; i++) {
        const vfx_pass *pass = &kase->variant->passes[i];
        vfx_traffic t = pass->traffic(kase);
        uint64_t threads = pass->threads(kase);
        WANT(good_amount(t.bytes_read) && good_amount(t.bytes_written) && good_amount(t.flops) &&
                 t.bytes_read + t.bytes_written > 0.0,
             "variant %s, pass %s: traffic is not finite and positive", name, pass->name);
        bool few = threads <= 256; /* the end of a scan or a reduction, whose size is not the case's */
        WANT(!sized || few || (threads / pass->workgroup >= 3 && threads % pass->workgroup != 0),
             "variant %s, pass %s: %llu invocations are not three full workgroups of %u and a partial one", name,
             pass->name, (unsigned long long)threads, pass->workgroup);
        WANT(!pass->repeats || pass->repeats(kase) > 0, "variant %s, pass %s: no repeats", name, pass->name);
    }
    WANT(!kernel->batches || kernel->batches(kase) > 0, "variant %s: no batches", name);
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        double share = kernel->checks[i].ill_share ? kernel->checks[i].ill_share(kase) : 0.0;
        WANT(share >= 0.0 && share <= 1.0, "check of %s: share outside 0 .. 1", kernel->checks[i].field);
    }
    return FINE;
}

static complaint cases_are_sound(const vfx_kernel *kernel)
{
    static const char *const presets[] = {"ci", "default"};
    for (uint32_t i = 0; i < VFX_COUNT(presets); i++)
        for (uint32_t j = 0; j < kernel->variant_count; j++) {
            vfx_case kase;
            WANT(vfx_case_init(&kase, kernel, &kernel->variants[j], presets[i]) == VFX_OK, "%s", vfx_message());
            vfx_status status = kernel->load ? kernel->load(&kase) : VFX_OK;
            if (status == VFX_UNSUPPORTED && i > 0) /* a variant for small cases */
                continue;
            WANT(status == VFX_OK, "load: %s", vfx_message());
            complaint found = case_is_sound(&kase, i == 0);
            if (kernel->load)
                kernel->unload(&kase);
            WANT_FINE(found);
        }
    return FINE;
}

/* --------------------------------------------------------------------------------- stages, functions */

static complaint stages_write_everything(const vfx_kernel *kernel)
{
    uint32_t written = 0, writable = 0, wanted = 0;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        wanted |= (uint32_t)compared(&kernel->buffers[i]) << i;
        writable |= (uint32_t)(compared(&kernel->buffers[i]) || kernel->buffers[i].role == VFX_SCRATCH) << i;
    }
    WANT(kernel->stage_count > 0 && kernel->stage_count <= VFX_MAX_STAGES, "no stages, or too many");
    for (uint32_t i = 0; i < kernel->stage_count; i++) {
        const vfx_stage *stage = &kernel->stages[i];
        WANT(stage->f64 && stage->f32 && stage->items, "stage %s: a function is missing", stage->name);
        WANT(stage->writes != 0 && (stage->writes & ~writable) == 0, "stage %s: writes what is no output", stage->name);
        written |= stage->writes;
    }
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        WANT((wanted & ~written) >> i != 1u, "buffer %s: no stage writes it", kernel->buffers[i].name);
    WANT((wanted & ~written) == 0, "a buffer is written by no stage");
    return FINE;
}

static complaint functions_are_there(const vfx_kernel *kernel)
{
    const vfx_buffer *metrics = kernel->metrics;
    WANT(!metrics || (metrics >= kernel->buffers && metrics < kernel->buffers + kernel->buffer_count &&
                      metrics->role == VFX_OUTPUT && metrics->stride <= VFX_MAX_METRICS),
         "metrics is no output row of the family, or too large");
    WANT(!kernel->work || (metrics && kernel->work_unit), "work needs metrics and a unit");
    WANT(kernel->init, "no init");
    WANT(!kernel->load == !kernel->unload, "load and unload come in pairs");
    WANT(kernel->sweep_frames > 0, "no sweep_frames");
    bool frame_input = false, upload = false;
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        frame_input = frame_input || kernel->buffers[i].role == VFX_FRAME_INPUT;
    for (uint32_t i = 0; i < kernel->host_param_count; i++)
        upload = upload || strcmp(kernel->host_params[i].name, VFX_UPLOAD_PARAM) == 0;
    WANT(frame_input == upload, "a FRAME_INPUT buffer and host parameter %s go together", VFX_UPLOAD_PARAM);
    for (uint32_t i = 0; i < kernel->invariant_count; i++)
        WANT(kernel->invariants[i].holds, "invariant %s: no function", kernel->invariants[i].name);
    return FINE;
}

/* ------------------------------------------------------------------------------------------- checks */

static const vfx_field *find_field(const vfx_buffer *buffer, const char *name)
{
    for (uint32_t i = 0; i < buffer->field_count; i++)
        if (strcmp(buffer->fields[i].name, name) == 0)
            return &buffer->fields[i];
    return NULL;
}

static complaint tolerance_fits(const vfx_check *check, const vfx_field *field, const vfx_tolerance *t)
{
    const double limits[] = {t->abs, t->rel, t->angle, t->scaled, t->scaled_ulp, (double)t->ulp};
    bool exact = true,
         whole = field->type == VFX_FIELD_OCT16 || (field->type == VFX_FIELD_F32 && field->components == 3);
    for (uint32_t i = 0; i < VFX_COUNT(limits); i++) {
        WANT(good_amount(limits[i]), "check of %s: a limit is no finite positive number", field->name);
        exact = exact && limits[i] == 0.0;
    }
    WANT(t->angle == 0.0 || whole, "check of %s: an angle needs a vector of 3", field->name);
    WANT(!check->scale || !check->scales, "check of %s: scale or scales, not both", field->name);
    WANT((t->scaled == 0.0 && t->scaled_ulp == 0.0) || check->scale || check->scales,
         "check of %s: a scaled rule needs a scale", field->name);
    WANT(exact || (field->type != VFX_FIELD_U32 && field->type != VFX_FIELD_I32), "check of %s: integers are exact",
         field->name);
    return FINE;
}

static complaint checks_cover_everything(const vfx_kernel *kernel)
{
    uint32_t rows = 0;
    WANT(kernel->check_count <= VFX_MAX_CHECKS, "too many checks");
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        for (uint32_t j = 0; compared(&kernel->buffers[i]) && j < kernel->buffers[i].field_count; j++) {
            const char *field = kernel->buffers[i].fields[j].name;
            uint32_t found = 0;
            for (uint32_t k = 0; k < kernel->check_count; k++)
                found += kernel->checks[k].buffer == i && strcmp(kernel->checks[k].field, field) == 0;
            WANT(found == 1, "buffer %s, field %s: %u check rows, wanted 1", kernel->buffers[i].name, field, found);
            rows++;
        }
    WANT(rows == kernel->check_count, "a check row names no compared field");
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        const vfx_check *check = &kernel->checks[i];
        const vfx_field *field = find_field(&kernel->buffers[check->buffer], check->field);
        WANT(check->reason && check->reason[0] != '\0', "check of %s: no reason", check->field);
        WANT_FINE(tolerance_fits(check, field, &check->step));
        WANT_FINE(tolerance_fits(check, field, &check->free_run));
    }
    return FINE;
}

/* -------------------------------------------------------------------------------------------- views */

/* A FLIP limit; 0 is the default. */
static bool good_limit(double limit)
{
    return limit == 0.0 || (limit > 0.0 && limit <= 1.0);
}

static complaint frames_rise(const vfx_view *view)
{
    WANT(view->frames[0] > 0, "view %s: no frames", view->name);
    WANT(view->frames[0] < 1000, "view %s: frame %u has more than three digits", view->name, view->frames[0]);
    bool ended = false;
    for (uint32_t i = 1; i < VFX_MAX_VIEW_FRAMES; i++) {
        ended = ended || view->frames[i] == 0;
        WANT(ended ? view->frames[i] == 0 : view->frames[i] > view->frames[i - 1], "view %s: frames do not rise",
             view->name);
        WANT(view->frames[i] < 1000, "view %s: frame %u has more than three digits", view->name, view->frames[i]);
    }
    return FINE;
}

static complaint views_are_sound(const vfx_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->view_count; i++) {
        const vfx_view *view = &kernel->views[i];
        uint32_t drawn = 0;
        WANT(view->summary[strlen(view->summary) - 1] == '.', "view %s: its summary is no sentence", view->name);
        WANT(view->preset && view->set && has_preset(kernel, view->preset), "view %s: no such preset", view->name);
        WANT(view->draw, "view %s: no function draws it", view->name);
        WANT_FINE(frames_rise(view));
        WANT(good_limit(view->weighted_q3) && good_limit(view->weighted_p99), "view %s: a limit is not in 0 .. 1",
             view->name);
        for (uint32_t j = 0; j < kernel->variant_count; j++) {
            vfx_case kase;
            if (view->draws && !view->draws(&kernel->variants[j]))
                continue;
            drawn++;
            WANT(vfx_case_init(&kase, kernel, &kernel->variants[j], view->preset) == VFX_OK, "%s", vfx_message());
            WANT(vfx_case_set_list(&kase, view->set) == VFX_OK, "view %s: %s", view->name, vfx_message());
            vfx_status status = vfx_case_validate(&kase);
            WANT(status == VFX_OK || status == VFX_UNSUPPORTED, "view %s: %s", view->name, vfx_message());
        }
        WANT(drawn > 0, "view %s: draws no variant", view->name);
    }
    return FINE;
}

/* -------------------------------------------------------------------------------------------- tests */

static complaint (*const rules[])(const vfx_kernel *) = {
    params_are_in_range, names_are_unique,        presets_apply,           buffers_are_sound,
    variants_are_sound,  stages_write_everything, checks_cover_everything, functions_are_there,
    counts_fit,          cases_are_sound,         views_are_sound,
};

static complaint complaint_about(const vfx_kernel *kernel)
{
    for (uint32_t i = 0; i < VFX_COUNT(rules); i++)
        WANT_FINE(rules[i](kernel));
    return FINE;
}

static void every_record_is_complete(void **state)
{
    (void)state;
    assert_true(vfx_kernel_count > 0);
    for (uint32_t i = 0; i < vfx_kernel_count; i++) {
        complaint found = complaint_about(vfx_kernels[i]);
        if (found.text[0] != '\0')
            fail_msg("family %s: %s", vfx_kernels[i]->name, found.text);
    }
}

static void every_folder_has_a_row(void **state)
{
    (void)state;
    DIR *folder = opendir(VFX_SOURCE_DIR "/kernels");
    if (!folder)
        fail_msg("no folder %s/kernels", VFX_SOURCE_DIR);
    uint32_t folders = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[4096];
        struct stat about;
        snprintf(path, sizeof path, "%s/kernels/%s", VFX_SOURCE_DIR, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
            continue;
        folders++;
        if (!vfx_kernel_find(entry->d_name))
            fail_msg("folder kernels/%s has no row in kernels/kernels.c", entry->d_name);
    }
    closedir(folder);
    assert_int_equal(folders, vfx_kernel_count);
}

static void families_are_found_by_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < vfx_kernel_count; i++)
        assert_ptr_equal(vfx_kernel_find(vfx_kernels[i]->name), vfx_kernels[i]);
    assert_null(vfx_kernel_find("tentacles"));
    assert_null(vfx_kernel_find(""));
}

/* A copy of a record that may be broken. */
typedef struct copy {
    vfx_kernel kernel;
    vfx_param params[VFX_MAX_PARAMS];
    vfx_host_param host_params[VFX_MAX_HOST_PARAMS];
    vfx_preset presets[32];
    vfx_buffer buffers[VFX_MAX_BUFFERS];
    vfx_image images[VFX_MAX_IMAGES];
    vfx_variant variants[32];
    vfx_pass passes[VFX_MAX_PASSES]; /* of variant 0 */
    vfx_stage stages[VFX_MAX_STAGES];
    vfx_check checks[VFX_MAX_CHECKS];
    vfx_view views[2];
} copy;

#define COPY_ROWS(c, rows, count)                                         \
    do {                                                                  \
        assert_true((count) <= VFX_COUNT((c)->rows));                     \
        memcpy((c)->rows, (c)->kernel.rows, (count) * sizeof *(c)->rows); \
        (c)->kernel.rows = (c)->rows;                                     \
    } while (0)

static void copy_record(copy *c, const vfx_kernel *kernel)
{
    c->kernel = *kernel;
    COPY_ROWS(c, params, kernel->param_count);
    COPY_ROWS(c, host_params, kernel->host_param_count);
    COPY_ROWS(c, presets, kernel->preset_count);
    COPY_ROWS(c, buffers, kernel->buffer_count);
    if (kernel->image_count > 0)
        memcpy(c->images, kernel->images, kernel->image_count * sizeof *c->images);
    c->kernel.images = c->images;
    COPY_ROWS(c, variants, kernel->variant_count);
    COPY_ROWS(c, stages, kernel->stage_count);
    COPY_ROWS(c, checks, kernel->check_count);
    memcpy(c->passes, c->variants[0].passes, c->variants[0].pass_count * sizeof *c->passes);
    c->variants[0].passes = c->passes;
}

static uint64_t wrapping_count(const vfx_case *kase)
{
    return kase->words[0] * 12345u + 1;
}

static uint64_t no_records(const vfx_case *kase)
{
    (void)kase;
    return 0;
}

static vfx_traffic no_traffic(const vfx_case *kase)
{
    (void)kase;
    return (vfx_traffic){0.0, 0.0, 1.0};
}

static vfx_traffic endless_traffic(const vfx_case *kase)
{
    (void)kase;
    return (vfx_traffic){1.0, (double)INFINITY, 1.0};
}

static void no_scales(const vfx_ref *ref, uint64_t first, uint64_t count, double *scales)
{
    (void)ref, (void)first, (void)count, (void)scales;
}

static double too_large_share(const vfx_case *kase)
{
    (void)kase;
    return 1.5;
}

/* Breaks the copy `c` with a statement, and wants a complaint that contains `part`. */
#define BREAK(statement, part)                                                           \
    do {                                                                                 \
        copy_record(c, vfx_kernel_find("tentacle"));                                     \
        statement;                                                                       \
        complaint found = complaint_about(&c->kernel);                                   \
        if (strstr(found.text, part) == NULL)                                            \
            fail_msg("%s: complaint \"%s\" lacks \"%s\"", #statement, found.text, part); \
    } while (0)

static void broken_rows_are_noticed(void **state)
{
    copy *c = *state;
    BREAK(c->kernel.summary = "", "no summary");
    BREAK(c->params[1].name = c->params[0].name, "two rows of this name");
    BREAK(c->params[1].name = "Not Good", "no name");
    BREAK(c->params[1].help = "", "no text");
    BREAK(c->params[1].def = c->params[1].max + 1, "default outside");
    BREAK(c->host_params[0].def = "sometimes", "default not allowed");
    BREAK(c->host_params[0].name = "tentacles", "also a parameter");
    BREAK(c->presets[0].name = "small", "presets ci and default");
    BREAK(c->presets[1].set = "tentacles=lots", "preset");
    BREAK(c->presets[1].frames = 0, "no frames");
    BREAK(c->presets[2].set = "stiffen=1M,states=off", "stiffen");
    BREAK(c->buffers[1].binding = 2, "binding 2 is taken"); /* the second half of the ping-pong state */
    BREAK(c->buffers[0].stride = 68, "bad stride");
    BREAK(c->buffers[1].field_count--, "fields fill");
    BREAK((c->buffers[1].fields++, c->buffers[1].field_count--), "gap");
    BREAK(c->buffers[3].count = wrapping_count, "wraps");
    BREAK(c->buffers[1].count = no_records, "is empty");
    BREAK(c->kernel.frame_input = NULL, "no frame_input");
}

static void broken_references_are_noticed(void **state)
{
    copy *c = *state;
    BREAK(c->variants[0].buffers |= 1u << 20, "binds no buffer row");
    BREAK(c->variants[0].images = 1, "binds no image row");
    BREAK(c->variants[0].pass_count = 0, "no passes");
    BREAK(for (uint32_t i = 0; i < c->kernel.variant_count; i++) c->variants[i].features = 1, "baseline");
    BREAK(c->kernel.variant_count = 1, "bound by no variant");
    BREAK(c->passes[1].workgroup = 512, "workgroup not in");
    BREAK(c->passes[1].workgroup_multiple = 48, "is no multiple of 48");
    BREAK(c->passes[1].workgroup = 67, "a partial one"); /* 67 * 21 invocations */
    BREAK(c->passes[1].name = c->passes[0].name, "two rows of this name");
    BREAK(c->passes[1].spirv = NULL, "no SPIR-V");
    BREAK(c->passes[1].spec[0] = "side", "side is no parameter");
    BREAK(c->passes[1].spec[0] = "drag", "drag is no parameter that stays");
    BREAK(c->passes[1].traffic = no_traffic, "not finite and positive");
    BREAK(c->passes[1].traffic = endless_traffic, "not finite and positive");
    BREAK(c->kernel.stage_count--, "no stage writes it");
    BREAK(c->stages[0].f32 = NULL, "a function is missing");
    BREAK(c->stages[0].writes |= 2, "writes what is no output");
    BREAK(c->kernel.check_count--, "0 check rows");
    BREAK(c->checks[1].field = c->checks[0].field, "check rows, wanted 1");
    BREAK(c->checks[0].reason = "", "no reason");
    BREAK(c->checks[0].scale = NULL, "needs a scale");
    BREAK(c->checks[0].scales = no_scales, "not both");
    BREAK(c->checks[1].step.angle = 1.0, "needs a vector of 3");
    BREAK(c->checks[0].step.abs = -1.0, "no finite positive");
    BREAK(c->checks[c->kernel.check_count - 1].step.abs = 1.0, "integers are exact");
    BREAK(c->checks[0].ill_share = too_large_share, "share outside");
    BREAK(c->kernel.init = NULL, "no init");
    BREAK(c->kernel.host_param_count = 0, "go together");
}

/* Two rows may have the same binding, unless a variant binds both. */
static void bindings_may_be_shared(void **state)
{
    copy *c = *state;
    copy_record(c, vfx_kernel_find("tentacle"));
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < c->kernel.buffer_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            bool together = false;
            for (uint32_t v = 0; v < c->kernel.variant_count; v++)
                together = together || (c->variants[v].buffers >> i & c->variants[v].buffers >> j & 1u);
            if (!together)
                a = i, b = j;
        }
    assert_true(a != b);
    c->buffers[a].binding = c->buffers[b].binding;
    complaint found = complaint_about(&c->kernel);
    assert_string_equal(found.text, "");
    c->variants[0].buffers |= 1u << a | 1u << b;
    found = complaint_about(&c->kernel);
    assert_non_null(strstr(found.text, "is taken"));
}

static uint32_t no_batches(const vfx_case *kase)
{
    (void)kase;
    return 0;
}

static void tide_size(const vfx_case *kase, uint32_t size[3])
{
    (void)kase;
    size[0] = size[1] = size[2] = 1;
}

/* Gives the copy an image. */
static void add_image(copy *c, uint32_t binding)
{
    c->images[0] = (vfx_image){"tide", binding, VFX_R8_UNORM, false, tide_size, "a tide", true};
    c->kernel.image_count = 1;
    c->variants[0].images = 1;
}

static void broken_images_are_noticed(void **state)
{
    copy *c = *state;
    copy_record(c, vfx_kernel_find("tentacle"));
    add_image(c, 200);
    complaint whole = complaint_about(&c->kernel);
    assert_string_equal(whole.text, "");
    BREAK(add_image(c, 1), "image tide: binding 1 is taken");
    BREAK((add_image(c, 200), c->images[0].size = NULL), "image tide: no size");
    BREAK((add_image(c, 200), c->images[0].summary = ""), "image tide: no text");
    BREAK(c->kernel.batches = no_batches, "no batches");
}

static vfx_status draw_nothing(const vfx_ref *ref, struct vfx_raster *raster)
{
    (void)ref, (void)raster;
    return VFX_OK;
}

static bool draws_nothing(const vfx_variant *variant)
{
    (void)variant;
    return false;
}

/* Gives the copy one view, which `edit` of BREAK_VIEW may change. */
static void add_view(copy *c)
{
    c->views[0] = (vfx_view){.name = "side",
                             .summary = "From the side.",
                             .preset = "ci",
                             .set = "tentacles=9",
                             .frames = {3, 60},
                             .draw = draw_nothing};
    c->kernel.views = c->views;
    c->kernel.view_count = 1;
}
#define BREAK_VIEW(edit, part) BREAK((add_view(c), edit), part)

static void broken_views_are_noticed(void **state)
{
    copy *c = *state;
    copy_record(c, vfx_kernel_find("tentacle"));
    add_view(c);
    complaint whole = complaint_about(&c->kernel);
    assert_string_equal(whole.text, "");
    BREAK_VIEW(c->views[0].name = "From Side", "view row 0: no name");
    BREAK_VIEW((c->views[1] = c->views[0], c->kernel.view_count = 2), "view side: two rows of this name");
    BREAK_VIEW(c->views[0].summary = "", "view side: no text");
    BREAK_VIEW(c->views[0].summary = "From the side", "no sentence");
    BREAK_VIEW(c->views[0].preset = "small", "no such preset");
    BREAK_VIEW(c->views[0].set = "tentacles=lots", "view side: ");
    BREAK_VIEW(c->views[0].set = "stiffen=1M,states=off", "view side: ");
    BREAK_VIEW(c->views[0].draw = NULL, "no function draws it");
    BREAK_VIEW(c->views[0].frames[0] = 0, "no frames");
    BREAK_VIEW(c->views[0].frames[1] = 3, "frames do not rise");
    BREAK_VIEW(c->views[0].frames[3] = 70, "frames do not rise"); /* behind the end */
    BREAK_VIEW(c->views[0].frames[1] = 1000, "more than three digits");
    BREAK_VIEW(c->views[0].draws = draws_nothing, "draws no variant");
    BREAK_VIEW(c->views[0].weighted_q3 = 1.5, "limit is not in");
    BREAK_VIEW(c->views[0].weighted_p99 = -0.1, "limit is not in");
}

static int make_copy(void **state)
{
    *state = malloc(sizeof(copy));
    return *state ? 0 : -1;
}

static int free_copy(void **state)
{
    free(*state);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_record_is_complete),
    cmocka_unit_test(every_folder_has_a_row),
    cmocka_unit_test(families_are_found_by_name),
    cmocka_unit_test_setup_teardown(broken_rows_are_noticed, make_copy, free_copy),
    cmocka_unit_test_setup_teardown(broken_references_are_noticed, make_copy, free_copy),
    cmocka_unit_test_setup_teardown(bindings_may_be_shared, make_copy, free_copy),
    cmocka_unit_test_setup_teardown(broken_images_are_noticed, make_copy, free_copy),
    cmocka_unit_test_setup_teardown(broken_views_are_noticed, make_copy, free_copy),
};

VFX_TEST_MAIN(tests)
