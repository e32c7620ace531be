/* bench/cmd_device_test.c - the program itself, run as a user runs it: exit codes, what it prints, what its result file
 * says. On the device of VFXBENCH_DEVICE, else on the best one. */
#include "core/test_device.h"

#include "bench/dump.h"
#include "bench/golden.h"
#include "bench/options.h"
#include "bench/picture_run.h"
#include "core/params.h"
#include "core/platform.h"
#include "kernels/kernels.h"

#include <sys/wait.h>

VFX_SPIRV_DECLARE(tentacle_mesh_ring)

static char folder[VFX_TEST_PATH], output[VFX_TEST_PATH], shader[VFX_TEST_PATH];
static char device[300];   /* the option that chooses the device */
static char text[1 << 16]; /* what the program printed last, both streams */
static json_t *report;     /* its result file; NULL: none */

static int setup(void **state)
{
    const char *named = getenv("VFXBENCH_DEVICE");
    if (open_device(state) != 0)
        return -1;
    if (named != NULL && *named != '\0')
        (void)snprintf(device, sizeof device, "--device '%.256s'", named);
    else
        (void)snprintf(device, sizeof device, "--allow-cpu");
    uint32_t count;
    const cmd_option *rows = cmd_option_rows(&count);
    for (uint32_t i = 0; i < count; i++) { /* the program inherits the environment */
        char name[64];
        cmd_option_variable(&rows[i], name, sizeof name);
        unsetenv(name);
    }
    vfx_test_folder(folder);
    vfx_test_path(output, folder, "result.json");
    vfx_test_path(shader, folder, "wrong.spv");
    return 0;
}

static int teardown(void **state)
{
    char command[VFX_TEST_PATH + 16];
    json_decref(report);
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) == 0 ? close_device(state) : -1;
}

/* Runs `vfxbench <arguments> -o result.json <device>`, expects the exit code, loads the result file. */
static void program(int code, const char *arguments)
{
    char command[4096];
    vfx_test_remove(output);
    json_decref(report);
    (void)snprintf(command, sizeof command, "'%s' %s -o '%s' %s 2>&1", VFX_PROGRAM, arguments, output, device);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    int status = pclose(stream);
    report = json_load_file(output, 0, NULL);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
        fail_msg("%s: status %#x instead of exit code %d:\n%s", command, (unsigned)status, code, text);
}

static void assert_printed(const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text);
}

/* The only case of the result file. */
static json_t *the_case(void)
{
    json_t *cases = json_object_get(report, "cases");
    assert_int_equal(json_array_size(cases), 1);
    return json_array_get(cases, 0);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("%s is not a number", key);
    return json_number_value(value);
}

static void assert_state(const char *state)
{
    assert_string_equal(text_of(the_case(), "state"), state);
    assert_true(number_of(json_object_get(report, "summary"), state) > 0.0);
}

/* ------------------------------------------------------------------------------------------ verify */

/* Is this value the case's own, or one of a sweep that passed? */
static bool was_verified(const json_t *object, const char *name, const char *value)
{
    char end[128];
    (void)snprintf(end, sizeof end, " %s=%s", name, value);
    const json_t *sweeps = json_object_get(object, "sweeps");
    for (size_t i = 0; i < json_array_size(sweeps); i++) {
        const json_t *sweep = json_array_get(sweeps, i);
        const char *id = text_of(sweep, "id");
        size_t length = strlen(id);
        if (length > strlen(end) && strcmp(id + length - strlen(end), end) == 0)
            return strcmp(text_of(sweep, "state"), "pass") == 0 && number_of(sweep, "frames") > 0.0;
    }
    return strcmp(text_of(json_object_get(object, "parameters"), name), value) == 0;
}

