/* tentacle_scene_test.c - the host's side of the tentacles: hash, counts, entities and roots, state machine, phases,
 * first pose, what validate refuses. Numbers are the spec's (2.3b, 2.5, 2.12), derived again here. */
#include "core/test.h"

#include "core/hash.h"
#include "kernels/tentacle/tentacle.h"

#include <math.h>

enum { HZ = 60, CYCLE_FRAMES = 225 };
static const double turn = 6.28318530717958647692;

#define DEFAULT_VALUE(TYPE, name, def, lo, hi, flags, help) .name = (VFX_WORD_##TYPE)(def),
#define DEFAULT_ENUM(name, enumeration, def, flags, help) .name = (def),

/* Defaults at 60 Hz, seed 1, without a record: the scene reads parameters only. */
static tentacle_params *make_case(vfx_case *kase)
{
    static const tentacle_params defaults = {TENTACLE_PARAMS(DEFAULT_VALUE, DEFAULT_ENUM)};
    *kase = (vfx_case){.dt = 1.0f / HZ, .seed = 1, .frames = 1};
    memcpy(kase->words, &defaults, sizeof defaults);
    return (tentacle_params *)(void *)kase->words;
}

/* A run of the host's part; `entities` has one record per entity. */
typedef struct scene_run {
    vfx_case kase;
    tentacle_params *params;
    void *host;
    tentacle_entity *entities;
    void *buffers[VFX_MAX_BUFFERS];
    vfx_frame frame;
} scene_run;

static void run_create(scene_run *run)
{
    memset(run, 0, sizeof *run);
    run->params = make_case(&run->kase);
}

static void run_start(scene_run *run) /* after the parameters are set */
{
    run->host = calloc(1, tentacle_host_bytes(&run->kase));
    run->entities = calloc((size_t)tentacle_entity_count(&run->kase), sizeof *run->entities);
    assert_true(run->host && run->entities);
    run->buffers[TENTACLE_BUFFER_ENTITY] = run->entities;
}

static void run_next(scene_run *run)
{
    run->frame.index++;
    tentacle_frame_input(&run->kase, run->host, &run->frame, run->buffers, NULL);
}

static void run_destroy(scene_run *run)
{
    free(run->host);
    free(run->entities);
}

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#define assert_near(a, b, limit)                                                                 \
    do {                                                                                         \
        double near_a = (double)(a), near_b = (double)(b);                                       \
        if (!(fabs(near_a - near_b) <= (limit)))                                                 \
            fail_msg("%s = %.9g, %s = %.9g, limit %g", #a, near_a, #b, near_b, (double)(limit)); \
    } while (0)

/* -------------------------------------------------------------------------------------- hash, counts */

static void hash_has_its_golden_values(void **state)
{
    (void)state;
    static const struct {
        uint32_t in[3], out[3];
    } golden[] = {
        {{0, 0, 0}, {0x9bafd7c6u, 0xa8e88a6bu, 0x3f15482cu}},
        {{1, 2, 3}, {0xfa9f79a6u, 0x48f2f44cu, 0x596f5ab1u}},
        {{255, 255, 255}, {0x1aa9a7f1u, 0xf1499b36u, 0xb66b4c35u}},
    };
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        vfx_hash3 h = vfx_pcg3d(golden[i].in[0], golden[i].in[1], golden[i].in[2]);
        assert_int_equal(h.x, golden[i].out[0]);
        assert_int_equal(h.y, golden[i].out[1]);
        assert_int_equal(h.z, golden[i].out[2]);
    }
    assert_true(vfx_hash_unit(0) == 0.0);
    assert_true(vfx_hash_unit(UINT32_MAX) == 1.0 - 0x1p-24);
    assert_true((double)(float)vfx_hash_unit(0x9bafd7c6u) == vfx_hash_unit(0x9bafd7c6u));
}

