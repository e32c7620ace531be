/* pbd_invariants_test.c - the invariants hold for the reference's frames, and each notices what it is there for. */
#include "core/test.h"

#include "core/metrics.h"
#include "core/params.h"
#include "core/run.h"
#include "kernels/pbd/pbd.h"

#include <math.h>

/* Frames of the float reference, as the invariants see the last of them. */
typedef struct frame_run {
    vfx_case kase;
    vfx_feed feed;
    vfx_host host;
    vfx_ref ref;
} frame_run;

static void frame_make(frame_run *run, uint32_t variant, const char *set, uint32_t frames)
{
    memset(run, 0, sizeof *run);
    assert_vfx_ok(vfx_case_init(&run->kase, &pbd_kernel, &pbd_kernel.variants[variant], "ci"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, "particles=120,size_x=0.6,size_y=0.6,size_z=0.9"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, set));
    assert_vfx_ok(vfx_case_validate(&run->kase));
    assert_vfx_ok(vfx_host_create(&run->host, &run->kase, run->kase.variant->buffers));
    pbd_init(&run->kase, run->host.buffer, run->host.image);
    assert_vfx_ok(vfx_feed_create(&run->feed, &run->kase, NULL));
    assert_vfx_ok(vfx_run_cpu(&run->kase, &run->feed, &run->host, frames, false, true));
    vfx_ref_view(&run->ref, &run->kase, &run->feed.frame, NULL, &run->host, NULL);
}

static void frame_free(frame_run *run)
{
    vfx_feed_destroy(&run->feed);
    vfx_host_destroy(&run->host);
}

/* The name of the invariant that does not hold, "" if all do. */
static const char *broken(const frame_run *run)
{
    static char why[512];
    const char *name = "";
    return vfx_invariants_check(&run->ref, &name, why, sizeof why) ? "" : name;
}

static void they_hold_for_the_reference(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "",
        "substeps=3,iterations=2",
        "solver=conserving,friction_static=0.5,friction_kinetic=0.4,restitution=0.5",
        "scene=mixed,mass_low=0.2,unyielding=0.1,capacity=2,list_capacity=5",
        "scene=attract,outside=bin,floor=off,walls=off,attract=30,max_speed=5,max_push=1",
        "scene=packed,measure=off,obstacle=torus,obstacle_speed=1",
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t v = 0; v < PBD_VARIANT_COUNT; v++) {
            frame_run run;
            frame_make(&run, v, sets[i], 4);
            if (broken(&run)[0] != '\0')
                fail_msg("%s, \"%s\": %s", run.kase.variant->name, sets[i], broken(&run));
            frame_free(&run);
        }
}

