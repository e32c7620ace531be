/* core/host.c - host copies of a case's buffers and images, and views of them for the reference; see run.h. */
#include "core/run.h"

#include <stdlib.h>
#include <string.h>

vfx_status vfx_buffer_bytes(const vfx_case *kase, uint32_t row, size_t *bytes)
{
    const vfx_buffer *buffer = &kase->kernel->buffers[row];
    uint64_t count = buffer->count(kase);
    if (count > SIZE_MAX || !vfx_mul_size((size_t)count, buffer->stride, bytes))
        return vfx_fail(VFX_UNSUPPORTED, "buffer %s: %llu records of %u bytes are more than memory can address",
                        buffer->name, (unsigned long long)count, buffer->stride);
    return VFX_OK;
}

uint32_t vfx_format_bytes(vfx_format format)
{
    switch (format) {
    case VFX_RGBA32_FLOAT:
        return 16;
    case VFX_RGBA16_UNORM:
    case VFX_RGBA16_UINT:
        return 8;
    case VFX_RGBA8_UNORM:
    case VFX_RGBA8_UINT:
        return 4;
    case VFX_R16_UNORM:
        return 2;
    case VFX_R8_UNORM:
        return 1;
    }
    return 0;
}

vfx_status vfx_image_bytes(const vfx_case *kase, uint32_t row, size_t *bytes)
{
    const vfx_image *image = &kase->kernel->images[row];
    uint32_t size[3] = {0};
    image->size(kase, size);
    size_t total = vfx_format_bytes(image->format);
    for (int i = 0; i < 3; i++)
        if (!vfx_mul_size(total, size[i], &total))
            return vfx_fail(VFX_UNSUPPORTED, "image %s: %u x %u x %u texels are more than memory can address",
                            image->name, size[0], size[1], size[2]);
    *bytes = total;
    return VFX_OK;
}

vfx_status vfx_upload_bytes(const vfx_case *kase, uint64_t *records, uint64_t *images)
{
    size_t bytes = 0;
    *records = *images = 0;
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++)
        if (vfx_buffer_is_fed(kase, i)) {
            VFX_TRY(vfx_buffer_bytes(kase, i, &bytes));
            *records += bytes;
        }
    for (uint32_t i = 0; i < kase->kernel->image_count; i++)
        if (vfx_image_is_fed(kase, i)) {
            VFX_TRY(vfx_image_bytes(kase, i, &bytes));
            *images += bytes;
        }
    return VFX_OK;
}

vfx_status vfx_host_allocate(const char *what, size_t bytes, void **memory)
{
    *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (*memory == NULL)
        return vfx_fail(VFX_MEMORY, "out of host memory: %s needs %zu bytes", what, bytes);
    return VFX_OK;
}

static vfx_status create_all(vfx_host *host, const vfx_case *kase, uint32_t mask)
{
    const vfx_kernel *kernel = kase->kernel;
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        if ((mask >> i & 1u) == 0)
            continue;
        VFX_TRY(vfx_buffer_bytes(kase, i, &host->bytes[i]));
        VFX_TRY(vfx_host_allocate(kernel->buffers[i].name, host->bytes[i], &host->buffer[i]));
        host->count[i] = kernel->buffers[i].count(kase);
    }
    for (uint32_t i = 0; i < kernel->image_count; i++) {
        if ((kase->variant->images >> i & 1u) == 0)
            continue;
        VFX_TRY(vfx_image_bytes(kase, i, &host->image_bytes[i]));
        VFX_TRY(vfx_host_allocate(kernel->images[i].name, host->image_bytes[i], &host->image[i]));
    }
    return VFX_OK;
}

vfx_status vfx_host_create(vfx_host *host, const vfx_case *kase, uint32_t mask)
{
    *host = (vfx_host){0};
    vfx_status status = create_all(host, kase, mask);
    if (status != VFX_OK)
        vfx_host_destroy(host);
    return status;
}

void vfx_host_destroy(vfx_host *host)
{
    for (uint32_t i = 0; i < VFX_MAX_BUFFERS; i++)
        free(host->buffer[i]);
    for (uint32_t i = 0; i < VFX_MAX_IMAGES; i++)
        free(host->image[i]);
    *host = (vfx_host){0};
}

void vfx_ref_view(vfx_ref *ref, const vfx_case *kase, const vfx_frame *frame, const vfx_host *prev, const vfx_host *in,
                  const vfx_host *out)
{
    *ref = (vfx_ref){.kase = kase, .frame = frame};
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++) {
        if ((kase->variant->buffers >> i & 1u) == 0)
            continue;
        ref->prev[i] = prev != NULL ? prev->buffer[i] : NULL;
        ref->in[i] = in != NULL ? in->buffer[i] : NULL;
        ref->out[i] = out != NULL ? out->buffer[i] : NULL;
        ref->count[i] = kase->kernel->buffers[i].count(kase);
    }
    for (uint32_t i = 0; i < kase->kernel->image_count; i++)
        ref->image[i] = in != NULL ? in->image[i] : NULL;
}

uint64_t vfx_host_hash(const vfx_case *kase, const vfx_host *host)
{
    uint64_t hash = VFX_HASH_START;
    for (uint32_t i = 0; i < kase->kernel->buffer_count; i++)
        if (vfx_role_is_result(kase->kernel->buffers[i].role) && !kase->kernel->buffers[i].partial &&
            host->buffer[i] != NULL)
            hash = vfx_hash(hash, host->buffer[i], host->bytes[i]);
    return hash;
}