static void test_verify_passes(void **state)
{
    (void)state;
    need_device();
    assert_no_messages();
    program(0, "verify tentacle/ring/ci --frames 3 --set tentacles=9");
    assert_state("pass");
    const json_t *object = the_case();
    assert_int_equal(number_of(object, "frames_compared"), 3);
    assert_true(json_array_size(json_object_get(object, "checks")) > 0);
    size_t sweeps = json_array_size(json_object_get(object, "sweeps"));
    char counted[64];
    (void)snprintf(counted, sizeof counted, "3 frames + %zu sweeps", sweeps);
    assert_true(sweeps > 0);
    assert_printed(counted);
    const vfx_kernel *kernel = vfx_kernels[0];
    assert_string_equal(kernel->name, "tentacle");
    uint32_t swept = 0;
    for (uint32_t p = 0; p < kernel->param_count; p++) {
        const vfx_param *param = &kernel->params[p];
        if (param->type != VFX_ENUMERATION && param->type != VFX_BOOL)
            continue;
        for (uint32_t v = 0; v <= (uint32_t)param->max; v++, swept++) {
            char value[64];
            vfx_param_format(param, v, value, sizeof value);
            if (!was_verified(object, param->name, value))
                fail_msg("%s=%s was not verified", param->name, value);
        }
    }
    assert_true(swept >= 10); /* that this loop saw something */
}

/* Changes an instruction, or returns false. */
typedef bool edit_fn(uint32_t *instruction);

/* Writes the mesh shader with every instruction edited. */
static void write_shader(edit_fn *edit)
{
    size_t bytes = tentacle_mesh_ring_spirv.bytes;
    uint32_t *words = malloc(bytes), edited = 0;
    assert_non_null(words);
    memcpy(words, tentacle_mesh_ring_spirv.words, bytes);
    for (size_t i = 5, length = 0; i < bytes / 4; i += length) {
        length = words[i] >> 16;
        assert_true(length > 0);
        edited += edit(&words[i]);
    }
    assert_true(edited > 0);
    assert_vfx_ok(vfx_write_file(shader, words, bytes));
    free(words);
}

/* Fails with the shader that was written. */
static void program_with_shader(const char *arguments)
{
    char command[5 * VFX_TEST_PATH];
    (void)snprintf(command, sizeof command, "%s --shader 'tentacle.mesh=%s'", arguments, shader);
    program(1, command);
    assert_state("fail");
    const json_t *rows = json_object_get(the_case(), "shaders");
    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(text_of(json_array_get(rows, 0), "file"), shader);
}

/* OpConstant: the full turn of the angles becomes 6. */
static bool shorten_turn(uint32_t *instruction)
{
    const uint32_t turn = 0x40c90fdbu, six = 0x40c00000u;
    if (instruction[0] != (4u << 16 | 43u) || instruction[3] != turn)
        return false;
    instruction[3] = six;
    return true;
}

static void program_with_wrong_shader(const char *arguments)
{
    write_shader(shorten_turn);
    program_with_shader(arguments);
}

/* OpUGreaterThanEqual: `particle >= count` becomes `particle >= particle`, so that every invocation leaves at once. */
static bool leave_at_once(uint32_t *instruction)
{
    if (instruction[0] != (5u << 16 | 174u))
        return false;
    instruction[4] = instruction[3];
    return true;
}

static void program_with_idle_shader(const char *arguments)
{
    write_shader(leave_at_once);
    program_with_shader(arguments);
}

static void test_wrong_kernel_fails(void **state)
{
    (void)state;
    need_device();
    program_with_wrong_shader("verify tentacle/ring/ci --frames 3 --set tentacles=9");
    static const char *const parts[] = {"frame 1",   "tentacle 0", "joint 0", "vertex.",
                                        "reference", "device",     "limit",   "repeat with: vfxbench verify"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_printed(parts[i]);
    assert_null(strstr(text, "tentacle/ring/ci: tentacle/ring/ci"));
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        if (strncmp(line, "    fail ", 9) == 0 && strcspn(line, "\n") > 160)
            fail_msg("a sweep line of %zu characters:\n%s", strcspn(line, "\n"), text);
    }
}

static void test_repeat(void **state)
{
    (void)state;
    need_device();
    program(0, "verify tentacle/ring/ci --frames 3 --mode repeat");
    assert_state("pass");
    assert_string_equal(text_of(the_case(), "mode"), "repeat");
    assert_true(strlen(text_of(the_case(), "hash")) > 1);
}

/* ------------------------------------------------------------------------------------ run, against */

static void hash_of(const char *options, char hash[32])
{
    char command[256];
    (void)snprintf(command, sizeof command, "run tentacle/ring/ci --frames 3 %s", options);
    program(0, command);
    (void)snprintf(hash, 32, "%s", text_of(the_case(), "hash"));
    assert_true(strlen(hash) > 1);
}

