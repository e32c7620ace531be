/* kernels/vat/gltf_primitive.c - one primitive of a mesh: its attributes and its triangles, whatever way they are
 * listed. Primitives without normals are shaded flat, as the standard asks: every corner becomes a vertex. */
#include "kernels/vat/gltf_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

/* Attribute `name`, `expected` elements (0: any number); where it is missing, *values is NULL. */
static vfx_status read_attribute(const gltf_at *attributes, const char *name, const char *type, unsigned allowed,
                                 uint32_t expected, double **values)
{
    uint32_t index, count;
    *values = NULL;
    VFX_TRY(gltf_index_or_none(attributes, name, "accessors", &index));
    if (index == GLTF_NONE)
        return VFX_OK;
    return gltf_read_accessor(attributes->file, index, type, allowed, expected, values, &count);
}

static vfx_status read_position(gltf_primitive *p)
{
    const gltf_at at = gltf_member(&p->attributes, "POSITION");
    const unsigned allowed = GLTF_F32 | GLTF_PLAIN8 | GLTF_PLAIN16 | GLTF_PLAIN_S | GLTF_UNORM | GLTF_SNORM;
    uint32_t index;
    VFX_TRY(gltf_index(&at, "accessors", &index));
    VFX_TRY(gltf_read_accessor(at.file, index, "VEC3", allowed, 0, &p->position, &p->vertex_count));
    if (p->vertex_count > VAT_MAX_VERTICES)
        return gltf_fail(&at, VFX_IO, "%u vertices, at most %d are read", p->vertex_count, VAT_MAX_VERTICES);
    return VFX_OK;
}

/* JOINTS_n and WEIGHTS_n: both or none. */
static vfx_status read_influences(gltf_primitive *p, int set)
{
    static const char *const joints[] = {"JOINTS_0", "JOINTS_1"}, *const weights[] = {"WEIGHTS_0", "WEIGHTS_1"};
    VFX_TRY(read_attribute(&p->attributes, joints[set], "VEC4", GLTF_PLAIN8 | GLTF_PLAIN16, p->vertex_count,
                           &p->joint[set]));
    VFX_TRY(
        read_attribute(&p->attributes, weights[set], "VEC4", GLTF_F32 | GLTF_UNORM, p->vertex_count, &p->weight[set]));
    if ((p->joint[set] == NULL) != (p->weight[set] == NULL))
        return gltf_fail(&p->attributes, VFX_IO, "%s and %s need each other", joints[set], weights[set]);
    return VFX_OK;
}

/* ---------------------------------------------------------------------------------------- triangles */

/* Corner `corner` of triangle `triangle` in the list of a mode. */
static uint32_t corner_of(uint64_t mode, uint32_t triangle, uint32_t corner)
{
    if (mode == MODE_STRIP) /* every second triangle has its last two corners swapped */
        return triangle + (corner == 0 ? 0 : corner == 1 ? 1 + triangle % 2 : 2 - triangle % 2);
    if (mode == MODE_FAN)
        return corner == 2 ? 0 : triangle + corner + 1;
    return 3 * triangle + corner;
}

/* `list` (NULL: 0, 1, 2, ...) holds `count` vertices. */
static vfx_status list_triangles(gltf_primitive *p, const gltf_at *at, uint64_t mode, const double *list,
                                 uint32_t count)
{
    if (mode == MODE_TRIANGLES ? count % 3 != 0 : count < 3)
        return gltf_fail(at, VFX_IO, "%u corners make no whole triangles", count);
    const uint32_t triangles = mode == MODE_TRIANGLES ? count / 3 : count - 2;
    if (triangles > (uint32_t)INT32_MAX / 3)
        return gltf_fail(at, VFX_IO, "%u triangles are too many", triangles);
    VFX_TRY(gltf_allocate(at, (size_t)triangles * 3, sizeof *p->triangles, &p->triangles));
    p->index_count = triangles * 3;
    for (uint32_t i = 0; i < p->index_count; i++) {
        const uint32_t k = corner_of(mode, i / 3, i % 3);
        const double vertex = list != NULL ? list[k] : k;
        if (!(vertex < p->vertex_count))
            return gltf_fail(at, VFX_IO, "index %u is %.0f, but there are %u vertices", k, vertex, p->vertex_count);
        p->triangles[i] = (uint32_t)vertex;
    }
    return VFX_OK;
}

static vfx_status read_triangles(gltf_primitive *p)
{
    const gltf_at mode_at = gltf_member(&p->at, "mode");
    uint32_t index, count;
    uint64_t mode;
    double *list = NULL;
    VFX_TRY(gltf_uint_or(&p->at, "mode", MODE_TRIANGLES, MODE_FAN, &mode));
    if (mode < MODE_TRIANGLES)
        return gltf_fail(&mode_at, VFX_UNSUPPORTED, "%llu: points and lines are not read, only triangles (4, 5, 6)",
                         (unsigned long long)mode);
    VFX_TRY(gltf_index_or_none(&p->at, "indices", "accessors", &index));
    if (index == GLTF_NONE)
        return list_triangles(p, &p->at, mode, NULL, p->vertex_count);
    const gltf_at at = gltf_listed(p->at.file, "accessors", index);
    VFX_TRY(gltf_read_accessor(at.file, index, "SCALAR", GLTF_INDEX, 0, &list, &count));
    const vfx_status status = list_triangles(p, &at, mode, list, count);
    free(list);
    return status;
}

/* ---------------------------------------------------------------------------------------- primitive */

vfx_status gltf_read_primitive(gltf_primitive *p, const gltf_at *at, bool skinned)
{
    const unsigned uv_kinds = GLTF_F32 | GLTF_UNORM | GLTF_SNORM | GLTF_PLAIN8 | GLTF_PLAIN16 | GLTF_PLAIN_S;
    p->at = *at;
    p->attributes = gltf_member(at, "attributes");
    VFX_TRY(read_position(p));
    VFX_TRY(read_attribute(&p->attributes, "NORMAL", "VEC3", GLTF_F32 | GLTF_SNORM, p->vertex_count, &p->normal));
    p->flat = p->normal == NULL;
    VFX_TRY(read_attribute(&p->attributes, "TEXCOORD_0", "VEC2", uv_kinds, p->vertex_count, &p->uv));
    for (int set = 0; set < 2 && skinned; set++)
        VFX_TRY(read_influences(p, set));
    VFX_TRY(read_triangles(p));
    if (gltf_output_count(p) > VAT_MAX_VERTICES)
        return gltf_fail(at, VFX_IO, "%u vertices, at most %d are read", gltf_output_count(p), VAT_MAX_VERTICES);
    return VFX_OK;
}

void gltf_free_primitive(gltf_primitive *p)
{
    free(p->position);
    free(p->normal);
    free(p->uv);
    for (int set = 0; set < 2; set++) {
        free(p->joint[set]);
        free(p->weight[set]);
    }
    free(p->triangles);
    *p = (gltf_primitive){0};
}

uint32_t gltf_output_count(const gltf_primitive *p)
{
    return p->flat ? p->index_count : p->vertex_count;
}

uint32_t gltf_source_of(const gltf_primitive *p, uint32_t vertex)
{
    return p->flat ? p->triangles[vertex] : vertex;
}

void gltf_flat_normal(const double a[3], const double b[3], const double c[3], double normal[3])
{
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    for (int i = 0; i < 3; i++)
        normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0 ? normal[i] / length : i == 1;
}
