/* bench/select.c - case selection by glob. */
#include "bench/select.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void cmd_choice_name(const cmd_choice *choice, char *name, size_t bytes)
{
    (void)snprintf(name, bytes, "%s/%s/%s", choice->kernel->name, choice->variant->name, choice->preset->name);
}

static void append(char *text, size_t bytes, const char *prefix, const char *word)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, bytes - used, "%s%s", prefix, word);
}

/* What a wrong glob could have named: of the family it begins with, its variants and presets; else the families. */
static void describe_existing(const vfx_kernel *const kernels[], uint32_t count, const char *glob, char *text,
                              size_t bytes)
{
    *text = '\0';
    for (uint32_t k = 0; k < count; k++) {
        size_t length = strlen(kernels[k]->name);
        if (strncmp(glob, kernels[k]->name, length) != 0 || (glob[length] != '/' && glob[length] != '\0'))
            continue;
        append(text, bytes, "family ", kernels[k]->name);
        for (uint32_t v = 0; v < kernels[k]->variant_count; v++)
            append(text, bytes, v == 0 ? " has the variants " : ", ", kernels[k]->variants[v].name);
        for (uint32_t p = 0; p < kernels[k]->preset_count; p++)
            append(text, bytes, p == 0 ? " and the presets " : ", ", kernels[k]->presets[p].name);
        return;
    }
    append(text, bytes, "", "names are family/variant/preset; families: ");
    for (uint32_t k = 0; k < count; k++)
        append(text, bytes, k == 0 ? "" : ", ", kernels[k]->name);
}

/* Total number of cases in the table; USAGE when there are none. */
static vfx_status count_cases(const vfx_kernel *const kernels[], uint32_t kernel_count, size_t *total)
{
    *total = 0;
    for (uint32_t k = 0; k < kernel_count; k++) {
        size_t cases;
        if (!vfx_mul_size(kernels[k]->variant_count, kernels[k]->preset_count, &cases) ||
            !vfx_add_size(*total, cases, total))
            return vfx_fail(VFX_USAGE, "family %s has too many cases", kernels[k]->name);
    }
    return *total > 0 ? VFX_OK : vfx_fail(VFX_USAGE, "this build has no kernel families");
}

/* Every glob must match something, else a typing error would silently select less. */
static vfx_status check_globs(const vfx_kernel *const kernels[], uint32_t kernel_count, const cmd_values *globs,
                              const bool matched[])
{
    char existing[768];
    for (uint32_t i = 0; i < globs->count; i++) {
        if (matched[i])
            continue;
        describe_existing(kernels, kernel_count, globs->items[i], existing, sizeof existing);
        return vfx_fail(VFX_USAGE, "no case matches '%.100s': %s; see vfxbench list --names", globs->items[i],
                        existing);
    }
    return VFX_OK;
}

/* Marks every glob that the name matches; true if any does. */
static bool mark_matches(const cmd_values *globs, const char *name, bool matched[])
{
    bool any = false;
    for (uint32_t i = 0; i < globs->count; i++) {
        bool matches = fnmatch(globs->items[i], name, 0) == 0;
        matched[i] = matched[i] || matches;
        any = any || matches;
    }
    return any;
}

vfx_status cmd_select(const vfx_kernel *const kernels[], uint32_t kernel_count, const cmd_values *globs,
                      const cmd_values *exclude, const char *default_glob, cmd_selection *selection)
{
    memset(selection, 0, sizeof *selection);
    cmd_values fallback = {{default_glob}, 1};
    if (globs->count == 0 && default_glob == NULL)
        return vfx_fail(VFX_USAGE, "name the case to run, as family/variant/preset; see vfxbench list --names");
    if (globs->count == 0)
        globs = &fallback;
    size_t total, bytes;
    VFX_TRY(count_cases(kernels, kernel_count, &total));
    if (!vfx_mul_size(total, sizeof *selection->choices, &bytes) || (selection->choices = malloc(bytes)) == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %zu cases", total);
    bool matched[CMD_MAX_VALUES] = {false}, excluded[CMD_MAX_VALUES] = {false};
    for (uint32_t k = 0; k < kernel_count; k++) {
        const vfx_kernel *kernel = kernels[k];
        for (uint32_t v = 0; v < kernel->variant_count; v++) {
            for (uint32_t p = 0; p < kernel->preset_count; p++) {
                cmd_choice choice = {kernel, &kernel->variants[v], &kernel->presets[p]};
                char name[CMD_CASE_NAME];
                cmd_choice_name(&choice, name, sizeof name);
                bool wanted = mark_matches(globs, name, matched);
                bool unwanted = mark_matches(exclude, name, excluded);
                if (wanted && !unwanted)
                    selection->choices[selection->count++] = choice;
            }
        }
    }
    VFX_TRY(check_globs(kernels, kernel_count, globs, matched));
    VFX_TRY(check_globs(kernels, kernel_count, exclude, excluded));
    if (selection->count == 0)
        return vfx_fail(VFX_USAGE, "nothing selected: --exclude leaves none of the cases");
    return VFX_OK;
}

void cmd_selection_free(cmd_selection *selection)
{
    free(selection->choices);
    memset(selection, 0, sizeof *selection);
}
