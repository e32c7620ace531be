/* core/image_test.c - grey and RGBA images: round trips, every kind of PNG, files that are none, and mutated ones.
 * VFX_FUZZ_SECONDS=20 makes the mutation smoke longer. */
#include "core/test.h"

#include "core/image.h"
#include "core/platform.h"

#include <png.h>

enum { MAX_SAMPLES = 4096 };

/* A temporary folder with one file in it. */
typedef struct place {
    char folder[VFX_TEST_PATH], file[VFX_TEST_PATH];
} place;

static void place_make(place *p)
{
    vfx_test_folder(p->folder);
    vfx_test_path(p->file, p->folder, "image.png");
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

/* ---------------------------------------------------------------------------------------- round trip */

static void check_round_trip(const char *path, uint32_t width, uint32_t height, uint32_t bits)
{
    static uint16_t samples[MAX_SAMPLES];
    uint32_t maximum = bits == 8 ? 255 : 65535, seed = width * 1000 + height;
    vfx_grey image = {width, height, bits, maximum, samples}, back;
    assert_true(width * height <= MAX_SAMPLES);
    for (uint32_t i = 0; i < width * height; i++)
        samples[i] = (uint16_t)(next_random(&seed) & maximum);
    samples[0] = (uint16_t)maximum;
    assert_vfx_ok(vfx_grey_write(path, &image));
    assert_vfx_ok(vfx_grey_read(path, &back));
    assert_int_equal(back.width, width);
    assert_int_equal(back.height, height);
    assert_int_equal(back.bits, bits);
    assert_int_equal(back.maximum, maximum);
    assert_memory_equal(back.samples, samples, (size_t)width * height * 2);
    vfx_grey_free(&back);
    assert_null(back.samples);
}

static void grey_survives_a_round_trip(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {64, 64}, {13, 57}, {4096, 1}};
    place p;
    place_make(&p);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t bits = 8; bits <= 16; bits += 8)
            check_round_trip(p.file, sizes[i][0], sizes[i][1], bits);
    place_remove(&p);
}

static void only_images_are_written(void **state)
{
    (void)state;
    uint16_t sample = 0;
    const vfx_grey bad[] = {{0, 1, 8, 255, &sample},
                            {1, 0, 8, 255, &sample},
                            {1, 1, 12, 4095, &sample},
                            {16385, 1, 8, 255, &sample},
                            {1, 1, 8, 255, NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_vfx_fails(vfx_grey_write("never.png", &bad[i]), VFX_USAGE, "never.png");
    const vfx_grey good = {1, 1, 8, 255, &sample};
    assert_vfx_fails(vfx_grey_write("/nonexistent/folder/x.png", &good), VFX_IO, "/nonexistent/folder/x.png");
    vfx_grey empty = {0};
    vfx_grey_free(&empty);
}

/* Four numbers a pixel: colours under a zero alpha stay, and nothing is multiplied or rounded. */
static void rgba_survives_a_round_trip(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 7}, {13, 57}, {1000, 1}};
    static uint16_t samples[MAX_SAMPLES];
    place p;
    place_make(&p);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t width = sizes[i / 2][0], height = sizes[i / 2][1], bits = i % 2 == 0 ? 8 : 16, seed = i;
        uint32_t maximum = bits == 8 ? 255 : 65535;
        vfx_rgba image = {width, height, bits, maximum, samples}, back;
        assert_true(width * height * 4 <= MAX_SAMPLES);
        for (uint32_t k = 0; k < width * height * 4; k++)
            samples[k] = (uint16_t)(next_random(&seed) & maximum);
        samples[3] = 0;
        samples[0] = (uint16_t)maximum;
        assert_vfx_ok(vfx_rgba_write(p.file, &image));
        assert_vfx_ok(vfx_rgba_read(p.file, &back));
        assert_true(back.width == width && back.height == height && back.bits == bits && back.maximum == maximum);
        assert_memory_equal(back.samples, samples, (size_t)width * height * 8);
        vfx_rgba_free(&back);
        assert_null(back.samples);
    }
    const vfx_rgba bad = {16385, 1, 8, 255, samples};
    assert_vfx_fails(vfx_rgba_write("never.png", &bad), VFX_USAGE, "never.png");
    place_remove(&p);
    vfx_rgba image = {1, 1, 1, 1, samples};
    assert_vfx_fails(vfx_rgba_read(p.file, &image), VFX_IO, p.file); /* is no longer there */
    assert_true(image.samples == NULL && image.width == 0);
}

