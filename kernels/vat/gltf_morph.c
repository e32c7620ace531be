/* kernels/vat/gltf_morph.c - morph targets: deltas of positions and normals for the vertices of a part. A primitive
 * without normals gets flat ones in its targets too; they are exact for one target at weight 1. */
#include "kernels/vat/gltf_internal.h"

#include <stdlib.h>

/* Deltas `name` of a target for `count` vertices from `first` on go to *deltas, an array for the whole part, which is
 * made when it is first needed. */
static vfx_status read_deltas(const gltf_at *target, const char *name, const gltf_primitive *p, uint32_t first,
                              const vat_part *part, double (**deltas)[3])
{
    const unsigned allowed = GLTF_F32 | GLTF_SNORM | GLTF_UNORM | GLTF_PLAIN_S | GLTF_PLAIN8 | GLTF_PLAIN16;
    double *values;
    uint32_t index, count;
    VFX_TRY(gltf_index_or_none(target, name, "accessors", &index));
    if (index == GLTF_NONE)
        return VFX_OK;
    if (*deltas == NULL)
        VFX_TRY(gltf_allocate(target, part->vertex_count, sizeof **deltas, deltas));
    VFX_TRY(gltf_read_accessor(target->file, index, "VEC3", allowed, p->vertex_count, &values, &count));
    for (uint32_t i = 0; i < gltf_output_count(p); i++)
        for (uint32_t k = 0; k < 3; k++)
            (*deltas)[first + i][k] = values[(size_t)gltf_source_of(p, i) * 3 + k];
    free(values);
    return VFX_OK;
}

/* Normal deltas of a flat primitive, from the position deltas. */
static vfx_status flatten(const gltf_at *at, const gltf_primitive *p, uint32_t first, const vat_part *part,
                          vat_target *target)
{
    if (target->position == NULL)
        return VFX_OK;
    if (target->normal == NULL)
        VFX_TRY(gltf_allocate(at, part->vertex_count, sizeof *target->normal, &target->normal));
    const vat_bind *v = at->file->model->vertices + part->first_vertex + first;
    for (uint32_t i = 0; i + 2 < gltf_output_count(p); i += 3) {
        double moved[3][3], normal[3];
        for (uint32_t corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                moved[corner][k] = v[i + corner].position[k] + target->position[first + i + corner][k];
        gltf_flat_normal(moved[0], moved[1], moved[2], normal);
        for (uint32_t corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                target->normal[first + i + corner][k] = normal[k] - v[i].normal[k];
    }
    return VFX_OK;
}

/* All targets of one primitive, whose vertices begin at `first` in the part. */
static vfx_status read_primitive_targets(gltf_file *file, const gltf_primitive *p, uint32_t first, const vat_part *part)
{
    const gltf_at array = gltf_member(&p->at, "targets");
    gltf_at at;
    for (uint32_t i = 0; i < part->target_count; i++) {
        vat_target *target = &file->model->targets[part->first_target + i];
        VFX_TRY(gltf_object(&array, i, &at));
        VFX_TRY(read_deltas(&at, "POSITION", p, first, part, &target->position));
        if (p->flat)
            VFX_TRY(flatten(&at, p, first, part, target));
        else
            VFX_TRY(read_deltas(&at, "NORMAL", p, first, part, &target->normal));
    }
    return VFX_OK;
}

/* The primitive at `at` once more; *first becomes the part's vertex behind it. */
static vfx_status read_primitive_again(gltf_file *file, const gltf_at *at, const vat_part *part, uint32_t *first)
{
    gltf_primitive p = {0};
    vfx_status status = gltf_read_primitive(&p, at, false);
    if (status == VFX_OK)
        status = read_primitive_targets(file, &p, *first, part);
    *first += gltf_output_count(&p);
    gltf_free_primitive(&p);
    return status;
}

vfx_status gltf_read_targets(gltf_file *file, const gltf_at *mesh, vat_part *part)
{
    vat_model *model = file->model;
    gltf_at primitives, at, targets;
    uint32_t target_count, count, primitive_count, first = 0;
    VFX_TRY(gltf_target_count(mesh, &target_count));
    VFX_TRY(gltf_grow(mesh, &model->targets, &file->target_room, model->target_count, target_count,
                      sizeof *model->targets));
    part->target_count = target_count;
    model->target_count += target_count;
    VFX_TRY(gltf_array(mesh, "primitives", &primitives, &primitive_count));
    for (uint32_t i = 0; i < primitive_count; i++) {
        VFX_TRY(gltf_object(&primitives, i, &at));
        VFX_TRY(gltf_array(&at, "targets", &targets, &count));
        if (count != target_count)
            return gltf_fail(&targets, VFX_IO, "%u morph targets, but the mesh's first primitive has %u", count,
                             target_count);
        if (count > 0)
            VFX_TRY(read_primitive_again(file, &at, part, &first));
    }
    return VFX_OK;
}
