/* scripts/fuzz_gltf.c - changes glTF files at random and reads them, under AddressSanitizer and
 * UndefinedBehaviorSanitizer (fuzz_gltf.sh builds it). A finding is a sanitizer's report, a hang, an error without a
 * message, a model left behind by a failed read, or one that the reader lets through and vat_model_check() does not;
 * models that read well are posed. Input n of a seed depends on n and the seed only.
 * Usage: fuzz_gltf [-n inputs] [-t seconds] [-s seed] [-f first input] [-o file for the last input] [model...] */
#include "core/platform.h"
#include "kernels/vat/gltf.h"
#include "scripts/fuzz_gltf.h"
#include "scripts/fuzz_gltf_seeds.h"

#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEED_BYTES = 1 << 14, HANG_SECONDS = 20 };

/* What a report has to say, for signal handlers and the sanitizers' callback. */
static struct {
    uint64_t number, seed;
    const char *dump;
    uint8_t file[2 * FUZZ_MAX_BYTES + 64];
    size_t bytes;
} now;

static fuzz_seeds seeds;

/* -------------------------------------------------------------------------------------------- seeds */

static void add_seed(const uint8_t *text, size_t text_bytes, const uint8_t *chunk, size_t chunk_bytes,
                     const char *folder)
{
    if (seeds.count == FUZZ_MAX_SEEDS || text_bytes > FUZZ_MAX_BYTES / 4 || chunk_bytes > FUZZ_MAX_BYTES / 4)
        return;
    fuzz_seed *s = &seeds.rows[seeds.count++];
    s->text = malloc(text_bytes + 1);
    s->chunk = malloc(chunk_bytes + 1);
    if (s->text == NULL || s->chunk == NULL)
        exit(2);
    memcpy(s->text, text, text_bytes);
    if (chunk_bytes > 0)
        memcpy(s->chunk, chunk, chunk_bytes);
    s->text_bytes = text_bytes;
    s->chunk_bytes = chunk_bytes;
    snprintf(s->folder, sizeof s->folder, "%s", folder);
}

/* Each as a .glb and, with its bytes in base64, as a .gltf. */
static void add_built_in(const char *json, const char *hex)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char head[] = "\"uri\":\"data:;base64,", mark[] = "\"buffers\":[{";
    static char text[FUZZ_MAX_BYTES / 4], all[FUZZ_MAX_BYTES / 2];
    static uint8_t data[FUZZ_MAX_BYTES / 4];
    size_t bytes = 0, length = strlen(json), used;
    for (size_t i = 0; i <= length; i++)
        text[i] = (char)(json[i] == '\'' ? '"' : json[i]);
    for (unsigned byte; sscanf(hex + 2 * bytes, "%2x", &byte) == 1;)
        data[bytes++] = (uint8_t)byte;
    memset(data + bytes, 0, 4);
    add_seed((const uint8_t *)text, length, data, bytes, "");
    const char *place = strstr(text, mark) + sizeof mark - 1;
    used = (size_t)snprintf(all, sizeof all, "%.*s%s", (int)(place - text), text, head);
    for (size_t i = 0; i < bytes; i += 3) {
        const uint32_t word = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
        for (int k = 18; k >= 0; k -= 6)
            all[used++] = digits[word >> k & 63];
    }
    used += (size_t)snprintf(all + used, sizeof all - used, "\",%s", place);
    add_seed((const uint8_t *)all, used, NULL, 0, "");
}

/* A .gltf with one .bin beside it also becomes a .glb, so that the bytes are changed too. */
static void embed(const uint8_t *data, size_t bytes, const char *folder)
{
    char path[1024], name[256];
    char *text = malloc(bytes + 1), *uri;
    void *bin;
    size_t bin_bytes;
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    if ((uri = strstr(text, "\"uri\"")) != NULL && sscanf(uri + 5, " : \"%250[^\":]\"", name) == 1) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (vfx_read_file(path, SEED_BYTES, &bin, &bin_bytes) == VFX_OK) {
            uri[1] = 'x';
            add_seed((const uint8_t *)text, bytes, bin, bin_bytes, folder);
            free(bin);
        }
    }
    free(text);
}

