/* vat_ref_test.c - the vat reference against values computed by hand, against itself (every place where texels may lie
 * gives the same bits), and the float build against the limits of the check rows. V3, V4, V6 and V11 are the properties
 * of README.md. The fixture makes its own records, so that nothing here depends on the family's host code. */
#include "core/test.h"

#ifndef VFX_REAL_IS_DOUBLE
#define VFX_REAL_IS_DOUBLE 1
#endif
#include "kernels/vat/vat_real.h"

#include "core/compare.h"

#define PI 3.14159265358979323846
enum { SKIN_WIDTH = 3, SKIN_HEIGHT = 2, SKIN_LAYERS = 2, SLOTS = 20000, CLIPS = 3 };

static void near(double a, double b, double limit)
{
    if (!(fabs(a - b) <= limit))
        fail_msg("%.12g is not %.12g within %g (off by %g)", a, b, limit, a - b);
}

static void near3(vec3 v, double x, double y, double z, double limit)
{
    near((double)v.x, x, limit);
    near((double)v.y, y, limit);
    near((double)v.z, z, limit);
}

/* A fixed sequence of words and of numbers in [0, 1). */
static uint32_t dice_word(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t x = *seed ^ *seed >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 13;
}

static double dice(uint32_t *seed)
{
    return (dice_word(seed) >> 8) * 0x1p-24;
}

static double between(uint32_t *seed, double low, double high)
{
    return low + (high - low) * dice(seed);
}

/* -------------------------------------------------------------------------------- the fixture */

typedef struct scene {
    vfx_kernel kernel;
    vfx_variant variants[VAT_VARIANT_COUNT];
    vat_asset asset;
    vfx_case kase;
    vfx_frame frame;
    uint32_t vertices, frames, actors;
    void *buffer[VAT_BUFFER_COUNT];
    uint64_t count[VAT_BUFFER_COUNT];
    void *image[VAT_IMAGE_COUNT];
    uint8_t *ill;
} scene;

static void *allocate(uint64_t count, size_t bytes)
{
    void *memory = calloc((size_t)count + 1, bytes);
    assert_non_null(memory);
    return memory;
}

static vat_params *params_in(scene *s)
{
    return (vat_params *)(void *)s->kase.words;
}

static void set_variant(scene *s, vat_variant variant)
{
    s->kase.variant = &s->variants[variant];
}

static void make(scene *s, uint32_t row, uint64_t count, size_t bytes)
{
    s->buffer[row] = allocate(count, bytes);
    s->count[row] = count;
}

/* Formats' positions span [-1, 1] by 65535 codes, or by 255 where asked. */
static void set_map(scene *s, double codes)
{
    const float step = (float)(2 / codes / 256);
    s->frame.host[0] = (vec4){-1, -1, -1, (float)s->vertices};
    s->frame.host[1] = (vec4){step, step, step, (float)s->frames};
}

/* Actors at the origin, yaw 0, scale 1, white; clips of all frames but the last, of one and of none but the last. */
static void scene_create(scene *s, uint32_t vertices, uint32_t frames, uint32_t actors)
{
    memset(s, 0, sizeof *s);
    s->vertices = vertices;
    s->frames = frames;
    s->actors = actors;
    s->kernel.variants = s->variants;
    s->kase.kernel = &s->kernel;
    s->kase.asset = &s->asset;
    s->asset.bake.extent = 2;
    s->asset.bake.skin_width = SKIN_WIDTH;
    s->asset.bake.skin_height = SKIN_HEIGHT;
    s->asset.bake.skin_layers = SKIN_LAYERS;
    params_in(s)->actors = actors;
    set_variant(s, VAT_BUFFER);
    const uint64_t texels = (uint64_t)vertices * frames, wrapped = (texels + VAT_ROW - 1) / VAT_ROW * VAT_ROW;
    make(s, VAT_BUFFER_INSTANCE, actors, sizeof(vat_instance));
    make(s, VAT_BUFFER_SCALE2D, actors, sizeof(vat_scale2d));
    make(s, VAT_BUFFER_BILLBOARD, actors, sizeof(vat_billboard));
    make(s, VAT_BUFFER_MATRIX, actors, sizeof(vat_matrix));
    make(s, VAT_BUFFER_SOURCE, actors, sizeof(vat_source_instance));
    make(s, VAT_BUFFER_BLEND, actors, sizeof(vat_blend));
    make(s, VAT_BUFFER_PLAN, actors, sizeof(vat_instance));
    make(s, VAT_BUFFER_ACTOR, actors, sizeof(vat_instance));
    make(s, VAT_BUFFER_CLIP, CLIPS, sizeof(vat_clip_range));
    make(s, VAT_BUFFER_UV, vertices, 4);
    make(s, VAT_BUFFER_TEXEL, 2 * texels, 16);
    make(s, VAT_BUFFER_BONE, 2 * (uint64_t)frames, sizeof(vat_bone));
    make(s, VAT_BUFFER_WEIGHT, 2 * (uint64_t)vertices, sizeof(vat_weight));
    make(s, VAT_BUFFER_BIND, vertices, sizeof(vat_bind_vertex));
    make(s, VAT_BUFFER_PART, 3, sizeof(vat_part_range));
    make(s, VAT_BUFFER_ITEM, 2 * (uint64_t)actors, 4);
    make(s, VAT_BUFFER_VERTEX, SLOTS, sizeof(vat_vertex));
    make(s, VAT_BUFFER_PACKED, SLOTS, sizeof(vat_packed));
    make(s, VAT_BUFFER_BOUNDS, actors, sizeof(vat_bounds));
    for (uint32_t i = 0; i < VAT_IMAGE_COUNT; i++)
        s->image[i] = allocate(2 * wrapped, 16);
    s->ill = allocate(SLOTS, 1);
    set_map(s, 65535);
    s->frame.host[2] = (vec4){1, 0, 0, CLIPS};
    s->frame.host[3] = (vec4){0, 1, 0, 2};
    s->frame.host[4] = (vec4){0, 0, 1, 2};
    s->frame.host[5] = (vec4){(float)actors, (float)actors, 0, 3};
    vat_clip_range *clips = s->buffer[VAT_BUFFER_CLIP];
    const uint32_t most = frames > 2 ? frames - 2 : 1;
    clips[0] = (vat_clip_range){0, most, most > 1 ? (most - 1) * 256 : 1, 64};
    clips[1] = (vat_clip_range){most % frames, 1, 1, 64};
    clips[2] = (vat_clip_range){frames - 1, 1, 1, 64};
    for (uint32_t i = 0; i < actors; i++) {
        vat_instance *instance = (vat_instance *)s->buffer[VAT_BUFFER_INSTANCE] + i;
        instance->scale = 1;
        instance->tint = 0xffffffu;
    }
    uint8_t *skin = s->image[VAT_IMAGE_SKIN];
    for (uint32_t i = 0; i < 4 * SKIN_WIDTH * SKIN_HEIGHT * SKIN_LAYERS; i++)
        skin[i] = (uint8_t)(5 * i + 3);
}

static void scene_destroy(scene *s)
{
    for (uint32_t i = 0; i < VAT_BUFFER_COUNT; i++)
        free(s->buffer[i]);
    for (uint32_t i = 0; i < VAT_IMAGE_COUNT; i++)
        free(s->image[i]);
    free(s->ill);
}

static vfx_ref scene_ref(const scene *s)
{
    vfx_ref ref = {0};
    ref.kase = &s->kase;
    ref.frame = &s->frame;
    for (uint32_t i = 0; i < VAT_BUFFER_COUNT; i++) {
        ref.in[i] = ref.out[i] = s->buffer[i];
        ref.count[i] = s->count[i];
    }
    for (uint32_t i = 0; i < VAT_IMAGE_COUNT; i++)
        ref.image[i] = s->image[i];
    ref.ill[VAT_BUFFER_VERTEX] = ref.ill[VAT_BUFFER_PACKED] = s->ill;
    return ref;
}

