/* kernels/vat/gltf_test.c - the glTF reader on models written here (every feature that it promises, V7), on hostile
 * ones (V10) and, where ../shared/data/gltf exists, on real ones (V9: they load and have the right contents). */
#include "core/test.h"

#include "core/platform.h"
#include "kernels/vat/gltf.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* --------------------------------------------------------------------- a document that is put together */

enum { F32 = 5126, I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, MAX_TEXT = 1 << 16, MAX_DATA = 1 << 14 };

/* Accessors get one buffer view each; the text of the rest is the test's. */
typedef struct doc {
    uint8_t data[MAX_DATA];
    char views[MAX_TEXT], accessors[MAX_TEXT];
    size_t bytes;
    int view_count, accessor_count;
    bool external, chunk; /* the data are in "data.bin", in a .glb's chunk; else base64 in the text */
} doc;

static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text + used, MAX_TEXT - used, format, args);
    va_end(args);
    assert_true(length >= 0 && used + (size_t)length < MAX_TEXT);
}

static size_t component_bytes(int kind)
{
    return kind == F32 || kind == U32 ? 4 : kind == I16 || kind == U16 ? 2 : 1;
}

/* Appends `count` components in the file's representation; returns the buffer view that holds them. */
static int add_view(doc *d, int kind, size_t count, const double *values)
{
    while (d->bytes % 4 != 0)
        d->data[d->bytes++] = 0;
    const size_t start = d->bytes, bytes = component_bytes(kind);
    for (size_t i = 0; i < count; i++) {
        const float real = (float)values[i];
        uint32_t bits = 0;
        if (kind == F32)
            memcpy(&bits, &real, sizeof bits);
        else
            bits = (uint32_t)(int64_t)values[i];
        for (size_t k = 0; k < bytes; k++)
            d->data[d->bytes++] = (uint8_t)(bits >> (8 * k));
        assert_true(d->bytes < MAX_DATA - 64);
    }
    append(d->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", d->view_count > 0 ? "," : "", start,
           d->bytes - start);
    return d->view_count++;
}

static int add_accessor(doc *d, const char *text)
{
    append(d->accessors, "%s{%s}", d->accessor_count > 0 ? "," : "", text);
    return d->accessor_count++;
}

static size_t width_of(const char *type)
{
    return strcmp(type, "MAT4") == 0 ? 16 : type[0] == 'V' ? (size_t)(type[3] - '0') : 1;
}

/* An accessor of `count` elements; returns its index. */
static int add_kind(doc *d, const char *type, int kind, bool normalised, size_t count, const double *values)
{
    char text[256];
    const int view = add_view(d, kind, count * width_of(type), values);
    snprintf(text, sizeof text, "\"bufferView\":%d,\"componentType\":%d,\"type\":\"%s\",\"count\":%zu%s", view, kind,
             type, count, normalised ? ",\"normalized\":true" : "");
    return add_accessor(d, text);
}

#define VALUES(...)  \
    (const double[]) \
    {                \
        __VA_ARGS__  \
    }
#define ADD(d, type, kind, normalised, count, ...) add_kind(d, type, kind, normalised, count, VALUES(__VA_ARGS__))

static char *base64(const uint8_t *data, size_t bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc(bytes * 2 + 8), *c = text;
    assert_non_null(text);
    for (size_t i = 0; i < bytes; i += 3) {
        const size_t left = bytes - i;
        const uint32_t word =
            (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0u);
        *c++ = digits[word >> 18];
        *c++ = digits[word >> 12 & 63];
        *c++ = left > 1 ? digits[word >> 6 & 63] : '=';
        *c++ = left > 2 ? digits[word & 63] : '=';
    }
    *c = '\0';
    return text;
}

/* The whole JSON text, in malloc'ed memory. `rest`: the members besides asset, buffers, bufferViews and accessors. */
static char *document(const doc *d, const char *rest)
{
    char *text = malloc(4 * MAX_TEXT), *data = base64(d->data, d->bytes), uri[MAX_TEXT];
    assert_non_null(text);
    snprintf(uri, sizeof uri, "\"uri\":\"%s%s\",", d->external ? "data.bin" : "data:application/octet-stream;base64,",
             d->external ? "" : data);
    snprintf(text, 4 * MAX_TEXT,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{%s\"byteLength\":%zu}],\"bufferViews\":[%s],"
             "\"accessors\":[%s],%s}",
             d->chunk ? "" : uri, d->bytes, d->views, d->accessors, rest);
    free(data);
    return text;
}

static vfx_status decode(const doc *d, const char *rest, vat_model *model)
{
    char *text = document(d, rest);
    vfx_status status = vat_gltf_decode("test.gltf", text, strlen(text), NULL, model);
    free(text);
    if (status == VFX_OK)
        status = vat_model_check(model, "test.gltf");
    return status;
}

static uint8_t *put_u32(uint8_t *to, size_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(value >> (8 * i));
    return to;
}

/* A .glb in malloc'ed memory. */
static uint8_t *container(const doc *d, const char *rest, size_t *bytes)
{
    char *text = document(d, rest);
    const size_t length = strlen(text), padded = (length + 3) / 4 * 4, data = (d->bytes + 3) / 4 * 4;
    *bytes = 12 + 8 + padded + 8 + data;
    uint8_t *glb = calloc(*bytes, 1), *to = glb;
    assert_non_null(glb);
    memcpy(to, "glTF", 4);
    to = put_u32(to + 4, 2);
    to = put_u32(to, *bytes);
    to = put_u32(to, padded);
    to = put_u32(to, 0x4e4f534a);
    memset(to, ' ', padded);
    memcpy(to, text, length);
    to = put_u32(to + padded, data);
    to = put_u32(to, 0x004e4942);
    memcpy(to, d->data, d->bytes);
    free(text);
    return glb;
}

static doc *new_doc(void)
{
    doc *d = calloc(1, sizeof *d);
    assert_non_null(d);
    return d;
}

static int32_t find_node(const vat_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        if (strcmp(model->nodes[i].name, name) == 0)
            return (int32_t)i;
    fail_msg("no node %s", name);
    return VAT_NONE;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-6))
        fail_msg("%.9g is not %.9g", a, b);
}

static void assert_vector(const double *v, double x, double y, double z)
{
    if (!(fabs(v[0] - x) <= 1e-6 && fabs(v[1] - y) <= 1e-6 && fabs(v[2] - z) <= 1e-6))
        fail_msg("(%.9g, %.9g, %.9g) is not (%.9g, %.9g, %.9g)", v[0], v[1], v[2], x, y, z);
}

static void assert_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", text, part);
}

/* Positions of all vertices of the first clip (the rest pose without one) at time t. */
static void pose(const vat_model *model, double t, double (*positions)[3])
{
    double(*normals)[3] = calloc(model->vertex_count, sizeof *normals);
    vat_pose p;
    assert_non_null(normals);
    assert_vfx_ok(vat_pose_create(&p, model));
    vat_pose_at(&p, model, model->clip_count > 0 ? 0 : VAT_NONE, t);
    vat_pose_vertices(&p, model, positions, normals);
    vat_pose_destroy(&p);
    free(normals);
}

/* ------------------------------------------------------------------ V7: two skinned meshes, one rigid child */

/* Two joints, the upper one turns by 90 degrees about z in the second after t = 0.5. A skin with inverse bind matrices,
 * one without and with its joints in another order, a mesh below the upper joint. Skinned nodes have transforms, which
 * must not matter. */
static const char creature[] =
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2]}],"
    "\"nodes\":[{\"name\":\"body\",\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]},"
    "{\"name\":\"cloak\",\"mesh\":1,\"skin\":1,\"scale\":[5,5,5]},"
    "{\"name\":\"hip\",\"children\":[3]},{\"name\":\"head\",\"translation\":[0,1,0],\"children\":[4]},"
    "{\"name\":\"sword\",\"mesh\":2,\"translation\":[1,0,0]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]},"
    "{\"primitives\":[{\"attributes\":{\"POSITION\":4,\"NORMAL\":1,\"JOINTS_0\":5,\"WEIGHTS_0\":6},\"indices\":11}]},"
    "{\"primitives\":[{\"attributes\":{\"POSITION\":7,\"NORMAL\":1}}]}],"
    "\"skins\":[{\"joints\":[2,3],\"inverseBindMatrices\":8},{\"joints\":[3,2]}],"
    "\"animations\":[{\"name\":\"nod\",\"samplers\":[{\"input\":9,\"output\":10}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}}]}]";

