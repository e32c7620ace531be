/* vat_local_ref.c - the local point of a vertex on the CPU: texels from wherever the variant keeps them, decoded, and
 * two frames (or two clips) blended. The rules are those in vat_shared.h. Compiled twice over `real`. */
#include "kernels/vat/vat_real.h"

#include <string.h>

#define U VAT_U
/* Length of a decoded normal's error, before it is made unit or as it is: the division by 127 or 32767 may be off
 * by 2.5 ulp (5 u), z and the fold add up to 12 u an axis, and an octahedron's point is as near as 0.58 to its centre.
 */
#define OCT_ERROR (32 * U)
#define BYTE_ERROR (20 * U) /* 2 c/255 - 1: 11 u an axis */
#define DEGENERATE ((real)VAT_DEGENERATE)
#define NO_LENGTH ((real)1e-37) /* squares up to here are zero to a float */

/* One vertex-frame. */
typedef struct texel {
    uint32_t code[3]; /* integer formats */
    float metres[3];  /* f32 */
    real3 normal;     /* as decoded */
} texel;

enum { MOST_WORDS = 8 };

/* ------------------------------------------------------------------------------------- fetching */

static const uint8_t *image_of(const vat_view *view)
{
    static const uint32_t fetched[] = {VAT_IMAGE_TEXEL16, VAT_IMAGE_TEXEL8, VAT_IMAGE_TEXEL16, VAT_IMAGE_TEXEL32};
    if (view->variant == VAT_FILTERED)
        return view->ref->image[view->format == VAT_FORMAT_RGBA8 ? VAT_IMAGE_LINEAR8 : VAT_IMAGE_LINEAR16];
    return view->ref->image[fetched[view->format]];
}

/* Texels of an image's layer: whole rows of VAT_ROW, or one shorter row; the linear image is just F x V. */
static uint64_t layer_texels(const vat_view *view)
{
    const uint64_t all = (uint64_t)view->frames * view->vertices;
    if (view->variant == VAT_FILTERED || all < VAT_ROW)
        return all;
    return (all + VAT_ROW - 1) / VAT_ROW * VAT_ROW;
}

/* Little-endian words of texel i of a layer, as the TEXEL buffer has them. */
static void image_words(const vat_view *view, uint64_t i, uint32_t *words)
{
    const uint8_t *image = image_of(view);
    if (view->format == VAT_FORMAT_RGBA8) {
        const uint8_t *e = image + 4 * i;
        words[0] = (uint32_t)e[0] | (uint32_t)e[1] << 8 | (uint32_t)e[2] << 16 | (uint32_t)e[3] << 24;
    } else if (view->format == VAT_FORMAT_F32) {
        memcpy(words, image + 16 * i, 16);
    } else {
        uint16_t e[4];
        memcpy(e, image + 8 * i, sizeof e);
        words[0] = (uint32_t)e[0] | (uint32_t)e[1] << 16;
        words[1] = (uint32_t)e[2] | (uint32_t)e[3] << 16;
    }
}

/* All words of a vertex-frame: the position's, then the normal's. */
static void vertex_frame(const vat_view *view, uint32_t frame, uint32_t vertex, uint32_t words[MOST_WORDS])
{
    static const uint32_t word_counts[] = {2, 2, 4, 8};
    const uint32_t count = word_counts[view->format];
    const bool in_images = view->variant == VAT_TEXEL || view->variant == VAT_NEAREST ||
                           view->variant == VAT_FILTERED || view->variant == VAT_TEXTURE;
    const bool by_vertex = view->variant == VAT_FILTERED || view->variant == VAT_BUFFER_VERTEX_MAJOR;
    const uint64_t i = by_vertex ? (uint64_t)vertex * view->frames + frame : (uint64_t)frame * view->vertices + vertex;
    if (!in_images) {
        memcpy(words, (const uint32_t *)view->ref->in[VAT_BUFFER_TEXEL] + i * count, 4 * count);
        return;
    }
    image_words(view, i, words);
    if (view->format != VAT_FORMAT_U16OCT8)
        image_words(view, layer_texels(view) + i, words + count / 2);
}

/* ------------------------------------------------------------------------------------- decoding */

static real snorm8(uint32_t code)
{
    const int32_t value = (int32_t)(code & 0xffu) - ((code & 0x80u) != 0 ? 0x100 : 0);
    return real_max((real)value / 127, -1);
}

