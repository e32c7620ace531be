/* pbd_total.comp - METRIC from its parts. One workgroup of any size does the work of 256 lanes, each of which adds up a
 * quad of every 32nd part, so that the order of the sums is always the same. Shared memory: 4 KiB. */
#version 450
#include "core/shared.h"

#extension GL_EXT_control_flow_attributes : require

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_partial.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_PARTIAL, partials)
PBD_BUFFER(writeonly, uvec4, PBD_BINDING_METRIC, metrics)

const uint QUADS = PBD_WORDS / 4u, CHUNKS = 32u, AHEAD = 8u; /* loads that are under way together */

shared uvec4 stage[QUADS * CHUNKS];

uvec4 joined(uint quad, uvec4 a, uvec4 b)
{
    uint word = 4u * quad;
    return uvec4(pbd_joined(word, a.x, b.x), pbd_joined(word + 1u, a.y, b.y), pbd_joined(word + 2u, a.z, b.z),
                 pbd_joined(word + 3u, a.w, b.w));
}

/* The figures from the sums. */
pbd_metric figures(pbd_metric sum)
{
    uint finite = params.particles - sum.non_finite;
    if (finite > 0u) {
        sum.centre /= sum.mass;
        sum.depth_rms = sqrt(sum.depth_rms / float(finite));
        sum.speed_rms = sqrt(sum.speed_rms / float(finite));
    }
    return sum;
}

void main()
{
    uint local = gl_LocalInvocationID.x, parts = PBD_PARTS(params.particles);
    for (uint lane = local; lane < QUADS * CHUNKS; lane += gl_WorkGroupSize.x) {
        uint quad = lane % QUADS;
        uvec4 sum = uvec4(0u);
        for (uint part = lane / QUADS; part < parts; part += AHEAD * CHUNKS) {
            uvec4 ahead[AHEAD];
            [[unroll]] for (uint k = 0u; k < AHEAD; ++k) {
                uint at = part + k * CHUNKS;
                ahead[k] = at < parts ? partials[at * QUADS + quad] : uvec4(0u); /* which adds nothing */
            }
            [[unroll]] for (uint k = 0u; k < AHEAD; ++k) {
                sum = joined(quad, sum, ahead[k]);
            }
        }
        stage[lane] = sum;
    }
    barrier();
    for (uint half_count = QUADS * CHUNKS / 2u; half_count >= QUADS; half_count /= 2u) {
        for (uint lane = local; lane < half_count; lane += gl_WorkGroupSize.x) {
            stage[lane] = joined(lane % QUADS, stage[lane], stage[lane + half_count]);
        }
        barrier();
    }
    if (local == 0u) {
        pbd_metric sum = pbd_metric_unpack(
            uvec4[](stage[0], stage[1], stage[2], stage[3], stage[4], stage[5], stage[6], stage[7]));
        uvec4 quads[8] = pbd_metric_pack(figures(sum));
        for (uint quad = 0u; quad < QUADS; ++quad) {
            metrics[quad] = quads[quad];
        }
    }
}
