/* core/picture_test.c - pictures: round trips, the same bytes each time, every kind of PNG that must not be read, files
 * that are none, damaged and mutated ones. VFX_FUZZ_SECONDS=20 makes the mutation smoke longer. */
#include "core/test.h"

#include "core/picture.h"
#include "core/platform.h"

#include <png.h>
#include <sys/stat.h>
#include <zlib.h>

/* A temporary folder with one file in it. */
typedef struct place {
    char folder[VFX_TEST_PATH], file[VFX_TEST_PATH];
} place;

static void place_make(place *p)
{
    vfx_test_folder(p->folder);
    vfx_test_path(p->file, p->folder, "view.png");
}

static void place_remove(const place *p)
{
    vfx_test_remove(p->file);
    vfx_test_remove(p->folder);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static vfx_picture random_picture(uint32_t width, uint32_t height)
{
    vfx_picture picture;
    uint32_t seed = width * 1000 + height;
    assert_vfx_ok(vfx_picture_create(&picture, width, height));
    for (size_t i = 0; i < (size_t)width * height * 3; i++)
        picture.rgb[i] = (uint8_t)next_random(&seed);
    picture.rgb[0] = 255;
    return picture;
}

static void assert_pictures_equal(const vfx_picture *a, const vfx_picture *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_memory_equal(a->rgb, b->rgb, (size_t)a->width * a->height * 3);
}

/* The call fails, with `part` and the path in the message, and gives no picture. */
static void assert_not_read(const char *path, const char *part)
{
    vfx_picture picture = {1, 1, NULL};
    vfx_status status = vfx_picture_read(path, &picture);
    if (status != VFX_IO || strstr(vfx_message(), part) == NULL || strstr(vfx_message(), path) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\" or the path", vfx_status_name(status), vfx_message(), part);
    assert_true(picture.rgb == NULL && picture.width == 0 && picture.height == 0);
}

/* ---------------------------------------------------------------------------------- what is written */

static void a_new_picture_is_black(void **state)
{
    (void)state;
    static const uint32_t bad[][2] = {{0, 1}, {1, 0}, {VFX_MAX_PICTURE_SIDE + 1, 1}, {1, UINT32_MAX}};
    vfx_picture picture;
    assert_vfx_ok(vfx_picture_create(&picture, 7, 5));
    assert_true(picture.width == 7 && picture.height == 5);
    for (size_t i = 0; i < 7 * 5 * 3; i++)
        assert_int_equal(picture.rgb[i], 0);
    vfx_picture_free(&picture);
    assert_true(picture.rgb == NULL && picture.width == 0);
    vfx_picture_free(&picture);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        picture.width = 1;
        assert_vfx_fails(vfx_picture_create(&picture, bad[i][0], bad[i][1]), VFX_USAGE, "1 .. 8192");
        assert_true(picture.rgb == NULL && picture.width == 0);
    }
}

static void a_picture_survives_a_round_trip(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {64, 64}, {13, 57}, {VFX_MAX_PICTURE_SIDE, 1}};
    place p;
    place_make(&p);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        vfx_picture picture = random_picture(sizes[i][0], sizes[i][1]), back;
        assert_vfx_ok(vfx_picture_write(p.file, &picture));
        assert_vfx_ok(vfx_picture_read(p.file, &back));
        assert_pictures_equal(&picture, &back);
        vfx_picture_free(&picture);
        vfx_picture_free(&back);
    }
    place_remove(&p);
}

