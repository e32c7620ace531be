/* core/compare.c - see compare.h. A value's rules all become one verdict {error, limit, ratio}; the rule with the
 * smallest ratio speaks for the value, and ratio <= 1 passes. NaN never gives a ratio, so it never passes. */
#include "core/compare.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define UNIT_LENGTH_LIMIT 1e-5 /* of a unit vector's length, see vfx_tolerance.angle */

/* ------------------------------------------------------------------------------------ float line */

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Position on the line on which every float is one step from the next; zero and subnormals are 0. */
static int64_t line_position(float value)
{
    const uint32_t smallest_normal = 0x00800000u;
    uint32_t bits = float_bits(value);
    uint32_t magnitude = bits & 0x7fffffffu;
    int64_t steps = magnitude < smallest_normal ? 0 : (int64_t)(magnitude - smallest_normal) + 1;
    return bits >> 31 != 0 ? -steps : steps;
}

uint32_t vfx_ulp_distance(float a, float b)
{
    if (!isfinite(a) || !isfinite(b))
        return UINT32_MAX;
    int64_t steps = line_position(a) - line_position(b);
    return (uint32_t)(steps < 0 ? -steps : steps);
}

/* Spacing of numbers with `digits` significant bits and smallest normal exponent `lowest` at |x|. */
static double spacing(double x, int digits, int lowest)
{
    if (!isfinite(x))
        return NAN;
    int exponent = x != 0.0 ? ilogb(x) : lowest;
    return ldexp(1.0, (exponent > lowest ? exponent : lowest) - (digits - 1));
}

double vfx_ulp_of(double x)
{
    return spacing(x, FLT_MANT_DIG, FLT_MIN_EXP - 1);
}

const vfx_field *vfx_check_field(const vfx_check *check, const vfx_kernel *kernel)
{
    const vfx_buffer *buffer = &kernel->buffers[check->buffer];
    for (uint32_t i = 0; i < buffer->field_count; i++)
        if (strcmp(buffer->fields[i].name, check->field) == 0)
            return &buffer->fields[i];
    return NULL;
}

/* ------------------------------------------------------------------------------------ one value */

typedef struct verdict {
    double error, limit, ratio;
    const char *rule;
} verdict;

static bool passes(const verdict *v)
{
    return v->ratio <= 1.0;
}

/* Takes the rule if it comes closer to passing than what is there. An infinite limit is no limit, so it fails. */
static void consider(verdict *v, const char *rule, double error, double limit)
{
    double ratio = error == 0.0 ? 0.0 : error / limit; /* error / 0 is infinite: beyond a limit of 0 */
    if (!(error <= limit) || !isfinite(limit))         /* NaN is neither */
        ratio = error > limit && ratio > 0.0 ? fmax(ratio, 1.0 + DBL_EPSILON) : INFINITY;
    if (v->rule == NULL || ratio < v->ratio)
        *v = (verdict){error, limit, ratio, rule};
}

/* |a - b| in steps of the type: floats on their line, halves and bytes by their spacing, integers as they are. */
static double steps_between(vfx_field_type type, double a, double b)
{
    double larger = fmax(fabs(a), fabs(b));
    switch (type) {
    case VFX_FIELD_F32:
        return (double)vfx_ulp_distance((float)a, (float)b);
    case VFX_FIELD_F16:
        return fabs(a - b) / spacing(larger, 11, -14);
    case VFX_FIELD_UNORM8:
        return nearbyint(fabs(a - b) * 255.0);
    case VFX_FIELD_OCT16:
        return nearbyint(fabs(a - b) * 32767.0);
    case VFX_FIELD_U32:
    case VFX_FIELD_I32:
        break;
    }
    return fabs(a - b);
}

static bool has_value_rule(const vfx_tolerance *t)
{
    return t->abs > 0.0 || t->rel > 0.0 || t->ulp > 0 || t->scaled > 0.0 || t->scaled_ulp > 0.0;
}

/* Fills a verdict in place: these are the inner calls of every comparison. */
static void judge_value(const vfx_tolerance *t, vfx_field_type type, double a, double b, double scale, bool same_bits,
                        verdict *v)
{
    double difference = fabs(a - b);
    *v = (verdict){0};
    if (!has_value_rule(t))
        *v = (verdict){difference, 0.0, same_bits ? 0.0 : INFINITY, "equal"};
    if (t->abs > 0.0)
        consider(v, "abs", difference, t->abs);
    if (t->rel > 0.0)
        consider(v, "rel", difference, t->rel * fmax(fabs(a), fabs(b)));
    if (t->ulp > 0)
        consider(v, "ulp", steps_between(type, a, b), (double)t->ulp);
    if (t->scaled > 0.0)
        consider(v, "scaled", difference, t->scaled * scale);
    if (t->scaled_ulp > 0.0)
        consider(v, "scaled ulp", difference, t->scaled_ulp * vfx_ulp_of(scale));
    if (!isfinite(a) || !isfinite(b)) {
        v->error = difference;
        v->ratio = INFINITY;
    }
}

