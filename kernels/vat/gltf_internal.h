/* gltf_internal.h - what the files of the glTF reader share: the open file, positions in its JSON that know their path,
 * and one function per concern. gltf.c calls them in this order: buffers, nodes, skins, parts, clips.
 * The terms (accessor, buffer view, primitive, sampler, ...) are those of the glTF 2.0 specification. */
#ifndef VAT_GLTF_INTERNAL_H
#define VAT_GLTF_INTERNAL_H

#include "kernels/vat/gltf.h"

#include <jansson.h>

enum {
    GLTF_MAX_DEPTH = 128, /* nested arrays and objects of the JSON text */
    GLTF_MAX_BUFFERS = 4096,
    GLTF_PATH_BYTES = 128
};
#define GLTF_NONE UINT32_MAX
/* Bytes of a file and of all its buffers at most. */
#define GLTF_MAX_BYTES ((size_t)1 << 30)
/* What the reader allocates in all, temporary memory included, is at most this and so much for each byte read: a small
 * file cannot ask for a large model. An honest vertex takes 24 bytes or more and becomes about 1 KB at most. */
#define GLTF_FREE_BYTES ((size_t)64 << 20)
#define GLTF_BYTES_PER_BYTE 256u

typedef struct gltf_buffer {
    const uint8_t *data;
    size_t bytes, available; /* declared and checked; there */
    uint8_t *owned;          /* to free, or NULL */
    const char *uri;         /* in the JSON, or NULL */
} gltf_buffer;

typedef struct gltf_file {
    const char *name, *folder;
    json_t *root;
    const uint8_t *chunk; /* BIN chunk of a .glb, or NULL */
    size_t chunk_bytes;
    gltf_buffer *buffers;
    uint32_t buffer_count;
    size_t read_bytes, used_bytes; /* read from files; allocated in all */
    vat_model *model;
    uint32_t *node_of;  /* node of the model for each node of the file */
    bool *in_scene;     /* per node of the model */
    uint32_t *fallback; /* per skin: its joint that takes vertices without weights */
    uint32_t part_room, vertex_room, index_room, target_room, channel_room; /* allocated rows of the model's arrays */
} gltf_file;

/* ------------------------------------------------------------------------------------- gltf_json.c */

/* A value of the document. */
typedef struct gltf_at {
    gltf_file *file;
    json_t *value; /* NULL: not there */
    char path[GLTF_PATH_BYTES];
} gltf_at;

/* Parses `bytes` of JSON text into file->root. */
vfx_status gltf_parse(gltf_file *file, const char *text, size_t bytes) VFX_MUST_USE;

/* Fails with "file: /path: ...". */
vfx_status gltf_fail(const gltf_at *at, vfx_status status, const char *format, ...) VFX_PRINTF(3, 4) VFX_MUST_USE;

gltf_at gltf_root(gltf_file *file);
gltf_at gltf_member(const gltf_at *at, const char *key);
gltf_at gltf_element(const gltf_at *array, uint32_t index);
static inline bool gltf_there(const gltf_at *at)
{
    return at->value != NULL;
}

/* Array `key` of an object; where it is missing, *count is 0. */
vfx_status gltf_array(const gltf_at *at, const char *key, gltf_at *array, uint32_t *count) VFX_MUST_USE;
/* Element that must be an object. */
vfx_status gltf_object(const gltf_at *array, uint32_t index, gltf_at *object) VFX_MUST_USE;
/* Object `index` of the document's array `list`; the index has been checked. */
gltf_at gltf_listed(gltf_file *file, const char *list, uint32_t index);
uint32_t gltf_count(gltf_file *file, const char *list);

/* The value as an integer 0..max; IO where it is missing. */
vfx_status gltf_uint(const gltf_at *at, uint64_t max, uint64_t *value) VFX_MUST_USE;
/* Member `key` as an integer 0..max, `def` where it is missing. */
vfx_status gltf_uint_or(const gltf_at *at, const char *key, uint64_t def, uint64_t max, uint64_t *value) VFX_MUST_USE;
/* The value as an index into the document's array `list`; IO where it is missing. */
vfx_status gltf_index(const gltf_at *at, const char *list, uint32_t *index) VFX_MUST_USE;
/* Member `key` likewise, GLTF_NONE where it is missing. */
vfx_status gltf_index_or_none(const gltf_at *at, const char *key, const char *list, uint32_t *index) VFX_MUST_USE;
/* Member `key`, an array of `count` finite numbers; where it is missing, `values` stay as they are. */
vfx_status gltf_numbers(const gltf_at *at, const char *key, uint32_t count, double *values) VFX_MUST_USE;
vfx_status gltf_bool_or(const gltf_at *at, const char *key, bool def, bool *value) VFX_MUST_USE;
/* The value as text; IO where it is missing. */
vfx_status gltf_text(const gltf_at *at, const char **text) VFX_MUST_USE;
/* Member `name`, without control characters and cut to fit; where it is missing or empty: `what` and the number. */
void gltf_name(const gltf_at *at, const char *what, uint32_t number, char name[VAT_NAME_BYTES]);

