#include "estimate/machine/socket_fit.h"

#include <math.h>
#include <stdlib.h>

static const double WAITS = 0.25; /* of a message's time */
enum { SAMPLES_LEAST = 3 };

int64_t socket_given(int i)
{
    return (int64_t)65536 << i;
}

/* How much had come by a time: evenly between the ends of two messages, and at the first's pace before its end. */
static double come_by(size_t n, double bytes, double pace, const double there[], double time)
{
    size_t k = 0;
    while (k < n && there[k] <= time)
        k++;
    if (k == n)
        return (double)n * bytes;
    const double since = k > 0 ? there[k - 1] : there[0] - pace;
    return ((double)k + fmax(0, (time - since) / (there[k] - since))) * bytes;
}

size_t socket_samples(size_t n, double bytes, const double call[], const double back[], const double there[],
                      struct socket_sample samples[])
{
    size_t found = 0;
    if (n < 2 || !(there[n - 1] > there[0]))
        return 0;
    const double pace = (there[n - 1] - there[0]) / (double)(n - 1);
    for (size_t i = 0; i < n; i++) {
        const double given = (double)(i + 1) * bytes;
        if (back[i] - call[i] > WAITS * pace)
            samples[found++] = (struct socket_sample){given, fmax(0, given - come_by(n, bytes, pace, there, back[i]))};
    }
    return found;
}

static int held_compare(const void *a, const void *b)
{
    const double x = ((const struct socket_sample *)a)->held, y = ((const struct socket_sample *)b)->held;
    return (x > y) - (x < y);
}

/* Of sorted samples those near `given`. */
static double median_near(size_t n, const struct socket_sample samples[], double given)
{
    size_t near = 0, passed = 0;
    double low = NAN, high = NAN;
    for (size_t i = 0; i < n; i++)
        near += fabs(log2(samples[i].given / given)) <= 0.5;
    for (size_t i = 0; i < n; i++) {
        if (fabs(log2(samples[i].given / given)) > 0.5)
            continue;
        if (passed == (near - 1) / 2)
            low = samples[i].held;
        if (passed++ == near / 2)
            high = samples[i].held;
    }
    return near >= SAMPLES_LEAST ? (low + high) / 2 : NAN;
}

static int taken_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double socket_first(size_t n, double taken[], int pieces, double piece)
{
    if (n == 0)
        return NAN;
    qsort(taken, n, sizeof *taken, taken_compare);
    const double middle = (taken[(n - 1) / 2] + taken[n / 2]) / 2;
    return taken[n / 2] < pieces ? (middle + 0.5) * piece : NAN;
}

void socket_held_settle(double first, double held[SOCKET_POINTS])
{
    double most = isnan(first) ? 0 : first, given = most;
    for (int i = 0; i < SOCKET_POINTS; i++) {
        if ((double)socket_given(i) <= given)
            held[i] = NAN;
        if (isnan(held[i]))
            continue;
        held[i] = most = fmin(fmax(most, held[i]), most + (double)socket_given(i) - given);
        given = (double)socket_given(i);
    }
}

void socket_fit(size_t n, struct socket_sample samples[], double first, double held[SOCKET_POINTS])
{
    qsort(samples, n, sizeof *samples, held_compare);
    for (int i = 0; i < SOCKET_POINTS; i++)
        held[i] = median_near(n, samples, (double)socket_given(i));
    socket_held_settle(first, held);
}
