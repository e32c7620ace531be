/* vat_who.glsl - WHO: the entry of a group of VAT_LANES invocations: an actor, or one part of an actor that carries it.
 * With VAT_ITEM_IMAGE the item list is an image; with VAT_BOUNDS there are no parts. Include after local_size. */
#ifndef VAT_WHO_GLSL
#define VAT_WHO_GLSL

#include "kernels/vat/vat.glsl"

/* Vertices first_vertex.. of `actor`, for the slots first_slot.. of the output. */
struct vat_entry {
    uint actor, first_vertex, vertices, first_slot;
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

/* The part of item `item`: the last that begins at or before it. */
vat_part_range vat_part_of(uint item)
{
    uint p = 0u;
    for (uint next = 1u; next < uint(VAT_PARTS(frame)); next++) {
        if (parts[next].z <= item) { /* first_item */
            p = next;
        }
    }
    return vat_part_range_unpack(uvec4[](parts[p]));
}

/* The entry of group `group`; without vertices where there is none. */
vat_entry vat_entry_of(uint group)
{
    uint count = uint(VAT_VERTICES(frame));
    if (params.equipment == 0u) {
        uint first = vat_batch_first();
        return vat_entry(first + group, 0u, group < vat_batch_actors(first) ? count : 0u, group * count);
    }
    if (group >= frame.count / VAT_LANES) {
        return vat_entry(0u, 0u, 0u, 0u);
    }
    vat_part_range part = vat_part_of(group);
    uint actor = min(vat_item(group), uint(VAT_DRAWN(frame)) - 1u);
    uint first_vertex = min(part.first_vertex, count - 1u);
    return vat_entry(actor, first_vertex, min(part.vertices, count - first_vertex),
                     part.first_slot + (group - part.first_item) * part.vertices);
}

#endif

#endif