static doc *creature_data(void)
{
    doc *d = new_doc();
    const double h = sqrt(0.5);
    ADD(d, "VEC3", F32, false, 3, 0, 0, 0, 0, 1, 0, 0, 2, 0);
    ADD(d, "VEC3", F32, false, 3, 0, 0, 1, 0, 0, 1, 0, 0, 1);
    ADD(d, "VEC4", U8, false, 3, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0);
    ADD(d, "VEC4", F32, false, 3, 1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0);
    ADD(d, "VEC3", F32, false, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    ADD(d, "VEC4", U16, false, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    ADD(d, "VEC4", U8, true, 3, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0);
    ADD(d, "VEC3", F32, false, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    ADD(d, "MAT4", F32, false, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, /**/ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
        0, 0, -1, 0, 1);
    ADD(d, "SCALAR", F32, false, 2, 0.5, 1.5);
    ADD(d, "VEC4", F32, false, 2, 0, 0, 0, 1, 0, 0, h, h);
    ADD(d, "SCALAR", U8, false, 3, 2, 1, 0);
    return d;
}

static void check_creature(const vat_model *model)
{
    double p[9][3];
    assert_vfx_ok(vat_model_check(model, "creature"));
    assert_int_equal(model->part_count, 3);
    assert_int_equal(model->vertex_count, 9);
    assert_int_equal(model->skin_count, 2);
    assert_int_equal(model->joint_count, 4);
    assert_string_equal(model->parts[2].name, "sword");
    assert_int_equal(model->parts[2].skin, VAT_NONE);
    assert_int_equal(model->nodes[find_node(model, "sword")].parent, find_node(model, "head"));
    assert_int_equal(model->joints[2], find_node(model, "head"));
    assert_int_equal(model->indices[3], 5);
    assert_string_equal(model->clips[0].name, "nod");
    assert_near(model->clips[0].duration, 1.5);
    assert_string_equal(model->warnings, "");
    pose(model, 0, p); /* before the first key: its value */
    assert_vector(p[2], 0, 2, 0);
    assert_vector(p[3], 1, 1, 0);
    assert_vector(p[6], 2, 1, 0);
    pose(model, 1.5, p);
    assert_vector(p[0], 0, 0, 0);
    assert_vector(p[1], 0, 1, 0);
    assert_vector(p[2], -1, 1, 0);
    assert_vector(p[3], 0, 2, 0);
    assert_vector(p[4], 0, 1, 0);
    assert_vector(p[5], 0, 1, 1);
    assert_vector(p[6], 0, 3, 0);
    pose(model, 1, p); /* 45 degrees */
    assert_vector(p[2], -sqrt(0.5), 1 + sqrt(0.5), 0);
    assert_vector(p[6], 2 * sqrt(0.5), 1 + 2 * sqrt(0.5), 0);
}

/* The same model in all containers: base64, .glb with a BIN chunk, a file beside it. */
static void two_skinned_meshes_and_a_rigid_child(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], bin[VFX_TEST_PATH];
    doc *d = creature_data();
    vat_model model;
    size_t bytes;
    vfx_test_folder(folder);
    vfx_test_path(bin, folder, "data.bin");
    for (int kind = 0; kind < 3; kind++) {
        d->external = kind == 1;
        d->chunk = kind == 2;
        vfx_test_path(path, folder, kind == 2 ? "creature.glb" : "creature.gltf");
        uint8_t *glb = container(d, creature, &bytes);
        char *text = document(d, creature);
        assert_vfx_ok(kind == 2 ? vfx_write_file(path, glb, bytes) : vfx_write_file(path, text, strlen(text)));
        if (kind == 1)
            assert_vfx_ok(vfx_write_file(bin, d->data, d->bytes));
        assert_vfx_ok(vat_gltf_read(path, &model));
        check_creature(&model);
        vat_model_free(&model);
        free(text);
        free(glb);
        vfx_test_remove(path);
    }
    vfx_test_remove(bin);
    vfx_test_remove(folder);
    free(d);
}

/* ----------------------------------------------------------------------------- meshes: triangles, normals */

/* A document with one mesh node, its primitive's members, and more members of the document. */
#define ONE_MESH(primitive) "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{" primitive "}]}]"

static void check_triangles(const char *rest, const uint32_t *wanted, uint32_t count)
{
    doc *d = new_doc();
    vat_model model;
    ADD(d, "VEC3", F32, false, 6, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0);
    ADD(d, "VEC3", I8, true, 6, 0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 127);
    ADD(d, "SCALAR", U8, false, 5, 0, 1, 2, 3, 4);
    ADD(d, "SCALAR", U32, false, 6, 0, 2, 1, 1, 2, 3);
    assert_vfx_ok(decode(d, rest, &model));
    assert_int_equal(model.vertex_count, 6);
    assert_int_equal(model.index_count, count);
    assert_memory_equal(model.indices, wanted, count * sizeof *wanted);
    assert_vector(model.vertices[5].position, 1, 2, 0);
    assert_vector(model.vertices[3].normal, 0, 0, 1);
    vat_model_free(&model);
    free(d);
}

static void triangles_come_in_lists_strips_and_fans(void **state)
{
    (void)state;
#define ATTRIBUTES "\"attributes\":{\"POSITION\":0,\"NORMAL\":1}"
    check_triangles(ONE_MESH(ATTRIBUTES), (const uint32_t[]){0, 1, 2, 3, 4, 5}, 6);
    check_triangles(ONE_MESH(ATTRIBUTES ",\"mode\":4,\"indices\":3"), (const uint32_t[]){0, 2, 1, 1, 2, 3}, 6);
    check_triangles(ONE_MESH(ATTRIBUTES ",\"mode\":5"), (const uint32_t[]){0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4}, 12);
    check_triangles(ONE_MESH(ATTRIBUTES ",\"mode\":5,\"indices\":2"), (const uint32_t[]){0, 1, 2, 1, 3, 2, 2, 3, 4}, 9);
    check_triangles(ONE_MESH(ATTRIBUTES ",\"mode\":6,\"indices\":2"), (const uint32_t[]){1, 2, 0, 2, 3, 0, 3, 4, 0}, 9);
}

/* Two triangles that share an edge, folded by 90 degrees: no vertex may be shared, and no normal averaged. */
static void missing_normals_are_flat(void **state)
{
    (void)state;
    doc *d = new_doc();
    vat_model model;
    ADD(d, "VEC3", F32, false, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    ADD(d, "SCALAR", U16, false, 9, 0, 1, 2, 0, 3, 1, 0, 1, 1);
    ADD(d, "VEC2", U16, true, 4, 0, 0, 65535, 0, 0, 65535, 65535, 65535);
    assert_vfx_ok(decode(d, ONE_MESH("\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":2},\"indices\":1"), &model));
    assert_int_equal(model.vertex_count, 9);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(model.indices[i], i);
        assert_vector(model.vertices[i].normal, 0, i >= 3, i < 3); /* the last has no area */
    }
    assert_vector(model.vertices[4].position, 0, 0, 1);
    assert_near((double)model.vertices[4].uv[0], 1);
    assert_near((double)model.vertices[3].uv[0], 0);
    vat_model_free(&model);
    free(d);
}

static void several_primitives_and_meshes_are_merged(void **state)
{
    (void)state;
    doc *d = new_doc();
    vat_model model;
    ADD(d, "VEC3", F32, false, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    ADD(d, "VEC3", F32, false, 3, 0, 0, 2, 0, 0, 3, 0, 0, 0);
    ADD(d, "SCALAR", U8, false, 6, 0, 1, 2, 2, 1, 0);
    const char *rest = "\"nodes\":[{\"mesh\":0},{\"name\":\"b\",\"mesh\":1},{\"mesh\":0}],\"meshes\":[{\"primitives\":["
                       "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2},"
                       "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1}}],\"name\":\"pair\"},"
                       "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2}]}]";
    assert_vfx_ok(decode(d, rest, &model));
    assert_int_equal(model.part_count, 3);
    assert_int_equal(model.vertex_count, 15);
    assert_int_equal(model.index_count, 9 + 6 + 9);
    static const uint32_t wanted[] = {0, 1, 2, 2, 1, 0, 3, 4, 5, 6, 7, 8, 8, 7, 6, 9, 10, 11, 11, 10, 9, 12, 13, 14};
    assert_memory_equal(model.indices, wanted, sizeof wanted);
    assert_string_equal(model.parts[0].name, "pair");
    assert_string_equal(model.parts[1].name, "b");
    assert_int_equal(model.parts[2].first_vertex, 9);
    assert_vector(model.vertices[10].normal, 0, 0, 1); /* unit, whatever the file says */
    assert_vector(model.vertices[11].normal, 0, 1, 0);
    assert_text(model.warnings, "part pair: 2 normals are zero");
    vat_model_free(&model);
    free(d);
}

/* ----------------------------------------------------------------------------------------- skin weights */

#define SKINNED(attributes, skin)                                                                                 \
    "\"nodes\":[{\"name\":\"m\",\"mesh\":0,\"skin\":0},{\"name\":\"tip\"},{\"name\":\"root\",\"children\":[1]}]," \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0" attributes "}}]}],"               \
    "\"skins\":[{\"joints\":[1,2]" skin "}]"

