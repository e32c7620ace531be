/* bench/html_index.c - cases in order: which are the same in several files, which differ in what, which belong together
 * in a plot. Everything is found by sorting, so that ten thousand cases are no trouble. */
#include "bench/html_data.h"
#include "bench/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cmd_html_entry *at(const void *element)
{
    return *(cmd_html_entry *const *)element;
}

static int by_number(double a, double b) /* NaN last */
{
    if (isnan(a) || isnan(b))
        return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
    return (a > b) - (a < b);
}

static int by_place(const cmd_html_entry *a, const cmd_html_entry *b)
{
    return (a->order > b->order) - (a->order < b->order);
}

static int same_name(const cmd_html_entry *a, const cmd_html_entry *b)
{
    int order = strcmp(a->family, b->family);
    order = order != 0 ? order : strcmp(a->variant, b->variant);
    return order != 0 ? order : strcmp(a->preset, b->preset);
}

static int compare_key(const void *left, const void *right)
{
    int order = strcmp(at(left)->key, at(right)->key);
    return order != 0 ? order : by_place(at(left), at(right));
}

static int compare_variant(const void *left, const void *right)
{
    int order = same_name(at(left), at(right));
    return order != 0 ? order : by_place(at(left), at(right));
}

static int compare_preset(const void *left, const void *right)
{
    int order = strcmp(at(left)->family, at(right)->family);
    order = order != 0 ? order : strcmp(at(left)->preset, at(right)->preset);
    return order != 0 ? order : by_place(at(left), at(right));
}

static int compare_shown(const void *left, const void *right)
{
    const cmd_html_entry *a = at(left), *b = at(right);
    int order = strcmp(a->family, b->family);
    order = order != 0 ? order : by_number(a->preset_rank, b->preset_rank);
    order = order != 0 ? order : strcmp(a->preset, b->preset);
    order = order != 0 ? order : by_number(a->median, b->median);
    return order != 0 ? order : by_place(a, b);
}

static void sort(cmd_html_entry **list, uint32_t count, int (*compare)(const void *, const void *))
{
    qsort(list, count, sizeof(cmd_html_entry *), compare);
}

/* --------------------------------------------------------------------------------------------- keys */

static vfx_status make_key(cmd_html_entry *entry)
{
    char *facts = json_dumps(entry->facts, JSON_COMPACT | JSON_SORT_KEYS);
    const char *parts[] = {entry->family,         entry->variant,        entry->preset,
                           entry->result->device, entry->result->driver, facts};
    size_t bytes = 1;
    for (size_t i = 0; facts != NULL && i < sizeof parts / sizeof *parts; i++)
        bytes += strlen(parts[i]) + 1;
    entry->key = facts != NULL ? calloc(1, bytes) : NULL;
    for (size_t i = 0; entry->key != NULL && i < sizeof parts / sizeof *parts; i++)
        cmd_append(entry->key, bytes, "%s\n", parts[i]);
    free(facts);
    return entry->key != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
}

/* A later entry of the same key and verb takes the place of an earlier one. */
static void mark_superseded(cmd_html_data *data)
{
    for (uint32_t i = 0; i < data->entry_count; i++) {
        cmd_html_entry *entry = data->by_key[i];
        for (uint32_t j = i + 1; j < data->entry_count && strcmp(data->by_key[j]->key, entry->key) == 0; j++) {
            if (strcmp(data->by_key[j]->result->verb, entry->result->verb) == 0) {
                entry->superseded = true;
                break;
            }
        }
    }
}

/* ------------------------------------------------------------------------------------------- labels */

/* Adds "name=value" to the text. */
static void add_fact(char *text, size_t bytes, const char *name, const json_t *value)
{
    const char *string = json_string_value(value);
    char *dumped = string == NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)) : NULL;
    cmd_append(text, bytes, "%s%s=%s", *text != '\0' ? ", " : "", name,
               string != NULL   ? string
               : dumped != NULL ? dumped
                                : "-");
    free(dumped);
}

