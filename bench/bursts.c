#include "bench/bursts.h"

#include "bench/places.h"
#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double LATE_PART = 1 / 6.0; /* of what processes start together */

int64_t campaign_late(const struct campaign *c, double busy)
{
    const struct job *job = c->crew->job;
    double wake = 0;
    for (size_t i = 0; i < c->result->n_rests; i++)
        wake = fmax(wake, c->result->rests[i].wake);
    return (int64_t)(1e9 * fmin(LATE_PART * busy, wake * job->nodes * job->ppn));
}

static struct pilot pilot_of(struct samples *samples)
{
    size_t low, high;
    samples_sort(samples);
    if (!stopping_median_ranks(samples->n, 0.95, &low, &high)) {
        low = 0;
        high = samples->n - 1;
    }
    return (struct pilot){.median = samples_median(samples) * 1e-9, .low = (double)samples->ns[low] * 1e-9,
                          .high = (double)samples->ns[high] * 1e-9};
}

struct pilot campaign_pilot(struct campaign *c, enum pattern pattern, int64_t bytes, double rest, double busy, int n,
                            int copies)
{
    struct series_setup setup = {.pattern = pattern, .shape = campaign_pair(c), .kind = SEND_BLOCKING,
                                 .bytes = bytes, .rest = (int64_t)(rest * 1e9),
                                 .at_once = copies > 1 && busy > PILOT_LONG_TIME};
    int series = crew_series_create(c->crew, &setup);
    crew_series_run(c->crew, series, n, (int64_t)(busy * 1e9), copies);
    size_t n_messages;
    const struct series_message *messages = crew_series_collect(c->crew, series, &n_messages);
    struct samples samples, all;
    samples_init(&samples);
    samples_init(&all);
    for (size_t i = 0; i < n_messages; i++) {
        samples_add(&all, messages[i].end - messages[i].call);
        if (messages[i].valid)
            samples_add(&samples, messages[i].end - messages[i].call);
    }
    struct pilot pilot =
        samples.n >= 3 && 2 * samples.n >= n_messages ? pilot_of(&samples) : (struct pilot){NAN, NAN, NAN, NAN};
    samples_sort(&all);
    pilot.seen = samples_median(&all) * 1e-9;
    samples_free(&samples);
    samples_free(&all);
    crew_series_destroy(c->crew, series);
    return pilot;
}

size_t campaign_bursts_read(const struct series_message messages[], size_t n, int k, struct ports_burst bursts[])
{
    size_t n_bursts = 0;
    for (size_t first = 0; first + (size_t)k <= n; first += (size_t)k) {
        int64_t call = messages[first].call, last = messages[first].end;
        bool valid = true;
        for (size_t i = first; i < first + (size_t)k; i++) {
            call = messages[i].call < call ? messages[i].call : call;
            last = messages[i].end > last ? messages[i].end : last;
            valid = valid && messages[i].valid;
        }
        if (valid)
            bursts[n_bursts++] = (struct ports_burst){k, (double)(last - call) * 1e-9};
    }
    return n_bursts;
}

int64_t campaign_bursts_busy(const struct series_message messages[], size_t n)
{
    double *last = alloc_zeroed(n, sizeof *last), median = 0;
    for (size_t i = 0; i < n; i++)
        last[messages[i].repetition] =
            fmax(last[messages[i].repetition], (double)(messages[i].end - messages[i].planned));
    if (n > 0)
        median = ports_median((size_t)messages[n - 1].repetition + 1, last);
    free(last);
    return (int64_t)median;
}