static void the_same_picture_gives_the_same_bytes(void **state)
{
    (void)state;
    place p;
    void *bytes[2];
    size_t count[2];
    vfx_picture picture;
    place_make(&p);
    assert_vfx_ok(vfx_picture_create(&picture, 384, 216));
    for (uint32_t y = 0; y < 216; y++)
        for (uint32_t x = 0; x < 384; x++) /* a sky with a sun and a little dither */
            for (uint32_t c = 0; c < 3; c++)
                picture.rgb[(y * 384 + x) * 3 + c] = (uint8_t)((x - 99) * (x - 99) + (y - 70) * (y - 70) < 900
                                                                   ? 250 - 20 * c
                                                                   : 30 + 40 * c + y / 2 + x * c / 8 + (x + y) % 2);
    for (int i = 0; i < 2; i++) {
        assert_vfx_ok(vfx_picture_write(p.file, &picture));
        assert_vfx_ok(vfx_read_file(p.file, (size_t)1 << 20, &bytes[i], &count[i]));
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(bytes[0], bytes[1], count[0]);
    if (count[0] > 384 * 216 * 3 / 10)
        fail_msg("%zu bytes are hardly compressed", count[0]);
    free(bytes[0]);
    free(bytes[1]);
    vfx_picture_free(&picture);
    place_remove(&p);
}

static void a_failure_leaves_nothing_behind(void **state)
{
    (void)state;
    uint8_t rgb[3] = {1, 2, 3};
    const vfx_picture bad[] = {{0, 1, rgb}, {1, 0, rgb}, {VFX_MAX_PICTURE_SIDE + 1, 1, rgb}, {1, 1, NULL}};
    const vfx_picture good = {1, 1, rgb};
    place p;
    vfx_names names;
    place_make(&p);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_vfx_fails(vfx_picture_write(p.file, &bad[i]), VFX_USAGE, p.file);
    assert_vfx_fails(vfx_picture_write("/nonexistent/folder/x.png", &good), VFX_IO, "/nonexistent/folder/x.png");
    assert_vfx_fails(vfx_picture_write(p.folder, &good), VFX_IO, "it is a folder");
    assert_vfx_ok(vfx_list_folder(p.folder, &names));
    assert_int_equal(names.count, 0);
    vfx_names_free(&names);
    assert_vfx_ok(vfx_picture_write(p.file, &good));
    assert_vfx_ok(vfx_list_folder(p.folder, &names));
    assert_int_equal(names.count, 1); /* no temporary file beside it */
    vfx_names_free(&names);
    place_remove(&p);
}

static void pasting_leaves_out_what_falls_outside(void **state)
{
    (void)state;
    static const uint32_t places[][2] = {{0, 0}, {2, 1}, {8, 6}, {9, 7}, {10, 0}, {0, 8}, {UINT32_MAX, UINT32_MAX}};
    vfx_picture from = random_picture(3, 4), empty = {0};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        vfx_picture to;
        assert_vfx_ok(vfx_picture_create(&to, 10, 8));
        vfx_picture_paste(&to, &from, places[i][0], places[i][1]);
        vfx_picture_paste(&to, &empty, 0, 0);
        vfx_picture_paste(&empty, &from, 0, 0);
        for (uint32_t y = 0; y < 8; y++)
            for (uint32_t x = 0; x < 10; x++)
                for (uint32_t c = 0; c < 3; c++) {
                    uint64_t fx = (uint64_t)x - places[i][0], fy = (uint64_t)y - places[i][1]; /* huge before it */
                    assert_int_equal(to.rgb[(y * 10 + x) * 3 + c],
                                     fx < 3 && fy < 4 ? from.rgb[(fy * 3 + fx) * 3 + c] : 0);
                }
        vfx_picture_free(&to);
    }
    vfx_picture_free(&from);
}

/* ------------------------------------------------------------------------------------- kinds of PNG */

enum { SIDE = 8 };

/* A PNG in memory. */
typedef struct memory {
    unsigned char bytes[16384];
    size_t count;
} memory;

static void append(png_structp png, png_bytep data, size_t bytes)
{
    memory *m = png_get_io_ptr(png);
    assert_true(m->count + bytes <= sizeof m->bytes);
    memcpy(m->bytes + m->count, data, bytes);
    m->count += bytes;
}

static void no_flush(png_structp png)
{
    (void)png;
}

typedef struct kind {
    int colour, depth, interlace;
    bool transparency, gamma; /* tRNS; gAMA of linear light, a text and cHRM of another monitor */
    const char *part;         /* of the message; NULL: it is read */
} kind;

static void set_extras(png_structp png, png_infop info, const kind *k)
{
    static const png_color palette[4] = {{0, 0, 0}, {255, 255, 255}, {100, 100, 100}, {255, 0, 0}};
    const png_color_16 colour = {.red = 1, .green = 1, .blue = 1};
    if (k->colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 4);
    if (k->transparency)
        png_set_tRNS(png, info, NULL, 0, &colour);
    if (k->gamma) {
        char key[] = "Title", text[] = "linear";
        png_text title = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text, .text_length = 6};
        png_set_gAMA_fixed(png, info, PNG_FP_1);
        png_set_cHRM_fixed(png, info, 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000);
        png_set_text(png, info, &title, 1);
    }
}

