/* vat_bounds.comp - variant `bounds`: the box around each actor, 32 lanes to one. The map from codes to metres and the
 * transform are merged into one affine map before the loop; 8-byte texels are loaded two at a time. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_BOUNDS
#include "kernels/vat/vat_actor.glsl"
#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_who.glsl"

VAT_BUFFER(writeonly, uint, VAT_BINDING_BOUNDS, bounds)

const uint STRIDE = VAT_BOUNDS_WORDS + 1u; /* odd: no two lanes meet in a bank */
const uint CHUNK = 8u;                     /* lanes whose boxes one lane reduces */

struct box {
    vec3 low, high;
};

/* Minima and negated maxima of a lane's x, y, z: all six are reduced by min. */
shared float stage[STRIDE * gl_WorkGroupSize.x];

/* World position of a blended code (format f32: of a position), by rows and origin of what merge() returned. */
vec3 position_of(vat_place merged, vec3 v)
{
    if (VAT_TURNED) { /* the rows' other entries are zero */
        precise vec3 result = vec3(merged.row0.x * v.x + merged.row0.z * v.z, merged.row1.y * v.y,
                                   merged.row2.x * v.x + merged.row2.z * v.z) + merged.origin;
        return result;
    }
    precise vec3 result =
        vec3(vfx_dot(merged.row0, v), vfx_dot(merged.row1, v), vfx_dot(merged.row2, v)) + merged.origin;
    return result;
}

/* The map from codes to metres, then the transform: only rows and origin of the result count. */
vat_place merge(vat_place place)
{
    vec3 least = FORMAT == VAT_FORMAT_F32 ? vec3(0.0) : VAT_MAP_MIN(frame);
    vec3 step = FORMAT == VAT_FORMAT_F32 ? vec3(1.0) : VAT_MAP_STEP(frame);
    vat_place merged = place;
    merged.origin = vat_point(place, least);
    if (VAT_TURNED) {
        precise vec3 scaled = place.scale * step;
        precise vec2 by_cosine = place.turn.x * scaled.xz;
        precise vec2 by_sine = place.turn.y * scaled.xz;
        merged.row0 = vec3(by_cosine.x, 0.0, by_sine.y);
        merged.row1 = vec3(0.0, scaled.y, 0.0);
        merged.row2 = vec3(-by_sine.x, 0.0, by_cosine.y);
        return merged;
    }
    precise vec3 row0 = place.row0 * step;
    precise vec3 row1 = place.row1 * step;
    precise vec3 row2 = place.row2 * step;
    merged.row0 = row0;
    merged.row1 = row1;
    merged.row2 = row2;
    return merged;
}

box grown(box all, vec3 position)
{
    return box(min(all.low, position), max(all.high, position));
}

/* 8-byte texels of two neighbouring vertices, or twice that of the last one. */
uvec4 two_texels(uint vertex, uint vertex_count, uint at_frame)
{
    uint i = vat_texel_index(vertex, at_frame);
    if (vertex + 1u == vertex_count) {
        return texel_pairs[i].xyxy;
    }
    if ((i & 1u) == 0u) { /* the same in all lanes of an actor */
        return texel_quads[i >> 1u];
    }
    return uvec4(texel_pairs[i], texel_pairs[i + 1u]);
}

box box_of_lane(uint lane, vat_place merged, vat_when when)
{
    box all = box(vec3(3.4e38), vec3(-3.4e38));
    uint count = uint(VAT_VERTICES(frame));
    if (FORMAT == VAT_FORMAT_F32 || FORMAT == VAT_FORMAT_RGBA16) {
        for (uint vertex = lane; vertex < count; vertex += VAT_LANES) {
            vat_texel a = vat_texel_at(vertex, when.a), b = vat_texel_at(vertex, when.b);
            all = grown(all, position_of(merged, FORMAT == VAT_FORMAT_F32
                                                     ? vat_position_blend(a.position, b.position, when.w)
                                                     : vat_code_blend(a.code, b.code, when.w)));
        }
        return all;
    }
    for (uint vertex = 2u * lane; vertex < count; vertex += 2u * VAT_LANES) {
        uvec4 a = two_texels(vertex, count, when.a), b = two_texels(vertex, count, when.b);
        all = grown(all, position_of(merged, vat_code_blend(vat_code_of(a.xy), vat_code_of(b.xy), when.w)));
        all = grown(all, position_of(merged, vat_code_blend(vat_code_of(a.zw), vat_code_of(b.zw), when.w)));
    }
    return all;
}

/* Least of word `word` of `count` lanes. */
float reduced(uint first_lane, uint count, uint word)
{
    float least = stage[first_lane * STRIDE + word];
    for (uint n = 1u; n < count; n++) {
        least = min(least, stage[(first_lane + n) * STRIDE + word]);
    }
    return least;
}

void main()
{
    uint local = gl_LocalInvocationID.x;
    uint lane = local % VAT_LANES;
    uint record = (vat_first_thread() + local) / VAT_LANES;
    uint batch = vat_batch_first();
    bool drawn = record < vat_batch_actors(batch) && record < frame.count / VAT_LANES;
    if (drawn) {
        vat_actor actor = vat_actor_at(batch + record);
        box all = box_of_lane(lane, merge(actor.place), actor.when);
        vec3 high = -all.high;
        uint at = local * STRIDE;
        stage[at] = all.low.x;
        stage[at + 1u] = all.low.y;
        stage[at + 2u] = all.low.z;
        stage[at + 3u] = high.x;
        stage[at + 4u] = high.y;
        stage[at + 5u] = high.z;
    }
    barrier();
    uint word = lane % VAT_BOUNDS_WORDS, chunk = lane / VAT_BOUNDS_WORDS;
    uint first_lane = local - lane;
    bool reduces = drawn && lane < VAT_BOUNDS_WORDS * (VAT_LANES / CHUNK);
    float least = reduces ? reduced(first_lane + chunk * CHUNK, CHUNK, word) : 0.0;
    barrier();
    if (reduces) {
        stage[(first_lane + chunk) * STRIDE + word] = least;
    }
    barrier();
    if (drawn && lane < VAT_BOUNDS_WORDS) {
        least = reduced(first_lane, VAT_LANES / CHUNK, word);
        bounds[VAT_BOUNDS_WORDS * record + word] = floatBitsToUint(word < 3u ? least : -least);
    }
}
