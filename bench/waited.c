#include "bench/waited.h"

#include "bench/gaps.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/overflow_fit.h"
#include "estimate/samples.h"

#include <math.h>
#include <stdlib.h>

enum {
    PORTS_WANTED = 3,      /* whose median is taken: one that is far off does not move it */
    PORTS_TRIED = 5,       /* at most */
    PER_BUFFER = 32,       /* short messages in the time of a full port, a part of which is what is found too long */
    BYTES_MOST = 16 << 10, /* of the long messages: eager ones, for a sender that waits for permission fills nothing */
    HELD_MOST = 256 << 10  /* bytes of each sender that its host may hold when they end */
};
/* How long each port is kept full: so many times its buffer. */
static const double BUFFERS = 10, SECONDS_LEAST = 0.25, SECONDS_MOST = 2;
static const double SPACING_LEAST = 100e-6;                               /* s: what a message costs its processes */

/* The nodes of the k-th port, in turn each of those that stand together. Who probes is another one where there is
 * any; else it takes a sender. False: too few. */
static bool nodes_choose(const struct campaign *c, int k, struct waits *waits)
{
    const int close = campaign_crowd(c), all = c->crew->job->nodes;
    const bool is_other = close < all;
    const int senders = (int)fmin(WAITS_SENDERS, close - (is_other ? 1 : 2));
    waits->receiver = c->first + k % close;
    waits->prober = !is_other ? c->first + (k + close - 1) % close : c->first > 0 ? 0 : close;
    waits->n_senders = senders;
    for (int i = 0; i < senders; i++)
        waits->senders[i] = c->first + (k + 1 + i) % close;
    return senders >= 2;
}

/* Whether one of the senders has lost something between two counts of all places. */
static bool senders_lost(const struct campaign *c, const struct waits *waits, const int64_t before[],
                         const int64_t after[])
{
    const struct job *job = c->crew->job;
    for (int i = 0; i < waits->n_senders; i++) {
        const int place = job_place(job, waits->senders[i] * job->ppn);
        if (before[place] >= 0 && after[place] > before[place])
            return true;
    }
    return false;
}

static double wait_read(const struct samples *all)
{
    const size_t n = all->n / WAITS_EACH;
    struct overflow_probe *probes = alloc_array(n + 1, sizeof *probes);
    for (size_t i = 0; i < n; i++) {
        const int64_t *ns = all->ns + WAITS_EACH * i, from = all->ns[0];
        probes[i] = (struct overflow_probe){1e-9 * (double)(ns[0] - from), 1e-9 * (double)(ns[1] - from),
                                            1e-9 * (double)(ns[2] - from), ns[3]};
    }
    const double wait = overflow_wait(n, probes);
    free(probes);
    return wait;
}

/* 0: nothing was lost, or no short message counts. */
static double port_measure(struct campaign *c, const struct waits *waits)
{
    const struct job *job = c->crew->job;
    const size_t places = (size_t)(job->nodes * job->ppn);
    int64_t *before = alloc_array(places, sizeof *before), *after = alloc_array(places, sizeof *after);
    const double slower = c->classes[c->class].slower;
    struct samples all;
    samples_init(&all);
    crew_losses(c->crew, before);
    crew_waits(c->crew, waits, waits->n_senders * campaign_gap_guess(c, HELD_MOST) * slower, &all);
    crew_losses(c->crew, after);
    const double wait = wait_read(&all);
    const bool lost = senders_lost(c, waits, before, after);
    campaign_log(c, "%d senders of %lld bytes keep the port of node %d full: short messages wait %.2f ms at most, %s",
                 waits->n_senders, (long long)waits->bytes, waits->receiver, wait * 1e3,
                 lost ? "packets were lost" : "nothing was lost");
    samples_free(&all);
    free(before);
    free(after);
    return lost ? wait : 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double campaign_waited(struct campaign *c, double guess, size_t *ports)
{
    struct waits waits = {
        .bytes = (int64_t)fmin(BYTES_MOST, (double)c->result->eager_limit),
        .spacing = (int64_t)(1e9 * fmax(SPACING_LEAST, guess / PER_BUFFER)),
        .seconds = fmin(SECONDS_MOST, fmax(SECONDS_LEAST, BUFFERS * guess)),
    };
    double longest[PORTS_TRIED];
    *ports = 0;
    for (int k = 0; k < PORTS_TRIED && *ports < PORTS_WANTED && waits.bytes > 0 && nodes_choose(c, k, &waits) &&
                    campaign_left(c) > waits.seconds; k++) {
        longest[*ports] = port_measure(c, &waits);
        *ports += longest[*ports] > 0;
    }
    if (*ports < PORTS_WANTED)
        return 0;
    qsort(longest, *ports, sizeof *longest, compare);
    return longest[*ports / 2];
}
