/* bench/html_data.h - result files as a report sees them: read, taken apart into cases, put in order. Nothing in a file
 * is trusted: what is missing or of a wrong type is NULL or NaN here and "no data" on the page. */
#ifndef BENCH_HTML_DATA_H
#define BENCH_HTML_DATA_H

#include "bench/json.h"
#include "bench/options.h"

/* A result file. Texts belong to the document. */
typedef struct cmd_html_result {
    const char *path;
    json_t *root;
    const char *git, *verb, *device, *driver; /* "no data" where missing */
    const json_t *ceilings;                   /* object or NULL */
    uint32_t device_index, commit_index;      /* among the distinct devices and git ids, in order of appearance */
} cmd_html_result;

/* A case of a result file. */
typedef struct cmd_html_entry {
    const json_t *object;
    const cmd_html_result *result;
    uint32_t order;                         /* place in the order of files and cases */
    char *name;                             /* the id, cut into the next three */
    const char *family, *variant, *preset;  /* "-" where missing */
    json_t *facts;                          /* all that the case is, besides its name: parameters, frames, ... */
    char *key;                              /* name, facts and device: the same in results that can be compared */
    char *extra;                            /* what tells it from others of its name: "sides=6, frames=9", or "" */
    const char *state, *reason;             /* reason: NULL if none */
    bool bad;                               /* the state is none that is as wanted, skipped or unsupported */
    bool superseded;                        /* a later file has the same of the same verb */
    const json_t *timing;                   /* object or NULL */
    double median, min, p25, p75, p95, max; /* ns a frame; NaN without */
    uint32_t variant_index;                 /* among the family's variants */
    double preset_rank;                     /* least median of the preset, ns */
} cmd_html_entry;

/* Entries order[first] to order[first + count - 1]. */
typedef struct cmd_html_family {
    const char *name;
    uint32_t first, count, variant_count;
} cmd_html_family;

typedef struct cmd_html_data {
    cmd_html_result *results;
    uint32_t result_count, device_count, commit_count;
    cmd_html_entry *entries;
    uint32_t entry_count;
    cmd_html_entry **order;  /* by family, preset (quick ones first), time */
    cmd_html_entry **by_key; /* by key, then order of appearance */
    cmd_html_family *families;
    uint32_t family_count;
} cmd_html_data;

/* Reads the files in order. IO naming the file that cannot be read, is no JSON, has another schema or no cases; MEMORY.
 * cmd_html_data_free in any case. */
vfx_status cmd_html_load(cmd_html_data *data, const cmd_values *paths) VFX_MUST_USE;
void cmd_html_data_free(cmd_html_data *data);
/* The second half of loading: keys, order, families, labels. MEMORY. */
vfx_status cmd_html_index(cmd_html_data *data) VFX_MUST_USE;

/* Of an object, or of NULL. */
double cmd_html_number_at(const json_t *object, const char *key);       /* NaN where there is none */
const char *cmd_html_text_at(const json_t *object, const char *key);    /* NULL where there is none */
const json_t *cmd_html_array_at(const json_t *object, const char *key); /* NULL where there is none */
/* A count: a number, or a decimal string as 64-bit integers are written; NaN where there is none. */
double cmd_html_count_at(const json_t *object, const char *key);
/* The finite numbers of an array into malloc'ed memory; *count is 0 and the result NULL where there is none. */
double *cmd_html_numbers_of(const json_t *array, size_t *count);

/* The launches of a timed entry: how many, and the samples and median of one. An older result without a list of
 * launches has one. */
size_t cmd_html_launch_count(const cmd_html_entry *entry);
const json_t *cmd_html_launch_samples(const cmd_html_entry *entry, size_t launch);
double cmd_html_launch_median(const cmd_html_entry *entry, size_t launch);

#endif
