/* bench/html_pictures.c - the goldens of a family, embedded: expected, actual and difference of each that failed, the
 * picture itself of those that passed, and what --goldens DIR holds besides. */
#include "bench/html_section.h"
#include "bench/text.h"
#include "core/platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 1024, SHOWN = 96 /* pictures of a family */ };
static const size_t max_picture_bytes = (size_t)1 << 20, max_page_bytes = (size_t)24 << 20;

/* A golden of a case. */
typedef struct golden {
    const cmd_html_entry *entry;
    const json_t *object;
    const char *path;
} golden;

/* --------------------------------------------------------------------------------------- one picture */

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Width and height in the head of a PNG; false for what is none, or has sides out of reason. */
static bool png_size(const void *data, size_t bytes, unsigned *width, unsigned *height)
{
    static const unsigned char head[16] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    if (bytes < 33 || memcmp(data, head, sizeof head) != 0)
        return false;
    *width = word_at((const unsigned char *)data + 16);
    *height = word_at((const unsigned char *)data + 20);
    return *width > 0 && *height > 0 && *width <= 16384 && *height <= 16384;
}

/* Reads `path` as it is, then as beside the result file. The message is that of the first. */
static vfx_status read_picture(const char *path, const char *beside, void **data, size_t *bytes)
{
    char near[PATH], message[512];
    vfx_status status = vfx_read_file(path, max_picture_bytes, data, bytes);
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL;
    if (status == VFX_OK || slash == NULL || *path == '/')
        return status;
    cmd_copy(message, sizeof message, vfx_message());
    int length = snprintf(near, sizeof near, "%.*s/%s", (int)(slash - beside), beside, path);
    if (length > 0 && length < (int)sizeof near && vfx_read_file(near, max_picture_bytes, data, bytes) == VFX_OK)
        return VFX_OK;
    return vfx_fail(status, "%s", message);
}

static void add_absent(cmd_html *html, const char *what, const char *why)
{
    cmd_html_add(html, "<div class=\"picture\"><div class=\"absent\">%s: %s</div></div>\n", what, why);
}

/* The picture with two lines below it, or the reason why it is left out. */
static void add_picture(cmd_html *html, const char *path, const char *beside, const char *what, const char *note)
{
    void *data = NULL;
    size_t bytes = 0;
    unsigned width, height;
    if (path == NULL) {
        add_absent(html, what, "no picture is named in the result");
        return;
    }
    if (read_picture(path, beside, &data, &bytes) != VFX_OK) {
        add_absent(html, what, vfx_message());
    } else if (!png_size(data, bytes, &width, &height)) {
        add_absent(html, what, "left out, the file is not a PNG picture");
    } else if (bytes > max_page_bytes - html->picture_bytes) {
        add_absent(html, what, "left out, the pictures of this page have reached 24 MiB");
    } else {
        html->picture_bytes += bytes;
        cmd_html_add(html, "<div class=\"picture\"><img width=\"%u\" height=\"%u\" alt=\"%s\" src=\"", width, height,
                     what);
        cmd_html_png(html, data, bytes);
        cmd_html_add(html, "\"><div>%s", what);
        if (note != NULL && *note != '\0')
            cmd_html_add(html, "<br><small>%s</small>", note);
        cmd_html_raw(html, "</div></div>\n");
    }
    free(data);
}

/* ------------------------------------------------------------------------------------------- goldens */

static int compare(const void *left, const void *right)
{
    const golden *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order != 0 ? order : (a->entry->order > b->entry->order) - (a->entry->order < b->entry->order);
}

static golden *collect(const cmd_html_data *data, const cmd_html_family *family, uint32_t *count)
{
    golden *list = calloc((size_t)family->count + 1, sizeof *list);
    *count = 0;
    for (uint32_t i = family->first; list != NULL && i < family->first + family->count; i++) {
        const json_t *object = json_object_get(data->order[i]->object, "golden");
        const char *path = cmd_html_text_at(object, "path");
        if (!data->order[i]->superseded && json_is_object(object))
            list[(*count)++] = (golden){data->order[i], object, path != NULL ? path : ""};
    }
    if (list != NULL)
        qsort(list, *count, sizeof *list, compare);
    return list;
}

/* "arch-060" */
static void name_of(const golden *g, char *text, size_t bytes)
{
    const char *view = cmd_html_text_at(g->object, "view");
    double frame = cmd_html_number_at(g->object, "frame");
    *text = '\0';
    cmd_append(text, bytes, "%s", view != NULL ? view : "no data");
    if (frame >= 0.0 && frame < 1e9)
        cmd_append(text, bytes, ", frame %.0f", frame);
}

/* The numbers of a comparison in a line. */
static void numbers_of(const golden *g, char *text, size_t bytes)
{
    const json_t *flip = json_object_get(g->object, "flip"), *limits = json_object_get(g->object, "limits");
    const struct {
        const char *name;
        double value, limit;
    } rows[] = {{"pixels that differ", cmd_html_count_at(g->object, "different_pixels"), (double)NAN},
                {"largest difference", cmd_html_count_at(g->object, "largest_difference"), 255.0},
                {"largest blob", cmd_html_count_at(g->object, "blob_pixels"), cmd_html_count_at(limits, "blob_pixels")},
                {"FLIP mean", cmd_html_number_at(flip, "mean"), cmd_html_number_at(limits, "mean")},
                {"weighted q3", cmd_html_number_at(flip, "weighted_q3"), cmd_html_number_at(limits, "weighted_q3")},
                {"weighted p99", cmd_html_number_at(flip, "weighted_p99"), cmd_html_number_at(limits, "weighted_p99")}};
    *text = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!isfinite(rows[i].value))
            continue;
        cmd_append(text, bytes, "%s%s %.4g", *text != '\0' ? "; " : "", rows[i].name, rows[i].value);
        if (isfinite(rows[i].limit))
            cmd_append(text, bytes, " of %.4g", rows[i].limit);
    }
}