static doc *skinned_data(void)
{
    doc *d = new_doc();
    ADD(d, "VEC3", F32, false, 3, 0, 0, 1, 1, 0, 0, 0, 1, 0);
    ADD(d, "VEC4", U8, false, 3, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0);
    ADD(d, "VEC4", F32, false, 3, 1, 3, 0, 0, 0, 0, 0, 0, 0.5, -1, 0, 0);
    ADD(d, "VEC4", U16, true, 3, 65535, 0, 0, 0, 32768, 32767, 0, 0, 65535, 0, 0, 0);
    ADD(d, "VEC4", U16, false, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9);
    ADD(d, "VEC4", U8, true, 3, 255, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0);
    return d;
}

static void odd_weights_are_mended_with_a_warning(void **state)
{
    (void)state;
    doc *d = skinned_data();
    vat_model model;
    assert_vfx_ok(decode(d, SKINNED(",\"JOINTS_0\":1,\"WEIGHTS_0\":2", ""), &model));
    assert_near(model.vertices[0].weight[0], 0.25);
    assert_near(model.vertices[0].weight[1], 0.75);
    assert_int_equal(model.vertices[0].joint[1], 1);
    assert_near(model.vertices[1].weight[0], 1); /* no weights: the joint nearest to the root, "root" */
    assert_int_equal(model.vertices[1].joint[0], 1);
    assert_near(model.vertices[2].weight[0], 1);
    assert_int_equal(model.vertices[2].joint[0], 0);
    assert_text(model.warnings, "part m: 1 vertices have no joint weights");
    assert_text(model.warnings, "part m: 2 vertices have joint weights that do not sum to 1");
    assert_text(model.warnings, "part m: 1 joint weights are negative");
    for (int k = 0; k < 16; k++) /* no inverse bind matrices: identity */
        assert_near(model.inverse_bind[1][k], k % 5 == 0);
    vat_model_free(&model);
    assert_vfx_ok(decode(d, SKINNED(",\"JOINTS_0\":1,\"WEIGHTS_0\":2", ",\"skeleton\":1"), &model));
    assert_int_equal(model.vertices[1].joint[0], 0);
    vat_model_free(&model);
    assert_vfx_ok(decode(d, SKINNED("", ""), &model)); /* no joints at all */
    assert_text(model.warnings, "part m: 3 vertices have no joint weights");
    vat_model_free(&model);
    free(d);
}

static void eight_joints_and_integer_weights(void **state)
{
    (void)state;
    doc *d = skinned_data();
    vat_model model;
    assert_vfx_ok(decode(d, SKINNED(",\"JOINTS_0\":1,\"WEIGHTS_0\":3,\"JOINTS_1\":4,\"WEIGHTS_1\":5", ""), &model));
    assert_near(model.vertices[0].weight[0], 0.5);
    assert_near(model.vertices[0].weight[4], 0.5);
    assert_int_equal(model.vertices[0].joint[0], 0);
    assert_int_equal(model.vertices[0].joint[4], 1);
    assert_near(model.vertices[1].weight[0], 32768 / 65535.0);
    assert_near(model.vertices[1].weight[1], 32767 / 65535.0);
    assert_int_equal(model.vertices[2].joint[5], 0); /* 9 in the file, with weight 0 */
    assert_text(model.warnings, "part m: 2 vertices have joint weights");
    vat_model_free(&model);
    free(d);
}

/* ------------------------------------------------------------------------------------- morph, sparse */

#define MORPH(node)                                                                                 \
    "\"nodes\":[{\"mesh\":0" node                                                                   \
    "},{\"name\":\"other\",\"mesh\":0}],\"meshes\":[{\"weights\":[0.25,0.5],\"primitives\":["       \
    "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"targets\":[{\"POSITION\":2},{\"NORMAL\":3}]}," \
    "{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":2},{}]}]}]"

/* Target 0: a sparse accessor without a buffer view, that moves vertex 1 by (0, 0, 1); target 1 a sparse change to
 * accessor 1's values. */