/* As octahedral_decode(), with 8-bit halves; x in the low one. */
static real3 octahedral_decode8(uint32_t code)
{
    const real x = snorm8(code), y = snorm8(code >> 8), z = 1 - (real_abs(x) + real_abs(y));
    if (z < 0)
        return real3_unit(real3_make(octahedral_fold(x, y), octahedral_fold(y, x), z));
    return real3_unit(real3_make(x, y, z));
}

static real byte_normal(uint32_t word, uint32_t i)
{
    return 2 * (real)(word >> 8 * i & 255u) / 255 - 1;
}

static texel texel_at(const vat_view *view, uint32_t frame, uint32_t vertex)
{
    uint32_t words[MOST_WORDS];
    float n[3];
    texel t = {0};
    vertex_frame(view, frame, vertex, words);
    switch (view->format) {
    case VAT_FORMAT_RGBA8:
        for (uint32_t i = 0; i < 3; i++)
            t.code[i] = words[0] >> 8 * i & 255u;
        t.normal = real3_make(byte_normal(words[1], 0), byte_normal(words[1], 1), byte_normal(words[1], 2));
        return t;
    case VAT_FORMAT_F32:
        memcpy(t.metres, words, sizeof t.metres);
        memcpy(n, words + 4, sizeof n);
        t.normal = real3_make((real)n[0], (real)n[1], (real)n[2]);
        return t;
    default:
        t.code[0] = words[0] & 0xffffu;
        t.code[1] = words[0] >> 16;
        t.code[2] = words[1] & 0xffffu;
        t.normal = view->format == VAT_FORMAT_RGBA16 ? octahedral_decode(words[2]) : octahedral_decode8(words[1] >> 16);
        return t;
    }
}

static real decoding_error(const vat_view *view)
{
    return view->format == VAT_FORMAT_F32 ? 0 : view->format == VAT_FORMAT_RGBA8 ? BYTE_ERROR : OCT_ERROR;
}

/* ------------------------------------------------------------------------------------- normals */

/* `blended` made unit, or `first` made unit where that has no direction; `blended` is off by `error`, `first` by
 * `first_error`. */
static void set_normal(real3 blended, real error, real3 first, real first_error, vat_point *point)
{
    const real edge = real_sqrt(DEGENERATE), length = real3_length(blended), own = real3_dot(first, first);
    point->ill = point->ill || real_abs(length - edge) <= 2 * error + 8 * U * edge;
    if (!(real3_dot(blended, blended) < DEGENERATE)) {
        point->normal = real3_unit(blended);
        point->normal_error = error / length + VAT_UNIT_ERROR;
        return;
    }
    point->ill = point->ill || (own > 0 && own < 1000 * NO_LENGTH);
    if (own > NO_LENGTH) {
        point->normal = real3_unit(first);
        point->normal_error = first_error / real_sqrt(own) + VAT_UNIT_ERROR;
        return;
    }
    point->normal = real3_make(0, 1, 0);
    point->normal_error = 0;
}

static void blend_normals(const vat_view *view, real3 a, real3 b, uint32_t w, vat_point *point)
{
    const real error = decoding_error(view), weight = (real)w / 256;
    const real size = real_max(real3_length(a), w > 0 ? real3_length(b) : 0);
    const real3 sum = real3_add(real3_scale(a, (real)(256 - w)), real3_scale(b, (real)w));
    point->ill = false;
    set_normal(real3_scale(sum, (real)0x1p-8), error + (weight > 0 ? 3 * U * size : 0), a, error, point);
}

/* ------------------------------------------------------------------------------------- positions */

