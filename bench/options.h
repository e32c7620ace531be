/* bench/options.h - the command line. One table of option rows (options.c) parses, prints --help and reads the
 * environment, so that the three never disagree. A new option is one member below and one row there. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "core/status.h"

#include <stdint.h>
#include <stdio.h>

enum {
    CMD_LIST = 1u << 0,
    CMD_INFO = 1u << 1,
    CMD_RUN = 1u << 2,
    CMD_VERIFY = 1u << 3,
    CMD_TIME = 1u << 4,
    CMD_BAKE = 1u << 5,
    CMD_GOLDEN = 1u << 6,
    CMD_COMPARE = 1u << 7,
    CMD_REPORT = 1u << 8,
    CMD_SELECT = CMD_LIST | CMD_INFO | CMD_RUN | CMD_VERIFY | CMD_TIME, /* those whose arguments select cases */
    CMD_ALL = CMD_SELECT | CMD_BAKE | CMD_GOLDEN | CMD_COMPARE | CMD_REPORT
};

enum { CMD_MAX_VALUES = 128 };

/* Values of a repeatable option, in the order given. */
typedef struct cmd_values {
    const char *items[CMD_MAX_VALUES];
    uint32_t count;
} cmd_values;

/* How much of the `ci` case is checked before timing. */
typedef enum cmd_check_extent { CMD_CHECK_AUTO, CMD_CHECK_FULL, CMD_CHECK_QUICK } cmd_check_extent;

struct cmd_verb;

/* What the user asked for. Strings point into argv, or into `environment`. */
typedef struct cmd_options {
    const struct cmd_verb *verb;
    int argc;
    char *const *argv; /* the whole command line, for reports */
    cmd_values globs;  /* positional arguments: globs on case names, a model to bake, or results to compare */
    cmd_values exclude, set, axis, at, shader;
    cmd_values clip, loop, skin; /* of bake, like the next four lines */
    const char *out;             /* of golden too */
    bool fit;
    uint32_t format, sampling, max_frames; /* vat_format; vat_sampling; 0: the most that there can be */
    double fps, max_error, scale;          /* frames a second; % of the extent, 0: none; factor on the model */
    const char *device, *against, *dump, *output;
    const char *image, *view, *size; /* of run */
    const char *goldens, *reason;
    const char *csv, *junit; /* files, beside output */
    bool allow_cpu, require_device, fail_on_skip, unchecked, no_sweeps, cpu, capture;
    cmd_values across;            /* of compare, like the next two lines */
    double threshold, min_change; /* % of A; us */
    bool allow_software, fail_on_inconclusive, fail_on_missing;
    bool json, md, quiet, verbose, names, help, version;
    uint32_t validation; /* vfx_validation */
    uint32_t mode;       /* vfx_mode */
    uint32_t frames;     /* 0: the preset's */
    uint32_t seed;
    uint32_t every;                    /* frames between dumps; 0: only the last frame */
    uint32_t workgroup;                /* invocations; 0: the pass row's own */
    uint32_t launches;                 /* processes that time every case */
    const char *launch_child;          /* this process is one of them: its plan, see launch.h; NULL: it is not */
    uint32_t check;                    /* cmd_check_extent */
    double case_limit;                 /* s that a launch may be silent */
    uint32_t runs;                     /* least number of timed runs */
    double dt;                         /* s; 0: the case's own */
    double min_time;                   /* s of GPU time, at least */
    double max_time;                   /* s of wall time per case and launch, at most; 0: as the device is */
    double fence_timeout;              /* s */
    uint64_t given;                    /* bit i: option row i was given */
    uint64_t from_environment;         /* bit i: and its value is the environment's */
    char *environment[CMD_MAX_VALUES]; /* copies that this struct owns */
    uint32_t environment_count;
} cmd_options;

/* One verb of the program. */
typedef struct cmd_verb {
    const char *name;
    uint32_t bit;                           /* CMD_... */
    int (*run)(const cmd_options *options); /* returns the exit code */
    const char *summary;
    const char *default_glob; /* cases selected when none are named; NULL: at least one must be named */
    const char *examples;     /* lines for --help */
    const char *arguments;    /* positional ones for --help, a line of explanation behind; NULL: globs */
    const char *explained;
} cmd_verb;

typedef enum cmd_option_type {
    CMD_FLAG,   /* bool; --name, or NAME=1|0|on|off|true|false in the environment */
    CMD_U32,    /* whole number within min..max */
    CMD_F64,    /* number within min..max */
    CMD_TEXT,   /* const char * */
    CMD_CHOICE, /* uint32_t: index into names */
    CMD_VALUES  /* cmd_values; repeatable; separated by ';' in the environment */
} cmd_option_type;

typedef struct cmd_option {
    const char *name; /* without the dashes; the variable is VFXBENCH_NAME with _ for - */
    char letter;      /* short form, 0 for none */
    const char *placeholder;
    cmd_option_type type;
    uint32_t verbs;
    size_t offset; /* in cmd_options */
    double def, min, max;
    const char *const *names; /* CMD_CHOICE, NULL-terminated */
    const char *help;         /* NULL: for the program itself, neither shown nor read from the environment */
} cmd_option;

/* The table. */
const cmd_option *cmd_option_rows(uint32_t *count);

/* Fills *options with defaults, then the environment, then argv[first..argc). Values on the command line replace
 * those of the environment. USAGE naming the option and what to do. Call cmd_options_free in any case. */
vfx_status cmd_options_parse(cmd_options *options, const cmd_verb *verb, int argc, char *const argv[],
                             int first) VFX_MUST_USE;
void cmd_options_free(cmd_options *options);

/* Does the verb take this option? */
bool cmd_option_applies(const cmd_option *row, const cmd_verb *verb);

/* True if the option of this name was given, on the command line or in the environment. */
bool cmd_option_given(const cmd_options *options, const char *name);

/* "VFXBENCH_ALLOW_CPU": the environment variable of a row. */
void cmd_option_variable(const cmd_option *row, char *name, size_t bytes);

/* Text of a vfx_mode value as --mode takes it. */
const char *cmd_mode_name(uint32_t mode);

/* Help of one verb, from the rows. */
void cmd_help(FILE *out, const cmd_verb *verb);

#endif