static void test_hashes(void **state)
{
    (void)state;
    need_device();
    char plain[32], other[32];
    hash_of("", plain);
    hash_of("--seed 1", other);
    assert_string_equal(plain, other);
    hash_of("--seed 2", other);
    assert_string_not_equal(plain, other);
    hash_of("--dt 0.01", other);
    assert_string_not_equal(plain, other);
    hash_of("--workgroup 32", other);
    assert_string_equal(plain, other);
    assert_int_equal(number_of(the_case(), "workgroup"), 32);
}

static void test_against(void **state)
{
    (void)state;
    need_device();
    char dump[VFX_TEST_PATH], command[3 * VFX_TEST_PATH];
    vfx_test_path(dump, folder, "dump");
    (void)snprintf(command, sizeof command, "run tentacle/ring/ci --frames 3 --every 1 --dump '%s'", dump);
    program(0, command);
    assert_state("pass");
    assert_printed("ran         tentacle/ring/ci  3 frames  hash ");
    assert_printed("(not checked; see verify)");
    (void)snprintf(command, sizeof command, "verify --against '%s'", dump);
    program(0, command);
    assert_state("pass");
    assert_printed("compared: 3 bitwise, 0 in the step tolerance, 0 in the free-run tolerance, 0 not comparable");
    assert_int_equal(number_of(the_case(), "frames_equal"), 3);
    program_with_wrong_shader(command);
    assert_printed("tentacle 0");
    assert_printed("\n  dump  ");
    vfx_test_path(command, dump, "manifest.json"); /* what made the dump is in it */
    json_t *manifest = json_load_file(command, 0, NULL);
    assert_true(json_is_array(json_object_get(manifest, "shaders")));
    assert_int_equal(number_of(manifest, "workgroup"), 0);
    json_decref(manifest);
}

/* The dump of `dump` again, but its vertices as if nobody had written them. */
static void poison_dump(const char *dump)
{
    cmd_dump_reader reader;
    cmd_dump again;
    vfx_host host;
    assert_vfx_ok(cmd_dump_open(&reader, dump, vfx_kernels, vfx_kernel_count));
    assert_int_equal(reader.frame_count, 1);
    assert_vfx_ok(vfx_host_create(&host, &reader.kase, reader.mask));
    assert_vfx_ok(cmd_dump_read(&reader, 0, &host));
    uint32_t poisoned = 0;
    for (uint32_t i = 0; i < reader.kase.kernel->buffer_count; i++) {
        bool vertices = strcmp(reader.kase.kernel->buffers[i].name, "vertex") == 0;
        for (size_t w = 0; vertices && host.buffer[i] != NULL && w < host.bytes[i] / 4; w++, poisoned++)
            ((uint32_t *)host.buffer[i])[w] = VFX_POISON_WORD;
    }
    assert_true(poisoned > 0);
    assert_vfx_ok(cmd_dump_begin(&again, dump, &reader.kase, &reader.at, 0, NULL));
    assert_vfx_ok(cmd_dump_frame(&again, reader.frames[0], &host));
    assert_vfx_ok(cmd_dump_end(&again));
    cmd_dump_free(&again);
    vfx_host_destroy(&host);
    cmd_dump_close(&reader);
}

/* Results that nobody writes fail a run, leave no manifest, and are not excused by a dump that holds the same. */
static void test_unwritten(void **state)
{
    (void)state;
    need_device();
    char dump[VFX_TEST_PATH], manifest[VFX_TEST_PATH], make[3 * VFX_TEST_PATH], check[3 * VFX_TEST_PATH];
    vfx_test_path(dump, folder, "unwritten");
    vfx_test_path(manifest, folder, "unwritten/manifest.json");
    (void)snprintf(make, sizeof make, "run tentacle/ring/ci --frames 1 --dump '%s'", dump);
    program_with_idle_shader(make);
    assert_printed("buffer 'vertex', record 0, field position: unwritten");
    assert_null(fopen(manifest, "rb"));
    program(0, make);
    poison_dump(dump);
    (void)snprintf(check, sizeof check, "verify --against '%s'", dump);
    program_with_idle_shader(check);
    assert_printed("buffer 'vertex', record 0, field position: unwritten");
}

/* ----------------------------------------------------------------------------------- goldens, pictures */

