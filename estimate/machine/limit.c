#include "estimate/machine/limit.h"

#include <assert.h>

int64_t limit_size(int64_t low, int64_t high, int i, int n)
{
    return low + (high - low) * (i + 1) / (n + 1);
}

static bool one_waits(int64_t bytes, limit_try *attempt, void *context)
{
    bool waits;
    attempt(context, bytes, bytes, 1, &waits);
    return waits;
}

/* Both ends move to sizes that were tried. */
static void narrow(int64_t *low, int64_t *high, int n, const bool waits[])
{
    const int64_t from = *low, to = *high;
    for (int i = 0; i < n; i++)
        *low = waits[i] ? *low : limit_size(from, to, i, n);
    for (int i = n; i-- > 0;)
        *high = waits[i] && limit_size(from, to, i, n) > *low ? limit_size(from, to, i, n) : *high;
}

int64_t limit_search(int64_t most, int at_once, limit_try *attempt, void *context)
{
    int64_t low = 0, high = 1024; /* low does not wait, high does */
    bool waits[LIMIT_AT_ONCE];
    assert(at_once >= 1 && at_once <= LIMIT_AT_ONCE);
    if (one_waits(0, attempt, context))
        return LIMIT_NOTHING;
    while (!one_waits(high, attempt, context)) {
        low = high;
        high *= 2;
        if (high > most)
            return INT64_MAX;
    }
    while (high - low > 1) {
        const int n = high - low - 1 < at_once ? (int)(high - low - 1) : at_once;
        attempt(context, low, high, n, waits);
        narrow(&low, &high, n, waits);
    }
    return low;
}
