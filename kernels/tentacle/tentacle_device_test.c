/* tentacle_device_test.c - what must hold between the variants on one device, bit for bit (spec 2.9): the ladder bands
 * = bands-cached = bands-march = bands-unrolled = ring expanded through its indices, ring-vertex = fused = ring, packed
 * positions = ring positions, and two runs of any variant leave the same bits. */
#include "core/test_device.h"

#include "core/params.h"
#include "core/run.h"
#include "kernels/tentacle/tentacle.h"

#include <math.h>

#define PI 3.14159265358979323846

VFX_ENUM_NAMES(methods, TENTACLE_ORIENTATION)

static void take_at(picture *p, const char *variant, const char *set, uint32_t start_frame, uint32_t frames)
{
    *p = (picture){0};
    for (uint32_t i = 0; i < tentacle_kernel.variant_count; ++i)
        if (strcmp(tentacle_kernel.variants[i].name, variant) == 0)
            assert_vfx_ok(vfx_case_init(&p->kase, &tentacle_kernel, &tentacle_kernel.variants[i], "ci"));
    assert_non_null(p->kase.kernel);
    assert_vfx_ok(vfx_case_set_list(&p->kase, set));
    take_picture(p, (vfx_run_request){.start_frame = start_frame, .frames = frames});
}

static void take(picture *p, const char *variant, const char *set)
{
    take_at(p, variant, set, 170, 12); /* a jump, when things move */
}

static void drop(picture *p)
{
    vfx_host_destroy(&p->host);
}

static void assert_same(const picture *a, const picture *b, uint32_t row, const char *set)
{
    assert_true(a->host.bytes[row] > 0 && a->host.bytes[row] == b->host.bytes[row]);
    if (memcmp(a->host.buffer[row], b->host.buffer[row], a->host.bytes[row]) != 0)
        fail_msg("%s and %s differ in %s (%s)", a->kase.variant->name, b->kase.variant->name,
                 tentacle_kernel.buffers[row].name, set);
}

/* Options that change the surface; V = 3 and 16 are the ends of the range, 7 does not divide anything. */
static const char *const surfaces[] = {"",
                                       "seam=on",
                                       "cap=on",
                                       "tilt=on",
                                       "seam=on,cap=on,tilt=on,sides=7",
                                       "sides=3,cap=on,particles=2",
                                       "sides=16,seam=on,tentacles=13,particles=64"};

static void test_ladder_is_one_surface(void **state)
{
    (void)state;
    need_device();
    for (size_t i = 0; i < VFX_COUNT(surfaces); ++i) {
        picture unrolled, other;
        take(&unrolled, "bands-unrolled", surfaces[i]);
        static const char *const ladder[] = {"bands", "bands-cached", "bands-march"};
        for (size_t k = 0; k < VFX_COUNT(ladder); ++k) {
            take(&other, ladder[k], surfaces[i]);
            assert_same(&unrolled, &other, TENTACLE_BUFFER_CORNER, surfaces[i]);
            assert_same(&unrolled, &other, TENTACLE_BUFFER_PARTICLE, surfaces[i]);
            drop(&other);
        }
        take(&other, "ring", surfaces[i]);
        const tentacle_vertex *corner = unrolled.host.buffer[TENTACLE_BUFFER_CORNER];
        const tentacle_vertex *vertex = other.host.buffer[TENTACLE_BUFFER_VERTEX];
        const uint32_t *index = other.host.buffer[TENTACLE_BUFFER_INDEX];
        assert_true(unrolled.host.count[TENTACLE_BUFFER_CORNER] == other.host.count[TENTACLE_BUFFER_INDEX]);
        for (uint64_t c = 0; c < other.host.count[TENTACLE_BUFFER_INDEX]; ++c) {
            assert_true(index[c] < other.host.count[TENTACLE_BUFFER_VERTEX]);
            if (memcmp(&corner[c], &vertex[index[c]], sizeof *corner) != 0)
                fail_msg("ring expanded differs from bands-unrolled at corner %llu (%s)", (unsigned long long)c,
                         surfaces[i]);
        }
        drop(&other);
        drop(&unrolled);
    }
    assert_no_messages();
}

static void test_rings_are_the_same(void **state)
{
    (void)state;
    need_device();
    for (size_t i = 0; i < VFX_COUNT(surfaces); ++i) {
        picture ring, other;
        take(&ring, "ring", surfaces[i]);
        static const char *const same[] = {"ring-vertex", "fused"};
        for (size_t k = 0; k < VFX_COUNT(same); ++k) {
            take(&other, same[k], surfaces[i]);
            assert_same(&ring, &other, TENTACLE_BUFFER_PARTICLE, surfaces[i]);
            assert_same(&ring, &other, TENTACLE_BUFFER_VERTEX, surfaces[i]);
            assert_same(&ring, &other, TENTACLE_BUFFER_INDEX, surfaces[i]);
            drop(&other);
        }
        take(&other, "ring-packed", surfaces[i]);
        const tentacle_vertex *vertex = ring.host.buffer[TENTACLE_BUFFER_VERTEX];
        const tentacle_packed *packed = other.host.buffer[TENTACLE_BUFFER_PACKED];
        for (uint64_t v = 0; v < ring.host.count[TENTACLE_BUFFER_VERTEX]; ++v)
            assert_memory_equal(&vertex[v].position, &packed[v].position, sizeof(vec3));
        drop(&other);
        drop(&ring);
    }
    assert_no_messages();
}

