/* vat_bounds.comp - variant `bounds`: the box around each actor, VAT_BOUNDS_LANES lanes to one. 8-byte texels are loaded
 * two at a time. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#define VAT_BOUNDS
#include "kernels/vat/vat_actor.glsl"
#include "kernels/vat/vat_buffer.glsl"
#include "kernels/vat/vat_merged.glsl"
#include "kernels/vat/vat_who.glsl"

VAT_BUFFER(writeonly, uint, VAT_BINDING_BOUNDS, bounds)

const uint STRIDE = VAT_BOUNDS_WORDS + 1u; /* odd: no two lanes meet in a bank */

struct box {
    vec3 low, high;
};

/* Minima and negated maxima of a lane's x, y, z: all six are reduced by min. */
shared float stage[STRIDE * gl_WorkGroupSize.x];

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
        for (uint vertex = lane; vertex < count; vertex += VAT_BOUNDS_LANES) {
            vat_texel a = vat_texel_at(vertex, when.a), b = vat_texel_at(vertex, when.b);
            all = grown(all, vat_merged_point(merged, FORMAT == VAT_FORMAT_F32
                                                     ? vat_position_blend(a.position, b.position, when.w)
                                                     : vat_code_blend(a.code, b.code, when.w)));
        }
        return all;
    }
    for (uint vertex = 2u * lane; vertex < count; vertex += 2u * VAT_BOUNDS_LANES) {
        uvec4 a = two_texels(vertex, count, when.a), b = two_texels(vertex, count, when.b);
        all = grown(all, vat_merged_point(merged, vat_code_blend(vat_code_of(a.xy), vat_code_of(b.xy), when.w)));
        all = grown(all, vat_merged_point(merged, vat_code_blend(vat_code_of(a.zw), vat_code_of(b.zw), when.w)));
    }
    return all;
}

/* Least of word `word` of an actor's lanes. */
float reduced(uint first_lane, uint word)
{
    float least = stage[first_lane * STRIDE + word];
    for (uint n = 1u; n < VAT_BOUNDS_LANES; n++) {
        least = min(least, stage[(first_lane + n) * STRIDE + word]);
    }
    return least;
}

void main()
{
    uint local = gl_LocalInvocationID.x;
    uint lane = local % VAT_BOUNDS_LANES;
    uint record = (vat_first_thread() + local) / VAT_BOUNDS_LANES;
    uint batch = vat_batch_first();
    bool drawn = record < vat_batch_actors(batch) && record < frame.count / VAT_BOUNDS_LANES;
    if (drawn) {
        vat_actor actor = vat_actor_at(batch + record);
        box all = box_of_lane(lane, vat_merge(actor.place), actor.when);
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
    if (drawn && lane < VAT_BOUNDS_WORDS) { /* fewer than there are lanes */
        float least = reduced(local - lane, lane);
        bounds[VAT_BOUNDS_WORDS * record + lane] = floatBitsToUint(lane < 3u ? least : -least);
    }
}
