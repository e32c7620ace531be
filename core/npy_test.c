/* core/npy_test.c - round trips, damaged files, and NumPy's own opinion where python3 has it. */
#include "core/test.h"

#include "core/npy.h"
#include "core/platform.h"

typedef struct item {
    float position[3];
    float radius;
    uint32_t gap0;
    uint16_t half[3];
    uint16_t gap1;
    int16_t code[2];
    unsigned char colour[4];
    uint32_t id;
    int32_t shift[2];
    uint32_t gap2;
} item;

enum { ITEMS = 3 };

static const vfx_field fields[] = {
    {"position", VFX_FIELD_F32, 3, 0, "m", ""},   {"radius", VFX_FIELD_F32, 1, 12, "m", ""},
    {"half", VFX_FIELD_F16, 3, 20, "1", ""},      {"code", VFX_FIELD_OCT16, 2, 28, "1", ""},
    {"colour", VFX_FIELD_UNORM8, 4, 32, "1", ""}, {"id", VFX_FIELD_U32, 1, 36, "1", ""},
    {"shift", VFX_FIELD_I32, 2, 40, "1", ""},
};
static const vfx_buffer row = {
    .name = "item", .stride = sizeof(item), .fields = fields, .field_count = VFX_COUNT(fields)};
static const vfx_field shape_fields[] = {{"shape", VFX_FIELD_U32, 1, 0, "1", ""}};
static const vfx_buffer shape_row = {.name = "shape", .stride = 4, .fields = shape_fields, .field_count = 1};
static const vfx_buffer plain_row = {.name = "plain", .stride = 8};

static void make_items(item items[ITEMS])
{
    for (int i = 0; i < ITEMS; i++)
        items[i] = (item){.position = {(float)i + 0.5f, -1.0f, 1e-30f},
                          .radius = 0.25f,
                          .gap0 = 0xa0u,
                          .half = {0x3c00u, 0xc000u, 0x0001u},
                          .gap1 = 0xb0u,
                          .code = {-32767, 32767},
                          .colour = {0, 128, 255, 7},
                          .id = 0xfffffff0u + (uint32_t)i,
                          .shift = {-5, 5},
                          .gap2 = 0xc0u};
}

/* A temporary folder with one file in it. */
typedef struct place {
    char folder[VFX_TEST_PATH], file[VFX_TEST_PATH];
} place;

static void place_make(place *p)
{
    vfx_test_folder(p->folder);
    vfx_test_path(p->file, p->folder, "item.npy");
}

static void place_remove(const place *p)
{
    vfx_test_remove(p->file);
    vfx_test_remove(p->folder);
}

static void round_trip(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    item items[ITEMS], back[ITEMS];
    make_items(items);
    memset(back, 0, sizeof back);
    assert_vfx_ok(vfx_npy_write(p.file, &row, items, ITEMS));
    assert_vfx_ok(vfx_npy_read(p.file, &row, back, ITEMS));
    assert_memory_equal(items, back, sizeof items); /* gaps included */

    void *data = NULL;
    size_t bytes = 0;
    assert_vfx_ok(vfx_read_file(p.file, 65536, &data, &bytes));
    assert_memory_equal(data, "\x93NUMPY\x01\x00", 8);
    assert_int_equal((bytes - sizeof items) % 64, 0);
    assert_non_null(strstr((char *)data + 10,
                           "{'descr': [('position', '<f4', (3,)), ('radius', '<f4'), ('', '|V4'), ('half', '<f2', "
                           "(3,)), ('', '|V2'), ('code', '<i2', (2,)), ('colour', '|u1', (4,)), ('id', '<u4'), "
                           "('shift', '<i4', (2,)), ('', '|V4')], 'fortran_order': False, 'shape': (3,), }"));
    free(data);

    assert_vfx_ok(vfx_npy_write(p.file, &row, NULL, 0));
    assert_vfx_ok(vfx_npy_read(p.file, &row, NULL, 0));
    const uint32_t words[2] = {7, 9};
    uint32_t words_back[2] = {0};
    assert_vfx_ok(vfx_npy_write(p.file, &shape_row, words, 2)); /* a field named like a key of the header */
    assert_vfx_ok(vfx_npy_read(p.file, &shape_row, words_back, 2));
    assert_memory_equal(words, words_back, sizeof words);
    assert_vfx_ok(vfx_npy_write(p.file, &plain_row, words, 1)); /* no fields */
    assert_vfx_ok(vfx_npy_read(p.file, &plain_row, words_back, 1));
    place_remove(&p);
}

