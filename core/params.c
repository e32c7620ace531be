/* core/params.c - see params.h. One value goes: text -> parse_value (suffix, type) -> range check -> word. */
#include "core/params.h"

#include "core/suggest.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, LIST_BYTES = 512 };

const char *const vfx_upload_names[] = {"single", "regions", "per-instance", "mapped", NULL};

/* ------------------------------------------------------------------------------------- finding rows */

const vfx_param *vfx_param_find(const vfx_kernel *kernel, const char *name)
{
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (strcmp(kernel->params[i].name, name) == 0)
            return &kernel->params[i];
    return NULL;
}

static const vfx_host_param *host_param_find(const vfx_kernel *kernel, const char *name)
{
    for (uint32_t i = 0; i < kernel->host_param_count; i++)
        if (strcmp(kernel->host_params[i].name, name) == 0)
            return &kernel->host_params[i];
    return NULL;
}

static vfx_status unknown_parameter(const vfx_kernel *kernel, const char *name)
{
    const char *names[VFX_MAX_PARAMS + VFX_MAX_HOST_PARAMS];
    size_t count = 0;
    for (uint32_t i = 0; i < kernel->param_count; i++)
        names[count++] = kernel->params[i].name;
    for (uint32_t i = 0; i < kernel->host_param_count; i++)
        names[count++] = kernel->host_params[i].name;
    char text[LIST_BYTES];
    vfx_suggest(name, names, count, text, sizeof text);
    return vfx_fail(VFX_USAGE, "%s has no parameter \"%s\"; %s", kernel->name, name, text);
}

/* ------------------------------------------------------------------------------- values and words */

uint32_t vfx_param_word(const vfx_param *param, double value)
{
    uint32_t word;
    if (param->type == VFX_F32) {
        float number = (float)value;
        memcpy(&word, &number, sizeof word);
    } else if (param->type == VFX_I32) {
        word = (uint32_t)(int32_t)value;
    } else {
        word = (uint32_t)value;
    }
    return word;
}

double vfx_param_value(const vfx_param *param, uint32_t word)
{
    if (param->type == VFX_F32) {
        float number;
        memcpy(&number, &word, sizeof number);
        return (double)number;
    }
    if (param->type == VFX_I32) {
        int32_t number;
        memcpy(&number, &word, sizeof number);
        return (double)number;
    }
    return (double)word;
}

/* The shortest decimal text that reads back as the same float. */
static void format_float(float value, char *text, size_t bytes)
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, bytes, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            return;
    }
}

void vfx_param_format(const vfx_param *param, uint32_t word, char *text, size_t bytes)
{
    double value = vfx_param_value(param, word);
    if (param->type == VFX_F32)
        format_float((float)value, text, bytes);
    else if (param->type == VFX_BOOL)
        snprintf(text, bytes, "%s", word != 0 ? "on" : "off");
    else if (param->type == VFX_ENUMERATION && value <= param->max)
        snprintf(text, bytes, "%s", param->names[word]);
    else
        snprintf(text, bytes, "%.0f", value);
}

/* "on, off", "up, proj, chord" or "1 .. 4000000": what the row takes. */
static void format_allowed(const vfx_param *param, char *text, size_t bytes)
{
    size_t used = 0;
    if (param->type == VFX_BOOL) {
        snprintf(text, bytes, "on, off, true, false, 1 or 0");
    } else if (param->type == VFX_ENUMERATION) {
        text[0] = '\0';
        for (uint32_t i = 0; i <= (uint32_t)param->max && used < bytes; i++)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", i > 0 ? ", " : "", param->names[i]);
    } else {
        char low[32], high[32];
        vfx_param_format(param, vfx_param_word(param, param->min), low, sizeof low);
        vfx_param_format(param, vfx_param_word(param, param->max), high, sizeof high);
        snprintf(text, bytes, "%s .. %s", low, high);
    }
}

static vfx_status bad_value(const vfx_param *param, const char *value, const char *what)
{
    char allowed[LIST_BYTES];
    format_allowed(param, allowed, sizeof allowed);
    return vfx_fail(VFX_USAGE, "parameter %s: \"%.80s\" %s; allowed: %s", param->name, value, what, allowed);
}

/* ------------------------------------------------------------------------------------------ parsing */

/* Decimal number with an optional suffix k (thousand) or M (million). False if it is anything else; what is too
 * large for double comes out as infinity. */
static bool parse_number(const char *text, double *value)
{
    size_t length = strspn(text, "+-.0123456789eE"); /* keeps nan, inf, hexadecimal and spaces out */
    if (length == 0)
        return false;
    char *end;
    double number = strtod(text, &end);
    if (end != text + length)
        return false;
    if (*end == 'k') {
        number *= 1e3;
        end++;
    } else if (*end == 'M') {
        number *= 1e6;
        end++;
    }
    *value = number;
    return *end == '\0';
}

