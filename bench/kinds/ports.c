/* Bursts through a port, and the gaps that explain them. */
#include "bench/kinds/kinds.h"

#include "bench/apart.h"
#include "bench/bursts.h"
#include "bench/gaps.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/ports_fit.h"
#include "results/headers.h"

#include <math.h>
#include <stdlib.h>

enum {
    BURSTS = 9,      /* of one length: their median stands a third of them losing packets */
    BURSTS_ALIKE = 4, /* ... so many do where all of these take the same time */
    RUNS_MOST = 4,    /* the first of one repetition, the others until enough bursts count */
    LENGTHS_LEAST = 3 /* lengths at any size */
};
static const double BURST_MOST = 40e-3; /* s: longer bursts only where the least lengths take that long */
static const double BURST_SPARE = 1.1, WAKE_SPARE = 500e-6; /* times, and s, that a burst is given */
static const double BURST_SHORT = 20e-3; /* s: one that was not given enough time costs less than telling everybody
                                          * again */
static const double ALIKE_TIME = 5e-3;  /* s: bursts from which on the port sets the time, and repeats it */
static const double LOSS = 1.5; /* times the time of one message: a port so much slower than its sender is none; packets
                                   that overflow its buffer are */
static const double AGAIN = 1.3; /* some bursts do not count and are measured again */
static const int lengths[] = {1, 2, 3, 4, 8, 12, 16, 24, 32};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths };

/* Expected, of k messages. */
static double burst_time(const struct campaign *c, const struct size_info *size, int k)
{
    return size->one_way + (k - 1) * campaign_gap_guess(c, size->bytes);
}

/* Whether a burst of the i-th length is measured at a size; of nodes that differ from the others every second one. */
static bool length_is_used(const struct campaign *c, const struct size_info *size, int i)
{
    if (i >= LENGTHS_LEAST && lengths[i] > campaign_burst_most(c, size->bytes))
        return false;
    if (c->class > 0)
        return i % 2 == 0 && (i < LENGTHS_LEAST || burst_time(c, size, lengths[i]) * c->classes[c->class].slower <=
                                                       BURST_MOST);
    return i < LENGTHS_LEAST || burst_time(c, size, lengths[i]) <= BURST_MOST;
}

/* A group for bursts of k messages: as many processes as take part, so that several may run at once. */
static struct shape burst_shape(const struct campaign *c, int k)
{
    struct shape shape = campaign_shape(c, campaign_close_group(c, k + 1), 1);
    shape.burst = k;
    return shape;
}

/* Groups in one repetition: all where they do not disturb one another; else as many as can have their turns one after
 * another, each alone, while the others' ports rest. */
static int burst_copies(const struct campaign *c, const struct size_info *size, const struct shape *shape)
{
    const double turn = BURST_SPARE * burst_time(c, size, shape->burst) + WAKE_SPARE;
    const int groups = shape_groups(shape);
    return size->copies ? groups : (int)fmin(fmax((turn + (double)c->rest * 1e-9) / turn, 1), groups);
}

static double ports_cost(const struct campaign *c, const struct task *task)
{
    const struct size_info *size = campaign_size(c, task->bytes);
    double cost = 0;
    for (int i = 0; i < N_LENGTHS; i++) {
        if (!length_is_used(c, size, i))
            continue;
        struct shape shape = burst_shape(c, lengths[i]);
        const double time = burst_time(c, size, lengths[i]);
        const double bursts = time * c->classes[c->class].slower >= ALIKE_TIME ? BURSTS_ALIKE : BURSTS;
        const double repetitions = ceil(bursts / burst_copies(c, size, &shape));
        cost += 2 * AGAIN * (repetitions * (time * BURST_SPARE + (double)c->rest * 1e-9) + 0.06);
    }
    return cost;
}

/* The bursts of the class that is being measured: those whose hub is of it. */
static size_t class_bursts_read(const struct campaign *c, enum pattern pattern, const struct series_message messages[],
                                size_t n, int k, struct ports_burst bursts[])
{
    size_t found = 0;
    for (size_t first = 0; first + (size_t)k <= n; first += (size_t)k)
        if (campaign_in_class(c, pattern == PATTERN_fan_out ? messages[first].from : messages[first].to))
            found += campaign_bursts_read(messages + first, (size_t)k, k, bursts + found);
    return found;
}

