/* tentacle_mesh_ref.c - the tentacle family's tube on the CPU: rings, packed rings, the triangle list expanded from
 * them, and the index list. Compiled twice over `real` like tentacle_ref.c, whose header declares it.
 *
 * Ring vertex i of particle p is vertex p * ring + i, ring = sides + seam; with cap one apex per tentacle follows all
 * rings, and its fan of `sides` triangles follows all segments. Nothing here is ill-conditioned. */
#include "kernels/tentacle/tentacle_ref.h"

#include "core/refmath.h"
#include "kernels/tentacle/tentacle_shared.h"

/* Numbers that place a particle's part of the mesh. */
typedef struct mesh {
    const tentacle_params *params;
    uint64_t particle_count;
    uint32_t n, sides, ring; /* particles per tentacle, triangles pairs per segment, vertices per ring */
} mesh;

static mesh mesh_of(const vfx_ref *ref)
{
    mesh m;
    m.params = VFX_CASE_PARAMS(ref->kase, tentacle_params);
    m.n = m.params->particles;
    m.particle_count = (uint64_t)m.params->tentacles * m.n;
    m.sides = m.params->sides;
    m.ring = m.sides + (m.params->seam != 0 ? 1 : 0);
    return m;
}

static const tentacle_particle *particle_of(const vfx_ref *ref, uint64_t particle)
{
    return (const tentacle_particle *)ref->in[TENTACLE_BUFFER_PARTICLE] + particle;
}

/* Index within the ring of the second vertex of side i. */
static uint32_t next_in_ring(const mesh *m, uint32_t i)
{
    return i + 1 < m->ring ? i + 1 : 0;
}

/* First index or corner of the segment from joint - 1 to joint >= 1. */
static uint64_t segment_start(const mesh *m, uint64_t particle)
{
    const uint64_t segment = particle / m->n * (m->n - 1) + particle % m->n - 1;
    return 6 * (uint64_t)m->sides * segment;
}

/* First index or corner of a tentacle's cap. */
static uint64_t cap_start(const mesh *m, uint64_t tentacle)
{
    const uint64_t segments = (uint64_t)m->params->tentacles * (m->n - 1);
    return 6 * (uint64_t)m->sides * segments + 3 * (uint64_t)m->sides * tentacle;
}

static real arc_to_v(const mesh *m, real arc)
{
    return arc / (REAL_TWO_PI * (real)m->params->radius);
}

/* Ring vertex i (0..ring-1) in real; the store rounds. */
typedef struct ring_vertex {
    real3 position, normal, binormal;
    real u, v;
} ring_vertex;

static ring_vertex ring_vertex_of(const mesh *m, const tentacle_particle *particle, uint32_t i)
{
    const real3 forward = real3_of(particle->forward), right = real3_of(particle->right);
    const real3 up = real3_cross(forward, right);
    const real turns = (real)(i % m->sides) / (real)m->sides;
    const real3 out = real3_add_scaled(real3_scale(right, real_cos_turns(turns)), real_sin_turns(turns), up);
    ring_vertex vertex;
    vertex.position = real3_add_scaled(real3_of(particle->position), (real)particle->radius, out);
    vertex.normal = out;
    if (m->params->tilt != 0) {
        const real length = (real)(m->n - 1) * (real)m->params->rest_length;
        const real slope = (real)m->params->taper * (real)m->params->radius / length;
        vertex.normal = real3_unit(real3_add_scaled(out, slope, forward));
    }
    vertex.binormal = forward;
    vertex.u = (real)i / (real)m->sides;
    vertex.v = arc_to_v(m, (real)particle->arc_length);
    return vertex;
}

static ring_vertex apex_of(const mesh *m, const tentacle_particle *tip)
{
    ring_vertex vertex;
    vertex.normal = real3_of(tip->forward);
    vertex.position = real3_add_scaled(real3_of(tip->position), (real)tip->radius, vertex.normal);
    vertex.binormal = real3_of(tip->right);
    vertex.u = (real)0.5;
    vertex.v = arc_to_v(m, (real)tip->arc_length + (real)tip->radius);
    return vertex;
}

/* Stores a vertex at index `at` of those outputs that are wanted. */
static void store_vertex(const vfx_ref *ref, uint32_t buffer, uint64_t at, const ring_vertex *vertex)
{
    if (ref->out[buffer] == NULL)
        return;
    if (buffer == TENTACLE_BUFFER_PACKED) {
        tentacle_packed *packed = (tentacle_packed *)ref->out[buffer] + at;
        packed->position = vec3_of(vertex->position);
        packed->normal = octahedral_encode(vertex->normal);
        return;
    }
    tentacle_vertex *full = (tentacle_vertex *)ref->out[buffer] + at;
    full->position = vec3_of(vertex->position);
    full->u = (float)vertex->u;
    full->normal = vec3_of(vertex->normal);
    full->v = (float)vertex->v;
    full->binormal = vec3_of(vertex->binormal);
    full->zero = 0;
}

static void store_ring(const vfx_ref *ref, const mesh *m, uint64_t particle)
{
    for (uint32_t i = 0; i < m->ring; i++) {
        const ring_vertex vertex = ring_vertex_of(m, particle_of(ref, particle), i);
        store_vertex(ref, TENTACLE_BUFFER_VERTEX, particle * m->ring + i, &vertex);
        store_vertex(ref, TENTACLE_BUFFER_PACKED, particle * m->ring + i, &vertex);
    }
}

