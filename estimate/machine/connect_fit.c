#include "estimate/machine/connect_fit.h"

#include <math.h>

/* Less may be chance: what is measured at once is measured once. */
static const double MOST_ALONE = 1.25;

/* Fewer processes that see a first message late were disturbed. */
static const double LATER_PART = 0.25;
enum { LATER_LEAST = 2 };

void connect_samples_free(struct connect_samples *samples)
{
    samples_free(&samples->messages);
    samples_free(&samples->calls);
    samples_free(&samples->late);
    samples_free(&samples->trips);
    samples_free(&samples->listens);
}

/* s, at least 0; 0 of none. */
static double median_of(struct samples *samples)
{
    if (samples->n == 0)
        return 0;
    samples_sort(samples);
    return fmax(0, 1e-9 * samples_median(samples));
}

static double shared_of(const struct connect_samples *samples, const struct machine_connect *connect)
{
    const double at_once = 1e-9 * (double)samples->at_once;
    const double alone = fmax(connect->message, samples->each * connect->call + connect->late);
    return samples->made_at_once > 1 && at_once > MOST_ALONE * alone ? at_once / samples->made_at_once : 0;
}

static double listen_of(struct samples *listens, double message)
{
    const double k = (double)listens->n;
    size_t later = 0;
    for (size_t i = 0; i < listens->n; i++)
        later += 1e-9 * (double)listens->ns[i] > 2 * message;
    if (later < LATER_LEAST || (double)later < LATER_PART * k)
        return 0;
    return (k + 1) / k * (1e-9 * (double)samples_quantile(listens, 1) - message);
}

bool connect_fit(struct connect_samples *samples, struct machine_connect *connect)
{
    samples_sort(&samples->listens);
    *connect = (struct machine_connect){.message = median_of(&samples->messages)};
    const double trip = median_of(&samples->trips);
    if (!(connect->message > trip / 4))
        return false;
    connect->call = fmin(median_of(&samples->calls), connect->message);
    connect->late = fmax(0, median_of(&samples->late) - trip / 2);
    connect->shared = shared_of(samples, connect);
    connect->listen = listen_of(&samples->listens, connect->message);
    return true;
}