/* The first view of family tentacle; skips where it has none that draws `ring`. */
static const vfx_view *need_view(void)
{
    need_device();
    const vfx_kernel *kernel = vfx_kernel_find("tentacle");
    const vfx_view *view = cmd_view_find(kernel, &kernel->variants[0], NULL);
    if (view == NULL)
        skip();
    assert_string_equal(kernel->variants[0].name, "ring");
    return view;
}

static bool there_is(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        (void)fclose(file);
    return file != NULL;
}

/* Blesses the view's goldens into a folder of the test's; `key` is the first of them. */
static void bless_view(const vfx_view *view, vfx_case *kase, cmd_golden_key *key, char goldens[VFX_TEST_PATH])
{
    static uint32_t folders;
    char name[32], command[2 * VFX_TEST_PATH];
    (void)snprintf(name, sizeof name, "goldens%u", (unsigned)folders++);
    vfx_test_path(goldens, folder, name);
    const vfx_kernel *kernel = vfx_kernel_find("tentacle");
    assert_vfx_ok(cmd_golden_case(kernel, cmd_golden_variant(kernel, view), view, kase));
    *key = (cmd_golden_key){kase, view, view->frames[0]};
    (void)snprintf(command, sizeof command, "golden bless 'tentacle/*/%s' --goldens '%s' --reason test", view->name,
                   goldens);
    program(0, command);
}

/* Checks variant ring's picture, with failures below the test's folder. */
static void check_view(int code, const vfx_view *view, const char *goldens, const char *failures, const char *more)
{
    char command[5 * VFX_TEST_PATH];
    (void)snprintf(command, sizeof command, "golden check 'tentacle/ring/%s' --goldens '%s' --out '%s' %s", view->name,
                   goldens, failures, more);
    program(code, command);
}

/* Of the report's case `i`. */
static const json_t *golden_of(size_t i)
{
    return json_object_get(json_array_get(json_object_get(report, "cases"), i), "golden");
}

static void test_golden_passes(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char goldens[VFX_TEST_PATH], failures[VFX_TEST_PATH];
    vfx_case kase;
    cmd_golden_key key;
    vfx_test_path(failures, folder, "passes");
    bless_view(view, &kase, &key, goldens);
    assert_printed("blessed ");
    check_view(0, view, goldens, failures, "");
    assert_printed("pass ");
    assert_false(there_is(failures));
    const json_t *golden = golden_of(0);
    assert_string_equal(text_of(golden, "view"), view->name);
    assert_int_equal(number_of(golden, "frame"), view->frames[0]);
    assert_string_equal(text_of(golden, "blessed_reason"), "test");
    assert_true(json_is_true(json_object_get(golden, "shaders_as_blessed")));
    assert_string_not_equal(text_of(golden, "gate"), "failed");
    check_view(0, view, goldens, failures, "--md");
    assert_printed("| golden ");
}

/* 8 x 8 pixels of a golden wholly wrong. */
static void test_golden_fails(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char goldens[VFX_TEST_PATH], failures[VFX_TEST_PATH], path[VFX_TEST_PATH];
    vfx_case kase;
    cmd_golden_key key;
    cmd_golden_file golden;
    vfx_test_path(failures, folder, "fails");
    bless_view(view, &kase, &key, goldens);
    assert_vfx_ok(cmd_golden_load(goldens, &key, &golden));
    for (uint32_t y = 100; y < 108; y++) {
        for (uint32_t i = 0; i < 8 * 3; i++) {
            uint8_t *byte = &golden.picture.rgb[(y * CMD_GOLDEN_WIDTH + 180) * 3 + i];
            *byte = (uint8_t)(*byte + 128);
        }
    }
    assert_vfx_ok(cmd_golden_save(goldens, &key, &golden.picture, "test"));
    cmd_golden_free(&golden);
    check_view(1, view, goldens, failures, "");
    assert_printed("fail ");
    assert_printed(" of 82944 pixels, by up to ");
    assert_printed("repeat with: `vfxbench golden check tentacle/ring/");
    assert_printed("numbers behind it: `vfxbench verify tentacle/ring/");
    assert_string_equal(text_of(golden_of(0), "gate"), "failed");
    assert_true(number_of(golden_of(0), "blob_pixels") >= 64.0);
    static const char *const names[] = {"actual", "heat", "sheet"};
    for (size_t i = 0; i < 3; i++) {
        vfx_picture drawn;
        (void)snprintf(path, sizeof path, "%.400s/tentacle-ring-%.40s-%03u.%s.png", failures, view->name,
                       (unsigned)view->frames[0], names[i]);
        assert_string_equal(text_of(json_object_get(golden_of(0), "files"), names[i]), path);
        assert_vfx_ok(vfx_picture_read(path, &drawn));
        assert_int_equal(drawn.height, CMD_GOLDEN_HEIGHT);
        assert_true(drawn.width >= CMD_GOLDEN_WIDTH * (i == 2 ? 3u : 1u));
        vfx_picture_free(&drawn);
    }
}

