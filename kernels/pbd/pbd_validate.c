/* pbd_validate.c - what the family refuses: parameters that do not go together, sizes beyond what the shaders count,
 * and particles of an `input` file that are none. */
#include "core/npy.h"
#include "kernels/pbd/pbd.h"
#include "kernels/pbd/pbd_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 }; /* of the input file */

static const pbd_params *params_of(const vfx_case *kase)
{
    return VFX_CASE_PARAMS(kase, pbd_params);
}

/* Text of the host parameter `input`. */
static const char *input_of(const vfx_case *kase)
{
    for (uint32_t i = 0; i < kase->kernel->host_param_count; i++)
        if (strcmp(kase->kernel->host_params[i].name, PBD_INPUT_PARAM) == 0)
            return kase->host_values[i];
    return "";
}

/* -------------------------------------------------------------------------------------------- sizes */

static vfx_status check_size(const char *what, const char *name, uint64_t count)
{
    if (count <= UINT32_MAX)
        return VFX_OK;
    return vfx_fail(VFX_USAGE,
                    "%s %s has %llu elements, shaders count in 32 bits (at most %lu); lower particles, substeps, "
                    "iterations, capacity, list_capacity or the domain, or raise cell",
                    what, name, (unsigned long long)count, (unsigned long)UINT32_MAX);
}

/* Records and invocations; what a pass counts pairs in. */
static vfx_status check_sizes(const vfx_case *kase)
{
    uint32_t n[3];
    pbd_cells_each(kase, n);
    for (int axis = 0; axis < 3 && pbd_variant_of(kase) != PBD_HASHED && pbd_variant_of(kase) != PBD_BRUTE; axis++)
        if (n[axis] >= 1u << 24)
            return vfx_fail(VFX_USAGE, "size_%c = %g is %u cells of %g m, at most 16777215: raise cell", "xyz"[axis],
                            (double)(axis == 0   ? params_of(kase)->size_x
                                     : axis == 1 ? params_of(kase)->size_y
                                                 : params_of(kase)->size_z),
                            n[axis], (double)pbd_cell_side(kase));
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++)
        if (kase->variant->buffers >> i & 1u)
            VFX_TRY(check_size("buffer", kase->kernel->buffers[i].name, kase->kernel->buffers[i].count(kase)));
    for (uint32_t i = 0; i < kase->variant->pass_count; i++)
        VFX_TRY(check_size("pass", kase->variant->passes[i].name, kase->variant->passes[i].threads(kase)));
    return VFX_OK;
}

/* The 27 cells around a particle must hold all that touch it. */
static vfx_status check_cell(const vfx_case *kase)
{
    const float diameter = 2.0f * pbd_largest_radius(kase), cell = pbd_cell_side(kase);
    if (!(diameter <= cell))
        return vfx_fail(
            VFX_USAGE,
            "cell = %g is less than the largest diameter %g (mass_high, density, or radii of input): contacts "
            "would be missed; raise it, or leave it at 0",
            (double)cell, (double)diameter);
    if (pbd_variant_of(kase) == PBD_LIST && !(diameter + pbd_skin(kase) <= cell))
        return vfx_fail(VFX_USAGE, "cell = %g is less than the largest diameter and the skin, %g: lower skin",
                        (double)cell, (double)(diameter + pbd_skin(kase)));
    return VFX_OK;
}

/* Between walls that are closer than its diameter a particle has no place. */
static vfx_status check_walls(const vfx_case *kase)
{
    const pbd_params *params = params_of(kase);
    const float diameter = 2.0f * pbd_largest_radius(kase), sizes[3] = {params->size_x, params->size_y, params->size_z};
    for (int axis = 0; params->walls && axis < 3; axis++)
        if (!(diameter <= sizes[axis]))
            return vfx_fail(
                VFX_USAGE,
                "size_%c = %g is less than the largest diameter %g (mass_high, density, or radii of input): raise "
                "it, or set walls = off",
                "xyz"[axis], (double)sizes[axis], (double)diameter);
    return VFX_OK;
}

