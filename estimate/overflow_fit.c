#include "estimate/overflow_fit.h"

#include <stdlib.h>

static const double LATE_PART = 0.25; /* of the backlog */
static const double USUAL_PART = 0.2;
enum { USUAL_LEAST = 2 };

bool overflow_happened(const struct overflow_burst *burst, double least)
{
    return burst->late > LATE_PART * burst->backlog && burst->late > least;
}

static int burst_compare(const void *a, const void *b)
{
    double x = ((const struct overflow_burst *)a)->backlog, y = ((const struct overflow_burst *)b)->backlog;
    return (x > y) - (x < y);
}

bool overflow_is_usual(size_t lost, size_t n)
{
    return lost >= USUAL_LEAST && (double)lost >= USUAL_PART * (double)n;
}

/* How many of the bursts from `first` on have its backlog, and how many of these lost something. */
static size_t backlog_count(size_t n, const struct overflow_burst bursts[], size_t first, double least, size_t *lost)
{
    size_t end = first;
    *lost = 0;
    for (; end < n && !(bursts[end].backlog > bursts[first].backlog); end++)
        *lost += overflow_happened(&bursts[end], least);
    return end - first;
}

bool overflow_fit(size_t n, struct overflow_burst bursts[], double least, double *buffer)
{
    size_t lost = 0;
    if (n > 0)
        qsort(bursts, n, sizeof *bursts, burst_compare);
    for (size_t first = 0, same; first < n; first += same) {
        same = backlog_count(n, bursts, first, least, &lost);
        if (!overflow_is_usual(lost, same))
            continue;
        if (first > 0)
            *buffer = (bursts[first - 1].backlog + bursts[first].backlog) / 2;
        return first > 0;
    }
    return false;
}
