/* vat_device_test.c - what must hold on a device whatever its arithmetic: variants that share texels agree to the bit,
 * batches, uploads and workgroups change nothing, no clip reaches into what lies beside it (V4), odd sizes (V5),
 * normals stand on the surface for every kind of instance (V6), the source's packing shows the same picture (V11),
 * texels mean what the baker says (V3), and a real character plays. Where a test needs other actors or frames than the
 * family's, it wraps frame_input or load in a copy of the record. */
#include "core/test_device.h"

#include "core/hash.h"
#include "core/params.h"
#include "core/run.h"
#include "kernels/vat/tube.h"
#include "kernels/vat/vat.h"

#include <math.h>
#include <unistd.h>

#define SMALL "actors=37,vertices=61"
static const char *const texel_formats[] = {"u16oct8", "rgba8", "rgba16", "f32"};

/* ------------------------------------------------------------------------------------------- running */

/* A loaded case of preset ci with SMALL and `set`; `kernel` is the record or a copy. */
static void make_case(vfx_case *kase, const vfx_kernel *kernel, vat_variant variant, const char *set)
{
    char all[512];
    snprintf(all, sizeof all, "%s%s%s", SMALL, *set != '\0' ? "," : "", set);
    make_ci_case(kase, kernel, variant, all);
}

/* `frames` frames, the last of which is kept. */
static void take_with(picture *p, const vfx_kernel *kernel, vat_variant variant, const char *set, uint32_t frames)
{
    *p = (picture){0};
    make_case(&p->kase, kernel, variant, set);
    take_picture(p, (vfx_run_request){.frames = frames});
}

static void take(picture *p, vat_variant variant, const char *set)
{
    take_with(p, &vat_kernel, variant, set, 2);
}

static void drop(picture *p)
{
    vfx_host_destroy(&p->host);
    vat_unload(&p->kase);
}

static const vat_asset *asset_of(const picture *p)
{
    return vat_asset_of(&p->kase);
}

static const vat_vertex *vertices_of(const picture *p)
{
    return p->host.buffer[VAT_BUFFER_VERTEX];
}

/* Both wrote the same vertices, full, packed or boxes. */
static void assert_same(const picture *a, const picture *b, const char *set)
{
    static const uint32_t rows[] = {VAT_BUFFER_VERTEX, VAT_BUFFER_PACKED, VAT_BUFFER_BOUNDS};
    size_t bytes = 0;
    for (size_t i = 0; i < VFX_COUNT(rows); ++i) {
        const size_t size = a->host.bytes[rows[i]];
        assert_true(size == b->host.bytes[rows[i]]);
        bytes += size;
        if (size > 0 && memcmp(a->host.buffer[rows[i]], b->host.buffer[rows[i]], size) != 0)
            fail_msg("%s and %s differ in %s (%s)", a->kase.variant->name, b->kase.variant->name,
                     vat_kernel.buffers[rows[i]].name, set);
    }
    assert_true(bytes > 0);
}

static uint64_t hash_of(const vfx_run_request *request)
{
    vfx_run *run;
    uint64_t hash;
    assert_vfx_ok(vfx_run_create(&run, gpu, request));
    assert_vfx_ok(vfx_run_gpu(run, NULL, NULL, NULL));
    assert_vfx_ok(vfx_run_hash(run, &hash));
    vfx_run_destroy(run);
    return hash;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(vec3 a, vec3 b)
{
    const double d[3] = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z};
    return length(d);
}

/* ------------------------------------------------------------------------------------------ variants */

/* Every format, kind, vertex format; parts; batches; sizes that fill no workgroup and no quad. */
static const char *const sets[] = {
    "",
    "format=rgba8,kind=scale2d",
    "format=rgba16,kind=billboard,vertex_format=packed",
    "format=f32,kind=matrix",
    "kind=source",
    "equipment=on",
    "equipment=on,format=f32,visible=20,vertex_format=packed,kind=matrix",
    "batch=9,vertices=77,format=rgba8,kind=matrix,vertex_format=packed",
    "batch=1,actors=3",
    "actors=1,vertices=48,fps=0.5",
};

static void test_variants_agree(void **state)
{
    (void)state;
    need_device();
    for (size_t i = 0; i < VFX_COUNT(sets); ++i) {
        picture texel, other;
        take(&texel, VAT_TEXEL, sets[i]);
        for (vat_variant v = VAT_BUFFER; v <= VAT_BUFFER_VERTEX_MAJOR; ++v) {
            take(&other, v, sets[i]);
            assert_same(&texel, &other, sets[i]);
            drop(&other);
        }
        drop(&texel);
    }
    assert_no_messages();
}

/* `texture` reads what `texel` reads with kind=source, from images. */
static void test_texture_is_the_source_kind(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[] = {"", "equipment=on,actors=333,visible=300",
                                        "actors=4100,vertices=48,visible=4099",
                                        "batch=10,format=rgba8,vertex_format=packed", "format=f32"};
    for (size_t i = 0; i < VFX_COUNT(lists); ++i) {
        char with_kind[128];
        snprintf(with_kind, sizeof with_kind, "%s,kind=source", lists[i]);
        picture texel, texture;
        take(&texel, VAT_TEXEL, lists[i][0] ? with_kind : "kind=source");
        take(&texture, VAT_TEXTURE, lists[i]);
        assert_same(&texel, &texture, lists[i]);
        drop(&texel);
        drop(&texture);
    }
    assert_no_messages();
}

/* Actors that the device moves are those that the host would upload, and look the same. */
static void test_advance_is_the_host(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[] = {"turn=0.37,speed=1.7", "turn=-3.3,speed=16,format=rgba8,visible=20,batch=7",
                                        "equipment=on,vertex_format=packed,fps=240"};
    for (size_t i = 0; i < VFX_COUNT(lists); ++i) {
        picture host, device;
        take_with(&host, &vat_kernel, VAT_BUFFER, lists[i], 9);
        take_with(&device, &vat_kernel, VAT_ADVANCE, lists[i], 9);
        assert_same(&host, &device, lists[i]);
        assert_true(device.host.bytes[VAT_BUFFER_ACTOR] == 32 * device.host.count[VAT_BUFFER_PLAN]);
        assert_memory_equal(device.host.buffer[VAT_BUFFER_ACTOR], host.host.buffer[VAT_BUFFER_INSTANCE],
                            device.host.bytes[VAT_BUFFER_ACTOR]);
        assert_true(memcmp(device.host.buffer[VAT_BUFFER_ACTOR], device.host.buffer[VAT_BUFFER_PLAN],
                           device.host.bytes[VAT_BUFFER_ACTOR]) != 0);
        drop(&host);
        drop(&device);
    }
    assert_no_messages();
}

