/* bench/cmd_bake_test.c - `vfxbench bake` as a user runs it: what it writes and prints, and for each kind of bad input
 * the exit code, a message that names the thing, and nothing left behind. Needs no device and no model file. */
#include "core/test.h"

#include "bench/options.h"
#include "bench/states.h"
#include "core/image.h"
#include "core/platform.h"
#include "kernels/vat/bake.h"
#include "kernels/vat/tube.h"

#include <jansson.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[VFX_TEST_PATH], out[VFX_TEST_PATH]; /* `out` is below `folder` */
static char text[1 << 16];                             /* what the program printed last, both streams */

static int setup(void **state)
{
    (void)state;
    uint32_t count;
    const cmd_option *rows = cmd_option_rows(&count);
    for (uint32_t i = 0; i < count; i++) { /* the program inherits the environment */
        char name[64];
        cmd_option_variable(&rows[i], name, sizeof name);
        unsetenv(name);
    }
    vfx_test_folder(folder);
    vfx_test_path(out, folder, "out");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[VFX_TEST_PATH + 16];
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* Runs `vfxbench bake <arguments>` in the folder `where` and expects the exit code. */
static void bake_in(const char *where, int code, const char *arguments)
{
    char command[4096];
    (void)snprintf(command, sizeof command, "cd '%s' && '%s' bake %s 2>&1", where, VFX_PROGRAM, arguments);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    int status = pclose(stream);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
        fail_msg("%s: status %#x instead of exit code %d:\n%s", command, (unsigned)status, code, text);
}

static void bake(int code, const char *arguments)
{
    bake_in(folder, code, arguments);
}

static void assert_printed(const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text);
}

static size_t entries_of(const char *path)
{
    vfx_names names;
    assert_vfx_ok(vfx_list_folder(path, &names));
    size_t count = names.count;
    vfx_names_free(&names);
    return count;
}

static void put(const char *name, const void *data, size_t bytes)
{
    char path[VFX_TEST_PATH];
    vfx_test_path(path, folder, name);
    assert_vfx_ok(vfx_write_file(path, data, bytes));
}

static void put_skin(const char *name, uint32_t width, uint32_t bits)
{
    char path[VFX_TEST_PATH];
    uint16_t samples[4 * 16];
    for (uint32_t i = 0; i < 64; i++)
        samples[i] = (uint16_t)(bits == 8 ? i * 4 : i * 1024 + 3);
    const vfx_rgba image = {width, 2, bits, 0, samples};
    vfx_test_path(path, folder, name);
    assert_vfx_ok(vfx_rgba_write(path, &image));
}

/* ---------------------------------------------------------------------------------------- good input */

/* The built-in model, without a file: the folder can be read and the report says what is in it. */
static void test_built_in_model(void **state)
{
    (void)state;
    vat_bake b;
    char line[64];
    bake(CMD_EXIT_OK, "--out out --fps 12");
    assert_vfx_ok(vat_bake_read(out, &b));
    assert_true(b.format == VAT_U16OCT8 && b.vertices == 500 && b.clip_count == 5);
    assert_true(b.skin_layers == VAT_TUBE_SKINS && b.skin_width == VAT_TUBE_SKIN_SIDE);
    uint8_t skin[VAT_TUBE_SKIN_SIDE * VAT_TUBE_SKIN_SIDE * 4];
    vat_tube_skin(1, skin);
    assert_memory_equal(b.skin + sizeof skin, skin, sizeof skin);
    for (uint32_t i = 0; i < b.clip_count; i++)
        assert_printed(b.clips[i].name);
    (void)snprintf(line, sizeof line, "%.5f %%", 100 * b.temporal.worst);
    assert_printed(line);
    (void)snprintf(line, sizeof line, "%.5f %%", 100 * b.quantisation.worst);
    assert_printed(line);
    (void)snprintf(line, sizeof line, "%.5f deg", b.normal.worst);
    assert_printed(line);
    (void)snprintf(line, sizeof line, "bytes %llu", (unsigned long long)b.bytes);
    assert_printed(line);
    assert_printed("written to out");
    vat_bake_free(&b);
    bake(CMD_EXIT_OK, "--fps 12 --quiet");
    assert_string_equal(text, "");
    bake(CMD_EXIT_OK, "--fps 12");
    assert_null(strstr(text, "written"));
    assert_int_equal(entries_of(folder), 1);
}

