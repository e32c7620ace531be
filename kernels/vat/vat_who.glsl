/* vat_who.glsl - WHO: the actor and the vertex of a thread, and which threads of a dispatch have one. With
 * VAT_ITEM_IMAGE the item list is an image; with VAT_BOUNDS threads have no vertex. Include after local_size. */
#ifndef VAT_WHO_GLSL
#define VAT_WHO_GLSL

#include "kernels/vat/vat.glsl"

struct vat_who {
    uint actor, vertex;
};

/* First actor of this repeat's batch. */
uint vat_batch_first()
{
    uint size = uint(VAT_BATCH(frame));
    uint batches = (uint(VAT_DRAWN(frame)) + size - 1u) / size;
    return (frame.iteration + frame.index) % batches * size;
}

/* Actors of the batch: fewer in the last one. */
uint vat_batch_actors(uint first)
{
    return min(uint(VAT_DRAWN(frame)) - first, uint(VAT_BATCH(frame)));
}

/* First thread of this workgroup. */
uint vat_first_thread()
{
    return frame.first + gl_WorkGroupID.x * gl_WorkGroupSize.x;
}

#ifndef VAT_BOUNDS

VAT_BUFFER(readonly, uvec4, VAT_BINDING_PART, parts)
#ifdef VAT_ITEM_IMAGE
layout(binding = VAT_BINDING_ITEM_IMAGE) uniform usampler2DArray item_image;

uint vat_item(uint at)
{
    uvec2 halves = texelFetch(item_image, ivec3(at % VAT_ROW, at / VAT_ROW, 0), 0).xy;
    return halves.x | halves.y << 16u;
}
#else
VAT_BUFFER(readonly, uint, VAT_BINDING_ITEM, items)

uint vat_item(uint at)
{
    return items[at];
}
#endif

/* Threads from this one on have no vertex. */
uint vat_thread_end()
{
    if (params.equipment != 0u) {
        return frame.count;
    }
    return min(frame.count, vat_batch_actors(vat_batch_first()) * uint(VAT_VERTICES(frame)));
}

/* The part whose output holds slot `thread`. */
vat_part_range vat_part_of(uint thread)
{
    uint p = 0u;
    for (uint next = 1u; next < uint(VAT_PARTS(frame)); next++) {
        if (parts[next].w <= thread) { /* first_slot */
            p = next;
        }
    }
    return vat_part_range_unpack(uvec4[](parts[p]));
}

/* Precondition: thread < vat_thread_end(). */
vat_who vat_who_of(uint thread)
{
    uint vertex_count = uint(VAT_VERTICES(frame));
    if (params.equipment == 0u) {
        uint in_batch = thread / vertex_count;
        return vat_who(vat_batch_first() + in_batch, thread - in_batch * vertex_count);
    }
    vat_part_range part = vat_part_of(thread);
    uint e = thread - part.first_slot;
    uint item = e / part.vertices;
    uint vertex = part.first_vertex + (e - item * part.vertices);
    return vat_who(min(vat_item(part.first_item + item), uint(VAT_DRAWN(frame)) - 1u), min(vertex, vertex_count - 1u));
}

#endif

#endif
