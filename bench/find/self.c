/* What a message of a process to itself costs: rank 0's own business while the others wait. */
#include "bench/find.h"

#include "common/alloc.h"
#include "estimate/machine/limit.h"
#include "measure/self.h"

#include <math.h>
#include <stdlib.h>

static const int64_t LIMIT_MOST = 4 << 20;
static const double POINT_TIME = 0.04; /* s: thousands of samples of all but the longest messages */
static const double TIME_MOST = 10;    /* s for all, on a machine that does not get on */
enum { PILOT_MESSAGES = 100, BATCH = 300, SAMPLES_LEAST = 2000, BEND_DEPTH = 2, BEND_MOST = 6 };

/* A size and the median of a message of it, ns. */
struct self_size {
    int64_t bytes;
    double median;
};

struct self_sizes {
    size_t n, capacity;
    struct self_size *list; /* ascending */
};

static void size_add(struct self_sizes *sizes, struct self_size size)
{
    size_t at = 0;
    while (at < sizes->n && sizes->list[at].bytes < size.bytes)
        at++;
    if (at < sizes->n && sizes->list[at].bytes == size.bytes)
        return;
    sizes->list = alloc_grow(sizes->list, sizes->n, &sizes->capacity, sizeof *sizes->list);
    for (size_t i = sizes->n++; i > at; i--)
        sizes->list[i] = sizes->list[i - 1];
    sizes->list[at] = size;
}

/* Those of the other messages and, unless they were given, two that no cache near the processor holds; both sides of
 * the eager limit. */
static void sizes_make(const struct campaign *c, int64_t limit, struct self_sizes *sizes)
{
    static const int64_t larger[] = {512 << 10, 2 << 20};
    size_t n;
    const int64_t *list = campaign_sizes_asked(c, &n);
    for (size_t i = 0; i < n; i++)
        size_add(sizes, (struct self_size){.bytes = list[i]});
    for (size_t i = 0; i < 2 && c->options->n_sizes == 0; i++)
        size_add(sizes, (struct self_size){.bytes = larger[i]});
    const int64_t most = sizes->list[sizes->n - 1].bytes;
    if (limit > list[0] && limit < most)
        size_add(sizes, (struct self_size){.bytes = limit});
    if (limit < most)
        size_add(sizes, (struct self_size){.bytes = limit + 1});
}

/* ---- the limit ---- */

static void one_try(void *context, int64_t low, int64_t high, int n, bool waits[])
{
    const struct campaign *c = context;
    for (int i = 0; i < n; i++)
        waits[i] = self_waits(c->crew->job, limit_size(low, high, i, n));
}

/* A library that buffers nothing sends nothing eagerly; of a limit the file can say 0 at the least. */
static void limit_find(struct campaign *c)
{
    struct machine_transport *self = &c->result->transports[TRANSPORT_self];
    if (self->has_eager_limit)
        return;
    const int64_t limit = limit_search(LIMIT_MOST, 1, one_try, c);
    if (limit == LIMIT_NOTHING)
        result_note(c->result, 0, "to oneself", "not even an empty message is sent eagerly");
    self->has_eager_limit = true;
    self->eager_limit = limit == LIMIT_NOTHING ? 0 : limit;
}

/* ---- points ---- */

static struct point_key key_of(enum send_kind kind, int64_t bytes)
{
    return (struct point_key){.operation = kind, .pattern = PATTERN_pingpong, .nodes = 1, .ppn = 1, .level = 1,
                              .bytes = bytes};
}

static bool point_is_done(const struct campaign *c, enum send_kind kind, int64_t bytes)
{
    const struct stopping rule = STOPPING_DEFAULT;
    const struct point_key key = key_of(kind, bytes);
    const struct point *point = result_find(c->result, &key);
    return point && point->transit.count >= (int64_t)rule.minimum;
}