static void store_segment_corners(const vfx_ref *ref, const mesh *m, uint64_t particle)
{
    const tentacle_particle *parent = particle_of(ref, particle - 1), *own = particle_of(ref, particle);
    uint64_t at = segment_start(m, particle);
    for (uint32_t i = 0; i < m->sides; i++) {
        const uint32_t next = next_in_ring(m, i);
        const ring_vertex a = ring_vertex_of(m, parent, i), b = ring_vertex_of(m, parent, next);
        const ring_vertex c = ring_vertex_of(m, own, i), d = ring_vertex_of(m, own, next);
        const ring_vertex *const triangles[6] = {&a, &b, &c, &c, &b, &d};
        for (uint32_t k = 0; k < 6; k++)
            store_vertex(ref, TENTACLE_BUFFER_CORNER, at++, triangles[k]);
    }
}

static void store_cap(const vfx_ref *ref, const mesh *m, uint64_t particle)
{
    const uint64_t tentacle = particle / m->n;
    const tentacle_particle *tip = particle_of(ref, particle);
    const ring_vertex apex = apex_of(m, tip);
    store_vertex(ref, TENTACLE_BUFFER_VERTEX, m->particle_count * m->ring + tentacle, &apex);
    store_vertex(ref, TENTACLE_BUFFER_PACKED, m->particle_count * m->ring + tentacle, &apex);
    uint64_t at = cap_start(m, tentacle);
    for (uint32_t i = 0; i < m->sides; i++) {
        const ring_vertex a = ring_vertex_of(m, tip, i), b = ring_vertex_of(m, tip, next_in_ring(m, i));
        store_vertex(ref, TENTACLE_BUFFER_CORNER, at++, &a);
        store_vertex(ref, TENTACLE_BUFFER_CORNER, at++, &b);
        store_vertex(ref, TENTACLE_BUFFER_CORNER, at++, &apex);
    }
}

void VFX_REF(tentacle_mesh_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const mesh m = mesh_of(ref);
    for (uint64_t particle = first; particle < first + count; particle++) {
        const uint32_t joint = (uint32_t)(particle % m.n);
        store_ring(ref, &m, particle);
        if (joint >= 1 && ref->out[TENTACLE_BUFFER_CORNER] != NULL)
            store_segment_corners(ref, &m, particle);
        if (joint == m.n - 1 && m.params->cap != 0)
            store_cap(ref, &m, particle);
    }
}

/* ---------------------------------------------------------------------------------------- index */

static void store_segment_indices(const mesh *m, uint64_t particle, uint32_t *index)
{
    const uint64_t parent_ring = (particle - 1) * m->ring, own_ring = particle * m->ring;
    uint32_t *next = index + segment_start(m, particle);
    for (uint32_t i = 0; i < m->sides; i++) {
        const uint32_t j = next_in_ring(m, i);
        *next++ = (uint32_t)(parent_ring + i);
        *next++ = (uint32_t)(parent_ring + j);
        *next++ = (uint32_t)(own_ring + i);
        *next++ = (uint32_t)(own_ring + i);
        *next++ = (uint32_t)(parent_ring + j);
        *next++ = (uint32_t)(own_ring + j);
    }
}

static void store_cap_indices(const mesh *m, uint64_t particle, uint32_t *index)
{
    const uint64_t tentacle = particle / m->n, ring = particle * m->ring;
    uint32_t *next = index + cap_start(m, tentacle);
    for (uint32_t i = 0; i < m->sides; i++) {
        *next++ = (uint32_t)(ring + i);
        *next++ = (uint32_t)(ring + next_in_ring(m, i));
        *next++ = (uint32_t)(m->particle_count * m->ring + tentacle);
    }
}

void VFX_REF(tentacle_index_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const mesh m = mesh_of(ref);
    uint32_t *index = ref->out[TENTACLE_BUFFER_INDEX];
    for (uint64_t particle = first; particle < first + count; particle++) {
        const uint32_t joint = (uint32_t)(particle % m.n);
        if (joint >= 1)
            store_segment_indices(&m, particle, index);
        if (joint == m.n - 1 && m.params->cap != 0)
            store_cap_indices(&m, particle, index);
    }
}

/* --------------------------------------------------------------------------------- check scales */

static double particle_scale(const vfx_ref *ref, uint64_t particle)
{
    const tentacle_particle *p = particle_of(ref, particle);
    return (double)real_max(real3_length(real3_of(p->position)), (real)p->radius);
}

double VFX_REF(tentacle_vertex_scale)(const vfx_ref *ref, uint64_t record)
{
    const mesh m = mesh_of(ref);
    if (record < m.particle_count * m.ring)
        return particle_scale(ref, record / m.ring);
    const uint64_t tentacle = record - m.particle_count * m.ring;
    return particle_scale(ref, tentacle * m.n + m.n - 1);
}

double VFX_REF(tentacle_corner_scale)(const vfx_ref *ref, uint64_t record)
{
    const mesh m = mesh_of(ref);
    const uint64_t caps = cap_start(&m, 0);
    if (record >= caps) {
        const uint64_t tentacle = (record - caps) / (3 * (uint64_t)m.sides);
        return particle_scale(ref, tentacle * m.n + m.n - 1);
    }
    const uint64_t segment = record / (6 * (uint64_t)m.sides), corner = record % 6;
    const uint64_t parent = segment / (m.n - 1) * m.n + segment % (m.n - 1);
    const bool own = corner == 2 || corner == 3 || corner == 5;
    return particle_scale(ref, parent + (own ? 1 : 0));
}