static void test_every_option(void **state)
{
    (void)state;
    static const char *const formats[] = {"u16oct8", "rgba8", "rgba16", "f32", "bones"};
    static const char *const samplings[] = {"closed", "source", "source-late"};
    vat_bake all, b;
    char arguments[512];
    bake(CMD_EXIT_OK, "--out out --fps 9");
    assert_vfx_ok(vat_bake_read(out, &all));
    for (int f = 0; f < 5; f++)
        for (int s = 0; s < 3; s++) {
            (void)snprintf(arguments, sizeof arguments,
                           "--out out --fps 9 --format %s --sampling=%s --clip '%s' --clip '%s'", formats[f],
                           samplings[s], all.clips[1].name, all.clips[0].name);
            bake(CMD_EXIT_OK, arguments); /* replaces the earlier one */
            assert_vfx_ok(vat_bake_read(out, &b));
            assert_true((int)b.format == f && (int)b.sampling == s && b.clip_count == 2);
            assert_true(s != 0 || b.clips[0].frames == all.clips[0].frames);
            assert_true(s == 0 || b.clips[0].fps == 9);
            vat_bake_free(&b);
        }
    (void)snprintf(arguments, sizeof arguments, "--out out --loop '%s' --scale 0.25 --format rgba8 --fit",
                   all.clips[1].name);
    bake(CMD_EXIT_OK, arguments);
    assert_vfx_ok(vat_bake_read(out, &b));
    assert_true(b.clips[1].loop && !b.clips[0].loop && b.scale == 0.25 && fabs(b.extent / all.extent - 0.25) < 0.01);
    assert_true(b.map_min[1] == (float)b.box_min[1]);
    vat_bake_free(&b);
    bake(CMD_EXIT_OK, "--out out --loop all --fps 5");
    assert_vfx_ok(vat_bake_read(out, &b));
    for (uint32_t i = 0; i < b.clip_count; i++)
        assert_true(b.clips[i].loop);
    vat_bake_free(&b);
    (void)snprintf(arguments, sizeof arguments, "--out out --clip '%s' --fps 4 --max-error 0.5", all.clips[0].name);
    bake(CMD_EXIT_OK, arguments);
    assert_vfx_ok(vat_bake_read(out, &b));
    assert_true(b.temporal.worst <= 0.005 && b.clips[0].fps > 7);
    vat_bake_free(&b);
    vat_bake_free(&all);
}

/* --json prints the manifest as it is in the folder. */
static void test_json(void **state)
{
    (void)state;
    char path[VFX_TEST_PATH];
    void *manifest;
    size_t bytes;
    bake(CMD_EXIT_OK, "--out out --fps 5 --json");
    vfx_test_path(path, out, "manifest.json");
    assert_vfx_ok(vfx_read_file(path, 1 << 20, &manifest, &bytes));
    assert_string_equal(text, manifest);
    json_t *root = json_loads(text, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "model")), "tube");
    json_decref(root);
    free(manifest);
    bake(CMD_EXIT_USAGE, "--json");
    assert_printed("add --out");
}

/* PNGs of 8 and of 16 bits become layers in the order given. */
static void test_skins(void **state)
{
    (void)state;
    vat_bake b;
    put_skin("a.png", 8, 8);
    put_skin("b.png", 8, 16);
    bake(CMD_EXIT_OK, "--out out --fps 5 --skin a.png --skin b.png");
    assert_vfx_ok(vat_bake_read(out, &b));
    assert_true(b.skin_layers == 2 && b.skin_width == 8 && b.skin_height == 2);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(b.skin[i], i * 4);
        assert_int_equal(b.skin[64 + i], (int)lround((i * 1024 + 3) / 257.0));
    }
    vat_bake_free(&b);
}

/* The working directory, empty or with an earlier bake, is not replaced under the caller's feet. */
static void test_working_directory(void **state)
{
    (void)state;
    static const char *const names[] = {"--fps 5 --out .", "--fps 5 --out ./", "--fps 5 --out ../out",
                                        "--fps 5 --out \"$PWD\""};
    assert_vfx_ok(vfx_make_folder(out));
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const size_t before = entries_of(out);
        bake_in(out, CMD_EXIT_USAGE, names[i / 2]);
        assert_printed("working directory");
        assert_int_equal(entries_of(out), before);
        bake(CMD_EXIT_OK, "--fps 5 --out out --quiet"); /* from outside */
    }
}

static void test_help(void **state)
{
    (void)state;
    bake(CMD_EXIT_OK, "--help");
    assert_printed("[MODEL.glb|MODEL.gltf]");
    assert_printed("--max-error PERCENT");
    assert_null(strstr(text, "GLOB"));
    assert_null(strstr(text, "--exclude"));
}

/* ----------------------------------------------------------------------------------------- bad input */

