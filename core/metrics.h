/* core/metrics.h - the invariants of a family, run over one frame's buffers from the GPU or the CPU. */
#ifndef VFX_METRICS_H
#define VFX_METRICS_H

#include "core/kernel.h"

/* Runs the kernel's invariant rows over ref->in. True if all hold; else *name is the first row that fails and `why`
 * says how and what the row rests on. */
bool vfx_invariants_check(const vfx_ref *ref, const char **name, char *why, size_t why_bytes);

#endif
