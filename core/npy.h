/* core/npy.h - NumPy .npy files (format 1.0, little-endian, C order) with structured records, as dumps use them. */
#ifndef VFX_NPY_H
#define VFX_NPY_H

#include "core/kernel.h"

/* Writes `count` records of a buffer row as a structured array whose dtype names the fields; bytes that no field
 * covers become unnamed padding fields. F16 fields are '<f2', OCT16 '<i2' (2), UNORM8 'u1' (4). Writes to a
 * temporary name and renames: nothing half-written remains. IO on failure, naming the path and the reason. */
vfx_status vfx_npy_write(const char *path, const vfx_buffer *buffer, const void *records, uint64_t count) VFX_MUST_USE;

/* Reads an array written for this row into `records` (count * stride bytes). IO naming the path and what differs
 * if the file is unreadable, truncated, not .npy, or of another dtype or count. */
vfx_status vfx_npy_read(const char *path, const vfx_buffer *buffer, void *records, uint64_t count) VFX_MUST_USE;

/* Reads a plain array of 32-bit floats, shape (rows, columns), as numpy.save writes it. Errors as above; `counted` is
 * the parameter that a message about the number of rows names. */
vfx_status vfx_npy_read_floats(const char *path, const char *counted, uint64_t rows, uint64_t columns,
                               float *values) VFX_MUST_USE;

#endif
