/* scripts/fuzz_gltf_change.c - the changes that fuzz_gltf.c makes: numbers, strings and elements of the JSON text,
 * bytes and floats of the binary data, lengths. Most keep the text well formed, so that they get past the JSON parser.
 */
#include "scripts/fuzz_gltf.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t fuzz_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u; /* splitmix64: Steele, Lea and Flood, OOPSLA 2014 */
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t fuzz_below(uint64_t *state, size_t count)
{
    return count == 0 ? 0 : (size_t)(fuzz_random(state) % count);
}

/* Replaces `old` bytes at `at` by `bytes` others, if they fit. */
static void replace(uint8_t *data, size_t *length, size_t at, size_t old, const uint8_t *with, size_t bytes)
{
    if (at + old > *length || *length - old + bytes > FUZZ_MAX_BYTES)
        return;
    memmove(data + at + bytes, data + at + old, *length - at - old);
    if (bytes > 0)
        memcpy(data + at, with, bytes);
    *length = *length - old + bytes;
}

static bool is_number_byte(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Start and length of a random token: a number (kind 0), a string with its quotes (1), an object or array (2). */
static bool find_token(uint64_t *state, const uint8_t *text, size_t bytes, int kind, size_t *start, size_t *length)
{
    size_t at = fuzz_below(state, bytes), end;
    for (size_t i = 0; i < bytes; i++, at = (at + 1) % bytes) {
        const uint8_t c = text[at], before = at > 0 ? text[at - 1] : 0;
        if (kind == 0 ? c >= '0' && c <= '9' && !is_number_byte(before) : kind == 1 ? c == '"' : c == '{' || c == '[')
            break;
    }
    int depth = 0;
    for (end = at; end < bytes; end++) {
        const uint8_t c = text[end];
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (kind == 0 ? !is_number_byte(c) : kind == 1 ? end > at && c == '"' : depth == 0)
            break;
    }
    end += kind != 0;
    *start = at;
    *length = end - at;
    return at < bytes && end <= bytes && end > at;
}

static void change_number(fuzz_input *in, uint64_t *state)
{
    static const char *const values[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "5",
                                         "6",
                                         "7",
                                         "255",
                                         "256",
                                         "65535",
                                         "65536",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "9007199254740992",
                                         "18446744073709551616",
                                         "-1",
                                         "-0",
                                         "0.5",
                                         "1e300",
                                         "1e-320",
                                         "3.4e38",
                                         "1e400",
                                         "null",
                                         "true",
                                         "\"\"",
                                         "[]",
                                         "{}",
                                         "5120",
                                         "5121",
                                         "5122",
                                         "5123",
                                         "5125",
                                         "5126",
                                         "16777216",
                                         "1073741824",
                                         "60000"};
    size_t start, length;
    char text[64];
    if (!find_token(state, in->text, in->text_bytes, 0, &start, &length))
        return;
    if (fuzz_below(state, 3) == 0)
        snprintf(text, sizeof text, "%llu",
                 strtoull((const char *)in->text + start, NULL, 10) + fuzz_below(state, 5) - 2);
    else
        snprintf(text, sizeof text, "%s", values[fuzz_below(state, sizeof values / sizeof *values)]);
    replace(in->text, &in->text_bytes, start, length, (const uint8_t *)text, strlen(text));
}

/* A token takes the place of another of its kind: of this text, or of another seed's. */
static void splice(fuzz_input *in, int kind, const fuzz_seeds *seeds, uint64_t *state)
{
    static uint8_t copy[FUZZ_MAX_BYTES];
    const fuzz_seed *other = &seeds->rows[fuzz_below(state, seeds->count)];
    const bool own = fuzz_below(state, 2) == 0;
    const uint8_t *from = own ? in->text : other->text;
    size_t start, length, at, old;
    if (!find_token(state, from, own ? in->text_bytes : other->text_bytes, kind, &start, &length) ||
        !find_token(state, in->text, in->text_bytes, kind, &at, &old))
        return;
    memcpy(copy, from + start, length);
    replace(in->text, &in->text_bytes, at, old, copy, length);
}

/* An element goes, or comes twice. */
static void repeat_or_drop(fuzz_input *in, uint64_t *state)
{
    static uint8_t copy[FUZZ_MAX_BYTES + 1];
    size_t start, length;
    if (!find_token(state, in->text, in->text_bytes, (int)fuzz_below(state, 3), &start, &length))
        return;
    if (fuzz_below(state, 2) == 0) {
        const size_t comma = start + length < in->text_bytes && in->text[start + length] == ',';
        replace(in->text, &in->text_bytes, start, length + comma, NULL, 0);
        return;
    }
    memcpy(copy, in->text + start, length);
    copy[length] = ',';
    for (size_t i = 0, count = 1 + fuzz_below(state, 4); i < count; i++)
        replace(in->text, &in->text_bytes, start, 0, copy, length + 1);
}

static void change_bytes(uint8_t *data, size_t bytes, uint64_t *state)
{
    static const uint32_t words[] = {0,          0xffffffff, 0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff,
                                     0x80000000, 0x00000001, 0x3f800000, 0x7f7f7f7f, 0xbf800000, 0x0000ffff};
    if (bytes == 0)
        return;
    const size_t at = fuzz_below(state, bytes);
    const uint32_t word = words[fuzz_below(state, sizeof words / sizeof *words)];
    switch (fuzz_below(state, 3)) {
    case 0:
        data[at] ^= (uint8_t)(1u << fuzz_below(state, 8));
        break;
    case 1:
        data[at] = (uint8_t)fuzz_random(state);
        break;
    default:
        if (at / 4 * 4 + 4 <= bytes)
            memcpy(data + at / 4 * 4, &word, 4);
    }
}

void fuzz_change(fuzz_input *in, const fuzz_seeds *seeds, uint64_t *state)
{
    const size_t kind = fuzz_below(state, 16);
    if (kind < 5)
        change_number(in, state);
    else if (kind < 8)
        splice(in, (int)fuzz_below(state, 3), seeds, state);
    else if (kind < 10)
        repeat_or_drop(in, state);
    else if (kind == 10)
        change_bytes(in->text, in->text_bytes, state);
    else if (kind == 11 && fuzz_below(state, 4) == 0)
        in->text_bytes = fuzz_below(state, in->text_bytes + 1);
    else if (kind == 12 && in->chunk_bytes > 0)
        in->chunk_bytes = 1 + fuzz_below(state, in->chunk_bytes);
    else
        change_bytes(in->chunk, in->chunk_bytes, state);
}