/* Arguments, exit code, and what the message must have. */
static const struct {
    const char *arguments;
    int code;
    const char *part, *other;
} wrong_rows[] = {
    {"missing.glb --out out", CMD_EXIT_INFRA, "missing.glb", "No such file"},
    {"bad.glb --out out", CMD_EXIT_INFRA, "bad.glb", NULL},
    {"bad.gltf --out out", CMD_EXIT_INFRA, "bad.gltf", NULL},
    {"text.png --out out", CMD_EXIT_INFRA, "text.png", NULL},
    {"a.glb b.glb --out out", CMD_EXIT_USAGE, "b.glb", "one model"},
    {"--out out --clip nothing", CMD_EXIT_USAGE, "--clip 'nothing'", NULL},
    {"--out out --loop nothing", CMD_EXIT_USAGE, "--loop 'nothing'", NULL},
    {"--out out --loop all --loop none", CMD_EXIT_USAGE, "--loop all", "alone"},
    {"--out out --fps 0", CMD_EXIT_USAGE, "--fps: 0", "0.001"},
    {"--out out --fps -3", CMD_EXIT_USAGE, "--fps: -3", NULL},
    {"--out out --fps nan", CMD_EXIT_USAGE, "--fps: nan", NULL},
    {"--out out --fps 60000", CMD_EXIT_INFRA, "frames", "60000"},
    {"--out out --max-frames 3", CMD_EXIT_USAGE, "--max-frames is 3", NULL},
    {"--out out --max-error 0.001 --max-frames 2000", CMD_EXIT_USAGE, "--max-error 0.001", "2000"},
    {"--out out --format rgb", CMD_EXIT_USAGE, "--format: 'rgb'", "u16oct8"},
    {"--out out --sampling often", CMD_EXIT_USAGE, "--sampling: 'often'", "source-late"},
    {"--out out --fit", CMD_EXIT_USAGE, "--fit", "rgba8"},
    {"--out out --format rgba8 --scale 3", CMD_EXIT_USAGE, "add --scale", "--fit"},
    {"--out out --scale 0", CMD_EXIT_USAGE, "--scale: 0", NULL},
    {"--out out --skin two.png --skin four.png", CMD_EXIT_USAGE, "four.png is 4 x 2", "2 x 2"},
    {"--out out --skin text.png", CMD_EXIT_INFRA, "text.png", "not a PNG"},
    {"--out out --skin none.png", CMD_EXIT_INFRA, "none.png", "No such file"},
    {"--out full", CMD_EXIT_USAGE, "letter.txt", "another folder"},
    {"--out text.png", CMD_EXIT_INFRA, "text.png", NULL},
    {"pipe --out out", CMD_EXIT_INFRA, "pipe", "no regular file"},
    {"--out out --skin pipe", CMD_EXIT_INFRA, "pipe", "no regular file"},
    {"missing.glb --out dangling", CMD_EXIT_INFRA, "dangling", "leads nowhere"}, /* before the model is read */
    {"--out nowhere/out", CMD_EXIT_INFRA, "nowhere/out", "No such file"},
    {"--out /proc/out", CMD_EXIT_INFRA, "/proc/out", NULL},
    {"--out ''", CMD_EXIT_USAGE, "--out", "empty"},
    {"--out", CMD_EXIT_USAGE, "--out needs a value", NULL},
    {"--dump out", CMD_EXIT_USAGE, "'--dump' does not apply to 'bake'", NULL},
};

static void test_bad_input(void **state)
{
    (void)state;
    put_skin("two.png", 2, 8);
    put_skin("four.png", 4, 8);
    put("text.png", "no picture", 10);
    put("bad.glb", "glTF and so on", 14);
    put("bad.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": 7}", 42);
    char path[VFX_TEST_PATH];
    vfx_test_path(path, folder, "full");
    assert_vfx_ok(vfx_make_folder(path));
    put("full/letter.txt", "dear", 4);
    char link[VFX_TEST_PATH], fifo[VFX_TEST_PATH];
    vfx_test_path(link, folder, "dangling");
    vfx_test_path(fifo, folder, "pipe");
    assert_int_equal(symlink("nowhere", link), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    bake(CMD_EXIT_OK, "--fps 5 --quiet"); /* the arguments of the rows are all that is wrong */
    size_t before = entries_of(folder);
    for (size_t i = 0; i < sizeof wrong_rows / sizeof *wrong_rows; i++) {
        bake(wrong_rows[i].code, wrong_rows[i].arguments);
        assert_printed(wrong_rows[i].part);
        if (wrong_rows[i].other != NULL)
            assert_printed(wrong_rows[i].other);
        assert_int_equal(strncmp(text, "vfxbench: ", 10), 0);
        if (entries_of(folder) != before)
            fail_msg("'%s' left something behind", wrong_rows[i].arguments);
    }
    assert_int_equal(entries_of(path), 1);
}

static int remove_out(void **state)
{
    (void)state;
    char command[VFX_TEST_PATH + 32];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", out);
    return system(command);
}

#define TEST(function) cmocka_unit_test_setup(function, remove_out)

static const struct CMUnitTest tests[] = {TEST(test_built_in_model), TEST(test_every_option),      TEST(test_json),
                                          TEST(test_skins),          TEST(test_working_directory), TEST(test_help),
                                          TEST(test_bad_input)};

int main(void)
{
    return cmocka_run_group_tests(tests, setup, teardown);
}