static uint64_t slots_of(const scene *s)
{
    return (uint64_t)s->vertices * s->actors;
}

/* Decodes in double; the vertices. */
static const vat_vertex *decoded(const scene *s)
{
    const vfx_ref ref = scene_ref(s);
    vat_decode_ref_f64(&ref, 0, slots_of(s));
    return s->buffer[VAT_BUFFER_VERTEX];
}

static vat_instance *instance_in(scene *s, uint32_t actor)
{
    return (vat_instance *)s->buffer[VAT_BUFFER_INSTANCE] + actor;
}

/* ------------------------------------------------------------------------------------- texels */

/* One vertex-frame of the current format, into every place where a variant looks for it. `words`: position, normal. */
static void put_words(scene *s, uint32_t frame, uint32_t vertex, const uint32_t *words)
{
    static const uint32_t counts[] = {2, 2, 4, 8};
    const uint32_t format = params_in(s)->format, count = counts[format], half = count / 2;
    const size_t frame_major = (size_t)frame * s->vertices + vertex, by_vertex = (size_t)vertex * s->frames + frame;
    const size_t all = (size_t)s->frames * s->vertices, layer = all < 4096 ? all : (all + 4095) / 4096 * 4096;
    const size_t at = s->kase.variant == &s->variants[VAT_BUFFER_VERTEX_MAJOR] ? by_vertex : frame_major;
    memcpy((uint32_t *)s->buffer[VAT_BUFFER_TEXEL] + at * count, words, 4 * count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t b = 0; b < 4; b++) {
            const uint8_t byte = (uint8_t)(words[i] >> 8 * b);
            const uint32_t normal = format != VAT_FORMAT_U16OCT8 && i >= half;
            const uint32_t size = format == VAT_FORMAT_U16OCT8 ? 8 : 4 * half; /* of an image's texel */
            const size_t in = 4 * (i - (normal ? half : 0)) + b;
            if (format == VAT_FORMAT_F32) {
                ((uint8_t *)s->image[VAT_IMAGE_TEXEL32])[(normal * layer + frame_major) * size + in] = byte;
                continue;
            }
            const bool bytes = format == VAT_FORMAT_RGBA8;
            uint8_t *fetched = s->image[bytes ? VAT_IMAGE_TEXEL8 : VAT_IMAGE_TEXEL16];
            uint8_t *linear = s->image[bytes ? VAT_IMAGE_LINEAR8 : VAT_IMAGE_LINEAR16];
            fetched[(normal * layer + frame_major) * size + in] = byte;
            linear[(normal * all + by_vertex) * size + in] = byte;
        }
}

/* A point and a normal in metres, format f32. */
static void put_metres(scene *s, uint32_t frame, uint32_t vertex, vec3 p, vec3 n)
{
    const float floats[8] = {p.x, p.y, p.z, 0, n.x, n.y, n.z, 0};
    uint32_t words[8];
    memcpy(words, floats, sizeof words);
    put_words(s, frame, vertex, words);
}

static void put_random(scene *s, uint32_t frame, uint32_t vertex, uint32_t *seed)
{
    uint32_t words[8];
    for (uint32_t i = 0; i < 8; i++)
        words[i] = dice_word(seed);
    if (params_in(s)->format != VAT_FORMAT_F32) {
        put_words(s, frame, vertex, words);
        return;
    }
    const vec3 p = {(float)between(seed, -1, 1), (float)between(seed, -1, 1), (float)between(seed, -1, 1)};
    const double tilt = between(seed, -1, 1), turn = between(seed, 0, 2 * PI), flat = sqrt(1 - tilt * tilt);
    put_metres(s, frame, vertex, p, (vec3){(float)(flat * cos(turn)), (float)tilt, (float)(flat * sin(turn))});
}

static void put_all_random(scene *s, uint32_t format, uint32_t seed)
{
    params_in(s)->format = format;
    set_map(s, format == VAT_FORMAT_RGBA8 ? 255 : 65535);
    for (uint32_t frame = 0; frame < s->frames; frame++)
        for (uint32_t vertex = 0; vertex < s->vertices; vertex++)
            put_random(s, frame, vertex, &seed);
}

/* One vertex in one frame, one actor: what transforms are tried on. */
static void point_scene(scene *s, vec3 p, vec3 n)
{
    scene_create(s, 1, 1, 1);
    params_in(s)->format = VAT_FORMAT_F32;
    put_metres(s, 0, 0, p, n);
}

/* --------------------------------------------------------------------------------- transforms */

/* A quarter turn takes +z to +x and +x to -z. */
static void yaw_direction(void **state)
{
    (void)state;
    scene s;
    point_scene(&s, (vec3){0, 0, 1}, (vec3){0, 0, 1});
    vat_instance *instance = instance_in(&s, 0);
    instance->yaw = 0.25f;
    near3(decoded(&s)->position, 1, 0, 0, 1e-7);
    near3(decoded(&s)->normal, 1, 0, 0, 1e-7);
    put_metres(&s, 0, 0, (vec3){1, 2, 0}, (vec3){0.6f, 0.8f, 0});
    instance->scale = 3;
    instance->position = (vec3){10, 20, 30};
    near3(decoded(&s)->position, 10, 26, 27, 1e-6);
    near3(decoded(&s)->normal, 0, 0.8, -0.6, 1e-7);
    scene_destroy(&s);
}

/* V6: mirrored before the turn; a normal that pointed away from the middle still does. */
static void mirror(void **state)
{
    (void)state;
    scene s;
    point_scene(&s, (vec3){1, 2, 3}, (vec3){0.6f, 0, 0.8f});
    vat_instance *instance = instance_in(&s, 0);
    instance->flags = VAT_FLAG_MIRROR;
    near3(decoded(&s)->position, -1, 2, 3, 0);
    near3(decoded(&s)->normal, -0.6, 0, 0.8, 1e-7);
    instance->yaw = 0.25f;
    near3(decoded(&s)->position, 3, 2, 1, 1e-6);
    near3(decoded(&s)->normal, 0.8, 0, 0.6, 1e-7);
    scene_destroy(&s);
}

/* V6: widths by x, heights by z, normals by the inverse. */
static void scale2d(void **state)
{
    (void)state;
    scene s;
    point_scene(&s, (vec3){1, 2, 3}, (vec3){0.6f, 0, 0.8f});
    params_in(&s)->kind = VAT_KIND_SCALE2D;
    vat_scale2d *instance = s.buffer[VAT_BUFFER_SCALE2D];
    *instance = (vat_scale2d){{5, 0, 0}, 0, -2, 4, 0, 0};
    near3(decoded(&s)->position, 3, 2, 12, 1e-6);
    const double x = -0.3, z = 0.2, length = sqrt(x * x + z * z);
    near3(decoded(&s)->normal, x / length, 0, z / length, 1e-7);
    instance->yaw = 0.25f; /* (x, z) -> (z, -x) */
    near3(decoded(&s)->position, 5 + 12, 2, 2, 1e-5);
    near3(decoded(&s)->normal, z / length, 0, -x / length, 1e-7);
    scene_destroy(&s);
}

static void billboard(void **state)
{
    (void)state;
    scene s;
    point_scene(&s, (vec3){1, 2, 3}, (vec3){0, 0.6f, 0.8f});
    params_in(&s)->kind = VAT_KIND_BILLBOARD;
    *(vat_billboard *)s.buffer[VAT_BUFFER_BILLBOARD] = (vat_billboard){.position = {0, 0, 7}, .scale = 2};
    s.frame.host[2] = (vec4){0, 0, -1, CLIPS}; /* right, up, back */
    s.frame.host[3] = (vec4){0, 1, 0, 0};
    s.frame.host[4] = (vec4){1, 0, 0, 1};
    near3(decoded(&s)->position, 6, 4, 5, 0);
    near3(decoded(&s)->normal, 0.8, 0.6, 0, 1e-7);
    scene_destroy(&s);
}

