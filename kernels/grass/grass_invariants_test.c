/* grass_invariants_test.c - the invariants hold for the reference's frames, and each notices what it is there for. */
#include "core/test.h"

#include "core/metrics.h"
#include "core/params.h"
#include "core/run.h"
#include "kernels/grass/grass.h"

#include <math.h>

/* One frame of the float reference, as the invariants see it. */
typedef struct frame_run {
    vfx_case kase;
    vfx_feed feed;
    vfx_host host;
    vfx_ref ref;
} frame_run;

static void frame_make(frame_run *run, const char *variant, const char *set)
{
    memset(run, 0, sizeof *run);
    const vfx_variant *found = NULL;
    for (uint32_t i = 0; i < grass_kernel.variant_count; i++)
        if (strcmp(grass_kernel.variants[i].name, variant) == 0)
            found = &grass_kernel.variants[i];
    assert_vfx_ok(vfx_case_init(&run->kase, &grass_kernel, found, "ci"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, "blades=50"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, set));
    assert_vfx_ok(vfx_case_validate(&run->kase));
    assert_vfx_ok(vfx_host_create(&run->host, &run->kase, found->buffers));
    grass_init(&run->kase, run->host.buffer, run->host.image);
    assert_vfx_ok(vfx_feed_create(&run->feed, &run->kase, NULL));
    assert_vfx_ok(vfx_run_cpu(&run->kase, &run->feed, &run->host, 3, false, true));
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
    static const char *const sets[] = {"",
                                       "motion=on",
                                       "leaves=3,clump_radius=0.4,motion=on",
                                       "leaves=4,coherence=0.5,relief=30,hill_size=5",
                                       "bend_min=0,bend_max=0",
                                       "bend_min=1,bend_max=1,height=10,width=1",
                                       "height=1e-3,width=1e-3,per_m2=1e4",
                                       "shape=lerp,normal=arc,facing=back",
                                       "rows=2",
                                       "rows=64,align=upright",
                                       "per_m2=0.01,relief=1000,hill_size=1000"};
    static const char *const variants[] = {"fused", "two-pass", "packed"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (size_t j = 0; j < sizeof variants / sizeof *variants; j++) {
            frame_run run;
            frame_make(&run, variants[j], sets[i]);
            if (broken(&run)[0] != '\0')
                fail_msg("%s, %s: %s", variants[j], sets[i], broken(&run));
            frame_free(&run);
        }
}

/* Changes a frame with a statement, and wants the invariant. `b`, `v`, `p`, `m` are its records. */
#define BREAK(variant, set, statement, invariant)                                             \
    do {                                                                                      \
        frame_run run;                                                                        \
        frame_make(&run, variant, set);                                                       \
        grass_blade *b = run.host.buffer[GRASS_BUFFER_BLADE];                                 \
        grass_vertex *v = run.host.buffer[GRASS_BUFFER_VERTEX];                               \
        grass_packed *p = run.host.buffer[GRASS_BUFFER_PACKED];                               \
        grass_motion *m = run.host.buffer[GRASS_BUFFER_MOTION];                               \
        (void)b, (void)v, (void)p, (void)m;                                                   \
        statement;                                                                            \
        if (strcmp(broken(&run), invariant) != 0)                                             \
            fail_msg("%s: \"%s\" broke, wanted \"%s\"", #statement, broken(&run), invariant); \
        frame_free(&run);                                                                     \
    } while (0)

static void they_notice_defects(void **state)
{
    (void)state;
    BREAK("fused", "", v[77].position.y = NAN, "finite");
    BREAK("fused", "", v[799].normal.z = INFINITY, "finite");
    BREAK("fused", "motion=on", m[5].position.x = NAN, "finite");
    BREAK("two-pass", "", b[49].gust = NAN, "finite");
    BREAK("packed", "", p[9].offset_z = 0x7c00, "finite");
    BREAK("two-pass", "", (b[3].kappa.x *= 6.0f, b[3].kappa.y *= 6.0f), "bend");
    BREAK("fused", "", (v[14].position.z -= 0.3f, v[15].position.z -= 0.3f), "bend");
    BREAK("fused", "", (v[14].position.z += 0.4f, v[15].position.z += 0.4f), "bend");
    BREAK("fused", "", v[600].normal.x += 0.01f, "unit-normals");
    BREAK("fused", "", (v[16].position.x += 2e-3f, v[17].position.x += 2e-3f), "roots");
    BREAK("fused", "", v[16].position.z += 1e-5f, "roots");
    BREAK("fused", "", v[16].gradient = 0.1f, "roots");
    BREAK("fused", "motion=on", m[17].position.y += 1e-5f, "roots");
    BREAK("fused", "leaves=2,clump_radius=0.01", (v[16].position.x += 0.02f, v[17].position.x += 0.02f), "roots");
    BREAK("packed", "", p[32].offset_z = 0x1400, "roots");
    BREAK("packed", "", p[32].offset_xy = p[33].offset_xy, "roots");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(they_hold_for_the_reference),
    cmocka_unit_test(they_notice_defects),
};

VFX_TEST_MAIN(tests)
