/* core/raster.h - draws views on the CPU, so that two pictures differ only where the buffers behind them differ:
 * z-buffered triangles, spheres and lines with perspective, four samples a pixel with fixed-point coverage, sun with a
 * soft shadow, sky light with ambient occlusion, a ground with a grid for scale. Lighting is linear, pictures are sRGB.
 * One thread, no device, no clock: the same calls give the same bytes, whichever compiler built it. Surfaces shine a
 * little, so that round things look round. 1280 x 720 pixels take about 80 MB. */
#ifndef VFX_RASTER_H
#define VFX_RASTER_H

#include "core/picture.h"

#include <stdbool.h>

/* Where from, and in what light. World units are metres; directions need not be unit vectors. */
typedef struct vfx_scene {
    double eye[3], target[3];
    double up[3];           /* of the world: the sky's direction and the ground's normal */
    double fov;             /* vertical field of view, rad, (0, pi) */
    double sun[3];          /* direction towards the sun */
    float sun_light[3];     /* linear RGB, what a white surface that faces the sun sends back; about 0.8 */
    float sky_light[3];     /* from above */
    float sky[2][3];        /* background at the horizon and overhead, linear RGB */
    double centre[3];       /* a ball that holds what throws shadows; */
    double radius;          /* the shadow map covers it, m */
    bool ground;            /* a plane through ground_height along `up` */
    double ground_height;   /* m */
    double grid;            /* distance of the ground's lines, every fifth stronger, m; 0: none */
    float ground_colour[3]; /* linear albedo */
    double fog;             /* distance at which things have half faded into the horizon, m; 0: never */
} vfx_scene;

/* A friendly default for everything but eye, target, centre and radius: z up, morning sun, sky, ground at 0. */
void vfx_scene_default(vfx_scene *scene);

typedef struct vfx_raster_vertex {
    float position[3]; /* m */
    float normal[3];   /* of either side: surfaces are lit from both; (0, 0, 0): the triangle's own */
    float colour[3];   /* linear albedo, 0..1 */
    float glow[3];     /* linear light that it sends out by itself */
} vfx_raster_vertex;

typedef struct vfx_raster vfx_raster;

/* USAGE for sides that a picture cannot have, MEMORY. */
vfx_status vfx_raster_create(vfx_raster **raster, uint32_t width, uint32_t height) VFX_MUST_USE;
void vfx_raster_destroy(vfx_raster *raster);

/* Clears, and sets camera and light. Call it before drawing. */
void vfx_raster_scene(vfx_raster *raster, const vfx_scene *scene);

/* What is not finite, or behind the eye, is left out or clipped. Order does not matter but for equal depths. */
void vfx_raster_triangle(vfx_raster *raster, const vfx_raster_vertex corners[3]);
/* Indices in threes; a triangle with an index of vertex_count or more is left out. */
void vfx_raster_mesh(vfx_raster *raster, const vfx_raster_vertex *vertices, uint32_t vertex_count,
                     const uint32_t *indices, uint32_t index_count);
void vfx_raster_sphere(vfx_raster *raster, const float centre[3], float radius, const float colour[3],
                       const float glow[3]);
/* Neither lit nor throwing a shadow; `width` in pixels of a picture 720 high. */
void vfx_raster_line(vfx_raster *raster, const float from[3], const float to[3], float width, const float colour[3]);

/* Lights, mixes the samples and encodes; the raster can be used again after vfx_raster_scene(). */
vfx_status vfx_raster_finish(vfx_raster *raster, vfx_picture *picture) VFX_MUST_USE;

#endif
