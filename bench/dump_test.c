/* bench/dump_test.c - a dump of an invented family is read back, and every kind of foreign or damaged folder is refused
 * with its file and reason. */
#include "core/test.h"

#include "bench/dump.h"
#include "core/platform.h"

enum { RECORDS = 5 };

#define STORAGE_LIMIT 5000000000u

/* Follows from the asset and from the storage limit of the device that made the dump. */
static uint64_t five(const vfx_case *kase)
{
    return kase->asset != NULL && kase->storage_limit == STORAGE_LIMIT ? RECORDS : 1;
}

static vfx_status load(vfx_case *kase)
{
    kase->asset = malloc(1);
    return kase->asset != NULL ? VFX_OK : vfx_fail(VFX_MEMORY, "no asset");
}

static void unload(vfx_case *kase)
{
    free(kase->asset);
}

static const vfx_field fields[] = {{"position", VFX_FIELD_F32, 3, 0, "m", "where"},
                                   {"id", VFX_FIELD_U32, 1, 12, "1", "which"}};
static const vfx_buffer buffers[] = {
    {.name = "seed", .binding = 1, .role = VFX_STATE, .stride = 16, .fields = fields, .field_count = 2, .count = five},
    {.name = "leaf",
     .binding = 2,
     .role = VFX_OUTPUT,
     .stride = 16,
     .fields = fields,
     .field_count = 2,
     .count = five}};
static const vfx_param params[] = {{"size", VFX_F32, 0.1, 0.0, 10.0, VFX_LIVE, NULL, "m"},
                                   {"leaves", VFX_U32, 3.0, 1.0, 9.0, 0, NULL, "count"}};
static const vfx_host_param host_params[] = {{"map", "none", NULL, "a file"}};
static const vfx_variant variants[] = {{.name = "plain", .buffers = 3}};
static const vfx_preset presets[] = {{"ci", "leaves=4", 8, ""}};
static const vfx_kernel ivy = {.name = "ivy",
                               .params = params,
                               .param_count = 2,
                               .host_params = host_params,
                               .host_param_count = 1,
                               .presets = presets,
                               .preset_count = 1,
                               .buffers = buffers,
                               .buffer_count = 2,
                               .variants = variants,
                               .variant_count = 1,
                               .load = load,
                               .unload = unload};
static const vfx_kernel *const kernels[] = {&ivy};

typedef struct fixture {
    char folder[VFX_TEST_PATH];
    char manifest[VFX_TEST_PATH];
    vfx_case kase;
    vfx_at_list at;
} fixture;

/* Fills with values of the frame. */
static void fill(const vfx_host *host, uint32_t frame)
{
    for (uint32_t b = 0; b < 2; b++) {
        for (uint32_t i = 0; i < RECORDS * 4; i++)
            ((uint32_t *)host->buffer[b])[i] = 0x3f800000u + frame * 1000u + b * 100u + i;
    }
}

static int setup(void **state)
{
    static fixture f;
    static const uint32_t frames[] = {3, 6, 8};
    memset(&f, 0, sizeof f);
    vfx_test_folder(f.folder);
    vfx_test_path(f.manifest, f.folder, "manifest.json");
    assert_vfx_ok(vfx_case_init(&f.kase, &ivy, &variants[0], "ci"));
    assert_vfx_ok(vfx_case_set(&f.kase, "size=0.3"));
    assert_vfx_ok(vfx_case_set(&f.kase, "map=hills, south.png"));
    assert_vfx_ok(vfx_at_parse(&f.kase, "4:size=2", &f.at));
    f.kase.seed = 4000000000u;
    f.kase.dt = 0.0123f;
    f.kase.storage_limit = STORAGE_LIMIT;
    assert_vfx_ok(load(&f.kase));
    cmd_dump dump;
    vfx_host host;
    assert_vfx_ok(vfx_host_create(&host, &f.kase, 3));
    assert_vfx_ok(cmd_dump_begin(&dump, f.folder, &f.kase, &f.at, 3, NULL));
    for (size_t i = 0; i < 3; i++) {
        fill(&host, frames[i]);
        assert_vfx_ok(cmd_dump_frame(&dump, frames[i], &host));
    }
    assert_vfx_ok(cmd_dump_end(&dump));
    cmd_dump_free(&dump);
    vfx_host_destroy(&host);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {"seed.000003.npy", "seed.000006.npy", "seed.000008.npy", "leaf.000003.npy",
                                        "leaf.000006.npy", "leaf.000008.npy", "manifest.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[VFX_TEST_PATH];
        vfx_test_path(path, f->folder, names[i]);
        vfx_test_remove(path);
    }
    vfx_test_remove(f->folder);
    unload(&f->kase);
    return 0;
}

