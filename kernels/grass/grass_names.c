/* grass_names.c - what a record of the family's buffers is, in a user's terms, for messages. */
#include "kernels/grass/grass.h"

#include <stdio.h>

void grass_describe_instance(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    (void)kase;
    snprintf(text, bytes, "blade %llu", (unsigned long long)record);
}

void grass_describe_leaf(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    uint64_t leaves = VFX_CASE_PARAMS(kase, grass_params)->leaves;
    snprintf(text, bytes, "blade %llu, leaf %llu", (unsigned long long)(record / leaves),
             (unsigned long long)(record % leaves));
}

void grass_describe_vertex(const vfx_case *kase, uint64_t record, char *text, size_t bytes)
{
    const grass_params *params = VFX_CASE_PARAMS(kase, grass_params);
    uint64_t vertices = 2 * (uint64_t)params->rows, leaf = record / vertices, vertex = record % vertices;
    snprintf(text, bytes, "blade %llu, leaf %llu, row %llu, %s", (unsigned long long)(leaf / params->leaves),
             (unsigned long long)(leaf % params->leaves), (unsigned long long)(vertex / 2),
             vertex % 2 == 0 ? "left" : "right");
}