bool vfx_value_agrees(const vfx_tolerance *tolerance, float a, float b, double scale)
{
    verdict v;
    judge_value(tolerance, VFX_FIELD_F32, (double)a, (double)b, scale, float_bits(a) == float_bits(b), &v);
    return passes(&v);
}

/* ------------------------------------------------------------------------------------ unit vectors */

static double length_of(const double *v, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* 2 atan2(|u - v|, |u + v|) of the unit vectors u and v: accurate at both ends, unlike acos. */
static double angle_between(const double *a, const double *b, uint32_t count)
{
    double a_length = length_of(a, count), b_length = length_of(b, count);
    if (!(isfinite(a_length) && a_length > 0.0 && isfinite(b_length) && b_length > 0.0))
        return NAN;
    double difference[4] = {0}, sum[4] = {0};
    for (uint32_t i = 0; i < count; i++) {
        difference[i] = a[i] / a_length - b[i] / b_length;
        sum[i] = a[i] / a_length + b[i] / b_length;
    }
    return 2.0 * atan2(length_of(difference, count), length_of(sum, count));
}

double vfx_angle_between(const double a[3], const double b[3])
{
    return angle_between(a, b, 3);
}

static verdict judge_angle(const vfx_tolerance *t, const double *a, const double *b, uint32_t count)
{
    verdict v = {0};
    consider(&v, "angle", angle_between(a, b, count), t->angle);
    double off = fabs(length_of(a, count) - 1.0);
    if (passes(&v) && !(off <= UNIT_LENGTH_LIMIT)) {
        v = (verdict){0};
        consider(&v, "length", off, UNIT_LENGTH_LIMIT);
    }
    return v;
}

/* ------------------------------------------------------------------------------------ one record */

/* One field of one record, judged: `count` verdicts, one per component or a single one for the angle. */
typedef struct judgement {
    double device[4], truth[4];
    verdict verdicts[4];
    uint32_t count;
    bool failed, broken; /* broken: not finite or never written, so never let off */
} judgement;

/* Not finite or never written on one of the sides. */
static bool is_broken(const vfx_field *field, const void *device, const judgement *j, uint32_t values)
{
    bool broken = false;
    for (uint32_t i = 0; i < values; i++)
        broken = broken || !isfinite(j->device[i]) || !isfinite(j->truth[i]) ||
                 vfx_field_word(field, device, i) == VFX_POISON_WORD;
    return broken;
}

static void judge_record(const vfx_field *field, const vfx_tolerance *t, const void *device, const void *truth,
                         double scale, judgement *j)
{
    uint32_t values = vfx_field_decode(field, device, j->device);
    (void)vfx_field_decode(field, truth, j->truth);
    bool exact = !has_value_rule(t);
    j->count = values;
    j->failed = false;
    for (uint32_t i = 0; i < values; i++) {
        bool same_bits = exact && vfx_field_bits(field, device, i) == vfx_field_bits(field, truth, i);
        judge_value(t, field->type, j->device[i], j->truth[i], scale, same_bits, &j->verdicts[i]);
        j->failed = j->failed || !passes(&j->verdicts[i]);
    }
    j->broken = j->failed && is_broken(field, device, j, values);
    if (t->angle > 0.0 && (j->failed || exact)) { /* the whole field passes by angle instead */
        j->verdicts[0] = judge_angle(t, j->device, j->truth, values);
        j->count = 1;
        j->failed = !passes(&j->verdicts[0]);
    }
    j->broken = j->broken && j->failed;
}

static uint32_t histogram_bin(double ratio)
{
    static const double upper[VFX_HISTOGRAM_BINS - 1] = {0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 16.0};
    uint32_t bin = 0;
    while (bin < VFX_HISTOGRAM_BINS - 1 && !(ratio <= upper[bin]))
        bin++;
    return bin;
}

static vfx_sample sample_of(const judgement *j, uint32_t i, const vfx_field *field, const void *device,
                            vfx_sample where)
{
    const verdict *v = &j->verdicts[i];
    where.component = i;
    where.device = j->device[i];
    where.truth = j->truth[i];
    where.error = v->error;
    where.limit = v->limit;
    where.rule = v->rule;
    where.unwritten = vfx_field_word(field, device, i) == VFX_POISON_WORD;
    return where;
}

static void record_verdicts(const judgement *j, const vfx_field *field, const void *device, vfx_sample where,
                            vfx_check_result *result)
{
    for (uint32_t i = 0; i < j->count; i++) {
        const verdict *v = &j->verdicts[i];
        if (result->compared == 0 || v->ratio > result->worst_device) {
            result->worst_device = v->ratio;
            result->worst = sample_of(j, i, field, device, where);
        }
        if (!passes(v) && result->failed++ == 0)
            result->first = sample_of(j, i, field, device, where);
        result->compared++;
        result->histogram[histogram_bin(v->ratio)]++;
    }
}

/* The common case, cheap: every word of the field is the same on all sides, finite and written. */
static bool plainly_equal(const vfx_field *field, const unsigned char *device, const unsigned char *truth,
                          const unsigned char *yardstick)
{
    for (uint32_t i = 0; i < field->components; i++) {
        uint32_t word = vfx_field_word(field, device, i);
        bool finite = field->type == VFX_FIELD_U32 || field->type == VFX_FIELD_I32 ||
                      (field->type == VFX_FIELD_F32 && (word & 0x7f800000u) != 0x7f800000u);
        if (!finite || word == VFX_POISON_WORD || word != vfx_field_word(field, truth, i) ||
            (yardstick != NULL && word != vfx_field_word(field, yardstick, i)))
            return false;
    }
    return true;
}

/* Scales of the records from `first` on, as far as known. */
typedef struct scale_window {
    uint64_t first, count;
    double scales[256];
} scale_window;

/* Scale of a record, 0 without one; `end` is where the records to compare end. */
static double scale_of(const vfx_check *check, const vfx_ref *ref, scale_window *known, uint64_t record, uint64_t end)
{
    if (check->scales == NULL)
        return check->scale != NULL ? check->scale(ref, record) : 0.0;
    if (record - known->first >= known->count) { /* records come in ascending order */
        known->first = record;
        known->count = end - record < VFX_COUNT(known->scales) ? end - record : VFX_COUNT(known->scales);
        check->scales(ref, known->first, known->count, known->scales);
    }
    return known->scales[record - known->first];
}

void vfx_compare_field(const vfx_check *check, const vfx_ref *ref, bool free_run, const void *device, const void *truth,
                       const void *yardstick, uint64_t first, uint64_t count, vfx_check_result *result)
{
    const vfx_buffer *buffer = &ref->kase->kernel->buffers[check->buffer];
    const vfx_field *field = vfx_check_field(check, ref->kase->kernel);
    assert(field != NULL && "the check row names a field that its buffer lacks");
    if (field == NULL) { /* never silently compared with nothing */
        result->failed += count;
        return;
    }
    const vfx_tolerance *tolerance = free_run ? &check->free_run : &check->step;
    const uint8_t *ill = check->ill_share != NULL ? ref->ill[check->buffer] : NULL;
    scale_window known = {.count = 0};
    for (uint64_t i = first; i < first + count; i++) {
        size_t offset = (size_t)i * buffer->stride;
        const unsigned char *device_record = (const unsigned char *)device + offset;
        const unsigned char *truth_record = (const unsigned char *)truth + offset;
        result->records++;
        bool marked = ill != NULL && (ill[i] & (check->ill_bits != 0 ? check->ill_bits : 0xff)) != 0;
        if (!marked && !(tolerance->angle > 0.0) &&
            plainly_equal(field, device_record, truth_record,
                          yardstick != NULL ? (const unsigned char *)yardstick + offset : NULL)) {
            result->compared += field->components;
            result->histogram[0] += field->components;
            continue;
        }
        double scale = scale_of(check, ref, &known, i, first + count);
        judgement j;
        judge_record(field, tolerance, device_record, truth_record, scale, &j);
        if (marked && !j.broken) { /* not compared, but never beyond the row's share */
            result->ill++;
            continue;
        }
        record_verdicts(&j, field, device_record, (vfx_sample){.frame = ref->frame->index, .record = i}, result);
        if (yardstick == NULL || marked)
            continue;
        judge_record(field, tolerance, (const unsigned char *)yardstick + offset, truth_record, scale, &j);
        for (uint32_t c = 0; c < j.count; c++)
            result->worst_float = fmax(result->worst_float, j.verdicts[c].ratio);
    }
}

bool vfx_check_failed(const vfx_check *check, const vfx_case *kase, const vfx_check_result *result)
{
    double share = check->ill_share != NULL ? check->ill_share(kase) : 0.0;
    return result->failed > 0 || (result->ill > 0 && !((double)result->ill <= share * (double)result->records));
}

uint64_t vfx_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3ull;
    return hash;
}
