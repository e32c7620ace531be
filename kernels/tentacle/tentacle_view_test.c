/* tentacle_view_test.c - the views of the tentacles: all variants give nearly the same picture, one changed tentacle
 * changes it, and no size of the picture and no parameters break it. Drawn from what the float reference computes. */
#include "core/test_view.h"

#include "kernels/tentacle/tentacle.h"

/* The view's own case (or `preset` and `set`), computed by the float reference. */
static void drawing_create(drawing *d, const vfx_view *view, const vfx_variant *variant, const char *preset,
                           const char *set, uint32_t frames)
{
    memset(d, 0, sizeof *d);
    assert_vfx_ok(vfx_case_init(&d->kase, &tentacle_kernel, variant, preset != NULL ? preset : view->preset));
    assert_vfx_ok(vfx_case_set_list(&d->kase, set != NULL ? set : view->set));
    drawing_compute(d, frames, frames);
}

/* Measure: at most one pixel in a thousand differs, by 1 or 2 steps of 255: packed normals are rounded. */
static void variants_agree(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < TENTACLE_VIEW_COUNT; v++) {
        const vfx_view *view = &tentacle_views[v];
        vfx_picture golden = {0};
        for (uint32_t i = 0; i < tentacle_kernel.variant_count; i++) {
            drawing d;
            if (view->draws != NULL && !view->draws(&tentacle_kernel.variants[i]))
                continue;
            drawing_create(&d, view, &tentacle_kernel.variants[i], NULL, NULL, view->frames[0]);
            vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
            drawing_destroy(&d);
            if (i == 0) {
                golden = picture;
                continue;
            }
            uint32_t all = different(&golden, &picture, 0), seen = different(&golden, &picture, 2);
            if (all > WIDTH * HEIGHT / 1000 || seen > 0)
                fail_msg("%s of %s: %u pixels differ, %u of them visibly", view->name, tentacle_kernel.variants[i].name,
                         all, seen);
            vfx_picture_free(&picture);
        }
        vfx_picture_free(&golden);
    }
}

/* Moves a tentacle's ring vertices by 5 cm. */
static void move_tentacle(drawing *d, uint32_t tentacle)
{
    const tentacle_params *params = VFX_CASE_PARAMS(&d->kase, tentacle_params);
    uint64_t each = (uint64_t)params->particles * tentacle_ring_size(params);
    tentacle_vertex *vertices = d->host.buffer[TENTACLE_BUFFER_VERTEX];
    for (uint64_t i = tentacle * each; i < (tentacle + 1) * each; i++)
        vertices[i].position.z += 0.05f;
}

/* One tentacle of each entity, and each of the numbers within one. */
static void moved_tentacle_shows(void **state)
{
    (void)state;
    const vfx_view *view = &tentacle_views[0];
    drawing d;
    drawing_create(&d, view, &tentacle_kernel.variants[0], NULL, NULL, view->frames[0]);
    vfx_picture golden = draw(&d, view, WIDTH, HEIGHT);
    size_t bytes = d.host.bytes[TENTACLE_BUFFER_VERTEX];
    void *kept = malloc(bytes);
    assert_non_null(kept);
    memcpy(kept, d.host.buffer[TENTACLE_BUFFER_VERTEX], bytes);
    for (uint32_t tentacle = 0; tentacle < 64; tentacle += 9) {
        move_tentacle(&d, tentacle);
        vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
        uint32_t count = different(&golden, &picture, 8);
        if (count < 40)
            fail_msg("tentacle %u moved: only %u pixels differ", tentacle, count);
        vfx_picture_free(&picture);
        memcpy(d.host.buffer[TENTACLE_BUFFER_VERTEX], kept, bytes);
    }
    free(kept);
    vfx_picture_free(&golden);
    drawing_destroy(&d);
}

/* Normals, emissive and velocity are not only stored. */
static void fields_show(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < TENTACLE_VIEW_COUNT; v++) {
        const vfx_view *view = &tentacle_views[v];
        drawing d;
        drawing_create(&d, view, &tentacle_kernel.variants[0], NULL, NULL, view->frames[0]);
        vfx_picture golden = draw(&d, view, WIDTH, HEIGHT);
        tentacle_vertex *vertices = d.host.buffer[TENTACLE_BUFFER_VERTEX];
        tentacle_particle *particles = d.host.buffer[TENTACLE_BUFFER_PARTICLE];
        for (uint64_t i = 0; i < d.host.count[TENTACLE_BUFFER_VERTEX]; i++) /* a turn of 90 degrees about z */
            vertices[i].normal = (vec3){-vertices[i].normal.y, vertices[i].normal.x, vertices[i].normal.z};
        vfx_picture turned = draw(&d, view, WIDTH, HEIGHT);
        for (uint64_t i = 0; i < d.host.count[TENTACLE_BUFFER_PARTICLE]; i++) {
            particles[i].emissive = 1.0f - particles[i].emissive;
            particles[i].velocity.z += 1.0f;
        }
        vfx_picture lit = draw(&d, view, WIDTH, HEIGHT);
        assert_true(different(&golden, &turned, 8) > 400);
        assert_true(different(&turned, &lit, 8) > 400);
        vfx_picture_free(&golden);
        vfx_picture_free(&turned);
        vfx_picture_free(&lit);
        drawing_destroy(&d);
    }
}

