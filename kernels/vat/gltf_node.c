/* kernels/vat/gltf_node.c - the node tree and the skins of a glTF file. All nodes are kept, for a joint need not be in
 * the scene; they are sorted so that parents come before children, breadth first. */
#include "kernels/vat/gltf_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- hierarchy */

/* Fills parent[], indexed like the file's nodes: each node is the child of one other at most. */
static vfx_status read_children(gltf_file *file, uint32_t count, uint32_t *parent)
{
    for (uint32_t i = 0; i < count; i++)
        parent[i] = GLTF_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const gltf_at node = gltf_listed(file, "nodes", i);
        gltf_at children;
        uint32_t child_count, child;
        VFX_TRY(gltf_array(&node, "children", &children, &child_count));
        for (uint32_t k = 0; k < child_count; k++) {
            const gltf_at at = gltf_element(&children, k);
            VFX_TRY(gltf_index(&at, "nodes", &child));
            if (parent[child] != GLTF_NONE)
                return gltf_fail(&at, VFX_IO, "node %u has a parent already, node %u", child, parent[child]);
            parent[child] = i;
        }
    }
    return VFX_OK;
}

/* Sorts the nodes: order[] lists nodes of the file, file->node_of is its inverse. */
static vfx_status sort_nodes(gltf_file *file, const gltf_at *nodes, uint32_t count, const uint32_t *parent,
                             uint32_t *order)
{
    uint32_t sorted = 0;
    for (uint32_t i = 0; i < count; i++) {
        file->node_of[i] = GLTF_NONE;
        if (parent[i] == GLTF_NONE)
            order[sorted++] = i;
    }
    for (uint32_t next = 0; next < sorted; next++) {
        file->node_of[order[next]] = next;
        const json_t *children = json_object_get(json_array_get(nodes->value, order[next]), "children");
        for (size_t k = 0; k < json_array_size(children); k++)
            order[sorted++] = (uint32_t)json_real_value(json_array_get(children, k));
    }
    for (uint32_t i = 0; i < count; i++)
        if (file->node_of[i] == GLTF_NONE) {
            const gltf_at node = gltf_element(nodes, i);
            return gltf_fail(&node, VFX_IO, "is its own ancestor: the nodes must form trees");
        }
    return VFX_OK;
}

/* --------------------------------------------------------------------------------------- transforms */

vfx_status gltf_check_affine(const gltf_at *at, double m[16])
{
    static const double slack = 1e-4; /* exporters invert matrices in float */
    if (fabs(m[3]) > slack || fabs(m[7]) > slack || fabs(m[11]) > slack || fabs(m[15] - 1) > slack)
        return gltf_fail(at, VFX_IO, "the bottom row of a matrix is %g %g %g %g, must be 0 0 0 1", m[3], m[7], m[11],
                         m[15]);
    m[3] = m[7] = m[11] = 0;
    m[15] = 1;
    return VFX_OK;
}

static vfx_status read_transform(const gltf_at *at, vat_node *node)
{
    static const char *const parts[] = {"translation", "rotation", "scale"};
    *node = (vat_node){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    for (int i = 0; i < 4; i++)
        node->matrix[i * 5] = 1;
    const gltf_at matrix = gltf_member(at, "matrix"), rotation = gltf_member(at, "rotation");
    node->has_matrix = gltf_there(&matrix);
    for (size_t i = 0; i < 3 && node->has_matrix; i++) {
        const gltf_at part = gltf_member(at, parts[i]);
        if (gltf_there(&part))
            return gltf_fail(&part, VFX_IO, "a node has either a matrix or this, not both");
    }
    VFX_TRY(gltf_numbers(at, "matrix", 16, node->matrix));
    VFX_TRY(gltf_numbers(at, "translation", 3, node->translation));
    VFX_TRY(gltf_numbers(at, "rotation", 4, node->rotation));
    VFX_TRY(gltf_numbers(at, "scale", 3, node->scale));
    double *q = node->rotation;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-6))
        return gltf_fail(&rotation, VFX_IO, "is zero, must be a unit quaternion");
    for (int i = 0; i < 4; i++)
        q[i] /= length;
    return node->has_matrix ? gltf_check_affine(&matrix, node->matrix) : VFX_OK;
}

/* ---------------------------------------------------------------------------------------- morph weights */

