#!/usr/bin/env bash
# scripts/toy_family.sh - proves that a new family is one folder and one row: makes a temporary copy of the tree, writes
# the family `toy` (damped springs pulled to rest positions from an image, shifted by a per-frame input) into it, adds
# its row to kernels/kernels.c, builds, lists, verifies and checks that nothing else was touched.
# It is also the shortest complete family there is to copy from: --print DIR only writes it.
# Usage: scripts/toy_family.sh [--print DIR | --keep | --help]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | grep -v '^shellcheck'
    exit
fi

write_shared() {
    cat <<'EOF'
/* toy_shared.h - parameters and records of the toy family: damped springs. */
#ifndef TOY_SHARED_H
#define TOY_SHARED_H
#include "core/shared.h"
#define TOY_PARAMS(P, E) \
    P(U32, springs, 500, 1, 1000000, 0, "number of springs") \
    P(F32, stiffness, 40, 0, 1000, VFX_LIVE, "pull toward the rest position, 1/s^2") \
    P(F32, damping, 1, 0, 60, VFX_LIVE, "drag, 1/s")
#define TOY_SPRING(F) \
    F(f32, position, 0, x, "m", "position on its line") \
    F(f32, velocity, 0, y, "m/s", "velocity") \
    F(vec2, zero, 0, zw, "1", "padding, 0")
#define TOY_DRIVE(F) F(vec4, shift, 0, xyzw, "m", "shift of the rest positions of every fourth spring")
VFX_RECORD(toy_spring, TOY_SPRING, 1)
VFX_RECORD(toy_drive, TOY_DRIVE, 1)
#define TOY_WIDTH 64u /* texels in a row of the image of rest positions */
#ifndef VULKAN
typedef struct toy_params {
    TOY_PARAMS(VFX_PARAM_MEMBER, VFX_ENUM_MEMBER)
} toy_params;
enum { TOY_BUFFER_SPRING, TOY_BUFFER_DRIVE };
#endif
#endif
EOF
}

write_shader() {
    cat <<'EOF'
#version 450
#include "core/shared.h"
#include "kernels/toy/toy_shared.h"
VFX_PARAMS(TOY_PARAMS)
layout(local_size_x_id = 0) in;
layout(std430, binding = 1) restrict readonly buffer prev_block { uvec4 prev[]; };
layout(std430, binding = 2) restrict writeonly buffer next_block { uvec4 next[]; };
layout(std430, binding = 3) restrict readonly buffer drive_block { vec4 drive[]; };
layout(binding = 4) uniform sampler2DArray rest;

void main()
{
    uint i = frame.first + gl_GlobalInvocationID.x;
    if (i >= frame.count)
        return;
    toy_spring s = toy_spring_unpack(uvec4[](prev[i]));
    float target = texelFetch(rest, ivec3(i % TOY_WIDTH, i / TOY_WIDTH, 0), 0).x + drive[0][i & 3u];
    s.velocity += frame.dt * (params.stiffness * (target - s.position) - params.damping * s.velocity);
    s.position += frame.dt * s.velocity;
    next[i] = toy_spring_pack(s)[0];
}
EOF
}

write_reference() {
    cat <<'EOF'
/* toy_ref.c - the CPU reference of the toy family. */
#include "core/refmath.h"
#include "kernels/toy/toy.h"

void VFX_REF(toy_step)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const toy_params *p = VFX_CASE_PARAMS(ref->kase, toy_params);
    const toy_spring *prev = ref->prev[TOY_BUFFER_SPRING];
    const toy_drive *drive = ref->in[TOY_BUFFER_DRIVE];
    const vec4 *rest = ref->image[0];
    toy_spring *out = ref->out[TOY_BUFFER_SPRING];
    const real dt = (real)ref->frame->dt;
    for (uint64_t i = first; i < first + count; i++) {
        const float shift[4] = {drive->shift.x, drive->shift.y, drive->shift.z, drive->shift.w};
        const real x = (real)prev[i].position, v = (real)prev[i].velocity;
        const real target = (real)rest[i].x + (real)shift[i % 4];
        const real velocity = v + dt * ((real)p->stiffness * (target - x) - (real)p->damping * v);
        out[i].velocity = (float)velocity;
        out[i].position = (float)(x + dt * velocity);
        out[i].zero = prev[i].zero;
    }
}
EOF
}

write_header() {
    cat <<'EOF'
/* toy.h - the record of the toy family, for the table of kernels. */
#ifndef TOY_H
#define TOY_H
#include "core/kernel.h"
#include "kernels/toy/toy_shared.h"
extern const vfx_kernel toy_kernel;
vfx_stage_fn toy_step_f64, toy_step_f32;
#endif
EOF
}

write_record() {
    cat <<'EOF'
/* toy.c - the record of the toy family. */
#include "kernels/toy/toy.h"
#include "core/hash.h"

VFX_SPIRV_DECLARE(toy_step)

static uint64_t springs(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, toy_params)->springs;
}

static uint64_t one(const vfx_case *kase)
{
    (void)kase;
    return 1;
}

static void rest_size(const vfx_case *kase, uint32_t size[3])
{
    size[0] = TOY_WIDTH;
    size[1] = (uint32_t)((springs(kase) + TOY_WIDTH - 1) / TOY_WIDTH);
    size[2] = 1;
}

static void init(const vfx_case *kase, void *const buffers[], void *const images[])
{
    toy_spring *spring = buffers[TOY_BUFFER_SPRING];
    vec4 *rest = images[0];
    for (uint32_t i = 0; i < springs(kase); i++) {
        spring[i] = (toy_spring){.position = (float)vfx_hash_random(i, 0, kase->seed)};
        rest[i] = (vec4){.x = (float)vfx_hash_random(i, 1, kase->seed)};
    }
}