/* psi, yaw and stagger draw from the streams that tentacle_shared.h numbers, by the run's seed. */
static void streams_are_numbered(void **state)
{
    (void)state;
    assert_int_equal(TENTACLE_STREAM_PHASE, 0);
    assert_int_equal(TENTACLE_STREAM_YAW, 1);
    assert_int_equal(TENTACLE_STREAM_STAGGER, 2);
    vfx_case kase;
    make_case(&kase);
    kase.seed = 77;
    assert_near(tentacle_root_of(&kase, 123).phase, (vfx_pcg3d(123, 0, 77).x >> 8) * 0x1p-24, 0);
    double half_yaw = turn / 2 * ((vfx_pcg3d(9, 1, 77).x >> 8) * 0x1p-24);
    assert_near(tentacle_entity_pose(&kase, 9, 0).rotation[2], sin(half_yaw), 1e-15);
    assert_near(tentacle_entity_pose(&kase, 9, 0).rotation[3], cos(half_yaw), 1e-15);
    tentacle_moment expected = tentacle_moment_at(3.75 * ((vfx_pcg3d(9, 2, 77).x >> 8) * 0x1p-24));
    tentacle_moment moment = tentacle_entity_moment(&kase, 9, 0);
    assert_int_equal(moment.state, expected.state);
    assert_near(moment.time, expected.time, 0);
}

static void counts_follow_the_parameters(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->tentacles = 67;
    assert_int_equal(tentacle_entity_count(&kase), 7);
    assert_int_equal(tentacle_particle_count(&kase), 1407);
    assert_int_equal(tentacle_segment_count(&kase), 1340);
    assert_int_equal(tentacle_vertex_count(&kase), 7035);
    assert_int_equal(tentacle_index_count(&kase), 40200);
    params->seam = params->cap = 1;
    assert_int_equal(tentacle_vertex_count(&kase), 1407 * 6 + 67);
    assert_int_equal(tentacle_index_count(&kase), 40200 + 67 * 15);
    params->tentacles = 70;
    assert_int_equal(tentacle_entity_count(&kase), 7);
    params->tentacles = 4000000; /* the largest of everything, past 32 bits */
    params->particles = 64;
    params->sides = 16;
    assert_true(tentacle_vertex_count(&kase) == 4000000ull * 64 * 17 + 4000000ull);
    assert_true(tentacle_index_count(&kase) == 4000000ull * 63 * 96 + 4000000ull * 48);
}

/* Expanding the index pattern of 2.7 by hand gives the same particles. */
static void corners_know_their_particle(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->tentacles = 3;
    params->particles = 4;
    params->cap = params->seam = 1;
    uint64_t corner = 0;
    for (uint32_t tentacle = 0; tentacle < 3; tentacle++)
        for (uint32_t joint = 1; joint < 4; joint++)
            for (uint32_t side = 0; side < params->sides; side++) {
                uint32_t child = tentacle * 4 + joint, parent = child - 1;
                const uint32_t expected[6] = {parent, parent, child, child, parent, child};
                for (uint32_t i = 0; i < 6; i++)
                    assert_int_equal(tentacle_corner_particle(params, corner++), expected[i]);
            }
    for (uint32_t tentacle = 0; tentacle < 3; tentacle++)
        for (uint32_t i = 0; i < 3 * params->sides; i++)
            assert_int_equal(tentacle_corner_particle(params, corner++), tentacle * 4 + 3);
    assert_int_equal(corner, tentacle_index_count(&kase));
}

/* --------------------------------------------------------------------------------- entities, roots */

static void entities_stand_on_a_centred_grid(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->states = TENTACLE_STATES_OFF;
    params->tentacles = 90; /* 9 entities: 3 x 3 */
    double sum[2] = {0, 0};
    for (uint32_t i = 0; i < 9; i++) {
        tentacle_pose pose = tentacle_entity_pose(&kase, i, 0);
        assert_near(pose.translation[0], 2.0 * (i % 3) - 2.0, 0);
        assert_near(pose.translation[1], 2.0 * (i / 3) - 2.0, 0);
        assert_near(pose.translation[2], 1.0, 0);
        sum[0] += pose.translation[0];
        sum[1] += pose.translation[1];
    }
    assert_near(sum[0], 0, 0);
    assert_near(sum[1], 0, 0);
    params->tentacles = 91; /* the tenth opens a 4 x 4 grid */
    assert_near(tentacle_entity_pose(&kase, 0, 0).translation[0], -3.0, 0);
}

