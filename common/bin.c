#include "common/bin.h"

#include "common/alloc.h"

#include <string.h>

struct bin *bin_at(struct bin **bins, size_t *n, size_t *capacity, int64_t index)
{
    size_t low = 0, high = *n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((*bins)[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == *n || (*bins)[low].index != index) {
        *bins = alloc_grow(*bins, *n, capacity, sizeof **bins);
        memmove(*bins + low + 1, *bins + low, (*n - low) * sizeof **bins);
        (*bins)[low] = (struct bin){index, 0};
        ++*n;
    }
    return &(*bins)[low];
}
