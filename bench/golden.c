/* bench/golden.c - goldens on disk. A sidecar is right when every field that says what the picture shows is the one
 * that this program would write; so the fields are in one place, make_sidecar(). */
#include "bench/golden.h"
#include "bench/picture_run.h"
#include "bench/report.h"
#include "bench/text.h"
#include "core/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDECAR = 64 << 10 };

/* ----------------------------------------------------------------------------------- what and where */

const vfx_variant *cmd_golden_variant(const vfx_kernel *kernel, const vfx_view *view)
{
    for (uint32_t i = 0; i < kernel->variant_count; i++) {
        if (cmd_view_draws(view, &kernel->variants[i]))
            return &kernel->variants[i];
    }
    return NULL;
}

vfx_status cmd_golden_case(const vfx_kernel *kernel, const vfx_variant *variant, const vfx_view *view, vfx_case *kase)
{
    VFX_TRY(vfx_case_init(kase, kernel, variant, view->preset));
    VFX_TRY(vfx_case_set_list(kase, view->set));
    kase->frames = cmd_view_last_frame(view);
    return VFX_OK;
}

vfx_status cmd_golden_path(const char *folder, const cmd_golden_key *key, const char *suffix,
                           char path[CMD_GOLDEN_PATH])
{
    int length = snprintf(path, CMD_GOLDEN_PATH, "%s/%s/%s-%03" PRIu32 "%s", folder, key->kase->kernel->name,
                          key->view->name, key->frame, suffix);
    if (length < 0 || length >= CMD_GOLDEN_PATH)
        return vfx_fail(VFX_USAGE, "the path of the goldens is longer than %d bytes: %.100s...", CMD_GOLDEN_PATH,
                        folder);
    return VFX_OK;
}

/* --------------------------------------------------------------------------------------- the sidecar */

static uint64_t shader_hash(const vfx_variant *variant)
{
    uint64_t hash = VFX_HASH_START;
    for (uint32_t i = 0; i < variant->pass_count; i++)
        hash = vfx_hash(hash, variant->passes[i].spirv->words, variant->passes[i].spirv->bytes);
    return hash;
}

/* These must be as make_sidecar() has them; tool, reason and shader_hash may differ. */
static const char *const binding[] = {"schema",       "schema_version", "case", "family", "view",  "variant",
                                      "set",          "frame",          "seed", "dt",     "width", "height",
                                      "colour_space", "drawn_from"};

/* All but the reason. */
static json_t *make_sidecar(const cmd_golden_key *key, const vfx_picture *picture)
{
    const vfx_case *kase = key->kase;
    char name[512];
    json_t *sidecar = json_object();
    vfx_case_name(kase, name, sizeof name);
    cmd_json_text(sidecar, "schema", "vfxbench-golden");
    cmd_json_u32(sidecar, "schema_version", CMD_GOLDEN_SCHEMA);
    cmd_json_text(sidecar, "case", name);
    cmd_json_text(sidecar, "family", kase->kernel->name);
    cmd_json_text(sidecar, "view", key->view->name);
    cmd_json_text(sidecar, "variant", kase->variant->name);
    cmd_json_text(sidecar, "set", key->view->set);
    cmd_json_u32(sidecar, "frame", key->frame);
    cmd_json_u32(sidecar, "seed", kase->seed);
    cmd_json_number(sidecar, "dt", (double)kase->dt, "not a finite step");
    cmd_json_u32(sidecar, "width", picture->width);
    cmd_json_u32(sidecar, "height", picture->height);
    cmd_json_text(sidecar, "colour_space", "sRGB");
    cmd_json_text(sidecar, "drawn_from", "CPU reference in float");
    cmd_json_u64(sidecar, "picture_hash",
                 vfx_hash(VFX_HASH_START, picture->rgb, (size_t)picture->width * picture->height * 3));
    cmd_json_u64(sidecar, "shader_hash", shader_hash(kase->variant));
    cmd_report_tool(sidecar, "tool");
    return sidecar;
}