/* Clears the fractions of all frame words of the kind in use. */
static void whole_frames(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                         void *const images[])
{
    vat_frame_input(kase, host, frame, buffers, images);
    for (uint32_t i = 0; i < VFX_CASE_PARAMS(kase, vat_params)->actors; ++i) {
        if (vat_variant_of(kase) == VAT_BLEND_VARIANT) {
            ((vat_blend *)buffers[VAT_BUFFER_BLEND])[i].frame_a &= ~255u;
            ((vat_blend *)buffers[VAT_BUFFER_BLEND])[i].frame_b &= ~255u;
        } else if (vat_kind_of(kase) == VAT_KIND_YAW) {
            ((vat_instance *)buffers[VAT_BUFFER_INSTANCE])[i].frame &= ~255u;
        } else if (vat_kind_of(kase) == VAT_KIND_SCALE2D) {
            ((vat_scale2d *)buffers[VAT_BUFFER_SCALE2D])[i].frame &= ~255u;
        } else if (vat_kind_of(kase) == VAT_KIND_BILLBOARD) {
            ((vat_billboard *)buffers[VAT_BUFFER_BILLBOARD])[i].frame &= ~255u;
        } else if (vat_kind_of(kase) == VAT_KIND_MATRIX) {
            ((vat_matrix *)buffers[VAT_BUFFER_MATRIX])[i].frame &= ~255u;
        }
    }
}

/* Without fractions there is nothing to blend: `nearest` is `texel`. With them, its frame is the first one's. */
static void test_nearest_is_the_first_frame(void **state)
{
    (void)state;
    need_device();
    vfx_kernel whole = vat_kernel;
    whole.frame_input = whole_frames;
    for (size_t i = 0; i < VFX_COUNT(texel_formats); ++i) {
        char set[64];
        snprintf(set, sizeof set, "format=%s", texel_formats[i]);
        picture texel, nearest, between;
        take_with(&texel, &whole, VAT_TEXEL, set, 2);
        take(&nearest, VAT_NEAREST, set);
        take(&between, VAT_TEXEL, set);
        for (uint64_t k = 0; k < texel.host.count[VAT_BUFFER_VERTEX]; ++k) { /* as values: 0 may have lost its sign */
            const vat_vertex *a = &vertices_of(&texel)[k], *b = &vertices_of(&nearest)[k];
            assert_true(distance(a->position, b->position) <= 0 && distance(a->normal, b->normal) <= 0);
            assert_true(a->uv == b->uv && a->colour == b->colour);
        }
        assert_true(memcmp(vertices_of(&between), vertices_of(&nearest), between.host.bytes[VAT_BUFFER_VERTEX]) != 0);
        drop(&texel);
        drop(&nearest);
        drop(&between);
    }
    assert_no_messages();
}

/* At weight 0 the first clip is all there is, at weight 1 the second. */
static void test_ends_of_a_blend(void **state)
{
    (void)state;
    need_device();
    for (size_t i = 0; i < VFX_COUNT(texel_formats); ++i) {
        char set[64];
        snprintf(set, sizeof set, "format=%s,actors=200", texel_formats[i]);
        picture blend, plain;
        take(&blend, VAT_BLEND_VARIANT, set);
        take(&plain, VAT_BUFFER, set);
        const vat_blend *actor = blend.host.buffer[VAT_BUFFER_BLEND];
        const uint32_t count = asset_of(&blend)->bake.vertices;
        uint32_t first = 0, other = 0;
        for (uint32_t a = 0; a < 200; ++a)
            for (uint32_t v = 0; v < count; ++v) {
                const vat_vertex *x = &vertices_of(&blend)[a * count + v], *y = &vertices_of(&plain)[a * count + v];
                assert_true(x->uv == y->uv && x->colour == y->colour);
                if (actor[a].weight > 0) {
                    other += distance(x->position, y->position) > 0.01;
                    continue;
                }
                first++;
                assert_memory_equal(&x->position, &y->position, sizeof x->position);
                assert_true(distance(x->normal, y->normal) < 1e-6);
            }
        assert_true(first > 10 * count && other > 10 * count);
        drop(&blend);
        drop(&plain);
    }
    assert_no_messages();
}

static void test_runs_repeat(void **state)
{
    (void)state;
    need_device();
    for (uint32_t i = 0; i < VAT_VARIANT_COUNT; ++i) {
        vfx_case kase;
        make_case(&kase, &vat_kernel, (vat_variant)i, "batch=16,actors=50,visible=49");
        vfx_verify_result result;
        vfx_run_request request = {.kase = &kase, .frames = 5};
        assert_vfx_ok(vfx_verify(gpu, &request, VFX_REPEAT, &result));
        vat_unload(&kase);
    }
    assert_no_messages();
}

/* ------------------------------------------------------------------------- what changes no result */

static void test_workgroups_do_not_matter(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[] = {"visible=36", "equipment=on,vertex_format=packed", "batch=10,format=rgba16"};
    static const struct {
        uint32_t workgroup, most_groups; /* of a dispatch, 0: all */
    } rows[] = {{32, 0}, {64, 3}, {128, 0}, {256, 0}, {32, 7}};
    for (uint32_t i = 0; i < VAT_VARIANT_COUNT * VFX_COUNT(lists); ++i) {
        const vat_variant variant = (vat_variant)(i / VFX_COUNT(lists));
        if (variant == VAT_BOUNDS_VARIANT && i % VFX_COUNT(lists) == 1)
            continue; /* measures whole actors */
        vfx_case kase;
        make_case(&kase, &vat_kernel, variant, lists[i % VFX_COUNT(lists)]);
        uint64_t first = 0;
        for (size_t r = 0; r < VFX_COUNT(rows); ++r) {
            vfx_run_request request = {.kase = &kase, .frames = 2, .poison = true};
            request.workgroup = rows[r].workgroup;
            request.most_groups = rows[r].most_groups;
            const uint64_t hash = hash_of(&request);
            if (first != 0 && hash != first)
                fail_msg("%s, %s, workgroup %u: another result", kase.variant->name, lists[i % VFX_COUNT(lists)],
                         rows[r].workgroup);
            first = hash;
        }
        vat_unload(&kase);
    }
    assert_no_messages();
}

static void test_uploads_do_not_matter(void **state)
{
    (void)state;
    need_device();
    static const char *const kinds[] = {"yaw", "scale2d", "billboard", "matrix", "source"};
    for (size_t k = 0; k < VFX_COUNT(kinds); ++k) {
        uint64_t first = 0;
        for (size_t u = 0; vfx_upload_names[u] != NULL; ++u) {
            char set[96];
            snprintf(set, sizeof set, "kind=%s,upload=%s", kinds[k], vfx_upload_names[u]);
            vfx_case kase;
            make_case(&kase, &vat_kernel, VAT_BUFFER, set);
            if (vfx_gpu_supports(gpu, &kase) == VFX_OK) {
                vfx_run_request request = {.kase = &kase, .frames = 4, .poison = true};
                const uint64_t hash = hash_of(&request);
                if (first != 0 && hash != first)
                    fail_msg("%s: another result", set);
                first = hash;
            } else {
                print_message("skipped: %s: %s\n", set, vfx_message());
            }
            vat_unload(&kase);
        }
    }
    assert_no_messages();
}

/* ------------------------------------------------------------------------------------ who is drawn */

