/* bench/against.c - a device against a dump. The dumped frames take the place of the reference's truth; the reference
 * itself only says which records are ill-conditioned. */
#include "bench/against.h"
#include "bench/text.h"
#include "core/platform.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the observers of one comparison share. */
typedef struct comparer {
    const cmd_session *session;
    const cmd_dump_reader *dump;
    const vfx_case *kase; /* the dump's, with the storage limit of the device that made it */
    vfx_host stored;      /* records of the dumped frame at hand */
    vfx_host previous;    /* those of the one before: the start of a step */
    vfx_host scratch;     /* what the reference writes while it marks records */
    uint8_t *ill[VFX_MAX_BUFFERS];
    uint32_t next; /* index of the dumped frame that is compared next */
    bool step;     /* this run is one frame from the dump's previous one */
    cmd_against *against;
} comparer;

static bool in_dump(const comparer *c, uint32_t row)
{
    return (c->dump->mask >> row & 1u) != 0;
}

static bool is_state(const vfx_buffer *row)
{
    return vfx_role_is_state(row->role);
}

/* Are all result buffers of the dump the same, bit for bit? */
static bool all_equal(const comparer *c, const vfx_host *now)
{
    for (uint32_t i = 0; i < c->kase->kernel->buffer_count; i++) {
        const vfx_buffer *row = &c->kase->kernel->buffers[i];
        if (!in_dump(c, i) || (!is_state(row) && row->role != VFX_OUTPUT))
            continue;
        if (now->buffer[i] == NULL || memcmp(now->buffer[i], c->stored.buffer[i], c->stored.bytes[i]) != 0)
            return false;
    }
    return true;
}

/* Runs the reference from the device's records for its marks of ill-conditioned records. */
static void mark_ill(comparer *c, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    const vfx_kernel *kernel = c->kase->kernel;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        if (c->ill[i] != NULL)
            memset(c->ill[i], 0, (size_t)c->scratch.count[i]);
    }
    for (uint32_t i = 0; i < kernel->stage_count; i++) {
        vfx_ref ref;
        if ((kernel->stages[i].writes & c->kase->variant->buffers) == 0)
            continue;
        vfx_ref_view(&ref, &feed->kase, &feed->frame, prev, now, &c->scratch);
        memcpy(ref.ill, c->ill, sizeof ref.ill);
        kernel->stages[i].f64(&ref, 0, kernel->stages[i].items(&feed->kase));
    }
}

/* What vfx_check_format() calls the truth is the dump here. */
static void name_dump(char *failure)
{
    char *truth = strstr(failure, "\n  truth ");
    if (truth != NULL)
        memcpy(truth, "\n  dump  ", 9);
}

static void compare_fields(comparer *c, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    const vfx_kernel *kernel = c->kase->kernel;
    vfx_ref ref;
    if (c->step)
        mark_ill(c, feed, prev, now);
    vfx_ref_view(&ref, &feed->kase, &feed->frame, prev, now, &c->stored);
    if (c->step)
        memcpy(ref.ill, c->ill, sizeof ref.ill);
    for (uint32_t i = 0; i < kernel->check_count; i++) {
        const vfx_check *check = &kernel->checks[i];
        vfx_check_result *result = &c->against->checks[i];
        if (!in_dump(c, check->buffer) || now->buffer[check->buffer] == NULL)
            continue;
        vfx_compare_field(check, &ref, !c->step, now->buffer[check->buffer], c->stored.buffer[check->buffer], NULL, 0,
                          now->count[check->buffer], result);
        if (c->against->failure[0] == '\0' && vfx_check_failed(check, c->kase, result)) {
            c->against->state = CMD_STATE_FAIL;
            vfx_check_format(check, c->kase, result, c->against->failure, sizeof c->against->failure);
            name_dump(c->against->failure);
        }
    }
}

