/* vat_view.c - pictures of the crowd, or the middle of a large one, and of the few actors in its middle close by: the
 * frame's vertices with the model's triangles. The camera follows the plan, so a wrong vertex moves nothing but itself.
 */
#include "core/hash.h"
#include "core/raster.h"
#include "kernels/vat/vat.h"

#include <math.h>

enum { CLOSE_ACTORS = 9, MOST_TRIANGLES = 1000000 }; /* in one picture */

/* ---------------------------------------------------------------------------------------- the output */

/* What a frame left in the output. */
typedef struct crowd {
    const vfx_ref *ref;
    const vat_asset *asset;     /* not NULL */
    const vat_vertex *vertices; /* either these */
    const vat_packed *packed;   /* or these */
    uint64_t slots;
} crowd;

/* The part of the output that one actor, or a part that it carries, takes. */
typedef struct entry {
    uint32_t actor, first_vertex, vertices, first_index, index_count;
    uint64_t first_slot;
} entry;

/* false: there is nothing to draw. */
static bool crowd_of(const vfx_ref *ref, crowd *c)
{
    *c = (crowd){.ref = ref,
                 .asset = vat_asset_of(ref->kase),
                 .vertices = ref->in[VAT_BUFFER_VERTEX],
                 .packed = ref->in[VAT_BUFFER_PACKED]};
    if (vat_is_packed(ref->kase))
        c->vertices = NULL;
    else
        c->packed = NULL;
    c->slots = ref->count[c->vertices != NULL ? VAT_BUFFER_VERTEX : VAT_BUFFER_PACKED];
    return c->asset != NULL && c->asset->bake.indices != NULL && c->asset->bake.vertices > 0 &&
           (c->vertices != NULL || c->packed != NULL);
}

/* The last actor in this frame's order of batches that wrote record `record` of the output. */
static uint32_t last_actor(const vfx_ref *ref, uint32_t record)
{
    const uint32_t batch = vat_batch(ref->kase), batches = vat_batches(ref->kase), drawn = vat_drawn(ref->kase);
    const uint32_t last = (uint32_t)(((uint64_t)batches - 1 + ref->frame->index) % batches);
    const uint64_t actor = (uint64_t)last * batch + record;
    return (uint32_t)(actor < drawn ? actor : actor - batch); /* the one before the only batch that is not full */
}

static uint32_t item_at(const vfx_ref *ref, uint64_t item)
{
    const uint16_t *texels = ref->image[VAT_IMAGE_ITEM];
    const uint32_t *items = ref->in[VAT_BUFFER_ITEM];
    if (items != NULL && item < ref->count[VAT_BUFFER_ITEM])
        return items[item];
    if (vat_variant_of(ref->kase) == VAT_TEXTURE && texels != NULL)
        return (uint32_t)texels[4 * item] | (uint32_t)texels[4 * item + 1] << 16;
    return UINT32_MAX;
}

typedef void entry_fn(const crowd *c, const entry *e, void *user);

static void each_part(const crowd *c, entry_fn *visit, void *user)
{
    for (uint32_t p = 0; p < c->asset->part_count && p < c->asset->bake.part_count; p++) {
        const vat_part_range *range = &c->asset->parts[p];
        const vat_part *part = &c->asset->bake.parts[p];
        const uint32_t end = p + 1 < c->asset->part_count ? c->asset->parts[p + 1].first_item : c->asset->items;
        for (uint32_t item = range->first_item; item < end; item++) {
            const entry e = {.actor = item_at(c->ref, item),
                             .first_vertex = range->first_vertex,
                             .vertices = range->vertices,
                             .first_index = part->first_index,
                             .index_count = part->index_count,
                             .first_slot = range->first_slot + (uint64_t)(item - range->first_item) * range->vertices};
            if (e.actor < vat_params_of(c->ref->kase)->actors)
                visit(c, &e, user);
        }
    }
}

/* Visits what the output holds, in its order. */
static void each_entry(const crowd *c, entry_fn *visit, void *user)
{
    if (vat_params_of(c->ref->kase)->equipment) {
        each_part(c, visit, user);
        return;
    }
    const uint32_t batch = vat_batch(c->ref->kase);
    for (uint32_t record = 0; record < batch; record++) {
        const entry e = {.actor = last_actor(c->ref, record),
                         .vertices = c->asset->bake.vertices,
                         .index_count = c->asset->bake.index_count,
                         .first_slot = (uint64_t)record * c->asset->bake.vertices};
        visit(c, &e, user);
    }
}

