/* vat_shared.h - parameters, records, constants and the rules of the vat family, read by shaders, reference and host.
 * glTF conventions: right-handed, y up, metres; angles in turns, counter-clockwise about +y (0.25 takes +z to +x).
 * V vertices, F frames of all clips together; texel index = frame * V + vertex unless a variant says otherwise.
 * Stateless: a frame is a function of the asset, this frame's instances and the parameters. Shader and reference are
 * written apart; the comments here are what they agree on. "unit" = v * inversesqrt(v.v).
 *
 * WHO (entry -> actor, vertices, slots). VAT_LANES invocations of a decode pass go through the vertices of an entry, which
 *   is an actor of the drawn batch, or a part that an actor carries. Slot: index into the output.
 *   actors drawn A = visible, or all where visible = 0. Batch b = (frame.iteration + frame.index) % batches, so that
 *   another batch is the last one in each frame; batch size B = VAT_BATCH(frame), batches = ceil(A / B).
 *   equipment off: entry e is actor b * B + e, nothing where that is >= A; vertices 0..V - 1, slots from e V on: batches
 *     reuse one output range, the last partial batch leaves the rest as it was.
 *   equipment on (one batch): entry e is item e, of the part p that is the last with first_item <= e; actor = item[e],
 *     vertices from first_vertex on, slots from first_slot + (e - first_item) * vertices on.
 *
 * WHEN (u32 frame word = clip << 24 | cursor; cursor = frame of the clip, 16.8 fixed point). clip = min(clip, clips -
 *   1);
 *   i = cursor >> 8, w = cursor & 255; a = first + min(i, frames - 1), b = first + min(i + 1, frames - 1). `nearest`
 *     and
 *   kind = source without fraction: w = 0. kind = source: a = b = min(low 16 bits of r, F - 1), w = 0.
 *
 * LOCAL position p and normal m of (vertex, a, b, w).
 *   integer codes: c = ca * (256 - w) + cb * w, exact in f32 (24 bits); p = map_min + map_step * c per axis, with
 *     map_step for codes * 256.
 *   f32: p = pa * (1 - w/256) + pb * (w/256).
 *   normals: na, nb decoded (rgba8: 2 c/255 - 1 per component, not unit; octahedral: unit; f32 as they are);
 *     m = unit of na * (256 - w) + nb * w, or na's unit where the square is < VAT_DEGENERATE * 65536 (opposite
 *       normals), or +y where na has no
 *     length either.
 *   filtered (u16oct8, rgba8, rgba16): position is one linear sample of the image (frames wide, V high, layer 0) at
 *     x = (a + (b > a ? w/256 : 0) + 0.5) / F, y = (vertex + 0.5) / V: p = map_min + (255 or 65535) * 256 * map_step *
 *     sample. Normal: of frame a alone, by texelFetch (u16oct8: w of layer 0; the others: layer 1).
 *   bones: matrix = sum over influences of weight/65535 * (Ma * (1 - w/256) + Mb * (w/256)); p = matrix * (bind, 1);
 *     m = unit of sign(det) * cofactor(3x3) * bind normal, or the bind normal where the square is 0.
 *   blend (two clips): p = mix(p1, p2, weight), m = unit of mix(m1, m2, weight), m1 where the square is <
 *     VAT_DEGENERATE;
 *     p1, m1 from frame_a and p2, m2 from frame_b, each as texel does it.
 *
 * WHERE (transform kinds). R = rotation by yaw: x' = cos x + sin z, z' = cos z - sin x. Normals: unit of the inverse
 *   transpose (outward also for mirrored instances).
 *   yaw:       scale * R * (mirror * p) + position; mirror = diag(-1, 1, 1) where VAT_FLAG_MIRROR, scale > 0
 *   scale2d:   R * (diag(width, 1, height) * p) + position; width and height may be negative, never 0
 *   billboard: scale * (right * p.x + up * p.y + back * p.z) + position; basis of the camera in frame.host
 *   matrix:    rows (3x4) * (p, 1); normals by sign(det) * cofactor
 *   source:    R with turns = angle * VAT_TURNS_PER_RADIAN (one float product), no scale, + position
 *   blend uses the yaw form with its own record.
 *
 * COLOUR (vertex_format = full). layer = min(layer, layers - 1), texel x = (u * width) >> 16, y likewise, of the unorm16 uv;
 *   per channel
 *   (tint * skin + 127) / 255 in integers, alpha = skin alpha. tint word: r | g << 8 | b << 16 | layer << 24.
 *   kind = source: tint r = r >> 24, g = g & 255, b = (g >> 8) & 255, layer = (r >> 16) & 255.
 *
 * BOUNDS (variant bounds): componentwise min and max of the actor's world positions, decoded as `buffer` does; record
 *   = actor - b * B.
 *
 * ADVANCE (variant advance; integers only, so bitwise): ACTOR k = PLAN with yaw = ((yaw * 65536 + k * VAT_TURN(frame))
 *   mod 65536) / 65536 and cursor = (cursor + k * clip.step) mod clip.period, k = frame.index, in 32-bit unsigned
 *   arithmetic, which may wrap. The host's instances of frame k are made by the same rule from the same plan.
 *
 * PASSES (specialisation constants 1.. = format, kind, vertex_format). E entries of L = VAT_LANES invocations.
 *   variant              pass = shader vat_<pass>.comp    threads        texels from
 *   texel                texel                            E L            image, UINT / FLOAT fetch
 *   nearest              nearest                          E L            the same, w = 0
 *   filtered             filtered                         E L            linear image; not f32
 *   buffer               buffer                           E L            TEXEL buffer
 *   buffer-vertex-major  buffer_vertex_major              E L            TEXEL buffer, texel = vertex * F + frame
 *   bones                bones                            E L            BONE, WEIGHT, BIND
 *   bounds               bounds                           B 8            TEXEL buffer; VAT_BOUNDS_LANES an actor
 *   blend                blend                            E L            TEXEL buffer; BLEND records
 *   advance              advance, then decode as buffer   A; E L         TEXEL buffer; ACTOR instead of INSTANCE
 *   texture              texture                          E L            image; TRANSFORM, CUSTOM instead of SOURCE
 *   TEXEL buffer: the texels of the format back to back in quads (8 B: two texels a quad; 16 B: one; 32 B: two quads).
 *   Images `texel*` are VAT_ROW texels wide (flat index, x = i % VAT_ROW, y = i / VAT_ROW), or F V where less. */