/* Batches share one range of the output; each frame leaves another one there, as drawn without batches. */
static void check_batches(vat_variant variant, const char *whole_set, const char *batched_set, uint32_t row)
{
    bool seen[16] = {false};
    for (uint32_t frame = 1; frame <= 6; ++frame) {
        picture whole, part;
        take_with(&whole, &vat_kernel, variant, whole_set, frame);
        take_with(&part, &vat_kernel, variant, batched_set, frame);
        const uint32_t batch = vat_batch(&part.kase), batches = vat_batches(&part.kase), drawn = vat_drawn(&part.kase);
        assert_true(batches > 2 && batches < 16 && batch < drawn && vat_batches(&whole.kase) == 1);
        const size_t actor = whole.host.bytes[row] / drawn;
        assert_true(actor * batch == part.host.bytes[row]);
        const uint32_t last = (batches - 1 + frame) % batches;
        const uint32_t actors = last + 1 < batches ? batch : drawn - last * batch;
        assert_memory_equal(part.host.buffer[row], (const char *)whole.host.buffer[row] + actor * batch * last,
                            actor * actors);
        seen[last] = true;
        for (uint32_t b = 0; frame == 6 && b < batches; ++b)
            assert_true(seen[b]);
        drop(&whole);
        drop(&part);
    }
}

static void test_batches(void **state)
{
    (void)state;
    need_device();
    check_batches(VAT_TEXEL, "actors=50", "actors=50,batch=13", VAT_BUFFER_VERTEX);
    check_batches(VAT_BUFFER, "actors=50,visible=49,vertex_format=packed",
                  "actors=50,visible=49,vertex_format=packed,batch=9", VAT_BUFFER_PACKED);
    check_batches(VAT_BOUNDS_VARIANT, "actors=50,visible=49", "actors=50,visible=49,batch=9", VAT_BUFFER_BOUNDS);
    check_batches(VAT_TEXTURE, "actors=50", "actors=50,batch=24", VAT_BUFFER_VERTEX);
    assert_no_messages();
}

/* `visible` cuts the output short and changes nothing else. */
static void test_visible(void **state)
{
    (void)state;
    need_device();
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; ++v) {
        const uint32_t row = v == VAT_BOUNDS_VARIANT ? VAT_BUFFER_BOUNDS : VAT_BUFFER_VERTEX;
        picture all, some;
        take(&all, (vat_variant)v, "actors=40");
        take(&some, (vat_variant)v, "actors=40,visible=11");
        assert_true(some.host.bytes[row] * 40 == all.host.bytes[row] * 11);
        assert_memory_equal(all.host.buffer[row], some.host.buffer[row], some.host.bytes[row]);
        drop(&all);
        drop(&some);
    }
    assert_no_messages();
}

/* Each part of each carrier is that range of the whole actor. */
static void test_equipment(void **state)
{
    (void)state;
    need_device();
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; ++v) {
        if (v == VAT_BOUNDS_VARIANT)
            continue;
        picture whole, parts;
        take(&whole, (vat_variant)v, "actors=90,visible=80");
        take(&parts, (vat_variant)v, "actors=90,visible=80,equipment=on");
        const vat_asset *asset = asset_of(&parts);
        assert_int_equal(asset->part_count, 3);
        assert_true(asset->items > 80 + 20 && asset->items < 240);
        uint64_t slot = 0;
        for (uint32_t p = 0; p < asset->part_count; ++p)
            for (uint32_t actor = 0; actor < 80; ++actor) {
                const vat_instance plan = vat_plan_of(&parts.kase, actor);
                if (!vat_carries(&plan, p))
                    continue;
                const uint64_t first = (uint64_t)actor * asset->bake.vertices + asset->bake.parts[p].first_vertex;
                const uint32_t count = asset->bake.parts[p].vertex_count;
                if (memcmp(&vertices_of(&parts)[slot], &vertices_of(&whole)[first], count * sizeof(vat_vertex)) != 0)
                    fail_msg("%s: part %u of actor %u", parts.kase.variant->name, p, actor);
                slot += count;
            }
        assert_true(slot == parts.host.count[VAT_BUFFER_VERTEX]);
        drop(&whole);
        drop(&parts);
    }
    assert_no_messages();
}

/* Items above 65535: their images hold them in two halves. Carriers are some of many actors. */
enum { MANY = 66000 };

static void init_many_items(const vfx_case *kase, void *const buffers[], void *const images[])
{
    vat_init(kase, buffers, images);
    const uint32_t count = vat_asset_of(kase)->items;
    uint32_t *words = buffers[VAT_BUFFER_ITEM];
    uint16_t *texels = images[VAT_IMAGE_ITEM];
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t item = (words != NULL ? words[i] : texels[4 * i]) + MANY;
        if (words != NULL) {
            words[i] = item;
            continue;
        }
        texels[4 * i] = (uint16_t)item;
        texels[4 * i + 1] = (uint16_t)(item >> 16);
    }
}

static void test_many_items(void **state)
{
    (void)state;
    need_device();
    vfx_kernel many = vat_kernel;
    many.init = init_many_items;
    picture words, texels, few;
    take_with(&words, &many, VAT_TEXEL, "actors=66100,visible=90,equipment=on,kind=source", 2);
    take_with(&texels, &many, VAT_TEXTURE, "actors=66100,visible=90,equipment=on", 2);
    take(&few, VAT_TEXTURE, "actors=66100,visible=90,equipment=on");
    assert_same(&words, &texels, "many items");
    assert_true(distance(vertices_of(&few)->position, vertices_of(&texels)->position) > 100); /* other actors */
    drop(&words);
    drop(&texels);
    drop(&few);
    assert_no_messages();
}

/* ------------------------------------------------------------------------------------------- texels */

/* All actors at the origin, unturned and unscaled: what is written is what the texels say. */
static void at_origin(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[])
{
    vat_frame_input(kase, host, frame, buffers, images);
    vat_instance *instances = buffers[VAT_BUFFER_INSTANCE];
    for (uint32_t i = 0; i < VFX_CASE_PARAMS(kase, vat_params)->actors; ++i) {
        instances[i].position = (vec3){0, 0, 0};
        instances[i].yaw = 0;
        instances[i].scale = 1;
        instances[i].flags = 0;
    }
}

