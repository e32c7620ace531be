/* fuzz_gltf.h - what the two files of scripts/fuzz_gltf.c share: inputs, seeds, random numbers, changes. */
#ifndef FUZZ_GLTF_H
#define FUZZ_GLTF_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_MAX_SEEDS = 512, FUZZ_MAX_BYTES = 1 << 17 };

/* Text, and the bytes of a .glb's BIN chunk; chunk_bytes 0: a .gltf. */
typedef struct fuzz_input {
    uint8_t text[FUZZ_MAX_BYTES], chunk[FUZZ_MAX_BYTES];
    size_t text_bytes, chunk_bytes;
} fuzz_input;

typedef struct fuzz_seed {
    uint8_t *text, *chunk;
    size_t text_bytes, chunk_bytes;
    char folder[512]; /* "" for none */
} fuzz_seed;

typedef struct fuzz_seeds {
    fuzz_seed rows[FUZZ_MAX_SEEDS];
    size_t count;
} fuzz_seeds;

uint64_t fuzz_random(uint64_t *state);
/* A random number less than `count`; 0 for 0. */
size_t fuzz_below(uint64_t *state, size_t count);

/* Makes one random change. */
void fuzz_change(fuzz_input *in, const fuzz_seeds *seeds, uint64_t *state);

#endif