/* A PNG of SIDE * SIDE pixels; its rows are storage[0 .. SIDE - 1]. */
static void encode_kind(memory *m, const kind *k, unsigned char storage[SIDE][SIDE * 8])
{
    unsigned char *rows[SIDE];
    uint32_t seed = 7;
    for (int y = 0; y < SIDE; y++) {
        rows[y] = storage[y];
        for (int i = 0; i < SIDE * 8; i++)
            storage[y][i] = (unsigned char)(next_random(&seed) & (k->colour == PNG_COLOR_TYPE_PALETTE ? 3 : 255));
    }
    m->count = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_non_null(info);
    if (setjmp(png_jmpbuf(png)) != 0)
        fail_msg("libpng could not write the test image");
    png_set_write_fn(png, m, append, no_flush);
    png_set_IHDR(png, info, SIDE, SIDE, k->depth, k->colour, k->interlace, PNG_COMPRESSION_TYPE_BASE,
                 PNG_FILTER_TYPE_BASE);
    set_extras(png, info, k);
    png_write_info(png, info);
    png_write_image(png, rows);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static const kind plain = {PNG_COLOR_TYPE_RGB, 8, 0, false, false, NULL};

static void only_8_bit_rgb_is_read(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, false, false, NULL},
        {PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_ADAM7, false, false, NULL},
        {PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, false, true, NULL}, /* the values of the file, as they are */
        {PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, true, false, "a transparent colour"},
        {PNG_COLOR_TYPE_RGB, 16, PNG_INTERLACE_NONE, false, false, "a PNG of 16-bit RGB;"},
        {PNG_COLOR_TYPE_RGB_ALPHA, 8, PNG_INTERLACE_NONE, false, false, "a PNG of 8-bit RGBA;"},
        {PNG_COLOR_TYPE_RGB_ALPHA, 16, PNG_INTERLACE_NONE, false, false, "a PNG of 16-bit RGBA;"},
        {PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_NONE, false, false, "a PNG of 8-bit grey;"},
        {PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE, false, false, "a PNG of 1-bit grey;"},
        {PNG_COLOR_TYPE_GRAY_ALPHA, 8, PNG_INTERLACE_NONE, false, false, "a PNG of 8-bit grey and alpha;"},
        {PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE, false, false, "a PNG of 8-bit palette;"},
    };
    static unsigned char storage[SIDE][SIDE * 8];
    place p;
    place_make(&p);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        memory m;
        encode_kind(&m, &kinds[i], storage);
        assert_vfx_ok(vfx_write_file(p.file, m.bytes, m.count));
        if (kinds[i].part != NULL) {
            assert_not_read(p.file, kinds[i].part);
            continue;
        }
        vfx_picture picture;
        assert_vfx_ok(vfx_picture_read(p.file, &picture));
        assert_true(picture.width == SIDE && picture.height == SIDE);
        for (size_t y = 0; y < SIDE; y++)
            assert_memory_equal(picture.rgb + y * SIDE * 3, storage[y], SIDE * 3);
        vfx_picture_free(&picture);
    }
    place_remove(&p);
}

/* ------------------------------------------------------------------------------------ damaged files */

static void make_plain(memory *m)
{
    static unsigned char storage[SIDE][SIDE * 8];
    encode_kind(m, &plain, storage);
}

static void store_be(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i) & 0xffu);
}

/* Repairs the checksums of all chunks, so that changes reach what is behind them. */
static void repair(memory *m)
{
    for (size_t at = 8; at + 12 <= m->count;) {
        size_t length = (size_t)m->bytes[at] << 24 | (size_t)m->bytes[at + 1] << 16 | (size_t)m->bytes[at + 2] << 8 |
                        m->bytes[at + 3];
        if (length > m->count - at - 12)
            return;
        store_be(m->bytes + at + 8 + length, (uint32_t)crc32(0, m->bytes + at + 4, (uInt)length + 4));
        at += 12 + length;
    }
}

enum { IHDR_LENGTH = 8, IHDR = 12, WIDTH = 16, HEIGHT = 20, DEPTH = 24, COLOUR = 25, METHOD = 26, IHDR_END = 29 };

static void damaged_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t offset, value, bytes;
        const char *part;
    } rows[] = {
        {WIDTH, 0, 4, "damaged (0 x 8"},
        {HEIGHT, 0, 4, "damaged (8 x 0"},
        {WIDTH, VFX_MAX_PICTURE_SIDE + 1, 4, "8193 x 8 pixels, at most 8192 x 8192"},
        {HEIGHT, UINT32_MAX, 4, "8 x 4294967295"},
        {WIDTH, VFX_MAX_PICTURE_SIDE, 4, "damaged"}, /* allowed, but there are no such rows */
        {DEPTH, 3, 1, "a PNG of 3-bit RGB;"},
        {COLOUR, 5, 1, "colour type 5"},
        {COLOUR, 255, 1, "colour type 255"},
        {METHOD, 1, 1, "damaged"},
        {HEIGHT, 9, 4, "damaged"}, /* more rows than data */
        {HEIGHT, 7, 4, "damaged"}, /* and fewer */
        {IHDR, 'X', 1, "no header"},
        {IHDR_LENGTH + 3, 12, 1, "checksum"},
        {IHDR_LENGTH, 0xff, 1, "cut short"},
    };
    place p;
    place_make(&p);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memory m;
        make_plain(&m);
        if (rows[i].bytes == 4)
            store_be(m.bytes + rows[i].offset, rows[i].value);
        else
            m.bytes[rows[i].offset] = (unsigned char)rows[i].value;
        store_be(m.bytes + IHDR_END, (uint32_t)crc32(0, m.bytes + IHDR, IHDR_END - IHDR));
        assert_vfx_ok(vfx_write_file(p.file, m.bytes, m.count));
        assert_not_read(p.file, rows[i].part);
    }
    memory m = {"\x89PNG\r\n\x1a\n\0\0\0\1IHDRx????", 21}; /* a sound chunk, but of a single byte */
    repair(&m);
    assert_vfx_ok(vfx_write_file(p.file, m.bytes, m.count));
    assert_not_read(p.file, "no header");
    place_remove(&p);
}

