/* tentacle_invariants_test.c - the invariants hold on what the reference computes, in every layout and with every
 * option of the mesh, and notice each way of breaking a frame. */
#include "core/test.h"

#include "core/run.h"
#include "kernels/tentacle/tentacle.h"

#include <math.h>

/* A case of a variant, run by the double reference. */
typedef struct reference_run {
    vfx_case kase;
    vfx_feed feed;
    vfx_host host;
    vfx_ref ref;
} reference_run;

static const vfx_variant *variant_of(const char *name)
{
    for (uint32_t i = 0; i < tentacle_kernel.variant_count; i++)
        if (strcmp(tentacle_kernel.variants[i].name, name) == 0)
            return &tentacle_kernel.variants[i];
    fail_msg("no variant %s", name);
    return NULL;
}

static void run_create(reference_run *run, const char *variant, const char *set)
{
    memset(run, 0, sizeof *run);
    assert_vfx_ok(vfx_case_init(&run->kase, &tentacle_kernel, variant_of(variant), "ci"));
    assert_vfx_ok(vfx_case_set_list(&run->kase, set));
    assert_vfx_ok(vfx_case_validate(&run->kase));
    assert_vfx_ok(vfx_feed_create(&run->feed, &run->kase, NULL));
    assert_vfx_ok(vfx_host_create(&run->host, &run->kase, run->kase.variant->buffers));
    tentacle_init(&run->kase, run->host.buffer, NULL);
}

static void run_advance(reference_run *run, uint32_t frames)
{
    bool first = run->feed.frame.index == 0;
    assert_vfx_ok(vfx_run_cpu(&run->kase, &run->feed, &run->host, frames, true, first));
    vfx_ref_view(&run->ref, &run->feed.kase, &run->feed.frame, NULL, &run->host, NULL);
}

static void run_destroy(reference_run *run)
{
    vfx_host_destroy(&run->host);
    vfx_feed_destroy(&run->feed);
}

/* Name of the first invariant that does not hold, "" if all do. */
static const char *broken_invariant(const reference_run *run, char *why, size_t why_bytes)
{
    for (uint32_t i = 0; i < TENTACLE_INVARIANT_COUNT; i++)
        if (!tentacle_invariants[i].holds(&run->ref, why, why_bytes))
            return tentacle_invariants[i].name;
    return "";
}

static void reference_holds(const char *variant, const char *set, uint32_t frames)
{
    reference_run run;
    run_create(&run, variant, set);
    for (uint32_t frame = 0; frame < frames; frame++) {
        char why[256] = "";
        run_advance(&run, 1);
        const char *broken = broken_invariant(&run, why, sizeof why);
        if (broken[0] != '\0')
            fail_msg("%s, %s, frame %u: %s: %s", variant, set, frame + 1, broken, why);
    }
    run_destroy(&run);
}

static void reference_holds_through_all_states(void **state)
{
    (void)state;
    reference_holds("ring", "tentacles=23", 240);
}

static void reference_holds_in_every_variant(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < tentacle_kernel.variant_count; i++) {
        reference_holds(tentacle_kernel.variants[i].name, "tentacles=23", 12);
        reference_holds(tentacle_kernel.variants[i].name, "tentacles=23,seam=on,cap=on,tilt=on", 12);
        reference_holds(tentacle_kernel.variants[i].name, "tentacles=11,sides=3,particles=2,cap=on,taper=1", 12);
        reference_holds(tentacle_kernel.variants[i].name, "tentacles=11,sides=16,particles=64,tentacles_per_entity=1",
                        6);
    }
}

static void reference_holds_with_every_method(void **state)
{
    (void)state;
    reference_holds("ring", "tentacles=23,orientation=up", 60);
    reference_holds("ring", "tentacles=23,orientation=proj", 60);
    reference_holds("ring", "tentacles=23,orientation=chord", 60);
    reference_holds("ring", "tentacles=23,orientation=rot,attach=delta,states=global", 60);
    reference_holds("ring", "tentacles=23,states=off,gravity=-3,wriggle=300,look=40,yaw_rate=1", 120);
}