/* ------------------------------------------------------------------------------------- kinds of PNG */

/* A PNG in memory. */
typedef struct memory {
    unsigned char bytes[65536];
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
    bool transparency, gamma; /* tRNS, gAMA */
} kind;

static void set_extras(png_structp png, png_infop info, const kind *k)
{
    static const png_color palette[4] = {{0, 0, 0}, {255, 255, 255}, {100, 100, 100}, {255, 0, 0}};
    static const unsigned char alpha[4] = {0, 255, 128, 7};
    const png_color_16 colour = {.red = 1, .green = 1, .blue = 1, .gray = 1};
    if (k->colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 4);
    if (k->transparency && k->colour == PNG_COLOR_TYPE_PALETTE)
        png_set_tRNS(png, info, alpha, 4, NULL);
    else if (k->transparency)
        png_set_tRNS(png, info, NULL, 0, &colour);
    if (k->gamma)
        png_set_gAMA_fixed(png, info, 45455);
}

/* Writes `rows` of packed samples as the kind says. */
static void encode_kind(memory *m, const kind *k, uint32_t width, uint32_t height, unsigned char *const *rows)
{
    m->count = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_non_null(info);
    if (setjmp(png_jmpbuf(png)) != 0)
        fail_msg("libpng could not write the test image");
    png_set_write_fn(png, m, append, no_flush);
    png_set_IHDR(png, info, width, height, k->depth, k->colour, k->interlace, PNG_COMPRESSION_TYPE_BASE,
                 PNG_FILTER_TYPE_BASE);
    set_extras(png, info, k);
    png_write_info(png, info);
    png_write_image(png, (png_bytepp)(void *)rows);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static uint32_t channels_of(int colour)
{
    return colour == PNG_COLOR_TYPE_RGB          ? 3
           : colour == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
           : colour == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                 : 1;
}

/* The row's samples of a pixel as they are in the file. */
static void raw_values(const kind *k, const unsigned char *row, uint32_t x, double values[4])
{
    uint32_t channels = channels_of(k->colour), depth = (uint32_t)k->depth;
    for (uint32_t c = 0; c < channels; c++) {
        uint32_t i = x * channels + c;
        values[c] = depth == 16  ? row[2 * i] * 256.0 + row[2 * i + 1]
                    : depth == 8 ? row[i]
                                 : ((uint32_t)row[i * depth / 8] >> (8 - depth - i * depth % 8) & ((1u << depth) - 1));
    }
}

/* Luma of the row's pixel, or its grey value stretched to 8 bits. */
static double expected_sample(const kind *k, const unsigned char *row, uint32_t x)
{
    static const double palette_luma[4] = {0, 255, 100, 0.2126 * 255};
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0.0, values[4];
    raw_values(k, row, x, values);
    if (k->colour == PNG_COLOR_TYPE_PALETTE)
        return palette_luma[(int)values[0]];
    if (channels_of(k->colour) < 3)
        return k->depth < 8 ? values[0] * 255.0 / ((1 << k->depth) - 1) : values[0];
    for (uint32_t c = 0; c < 3; c++)
        sum += weights[c] * values[c];
    return sum;
}

/* Red, green, blue and alpha of the row's pixel. */
static void expected_rgba(const kind *k, const unsigned char *row, uint32_t x, double rgba[4])
{
    static const double palette[4][4] = {{0, 0, 0, 0}, {255, 255, 255, 255}, {100, 100, 100, 128}, {255, 0, 0, 7}};
    uint32_t channels = channels_of(k->colour);
    double values[4], opaque = k->depth == 16 ? 65535 : 255;
    raw_values(k, row, x, values);
    bool hidden = k->transparency && values[0] == 1 && (channels == 1 || (values[1] == 1 && values[2] == 1));
    for (uint32_t c = 0; c < 3; c++) {
        double value = values[channels < 3 ? 0 : c];
        rgba[c] = k->depth < 8 ? value * 255.0 / ((1 << k->depth) - 1) : value;
    }
    rgba[3] = channels % 2 == 0 ? values[channels - 1] : hidden ? 0 : opaque;
    for (uint32_t c = 0; k->colour == PNG_COLOR_TYPE_PALETTE && c < 4; c++)
        rgba[c] = c < 3 || k->transparency ? palette[(int)values[0]][c] : opaque;
}

static void check_rgba(const kind *k, const memory *m, uint32_t width, uint32_t height, unsigned char *const *rows)
{
    vfx_rgba image;
    assert_vfx_ok(vfx_rgba_decode("kind", m->bytes, m->count, &image));
    assert_true(image.width == width && image.height == height && image.bits == (k->depth == 16 ? 16 : 8));
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double want[4];
            expected_rgba(k, rows[y], x, want);
            for (uint32_t c = 0; c < 4; c++)
                if (image.samples[(y * width + x) * 4 + c] != want[c])
                    fail_msg("colour %d, depth %d, interlace %d: sample %u of (%u, %u) is %u, wanted %g", k->colour,
                             k->depth, k->interlace, c, x, y, image.samples[(y * width + x) * 4 + c], want[c]);
        }
    vfx_rgba_free(&image);
}

