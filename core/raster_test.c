/* core/raster_test.c - what the raster promises: exact coverage, the same bytes for the same calls, true perspective,
 * nothing that breaks it, light and shadow on the right side. */
#include "core/test.h"

#include "core/raster_internal.h"

enum { SIDE = 120 };

/* Nothing but glow can be seen: black sky, no sun, no ground. The eye is 10 m up the z axis, the picture's height spans
 * 10 m at the origin, x points right and y up. */
static vfx_scene bare_scene(void)
{
    vfx_scene scene = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .sun = {0, 0, 1}, .radius = 5};
    scene.fov = 2.0 * atan(0.5);
    return scene;
}

static vfx_raster *make(uint32_t width, uint32_t height, const vfx_scene *scene)
{
    vfx_raster *raster = NULL;
    assert_vfx_ok(vfx_raster_create(&raster, width, height));
    vfx_raster_scene(raster, scene);
    return raster;
}

static vfx_picture finish(vfx_raster *raster)
{
    vfx_picture picture;
    assert_vfx_ok(vfx_raster_finish(raster, &picture));
    return picture;
}

static const uint8_t *at(const vfx_picture *picture, uint32_t x, uint32_t y)
{
    assert_true(x < picture->width && y < picture->height);
    return &picture->rgb[((size_t)y * picture->width + x) * 3];
}

static int level(const vfx_picture *picture, uint32_t x, uint32_t y)
{
    const uint8_t *rgb = at(picture, x, y);
    return rgb[0] + rgb[1] + rgb[2];
}

static bool same(const vfx_picture *a, const vfx_picture *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->rgb, b->rgb, (size_t)a->width * a->height * 3) == 0;
}

static const float red[3] = {0.5f, 0, 0}, green[3] = {0, 0.5f, 0}, black[3] = {0, 0, 0};

/* A triangle that glows and reflects nothing. */
static void glowing(vfx_raster *raster, const float p[3][3], const float glow[3])
{
    vfx_raster_vertex corners[3] = {0};
    for (int i = 0; i < 3; i++) {
        memcpy(corners[i].position, p[i], sizeof p[i]);
        memcpy(corners[i].glow, glow, sizeof corners[i].glow);
    }
    vfx_raster_triangle(raster, corners);
}

/* An upright rectangle that faces +z. */
static void rectangle(vfx_raster *raster, float x0, float y0, float x1, float y1, float z, const float glow[3])
{
    glowing(raster, (const float[3][3]){{x0, y0, z}, {x1, y0, z}, {x1, y1, z}}, glow);
    glowing(raster, (const float[3][3]){{x0, y0, z}, {x1, y1, z}, {x0, y1, z}}, glow);
}

static double linear_of(uint8_t value)
{
    const double code = value / 255.0;
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

/* Share of the picture that is as red as a full pixel of `red`, in pixels. */
static double pixels_of(const vfx_picture *picture, int channel)
{
    double sum = 0.0, full = 0.0;
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        const double linear = linear_of(picture->rgb[i * 3 + (size_t)channel]);
        sum += linear;
        full = fmax(full, linear);
    }
    return full > 0.0 ? sum / full : 0.0;
}

/* ------------------------------------------------------------------------------------ coverage */

static void count_covered(const int32_t x[3], const int32_t y[3], int width, int height, int *counts)
{
    vfx_edges edges;
    int32_t first, last;
    if (!vfx_edges_set(&edges, x, y))
        return;
    for (int row = 0; row < height; row++)
        if (vfx_edges_span(&edges, 96, row * VFX_FIXED + 96, width, &first, &last))
            for (int32_t i = first; i <= last; i++)
                counts[row * width + i]++;
}

static int32_t pick(uint32_t *seed, int32_t most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int32_t)((*seed >> 8) % (uint32_t)most);
}

/* A rectangle cut into triangles round a point, with corners on its sides; rounded to the samples' own grid in most
 * rounds, which makes it hard. Every sample inside is covered once, none twice, whatever way round triangles go. */
