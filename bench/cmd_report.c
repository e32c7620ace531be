/* bench/cmd_report.c - `vfxbench report`: result files as one HTML page that needs nothing else. */
#include "bench/commands.h"
#include "bench/html_section.h"
#include "bench/states.h"
#include "core/platform.h"

#include <string.h>

/* A folder that was named must be there: a page without its pictures would look complete. */
static vfx_status check_goldens(const char *folder)
{
    vfx_names names = {0};
    if (folder == NULL)
        return VFX_OK;
    vfx_status status = vfx_list_folder(folder, &names);
    if (status == VFX_OK && !names.exists)
        status = vfx_fail(VFX_IO, "--goldens: there is no folder %s", folder);
    vfx_names_free(&names);
    return status;
}

/* A result is never overwritten by its own report. */
static vfx_status check_output(const cmd_options *options)
{
    for (uint32_t i = 0; i < options->globs.count; i++) {
        if (strcmp(options->globs.items[i], options->output) == 0)
            return vfx_fail(VFX_USAGE, "%s is both a result and the output; name another file with -o",
                            options->output);
    }
    return vfx_check_writable(options->output);
}

static vfx_status write_report(const cmd_options *options, cmd_html_data *data, cmd_html *page)
{
    if (options->globs.count == 0)
        return vfx_fail(VFX_USAGE, "report needs result files, as verify, time and golden write them with -o");
    if (options->output == NULL)
        return vfx_fail(VFX_USAGE, "report needs a file to write: -o report.html");
    VFX_TRY(check_output(options));
    VFX_TRY(check_goldens(options->goldens));
    VFX_TRY(cmd_html_load(data, &options->globs));
    cmd_html_page(page, data, options->goldens);
    VFX_TRY(cmd_html_status(page));
    return vfx_write_file(options->output, page->text, page->bytes);
}

int cmd_report(const cmd_options *options)
{
    cmd_html_data data = {0};
    cmd_html page = {0};
    vfx_status status = write_report(options, &data, &page);
    if (status != VFX_OK)
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
    else if (!options->quiet)
        printf("%s: %u cases of %u result file%s, %.0f KiB\n", options->output, (unsigned)data.entry_count,
               (unsigned)data.result_count, data.result_count == 1 ? "" : "s", (double)page.bytes / 1024.0);
    cmd_html_free(&page);
    cmd_html_data_free(&data);
    return cmd_exit_of(status, false);
}
