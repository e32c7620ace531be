/* bench/session.h - what every verb that runs cases has in common: selection, parameters, shader overrides, the
 * device, the report, the tally of states, and who may print where. */
#ifndef BENCH_SESSION_H
#define BENCH_SESSION_H

#include "bench/axis.h"
#include "bench/report.h"
#include "bench/select.h"
#include "bench/shaders.h"
#include "bench/text.h"
#include "bench/wire.h"

/* A case with everything the command line says about it. */
typedef struct cmd_entry {
    vfx_case kase; /* validated; the asset is not loaded; the storage limit is that of the open device */
    vfx_at_list at;
    uint32_t point;             /* of session->axes */
    char label[CMD_AXIS_LABEL]; /* its values, "" without axes */
    char name[CMD_CASE_NAME];   /* "tentacle/ring/ci", or with axes "tentacle/ring/ci[tentacles=1000]" */
} cmd_entry;

typedef struct cmd_session {
    const cmd_options *options;
    cmd_entry *entries;
    uint32_t entry_count;
    cmd_axes axes;
    cmd_shaders shaders;
    vfx_gpu *gpu;
    json_t *report;
    cmd_tally tally;
    bool casualties; /* the device hung or was lost: what follows is not run */
    bool unwritable; /* the result file cannot be written: none is attempted */
    cmd_wire *wire;  /* this process is a launch of another one, which gets what would be printed; NULL: it is not */
} cmd_session;

/* Selects and builds the cases and loads the overrides: all that can be wrong with the arguments shows up here, before
 * a device is touched. `with_cases` false: none are selected (verify --against). */
vfx_status cmd_session_plan(cmd_session *session, const cmd_options *options, bool with_cases) VFX_MUST_USE;
/* Opens the device. */
vfx_status cmd_session_open(cmd_session *session, vfx_validation validation) VFX_MUST_USE;
/* Ends the program: writes the report, prints the failure's message if `status` is one, returns the exit code. */
int cmd_session_close(cmd_session *session, vfx_status status);

/* A request for all frames of the case with the session's overrides and workgroup. `overrides` must live as long. */
vfx_run_request cmd_session_request(const cmd_session *session, const vfx_case *kase, const vfx_at_list *at,
                                    vfx_override overrides[CMD_MAX_SHADERS]);

/* "family-variant-preset", and the values of the axes behind it: part of a file's name. */
void cmd_entry_file_name(const cmd_entry *entry, char *text, size_t bytes);

/* Counts the case and adds it to the report; returns its JSON object (borrowed) for more. */
json_t *cmd_session_record(cmd_session *session, const vfx_case *kase, const vfx_at_list *at, cmd_state state,
                           const char *reason);

/* The same for a planned case, under its own name. */
json_t *cmd_session_record_entry(cmd_session *session, const cmd_entry *entry, cmd_state state, const char *reason);

/* Counts a case whose JSON object came from another process and adds it to the report. */
void cmd_session_adopt(cmd_session *session, json_t *object, cmd_state state);

/* object["workgroup"] (0: each pass's own) and object["shaders"]: the overrides that the case runs. */
void cmd_session_report_program(const cmd_session *session, const vfx_case *kase, json_t *object);

/* Records and prints that the case is left out because the device hung or was lost in an earlier one. */
void cmd_session_not_run(cmd_session *session, const cmd_entry *entry);

/* Prints to stdout unless it is for JSON; `quiet_too`: even with --quiet. */
void cmd_say(const cmd_session *session, bool quiet_too, const char *format, ...) VFX_PRINTF(3, 4);
bool cmd_speaks(const cmd_session *session, bool quiet_too);
/* Shows one line of progress on stderr when that is a terminal. */
void cmd_progress(const cmd_session *session, const char *format, ...) VFX_PRINTF(2, 3);
void cmd_progress_clear(const cmd_session *session);

/* MISMATCH naming buffer, record and field when a result (state, output) of the frame was not written or is not finite.
 */
vfx_status cmd_check_results(const vfx_case *kase, uint32_t frame, const vfx_host *now) VFX_MUST_USE;

/* Loads and unloads what kernel->load makes; both do nothing without load. Every value of a sweep is loaded anew. */
vfx_status cmd_case_load(vfx_case *kase) VFX_MUST_USE;
void cmd_case_unload(vfx_case *kase);
/* Batches of a frame of a loaded case, see vfx_kernel.batches. */
uint32_t cmd_case_batches(const vfx_case *kase);

/* A command line that repeats the case on the same device, e.g. for a failure. `extra` is appended. */
void cmd_repro(const cmd_session *session, const char *verb, const vfx_case *kase, const vfx_at_list *at,
               const char *extra, char *text, size_t bytes);

#endif