/* V3: the two frames, each decoded by the baker's own code in double, blended: 2 ulp of max(|x|, extent). */
static void check_texels(const picture *p)
{
    const vat_bake *bake = &asset_of(p)->bake;
    const vat_instance *instances = p->host.buffer[VAT_BUFFER_INSTANCE];
    const vat_format format = (vat_format)VFX_CASE_PARAMS(&p->kase, vat_params)->format;
    const size_t bytes = vat_texel_bytes(format);
    for (uint64_t i = 0; i < p->host.count[VAT_BUFFER_VERTEX]; ++i) {
        const uint32_t word = instances[i / bake->vertices].frame, at = (word & 0xffffffu) >> 8;
        const vat_clip *clip = &bake->clips[word >> 24];
        const double w = (word & 255u) / 256.0;
        const size_t a = clip->first + at, b = clip->first + (at + 1 < clip->frames ? at + 1 : at);
        double position[2][3], normal[2][3];
        vat_bake_decode(asset_of(p)->texels + (a * bake->vertices + i % bake->vertices) * bytes, format,
                        asset_of(p)->map_min, asset_of(p)->map_step, position[0], normal[0]);
        vat_bake_decode(asset_of(p)->texels + (b * bake->vertices + i % bake->vertices) * bytes, format,
                        asset_of(p)->map_min, asset_of(p)->map_step, position[1], normal[1]);
        const vec3 x = vertices_of(p)[i].position, n = vertices_of(p)[i].normal;
        const double got[3] = {(double)x.x, (double)x.y, (double)x.z};
        const double turned[3] = {(double)n.x, (double)n.y, (double)n.z};
        double blend[3];
        for (int axis = 0; axis < 3; ++axis) {
            const double want = position[0][axis] * (1 - w) + position[1][axis] * w;
            const float size = (float)fmax(fabs(want), bake->extent);
            const double ulp = (double)(nextafterf(size, INFINITY) - size);
            if (!(fabs(got[axis] - want) <= 2 * ulp))
                fail_msg("format %u, record %llu: %.9g, not %.9g", format, (unsigned long long)i, got[axis], want);
            blend[axis] = normal[0][axis] * (1 - w) + normal[1][axis] * w;
        }
        const double size = length(blend);
        for (int axis = 0; size > 0.1 && format != VAT_RGBA8 && axis < 3; ++axis) /* rgba8 blends before it is unit */
            if (!(fabs(turned[axis] - blend[axis] / size) <= 2e-6))
                fail_msg("format %u, record %llu: normal %.9g, not %.9g", format, (unsigned long long)i, turned[axis],
                         blend[axis] / size);
    }
}

static void test_texels_mean_what_the_baker_says(void **state)
{
    (void)state;
    need_device();
    vfx_kernel origin = vat_kernel;
    origin.frame_input = at_origin;
    for (size_t i = 0; i < VFX_COUNT(texel_formats); ++i)
        for (vat_variant v = VAT_TEXEL; v <= VAT_BUFFER; v += VAT_BUFFER - VAT_TEXEL) {
            char set[64];
            snprintf(set, sizeof set, "format=%s,actors=64", texel_formats[i]);
            picture p;
            take_with(&p, &origin, v, set, 3);
            check_texels(&p);
            drop(&p);
        }
    assert_no_messages();
}

/* Formats hold the same animation, as near as their steps allow. */
static void test_formats_agree(void **state)
{
    (void)state;
    need_device();
    static const double degrees[] = {0.95, 0.5, 0.01}; /* octahedral 8 bits, bytes, octahedral 16 bits */
    picture exact;
    take(&exact, VAT_TEXEL, "format=f32,turn=0");
    for (size_t i = 0; i < 3; ++i) {
        char set[64];
        snprintf(set, sizeof set, "format=%s,turn=0", texel_formats[i]);
        picture p;
        take(&p, VAT_TEXEL, set);
        double step = 0, worst = 0, angle = 0;
        for (int axis = 0; axis < 3; ++axis)
            step += pow((double)asset_of(&p)->map_step[axis] / 2, 2);
        for (uint64_t v = 0; v < p.host.count[VAT_BUFFER_VERTEX]; ++v) {
            worst = fmax(worst, distance(vertices_of(&p)[v].position, vertices_of(&exact)[v].position));
            angle = fmax(angle, distance(vertices_of(&p)[v].normal, vertices_of(&exact)[v].normal));
            assert_true(vertices_of(&p)[v].colour == vertices_of(&exact)[v].colour);
        }
        if (!(worst <= sqrt(step) * 1.2 + 1e-5) || !(worst > sqrt(step) * 0.3))
            fail_msg("%s: position off by %g m, half a step is %g", set, worst, sqrt(step));
        if (!(angle <= degrees[i] * 1.1 * 3.14159265 / 180))
            fail_msg("%s: normal off by %g rad", set, angle);
        drop(&p);
    }
    drop(&exact);
    assert_no_messages();
}

/* Every second frame with its normals reversed: half-way there is none, and the first frame's counts. */
static vfx_status load_opposite_normals(vfx_case *kase)
{
    assert_vfx_ok(vat_load(kase));
    vat_asset *asset = kase->asset;
    vat_bake *bake = &asset->bake;
    for (uint32_t frame = 0; frame < bake->frames; ++frame)
        for (uint32_t v = 0; v < bake->vertices; ++v)
            for (int axis = 0; axis < 3; ++axis) {
                const float n = bake->normals[v][axis]; /* of frame 0 */
                bake->normals[(size_t)frame * bake->vertices + v][axis] = frame % 2 ? -n : n;
            }
    return vat_bake_encode(bake, (vat_format)VFX_CASE_PARAMS(kase, vat_params)->format, asset->own, asset->map_min,
                           asset->map_step);
}

/* Of three actors, one half-way between two frames, one before and one after that. */
static void near_the_middle(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                            void *const images[])
{
    at_origin(kase, host, frame, buffers, images);
    vat_instance *instances = buffers[VAT_BUFFER_INSTANCE];
    for (uint32_t i = 0; i < VFX_CASE_PARAMS(kase, vat_params)->actors; ++i)
        instances[i].frame = (i / 3) << 8 | (96 + i % 3 * 32); /* of the first clip, which is longer */
}

/* The same between two clips' frames, `blend`: at weights before, at and behind the middle. */
static void blend_near_the_middle(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                                  void *const images[])
{
    vat_frame_input(kase, host, frame, buffers, images);
    vat_blend *actors = buffers[VAT_BUFFER_BLEND];
    for (uint32_t i = 0; i < VFX_CASE_PARAMS(kase, vat_params)->actors; ++i) {
        const uint32_t at = i / 3; /* of the first clip, which is longer */
        actors[i] = (vat_blend){.scale = 1,
                                .frame_a = at << 8,
                                .frame_b = (at + 1) << 8,
                                .tint = actors[i].tint,
                                .weight = 0.375f + 0.125f * (float)(i % 3)};
    }
}

static void test_opposite_normals(void **state)
{
    (void)state;
    need_device();
    static const vat_variant variants[] = {VAT_TEXEL, VAT_BUFFER, VAT_BLEND_VARIANT};
    vfx_kernel opposite = vat_kernel;
    opposite.load = load_opposite_normals;
    for (size_t f = 0; f < VFX_COUNT(texel_formats); ++f)
        for (size_t v = 0; v < VFX_COUNT(variants); ++v) {
            char set[64];
            opposite.frame_input = variants[v] == VAT_BLEND_VARIANT ? blend_near_the_middle : near_the_middle;
            snprintf(set, sizeof set, "actors=30,format=%s", texel_formats[f]);
            picture p;
            take_with(&p, &opposite, variants[v], set, 1);
            for (uint64_t i = 0; i < p.host.count[VAT_BUFFER_VERTEX]; ++i) {
                const uint32_t actor = (uint32_t)(i / 61), vertex = (uint32_t)(i % 61);
                const float *n = asset_of(&p)->bake.normals[vertex];
                if (actor % 3 == 1 && f < 3)
                    continue; /* codes of opposite normals are not quite opposite: no telling which way */
                const bool reversed = (actor / 3 % 2 == 1) != (actor % 3 == 2); /* by frame, or past the middle */
                const vec3 want = reversed ? (vec3){-n[0], -n[1], -n[2]} : (vec3){n[0], n[1], n[2]};
                if (!(distance(vertices_of(&p)[i].normal, want) < 0.3)) /* the formats' steps, many times over */
                    fail_msg("%s, %s: actor %u, vertex %u: another normal", p.kase.variant->name, set, actor, vertex);
            }
            drop(&p);
        }
    assert_no_messages();
}

