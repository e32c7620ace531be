/* tube_keys.h - the measures and keys of the built-in model (tube.h), read by the code that makes the model (tube.c)
 * and by the closed forms of its poses (tube_point.c), which share nothing else.
 *
 * Node tree: root (scaled, carries everything) > spine0 > spine1 > spine2 > spine3; shield hangs on spine1, sword on
 * spine3, body (the skinned mesh) on root with a transform of its own that must be ignored. Lengths are in the root's
 * space, ROOT_SCALE of a metre. Spine joints bend about z, the root turns about y, the sword swings about x. */
#ifndef VAT_TUBE_KEYS_H
#define VAT_TUBE_KEYS_H

enum {
    TUBE_SPINES = 4,
    TUBE_SIDES = 8,            /* vertices of a ring of the body */
    TUBE_SWORD_VERTICES = 12,  /* four triangles */
    TUBE_SHIELD_VERTICES = 12, /* three quads */
    TUBE_SWAY_INTERVALS = 8,
    TUBE_STRIKE_KEYS = 4,
    TUBE_STEP_KEYS = 5
};

/* Clips in order. */
enum { TUBE_SWAY, TUBE_STRIKE, TUBE_STEP, TUBE_CURL, TUBE_STILL, TUBE_CLIPS };

#define TUBE_ROOT_SCALE 0.5
#define TUBE_BONE 0.55  /* length of a spine joint */
#define TUBE_RADIUS 0.2 /* of the body */

static const double tube_root_place[3] = {0, -0.75, 0}; /* m */
static const double tube_sword_place[3] = {0, 0.25, 0.15};
static const double tube_shield_place[3] = {-0.3, 0.3, 0};
static const double tube_shield_scale[3] = {-1, 1.4, 0.5};
#define TUBE_SHIELD_TILT 0.5 /* rad, about x */

/* sway: LINEAR, equally spaced keys; key k of spine joint j bends by sin(2 pi k / 8 - 0.6 j) * amplitude. It loops. */
#define TUBE_SWAY_SECONDS 1.37
#define TUBE_SWAY_AMPLITUDE 0.24
#define TUBE_SWAY_LAG 0.6

/* strike: LINEAR, uneven keys that do not start at 0; the same bend for every spine joint. The root turns and moves,
 * the sword swings. */
static const double tube_strike_seconds[TUBE_STRIKE_KEYS] = {0.11, 0.31, 0.44, 0.77};
static const double tube_strike_bend[TUBE_STRIKE_KEYS] = {0.05, 0.3, -0.35, -0.2};
static const double tube_strike_swing[TUBE_STRIKE_KEYS] = {0, -1.3, 0.7, 0.4};
#define TUBE_STRIKE_TURN 0.8 /* rad, between the first and the last key */
static const double tube_strike_move[3] = {0.05, 0.02, 0.2};

/* step: STEP; bends of all spine joints, scales of spine3 and of the shield. */
static const double tube_step_seconds[TUBE_STEP_KEYS] = {0, 0.29, 0.61, 0.97, 1.13};
static const double tube_step_bend[TUBE_STEP_KEYS] = {0, 0.3, -0.25, 0.15, 0.2};
static const double tube_step_tip[TUBE_STEP_KEYS][3] = {
    {1, 1, 1}, {1.3, 0.8, 0.7}, {0.7, 1.2, 1.4}, {1.2, 1, 0.6}, {1, 0.9, 1}};
static const double tube_step_shield[TUBE_STEP_KEYS][3] = {
    {-1, 1.4, 0.5}, {1, 1.4, 0.5}, {-1.5, 0.6, -1.2}, {0.5, 1.2, 1}, {1, 1, -1}};

/* curl: CUBICSPLINE; each spine joint's quaternion runs out to TUBE_CURL_BEND and back along one cubic per component,
 * x = 0..1 on the way out, 1..0 on the way back, normalised after it:
 *     z = sin(BEND / 2) x + x (1 - x) (Z0 + Z1 x),   w = 1 + (cos(BEND / 2) - 1) x + x (1 - x) W0
 * and the root moves along one cubic from start to end: place + (x (1 - x) X, x (1 - x)^2 Y, x^3 Z). */
#define TUBE_CURL_HALF 0.79 /* s, one way */
#define TUBE_CURL_BEND 0.42 /* rad */
#define TUBE_CURL_Z0 0.15
#define TUBE_CURL_Z1 -0.4
#define TUBE_CURL_W0 -0.3
#define TUBE_CURL_X 0.3
#define TUBE_CURL_Y 0.4
#define TUBE_CURL_Z 0.1

/* still: one key at 0 per channel, so its duration is 0. */
#define TUBE_STILL_BEND 0.15 /* rad, every spine joint */
#define TUBE_STILL_TURN -0.5 /* rad, the root about y */

#endif
