/* core/raster.c - takes the calls of raster.h: makes the camera, turns world into view space and view space into points
 * on the screen. */
#include "core/raster_internal.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------ scene and camera */

void vfx_scene_default(vfx_scene *scene)
{
    *scene = (vfx_scene){
        .eye = {4.0, -6.0, 3.0},
        .up = {0.0, 0.0, 1.0},
        .fov = 0.6,
        .sun = {-0.50, -0.55, 0.72},
        .sun_light = {0.94f, 0.85f, 0.71f},
        .sky_light = {0.28f, 0.34f, 0.43f},
        .sky = {{0.66f, 0.76f, 0.86f}, {0.16f, 0.32f, 0.62f}},
        .radius = 3.0,
        .ground = true,
        .grid = 1.0,
        .ground_colour = {0.36f, 0.35f, 0.33f},
    };
}

static void keep_finite(double *value, double otherwise)
{
    if (!isfinite(*value))
        *value = otherwise;
}

/* Copies the scene, with sane values where the caller's have no meaning. */
static void scene_set(vfx_scene *to, const vfx_scene *from)
{
    vfx_scene normal;
    vfx_scene_default(&normal);
    *to = *from;
    for (int i = 0; i < 3; i++) {
        keep_finite(&to->eye[i], normal.eye[i]);
        keep_finite(&to->target[i], normal.target[i]);
        keep_finite(&to->centre[i], normal.centre[i]);
    }
    if (!vfx_unit3(to->up))
        memcpy(to->up, normal.up, sizeof to->up);
    if (!vfx_unit3(to->sun))
        memcpy(to->sun, to->up, sizeof to->sun);
    keep_finite(&to->fov, normal.fov);
    to->fov = fmin(fmax(to->fov, 0.001), 3.1);
    keep_finite(&to->radius, normal.radius);
    to->radius = fmin(fmax(to->radius, 1e-6), 1e12);
    keep_finite(&to->ground_height, 0.0);
    keep_finite(&to->grid, 0.0);
    keep_finite(&to->fog, 0.0);
}

static void camera_set(vfx_camera *camera, const vfx_scene *scene, uint32_t width, uint32_t height)
{
    double distance = 0.0;
    for (int i = 0; i < 3; i++) {
        camera->eye[i] = scene->eye[i];
        camera->forward[i] = scene->target[i] - scene->eye[i];
    }
    distance = sqrt(vfx_dot3(camera->forward, camera->forward));
    if (!vfx_unit3(camera->forward))
        memcpy(camera->forward, (double[3]){0.0, 1.0, 0.0}, sizeof camera->forward);
    vfx_cross3(camera->forward, scene->up, camera->right);
    if (!(vfx_dot3(camera->right, camera->right) > 1e-18)) { /* straight up or down: any right will do */
        const int axis = fabs(camera->forward[0]) < 0.5 ? 0 : 1;
        vfx_cross3(camera->forward, (double[3]){axis == 1, axis == 0, 0.0}, camera->right);
        if (!(vfx_dot3(camera->right, camera->right) > 1e-18))
            vfx_cross3(camera->forward, (double[3]){1.0, 0.0, 0.0}, camera->right);
    }
    (void)vfx_unit3(camera->right);
    vfx_cross3(camera->right, camera->forward, camera->up);
    camera->half_width = 0.5 * width;
    camera->half_height = 0.5 * height;
    camera->focal = camera->half_height / vfx_tangent(0.5 * scene->fov);
    camera->near_depth = isfinite(distance) && distance > 0.0 ? 1e-3 * distance : 1e-3;
    const double f = camera->focal, g = VFX_GUARD;
    const double planes[VFX_CLIP_PLANES][4] = {
        {0, 0, 1, -camera->near_depth}, {f, 0, g, 0}, {-f, 0, g, 0}, {0, f, g, 0}, {0, -f, g, 0}};
    memcpy(camera->planes, planes, sizeof planes);
}

static void to_view(const vfx_camera *camera, const float position[3], double view[3])
{
    const double offset[3] = {(double)position[0] - camera->eye[0], (double)position[1] - camera->eye[1],
                              (double)position[2] - camera->eye[2]};
    view[0] = vfx_dot3(camera->right, offset);
    view[1] = vfx_dot3(camera->up, offset);
    view[2] = vfx_dot3(camera->forward, offset);
}

/* Of a view position on the inner side of all clip planes. */
static void to_screen(const vfx_camera *camera, const double view[3], vfx_point *point)
{
    const double depth = fmax(view[2], camera->near_depth);
    point->x = vfx_to_fixed(camera->half_width + camera->focal * view[0] / depth);
    point->y = vfx_to_fixed(camera->half_height - camera->focal * view[1] / depth);
    point->inverse_depth = 1.0 / depth;
}