/* ------------------------------------------------------------------------------- V4: beside a clip */

enum { SENTINEL = 2 }; /* frames between clips, before the first and after the last */

/* Texels and bones once more with frames of 0xff between the clips: the far corner of the box, and NaN as floats. */
static vfx_status load_with_gaps(vfx_case *kase)
{
    assert_vfx_ok(vat_load(kase));
    vat_asset *asset = kase->asset;
    vat_bake *bake = &asset->bake;
    const size_t frame =
        (size_t)bake->vertices * vat_texel_bytes((vat_format)VFX_CASE_PARAMS(kase, vat_params)->format);
    const size_t pose = bake->bones * sizeof *bake->bone;
    const uint32_t frames = bake->frames + SENTINEL * (bake->clip_count + 1);
    uint8_t *texels = malloc(frames * frame);
    float(*bone)[12] = malloc(frames * pose);
    memset(texels, 0xff, frames * frame);
    memset(bone, 0xff, frames * pose);
    for (uint32_t c = 0; c < bake->clip_count; ++c) {
        vat_clip *clip = &bake->clips[c];
        const uint32_t to = clip->first + SENTINEL * (c + 1);
        if (asset->texels != NULL)
            memcpy(texels + to * frame, asset->texels + clip->first * frame, clip->frames * frame);
        memcpy((char *)bone + to * pose, (const char *)bake->bone + clip->first * pose, clip->frames * pose);
        clip->first = to;
    }
    free(asset->own);
    free(bake->bone);
    asset->own = texels;
    asset->texels = texels;
    bake->bone = bone;
    bake->frames = frames;
    return VFX_OK;
}

static void test_clips_end_where_they_end(void **state)
{
    (void)state;
    need_device();
    vfx_kernel gaps = vat_kernel;
    gaps.load = load_with_gaps;
    static const char *const lists[] = {"format=f32,actors=300", "actors=300,speed=3", "format=rgba8,actors=300"};
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; ++v)
        for (size_t i = 0; i < VFX_COUNT(lists); ++i) {
            if (v == VAT_FILTERED && i != 1)
                continue;
            picture plain, gap;
            take_with(&plain, &vat_kernel, (vat_variant)v, lists[i], 5);
            take_with(&gap, &gaps, (vat_variant)v, lists[i], 5);
            if (v != VAT_FILTERED) {
                assert_same(&plain, &gap, lists[i]);
            } else { /* other coordinates in another image: a sampler may be off by a step of its weights */
                for (uint64_t k = 0; k < plain.host.count[VAT_BUFFER_VERTEX]; ++k)
                    assert_true(distance(vertices_of(&plain)[k].position, vertices_of(&gap)[k].position) < 1.0 / 256);
            }
            drop(&plain);
            drop(&gap);
        }
    assert_no_messages();
}

/* --------------------------------------------------------------------------------- V5: odd sizes */

static void verify_frames(const vfx_kernel *kernel, vat_variant variant, const char *set, uint32_t sample)
{
    vfx_case kase;
    vfx_verify_result result;
    make_case(&kase, kernel, variant, set);
    vfx_run_request request = {.kase = &kase, .start_frame = 4, .frames = 1, .sample_items = sample};
    const vfx_status status = vfx_verify(gpu, &request, VFX_STEP_LOCKED, &result);
    const bool too_high = status == VFX_UNSUPPORTED && variant == VAT_FILTERED; /* for an image of a row per vertex */
    if (status != VFX_OK && !too_high)
        fail_msg("%s, %s: %s", kase.variant->name, set, result.failure[0] ? result.failure : vfx_message());
    vat_unload(&kase);
}

/* One pose: a bake of the still clip alone. */
static vfx_status load_one_pose(vfx_case *kase)
{
    static const char *const still[] = {"still"};
    const vat_bake_options options = {.clip_names = still, .clip_name_count = 1, .unmeasured = true};
    const vat_params *params = VFX_CASE_PARAMS(kase, vat_params);
    vat_model model = {0};
    assert_vfx_ok(vat_load(kase));
    vat_asset *asset = kase->asset;
    vat_bake_free(&asset->bake);
    assert_vfx_ok(vat_tube_create(params->vertices, &model));
    assert_vfx_ok(vat_bake_create(&model, &options, &asset->bake));
    vat_model_free(&model);
    assert_int_equal(asset->bake.frames, 1);
    if (asset->own != NULL)
        assert_vfx_ok(
            vat_bake_encode(&asset->bake, (vat_format)params->format, asset->own, asset->map_min, asset->map_step));
    return VFX_OK;
}

static void test_odd_sizes(void **state)
{
    (void)state;
    need_device();
    vfx_kernel one_pose = vat_kernel;
    one_pose.load = load_one_pose;
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; ++v) {
        verify_frames(&vat_kernel, (vat_variant)v, "actors=5,vertices=129", 0);
        verify_frames(&vat_kernel, (vat_variant)v, "actors=2,vertices=16397,fps=8,format=rgba8", 4000);
        verify_frames(&one_pose, (vat_variant)v, "actors=20,vertices=65", 0);
        if (v != VAT_FILTERED)
            verify_frames(&one_pose, (vat_variant)v, "actors=20,vertices=65,format=f32", 0);
    }
    assert_no_messages();
}

/* The built-in model's two influences spread over eight, in both records of a vertex. */
static vfx_status load_eight_influences(vfx_case *kase)
{
    assert_vfx_ok(vat_load(kase));
    vat_bake *bake = &((vat_asset *)kase->asset)->bake;
    assert_int_equal(bake->influences, 4);
    const size_t count = (size_t)8 * bake->vertices;
    uint16_t *joints = calloc(count, sizeof *joints), *weights = calloc(count, sizeof *weights);
    for (uint32_t v = 0; v < bake->vertices; ++v) {
        static const uint32_t places[4][2] = {{0, 5}, {3, 7}, {1, 4}, {2, 6}};
        for (uint32_t k = 0; k < 4; ++k) {
            const uint16_t weight = bake->weights[4 * v + k], part = weight / 3;
            joints[8 * v + places[k][0]] = joints[8 * v + places[k][1]] = bake->joints[4 * v + k];
            weights[8 * v + places[k][0]] = part;
            weights[8 * v + places[k][1]] = (uint16_t)(weight - part);
        }
    }
    free(bake->joints);
    free(bake->weights);
    bake->joints = joints;
    bake->weights = weights;
    bake->influences = 8;
    return VFX_OK;
}

