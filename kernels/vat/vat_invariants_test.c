/* vat_invariants_test.c - the invariants hold for the reference's frames, and each notices what it is there for. */
#include "core/test.h"

#include "core/metrics.h"
#include "core/params.h"
#include "core/run.h"
#include "kernels/vat/vat.h"

#include <math.h>

/* Two frames of the float reference, as the invariants see the second. */
typedef struct frame_run {
    vfx_case kase;
    vfx_feed feed;
    vfx_host host;
    vfx_ref ref;
} frame_run;

static void frame_make(frame_run *run, vat_variant variant, const char *set)
{
    memset(run, 0, sizeof *run);
    assert_vfx_ok(vfx_case_init(&run->kase, &vat_kernel, &vat_kernel.variants[variant], "ci"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, "actors=23,vertices=60,fps=8"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, set));
    assert_vfx_ok(vfx_case_validate(&run->kase));
    assert_vfx_ok(vat_load(&run->kase));
    assert_vfx_ok(vfx_host_create(&run->host, &run->kase, run->kase.variant->buffers));
    vat_init(&run->kase, run->host.buffer, run->host.image);
    assert_vfx_ok(vfx_feed_create(&run->feed, &run->kase, NULL));
    assert_vfx_ok(vfx_run_cpu(&run->kase, &run->feed, &run->host, 2, false, true));
    vfx_ref_view(&run->ref, &run->kase, &run->feed.frame, NULL, &run->host, NULL);
}

static void frame_free(frame_run *run)
{
    vfx_feed_destroy(&run->feed);
    vfx_host_destroy(&run->host);
    vat_unload(&run->kase);
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
    static const char *const sets[] = {"format=f32", /* every variant has one that it takes */
                                       "format=rgba8,fps=1",
                                       "batch=5,visible=21",
                                       "equipment=on",
                                       "kind=scale2d,scale_spread=0.9",
                                       "kind=billboard,cam_pitch=0.25",
                                       "kind=matrix,scale_spread=0.9,format=rgba16",
                                       "kind=source,spacing=1000",
                                       "actors=1,spacing=0.01,vertices=48",
                                       "vertex_format=packed,turn=-8,speed=16"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        uint32_t ran = 0;
        for (uint32_t v = 0; v < VAT_VARIANT_COUNT; v++) {
            vfx_case kase;
            assert_vfx_ok(vfx_case_init(&kase, &vat_kernel, &vat_kernel.variants[v], "ci"));
            assert_vfx_ok(vfx_case_set_list(&kase, sets[i]));
            if (vfx_case_validate(&kase) != VFX_OK)
                continue; /* the variant has no such kind, format or parts */
            frame_run run;
            frame_make(&run, (vat_variant)v, sets[i]);
            if (broken(&run)[0] != '\0')
                fail_msg("%s, %s: %s", kase.variant->name, sets[i], broken(&run));
            frame_free(&run);
            ran++;
        }
        assert_true(ran >= 6);
    }
}

/* Changes a frame with a statement, and wants the invariant. `v`, `p`, `b`, `a` are its records. */
#define BREAK(variant, set, statement, invariant)                                             \
    do {                                                                                      \
        frame_run run;                                                                        \
        frame_make(&run, variant, set);                                                       \
        vat_vertex *v = run.host.buffer[VAT_BUFFER_VERTEX];                                   \
        vat_packed *p = run.host.buffer[VAT_BUFFER_PACKED];                                   \
        vat_bounds *b = run.host.buffer[VAT_BUFFER_BOUNDS];                                   \
        vat_instance *a = run.host.buffer[VAT_BUFFER_ACTOR];                                  \
        (void)v, (void)p, (void)b, (void)a;                                                   \
        statement;                                                                            \
        if (strcmp(broken(&run), invariant) != 0)                                             \
            fail_msg("%s: \"%s\" broke, wanted \"%s\"", #statement, broken(&run), invariant); \
        frame_free(&run);                                                                     \
    } while (0)

static void they_notice_defects(void **state)
{
    (void)state;
    BREAK(VAT_TEXEL, "", v[77].position.y = NAN, "near-actors");
    BREAK(VAT_TEXEL, "", v[23 * 60 - 1].position.x = INFINITY, "near-actors");
    BREAK(VAT_TEXEL, "", v[3].position.y += 3.5f, "near-actors");
    BREAK(VAT_TEXEL, "", v[3].position.z -= 14.0f, "near-actors");
    BREAK(VAT_BUFFER, "vertex_format=packed", p[9].position.x = -1e9f, "near-actors");
    BREAK(VAT_BOUNDS_VARIANT, "", b[22].max[1] = 4.0f, "near-actors");
    BREAK(VAT_BOUNDS_VARIANT, "", b[0].min[0] = -20.0f, "near-actors");
    BREAK(VAT_TEXEL, "", v[600].normal.x += 0.01f, "unit-normals");
    BREAK(VAT_BONES_VARIANT, "", v[0].normal = ((vec3){0, 0, 0}), "unit-normals");
    BREAK(VAT_BLEND_VARIANT, "", v[8].normal.z = NAN, "unit-normals");
    BREAK(VAT_BOUNDS_VARIANT, "", b[5].min[2] = b[5].max[2] + 1e-6f, "ordered-bounds");
    BREAK(VAT_ADVANCE, "", a[22].frame = a[22].frame | 0xff0000u, "playing-actors");
    BREAK(VAT_ADVANCE, "", a[1].frame |= 0x80000000u, "playing-actors");
    BREAK(VAT_ADVANCE, "", a[1].yaw = 1.0f, "playing-actors");
    BREAK(VAT_ADVANCE, "", a[1].yaw = -0x1p-16f, "playing-actors");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(they_hold_for_the_reference),
    cmocka_unit_test(they_notice_defects),
};

VFX_TEST_MAIN(tests)