/* Yaw after 600 frames is hash + 0.05 turns/s times 10 s, and the quaternion never changes sign on the way. */
static void entities_turn_by_the_frame_index(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->states = TENTACLE_STATES_OFF;
    tentacle_pose start = tentacle_entity_pose(&kase, 5, 0), end = tentacle_entity_pose(&kase, 5, 600);
    double from = 2 * atan2(start.rotation[2], start.rotation[3]), to = 2 * atan2(end.rotation[2], end.rotation[3]);
    assert_near(remainder(to - from - 0.5 * turn, turn), 0, 1e-6); /* dt is a float */
    params->yaw_rate = 1.7f;
    for (uint32_t frame = 1; frame < 400; frame++) {
        tentacle_pose a = tentacle_entity_pose(&kase, 5, frame - 1), b = tentacle_entity_pose(&kase, 5, frame);
        double cosine = a.rotation[2] * b.rotation[2] + a.rotation[3] * b.rotation[3];
        assert_near(cosine, cos(turn / 2 * (double)params->yaw_rate / HZ), 1e-6);
    }
}

/* T13: the record of frame k is the rounded pose of k, its `prev` that of k - 1, in any frame on its own. */
static void transforms_are_replayable(void **state)
{
    (void)state;
    scene_run run, late;
    run_create(&run);
    run.params->tentacles = 67;
    run_start(&run);
    vec4 rotation = {0};
    vec3 translation = {0};
    for (uint32_t frame = 1; frame <= 300; frame++) {
        run_next(&run);
        tentacle_pose pose = tentacle_entity_pose(&run.kase, 4, frame);
        const tentacle_entity *entity = &run.entities[4];
        assert_near(entity->rotation.z, (float)pose.rotation[2], 0);
        assert_near(entity->rotation.w, (float)pose.rotation[3], 0);
        assert_near(entity->rotation.x, 0, 0);
        assert_near(entity->translation.z, (float)pose.translation[2], 0);
        assert_near(entity->translation.x, (float)pose.translation[0], 0);
        if (frame > 1) {
            assert_memory_equal(&entity->rotation_prev, &rotation, sizeof rotation);
            assert_memory_equal(&entity->translation_prev, &translation, sizeof translation);
        } else {
            assert_near(entity->rotation_prev.z, (float)tentacle_entity_pose(&run.kase, 4, 0).rotation[2], 0);
        }
        rotation = entity->rotation;
        translation = entity->translation;
    }
    run_create(&late);
    late.params->tentacles = 67;
    run_start(&late);
    late.frame.index = 299;
    run_next(&late);
    assert_memory_equal(&late.entities[4].rotation, &rotation, sizeof rotation);
    assert_memory_equal(&late.entities[4].translation, &translation, sizeof translation);
    assert_memory_equal(&late.entities[4].straighten, &run.entities[4].straighten, sizeof(float));
    run_destroy(&run);
    run_destroy(&late);
}

