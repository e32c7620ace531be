/* core/shared.h - the one header that C and GLSL read alike: vector types, the frame block, and the
 * macros that turn an X-list of parameters or record fields into a C struct, a GLSL struct or a table.
 * Types and constants only; maths lives in math.glsl (shaders) and refmath.h (reference).
 *
 * GLSL predefines VULKAN, which is what splits the two languages below. Every shader starts with
 *     #version 450
 *     #include "core/shared.h"
 *
 * Parameter list:  #define GRASS_PARAMS(P, E)
 *     P(TYPE, name, default, min, max, flags, help)        TYPE is F32, I32, U32 or BOOL
 *     E(name, enumeration, DEFAULT, flags, help)           enumeration names a list of V(IDENT, value, "text")
 * Record list:     #define GRASS_BLADE(F)
 *     F(type, name, quad, lanes, unit, meaning)            type is f32, u32, vec2, vec3, vec4, uvec4, or
 *                                                        oct16 (octahedral unit vector in one word) or
 *                                                        unorm8x4 (4 x unorm8, the first in the low byte)
 * A field never straddles two 16-byte quads, and the fields are listed in memory order without gaps.
 */
#ifndef VFX_SHARED_H
#define VFX_SHARED_H

#define VFX_LIVE 1u /* parameter flag: may be changed during a run with --at FRAME:name=value */

#ifdef VULKAN /* ------------------------------------------------------------------------- GLSL */
#extension GL_EXT_scalar_block_layout : require
#define uint32_t uint
#define VFX_STRUCT(name) struct name
#define VFX_STRUCT_END(name) ;

#else /* ------------------------------------------------------------------------------------- C */
#include <stddef.h>
#include <stdint.h>
typedef struct vec2 {
    float x, y;
} vec2;
typedef struct vec3 {
    float x, y, z;
} vec3;
typedef struct vec4 {
    float x, y, z, w;
} vec4;
typedef struct uvec4 {
    uint32_t x, y, z, w;
} uvec4;
#define VFX_STRUCT(name) typedef struct name
#define VFX_STRUCT_END(name) name;
#endif

/* The frame block: 128 bytes of push constants, the size every Vulkan device offers. */
VFX_STRUCT(vfx_frame)
{
    uint32_t index;     /* frame number k = 1..N; frame 0 is the initial state */
    uint32_t first;     /* first invocation of this dispatch (long passes are split) */
    uint32_t count;     /* logical invocation count of the pass: invocations at or above it do nothing */
    uint32_t iteration; /* 0..repeats-1 within a repeated pass */
    float dt;           /* s */
    uint32_t seed;      /* run seed */
    uint32_t substep;   /* 0..substeps-1 within passes that repeat as a block */
    uint32_t reserved;
    vec4 host[6]; /* the family's own per-frame constants, set by its frame_input */
}
VFX_STRUCT_END(vfx_frame)

#ifdef VULKAN /* ------------------------------------------------------------------------- GLSL */

#define VFX_WORD_F32 float
#define VFX_WORD_I32 int
#define VFX_WORD_U32 uint
#define VFX_WORD_BOOL uint
#define VFX_PARAM_MEMBER(TYPE, name, def, lo, hi, flags, help) VFX_WORD_##TYPE name;
#define VFX_ENUM_MEMBER(name, enumeration, def, flags, help) uint name;
#define VFX_ENUM_CONST(ident, value, text) const uint ident = value;
/* Binding 0 of every shader: the parameters as `params`, the frame block as `frame`. */
#define VFX_PARAMS(LIST)                                                                                              \
    layout(scalar, binding = 0) uniform vfx_params_block { LIST(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER) } params;           \
    layout(scalar, push_constant) uniform vfx_frame_block { vfx_frame frame; };
#define VFX_ENUM(LIST) LIST(VFX_ENUM_CONST)