static vfx_status parse_numeric(const vfx_param *param, const char *text, uint32_t *word)
{
    double value;
    if (!parse_number(text, &value))
        return bad_value(param, text, "is not a finite decimal number");
    bool inside = value >= param->min && value <= param->max;
    if (param->type == VFX_F32) /* compared as floats, so that a bound written 0.1f admits "0.1" */
        inside =
            fabs(value) <= (double)FLT_MAX && (float)value >= (float)param->min && (float)value <= (float)param->max;
    if (!inside)
        return bad_value(param, text, "is out of range");
    if (param->type != VFX_F32 && value != floor(value))
        return bad_value(param, text, "is not a whole number");
    *word = vfx_param_word(param, value);
    return VFX_OK;
}

static vfx_status parse_bool(const vfx_param *param, const char *text, uint32_t *word)
{
    static const char *const names[] = {"off", "on", "false", "true", "0", "1"};
    for (uint32_t i = 0; i < VFX_COUNT(names); i++) {
        if (strcmp(text, names[i]) == 0) {
            *word = i % 2u;
            return VFX_OK;
        }
    }
    return bad_value(param, text, "is neither on nor off");
}

static vfx_status parse_enumeration(const vfx_param *param, const char *text, uint32_t *word)
{
    for (uint32_t i = 0; i <= (uint32_t)param->max; i++) {
        if (strcmp(text, param->names[i]) == 0) {
            *word = i;
            return VFX_OK;
        }
    }
    return bad_value(param, text, "is no such choice");
}

static vfx_status parse_value(const vfx_param *param, const char *text, uint32_t *word)
{
    if (param->type == VFX_BOOL)
        return parse_bool(param, text, word);
    if (param->type == VFX_ENUMERATION)
        return parse_enumeration(param, text, word);
    return parse_numeric(param, text, word);
}

/* Splits "name=value"; *value points into the assignment. */
static vfx_status split(const char *assignment, char name[NAME_BYTES], const char **value)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL || equals == assignment)
        return vfx_fail(VFX_USAGE, "\"%s\" is not of the form name=value", assignment);
    size_t length = (size_t)(equals - assignment);
    if (length >= NAME_BYTES)
        return vfx_fail(VFX_USAGE, "parameter name \"%.40s...\" is too long", assignment);
    memcpy(name, assignment, length);
    name[length] = '\0';
    *value = equals + 1;
    return VFX_OK;
}

/* ----------------------------------------------------------------------------------------- the case */

static vfx_status set_host(vfx_case *kase, const vfx_host_param *param, const char *value)
{
    size_t length = strlen(value);
    if (length >= VFX_MAX_VALUE)
        return vfx_fail(VFX_USAGE, "parameter %s: the value has %zu bytes, at most %d are allowed: \"%.40s...\"",
                        param->name, length, VFX_MAX_VALUE - 1, value);
    bool known = param->names == NULL;
    char allowed[LIST_BYTES] = "";
    size_t used = 0;
    for (uint32_t i = 0; !known && param->names[i] != NULL; i++) {
        known = strcmp(param->names[i], value) == 0;
        if (used < sizeof allowed)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i > 0 ? ", " : "", param->names[i]);
    }
    if (!known)
        return vfx_fail(VFX_USAGE, "parameter %s: \"%.80s\" is no such choice; allowed: %s", param->name, value,
                        allowed);
    memcpy(kase->host_values[param - kase->kernel->host_params], value, length + 1);
    return VFX_OK;
}

vfx_status vfx_case_set(vfx_case *kase, const char *assignment)
{
    const vfx_kernel *kernel = kase->kernel;
    char name[NAME_BYTES];
    const char *value = NULL;
    VFX_TRY(split(assignment, name, &value));
    const vfx_param *param = vfx_param_find(kernel, name);
    if (param != NULL)
        return parse_value(param, value, &kase->words[param - kernel->params]);
    const vfx_host_param *host = host_param_find(kernel, name);
    if (host != NULL)
        return set_host(kase, host, value);
    return unknown_parameter(kernel, name);
}

vfx_status vfx_case_set_list(vfx_case *kase, const char *list)
{
    vfx_case changed = *kase;
    const char *item = list;
    while (*list != '\0') {
        size_t length = strcspn(item, ",");
        char assignment[NAME_BYTES + VFX_MAX_VALUE];
        if (length >= sizeof assignment)
            return vfx_fail(VFX_USAGE, "\"%.40s...\" is too long for name=value", item);
        memcpy(assignment, item, length);
        assignment[length] = '\0';
        VFX_TRY(vfx_case_set(&changed, assignment));
        if (item[length] == '\0')
            break;
        item += length + 1;
    }
    *kase = changed;
    return VFX_OK;
}

