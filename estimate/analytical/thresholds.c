#include "estimate/analytical/thresholds.h"

#include "estimate/analytical/breaks.h"

#include <assert.h>
#include <math.h>

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

size_t threshold_ratio(size_t n, const double times[], double ratio)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (times[i + 1] > ratio * times[i])
            return i;
    return n;
}

void threshold_refine(double *from, double *to, double time_from, double ratio, double least,
                      double (*measure)(void *context, double bytes), void *context)
{
    assert(least >= 1 && *to > *from);
    while (*to - *from > least) {
        double middle = floor((*from + *to) / 2), time = measure(context, middle);
        if (isnan(time))
            return;
        *(time > ratio * time_from ? to : from) = middle;
    }
}
