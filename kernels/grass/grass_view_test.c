/* grass_view_test.c - the views of the grass: all variants give nearly the same picture, other gusts, bends, normals
 * and shades change it, and no size of the picture and no parameters break it. Drawn from what the float reference
 * computes.
 */
#include "core/test_view.h"

#include "kernels/grass/grass.h"

/* The view's own case with `set` on top (or that of `preset`); only the last frame is computed, there is no state. */
static void drawing_create(drawing *d, const vfx_view *view, const vfx_variant *variant, const char *preset,
                           const char *set, uint32_t frame)
{
    memset(d, 0, sizeof *d);
    assert_vfx_ok(vfx_case_init(&d->kase, &grass_kernel, variant, preset != NULL ? preset : view->preset));
    assert_vfx_ok(vfx_case_set_list(&d->kase, preset != NULL ? "" : view->set));
    assert_vfx_ok(vfx_case_set_list(&d->kase, set));
    drawing_compute(d, frame, 1);
}

/* The view's first golden frame with parameters on top. */
static vfx_picture draw_with(const vfx_view *view, const vfx_variant *variant, const char *set, uint32_t frame)
{
    drawing d;
    drawing_create(&d, view, variant, NULL, set, frame);
    vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
    drawing_destroy(&d);
    return picture;
}

/* Measure: at most one pixel in a hundred is off by more than 2 steps of 255, one in 400 by more than 16. Packed
 * offsets are halves: up to 0.2 mm, which moves the edges of blades and threads; the other variants give the same
 * pixels here. */
static void variants_agree(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < GRASS_VIEW_COUNT; v++) {
        const vfx_view *view = &grass_views[v];
        vfx_picture golden = {0};
        for (uint32_t i = 0; i < grass_kernel.variant_count; i++) {
            const vfx_variant *variant = &grass_kernel.variants[i];
            if (view->draws != NULL && !view->draws(variant))
                continue;
            vfx_picture picture = draw_with(view, variant, "", view->frames[0]);
            if (i == 0) {
                golden = picture;
                continue;
            }
            uint32_t seen = different(&golden, &picture, 2), much = different(&golden, &picture, 16);
            if (seen > WIDTH * HEIGHT / 100 || much > WIDTH * HEIGHT / 400)
                fail_msg("%s of %s: %u pixels differ visibly, %u of them much", view->name, variant->name, seen, much);
            vfx_picture_free(&picture);
        }
        vfx_picture_free(&golden);
    }
}

/* Each of these is what a faulty shader might do; the number is that of pixels off by more than 8 steps. */
static void changes_show(void **state)
{
    (void)state;
    static const struct {
        uint32_t view;
        const char *set;
        uint32_t pixels;
    } rows[] = {
        {0, "start=0.4", 8000}, /* gusts a quarter of a noise unit further on */
        {0, "bend_max=0.8", 4000}, {0, "wind_angle=0.15", 8000}, {0, "stagger=0.7", 4000}, {1, "start=0.4", 8000},
        {1, "bend_max=0.9", 2000}, {1, "facing=back", 4000},     {1, "normal=arc", 2000},  {1, "shape=lerp", 4000},
    };
    vfx_picture golden[GRASS_VIEW_COUNT];
    for (uint32_t v = 0; v < GRASS_VIEW_COUNT; v++)
        golden[v] = draw_with(&grass_views[v], &grass_kernel.variants[0], "", grass_views[v].frames[0]);
    for (uint32_t i = 0; i < VFX_COUNT(rows); i++) {
        const vfx_view *view = &grass_views[rows[i].view];
        vfx_picture picture = draw_with(view, &grass_kernel.variants[0], rows[i].set, view->frames[0]);
        uint32_t count = different(&golden[rows[i].view], &picture, 8);
        if (count < rows[i].pixels)
            fail_msg("%s with %s: only %u pixels differ", view->name, rows[i].set, count);
        vfx_picture_free(&picture);
    }
    for (uint32_t v = 0; v < GRASS_VIEW_COUNT; v++)
        vfx_picture_free(&golden[v]);
}

/* From one golden frame to the next, what is seen has moved. */
static void frames_differ(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < GRASS_VIEW_COUNT; v++) {
        const vfx_view *view = &grass_views[v];
        vfx_picture before = {0};
        for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && view->frames[i] != 0; i++) {
            vfx_picture picture = draw_with(view, &grass_kernel.variants[0], "", view->frames[i]);
            if (i > 0)
                assert_true(different(&before, &picture, 8) > WIDTH * HEIGHT / 10);
            vfx_picture_free(&before);
            before = picture;
        }
        vfx_picture_free(&before);
    }
}