/* Gives the entries of one name their extras: the facts that are not the same in all of them. */
static vfx_status label(cmd_html_entry *const *list, uint32_t count, bool devices)
{
    char *texts = calloc(count, 256);
    if (texts == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
    const char *name;
    json_t *value;
    json_object_foreach(list[0]->facts, name, value)
    {
        bool differs = false;
        for (uint32_t i = 1; i < count && !differs; i++)
            differs = !json_equal(value, json_object_get(list[i]->facts, name));
        for (uint32_t i = 0; differs && i < count; i++)
            add_fact(&texts[256 * (size_t)i], 256, name, json_object_get(list[i]->facts, name));
    }
    vfx_status status = VFX_OK;
    for (uint32_t i = 0; status == VFX_OK && i < count; i++) {
        char *text = &texts[256 * (size_t)i];
        const char *device = list[i]->result->device, *detail = strstr(device, " (");
        if (devices)
            cmd_append(text, 256, "%s%.*s", *text != '\0' ? ", " : "",
                       (int)(detail != NULL ? (size_t)(detail - device) : strlen(device)), device);
        list[i]->extra = strdup(text);
        if (list[i]->extra == NULL)
            status = vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
    }
    free(texts);
    return status;
}

static vfx_status label_all(cmd_html_data *data)
{
    sort(data->order, data->entry_count, compare_variant);
    uint32_t index = 0;
    for (uint32_t i = 0, next; i < data->entry_count; i = next) {
        const cmd_html_entry *first = data->order[i], *before = i > 0 ? data->order[i - 1] : NULL;
        bool family = before == NULL || strcmp(before->family, first->family) != 0;
        index = family ? 0 : index + (strcmp(before->variant, first->variant) != 0);
        for (next = i; next < data->entry_count && same_name(first, data->order[next]) == 0; next++)
            data->order[next]->variant_index = index;
        VFX_TRY(label(&data->order[i], next - i, data->device_count > 1));
    }
    return VFX_OK;
}

/* ----------------------------------------------------------------------------------------- families */

static void rank_presets(cmd_html_data *data)
{
    sort(data->order, data->entry_count, compare_preset);
    for (uint32_t i = 0, next; i < data->entry_count; i = next) {
        const cmd_html_entry *first = data->order[i];
        double least = (double)NAN;
        for (next = i; next < data->entry_count && strcmp(first->family, data->order[next]->family) == 0 &&
                       strcmp(first->preset, data->order[next]->preset) == 0;
             next++)
            least = fmin(least, data->order[next]->median); /* fmin leaves NaN out */
        for (uint32_t j = i; j < next; j++)
            data->order[j]->preset_rank = least;
    }
    sort(data->order, data->entry_count, compare_shown);
}

static vfx_status find_families(cmd_html_data *data)
{
    data->families = calloc(data->entry_count > 0 ? data->entry_count : 1, sizeof *data->families);
    if (data->families == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
    for (uint32_t i = 0; i < data->entry_count; i++) {
        const char *name = data->order[i]->family;
        cmd_html_family *last = data->family_count > 0 ? &data->families[data->family_count - 1] : NULL;
        if (last == NULL || strcmp(last->name, name) != 0) {
            last = &data->families[data->family_count++];
            last->name = name;
            last->first = i;
        }
        last->count++;
        if (last->variant_count <= data->order[i]->variant_index)
            last->variant_count = data->order[i]->variant_index + 1;
    }
    return VFX_OK;
}

vfx_status cmd_html_index(cmd_html_data *data)
{
    size_t count = data->entry_count > 0 ? data->entry_count : 1;
    data->order = calloc(count, sizeof(cmd_html_entry *));
    data->by_key = calloc(count, sizeof(cmd_html_entry *));
    if (data->order == NULL || data->by_key == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the cases of a report");
    for (uint32_t i = 0; i < data->entry_count; i++) {
        VFX_TRY(make_key(&data->entries[i]));
        data->order[i] = data->by_key[i] = &data->entries[i];
    }
    sort(data->by_key, data->entry_count, compare_key);
    mark_superseded(data);
    VFX_TRY(label_all(data));
    rank_presets(data);
    return find_families(data);
}