static doc *morph_data(void)
{
    doc *d = new_doc();
    char text[512];
    ADD(d, "VEC3", F32, false, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    ADD(d, "VEC3", F32, false, 3, 0, 0, 1, 0, 0, 1, 0, 0, 1);
    const int index = add_view(d, U8, 1, VALUES(1)), value = add_view(d, F32, 3, VALUES(0, 0, 1));
    snprintf(
        text, sizeof text,
        "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":%d,"
        "\"componentType\":5121},\"values\":{\"bufferView\":%d}}",
        index, value);
    add_accessor(d, text);
    const int indices = add_view(d, U16, 2, VALUES(0, 2)), values = add_view(d, F32, 6, VALUES(5, 6, 7, 8, 9, 10));
    snprintf(
        text, sizeof text,
        "\"bufferView\":1,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{\"count\":2,\"indices\":{"
        "\"bufferView\":%d,\"componentType\":5123},\"values\":{\"bufferView\":%d}}",
        indices, values);
    add_accessor(d, text);
    return d;
}

static void morph_targets_and_sparse_accessors(void **state)
{
    (void)state;
    doc *d = morph_data();
    vat_model model;
    assert_vfx_ok(decode(d, MORPH(",\"weights\":[1,0]"), &model));
    assert_int_equal(model.target_count, 4);
    assert_int_equal(model.weight_count, 4);
    const vat_node *node = &model.nodes[0], *other = &model.nodes[1];
    assert_near(model.weights[node->first_weight], 1);
    assert_near(model.weights[other->first_weight], 0.25); /* the mesh's */
    assert_near(model.weights[other->first_weight + 1], 0.5);
    const vat_target *targets = model.targets + model.parts[1].first_target;
    assert_vector(targets[0].position[0], 0, 0, 0);
    assert_vector(targets[0].position[1], 0, 0, 1);
    assert_vector(targets[0].position[4], 0, 0, 1);
    assert_vector(targets[0].normal[1], 0, 0, 0); /* none in the file */
    /* the flat triangle (0 0 0) (1 0 1) (0 1 0) has the normal (-1 0 1) / sqrt 2 */
    assert_vector(targets[0].normal[3], -sqrt(0.5), 0, sqrt(0.5) - 1);
    assert_null(targets[1].position);
    assert_vector(targets[1].normal[0], 5, 6, 7);
    assert_vector(targets[1].normal[1], 0, 0, 1);
    assert_vector(targets[1].normal[2], 8, 9, 10);
    assert_vector(targets[1].normal[3], 0, 0, 0);
    double p[12][3];
    pose(&model, 0, p);
    assert_vector(p[1], 1, 0, 1);
    assert_vector(p[7], 1, 0, 0.25);
    vat_model_free(&model);
    free(d);
}

/* Positions and normals side by side in one buffer view. */
static void interleaved_attributes(void **state)
{
    (void)state;
    doc *d = new_doc();
    vat_model model;
    add_view(d, F32, 18, VALUES(1, 2, 3, 0, 0, 1, 4, 5, 6, 0, 1, 0, 7, 8, 9, 1, 0, 0));
    d->views[strlen(d->views) - 1] = '\0';
    append(d->views, ",\"byteStride\":24}");
    add_accessor(d, "\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3");
    add_accessor(d, "\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3");
    assert_vfx_ok(decode(d, ONE_MESH("\"attributes\":{\"POSITION\":0,\"NORMAL\":1}"), &model));
    assert_vector(model.vertices[2].position, 7, 8, 9);
    assert_vector(model.vertices[1].normal, 0, 1, 0);
    vat_model_free(&model);
    free(d);
}

/* ------------------------------------------------------------------------------------------- clips */

static const char many_clips[] =
    "\"nodes\":[{\"mesh\":0,\"name\":\"a\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
    "\"targets\":[{},{}]}]}],\"animations\":["
    "{\"samplers\":[{\"input\":1,\"output\":2,\"interpolation\":\"STEP\"},{\"input\":1,\"output\":3,\"interpolation\":"
    "\"CUBICSPLINE\"},{\"input\":4,\"output\":5},{\"input\":1,\"output\":6}],\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"rotation\"}},"
    "{\"sampler\":2,\"target\":{\"node\":0,\"path\":\"scale\"}},"
    "{\"sampler\":3,\"target\":{\"node\":0,\"path\":\"weights\"}}]},"
    "{\"name\":\"b\",\"samplers\":[{\"input\":1,\"output\":7}],\"channels\":["
    "{\"sampler\":0,\"target\":{\"path\":\"pointer\"}},{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}]}"
    "]";

static doc *clip_data(void)
{
    doc *d = new_doc();
    ADD(d, "VEC3", F32, false, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    ADD(d, "SCALAR", F32, false, 2, 1, 3);
    ADD(d, "VEC3", F32, false, 2, 1, 2, 3, 4, 5, 6);
    ADD(d, "VEC4", F32, false, 6, 9, 9, 9, 9, 0, 0, 2, 0, 8, 8, 8, 8, 7, 7, 7, 7, 0, 0, 0, -3, 6, 6, 6, 6);
    ADD(d, "SCALAR", F32, false, 1, 2.5);
    ADD(d, "VEC3", F32, false, 1, -1, 1, 1);
    ADD(d, "SCALAR", U8, true, 4, 0, 255, 51, 102);
    ADD(d, "VEC4", I16, true, 2, 0, 0, 0, 32767, 0, 23170, 0, -23170);
    return d;
}

static void channels_of_all_kinds(void **state)
{
    (void)state;
    doc *d = clip_data();
    vat_model model;
    assert_vfx_ok(decode(d, many_clips, &model));
    assert_int_equal(model.clip_count, 2);
    assert_string_equal(model.clips[0].name, "clip0");
    assert_int_equal(model.clips[0].channel_count, 4);
    assert_near(model.clips[0].duration, 3);
    assert_int_equal(model.clips[1].channel_count, 1); /* that without a node is ignored */
    const vat_channel *c = model.channels;
    assert_int_equal(c[0].interpolation, VAT_STEP);
    assert_vector(c[0].values + 3, 4, 5, 6);
    assert_near(c[0].times[0], 1);
    assert_int_equal(c[1].interpolation, VAT_CUBIC);
    assert_int_equal(c[1].key_count, 2);
    assert_vector(c[1].values, 9, 9, 9); /* a tangent stays, a value becomes a unit quaternion */
    assert_vector(c[1].values + 4, 0, 0, 1);
    assert_near(c[1].values[19], -1);
    assert_int_equal(c[2].key_count, 1);
    assert_int_equal(c[2].path, VAT_SCALE);
    assert_near(c[2].values[0], -1);
    assert_int_equal(c[3].path, VAT_WEIGHTS);
    assert_int_equal(c[3].components, 2);
    assert_near(c[3].values[1], 1);
    assert_near(c[3].values[3], 0.4);
    assert_near(c[4].values[5], sqrt(0.5));
    assert_near(c[4].values[7], -sqrt(0.5));
    double p[3][3];
    pose(&model, 0, p); /* STEP: (1 2 3), turned by 180 degrees about z, mirrored in x */
    assert_vector(p[1], 2, 2, 3);
    assert_vector(p[2], 1, 1, 3);
    vat_model_free(&model);
    free(d);
}

/* ------------------------------------------------------------------------------------------- nodes */

static void nodes_scenes_and_names(void **state)
{
    (void)state;
    doc *d = skinned_data();
    vat_model model;
    /* Node 0 is a child of node 4. Scene 1 is the default; the joint, node 3, is in no scene. */
    const char *rest =
        "\"scene\":1,\"scenes\":[{\"nodes\":[1]},{\"nodes\":[4]},{\"nodes\":[4]}],\"nodes\":["
        "{\"mesh\":0,\"skin\":0},{\"mesh\":0,\"name\":\"unseen\"},"
        "{\"name\":\"\\u001b[31m\xc2\x9b\xe2\x82\xac\",\"scale\":[-1,2,0]},"
        "{\"name\":\"joint\",\"children\":[2],\"translation\":[0,0,5],\"rotation\":[0,0,0,2]},"
        "{\"children\":[0],\"mesh\":0,\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,7,8,9,1]},"
        "{\"name\":\"123456789 123456789 123456789 123456789 123456789 123456789 12\xe2\x82\xac\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":4,\"WEIGHTS_0\":5}}]}],"
        "\"skins\":[{\"joints\":[2,3,3]}]";
    double p[6][3];
    assert_vfx_ok(decode(d, rest, &model));
    assert_int_equal(model.part_count, 2);
    assert_string_equal(model.parts[0].name, "node0");
    assert_int_equal(model.parts[0].node, find_node(&model, "node0"));
    assert_string_equal(model.parts[1].name, "node4");
    assert_int_equal(model.nodes[find_node(&model, "node0")].parent, find_node(&model, "node4"));
    assert_near(model.nodes[find_node(&model, "?[31m??\xe2\x82\xac")].scale[0], -1);
    find_node(&model, "123456789 123456789 123456789 123456789 123456789 123456789 12"); /* no half a character */
    assert_near(model.nodes[find_node(&model, "joint")].rotation[3], 1);
    pose(&model, 0, p);
    assert_vector(p[0], 0, 0, 6);
    assert_vector(p[4], 7, 9, 9); /* (1 0 0) under the matrix */
    vat_model_free(&model);
    assert_vfx_ok(decode(d, strstr(rest, "\"scenes\""), &model)); /* no default: the first scene */
    assert_int_equal(model.part_count, 1);
    assert_string_equal(model.parts[0].name, "unseen");
    vat_model_free(&model);
    assert_vfx_ok(decode(d, strstr(rest, "\"nodes\":[{"), &model)); /* no scene: all nodes */
    assert_int_equal(model.part_count, 3);
    vat_model_free(&model);
    free(d);
}

/* ------------------------------------------------------------------------------- V10: malformed files */

/* `text` with the first `find` replaced, in malloc'ed memory. */
static char *replaced(const char *text, const char *find, const char *replacement)
{
    const char *place = strstr(text, find);
    if (place == NULL)
        fail_msg("\"%s\" is not in the document", find);
    const size_t bytes = strlen(text) + strlen(replacement) + 1;
    char *result = malloc(bytes);
    assert_non_null(result);
    snprintf(result, bytes, "%.*s%s%s", (int)(place - text), text, replacement, place + strlen(find));
    return result;
}

static void assert_refused(const char *text, size_t bytes, vfx_status wanted, const char *message)
{
    vat_model model;
    static const vat_model empty;
    const vfx_status status = vat_gltf_decode("bad.gltf", text, bytes, NULL, &model);
    if (status == VFX_OK)
        fail_msg("read without an error, wanted \"%s\"", message);
    if (status != wanted)
        fail_msg("%s: %s, wanted %s", vfx_status_name(status), vfx_message(), vfx_status_name(wanted));
    assert_text(vfx_message(), message);
    assert_memory_equal(&model, &empty, sizeof model);
}

/* A change to the creature's document and what its refusal must say. */
typedef struct mistake {
    const char *find, *replacement, *message;
    vfx_status status; /* OK: IO */
} mistake;

static void refuse_all(const doc *d, const char *rest, const mistake *mistakes, size_t count)
{
    char *good = document(d, rest), message[512];
    for (size_t i = 0; i < count; i++) {
        char *bad = replaced(good, mistakes[i].find, mistakes[i].replacement);
        snprintf(message, sizeof message, "bad.gltf: %s", mistakes[i].message);
        assert_refused(bad, strlen(bad), mistakes[i].status == VFX_OK ? VFX_IO : mistakes[i].status, message);
        free(bad);
    }
    free(good);
}

static void broken_documents_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"{\"asset\"", "[{\"asset\"", "line 1, column"},
        {"\"version\":\"2.0\"", "\"version\":\"1.0\"", "/asset/version: \"1.0\": only version 2"},
        {"\"version\":\"2.0\"", "\"version\":2", "/asset/version: must be a string"},
        {"\"asset\"", "\"assets\"", "/asset/version: is missing"},
        {"\"scene\":0", "\"extensionsRequired\":[\"KHR_\\u001bdraco\"]",
         "/extensionsRequired/0: the file needs the extension KHR_?draco", VFX_UNSUPPORTED},
        {"\"buffers\":[{", "\"buffers\":{\"a\":[{", "line 1"},
        {"\"buffers\":[{\"uri\":\"", "\"buffers\":[{\"uri\":\"http://host/", "/buffers/0/uri: refers to a file, but"},
        {"\"uri\":", "\"url\":", "/buffers/0/uri: is missing"},
        {";base64,AAAA", ";base64,!AAA", "/buffers/0/uri: character 0 of its data is not base64"},
        {";base64,", ",", "/buffers/0/uri: a data URI must be base64"},
        {";base64,AAAA", ";base64,A", "/buffers/0/uri: its base64 text is cut short"},
        {";base64,AAAA", ";base64,", "/buffers/0/byteLength: "},
        {"\"byteLength\":", "\"byteLength\":99999", "/buffers/0/byteLength: "},
        {"\"byteLength\":", "\"byteLength\":-1,\"x\":", "/buffers/0/byteLength: -1: must be an integer"},
        {"\"buffer\":0,\"byteOffset\":0", "\"buffer\":1", "/bufferViews/0/buffer: 1: there are only 1 buffers"},
        {"\"byteOffset\":36", "\"byteOffset\":100000", "/bufferViews/1: bytes 100000 to 100036 of buffer 0"},
        {"\"byteOffset\":36", "\"byteOffset\":18446744073709551615",
         "/bufferViews/1/byteOffset: 1.8446744073709552e+19"},
        {"\"byteOffset\":36", "\"byteOffset\":1e400", "line 1"},
        {"\"byteOffset\":36", "\"byteOffset\":36.5", "/bufferViews/1/byteOffset: 36.5: must be an integer"},
        {"\"byteOffset\":36", "\"byteOffset\":38", "/accessors/1/byteOffset: 0 with the view's 38 is no multiple of 4"},
        {"\"byteOffset\":36,", "\"byteOffset\":36,\"byteStride\":8,", "/accessors/1/bufferView: its byteStride is 8"},
        {"\"byteOffset\":36,", "\"byteOffset\":36,\"byteStride\":16,", "/accessors/1: 3 elements end at byte 44 of"},
        {"{\"bufferView\":1,", "{\"bufferView\":1,\"byteOffset\":4,",
         "/accessors/1: 3 elements end at byte 40 of buffer view 1, which has 36"},
        {"{\"bufferView\":1,", "{\"bufferView\":99,", "/accessors/1/bufferView: 99: there are only 12 bufferViews"},
        {"\"VEC3\",\"count\":3", "\"VEC3\",\"count\":0", "/accessors/0/count: 0 elements"},
        {"\"VEC3\",\"count\":3", "\"VEC3\",\"count\":2147483647", "/accessors/0: 2147483647 elements end at byte"},
        {"\"VEC3\",\"count\":3", "\"VEC3\",\"count\":4294967295", "/accessors/0/count: 4294967295: must be"},
        {"\"VEC3\",\"count\":3", "\"VEC3\",\"count\":true", "/accessors/0/count: must be an integer"},
        {"{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3",
         "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":2147483647",
         "/accessors/0: asks for 51539607528 bytes of memory more, out of proportion"},
        {"{\"bufferView\":0,\"componentType\":5126", "{\"bufferView\":0,\"componentType\":5124",
         "/accessors/0/componentType: 5124 is no"},
        {"{\"bufferView\":0,\"componentType\":5126", "{\"bufferView\":0,\"componentType\":5125",
         "/accessors/0: componentType 5125 does not suit"},
        {"\"VEC3\"", "\"VEC4\"", "/accessors/0/type: \"VEC4\", but its use asks for \"VEC3\""},
    };
    doc *d = creature_data();
    refuse_all(d, creature, mistakes, sizeof mistakes / sizeof *mistakes);
    free(d);
}

