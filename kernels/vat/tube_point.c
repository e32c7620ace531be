/* kernels/vat/tube_point.c - closed forms of the built-in model's poses (see tube.h): where a vertex of the bent tube
 * is at time t, from angles, sines and cosines. No quaternion, matrix, channel or weight of the model is read: this is
 * what the pose code (pose.c) is checked against. */
#include "kernels/vat/tube.h"

#include "kernels/vat/tube_keys.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The pose as its few numbers. */
typedef struct posture {
    double bend[TUBE_SPINES]; /* rad about z, of each spine joint against the one below */
    double turn, swing;       /* rad: root about y, sword about x */
    double place[3];          /* of the root, m */
    double tip[3], shield[3]; /* scales of spine3 and of the shield */
} posture;

/* ------------------------------------------------------------------------------------------- postures */

static void bend_all(posture *p, double angle)
{
    for (int j = 0; j < TUBE_SPINES; j++)
        p->bend[j] = angle;
}

static void sway(posture *p, double t)
{
    const double x = fmin(fmax(t / TUBE_SWAY_SECONDS, 0), 1) * TUBE_SWAY_INTERVALS;
    const double low = fmin(floor(x), TUBE_SWAY_INTERVALS - 1);
    for (int j = 0; j < TUBE_SPINES; j++) {
        const double a = sin(2 * PI * low / TUBE_SWAY_INTERVALS - TUBE_SWAY_LAG * j);
        const double b = sin(2 * PI * (low + 1) / TUBE_SWAY_INTERVALS - TUBE_SWAY_LAG * j);
        p->bend[j] = TUBE_SWAY_AMPLITUDE * (a + (b - a) * (x - low));
    }
}

/* Straight lines through (seconds[i], values[i]), level outside of them. */
static double polyline(const double *seconds, const double *values, int count, double t)
{
    if (t <= seconds[0])
        return values[0];
    for (int i = 1; i < count; i++)
        if (t < seconds[i])
            return values[i] - (values[i] - values[i - 1]) * (seconds[i] - t) / (seconds[i] - seconds[i - 1]);
    return values[count - 1];
}

static void strike(posture *p, double t)
{
    const double start = tube_strike_seconds[0], end = tube_strike_seconds[TUBE_STRIKE_KEYS - 1];
    const double x = fmin(fmax((t - start) / (end - start), 0), 1);
    bend_all(p, polyline(tube_strike_seconds, tube_strike_bend, TUBE_STRIKE_KEYS, t));
    p->swing = polyline(tube_strike_seconds, tube_strike_swing, TUBE_STRIKE_KEYS, t);
    p->turn = TUBE_STRIKE_TURN * x;
    for (int i = 0; i < 3; i++)
        p->place[i] += tube_strike_move[i] * x;
}

static void step(posture *p, double t)
{
    int now = 0;
    for (int i = 1; i < TUBE_STEP_KEYS; i++)
        if (t >= tube_step_seconds[i])
            now = i;
    bend_all(p, tube_step_bend[now]);
    memcpy(p->tip, tube_step_tip[now], sizeof p->tip);
    memcpy(p->shield, tube_step_shield[now], sizeof p->shield);
}

static void curl(posture *p, double t)
{
    const double whole = fmin(fmax(t / (2 * TUBE_CURL_HALF), 0), 1);
    const double x = 1 - fabs(1 - 2 * whole); /* out and back */
    const double z = sin(TUBE_CURL_BEND / 2) * x + x * (1 - x) * (TUBE_CURL_Z0 + TUBE_CURL_Z1 * x);
    const double w = 1 + (cos(TUBE_CURL_BEND / 2) - 1) * x + x * (1 - x) * TUBE_CURL_W0;
    bend_all(p, 2 * atan2(z, w));
    p->place[0] += TUBE_CURL_X * whole * (1 - whole);
    p->place[1] += TUBE_CURL_Y * whole * (1 - whole) * (1 - whole);
    p->place[2] += TUBE_CURL_Z * whole * whole * whole;
}

static posture posture_at(int32_t clip, double t)
{
    posture p = {.tip = {1, 1, 1}};
    memcpy(p.place, tube_root_place, sizeof p.place);
    memcpy(p.shield, tube_shield_scale, sizeof p.shield);
    switch (clip) {
    case TUBE_SWAY:
        sway(&p, t);
        break;
    case TUBE_STRIKE:
        strike(&p, t);
        break;
    case TUBE_STEP:
        step(&p, t);
        break;
    case TUBE_CURL:
        curl(&p, t);
        break;
    case TUBE_STILL:
        bend_all(&p, TUBE_STILL_BEND);
        p.turn = TUBE_STILL_TURN;
        break;
    default: /* VAT_NONE: the rest pose */
        break;
    }
    return p;
}

/* ------------------------------------------------------------------------------------------- points */

/* Turns v in the plane of axes `a` and `b`, from a towards b. */
static void turn(double v[3], int a, int b, double angle)
{
    const double s = sin(angle), c = cos(angle), va = v[a], vb = v[b];
    v[a] = c * va - s * vb;
    v[b] = s * va + c * vb;
}

