/* vat_where.glsl - WHERE: from the model's space to the world. Two forms hold all kinds: a scale for each axis and a
 * turn about +y (yaw, scale2d, source), or a full matrix (billboard, matrix). */
#ifndef VAT_WHERE_GLSL
#define VAT_WHERE_GLSL

#include "kernels/vat/vat.glsl"

#define VAT_TURNED (KIND != VAT_KIND_BILLBOARD && KIND != VAT_KIND_MATRIX)

struct vat_place {
    vec3 origin;           /* m */
    vec2 turn;             /* (cos, sin) of yaw */
    vec3 scale;            /* before the turn */
    vec3 facing;           /* the same for normals: inverse of scale, times a positive number */
    vec2 facing_x, facing_z; /* facing x and z turned: what m.x and m.z give to x and z */
    vec3 row0, row1, row2; /* of the matrix */
};

struct vat_actor {
    vat_place place;
    vat_when when;
    uint tint; /* rgb8 | skin layer << 24 */
};

/* (cos, sin) of an angle in turns. Unlike vfx_dir_turns it loses no bit of the angle to the quarter turn. */
vec2 vat_turn_of(float turns)
{
    precise float near = turns - floor(turns + 0.5); /* [-1/2, 1/2] */
    precise float from_quarter = 0.25 - abs(near);
    return vec2(vfx_sin_turns(from_quarter), vfx_sin_turns(near));
}

vat_place vat_place_none()
{
    return vat_place(vec3(0.0), vec2(0.0), vec3(0.0), vec3(0.0), vec2(0.0), vec2(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
}

/* With the turn and facing of `place`. */
vat_place vat_faced(vat_place place)
{
    precise vec2 by_x = place.facing.x * place.turn;
    precise vec2 by_z = place.facing.z * place.turn;
    place.facing_x = vec2(by_x.x, -by_x.y);
    place.facing_z = vec2(by_z.y, by_z.x);
    return place;
}

/* Kinds yaw and source. */
vat_place vat_place_turned(vec3 origin, float turns, float scale, bool mirrored)
{
    vat_place place = vat_place_none();
    place.origin = origin;
    place.turn = vat_turn_of(turns);
    place.scale = vec3(mirrored ? -scale : scale, scale, scale);
    place.facing = vec3(mirrored ? -1.0 : 1.0, 1.0, 1.0);
    return vat_faced(place);
}

/* Kind scale2d. 1 / width, 1, 1 / height times |width height|. */
vat_place vat_place_scaled(vec3 origin, float turns, float width, float height)
{
    precise float area = abs(width * height);
    vat_place place = vat_place_none();
    place.origin = origin;
    place.turn = vat_turn_of(turns);
    place.scale = vec3(width, 1.0, height);
    place.facing = vec3(width < 0.0 ? -abs(height) : abs(height), area, height < 0.0 ? -abs(width) : abs(width));
    return vat_faced(place);
}

vat_place vat_place_matrix(vec4 row0, vec4 row1, vec4 row2)
{
    vat_place place = vat_place_none();
    place.origin = vec3(row0.w, row1.w, row2.w);
    place.row0 = row0.xyz;
    place.row1 = row1.xyz;
    place.row2 = row2.xyz;
    return place;
}

vat_place vat_place_billboard(vec3 origin, float scale)
{
    precise vec3 right = scale * VAT_CAMERA_RIGHT(frame);
    precise vec3 up = scale * VAT_CAMERA_UP(frame);
    precise vec3 back = scale * VAT_CAMERA_BACK(frame);
    return vat_place_matrix(vec4(right.x, up.x, back.x, origin.x), vec4(right.y, up.y, back.y, origin.y),
                            vec4(right.z, up.z, back.z, origin.z));
}

vec3 vat_turned(vec2 turn, vec3 v)
{
    precise float x = turn.x * v.x + turn.y * v.z;
    precise float z = turn.x * v.z - turn.y * v.x;
    return vec3(x, v.y, z);
}

/* m times the inverse transpose of a matrix, times a positive number: sign(det) cofactor m. */
vec3 vat_cofactor(vec3 row0, vec3 row1, vec3 row2, vec3 m)
{
    vec3 first = vfx_cross(row1, row2);
    vec3 n = vec3(vfx_dot(first, m), vfx_dot(vfx_cross(row2, row0), m), vfx_dot(vfx_cross(row0, row1), m));
    return vfx_dot(row0, first) < 0.0 ? -n : n;
}

/* World position of p. */
vec3 vat_point(vat_place place, vec3 p)
{
    vec3 v;
    if (VAT_TURNED) {
        precise vec3 scaled = place.scale * p;
        v = vat_turned(place.turn, scaled);
    } else {
        v = vec3(vfx_dot(place.row0, p), vfx_dot(place.row1, p), vfx_dot(place.row2, p));
    }
    precise vec3 result = v + place.origin;
    return result;
}

/* World normal of m, neither of unit length. */
vec3 vat_normal(vat_place place, vec3 m)
{
    if (VAT_TURNED) {
        precise vec3 result = vec3(fma(place.facing_x.x, m.x, place.facing_z.x * m.z), place.facing.y * m.y,
                                   fma(place.facing_x.y, m.x, place.facing_z.y * m.z));
        return result;
    }
    return vat_cofactor(place.row0, place.row1, place.row2, m);
}

#endif
