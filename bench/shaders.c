/* bench/shaders.c - loading of SPIR-V overrides. A file must be a whole sequence of instructions with a compute entry
 * point (SPIR-V 1.6, 2.3 Physical Layout); that it fits the pass is the pipeline's business. */
#include "bench/shaders.h"
#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SPIRV_BYTES = 16 << 20, SPIRV_HEADER_WORDS = 5 };
#define SPIRV_MAGIC 0x07230203u

static bool variant_has_pass(const vfx_variant *variant, const char *pass)
{
    for (uint32_t i = 0; i < variant->pass_count; i++) {
        if (strcmp(variant->passes[i].name, pass) == 0)
            return true;
    }
    return false;
}

static bool kernel_has_pass(const vfx_kernel *kernel, const char *pass)
{
    for (uint32_t i = 0; i < kernel->variant_count; i++) {
        if (variant_has_pass(&kernel->variants[i], pass))
            return true;
    }
    return false;
}

/* Splits "family.pass=FILE" into shader->kernel, override.pass and path. */
static vfx_status parse_target(cmd_shader *shader, const vfx_kernel *const kernels[], uint32_t kernel_count,
                               const char *text)
{
    size_t family = strcspn(text, ".=");
    const char *pass = text + family + 1;
    size_t length = text[family] == '.' ? strcspn(pass, "=") : 0;
    if (length == 0 || pass[length] != '=' || pass[length + 1] == '\0')
        return vfx_fail(VFX_USAGE, "--shader '%s' is not family.pass=FILE.spv", text);
    for (uint32_t k = 0; k < kernel_count; k++) {
        if (strlen(kernels[k]->name) == family && strncmp(kernels[k]->name, text, family) == 0)
            shader->kernel = kernels[k];
    }
    if (shader->kernel == NULL)
        return vfx_fail(VFX_USAGE, "--shader: there is no family '%.*s'; see vfxbench list", (int)family, text);
    if (length < sizeof shader->override.pass)
        memcpy(shader->override.pass, pass, length); /* the struct is zeroed */
    if (!kernel_has_pass(shader->kernel, shader->override.pass))
        return vfx_fail(VFX_USAGE, "--shader: family %s has no pass '%.*s'; see vfxbench list '%s/*'",
                        shader->kernel->name, (int)length, pass, shader->kernel->name);
    shader->path = pass + length + 1;
    return VFX_OK;
}

/* Walks the instructions behind the header. */
static vfx_status check_instructions(const cmd_shader *shader)
{
    enum { OP_ENTRY_POINT = 15, OP_FUNCTION_END = 56, GL_COMPUTE = 5 };
    const uint32_t *words = shader->override.words;
    size_t count = shader->override.bytes / sizeof *words, length = 0;
    uint32_t code = 0;
    bool compute = false;
    for (size_t i = SPIRV_HEADER_WORDS; i < count; i += length) {
        length = words[i] >> 16;
        if (length == 0 || length > count - i)
            return vfx_fail(VFX_IO, "--shader %s: cut short or damaged: the instruction at word %zu has %zu words",
                            shader->path, i, length);
        code = words[i] & 0xffffu;
        compute = compute || (code == OP_ENTRY_POINT && length > 1 && words[i + 1] == GL_COMPUTE);
    }
    if (!compute)
        return vfx_fail(VFX_IO, "--shader %s: no compute shader in it (no OpEntryPoint GLCompute)", shader->path);
    if (code != OP_FUNCTION_END)
        return vfx_fail(VFX_IO, "--shader %s: cut short: it does not end with a function's end", shader->path);
    return VFX_OK;
}

static vfx_status load_words(cmd_shader *shader)
{
    void *data;
    size_t bytes;
    VFX_TRY(vfx_read_file(shader->path, MAX_SPIRV_BYTES, &data, &bytes));
    uint32_t magic = 0;
    if (bytes >= sizeof magic)
        memcpy(&magic, data, sizeof magic);
    shader->override.words = data; /* malloc'ed, hence aligned */
    shader->override.bytes = bytes;
    if (magic != SPIRV_MAGIC) /* most likely the source was given */
        return vfx_fail(
            VFX_USAGE, "%s is not SPIR-V; compile it first: glslc --target-env=vulkan1.2 -O -I REPOSITORY %s -o %s.spv",
            shader->path, shader->path, shader->path);
    if (bytes % sizeof magic != 0)
        return vfx_fail(VFX_IO, "--shader %s: %zu bytes are no whole number of SPIR-V words", shader->path, bytes);
    if (bytes < SPIRV_HEADER_WORDS * sizeof magic)
        return vfx_fail(VFX_IO, "--shader %s: cut short: a SPIR-V header has %d words", shader->path,
                        SPIRV_HEADER_WORDS);
    shader->hash = vfx_hash(VFX_HASH_START, data, bytes);
    return check_instructions(shader);
}

/* Only one of two overrides of a pass could run. */
static vfx_status check_new(const cmd_shaders *shaders, const cmd_shader *shader)
{
    for (const cmd_shader *other = shaders->items; other < shader; other++) {
        if (other->kernel == shader->kernel && strcmp(other->override.pass, shader->override.pass) == 0)
            return vfx_fail(VFX_USAGE, "--shader: %s.%s is given twice, as %s and %s", shader->kernel->name,
                            shader->override.pass, other->path, shader->path);
    }
    return VFX_OK;
}

vfx_status cmd_shaders_load(cmd_shaders *shaders, const vfx_kernel *const kernels[], uint32_t kernel_count,
                            const cmd_values *texts)
{
    memset(shaders, 0, sizeof *shaders);
    if (texts->count > CMD_MAX_SHADERS)
        return vfx_fail(VFX_USAGE, "--shader: given more than %d times", CMD_MAX_SHADERS);
    for (uint32_t i = 0; i < texts->count; i++) {
        cmd_shader *shader = &shaders->items[shaders->count++];
        VFX_TRY(parse_target(shader, kernels, kernel_count, texts->items[i]));
        VFX_TRY(check_new(shaders, shader));
        VFX_TRY(load_words(shader));
    }
    return VFX_OK;
}

void cmd_shaders_free(cmd_shaders *shaders)
{
    for (uint32_t i = 0; i < shaders->count; i++)
        free((void *)(uintptr_t)shaders->items[i].override.words);
    shaders->count = 0;
}

bool cmd_shader_applies(const cmd_shader *shader, const vfx_case *kase)
{
    return shader->kernel == kase->kernel && variant_has_pass(kase->variant, shader->override.pass);
}

uint32_t cmd_shaders_for(const cmd_shaders *shaders, const vfx_case *kase, vfx_override overrides[CMD_MAX_SHADERS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shaders->count; i++) {
        if (cmd_shader_applies(&shaders->items[i], kase))
            overrides[count++] = shaders->items[i].override;
    }
    return count;
}
