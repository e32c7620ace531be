/* core/timer.c - see timer.h. */
#include "core/timer.h"

#include <math.h>

/* Bits of a counter that count. */
static uint64_t counter_mask(uint32_t valid_bits)
{
    return valid_bits >= 64 ? UINT64_MAX : ((uint64_t)1 << valid_bits) - 1;
}

/* What is wrong with the stamps themselves, VALID if nothing. */
static vfx_interval_state check_stamps(vfx_stamp begin, vfx_stamp end, uint32_t valid_bits, double period_ns)
{
    if (valid_bits == 0 || valid_bits > 64 || !(isfinite(period_ns) && period_ns > 0.0))
        return VFX_INTERVAL_UNSUPPORTED;
    if (begin.available == 0 || end.available == 0)
        return VFX_INTERVAL_UNAVAILABLE;
    if (begin.ticks == 0 || end.ticks == 0)
        return VFX_INTERVAL_ZERO;
    if (((begin.ticks ^ end.ticks) & counter_mask(valid_bits)) == 0)
        return VFX_INTERVAL_EQUAL;
    return VFX_INTERVAL_VALID;
}

double vfx_interval_ns(vfx_stamp begin, vfx_stamp end, uint32_t valid_bits, double period_ns, double host_ns,
                       vfx_interval_state *state)
{
    *state = check_stamps(begin, end, valid_bits, period_ns);
    if (*state != VFX_INTERVAL_VALID)
        return NAN;
    /* Modular, so one wrap between the stamps is harmless; a reversed pair comes out as almost the whole range. */
    double ns = (double)((end.ticks - begin.ticks) & counter_mask(valid_bits)) * period_ns;
    double range_ns = ldexp(period_ns, (int)valid_bits);
    bool fits = ns <= host_ns && host_ns < range_ns; /* a host that waited a whole range cannot count the wraps */
    if (!fits) {
        *state = VFX_INTERVAL_TOO_LONG;
        return NAN;
    }
    return ns;
}

const char *vfx_interval_state_name(vfx_interval_state state)
{
    switch (state) {
    case VFX_INTERVAL_VALID:
        return "valid";
    case VFX_INTERVAL_UNSUPPORTED:
        return "timestamps unsupported";
    case VFX_INTERVAL_UNAVAILABLE:
        return "query unavailable";
    case VFX_INTERVAL_ZERO:
        return "zero timestamp";
    case VFX_INTERVAL_EQUAL:
        return "equal timestamps";
    case VFX_INTERVAL_TOO_LONG:
        return "longer than the host waited";
    }
    return "unknown";
}
