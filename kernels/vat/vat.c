/* vat.c - the record of the vat family: baked vertex animation played by many actors. Only rows; what the functions in
 * them do is in vat_load.c (assets), vat_counts.c and vat_sizes.c (how many), vat_scene.c (actors, validation),
 * vat_init.c (inputs), vat_traffic.c, vat_ref.c (reference), vat_limits.c (checks), vat_invariants.c and vat_view.c
 * (pictures). */
#include "kernels/vat/vat.h"

#include "core/run.h"
#include "kernels/vat/vat_ref.h"
#include "kernels/vat/vat_rows.h"

/* -------------------------------------------------------------------------------- parameters, presets */

VFX_ENUM_NAMES(vat_texel_format, VAT_FORMAT)
VFX_ENUM_NAMES(vat_kind, VAT_KIND)
VFX_ENUM_NAMES(vat_vertex_format, VAT_VERTEX_FORMAT)

static const vfx_param params[] = {VAT_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
_Static_assert(sizeof(vat_params) == 4 * sizeof params / sizeof *params, "row i is word i");

static const vfx_host_param host_params[] = {
    {VAT_MODEL_PARAM, "", NULL, "glTF file (.glb, .gltf) baked in memory; empty: the built-in model"},
    {VAT_ASSET_PARAM, "", NULL, "folder that `vfxbench bake` wrote; its format must be the parameter `format`"},
    {VFX_UPLOAD_PARAM, "single", vfx_upload_names, "how the instances of a frame reach the device"},
};

static const vfx_preset presets[] = {
    {"ci", "actors=333,vertices=120", 60, "small, an uneven size"},
    {"golden", "actors=400", 60, "400 actors: pictures"},
    {"default", "", 120, "5,000 actors of 500 vertices"},
    {"5k", "actors=5k", 60, "the source's crowded screen"},
    {"145k", "actors=145k", 60, "the source's limit with one call per actor"},
    {"288k", "actors=288k", 60, "the source's final build"},
    {"1m", "actors=1M", 20, "a million actors: the source's estimate"},
    {"stress", "actors=1M", 20, "the same"},
    /* kind would leave out the variants with instances of their own; equipment knows no batches */
    {"odd",
     "actors=107,vertices=77,fps=11,visible=101,batch=40,spacing=1.3,scale_spread=0.4,turn=0.37,speed=1.7,cam_yaw=0.3,"
     "cam_pitch=-0.07,format=rgba16,vertex_format=packed,upload=regions",
     40, "for checks: no parameter has its default but kind and equipment"},
};

/* ------------------------------------------------------------------------------------ buffers, images */

VFX_FIELDS(vat_instance, VAT_INSTANCE)
VFX_FIELDS(vat_scale2d, VAT_SCALE2D)
VFX_FIELDS(vat_billboard, VAT_BILLBOARD)
VFX_FIELDS(vat_matrix, VAT_MATRIX)
VFX_FIELDS(vat_source_instance, VAT_SOURCE_INSTANCE)
VFX_FIELDS(vat_blend, VAT_BLEND)
VFX_FIELDS(vat_clip_range, VAT_CLIP)
VFX_FIELDS(vat_part_range, VAT_PART)
VFX_FIELDS(vat_bone, VAT_BONE)
VFX_FIELDS(vat_weight, VAT_WEIGHT)
VFX_FIELDS(vat_bind_vertex, VAT_BIND)
VFX_FIELDS(vat_vertex, VAT_VERTEX)
VFX_FIELDS(vat_packed, VAT_PACKED)
static const vfx_field vat_uv_fields[] = {{"uv", VFX_FIELD_U32, 1, 0, "1", "2 x unorm16, u in the low half"}};
static const vfx_field vat_texel_fields[] = {{"words", VFX_FIELD_U32, 4, 0, "1", "texels of the case's format"}};
static const vfx_field vat_item_fields[] = {{"actor", VFX_FIELD_U32, 1, 0, "1", "actor that carries the part"}};
static const vfx_field vat_bounds_fields[] = {{"min", VFX_FIELD_F32, 3, 0, "m", "least corner of the world box"},
                                              {"max", VFX_FIELD_F32, 3, 12, "m", "greatest corner"}};

#define FIELDS(record) sizeof(record), record##_fields, VFX_COUNT(record##_fields)
#define INPUT_ROW(text, BINDING, role, record, count, about)                               \
    {                                                                                      \
        text, VAT_BINDING_##BINDING, role, VFX_RECORDS, FIELDS(record), count, about, NULL \
    }
static const vfx_buffer buffers[VAT_BUFFER_COUNT] = {
    INPUT_ROW("instance", INSTANCE, VFX_FRAME_INPUT, vat_instance, vat_yaw_count, "actors, kind = yaw"),
    INPUT_ROW("scale2d", SCALE2D, VFX_FRAME_INPUT, vat_scale2d, vat_scale2d_count, "actors, kind = scale2d"),
    INPUT_ROW("billboard", BILLBOARD, VFX_FRAME_INPUT, vat_billboard, vat_billboard_count, "actors, kind = billboard"),
    INPUT_ROW("matrix", MATRIX, VFX_FRAME_INPUT, vat_matrix, vat_matrix_count, "actors, kind = matrix"),
    INPUT_ROW("source", SOURCE, VFX_FRAME_INPUT, vat_source_instance, vat_source_count, "actors, kind = source"),
    INPUT_ROW("blend", BLEND, VFX_FRAME_INPUT, vat_blend, vat_actor_count, "actors with two clips"),
    INPUT_ROW("plan", PLAN, VFX_INPUT, vat_instance, vat_actor_count, "actors at frame 0"),
    {"actor", VAT_BINDING_INSTANCE, VFX_OUTPUT, VFX_RECORDS, FIELDS(vat_instance), vat_actor_count,
     "actors of this frame, made on the device", vat_describe_actor},
    INPUT_ROW("clip", CLIP, VFX_INPUT, vat_clip_range, vat_clip_count, "where the clips' frames are"),
    {"uv", VAT_BINDING_UV, VFX_INPUT, VFX_RECORDS, 4, vat_uv_fields, 1, vat_uv_count, "texture coordinates", NULL},
    {"texel", VAT_BINDING_TEXEL, VFX_INPUT, VFX_RECORDS, 16, vat_texel_fields, 1, vat_texel_count, "baked frames",
     NULL},
    INPUT_ROW("bone", BONE, VFX_INPUT, vat_bone, vat_bone_count, "skinning matrices of every frame"),
    INPUT_ROW("weight", WEIGHT, VFX_INPUT, vat_weight, vat_weight_count, "joints and weights of the vertices"),
    INPUT_ROW("bind", BIND, VFX_INPUT, vat_bind_vertex, vat_uv_count, "vertices in the bind pose"),
    INPUT_ROW("part", PART, VFX_INPUT, vat_part_range, vat_part_count, "parts of the model; with equipment"),
    {"item", VAT_BINDING_ITEM, VFX_INPUT, VFX_RECORDS, 4, vat_item_fields, 1, vat_item_count,
     "who carries the parts, part after part; with equipment", NULL},
    {"vertex", VAT_BINDING_VERTEX, VFX_OUTPUT, VFX_RECORDS, FIELDS(vat_vertex), vat_full_count,
     "decoded vertices, actor after actor", vat_describe_slot},
    {"packed", VAT_BINDING_PACKED, VFX_OUTPUT, VFX_RECORDS, FIELDS(vat_packed), vat_packed_count,
     "the same in 16 bytes, without colour", vat_describe_slot},
    {"bounds", VAT_BINDING_BOUNDS, VFX_OUTPUT, VFX_RECORDS, sizeof(vat_bounds), vat_bounds_fields,
     VFX_COUNT(vat_bounds_fields), vat_bounds_count, "world box of each actor", vat_describe_actor},
};

static const vfx_image images[VAT_IMAGE_COUNT] = {
    {"texel16", VAT_BINDING_TEXEL16, VFX_RGBA16_UINT, false, vat_texel16_size, "baked frames of u16oct8, rgba16"},
    {"texel8", VAT_BINDING_TEXEL8, VFX_RGBA8_UINT, false, vat_texel8_size, "baked frames of rgba8"},
    {"texel32", VAT_BINDING_TEXEL32, VFX_RGBA32_FLOAT, false, vat_texel32_size, "baked frames of f32"},
    {"linear8", VAT_BINDING_LINEAR8, VFX_RGBA8_UNORM, true, vat_linear8_size, "rgba8, frames wide, vertices high"},
    {"linear16", VAT_BINDING_LINEAR16, VFX_RGBA16_UNORM, true, vat_linear16_size, "u16oct8, rgba16, likewise"},
    {"skin", VAT_BINDING_SKIN, VFX_RGBA8_UINT, false, vat_skin_size, "skins, one a layer"},
    {"transform", VAT_BINDING_TRANSFORM, VFX_RGBA32_FLOAT, false, vat_actor_image_size, "position and angle", true},
    {"custom", VAT_BINDING_CUSTOM, VFX_RGBA16_UINT, false, vat_actor_image_size, "words r and g of the source", true},
    {"item_image", VAT_BINDING_ITEM_IMAGE, VFX_RGBA16_UINT, false, vat_item_image_size, "the item list"},
};

/* ------------------------------------------------------------------------------------ passes, variants */

VFX_SPIRV_DECLARE(vat_texel)
VFX_SPIRV_DECLARE(vat_nearest)
VFX_SPIRV_DECLARE(vat_filtered)
VFX_SPIRV_DECLARE(vat_buffer)
VFX_SPIRV_DECLARE(vat_buffer_vertex_major)
VFX_SPIRV_DECLARE(vat_bones)
VFX_SPIRV_DECLARE(vat_bounds)
VFX_SPIRV_DECLARE(vat_blend)
VFX_SPIRV_DECLARE(vat_advance)
VFX_SPIRV_DECLARE(vat_decode)
VFX_SPIRV_DECLARE(vat_texture)

/* Specialisation constants 1.. of all decode passes; a pass runs once for each batch. */
#define PASS(pass, count, bytes, shared)                                                                         \
    {                                                                                                            \
        .name = #pass, .spirv = &vat_##pass##_spirv, .threads = count, .workgroup = 128, .repeats = vat_batches, \
        .spec = {"format", "kind", "vertex_format"}, .workgroup_multiple = VAT_LANES, .traffic = bytes,          \
        .shared_bytes = shared                                                                                   \
    }
#define DECODE(pass, bytes) PASS(pass, vat_decode_threads, bytes, vat_decode_shared)

static const vfx_pass texel_passes[] = {DECODE(texel, vat_lerp_traffic)};
static const vfx_pass nearest_passes[] = {DECODE(nearest, vat_nearest_traffic)};
static const vfx_pass filtered_passes[] = {DECODE(filtered, vat_lerp_traffic)};
static const vfx_pass buffer_passes[] = {DECODE(buffer, vat_lerp_traffic)};
static const vfx_pass vertex_major_passes[] = {DECODE(buffer_vertex_major, vat_lerp_traffic)};
static const vfx_pass bones_passes[] = {DECODE(bones, vat_bones_traffic)};
static const vfx_pass bounds_passes[] = {PASS(bounds, vat_bounds_threads, vat_bounds_traffic, vat_bounds_shared)};
static const vfx_pass blend_passes[] = {DECODE(blend, vat_blend_traffic)};
static const vfx_pass advance_passes[] = {{.name = "advance",
                                           .spirv = &vat_advance_spirv,
                                           .threads = vat_actor_count,
                                           .workgroup = 64,
                                           .traffic = vat_advance_traffic},
                                          DECODE(decode, vat_lerp_traffic)};
static const vfx_pass texture_passes[] = {DECODE(texture, vat_lerp_traffic)};

#define BIT(row) (1u << VAT_BUFFER_##row)
#define IMAGE(row) (1u << VAT_IMAGE_##row)
#define KINDS (BIT(INSTANCE) | BIT(SCALE2D) | BIT(BILLBOARD) | BIT(MATRIX) | BIT(SOURCE))
#define DRAWN (BIT(CLIP) | BIT(UV) | BIT(PART) | BIT(ITEM) | BIT(VERTEX) | BIT(PACKED))
#define TEXELS (IMAGE(TEXEL16) | IMAGE(TEXEL8) | IMAGE(TEXEL32) | IMAGE(SKIN))
#define VARIANT(text, bound, sampled, rows, about)                                           \
    {                                                                                        \
        .name = text, .summary = about, .buffers = bound, .images = sampled, .passes = rows, \
        .pass_count = VFX_COUNT(rows)                                                        \
    }

static const vfx_variant variants[VAT_VARIANT_COUNT] = {
    VARIANT("texel", KINDS | DRAWN, TEXELS, texel_passes, "texel fetch, two frames blended in the shader"),
    VARIANT("nearest", KINDS | DRAWN, TEXELS, nearest_passes, "texel fetch of one frame, as the source"),
    VARIANT("filtered", KINDS | DRAWN, IMAGE(LINEAR8) | IMAGE(LINEAR16) | IMAGE(SKIN), filtered_passes,
            "positions blended by the sampler; not for f32"),
    VARIANT("buffer", KINDS | DRAWN | BIT(TEXEL), IMAGE(SKIN), buffer_passes, "texels in a storage buffer"),
    VARIANT("buffer-vertex-major", KINDS | DRAWN | BIT(TEXEL), IMAGE(SKIN), vertex_major_passes,
            "the frames of one vertex side by side"),
    VARIANT("bones", KINDS | DRAWN | BIT(BONE) | BIT(WEIGHT) | BIT(BIND), IMAGE(SKIN), bones_passes,
            "skinned in the shader from a matrix per bone and frame"),
    VARIANT("bounds", KINDS | BIT(CLIP) | BIT(TEXEL) | BIT(BOUNDS), 0, bounds_passes,
            "decoded and reduced to one box per actor"),
    VARIANT("blend", BIT(BLEND) | DRAWN | BIT(TEXEL), IMAGE(SKIN), blend_passes, "two clips cross-faded"),
    VARIANT("advance", BIT(PLAN) | BIT(ACTOR) | DRAWN | BIT(TEXEL), IMAGE(SKIN), advance_passes,
            "the device moves the actors: nothing is uploaded"),
    VARIANT("texture", (DRAWN & ~BIT(ITEM)), TEXELS | IMAGE(TRANSFORM) | IMAGE(CUSTOM) | IMAGE(ITEM), texture_passes,
            "instances in images, as the source's last build"),
};

/* ------------------------------------------------------------------------------------------ reference */

static const vfx_stage stages[] = {
    {.name = "advance",
     .writes = BIT(ACTOR),
     .items = vat_actor_count,
     .f64 = vat_advance_ref_f64,
     .f32 = vat_advance_ref_f32},
    {.name = "decode",
     .writes = BIT(VERTEX) | BIT(PACKED),
     .items = vat_slot_count,
     .f64 = vat_decode_ref_f64,
     .f32 = vat_decode_ref_f32},
    {.name = "bounds",
     .writes = BIT(BOUNDS),
     .items = vat_bounds_count,
     .f64 = vat_bounds_ref_f64,
     .f32 = vat_bounds_ref_f32},
};

/* ---------------------------------------------------------------------------------------- the record */

const vfx_kernel vat_kernel = {
    .name = "vat",
    .summary = "baked vertex animation played by a crowd; every frame from scratch",
    .params = params,
    .param_count = VFX_COUNT(params),
    .host_params = host_params,
    .host_param_count = VFX_COUNT(host_params),
    .presets = presets,
    .preset_count = VFX_COUNT(presets),
    .buffers = buffers,
    .buffer_count = VFX_COUNT(buffers),
    .images = images,
    .image_count = VFX_COUNT(images),
    .variants = variants,
    .variant_count = VFX_COUNT(variants),
    .stages = stages,
    .stage_count = VFX_COUNT(stages),
    .checks = vat_checks,
    .check_count = VAT_CHECK_COUNT,
    .invariants = vat_invariants,
    .invariant_count = VAT_INVARIANT_COUNT,
    .views = vat_views,
    .view_count = VAT_VIEW_COUNT,
    .sweep_start = 7, /* any frames would do: there is no state */
    .sweep_frames = 2,
    .free_run_frames = UINT32_MAX,
    .batches = vat_batches,
    .validate = vat_validate,
    .load = vat_load,
    .unload = vat_unload,
    .init = vat_init,
    .host_bytes = vat_host_bytes,
    .frame_input = vat_frame_input,
};