/* From one golden frame to the next, what is seen has moved. */
static void frames_differ(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < TENTACLE_VIEW_COUNT; v++) {
        const vfx_view *view = &tentacle_views[v];
        vfx_picture before = {0};
        for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && view->frames[i] != 0; i++) {
            drawing d;
            drawing_create(&d, view, &tentacle_kernel.variants[0], NULL, NULL, view->frames[i]);
            vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
            drawing_destroy(&d);
            if (i > 0)
                assert_true(different(&before, &picture, 16) > WIDTH * HEIGHT / 16);
            vfx_picture_free(&before);
            before = picture;
        }
        vfx_picture_free(&before);
    }
}

static void any_size(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {16, 9}, {31, 77}, {200, 3}};
    for (uint32_t v = 0; v < TENTACLE_VIEW_COUNT; v++) {
        drawing d;
        drawing_create(&d, &tentacle_views[v], &tentacle_kernel.variants[0], NULL, NULL, 2);
        for (uint32_t i = 0; i < VFX_COUNT(sizes); i++) {
            vfx_picture picture = draw(&d, &tentacle_views[v], sizes[i][0], sizes[i][1]);
            vfx_picture_free(&picture);
        }
        drawing_destroy(&d);
    }
}

/* Some pixels are not what a picture without tentacles would show. */
static void any_parameters(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "tentacles=1",
        "tentacles=1,particles=2,sides=3,rest_length=1e-4,radius=1e-5",
        "tentacles=7,particles=64,rest_length=10,radius=10,sides=16,cap=on,seam=on,tilt=on",
        "tentacles=1003,tentacles_per_entity=1000,taper=1,cap=on",
        "tentacles=3,tentacles_per_entity=1,attach=delta,yaw_rate=10,orientation=up",
        "tentacles=40,states=off,wriggle=10000,wriggle_hz=100,look=10000,drag=0,gravity=-100,emissive=100,pulsate=1",
    };
    static const char *const variants[] = {"ring", "ring-packed", "bands"};
    for (uint32_t i = 0; i < VFX_COUNT(sets) * VFX_COUNT(variants); i++)
        for (uint32_t v = 0; v < TENTACLE_VIEW_COUNT; v++) {
            const vfx_variant *variant = NULL;
            for (uint32_t k = 0; k < tentacle_kernel.variant_count; k++)
                if (strcmp(tentacle_kernel.variants[k].name, variants[i % VFX_COUNT(variants)]) == 0)
                    variant = &tentacle_kernel.variants[k];
            drawing d;
            drawing_create(&d, &tentacle_views[v], variant, "ci", sets[i / VFX_COUNT(variants)], 2);
            vfx_picture picture = draw(&d, &tentacle_views[v], 96, 54);
            d.ref.in[TENTACLE_BUFFER_ENTITY] = NULL; /* without balls, and with no vertex that an index could find */
            for (uint32_t row = TENTACLE_BUFFER_VERTEX; row <= TENTACLE_BUFFER_CORNER; row++)
                d.ref.count[row] = 0;
            vfx_picture empty = draw(&d, &tentacle_views[v], 96, 54);
            uint32_t count = different(&picture, &empty, 4);
            if (count < 20)
                fail_msg("%s of %s: %u pixels", tentacle_views[v].name, sets[i / VFX_COUNT(variants)], count);
            vfx_picture_free(&picture);
            vfx_picture_free(&empty);
            drawing_destroy(&d);
        }
}

/* With more tentacles than can be drawn, many still are. */
static void large_colony(void **state)
{
    (void)state;
    drawing d;
    drawing_create(&d, &tentacle_views[0], &tentacle_kernel.variants[0], "ci",
                   "tentacles=60000,particles=3,rest_length=0.3", 1);
    vfx_picture picture = draw(&d, &tentacle_views[0], WIDTH, HEIGHT);
    d.ref.count[TENTACLE_BUFFER_VERTEX] = 0;
    vfx_picture empty = draw(&d, &tentacle_views[0], WIDTH, HEIGHT);
    assert_true(different(&picture, &empty, 8) > WIDTH * HEIGHT / 10);
    vfx_picture_free(&picture);
    vfx_picture_free(&empty);
    drawing_destroy(&d);
}

static void wrong_indices(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < TENTACLE_VIEW_COUNT; v++) {
        drawing d;
        drawing_create(&d, &tentacle_views[v], &tentacle_kernel.variants[0], NULL, NULL, 2);
        vfx_picture golden = draw(&d, &tentacle_views[v], WIDTH, HEIGHT);
        uint32_t *index = d.host.buffer[TENTACLE_BUFFER_INDEX];
        for (uint64_t i = 0; i < d.host.count[TENTACLE_BUFFER_INDEX]; i++)
            index[i] = UINT32_MAX - (uint32_t)i % 2u;
        vfx_picture picture = draw(&d, &tentacle_views[v], WIDTH, HEIGHT);
        assert_true(different(&golden, &picture, 8) > 1000);
        vfx_picture_free(&picture);
        vfx_picture_free(&golden);
        drawing_destroy(&d);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(variants_agree), cmocka_unit_test(moved_tentacle_shows),
    cmocka_unit_test(fields_show),    cmocka_unit_test(frames_differ),
    cmocka_unit_test(any_size),       cmocka_unit_test(any_parameters),
    cmocka_unit_test(wrong_indices),  cmocka_unit_test(large_colony),
};
VFX_TEST_MAIN(tests)
