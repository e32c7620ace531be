/* bench/golden_test.c - goldens of an invented family are blessed and read back; every kind of missing, foreign or
 * damaged golden is refused with its file and reason, and nothing is written then. Also: what is in goldens/ of this
 * tree belongs to its views. */
#include "core/test.h"

#include "bench/golden.h"
#include "bench/golden_bless.h"
#include "bench/golden_draw.h"
#include "bench/golden_select.h"
#include "core/image.h"
#include "core/platform.h"
#include "kernels/kernels.h"

#include <math.h>
#include <sys/stat.h>

#ifndef VFX_SOURCE_DIR
#define VFX_SOURCE_DIR "."
#endif

/* --------------------------------------------------------------------------- a family with pictures */

enum { LEAVES = 4, MOST_GOLDENS = 4 << 20 };

static uint32_t drawn;       /* how often draw() was called */
static uint32_t broken_from; /* the frame from which on a leaf is not finite; 0: never */
static float shift;          /* moves every leaf */

static uint64_t four(const vfx_case *kase)
{
    (void)kase;
    return LEAVES;
}

static void init(const vfx_case *kase, void *const to[], void *const texels[])
{
    (void)kase, (void)texels;
    for (uint32_t i = 0; i < LEAVES; i++)
        ((float *)to[0])[i] = (float)i;
}

/* Every leaf grows by 1 a frame. */
static void grow(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        float height = ((const float *)ref->prev[0])[i] + 1.0f;
        ((float *)ref->out[0])[i] = broken_from != 0 && ref->frame->index >= broken_from ? NAN : height;
    }
}

/* Goldens are drawn from the float reference. */
static void grow_in_double(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    (void)ref, (void)first, (void)count;
    fail_msg("the double reference ran");
}

static vfx_status draw(const vfx_ref *ref, struct vfx_raster *raster)
{
    vfx_scene scene;
    vfx_scene_default(&scene);
    scene.eye[0] = 0.0, scene.eye[1] = -30.0, scene.eye[2] = 8.0;
    scene.target[2] = 8.0;
    scene.radius = 30.0;
    vfx_raster_scene(raster, &scene);
    for (uint32_t i = 0; i < LEAVES; i++) {
        const float centre[3] = {3.0f * (float)i - 5.0f + shift, 0.0f, ((const float *)ref->in[0])[i]};
        vfx_raster_sphere(raster, centre, 1.0f, (const float[3]){0.2f, 0.7f, 0.2f}, (const float[3]){0});
    }
    drawn++;
    return VFX_OK;
}

static bool is_second(const vfx_variant *variant)
{
    return strcmp(variant->name, "second") == 0;
}

static const uint32_t words[] = {1, 2, 3, 4, 5};
static const vfx_spirv spirv = {"grow", words, sizeof words};
static const vfx_pass passes[] = {{.name = "grow", .spirv = &spirv}};
static const vfx_field fields[] = {{"height", VFX_FIELD_F32, 1, 0, "m", "of a leaf"}};
static const vfx_buffer buffers[] = {
    {.name = "leaf", .binding = 1, .role = VFX_STATE, .stride = 4, .fields = fields, .field_count = 1, .count = four}};
static const vfx_param params[] = {{"size", VFX_F32, 0.1, 0.0, 10.0, 0, NULL, "m"}};
static const vfx_variant variants[] = {{.name = "first", .buffers = 1, .passes = passes, .pass_count = 1},
                                       {.name = "second", .buffers = 1, .passes = passes, .pass_count = 1}};
static const vfx_preset presets[] = {{"ci", "", 8, ""}};
static const vfx_stage stages[] = {{.name = "grow", .writes = 1, .items = four, .f64 = grow_in_double, .f32 = grow}};
static const vfx_view views[] = {
    {.name = "side", .summary = "Side.", .preset = "ci", .set = "size=2", .frames = {2, 60}, .draw = draw},
    {.name = "top", .summary = "Top.", .preset = "ci", .set = "", .frames = {3}, .draw = draw, .draws = is_second}};
