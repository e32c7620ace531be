/* gltf.h - reads glTF 2.0 files (.glb, .gltf with .bin or base64 data) into a vat_model. What is read: everything that
 * skinned animation needs (accessors of all types, sparse, normalised; skins, morph targets, three interpolations).
 * Nothing in a file is trusted. */
#ifndef VAT_GLTF_H
#define VAT_GLTF_H

#include "kernels/vat/model.h"

/* Reads the default scene's meshes (scene 0 without a default, all root nodes without a scene), in the order of their
 * nodes in the file, primitives in order. IO naming the file and the JSON path
 * ("Fox.glb: /accessors/12/byteOffset: ...") for anything malformed; UNSUPPORTED for a required extension that changes
 * geometry or a primitive mode that is no triangle list, strip or fan; MEMORY. Buffers outside the file's folder are
 * refused. On failure *model is zeroed. */
vfx_status vat_gltf_read(const char *path, vat_model *model) VFX_MUST_USE;

/* The same from memory. `folder` is where relative URIs are looked up; NULL: none are allowed. */
vfx_status vat_gltf_decode(const char *name, const void *data, size_t bytes, const char *folder,
                           vat_model *model) VFX_MUST_USE;

#endif