static void test_round_trip(void **state)
{
    fixture *f = *state;
    cmd_dump_reader reader;
    vfx_host host, expected;
    assert_vfx_ok(cmd_dump_open(&reader, f->folder, kernels, 1));
    assert_memory_equal(reader.kase.words, f->kase.words, sizeof reader.kase.words);
    assert_string_equal(reader.kase.host_values[0], "hills, south.png");
    assert_int_equal(reader.kase.seed, 4000000000u);
    assert_int_equal(reader.kase.storage_limit, STORAGE_LIMIT);
    assert_memory_equal(&reader.kase.dt, &f->kase.dt, sizeof(float));
    assert_int_equal(reader.kase.frames, 8);
    assert_int_equal(reader.at.count, 1);
    assert_memory_equal(&reader.at.rows[0], &f->at.rows[0], sizeof(vfx_at));
    assert_int_equal(reader.mask, 3);
    assert_int_equal(reader.frame_count, 3);
    assert_int_equal(reader.frames[1], 6);
    assert_vfx_ok(vfx_host_create(&host, &reader.kase, reader.mask));
    assert_vfx_ok(vfx_host_create(&expected, &reader.kase, reader.mask));
    assert_vfx_ok(cmd_dump_read(&reader, 1, &host));
    fill(&expected, 6);
    for (uint32_t b = 0; b < 2; b++)
        assert_memory_equal(host.buffer[b], expected.buffer[b], expected.bytes[b]);
    vfx_host_destroy(&host);
    vfx_host_destroy(&expected);
    cmd_dump_close(&reader);
}

/* Replaces the first `from` in the manifest. */
static void edit(const fixture *f, const char *from, const char *to)
{
    void *data;
    size_t bytes;
    static char text[1 << 16];
    assert_vfx_ok(vfx_read_file(f->manifest, sizeof text / 2, &data, &bytes));
    char *at = strstr(data, from);
    if (at == NULL)
        fail_msg("the manifest lacks %s", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - (char *)data), (char *)data, to, at + strlen(from));
    free(data);
    assert_vfx_ok(vfx_write_file(f->manifest, text, strlen(text)));
}