/* A golden that is not there is an error that writes nothing; others of the view are compared all the same. */
static void test_golden_missing(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char goldens[VFX_TEST_PATH], failures[VFX_TEST_PATH], nothing[VFX_TEST_PATH], path[CMD_GOLDEN_PATH];
    vfx_case kase;
    cmd_golden_key key;
    vfx_test_path(failures, folder, "missing");
    bless_view(view, &kase, &key, goldens);
    assert_vfx_ok(cmd_golden_path(goldens, &key, ".png", path));
    vfx_test_remove(path);
    check_view(5, view, goldens, failures, "");
    assert_printed("infra-error ");
    assert_printed(path);
    assert_false(there_is(path) || there_is(failures));
    json_t *cases = json_object_get(report, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++)
        assert_string_equal(text_of(json_array_get(cases, i), "state"), i == 0 ? "infra-error" : "pass");
    vfx_test_path(nothing, folder, "nothing");
    check_view(5, view, nothing, failures, "");
    assert_printed("there is no folder");
    assert_false(there_is(nothing) || there_is(failures));
}

/* What is not finite or not written is not drawn. */
static void test_golden_unwritten(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char goldens[VFX_TEST_PATH], failures[VFX_TEST_PATH], more[2 * VFX_TEST_PATH], repeat[2 * VFX_TEST_PATH];
    vfx_case kase;
    cmd_golden_key key;
    vfx_test_path(failures, folder, "unwritten-goldens");
    bless_view(view, &kase, &key, goldens);
    write_shader(leave_at_once);
    (void)snprintf(more, sizeof more, "--shader 'tentacle.mesh=%s'", shader);
    (void)snprintf(repeat, sizeof repeat, " --shader 'tentacle.mesh=%s'", shader);
    check_view(1, view, goldens, failures, more);
    assert_printed("buffer 'vertex', record 0, field position: unwritten or not finite");
    assert_printed(repeat);
    assert_false(there_is(failures));
    assert_true(json_is_null(json_object_get(golden_of(0), "gate")));
}

static void test_golden_usage(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char command[4 * VFX_TEST_PATH], goldens[VFX_TEST_PATH];
    vfx_test_path(goldens, folder, "never");
    write_shader(shorten_turn);
    (void)snprintf(command, sizeof command,
                   "golden bless 'tentacle/*' --goldens '%s' --reason x --shader tentacle.mesh=%s", goldens, shader);
    program(64, command);
    assert_printed("while a shader is overridden");
    (void)snprintf(command, sizeof command, "golden bless 'tentacle/*' --goldens '%s'", goldens);
    program(64, command);
    assert_printed("add --reason");
    assert_false(there_is(goldens));
    program(64, "golden check --reason x");
    program(64, "golden chek");
    assert_printed("no golden matches 'chek'");
    assert_printed(view->name);
}

/* A PNG of this size. */
static void assert_picture(const char *path, uint32_t width, uint32_t height)
{
    vfx_picture drawn;
    assert_vfx_ok(vfx_picture_read(path, &drawn));
    assert_int_equal(drawn.width, width);
    assert_int_equal(drawn.height, height);
    vfx_picture_free(&drawn);
}