/* A value as JSON text, for messages. */
static void describe(const json_t *value, char *text, size_t bytes)
{
    char *dumped = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    cmd_copy(text, bytes, dumped != NULL ? dumped : "nothing");
    free(dumped);
}

static vfx_status compare_sidecars(const char *path, const json_t *found, const json_t *wanted)
{
    for (size_t i = 0; i < sizeof binding / sizeof *binding; i++) {
        const json_t *has = json_object_get(found, binding[i]), *needs = json_object_get(wanted, binding[i]);
        char has_text[128], needs_text[128];
        if (json_equal(has, needs))
            continue;
        describe(has, has_text, sizeof has_text);
        describe(needs, needs_text, sizeof needs_text);
        return vfx_fail(VFX_IO, "%s: \"%s\" is %s where the view has %s; bless the view anew if that is meant", path,
                        binding[i], has_text, needs_text);
    }
    if (!json_equal(json_object_get(found, "picture_hash"), json_object_get(wanted, "picture_hash")))
        return vfx_fail(VFX_IO,
                        "%s: \"picture_hash\" is not that of the picture beside it, which was replaced by other "
                        "means than golden bless",
                        path);
    return VFX_OK;
}

/* Tool and reason. */
static vfx_status read_story(const char *path, const json_t *sidecar, cmd_golden_file *golden)
{
    json_t *tool;
    const char *version, *git, *reason;
    VFX_TRY(cmd_json_get_object(sidecar, path, "tool", &tool));
    VFX_TRY(cmd_json_get_text(tool, path, "version", &version));
    VFX_TRY(cmd_json_get_text(tool, path, "git", &git));
    VFX_TRY(cmd_json_get_text(sidecar, path, "reason", &reason));
    (void)snprintf(golden->tool, sizeof golden->tool, "%.60s (%.60s)", version, git);
    cmd_copy(golden->reason, sizeof golden->reason, reason);
    return VFX_OK;
}

static vfx_status check_sidecar(const char *path, const json_t *found, const cmd_golden_key *key,
                                cmd_golden_file *golden)
{
    json_t *wanted = make_sidecar(key, &golden->picture);
    vfx_status status = compare_sidecars(path, found, wanted);
    if (status == VFX_OK)
        status = read_story(path, found, golden);
    golden->same_shaders = json_equal(json_object_get(found, "shader_hash"), json_object_get(wanted, "shader_hash"));
    json_decref(wanted);
    return status;
}

static vfx_status load_sidecar(const char *path, json_t **sidecar)
{
    void *data;
    size_t bytes;
    json_error_t error;
    VFX_TRY(vfx_read_file(path, MAX_SIDECAR, &data, &bytes));
    *sidecar = json_loadb(data, bytes, JSON_REJECT_DUPLICATES, &error);
    free(data);
    if (*sidecar == NULL)
        return vfx_fail(VFX_IO, "%s: line %d: %s", path, error.line, error.text);
    return VFX_OK;
}

/* ------------------------------------------------------------------------------------------- reading */

static vfx_status load_picture(cmd_golden_file *golden)
{
    void *data;
    size_t bytes;
    VFX_TRY(vfx_read_file(golden->path, CMD_GOLDEN_BYTES, &data, &bytes)); /* for the limit */
    free(data);
    VFX_TRY(vfx_picture_read(golden->path, &golden->picture));
    if (golden->picture.width != CMD_GOLDEN_WIDTH || golden->picture.height != CMD_GOLDEN_HEIGHT)
        return vfx_fail(VFX_IO, "%s has %" PRIu32 " x %" PRIu32 " pixels; a golden has %d x %d", golden->path,
                        golden->picture.width, golden->picture.height, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT);
    return VFX_OK;
}