/* Fibonacci directions: on the upper hemisphere, evenly in z, none close to another; base axes as 2.3b says. */
static void roots_spread_over_the_upper_hemisphere(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->tentacles = 200;
    params->tentacles_per_entity = 100;
    static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
    double seen[100][3];
    for (uint32_t i = 0; i < 200; i++) {
        tentacle_root root = tentacle_root_of(&kase, i);
        const double q[4] = {root.rotation.x, root.rotation.y, root.rotation.z, root.rotation.w};
        const double offset[3] = {root.offset.x, root.offset.y, root.offset.z};
        double right[3], up[3], forward[3], *direction = seen[i % 100];
        tentacle_rotate(q, x_axis, right);
        tentacle_rotate(q, y_axis, up);
        tentacle_rotate(q, z_axis, forward);
        assert_int_equal(root.entity, i / 100);
        assert_near(length3(offset), 0.25, 1e-7);
        assert_near(offset[2] / 0.25, 1 - (i % 100 + 0.5) / 100, 1e-6);
        assert_true(offset[2] > 0);
        assert_near(q[2], 0, 0); /* minimal rotation from z: no turn about z */
        assert_true(q[3] > 0);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(forward[axis], offset[axis] / 0.25, 1e-6); /* outward */
            int a = (axis + 1) % 3, b = (axis + 2) % 3;            /* up = forward x right */
            assert_near(up[axis], forward[a] * right[b] - forward[b] * right[a], 1e-6);
        }
        assert_true(root.phase >= 0 && root.phase < 1);
        if (i >= 100) { /* the next entity carries the same directions */
            assert_near(direction[0], forward[0], 0);
            continue;
        }
        memcpy(direction, forward, sizeof forward);
        for (uint32_t j = 0; j < i; j++) /* 100 caps of equal area would be 0.2 rad wide */
            assert_true(seen[j][0] * forward[0] + seen[j][1] * forward[1] + seen[j][2] * forward[2] < cos(0.17));
    }
}

/* ------------------------------------------------------------------------------------ state machine */

/* T12: idle to frame 119, preparing 120..179, jumping 180..224, then again. */
static void states_follow_the_schedule(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->states = TENTACLE_STATES_GLOBAL;
    for (uint32_t frame = 0; frame < 4 * CYCLE_FRAMES; frame++) {
        uint32_t in_cycle = frame % CYCLE_FRAMES, start = in_cycle < 120 ? 0 : in_cycle < 180 ? 120 : 180;
        uint32_t expected = start == 0 ? TENTACLE_IDLE : start == 120 ? TENTACLE_PREPARING : TENTACLE_JUMPING;
        for (uint32_t entity = 0; entity < 3; entity++) {
            tentacle_moment moment = tentacle_entity_moment(&kase, entity, frame);
            assert_int_equal(moment.state, expected);
            assert_near(moment.time, (in_cycle - start) / (double)HZ, 1e-6);
        }
    }
    assert_int_equal(tentacle_moment_at(2.0).state, TENTACLE_PREPARING); /* a border belongs to the new state */
    assert_int_equal(tentacle_moment_at(3.0).state, TENTACLE_JUMPING);
    assert_int_equal(tentacle_moment_at(3.75).state, TENTACLE_IDLE);
    double sum = 0;
    for (int i = 0; i < TENTACLE_STATE_COUNT; i++)
        sum += tentacle_states[i].duration;
    assert_near(sum, TENTACLE_CYCLE, 0);
}

/* T12: preparing is the brightest, then idle, then jumping; and the table is 2.5's. */
static void states_are_ordered(void **state)
{
    (void)state;
    const tentacle_weights *idle = &tentacle_states[0].weights, *preparing = &tentacle_states[1].weights;
    const tentacle_weights *jumping = &tentacle_states[2].weights;
    assert_true(preparing->emissive > idle->emissive && idle->emissive > jumping->emissive);
    assert_true(preparing->straighten > jumping->straighten && jumping->straighten > idle->straighten);
    assert_true(preparing->stiffen > jumping->stiffen && jumping->stiffen > idle->stiffen);
    assert_true(preparing->pulsate_hz > idle->pulsate_hz && idle->pulsate_hz > jumping->pulsate_hz);
    assert_true(preparing->pulsate > idle->pulsate && idle->pulsate > jumping->pulsate);
    assert_true(idle->wriggle > jumping->wriggle && preparing->look > 0);
    vfx_case kase; /* the parameters' defaults are the idle column */
    tentacle_params *params = make_case(&kase);
    params->states = TENTACLE_STATES_OFF;
    tentacle_weights off = tentacle_entity_moment(&kase, 0, 50).weights;
#define SAME_WEIGHT(name) assert_near(off.name, idle->name, 1e-7);
    TENTACLE_WEIGHTS(SAME_WEIGHT)
    /* Brightness by frame, at the end of each state. */
    params->states = TENTACLE_STATES_GLOBAL;
    assert_near(tentacle_entity_moment(&kase, 0, 119).weights.emissive, 0.25, 1e-12);
    assert_near(tentacle_entity_moment(&kase, 0, 179).weights.emissive, 1.0, 1e-12);
    assert_near(tentacle_entity_moment(&kase, 0, 224).weights.emissive, 0.15, 1e-12);
}