static void broken_nodes_and_meshes_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"\"children\":[4]", "\"children\":[2]", "/nodes/2: is its own ancestor"},
        {"\"children\":[4]", "\"children\":[3]", "/nodes/3/children/0: node 3 has a parent already"},
        {"\"children\":[4]", "\"children\":[4,4]", "/nodes/3/children/1: node 4 has a parent already, node 3"},
        {"\"children\":[4]", "\"children\":[5]", "/nodes/3/children/0: 5: there are only 5 nodes"},
        {"\"children\":[4]", "\"children\":4", "/nodes/3/children: must be an array"},
        {"{\"name\":\"hip\",\"children\":[3]}", "7", "/nodes/2: must be an object"},
        {"\"scene\":0", "\"scene\":1", "/scene: 1: there are only 1 scenes"},
        {"\"nodes\":[0,1,2]", "\"nodes\":[0,\"1\"]", "/scenes/0/nodes/1: must be an integer"},
        {"\"nodes\":[0,1,2]", "\"nodes\":[]", "/nodes: no node of the scene has a mesh"},
        {"[0,1,0]", "[0,1]", "/nodes/3/translation: has 2 elements, must have 3"},
        {"[0,1,0]", "[0,1,null]", "/nodes/3/translation/2: must be a number"},
        {"[0,1,0]", "[0,1,1e300]", "/nodes/3/translation/2: 1e+300 is too large"},
        {"\"translation\":[0,1,0]", "\"rotation\":[0,0,0,0]", "/nodes/3/rotation: is zero"},
        {"\"translation\":[0,1,0]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]",
         "/animations/0/channels/0/target: node 3 has a matrix"},
        {"\"translation\":[0,1,0]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0]", "/nodes/3/matrix: the bottom row"},
        {"\"translation\":[0,1,0]", "\"scale\":[1,1,1],\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]",
         "/nodes/3/scale: a node has either a matrix or this"},
        {"\"mesh\":2", "\"mesh\":3", "/nodes/4/mesh: 3: there are only 3 meshes"},
        {"\"skin\":1", "\"skin\":2", "/nodes/1/skin: 2: there are only 2 skins"},
        {"\"joints\":[2,3]", "\"joints\":[2,99]", "/skins/0/joints/1: 99: there are only 5 nodes"},
        {"\"joints\":[2,3]", "\"joints\":[]", "/skins/0/joints: 0 joints"},
        {"\"joints\":[2,3]", "\"joints\":[2,3,4]", "/accessors/8: 2 matrices for 3 joints"},
        {"\"joints\":[2,3]", "\"joints\":[2]",
         "/meshes/0/primitives/0/attributes: vertex 1 is bound to joint 1 of a skin of 1"},
        {"\"joints\":[2,3]", "\"skeleton\":5,\"joints\":[2,3]", "/skins/0/skeleton: 5: there are"},
        {"\"inverseBindMatrices\":8", "\"inverseBindMatrices\":0", "/accessors/0/type: \"VEC3\", but"},
        {"\"POSITION\":0,", "", "/meshes/0/primitives/0/attributes/POSITION: is missing"},
        {"\"WEIGHTS_0\":3", "\"_W\":3", "/meshes/0/primitives/0/attributes: JOINTS_0 and WEIGHTS_0 need each other"},
        {"\"NORMAL\":1", "\"NORMAL\":-1", "/meshes/0/primitives/0/attributes/NORMAL: -1: must be"},
        {"\"NORMAL\":1", "\"NORMAL\":10", "/accessors/10/type: \"VEC4\", but"},
        {"\"indices\":11", "\"indices\":9", "/accessors/9: componentType 5126 does not suit its use"},
        {"\"indices\":11", "\"indices\":11,\"mode\":1", "/meshes/1/primitives/0/mode: 1: points and lines",
         VFX_UNSUPPORTED},
        {"\"indices\":11", "\"indices\":11,\"mode\":7",
         "/meshes/1/primitives/0/mode: 7: must be an integer from 0 to 6"},
        {"\"meshes\":[{\"primitives\":[{", "\"meshes\":[{\"primitives\":[],\"x\":[{",
         "/meshes/0/primitives: a mesh needs one"},
        {"\"meshes\":[{\"primitives\":[{", "\"meshes\":[{\"primitives\":[{\"targets\":[{\"POSITION\":9}],",
         "/accessors/9/type: \"SCALAR\""},
        {"\"meshes\":[{", "\"meshes\":[{\"weights\":[1],", NULL},
    };
    doc *d = creature_data();
    refuse_all(d, creature, mistakes, sizeof mistakes / sizeof *mistakes - 1);
    free(d);
}

