/* pbd_grid_ref.c - the stages grid, sort and list: how many particles a cell has, which slot each gets, and who is
 * listed with whom. Integers and copies, so the device must leave the same bits; where arrival or a rounding decides,
 * the device's own choice is taken if it is a possible one. Compiled twice over `real`. */
#include "kernels/pbd/pbd_real.h"

#include <string.h>

#define NOBODY UINT32_MAX /* an index of no particle */

static bool is_sorted(const pbd_world *w)
{
    return w->start != NULL;
}

static uint32_t id_before(const pbd_world *w, uint64_t index)
{
    return VFX_REF(pbd_state_of)(w, index).id;
}

/* --------------------------------------------------------------------------------------------- grid */

static void count_cells(const pbd_world *w, uint32_t *count)
{
    memset(count, 0, (size_t)(w->cells + 1) * sizeof *count);
    for (uint64_t i = 0; i < w->n; i++)
        if (w->predict[i].key < w->cells)
            count[w->predict[i].key]++;
}

static void scan_cells(const pbd_world *w, uint32_t *start)
{
    uint32_t sum = 0;
    for (uint64_t key = 0; key <= w->cells; key++) {
        start[key] = sum;
        sum += w->count[key];
    }
}

/* Puts `index` into `filled` entries that rise by id. */
static void insert_by_id(const pbd_world *w, uint32_t *entries, uint64_t filled, uint32_t index)
{
    uint64_t at = filled;
    for (; at > 0 && id_before(w, entries[at - 1]) > id_before(w, index); at--)
        entries[at] = entries[at - 1];
    entries[at] = index;
}

/* Are the device's entries of a cell distinct particles of that cell, by id where ordered? */
static bool entries_hold(const pbd_world *w, const uint32_t *entries, uint32_t filled, uint64_t key)
{
    for (uint32_t a = 0; a < filled; a++) {
        if (entries[a] >= w->n || w->predict[entries[a]].key != key)
            return false;
        if (a > 0 && w->params->ordered && id_before(w, entries[a - 1]) >= id_before(w, entries[a]))
            return false;
        for (uint32_t b = 0; b < a; b++)
            if (entries[a] == entries[b])
                return false;
    }
    return true;
}

/* The particles of each cell by id. Where arrival decides (a cell over its capacity, ordered = 0) the entries that are
 * there are kept if they could be; a free run keeps the first by index. */
static void fill_cells(const pbd_world *w, uint32_t *slot)
{
    const uint32_t capacity = w->params->capacity;
    const uint64_t cells = w->cells - 1; /* the bin is none */
    const bool alone = w->slot == slot;  /* a free run */
    if (!alone)
        memcpy(slot, w->slot, (size_t)(w->cells * capacity) * sizeof *slot);
    for (uint64_t key = 0; key < cells; key++)
        for (uint32_t s = 0; s < capacity && s < w->count[key]; s++)
            slot[key * capacity + s] = NOBODY;
    for (uint64_t i = 0; i < w->n; i++) {
        const uint64_t key = w->predict[i].key;
        uint32_t *entries = key < cells ? slot + key * capacity : NULL;
        uint32_t filled = 0;
        while (entries != NULL && filled < capacity && filled < w->count[key] && entries[filled] != NOBODY)
            filled++;
        if (entries != NULL && filled < capacity && filled < w->count[key])
            insert_by_id(w, entries, filled, (uint32_t)i);
    }
    for (uint64_t key = 0; key < cells && !alone; key++) {
        const uint32_t filled = w->count[key] < capacity ? w->count[key] : capacity;
        const uint32_t *theirs = w->slot + key * capacity;
        if ((w->count[key] > capacity || !w->params->ordered) && entries_hold(w, theirs, filled, key))
            memcpy(slot + key * capacity, theirs, filled * sizeof *slot);
    }
}

void VFX_REF(pbd_grid_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    for (uint64_t r = first; r < first + count; r++) {
        const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)r);
        if (ref->out[PBD_BUFFER_COUNT] != NULL)
            count_cells(&w, (uint32_t *)ref->out[PBD_BUFFER_COUNT] + r * (w.cells + 1));
        if (ref->out[PBD_BUFFER_START] != NULL)
            scan_cells(&w, (uint32_t *)ref->out[PBD_BUFFER_START] + r * (w.cells + 1));
        if (ref->out[PBD_BUFFER_SLOT] != NULL)
            fill_cells(&w, (uint32_t *)ref->out[PBD_BUFFER_SLOT] + r * w.cells * w.params->capacity);
    }
}

/* --------------------------------------------------------------------------------------------- sort */

/* May slot s hold what the device put there? Together with START this says that the slots are a permutation. */
static bool place_holds(const pbd_world *w, uint64_t s, uint64_t key)
{
    const uint32_t index = w->sorted[s].index;
    return index < w->n && w->predict[index].key == key;
}

/* Indices of the state by slot, into out[].index. The entries of a cell are found by insertion: out is the work space.
 */
static void place_by_key(const pbd_world *w, pbd_sorted *out)
{
    for (uint64_t s = 0; s < w->n; s++)
        out[s].index = NOBODY;
    for (uint64_t i = 0; i < w->n; i++) {
        const uint64_t key = w->predict[i].key;
        if (key >= w->cells)
            continue;
        const uint64_t end = w->start[key + 1] < w->n ? w->start[key + 1] : w->n;
        uint64_t at = w->start[key];
        while (at < end && out[at].index != NOBODY)
            at++;
        if (at >= end)
            continue;
        for (; w->params->ordered && at > w->start[key] && id_before(w, out[at - 1].index) > id_before(w, i); at--)
            out[at].index = out[at - 1].index;
        out[at].index = (uint32_t)i;
    }
}