/* Smoothstep over 0.2 s, from the previous state's weights, without a jump anywhere. */
static void weights_blend_smoothly(void **state)
{
    (void)state;
    assert_near(tentacle_moment_at(2.0).weights.stiffen, 60, 1e-12);
    assert_near(tentacle_moment_at(2.05).weights.stiffen, 60 + 540 * 0.15625, 1e-9); /* x = 1/4: 5/32 */
    assert_near(tentacle_moment_at(2.1).weights.stiffen, 330, 1e-9);
    assert_near(tentacle_moment_at(2.2).weights.stiffen, 600, 1e-9);
    assert_near(tentacle_moment_at(2.9).weights.stiffen, 600, 0);
    assert_near(tentacle_moment_at(3.1).weights.look, 3, 1e-9);
    assert_near(tentacle_moment_at(0.1).weights.straighten, 15, 1e-9); /* idle comes from jumping, at once too */
    assert_near(tentacle_moment_at(3.85).weights.straighten, 15, 1e-9);
    for (double t = 0; t < 7.6; t += 1e-4) {
        double a = tentacle_moment_at(t).weights.stiffen, b = tentacle_moment_at(t + 1e-4).weights.stiffen;
        assert_true(fabs(a - b) <= 540 * 1.5 / 0.2 * 1e-4 * 1.001); /* steepest slope of smoothstep: 1.5 */
        double pulse = tentacle_moment_at(t).weights.pulsate_hz;
        assert_true(pulse > 0.4 - 1e-12 && pulse < 3.0 + 1e-12);
    }
}

/* states=entity: every entity has its own start in the cycle; global: all have the same. */
static void entities_are_staggered(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    uint32_t in_state[TENTACLE_STATE_COUNT] = {0};
    for (uint32_t i = 0; i < 3000; i++)
        in_state[tentacle_entity_moment(&kase, i, 17).state]++;
    assert_near(in_state[TENTACLE_IDLE] / 3000.0, 2.0 / 3.75, 0.04);
    assert_near(in_state[TENTACLE_PREPARING] / 3000.0, 1.0 / 3.75, 0.04);
    assert_near(in_state[TENTACLE_JUMPING] / 3000.0, 0.75 / 3.75, 0.04);
    params->states = TENTACLE_STATES_GLOBAL;
    for (uint32_t i = 0; i < 100; i++)
        assert_near(tentacle_entity_moment(&kase, i, 17).time, 17.0 / HZ, 1e-6);
}

