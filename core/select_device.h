/* core/select_device.h - which of the listed devices to use: the rules, without Vulkan so that they can be tested. */
#ifndef VFX_SELECT_DEVICE_H
#define VFX_SELECT_DEVICE_H

#include "core/gpu.h"

/* Position in `infos` of the device to open. `wanted`: UUID, index, or case-insensitive part of the name; NULL picks
 * the best type (discrete, integrated, virtual, other), and a CPU device only with allow_cpu. A CPU device asked for by
 * UUID or name needs no allow_cpu; by index it does. UNSUPPORTED with what to do, USAGE if `wanted` fits several by
 * name. */
vfx_status vfx_select_device(const vfx_device_info *infos, uint32_t count, const char *wanted, bool allow_cpu,
                             uint32_t *chosen) VFX_MUST_USE;

#endif
