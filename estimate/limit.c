#include "estimate/limit.h"

int64_t limit_search(int64_t most, bool (*waits)(void *context, int64_t bytes), void *context)
{
    int64_t low = 0, high = 1024; /* low does not wait, high does */
    if (waits(context, 0))
        return LIMIT_NOTHING;
    while (!waits(context, high)) {
        low = high;
        high *= 2;
        if (high > most)
            return INT64_MAX;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (waits(context, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}