static void test_runs_repeat(void **state)
{
    (void)state;
    need_device();
    assert_runs_repeat(&tentacle_kernel, "", 60);
}

static void test_workgroups_do_not_matter(void **state)
{
    (void)state;
    need_device();
    assert_workgroups_do_not_matter(&tentacle_kernel, "", 4);
}

/* ------------------------------------------------------------------- T19: states without a direction */

enum { DEGENERATE_STATES = 6 };

static void set_vec3(vec3 *v, float x, float y, float z)
{
    *v = (vec3){x, y, z};
}

/* Bends the chains of a straight scene: coincident particles, a folded chain, joints of 90, 120 and 180 degrees with
 * right in the plane of the bend, and forwards that oppose each other. */
static void deform(tentacle_particle *particles, uint64_t count, uint32_t joints)
{
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t tentacle = i / joints, joint = i % joints;
        tentacle_particle *p = &particles[i];
        const tentacle_particle *root = &particles[tentacle * joints];
        float angle = joint % 3 == 1 ? 0.25f : joint % 3 == 2 ? 1.0f / 3.0f : 0.5f; /* turns */
        if (joint == 0)
            continue;
        switch (tentacle % DEGENERATE_STATES) {
        case 0: /* all in one point */
            p->position = root->position;
            break;
        case 1: /* folded: child and grandparent coincide */
            p->position = particles[tentacle * joints + joint % 2].position;
            break;
        case 2: /* sharp joints in the x-z plane, right in it */
            set_vec3(&p->forward, (float)sin(2 * PI * (double)angle), 0, (float)cos(2 * PI * (double)angle));
            set_vec3(&p->right, (float)cos(2 * PI * (double)angle), 0, -(float)sin(2 * PI * (double)angle));
            break;
        case 3: /* every forward opposes its parent's */
            set_vec3(&p->forward, 0, 0, joint % 2 ? -1.0f : 1.0f);
            set_vec3(&p->right, 1, 0, 0);
            break;
        case 4: /* right along the chain, which is no frame at all */
            p->right = p->forward;
            break;
        default: /* zeros */
            set_vec3(&p->forward, 0, 0, 0);
            set_vec3(&p->right, 0, 0, 0);
            break;
        }
    }
}

static vfx_status check_directions(void *user, const vfx_feed *feed, const vfx_host *prev, const vfx_host *now)
{
    (void)prev;
    const char *method = user;
    const tentacle_particle *p = now->buffer[TENTACLE_BUFFER_PARTICLE];
    for (uint64_t i = 0; i < now->count[TENTACLE_BUFFER_PARTICLE]; ++i) {
        const float *words = (const float *)(const void *)&p[i];
        for (uint32_t w = 0; w < sizeof p[i] / sizeof *words; ++w)
            if (!isfinite(words[w]))
                fail_msg("%s, frame %u: particle %llu has no finite word %u", method, feed->frame.index,
                         (unsigned long long)i, w);
        if (i % 21 == 0 || i / 21 % DEGENERATE_STATES == 5)
            continue; /* roots are placed; a chain of zero vectors has no forward to keep */
        double length = 0, dot = 0;
        const float *r = &p[i].right.x, *f = &p[i].forward.x;
        for (int c = 0; c < 3; ++c)
            length += (double)r[c] * (double)r[c], dot += (double)r[c] * (double)f[c];
        if (!(fabs(length - 1) <= 2e-6) || !(fabs(dot) <= 1e-6))
            fail_msg("%s, frame %u: particle %llu: |right|^2 = %g, right.forward = %g", method, feed->frame.index,
                     (unsigned long long)i, length, dot);
    }
    return VFX_OK;
}

/* No NaN in any method from any of these states, and frames stay orthonormal. The reference starts from the same states
 * in tentacle_ref_test.c. */
static void test_states_without_direction(void **state)
{
    (void)state;
    need_device();
    for (uint32_t variant = 0; variant < 2; ++variant)
        for (uint32_t method = 0; method < VFX_COUNT(methods_names); ++method) {
            picture p;
            char set[64];
            snprintf(set, sizeof set, "orientation=%s", methods_names[method]);
            take_at(&p, variant ? "fused" : "ring", set, 1, 1);
            deform(p.host.buffer[TENTACLE_BUFFER_PARTICLE], p.host.count[TENTACLE_BUFFER_PARTICLE], 21);
            vfx_run_request request = {.kase = &p.kase,
                                       .start_frame = 1,
                                       .start_state = &p.host,
                                       .frames = 12,
                                       .read_every = 1,
                                       .poison = true};
            vfx_run *run;
            assert_vfx_ok(vfx_run_create(&run, gpu, &request));
            assert_vfx_ok(vfx_run_gpu(run, check_directions, (void *)(uintptr_t)methods_names[method], NULL));
            vfx_run_destroy(run);
            drop(&p);
        }
    assert_no_messages();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_states_without_direction), cmocka_unit_test(test_ladder_is_one_surface),
    cmocka_unit_test(test_rings_are_the_same),       cmocka_unit_test(test_runs_repeat),
    cmocka_unit_test(test_workgroups_do_not_matter),
};
VFX_DEVICE_TEST_MAIN(tests)
