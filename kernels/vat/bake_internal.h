/* bake_internal.h - what the bake_*.c files share with each other and with their tests; users include bake.h. */
#ifndef VAT_BAKE_INTERNAL_H
#define VAT_BAKE_INTERNAL_H

#include "kernels/vat/bake.h"

#include <jansson.h>

/* ------------------------------------------------------------------------- sampling (bake_sample.c) */

/* Poses of a model, with room for one of them. Zeroed is empty. */
typedef struct vat_sampler {
    const vat_model *model;
    double scale;
    vat_pose pose;
    double (*position)[3], (*normal)[3]; /* of the last pose; m */
    double (*other)[3];                  /* room for the positions of a second pose */
    void (*progress)(void *user, double share, const char *what);
    void *user;
} vat_sampler;

vfx_status vat_sampler_create(vat_sampler *sampler, const vat_model *model,
                              const vat_bake_options *options) VFX_MUST_USE;
void vat_sampler_destroy(vat_sampler *sampler);
/* Fills position and normal. */
void vat_sampler_pose(vat_sampler *sampler, int32_t clip, double t);
void vat_sampler_progress(const vat_sampler *sampler, double done, double of, const char *what);

/* Sets frames and fps of a clip from its duration: the rules of vat_sampling. False over 65535 frames. */
bool vat_clip_plan(vat_clip *clip, vat_sampling sampling, double fps);
/* Time of stored frame k, s. */
double vat_clip_time(const vat_clip *clip, vat_sampling sampling, uint32_t k);

/* Fills positions, normals and (where bake->bone is there) bones of all frames. The closing frame of every VAT_CLOSED
 * clip is its end pose. */
void vat_sample_frames(vat_sampler *sampler, vat_bake *bake);
/* Makes the closing frames of looping clips copies of their first frames; then boxes and extent. */
void vat_close_loops(vat_bake *bake);
void vat_measure_boxes(vat_bake *bake);

/* ---------------------------------------------------------------------- clips and rates (bake_rates.c) */

/* The clips that the options choose: bake->clips with name, source and duration. */
vfx_status vat_choose_clips(vat_bake *bake, const vat_model *model, const vat_bake_options *options) VFX_MUST_USE;
/* All frames of the chosen clips, at rates that keep max_error; boxes, loops, temporal and loop errors. */
vfx_status vat_sample_clips(vat_bake *bake, vat_sampler *sampler, const vat_bake_options *options) VFX_MUST_USE;

/* ----------------------------------------------------------------------------- bones (bake_bones.c) */

/* Static data of the bones: counts, joints, weights, bind. Leaves them out for a model with morph targets or over 65535
 * bones. */
vfx_status vat_bones_create(vat_bake *bake, const vat_model *model) VFX_MUST_USE;
void vat_bones_store(const vat_sampler *sampler, float (*bones)[12]);
/* Position (m) and unit normal that the bones of a frame give a vertex, in double. */
void vat_bones_decode(const vat_bake *bake, uint32_t frame, uint32_t vertex, double position[3], double normal[3]);

/* ------------------------------------------------------------------------- measuring (bake_measure.c) */

/* A sum on its way to a vat_error. */
typedef struct vat_sum {
    double worst, squares, count;
} vat_sum;
void vat_sum_add(vat_sum *sum, double value);
void vat_sum_join(vat_sum *sum, const vat_sum *other);
/* Worst and rms divided by `unit`; 0 where unit is 0. */
vat_error vat_sum_error(const vat_sum *sum, double unit);

/* Temporal error of a clip, m; the rules are in bake_measure.c. */
vat_sum vat_measure_temporal(vat_sampler *sampler, const vat_bake *bake, const vat_clip *clip);
/* Worst distance of the model's last pose of a clip from its first, m. */
double vat_measure_closure(vat_sampler *sampler, const vat_clip *clip);
/* Worst distance of a clip's last stored frame from its first, m. */
double vat_measure_jump(const vat_bake *bake, const vat_clip *clip);
/* Fills bake->quantisation and bake->normal from the encoded texels, or the bones. */
void vat_measure_encoding(const vat_sampler *sampler, vat_bake *bake);

/* ---------------------------------------------------------------------------- encoding (bake_encode.c) */

/* The map of a format over the bake; `fixed`: [-1, 1]. */
void vat_encode_map(const vat_bake *bake, vat_format format, bool fixed, float map_min[3], float map_step[3]);
void vat_encode_texels(const vat_bake *bake, vat_format format, const float map_min[3], const float map_step[3],
                       uint8_t *texels);

