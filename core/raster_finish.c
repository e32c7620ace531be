/* core/raster_finish.c - turns samples into pixels: puts the ground and the sky where nothing nearer is, lights, mixes
 * the four samples of a pixel and encodes. Colours are linear until the last step. */
#include "core/raster_internal.h"

/* What is the same for all samples. */
typedef struct vfx_look {
    float right[3], up[3], forward[3]; /* of the camera, per pixel: a ray is forward + x right + y up */
    float eye_height;                  /* above the ground, m; 0 where there is none */
    float sky_up[3], sun[3];
    float ground;         /* its height above the centre of the scene's ball, m */
    float eye[3];         /* from the centre of the scene's ball */
    float across[2][3];   /* directions of the ground's lines */
    float grid_origin[2]; /* place of the eye between the ground's lines, in line distances, 0..5 */
    float cell;           /* distance of the ground's lines, m */
    float footprint;      /* of a pixel at 1 m, m */
} vfx_look;

static void look_set(vfx_look *look, const vfx_raster *raster)
{
    const vfx_camera *camera = &raster->camera;
    const vfx_scene *scene = &raster->scene;
    memset(look, 0, sizeof *look);
    double across[2][3];
    vfx_across(scene->up, across);
    for (int i = 0; i < 3; i++) {
        look->right[i] = (float)(camera->right[i] / camera->focal);
        look->up[i] = (float)(camera->up[i] / camera->focal);
        look->forward[i] = (float)camera->forward[i];
        look->sky_up[i] = (float)scene->up[i];
        look->sun[i] = (float)scene->sun[i];
        look->eye[i] = (float)(camera->eye[i] - scene->centre[i]);
        look->across[0][i] = (float)across[0][i];
        look->across[1][i] = (float)across[1][i];
    }
    look->ground = (float)(scene->ground_height - vfx_dot3(scene->up, scene->centre));
    look->cell = (float)scene->grid;
    look->footprint = (float)(1.0 / camera->focal);
    look->eye_height = scene->ground ? (float)(vfx_dot3(scene->up, camera->eye) - scene->ground_height) : 0.0f;
    for (int i = 0; i < 2 && scene->grid > 0.0; i++) { /* kept small, so that far from the origin lines stay sharp */
        const double place = vfx_dot3(across[i], camera->eye) / (5.0 * scene->grid);
        look->grid_origin[i] = (float)((place - floor(place)) * 5.0);
    }
}

/* Share of a footprint (`width`, in line distances) at `place` that a line at every whole number covers. */
static float line_share(float place, float width, float line)
{
    if (!(width < 0.75f)) /* lines that cannot be told apart are a level tone */
        return line;
    const float drawn = vfx_maxf(line, width), away = fabsf(place - vfx_floorf(place + 0.5f));
    const float share = vfx_clampf((0.5f * drawn - away) / vfx_maxf(width, 1e-6f) + 0.5f, 0.0f, 1.0f) * (line / drawn);
    return vfx_mixf(share, line, vfx_clampf(2.0f * width - 0.5f, 0.0f, 1.0f));
}

/* What is left of the ground's light between its lines, at eye + depth * ray. */
static float grid_shade(const vfx_look *look, float cell, const float ray[3], float depth)
{
    const float steep = vfx_maxf(fabsf(vfx_dot3f(ray, look->sky_up)), 1e-4f);
    float thin = 1.0f, thick = 1.0f;
    for (int i = 0; i < 2; i++) {
        const float aside = vfx_dot3f(ray, look->across[i]), place = look->grid_origin[i] + aside * depth / cell;
        /* a pixel's step on the plane: as wide as at that depth, and longer where the ray grazes it */
        const float slant = aside / steep, width = look->footprint * depth / cell * sqrtf(1.0f + slant * slant);
        thin *= 1.0f - line_share(place, width, 0.018f);
        thick *= 1.0f - line_share(place / 5.0f, width / 5.0f, 0.008f);
    }
    return (0.70f + 0.30f * thin) * (0.55f + 0.45f * thick);
}

