/* tentacle_names.c - what a record of the family's buffers is, in a user's terms, for messages. */
#include "kernels/tentacle/tentacle.h"

#include <stdio.h>

void tentacle_describe_particle(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    uint64_t joints = VFX_CASE_PARAMS(kase, tentacle_params)->particles;
    snprintf(text, bytes, "tentacle %llu, joint %llu", (unsigned long long)(record / joints),
             (unsigned long long)(record % joints));
}

void tentacle_describe_vertex(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    const tentacle_params *params = VFX_CASE_PARAMS(kase, tentacle_params);
    uint64_t ring = tentacle_ring_size(params), particles = tentacle_particle_count(kase);
    if (record >= particles * ring) {
        snprintf(text, bytes, "tentacle %llu, apex", (unsigned long long)(record - particles * ring));
        return;
    }
    uint64_t particle = record / ring;
    snprintf(text, bytes, "tentacle %llu, joint %llu, ring vertex %llu",
             (unsigned long long)(particle / params->particles), (unsigned long long)(particle % params->particles),
             (unsigned long long)(record % ring));
}

void tentacle_describe_corner(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    const tentacle_params *params = VFX_CASE_PARAMS(kase, tentacle_params);
    uint64_t particle = tentacle_corner_particle(params, record);
    snprintf(text, bytes, "tentacle %llu, joint %llu, corner %llu of the triangle list",
             (unsigned long long)(particle / params->particles), (unsigned long long)(particle % params->particles),
             (unsigned long long)record);
}
