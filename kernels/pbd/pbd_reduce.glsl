/* pbd_reduce.glsl - METRIC of a part of the particles and cells. 32 lanes share a part and go through it in strides of
 * all lanes; then each of them adds up one word of the 32 records. Neither depends on the workgroup size. Shared
 * memory: 128 B a lane, the words of a record turned by its lane so that no two lanes meet in a bank. */
#ifndef PBD_REDUCE_GLSL
#define PBD_REDUCE_GLSL

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

/* Violations of particle i; worst_cell and full_cells of the cells: by the including pass. */
uint pbd_violations(uint i);
void pbd_count_cells(inout pbd_metric sum);

void pbd_count_particle(inout pbd_metric sum, uint i)
{
    uint n = params.particles;
    vec3 x = uintBitsToFloat(particles[i].xyz);
    uvec4 quad = particles[n + i], contact = contacts[i];
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
    sum.violations += pbd_violations(i);
    sum.speed_rms = squares;
    sum.most_contacts = max(sum.most_contacts, contact.x);
    ++stage[pbd_stage_at(gl_LocalInvocationID.x, HISTOGRAM_WORD + min(contact.x, HISTOGRAM_LAST))];
}

/* Every lane calls this. */
void pbd_reduce()
{
    uint local = gl_LocalInvocationID.x, lane = local % PBD_LANES, thread = pbd_thread();
    pbd_metric sum = pbd_metric_unpack(uvec4[](uvec4(0u), uvec4(0u), uvec4(0u), uvec4(0u), uvec4(0u), uvec4(0u),
                                               uvec4(0u), uvec4(0u)));
    for (uint word = HISTOGRAM_WORD; word < PBD_WORDS; ++word) {
        stage[pbd_stage_at(local, word)] = 0u;
    }
    if (thread < frame.count) {
        for (uint i = thread; i < params.particles; i += frame.count) {
            pbd_count_particle(sum, i);
        }
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
