/* bake_sample.c - when a clip's frames are taken, and taking them: poses on the CPU in double, stored as float. */
#include "kernels/vat/bake_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

vfx_status vat_sampler_create(vat_sampler *sampler, const vat_model *model, const vat_bake_options *options)
{
    memset(sampler, 0, sizeof *sampler);
    sampler->model = model;
    sampler->scale = options->scale > 0 ? options->scale : 1;
    sampler->progress = options->progress;
    sampler->user = options->user;
    VFX_TRY(vat_pose_create(&sampler->pose, model));
    size_t count = (size_t)model->vertex_count + 1; /* at most 2^22 */
    sampler->position = calloc(count, sizeof *sampler->position);
    sampler->normal = calloc(count, sizeof *sampler->normal);
    sampler->other = calloc(count, sizeof *sampler->other);
    if (sampler->position == NULL || sampler->normal == NULL || sampler->other == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for a pose of %u vertices", model->vertex_count);
    return VFX_OK;
}

void vat_sampler_destroy(vat_sampler *sampler)
{
    vat_pose_destroy(&sampler->pose);
    free(sampler->position);
    free(sampler->normal);
    free(sampler->other);
    memset(sampler, 0, sizeof *sampler);
}

void vat_sampler_pose(vat_sampler *sampler, int32_t clip, double t)
{
    vat_pose_at(&sampler->pose, sampler->model, clip, t);
    vat_pose_vertices(&sampler->pose, sampler->model, sampler->position, sampler->normal);
    for (uint32_t v = 0; sampler->scale != 1 && v < sampler->model->vertex_count; v++)
        for (int a = 0; a < 3; a++)
            sampler->position[v][a] *= sampler->scale;
}

void vat_sampler_progress(const vat_sampler *sampler, double done, double of, const char *what)
{
    if (sampler->progress != NULL)
        sampler->progress(sampler->user, of > 0 ? done / of : 1, what);
}

/* ------------------------------------------------------------------------------------------------- times */

bool vat_clip_plan(vat_clip *clip, vat_sampling sampling, double fps)
{
    double exact = clip->duration * fps;
    double intervals = fmax(1, sampling == VAT_CLOSED ? round(exact) : ceil(exact));
    clip->fps = fps;
    if (!(intervals < VAT_MAX_FRAMES))
        return false;
    clip->frames = (uint32_t)intervals;
    if (sampling != VAT_CLOSED || !(clip->duration > 0)) /* a still clip has one frame */
        return true;
    clip->fps = intervals / clip->duration;
    clip->frames++;
    return true;
}

double vat_clip_time(const vat_clip *clip, vat_sampling sampling, uint32_t k)
{
    if (sampling == VAT_CLOSED)
        return clip->frames > 1 ? (double)k / (clip->frames - 1) * clip->duration : 0;
    return fmin((k + (sampling == VAT_SOURCE_LATE ? 1.0 : 0.0)) / clip->fps, clip->duration);
}

/* ------------------------------------------------------------------------------------------------ frames */

/* The sampler's pose as frame `frame`. */
static void store_frame(const vat_sampler *sampler, vat_bake *bake, uint32_t frame)
{
    float(*positions)[3] = bake->positions + (size_t)frame * bake->vertices;
    float(*normals)[3] = bake->normals + (size_t)frame * bake->vertices;
    for (uint32_t v = 0; v < bake->vertices; v++) {
        for (int a = 0; a < 3; a++) {
            positions[v][a] = (float)sampler->position[v][a];
            normals[v][a] = (float)sampler->normal[v][a];
        }
    }
    if (bake->bone != NULL)
        vat_bones_store(sampler, bake->bone + (size_t)frame * bake->bones);
}

void vat_sample_frames(vat_sampler *sampler, vat_bake *bake)
{
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        const vat_clip *clip = &bake->clips[i];
        for (uint32_t k = 0; k < clip->frames; k++) {
            vat_sampler_progress(sampler, clip->first + k, bake->frames, "poses");
            vat_sampler_pose(sampler, clip->source, vat_clip_time(clip, bake->sampling, k));
            store_frame(sampler, bake, clip->first + k);
        }
    }
}

void vat_close_loops(vat_bake *bake)
{
    for (uint32_t i = 0; bake->sampling == VAT_CLOSED && i < bake->clip_count; i++) {
        const vat_clip *clip = &bake->clips[i];
        if (!clip->loop || clip->frames < 2)
            continue;
        size_t v = bake->vertices, from = clip->first * v, to = (clip->first + clip->frames - 1) * v;
        memcpy(bake->positions + to, bake->positions + from, v * sizeof *bake->positions);
        memcpy(bake->normals + to, bake->normals + from, v * sizeof *bake->normals);
        if (bake->bone != NULL)
            memcpy(bake->bone + (size_t)(clip->first + clip->frames - 1) * bake->bones,
                   bake->bone + (size_t)clip->first * bake->bones, bake->bones * sizeof *bake->bone);
    }
}

/* -------------------------------------------------------------------------------------------------- boxes */

static void box_of(const float (*positions)[3], size_t count, double box_min[3], double box_max[3])
{
    float least[3] = {0}, most[3] = {0};
    for (size_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            float x = positions[i][a];
            least[a] = i == 0 || x < least[a] ? x : least[a];
            most[a] = i == 0 || x > most[a] ? x : most[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        box_min[a] = least[a];
        box_max[a] = most[a];
    }
}

void vat_measure_boxes(vat_bake *bake)
{
    for (uint32_t i = 0; i < bake->clip_count; i++) {
        vat_clip *clip = &bake->clips[i];
        box_of((const float(*)[3])bake->positions + (size_t)clip->first * bake->vertices,
               (size_t)clip->frames * bake->vertices, clip->box_min, clip->box_max);
        for (int a = 0; a < 3; a++) {
            bake->box_min[a] = i == 0 ? clip->box_min[a] : fmin(bake->box_min[a], clip->box_min[a]);
            bake->box_max[a] = i == 0 ? clip->box_max[a] : fmax(bake->box_max[a], clip->box_max[a]);
        }
    }
    bake->extent = 0;
    for (int a = 0; a < 3; a++)
        bake->extent = fmax(bake->extent, bake->box_max[a] - bake->box_min[a]);
}
