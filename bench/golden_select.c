/* bench/golden_select.c - selection of goldens by glob. */
#include "bench/golden_select.h"
#include "bench/golden.h"
#include "bench/picture_run.h"
#include "bench/text.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void cmd_golden_choice_name(const cmd_golden_choice *choice, char *name, size_t bytes)
{
    (void)snprintf(name, bytes, "%s/%s/%s", choice->kernel->name, choice->variant->name, choice->view->name);
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

/* Every glob must match something, else a typing error would silently select less. */
static vfx_status check_globs(const vfx_kernel *const kernels[], uint32_t kernel_count, const cmd_values *globs,
                              const bool matched[])
{
    for (uint32_t i = 0; i < globs->count; i++) {
        char views[768] = "";
        for (uint32_t k = 0; k < kernel_count && !matched[i]; k++) {
            for (uint32_t v = 0; v < kernels[k]->view_count; v++)
                cmd_append(views, sizeof views, "%s%s/*/%s", views[0] != '\0' ? ", " : "", kernels[k]->name,
                           kernels[k]->views[v].name);
        }
        if (!matched[i])
            return vfx_fail(VFX_USAGE,
                            "no golden matches '%.100s': names are family/variant/view, behind check or bless; "
                            "there are %s",
                            globs->items[i], views[0] != '\0' ? views : "none in this build");
    }
    return VFX_OK;
}

/* Adds the choice; for `first_variant` with the variant of the view's goldens, unless it is there already. */
static void add_choice(cmd_golden_selection *selection, cmd_golden_choice choice, bool first_variant)
{
    if (first_variant)
        choice.variant = cmd_golden_variant(choice.kernel, choice.view);
    for (uint32_t i = 0; i < selection->count; i++) {
        const cmd_golden_choice *other = &selection->choices[i];
        if (other->view == choice.view && other->variant == choice.variant)
            return;
    }
    selection->choices[selection->count++] = choice;
}

/* Room for all views of all variants. */
static vfx_status make_room(const vfx_kernel *const kernels[], uint32_t kernel_count, cmd_golden_selection *selection)
{
    size_t total = 1, bytes = 0;
    bool fits = true;
    for (uint32_t k = 0; k < kernel_count; k++) {
        size_t views;
        fits = fits && vfx_mul_size(kernels[k]->variant_count, kernels[k]->view_count, &views) &&
               vfx_add_size(total, views, &total);
    }
    if (fits && vfx_mul_size(total, sizeof *selection->choices, &bytes))
        selection->choices = malloc(bytes);
    return selection->choices != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for the views of all variants");
}

vfx_status cmd_golden_select(const vfx_kernel *const kernels[], uint32_t kernel_count, const cmd_values *globs,
                             const cmd_values *exclude, const char *fallback, bool first_variants,
                             cmd_golden_selection *selection)
{
    cmd_values all = {{fallback}, 1};
    bool matched[CMD_MAX_VALUES] = {false}, excluded[CMD_MAX_VALUES] = {false};
    memset(selection, 0, sizeof *selection);
    if (globs->count == 0)
        globs = &all;
    VFX_TRY(make_room(kernels, kernel_count, selection));
    for (uint32_t k = 0; k < kernel_count; k++) {
        for (uint32_t p = 0; p < kernels[k]->variant_count * kernels[k]->view_count; p++) {
            const vfx_kernel *kernel = kernels[k];
            cmd_golden_choice choice = {kernel, &kernel->variants[p / kernel->view_count],
                                        &kernel->views[p % kernel->view_count]};
            char name[CMD_CASE_NAME];
            if (!cmd_view_draws(choice.view, choice.variant))
                continue;
            cmd_golden_choice_name(&choice, name, sizeof name);
            bool wanted = mark_matches(globs, name, matched);
            bool unwanted = mark_matches(exclude, name, excluded);
            if (wanted && !unwanted)
                add_choice(selection, choice, first_variants);
        }
    }
    VFX_TRY(check_globs(kernels, kernel_count, globs, matched));
    VFX_TRY(check_globs(kernels, kernel_count, exclude, excluded));
    if (selection->count == 0)
        return vfx_fail(VFX_USAGE, "nothing selected: --exclude leaves none of the goldens");
    return VFX_OK;
}

void cmd_golden_selection_free(cmd_golden_selection *selection)
{
    free(selection->choices);
    memset(selection, 0, sizeof *selection);
}