static real pick(real3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void put(real3 *v, int axis, real value)
{
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = value;
}

/* map_step * c is rounded, then the sum. */
static void blend_codes(const vat_view *view, const texel *a, const texel *b, uint32_t w, vat_point *point)
{
    for (int i = 0; i < 3; i++) {
        const real part = view->map_step[i] * (real)(a->code[i] * (256 - w) + b->code[i] * w);
        const real p = view->map_min[i] + part;
        put(&point->position, i, p);
        put(&point->position_error, i, U * (real_abs(part) + real_abs(p)));
        put(&point->part, i, real_abs(part));
    }
}

/* Two products and a sum. */
static void blend_metres(const texel *a, const texel *b, uint32_t w, vat_point *point)
{
    const real weight = (real)w / 256;
    for (int i = 0; i < 3; i++) {
        const real first = (real)a->metres[i] * (1 - weight), second = (real)b->metres[i] * weight, p = first + second;
        put(&point->position, i, p);
        put(&point->position_error, i, w == 0 ? 0 : U * (real_abs(first) + real_abs(second) + real_abs(p)));
        put(&point->part, i, real_abs(p));
    }
}

static vat_point frames_of(const vat_view *view, const vat_when *when, uint32_t vertex)
{
    const texel a = texel_at(view, when->a, vertex), b = when->w > 0 ? texel_at(view, when->b, vertex) : a;
    vat_point point = {0};
    if (view->format == VAT_FORMAT_F32)
        blend_metres(&a, &b, when->w, &point);
    else
        blend_codes(view, &a, &b, when->w, &point);
    blend_normals(view, a.normal, b.normal, when->w, &point);
    return point;
}

/* ------------------------------------------------------------------------------------- filtered */

static real apart(uint32_t a, uint32_t b)
{
    return real_abs((real)a - (real)b);
}

/* The sampler's value is the integer blend. It may be off by a step of its 8-bit weight, by what rounding moves the
 * coordinates (8 u of the image's width and height, in texels) towards a neighbour, by its own arithmetic, and, for an
 * 8-bit image, by half a code: conformance lets a sampler keep such values in 8 bits (its tests allow 2 bits), and
 * lavapipe does. */
static vat_point filtered_of(const vat_view *view, const vat_when *when, uint32_t vertex)
{
    const uint32_t left = when->a > 0 ? when->a - 1 : 0, right = when->a + 1 < view->frames ? when->a + 1 : when->a;
    const uint32_t above = vertex > 0 ? vertex - 1 : 0, below = vertex + 1 < view->vertices ? vertex + 1 : vertex;
    const texel a = texel_at(view, when->a, vertex), b = texel_at(view, when->b, vertex);
    const texel beside[4] = {texel_at(view, left, vertex), texel_at(view, right, vertex),
                             texel_at(view, when->a, above), texel_at(view, when->a, below)};
    const uint32_t w = when->b > when->a ? when->w : 0;
    const real most = view->format == VAT_FORMAT_RGBA8 ? 255 : 65535;
    const real rounded = (real)0.5;
    vat_point point = {0};
    blend_codes(view, &a, &b, w, &point);
    for (int i = 0; i < 3; i++) {
        const real across = real_max(apart(beside[0].code[i], a.code[i]), apart(beside[1].code[i], a.code[i]));
        const real along = real_max(apart(beside[2].code[i], a.code[i]), apart(beside[3].code[i], a.code[i]));
        const real moved = 8 * U * ((real)view->frames * across + (real)view->vertices * along);
        const real blended = w == 0 ? 0 : apart(a.code[i], b.code[i]) / 256 + rounded;
        const real part = view->map_step[i] * 256 * (blended + moved + 4 * U * most);
        put(&point.position_error, i, pick(point.position_error, i) * 3 + part);
    }
    blend_normals(view, a.normal, a.normal, 0, &point);
    return point;
}

/* ---------------------------------------------------------------------------------------- clips */

static vat_point blend_clips(const vat_point *first, const vat_point *second, real weight)
{
    vat_point point = {0};
    point.position = real3_mix(first->position, second->position, weight);
    point.part = real3_make(real_max(first->part.x, second->part.x), real_max(first->part.y, second->part.y),
                            real_max(first->part.z, second->part.z));
    const real size =
        real_max(vat_largest(point.part), real_max(vat_largest(first->position), vat_largest(second->position)));
    const real3 error = real3_mix(first->position_error, second->position_error, weight);
    point.position_error = real3_add(error, real3_scale(real3_make(1, 1, 1), 5 * U * size));
    point.ill = (first->ill && weight < 1) || (second->ill && weight > 0);
    const real normal_error = real_max(first->normal_error, second->normal_error) + 5 * U;
    set_normal(real3_mix(first->normal, second->normal, weight), normal_error, first->normal, first->normal_error,
               &point);
    return point;
}

vat_point VFX_REF(vat_local_of)(const vat_view *view, const vat_actor *actor, uint32_t vertex)
{
    if (view->variant == VAT_BONES_VARIANT)
        return VFX_REF(vat_skinned_of)(view, &actor->when[0], vertex);
    if (view->variant == VAT_FILTERED)
        return filtered_of(view, &actor->when[0], vertex);
    const vat_point first = frames_of(view, &actor->when[0], vertex);
    if (view->variant != VAT_BLEND_VARIANT)
        return first;
    const vat_point second = frames_of(view, &actor->when[1], vertex);
    return blend_clips(&first, &second, actor->weight);
}