static void test_foreign_manifests(void **state)
{
    fixture *f = *state;
    const struct {
        const char *from, *to, *part;
    } rows[] = {
        {"{", "[", "manifest.json: line"},
        {"vfxbench-dump", "other", "schema other version 1"},
        {"\"schema_version\": 1", "\"schema_version\": 2", "version 2"},
        {"ivy/plain/ci", "ivy/plain/huge", "no case 'ivy/plain/huge'"},
        {"\"leaves\": 4", "\"leaves\": 77", "parameter leaves is out of range"},
        {"\"leaves\": 4", "\"leaves\": -1", "\"leaves\" is missing or not a whole number"},
        {"\"leaves\": 4", "\"leafs\": 4", "\"leaves\" is missing"},
        {"\"size\": 1050253722", "\"size\": 2143289344", "parameter size is out of range"}, /* NaN */
        {"\"parameter\": \"size\"", "\"parameter\": \"leaves\"", "no live parameter"},
        {"\"seed\": 4000000000", "\"seed\": 4294967296", "\"seed\""},
        {"\"frames\": 8", "\"frames\": 0", "do not fit together"},
        {"\"frames\": 8", "\"frames\": 7", "not in order"},
        {"\"name\": \"leaf\"", "\"name\": \"seed\"", "listed twice"},
        {"\"name\": \"leaf\"", "\"name\": \"thorn\"", "'thorn' is unknown"},
        {"\"count\": \"5\"", "\"count\": \"6\"", "6 records"},
        {"\"count\": \"5\"", "\"count\": \"99999999999999999999\"", "64 bits"},
        {"\"storage_limit\": \"5000000000\"", "\"storage_limit\": \"4\"", "this build's case 1 of 16"},
        {"\"storage_limit\": \"5000000000\"", "\"storage_limit\": 4", "storage_limit"},
        {"\"stride\": 16", "\"stride\": 20", "of 20 bytes"},
        {"\"offset\": 12", "\"offset\": 8", "other fields"},
        {"\"type\": \"u32\"", "\"type\": \"f32\"", "other fields"},
        {"seed.000003.npy", "../seed.000003.npy", "not named seed.000003.npy"},
        {"\"frame\": 6", "\"frame\": 2", "not in order"},
        {"\"buffers\": [", "\"buffers\": [], \"more\": [", "lacks buffer 'seed'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cmd_dump_reader reader;
        void *data;
        size_t bytes;
        assert_vfx_ok(vfx_read_file(f->manifest, 1 << 20, &data, &bytes));
        edit(f, rows[i].from, rows[i].to);
        assert_vfx_fails(cmd_dump_open(&reader, f->folder, kernels, 1), VFX_IO, rows[i].part);
        assert_non_null(strstr(vfx_message(), "manifest.json"));
        cmd_dump_close(&reader);
        assert_vfx_ok(vfx_write_file(f->manifest, data, bytes));
        free(data);
    }
}

/* A dump without one of the variant's results would leave it uncompared. */
static void test_missing_result(void **state)
{
    fixture *f = *state;
    cmd_dump_reader reader;
    cmd_dump dump;
    vfx_host host;
    assert_vfx_ok(vfx_host_create(&host, &f->kase, 1));
    assert_vfx_ok(cmd_dump_begin(&dump, f->folder, &f->kase, &f->at, 0, NULL));
    assert_vfx_ok(cmd_dump_frame(&dump, 8, &host));
    assert_vfx_ok(cmd_dump_end(&dump));
    cmd_dump_free(&dump);
    vfx_host_destroy(&host);
    assert_vfx_fails(cmd_dump_open(&reader, f->folder, kernels, 1), VFX_IO,
                     "manifest.json: the dump lacks buffer 'leaf'");
    cmd_dump_close(&reader);
}

/* A dump into the folder of another that is cut off leaves no manifest, old or new. */
static void test_interrupted(void **state)
{
    fixture *f = *state;
    cmd_dump_reader reader;
    cmd_dump dump;
    assert_vfx_ok(cmd_dump_begin(&dump, f->folder, &f->kase, &f->at, 0, NULL));
    cmd_dump_free(&dump);
    assert_vfx_fails(cmd_dump_open(&reader, f->folder, kernels, 1), VFX_IO, f->manifest);
    cmd_dump_close(&reader);
    char below[VFX_TEST_PATH], manifest[VFX_TEST_PATH], part[VFX_TEST_PATH + 64];
    vfx_test_path(below, f->folder, "ivy-plain-ci");
    vfx_test_path(manifest, f->folder, "ivy-plain-ci/manifest.json");
    assert_vfx_ok(vfx_make_folder(below));
    assert_vfx_fails(cmd_dump_open(&reader, f->folder, kernels, 1), VFX_IO, f->manifest); /* no dump either */
    cmd_dump_close(&reader);
    assert_vfx_ok(vfx_write_file(manifest, "{}", 2));
    (void)snprintf(part, sizeof part, "holds several dumps; name one, e.g. %s", below);
    assert_vfx_fails(cmd_dump_open(&reader, f->folder, kernels, 1), VFX_IO, part);
    cmd_dump_close(&reader);
    vfx_test_remove(manifest);
    vfx_test_remove(below);
}

static void test_missing_folder(void **state)
{
    (void)state;
    cmd_dump_reader reader;
    assert_vfx_fails(cmd_dump_open(&reader, "/nonexistent/dump", kernels, 1), VFX_IO,
                     "/nonexistent/dump/manifest.json");
    cmd_dump_close(&reader);
}

/* The manifest is right, a buffer's file is not. */
static void test_damaged_file(void **state)
{
    fixture *f = *state;
    cmd_dump_reader reader;
    vfx_host host;
    char path[VFX_TEST_PATH];
    void *data;
    size_t bytes;
    vfx_test_path(path, f->folder, "leaf.000006.npy");
    assert_vfx_ok(cmd_dump_open(&reader, f->folder, kernels, 1));
    assert_vfx_ok(vfx_host_create(&host, &reader.kase, reader.mask));
    assert_vfx_ok(vfx_read_file(path, 1 << 20, &data, &bytes));
    ((char *)data)[bytes - 3] ^= 1;
    assert_vfx_ok(vfx_write_file(path, data, bytes));
    assert_vfx_fails(cmd_dump_read(&reader, 1, &host), VFX_IO, "leaf.000006.npy: the contents do not have the hash");
    assert_vfx_ok(vfx_write_file(path, data, bytes - 4));
    assert_vfx_fails(cmd_dump_read(&reader, 1, &host), VFX_IO, "leaf.000006.npy");
    vfx_test_remove(path);
    assert_vfx_fails(cmd_dump_read(&reader, 1, &host), VFX_IO, "leaf.000006.npy");
    free(data);
    vfx_host_destroy(&host);
    cmd_dump_close(&reader);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
                                          cmocka_unit_test_setup_teardown(test_foreign_manifests, setup, teardown),
                                          cmocka_unit_test_setup_teardown(test_missing_result, setup, teardown),
                                          cmocka_unit_test_setup_teardown(test_interrupted, setup, teardown),
                                          cmocka_unit_test(test_missing_folder),
                                          cmocka_unit_test_setup_teardown(test_damaged_file, setup, teardown)};
VFX_TEST_MAIN(tests)