static void check_kind(const kind *k, uint32_t width, uint32_t height)
{
    static memory m;
    static unsigned char storage[16][16 * 8];
    unsigned char *rows[16];
    uint32_t seed = (uint32_t)(k->colour * 100 + k->depth), bytes = width * channels_of(k->colour) * 2;
    assert_true(width <= 16 && height <= 16);
    for (uint32_t y = 0; y < height; y++) {
        rows[y] = storage[y];
        for (uint32_t i = 0; i < bytes; i++) /* palette: indices 0..3 in every byte of depth 8, any bits of depth 2 */
            storage[y][i] =
                (unsigned char)(next_random(&seed) & (k->colour == PNG_COLOR_TYPE_PALETTE && k->depth == 8 ? 3 : 255));
    }
    encode_kind(&m, k, width, height, rows);
    check_rgba(k, &m, width, height, rows);
    vfx_grey image;
    assert_vfx_ok(vfx_grey_decode("kind", m.bytes, m.count, &image));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.bits, k->depth == 16 ? 16 : 8);
    double slack = !(k->colour & PNG_COLOR_MASK_COLOR) ? 0.0 : k->depth == 16 ? 4.0 : 1.0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double got = image.samples[y * width + x], want = expected_sample(k, rows[y], x);
            if (!(got - want <= slack && want - got <= slack))
                fail_msg("colour %d, depth %d, interlace %d: sample (%u, %u) is %g, wanted %g", k->colour, k->depth,
                         k->interlace, x, y, got, want);
        }
    vfx_grey_free(&image);
}

static void every_kind_of_png_is_read(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {PNG_COLOR_TYPE_GRAY, 1, 0, false, false},       {PNG_COLOR_TYPE_GRAY, 2, 0, false, false},
        {PNG_COLOR_TYPE_GRAY, 4, 1, true, false},        {PNG_COLOR_TYPE_GRAY, 8, 1, true, true},
        {PNG_COLOR_TYPE_GRAY, 16, 0, true, true},        {PNG_COLOR_TYPE_GRAY, 16, 1, false, false},
        {PNG_COLOR_TYPE_GRAY_ALPHA, 8, 0, false, false}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16, 1, false, false},
        {PNG_COLOR_TYPE_RGB, 8, 0, true, true},          {PNG_COLOR_TYPE_RGB, 16, 1, false, true},
        {PNG_COLOR_TYPE_RGB_ALPHA, 8, 1, false, true},   {PNG_COLOR_TYPE_RGB_ALPHA, 16, 0, false, false},
        {PNG_COLOR_TYPE_PALETTE, 2, 0, true, true},      {PNG_COLOR_TYPE_PALETTE, 8, 1, false, false},
        {PNG_COLOR_TYPE_PALETTE, 8, 0, true, false},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        check_kind(&kinds[i], 16, 16);
        check_kind(&kinds[i], 5, 3); /* passes of an interlaced image without pixels */
        check_kind(&kinds[i], 1, 1);
    }
}

