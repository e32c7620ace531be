/* kernels/kernels.h - the table of kernel families. A new family is a folder here and a row in kernels.c. */
#ifndef VFX_KERNELS_H
#define VFX_KERNELS_H

#include "core/kernel.h"

extern const vfx_kernel *const vfx_kernels[];
extern const uint32_t vfx_kernel_count;

/* Family of this name, or NULL. */
const vfx_kernel *vfx_kernel_find(const char *name);

#endif
