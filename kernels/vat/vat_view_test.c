/* vat_view_test.c - the views of the crowd: all variants that a view draws give nearly the same picture, a moved actor
 * changes it, and no size of the picture, no parameters and no record break it. Drawn from what the float reference
 * computes. */
#include "core/test_view.h"

#include "kernels/vat/vat.h"

#include <math.h>

/* The view's own case, or `preset`, with `set` on top, computed by the float reference. */
static void drawing_create(drawing *d, const vfx_view *view, vat_variant variant, const char *preset, const char *set,
                           uint32_t frames)
{
    const vfx_variant *row = &vat_kernel.variants[variant];
    memset(d, 0, sizeof *d);
    assert_vfx_ok(vfx_case_init(&d->kase, &vat_kernel, row, preset != NULL ? preset : view->preset));
    if (preset == NULL)
        assert_vfx_ok(vfx_case_set_list(&d->kase, view->set));
    assert_vfx_ok(vfx_case_set_list(&d->kase, set));
    drawing_compute(d, frames, frames);
}

static uint32_t apart(const drawing *d, const vfx_view *view, const vfx_picture *golden, int off)
{
    vfx_picture picture = draw(d, view, golden->width, golden->height);
    const uint32_t count = different(golden, &picture, off);
    vfx_picture_free(&picture);
    return count;
}

/* Measure: at most one pixel in 400 differs by more than 2 steps of 255 (bones skins what others decode from
 * 16-bit codes); packed vertices, which have no colours of their own, change no pixel by more than 2. */
static void variants_agree(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VAT_VIEW_COUNT; v++) {
        const vfx_view *view = &vat_views[v];
        drawing d;
        drawing_create(&d, view, VAT_TEXEL, NULL, "", view->frames[0]);
        vfx_picture golden = draw(&d, view, WIDTH, HEIGHT);
        drawing_destroy(&d);
        for (uint32_t i = 1; i < VAT_VARIANT_COUNT; i++) {
            if (!view->draws(&vat_kernel.variants[i]))
                continue;
            drawing_create(&d, view, (vat_variant)i, NULL, "", view->frames[0]);
            const uint32_t count = apart(&d, view, &golden, 2);
            if (count > (i == VAT_BONES_VARIANT ? WIDTH * HEIGHT / 400 : 0))
                fail_msg("%s of %s: %u pixels", view->name, vat_kernel.variants[i].name, count);
            drawing_destroy(&d);
        }
        drawing_create(&d, view, VAT_TEXEL, NULL, "vertex_format=packed", view->frames[0]);
        assert_int_equal(apart(&d, view, &golden, 2), 0);
        drawing_destroy(&d);
        vfx_picture_free(&golden);
    }
}

/* Another moment or another crowd is not let through. */
static void others_are_left_out(void **state)
{
    (void)state;
    static const vat_variant others[] = {VAT_NEAREST, VAT_FILTERED, VAT_BOUNDS_VARIANT, VAT_BLEND_VARIANT, VAT_TEXTURE};
    for (uint32_t i = 0; i < VFX_COUNT(others); i++)
        assert_false(vat_views[0].draws(&vat_kernel.variants[others[i]]));
}

/* The actor in the middle, by 10 cm; its colours and normals too. */
static void changes_show(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VAT_VIEW_COUNT; v++) {
        const vfx_view *view = &vat_views[v];
        drawing d;
        drawing_create(&d, view, VAT_TEXEL, NULL, "", 1);
        vfx_picture golden = draw(&d, view, WIDTH, HEIGHT);
        const uint32_t each = vat_vertex_total(&d.kase);
        vat_vertex *vertices = d.host.buffer[VAT_BUFFER_VERTEX];
        const uint64_t slots = d.host.count[VAT_BUFFER_VERTEX];
        for (uint32_t i = 0; i < each; i++)
            vertices[210 * each + i].position.y += 0.1f;
        assert_true(apart(&d, view, &golden, 8) > 20);
        for (uint32_t i = 0; i < each; i++)
            vertices[210 * each + i].position.y -= 0.1f;
        for (uint64_t i = 0; i < slots; i++)
            vertices[i].colour ^= 0x404040u;
        assert_true(apart(&d, view, &golden, 8) > 1000);
        for (uint64_t i = 0; i < slots; i++) {
            vertices[i].colour ^= 0x404040u;
            vertices[i].normal = (vec3){vertices[i].normal.y, vertices[i].normal.z, vertices[i].normal.x};
        }
        assert_true(apart(&d, view, &golden, 8) > 1000);
        vfx_picture_free(&golden);
        drawing_destroy(&d);
    }
}