static vfx_status observe(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    comparer *c = user;
    if (c->next == c->dump->frame_count || feed->frame.index != c->dump->frames[c->next])
        return VFX_OK;
    VFX_TRY(cmd_check_results(c->kase, feed->frame.index, now)); /* also where the dump holds the same */
    VFX_TRY(cmd_dump_read(c->dump, c->next, &c->stored));
    if (all_equal(c, now)) {
        c->against->equal++;
    } else if (c->step || feed->frame.index <= c->kase->kernel->free_run_frames) {
        *(c->step ? &c->against->step : &c->against->free) += 1;
        compare_fields(c, feed, prev, now);
    } else {
        c->against->beyond++;
    }
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- running */

/* Frame 1 starts from init like the dump did; others start from the dump if it has the frame before. */
static bool can_step(const comparer *c, uint32_t index)
{
    if (c->dump->frames[index] == 1)
        return true;
    for (uint32_t i = 0; i < c->kase->kernel->buffer_count; i++) {
        bool bound = (c->kase->variant->buffers >> i & 1u) != 0;
        if (bound && is_state(&c->kase->kernel->buffers[i]) && !in_dump(c, i))
            return false;
    }
    return index > 0 && c->dump->frames[index - 1] + 1 == c->dump->frames[index];
}

static vfx_status run_frames(comparer *c, const vfx_run_request *request)
{
    vfx_override overrides[CMD_MAX_SHADERS];
    vfx_run_request own = cmd_session_request(c->session, c->kase, &c->dump->at, overrides);
    own.start_frame = request->start_frame;
    own.start_state = request->start_state;
    own.frames = request->frames;
    own.read_every = 1;
    own.poison = true;
    vfx_run *run = NULL;
    vfx_status status = vfx_run_create(&run, c->session->gpu, &own);
    if (status == VFX_OK)
        status = vfx_run_gpu(run, observe, c, NULL);
    vfx_run_destroy(run);
    return status;
}

/* The device's frame from the dump's previous one. */
static vfx_status step_frame(comparer *c, uint32_t index)
{
    vfx_run_request request = {.start_frame = c->dump->frames[index] - 1, .frames = 1};
    if (request.start_frame > 0) {
        VFX_TRY(cmd_dump_read(c->dump, index - 1, &c->previous));
        request.start_state = &c->previous;
    }
    c->step = true;
    c->next = index;
    return run_frames(c, &request);
}

static vfx_status run_device(comparer *c)
{
    VFX_TRY(vfx_gpu_supports(c->session->gpu, c->kase));
    for (uint32_t i = 0; i < c->dump->frame_count; i++) {
        cmd_progress(c->session, "verify frame %" PRIu32 " against %s", c->dump->frames[i], c->dump->folder);
        if (can_step(c, i)) {
            VFX_TRY(step_frame(c, i));
            continue;
        }
        vfx_run_request request = {.frames = c->dump->frames[i]};
        c->step = false;
        c->next = i;
        VFX_TRY(run_frames(c, &request));
    }
    char first[1024];
    uint32_t messages = vfx_gpu_messages(c->session->gpu, first, sizeof first);
    return messages == 0 ? VFX_OK
                         : vfx_fail(VFX_MISMATCH, "%" PRIu32 " validation messages, the first: %s", messages, first);
}

static vfx_status make_hosts(comparer *c)
{
    VFX_TRY(vfx_host_create(&c->stored, c->kase, c->dump->mask));
    VFX_TRY(vfx_host_create(&c->previous, c->kase, c->dump->mask));
    VFX_TRY(vfx_host_create(&c->scratch, c->kase, c->kase->variant->buffers));
    for (uint32_t i = 0; i < c->kase->kernel->buffer_count; i++) {
        if (c->scratch.buffer[i] != NULL && (c->ill[i] = calloc((size_t)c->scratch.count[i] + 1, 1)) == NULL)
            return vfx_fail(VFX_MEMORY, "out of memory for the marks of '%s'", c->kase->kernel->buffers[i].name);
    }
    return VFX_OK;
}

static void free_hosts(comparer *c)
{
    vfx_host_destroy(&c->stored);
    vfx_host_destroy(&c->previous);
    vfx_host_destroy(&c->scratch);
    for (uint32_t i = 0; i < VFX_MAX_BUFFERS; i++)
        free(c->ill[i]);
}

/* With the dump open: load, run, judge. */
static vfx_status compare_dump(const cmd_session *session, const cmd_dump_reader *dump, cmd_against *against)
{
    vfx_case kase = dump->kase;
    if (kase.storage_limit == 0)
        kase.storage_limit = vfx_storage_limit(vfx_gpu_info(session->gpu));
    comparer c = {.session = session, .dump = dump, .kase = &kase, .against = against};
    vfx_status status = make_hosts(&c);
    if (status == VFX_OK)
        status = run_device(&c);
    free_hosts(&c);
    if (status == VFX_OK && against->state == CMD_STATE_PASS && against->equal + against->step + against->free == 0) {
        against->state = CMD_STATE_SKIPPED;
        (void)snprintf(against->failure, sizeof against->failure,
                       "the dumped frames differ, but without their predecessors and behind frame %" PRIu32
                       " elements of %s cannot be compared; dump earlier or consecutive frames (--every 1)",
                       kase.kernel->free_run_frames, kase.kernel->name);
    }
    return status;
}

vfx_status cmd_against_run(const cmd_session *session, const char *folder, cmd_entry *entry, cmd_against *against)
{
    memset(against, 0, sizeof *against);
    memset(entry, 0, sizeof *entry);
    against->state = CMD_STATE_PASS;
    uint64_t begin = vfx_clock_ns();
    cmd_dump_reader dump;
    vfx_status status = cmd_dump_open(&dump, folder, vfx_kernels, vfx_kernel_count);
    if (status != VFX_OK) {
        cmd_dump_close(&dump);
        return status;
    }
    entry->kase = dump.kase;
    entry->kase.asset = NULL; /* goes with the dump */
    entry->at = dump.at;
    vfx_case_name(&dump.kase, entry->name, sizeof entry->name);
    status = compare_dump(session, &dump, against);
    if (status != VFX_OK && status != VFX_IO) {
        against->state = cmd_state_of(status);
        cmd_copy(against->failure, sizeof against->failure, vfx_message());
        status = VFX_OK;
    }
    cmd_dump_close(&dump);
    against->wall_ns = (double)(vfx_clock_ns() - begin);
    return status;
}