/* ------------------------------------------------------------------------------------- life */

vfx_status vfx_raster_create(vfx_raster **raster, uint32_t width, uint32_t height)
{
    *raster = NULL;
    if (width == 0 || height == 0 || width > VFX_MAX_PICTURE_SIDE || height > VFX_MAX_PICTURE_SIDE)
        return vfx_fail(VFX_USAGE, "a picture of %u x %u pixels: its sides must be 1 to %d", (unsigned)width,
                        (unsigned)height, VFX_MAX_PICTURE_SIDE);
    size_t bytes = 0;
    vfx_raster *made = calloc(1, sizeof *made);
    if (made != NULL && vfx_mul_size((size_t)width * height, VFX_SAMPLES * sizeof *made->samples, &bytes))
        made->samples = malloc(bytes);
    if (made == NULL || made->samples == NULL) {
        vfx_raster_destroy(made);
        return vfx_fail(VFX_MEMORY, "no memory to draw %u x %u pixels", (unsigned)width, (unsigned)height);
    }
    const vfx_status maps = vfx_maps_create(made);
    if (maps != VFX_OK) {
        vfx_raster_destroy(made);
        return maps;
    }
    made->width = width;
    made->height = height;
    vfx_taps_set(made->taps);
    vfx_srgb_limits(made->srgb_limit);
    vfx_scene scene;
    vfx_scene_default(&scene);
    vfx_raster_scene(made, &scene);
    *raster = made;
    return VFX_OK;
}

void vfx_raster_destroy(vfx_raster *raster)
{
    if (raster == NULL)
        return;
    vfx_maps_destroy(raster);
    free(raster->samples);
    free(raster);
}

void vfx_raster_scene(vfx_raster *raster, const vfx_scene *scene)
{
    scene_set(&raster->scene, scene);
    camera_set(&raster->camera, &raster->scene, raster->width, raster->height);
    vfx_maps_clear(raster);
    for (int i = 0; i < 3; i++)
        raster->sky_up[i] = (float)raster->scene.up[i];
    const size_t count = (size_t)raster->width * raster->height * VFX_SAMPLES;
    for (size_t i = 0; i < count; i++)
        raster->samples[i] = (vfx_sample){0.0f, VFX_NORMAL_SKY, 0, 0};
}

/* ---------------------------------------------------------------------------------- triangles */

static bool all_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Gives the corners normals on the side that the eye sees: the triangle's own where a corner has none. False for a
 * triangle without a direction. */
static bool face_eye(vfx_corner corners[3], const vfx_camera *camera)
{
    double side[2][3], across[3], own[3], sum = 0.0;
    for (int i = 0; i < 3; i++) {
        side[0][i] = corners[1].position[i] - corners[0].position[i];
        side[1][i] = corners[2].position[i] - corners[0].position[i];
    }
    vfx_cross3(side[0], side[1], across); /* in view space, where the eye is the origin */
    const double sign = vfx_dot3(across, corners[0].position) > 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++)
        own[i] = sign * (camera->right[i] * across[0] + camera->up[i] * across[1] + camera->forward[i] * across[2]);
    if (!vfx_unit3(own))
        return false;
    for (int i = 0; i < 3; i++) {
        float *normal = corners[i].attribute;
        if (normal[0] == 0.0f && normal[1] == 0.0f && normal[2] == 0.0f)
            for (int k = 0; k < 3; k++)
                normal[k] = (float)own[k];
        sum += normal[0] * own[0] + normal[1] * own[1] + normal[2] * own[2];
    }
    for (int i = 0; i < 3 && sum < 0.0; i++)
        for (int k = 0; k < 3; k++)
            corners[i].attribute[k] = -corners[i].attribute[k];
    return true;
}

/* True if all three lie beyond one side of the screen, or behind the near plane. */
static bool off_screen(const vfx_corner corners[3], const vfx_camera *camera)
{
    int left = 0, right = 0, above = 0, below = 0, behind = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = corners[i].position;
        const double x = p[0] * camera->focal, y = p[1] * camera->focal;
        left += x < -p[2] * camera->half_width;
        right += x > p[2] * camera->half_width;
        above += y > p[2] * camera->half_height;
        below += y < -p[2] * camera->half_height;
        behind += p[2] < camera->near_depth;
    }
    return left == 3 || right == 3 || above == 3 || below == 3 || behind == 3;
}