#ifndef VAT_SHARED_H
#define VAT_SHARED_H

#include "core/shared.h"

#define VAT_ROW 4096u               /* texels of a wrapped image row: every device's image limit */
#define VAT_DEGENERATE 1e-6f        /* square of a blended normal below which it has no direction */
#define VAT_TURNS_PER_RADIAN 0.15915494f
#define VAT_FLAG_MIRROR 1u
#define VAT_LANES 32u              /* invocations of an entry: an actor, or a part of one with equipment */
#define VAT_BOUNDS_LANES 8u        /* invocations of an actor of `bounds`: its cost per actor is in every lane */
#define VAT_MAX_PARTS 16u

/* Hash streams of pcg3d(actor, stream, seed). */
#define VAT_STREAM_SPOT 0u   /* jitter x, z; yaw */
#define VAT_STREAM_PLAY 1u   /* clip, start cursor, weight of blend */
#define VAT_STREAM_LOOK 2u   /* tint, layer, scale */
#define VAT_STREAM_OTHER 3u  /* second clip and cursor of blend; mirror */
#define VAT_STREAM_CARRY 4u  /* which parts of a model an actor carries; matrix shear */

#define VAT_FORMAT(V) V(VAT_FORMAT_U16OCT8, 0, "u16oct8") V(VAT_FORMAT_RGBA8, 1, "rgba8") \
    V(VAT_FORMAT_RGBA16, 2, "rgba16") V(VAT_FORMAT_F32, 3, "f32")