/* Large models make slow inputs: they are left out. */
static void add_file(const char *path)
{
    void *file;
    size_t bytes;
    char folder[512];
    if (vfx_read_file(path, SEED_BYTES, &file, &bytes) != VFX_OK)
        return;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    add_seed(file, bytes, NULL, 0, folder);
    embed(file, bytes, folder);
    free(file);
}

/* ------------------------------------------------------------------------------------------- inputs */

static void put_word(uint8_t *to, size_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

/* Writes the file into now.file. */
static void write_file(const fuzz_input *in)
{
    const size_t text = (in->text_bytes + 3) / 4 * 4, chunk = (in->chunk_bytes + 3) / 4 * 4, data = 20 + text + 8;
    if (in->chunk_bytes == 0) {
        memcpy(now.file, in->text, in->text_bytes);
        now.bytes = in->text_bytes;
        return;
    }
    now.bytes = data + chunk;
    memset(now.file, ' ', now.bytes);
    memcpy(now.file, "glTF", 4);
    put_word(now.file + 4, 2);
    put_word(now.file + 8, now.bytes);
    put_word(now.file + 12, text);
    put_word(now.file + 16, 0x4e4f534a);
    memcpy(now.file + 20, in->text, in->text_bytes);
    put_word(now.file + data - 8, chunk);
    put_word(now.file + data - 4, 0x004e4942);
    memcpy(now.file + data, in->chunk, in->chunk_bytes);
}

/* Now and then a word of a .glb's headers is wrong, or its end is missing. */
static void damage_container(const fuzz_input *in, uint64_t *state)
{
    const size_t text = (in->text_bytes + 3) / 4 * 4, words[] = {4, 8, 12, 16, 20 + text, 24 + text};
    const size_t luck = fuzz_below(state, 40);
    if (in->chunk_bytes > 0 && luck < 2)
        put_word(now.file + words[fuzz_below(state, 6)], fuzz_below(state, luck == 0 ? now.bytes + 8 : SIZE_MAX));
    else if (luck == 2)
        now.bytes = fuzz_below(state, now.bytes + 1);
}

static void on_death(void)
{
    fprintf(stderr, "\nfuzz_gltf: finding in input %llu of seed %llu: -s %llu -f %llu -n 1\n",
            (unsigned long long)now.number, (unsigned long long)now.seed, (unsigned long long)now.seed,
            (unsigned long long)now.number);
    if (now.dump != NULL && vfx_write_file(now.dump, now.file, now.bytes) == VFX_OK)
        fprintf(stderr, "fuzz_gltf: written to %s\n", now.dump);
}

static void on_alarm(int number)
{
    (void)number;
    fprintf(stderr, "\nfuzz_gltf: an input took longer than %d s\n", HANG_SECONDS);
    on_death();
    _exit(1);
}

static void finding(const char *what)
{
    fprintf(stderr, "\nfuzz_gltf: %s: \"%s\"\n", what, vfx_message());
    on_death();
    _exit(1);
}

/* Poses of the rest and of the first clips, also outside their times. */
static void pose(const vat_model *model)
{
    static const double times[] = {-1, 0, 0.37, 1, 1e9};
    vat_pose p;
    double(*positions)[3] = malloc(model->vertex_count * sizeof *positions);
    double(*normals)[3] = malloc(model->vertex_count * sizeof *normals);
    if (positions == NULL || normals == NULL || vat_pose_create(&p, model) != VFX_OK)
        exit(2);
    const int32_t clips = model->clip_count < 3 ? (int32_t)model->clip_count : 3;
    for (int32_t clip = VAT_NONE; clip < clips; clip++)
        for (size_t i = 0; i < (clip == VAT_NONE ? 1 : sizeof times / sizeof *times); i++) {
            vat_pose_at(&p, model, clip, times[i]);
            if (model->vertex_count < 10000)
                vat_pose_vertices(&p, model, positions, normals);
        }
    vat_pose_destroy(&p);
    free(positions);
    free(normals);
}

/* True if now.file is read. */
static bool try_file(const char *folder)
{
    static const vat_model empty;
    vat_model model;
    uint8_t *file = malloc(now.bytes + (now.bytes == 0)); /* of exactly that size, for AddressSanitizer */
    if (file == NULL)
        exit(2);
    memcpy(file, now.file, now.bytes);
    const vfx_status status = vat_gltf_decode("fuzzed", file, now.bytes, *folder != '\0' ? folder : NULL, &model);
    free(file);
    if (status != VFX_OK) {
        if ((status != VFX_IO && status != VFX_UNSUPPORTED) || strncmp(vfx_message(), "fuzzed: ", 8) != 0)
            finding("an error that is none");
        if (memcmp(&model, &empty, sizeof model) != 0)
            finding("a failed read left something behind");
        return false;
    }
    if (vat_model_check(&model, "fuzzed") != VFX_OK)
        finding("the reader accepts what vat_model_check does not");
    pose(&model);
    vat_model_free(&model);
    return true;
}

static void load(fuzz_input *in, const fuzz_seed *s)
{
    memcpy(in->text, s->text, s->text_bytes);
    memcpy(in->chunk, s->chunk, s->chunk_bytes);
    in->text_bytes = s->text_bytes;
    in->chunk_bytes = s->chunk_bytes;
}

/* True if the file is read. */
static bool try_input(uint64_t number)
{
    static fuzz_input in;
    uint64_t state = now.seed * 0xd1342543de82ef95u + number;
    now.number = number;
    const fuzz_seed *s = &seeds.rows[fuzz_below(&state, seeds.count)];
    load(&in, s);
    for (size_t i = 0, changes = 1 + fuzz_below(&state, 4); i < changes; i++)
        fuzz_change(&in, &seeds, &state);
    write_file(&in);
    damage_container(&in, &state);
    return try_file(s->folder);
}

/* The seeds themselves must be sound, or changing them would test little. */
static void check_seeds(void)
{
    static fuzz_input in;
    for (size_t i = 0; i < seeds.count; i++) {
        load(&in, &seeds.rows[i]);
        write_file(&in);
        if (!try_file(seeds.rows[i].folder))
            finding("a seed is not read");
    }
}

/* -------------------------------------------------------------------------------------------- main */

typedef struct options {
    uint64_t count, first;
    double seconds; /* 0: no limit */
} options;

/* False for an unknown option. */
static bool parse(int argc, char **argv, options *o)
{
    for (int option; (option = getopt(argc, argv, "n:t:s:f:o:")) != -1;) {
        const uint64_t value = optarg != NULL ? strtoull(optarg, NULL, 10) : 0;
        switch (option) {
        case 'n':
            o->count = value;
            break;
        case 't':
            o->seconds = (double)value;
            break;
        case 's':
            now.seed = value;
            break;
        case 'f':
            o->first = value;
            break;
        case 'o':
            now.dump = optarg;
            break;
        default:
            return false;
        }
    }
    if (o->count == 0)
        o->count = UINT64_MAX;
    if (o->count == UINT64_MAX && o->seconds <= 0)
        o->seconds = 60;
    return true;
}

/* Number of inputs done; *read of them were read well. */
static uint64_t run(const options *o, uint64_t *read)
{
    const uint64_t start = vfx_clock_ns();
    uint64_t report = start, done = 0;
    for (; done < o->count && (o->seconds <= 0 || (double)(vfx_clock_ns() - start) < o->seconds * 1e9); done++) {
        if (done % 16 == 0)
            alarm(HANG_SECONDS);
        *read += try_input(o->first + done);
        if (vfx_clock_ns() - report > 5000000000u) {
            report = vfx_clock_ns();
            fprintf(stderr, "%llu inputs, %llu read well\n", (unsigned long long)done + 1, (unsigned long long)*read);
        }
    }
    alarm(0);
    return done;
}

int main(int argc, char **argv)
{
    options o = {0};
    uint64_t read = 0;
    now.seed = 1;
    if (!parse(argc, argv, &o))
        return 2;
    for (size_t i = 0; i < sizeof built_in_seeds / sizeof *built_in_seeds; i++)
        add_built_in(built_in_seeds[i].json, built_in_seeds[i].hex);
    for (int i = optind; i < argc; i++)
        add_file(argv[i]);
    check_seeds();
    __sanitizer_set_death_callback(on_death);
    signal(SIGALRM, on_alarm);
    const uint64_t done = run(&o, &read);
    printf("%llu inputs from %zu models (%llu read well, the others refused), no finding\n", (unsigned long long)done,
           seeds.count, (unsigned long long)read);
    for (size_t i = 0; i < seeds.count; i++) {
        free(seeds.rows[i].text);
        free(seeds.rows[i].chunk);
    }
    return 0;
}
