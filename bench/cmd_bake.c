/* bench/cmd_bake.c - `vfxbench bake`: a model's clips as textures in a folder, and a report of how wrong they are. All
 * that can be wrong with the arguments is found before the work begins. */
#include "bench/commands.h"
#include "bench/states.h"
#include "bench/text.h"
#include "core/image.h"
#include "core/platform.h"
#include "kernels/vat/bake.h"
#include "kernels/vat/gltf.h"
#include "kernels/vat/tube.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TUBE_VERTICES = 500, MAX_MANIFEST = 1 << 28 };
static const uint64_t progress_ns = 100000000; /* between lines of progress */

/* ------------------------------------------------------------------------------------------ progress */

typedef struct progress {
    bool shown;
    uint64_t next; /* when to print again, ns */
} progress;

static void show_progress(void *user, double share, const char *what)
{
    progress *p = user;
    uint64_t now = p->shown ? vfx_clock_ns() : 0;
    if (!p->shown || now < p->next)
        return;
    p->next = now + progress_ns;
    fprintf(stderr, "\r\033[Kbake %3.0f %% %s", 100 * share, what);
    (void)fflush(stderr);
}

static void clear_progress(const progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}

/* ------------------------------------------------------------------------------------------- options */

/* --loop as the baker wants it. */
static vfx_status set_loops(const cmd_options *options, vat_bake_options *bake)
{
    const cmd_values *loop = &options->loop;
    for (uint32_t i = 0; i < loop->count; i++) {
        bool all = strcmp(loop->items[i], "all") == 0, none = strcmp(loop->items[i], "none") == 0;
        if ((all || none) && loop->count > 1)
            return vfx_fail(VFX_USAGE, "--loop %s stands alone, not beside other values", loop->items[i]);
        bake->loop = all ? VAT_LOOP_ALL : none ? VAT_LOOP_NONE : VAT_LOOP_NAMED;
    }
    bake->loop_names = loop->items;
    bake->loop_name_count = bake->loop == VAT_LOOP_NAMED ? loop->count : 0;
    return VFX_OK;
}

static vfx_status set_options(const cmd_options *options, progress *p, vat_bake_options *bake)
{
    *bake = (vat_bake_options){.format = (vat_format)options->format,
                               .sampling = (vat_sampling)options->sampling,
                               .fps = options->fps,
                               .max_error = options->max_error,
                               .max_frames = options->max_frames,
                               .clip_names = options->clip.items,
                               .clip_name_count = options->clip.count,
                               .fit = options->fit,
                               .scale = options->scale,
                               .progress = show_progress,
                               .user = p};
    if (options->globs.count > 1)
        return vfx_fail(VFX_USAGE, "one model at a time; '%s' is a second one", options->globs.items[1]);
    if (options->fit && bake->format != VAT_RGBA8)
        return vfx_fail(VFX_USAGE, "--fit belongs to --format rgba8; %s always fits the model",
                        vat_format_names[bake->format]);
    if (options->json && options->out == NULL)
        return vfx_fail(VFX_USAGE, "--json prints the manifest of what is written; add --out DIR");
    return set_loops(options, bake);
}

/* --------------------------------------------------------------------------------------------- input */

/* What the manifest calls the model: the file's name without its folder. */
static const char *model_name(const cmd_options *options)
{
    if (options->globs.count == 0)
        return "tube";
    const char *slash = strrchr(options->globs.items[0], '/');
    return slash != NULL ? slash + 1 : options->globs.items[0];
}

static vfx_status load_model(const cmd_options *options, vat_model *model)
{
    if (options->globs.count == 0)
        return vat_tube_create(TUBE_VERTICES, model);
    VFX_TRY(vat_gltf_read(options->globs.items[0], model));
    if (model->warnings[0] != '\0' && !options->quiet)
        fprintf(stderr, "%s: %s\n", model_name(options), model->warnings);
    return VFX_OK;
}

/* Appends a PNG of any kind as 8-bit RGBA. */
static vfx_status load_skin(const char *path, vat_bake *skins)
{
    vfx_rgba image;
    VFX_TRY(vfx_rgba_read(path, &image));
    size_t samples = (size_t)image.width * image.height * 4;
    uint8_t *rgba = malloc(samples);
    if (rgba == NULL) {
        vfx_rgba_free(&image);
        return vfx_fail(VFX_MEMORY, "out of memory for the skin %s", path);
    }
    for (size_t i = 0; i < samples; i++)
        rgba[i] = (uint8_t)((image.samples[i] * UINT32_C(255) + image.maximum / 2) / image.maximum);
    vfx_status status = vat_bake_add_skin(skins, path, image.width, image.height, rgba);
    free(rgba);
    vfx_rgba_free(&image);
    return status;
}

/* The skins asked for, those of the built-in model, or none, in a bake that has nothing else. */
static vfx_status load_skins(const cmd_options *options, vat_bake *skins)
{
    for (uint32_t i = 0; i < options->skin.count; i++)
        VFX_TRY(load_skin(options->skin.items[i], skins));
    uint8_t rgba[VAT_TUBE_SKIN_SIDE * VAT_TUBE_SKIN_SIDE * 4];
    bool own = options->globs.count == 0 && options->skin.count == 0;
    for (uint32_t layer = 0; own && layer < VAT_TUBE_SKINS; layer++) {
        vat_tube_skin(layer, rgba);
        VFX_TRY(vat_bake_add_skin(skins, "of the tube", VAT_TUBE_SKIN_SIDE, VAT_TUBE_SKIN_SIDE, rgba));
    }
    return VFX_OK;
}