vfx_status gltf_target_count(const gltf_at *mesh, uint32_t *count)
{
    gltf_at primitives, primitive, targets;
    uint32_t primitive_count;
    VFX_TRY(gltf_array(mesh, "primitives", &primitives, &primitive_count));
    if (primitive_count == 0)
        return gltf_fail(&primitives, VFX_IO, "a mesh needs one primitive or more");
    VFX_TRY(gltf_object(&primitives, 0, &primitive));
    return gltf_array(&primitive, "targets", &targets, count);
}

/* The node's own weights, else its mesh's, else zeros. */
static vfx_status read_weights(gltf_file *file, const gltf_at *at, uint32_t mesh, vat_node *node, uint32_t *room)
{
    vat_model *model = file->model;
    const gltf_at mesh_at = gltf_listed(file, "meshes", mesh), own = gltf_member(at, "weights");
    uint32_t count;
    VFX_TRY(gltf_target_count(&mesh_at, &count));
    if (count == 0)
        return VFX_OK;
    VFX_TRY(gltf_grow(at, &model->weights, room, model->weight_count, count, sizeof *model->weights));
    node->first_weight = model->weight_count;
    node->weight_count = count;
    model->weight_count += count;
    return gltf_numbers(gltf_there(&own) ? at : &mesh_at, "weights", count, model->weights + node->first_weight);
}

/* -------------------------------------------------------------------------------------------- nodes */

/* order and parent are work space of `count` each. */
static vfx_status read_sorted(gltf_file *file, const gltf_at *nodes, uint32_t count, uint32_t *order, uint32_t *parent)
{
    vat_model *model = file->model;
    uint32_t weight_room = 0, mesh;
    VFX_TRY(read_children(file, count, parent));
    VFX_TRY(sort_nodes(file, nodes, count, parent, order));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t source = order[i];
        vat_node *node = &model->nodes[i];
        gltf_at at;
        VFX_TRY(gltf_object(nodes, source, &at));
        VFX_TRY(read_transform(&at, node));
        gltf_name(&at, "node", source, node->name);
        node->parent = parent[source] == GLTF_NONE ? VAT_NONE : (int32_t)file->node_of[parent[source]];
        model->node_count = i + 1;
        VFX_TRY(gltf_index_or_none(&at, "mesh", "meshes", &mesh));
        if (mesh != GLTF_NONE)
            VFX_TRY(read_weights(file, &at, mesh, node, &weight_room));
    }
    return VFX_OK;
}

/* Marks the nodes of the default scene: of /scene, else the first one, else all. */
static vfx_status read_scene(gltf_file *file)
{
    const gltf_at root = gltf_root(file);
    const vat_model *model = file->model;
    gltf_at scenes;
    uint32_t scene, count, node;
    VFX_TRY(gltf_array(&root, "scenes", &scenes, &count));
    VFX_TRY(gltf_index_or_none(&root, "scene", "scenes", &scene));
    if (scene == GLTF_NONE && count > 0)
        scene = 0;
    for (uint32_t i = 0; i < model->node_count; i++)
        file->in_scene[i] = scene == GLTF_NONE;
    if (scene == GLTF_NONE)
        return VFX_OK;
    const gltf_at at = gltf_element(&scenes, scene);
    gltf_at nodes;
    VFX_TRY(gltf_array(&at, "nodes", &nodes, &count));
    for (uint32_t i = 0; i < count; i++) {
        const gltf_at element = gltf_element(&nodes, i);
        VFX_TRY(gltf_index(&element, "nodes", &node));
        file->in_scene[file->node_of[node]] = true;
    }
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].parent != VAT_NONE && file->in_scene[model->nodes[i].parent])
            file->in_scene[i] = true;
    return VFX_OK;
}

vfx_status gltf_read_nodes(gltf_file *file)
{
    const gltf_at root = gltf_root(file);
    gltf_at nodes;
    uint32_t count, *work;
    VFX_TRY(gltf_array(&root, "nodes", &nodes, &count));
    if (count == 0 || count > VAT_MAX_NODES)
        return gltf_fail(&nodes, VFX_IO, "%u nodes, must be 1 to %d", count, VAT_MAX_NODES);
    VFX_TRY(gltf_allocate(&nodes, count, sizeof *file->model->nodes, &file->model->nodes));
    VFX_TRY(gltf_allocate(&nodes, count, sizeof *file->node_of, &file->node_of));
    VFX_TRY(gltf_allocate(&nodes, count, sizeof *file->in_scene, &file->in_scene));
    VFX_TRY(gltf_allocate(&nodes, count, 2 * sizeof *work, &work));
    const vfx_status status = read_sorted(file, &nodes, count, work, work + count);
    free(work);
    VFX_TRY(status);
    return read_scene(file);
}