/* V6: a sheared plane's normal stays perpendicular to it, and outward under a mirror. */
static void matrix(void **state)
{
    (void)state;
    scene s;
    point_scene(&s, (vec3){1, 2, 3}, (vec3){0, 1, 0});
    params_in(&s)->kind = VAT_KIND_MATRIX;
    vat_matrix *m = s.buffer[VAT_BUFFER_MATRIX];
    *m = (vat_matrix){.row0 = {1, 0.5f, 0, 10}, .row1 = {0.25f, 1, 0, 20}, .row2 = {0, 0, 2, 30}};
    near3(decoded(&s)->position, 12, 22.25, 36, 0);
    const double length = sqrt(0.25 * 0.25 + 1); /* images of x and z: (1, 1/4, 0) and (0, 0, 2) */
    near3(decoded(&s)->normal, -0.25 / length, 1 / length, 0, 1e-7);
    m->row2.z = -2; /* mirrored along z: a normal along y stays */
    near3(decoded(&s)->normal, -0.25 / length, 1 / length, 0, 1e-7);
    m->row1.y = -1; /* and this turns it over: images of x and z are as before, that of y is (1/2, -1, 0) */
    near3(decoded(&s)->normal, 0.25 / length, -1 / length, 0, 1e-7);
    scene_destroy(&s);
}

/* ---------------------------------------------------------------------------------- packings */

/* V11: the source's record, and its images, stand for the same vertices as a yaw record. */
static void source_packing(void **state)
{
    (void)state;
    enum { ACTORS = 40 };
    scene s;
    uint32_t seed = 5;
    scene_create(&s, 7, 9, ACTORS);
    put_all_random(&s, VAT_FORMAT_U16OCT8, 2);
    for (uint32_t i = 0; i < 7; i++)
        ((uint32_t *)s.buffer[VAT_BUFFER_UV])[i] = dice_word(&seed);
    for (uint32_t i = 0; i < ACTORS; i++) {
        vat_instance *yaw = instance_in(&s, i);
        vat_source_instance *source = (vat_source_instance *)s.buffer[VAT_BUFFER_SOURCE] + i;
        const uint32_t frame = dice_word(&seed) % 7, red = dice_word(&seed) & 255u, green = dice_word(&seed) & 255u;
        const uint32_t blue = dice_word(&seed) & 255u, layer = i % 2;
        yaw->position = (vec3){(float)between(&seed, -9, 9), 1, (float)between(&seed, -9, 9)};
        yaw->yaw = (float)(dice_word(&seed) >> 16) / 65536;
        yaw->frame = frame << 8;
        yaw->tint = red | green << 8 | blue << 16 | layer << 24;
        source->position = yaw->position;
        source->angle = (float)(2 * PI * (double)yaw->yaw);
        source->r = frame | layer << 16 | red << 24;
        source->g = green | blue << 8;
        ((vec4 *)s.image[VAT_IMAGE_TRANSFORM])[i] =
            (vec4){source->position.x, source->position.y, source->position.z, source->angle};
        uint16_t *custom = (uint16_t *)s.image[VAT_IMAGE_CUSTOM] + 4 * i;
        custom[0] = (uint16_t)source->r;
        custom[1] = (uint16_t)(source->r >> 16);
        custom[2] = (uint16_t)source->g;
        custom[3] = (uint16_t)(source->g >> 16);
    }
    vat_vertex *yaw = allocate(slots_of(&s), sizeof *yaw), *source = allocate(slots_of(&s), sizeof *source);
    memcpy(yaw, decoded(&s), slots_of(&s) * sizeof *yaw);
    params_in(&s)->kind = VAT_KIND_SOURCE;
    memcpy(source, decoded(&s), slots_of(&s) * sizeof *source);
    for (uint64_t i = 0; i < slots_of(&s); i++) {
        const vec3 p = yaw[i].position, n = yaw[i].normal;
        near3(source[i].position, (double)p.x, (double)p.y, (double)p.z, 2e-6);
        near3(source[i].normal, (double)n.x, (double)n.y, (double)n.z, 1e-6);
        assert_int_equal(source[i].colour, yaw[i].colour);
        assert_int_equal(source[i].uv, yaw[i].uv);
    }
    set_variant(&s, VAT_TEXTURE);
    params_in(&s)->kind = VAT_KIND_YAW; /* not looked at */
    assert_memory_equal(decoded(&s), source, slots_of(&s) * sizeof *source);
    free(yaw);
    free(source);
    scene_destroy(&s);
}

/* -------------------------------------------------------------------------------------- time */

/* Frames whose x is their number. */
static void numbered_scene(scene *s, uint32_t frames)
{
    scene_create(s, 1, frames, 1);
    params_in(s)->format = VAT_FORMAT_F32;
    for (uint32_t i = 0; i < frames; i++)
        put_metres(s, i, 0, (vec3){(float)i, 0, 0}, (vec3){0, 1, 0});
}

static double frame_shown(scene *s, uint32_t clip, uint32_t cursor)
{
    instance_in(s, 0)->frame = clip << 24 | cursor;
    return (double)decoded(s)->position.x;
}

static void frames(void **state)
{
    (void)state;
    scene s;
    numbered_scene(&s, 9);
    vat_clip_range *clips = s.buffer[VAT_BUFFER_CLIP];
    clips[0] = (vat_clip_range){0, 4, 768, 1};
    clips[1] = (vat_clip_range){4, 3, 512, 1};
    clips[2] = (vat_clip_range){7, 1, 1, 1};
    near(frame_shown(&s, 0, 0), 0, 0);
    near(frame_shown(&s, 0, 2 * 256 + 64), 2.25, 0);
    near(frame_shown(&s, 0, 2 * 256 + 255), 2 + 255 / 256.0, 0);
    near(frame_shown(&s, 0, 3 * 256 + 128), 3, 0); /* both frames clamp at the clip's end */
    near(frame_shown(&s, 0, 0xffffff), 3, 0);
    near(frame_shown(&s, 1, 256 + 32), 5.125, 0);
    near(frame_shown(&s, 1, 2 * 256 + 32), 6, 0);
    near(frame_shown(&s, 2, 77), 7, 0);
    near(frame_shown(&s, 3, 77), 7, 0); /* the last clip stands in for one that is not there */
    near(frame_shown(&s, 255, 0), 7, 0);
    set_variant(&s, VAT_NEAREST);
    near(frame_shown(&s, 0, 2 * 256 + 255), 2, 0);
    params_in(&s)->kind = VAT_KIND_SOURCE;
    vat_source_instance *source = s.buffer[VAT_BUFFER_SOURCE];
    source->r = 6 | 0xab120000u;
    near((double)decoded(&s)->position.x, 6, 0);
    source->r = 0x100;
    near((double)decoded(&s)->position.x, 8, 0);
    source->r = 0xffff;
    near((double)decoded(&s)->position.x, 8, 0);
    scene_destroy(&s);
}