/* ------------------------------------------------------------------------------------ damaged files */

/* A grey image of 8 x 8 in memory. */
static void make_small(memory *m, int depth)
{
    static unsigned char storage[8][16];
    unsigned char *rows[8];
    const kind k = {PNG_COLOR_TYPE_GRAY, depth, 0, false, false};
    uint32_t seed = 7;
    for (int y = 0; y < 8; y++) {
        rows[y] = storage[y];
        for (int i = 0; i < 16; i++)
            storage[y][i] = (unsigned char)next_random(&seed);
    }
    encode_kind(m, &k, 8, 8, rows);
}

static uint32_t checksum(const unsigned char *bytes, size_t count) /* CRC-32 of a chunk's type and data */
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
    }
    return ~crc;
}

static void store_be(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i) & 0xffu);
}

enum { IHDR = 12, WIDTH = 16, HEIGHT = 20, DEPTH = 24, COLOUR = 25, IHDR_END = 29, IHDR_CRC = 29 }; /* offsets */

static void damaged_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t offset, value, bytes;
        const char *part;
    } rows[] = {
        {WIDTH, 0, 4, "width is zero"},        {HEIGHT, 0, 4, "height is zero"}, {WIDTH, 16385, 4, "16385 x 8"},
        {HEIGHT, 0x7fffffff, 4, "2147483647"}, {WIDTH, 0x80000000u, 4, "PNG"},   {DEPTH, 3, 1, "bit depth"},
        {COLOUR, 5, 1, "color type"},          {HEIGHT, 9, 4, "Not enough"}, /* more rows than data */
        {HEIGHT, 16384, 4, "Not enough"},      {IHDR, 'X', 1, "critical chunk"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memory m;
        make_small(&m, 8);
        if (rows[i].bytes == 4)
            store_be(m.bytes + rows[i].offset, rows[i].value);
        else
            m.bytes[rows[i].offset] = (unsigned char)rows[i].value;
        store_be(m.bytes + IHDR_CRC, checksum(m.bytes + IHDR, IHDR_END - IHDR));
        vfx_grey image = {1, 1, 1, 1, NULL};
        vfx_status status = vfx_grey_decode("maps/hill.png", m.bytes, m.count, &image);
        if (status != VFX_IO || !strstr(vfx_message(), "maps/hill.png") || !strstr(vfx_message(), rows[i].part))
            fail_msg("row %zu: %s: \"%s\" lacks \"%s\"", i, vfx_status_name(status), vfx_message(), rows[i].part);
        assert_true(image.samples == NULL && image.width == 0);
    }
}

/* Cut anywhere, changed anywhere: never read, except where a byte is nowhere checked. */
static void cut_files_are_refused(void **state)
{
    (void)state;
    memory m;
    make_small(&m, 16);
    vfx_grey image;
    for (size_t keep = 0; keep < m.count; keep++)
        assert_vfx_fails(vfx_grey_decode("cut.png", m.bytes, keep, &image), VFX_IO, "cut.png");
    assert_vfx_fails(vfx_grey_decode("cut.png", m.bytes, 7, &image), VFX_IO, "not a PNG file");
    assert_vfx_fails(vfx_grey_decode("cut.png", m.bytes, m.count - 14, &image), VFX_IO, "cut short");
    for (size_t i = 0; i < m.count; i++) {
        m.bytes[i] ^= 0x10u;
        assert_vfx_fails(vfx_grey_decode("changed.png", m.bytes, m.count, &image), VFX_IO, "changed.png");
        m.bytes[i] ^= 0x10u;
    }
    assert_vfx_ok(vfx_grey_decode("whole.png", m.bytes, m.count, &image));
    vfx_grey_free(&image);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    place p;
    vfx_grey image;
    place_make(&p);
    assert_vfx_fails(vfx_grey_read(p.file, &image), VFX_IO, p.file); /* is not there */
    assert_vfx_ok(vfx_write_file(p.file, "", 0));
    assert_vfx_fails(vfx_grey_read(p.file, &image), VFX_IO, "not a PNG file");
    assert_vfx_ok(vfx_write_file(p.file, "\xff\xd8\xff\xe0 JFIF and so on", 20));
    assert_vfx_fails(vfx_grey_read(p.file, &image), VFX_IO, "not a PNG file");
    assert_vfx_ok(vfx_write_file(p.file, "\x89PNG\r\n\x1a\n", 8));
    assert_vfx_fails(vfx_grey_read(p.file, &image), VFX_IO, "cut short");
    assert_vfx_fails(vfx_grey_read(p.folder, &image), VFX_IO, p.folder); /* a folder */
    place_remove(&p);
}