/* -------------------------------------------------------------------------------------------- skins */

static vfx_status read_inverse_bind(const gltf_at *at, double (*out)[16], uint32_t joint_count)
{
    double *values;
    uint32_t index, count;
    VFX_TRY(gltf_index_or_none(at, "inverseBindMatrices", "accessors", &index));
    for (uint32_t i = 0; i < joint_count; i++)
        for (int k = 0; k < 16; k++)
            out[i][k] = k % 5 == 0 ? 1 : 0;
    if (index == GLTF_NONE)
        return VFX_OK;
    VFX_TRY(gltf_read_accessor(at->file, index, "MAT4", GLTF_F32, 0, &values, &count));
    const gltf_at accessor = gltf_listed(at->file, "accessors", index);
    vfx_status status = VFX_OK;
    if (count < joint_count)
        status = gltf_fail(&accessor, VFX_IO, "%u matrices for %u joints", count, joint_count);
    for (uint32_t i = 0; i < joint_count && status == VFX_OK; i++) {
        memcpy(out[i], values + (size_t)i * 16, sizeof out[i]);
        status = gltf_check_affine(&accessor, out[i]);
    }
    free(values);
    return status;
}

/* The joint for vertices that name none: the skeleton's root where it is a joint, else the joint nearest to a root. */
static vfx_status find_fallback(const gltf_at *at, const uint32_t *joints, uint32_t count, uint32_t *fallback)
{
    uint32_t skeleton;
    VFX_TRY(gltf_index_or_none(at, "skeleton", "nodes", &skeleton));
    *fallback = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (skeleton != GLTF_NONE && joints[i] == at->file->node_of[skeleton]) {
            *fallback = i;
            return VFX_OK;
        }
        if (joints[i] < joints[*fallback]) /* nodes are sorted by depth */
            *fallback = i;
    }
    return VFX_OK;
}

static vfx_status read_skin(gltf_file *file, const gltf_at *at, uint32_t number, uint32_t *joint_room,
                            uint32_t *inverse_room)
{
    vat_model *model = file->model;
    vat_skin *skin = &model->skins[number];
    gltf_at array;
    uint32_t count, node;
    VFX_TRY(gltf_array(at, "joints", &array, &count));
    if (count == 0 || count > UINT16_MAX)
        return gltf_fail(&array, VFX_IO, "%u joints, must be 1 to %d", count, UINT16_MAX);
    VFX_TRY(gltf_grow(&array, &model->joints, joint_room, model->joint_count, count, sizeof *model->joints));
    VFX_TRY(
        gltf_grow(&array, &model->inverse_bind, inverse_room, model->joint_count, count, sizeof *model->inverse_bind));
    *skin = (vat_skin){model->joint_count, count};
    model->joint_count += count;
    uint32_t *joints = model->joints + skin->first_joint;
    for (uint32_t i = 0; i < count; i++) {
        const gltf_at element = gltf_element(&array, i);
        VFX_TRY(gltf_index(&element, "nodes", &node));
        joints[i] = file->node_of[node];
    }
    VFX_TRY(find_fallback(at, joints, count, &file->fallback[number]));
    return read_inverse_bind(at, model->inverse_bind + skin->first_joint, count);
}

vfx_status gltf_read_skins(gltf_file *file)
{
    const gltf_at root = gltf_root(file);
    gltf_at array, at;
    uint32_t count, joint_room = 0, inverse_room = 0;
    VFX_TRY(gltf_array(&root, "skins", &array, &count));
    if (count == 0)
        return VFX_OK;
    VFX_TRY(gltf_allocate(&array, count, sizeof *file->model->skins, &file->model->skins));
    VFX_TRY(gltf_allocate(&array, count, sizeof *file->fallback, &file->fallback));
    for (uint32_t i = 0; i < count; i++) {
        VFX_TRY(gltf_object(&array, i, &at));
        file->model->skin_count = i + 1;
        VFX_TRY(read_skin(file, &at, i, &joint_room, &inverse_room));
    }
    return VFX_OK;
}
