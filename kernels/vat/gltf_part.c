/* kernels/vat/gltf_part.c - the mesh nodes of the scene become parts of the model: one vertex list, one index list.
 * Vertices keep the file's order within a primitive. What is odd but can be read leaves a warning. */
#include "kernels/vat/gltf_internal.h"

#include <math.h>
#include <stdlib.h>

/* How far a vertex's weights may be from a sum of 1 without a warning: 8-bit codes that were rounded one by one. */
static const double weight_slack = 5e-3;

/* Vertices of a part with this or that oddity. */
typedef struct oddities {
    uint32_t unbound, unnormalised, negative, without_normal;
} oddities;

/* ------------------------------------------------------------------------------------------ vertices */

/* The up to eight joints of vertex `source`, sum of weights 1. */
static vfx_status bind_vertex(const gltf_primitive *p, uint32_t source, uint32_t joint_count, uint32_t fallback,
                              vat_bind *v, oddities *odd)
{
    double sum = 0;
    for (uint32_t k = 0; k < VAT_MAX_INFLUENCES; k++) {
        const uint32_t set = k / 4;
        if (p->joint[set] == NULL)
            continue;
        const double joint = p->joint[set][(size_t)source * 4 + k % 4];
        const double weight = p->weight[set][(size_t)source * 4 + k % 4];
        odd->negative += weight < 0;
        if (!(weight > 0))
            continue;
        if (!(joint < joint_count))
            return gltf_fail(&p->attributes, VFX_IO, "vertex %u is bound to joint %.0f of a skin of %u joints", source,
                             joint, joint_count);
        v->joint[k] = (uint16_t)joint;
        v->weight[k] = weight;
        sum += weight;
    }
    odd->unbound += !(sum > 0);
    odd->unnormalised += sum > 0 && fabs(sum - 1) > weight_slack;
    for (int k = 0; k < VAT_MAX_INFLUENCES && sum > 0; k++)
        v->weight[k] /= sum;
    if (!(sum > 0)) {
        v->joint[0] = (uint16_t)fallback;
        v->weight[0] = 1;
    }
    return VFX_OK;
}

static void set_normal(const gltf_primitive *p, uint32_t source, vat_bind *v, oddities *odd)
{
    const double *n = p->normal + (size_t)source * 3;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    odd->without_normal += !(length > 0);
    for (int i = 0; i < 3; i++)
        v->normal[i] = length > 0 ? n[i] / length : i == 1;
}

/* Appends the primitive's vertices and indices to the model and to the part. */
static vfx_status append_primitive(gltf_file *file, const gltf_primitive *p, vat_part *part, oddities *odd)
{
    vat_model *model = file->model;
    const uint32_t base = model->vertex_count, count = gltf_output_count(p);
    if (count > VAT_MAX_VERTICES - base)
        return gltf_fail(&p->at, VFX_IO, "the model has more than %d vertices", VAT_MAX_VERTICES);
    VFX_TRY(gltf_grow(&p->at, &model->vertices, &file->vertex_room, base, count, sizeof *model->vertices));
    VFX_TRY(gltf_grow(&p->at, &model->indices, &file->index_room, model->index_count, p->index_count,
                      sizeof *model->indices));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t source = gltf_source_of(p, i);
        vat_bind *v = &model->vertices[base + i];
        for (int k = 0; k < 3; k++)
            v->position[k] = p->position[(size_t)source * 3 + (size_t)k];
        for (int k = 0; k < 2 && p->uv != NULL; k++)
            v->uv[k] = (float)p->uv[(size_t)source * 2 + (size_t)k];
        if (!p->flat)
            set_normal(p, source, v, odd);
        if (part->skin != VAT_NONE)
            VFX_TRY(bind_vertex(p, source, model->skins[part->skin].joint_count, file->fallback[part->skin], v, odd));
    }
    for (uint32_t i = 0; p->flat && i < count; i++) {
        vat_bind *triangle = &model->vertices[base + i - i % 3];
        gltf_flat_normal(triangle[0].position, triangle[1].position, triangle[2].position,
                         model->vertices[base + i].normal);
    }
    for (uint32_t i = 0; i < p->index_count; i++)
        model->indices[model->index_count + i] = base + (p->flat ? i : p->triangles[i]);
    model->vertex_count += count;
    model->index_count += p->index_count;
    part->vertex_count += count;
    part->index_count += p->index_count;
    return VFX_OK;
}

/* -------------------------------------------------------------------------------------------- parts */

static void warn(vat_model *model, const vat_part *part, const oddities *odd)
{
    if (odd->unbound > 0)
        vat_model_warn(model, "part %s: %u vertices have no joint weights: bound to the skeleton's root", part->name,
                       odd->unbound);
    if (odd->unnormalised > 0)
        vat_model_warn(model, "part %s: %u vertices have joint weights that do not sum to 1: scaled", part->name,
                       odd->unnormalised);
    if (odd->negative > 0)
        vat_model_warn(model, "part %s: %u joint weights are negative: taken as 0", part->name, odd->negative);
    if (odd->without_normal > 0)
        vat_model_warn(model, "part %s: %u normals are zero: taken as +y", part->name, odd->without_normal);
}

static vfx_status read_primitives(gltf_file *file, const gltf_at *mesh, vat_part *part)
{
    gltf_at primitives, at;
    uint32_t count;
    oddities odd = {0};
    VFX_TRY(gltf_array(mesh, "primitives", &primitives, &count));
    for (uint32_t i = 0; i < count; i++) {
        gltf_primitive p = {0};
        VFX_TRY(gltf_object(&primitives, i, &at));
        vfx_status status = gltf_read_primitive(&p, &at, part->skin != VAT_NONE);
        if (status == VFX_OK)
            status = append_primitive(file, &p, part, &odd);
        gltf_free_primitive(&p);
        VFX_TRY(status);
    }
    warn(file->model, part, &odd);
    return VFX_OK;
}

/* Node `number` of the file, if it has a mesh and is in the scene. */
static vfx_status read_part(gltf_file *file, uint32_t number)
{
    vat_model *model = file->model;
    const gltf_at at = gltf_listed(file, "nodes", number);
    uint32_t mesh, skin;
    VFX_TRY(gltf_index_or_none(&at, "mesh", "meshes", &mesh));
    VFX_TRY(gltf_index_or_none(&at, "skin", "skins", &skin));
    if (mesh == GLTF_NONE || !file->in_scene[file->node_of[number]])
        return VFX_OK;
    const gltf_at mesh_at = gltf_listed(file, "meshes", mesh);
    VFX_TRY(gltf_grow(&at, &model->parts, &file->part_room, model->part_count, 1, sizeof *model->parts));
    vat_part *part = &model->parts[model->part_count++];
    *part = (vat_part){.node = (int32_t)file->node_of[number],
                       .skin = skin == GLTF_NONE ? VAT_NONE : (int32_t)skin,
                       .first_vertex = model->vertex_count,
                       .first_index = model->index_count,
                       .first_target = model->target_count};
    const gltf_at own_name = gltf_member(&at, "name");
    gltf_name(gltf_there(&own_name) ? &at : &mesh_at, "node", number, part->name);
    VFX_TRY(read_primitives(file, &mesh_at, part));
    return gltf_read_targets(file, &mesh_at, part);
}

vfx_status gltf_read_parts(gltf_file *file)
{
    for (uint32_t i = 0; i < file->model->node_count; i++)
        VFX_TRY(read_part(file, i));
    if (file->model->part_count > 0)
        return VFX_OK;
    return vfx_fail(VFX_IO, "%s: /nodes: no node of the scene has a mesh", file->name);
}