vfx_status pbd_validate(const vfx_case *kase)
{
    const pbd_params *params = params_of(kase);
    if (!(params->mass_low <= params->mass_high))
        return vfx_fail(VFX_USAGE, "mass_low = %g must not exceed mass_high = %g", (double)params->mass_low,
                        (double)params->mass_high);
    if (!(params->friction_kinetic <= params->friction_static))
        return vfx_fail(VFX_USAGE, "friction_kinetic = %g must not exceed friction_static = %g",
                        (double)params->friction_kinetic, (double)params->friction_static);
    if ((params->buckets & (params->buckets - 1u)) != 0u)
        return vfx_fail(VFX_USAGE, "buckets = %u is no power of two", params->buckets);
    if (!((float)((double)kase->dt / params->substeps) > 0.0f))
        return vfx_fail(VFX_USAGE, "dt = %g is too short for substeps = %u", (double)kase->dt, params->substeps);
    if (kase->variant == NULL)
        return VFX_OK;
    if (input_of(kase)[0] == '\0' || kase->asset != NULL) { /* else the radii are not known yet */
        VFX_TRY(check_cell(kase));
        VFX_TRY(check_walls(kase));
    }
    return check_sizes(kase);
}

/* --------------------------------------------------------------------------------------------- load */

/* Squares, and sums over all particles of what METRIC adds up, stay finite floats within these. Masses are those of the
 * parameters, and a radius has a cell. */
static vfx_status check_row(const char *path, uint32_t i, const float row[COLUMNS])
{
    static const struct {
        const char *name;
        float least, most;
    } columns[COLUMNS] = {
        {"x", -1e9f, 1e9f},  {"y", -1e9f, 1e9f},  {"z", -1e9f, 1e9f},    {"vx", -1e9f, 1e9f},
        {"vy", -1e9f, 1e9f}, {"vz", -1e9f, 1e9f}, {"mass", 1e-6f, 1e6f}, {"radius", 1e-6f, 500.0f},
    };
    for (int c = 0; c < COLUMNS; c++)
        if (!(row[c] >= columns[c].least && row[c] <= columns[c].most)) /* so also NaN */
            return vfx_fail(VFX_USAGE, "%s: particle %u: %s is %g, must be %g to %g", path, i, columns[c].name,
                            (double)row[c], (double)columns[c].least, (double)columns[c].most);
    return VFX_OK;
}

static vfx_status read_input(const char *path, uint32_t particles, pbd_asset *asset)
{
    asset->rows = calloc(particles, sizeof *asset->rows);
    if (asset->rows == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for the %u particles of %s", particles, path);
    VFX_TRY(vfx_npy_read_floats(path, "particles", particles, COLUMNS, asset->rows[0]));
    asset->alike = true;
    for (uint32_t i = 0; i < particles; i++) {
        VFX_TRY(check_row(path, i, asset->rows[i]));
        asset->largest = fmaxf(asset->largest, asset->rows[i][7]);
        asset->alike = asset->alike && asset->rows[i][6] == asset->rows[0][6];
    }
    return VFX_OK;
}

vfx_status pbd_load(vfx_case *kase)
{
    const char *path = input_of(kase);
    const uint32_t particles = params_of(kase)->particles;
    if (pbd_variant_of(kase) == PBD_BRUTE && particles > PBD_BRUTE_MOST)
        return vfx_fail(VFX_UNSUPPORTED, "brute tests all pairs: particles = %u, at most %u; another variant will do",
                        particles, PBD_BRUTE_MOST);
    kase->asset = NULL;
    if (path[0] == '\0')
        return VFX_OK;
    pbd_asset *asset = calloc(1, sizeof *asset);
    if (asset == NULL)
        return vfx_fail(VFX_MEMORY, "out of memory for %s", path);
    kase->asset = asset;
    vfx_status status = read_input(path, particles, asset);
    if (status == VFX_OK)
        status = pbd_validate(kase); /* with the file's radii */
    if (status != VFX_OK)
        pbd_unload(kase);
    return status;
}

void pbd_unload(vfx_case *kase)
{
    pbd_asset *asset = kase->asset;
    if (asset != NULL)
        free(asset->rows);
    free(asset);
    kase->asset = NULL;
}
