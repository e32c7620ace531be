/* core/platform_sensors_test.c - without a library or a device the reason is told and readings are nothing. */
#include "core/test.h"

#include "core/platform_sensors.h"

#include <math.h>

static void test_none(void **state)
{
    (void)state;
    char why[128] = "";
    vfx_sensors *sensors = vfx_sensors_open("00000000-0000-0000-0000-000000000000", why, sizeof why);
    assert_null(sensors);
    assert_non_null(strstr(why, "libnvidia-ml.so.1"));
    vfx_reading reading = vfx_sensors_read(NULL);
    assert_true(isnan(reading.clock_mhz) && isnan(reading.memory_mhz));
    assert_true(isnan(reading.power_w) && isnan(reading.temperature_c));
    vfx_sensors_close(NULL);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_none)};
VFX_TEST_MAIN(tests)