static float snorm16(uint32_t code)
{
    const int32_t value = (int32_t)(code & 0xffffu) - (code & 0x8000u ? 0x10000 : 0);
    return fmaxf((float)value / 32767.0f, -1.0f);
}

/* Direction of an octahedral code. */
static void unpack_normal(uint32_t code, float normal[3])
{
    const float x = snorm16(code), y = snorm16(code >> 16), z = 1.0f - fabsf(x) - fabsf(y);
    normal[0] = z < 0.0f ? copysignf(1.0f - fabsf(y), x) : x;
    normal[1] = z < 0.0f ? copysignf(1.0f - fabsf(x), y) : y;
    normal[2] = z;
    const float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int i = 0; i < 3; i++)
        normal[i] /= length; /* at least 1/2 */
}

static void to_floats(vec3 v, float floats[3])
{
    floats[0] = v.x;
    floats[1] = v.y;
    floats[2] = v.z;
}

/* Tint times skin, as full vertices have it. */
static uint32_t colour_of(const crowd *c, uint32_t tint, uint32_t vertex)
{
    const vat_bake *bake = &c->asset->bake;
    if (bake->uv == NULL || bake->skin == NULL || bake->skin_layers == 0)
        return tint;
    const uint32_t x = (bake->uv[vertex][0] * bake->skin_width) >> 16;
    const uint32_t y = (bake->uv[vertex][1] * bake->skin_height) >> 16, layer = (tint >> 24) % bake->skin_layers;
    const uint8_t *texel = bake->skin + 4 * (((size_t)layer * bake->skin_height + y) * bake->skin_width + x);
    uint32_t colour = 0;
    for (uint32_t i = 0; i < 3; i++)
        colour |= ((tint >> 8 * i & 255u) * texel[i] + 127u) / 255u << 8 * i;
    return colour;
}

/* `vertex` is the model's. */
static void corner_of(const crowd *c, const entry *e, uint32_t tint, uint32_t vertex, vfx_raster_vertex *corner)
{
    const uint64_t slot = e->first_slot + (vertex - e->first_vertex);
    uint32_t colour;
    if (c->vertices != NULL) {
        to_floats(c->vertices[slot].position, corner->position);
        to_floats(c->vertices[slot].normal, corner->normal);
        colour = c->vertices[slot].colour;
    } else {
        to_floats(c->packed[slot].position, corner->position);
        unpack_normal(c->packed[slot].normal, corner->normal);
        colour = colour_of(c, tint, vertex);
    }
    for (uint32_t i = 0; i < 3; i++) { /* products of random bytes are dark: brightened */
        const float dark = (float)(colour >> 8 * i & 255u) / 255.0f;
        corner->colour[i] = dark * (1.9f - 0.95f * dark);
        corner->glow[i] = 0.0f;
    }
}

static void draw_entry(const crowd *c, const entry *e, vfx_raster *raster)
{
    const uint32_t *indices = c->asset->bake.indices;
    if (e->first_slot + e->vertices > c->slots)
        return;
    const uint32_t tint = c->packed != NULL ? vat_plan_of(c->ref->kase, e->actor).tint : 0;
    for (uint32_t i = e->first_index; i + 2 < e->first_index + e->index_count; i += 3) {
        vfx_raster_vertex corners[3];
        bool there = true;
        for (uint32_t k = 0; k < 3; k++)
            there = there && indices[i + k] >= e->first_vertex && indices[i + k] - e->first_vertex < e->vertices;
        for (uint32_t k = 0; there && k < 3; k++)
            corner_of(c, e, tint, indices[i + k], &corners[k]);
        if (there)
            vfx_raster_triangle(raster, corners);
    }
}

/* ------------------------------------------------------------------------------------------- where */

