/* kernels/kernels.c - the table of kernel families; kernels_test.c finds a folder that has no row, or an incomplete
 * record. */
#include "kernels/kernels.h"

#include "kernels/grass/grass.h"
#include "kernels/pbd/pbd.h"
#include "kernels/tentacle/tentacle.h"
#include "kernels/vat/vat.h"

#include <string.h>

const vfx_kernel *const vfx_kernels[] = {
    &tentacle_kernel,
    &grass_kernel,
    &vat_kernel,
    &pbd_kernel,
};
const uint32_t vfx_kernel_count = VFX_COUNT(vfx_kernels);

const vfx_kernel *vfx_kernel_find(const char *name)
{
    for (uint32_t i = 0; i < vfx_kernel_count; i++)
        if (strcmp(vfx_kernels[i]->name, name) == 0)
            return vfx_kernels[i];
    return NULL;
}