/* The rule of ADVANCE, by hand and against one step after another. */
static void advance(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, 1, 12, 1);
    vat_instance *plan = s.buffer[VAT_BUFFER_PLAN], *actor = s.buffer[VAT_BUFFER_ACTOR];
    *plan = (vat_instance){{1, 2, 3}, 0.75f, 1.5f, 100, 0x123456, 1};
    vat_clip_range *clips = s.buffer[VAT_BUFFER_CLIP];
    clips[0] = (vat_clip_range){0, 10, 9 * 256, 300};
    s.frame.host[5].z = 16384; /* a quarter turn a frame */
    const vfx_ref ref = scene_ref(&s);
    uint32_t cursor = 100;
    for (uint32_t k = 1; k < 40; k++) {
        s.frame.index = k;
        cursor = (cursor + 300) % (9 * 256);
        vat_advance_ref_f64(&ref, 0, 1);
        near((double)actor->yaw, (3 + k) % 4 / 4.0, 0);
        assert_int_equal(actor->frame, cursor);
        vat_advance_ref_f32(&ref, 0, 1);
        assert_int_equal(actor->frame, cursor);
    }
    near3(actor->position, 1, 2, 3, 0);
    assert_true(actor->scale == 1.5f && actor->tint == 0x123456 && actor->flags == 1);
    plan->frame = 7u << 24 | 5; /* a clip that is not there: the last one's period, and its own number still */
    clips[2] = (vat_clip_range){11, 1, 1, 300};
    vat_advance_ref_f64(&ref, 0, 1);
    assert_int_equal(actor->frame, 7u << 24);
    params_in(&s)->format = VAT_FORMAT_F32; /* and decode takes ACTOR */
    put_metres(&s, 11, 0, (vec3){0, 0, 1}, (vec3){0, 1, 0});
    set_variant(&s, VAT_ADVANCE);
    actor->yaw = 0.25f;
    actor->flags = 0;
    near3(decoded(&s)->position, 2.5, 2, 3, 1e-6);
    scene_destroy(&s);
}

/* ----------------------------------------------------------------------------------- normals */

/* Opposite normals have the first one's direction; a normal without length is +y. */
static void degenerate_normals(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, 1, 4, 1);
    params_in(&s)->format = VAT_FORMAT_F32;
    const vec3 zero = {0, 0, 0};
    put_metres(&s, 0, 0, zero, (vec3){2, 0, 0});
    put_metres(&s, 1, 0, zero, (vec3){-2, 0, 0});
    instance_in(&s, 0)->frame = 128;
    near3(decoded(&s)->normal, 1, 0, 0, 0);
    assert_int_equal(s.ill[0], 0);
    instance_in(&s, 0)->frame = 129; /* -4/256 of x, square 2.4e-4 */
    near3(decoded(&s)->normal, -1, 0, 0, 0);
    assert_int_equal(s.ill[0], 0);
    instance_in(&s, 0)->frame = 128; /* |sum| / 256 = 0.001, the threshold itself */
    put_metres(&s, 1, 0, zero, (vec3){-2, 0.002f, 0});
    (void)decoded(&s);
    assert_int_equal(s.ill[0], 1);
    put_metres(&s, 1, 0, zero, (vec3){-2, 0.0019f, 0});
    near3(decoded(&s)->normal, 1, 0, 0, 0);
    assert_int_equal(s.ill[0], 0);
    put_metres(&s, 0, 0, zero, zero);
    put_metres(&s, 1, 0, zero, zero);
    near3(decoded(&s)->normal, 0, 1, 0, 0);
    put_metres(&s, 0, 0, zero, (vec3){0, 0, 1e-5f}); /* short, but a direction */
    instance_in(&s, 0)->frame = 0;
    near3(decoded(&s)->normal, 0, 0, 1, 0);
    scene_destroy(&s);
}

/* Codes of known directions, and both octahedral widths of random ones: worst 0.95 and 0.004 degrees apart. */
static void octahedral_codes(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        double n[3];
    } known[] = {{0, {0, 0, 1}},       {0x007f, {1, 0, 0}},  {0x0081, {-1, 0, 0}}, {0x7f00, {0, 1, 0}},
                 {0x8100, {0, -1, 0}}, {0x7f7f, {0, 0, -1}}, {0x8181, {0, 0, -1}}, {0x0080, {-1, 0, 0}}};
    scene s;
    scene_create(&s, 1, 1, 1);
    for (uint32_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint32_t words[2] = {0, known[i].code << 16};
        put_words(&s, 0, 0, words);
        near3(decoded(&s)->normal, known[i].n[0], known[i].n[1], known[i].n[2], 1e-7);
    }
    const uint32_t folded[2] = {0, 0x7f28u << 16}; /* x = 40/127, y = 1: z = -40/127, and x folds to 0 */
    put_words(&s, 0, 0, folded);
    const double length = sqrt(87.0 * 87.0 + 40.0 * 40.0);
    near3(decoded(&s)->normal, 0, 87 / length, -40 / length, 1e-7);
    double worst[2] = {0, 0};
    uint32_t seed = 3;
    for (int i = 0; i < 5000; i++) {
        const double z = between(&seed, -1, 1), a = between(&seed, 0, 2 * PI), flat = sqrt(1 - z * z);
        const double n[3] = {flat * cos(a), flat * sin(a), z};
        const uint32_t wide = octahedral_encode(real3_make(n[0], n[1], n[2]));
        const double fx = (double)(int16_t)(wide & 0xffff) / 32767, fy = (double)(int16_t)(wide >> 16) / 32767;
        const uint32_t narrow = ((uint32_t)lround(fx * 127) & 255u) | ((uint32_t)lround(fy * 127) & 255u) << 8;
        for (uint32_t f = 0; f < 2; f++) {
            params_in(&s)->format = f == 0 ? VAT_FORMAT_U16OCT8 : VAT_FORMAT_RGBA16;
            const uint32_t words[4] = {0, f == 0 ? narrow << 16 : 0, wide, 0};
            put_words(&s, 0, 0, words);
            const vec3 got = decoded(&s)->normal;
            const double b[3] = {(double)got.x, (double)got.y, (double)got.z};
            worst[f] = fmax(worst[f], vfx_angle_between(n, b) * 180 / PI);
        }
    }
    assert_true(worst[0] < 0.95 && worst[0] > 0.5);
    assert_true(worst[1] < 0.004 && worst[1] > 0.002);
    scene_destroy(&s);
}

/* rgba8: 2 c/255 - 1, and the blend of vectors that are not unit. */
static void byte_normals(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, 1, 4, 1);
    params_in(&s)->format = VAT_FORMAT_RGBA8;
    set_map(&s, 255);
    const uint32_t first[2] = {0x00ff80u, 255 | 128u << 8 | 128u << 16}, second[2] = {0, 0 | 255u << 8 | 128u << 16};
    put_words(&s, 0, 0, first);
    put_words(&s, 1, 0, second);
    near3(decoded(&s)->position, 2 * 128 / 255.0 - 1, 1, -1, 1e-6);
    const double small = 1 / 255.0, length = sqrt(1 + 2 * small * small);
    near3(decoded(&s)->normal, 1 / length, small / length, small / length, 1e-7);
    instance_in(&s, 0)->frame = 64;
    const double x = 0.5, y = 0.75 * small + 0.25, blended = sqrt(x * x + y * y + small * small);
    near3(decoded(&s)->normal, x / blended, y / blended, small / blended, 1e-7);
    near3(decoded(&s)->position, 2 * 96 / 255.0 - 1, 0.5, -1, 1e-6);
    scene_destroy(&s);
}

/* ------------------------------------------------------------------------------------ colour */

