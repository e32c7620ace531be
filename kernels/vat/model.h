/* model.h - an animated model in memory, from whatever file (gltf.h) or code (tube.h), and its poses on the CPU.
 * glTF conventions: right-handed, y up, metres, seconds; quaternions (x, y, z, w); matrices column-major 4x4.
 * Several meshes and primitives are merged into one vertex list; a `part` is the range of one mesh node. */
#ifndef VAT_MODEL_H
#define VAT_MODEL_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VAT_NONE = -1,
    VAT_MAX_INFLUENCES = 8, /* joints of a vertex */
    VAT_NAME_BYTES = 64,    /* of a node, clip or part name, cut at a UTF-8 boundary, terminator included */
    VAT_MAX_NODES = 65536,
    VAT_MAX_VERTICES = 1 << 22
};

/* A node: T * R * S, or `matrix` where has_matrix (then no channel may target it). Parents come before children. */
typedef struct vat_node {
    char name[VAT_NAME_BYTES];
    int32_t parent; /* VAT_NONE: a root */
    bool has_matrix;
    double translation[3], rotation[4], scale[3];
    double matrix[16];
    uint32_t first_weight; /* of its morph weights in vat_model.weights; weight_count 0: no morph targets */
    uint32_t weight_count;
} vat_node;

typedef struct vat_skin {
    uint32_t first_joint, joint_count; /* in vat_model.joints and .inverse_bind */
} vat_skin;

/* One mesh node's vertices. skin = VAT_NONE: rigid, moved by `node`; else node's own transform is ignored. */
typedef struct vat_part {
    char name[VAT_NAME_BYTES];
    int32_t node, skin;
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, index_count;
    uint32_t first_target, target_count; /* morph targets in vat_model.targets; as many as the node has weights */
} vat_part;

typedef struct vat_bind {
    double position[3], normal[3];
    float uv[2];
    uint16_t joint[VAT_MAX_INFLUENCES]; /* of the part's skin, 0..joint_count-1 */
    double weight[VAT_MAX_INFLUENCES];  /* sum 1 for a skinned part, 0 for a rigid one */
} vat_bind;

/* Deltas of one morph target for the vertices of its part, in order. */
typedef struct vat_target {
    double (*position)[3]; /* vertex_count, or NULL: all zero */
    double (*normal)[3];   /* likewise */
} vat_target;

typedef enum vat_path { VAT_TRANSLATION, VAT_ROTATION, VAT_SCALE, VAT_WEIGHTS } vat_path;
typedef enum vat_interpolation { VAT_LINEAR, VAT_STEP, VAT_CUBIC } vat_interpolation;

/* values: key_count * components; VAT_CUBIC: key_count * 3 * components (in-tangent, value, out-tangent). Rotations are
 * unit quaternions (their values; tangents are as they are). times rise strictly. */
typedef struct vat_channel {
    uint32_t node;
    vat_path path;
    vat_interpolation interpolation;
    uint32_t key_count, components; /* 3, 4, or the node's weight_count */
    double *times, *values;
} vat_channel;

typedef struct vat_model_clip {
    char name[VAT_NAME_BYTES];
    double duration; /* s: the last key of its channels */
    uint32_t first_channel, channel_count;
} vat_model_clip;

/* A zeroed struct is empty; vat_model_free() accepts half-built ones. Each array, also those inside targets and
 * channels, is an allocation of its own (calloc those whose rows own arrays). Parts follow each other in `vertices`
 * without gaps; a part's triangles use its own vertices only, counted from the start of `vertices`. */
typedef struct vat_model {
    vat_node *nodes;
    vat_skin *skins;
    uint32_t *joints; /* node of each joint of all skins */
    double (*inverse_bind)[16];
    double *weights; /* default morph weights of all nodes */
    vat_part *parts;
    vat_bind *vertices;
    uint32_t *indices; /* triangles into `vertices`, of all parts */
    vat_target *targets;
    vat_channel *channels;
    vat_model_clip *clips;
    uint32_t node_count, skin_count, joint_count, weight_count, part_count, vertex_count, index_count, target_count,
        channel_count, clip_count;
    char warnings[1024]; /* one a line, "" for none */
} vat_model;

/* Frees and zeroes. */
void vat_model_free(vat_model *model);
/* Appends a line to model->warnings; what does not fit is cut. */
void vat_model_warn(vat_model *model, const char *format, ...) VFX_PRINTF(2, 3);
/* Checks what the pose code relies on: indices in range, parents first, times rising, finite values, weights' sums and
 * lengths of quaternions (1 within 1e-6; weights >= 0), durations. IO naming `name` and the row. */
vfx_status vat_model_check(const vat_model *model, const char *name) VFX_MUST_USE;

/* ---------------------------------------------------------------------------------------- poses */

/* Work space of vat_pose_at: no allocation per pose. */
typedef struct vat_pose {
    double (*local)[10];  /* per node: translation, rotation, scale after animation */
    double (*global)[16]; /* per node */
    double *weights;      /* morph weights */
    double (*joint)[16];  /* per joint of all skins: global * inverse bind */
} vat_pose;

vfx_status vat_pose_create(vat_pose *pose, const vat_model *model) VFX_MUST_USE;
void vat_pose_destroy(vat_pose *pose);

/* Nodes, joints and morph weights of `model` at time t (s, clamped to each channel's keys) of clip `clip`; VAT_NONE:
 * the rest pose. Angles take the shorter arc, except between VAT_CUBIC keys, whose signs count, as glTF says. */
void vat_pose_at(vat_pose *pose, const vat_model *model, int32_t clip, double t);

/* The matrix that takes vertex `vertex` of `part` from its (morphed) bind position to model space: the weighted sum of
 * its joints' matrices, or the node's own. Rows 0..2 of the column-major 4x4 matter. */
void vat_pose_matrix(const vat_pose *pose, const vat_model *model, const vat_part *part, uint32_t vertex, double m[16]);

/* Position (m) and unit normal (inverse transpose of the matrix, outward also for mirrored ones) of all vertices. Never
 * NaN for finite matrices, collapsed ones included; (0, 1, 0) where there is no normal at all. Triangles of a mirrored
 * part keep their index order, so they are clockwise seen from outside. */
void vat_pose_vertices(const vat_pose *pose, const vat_model *model, double (*positions)[3], double (*normals)[3]);

#endif
