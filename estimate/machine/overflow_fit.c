#include "estimate/machine/overflow_fit.h"

#include <math.h>
#include <stdlib.h>

static const double LATE_PART = 0.25; /* of the backlog */
static const double USUAL_PART = 0.2;
static const double LEAST_TIMEOUT = 0.2; /* s: Linux, TCP_RTO_MIN */
static const double TOGETHER = 0.5; /* of the time between two sends: less apart they came together */
enum { USUAL_LEAST = 2 };

double overflow_backlog(int senders, double frames, double first, double frame)
{
    return frame * fmin((senders - 1) * frames, senders * (frames + fmin(first, frames)) / 2);
}

double overflow_trunk_backlog(size_t n, const double port[], double passes, double credit)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double brought = 0;
        for (size_t k = 0; k < n; k++)
            brought += passes * fmin(1, port[i] / port[k]);
        most = fmax(most, brought - fmax(0, port[i] - credit));
    }
    return most;
}

bool overflow_happened(const struct overflow_burst *burst, double least)
{
    if (burst->counted != OVERFLOW_not_counted)
        return burst->counted == OVERFLOW_something_lost;
    return burst->late > LATE_PART * burst->backlog && burst->late > least;
}

bool overflow_timed_out(const struct overflow_burst *burst)
{
    return burst->late >= LEAST_TIMEOUT && burst->late > LATE_PART * burst->backlog;
}

static int burst_compare(const void *a, const void *b)
{
    double x = ((const struct overflow_burst *)a)->backlog, y = ((const struct overflow_burst *)b)->backlog;
    return (x > y) - (x < y);
}

enum overflow_seen overflow_judge(size_t lost, size_t n, bool counted)
{
    if (n < USUAL_LEAST)
        return lost > 0 && counted ? OVERFLOW_usual : OVERFLOW_unsure;
    return lost >= USUAL_LEAST && (double)lost >= USUAL_PART * (double)n ? OVERFLOW_usual : OVERFLOW_none;
}

const char *overflow_seen_text(enum overflow_seen seen)
{
    static const char *const texts[] = {[OVERFLOW_unsure] = "too few to tell",
                                        [OVERFLOW_none] = "as if none lost packets",
                                        [OVERFLOW_usual] = "packets were lost"};
    return texts[seen];
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
    double low = 0;
    if (n > 0)
        qsort(bursts, n, sizeof *bursts, burst_compare);
    for (size_t first = 0, same; first < n; first += same) {
        same = backlog_count(n, bursts, first, least, &lost);
        const enum overflow_seen seen = overflow_judge(lost, same, bursts[first].counted != OVERFLOW_not_counted);
        if (seen == OVERFLOW_none)
            low = bursts[first].backlog;
        if (seen != OVERFLOW_usual)
            continue;
        if (low > 0)
            *buffer = (low + bursts[first].backlog) / 2;
        return low > 0;
    }
    return false;
}

/* Whether nothing was lost on the way of a probe, nor as long before it, for what is sent again may still be on its
 * way then. Not where nobody has counted since. */
static bool nothing_lost(size_t n, const struct overflow_probe probes[], size_t i)
{
    const double before = probes[i].sent - (probes[i].came - probes[i].sent);
    size_t from = i, to = i;
    while (from > 0 && probes[from].sent > before)
        from--;
    while (to < n && probes[to].counted < probes[i].came)
        to++;
    return to < n && probes[from].lost == probes[to].lost;
}

double overflow_wait(size_t n, const struct overflow_probe probes[])
{
    double least = INFINITY, longest = 0;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, probes[i].came - probes[i].sent);
    for (size_t i = 0, first = 0; i + 1 < n; i++) { /* first: of those that came with i */
        const struct overflow_probe *probe = &probes[i], *next = &probes[i + 1];
        const double until_next = next->came - probe->came, collected = next->sent - probes[first].sent;
        if (until_next < TOGETHER * (next->sent - probe->sent))
            continue;
        first = i + 1;
        if (until_next >= TOGETHER * collected && nothing_lost(n, probes, i))
            longest = fmax(longest, probe->came - probe->sent - least);
    }
    return longest;
}
