/* bench/cmd_list.c - `vfxbench list`: families, variants, presets, views and parameters, from the kernel records. */
#include "bench/axis.h"
#include "bench/commands.h"
#include "bench/json.h"
#include "bench/picture_run.h"
#include "bench/report.h"
#include "bench/select.h"
#include "bench/text.h"
#include "core/params.h"
#include "core/platform.h"
#include "kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

static const char *type_name(vfx_param_type type)
{
    switch (type) {
    case VFX_F32:
        return "f32";
    case VFX_I32:
        return "i32";
    case VFX_U32:
        return "u32";
    case VFX_BOOL:
        return "bool";
    case VFX_ENUMERATION:
        return "enum";
    }
    return "unknown";
}

/* "0 to 100", or "off, global, entity". */
static void format_range(const vfx_param *param, char *text, size_t bytes)
{
    *text = '\0';
    if (param->type == VFX_BOOL) {
        cmd_append(text, bytes, "off, on");
    } else if (param->type == VFX_ENUMERATION) {
        for (uint32_t i = 0; i <= (uint32_t)param->max; i++)
            cmd_append(text, bytes, "%s%s", i == 0 ? "" : ", ", param->names[i]);
    } else {
        cmd_append(text, bytes, "%.7g to %.7g", param->min, param->max);
    }
}

static void format_default(const vfx_param *param, char *text, size_t bytes)
{
    vfx_param_format(param, vfx_param_word(param, param->def), text, bytes);
}

/* One row: name, type, default, range, help. */
static vfx_status add_param(cmd_table *table, const char *name, const char *type, const char *def, const char *range,
                            const char *help)
{
    VFX_TRY(cmd_table_row(table));
    VFX_TRY(cmd_table_cell(table, 0, name));
    VFX_TRY(cmd_table_cell(table, 1, type));
    VFX_TRY(cmd_table_cell(table, 2, def));
    VFX_TRY(cmd_table_cell(table, 3, range));
    return cmd_table_cell(table, 4, help);
}

static vfx_status fill_params(cmd_table *table, const vfx_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const vfx_param *param = &kernel->params[i];
        char name[96], def[64], range[256];
        (void)snprintf(name, sizeof name, "    %s%s", param->name, (param->flags & VFX_LIVE) != 0 ? " *" : "");
        format_default(param, def, sizeof def);
        format_range(param, range, sizeof range);
        VFX_TRY(add_param(table, name, type_name(param->type), def, range, param->help));
    }
    for (uint32_t i = 0; i < kernel->host_param_count; i++) {
        const vfx_host_param *param = &kernel->host_params[i];
        char name[96], range[256] = "";
        (void)snprintf(name, sizeof name, "    %s", param->name);
        for (uint32_t v = 0; param->names != NULL && param->names[v] != NULL; v++)
            cmd_append(range, sizeof range, "%s%s", v == 0 ? "" : ", ", param->names[v]);
        VFX_TRY(add_param(table, name, "host", param->def, range, param->help));
    }
    return VFX_OK;
}

/* "60, 120": the frames of a view's goldens. */
static void format_frames(const vfx_view *view, char *text, size_t bytes)
{
    *text = '\0';
    for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && view->frames[i] != 0; i++)
        cmd_append(text, bytes, "%s%u", i == 0 ? "" : ", ", (unsigned)view->frames[i]);
}

static void print_views(const vfx_kernel *kernel)
{
    if (kernel->view_count > 0)
        printf("  views (for run --image, and of the goldens)\n");
    for (uint32_t i = 0; i < kernel->view_count; i++) {
        const vfx_view *view = &kernel->views[i];
        char frames[128];
        format_frames(view, frames, sizeof frames);
        printf("    %-14s %s Golden: %s%s%s, frame%s %s\n", view->name, view->summary, view->preset,
               *view->set != '\0' ? " with " : "", view->set, strchr(frames, ',') != NULL ? "s" : "", frames);
    }
}