/* The background in a direction. */
static void sky_colour(const vfx_raster *raster, const float direction[3], float colour[3])
{
    const float height = vfx_dot3f(direction, raster->sky_up) / sqrtf(vfx_dot3f(direction, direction));
    const float low = 1.0f - vfx_clampf(height, 0.0f, 1.0f), t = 1.0f - low * low * low;
    for (int i = 0; i < 3; i++)
        colour[i] = vfx_mixf(raster->scene.sky[0][i], raster->scene.sky[1][i], t);
}

typedef struct vfx_surface {
    float position[3];        /* from the centre of the scene's ball, m */
    float normal[3], view[3]; /* unit vectors, `view` towards the eye */
    float albedo[3];
    bool gloss; /* shows the sun's and the sky's reflection */
} vfx_surface;

/* Adds the reflections of the sun (Blinn and Phong's) and of the sky, stronger at grazing angles. */
static void reflect(const vfx_raster *raster, const vfx_look *look, const vfx_surface *at, float sun, float sky,
                    float colour[3])
{
    float half[3], mirror[3], mirrored[3];
    const float facing = vfx_maxf(vfx_dot3f(at->normal, at->view), 0.0f), graze = 1.0f - facing;
    for (int i = 0; i < 3; i++) {
        half[i] = look->sun[i] + at->view[i];
        mirror[i] = 2.0f * facing * at->normal[i] - at->view[i];
    }
    const float length = sqrtf(vfx_dot3f(half, half));
    float shine = length > 0.0f ? vfx_maxf(vfx_dot3f(at->normal, half) / length, 0.0f) : 0.0f;
    for (int i = 0; i < 6; i++)
        shine *= shine;
    sky_colour(raster, mirror, mirrored);
    const float sheen = (0.04f + 0.20f * graze * graze * graze * graze) * sky;
    for (int i = 0; i < 3; i++)
        colour[i] += 0.3f * shine * sun * raster->scene.sun_light[i] + sheen * mirrored[i];
}

/* Light that a surface sends to the eye, seen by sample `s` of a pixel. */
static void light(const vfx_raster *raster, const vfx_look *look, int s, const vfx_surface *at, float colour[3])
{
    const vfx_scene *scene = &raster->scene;
    const float height = vfx_dot3f(at->position, look->sky_up) - look->ground;
    const float above = 0.5f + 0.5f * vfx_dot3f(at->normal, look->sky_up); /* share of the sky that it faces */
    const float sun =
        vfx_maxf(vfx_dot3f(at->normal, look->sun), 0.0f) * vfx_light_sun(raster, s, at->position, at->normal);
    const float sky = above * vfx_light_sky(raster, s, at->position, at->normal);
    const float below = (1.0f - above) * vfx_light_ground(raster, s, at->position, at->normal, height);
    for (int i = 0; i < 3; i++) {
        const float bounced = 0.5f * scene->ground_colour[i] * (scene->sun_light[i] + scene->sky_light[i]);
        colour[i] = at->albedo[i] * (scene->sun_light[i] * sun + scene->sky_light[i] * sky + bounced * below);
    }
    if (at->gloss)
        reflect(raster, look, at, sun, sky, colour);
}

/* How much of what is `away` metres off has faded into the horizon. */
static float haze_at(const vfx_scene *scene, float away, bool ground)
{
    float clear = 1.0f;
    if (scene->fog > 0.0) {
        const float ratio = away / (float)scene->fog;
        clear /= 1.0f + ratio * ratio;
    }
    if (ground) { /* has no end, so that it always fades */
        const float ratio = away / (40.0f * (float)scene->radius);
        clear /= 1.0f + ratio * ratio;
    }
    return 1.0f - clear;
}