/* Each frame below is sound until one number is changed. */
static void assert_broken(reference_run *run, const char *expected)
{
    char why[256] = "";
    assert_string_equal(broken_invariant(run, why, sizeof why), expected);
    if (expected[0] != '\0')
        assert_true(strlen(why) > 10);
}

static void broken_particles_are_noticed(void **state)
{
    (void)state;
    reference_run run;
    run_create(&run, "ring", "tentacles=5");
    run_advance(&run, 3);
    tentacle_particle *particle = (tentacle_particle *)run.host.buffer[TENTACLE_BUFFER_PARTICLE] + 30,
                      sound = *particle;
    assert_broken(&run, "");
    particle->right.x *= 1.0001f;
    particle->right.y *= 1.0001f;
    particle->right.z *= 1.0001f;
    assert_broken(&run, "unit-frames");
    *particle = sound;
    particle->right = particle->forward;
    assert_broken(&run, "unit-frames");
    *particle = sound;
    particle->forward.x = (float)NAN;
    assert_broken(&run, "unit-frames");
    *particle = sound;
    particle->radius *= 1.0001f;
    assert_broken(&run, "ring-shape");
    *particle = sound;
    particle->position.x += 1e-5f;
    assert_broken(&run, "ring-shape");
    *particle = sound;
    particle->position.x = (float)NAN;
    assert_broken(&run, "ring-shape");
    *particle = sound;
    assert_broken(&run, "");
    run_destroy(&run);
}

static void broken_rings_are_noticed(void **state)
{
    (void)state;
    reference_run run;
    run_create(&run, "ring", "tentacles=5,cap=on");
    run_advance(&run, 3);
    uint32_t *index = run.host.buffer[TENTACLE_BUFFER_INDEX];
    uint64_t count = run.host.count[TENTACLE_BUFFER_INDEX];
    assert_broken(&run, "");
    index[7] += 5000;
    assert_broken(&run, "winding");
    index[7] -= 5000;
    for (uint64_t first = 0; first < count; first += count - 3) { /* the first triangle, and a cap's last */
        uint32_t b = index[first + 1];
        index[first + 1] = index[first + 2];
        index[first + 2] = b;
        assert_broken(&run, "winding");
        index[first + 2] = index[first + 1];
        index[first + 1] = b;
    }
    /* Two vertices of a ring on the same side: radius right, centroid not. */
    tentacle_vertex *ring = (tentacle_vertex *)run.host.buffer[TENTACLE_BUFFER_VERTEX] + 40;
    ring[1] = ring[0];
    assert_broken(&run, "ring-shape");
    run_destroy(&run);
}

static void broken_lists_and_packed_rings_are_noticed(void **state)
{
    (void)state;
    reference_run run;
    run_create(&run, "bands", "tentacles=5");
    run_advance(&run, 3);
    assert_broken(&run, "");
    tentacle_vertex *corner = (tentacle_vertex *)run.host.buffer[TENTACLE_BUFFER_CORNER] + 600, first = corner[0];
    corner[0] = corner[1]; /* both on the parent's ring */
    corner[1] = first;
    assert_broken(&run, "winding");
    corner[1] = corner[2];
    assert_broken(&run, "ring-shape");
    run_destroy(&run);
    run_create(&run, "ring-packed", "tentacles=5");
    run_advance(&run, 3);
    assert_broken(&run, "");
    ((tentacle_packed *)run.host.buffer[TENTACLE_BUFFER_PACKED])[9].position.z += 1e-4f;
    assert_broken(&run, "ring-shape");
    run_destroy(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reference_holds_through_all_states), cmocka_unit_test(reference_holds_in_every_variant),
    cmocka_unit_test(reference_holds_with_every_method),  cmocka_unit_test(broken_particles_are_noticed),
    cmocka_unit_test(broken_rings_are_noticed),           cmocka_unit_test(broken_lists_and_packed_rings_are_noticed),
};

VFX_TEST_MAIN(tests)
