/* core/timer.h - from raw GPU timestamps to nanoseconds, without Vulkan so that fake counters can test it. */
#ifndef VFX_TIMER_H
#define VFX_TIMER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum vfx_interval_state {
    VFX_INTERVAL_VALID,
    VFX_INTERVAL_UNSUPPORTED, /* the queue family has 0 valid bits, or the period is not a positive number */
    VFX_INTERVAL_UNAVAILABLE, /* a query's availability word was 0 */
    VFX_INTERVAL_ZERO,        /* a raw stamp is 0 */
    VFX_INTERVAL_EQUAL,       /* both stamps are the same */
    VFX_INTERVAL_TOO_LONG     /* longer than the host waited (negative or nonsense), or the host waited long enough for
                                the counter to have wrapped more than once */
} vfx_interval_state;

/* A query with its availability, as vkGetQueryPoolResults(64 | WITH_AVAILABILITY) lays it out. */
typedef struct vfx_stamp {
    uint64_t ticks;
    uint64_t available;
} vfx_stamp;

/* ns between two stamps of a counter with `valid_bits` significant bits that ticks every `period_ns`: masked modular
 * difference, period in double. `host_ns` is how long the host waited around both; NaN with the reason in *state when
 * the interval is not usable, never 0. */
double vfx_interval_ns(vfx_stamp begin, vfx_stamp end, uint32_t valid_bits, double period_ns, double host_ns,
                       vfx_interval_state *state);

/* Why an interval is not usable, in words, e.g. "equal timestamps". Never NULL. */
const char *vfx_interval_state_name(vfx_interval_state state);

#endif