static vfx_status print_kernel(const vfx_kernel *kernel)
{
    printf("%s - %s\n  variants\n", kernel->name, kernel->summary);
    for (uint32_t i = 0; i < kernel->variant_count; i++) {
        const vfx_variant *variant = &kernel->variants[i];
        printf("    %-14s %s (passes:", variant->name, variant->summary);
        for (uint32_t p = 0; p < variant->pass_count; p++)
            printf(" %s", variant->passes[p].name);
        printf(")%s%s\n", (variant->features & VFX_NEEDS_SUBGROUP_SHUFFLE) != 0 ? " needs subgroup shuffle" : "",
               (variant->features & VFX_NEEDS_FLOAT16_STORAGE) != 0 ? " needs 16-bit storage" : "");
    }
    printf("  presets\n");
    for (uint32_t i = 0; i < kernel->preset_count; i++) {
        const vfx_preset *preset = &kernel->presets[i];
        printf("    %-14s %u frames  %s%s%s\n", preset->name, (unsigned)preset->frames, preset->summary,
               *preset->set != '\0' ? ": " : "", preset->set);
    }
    print_views(kernel);
    printf("  parameters (* may change during a run with --at)\n");
    cmd_table table = {0};
    vfx_status status = fill_params(&table, kernel);
    if (status == VFX_OK)
        cmd_table_print(&table, stdout, false);
    cmd_table_free(&table);
    printf("\n");
    return status;
}

/* --------------------------------------------------------------------------------------------- JSON */

static void add_params_json(json_t *family, const vfx_kernel *kernel)
{
    json_t *params = cmd_json_array(family, "parameters");
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const vfx_param *param = &kernel->params[i];
        json_t *row = cmd_json_append(params);
        char def[64];
        format_default(param, def, sizeof def);
        cmd_json_text(row, "name", param->name);
        cmd_json_text(row, "type", type_name(param->type));
        cmd_json_text(row, "default", def);
        cmd_json_number(row, "min", param->min, "unbounded");
        cmd_json_number(row, "max", param->max, "unbounded");
        cmd_json_bool(row, "live", (param->flags & VFX_LIVE) != 0);
        json_t *names = cmd_json_array(row, "values");
        for (uint32_t v = 0; param->type == VFX_ENUMERATION && v <= (uint32_t)param->max; v++)
            (void)json_array_append_new(names, json_string(param->names[v]));
        cmd_json_text(row, "help", param->help);
    }
    json_t *host = cmd_json_array(family, "host_parameters");
    for (uint32_t i = 0; i < kernel->host_param_count; i++) {
        const vfx_host_param *param = &kernel->host_params[i];
        json_t *row = cmd_json_append(host);
        cmd_json_text(row, "name", param->name);
        cmd_json_text(row, "default", param->def);
        json_t *names = cmd_json_array(row, "values");
        for (uint32_t v = 0; param->names != NULL && param->names[v] != NULL; v++)
            (void)json_array_append_new(names, json_string(param->names[v]));
        cmd_json_text(row, "help", param->help);
    }
}

static void add_views_json(json_t *family, const vfx_kernel *kernel)
{
    json_t *views = cmd_json_array(family, "views");
    for (uint32_t i = 0; i < kernel->view_count; i++) {
        const vfx_view *view = &kernel->views[i];
        json_t *row = cmd_json_append(views);
        cmd_json_text(row, "name", view->name);
        cmd_json_text(row, "summary", view->summary);
        cmd_json_text(row, "preset", view->preset);
        cmd_json_text(row, "set", view->set);
        json_t *frames = cmd_json_array(row, "frames"), *variants = cmd_json_array(row, "variants");
        for (uint32_t f = 0; f < VFX_MAX_VIEW_FRAMES && view->frames[f] != 0; f++)
            (void)json_array_append_new(frames, json_integer((json_int_t)view->frames[f]));
        for (uint32_t v = 0; v < kernel->variant_count; v++) {
            if (cmd_view_draws(view, &kernel->variants[v]))
                (void)json_array_append_new(variants, json_string(kernel->variants[v].name));
        }
    }
}

static void add_family_json(json_t *families, const vfx_kernel *kernel)
{
    json_t *family = cmd_json_append(families);
    cmd_json_text(family, "name", kernel->name);
    cmd_json_text(family, "summary", kernel->summary);
    json_t *variants = cmd_json_array(family, "variants");
    for (uint32_t i = 0; i < kernel->variant_count; i++) {
        json_t *variant = cmd_json_append(variants);
        cmd_json_text(variant, "name", kernel->variants[i].name);
        cmd_json_text(variant, "summary", kernel->variants[i].summary);
        cmd_json_bool(variant, "needs_subgroup_shuffle",
                      (kernel->variants[i].features & VFX_NEEDS_SUBGROUP_SHUFFLE) != 0);
        cmd_json_bool(variant, "needs_float16_storage",
                      (kernel->variants[i].features & VFX_NEEDS_FLOAT16_STORAGE) != 0);
        json_t *passes = cmd_json_array(variant, "passes"), *shaders = cmd_json_array(variant, "shaders");
        for (uint32_t p = 0; p < kernel->variants[i].pass_count; p++) {
            (void)json_array_append_new(passes, json_string(kernel->variants[i].passes[p].name));
            (void)json_array_append_new(shaders, json_string(kernel->variants[i].passes[p].spirv->name));
        }
    }
    json_t *presets = cmd_json_array(family, "presets");
    for (uint32_t i = 0; i < kernel->preset_count; i++) {
        json_t *preset = cmd_json_append(presets);
        cmd_json_text(preset, "name", kernel->presets[i].name);
        cmd_json_text(preset, "set", kernel->presets[i].set);
        cmd_json_u32(preset, "frames", kernel->presets[i].frames);
        cmd_json_text(preset, "summary", kernel->presets[i].summary);
    }
    add_views_json(family, kernel);
    add_params_json(family, kernel);
}