static void test_eight_influences(void **state)
{
    (void)state;
    need_device();
    vfx_kernel eight = vat_kernel;
    eight.load = load_eight_influences;
    picture four, all;
    take(&four, VAT_BONES_VARIANT, "actors=60");
    take_with(&all, &eight, VAT_BONES_VARIANT, "actors=60", 2);
    for (uint64_t i = 0; i < four.host.count[VAT_BUFFER_VERTEX]; ++i) {
        assert_true(distance(vertices_of(&four)[i].position, vertices_of(&all)[i].position) < 4e-6);
        assert_true(distance(vertices_of(&four)[i].normal, vertices_of(&all)[i].normal) < 4e-6);
    }
    drop(&four);
    drop(&all);
    verify_frames(&eight, VAT_BONES_VARIANT, "actors=60", 0);
    assert_no_messages();
}

/* Bones and texels are two ways to the same frames; between frames, skinning bends and a blend cuts corners. */
static void test_bones_are_the_texels(void **state)
{
    (void)state;
    need_device();
    vfx_kernel whole = vat_kernel;
    whole.frame_input = whole_frames;
    picture texels, bones;
    take_with(&texels, &whole, VAT_BUFFER, "format=f32,actors=150,kind=matrix", 2);
    take_with(&bones, &whole, VAT_BONES_VARIANT, "actors=150,kind=matrix", 2);
    for (uint64_t i = 0; i < bones.host.count[VAT_BUFFER_VERTEX]; ++i) {
        const vat_vertex *a = &vertices_of(&texels)[i], *b = &vertices_of(&bones)[i];
        assert_true(a->uv == b->uv && a->colour == b->colour);
        if (!(distance(a->position, b->position) < 4e-5) || !(distance(a->normal, b->normal) < 4e-4))
            fail_msg("record %llu: %g m, normal %g", (unsigned long long)i, distance(a->position, b->position),
                     distance(a->normal, b->normal));
    }
    drop(&texels);
    drop(&bones);
    assert_no_messages();
}

/* Sweeps change one parameter at a time: here are the pairs and triples. */
static void test_combinations(void **state)
{
    (void)state;
    need_device();
    static const char *const kinds[] = {"yaw", "scale2d", "billboard", "matrix", "source"};
    static const char *const rest[] = {"vertex_format=packed,batch=5", "equipment=on",
                                       "vertex_format=packed,equipment=on", "batch=3,visible=10"};
    for (size_t k = 0; k < VFX_COUNT(kinds); ++k)
        for (size_t f = 0; f < VFX_COUNT(texel_formats); ++f) {
            char set[160];
            const vat_variant variant = (k + f) % 2 ? VAT_TEXEL : VAT_BUFFER;
            snprintf(set, sizeof set, "actors=12,kind=%s,format=%s,%s", kinds[k], texel_formats[f], rest[(k + f) % 4]);
            verify_frames(&vat_kernel, variant, set, 0);
            snprintf(set, sizeof set, "actors=12,kind=%s,format=%s,batch=5", kinds[k], texel_formats[f]);
            verify_frames(&vat_kernel, VAT_BOUNDS_VARIANT, set, 0);
            if (f == k)
                verify_frames(&vat_kernel, VAT_BONES_VARIANT, set, 0);
        }
    assert_no_messages();
}

/* ------------------------------------------------------------------------------------ V6: normals */

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Cosine between a triangle's own normal and the sum of its vertices'; NaN for one without area. */
static double facing(double corners[3][3], double normals[3][3])
{
    double e[3], f[3], face[3], sum[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = corners[1][i] - corners[0][i];
        f[i] = corners[2][i] - corners[0][i];
        sum[i] = normals[0][i] + normals[1][i] + normals[2][i];
    }
    cross(e, f, face);
    return dot(face, sum) / (length(face) * length(sum));
}

/* Is the actor mirrored, by its own record? */
static bool is_mirrored(const picture *p, uint32_t actor)
{
    void *const *in = p->host.buffer;
    if (vat_variant_of(&p->kase) == VAT_BLEND_VARIANT)
        return ((const vat_blend *)in[VAT_BUFFER_BLEND])[actor].flags & VAT_FLAG_MIRROR;
    if (vat_kind_of(&p->kase) == VAT_KIND_YAW)
        return ((const vat_instance *)in[VAT_BUFFER_INSTANCE])[actor].flags & VAT_FLAG_MIRROR;
    if (vat_kind_of(&p->kase) == VAT_KIND_SCALE2D) {
        const vat_scale2d *it = (const vat_scale2d *)in[VAT_BUFFER_SCALE2D] + actor;
        return (it->width < 0) != (it->height < 0);
    }
    if (vat_kind_of(&p->kase) == VAT_KIND_MATRIX) {
        const vat_matrix *m = (const vat_matrix *)in[VAT_BUFFER_MATRIX] + actor;
        const double row0[3] = {(double)m->row0.x, (double)m->row0.y, (double)m->row0.z};
        const double row1[3] = {(double)m->row1.x, (double)m->row1.y, (double)m->row1.z};
        const double row2[3] = {(double)m->row2.x, (double)m->row2.y, (double)m->row2.z};
        double across[3];
        cross(row0, row1, across);
        return dot(across, row2) < 0;
    }
    return false;
}

/* The frame of all clips that an actor shows. */
static uint32_t frame_of(const picture *p, uint32_t actor)
{
    void *const *in = p->host.buffer;
    uint32_t word = 0;
    if (vat_variant_of(&p->kase) == VAT_BLEND_VARIANT) {
        const vat_blend *it = (const vat_blend *)in[VAT_BUFFER_BLEND] + actor;
        if (it->weight > 0 && it->weight < 1)
            return UINT32_MAX; /* two poses at once have no surface of their own */
        word = it->weight > 0 ? it->frame_b : it->frame_a;
    } else if (vat_variant_of(&p->kase) == VAT_TEXTURE) {
        const vat_instance plan = vat_plan_of(&p->kase, actor);
        word = vat_instance_at(&p->kase, &plan, 2).frame;
    } else if (vat_kind_of(&p->kase) == VAT_KIND_YAW) {
        word = ((const vat_instance *)in[VAT_BUFFER_INSTANCE])[actor].frame;
    } else if (vat_kind_of(&p->kase) == VAT_KIND_SCALE2D) {
        word = ((const vat_scale2d *)in[VAT_BUFFER_SCALE2D])[actor].frame;
    } else if (vat_kind_of(&p->kase) == VAT_KIND_BILLBOARD) {
        word = ((const vat_billboard *)in[VAT_BUFFER_BILLBOARD])[actor].frame;
    } else if (vat_kind_of(&p->kase) == VAT_KIND_MATRIX) {
        word = ((const vat_matrix *)in[VAT_BUFFER_MATRIX])[actor].frame;
    } else {
        return ((const vat_source_instance *)in[VAT_BUFFER_SOURCE])[actor].r & 0xffffu;
    }
    return vat_clip_range_of(&p->kase, word >> 24).first + (word >> 8 & 0xffffu);
}