static const vfx_kernel ivy = {.name = "ivy",
                               .params = params,
                               .param_count = 1,
                               .presets = presets,
                               .preset_count = 1,
                               .buffers = buffers,
                               .buffer_count = 1,
                               .variants = variants,
                               .variant_count = 2,
                               .stages = stages,
                               .stage_count = 1,
                               .views = views,
                               .view_count = 2,
                               .init = init};
static const vfx_kernel *const kernels[] = {&ivy};

/* ------------------------------------------------------------------------------------------- fixture */

typedef struct fixture {
    char root[VFX_TEST_PATH], folder[VFX_TEST_PATH]; /* of the goldens, and of ivy's in it */
    char picture[VFX_TEST_PATH], sidecar[VFX_TEST_PATH];
    vfx_case kase;
    cmd_golden_key key;
    vfx_picture pixels;
} fixture;

/* Something with an edge. */
static void paint(const vfx_picture *picture, uint32_t step)
{
    for (uint32_t i = 0; i < picture->width * picture->height * 3; i++)
        picture->rgb[i] = (uint8_t)(i / 3 % picture->width / step * 20);
}

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    *state = f;
    broken_from = drawn = 0;
    shift = 0.0f;
    vfx_test_folder(f->root);
    vfx_test_path(f->folder, f->root, "ivy");
    vfx_test_path(f->picture, f->folder, "side-060.png");
    vfx_test_path(f->sidecar, f->folder, "side-060.json");
    assert_vfx_ok(cmd_golden_case(&ivy, &variants[0], &views[0], &f->kase));
    f->key = (cmd_golden_key){&f->kase, &views[0], 60};
    assert_vfx_ok(vfx_picture_create(&f->pixels, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT));
    paint(&f->pixels, 32);
    assert_vfx_ok(cmd_golden_save(f->root, &f->key, &f->pixels, "because"));
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    char command[VFX_TEST_PATH + 16];
    vfx_picture_free(&f->pixels);
    (void)snprintf(command, sizeof command, "rm -r '%s'", f->root);
    free(f);
    return system(command) == 0 ? 0 : -1;
}

/* Names and bytes of all that is in ivy's folder: equal before and after when nothing was written. */
static uint64_t content(const fixture *f)
{
    uint64_t hash = VFX_HASH_START;
    vfx_names names;
    assert_vfx_ok(vfx_list_folder(f->folder, &names));
    for (size_t i = 0; i < names.count; i++) {
        char path[VFX_TEST_PATH];
        void *data;
        size_t bytes;
        vfx_test_path(path, f->folder, names.items[i]);
        hash = vfx_hash(hash, names.items[i], strlen(names.items[i]));
        if (vfx_read_file(path, 1 << 24, &data, &bytes) != VFX_OK)
            continue; /* a folder */
        hash = vfx_hash(hash, data, bytes);
        free(data);
    }
    vfx_names_free(&names);
    return hash;
}

static size_t count_files(const char *folder)
{
    vfx_names names;
    assert_vfx_ok(vfx_list_folder(folder, &names));
    size_t count = names.count;
    vfx_names_free(&names);
    return count;
}

static void load_fails(const fixture *f, const char *part)
{
    cmd_golden_file golden;
    uint64_t before = content(f);
    assert_vfx_fails(cmd_golden_load(f->root, &f->key, &golden), VFX_IO, part);
    cmd_golden_free(&golden);
    assert_true(content(f) == before);
}

/* -------------------------------------------------------------------------------------- on the disk */

static void test_round_trip(void **state)
{
    const fixture *f = *state;
    cmd_golden_file golden;
    assert_vfx_ok(cmd_golden_load(f->root, &f->key, &golden));
    assert_string_equal(golden.path, f->picture);
    assert_string_equal(golden.reason, "because");
    assert_non_null(strstr(golden.tool, " ("));
    assert_true(golden.same_shaders);
    assert_memory_equal(golden.picture.rgb, f->pixels.rgb, CMD_GOLDEN_WIDTH * CMD_GOLDEN_HEIGHT * 3);
    cmd_golden_free(&golden);
    assert_int_equal(count_files(f->folder), 2);
    assert_int_equal(f->kase.frames, 60);
    assert_float_equal(vfx_param_value(&params[0], f->kase.words[0]), 2.0, 0.0);
}

