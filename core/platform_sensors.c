/* core/platform_sensors.c - see platform_sensors.h. The functions of the NVIDIA Management Library that are called, as
 * its public interface declares them: 0 is success. */
#include "core/platform_sensors.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0 };

typedef struct device *device_handle;
typedef int plain_fn(void);
typedef int by_uuid_fn(const char *uuid, device_handle *device);
typedef int number_fn(device_handle device, unsigned *value);
typedef int kind_fn(device_handle device, int kind, unsigned *value);

struct vfx_sensors {
    void *library;
    device_handle device;
    plain_fn *init, *shutdown;
    by_uuid_fn *by_uuid;
    number_fn *power;             /* mW */
    kind_fn *clock, *temperature; /* MHz, degrees Celsius */
};

/* ISO C has no conversion from an object pointer to a function pointer; POSIX promises that the bytes are the same. */
static bool find(void *library, const char *name, void *function, size_t bytes)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, bytes);
    return address != NULL;
}

#define FIND(sensors, member, name) find((sensors)->library, name, &(sensors)->member, sizeof(sensors)->member)

static bool open_library(vfx_sensors *sensors, char *why, size_t bytes)
{
    static const char name[] = "libnvidia-ml.so.1";
    sensors->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (sensors->library == NULL) {
        (void)snprintf(why, bytes, "%s is not installed", name);
        return false;
    }
    bool all = FIND(sensors, init, "nvmlInit_v2") && FIND(sensors, shutdown, "nvmlShutdown") &&
               FIND(sensors, by_uuid, "nvmlDeviceGetHandleByUUID") && FIND(sensors, clock, "nvmlDeviceGetClockInfo") &&
               FIND(sensors, power, "nvmlDeviceGetPowerUsage") &&
               FIND(sensors, temperature, "nvmlDeviceGetTemperature");
    if (!all)
        (void)snprintf(why, bytes, "%s lacks a function", name);
    return all;
}

vfx_sensors *vfx_sensors_open(const char *uuid, char *why, size_t bytes)
{
    char name[64];
    vfx_sensors *sensors = calloc(1, sizeof *sensors);
    (void)snprintf(name, sizeof name, "GPU-%.40s", uuid);
    *why = '\0';
    if (sensors == NULL) {
        (void)snprintf(why, bytes, "out of memory");
        return NULL;
    }
    if (open_library(sensors, why, bytes)) {
        int code = sensors->init();
        if (code == 0 && sensors->by_uuid(name, &sensors->device) == 0)
            return sensors;
        (void)snprintf(why, bytes, code != 0 ? "libnvidia-ml.so.1 does not start" : "libnvidia-ml.so.1 has no %s",
                       name);
        if (code == 0)
            (void)sensors->shutdown();
    }
    if (sensors->library != NULL)
        (void)dlclose(sensors->library);
    free(sensors);
    return NULL;
}

void vfx_sensors_close(vfx_sensors *sensors)
{
    if (sensors == NULL)
        return;
    (void)sensors->shutdown();
    (void)dlclose(sensors->library);
    free(sensors);
}

vfx_reading vfx_sensors_read(const vfx_sensors *sensors)
{
    vfx_reading reading = {NAN, NAN, NAN, NAN};
    unsigned value;
    if (sensors == NULL)
        return reading;
    if (sensors->clock(sensors->device, CLOCK_SM, &value) == 0)
        reading.clock_mhz = value;
    if (sensors->clock(sensors->device, CLOCK_MEMORY, &value) == 0)
        reading.memory_mhz = value;
    if (sensors->power(sensors->device, &value) == 0)
        reading.power_w = value / 1e3;
    if (sensors->temperature(sensors->device, TEMPERATURE_GPU, &value) == 0)
        reading.temperature_c = value;
    return reading;
}