/* The jump: 0 at both ends of the state, g T^2 / 8 = 0.69 m in the middle, a parabola in between. */
static void jumps_are_parabolas(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->states = TENTACLE_STATES_GLOBAL;
    kase.dt = 0x1p-10f; /* exact: state borders and the apex fall on frames */
    const uint32_t start = 3 * 1024, middle = start + 384, end = start + 768;
    assert_near(tentacle_entity_pose(&kase, 0, start).translation[2], 1.0, 1e-12);
    assert_near(tentacle_entity_pose(&kase, 0, middle).translation[2] - 1.0, 9.81 * 0.75 * 0.75 / 8, 1e-6);
    assert_near(tentacle_entity_pose(&kase, 0, middle).translation[2] - 1.0, 0.69, 0.001);
    assert_near(tentacle_entity_pose(&kase, 0, end - 1).translation[2], 1.0, 0.004);
    assert_near(tentacle_entity_pose(&kase, 0, end).translation[2], 1.0, 0);
    for (uint32_t frame = start + 1; frame + 1 < end; frame++) { /* second difference = -g dt^2 */
        double z[3];
        for (uint32_t i = 0; i < 3; i++)
            z[i] = tentacle_entity_pose(&kase, 0, frame - 1 + i).translation[2];
        assert_near((z[0] - 2 * z[1] + z[2]) * 0x1p20, -9.81, 1e-4);
    }
    params->states = TENTACLE_STATES_OFF;
    assert_near(tentacle_entity_pose(&kase, 0, middle).translation[2], 1.0, 0);
}

/* ------------------------------------------------------------------------------------------- phases */

/* Phase of frame k from that of k - 1: the step is the frame's own rate times dt, whatever the rate was before. */
static void phases_never_jump(void **state)
{
    (void)state;
    scene_run run;
    run_create(&run);
    run.params->tentacles = 67;
    run_start(&run);
    double wriggle = 0, pulsate = 0;
    for (uint32_t frame = 1; frame <= 2 * CYCLE_FRAMES; frame++) {
        run_next(&run);
        const tentacle_entity *entity = &run.entities[3];
        const tentacle_weights weights = tentacle_entity_moment(&run.kase, 3, frame).weights;
        assert_true(entity->wriggle_phase >= 0 && entity->wriggle_phase < 1);
        assert_true(entity->pulsate_phase >= 0 && entity->pulsate_phase < 1);
        assert_near(remainder((double)entity->wriggle_phase - wriggle, 1), weights.wriggle_hz / HZ, 2e-7);
        assert_near(remainder((double)entity->pulsate_phase - pulsate, 1), weights.pulsate_hz / HZ, 2e-7);
        wriggle = (double)entity->wriggle_phase;
        pulsate = (double)entity->pulsate_phase;
    }
    run_destroy(&run);
}

/* The same when a live parameter changes between frames (--at), late in a long run. */
static void phases_survive_changed_parameters(void **state)
{
    (void)state;
    scene_run run;
    run_create(&run);
    run.params->tentacles = 1;
    run.params->states = TENTACLE_STATES_OFF;
    run_start(&run);
    for (uint32_t frame = 1; frame <= 36000; frame++)
        run_next(&run);
    double expected = fmod(36000 * (0.6f * (double)(1.0f / HZ)), 1);
    assert_near(remainder((double)run.entities[0].wriggle_phase - expected, 1), 0, 1e-7); /* ten minutes */
    double before = (double)run.entities[0].wriggle_phase;
    run.params->wriggle_hz = 7.5f;
    run.params->emissive = 3.0f;
    run_next(&run);
    assert_near(remainder((double)run.entities[0].wriggle_phase - before, 1), 7.5 / HZ, 2e-7);
    assert_near(run.entities[0].emissive, 3, 0);
    run_destroy(&run);
}

/* The largest double below 1 rounds to 1 in float, which the records must not hold: 0.999999999 turns at 60 Hz. */
static void phases_stay_below_one_turn(void **state)
{
    (void)state;
    scene_run run;
    run_create(&run);
    run.params->tentacles = 1;
    run.params->states = TENTACLE_STATES_OFF;
    run.params->wriggle_hz = 63.999996f;
    run.kase.dt = 0x1p-6f;
    run_start(&run);
    for (uint32_t frame = 1; frame <= 20; frame++) {
        run_next(&run);
        assert_true(run.entities[0].wriggle_phase < 1);
    }
    run_destroy(&run);
    run_create(&run);
    run.params->tentacles = 1;
    run.params->states = TENTACLE_STATES_OFF;
    run.params->wriggle_hz = 0;
    run_start(&run);
    *(double *)run.host = 1 - 0x1p-53;
    run_next(&run);
    assert_near(run.entities[0].wriggle_phase, 0, 0);
    run_destroy(&run);
}