void vfx_raster_triangle(vfx_raster *raster, const vfx_raster_vertex corners[3])
{
    const vfx_camera *camera = &raster->camera;
    vfx_corner polygon[VFX_POLYGON];
    vfx_caster caster;
    caster.radius = 0.0;
    for (int i = 0; i < 3; i++) {
        const vfx_raster_vertex *from = &corners[i];
        if (!all_finite(from->position, 3) || !all_finite(from->normal, 3) || !all_finite(from->colour, 3) ||
            !all_finite(from->glow, 3))
            return;
        to_view(camera, from->position, polygon[i].position);
        for (int k = 0; k < 3; k++)
            caster.corners[i][k] = (double)from->position[k] - raster->scene.centre[k];
        memcpy(polygon[i].attribute, from->normal, sizeof from->normal);
        memcpy(polygon[i].attribute + 3, from->colour, sizeof from->colour);
        memcpy(polygon[i].attribute + 6, from->glow, sizeof from->glow);
    }
    vfx_maps_add(raster, &caster);
    if (off_screen(polygon, camera) || !face_eye(polygon, camera))
        return;
    const int count = vfx_clip(polygon, camera->planes, VFX_CLIP_PLANES);
    vfx_point points[VFX_POLYGON];
    for (int i = 0; i < count; i++) {
        to_screen(camera, polygon[i].position, &points[i]);
        memcpy(points[i].attribute, polygon[i].attribute, sizeof points[i].attribute);
    }
    for (int i = 1; i + 1 < count; i++) {
        const vfx_point fan[3] = {points[0], points[i], points[i + 1]};
        vfx_fill_triangle(raster, fan);
    }
}

void vfx_raster_mesh(vfx_raster *raster, const vfx_raster_vertex *vertices, uint32_t vertex_count,
                     const uint32_t *indices, uint32_t index_count)
{
    for (uint32_t i = 0; i < index_count / 3; i++) {
        const uint32_t *index = &indices[(size_t)i * 3];
        if (index[0] >= vertex_count || index[1] >= vertex_count || index[2] >= vertex_count)
            continue;
        const vfx_raster_vertex corners[3] = {vertices[index[0]], vertices[index[1]], vertices[index[2]]};
        vfx_raster_triangle(raster, corners);
    }
}

/* -------------------------------------------------------------------------- spheres and lines */

void vfx_raster_sphere(vfx_raster *raster, const float centre[3], float radius, const float colour[3],
                       const float glow[3])
{
    if (!all_finite(centre, 3) || !isfinite(radius) || !(radius > 0.0f) || !all_finite(colour, 3) ||
        !all_finite(glow, 3))
        return;
    double view[3];
    vfx_caster caster = {.radius = (double)radius};
    for (int i = 0; i < 3; i++)
        caster.corners[0][i] = (double)centre[i] - raster->scene.centre[i];
    vfx_maps_add(raster, &caster);
    to_view(&raster->camera, centre, view);
    if (view[2] + (double)radius < raster->camera.near_depth)
        return;
    vfx_fill_sphere(raster, view, (double)radius, colour, glow);
}

void vfx_raster_line(vfx_raster *raster, const float from[3], const float to[3], float width, const float colour[3])
{
    const vfx_camera *camera = &raster->camera;
    if (!all_finite(from, 3) || !all_finite(to, 3) || !isfinite(width) || !(width > 0.0f) || !all_finite(colour, 3))
        return;
    double ends[2][3];
    to_view(camera, from, ends[0]);
    to_view(camera, to, ends[1]);
    if (!vfx_clip_segment(ends[0], ends[1], camera->planes, VFX_CLIP_PLANES))
        return;
    vfx_point points[4] = {0};
    to_screen(camera, ends[0], &points[0]);
    to_screen(camera, ends[1], &points[2]);
    double along[3] = {points[2].x - points[0].x, points[2].y - points[0].y, 0.0};
    if (!vfx_unit3(along))
        return;
    const double half = fmin((double)width, 4096.0) * camera->half_height / 720.0 * VFX_FIXED;
    const int32_t x = (int32_t)floor(-along[1] * half + 0.5), y = (int32_t)floor(along[0] * half + 0.5);
    points[1] = points[0];
    points[3] = points[2];
    for (int i = 0; i < 4; i++) {
        points[i].x += i % 2 == 0 ? x : -x;
        points[i].y += i % 2 == 0 ? y : -y;
        points[i].inverse_depth *= 1.0005; /* in front of what it lies on */
    }
    const uint32_t albedo = vfx_pack_albedo(colour);
    vfx_fill_flat(raster, (vfx_point[3]){points[0], points[1], points[2]}, albedo);
    vfx_fill_flat(raster, (vfx_point[3]){points[2], points[1], points[3]}, albedo);
}