/* A good file, changed in one way, must be refused with this message. */
static void damaged_files(void **state)
{
    (void)state;
    static const struct {
        size_t offset, keep; /* keep: bytes left of the file, 0 all */
        const char *bytes;   /* replace what is at offset */
        size_t count;
        const char *part;
    } rows[] = {
        {0, 0, "\x94", 1, "not an .npy file"},
        {0, 3, "", 0, "not an .npy file"},
        {0, 8, "", 0, "truncated: the header"},
        {0, 60, "", 0, "truncated: the header"},
        {6, 0, "\x02", 1, "version 2.0"},
        {8, 0, "\xff\xff", 2, "header of 65535 bytes"},
        {8, 0, "\xff\x1f", 2, "truncated: the header"}, /* longer than the file */
        {8, 0, "\x00\x00", 2, "other records"},
        {8, 0, "\x10\x00", 2, "other records"},
        {12, 0, "descR", 5, "other records"},
        {34, 0, "X", 1, "other records"},
        {0, SIZE_MAX, "", 0, "truncated: "}, /* the last byte is missing */
    };
    place p;
    place_make(&p);
    item items[ITEMS], back[ITEMS];
    make_items(items);
    for (size_t i = 0; i < VFX_COUNT(rows); i++) {
        assert_vfx_ok(vfx_npy_write(p.file, &row, items, ITEMS));
        void *data = NULL;
        size_t bytes = 0;
        assert_vfx_ok(vfx_read_file(p.file, 65536, &data, &bytes));
        memcpy((char *)data + rows[i].offset, rows[i].bytes, rows[i].count);
        size_t keep = rows[i].keep == 0 ? bytes : rows[i].keep == SIZE_MAX ? bytes - 1 : rows[i].keep;
        assert_vfx_ok(vfx_write_file(p.file, data, keep));
        free(data);
        vfx_status status = vfx_npy_read(p.file, &row, back, ITEMS);
        if (status != VFX_IO || strstr(vfx_message(), rows[i].part) == NULL || strstr(vfx_message(), p.file) == NULL)
            fail_msg("row %zu: %s: %s", i, vfx_status_name(status), vfx_message());
    }
    place_remove(&p);
}

static void other_contents(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    item items[ITEMS + 1] = {{.radius = 0}}, back[ITEMS + 1];
    make_items(items);
    assert_vfx_fails(vfx_npy_read(p.file, &row, back, 3), VFX_IO, p.file); /* missing */
    assert_vfx_ok(vfx_npy_write(p.file, &row, items, ITEMS));
    assert_vfx_fails(vfx_npy_read(p.file, &row, back, 2), VFX_IO, "another number of records: (3,)");
    assert_vfx_fails(vfx_npy_read(p.file, &row, back, 4), VFX_IO, "another number of records");
    assert_vfx_fails(vfx_npy_read(p.file, &row, back, 30), VFX_IO, "another number of records");
    assert_vfx_fails(vfx_npy_read(p.file, &shape_row, back, 3), VFX_IO, ")], wanted [('shape','<u4')]");
    vfx_field renamed[VFX_COUNT(fields)];
    memcpy(renamed, fields, sizeof fields);
    renamed[1].type = VFX_FIELD_U32;
    vfx_buffer other = row;
    other.fields = renamed;
    assert_vfx_fails(vfx_npy_read(p.file, &other, back, 3), VFX_IO, "other records");
    assert_vfx_fails(vfx_npy_read(p.file, &row, back, UINT64_MAX / 2), VFX_IO, "more than memory");

    void *data = NULL;
    size_t bytes = 0;
    assert_vfx_ok(vfx_read_file(p.file, 65536, &data, &bytes));
    const vfx_part parts[] = {{data, bytes}, {"x", 1}};
    assert_vfx_ok(vfx_write_file_parts(p.file, parts, 2));
    free(data);
    assert_vfx_fails(vfx_npy_read(p.file, &row, back, 3), VFX_IO, "goes on after");

    renamed[1].offset = 8; /* overlaps position */
    assert_vfx_fails(vfx_npy_write(p.file, &other, items, 3), VFX_USAGE, "radius");
    renamed[1].offset = sizeof(item);
    assert_vfx_fails(vfx_npy_write(p.file, &other, items, 3), VFX_USAGE, "radius");
    assert_vfx_fails(vfx_npy_write("/nonexistent/folder/x.npy", &row, items, 3), VFX_IO, "/nonexistent/folder/x.npy");
    place_remove(&p);
}