static void test_path(void **state)
{
    const fixture *f = *state;
    char path[CMD_GOLDEN_PATH], *longer = malloc(CMD_GOLDEN_PATH + 1);
    assert_non_null(longer);
    assert_vfx_ok(cmd_golden_path("g", &f->key, ".json", path));
    assert_string_equal(path, "g/ivy/side-060.json");
    memset(longer, 'x', CMD_GOLDEN_PATH);
    longer[CMD_GOLDEN_PATH] = '\0';
    assert_vfx_fails(cmd_golden_path(longer, &f->key, ".png", path), VFX_USAGE, "longer than");
    free(longer);
}

static void write_text(const char *path, const char *text)
{
    assert_vfx_ok(vfx_write_file(path, text, strlen(text)));
}

/* A picture of any size in the golden's place. */
static void write_picture(const fixture *f, uint32_t width, uint32_t height, uint32_t step)
{
    vfx_picture other;
    assert_vfx_ok(vfx_picture_create(&other, width, height));
    paint(&other, step);
    assert_vfx_ok(vfx_picture_write(f->picture, &other));
    vfx_picture_free(&other);
}

static void test_missing(void **state)
{
    const fixture *f = *state;
    vfx_test_remove(f->sidecar);
    load_fails(f, f->sidecar);
    assert_vfx_ok(cmd_golden_save(f->root, &f->key, &f->pixels, "because"));
    vfx_test_remove(f->picture);
    load_fails(f, f->picture);
    assert_int_equal(mkdir(f->picture, 0700), 0);
    load_fails(f, "a folder");
    vfx_test_remove(f->picture);
}

static void test_bad_pictures(void **state)
{
    const fixture *f = *state;
    void *data;
    size_t bytes;
    write_picture(f, 100, 50, 32);
    load_fails(f, "100 x 50 pixels; a golden has 384 x 216");
    write_picture(f, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT, 16);
    load_fails(f, "by other means than golden bless");
    write_text(f->picture, "GIF89a");
    load_fails(f, f->picture);
    write_picture(f, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT, 32);
    assert_vfx_ok(vfx_read_file(f->picture, 1 << 20, &data, &bytes));
    assert_vfx_ok(vfx_write_file(f->picture, data, bytes / 2));
    load_fails(f, f->picture);
    char *padded = calloc(1, CMD_GOLDEN_BYTES + 1);
    assert_non_null(padded);
    memcpy(padded, data, bytes);
    assert_vfx_ok(vfx_write_file(f->picture, padded, CMD_GOLDEN_BYTES + 1));
    load_fails(f, "larger than the 98304 bytes");
    free(padded);
    free(data);
    vfx_rgba rgba = {CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT, 8, 255,
                     calloc(CMD_GOLDEN_WIDTH * CMD_GOLDEN_HEIGHT, 4 * sizeof(uint16_t))};
    assert_non_null(rgba.samples);
    assert_vfx_ok(vfx_rgba_write(f->picture, &rgba));
    load_fails(f, f->picture);
    vfx_rgba_free(&rgba);
}

/* The sidecar with one key set to another value (NULL: left out) must be refused. */
static void edit_fails(const fixture *f, const char *key, json_t *value, const char *part)
{
    char *text;
    assert_vfx_ok(cmd_golden_save(f->root, &f->key, &f->pixels, "because"));
    json_t *sidecar = json_load_file(f->sidecar, 0, NULL);
    assert_non_null(json_object_get(sidecar, key));
    if (value != NULL)
        assert_int_equal(json_object_set_new(sidecar, key, value), 0);
    else
        assert_int_equal(json_object_del(sidecar, key), 0);
    assert_vfx_ok(cmd_json_dump(sidecar, &text));
    write_text(f->sidecar, text);
    free(text);
    json_decref(sidecar);
    load_fails(f, part);
    load_fails(f, f->sidecar);
}

