/* pbd_view_test.c - the views of the particles: what they draw shows, the order of slots does not, and no size and no
 * number breaks them. Drawn from what the float reference computes. */
#include "core/test_view.h"

#include "kernels/pbd/pbd.h"

#include <math.h>

/* The view's own case (or `preset` and `set`), computed by the float reference. */
static void drawing_create(drawing *d, const vfx_view *view, const vfx_variant *variant, const char *preset,
                           const char *set, uint32_t frames)
{
    memset(d, 0, sizeof *d);
    assert_vfx_ok(vfx_case_init(&d->kase, &pbd_kernel, variant, preset != NULL ? preset : view->preset));
    assert_vfx_ok(vfx_case_set_list(&d->kase, set != NULL ? set : view->set));
    drawing_compute(d, frames, frames);
}

/* Slots are in the order of cells, or of ids: the pictures are the same but where forces summed in another order moved
 * an edge. Frame 12: rounding has not grown yet. */
static void variants_agree(void **state)
{
    (void)state;
    const vfx_view *view = &pbd_views[0];
    vfx_picture golden = {0};
    for (uint32_t i = PBD_CAPPED; i < PBD_VARIANT_COUNT; i++) { /* brute is slow, and nothing of its own here */
        drawing d;
        drawing_create(&d, view, &pbd_kernel.variants[i], NULL, "particles=700", 12);
        vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
        drawing_destroy(&d);
        if (i == PBD_CAPPED) {
            golden = picture;
            continue;
        }
        uint32_t all = different(&golden, &picture, 8);
        if (all > WIDTH * HEIGHT / 1000)
            fail_msg("%s: %u pixels differ", pbd_kernel.variants[i].name, all);
        vfx_picture_free(&picture);
    }
    vfx_picture_free(&golden);
}

/* A ball on top that moves by its radius; contacts and speeds of all. */
static void what_is_drawn_shows(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < PBD_VIEW_COUNT; v++) {
        const vfx_view *view = &pbd_views[v];
        drawing d;
        drawing_create(&d, view, &pbd_kernel.variants[PBD_ROWS], NULL, NULL, 3);
        vfx_picture golden = draw(&d, view, WIDTH, HEIGHT);
        pbd_particle *balls = d.host.buffer[PBD_BUFFER_PARTICLE];
        pbd_contact *contacts = d.host.buffer[PBD_BUFFER_CONTACT];
        uint64_t top = 0, count = d.host.count[PBD_BUFFER_PARTICLE];
        for (uint64_t i = 0; i < count; i++)
            top = balls[i].position.z - balls[i].position.y > balls[top].position.z - balls[top].position.y ? i : top;
        balls[top].position.z += balls[top].radius;
        vfx_picture moved = draw(&d, view, WIDTH, HEIGHT);
        assert_true(different(&golden, &moved, 8) > 20);
        for (uint64_t i = 0; i < count; i++) {
            balls[i].velocity.x += 3.0f;
            contacts[i].contacts += 4;
        }
        vfx_picture other = draw(&d, view, WIDTH, HEIGHT);
        assert_true(different(&moved, &other, 8) > 4000);
        vfx_picture_free(&golden);
        vfx_picture_free(&moved);
        vfx_picture_free(&other);
        drawing_destroy(&d);
    }
}

/* Colours go with the particle, not with the slot that it has. */
static void order_does_not_matter(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < PBD_VIEW_COUNT; v++) {
        drawing d;
        drawing_create(&d, &pbd_views[v], &pbd_kernel.variants[PBD_ROWS], NULL, NULL, 12);
        vfx_picture golden = draw(&d, &pbd_views[v], WIDTH, HEIGHT);
        pbd_particle *balls = d.host.buffer[PBD_BUFFER_PARTICLE];
        pbd_contact *contacts = d.host.buffer[PBD_BUFFER_CONTACT];
        for (uint64_t i = 0, j = d.host.count[PBD_BUFFER_PARTICLE] - 1; i < j; i++, j--) {
            pbd_particle ball = balls[i];
            pbd_contact contact = contacts[i];
            balls[i] = balls[j];
            balls[j] = ball;
            contacts[i] = contacts[j];
            contacts[j] = contact;
        }
        vfx_picture turned = draw(&d, &pbd_views[v], WIDTH, HEIGHT);
        assert_int_equal(different(&golden, &turned, 0), 0);
        vfx_picture_free(&golden);
        vfx_picture_free(&turned);
        drawing_destroy(&d);
    }
}

/* Each obstacle, a tilted floor, no walls: as few as 200 pixels tell them from nothing. */
static void obstacles_show(void **state)
{
    (void)state;
    static const char *const sets[] = {"particles=1",
                                       "particles=1,obstacle=sphere",
                                       "particles=1,obstacle=capsule",
                                       "particles=1,obstacle=box",
                                       "particles=1,obstacle=torus",
                                       "particles=1,obstacle=grid",
                                       "particles=1,slope=0.05",
                                       "particles=1,walls=off"};
    vfx_picture none = {0};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        drawing d;
        drawing_create(&d, &pbd_views[0], &pbd_kernel.variants[PBD_ROWS], NULL, sets[i], 1);
        vfx_picture picture = draw(&d, &pbd_views[0], WIDTH, HEIGHT);
        drawing_destroy(&d);
        if (i == 0) {
            none = picture;
            continue;
        }
        uint32_t count = different(&none, &picture, 8);
        if (count < 200)
            fail_msg("%s: only %u pixels differ from those without", sets[i], count);
        vfx_picture_free(&picture);
    }
    vfx_picture_free(&none);
}

/* Neither odd sizes nor nonsense in the records does harm. */
static void nonsense_does_no_harm(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {3, 700}, {700, 3}, {61, 33}};
    drawing d;
    drawing_create(&d, &pbd_views[1], &pbd_kernel.variants[PBD_ROWS], NULL, NULL, 1);
    pbd_particle *balls = d.host.buffer[PBD_BUFFER_PARTICLE];
    pbd_collider *colliders = d.host.buffer[PBD_BUFFER_COLLIDER];
    balls[0].position.x = NAN;
    balls[1].radius = INFINITY;
    balls[2].velocity.y = NAN;
    balls[3].position.z = 1e30f;
    colliders[d.host.count[PBD_BUFFER_COLLIDER] - 1].place.x = NAN;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t v = 0; v < PBD_VIEW_COUNT; v++) {
            vfx_picture picture = draw(&d, &pbd_views[v], sizes[i][0], sizes[i][1]);
            assert_int_equal(picture.width, sizes[i][0]);
            vfx_picture_free(&picture);
        }
    drawing_destroy(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_agree),        cmocka_unit_test(what_is_drawn_shows),
        cmocka_unit_test(order_does_not_matter), cmocka_unit_test(obstacles_show),
        cmocka_unit_test(nonsense_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