vfx_status vfx_case_init(vfx_case *kase, const vfx_kernel *kernel, const vfx_variant *variant, const char *preset)
{
    const vfx_preset *row = NULL;
    const char *names[LIST_BYTES / 8];
    size_t count = 0;
    for (uint32_t i = 0; i < kernel->preset_count && count < VFX_COUNT(names); i++) {
        names[count++] = kernel->presets[i].name;
        if (strcmp(kernel->presets[i].name, preset) == 0)
            row = &kernel->presets[i];
    }
    if (row == NULL) {
        char text[LIST_BYTES];
        vfx_suggest(preset, names, count, text, sizeof text);
        return vfx_fail(VFX_USAGE, "%s has no preset \"%s\"; %s", kernel->name, preset, text);
    }
    memset(kase, 0, sizeof *kase);
    kase->kernel = kernel;
    kase->variant = variant;
    kase->preset = row->name;
    kase->frames = row->frames;
    kase->dt = 1.0f / 60.0f;
    kase->seed = 1;
    for (uint32_t i = 0; i < kernel->param_count; i++)
        kase->words[i] = vfx_param_word(&kernel->params[i], kernel->params[i].def);
    for (uint32_t i = 0; i < kernel->host_param_count; i++)
        VFX_TRY(set_host(kase, &kernel->host_params[i], kernel->host_params[i].def));
    return vfx_case_set_list(kase, row->set);
}

vfx_status vfx_case_validate(const vfx_case *kase)
{
    if (kase->frames == 0)
        return vfx_fail(VFX_USAGE, "frames must be at least 1");
    if (!(isfinite(kase->dt) && kase->dt > 0.0f))
        return vfx_fail(VFX_USAGE, "dt must be a positive number of seconds, not %g", (double)kase->dt);
    return kase->kernel->validate != NULL ? kase->kernel->validate(kase) : VFX_OK;
}

const char *vfx_case_host(const vfx_case *kase, const char *name)
{
    const vfx_host_param *param = host_param_find(kase->kernel, name);
    return param != NULL ? kase->host_values[param - kase->kernel->host_params] : NULL;
}

void vfx_case_name(const vfx_case *kase, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s/%s/%s", kase->kernel->name, kase->variant->name, kase->preset);
}

/* --------------------------------------------------------------------------- changes during a run */

static vfx_status not_live(const vfx_kernel *kernel, const char *name)
{
    char live[LIST_BYTES] = "none";
    size_t used = 0;
    for (uint32_t i = 0; i < kernel->param_count && used < sizeof live; i++)
        if ((kernel->params[i].flags & VFX_LIVE) != 0)
            used +=
                (size_t)snprintf(live + used, sizeof live - used, "%s%s", used > 0 ? ", " : "", kernel->params[i].name);
    return vfx_fail(VFX_USAGE, "parameter %s cannot change during a run; live parameters of %s: %s", name, kernel->name,
                    live);
}

vfx_status vfx_at_parse(const vfx_case *kase, const char *text, vfx_at_list *list)
{
    const vfx_kernel *kernel = kase->kernel;
    size_t digits = strspn(text, "0123456789");
    unsigned long long frame = strtoull(text, NULL, 10); /* too many digits come out as the largest number */
    if (digits == 0 || text[digits] != ':' || frame == 0 || frame > UINT32_MAX)
        return vfx_fail(VFX_USAGE, "\"%s\" is not of the form FRAME:name=value with a frame from 1 on", text);
    char name[NAME_BYTES];
    const char *value = NULL;
    VFX_TRY(split(text + digits + 1, name, &value));
    const vfx_param *param = vfx_param_find(kernel, name);
    if (param == NULL && host_param_find(kernel, name) == NULL)
        return unknown_parameter(kernel, name);
    if (param == NULL || (param->flags & VFX_LIVE) == 0)
        return not_live(kernel, name);
    if (list->count >= VFX_MAX_AT)
        return vfx_fail(VFX_USAGE, "more than %d changes during a run; \"%s\" is one too many", VFX_MAX_AT, text);
    vfx_at row = {.frame = (uint32_t)frame, .row = (uint32_t)(param - kernel->params)};
    VFX_TRY(parse_value(param, value, &row.word));
    list->rows[list->count++] = row;
    return VFX_OK;
}

/* True if change `j` is the one in force for its row in frame `frame`: the latest so far. */
static bool in_force(const vfx_at_list *list, uint32_t j, uint32_t frame)
{
    const vfx_at *row = &list->rows[j];
    for (uint32_t k = 0; k < list->count; k++) {
        const vfx_at *other = &list->rows[k];
        bool later = other->frame > row->frame || (other->frame == row->frame && k > j);
        if (other->row == row->row && other->frame <= frame && later)
            return false;
    }
    return row->frame <= frame;
}

vfx_status vfx_at_validate(const vfx_case *kase, const vfx_at_list *list)
{
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        vfx_case then = *kase;
        for (uint32_t j = 0; j < list->count; j++)
            if (in_force(list, j, list->rows[i].frame))
                then.words[list->rows[j].row] = list->rows[j].word;
        VFX_TRY(vfx_case_validate(&then));
    }
    return VFX_OK;
}

bool vfx_at_apply(const vfx_at_list *list, uint32_t frame, vfx_case *kase)
{
    bool changed = false;
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        const vfx_at *row = &list->rows[i];
        if (row->frame != frame || kase->words[row->row] == row->word)
            continue;
        kase->words[row->row] = row->word;
        changed = true;
    }
    return changed;
}