static void records_carry_the_weights(void **state)
{
    (void)state;
    scene_run run;
    run_create(&run);
    run.params->tentacles = 30;
    run_start(&run);
    for (uint32_t frame = 1; frame <= CYCLE_FRAMES; frame++) {
        run_next(&run);
        for (uint32_t i = 0; i < 3; i++) {
            const tentacle_entity *entity = &run.entities[i];
            const tentacle_moment moment = tentacle_entity_moment(&run.kase, i, frame);
            assert_int_equal(entity->state, moment.state);
            assert_near(entity->state_time, (float)moment.time, 0);
            assert_near(entity->straighten, (float)moment.weights.straighten, 0);
            assert_near(entity->stiffen, (float)moment.weights.stiffen, 0);
            assert_near(entity->gravity, 1, 0);
            assert_near(entity->look, (float)moment.weights.look, 0);
            assert_near(entity->wriggle, (float)moment.weights.wriggle, 0);
            assert_near(entity->pulsate, (float)moment.weights.pulsate, 0);
            assert_near(entity->emissive, (float)moment.weights.emissive, 0);
        }
    }
    assert_near(TENTACLE_DAMPING(run.frame), exp(-4.0 / 60.0), 6e-8);
    run.params->drag = 0;
    run_next(&run);
    assert_near(TENTACLE_DAMPING(run.frame), 1, 0);
    run_destroy(&run);
}

/* --------------------------------------------------------------------------------------- first pose */

static double wave(double turns)
{
    return sin(turn * turns);
}

static void first_pose_is_straight_and_at_rest(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->tentacles = 67;
    uint32_t count = (uint32_t)tentacle_particle_count(&kase), n = params->particles;
    tentacle_root *roots = calloc(67, sizeof *roots);
    tentacle_particle *particles = malloc(count * sizeof *particles);
    memset(particles, 0xff, count * sizeof *particles);
    assert_true(roots && particles);
    void *buffers[VFX_MAX_BUFFERS] = {[TENTACLE_BUFFER_ROOT] = roots, [TENTACLE_BUFFER_PARTICLE] = particles};
    tentacle_init(&kase, buffers, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const tentacle_particle *p = &particles[i], *root = &particles[i - i % n];
        const tentacle_root *record = &roots[i / n];
        double s = i % n / (n - 1.0), pulse = wave((double)record->phase - s);
        const tentacle_weights w = tentacle_entity_moment(&kase, record->entity, 0).weights;
        const tentacle_pose pose = tentacle_entity_pose(&kase, record->entity, 0);
        const double local[3] = {record->offset.x, record->offset.y, record->offset.z};
        double base[3], outward[3];
        tentacle_rotate(pose.rotation, local, base);
        for (int axis = 0; axis < 3; axis++)
            outward[axis] = base[axis] / 0.25;
        assert_near(root->position.x, pose.translation[0] + base[0], 4e-7);
        assert_near(root->position.z, pose.translation[2] + base[2], 4e-7);
        assert_near(p->forward.x, outward[0], 1e-6);
        assert_near(p->forward.z, outward[2], 1e-6);
        assert_near(p->position.y, (double)root->position.y + (double)p->arc_length * outward[1], 1e-6);
        assert_near(p->arc_length, (float)(i % n) * 0.05f, 0);
        assert_near(p->velocity.x, 0, 0);
        assert_near(p->velocity.z, 0, 0);
        assert_near(p->right.x * p->forward.x + p->right.y * p->forward.y + p->right.z * p->forward.z, 0, 2e-7);
        assert_near(p->right.y, root->right.y, 0);
        assert_near(p->radius, 0.03 * (1 - 0.85 * s) * (1 + w.pulsate * pulse), 1e-8);
        assert_near(p->emissive, w.emissive * (0.5 + 0.5 * pulse), 1e-6);
        assert_near(p->zero, 0, 0);
    }
    free(roots);
    free(particles);
}

