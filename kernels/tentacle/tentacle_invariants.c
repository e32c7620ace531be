/* tentacle_invariants.c - properties that any tentacle frame must have, whoever computed it. All in double, from the
 * records of that frame alone. */
#include "kernels/tentacle/tentacle.h"

#include <math.h>
#include <stdio.h>

static const double unit_limit = 1e-6; /* T4: |right|, |forward| and right . forward */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(vec3 v)
{
    const double d[3] = {(double)v.x, (double)v.y, (double)v.z};
    return sqrt(dot(d, d));
}

static double dot_vec3(vec3 a, vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static void difference(vec3 a, vec3 b, double result[3])
{
    result[0] = (double)a.x - (double)b.x;
    result[1] = (double)a.y - (double)b.y;
    result[2] = (double)a.z - (double)b.z;
}

static const tentacle_params *params_of(const vfx_ref *ref)
{
    return VFX_CASE_PARAMS(ref->kase, tentacle_params);
}

/* --------------------------------------------------------------------------------- particle frames */

/* T4: right and forward are unit vectors, perpendicular to each other. */
static bool frames_hold(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const tentacle_params *params = params_of(ref);
    const tentacle_particle *particles = ref->in[TENTACLE_BUFFER_PARTICLE];
    for (uint64_t i = 0; i < ref->count[TENTACLE_BUFFER_PARTICLE]; i++) {
        double right = length(particles[i].right), forward = length(particles[i].forward);
        double lean = dot_vec3(particles[i].right, particles[i].forward);
        if (fabs(right - 1.0) <= unit_limit && fabs(forward - 1.0) <= unit_limit && fabs(lean) <= unit_limit)
            continue;
        snprintf(why, why_bytes, "tentacle %llu, joint %llu: |right| = %.9g, |forward| = %.9g, right.forward = %.3g",
                 (unsigned long long)(i / params->particles), (unsigned long long)(i % params->particles), right,
                 forward, lean);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------- mesh */

/* The triangle list of a frame, whichever variant made it. */
typedef struct mesh {
    const tentacle_params *params;
    const tentacle_particle *particles;
    const unsigned char *vertices; /* records that start with the position; NULL: the variant has no mesh */
    size_t stride;
    uint64_t vertex_count;
    const uint32_t *index; /* NULL: corner k is vertex k */
    uint64_t corner_count;
} mesh;

static mesh mesh_of(const vfx_ref *ref)
{
    mesh m = {.params = params_of(ref), .particles = ref->in[TENTACLE_BUFFER_PARTICLE]};
    static const uint32_t rows[] = {TENTACLE_BUFFER_VERTEX, TENTACLE_BUFFER_PACKED, TENTACLE_BUFFER_CORNER};
    for (uint32_t i = 0; i < VFX_COUNT(rows) && !m.vertices; i++) {
        m.vertices = ref->in[rows[i]];
        m.vertex_count = ref->count[rows[i]];
        m.stride = rows[i] == TENTACLE_BUFFER_PACKED ? sizeof(tentacle_packed) : sizeof(tentacle_vertex);
    }
    m.index = ref->in[TENTACLE_BUFFER_INDEX];
    bool indexed = m.vertices && !ref->in[TENTACLE_BUFFER_CORNER];
    m.corner_count = indexed ? ref->count[TENTACLE_BUFFER_INDEX] : m.vertex_count;
    return m;
}

static vec3 vertex_position(const mesh *m, uint64_t vertex)
{
    return *(const vec3 *)(const void *)(m->vertices + m->stride * vertex);
}

static vec3 corner_position(const mesh *m, uint64_t corner)
{
    return vertex_position(m, m->index ? m->index[corner] : corner);
}

/* Rounding of p + R normal: R times the error of a unit vector, and half a step of each coordinate. */
static double ring_limit(const tentacle_particle *particle)
{
    return 2e-6 * (double)particle->radius + 2.5e-7 * length(particle->position);
}

static bool ring_fails(const mesh *m, uint64_t particle, const char *what, double value, double limit, char *why,
                       size_t why_bytes)
{
    snprintf(why, why_bytes, "tentacle %llu, joint %llu: %s is off by %.3g m, allowed %.3g m",
             (unsigned long long)(particle / m->params->particles),
             (unsigned long long)(particle % m->params->particles), what, value, limit);
    return false;
}

/* Every corner of the tube lies one radius from its particle. */
static bool corners_hold(const mesh *m, char *why, size_t why_bytes)
{
    uint64_t tube = 6 * (uint64_t)m->params->tentacles * (m->params->particles - 1) * m->params->sides;
    for (uint64_t corner = 0; corner < tube; corner++) {
        uint64_t particle = tentacle_corner_particle(m->params, corner);
        double out[3], limit = ring_limit(&m->particles[particle]);
        difference(vertex_position(m, corner), m->particles[particle].position, out);
        double off = fabs(sqrt(dot(out, out)) - (double)m->particles[particle].radius);
        if (!(off <= limit))
            return ring_fails(m, particle, "ring radius", off, limit, why, why_bytes);
    }
    return true;
}

/* T3: radius and centroid of every ring. */
static bool rings_hold(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const mesh m = mesh_of(ref);
    if (!m.vertices || ref->in[TENTACLE_BUFFER_CORNER])
        return !m.vertices || corners_hold(&m, why, why_bytes);
    uint32_t sides = m.params->sides, ring = tentacle_ring_size(m.params);
    uint64_t count = (uint64_t)m.params->tentacles * m.params->particles;
    for (uint64_t i = 0; i < count; i++) {
        double limit = ring_limit(&m.particles[i]), sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t side = 0; side < sides; side++) {
            double out[3];
            difference(vertex_position(&m, i * ring + side), m.particles[i].position, out);
            double off = fabs(sqrt(dot(out, out)) - (double)m.particles[i].radius);
            if (!(off <= limit))
                return ring_fails(&m, i, "ring radius", off, limit, why, why_bytes);
            for (int axis = 0; axis < 3; axis++)
                sum[axis] += out[axis] / sides;
        }
        double off = sqrt(dot(sum, sum));
        if (!(off <= limit))
            return ring_fails(&m, i, "ring centroid", off, limit, why, why_bytes);
    }
    return true;
}

static void cross(const double a[3], const double b[3], double result[3])
{
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

/* Does the triangle that starts at corner `first` show its front to the outside?
 *
 * A tube triangle, (a, b, a+V) or (a+V, b, b+V), has an edge on the ring of its first corner and one corner across the
 * link. Its normal points away from that ring's axis exactly where the step from parent to child runs along the ring's
 * forward, and inward where a sharp fold makes it run back: the two signs must agree. Triangles too thin for float to
 * tell are let off. */
static bool winds_outward(const mesh *m, uint64_t first)
{
    uint64_t tube = 6 * (uint64_t)m->params->tentacles * (m->params->particles - 1) * m->params->sides;
    const tentacle_particle *particle = &m->particles[tentacle_corner_particle(m->params, first)];
    const double forward[3] = {(double)particle->forward.x, (double)particle->forward.y, (double)particle->forward.z};
    double size = length(particle->position), radius = (double)particle->radius;
    if (radius < 1e-5 * size || radius < 1e-3 * (double)m->params->radius)
        return true;
    vec3 corner = corner_position(m, first);
    double edge[2][3], normal[3], out[3];
    difference(corner_position(m, first + 1), corner, edge[0]);
    difference(corner_position(m, first + 2), corner, edge[1]);
    cross(edge[0], edge[1], normal);
    if (first >= tube) /* cap */
        return dot(normal, forward) > 0.0;
    difference(corner, particle->position, out);
    double along[2] = {dot(edge[0], forward), dot(edge[1], forward)};
    double step = fabs(along[0]) > fabs(along[1]) ? along[0] : along[1]; /* the other edge lies in the ring */
    if (fabs(step) < 0.05 * (double)m->params->rest_length + 1e-5 * size)
        return true;
    bool on_child = first % 6 == 3; /* its step leads back to the parent */
    return dot(normal, out) * (on_child ? -step : step) > 0.0;
}

/* T2: indices in range, triangles outward. */
static bool triangles_hold(const vfx_ref *ref, char *why, size_t why_bytes)
{
    const mesh m = mesh_of(ref);
    for (uint64_t i = 0; m.index && i < m.corner_count; i++) {
        if (m.index[i] < m.vertex_count)
            continue;
        snprintf(why, why_bytes, "index %llu is %lu, there are %llu vertices", (unsigned long long)i,
                 (unsigned long)m.index[i], (unsigned long long)m.vertex_count);
        return false;
    }
    for (uint64_t i = 0; m.vertices && i + 2 < m.corner_count; i += 3) {
        if (winds_outward(&m, i))
            continue;
        uint64_t particle = tentacle_corner_particle(m.params, i);
        snprintf(why, why_bytes, "triangle %llu (tentacle %llu, joint %llu) shows its back to the outside",
                 (unsigned long long)(i / 3), (unsigned long long)(particle / m.params->particles),
                 (unsigned long long)(particle % m.params->particles));
        return false;
    }
    return true;
}

const vfx_invariant tentacle_invariants[TENTACLE_INVARIANT_COUNT] = {
    {"unit-frames", frames_hold, "T4: every orientation method ends with one Gram-Schmidt step and a normalisation"},
    {"ring-shape", rings_hold, "T3: a ring is p + R (cos r + sin up), in whatever order and layout it is stored"},
    {"winding", triangles_hold, "T2: counter-clockwise seen from outside, theta increasing about forward"},
};