static void colours(void **state)
{
    (void)state;
    scene s;
    point_scene(&s, (vec3){0, 0, 0}, (vec3){0, 1, 0});
    uint32_t *uv = s.buffer[VAT_BUFFER_UV];
    uint8_t *skin = s.image[VAT_IMAGE_SKIN];
    const uint32_t texel = 4 * (1 * SKIN_WIDTH * SKIN_HEIGHT + 1 * SKIN_WIDTH + 2); /* layer 1, x 2, y 1 */
    const uint8_t colour[4] = {100, 200, 255, 77};
    memcpy(skin + texel, colour, sizeof colour);
    instance_in(&s, 0)->tint = 10 | 128u << 8 | 255u << 16 | 1u << 24;
    *uv = 65535 | 65535u << 16;
    const uint32_t want = (10 * 100 + 127) / 255 | (128u * 200 + 127) / 255 << 8 | 255u << 16 | 77u << 24;
    assert_int_equal(decoded(&s)->colour, want);
    assert_int_equal(decoded(&s)->uv, *uv);
    instance_in(&s, 0)->tint |= 200u << 24; /* the last layer stands in */
    assert_int_equal(decoded(&s)->colour, want);
    *uv = 43691 | 32768u << 16; /* the first of the third column, of the second row */
    assert_int_equal(decoded(&s)->colour, want);
    *uv = 43690 | 32768u << 16;
    assert_int_not_equal(decoded(&s)->colour, want);
    *uv = 43691 | 32767u << 16;
    assert_int_not_equal(decoded(&s)->colour, want);
    scene_destroy(&s);
}

/* --------------------------------------------------------------------------------------- who */

/* Actors whose x is their number, vertices whose y is theirs. */
static void crowd_scene(scene *s, uint32_t vertices, uint32_t actors)
{
    scene_create(s, vertices, 1, actors);
    params_in(s)->format = VAT_FORMAT_F32;
    for (uint32_t v = 0; v < vertices; v++)
        put_metres(s, 0, v, (vec3){0, (float)v, 0}, (vec3){0, 1, 0});
    for (uint32_t i = 0; i < actors; i++)
        instance_in(s, i)->position.x = (float)i;
}

/* Seven actors in batches of three: a, b, c with one actor in c. The last batch differs from frame to frame. */
static void batches(void **state)
{
    (void)state;
    /* frame % 3: batches in the order 0 1 2, 1 2 0, 2 0 1; the actor that each of the three places ends with */
    static const uint32_t ends[3][3] = {{6, 4, 5}, {0, 1, 2}, {3, 4, 5}};
    scene s;
    crowd_scene(&s, 4, 9);
    s.frame.host[5].x = 3;
    s.frame.host[5].y = 7;
    const vfx_ref ref = scene_ref(&s);
    const vat_vertex *vertex = s.buffer[VAT_BUFFER_VERTEX];
    const vat_bounds *bounds = s.buffer[VAT_BUFFER_BOUNDS];
    for (uint32_t k = 0; k < 12; k++) {
        s.frame.index = k;
        vat_decode_ref_f64(&ref, 0, 12);
        vat_bounds_ref_f64(&ref, 0, 3);
        for (uint32_t slot = 0; slot < 12; slot++)
            near3(vertex[slot].position, ends[k % 3][slot / 4], slot % 4, 0, 0);
        for (uint32_t i = 0; i < 3; i++) {
            near((double)bounds[i].min[0], ends[k % 3][i], 0);
            near((double)bounds[i].min[1], 0, 0);
            near((double)bounds[i].max[1], 3, 0);
        }
    }
    scene_destroy(&s);
}

/* Parts of 2, 3 and 1 vertices; two carriers, none, and three. */
static void equipment(void **state)
{
    (void)state;
    static const uint32_t want[7][2] = {{1, 0}, {1, 1}, {3, 0}, {3, 1}, {0, 5}, {2, 5}, {4, 5}}; /* actor, vertex */
    scene s;
    crowd_scene(&s, 6, 5);
    params_in(&s)->equipment = 1;
    vat_part_range *parts = s.buffer[VAT_BUFFER_PART];
    parts[0] = (vat_part_range){0, 2, 0, 0};
    parts[1] = (vat_part_range){2, 3, 2, 4};
    parts[2] = (vat_part_range){5, 1, 2, 4};
    static const uint32_t carriers[5] = {1, 3, 0, 2, 4};
    memcpy(s.buffer[VAT_BUFFER_ITEM], carriers, sizeof carriers);
    for (uint32_t i = 0; i < 5; i++)
        ((uint16_t *)s.image[VAT_IMAGE_ITEM])[4 * i] = (uint16_t)carriers[i];
    const vfx_ref ref = scene_ref(&s);
    const vat_vertex *vertex = s.buffer[VAT_BUFFER_VERTEX];
    vat_decode_ref_f64(&ref, 0, 7);
    for (uint32_t i = 0; i < 7; i++)
        near3(vertex[i].position, want[i][0], want[i][1], 0, 0);
    memset(s.buffer[VAT_BUFFER_VERTEX], 0xff, 7 * sizeof *vertex);
    memset(s.buffer[VAT_BUFFER_ITEM], 0xff, sizeof carriers); /* the image takes its place */
    for (uint32_t i = 0; i < 5; i++)
        ((vec4 *)s.image[VAT_IMAGE_TRANSFORM])[i].x = (float)i;
    set_variant(&s, VAT_TEXTURE);
    vat_decode_ref_f64(&ref, 0, 7);
    for (uint32_t i = 0; i < 7; i++)
        near3(vertex[i].position, want[i][0], want[i][1], 0, 0);
    set_variant(&s, VAT_BUFFER); /* a list of nonsense is not followed */
    memset(s.buffer[VAT_BUFFER_VERTEX], 0xff, 7 * sizeof *vertex);
    vat_decode_ref_f64(&ref, 0, 7);
    assert_true(isnan((double)vertex[0].position.x) && isnan((double)vertex[6].position.x));
    scene_destroy(&s);
}

/* ------------------------------------------------------------------------------------- bones */

static void put_bone(scene *s, uint32_t frame, uint32_t bone, vec4 row0, vec4 row1, vec4 row2)
{
    ((vat_bone *)s->buffer[VAT_BUFFER_BONE])[frame * 2 + bone] = (vat_bone){row0, row1, row2};
}

/* A bone that stays, and one that turns by a quarter about z and stands at (1, 0, 0) in frame 0, lies at 0 in frame 1.
 */
static void bones_scene(scene *s)
{
    scene_create(s, 2, 4, 1);
    set_variant(s, VAT_BONES_VARIANT);
    s->frame.host[4].w = 1;
    const vec4 x = {1, 0, 0, 0}, y = {0, 1, 0, 0}, z = {0, 0, 1, 0};
    for (uint32_t frame = 0; frame < 4; frame++) {
        put_bone(s, frame, 0, x, y, z);
        put_bone(s, frame, 1, (vec4){0, -1, 0, 1}, (vec4){1, 0, 0, 0}, z);
    }
    put_bone(s, 1, 1, x, y, z);
    vat_bind_vertex *bind = s->buffer[VAT_BUFFER_BIND];
    bind[0] = bind[1] = (vat_bind_vertex){{1, 2, 3}, 0, {1, 0, 0}, 0};
    vat_weight *weight = s->buffer[VAT_BUFFER_WEIGHT];
    weight[0] = (vat_weight){0 | 1u << 16, 0, 0 | 65535u << 16, 0};
    weight[1] = (vat_weight){1, 0 | 0u << 16, 21845, 0 | 43690u << 16}; /* a third and, as the 4th, two thirds */
}

static void bones(void **state)
{
    (void)state;
    scene s;
    bones_scene(&s);
    near3(decoded(&s)[0].position, -1, 1, 3, 1e-7); /* (1 - y, x, z) */
    near3(decoded(&s)[0].normal, 0, 1, 0, 1e-7);
    near3(decoded(&s)[1].position, (-1 + 2 * 1) / 3.0, (1 + 2 * 2) / 3.0, 3, 1e-6);
    /* matrix (2 -1, 1 2, 3) / 3: cofactors of x are (2, 1, 0) / 3 */
    near3(decoded(&s)[1].normal, 2 / sqrt(5), 1 / sqrt(5), 0, 1e-7);
    instance_in(&s, 0)->frame = 64; /* three quarters of frame 0 */
    near3(decoded(&s)[0].position, -0.75 + 0.25, 0.75 + 0.5, 3, 1e-6);
    instance_in(&s, 0)->frame = 0;
    put_bone(&s, 0, 1, (vec4){-2, 0, 0, 0}, (vec4){0, 1, 0, 0}, (vec4){0, 0, 1, 0}); /* mirrored: outward still */
    near3(decoded(&s)[0].normal, -1, 0, 0, 0);
    put_bone(&s, 0, 1, (vec4){0, 0, 0, 0}, (vec4){0, 0, 0, 0}, (vec4){0, 0, 1, 0}); /* flat: the bind normal */
    near3(decoded(&s)[0].normal, 1, 0, 0, 0);
    scene_destroy(&s);
}

