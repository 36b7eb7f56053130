#include "estimate/window_fit.h"

#include <math.h>
#include <stdlib.h>

/* Of a message: of two that are served one behind the other the second may well be a little late. */
static const double MOST = 0.75;

static double part_of(const struct window_burst *burst)
{
    return 2 * (1 - burst->first / burst->last);
}

static int burst_compare(const void *a, const void *b)
{
    const double x = part_of(a), y = part_of(b);
    return (x > y) - (x < y);
}

double window_fit(size_t n, struct window_burst bursts[], double bytes)
{
    if (n == 0)
        return 0;
    qsort(bursts, n, sizeof *bursts, burst_compare);
    const double part = (part_of(&bursts[(n - 1) / 2]) + part_of(&bursts[n / 2])) / 2;
    return part < MOST ? fmax(1, rint(part * bytes)) : 0;
}
