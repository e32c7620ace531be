/* vat_scene_test.c - the host's side of the vat family: record layout, counts and batches, the actors and their
 * packing, static inputs, what loading refuses and what validate refuses, declared traffic. */
#include "core/test.h"

#include "core/hash.h"
#include "core/params.h"
#include "core/run.h"
#include "kernels/vat/tube.h"
#include "kernels/vat/vat.h"

#include <math.h>

#define assert_near(a, b, limit)                                                                   \
    do {                                                                                           \
        double near_a = (double)(a), near_b = (double)(b);                                         \
        if (!(fabs(near_a - near_b) <= (limit)))                                                   \
            fail_msg("%s = %.17g, %s = %.17g, limit %g", #a, near_a, #b, near_b, (double)(limit)); \
    } while (0)

static const double two_pi = 6.283185307179586;

/* A case of preset ci with `set`, not loaded. */
static const vat_params *make_case(vfx_case *kase, vat_variant variant, const char *set)
{
    assert_vfx_ok(vfx_case_init(kase, &vat_kernel, &vat_kernel.variants[variant], "ci"));
    if (set[0] != '\0')
        assert_vfx_ok(vfx_case_set_list(kase, set));
    return VFX_CASE_PARAMS(kase, vat_params);
}

static const vat_asset *load_case(vfx_case *kase, vat_variant variant, const char *set)
{
    make_case(kase, variant, set);
    assert_vfx_ok(vfx_case_validate(kase));
    assert_vfx_ok(vat_load(kase));
    return vat_asset_of(kase);
}

/* A loaded case's inputs after init. */
static void fill_host(vfx_host *host, const vfx_case *kase)
{
    const uint32_t outputs = 1u << VAT_BUFFER_VERTEX | 1u << VAT_BUFFER_PACKED;
    assert_vfx_ok(vfx_host_create(host, kase, kase->variant->buffers & ~outputs));
    vat_init(kase, host->buffer, host->image);
}

/* ------------------------------------------------------------------------------------------- layout */

static const vfx_field *field_of(uint32_t row, const char *name)
{
    for (uint32_t i = 0; i < vat_kernel.buffers[row].field_count; i++)
        if (strcmp(vat_kernel.buffers[row].fields[i].name, name) == 0)
            return &vat_kernel.buffers[row].fields[i];
    fail_msg("no field %s", name);
    return NULL;
}

#define assert_field(row, record, member, kind, amount)                                                          \
    do {                                                                                                         \
        const vfx_field *field = field_of(row, #member);                                                         \
        if (field->offset != offsetof(record, member) || field->type != (kind) || field->components != (amount)) \
            fail_msg("%s of %s: offset %u, %u components", #member, #record, field->offset, field->components);  \
    } while (0)
#define U32(row, record, member) assert_field(VAT_BUFFER_##row, record, member, VFX_FIELD_U32, 1)
#define F32(row, record, member, amount) assert_field(VAT_BUFFER_##row, record, member, VFX_FIELD_F32, amount)

static void records_have_their_layout(void **state)
{
    (void)state;
    static const struct {
        uint32_t row, bytes;
    } sizes[] = {
        {VAT_BUFFER_INSTANCE, 32}, {VAT_BUFFER_SCALE2D, 32}, {VAT_BUFFER_BILLBOARD, 32}, {VAT_BUFFER_MATRIX, 64},
        {VAT_BUFFER_SOURCE, 32},   {VAT_BUFFER_BLEND, 48},   {VAT_BUFFER_PLAN, 32},      {VAT_BUFFER_ACTOR, 32},
        {VAT_BUFFER_CLIP, 16},     {VAT_BUFFER_UV, 4},       {VAT_BUFFER_TEXEL, 16},     {VAT_BUFFER_BONE, 48},
        {VAT_BUFFER_WEIGHT, 16},   {VAT_BUFFER_BIND, 32},    {VAT_BUFFER_PART, 16},      {VAT_BUFFER_ITEM, 4},
        {VAT_BUFFER_VERTEX, 32},   {VAT_BUFFER_PACKED, 16},  {VAT_BUFFER_BOUNDS, 24}};
    assert_int_equal(sizeof sizes / sizeof *sizes, VAT_BUFFER_COUNT);
    for (size_t i = 0; i < VAT_BUFFER_COUNT; i++)
        assert_int_equal(vat_kernel.buffers[sizes[i].row].stride, sizes[i].bytes);
    F32(INSTANCE, vat_instance, position, 3);
    F32(INSTANCE, vat_instance, yaw, 1);
    F32(INSTANCE, vat_instance, scale, 1);
    U32(INSTANCE, vat_instance, frame);
    U32(INSTANCE, vat_instance, tint);
    U32(INSTANCE, vat_instance, flags);
    F32(SCALE2D, vat_scale2d, height, 1);
    U32(SCALE2D, vat_scale2d, frame);
    U32(BILLBOARD, vat_billboard, frame);
    F32(MATRIX, vat_matrix, row2, 4);
    U32(MATRIX, vat_matrix, tint);
    F32(SOURCE, vat_source_instance, angle, 1);
    U32(SOURCE, vat_source_instance, g);
    U32(BLEND, vat_blend, frame_b);
    F32(BLEND, vat_blend, weight, 1);
    U32(BLEND, vat_blend, flags);
    F32(VERTEX, vat_vertex, position, 3);
    U32(VERTEX, vat_vertex, uv);
    F32(VERTEX, vat_vertex, normal, 3);
    assert_field(VAT_BUFFER_VERTEX, vat_vertex, colour, VFX_FIELD_UNORM8, 4);
    assert_field(VAT_BUFFER_PACKED, vat_packed, normal, VFX_FIELD_OCT16, 2);
    F32(BOUNDS, vat_bounds, min, 3);
    F32(BOUNDS, vat_bounds, max, 3);
    assert_int_equal(vat_kernel.buffers[VAT_BUFFER_ACTOR].binding, vat_kernel.buffers[VAT_BUFFER_INSTANCE].binding);
}

/* Rows that share a binding are never bound together; every variant's passes are named as its shaders. */
static void bindings_are_apart(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; v++)
        for (uint32_t i = 0; i < VAT_BUFFER_COUNT; i++)
            for (uint32_t j = 0; j < i; j++)
                if ((vat_kernel.variants[v].buffers >> i & vat_kernel.variants[v].buffers >> j & 1u) != 0)
                    assert_int_not_equal(vat_kernel.buffers[i].binding, vat_kernel.buffers[j].binding);
    assert_string_equal(vat_kernel.variants[VAT_BONES_VARIANT].name, "bones");
    assert_string_equal(vat_kernel.variants[VAT_TEXTURE].name, "texture");
}

/* ------------------------------------------------------------------------------------------- counts */

static void batches_are_as_equal_as_can_be(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        uint64_t limit; /* bytes */
        uint32_t batch, batches;
    } rows[] = {{"", 0, 333, 1},
                {"batch=100", 0, 84, 4},
                {"batch=333", 0, 333, 1},
                {"batch=332", 0, 167, 2},
                {"batch=1", 0, 1, 333},
                {"visible=101,batch=40", 0, 34, 3},
                {"visible=333", 0, 333, 1},
                {"", 120 * 32 * 100, 84, 4},
                {"", 120 * 32 * 101 - 1, 84, 4},
                {"vertex_format=packed", 120 * 16 * 100, 84, 4},
                {"batch=20", 120 * 32 * 100, 20, 17},
                {"", 120 * 32 - 1, 1, 333},
                {"equipment=on", 120 * 32 * 100, 333, 1},
                {"actors=2M,vertices=65536", 0, 65360, 31}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vfx_case kase;
        const vat_params *params = make_case(&kase, VAT_TEXEL, rows[i].set);
        kase.storage_limit = rows[i].limit;
        const uint32_t batch = vat_batch(&kase), batches = vat_batches(&kase);
        if (rows[i].batch != 65360) {
            assert_int_equal(batch, rows[i].batch);
            assert_int_equal(batches, rows[i].batches);
        }
        assert_true((uint64_t)batch * batches >= vat_drawn(&kase));
        assert_true((uint64_t)batch * (batches - 1) < vat_drawn(&kase));
        if (!params->equipment)
            assert_true((uint64_t)batch * params->vertices <= UINT32_MAX);
        assert_true(vat_slot_count(&kase) == (uint64_t)batch * params->vertices);
    }
    vfx_case kase;
    make_case(&kase, VAT_BOUNDS_VARIANT, "");
    kase.storage_limit = 24 * 100;
    assert_int_equal(vat_batch(&kase), 84);
    for (uint32_t pass = 0; pass < vat_kernel.variants[VAT_ADVANCE].pass_count; pass++)
        assert_true((vat_kernel.variants[VAT_ADVANCE].passes[pass].repeats == vat_batches) == (pass == 1));
}

static void records_are_named(void **state)
{
    (void)state;
    vfx_case kase;
    char text[96];
    make_case(&kase, VAT_TEXEL, "");
    vat_describe_slot(&kase, 120 * 7 + 5, text, sizeof text);
    assert_string_equal(text, "actor 7, vertex 5");
    make_case(&kase, VAT_TEXEL, "batch=10");
    vat_describe_slot(&kase, 120 * 7 + 5, text, sizeof text);
    assert_string_equal(text, "actor 7 of the batch, vertex 5");
    make_case(&kase, VAT_BOUNDS_VARIANT, "batch=10");
    vat_describe_actor(&kase, 9, text, sizeof text);
    assert_string_equal(text, "actor 9 of the batch");
    make_case(&kase, VAT_ADVANCE, "batch=10"); /* its actors are all there */
    vat_describe_actor(&kase, 9, text, sizeof text);
    assert_string_equal(text, "actor 9");
    const vat_asset *asset = load_case(&kase, VAT_TEXEL, "equipment=on");
    vat_describe_slot(&kase, asset->parts[1].first_slot + 12 * 3 + 2, text, sizeof text);
    assert_string_equal(text, "part 1 (sword), carrier 3, vertex 2");
    vat_describe_slot(&kase, asset->parts[1].first_slot - 1, text, sizeof text);
    assert_string_equal(text, "part 0 (body), carrier 332, vertex 95");
    vat_unload(&kase);
}

static void assert_size(void (*size)(const vfx_case *, uint32_t[3]), const vfx_case *kase, uint32_t width,
                        uint32_t height, uint32_t layers)
{
    uint32_t got[3];
    size(kase, got);
    if (got[0] != width || got[1] != height || got[2] != layers)
        fail_msg("%u x %u, %u layers; wanted %u x %u, %u", got[0], got[1], got[2], width, height, layers);
}

static void images_have_their_size(void **state)
{
    (void)state;
    const vfx_image *images = vat_kernel.images;
    vfx_case kase;
    const vat_asset *asset = load_case(&kase, VAT_TEXEL, "");
    const uint32_t texels = asset->bake.frames * 120, rows = (texels + 4095) / 4096;
    assert_true(texels > 4096);
    assert_size(images[VAT_IMAGE_TEXEL16].size, &kase, 4096, rows, 1);
    assert_size(images[VAT_IMAGE_TEXEL8].size, &kase, 1, 1, 1);
    assert_size(images[VAT_IMAGE_TEXEL32].size, &kase, 1, 1, 1);
    assert_size(images[VAT_IMAGE_LINEAR16].size, &kase, asset->bake.frames, 120, 1);
    assert_size(images[VAT_IMAGE_LINEAR8].size, &kase, 1, 1, 1);
    assert_size(images[VAT_IMAGE_SKIN].size, &kase, 64, 64, VAT_TUBE_SKINS);
    for (uint32_t i = 0; i < VAT_IMAGE_COUNT;
         i++) { /* what is filtered is plain unorm: a view in sRGB would bend codes */
        const bool filtered = i == VAT_IMAGE_LINEAR8 || i == VAT_IMAGE_LINEAR16;
        assert_true(images[i].linear == filtered);
        assert_true((images[i].format == VFX_RGBA8_UNORM) == (i == VAT_IMAGE_LINEAR8));
        assert_true((images[i].format == VFX_RGBA16_UNORM) == (i == VAT_IMAGE_LINEAR16));
    }
    assert_size(images[VAT_IMAGE_TRANSFORM].size, &kase, 333, 1, 1);
    assert_size(images[VAT_IMAGE_ITEM].size, &kase, 1, 1, 1);
    vat_unload(&kase);
    load_case(&kase, VAT_TEXEL, "format=rgba8,actors=4097");
    assert_size(images[VAT_IMAGE_TEXEL8].size, &kase, 4096, rows, 2);
    assert_size(images[VAT_IMAGE_LINEAR8].size, &kase, vat_frame_total(&kase), 120, 2);
    assert_size(images[VAT_IMAGE_CUSTOM].size, &kase, 4096, 2, 1);
    vat_unload(&kase);
    asset = load_case(&kase, VAT_TEXTURE, "format=f32,equipment=on,fps=1,vertices=48,actors=4000");
    assert_size(images[VAT_IMAGE_TEXEL32].size, &kase, asset->bake.frames * 48, 1, 2);
    assert_size(images[VAT_IMAGE_ITEM].size, &kase, 4096, (asset->items + 4095) / 4096, 1);
    vat_unload(&kase);
    load_case(&kase, VAT_TEXEL, "format=rgba16");
    assert_size(images[VAT_IMAGE_TEXEL16].size, &kase, 4096, rows, 2);
    vat_unload(&kase);
}

/* ------------------------------------------------------------------------------------------- actors */

static void plans_come_from_the_hash(void **state)
{
    (void)state;
    vfx_case kase;
    const vat_asset *asset = load_case(&kase, VAT_TEXEL, "actors=1111,spacing=3,scale_spread=0.4");
    kase.seed = 5;
    uint32_t clips[8] = {0}, mirrored = 0, layers = 0;
    double sum = 0;
    for (uint32_t i = 0; i < 1111; i++) { /* 34 a side */
        const vat_instance plan = vat_plan_of(&kase, i), again = vat_plan_of(&kase, i);
        const double x = (double)plan.position.x / 3 + 17 - i % 34, z = (double)plan.position.z / 3 + 17 - i / 34;
        const vfx_hash3 spot = vfx_pcg3d(i, VAT_STREAM_SPOT, 5);
        assert_memory_equal(&plan, &again, sizeof plan);
        assert_near(x, 0.5 * (vfx_hash_unit(spot.x) - 0.5), 1e-5);
        assert_near(z, 0.5 * (vfx_hash_unit(spot.y) - 0.5), 1e-5);
        assert_true(plan.position.y == 0.0f);
        assert_near(plan.yaw * 65536.0f, spot.z >> 16, 0); /* whole 65536ths: ADVANCE takes them as integers */
        assert_true(plan.scale >= 0.6f && plan.scale <= 1.4f);
        assert_true(plan.frame >> 24 < asset->bake.clip_count);
        assert_true((plan.frame & 0xffffffu) < vat_clip_range_of(&kase, plan.frame >> 24).period);
        assert_true(plan.tint >> 24 < VAT_TUBE_SKINS);
        assert_int_equal(plan.flags & 0xfffffeu, 0);
        clips[plan.frame >> 24]++;
        mirrored += plan.flags & VAT_FLAG_MIRROR;
        layers += plan.tint >> 24;
        sum += (double)plan.scale;
    }
    for (uint32_t c = 0; c < asset->bake.clip_count; c++)
        assert_in_range(clips[c], 170, 280);
    assert_in_range(mirrored, 220, 340);
    assert_in_range(layers, 1000, 1220);
    assert_near(sum / 1111, 1, 0.03);
    vfx_case other = kase;
    other.seed = 6;
    const vat_instance a = vat_plan_of(&kase, 9), b = vat_plan_of(&other, 9);
    assert_true(memcmp(&a, &b, sizeof a) != 0);
    vat_unload(&kase);
}

static void clips_have_their_ranges(void **state)
{
    (void)state;
    vfx_case kase;
    const vat_asset *asset = load_case(&kase, VAT_TEXEL, "fps=10,speed=1.5");
    kase.dt = 0.02f;
    const vat_clip *clips = asset->bake.clips;
    uint32_t next = 0;
    for (uint32_t c = 0; c < asset->bake.clip_count; c++) {
        const vat_clip_range range = vat_clip_range_of(&kase, c);
        assert_int_equal(range.first, next);
        assert_int_equal(range.frames, clips[c].frames);
        next += range.frames;
        if (clips[c].duration > 0) { /* a clip's length takes its length divided by the speed */
            assert_int_equal(range.period, (clips[c].frames - 1) * 256);
            assert_near(range.step, (clips[c].frames - 1) / clips[c].duration * 1.5 * 0.02 * 256, 0.5001);
        } else {
            assert_int_equal(range.frames, 1);
            assert_int_equal(range.period, 1);
        }
    }
    assert_int_equal(next, asset->bake.frames);
    const vat_clip_range last = vat_clip_range_of(&kase, asset->bake.clip_count - 1),
                         beyond = vat_clip_range_of(&kase, 255);
    assert_memory_equal(&last, &beyond, sizeof last);
    vat_unload(&kase);
    make_case(&kase, VAT_TEXEL, "");
    assert_int_equal(vat_clip_range_of(&kase, 3).period, 1);
}

static void actors_move_on_by_integers(void **state)
{
    (void)state;
    vfx_case kase;
    load_case(&kase, VAT_TEXEL, "turn=-0.3,speed=1.3");
    kase.dt = 1.0f / 60;
    const double turns = -0.3 / 60 + 1;
    const uint64_t turn = (uint64_t)floor((double)(float)turns * 65536 + 0.5);
    for (uint32_t i = 0; i < 200; i++) {
        const vat_instance plan = vat_plan_of(&kase, i), first = vat_instance_at(&kase, &plan, 0);
        assert_memory_equal(&plan, &first, sizeof plan);
        for (uint32_t k = 1; k < 2000; k = k * 3 + 1) {
            const vat_instance now = vat_instance_at(&kase, &plan, k);
            const vat_clip_range clip = vat_clip_range_of(&kase, plan.frame >> 24);
            const uint64_t cursor = ((plan.frame & 0xffffffu) + (uint64_t)k * clip.step) % clip.period;
            assert_int_equal(now.frame, (plan.frame & 0xff000000u) | (uint32_t)cursor);
            const uint64_t yaw = ((uint64_t)(plan.yaw * 65536.0f) + k * turn) % 65536;
            assert_near(now.yaw * 65536.0f, yaw, 0);
            assert_true(now.tint == plan.tint && now.flags == plan.flags && now.scale >= plan.scale);
        }
    }
    vat_unload(&kase);
}

/* Frame 3's input of a case; `host` gets the buffers and per-frame images. */
static void feed_frame(vfx_host *host, const vfx_case *kase, vfx_frame *frame)
{
    *frame = (vfx_frame){.index = 3, .dt = kase->dt, .seed = kase->seed};
    void *plans = calloc(1, vat_host_bytes(kase));
    assert_vfx_ok(vfx_host_create(host, kase, kase->variant->buffers));
    vat_frame_input(kase, plans, frame, host->buffer, host->image);
    free(plans);
}

static vat_instance instance_of(const vfx_case *kase, uint32_t i)
{
    const vat_instance plan = vat_plan_of(kase, i);
    return vat_instance_at(kase, &plan, 3);
}

/* Every kind places the same actors; what each adds is within its range. */
static void kinds_pack_the_same_actors(void **state)
{
    (void)state;
    static const char *const sets[] = {"kind=yaw", "kind=scale2d", "kind=billboard", "kind=matrix", "kind=source"};
    for (uint32_t kind = 0; kind < 5; kind++) {
        vfx_case kase;
        vfx_host host;
        vfx_frame frame;
        uint32_t negative[2] = {0};
        const vat_asset *asset = load_case(&kase, VAT_TEXEL, sets[kind]);
        feed_frame(&host, &kase, &frame);
        for (uint32_t row = VAT_BUFFER_INSTANCE; row <= VAT_BUFFER_SOURCE; row++)
            assert_int_equal(host.count[row], row - VAT_BUFFER_INSTANCE == kind ? 333 : 0);
        for (uint32_t i = 0; i < 333; i++) {
            const vat_instance now = instance_of(&kase, i);
            const double scale = (double)now.scale, mirror = now.flags & VAT_FLAG_MIRROR ? -1 : 1;
            if (kind == VAT_KIND_YAW) {
                assert_memory_equal((vat_instance *)host.buffer[VAT_BUFFER_INSTANCE] + i, &now, sizeof now);
            } else if (kind == VAT_KIND_SCALE2D) {
                const vat_scale2d *it = (vat_scale2d *)host.buffer[VAT_BUFFER_SCALE2D] + i;
                assert_near(it->width, mirror * scale, 0);
                assert_in_range((long)(1000 * fabs((double)it->height) / scale), 499, 1501);
                assert_true(it->yaw >= now.yaw && it->yaw <= now.yaw && it->frame == now.frame && it->tint == now.tint);
                negative[0] += it->width < 0;
                negative[1] += it->height < 0;
            } else if (kind == VAT_KIND_BILLBOARD) {
                const vat_billboard *it = (vat_billboard *)host.buffer[VAT_BUFFER_BILLBOARD] + i;
                assert_near(it->scale, scale, 0);
                assert_true(it->flags == now.flags && it->frame == now.frame && it->zero == 0);
                assert_memory_equal(&it->position, &now.position, sizeof now.position);
            } else if (kind == VAT_KIND_MATRIX) {
                const vat_matrix *it = (vat_matrix *)host.buffer[VAT_BUFFER_MATRIX] + i;
                const vec4 *r = &it->row0, *s = &it->row1, *t = &it->row2;
                const double det = (double)r->x * ((double)s->y * (double)t->z - (double)s->z * (double)t->y) -
                                   (double)r->y * ((double)s->x * (double)t->z - (double)s->z * (double)t->x) +
                                   (double)r->z * ((double)s->x * (double)t->y - (double)s->y * (double)t->x);
                assert_near(det, mirror * 0.75 * 1.25 * scale * scale * scale, 1e-5);
                assert_true(r->w >= now.position.x && r->w <= now.position.x && t->w >= now.position.z);
                assert_true(s->z >= -1.26f * now.scale && s->z <= 1.26f * now.scale && it->frame == now.frame);
                negative[0] += det < 0;
                negative[1] += s->z < 0;
            } else {
                const vat_source_instance *it = (vat_source_instance *)host.buffer[VAT_BUFFER_SOURCE] + i;
                const uint32_t whole = asset->bake.clips[now.frame >> 24].first + (now.frame >> 8 & 0xffffu);
                assert_near(it->angle, two_pi * (double)now.yaw, 3e-7);
                assert_int_equal(it->r & 0xffffu, whole);
                assert_int_equal(it->r >> 16 & 255u, now.tint >> 24);
                assert_int_equal(it->r >> 24, now.tint & 255u);
                assert_int_equal(it->g, now.tint >> 8 & 0xffffu);
            }
        }
        assert_true((kind != VAT_KIND_SCALE2D && kind != VAT_KIND_MATRIX) || (negative[0] > 50 && negative[1] > 50));
        vfx_host_destroy(&host);
        vat_unload(&kase);
    }
}

static void blends_have_two_clips(void **state)
{
    (void)state;
    vfx_case kase;
    vfx_host host;
    vfx_frame frame;
    load_case(&kase, VAT_BLEND_VARIANT, "");
    feed_frame(&host, &kase, &frame);
    uint32_t weights[9] = {0}, apart = 0;
    for (uint32_t i = 0; i < 333; i++) {
        const vat_blend *it = (vat_blend *)host.buffer[VAT_BUFFER_BLEND] + i;
        const vat_instance now = instance_of(&kase, i);
        assert_true(it->frame_a == now.frame && it->tint == now.tint && it->flags == now.flags);
        assert_true((it->frame_b & 0xffffffu) < vat_clip_range_of(&kase, it->frame_b >> 24).period);
        assert_near(it->weight * 8, floor((double)it->weight * 8), 0);
        weights[(int)(it->weight * 8)]++;
        apart += it->frame_a >> 24 != it->frame_b >> 24;
    }
    for (int k = 0; k <= 8; k++)
        assert_true(weights[k] > 15); /* 0 and 1 among them */
    assert_true(apart > 200);
    vfx_host_destroy(&host);
    vat_unload(&kase);
}

/* The source's images hold the words of its records. */
static void images_hold_the_instances(void **state)
{
    (void)state;
    vfx_case texel, texture;
    vfx_host records, images;
    vfx_frame frame;
    load_case(&texel, VAT_TEXEL, "kind=source,actors=4200,vertices=48");
    load_case(&texture, VAT_TEXTURE, "actors=4200,vertices=48");
    feed_frame(&records, &texel, &frame);
    feed_frame(&images, &texture, &frame);
    for (uint32_t i = 0; i < 4200; i++) {
        const vat_source_instance *it = (vat_source_instance *)records.buffer[VAT_BUFFER_SOURCE] + i;
        const uint16_t *custom = (uint16_t *)images.image[VAT_IMAGE_CUSTOM] + (size_t)4 * i;
        assert_memory_equal((vec4 *)images.image[VAT_IMAGE_TRANSFORM] + i, &it->position, 16);
        assert_int_equal(custom[0] | (uint32_t)custom[1] << 16, it->r);
        assert_int_equal(custom[2] | (uint32_t)custom[3] << 16, it->g);
    }
    vfx_host_destroy(&records);
    vfx_host_destroy(&images);
    vat_unload(&texel);
    vat_unload(&texture);
}

static double dot(const vec4 *a, const vec4 *b)
{
    return (double)a->x * (double)b->x + (double)a->y * (double)b->y + (double)a->z * (double)b->z;
}

static void frame_blocks_say_what_is_drawn(void **state)
{
    (void)state;
    vfx_case kase;
    vfx_host host;
    vfx_frame frame;
    const vat_asset *asset = load_case(&kase, VAT_TEXEL, "visible=301,batch=100,turn=6,cam_yaw=0.25,cam_pitch=0");
    kase.dt = 0.25f;
    feed_frame(&host, &kase, &frame);
    assert_near(VAT_VERTICES(frame), 120, 0);
    assert_near(VAT_FRAMES(frame), asset->bake.frames, 0);
    assert_near(VAT_CLIPS(frame), 5, 0);
    assert_near(VAT_BONES(frame), asset->bake.bones, 0);
    assert_near(VAT_WEIGHTS(frame), 1, 0);
    assert_near(VAT_BATCH(frame), 76, 0);
    assert_near(VAT_DRAWN(frame), 301, 0);
    assert_near(VAT_TURN(frame), 32768, 0); /* a turn and a half */
    assert_near(VAT_PARTS(frame), 0, 0);
    assert_near(frame.host[0].y, asset->map_min[1], 0);
    assert_near(frame.host[1].z * 256, asset->map_step[2], 0);
    assert_near(frame.host[2].z, -1, 1e-7); /* right of a camera that looks along -x: -z */
    assert_near(frame.host[4].x, 1, 1e-7);
    assert_near(frame.host[3].y, 1, 1e-7);
    vfx_host_destroy(&host);
    vat_unload(&kase);
    load_case(&kase, VAT_TEXEL, "cam_yaw=0.3,cam_pitch=0.11,equipment=on");
    feed_frame(&host, &kase, &frame);
    for (int i = 2; i < 5; i++)
        for (int j = 2; j < 5; j++)
            assert_near(dot(&frame.host[i], &frame.host[j]), i == j, 2e-7);
    assert_near(frame.host[4].y, sin(two_pi * 0.11), 1e-7);
    assert_near(frame.host[2].y, 0, 0);
    assert_near(VAT_PARTS(frame), 3, 0);
    vfx_host_destroy(&host);
    vat_unload(&kase);
}

/* ------------------------------------------------------------------------------------------- inputs */

/* Bytes of vertex-frames, wherever the variant keeps them. */
static void texels_are_where_they_belong(void **state)
{
    (void)state;
    static const char *const names[] = {"u16oct8", "rgba8", "rgba16", "f32"};
    for (uint32_t f = 0; f < 4; f++) {
        vfx_case kase;
        vfx_host major, by_vertex, image, linear;
        char set[64];
        snprintf(set, sizeof set, "format=%s,vertices=49,fps=7", names[f]);
        const vat_asset *asset = load_case(&kase, VAT_BUFFER, set);
        const uint32_t frames = asset->bake.frames, bytes = vat_texel_bytes((vat_format)f), layers = f == 0 ? 1 : 2;
        const size_t half = bytes / layers;
        assert_true(frames * 49 > 1000 && frames * 49 < 4096);
        fill_host(&major, &kase);
        assert_true(major.bytes[VAT_BUFFER_TEXEL] >= (size_t)frames * 49 * bytes);
        assert_memory_equal(major.buffer[VAT_BUFFER_TEXEL], asset->texels, (size_t)frames * 49 * bytes);
        kase.variant = &vat_kernel.variants[VAT_BUFFER_VERTEX_MAJOR];
        fill_host(&by_vertex, &kase);
        kase.variant = &vat_kernel.variants[VAT_TEXEL];
        fill_host(&image, &kase);
        kase.variant = &vat_kernel.variants[VAT_FILTERED];
        fill_host(&linear, &kase);
        const uint32_t nearest = f == 1 ? VAT_IMAGE_TEXEL8 : f == 3 ? VAT_IMAGE_TEXEL32 : VAT_IMAGE_TEXEL16;
        const uint32_t filtered = f == 1 ? VAT_IMAGE_LINEAR8 : VAT_IMAGE_LINEAR16;
        for (uint32_t frame = 0; frame < frames; frame++)
            for (uint32_t v = 0; v < 49; v++) {
                const size_t at = (size_t)frame * 49 + v, across = (size_t)v * frames + frame;
                const uint8_t *want = asset->texels + at * bytes;
                assert_memory_equal((char *)by_vertex.buffer[VAT_BUFFER_TEXEL] + across * bytes, want, bytes);
                for (uint32_t layer = 0; layer < layers; layer++) {
                    const size_t first = (size_t)layer * frames * 49;
                    assert_memory_equal((char *)image.image[nearest] + (first + at) * half, want + layer * half, half);
                    if (f < 3)
                        assert_memory_equal((char *)linear.image[filtered] + (first + across) * half,
                                            want + layer * half, half);
                }
            }
        vfx_host_destroy(&major);
        vfx_host_destroy(&by_vertex);
        vfx_host_destroy(&image);
        vfx_host_destroy(&linear);
        vat_unload(&kase);
    }
}

static void bones_and_looks_are_copied(void **state)
{
    (void)state;
    vfx_case kase;
    vfx_host host;
    const vat_asset *asset = load_case(&kase, VAT_BONES_VARIANT, "");
    const vat_bake *bake = &asset->bake;
    assert_null(asset->texels); /* nobody reads them */
    fill_host(&host, &kase);
    assert_memory_equal(host.buffer[VAT_BUFFER_BONE], bake->bone, host.bytes[VAT_BUFFER_BONE]);
    assert_true(host.count[VAT_BUFFER_BONE] == (uint64_t)bake->frames * bake->bones && bake->bones > 4);
    for (uint32_t v = 0; v < 120; v++) {
        const vat_weight *weight = (vat_weight *)host.buffer[VAT_BUFFER_WEIGHT] + v;
        const vat_bind_vertex *bind = (vat_bind_vertex *)host.buffer[VAT_BUFFER_BIND] + v;
        assert_int_equal((weight->weights01 & 0xffffu) + (weight->weights01 >> 16) + (weight->weights23 & 0xffffu) +
                             (weight->weights23 >> 16),
                         65535);
        assert_int_equal(weight->joints01 >> 16, bake->joints[4 * v + 1]);
        assert_int_equal(weight->weights23 & 0xffffu, bake->weights[4 * v + 2]);
        assert_memory_equal(&bind->position, bake->bind[v][0], 12);
        assert_memory_equal(&bind->normal, bake->bind[v][1], 12);
        assert_int_equal(((uint32_t *)host.buffer[VAT_BUFFER_UV])[v], bake->uv[v][0] | (uint32_t)bake->uv[v][1] << 16);
    }
    assert_memory_equal(host.image[VAT_IMAGE_SKIN], bake->skin, 64 * 64 * 4 * VAT_TUBE_SKINS);
    vfx_host_destroy(&host);
    vat_unload(&kase);
}

/* Eight influences are two records a vertex, in order. */
static void eight_influences_are_two_records(void **state)
{
    (void)state;
    vfx_case kase;
    vfx_host host;
    load_case(&kase, VAT_BONES_VARIANT, "");
    vat_bake *bake = &((vat_asset *)kase.asset)->bake;
    free(bake->joints);
    free(bake->weights);
    bake->influences = 8;
    bake->joints = malloc(120 * 8 * sizeof *bake->joints);
    bake->weights = malloc(120 * 8 * sizeof *bake->weights);
    for (uint32_t i = 0; i < 120 * 8; i++) {
        bake->joints[i] = (uint16_t)(i * 61 + 7);
        bake->weights[i] = (uint16_t)(i * 31 + 3);
    }
    fill_host(&host, &kase);
    assert_int_equal(host.count[VAT_BUFFER_WEIGHT], 240);
    for (uint32_t i = 0; i < 240; i++) {
        const vat_weight *record = (vat_weight *)host.buffer[VAT_BUFFER_WEIGHT] + i;
        const uint32_t words[4] = {record->joints01, record->joints23, record->weights01, record->weights23};
        for (uint32_t k = 0; k < 4; k++) {
            assert_int_equal(words[k / 2] >> 16 * (k % 2) & 0xffffu, bake->joints[4 * i + k]);
            assert_int_equal(words[2 + k / 2] >> 16 * (k % 2) & 0xffffu, bake->weights[4 * i + k]);
        }
    }
    vfx_host_destroy(&host);
    vat_unload(&kase);
}

/* Parts tile the output, their items are the actors that carry them, in a list and in an image alike. */
static void parts_share_the_output(void **state)
{
    (void)state;
    vfx_case list, image;
    vfx_host words, texels;
    const vat_asset *asset = load_case(&list, VAT_TEXEL, "equipment=on,actors=70k,visible=69999,vertices=48");
    load_case(&image, VAT_TEXTURE, "equipment=on,actors=70k,visible=69999,vertices=48");
    fill_host(&words, &list);
    fill_host(&texels, &image);
    uint64_t slot = 0;
    uint32_t item = 0;
    assert_int_equal(asset->part_count, 3);
    for (uint32_t p = 0; p < 3; p++) {
        const vat_part_range *part = &asset->parts[p];
        assert_int_equal(part->first_slot, slot);
        assert_int_equal(part->first_item, item);
        assert_int_equal(part->vertices, asset->bake.parts[p].vertex_count);
        const uint32_t end = p < 2 ? asset->parts[p + 1].first_item : asset->items;
        for (uint32_t i = 0; i < 69999; i++) {
            const vat_instance plan = vat_plan_of(&list, i);
            const uint16_t *texel = (uint16_t *)texels.image[VAT_IMAGE_ITEM] + (size_t)4 * item;
            if (p > 0 && !(plan.flags >> (23 + p) & 1u))
                continue;
            assert_true(item < end);
            assert_int_equal(((uint32_t *)words.buffer[VAT_BUFFER_ITEM])[item], i);
            assert_int_equal(texel[0] | (uint32_t)texel[1] << 16, i);
            item++;
            slot += part->vertices;
        }
        assert_int_equal(item, end);
        assert_true(p == 0 || (item - part->first_item > 34000 && item - part->first_item < 36000));
    }
    assert_true(slot == asset->slots && slot == vat_slot_count(&list));
    assert_int_equal(words.count[VAT_BUFFER_ITEM], item);
    assert_memory_equal(words.buffer[VAT_BUFFER_PART], asset->parts, 3 * sizeof *asset->parts);
    const vat_instance plan = {.flags = 1u << 24 | 1u << 31};
    assert_true(vat_carries(&plan, 0) && vat_carries(&plan, 1) && !vat_carries(&plan, 2) && vat_carries(&plan, 8));
    assert_true(vat_carries(&plan, 9) && !vat_carries(&plan, 10)); /* as parts 1 and 2 */
    vfx_host_destroy(&words);
    vfx_host_destroy(&texels);
    vat_unload(&list);
    vat_unload(&image);
}

/* -------------------------------------------------------------------------------------------- files */

static void remove_folder(const char *path)
{
    char command[VFX_TEST_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

/* A folder's texels and maps are those of the model that it was baked from, baked in memory. */
static void folders_load(void **state)
{
    (void)state;
    char root[VFX_TEST_PATH], folder[VFX_TEST_PATH], set[VFX_TEST_PATH + 64];
    vfx_test_folder(root);
    vfx_test_path(folder, root, "bake");
    for (vat_format format = VAT_U16OCT8; format <= VAT_BONES; format++) {
        const vat_bake_options options = {.format = format, .fps = 9};
        vat_model model = {0};
        vat_bake bake = {0};
        assert_vfx_ok(vat_tube_create(70, &model));
        assert_vfx_ok(vat_bake_create(&model, &options, &bake));
        assert_vfx_ok(vat_bake_write(&bake, folder, "tube"));
        vfx_case disk, memory;
        for (vat_format other = VAT_U16OCT8; other < VAT_BONES; other++) {
            snprintf(set, sizeof set, "format=%s,asset=%s", vat_format_names[other], folder);
            make_case(&disk, VAT_TEXEL, set);
            if (format == VAT_BONES) {
                assert_vfx_fails(vat_load(&disk), VFX_UNSUPPORTED, "only variant bones plays it");
                assert_null(disk.asset);
            } else if (other != format) {
                assert_vfx_fails(vat_load(&disk), VFX_UNSUPPORTED, vat_format_names[format]);
                assert_null(disk.asset);
            }
        }
        snprintf(set, sizeof set, "format=%s,asset=%s", vat_format_names[format % VAT_BONES], folder);
        const vat_variant variant = format == VAT_BONES ? VAT_BONES_VARIANT : VAT_TEXEL;
        const vat_asset *read = load_case(&disk, variant, set);
        snprintf(set, sizeof set, "format=%s,vertices=70,fps=9", vat_format_names[format % VAT_BONES]);
        const vat_asset *made = load_case(&memory, variant, set);
        assert_int_equal(read->bake.vertices, 70);
        assert_int_equal(read->bake.frames, made->bake.frames);
        if (format != VAT_BONES) {
            assert_memory_equal(read->texels, made->texels,
                                (size_t)70 * made->bake.frames * vat_texel_bytes((vat_format)format));
            assert_memory_equal(read->map_min, made->map_min, sizeof read->map_min);
            assert_memory_equal(read->map_step, made->map_step, sizeof read->map_step);
            make_case(&disk, VAT_BONES_VARIANT, set); /* leaves the loaded asset to `read` */
            snprintf(set, sizeof set, "asset=%s", folder);
            vfx_case bones;
            make_case(&bones, VAT_BONES_VARIANT, set);
            assert_vfx_fails(vat_load(&bones), VFX_UNSUPPORTED, "--format bones");
            disk.asset = (void *)(uintptr_t)read;
        } else {
            assert_memory_equal(read->bake.bone, made->bake.bone, (size_t)48 * made->bake.frames * made->bake.bones);
        }
        vat_unload(&disk);
        vat_unload(&memory);
        vat_bake_free(&bake);
        vat_model_free(&model);
        remove_folder(folder);
    }
    remove_folder(root);
}

static void bad_files_are_told(void **state)
{
    (void)state;
    vfx_case kase;
    make_case(&kase, VAT_TEXEL, "model=/nowhere/fox.glb");
    assert_vfx_fails(vat_load(&kase), VFX_IO, "/nowhere/fox.glb");
    assert_null(kase.asset);
    make_case(&kase, VAT_TEXEL, "asset=/nowhere/fox");
    assert_vfx_fails(vat_load(&kase), VFX_IO, "/nowhere/fox");
    assert_null(kase.asset);
    char root[VFX_TEST_PATH], path[VFX_TEST_PATH], set[VFX_TEST_PATH + 16];
    vfx_test_folder(root);
    vfx_test_path(path, root, "manifest.json");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"version\": 1}", file);
    fclose(file);
    snprintf(set, sizeof set, "asset=%s", root);
    make_case(&kase, VAT_TEXEL, set);
    assert_vfx_fails(vat_load(&kase), VFX_IO, "manifest.json");
    snprintf(set, sizeof set, "model=%s", path);
    make_case(&kase, VAT_TEXEL, set);
    assert_int_not_equal(vat_load(&kase), VFX_OK);
    assert_non_null(strstr(vfx_message(), "manifest.json"));
    vat_unload(&kase); /* fine without an asset */
    vfx_test_remove(path);
    vfx_test_remove(root);
}

/* ----------------------------------------------------------------------------------------- validate */

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        vat_variant variant;
        const char *set, *message; /* "": fine */
        vfx_status status;
    } rows[] = {
        {VAT_TEXEL, "visible=333", "", VFX_OK},
        {VAT_TEXEL, "visible=334", "visible = 334 is more than actors = 333", VFX_USAGE},
        {VAT_TEXEL, "equipment=on,batch=10", "leave batch at 0", VFX_USAGE},
        {VAT_TEXEL, "model=a.glb,asset=b", "give one of them", VFX_USAGE},
        {VAT_FILTERED, "format=f32", "variant filtered wants unorm", VFX_UNSUPPORTED},
        {VAT_FILTERED, "format=rgba16", "", VFX_OK},
        {VAT_BUFFER, "format=f32,kind=source", "", VFX_OK},
        {VAT_BOUNDS_VARIANT, "equipment=on", "variant bounds measures whole actors", VFX_UNSUPPORTED},
        {VAT_BOUNDS_VARIANT, "vertex_format=packed,kind=matrix", "", VFX_OK},
        {VAT_BLEND_VARIANT, "kind=matrix", "kind=matrix: variant blend has instances of its own", VFX_UNSUPPORTED},
        {VAT_ADVANCE, "kind=source", "kind=source: variant advance has instances of its own", VFX_UNSUPPORTED},
        {VAT_TEXTURE, "kind=billboard", "kind=billboard: variant texture has instances", VFX_UNSUPPORTED},
        {VAT_TEXTURE, "kind=source", "", VFX_OK},
        {VAT_BLEND_VARIANT, "equipment=on", "", VFX_OK},
        {VAT_TEXEL, "equipment=on,actors=2M,vertices=65536,model=a.glb", "", VFX_OK}, /* known after loading only */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vfx_case kase;
        make_case(&kase, rows[i].variant, rows[i].set);
        if (rows[i].status != VFX_OK)
            assert_vfx_fails(vfx_case_validate(&kase), rows[i].status, rows[i].message);
        else
            assert_vfx_ok(vfx_case_validate(&kase));
    }
    vfx_case kase;
    make_case(&kase, VAT_TEXEL, "equipment=on,actors=2M,vertices=6000,fps=0.5");
    assert_vfx_fails(vat_load(&kase), VFX_UNSUPPORTED, "shaders count in 32 bits");
}