static void frame_input(const vfx_case *kase, void *host, vfx_frame *frame, void *const buffers[], void *const images[])
{
    (void)kase;
    (void)host;
    (void)images;
    const float step = (float)(frame->index % 8) / 8;
    *(toy_drive *)buffers[TOY_BUFFER_DRIVE] = (toy_drive){{step, -step, 1 - step, 0}};
}

static vfx_traffic traffic(const vfx_case *kase)
{
    const double n = (double)springs(kase);
    return (vfx_traffic){.bytes_read = 32 * n, .bytes_written = 16 * n, .flops = 9 * n};
}

static const vfx_param params[] = {TOY_PARAMS(VFX_PARAM_ROW, VFX_ENUM_ROW)};
static const vfx_host_param host_params[] = {
    {VFX_UPLOAD_PARAM, "single", vfx_upload_names, "how the drive reaches the device"}};
VFX_FIELDS(toy_spring, TOY_SPRING)
VFX_FIELDS(toy_drive, TOY_DRIVE)
static const vfx_preset presets[] = {
    {"ci", "", 60, "three full workgroups and a partial one"},
    {"default", "springs=100k", 600, "enough to time"},
};
static const vfx_buffer buffers[] = {
    {"spring", 1, VFX_STATE_PING_PONG, VFX_RECORDS, sizeof(toy_spring), toy_spring_fields, VFX_COUNT(toy_spring_fields),
     springs, "the springs"},
    {"drive", 3, VFX_FRAME_INPUT, VFX_RECORDS, sizeof(toy_drive), toy_drive_fields, VFX_COUNT(toy_drive_fields), one,
     "moves the rest positions"},
};
static const vfx_image images[] = {{"rest", 4, VFX_RGBA32_FLOAT, false, rest_size, "rest positions in x, m"}};
static const vfx_pass passes[] = {
    {.name = "step", .spirv = &toy_step_spirv, .threads = springs, .workgroup = 128, .traffic = traffic}};
static const vfx_variant variants[] = {{"plain", "one thread a spring", 0, 3, 1, passes, VFX_COUNT(passes)}};
static const vfx_stage stages[] = {
    {"step", false, 1u << TOY_BUFFER_SPRING, springs, toy_step_f64, toy_step_f32}};
#define TOY_REASON "seven roundings of values below 8, the largest scaled by dt"
static const vfx_check checks[] = {
    {.field = "position", .step = {.abs = 2e-6}, .free_run = {.abs = 1e-3}, .reason = TOY_REASON},
    {.field = "velocity", .step = {.abs = 8e-6}, .free_run = {.abs = 1e-2}, .reason = TOY_REASON},
    {.field = "zero", .reason = "copied"},
};

const vfx_kernel toy_kernel = {
    .name = "toy", .summary = "damped springs",
    .params = params, .param_count = VFX_COUNT(params),
    .host_params = host_params, .host_param_count = VFX_COUNT(host_params),
    .presets = presets, .preset_count = VFX_COUNT(presets),
    .buffers = buffers, .buffer_count = VFX_COUNT(buffers),
    .images = images, .image_count = VFX_COUNT(images),
    .variants = variants, .variant_count = VFX_COUNT(variants),
    .stages = stages, .stage_count = VFX_COUNT(stages),
    .checks = checks, .check_count = VFX_COUNT(checks),
    .sweep_frames = 20, .free_run_frames = UINT32_MAX,
    .init = init, .frame_input = frame_input,
};
EOF
}

# Writes the family's folder into the tree $1.
write_family() {
    mkdir -p "$1/kernels/toy"
    write_shared >"$1/kernels/toy/toy_shared.h"
    write_shader >"$1/kernels/toy/toy_step.comp"
    write_reference >"$1/kernels/toy/toy_ref.c"
    write_header >"$1/kernels/toy/toy.h"
    write_record >"$1/kernels/toy/toy.c"
    say '# toy: damped springs; an example of the smallest family.' >"$1/kernels/toy/README.md"
}

if [[ ${1:-} == --print && $# -eq 2 ]]; then
    write_family "$2"
    say "wrote the family toy to $2/kernels/toy; its row in kernels/kernels.c is yours to add"
    exit
fi

tree=$(mktemp -d)
if [[ ${1:-} == --keep ]]; then
    say "the copy stays in $tree"
else
    trap 'rm -rf "$tree"' EXIT
fi
copy_tree "$tree"
git -C "$tree" init -q
git -C "$tree" add -A

write_family "$tree"
# The row, after that of the tentacles: the same line with another name.
sed -i '/tentacle/ { p; s/tentacle/toy/g }' "$tree/kernels/kernels.c"

"$tree/scripts/build.sh" "$tree/build"
export VFXBENCH_ALLOW_CPU=1
"$tree/build/vfxbench" list --names 'toy/*/*'
"$tree/build/vfxbench" verify 'toy/*/ci' --frames 60
"$tree/build/vfxbench" verify 'toy/*/ci' --mode free-run
if [[ -f $tree/kernels/kernels_test.c ]]; then
    ctest --test-dir "$tree/build" -R '^kernels_test$' --output-on-failure --no-tests=error >"$tree/build/log" ||
        { cat "$tree/build/log" && die "kernels_test fails with the toy family"; }
fi

changed=$(git -C "$tree" status --porcelain --untracked-files=all | grep -v '^A ' | sort)
say "$changed"
others=$(grep -v -E '^(\?\? kernels/toy/|AM kernels/kernels\.c$)' <<<"$changed" || true)
[[ -z $others ]] || die "the family needed more than its folder and its row: $others"
git -C "$tree" diff --stat -- kernels/kernels.c