/* Where the actors of the output stand, from the plan. */
typedef struct place {
    double low[2], high[2]; /* corners in x and z, m */
    double middle[2];       /* the actor that is nearest to the middle */
    double spacing;         /* of actors, but not far from their size, m */
    double size;            /* height or width of the largest actor, m */
    double floor;           /* m */
    double best;
    bool any;
} place;

static void spot_of(const crowd *c, uint32_t actor, double spot[2])
{
    const vat_instance plan = vat_plan_of(c->ref->kase, actor);
    spot[0] = (double)plan.position.x;
    spot[1] = (double)plan.position.z;
}

static double square_to(const double a[2], const double b[2])
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

static void widen(const crowd *c, const entry *e, void *user)
{
    place *p = user;
    double spot[2];
    spot_of(c, e->actor, spot);
    for (int i = 0; i < 2; i++) {
        p->low[i] = p->any ? fmin(p->low[i], spot[i]) : spot[i];
        p->high[i] = p->any ? fmax(p->high[i], spot[i]) : spot[i];
    }
    p->any = true;
}

static void find_middle(const crowd *c, const entry *e, void *user)
{
    place *p = user;
    double spot[2];
    spot_of(c, e->actor, spot);
    const double middle[2] = {0.5 * (p->low[0] + p->high[0]), 0.5 * (p->low[1] + p->high[1])};
    const double square = square_to(spot, middle);
    if (p->best >= 0.0 && p->best <= square)
        return;
    p->best = square;
    p->middle[0] = spot[0];
    p->middle[1] = spot[1];
}

static place place_of(const crowd *c)
{
    const vat_params *params = vat_params_of(c->ref->kase);
    const vat_bake *bake = &c->asset->bake;
    place p = {.best = -1.0};
    each_entry(c, widen, &p);
    each_entry(c, find_middle, &p);
    p.size = fmax(bake->extent, 1e-6);
    p.floor = fmin(bake->box_min[1], 0.0);
    p.spacing = fmin(fmax((double)params->spacing, 0.25 * p.size), 2.0 * p.size);
    return p;
}

/* Reads the frame too; false: there is nothing to draw. */
static bool set_light(const vfx_ref *ref, crowd *c, place *p, vfx_scene *scene)
{
    const bool any = crowd_of(ref, c);
    *p = any ? place_of(c) : (place){.spacing = 1.0, .size = 1.0};
    *scene = (vfx_scene){
        .up = {0.0, 1.0, 0.0},
        .fov = 0.5,
        .sun = {-0.62, 0.66, 0.42},
        .sun_light = {1.02f, 0.92f, 0.74f},
        .sky_light = {0.30f, 0.36f, 0.46f},
        .sky = {{0.70f, 0.77f, 0.84f}, {0.20f, 0.36f, 0.62f}},
        .ground = true,
        .ground_height = p->floor,
        .grid = p->spacing,
        .ground_colour = {0.34f, 0.33f, 0.30f},
    };
    return any;
}

/* The camera looks along -toward at a point `above` the floor. */
static void aim(vfx_scene *scene, const place *p, const double toward[3], double above, double distance)
{
    const double target[3] = {p->middle[0], p->floor + above, p->middle[1]};
    for (int i = 0; i < 3; i++) {
        scene->target[i] = scene->centre[i] = target[i];
        scene->eye[i] = target[i] + distance * toward[i];
    }
}

typedef struct crowd_drawing {
    vfx_raster *raster;
    const place *place;
    double full; /* square of the distance up to which all are drawn, m^2; 0: everywhere */
} crowd_drawing;

/* Of a large crowd all that are near are drawn, ever fewer further off: full/3 of the triangles are near, 2/3 beyond.
 */
static void draw_kept(const crowd *c, const entry *e, void *user)
{
    const crowd_drawing *d = user;
    double spot[2];
    spot_of(c, e->actor, spot);
    const double square = square_to(spot, d->place->middle);
    if (d->full > 0.0 && square > d->full) {
        const double nearness = d->full / square;
        if (vfx_hash_random(e->actor, 0, 0) >= nearness * sqrt(nearness))
            return;
    }
    draw_entry(c, e, d->raster);
}