/* Base right is world x carried along: with yaw 0 and a direction in the x-z plane it stays in that plane. */
static void base_right_is_carried_from_x(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    params->tentacles_per_entity = 1; /* azimuth 0, z = 1/2: 60 degrees from z toward x */
    tentacle_root root = tentacle_root_of(&kase, 0);
    const double q[4] = {root.rotation.x, root.rotation.y, root.rotation.z, root.rotation.w}, x_axis[3] = {1, 0, 0};
    double right[3];
    tentacle_rotate(q, x_axis, right);
    assert_near(right[0], 0.5, 1e-6);
    assert_near(right[1], 0, 1e-6);
    assert_near(right[2], -sqrt(0.75), 1e-6);
}

/* ----------------------------------------------------------------------------------------- validate */

static void stiff_steps_are_refused(void **state)
{
    (void)state;
    vfx_case kase;
    tentacle_params *params = make_case(&kase);
    assert_vfx_ok(tentacle_validate(&kase));
    double stiffest = 0;
    for (int i = 0; i < TENTACLE_STATE_COUNT; i++)
        stiffest = fmax(stiffest, tentacle_states[i].weights.stiffen);
    kase.dt = (float)(1 / sqrt(stiffest)) * 0.999f;
    assert_vfx_ok(tentacle_validate(&kase));
    kase.dt = (float)(1 / sqrt(stiffest)) * 1.001f; /* only `preparing` is too stiff */
    assert_vfx_fails(tentacle_validate(&kase), VFX_USAGE, "stiffen = 600");
    assert_vfx_fails(tentacle_validate(&kase), VFX_USAGE, "preparing");
    assert_vfx_fails(tentacle_validate(&kase), VFX_USAGE, "the largest dt allowed is 0.0408248 s");
    params->states = TENTACLE_STATES_GLOBAL;
    assert_vfx_fails(tentacle_validate(&kase), VFX_USAGE, "preparing");
    params->states = TENTACLE_STATES_OFF; /* the parameter counts: 60 */
    assert_vfx_ok(tentacle_validate(&kase));
    kase.dt = 1.0f / HZ;
    params->stiffen = 3600; /* exactly 1 */
    assert_vfx_ok(tentacle_validate(&kase));
    params->stiffen = 3601;
    assert_vfx_fails(tentacle_validate(&kase), VFX_USAGE, "stiffen = 3601");
    assert_vfx_fails(tentacle_validate(&kase), VFX_USAGE, "0.0166644 s");
    params->states = TENTACLE_STATES_ENTITY; /* the parameter is not used */
    assert_vfx_ok(tentacle_validate(&kase));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hash_has_its_golden_values),
    cmocka_unit_test(streams_are_numbered),
    cmocka_unit_test(counts_follow_the_parameters),
    cmocka_unit_test(corners_know_their_particle),
    cmocka_unit_test(entities_stand_on_a_centred_grid),
    cmocka_unit_test(entities_turn_by_the_frame_index),
    cmocka_unit_test(transforms_are_replayable),
    cmocka_unit_test(roots_spread_over_the_upper_hemisphere),
    cmocka_unit_test(states_follow_the_schedule),
    cmocka_unit_test(states_are_ordered),
    cmocka_unit_test(weights_blend_smoothly),
    cmocka_unit_test(entities_are_staggered),
    cmocka_unit_test(jumps_are_parabolas),
    cmocka_unit_test(phases_never_jump),
    cmocka_unit_test(phases_survive_changed_parameters),
    cmocka_unit_test(phases_stay_below_one_turn),
    cmocka_unit_test(records_carry_the_weights),
    cmocka_unit_test(first_pose_is_straight_and_at_rest),
    cmocka_unit_test(base_right_is_carried_from_x),
    cmocka_unit_test(stiff_steps_are_refused),
};

VFX_TEST_MAIN(tests)