static void cut_and_changed_files_are_refused(void **state)
{
    (void)state;
    memory m;
    place p;
    make_plain(&m);
    place_make(&p);
    for (size_t keep = 0; keep < m.count; keep++) {
        assert_vfx_ok(vfx_write_file(p.file, m.bytes, keep));
        assert_not_read(p.file, keep < 8 ? "no PNG" : "cut short");
    }
    for (size_t i = 0; i < m.count; i++) {
        m.bytes[i] ^= 0x10u;
        assert_vfx_ok(vfx_write_file(p.file, m.bytes, m.count));
        assert_not_read(p.file, i < 8 ? "no PNG" : "");
        m.bytes[i] ^= 0x10u;
    }
    place_remove(&p);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    place p;
    char fifo[VFX_TEST_PATH];
    place_make(&p);
    assert_not_read(p.file, "No such file");
    assert_vfx_ok(vfx_write_file(p.file, "", 0));
    assert_not_read(p.file, "no PNG file");
    assert_vfx_ok(vfx_write_file(p.file, "\xff\xd8\xff\xe0 JFIF and so on", 20));
    assert_not_read(p.file, "no PNG file");
    assert_not_read(p.folder, "it is a folder");
    vfx_test_path(fifo, p.folder, "fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_not_read(fifo, "no regular file");
    vfx_test_remove(fifo);
    place_remove(&p);
}

/* ----------------------------------------------------------------------------------------- mutations */

static void mutate(memory *m, uint32_t *seed)
{
    uint32_t changes = 1 + next_random(seed) % 4;
    for (uint32_t i = 0; i < changes; i++) {
        size_t at = next_random(seed) % m->count;
        if (next_random(seed) % 5 == 0)
            at = IHDR + next_random(seed) % (IHDR_END - IHDR);
        m->bytes[at] = (unsigned char)next_random(seed);
    }
    if (next_random(seed) % 8 == 0)
        m->count -= next_random(seed) % (m->count - 8);
    repair(m);
}

/* Whatever comes of it: either a picture, or a failure with a message and nothing else. */
static void mutations_do_no_harm(void **state)
{
    (void)state;
    static const kind kinds[] = {{PNG_COLOR_TYPE_RGB, 8, 0, false, true, NULL},
                                 {PNG_COLOR_TYPE_RGB, 8, 1, false, false, NULL}};
    static unsigned char storage[SIDE][SIDE * 8];
    const char *text = getenv("VFX_FUZZ_SECONDS");
    uint64_t end = vfx_clock_ns() + (uint64_t)((text != NULL ? atof(text) : 0.5) * 1e9);
    uint32_t seed = 1, good = 0, count = 0;
    place p;
    place_make(&p);
    for (; vfx_clock_ns() < end; count++) {
        memory m;
        vfx_picture picture;
        encode_kind(&m, &kinds[count % 2], storage);
        mutate(&m, &seed);
        assert_vfx_ok(vfx_write_file(p.file, m.bytes, m.count));
        vfx_status status = vfx_picture_read(p.file, &picture);
        if (status == VFX_OK) {
            assert_true(picture.width >= 1 && picture.width <= VFX_MAX_PICTURE_SIDE && picture.rgb != NULL);
            good++;
        } else {
            assert_true((status == VFX_IO || status == VFX_MEMORY) && picture.rgb == NULL);
            assert_non_null(strstr(vfx_message(), status == VFX_IO ? p.file : "memory"));
        }
        vfx_picture_free(&picture);
    }
    print_message("%u mutants, %u of them still pictures\n", count, good);
    assert_true(count > 0);
    place_remove(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_new_picture_is_black),
    cmocka_unit_test(a_picture_survives_a_round_trip),
    cmocka_unit_test(the_same_picture_gives_the_same_bytes),
    cmocka_unit_test(a_failure_leaves_nothing_behind),
    cmocka_unit_test(pasting_leaves_out_what_falls_outside),
    cmocka_unit_test(only_8_bit_rgb_is_read),
    cmocka_unit_test(damaged_headers_are_refused),
    cmocka_unit_test(cut_and_changed_files_are_refused),
    cmocka_unit_test(other_files_are_refused),
    cmocka_unit_test(mutations_do_no_harm),
};

VFX_TEST_MAIN(tests)