/* A statement breaks the frame of variant `v`; the invariant `name` must notice, and no other before it. */
#define BREAK(v, set, statement, name)                                                                   \
    do {                                                                                                 \
        frame_run run;                                                                                   \
        frame_make(&run, v, set, 3);                                                                     \
        pbd_particle *p = run.host.buffer[PBD_BUFFER_PARTICLE];                                          \
        pbd_metric *m = run.host.buffer[PBD_BUFFER_METRIC];                                              \
        uint32_t *count = run.host.buffer[PBD_BUFFER_COUNT], *start = run.host.buffer[PBD_BUFFER_START]; \
        (void)p, (void)m, (void)count, (void)start;                                                      \
        assert_string_equal(broken(&run), "");                                                           \
        statement;                                                                                       \
        if (strcmp(broken(&run), name) != 0)                                                             \
            fail_msg("%s: \"%s\" noticed, wanted \"%s\"", #statement, broken(&run), name);               \
        frame_free(&run);                                                                                \
    } while (0)

static void each_notices_its_own(void **state)
{
    (void)state;
    BREAK(PBD_SORTED, "", p[7].velocity.y = NAN, "finite");
    BREAK(PBD_SORTED, "", m->non_finite = 1, "finite");
    BREAK(PBD_SORTED, "", p[7].id = p[8].id, "ids");
    BREAK(PBD_BRUTE, "", p[7].id = 120, "ids");
    BREAK(PBD_SORTED, "", p[7].position.x = 0.3f - 0.99f * p[7].radius, "walls");
    BREAK(PBD_SORTED, "", p[7].position.z = 0.0f, "walls");
    BREAK(PBD_SORTED, "", start[40]++, "ranges");
    BREAK(PBD_CAPPED, "", count[40]++, "ranges");
    BREAK(PBD_HASHED, "", start[pbd_cells(&run.kase)]--, "ranges");
    BREAK(PBD_ROWS, "", p[7].velocity.x *= 1.000001f, "velocity");
    BREAK(PBD_ROWS, "max_speed=100", p[7].velocity.x += 1.0f, "sums");
    BREAK(PBD_LIST, "", m->momentum.z *= 1.001f, "sums");
    BREAK(PBD_LIST, "", m->contacts++, "sums");
    BREAK(PBD_LIST, "", m->candidates--, "sums");
    BREAK(PBD_LIST, "list_capacity=2", m->dropped--, "dropped");
    BREAK(PBD_CAPPED, "", m->dropped = 1, "dropped");
    BREAK(PBD_CAPPED, "capacity=1,particles=300", (assert_true(m->dropped > 0), m->dropped = 0), "dropped");
}

/* The pile is judged when it rests. */
static void a_pile_is_neither_crushed_nor_blown_up(void **state)
{
    (void)state;
    frame_run run;
    frame_make(&run, PBD_SORTED, "particles=80", 91);
    pbd_metric *m = run.host.buffer[PBD_BUFFER_METRIC];
    const pbd_metric kept = *m;
    assert_string_equal(broken(&run), "");
    m->centre.z = 0.3f * kept.centre.z;
    assert_string_equal(broken(&run), "pile");
    m->centre.z = 2.0f * kept.centre.z;
    assert_string_equal(broken(&run), "pile");
    m->centre.z = kept.centre.z;
    m->depth_rms = 0.8f * pbd_largest_radius(&run.kase);
    assert_string_equal(broken(&run), "pile");
    m->dropped = 1; /* and it is judged whatever else is wrong */
    assert_string_equal(broken(&run), "dropped");
    m->dropped = 0;
    run.feed.frame.index = 80;
    assert_string_equal(broken(&run), "");
    run.feed.frame.index = 91;
    *m = kept;
    m->outside = 1;
    assert_string_equal(broken(&run), "pile");
    *m = kept;
    m->violations = 3; /* of 80 * 3 moves */
    assert_string_equal(broken(&run), "pile");
    frame_free(&run);
}

/* A pile that the capacities cannot hold is wrong however well it counts what it drops. */
static void a_pile_that_drops_is_noticed(void **state)
{
    (void)state;
    static const struct {
        uint32_t variant;
        const char *set, *part;
    } rows[] = {
        {PBD_LIST, "particles=80,list_capacity=2", "list_capacity = 2 is too small for this pile, the default is 48"},
        {PBD_CAPPED, "particles=80,capacity=1", "capacity = 1 is too small for this pile, the default is 16"},
        {PBD_LIST, "particles=80", ""},
        {PBD_CAPPED, "particles=80", ""},
        {PBD_CAPPED, "particles=20", ""}, /* less than a layer */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        frame_run run;
        char why[512] = "";
        const char *name = "";
        frame_make(&run, rows[i].variant, rows[i].set, 91);
        const bool holds = vfx_invariants_check(&run.ref, &name, why, sizeof why);
        if (holds != (rows[i].part[0] == '\0') || strstr(why, rows[i].part) == NULL)
            fail_msg("%s: \"%s\" %s", rows[i].set, why, name);
        frame_free(&run);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(they_hold_for_the_reference),
    cmocka_unit_test(each_notices_its_own),
    cmocka_unit_test(a_pile_is_neither_crushed_nor_blown_up),
    cmocka_unit_test(a_pile_that_drops_is_noticed),
};

VFX_TEST_MAIN(tests)
