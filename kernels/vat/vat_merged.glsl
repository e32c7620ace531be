/* vat_merged.glsl - the map from stored positions to metres and an actor's transform as one affine map, made once for
 * all vertices of an actor. Stored positions are blended codes, or metres (format f32, and with VAT_METRES). */
#ifndef VAT_MERGED_GLSL
#define VAT_MERGED_GLSL

#include "kernels/vat/vat_local.glsl"
#include "kernels/vat/vat_where.glsl"

#ifdef VAT_METRES
const bool VAT_CODES = false;
#else
const bool VAT_CODES = FORMAT != VAT_FORMAT_F32;
#endif

/* Rows and origin take stored positions; turn and facing are as they were. */
vat_place vat_merge(vat_place place)
{
    vec3 least = VAT_CODES ? VAT_MAP_MIN(frame) : vec3(0.0);
    precise vec3 step = VAT_CODES ? VAT_MAP_STEP(frame) * 256.0 : vec3(1.0); /* exact: a power of two */
    vat_place merged = place;
    merged.origin = vat_point(place, least);
    if (VAT_TURNED) {
        precise vec3 scaled = place.scale * step;
        precise vec2 by_cosine = place.turn.x * scaled.xz;
        precise vec2 by_sine = place.turn.y * scaled.xz;
        merged.row0 = vec3(by_cosine.x, 0.0, by_sine.y);
        merged.row1 = vec3(0.0, scaled.y, 0.0);
        merged.row2 = vec3(-by_sine.x, 0.0, by_cosine.y);
        return merged;
    }
    precise vec3 row0 = place.row0 * step;
    precise vec3 row1 = place.row1 * step;
    precise vec3 row2 = place.row2 * step;
    merged.row0 = row0;
    merged.row1 = row1;
    merged.row2 = row2;
    return merged;
}

/* World position of a stored one. */
vec3 vat_merged_point(vat_place merged, vec3 v)
{
    if (VAT_TURNED) { /* the rows' other entries are zero */
        precise vec3 turned = vec3(fma(merged.row0.x, v.x, fma(merged.row0.z, v.z, merged.origin.x)),
                                   fma(merged.row1.y, v.y, merged.origin.y),
                                   fma(merged.row2.x, v.x, fma(merged.row2.z, v.z, merged.origin.z)));
        return turned;
    }
    precise vec3 result = vec3(vat_dot(merged.row0, v), vat_dot(merged.row1, v), vat_dot(merged.row2, v)) + merged.origin;
    return result;
}

#endif