/* Name of a case at a point of the axes; USAGE when it has no such parameter or value. */
static vfx_status point_name(const cmd_choice *choice, const cmd_axes *axes, uint32_t point, char *name, size_t bytes)
{
    char label[CMD_AXIS_LABEL];
    vfx_case kase;
    cmd_choice_name(choice, name, bytes);
    VFX_TRY(vfx_case_init(&kase, choice->kernel, choice->variant, choice->preset->name));
    VFX_TRY(cmd_axes_label(axes, point, label));
    for (uint32_t i = 0; i < axes->count; i++) {
        char assignment[2 * CMD_AXIS_TEXT + 2];
        (void)snprintf(assignment, sizeof assignment, "%s=%s", axes->rows[i].name,
                       axes->rows[i].values[cmd_axes_value(axes, point, i)]);
        VFX_TRY(vfx_case_set(&kase, assignment));
    }
    if (axes->count > 0)
        cmd_append(name, bytes, "[%s]", label);
    return VFX_OK;
}

/* names[] = of every case at every point; prints them where `names` is NULL. */
static vfx_status list_names(const cmd_selection *selection, const cmd_axes *axes, json_t *names)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        for (uint32_t point = 0; point < cmd_axes_points(axes); point++) {
            char name[CMD_CASE_NAME];
            VFX_TRY(point_name(&selection->choices[i], axes, point, name, sizeof name));
            if (names != NULL)
                (void)json_array_append_new(names, json_string(name));
            else
                puts(name);
        }
    }
    return VFX_OK;
}

/* The families of the selected cases, and the case names. */
static vfx_status write_json(const cmd_options *options, const cmd_selection *selection, const cmd_axes *axes)
{
    json_t *root = json_object();
    cmd_json_u32(root, "schema_version", CMD_SCHEMA_VERSION);
    cmd_report_tool(root, "tool");
    cmd_json_text(root, "verb", "list");
    json_t *families = cmd_json_array(root, "families"), *cases = cmd_json_array(root, "cases");
    for (uint32_t i = 0; i < selection->count; i++) {
        if (i == 0 || selection->choices[i].kernel != selection->choices[i - 1].kernel)
            add_family_json(families, selection->choices[i].kernel);
    }
    char *text = NULL;
    vfx_status status = list_names(selection, axes, cases);
    if (status == VFX_OK)
        status = cmd_json_dump(root, &text);
    if (status == VFX_OK && options->output != NULL)
        status = vfx_write_file(options->output, text, strlen(text));
    if (status == VFX_OK && options->json)
        fputs(text, stdout);
    free(text);
    json_decref(root);
    return status;
}

static vfx_status print_selection(const cmd_options *options, const cmd_selection *selection, const cmd_axes *axes)
{
    if (options->names || axes->count > 0)
        return list_names(selection, axes, NULL);
    for (uint32_t i = 0; i < selection->count; i++) {
        if (i == 0 || selection->choices[i].kernel != selection->choices[i - 1].kernel)
            VFX_TRY(print_kernel(selection->choices[i].kernel));
    }
    return VFX_OK;
}

int cmd_list(const cmd_options *options)
{
    cmd_selection selection;
    cmd_axes axes;
    vfx_status status = cmd_select(vfx_kernels, vfx_kernel_count, &options->globs, &options->exclude,
                                   options->verb->default_glob, &selection);
    if (status == VFX_OK)
        status = cmd_axes_parse(&axes, &options->axis);
    if (status == VFX_OK && (options->json || options->output != NULL))
        status = write_json(options, &selection, &axes);
    if (status == VFX_OK && !options->json)
        status = print_selection(options, &selection, &axes);
    cmd_selection_free(&selection);
    if (status != VFX_OK)
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
    return status == VFX_OK ? CMD_EXIT_OK : cmd_exit_of(status, false);
}
