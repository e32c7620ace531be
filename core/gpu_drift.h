/* core/gpu_drift.h - does the device still compute as fast as before? A fixed piece of arithmetic, timed before and
 * after the samples of a case: nothing of the case is in it, so what it tells is the device's clock. */
#ifndef VFX_GPU_DRIFT_H
#define VFX_GPU_DRIFT_H

#include "core/gpu.h"

typedef struct vfx_drift vfx_drift;

/* UNSUPPORTED where the queue has no timestamps. */
vfx_status vfx_drift_create(vfx_drift **drift, vfx_gpu *gpu) VFX_MUST_USE;
void vfx_drift_destroy(vfx_drift *drift);

/* The fastest of a few dispatches, ns: interruptions only ever add. NaN when no stamp was usable. Takes a few ms. */
vfx_status vfx_drift_measure(vfx_drift *drift, double *ns) VFX_MUST_USE;

#endif
