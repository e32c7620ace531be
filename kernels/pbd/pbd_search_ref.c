/* pbd_search_ref.c - who may touch whom: the records of a substep, cells and keys, and the walk over the candidates of
 * a slot. All of it is integers and float comparisons: positions become cells in float, in both builds, so that both
 * walk the same way. Compiled twice over `real`. */
#include "kernels/pbd/pbd_real.h"

#include <string.h>

/* ------------------------------------------------------------------------------------- one substep */

static uint64_t grid_cells(const vfx_ref *ref)
{
    const uint64_t nx = (uint64_t)PBD_CELLS_X(*ref->frame), ny = (uint64_t)PBD_CELLS_Y(*ref->frame);
    const uint64_t nz = (uint64_t)PBD_CELLS_Z(*ref->frame);
    if (pbd_variant_of(ref->kase) == PBD_HASHED)
        return pbd_params_of(ref)->buckets;
    return pbd_variant_of(ref->kase) == PBD_BRUTE ? 0 : (nx + 1) * (ny + 2) * (nz + 2) + 2;
}

pbd_world VFX_REF(pbd_world_of)(const vfx_ref *ref, uint32_t substep)
{
    const pbd_params *params = pbd_params_of(ref);
    const uint64_t n = params->particles, cells = grid_cells(ref), r = substep;
#define ROWS(type, row, stride) (ref->in[row] == NULL ? NULL : (const type *)ref->in[row] + r * (stride))
    const pbd_world w = {
        .ref = ref,
        .params = params,
        .variant = pbd_variant_of(ref->kase),
        .substep = substep,
        .n = n,
        .cells = cells,
        .predict = ROWS(pbd_predict, PBD_BUFFER_PREDICT, n),
        .sorted = ROWS(pbd_sorted, PBD_BUFFER_SORTED, n),
        .trace = ROWS(pbd_trace, PBD_BUFFER_TRACE, (params->iterations + 2) * n),
        .count = ROWS(uint32_t, PBD_BUFFER_COUNT, cells + 1),
        .start = ROWS(uint32_t, PBD_BUFFER_START, cells + 1),
        .slot = ROWS(uint32_t, PBD_BUFFER_SLOT, cells * params->capacity),
        .list = ROWS(uint32_t, PBD_BUFFER_LIST, n * params->list_capacity),
        .cell = ROWS(uvec4, PBD_BUFFER_CELL, n),
        .status = ROWS(pbd_status, PBD_BUFFER_STATUS, n),
        .h = (real)PBD_STEP(*ref->frame),
    };
#undef ROWS
    return w;
}

pbd_particle VFX_REF(pbd_state_of)(const pbd_world *w, uint64_t index)
{
    if (w->substep == 0)
        return ((const pbd_particle *)w->ref->prev[PBD_BUFFER_PARTICLE])[index];
    const pbd_world before = VFX_REF(pbd_world_of)(w->ref, w->substep - 1);
    const pbd_trace *last = pbd_trace_of(&before, w->params->iterations + 1, index);
    const pbd_velocity *velocity = (const pbd_velocity *)w->ref->in[PBD_BUFFER_VELOCITY] + before.substep * w->n;
    const pbd_particle state = {
        .position = last->position,
        .radius = last->radius,
        .velocity = velocity[index].velocity,
        .mass = before.sorted[index].mass,
        .id = before.sorted[index].id,
        .flags = before.sorted[index].flags & ~PBD_BINNED,
    };
    return state;
}

/* -------------------------------------------------------------------------------------------- cells */

/* t is a whole number, or not a number. */
static int32_t bounded_cell(float t, float cells)
{
    return !(t > 0) ? 0 : t >= cells ? (int32_t)cells - 1 : (int32_t)t;
}

static int32_t unbounded_cell(float t)
{
    const float far = 1e9f;
    return t >= far ? 1000000000 : t <= -far ? -1000000000 : t >= -far && t <= far ? (int32_t)t : 0;
}

void VFX_REF(pbd_cell_of)(const pbd_world *w, vec3 p, int32_t g[3])
{
    const vfx_frame f = *w->ref->frame;
    const float from[3] = {p.x - PBD_LO_X(f), p.y - PBD_LO_Y(f), p.z};
    const float cells[3] = {PBD_CELLS_X(f), PBD_CELLS_Y(f), PBD_CELLS_Z(f)};
    for (int axis = 0; axis < 3; axis++) {
        const float t = floorf(from[axis] * PBD_INV_CELL(f));
        g[axis] = w->variant == PBD_HASHED ? unbounded_cell(t) : bounded_cell(t, cells[axis]);
    }
}

bool VFX_REF(pbd_is_outside)(const pbd_world *w, vec3 p)
{
    const vfx_frame f = *w->ref->frame;
    const float x = PBD_LO_X(f), y = PBD_LO_Y(f);
    const bool inside = p.x >= x && p.x <= x + w->params->size_x && p.y >= y && p.y <= y + w->params->size_y &&
                        p.z >= 0 && p.z <= w->params->size_z;
    return w->variant != PBD_HASHED && !inside;
}

bool VFX_REF(pbd_is_binned_at)(const pbd_world *w, vec3 p)
{
    return w->params->outside == PBD_OUTSIDE_BIN && VFX_REF(pbd_is_outside)(w, p);
}

static uint32_t bucket_of(const pbd_world *w, const int32_t g[3])
{
    const uint32_t hash = (uint32_t)g[0] * 73856093u ^ (uint32_t)g[1] * 19349663u ^ (uint32_t)g[2] * 83492791u;
    return hash & (w->params->buckets - 1);
}

