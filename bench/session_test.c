/* bench/session_test.c - what the plan of a session refuses before a device is touched: --at behind the last frame,
 * --shader files and their targets; and which overrides a case reports. */
#include "core/test.h"

#include "bench/session.h"
#include "core/platform.h"

VFX_SPIRV_DECLARE(tentacle_mesh_ring)

static const cmd_verb run_verb = {"run", CMD_RUN, NULL, "runs", NULL, ""};

static char folder[VFX_TEST_PATH], shader[VFX_TEST_PATH], mesh[VFX_TEST_PATH + 32], fused[VFX_TEST_PATH + 32];

static int setup(void **state)
{
    (void)state;
    vfx_test_folder(folder);
    vfx_test_path(shader, folder, "mesh.spv");
    (void)snprintf(mesh, sizeof mesh, "tentacle.mesh=%s", shader);
    (void)snprintf(fused, sizeof fused, "tentacle.fused=%s", shader);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    vfx_test_remove(shader);
    vfx_test_remove(folder);
    return 0;
}

/* Writes the first `bytes` bytes of a right shader. */
static void write_shader(size_t bytes)
{
    assert_vfx_ok(vfx_write_file(shader, tentacle_mesh_ring_spirv.words, bytes));
}

/* Plans a run of two cases with these options; the message stays readable. */
static vfx_status plan(cmd_session *session, cmd_options *options)
{
    options->verb = &run_verb;
    options->globs = (cmd_values){{"tentacle/ring/ci", "tentacle/fused/ci"}, 2};
    return cmd_session_plan(session, options, true);
}

static void expect_refusal(cmd_options options, vfx_status status, const char *part)
{
    cmd_session session;
    assert_vfx_fails(plan(&session, &options), status, part);
    (void)cmd_session_close(&session, status);
}

static void test_at_behind_the_end(void **state)
{
    (void)state;
    cmd_session session;
    cmd_options good = {.frames = 3, .at = {{"3:gravity=0"}, 1}};
    assert_vfx_ok(plan(&session, &good));
    (void)cmd_session_close(&session, VFX_OK);
    expect_refusal((cmd_options){.frames = 3, .at = {{"4:gravity=0"}, 1}}, VFX_USAGE, "ends with frame 3");
    expect_refusal((cmd_options){.at = {{"241:gravity=0"}, 1}}, VFX_USAGE, "ends with frame 240");
}

static void test_shader_twice(void **state)
{
    (void)state;
    write_shader(tentacle_mesh_ring_spirv.bytes);
    expect_refusal((cmd_options){.shader = {{mesh, mesh}, 2}}, VFX_USAGE, "tentacle.mesh is given twice");
}

/* The message tells which passes the first selected case of the family has. */
static void test_shader_of_no_case(void **state)
{
    (void)state;
    write_shader(tentacle_mesh_ring_spirv.bytes);
    cmd_session session;
    cmd_options options = {.verb = &run_verb, .shader = {{mesh}, 1}, .globs = {{"tentacle/fused/ci"}, 1}};
    assert_vfx_fails(cmd_session_plan(&session, &options, true), VFX_USAGE,
                     "no selected case has a pass 'mesh' of tentacle; tentacle/fused/ci has: ");
    (void)cmd_session_close(&session, VFX_USAGE);
}

static void test_shader_files(void **state)
{
    (void)state;
    size_t whole = tentacle_mesh_ring_spirv.bytes;
    cmd_options options = {.shader = {{mesh}, 1}};
    write_shader(20);
    expect_refusal(options, VFX_IO, "no OpEntryPoint GLCompute");
    write_shader(whole - 4); /* the last instruction is one word: the others are whole */
    expect_refusal(options, VFX_IO, "does not end with a function's end");
    uint32_t *words = malloc(whole);
    assert_non_null(words);
    memcpy(words, tentacle_mesh_ring_spirv.words, whole);
    for (size_t cut = 21; cut < 40; cut++) { /* somewhere within an instruction */
        if (cut % 4 == 0)
            continue;
        write_shader(cut);
        expect_refusal(options, VFX_IO, "no whole number");
    }
    write_shader(24); /* OpCapability Shader has two words */
    expect_refusal(options, VFX_IO, "cut short or damaged: the instruction at word 5 has 2 words");
    words[5] &= 0xffffu; /* no words: the walk would never end */
    assert_vfx_ok(vfx_write_file(shader, words, whole));
    expect_refusal(options, VFX_IO, "the instruction at word 5 has 0 words");
    words[0] ^= 1;
    assert_vfx_ok(vfx_write_file(shader, words, whole));
    expect_refusal(options, VFX_USAGE, "mesh.spv is not SPIR-V; compile it first: glslc --target-env=vulkan1.2 -O ");
    assert_vfx_ok(vfx_write_file(shader, "#version 450\n", 13)); /* no whole number of words either */
    expect_refusal(options, VFX_USAGE, "mesh.spv.spv");
    assert_vfx_ok(vfx_write_file(shader, "", 0));
    expect_refusal(options, VFX_USAGE, "mesh.spv is not SPIR-V");
    write_shader(16);
    expect_refusal(options, VFX_IO, "a SPIR-V header has 5 words");
    free(words);
}

static void test_reported_overrides(void **state)
{
    (void)state;
    cmd_session session;
    cmd_options options = {.shader = {{mesh, fused}, 2}};
    write_shader(tentacle_mesh_ring_spirv.bytes);
    assert_vfx_ok(plan(&session, &options));
    static const char *const passes[] = {"mesh", "fused"};
    assert_int_equal(session.entry_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const cmd_entry *entry = &session.entries[i];
        const json_t *object = cmd_session_record(&session, &entry->kase, &entry->at, CMD_STATE_PASS, NULL);
        const json_t *rows = json_object_get(object, "shaders");
        assert_int_equal(json_array_size(rows), 1);
        assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "pass")), passes[i]);
    }
    (void)cmd_session_close(&session, VFX_OK);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_at_behind_the_end), cmocka_unit_test(test_shader_twice),
                                          cmocka_unit_test(test_shader_of_no_case), cmocka_unit_test(test_shader_files),
                                          cmocka_unit_test(test_reported_overrides)};

int main(void)
{
    return cmocka_run_group_tests(tests, setup, teardown);
}