static void test_bad_sidecars(void **state)
{
    const fixture *f = *state;
    edit_fails(f, "schema", json_string("vfxbench-dump"), "\"schema\" is \"vfxbench-dump\" where the view has");
    edit_fails(f, "schema_version", json_integer(2), "\"schema_version\" is 2 where the view has 1");
    edit_fails(f, "case", json_string("ivy/second/ci"), "\"case\" is \"ivy/second/ci\" where the view has \"ivy/first");
    edit_fails(f, "family", json_string("oak"), "\"family\"");
    edit_fails(f, "view", json_string("top"), "\"view\"");
    edit_fails(f, "variant", json_string("second"), "\"variant\"");
    edit_fails(f, "set", json_string("size=3"), "\"set\"");
    edit_fails(f, "frame", json_integer(61), "\"frame\" is 61 where the view has 60");
    edit_fails(f, "frame", json_string("60"), "\"frame\" is \"60\"");
    edit_fails(f, "seed", json_integer(2), "\"seed\"");
    edit_fails(f, "seed", NULL, "\"seed\" is nothing where the view has 1");
    edit_fails(f, "dt", json_real(0.016), "\"dt\"");
    edit_fails(f, "width", json_integer(385), "\"width\"");
    edit_fails(f, "height", json_integer(215), "\"height\"");
    edit_fails(f, "colour_space", json_string("linear"), "\"colour_space\"");
    edit_fails(f, "drawn_from", json_string("llvmpipe"), "\"drawn_from\"");
    edit_fails(f, "picture_hash", json_string("1"), "by other means");
    edit_fails(f, "reason", json_integer(3), "\"reason\" is missing or not text");
    edit_fails(f, "tool", NULL, "\"tool\" is missing");
    static const char *const texts[] = {"", "{", "[]", "nonsense"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(f->sidecar, texts[i]);
        load_fails(f, f->sidecar);
    }
    void *data; /* a key twice, though both are right */
    size_t bytes;
    assert_vfx_ok(cmd_golden_save(f->root, &f->key, &f->pixels, "because"));
    assert_vfx_ok(vfx_read_file(f->sidecar, 1 << 16, &data, &bytes));
    const vfx_part parts[] = {{"{\"frame\": 60,", 13}, {(char *)data + 1, bytes - 1}};
    assert_vfx_ok(vfx_write_file_parts(f->sidecar, parts, 2));
    load_fails(f, "duplicate");
    free(data);
}

/* Shaders change often and goldens come from the reference: no error, but known. */
static void test_other_shaders(void **state)
{
    fixture *f = *state;
    cmd_golden_file golden;
    static const uint32_t others[] = {1, 2, 3, 4, 6};
    static const vfx_spirv other_spirv = {"grow", others, sizeof others};
    vfx_pass other_pass = {.name = "grow", .spirv = &other_spirv};
    vfx_variant other = {.name = "first", .buffers = 1, .passes = &other_pass, .pass_count = 1};
    f->kase.variant = &other;
    assert_vfx_ok(cmd_golden_load(f->root, &f->key, &golden));
    assert_false(golden.same_shaders);
    cmd_golden_free(&golden);
}

/* A save that fails leaves the old golden and nothing else. */
static void test_failed_saves(void **state)
{
    const fixture *f = *state;
    vfx_picture noise, small;
    uint64_t before = content(f);
    assert_vfx_ok(vfx_picture_create(&small, 10, 10));
    assert_vfx_fails(cmd_golden_save(f->root, &f->key, &small, "because"), VFX_USAGE, "384 x 216");
    vfx_picture_free(&small);
    assert_vfx_ok(vfx_picture_create(&noise, CMD_GOLDEN_WIDTH, CMD_GOLDEN_HEIGHT));
    uint32_t word = 1;
    for (uint32_t i = 0; i < CMD_GOLDEN_WIDTH * CMD_GOLDEN_HEIGHT * 3; i++) {
        word = word * 1664525u + 1013904223u;
        noise.rgb[i] = (uint8_t)(word >> 24);
    }
    assert_vfx_fails(cmd_golden_save(f->root, &f->key, &noise, "because"), VFX_IO, "larger than the 98304 bytes");
    vfx_picture_free(&noise);
    assert_true(content(f) == before);
    vfx_test_remove(f->sidecar);
    assert_int_equal(mkdir(f->sidecar, 0700), 0);
    before = content(f);
    assert_vfx_fails(cmd_golden_save(f->root, &f->key, &f->pixels, "because"), VFX_IO, "it is a folder");
    assert_true(content(f) == before);
    assert_int_equal(count_files(f->folder), 2);
}

