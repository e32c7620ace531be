/* probe_shared.h - a tiny kernel family for the core's own device tests: every buffer role, both layouts, images, a once
 * pass, a repeated pass, and a parameter that breaks the shader on purpose. */
#ifndef PROBE_SHARED_H
#define PROBE_SHARED_H

#include "core/shared.h"

#define PROBE_FAULT(V)                                                                                                 \
    V(PROBE_FAULT_NONE, 0, "none")                                                                                     \
    V(PROBE_FAULT_CONSTANT, 1, "constant")   /* a wrong constant */                                                    \
    V(PROBE_FAULT_BEYOND, 2, "beyond")       /* one record written past the end */                                     \
    V(PROBE_FAULT_UNWRITTEN, 3, "unwritten") /* the last record is left out */                                         \
    V(PROBE_FAULT_NAN, 4, "nan")             /* NaN in frame 3 */                                                      \
    V(PROBE_FAULT_STUCK, 5, "stuck")         /* the repeated pass does its work once only */                           \
    V(PROBE_FAULT_LATE, 6, "late")           /* unwritten from frame 3 on */                                           \
    V(PROBE_FAULT_STALE, 7, "stale")         /* keeps what an earlier frame left */                                    \
    V(PROBE_FAULT_INPUT, 8, "input")         /* writes into an input */                                                \
    V(PROBE_FAULT_FAR, 9, "far")             /* writes 200 records past the end */

#define PROBE_PARAMS(P, E)                                                                                             \
    P(U32, cells, 1000, 1, 2000000000, 0, "number of cells")                                                           \
    P(F32, gain, 0.5, 0, 2, VFX_LIVE, "share of the drive that a cell takes")                                          \
    P(U32, rounds, 3, 1, 8, 0, "repeats of the pass `round`")                                                          \
    P(F32, marks, 0, 0, 1, 0, "share of cells that the reference marks")                                               \
    E(fault, probe_fault, PROBE_FAULT_NONE, 0, "what is broken on purpose")

/* State, ping-pong, streams. */
#define PROBE_CELL(F)                                                                                                  \
    F(vec3, value, 0, xyz, "1", "running values")                                                                      \
    F(f32, texel, 0, w, "1", "last texel read")                                                                        \
    F(u32, frame, 1, x, "1", "last frame")                                                                             \
    F(u32, zero0, 1, y, "1", "padding, 0")                                                                             \
    F(u32, zero1, 1, z, "1", "padding, 0")                                                                             \
    F(u32, zero2, 1, w, "1", "padding, 0")
/* Frame input, one record per 16 cells. */
#define PROBE_DRIVE(F)                                                                                                 \
    F(vec3, push, 0, xyz, "1", "added to the value")                                                                   \
    F(f32, phase, 0, w, "turns", "of the frame")
/* Output: a cell plus its right neighbour, as the pass before left them. */
#define PROBE_SUM(F)                                                                                                   \
    F(vec3, total, 0, xyz, "1", "own plus neighbour")                                                                  \
    F(f32, rounds, 0, w, "1", "rounds counted")

/* State, in place: 3 times what it was plus the texel of this frame's image, so that each frame's image counts. */
#define PROBE_ECHO(F) F(uvec4, texel, 0, xyzw, "1", "sum of texels, layer after layer")
#define PROBE_TIDE_WIDTH 7u
#define PROBE_TIDE_HEIGHT 5u
#define PROBE_TIDE_LAYERS 2u

VFX_ENUM(PROBE_FAULT)
VFX_RECORD(probe_cell, PROBE_CELL, 2)
VFX_RECORD(probe_drive, PROBE_DRIVE, 1)
VFX_RECORD(probe_sum, PROBE_SUM, 1)
VFX_RECORD(probe_echo, PROBE_ECHO, 1)

#ifdef VULKAN
layout(local_size_x_id = 0) in;
VFX_PARAMS(PROBE_PARAMS)
layout(binding = 1) restrict readonly buffer cell_block { uvec4 cell[]; };
layout(binding = 2) restrict buffer cell_next_block { uvec4 cell_next[]; };
layout(binding = 3) restrict buffer weight_block { float weight[]; };
layout(binding = 4) restrict readonly buffer drive_block { uvec4 drive[]; };
layout(binding = 5) restrict buffer tally_block { float tally[]; };
layout(binding = 6) restrict buffer sum_block { uvec4 sum[]; };
layout(binding = 7) restrict buffer table_block { uint table[]; };
layout(binding = 8) uniform usampler2DArray codes;
layout(binding = 9) uniform sampler2DArray ramp;
layout(binding = 10) uniform usampler2DArray tide;
layout(binding = 11) restrict buffer echo_block { uvec4 echo[]; };
#else
typedef struct probe_params {
    PROBE_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} probe_params;
enum { PROBE_CELLS, PROBE_WEIGHT, PROBE_DRIVES, PROBE_TALLY, PROBE_SUMS, PROBE_TABLE, PROBE_ECHOES, PROBE_BUFFERS };
enum { PROBE_CODES, PROBE_RAMP, PROBE_TIDE, PROBE_IMAGES };
#endif

#endif