static void broken_clips_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"\"sampler\":0", "\"sampler\":1", "/animations/0/channels/0/sampler: 1: there are only 1 samplers"},
        {"\"node\":3,\"path\"", "\"node\":5,\"path\"",
         "/animations/0/channels/0/target/node: 5: there are only 5 nodes"},
        {"\"path\":\"rotation\"", "\"path\":\"spin\"", "/animations/0/channels/0/target/path: must be translation"},
        {"\"path\":\"rotation\"", "\"path\":\"weights\"",
         "/animations/0/channels/0/target: node 3 has no morph targets"},
        {"\"path\":\"rotation\"", "\"path\":\"scale\"", "/accessors/10/type: \"VEC4\", but its use asks for \"VEC3\""},
        {"\"channels\":[", "\"channels\":[{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}},",
         "/animations/0/channels/1/target: rotation of node 3 is animated twice"},
        {"\"input\":9", "\"input\":0", "/accessors/0/type: \"VEC3\", but its use asks for \"SCALAR\""},
        {"\"input\":9", "\"input\":9,\"interpolation\":\"CUBIC\"",
         "/animations/0/samplers/0/interpolation: must be LINEAR"},
        {"\"input\":9", "\"input\":9,\"interpolation\":\"CUBICSPLINE\"",
         "/accessors/10/count: 2 elements, but its use asks for 6"},
        {"\"input\":9,", "", "/animations/0/samplers/0/input: is missing"},
    };
    doc *d = creature_data();
    refuse_all(d, creature, mistakes, sizeof mistakes / sizeof *mistakes);
    free(d);
}

/* Values in the binary data: NaN, infinity, times that do not rise, indices out of range, zero quaternions, ... */
static void broken_values_are_refused(void **state)
{
    (void)state;
    static const struct {
        int accessor;
        const char *replacement; /* accessor of bad values that takes its place */
        double values[8];
        int kind;
        size_t components;
        const char *message;
    } rows[] = {
        {0, "VEC3", {0, 0, 0, 0, 0, 0, 0, NAN}, F32, 9, "/accessors/0: component 1 of element 2 is not finite"},
        {0, "VEC3", {INFINITY}, F32, 9, "/accessors/0: component 0 of element 0 is not finite"},
        {9, "SCALAR", {1, 1}, F32, 2, "/accessors/9: time 1 is 1 s after 1 s: times must rise"},
        {9, "SCALAR", {-1, 1}, F32, 2, "/accessors/9: time 0 is -1 s, must not be negative"},
        {10, "VEC4", {0, 0, 0, 1, 0, 0, 0, 0}, F32, 8, "/accessors/10: the rotation of key 1 is zero"},
        {11, "SCALAR", {0, 3, 1}, U8, 3, "/accessors/11: index 1 is 3, but there are 3 vertices"},
        {11, "SCALAR", {0, 1}, U8, 2, "/accessors/11: 2 corners make no whole triangles"},
        {11, "SCALAR", {0, 4294967295, 1}, U32, 3, "/accessors/11: index 1 is 4294967295, but"},
        {1, "VEC3", {0, 0, 1, 0, 0, 1}, F32, 6, "/accessors/1/count: 2 elements, but its use asks for 3"},
        {8, "MAT4", {1, 0, 0, 1}, F32, 32, "/accessors/8: the bottom row of a matrix is 1 0 0 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        doc *d = creature_data();
        char find[256], replacement[256];
        double values[32] = {0};
        memcpy(values, rows[i].values, sizeof rows[i].values);
        snprintf(find, sizeof find, "{\"bufferView\":%d,", rows[i].accessor);
        snprintf(replacement, sizeof replacement,
                 "{\"bufferView\":%d,\"componentType\":%d,\"type\":\"%s\",\"count\":%zu},{\"bufferView\":%d,",
                 add_view(d, rows[i].kind, rows[i].components, values), rows[i].kind, rows[i].replacement,
                 rows[i].components / width_of(rows[i].replacement), rows[i].accessor);
        /* the bad accessor takes the number; the old one moves up, and those behind it are given back theirs */
        char *moved = replaced(d->accessors, find, replacement), *end = strstr(moved, "},{"), *rest;
        for (int k = 0; k < rows[i].accessor; k++)
            end = strstr(end + 1, "},{");
        rest = strstr(end + 1, "},{");
        snprintf(d->accessors, MAX_TEXT, "%.*s%s", (int)(end - moved), moved, rest != NULL ? rest : "}");
        free(moved);
        char *text = document(d, creature);
        assert_refused(text, strlen(text), VFX_IO, rows[i].message);
        free(text);
        free(d);
    }
}

static void broken_sparse_accessors_and_targets_are_refused(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"\"sparse\":{\"count\":1", "\"sparse\":{\"count\":4",
         "/accessors/2/sparse/count: 4: must be an integer from 0 to 3"},
        {"\"sparse\":{\"count\":1", "\"sparse\":{\"count\":2", "/accessors/2/sparse/indices: 2 elements end at byte 2"},
        {"\"componentType\":5121}", "\"componentType\":5120}",
         "/accessors/2/sparse/indices: its componentType must be"},
        {"\"values\":{\"bufferView\":3}", "\"values\":{\"bufferView\":2}",
         "/accessors/2/sparse/values: 1 elements end at byte 12"},
        {"\"values\":{\"bufferView\":3}", "\"values\":{}", "/accessors/2/sparse/values/bufferView: is missing"},
        {"\"indices\":{\"bufferView\":4,\"componentType\":5123}",
         "\"indices\":{\"bufferView\":5,\"componentType\":5123}",
         "/accessors/3/sparse/indices: index 1 is 16544: indices must rise and be less than 3"},
        {"\"indices\":{\"bufferView\":4,\"componentType\":5123}",
         "\"indices\":{\"bufferView\":6,\"componentType\":5121}",
         "/accessors/3/sparse/indices: index 1 is 1: indices must rise"},
        {"\"targets\":[{\"POSITION\":2},{}]", "\"targets\":[{}]",
         "/meshes/0/primitives/1/targets: 1 morph targets, but"},
        {"\"targets\":[{\"POSITION\":2},{}]", "\"targets\":[{},3]",
         "/meshes/0/primitives/1/targets/1: must be an object"},
        {"\"weights\":[0.25,0.5]", "\"weights\":[0.25]", "/meshes/0/weights: has 1 elements, must have 2"},
    };
    doc *d = morph_data();
    add_view(d, U8, 2, VALUES(1, 1)); /* view 6 */
    refuse_all(d, MORPH(""), mistakes, sizeof mistakes / sizeof *mistakes);
    free(d);
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    doc *d = creature_data();
    size_t bytes;
    d->chunk = true;
    uint8_t *glb = container(d, creature, &bytes);
    for (size_t i = 0; i < bytes; i++) {
        uint8_t *copy = malloc(i > 0 ? i : 1); /* of exactly that size, for the sanitizers */
        assert_non_null(copy);
        memcpy(copy, glb, i);
        assert_refused((const char *)copy, i, VFX_IO, "bad.gltf: ");
        if (i >= 12) { /* a header that admits it: now a chunk is cut */
            put_u32(copy + 8, i);
            assert_refused((const char *)copy, i, VFX_IO, "bad.gltf: ");
        }
        free(copy);
    }
    free(glb);
    d->chunk = false;
    char *text = document(d, creature);
    for (size_t i = 0; i < strlen(text); i++)
        assert_refused(text, i, VFX_IO, "bad.gltf: line ");
    free(text);
    free(d);
}