static void numpy_agrees(void **state)
{
    (void)state;
    if (system("python3 -c 'import numpy' >/dev/null 2>&1") != 0)
        skip();
    place p;
    place_make(&p);
    item items[ITEMS], back[ITEMS];
    make_items(items);
    assert_vfx_ok(vfx_npy_write(p.file, &row, items, ITEMS));
    char command[2 * VFX_TEST_PATH + 1024];
    snprintf(command, sizeof command,
             "python3 -c \"\n"
             "import numpy as np, sys\n"
             "a = np.load(sys.argv[1])\n"
             "assert a.shape == (3,) and a.dtype.itemsize == 52, a.dtype\n"
             "assert list(a.dtype.names) == 'position radius half code colour id shift'.split(), a.dtype\n"
             "assert a['position'][2][0] == 2.5 and a['radius'][1] == 0.25\n"
             "assert a['half'][0].tolist() == [1.0, -2.0, 2.0 ** -24]\n"
             "assert a['code'][0].tolist() == [-32767, 32767] and a['colour'][0].tolist() == [0, 128, 255, 7]\n"
             "assert a['id'][2] == 0xfffffff2 and a['shift'][0].tolist() == [-5, 5]\n"
             "np.save(sys.argv[1], a)\n"
             "\" '%s'",
             p.file);
    assert_int_equal(system(command), 0);
    memset(back, 0, sizeof back);
    assert_vfx_ok(vfx_npy_read(p.file, &row, back, ITEMS)); /* what NumPy saved again */
    assert_memory_equal(back[2].position, items[2].position, sizeof items[2].position);
    assert_int_equal(back[2].id, items[2].id);
    place_remove(&p);
}

/* ------------------------------------------------------------------------------------------ floats */

/* A header of 118 bytes with this dtype and shape, and values. */
static void write_floats(const place *p, const char *dtype, const char *order, const char *shape, size_t bytes)
{
    static const float values[6] = {1, 2, 3, 4, 5, -0.5f};
    char header[118 + 1];
    unsigned char file[256];
    int used =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", dtype, order, shape);
    assert_true(used > 0 && used < 117 && bytes <= sizeof values + 4);
    memset(header + used, ' ', (size_t)(117 - used));
    header[117] = '\n';
    memset(file, 0, sizeof file);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(file + 10, header, 118);
    memcpy(file + 128, values, sizeof values);
    assert_vfx_ok(vfx_write_file(p->file, file, 128 + bytes));
}

static void floats_are_read_and_judged(void **state)
{
    (void)state;
    float values[6] = {0};
    place p;
    place_make(&p);
    write_floats(&p, "<f4", "False", "(3, 2)", 24);
    assert_vfx_ok(vfx_npy_read_floats(p.file, "rows", 3, 2, values));
    assert_true(values[0] == 1.0f && values[4] == 5.0f && values[5] == -0.5f);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 2, 3, values), VFX_IO,
                     "(3,2), wanted (2,3), as many rows as rows says");
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", SIZE_MAX / 2, 8, values), VFX_IO, "memory can address");
    write_floats(&p, "<f8", "False", "(3, 2)", 24);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 3, 2, values), VFX_IO, "dtype '<f8', wanted '<f4'");
    write_floats(&p, "<f4", "True", "(3, 2)", 24);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 3, 2, values), VFX_IO, "Fortran");
    write_floats(&p, "<f4", "False", "(6,)", 24);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 3, 2, values), VFX_IO, "another shape");
    write_floats(&p, "<f4", "False", "(3, 2)", 20);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 3, 2, values), VFX_IO, "truncated");
    write_floats(&p, "<f4", "False", "(3, 2)", 28);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 3, 2, values), VFX_IO, "goes on");
    place_remove(&p);
    assert_vfx_fails(vfx_npy_read_floats(p.file, "rows", 3, 2, values), VFX_IO, "cannot open");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(floats_are_read_and_judged),
    cmocka_unit_test(round_trip),
    cmocka_unit_test(damaged_files),
    cmocka_unit_test(other_contents),
    cmocka_unit_test(numpy_agrees),
};
VFX_TEST_MAIN(tests)
