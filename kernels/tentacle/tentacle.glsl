/* tentacle.glsl - what every tentacle shader needs: the parameters, the memory layout, and the one definition of a
 * ring vertex. All mesh variants call it with the same bits, so they write the same bits (see core/math.glsl). */
#ifndef TENTACLE_GLSL
#define TENTACLE_GLSL

#include "core/math.glsl"
#include "kernels/tentacle/tentacle_shared.h"

VFX_PARAMS(TENTACLE_PARAMS)

#define TENTACLE_BUFFER(access, number, type, name)                                                                    \
    layout(std430, binding = number) restrict access buffer name##_block { type name[]; };

const float TENTACLE_TWO_PI = 6.28318530718;

uint tentacle_particle_count()
{
    return params.tentacles * params.particles;
}

uint tentacle_segment_count()
{
    return params.tentacles * (params.particles - 1u);
}

/* Streams: quad q of particle i. */
uint tentacle_stream(uint q, uint i)
{
    return q * tentacle_particle_count() + i;
}

/* Defines tentacle_particle name(uint i), which reads particle i from a stream buffer. Not a loop: a compiler that keeps one
 * loads quads that nobody uses. */
#define TENTACLE_LOADER(name, streams)                                                                                 \
    tentacle_particle name(uint i)                                                                                     \
    {                                                                                                                  \
        return tentacle_particle_unpack(uvec4[](streams[tentacle_stream(0u, i)], streams[tentacle_stream(1u, i)],      \
                                                streams[tentacle_stream(2u, i)], streams[tentacle_stream(3u, i)]));    \
    }

bool tentacle_is_tip(uint i)
{
    return (i + 1u) % params.particles == 0u;
}

/* A particle's cross-section. */
struct tentacle_ring {
    vec3 position;
    float radius;
    vec3 right, up, forward;
    float arc_length;
    float v;
};

/* Texture coordinate along the tentacle. */
float tentacle_v(float arc_length)
{
    precise float girth = TENTACLE_TWO_PI * params.radius;
    precise float result = arc_length / girth;
    return result;
}

tentacle_ring tentacle_ring_of(tentacle_particle particle)
{
    return tentacle_ring(particle.position, particle.radius, particle.right,
                         vfx_cross(particle.forward, particle.right), particle.forward, particle.arc_length,
                         tentacle_v(particle.arc_length));
}

/* (cos, sin, u) of ring vertex i. The seam vertex i = sides has the angle of i = 0 and u = 1. Angles past half a turn
 * are taken as negative ones, which halves their rounding. */
vec3 tentacle_angle(uint i, uint sides)
{
    uint i_round = i == sides ? 0u : i;
    int i_signed = 2u * i_round > sides ? int(i_round) - int(sides) : int(i_round);
    precise float turns = float(i_signed) * TENTACLE_INVERSE_SIDES(frame);
    precise float u = float(i) * TENTACLE_INVERSE_SIDES(frame);
    return vec3(vfx_dir_turns(turns), i == sides ? 1.0 : u);
}

/* Outward normal of the untapered tube, and the position that it leads to. */
vec3 tentacle_normal(vec3 right, vec3 up, vec3 angle)
{
    precise vec3 result = right * angle.x + up * angle.y;
    return result;
}

vec3 tentacle_surface(vec3 position, float radius, vec3 normal)
{
    precise vec3 result = position + normal * radius;
    return result;
}

/* With tilt=1 the normal leans along forward by the taper's slope -dR/ds (pulsate left out). */
vec3 tentacle_tilt(vec3 normal, vec3 forward)
{
    if (params.tilt == 0u) {
        return normal;
    }
    precise float rest_total = float(params.particles - 1u) * params.rest_length;
    precise float slope = params.taper * params.radius / rest_total;
    precise vec3 leaning = normal + forward * slope;
    return vfx_unit_or(leaning, normal);
}

tentacle_vertex tentacle_ring_vertex(tentacle_ring ring, vec3 angle)
{
    vec3 normal = tentacle_normal(ring.right, ring.up, angle);
    return tentacle_vertex(tentacle_surface(ring.position, ring.radius, normal), angle.z,
                           tentacle_tilt(normal, ring.forward), ring.v, ring.forward, 0.0);
}

/* Vertex on the axis that closes the tip (cap=1), one radius beyond the last particle. */
tentacle_vertex tentacle_apex(tentacle_ring tip)
{
    precise float arc_length = tip.arc_length + tip.radius;
    return tentacle_vertex(tentacle_surface(tip.position, tip.radius, tip.forward), 0.5, tip.forward,
                           tentacle_v(arc_length), tip.right, 0.0);
}

/* Index of a tentacle's apex in the vertex buffer: behind all rings. */
uint tentacle_apex_index(uint tentacle, uint sides)
{
    return tentacle_particle_count() * (sides + params.seam) + tentacle;
}

/* Ring position of the far end of side i: the seam vertex, or around to 0. */
uint tentacle_side_end(uint i, uint sides)
{
    return i + 1u == sides && params.seam == 0u ? 0u : i + 1u;
}

#endif