static vfx_status draw_crowd(const vfx_ref *ref, vfx_raster *raster)
{
    static const double toward[3] = {0.4243, 0.4243, 0.8000};
    crowd c;
    place p;
    vfx_scene scene;
    const bool any = set_light(ref, &c, &p, &scene);
    const double half = fmin(0.5 * fmax(p.high[0] - p.low[0], p.high[1] - p.low[1]) + 0.5 * p.size, 3.4 * p.spacing);
    aim(&scene, &p, toward, 0.4 * p.size, half * 2.2 + p.size);
    scene.radius = 2.2 * half + p.size;
    scene.fog = 12.0 * half;
    scene.grid = 0.0;
    vfx_raster_scene(raster, &scene);
    if (!any)
        return VFX_OK;
    crowd_drawing d = {.raster = raster, .place = &p};
    const double each = fmax(c.asset->bake.index_count / 3.0, 1.0), spacing = (double)vat_params_of(ref->kase)->spacing;
    if (each * vat_batch(ref->kase) > (double)MOST_TRIANGLES)
        d.full = (double)MOST_TRIANGLES / each / 3.0 / 3.14159 * spacing * spacing;
    each_entry(&c, draw_kept, &d);
    return VFX_OK;
}

/* The actors nearest to the middle, nearest first. */
typedef struct nearest {
    vfx_raster *raster;
    const place *place;
    uint32_t count, actor[CLOSE_ACTORS];
    double square[CLOSE_ACTORS];
} nearest;

static void rank(const crowd *c, const entry *e, void *user)
{
    nearest *n = user;
    double spot[2];
    spot_of(c, e->actor, spot);
    const double square = square_to(spot, n->place->middle);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->actor[i] == e->actor)
            return; /* another of its parts */
    if (n->count == CLOSE_ACTORS && square >= n->square[CLOSE_ACTORS - 1])
        return;
    uint32_t at = n->count < CLOSE_ACTORS ? n->count++ : CLOSE_ACTORS - 1;
    for (; at > 0 && n->square[at - 1] > square; at--) {
        n->square[at] = n->square[at - 1];
        n->actor[at] = n->actor[at - 1];
    }
    n->square[at] = square;
    n->actor[at] = e->actor;
}

static void draw_ranked(const crowd *c, const entry *e, void *user)
{
    const nearest *n = user;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->actor[i] == e->actor)
            draw_entry(c, e, n->raster);
}

static vfx_status draw_close(const vfx_ref *ref, vfx_raster *raster)
{
    static const double toward[3] = {0.3430, 0.3639, 0.8660};
    crowd c;
    place p;
    vfx_scene scene;
    const bool any = set_light(ref, &c, &p, &scene);
    aim(&scene, &p, toward, 0.45 * p.size, 3.0 * p.spacing + 2.0 * p.size);
    scene.radius = 2.0 * p.spacing + p.size;
    vfx_raster_scene(raster, &scene);
    if (!any)
        return VFX_OK;
    nearest n = {.raster = raster, .place = &p};
    each_entry(&c, rank, &n);
    each_entry(&c, draw_ranked, &n);
    return VFX_OK;
}

/* Not those that show another moment (nearest, texture: whole frames; filtered: normals of whole frames), other clips
 * (blend), or that keep no vertices (bounds). */
static bool is_drawable(const vfx_variant *variant)
{
    const vat_variant row = (vat_variant)(variant - vat_kernel.variants);
    return row == VAT_TEXEL || row == VAT_BUFFER || row == VAT_BUFFER_VERTEX_MAJOR || row == VAT_BONES_VARIANT ||
           row == VAT_ADVANCE;
}

const vfx_view vat_views[VAT_VIEW_COUNT] = {
    {.name = "crowd",
     .summary = "400 actors, each in a tint of its own and in another pose.",
     .preset = "golden",
     .set = "spacing=2.4,scale_spread=0.1",
     .frames = {1, 24, 60},
     .draws = is_drawable,
     .draw = draw_crowd,
     .weighted_p99 = 0.35}, /* bones skins what others decode: 1,850 pixels of edges, by a little */
    {.name = "close",
     .summary = "The nine actors in the middle close by: bent poses, smooth normals, skins.",
     .preset = "golden",
     .set = "spacing=1.5,scale_spread=0.1",
     .frames = {1, 24, 60},
     .draws = is_drawable,
     .draw = draw_close},
};
