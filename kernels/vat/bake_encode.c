/* bake_encode.c - texels from positions and normals, and back. Texels are in the host's byte order, as a device reads
 * them; the files' byte order is bake_write.c's business. */
#include "kernels/vat/bake_internal.h"

#include <math.h>
#include <string.h>

const char *const vat_format_names[] = {"u16oct8", "rgba8", "rgba16", "f32", "bones", NULL};
const char *const vat_sampling_names[] = {"closed", "source", "source-late", NULL};

uint32_t vat_texel_bytes(vat_format format)
{
    static const uint32_t bytes[] = {8, 8, 16, 32, 0};
    return bytes[format];
}

/* ---------------------------------------------------------------------------------------------- numbers */

/* Whole number nearest to x, within 0..most. */
static uint32_t round_code(double x, double most)
{
    return x > 0 ? (uint32_t)(fmin(x, most) + 0.5) : 0;
}

/* snorm of `bits` bits, two's complement. */
static double snorm_decode(uint32_t code, uint32_t bits)
{
    int32_t sign = 1 << (bits - 1), value = (int32_t)code;
    if (value >= sign)
        value -= 2 * sign;
    return fmax(value / (double)(sign - 1), -1);
}

/* Where the lower half of the octahedron unfolds to; zero counts as positive. */
static double fold(double a, double b)
{
    return (1 - fabs(b)) * (a < 0 ? -1 : 1);
}

static void make_unit(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++)
        v[a] = length > 0 ? v[a] / length : a == 1;
}

/* Unit vector of a point of the square [-1, 1]^2. */
static void unfold(double x, double y, double n[3])
{
    double z = 1 - (fabs(x) + fabs(y));
    n[0] = z < 0 ? fold(x, y) : x;
    n[1] = z < 0 ? fold(y, x) : y;
    n[2] = z;
    make_unit(n);
}

static void octahedral_decode(uint32_t code_x, uint32_t code_y, uint32_t bits, double n[3])
{
    unfold(snorm_decode(code_x, bits), snorm_decode(code_y, bits), n);
}

/* The best of the four codes around the point: rounding alone is off by up to 0.96 degrees with 8 bits, this by 0.64.
 */
static void octahedral_encode(const float n[3], uint32_t bits, uint32_t code[2])
{
    double sum = fabs((double)n[0]) + fabs((double)n[1]) + fabs((double)n[2]), best = -2;
    double x = sum > 0 ? n[0] / sum : 0, y = sum > 0 ? n[1] / sum : 0, most = (double)((1 << (bits - 1)) - 1);
    bool lower = n[2] < 0;
    double left = floor((lower ? fold(x, y) : x) * most), low = floor((lower ? fold(y, x) : y) * most);
    for (int i = 0; i < 4; i++) {
        double u = fmin(left + (i & 1), most), v = fmin(low + (i >> 1), most), decoded[3];
        unfold(u / most, v / most, decoded);
        double cosine = decoded[0] * n[0] + decoded[1] * n[1] + decoded[2] * n[2];
        if (cosine <= best)
            continue;
        best = cosine;
        code[0] = (uint32_t)(int32_t)u & ((1u << bits) - 1);
        code[1] = (uint32_t)(int32_t)v & ((1u << bits) - 1);
    }
}

/* ----------------------------------------------------------------------------------------------- encode */

static double most_code(vat_format format)
{
    return format == VAT_RGBA8 ? 255 : 65535;
}

void vat_encode_map(const vat_bake *bake, vat_format format, bool fixed, float map_min[3], float map_step[3])
{
    bool raw = format == VAT_F32 || format == VAT_BONES;
    for (int a = 0; a < 3; a++) {
        double least = fixed ? -1 : bake->box_min[a], most = fixed ? 1 : bake->box_max[a];
        map_min[a] = raw ? 0 : (float)least;
        map_step[a] = raw ? 1 : (float)((most - least) / most_code(format));
    }
}

/* Codes of a position: the nearest; 0 on an axis without range. */
static void encode_position(const float p[3], double most, const float map_min[3], const double per_step[3],
                            uint32_t code[3])
{
    for (int a = 0; a < 3; a++)
        code[a] = round_code(((double)p[a] - map_min[a]) * per_step[a], most);
}

