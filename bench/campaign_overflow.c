/* Bursts that meet at one port, longer and longer, until its buffer overflows. */
#include "bench/campaign_impl.h"

#include "common/alloc.h"
#include "estimate/overflow_fit.h"

#include <math.h>
#include <stdlib.h>

enum {
    OVERFLOW_BURSTS = 9, /* of one backlog */
    RUNS_MOST = 3,
    REFINED = 5          /* halvings of the interval in which the buffer lies */
};
static const double STEP = 1.5;          /* from one backlog to the next */
static const double FIRST_PART = 2;      /* times the credit, or the least gap: where the search begins */
static const double LATE_LEAST = 5e-3;   /* s: no scheduler, but any timeout of TCP */
static const double OVERFLOW_COST = 5;   /* s: expected of all */
static const double LOSS_COST = 0.3;     /* s: expected of a burst that lost something */

/* All bursts so far. */
struct bursts {
    size_t n, capacity;
    struct overflow_burst *list;
};

/* In gap at any size: linear between the measured ones. NaN: none was measured. */
static double in_gap_at(const struct campaign *c, double bytes)
{
    const struct result *result = c->result;
    const struct port_point *low = NULL, *high = NULL;
    for (size_t i = 0; i < result->n_ports; i++) {
        if (isnan(result->ports[i].gap[PORT_IN]))
            continue;
        if (high && (double)high->bytes >= bytes)
            break;
        low = high ? high : &result->ports[i];
        high = &result->ports[i];
    }
    if (!high)
        return NAN;
    if (high == low)
        return low->gap[PORT_IN];
    double part = (bytes - (double)low->bytes) / (double)(high->bytes - low->bytes);
    return low->gap[PORT_IN] + (high->gap[PORT_IN] - low->gap[PORT_IN]) * part;
}

/* The message size at which n senders leave the port `backlog` behind; -1: none below the eager limit. */
static int64_t bytes_for(const struct campaign *c, int senders, double backlog)
{
    int64_t limit = c->result->eager_limit, most = c->sizes[c->n_sizes - 1].bytes;
    double low = 0, high = (double)(limit < most ? limit : most);
    if ((senders - 1) * in_gap_at(c, high) < backlog)
        return -1;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if ((senders - 1) * in_gap_at(c, middle) < backlog)
            low = middle;
        else
            high = middle;
    }
    return (int64_t)ceil(high);
}

static double one_way_at(const struct campaign *c, int64_t bytes)
{
    size_t i = 1;
    while (i + 1 < c->n_sizes && c->sizes[i].bytes < bytes)
        i++;
    if (c->n_sizes == 1)
        return c->sizes[0].one_way;
    const struct size_info *low = &c->sizes[i - 1], *high = &c->sizes[i];
    return low->one_way +
           (high->one_way - low->one_way) * (double)(bytes - low->bytes) / (double)(high->bytes - low->bytes);
}

/* Whether groups may run at once: where that was seen at the nearest larger size. */
static bool copies_at(const struct campaign *c, int64_t bytes)
{
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes >= bytes)
            return c->sizes[i].copies;
    return c->sizes[c->n_sizes - 1].copies;
}

static size_t bursts_read(struct bursts *bursts, const struct series_message messages[], size_t n, int senders,
                          double backlog, double expected)
{
    size_t found = 0, k = (size_t)senders;
    for (size_t first = 0; first + k <= n; first += k) {
        int64_t call = INT64_MAX, last = INT64_MIN;
        bool valid = true;
        for (size_t i = first; i < first + k; i++) {
            call = messages[i].call < call ? messages[i].call : call;
            last = messages[i].end > last ? messages[i].end : last;
            valid = valid && messages[i].valid;
        }
        if (!valid)
            continue;
        bursts->list = alloc_grow(bursts->list, bursts->n, &bursts->capacity, sizeof *bursts->list);
        bursts->list[bursts->n++] = (struct overflow_burst){backlog, (double)(last - call) * 1e-9 - expected};
        found++;
    }
    return found;
}

static bool was_lost(const struct bursts *bursts, size_t from)
{
    for (size_t i = from; i < bursts->n; i++)
        if (overflow_happened(&bursts->list[i], LATE_LEAST))
            return true;
    return false;
}

static struct series_setup burst_setup(const struct campaign *c, int senders, int64_t bytes)
{
    struct series_setup setup = {.pattern = PATTERN_fan_in, .shape = campaign_shape(c, senders + 1, 1),
                                 .kind = SEND_NONBLOCKING, .bytes = bytes, .rest = c->rest};
    setup.shape.burst = senders;
    return setup;
}