static double median_of(struct campaign *c, int64_t bytes)
{
    struct self_times times;
    self_times_init(&times);
    self_run(c->crew->job, SEND_BLOCKING, bytes, PILOT_MESSAGES, &times);
    samples_sort(&times.transit);
    const double median = samples_median(&times.transit);
    self_times_free(&times);
    return median;
}

static void point_measure(struct campaign *c, enum send_kind kind, int64_t bytes)
{
    struct stopping rule = STOPPING_DEFAULT;
    struct self_times times;
    const double started = campaign_now();
    const struct point_key key = key_of(kind, bytes);
    enum stop stop = STOP_go_on;
    rule.precision = c->options->precision;
    rule.minimum = SAMPLES_LEAST;
    rule.time_cap = POINT_TIME;
    self_times_init(&times);
    while (stop == STOP_go_on) {
        self_run(c->crew->job, kind, bytes, BATCH, &times);
        stop = stopping_decide(&rule, &times.transit, campaign_now() - started);
    }
    struct point *point = result_point(c->result, &key);
    histogram_add_samples(&point->transit, &times.transit);
    histogram_add_samples(&point->send_overhead, &times.send_overhead);
    histogram_add_samples(&point->receive_overhead, &times.receive_overhead);
    point->stop = stop;
    c->n_measured++;
    samples_sort(&times.transit);
    const double precision = stopping_precision(&times.transit, rule.confidence);
    campaign_log(c, "to oneself, %lld bytes: %.3f us, %zu samples: %s", (long long)bytes,
                 samples_median(&times.transit) * 1e-3, times.transit.n, stop_text(stop));
    if (precision > rule.precision) {
        char name[80];
        snprintf(name, sizeof name, "%s to oneself, %lld bytes", kind == SEND_BLOCKING ? "MPI_Send" : "MPI_Isend",
                 (long long)bytes);
        campaign_note_precision(c, name, times.transit.n, precision, stop);
    }
    self_times_free(&times);
}

/* Looks between neighbours; a middle that lies off the line becomes a size. Across the limit the time leaps. */
static void sizes_refine(struct campaign *c, int64_t limit, struct self_sizes *sizes)
{
    int added = 0;
    for (size_t i = 0; i < sizes->n; i++)
        sizes->list[i].median = median_of(c, sizes->list[i].bytes);
    for (int depth = 0; depth < BEND_DEPTH; depth++)
        for (size_t i = sizes->n - 1; i > 0 && added < BEND_MOST; i--) {
            const struct self_size low = sizes->list[i - 1], high = sizes->list[i];
            const int64_t middle = (low.bytes + high.bytes) / 2;
            if (high.bytes - low.bytes < 64 || (low.bytes <= limit && high.bytes > limit))
                continue;
            const double line = (low.median + high.median) / 2, median = median_of(c, middle);
            if (fabs(median - line) <= FIND_BEND * median)
                continue;
            size_add(sizes, (struct self_size){middle, median});
            added++;
        }
}

void campaign_self(struct campaign *c)
{
    struct self_sizes sizes = {0};
    bool done = c->result->transports[TRANSPORT_self].has_eager_limit;
    campaign_say(c, "messages to oneself");
    crew_pause(c->crew, TIME_MOST);
    limit_find(c);
    const int64_t limit = c->result->transports[TRANSPORT_self].eager_limit;
    sizes_make(c, limit, &sizes);
    for (size_t i = 0; i < sizes.n; i++)
        done = done && point_is_done(c, SEND_BLOCKING, sizes.list[i].bytes) &&
               point_is_done(c, SEND_NONBLOCKING, sizes.list[i].bytes);
    if (!done && c->options->n_sizes == 0)
        sizes_refine(c, limit, &sizes);
    for (int kind = 0; kind < 2 && !done; kind++)
        for (size_t i = 0; i < sizes.n; i++)
            if (!point_is_done(c, (enum send_kind)kind, sizes.list[i].bytes))
                point_measure(c, (enum send_kind)kind, sizes.list[i].bytes);
    free(sizes.list);
}