#define VAT_KIND(V) V(VAT_KIND_YAW, 0, "yaw") V(VAT_KIND_SCALE2D, 1, "scale2d") V(VAT_KIND_BILLBOARD, 2, "billboard") \
    V(VAT_KIND_MATRIX, 3, "matrix") V(VAT_KIND_SOURCE, 4, "source")
#define VAT_VERTEX_FORMAT(V) V(VAT_VERTEX_FULL, 0, "full") V(VAT_VERTEX_PACKED, 1, "packed")

#define VAT_PARAMS(P, E) \
    P(U32, actors, 5000, 1, 2000000, 0, "actors, each an instance of the model") \
    P(U32, vertices, 500, 48, 65536, 0, "vertices of the built-in model; ignored with model= or asset=") \
    P(F32, fps, 30, 0.5, 240, 0, "frames a second of the bake; ignored with asset=") \
    P(U32, visible, 0, 0, 2000000, 0, "actors that are decoded: the first so many; 0: all") \
    P(U32, batch, 0, 0, 2000000, 0, "actors decoded into the output at a time; 0: as many as the device can bind") \
    P(F32, spacing, 2, 0.01, 1000, 0, "distance between neighbouring actors, m") \
    P(F32, scale_spread, 0.2, 0, 0.9, 0, "scales lie in 1 -+ this") \
    P(F32, turn, 0.1, -8, 8, 0, "turning of the actors, turns/s") \
    P(F32, speed, 1, 0, 16, 0, "playing speed of the clips") \
    P(F32, cam_yaw, 0.05, -16, 16, VFX_LIVE, "direction of the camera for billboards, turns") \
    P(F32, cam_pitch, 0.04, -0.25, 0.25, VFX_LIVE, "pitch of the camera, turns") \
    E(format, vat_texel_format, VAT_FORMAT_U16OCT8, 0, "texels: layout of a vertex-frame") \
    E(kind, vat_kind, VAT_KIND_YAW, 0, "instance transform") \
    E(vertex_format, vat_vertex_format, VAT_VERTEX_FULL, 0, "vertex of 32 bytes, or packed into 16") \
    P(BOOL, equipment, 0, 0, 1, 0, "each part of the model is drawn for the actors that carry it")

/* Instances, per frame. kind = yaw; also PLAN and ACTOR of variant advance. 32 B. */
#define VAT_INSTANCE(F) \
    F(vec3, position, 0, xyz, "m", "where the model's origin is") \
    F(f32, yaw, 0, w, "turns", "direction, in [0, 1)") \
    F(f32, scale, 1, x, "1", "uniform scale, > 0") \
    F(u32, frame, 1, y, "1/256 frame", "clip << 24 | cursor") \
    F(u32, tint, 1, z, "1", "rgb8 | skin layer << 24") \
    F(u32, flags, 1, w, "1", "VAT_FLAG_MIRROR; parts carried << 24 (bit i: part i + 1)")

#define VAT_SCALE2D(F) \
    F(vec3, position, 0, xyz, "m", "where the model's origin is") \
    F(f32, yaw, 0, w, "turns", "direction, in [0, 1)") \
    F(f32, width, 1, x, "1", "scale of x, not 0") \
    F(f32, height, 1, y, "1", "scale of z, not 0") \
    F(u32, frame, 1, z, "1/256 frame", "clip << 24 | cursor") \
    F(u32, tint, 1, w, "1", "rgb8 | skin layer << 24")

#define VAT_BILLBOARD(F) \
    F(vec3, position, 0, xyz, "m", "where the model's origin is") \
    F(f32, scale, 0, w, "1", "uniform scale, > 0") \
    F(u32, frame, 1, x, "1/256 frame", "clip << 24 | cursor") \
    F(u32, tint, 1, y, "1", "rgb8 | skin layer << 24") \
    F(u32, flags, 1, z, "1", "as of the yaw kind; mirror is not read") \
    F(u32, zero, 1, w, "1", "padding, 0")

