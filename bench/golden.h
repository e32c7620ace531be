/* bench/golden.h - a golden on disk: <folder>/<family>/<view>-<frame, 3 digits>.png and a .json of the same name, the
 * sidecar, which says what the picture shows and why it is as it is. Knows no device. */
#ifndef BENCH_GOLDEN_H
#define BENCH_GOLDEN_H

#include "bench/json.h"
#include "core/kernel.h"
#include "core/picture.h"

enum {
    CMD_GOLDEN_SCHEMA = 1,
    CMD_GOLDEN_WIDTH = 384, /* pixels */
    CMD_GOLDEN_HEIGHT = 216,
    CMD_GOLDEN_BYTES = 96 << 10, /* of a PNG file, at most */
    CMD_GOLDEN_REASON = 400,     /* bytes of the sentence why, terminator included */
    CMD_GOLDEN_PATH = 4096
};

/* What a golden shows: a frame of a view's case (see cmd_golden_case). */
typedef struct cmd_golden_key {
    const vfx_case *kase;
    const vfx_view *view;
    uint32_t frame;
} cmd_golden_key;

/* A golden as it was read. */
typedef struct cmd_golden_file {
    char path[CMD_GOLDEN_PATH]; /* of the picture */
    vfx_picture picture;
    char tool[128]; /* that blessed it: "0.1.0 (48337c2)" */
    char reason[CMD_GOLDEN_REASON];
    bool same_shaders; /* as this program has; goldens come from the reference, so this is for information only */
} cmd_golden_file;

/* The first variant that the view draws, whose case its goldens show; NULL: there is none. */
const vfx_variant *cmd_golden_variant(const vfx_kernel *kernel, const vfx_view *view);
/* The view's case for a variant: preset and `set` of its row, frames up to its last golden. USAGE. */
vfx_status cmd_golden_case(const vfx_kernel *kernel, const vfx_variant *variant, const vfx_view *view,
                           vfx_case *kase) VFX_MUST_USE;

/* "<folder>/<family>/<view>-060<suffix>". USAGE when it is too long. */
vfx_status cmd_golden_path(const char *folder, const cmd_golden_key *key, const char *suffix,
                           char path[CMD_GOLDEN_PATH]) VFX_MUST_USE;

/* Reads a golden. IO naming the file when the picture or its sidecar is missing, damaged, too large, of another size or
 * format, when the sidecar speaks of another case, frame, seed or size, or of another picture than the one beside it.
 * Writes nothing. cmd_golden_free in any case. */
vfx_status cmd_golden_load(const char *folder, const cmd_golden_key *key, cmd_golden_file *golden) VFX_MUST_USE;
void cmd_golden_free(cmd_golden_file *golden);

/* Writes picture and sidecar under temporary names and then renames both, so that a failure leaves the old ones. Makes
 * the folder. IO naming the file. */
vfx_status cmd_golden_save(const char *folder, const cmd_golden_key *key, const vfx_picture *picture,
                           const char *reason) VFX_MUST_USE;

#endif
