#include "estimate/machine/wake_fit.h"

#include <assert.h>
#include <math.h>

static const double GROWTH_LEAST = 1.5;

double wake_fit(size_t n, const double processes[], const double last[])
{
    double x = 0, y = 0, xx = 0, xy = 0;
    assert(n >= 2);
    if (last[n - 1] < GROWTH_LEAST * last[0])
        return 0;
    for (size_t i = 0; i < n; i++) {
        x += processes[i] / (double)n;
        y += last[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (processes[i] - x) * (processes[i] - x);
        xy += (processes[i] - x) * (last[i] - y);
    }
    return xy > 0 ? xy / xx : 0;
}

void wake_order(size_t n, double wake[])
{
    double least = INFINITY;
    for (size_t i = n; i-- > 0;) {
        wake[i] = fmin(wake[i], least);
        least = wake[i] > 0 ? wake[i] : least;
    }
}