/* Two records a vertex: the second four influences count, and joints beyond the last do not lead astray. */
static void eight_influences(void **state)
{
    (void)state;
    scene s;
    bones_scene(&s);
    s.frame.host[4].w = 2;
    vat_weight *weight = s.buffer[VAT_BUFFER_WEIGHT];
    memset(weight, 0, 4 * sizeof *weight);
    weight[0] = (vat_weight){0, 0, 43690, 0};
    weight[1] = (vat_weight){0, 9u << 16, 0, 21845u << 16};
    weight[2] = (vat_weight){0, 0, 0, 65535};
    near3(decoded(&s)[0].position, (-1 + 2 * 1) / 3.0, (1 + 2 * 2) / 3.0, 3, 1e-6);
    near3(decoded(&s)[1].position, 1, 2, 3, 1e-7);
    scene_destroy(&s);
}

/* ---------------------------------------------------------------------------- blend, filtered */

static void blend(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, 1, 8, 1);
    set_variant(&s, VAT_BLEND_VARIANT);
    params_in(&s)->format = VAT_FORMAT_F32;
    for (uint32_t i = 0; i < 8; i++)
        put_metres(&s, i, 0, (vec3){(float)i, 0, 0}, i < 6 ? (vec3){0, 0, 1} : (vec3){1, 0, 0});
    vat_blend *record = s.buffer[VAT_BUFFER_BLEND];
    *record = (vat_blend){{0, 5, 0}, 0, 2, 1 * 256 + 128, 1u << 24, 0xffffff, 0.25f, 0, 0, 0};
    near3(decoded(&s)->position, 2 * (1.5 * 0.75 + 6 * 0.25), 5, 0, 1e-6);
    near3(decoded(&s)->normal, 1 / sqrt(10), 0, 3 / sqrt(10), 1e-7);
    record->weight = 1;
    near3(decoded(&s)->position, 12, 5, 0, 0);
    near3(decoded(&s)->normal, 1, 0, 0, 0);
    record->weight = 0.5f;
    put_metres(&s, 6, 0, (vec3){6, 0, 0}, (vec3){0, 0, -1}); /* opposite: the first clip's */
    near3(decoded(&s)->normal, 0, 0, 1, 0);
    record->flags = VAT_FLAG_MIRROR;
    near3(decoded(&s)->position, -2 * (1.5 * 0.5 + 6 * 0.5), 5, 0, 1e-6);
    scene_destroy(&s);
}

/* The sampler's positions are those of texel; its normals are those of the first frame. */
static void filtered(void **state)
{
    (void)state;
    static const uint32_t formats[] = {VAT_FORMAT_U16OCT8, VAT_FORMAT_RGBA8, VAT_FORMAT_RGBA16};
    for (uint32_t f = 0; f < 3; f++) {
        scene s;
        scene_create(&s, 97, 50, 3); /* more than a row of the wrapped images */
        put_all_random(&s, formats[f], 8);
        for (uint32_t i = 0; i < 3; i++)
            instance_in(&s, i)->frame = 200 + 300 * i;
        vat_vertex *plain = allocate(slots_of(&s), sizeof *plain), *nearest = allocate(slots_of(&s), sizeof *plain);
        set_variant(&s, VAT_TEXEL);
        memcpy(plain, decoded(&s), slots_of(&s) * sizeof *plain);
        set_variant(&s, VAT_NEAREST);
        memcpy(nearest, decoded(&s), slots_of(&s) * sizeof *plain);
        set_variant(&s, VAT_FILTERED);
        const vat_vertex *got = decoded(&s);
        for (uint64_t i = 0; i < slots_of(&s); i++) {
            assert_memory_equal(&got[i].position, &plain[i].position, sizeof got[i].position);
            assert_memory_equal(&got[i].normal, &nearest[i].normal, sizeof got[i].normal);
        }
        free(plain);
        free(nearest);
        scene_destroy(&s);
    }
}

/* ------------------------------------------------------------------------------- all variants */

static void random_actors(scene *s, uint32_t seed)
{
    for (uint32_t i = 0; i < s->actors; i++) {
        const vec3 p = {(float)between(&seed, -40, 40), (float)between(&seed, -1, 1), (float)between(&seed, -40, 40)};
        const uint32_t frame = (dice_word(&seed) & 3u) << 24 | dice_word(&seed) % (s->frames * 256), tint = seed;
        const uint32_t other = (dice_word(&seed) & 3u) << 24 | dice_word(&seed) % (s->frames * 256);
        const float yaw = (float)(dice_word(&seed) >> 16) / 65536, scale = (float)between(&seed, 0.1, 1.9);
        const uint32_t flags = dice_word(&seed) & 1u;
        *instance_in(s, i) = (vat_instance){p, yaw, scale, frame, tint, flags};
        ((vat_instance *)s->buffer[VAT_BUFFER_ACTOR])[i] = *instance_in(s, i);
        ((vat_scale2d *)s->buffer[VAT_BUFFER_SCALE2D])[i] =
            (vat_scale2d){p, yaw, flags ? -scale : scale, (float)between(&seed, 0.5, 2), frame, tint};
        ((vat_billboard *)s->buffer[VAT_BUFFER_BILLBOARD])[i] = (vat_billboard){p, scale, frame, tint, flags, 0};
        ((vat_blend *)s->buffer[VAT_BUFFER_BLEND])[i] =
            (vat_blend){p, yaw, scale, frame, other, tint, (float)dice(&seed), flags, 0, 0};
        ((vat_source_instance *)s->buffer[VAT_BUFFER_SOURCE])[i] =
            (vat_source_instance){p, (float)(2 * PI * dice(&seed)), frame & 0xfff, seed, 0, 0};
        ((vec4 *)s->image[VAT_IMAGE_TRANSFORM])[i] = (vec4){p.x, p.y, p.z, (float)(2 * PI * dice(&seed))};
        ((uint16_t *)s->image[VAT_IMAGE_CUSTOM])[4 * i] = (uint16_t)(dice_word(&seed) % s->frames);
        float m[3][3];
        for (int k = 0; k < 9; k++)
            m[k / 3][k % 3] = (float)between(&seed, -1.5, 1.5);
        ((vat_matrix *)s->buffer[VAT_BUFFER_MATRIX])[i] = (vat_matrix){{m[0][0], m[0][1], m[0][2], p.x},
                                                                       {m[1][0], m[1][1], m[1][2], p.y},
                                                                       {m[2][0], m[2][1], m[2][2], p.z},
                                                                       frame,
                                                                       tint,
                                                                       0,
                                                                       0};
    }
}