static void turn_x(double v[3], double angle)
{
    turn(v, 1, 2, angle);
}

static void turn_y(double v[3], double angle)
{
    turn(v, 2, 0, angle);
}

static void turn_z(double v[3], double angle)
{
    turn(v, 0, 1, angle);
}

/* Foot of spine joint j in the root's space, and the angle of its bone against the vertical, towards -x. */
static double spine(const posture *p, int j, double foot[2])
{
    double angle = p->bend[0];
    foot[0] = foot[1] = 0;
    for (int i = 1; i <= j; i++) {
        foot[0] -= TUBE_BONE * sin(angle);
        foot[1] += TUBE_BONE * cos(angle);
        angle += p->bend[i];
    }
    return angle;
}

/* A point given against joint j's foot, now in the root's space. */
static void hang(const posture *p, int j, double point[3])
{
    double foot[2];
    const double angle = spine(p, j, foot);
    for (int i = 0; i < 3; i++)
        point[i] *= j == TUBE_SPINES - 1 ? p->tip[i] : 1;
    turn_z(point, angle);
    point[0] += foot[0];
    point[1] += foot[1];
}

/* A normal of something that hangs on joint j: scales divide normals. */
static void hang_normal(const posture *p, int j, double normal[3])
{
    double foot[2];
    const double angle = spine(p, j, foot);
    for (int i = 0; i < 3; i++)
        normal[i] /= j == TUBE_SPINES - 1 ? p->tip[i] : 1;
    turn_z(normal, angle);
}

/* The body: a blend of two neighbouring bones' motions. Its derivative is [xx xy; yx yy] in the bind pose's x and y and
 * zz along z, by whose cofactors the normal goes; all scales here are positive. */
static void body_point(const posture *p, const vat_bind *bind, double point[3], double normal[3])
{
    const double *from = bind->position, *n = bind->normal;
    const double bone = fmin(fmax(from[1] / TUBE_BONE - 0.5, 0), TUBE_SPINES - 1);
    const int low = (int)bone;
    double xx = 0, xy = 0, yx = 0, yy = 0, zz = 0;
    memset(point, 0, 3 * sizeof *point);
    for (int j = low; j < TUBE_SPINES && j <= low + 1; j++) {
        const double share = 1 - fabs(bone - j);
        double image[3] = {from[0], from[1] - j * TUBE_BONE, from[2]}, foot[2];
        const double angle = spine(p, j, foot), s = sin(angle), c = cos(angle);
        const double *scale = j == TUBE_SPINES - 1 ? p->tip : (const double[3]){1, 1, 1};
        hang(p, j, image);
        for (int i = 0; i < 3; i++)
            point[i] += share * image[i];
        xx += share * c * scale[0];
        yx += share * s * scale[0];
        xy -= share * s * scale[1];
        yy += share * c * scale[1];
        zz += share * scale[2];
    }
    normal[0] = zz * (yy * n[0] - yx * n[1]);
    normal[1] = zz * (xx * n[1] - xy * n[0]);
    normal[2] = (xx * yy - xy * yx) * n[2];
}

static void sword_point(const posture *p, const vat_bind *bind, double point[3], double normal[3])
{
    memcpy(point, bind->position, 3 * sizeof *point);
    memcpy(normal, bind->normal, 3 * sizeof *normal);
    turn_x(point, p->swing);
    turn_x(normal, p->swing);
    for (int i = 0; i < 3; i++)
        point[i] += tube_sword_place[i];
    hang(p, TUBE_SPINES - 1, point);
    hang_normal(p, TUBE_SPINES - 1, normal);
}

static void shield_point(const posture *p, const vat_bind *bind, double point[3], double normal[3])
{
    for (int i = 0; i < 3; i++) {
        point[i] = bind->position[i] * p->shield[i];
        normal[i] = bind->normal[i] / p->shield[i];
    }
    turn_x(point, TUBE_SHIELD_TILT);
    turn_x(normal, TUBE_SHIELD_TILT);
    for (int i = 0; i < 3; i++)
        point[i] += tube_shield_place[i];
    hang(p, 1, point);
    hang_normal(p, 1, normal);
}

void vat_tube_point(const vat_model *model, int32_t clip, double t, uint32_t vertex, double position[3],
                    double normal[3])
{
    const posture p = posture_at(clip, t);
    const vat_bind *bind = &model->vertices[vertex];
    const uint32_t shield = model->vertex_count - TUBE_SHIELD_VERTICES, sword = shield - TUBE_SWORD_VERTICES;
    if (vertex >= shield)
        shield_point(&p, bind, position, normal);
    else if (vertex >= sword)
        sword_point(&p, bind, position, normal);
    else
        body_point(&p, bind, position, normal);
    turn_y(position, p.turn);
    turn_y(normal, p.turn);
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int i = 0; i < 3; i++) {
        position[i] = p.place[i] + TUBE_ROOT_SCALE * position[i];
        normal[i] /= length;
    }
}
