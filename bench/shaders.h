/* bench/shaders.h - SPIR-V files that replace built-in passes (--shader family.pass=FILE.spv). */
#ifndef BENCH_SHADERS_H
#define BENCH_SHADERS_H

#include "bench/options.h"
#include "core/run.h"

enum { CMD_MAX_SHADERS = 32 };

typedef struct cmd_shader {
    const vfx_kernel *kernel;
    vfx_override override; /* words owned here */
    uint64_t hash;         /* vfx_hash of the file's bytes */
    const char *path;      /* points into the options */
} cmd_shader;

typedef struct cmd_shaders {
    cmd_shader items[CMD_MAX_SHADERS];
    uint32_t count;
} cmd_shaders;

/* Loads every --shader. USAGE: unknown family or pass, malformed text, a pass twice, not SPIR-V (magic number); IO: the
 * file is unreadable or not a whole compute shader (instructions that end with the file, an entry point).
 * cmd_shaders_free in any case. */
vfx_status cmd_shaders_load(cmd_shaders *shaders, const vfx_kernel *const kernels[], uint32_t kernel_count,
                            const cmd_values *texts) VFX_MUST_USE;
void cmd_shaders_free(cmd_shaders *shaders);

/* Does the case run this override? */
bool cmd_shader_applies(const cmd_shader *shader, const vfx_case *kase);

/* Copies the overrides whose pass the case's variant has; returns how many. */
uint32_t cmd_shaders_for(const cmd_shaders *shaders, const vfx_case *kase, vfx_override overrides[CMD_MAX_SHADERS]);

#endif