/* Order of arrival: the device's, where its cells hold the right particles, each once. */
static void place_by_arrival(const pbd_world *w, pbd_sorted *out)
{
    place_by_key(w, out);
    for (uint64_t key = 0; key < w->cells; key++) {
        const uint64_t first = w->start[key], end = w->start[key + 1] < w->n ? w->start[key + 1] : w->n;
        bool holds = true;
        for (uint64_t s = first; s < end; s++) {
            holds = holds && place_holds(w, s, key);
            for (uint64_t t = first; t < s; t++)
                holds = holds && w->sorted[s].index != w->sorted[t].index;
        }
        for (uint64_t s = first; holds && s < end; s++)
            out[s].index = w->sorted[s].index;
    }
}

static void fill_slot(const pbd_world *w, uint64_t s, pbd_sorted *sorted, pbd_trace *trace, uvec4 *cell)
{
    const uint32_t index = sorted[s].index;
    const vec3 nowhere = {0, 0, 0};
    const pbd_particle state = index < w->n ? VFX_REF(pbd_state_of)(w, index) : (pbd_particle){.id = NOBODY};
    const vec3 p = index < w->n ? w->predict[index].position : nowhere;
    int32_t g[3];
    VFX_REF(pbd_cell_of)(w, p, g);
    sorted[s].mass = state.mass;
    sorted[s].id = state.id;
    sorted[s].flags = (state.flags & ~PBD_BINNED) | (VFX_REF(pbd_is_binned_at)(w, p) ? PBD_BINNED : 0u);
    trace[s] = (pbd_trace){state.position, state.radius};
    trace[w->n + s] = (pbd_trace){p, state.radius};
    if (cell != NULL)
        cell[s] = (uvec4){(uint32_t)g[0], (uint32_t)g[1], (uint32_t)g[2], 0};
}

void VFX_REF(pbd_sort_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    for (uint64_t r = first; r < first + count; r++) {
        const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)r);
        const uint64_t times = w.params->iterations + 2;
        pbd_sorted *sorted = (pbd_sorted *)ref->out[PBD_BUFFER_SORTED] + r * w.n;
        pbd_trace *trace = (pbd_trace *)ref->out[PBD_BUFFER_TRACE] + r * times * w.n;
        uvec4 *cell = ref->out[PBD_BUFFER_CELL];
        if (trace != w.trace)
            memcpy(trace + 2 * w.n, w.trace + 2 * w.n, (size_t)((times - 2) * w.n) * sizeof *trace);
        if (is_sorted(&w) && (w.params->ordered || sorted == w.sorted))
            place_by_key(&w, sorted);
        else if (is_sorted(&w))
            place_by_arrival(&w, sorted);
        for (uint64_t s = 0; s < w.n; s++) {
            if (!is_sorted(&w))
                sorted[s].index = (uint32_t)s;
            fill_slot(&w, s, sorted, trace, cell != NULL ? cell + r * w.n : NULL);
        }
    }
}

/* --------------------------------------------------------------------------------------------- list */

/* Is j within the skin of i at the start of the substep? *unsure: rounding decides. */
static bool is_near(const pbd_world *w, uint64_t i, uint64_t j, bool *unsure)
{
    const real3 d = real3_sub(pbd_position_of(w, 1, i), pbd_position_of(w, 1, j));
    const real reach = (real)pbd_trace_of(w, 1, i)->radius + (real)pbd_trace_of(w, 1, j)->radius;
    const real limit = reach + (real)PBD_SKIN(*w->ref->frame), square = real3_dot(d, d);
    *unsure = real_abs(square - limit * limit) <= 12 * U * limit * limit;
    return square < limit * limit;
}

/* A neighbour within rounding of the skin is listed where the device lists it next. Returns how many there are. */
static uint32_t fill_list(const pbd_world *w, uint64_t i, uint32_t *list)
{
    const uint32_t capacity = w->params->list_capacity, theirs = w->status[i].listed;
    const bool alone = list == w->list; /* a free run */
    pbd_walk walk = VFX_REF(pbd_walk_grid)(w, i, pbd_trace_of(w, 1, i)->position);
    uint32_t near_count = 0, beyond = 0; /* sure ones so far; unsure ones that no entry can tell of */
    for (uint64_t j = 0; VFX_REF(pbd_walk_next)(&walk, &j);) {
        bool unsure = false;
        bool near = is_near(w, i, j, &unsure);
        if (unsure && !alone && near_count < capacity) {
            near = near_count < theirs && w->list[near_count * w->n + i] == j;
        } else if (unsure && !alone) {
            near = false;
            beyond++;
        }
        if (near && near_count < capacity)
            list[near_count * w->n + i] = (uint32_t)j;
        near_count += near;
    }
    for (uint32_t e = near_count; e < capacity && !alone; e++)
        list[e * w->n + i] = w->list[e * w->n + i];
    return theirs > near_count && theirs - near_count <= beyond ? theirs : near_count;
}

void VFX_REF(pbd_list_ref)(const vfx_ref *ref, uint64_t first, uint64_t count)
{
    const pbd_params *params = pbd_params_of(ref);
    const uint64_t n = params->particles;
    pbd_status *status = ref->out[PBD_BUFFER_STATUS];
    for (uint64_t item = first; item < first + count; item++) {
        const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)(item / n));
        uint32_t *list = ref->out[PBD_BUFFER_LIST];
        uint32_t listed = 0;
        if (w.variant == PBD_LIST)
            listed = fill_list(&w, item % n, list + w.substep * n * params->list_capacity);
        status[item] = w.status[item % n];
        status[item].listed = listed;
    }
}
