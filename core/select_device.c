/* core/select_device.c - see select_device.h. */
#include "core/select_device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool contains_ignoring_case(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; ++text)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

static void list_names(const vfx_device_info *infos, uint32_t count, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count && used < bytes; ++i)
        used += (size_t)snprintf(text + used, bytes - used, "%s%u: %s (%s)", i ? "; " : "", infos[i].index,
                                 infos[i].name, vfx_device_type_name(infos[i].type));
}

static vfx_status select_best(const vfx_device_info *infos, uint32_t count, bool allow_cpu, uint32_t *chosen)
{
    char names[512];
    bool cpu_left_out = false;
    uint32_t best = count;
    for (uint32_t i = 0; i < count; ++i) {
        if (!infos[i].usable)
            continue;
        if (infos[i].type == VFX_DEVICE_CPU && !allow_cpu) {
            cpu_left_out = true;
            continue;
        }
        if (best == count || infos[i].type < infos[best].type)
            best = i;
    }
    if (best < count) {
        *chosen = best;
        return VFX_OK;
    }
    list_names(infos, count, names, sizeof names);
    if (cpu_left_out)
        return vfx_fail(VFX_UNSUPPORTED,
                        "only CPU devices here (%s); add --allow-cpu to use one, or name it with --device", names);
    return vfx_fail(VFX_UNSUPPORTED, "no device meets the baseline (%s); `vfxbench info` says why", names);
}

/* Is `wanted` a plain decimal index? */
static bool is_index(const char *wanted)
{
    return *wanted && strlen(wanted) <= 4 && wanted[strspn(wanted, "0123456789")] == '\0';
}

static vfx_status find_wanted(const vfx_device_info *infos, uint32_t count, const char *wanted, bool allow_cpu,
                              uint32_t *chosen)
{
    char names[512];
    list_names(infos, count, names, sizeof names);
    uint32_t found = count, matches = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (strcasecmp(infos[i].uuid, wanted) == 0) {
            *chosen = i;
            return VFX_OK;
        }
        bool match = is_index(wanted) ? infos[i].index == strtoul(wanted, NULL, 10)
                                      : contains_ignoring_case(infos[i].name, wanted);
        if (match) {
            found = i;
            ++matches;
        }
    }
    if (matches == 0)
        return vfx_fail(VFX_UNSUPPORTED, "no device matches --device '%s'; there are: %s", wanted, names);
    if (matches > 1)
        return vfx_fail(VFX_USAGE, "--device '%s' matches %u devices (%s); use the UUID or index from `vfxbench info`",
                        wanted, matches, names);
    if (is_index(wanted) && infos[found].type == VFX_DEVICE_CPU && !allow_cpu)
        return vfx_fail(VFX_UNSUPPORTED, "device %s is a CPU device (%s); name it, or add --allow-cpu", wanted,
                        infos[found].name);
    *chosen = found;
    return VFX_OK;
}

vfx_status vfx_select_device(const vfx_device_info *infos, uint32_t count, const char *wanted, bool allow_cpu,
                             uint32_t *chosen)
{
    if (!wanted || !*wanted)
        return select_best(infos, count, allow_cpu, chosen);
    VFX_TRY(find_wanted(infos, count, wanted, allow_cpu, chosen));
    if (!infos[*chosen].usable)
        return vfx_fail(VFX_UNSUPPORTED, "%s cannot be used: %s", infos[*chosen].name, infos[*chosen].reason);
    return VFX_OK;
}

const char *vfx_device_type_name(vfx_device_type type)
{
    static const char *const names[] = {"discrete", "integrated", "virtual", "other", "cpu"};
    return (unsigned)type < VFX_COUNT(names) ? names[type] : "unknown";
}
