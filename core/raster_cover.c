/* core/raster_cover.c - which samples a triangle covers, by exact integers: two triangles that share an edge leave no
 * sample between them out, and share none. */
#include "core/raster_internal.h"

bool vfx_edges_set(vfx_edges *edges, const int32_t x[3], const int32_t y[3])
{
    const int64_t area = (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
    if (area == 0)
        return false;
    const int second = area < 0 ? 2 : 1, third = area < 0 ? 1 : 2, order[5] = {0, second, third, 0, second};
    for (int i = 0; i < 3; i++) { /* y points down: inside is to the right of each edge */
        const int from = order[i + 1], to = order[i + 2];
        edges->a[i] = y[from] - y[to];
        edges->b[i] = x[to] - x[from];
        const bool left = edges->a[i] > 0, top = edges->a[i] == 0 && edges->b[i] > 0;
        edges->c[i] = -edges->a[i] * x[from] - edges->b[i] * y[from];
        edges->least[i] = left || top ? 0 : 1;
    }
    edges->turned = area < 0;
    edges->share = 1.0 / (double)(area < 0 ? -area : area);
    edges->x_min = vfx_least3(x);
    edges->x_max = vfx_greatest3(x);
    edges->y_min = vfx_least3(y);
    edges->y_max = vfx_greatest3(y);
    return true;
}

void vfx_rows_of(int32_t low, int32_t high, int32_t offset, int32_t count, int32_t *first, int32_t *last)
{
    low -= offset;
    high -= offset;
    *first = low <= 0 ? 0 : (low + VFX_FIXED - 1) / VFX_FIXED;
    *last = high < 0 ? -1 : high / VFX_FIXED;
    *last = *last < count ? *last : count - 1;
}

/* Leaves of columns *low to *high those on the inner side of edge i; false if none. */
static inline bool narrow(const vfx_edges *edges, int i, int32_t offset_x, int32_t y, int32_t *low, int32_t *high)
{
    const int64_t step = edges->a[i] * VFX_FIXED, x = (int64_t)*low * VFX_FIXED + offset_x;
    const int64_t at_low = edges->a[i] * x + edges->b[i] * y + edges->c[i] - edges->least[i];
    const int64_t at_high = at_low + step * (*high - *low);
    if ((at_low & at_high) < 0)
        return false;
    if (at_low < 0)
        *low += (int32_t)((step - 1 - at_low) / step);
    else if (at_high < 0)
        *high = *low + (int32_t)(at_low / -step);
    return true;
}

bool vfx_edges_span(const vfx_edges *edges, int32_t offset_x, int32_t y, int32_t width, int32_t *first, int32_t *last)
{
    vfx_rows_of(edges->x_min, edges->x_max, offset_x, width, first, last);
    return *first <= *last && narrow(edges, 0, offset_x, y, first, last) &&
           narrow(edges, 1, offset_x, y, first, last) && narrow(edges, 2, offset_x, y, first, last);
}