static void random_bones(scene *s, uint32_t seed)
{
    float *rows = s->buffer[VAT_BUFFER_BONE];
    for (uint32_t i = 0; i < 2 * s->frames * 12; i++)
        rows[i] = (float)between(&seed, -1, 1) + (i % 12 % 5 == 0 ? 1.5f : 0.0f);
    vat_weight *weight = s->buffer[VAT_BUFFER_WEIGHT];
    for (uint32_t i = 0; i < 2 * s->vertices; i++) {
        const uint32_t first = dice_word(&seed) % 32768, second = i % 2 == 0 ? 0 : 65535 - 32767 - first;
        weight[i] = (vat_weight){dice_word(&seed) & 0x10001u, dice_word(&seed) & 0x10001u, first | second << 16, 16383};
    }
    vat_bind_vertex *bind = s->buffer[VAT_BUFFER_BIND];
    for (uint32_t i = 0; i < s->vertices; i++) {
        const double z = between(&seed, -1, 1), a = between(&seed, 0, 2 * PI), flat = sqrt(1 - z * z);
        bind[i].position = (vec3){(float)between(&seed, -1, 1), (float)between(&seed, -1, 1), (float)z};
        bind[i].normal = (vec3){(float)(flat * cos(a)), (float)(flat * sin(a)), (float)z};
    }
}

/* A camera's orthonormal basis, so that billboards are tried off the axes too. */
static void tilt_camera(scene *s)
{
    const double c = cos(0.7), n = sin(0.7), cp = cos(0.3), np = sin(0.3);
    s->frame.host[2] = (vec4){(float)c, 0, (float)-n, CLIPS};
    s->frame.host[3] = (vec4){(float)(-n * np), (float)cp, (float)(-c * np), 2};
    s->frame.host[4] = (vec4){(float)(n * cp), (float)np, (float)(c * cp), 2};
}

static const vat_variant fetching[] = {VAT_TEXEL, VAT_BUFFER_VERTEX_MAJOR, VAT_ADVANCE};

/* The same bits wherever the texels lie, images that wrap included. */
static void same_texels_everywhere(void **state)
{
    (void)state;
    for (uint32_t format = 0; format < 4; format++) {
        scene s;
        scene_create(&s, 97, 50, 40);
        random_actors(&s, 21);
        put_all_random(&s, format, 4);
        vat_vertex *want = allocate(slots_of(&s), sizeof *want);
        memcpy(want, decoded(&s), slots_of(&s) * sizeof *want);
        for (uint32_t i = 0; i < 3; i++) {
            set_variant(&s, fetching[i]);
            put_all_random(&s, format, 4);
            assert_memory_equal(decoded(&s), want, slots_of(&s) * sizeof *want);
        }
        free(want);
        scene_destroy(&s);
    }
}

/* V4: nothing reads a frame of a clip that is not played. */
static void poison(void **state)
{
    (void)state;
    static const vat_variant variants[] = {VAT_TEXEL,         VAT_NEAREST,       VAT_BUFFER, VAT_BUFFER_VERTEX_MAJOR,
                                           VAT_BLEND_VARIANT, VAT_BOUNDS_VARIANT};
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t clip = 0; clip < CLIPS; clip++) {
            scene s;
            scene_create(&s, 7, 12, 64);
            set_variant(&s, variants[i]);
            random_actors(&s, 9);
            put_all_random(&s, VAT_FORMAT_F32, 4);
            const vat_clip_range *range = (const vat_clip_range *)s.buffer[VAT_BUFFER_CLIP] + clip;
            for (uint32_t frame = 0; frame < 12; frame++)
                for (uint32_t v = 0; v < 7 && (frame < range->first || frame >= range->first + range->frames); v++)
                    put_metres(&s, frame, v, (vec3){NAN, NAN, NAN}, (vec3){NAN, NAN, NAN});
            for (uint32_t k = 0; k < 64; k++) {
                instance_in(&s, k)->frame = (instance_in(&s, k)->frame & 0xffffffu) | clip << 24;
                vat_blend *record = (vat_blend *)s.buffer[VAT_BUFFER_BLEND] + k;
                record->frame_a = (record->frame_a & 0xffffffu) | clip << 24;
                record->frame_b = (record->frame_b & 0xffffffu) | clip << 24;
            }
            const vfx_ref ref = scene_ref(&s);
            const vat_vertex *got = decoded(&s);
            vat_bounds_ref_f64(&ref, 0, 64);
            for (uint64_t k = 0; k < slots_of(&s); k++)
                assert_true(isfinite(got[k].position.x) && isfinite(got[k].normal.x) && s.ill[k] <= 1);
            for (uint32_t k = 0; k < 64; k++)
                assert_true(isfinite(((vat_bounds *)s.buffer[VAT_BUFFER_BOUNDS])[k].max[2]));
            scene_destroy(&s);
        }
}

/* Boxes are those of the decoded vertices. */
static void bounds(void **state)
{
    (void)state;
    scene s;
    scene_create(&s, 30, 5, 20);
    random_actors(&s, 33);
    put_all_random(&s, VAT_FORMAT_RGBA16, 1);
    const vfx_ref ref = scene_ref(&s);
    const vat_vertex *vertex = decoded(&s);
    set_variant(&s, VAT_BOUNDS_VARIANT);
    vat_bounds_ref_f64(&ref, 0, 20);
    for (uint32_t i = 0; i < 20; i++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t v = 0; v < 30; v++) {
            low = fminf(low, vertex[i * 30 + v].position.z);
            high = fmaxf(high, vertex[i * 30 + v].position.z);
        }
        const vat_bounds *box = (const vat_bounds *)s.buffer[VAT_BUFFER_BOUNDS] + i;
        assert_true(box->min[2] == low && box->max[2] == high && low < high);
    }
    scene_destroy(&s);
}

/* ------------------------------------------------------------------------------------- limits */

static const vfx_field vertex_fields[] = {VAT_VERTEX(VFX_FIELD_ROW)};
static const vfx_field packed_fields[] = {VAT_PACKED(VFX_FIELD_ROW)};
static const vfx_field instance_fields[] = {VAT_INSTANCE(VFX_FIELD_ROW)};
static const vfx_field bounds_fields[] = {{"min", VFX_FIELD_F32, 3, 0, "m", ""},
                                          {"max", VFX_FIELD_F32, 3, 12, "m", ""}};

/* Compares the float build with the double one by the family's rows; the worst share of a limit. */
static double worst_share(scene *s, uint32_t row, size_t stride, const vfx_field *fields, uint32_t field_count)
{
    vfx_buffer rows[VAT_BUFFER_COUNT];
    memset(rows, 0, sizeof rows);
    rows[row].stride = (uint32_t)stride;
    rows[row].fields = fields;
    rows[row].field_count = field_count;
    s->kernel.buffers = rows;
    const uint64_t records = row == VAT_BUFFER_BOUNDS ? s->actors : slots_of(s);
    vfx_ref ref = scene_ref(s);
    void *single = allocate(records, stride);
    ref.out[row] = single;
    if (row == VAT_BUFFER_BOUNDS)
        vat_bounds_ref_f32(&ref, 0, records);
    else
        vat_decode_ref_f32(&ref, 0, records);
    ref.out[row] = s->buffer[row];
    if (row == VAT_BUFFER_BOUNDS)
        vat_bounds_ref_f64(&ref, 0, records);
    else
        vat_decode_ref_f64(&ref, 0, records);
    double worst = 0;
    for (uint32_t i = 0; i < VAT_CHECK_COUNT; i++) {
        if (vat_checks[i].buffer != row)
            continue;
        vfx_check_result result = {0};
        vfx_compare_field(&vat_checks[i], &ref, false, single, s->buffer[row], NULL, 0, records, &result);
        if (result.failed > 0)
            fail_msg("variant %d, format %u, kind %u: %s: %llu failed, worst %g at record %llu",
                     (int)(s->kase.variant - s->variants), params_in(s)->format, params_in(s)->kind,
                     vat_checks[i].field, (unsigned long long)result.failed, result.worst_device,
                     (unsigned long long)result.worst.record);
        assert_true((double)result.ill <= 0.001 * (double)records);
        worst = fmax(worst, result.worst_device);
    }
    free(single);
    return worst;
}

