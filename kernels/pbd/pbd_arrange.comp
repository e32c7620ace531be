/* pbd_arrange.comp - variant cells-capped: the entries of each cell by id (insertion sort), so that sums do not depend
 * on who came first. An overfull cell still depends on it: in who was dropped. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_state.glsl"

PBD_BUFFER(readonly, uint, PBD_BINDING_COUNT, counts)
PBD_BUFFER(, uint, PBD_BINDING_SLOT, slots)

void main()
{
    uint key = pbd_thread();
    if (key >= frame.count || ORDERED == 0u) {
        return;
    }
    uint entries = min(counts[pbd_cells_at() + key], params.capacity);
    uint first = (frame.substep * pbd_cells() + key) * params.capacity;
    for (uint next = 1u; next < entries; ++next) {
        uint i = slots[first + next], id = pbd_state_id(i), at = next;
        for (; at > 0u; --at) {
            uint before = slots[first + at - 1u];
            if (pbd_state_id(before) < id) {
                break;
            }
            slots[first + at] = before;
        }
        slots[first + at] = i;
    }
}