/* Triangles of all actors: the face is as in the model, outside where it was outside, or the reverse where mirrored. */
static void check_normals(const picture *p, const char *set)
{
    const vat_bake *bake = &asset_of(p)->bake;
    uint32_t checked = 0, mirrored = 0;
    for (uint32_t actor = 0; actor < vat_drawn(&p->kase); ++actor) {
        const uint32_t at = frame_of(p, actor);
        const double sign = is_mirrored(p, actor) ? -1 : 1;
        for (uint32_t t = 0; at != UINT32_MAX && t < bake->index_count; t += 3) {
            double local[3][3], local_normal[3][3], world[3][3], world_normal[3][3];
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t v = bake->indices[t + k];
                const vat_vertex *out = &vertices_of(p)[(size_t)actor * bake->vertices + v];
                const size_t texel = (size_t)at * bake->vertices + v;
                const double x[3] = {(double)out->position.x, (double)out->position.y, (double)out->position.z};
                const double n[3] = {(double)out->normal.x, (double)out->normal.y, (double)out->normal.z};
                for (int i = 0; i < 3; ++i) {
                    local[k][i] = (double)bake->positions[texel][i];
                    local_normal[k][i] = (double)bake->normals[texel][i];
                }
                memcpy(world[k], x, sizeof x);
                memcpy(world_normal[k], n, sizeof n);
            }
            const double own = facing(local, local_normal), seen = sign * facing(world, world_normal);
            const bool flat = bake->indices[t] >= bake->parts[1].first_vertex;
            if (!(fabs(own) > 0.05))
                continue; /* no area, or the normals are about the face's edge */
            checked++;
            mirrored += sign < 0;
            if (!(own * seen > 0) || (flat && !(fabs(seen) > 0.999)))
                fail_msg("%s, %s: actor %u, triangle %u: %g in the model, %g in the world", p->kase.variant->name, set,
                         actor, t / 3, own, seen);
        }
    }
    assert_true(checked > 1000 && (mirrored > 100 || vat_kind_of(&p->kase) == VAT_KIND_BILLBOARD ||
                                   vat_kind_of(&p->kase) == VAT_KIND_SOURCE));
}

static void test_normals_stand_on_the_surface(void **state)
{
    (void)state;
    need_device();
    vfx_kernel whole = vat_kernel;
    whole.frame_input = whole_frames;
    static const struct {
        vat_variant variant;
        const char *set;
    } rows[] = {{VAT_TEXEL, "kind=yaw"},
                {VAT_TEXEL, "kind=scale2d"},
                {VAT_TEXEL, "kind=billboard"},
                {VAT_TEXEL, "kind=matrix"},
                {VAT_TEXEL, "kind=source"},
                {VAT_NEAREST, "kind=matrix"},
                {VAT_BUFFER, "kind=scale2d"},
                {VAT_BONES_VARIANT, ""},
                {VAT_BONES_VARIANT, "kind=matrix"},
                {VAT_BONES_VARIANT, "kind=scale2d"},
                {VAT_BLEND_VARIANT, "actors=90"},
                {VAT_TEXTURE, ""}};
    for (size_t i = 0; i < VFX_COUNT(rows); ++i) {
        char set[96];
        snprintf(set, sizeof set, "format=f32,spacing=0.1,%s", rows[i].set[0] ? rows[i].set : "turn=0.2");
        picture p;
        take_with(&p, &whole, rows[i].variant, set, 2);
        check_normals(&p, set);
        drop(&p);
    }
    assert_no_messages();
}

/* -------------------------------------------------------------------------- V11: the source's packing */

/* What the source's packing can say: whole frames, no scale, no mirror. */
static void as_the_source(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                          void *const images[])
{
    whole_frames(kase, host, frame, buffers, images);
    vat_instance *instances = buffers[VAT_BUFFER_INSTANCE];
    for (uint32_t i = 0; i < VFX_CASE_PARAMS(kase, vat_params)->actors; ++i) {
        instances[i].scale = 1;
        instances[i].flags = 0;
    }
}

static void test_source_packing(void **state)
{
    (void)state;
    need_device();
    vfx_kernel plain = vat_kernel;
    plain.frame_input = as_the_source;
    for (size_t i = 0; i < VFX_COUNT(texel_formats); ++i) {
        char set[96];
        picture yaw, source;
        snprintf(set, sizeof set, "format=%s,actors=100", texel_formats[i]);
        take_with(&yaw, &plain, VAT_TEXEL, set, 7);
        snprintf(set, sizeof set, "format=%s,actors=100,kind=source", texel_formats[i]);
        take_with(&source, &vat_kernel, VAT_TEXEL, set, 7);
        for (uint64_t v = 0; v < yaw.host.count[VAT_BUFFER_VERTEX]; ++v) {
            const vat_vertex *a = &vertices_of(&yaw)[v], *b = &vertices_of(&source)[v];
            assert_true(a->uv == b->uv && a->colour == b->colour);
            if (!(distance(a->position, b->position) <= 3e-6) || !(distance(a->normal, b->normal) <= 3e-6))
                fail_msg("%s, record %llu: off by %g m", set, (unsigned long long)v,
                         distance(a->position, b->position));
        }
        drop(&yaw);
        drop(&source);
    }
    assert_no_messages();
}

/* ----------------------------------------------------------------------------- files: model=, asset= */

static const char fox_path[] = VFX_SOURCE_DIR "/../shared/data/gltf/Fox.glb";

