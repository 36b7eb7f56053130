#include "estimate/machine/stream_fit.h"

#include <assert.h>
#include <stdlib.h>

enum { SETTLED = 4 }; /* one part in so many is over before the port is steady */

static int arrival_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stream_fit_gap(size_t n, double arrivals[])
{
    size_t first = n / SETTLED;
    assert(n >= STREAM_LEAST);
    qsort(arrivals, n, sizeof *arrivals, arrival_compare);
    return (arrivals[n - 1] - arrivals[first]) / (double)(n - 1 - first);
}