static void broken_containers_are_refused(void **state)
{
    (void)state;
    doc *d = creature_data();
    size_t bytes;
    d->chunk = true;
    uint8_t *glb = container(d, creature, &bytes);
    const size_t text = glb[12] | (size_t)glb[13] << 8, chunk = 20 + text;
    const struct {
        size_t offset, value;
        const char *message;
    } rows[] = {
        {4, 1, "a .glb of version 1, only 2 is read"},
        {8, bytes + 1, "cut short: its header says"},
        {8, 0, "cut short: its header says 0 bytes"},
        {12, text + 1, "the chunk at byte 12 has"},
        {12, 0xffffffff, "the chunk at byte 12 says that it has 4294967295 bytes"},
        {12, 0, "the chunk at byte 20 says"},
        {12, bytes - 20, "line "},
        {16, 0x004e4942, "its first chunk is not JSON"},
        {chunk, 0, "/buffers/0/byteLength: "},
        {chunk, 0xfffffffc, "the chunk at byte"},
        {chunk + 4, 0x12345678, "/buffers/0/uri: is missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t *bad = malloc(bytes);
        assert_non_null(bad);
        memcpy(bad, glb, bytes);
        put_u32(bad + rows[i].offset, rows[i].value);
        assert_refused((const char *)bad, bytes, VFX_IO, rows[i].message);
        free(bad);
    }
    free(glb);
    free(d);
}

static void deep_json_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *text = malloc(DEPTH + 64);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    assert_refused(text, DEPTH, VFX_IO, "bad.gltf: JSON nested deeper than 128 levels at byte 128");
    memcpy(text, "{\"asset\":", 9);
    assert_refused(text, DEPTH, VFX_IO, "bad.gltf: JSON nested deeper than 128 levels at byte 136");
    doc *d = creature_data(); /* brackets in strings do not count, and neither does an escaped quote end one */
    char name[512] = "\"name\":\"\\\"", *good = document(d, creature);
    for (int i = 0; i < 200; i++)
        strcat(name, "[");
    strcat(name, "hip\"");
    char *odd = replaced(good, "\"name\":\"hip\"", name);
    vat_model model;
    assert_vfx_ok(vat_gltf_decode("odd.gltf", odd, strlen(odd), NULL, &model));
    vat_model_free(&model);
    free(odd);
    free(good);
    free(d);
    free(text);
}

/* Small files that ask for much: many nodes with the same mesh, many targets with the same accessor, zeros. */
static void disproportionate_files_are_refused(void **state)
{
    (void)state;
    doc *d = new_doc();
    vat_model model;
    char *text = calloc(1, 1 << 20), *end = text;
    assert_non_null(text);
    add_accessor(d, "\"componentType\":5126,\"type\":\"VEC3\",\"count\":60000");
    end += sprintf(end, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0}}]}],\"nodes\":[");
    for (int i = 0; i < 1000; i++)
        end += sprintf(end, "{\"mesh\":0}%s", i < 999 ? "," : "]");
    assert_vfx_fails(decode(d, text, &model), VFX_IO, "out of proportion");
    end = text + sprintf(text, "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
                               "\"NORMAL\":0},\"targets\":[");
    for (int i = 0; i < 1000; i++)
        end += sprintf(end, "{\"POSITION\":0}%s", i < 999 ? "," : "]}]}]");
    assert_vfx_fails(decode(d, text, &model), VFX_IO, "out of proportion");
    end = text + sprintf(text, "\"nodes\":[");
    for (int i = 0; i <= VAT_MAX_NODES; i++)
        end += sprintf(end, "{}%s", i < VAT_MAX_NODES ? "," : "]");
    assert_vfx_fails(decode(d, text, &model), VFX_IO, "/nodes: 65537 nodes, must be 1 to 65536");
    free(text);
    free(d);
}

/* ------------------------------------------------------------------------------------ V10: escapes */

/* Reads `text` with its URI replaced, from the file folder/sub/a.gltf. */
static vfx_status read_with_uri(const char *folder, const char *text, const char *uri)
{
    char path[VFX_TEST_PATH], *changed = replaced(text, "data.bin", uri);
    vat_model model;
    vfx_test_path(path, folder, "sub/a.gltf");
    assert_vfx_ok(vfx_write_file(path, changed, strlen(changed)));
    free(changed);
    const vfx_status status = vat_gltf_read(path, &model);
    if (status == VFX_OK)
        vat_model_free(&model);
    vfx_test_remove(path);
    return status;
}

static const struct {
    const char *uri, *message; /* NULL: it is read */
} uris[] = {
    {"in.bin", NULL},
    {"./in.bin", NULL},
    {"%69n%2Ebin", NULL},
    {"deep/in%20side.bin", NULL},
    {"deep/in side.bin", NULL},
    {"../out.bin", "sub/a.gltf: /buffers/0/uri: leads out of the file's folder"},
    {"deep/../in.bin", "leads out of the file's folder"},
    {"deep/../../out.bin", "leads out of the file's folder"},
    {"%2e%2e/out.bin", "leads out of the file's folder"},
    {"..%2Fout.bin", "leads out of the file's folder"},
    {"%2Fetc/passwd", "leads out of the file's folder"},
    {"/etc/passwd", "leads out of the file's folder"},
    {"//host/share", "leads out of the file's folder"},
    {"", "leads out of the file's folder"},
    {"file:///etc/passwd", "a relative path with '/' between folders is needed"},
    {"..\\\\out.bin", "a relative path with '/' between folders is needed"},
    {"%5c..%5cout.bin", "a relative path with '/' between folders is needed"},
    {"c:in.bin", "a relative path with '/' between folders is needed"},
    {"in.bin%00.txt", "'%' must be followed by two hexadecimal digits other than 00"},
    {"in.bin%2", "'%' must be followed by two hexadecimal digits"},
    {"in%0Abin", "without control characters"},
    {"missing.bin", "/buffers/0/uri: there is no file"},
    {"deep", "is no regular file"},
    {"in.bin/", "leads out of"},
    {"in.bin/x", "there is no file"},
    {"link.bin", "link.bin is a symbolic link"},
    {"link/out.bin", "link is a symbolic link"},
    {"pipe", "pipe is no regular file"},
    {"empty.bin", "/buffers/0/byteLength: "},
};

static const char *const escape_files[] = {"sub/link.bin",         "sub/link",   "sub/pipe",
                                           "sub/deep/in side.bin", "sub/in.bin", "sub/deep",
                                           "sub/empty.bin",        "sub",        "out.bin"};