static void remove_folder(const char *path)
{
    char command[VFX_TEST_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

/* The built-in model in a folder of its own, baked as a case bakes it in memory. */
static void bake_tube(const char *folder, vat_format format)
{
    const vat_bake_options options = {.format = format, .fps = 30, .unmeasured = true};
    vat_model model = {0};
    vat_bake bake = {0};
    uint8_t rgba[4 * VAT_TUBE_SKIN_SIDE * VAT_TUBE_SKIN_SIDE];
    assert_vfx_ok(vat_tube_create(61, &model));
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    for (uint32_t layer = 0; layer < VAT_TUBE_SKINS; ++layer) {
        vat_tube_skin(layer, rgba);
        assert_vfx_ok(vat_bake_add_skin(&bake, "skin", VAT_TUBE_SKIN_SIDE, VAT_TUBE_SKIN_SIDE, rgba));
    }
    assert_vfx_ok(vat_bake_write(&bake, folder, "tube"));
    vat_bake_free(&bake);
    vat_model_free(&model);
}

/* A folder plays as the model that it was baked from, to the bit, in every format; bones too. */
static void test_a_folder_is_its_model(void **state)
{
    (void)state;
    need_device();
    char root[VFX_TEST_PATH], folder[VFX_TEST_PATH];
    vfx_test_folder(root);
    vfx_test_path(folder, root, "bake");
    for (vat_format format = VAT_U16OCT8; format <= VAT_BONES; ++format) {
        const vat_variant variant = format == VAT_BONES ? VAT_BONES_VARIANT : VAT_TEXEL;
        const char *name = vat_format_names[format == VAT_BONES ? VAT_U16OCT8 : format];
        char set[VFX_TEST_PATH + 64];
        picture memory, disk;
        bake_tube(folder, format);
        snprintf(set, sizeof set, "format=%s,equipment=on", name);
        take(&memory, variant, set);
        snprintf(set, sizeof set, "format=%s,equipment=on,vertices=500,fps=3,asset=%s", name, folder);
        take(&disk, variant, set);
        assert_same(&memory, &disk, name);
        drop(&memory);
        drop(&disk);
        remove_folder(folder);
    }
    remove_folder(root);
    assert_no_messages();
}

/* A real character, by every variant: its vertices are as large as foxes are, and as the reference has them. */
static void test_a_real_character(void **state)
{
    (void)state;
    need_device();
    if (access(fox_path, R_OK) != 0)
        skip();
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; ++v) {
        char set[VFX_TEST_PATH];
        for (size_t f = 0; f < 2; ++f) {
            snprintf(set, sizeof set, "actors=4,spacing=200,fps=10,format=%s,model=%s", texel_formats[f], fox_path);
            verify_frames(&vat_kernel, (vat_variant)v, set, 0);
        }
    }
    assert_no_messages();
}

/* -------------------------------------------------------------------- more of everything than the built-in model */

enum { CROWD_CLIPS = 19, CROWD_PARTS = 6, CROWD_LAYERS = 5, CROWD_SKIN_SIDE = 64 };

/* Cuts each clip into pieces that share their end frames: the frames stay, there are more clips of them. */
static void cut_clips(vat_bake *bake)
{
    vat_clip *pieces = calloc(CROWD_CLIPS, sizeof *pieces);
    for (uint32_t i = 0; i < CROWD_CLIPS; ++i) {
        const vat_clip *clip = &bake->clips[i % bake->clip_count];
        const uint32_t from = clip->frames > 6 ? i / bake->clip_count * (clip->frames - 2) / 4 : 0;
        pieces[i] = *clip;
        pieces[i].first = clip->first + from;
        pieces[i].frames = clip->frames > 6 ? (clip->frames - 2) / 4 + 2 : clip->frames;
        pieces[i].loop = false;
    }
    free(bake->clips);
    bake->clips = pieces;
    bake->clip_count = CROWD_CLIPS;
}

/* Cuts the body, part 0, into pieces of unequal size. */
static void cut_parts(vat_bake *bake)
{
    const uint32_t more = CROWD_PARTS - bake->part_count;
    vat_part *parts = calloc(CROWD_PARTS, sizeof *parts);
    memcpy(parts + more, bake->parts, bake->part_count * sizeof *parts);
    parts[more].vertex_count -= more * (more + 1) / 2;
    parts[more].first_vertex = more * (more + 1) / 2;
    for (uint32_t i = 0; i < more; ++i) {
        parts[i] = (vat_part){.node = VAT_NONE, .skin = VAT_NONE};
        snprintf(parts[i].name, sizeof parts[i].name, "piece %u", i);
        parts[i].first_vertex = i * (i + 1) / 2;
        parts[i].vertex_count = i + 1;
    }
    free(bake->parts);
    bake->parts = parts;
    bake->part_count = CROWD_PARTS;
}

/* A folder with more clips, frames, parts and skins than their numbers' lowest bits tell apart, with alpha values and
 * texture coordinates up to the last code. */
static void bake_crowd(const char *folder, vat_format format)
{
    const vat_bake_options options = {.format = format, .fps = 150, .unmeasured = true};
    vat_model model = {0};
    vat_bake bake = {0};
    static uint8_t rgba[4 * CROWD_SKIN_SIDE * CROWD_SKIN_SIDE];
    assert_vfx_ok(vat_tube_create(61, &model));
    assert_vfx_ok(vat_bake_create(&model, &options, &bake));
    assert_in_range(bake.frames, 513, 2000);
    cut_clips(&bake);
    cut_parts(&bake);
    for (uint32_t v = 0; v < bake.vertices; ++v)
        for (uint32_t k = 0; k < 2; ++k)
            bake.uv[v][k] = (uint16_t)(v % 4 == 0 ? 65535 : v * (k == 0 ? 1074 : 977));
    for (uint32_t layer = 0; layer < CROWD_LAYERS; ++layer) {
        for (uint32_t i = 0; i < sizeof rgba; ++i)
            rgba[i] = (uint8_t)(vfx_pcg3d(i, layer, 7).x >> 24);
        assert_vfx_ok(vat_bake_add_skin(&bake, "skin", CROWD_SKIN_SIDE, CROWD_SKIN_SIDE, rgba));
    }
    assert_vfx_ok(vat_bake_write(&bake, folder, "crowd"));
    vat_bake_free(&bake);
    vat_model_free(&model);
}

static void test_more_than_small_numbers(void **state)
{
    (void)state;
    need_device();
    static const char *const lists[] = {"", "kind=source", "equipment=on", "kind=matrix"};
    char root[VFX_TEST_PATH], folder[VFX_TEST_PATH];
    vfx_test_folder(root);
    vfx_test_path(folder, root, "bake");
    for (vat_format format = VAT_U16OCT8; format <= VAT_BONES; ++format) {
        bake_crowd(folder, format);
        for (uint32_t v = 0; v < VAT_VARIANT_COUNT; ++v)
            for (size_t i = 0; i < VFX_COUNT(lists); ++i) {
                const bool own = v == VAT_BLEND_VARIANT || v == VAT_ADVANCE || v == VAT_TEXTURE;
                if ((format == VAT_BONES) != (v == VAT_BONES_VARIANT) || (own && i % 2 == 1) ||
                    (v == VAT_BOUNDS_VARIANT && i == 2) || (v == VAT_FILTERED && format == VAT_F32))
                    continue;
                char set[VFX_TEST_PATH + 96];
                snprintf(set, sizeof set, "actors=60,%s%sformat=%s,asset=%s", lists[i], lists[i][0] ? "," : "",
                         vat_format_names[format % VAT_BONES], folder);
                verify_frames(&vat_kernel, (vat_variant)v, set, 0);
            }
        remove_folder(folder);
    }
    remove_folder(root);
    assert_no_messages();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_variants_agree),
    cmocka_unit_test(test_texture_is_the_source_kind),
    cmocka_unit_test(test_advance_is_the_host),
    cmocka_unit_test(test_nearest_is_the_first_frame),
    cmocka_unit_test(test_ends_of_a_blend),
    cmocka_unit_test(test_runs_repeat),
    cmocka_unit_test(test_workgroups_do_not_matter),
    cmocka_unit_test(test_uploads_do_not_matter),
    cmocka_unit_test(test_batches),
    cmocka_unit_test(test_visible),
    cmocka_unit_test(test_equipment),
    cmocka_unit_test(test_many_items),
    cmocka_unit_test(test_texels_mean_what_the_baker_says),
    cmocka_unit_test(test_formats_agree),
    cmocka_unit_test(test_opposite_normals),
    cmocka_unit_test(test_clips_end_where_they_end),
    cmocka_unit_test(test_odd_sizes),
    cmocka_unit_test(test_eight_influences),
    cmocka_unit_test(test_bones_are_the_texels),
    cmocka_unit_test(test_combinations),
    cmocka_unit_test(test_normals_stand_on_the_surface),
    cmocka_unit_test(test_source_packing),
    cmocka_unit_test(test_a_folder_is_its_model),
    cmocka_unit_test(test_more_than_small_numbers),
    cmocka_unit_test(test_a_real_character),
};
VFX_DEVICE_TEST_MAIN(tests)