static vfx_status take_skins(vat_bake *bake, const vat_bake *skins)
{
    size_t bytes = (size_t)skins->skin_width * skins->skin_height * 4;
    for (uint32_t layer = 0; layer < skins->skin_layers; layer++)
        VFX_TRY(vat_bake_add_skin(bake, "given", skins->skin_width, skins->skin_height, skins->skin + layer * bytes));
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- report */

static vfx_status add_cell(cmd_table *table, uint32_t column, const char *format, double value)
{
    char text[32];
    cmd_format_number(format, value, text, sizeof text);
    return cmd_table_cell(table, column, text);
}

static vfx_status add_clip(cmd_table *table, const vat_clip *clip)
{
    VFX_TRY(cmd_table_row(table));
    VFX_TRY(cmd_table_cell(table, 0, clip->name));
    VFX_TRY(add_cell(table, 1, "%.0f", clip->first));
    VFX_TRY(add_cell(table, 2, "%.0f", clip->frames));
    VFX_TRY(add_cell(table, 3, "%.3f", clip->fps));
    VFX_TRY(add_cell(table, 4, "%.3f", clip->duration));
    VFX_TRY(cmd_table_cell(table, 5, clip->loop ? "yes" : "no"));
    VFX_TRY(add_cell(table, 6, "%.4f", 100 * clip->temporal.worst));
    VFX_TRY(add_cell(table, 7, "%.4f", 100 * clip->temporal.rms));
    return add_cell(table, 8, "%.4f", 100 * clip->loop_closure);
}

static vfx_status print_clips(const vat_bake *bake)
{
    static const char *const heads[] = {
        "clip", "first", "frames", "fps", "seconds", "loops", "temporal worst %", "rms %", "loop closure %"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    cmd_table table = {0};
    vfx_status status = cmd_table_row(&table);
    for (uint32_t c = 0; status == VFX_OK && c < COLUMNS; c++) {
        table.right[c] = c > 0;
        status = cmd_table_cell(&table, c, heads[c]);
    }
    for (uint32_t i = 0; status == VFX_OK && i < bake->clip_count; i++)
        status = add_clip(&table, &bake->clips[i]);
    if (status == VFX_OK)
        cmd_table_print(&table, stdout, false);
    cmd_table_free(&table);
    return status;
}

static vfx_status print_report(const cmd_options *options, const vat_bake *bake)
{
    printf("%s: %u vertices in %u parts, %u clips, %u frames, extent %.6g m\n\n", model_name(options),
           (unsigned)bake->vertices, (unsigned)bake->part_count, (unsigned)bake->clip_count, (unsigned)bake->frames,
           bake->extent);
    VFX_TRY(print_clips(bake));
    printf("\nerrors as shares of the extent   worst          rms\n");
    printf("  temporal (lerp, 60 Hz)     %9.5f %%  %9.5f %%\n", 100 * bake->temporal.worst, 100 * bake->temporal.rms);
    printf("  quantisation (%-7s)     %9.5f %%  %9.5f %%\n", vat_format_names[bake->format],
           100 * bake->quantisation.worst, 100 * bake->quantisation.rms);
    printf("  loop closure               %9.5f %%\n", 100 * bake->loop_closure);
    printf("  normals                    %9.5f deg%9.5f deg\n", bake->normal.worst, bake->normal.rms);
    printf("bytes %" PRIu64 " (%s, %s sampling)\n", bake->bytes, vat_format_names[bake->format],
           vat_sampling_names[bake->sampling]);
    if (options->out != NULL)
        printf("written to %s\n", options->out);
    return VFX_OK;
}

static vfx_status print_manifest(const char *folder)
{
    char path[4096];
    void *text = NULL;
    size_t bytes = 0;
    (void)snprintf(path, sizeof path, "%s/manifest.json", folder);
    VFX_TRY(vfx_read_file(path, MAX_MANIFEST, &text, &bytes));
    (void)fwrite(text, 1, bytes, stdout);
    free(text);
    return VFX_OK;
}

/* --------------------------------------------------------------------------------------------- verb */

/* Bakes, writes and prints; what it fills is the caller's to free. */
static vfx_status bake_model(const cmd_options *options, progress *p, vat_model *model, vat_bake *skins, vat_bake *bake)
{
    vat_bake_options how;
    VFX_TRY(set_options(options, p, &how));
    VFX_TRY(load_skins(options, skins));
    if (options->out != NULL)
        VFX_TRY(vat_bake_check_folder(options->out));
    VFX_TRY(load_model(options, model));
    VFX_TRY(vat_bake_create(model, &how, bake));
    VFX_TRY(take_skins(bake, skins));
    if (options->out != NULL) {
        show_progress(p, 1, "writing");
        VFX_TRY(vat_bake_write(bake, options->out, model_name(options)));
    }
    clear_progress(p);
    if (options->json)
        return print_manifest(options->out);
    return options->quiet ? VFX_OK : print_report(options, bake);
}

int cmd_bake(const cmd_options *options)
{
    progress p = {!options->quiet && vfx_is_terminal(2), 0};
    vat_model model = {0};
    vat_bake skins = {0}, bake = {0};
    vfx_status status = bake_model(options, &p, &model, &skins, &bake);
    if (status != VFX_OK) {
        clear_progress(&p);
        fprintf(stderr, "vfxbench: %s\n", vfx_message());
    }
    vat_bake_free(&bake);
    vat_bake_free(&skins);
    vat_model_free(&model);
    return status == VFX_OK ? CMD_EXIT_OK : cmd_exit_of(status, true);
}