#define VAT_MATRIX(F) \
    F(vec4, row0, 0, xyzw, "1, m", "row 0 of the 3x4 matrix, translation last") \
    F(vec4, row1, 1, xyzw, "1, m", "row 1") \
    F(vec4, row2, 2, xyzw, "1, m", "row 2") \
    F(u32, frame, 3, x, "1/256 frame", "clip << 24 | cursor") \
    F(u32, tint, 3, y, "1", "rgb8 | skin layer << 24") \
    F(u32, flags, 3, z, "1", "as of the yaw kind; mirror is not read") \
    F(u32, zero, 3, w, "1", "padding, 0")

/* The source's packing, 16 + 8 B and padding. */
#define VAT_SOURCE_INSTANCE(F) \
    F(vec3, position, 0, xyz, "m", "where the model's origin is") \
    F(f32, angle, 0, w, "rad", "direction, in [0, 2 pi)") \
    F(u32, r, 1, x, "1", "frame of all clips | skin layer << 16 | tint red << 24") \
    F(u32, g, 1, y, "1", "tint green | tint blue << 8") \
    F(u32, zero0, 1, z, "1", "padding, 0") \
    F(u32, zero1, 1, w, "1", "padding, 0")

#define VAT_BLEND(F) \
    F(vec3, position, 0, xyz, "m", "where the model's origin is") \
    F(f32, yaw, 0, w, "turns", "direction, in [0, 1)") \
    F(f32, scale, 1, x, "1", "uniform scale, > 0") \
    F(u32, frame_a, 1, y, "1/256 frame", "clip << 24 | cursor") \
    F(u32, frame_b, 1, z, "1/256 frame", "clip << 24 | cursor") \
    F(u32, tint, 1, w, "1", "rgb8 | skin layer << 24") \
    F(f32, weight, 2, x, "1", "of frame_b, 0..1") \
    F(u32, flags, 2, y, "1", "as of the yaw kind") \
    F(u32, zero0, 2, z, "1", "padding, 0") \
    F(u32, zero1, 2, w, "1", "padding, 0")

/* Static inputs. */
#define VAT_CLIP(F) \
    F(u32, first, 0, x, "1", "first frame") \
    F(u32, frames, 0, y, "1", "frames, closing frame included, >= 1") \
    F(u32, period, 0, z, "1/256 frame", "cursor length: max(1, (frames - 1) * 256)") \
    F(u32, step, 0, w, "1/256 frame", "cursor advance a frame of the run")
#define VAT_PART(F) \
    F(u32, first_vertex, 0, x, "1", "of the model") \
    F(u32, vertices, 0, y, "1", "of the part, >= 1") \
    F(u32, first_item, 0, z, "1", "into the item list") \
    F(u32, first_slot, 0, w, "1", "into the output")
#define VAT_BONE(F) \
    F(vec4, row0, 0, xyzw, "1, m", "row 0 of the skinning matrix, translation last") \
    F(vec4, row1, 1, xyzw, "1, m", "row 1") \
    F(vec4, row2, 2, xyzw, "1, m", "row 2")
/* Four influences; VAT_WEIGHTS(frame) records in a row are a vertex's. */
#define VAT_WEIGHT(F) \
    F(u32, joints01, 0, x, "1", "2 x u16, the first in the low half") \
    F(u32, joints23, 0, y, "1", "2 x u16") \
    F(u32, weights01, 0, z, "1", "2 x unorm16") \
    F(u32, weights23, 0, w, "1", "2 x unorm16")
#define VAT_BIND(F) \
    F(vec3, position, 0, xyz, "m", "bind position") \
    F(u32, zero0, 0, w, "1", "padding, 0") \
    F(vec3, normal, 1, xyz, "1", "unit bind normal") \
    F(u32, zero1, 1, w, "1", "padding, 0")