static void presets_are_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t actors, vertices;
    } rows[] = {{"ci", 333, 120},      {"golden", 400, 500},  {"default", 5000, 500}, {"5k", 5000, 500},
                {"145k", 145000, 500}, {"288k", 288000, 500}, {"1m", 1000000, 500},   {"stress", 1000000, 500}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vfx_case kase;
        assert_vfx_ok(vfx_case_init(&kase, &vat_kernel, vat_kernel.variants, rows[i].name));
        assert_int_equal(VFX_CASE_PARAMS(&kase, vat_params)->actors, rows[i].actors);
        assert_int_equal(VFX_CASE_PARAMS(&kase, vat_params)->vertices, rows[i].vertices);
    }
    for (uint32_t v = 0; v < VAT_VARIANT_COUNT; v++) {
        vfx_case kase;
        assert_vfx_ok(vfx_case_init(&kase, &vat_kernel, &vat_kernel.variants[v], "odd"));
        assert_vfx_ok(vfx_case_validate(&kase));
        const vat_params *odd = VFX_CASE_PARAMS(&kase, vat_params);
        assert_true(odd->visible < odd->actors && vat_batches(&kase) == 3);
        for (uint32_t i = 0; i < vat_kernel.param_count; i++) {
            const vfx_param *param = &vat_kernel.params[i];
            const bool is_default = kase.words[i] == vfx_param_word(param, param->def);
            const bool may_be = strcmp(param->name, "kind") == 0 || strcmp(param->name, "equipment") == 0;
            if (is_default != may_be)
                fail_msg("preset odd, parameter %s", param->name);
        }
    }
}