/* How many bursts of one length to have, n of which are there. */
static int bursts_wanted(size_t n, const struct ports_burst bursts[])
{
    double *times = alloc_array(n + 1, sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[i] = bursts[i].last;
    const bool alike = ports_alike(n, times, BURSTS_ALIKE, PORTS_ALIKE);
    free(times);
    return alike || n < (size_t)BURSTS_ALIKE ? BURSTS_ALIKE : BURSTS;
}

/* Bursts of one length. A first repetition tells how long they take, or as many as may be enough where that is not
 * long. */
static size_t bursts_measure(struct campaign *c, enum pattern pattern, const struct size_info *size, int k,
                             struct ports_burst **bursts, size_t n_bursts)
{
    const double time = burst_time(c, size, k);
    struct series_setup setup = {.pattern = pattern, .shape = burst_shape(c, k), .kind = SEND_NONBLOCKING,
                                 .bytes = size->bytes, .rest = c->rest, .at_once = size->copies,
                                 .late = campaign_late(c, time)};
    const int first = time < ALIKE_TIME ? BURSTS : time < BURST_SHORT ? BURSTS_ALIKE : 1;
    int copies = burst_copies(c, size, &setup.shape), repetitions = (first + copies - 1) / copies;
    int64_t busy = (int64_t)((BURST_SPARE * time + WAKE_SPARE) * 1e9);
    size_t n, found = 0;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < RUNS_MOST && repetitions > 0; run++) {
        crew_series_run(c->crew, series, repetitions, busy, copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        *bursts = alloc_resize(*bursts, n_bursts + n, sizeof **bursts);
        found = class_bursts_read(c, pattern, messages, n, k, *bursts + n_bursts);
        const int lacks = bursts_wanted(found, *bursts + n_bursts) - (int)found;
        repetitions = lacks > 0 ? (lacks + copies - 1) / copies : 0;
        busy = (int64_t)((double)campaign_bursts_busy(messages, n) * 1.1) + 200000;
    }
    crew_series_destroy(c->crew, series);
    return n_bursts + found;
}

/* The gap of one side at one size; NaN where no burst counted. most: see ports_fit_gap. again: it has been measured before. */
static double gap_measure(struct campaign *c, enum port_gap side, const struct size_info *size, double most, bool again)
{
    const enum pattern pattern = side == PORT_OUT ? PATTERN_fan_out : PATTERN_fan_in;
    struct ports_burst *bursts = NULL;
    struct ports_gap fit = {.gap = NAN};
    size_t n = 0;
    for (int i = 0; i < N_LENGTHS; i++)
        if (length_is_used(c, size, i) && (i < LENGTHS_LEAST || campaign_now() < c->task_ends))
            n = bursts_measure(c, pattern, size, lengths[i], &bursts, n);
    if (ports_fit_gap(n, bursts, most, &fit)) {
        fit.bytes = size->bytes;
        apart_gap_note(c->result, c->class, side, &fit, again);
    } else if (again) {
        apart_twice(c->result, c->class, side, size->bytes);
    }
    free(bursts);
    return fit.gap;
}

/* Where nothing counts the second time the first one holds. */
static void gap_keep(struct port_point *port, enum port_gap side, double gap)
{
    if (!isnan(gap))
        port->gap[side] = gap;
}

static bool ports_are_odd(const struct campaign *c, const struct task *task)
{
    return apart_asks(c->result, task->class, task->bytes);
}

static bool ports_are_done(const struct campaign *c, const struct task *task)
{
    const struct port_point *port = campaign_port_find(c, task->class, task->bytes);
    return port && !isnan(port->gap[PORT_OUT]) && !isnan(port->gap[PORT_IN]) && !ports_are_odd(c, task);
}

static void ports_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    const struct size_info *size = campaign_size(c, task->bytes);
    const bool again = apart_asks(c->result, c->class, task->bytes);
    if (!again && (task->again || ports_are_done(c, task))) /* another size was wrong, and has been measured again */
        return;
    double out_gap = gap_measure(c, PORT_OUT, size, HUGE_VAL, again);
    double most = isnan(out_gap) ? HUGE_VAL : LOSS * fmax(out_gap, size->one_way);
    double in_gap = gap_measure(c, PORT_IN, size, most, again);
    struct port_point *port = campaign_port(c, task->bytes);
    gap_keep(port, PORT_OUT, out_gap);
    gap_keep(port, PORT_IN, in_gap);
    if (again)
        apart_short_gaps(c->result);
    campaign_gaps_take(c);
    campaign_credit_fit(c);
    headers_count(c->result);
}

const struct kind kind_ports = {.cost = ports_cost, .measure = ports_measure, .is_done = ports_are_done, .is_odd = ports_are_odd};