/* Outputs. */
#define VAT_VERTEX(F) \
    F(vec3, position, 0, xyz, "m", "world position") \
    F(u32, uv, 0, w, "1", "2 x unorm16, u in the low half") \
    F(vec3, normal, 1, xyz, "1", "unit world normal") \
    F(unorm8x4, colour, 1, w, "1", "tint times skin, alpha of the skin")
#define VAT_PACKED(F) \
    F(vec3, position, 0, xyz, "m", "world position") \
    F(oct16, normal, 0, w, "1", "unit world normal")
/* 24 B, six plain words: min x, y, z, max x, y, z, m. */
#define VAT_BOUNDS_WORDS 6u

/* frame.host: floats that the host computes once; integers are exact floats. */
#define VAT_MAP_MIN(f) ((f).host[0].xyz)          /* m (GLSL only; C reads host[0].x, y, z) */
#define VAT_VERTICES(f) ((f).host[0].w)           /* V */
#define VAT_MAP_STEP(f) ((f).host[1].xyz)         /* m per 1/256 code */
#define VAT_FRAMES(f) ((f).host[1].w)             /* F */
#define VAT_CAMERA_RIGHT(f) ((f).host[2].xyz)     /* orthonormal basis of the camera */
#define VAT_CLIPS(f) ((f).host[2].w)
#define VAT_CAMERA_UP(f) ((f).host[3].xyz)
#define VAT_BONES(f) ((f).host[3].w)              /* of a frame */
#define VAT_CAMERA_BACK(f) ((f).host[4].xyz)
#define VAT_WEIGHTS(f) ((f).host[4].w)            /* VAT_WEIGHT records of a vertex: 1 or 2 */
#define VAT_BATCH(f) ((f).host[5].x)              /* B */
#define VAT_DRAWN(f) ((f).host[5].y)              /* A */
#define VAT_TURN(f) ((f).host[5].z)               /* turning of a frame, 1/65536 turns, 0..65535 */
#define VAT_PARTS(f) ((f).host[5].w)

VFX_ENUM(VAT_FORMAT)
VFX_ENUM(VAT_KIND)
VFX_ENUM(VAT_VERTEX_FORMAT)
VFX_RECORD(vat_instance, VAT_INSTANCE, 2)
VFX_RECORD(vat_scale2d, VAT_SCALE2D, 2)
VFX_RECORD(vat_billboard, VAT_BILLBOARD, 2)
VFX_RECORD(vat_matrix, VAT_MATRIX, 4)
VFX_RECORD(vat_source_instance, VAT_SOURCE_INSTANCE, 2)
VFX_RECORD(vat_blend, VAT_BLEND, 3)
VFX_RECORD(vat_clip_range, VAT_CLIP, 1)
VFX_RECORD(vat_part_range, VAT_PART, 1)
VFX_RECORD(vat_bone, VAT_BONE, 3)
VFX_RECORD(vat_weight, VAT_WEIGHT, 1)
VFX_RECORD(vat_bind_vertex, VAT_BIND, 2)
VFX_RECORD(vat_vertex, VAT_VERTEX, 2)
VFX_RECORD(vat_packed, VAT_PACKED, 1)

#ifndef VULKAN
typedef struct vat_params {
    VAT_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} vat_params;
typedef struct vat_bounds {
    float min[3], max[3];
} vat_bounds;

/* Rows of the family's buffers, in the order of vat.c; all in layout RECORDS. A kind's records have count 0 unless it is
 * the case's kind. */
