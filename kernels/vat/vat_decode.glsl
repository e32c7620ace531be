/* vat_decode.glsl - the body of the decode passes: VAT_LANES invocations go through the vertices of an entry. Whoever
 * includes it has defined vat_local_at(vertex, when), and with VAT_OWN_ACTOR also vat_actor_at(actor). Include after
 * local_size. */
#ifndef VAT_DECODE_GLSL
#define VAT_DECODE_GLSL

#ifndef VAT_OWN_ACTOR
#include "kernels/vat/vat_actor.glsl"
#endif
#include "kernels/vat/vat_merged.glsl"
#include "kernels/vat/vat_store.glsl"
#include "kernels/vat/vat_who.glsl"

/* Stores vertex n of the entry. */
void put_local(vat_entry entry, vat_actor actor, vat_place merged, uint n, vat_local local)
{
    vat_put(entry.first_slot + n, entry.first_vertex + n, actor.tint, vat_merged_point(merged, local.position),
            vat_normal(actor.place, local.normal));
}

void decode(vat_entry entry, vat_actor actor, vat_place merged, uint n)
{
    put_local(entry, actor, merged, n, vat_local_at(entry.first_vertex + n, actor.when));
}

/* Two vertices at a time, so that the loads of both are under way together. */
void decode_packed(vat_entry entry, vat_actor actor, vat_place merged, uint lane)
{
    for (uint n = lane; n < entry.vertices; n += 2u * VAT_LANES) {
        uint m = n + VAT_LANES;
        if (m < entry.vertices) {
            vat_local a = vat_local_at(entry.first_vertex + n, actor.when);
            vat_local b = vat_local_at(entry.first_vertex + m, actor.when);
            put_local(entry, actor, merged, n, a);
            put_local(entry, actor, merged, m, b);
        } else {
            decode(entry, actor, merged, n);
        }
    }
}

void main()
{
    uint thread = vat_first_thread() + gl_LocalInvocationID.x;
    uint lane = thread % VAT_LANES;
    vat_entry entry = vat_entry_of(thread / VAT_LANES);
    vat_actor actor = vat_actor_at(min(entry.actor, uint(VAT_DRAWN(frame)) - 1u));
    vat_place merged = vat_merge(actor.place);
    if (VERTEX == VAT_VERTEX_PACKED) {
        decode_packed(entry, actor, merged, lane);
        return;
    }
    /* Staged stores need all lanes of the workgroup, as often as the longest entry does. */
    for (uint base = 0u; base < uint(VAT_VERTICES(frame)); base += VAT_LANES) {
        if (base + lane < entry.vertices) {
            decode(entry, actor, merged, base + lane);
        }
        vat_store_staged(entry.first_slot + base, base < entry.vertices ? min(entry.vertices - base, VAT_LANES) : 0u);
    }
}

#endif