/* ------------------------------------------------------------------------------------------ traffic */

static vfx_traffic traffic_of(const vfx_case *kase, uint32_t pass)
{
    return kase->variant->passes[pass].traffic(kase);
}

static void traffic_is_every_byte_once(void **state)
{
    (void)state;
    vfx_case kase;
    const double uv_skin = 120 * 4 + 64 * 64 * 4 * VAT_TUBE_SKINS;
    const vat_asset *asset = load_case(&kase, VAT_TEXEL, "");
    const double frames = asset->bake.frames, all = frames * 120 * 8;
    assert_true(frames < 333);
    assert_near(traffic_of(&kase, 0).bytes_read, 333 * 32 + all + uv_skin, 0);
    assert_near(traffic_of(&kase, 0).bytes_written, 333 * 120 * 32, 0);
    assert_true(traffic_of(&kase, 0).flops > 333 * 120 * 50);
    vat_unload(&kase);
    load_case(&kase, VAT_TEXEL, "kind=matrix,vertex_format=packed,format=f32,batch=167,visible=332");
    assert_near(traffic_of(&kase, 0).bytes_read, 166 * 64 + frames * 120 * 32, 0); /* a mean of two batches */
    assert_near(traffic_of(&kase, 0).bytes_written, 166 * 120 * 16, 0);
    vat_unload(&kase);
    load_case(&kase, VAT_BUFFER, "actors=3"); /* three actors touch six frames */
    assert_near(traffic_of(&kase, 0).bytes_read, 3 * 32 + 6 * 120 * 8 + uv_skin, 0);
    vat_unload(&kase);
    load_case(&kase, VAT_BUFFER, "actors=3,kind=source"); /* whole frames */
    assert_near(traffic_of(&kase, 0).bytes_read, 3 * 32 + 3 * 120 * 8 + uv_skin, 0);
    vat_unload(&kase);
    load_case(&kase, VAT_NEAREST, "actors=3");
    assert_near(traffic_of(&kase, 0).bytes_read, 3 * 32 + 3 * 120 * 8 + uv_skin, 0);
    vat_unload(&kase);
    load_case(&kase, VAT_BLEND_VARIANT, "actors=3");
    assert_near(traffic_of(&kase, 0).bytes_read, 3 * 48 + 12 * 120 * 8 + uv_skin, 0);
    vat_unload(&kase);
    asset = load_case(&kase, VAT_TEXTURE, "equipment=on");
    assert_near(traffic_of(&kase, 0).bytes_read, 333 * 24 + asset->items * 8.0 + all + uv_skin, 0);
    assert_near(traffic_of(&kase, 0).bytes_written, (double)asset->slots * 32, 0);
    vat_unload(&kase);
    asset = load_case(&kase, VAT_BONES_VARIANT, "");
    assert_near(traffic_of(&kase, 0).bytes_read, 333 * 32 + 48 * frames * asset->bake.bones + 120 * (16 + 32) + uv_skin,
                0);
    vat_unload(&kase);
    load_case(&kase, VAT_BOUNDS_VARIANT, "batch=100");
    assert_near(traffic_of(&kase, 0).bytes_read, 333 * 32 / 4.0 + frames * 120 * 8 * (83.25 * 2 < frames ? 0 : 1), 0);
    assert_near(traffic_of(&kase, 0).bytes_written, 333 * 24 / 4.0, 0);
    vat_unload(&kase);
    load_case(&kase, VAT_ADVANCE, "");
    assert_near(traffic_of(&kase, 0).bytes_read, 333 * 32, 0);
    assert_near(traffic_of(&kase, 0).bytes_written, 333 * 32, 0);
    assert_near(traffic_of(&kase, 1).bytes_read, 333 * 32 + all + uv_skin, 0);
    vat_unload(&kase);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(records_have_their_layout),
    cmocka_unit_test(bindings_are_apart),
    cmocka_unit_test(batches_are_as_equal_as_can_be),
    cmocka_unit_test(records_are_named),
    cmocka_unit_test(images_have_their_size),
    cmocka_unit_test(plans_come_from_the_hash),
    cmocka_unit_test(clips_have_their_ranges),
    cmocka_unit_test(actors_move_on_by_integers),
    cmocka_unit_test(kinds_pack_the_same_actors),
    cmocka_unit_test(blends_have_two_clips),
    cmocka_unit_test(images_hold_the_instances),
    cmocka_unit_test(frame_blocks_say_what_is_drawn),
    cmocka_unit_test(texels_are_where_they_belong),
    cmocka_unit_test(bones_and_looks_are_copied),
    cmocka_unit_test(eight_influences_are_two_records),
    cmocka_unit_test(parts_share_the_output),
    cmocka_unit_test(folders_load),
    cmocka_unit_test(bad_files_are_told),
    cmocka_unit_test(what_cannot_be_is_refused),
    cmocka_unit_test(presets_are_what_they_say),
    cmocka_unit_test(traffic_is_every_byte_once),
};

VFX_TEST_MAIN(tests)
