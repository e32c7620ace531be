/* pbd_reduce.glsl - METRIC of a part of the particles and cells. 32 lanes share a part and go through it in strides of
 * all lanes; then each of them adds up one word of the 32 records. Neither depends on the workgroup size. Shared
 * memory: 128 B a lane, the words of a record turned by its lane so that no two lanes meet in a bank. */
#ifndef PBD_REDUCE_GLSL
#define PBD_REDUCE_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "kernels/pbd/pbd_cell.glsl"
#include "kernels/pbd/pbd_partial.glsl"

PBD_BUFFER(readonly, uvec4, PBD_BINDING_PARTICLE + 1, particles)
PBD_BUFFER(readonly, uvec4, PBD_BINDING_CONTACT, contacts)
PBD_BUFFER(writeonly, uint, PBD_BINDING_PARTIAL, partials)

const uint HISTOGRAM_WORD = 20u, HISTOGRAM_LAST = 11u;

shared uint stage[gl_WorkGroupSize.x * PBD_WORDS];

uint pbd_stage_at(uint lane, uint word)
{
    return lane * PBD_WORDS + (word ^ lane % PBD_WORDS);
}

const uint AHEAD = 4u; /* particles, and cells, whose loads are under way together */

#ifdef PBD_LISTED
PBD_BUFFER(readonly, uvec4, PBD_BINDING_STATUS, statuses)

uint pbd_violations(uint substep, uint i)
{
    return statuses[pbd_substep_at(substep) + i].w;
}
#else
uint pbd_violations(uint substep, uint i)
{
    return 0u;
}
#endif

#ifdef PBD_BRUTE
void pbd_count_cells(inout pbd_metric sum)
{
}
#else
PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)

/* Of the last substep; the last key of a grid is the bin's. */
void pbd_count_cells(inout pbd_metric sum)
{
    uint cells = pbd_cells(), at = (params.substeps - 1u) * (cells + 1u), end = pbd_is_hashed() ? cells : pbd_bin();
    for (uint first = pbd_thread(); first < end; first += AHEAD * frame.count) {
        uint ahead[AHEAD];
        [[unroll]] for (uint k = 0u; k < AHEAD; ++k) {
            ahead[k] = counts[at + min(first + k * frame.count, end - 1u)];
        }
        [[unroll]] for (uint k = 0u; k < AHEAD; ++k) { /* the last cell may come again */
            sum.worst_cell = max(sum.worst_cell, ahead[k]);
#ifdef PBD_CAPPED
            sum.full_cells += first + k * frame.count < end && ahead[k] > params.capacity ? 1u : 0u;
#endif
        }
    }
}
#endif

void pbd_count_particle(inout pbd_metric sum, uint i, vec3 x, uvec4 quad, uvec4 contact, uint violations)
{
    vec3 v = uintBitsToFloat(quad.xyz);
    float mass = uintBitsToFloat(quad.w), depth = uintBitsToFloat(contact.y), square = vfx_dot(v, v);
    if (!pbd_finite(x) || !pbd_finite(v)) {
        ++sum.non_finite;
        return;
    }
    precise vec3 momentum = sum.momentum + v * mass, centre = sum.centre + x * mass;
    precise float kinetic = sum.kinetic + 0.5 * mass * square, total = sum.mass + mass;
    precise float depths = sum.depth_rms + depth * depth, squares = sum.speed_rms + square;
    sum.momentum = momentum;
    sum.kinetic = kinetic;
    sum.centre = centre;
    sum.mass = total;
    sum.depth_max = max(sum.depth_max, depth);
    sum.depth_rms = depths;
    sum.contacts += contact.x;
    sum.candidates += contact.z;
    sum.dropped += contact.w;
    sum.outside += !pbd_is_hashed() && pbd_outside(x) ? 1u : 0u;
    sum.violations += violations;
    for (uint substep = 0u; substep + 1u < params.substeps; ++substep) {
        sum.violations += pbd_violations(substep, i);
    }
    sum.speed_rms = squares;
    sum.most_contacts = max(sum.most_contacts, contact.x);
    ++stage[pbd_stage_at(gl_LocalInvocationID.x, HISTOGRAM_WORD + min(contact.x, HISTOGRAM_LAST))];
}

void pbd_count_particles(inout pbd_metric sum)
{
    uint n = params.particles, stride = frame.count;
    for (uint first = pbd_thread(); first < n; first += AHEAD * stride) {
        vec3 x[AHEAD];
        uvec4 quad[AHEAD], contact[AHEAD];
        uint violations[AHEAD];
        [[unroll]] for (uint k = 0u; k < AHEAD; ++k) {
            uint i = min(first + k * stride, n - 1u); /* the last one again where there is none: quicker than a choice */
            x[k] = uintBitsToFloat(particles[i].xyz);
            quad[k] = particles[n + i];
            contact[k] = contacts[i];
            violations[k] = pbd_violations(params.substeps - 1u, i);
        }
        [[unroll]] for (uint k = 0u; k < AHEAD; ++k) {
            if (first + k * stride < n) {
                pbd_count_particle(sum, first + k * stride, x[k], quad[k], contact[k], violations[k]);
            }
        }
    }
}

/* Every lane calls this. */
void pbd_reduce()
{
    uint local = gl_LocalInvocationID.x, lane = local % PBD_LANES, thread = pbd_thread();
    const uvec4 none = uvec4(0u);
    pbd_metric sum = pbd_metric_unpack(uvec4[](none, none, none, none, none, none, none, none));
    for (uint word = HISTOGRAM_WORD; word < PBD_WORDS; ++word) {
        stage[pbd_stage_at(local, word)] = 0u;
    }
    if (thread < frame.count) {
        pbd_count_particles(sum);
        pbd_count_cells(sum);
    }
    uvec4 quads[8] = pbd_metric_pack(sum);
    for (uint word = 0u; word < HISTOGRAM_WORD; ++word) {
        stage[pbd_stage_at(local, word)] = quads[word / 4u][word % 4u];
    }
    barrier();
    uint first = local - lane, total = stage[pbd_stage_at(first, lane)];
    for (uint other = 1u; other < PBD_LANES; ++other) {
        total = pbd_joined(lane, total, stage[pbd_stage_at(first + other, lane)]);
    }
    if (thread < frame.count) {
        partials[thread / PBD_LANES * PBD_WORDS + lane] = total;
    }
}

#endif
