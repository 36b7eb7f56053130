#include "estimate/thresholds.h"

#include "estimate/breaks.h"

#include <assert.h>

bool threshold_break(size_t n, const double bytes[], const double times[], double *at, double *stride)
{
    struct breaks_found found;
    assert(n >= 6);
    breaks_find(n, bytes, times, breaks_least(n), n, &found);
    bool breaks = found.chosen > 0; /* the paper's one break is the best of one, whatever further ones BIC sees */
    if (breaks) {
        size_t last = found.by_m[1].last[0];
        *at = bytes[last];
        *stride = bytes[last + 1] - bytes[last];
    }
    breaks_free(&found);
    return breaks;
}