/* A folder with a file outside of sub/, and files, a folder, links and a pipe in it. */
static void make_escape_files(const char *folder, const doc *d)
{
    char path[VFX_TEST_PATH];
    vfx_test_path(path, folder, "sub/deep");
    assert_vfx_ok(vfx_make_folder(path));
    for (size_t i = 3; i < 9; i++)
        if (strstr(escape_files[i], ".bin") != NULL) {
            vfx_test_path(path, folder, escape_files[i]);
            assert_vfx_ok(vfx_write_file(path, d->data, strstr(path, "empty") != NULL ? 0 : d->bytes));
        }
    vfx_test_path(path, folder, "sub/link.bin");
    assert_int_equal(symlink("../out.bin", path), 0);
    vfx_test_path(path, folder, "sub/link");
    assert_int_equal(symlink("..", path), 0);
    vfx_test_path(path, folder, "sub/pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void uris_do_not_leave_the_folder(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH];
    doc *d = creature_data();
    d->external = true;
    char *text = document(d, creature);
    vfx_test_folder(folder);
    make_escape_files(folder, d);
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        const vfx_status status = read_with_uri(folder, text, uris[i].uri);
        if (status != (uris[i].message == NULL ? VFX_OK : VFX_IO))
            fail_msg("%s: %s: %s", uris[i].uri, vfx_status_name(status), vfx_message());
        if (uris[i].message != NULL)
            assert_text(vfx_message(), uris[i].message);
    }
    for (size_t i = 0; i < sizeof escape_files / sizeof *escape_files; i++) {
        vfx_test_path(path, folder, escape_files[i]);
        vfx_test_remove(path);
    }
    vfx_test_remove(folder);
    free(text);
    free(d);
}

/* From memory without a folder, no file is read; a missing model says so. */
static void models_from_memory_read_no_files(void **state)
{
    (void)state;
    doc *d = creature_data();
    vat_model model;
    d->external = true;
    assert_vfx_fails(decode(d, creature, &model), VFX_IO, "test.gltf: /buffers/0/uri: refers to a file");
    assert_vfx_fails(vat_gltf_read("missing.gltf", &model), VFX_IO, "missing.gltf");
    assert_null(model.nodes);
    free(d);
}

/* Two buffers of one file: each has its own length. */
static void buffers_share_files(void **state)
{
    (void)state;
    char folder[VFX_TEST_PATH], path[VFX_TEST_PATH], bin[VFX_TEST_PATH];
    doc *d = creature_data();
    vat_model model;
    d->external = true;
    for (char *c = d->views; (c = strstr(c, "\"buffer\":0")) != NULL;)
        c[9] = '1';
    char *text = document(d, creature);
    char *two = replaced(text, "\"buffers\":[", "\"buffers\":[{\"uri\":\"data.bin\",\"byteLength\":4},");
    char *bad = replaced(two, "\"buffer\":1", "\"buffer\":0");
    vfx_test_folder(folder);
    vfx_test_path(path, folder, "a.gltf");
    vfx_test_path(bin, folder, "data.bin");
    assert_vfx_ok(vfx_write_file(bin, d->data, d->bytes));
    assert_vfx_ok(vfx_write_file(path, two, strlen(two)));
    assert_vfx_ok(vat_gltf_read(path, &model));
    check_creature(&model);
    vat_model_free(&model);
    assert_vfx_ok(vfx_write_file(path, bad, strlen(bad)));
    assert_vfx_fails(vat_gltf_read(path, &model), VFX_IO, "/bufferViews/0: bytes 0 to 36 of buffer 0, which has 4");
    vfx_test_remove(path);
    vfx_test_remove(bin);
    vfx_test_remove(folder);
    free(text);
    free(two);
    free(bad);
    free(d);
}

/* ------------------------------------------------------------------------------------ V9: real models */

/* Reads and checks all models below a folder; returns how many. */
static uint32_t read_folder(const char *folder)
{
    uint32_t count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[2 * VFX_TEST_PATH];
        const char *dot = strrchr(entry->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (dot == NULL)
            count += strcmp(entry->d_name, "LICENSE") == 0 ? 0 : read_folder(path);
        if (dot == NULL || (strcmp(dot, ".gltf") != 0 && strcmp(dot, ".glb") != 0))
            continue;
        vat_model model;
        assert_vfx_ok(vat_gltf_read(path, &model));
        assert_vfx_ok(vat_model_check(&model, path));
        vat_model_free(&model);
        count++;
    }
    closedir(list);
    return count;
}

static const char models[] = VFX_SOURCE_DIR "/../shared/data/gltf";

static void real_models_are_read(void **state)
{
    (void)state;
    if (access(models, R_OK) != 0)
        skip();
    assert_int_equal(read_folder(models), 53);
}

static void real_models_have_their_contents(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t nodes, joints, parts, vertices, indices, targets, clips, channels;
        const char *first_clip;
        double duration, box[6]; /* s; of the bind positions */
    } rows[] = {
        {"Fox.glb",
         26,
         24,
         1,
         1728,
         1728,
         0,
         3,
         63,
         "Survey",
         3.4166667461395264,
         {-12.592718, -0.12174476, -88.09500, 12.592718, 78.907188, 66.62486}},
        {"SimpleSkin.gltf", 3, 2, 1, 24, 24, 0, 1, 1, "clip0", 5.5, {0, 0, 0, 1, 2, 0}},
    };
    if (access(models, R_OK) != 0)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[2 * VFX_TEST_PATH];
        vat_model m;
        snprintf(path, sizeof path, "%s/%s", models, rows[i].name);
        assert_vfx_ok(vat_gltf_read(path, &m));
        assert_int_equal(m.node_count, rows[i].nodes);
        assert_int_equal(m.joint_count, rows[i].joints);
        assert_int_equal(m.part_count, rows[i].parts);
        assert_int_equal(m.vertex_count, rows[i].vertices);
        assert_int_equal(m.index_count, rows[i].indices);
        assert_int_equal(m.target_count, rows[i].targets);
        assert_int_equal(m.clip_count, rows[i].clips);
        assert_int_equal(m.channel_count, rows[i].channels);
        assert_string_equal(m.clips[0].name, rows[i].first_clip);
        assert_near(m.clips[0].duration, rows[i].duration);
        for (int k = 0; k < 6; k++) {
            double most = -1e30;
            for (uint32_t v = 0; v < m.vertex_count; v++)
                most = fmax(most, k < 3 ? -m.vertices[v].position[k] : m.vertices[v].position[k - 3]);
            assert_true(fabs((k < 3 ? -most : most) - rows[i].box[k]) < 1e-4);
        }
        vat_model_free(&m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_skinned_meshes_and_a_rigid_child),
    cmocka_unit_test(triangles_come_in_lists_strips_and_fans),
    cmocka_unit_test(missing_normals_are_flat),
    cmocka_unit_test(several_primitives_and_meshes_are_merged),
    cmocka_unit_test(odd_weights_are_mended_with_a_warning),
    cmocka_unit_test(eight_joints_and_integer_weights),
    cmocka_unit_test(morph_targets_and_sparse_accessors),
    cmocka_unit_test(interleaved_attributes),
    cmocka_unit_test(channels_of_all_kinds),
    cmocka_unit_test(nodes_scenes_and_names),
    cmocka_unit_test(broken_documents_are_refused),
    cmocka_unit_test(broken_nodes_and_meshes_are_refused),
    cmocka_unit_test(broken_clips_are_refused),
    cmocka_unit_test(broken_values_are_refused),
    cmocka_unit_test(broken_sparse_accessors_and_targets_are_refused),
    cmocka_unit_test(cut_files_are_refused),
    cmocka_unit_test(broken_containers_are_refused),
    cmocka_unit_test(deep_json_is_refused),
    cmocka_unit_test(disproportionate_files_are_refused),
    cmocka_unit_test(uris_do_not_leave_the_folder),
    cmocka_unit_test(models_from_memory_read_no_files),
    cmocka_unit_test(buffers_share_files),
    cmocka_unit_test(real_models_are_read),
    cmocka_unit_test(real_models_have_their_contents),
};

VFX_TEST_MAIN(tests)