/* count * size zeroed bytes, counted against the file's allowance. `at` is what they are for. */
vfx_status gltf_allocate(const gltf_at *at, size_t count, size_t size, void *pointer) VFX_MUST_USE;
/* Makes room for `more` rows behind the `count` rows of *array; new rows are zeroed. `pointer` is the array's address.
 */
vfx_status gltf_grow(const gltf_at *at, void *pointer, uint32_t *room, uint32_t count, size_t more,
                     size_t size) VFX_MUST_USE;

/* ----------------------------------------------------------------------------------- gltf_buffer.c */

/* Loads all buffers. Afterwards file->buffers[i].bytes is the declared length. */
vfx_status gltf_read_buffers(gltf_file *file) VFX_MUST_USE;
void gltf_free_buffers(gltf_file *file);

/* --------------------------------------------------------------------------------- gltf_accessor.c */

/* Component types that a use of an accessor allows. */
enum {
    GLTF_F32 = 1,
    GLTF_PLAIN8 = 2,   /* u8 */
    GLTF_PLAIN16 = 4,  /* u16 */
    GLTF_PLAIN32 = 8,  /* u32 */
    GLTF_UNORM = 16,   /* normalised u8, u16 */
    GLTF_SNORM = 32,   /* normalised i8, i16 */
    GLTF_PLAIN_S = 64, /* i8, i16 */
    GLTF_INDEX = GLTF_PLAIN8 | GLTF_PLAIN16 | GLTF_PLAIN32
};

/* Reads accessor `index` as doubles: all its elements, one after another, in malloc'ed memory. `type` is "SCALAR",
 * "VEC2", "VEC3", "VEC4" or "MAT4"; *count is the number of elements, which must be `expected` unless that is 0. Every
 * value is finite. On failure *values is NULL. */
vfx_status gltf_read_accessor(gltf_file *file, uint32_t index, const char *type, unsigned allowed, uint32_t expected,
                              double **values, uint32_t *count) VFX_MUST_USE;

/* ------------------------------------------------------------------- gltf_node.c, gltf_part.c, ... */

vfx_status gltf_read_nodes(gltf_file *file) VFX_MUST_USE;
vfx_status gltf_read_skins(gltf_file *file) VFX_MUST_USE;
/* The mesh nodes of the scene become parts. */
vfx_status gltf_read_parts(gltf_file *file) VFX_MUST_USE;
vfx_status gltf_read_clips(gltf_file *file) VFX_MUST_USE;

/* Sets an affine matrix's bottom row to 0 0 0 1; IO where it is something else. */
vfx_status gltf_check_affine(const gltf_at *at, double m[16]) VFX_MUST_USE;

/* Number of morph targets of a mesh: that of its first primitive. */
vfx_status gltf_target_count(const gltf_at *mesh, uint32_t *count) VFX_MUST_USE;

/* One primitive while it is read; a zeroed one may be freed. */
typedef struct gltf_primitive {
    gltf_at at, attributes;
    uint32_t vertex_count;            /* in the file */
    double *position, *normal, *uv;   /* normal, uv: NULL where missing */
    double *joint[2], *weight[2];     /* NULL where missing or not wanted */
    uint32_t *triangles, index_count; /* vertex of each corner */
    bool flat;                        /* without normals: every corner becomes a vertex */
} gltf_primitive;

/* Positions, normals and triangles; with `skinned` joints and weights as well. */
vfx_status gltf_read_primitive(gltf_primitive *primitive, const gltf_at *at, bool skinned) VFX_MUST_USE;
void gltf_free_primitive(gltf_primitive *primitive);
/* Vertices that it becomes, and the file's vertex of each. */
uint32_t gltf_output_count(const gltf_primitive *primitive);
uint32_t gltf_source_of(const gltf_primitive *primitive, uint32_t vertex);
/* Unit normal of a triangle; +y where it has no area. */
void gltf_flat_normal(const double a[3], const double b[3], const double c[3], double normal[3]);

/* Targets of a mesh for the part's vertices, which are in the model already. */
vfx_status gltf_read_targets(gltf_file *file, const gltf_at *mesh, vat_part *part) VFX_MUST_USE;

#endif