static void test_image(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char command[2 * VFX_TEST_PATH], path[VFX_TEST_PATH];
    vfx_test_path(path, folder, "one.png");
    (void)snprintf(command, sizeof command, "run tentacle/ring/ci --frames 3 --image '%s' --size 320x200", path);
    program(0, command);
    assert_picture(path, 320, 200);
    assert_printed(path);
    assert_string_equal(text_of(the_case(), "view"), view->name);
    const json_t *files = json_object_get(the_case(), "images");
    assert_int_equal(json_array_size(files), 1);
    assert_string_equal(text_of(json_array_get(files, 0), "file"), path);
    vfx_test_path(path, folder, "all.png");
    (void)snprintf(command, sizeof command, "run tentacle/ring/ci --frames 3 --every 2 --image '%s' --size 64x32",
                   path);
    program(0, command);
    assert_false(there_is(path));
    vfx_test_path(path, folder, "all.000002.png");
    assert_picture(path, 64, 32);
    vfx_test_path(path, folder, "all.000003.png");
    assert_picture(path, 64, 32);
    vfx_test_path(path, folder, "both.png");
    (void)snprintf(command, sizeof command,
                   "run tentacle/ring/ci tentacle/ring/odd --frames 1 --image '%s' --size 64x32 --view %s", path,
                   view->name);
    program(0, command);
    vfx_test_path(path, folder, "both-tentacle-ring-odd.png");
    assert_picture(path, 64, 32);
}

static void test_image_refusals(void **state)
{
    (void)state;
    const vfx_view *view = need_view();
    char command[3 * VFX_TEST_PATH], path[VFX_TEST_PATH];
    vfx_test_path(path, folder, "wrong.png");
    static const struct {
        const char *options, *part;
    } rows[] = {{"--size 0x7", "--size: '0x7'"},    {"--size 10x9000", "1 to 8192"}, {"--size 10", "WIDTHxHEIGHT"},
                {"--size 10x10x3", "WIDTHxHEIGHT"}, {"--size -1x5", "WIDTHxHEIGHT"}, {"--view none", "a view 'none'"},
                {"--view none", "tentacle has"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(command, sizeof command, "run tentacle/ring/ci --frames 1 --image '%s' %s", path,
                       rows[i].options);
        program(64, command);
        assert_printed(rows[i].part);
    }
    assert_printed(view->name);
    program(64, "run tentacle/ring/ci --frames 1 --size 10x10");
    assert_printed("add --image");
    program(64, "run tentacle/ring/ci --frames 1 --image picture.jpg");
    assert_printed("not the name of a .png file");
    program(64, "run tentacle/ring/ci --frames 1 --every 1");
    program(5, "run tentacle/ring/ci --frames 1 --image /nonexistent/a.png");
    (void)snprintf(command, sizeof command, "run tentacle/ring/ci --frames 1 --image '%s'", path);
    program_with_idle_shader(command);
    assert_printed("buffer 'vertex', record 0, field position: unwritten");
    assert_false(there_is(path));
}

/* ---------------------------------------------------------------------------------------------- time */

static void test_time(void **state)
{
    (void)state;
    need_device();
    program(0, "time tentacle/ring/ci --frames 3 --runs 4 --min-time 0 --max-time 2 --launches 1");
    assert_state("pass");
    const json_t *timing = json_object_get(the_case(), "timing");
    const json_t *samples = json_object_get(timing, "samples_ns");
    double runs = number_of(timing, "runs");
    assert_true(runs >= 4.0);
    assert_true((double)json_array_size(samples) == runs);
    for (size_t i = 0; i < json_array_size(samples); i++)
        assert_true(json_number_value(json_array_get(samples, i)) > 0.0);
    assert_true(number_of(timing, "warmup_runs") >= 1.0 && number_of(timing, "warmup_ns") > 0.0);
    const json_t *passes = json_object_get(timing, "passes");
    double sum = 0.0;
    for (size_t i = 0; i < json_array_size(passes); i++) {
        const json_t *pass = json_array_get(passes, i);
        if (json_is_true(json_object_get(pass, "once")))
            assert_true(json_is_null(json_object_get(pass, "median_ns")));
        else
            sum += number_of(pass, "median_ns");
    }
    assert_true(sum > 0.0);
    assert_true(number_of(json_object_get(timing, "frame_ns"), "median") >= 0.5 * sum);
    /* the index pass writes its buffer once, before the frames: the frame's traffic is particles and vertices */
    const vfx_kernel *kernel = vfx_kernels[0];
    vfx_case kase;
    assert_vfx_ok(vfx_case_init(&kase, kernel, &kernel->variants[0], "ci"));
    double written = 0.0;
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        if (strcmp(kernel->buffers[i].name, "particle") == 0 || strcmp(kernel->buffers[i].name, "vertex") == 0)
            written += (double)kernel->buffers[i].count(&kase) * kernel->buffers[i].stride;
    assert_float_equal(number_of(json_object_get(timing, "rates"), "bytes_written"), written, 0.5);
    const json_t *upload = json_object_get(timing, "upload");
    uint64_t records, texels, bytes;
    assert_vfx_ok(vfx_upload_bytes(&kase, &records, &texels));
    assert_vfx_ok(cmd_json_get_u64(upload, "upload", "bytes", &bytes));
    assert_true(bytes > 0 && bytes == records + texels);
    assert_string_equal(text_of(upload, "mode"), "single");
    assert_true(number_of(json_object_get(upload, "host_ms"), "median") > 0.0);
    assert_true(number_of(json_object_get(upload, "gpu_ms"), "median") > 0.0);
    assert_printed("upload: ");
    assert_printed("B (single)");
}

/* A wrong result has no time, neither printed nor written. */
static void test_wrong_kernel_is_not_timed(void **state)
{
    (void)state;
    need_device();
    program_with_wrong_shader("time tentacle/ring/ci --frames 3 --runs 1 --min-time 0 --launches 2");
    assert_printed("not timed, its check did not pass");
    assert_null(json_object_get(the_case(), "timing"));
    assert_null(strstr(text, "ms/frame"));
}

/* ------------------------------------------------------------------------------ what does not work */

static void test_unsupported(void **state)
{
    (void)state;
    need_device();
    program(77, "verify tentacle/ring/ci --frames 3 --set tentacles=4M --set particles=64 --set sides=16");
    assert_state("unsupported");
    assert_printed("unsupported tentacle/ring/ci: needs ");
    assert_printed(", device offers ");
}

/* What only loading a case shows to be a clash ends the program like one that the parameters alone show. */
static void test_clash_found_by_loading(void **state)
{
    (void)state;
    need_device();
    static const char *const verbs[] = {"verify", "run", "time --unchecked", "time"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "%s vat/texel/ci --frames 1 --set model=a.glb --set asset=b",
                       verbs[i]);
        program(64, arguments);
        assert_printed("vfxbench: ");
        assert_printed("give one of them");
        assert_null(report);
    }
}

