/* tentacle.h - what the family shows to the table of kernels, to its own files and to tests: the record, the counts,
 * and the scene (entities, state machine, first pose). Where a function takes a case, it reads the parameters only. */
#ifndef TENTACLE_H
#define TENTACLE_H

#include "core/kernel.h"
#include "kernels/tentacle/tentacle_shared.h"

extern const vfx_kernel tentacle_kernel;

/* ------------------------------------------------------------------------------------------- counts */

uint64_t tentacle_entity_count(const vfx_case *kase);
uint64_t tentacle_tentacle_count(const vfx_case *kase);
uint64_t tentacle_particle_count(const vfx_case *kase);
uint64_t tentacle_segment_count(const vfx_case *kase);
uint64_t tentacle_vertex_count(const vfx_case *kase);       /* ring vertices, then one apex per tentacle with cap */
uint64_t tentacle_index_count(const vfx_case *kase);        /* = corners of the non-indexed list */
uint32_t tentacle_ring_size(const tentacle_params *params); /* sides + seam */

/* Particle in whose ring (or at whose apex) a corner of the triangle list lies. */
uint64_t tentacle_corner_particle(const tentacle_params *params, uint64_t corner);

/* What a record is, for messages (vfx_buffer.describe): "tentacle 12, joint 3, side 2". */
void tentacle_describe_particle(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void tentacle_describe_vertex(const vfx_case *kase, uint64_t record, char *text, size_t bytes);
void tentacle_describe_corner(const vfx_case *kase, uint64_t record, char *text, size_t bytes);

/* -------------------------------------------------------------------------------------------- scene */

/* The weights of an entity; double, so that phases integrate exactly enough for hours. Units: tentacle_shared.h. */
#define TENTACLE_WEIGHTS(W) \
    W(straighten) W(stiffen) W(gravity) W(look) W(wriggle) W(wriggle_hz) W(pulsate) W(pulsate_hz) W(emissive)
#define TENTACLE_WEIGHT_MEMBER(name) double name;
typedef struct tentacle_weights {
    TENTACLE_WEIGHTS(TENTACLE_WEIGHT_MEMBER)
} tentacle_weights;

/* One row per state, in the order in which they follow each other. */
typedef struct tentacle_state_row {
    const char *name;
    double duration; /* s */
    tentacle_weights weights;
} tentacle_state_row;
enum { TENTACLE_STATE_COUNT = 3 };
extern const tentacle_state_row tentacle_states[TENTACLE_STATE_COUNT];

#define TENTACLE_CYCLE 3.75 /* s, sum of the durations */
#define TENTACLE_BLEND 0.2  /* s, from the previous state's weights to the new ones */

/* Where a state clock stands. */
typedef struct tentacle_moment {
    uint32_t state;           /* TENTACLE_STATE */
    double time;              /* s in the state */
    tentacle_weights weights; /* blended */
} tentacle_moment;

/* The state machine at `clock` seconds, clock >= 0. It is periodic: the first state blends from the last one's
 * weights at clock 0 as it does at every later turn. */
tentacle_moment tentacle_moment_at(double clock);

/* Entity in frame k: its state (from the parameters with states=off) and its pose. Functions of k alone. */
tentacle_moment tentacle_entity_moment(const vfx_case *kase, uint32_t entity, uint32_t frame);
typedef struct tentacle_pose {
    double rotation[4];    /* unit quaternion (x, y, z, w): entity to world */
    double translation[3]; /* m */
} tentacle_pose;
tentacle_pose tentacle_entity_pose(const vfx_case *kase, uint32_t entity, uint32_t frame);

/* Constants of one tentacle. */
tentacle_root tentacle_root_of(const vfx_case *kase, uint32_t tentacle);

/* Rotates v by the unit quaternion q. */
void tentacle_rotate(const double q[4], const double v[3], double result[3]);

/* The record's functions; contracts in core/kernel.h. */
vfx_status tentacle_validate(const vfx_case *kase) VFX_MUST_USE;
void tentacle_init(const vfx_case *kase, void *const buffers[], void *const images[]);
size_t tentacle_host_bytes(const vfx_case *kase);
void tentacle_frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[],
                          void *const images[]);

/* ------------------------------------------------------------------------------------------- checks */

enum { TENTACLE_INVARIANT_COUNT = 3 };
extern const vfx_invariant tentacle_invariants[TENTACLE_INVARIANT_COUNT];

/* --------------------------------------------------------------------------------------------- views */

enum { TENTACLE_VIEW_COUNT = 2 };
extern const vfx_view tentacle_views[TENTACLE_VIEW_COUNT];

#endif
