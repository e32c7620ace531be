/* grass_packed.comp - variant `packed`: 16 B a vertex. An invocation per leaf evaluates it into shared memory; then a
 * lane computes both vertices of a row, which share everything but the sign of the lateral offset. Two neighbouring
 * lanes swap a vertex, so that each of their stores fills a whole 32-byte sector. Needs subgroup shuffles and an even
 * workgroup. */
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/grass/grass_stage.glsl"

GRASS_BUFFER(writeonly, GRASS_BINDING_PACKED, packed_vertices)

/* root - pivot, used with leaves > 1; an array of vec3 would take 16 B a lane */
shared float stage_offset_x[gl_WorkGroupSize.x];
shared float stage_offset_y[gl_WorkGroupSize.x];
shared float stage_offset_z[gl_WorkGroupSize.x];

/* x to the 11 bits of a half, to nearest, so that packHalf2x16 is exact however it rounds (Dekker's split). */
vec3 to_half(vec3 x)
{
    precise vec3 scaled = x * 8193.0;
    precise vec3 result = scaled - (scaled - x);
    return result;
}

/* Column-free bits of `shade` of a row: gradient, nothing, nothing, ambient occlusion. */
uint row_shade(float share)
{
    return grass_unorm8(share) | grass_row_shade(share) << 24u;
}

vec3 offset_of(uint lane)
{
    return vec3(stage_offset_x[lane], stage_offset_y[lane], stage_offset_z[lane]);
}

/* Both vertices of row `row` of the leaf staged at `lane`. */
void grass_row(uint lane, uint row, out uvec4 quads[2])
{
    vec4 root = stage_root[lane];
    vec4 surface = stage_surface[lane];
    uvec4 rest = stage_rest[lane];
    vec2 across = stage_across[lane].xy;
    grass_curve curve = grass_stage_curve(lane);
    float z = grass_row_height(grass_share(row), root.w);
    grass_arc arc = grass_arc_of(curve.square, z, root.w);
    vec3 normal = grass_blade_normal(curve, arc, across, uintBitsToFloat(rest.xy), root.w);
    uint code = vfx_oct_encode(grass_normal_of(normal, surface.xyz, root.xyz));
    for (uint column = 0u; column < quads.length(); column++) {
        float lateral = grass_lateral(column, uintBitsToFloat(rest.z));
        vec3 bent = grass_vertex_bent(curve, arc, z, root.w, across, lateral);
        if (params.facing == GRASS_FACING_CAMERA) { /* the sign may differ between the columns */
            code = vfx_oct_encode(grass_normal_of(normal, surface.xyz, grass_position(root.xyz, bent)));
        }
        vec3 offset = to_half(LEAVES == 1u ? bent : grass_position(offset_of(lane), bent));
        uint shade = stage_shade[row] | rest.w << 8u | column * 0xff0000u;
        quads[column] = grass_packed_pack(
            grass_packed(packHalf2x16(offset.xy), packHalf2x16(vec2(offset.z, 0.0)), code, shade))[0];
    }
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    vec3 offset = grass_stage_leaf(GRASS_TIME_NOW).offset;
    stage_offset_x[lane] = offset.x;
    stage_offset_y[lane] = offset.y;
    stage_offset_z[lane] = offset.z;
    for (uint row = lane; row < ROWS; row += gl_WorkGroupSize.x) {
        stage_shade[row] = row_shade(grass_share(row));
    }
    barrier();
    uint rows = ROWS * grass_stage_count();
    uint first = LEAF_VERTICES * grass_stage_first();
    /* Rows go to lanes in subgroup order, so that the two lanes of a pair can shuffle. */
    uint row_lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    uint odd = row_lane & 1u;
    for (uint start = 0u; start < rows; start += gl_WorkGroupSize.x) {
        uint n = start + row_lane;
        uint row = n < rows ? n : start; /* lanes beyond the end repeat a row: all take part in the swap */
        uvec4 quads[2];
        grass_row(row / ROWS, row % ROWS, quads);
        uvec4 swapped = subgroupShuffleXor(quads[1u - odd], 1u);
        uint pair = 2u * (n - odd) + odd;
        if (pair < 2u * rows) {
            packed_vertices[first + pair] = odd == 0u ? quads[0] : swapped;
        }
        if (pair + 2u < 2u * rows) {
            packed_vertices[first + pair + 2u] = odd == 0u ? swapped : quads[1];
        }
    }
    if (params.motion != 0u) {
        grass_store_motion();
    }
}
