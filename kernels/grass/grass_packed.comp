/* grass_packed.comp - variant `packed`: 16 B a vertex. An invocation per leaf evaluates it into shared memory; then a
 * lane computes both vertices of a row, which share everything but the sign of the lateral offset, and the workgroup
 * stores them through shared memory in address order. 15.6 KiB of shared memory at 128, 31.4 at 256. */
#version 450
#include "core/shared.h"

layout(local_size_x = 128, local_size_x_id = 0) in;

#include "kernels/grass/grass_stage.glsl"

GRASS_BUFFER(writeonly, GRASS_BINDING_PACKED, packed_vertices)

const uint COLUMN = gl_WorkGroupSize.x + 4u; /* the second column lies 4 quads off, which spreads the banks */
shared uvec4 stage_column[2u * COLUMN];
shared float stage_offset[3u * gl_WorkGroupSize.x]; /* root - pivot; used with leaves > 1 */

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
    return vec3(stage_offset[3u * lane], stage_offset[3u * lane + 1u], stage_offset[3u * lane + 2u]);
}

/* Both vertices of row `row` of the leaf staged at `lane`. */
void stage_row(uint lane, uint row)
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
    for (uint column = 0u; column < 2u; column++) {
        float lateral = grass_lateral(column, uintBitsToFloat(rest.z));
        vec3 bent = grass_vertex_bent(curve, arc, z, root.w, across, lateral);
        if (params.facing == GRASS_FACING_CAMERA) { /* the sign may differ between the columns */
            code = vfx_oct_encode(grass_normal_of(normal, surface.xyz, grass_position(root.xyz, bent)));
        }
        vec3 offset = to_half(LEAVES == 1u ? bent : grass_position(offset_of(lane), bent));
        uint shade = stage_shade[row] | rest.w << 8u | column * 0xff0000u;
        stage_column[column * COLUMN + gl_LocalInvocationID.x] = grass_packed_pack(
            grass_packed(packHalf2x16(offset.xy), packHalf2x16(vec2(offset.z, 0.0)), code, shade))[0];
    }
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    vec3 offset = grass_stage_leaf(GRASS_TIME_NOW).offset;
    stage_offset[3u * lane] = offset.x;
    stage_offset[3u * lane + 1u] = offset.y;
    stage_offset[3u * lane + 2u] = offset.z;
    for (uint row = lane; row < ROWS; row += gl_WorkGroupSize.x) {
        stage_shade[row] = row_shade(grass_share(row));
    }
    barrier();
    uint rows = ROWS * grass_stage_count();
    uint first = LEAF_VERTICES * grass_stage_first();
    for (uint start = 0u; start < rows; start += gl_WorkGroupSize.x) {
        uint n = start + lane;
        if (n < rows) {
            uint staged = n / ROWS;
            stage_row(staged, n - staged * ROWS);
        }
        barrier();
        for (uint step = 0u; step < 2u; step++) {
            uint quad = step * gl_WorkGroupSize.x + lane;
            if (2u * start + quad < 2u * rows) {
                packed_vertices[first + 2u * start + quad] = stage_column[(quad & 1u) * COLUMN + (quad >> 1u)];
            }
        }
        barrier();
    }
    if (params.motion != 0u) {
        grass_store_motion();
    }
}
