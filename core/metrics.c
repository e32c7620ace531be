/* core/metrics.c - see metrics.h. */
#include "core/metrics.h"

#include <stdio.h>

bool vfx_invariants_check(const vfx_ref *ref, const char **name, char *why, size_t why_bytes)
{
    const vfx_kernel *kernel = ref->kase->kernel;
    for (uint32_t i = 0; i < kernel->invariant_count; i++) {
        const vfx_invariant *row = &kernel->invariants[i];
        char text[512] = "";
        if (row->holds(ref, text, sizeof text))
            continue;
        *name = row->name;
        snprintf(why, why_bytes, "%s (%s)", text[0] != '\0' ? text : "no detail given", row->reason);
        return false;
    }
    return true;
}