static void add_failed(cmd_html *html, const golden *g)
{
    const json_t *files = json_object_get(g->object, "files");
    const char *beside = g->entry->result->path;
    char name[128], numbers[512];
    name_of(g, name, sizeof name);
    numbers_of(g, numbers, sizeof numbers);
    cmd_html_add(html, "<h4><span class=\"badge bad\">%s</span> %s &middot; %s", g->entry->state, name,
                 g->entry->variant);
    cmd_html_add(html, " <small>%s</small></h4><div class=\"triple\">\n", numbers);
    add_picture(html, *g->path != '\0' ? g->path : NULL, beside, "expected", NULL);
    add_picture(html, cmd_html_text_at(files, "actual"), beside, "actual", NULL);
    add_picture(html, cmd_html_text_at(files, "heat"), beside, "difference", NULL);
    cmd_html_raw(html, "</div>\n");
}

/* The picture of `count` goldens of one path, none of which is bad. */
static void add_passed(cmd_html *html, const golden *list, uint32_t count)
{
    char name[128], note[128];
    uint32_t identical = 0, passed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *gate = cmd_html_text_at(list[i].object, "gate");
        passed += strcmp(list[i].entry->state, "pass") == 0;
        identical += gate != NULL && strcmp(gate, "identical") == 0;
    }
    name_of(list, name, sizeof name);
    (void)snprintf(note, sizeof note, "passed by %u of %u, identical in %u", (unsigned)passed, (unsigned)count,
                   (unsigned)identical);
    add_picture(html, *list->path != '\0' ? list->path : NULL, list->entry->result->path, name, note);
}

/* -------------------------------------------------------------------------------------------- folder */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_shown(const golden *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(base_of(list[i].path), name) == 0)
            return true;
    }
    return false;
}

static bool is_plain_name(const char *name)
{
    return *name != '\0' && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

/* What the sidecar says: the case, and why the picture is as it is. */
static void sidecar_note(const char *picture, char *text, size_t bytes)
{
    char path[PATH];
    cmd_copy(path, sizeof path, picture);
    char *dot = strrchr(path, '.');
    *text = '\0';
    if (dot == NULL || strlen(path) + 2 > sizeof path)
        return;
    (void)snprintf(dot, sizeof path - (size_t)(dot - path), ".json");
    json_t *sidecar = json_load_file(path, 0, NULL);
    const char *kase = cmd_html_text_at(sidecar, "case"), *reason = cmd_html_text_at(sidecar, "reason");
    cmd_append(text, bytes, "%s%s%s", kase != NULL ? kase : "", kase != NULL && reason != NULL ? ": " : "",
               reason != NULL ? reason : "");
    json_decref(sidecar);
}

static void add_folder(cmd_html *html, const char *folder, const char *family, const golden *list, uint32_t count)
{
    char path[PATH], note[400];
    vfx_names names = {0};
    int length = snprintf(path, sizeof path, "%s/%s", folder, family);
    if (length > 0 && length < (int)sizeof path && vfx_list_folder(path, &names) == VFX_OK) {
        for (size_t i = 0; i < names.count && i < SHOWN; i++) {
            const char *dot = strrchr(names.items[i], '.');
            length = snprintf(path, sizeof path, "%s/%s/%s", folder, family, names.items[i]);
            if (dot == NULL || strcmp(dot, ".png") != 0 || length < 0 || length >= (int)sizeof path ||
                is_shown(list, count, names.items[i]))
                continue;
            sidecar_note(path, note, sizeof note);
            add_picture(html, path, NULL, names.items[i], note);
        }
    }
    vfx_names_free(&names);
}

void cmd_html_pictures(cmd_html *html, const cmd_html_data *data, const cmd_html_family *family, const char *goldens)
{
    cmd_html inner = {.picture_bytes = html->picture_bytes};
    uint32_t count, shown = 0;
    golden *list = collect(data, family, &count);
    inner.failed = list == NULL;
    for (uint32_t i = 0; list != NULL && i < count && shown < SHOWN; i++) {
        if (list[i].entry->bad) {
            add_failed(&inner, &list[i]);
            shown++;
        }
    }
    cmd_html_raw(&inner, "<div class=\"pictures\">");
    size_t before = inner.bytes, empty = shown;
    for (uint32_t i = 0, next; list != NULL && i < count && shown < SHOWN; i = next) {
        bool bad = false;
        for (next = i; next < count && strcmp(list[i].path, list[next].path) == 0; next++)
            bad = bad || list[next].entry->bad;
        if (bad)
            continue;
        add_passed(&inner, &list[i], next - i);
        shown++;
    }
    if (goldens != NULL && is_plain_name(family->name))
        add_folder(&inner, goldens, family->name, list, count);
    bool any = empty > 0 || inner.bytes > before;
    cmd_html_raw(&inner, "</div>");
    html->failed = html->failed || inner.failed;
    html->picture_bytes = inner.picture_bytes;
    if (any && inner.text != NULL) {
        cmd_figure_open(html, "shots", "Pictures");
        cmd_html_raw(html, inner.text);
        cmd_figure_close(html,
                         "Drawn on the CPU from the buffers: expected is the stored golden of the reference, actual "
                         "what the device computed, difference the FLIP error from dark (not visible) to yellow. "
                         "Files over 1 MiB and more than 24 MiB in all are left out.");
    }
    cmd_html_free(&inner);
    free(list);
}