static void encode_texel(const float p[3], const float n[3], vat_format format, const float map_min[3],
                         const double per_step[3], uint8_t *texel)
{
    uint32_t code[3], oct[2];
    uint16_t words[8] = {0};
    float floats[8] = {p[0], p[1], p[2], 0, n[0], n[1], n[2], 0};
    encode_position(p, most_code(format), map_min, per_step, code);
    for (int a = 0; a < 3; a++)
        words[a] = (uint16_t)code[a];
    switch (format) {
    case VAT_U16OCT8:
        octahedral_encode(n, 8, oct);
        words[3] = (uint16_t)(oct[0] | oct[1] << 8);
        memcpy(texel, words, 8);
        break;
    case VAT_RGBA8:
        for (int a = 0; a < 3; a++) {
            texel[a] = (uint8_t)code[a];
            texel[4 + a] = (uint8_t)round_code((n[a] * 0.5 + 0.5) * 255, 255);
        }
        texel[3] = texel[7] = 0;
        break;
    case VAT_RGBA16:
        octahedral_encode(n, 16, oct);
        words[4] = (uint16_t)oct[0];
        words[5] = (uint16_t)oct[1];
        memcpy(texel, words, sizeof words);
        break;
    case VAT_F32:
        memcpy(texel, floats, sizeof floats);
        break;
    case VAT_BONES:
        break;
    }
}

void vat_encode_texels(const vat_bake *bake, vat_format format, const float map_min[3], const float map_step[3],
                       uint8_t *texels)
{
    double per_step[3];
    for (int a = 0; a < 3; a++)
        per_step[a] = map_step[a] > 0 ? 1 / (double)map_step[a] : 0;
    size_t count = (size_t)bake->frames * bake->vertices, bytes = vat_texel_bytes(format);
    for (size_t i = 0; i < count; i++)
        encode_texel(bake->positions[i], bake->normals[i], format, map_min, per_step, texels + i * bytes);
}

vfx_status vat_bake_encode(const vat_bake *bake, vat_format format, uint8_t *texels, float map_min[3],
                           float map_step[3])
{
    if (format == VAT_BONES || bake->positions == NULL || bake->normals == NULL)
        return vfx_fail(VFX_USAGE, "this bake cannot be encoded as %s: %s", vat_format_names[format],
                        format == VAT_BONES ? "bones have no texels" : "its unquantised frames are not there");
    bool fixed = format == VAT_RGBA8;
    for (int a = 0; a < 3; a++)
        fixed = fixed && bake->box_min[a] >= -1 && bake->box_max[a] <= 1;
    vat_encode_map(bake, format, fixed, map_min, map_step);
    vat_encode_texels(bake, format, map_min, map_step, texels);
    return VFX_OK;
}

/* ----------------------------------------------------------------------------------------------- decode */

void vat_bake_decode(const uint8_t *texel, vat_format format, const float map_min[3], const float map_step[3],
                     double position[3], double normal[3])
{
    uint16_t words[8] = {0};
    float floats[8] = {0};
    if (format == VAT_F32) {
        memcpy(floats, texel, sizeof floats);
        for (int a = 0; a < 3; a++) {
            position[a] = floats[a];
            normal[a] = floats[4 + a];
        }
        make_unit(normal);
        return;
    }
    if (format == VAT_RGBA8) {
        for (int i = 0; i < 8; i++)
            words[i] = texel[i];
    } else {
        memcpy(words, texel, vat_texel_bytes(format));
    }
    for (int a = 0; a < 3; a++)
        position[a] = (double)map_min[a] + (double)map_step[a] * words[a];
    if (format == VAT_U16OCT8) {
        octahedral_decode(words[3] & 0xffu, (uint32_t)words[3] >> 8, 8, normal);
    } else if (format == VAT_RGBA16) {
        octahedral_decode(words[4], words[5], 16, normal);
    } else {
        for (int a = 0; a < 3; a++)
            normal[a] = 2.0 * words[4 + a] / 255 - 1;
        make_unit(normal);
    }
}