#define VFX_TYPE_f32 float
#define VFX_TYPE_u32 uint
#define VFX_TYPE_vec2 vec2
#define VFX_TYPE_vec3 vec3
#define VFX_TYPE_vec4 vec4
#define VFX_TYPE_uvec4 uvec4
#define VFX_TYPE_oct16 uint
#define VFX_TYPE_unorm8x4 uint
#define VFX_LOAD_f32(w) uintBitsToFloat(w)
#define VFX_LOAD_u32(w) (w)
#define VFX_LOAD_oct16(w) (w)
#define VFX_LOAD_unorm8x4(w) (w)
#define VFX_LOAD_vec2(w) uintBitsToFloat(w)
#define VFX_LOAD_vec3(w) uintBitsToFloat(w)
#define VFX_LOAD_vec4(w) uintBitsToFloat(w)
#define VFX_LOAD_uvec4(w) (w)
#define VFX_STORE_f32(v) floatBitsToUint(v)
#define VFX_STORE_u32(v) (v)
#define VFX_STORE_oct16(v) (v)
#define VFX_STORE_unorm8x4(v) (v)
#define VFX_STORE_vec2(v) floatBitsToUint(v)
#define VFX_STORE_vec3(v) floatBitsToUint(v)
#define VFX_STORE_vec4(v) floatBitsToUint(v)
#define VFX_STORE_uvec4(v) (v)
#define VFX_FIELD_MEMBER(type, name, quad, lanes, unit, meaning) VFX_TYPE_##type name;
#define VFX_FIELD_LOAD(type, name, quad, lanes, unit, meaning) record.name = VFX_LOAD_##type(quads[quad].lanes);
#define VFX_FIELD_STORE(type, name, quad, lanes, unit, meaning) quads[quad].lanes = VFX_STORE_##type(record.name);
/* Struct `name` with name##_unpack(uvec4[count]) and name##_pack(name). Buffers hold uvec4 so that small
 * integers never pass through a float lane, where a subnormal may be flushed. */
#define VFX_RECORD(name, LIST, quad_count)                                                                            \
    struct name { LIST(VFX_FIELD_MEMBER) };                                                                           \
    name name##_unpack(uvec4 quads[quad_count]) { name record; LIST(VFX_FIELD_LOAD) return record; }                   \
    uvec4[quad_count] name##_pack(name record) { uvec4 quads[quad_count]; LIST(VFX_FIELD_STORE) return quads; }

#else /* ------------------------------------------------------------------------------------- C */

#define VFX_WORD_F32 float
#define VFX_WORD_I32 int32_t
#define VFX_WORD_U32 uint32_t
#define VFX_WORD_BOOL uint32_t
#define VFX_PARAM_MEMBER(TYPE, name, def, lo, hi, flags, help) VFX_WORD_##TYPE name;
#define VFX_ENUM_MEMBER(name, enumeration, def, flags, help) uint32_t name;
#define VFX_ENUM_CONST(ident, value, text) ident = (value),
#define VFX_ENUM(LIST) enum { LIST(VFX_ENUM_CONST) };

#define VFX_TYPE_f32 float
#define VFX_TYPE_u32 uint32_t
#define VFX_TYPE_vec2 vec2
#define VFX_TYPE_vec3 vec3
#define VFX_TYPE_vec4 vec4
#define VFX_TYPE_uvec4 uvec4
#define VFX_TYPE_oct16 uint32_t
#define VFX_TYPE_unorm8x4 uint32_t
#define VFX_FIELD_MEMBER(type, name, quad, lanes, unit, meaning) VFX_TYPE_##type name;
#define VFX_RECORD(name, LIST, quad_count)                                                                            \
    typedef struct name {                                                                                             \
        LIST(VFX_FIELD_MEMBER)                                                                                        \
    } name;                                                                                                           \
    _Static_assert(sizeof(name) == 16u * (quad_count), #name " must fill its quads");

_Static_assert(sizeof(vfx_frame) == 128, "the frame block is 128 bytes of push constants");
#endif

#endif
