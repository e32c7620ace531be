/* vat_limits.c - the check rows of the vat family: which limit each output field has, and why. The scales are in
 * vat_limit_ref.c. */
#include "kernels/vat/vat.h"
#include "kernels/vat/vat_ref.h"

/* Normals that may be another: opposite normals blended to a length near the threshold, matrices without volume. */
static double ill_share(const vfx_case *kase)
{
    (void)kase;
    return 0.001;
}

#define EXACT    \
    {            \
        .abs = 0 \
    }
#define SCALED      \
    {               \
        .scaled = 1 \
    }
/* There is no state: a frame far into a run has the limits of one checked alone. */
#define CHECK(row, name, limit, ...)                                                             \
    {                                                                                            \
        .buffer = VAT_BUFFER_##row, .field = name, .step = limit, .free_run = limit, __VA_ARGS__ \
    }

static const char position_reason[] =
    "texels: a rounded product and sum an axis; rotation: 7.6e-9 + 5u of sine and cosine times the local radius, 5u of "
    "products; sums in any order: 4u of the result, 3u of its local part; not above 8 ulp of max(|x|, extent, distance "
    "to the origin). Matrices: 4u of |M||p|; "
    "bones: 12u + 4u an influence of the weighted |M||p|; filtered: 2^-8 of the frame step, 8u of the image's sides, "
    "half a "
    "code of 8-bit images";
static const char normal_reason[] =
    "decoded code 20u to 32u, blended 3u over the blend's length, rotated 15u, unit 8u; cofactors by their magnitudes";
static const char packed_reason[] = "one step in both octahedral coordinates, 1.31e-4 rad, on top of the vertex's";
static const char moved_reason[] = "integer arithmetic on the plan, or copied";

const vfx_check vat_checks[VAT_CHECK_COUNT] = {
    CHECK(ACTOR, "position", EXACT, .reason = moved_reason),
    CHECK(ACTOR, "yaw", EXACT, .reason = moved_reason),
    CHECK(ACTOR, "scale", EXACT, .reason = moved_reason),
    CHECK(ACTOR, "frame", EXACT, .reason = moved_reason),
    CHECK(ACTOR, "tint", EXACT, .reason = moved_reason),
    CHECK(ACTOR, "flags", EXACT, .reason = moved_reason),

    CHECK(VERTEX, "position", SCALED, .scale = vat_position_scale_f64, .reason = position_reason),
    CHECK(VERTEX, "uv", EXACT, .reason = "copied"),
    CHECK(VERTEX, "normal", SCALED, .scale = vat_normal_scale_f64, .ill_share = ill_share, .reason = normal_reason),
    CHECK(VERTEX, "colour", EXACT, .reason = "integer arithmetic on bytes"),

    CHECK(PACKED, "position", SCALED, .scale = vat_position_scale_f64, .reason = position_reason),
    CHECK(PACKED, "normal", SCALED, .scale = vat_packed_normal_scale_f64, .ill_share = ill_share,
          .reason = packed_reason),

    CHECK(BOUNDS, "min", SCALED, .scale = vat_bounds_scale_f64, .reason = "as the vertex's that is off the most"),
    CHECK(BOUNDS, "max", SCALED, .scale = vat_bounds_scale_f64, .reason = "as the vertex's that is off the most"),
};