/* ----------------------------------------------------------------------------------------- selection */

static void select_names(const char *glob, const char *exclude, bool first, const char *wanted)
{
    cmd_values globs = {{glob}, glob != NULL}, excluded = {{exclude}, exclude != NULL};
    cmd_golden_selection selection;
    char names[512] = "";
    assert_vfx_ok(cmd_golden_select(kernels, 1, &globs, &excluded, "*/*/*", first, &selection));
    for (uint32_t i = 0; i < selection.count; i++) {
        char name[CMD_CASE_NAME];
        cmd_golden_choice_name(&selection.choices[i], name, sizeof name);
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", name);
    }
    cmd_golden_selection_free(&selection);
    assert_string_equal(names, wanted);
}

static void test_selection(void **state)
{
    (void)state;
    select_names(NULL, NULL, false, "ivy/first/side ivy/second/side ivy/second/top ");
    select_names(NULL, "*/second/side", false, "ivy/first/side ivy/second/top ");
    select_names("*/*/top", NULL, false, "ivy/second/top ");
    select_names(NULL, NULL, true, "ivy/first/side ivy/second/top ");
    select_names("ivy/second/side", NULL, true, "ivy/first/side "); /* the variant whose case the goldens show */
    cmd_values none = {{NULL}, 0}, wrong = {{"ivy/first/top"}, 1}, all = {{"*"}, 1};
    cmd_golden_selection selection;
    assert_vfx_fails(cmd_golden_select(kernels, 1, &wrong, &none, "*/*/*", false, &selection), VFX_USAGE,
                     "no golden matches 'ivy/first/top'");
    cmd_golden_selection_free(&selection);
    assert_non_null(strstr(vfx_message(), "there are ivy/*/side, ivy/*/top"));
    assert_vfx_fails(cmd_golden_select(kernels, 1, &all, &wrong, "*/*/*", false, &selection), VFX_USAGE, "no golden");
    cmd_golden_selection_free(&selection);
    assert_vfx_fails(cmd_golden_select(kernels, 1, &none, &all, "*/*/*", false, &selection), VFX_USAGE, "--exclude");
    cmd_golden_selection_free(&selection);
    assert_vfx_fails(cmd_golden_select(kernels, 0, &none, &none, "*/*/*", false, &selection), VFX_USAGE,
                     "none in this");
    cmd_golden_selection_free(&selection);
}

/* ------------------------------------------------------------------------------------------ blessing */

/* Blesses view 0 into the fixture's folder with a session that has no device. */
static cmd_tally bless(const fixture *f, const char *reason)
{
    cmd_options options = {.quiet = true, .json = true, .reason = reason};
    cmd_session session = {.options = &options};
    cmd_entry entry = {.kase = f->kase, .name = "ivy/first/side"};
    assert_vfx_ok(cmd_golden_bless(&session, &entry, &views[0], f->root));
    return session.tally;
}

static void test_bless(void **state)
{
    fixture *f = *state;
    cmd_golden_file golden;
    cmd_tally tally = bless(f, "leaves");
    assert_int_equal(tally.count[CMD_STATE_PASS], 2);
    assert_int_equal(drawn, 2);
    assert_int_equal(count_files(f->folder), 4);
    uint64_t first = content(f);
    (void)bless(f, "another reason");
    assert_true(content(f) == first); /* identical: left as it is */
    shift = 1.0f;
    (void)bless(f, "leaves moved");
    assert_true(content(f) != first);
    f->key.frame = 2;
    assert_vfx_ok(cmd_golden_load(f->root, &f->key, &golden));
    assert_string_equal(golden.reason, "leaves moved");
    cmd_golden_free(&golden);
    write_text(f->sidecar, "{}"); /* the same picture with an unusable sidecar is blessed anew */
    (void)bless(f, "sidecar");
    f->key.frame = 60;
    assert_vfx_ok(cmd_golden_load(f->root, &f->key, &golden));
    assert_string_equal(golden.reason, "sidecar");
    cmd_golden_free(&golden);
}