/* ------------------------------------------------------------------------------ files (bake_files.c) */

enum { VAT_BAKE_VERSION = 1, VAT_IMAGE_ROW = 4096, VAT_PATH_BYTES = 4096, VAT_MAX_FRAMES = 65535, VAT_MAX_SKINS = 256 };
enum { VAT_MANIFEST_BYTES = 64 << 20 }; /* most of a manifest */

/* Array of a bake that has a file. */
typedef enum vat_data {
    VAT_DATA_TEXELS,
    VAT_DATA_BONES,
    VAT_DATA_JOINTS,
    VAT_DATA_WEIGHTS,
    VAT_DATA_BIND,
    VAT_DATA_INDICES,
    VAT_DATA_UV
} vat_data;

typedef struct vat_file_row {
    const char *kind, *name;
    uint32_t formats; /* bit i: of vat_format i */
    vat_data data;
    uint32_t word;  /* bytes of a number: 1, 2, 4 */
    bool image;     /* PNG of 4 words a pixel; else raw */
    uint32_t plane; /* image: which 4 words of a texel */
    bool opaque;    /* image: the 4th word is the maximum in the file and 0 in memory */
} vat_file_row;
extern const vat_file_row vat_file_rows[];
extern const uint32_t vat_file_row_count;

/* Words of the row's array. False where sizes overflow. */
bool vat_file_words(const vat_bake *bake, const vat_file_row *row, size_t *words);
const void *vat_file_data(const vat_bake *bake, const vat_file_row *row);
/* Gives malloc'ed data to the bake, which has none there yet. */
void vat_file_adopt(vat_bake *bake, const vat_file_row *row, void *data);

/* How texels lie in an image. */
typedef struct vat_layout {
    uint32_t width, height;
    bool by_vertex; /* x = frame, y = vertex; else flat index, row after row */
} vat_layout;
/* USAGE where no PNG holds so many. */
vfx_status vat_layout_of(const vat_bake *bake, vat_layout *layout) VFX_MUST_USE;
/* Pixel of a texel. */
size_t vat_layout_at(const vat_layout *layout, const vat_bake *bake, size_t texel);

/* "folder/name"; USAGE where it is too long. */
vfx_status vat_file_path(char path[VAT_PATH_BYTES], const char *folder, const char *name) VFX_MUST_USE;
/* zlib's CRC-32 as 8 hexadecimal digits. */
void vat_file_crc(const void *data, size_t bytes, char text[9]);
/* Name of a skin's file. */
void vat_skin_name(uint32_t layer, char name[VAT_NAME_BYTES]);

#define VAT_MANIFEST "manifest.json"

/* ---------------------------------------------------------- reading the manifest (bake_manifest.c) */

/* A value of the manifest that knows its JSON path, for messages. */
typedef struct vat_at {
    const char *file;
    const json_t *value; /* NULL: not there */
    char path[128];
} vat_at;

/* IO: "file: /path: must be <wanted>". */
vfx_status vat_at_fail(const vat_at *at, const char *wanted) VFX_MUST_USE;
vat_at vat_at_member(const vat_at *object, const char *key);
vat_at vat_at_element(const vat_at *array, size_t index);
/* Value `key` of an object, within least..most; finite; shorter than VAT_NAME_BYTES; one of the NULL-terminated names.
 */
vfx_status vat_at_u32(const vat_at *object, const char *key, uint32_t least, uint32_t most,
                      uint32_t *value) VFX_MUST_USE;
vfx_status vat_at_number(const vat_at *object, const char *key, double *value) VFX_MUST_USE;
vfx_status vat_at_vector(const vat_at *object, const char *key, double value[3]) VFX_MUST_USE;
vfx_status vat_at_name(const vat_at *object, const char *key, char name[VAT_NAME_BYTES]) VFX_MUST_USE;
vfx_status vat_at_choice(const vat_at *object, const char *key, const char *const names[],
                         uint32_t *value) VFX_MUST_USE;
vfx_status vat_at_array(const vat_at *object, const char *key, uint32_t most, vat_at *array,
                        uint32_t *count) VFX_MUST_USE;

/* All of a manifest but its files: counts, clips, parts, maps, errors. Checks that clips and parts lie within them. */
vfx_status vat_manifest_read(const vat_at *root, vat_bake *bake) VFX_MUST_USE;

#endif