static void shared_edges(void **state)
{
    (void)state;
    enum { W = 40, H = 30, CORNERS = 8 };
    uint32_t seed = 1;
    for (int round = 0; round < 1000; round++) {
        static const int32_t grains[4] = {1, 32, 128, VFX_FIXED};
        const int32_t grain = grains[round % 4], right = 36 * VFX_FIXED, low = 28 * VFX_FIXED;
        const int32_t on[5] = {pick(&seed, right), pick(&seed, low), pick(&seed, right), pick(&seed, low), 0};
        int32_t x[CORNERS + 1] = {0, on[0], right, right, right, on[2], 0, 0, 1 + pick(&seed, right - 1)};
        int32_t y[CORNERS + 1] = {0, 0, 0, on[1], low, low, low, on[3], 1 + pick(&seed, low - 1)};
        for (int i = 0; i <= CORNERS; i++) { /* whole grains, and samples lie at 96 */
            x[i] = x[i] / grain * grain + VFX_FIXED + 96;
            y[i] = y[i] / grain * grain + VFX_FIXED + 96;
        }
        int once[W * H] = {0}, turned[W * H] = {0};
        for (int i = 0; i < CORNERS; i++) {
            const int k = (i + 1) % CORNERS, m = CORNERS;
            count_covered((const int32_t[3]){x[m], x[i], x[k]}, (const int32_t[3]){y[m], y[i], y[k]}, W, H, once);
            count_covered((const int32_t[3]){x[k], x[i], x[m]}, (const int32_t[3]){y[k], y[i], y[m]}, W, H, turned);
        }
        for (int i = 0; i < W * H; i++) { /* the top and left sides belong to it */
            const int inside = i % W >= 1 && i % W < 37 && i / W >= 1 && i / W < 29;
            assert_int_equal(once[i], inside);
            assert_int_equal(turned[i], inside);
        }
    }
}

static void full_screen_without_seam(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    rectangle(raster, -5, -5, 5, 5, 0, red);
    vfx_picture picture = finish(raster);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            assert_int_equal(at(&picture, x, y)[0], 188); /* 0.5 in sRGB */
            assert_int_equal(at(&picture, x, y)[1], 0);
        }
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