enum {
    VAT_BUFFER_INSTANCE,  /* FRAME_INPUT, kind yaw, count = actors */
    VAT_BUFFER_SCALE2D,   /* FRAME_INPUT */
    VAT_BUFFER_BILLBOARD, /* FRAME_INPUT */
    VAT_BUFFER_MATRIX,    /* FRAME_INPUT */
    VAT_BUFFER_SOURCE,    /* FRAME_INPUT */
    VAT_BUFFER_BLEND,     /* FRAME_INPUT of blend */
    VAT_BUFFER_PLAN,      /* INPUT of advance: the instances at frame 0 */
    VAT_BUFFER_ACTOR,     /* OUTPUT of advance; bound where INSTANCE is in the others */
    VAT_BUFFER_CLIP,      /* INPUT */
    VAT_BUFFER_UV,        /* INPUT, u32 per vertex: 2 x unorm16, u in the low half */
    VAT_BUFFER_TEXEL,     /* INPUT of the buffer variants, quads */
    VAT_BUFFER_BONE,      /* INPUT of bones */
    VAT_BUFFER_WEIGHT,    /* INPUT of bones */
    VAT_BUFFER_BIND,      /* INPUT of bones */
    VAT_BUFFER_PART,      /* INPUT, equipment */
    VAT_BUFFER_ITEM,      /* INPUT, equipment: u32 actor, part after part, rising within one */
    VAT_BUFFER_VERTEX,    /* OUTPUT, vertex_format = full: count = min(A, B) V, or the slots of all parts */
    VAT_BUFFER_PACKED,    /* OUTPUT, vertex_format = packed */
    VAT_BUFFER_BOUNDS,    /* OUTPUT of bounds: count = min(A, B) */
    VAT_BUFFER_COUNT
};
enum {
    VAT_IMAGE_TEXEL16,   /* RGBA16_UINT: u16oct8 1 layer, rgba16 2 layers (position, normal) */
    VAT_IMAGE_TEXEL8,    /* RGBA8_UINT, 2 layers: rgba8 */
    VAT_IMAGE_TEXEL32,   /* RGBA32_FLOAT, 2 layers: f32 */
    VAT_IMAGE_LINEAR8,   /* RGBA8_UNORM linear, F x V, 2 layers */
    VAT_IMAGE_LINEAR16,  /* RGBA16_UNORM linear, F x V: u16oct8 1 layer, rgba16 2 (octahedral words in x, y) */
    VAT_IMAGE_SKIN,      /* RGBA8_UINT, a layer per skin */
    VAT_IMAGE_TRANSFORM, /* RGBA32_FLOAT per frame: position, angle of actor i at (i % VAT_ROW, i / VAT_ROW) */
    VAT_IMAGE_CUSTOM,    /* RGBA16_UINT per frame: low and high half of r, then of g */
    VAT_IMAGE_ITEM,      /* RGBA16_UINT: the item list (low, high half, 0, 0), as the source's index image per model */
    VAT_IMAGE_COUNT
};
#endif

#define VAT_BINDING_INSTANCE 1
#define VAT_BINDING_SCALE2D 2
#define VAT_BINDING_BILLBOARD 3
#define VAT_BINDING_MATRIX 4
#define VAT_BINDING_SOURCE 5
#define VAT_BINDING_BLEND 6
#define VAT_BINDING_PLAN 7
#define VAT_BINDING_CLIP 8
#define VAT_BINDING_UV 9
#define VAT_BINDING_TEXEL 10
#define VAT_BINDING_BONE 11
#define VAT_BINDING_WEIGHT 12
#define VAT_BINDING_BIND 13
#define VAT_BINDING_PART 14
#define VAT_BINDING_ITEM 15
#define VAT_BINDING_VERTEX 16
#define VAT_BINDING_PACKED 17
#define VAT_BINDING_BOUNDS 18
#define VAT_BINDING_TEXEL16 19
#define VAT_BINDING_TEXEL8 20
#define VAT_BINDING_TEXEL32 21
#define VAT_BINDING_LINEAR8 22
#define VAT_BINDING_LINEAR16 23
#define VAT_BINDING_SKIN 24
#define VAT_BINDING_TRANSFORM 25
#define VAT_BINDING_CUSTOM 26
#define VAT_BINDING_ITEM_IMAGE 27

#endif