static void test_unwritable_output(void **state)
{
    (void)state;
    need_device();
    char kept[VFX_TEST_PATH];
    (void)snprintf(kept, sizeof kept, "%s", output);
    (void)snprintf(output, sizeof output, "/nonexistent/result.json");
    program(5, "run tentacle/ring/ci --frames 3");
    (void)snprintf(output, sizeof output, "%s", kept);
    assert_printed("cannot write /nonexistent/result.json");
    assert_null(report);
}

/* The report is there, the other cases are not run, and no exit handler hangs or crashes. */
static void test_timeout(void **state)
{
    (void)state;
    need_device();
    if (vfx_gpu_info(gpu)->type != VFX_DEVICE_CPU)
        skip(); /* it may be done within the shortest timeout */
    for (int i = 0; i < 3; i++) {
        program(4, "run tentacle/ring/default tentacle/fused/ci --set tentacles=20k --fence-timeout 0.001");
        const json_t *cases = json_object_get(report, "cases");
        assert_int_equal(json_array_size(cases), 2);
        assert_string_equal(text_of(json_array_get(cases, 0), "state"), "timeout");
        assert_string_equal(text_of(json_array_get(cases, 1), "state"), "not-run");
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_verify_passes),  cmocka_unit_test(test_wrong_kernel_fails),
    cmocka_unit_test(test_repeat),         cmocka_unit_test(test_hashes),
    cmocka_unit_test(test_against),        cmocka_unit_test(test_unwritten),
    cmocka_unit_test(test_golden_passes),  cmocka_unit_test(test_golden_fails),
    cmocka_unit_test(test_golden_missing), cmocka_unit_test(test_golden_unwritten),
    cmocka_unit_test(test_golden_usage),   cmocka_unit_test(test_image),
    cmocka_unit_test(test_image_refusals), cmocka_unit_test(test_clash_found_by_loading),
    cmocka_unit_test(test_time),           cmocka_unit_test(test_wrong_kernel_is_not_timed),
    cmocka_unit_test(test_unsupported),    cmocka_unit_test(test_unwritable_output),
    cmocka_unit_test(test_timeout),
};

int main(void)
{
    return cmocka_run_group_tests(tests, setup, teardown);
}