static void no_area(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_picture empty = finish(raster);
    const float row = -0.125f * 10 / SIDE; /* of samples */
    glowing(raster, (const float[3][3]){{-3, row, 0}, {3, row, 0}, {1, row, 0}}, red);
    glowing(raster, (const float[3][3]){{-3, row, 0}, {3, row, 0}, {0, row / 2, 5}}, red); /* seen edge on */
    glowing(raster, (const float[3][3]){{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, red);
    glowing(raster, (const float[3][3]){{0, 0, 5}, {0, 0, 3}, {0, 0, 1}}, red);
    vfx_raster_sphere(raster, black, 0.0f, red, red);
    vfx_raster_sphere(raster, black, -1.0f, red, red);
    vfx_raster_line(raster, black, (const float[3]){1, 0, 0}, 0.0f, red);
    vfx_picture picture = finish(raster);
    assert_true(same(&empty, &picture));
    vfx_picture_free(&picture);
    vfx_picture_free(&empty);
    vfx_raster_destroy(raster);
}

/* --------------------------------------------------------------------------------- determinism */

/* `order` 1 draws the same things from the last to the first. */
static void heap(vfx_raster *raster, int order)
{
    for (int k = 0; k < 200; k++) {
        const int i = order != 0 ? 199 - k : k;
        const float x = (float)(i % 14) * 0.6f - 4, y = (float)(i / 14) * 0.6f - 4, z = (float)(i * 7 % 11) * 0.1f;
        if (i % 2 == 0)
            vfx_raster_sphere(raster, (const float[3]){x, y, z}, 0.4f, (const float[3]){0.8f, 0.3f, 0.1f}, black);
        else
            rectangle(raster, x, y, x + 0.5f, y + 0.7f, z + 0.05f, green);
    }
}

static void same_bytes(void **state)
{
    (void)state;
    vfx_scene scene = bare_scene();
    scene.sun_light[0] = scene.sky_light[2] = 0.8f;
    scene.sun[0] = 1.0;
    scene.ground = true;
    scene.ground_height = -4;
    scene.grid = 1;
    vfx_raster *raster = make(SIDE, SIDE, &scene), *other = make(SIDE, SIDE, &scene);
    heap(raster, 0);
    heap(other, 1);
    vfx_picture first = finish(raster), reversed = finish(other);
    vfx_raster_scene(raster, &scene);
    heap(raster, 0);
    vfx_picture again = finish(raster);
    assert_true(same(&first, &again));
    assert_true(same(&first, &reversed));
    vfx_picture_free(&first);
    vfx_picture_free(&again);
    vfx_picture_free(&reversed);
    vfx_raster_destroy(raster);
    vfx_raster_destroy(other);
}

/* ------------------------------------------------------------------------------------- depth */

static void nearer_wins(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    for (int order = 0; order < 2; order++) {
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        rectangle(raster, -2, -2, 2, 2, order == 0 ? 1.0f : 0.0f, order == 0 ? green : red);
        rectangle(raster, -2, -2, 2, 2, order == 0 ? 0.0f : 1.0f, order == 0 ? red : green);
        vfx_picture picture = finish(raster);
        assert_int_equal(at(&picture, SIDE / 2, SIDE / 2)[1], 188);
        assert_int_equal(at(&picture, SIDE / 2, SIDE / 2)[0], 0);
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

/* A ball of radius 2 pokes through the plane z = 1: its cap has the radius sqrt(3), seen at 9 m. */
static void sphere_through_triangle(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_raster_sphere(raster, black, 2.0f, black, red);
    rectangle(raster, -6, -6, 6, 6, 1, green);
    vfx_picture picture = finish(raster);
    const double radius = SIDE * sqrt(3.0) / 9.0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const double away = hypot(x + 0.5 - SIDE / 2, y + 0.5 - SIDE / 2);
            if (away < radius - 0.75)
                assert_int_equal(at(&picture, x, y)[0], 188);
            if (away > radius + 0.75)
                assert_int_equal(at(&picture, x, y)[1], 188);
        }
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

/* -------------------------------------------------------------------------------- perspective */

/* The front of a 1 m cube at the origin is 9.5 m away: focal length / 9.5 pixels wide. */
static void cube_size(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(2 * SIDE, SIDE, &scene);
    rectangle(raster, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f, red);
    rectangle(raster, -0.5f, -0.5f, 0.5f, 0.5f, -0.5f, red);
    vfx_picture picture = finish(raster);
    const double side = SIDE / 9.5;
    assert_true(fabs(pixels_of(&picture, 0) - side * side) < 0.3 * side);
    for (uint32_t x = 0; x < 2 * SIDE; x++) {
        const double away = fabs(x + 0.5 - SIDE);
        if (away < side / 2 - 0.5)
            assert_int_equal(at(&picture, x, SIDE / 2)[0], 188);
        if (away > side / 2 + 0.5)
            assert_int_equal(at(&picture, x, SIDE / 2)[0], 0);
    }
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

/* Rays of pixel middles against the ball: those half a pixel off its outline must be right, off the axis too. */
static void sphere_outline(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    static const float centres[3][3] = {{0, 0, 0}, {3.2f, -2.5f, 1}, {-4, 3.5f, 4}};
    for (int i = 0; i < 3; i++) {
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        const float *c = centres[i];
        vfx_raster_sphere(raster, c, 1.3f, black, red);
        vfx_picture picture = finish(raster);
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                int inside = 0;
                for (int k = 0; k < 16; k++) { /* round the pixel's middle, and half a pixel off */
                    const double turn = k * 0.39269908169872414;
                    const double ray[3] = {(x + 0.5 + 0.71 * cos(turn)) / SIDE - 0.5,
                                           0.5 - (y + 0.5 + 0.71 * sin(turn)) / SIDE, -1};
                    const double to[3] = {(double)c[0], (double)c[1], (double)c[2] - 10.0};
                    const double along = vfx_dot3(ray, to), square = vfx_dot3(ray, ray);
                    inside += vfx_dot3(to, to) - along * along / square < 1.3f * 1.3f;
                }
                if (inside == 16)
                    assert_int_equal(at(&picture, x, y)[0], 188);
                if (inside == 0)
                    assert_int_equal(at(&picture, x, y)[0], 0);
            }
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

static void line_width(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(360, 360, &scene);
    vfx_raster_line(raster, (const float[3]){-6, 0.02f, 0}, (const float[3]){6, 0.02f, -30}, 8.0f, red);
    vfx_picture picture = finish(raster);
    for (uint32_t x = 40; x < 200; x += 20) {
        int lit = 0;
        for (uint32_t y = 0; y < 360; y++)
            lit += at(&picture, x, y)[0] == 188;
        assert_in_range(lit, 3, 4); /* half as high as 720: 4 pixels */
    }
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

/* ------------------------------------------------------------------------- what must not break it */

/* The plane y = -1 from far behind the eye to far in front: all of the picture well below the horizon, nothing above.
 */
static void behind_the_eye(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    for (int huge = 0; huge < 2; huge++) {
        const float far_off = huge != 0 ? 1e10f : 1e5f;
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        glowing(raster, (const float[3][3]){{-far_off, -1, far_off}, {far_off, -1, far_off}, {0, -1, -far_off}}, red);
        vfx_picture picture = finish(raster);
        for (uint32_t x = 0; x < SIDE; x++) {
            for (uint32_t y = 0; y < SIDE / 2 - 1; y++)
                assert_int_equal(at(&picture, x, y)[0], 0);
            for (uint32_t y = SIDE / 2 + 2; y < SIDE; y++)
                assert_int_equal(at(&picture, x, y)[0], 188);
        }
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

static void wholly_behind(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_picture empty = finish(raster);
    rectangle(raster, -3, -3, 3, 3, 12, red);
    vfx_raster_sphere(raster, (const float[3]){0, 0, 13}, 1, red, red);
    for (int i = 0; i < 9; i++)
        vfx_raster_line(raster, (const float[3]){(float)(i % 3 - 1), 0, 11},
                        (const float[3]){0, (float)(i / 3 - 1), 12}, 3, red);
    vfx_picture picture = finish(raster);
    assert_true(same(&empty, &picture));
    vfx_picture_free(&picture);
    vfx_picture_free(&empty);
    vfx_raster_sphere(raster, (const float[3]){0, 0, 9}, 0.995f, red, red); /* touches the near plane, 1 cm off */
    picture = finish(raster);
    assert_int_equal(level(&picture, SIDE / 2, SIDE / 2), 0);
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

static void not_finite(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_picture empty = finish(raster);
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 3; b++) {
        for (int member = 0; member < 12; member++) {
            vfx_raster_vertex corners[3] = {
                {.position = {-1, -1, 0}}, {.position = {1, -1, 0}}, {.position = {0, 1, 0}}};
            for (int i = 0; i < 9; i++)
                corners[i / 3].glow[i % 3] = 1;
            float *values[4] = {corners[b].position, corners[b].normal, corners[b].colour, corners[b].glow};
            values[member / 3][member % 3] = bad[b];
            vfx_raster_triangle(raster, corners);
        }
        for (int i = 0; i < 3; i++) {
            float centre[3] = {0, 0, 0};
            centre[i] = bad[b];
            vfx_raster_sphere(raster, centre, 1, red, red);
            vfx_raster_sphere(raster, black, 1, centre, red);
            vfx_raster_sphere(raster, black, 1, red, centre);
            vfx_raster_line(raster, centre, black, 1, red);
            vfx_raster_line(raster, red, centre, 1, red);
            vfx_raster_line(raster, red, black, 1, centre);
        }
        vfx_raster_sphere(raster, black, bad[b], red, red);
        vfx_raster_line(raster, red, black, bad[b], red);
    }
    vfx_picture picture = finish(raster);
    assert_true(same(&empty, &picture));
    vfx_picture_free(&picture);
    vfx_picture_free(&empty);
    vfx_raster_destroy(raster);
}

/* Sanitisers watch this one: nothing may overflow, whatever the corners are. */
static void huge_coordinates(void **state)
{
    (void)state;
    vfx_scene scene = bare_scene();
    scene.ground = true;
    scene.grid = 0.5;
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    static const float sizes[] = {1e-38f, 1e-3f, 1, 1e4f, 1e9f, 1e20f, 3e38f};
    uint32_t seed = 5;
    for (int i = 0; i < 3000; i++) {
        float p[3][3];
        for (int k = 0; k < 9; k++) {
            seed = seed * 1664525u + 1013904223u;
            p[k / 3][k % 3] = ((float)(seed >> 8) / 8388608.0f - 1.0f) * sizes[(seed >> 3) % 7];
        }
        glowing(raster, (const float(*)[3])p, red);
        vfx_raster_line(raster, p[0], p[1], fabsf(p[2][0]), red);
        if (i % 100 == 0)
            vfx_raster_sphere(raster, p[0], fabsf(p[1][0]), red, green);
    }
    vfx_picture picture = finish(raster);
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

static void senseless_scenes(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        vfx_scene scene = bare_scene();
        const double bad[] = {NAN, INFINITY, 0.0, 1e300};
        double *values[] = {scene.eye, scene.up, &scene.fov};
        for (int k = 0; k < (i / 4 < 2 ? 3 : 1); k++)
            values[i / 4][k] = bad[i % 4];
        scene.ground = true;
        scene.grid = 1;
        vfx_raster *raster = make(16, 9, &scene);
        rectangle(raster, -2, -2, 2, 2, 0, red);
        vfx_raster_sphere(raster, black, 1, red, red);
        vfx_picture picture = finish(raster);
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

static void bad_index(void **state)
{
    (void)state;
    const vfx_scene scene = bare_scene();
    vfx_raster_vertex v[3] = {{.position = {-1, -1, 0}}, {.position = {1, -1, 0}}, {.position = {0, 1, 0}}};
    for (int i = 0; i < 3; i++)
        v[i].glow[1] = 0.5f;
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_raster_mesh(raster, v, 3, (const uint32_t[]){0, 1, 3, UINT32_MAX, 0, 1, 0, 4, 2}, 9);
    vfx_raster_mesh(raster, v, 3, (const uint32_t[]){0, 1}, 2);
    vfx_raster_mesh(raster, NULL, 0, NULL, 0);
    vfx_picture picture = finish(raster);
    assert_true(pixels_of(&picture, 1) == 0.0);
    vfx_picture_free(&picture);
    vfx_raster_scene(raster, &scene);
    vfx_raster_mesh(raster, v, 3, (const uint32_t[]){0, 1, 3, 0, 1, 2, 2}, 7);
    picture = finish(raster);
    assert_true(fabs(pixels_of(&picture, 1) - 2.0 * SIDE * SIDE / 100.0) < 20.0);
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

static void sizes(void **state)
{
    (void)state;
    vfx_raster *raster = NULL;
    assert_vfx_fails(vfx_raster_create(&raster, 0, 4), VFX_USAGE, "0 x 4");
    assert_null(raster);
    assert_vfx_fails(vfx_raster_create(&raster, 8193, 1), VFX_USAGE, "8193");
    static const uint32_t sides[][2] = {{1, 1}, {8192, 1}, {1, 8192}};
    const vfx_scene scene = bare_scene();
    for (int i = 0; i < 3; i++) {
        raster = make(sides[i][0], sides[i][1], &scene);
        rectangle(raster, -1e6f, -1e6f, 1e6f, 1e6f, 0, red);
        vfx_picture picture = finish(raster);
        assert_int_equal(picture.width, sides[i][0]);
        assert_int_equal(picture.height, sides[i][1]);
        assert_int_equal(at(&picture, 0, 0)[0], 188);
        assert_int_equal(at(&picture, sides[i][0] - 1, sides[i][1] - 1)[0], 188);
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
    vfx_raster_destroy(NULL);
}

/* --------------------------------------------------------------------------------------- light */

/* From 10 m above the ground, x to the right: a ball of 0.5 m hovers 2 m above it, and the sun stands 45 degrees high
 * in the direction +x or -x. */
static vfx_scene yard(double sun_x)
{
    vfx_scene scene = bare_scene();
    scene.up[1] = 0;
    scene.up[2] = 1;
    scene.sun[0] = sun_x;
    scene.sun[2] = 1;
    scene.ground = true;
    for (int i = 0; i < 3; i++) {
        scene.sun_light[i] = 0.8f;
        scene.sky_light[i] = 0.2f;
        scene.ground_colour[i] = 0.5f;
    }
    return scene;
}

static void shadow_away_from_sun(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        const vfx_scene scene = yard(side);
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        vfx_raster_sphere(raster, (const float[3]){0, 0, 2}, 0.5f, red, black);
        for (int i = 0; i < VFX_BATCH; i++) /* more than wait at a time, out of sight */
            vfx_raster_sphere(raster, (const float[3]){0, 0, -100}, 0.5f, red, black);
        vfx_picture picture = finish(raster);
        /* 2 m along the ground at 10 m, with the picture 10 m high there; the picture's right is +-x */
        const uint32_t off = SIDE / 5, middle = SIDE / 2;
        const int dark[2] = {level(&picture, middle - off, middle), level(&picture, middle + off, middle)};
        const int open = level(&picture, middle, 10);
        const int x_right = raster->camera.right[0] > 0.5 ? 1 : -1;
        const int in_shadow = dark[side * x_right > 0 ? 0 : 1], lit = dark[side * x_right > 0 ? 1 : 0];
        assert_true(in_shadow < open * 2 / 3);
        assert_true(lit > open * 9 / 10);
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

/* In the shadow of a roof to the side, which the sun stands behind. */
static void glow_in_shadow(void **state)
{
    (void)state;
    const vfx_scene scene = yard(1);
    for (int on = 0; on < 2; on++) {
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        rectangle(raster, 1, -1, 3, 1, 3, black);
        rectangle(raster, -0.5f, -0.5f, 0.5f, 0.5f, 1, on != 0 ? green : black);
        vfx_picture picture = finish(raster);
        const uint8_t *rgb = at(&picture, SIDE / 2, SIDE / 2);
        assert_true(rgb[0] < 40 && (on != 0 ? rgb[1] >= 188 : rgb[1] < 40));
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

/* A ball of radius r on the ground takes (r/d)^2 cos of the sky from a point at the distance d from its middle. */
static void sky_is_hidden(void **state)
{
    (void)state;
    vfx_scene scene = yard(0);
    for (int i = 0; i < 3; i++)
        scene.sun_light[i] = 0;
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_raster_sphere(raster, (const float[3]){0, 0, 1}, 1.0f, red, black);
    vfx_picture picture = finish(raster);
    const double open = linear_of(at(&picture, 2, 2)[0]);
    assert_true(fabs(open - 0.1) < 0.005); /* 0.2 of light on an albedo of 0.5 */
    for (uint32_t off = 16; off < 40; off += 4) {
        const double square = 1.0 + (off + 0.5) * (off + 0.5) / (SIDE / 10.0) / (SIDE / 10.0);
        const double wanted = 1.0 - 1.0 / square / sqrt(square);
        const double got = linear_of(at(&picture, SIDE / 2 + off, SIDE / 2)[0]) / open;
        if (fabs(got - wanted) > 0.06)
            fail_msg("%u pixels off: %g of the sky, wanted %g", off, got, wanted);
    }
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

/* A roof much larger than the ball that throws shadows does so where it is in the ball. */
static void large_roof(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const float sun = i % 2 == 0 ? 1 : -1, roof = i / 2 == 0 ? 1 : -1;
        const vfx_scene scene = yard((double)sun);
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        rectangle(raster, roof, -1e6f, roof * 3e6f, 2e6f, 3, black);
        vfx_picture picture = finish(raster);
        const double light = linear_of(at(&picture, SIDE / 2, SIDE / 2)[0]), direct = 0.8 * 0.5 * sqrt(0.5);
        assert_true(sun * roof > 0 ? light < 0.11 : light > direct);
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

/* A white surface that faces the sun sends sun_light back, from either side, whichever way its normals point. */
static void both_sides_lit(void **state)
{
    (void)state;
    vfx_scene scene = bare_scene();
    scene.sun_light[0] = scene.sun_light[1] = scene.sun_light[2] = 0.5f;
    scene.sun[0] = 1.0; /* 45 degrees off, so that no highlight is in the middle */
    for (int way = -1; way <= 1; way++) {
        vfx_raster_vertex v[3] = {{.position = {-3, -9, 3}}, {.position = {3, -9, -3}}, {.position = {0, 9, 0}}};
        for (int i = 0; i < 3; i++) {
            v[i].normal[0] = v[i].normal[2] = (float)way;
            v[i].colour[0] = v[i].colour[1] = v[i].colour[2] = 1.0f;
        }
        vfx_raster *raster = make(SIDE, SIDE, &scene);
        vfx_raster_triangle(raster, v);
        vfx_picture picture = finish(raster);
        assert_in_range(at(&picture, SIDE / 2, SIDE / 2)[0], 187, 190); /* 0.5 is 188 in sRGB */
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

static void fog_halves(void **state)
{
    (void)state;
    vfx_scene scene = bare_scene();
    scene.fog = 10.0;
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    rectangle(raster, -5, -5, 5, 5, 0, red);
    vfx_picture picture = finish(raster);
    assert_in_range(at(&picture, SIDE / 2, SIDE / 2)[0], 136, 138); /* 0.25 in sRGB is 137 */
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

/* -------------------------------------------------------------------------------------- ground */

/* Straight down on lines 1 m apart, from 10 m: SIDE / 10 pixels, or SIDE / 8 when the ground is 2 m up. */
static void ground_lines(void **state)
{
    (void)state;
    for (int up = 0; up <= 2; up += 2) {
        vfx_scene scene = yard(0);
        scene.grid = 1;
        scene.ground_height = up;
        scene.eye[0] = scene.target[0] = scene.eye[1] = scene.target[1] = 0.5;
        vfx_raster *raster = make(2 * SIDE, 2 * SIDE, &scene);
        vfx_picture picture = finish(raster);
        const double cell = 2.0 * SIDE / (10.0 - up);
        for (int k = -3; k <= 2; k++) {
            const double line = SIDE + (k + 0.5) * cell, between = SIDE + k * cell;
            int darkest = 765;
            for (int d = -1; d <= 1; d++) {
                const int here = level(&picture, (uint32_t)((int)floor(line) + d), SIDE + 1);
                darkest = here < darkest ? here : darkest;
            }
            const int open = level(&picture, (uint32_t)between, SIDE + 1);
            assert_true(darkest < open - 6);
            assert_true(level(&picture, (uint32_t)(between + 3), SIDE + 1) == open);
        }
        vfx_picture_free(&picture);
        vfx_raster_destroy(raster);
    }
}

/* A ball half under the ground is half seen, and the horizon is where the eye's height is. */
static void ground_hides(void **state)
{
    (void)state;
    vfx_scene scene = bare_scene();
    scene.up[1] = 1;
    scene.ground = true;
    scene.ground_height = -1;
    vfx_raster *raster = make(SIDE, SIDE, &scene);
    vfx_raster_sphere(raster, (const float[3]){0, -1, 0}, 1, black, red);
    vfx_picture picture = finish(raster);
    const uint32_t row = SIDE / 2 + SIDE / 10; /* where the ball meets the ground's plane */
    assert_int_equal(at(&picture, SIDE / 2, row - 4)[0], 188);
    assert_int_equal(at(&picture, SIDE / 2, row + 4)[0], 0);
    vfx_picture_free(&picture);
    vfx_raster_destroy(raster);
}

/* ------------------------------------------------------------------------------------- packing */

static void packing(void **state)
{
    (void)state;
    uint32_t seed = 9;
    for (int i = 0; i < 5000; i++) {
        double n[3];
        float v[3], back[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            n[k] = (double)(seed >> 8) / 8388608.0 - 1.0;
        }
        if (!vfx_unit3(n))
            continue;
        for (int k = 0; k < 3; k++)
            v[k] = (float)n[k];
        vfx_unpack_normal(vfx_pack_normal(v), back);
        assert_true(fabsf(back[0] - v[0]) < 1e-4f && fabsf(back[1] - v[1]) < 1e-4f && fabsf(back[2] - v[2]) < 1e-4f);
        for (int k = 0; k < 3; k++)
            v[k] = fabsf(v[k]) * (i % 3 == 0 ? 1000.0f : i % 3 == 1 ? 1.0f : 0.001f);
        vfx_unpack_glow(vfx_pack_glow(v), back);
        const float most = vfx_maxf(v[0], vfx_maxf(v[1], v[2]));
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(back[k] - v[k]) <= most / 500.0f);
        for (int k = 0; k < 3; k++)
            v[k] = vfx_clampf(v[k], 0, 1);
        vfx_unpack_albedo(vfx_pack_albedo(v), back);
        assert_true(fabsf(back[0] - v[0]) < 0.0003f && fabsf(back[1] - v[1]) < 0.0003f &&
                    fabsf(back[2] - v[2]) < 6e-4f);
    }
    assert_int_equal(vfx_pack_glow(black), 0);
}

static void curves(void **state)
{
    (void)state;
    for (double angle = 0.001; angle < 1.56; angle += 0.01)
        assert_true(fabs(vfx_tangent(angle) / tan(angle) - 1.0) < 1e-12);
    float limits[VFX_SRGB_STEPS];
    vfx_srgb_limits(limits);
    for (int i = 0; i < VFX_SRGB_STEPS; i++) {
        const double code = (i + 0.5) / 255.0;
        const double linear = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
        assert_true(fabs((double)limits[i] / linear - 1.0) < 1e-6);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shared_edges),
    cmocka_unit_test(full_screen_without_seam),
    cmocka_unit_test(no_area),
    cmocka_unit_test(same_bytes),
    cmocka_unit_test(nearer_wins),
    cmocka_unit_test(sphere_through_triangle),
    cmocka_unit_test(cube_size),
    cmocka_unit_test(sphere_outline),
    cmocka_unit_test(line_width),
    cmocka_unit_test(behind_the_eye),
    cmocka_unit_test(wholly_behind),
    cmocka_unit_test(not_finite),
    cmocka_unit_test(huge_coordinates),
    cmocka_unit_test(senseless_scenes),
    cmocka_unit_test(bad_index),
    cmocka_unit_test(sizes),
    cmocka_unit_test(shadow_away_from_sun),
    cmocka_unit_test(glow_in_shadow),
    cmocka_unit_test(sky_is_hidden),
    cmocka_unit_test(both_sides_lit),
    cmocka_unit_test(large_roof),
    cmocka_unit_test(fog_halves),
    cmocka_unit_test(ground_lines),
    cmocka_unit_test(ground_hides),
    cmocka_unit_test(packing),
    cmocka_unit_test(curves),
};
VFX_TEST_MAIN(tests)
