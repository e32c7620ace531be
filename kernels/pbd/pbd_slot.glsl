/* pbd_slot.glsl - the slot of a particle: by key, then by id or by arrival (ORDER). */
#ifndef PBD_SLOT_GLSL
#define PBD_SLOT_GLSL

#include "kernels/pbd/pbd_gather.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_RANK, ranks)
PBD_BUFFER(readonly, uint, PBD_BINDING_START, starts)
PBD_BUFFER(readonly, uint, PBD_BINDING_ARRIVAL, arrivals)

uint pbd_slot_of(uint i, uint key)
{
    uint at = pbd_cells_at() + key, first = starts[at];
    if (ORDERED == 0u) {
        return first + ranks[i];
    }
    uint end = starts[at + 1u], slot = first;
    if (end - first > 1u) {
        uint id = pbd_state_id(i);
        for (uint k = first; k < end; ++k) {
            slot += pbd_state_id(arrivals[k]) < id ? 1u : 0u;
        }
    }
    return slot;
}

#endif
