/* core/params.h - generic parameter handling over the rows of a kernel record: defaults, presets, name=value
 * with ranges and suffixes, --at changes. */
#ifndef VFX_PARAMS_H
#define VFX_PARAMS_H

#include "core/kernel.h"

enum { VFX_MAX_AT = 32 };

/* One change of a live parameter: before frame `frame`, words[row] = word. */
typedef struct vfx_at {
    uint32_t frame;
    uint32_t row;
    uint32_t word;
} vfx_at;

typedef struct vfx_at_list {
    vfx_at rows[VFX_MAX_AT];
    uint32_t count;
} vfx_at_list;

/* Row of this name, or NULL. */
const vfx_param *vfx_param_find(const vfx_kernel *kernel, const char *name);

/* Fills *kase with the kernel's defaults and the preset's overrides and frames; dt 1/60 s, seed 1.
 * USAGE if the preset does not exist. Does not validate relations (vfx_case_validate does). */
vfx_status vfx_case_init(vfx_case *kase, const vfx_kernel *kernel, const vfx_variant *variant,
                         const char *preset) VFX_MUST_USE;

/* Applies one "name=value". Numbers take k and M suffixes (15k, 1M); booleans on/off/true/false/1/0; enums their
 * text. USAGE with the name, the value and what is allowed. *kase is unchanged on failure. */
vfx_status vfx_case_set(vfx_case *kase, const char *assignment) VFX_MUST_USE;

/* Applies a comma-separated list of assignments ("": none); *kase is unchanged on failure. */
vfx_status vfx_case_set_list(vfx_case *kase, const char *list) VFX_MUST_USE;

/* Parses "FRAME:name=value" for a live parameter and appends it. */
vfx_status vfx_at_parse(const vfx_case *kase, const char *text, vfx_at_list *list) VFX_MUST_USE;

/* Validates the case as it will be after each change, so that a run cannot meet parameters that do not go together. */
vfx_status vfx_at_validate(const vfx_case *kase, const vfx_at_list *list) VFX_MUST_USE;

/* Applies the changes of frame `frame` (list may be NULL: none). Returns true if any word changed. */
bool vfx_at_apply(const vfx_at_list *list, uint32_t frame, vfx_case *kase);

/* Runs the kernel's validate() and the generic rules (frames >= 1, dt finite and > 0). */
vfx_status vfx_case_validate(const vfx_case *kase) VFX_MUST_USE;

/* Value of a row as text in --set syntax ("0.05", "dr", "on"). `bytes` >= 32 suffices. */
void vfx_param_format(const vfx_param *param, uint32_t word, char *text, size_t bytes);

/* Converts a value within the row's range to its word, and back. */
uint32_t vfx_param_word(const vfx_param *param, double value);
double vfx_param_value(const vfx_param *param, uint32_t word);

/* Text of a host parameter, NULL if the kernel has none of that name. */
const char *vfx_case_host(const vfx_case *kase, const char *name);

/* "family/variant/preset" */
void vfx_case_name(const vfx_case *kase, char *text, size_t bytes);

#endif