vfx_status cmd_golden_load(const char *folder, const cmd_golden_key *key, cmd_golden_file *golden)
{
    char path[CMD_GOLDEN_PATH];
    json_t *sidecar = NULL;
    memset(golden, 0, sizeof *golden);
    VFX_TRY(cmd_golden_path(folder, key, ".png", golden->path));
    VFX_TRY(cmd_golden_path(folder, key, ".json", path));
    VFX_TRY(load_picture(golden));
    VFX_TRY(load_sidecar(path, &sidecar));
    vfx_status status = check_sidecar(path, sidecar, key, golden);
    json_decref(sidecar);
    return status;
}

void cmd_golden_free(cmd_golden_file *golden)
{
    vfx_picture_free(&golden->picture);
    memset(golden, 0, sizeof *golden);
}

/* ------------------------------------------------------------------------------------------- writing */

static vfx_status write_sidecar(const char *path, const cmd_golden_key *key, const vfx_picture *picture,
                                const char *reason)
{
    char *text = NULL;
    json_t *sidecar = make_sidecar(key, picture);
    cmd_json_text(sidecar, "reason", reason);
    vfx_status status = cmd_json_dump(sidecar, &text);
    if (status == VFX_OK)
        status = vfx_write_file(path, text, strlen(text));
    free(text);
    json_decref(sidecar);
    return status;
}

/* Writes both under their temporary names. */
static vfx_status write_new(const char *new_picture, const char *new_sidecar, const cmd_golden_key *key,
                            const vfx_picture *picture, const char *reason)
{
    void *data;
    size_t bytes;
    VFX_TRY(vfx_picture_write(new_picture, picture));
    VFX_TRY(vfx_read_file(new_picture, CMD_GOLDEN_BYTES, &data, &bytes)); /* for the limit */
    free(data);
    return write_sidecar(new_sidecar, key, picture, reason);
}

/* Between the two renames the picture does not fit its sidecar, which cmd_golden_load() would notice. */
static vfx_status rename_both(const char *new_picture, const char *picture, const char *new_sidecar,
                              const char *sidecar)
{
    if (rename(new_picture, picture) != 0)
        return vfx_fail(VFX_IO, "cannot replace %s: %s", picture, strerror(errno));
    if (rename(new_sidecar, sidecar) != 0)
        return vfx_fail(VFX_IO, "%s is new, but %s cannot be replaced: %s", picture, sidecar, strerror(errno));
    return VFX_OK;
}

vfx_status cmd_golden_save(const char *folder, const cmd_golden_key *key, const vfx_picture *picture,
                           const char *reason)
{
    char paths[4][CMD_GOLDEN_PATH];
    static const char *const suffixes[4] = {".png", ".json", ".png.new", ".json.new"};
    if (picture->width != CMD_GOLDEN_WIDTH || picture->height != CMD_GOLDEN_HEIGHT)
        return vfx_fail(VFX_USAGE, "a golden has %d x %d pixels, not %" PRIu32 " x %" PRIu32, CMD_GOLDEN_WIDTH,
                        CMD_GOLDEN_HEIGHT, picture->width, picture->height);
    for (uint32_t i = 0; i < 4; i++)
        VFX_TRY(cmd_golden_path(folder, key, suffixes[i], paths[i]));
    char *slash = strrchr(paths[0], '/');
    *slash = '\0';
    vfx_status status = vfx_make_folder(paths[0]);
    *slash = '/';
    for (uint32_t i = 0; i < 2 && status == VFX_OK; i++) /* a folder of that name, say */
        status = vfx_check_writable(paths[i]);
    if (status == VFX_OK)
        status = write_new(paths[2], paths[3], key, picture, reason);
    if (status == VFX_OK)
        status = rename_both(paths[2], paths[0], paths[3], paths[1]);
    if (status != VFX_OK) {
        (void)remove(paths[2]);
        (void)remove(paths[3]);
    }
    return status;
}