static double vertex_share(scene *s)
{
    return worst_share(s, VAT_BUFFER_VERTEX, sizeof(vat_vertex), vertex_fields, VFX_COUNT(vertex_fields));
}

/* The float build keeps every limit in every variant, format and kind, and comes near enough that a limit says
 * something. */
static void limits(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < VAT_VARIANT_COUNT; variant++)
        for (uint32_t format = 0; format < 4; format++)
            for (uint32_t kind = 0; kind < 5; kind++) {
                if (variant == VAT_FILTERED && format == VAT_FORMAT_F32)
                    continue;
                scene s;
                scene_create(&s, 23, 21, 200);
                set_variant(&s, (vat_variant)variant);
                params_in(&s)->kind = kind;
                random_actors(&s, 5 + 7 * variant + kind);
                random_bones(&s, 8);
                put_all_random(&s, format, 4 + format);
                tilt_camera(&s);
                const double full = vertex_share(&s);
                params_in(&s)->vertex_format = VAT_VERTEX_PACKED;
                const double packed =
                    worst_share(&s, VAT_BUFFER_PACKED, sizeof(vat_packed), packed_fields, VFX_COUNT(packed_fields));
                const double box =
                    worst_share(&s, VAT_BUFFER_BOUNDS, sizeof(vat_bounds), bounds_fields, VFX_COUNT(bounds_fields));
                assert_true(full > 0.05 && packed > 0.05 && box > 0.005);
                scene_destroy(&s);
            }
}

/* Moves the actors to the origin, where no position hides the errors of what leads to it. */
static void gather(scene *s)
{
    for (uint32_t i = 0; i < s->actors; i++) {
        const vec3 zero = {0, 0, 0};
        instance_in(s, i)->position = zero;
        ((vat_instance *)s->buffer[VAT_BUFFER_ACTOR])[i].position = zero;
        ((vat_scale2d *)s->buffer[VAT_BUFFER_SCALE2D])[i].position = zero;
        ((vat_billboard *)s->buffer[VAT_BUFFER_BILLBOARD])[i].position = zero;
        ((vat_source_instance *)s->buffer[VAT_BUFFER_SOURCE])[i].position = zero;
        ((vat_blend *)s->buffer[VAT_BUFFER_BLEND])[i].position = zero;
        vat_matrix *m = (vat_matrix *)s->buffer[VAT_BUFFER_MATRIX] + i;
        m->row0.w = m->row1.w = m->row2.w = 0;
    }
}

static void limits_at_origin(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < VAT_VARIANT_COUNT; variant++)
        for (uint32_t kind = 0; kind < 5; kind++) {
            if (variant == VAT_TEXTURE)
                continue;
            scene s;
            scene_create(&s, 23, 21, 200);
            set_variant(&s, (vat_variant)variant);
            params_in(&s)->kind = kind;
            random_actors(&s, 50 + 7 * variant + kind);
            gather(&s);
            random_bones(&s, 80);
            put_all_random(&s, variant % 2 == 0 ? VAT_FORMAT_RGBA16 : VAT_FORMAT_F32, 40);
            if (variant == VAT_FILTERED)
                put_all_random(&s, VAT_FORMAT_U16OCT8, 40);
            tilt_camera(&s);
            (void)vertex_share(&s);
            scene_destroy(&s);
        }
}

static double largest3(vec3 v)
{
    return fmax(fmax(fabs((double)v.x), fabs((double)v.y)), fabs((double)v.z));
}

/* V3: 2 ulp of max(|x|, extent) before the transform, 8 ulp of max(|x|, extent, distance) after it; no limit is wider.
 */
static void v3_ulp(void **state)
{
    (void)state;
    enum { PLAIN, TURNED, PLACED };
    for (uint32_t format = 0; format < 4; format++)
        for (uint32_t where = PLAIN; where <= PLACED; where++) {
            scene s;
            scene_create(&s, 40, 21, 300);
            random_actors(&s, 6);
            put_all_random(&s, format, 4);
            if (where != PLACED)
                gather(&s);
            for (uint32_t i = 0; i < 300 && where == PLAIN; i++) {
                instance_in(&s, i)->yaw = 0;
                instance_in(&s, i)->scale = 1;
            }
            vat_vertex *truth = allocate(slots_of(&s), sizeof *truth);
            memcpy(truth, decoded(&s), slots_of(&s) * sizeof *truth);
            const vfx_ref ref = scene_ref(&s);
            vat_decode_ref_f32(&ref, 0, slots_of(&s));
            const vat_vertex *single = s.buffer[VAT_BUFFER_VERTEX];
            for (uint64_t i = 0; i < slots_of(&s); i++) {
                const vat_instance *instance = instance_in(&s, (uint32_t)(i / 40));
                const vec3 at = instance->position, x = truth[i].position;
                const double distance =
                    sqrt((double)at.x * (double)at.x + (double)at.y * (double)at.y + (double)at.z * (double)at.z);
                const double size = fmax(fmax(2 * (double)instance->scale, distance), largest3(x));
                const double limit = vat_position_scale_f64(&ref, i), most = where == PLAIN ? 2 : 8;
                near3(single[i].position, (double)x.x, (double)x.y, (double)x.z, fmin(limit, most * vfx_ulp_of(size)));
                assert_true(limit <= 8 * vfx_ulp_of(size));
            }
            free(truth);
            scene_destroy(&s);
        }
}

/* Every output field has one row, and every row a reason and what its limit needs. */
static void check_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t buffer, count;
        const vfx_field *fields;
    } outputs[] = {{VAT_BUFFER_ACTOR, VFX_COUNT(instance_fields), instance_fields},
                   {VAT_BUFFER_VERTEX, VFX_COUNT(vertex_fields), vertex_fields},
                   {VAT_BUFFER_PACKED, VFX_COUNT(packed_fields), packed_fields},
                   {VAT_BUFFER_BOUNDS, VFX_COUNT(bounds_fields), bounds_fields}};
    uint32_t rows = 0;
    for (uint32_t o = 0; o < 4; o++)
        for (uint32_t f = 0; f < outputs[o].count; f++) {
            uint32_t found = 0;
            for (uint32_t i = 0; i < VAT_CHECK_COUNT; i++)
                found += vat_checks[i].buffer == outputs[o].buffer &&
                         strcmp(vat_checks[i].field, outputs[o].fields[f].name) == 0;
            assert_int_equal(found, 1);
            rows++;
        }
    assert_int_equal(rows, VAT_CHECK_COUNT);
    for (uint32_t i = 0; i < VAT_CHECK_COUNT; i++) {
        assert_true(vat_checks[i].reason != NULL && vat_checks[i].reason[0] != '\0');
        assert_true(vat_checks[i].step.scaled > 0 ? vat_checks[i].scale != NULL : vat_checks[i].scale == NULL);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(yaw_direction),
    cmocka_unit_test(mirror),
    cmocka_unit_test(scale2d),
    cmocka_unit_test(billboard),
    cmocka_unit_test(matrix),
    cmocka_unit_test(source_packing),
    cmocka_unit_test(frames),
    cmocka_unit_test(advance),
    cmocka_unit_test(degenerate_normals),
    cmocka_unit_test(octahedral_codes),
    cmocka_unit_test(byte_normals),
    cmocka_unit_test(colours),
    cmocka_unit_test(batches),
    cmocka_unit_test(equipment),
    cmocka_unit_test(bones),
    cmocka_unit_test(eight_influences),
    cmocka_unit_test(blend),
    cmocka_unit_test(filtered),
    cmocka_unit_test(same_texels_everywhere),
    cmocka_unit_test(poison),
    cmocka_unit_test(bounds),
    cmocka_unit_test(limits),
    cmocka_unit_test(limits_at_origin),
    cmocka_unit_test(v3_ulp),
    cmocka_unit_test(check_rows),
};
VFX_TEST_MAIN(tests)
