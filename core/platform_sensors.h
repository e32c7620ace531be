/* core/platform_sensors.h - clock, power and temperature of a device, where the system tells. Today: NVIDIA's
 * management library, if it is installed; it is looked for at run time and nothing depends on it. */
#ifndef VFX_PLATFORM_SENSORS_H
#define VFX_PLATFORM_SENSORS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct vfx_sensors vfx_sensors;

/* One reading; NaN where the device does not tell. */
typedef struct vfx_reading {
    double clock_mhz;  /* of the shader processors */
    double memory_mhz; /* of the device memory */
    double power_w;
    double temperature_c; /* degrees Celsius */
} vfx_reading;

/* The sensors of the device with this Vulkan UUID ("8-4-4-4-12"), or NULL with the reason in `why`. */
vfx_sensors *vfx_sensors_open(const char *uuid, char *why, size_t bytes);
void vfx_sensors_close(vfx_sensors *sensors);
/* All NaN for NULL. */
vfx_reading vfx_sensors_read(const vfx_sensors *sensors);

#endif
