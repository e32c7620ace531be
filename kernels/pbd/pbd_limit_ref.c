/* pbd_limit_ref.c - how far correct float arithmetic may stray from the truth, record by record: the scales of the
 * check rows of particles. The bounds themselves are carried along in the files that compute the values. Compiled twice
 * like them. */
#include "kernels/pbd/pbd_real.h"

/* The truth is rounded too, when it is stored. */
static double stored(pbd_moved m)
{
    return (double)(m.slack + U * real3_length(m.value));
}

double VFX_REF(pbd_predict_scale)(const vfx_ref *ref, uint64_t record)
{
    const uint64_t n = pbd_params_of(ref)->particles;
    return stored(VFX_REF(pbd_predicted)(ref, (uint32_t)(record / n), record % n));
}

double VFX_REF(pbd_trace_scale)(const vfx_ref *ref, uint64_t record)
{
    const pbd_params *params = pbd_params_of(ref);
    const uint64_t n = params->particles, times = params->iterations + 2, time = record / n % times;
    const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)(record / n / times));
    pbd_tally tally;
    return time < 2 ? 0 : stored(VFX_REF(pbd_iterate)(&w, (uint32_t)time - 2, record % n, &tally));
}

double VFX_REF(pbd_velocity_scale)(const vfx_ref *ref, uint64_t record)
{
    const uint64_t n = pbd_params_of(ref)->particles;
    const pbd_world w = VFX_REF(pbd_world_of)(ref, (uint32_t)(record / n));
    return stored(VFX_REF(pbd_final_velocity)(&w, record % n));
}

double VFX_REF(pbd_particle_scale)(const vfx_ref *ref, uint64_t record)
{
    const pbd_world w = VFX_REF(pbd_world_of)(ref, pbd_params_of(ref)->substeps - 1);
    return stored(VFX_REF(pbd_final_velocity)(&w, record));
}

double VFX_REF(pbd_depth_scale)(const vfx_ref *ref, uint64_t record)
{
    const pbd_world w = VFX_REF(pbd_world_of)(ref, pbd_params_of(ref)->substeps - 1);
    pbd_contact contact;
    bool ill = false;
    const real off = VFX_REF(pbd_deepest)(&w, record, &contact, &ill);
    return (double)(off + U * (real)contact.depth);
}
