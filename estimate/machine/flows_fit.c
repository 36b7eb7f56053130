#include "estimate/machine/flows_fit.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double SETTLED = 0.25; /* part of the time that is over before ports are steady */

static int arrival_compare(const void *a, const void *b)
{
    const struct flow_arrival *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->flow > y->flow) - (x->flow < y->flow);
}

/* When the first of the flows ends. */
static double end_of_first(size_t n, const struct flow_arrival arrivals[], int flows)
{
    double end = HUGE_VAL;
    for (int flow = 0; flow < flows; flow++) {
        double last = 0;
        for (size_t i = 0; i < n; i++)
            if (arrivals[i].flow == flow)
                last = fmax(last, arrivals[i].time);
        end = fmin(end, last);
    }
    return end;
}

double flows_gap(size_t n, struct flow_arrival arrivals[], int flows)
{
    const double end = end_of_first(n, arrivals, flows), begin = SETTLED * end;
    size_t first = 0, last = 0;
    qsort(arrivals, n, sizeof *arrivals, arrival_compare);
    while (first < n && arrivals[first].time < begin)
        first++;
    for (last = first; last + 1 < n && arrivals[last + 1].time <= end;)
        last++;
    if (first >= n || last - first + 1 < FLOWS_LEAST)
        return NAN;
    return (arrivals[last].time - arrivals[first].time) / (double)(last - first);
}

const char *sharing_text(enum sharing sharing)
{
    static const char *const texts[] = {
#define X(name, text) text,
        SHARING_LIST(X)
#undef X
    };
    return texts[sharing];
}

enum sharing flows_sharing(double alone, double together, int n)
{
    const double added = (alone / together - 1) / (n - 1);
    return added <= 1.0 / 3 ? SHARING_shared : added >= 2.0 / 3 ? SHARING_own : SHARING_unknown;
}
