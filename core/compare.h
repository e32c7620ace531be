/* core/compare.h - comparison of values, fields and buffers.
 *
 * Everything is written in pass form, so that an unordered comparison (NaN) fails. */
#ifndef VFX_COMPARE_H
#define VFX_COMPARE_H

#include "core/field.h"
#include "core/kernel.h"

/* Every word of an output is this quiet-NaN pattern before it is written; a word that still is it was not written. */
#define VFX_POISON_WORD 0x7fc0deadu
/* Fills the guard words around a buffer. */
#define VFX_GUARD_WORD 0xfeedc0deu
/* Guard words: this many bytes before the records (outside the bound range) and behind them (inside it, where a
 * stray write is not dropped by the driver): a workgroup of 256 records of 64 bytes. A multiple of every offset
 * alignment that Vulkan allows. */
#define VFX_GUARD_BYTES 16384u

/* Distance on the monotonic integer line of floats; subnormals count as zero; UINT32_MAX if either is not finite. */
uint32_t vfx_ulp_distance(float a, float b);
/* Spacing of floats at |x|, at least that of the smallest normal. */
double vfx_ulp_of(double x);

/* Do a (device) and b (truth) agree? `scale` is the record's scale (0 where the row has none). Not for angle. */
bool vfx_value_agrees(const vfx_tolerance *tolerance, float a, float b, double scale);
/* Angle between two vectors in rad; NaN if either is not finite or zero. */
double vfx_angle_between(const double a[3], const double b[3]);

/* Row's field in its kernel's tables; NULL if there is none of that name. */
const vfx_field *vfx_check_field(const vfx_check *check, const vfx_kernel *kernel);

enum { VFX_HISTOGRAM_BINS = 8 };

/* Where and how a check first failed, or was worst. */
typedef struct vfx_sample {
    uint32_t frame;
    uint64_t record;
    uint32_t component;
    double device, truth; /* the two values */
    double error, limit;  /* in the unit of `rule` */
    const char *rule;     /* the rule that came closest to passing: "abs", "ulp", ..., "length" of a unit vector */
    bool unwritten;       /* the device's word is still poison */
} vfx_sample;

/* Running result of one check row over all frames. Zeroed is a valid start. */
typedef struct vfx_check_result {
    uint64_t compared;   /* values compared; an angle rule counts once per record, as component 0 */
    uint64_t failed;     /* values failed */
    uint64_t records;    /* records seen */
    uint64_t ill;        /* marked records, let off: finite and written, but not compared */
    double worst_device; /* largest |device - truth| / limit (<= 1 passes): 0 where equal under a limit of 0, infinite
                            where not, or not finite */
    double worst_float;  /* largest |f32 reference - truth| / limit: the yardstick */
    vfx_sample worst;    /* where worst_device was */
    vfx_sample first;    /* first failure, valid if failed */
    uint64_t histogram[VFX_HISTOGRAM_BINS]; /* of error/limit: 0, <=1/8, <=1/4, <=1/2, <=1, <=2, <=16, more */
} vfx_check_result;

/* Compares the row's field in records [first, first + count) of check->buffer. device, truth and (may be NULL)
 * yardstick point to record 0. `ref` supplies the case, the frame number and the ill marks (may be NULL), and is passed
 * to the row's scale function. Adds to *result. `free_run` picks the tolerance. */
void vfx_compare_field(const vfx_check *check, const vfx_ref *ref, bool free_run, const void *device, const void *truth,
                       const void *yardstick, uint64_t first, uint64_t count, vfx_check_result *result);

/* True if the row failed: a value failed, or more records were let off than check->ill_share allows. */
bool vfx_check_failed(const vfx_check *check, const vfx_case *kase, const vfx_check_result *result);

/* "|a-b| <= 8 ulp(scale)" */
void vfx_tolerance_format(const vfx_tolerance *tolerance, char *text, size_t bytes);

/* The full failure text: frame, record, field, component, both values in decimal and hex float, difference, rule and
 * limit, number failing, histogram. */
void vfx_check_format(const vfx_check *check, const vfx_case *kase, const vfx_check_result *result, char *text,
                      size_t bytes);

/* 64-bit FNV-1a, continuing from `hash` (start with VFX_HASH_START). */
#define VFX_HASH_START 0xcbf29ce484222325ull
uint64_t vfx_hash(uint64_t hash, const void *data, size_t bytes);

#endif
