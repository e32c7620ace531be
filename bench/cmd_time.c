/* bench/cmd_time.c - `vfxbench time`: launches, in processes of their own or (--launches 1) in this one, and the table
 * of what they measured. The work is in launch.c; what a launch's process does is at the end of this file. */
#include "bench/commands.h"
#include "bench/launches.h"
#include "bench/scaling.h"
#include "bench/time_report.h"
#include "bench/time_table.h"

#include <stdlib.h>
#include <string.h>

/* All cases in this process, in the order in which they were named. */
static vfx_status launch_here(cmd_session *session)
{
    cmd_launch launch;
    VFX_TRY(cmd_session_open(session, VFX_VALIDATION_OFF)); /* layers would be timed along */
    VFX_TRY(cmd_launch_create(&launch, 1, session->entry_count, 0));
    vfx_status status = cmd_launch_run(session, &launch);
    cmd_launch_free(&launch);
    return status;
}

static void print_device(const cmd_session *session)
{
    const json_t *device = json_object_get(session->report, "device");
    const json_t *ceilings = json_object_get(session->report, "ceilings");
    bool software = json_is_true(json_object_get(device, "software"));
    char copy[32], fill[32], pair[32];
    printf("\n%s, driver %s%s%s\n", cmd_text_at(device, "name"), cmd_text_at(device, "driver"),
           software ? " - software device, not comparable" : "",
           session->options->unchecked ? " - results not checked" : "");
    cmd_format_si(cmd_number_at(ceilings, "copy_bytes_per_s"), copy, sizeof copy);
    cmd_format_si(cmd_number_at(ceilings, "fill_bytes_per_s"), fill, sizeof fill);
    cmd_format_number("%.2f us", cmd_number_at(ceilings, "empty_pair_ns") / 1e3, pair, sizeof pair);
    printf("ceilings: copy %sB/s, fill %sB/s; empty timestamp pair %s\n", copy, fill, pair);
}

/* Puts the launches of each case together, prints lines and fills the table. */
static vfx_status finish_cases(const cmd_session *session, cmd_table *table)
{
    const json_t *cases = json_object_get(session->report, "cases");
    VFX_TRY(cmd_time_head(table));
    for (size_t i = 0; i < json_array_size(cases); i++) {
        json_t *object = json_array_get(cases, i);
        if (!json_is_object(json_object_get(object, "timing")))
            continue;
        VFX_TRY(cmd_time_finish(object));
        cmd_time_say(session, object);
        VFX_TRY(cmd_time_row(table, object));
        if (session->options->md)
            VFX_TRY(cmd_time_upload_cell(table, object));
    }
    return VFX_OK;
}

static vfx_status show_results(const cmd_session *session)
{
    cmd_table table = {0};
    vfx_status status = finish_cases(session, &table);
    if (status == VFX_OK)
        status = cmd_scaling_report(session);
    if (status == VFX_OK && cmd_speaks(session, false)) {
        cmd_progress_clear(session);
        if (table.row_count > 1)
            cmd_table_print(&table, stdout, session->options->md);
        print_device(session);
    }
    cmd_table_free(&table);
    return status;
}

int cmd_time(const cmd_options *options)
{
    if (options->launch_child != NULL)
        return cmd_launch_child(options);
    cmd_session session;
    vfx_status status = cmd_session_plan(&session, options, true);
    if (status == VFX_OK)
        status = options->launches == 1 ? launch_here(&session) : cmd_launches_run(&session);
    if (status == VFX_OK)
        status = show_results(&session);
    return cmd_session_close(&session, status);
}

/* ------------------------------------------------------------------------------------ in the child */

static void send_device(const cmd_session *session)
{
    json_t *line = json_object();
    cmd_report_device(line, "device", vfx_gpu_info(session->gpu));
    cmd_wire_send("device", line);
}

static void send_end(vfx_status status)
{
    if (status == VFX_OK) {
        cmd_wire_send("end", NULL);
        return;
    }
    json_t *line = json_object();
    cmd_json_text(line, "status", vfx_status_name(status));
    cmd_json_text(line, "text", vfx_message());
    cmd_wire_send("failed", line);
}

int cmd_launch_child(const cmd_options *options)
{
    cmd_options own = *options;
    cmd_session session;
    cmd_wire wire = {0};
    cmd_launch launch = {0};
    own.output = own.csv = own.junit = NULL; /* the parent writes and prints */
    own.quiet = own.quiet || own.json;
    own.json = false;
    vfx_status status = cmd_session_plan(&session, &own, true);
    session.wire = &wire;
    if (status == VFX_OK)
        status = cmd_launch_parse(options->launch_child, session.entry_count, &launch);
    if (status == VFX_OK)
        status = cmd_session_open(&session, VFX_VALIDATION_OFF);
    if (status == VFX_OK) {
        send_device(&session);
        status = cmd_launch_run(&session, &launch);
    }
    send_end(status);
    cmd_launch_free(&launch);
    return cmd_session_close(&session, VFX_OK);
}