/* Roots, tips, normals, ambient occlusion and the random colour of a vertex are all drawn. */
static void fields_show(void **state)
{
    (void)state;
    const vfx_view *view = &grass_views[1];
    for (uint32_t field = 0; field < 4; field++) {
        drawing d;
        drawing_create(&d, view, &grass_kernel.variants[0], NULL, "", view->frames[0]);
        vfx_picture golden = draw(&d, view, WIDTH, HEIGHT);
        grass_vertex *vertices = d.host.buffer[GRASS_BUFFER_VERTEX];
        for (uint64_t i = 0; i < d.host.count[GRASS_BUFFER_VERTEX]; i++) {
            vertices[i].position.x += field == 0 ? 0.05f : 0.0f;
            vertices[i].normal.x *= field == 1 ? -1.0f : 1.0f;
            vertices[i].shade ^= field == 2 ? 0xffu : field == 3 ? 0xff000000u : 0u;
        }
        vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
        if (different(&golden, &picture, 4) < 1000)
            fail_msg("field %u: only %u pixels differ", field, different(&golden, &picture, 4));
        vfx_picture_free(&golden);
        vfx_picture_free(&picture);
        drawing_destroy(&d);
    }
}

static void any_size(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {16, 9}, {31, 77}, {200, 3}};
    for (uint32_t v = 0; v < GRASS_VIEW_COUNT; v++) {
        drawing d;
        drawing_create(&d, &grass_views[v], &grass_kernel.variants[0], NULL, "blades=200", 2);
        for (uint32_t i = 0; i < VFX_COUNT(sizes); i++) {
            vfx_picture picture = draw(&d, &grass_views[v], sizes[i][0], sizes[i][1]);
            vfx_picture_free(&picture);
        }
        drawing_destroy(&d);
    }
}

/* Draws, and again without blades: there have to be some, but where they may be behind steep hills. */
static void draws_blades(const drawing *d, const vfx_view *view, const char *set)
{
    vfx_picture picture = draw(d, view, 96, 54);
    drawing bare = *d;
    bare.ref.in[GRASS_BUFFER_VERTEX] = bare.ref.in[GRASS_BUFFER_PACKED] = NULL;
    vfx_picture empty = draw(&bare, view, 96, 54);
    bool hidden = VFX_CASE_PARAMS(&d->kase, grass_params)->relief > 100.0f;
    if (!hidden && different(&picture, &empty, 4) < 20)
        fail_msg("%s of %s: %u pixels", view->name, set, different(&picture, &empty, 4));
    vfx_picture_free(&picture);
    vfx_picture_free(&empty);
}

static void any_parameters(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "blades=1,rows=2",
        "blades=1,height=10,width=1,per_m2=0.01,relief=1000,hill_size=0.1",
        "blades=3,rows=64,leaves=64,clump_radius=0.1",
        "blades=500,height=1e-3,width=1e-3,per_m2=10000,relief=0",
        "blades=500,bend_min=0,bend_max=0,align=upright,placement=grid,height_spread=0.9,relief=1000,hill_size=10000",
        "blades=500,bend_max=1,bend_min=1,facing=camera,normal=arc,shape=lerp,wind=world,random=fract,motion=on",
        "blades=70000,rows=3,leaves=2",
    };
    static const uint32_t variants[] = {0, 3};
    for (uint32_t i = 0; i < VFX_COUNT(sets) * VFX_COUNT(variants); i++)
        for (uint32_t v = 0; v < GRASS_VIEW_COUNT; v++) {
            drawing d;
            const vfx_variant *variant = &grass_kernel.variants[variants[i % VFX_COUNT(variants)]];
            drawing_create(&d, &grass_views[v], variant, "ci", sets[i / VFX_COUNT(variants)], 2);
            draws_blades(&d, &grass_views[v], sets[i / VFX_COUNT(variants)]);
            drawing_destroy(&d);
        }
}

/* The ground that is drawn is that of the height map. */
static void height_map_shows(void **state)
{
    (void)state;
    uint16_t samples[16];
    grass_asset asset = {.terrain = {.width = 4, .height = 4, .maximum = 255, .samples = samples}};
    drawing d;
    drawing_create(&d, &grass_views[0], &grass_kernel.variants[0], NULL, "blades=100,per_m2=1", 2);
    void *loaded = d.kase.asset;
    d.kase.asset = d.feed.kase.asset = &asset;
    vfx_picture pictures[2];
    for (uint16_t tall = 0; tall < 2; tall++) {
        for (uint16_t i = 0; i < 16; i++)
            samples[i] = (uint16_t)(i % 4 * 80u * tall);
        pictures[tall] = draw(&d, &grass_views[0], WIDTH, HEIGHT);
    }
    assert_true(different(&pictures[0], &pictures[1], 8) > 4000);
    vfx_picture_free(&pictures[0]);
    vfx_picture_free(&pictures[1]);
    d.kase.asset = d.feed.kase.asset = loaded;
    drawing_destroy(&d);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(variants_agree),   cmocka_unit_test(changes_show), cmocka_unit_test(frames_differ),
    cmocka_unit_test(fields_show),      cmocka_unit_test(any_size),     cmocka_unit_test(any_parameters),
    cmocka_unit_test(height_map_shows),
};
VFX_TEST_MAIN(tests)
