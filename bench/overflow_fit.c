#include "bench/overflow_fit.h"

#include <stdlib.h>

static const double LATE_PART = 0.25; /* of the backlog */
enum { LOST_LEAST = 3 };

bool overflow_happened(const struct overflow_burst *burst, double least)
{
    return burst->late > LATE_PART * burst->backlog && burst->late > least;
}

static int burst_compare(const void *a, const void *b)
{
    double x = ((const struct overflow_burst *)a)->backlog, y = ((const struct overflow_burst *)b)->backlog;
    return (x > y) - (x < y);
}

bool overflow_fit(size_t n, struct overflow_burst bursts[], double least, double *buffer)
{
    size_t lost = 0, best = 0;
    if (n > 0)
        qsort(bursts, n, sizeof *bursts, burst_compare);
    for (size_t i = 0; i < n; i++)
        lost += overflow_happened(&bursts[i], least);
    if (lost < LOST_LEAST)
        return false;
    size_t wrong = n - lost, fewest = wrong; /* were the buffer below all */
    for (size_t i = 0; i < n; i++) {
        wrong = overflow_happened(&bursts[i], least) ? wrong + 1 : wrong - 1;
        bool is_place = i + 1 < n && bursts[i + 1].backlog > bursts[i].backlog;
        if (is_place && wrong < fewest) {
            fewest = wrong;
            best = i + 1;
        }
    }
    if (best == 0)
        return false;
    *buffer = (bursts[best - 1].backlog + bursts[best].backlog) / 2;
    return true;
}