static void frames_differ(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VAT_VIEW_COUNT; v++) {
        const vfx_view *view = &vat_views[v];
        vfx_picture before = {0};
        for (uint32_t i = 0; i < 2; i++) {
            drawing d;
            drawing_create(&d, view, VAT_BUFFER, NULL, "", view->frames[i]);
            vfx_picture picture = draw(&d, view, WIDTH, HEIGHT);
            drawing_destroy(&d);
            if (i > 0)
                assert_true(different(&before, &picture, 8) > 2000);
            vfx_picture_free(&before);
            before = picture;
        }
        vfx_picture_free(&before);
    }
}

/* Any size; and vertices that are not numbers, or none at all, leave what a picture of the ground shows. */
static void nothing_breaks(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {31, 77}, {200, 3}};
    for (uint32_t v = 0; v < VAT_VIEW_COUNT; v++) {
        drawing d;
        drawing_create(&d, &vat_views[v], VAT_TEXEL, "ci", "", 2);
        for (uint32_t i = 0; i < VFX_COUNT(sizes); i++) {
            vfx_picture picture = draw(&d, &vat_views[v], sizes[i][0], sizes[i][1]);
            vfx_picture_free(&picture);
        }
        const uint64_t slots = d.ref.count[VAT_BUFFER_VERTEX];
        vfx_picture full = draw(&d, &vat_views[v], 96, 54);
        d.ref.count[VAT_BUFFER_VERTEX] = 0;
        vfx_picture empty = draw(&d, &vat_views[v], 96, 54);
        assert_true(different(&full, &empty, 8) > 100);
        d.ref.count[VAT_BUFFER_VERTEX] = slots;
        memset(d.host.buffer[VAT_BUFFER_VERTEX], 0xff, d.host.bytes[VAT_BUFFER_VERTEX]);
        assert_int_equal(apart(&d, &vat_views[v], &empty, 0), 0);
        vfx_picture_free(&full);
        d.ref.in[VAT_BUFFER_VERTEX] = NULL;
        vfx_picture none = draw(&d, &vat_views[v], 96, 54);
        vfx_picture_free(&none);
        vfx_case bare = *d.ref.kase;
        bare.asset = NULL;
        d.ref.kase = &bare;
        none = draw(&d, &vat_views[v], 96, 54);
        vfx_picture_free(&none);
        vfx_picture_free(&empty);
        drawing_destroy(&d);
    }
}

/* Some pixels are not what a picture without actors would show. */
static void any_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *preset, *set;
        vat_variant variant;
    } rows[] = {
        {"odd", "", VAT_TEXEL},
        {"odd", "batch=0,equipment=on", VAT_BUFFER},
        {"ci", "equipment=on", VAT_TEXTURE},
        {"ci", "equipment=on,vertex_format=packed", VAT_TEXTURE},
        {"ci", "actors=1", VAT_TEXEL},
        {"ci", "spacing=1000", VAT_TEXEL},
        {"ci", "spacing=0.01,visible=7", VAT_TEXEL},
        {"ci", "kind=matrix,batch=100", VAT_TEXEL},
        {"ci", "kind=scale2d", VAT_BONES_VARIANT},
        {"ci", "kind=billboard", VAT_NEAREST},
        {"ci", "kind=source", VAT_FILTERED},
        {"ci", "batch=50", VAT_BLEND_VARIANT},
        {"ci", "actors=6k,vertices=120", VAT_ADVANCE},
    };
    for (uint32_t i = 0; i < VFX_COUNT(rows); i++)
        for (uint32_t v = 0; v < VAT_VIEW_COUNT; v++)
            for (uint32_t frames = 1; frames < 4; frames += 2) {
                drawing d;
                drawing_create(&d, &vat_views[v], rows[i].variant, rows[i].preset, rows[i].set, frames);
                vfx_picture picture = draw(&d, &vat_views[v], 96, 54);
                d.ref.count[VAT_BUFFER_VERTEX] = d.ref.count[VAT_BUFFER_PACKED] = 0;
                const uint32_t count = apart(&d, &vat_views[v], &picture, 4);
                if (count < 8)
                    fail_msg("%s of %s, %s: %u pixels", vat_views[v].name, rows[i].preset, rows[i].set, count);
                vfx_picture_free(&picture);
                drawing_destroy(&d);
            }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(variants_agree), cmocka_unit_test(others_are_left_out), cmocka_unit_test(changes_show),
    cmocka_unit_test(frames_differ),  cmocka_unit_test(nothing_breaks),      cmocka_unit_test(any_parameters),
};
VFX_TEST_MAIN(tests)