/* What is not finite is not drawn, and no golden of the view is written, not even of the frames before. */
static void test_broken_reference(void **state)
{
    const fixture *f = *state;
    uint64_t before = content(f);
    broken_from = 30;
    cmd_tally tally = bless(f, "leaves");
    assert_int_equal(tally.count[CMD_STATE_FAIL], 2);
    assert_int_equal(drawn, 1);
    assert_true(content(f) == before);
    cmd_golden_frames frames;
    assert_vfx_fails(cmd_golden_draw_reference(&f->kase, &views[0], &frames), VFX_MISMATCH,
                     "frame 60: buffer 'leaf', record 0, field height: unwritten or not finite");
    assert_non_null(frames.pictures[0].rgb);
    assert_null(frames.pictures[1].rgb);
    cmd_golden_frames_free(&frames);
}

static void test_reasons(void **state)
{
    (void)state;
    char long_one[CMD_GOLDEN_REASON + 1];
    memset(long_one, 'x', sizeof long_one);
    long_one[CMD_GOLDEN_REASON] = '\0';
    assert_vfx_ok(cmd_golden_check_reason("blades bend"));
    assert_vfx_ok(cmd_golden_check_reason(long_one + 1));
    assert_vfx_fails(cmd_golden_check_reason(NULL), VFX_USAGE, "--reason");
    assert_vfx_fails(cmd_golden_check_reason(" \n"), VFX_USAGE, "--reason");
    assert_vfx_fails(cmd_golden_check_reason(long_one), VFX_USAGE, "longer than 399 bytes");
}

/* ---------------------------------------------------------------------------------- this tree's own */

/* Is there a frame of a view with this golden, "side-060.png" or .json? */
static bool belongs(const vfx_kernel *kernel, const char *name)
{
    for (uint32_t v = 0; v < kernel->view_count; v++) {
        for (uint32_t i = 0; i < VFX_MAX_VIEW_FRAMES && kernel->views[v].frames[i] != 0; i++) {
            char stem[128];
            int length = snprintf(stem, sizeof stem, "%s-%03u", kernel->views[v].name, kernel->views[v].frames[i]);
            const char *suffix = strncmp(name, stem, (size_t)length) == 0 ? name + length : "";
            if (strcmp(suffix, ".png") == 0 || strcmp(suffix, ".json") == 0)
                return true;
        }
    }
    return false;
}

/* No golden of a view that is gone; together they are small. */
static void test_tree(void **state)
{
    (void)state;
    size_t total = 0;
    for (uint32_t k = 0; k < vfx_kernel_count; k++) {
        char folder[VFX_TEST_PATH];
        vfx_names names;
        vfx_test_path(folder, VFX_SOURCE_DIR "/goldens", vfx_kernels[k]->name);
        assert_vfx_ok(vfx_list_folder(folder, &names));
        for (size_t i = 0; i < names.count; i++) {
            char path[VFX_TEST_PATH];
            void *data;
            size_t bytes;
            if (!belongs(vfx_kernels[k], names.items[i]))
                fail_msg("goldens/%s/%s belongs to no view", vfx_kernels[k]->name, names.items[i]);
            vfx_test_path(path, folder, names.items[i]);
            assert_vfx_ok(vfx_read_file(path, MOST_GOLDENS, &data, &bytes));
            free(data);
            total += bytes;
        }
        vfx_names_free(&names);
    }
    assert_true(total <= MOST_GOLDENS);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
static const struct CMUnitTest tests[] = {
    WITH_FIXTURE(test_round_trip),    WITH_FIXTURE(test_path),         WITH_FIXTURE(test_missing),
    WITH_FIXTURE(test_bad_pictures),  WITH_FIXTURE(test_bad_sidecars), WITH_FIXTURE(test_other_shaders),
    WITH_FIXTURE(test_failed_saves),  WITH_FIXTURE(test_bless),        WITH_FIXTURE(test_broken_reference),
    cmocka_unit_test(test_selection), cmocka_unit_test(test_reasons),  cmocka_unit_test(test_tree),
};

VFX_TEST_MAIN(tests)