/* First call to last arrival by the port rule, s. */
static double burst_expected(const struct campaign *c, int64_t bytes, double backlog)
{
    return one_way_at(c, bytes) + fmax(0, backlog - fmax(0, c->result->credit - in_gap_at(c, (double)bytes)));
}

static bool may_go_on(const struct campaign *c)
{
    return campaign_left(c) > 0 && campaign_now() < c->task_ends;
}

/* Adds bursts of one backlog; returns whether the port overflows there. */
static bool backlog_measure(struct campaign *c, struct bursts *bursts, int senders, int64_t bytes, double backlog)
{
    struct series_setup setup = burst_setup(c, senders, bytes);
    int copies = copies_at(c, bytes) ? shape_groups(&setup.shape) : 1;
    double expected = burst_expected(c, bytes, backlog);
    double busy = 1.2 * expected + 1e-3;
    size_t before = bursts->n, lost = 0;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < RUNS_MOST && bursts->n - before < OVERFLOW_BURSTS && may_go_on(c); run++) {
        size_t n;
        crew_series_run(c->crew, series, (OVERFLOW_BURSTS + copies - 1) / copies, (int64_t)(busy * 1e9), copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        bursts->n = before;
        bursts_read(bursts, messages, n, senders, backlog, expected);
        busy = was_lost(bursts, before) ? expected + LOSS_COST : 2 * busy;
    }
    crew_series_destroy(c->crew, series);
    for (size_t i = before; i < bursts->n; i++)
        lost += overflow_happened(&bursts->list[i], LATE_LEAST);
    campaign_log(c, "%d senders of %lld bytes, %.2f ms behind: %zu of %zu bursts lost packets", senders,
                 (long long)bytes, backlog * 1e3, lost, bursts->n - before);
    return overflow_is_usual(lost, bursts->n - before);
}

/* Backlogs in steps from `first` on until the port overflows, then between the last without and the first with
 * losses. Nothing beyond: a connection that has lost packets sends more cautiously for long after. */
static void senders_measure(struct campaign *c, struct bursts *bursts, int senders, double first)
{
    double low = 0, high = 0;
    for (double backlog = first; high <= 0 && may_go_on(c); backlog *= STEP) {
        int64_t bytes = bytes_for(c, senders, backlog);
        if (bytes < 0)
            break;
        *(backlog_measure(c, bursts, senders, bytes, backlog) ? &high : &low) = backlog;
    }
    for (int i = 0; i < REFINED && low > 0 && high > 0 && may_go_on(c); i++) {
        double middle = (low + high) / 2;
        *(backlog_measure(c, bursts, senders, bytes_for(c, senders, middle), middle) ? &high : &low) = middle;
    }
}

/* How late messages are at a port further behind than its buffer holds: those that went through count as well. */
static void delays_take(struct campaign *c, const struct bursts *bursts, double buffer)
{
    for (size_t i = 0; i < bursts->n; i++)
        if (bursts->list[i].backlog > buffer)
            histogram_add(&c->result->overflow, (int64_t)(fmax(0, bursts->list[i].late) * 1e9), 1);
}

double task_overflow_cost(const struct campaign *c)
{
    return campaign_close(c) > 2 ? OVERFLOW_COST + 200 * (double)c->rest * 1e-9 : 0;
}

/* Two senders first: what they lose is one message's. All others where two reach no backlog that overflows. */
void task_measure_overflow(struct campaign *c)
{
    const int ways[] = {2, campaign_close(c) - 1};
    double buffer = 0, first = isnan(in_gap_at(c, 0)) ? 0 : FIRST_PART * fmax(c->result->credit, in_gap_at(c, 0));
    size_t n = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && first > 0 && buffer <= 0; i++) {
        struct bursts bursts = {0};
        if (ways[i] < 2 || (i > 0 && ways[i] <= ways[0]))
            continue;
        senders_measure(c, &bursts, ways[i], first);
        if (overflow_fit(bursts.n, bursts.list, LATE_LEAST, &buffer))
            delays_take(c, &bursts, buffer);
        n += bursts.n;
        free(bursts.list);
    }
    bool found = buffer > 0 && c->result->overflow.count > 0;
    c->result->buffer = found ? buffer : 0;
    result_port_losses_drop(c->result);
    if (found)
        result_note(c->result, 0, NOTE_OVERFLOW, "an in port more than %.2f ms behind loses packets (%zu bursts)",
                    buffer * 1e3, n);
    else if (n > 0)
        result_note(c->result, 0, NOTE_OVERFLOW, "none was seen in %zu bursts", n);
}