/* Key of the cell g, which may lie one outside the domain. */
static uint64_t padded_key(const pbd_world *w, const int32_t g[3])
{
    const vfx_frame f = *w->ref->frame;
    const uint64_t nx = (uint64_t)PBD_CELLS_X(f), ny = (uint64_t)PBD_CELLS_Y(f);
    return ((uint64_t)(g[2] + 1) * (ny + 2) + (uint64_t)(g[1] + 1)) * (nx + 1) + (uint64_t)(g[0] + 1);
}

uint32_t VFX_REF(pbd_key_of)(const pbd_world *w, vec3 p)
{
    int32_t g[3];
    VFX_REF(pbd_cell_of)(w, p, g);
    if (w->variant == PBD_BRUTE)
        return 0;
    if (w->variant == PBD_HASHED)
        return bucket_of(w, g);
    return (uint32_t)(VFX_REF(pbd_is_binned_at)(w, p) ? w->cells - 1 : padded_key(w, g));
}

/* --------------------------------------------------------------------------------------------- walk */

/* Parts of a walk: all slots, 9 rows of three cells, or 27 cells. */
static uint32_t walk_parts(const pbd_walk *walk)
{
    const uint32_t parts[] = {
        [PBD_BRUTE] = 1, [PBD_CAPPED] = 27, [PBD_SORTED] = 27, [PBD_ROWS] = 9, [PBD_LIST] = 9, [PBD_HASHED] = 27};
    return parts[walk->world->variant];
}

pbd_walk VFX_REF(pbd_walk_grid)(const pbd_world *w, uint64_t i, vec3 p)
{
    pbd_walk walk = {.world = w, .self = i};
    VFX_REF(pbd_cell_of)(w, p, walk.cell);
    if (pbd_is_binned(w, i))
        walk.part = walk_parts(&walk);
    return walk;
}

/* A list is walked as one part that lies behind the last. */
enum { LIST_PART = 1000 };

pbd_walk VFX_REF(pbd_walk_at)(const pbd_world *w, uint64_t i, uint32_t time)
{
    pbd_walk walk = VFX_REF(pbd_walk_grid)(w, i, pbd_trace_of(w, time, i)->position);
    if (w->variant != PBD_LIST) {
        walk.time = time;
        return walk;
    }
    walk.part = LIST_PART;
    if (!pbd_is_binned(w, i))
        walk.end = w->status[i].listed < w->params->list_capacity ? w->status[i].listed : w->params->list_capacity;
    return walk;
}

static void begin_part(pbd_walk *walk)
{
    const pbd_world *w = walk->world;
    const int32_t part = (int32_t)walk->part++;
    if (w->variant == PBD_BRUTE) {
        walk->at = 0, walk->end = w->n;
        return;
    }
    int32_t g[3] = {walk->cell[0] + part % 3 - 1, walk->cell[1] + part / 3 % 3 - 1, walk->cell[2] + part / 9 - 1};
    if (walk_parts(walk) == 9)
        g[0] = walk->cell[0], g[1] = walk->cell[1] + part % 3 - 1, g[2] = walk->cell[2] + part / 3 - 1;
    memcpy(walk->wanted, g, sizeof g);
    const uint64_t key = w->variant == PBD_HASHED ? bucket_of(w, g) : padded_key(w, g);
    if (w->variant == PBD_CAPPED) {
        const uint32_t filled = w->count[key] < w->params->capacity ? w->count[key] : w->params->capacity;
        walk->at = key * w->params->capacity, walk->end = walk->at + filled;
    } else if (walk_parts(walk) == 9) {
        walk->at = w->start[key - 1], walk->end = w->start[key + 2 <= w->cells ? key + 2 : w->cells];
    } else {
        walk->at = w->start[key], walk->end = w->start[key + 1];
    }
    if (w->variant != PBD_CAPPED && walk->end > w->n) /* nothing that a device wrote is trusted */
        walk->end = w->n;
}

/* Through a bucket come particles of other cells too. */
static bool is_candidate(const pbd_walk *walk, uint64_t j)
{
    const pbd_world *w = walk->world;
    if (w->variant != PBD_HASHED)
        return true;
    const uvec4 own = w->cell[j];
    return own.x == (uint32_t)walk->wanted[0] && own.y == (uint32_t)walk->wanted[1] &&
           own.z == (uint32_t)walk->wanted[2];
}

/* Twice as far as they reach: surely no contact, and none within rounding. Spares the oracle `brute` most of its time.
 */
static bool is_apart(const pbd_walk *walk, uint64_t j)
{
    const pbd_trace *a = pbd_trace_of(walk->world, walk->time, walk->self);
    const pbd_trace *b = pbd_trace_of(walk->world, walk->time, j);
    const float x = a->position.x - b->position.x, y = a->position.y - b->position.y;
    const float z = a->position.z - b->position.z, reach = 2 * (a->radius + b->radius + PBD_EPSILON);
    return walk->time > 0 && x * x + y * y + z * z > reach * reach;
}

bool VFX_REF(pbd_walk_next)(pbd_walk *walk, uint64_t *j)
{
    const pbd_world *w = walk->world;
    for (;;) {
        while (walk->at >= walk->end && walk->part < walk_parts(walk))
            begin_part(walk);
        if (walk->at >= walk->end)
            return false;
        const uint64_t at = walk->at++;
        *j = walk->part == LIST_PART ? w->list[at * w->n + walk->self] : w->variant == PBD_CAPPED ? w->slot[at] : at;
        if (*j >= w->n || *j == walk->self)
            continue;
        walk->looked++;
        if (is_candidate(walk, *j) && !is_apart(walk, *j))
            return true;
    }
}
