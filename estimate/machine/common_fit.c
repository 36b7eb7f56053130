#include "estimate/machine/common_fit.h"

#include <assert.h>

static const double GROWTH_LEAST = 2;

double common_fit(size_t n, const double processes[], const double step[])
{
    assert(n >= 2);
    return step[n - 1] >= GROWTH_LEAST * step[0] ? step[n - 1] / processes[n - 1] : 0;
}