/* Colour of sample `s` of a pixel, x pixels right and y up from the middle of the picture. */
static void shade(const vfx_raster *raster, const vfx_look *look, int s, const vfx_sample *sample, float x, float y,
                  float colour[3])
{
    float ray[3], glow[3];
    for (int i = 0; i < 3; i++)
        ray[i] = look->forward[i] + x * look->right[i] + y * look->up[i];
    /* the plane's inverse depth along the ray is linear on the screen */
    const float plane = look->eye_height != 0.0f ? -vfx_dot3f(ray, look->sky_up) / look->eye_height : 0.0f;
    const bool ground = plane > sample->inverse_depth;
    if (!ground && sample->normal == VFX_NORMAL_SKY) {
        sky_colour(raster, ray, colour);
        return;
    }
    const float depth = 1.0f / (ground ? plane : sample->inverse_depth), length = sqrtf(vfx_dot3f(ray, ray));
    vfx_surface at = {.gloss = !ground};
    vfx_unpack_albedo(sample->albedo, at.albedo);
    vfx_unpack_glow(ground ? 0 : sample->glow, glow);
    if (!ground && sample->normal != VFX_NORMAL_UNLIT)
        vfx_unpack_normal(sample->normal, at.normal);
    const float shaded = ground && raster->scene.grid > 0.0 ? grid_shade(look, look->cell, ray, depth) : 1.0f;
    for (int i = 0; i < 3; i++) {
        at.view[i] = -ray[i] / length;
        at.position[i] = look->eye[i] + ray[i] * depth;
        if (ground) {
            at.normal[i] = look->eye_height < 0.0f ? -look->sky_up[i] : look->sky_up[i];
            at.albedo[i] = vfx_clampf(raster->scene.ground_colour[i], 0.0f, 1.0f) * shaded;
        }
    }
    if (ground || sample->normal != VFX_NORMAL_UNLIT)
        light(raster, look, s, &at, colour);
    else
        memcpy(colour, at.albedo, sizeof at.albedo);
    const float haze = haze_at(&raster->scene, depth * length, ground);
    for (int i = 0; i < 3; i++)
        colour[i] = vfx_mixf(colour[i] + glow[i], raster->scene.sky[0][i], haze);
}

/* Straight up to 0.6, then ever flatter towards 1. */
static float tone(float value)
{
    const float knee = 0.6f, over = (value - knee) / (1.0f - knee);
    if (!(value > 0.0f))
        return 0.0f;
    return over <= 0.0f ? value : knee + (1.0f - knee) * (1.0f - 1.0f / (1.0f + over));
}

static uint8_t encode(const float limits[VFX_SRGB_STEPS], float value)
{
    uint32_t code = 0; /* number of limits at or below value */
    for (uint32_t step = 128; step > 0; step /= 2)
        if (value >= limits[code + step - 1])
            code += step;
    return (uint8_t)code;
}

static void pixel(const vfx_raster *raster, const vfx_look *look, uint32_t column, uint32_t row, uint8_t rgb[3])
{
    const vfx_sample *samples = &raster->samples[((size_t)row * raster->width + column) * VFX_SAMPLES];
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int s = 0; s < VFX_SAMPLES; s++) {
        const double x = column + vfx_sample_x[s] / (double)VFX_FIXED - raster->camera.half_width;
        const double y = raster->camera.half_height - row - vfx_sample_y[s] / (double)VFX_FIXED;
        float colour[3];
        shade(raster, look, s, &samples[s], (float)x, (float)y, colour);
        for (int i = 0; i < 3; i++)
            sum[i] += tone(colour[i]) / (float)VFX_SAMPLES;
    }
    for (int i = 0; i < 3; i++)
        rgb[i] = encode(raster->srgb_limit, sum[i]);
}

vfx_status vfx_raster_finish(vfx_raster *raster, vfx_picture *picture)
{
    VFX_TRY(vfx_picture_create(picture, raster->width, raster->height));
    vfx_maps_flush(raster);
    vfx_look look;
    look_set(&look, raster);
    for (uint32_t row = 0; row < raster->height; row++)
        for (uint32_t column = 0; column < raster->width; column++)
            pixel(raster, &look, column, row, &picture->rgb[((size_t)row * raster->width + column) * 3]);
    return VFX_OK;
}