/* ----------------------------------------------------------------------------------------- mutations */

/* Repairs the checksums of all chunks, so that mutations reach what is behind them. */
static void repair(memory *m)
{
    for (size_t at = 8; at + 12 <= m->count;) {
        size_t length = (size_t)m->bytes[at] << 24 | (size_t)m->bytes[at + 1] << 16 | (size_t)m->bytes[at + 2] << 8 |
                        m->bytes[at + 3];
        if (length > m->count - at - 12)
            return;
        store_be(m->bytes + at + 8 + length, checksum(m->bytes + at + 4, length + 4));
        at += 12 + length;
    }
}

static void mutate(memory *m, uint32_t *seed)
{
    uint32_t changes = 1 + next_random(seed) % 4;
    for (uint32_t i = 0; i < changes; i++) {
        size_t at = next_random(seed) % m->count;
        if (next_random(seed) % 3 == 0)
            at = IHDR + next_random(seed) % (IHDR_END - IHDR); /* the header matters most */
        m->bytes[at] = (unsigned char)next_random(seed);
    }
    if (next_random(seed) % 8 == 0)
        m->count -= next_random(seed) % (m->count - 8);
    repair(m);
}

/* Whatever comes of it: either an image, or a failure with a message and nothing else. */
static void mutations_do_no_harm(void **state)
{
    (void)state;
    static const kind kinds[] = {{PNG_COLOR_TYPE_GRAY, 8, 1, true, true},
                                 {PNG_COLOR_TYPE_RGB, 16, 0, true, true},
                                 {PNG_COLOR_TYPE_PALETTE, 8, 1, true, false},
                                 {PNG_COLOR_TYPE_PALETTE, 2, 0, true, true}};
    static unsigned char zeros[8][64];
    unsigned char *rows[8];
    for (int i = 0; i < 8; i++)
        rows[i] = zeros[i];
    const char *text = getenv("VFX_FUZZ_SECONDS");
    double seconds = text != NULL ? atof(text) : 0.5;
    uint64_t end = vfx_clock_ns() + (uint64_t)(seconds * 1e9);
    uint32_t seed = 1, good = 0, count = 0;
    for (; vfx_clock_ns() < end; count++) {
        memory m;
        encode_kind(&m, &kinds[count % 4], 8, 8, rows);
        mutate(&m, &seed);
        vfx_grey image;
        vfx_status status = vfx_grey_decode("mutant.png", m.bytes, m.count, &image);
        uint32_t width = image.width;
        assert_true(status == VFX_OK || ((status == VFX_IO || status == VFX_MEMORY) && image.samples == NULL &&
                                         strstr(vfx_message(), "mutant.png") != NULL));
        if (status == VFX_OK) {
            good++;
            assert_true(image.width >= 1 && image.width <= VFX_MAX_IMAGE_SIDE && image.height >= 1);
            assert_true(image.samples[(size_t)image.width * image.height - 1] <= image.maximum);
        }
        vfx_grey_free(&image);
        vfx_rgba colours;
        assert_int_equal(vfx_rgba_decode("mutant.png", m.bytes, m.count, &colours), status);
        assert_int_equal(colours.width, status == VFX_OK ? width : 0);
        vfx_rgba_free(&colours);
    }
    print_message("%u mutants, %u of them still images\n", count, good);
    assert_true(count > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rgba_survives_a_round_trip),  cmocka_unit_test(grey_survives_a_round_trip),
    cmocka_unit_test(only_images_are_written),     cmocka_unit_test(every_kind_of_png_is_read),
    cmocka_unit_test(damaged_headers_are_refused), cmocka_unit_test(cut_files_are_refused),
    cmocka_unit_test(other_files_are_refused),     cmocka_unit_test(mutations_do_no_harm),
};

VFX_TEST_MAIN(tests)
