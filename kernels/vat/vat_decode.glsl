/* vat_decode.glsl - the body of the passes with an invocation per vertex. Whoever includes it has defined
 * vat_local_at(vertex, when). Include after local_size. */
#ifndef VAT_DECODE_GLSL
#define VAT_DECODE_GLSL

#include "kernels/vat/vat_actor.glsl"
#include "kernels/vat/vat_store.glsl"
#include "kernels/vat/vat_who.glsl"

void main()
{
    uint first = vat_first_thread();
    uint end = vat_thread_end();
    uint thread = first + gl_LocalInvocationID.x;
    if (thread < end) {
        vat_who who = vat_who_of(thread);
        vat_actor actor = vat_actor_at(who.actor);
        vat_local local = vat_local_at(who.vertex, actor.when);
        vat_put(thread, who.vertex, actor.tint, vat_point(actor.place, local.position),
                vat_normal(actor.place, local.normal));
    }
    vat_store_staged(first, end);
}

#endif
